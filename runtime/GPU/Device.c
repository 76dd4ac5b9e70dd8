//===- Device.c - Devices, streams, memory and kernels --------------------===//
//
// Part of the Lowp project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Device.h"

#include "lowp-c/Device.h"

#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

_Thread_local DeviceCall lowp_rt_device_call;

/// What lowp_set_stream said in this thread.
static _Thread_local CUstream callerStream;

/// Of everything below, lists in structures included.
static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static Device *devices[kMaxDevices];
static Module *modules;
enum { kNumBuckets = 1024 };
static Kernel *kernels[kNumBuckets];

//===----------------------------------------------------------------------===//
// Devices
//===----------------------------------------------------------------------===//

/// A target of one architecture (sm_90a) needs exactly that, one of a family
/// (sm_100f) the same major version, and any other what is not older.
int32_t lowp_rt_check_device(int ordinal) {
  char name[128] = "";
  int major = 0, minor = 0, pools = 0;
  CUresult result = DRIVER(DeviceGetAttribute)(
      &major, CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MAJOR, ordinal);
  if (!result)
    result = DRIVER(DeviceGetAttribute)(
        &minor, CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MINOR, ordinal);
  if (!result)
    result = DRIVER(DeviceGetAttribute)(
        &pools, CU_DEVICE_ATTRIBUTE_MEMORY_POOLS_SUPPORTED, ordinal);
  if (!result)
    result = DRIVER(DeviceGetName)(name, sizeof name, ordinal);
  if (result)
    return lowp_rt_driver_error(result, "cannot ask device %d what it is",
                                ordinal);
  char *suffix;
  long wanted = strtol(lowp_rt_target + strlen("sm_"), &suffix, 10);
  long wantedMajor = wanted / 10, wantedMinor = wanted % 10;
  int fits;
  if (*suffix == 'a')
    fits = major == wantedMajor && minor == wantedMinor;
  else if (*suffix == 'f')
    fits = major == wantedMajor && minor >= wantedMinor;
  else
    fits =
        major > wantedMajor || (major == wantedMajor && minor >= wantedMinor);
  if (!fits)
    return lowp_rt_error(LOWP_NO_DEVICE,
                         "the program is for %s, but device %d (%s) is sm_%d%d",
                         lowp_rt_target, ordinal, name, major, minor);
  if (!pools)
    return lowp_rt_error(LOWP_NO_DEVICE,
                         "device %d (%s) has no memory pools, which programs "
                         "allocate from",
                         ordinal, name);
  return LOWP_OK;
}

int32_t lowp_rt_count_devices(int *count) {
  int32_t status = lowp_rt_load_driver();
  if (status)
    return status;
  CUresult result = DRIVER(DeviceGetCount)(count);
  if (result)
    return lowp_rt_driver_error(result, "cannot count the devices");
  if (*count > kMaxDevices)
    *count = kMaxDevices;
  return LOWP_OK;
}

/// A pool of the program's own, so that what it keeps is not mistaken for
/// memory that others use, and they do not get it.
static CUresult makePool(int ordinal, CUmemoryPool *pool) {
  CUmemPoolProps properties;
  memset(&properties, 0, sizeof properties);
  properties.allocType = CU_MEM_ALLOCATION_TYPE_PINNED;
  properties.handleTypes = CU_MEM_HANDLE_TYPE_NONE;
  properties.location.type = CU_MEM_LOCATION_TYPE_DEVICE;
  properties.location.id = ordinal;
  CUresult result = DRIVER(MemPoolCreate)(pool, &properties);
  if (result)
    return result;
  uint64_t keepAll = UINT64_MAX;
  result = DRIVER(MemPoolSetAttribute)(*pool, CU_MEMPOOL_ATTR_RELEASE_THRESHOLD,
                                       &keepAll);
  if (result)
    DRIVER(MemPoolDestroy)(*pool);
  return result;
}

static int32_t open(int ordinal, Device **opened) {
  int32_t status = lowp_rt_check_device(ordinal);
  if (status)
    return status;
  Device *device = calloc(1, sizeof *device);
  if (!device)
    return lowp_rt_error(LOWP_OUT_OF_MEMORY, "cannot keep a device");
  device->ordinal = ordinal;
  CUresult result = DRIVER(DevicePrimaryCtxRetain)(&device->context, ordinal);
  if (!result) {
    result = DRIVER(CtxPushCurrent)(device->context);
    if (!result) {
      result = makePool(ordinal, &device->pool);
      CUcontext popped;
      DRIVER(CtxPopCurrent)(&popped);
    }
    if (result)
      DRIVER(DevicePrimaryCtxRelease)(ordinal);
  }
  if (!result) {
    *opened = device;
    return LOWP_OK;
  }
  free(device);
  return lowp_rt_driver_error(result, "cannot use device %d", ordinal);
}

