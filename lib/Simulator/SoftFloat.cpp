//===- SoftFloat.cpp - Exact arithmetic and rounding ----------------------===//
//
// Part of the Lowp project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "SoftFloat.h"

#include <algorithm>

using namespace lowp::sim::soft;

namespace {

int bitLength(UInt128 value) {
  uint64_t high = static_cast<uint64_t>(value >> 64);
  if (high)
    return 128 - __builtin_clzll(high);
  uint64_t low = static_cast<uint64_t>(value);
  return low ? 64 - __builtin_clzll(low) : 0;
}

/// Shifts right; what falls out sticks to the lowest bit.
UInt128 shiftRightSticky(UInt128 value, int amount) {
  if (amount <= 0)
    return value;
  if (amount >= 128)
    return value != 0;
  UInt128 lost = value & ((UInt128(1) << amount) - 1);
  return value >> amount | (lost != 0);
}

/// A number whose leading bit is at 125: what cancels or falls out when two are
/// added leaves more than 50 bits of room below every format.
Number normalize(Number a) {
  int shift = 126 - bitLength(a.mantissa);
  if (shift >= 0)
    a.mantissa <<= shift;
  else
    a.mantissa = shiftRightSticky(a.mantissa, -shift);
  a.exponent -= shift;
  return a;
}

Number makeNaN() {
  Number nan;
  nan.kind = Number::NaN;
  return nan;
}

/// Splits a mantissa at the bit `shift` into a quotient and how the rest
/// compares: 0 none, 1 below half, 2 half, 3 above.
uint64_t split(UInt128 mantissa, int shift, unsigned &rest) {
  rest = 0;
  if (shift <= 0)
    return static_cast<uint64_t>(mantissa << -shift);
  if (shift > 128) {
    rest = mantissa != 0;
    return 0;
  }
  UInt128 half = UInt128(1) << (shift - 1);
  UInt128 low = shift == 128 ? mantissa : mantissa & (half * 2 - 1);
  if (low != 0)
    rest = low < half ? 1 : low == half ? 2 : 3;
  return shift == 128 ? 0 : static_cast<uint64_t>(mantissa >> shift);
}

bool roundsUp(Rounding mode, bool negative, bool odd, unsigned rest) {
  switch (mode) {
  case Rounding::RN:
    return rest == 3 || (rest == 2 && odd);
  case Rounding::RNA:
    return rest >= 2;
  case Rounding::RZ:
    return false;
  case Rounding::RM:
    return negative && rest != 0;
  case Rounding::RP:
    return !negative && rest != 0;
  }
  return false;
}

uint64_t overflowed(const Format &format, bool negative, Rounding mode,
                    Overflow overflow) {
  uint64_t sign = negative ? format.signMask() : 0;
  bool saturates = overflow == Overflow::Saturate || mode == Rounding::RZ ||
                   (mode == Rounding::RM && !negative) ||
                   (mode == Rounding::RP && negative);
  if (saturates || format.specials == Specials::None)
    return sign | format.maxBits();
  if (format.specials == Specials::NanOnly)
    return sign | format.nanBits();
  return sign | format.infBits();
}

} // namespace

Number lowp::sim::soft::unpack(const Format &format, uint64_t bits) {
  Number a;
  a.negative = (bits & format.signMask()) != 0;
  uint64_t magnitude = bits & (format.signMask() - 1);
  if (magnitude == 0)
    return a;
  if (magnitude > format.maxBits()) {
    a.kind =
        format.specials == Specials::InfAndNan && magnitude == format.infBits()
            ? Number::Inf
            : Number::NaN;
    return a;
  }
  a.kind = Number::Finite;
  int exponent = static_cast<int>(magnitude >> format.mantissaBits);
  uint64_t fraction = magnitude & ((uint64_t(1) << format.mantissaBits) - 1);
  if (exponent)
    fraction |= uint64_t(1) << format.mantissaBits;
  a.mantissa = fraction;
  a.exponent = std::max(exponent, 1) - format.bias - format.mantissaBits;
  return a;
}

Number lowp::sim::soft::unpackFtz(const Format &format, uint64_t bits) {
  Number a = unpack(format, bits);
  if (((bits & (format.signMask() - 1)) >> format.mantissaBits) == 0)
    a.kind = Number::Zero;
  return a;
}

