//===- Programs.cpp - Cases on the compiled path --------------------------===//
//
// Part of the Lowp project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Contractions.h"

#include "lowp/Conformance/Attributes.h"
#include "lowp/Conformance/Suite.h"
#include "lowp/Driver/Driver.h"

#include "mlir/IR/Diagnostics.h"
#include "mlir/IR/MLIRContext.h"

#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/SourceMgr.h"

using namespace mlir;
using namespace mlir::lowp;
using namespace mlir::lowp::conformance;

/// Functions of a module. Compile time grows faster than their number.
static constexpr size_t kFunctionsPerModule = 40;

//===----------------------------------------------------------------------===//
// Text
//===----------------------------------------------------------------------===//

namespace {

/// Fields of a rule as text.
struct RuleFields {
  SmallVector<std::pair<std::string, std::string>> fields;

  template <typename T>
  void choice(StringRef name, T &value, Choices<T> choices) {
    for (const auto &[text, choice] : choices)
      if (choice == value)
        fields.emplace_back(name, text);
  }
  void number(StringRef name, bool value) {
    fields.emplace_back(name, value ? "true" : "false");
  }
  template <typename T>
  void number(StringRef name, T value) {
    fields.emplace_back(name, std::to_string(static_cast<int64_t>(value)));
  }
};

std::string ruleText(const Spec &spec) {
  RuleFields actual, defaults;
  num::QuantRule rule = spec.rule, defaultRule;
  num::RandomKey key = spec.key, defaultKey;
  visitRule(actual, rule, key);
  visitRule(defaults, defaultRule, defaultKey);
  std::string text;
  for (auto [field, other] : llvm::zip(actual.fields, defaults.fields))
    if (field != other)
      text += (text.empty() ? "" : ", ") + field.first + " = " + field.second;
  return "#lowp.rule<" + text + ">";
}

std::string dimsText(ArrayRef<int64_t> dims) {
  std::string text;
  for (int64_t dim : dims)
    text += (dim < 0 ? "?" : std::to_string(dim)) + "x";
  return text;
}

std::string tensorText(ArrayRef<int64_t> dims, num::FloatType type) {
  return "tensor<" + dimsText(dims) + nameOf(kFloatTypes, type).str() + ">";
}

template <typename Range>
std::string listText(const Range &range) {
  return "[" +
         llvm::join(
             llvm::map_range(range,
                             [](auto value) { return std::to_string(value); }),
             ", ") +
         "]";
}

StringRef typeOf(const num::ElementFormat *element) {
  static constexpr std::pair<StringRef, const num::ElementFormat *> kTypes[] = {
      {"f4E2M1FN", &num::kE2M1}, {"f6E2M3FN", &num::kE2M3},
      {"f6E3M2FN", &num::kE3M2}, {"f8E4M3FN", &num::kE4M3},
      {"f8E5M2", &num::kE5M2},   {"!lowp.s2f6", &num::kS2F6}};
  return nameOf(kTypes, element);
}

StringRef typeOf(const num::ScaleFormat *scale) {
  static constexpr std::pair<StringRef, const num::ScaleFormat *> kTypes[] = {
      {"f8E8M0FNU", &num::kUE8M0},
      {"f8E4M3FN", &num::kUE4M3},
      {"f32", &num::kFP32}};
  return nameOf(kTypes, scale);
}

std::string blockedText(const Blocked &blocked, ArrayRef<int64_t> dims) {
  std::string text =
      "!lowp.blocked<" + dimsText(dims) + "<" + typeOf(blocked.element).str() +
      ", " + typeOf(blocked.scale).str() + (blocked.outer ? ", outer>" : ">") +
      ", block = " + listText(blocked.blocking.block);
  if (!blocked.blocking.outerAxes.empty())
    text += ", outer = " + listText(blocked.blocking.outerAxes);
  if (blocked.layout == Layout::Tcgen05_128x4)
    text += ", layout = tcgen05_128x4";
  if (blocked.isGrouped())
    text += ", groups = " +
            (blocked.groups < 0 ? "?" : std::to_string(blocked.groups)) +
            " along " + std::to_string(blocked.groupAxis);
  return text + ">";
}

bool isStochastic(const Spec &spec) {
  return (spec.op == OpKind::Quantize || spec.op == OpKind::Requantize) &&
         spec.rule.round == num::RoundingMode::Stochastic;
}

std::string contractionText(const Spec &spec, const num::Dims &dims) {
  std::string arguments, types, operands;
  for (const Side &side : sidesOf(spec, dims)) {
    std::string type = side.isBlocked ? blockedText(side.blocked, side.shape)
                                      : tensorText(side.shape, side.dtype);
    std::string comma = types.empty() ? "" : ", ";
    arguments += comma + "%" + side.name.str() + ": " + type;
    operands += comma + "%" + side.name.str();
    types += comma + type;
  }
  if (isByGroups(spec.op)) {
    std::string type =
        "tensor<" + dimsText(dims[0] < 0 ? -1 : dims[0] + 1) + "i64>";
    arguments += ", %offsets: " + type;
    operands += " groups(%offsets : " + type + ")";
  }
  num::Dims shape = contractedShape(spec, dims);
  if (spec.hasInit) {
    std::string type = tensorText(shape, num::FloatType::F32);
    arguments += ", %init: " + type;
    operands += " init(%init : " + type + ")";
  }
  if (spec.lhs.isTransposed)
    operands += " transpose_lhs";
  if (spec.rhs.isTransposed)
    operands += " transpose_rhs";
  std::string result = tensorText(shape, spec.dtype);
  return "(" + arguments + ") -> " + result + " {\n  %y = lowp." +
         nameOf(kOps, spec.op).str() + " " + operands + " : " + types + " -> " +
         result + "\n  return %y : " + result + "\n}";
}

/// Seed and step are arguments; so is what a quantization is given.
std::string functionText(const Spec &spec, ArrayRef<int64_t> dims) {
  if (isContraction(spec.op))
    return contractionText(spec, num::Dims(dims.begin(), dims.end()));
  num::Dims resultDims;
  for (unsigned dim : spec.permutation)
    resultDims.push_back(dims[dim]);
  std::string seed, attributes, arguments;
  if (isStochastic(spec)) {
    seed = " seed(%seed, %step)";
    arguments = ", %seed: i64, %step: i32";
    attributes = ", stream = " + std::to_string(spec.key.stream) + " : i32";
  }
  std::string source, result, body;
  switch (spec.op) {
  case OpKind::Quantize: {
    source = tensorText(dims, spec.dtype);
    result = blockedText(spec.result, dims);
    std::string given;
    if (spec.result.isGrouped()) {
      std::string type =
          "tensor<" + std::to_string(spec.result.groups + 1) + "xi64>";
      seed += " groups(%offsets : " + type + ")";
      arguments = ", %offsets: " + type + arguments;
    }
    if (spec.given != Given::Nothing) {
      num::Dims outer =
          spec.result.outerShape(num::Dims(dims.begin(), dims.end()));
      std::string type = tensorText(outer, num::FloatType::F32);
      given =
          " " + nameOf(kGiven, spec.given).str() + "(%given : " + type + ")";
      arguments = ", %given: " + type + arguments;
    }
    body = "lowp.quantize %x" + given + seed + " {rule = " + ruleText(spec) +
           attributes + "}";
    break;
  }
  case OpKind::Dequantize:
    source = blockedText(spec.source, dims);
    result = tensorText(dims, spec.dtype);
    body = "lowp.dequantize %x";
    break;
  case OpKind::Requantize:
    source = blockedText(spec.source, dims);
    result = blockedText(spec.result, resultDims);
    body = "lowp.requantize %x" + seed +
           " permutation = " + listText(spec.permutation) +
           " outer = " + nameOf(kRequantOuter, spec.requantOuter).str() +
           " {rule = " + ruleText(spec) + attributes + "}";
    break;
  case OpKind::Transpose: {
    Blocked blocked = spec.source;
    blocked.blocking =
        num::permutedBlocking(spec.source.blocking, spec.permutation);
    llvm::sort(blocked.blocking.outerAxes);
    source = blockedText(spec.source, dims);
    result = blockedText(blocked, resultDims);
    body = "lowp.transpose %x permutation = " + listText(spec.permutation);
    break;
  }
  case OpKind::ConvertLayout: {
    Blocked blocked = spec.source;
    blocked.layout = spec.result.layout;
    source = blockedText(spec.source, dims);
    result = blockedText(blocked, dims);
    body = "lowp.convert_layout %x";
    break;
  }
  case OpKind::Rht: {
    source = result = tensorText(dims, spec.dtype);
    body = "lowp.rht %x size = " + std::to_string(spec.signs.size()) +
           " axis = " + std::to_string(spec.axis) +
           (spec.inverse ? " inverse" : "") + " signs = @SIGNS" +
           " normalization = " + nameOf(kNorms, spec.norm).str();
    return "(%x: " + source + ") -> " + result + " {\n  %y = " + body + " : " +
           source + "\n  return %y : " + result + "\n}";
  }
  case OpKind::Amax: {
    const std::vector<unsigned> &axes = spec.result.blocking.outerAxes;
    source = tensorText(dims, spec.dtype);
    result =
        tensorText(num::outerShape(num::Dims(dims.begin(), dims.end()), axes),
                   num::FloatType::F32);
    body = "lowp.amax %x" + (axes.empty() ? "" : " outer = " + listText(axes)) +
           " nonfinite = " + nameOf(kNonFinite, spec.rule.nonfinite).str();
    break;
  }
  case OpKind::Combine: {
    source = blockedText(spec.source, dims);
    result = tensorText(dims.drop_front(), spec.dtype);
    std::string type = tensorText(dims.take_front(2), spec.gates);
    arguments = ", %gates: " + type;
    body = "lowp.combine %x gates(%gates : " + type + ")";
    if (!spec.signs.empty())
      body +=
          " inverse_rht = " + std::to_string(spec.signs.size()) +
          " signs = @SIGNS normalization = " + nameOf(kNorms, spec.norm).str();
    break;
  }
  default:
    return "";
  }
  return "(%x: " + source + arguments + ") -> " + result +
         " {\n  %y = " + body + " : " + source + " -> " + result +
         "\n  return %y : " + result + "\n}";
}

std::string signsText(const Spec &spec) {
  if (spec.signs.empty())
    return "";
  return "[" +
         llvm::join(llvm::map_range(spec.signs,
                                    [](int8_t sign) {
                                      return sign < 0 ? "true" : "false";
                                    }),
                    ", ") +
         "]";
}

bool isPacked(const Side &side) {
  return side.isBlocked && side.blocked.element->storageBits() == 4;
}

Array scalar(int64_t value, int64_t bytes) {
  Array array;
  array.kind = 'i';
  array.itemSize = bytes;
  array.data.resize(bytes);
  std::memcpy(array.data.data(), &value, bytes);
  return array;
}

} // namespace

