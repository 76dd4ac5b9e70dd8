//===- GPU.cpp - The last stages for GPUs ---------------------------------===//
//
// Part of the Lowp project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Stages.h"

#include "lowp/Conversion/Passes.h"
#include "lowp/Target/Passes.h"
#include "lowp/Transforms/Passes.h"

#include "mlir/Conversion/Passes.h"
#include "mlir/Dialect/Bufferization/Pipelines/Passes.h"
#include "mlir/Dialect/Bufferization/Transforms/Passes.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/Func/Transforms/Passes.h"
#include "mlir/Dialect/GPU/Transforms/Passes.h"
#include "mlir/Dialect/Linalg/Passes.h"
#include "mlir/Dialect/MemRef/Transforms/Passes.h"
#include "mlir/Transforms/Passes.h"

using namespace mlir;
using namespace mlir::lowp;

static void cleanUp(OpPassManager &pm) {
  pm.addPass(createCanonicalizerPass());
  pm.addPass(createCSEPass());
}

void lowp::lowerForGPU(OpPassManager &pm, StringRef chip) {
  pm.addPass(createDecompose());
  cleanUp(pm);
  pm.addPass(createBranchSelects());
  pm.addPass(createConvertElementwiseToLinalgPass());
  pm.addPass(createLowpMarkArgumentsReadOnly());
  bufferization::OneShotBufferizePassOptions bufferize;
  bufferize.bufferizeFunctionBoundaries = true;
  bufferize.functionBoundaryTypeConversion =
      bufferization::LayoutMapOption::IdentityLayoutMap;
  bufferize.allowReturnAllocsFromLoops = true;
  pm.addPass(bufferization::createOneShotBufferizePass(bufferize));
  bufferization::buildBufferDeallocationPipeline(
      pm, bufferization::BufferDeallocationPipelineOptions());
  pm.addPass(createConvertBufferizationToMemRefPass());
  // Copies of a buffer to itself fold once both are one value.
  pm.addPass(createCSEPass());
  cleanUp(pm);
  pm.addNestedPass<func::FuncOp>(createLowerCopies());
  pm.addNestedPass<func::FuncOp>(createConvertLinalgToParallelLoopsPass());
  cleanUp(pm);
  pm.addPass(createLowerKernels(LowerKernelsOptions{chip.str()}));
  pm.addPass(createGpuKernelOutliningPass());
  cleanUp(pm);
  pm.addPass(createShareKernels());
}

/// What is left of the program: it allocates, launches, and computes sizes.
static void convertHost(OpPassManager &pm) {
  pm.addPass(createLowpExportEntries());
  pm.addPass(func::createDuplicateFunctionEliminationPass());
  pm.addPass(createLowpBuffersToDevice());
  pm.addPass(createLowpBF16ToI16());
  pm.addNestedPass<func::FuncOp>(createGpuAsyncRegionPass());
  pm.addNestedPass<func::FuncOp>(createLowpExpandBuffers());
  pm.addNestedPass<func::FuncOp>(memref::createExpandStridedMetadataPass());
  pm.addNestedPass<func::FuncOp>(createLowerAffinePass());
  pm.addNestedPass<func::FuncOp>(createSCFToControlFlowPass());
  pm.addPass(createLowpAssertToLLVM());
  pm.addPass(createGpuToLLVMConversionPass());
  pm.addPass(createReconcileUnrealizedCastsPass());
}

void lowp::convertForGPU(OpPassManager &pm, StringRef chip) {
  OpPassManager &kernels = pm.nest<gpu::GPUModuleOp>();
  kernels.addPass(
      createConvertLowpToNVVM(ConvertLowpToNVVMOptions{chip.str()}));
  expandScalarMath(kernels);
  cleanUp(kernels);
  kernels.addPass(createConvertVectorToSCFPass());
  kernels.addPass(createLowpExpandBuffers());
  kernels.addPass(memref::createExpandStridedMetadataPass());
  kernels.addPass(createLowerAffinePass());
  kernels.addPass(createSCFToControlFlowPass());
  kernels.addPass(createLowpExitOnAssert());
  kernels.addPass(createLowpConvertGPUToNVVM());
  kernels.addPass(createReconcileUnrealizedCastsPass());
  cleanUp(kernels);
  convertHost(pm);
}

void lowp::emitForGPU(OpPassManager &pm, StringRef chip) {
  pm.addPass(createLowpEmitPTX(LowpEmitPTXOptions{chip.str()}));
}
