/*===- lowp-c/Device.h - Programs for GPUs -------------------------*- C
-*-===*\
|*                                                                            *|
|* Part of the Lowp project, under the Apache License v2.0 with LLVM          *|
|* Exceptions. See LICENSE for license information.                           *|
|* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception                    *|
|*                                                                            *|
|*===----------------------------------------------------------------------===*|
|*                                                                            *|
|* What a program for a GPU has beside lowp-c/Runtime.h, whose functions      *|
|* work as they do for the CPU, with buffers in the memory of a device:       *|
|* `aligned` of an argument and of a result is a device pointer, aligned to   *|
|* 16 bytes. Scalars stay on the host. docs/c-abi.md explains it.             *|
|*                                                                            *|
|* The program loads the CUDA driver when it is first needed, never before.   *|
|* A function below that fails returns a LowpStatus, and lowp_last_error says *|
|* why.                                                                       *|
|*                                                                            *|
\*===----------------------------------------------------------------------===*/

#ifndef LOWP_C_DEVICE_H
#define LOWP_C_DEVICE_H

#include "lowp-c/Runtime.h"

#ifdef __cplusplus
extern "C" {
#endif

/**
 * Takes the CUDA driver API from this shared library instead of libcuda.so.1:
 * from the simulated driver, as a rule (docs/simulator.md). Must come before
 * anything that needs the driver; LOWP_INVALID_ARGUMENT after that.
 */
int32_t lowp_use_driver(const char *path);

/**
 * Devices on which this program can run, by their ordinals in the driver:
 * writes the first `room` to `devices` and their number to `count`.
 */
int32_t lowp_list_devices(int32_t *devices, int32_t room, int32_t *count);

/**
 * The device for this thread; -1, as at the start, leaves it open: a call then
 * runs on the device that holds its arguments, and what has none of those on
 * the device of the thread's current context, or else on the first that can.
 */
int32_t lowp_set_device(int32_t device);

/** The device on which this thread would allocate now. */
int32_t lowp_get_device(int32_t *device);

/**
 * The CUDA stream of this thread's calls, a CUstream of its device. Calls then
 * put their work into it and return: results are ready, and errors of kernels
 * show, where the stream is synchronized. A call waits itself only where the
 * program has to know a number that a kernel computes, assertions included.
 * The stream has to exist until the results of those calls are freed.
 *
 * Null, as at the start, is a stream of the program's own, and calls return
 * when their work is done. That stream waits for what is in the legacy default
 * stream. The legacy default stream itself is (void *)1, CU_STREAM_LEGACY.
 */
int32_t lowp_set_stream(void *stream);

/**
 * Memory for arguments, of the device that lowp_get_device gives: `data` is
 * the device pointer, and `allocated` what lowp_free takes. Counts as a live
 * allocation.
 */
int32_t lowp_device_allocate(int64_t bytes, void **allocated, void **data);

/**
 * Copies between memory of the host and of a device, in any direction, after
 * what is in this thread's stream; returns when it is done.
 */
int32_t lowp_device_copy(void *target, const void *source, int64_t bytes);

/** Waits for this thread's stream. */
int32_t lowp_synchronize(void);

/** Gives back memory that the program keeps for its next allocations. */
int32_t lowp_trim(void);

#ifdef __cplusplus
}
#endif

#endif /* LOWP_C_DEVICE_H */
