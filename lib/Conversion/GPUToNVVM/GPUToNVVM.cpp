//===- GPUToNVVM.cpp - GPU code to llvm and nvvm, without libdevice -------===//
//
// Part of the Lowp project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "lowp/Conversion/Passes.h"

#include "mlir/Conversion/ArithCommon/AttrToLLVMConverter.h"
#include "mlir/Conversion/ArithToLLVM/ArithToLLVM.h"
#include "mlir/Conversion/ControlFlowToLLVM/ControlFlowToLLVM.h"
#include "mlir/Conversion/FuncToLLVM/ConvertFuncToLLVM.h"
#include "mlir/Conversion/GPUToNVVM/GPUToNVVMPass.h"
#include "mlir/Conversion/IndexToLLVM/IndexToLLVM.h"
#include "mlir/Conversion/LLVMCommon/ConversionTarget.h"
#include "mlir/Conversion/LLVMCommon/LoweringOptions.h"
#include "mlir/Conversion/LLVMCommon/TypeConverter.h"
#include "mlir/Conversion/LLVMCommon/VectorPattern.h"
#include "mlir/Conversion/MathToLLVM/MathToLLVM.h"
#include "mlir/Conversion/MemRefToLLVM/MemRefToLLVM.h"
#include "mlir/Conversion/UBToLLVM/UBToLLVM.h"
#include "mlir/Conversion/VectorToLLVM/ConvertVectorToLLVM.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Arith/Transforms/Passes.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/LLVMIR/NVVMDialect.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "mlir/Dialect/Vector/Transforms/LoweringPatterns.h"
#include "mlir/Dialect/Vector/Transforms/VectorRewritePatterns.h"
#include "mlir/Transforms/GreedyPatternRewriteDriver.h"

namespace mlir::lowp {
#define GEN_PASS_DEF_LOWPCONVERTGPUTONVVM
#include "lowp/Conversion/Passes.h.inc"
} // namespace mlir::lowp

using namespace mlir;

namespace {
struct ConvertGPUToNVVM
    : lowp::impl::LowpConvertGPUToNVVMBase<ConvertGPUToNVVM> {
  void runOnOperation() override {
    gpu::GPUModuleOp module = getOperation();
    if (failed(checkMath(module)) || failed(breakDownVectors(module)))
      return signalPassFailure();

    LowerToLLVMOptions options(&getContext());
    LLVMTypeConverter converter(&getContext(), options);
    configureGpuToNVVMTypeConverter(converter);

    RewritePatternSet patterns(&getContext());
    arith::populateArithToLLVMConversionPatterns(converter, patterns);
    cf::populateControlFlowToLLVMConversionPatterns(converter, patterns);
    index::populateIndexToLLVMConversionPatterns(converter, patterns);
    ub::populateUBToLLVMConversionPatterns(converter, patterns);
    populateFuncToLLVMConversionPatterns(converter, patterns);
    populateFinalizeMemRefToLLVMConversionPatterns(converter, patterns);
    populateVectorToLLVMConversionPatterns(converter, patterns);
    populateGpuToNVVMConversionPatterns(converter, patterns);
    // Before upstream's patterns for GPUs, which call libdevice.
    populateMathToLLVMConversionPatterns(converter, patterns,
                                         /*approximateLog1p=*/false,
                                         /*benefit=*/10);
    patterns.add<VectorConvertToLLVMPattern<arith::MaxNumFOp, LLVM::MaxNumOp,
                                            arith::AttrConvertFastMathToLLVM>,
                 VectorConvertToLLVMPattern<arith::MinNumFOp, LLVM::MinNumOp,
                                            arith::AttrConvertFastMathToLLVM>>(
        converter, /*benefit=*/10);

    LLVMConversionTarget target(getContext());
    configureGpuToNVVMConversionLegality(target);
    // Upstream takes these for calls of libdevice. LLVM selects instructions
    // that round correctly for them.
    target.addLegalOp<LLVM::CopySignOp, LLVM::FAbsOp, LLVM::FCeilOp,
                      LLVM::FFloorOp, LLVM::FMAOp, LLVM::MaxNumOp,
                      LLVM::MinNumOp, LLVM::RoundEvenOp, LLVM::SqrtOp>();
    if (failed(applyPartialConversion(module, target, std::move(patterns))) ||
        failed(checkComplete(module)))
      signalPassFailure();
  }

  /// Refuses what only a library can compute.
  static LogicalResult checkMath(gpu::GPUModuleOp module) {
    WalkResult result = module.walk([](Operation *op) -> WalkResult {
      bool isExact =
          isa<math::AbsFOp, math::AbsIOp, math::CeilOp, math::CopySignOp,
              math::CountLeadingZerosOp, math::CountTrailingZerosOp,
              math::CtPopOp, math::FloorOp, math::FmaOp, math::IsFiniteOp,
              math::IsInfOp, math::IsNaNOp, math::RoundEvenOp, math::SqrtOp,
              math::TruncOp>(op);
      if (!isExact && (isa<math::MathDialect>(op->getDialect()) ||
                       isa<arith::RemFOp>(op))) {
        op->emitOpError("has no exact form on GPUs; 'lowp-approximate-math' "
                        "computes the functions that it knows");
        return WalkResult::interrupt();
      }
      return WalkResult::advance();
    });
    return failure(result.wasInterrupted());
  }

  /// Upstream's conversion wants 1-D vectors and plain loads and stores.
  LogicalResult breakDownVectors(gpu::GPUModuleOp module) {
    RewritePatternSet patterns(&getContext());
    vector::populateVectorBroadcastLoweringPatterns(patterns);
    vector::populateVectorFromElementsUnrollPatterns(patterns);
    vector::populateVectorInsertExtractStridedSliceTransforms(patterns);
    vector::populateVectorInterleaveLoweringPatterns(patterns);
    vector::populateVectorInterleaveToShufflePatterns(patterns);
    vector::populateVectorMaskMaterializationPatterns(
        patterns, /*force32BitVectorIndices=*/false);
    vector::populateVectorMaskOpLoweringPatterns(patterns);
    vector::populateVectorShapeCastLoweringPatterns(patterns);
    vector::populateVectorStepLoweringPatterns(patterns);
    vector::populateVectorToElementsUnrollPatterns(patterns);
    vector::populateVectorTransferLoweringPatterns(patterns,
                                                   /*maxTransferRank=*/1);
    arith::populateCeilFloorDivExpandOpsPatterns(patterns);
    return applyPatternsGreedily(module, std::move(patterns));
  }

  static LogicalResult checkComplete(gpu::GPUModuleOp module) {
    WalkResult result = module.walk([&](Operation *op) -> WalkResult {
      if (op == module || isa<UnrealizedConversionCastOp>(op) ||
          isa<LLVM::LLVMDialect, NVVM::NVVMDialect>(op->getDialect()))
        return WalkResult::advance();
      op->emitOpError("cannot be converted to GPU code");
      return WalkResult::interrupt();
    });
    return failure(result.wasInterrupted());
  }
};
} // namespace
