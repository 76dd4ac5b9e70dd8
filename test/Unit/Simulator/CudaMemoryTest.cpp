//===- CudaMemoryTest.cpp - Allocations, copies and fills -----------------===//
//
// Part of the Lowp project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "CudaDriver.h"

#include "gmock/gmock.h"

#include <cmath>
#include <cstring>
#include <set>

using namespace lowp::sim::test;
using testing::Each;
using testing::ElementsAre;
using testing::HasSubstr;

namespace {

CUdeviceptr allocate(size_t bytes, const LowpCudaDriver &driver = getDriver()) {
  CUdeviceptr address = 0;
  EXPECT_EQ(driver.cuMemAlloc(&address, bytes), CUDA_SUCCESS);
  return address;
}

CUmemoryPool makePool(int device = 0,
                      const LowpCudaDriver &driver = getDriver()) {
  CUmemPoolProps properties = {};
  properties.allocType = CU_MEM_ALLOCATION_TYPE_PINNED;
  properties.location.type = CU_MEM_LOCATION_TYPE_DEVICE;
  properties.location.id = device;
  CUmemoryPool pool = nullptr;
  EXPECT_EQ(driver.cuMemPoolCreate(&pool, &properties), CUDA_SUCCESS);
  return pool;
}

std::vector<uint8_t> readBytes(CUdeviceptr address, size_t bytes) {
  std::vector<uint8_t> values(bytes);
  EXPECT_EQ(
      getDriver().cuMemcpyDtoHAsync(values.data(), address, bytes, nullptr),
      CUDA_SUCCESS);
  EXPECT_EQ(getDriver().cuStreamSynchronize(nullptr), CUDA_SUCCESS);
  return values;
}

TEST(CudaMemory, IsFreedOnce) {
  const LowpCudaDriver &driver = getDriver();
  WithContext context;
  CUdeviceptr none = 0;
  EXPECT_EQ(driver.cuMemAlloc(&none, 0), CUDA_ERROR_INVALID_VALUE);
  EXPECT_EQ(none, 0u);
  CUdeviceptr a = allocate(1), b = allocate(1000003);
  EXPECT_EQ(a % 256, 0u);
  EXPECT_EQ(b % 256, 0u);
  EXPECT_EQ(driver.cuMemFree(b + 256), CUDA_ERROR_INVALID_VALUE);
  EXPECT_EQ(driver.cuMemFree(b), CUDA_SUCCESS);
  EXPECT_EQ(driver.cuMemFree(b), CUDA_ERROR_INVALID_VALUE);
  EXPECT_EQ(driver.cuMemFree(a), CUDA_SUCCESS);
  int local = 0;
  EXPECT_EQ(driver.cuMemFree(reinterpret_cast<CUdeviceptr>(&local)),
            CUDA_ERROR_INVALID_VALUE);
}

TEST(CudaMemory, CountsWhatIsAllocated) {
  SIMULATED_ONLY();
  const LowpCudaDriver &driver = getDriver();
  WithContext context;
  EXPECT_EQ(driver.lowpCudaLiveAllocations(), 0);
  CUdeviceptr a = allocate(5);
  CUmemoryPool pool = makePool(2);
  CUdeviceptr b = 0;
  EXPECT_EQ(driver.cuMemAllocFromPoolAsync(&b, 7, pool, nullptr), CUDA_SUCCESS);
  EXPECT_EQ(driver.lowpCudaLiveAllocations(), 2);
  EXPECT_EQ(driver.cuMemFree(a), CUDA_SUCCESS);
  EXPECT_EQ(driver.cuMemFree(a), CUDA_ERROR_INVALID_VALUE);
  EXPECT_EQ(driver.lowpCudaLiveAllocations(), 1);
  EXPECT_EQ(driver.cuMemFreeAsync(b, nullptr), CUDA_SUCCESS);
  EXPECT_EQ(driver.lowpCudaLiveAllocations(), 0);
  EXPECT_EQ(driver.cuMemPoolDestroy(pool), CUDA_SUCCESS);
}

TEST(CudaMemory, IsAlignedToNoMoreThanPromised) {
  SIMULATED_ONLY();
  WithContext context;
  for (size_t bytes : {1, 256, 4096, 5000, 65536}) {
    CUdeviceptr address = allocate(bytes);
    EXPECT_EQ(address % 512, 256u);
    EXPECT_EQ(getDriver().cuMemFree(address), CUDA_SUCCESS);
  }
}

TEST(CudaMemory, IsNotANumberWhenFresh) {
  SIMULATED_ONLY();
  WithContext context;
  // The second lies where another has written before.
  std::set<CUdeviceptr> seen;
  for (int round = 0; round < 2; ++round) {
    CUdeviceptr address = allocate(5003);
    std::vector<uint8_t> bytes = readBytes(address, 5003);
    float f32;
    std::memcpy(&f32, bytes.data(), sizeof(f32));
    EXPECT_TRUE(std::isnan(f32));
    EXPECT_THAT(bytes, Each(0xFF));
    EXPECT_EQ(getDriver().cuMemsetD8Async(address, 0, 5003, nullptr),
              CUDA_SUCCESS);
    EXPECT_EQ(getDriver().cuMemFree(address), CUDA_SUCCESS);
    // Where it was is left alone for as long as there is other room.
    EXPECT_TRUE(seen.insert(address).second);
  }
}

TEST(CudaMemory, RunsOut) {
  SIMULATED_ONLY();
  const LowpCudaDriver &driver =
      makeDriver({{"LOWP_SIM_MEMORY_BYTES", "1048576"}});
  ASSERT_EQ(driver.cuInit(0), CUDA_SUCCESS);
  WithContext context(0, driver);
  CUdeviceptr a = allocate(1048576 - 512, driver), b = 0, c = 0;
  EXPECT_EQ(driver.cuMemAlloc(&b, 513), CUDA_ERROR_OUT_OF_MEMORY);
  EXPECT_EQ(getDetail(driver),
            "device 0 has 512 of 1048576 bytes left, not 513");
  EXPECT_EQ(b, 0u);
  // Counted in multiples of 256.
  EXPECT_EQ(driver.cuMemAlloc(&b, 257), CUDA_SUCCESS);
  CUmemoryPool pool = makePool(0, driver);
  EXPECT_EQ(driver.cuMemAllocFromPoolAsync(&c, 1, pool, nullptr),
            CUDA_ERROR_OUT_OF_MEMORY);
  EXPECT_EQ(driver.cuMemAlloc(&c, SIZE_MAX), CUDA_ERROR_OUT_OF_MEMORY);
  EXPECT_EQ(driver.cuMemAlloc(&c, SIZE_MAX - 256), CUDA_ERROR_OUT_OF_MEMORY);
  // Each device has its own.
  {
    WithContext other(1, driver);
    EXPECT_EQ(driver.cuMemAlloc(&c, 1048576), CUDA_SUCCESS);
    EXPECT_EQ(driver.cuMemFree(c), CUDA_SUCCESS);
  }
  EXPECT_EQ(driver.cuMemFree(a), CUDA_SUCCESS);
  EXPECT_EQ(driver.cuMemAlloc(&a, 1048576 - 512), CUDA_SUCCESS);
  EXPECT_EQ(driver.lowpCudaLiveAllocations(), 2);
}

TEST(CudaMemory, RunsOutOfAddresses) {
  SIMULATED_ONLY();
  // More than a host has.
  const LowpCudaDriver &driver =
      makeDriver({{"LOWP_SIM_MEMORY_BYTES", "18446744073709551615"}});
  ASSERT_EQ(driver.cuInit(0), CUDA_SUCCESS);
  WithContext context(0, driver);
  CUdeviceptr address = 0;
  for (size_t bytes : {SIZE_MAX, SIZE_MAX - 256, size_t(1) << 60})
    EXPECT_EQ(driver.cuMemAlloc(&address, bytes), CUDA_ERROR_OUT_OF_MEMORY);
  EXPECT_EQ(driver.cuMemAlloc(&address, 100), CUDA_SUCCESS);
  EXPECT_EQ(driver.cuMemFree(address), CUDA_SUCCESS);
}

TEST(CudaMemory, HasRoomForManyAllocations) {
  SIMULATED_ONLY();
  const LowpCudaDriver &driver =
      makeDriver({{"LOWP_SIM_MEMORY_BYTES", "1048576"}});
  ASSERT_EQ(driver.cuInit(0), CUDA_SUCCESS);
  WithContext context(0, driver);
  std::vector<CUdeviceptr> live;
  std::set<CUdeviceptr> all;
  uint32_t random = 1;
  // 4 GiB of addresses last for some of them.
  for (int i = 0; i < 20000; ++i) {
    random = random * 1664525 + 1013904223;
    if (live.size() < 16) {
      live.push_back(allocate(1 + random % 60000, driver));
      all.insert(live.back());
    } else {
      std::swap(live[random % live.size()], live.back());
      EXPECT_EQ(driver.cuMemFree(live.back()), CUDA_SUCCESS);
      live.pop_back();
    }
  }
  EXPECT_GT(all.size(), 9000u);
  EXPECT_EQ(driver.lowpCudaLiveAllocations(), int64_t(live.size()));
}

TEST(CudaMemory, IsCopied) {
  const LowpCudaDriver &driver = getDriver();
  WithContext context;
  CUstream stream = nullptr;
  EXPECT_EQ(driver.cuStreamCreate(&stream, 0), CUDA_SUCCESS);
  std::vector<uint32_t> source = {1, 2, 3, 4, 5}, target(5);
  Buffer<uint32_t> a(source), b({0, 0, 0, 0, 0});
  auto toDevice = [](const void *p) {
    return reinterpret_cast<CUdeviceptr>(p);
  };
  EXPECT_EQ(driver.cuMemcpyDtoDAsync(b.address + 4, a.address, 16, stream),
            CUDA_SUCCESS);
  EXPECT_EQ(driver.cuMemcpyDtoHAsync(target.data(), b.address, 20, stream),
            CUDA_SUCCESS);
  EXPECT_EQ(driver.cuStreamSynchronize(stream), CUDA_SUCCESS);
  EXPECT_THAT(target, ElementsAre(0, 1, 2, 3, 4));
  // Any to any.
  uint32_t seven = 7;
  EXPECT_EQ(driver.cuMemcpyAsync(b.address + 16, toDevice(&seven), 4, stream),
            CUDA_SUCCESS);
  EXPECT_EQ(driver.cuMemcpyAsync(b.address, b.address + 16, 4, stream),
            CUDA_SUCCESS);
  EXPECT_EQ(
      driver.cuMemcpyAsync(toDevice(target.data()), b.address, 20, stream),
      CUDA_SUCCESS);
  EXPECT_EQ(driver.cuStreamSynchronize(stream), CUDA_SUCCESS);
  EXPECT_THAT(target, ElementsAre(7, 1, 2, 3, 7));
  EXPECT_EQ(driver.cuMemcpy(toDevice(target.data()), a.address, 20),
            CUDA_SUCCESS);
  EXPECT_EQ(target, source);
  EXPECT_EQ(
      driver.cuMemcpy(toDevice(target.data() + 3), toDevice(source.data()), 8),
      CUDA_SUCCESS);
  EXPECT_THAT(target, ElementsAre(1, 2, 3, 1, 2));
  EXPECT_EQ(driver.cuMemcpyHtoDAsync(a.address + 8, target.data(), 12, stream),
            CUDA_SUCCESS);
  EXPECT_EQ(driver.cuStreamSynchronize(stream), CUDA_SUCCESS);
  EXPECT_THAT(a.read(), ElementsAre(1, 2, 1, 2, 3));
  EXPECT_EQ(driver.cuStreamDestroy(stream), CUDA_SUCCESS);
}

TEST(CudaMemory, IsCopiedBetweenDevices) {
  SIMULATED_ONLY();
  const LowpCudaDriver &driver = getDriver();
  WithContext context(1);
  Buffer<uint32_t> a({1, 2, 3});
  WithContext other(4);
  Buffer<uint32_t> b({0, 0, 0});
  EXPECT_EQ(driver.cuMemcpyDtoDAsync(b.address, a.address, 12, nullptr),
            CUDA_SUCCESS);
  EXPECT_THAT(b.read(), ElementsAre(1, 2, 3));
}

TEST(CudaMemory, RefusesWrongCopies) {
  SIMULATED_ONLY();
  const LowpCudaDriver &driver = getDriver();
  WithContext context;
  CUdeviceptr a = allocate(100), b = allocate(100), freed = allocate(100);
  EXPECT_EQ(driver.cuMemFree(freed), CUDA_SUCCESS);
  std::vector<uint8_t> host(200, 42);
  void *hostData = host.data();
  CUdeviceptr hostAddress = reinterpret_cast<CUdeviceptr>(hostData);
  auto expectInvalid = [&](CUresult result, const char *detail) {
    EXPECT_EQ(result, CUDA_ERROR_INVALID_VALUE);
    EXPECT_THAT(getDetail(), HasSubstr(detail));
  };
  // Beyond the end, on either side, with numbers that overflow, too.
  expectInvalid(driver.cuMemcpyDtoDAsync(a, b + 1, 100, nullptr),
                "has 99 bytes left in its allocation, not 100");
  expectInvalid(driver.cuMemcpyDtoDAsync(a + 99, b, 2, nullptr),
                "has 1 bytes left in its allocation, not 2");
  expectInvalid(driver.cuMemcpyDtoDAsync(a + 100, b, 1, nullptr),
                "is in no allocation");
  expectInvalid(driver.cuMemcpyDtoHAsync(hostData, b, 101, nullptr),
                "has 100 bytes left");
  expectInvalid(driver.cuMemcpyHtoDAsync(a, hostData, SIZE_MAX, nullptr),
                "has 100 bytes left");
  expectInvalid(driver.cuMemcpy(a, b, SIZE_MAX - a), "has 100 bytes left");
  expectInvalid(driver.cuMemcpyAsync(hostAddress, b + 60, 41, nullptr),
                "has 40 bytes left");
  // The wrong side.
  expectInvalid(driver.cuMemcpyHtoDAsync(hostAddress, hostData, 1, nullptr),
                "is not memory of a device");
  expectInvalid(
      driver.cuMemcpyHtoDAsync(a, reinterpret_cast<void *>(b), 1, nullptr),
      "is memory of a device, not of the host");
  expectInvalid(
      driver.cuMemcpyDtoHAsync(reinterpret_cast<void *>(a), b, 1, nullptr),
      "is memory of a device, not of the host");
  expectInvalid(driver.cuMemcpyDtoHAsync(hostData, hostAddress, 1, nullptr),
                "is not memory of a device");
  expectInvalid(driver.cuMemcpyDtoDAsync(a, hostAddress, 1, nullptr),
                "is not memory of a device");
  // Nulls, and what is gone.
  expectInvalid(driver.cuMemcpyHtoDAsync(a, nullptr, 1, nullptr), "is null");
  expectInvalid(driver.cuMemcpyDtoHAsync(nullptr, a, 1, nullptr), "is null");
  expectInvalid(driver.cuMemcpyAsync(0, a, 1, nullptr), "is null");
  expectInvalid(driver.cuMemcpy(a, freed, 1), "is in no allocation");
  expectInvalid(driver.cuMemcpyAsync(freed + 99, hostAddress, 1, nullptr),
                "is in no allocation");
  expectInvalid(driver.cuMemcpyDtoDAsync(freed, a, 1, nullptr),
                "is in no allocation");
  // Nothing was written.
  EXPECT_THAT(readBytes(a, 100), Each(0xFF));
  EXPECT_THAT(host, Each(42));
  // Of no bytes nothing can be wrong.
  EXPECT_EQ(driver.cuMemcpyDtoDAsync(freed, 1, 0, nullptr), CUDA_SUCCESS);
  EXPECT_EQ(driver.cuMemFree(a), CUDA_SUCCESS);
  EXPECT_EQ(driver.cuMemFree(b), CUDA_SUCCESS);
}

TEST(CudaMemoryDeathTest, IsOutOfReachWhenFreed) {
  SIMULATED_ONLY();
  WithContext context;
  CUdeviceptr address = allocate(100);
  EXPECT_EQ(*reinterpret_cast<volatile uint8_t *>(address), 0xFF);
  EXPECT_EQ(getDriver().cuMemFree(address), CUDA_SUCCESS);
  EXPECT_DEATH((void)*reinterpret_cast<volatile uint8_t *>(address), "");
}

TEST(CudaMemory, IsFilled) {
  const LowpCudaDriver &driver = getDriver();
  WithContext context;
  Buffer<uint8_t> buffer(std::vector<uint8_t>(16, 9));
  EXPECT_EQ(driver.cuMemsetD8Async(buffer.address + 1, 0xAB, 2, nullptr),
            CUDA_SUCCESS);
  EXPECT_EQ(driver.cuMemsetD16Async(buffer.address + 4, 0xABCD, 2, nullptr),
            CUDA_SUCCESS);
  EXPECT_EQ(driver.cuMemsetD32Async(buffer.address + 8, 0xABCDEF01, 2, nullptr),
            CUDA_SUCCESS);
  EXPECT_THAT(buffer.read(),
              ElementsAre(9, 0xAB, 0xAB, 9, 0xCD, 0xAB, 0xCD, 0xAB, 0x01, 0xEF,
                          0xCD, 0xAB, 0x01, 0xEF, 0xCD, 0xAB));
  std::vector<uint8_t> before = buffer.read();
  CUdeviceptr address = buffer.address;
  EXPECT_EQ(driver.cuMemsetD16Async(address + 1, 0, 1, nullptr),
            CUDA_ERROR_INVALID_VALUE);
  EXPECT_EQ(driver.cuMemsetD32Async(address + 2, 0, 1, nullptr),
            CUDA_ERROR_INVALID_VALUE);
  SIMULATED_ONLY();
  EXPECT_EQ(driver.cuMemsetD8Async(address, 0, 17, nullptr),
            CUDA_ERROR_INVALID_VALUE);
  EXPECT_EQ(driver.cuMemsetD16Async(address + 2, 0, 8, nullptr),
            CUDA_ERROR_INVALID_VALUE);
  // Of bytes that overflow to 4.
  EXPECT_EQ(driver.cuMemsetD32Async(address, 0, (SIZE_MAX >> 2) + 2, nullptr),
            CUDA_ERROR_INVALID_VALUE);
  EXPECT_EQ(driver.cuMemsetD8Async(0, 0, 1, nullptr), CUDA_ERROR_INVALID_VALUE);
  EXPECT_EQ(driver.cuMemsetD8Async(reinterpret_cast<CUdeviceptr>(&before), 0, 1,
                                   nullptr),
            CUDA_ERROR_INVALID_VALUE);
  EXPECT_EQ(buffer.read(), before);
}

TEST(CudaMemory, KnowsPointers) {
  const LowpCudaDriver &driver = getDriver();
  WithContext context;
  int lastDevice = 0;
  EXPECT_EQ(driver.cuDeviceGetCount(&lastDevice), CUDA_SUCCESS);
  --lastDevice;
  WithContext last(lastDevice);
  CUdeviceptr address = allocate(1000), pooled = 0;
  CUmemoryPool pool = makePool(lastDevice);
  EXPECT_EQ(driver.cuMemAllocFromPoolAsync(&pooled, 10, pool, nullptr),
            CUDA_SUCCESS);
  EXPECT_EQ(driver.cuCtxSynchronize(), CUDA_SUCCESS);
  for (CUdeviceptr p : {address, address + 999, pooled}) {
    CUcontext owner = reinterpret_cast<CUcontext>(1);
    unsigned type = 0;
    int ordinal = -1;
    EXPECT_EQ(
        driver.cuPointerGetAttribute(&owner, CU_POINTER_ATTRIBUTE_CONTEXT, p),
        CUDA_SUCCESS);
    EXPECT_EQ(owner, p == pooled ? nullptr : last.context);
    EXPECT_EQ(driver.cuPointerGetAttribute(&type,
                                           CU_POINTER_ATTRIBUTE_MEMORY_TYPE, p),
              CUDA_SUCCESS);
    EXPECT_EQ(type, unsigned(CU_MEMORYTYPE_DEVICE));
    EXPECT_EQ(driver.cuPointerGetAttribute(
                  &ordinal, CU_POINTER_ATTRIBUTE_DEVICE_ORDINAL, p),
              CUDA_SUCCESS);
    EXPECT_EQ(ordinal, lastDevice);
    type = ordinal = -1;
    CUpointer_attribute attributes[] = {CU_POINTER_ATTRIBUTE_DEVICE_ORDINAL,
                                        CU_POINTER_ATTRIBUTE_MEMORY_TYPE};
    void *values[] = {&ordinal, &type};
    EXPECT_EQ(driver.cuPointerGetAttributes(2, attributes, values, p),
              CUDA_SUCCESS);
    EXPECT_EQ(ordinal, lastDevice);
    EXPECT_EQ(type, unsigned(CU_MEMORYTYPE_DEVICE));
  }
  EXPECT_EQ(driver.cuMemFree(address), CUDA_SUCCESS);
  EXPECT_EQ(driver.cuMemFreeAsync(pooled, nullptr), CUDA_SUCCESS);
  EXPECT_EQ(driver.cuMemPoolDestroy(pool), CUDA_SUCCESS);
  unsigned type = 7;
  EXPECT_EQ(driver.cuPointerGetAttribute(&type,
                                         CU_POINTER_ATTRIBUTE_MEMORY_TYPE,
                                         reinterpret_cast<CUdeviceptr>(&type)),
            CUDA_ERROR_INVALID_VALUE);
  EXPECT_EQ(driver.cuPointerGetAttribute(
                &type, CU_POINTER_ATTRIBUTE_MEMORY_TYPE, address),
            CUDA_ERROR_INVALID_VALUE);
  EXPECT_EQ(type, 7u);
  // Asked for several at once, it says that it is none of its memory.
  int ordinal = 7;
  CUcontext owner = reinterpret_cast<CUcontext>(1);
  CUpointer_attribute attributes[] = {CU_POINTER_ATTRIBUTE_CONTEXT,
                                      CU_POINTER_ATTRIBUTE_MEMORY_TYPE,
                                      CU_POINTER_ATTRIBUTE_DEVICE_ORDINAL};
  void *values[] = {&owner, &type, &ordinal};
  EXPECT_EQ(driver.cuPointerGetAttributes(3, attributes, values,
                                          reinterpret_cast<CUdeviceptr>(&type)),
            CUDA_SUCCESS);
  EXPECT_EQ(owner, nullptr);
  EXPECT_EQ(type, 0u);
  EXPECT_EQ(ordinal, -2);
}

TEST(CudaMemory, EndsWhereItWasAskedTo) {
  SIMULATED_ONLY();
  WithContext context;
  CUdeviceptr address = allocate(1000);
  int ordinal = -1;
  for (CUdeviceptr p : {address - 1, address + 1000})
    EXPECT_EQ(getDriver().cuPointerGetAttribute(
                  &ordinal, CU_POINTER_ATTRIBUTE_DEVICE_ORDINAL, p),
              CUDA_ERROR_INVALID_VALUE);
  EXPECT_EQ(getDriver().cuPointerGetAttribute(&ordinal, 12345, address),
            CUDA_ERROR_INVALID_VALUE);
  EXPECT_EQ(getDetail(), "attribute 12345 of a pointer is not simulated");
  EXPECT_EQ(getDriver().cuMemFree(address), CUDA_SUCCESS);
}

TEST(CudaPools, GiveMemory) {
  const LowpCudaDriver &driver = getDriver();
  WithContext context;
  CUstream stream = nullptr;
  EXPECT_EQ(driver.cuStreamCreate(&stream, 0), CUDA_SUCCESS);
  CUmemoryPool pool = makePool();
  uint64_t threshold = UINT64_MAX;
  EXPECT_EQ(driver.cuMemPoolSetAttribute(
                pool, CU_MEMPOOL_ATTR_RELEASE_THRESHOLD, &threshold),
            CUDA_SUCCESS);
  int no = 0;
  for (int attribute : {CU_MEMPOOL_ATTR_REUSE_FOLLOW_EVENT_DEPENDENCIES,
                        CU_MEMPOOL_ATTR_REUSE_ALLOW_OPPORTUNISTIC,
                        CU_MEMPOOL_ATTR_REUSE_ALLOW_INTERNAL_DEPENDENCIES})
    EXPECT_EQ(driver.cuMemPoolSetAttribute(pool, attribute, &no), CUDA_SUCCESS);
  EXPECT_EQ(driver.cuMemPoolSetAttribute(pool, 12345, &threshold),
            CUDA_ERROR_INVALID_VALUE);
  CUdeviceptr address = 0;
  EXPECT_EQ(driver.cuMemAllocFromPoolAsync(&address, 1000, pool, stream),
            CUDA_SUCCESS);
  EXPECT_EQ(address % 256, 0u);
  EXPECT_EQ(driver.cuMemsetD8Async(address, 3, 1000, stream), CUDA_SUCCESS);
  EXPECT_EQ(driver.cuMemPoolTrimTo(pool, 0), CUDA_SUCCESS);
  EXPECT_EQ(driver.cuStreamSynchronize(stream), CUDA_SUCCESS);
  EXPECT_THAT(readBytes(address, 1000), Each(3));
  EXPECT_EQ(driver.cuMemFreeAsync(address, stream), CUDA_SUCCESS);
  EXPECT_EQ(driver.cuMemFreeAsync(address, stream), CUDA_ERROR_INVALID_VALUE);
  EXPECT_EQ(driver.cuStreamSynchronize(stream), CUDA_SUCCESS);
  EXPECT_EQ(driver.cuStreamDestroy(stream), CUDA_SUCCESS);
  EXPECT_EQ(driver.cuMemPoolDestroy(pool), CUDA_SUCCESS);
}

TEST(CudaPools, AreDestroyedOnce) {
  SIMULATED_ONLY();
  const LowpCudaDriver &driver = getDriver();
  WithContext context;
  CUmemoryPool pool = makePool();
  CUdeviceptr address = 0, none = 0;
  EXPECT_EQ(driver.cuMemAllocFromPoolAsync(&none, 0, pool, nullptr),
            CUDA_ERROR_INVALID_VALUE);
  EXPECT_EQ(driver.cuMemAllocFromPoolAsync(&address, 8, pool, nullptr),
            CUDA_SUCCESS);
  EXPECT_EQ(driver.cuMemPoolDestroy(pool), CUDA_SUCCESS);
  EXPECT_EQ(driver.cuMemPoolDestroy(pool), CUDA_ERROR_INVALID_VALUE);
  uint64_t threshold = 0;
  EXPECT_EQ(driver.cuMemPoolSetAttribute(
                pool, CU_MEMPOOL_ATTR_RELEASE_THRESHOLD, &threshold),
            CUDA_ERROR_INVALID_VALUE);
  EXPECT_EQ(driver.cuMemPoolTrimTo(pool, 0), CUDA_ERROR_INVALID_VALUE);
  EXPECT_EQ(driver.cuMemAllocFromPoolAsync(&none, 8, pool, nullptr),
            CUDA_ERROR_INVALID_VALUE);
  // What came from it stays.
  EXPECT_EQ(driver.cuMemsetD8Async(address, 1, 8, nullptr), CUDA_SUCCESS);
  EXPECT_EQ(driver.cuMemFree(address), CUDA_SUCCESS);
}

TEST(CudaPools, AreOfADevice) {
  const LowpCudaDriver &driver = getDriver();
  CUmemPoolProps good = {};
  good.allocType = CU_MEM_ALLOCATION_TYPE_PINNED;
  good.location.type = CU_MEM_LOCATION_TYPE_DEVICE;
  CUmemoryPool pool = nullptr;
  auto create = [&](auto change) {
    CUmemPoolProps properties = good;
    change(properties);
    return driver.cuMemPoolCreate(&pool, &properties);
  };
  EXPECT_EQ(create([](CUmemPoolProps &p) { p.allocType = 0; }),
            CUDA_ERROR_INVALID_VALUE);
  EXPECT_EQ(create([](CUmemPoolProps &p) { p.location.type = 0; }),
            CUDA_ERROR_INVALID_VALUE);
  EXPECT_EQ(create([](CUmemPoolProps &p) { p.reserved[53] = 1; }),
            CUDA_ERROR_INVALID_VALUE);
  EXPECT_NE(create([](CUmemPoolProps &p) { p.location.id = 1000; }),
            CUDA_SUCCESS);
  EXPECT_EQ(pool, nullptr);
  SIMULATED_ONLY();
  EXPECT_EQ(create([](CUmemPoolProps &p) { p.handleTypes = 1; }),
            CUDA_ERROR_INVALID_VALUE);
  EXPECT_EQ(create([](CUmemPoolProps &p) { p.location.id = 5; }),
            CUDA_ERROR_INVALID_DEVICE);
  EXPECT_EQ(
      create([&](CUmemPoolProps &p) { p.win32SecurityAttributes = &pool; }),
      CUDA_ERROR_INVALID_VALUE);
}

} // namespace
