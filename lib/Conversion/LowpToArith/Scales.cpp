//===- Scales.cpp - largest magnitudes, block scales, outer scales --------===//
//
// Part of the lowp project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// lowp.block_amax, lowp.outer_scale, lowp.block_scale, lowp.decode_scale.
//
//===----------------------------------------------------------------------===//

#include "Expression.h"
#include "Patterns.h"
#include "Rounding.h"

#include "lowp/Conversion/LowpToArith/LowpToArith.h"
#include "lowp/IR/LowpNumerics.h"
#include "lowp/IR/LowpOps.h"
#include "lowp/Numerics/Scale.h"

#include "mlir/Dialect/Vector/IR/VectorOps.h"

#include <cfloat>

using namespace mlir;
using namespace mlir::lowp;
using namespace mlir::lowp::expand;
namespace numerics = ::lowp::numerics;

namespace {

constexpr int64_t kInfinityBits = 0x7F800000;
constexpr int64_t kNanBits = 0x7FC00000;
constexpr int64_t kMantissaMask = 0x7FFFFF;
/// 2^-127, the one power of two of UE8M0 that is an FP32 subnormal.
constexpr int64_t kTwoToMinus127Bits = 0x400000;

/// A scale and what elements are multiplied by under it.
struct Scale {
  Value stored;
  Real factor;
};

/// The smallest FP32 number s with amax <= divisor * s, for amax > 0. The
/// quotient in FP64 is close enough that its nearest FP32 number is either the
/// result or one below; the product in FP64 is exact and tells which.
Real smallestScale(Real amax, float divisor) {
  Real exact = amax.toF64();
  Real near = (exact / divisor).toF32();
  Bool tooSmall = near.toF64() * divisor < exact;
  return (near.bits() + Int::fromBool(tooSmall, 32)).asReal();
}

/// 1 / S_dec as it multiplies: finite.
Real inverse(Real decode) { return (1.0f / decode).minKeepNan(FLT_MAX); }

//===----------------------------------------------------------------------===//
// Largest magnitude
//===----------------------------------------------------------------------===//

struct ExpandBlockAmax : OpRewritePattern<BlockAmaxOp> {
  using OpRewritePattern::OpRewritePattern;

  LogicalResult matchAndRewrite(BlockAmaxOp op,
                                PatternRewriter &rewriter) const override {
    ImplicitLocOpBuilder b(op.getLoc(), rewriter);
    // As integers magnitudes have their order, with infinity and NaN on top:
    // a maximum that propagates both costs no more than one that does not.
    bool finiteOnly = op.getNonfinite() == NonFinite::Saturate;
    if (Value narrow = bf16Bits(b, op)) {
      Int largest = largestOf(Int(b, narrow) & 0x7FFF, finiteOnly,
                              kInfinityBits >> kBF16Shift);
      rewriter.replaceOp(op, (largest.zext(32) << kBF16Shift).asReal().get());
      return success();
    }
    Int bits = Real(b, op.getSource()).magnitudeBits();
    rewriter.replaceOp(
        op, largestOf(bits, finiteOnly, kInfinityBits).asReal().get());
    return success();
  }

private:
  static constexpr unsigned kBF16Shift = 16;

  static Int largestOf(Int magnitudes, bool finiteOnly, int64_t infinity) {
    if (finiteOnly)
      magnitudes =
          select(magnitudes < infinity, magnitudes, magnitudes.like(0));
    return magnitudes.largest();
  }

  /// The bits of a batch that was widened from bf16, whose order is the same:
  /// twice as many fit a register. Null for others.
  static Value bf16Bits(ImplicitLocOpBuilder &b, BlockAmaxOp op) {
    auto widened = op.getSource().getDefiningOp<arith::ExtFOp>();
    if (!widened || op.getSource().getType().getRank() != 2 ||
        !getElementTypeOrSelf(widened.getIn().getType()).isBF16())
      return {};
    auto type = cast<VectorType>(widened.getIn().getType());
    return arith::BitcastOp::create(b, type.clone(b.getI16Type()),
                                    widened.getIn());
  }
};

//===----------------------------------------------------------------------===//
// Outer scale
//===----------------------------------------------------------------------===//

struct ExpandOuterScale : OpRewritePattern<OuterScaleOp> {
  using OpRewritePattern::OpRewritePattern;

