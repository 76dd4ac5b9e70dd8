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

extern const LowpEntryInfo lowp_rt_entries[];
extern const int64_t lowp_rt_num_entries;
extern const char lowp_rt_signatures[];

#endif // LOWP_RUNTIME_PROGRAM_H
