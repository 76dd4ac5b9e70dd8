//===- ConvertLowpToX86.cpp - Block operations that are instructions ------===//
//
// Part of the Lowp project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "lowp/Conversion/Passes.h"

#include "lowp/IR/LowpOps.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "mlir/IR/ImplicitLocOpBuilder.h"
#include "mlir/Transforms/WalkPatternRewriteDriver.h"

namespace mlir::lowp {
#define GEN_PASS_DEF_CONVERTLOWPTOX86
#include "lowp/Conversion/Passes.h.inc"
} // namespace mlir::lowp

using namespace mlir;
using namespace mlir::lowp;

namespace {

struct ConvertDotPairs : OpRewritePattern<DotPairsOp> {
  using OpRewritePattern::OpRewritePattern;

  LogicalResult matchAndRewrite(DotPairsOp op,
                                PatternRewriter &rewriter) const override {
    constexpr int64_t words = 16;
    VectorType type = op.getType();
    if (type.getShape() != ArrayRef<int64_t>{words})
      return rewriter.notifyMatchFailure(op, "not a vector of 16 words");

    ImplicitLocOpBuilder b(op.getLoc(), rewriter);
    auto pairsType = VectorType::get({2 * words}, b.getI16Type());
    SmallVector<APInt> factors;
    for (int64_t i = 0; i < words; ++i) {
      factors.push_back(op.getLowAttr().getValue());
      factors.push_back(op.getHighAttr().getValue());
    }
    Value factorPairs = arith::ConstantOp::create(
        b, DenseElementsAttr::get(pairsType, factors));
    Value pairs = vector::BitCastOp::create(b, pairsType, op.getWords());
    auto call = LLVM::CallIntrinsicOp::create(
        b, type, b.getStringAttr("llvm.x86.avx512.vpdpwssd.512"),
        ValueRange{op.getSum(), pairs, factorPairs});
    rewriter.replaceOp(op, call);
    return success();
  }
};

struct ConvertLowpToX86
    : mlir::lowp::impl::ConvertLowpToX86Base<ConvertLowpToX86> {
  LogicalResult initialize(MLIRContext *context) override {
    RewritePatternSet owned(context);
    owned.add<ConvertDotPairs>(context);
    patterns = std::move(owned);
    return success();
  }

  void runOnOperation() override {
    walkAndApplyPatterns(getOperation(), patterns);
  }

  FrozenRewritePatternSet patterns;
};

} // namespace
