//===- Auto.cpp - The recipe that fits a program --------------------------===//
//
// Part of the Lowp project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Auto.h"

#include "lowp/Auto/Probe.h"
#include "lowp/Driver/Files.h"
#include "lowp/Driver/Program.h"
#include "lowp/IR/LowpOps.h"
#include "lowp/Transforms/Passes.h"

#include "mlir/Bytecode/BytecodeWriter.h"
#include "mlir/Parser/Parser.h"
#include "mlir/Pass/PassManager.h"
#include "mlir/Transforms/Passes.h"

#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringSet.h"
#include "llvm/Support/Endian.h"
#include "llvm/Support/raw_ostream.h"

#include <list>
#include <map>

using namespace mlir;
using namespace mlir::lowp;
namespace numerics = ::lowp::numerics;

namespace {
/// A copy of a program in a context of its own: what is done to it gives no
/// remarks, and an error becomes one of the program.
class Copy {
public:
  explicit Copy(ModuleOp original)
      : original(original),
        context(getRegistry(), MLIRContext::Threading::DISABLED) {
    std::string bytes;
    llvm::raw_string_ostream stream(bytes);
    (void)writeBytecodeToFile(original, stream);
    module = parseSourceString<ModuleOp>(bytes, ParserConfig(&context));
  }

  ModuleOp operator*() { return *module; }

  LogicalResult run(function_ref<LogicalResult()> body) {
    std::string message;
    ScopedDiagnosticHandler handler(&context, [&](Diagnostic &diagnostic) {
      if (diagnostic.getSeverity() == DiagnosticSeverity::Error &&
          message.empty())
        message = diagnostic.str();
    });
    if (succeeded(body()))
      return success();
    return original.emitError() << message;
  }

private:
  static DialectRegistry getRegistry() {
    DialectRegistry registry;
    registerAllForPrograms(registry);
    return registry;
  }

  ModuleOp original;
  MLIRContext context;
  OwningOpRef<ModuleOp> module;
};

/// Values of arguments, one list for each run.
struct Inputs {
  llvm::BitVector given;
  std::vector<std::vector<const Array *>> runs;
  /// For errors: where the argument comes from.
  std::vector<std::vector<std::string>> origins;

  // What the pointers point to; lists do not move their elements.
  std::list<NamedArrays> archives;
  std::list<Array> arrays;
  Array step = makeFirstStep();
};

class RecipeChooser {
public:
  RecipeChooser(ModuleOp module, const CompileOptions &options,
                CompileFn compile)
      : module(module), options(options), compile(compile) {}

  FailureOr<AutoChoice> choose();

private:
  InFlightDiagnostic fail() { return module.emitError(); }
  LogicalResult fail(llvm::Error error) {
    return fail() << llvm::toString(std::move(error));
  }
  LogicalResult checkNames();
  LogicalResult findDecided();
  LogicalResult findEntry();
  LogicalResult readInputs();
  LogicalResult readWeights();
  LogicalResult readArchive(StringRef path);
  LogicalResult readArguments();
  const Array *findArgument(const NamedArrays &arrays, unsigned argument,
                            std::string &key);
  LogicalResult probe();
  LogicalResult run(StringRef sharedObject, const Probe &probe);

  ModuleOp module;
  const CompileOptions &options;
  CompileFn compile;
  /// Sites that a rule or a plan decides.
  llvm::StringSet<> decided;
  func::FuncOp entry;
  Inputs inputs;
  /// Operands that runs computed, by the name of their site and their side.
  std::vector<std::vector<Array>> results;
  std::map<std::pair<std::string, Side>, std::vector<numerics::ConstFloatView>>
      values;
  /// Offsets of the groups that sites contract, by the name of their site.
  std::map<std::string, std::vector<numerics::Dims>> offsets;
};
} // namespace

