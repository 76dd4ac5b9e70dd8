//===- EncodeScale.cpp - block scale byte of a number ---------------------===//
//
// Part of the lowp project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Expression.h"
#include "Patterns.h"
#include "Rounding.h"

#include "lowp/IR/LowpNumerics.h"
#include "lowp/IR/LowpOps.h"

using namespace mlir;
using namespace mlir::lowp;
using namespace mlir::lowp::expand;
namespace numerics = ::lowp::numerics;

namespace {

constexpr int64_t kInfinityBits = 0x7F800000;
constexpr int64_t kMantissaMask = 0x7FFFFF;

/// The scales are the FP32 powers of two, so that the exponent field is the
/// byte. Below the normal range the one power is 2^-127, 0x00400000.
Int encodePowerOfTwo(Int bits, NumberRound round, Overflow overflow) {
  Int byte = bits >> 23;
  // Above this an FP32 subnormal is nearer to 2^-126, or has it as the next.
  int64_t subnormalLimit = kMantissaMask;
  switch (round) {
  case NumberRound::TowardZero:
    break;
  case NumberRound::Up:
    byte = (bits + kMantissaMask) >> 23;
    subnormalLimit = 0x400000;
    break;
  case NumberRound::Nearest:
    byte = (bits + (byte & 1) + 0x3FFFFF) >> 23;
    subnormalLimit = 0x600000;
    break;
  }
  byte = select(bits > kMantissaMask, byte,
                Int::fromBool(bits > subnormalLimit, 32));
  if (overflow == Overflow::Saturate)
    byte = byte.umin(254);
  return select(bits > kInfinityBits, 0xFF, byte);
}

Int encodeSmallFloat(Int bits, const numerics::ScaleFormat &scale,
                     NumberRound round, Overflow overflow) {
  const numerics::ElementFormat &format = *scale.element;
  Int clamped = bits.umin(maxBits(format));
  RoundedMagnitude rounded(clamped, format);
  Int code = rounded.code();
  switch (round) {
  case NumberRound::Nearest:
    break;
  case NumberRound::TowardZero:
    code = code - Int::fromBool(clamped.asReal() < rounded.value(), 32);
    break;
  case NumberRound::Up:
    code = code + Int::fromBool(rounded.value() < clamped.asReal(), 32);
    break;
  }
  if (overflow == Overflow::NonFinite) {
    int64_t last = lastFiniteBits(format, [&](float value) {
      return numerics::encodeSmallFloatScale(
          scale, value, getNumberRound(round), numerics::Overflow::NonFinite);
    });
    code = select(bits > last, format.nanCode(), code);
  }
  return select(bits > kInfinityBits, format.nanCode(), code);
}

struct ExpandEncodeScale : OpRewritePattern<EncodeScaleOp> {
  using OpRewritePattern::OpRewritePattern;

  LogicalResult matchAndRewrite(EncodeScaleOp op,
                                PatternRewriter &rewriter) const override {
    const numerics::ScaleFormat *format = getScaleFormat(op.getType());
    if (!format || format->storageBytes != 1)
      return rewriter.notifyMatchFailure(op, "not a one-byte scale type");

    ImplicitLocOpBuilder b(op.getLoc(), rewriter);
    Int bits = Real(b, op.getSource()).magnitudeBits();
    Int byte =
        format->kind == numerics::ScaleKind::PowerOfTwo
            ? encodePowerOfTwo(bits, op.getRound(), op.getOverflow())
            : encodeSmallFloat(bits, *format, op.getRound(), op.getOverflow());
    rewriter.replaceOp(op, byte.trunc(8).get());
    return success();
  }
};

} // namespace

void mlir::lowp::expand::populateEncodeScalePatterns(
    RewritePatternSet &patterns, PatternBenefit benefit) {
  patterns.add<ExpandEncodeScale>(patterns.getContext(), benefit);
}
