//===- Errors.cpp - errors of 4/6 candidates ------------------------------===//
//
// Part of the lowp project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// lowp.block_error. The order of every sum is part of its definition.
//
//===----------------------------------------------------------------------===//

#include "Expression.h"
#include "Patterns.h"

#include "lowp/IR/LowpNumerics.h"
#include "lowp/IR/LowpOps.h"
#include "lowp/Numerics/Scale.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"

using namespace mlir;
using namespace mlir::lowp;
using namespace mlir::lowp::expand;
namespace numerics = ::lowp::numerics;

namespace {

struct ExpandBlockError : OpRewritePattern<BlockErrorOp> {
  using OpRewritePattern::OpRewritePattern;

  LogicalResult matchAndRewrite(BlockErrorOp op,
                                PatternRewriter &rewriter) const override {
    FourSix metric = op.getRule().getFourSix();
    if (metric == FourSix::None)
      return rewriter.notifyMatchFailure(op, "the rule has no metric");

    ImplicitLocOpBuilder b(op.getLoc(), rewriter);
    bool scaled = op.getRule().getFourSixError() == FourSixError::Scaled;
    Real errors = differences(b, op);
    if (metric == FourSix::Absmax) {
      rewriter.replaceOp(op, errors.magnitudeBits().largest().asReal().get());
    } else if (scaled) {
      rewriter.replaceOp(op, sumOfPairs(errors, metric).get());
    } else {
      rewriter.replaceOp(op, sumInOrder(errors, metric).get());
    }
    return success();
  }

private:
  /// How many elements a block has.
  static int64_t getNumElements(Real elements) {
    return cast<VectorType>(elements.getType()).getDimSize(0);
  }

  /// What each code stands for less its value, in the units of the rule.
  static Real differences(ImplicitLocOpBuilder &b, BlockErrorOp op) {
    Real source(b, op.getSource());
    Real outer = Real(b, op.getOuter()).splat(source);
    // Exact.
    Real product =
        Real(b, op.getCodes()) * Real(b, op.getScale()).splat(source);
    if (op.getRule().getFourSixError() == FourSixError::Scaled)
      return product - source * outer;
    if (op.getGivenScale())
      return product * outer - source;
    float top = numerics::outerMax(getBlockFormat(op.getFormat()),
                                   getQuantRule(op.getRule()));
    return product * outer / top - source;
  }

  /// Sums the even and the odd elements, each in ascending order, then both:
  /// squares by fused multiply-adds. The last of an odd number of elements is
  /// paired with zero, which adds nothing.
  static Real sumOfPairs(Real errors, FourSix metric) {
    ImplicitLocOpBuilder &b = errors.getBuilder();
    int64_t count = getNumElements(errors);
    auto element = [&](Real vector, int64_t i) -> Real {
      return {b, vector::ExtractOp::create(b, vector, i)};
    };
    auto pair = [&](Real values, int64_t i) -> Real {
      if (i + 1 < count)
        return {
            b, vector::ExtractStridedSliceOp::create(b, values, {i}, {2}, {1})};
      SmallVector<int64_t> shape(cast<VectorType>(values.getType()).getShape());
      shape[0] = 2;
      Value zeros = arith::ConstantOp::create(
          b, b.getZeroAttr(VectorType::get(shape, b.getF32Type())));
      return {b, vector::InsertOp::create(b, element(values, i), zeros, 0)};
    };
    Real terms = metric == FourSix::Mae ? errors.magnitude() : errors;
    Real first = pair(terms, 0);
    // The first step adds to +0, which changes nothing.
    Real sum = metric == FourSix::Mae ? first : first * first;
    for (int64_t i = 2; i < count; i += 2) {
      Real next = pair(terms, i);
      sum = metric == FourSix::Mae
                ? sum + next
                : Real(b, math::FmaOp::create(b, next, next, sum));
    }
    return element(sum, 0) + element(sum, 1);
  }

  /// Sums in ascending order; squares are rounded before they are added.
  static Real sumInOrder(Real errors, FourSix metric) {
    ImplicitLocOpBuilder &b = errors.getBuilder();
    Real terms = metric == FourSix::Mae ? errors.magnitude() : errors * errors;
    // Without reassociation the reduction adds one element after the other.
    if (!terms.isBatch())
      return {
          b, vector::ReductionOp::create(b, vector::CombiningKind::ADD, terms)};
    Real sum(b, vector::ExtractOp::create(b, terms, 0));
    for (int64_t i = 1; i < getNumElements(terms); ++i)
      sum = sum + Real(b, vector::ExtractOp::create(b, terms, i));
    return sum;
  }
};

} // namespace

void mlir::lowp::expand::populateErrorPatterns(RewritePatternSet &patterns,
                                               PatternBenefit benefit) {
  patterns.add<ExpandBlockError>(patterns.getContext(), benefit);
}
