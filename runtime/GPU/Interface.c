//===- Interface.c - What callers and generated code call -----------------===//
//
// Part of the Lowp project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The functions of lowp-c/Device.h, those that MLIR's `gpu-to-llvm` calls, and
// those of Lowp's own passes. All work of a call is in one stream, in the order
// of the program: so the streams and events of generated code stand for it,
// and the host waits only where it reads.
//
//===----------------------------------------------------------------------===//

#include "Device.h"

#include "lowp-c/Device.h"

#include <string.h>

//===----------------------------------------------------------------------===//
// Which device
//===----------------------------------------------------------------------===//

/// What lowp_set_device said in this thread; -1 for nothing.
static _Thread_local int32_t callerDevice = -1;

/// Finds the device that holds an address; -1 if it is no device's.
static CUresult findHolder(const void *address, int *holder) {
  unsigned type = 0;
  int ordinal = -1;
  CUpointer_attribute attributes[] = {CU_POINTER_ATTRIBUTE_MEMORY_TYPE,
                                      CU_POINTER_ATTRIBUTE_DEVICE_ORDINAL};
  void *values[] = {&type, &ordinal};
  CUresult result = DRIVER(PointerGetAttributes)(
      2, attributes, values, (CUdeviceptr)(uintptr_t)address);
  *holder = result || !type ? -1 : ordinal;
  return result;
}

/// Devices that can run the program.
static int32_t listDevices(int32_t *list, int32_t room, int32_t *count) {
  int total = 0;
  int32_t status = lowp_rt_count_devices(&total);
  if (status)
    return status;
  *count = 0;
  for (int i = 0; i < total; ++i)
    if (lowp_rt_check_device(i) == LOWP_OK) {
      if (*count < room)
        list[*count] = i;
      ++*count;
    }
  return LOWP_OK;
}

static void clearError(void) { lowp_rt_error(LOWP_OK, "%s", ""); }

/// The device of the thread's current context, or the first, that can run the
/// program.
static int32_t chooseDevice(int *device) {
  int32_t able[kMaxDevices], count = 0;
  int32_t status = listDevices(able, kMaxDevices, &count);
  if (status)
    return status;
  if (!count) {
    // What is wrong with the first. If nothing is any more, it will do.
    Device *first = NULL;
    *device = 0;
    if (lowp_rt_open_device(0, &first))
      return LOWP_NO_DEVICE;
  }
  // Each device that cannot left its reason.
  clearError();
  CUcontext context = NULL;
  CUdevice current = -1;
  if (!DRIVER(CtxGetCurrent)(&context) && context)
    DRIVER(CtxGetDevice)(&current);
  for (int32_t i = 0; i < count; ++i)
    if (able[i] == current) {
      *device = current;
      return LOWP_OK;
    }
  if (count)
    *device = able[0];
  return LOWP_OK;
}

static int32_t getDevice(int *device) {
  if (callerDevice < 0)
    return chooseDevice(device);
  *device = callerDevice;
  return LOWP_OK;
}

/// Makes a device current, or the chosen one for -1.
static int32_t enter(int ordinal) {
  int32_t status = ordinal < 0 ? getDevice(&ordinal) : LOWP_OK;
  Device *device = NULL;
  if (status == LOWP_OK)
    status = lowp_rt_open_device(ordinal, &device);
  return status ? status : lowp_rt_enter(device);
}

LOWP_EXPORT int32_t lowp_list_devices(int32_t *list, int32_t room,
                                      int32_t *count) {
  int32_t status = listDevices(list, room, count);
  // Each device that cannot left its reason.
  if (status == LOWP_OK)
    clearError();
  return status;
}

LOWP_EXPORT int32_t lowp_set_device(int32_t ordinal) {
  clearError();
  Device *device = NULL;
  int32_t status =
      ordinal == -1 ? LOWP_OK : lowp_rt_open_device(ordinal, &device);
  if (status == LOWP_OK)
    callerDevice = ordinal;
  return status;
}

LOWP_EXPORT int32_t lowp_get_device(int32_t *device) {
  clearError();
  int ordinal = -1;
  int32_t status = getDevice(&ordinal);
  if (status == LOWP_OK)
    *device = ordinal;
  return status;
}

LOWP_EXPORT int32_t lowp_set_stream(void *stream) {
  clearError();
  lowp_rt_use_stream(stream);
  return LOWP_OK;
}

//===----------------------------------------------------------------------===//
// Memory of callers
//===----------------------------------------------------------------------===//

LOWP_EXPORT int32_t lowp_device_allocate(int64_t bytes, void **allocated,
                                         void **data) {
  clearError();
  if (bytes < 0)
    return lowp_rt_error(LOWP_INVALID_ARGUMENT,
                         "expected a number of bytes, but got %lld",
                         (long long)bytes);
  int32_t status = enter(-1);
  if (status)
    return status;
  DeviceBuffer *buffer = NULL;
  status = lowp_rt_device_memory(bytes, NULL, &buffer);
  if (status == LOWP_OK) {
    *allocated = &buffer->header + 1;
    *data = (void *)(uintptr_t)buffer->address;
  }
  return lowp_rt_leave(status);
}