/// A recipe tells sites apart by their names.
LogicalResult RecipeChooser::checkNames() {
  llvm::StringMap<Operation *> sites;
  WalkResult result =
      module.walk<WalkOrder::PreOrder>([&](ContractionOpInterface op) {
        SiteAttr site = op.getSiteAttr();
        if (!site)
          return WalkResult::advance();
        auto [other, isNew] = sites.try_emplace(site.getName(), op);
        if (isNew)
          return WalkResult::advance();
        InFlightDiagnostic diag = op->emitOpError()
                                  << "expects a site with a name of its own, "
                                     "but got another one of name '"
                                  << site.getName() << "'";
        diag.attachNote(other->second->getLoc()) << "the other one is here";
        return WalkResult::interrupt();
      });
  return failure(result.wasInterrupted());
}

/// Finds the sites on which the rules of the command line, or plans on
/// operations, say something.
LogicalResult RecipeChooser::findDecided() {
  bool any = !options.pipeline.rules.empty();
  module.walk([&](ContractionOpInterface op) {
    any |= op.getSiteAttr() && op.getPlanAttr();
  });
  if (!any)
    return success();
  Copy copy(module);
  if (failed(copy.run([&] {
        PassManager passes((*copy)->getName());
        AssignFormatsOptions assign;
        assign.rules = llvm::join(options.pipeline.rules, ";");
        passes.addPass(createAssignFormats(assign));
        return passes.run(*copy);
      })))
    return failure();
  for (auto record : (*copy)
                         ->getAttrOfType<ArrayAttr>(kSitesAttrName)
                         .getAsRange<DictionaryAttr>())
    if (record.get("plan") ||
        record.getAs<StringAttr>("why").getValue() != kNoRuleMatches)
      decided.insert(record.getAs<SiteAttr>("site").getName());
  return success();
}

/// The function whose arguments the files give: the one that lowp-run runs.
LogicalResult RecipeChooser::findEntry() {
  StringRef name = options.autoRecipe.entry;
  func::FuncOp only;
  unsigned count = 0;
  for (auto function : module.getOps<func::FuncOp>()) {
    if (function.isExternal() || !function.isPublic())
      continue;
    if (function.getName() == (name.empty() ? "main" : name))
      entry = function;
    only = function;
    ++count;
  }
  if (!entry && name.empty() && count == 1)
    entry = only;
  bool hasFiles = !options.autoRecipe.weights.empty() ||
                  !options.autoRecipe.calibration.empty();
  if (!entry && hasFiles)
    return fail() << "expects a public function with a body named '"
                  << (name.empty() ? "main" : name)
                  << "' that the weights and inputs are for";
  if (!entry)
    return success();
  bool isCalled = !SymbolTable::symbolKnownUseEmpty(entry, module);
  if (entry.getBody().hasOneBlock() && !isCalled)
    return success();
  if (hasFiles)
    return entry.emitError()
           << "expects a function of one block that no other calls, to compute "
              "the operands of its sites";
  entry = {};
  return success();
}

/// The array of an argument, by its position or by its parameter's name.
const Array *RecipeChooser::findArgument(const NamedArrays &arrays,
                                         unsigned argument, std::string &key) {
  key = "arg" + std::to_string(argument);
  if (const Array *array = findArray(arrays, key))
    return array;
  auto param = entry.getArgAttrOfType<ParamAttr>(argument, kParamAttrName);
  if (!param || param.getName().empty())
    return nullptr;
  if (const Array *array = findArray(arrays, param.getName())) {
    key = param.getName().str();
    return array;
  }
  key += "' or '" + param.getName().str();
  return nullptr;
}

LogicalResult RecipeChooser::readWeights() {
  StringRef path = options.autoRecipe.weights;
  if (path.empty())
    return success();
  llvm::Expected<NamedArrays> arrays = readNpz(path);
  if (!arrays)
    return fail(arrays.takeError());
  const NamedArrays &archive = inputs.archives.emplace_back(std::move(*arrays));
  llvm::BitVector weights = getWeightArguments(entry);
  for (unsigned i = 0; i < entry.getNumArguments(); ++i) {
    std::string key;
    if (const Array *array = findArgument(archive, i, key)) {
      inputs.given.set(i);
      inputs.runs.front()[i] = array;
      inputs.origins.front()[i] = ("'" + path + "': array '" + key + "'").str();
    } else if (weights.test(i)) {
      return fail() << "'" << path << "' has no array '" << key << "'";
    }
  }
  return success();
}

