//===- CudaDriver.cpp - The driver in tests -------------------------------===//
//
// Part of the Lowp project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "CudaDriver.h"

#include <cstdlib>
#include <dlfcn.h>
#include <fstream>
#include <memory>
#include <unistd.h>

using namespace lowp::sim::test;

namespace {

std::unique_ptr<LowpCudaDriver> open(const std::string &path) {
  void *library = dlopen(path.c_str(), RTLD_NOW | RTLD_LOCAL);
  if (!library) {
    ADD_FAILURE() << dlerror();
    std::abort();
  }
  auto driver = std::make_unique<LowpCudaDriver>();
  auto find = [&](auto &function, const char *symbol) {
    function = reinterpret_cast<std::decay_t<decltype(function)>>(
        dlsym(library, symbol));
  };
#define LOWP_CUDA_FUNCTION(name, symbol, parameters)                           \
  find(driver->name, #symbol);                                                 \
  EXPECT_TRUE(driver->name) << #symbol;
  LOWP_CUDA_FUNCTIONS(LOWP_CUDA_FUNCTION)
#undef LOWP_CUDA_FUNCTION
#define LOWP_CUDA_FUNCTION(type, name, parameters) find(driver->name, #name);
  LOWP_CUDA_SIMULATOR_FUNCTIONS(LOWP_CUDA_FUNCTION)
#undef LOWP_CUDA_FUNCTION
  return driver;
}

} // namespace

const LowpCudaDriver &lowp::sim::test::getDriver() {
  static const LowpCudaDriver *driver = [] {
    const char *path = std::getenv("LOWP_TEST_CUDA_DRIVER");
    std::unique_ptr<LowpCudaDriver> opened = open(path ? path : LOWP_CUDA_SIM);
    EXPECT_EQ(opened->cuInit(0), CUDA_SUCCESS);
    return opened.release();
  }();
  return *driver;
}

const LowpCudaDriver &lowp::sim::test::makeDriver(
    const std::vector<std::pair<std::string, std::string>> &environment) {
  // A copy of the file is another library to the loader.
  static int count = 0;
  std::string path = testing::TempDir() + "lowp-cuda-sim-" +
                     std::to_string(getpid()) + "-" + std::to_string(count++);
  std::ofstream(path, std::ios::binary)
      << std::ifstream(LOWP_CUDA_SIM, std::ios::binary).rdbuf();
  for (const auto &[name, value] : environment)
    setenv(name.c_str(), value.c_str(), /*overwrite=*/1);
  static std::vector<std::unique_ptr<LowpCudaDriver>> drivers;
  drivers.push_back(open(path));
  // The environment is read at the first call, which can be this one.
  int version = 0;
  drivers.back()->cuDriverGetVersion(&version);
  for (const auto &[name, value] : environment)
    unsetenv(name.c_str());
  unlink(path.c_str());
  return *drivers.back();
}

std::string lowp::sim::test::getDetail(const LowpCudaDriver &driver) {
  return driver.lowpCudaLastErrorDetail ? driver.lowpCudaLastErrorDetail() : "";
}

bool lowp::sim::test::isSimulated() {
  return getDriver().lowpCudaLiveAllocations != nullptr;
}

WithContext::WithContext(int device, const LowpCudaDriver &driver)
    : driver(driver), device(device) {
  EXPECT_EQ(driver.cuDevicePrimaryCtxRetain(&context, device), CUDA_SUCCESS);
  EXPECT_EQ(driver.cuCtxPushCurrent(context), CUDA_SUCCESS);
}

WithContext::~WithContext() {
  EXPECT_EQ(driver.cuCtxPopCurrent(nullptr), CUDA_SUCCESS);
  EXPECT_EQ(driver.cuDevicePrimaryCtxRelease(device), CUDA_SUCCESS);
}

LoadedText::LoadedText(const std::string &ptx, const LowpCudaDriver &driver)
    : driver(driver) {
  EXPECT_EQ(
      driver.cuModuleLoadDataEx(&module, ptx.c_str(), 0, nullptr, nullptr),
      CUDA_SUCCESS)
      << getDetail(driver);
}

LoadedText::~LoadedText() {
  EXPECT_EQ(driver.cuModuleUnload(module), CUDA_SUCCESS);
}

CUfunction LoadedText::get(const char *name) const {
  CUfunction function = nullptr;
  EXPECT_EQ(driver.cuModuleGetFunction(&function, module, name), CUDA_SUCCESS);
  return function;
}

CUresult LoadedText::launch(const char *name, unsigned grid, unsigned block,
                            std::vector<void *> parameters,
                            CUstream stream) const {
  return driver.cuLaunchKernel(get(name), grid, 1, 1, block, 1, 1, 0, stream,
                               parameters.data(), nullptr);
}

std::string lowp::sim::test::makeKernel(const std::string &body,
                                        const std::string &declarations,
                                        const std::string &directives,
                                        const std::string &header) {
  return header + ".address_size 64\n" + declarations +
         ".visible .entry k(.param .u64 p, .param .u32 n) " + directives +
         "{\n"
         "  .reg .b32 %r<16>;\n"
         "  .reg .b64 %d<16>;\n"
         "  .reg .pred %p<4>;\n" +
         body + "  ret;\n}\n";
}

const char *const lowp::sim::test::kTripleBody = R"(
  ld.param.u64 %d1, [p];
  ld.param.u32 %r1, [n];
  mov.u32 %r2, %ctaid.x;
  mov.u32 %r3, %ntid.x;
  mov.u32 %r4, %tid.x;
  mad.lo.u32 %r5, %r2, %r3, %r4;
  setp.ge.u32 %p1, %r5, %r1;
  @%p1 ret;
  mad.wide.u32 %d2, %r5, 4, %d1;
  ld.global.u32 %r6, [%d2];
  mad.lo.u32 %r7, %r6, 3, %r5;
  st.global.u32 [%d2], %r7;
)";
