//===- Modules.cpp - Modules, kernels and launches ------------------------===//
//
// Part of the Lowp project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "../Lexer.h"
#include "Driver.h"

#include "llvm/ADT/SmallVector.h"

#include <algorithm>
#include <cstring>

using namespace lowp::sim;
using llvm::StringRef;
using llvm::Twine;

namespace {

/// What a block has without asking for more by cuFuncSetAttribute, and so what
/// a kernel may have at all here.
constexpr uint64_t kMaxSharedBytes = 48 * 1024;

/// The newest PTX that the driver of each CUDA release compiles: "Release
/// Notes" of the PTX ISA.
struct Release {
  int driver;
  unsigned major, minor;
};
constexpr Release releases[] = {
    {11000, 7, 0}, {11010, 7, 1}, {11020, 7, 2}, {11030, 7, 3}, {11040, 7, 4},
    {11050, 7, 5}, {11060, 7, 6}, {11070, 7, 7}, {11080, 7, 8}, {12000, 8, 0},
    {12010, 8, 1}, {12020, 8, 2}, {12030, 8, 3}, {12040, 8, 4}, {12050, 8, 5},
    {12070, 8, 6}, {12080, 8, 7}, {12090, 8, 8}, {13000, 9, 0}, {13010, 9, 1},
    {13020, 9, 2},
};

llvm::VersionTuple getNewestPTX(int driverVersion) {
  llvm::VersionTuple newest(6, 5);
  for (const Release &release : releases)
    if (release.driver <= driverVersion)
      newest = llvm::VersionTuple(release.major, release.minor);
  return newest;
}

/// The `.version` that a text begins with; empty where it does not. Read before
/// the rest, which may be of a later PTX.
llvm::VersionTuple readVersion(StringRef ptx) {
  Lexer lexer(ptx);
  llvm::VersionTuple version;
  if (!lexer.next().isWord(".version") || version.tryParse(lexer.next().text))
    return llvm::VersionTuple();
  return version;
}

/// The fault that `error` is, as text; its kind.
std::string describe(llvm::Error error, FaultKind &kind) {
  std::string text;
  llvm::handleAllErrors(std::move(error), [&](const Fault &fault) {
    kind = fault.kind;
    text = static_cast<const llvm::ErrorInfoBase &>(fault).message();
  });
  return text;
}

/// Where the caller wants a log of the compiler.
struct JitLog {
  char *buffer = nullptr;
  /// The option value that holds the size, and gets what was written.
  void **size = nullptr;

  void write(StringRef text) const {
    uint64_t room = size ? reinterpret_cast<uint64_t>(*size) & UINT32_MAX : 0;
    if (!buffer || room == 0)
      return;
    uint64_t length = std::min<uint64_t>(text.size(), room - 1);
    std::memcpy(buffer, text.data(), length);
    buffer[length] = 0;
    *size = reinterpret_cast<void *>(length);
  }
};

CUresult readOptions(unsigned numOptions, const CUjit_option *options,
                     void **values, JitLog &errors, JitLog &infos) {
  if (numOptions == 0)
    return CUDA_SUCCESS;
  if (!options)
    return failNull("options");
  if (!values)
    return failNull("values");
  constexpr CUjit_option kNumOptions = 36;
  for (unsigned i = 0; i < numOptions; ++i) {
    switch (options[i]) {
    case CU_JIT_INFO_LOG_BUFFER:
      infos.buffer = static_cast<char *>(values[i]);
      break;
    case CU_JIT_INFO_LOG_BUFFER_SIZE_BYTES:
      infos.size = &values[i];
      break;
    case CU_JIT_ERROR_LOG_BUFFER:
      errors.buffer = static_cast<char *>(values[i]);
      break;
    case CU_JIT_ERROR_LOG_BUFFER_SIZE_BYTES:
      errors.size = &values[i];
      break;
    default:
      // The others tune the compiler.
      if (options[i] < 0 || options[i] >= kNumOptions)
        return fail(CUDA_ERROR_INVALID_VALUE,
                    "unknown option " + Twine(options[i]) + " of the compiler");
    }
  }
  return CUDA_SUCCESS;
}

/// What an image that is no text is; empty for others.
StringRef getBinaryKind(const char *image) {
  constexpr unsigned char kFatbin[] = {0x50, 0xED, 0x55, 0xBA};
  if (std::strncmp(image,
                   "\x7F"
                   "ELF",
                   4) == 0)
    return "cubin";
  if (std::strncmp(image, reinterpret_cast<const char *>(kFatbin), 4) == 0)
    return "fat binary";
  return "";
}

/// Parses a text for a device.
CUresult load(const char *image, const Device &device, int driverVersion,
              std::unique_ptr<Module> &module) {
  StringRef binary = getBinaryKind(image);
  if (!binary.empty())
    return fail(CUDA_ERROR_INVALID_IMAGE,
                "the image is a " + binary + "; only PTX is simulated");
  StringRef ptx(image);
  llvm::VersionTuple version = readVersion(ptx);
  llvm::VersionTuple newest = getNewestPTX(driverVersion);
  if (version > newest)
    return fail(CUDA_ERROR_UNSUPPORTED_PTX_VERSION,
                "the text is PTX " + version.getAsString() +
                    ", but the driver has CUDA " + Twine(driverVersion / 1000) +
                    "." + Twine(driverVersion % 1000 / 10) +
                    " and takes up to PTX " + newest.getAsString());
  llvm::Expected<std::unique_ptr<Module>> parsed = Module::parse(ptx);
  if (!parsed) {
    FaultKind kind = FaultKind::Syntax;
    return fail(CUDA_ERROR_INVALID_PTX, describe(parsed.takeError(), kind));
  }
  if (!runsTarget(device.gpu, (*parsed)->getTarget()))
    return fail(CUDA_ERROR_NO_BINARY_FOR_GPU,
                "the text is for " + (*parsed)->getTarget() + ", but device " +
                    Twine(device.ordinal) + " is an " + device.gpu.target);
  for (const Kernel &kernel : (*parsed)->getKernels())
    if (kernel.getSharedBytes() > kMaxSharedBytes)
      return fail(CUDA_ERROR_INVALID_PTX,
                  "kernel '" + kernel.getName() + "' has " +
                      Twine(kernel.getSharedBytes()) +
                      " bytes of static shared memory, more than " +
                      Twine(kMaxSharedBytes));
  module = std::move(*parsed);
  return CUDA_SUCCESS;
}

} // namespace