/// The arguments that the weights do not give, for one run.
LogicalResult RecipeChooser::readArchive(StringRef path) {
  llvm::Expected<NamedArrays> arrays = readNpz(path);
  if (!arrays)
    return fail(arrays.takeError());
  const NamedArrays &archive = inputs.archives.emplace_back(std::move(*arrays));
  for (unsigned i = 0; i < entry.getNumArguments(); ++i) {
    if (inputs.given.test(i))
      continue;
    std::string key;
    const Array *array = findArgument(archive, i, key);
    if (!array)
      return fail() << "'" << path << "' has no array '" << key << "'";
    inputs.runs.back()[i] = array;
    inputs.origins.back()[i] = ("'" + path + "': array '" + key + "'").str();
  }
  return success();
}

/// The same from one .npy file each.
LogicalResult RecipeChooser::readArguments() {
  ArrayRef<std::string> files = options.autoRecipe.calibration;
  unsigned missing = entry.getNumArguments() - inputs.given.count();
  if (files.size() != missing)
    return fail() << "expects " << missing
                  << " files for the arguments that the weights do not give, "
                     "but got "
                  << files.size();
  for (unsigned i = 0; i < entry.getNumArguments(); ++i) {
    if (inputs.given.test(i))
      continue;
    llvm::Expected<Array> array = readNpy(files.front());
    if (!array)
      return fail(array.takeError());
    inputs.runs.front()[i] = &inputs.arrays.emplace_back(std::move(*array));
    inputs.origins.front()[i] = "'" + files.front() + "'";
    files = files.drop_front();
  }
  return success();
}

LogicalResult RecipeChooser::readInputs() {
  unsigned count = entry.getNumArguments();
  inputs.given.resize(count);
  inputs.runs.emplace_back(count, nullptr);
  inputs.origins.emplace_back(count);
  // Callers may leave out the step of stochastic rounding.
  for (unsigned i = 0; i < count; ++i)
    if (entry.getArgAttr(i, kStepAttrName)) {
      inputs.given.set(i);
      inputs.runs.front()[i] = &inputs.step;
    }
  if (failed(readWeights()))
    return failure();
  ArrayRef<std::string> files = options.autoRecipe.calibration;
  if (files.empty())
    return success();
  auto isArchive = [](StringRef file) { return file.ends_with(".npz"); };
  if (!llvm::all_of(files, isArchive)) {
    if (llvm::any_of(files, isArchive))
      return fail() << "expects inputs of one kind, .npy files for the "
                       "arguments of one run or .npz files for a run each, but "
                       "got both";
    if (failed(readArguments()))
      return failure();
  } else {
    // Runs begin with the weights.
    std::vector<const Array *> weights = inputs.runs.front();
    std::vector<std::string> origins = inputs.origins.front();
    for (auto [index, file] : llvm::enumerate(files)) {
      if (index != 0) {
        inputs.runs.push_back(weights);
        inputs.origins.push_back(origins);
      }
      if (failed(readArchive(file)))
        return failure();
    }
  }
  inputs.given.set();
  return success();
}

/// The offsets of groups, in integers of 4 or 8 bytes.
static numerics::Dims readOffsets(const Array &array) {
  numerics::Dims result;
  for (const char *at = array.data.data(), *end = at + array.data.size();
       at != end; at += array.itemSize)
    result.push_back(
        array.itemSize == 4
            ? static_cast<int32_t>(llvm::support::endian::read32le(at))
            : static_cast<int64_t>(llvm::support::endian::read64le(at)));
  return result;
}

static numerics::FloatType getFloatType(StringRef dtype) {
  if (dtype == "bf16")
    return numerics::FloatType::BF16;
  return dtype == "f16" ? numerics::FloatType::F16 : numerics::FloatType::F32;
}