  LogicalResult matchAndRewrite(OuterScaleOp op,
                                PatternRewriter &rewriter) const override {
    ImplicitLocOpBuilder b(op.getLoc(), rewriter);
    Real source(b, op.getSource());
    if (op.getFrom() == OuterSource::Scale) {
      // In (0, inf).
      Bool usable = Int(source.bits() - 1) < kInfinityBits - 1;
      Real decode = select(usable, source, source.nanLike());
      rewriter.replaceOp(op, {inverse(decode).get(), decode.get()});
      return success();
    }

    Real amax = source.magnitude();
    auto [encode, decode] = fromAmax(amax, op.getFormat(), op.getRule());
    Bool lost = amax.isNonFiniteMagnitude();
    rewriter.replaceOp(op, {select(lost, encode.nanLike(), encode).get(),
                            select(lost, decode.nanLike(), decode).get()});
    return success();
  }

  /// Encode and decode scale of a finite amax.
  static std::pair<Real, Real> fromAmax(Real amax, FormatAttr format,
                                        RuleAttr rule) {
    float top = numerics::outerMax(getBlockFormat(format), getQuantRule(rule));
    switch (rule.getSfArith()) {
    case SfArith::Torchao: {
      Real decode = amax / top;
      return {1.0f / decode, decode};
    }
    case SfArith::CompressedTensors: {
      Real encode =
          (top / select(amax < FLT_MIN, FLT_MIN, amax)).minKeepNan(FLT_MAX);
      return {encode, encode};
    }
    case SfArith::Divide:
    case SfArith::Te:
      break;
    }
    Bool isZero = amax == 0.0f;
    if (rule.getOuterRepr() == OuterRepr::Pow2 ||
        rule.getSfRound() == SfRound::Up) {
      Real decode = rule.getOuterRepr() == OuterRepr::Pow2
                        ? smallestPowerOfTwo(amax, top)
                        : smallestScale(amax, top);
      decode = select(isZero, 1.0f, decode);
      return {inverse(decode), decode};
    }
    Real encode = select(isZero, 1.0f, (top / amax).minKeepNan(FLT_MAX));
    return {encode, 1.0f / encode};
  }

