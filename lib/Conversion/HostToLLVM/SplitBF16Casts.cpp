//===- SplitBF16Casts.cpp - bf16 and f64 by way of f32 --------------------===//
//
// Part of the Lowp project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "lowp/Conversion/Passes.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/IR/ImplicitLocOpBuilder.h"
#include "mlir/IR/TypeUtilities.h"
#include "mlir/Transforms/WalkPatternRewriteDriver.h"

namespace mlir::lowp {
#define GEN_PASS_DEF_LOWPSPLITBF16CASTS
#include "lowp/Conversion/Passes.h.inc"
} // namespace mlir::lowp

using namespace mlir;

static Type withElement(Type type, Type element) {
  if (auto shaped = dyn_cast<VectorType>(type))
    return shaped.clone(element);
  return element;
}

namespace {

/// f64 to bf16 with one rounding. A detour by the nearest f32 would round
/// twice; an f32 that is rounded to odd keeps on which side of every bf16
/// midpoint the value was.
struct SplitTruncation : OpRewritePattern<arith::TruncFOp> {
  using OpRewritePattern::OpRewritePattern;

  LogicalResult matchAndRewrite(arith::TruncFOp op,
                                PatternRewriter &rewriter) const override {
    Value x = op.getIn();
    if (!getElementTypeOrSelf(op.getType()).isBF16() ||
        !getElementTypeOrSelf(x.getType()).isF64())
      return rewriter.notifyMatchFailure(op, "not a truncation of f64 to bf16");
    ImplicitLocOpBuilder b(op.getLoc(), rewriter);
    Type f32 = withElement(x.getType(), b.getF32Type());
    Type i32 = withElement(x.getType(), b.getI32Type());
    auto constant = [&](int64_t value) -> Value {
      TypedAttr attribute = b.getI32IntegerAttr(value);
      if (auto shaped = dyn_cast<VectorType>(i32))
        attribute = DenseElementsAttr::get(shaped, attribute);
      return arith::ConstantOp::create(b, attribute);
    };
    Value nearest = arith::TruncFOp::create(b, f32, x);
    Value back = arith::ExtFOp::create(b, x.getType(), nearest);
    Value bits = arith::BitcastOp::create(b, i32, nearest);
    // Of the two neighbours of an inexact x, one is odd: the nearest one, or
    // the one beyond x from there. NaN compares as exact.
    Value inexact =
        arith::CmpFOp::create(b, arith::CmpFPredicate::ONE, back, x);
    Value even = arith::CmpIOp::create(
        b, arith::CmpIPredicate::eq,
        arith::AndIOp::create(b, bits, constant(1)), constant(0));
    Value tooLarge = arith::CmpFOp::create(b, arith::CmpFPredicate::OGT,
                                           math::AbsFOp::create(b, back),
                                           math::AbsFOp::create(b, x));
    Value other = arith::AddIOp::create(
        b, bits,
        arith::SelectOp::create(b, tooLarge, constant(-1), constant(1)));
    bits = arith::SelectOp::create(b, arith::AndIOp::create(b, inexact, even),
                                   other, bits);
    rewriter.replaceOpWithNewOp<arith::TruncFOp>(
        op, op.getType(), arith::BitcastOp::create(b, f32, bits));
    return success();
  }
};

struct SplitExtension : OpRewritePattern<arith::ExtFOp> {
  using OpRewritePattern::OpRewritePattern;

  LogicalResult matchAndRewrite(arith::ExtFOp op,
                                PatternRewriter &rewriter) const override {
    if (!getElementTypeOrSelf(op.getIn().getType()).isBF16() ||
        !getElementTypeOrSelf(op.getType()).isF64())
      return rewriter.notifyMatchFailure(op, "not an extension of bf16 to f64");
    Value single = arith::ExtFOp::create(
        rewriter, op.getLoc(), withElement(op.getType(), rewriter.getF32Type()),
        op.getIn());
    rewriter.replaceOpWithNewOp<arith::ExtFOp>(op, op.getType(), single);
    return success();
  }
};

struct SplitBF16Casts : lowp::impl::LowpSplitBF16CastsBase<SplitBF16Casts> {
  void runOnOperation() override {
    RewritePatternSet patterns(&getContext());
    patterns.add<SplitTruncation, SplitExtension>(&getContext());
    walkAndApplyPatterns(getOperation(), std::move(patterns));
  }
};

} // namespace