//===----------------------------------------------------------------------===//
// Modules
//===----------------------------------------------------------------------===//

CUresult cuModuleLoadDataEx(CUmodule *module, const void *image,
                            unsigned numOptions, CUjit_option *options,
                            void **values) noexcept {
  Driver &driver = Driver::get();
  Device *device = nullptr;
  {
    Lock lock(driver.mutex);
    LOWP_CHECK(driver.getCurrent(device));
  }
  if (!module)
    return failNull("module");
  if (!image)
    return failNull("image");
  JitLog errors, infos;
  LOWP_CHECK(readOptions(numOptions, options, values, errors, infos));
  infos.write("");
  auto loaded = std::make_shared<LoadedModule>();
  loaded->device = device;
  if (CUresult result = load(static_cast<const char *>(image), *device,
                             driver.version, loaded->module)) {
    errors.write(lowpCudaLastErrorDetail());
    return result;
  }
  errors.write("");
  Lock lock(driver.mutex);
  // The context may be gone by now, and what is in it.
  LOWP_CHECK(driver.getCurrent(device));
  driver.insert(driver.modules, *module, std::move(loaded));
  return CUDA_SUCCESS;
}

CUresult cuModuleUnload(CUmodule module) noexcept {
  Driver &driver = Driver::get();
  Lock lock(driver.mutex);
  Device *device = nullptr;
  LOWP_CHECK(driver.getCurrent(device));
  std::shared_ptr<LoadedModule> found = driver.modules.take(module);
  if (!found)
    return fail(CUDA_ERROR_INVALID_HANDLE,
                toHex(module) + " is no handle of a module");
  driver.functions.removeIf(
      [&](const LoadedFunction &function) { return function.module == found; });
  return CUDA_SUCCESS;
}

CUresult cuModuleGetFunction(CUfunction *function, CUmodule module,
                             const char *name) noexcept {
  Driver &driver = Driver::get();
  Lock lock(driver.mutex);
  Device *device = nullptr;
  LOWP_CHECK(driver.getCurrent(device));
  if (!function)
    return failNull("function");
  if (!name)
    return failNull("name");
  std::shared_ptr<LoadedModule> found = driver.modules.find(module);
  if (!found)
    return fail(CUDA_ERROR_INVALID_HANDLE,
                toHex(module) + " is no handle of a module");
  const Kernel *kernel = found->module->findKernel(name);
  if (!kernel)
    return fail(CUDA_ERROR_NOT_FOUND,
                "the module has no kernel '" + Twine(name) + "'");
  for (const auto &[handle, known] : driver.functions.objects)
    if (known->kernel == kernel) {
      *function = reinterpret_cast<CUfunction>(handle);
      return CUDA_SUCCESS;
    }
  driver.insert(driver.functions, *function,
                std::make_shared<LoadedFunction>(
                    LoadedFunction{std::move(found), kernel}));
  return CUDA_SUCCESS;
}

//===----------------------------------------------------------------------===//
// Launches
//===----------------------------------------------------------------------===//