  /// The smallest 2^k with amax <= top * 2^k, k in [-149, 127], for amax > 0:
  /// by exponents and mantissas in FP64, where no FP32 number is subnormal.
  static Real smallestPowerOfTwo(Real amax, float top) {
    constexpr unsigned kMantissaBits = 52;
    constexpr int64_t kBias = 1023;
    int64_t topBits = llvm::bit_cast<int64_t>(static_cast<double>(top));
    // Carries into the exponent iff amax has the larger mantissa. What is left
    // in the mantissa has no meaning.
    int64_t mantissaMask = (int64_t(1) << kMantissaBits) - 1;
    Int carried =
        amax.toF64().bits() + (mantissaMask - (topBits & mantissaMask));
    Int exponent = (carried >> kMantissaBits) - (topBits >> kMantissaBits);
    Int field = exponent.smax(-149).smin(127) + kBias;
    return (field << kMantissaBits).asReal().toF32();
  }
};

//===----------------------------------------------------------------------===//
// Block scale
//===----------------------------------------------------------------------===//

/// The exponent of a UE8M0 scale, 0 to 254, by the bits of a finite amax.
Int ue8m0Exponent(Int bits, const numerics::ElementFormat &format,
                  numerics::ScaleRule rule) {
  int64_t topBits = maxBits(format);
  int64_t topExponent = numerics::maxExponent(format);
  // What carries into the exponent field when the scale is the next one.
  int64_t carry = 0;
  // In the FP32 subnormal range the result is 0, or 1 above this mantissa;
  // it only matters where no exponent is subtracted.
  int64_t subnormalLimit = kMantissaMask;
  switch (rule) {
  case numerics::ScaleRule::RCeil:
    carry = kMantissaMask - (topBits & kMantissaMask);
    // The largest value times 2^-127, in units of 2^-149.
    subnormalLimit = ((topBits & kMantissaMask) | (kMantissaMask + 1)) >> 1;
    break;
  case numerics::ScaleRule::Floor:
    break;
  case numerics::ScaleRule::Ceil:
    carry = kMantissaMask;
    subnormalLimit = kTwoToMinus127Bits;
    break;
  case numerics::ScaleRule::Even:
    carry = int64_t(1) << (22 - format.mantissaBits);
    subnormalLimit = kMantissaMask - carry;
    break;
  }
  Int exponent = (bits + carry) >> 23;
  if (topExponent > 0)
    return (exponent - topExponent).smax(0);
  exponent = select(bits > kMantissaMask, exponent,
                    Int::fromBool(bits > subnormalLimit, 32));
  return exponent.smin(254);
}

/// 2^(127 - exponent), for the exponent of a scale.
Real inversePowerOfTwo(Int exponent, const numerics::ElementFormat &format) {
  Int bits = (exponent.like(254) - exponent) << 23;
  // An FP32 exponent less more than 1 does not reach 254.
  if (numerics::maxExponent(format) > 1)
    return bits.asReal();
  return select(exponent == 254, kTwoToMinus127Bits, bits).asReal();
}

class BlockScaleExpansion {
public:
  BlockScaleExpansion(ImplicitLocOpBuilder &b, BlockScaleOp op,
                      const ScaleForms &forms)
      : b(b), op(op), forms(forms), format(getBlockFormat(op.getFormat())),
        rule(getQuantRule(op.getRule())), amax(b, op.getAmax()),
        encode(b, op.getEncode()), decode(b, op.getDecode()),
        lost(amax.isNonFiniteMagnitude()) {
    if (hasOuter())
      lost = lost | decode.isNan();
  }

  /// What decodes the scale, where that needs no way through its byte.
  std::optional<Real> decodedScale() {
    if (format.scale->kind != numerics::ScaleKind::SmallFloat)
      return std::nullopt;
    Real value = roundedScale().second;
    return op.getRegular() ? value : select(lost, value.nanLike(), value);
  }

  Scale build() {
    switch (format.scale->kind) {
    case numerics::ScaleKind::PowerOfTwo:
      return powerOfTwo();
    case numerics::ScaleKind::SmallFloat:
      return smallFloat();
    case numerics::ScaleKind::Float32:
      return float32();
    }
    llvm_unreachable("all kinds of scales are covered");
  }

private:
  bool hasOuter() { return static_cast<bool>(op.getEncode()); }

  Scale powerOfTwo() {
    Real scaled = amax;
    if (hasOuter())
      scaled = (amax * encode).minKeepNan(FLT_MAX);
    Int exponent = exponentOf(scaled);
    Real factor = inversePowerOfTwo(exponent, *format.element);
    if (op.getRegular())
      return {exponent.trunc(8), factor};
    return {select(lost, 0xFF, exponent).trunc(8), select(lost, 0.0f, factor)};
  }

  Int exponentOf(Real scaled) {
    Value form;
    if (forms.powerOfTwo)
      form = forms.powerOfTwo(b, scaled, *format.element, rule.scale);
    if (form)
      return Int(b, form);
    return ue8m0Exponent(scaled.bits(), *format.element, rule.scale);
  }

  Scale float32() {
    float top = numerics::mappedMax(format, rule);
    Bool isZero = amax == 0.0f;
    Real factor = amax, scale = amax;
    if (rule.sfRound == numerics::ScaleRound::Up) {
      scale = select(isZero, 1.0f, smallestScale(amax, top));
      factor = inverse(scale);
    } else {
      factor = select(isZero, 1.0f, (top / amax).minKeepNan(FLT_MAX));
      scale = 1.0f / factor;
    }
    return {select(lost, scale.nanLike(), scale), select(lost, 0.0f, factor)};
  }