LOWP_EXPORT int32_t lowp_device_copy(void *target, const void *source,
                                     int64_t bytes) {
  clearError();
  if (bytes < 0)
    return lowp_rt_error(LOWP_INVALID_ARGUMENT,
                         "expected a number of bytes, but got %lld",
                         (long long)bytes);
  if (bytes == 0)
    return LOWP_OK;
  int32_t status = lowp_rt_load_driver();
  if (status)
    return status;
  // Copies on the host, and where the driver cannot tell: the chosen device.
  int ordinal = -1;
  if (findHolder(target, &ordinal) || ordinal < 0)
    findHolder(source, &ordinal);
  status = enter(ordinal);
  if (status)
    return status;
  CUstream stream = lowp_rt_device_call.stream;
  CUresult result =
      DRIVER(MemcpyAsync)((CUdeviceptr)(uintptr_t)target,
                          (CUdeviceptr)(uintptr_t)source, bytes, stream);
  if (!result)
    result = DRIVER(StreamSynchronize)(stream);
  if (result)
    status = lowp_rt_driver_error(result, "cannot copy %lld bytes",
                                  (long long)bytes);
  return lowp_rt_leave(status);
}

LOWP_EXPORT int32_t lowp_synchronize(void) {
  clearError();
  int32_t status = enter(-1);
  if (status)
    return status;
  CUresult result = DRIVER(StreamSynchronize)(lowp_rt_device_call.stream);
  if (result)
    status = lowp_rt_driver_error(result, "work in the stream failed");
  return lowp_rt_leave(status);
}

//===----------------------------------------------------------------------===//
// Calls
//===----------------------------------------------------------------------===//

static int isEmpty(const MemRefHead *head, int64_t rank) {
  for (int64_t i = 0; i < rank; ++i)
    if (head->dims[i] == 0)
      return 1;
  return 0;
}

static int32_t begin(const LowpEntryInfo *entry, void *const *arguments) {
  int32_t status = lowp_rt_load_driver();
  if (status)
    return status;
  int chosen = callerDevice;
  int64_t chosenBy = -1;
  for (int64_t i = 0; i < entry->numArguments; ++i) {
    const LowpValueInfo *info = &entry->arguments[i];
    const MemRefHead *head = arguments[i];
    if (info->scalar || isEmpty(head, info->rank))
      continue;
    int holder = -1;
    CUresult result = findHolder(head->aligned, &holder);
    if (result)
      return lowp_rt_driver_error(
          result, "'%s' argument %lld: cannot ask whose memory %p is",
          entry->name, (long long)i, (void *)head->aligned);
    if (holder < 0)
      return lowp_rt_error(LOWP_INVALID_ARGUMENT,
                           "'%s' argument %lld: expected memory of a device, "
                           "but got %p",
                           entry->name, (long long)i, (void *)head->aligned);
    if (chosen < 0) {
      chosen = holder;
      chosenBy = i;
    }
    if (holder == chosen)
      continue;
    if (chosenBy < 0)
      return lowp_rt_error(LOWP_INVALID_ARGUMENT,
                           "'%s' argument %lld: expected memory of device %d, "
                           "which is chosen, but got memory of device %d",
                           entry->name, (long long)i, chosen, holder);
    return lowp_rt_error(LOWP_INVALID_ARGUMENT,
                         "'%s' argument %lld: expected memory of device %d, as "
                         "for argument %lld, but got memory of device %d",
                         entry->name, (long long)i, chosen, (long long)chosenBy,
                         holder);
  }
  return enter(chosen);
}

/// The buffer of this call at an address.
static DeviceBuffer *findBuffer(const void *address) {
  LowpHeader *ring = lowp_rt_buffers();
  for (LowpHeader *i = ring->next; i != ring; i = i->next)
    if (((DeviceBuffer *)i)->address == (CUdeviceptr)(uintptr_t)address)
      return (DeviceBuffer *)i;
  return NULL;
}

static int32_t claim(void *descriptor, int64_t bytes, void **claimed) {
  MemRefHead *head = descriptor;
  DeviceBuffer *buffer = findBuffer(head->allocated);
  if (buffer) {
    lowp_rt_unlink_buffer(&buffer->header);
  } else {
    // An argument, a constant, or what is another result already. Functions
    // give buffers without gaps.
    int32_t status = lowp_rt_device_memory(bytes, NULL, &buffer);
    if (status)
      return status;
    CUresult result =
        bytes ? DRIVER(MemcpyDtoDAsync)(buffer->address,
                                        (CUdeviceptr)(uintptr_t)head->aligned,
                                        bytes, lowp_rt_device_call.stream)
              : CUDA_SUCCESS;
    if (result) {
      *claimed = &buffer->header + 1;
      return lowp_rt_driver_error(result, "cannot copy a result");
    }
    head->aligned = (char *)(uintptr_t)buffer->address;
    head->offset = 0;
  }
  head->allocated = (char *)(&buffer->header + 1);
  *claimed = head->allocated;
  return LOWP_OK;
}