int32_t lowp_rt_open_device(int ordinal, Device **device) {
  int count = 0;
  int32_t status = lowp_rt_count_devices(&count);
  if (status)
    return status;
  if (ordinal < 0 || ordinal >= count)
    return lowp_rt_error(LOWP_INVALID_ARGUMENT,
                         "expected one of %d devices, but got device %d", count,
                         ordinal);
  pthread_mutex_lock(&mutex);
  if (!devices[ordinal])
    status = open(ordinal, &devices[ordinal]);
  *device = devices[ordinal];
  pthread_mutex_unlock(&mutex);
  return status;
}

//===----------------------------------------------------------------------===//
// Streams
//===----------------------------------------------------------------------===//

void lowp_rt_use_stream(CUstream stream) { callerStream = stream; }

static int32_t takeStream(Device *device, OwnStream **taken) {
  pthread_mutex_lock(&mutex);
  OwnStream *own = device->idle;
  if (own)
    device->idle = own->next;
  pthread_mutex_unlock(&mutex);
  *taken = own;
  if (own)
    return LOWP_OK;
  own = calloc(1, sizeof *own);
  if (!own)
    return lowp_rt_error(LOWP_OUT_OF_MEMORY, "cannot keep a stream");
  // A blocking one: it waits for what callers have in the default stream.
  CUresult result = DRIVER(StreamCreate)(&own->stream, CU_STREAM_DEFAULT);
  if (result) {
    free(own);
    return lowp_rt_driver_error(result, "cannot make a stream on device %d",
                                device->ordinal);
  }
  *taken = own;
  return LOWP_OK;
}

int32_t lowp_rt_enter(Device *device) {
  CUresult result = DRIVER(CtxPushCurrent)(device->context);
  if (result)
    return lowp_rt_driver_error(result, "cannot use device %d",
                                device->ordinal);
  DeviceCall call = {device, callerStream, NULL};
  if (!callerStream) {
    int32_t status = takeStream(device, &call.own);
    if (status) {
      CUcontext popped;
      DRIVER(CtxPopCurrent)(&popped);
      return status;
    }
    call.stream = call.own->stream;
  }
  lowp_rt_device_call = call;
  return LOWP_OK;
}

int32_t lowp_rt_leave(int32_t status) {
  DeviceCall *call = &lowp_rt_device_call;
  if (call->own) {
    CUresult result = DRIVER(StreamSynchronize)(call->stream);
    if (result && status == LOWP_OK)
      status = lowp_rt_driver_error(result, "the program failed on device %d",
                                    call->device->ordinal);
    pthread_mutex_lock(&mutex);
    call->own->next = call->device->idle;
    call->device->idle = call->own;
    pthread_mutex_unlock(&mutex);
  }
  CUcontext popped;
  DRIVER(CtxPopCurrent)(&popped);
  memset(call, 0, sizeof *call);
  return status;
}

//===----------------------------------------------------------------------===//
// Memory
//===----------------------------------------------------------------------===//

static void releaseMemory(LowpHeader *header) {
  DeviceBuffer *buffer = (DeviceBuffer *)header;
  CUcontext popped;
  int isCurrent = DRIVER(CtxPushCurrent)(buffer->device->context) == 0;
  // The stream may be gone, if it was the caller's.
  if (DRIVER(MemFreeAsync)(buffer->address, buffer->stream) != CUDA_SUCCESS)
    DRIVER(MemFree)(buffer->address);
  if (isCurrent)
    DRIVER(CtxPopCurrent)(&popped);
  free(buffer);
}

int32_t lowp_rt_device_memory(int64_t bytes, LowpHeader *ring,
                              DeviceBuffer **allocated) {
  DeviceCall *call = &lowp_rt_device_call;
  if (bytes < 0)
    return lowp_rt_error(LOWP_OUT_OF_MEMORY,
                         "cannot allocate a buffer on device %d: the number of "
                         "its bytes overflows",
                         call->device->ordinal);
  DeviceBuffer *buffer = calloc(1, sizeof *buffer);
  if (!buffer)
    return lowp_rt_error(LOWP_OUT_OF_MEMORY, "cannot keep a buffer");
  // One byte at least, so that every buffer has its own address.
  size_t size = bytes > 0 ? (size_t)bytes : 1;
  CUresult result = CUDA_ERROR_OUT_OF_MEMORY;
  for (int attempt = 0; attempt < 2; ++attempt) {
    result = DRIVER(MemAllocFromPoolAsync)(&buffer->address, size,
                                           call->device->pool, call->stream);
    if (attempt || result != CUDA_ERROR_OUT_OF_MEMORY)
      break;
    // What the pool keeps may be in pieces that are too small.
    DRIVER(StreamSynchronize)(call->stream);
    DRIVER(MemPoolTrimTo)(call->device->pool, 0);
  }
  if (result) {
    free(buffer);
    return lowp_rt_driver_error(
        result, "cannot allocate a buffer of %lld bytes on device %d",
        (long long)bytes, call->device->ordinal);
  }
  buffer->header.release = releaseMemory;
  buffer->stream = call->stream;
  buffer->device = call->device;
  lowp_rt_add_buffer(&buffer->header, ring);
  *allocated = buffer;
  return LOWP_OK;
}

