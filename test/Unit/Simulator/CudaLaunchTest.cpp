//===- CudaLaunchTest.cpp - Launches, their faults, threads ---------------===//
//
// Part of the Lowp project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "CudaDriver.h"

#include "gmock/gmock.h"

#include <atomic>
#include <thread>

using namespace lowp::sim::test;
using testing::HasSubstr;
using testing::MatchesRegex;

namespace {

std::vector<uint32_t> makeInput(size_t size) {
  std::vector<uint32_t> values(size);
  for (size_t i = 0; i < size; ++i)
    values[i] = static_cast<uint32_t>(i * 2654435761u);
  return values;
}

/// What kTripleBody makes of the first `n`.
std::vector<uint32_t> triple(std::vector<uint32_t> values, uint32_t n) {
  for (uint32_t i = 0; i < n; ++i)
    values[i] = values[i] * 3 + i;
  return values;
}

TEST(CudaLaunch, RunsAKernel) {
  int count = 0;
  EXPECT_EQ(getDriver().cuDeviceGetCount(&count), CUDA_SUCCESS);
  for (int device = 0; device < count; ++device) {
    WithContext context(device);
    LoadedText text(makeKernel(kTripleBody));
    CUstream stream = nullptr;
    EXPECT_EQ(getDriver().cuStreamCreate(&stream, 0), CUDA_SUCCESS);
    // Whole blocks, a ragged one, one thread, none.
    for (uint32_t n : {128u, 100u, 1u, 0u}) {
      std::vector<uint32_t> input = makeInput(130);
      Buffer<uint32_t> buffer(input);
      EXPECT_EQ(text.launch("k", 4, 32, {&buffer.address, &n}, stream),
                CUDA_SUCCESS)
          << getDetail();
      EXPECT_EQ(getDriver().cuStreamSynchronize(stream), CUDA_SUCCESS);
      EXPECT_EQ(buffer.read(), triple(input, n));
    }
    EXPECT_EQ(getDriver().cuStreamDestroy(stream), CUDA_SUCCESS);
  }
}

TEST(CudaLaunch, RunsInAllDimensions) {
  WithContext context;
  // p[x + 10 * y + 100 * z] for ids of blocks and threads, z above y above x.
  LoadedText text(makeKernel(R"(
  ld.param.u64 %d1, [p];
  mov.u32 %r1, %ctaid.x;
  mov.u32 %r2, %ctaid.y;
  mov.u32 %r3, %ctaid.z;
  mov.u32 %r4, %tid.x;
  mov.u32 %r5, %tid.y;
  mov.u32 %r6, %tid.z;
  mov.u32 %r7, %nctaid.x;
  mov.u32 %r8, %nctaid.y;
  mad.lo.u32 %r9, %r3, %r8, %r2;
  mad.lo.u32 %r9, %r9, %r7, %r1;
  mov.u32 %r10, %ntid.z;
  mad.lo.u32 %r9, %r9, %r10, %r6;
  mov.u32 %r10, %ntid.y;
  mad.lo.u32 %r9, %r9, %r10, %r5;
  mov.u32 %r10, %ntid.x;
  mad.lo.u32 %r9, %r9, %r10, %r4;
  mad.wide.u32 %d2, %r9, 4, %d1;
  st.global.u32 [%d2], %r9;
)"));
  std::vector<uint32_t> expected(2 * 3 * 4 * 5 * 6 * 7);
  for (uint32_t i = 0; i < expected.size(); ++i)
    expected[i] = i;
  Buffer<uint32_t> buffer(std::vector<uint32_t>(expected.size(), 0));
  uint32_t n = 0;
  void *parameters[] = {&buffer.address, &n};
  EXPECT_EQ(getDriver().cuLaunchKernel(text.get("k"), 2, 3, 4, 5, 6, 7, 0,
                                       nullptr, parameters, nullptr),
            CUDA_SUCCESS);
  EXPECT_EQ(buffer.read(), expected);
}

TEST(CudaLaunch, HasDynamicSharedMemory) {
  WithContext context;
  LoadedText text(makeKernel(R"(
  ld.param.u64 %d1, [p];
  mov.u32 %r1, %tid.x;
  shl.b32 %r2, %r1, 2;
  mov.u32 %r3, dynamic;
  add.u32 %r4, %r3, %r2;
  st.shared.u32 [%r4], %r1;
  bar.sync 0;
  xor.b32 %r5, %r2, 124;
  add.u32 %r5, %r3, %r5;
  ld.shared.u32 %r6, [%r5];
  mad.wide.u32 %d2, %r1, 4, %d1;
  st.global.u32 [%d2], %r6;
)",
                             ".extern .shared .align 4 .b8 dynamic[];\n"));
  Buffer<uint32_t> buffer(std::vector<uint32_t>(32, 0));
  uint32_t n = 0;
  void *parameters[] = {&buffer.address, &n};
  auto launch = [&](unsigned bytes) {
    return getDriver().cuLaunchKernel(text.get("k"), 1, 1, 1, 32, 1, 1, bytes,
                                      nullptr, parameters, nullptr);
  };
  for (unsigned bytes : {128u, 49152u}) {
    EXPECT_EQ(launch(bytes), CUDA_SUCCESS);
    std::vector<uint32_t> result = buffer.read();
    for (uint32_t i = 0; i < 32; ++i)
      EXPECT_EQ(result[i], 31 - i);
  }
  EXPECT_EQ(launch(49153), CUDA_ERROR_INVALID_VALUE);
  EXPECT_EQ(launch(UINT32_MAX), CUDA_ERROR_INVALID_VALUE);
  SIMULATED_ONLY();
  EXPECT_EQ(getDetail(), "kernel 'k' needs 4294967295 bytes of shared memory, "
                         "more than 49152");
  EXPECT_EQ(launch(124), CUDA_ERROR_ILLEGAL_ADDRESS);
}

TEST(CudaLaunch, ChecksItsArguments) {
  const LowpCudaDriver &driver = getDriver();
  WithContext context;
  LoadedText text(makeKernel(kTripleBody));
  LoadedText limited(makeKernel(kTripleBody, "", ".maxntid 64, 1, 1\n"));
  LoadedText exact(makeKernel(kTripleBody, "", ".reqntid 8, 2, 1\n"));
  std::vector<uint32_t> input = makeInput(64);
  Buffer<uint32_t> buffer(input);
  uint32_t n = 64;
  void *parameters[] = {&buffer.address, &n};
  auto launch = [&](const LoadedText &t, std::vector<unsigned> d) {
    return driver.cuLaunchKernel(t.get("k"), d[0], d[1], d[2], d[3], d[4], d[5],
                                 0, nullptr, parameters, nullptr);
  };
  for (const std::vector<unsigned> &wrong :
       std::vector<std::vector<unsigned>>{{0, 1, 1, 32, 1, 1},
                                          {1, 0, 1, 32, 1, 1},
                                          {1, 1, 0, 32, 1, 1},
                                          {1, 1, 1, 0, 1, 1},
                                          {1, 1, 1, 32, 0, 1},
                                          {1, 1, 1, 32, 1, 0},
                                          {1, 1, 1, 1025, 1, 1},
                                          {1, 1, 1, 32, 33, 1},
                                          {1, 1, 1, 1, 1, 65},
                                          {1, 65536, 1, 1, 1, 1},
                                          {1, 1, 65536, 1, 1, 1},
                                          {0x80000000, 1, 1, 1, 1, 1},
                                          {1, 1, 1, 65536, 65536, 1}})
    EXPECT_EQ(launch(text, wrong), CUDA_ERROR_INVALID_VALUE)
        << testing::PrintToString(wrong);
  EXPECT_EQ(launch(exact, {1, 1, 1, 8, 2, 1}), CUDA_SUCCESS);
  input = triple(input, 16);
  // y is not part of the index.
  for (uint32_t i = 0; i < 8; ++i)
    input[i] = buffer.read()[i];
  std::copy_n(makeInput(64).begin() + 8, 56, input.begin() + 8);
  EXPECT_EQ(buffer.read(), input);
  EXPECT_NE(launch(exact, {1, 1, 1, 16, 1, 1}), CUDA_SUCCESS);
  EXPECT_NE(launch(limited, {1, 1, 1, 65, 1, 1}), CUDA_SUCCESS);
  EXPECT_EQ(buffer.read(), input);
  SIMULATED_ONLY();
  EXPECT_EQ(launch(limited, {1, 1, 1, 65, 1, 1}),
            CUDA_ERROR_LAUNCH_OUT_OF_RESOURCES);
  EXPECT_EQ(getDetail(), "kernel 'k' is compiled for blocks of at most 64 "
                         "threads, but got 65");
  EXPECT_EQ(launch(exact, {1, 1, 1, 16, 1, 1}), CUDA_ERROR_INVALID_VALUE);
  EXPECT_EQ(getDetail(),
            "kernel 'k': launch: 'k' is compiled for another size of blocks");
  CUfunction k = text.get("k");
  EXPECT_EQ(
      driver.cuLaunchKernel(k, 1, 1, 1, 1, 1, 1, 0, nullptr, nullptr, nullptr),
      CUDA_ERROR_INVALID_VALUE);
  EXPECT_EQ(getDetail(), "'parameters' is null");
  void *withNull[] = {&buffer.address, nullptr};
  EXPECT_EQ(
      driver.cuLaunchKernel(k, 1, 1, 1, 1, 1, 1, 0, nullptr, withNull, nullptr),
      CUDA_ERROR_INVALID_VALUE);
  EXPECT_EQ(getDetail(), "kernel 'k' got null for parameter 1");
  void *extra[] = {nullptr};
  EXPECT_EQ(
      driver.cuLaunchKernel(k, 1, 1, 1, 1, 1, 1, 0, nullptr, parameters, extra),
      CUDA_ERROR_NOT_SUPPORTED);
  // A kernel without parameters needs none.
  LoadedText none(".version 7.0\n.target sm_80\n.address_size 64\n"
                  ".visible .entry k() {\n  ret;\n}\n");
  EXPECT_EQ(driver.cuLaunchKernel(none.get("k"), 1, 1, 1, 1, 1, 1, 0, nullptr,
                                  nullptr, nullptr),
            CUDA_SUCCESS);
}

TEST(CudaLaunch, NeedsItsContext) {
  SIMULATED_ONLY();
  const LowpCudaDriver &driver = getDriver();
  WithContext context(1);
  LoadedText text(makeKernel(kTripleBody));
  Buffer<uint32_t> buffer({1});
  uint32_t n = 1;
  CUstream here = nullptr;
  EXPECT_EQ(driver.cuStreamCreate(&here, 0), CUDA_SUCCESS);
  {
    WithContext other(2);
    CUstream there = nullptr;
    EXPECT_EQ(driver.cuStreamCreate(&there, 0), CUDA_SUCCESS);
    EXPECT_EQ(text.launch("k", 1, 1, {&buffer.address, &n}, here),
              CUDA_ERROR_INVALID_HANDLE);
    EXPECT_EQ(getDetail(),
              "the current context is of device 2, but kernel 'k' of device 1 "
              "and the stream of device 1");
    EXPECT_EQ(driver.cuCtxPushCurrent(context.context), CUDA_SUCCESS);
    EXPECT_EQ(text.launch("k", 1, 1, {&buffer.address, &n}, there),
              CUDA_ERROR_INVALID_HANDLE);
    EXPECT_EQ(driver.cuCtxPopCurrent(nullptr), CUDA_SUCCESS);
    EXPECT_EQ(driver.cuStreamDestroy(there), CUDA_SUCCESS);
    // Memory of another device is out of reach, though it exists.
    LoadedText elsewhere(makeKernel(kTripleBody));
    EXPECT_EQ(elsewhere.launch("k", 1, 1, {&buffer.address, &n}),
              CUDA_ERROR_ILLEGAL_ADDRESS);
  }
  EXPECT_EQ(text.launch("k", 1, 1, {&buffer.address, &n}, here), CUDA_SUCCESS);
  EXPECT_EQ(buffer.read(), std::vector<uint32_t>{3});
  EXPECT_EQ(driver.cuStreamDestroy(here), CUDA_SUCCESS);
}

TEST(CudaLaunch, ReportsFaultsAndGoesOn) {
  SIMULATED_ONLY();
  WithContext context;
  struct Case {
    const char *body;
    CUresult result;
    const char *detail;
  };
  const std::string load = "  ld.param.u64 %d1, [p];\n  mov.u32 %r1, %tid.x;\n";
  const Case cases[] = {
      {"  st.global.u32 [%d1+64], %r1;\n", CUDA_ERROR_ILLEGAL_ADDRESS,
       "kernel 'k': line 11: out of bounds: access of 4 bytes of global "
       "memory: no allocation holds it; block \\(0,0,0\\), thread "
       "\\(0,0,0\\), address 0x[0-9a-f]+140"},
      {"  st.global.b64 [%d1+60], %d1;\n", CUDA_ERROR_MISALIGNED_ADDRESS,
       "kernel 'k': line 11: misaligned: .*; block \\(0,0,0\\), thread "
       "\\(0,0,0\\), address 0x[0-9a-f]+13c"},
      {"  ld.global.u32 %r2, [0];\n", CUDA_ERROR_ILLEGAL_ADDRESS,
       "kernel 'k': line 11: out of bounds: .*, address 0x0"},
      {"  setp.eq.u32 %p1, %r1, 5;\n  @%p1 trap;\n", CUDA_ERROR_LAUNCH_FAILED,
       "kernel 'k': line 12: trap: .*; block \\(0,0,0\\), thread "
       "\\(5,0,0\\)"},
      {"  ld.shared.u32 %r2, [s];\n", CUDA_ERROR_LAUNCH_FAILED,
       "kernel 'k': line 11: uninitialised memory: .*"},
      {"  st.shared.u32 [s], %r1;\n", CUDA_ERROR_LAUNCH_FAILED,
       "kernel 'k': line 11: race: .*"},
      {"  setp.eq.u32 %p1, %r1, 5;\n  @%p1 ret;\n  bar.sync 0, 96;\n",
       CUDA_ERROR_LAUNCH_FAILED, "kernel 'k': line 13: barrier: .*"},
      {"  ld.shared.u32 %r2, [s+64];\n", CUDA_ERROR_ILLEGAL_ADDRESS,
       "kernel 'k': line 11: out of bounds: access of 4 bytes of shared .*"},
  };
  std::vector<uint32_t> input = makeInput(16);
  Buffer<uint32_t> buffer(input);
  uint32_t n = 16;
  LoadedText good(makeKernel(kTripleBody));
  for (const Case &c : cases) {
    LoadedText text(makeKernel(load + c.body, ".shared .align 8 .b8 s[64];\n"));
    EXPECT_EQ(text.launch("k", 1, 32, {&buffer.address, &n}), c.result)
        << c.body;
    EXPECT_THAT(getDetail(), MatchesRegex(c.detail));
    EXPECT_EQ(getDriver().cuCtxSynchronize(), CUDA_SUCCESS);
    EXPECT_EQ(good.launch("k", 1, 32, {&buffer.address, &n}), CUDA_SUCCESS);
    input = triple(input, 16);
    EXPECT_EQ(buffer.read(), input);
  }
}

TEST(CudaLaunch, GivesUpOnADeadlock) {
  SIMULATED_ONLY();
  WithContext context(1);
  LoadedText text(makeKernel(R"(
  mbarrier.init.shared.b64 [s], 2;
  mbarrier.arrive.shared.b64 %d2, [s];
wait:
  mbarrier.try_wait.shared.b64 %p1, [s], %d2;
  @!%p1 bra wait;
)",
                             ".shared .align 8 .b8 s[8];\n", "",
                             ".version 8.0\n.target sm_90\n"));
  CUdeviceptr none = 0;
  uint32_t n = 0;
  EXPECT_EQ(text.launch("k", 1, 1, {&none, &n}), CUDA_ERROR_LAUNCH_TIMEOUT);
  EXPECT_THAT(getDetail(), HasSubstr("deadlock: the phase of the mbarrier"));
}