const LowpDeviceHooks lowp_rt_device = {/*alignment=*/16, begin, claim,
                                        lowp_rt_leave};

//===----------------------------------------------------------------------===//
// What Lowp's passes call
//===----------------------------------------------------------------------===//

/// The first `bytes` bytes at an address, once all kernels before have run.
int64_t lowp_rt_gpu_read(const void *address, int64_t bytes) {
  int64_t value = 0;
  CUstream stream = lowp_rt_device_call.stream;
  CUresult result = DRIVER(MemcpyDtoHAsync)(
      &value, (CUdeviceptr)(uintptr_t)address, bytes, stream);
  if (!result)
    result = DRIVER(StreamSynchronize)(stream);
  if (result)
    lowp_rt_abandon(lowp_rt_driver_error(result,
                                         "the program failed on device %d",
                                         lowp_rt_device_call.device->ordinal));
  return value;
}

/// The copy of a constant on the device.
void *lowp_rt_gpu_constant(const void *host, int64_t bytes) {
  CUdeviceptr address = 0;
  int32_t status = lowp_rt_find_constant(host, bytes, &address);
  if (status)
    lowp_rt_abandon(status);
  return (void *)(uintptr_t)address;
}

//===----------------------------------------------------------------------===//
// What gpu-to-llvm calls
//===----------------------------------------------------------------------===//

void *mgpuModuleLoadJIT(void *ptx, int32_t optLevel) {
  return lowp_rt_add_module(ptx);
}

void mgpuModuleUnload(void *module) {
  if (module)
    lowp_rt_remove_module(module);
}

void *mgpuModuleGetFunction(void *module, const char *name) {
  Kernel *kernel = module ? lowp_rt_find_kernel(module, name) : NULL;
  if (!kernel)
    lowp_rt_abandon(
        lowp_rt_error(LOWP_OUT_OF_MEMORY, "cannot keep the kernel '%s'", name));
  return kernel;
}

void mgpuLaunchKernel(void *function, intptr_t gridX, intptr_t gridY,
                      intptr_t gridZ, intptr_t blockX, intptr_t blockY,
                      intptr_t blockZ, int32_t sharedBytes, void *stream,
                      void **parameters, void **extra, size_t count) {
  Kernel *kernel = function;
  CUfunction loaded = NULL;
  int32_t status = lowp_rt_load_kernel(kernel, &loaded);
  if (status)
    lowp_rt_abandon(status);
  intptr_t largest = gridX > gridY ? gridX : gridY;
  if (gridZ > largest)
    largest = gridZ;
  if (largest > INT32_MAX)
    lowp_rt_abandon(lowp_rt_error(
        LOWP_DEVICE_ERROR,
        "cannot launch the kernel '%s': expected at most %d blocks, but got "
        "%lld",
        kernel->name, INT32_MAX, (long long)largest));
  CUresult result =
      DRIVER(LaunchKernel)(loaded, gridX, gridY, gridZ, blockX, blockY, blockZ,
                           sharedBytes, stream, parameters, extra);
  if (result)
    lowp_rt_abandon(lowp_rt_driver_error(
        result, "cannot run the kernel '%s' on device %d", kernel->name,
        lowp_rt_device_call.device->ordinal));
}

void *mgpuMemAlloc(uint64_t bytes, void *stream, _Bool isHostShared) {
  DeviceBuffer *buffer = NULL;
  int32_t status = lowp_rt_device_memory(bytes, lowp_rt_buffers(), &buffer);
  if (status)
    lowp_rt_abandon(status);
  return (void *)(uintptr_t)buffer->address;
}

void mgpuMemFree(void *address, void *stream) {
  DeviceBuffer *buffer = findBuffer(address);
  if (buffer)
    lowp_rt_release_buffer(&buffer->header);
}

void mgpuMemset32(void *address, uint32_t value, size_t count, void *stream) {
  CUresult result = DRIVER(MemsetD32Async)((CUdeviceptr)(uintptr_t)address,
                                           value, count, stream);
  if (result)
    lowp_rt_abandon(lowp_rt_driver_error(result, "cannot fill a buffer"));
}

void *mgpuStreamCreate(void) { return lowp_rt_device_call.stream; }
void mgpuStreamDestroy(void *stream) {}
void mgpuStreamSynchronize(void *stream) {}
void mgpuStreamWaitEvent(void *stream, void *event) {}
void *mgpuEventCreate(void) { return NULL; }
void mgpuEventDestroy(void *event) {}
void mgpuEventSynchronize(void *event) {}
void mgpuEventRecord(void *event, void *stream) {}
