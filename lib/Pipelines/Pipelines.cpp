//===- Pipelines.cpp - The stages and their order -------------------------===//
//
// Part of the Lowp project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "lowp/Pipelines/Pipelines.h"

#include "Stages.h"

#include "lowp/Conversion/Passes.h"
#include "lowp/Target/TargetInfo.h"
#include "lowp/Transforms/Passes.h"

#include "mlir/Conversion/Passes.h"
#include "mlir/Dialect/Arith/Transforms/Passes.h"
#include "mlir/Dialect/Bufferization/Pipelines/Passes.h"
#include "mlir/Dialect/Bufferization/Transforms/Passes.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/Func/Transforms/Passes.h"
#include "mlir/Dialect/Linalg/Passes.h"
#include "mlir/Dialect/Math/Transforms/Passes.h"
#include "mlir/Dialect/MemRef/Transforms/Passes.h"
#include "mlir/Dialect/SCF/Transforms/Passes.h"
#include "mlir/Pass/PassRegistry.h"
#include "mlir/Transforms/Passes.h"

#include "llvm/ADT/StringExtras.h"

using namespace mlir;
using namespace mlir::lowp;

ArrayRef<StageInfo> lowp::getStages() {
  static const StageInfo kStages[] = {
      {Stage::Recognize, "recognize",
       "find the contractions of a program: role, site, layer, kind"},
      {Stage::Assign, "assign", "give each site a plan from the recipe"},
      {Stage::Insert, "insert",
       "turn plans into quantizations and contractions of blocked values"},
      {Stage::Simplify, "simplify", "share quantizations, fold what is exact"},
      {Stage::FormKernels, "form-kernels",
       "group ops that run as one kernel on the target"},
      {Stage::Schedule, "schedule", "choose how each kernel runs"},
      {Stage::Lower, "lower", "loops over buffers and block-level ops"},
      {Stage::Convert, "convert", "block-level ops and loops to LLVM"},
      {Stage::Emit, "emit", "code of the target"},
  };
  return kStages;
}

std::optional<Stage> lowp::symbolizeStage(StringRef name) {
  for (const StageInfo &info : getStages())
    if (info.name == name)
      return info.stage;
  return std::nullopt;
}

StringRef lowp::stringifyStage(Stage stage) {
  return getStages()[static_cast<unsigned>(stage)].name;
}

static void cleanUp(OpPassManager &pm) {
  pm.addPass(createCanonicalizerPass());
  pm.addPass(createCSEPass());
}

void lowp::expandScalarMath(OpPassManager &pm) {
  // Each function of a narrow float is computed in f32 and rounded once.
  pm.addPass(createLowpApproximateMath());
  math::MathExpandOpsPassOptions expandMath;
  expandMath.opMnemonics = {"rsqrt", "fpowi", "exp2",  "sinh", "cosh",
                            "tan",   "asinh", "acosh", "atanh"};
  pm.addPass(math::createMathExpandOpsPass(expandMath));
  // What the expansions are made of.
  pm.addPass(createLowpApproximateMath());
  pm.addPass(math::createMathExtendToSupportedTypes());

  // bf16: arithmetic in f32 with a rounding after each operation.
  arith::ArithEmulateUnsupportedFloatsOptions emulate;
  emulate.sourceTypeStrs = {"bf16"};
  emulate.targetTypeStr = "f32";
  pm.addPass(arith::createArithEmulateUnsupportedFloats(emulate));
  pm.addPass(createLowpSplitBF16Casts());
}

//===----------------------------------------------------------------------===//
// CPU
//===----------------------------------------------------------------------===//