TEST(CudaLaunch, SeesNoFreedMemory) {
  SIMULATED_ONLY();
  const LowpCudaDriver &driver = getDriver();
  WithContext context;
  LoadedText text(makeKernel(kTripleBody));
  uint32_t n = 1;
  CUdeviceptr address = 0;
  EXPECT_EQ(driver.cuMemAlloc(&address, 4), CUDA_SUCCESS);
  EXPECT_EQ(text.launch("k", 1, 1, {&address, &n}), CUDA_SUCCESS);
  n = 2;
  EXPECT_EQ(text.launch("k", 1, 2, {&address, &n}), CUDA_ERROR_ILLEGAL_ADDRESS);
  n = 1;
  EXPECT_EQ(driver.cuMemFree(address), CUDA_SUCCESS);
  EXPECT_EQ(text.launch("k", 1, 1, {&address, &n}), CUDA_ERROR_ILLEGAL_ADDRESS);
  // Nor memory of the host.
  uint32_t local = 0;
  address = reinterpret_cast<CUdeviceptr>(&local);
  EXPECT_EQ(text.launch("k", 1, 1, {&address, &n}), CUDA_ERROR_ILLEGAL_ADDRESS);
}

TEST(CudaLaunch, RunsOnAnyNumberOfThreads) {
  const LowpCudaDriver &driver = getDriver();
  WithContext context;
  std::atomic<int> failures{0};
  auto check = [&](CUresult result) {
    if (result != CUDA_SUCCESS)
      ++failures;
  };
  const std::string ptx = makeKernel(kTripleBody);
  CUmemPoolProps properties = {};
  properties.allocType = CU_MEM_ALLOCATION_TYPE_PINNED;
  properties.location.type = CU_MEM_LOCATION_TYPE_DEVICE;
  CUmemoryPool pool = nullptr;
  check(driver.cuMemPoolCreate(&pool, &properties));
  auto work = [&](uint32_t seed) {
    check(driver.cuCtxPushCurrent(context.context));
    CUstream stream = nullptr;
    CUevent event = nullptr;
    check(driver.cuStreamCreate(&stream, CU_STREAM_NON_BLOCKING));
    check(driver.cuEventCreate(&event, CU_EVENT_DISABLE_TIMING));
    for (uint32_t round = 0; round < 30; ++round) {
      CUmodule module = nullptr;
      CUfunction function = nullptr;
      check(
          driver.cuModuleLoadDataEx(&module, ptx.c_str(), 0, nullptr, nullptr));
      check(driver.cuModuleGetFunction(&function, module, "k"));
      uint32_t n = 1 + (seed * 37 + round * 101) % 500;
      std::vector<uint32_t> input = makeInput(n), output(n);
      CUdeviceptr address = 0;
      check(driver.cuMemAllocFromPoolAsync(&address, n * 4, pool, stream));
      check(driver.cuMemcpyHtoDAsync(address, input.data(), n * 4, stream));
      void *parameters[] = {&address, &n};
      check(driver.cuLaunchKernel(function, (n + 31) / 32, 1, 1, 32, 1, 1, 0,
                                  stream, parameters, nullptr));
      check(driver.cuEventRecord(event, stream));
      check(driver.cuStreamWaitEvent(nullptr, event, 0));
      check(driver.cuMemcpyDtoHAsync(output.data(), address, n * 4, stream));
      check(driver.cuMemFreeAsync(address, stream));
      check(driver.cuStreamSynchronize(stream));
      check(driver.cuModuleUnload(module));
      if (output != triple(input, n))
        ++failures;
    }
    check(driver.cuEventDestroy(event));
    check(driver.cuStreamDestroy(stream));
    check(driver.cuCtxPopCurrent(nullptr));
  };
  std::vector<std::thread> threads;
  for (uint32_t i = 0; i < 8; ++i)
    threads.emplace_back(work, i);
  for (std::thread &thread : threads)
    thread.join();
  EXPECT_EQ(failures, 0);
  check(driver.cuMemPoolDestroy(pool));
  SIMULATED_ONLY();
  EXPECT_EQ(driver.lowpCudaLiveAllocations(), 0);
}

