//===- CudaContextsTest.cpp - Devices, contexts, streams and events -------===//
//
// Part of the Lowp project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "CudaDriver.h"

#include "gmock/gmock.h"

#include <map>
#include <thread>

using namespace lowp::sim::test;
using testing::HasSubstr;

namespace {

/// Calls with zeros and nulls.
template <typename... Args>
CUresult callWithNothing(CUresult (*function)(Args...)) {
  return function(Args{}...);
}

/// Nulls, but handles that nobody gave out.
template <typename T>
T makeBogus() {
  if constexpr (std::is_same_v<T, CUcontext> || std::is_same_v<T, CUstream> ||
                std::is_same_v<T, CUevent> || std::is_same_v<T, CUmodule> ||
                std::is_same_v<T, CUfunction> ||
                std::is_same_v<T, CUmemoryPool>)
    return reinterpret_cast<T>(0xBAD0);
  else
    return T{};
}
template <typename... Args>
CUresult callWithBogus(CUresult (*function)(Args...)) {
  return function(makeBogus<Args>()...);
}

using Results = std::map<std::string, CUresult>;

/// What all functions return when `call` calls them, except for those that
/// return `usual`. Not called: what takes the context of the test away, and
/// cuInit.
template <typename Call>
Results callAll(const LowpCudaDriver &driver, CUresult usual, Call call) {
  Results results;
  auto add = [&](std::string name, auto function) {
    if (name == "cuInit" || name == "cuCtxPopCurrent" ||
        name == "cuDevicePrimaryCtxRelease")
      return;
    CUresult result = call(function);
    if (result != usual)
      results[name] = result;
  };
#define LOWP_CUDA_FUNCTION(name, symbol, parameters) add(#name, driver.name);
  LOWP_CUDA_FUNCTIONS(LOWP_CUDA_FUNCTION)
#undef LOWP_CUDA_FUNCTION
  return results;
}

TEST(CudaDriver, NothingWorksBeforeInit) {
  SIMULATED_ONLY();
  const LowpCudaDriver &driver = makeDriver({});
  EXPECT_EQ(getDetail(driver), "");
  EXPECT_EQ(driver.lowpCudaLiveAllocations(), 0);
  int version = 0;
  EXPECT_EQ(driver.cuDriverGetVersion(&version), CUDA_SUCCESS);
  EXPECT_EQ(version, 13020);
  Results results = callAll(driver, CUDA_ERROR_NOT_INITIALIZED,
                            [](auto f) { return callWithNothing(f); });
  Results expected = {{"cuDriverGetVersion", CUDA_ERROR_INVALID_VALUE},
                      {"cuGetErrorName", CUDA_ERROR_INVALID_VALUE},
                      {"cuGetErrorString", CUDA_ERROR_INVALID_VALUE}};
  EXPECT_EQ(results, expected);
  EXPECT_EQ(driver.cuCtxPopCurrent(nullptr), CUDA_ERROR_NOT_INITIALIZED);
  EXPECT_EQ(driver.cuDevicePrimaryCtxRelease(0), CUDA_ERROR_NOT_INITIALIZED);
  EXPECT_EQ(getDetail(driver), "cuInit was not called");
  EXPECT_EQ(driver.cuInit(1), CUDA_ERROR_INVALID_VALUE);
  CUdevice device = -1;
  EXPECT_EQ(driver.cuDeviceGet(&device, 0), CUDA_ERROR_NOT_INITIALIZED);
  EXPECT_EQ(driver.cuInit(0), CUDA_SUCCESS);
  EXPECT_EQ(driver.cuInit(0), CUDA_SUCCESS);
  EXPECT_EQ(driver.cuDeviceGet(&device, 0), CUDA_SUCCESS);
  EXPECT_EQ(device, 0);
}

TEST(CudaDriver, NeedsAContext) {
  SIMULATED_ONLY();
  Results results = callAll(getDriver(), CUDA_ERROR_INVALID_CONTEXT,
                            [](auto f) { return callWithNothing(f); });
  // These need none, and find nulls instead.
  Results expected = {{"cuCtxGetCurrent", CUDA_ERROR_INVALID_VALUE},
                      {"cuDeviceGet", CUDA_ERROR_INVALID_VALUE},
                      {"cuDeviceGetAttribute", CUDA_ERROR_INVALID_VALUE},
                      {"cuDeviceGetCount", CUDA_ERROR_INVALID_VALUE},
                      {"cuDeviceGetName", CUDA_ERROR_INVALID_VALUE},
                      {"cuDevicePrimaryCtxRetain", CUDA_ERROR_INVALID_VALUE},
                      {"cuDriverGetVersion", CUDA_ERROR_INVALID_VALUE},
                      {"cuGetErrorName", CUDA_ERROR_INVALID_VALUE},
                      {"cuGetErrorString", CUDA_ERROR_INVALID_VALUE},
                      {"cuMemPoolCreate", CUDA_ERROR_INVALID_VALUE},
                      {"cuMemPoolDestroy", CUDA_ERROR_INVALID_VALUE},
                      {"cuMemPoolSetAttribute", CUDA_ERROR_INVALID_VALUE},
                      {"cuMemPoolTrimTo", CUDA_ERROR_INVALID_VALUE},
                      {"cuPointerGetAttribute", CUDA_ERROR_INVALID_VALUE},
                      {"cuPointerGetAttributes", CUDA_ERROR_INVALID_VALUE}};
  EXPECT_EQ(results, expected);
  EXPECT_EQ(getDriver().cuCtxPopCurrent(nullptr), CUDA_ERROR_INVALID_CONTEXT);
}

TEST(CudaDriver, RefusesNulls) {
  SIMULATED_ONLY();
  WithContext context;
  Results results = callAll(getDriver(), CUDA_ERROR_INVALID_VALUE,
                            [](auto f) { return callWithNothing(f); });
  // Copies and fills are of no bytes then, and the null stream always exists.
  Results expected = {{"cuCtxPushCurrent", CUDA_ERROR_INVALID_CONTEXT},
                      {"cuCtxSynchronize", CUDA_SUCCESS},
                      {"cuEventDestroy", CUDA_ERROR_INVALID_HANDLE},
                      {"cuEventRecord", CUDA_ERROR_INVALID_HANDLE},
                      {"cuLaunchKernel", CUDA_ERROR_INVALID_HANDLE},
                      {"cuMemcpy", CUDA_SUCCESS},
                      {"cuMemcpyAsync", CUDA_SUCCESS},
                      {"cuMemcpyDtoDAsync", CUDA_SUCCESS},
                      {"cuMemcpyDtoHAsync", CUDA_SUCCESS},
                      {"cuMemcpyHtoDAsync", CUDA_SUCCESS},
                      {"cuMemsetD16Async", CUDA_SUCCESS},
                      {"cuMemsetD32Async", CUDA_SUCCESS},
                      {"cuMemsetD8Async", CUDA_SUCCESS},
                      {"cuModuleUnload", CUDA_ERROR_INVALID_HANDLE},
                      {"cuStreamDestroy", CUDA_ERROR_INVALID_HANDLE},
                      {"cuStreamSynchronize", CUDA_SUCCESS},
                      {"cuStreamWaitEvent", CUDA_ERROR_INVALID_HANDLE}};
  EXPECT_EQ(results, expected);
}

TEST(CudaDriver, RefusesUnknownHandles) {
  SIMULATED_ONLY();
  WithContext context;
  Results results = callAll(getDriver(), CUDA_ERROR_INVALID_HANDLE,
                            [](auto f) { return callWithBogus(f); });
  // Those without handles, with others, and with something else that is wrong.
  for (const char *name : {"cuCtxGetCurrent",
                           "cuCtxGetDevice",
                           "cuDeviceGet",
                           "cuDeviceGetAttribute",
                           "cuDeviceGetCount",
                           "cuDeviceGetName",
                           "cuDevicePrimaryCtxRetain",
                           "cuDriverGetVersion",
                           "cuEventCreate",
                           "cuGetErrorName",
                           "cuGetErrorString",
                           "cuMemAlloc",
                           "cuMemFree",
                           "cuMemPoolCreate",
                           "cuMemPoolDestroy",
                           "cuMemPoolSetAttribute",
                           "cuMemPoolTrimTo",
                           "cuModuleGetFunction",
                           "cuModuleLoadDataEx",
                           "cuPointerGetAttribute",
                           "cuPointerGetAttributes",
                           "cuStreamCreate"}) {
    EXPECT_EQ(results[name], CUDA_ERROR_INVALID_VALUE) << name;
    results.erase(name);
  }
  Results expected = {{"cuCtxPushCurrent", CUDA_ERROR_INVALID_CONTEXT},
                      {"cuCtxSynchronize", CUDA_SUCCESS},
                      {"cuMemcpy", CUDA_SUCCESS}};
  EXPECT_EQ(results, expected);
}

TEST(CudaDriver, FollowsTheEnvironment) {
  SIMULATED_ONLY();
  const LowpCudaDriver &two =
      makeDriver({{"LOWP_SIM_DEVICES", "sm_103a, sm_80,sm_103a"},
                  {"LOWP_SIM_DRIVER_VERSION", "12080"}});
  ASSERT_EQ(two.cuInit(0), CUDA_SUCCESS);
  int count = 0, version = 0;
  EXPECT_EQ(two.cuDeviceGetCount(&count), CUDA_SUCCESS);
  EXPECT_EQ(count, 3);
  EXPECT_EQ(two.cuDriverGetVersion(&version), CUDA_SUCCESS);
  EXPECT_EQ(version, 12080);
  for (auto [device, expected] :
       {std::pair(0, "simulated sm_103a"), std::pair(1, "simulated sm_80"),
        std::pair(2, "simulated sm_103a")}) {
    char name[64];
    EXPECT_EQ(two.cuDeviceGetName(name, sizeof(name), device), CUDA_SUCCESS);
    EXPECT_STREQ(name, expected);
  }

  const LowpCudaDriver &none = makeDriver({{"LOWP_SIM_DEVICES", ""}});
  EXPECT_EQ(none.cuInit(0), CUDA_ERROR_NO_DEVICE);
  EXPECT_EQ(none.cuDeviceGetCount(&count), CUDA_ERROR_NOT_INITIALIZED);

  const LowpCudaDriver &unknown =
      makeDriver({{"LOWP_SIM_DEVICES", "sm_80,sm_42"}});
  EXPECT_EQ(unknown.cuInit(0), CUDA_ERROR_INVALID_DEVICE);
  EXPECT_EQ(getDetail(unknown),
            "LOWP_SIM_DEVICES names 'sm_42', expected some of sm_80, sm_90a, "
            "sm_100a, sm_103a, sm_120a");

  for (const char *text : {"", "x", "-1", "13.0"}) {
    const LowpCudaDriver &driver =
        makeDriver({{"LOWP_SIM_DRIVER_VERSION", text}});
    EXPECT_EQ(driver.cuDriverGetVersion(&version), CUDA_ERROR_INVALID_VALUE);
    EXPECT_EQ(driver.cuInit(0), CUDA_ERROR_INVALID_VALUE);
    EXPECT_EQ(getDetail(driver), "LOWP_SIM_DRIVER_VERSION is '" +
                                     std::string(text) +
                                     "', expected a number such as 13000");
  }
  const LowpCudaDriver &memory = makeDriver({{"LOWP_SIM_MEMORY_BYTES", "1G"}});
  EXPECT_EQ(memory.cuInit(0), CUDA_ERROR_INVALID_VALUE);
  EXPECT_EQ(getDetail(memory),
            "LOWP_SIM_MEMORY_BYTES is '1G', expected a number of bytes");
}

TEST(CudaDriver, NamesErrors) {
  const LowpCudaDriver &driver = getDriver();
  const char *text = nullptr;
#define LOWP_CUDA_RESULT(name, value, string)                                  \
  EXPECT_EQ(driver.cuGetErrorName(name, &text), CUDA_SUCCESS) << #name;        \
  EXPECT_STREQ(text, #name);                                                   \
  EXPECT_EQ(driver.cuGetErrorString(name, &text), CUDA_SUCCESS) << #name;      \
  EXPECT_STREQ(text, string);
  LOWP_CUDA_RESULTS(LOWP_CUDA_RESULT)
#undef LOWP_CUDA_RESULT
  EXPECT_EQ(driver.cuGetErrorName(-7, &text), CUDA_ERROR_INVALID_VALUE);
  EXPECT_EQ(text, nullptr);
  text = "";
  EXPECT_EQ(driver.cuGetErrorString(98765, &text), CUDA_ERROR_INVALID_VALUE);
  EXPECT_EQ(text, nullptr);
}

TEST(CudaDriver, HasADeviceForEachTarget) {
  SIMULATED_ONLY();
  const LowpCudaDriver &driver = getDriver();
  struct {
    const char *name;
    int major, minor;
  } expected[] = {{"simulated sm_80", 8, 0},
                  {"simulated sm_90a", 9, 0},
                  {"simulated sm_100a", 10, 0},
                  {"simulated sm_103a", 10, 3},
                  {"simulated sm_120a", 12, 0}};
  int count = 0;
  EXPECT_EQ(driver.cuDeviceGetCount(&count), CUDA_SUCCESS);
  ASSERT_EQ(count, 5);
  auto get = [&](int attribute, CUdevice device) {
    int value = -1;
    EXPECT_EQ(driver.cuDeviceGetAttribute(&value, attribute, device),
              CUDA_SUCCESS);
    return value;
  };
  for (int ordinal = 0; ordinal < count; ++ordinal) {
    CUdevice device = -1;
    EXPECT_EQ(driver.cuDeviceGet(&device, ordinal), CUDA_SUCCESS);
    char name[64];
    EXPECT_EQ(driver.cuDeviceGetName(name, sizeof(name), device), CUDA_SUCCESS);
    EXPECT_STREQ(name, expected[ordinal].name);
    EXPECT_EQ(get(CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MAJOR, device),
              expected[ordinal].major);
    EXPECT_EQ(get(CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MINOR, device),
              expected[ordinal].minor);
  }
}

TEST(CudaDriver, KnowsItsDevices) {
  const LowpCudaDriver &driver = getDriver();
  auto get = [&](int attribute) {
    int value = -1;
    EXPECT_EQ(driver.cuDeviceGetAttribute(&value, attribute, 0), CUDA_SUCCESS);
    return value;
  };
  EXPECT_EQ(get(CU_DEVICE_ATTRIBUTE_MAX_THREADS_PER_BLOCK), 1024);
  EXPECT_EQ(get(CU_DEVICE_ATTRIBUTE_MAX_BLOCK_DIM_X), 1024);
  EXPECT_EQ(get(CU_DEVICE_ATTRIBUTE_MAX_BLOCK_DIM_Y), 1024);
  EXPECT_EQ(get(CU_DEVICE_ATTRIBUTE_MAX_BLOCK_DIM_Z), 64);
  EXPECT_EQ(get(CU_DEVICE_ATTRIBUTE_MAX_GRID_DIM_X), 0x7FFFFFFF);
  EXPECT_EQ(get(CU_DEVICE_ATTRIBUTE_MAX_GRID_DIM_Y), 65535);
  EXPECT_EQ(get(CU_DEVICE_ATTRIBUTE_MAX_GRID_DIM_Z), 65535);
  EXPECT_EQ(get(CU_DEVICE_ATTRIBUTE_MAX_SHARED_MEMORY_PER_BLOCK), 49152);
  EXPECT_EQ(get(CU_DEVICE_ATTRIBUTE_WARP_SIZE), 32);
  EXPECT_EQ(get(CU_DEVICE_ATTRIBUTE_UNIFIED_ADDRESSING), 1);
  EXPECT_EQ(get(CU_DEVICE_ATTRIBUTE_MEMORY_POOLS_SUPPORTED), 1);
  int value = 0;
  EXPECT_EQ(driver.cuDeviceGetAttribute(&value, 1 << 20, 0),
            CUDA_ERROR_INVALID_VALUE);

  for (int ordinal : {-1, 1 << 20}) {
    CUdevice device = 0;
    CUcontext context = nullptr;
    char name[8];
    EXPECT_EQ(driver.cuDeviceGet(&device, ordinal), CUDA_ERROR_INVALID_DEVICE);
    EXPECT_EQ(driver.cuDeviceGetName(name, sizeof(name), ordinal),
              CUDA_ERROR_INVALID_DEVICE);
    EXPECT_EQ(
        driver.cuDeviceGetAttribute(
            &value, CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MAJOR, ordinal),
        CUDA_ERROR_INVALID_DEVICE);
    EXPECT_EQ(driver.cuDevicePrimaryCtxRetain(&context, ordinal),
              CUDA_ERROR_INVALID_DEVICE);
    EXPECT_EQ(driver.cuDevicePrimaryCtxRelease(ordinal),
              CUDA_ERROR_INVALID_DEVICE);
  }
  // A name is cut off where it does not fit.
  char whole[64], part[64];
  EXPECT_EQ(driver.cuDeviceGetName(whole, sizeof(whole), 0), CUDA_SUCCESS);
  std::fill(part, part + sizeof(part), '?');
  EXPECT_EQ(driver.cuDeviceGetName(part, 5, 0), CUDA_SUCCESS);
  EXPECT_EQ(part, std::string(whole).substr(0, 4));
  EXPECT_EQ(part[5], '?');
  EXPECT_EQ(driver.cuDeviceGetName(part, 0, 0), CUDA_ERROR_INVALID_VALUE);
  EXPECT_EQ(driver.cuDeviceGetName(part, -4, 0), CUDA_ERROR_INVALID_VALUE);
}

TEST(CudaContexts, AreAStackPerThread) {
  const LowpCudaDriver &driver = getDriver();
  CUcontext current = nullptr;
  EXPECT_EQ(driver.cuCtxGetCurrent(&current), CUDA_SUCCESS);
  EXPECT_EQ(current, nullptr);
  {
    WithContext outer;
    EXPECT_EQ(driver.cuCtxGetCurrent(&current), CUDA_SUCCESS);
    EXPECT_EQ(current, outer.context);
    std::thread([&] {
      CUcontext other = outer.context;
      EXPECT_EQ(driver.cuCtxGetCurrent(&other), CUDA_SUCCESS);
      EXPECT_EQ(other, nullptr);
      CUdevice device = -1;
      EXPECT_EQ(driver.cuCtxGetDevice(&device), CUDA_ERROR_INVALID_CONTEXT);
      EXPECT_EQ(driver.cuCtxPushCurrent(outer.context), CUDA_SUCCESS);
      EXPECT_EQ(driver.cuCtxGetDevice(&device), CUDA_SUCCESS);
      EXPECT_EQ(device, 0);
      EXPECT_EQ(driver.cuCtxPopCurrent(&other), CUDA_SUCCESS);
      EXPECT_EQ(other, outer.context);
    }).join();
    if (isSimulated()) {
      WithContext inner(3);
      EXPECT_NE(inner.context, outer.context);
      CUdevice device = -1;
      EXPECT_EQ(driver.cuCtxGetDevice(&device), CUDA_SUCCESS);
      EXPECT_EQ(device, 3);
    }
    // A context may be there more than once.
    EXPECT_EQ(driver.cuCtxPushCurrent(outer.context), CUDA_SUCCESS);
    EXPECT_EQ(driver.cuCtxPopCurrent(&current), CUDA_SUCCESS);
    EXPECT_EQ(current, outer.context);
    EXPECT_EQ(driver.cuCtxSynchronize(), CUDA_SUCCESS);
  }
  EXPECT_EQ(driver.cuCtxPopCurrent(&current), CUDA_ERROR_INVALID_CONTEXT);
  EXPECT_EQ(driver.cuCtxSynchronize(), CUDA_ERROR_INVALID_CONTEXT);
}

/// What a program has per thread, and destroys after its last line.
struct OwnMemory {
  ~OwnMemory() {
    if (!address)
      return;
    freed = getDriver().cuMemFree(address);
    again = getDriver().cuMemFree(address);
  }

  CUdeviceptr address = 0;
  static CUresult freed, again;
};
CUresult OwnMemory::freed = CUDA_ERROR_UNKNOWN;
CUresult OwnMemory::again = CUDA_ERROR_UNKNOWN;

TEST(CudaContexts, ArePartOfAThreadToItsEnd) {
  WithContext context;
  std::thread([&] {
    // Made before anything that the driver has per thread.
    static thread_local OwnMemory memory;
    memory.address = 0;
    EXPECT_EQ(getDriver().cuCtxPushCurrent(context.context), CUDA_SUCCESS);
    EXPECT_EQ(getDriver().cuMemAlloc(&memory.address, 1), CUDA_SUCCESS);
  }).join();
  EXPECT_EQ(OwnMemory::freed, CUDA_SUCCESS);
  EXPECT_EQ(OwnMemory::again, CUDA_ERROR_INVALID_VALUE);
}

TEST(CudaContexts, AreNotPushedWithoutEnd) {
  SIMULATED_ONLY();
  WithContext context;
  const LowpCudaDriver &driver = getDriver();
  int pushed = 0;
  while (driver.cuCtxPushCurrent(context.context) == CUDA_SUCCESS)
    ASSERT_LT(++pushed, 10000);
  EXPECT_EQ(pushed, 255);
  EXPECT_EQ(getDetail(), "the thread has pushed 256 contexts");
  for (; pushed > 0; --pushed)
    EXPECT_EQ(driver.cuCtxPopCurrent(nullptr), CUDA_SUCCESS);
}

TEST(CudaContexts, EndWithTheLastRelease) {
  SIMULATED_ONLY();
  const LowpCudaDriver &driver = getDriver();
  CUcontext first = nullptr, second = nullptr;
  EXPECT_EQ(driver.cuDevicePrimaryCtxRetain(&first, 1), CUDA_SUCCESS);
  EXPECT_EQ(driver.cuDevicePrimaryCtxRetain(&second, 1), CUDA_SUCCESS);
  EXPECT_EQ(first, second);
  EXPECT_EQ(driver.cuCtxPushCurrent(first), CUDA_SUCCESS);
  CUstream stream = nullptr;
  CUevent event = nullptr;
  CUdeviceptr memory = 0, pooled = 0;
  CUmemoryPool pool = nullptr;
  CUmodule module = nullptr;
  CUfunction function = nullptr;
  CUmemPoolProps properties = {};
  properties.allocType = CU_MEM_ALLOCATION_TYPE_PINNED;
  properties.location = {CU_MEM_LOCATION_TYPE_DEVICE, 1};
  EXPECT_EQ(driver.cuStreamCreate(&stream, 0), CUDA_SUCCESS);
  EXPECT_EQ(driver.cuEventCreate(&event, 0), CUDA_SUCCESS);
  EXPECT_EQ(driver.cuMemAlloc(&memory, 1000), CUDA_SUCCESS);
  EXPECT_EQ(driver.cuMemPoolCreate(&pool, &properties), CUDA_SUCCESS);
  EXPECT_EQ(driver.cuMemAllocFromPoolAsync(&pooled, 1000, pool, stream),
            CUDA_SUCCESS);
  EXPECT_EQ(driver.cuModuleLoadDataEx(&module, makeKernel("").c_str(), 0,
                                      nullptr, nullptr),
            CUDA_SUCCESS);
  EXPECT_EQ(driver.cuModuleGetFunction(&function, module, "k"), CUDA_SUCCESS);
  EXPECT_EQ(driver.lowpCudaLiveAllocations(), 2);

  EXPECT_EQ(driver.cuDevicePrimaryCtxRelease(1), CUDA_SUCCESS);
  EXPECT_EQ(driver.cuStreamSynchronize(stream), CUDA_SUCCESS);
  EXPECT_EQ(driver.cuDevicePrimaryCtxRelease(1), CUDA_SUCCESS);
  EXPECT_EQ(driver.cuDevicePrimaryCtxRelease(1), CUDA_ERROR_INVALID_CONTEXT);
  EXPECT_EQ(driver.lowpCudaLiveAllocations(), 0);
  EXPECT_EQ(driver.cuCtxSynchronize(), CUDA_ERROR_CONTEXT_IS_DESTROYED);
  EXPECT_EQ(driver.cuStreamCreate(&stream, 0), CUDA_ERROR_CONTEXT_IS_DESTROYED);
  EXPECT_EQ(driver.cuCtxPushCurrent(first), CUDA_ERROR_INVALID_CONTEXT);
  EXPECT_EQ(driver.cuCtxPopCurrent(nullptr), CUDA_SUCCESS);

  WithContext again(1);
  EXPECT_EQ(driver.cuStreamSynchronize(stream), CUDA_ERROR_INVALID_HANDLE);
  EXPECT_EQ(driver.cuEventDestroy(event), CUDA_ERROR_INVALID_HANDLE);
  EXPECT_EQ(driver.cuMemFree(memory), CUDA_ERROR_INVALID_VALUE);
  EXPECT_EQ(driver.cuMemFree(pooled), CUDA_ERROR_INVALID_VALUE);
  EXPECT_EQ(driver.cuMemPoolDestroy(pool), CUDA_ERROR_INVALID_VALUE);
  EXPECT_EQ(driver.cuModuleUnload(module), CUDA_ERROR_INVALID_HANDLE);
  EXPECT_EQ(driver.cuLaunchKernel(function, 1, 1, 1, 1, 1, 1, 0, nullptr,
                                  nullptr, nullptr),
            CUDA_ERROR_INVALID_HANDLE);
}

TEST(CudaStreams, AreCreatedAndDestroyedOnce) {
  const LowpCudaDriver &driver = getDriver();
  WithContext context;
  CUstream stream = nullptr, other = nullptr;
  EXPECT_EQ(driver.cuStreamCreate(&stream, CU_STREAM_DEFAULT), CUDA_SUCCESS);
  EXPECT_EQ(driver.cuStreamCreate(&other, CU_STREAM_NON_BLOCKING),
            CUDA_SUCCESS);
  EXPECT_NE(stream, other);
  EXPECT_EQ(driver.cuStreamCreate(&other, 1 << 12), CUDA_ERROR_INVALID_VALUE);
  for (CUstream s :
       {stream, CUstream(nullptr), CU_STREAM_LEGACY, CU_STREAM_PER_THREAD})
    EXPECT_EQ(driver.cuStreamSynchronize(s), CUDA_SUCCESS);
  EXPECT_EQ(driver.cuStreamDestroy(nullptr), CUDA_ERROR_INVALID_HANDLE);
  EXPECT_EQ(driver.cuStreamDestroy(other), CUDA_SUCCESS);
  EXPECT_EQ(driver.cuStreamDestroy(stream), CUDA_SUCCESS);
  SIMULATED_ONLY();
  EXPECT_EQ(driver.cuStreamDestroy(CU_STREAM_LEGACY),
            CUDA_ERROR_INVALID_HANDLE);
  EXPECT_EQ(driver.cuStreamDestroy(stream), CUDA_ERROR_INVALID_HANDLE);
  EXPECT_EQ(driver.cuStreamSynchronize(stream), CUDA_ERROR_INVALID_HANDLE);
  EXPECT_THAT(getDetail(), HasSubstr(" is no handle of a stream"));
}

TEST(CudaEvents, AreRecordedAndWaitedFor) {
  const LowpCudaDriver &driver = getDriver();
  WithContext context;
  CUstream stream = nullptr;
  CUevent event = nullptr, other = nullptr;
  EXPECT_EQ(driver.cuStreamCreate(&stream, CU_STREAM_NON_BLOCKING),
            CUDA_SUCCESS);
  EXPECT_EQ(driver.cuEventCreate(&event, CU_EVENT_DISABLE_TIMING),
            CUDA_SUCCESS);
  EXPECT_EQ(driver.cuEventCreate(&other, 1 << 12), CUDA_ERROR_INVALID_VALUE);
  // One that was never recorded has happened.
  EXPECT_EQ(driver.cuStreamWaitEvent(stream, event, 0), CUDA_SUCCESS);
  EXPECT_EQ(driver.cuEventRecord(event, nullptr), CUDA_SUCCESS);
  EXPECT_EQ(driver.cuStreamWaitEvent(stream, event, 0), CUDA_SUCCESS);
  EXPECT_EQ(driver.cuStreamWaitEvent(stream, event, 1 << 12),
            CUDA_ERROR_INVALID_VALUE);
  EXPECT_EQ(driver.cuEventRecord(event, stream), CUDA_SUCCESS);
  EXPECT_EQ(driver.cuEventDestroy(event), CUDA_SUCCESS);
  EXPECT_EQ(driver.cuStreamDestroy(stream), CUDA_SUCCESS);
  SIMULATED_ONLY();
  EXPECT_EQ(driver.cuEventDestroy(event), CUDA_ERROR_INVALID_HANDLE);
  EXPECT_EQ(driver.cuEventRecord(event, nullptr), CUDA_ERROR_INVALID_HANDLE);
  EXPECT_EQ(driver.cuStreamWaitEvent(nullptr, event, 0),
            CUDA_ERROR_INVALID_HANDLE);
}

TEST(CudaEvents, BelongToADevice) {
  SIMULATED_ONLY();
  const LowpCudaDriver &driver = getDriver();
  WithContext context(1);
  CUevent event = nullptr;
  CUstream stream = nullptr;
  EXPECT_EQ(driver.cuEventCreate(&event, CU_EVENT_DEFAULT), CUDA_SUCCESS);
  EXPECT_EQ(driver.cuStreamCreate(&stream, CU_STREAM_DEFAULT), CUDA_SUCCESS);
  {
    WithContext other(2);
    EXPECT_EQ(driver.cuEventRecord(event, nullptr), CUDA_ERROR_INVALID_HANDLE);
    EXPECT_EQ(getDetail(),
              "the event is of device 1, but the stream of device 2");
    EXPECT_EQ(driver.cuEventRecord(event, stream), CUDA_SUCCESS);
    EXPECT_EQ(driver.cuStreamWaitEvent(nullptr, event, 0), CUDA_SUCCESS);
  }
  // A handle of one kind is none of another.
  EXPECT_EQ(driver.cuStreamSynchronize(reinterpret_cast<CUstream>(event)),
            CUDA_ERROR_INVALID_HANDLE);
  EXPECT_EQ(driver.cuEventDestroy(reinterpret_cast<CUevent>(stream)),
            CUDA_ERROR_INVALID_HANDLE);
  EXPECT_EQ(driver.cuStreamDestroy(stream), CUDA_SUCCESS);
  EXPECT_EQ(driver.cuEventDestroy(event), CUDA_SUCCESS);
}

TEST(CudaDriver, KeepsDetailsPerThread) {
  SIMULATED_ONLY();
  const LowpCudaDriver &driver = getDriver();
  CUdevice device = 0;
  EXPECT_EQ(driver.cuDeviceGet(&device, 77), CUDA_ERROR_INVALID_DEVICE);
  EXPECT_EQ(getDetail(), "there is no device 77, only 5");
  EXPECT_EQ(driver.cuDeviceGet(&device, 0), CUDA_SUCCESS);
  EXPECT_EQ(getDetail(), "there is no device 77, only 5");
  std::thread([&] {
    EXPECT_EQ(getDetail(), "");
    EXPECT_EQ(driver.cuDeviceGet(nullptr, 0), CUDA_ERROR_INVALID_VALUE);
    EXPECT_EQ(getDetail(), "'device' is null");
  }).join();
  EXPECT_EQ(getDetail(), "there is no device 77, only 5");
}

} // namespace
