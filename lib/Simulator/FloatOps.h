//===- FloatOps.h - Floating-point operations on bits -----------*- C++ -*-===//
//
// Part of the Lowp project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// One operation on the bits of one lane, as PTX defines it and an H200 does it
// where the ISA leaves room (NaN results, flushing).
//
//===----------------------------------------------------------------------===//

#ifndef LOWP_LIB_SIMULATOR_FLOATOPS_H
#define LOWP_LIB_SIMULATOR_FLOATOPS_H

#include "Decoder.h"
#include "SoftFloat.h"

#include <cmath>

namespace lowp::sim {

/// Modifiers of an instruction, in `Inst::flags`.
enum FloatFlags : uint32_t {
  kModeMask = 7,
  kFtz = 1 << 3,
  kSat = 1 << 4,
  kRelu = 1 << 5,
  kNaN = 1 << 6,
  kXorSign = 1 << 7,
  kAbs = 1 << 8,
  kSatFinite = 1 << 9,
};

inline soft::Rounding getMode(uint32_t flags) {
  return static_cast<soft::Rounding>(flags & kModeMask);
}

/// Takes .rn, .rz, .rm or .rp; nearest is the default.
bool takeRounding(Decoder &d);
/// Takes `name`, and sets the flag.
bool takeFlag(Decoder &d, llvm::StringRef name, uint32_t flag);

/// div.approx and div.full, rcp.approx, sqrt.approx.
bool decodeApproximateDivision(Decoder &d);
bool decodeApproximateReciprocal(Decoder &d);
bool decodeApproximateRoot(Decoder &d);

struct HalfTraits {
  using Bits = uint16_t;
  static constexpr const soft::Format &format = soft::kF16;
};
struct BF16Traits {
  using Bits = uint16_t;
  static constexpr const soft::Format &format = soft::kBF16;
};
struct SingleTraits {
  using Bits = uint32_t;
  static constexpr const soft::Format &format = soft::kF32;
};
struct DoubleTraits {
  using Bits = uint64_t;
  static constexpr const soft::Format &format = soft::kF64;
};

template <typename Traits>
bool isNaNBits(typename Traits::Bits bits) {
  using Bits = typename Traits::Bits;
  return Bits(bits & (Traits::format.signMask() - 1)) >
         Bits(Traits::format.infBits());
}

/// Subnormal numbers become zeros of their sign.
template <typename Traits>
typename Traits::Bits flush(typename Traits::Bits bits) {
  using Bits = typename Traits::Bits;
  constexpr Bits exponent = Traits::format.infBits();
  return bits & exponent ? bits : Bits(bits & Traits::format.signMask());
}

inline uint64_t quiet(uint64_t nan) { return nan | uint64_t(1) << 51; }

constexpr uint64_t kInvalidF64 = 0xFFF8000000000000;

/// .sat and .relu of a result.
template <typename Traits>
typename Traits::Bits clamp(typename Traits::Bits bits, uint32_t flags) {
  using Bits = typename Traits::Bits;
  constexpr Bits one =
      Bits(uint64_t(Traits::format.bias) << Traits::format.mantissaBits);
  if (flags & kSat) {
    if (isNaNBits<Traits>(bits) || (bits & Traits::format.signMask()))
      return 0;
    return bits > one ? one : bits;
  }
  if ((flags & kRelu) && !isNaNBits<Traits>(bits) &&
      (bits & Traits::format.signMask()))
    return 0;
  return bits;
}

inline float asFloat(uint32_t bits) { return llvm::bit_cast<float>(bits); }
inline uint32_t asBits(float value) { return llvm::bit_cast<uint32_t>(value); }
inline double asDouble(uint64_t bits) { return llvm::bit_cast<double>(bits); }
inline uint64_t asBits(double value) { return llvm::bit_cast<uint64_t>(value); }

constexpr uint32_t kNaNF32 = 0x7FFFFFFF;

} // namespace lowp::sim

#endif // LOWP_LIB_SIMULATOR_FLOATOPS_H