LOWP_EXPORT int32_t lowp_trim(void) {
  lowp_rt_error(LOWP_OK, "%s", "");
  pthread_mutex_lock(&mutex);
  int32_t status = LOWP_OK;
  for (int i = 0; i < kMaxDevices; ++i) {
    CUresult result =
        devices[i] ? DRIVER(MemPoolTrimTo)(devices[i]->pool, 0) : CUDA_SUCCESS;
    if (result)
      status = lowp_rt_driver_error(result,
                                    "cannot give back memory of device %d", i);
  }
  pthread_mutex_unlock(&mutex);
  return status;
}

/// Copies a constant to the device of the call.
static int32_t upload(const void *host, int64_t bytes, CUdeviceptr *address) {
  DeviceCall *call = &lowp_rt_device_call;
  CUresult result = DRIVER(MemAlloc)(address, bytes ? bytes : 1);
  if (!result && bytes) {
    // Other streams will use it without waiting for this one.
    result =
        DRIVER(MemcpyHtoDAsync)(*address, host, (size_t)bytes, call->stream);
    if (!result)
      result = DRIVER(StreamSynchronize)(call->stream);
    if (result)
      DRIVER(MemFree)(*address);
  }
  if (result)
    return lowp_rt_driver_error(
        result, "cannot copy a constant of %lld bytes to device %d",
        (long long)bytes, call->device->ordinal);
  return LOWP_OK;
}

static int32_t findConstant(Device *device, const void *host, int64_t bytes,
                            CUdeviceptr *address) {
  // They are in the order of their addresses on the host.
  Constant *all = device->constants;
  int64_t low = 0, high = device->numConstants;
  while (low < high) {
    int64_t middle = low + (high - low) / 2;
    if ((uintptr_t)all[middle].host < (uintptr_t)host)
      low = middle + 1;
    else
      high = middle;
  }
  if (low < device->numConstants && all[low].host == host) {
    *address = all[low].address;
    return LOWP_OK;
  }
  if (device->numConstants == device->roomForConstants) {
    int64_t room = 2 * device->roomForConstants + 16;
    all = realloc(all, room * sizeof *all);
    if (!all)
      return lowp_rt_error(LOWP_OUT_OF_MEMORY, "cannot keep a constant");
    device->constants = all;
    device->roomForConstants = room;
  }
  int32_t status = upload(host, bytes, address);
  if (status)
    return status;
  memmove(all + low + 1, all + low, (device->numConstants - low) * sizeof *all);
  all[low] = (Constant){host, *address};
  ++device->numConstants;
  return LOWP_OK;
}

int32_t lowp_rt_find_constant(const void *host, int64_t bytes,
                              CUdeviceptr *address) {
  pthread_mutex_lock(&mutex);
  int32_t status =
      findConstant(lowp_rt_device_call.device, host, bytes, address);
  pthread_mutex_unlock(&mutex);
  return status;
}

//===----------------------------------------------------------------------===//
// Kernels
//===----------------------------------------------------------------------===//

Module *lowp_rt_add_module(const char *ptx) {
  Module *module = calloc(1, sizeof *module);
  if (!module)
    return NULL;
  module->ptx = ptx;
  pthread_mutex_lock(&mutex);
  module->next = modules;
  modules = module;
  pthread_mutex_unlock(&mutex);
  return module;
}

Kernel *lowp_rt_find_kernel(Module *module, const char *name) {
  // Each name is one constant of the program.
  size_t bucket = ((uintptr_t)name >> 4) % kNumBuckets;
  pthread_mutex_lock(&mutex);
  Kernel *kernel = kernels[bucket];
  while (kernel && (kernel->name != name || kernel->module != module))
    kernel = kernel->next;
  if (!kernel && (kernel = calloc(1, sizeof *kernel))) {
    kernel->module = module;
    kernel->name = name;
    kernel->next = kernels[bucket];
    kernels[bucket] = kernel;
  }
  pthread_mutex_unlock(&mutex);
  return kernel;
}

