//===- Program.cpp - A compiled program in this process -------------------===//
//
// Part of the Lowp project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "lowp/Driver/Program.h"

#include "lowp-c/Device.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringSwitch.h"
#include "llvm/Support/CrashRecoveryContext.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/JSON.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/raw_ostream.h"

#include <cstring>
#include <dlfcn.h>
#include <utility>

using namespace mlir::lowp;
using llvm::StringRef;

static llvm::Error error(const llvm::Twine &message) {
  return llvm::createStringError(message);
}

//===----------------------------------------------------------------------===//
// Types
//===----------------------------------------------------------------------===//

namespace {
struct DTypeInfo {
  LowpDType code;
  char kind; ///< of the array that numpy keeps it in
  int64_t size;
};
} // namespace

static std::optional<DTypeInfo> getDTypeInfo(StringRef dtype) {
  return llvm::StringSwitch<std::optional<DTypeInfo>>(dtype)
      .Case("bool", DTypeInfo{LOWP_BOOL, 'b', 1})
      .Case("i8", DTypeInfo{LOWP_I8, 'i', 1})
      .Case("i16", DTypeInfo{LOWP_I16, 'i', 2})
      .Case("i32", DTypeInfo{LOWP_I32, 'i', 4})
      .Case("i64", DTypeInfo{LOWP_I64, 'i', 8})
      .Case("u8", DTypeInfo{LOWP_U8, 'u', 1})
      .Case("u16", DTypeInfo{LOWP_U16, 'u', 2})
      .Case("u32", DTypeInfo{LOWP_U32, 'u', 4})
      .Case("u64", DTypeInfo{LOWP_U64, 'u', 8})
      .Case("f16", DTypeInfo{LOWP_F16, 'f', 2})
      .Case("bf16", DTypeInfo{LOWP_BF16, 'u', 2})
      .Case("f32", DTypeInfo{LOWP_F32, 'f', 4})
      .Case("f64", DTypeInfo{LOWP_F64, 'f', 8})
      .Case("f8E4M3FN", DTypeInfo{LOWP_F8E4M3FN, 'u', 1})
      .Case("f8E5M2", DTypeInfo{LOWP_F8E5M2, 'u', 1})
      .Case("f8E8M0FNU", DTypeInfo{LOWP_F8E8M0FNU, 'u', 1})
      .Case("f6E2M3FN", DTypeInfo{LOWP_F6E2M3FN, 'u', 1})
      .Case("f6E3M2FN", DTypeInfo{LOWP_F6E3M2FN, 'u', 1})
      .Case("f4E2M1FN", DTypeInfo{LOWP_F4E2M1FN, 'u', 1})
      .Default(std::nullopt);
}

/// Integers pass for each other, and unsigned ones for f16.
static bool accepts(const DTypeInfo &info, const Array &array) {
  if (info.size != array.itemSize)
    return false;
  if (info.kind == array.kind)
    return true;
  if (info.code >= LOWP_I8 && info.code <= LOWP_U64)
    return array.kind == 'i' || array.kind == 'u';
  return info.code == LOWP_F16 && array.kind == 'u';
}

static std::string formatShape(llvm::ArrayRef<int64_t> shape) {
  std::string text = "[";
  for (auto [i, dim] : llvm::enumerate(shape)) {
    text += i ? "x" : "";
    text += dim < 0 ? "?" : std::to_string(dim);
  }
  return text + "]";
}

std::string mlir::lowp::formatType(const ProgramValue &value) {
  return value.scalar ? value.dtype : value.dtype + formatShape(value.shape);
}

static std::string formatType(const Array &array) {
  if (array.kind == 'b')
    return "bool" + formatShape(array.shape);
  return array.kind + std::to_string(8 * array.itemSize) +
         formatShape(array.shape);
}

//===----------------------------------------------------------------------===//
// Loading
//===----------------------------------------------------------------------===//

struct Program::Symbols {
  decltype(&lowp_abi_version) abiVersion;
  decltype(&lowp_signatures) signatures;
  decltype(&lowp_call) call;
  decltype(&lowp_last_error) lastError;
  decltype(&lowp_free) release;
  decltype(&lowp_live_allocations) liveAllocations;
  // Of programs for GPUs only.
  decltype(&lowp_use_driver) useDriver;
  decltype(&lowp_device_allocate) deviceAllocate;
  decltype(&lowp_device_copy) deviceCopy;
};

