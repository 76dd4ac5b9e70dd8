//===- Element.cpp - Codes of single elements -----------------------------===//
//
// Part of the Lowp project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "lowp/Numerics/Element.h"

namespace lowp::numerics {

namespace {

constexpr unsigned kMantissaBits = 23;
constexpr int kBias = 127;
constexpr uint32_t kQuietNan = 0x7FC00000u;

/// FP32 bits of significand * 2^exponent, for values in the normal range.
uint32_t composeBits(bool negative, uint32_t significand, int exponent) {
  uint32_t sign = negative ? 0x80000000u : 0u;
  if (significand == 0)
    return sign;
  unsigned top = 31 - static_cast<unsigned>(__builtin_clz(significand));
  uint32_t field =
      static_cast<uint32_t>(static_cast<int>(top) + exponent + kBias);
  uint32_t mantissa = (significand << (kMantissaBits - top)) & 0x007FFFFFu;
  return sign | (field << kMantissaBits) | mantissa;
}

/// The magnitude of a finite FP32 number before it is rounded to a format.
struct Truncated {
  /// Code of the next value toward zero; may exceed the largest code.
  uint64_t code;
  /// What was cut off, in units of the code's ulp: discarded / 2^shift.
  uint64_t discarded;
  unsigned shift;
};

Truncated truncate(const ElementFormat &format, uint32_t magnitude) {
  int field = static_cast<int>(magnitude >> kMantissaBits);
  uint64_t significand = magnitude & 0x007FFFFFu;
  if (field == 0)
    field = 1;
  else
    significand |= 0x00800000u;

  // The value is significand * 2^(field - 150). The code counts ulps within a
  // binade and, for floats, the carry out of the mantissa moves the exponent,
  // so that one integer holds both.
  uint64_t base = 0;
  int shift;
  if (format.kind == ElementKind::FixedPoint) {
    shift =
        static_cast<int>(kMantissaBits) + kBias - field - format.mantissaBits;
  } else {
    int exponent = field - kBias + format.bias;
    shift = static_cast<int>(kMantissaBits) - format.mantissaBits;
    if (exponent >= 1)
      base = static_cast<uint64_t>(exponent - 1) << format.mantissaBits;
    else
      shift += 1 - exponent;
  }
  // Beyond these bounds nothing changes: below, every format overflows; above,
  // less than half of the smallest value is left.
  if (shift < -32)
    shift = -32;
  if (shift > 48)
    shift = 48;
  if (shift < 0)
    return {base + (significand << -shift), 0, 0};
  uint64_t code = base + (significand >> shift);
  uint64_t discarded = significand & ((uint64_t(1) << shift) - 1);
  return {code, discarded, static_cast<unsigned>(shift)};
}

uint32_t overflowCode(const ElementFormat &format, Overflow overflow) {
  if (overflow == Overflow::Saturate || format.specials == Specials::None)
    return format.maxCode();
  // The code after the largest finite one: infinity, or the only NaN.
  return format.maxCode() + 1;
}

/// The sign of `bits` on a magnitude code.
uint32_t withSign(const ElementFormat &format, uint32_t bits, uint32_t code) {
  if ((bits >> 31) == 0)
    return code;
  uint32_t mask = format.signMask() | (format.signMask() - 1);
  if (format.kind == ElementKind::FixedPoint)
    return (0u - code) & mask;
  return code | format.signMask();
}

uint32_t finish(const ElementFormat &format, uint32_t bits, uint64_t code,
                Overflow overflow) {
  if (code > format.maxCode())
    code = overflowCode(format, overflow);
  return withSign(format, bits, static_cast<uint32_t>(code));
}

/// Codes of NaN and infinity; false for finite numbers.
bool encodeNonFinite(const ElementFormat &format, uint32_t bits,
                     Overflow overflow, uint32_t &code) {
  uint32_t magnitude = bits & 0x7FFFFFFFu;
  if (magnitude < 0x7F800000u)
    return false;
  if (magnitude > 0x7F800000u)
    code = format.nanCode();
  else
    code = withSign(format, bits, overflowCode(format, overflow));
  return true;
}

} // namespace

uint32_t decodeBits(const ElementFormat &format, uint32_t code) {
  bool negative = (code & format.signMask()) != 0;
  uint32_t magnitude = code & (format.signMask() - 1);
  if (format.kind == ElementKind::FixedPoint) {
    if (negative)
      magnitude = format.signMask() - magnitude;
    return composeBits(negative, magnitude, -format.mantissaBits);
  }
  if (magnitude > format.maxCode()) {
    bool infinite = format.specials == Specials::InfAndNan &&
                    magnitude == format.maxCode() + 1;
    return infinite ? (negative ? 0xFF800000u : 0x7F800000u) : kQuietNan;
  }
  int exponent = static_cast<int>(magnitude >> format.mantissaBits);
  uint32_t significand = magnitude & ((1u << format.mantissaBits) - 1);
  if (exponent == 0)
    exponent = 1;
  else
    significand |= 1u << format.mantissaBits;
  return composeBits(negative, significand,
                     exponent - format.bias - format.mantissaBits);
}

int maxExponent(const ElementFormat &format) {
  uint32_t bits = decodeBits(format, format.maxCode());
  return static_cast<int>(bits >> kMantissaBits) - kBias;
}

uint32_t encodeNearest(const ElementFormat &format, float value,
                       Overflow overflow) {
  uint32_t bits = toBits(value);
  uint32_t special;
  if (encodeNonFinite(format, bits, overflow, special))
    return special;
  Truncated cut = truncate(format, bits & 0x7FFFFFFFu);
  uint64_t code = cut.code;
  if (cut.shift > 0) {
    uint64_t half = uint64_t(1) << (cut.shift - 1);
    if (cut.discarded > half || (cut.discarded == half && (code & 1)))
      ++code;
  }
  return finish(format, bits, code, overflow);
}

/// Adds one to the truncated code where something was cut off and `up` is set.
static uint32_t encodeDirected(const ElementFormat &format, float value,
                               bool up, Overflow overflow) {
  uint32_t bits = toBits(value);
  uint32_t special;
  if (encodeNonFinite(format, bits, overflow, special))
    return special;
  Truncated cut = truncate(format, bits & 0x7FFFFFFFu);
  return finish(format, bits, cut.code + (up && cut.discarded != 0), overflow);
}

uint32_t encodeTowardZero(const ElementFormat &format, float value,
                          Overflow overflow) {
  return encodeDirected(format, value, /*up=*/false, overflow);
}

uint32_t encodeAwayFromZero(const ElementFormat &format, float value,
                            Overflow overflow) {
  return encodeDirected(format, value, /*up=*/true, overflow);
}

uint32_t encodeStochastic(const ElementFormat &format, float value,
                          uint32_t random, unsigned randomBits,
                          Overflow overflow) {
  uint32_t bits = toBits(value);
  uint32_t special;
  if (encodeNonFinite(format, bits, overflow, special))
    return special;
  Truncated cut = truncate(format, bits & 0x7FFFFFFFu);
  uint64_t one = uint64_t(1) << randomBits;
  uint64_t fraction = cut.shift > randomBits
                          ? cut.discarded >> (cut.shift - randomBits)
                          : cut.discarded << (randomBits - cut.shift);
  uint64_t code = cut.code + ((fraction + (random & (one - 1))) >= one);
  return finish(format, bits, code, overflow);
}

} // namespace lowp::numerics
