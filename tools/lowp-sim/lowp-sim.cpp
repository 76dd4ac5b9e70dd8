//===- lowp-sim.cpp - Run a PTX kernel on the CPU -------------------------===//
//
// Part of the Lowp project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "lowp/Simulator/Simulator.h"
#include "lowp/Support/Npy.h"

#include "llvm/ADT/APFloat.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/CommandLine.h"
#include "llvm/Support/Error.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/InitLLVM.h"
#include "llvm/Support/MathExtras.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/WithColor.h"
#include "llvm/Support/raw_ostream.h"

using namespace lowp::sim;
using llvm::StringRef;
using mlir::lowp::Array;
namespace cl = llvm::cl;

namespace {

constexpr llvm::StringLiteral kName = "lowp-sim";

llvm::Error makeError(const llvm::Twine &message) {
  return llvm::createStringError(message);
}

struct DType {
  llvm::StringLiteral name;
  char kind;
  unsigned bytes;
};

// bf16 is stored as its bits, as in the project's other tools.
constexpr DType dtypes[] = {
    {"f16", 'f', 2}, {"f32", 'f', 4}, {"f64", 'f', 8}, {"bf16", 'u', 2},
    {"i8", 'i', 1},  {"i16", 'i', 2}, {"i32", 'i', 4}, {"i64", 'i', 8},
    {"u8", 'u', 1},  {"u16", 'u', 2}, {"u32", 'u', 4}, {"u64", 'u', 8},
};

const DType *findDType(StringRef name) {
  for (const DType &dtype : dtypes)
    if (dtype.name == name)
      return &dtype;
  return nullptr;
}

/// An argument: bits of a number, or an array in global memory.
struct Argument {
  uint64_t bits = 0;
  unsigned bytes = 0;
  std::optional<Array> array;
  std::string output;
  /// What the kernel gets: aligned to 256 bytes, as the driver's allocations.
  std::vector<char> storage;

  char *data() {
    return reinterpret_cast<char *>(
        llvm::alignTo(reinterpret_cast<uint64_t>(storage.data()), 256));
  }
};

llvm::Expected<Array> readArray(StringRef path) {
  auto buffer = llvm::MemoryBuffer::getFile(path, /*IsText=*/false,
                                            /*RequiresNullTerminator=*/false);
  if (!buffer)
    return makeError("cannot read '" + path +
                     "': " + buffer.getError().message());
  auto array = mlir::lowp::parseNpy((*buffer)->getBuffer());
  if (!array)
    return makeError("'" + path + "': " + llvm::toString(array.takeError()));
  return array;
}

/// `f32[4x8]`, zeros.
llvm::Expected<Array> makeArray(StringRef type) {
  auto malformed = [&] {
    return makeError("expected a type such as 'f32[4x8]', but got '" + type +
                     "'");
  };
  auto [name, rest] = type.split('[');
  const DType *dtype = findDType(name);
  if (!dtype || !rest.consume_back("]"))
    return malformed();
  Array array;
  array.kind = dtype->kind;
  array.itemSize = dtype->bytes;
  uint64_t elements = 1;
  llvm::SmallVector<StringRef> dims;
  if (!rest.empty())
    rest.split(dims, 'x');
  for (StringRef dim : dims) {
    int64_t extent = 0;
    if (dim.getAsInteger(10, extent) || extent < 0)
      return malformed();
    array.shape.push_back(extent);
    bool overflow = false;
    elements = llvm::SaturatingMultiply(elements, uint64_t(extent), &overflow);
    if (overflow || elements > (uint64_t(1) << 36))
      return makeError("'" + type + "' is too large");
  }
  array.data.resize(elements * dtype->bytes);
  return array;
}

llvm::Expected<Argument> parseNumber(StringRef kind, StringRef value) {
  Argument argument;
  const DType *dtype = findDType(kind);
  if (!dtype)
    return makeError("unknown kind of argument '" + kind + "'");
  argument.bytes = dtype->bytes;
  auto malformed = [&] { return makeError("'" + value + "' is no " + kind); };
  if (dtype->kind == 'f' || kind == "bf16") {
    const llvm::fltSemantics &semantics =
        kind == "f16"   ? llvm::APFloat::IEEEhalf()
        : kind == "f32" ? llvm::APFloat::IEEEsingle()
        : kind == "f64" ? llvm::APFloat::IEEEdouble()
                        : llvm::APFloat::BFloat();
    llvm::APFloat number(semantics);
    auto status =
        number.convertFromString(value, llvm::APFloat::rmNearestTiesToEven);
    if (!status) {
      llvm::consumeError(status.takeError());
      return malformed();
    }
    argument.bits = number.bitcastToAPInt().getZExtValue();
    return argument;
  }
  // Either sign, as long as the bits fit.
  int64_t asSigned = 0;
  uint64_t asUnsigned = 0;
  if (!value.getAsInteger(0, asUnsigned) &&
      llvm::isUIntN(8 * dtype->bytes, asUnsigned))
    argument.bits = asUnsigned;
  else if (!value.getAsInteger(0, asSigned) &&
           llvm::isIntN(8 * dtype->bytes, asSigned))
    argument.bits = static_cast<uint64_t>(asSigned);
  else
    return malformed();
  return argument;
}

llvm::Expected<Argument> parseArgument(StringRef text) {
  auto [kind, rest] = text.split(':');
  Argument argument;
  argument.bytes = 8;
  if (kind == "in") {
    llvm::Expected<Array> array = readArray(rest);
    if (!array)
      return array.takeError();
    argument.array = std::move(*array);
    return argument;
  }
  if (kind == "out") {
    auto [file, type] = rest.rsplit(':');
    llvm::Expected<Array> array = makeArray(type);
    if (!array)
      return array.takeError();
    argument.array = std::move(*array);
    argument.output = file.str();
    return argument;
  }
  if (kind == "inout") {
    auto [input, output] = rest.split(':');
    llvm::Expected<Array> array = readArray(input);
    if (!array)
      return array.takeError();
    argument.array = std::move(*array);
    argument.output = output.empty() ? input.str() : output.str();
    return argument;
  }
  return parseNumber(kind, rest);
}

llvm::Expected<Dim3> parseDim(StringRef name, StringRef text) {
  llvm::SmallVector<StringRef, 3> parts;
  text.split(parts, ',');
  Dim3 dim;
  uint32_t *dims[] = {&dim.x, &dim.y, &dim.z};
  bool good = parts.size() <= 3;
  for (size_t i = 0; good && i < parts.size(); ++i)
    good = !parts[i].getAsInteger(10, *dims[i]);
  if (!good)
    return makeError("--" + name + " expects one to three numbers, but got '" +
                     text + "'");
  return dim;
}

/// All of the file or none of it.
llvm::Error writeFile(StringRef path, StringRef bytes) {
  llvm::Error error =
      llvm::writeToOutput(path, [&](llvm::raw_ostream &os) -> llvm::Error {
        os << bytes;
        return llvm::Error::success();
      });
  if (error)
    return makeError("cannot write '" + path +
                     "': " + llvm::toString(std::move(error)));
  return llvm::Error::success();
}

} // namespace

