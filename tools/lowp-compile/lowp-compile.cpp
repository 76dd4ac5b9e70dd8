//===- lowp-compile.cpp - Compile a program -------------------------------===//
//
// Part of the Lowp project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "lowp/Driver/CommandLine.h"
#include "lowp/Driver/Driver.h"
#include "lowp/Transforms/Recipe.h"

#include "llvm/Support/CommandLine.h"
#include "llvm/Support/Error.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/InitLLVM.h"
#include "llvm/Support/WithColor.h"
#include "llvm/Support/raw_ostream.h"

using namespace mlir;
using namespace mlir::lowp;
namespace cl = llvm::cl;

static constexpr llvm::StringLiteral kName = "lowp-compile";

static int fail(const Twine &message) {
  llvm::WithColor::error(llvm::errs(), kName) << message << "\n";
  return 1;
}

static bool parseStageFlag(StringRef flag, const std::string &name,
                           std::optional<Stage> &stage) {
  if (name.empty())
    return true;
  stage = symbolizeStage(name);
  if (stage)
    return true;
  std::string known;
  for (const StageInfo &info : getStages())
    known += (known.empty() ? "" : ", ") + info.name.str();
  fail("unknown stage '" + name + "' in --" + flag + "; known are " + known);
  return false;
}

int main(int argc, char **argv) {
  llvm::InitLLVM initLLVM(argc, argv);
  registerCommonFlags();
  cl::OptionCategory category("Stages and output");
  cl::opt<std::string> input(cl::Positional, cl::desc("<program>"),
                             cl::init("-"), cl::cat(category));
  cl::opt<std::string> output("o", cl::desc("Output file"),
                              cl::value_desc("file"), cl::init("-"),
                              cl::cat(category));
  cl::opt<EmitKind> emit(
      "emit", cl::desc("What to write"), cl::init(EmitKind::MLIR),
      cl::values(
          clEnumValN(EmitKind::MLIR, "mlir",
                     "the program after the last stage"),
          clEnumValN(EmitKind::LLVM, "llvm", "LLVM IR (cpu)"),
          clEnumValN(EmitKind::PTX, "ptx", "PTX (GPUs)"),
          clEnumValN(EmitKind::Cubin, "cubin", "assembled PTX (GPUs)"),
          clEnumValN(EmitKind::Object, "obj", "a relocatable object (cpu)"),
          clEnumValN(EmitKind::Shared, "shared", "a shared object (cpu)")),
      cl::cat(category));
  cl::opt<bool> bytecode("emit-bytecode",
                         cl::desc("Write MLIR as bytecode instead of text"),
                         cl::cat(category));
  cl::opt<std::string> stopAfter("stop-after", cl::desc("Last stage to run"),
                                 cl::value_desc("stage"), cl::cat(category));
  cl::opt<std::string> resumeFrom("resume-from", cl::desc("First stage to run"),
                                  cl::value_desc("stage"), cl::cat(category));
  cl::opt<std::string> dumpStages(
      "dump-stages", cl::desc("Folder for the program after each stage"),
      cl::value_desc("folder"), cl::cat(category));
  cl::opt<std::string> report("report",
                              cl::desc("JSON file for a record of each site"),
                              cl::value_desc("file"), cl::cat(category));
  cl::opt<bool> listRecipes("list-recipes",
                            cl::desc("Print the named recipes and exit"),
                            cl::cat(category));
  cl::opt<bool> listTargets("list-targets",
                            cl::desc("Print the targets and exit"),
                            cl::cat(category));
  cl::SetVersionPrinter([](llvm::raw_ostream &stream) {
    stream << "lowp-compile " << LOWP_VERSION << " (LLVM "
           << LLVM_VERSION_STRING << ")\n";
  });
  cl::ParseCommandLineOptions(argc, argv,
                              "Compiles a program to low precision\n");

  if (listTargets) {
    for (const std::string &name : getTargetNames())
      llvm::outs() << name << "\n";
    return 0;
  }
  if (listRecipes) {
    for (const auto &recipe : getRecipeDescriptions())
      llvm::outs() << llvm::formatv("{0,-12} {1}\n", recipe.first,
                                    recipe.second);
    llvm::outs() << llvm::formatv(
        "{0,-12} {1}\n", kAutoRecipe,
        "chosen for the program within a budget (--max-error or --bits)");
    return 0;
  }

  CompileOptions options = getCommonOptions();
  options.emit = emit;
  options.emitBytecode = bytecode;
  options.dumpStages = dumpStages;
  if (!parseStageFlag("stop-after", stopAfter, options.stopAfter) ||
      !parseStageFlag("resume-from", resumeFrom, options.resumeFrom))
    return 1;

  return runTool(kName, [&] {
    return compileFile(kName, input, options, [&](CompileResult &result) {
      OutputFiles files;
      if (llvm::Error error = addRecipe(files, result))
        return fail(llvm::toString(std::move(error)));
      if (!report.empty())
        files.add(report, result.getReport({input, options.pipeline.recipe,
                                            options.pipeline.target}));
      files.add(output, std::move(result.output));
      if (llvm::Error error = files.write())
        return fail(llvm::toString(std::move(error)));
      return 0;
    });
  });
}
