//===- Driver.cpp - From a program to an artifact -------------------------===//
//
// Part of the Lowp project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "lowp/Driver/Driver.h"

#include "Auto.h"

#include "lowp/IR/LowpDialect.h"
#include "lowp/InitAll.h"
#include "lowp/Target/PTX.h"
#include "lowp/Target/TargetInfo.h"

#include "mlir/Bytecode/BytecodeWriter.h"
#include "mlir/IR/Verifier.h"
#include "mlir/InitAllDialects.h"
#include "mlir/InitAllExtensions.h"
#include "mlir/Parser/Parser.h"
#include "mlir/Pass/PassManager.h"
#include "mlir/Target/LLVMIR/Dialect/All.h"

#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/JSON.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/SourceMgr.h"
#include "llvm/Support/raw_ostream.h"

using namespace mlir;
using namespace mlir::lowp;

void mlir::lowp::registerAllForPrograms(DialectRegistry &registry) {
  mlir::registerAllDialects(registry);
  mlir::registerAllExtensions(registry);
  mlir::registerAllToLLVMIRTranslations(registry);
  mlir::lowp::registerAllDialects(registry);
}

std::vector<std::string> mlir::lowp::getTargetNames() {
  std::vector<std::string> names;
  for (const TargetInfo &target : TargetInfo::getAll())
    names.push_back(target.getName().str());
  return names;
}

//===----------------------------------------------------------------------===//
// Options
//===----------------------------------------------------------------------===//

static StringRef stringifyEmitKind(EmitKind kind) {
  switch (kind) {
  case EmitKind::MLIR:
    return "mlir";
  case EmitKind::LLVM:
    return "llvm";
  case EmitKind::PTX:
    return "ptx";
  case EmitKind::Cubin:
    return "cubin";
  case EmitKind::Object:
    return "obj";
  case EmitKind::Shared:
    return "shared";
  }
  llvm_unreachable("unknown kind of output");
}

LogicalResult mlir::lowp::checkOptions(const CompileOptions &options,
                                       Location loc) {
  std::vector<std::string> targets = getTargetNames();
  StringRef target = options.pipeline.target;
  if (!llvm::is_contained(targets, target))
    return emitError(loc) << "unknown target '" << target << "'; known are "
                          << llvm::join(targets, ", ");
  bool isCPU = !TargetInfo::lookup(target)->isGPU();
  if (isCPU &&
      (options.emit == EmitKind::PTX || options.emit == EmitKind::Cubin))
    return emitError(loc) << "target '" << target << "' cannot emit "
                          << stringifyEmitKind(options.emit)
                          << "; it emits mlir, llvm, obj and shared";
  if (!isKnownCPU(options.cpu.cpu))
    return emitError(loc) << "unknown CPU '" << options.cpu.cpu
                          << "'; expected 'native' or a name that LLVM knows, "
                             "such as 'x86-64-v3'";
  bool isAuto = options.pipeline.recipe == kAutoRecipe;
  if (!isAuto && options.autoRecipe.isSet())
    return emitError(loc) << "a budget, weights and inputs to calibrate with "
                             "are for recipe 'auto', but the recipe is '"
                          << options.pipeline.recipe << "'";
  if (isAuto && (options.stopAfter.value_or(Stage::Assign) < Stage::Assign ||
                 options.resumeFrom.value_or(Stage::Assign) > Stage::Assign))
    return emitError(loc) << "recipe 'auto' is chosen in stage 'assign', which "
                             "does not run";
  if (options.stopAfter && options.emit != EmitKind::MLIR)
    return emitError(loc) << "a stage to stop after leaves MLIR, and cannot "
                             "give "
                          << stringifyEmitKind(options.emit);
  if (options.stopAfter && options.resumeFrom &&
      *options.stopAfter < *options.resumeFrom)
    return emitError(loc) << "cannot stop after '"
                          << stringifyStage(*options.stopAfter)
                          << "', which comes before '"
                          << stringifyStage(*options.resumeFrom)
                          << "', where to resume";
  return success();
}

//===----------------------------------------------------------------------===//
// Stages
//===----------------------------------------------------------------------===//

static LogicalResult dumpStage(ModuleOp module, Stage stage, StringRef folder) {
  SmallString<128> path(folder);
  std::error_code error = llvm::sys::fs::create_directories(path);
  llvm::sys::path::append(path, Twine(static_cast<unsigned>(stage) + 1) + "-" +
                                    stringifyStage(stage) + ".mlir");
  if (!error) {
    llvm::Error failure = llvm::writeToOutput(path, [&](raw_ostream &stream) {
      module->print(stream);
      stream << '\n';
      return llvm::Error::success();
    });
    if (!failure)
      return success();
    error = llvm::errorToErrorCode(std::move(failure));
  }
  return emitError(module.getLoc())
         << "cannot write '" << path << "': " << error.message();
}

static LogicalResult runStage(ModuleOp module, Stage stage,
                              const CompileOptions &options,
                              TimingScope timing) {
  PassManager passes(module->getName());
  // A stage is verified as a whole: after each of its passes it would take a
  // quarter of the time.
  passes.enableVerifier(false);
  PipelineOptions pipeline = options.pipeline;
  // Of no matter to kernels, which may be compiled for any processor.
  if (!TargetInfo::lookup(pipeline.target)->isGPU()) {
    CPUFeatures features = getCPUFeatures(options.cpu.cpu);
    pipeline.fp16 = features.fp16;
    pipeline.dotPairs = features.dotPairs;
  }
  buildStagePipeline(passes, stage, pipeline);
  passes.enableTiming(timing);
  if (!passes.empty()) {
    if (failed(passes.run(module)))
      return failure();
    TimingScope verification = timing.nest("(verification)");
    if (failed(verify(module)))
      return failure();
  }
  if (!options.dumpStages.empty())
    return dumpStage(module, stage, options.dumpStages);
  return success();
}

