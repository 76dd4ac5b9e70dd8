//===- LowpToArith.cpp - generic expansion of block operations ------------===//
//
// Part of the lowp project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "lowp/Conversion/LowpToArith/LowpToArith.h"

#include "Patterns.h"

#include "lowp/Conversion/Passes.h"
#include "lowp/IR/LowpOps.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "mlir/Transforms/DialectConversion.h"

namespace mlir::lowp {
#define GEN_PASS_DEF_CONVERTLOWPTOARITH
#include "lowp/Conversion/Passes.h.inc"
} // namespace mlir::lowp

using namespace mlir;
using namespace mlir::lowp;

void mlir::lowp::populateLowpToArithPatterns(RewritePatternSet &patterns,
                                             PatternBenefit benefit) {
  expand::populateDotPairsPatterns(patterns, benefit);
  expand::populateElementPatterns(patterns, benefit);
  expand::populateScalePatterns(patterns, benefit);
  expand::populateEncodeScalePatterns(patterns, benefit);
  expand::populateErrorPatterns(patterns, benefit);
  expand::populateHadamardPatterns(patterns, benefit);
  expand::populatePhiloxPatterns(patterns, benefit);
}

namespace {

struct ConvertLowpToArith
    : mlir::lowp::impl::ConvertLowpToArithBase<ConvertLowpToArith> {
  LogicalResult initialize(MLIRContext *context) override {
    RewritePatternSet owned(context);
    populateLowpToArithPatterns(owned);
    patterns = std::move(owned);
    return success();
  }

  void runOnOperation() override {
    ConversionTarget target(getContext());
    target.addLegalDialect<arith::ArithDialect, math::MathDialect,
                           vector::VectorDialect>();
    target.addIllegalOp<BlockAmaxOp, OuterScaleOp, BlockScaleOp, EncodeOp,
                        DecodeOp, DecodeScaleOp, BlockErrorOp, HadamardOp,
                        PhiloxOp, RandomBitsOp, DotPairsOp>();
    if (failed(applyPartialConversion(getOperation(), target, patterns)))
      signalPassFailure();
  }

  FrozenRewritePatternSet patterns;
};

} // namespace
