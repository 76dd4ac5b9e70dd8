//===- Memory.c - Stores past the caches ----------------------------------===//
//
// Part of the Lowp project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Program.h"

#include <errno.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <unistd.h>

static int64_t findCacheBytes(void) {
  const char *text = getenv("LOWP_CACHE_BYTES");
  if (text && *text) {
    char *end;
    errno = 0;
    long long bytes = strtoll(text, &end, 10);
    if (!errno && !*end && bytes >= 0)
      return bytes;
  }
  long bytes = sysconf(_SC_LEVEL3_CACHE_SIZE);
  if (bytes <= 0)
    bytes = sysconf(_SC_LEVEL2_CACHE_SIZE);
  return bytes > 0 ? bytes : INT64_MAX;
}

int64_t lowp_rt_cache_bytes(void) {
  // The system may ask the processor each time, which takes long.
  static _Atomic int64_t known = -1;
  int64_t bytes = atomic_load_explicit(&known, memory_order_relaxed);
  if (bytes < 0) {
    bytes = findCacheBytes();
    atomic_store_explicit(&known, bytes, memory_order_relaxed);
  }
  return bytes;
}

void lowp_rt_finish_stores(void) {
#if defined(__x86_64__)
  __builtin_ia32_sfence();
#else
  atomic_thread_fence(memory_order_seq_cst);
#endif
}
