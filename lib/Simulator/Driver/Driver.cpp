//===- Driver.cpp - State of the simulated driver -------------------------===//
//
// Part of the Lowp project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Driver.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/ADT/StringExtras.h"

#include <algorithm>
#include <cstdlib>
#include <cstring>

using namespace lowp::sim;
using llvm::StringRef;
using llvm::Twine;

namespace {

constexpr int kDefaultVersion = 13020;
constexpr uint64_t kDefaultMemoryBytes = uint64_t(16) << 30;

// Without destructors, as ContextStack says.
thread_local char lastDetail[2048];
thread_local ContextStack contextStack;

} // namespace

//===----------------------------------------------------------------------===//
// Errors
//===----------------------------------------------------------------------===//

CUresult lowp::sim::fail(CUresult result, const Twine &detail) {
  std::string text = detail.str();
  size_t length = std::min(text.size(), sizeof(lastDetail) - 1);
  std::memcpy(lastDetail, text.data(), length);
  lastDetail[length] = 0;
  return result;
}

CUresult lowp::sim::failNull(StringRef argument) {
  return fail(CUDA_ERROR_INVALID_VALUE, "'" + argument + "' is null");
}

std::string lowp::sim::toHex(uint64_t value) {
  return "0x" + llvm::utohexstr(value, /*LowerCase=*/true);
}

ContextStack &lowp::sim::getContextStack() { return contextStack; }

const char *lowpCudaLastErrorDetail(void) noexcept { return lastDetail; }

//===----------------------------------------------------------------------===//
// Environment
//===----------------------------------------------------------------------===//

Driver &Driver::get() {
  // Never destroyed: threads may call until the process is gone.
  static Driver *driver = new Driver();
  return *driver;
}

Driver::Driver() { readEnvironment(); }

CUresult Driver::reject(CUresult result, const Twine &text) {
  problem = text.str();
  return problemResult = result;
}

void Driver::readEnvironment() {
  version = kDefaultVersion;
  if (const char *text = std::getenv("LOWP_SIM_DRIVER_VERSION"))
    if (StringRef(text).getAsInteger(10, version) || version <= 0) {
      version = 0;
      reject(CUDA_ERROR_INVALID_VALUE,
             "LOWP_SIM_DRIVER_VERSION is '" + Twine(text) +
                 "', expected a number such as 13000");
      return;
    }
  memoryBytes = kDefaultMemoryBytes;
  if (const char *text = std::getenv("LOWP_SIM_MEMORY_BYTES"))
    if (StringRef(text).getAsInteger(10, memoryBytes)) {
      reject(CUDA_ERROR_INVALID_VALUE, "LOWP_SIM_MEMORY_BYTES is '" +
                                           Twine(text) +
                                           "', expected a number of bytes");
      return;
    }
  llvm::SmallVector<const Gpu *> chosen;
  for (const Gpu &gpu : getGpus())
    chosen.push_back(&gpu);
  if (const char *text = std::getenv("LOWP_SIM_DEVICES")) {
    chosen.clear();
    llvm::SmallVector<StringRef> names;
    StringRef(text).split(names, ',', /*MaxSplit=*/-1, /*KeepEmpty=*/false);
    for (StringRef name : names) {
      const Gpu *gpu = llvm::find_if(
          getGpus(), [&](const Gpu &g) { return g.target == name.trim(); });
      if (gpu == getGpus().end()) {
        std::string known;
        llvm::ListSeparator separator;
        for (const Gpu &g : getGpus())
          known += (StringRef(separator) + g.target).str();
        reject(CUDA_ERROR_INVALID_DEVICE, "LOWP_SIM_DEVICES names '" +
                                              name.trim() +
                                              "', expected some of " + known);
        return;
      }
      chosen.push_back(gpu);
    }
  }
  for (auto [ordinal, gpu] : llvm::enumerate(chosen)) {
    devices.push_back(std::make_unique<Device>(*gpu, ordinal));
    devices.back()->contextHandle = makeHandle();
  }
  if (devices.empty())
    reject(CUDA_ERROR_NO_DEVICE, "LOWP_SIM_DEVICES is empty");
}

