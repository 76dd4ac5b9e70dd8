//===- CommandLine.cpp - Flags that the tools share -----------------------===//
//
// Part of the Lowp project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "lowp/Driver/CommandLine.h"

#include "mlir/IR/Diagnostics.h"
#include "mlir/IR/MLIRContext.h"
#include "mlir/IR/Remarks.h"
#include "mlir/Remark/RemarkStreamer.h"
#include "mlir/Support/FileUtilities.h"

#include "llvm/ADT/StringSet.h"
#include "llvm/Support/CommandLine.h"
#include "llvm/Support/CrashRecoveryContext.h"
#include "llvm/Support/ErrorHandling.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/ManagedStatic.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/Signals.h"
#include "llvm/Support/SourceMgr.h"
#include "llvm/Support/WithColor.h"

using namespace mlir;
using namespace mlir::lowp;
namespace cl = llvm::cl;

namespace {
enum class RemarkFormat { Diagnostics, YAML, Bitstream };
enum class RemarkPolicy { All, Final };

struct Flags {
  cl::OptionCategory category{"Compilation"};
  cl::opt<std::string> recipe{
      "recipe", cl::desc("Which sites get which formats (see --list-recipes)"),
      cl::value_desc("name or file"), cl::init("bf16"), cl::cat(category)};
  cl::list<std::string> rules{
      "rule", cl::desc("A rule that comes before the recipe's; repeatable"),
      cl::value_desc("rule"), cl::cat(category)};
  cl::opt<std::string> target{
      "target", cl::desc("cpu or a GPU (see --list-targets)"),
      cl::value_desc("name"), cl::init("cpu"), cl::cat(category)};
  cl::opt<std::string> cpu{
      "mcpu", cl::desc("Processor to generate code for; results are the same"),
      cl::value_desc("name"), cl::init("native"), cl::cat(category)};
  cl::opt<unsigned> optLevel{"O",
                             cl::desc("Optimization level of LLVM (0 to 3)"),
                             cl::Prefix, cl::init(2), cl::cat(category)};
  cl::opt<std::string> ptxas{
      "ptxas", cl::desc("Assembler of PTX; by default it is looked for"),
      cl::value_desc("file"), cl::cat(category)};
  cl::opt<int64_t> seed{"seed", cl::desc("Seed of stochastic rounding"),
                        cl::init(0), cl::cat(category)};
  cl::opt<unsigned> threads{
      "threads",
      cl::desc("Threads of a program on the CPU; 0: OMP_NUM_THREADS of them "
               "when it runs. Results are the same"),
      cl::init(1), cl::cat(category)};
  cl::opt<bool> formKernels{
      "form-kernels",
      cl::desc("Compute what a program on the CPU quantizes in the loop that "
               "quantizes it. Results are the same"),
      cl::init(true), cl::cat(category)};
  cl::opt<std::string> params{"params",
                              cl::desc("JSON file with the names of arguments"),
                              cl::value_desc("file"), cl::cat(category)};

  cl::OptionCategory autoCategory{
      "Recipe auto: formats chosen by their errors"};
  cl::opt<double> maxError{
      "max-error",
      cl::desc("Fewest bytes whose relative error, the root of the mean square "
               "over all sites, is at most this"),
      cl::value_desc("number"), cl::cat(autoCategory)};
  cl::opt<double> bits{
      "bits",
      cl::desc("Least error with at most so many bits of a value on average"),
      cl::value_desc("number"), cl::cat(autoCategory)};
  cl::opt<std::string> weights{
      "weights",
      cl::desc("Weights to measure errors on: arrays named arg0, arg1, ... or "
               "as the parameters"),
      cl::value_desc("npz file"), cl::cat(autoCategory)};
  cl::list<std::string> calibration{
      "calibration",
      cl::desc("Other inputs to measure errors on: a .npy file for each, or an "
               ".npz file for each run"),
      cl::value_desc("file"), cl::cat(autoCategory)};
  cl::opt<std::string> recipeOut{
      "recipe-out", cl::desc("File for the recipe that was chosen"),
      cl::value_desc("file"), cl::cat(autoCategory)};