//===----------------------------------------------------------------------===//
// Programs
//===----------------------------------------------------------------------===//

bool Programs::isSupported(const Spec &spec) {
  switch (spec.op) {
  case OpKind::Quantize:
    return spec.given != Given::RandomBits;
  case OpKind::Requantize:
  case OpKind::Dequantize:
  case OpKind::Transpose:
  case OpKind::ConvertLayout:
  case OpKind::Rht:
  case OpKind::Amax:
  case OpKind::Combine:
  case OpKind::Matmul:
  case OpKind::BatchMatmul:
  case OpKind::GroupedMatmul:
  case OpKind::KGroupedMatmul:
    return true;
  default:
    return false;
  }
}

size_t Programs::add(const Spec &spec, ArrayRef<int64_t> dims) {
  std::string text = functionText(spec, dims), signs = signsText(spec);
  auto [it, isNew] = known.try_emplace(text + signs, functions.size());
  if (!isNew)
    return it->second;
  Function function;
  function.dims.assign(dims.begin(), dims.end());
  function.name = "f" + std::to_string(functions.size());
  std::string symbol = "signs" + std::to_string(functions.size());
  if (size_t at = text.find("@SIGNS"); at != std::string::npos) {
    text.replace(at, 6, "@" + symbol);
    text = "lowp.signs @" + symbol + " = " + signs + "\nfunc.func @" +
           function.name + text;
  } else {
    text = "func.func @" + function.name + text;
  }
  function.text = std::move(text);
  functions.push_back(std::move(function));
  return it->second;
}