  Scale smallFloat() {
    auto [code, value] = roundedScale();
    bool zeroesCodes =
        rule.sfZero == numerics::ZeroScale::ZeroCodes && !ownOrder();
    if (op.getRegular()) {
      if (!zeroesCodes)
        return {code.trunc(8), factorOf(value)};
      Real factor = 1.0f / (hasOuter() ? value * decode : value);
      return {code.trunc(8), select(value == 0.0f, 0.0f, factor)};
    }
    Real factor = factorOf(value);
    Bool hasNoCodes = lost;
    if (zeroesCodes)
      hasNoCodes = hasNoCodes | (value == 0.0f);
    int64_t nan = format.scale->element->nanCode();
    return {select(lost, nan, code).trunc(8), select(hasNoCodes, 0.0f, factor)};
  }

  /// Code and value of the scale of a block that is not lost.
  std::pair<Int, Real> roundedScale() {
    return rule.sfRound == numerics::ScaleRound::Up ? roundedUp()
                                                    : rounded(base());
  }

  /// The order of operations is that of a library without a special case for
  /// zero scales.
  bool ownOrder() const {
    return rule.sfArith == numerics::ScaleArith::TorchAO ||
           rule.sfArith == numerics::ScaleArith::CompressedTensors;
  }

  /// What is rounded to the scale. May turn out NaN, and then the block is
  /// lost.
  Real base() {
    float top = numerics::mappedMax(format, rule);
    switch (rule.sfArith) {
    case numerics::ScaleArith::Divide: {
      Real quotient = amax / top;
      return candidate(hasOuter() ? quotient * encode : quotient);
    }
    case numerics::ScaleArith::TE:
      return candidate(hasOuter() ? amax * (encode * (1.0f / top))
                                  : amax * (1.0f / top));
    case numerics::ScaleArith::TorchAO: {
      Real quotient = amax / top;
      if (hasOuter())
        quotient = quotient / decode;
      lost = lost | quotient.isNan();
      const numerics::ElementFormat &element = *format.scale->element;
      // Never below the smallest normal scale.
      float lowest = numerics::decode(element, 1u << element.mantissaBits);
      return candidate(select(quotient < lowest, lowest, quotient));
    }
    case numerics::ScaleArith::CompressedTensors: {
      Real product = amax / top;
      if (hasOuter())
        product = encode * product;
      lost = lost | product.isNan();
      return product;
    }
    }
    llvm_unreachable("all orders of operations are covered");
  }

  Real candidate(Real base) { return op.getFour() ? base * 1.5f : base; }

  std::pair<Int, Real> nearest(Real number,
                               const numerics::ElementFormat &element) {
    std::pair<Value, Value> form;
    if (forms.smallFloat)
      form = forms.smallFloat(b, number, element);
    if (form.first)
      return {Int(b, form.first), Real(b, form.second)};
    RoundedMagnitude magnitude(number.bits().umin(maxBits(element)), element);
    return {magnitude.code(), magnitude.value()};
  }

  /// Code and value of the nearest scale.
  std::pair<Int, Real> rounded(Real base) {
    const numerics::ElementFormat &element = *format.scale->element;
    auto [code, value] = nearest(base, element);
    if (rule.sfArith == numerics::ScaleArith::CompressedTensors) {
      constexpr float kLeast = 0.125f;
      int64_t least = numerics::encodeSmallFloatScale(*format.scale, kLeast);
      Bool isZero = value == 0.0f;
      return {select(isZero, least, code), select(isZero, kLeast, value)};
    }
    if (rule.sfRound == numerics::ScaleRound::Ceil)
      return nextIf(value < base, code);
    return {code, value};
  }

  /// The code, or where `tooSmall` the next one, and its value.
  std::pair<Int, Real> nextIf(Bool tooSmall, Int code) {
    const numerics::ElementFormat &element = *format.scale->element;
    Int result = (code + Int::fromBool(tooSmall, 32)).smin(element.maxCode());
    return {result, decodeFloat(result, element)};
  }

  /// Code and value of the smallest scale under which nothing clips: the
  /// nearest to the quotient or the one above it. The product of three is exact
  /// in FP64.
  std::pair<Int, Real> roundedUp() {
    Real exact = amax.toF64();
    Real unit = exact.like(numerics::mappedMax(format, rule));
    if (hasOuter())
      unit = unit * decode.toF64();
    auto [code, value] = rounded((exact / unit).toF32());
    return nextIf(value.toF64() * unit < exact, code);
  }

