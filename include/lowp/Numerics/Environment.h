//===- Environment.h - The FP32 arithmetic the library relies on --*- C++
//-*-===//
//
// Part of the Lowp project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// Every FP32 operation of the library is one correctly rounded IEEE 754
/// operation: round to nearest even, subnormals honoured, no contraction into
/// fused multiply-adds. The build passes -ffp-contract=off; the state of the
/// processor is set here.
///
//===----------------------------------------------------------------------===//

#ifndef LOWP_NUMERICS_ENVIRONMENT_H
#define LOWP_NUMERICS_ENVIRONMENT_H

#include <cfenv>
#include <cstdint>
#include <cstring>

namespace lowp::numerics {

inline uint32_t toBits(float value) {
  uint32_t bits;
  std::memcpy(&bits, &value, sizeof(bits));
  return bits;
}

inline float fromBits(uint32_t bits) {
  float value;
  std::memcpy(&value, &bits, sizeof(value));
  return value;
}

/// NaN and infinity by the bits: no comparison that a compiler told to assume
/// finite numbers could fold away.
inline bool isNan(float value) {
  return (toBits(value) & 0x7FFFFFFFu) > 0x7F800000u;
}
inline bool isFinite(float value) {
  return (toBits(value) & 0x7F800000u) != 0x7F800000u;
}
inline float magnitude(float value) {
  return fromBits(toBits(value) & 0x7FFFFFFFu);
}

/// Puts the floating-point unit into its default state (nearest, no flush to
/// zero, no traps) and restores the caller's on leaving. A process that turned
/// on flush-to-zero gets the same bits as any other. The functions on whole
/// tensors hold one; those on single numbers that do FP32 arithmetic expect
/// their caller to.
class ScopedFloatEnvironment {
public:
  ScopedFloatEnvironment() {
    std::feholdexcept(&saved);
    std::fesetenv(FE_DFL_ENV);
  }
  ~ScopedFloatEnvironment() { std::fesetenv(&saved); }
  ScopedFloatEnvironment(const ScopedFloatEnvironment &) = delete;
  ScopedFloatEnvironment &operator=(const ScopedFloatEnvironment &) = delete;

private:
  std::fenv_t saved;
};

} // namespace lowp::numerics

#endif // LOWP_NUMERICS_ENVIRONMENT_H
