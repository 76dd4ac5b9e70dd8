//===- Threads.c - Loops in several threads -------------------------------===//
//
// Part of the Lowp project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The part of LLVM's OpenMP interface that a parallel loop with a static
// schedule calls, on threads of libc. Programs that are not compiled for
// threads do not contain it, and none needs an OpenMP library to be installed.
//
// A parallel region starts its threads and waits for their end: no thread
// outlives it, so that a program can be unloaded between calls. The iterations
// of a thread follow from its number only, and no two iterations write the same
// memory: bits do not depend on the number of threads.
//
//===----------------------------------------------------------------------===//

#include "Program.h"

#include <pthread.h>
#include <sched.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>

enum { kMaxThreads = 256 };

typedef void (*Region)(int32_t *thread, int32_t *bound, void *context);

typedef struct Worker {
  Region region;
  void *context;
  int32_t thread, numThreads;
  /// How it ended.
  int32_t status;
  char *message;
} Worker;

/// What a thread is in its region.
static _Thread_local int32_t currentThread, currentNumThreads = 1;
/// What the next region asks for; 0 where it leaves the number open.
static _Thread_local int32_t requestedThreads;

static int32_t chooseNumThreads(void) {
  int32_t count = requestedThreads;
  requestedThreads = 0;
  // Nested regions run in the thread that meets them.
  if (currentNumThreads > 1)
    return 1;
  if (count <= 0) {
    const char *text = getenv("OMP_NUM_THREADS");
    count = text ? atoi(text) : 0;
  }
  if (count <= 0) {
    cpu_set_t set;
    count = sched_getaffinity(0, sizeof set, &set) == 0 ? CPU_COUNT(&set) : 1;
  }
  return count < kMaxThreads ? count : kMaxThreads;
}

static void runRegion(void *argument) {
  Worker *worker = argument;
  int32_t thread = worker->thread, bound = worker->thread;
  worker->region(&thread, &bound, worker->context);
}

static void *runWorker(void *argument) {
  Worker *worker = argument;
  lowp_rt_reset_float_env();
  currentThread = worker->thread;
  currentNumThreads = worker->numThreads;
  worker->status = lowp_rt_run_part(runRegion, worker, &worker->message);
  lowp_rt_finish_stores();
  currentThread = 0;
  currentNumThreads = 1;
  return NULL;
}

/// Runs `region` in all threads; there is one argument, or none.
void __kmpc_fork_call(void *location, int32_t numArguments, Region region,
                      ...) {
  va_list list;
  va_start(list, region);
  void *context = numArguments > 0 ? va_arg(list, void *) : NULL;
  va_end(list);

  // What the region reads may have been stored just before it.
  lowp_rt_finish_stores();
  int32_t count = chooseNumThreads();
  Worker workers[kMaxThreads];
  pthread_t threads[kMaxThreads];
  int started[kMaxThreads];
  for (int32_t i = 1; i < count; ++i) {
    workers[i] = (Worker){region, context, i, count, 0, NULL};
    started[i] = pthread_create(&threads[i], NULL, runWorker, &workers[i]) == 0;
  }
  // The state of a region that this one is nested in.
  int32_t thread = currentThread, numThreads = currentNumThreads;
  workers[0] = (Worker){region, context, 0, count, 0, NULL};
  runWorker(&workers[0]);
  for (int32_t i = 1; i < count; ++i) {
    // Where the system has no more threads, the caller does their work.
    if (started[i])
      pthread_join(threads[i], NULL);
    else
      runWorker(&workers[i]);
  }
  currentThread = thread;
  currentNumThreads = numThreads;

  // The first failure is that of the iterations in order.
  int32_t status = 0;
  char message[1024] = "";
  for (int32_t i = 0; i < count; ++i) {
    if (!status && workers[i].status) {
      status = workers[i].status;
      if (workers[i].message)
        snprintf(message, sizeof message, "%s", workers[i].message);
    }
    free(workers[i].message);
  }
  if (status)
    lowp_rt_fail(status, message);
}

int32_t __kmpc_global_thread_num(void *location) { return currentThread; }

void __kmpc_push_num_threads(void *location, int32_t thread, int32_t count) {
  requestedThreads = count;
}

/// Bounds are inclusive; steps are 1. Each thread gets one range.
void __kmpc_for_static_init_8u(void *location, int32_t thread, int32_t schedule,
                               int32_t *isLast, uint64_t *lower,
                               uint64_t *upper, int64_t *stride, int64_t step,
                               int64_t chunk) {
  uint64_t count = *upper - *lower + 1;
  uint64_t share = count / currentNumThreads, extra = count % currentNumThreads;
  uint64_t number = currentThread;
  *lower += number * share + (number < extra ? number : extra);
  *upper = *lower + share + (number < extra) - 1;
  *stride = count;
  *isLast = number + 1 == (uint64_t)currentNumThreads;
}

void __kmpc_for_static_fini(void *location, int32_t thread) {}

/// The end of the region follows every loop, and waits for all threads.
void __kmpc_barrier(void *location, int32_t thread) {}
