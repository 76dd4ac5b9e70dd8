//===- Contexts.cpp - Devices, contexts, streams and events ---------------===//
//
// Part of the Lowp project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Work is done when the call that asks for it returns. So streams are in order,
// and waiting for one or for an event is checking its handle.
//
//===----------------------------------------------------------------------===//

#include "Driver.h"

#include <algorithm>
#include <cstring>

using namespace lowp::sim;
using llvm::Twine;

//===----------------------------------------------------------------------===//
// Initialisation and errors
//===----------------------------------------------------------------------===//

CUresult cuInit(unsigned flags) noexcept {
  Driver &driver = Driver::get();
  Lock lock(driver.mutex);
  if (flags != 0)
    return fail(CUDA_ERROR_INVALID_VALUE,
                "expected flags of 0, but got " + Twine(flags));
  if (driver.problemResult != CUDA_SUCCESS)
    return fail(driver.problemResult, driver.problem);
  driver.isInitialized = true;
  return CUDA_SUCCESS;
}

CUresult cuDriverGetVersion(int *version) noexcept {
  if (!version)
    return failNull("version");
  Driver &driver = Driver::get();
  if (driver.version == 0)
    return fail(driver.problemResult, driver.problem);
  *version = driver.version;
  return CUDA_SUCCESS;
}

namespace {

struct ResultText {
  CUresult result;
  const char *name;
  const char *text;
};

constexpr ResultText results[] = {
#define LOWP_CUDA_RESULT(name, value, text) {name, #name, text},
    LOWP_CUDA_RESULTS(LOWP_CUDA_RESULT)
#undef LOWP_CUDA_RESULT
};

CUresult getText(CUresult error, const char **text,
                 const char *ResultText::*field) {
  if (!text)
    return failNull("text");
  *text = nullptr;
  for (const ResultText &known : results)
    if (known.result == error)
      *text = known.*field;
  if (*text)
    return CUDA_SUCCESS;
  return fail(CUDA_ERROR_INVALID_VALUE, "unknown result " + Twine(error));
}

} // namespace

CUresult cuGetErrorName(CUresult error, const char **name) noexcept {
  return getText(error, name, &ResultText::name);
}

CUresult cuGetErrorString(CUresult error, const char **text) noexcept {
  return getText(error, text, &ResultText::text);
}

//===----------------------------------------------------------------------===//
// Devices
//===----------------------------------------------------------------------===//

CUresult cuDeviceGetCount(int *count) noexcept {
  Driver &driver = Driver::get();
  Lock lock(driver.mutex);
  LOWP_CHECK(driver.checkInitialized());
  if (!count)
    return failNull("count");
  *count = static_cast<int>(driver.devices.size());
  return CUDA_SUCCESS;
}

CUresult cuDeviceGet(CUdevice *device, int ordinal) noexcept {
  Driver &driver = Driver::get();
  Lock lock(driver.mutex);
  Device *found = nullptr;
  LOWP_CHECK(driver.getDevice(ordinal, found));
  if (!device)
    return failNull("device");
  *device = found->ordinal;
  return CUDA_SUCCESS;
}

CUresult cuDeviceGetName(char *name, int size, CUdevice device) noexcept {
  Driver &driver = Driver::get();
  Lock lock(driver.mutex);
  Device *found = nullptr;
  LOWP_CHECK(driver.getDevice(device, found));
  if (!name)
    return failNull("name");
  if (size <= 0)
    return fail(CUDA_ERROR_INVALID_VALUE,
                "expected room for the name, but got " + Twine(size));
  std::string text = ("simulated " + found->gpu.target).str();
  size_t length = std::min(text.size(), size_t(size) - 1);
  std::memcpy(name, text.data(), length);
  name[length] = 0;
  return CUDA_SUCCESS;
}

