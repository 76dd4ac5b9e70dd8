//===- CudaDriver.h - The driver in tests -----------------------*- C++ -*-===//
//
// Part of the Lowp project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The tests know the driver by its C API alone, as a program does. With the
// environment variable LOWP_TEST_CUDA_DRIVER they run on another than the
// simulated one, such as libcuda.so.1; what only the simulated one does is
// skipped then.
//
//===----------------------------------------------------------------------===//

#ifndef LOWP_TEST_UNIT_SIMULATOR_CUDADRIVER_H
#define LOWP_TEST_UNIT_SIMULATOR_CUDADRIVER_H

#include "lowp-c/CudaDriver.h"
#include "gtest/gtest.h"

#include <string>
#include <utility>
#include <vector>

namespace lowp::sim::test {

/// The driver that all tests share; initialised.
const LowpCudaDriver &getDriver();

/// A simulated driver of its own, that nobody has called yet, under environment
/// variables.
const LowpCudaDriver &
makeDriver(const std::vector<std::pair<std::string, std::string>> &environment);

/// Why the last call of this thread failed.
std::string getDetail(const LowpCudaDriver &driver = getDriver());

bool isSimulated();

/// Has the primary context of a device as the current one.
class WithContext {
public:
  explicit WithContext(int device = 0,
                       const LowpCudaDriver &driver = getDriver());
  ~WithContext();

  CUcontext context = nullptr;

private:
  const LowpCudaDriver &driver;
  int device;
};

/// Device memory with contents, freed at the end.
template <typename T>
class Buffer {
public:
  explicit Buffer(const std::vector<T> &values) : size(values.size()) {
    EXPECT_EQ(getDriver().cuMemAlloc(&address, bytes()), CUDA_SUCCESS);
    EXPECT_EQ(
        getDriver().cuMemcpyHtoDAsync(address, values.data(), bytes(), nullptr),
        CUDA_SUCCESS);
  }
  ~Buffer() { EXPECT_EQ(getDriver().cuMemFree(address), CUDA_SUCCESS); }
  Buffer(const Buffer &) = delete;
  Buffer &operator=(const Buffer &) = delete;

  size_t bytes() const { return size * sizeof(T); }
  std::vector<T> read() const {
    std::vector<T> values(size);
    EXPECT_EQ(
        getDriver().cuMemcpyDtoHAsync(values.data(), address, bytes(), nullptr),
        CUDA_SUCCESS);
    EXPECT_EQ(getDriver().cuStreamSynchronize(nullptr), CUDA_SUCCESS);
    return values;
  }

  CUdeviceptr address = 0;
  size_t size;
};

/// A module of the text, with its kernels; unloaded at the end.
class LoadedText {
public:
  explicit LoadedText(const std::string &ptx,
                      const LowpCudaDriver &driver = getDriver());
  ~LoadedText();
  LoadedText(const LoadedText &) = delete;
  LoadedText &operator=(const LoadedText &) = delete;

  CUfunction get(const char *name) const;
  /// Runs a kernel with blocks and threads in x.
  CUresult launch(const char *name, unsigned grid, unsigned block,
                  std::vector<void *> parameters,
                  CUstream stream = nullptr) const;

  CUmodule module = nullptr;

private:
  const LowpCudaDriver &driver;
};

/// A text for every device with a kernel `k` of that body; its parameter `p` is
/// a pointer, `n` 32 bits; registers %r0 to %r15, %d0 to %d15, %p0 to %p3.
std::string makeKernel(const std::string &body,
                       const std::string &declarations = "",
                       const std::string &directives = "",
                       const std::string &header = ".version 7.0\n"
                                                   ".target sm_80\n");

/// `p[i] = p[i] * 3 + i` for all i below `n`, one per thread.
extern const char *const kTripleBody;

#define SIMULATED_ONLY()                                                       \
  if (!isSimulated())                                                          \
  GTEST_SKIP() << "of the simulated driver alone"

} // namespace lowp::sim::test

#endif // LOWP_TEST_UNIT_SIMULATOR_CUDADRIVER_H