static llvm::Error readValues(const llvm::json::Array *array,
                              std::vector<ProgramValue> &values) {
  if (!array)
    return error("malformed signatures");
  for (const llvm::json::Value &element : *array) {
    const llvm::json::Object *object = element.getAsObject();
    const llvm::json::Array *shape =
        object ? object->getArray("shape") : nullptr;
    std::optional<StringRef> dtype =
        object ? object->getString("dtype") : std::nullopt;
    if (!shape || !dtype || !getDTypeInfo(*dtype))
      return error("malformed signatures");
    ProgramValue value;
    value.dtype = dtype->str();
    for (const llvm::json::Value &dim : *shape)
      value.shape.push_back(dim.getAsInteger().value_or(-1));
    value.scalar = object->getBoolean("scalar").value_or(false);
    value.written = object->getBoolean("written").value_or(false);
    value.step = object->getBoolean("step").value_or(false);
    values.push_back(std::move(value));
  }
  return llvm::Error::success();
}

llvm::Expected<std::unique_ptr<Program>> Program::load(StringRef sharedObject,
                                                       StringRef driver) {
  auto file = llvm::sys::fs::TempFile::create([] {
    llvm::SmallString<128> path;
    llvm::sys::path::system_temp_directory(/*ErasedOnReboot=*/true, path);
    llvm::sys::path::append(path, "lowp-program-%%%%%%%%.so");
    return path;
  }());
  if (!file)
    return file.takeError();
  {
    llvm::raw_fd_ostream stream(file->FD, /*shouldClose=*/false);
    stream << sharedObject;
    stream.flush();
    if (std::error_code code = stream.error()) {
      stream.clear_error();
      llvm::consumeError(file->discard());
      return error("cannot write the program to '" + file->TmpName +
                   "': " + code.message());
    }
  }
  std::unique_ptr<Program> program(new Program);
  program->handle = dlopen(file->TmpName.c_str(), RTLD_NOW | RTLD_LOCAL);
  std::string reason = program->handle ? "" : dlerror();
  // The mapping stays when the name goes.
  llvm::consumeError(file->discard());
  if (!program->handle)
    return error("cannot load the program: " + reason);

  program->symbols = std::make_unique<Symbols>();
  auto find = [&](auto &symbol, const char *name) {
    symbol = reinterpret_cast<std::remove_reference_t<decltype(symbol)>>(
        dlsym(program->handle, name));
    return symbol != nullptr;
  };
  Symbols &symbols = *program->symbols;
  if (!find(symbols.abiVersion, "lowp_abi_version") ||
      !find(symbols.signatures, "lowp_signatures") ||
      !find(symbols.call, "lowp_call") ||
      !find(symbols.lastError, "lowp_last_error") ||
      !find(symbols.release, "lowp_free") ||
      !find(symbols.liveAllocations, "lowp_live_allocations"))
    return error("the shared object is not a program of lowp");
  if (symbols.abiVersion() != LOWP_ABI_VERSION)
    return error("the program has version " +
                 llvm::Twine(symbols.abiVersion()) +
                 " of the C ABI; expected " + llvm::Twine(LOWP_ABI_VERSION));

  llvm::Expected<llvm::json::Value> json =
      llvm::json::parse(symbols.signatures());
  if (!json)
    return json.takeError();
  const llvm::json::Object *object = json->getAsObject();
  const llvm::json::Array *list =
      object ? object->getArray("entries") : nullptr;
  if (!list)
    return error("malformed signatures");
  if (std::optional<StringRef> target = object->getString("target"))
    program->target = target->str();
  if (program->target != "cpu" &&
      (!find(symbols.useDriver, "lowp_use_driver") ||
       !find(symbols.deviceAllocate, "lowp_device_allocate") ||
       !find(symbols.deviceCopy, "lowp_device_copy")))
    return error("the shared object is not a program for a GPU");
  if (program->target != "cpu" && !driver.empty() &&
      symbols.useDriver(driver.str().c_str()) != LOWP_OK)
    return error(symbols.lastError());
  for (const llvm::json::Value &element : *list) {
    const llvm::json::Object *entry = element.getAsObject();
    if (!entry || !entry->getString("name"))
      return error("malformed signatures");
    ProgramEntry result;
    result.name = entry->getString("name")->str();
    if (llvm::Error failure =
            readValues(entry->getArray("arguments"), result.arguments))
      return std::move(failure);
    if (llvm::Error failure =
            readValues(entry->getArray("results"), result.results))
      return std::move(failure);
    program->entries.push_back(std::move(result));
  }
  return program;
}