/// Tensors to loops over buffers, which the program allocates and frees itself.
static void lowerForCPU(OpPassManager &pm, const PipelineOptions &options) {
  TileKernelsOptions tile;
  tile.batches = true;
  tile.fp16 = options.fp16;
  tile.dotPairs = options.dotPairs;
  pm.addNestedPass<func::FuncOp>(createTileKernels(tile));
  DecomposeOptions decompose;
  decompose.batches = true;
  decompose.fp16 = options.fp16;
  decompose.dotPairs = options.dotPairs;
  pm.addPass(createDecompose(decompose));
  // Arithmetic on whole tensors has no bufferization of its own.
  pm.addPass(createBranchSelects());
  pm.addPass(createConvertElementwiseToLinalgPass());
  cleanUp(pm);
  pm.addPass(createLowpSeparateInits());
  pm.addPass(createLowpMarkArgumentsReadOnly());
  bufferization::OneShotBufferizePassOptions bufferize;
  bufferize.bufferizeFunctionBoundaries = true;
  bufferize.functionBoundaryTypeConversion =
      bufferization::LayoutMapOption::IdentityLayoutMap;
  // A loop may yield a fresh buffer in each trip.
  bufferize.allowReturnAllocsFromLoops = true;
  pm.addPass(bufferization::createOneShotBufferizePass(bufferize));
  bufferization::buildBufferDeallocationPipeline(
      pm, bufferization::BufferDeallocationPipelineOptions());
  pm.addPass(createConvertBufferizationToMemRefPass());
  if (options.threads != 1)
    pm.addNestedPass<func::FuncOp>(createLowpParallelizeLoops());
  // All other iterations run in order.
  pm.addNestedPass<func::FuncOp>(createForallToForLoopPass());
  pm.addNestedPass<func::FuncOp>(createConvertLinalgToLoopsPass());
  cleanUp(pm);
}

/// Loops and block-level ops to the LLVM dialect.
static void convertForCPU(OpPassManager &pm, const PipelineOptions &options) {
  unsigned threads = options.threads;
  pm.addPass(createLowpOutlineLoops());
  pm.addPass(createLowpExportEntries());
  // After the export: two entries of the same body are two entries. Before the
  // expansions: these are long.
  pm.addPass(func::createDuplicateFunctionEliminationPass());
  // Calls the runtime, which the export takes for a missing function.
  pm.addPass(createLowpStreamStores());
  if (options.dotPairs)
    pm.addPass(createConvertLowpToX86());
  pm.addPass(createConvertLowpToArith());

  expandScalarMath(pm.nest<func::FuncOp>());
  // Values of bf16 as their bits.
  arith::ArithExpandOpsPassOptions expand;
  expand.includeBf16 = true;
  pm.addNestedPass<func::FuncOp>(arith::createArithExpandOpsPass(expand));
  pm.addPass(createLowpBF16ToI16());
  cleanUp(pm);

  pm.addNestedPass<func::FuncOp>(createConvertVectorToSCFPass());
  if (threads != 1)
    pm.addPass(createConvertSCFToOpenMPPass({/*numThreads=*/threads}));
  pm.addPass(createLowpExpandBuffers());
  pm.addPass(memref::createExpandStridedMetadataPass());
  pm.addPass(createLowerAffinePass());
  pm.addPass(createSCFToControlFlowPass());
  pm.addPass(createLowpAssertToLLVM());
  pm.addPass(createConvertMathToLLVMPass());
  pm.addPass(createConvertMathToLibmPass());
  pm.addPass(createConvertVectorToLLVMPass());
  pm.addPass(createArithToLLVMConversionPass());
  pm.addPass(createConvertIndexToLLVMPass());
  pm.addPass(createUBToLLVMConversionPass());
  FinalizeMemRefToLLVMConversionPassOptions memrefToLLVM;
  // The runtime counts what a program allocates.
  memrefToLLVM.useGenericFunctions = true;
  pm.addPass(createFinalizeMemRefToLLVMConversionPass(memrefToLLVM));
  pm.addPass(createConvertFuncToLLVMPass());
  pm.addPass(createConvertControlFlowToLLVMPass());
  if (threads != 1)
    pm.addPass(createConvertOpenMPToLLVMPass());
  pm.addPass(createReconcileUnrealizedCastsPass());
  cleanUp(pm);
}

//===----------------------------------------------------------------------===//
// Stages
//===----------------------------------------------------------------------===//

