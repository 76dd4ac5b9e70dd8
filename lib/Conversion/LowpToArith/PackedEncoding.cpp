//===- PackedEncoding.cpp - magnitudes to packed codes of 4 bits ----------===//
//
// Part of the Lowp project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Expression.h"
#include "Rounding.h"

#include "lowp/Conversion/LowpToArith/LowpToArith.h"
#include "lowp/IR/LowpNumerics.h"
#include "lowp/IR/LowpOps.h"
#include "lowp/Numerics/Element.h"

using namespace mlir;
using namespace mlir::lowp;
using namespace mlir::lowp::expand;
namespace numerics = ::lowp::numerics;

static constexpr unsigned kMantissaBits = 23;

std::optional<PackedEncoding>
PackedEncoding::get(FormatAttr format, RuleAttr rule, bool dotPairs) {
  if (!isa<Float4E2M1FNType>(format.getElementType()) ||
      !rule.isNearestSaturating() ||
      rule.getNonFinite() == NonFinite::Saturate ||
      rule.getNegZero() == NegZero::Drop)
    return std::nullopt;
  // The other orders make a NaN of a zero.
  if (rule.getSfArith() != SfArith::Divide && rule.getSfArith() != SfArith::Te)
    return std::nullopt;
  return PackedEncoding(*getElementFormat(format.getElementType()),
                        dotPairs && rule.getFourSix() == FourSix::None);
}

Value PackedEncoding::isInRange(ImplicitLocOpBuilder &b,
                                Value magnitudes) const {
  // The largest code is odd, so that the tie above it rounds up.
  assert(format.maxCode() % 2 == 1);
  int64_t halfUlp = int64_t(1) << (kMantissaBits - 1 - format.mantissaBits);
  return Real(b, magnitudes).bits() < maxBits(format) + halfUlp;
}

// RoundedMagnitude adds 2^(e+23-w) to a in [2^e, 2^(e+1)), for an ulp of
// 2^(e-w). Here that is m * 2^(23-w), with all of a's mantissa in m, and a is
// subtracted from it:
//
// * m * 2^(23-w) is a multiple of the ulp, since m is one of 2^(e-23), and an
//   even one where a is a tie, which has zeros in the low bits: ties go to the
//   even multiple.
// * A difference below 2^(e+23-w) has half the ulp. Then a is within 2^w ulps
//   of FP32 above 2^e, and rounds to 2^e all the same. (A sum above
//   2^(e+24-w), with twice the ulp, would be wrong.)
// * For e below that of the smallest normal number, 1.5 times that number is
//   m, and 2^e is not near.
//
// The sum of difference and product is the value: divided by 2^(23-w) here, so
// that the two products differ, and each is part of its sum.
Value PackedEncoding::round(ImplicitLocOpBuilder &b, Value magnitudes) const {
  if (dotPairs)
    return roundToSum(b, magnitudes);
  Real source(b, magnitudes);
  float minNormal =
      numerics::decode(format, uint32_t(1) << format.mantissaBits);
  Real multiple = source.maxDropNan(1.5f * minNormal);
  Real difference =
      addProduct(source, multiple, multiple.like(-getScaleOfValues()));
  return addProduct(multiple, difference,
                    difference.like(1.0f / getScaleOfValues()));
}

float PackedEncoding::getScaleOfValues() const {
  return static_cast<float>(int64_t(1)
                            << (kMantissaBits - format.mantissaBits));
}

// The sum of RoundedMagnitude, whose low bits count ulps from 2^e on.
Value PackedEncoding::roundToSum(ImplicitLocOpBuilder &b,
                                 Value magnitudes) const {
  Real source(b, magnitudes);
  float minNormal =
      numerics::decode(format, uint32_t(1) << format.mantissaBits);
  Real binade = (source.bits() & 0x7F800000).asReal().maxDropNan(minNormal);
  return addProduct(source, binade, binade.like(getScaleOfValues()));
}

