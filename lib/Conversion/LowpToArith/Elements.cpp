//===- Elements.cpp - element codes ---------------------------------------===//
//
// Part of the lowp project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// lowp.encode and lowp.decode. All lanes take the same steps: the number of
// operations does not depend on the values.
//
//===----------------------------------------------------------------------===//

#include "Expression.h"
#include "Patterns.h"
#include "Rounding.h"

#include "lowp/IR/LowpNumerics.h"
#include "lowp/IR/LowpOps.h"
#include "lowp/Numerics/Element.h"

using namespace mlir;
using namespace mlir::lowp;
using namespace mlir::lowp::expand;
namespace numerics = ::lowp::numerics;

namespace {

//===----------------------------------------------------------------------===//
// Encode
//===----------------------------------------------------------------------===//

/// Two's complement codes in the low 8 bits; those above have no meaning. The
/// sum with 1.5 * 2^(23-w) has an ulp of 2^-w, and
/// the code in its low bits.
Int encodeFixedPoint(Real values, const numerics::ElementFormat &format,
                     RuleAttr rule) {
  float top = numerics::maxValue(format);
  // NaN becomes the largest code.
  Real clamped = values.minDropNan(top).maxDropNan(-top);
  float magic = numerics::fromBits(
      (static_cast<uint32_t>(127 + 23 - format.mantissaBits) << 23) | 0x400000);
  Real sum = clamped + magic;
  Int codes = sum.bits();
  if (rule.getRound() == ElementRound::TowardZero) {
    Bool tooLarge = clamped.magnitude() < (sum - magic).magnitude();
    Int step = select(clamped < 0.0f, -1, codes.like(1));
    codes = codes - select(tooLarge, step, codes.like(0));
  }
  return codes;
}

/// Codes of magnitudes with the signs of `values`.
Int withSigns(Int codes, Real values, const numerics::ElementFormat &format) {
  if (format.kind == numerics::ElementKind::Float)
    return codes +
           ((values.bits() >> (32 - format.codeBits)) & format.signMask());
  // Two's complement.
  Int negative = values.bits().sshr(31);
  return (codes ^ negative) - negative;
}

RoundedMagnitude roundMagnitudes(Real values,
                                 const numerics::ElementFormat &format) {
  return {values.magnitudeBits().umin(maxBits(format)), format};
}

/// Codes in the low 8 bits; those above have no meaning.
Int encodeFloat(Real values, const numerics::ElementFormat &format,
                RuleAttr rule, bool mayBeNan) {
  RoundedMagnitude rounded = roundMagnitudes(values, format);
  Int codes = rounded.lowCode();
  if (rule.getRound() == ElementRound::TowardZero) {
    Real clamped = values.magnitudeBits().umin(maxBits(format)).asReal();
    codes = codes - Int::fromBool(clamped < rounded.value(), 32);
  }
  if (rule.getOverflow() == Overflow::NonFinite &&
      format.specials != numerics::Specials::None) {
    auto encode = rule.getRound() == ElementRound::TowardZero
                      ? numerics::encodeTowardZero
                      : numerics::encodeNearest;
    int64_t last = lastFiniteBits(format, [&](float value) {
      return encode(format, value, numerics::Overflow::NonFinite);
    });
    codes = select(values.magnitudeBits() > last, format.maxCode() + 1, codes);
  }
  codes = withSigns(codes, values, format);
  if (mayBeNan)
    codes = select(values.isNan(), format.nanCode(), codes);
  return codes;
}

Int encodeStochastic(Real values, Int random, unsigned randomBits,
                     const numerics::ElementFormat &format, bool mayBeNan) {
  Int magnitudes = values.magnitudeBits().umin(maxBits(format));
  Int codes = withSigns(stochasticCode(magnitudes, random, randomBits, format),
                        values, format);
  if (mayBeNan)
    codes = select(values.isNan(), format.nanCode(), codes);
  return codes;
}

/// A block that has a NaN has no codes, unless the rule says otherwise; but the
/// scales of other libraries can make one: 0 * inf.
bool mayBeNan(RuleAttr rule) {
  return rule.getNonFinite() == NonFinite::Saturate ||
         rule.getSfArith() == SfArith::Torchao ||
         rule.getSfArith() == SfArith::CompressedTensors;
}

/// What is rounded.
Real sourceOf(ImplicitLocOpBuilder &b, EncodeOp op) {
  Real source(b, op.getSource());
  // Changes -0 to +0, and nothing else.
  return op.getRule().getNegZero() == NegZero::Drop ? source + 0.0f : source;
}

/// The low 8 bits of 4-bit codes, two codes per byte, the first in the low
/// nibble.
Int pack(Int codes) {
  if (codes.isBatch())
    return (codes.everyElement(0, 2) | (codes.everyElement(1, 2) << 4))
        .trunc(8);
  Int pairs = codes.trunc(8).reshape(16);
  return (pairs | (pairs >> 4)).trunc(8);
}

/// The inverse of `pack`.
Int unpack(Int bytes) {
  if (bytes.isBatch())
    return Int::interleave(bytes & 0xF, bytes >> 4);
  Int pairs = bytes.zext(16);
  return ((pairs | (pairs << 4)) & 0x0F0F).reshape(8);
}

struct ExpandEncode : OpRewritePattern<EncodeOp> {
  using OpRewritePattern::OpRewritePattern;