Number lowp::sim::soft::fromInteger(bool negative, uint64_t magnitude) {
  Number a;
  a.kind = magnitude ? Number::Finite : Number::Zero;
  a.negative = negative && magnitude;
  a.mantissa = magnitude;
  return a;
}

Number lowp::sim::soft::negate(Number a) {
  a.negative = !a.negative;
  return a;
}

Number lowp::sim::soft::scale(Number a, int n) {
  a.exponent += n;
  return a;
}

Number lowp::sim::soft::add(const Number &a, const Number &b, Rounding mode) {
  if (a.isNaN() || b.isNaN())
    return makeNaN();
  if (a.kind == Number::Inf || b.kind == Number::Inf) {
    if (a.kind == b.kind && a.negative != b.negative)
      return makeNaN();
    return a.kind == Number::Inf ? a : b;
  }
  Number zero;
  zero.negative = mode == Rounding::RM;
  if (a.kind == Number::Zero && b.kind == Number::Zero) {
    if (a.negative == b.negative)
      zero.negative = a.negative;
    return zero;
  }
  if (a.kind == Number::Zero)
    return b;
  if (b.kind == Number::Zero)
    return a;
  Number x = normalize(a), y = normalize(b);
  if (x.exponent < y.exponent ||
      (x.exponent == y.exponent && x.mantissa < y.mantissa))
    std::swap(x, y);
  UInt128 other = shiftRightSticky(y.mantissa, x.exponent - y.exponent);
  if (x.negative == y.negative) {
    x.mantissa += other;
    return x;
  }
  x.mantissa -= other;
  return x.mantissa == 0 ? zero : x;
}

Number lowp::sim::soft::multiply(const Number &a, const Number &b) {
  if (a.isNaN() || b.isNaN())
    return makeNaN();
  Number result;
  result.negative = a.negative != b.negative;
  bool isZero = a.kind == Number::Zero || b.kind == Number::Zero;
  if (a.kind == Number::Inf || b.kind == Number::Inf) {
    if (isZero)
      return makeNaN();
    result.kind = Number::Inf;
    return result;
  }
  if (isZero)
    return result;
  // Operands come from formats of at most 53 bits.
  result.kind = Number::Finite;
  result.mantissa = a.mantissa * b.mantissa;
  result.exponent = a.exponent + b.exponent;
  return result;
}

Number lowp::sim::soft::divide(const Number &a, const Number &b) {
  if (a.isNaN() || b.isNaN())
    return makeNaN();
  Number result;
  result.negative = a.negative != b.negative;
  if (a.kind == Number::Inf) {
    if (b.kind == Number::Inf)
      return makeNaN();
    result.kind = Number::Inf;
    return result;
  }
  if (b.kind == Number::Zero) {
    if (a.kind == Number::Zero)
      return makeNaN();
    result.kind = Number::Inf;
    return result;
  }
  if (a.kind == Number::Zero || b.kind == Number::Inf)
    return result;
  Number x = normalize(a);
  // At least 126 - 53 bits of quotient.
  UInt128 quotient = x.mantissa / b.mantissa;
  bool inexact = x.mantissa % b.mantissa != 0;
  result.kind = Number::Finite;
  result.mantissa = quotient << 1 | inexact;
  result.exponent = x.exponent - b.exponent - 1;
  return result;
}

Number lowp::sim::soft::squareRoot(const Number &a) {
  if (a.isNaN() || (a.negative && a.kind != Number::Zero))
    return makeNaN();
  if (a.kind != Number::Finite)
    return a;
  Number x = normalize(a);
  if (x.exponent & 1) {
    x.mantissa >>= 1;
    ++x.exponent;
  }
  // A root of 63 bits, bit by bit from the top.
  UInt128 root = 0;
  for (int bit = 63; bit >= 0; --bit) {
    UInt128 next = root | UInt128(1) << bit;
    if (next * next <= x.mantissa)
      root = next;
  }
  Number result;
  result.kind = Number::Finite;
  result.mantissa = root << 1 | (root * root != x.mantissa);
  result.exponent = x.exponent / 2 - 1;
  return result;
}