void lowp::buildStagePipeline(OpPassManager &pm, Stage stage,
                              const PipelineOptions &options) {
  const TargetInfo *target = TargetInfo::lookup(options.target);
  // The passes for GPUs say what is wrong with a name that is unknown.
  bool isGPU = !target || target->isGPU();
  switch (stage) {
  case Stage::Recognize:
    if (!options.params.empty()) {
      AnnotateParamsOptions annotate;
      annotate.params = options.params;
      pm.addPass(createAnnotateParams(annotate));
    }
    pm.addPass(createRecognize());
    return;
  case Stage::Assign: {
    AssignFormatsOptions assign;
    assign.recipe = options.recipe;
    assign.rules = llvm::join(options.rules, ";");
    pm.addPass(createAssignFormats(assign));
    return;
  }
  case Stage::Insert:
    pm.addPass(createInsertQuantization());
    pm.addPass(createFormCombine());
    pm.addPass(createAssignStreams(AssignStreamsOptions{options.seed}));
    return;
  case Stage::Simplify:
    pm.addPass(createCheckTransforms());
    pm.addPass(createShareQuantization());
    cleanUp(pm);
    if (!options.measure.empty()) {
      InstrumentQuantizationOptions instrument;
      instrument.entry = options.measure;
      pm.addPass(createInstrumentQuantization(instrument));
    }
    return;
  case Stage::FormKernels:
    // A GPU runs each loop nest as a kernel, one thread per iteration: a loop
    // over rows would leave most of it idle.
    if (!isGPU && options.formKernels)
      pm.addNestedPass<func::FuncOp>(createFormKernels());
    return;
  case Stage::Schedule:
    return;
  case Stage::Lower:
    pm.addPass(createFoldConstants());
    return isGPU ? lowerForGPU(pm, options.target) : lowerForCPU(pm, options);
  case Stage::Convert:
    return isGPU ? convertForGPU(pm, options.target)
                 : convertForCPU(pm, options);
  case Stage::Emit:
    if (isGPU)
      emitForGPU(pm, options.target);
    return;
  }
}

//===----------------------------------------------------------------------===//
// Registration
//===----------------------------------------------------------------------===//

namespace {
struct TextualOptions : PassPipelineOptions<TextualOptions> {
  Option<std::string> recipe{*this, "recipe",
                             llvm::cl::desc("Recipe, by name or file"),
                             llvm::cl::init("bf16")};
  ListOption<std::string> rules{
      *this, "rules", llvm::cl::desc("Rules that come before the recipe's")};
  Option<std::string> target{*this, "target", llvm::cl::desc("cpu or a GPU"),
                             llvm::cl::init("cpu")};
  Option<std::string> params{
      *this, "params", llvm::cl::desc("JSON file with the names of arguments")};
  Option<std::string> measure{
      *this, "measure",
      llvm::cl::desc("Entry that returns what it quantizes, too")};
  Option<int64_t> seed{*this, "seed",
                       llvm::cl::desc("Seed of stochastic rounding"),
                       llvm::cl::init(0)};
  Option<unsigned> threads{*this, "threads",
                           llvm::cl::desc("Threads of a program on the CPU"),
                           llvm::cl::init(1)};
  Option<bool> fp16{*this, "fp16",
                    llvm::cl::desc("The CPU has arithmetic in FP16"),
                    llvm::cl::init(false)};
  Option<bool> dotPairs{*this, "dot-pairs",
                        llvm::cl::desc("The CPU has AVX512-VNNI"),
                        llvm::cl::init(false)};
  Option<bool> formKernels{
      *this, "form-kernels",
      llvm::cl::desc("Run what makes a quantized value in one loop with it"),
      llvm::cl::init(true)};

  PipelineOptions get() const {
    PipelineOptions options;
    options.recipe = recipe;
    options.rules.assign(rules.begin(), rules.end());
    options.target = target;
    options.params = params;
    options.measure = measure;
    options.seed = seed;
    options.threads = threads;
    options.fp16 = fp16;
    options.dotPairs = dotPairs;
    options.formKernels = formKernels;
    return options;
  }
};
} // namespace

void lowp::registerPipelines() {
  for (const StageInfo &info : getStages()) {
    Stage stage = info.stage;
    PassPipelineRegistration<TextualOptions>(
        ("lowp-stage-" + info.name).str(), info.description,
        [stage](OpPassManager &pm, const TextualOptions &options) {
          buildStagePipeline(pm, stage, options.get());
        });
  }
  PassPipelineRegistration<TextualOptions>(
      "lowp-pipeline", "All stages in order",
      [](OpPassManager &pm, const TextualOptions &options) {
        for (const StageInfo &info : getStages())
          buildStagePipeline(pm, info.stage, options.get());
      });
}