static FailureOr<std::string> emit(ModuleOp module,
                                   const CompileOptions &options) {
  switch (options.emit) {
  case EmitKind::MLIR: {
    std::string text;
    llvm::raw_string_ostream stream(text);
    if (options.emitBytecode) {
      if (failed(writeBytecodeToFile(module, stream)))
        return failure();
      return text;
    }
    module->print(stream);
    stream << '\n';
    return text;
  }
  case EmitKind::LLVM:
    return emitCPU(module, CPUOutput::LLVM, options.cpu,
                   options.pipeline.target);
  case EmitKind::Object:
    return emitCPU(module, CPUOutput::Object, options.cpu,
                   options.pipeline.target);
  case EmitKind::Shared:
    return emitCPU(module, CPUOutput::Shared, options.cpu,
                   options.pipeline.target);
  case EmitKind::PTX:
    return getPTX(module);
  case EmitKind::Cubin: {
    FailureOr<std::string> ptx = getPTX(module);
    if (failed(ptx))
      return failure();
    return assemblePTX(*ptx, *TargetInfo::lookup(options.pipeline.target),
                       options.ptxas,
                       [&] { return emitError(module.getLoc()); });
  }
  }
  llvm_unreachable("all kinds of output are covered");
}

/// The recipe of a program that is through the stage `recognize`, as text.
static FailureOr<AutoChoice> chooseAutoRecipe(ModuleOp module,
                                              const CompileOptions &options,
                                              TimingScope timing) {
  CompileOptions forProbe;
  forProbe.pipeline.threads = options.pipeline.threads;
  forProbe.emit = EmitKind::Shared;
  return chooseRecipe(module, options,
                      [&](ModuleOp probe) -> FailureOr<std::string> {
                        for (const StageInfo &info : getStages())
                          if (info.stage >= Stage::Assign &&
                              failed(runStage(probe, info.stage, forProbe,
                                              timing.nest(info.name))))
                            return failure();
                        return emit(probe, forProbe);
                      });
}

FailureOr<CompileResult>
mlir::lowp::compileProgram(const std::shared_ptr<llvm::SourceMgr> &source,
                           const CompileOptions &options, MLIRContext *context,
                           TimingScope timing) {
  if (failed(checkOptions(options, UnknownLoc::get(context))))
    return failure();
  TimingScope parsing = timing.nest("parse");
  OwningOpRef<ModuleOp> module =
      parseSourceFile<ModuleOp>(source, ParserConfig(context));
  parsing.stop();
  if (!module)
    return failure();
  CompileResult result;
  CompileOptions stageOptions = options;
  for (const StageInfo &info : getStages()) {
    if (options.resumeFrom && info.stage < *options.resumeFrom)
      continue;
    if (info.stage == Stage::Assign && options.pipeline.recipe == kAutoRecipe) {
      FailureOr<AutoChoice> choice =
          chooseAutoRecipe(*module, options, timing.nest("choose"));
      if (failed(choice))
        return failure();
      result.recipe = choice->recipe;
      result.choice = std::move(choice->summary);
      result.choices = std::move(choice->sites);
      stageOptions.pipeline.recipe = result.recipe;
    }
    if (failed(runStage(*module, info.stage, stageOptions,
                        timing.nest(info.name))))
      return failure();
    if (options.stopAfter == info.stage)
      break;
  }
  TimingScope writing = timing.nest("write");
  FailureOr<std::string> output = emit(*module, options);
  writing.stop();
  if (failed(output))
    return failure();
  result.output = std::move(*output);
  result.module = std::move(module);
  return result;
}

std::vector<Measurement> CompileResult::getMeasurements() const {
  std::vector<Measurement> measurements;
  auto list = (*module)->getAttrOfType<ArrayAttr>(kMeasurementsAttrName);
  if (!list)
    return measurements;
  for (auto record : list.getAsRange<DictionaryAttr>()) {
    auto position = record.getAs<IntegerAttr>("result");
    auto readers = record.getAs<ArrayAttr>("readers");
    if (!position || !readers)
      continue;
    for (auto reader : readers.getAsRange<DictionaryAttr>())
      measurements.push_back(
          {reader.getAs<StringAttr>("site").str(),
           reader.getAs<StringAttr>("operand").str(),
           static_cast<unsigned>(position.getValue().getZExtValue())});
  }
  return measurements;
}

std::string CompileResult::getReport(const ReportHeader &header,
                                     ArrayRef<OperandError> errors) const {
  llvm::json::Value report = makeReport(*module, header, errors);
  if (!recipe.empty()) {
    llvm::json::Object &object = *report.getAsObject();
    object["auto"] = llvm::json::Object(choice);
    for (llvm::json::Value &site : *object.getArray("sites")) {
      llvm::json::Object &record = *site.getAsObject();
      if (const llvm::json::Object *made =
              choices.getObject(*record.getString("name")))
        record["choice"] = llvm::json::Object(*made);
    }
  }
  return llvm::formatv("{0:2}\n", report).str();
}
