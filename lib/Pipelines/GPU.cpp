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
#include "mlir/Dialect/Bufferization/Transforms/Passes.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
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
  pm.addPass(createConvertElementwiseToLinalgPass());
  pm.addPass(createLowpMarkArgumentsReadOnly());
  bufferization::OneShotBufferizePassOptions bufferize;
  bufferize.bufferizeFunctionBoundaries = true;
  bufferize.functionBoundaryTypeConversion =
      bufferization::LayoutMapOption::IdentityLayoutMap;
  bufferize.allowReturnAllocsFromLoops = true;
  pm.addPass(bufferization::createOneShotBufferizePass(bufferize));
  // Copies of a buffer to itself fold once both are one value.
  pm.addPass(createCSEPass());
  cleanUp(pm);
  pm.addNestedPass<func::FuncOp>(createLowerCopies());
  pm.addNestedPass<func::FuncOp>(createConvertLinalgToParallelLoopsPass());
  cleanUp(pm);
  pm.addPass(createLowerKernels(LowerKernelsOptions{chip.str()}));
  pm.addPass(createGpuKernelOutliningPass());
  cleanUp(pm);
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
  kernels.addPass(createLowpConvertGPUToNVVM());
  kernels.addPass(createReconcileUnrealizedCastsPass());
  cleanUp(kernels);
}

void lowp::emitForGPU(OpPassManager &pm, StringRef chip) {
  pm.addPass(createLowpEmitPTX(LowpEmitPTXOptions{chip.str()}));
}