namespace {

CUresult getResult(FaultKind kind) {
  switch (kind) {
  case FaultKind::OutOfBounds:
    return CUDA_ERROR_ILLEGAL_ADDRESS;
  case FaultKind::Misaligned:
    return CUDA_ERROR_MISALIGNED_ADDRESS;
  case FaultKind::Launch:
    return CUDA_ERROR_INVALID_VALUE;
  case FaultKind::Deadlock:
  case FaultKind::InstructionLimit:
    return CUDA_ERROR_LAUNCH_TIMEOUT;
  case FaultKind::Syntax:
  case FaultKind::UnknownInstruction:
  case FaultKind::Unsupported:
    return CUDA_ERROR_ILLEGAL_INSTRUCTION;
  case FaultKind::UninitializedRegister:
  case FaultKind::UninitializedMemory:
  case FaultKind::Race:
  case FaultKind::Barrier:
  case FaultKind::Unspecified:
  case FaultKind::Trap:
    return CUDA_ERROR_LAUNCH_FAILED;
  }
  return CUDA_ERROR_UNKNOWN;
}

/// All memory of a device. Expects the mutex to be held.
std::shared_ptr<const Snapshot> takeSnapshot(Device &device) {
  if (!device.snapshot) {
    auto snapshot = std::make_shared<Snapshot>();
    for (const auto &[address, allocation] : device.allocations) {
      snapshot->memory.add(reinterpret_cast<void *>(address),
                           allocation->bytes);
      snapshot->allocations.push_back(allocation);
    }
    device.snapshot = std::move(snapshot);
  }
  return device.snapshot;
}

/// What is wrong with a launch beyond what the simulator itself checks.
CUresult checkLaunch(const Kernel &kernel, const LaunchConfig &config) {
  Dim3 limit = kernel.getMaxThreads();
  if (limit.count() && config.block.count() > limit.count())
    return fail(CUDA_ERROR_LAUNCH_OUT_OF_RESOURCES,
                "kernel '" + kernel.getName() +
                    "' is compiled for blocks of "
                    "at most " +
                    Twine(limit.count()) + " threads, but got " +
                    Twine(config.block.count()));
  uint64_t sharedBytes = uint64_t(kernel.getSharedBytes()) + config.sharedBytes;
  if (sharedBytes > kMaxSharedBytes)
    return fail(CUDA_ERROR_INVALID_VALUE,
                "kernel '" + kernel.getName() + "' needs " +
                    Twine(sharedBytes) + " bytes of shared memory, more than " +
                    Twine(kMaxSharedBytes));
  return CUDA_SUCCESS;
}

} // namespace

CUresult cuLaunchKernel(CUfunction function, unsigned gridX, unsigned gridY,
                        unsigned gridZ, unsigned blockX, unsigned blockY,
                        unsigned blockZ, unsigned sharedBytes, CUstream stream,
                        void **parameters, void **extra) noexcept {
  Driver &driver = Driver::get();
  std::shared_ptr<LoadedFunction> found;
  std::shared_ptr<const Snapshot> snapshot;
  {
    Lock lock(driver.mutex);
    Device *current = nullptr, *device = nullptr;
    LOWP_CHECK(driver.getCurrent(current));
    found = driver.functions.find(function);
    if (!found)
      return fail(CUDA_ERROR_INVALID_HANDLE,
                  toHex(function) + " is no handle of a function");
    LOWP_CHECK(driver.getStreamDevice(stream, device));
    if (found->module->device != current || device != current)
      return fail(CUDA_ERROR_INVALID_HANDLE,
                  "the current context is of device " +
                      Twine(current->ordinal) + ", but kernel '" +
                      found->kernel->getName() + "' of device " +
                      Twine(found->module->device->ordinal) +
                      " and the stream of device " + Twine(device->ordinal));
    snapshot = takeSnapshot(*current);
  }
  const Kernel &kernel = *found->kernel;
  if (extra)
    return fail(CUDA_ERROR_NOT_SUPPORTED,
                "parameters by 'extra' are not simulated");
  LaunchConfig config;
  config.grid = {gridX, gridY, gridZ};
  config.block = {blockX, blockY, blockZ};
  config.sharedBytes = sharedBytes;
  LOWP_CHECK(checkLaunch(kernel, config));
  size_t numParameters = kernel.getParameters().size();
  if (numParameters && !parameters)
    return failNull("parameters");
  llvm::SmallVector<const void *> arguments;
  for (size_t i = 0; i < numParameters; ++i) {
    if (!parameters[i])
      return fail(CUDA_ERROR_INVALID_VALUE, "kernel '" + kernel.getName() +
                                                "' got null for parameter " +
                                                Twine(i));
    arguments.push_back(parameters[i]);
  }
  // Code generators leave lanes of vectors that nobody reads undefined: that a
  // register was not written is no fault by itself.
  Options options;
  options.checkRegisters = false;
  llvm::Expected<Counts> counts =
      kernel.launch(config, arguments, snapshot->memory, options);
  if (counts)
    return CUDA_SUCCESS;
  FaultKind kind = FaultKind::Launch;
  std::string text = describe(counts.takeError(), kind);
  return fail(getResult(kind), "kernel '" + kernel.getName() + "': " + text);
}
