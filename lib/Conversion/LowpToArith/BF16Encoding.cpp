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
#include "lowp/Numerics/Scale.h"

using namespace mlir;
using namespace mlir::lowp;
using namespace mlir::lowp::expand;
namespace numerics = ::lowp::numerics;

static constexpr int64_t kSignBit = 0x8000;
static constexpr int64_t kMantissaBits = 7;
static constexpr unsigned kRandomBits = 16;

/// max(lhs - rhs, 0) of unsigned numbers: one saturating subtraction.
static Int subtract(Int lhs, Int rhs) {
  ImplicitLocOpBuilder &b = lhs.getBuilder();
  return Int(b, arith::MaxUIOp::create(b, lhs, rhs)) - rhs;
}
static Int subtract(Int lhs, int64_t rhs) { return lhs.umax(rhs) - rhs; }

std::optional<BF16Encoding> BF16Encoding::get(FormatAttr format,
                                              RuleAttr rule) {
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
                      rule.isStochastic());
}

Value BF16Encoding::isExact(ImplicitLocOpBuilder &b, Value amax) const {
  // No rule gives a byte below the exponent field of amax less the format's
  // largest exponent. Zeros have their codes under any scale.
  constexpr int64_t infinity = 0x7F800000;
  int64_t least = (minScale() + numerics::maxExponent(format)) << 23;
  Int bits = Real(b, amax).bits();
  return (bits == 0) | ((bits - least) < infinity - least);
}

Value BF16Encoding::offsets(ImplicitLocOpBuilder &b, Value scales) const {
  Int offset = (Int(b, scales).zext(32).smax(minScale()) - minScale())
               << kMantissaBits;
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

Value BF16Encoding::encode(ImplicitLocOpBuilder &b, Value source,
                           Value offsets) const {
  Int bits(b, source);
  Int number = toCodes(bits & (kSignBit - 1), {b, offsets}, format,
                       normalField(), clips);
  // To nearest, ties to even.
  Bool isEven = (number & 0x100) == 0;
  return withSign(number + select(isEven, 0x7F, number.like(0x80)), bits,
                  format);
}

// With F = w + 9, the shift of a mantissa below 2^(w+9) gives 0 for field 0,
// and so for zeros, which have no leading one. As above, all bits after the
// point are there from the field F - (w + 1) = 8 on. Then the upper 8 of the
// random bits meet them, and the lower ones zeros: these carry nothing. What is
// wrong are numbers of lower fields other than zero.
std::pair<Value, Value> BF16Encoding::encodeStochastic(ImplicitLocOpBuilder &b,
                                                       Value source,
                                                       Value offsetValues,
                                                       Value random) const {
  Int bits(b, source), offsets(b, offsetValues);
  Int magnitudes = bits & (kSignBit - 1);
  Int number = toCodes(magnitudes, offsets, format, normalField(), clips);
  constexpr int64_t leastField = 8;
  Int isWrong =
      subtract(offsets + ((leastField << kMantissaBits) - 1), magnitudes - 1);
  return {withSign(number + Int(b, random), bits, format), isWrong};
}