  cl::OptionCategory remarkCategory{"Remarks"};
  cl::opt<std::string> all{"remarks-filter",
                           cl::desc("Remarks of all kinds to show"),
                           cl::value_desc("regex"), cl::cat(remarkCategory)};
  cl::opt<std::string> passed{"remarks-filter-passed",
                              cl::desc("Remarks on what was done to show"),
                              cl::value_desc("regex"), cl::cat(remarkCategory)};
  cl::opt<std::string> missed{"remarks-filter-missed",
                              cl::desc("Remarks on what was not done to show"),
                              cl::value_desc("regex"), cl::cat(remarkCategory)};
  cl::opt<std::string> failedFilter{
      "remarks-filter-failed", cl::desc("Remarks on what failed to show"),
      cl::value_desc("regex"), cl::cat(remarkCategory)};
  cl::opt<std::string> analysis{
      "remarks-filter-analyse", cl::desc("Remarks with findings to show"),
      cl::value_desc("regex"), cl::cat(remarkCategory)};
  cl::opt<RemarkFormat> format{
      "remark-format", cl::desc("How remarks are written"),
      cl::init(RemarkFormat::Diagnostics),
      cl::values(
          clEnumValN(RemarkFormat::Diagnostics, "emitRemark", "as diagnostics"),
          clEnumValN(RemarkFormat::YAML, "yaml", "to a YAML file"),
          clEnumValN(RemarkFormat::Bitstream, "bitstream",
                     "to a bitstream file")),
      cl::cat(remarkCategory)};
  cl::opt<RemarkPolicy> policy{
      "remark-policy", cl::desc("Which remarks are written"),
      cl::init(RemarkPolicy::All),
      cl::values(
          clEnumValN(RemarkPolicy::All, "all", "all of them"),
          clEnumValN(RemarkPolicy::Final, "final", "the last one of each")),
      cl::cat(remarkCategory)};
  cl::opt<std::string> outputFile{
      "remarks-output-file", cl::desc("File for remarks as YAML or bitstream"),
      cl::value_desc("file"), cl::cat(remarkCategory)};
};
} // namespace

static llvm::ManagedStatic<Flags> flags;

void lowp::registerCommonFlags() {
  // libLLVM registers hundreds of flags when it is loaded, some of our names
  // among them. None of them is a flag of these tools.
  cl::ResetCommandLineParser();
  *flags;
  registerDefaultTimingManagerCLOptions();
}

CompileOptions lowp::getCommonOptions() {
  CompileOptions options;
  options.pipeline.recipe = flags->recipe;
  options.pipeline.rules.assign(flags->rules.begin(), flags->rules.end());
  options.pipeline.target = flags->target;
  options.pipeline.seed = flags->seed;
  options.pipeline.threads = flags->threads;
  options.pipeline.formKernels = flags->formKernels;
  options.cpu.cpu = flags->cpu;
  options.ptxas = flags->ptxas;
  options.cpu.optLevel = flags->optLevel;
  options.pipeline.params = flags->params;
  if (flags->maxError.getNumOccurrences())
    options.autoRecipe.maxError = flags->maxError;
  if (flags->bits.getNumOccurrences())
    options.autoRecipe.bits = flags->bits;
  options.autoRecipe.weights = flags->weights;
  options.autoRecipe.calibration.assign(flags->calibration.begin(),
                                        flags->calibration.end());
  return options;
}

llvm::Error lowp::addRecipe(OutputFiles &files, const CompileResult &result) {
  if (flags->recipeOut.empty())
    return llvm::Error::success();
  if (result.recipe.empty())
    return llvm::createStringError(
        "--recipe-out is for the recipe that --recipe=auto chooses");
  files.add(flags->recipeOut, result.recipe);
  return llvm::Error::success();
}