uint64_t lowp::sim::soft::round(const Format &format, const Number &a,
                                Rounding mode, Subnormals subnormals,
                                Overflow overflow) {
  uint64_t sign = a.negative ? format.signMask() : 0;
  switch (a.kind) {
  case Number::NaN:
    return format.nanBits();
  case Number::Inf:
    if (format.specials == Specials::InfAndNan && overflow == Overflow::Round)
      return sign | format.infBits();
    return overflowed(format, a.negative, Rounding::RN, overflow);
  case Number::Zero:
    return sign;
  case Number::Finite:
    break;
  }
  int leading = a.exponent + bitLength(a.mantissa) - 1;
  int exponent = std::max(leading, format.minExponent());
  unsigned rest = 0;
  if (subnormals == Subnormals::Flush && leading < format.minExponent()) {
    // Flushed unless full precision would have rounded up to a normal number.
    uint64_t full =
        split(a.mantissa, leading - format.mantissaBits - a.exponent, rest);
    full += roundsUp(mode, a.negative, full & 1, rest);
    bool becomesNormal = leading + 1 == format.minExponent() &&
                         full >> (format.mantissaBits + 1);
    if (!becomesNormal)
      return sign;
  }
  uint64_t value =
      split(a.mantissa, exponent - format.mantissaBits - a.exponent, rest);
  value += roundsUp(mode, a.negative, value & 1, rest);
  // A carry moves into the exponent by itself.
  int64_t biased = exponent + format.bias - 1;
  if (biased >= int64_t(1) << format.exponentBits)
    return overflowed(format, a.negative, mode, overflow);
  uint64_t bits = (uint64_t(biased) << format.mantissaBits) + value;
  if (bits > format.maxBits())
    return overflowed(format, a.negative, mode, overflow);
  return sign | bits;
}

uint64_t lowp::sim::soft::roundStochastic(const Format &format, const Number &a,
                                          uint32_t random, unsigned randomBits,
                                          Overflow overflow) {
  if (a.kind != Number::Finite)
    return round(format, a, Rounding::RZ, Subnormals::Keep, overflow);
  int leading = a.exponent + bitLength(a.mantissa) - 1;
  int exponent = std::max(leading, format.minExponent());
  int shift = exponent - format.mantissaBits - a.exponent;
  // The top discarded bits as an integer; those below cannot carry.
  uint64_t discarded = 0;
  if (shift > 0) {
    int drop = shift - static_cast<int>(randomBits);
    UInt128 top = drop >= 128 ? UInt128(0)
                  : drop >= 0 ? a.mantissa >> drop
                              : a.mantissa << -drop;
    discarded = static_cast<uint64_t>(top) & ((uint64_t(1) << randomBits) - 1);
  }
  random &= (uint64_t(1) << randomBits) - 1;
  bool up = (discarded + random) >> randomBits;
  unsigned rest = 0;
  uint64_t value = split(a.mantissa, shift, rest) + up;
  int64_t biased = exponent + format.bias - 1;
  uint64_t bits = biased >= int64_t(1) << format.exponentBits
                      ? ~uint64_t(0)
                      : (uint64_t(biased) << format.mantissaBits) + value;
  if (bits > format.maxBits())
    return overflowed(format, a.negative, Rounding::RN, overflow);
  return (a.negative ? format.signMask() : 0) | bits;
}

uint64_t lowp::sim::soft::roundToInteger(const Number &a, Rounding mode,
                                         bool &overflow) {
  overflow = false;
  if (a.kind != Number::Finite)
    return 0;
  if (a.exponent + bitLength(a.mantissa) > 64) {
    overflow = true;
    return 0;
  }
  unsigned rest = 0;
  uint64_t value = split(a.mantissa, -a.exponent, rest);
  bool up = roundsUp(mode, a.negative, value & 1, rest);
  if (up && value == ~uint64_t(0))
    overflow = true;
  return value + up;
}

int lowp::sim::soft::compare(const Number &a, const Number &b) {
  auto signOf = [](const Number &n) {
    return n.kind == Number::Zero ? 0 : n.negative ? -1 : 1;
  };
  int sa = signOf(a), sb = signOf(b);
  if (sa != sb || sa == 0)
    return sa < sb ? -1 : sa > sb ? 1 : 0;
  if (a.kind == Number::Inf || b.kind == Number::Inf)
    return a.kind == b.kind ? 0 : a.kind == Number::Inf ? sa : -sa;
  Number x = normalize(a), y = normalize(b);
  int larger = x.exponent != y.exponent   ? (x.exponent < y.exponent ? -1 : 1)
               : x.mantissa != y.mantissa ? (x.mantissa < y.mantissa ? -1 : 1)
                                          : 0;
  return larger * sa;
}