static int32_t loadError(CUresult result, const char *ptx, const char *log) {
  if (result == CUDA_ERROR_UNSUPPORTED_PTX_VERSION) {
    int driver = 0, length = 0;
    DRIVER(DriverGetVersion)(&driver);
    const char *version = strstr(ptx, ".version ");
    if (version) {
      version += strlen(".version ");
      length = (int)strcspn(version, "\r\n \t");
    }
    lowp_rt_driver_error(
        result,
        "cannot load the program: the driver is for CUDA %d.%d, and the "
        "program's PTX has version %.*s",
        driver / 1000, driver % 1000 / 10, length, version ? version : "");
    return LOWP_NO_DEVICE;
  }
  // The simulated driver's detail, which is added anyway, is the same text.
  if (lowp_rt_driver.lowpCudaLastErrorDetail)
    log = "";
  return lowp_rt_driver_error(
      result, "cannot load the program on device %d%s%s",
      lowp_rt_device_call.device->ordinal, *log ? ": " : "", log);
}

static int32_t loadModule(Module *module, int ordinal) {
  if (module->loaded[ordinal])
    return LOWP_OK;
  char log[256] = "";
  CUjit_option options[] = {CU_JIT_ERROR_LOG_BUFFER,
                            CU_JIT_ERROR_LOG_BUFFER_SIZE_BYTES};
  void *values[] = {log, (void *)(uintptr_t)sizeof log};
  CUresult result = DRIVER(ModuleLoadDataEx)(&module->loaded[ordinal],
                                             module->ptx, 2, options, values);
  if (!result)
    return LOWP_OK;
  module->loaded[ordinal] = NULL;
  log[sizeof log - 1] = 0;
  log[strcspn(log, "\r\n")] = 0;
  return loadError(result, module->ptx, log);
}

static int32_t loadKernel(Kernel *kernel, int ordinal) {
  if (kernel->loaded[ordinal])
    return LOWP_OK;
  int32_t status = loadModule(kernel->module, ordinal);
  if (status)
    return status;
  CUresult result = DRIVER(ModuleGetFunction)(
      &kernel->loaded[ordinal], kernel->module->loaded[ordinal], kernel->name);
  if (!result)
    return LOWP_OK;
  kernel->loaded[ordinal] = NULL;
  return lowp_rt_driver_error(result, "cannot find the kernel '%s'",
                              kernel->name);
}

int32_t lowp_rt_load_kernel(Kernel *kernel, CUfunction *function) {
  int ordinal = lowp_rt_device_call.device->ordinal;
  pthread_mutex_lock(&mutex);
  int32_t status = loadKernel(kernel, ordinal);
  *function = kernel->loaded[ordinal];
  pthread_mutex_unlock(&mutex);
  return status;
}

/// What the program keeps for a device, once nothing runs there any more.
/// Failures are those of a driver that has been shut down before.
static void closeDevice(Device *device) {
  CUcontext popped;
  if (DRIVER(CtxPushCurrent)(device->context) == CUDA_SUCCESS) {
    for (int64_t i = 0; i < device->numConstants; ++i)
      DRIVER(MemFree)(device->constants[i].address);
    for (OwnStream *own = device->idle; own; own = own->next)
      DRIVER(StreamDestroy)(own->stream);
    DRIVER(MemPoolDestroy)(device->pool);
    DRIVER(CtxPopCurrent)(&popped);
    DRIVER(DevicePrimaryCtxRelease)(device->ordinal);
  }
  while (device->idle) {
    OwnStream *own = device->idle;
    device->idle = own->next;
    free(own);
  }
  free(device->constants);
  free(device);
}

void lowp_rt_remove_module(Module *module) {
  pthread_mutex_lock(&mutex);
  for (Module **link = &modules; *link; link = &(*link)->next)
    if (*link == module) {
      *link = module->next;
      break;
    }
  for (int i = 0; i < kNumBuckets; ++i)
    for (Kernel **link = &kernels[i]; *link;) {
      Kernel *kernel = *link;
      if (kernel->module != module) {
        link = &kernel->next;
        continue;
      }
      *link = kernel->next;
      free(kernel);
    }
  for (int i = 0; i < kMaxDevices; ++i) {
    CUcontext popped;
    if (module->loaded[i] &&
        DRIVER(CtxPushCurrent)(devices[i]->context) == CUDA_SUCCESS) {
      DRIVER(ModuleUnload)(module->loaded[i]);
      DRIVER(CtxPopCurrent)(&popped);
    }
    if (!modules && devices[i]) {
      closeDevice(devices[i]);
      devices[i] = NULL;
    }
  }
  pthread_mutex_unlock(&mutex);
  free(module);
}
