//===- Device.h - Devices, streams, memory and kernels ----------*- C -*-===//
//
// Part of the Lowp project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef LOWP_RUNTIME_DEVICE_H
#define LOWP_RUNTIME_DEVICE_H

#include "../CPU/Program.h"
#include "Driver.h"

enum { kMaxDevices = 64 };

/// A stream that the program made, in use or waiting to be used again.
typedef struct OwnStream {
  CUstream stream;
  struct OwnStream *next;
} OwnStream;

/// A constant of the program on a device.
typedef struct Constant {
  const void *host;
  CUdeviceptr address;
} Constant;

/// What the program keeps for a device, from its first use to the end.
typedef struct Device {
  int ordinal;
  CUcontext context;
  /// Memory that is freed stays in here for the next allocation.
  CUmemoryPool pool;
  OwnStream *idle;
  Constant *constants;
  int64_t numConstants, roomForConstants;
} Device;

/// The PTX of the program. Loaded on a device when it is first needed there.
typedef struct Module {
  const char *ptx;
  CUmodule loaded[kMaxDevices];
  struct Module *next;
} Module;

/// A kernel, and what it is on each device.
typedef struct Kernel {
  Module *module;
  const char *name;
  CUfunction loaded[kMaxDevices];
  struct Kernel *next;
} Kernel;

/// A buffer in the memory of a device.
typedef struct DeviceBuffer {
  LowpHeader header;
  CUdeviceptr address;
  CUstream stream; ///< in whose order it is freed
  Device *device;
} DeviceBuffer;

/// Where a call of this thread runs: its device is current, and all its work is
/// in one stream.
typedef struct DeviceCall {
  Device *device;
  CUstream stream;
  OwnStream *own; ///< null for a stream of the caller
} DeviceCall;

extern _Thread_local DeviceCall lowp_rt_device_call;

/// "sm_90a": what lib/Target/CPU/CInterface.cpp writes.
extern const char lowp_rt_target[];

// Functions that return a status have set the error where it is none.

int32_t lowp_rt_count_devices(int *count);

/// Whether the program can run on a device.
int32_t lowp_rt_check_device(int ordinal);

/// The device of that ordinal, ready for use.
int32_t lowp_rt_open_device(int ordinal, Device **device);

/// Sets the stream of this thread's calls; null for the program's own.
void lowp_rt_use_stream(CUstream stream);

/// Makes `device` current for a call on this thread, and finds a stream.
int32_t lowp_rt_enter(Device *device);
/// The opposite; waits for a stream of the program's own. `status` is what the
/// call came to; the first error stays.
int32_t lowp_rt_leave(int32_t status);

/// Memory in the order of the call's stream.
int32_t lowp_rt_device_memory(int64_t bytes, LowpHeader *ring,
                              DeviceBuffer **buffer);

/// Null where there is no memory for it.
Module *lowp_rt_add_module(const char *ptx);
void lowp_rt_remove_module(Module *module);
/// Null where there is no memory for it.
Kernel *lowp_rt_find_kernel(Module *module, const char *name);
/// The kernel on the call's device.
int32_t lowp_rt_load_kernel(Kernel *kernel, CUfunction *function);

/// The copy of a constant on the call's device.
int32_t lowp_rt_find_constant(const void *host, int64_t bytes,
                              CUdeviceptr *address);

#endif // LOWP_RUNTIME_DEVICE_H
