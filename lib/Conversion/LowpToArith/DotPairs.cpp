//===- DotPairs.cpp - lowp.dot_pairs to arith -----------------------------===//
//
// Part of the Lowp project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Expression.h"
#include "Patterns.h"

#include "lowp/IR/LowpOps.h"

using namespace mlir;
using namespace mlir::lowp;
using namespace mlir::lowp::expand;

namespace {

struct ExpandDotPairs : OpRewritePattern<DotPairsOp> {
  using OpRewritePattern::OpRewritePattern;

  LogicalResult matchAndRewrite(DotPairsOp op,
                                PatternRewriter &rewriter) const override {
    ImplicitLocOpBuilder b(op.getLoc(), rewriter);
    Int words(b, op.getWords()), sum(b, op.getSum());
    auto factor = [&](IntegerAttr value) { return words.like(value.getInt()); };
    Int first = (words << 16).sshr(16) * factor(op.getLowAttr());
    Int second = words.sshr(16) * factor(op.getHighAttr());
    rewriter.replaceOp(op, (sum + first + second).get());
    return success();
  }
};

} // namespace

void mlir::lowp::expand::populateDotPairsPatterns(RewritePatternSet &patterns,
                                                  PatternBenefit benefit) {
  patterns.add<ExpandDotPairs>(patterns.getContext(), benefit);
}