  LogicalResult matchAndRewrite(EncodeOp op,
                                PatternRewriter &rewriter) const override {
    RuleAttr rule = op.getRule();
    const numerics::ElementFormat *format = getElementFormat(op.getElement());
    if (!format)
      return rewriter.notifyMatchFailure(op, "not an element type");

    ImplicitLocOpBuilder b(op.getLoc(), rewriter);
    Real source = sourceOf(b, op);
    Int codes = rule.isStochastic()
                    ? encodeStochastic(source, {b, op.getRandom()},
                                       rule.getRandomBits(op.getElement()),
                                       *format, mayBeNan(rule))
                : format->kind == numerics::ElementKind::FixedPoint
                    ? encodeFixedPoint(source, *format, rule)
                    : encodeFloat(source, *format, rule, mayBeNan(rule));
    bool packed = op.getCodes().getType().getNumElements() !=
                  op.getSource().getType().getNumElements();
    codes = packed ? pack(codes) : codes.trunc(8);
    if (Value valid = op.getValid())
      codes = codes & Int::maskFromBool({b, valid}, 8).splat(codes);
    rewriter.replaceOp(op, codes.get());
    return success();
  }
};

//===----------------------------------------------------------------------===//
// Decode
//===----------------------------------------------------------------------===//

/// The values of codes that were just made: the rounding of lowp.encode has
/// them at hand, and the way through codes is longer. Nothing where a code does
/// not come from that rounding alone.
std::optional<Real> roundedValues(ImplicitLocOpBuilder &b, DecodeOp op,
                                  const numerics::ElementFormat &format) {
  auto encode = op.getCodes().getDefiningOp<EncodeOp>();
  if (!encode || encode.getElement() != op.getElement() ||
      encode.getSource().getType() != op.getResult().getType() ||
      format.kind != numerics::ElementKind::Float)
    return std::nullopt;
  if (!encode.getRule().isNearestSaturating() || mayBeNan(encode.getRule()))
    return std::nullopt;
  Real source = sourceOf(b, encode);
  Int bits = roundMagnitudes(source, format).value().bits() |
             (source.bits() & int64_t(0x80000000));
  if (Value valid = encode.getValid())
    bits = bits & Int::maskFromBool({b, valid}, 32).splat(bits);
  return bits.asReal();
}

struct ExpandDecode : OpRewritePattern<DecodeOp> {
  using OpRewritePattern::OpRewritePattern;

  LogicalResult matchAndRewrite(DecodeOp op,
                                PatternRewriter &rewriter) const override {
    const numerics::ElementFormat *format = getElementFormat(op.getElement());
    if (!format)
      return rewriter.notifyMatchFailure(op, "not an element type");

    ImplicitLocOpBuilder b(op.getLoc(), rewriter);
    if (std::optional<Real> values = roundedValues(b, op, *format)) {
      rewriter.replaceOp(op, values->get());
      return success();
    }
    Int codes(b, op.getCodes());
    if (op.getCodes().getType().getNumElements() !=
        op.getResult().getType().getNumElements())
      codes = unpack(codes);
    if (format->kind == numerics::ElementKind::FixedPoint) {
      float ulp = numerics::decode(*format, 1);
      rewriter.replaceOp(op, (codes.sext(32).toReal() * ulp).get());
      return success();
    }
    rewriter.replaceOp(op, decodeFloat(codes.zext(32), *format).get());
    return success();
  }
};

} // namespace

void mlir::lowp::expand::populateElementPatterns(RewritePatternSet &patterns,
                                                 PatternBenefit benefit) {
  patterns.add<ExpandEncode, ExpandDecode>(patterns.getContext(), benefit);
}
