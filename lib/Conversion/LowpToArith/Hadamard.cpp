//===- Hadamard.cpp - Hadamard transform of one group ---------------------===//
//
// Part of the lowp project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Expression.h"
#include "Patterns.h"

#include "lowp/IR/LowpNumerics.h"
#include "lowp/IR/LowpOps.h"

#include "mlir/Dialect/Vector/IR/VectorOps.h"

using namespace mlir;
using namespace mlir::lowp;
using namespace mlir::lowp::expand;
namespace numerics = ::lowp::numerics;

namespace {

Real shuffled(Real lhs, Real rhs, ArrayRef<int64_t> mask) {
  ImplicitLocOpBuilder &b = lhs.getBuilder();
  return {b, vector::ShuffleOp::create(b, lhs, rhs, mask)};
}

/// One stage: (a, b) becomes (a + b, a - b) for elements `stride` apart.
Real butterfly(Real values, int64_t stride) {
  int64_t count = cast<VectorType>(values.getType()).getNumElements();
  SmallVector<int64_t> partner, pick;
  for (int64_t i = 0; i < count; ++i) {
    partner.push_back(i ^ stride);
    pick.push_back(i & stride ? count + i : i);
  }
  Real others = shuffled(values, values, partner);
  return shuffled(values + others, others - values, pick);
}

Real applySigns(Real values, ArrayRef<bool> negate) {
  if (!llvm::is_contained(negate, true))
    return values;
  // Multiplications by 1 and -1 are exact, and free where signs are.
  SmallVector<float> signs;
  for (bool negative : negate)
    signs.push_back(negative ? -1.0f : 1.0f);
  ImplicitLocOpBuilder &b = values.getBuilder();
  auto type = cast<VectorType>(values.getType());
  Real factors(b, arith::ConstantOp::create(
                      b, DenseElementsAttr::get(type, ArrayRef(signs))));
  return values * factors;
}

struct ExpandHadamard : OpRewritePattern<HadamardOp> {
  using OpRewritePattern::OpRewritePattern;

  LogicalResult matchAndRewrite(HadamardOp op,
                                PatternRewriter &rewriter) const override {
    ImplicitLocOpBuilder b(op.getLoc(), rewriter);
    Real values(b, op.getSource());
    int64_t count = cast<VectorType>(values.getType()).getNumElements();
    if (!numerics::isHadamardSize(count))
      return rewriter.notifyMatchFailure(op, "not a size of the transform");

    if (!op.getInverse())
      values = applySigns(values, op.getNegate());
    for (int64_t stride = 1; stride < count; stride *= 2)
      values = butterfly(values, stride);
    values = values * numerics::hadamardFactor(
                          count, getHadamardNorm(op.getNormalization()),
                          op.getInverse());
    if (op.getInverse())
      values = applySigns(values, op.getNegate());
    rewriter.replaceOp(op, values.get());
    return success();
  }
};

} // namespace

void mlir::lowp::expand::populateHadamardPatterns(RewritePatternSet &patterns,
                                                  PatternBenefit benefit) {
  patterns.add<ExpandHadamard>(patterns.getContext(), benefit);
}
