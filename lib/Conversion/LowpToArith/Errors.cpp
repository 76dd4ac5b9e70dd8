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

#include "lowp/Conversion/LowpToArith/LowpToArith.h"
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

/// What codes stand for less their values, in the units of the rule.
static Real differenceOf(Real source, Real codes, Real scale, Real outer,
                         FormatAttr format, RuleAttr rule, bool givenScale) {
  if (rule.getFourSixError() == FourSixError::Scaled)
    return subtractFromProduct(codes, scale, source * outer);
  // Exact.
  Real product = codes * scale;
  if (givenScale)
    return product * outer - source;
  float top = numerics::outerMax(getBlockFormat(format), getQuantRule(rule));
  return product * outer / top - source;
}

/// `sum`, which is null before the first, with one more difference. The first
/// step adds to +0, which changes nothing.
static Real addError(std::optional<Real> sum, Real difference, RuleAttr rule) {
  ImplicitLocOpBuilder &b = difference.getBuilder();
  switch (rule.getFourSix()) {
  case FourSix::Absmax: {
    Int bits = difference.magnitudeBits();
    return sum ? bits.umax(sum->bits()).asReal() : bits.asReal();
  }
  case FourSix::Mae:
    return sum ? *sum + difference.magnitude() : difference.magnitude();
  case FourSix::Mse:
    break;
  case FourSix::None:
    llvm_unreachable("expects a rule with a metric");
  }
  if (sum && rule.getFourSixError() == FourSixError::Scaled)
    return {b, math::FmaOp::create(b, difference, difference, *sum)};
  Real square = difference * difference;
  return sum ? *sum + square : square;
}

/// Whether even and odd elements have sums of their own.
static bool sumsPairs(RuleAttr rule) {
  return rule.getFourSixError() == FourSixError::Scaled &&
         rule.getFourSix() != FourSix::Absmax;
}

void BlockErrorSum::add(ImplicitLocOpBuilder &b, Value source, Value code) {
  Value &sum = sums[sumsPairs(rule) ? count % 2 : 0];
  Real difference = differenceOf(Real(b, source), Real(b, code), Real(b, scale),
                                 Real(b, outer), format, rule, givenScale);
  std::optional<Real> before;
  if (sum)
    before = Real(b, sum);
  sum = addError(before, difference, rule);
  ++count;
}

Value BlockErrorSum::get(ImplicitLocOpBuilder &b) const {
  if (!sums[1])
    return sums[0];
  return Real(b, sums[0]) + Real(b, sums[1]);
}

namespace {

struct ExpandBlockError : OpRewritePattern<BlockErrorOp> {
  using OpRewritePattern::OpRewritePattern;

  LogicalResult matchAndRewrite(BlockErrorOp op,
                                PatternRewriter &rewriter) const override {
    RuleAttr rule = op.getRule();
    FourSix metric = rule.getFourSix();
    if (metric == FourSix::None)
      return rewriter.notifyMatchFailure(op, "the rule has no metric");

    ImplicitLocOpBuilder b(op.getLoc(), rewriter);
    Real source(b, op.getSource());
    Real errors = differenceOf(source, Real(b, op.getCodes()),
                               Real(b, op.getScale()).splat(source),
                               Real(b, op.getOuter()).splat(source),
                               op.getFormat(), rule, op.getGivenScale());
    if (metric == FourSix::Absmax)
      rewriter.replaceOp(op, errors.magnitudeBits().largest().asReal().get());
    else if (sumsPairs(rule))
      rewriter.replaceOp(op, sumOfPairs(errors, rule).get());
    else
      rewriter.replaceOp(op, sumInOrder(errors, rule).get());
    return success();
  }

private:
  /// How many elements a block has.
  static int64_t getNumElements(Real elements) {
    return cast<VectorType>(elements.getType()).getDimSize(0);
  }

  /// Sums the even and the odd elements, each in ascending order, then both:
  /// squares by fused multiply-adds. The last of an odd number of elements is
  /// paired with zero, which adds nothing.
  static Real sumOfPairs(Real errors, RuleAttr rule) {
    ImplicitLocOpBuilder &b = errors.getBuilder();
    int64_t count = getNumElements(errors);
    auto element = [&](Real vector, int64_t i) -> Real {
      return {b, vector::ExtractOp::create(b, vector, i)};
    };
    auto pair = [&](int64_t i) -> Real {
      if (i + 1 < count)
        return {
            b, vector::ExtractStridedSliceOp::create(b, errors, {i}, {2}, {1})};
      SmallVector<int64_t> shape(cast<VectorType>(errors.getType()).getShape());
      shape[0] = 2;
      Value zeros = arith::ConstantOp::create(
          b, b.getZeroAttr(VectorType::get(shape, b.getF32Type())));
      return {b, vector::InsertOp::create(b, element(errors, i), zeros, 0)};
    };
    Real sum = addError(std::nullopt, pair(0), rule);
    for (int64_t i = 2; i < count; i += 2)
      sum = addError(sum, pair(i), rule);
    return element(sum, 0) + element(sum, 1);
  }

  /// Sums in ascending order; squares are rounded before they are added.
  static Real sumInOrder(Real errors, RuleAttr rule) {
    ImplicitLocOpBuilder &b = errors.getBuilder();
    Real terms = addError(std::nullopt, errors, rule);
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