LogicalResult RecipeChooser::run(StringRef sharedObject, const Probe &probe) {
  auto program = Program::load(sharedObject);
  if (!program)
    return fail(program.takeError());
  auto function = (*program)->findEntry(entry.getName());
  if (!function)
    return fail(function.takeError());
  for (auto [run, origins] : llvm::zip_equal(inputs.runs, inputs.origins)) {
    std::vector<Array> arguments;
    for (auto [argument, value] :
         llvm::zip(probe.arguments, (*function)->arguments)) {
      if (llvm::Error error = checkArgument(value, *run[argument]))
        return fail() << origins[argument] << ": "
                      << llvm::toString(std::move(error));
      arguments.push_back(*run[argument]);
    }
    // What rounds stochastically gets the step as one argument more.
    if (arguments.size() < (*function)->arguments.size())
      arguments.push_back(inputs.step);
    auto arrays = (*program)->call(**function, arguments);
    if (!arrays)
      return fail(arrays.takeError());
    results.push_back(std::move(*arrays));
    for (auto [array, type, result] :
         llvm::zip_equal(results.back(), (*function)->results, probe.results)) {
      for (const std::string &site : result.grouped)
        offsets[site].push_back(readOffsets(array));
      for (const auto &reader : result.readers)
        values[reader].push_back(numerics::denseView(
            static_cast<const void *>(array.data.data()),
            getFloatType(type.dtype),
            numerics::Dims(array.shape.begin(), array.shape.end())));
    }
  }
  return success();
}

/// Computes what follows from the inputs.
LogicalResult RecipeChooser::probe() {
  Copy copy(module);
  std::string sharedObject;
  Probe probe;
  if (failed(copy.run([&]() -> LogicalResult {
        ModuleOp program = *copy;
        auto function = program.lookupSymbol<func::FuncOp>(entry.getName());
        for (auto other : program.getOps<func::FuncOp>())
          if (other != function)
            other.setPrivate();
        probe = makeProbe(function, inputs.given);
        if (probe.results.empty())
          return success();
        PassManager passes(program->getName());
        passes.addPass(createSymbolDCEPass());
        if (failed(passes.run(program)))
          return failure();
        FailureOr<std::string> output = compile(program);
        if (failed(output))
          return failure();
        sharedObject = std::move(*output);
        return success();
      })))
    return failure();
  return probe.results.empty() ? success() : run(sharedObject, probe);
}

FailureOr<AutoChoice> RecipeChooser::choose() {
  if (failed(checkNames()) || failed(findDecided()) || failed(findEntry()))
    return failure();
  if (entry && (failed(readInputs()) || failed(probe())))
    return failure();

  std::vector<AutoSite> sites;
  module.walk<WalkOrder::PreOrder>([&](ContractionOpInterface op) {
    SiteAttr site = op.getSiteAttr();
    if (!site || decided.contains(site.getName()))
      return;
    auto getOperand = [&](Side side) {
      bool isLhs = side == Side::Lhs;
      OpOperand &operand = isLhs ? op.getLhsOperand() : op.getRhsOperand();
      AutoOperand result;
      result.type = dyn_cast<RankedTensorType>(operand.get().getType());
      result.dim =
          isLhs ? op.getLhsContractionDim() : op.getRhsContractionDim();
      if (op->getParentOp() == entry) {
        result.values = values[{site.getName().str(), side}];
        if (!result.values.empty())
          result.offsets = offsets[site.getName().str()];
      }
      return result;
    };
    AutoSite result = {site, getOperand(Side::Lhs), getOperand(Side::Rhs)};
    // What is quantised already has no choice.
    if (result.lhs.type && result.rhs.type)
      sites.push_back(std::move(result));
  });
  return chooseFormats(module.getContext(), sites,
                       {options.autoRecipe.maxError, options.autoRecipe.bits},
                       [&] { return fail(); });
}

FailureOr<AutoChoice> mlir::lowp::chooseRecipe(ModuleOp module,
                                               const CompileOptions &options,
                                               CompileFn compile) {
  return RecipeChooser(module, options, compile).choose();
}