Program::~Program() {
  if (handle)
    dlclose(handle);
}

int64_t Program::getLiveAllocations() const {
  return symbols->liveAllocations();
}

llvm::Expected<const ProgramEntry *> Program::findEntry(StringRef name) const {
  for (const ProgramEntry &entry : entries)
    if (entry.name == (name.empty() ? "main" : name))
      return &entry;
  if (name.empty() && entries.size() == 1)
    return &entries.front();
  std::string known;
  for (const ProgramEntry &entry : entries)
    known += (known.empty() ? "" : ", ") + entry.name;
  if (entries.empty())
    return error("the program has no public function to run");
  return error((name.empty() ? "the program has no entry 'main'"
                             : "the program has no entry '" + name + "'") +
               "; known are " + known);
}

//===----------------------------------------------------------------------===//
// Calling
//===----------------------------------------------------------------------===//

/// Memory on a device, for the time of a call.
struct Program::DeviceMemory {
  DeviceMemory(const Symbols &symbols, int64_t bytes) : symbols(symbols) {
    status = symbols.deviceAllocate(bytes, &allocated, &data);
  }
  DeviceMemory(DeviceMemory &&other)
      : symbols(other.symbols), status(other.status),
        allocated(std::exchange(other.allocated, nullptr)), data(other.data) {}
  ~DeviceMemory() { symbols.release(allocated); }

  const Symbols &symbols;
  int32_t status;
  void *allocated = nullptr, *data = nullptr;
};

namespace {
/// A ranked memref descriptor.
struct Descriptor {
  explicit Descriptor(int64_t rank) : rank(rank), words(3 + 2 * rank) {}

  void describe(Array &array) {
    words[0] = words[1] = reinterpret_cast<intptr_t>(array.data.data());
    int64_t stride = 1;
    for (int64_t i = rank - 1; i >= 0; --i) {
      words[3 + i] = array.shape[i];
      words[3 + rank + i] = stride;
      stride *= array.shape[i];
    }
  }

  int64_t rank;
  std::vector<int64_t> words;
};
} // namespace

/// An array of the size of a result.
static Array makeArray(const Descriptor &descriptor, const DTypeInfo &info) {
  Array array;
  array.kind = info.kind;
  array.itemSize = info.size;
  const int64_t *sizes = &descriptor.words[3];
  array.shape.assign(sizes, sizes + descriptor.rank);
  array.data.resize(array.getNumElements() * info.size);
  return array;
}

/// Copies a result, whose elements may have any strides.
static Array copyResult(const Descriptor &descriptor, const DTypeInfo &info) {
  Array array = makeArray(descriptor, info);
  const int64_t *sizes = &descriptor.words[3];
  const int64_t *strides = sizes + descriptor.rank;
  int64_t count = array.getNumElements();
  const char *data = reinterpret_cast<const char *>(descriptor.words[1]) +
                     descriptor.words[2] * info.size;
  for (int64_t i = 0; i < count; ++i) {
    int64_t rest = i, offset = 0;
    for (int64_t dim = descriptor.rank - 1; dim >= 0; --dim) {
      offset += rest % sizes[dim] * strides[dim];
      rest /= sizes[dim];
    }
    std::memcpy(&array.data[i * info.size], data + offset * info.size,
                info.size);
  }
  return array;
}

Array mlir::lowp::makeFirstStep() {
  Array step;
  step.kind = 'i';
  step.data.resize(step.itemSize);
  return step;
}

llvm::Error mlir::lowp::checkArgument(const ProgramValue &argument,
                                      const Array &array) {
  DTypeInfo info = *getDTypeInfo(argument.dtype);
  bool fits =
      accepts(info, array) && array.shape.size() == argument.shape.size();
  for (size_t dim = 0; fits && dim < argument.shape.size(); ++dim)
    fits = argument.shape[dim] < 0 || argument.shape[dim] == array.shape[dim];
  if (fits)
    return llvm::Error::success();
  std::string bits;
  if (info.kind == 'u' && argument.dtype[0] != 'u')
    bits = " (as u" + std::to_string(8 * info.size) + ")";
  return error("expected " + formatType(argument) + bits + ", but got " +
               ::formatType(array));
}

