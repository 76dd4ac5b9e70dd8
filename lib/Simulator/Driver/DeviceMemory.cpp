//===- DeviceMemory.cpp - Allocations, copies and fills -------------------===//
//
// Part of the Lowp project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Driver.h"

#include "llvm/Support/MathExtras.h"

#include <cstring>

using namespace lowp::sim;
using llvm::StringRef;
using llvm::Twine;

//===----------------------------------------------------------------------===//
// Allocations
//===----------------------------------------------------------------------===//

namespace {

/// Memory is counted in multiples of this.
constexpr uint64_t kGranule = 256;

uint64_t countBytes(uint64_t bytes) { return llvm::alignTo(bytes, kGranule); }

/// Expects the mutex to be held.
CUresult allocate(const Driver &driver, Device &device, uint64_t bytes,
                  bool isFromPool, CUdeviceptr *address) {
  if (!address)
    return failNull("address");
  if (bytes == 0)
    return fail(CUDA_ERROR_INVALID_VALUE, "an allocation of 0 bytes");
  uint64_t left = driver.memoryBytes - device.allocatedBytes;
  if (bytes > left || countBytes(bytes) > left)
    return fail(CUDA_ERROR_OUT_OF_MEMORY,
                "device " + Twine(device.ordinal) + " has " + Twine(left) +
                    " of " + Twine(driver.memoryBytes) + " bytes left, not " +
                    Twine(bytes));
  if (!device.hasArena && !device.arena.reserve(driver.memoryBytes))
    return fail(CUDA_ERROR_OUT_OF_MEMORY,
                "the host has no room for the addresses of a device");
  device.hasArena = true;
  std::optional<uint64_t> base = device.arena.allocate(bytes);
  if (!base)
    return fail(CUDA_ERROR_OUT_OF_MEMORY,
                "the host has no room for " + Twine(bytes) + " bytes");
  device.allocatedBytes += countBytes(bytes);
  device.allocations.emplace(
      *base,
      std::make_shared<Allocation>(device.arena, *base, bytes, isFromPool));
  device.snapshot = nullptr;
  *address = *base;
  return CUDA_SUCCESS;
}

/// Expects the mutex to be held.
CUresult release(Driver &driver, CUdeviceptr address) {
  for (const std::unique_ptr<Device> &device : driver.devices) {
    auto found = device->allocations.find(address);
    if (found == device->allocations.end())
      continue;
    device->allocatedBytes -= countBytes(found->second->bytes);
    device->allocations.erase(found);
    device->snapshot = nullptr;
    return CUDA_SUCCESS;
  }
  return fail(CUDA_ERROR_INVALID_VALUE,
              toHex(address) + " is not the address of an allocation");
}

} // namespace

CUresult cuMemAlloc_v2(CUdeviceptr *address, size_t bytes) noexcept {
  Driver &driver = Driver::get();
  Lock lock(driver.mutex);
  Device *device = nullptr;
  LOWP_CHECK(driver.getCurrent(device));
  return allocate(driver, *device, bytes, /*isFromPool=*/false, address);
}

CUresult cuMemFree_v2(CUdeviceptr address) noexcept {
  Driver &driver = Driver::get();
  Lock lock(driver.mutex);
  Device *device = nullptr;
  LOWP_CHECK(driver.getCurrent(device));
  return release(driver, address);
}

int64_t lowpCudaLiveAllocations(void) noexcept {
  Driver &driver = Driver::get();
  Lock lock(driver.mutex);
  int64_t count = 0;
  for (const std::unique_ptr<Device> &device : driver.devices)
    count += static_cast<int64_t>(device->allocations.size());
  return count;
}

//===----------------------------------------------------------------------===//
// Pools
//===----------------------------------------------------------------------===//

namespace {

CUresult failPool(CUmemoryPool pool) {
  return fail(CUDA_ERROR_INVALID_VALUE,
              toHex(pool) + " is no handle of a memory pool");
}

} // namespace

CUresult cuMemPoolCreate(CUmemoryPool *pool,
                         const CUmemPoolProps *properties) noexcept {
  Driver &driver = Driver::get();
  Lock lock(driver.mutex);
  LOWP_CHECK(driver.checkInitialized());
  if (!pool)
    return failNull("pool");
  if (!properties)
    return failNull("properties");
  if (properties->allocType != CU_MEM_ALLOCATION_TYPE_PINNED ||
      properties->handleTypes != CU_MEM_HANDLE_TYPE_NONE ||
      properties->location.type != CU_MEM_LOCATION_TYPE_DEVICE ||
      properties->win32SecurityAttributes)
    return fail(CUDA_ERROR_INVALID_VALUE,
                "expected a pool of pinned memory on a device, without handles "
                "to share it");
  for (unsigned char byte : properties->reserved)
    if (byte != 0)
      return fail(CUDA_ERROR_INVALID_VALUE,
                  "expected reserved bytes of a pool's properties to be zero");
  Device *device = nullptr;
  LOWP_CHECK(driver.getDevice(properties->location.id, device));
  driver.insert(driver.pools, *pool, std::make_shared<Pool>(Pool{device}));
  return CUDA_SUCCESS;
}

