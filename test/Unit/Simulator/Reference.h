//===- Reference.h - Floating-point references by APFloat -------*- C++ -*-===//
//
// Part of the Lowp project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef LOWP_TEST_UNIT_SIMULATOR_REFERENCE_H
#define LOWP_TEST_UNIT_SIMULATOR_REFERENCE_H

#include "llvm/ADT/APFloat.h"
#include "llvm/ADT/APInt.h"
#include "llvm/ADT/APSInt.h"

#include <cmath>

#include <cstdint>
#include <string>

namespace lowp::sim::test {

using llvm::APFloat;
using llvm::APInt;
using llvm::fltSemantics;

struct FloatType {
  std::string name;
  const fltSemantics &semantics;
  unsigned bits;
  char letter;
  /// What arithmetic gives for NaN; F64 has rules of its own.
  uint64_t nan;
};

inline const FloatType kTypes[] = {
    {"f32", APFloat::IEEEsingle(), 32, 'r', 0x7FFFFFFF},
    {"f64", APFloat::IEEEdouble(), 64, 'd', 0xFFF8000000000000},
    {"f16", APFloat::IEEEhalf(), 16, 'h', 0x7FFF},
    {"bf16", APFloat::BFloat(), 16, 'h', 0x7FFF}};

struct Mode {
  std::string name;
  APFloat::roundingMode mode;
};

inline const Mode kModes[] = {{"rn", APFloat::rmNearestTiesToEven},
                              {"rz", APFloat::rmTowardZero},
                              {"rm", APFloat::rmTowardNegative},
                              {"rp", APFloat::rmTowardPositive}};

inline APFloat toFloat(const FloatType &type, uint64_t bits) {
  return APFloat(type.semantics, APInt(64, bits).trunc(type.bits));
}

inline uint64_t toBits(const APFloat &value) {
  return value.bitcastToAPInt().getZExtValue();
}

/// Subnormal numbers become zeros of their sign.
inline APFloat flushed(APFloat value) {
  if (value.isDenormal())
    return APFloat::getZero(value.getSemantics(), value.isNegative());
  return value;
}

} // namespace lowp::sim::test

#endif // LOWP_TEST_UNIT_SIMULATOR_REFERENCE_H
