//===- Program.h - What generated code and its runtime share ----*- C -*-===//
//
// Part of the Lowp project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Tables that lib/Target/CPU/CInterface.cpp writes into every program. Both
// sides are linked into one file, so this may change freely; the contract with
// callers is include/lowp-c/Runtime.h.
//
//===----------------------------------------------------------------------===//

#ifndef LOWP_RUNTIME_PROGRAM_H
#define LOWP_RUNTIME_PROGRAM_H

#include <stdint.h>

#define LOWP_EXPORT __attribute__((visibility("default")))

/// A ranked memref descriptor: sizes, then strides, in `dims`.
typedef struct MemRefHead {
  char *allocated, *aligned;
  int64_t offset, dims[];
} MemRefHead;

/// One argument or result. `shape` has `rank` dims, -1 where dynamic.
typedef struct LowpValueInfo {
  const int64_t *shape;
  int64_t rank;
  int32_t dtype;
  int32_t scalar;
} LowpValueInfo;

/// One entry. `invoke` takes one pointer per argument, to a memref descriptor
/// or to a scalar, and one per result, to where either is to be stored.
typedef struct LowpEntryInfo {
  const char *name;
  void (*invoke)(void *const *arguments, void *const *results);
  const LowpValueInfo *arguments;
  int64_t numArguments;
  const LowpValueInfo *results;
  int64_t numResults;
} LowpEntryInfo;

/// A buffer of the program. Where it is memory of the host, that follows; a
/// multiple of 16 bytes keeps malloc's alignment.
typedef struct LowpHeader {
  /// The other live buffers of a call, in a ring; null once a caller owns it.
  struct LowpHeader *previous, *next;
  /// Frees what is not memory of the host; null where it is.
  void (*release)(struct LowpHeader *);
  uint64_t padding;
} LowpHeader;

/// Buffers in the memory of a device (runtime/GPU), for programs that have
/// them there. Functions that return a status have set the error.
typedef struct LowpDeviceHooks {
  /// The alignment in bytes that arguments need.
  uintptr_t alignment;
  /// Finds the device for a call. `arguments` are what the entry is to be
  /// invoked with.
  int32_t (*begin)(const LowpEntryInfo *entry, void *const *arguments);
  /// Makes the caller the owner of the result at `descriptor`, of `bytes`
  /// bytes. `claimed` is what it gives to lowp_free.
  int32_t (*claim)(void *descriptor, int64_t bytes, void **claimed);
  /// Ends a call that came to `status`, after its buffers have been released.
  /// Returns what it comes to in the end; the first error stays.
  int32_t (*end)(int32_t status);
} LowpDeviceHooks;

/// Not there in programs for the CPU.
extern const LowpDeviceHooks lowp_rt_device
    __attribute__((weak, visibility("hidden")));

/// The buffers of this thread's call: the ring through this element.
LowpHeader *lowp_rt_buffers(void);

/// Adds a buffer to a ring, or to none where that is null. It counts as live.
void lowp_rt_add_buffer(LowpHeader *header, LowpHeader *ring);

/// Takes a buffer out of its ring.
void lowp_rt_unlink_buffer(LowpHeader *header);

/// Frees a buffer.
void lowp_rt_release_buffer(LowpHeader *header);

/// Sets this thread's error and returns `status`.
int32_t lowp_rt_error(int32_t status, const char *format, ...)
    __attribute__((format(printf, 2, 3)));

/// Sets this thread's floating-point control register to its default.
void lowp_rt_reset_float_env(void);

/// Size of the last cache of this host in bytes; the largest number there is
/// where it is not known.
int64_t lowp_rt_cache_bytes(void);

/// Makes what this thread has stored past the caches visible to others.
void lowp_rt_finish_stores(void);

/// Runs `work`, a part of a call, in this thread, with buffers of its own.
/// Where it fails, these are released; the status says so, and `message`, which
/// the caller frees, why (null where there is no memory for it).
int32_t lowp_rt_run_part(void (*work)(void *), void *argument, char **message);

/// Fails the call of this thread, or its part.
__attribute__((noreturn)) void lowp_rt_fail(int32_t status,
                                            const char *message);

/// The same, with the error that has been set.
__attribute__((noreturn)) void lowp_rt_abandon(int32_t status);

extern const LowpEntryInfo lowp_rt_entries[];
extern const int64_t lowp_rt_num_entries;
extern const char lowp_rt_signatures[];

#endif // LOWP_RUNTIME_PROGRAM_H