  /// What elements are multiplied (or, under compressed_tensors, divided) by.
  Real factorOf(Real value) {
    switch (rule.sfArith) {
    case numerics::ScaleArith::TorchAO:
      return hasOuter() ? (1.0f / decode) / value : 1.0f / value;
    case numerics::ScaleArith::CompressedTensors:
      return hasOuter() ? value / encode : value;
    case numerics::ScaleArith::Divide:
    case numerics::ScaleArith::TE:
      return inverse(hasOuter() ? value * decode : value);
    }
    llvm_unreachable("all orders of operations are covered");
  }

  ImplicitLocOpBuilder &b;
  BlockScaleOp op;
  const ScaleForms &forms;
  const numerics::BlockFormat format;
  const numerics::QuantRule rule;
  const Real amax;
  // Null without an outer scale.
  const Real encode;
  const Real decode;
  /// The block gets the NaN scale.
  Bool lost;
};

struct ExpandBlockScale : OpRewritePattern<BlockScaleOp> {
  ExpandBlockScale(MLIRContext *context, ScaleForms forms,
                   PatternBenefit benefit)
      : OpRewritePattern(context, benefit), forms(std::move(forms)) {}

  LogicalResult matchAndRewrite(BlockScaleOp op,
                                PatternRewriter &rewriter) const override {
    ImplicitLocOpBuilder b(op.getLoc(), rewriter);
    Scale scale = BlockScaleExpansion(b, op, forms).build();
    rewriter.replaceOp(op, {scale.stored, scale.factor.get()});
    return success();
  }

private:
  ScaleForms forms;
};

//===----------------------------------------------------------------------===//
// Decode scale
//===----------------------------------------------------------------------===//

struct ExpandDecodeScale : OpRewritePattern<DecodeScaleOp> {
  using OpRewritePattern::OpRewritePattern;

  LogicalResult matchAndRewrite(DecodeScaleOp op,
                                PatternRewriter &rewriter) const override {
    const numerics::ScaleFormat *format = getScaleFormat(op.getType());
    if (!format || format->storageBytes != 1)
      return rewriter.notifyMatchFailure(op, "not a one-byte scale type");

    ImplicitLocOpBuilder b(op.getLoc(), rewriter);
    // The rounding of the scale has its value at hand.
    auto producer = op.getSource().getDefiningOp<BlockScaleOp>();
    ScaleForms generic;
    if (producer && producer.getFormat().getScaleType() == op.getType())
      if (std::optional<Real> value =
              BlockScaleExpansion(b, producer, generic).decodedScale()) {
        rewriter.replaceOp(op, value->get());
        return success();
      }
    Int code = Int(b, op.getSource()).zext(32);
    if (format->kind == numerics::ScaleKind::PowerOfTwo) {
      Int bits = select(code == 0, kTwoToMinus127Bits, code << 23);
      rewriter.replaceOp(op,
                         select(code == 0xFF, kNanBits, bits).asReal().get());
      return success();
    }
    // Codes with the sign bit are NaN as well.
    Int bits = decodeFloat(code, *format->element).bits();
    Bool isNan = code > format->element->maxCode();
    rewriter.replaceOp(op, select(isNan, kNanBits, bits).asReal().get());
    return success();
  }
};

} // namespace

void mlir::lowp::expand::populateScalePatterns(RewritePatternSet &patterns,
                                               PatternBenefit benefit) {
  patterns.add<ExpandBlockAmax, ExpandOuterScale, ExpandDecodeScale>(
      patterns.getContext(), benefit);
  populateBlockScalePatterns(patterns, ScaleForms(), benefit);
}

void mlir::lowp::populateBlockScalePatterns(RewritePatternSet &patterns,
                                            ScaleForms forms,
                                            PatternBenefit benefit) {
  patterns.add<ExpandBlockScale>(patterns.getContext(), std::move(forms),
                                 benefit);
}
