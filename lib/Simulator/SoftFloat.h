//===- SoftFloat.h - Exact arithmetic and rounding --------------*- C++ -*-===//
//
// Part of the Lowp project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Numbers as integers times powers of two. Operations are exact up to a sticky
// bit, and one function rounds to any format in any mode, so that the
// processor's rounding mode is never changed.
//
//===----------------------------------------------------------------------===//

#ifndef LOWP_LIB_SIMULATOR_SOFTFLOAT_H
#define LOWP_LIB_SIMULATOR_SOFTFLOAT_H

#include <cstdint>

namespace lowp::sim::soft {

__extension__ typedef unsigned __int128 UInt128;

enum class Rounding : uint8_t {
  /// Nearest, ties to even.
  RN,
  RZ,
  /// Towards minus infinity, plus infinity.
  RM,
  RP,
  /// Nearest, ties away from zero.
  RNA,
};

enum class Specials : uint8_t { None, NanOnly, InfAndNan };

struct Format {
  uint8_t bits;
  uint8_t exponentBits;
  uint8_t mantissaBits;
  int16_t bias;
  Specials specials;

  constexpr uint64_t signMask() const { return uint64_t(1) << (bits - 1); }
  constexpr int minExponent() const { return 1 - bias; }
  /// Bits of the largest finite value and of infinity.
  constexpr uint64_t maxBits() const {
    switch (specials) {
    case Specials::None:
      return signMask() - 1;
    case Specials::NanOnly:
      return signMask() - 2;
    case Specials::InfAndNan:
      return infBits() - 1;
    }
    return 0;
  }
  constexpr uint64_t infBits() const {
    return ((uint64_t(1) << exponentBits) - 1) << mantissaBits;
  }
  /// The NaN that conversions and arithmetic of PTX give.
  constexpr uint64_t nanBits() const { return signMask() - 1; }
};

inline constexpr Format kF16{16, 5, 10, 15, Specials::InfAndNan};
inline constexpr Format kBF16{16, 8, 7, 127, Specials::InfAndNan};
inline constexpr Format kF32{32, 8, 23, 127, Specials::InfAndNan};
inline constexpr Format kF64{64, 11, 52, 1023, Specials::InfAndNan};
/// TF32 in the low 19 bits.
inline constexpr Format kTF32{19, 8, 10, 127, Specials::InfAndNan};
inline constexpr Format kE4M3{8, 4, 3, 7, Specials::NanOnly};
inline constexpr Format kE5M2{8, 5, 2, 15, Specials::InfAndNan};
inline constexpr Format kE2M3{6, 2, 3, 1, Specials::None};
inline constexpr Format kE3M2{6, 3, 2, 3, Specials::None};
inline constexpr Format kE2M1{4, 2, 1, 1, Specials::None};

/// mantissa * 2^exponent; the lowest bit of a mantissa may stand for anything
/// below it that is not zero.
struct Number {
  enum Kind : uint8_t { Zero, Finite, Inf, NaN };

  Kind kind = Zero;
  bool negative = false;
  int exponent = 0;
  UInt128 mantissa = 0;

  bool isNaN() const { return kind == NaN; }
};

Number unpack(const Format &format, uint64_t bits);
/// With subnormals as zeros.
Number unpackFtz(const Format &format, uint64_t bits);
Number fromInteger(bool negative, uint64_t magnitude);

Number negate(Number a);
/// Where the sum is zero, `mode` decides the sign.
Number add(const Number &a, const Number &b, Rounding mode);
Number multiply(const Number &a, const Number &b);
Number divide(const Number &a, const Number &b);
Number squareRoot(const Number &a);
/// a * 2^n.
Number scale(Number a, int n);

/// Results of subnormal magnitude become zeros.
enum class Subnormals : bool { Keep, Flush };
/// Beyond the largest value: as the mode says, or the largest value always.
enum class Overflow : bool { Round, Saturate };

/// The bits of `a` in `format`. NaN gives `nanBits`.
uint64_t round(const Format &format, const Number &a, Rounding mode,
               Subnormals subnormals = Subnormals::Keep,
               Overflow overflow = Overflow::Round);

/// Away from zero iff adding `random` to the top `randomBits` discarded bits
/// carries out.
uint64_t roundStochastic(const Format &format, const Number &a, uint32_t random,
                         unsigned randomBits, Overflow overflow);

/// The integer nearest to a finite `a` as `mode` says; magnitudes beyond 2^64
/// give `overflow`.
uint64_t roundToInteger(const Number &a, Rounding mode, bool &overflow);

/// -1, 0, 1 for a < b, a == b, a > b; no NaN.
int compare(const Number &a, const Number &b);

} // namespace lowp::sim::soft

#endif // LOWP_LIB_SIMULATOR_SOFTFLOAT_H