TEST(CudaLaunch, OutlivesWhatItWorksOn) {
  SIMULATED_ONLY();
  const LowpCudaDriver &driver = getDriver();
  WithContext context(2);
  // Writes its memory many times over, while all of it goes away.
  const std::string body = std::string("  mov.u32 %r8, 0;\nagain:\n") + R"(
  ld.param.u64 %d1, [p];
  mov.u32 %r4, %tid.x;
  mad.wide.u32 %d2, %r4, 4, %d1;
  st.global.u32 [%d2], %r8;
  add.u32 %r8, %r8, 1;
  setp.lt.u32 %p1, %r8, 20000;
  @%p1 bra again;
)";
  for (bool reset : {false, true}) {
    CUcontext own = nullptr;
    EXPECT_EQ(driver.cuDevicePrimaryCtxRetain(&own, 3), CUDA_SUCCESS);
    EXPECT_EQ(driver.cuCtxPushCurrent(own), CUDA_SUCCESS);
    CUmodule module = nullptr;
    CUfunction function = nullptr;
    CUdeviceptr address = 0;
    EXPECT_EQ(driver.cuModuleLoadDataEx(&module, makeKernel(body).c_str(), 0,
                                        nullptr, nullptr),
              CUDA_SUCCESS);
    EXPECT_EQ(driver.cuModuleGetFunction(&function, module, "k"), CUDA_SUCCESS);
    EXPECT_EQ(driver.cuMemAlloc(&address, 1 << 20), CUDA_SUCCESS);
    std::atomic<bool> started{false};
    std::thread launcher([&] {
      EXPECT_EQ(driver.cuCtxPushCurrent(own), CUDA_SUCCESS);
      uint32_t n = 0;
      void *parameters[] = {&address, &n};
      started = true;
      for (int i = 0; i < 3; ++i)
        driver.cuLaunchKernel(function, 4, 1, 1, 256, 1, 1, 0, nullptr,
                              parameters, nullptr);
      EXPECT_EQ(driver.cuCtxPopCurrent(nullptr), CUDA_SUCCESS);
    });
    while (!started)
      std::this_thread::yield();
    std::this_thread::sleep_for(std::chrono::milliseconds(20));
    if (!reset) {
      EXPECT_EQ(driver.cuMemFree(address), CUDA_SUCCESS);
      EXPECT_EQ(driver.cuModuleUnload(module), CUDA_SUCCESS);
    }
    EXPECT_EQ(driver.cuCtxPopCurrent(nullptr), CUDA_SUCCESS);
    EXPECT_EQ(driver.cuDevicePrimaryCtxRelease(3), CUDA_SUCCESS);
    EXPECT_EQ(driver.lowpCudaLiveAllocations(), 0);
    launcher.join();
  }
}

} // namespace
