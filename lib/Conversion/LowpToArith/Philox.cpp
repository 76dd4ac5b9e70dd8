//===- Philox.cpp - random bits by logical index --------------------------===//
//
// Part of the lowp project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// lowp.philox and lowp.random_bits. Keys of the rounds depend on the seed
// alone: they are scalars until they meet the counter, so that they leave every
// loop.
//
//===----------------------------------------------------------------------===//

#include "Expression.h"
#include "Patterns.h"

#include "lowp/IR/LowpOps.h"
#include "lowp/Numerics/Philox.h"

#include "mlir/Dialect/Vector/IR/VectorOps.h"

using namespace mlir;
using namespace mlir::lowp;
using namespace mlir::lowp::expand;
namespace numerics = ::lowp::numerics;

namespace {

constexpr int64_t kLowHalf = 0xFFFFFFFF;

struct ExpandPhilox : OpRewritePattern<PhiloxOp> {
  using OpRewritePattern::OpRewritePattern;

  LogicalResult matchAndRewrite(PhiloxOp op,
                                PatternRewriter &rewriter) const override {
    ImplicitLocOpBuilder b(op.getLoc(), rewriter);
    Int seed(b, op.getSeed()), step(b, op.getStep()), stream(b, op.getStream()),
        group(b, op.getGroup());
    if (op.getIndependent())
      stream = stream | numerics::kIndependentStream;

    Int keys[] = {seed.trunc(32), (seed >> 32).trunc(32)};
    Int low = group.trunc(32);
    Int words[] = {low, (group >> 32).trunc(32), stream.broadcastLike(low),
                   step.broadcastLike(low)};
    // Vectors have instructions for whole products of the low halves of 64-bit
    // lanes only. So words stay in such lanes, with anything in the high half.
    bool wide = isa<VectorType>(group.getType());
    if (wide)
      for (Int &word : words)
        word = word.zext(64);
    auto multiply = [&](Int word, int64_t factor) -> std::pair<Int, Int> {
      if (!wide)
        return word.mulExtended(factor);
      Int product = (word & kLowHalf) * word.like(factor);
      return {product, product >> 32};
    };
    auto spread = [&](Int key) {
      return (wide ? key.zext(64) : key).broadcastLike(words[0]);
    };
    for (uint64_t round = 0; round < op.getRounds(); ++round) {
      if (round != 0)
        for (auto [key, growth] :
             llvm::zip_equal(keys, numerics::kPhiloxKeySteps))
          key = key + growth;
      auto [low0, high0] = multiply(words[0], numerics::kPhiloxFactors[0]);
      auto [low1, high1] = multiply(words[2], numerics::kPhiloxFactors[1]);
      words[0] = high1 ^ words[1] ^ spread(keys[0]);
      words[2] = high0 ^ words[3] ^ spread(keys[1]);
      words[1] = low1;
      words[3] = low0;
    }
    if (wide)
      for (Int &word : words)
        word = word.trunc(32);
    rewriter.replaceOp(op, {words[0], words[1], words[2], words[3]});
    return success();
  }
};

struct ExpandRandomBits : OpRewritePattern<RandomBitsOp> {
  using OpRewritePattern::OpRewritePattern;

  LogicalResult matchAndRewrite(RandomBitsOp op,
                                PatternRewriter &rewriter) const override {
    ImplicitLocOpBuilder b(op.getLoc(), rewriter);
    numerics::RandomSharing sharing = op.getIndependent()
                                          ? numerics::RandomSharing::Independent
                                          : numerics::RandomSharing::Hardware;
    auto type = cast<VectorType>(op.getResult().getType());
    SmallVector<int64_t> wordOf;
    SmallVector<int32_t> shiftOf;
    for (int64_t i = 0; i < type.getDimSize(0); ++i) {
      numerics::RandomBitsPlace place =
          numerics::placeOfRandomBits(sharing, i, op.getBits());
      wordOf.push_back(place.word);
      // The same for all blocks of a batch.
      shiftOf.append(type.getNumElements() / type.getDimSize(0), place.shift);
    }
    Int words(
        b, vector::ShuffleOp::create(b, op.getWords(), op.getWords(), wordOf));
    Int shifts(b, arith::ConstantOp::create(
                      b, DenseElementsAttr::get(type, ArrayRef(shiftOf))));
    Int shifted(b, arith::ShRUIOp::create(b, words, shifts));
    int64_t mask = (int64_t(1) << op.getBits()) - 1;
    rewriter.replaceOp(op, (shifted & mask).get());
    return success();
  }
};

} // namespace

void mlir::lowp::expand::populatePhiloxPatterns(RewritePatternSet &patterns,
                                                PatternBenefit benefit) {
  patterns.add<ExpandPhilox, ExpandRandomBits>(patterns.getContext(), benefit);
}