llvm::Expected<std::vector<Array>>
Program::call(const ProgramEntry &entry, std::vector<Array> &arguments) const {
  if (arguments.size() != entry.arguments.size())
    return error("'" + entry.name + "' expects " +
                 llvm::Twine(entry.arguments.size()) + " arguments, but got " +
                 llvm::Twine(arguments.size()));
  std::vector<Descriptor> descriptors;
  for (auto [i, value] : llvm::enumerate(entry.arguments)) {
    Array &array = arguments[i];
    if (llvm::Error failure = checkArgument(value, array))
      return error("argument " + llvm::Twine(i) + " of '" + entry.name +
                   "': " + llvm::toString(std::move(failure)));
    descriptors.emplace_back(value.shape.size());
    descriptors.back().describe(array);
  }
  for (const ProgramValue &value : entry.results)
    descriptors.emplace_back(value.shape.size());

  size_t numArguments = entry.arguments.size();
  std::vector<DeviceMemory> onDevice;
  bool usesDevice = target != "cpu";
  for (size_t i = 0; i < numArguments && usesDevice; ++i) {
    if (entry.arguments[i].scalar)
      continue;
    const std::vector<char> &data = arguments[i].data;
    const DeviceMemory &memory =
        onDevice.emplace_back(*symbols, static_cast<int64_t>(data.size()));
    if (memory.status != LOWP_OK ||
        symbols->deviceCopy(memory.data, data.data(), data.size()) != LOWP_OK)
      return error(symbols->lastError());
    descriptors[i].words[0] = descriptors[i].words[1] =
        reinterpret_cast<intptr_t>(memory.data);
  }

  std::vector<LowpBuffer> buffers;
  for (auto [i, descriptor] : llvm::enumerate(descriptors)) {
    const ProgramValue &value =
        i < numArguments ? entry.arguments[i] : entry.results[i - numArguments];
    buffers.push_back({descriptor.words.data(), descriptor.rank,
                       getDTypeInfo(value.dtype)->code, 0});
  }
  int32_t status = LOWP_OK;
  llvm::CrashRecoveryContext recovery;
  if (!recovery.RunSafely([&] {
        status =
            symbols->call(entry.name.c_str(), buffers.data(), numArguments,
                          buffers.data() + numArguments, entry.results.size());
      }))
    return error("'" + entry.name + "' crashed");
  if (status != LOWP_OK)
    return error(symbols->lastError());

  // A result of a device that cannot be read does not keep the others from
  // being freed.
  int32_t copyStatus = LOWP_OK;
  std::string reason;
  auto fetch = [&](Array &array, const Descriptor &descriptor) {
    if (copyStatus != LOWP_OK)
      return;
    const char *data = reinterpret_cast<const char *>(descriptor.words[1]) +
                       descriptor.words[2] * array.itemSize;
    copyStatus =
        symbols->deviceCopy(array.data.data(), data, array.data.size());
    if (copyStatus != LOWP_OK)
      reason = symbols->lastError();
  };
  for (size_t i = 0; i < numArguments && usesDevice; ++i)
    if (entry.arguments[i].written)
      fetch(arguments[i], descriptors[i]);
  std::vector<Array> results;
  for (auto [i, value] : llvm::enumerate(entry.results)) {
    const Descriptor &descriptor = descriptors[numArguments + i];
    DTypeInfo info = *getDTypeInfo(value.dtype);
    if (usesDevice && !value.scalar) {
      results.push_back(makeArray(descriptor, info));
      fetch(results.back(), descriptor);
    } else {
      results.push_back(copyResult(descriptor, info));
    }
    symbols->release(reinterpret_cast<void *>(descriptor.words[0]));
  }
  if (copyStatus != LOWP_OK)
    return error(reason);
  return results;
}

llvm::Expected<std::string> mlir::lowp::findSimulatedDriver() {
  static constexpr llvm::StringLiteral kFile = "liblowp-cuda-sim.so";
  // Any address of this program.
  std::string tool = llvm::sys::fs::getMainExecutable(
      nullptr, reinterpret_cast<void *>(&findSimulatedDriver));
  StringRef root =
      llvm::sys::path::parent_path(llvm::sys::path::parent_path(tool));
  for (StringRef folder : {StringRef("lib"), StringRef(LOWP_INSTALL_LIBDIR)}) {
    llvm::SmallString<128> path(root);
    llvm::sys::path::append(path, folder, kFile);
    if (llvm::sys::fs::exists(path))
      return std::string(path);
  }
  return error("cannot find '" + kFile + "' in '" + root + "/lib'");
}