llvm::Error Programs::compile(unsigned optLevel, StringRef target,
                              StringRef driver) {
  DialectRegistry registry;
  registerAllForPrograms(registry);
  CompileOptions options;
  options.emit = EmitKind::Shared;
  options.cpu.optLevel = optLevel;
  options.pipeline.target = target.str();
  // Behind the pass that wants a stream of its own for every operation of a
  // module: the functions of one are programs of their own.
  options.resumeFrom = Stage::Simplify;
  for (size_t start = 0; start < functions.size();
       start += kFunctionsPerModule) {
    auto module = llvm::MutableArrayRef(functions).slice(start).take_front(
        kFunctionsPerModule);
    std::string text;
    for (const Function &function : module)
      text += function.text + "\n";
    MLIRContext context(registry, MLIRContext::Threading::DISABLED);
    context.printOpOnDiagnostic(false);
    auto sources = std::make_shared<llvm::SourceMgr>();
    sources->AddNewSourceBuffer(
        llvm::MemoryBuffer::getMemBufferCopy(text, "programs.mlir"),
        llvm::SMLoc());
    SourceMgrDiagnosticHandler handler(*sources, &context);
    FailureOr<CompileResult> result =
        compileProgram(sources, options, &context);
    if (failed(result))
      return llvm::createStringError("a program does not compile");
    auto program = Program::load(result->output, driver);
    if (!program)
      return program.takeError();
    for (Function &function : module) {
      auto entry = (*program)->findEntry(function.name);
      if (!entry)
        return entry.takeError();
      function.program = program->get();
      function.entry = *entry;
    }
    programs.push_back(std::move(*program));
  }
  return llvm::Error::success();
}