// The high half of a sum is its exponent field times 2^7, and the low half
// counts ulps, of which a binade has 2^w: the code is the low half plus the
// high one over 2^(7-w), less a constant. Codes of three sums are added, as
// digits of base 16 and multiples of 2^(7-w): the factors of a fourth would not
// be 16-bit integers.
Value PackedEncoding::codesOfSums(ImplicitLocOpBuilder &b,
                                  ArrayRef<Value> sums) const {
  assert(sums.size() == 8 && "expects eight sums");
  unsigned unit = kMantissaBits - 16 - format.mantissaBits;
  uint32_t minNormal = numerics::decodeBits(format, 1 << format.mantissaBits);
  // The smallest normal number is code 2^w, and has a sum of 2^w ulps.
  uint32_t high = (minNormal >> 16) + ((kMantissaBits - format.mantissaBits)
                                       << (kMantissaBits - 16));
  auto add = [&](ArrayRef<Value> digits) -> Int {
    Int sum = Real(b, digits.front()).bits();
    uint32_t excess = 0;
    for (size_t i = 0; i < digits.size(); ++i)
      excess += high << (4 * i);
    Int total = sum.like(static_cast<int32_t>(-excess));
    for (auto [i, digit] : llvm::enumerate(digits))
      total =
          Int(b, DotPairsOp::create(b, Real(b, digit).bits(),
                                    b.getI16IntegerAttr(1 << (unit + 4 * i)),
                                    b.getI16IntegerAttr(1 << (4 * i)), total));
    return total;
  };
  // Digits of their own, put together by something else than what adds signs:
  // LLVM takes each for one instruction then.
  return (add(sums.take_front(3)) >> unit) ^
         (add(sums.slice(3, 3)) << (12 - unit)) ^
         (add(sums.drop_front(6)) << (24 - unit));
}

// A value is an integer of up to 12 halves: a digit of base 16.
Value PackedEncoding::digits(ImplicitLocOpBuilder &b,
                             ArrayRef<Value> values) const {
  if (dotPairs)
    return codesOfSums(b, values);
  assert(values.size() == 8 && "expects eight values");
  assert(numerics::decode(format, 1) == 0.5f && format.mantissaBits == 1);
  // Four digits at a time in the low bits of 1, whose ulp is that of halves.
  constexpr int64_t one = 0x3F800000;
  auto four = [&](ArrayRef<Value> part) -> Int {
    Real sum = Real(b, part[3]).like(1.0);
    for (int i = 3; i > 0; --i)
      sum = addProduct(sum, Real(b, part[i]), sum.like(1 << (4 * i)));
    return (sum + Real(b, part[0])).bits();
  };
  Int low = four(values.take_front(4));
  return low ^ low.like(one) ^ (four(values.drop_front(4)) << 16);
}

// From digits n3 n2 n1 n0 of 0, 1, 2, 3, 4, 6, 8 or 12 to codes of 0 to 7.
Value PackedEncoding::codes(ImplicitLocOpBuilder &b, Value digits) const {
  if (dotPairs)
    return digits;
  Int bit0(b, digits);
  Int bit1 = bit0 >> 1, bit2 = bit0 >> 2, bit3 = bit0 >> 3;
  Int code2 = (bit0 | bit1) & 0x44444444;
  Int code1 = (bit2 | (bit0 & (bit1 ^ bit1.like(-1)))) & 0x22222222;
  Int code0 = (bit0 | (bit2 & (bit1 | bit3))) & 0x11111111;
  return code2 | code1 | code0;
}

std::array<Value, 2> PackedEncoding::signs(ImplicitLocOpBuilder &b,
                                           ArrayRef<Value> pairs) const {
  assert(pairs.size() == 8 && "expects the signs of sixteen codes");
  auto rotate = [](Int value, unsigned bits) {
    return (value << bits) | (value >> (32 - bits));
  };
  // Masks have the bits in question and others that do not matter, so that no
  // byte is whole: those would be blended, under masks that have to come into
  // registers of their own.
  auto choose = [](int64_t mask, Int yes, Int no) {
    return (yes & mask) | (no & ~mask);
  };
  // The signs of the second word below those of the first.
  SmallVector<Int> both;
  for (size_t i = 0; i < 4; ++i)
    both.push_back(
        choose(0xA000A000, Int(b, pairs[i]), Int(b, pairs[i + 4]) >> 1));
  // Bits 15 and 31, to bits 8i + 3 and those 16 places away.
  constexpr int64_t bytes = 0x007C007C, half = 0x00000FFC;
  Int first = choose(bytes, rotate(both[0], 20), rotate(both[1], 28));
  Int second = choose(bytes, rotate(both[2], 4), rotate(both[3], 12));
  Int even = choose(half, first, second);
  Int odd = rotate(choose(half, second, first), 20);
  Int signs = choose(0x0F0F0F0F, even, odd);
  return {signs, signs << 1};
}

Value PackedEncoding::addSigns(ImplicitLocOpBuilder &b, Value codes,
                               Value signs, Value valid) const {
  Int all(b, signs);
  Int wanted = all.like(0x88888888);
  if (valid)
    wanted = select(Bool(b, valid), wanted, wanted.like(0));
  return Int(b, codes) | (all & wanted);
}