CUresult cuDeviceGetAttribute(int *value, CUdevice_attribute attribute,
                              CUdevice device) noexcept {
  Driver &driver = Driver::get();
  Lock lock(driver.mutex);
  Device *found = nullptr;
  LOWP_CHECK(driver.getDevice(device, found));
  if (!value)
    return failNull("value");
  switch (attribute) {
  case CU_DEVICE_ATTRIBUTE_MAX_THREADS_PER_BLOCK:
  case CU_DEVICE_ATTRIBUTE_MAX_BLOCK_DIM_X:
  case CU_DEVICE_ATTRIBUTE_MAX_BLOCK_DIM_Y:
    *value = 1024;
    return CUDA_SUCCESS;
  case CU_DEVICE_ATTRIBUTE_MAX_BLOCK_DIM_Z:
    *value = 64;
    return CUDA_SUCCESS;
  case CU_DEVICE_ATTRIBUTE_MAX_GRID_DIM_X:
    *value = 0x7FFFFFFF;
    return CUDA_SUCCESS;
  case CU_DEVICE_ATTRIBUTE_MAX_GRID_DIM_Y:
  case CU_DEVICE_ATTRIBUTE_MAX_GRID_DIM_Z:
    *value = 65535;
    return CUDA_SUCCESS;
  case CU_DEVICE_ATTRIBUTE_MAX_SHARED_MEMORY_PER_BLOCK:
    *value = 48 * 1024;
    return CUDA_SUCCESS;
  case CU_DEVICE_ATTRIBUTE_WARP_SIZE:
    *value = 32;
    return CUDA_SUCCESS;
  case CU_DEVICE_ATTRIBUTE_UNIFIED_ADDRESSING:
  case CU_DEVICE_ATTRIBUTE_MEMORY_POOLS_SUPPORTED:
    *value = 1;
    return CUDA_SUCCESS;
  case CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MAJOR:
    *value = static_cast<int>(found->gpu.major);
    return CUDA_SUCCESS;
  case CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MINOR:
    *value = static_cast<int>(found->gpu.minor);
    return CUDA_SUCCESS;
  default:
    return fail(CUDA_ERROR_INVALID_VALUE, "attribute " + Twine(attribute) +
                                              " of a device is not simulated");
  }
}

//===----------------------------------------------------------------------===//
// Contexts
//===----------------------------------------------------------------------===//

CUresult cuDevicePrimaryCtxRetain(CUcontext *context,
                                  CUdevice device) noexcept {
  Driver &driver = Driver::get();
  Lock lock(driver.mutex);
  Device *found = nullptr;
  LOWP_CHECK(driver.getDevice(device, found));
  if (!context)
    return failNull("context");
  ++found->timesRetained;
  *context = reinterpret_cast<CUcontext>(found->contextHandle);
  return CUDA_SUCCESS;
}

CUresult cuDevicePrimaryCtxRelease_v2(CUdevice device) noexcept {
  Driver &driver = Driver::get();
  Lock lock(driver.mutex);
  Device *found = nullptr;
  LOWP_CHECK(driver.getDevice(device, found));
  if (found->timesRetained == 0)
    return fail(CUDA_ERROR_INVALID_CONTEXT,
                "the context of device " + Twine(device) +
                    " was released more often than retained");
  if (--found->timesRetained == 0)
    driver.reset(*found);
  return CUDA_SUCCESS;
}

CUresult cuCtxPushCurrent_v2(CUcontext context) noexcept {
  Driver &driver = Driver::get();
  Lock lock(driver.mutex);
  LOWP_CHECK(driver.checkInitialized());
  ContextStack &stack = getContextStack();
  if (stack.depth == ContextStack::kMaxDepth)
    return fail(CUDA_ERROR_OUT_OF_MEMORY,
                "the thread has pushed " + Twine(stack.depth) + " contexts");
  uint64_t handle = reinterpret_cast<uint64_t>(context);
  for (const std::unique_ptr<Device> &device : driver.devices)
    if (device->contextHandle == handle && device->timesRetained) {
      stack.handles[stack.depth++] = handle;
      return CUDA_SUCCESS;
    }
  return fail(CUDA_ERROR_INVALID_CONTEXT,
              toHex(context) + " is no handle of a context");
}

CUresult cuCtxPopCurrent_v2(CUcontext *context) noexcept {
  Driver &driver = Driver::get();
  Lock lock(driver.mutex);
  LOWP_CHECK(driver.checkInitialized());
  ContextStack &stack = getContextStack();
  if (stack.empty())
    return fail(CUDA_ERROR_INVALID_CONTEXT, "the thread has no context");
  if (context)
    *context = reinterpret_cast<CUcontext>(stack.top());
  --stack.depth;
  return CUDA_SUCCESS;
}

CUresult cuCtxGetCurrent(CUcontext *context) noexcept {
  Driver &driver = Driver::get();
  Lock lock(driver.mutex);
  LOWP_CHECK(driver.checkInitialized());
  if (!context)
    return failNull("context");
  ContextStack &stack = getContextStack();
  *context = stack.empty() ? nullptr : reinterpret_cast<CUcontext>(stack.top());
  return CUDA_SUCCESS;
}

