//===- BF16Encoding.cpp - bf16 to codes by integers of 16 bits ------------===//
//
// Part of the Lowp project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Expression.h"

#include "lowp/Conversion/LowpToArith/LowpToArith.h"
#include "lowp/IR/LowpNumerics.h"
#include "lowp/Numerics/Element.h"
#include "lowp/Numerics/Scale.h"

#include <cmath>

using namespace mlir;
using namespace mlir::lowp;
using namespace mlir::lowp::expand;
namespace numerics = ::lowp::numerics;

static constexpr int64_t kSignBit = 0x8000;
static constexpr int64_t kMantissaBits = 7;
static constexpr int64_t kHalfMantissaBits = 10;
static constexpr unsigned kRandomBits = 16;

/// max(lhs - rhs, 0) of unsigned numbers: one saturating subtraction.
static Int subtract(Int lhs, Int rhs) {
  ImplicitLocOpBuilder &b = lhs.getBuilder();
  return Int(b, arith::MaxUIOp::create(b, lhs, rhs)) - rhs;
}
static Int subtract(Int lhs, int64_t rhs) { return lhs.umax(rhs) - rhs; }

/// The exponent field of the smallest normal number in sums of FP16 (see
/// roundInFP16): the largest with which these are finite.
static int64_t fieldInFP16(const numerics::ElementFormat &format) {
  constexpr int64_t maxField = 30;
  int64_t binades = numerics::maxExponent(format) + format.bias;
  return maxField - (kHalfMantissaBits - format.mantissaBits) - (binades - 1);
}

/// What roundInFP16 adds to all codes.
static int64_t excessInFP16(const numerics::ElementFormat &format) {
  return (fieldInFP16(format) + kHalfMantissaBits - format.mantissaBits)
         << format.mantissaBits;
}

static bool canRoundInFP16(const numerics::ElementFormat &format) {
  // Field 0 has to be below half of the smallest number, and the excess must
  // not show next to a sign.
  return format.codeBits == 8 &&
         fieldInFP16(format) >= format.mantissaBits + 2 &&
         excessInFP16(format) % (1 << (format.codeBits - 1)) == 0;
}

std::optional<BF16Encoding> BF16Encoding::get(FormatAttr format, RuleAttr rule,
                                              bool inFP16) {
  const numerics::ElementFormat *element =
      getElementFormat(format.getElementType());
  if (!format.hasUE8M0Scale() || !element ||
      element->kind != numerics::ElementKind::Float ||
      element->storageBits() != 8 ||
      !(rule.isNearestSaturating() || rule.isStochastic()) ||
      rule.getNonFinite() == NonFinite::Saturate ||
      rule.getNegZero() == NegZero::Drop)
    return std::nullopt;
  if (rule.isStochastic() &&
      (rule.getBits() == RandomBits::Independent ||
       rule.getRandomBits(format.getElementType()) != kRandomBits))
    return std::nullopt;
  return BF16Encoding(*element,
                      getQuantRule(rule).scale != numerics::ScaleRule::RCeil,
                      rule.isStochastic(), inFP16 && canRoundInFP16(*element));
}

int64_t BF16Encoding::normalField() const {
  if (inFP16)
    return fieldInFP16(format);
  return format.mantissaBits + (stochastic ? 9 : 2);
}

Value BF16Encoding::isExact(ImplicitLocOpBuilder &b, Value amax) const {
  // No rule gives a byte below the exponent field of amax less the format's
  // largest exponent. Zeros have their codes under any scale and any offset.
  constexpr int64_t infinity = 0x7F800000;
  int64_t least = (minScale() + numerics::maxExponent(format)) << 23;
  Int bits = Real(b, amax).bits();
  return (bits == 0) | ((bits - least) < infinity - least);
}

Value BF16Encoding::offsets(ImplicitLocOpBuilder &b, Value scales) const {
  Int offset = (Int(b, scales).zext(32) - minScale()) << kMantissaBits;
  return offset | (offset << 16);
}

// Let w be the mantissa bits of the format, u its smallest positive number, and
// x a value under the scale. Fields are exponent fields after the subtraction,
// which gives F = w + 2 to the smallest normal number 2^w * u.
//
// The result is |x| / u, as a number with 8 bits after the point whose exponent
// and mantissa are added up as in codes, and then rounded to integers:
//
// * Field >= F: (field - F + 1) * 2^w and the mantissa. 7 - w mantissa bits are
//   discarded, no more than 8 exist after the point: nothing is lost.
// * 0 < field < F: 2^w and the mantissa, shifted right by F - field, at most
//   w + 1. As 8 - (7 - w) = w + 1 bits of the 8 were free, nothing is lost.
// * Field 0, where the subtraction may have saturated: |x| < u / 2, and so is
//   the result of the shift by F of a mantissa below 2^(w+1). Code 0. Numbers
//   that are subnormal as bf16 have field 0, since nothing is added to fields.
//
// Of the first two the larger is right: with m < 2^w the mantissa, the first is
// at least 2^w + m = the second for fields >= F; below it is m for F - 1, and
// (2^w + m) / 2 >= m, and 0 for lower ones.
static Int toCodes(Int magnitudes, Int offsets,
                   const numerics::ElementFormat &format, int64_t normalField,
                   bool clips) {
  ImplicitLocOpBuilder &b = magnitudes.getBuilder();
  unsigned free = format.mantissaBits + 1;
  unsigned exponentShift = kMantissaBits + free;
  int64_t one = int64_t(1) << exponentShift;
  Int scaled = subtract(magnitudes, offsets) << free;
  Int normal = subtract(scaled, (normalField - 1) * one);
  // F - field, or 0.
  Int shift = subtract(scaled.like(normalField), scaled >> exponentShift);
  Int mantissa = (scaled & (one - 1)) | one;
  Int subnormal(b, arith::ShRUIOp::create(b, mantissa, shift));
  Int number(b, arith::MaxUIOp::create(b, normal, subnormal));
  return clips ? number.umin(int64_t(format.maxCode()) << 8) : number;
}