//===----------------------------------------------------------------------===//
// Look-ups
//===----------------------------------------------------------------------===//

CUresult Driver::checkInitialized() const {
  if (isInitialized)
    return CUDA_SUCCESS;
  return fail(CUDA_ERROR_NOT_INITIALIZED, "cuInit was not called");
}

CUresult Driver::getDevice(CUdevice ordinal, Device *&device) const {
  LOWP_CHECK(checkInitialized());
  if (ordinal < 0 || size_t(ordinal) >= devices.size())
    return fail(CUDA_ERROR_INVALID_DEVICE, "there is no device " +
                                               Twine(ordinal) + ", only " +
                                               Twine(devices.size()));
  device = devices[ordinal].get();
  return CUDA_SUCCESS;
}

CUresult Driver::getCurrent(Device *&device) const {
  LOWP_CHECK(checkInitialized());
  if (contextStack.empty())
    return fail(CUDA_ERROR_INVALID_CONTEXT, "the thread has no context");
  for (const std::unique_ptr<Device> &candidate : devices)
    if (candidate->contextHandle == contextStack.top()) {
      if (!candidate->timesRetained)
        return fail(CUDA_ERROR_CONTEXT_IS_DESTROYED,
                    "the current context, of device " +
                        Twine(candidate->ordinal) + ", was released");
      device = candidate.get();
      return CUDA_SUCCESS;
    }
  return fail(CUDA_ERROR_INVALID_CONTEXT, "the current context is unknown");
}

CUresult Driver::getStreamDevice(CUstream stream, Device *&device) const {
  LOWP_CHECK(getCurrent(device));
  if (!stream || stream == CU_STREAM_LEGACY || stream == CU_STREAM_PER_THREAD)
    return CUDA_SUCCESS;
  std::shared_ptr<Stream> found = streams.find(stream);
  if (!found)
    return fail(CUDA_ERROR_INVALID_HANDLE,
                toHex(stream) + " is no handle of a stream");
  device = found->device;
  return CUDA_SUCCESS;
}

std::shared_ptr<Allocation> Driver::findAllocation(uint64_t address,
                                                   Device **device) const {
  for (const std::unique_ptr<Device> &candidate : devices) {
    auto after = candidate->allocations.upper_bound(address);
    if (after == candidate->allocations.begin())
      continue;
    const std::shared_ptr<Allocation> &before = std::prev(after)->second;
    if (address - before->address >= before->bytes)
      continue;
    if (device)
      *device = candidate.get();
    return before;
  }
  return nullptr;
}

CUresult Driver::checkRange(uint64_t address, uint64_t bytes, Side side,
                            std::shared_ptr<Allocation> &allocation) const {
  auto error = [&](const Twine &text) {
    return fail(CUDA_ERROR_INVALID_VALUE, toHex(address) + " " + text);
  };
  bool isOfDevice =
      llvm::any_of(devices, [&](const std::unique_ptr<Device> &device) {
        return device->arena.contains(address);
      });
  if (!isOfDevice) {
    if (address == 0)
      return error("is null");
    return side == Side::Device ? error("is not memory of a device")
                                : CUDA_SUCCESS;
  }
  if (side == Side::Host)
    return error("is memory of a device, not of the host");
  allocation = findAllocation(address);
  if (!allocation)
    return error("is in no allocation");
  uint64_t left = allocation->address + allocation->bytes - address;
  if (bytes > left)
    return error("has " + Twine(left) + " bytes left in its allocation, not " +
                 Twine(bytes));
  return CUDA_SUCCESS;
}

void Driver::reset(Device &device) {
  auto isOfDevice = [&](const auto &object) {
    return object.device == &device;
  };
  streams.removeIf(isOfDevice);
  events.removeIf(isOfDevice);
  pools.removeIf(isOfDevice);
  modules.removeIf(isOfDevice);
  functions.removeIf([&](const LoadedFunction &function) {
    return function.module->device == &device;
  });
  device.allocations.clear();
  device.allocatedBytes = 0;
  device.snapshot = nullptr;
}