CUresult cuCtxGetDevice(CUdevice *device) noexcept {
  Driver &driver = Driver::get();
  Lock lock(driver.mutex);
  Device *current = nullptr;
  LOWP_CHECK(driver.getCurrent(current));
  if (!device)
    return failNull("device");
  *device = current->ordinal;
  return CUDA_SUCCESS;
}

CUresult cuCtxSynchronize(void) noexcept {
  Driver &driver = Driver::get();
  Lock lock(driver.mutex);
  Device *current = nullptr;
  return driver.getCurrent(current);
}

//===----------------------------------------------------------------------===//
// Streams
//===----------------------------------------------------------------------===//

CUresult cuStreamCreate(CUstream *stream, unsigned flags) noexcept {
  Driver &driver = Driver::get();
  Lock lock(driver.mutex);
  Device *current = nullptr;
  LOWP_CHECK(driver.getCurrent(current));
  if (!stream)
    return failNull("stream");
  if (flags & ~unsigned(CU_STREAM_NON_BLOCKING))
    return fail(CUDA_ERROR_INVALID_VALUE,
                "unknown flags of a stream: " + toHex(flags));
  driver.insert(driver.streams, *stream,
                std::make_shared<Stream>(Stream{current}));
  return CUDA_SUCCESS;
}

CUresult cuStreamDestroy_v2(CUstream stream) noexcept {
  Driver &driver = Driver::get();
  Lock lock(driver.mutex);
  Device *current = nullptr;
  LOWP_CHECK(driver.getCurrent(current));
  if (driver.streams.take(stream))
    return CUDA_SUCCESS;
  return fail(CUDA_ERROR_INVALID_HANDLE,
              toHex(stream) + " is no handle of a stream");
}

CUresult cuStreamSynchronize(CUstream stream) noexcept {
  Driver &driver = Driver::get();
  Lock lock(driver.mutex);
  Device *device = nullptr;
  return driver.getStreamDevice(stream, device);
}

CUresult cuStreamWaitEvent(CUstream stream, CUevent event,
                           unsigned flags) noexcept {
  Driver &driver = Driver::get();
  Lock lock(driver.mutex);
  Device *device = nullptr;
  LOWP_CHECK(driver.getStreamDevice(stream, device));
  if (!driver.events.find(event))
    return fail(CUDA_ERROR_INVALID_HANDLE,
                toHex(event) + " is no handle of an event");
  if (flags != 0)
    return fail(CUDA_ERROR_INVALID_VALUE,
                "expected flags of 0, but got " + Twine(flags));
  return CUDA_SUCCESS;
}

//===----------------------------------------------------------------------===//
// Events
//===----------------------------------------------------------------------===//

CUresult cuEventCreate(CUevent *event, unsigned flags) noexcept {
  Driver &driver = Driver::get();
  Lock lock(driver.mutex);
  Device *current = nullptr;
  LOWP_CHECK(driver.getCurrent(current));
  if (!event)
    return failNull("event");
  if (flags & ~unsigned(CU_EVENT_BLOCKING_SYNC | CU_EVENT_DISABLE_TIMING))
    return fail(CUDA_ERROR_INVALID_VALUE,
                "unknown flags of an event: " + toHex(flags));
  driver.insert(driver.events, *event, std::make_shared<Event>(Event{current}));
  return CUDA_SUCCESS;
}

CUresult cuEventRecord(CUevent event, CUstream stream) noexcept {
  Driver &driver = Driver::get();
  Lock lock(driver.mutex);
  Device *device = nullptr;
  LOWP_CHECK(driver.getStreamDevice(stream, device));
  std::shared_ptr<Event> found = driver.events.find(event);
  if (!found)
    return fail(CUDA_ERROR_INVALID_HANDLE,
                toHex(event) + " is no handle of an event");
  if (found->device != device)
    return fail(CUDA_ERROR_INVALID_HANDLE,
                "the event is of device " + Twine(found->device->ordinal) +
                    ", but the stream of device " + Twine(device->ordinal));
  return CUDA_SUCCESS;
}

CUresult cuEventDestroy_v2(CUevent event) noexcept {
  Driver &driver = Driver::get();
  Lock lock(driver.mutex);
  Device *current = nullptr;
  LOWP_CHECK(driver.getCurrent(current));
  if (driver.events.take(event))
    return CUDA_SUCCESS;
  return fail(CUDA_ERROR_INVALID_HANDLE,
              toHex(event) + " is no handle of an event");
}
