//===- ConvertOps.h - Parts that conversions share --------------*- C++ -*-===//
//
// Part of the Lowp project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef LOWP_LIB_SIMULATOR_CONVERTOPS_H
#define LOWP_LIB_SIMULATOR_CONVERTOPS_H

#include "FloatOps.h"
#include "Lanes.h"

namespace lowp::sim {

struct ConvertModifiers {
  bool hasRounding = false;
  /// .rni and the like.
  bool toInteger = false;
  bool stochastic = false;
  bool ftz = false;
  bool sat = false;
  bool satfinite = false;
  bool relu = false;
  bool scaled = false;
  soft::Rounding mode = soft::Rounding::RN;
};

/// Takes the modifiers between `cvt` and the types, in any order.
bool takeConvertModifiers(Decoder &d, ConvertModifiers &modifiers);

/// The format of a float, or of the numbers in a packed type; null for others.
const soft::Format *getFormat(Type type);

/// `.sat` and `.relu` of a result in `format`.
inline uint64_t clampTo(const soft::Format &format, uint64_t bits, bool sat,
                        bool relu) {
  uint64_t magnitude = bits & (format.signMask() - 1);
  bool negative = bits & format.signMask();
  uint64_t one = uint64_t(format.bias) << format.mantissaBits;
  if (sat)
    return negative ? 0 : std::min(magnitude, one);
  return relu && negative ? 0 : bits;
}

/// Conversions with two or four numbers on a side.
bool decodeConvertPacked(Decoder &d, const ConvertModifiers &modifiers, Type to,
                         Type from);
/// cvt.pack.
bool decodeConvertPack(Decoder &d);

} // namespace lowp::sim

#endif // LOWP_LIB_SIMULATOR_CONVERTOPS_H
