//===- Rounding.h - rounding to element codes -------------------*- C++ -*-===//
//
// Part of the lowp project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// What elements and scales share: from the bits of an FP32 magnitude to the
// code of a small float, and back.
//
//===----------------------------------------------------------------------===//

#ifndef LOWP_LIB_CONVERSION_LOWPTOARITH_ROUNDING_H
#define LOWP_LIB_CONVERSION_LOWPTOARITH_ROUNDING_H

#include "Expression.h"

#include "lowp/Numerics/Formats.h"

namespace mlir::lowp::expand {

/// FP32 bits of the largest finite value of a format.
uint32_t maxBits(const ::lowp::numerics::ElementFormat &format);

/// The largest FP32 bits that `encode`, which does not saturate, rounds to a
/// finite code.
int64_t lastFiniteBits(const ::lowp::numerics::ElementFormat &format,
                       llvm::function_ref<uint32_t(float)> encode);

/// Rounds magnitudes to a float format: to nearest, ties to the even code.
///
/// A magnitude a in [2^e, 2^(e+1)) of a format with w mantissa bits is rounded
/// to a multiple of 2^(e-w). That is what the addition of 2^(e+23-w) does: the
/// sum's ulp is 2^(e-w), and its low bits count them. e is held at the smallest
/// normal exponent for subnormals of the format.
class RoundedMagnitude {
public:
  /// `bits` are those of a magnitude of at most maxBits(format).
  RoundedMagnitude(Int bits, const ::lowp::numerics::ElementFormat &format);

  /// The code in the low 8 bits; the bits above have no meaning.
  Int lowCode() const;
  Int code() const { return lowCode() & 0xFF; }
  /// The rounded value.
  Real value() const;

private:
  const unsigned mantissaShift;
  /// 2^(23-w), and a few ulps more, see lowCode.
  const float factor;
  /// 2^e.
  const Real binade;
  const Real sum;
};

/// Codes of magnitudes whose bits are at most maxBits(format), rounded away
/// from zero iff adding the low `randomBits` bits (16 at most) of `random` to
/// as many of the top discarded bits carries out.
Int stochasticCode(Int bits, Int random, unsigned randomBits,
                   const ::lowp::numerics::ElementFormat &format);

/// Values of float codes, one per i32, with their signs. Bits above the code
/// are zero.
Real decodeFloat(Int codes, const ::lowp::numerics::ElementFormat &format);

} // namespace mlir::lowp::expand

#endif // LOWP_LIB_CONVERSION_LOWPTOARITH_ROUNDING_H
