//===- CudaModulesTest.cpp - Modules and kernels --------------------------===//
//
// Part of the Lowp project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "CudaDriver.h"

#include "gmock/gmock.h"

using namespace lowp::sim::test;
using testing::HasSubstr;

namespace {

/// Loads a text, and unloads it where that works.
CUresult tryLoad(const std::string &ptx,
                 const LowpCudaDriver &driver = getDriver()) {
  CUmodule module = nullptr;
  CUresult result =
      driver.cuModuleLoadDataEx(&module, ptx.c_str(), 0, nullptr, nullptr);
  EXPECT_EQ(result == CUDA_SUCCESS, module != nullptr);
  if (result == CUDA_SUCCESS) {
    EXPECT_EQ(driver.cuModuleUnload(module), CUDA_SUCCESS);
  }
  return result;
}

std::string makeHeader(const std::string &version, const std::string &target) {
  return ".version " + version + "\n.target " + target + "\n";
}

TEST(CudaModules, AreLoadedAndUnloadedOnce) {
  const LowpCudaDriver &driver = getDriver();
  WithContext context;
  std::string ptx = makeKernel("");
  CUmodule a = nullptr, b = nullptr;
  EXPECT_EQ(driver.cuModuleLoadDataEx(&a, ptx.c_str(), 0, nullptr, nullptr),
            CUDA_SUCCESS);
  EXPECT_EQ(driver.cuModuleLoadDataEx(&b, ptx.c_str(), 0, nullptr, nullptr),
            CUDA_SUCCESS);
  EXPECT_NE(a, b);
  CUfunction f = nullptr, again = nullptr, other = nullptr;
  EXPECT_EQ(driver.cuModuleGetFunction(&f, a, "k"), CUDA_SUCCESS);
  EXPECT_EQ(driver.cuModuleGetFunction(&again, a, "k"), CUDA_SUCCESS);
  EXPECT_EQ(f, again);
  EXPECT_EQ(driver.cuModuleGetFunction(&other, b, "k"), CUDA_SUCCESS);
  EXPECT_NE(f, other);
  for (const char *name : {"kk", "", "K"})
    EXPECT_EQ(driver.cuModuleGetFunction(&f, a, name), CUDA_ERROR_NOT_FOUND);
  if (isSimulated()) {
    EXPECT_EQ(getDetail(), "the module has no kernel 'K'");
  }
  EXPECT_EQ(driver.cuModuleUnload(a), CUDA_SUCCESS);
  EXPECT_EQ(driver.cuModuleUnload(b), CUDA_SUCCESS);
  SIMULATED_ONLY();
  EXPECT_EQ(driver.cuModuleUnload(a), CUDA_ERROR_INVALID_HANDLE);
  EXPECT_EQ(driver.cuModuleGetFunction(&f, a, "k"), CUDA_ERROR_INVALID_HANDLE);
  EXPECT_EQ(
      driver.cuLaunchKernel(f, 1, 1, 1, 1, 1, 1, 0, nullptr, nullptr, nullptr),
      CUDA_ERROR_INVALID_HANDLE);
}

TEST(CudaModules, ReportErrorsOfTheText) {
  WithContext context;
  EXPECT_EQ(tryLoad(makeKernel("")), CUDA_SUCCESS);
  EXPECT_EQ(tryLoad(""), CUDA_ERROR_INVALID_PTX);
  EXPECT_EQ(tryLoad("no PTX at all"), CUDA_ERROR_INVALID_PTX);
  EXPECT_EQ(tryLoad(makeKernel("  add.u32 %r1 %r2;\n")),
            CUDA_ERROR_INVALID_PTX);
  EXPECT_EQ(tryLoad(makeKernel("  frobnicate.u32 %r1, %r2;\n")),
            CUDA_ERROR_INVALID_PTX);
  // Of a newer GPU.
  EXPECT_EQ(tryLoad(makeKernel("  add.rn.f32x2 %d1, %d2, %d3;\n", "", "",
                               makeHeader("8.6", "sm_80"))),
            CUDA_ERROR_INVALID_PTX);
  // More than 48 KiB.
  std::string shared = "  mov.u32 %r1, s;\n";
  EXPECT_EQ(tryLoad(makeKernel(shared, ".shared .align 4 .b8 s[49152];\n")),
            CUDA_SUCCESS);
  EXPECT_EQ(tryLoad(makeKernel(shared, ".shared .align 4 .b8 s[49153];\n")),
            CUDA_ERROR_INVALID_PTX);
  SIMULATED_ONLY();
  EXPECT_EQ(getDetail(), "kernel 'k' has 49153 bytes of static shared memory, "
                         "more than 49152");
  EXPECT_EQ(tryLoad(std::string("\x7F"
                                "ELF\2\1\1",
                                7)),
            CUDA_ERROR_INVALID_IMAGE);
  EXPECT_EQ(getDetail(), "the image is a cubin; only PTX is simulated");
  EXPECT_EQ(tryLoad("\x50\xED\x55\xBA\1"), CUDA_ERROR_INVALID_IMAGE);
  EXPECT_EQ(getDetail(), "the image is a fat binary; only PTX is simulated");
  // What would take the memory of the host.
  std::string globals;
  for (int i = 0; i < 5; ++i)
    globals += ".global .b8 g" + std::to_string(i) + "[536870912];\n";
  EXPECT_EQ(tryLoad(makeKernel("", globals)), CUDA_ERROR_INVALID_PTX);
  EXPECT_EQ(getDetail(),
            "line 6: syntax: variables take more than 1073741824 bytes");
}

TEST(CudaModules, RunOnTheirTargets) {
  SIMULATED_ONLY();
  // By device: sm_80, sm_90a, sm_100a, sm_103a, sm_120a.
  const std::pair<const char *, const char *> cases[] = {
      {"sm_75", "11111"},   {"sm_80", "11111"},   {"sm_86", "01111"},
      {"sm_90", "01111"},   {"sm_90a", "01000"},  {"sm_100", "00111"},
      {"sm_100a", "00100"}, {"sm_100f", "00110"}, {"sm_103", "00011"},
      {"sm_103a", "00010"}, {"sm_103f", "00010"}, {"sm_110", "00001"},
      {"sm_110f", "00000"}, {"sm_120", "00001"},  {"sm_120a", "00001"},
      {"sm_120f", "00001"}, {"sm_121", "00000"},  {"sm_121a", "00000"},
      {"sm_121f", "00000"},
  };
  for (auto [target, expected] : cases)
    for (int device = 0; device < 5; ++device) {
      WithContext context(device);
      EXPECT_EQ(tryLoad(makeKernel("", "", "", makeHeader("9.0", target))),
                expected[device] == '1' ? CUDA_SUCCESS
                                        : CUDA_ERROR_NO_BINARY_FOR_GPU)
          << target << " on device " << device;
    }
  WithContext context(1);
  EXPECT_EQ(tryLoad(makeKernel("", "", "", makeHeader("9.0", "sm_103a"))),
            CUDA_ERROR_NO_BINARY_FOR_GPU);
  EXPECT_EQ(getDetail(), "the text is for sm_103a, but device 1 is an sm_90a");
}

TEST(CudaModules, NeedADriverThatIsNewEnough) {
  SIMULATED_ONLY();
  const std::tuple<const char *, const char *, const char *> cases[] = {
      {"11000", "7.0", "7.1"}, {"12060", "8.5", "8.6"}, {"12080", "8.7", "8.8"},
      {"13000", "9.0", "9.1"}, {"13010", "9.1", "9.2"}, {"14000", "9.2", "9.3"},
  };
  for (auto [version, newest, next] : cases) {
    const LowpCudaDriver &driver =
        makeDriver({{"LOWP_SIM_DRIVER_VERSION", version}});
    ASSERT_EQ(driver.cuInit(0), CUDA_SUCCESS);
    WithContext context(0, driver);
    EXPECT_EQ(
        tryLoad(makeKernel("", "", "", makeHeader(newest, "sm_80")), driver),
        CUDA_SUCCESS)
        << version;
    // Whatever else the text holds: it may be of that version.
    EXPECT_EQ(tryLoad("// newer\n" + makeKernel("  frobnicate.u32 %r1;\n", "",
                                                "", makeHeader(next, "sm_80")),
                      driver),
              CUDA_ERROR_UNSUPPORTED_PTX_VERSION)
        << version;
  }
  WithContext context;
  EXPECT_EQ(tryLoad(makeKernel("", "", "", makeHeader("9.3", "sm_80"))),
            CUDA_ERROR_UNSUPPORTED_PTX_VERSION);
  EXPECT_EQ(getDetail(), "the text is PTX 9.3, but the driver has CUDA 13.2 "
                         "and takes up to PTX 9.2");
}

TEST(CudaModules, WriteErrorsToTheLog) {
  const LowpCudaDriver &driver = getDriver();
  WithContext context;
  char errors[1024], infos[64];
  auto load = [&](const std::string &ptx, size_t errorBytes) {
    std::fill(errors, errors + sizeof(errors), '?');
    std::fill(infos, infos + sizeof(infos), '?');
    CUjit_option options[] = {CU_JIT_ERROR_LOG_BUFFER_SIZE_BYTES,
                              CU_JIT_ERROR_LOG_BUFFER, CU_JIT_INFO_LOG_BUFFER,
                              CU_JIT_INFO_LOG_BUFFER_SIZE_BYTES};
    void *values[] = {reinterpret_cast<void *>(errorBytes), errors, infos,
                      reinterpret_cast<void *>(sizeof(infos))};
    CUmodule module = nullptr;
    CUresult result =
        driver.cuModuleLoadDataEx(&module, ptx.c_str(), 4, options, values);
    if (result == CUDA_SUCCESS) {
      EXPECT_EQ(driver.cuModuleUnload(module), CUDA_SUCCESS);
    }
    return std::pair(result, reinterpret_cast<size_t>(values[0]));
  };
  std::string wrong = makeKernel("  frobnicate.u32 %r1;\n");
  auto [result, size] = load(wrong, sizeof(errors));
  EXPECT_EQ(result, CUDA_ERROR_INVALID_PTX);
  EXPECT_THAT(errors, HasSubstr("frobnicate"));
  EXPECT_GT(size, 10u);
  EXPECT_LT(size, sizeof(errors));
  std::string whole = errors;
  if (isSimulated()) {
    EXPECT_EQ(whole, "line 8: unknown instruction: unknown "
                     "instruction 'frobnicate.u32'");
    EXPECT_EQ(whole, getDetail());
    EXPECT_EQ(size, whole.size());
  }
  std::tie(result, size) = load(makeKernel(""), sizeof(errors));
  EXPECT_EQ(result, CUDA_SUCCESS);
  SIMULATED_ONLY();
  EXPECT_STREQ(errors, "");
  EXPECT_STREQ(infos, "");
  EXPECT_EQ(size, 0u);
  // Cut off where the buffer ends.
  std::tie(result, size) = load(wrong, 11);
  EXPECT_EQ(errors, whole.substr(0, 10));
  EXPECT_EQ(errors[11], '?');
  EXPECT_EQ(size, 10u);
  load(wrong, 1);
  EXPECT_STREQ(errors, "");
  load(wrong, 0);
  EXPECT_EQ(errors[0], '?');
}

TEST(CudaModules, ReadOptions) {
  SIMULATED_ONLY();
  const LowpCudaDriver &driver = getDriver();
  WithContext context;
  std::string good = makeKernel(""), wrong = makeKernel("wrong");
  CUmodule module = nullptr;
  CUjit_option option = 7; // The level of optimisation.
  void *value = nullptr;
  auto load = [&](const std::string &ptx, CUjit_option *options,
                  void **values) {
    CUresult result =
        driver.cuModuleLoadDataEx(&module, ptx.c_str(), 1, options, values);
    if (result == CUDA_SUCCESS) {
      EXPECT_EQ(driver.cuModuleUnload(module), CUDA_SUCCESS);
    }
    return result;
  };
  EXPECT_EQ(load(good, &option, &value), CUDA_SUCCESS);
  EXPECT_EQ(load(good, nullptr, &value), CUDA_ERROR_INVALID_VALUE);
  EXPECT_EQ(load(good, &option, nullptr), CUDA_ERROR_INVALID_VALUE);
  for (CUjit_option unknown : {-1, 1000}) {
    EXPECT_EQ(load(good, &unknown, &value), CUDA_ERROR_INVALID_VALUE);
    EXPECT_THAT(getDetail(), HasSubstr("unknown option"));
  }
  // A size without a buffer, and a buffer without a size or that is null.
  char buffer[4] = "abc";
  option = CU_JIT_ERROR_LOG_BUFFER_SIZE_BYTES;
  value = reinterpret_cast<void *>(uintptr_t(4));
  EXPECT_EQ(load(wrong, &option, &value), CUDA_ERROR_INVALID_PTX);
  option = CU_JIT_ERROR_LOG_BUFFER;
  value = buffer;
  EXPECT_EQ(load(wrong, &option, &value), CUDA_ERROR_INVALID_PTX);
  EXPECT_STREQ(buffer, "abc");
  value = nullptr;
  EXPECT_EQ(load(wrong, &option, &value), CUDA_ERROR_INVALID_PTX);
  EXPECT_EQ(
      driver.cuModuleLoadDataEx(nullptr, good.c_str(), 0, nullptr, nullptr),
      CUDA_ERROR_INVALID_VALUE);
  EXPECT_EQ(driver.cuModuleLoadDataEx(&module, nullptr, 0, nullptr, nullptr),
            CUDA_ERROR_INVALID_VALUE);
}

} // namespace