/// Turns remarks on in `context` as the flags say.
static LogicalResult enableRemarks(MLIRContext &context) {
  remark::RemarkCategories categories;
  bool any = false;
  auto set = [&](std::optional<std::string> &category,
                 const cl::opt<std::string> &flag) {
    if (flag.empty())
      return;
    category = flag;
    any = true;
  };
  set(categories.all, flags->all);
  set(categories.passed, flags->passed);
  set(categories.missed, flags->missed);
  set(categories.failed, flags->failedFilter);
  set(categories.analysis, flags->analysis);
  if (!any)
    return success();
  // The engine reports the kinds that have a filter of their own.
  if (categories.all)
    for (std::optional<std::string> *kind :
         {&categories.passed, &categories.missed, &categories.failed,
          &categories.analysis})
      if (!*kind)
        *kind = categories.all;

  std::unique_ptr<remark::detail::RemarkEmittingPolicyBase> policy;
  if (flags->policy == RemarkPolicy::All)
    policy = std::make_unique<remark::RemarkEmittingPolicyAll>();
  else
    policy = std::make_unique<remark::RemarkEmittingPolicyFinal>();
  if (flags->format == RemarkFormat::Diagnostics)
    return remark::enableOptimizationRemarks(context, nullptr,
                                             std::move(policy), categories,
                                             /*printAsEmitRemarks=*/true);
  bool yaml = flags->format == RemarkFormat::YAML;
  std::string file = flags->outputFile;
  if (file.empty())
    file = yaml ? "lowp-remarks.yaml" : "lowp-remarks.bitstream";
  return remark::enableOptimizationRemarksWithLLVMStreamer(
      context, file,
      yaml ? llvm::remarks::Format::YAML : llvm::remarks::Format::Bitstream,
      std::move(policy), categories);
}

int lowp::runTool(StringRef name, llvm::function_ref<int()> body) {
  int status = 1;
  std::string reason = "it crashed";
  llvm::CrashRecoveryContext::Enable();
  llvm::ScopedFatalErrorHandler handler(
      [](void *text, const char *message, bool) {
        *static_cast<std::string *>(text) = message;
        // Null on a thread of the pool: there is nothing to go back to.
        if (auto *current = llvm::CrashRecoveryContext::GetCurrent())
          current->HandleExit(1);
      },
      &reason);
  llvm::CrashRecoveryContext context;
  if (context.RunSafely([&] { status = body(); }))
    return status;
  // Removes output files.
  llvm::sys::RunInterruptHandlers();
  llvm::WithColor::error(llvm::errs(), name)
      << "cannot process this input: " << reason << "\n";
  return 1;
}

int lowp::compileFile(StringRef name, StringRef path,
                      const CompileOptions &options,
                      llvm::function_ref<int(CompileResult &)> use) {
  std::string message;
  std::unique_ptr<llvm::MemoryBuffer> buffer = openInputFile(path, &message);
  if (!buffer) {
    llvm::WithColor::error(llvm::errs(), name) << message << "\n";
    return 1;
  }
  DialectRegistry registry;
  registerAllForPrograms(registry);
  MLIRContext context(registry, MLIRContext::Threading::DISABLED);
  // The line of the source says it; the operation may be a whole module.
  context.printOpOnDiagnostic(false);
  auto sources = std::make_shared<llvm::SourceMgr>();
  sources->AddNewSourceBuffer(std::move(buffer), llvm::SMLoc());
  SourceMgrDiagnosticHandler handler(*sources, &context);
  if (failed(enableRemarks(context)))
    return 1;
  DefaultTimingManager timing;
  applyDefaultTimingManagerCLOptions(timing);
  FailureOr<CompileResult> result =
      compileProgram(sources, options, &context, timing.getRootScope());
  return failed(result) ? 1 : use(*result);
}

/// Whether what is written twice would leave the second one only.
static bool isFile(StringRef path) {
  return path != "-" &&
         (!llvm::sys::fs::exists(path) || llvm::sys::fs::is_regular_file(path));
}

llvm::Error OutputFiles::write() const {
  llvm::StringSet<> paths;
  for (const File &file : files)
    if (isFile(file.path) && !paths.insert(file.path).second)
      return llvm::createStringError(
          "expects a file for each output, but got '" + file.path + "' twice");
  for (size_t i = 0; i < files.size(); ++i) {
    const File &file = files[i];
    llvm::Error error =
        llvm::writeToOutput(file.path, [&](llvm::raw_ostream &stream) {
          stream << file.contents;
          return llvm::Error::success();
        });
    if (!error)
      continue;
    for (const File &written : ArrayRef(files).take_front(i))
      if (written.path != "-")
        llvm::sys::fs::remove(written.path);
    return llvm::createStringError("cannot write " +
                                   llvm::toString(std::move(error)));
  }
  return llvm::Error::success();
}