CUresult cuMemPoolDestroy(CUmemoryPool pool) noexcept {
  Driver &driver = Driver::get();
  Lock lock(driver.mutex);
  LOWP_CHECK(driver.checkInitialized());
  // What was allocated from it stays until it is freed.
  return driver.pools.take(pool) ? CUDA_SUCCESS : failPool(pool);
}

CUresult cuMemPoolSetAttribute(CUmemoryPool pool, CUmemPool_attribute attribute,
                               void *value) noexcept {
  Driver &driver = Driver::get();
  Lock lock(driver.mutex);
  LOWP_CHECK(driver.checkInitialized());
  if (!driver.pools.find(pool))
    return failPool(pool);
  if (!value)
    return failNull("value");
  // Pools keep no memory here: nothing depends on when they give it back, or on
  // what they may use again.
  switch (attribute) {
  case CU_MEMPOOL_ATTR_REUSE_FOLLOW_EVENT_DEPENDENCIES:
  case CU_MEMPOOL_ATTR_REUSE_ALLOW_OPPORTUNISTIC:
  case CU_MEMPOOL_ATTR_REUSE_ALLOW_INTERNAL_DEPENDENCIES:
  case CU_MEMPOOL_ATTR_RELEASE_THRESHOLD:
    return CUDA_SUCCESS;
  default:
    return fail(CUDA_ERROR_INVALID_VALUE,
                "attribute " + Twine(attribute) + " of a pool cannot be set");
  }
}

CUresult cuMemPoolTrimTo(CUmemoryPool pool, size_t keptBytes) noexcept {
  (void)keptBytes;
  Driver &driver = Driver::get();
  Lock lock(driver.mutex);
  LOWP_CHECK(driver.checkInitialized());
  return driver.pools.find(pool) ? CUDA_SUCCESS : failPool(pool);
}

CUresult cuMemAllocFromPoolAsync(CUdeviceptr *address, size_t bytes,
                                 CUmemoryPool pool, CUstream stream) noexcept {
  Driver &driver = Driver::get();
  Lock lock(driver.mutex);
  Device *device = nullptr;
  LOWP_CHECK(driver.getStreamDevice(stream, device));
  std::shared_ptr<Pool> found = driver.pools.find(pool);
  if (!found)
    return failPool(pool);
  return allocate(driver, *found->device, bytes, /*isFromPool=*/true, address);
}

CUresult cuMemFreeAsync(CUdeviceptr address, CUstream stream) noexcept {
  Driver &driver = Driver::get();
  Lock lock(driver.mutex);
  Device *device = nullptr;
  LOWP_CHECK(driver.getStreamDevice(stream, device));
  return release(driver, address);
}

//===----------------------------------------------------------------------===//
// Copies and fills
//===----------------------------------------------------------------------===//

namespace {

CUresult copy(uint64_t target, Side targetSide, uint64_t source,
              Side sourceSide, size_t bytes, CUstream stream) {
  Driver &driver = Driver::get();
  std::shared_ptr<Allocation> from, to;
  {
    Lock lock(driver.mutex);
    Device *device = nullptr;
    LOWP_CHECK(driver.getStreamDevice(stream, device));
    if (bytes == 0)
      return CUDA_SUCCESS;
    LOWP_CHECK(driver.checkRange(target, bytes, targetSide, to));
    LOWP_CHECK(driver.checkRange(source, bytes, sourceSide, from));
  }
  std::memmove(reinterpret_cast<void *>(target),
               reinterpret_cast<const void *>(source), bytes);
  return CUDA_SUCCESS;
}

template <typename T>
CUresult fill(CUdeviceptr target, T value, size_t count, CUstream stream) {
  Driver &driver = Driver::get();
  std::shared_ptr<Allocation> to;
  {
    Lock lock(driver.mutex);
    Device *device = nullptr;
    LOWP_CHECK(driver.getStreamDevice(stream, device));
    if (count == 0)
      return CUDA_SUCCESS;
    if (target % sizeof(T) != 0)
      return fail(CUDA_ERROR_INVALID_VALUE,
                  toHex(target) + " is not a multiple of " + Twine(sizeof(T)));
    // Too many to have a number of bytes is too many for any allocation.
    uint64_t bytes = llvm::SaturatingMultiply<uint64_t>(count, sizeof(T));
    LOWP_CHECK(driver.checkRange(target, bytes, Side::Device, to));
  }
  T *values = reinterpret_cast<T *>(target);
  std::fill(values, values + count, value);
  return CUDA_SUCCESS;
}

uint64_t toAddress(const void *pointer) {
  return reinterpret_cast<uint64_t>(pointer);
}

} // namespace

