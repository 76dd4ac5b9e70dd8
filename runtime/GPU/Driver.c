//===- Driver.c - The CUDA driver, found at run time ----------------------===//
//
// Part of the Lowp project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Driver.h"

#include "../CPU/Program.h"
#include "lowp-c/Device.h"

#include <dlfcn.h>
#include <pthread.h>
#include <stdarg.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

LowpCudaDriver lowp_rt_driver;

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static char *driverPath; ///< null for NVIDIA's
static void *library;
static _Atomic int isReady;

static const char *getPath(void) {
  return driverPath ? driverPath : "libcuda.so.1";
}

static int32_t findFunctions(void) {
  const struct {
    const char *symbol;
    void *function;
  } symbols[] = {
#define LOWP_CUDA_FUNCTION(name, symbol, parameters)                           \
  {#symbol, &lowp_rt_driver.name},
      LOWP_CUDA_FUNCTIONS(LOWP_CUDA_FUNCTION)
#undef LOWP_CUDA_FUNCTION
  };
  for (size_t i = 0; i < sizeof symbols / sizeof symbols[0]; ++i) {
    void *found = dlsym(library, symbols[i].symbol);
    if (!found)
      return lowp_rt_error(LOWP_NO_DEVICE,
                           "the CUDA driver '%s' has no function '%s'; "
                           "expected a driver of CUDA 11.2 or newer",
                           getPath(), symbols[i].symbol);
    memcpy(symbols[i].function, &found, sizeof found);
  }
#define LOWP_CUDA_FUNCTION(type, name, parameters)                             \
  {                                                                            \
    void *found = dlsym(library, #name);                                       \
    memcpy(&lowp_rt_driver.name, &found, sizeof found);                        \
  }
  LOWP_CUDA_SIMULATOR_FUNCTIONS(LOWP_CUDA_FUNCTION)
#undef LOWP_CUDA_FUNCTION
  return LOWP_OK;
}

static int32_t load(void) {
  if (!library)
    library = dlopen(getPath(), RTLD_NOW | RTLD_LOCAL);
  if (!library)
    return lowp_rt_error(LOWP_NO_DEVICE, "cannot load the CUDA driver: %s",
                         dlerror());
  int32_t status = findFunctions();
  if (status)
    return status;
  CUresult result = lowp_rt_driver.cuInit(0);
  if (result) {
    lowp_rt_driver_error(result, "cannot initialize the CUDA driver");
    return LOWP_NO_DEVICE;
  }
  return LOWP_OK;
}

int32_t lowp_rt_load_driver(void) {
  if (atomic_load_explicit(&isReady, memory_order_acquire))
    return LOWP_OK;
  pthread_mutex_lock(&mutex);
  int32_t status = isReady ? LOWP_OK : load();
  if (status == LOWP_OK)
    atomic_store_explicit(&isReady, 1, memory_order_release);
  pthread_mutex_unlock(&mutex);
  return status;
}

/// Where the program is unloaded. The driver stays: others use it, and threads
/// of its own.
__attribute__((destructor)) static void forgetPath(void) {
  free(driverPath);
  driverPath = NULL;
}

LOWP_EXPORT int32_t lowp_use_driver(const char *path) {
  if (!path || !*path)
    return lowp_rt_error(LOWP_INVALID_ARGUMENT,
                         "expected the path of a driver, but got none");
  lowp_rt_error(LOWP_OK, "%s", "");
  pthread_mutex_lock(&mutex);
  int32_t status = LOWP_OK;
  if (library && strcmp(path, getPath()) != 0)
    status = lowp_rt_error(LOWP_INVALID_ARGUMENT,
                           "cannot use the driver '%s': the driver '%s' is "
                           "loaded already",
                           path, getPath());
  else if (!library) {
    char *copy = strdup(path);
    if (copy) {
      free(driverPath);
      driverPath = copy;
    } else {
      status = lowp_rt_error(LOWP_OUT_OF_MEMORY, "cannot keep a path");
    }
  }
  pthread_mutex_unlock(&mutex);
  return status;
}

int32_t lowp_rt_driver_error(CUresult result, const char *what, ...) {
  char text[512];
  va_list list;
  va_start(list, what);
  vsnprintf(text, sizeof text, what, list);
  va_end(list);
  const char *name = NULL, *meaning = NULL, *detail = NULL;
  lowp_rt_driver.cuGetErrorName(result, &name);
  lowp_rt_driver.cuGetErrorString(result, &meaning);
  if (lowp_rt_driver.lowpCudaLastErrorDetail)
    detail = lowp_rt_driver.lowpCudaLastErrorDetail();
  int hasDetail = detail && *detail;
  int32_t status = result == CUDA_ERROR_OUT_OF_MEMORY ? LOWP_OUT_OF_MEMORY
                                                      : LOWP_DEVICE_ERROR;
  if (!name || !meaning)
    return lowp_rt_error(status, "%s: error %d of the driver", text, result);
  return lowp_rt_error(status, "%s: %s (%s)%s%s", text, meaning, name,
                       hasDetail ? ": " : "", hasDetail ? detail : "");
}