/// No code is above the largest, so that its sign bit is clear.
static Int withSign(Int codes, Int bits,
                    const numerics::ElementFormat &format) {
  return codes | ((bits & kSignBit) >> (8 - format.codeBits));
}

/// Exponent and mantissa after the subtraction, as an IEEE half.
static Real toHalf(Int magnitudes, Int offsets,
                   const numerics::ElementFormat &format, int64_t normalField,
                   bool clips) {
  Int number = subtract(magnitudes, offsets)
               << (kHalfMantissaBits - kMantissaBits);
  if (clips)
    number = number.umin((int64_t(format.maxCode())
                          << (kHalfMantissaBits - format.mantissaBits)) +
                         ((normalField - 1) << kHalfMantissaBits));
  return number.asReal();
}

// Let y be the half, with w + 2 or more as the field F of the smallest normal
// number: a number of field 0, which may be anything below that of field 1, is
// then below u / 2.
//
// Let m be the power of two below y, or the smallest normal number if that is
// more. The spacing of codes at y is m * 2^-w, as much as that of halves from
// m * 2^(10-w) to the next power of two. So y plus that power rounds to
// nearest, ties to even. The field of the sum is that of m, plus 10 - w, and
// its mantissa bits are y in spacings, at most 2^(w+1).
//
// The code is y in spacings, plus 2^w times what the field is above F; what
// excessInFP16 adds is more. So the mantissa, times 2^8, and the field, which
// is 10 bits up, times 2^(w-2) have the code in the high byte. The sum of these
// two factors would be a sequence of shifts and additions for LLVM, which a
// third bit prevents: it changes the sign bit only.
static Int roundInFP16(Real half, const numerics::ElementFormat &format,
                       int64_t normalField) {
  constexpr int64_t fieldMask = 0x1F << kHalfMantissaBits;
  int64_t up = kHalfMantissaBits - format.mantissaBits;
  Int power = (half.bits() & fieldMask).umax(normalField << kHalfMantissaBits);
  Real base = power.asReal();
  Int sum = addProduct(half, base, base.like(1 << up)).bits();
  return sum * sum.like((1 << 8) + (1 << (8 - up)) + kSignBit);
}

Value BF16Encoding::encode(ImplicitLocOpBuilder &b, Value source,
                           Value offsets) const {
  Int bits(b, source);
  Int magnitudes = bits & (kSignBit - 1);
  if (inFP16) {
    Int codes = roundInFP16(
        toHalf(magnitudes, {b, offsets}, format, normalField(), clips), format,
        normalField());
    // In bytes, so that LLVM finds the selection of bits, one instruction: of
    // words it would drop the lower bits from the constants.
    constexpr unsigned byte = 8;
    constexpr int64_t signOfByte = 0x80;
    return ((codes.reshape(byte) & (signOfByte - 1)) |
            (bits.reshape(byte) & signOfByte))
        .reshape(16);
  }
  Int number = toCodes(magnitudes, {b, offsets}, format, normalField(), clips);
  // To nearest, ties to even.
  Bool isEven = (number & 0x100) == 0;
  return withSign(number + select(isEven, 0x7F, number.like(0x80)), bits,
                  format);
}

// With F = w + 9, the shift of a mantissa below 2^(w+9) gives 0 for field 0,
// and so for zeros, which have no leading one. As above, all bits after the
// point are there from the field F - (w + 1) on. Then the upper 8 of the random
// bits meet them, and the lower ones zeros: these carry nothing. What is wrong
// are numbers of lower fields other than zero.
//
// A half becomes the sum of exponent and mantissa by itself when a product
// makes the smallest normal number that of halves. 10 - w bits are after the
// point then, and all that are not zero are there from the field F - w on. As
// many of the random bits are left: lower ones would meet zeros.
int64_t BF16Encoding::leastField() const {
  return normalField() - format.mantissaBits - (inFP16 ? 0 : 1);
}

Value BF16Encoding::bounds(ImplicitLocOpBuilder &b, Value offsets) const {
  int64_t bound = (leastField() << kMantissaBits) - 1;
  return Int(b, offsets) + (bound | (bound << 16));
}

std::pair<Value, Value>
BF16Encoding::encodeStochastic(ImplicitLocOpBuilder &b, Value source,
                               Value offsetValues, Value boundValues,
                               Value randomValues) const {
  Int bits(b, source), offsets(b, offsetValues), random(b, randomValues);
  Int magnitudes = bits & (kSignBit - 1);
  // Zeros become the largest number.
  Int isWrong = subtract(Int(b, boundValues), magnitudes - 1);
  if (!inFP16) {
    Int number = toCodes(magnitudes, offsets, format, normalField(), clips);
    return {withSign(number + (random >> 8), bits, format), isWrong};
  }
  unsigned after = kHalfMantissaBits - format.mantissaBits;
  Real half = toHalf(magnitudes, offsets, format, normalField(), clips);
  Int number = (half * std::ldexp(1.0f, 1 - normalField())).bits();
  Int codes = (number + (random >> (16 - after))) << (8 - after);
  return {withSign(codes, bits, format), isWrong};
}