CUresult cuMemcpy(CUdeviceptr target, CUdeviceptr source,
                  size_t bytes) noexcept {
  return copy(target, Side::Any, source, Side::Any, bytes, nullptr);
}

CUresult cuMemcpyAsync(CUdeviceptr target, CUdeviceptr source, size_t bytes,
                       CUstream stream) noexcept {
  return copy(target, Side::Any, source, Side::Any, bytes, stream);
}

CUresult cuMemcpyHtoDAsync_v2(CUdeviceptr target, const void *source,
                              size_t bytes, CUstream stream) noexcept {
  return copy(target, Side::Device, toAddress(source), Side::Host, bytes,
              stream);
}

CUresult cuMemcpyDtoHAsync_v2(void *target, CUdeviceptr source, size_t bytes,
                              CUstream stream) noexcept {
  return copy(toAddress(target), Side::Host, source, Side::Device, bytes,
              stream);
}

CUresult cuMemcpyDtoDAsync_v2(CUdeviceptr target, CUdeviceptr source,
                              size_t bytes, CUstream stream) noexcept {
  return copy(target, Side::Device, source, Side::Device, bytes, stream);
}

CUresult cuMemsetD8Async(CUdeviceptr target, unsigned char value, size_t count,
                         CUstream stream) noexcept {
  return fill<uint8_t>(target, value, count, stream);
}

CUresult cuMemsetD16Async(CUdeviceptr target, unsigned short value,
                          size_t count, CUstream stream) noexcept {
  return fill<uint16_t>(target, value, count, stream);
}

CUresult cuMemsetD32Async(CUdeviceptr target, unsigned value, size_t count,
                          CUstream stream) noexcept {
  return fill<uint32_t>(target, value, count, stream);
}

/// What an attribute is of memory, or of an address that is in none.
static CUresult getAttribute(CUpointer_attribute attribute,
                             const Allocation *found, const Device *device,
                             void *value) {
  switch (attribute) {
  case CU_POINTER_ATTRIBUTE_CONTEXT:
    // As with NVIDIA's, memory of a pool belongs to a device, not a context.
    *static_cast<CUcontext *>(value) =
        !found || found->isFromPool
            ? nullptr
            : reinterpret_cast<CUcontext>(device->contextHandle);
    return CUDA_SUCCESS;
  case CU_POINTER_ATTRIBUTE_MEMORY_TYPE:
    *static_cast<unsigned *>(value) = found ? CU_MEMORYTYPE_DEVICE : 0;
    return CUDA_SUCCESS;
  case CU_POINTER_ATTRIBUTE_DEVICE_ORDINAL:
    *static_cast<int *>(value) = found ? device->ordinal : -2;
    return CUDA_SUCCESS;
  default:
    return fail(CUDA_ERROR_INVALID_VALUE, "attribute " + Twine(attribute) +
                                              " of a pointer is not simulated");
  }
}

CUresult cuPointerGetAttribute(void *value, CUpointer_attribute attribute,
                               CUdeviceptr address) noexcept {
  Driver &driver = Driver::get();
  Lock lock(driver.mutex);
  LOWP_CHECK(driver.checkInitialized());
  if (!value)
    return failNull("value");
  Device *device = nullptr;
  std::shared_ptr<Allocation> found = driver.findAllocation(address, &device);
  if (!found)
    return fail(CUDA_ERROR_INVALID_VALUE,
                toHex(address) + " is in no allocation");
  return getAttribute(attribute, found.get(), device, value);
}

CUresult cuPointerGetAttributes(unsigned count, CUpointer_attribute *attributes,
                                void **values, CUdeviceptr address) noexcept {
  Driver &driver = Driver::get();
  Lock lock(driver.mutex);
  LOWP_CHECK(driver.checkInitialized());
  if (!attributes)
    return failNull("attributes");
  if (!values)
    return failNull("values");
  Device *device = nullptr;
  std::shared_ptr<Allocation> found = driver.findAllocation(address, &device);
  for (unsigned i = 0; i < count; ++i) {
    if (!values[i])
      return failNull("values");
    LOWP_CHECK(getAttribute(attributes[i], found.get(), device, values[i]));
  }
  return CUDA_SUCCESS;
}