int main(int argc, char **argv) {
  llvm::InitLLVM initLLVM(argc, argv);
  cl::OptionCategory category("Simulating");
  cl::opt<std::string> input(cl::Positional, cl::desc("<PTX file>"),
                             cl::init("-"), cl::cat(category));
  cl::opt<std::string> entry(
      "entry", cl::desc("Kernel to run (by default the only one)"),
      cl::value_desc("name"), cl::cat(category));
  cl::opt<std::string> gridText("grid", cl::desc("Blocks: x, x,y or x,y,z"),
                                cl::init("1"), cl::cat(category));
  cl::opt<std::string> blockText(
      "block", cl::desc("Threads of a block: x, x,y or x,y,z"), cl::init("1"),
      cl::cat(category));
  cl::opt<uint32_t> shared("shared", cl::desc("Bytes of dynamic shared memory"),
                           cl::cat(category));
  cl::list<std::string> argumentTexts(
      "arg",
      cl::desc("An argument: TYPE:NUMBER, in:FILE.npy, out:FILE.npy:TYPE[MxN] "
               "or inout:FILE.npy[:FILE.npy]"),
      cl::value_desc("argument"), cl::cat(category));
  cl::opt<bool> counts("counts",
                       cl::desc("Print the executed thread instructions"),
                       cl::cat(category));
  cl::opt<bool> trace("trace", cl::desc("Print each instruction of each warp"),
                      cl::cat(category));
  cl::opt<bool> listKernels("list", cl::desc("List the kernels and stop"),
                            cl::cat(category));
  cl::opt<bool> listForms("forms",
                          cl::desc("List the instruction forms and stop"),
                          cl::cat(category));
  cl::opt<bool> exact("exact",
                      cl::desc("Do not perturb the results of approximations"),
                      cl::cat(category));
  cl::list<std::string> unchecked(
      "no-check",
      cl::desc("Checks to leave out: registers, memory, races, unspecified"),
      cl::value_desc("check"), cl::CommaSeparated, cl::cat(category));
  cl::opt<uint64_t> limit(
      "max-instructions",
      cl::desc("Warp instructions after which to give up (0: never)"),
      cl::init(0), cl::cat(category));
  cl::HideUnrelatedOptions(category);
  cl::SetVersionPrinter([](llvm::raw_ostream &stream) {
    stream << kName << " " << LOWP_VERSION << " (LLVM " << LLVM_VERSION_STRING
           << ")\n";
  });
  cl::ParseCommandLineOptions(argc, argv, "Runs a PTX kernel on the CPU\n");

  auto report = [&](llvm::Error error) {
    llvm::WithColor::error(llvm::errs(), kName)
        << llvm::toString(std::move(error)) << "\n";
    return 1;
  };

  auto buffer = llvm::MemoryBuffer::getFileOrSTDIN(input);
  if (!buffer)
    return report(makeError("cannot read '" + input +
                            "': " + buffer.getError().message()));
  auto module = Module::parse((*buffer)->getBuffer());
  if (!module)
    return report(makeError(input + ": " + llvm::toString(module.takeError())));
  if (listForms) {
    for (const std::string &form : (*module)->getForms())
      llvm::outs() << form << "\n";
    return 0;
  }
  if (listKernels) {
    for (const Kernel &kernel : (*module)->getKernels()) {
      llvm::outs() << kernel.getName() << ":";
      for (const Parameter &parameter : kernel.getParameters())
        llvm::outs() << " " << parameter.size;
      llvm::outs() << "\n";
    }
    return 0;
  }

  llvm::ArrayRef<Kernel> kernels = (*module)->getKernels();
  const Kernel *kernel = entry.empty() && kernels.size() == 1
                             ? &kernels.front()
                             : (*module)->findKernel(entry);
  if (!kernel) {
    std::string names;
    llvm::ListSeparator separator;
    for (const Kernel &candidate : kernels)
      names += (StringRef(separator) + candidate.getName()).str();
    return report(makeError(
        (entry.empty() ? "--entry is needed" : "no kernel '" + entry + "'") +
        "; the kernels are: " + names));
  }

  LaunchConfig config;
  for (auto [name, text, dim] :
       {std::tuple("grid", &gridText, &config.grid),
        std::tuple("block", &blockText, &config.block)}) {
    auto parsed = parseDim(name, *text);
    if (!parsed)
      return report(parsed.takeError());
    *dim = *parsed;
  }
  config.sharedBytes = shared;

  Options options;
  options.perturb = !exact;
  options.maxInstructions = limit;
  options.trace = trace ? &llvm::errs() : nullptr;
  for (const std::string &check : unchecked) {
    if (check == "registers")
      options.checkRegisters = false;
    else if (check == "memory")
      options.checkMemory = false;
    else if (check == "races")
      options.checkRaces = false;
    else if (check == "unspecified")
      options.checkUnspecified = false;
    else
      return report(makeError("unknown check '" + check + "'"));
  }

  std::vector<Argument> arguments;
  for (const std::string &text : argumentTexts) {
    auto argument = parseArgument(text);
    if (!argument)
      return report(argument.takeError());
    arguments.push_back(std::move(*argument));
  }
  if (arguments.size() != kernel->getParameters().size())
    return report(makeError("'" + kernel->getName() + "' has " +
                            llvm::Twine(kernel->getParameters().size()) +
                            " parameters, but got " +
                            llvm::Twine(arguments.size())));
  Memory memory;
  std::vector<const void *> pointers;
  for (auto [index, argument] : llvm::enumerate(arguments)) {
    const Parameter &parameter = kernel->getParameters()[index];
    if (argument.bytes != parameter.size)
      return report(makeError("parameter " + llvm::Twine(index) + " has " +
                              llvm::Twine(parameter.size) + " bytes, but got " +
                              llvm::Twine(argument.bytes)));
    if (argument.array) {
      size_t size = argument.array->data.size();
      argument.storage.resize(size + 256);
      llvm::copy(argument.array->data, argument.data());
      memory.add(argument.data(), size);
      argument.bits = reinterpret_cast<uint64_t>(argument.data());
    }
    pointers.push_back(&argument.bits);
  }

  auto result = kernel->launch(config, pointers, memory, options);
  if (!result)
    return report(makeError(input + ": " + llvm::toString(result.takeError())));
  for (Argument &argument : arguments) {
    if (argument.output.empty())
      continue;
    llvm::copy(llvm::ArrayRef(argument.data(), argument.array->data.size()),
               argument.array->data.begin());
    if (llvm::Error error =
            writeFile(argument.output, mlir::lowp::formatNpy(*argument.array)))
      return report(std::move(error));
  }
  if (counts) {
    for (const auto &[form, count] : result->threads)
      llvm::outs() << form << " " << count << "\n";
    llvm::outs() << "total " << result->threadInstructions << "\n"
                 << "warps " << result->warpInstructions << "\n";
  }
  return 0;
}