llvm::Expected<std::vector<Array>>
Programs::run(size_t function, const Spec &spec, ArrayRef<Array> inputs) const {
  const ProgramEntry &entry = *functions[function].entry;
  std::vector<Array> arguments;
  if (isContraction(spec.op)) {
    auto known = sidesOf(spec, functions[function].dims);
    for (auto [side, type] :
         llvm::zip_equal(sidesOf(spec, spec.shape), known)) {
      llvm::append_range(arguments, inputs.take_front(side.getNumArrays()));
      inputs = inputs.drop_front(side.getNumArrays());
      if (isPacked(side) && type.shape.back() < 0)
        arguments.push_back(scalar(side.shape.back(), 8));
    }
  }
  llvm::append_range(arguments, inputs);
  size_t expected = entry.arguments.size() - (isStochastic(spec) ? 2 : 0);
  // The size of a dynamic last dim whose codes are packed.
  if (arguments.size() < expected)
    arguments.insert(arguments.end() - (spec.op == OpKind::Combine ? 1 : 0),
                     scalar(spec.shape.back(), 8));
  if (isStochastic(spec)) {
    arguments.push_back(scalar(static_cast<int64_t>(spec.key.seed), 8));
    arguments.push_back(scalar(spec.key.step, 4));
  }
  auto results = functions[function].program->call(entry, arguments);
  if (!results)
    return results.takeError();
  llvm::Expected<Interface> io = getInterface(spec);
  if (!io)
    return io.takeError();
  if (results->size() > io->outputs.size()) {
    int64_t size;
    std::memcpy(&size, results->back().data.data(), sizeof(size));
    if (size != spec.resultShape().back())
      return llvm::createStringError("another size of the last dim");
    results->resize(io->outputs.size());
  }
  return results;
}

int64_t Programs::getLiveAllocations() const {
  int64_t count = 0;
  for (const std::unique_ptr<Program> &program : programs)
    count += program->getLiveAllocations();
  return count;
}
