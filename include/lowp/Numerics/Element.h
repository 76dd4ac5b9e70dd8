//===- Element.h - Codes of single elements ---------------------*- C++ -*-===//
//
// Part of the Lowp project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// Encoding and decoding of one element. Integer code throughout: exact, and
/// independent of the state of the floating-point unit.
///
/// Source: OCP Microscaling Formats v1.0, section 5.3; PTX ISA 9.1, `cvt` with
/// `.satfinite` (NaN of types without one) and `.rs` (stochastic).
///
//===----------------------------------------------------------------------===//

#ifndef LOWP_NUMERICS_ELEMENT_H
#define LOWP_NUMERICS_ELEMENT_H

#include "lowp/Numerics/Environment.h"
#include "lowp/Numerics/Formats.h"

namespace lowp::numerics {

/// FP32 bits of a code; exact, all elements are. Bits above codeBits are
/// ignored. NaN is 0x7FC00000.
uint32_t decodeBits(const ElementFormat &format, uint32_t code);
inline float decode(const ElementFormat &format, uint32_t code) {
  return fromBits(decodeBits(format, code));
}

/// Largest finite value.
inline float maxValue(const ElementFormat &format) {
  return decode(format, format.maxCode());
}
/// floor(log2(maxValue)).
int maxExponent(const ElementFormat &format);

/// Nearest code, ties to the even code, then saturation. The sign is kept on
/// zero where the format has one. NaN becomes nanCode(), sign dropped.
uint32_t encodeNearest(const ElementFormat &format, float value,
                       Overflow overflow = Overflow::Saturate);

/// The code of the nearest value that is not larger in magnitude (or not
/// smaller). Zeros, NaN and what lies beyond the largest value as above.
uint32_t encodeTowardZero(const ElementFormat &format, float value,
                          Overflow overflow = Overflow::Saturate);
uint32_t encodeAwayFromZero(const ElementFormat &format, float value,
                            Overflow overflow = Overflow::Saturate);

/// Stochastic rounding: away from zero iff adding `random` to the top
/// `randomBits` discarded bits of the magnitude carries out. A value that has
/// a code keeps it for every `random`; random = 0 truncates. `random` counts
/// its low `randomBits` bits; randomBits is at most 24.
uint32_t encodeStochastic(const ElementFormat &format, float value,
                          uint32_t random, unsigned randomBits,
                          Overflow overflow = Overflow::Saturate);

} // namespace lowp::numerics

#endif // LOWP_NUMERICS_ELEMENT_H
