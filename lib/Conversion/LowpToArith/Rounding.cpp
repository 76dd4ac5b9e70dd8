//===- Rounding.cpp - rounding to element codes ---------------------------===//
//
// Part of the lowp project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Rounding.h"

#include "lowp/Numerics/Element.h"

using namespace mlir;
using namespace mlir::lowp::expand;
namespace numerics = ::lowp::numerics;

static constexpr unsigned kMantissaBits = 23;
static constexpr int64_t kBias = 127;
static constexpr int64_t kExponentMask = 0x7F800000;

/// FP32 exponent field of the smallest normal value of a format.
static int64_t minExponentField(const numerics::ElementFormat &format) {
  return kBias + 1 - format.bias;
}

uint32_t mlir::lowp::expand::maxBits(const numerics::ElementFormat &format) {
  return numerics::decodeBits(format, format.maxCode());
}

int64_t
mlir::lowp::expand::lastFiniteBits(const numerics::ElementFormat &format,
                                   llvm::function_ref<uint32_t(float)> encode) {
  // Rounding is monotonic.
  uint32_t low = maxBits(format), high = 0x7F800000u;
  while (high - low > 1) {
    uint32_t middle = low + (high - low) / 2;
    bool overflows = encode(numerics::fromBits(middle)) > format.maxCode();
    (overflows ? high : low) = middle;
  }
  return low;
}

/// What takes 2^e to the addend: 2^(23-w), and in the low bits what lowCode has
/// too much for the smallest normal exponent, negated. An even number of ulps,
/// so that ties still go to the even code.
static float magicFactor(const numerics::ElementFormat &format) {
  int64_t shift = kMantissaBits - format.mantissaBits;
  int64_t excess = (minExponentField(format) + shift) << format.mantissaBits;
  return numerics::fromBits(static_cast<uint32_t>(
      ((kBias + shift) << kMantissaBits) + (-excess & 0xFF)));
}

RoundedMagnitude::RoundedMagnitude(Int bits,
                                   const numerics::ElementFormat &format)
    : mantissaShift(kMantissaBits - format.mantissaBits),
      factor(magicFactor(format)),
      binade((bits & kExponentMask)
                 .umax(minExponentField(format) << kMantissaBits)
                 .asReal()),
      sum(addProduct(bits.asReal(), binade, binade.like(factor))) {
  assert(format.mantissaBits > 0 && "expects ulps that have a parity");
}

Int RoundedMagnitude::lowCode() const {
  // The exponent field of `sum` counts binades of 2^w codes each; its mantissa
  // counts codes within one, its leading 2^w included.
  return sum.bits() + (sum.bits() >> mantissaShift);
}

Real RoundedMagnitude::value() const {
  return addProduct(sum, binade, binade.like(-factor));
}

/// Magnitudes in units of 2^-(23-w) codes. Floats: an exponent field and its
/// mantissa count codes from binade to binade. Below the smallest normal
/// number, and for fixed point everywhere, codes are as far apart as they are
/// just above it: a product by a power of two, which is exact, less what lies
/// below the unit. That is too low to be among the 16 top discarded bits.
static Int scaleToCodes(Int bits, const numerics::ElementFormat &format) {
  if (format.kind == numerics::ElementKind::FixedPoint)
    return (bits.asReal() * 0x1p23f).truncToInt();
  int64_t minField = minExponentField(format);
  int64_t minNormal = minField << kMantissaBits;
  float toUnits = numerics::fromBits(
      static_cast<uint32_t>(2 * kBias + kMantissaBits - minField)
      << kMantissaBits);
  Int subnormal = (bits.umin(minNormal).asReal() * toUnits).truncToInt();
  // For normal numbers `subnormal` is 2^23, the smallest of the other; for
  // subnormals the other is less.
  return subnormal.smax(bits - (minNormal - (int64_t(1) << kMantissaBits)));
}

Int mlir::lowp::expand::stochasticCode(Int bits, Int random,
                                       unsigned randomBits,
                                       const numerics::ElementFormat &format) {
  unsigned discarded = kMantissaBits - format.mantissaBits;
  assert(randomBits <= discarded && "expects no more bits than are discarded");
  Int wanted = random & ((int64_t(1) << randomBits) - 1);
  Int sum = scaleToCodes(bits, format) + (wanted << (discarded - randomBits));
  return sum >> discarded;
}

Real mlir::lowp::expand::decodeFloat(Int codes,
                                     const numerics::ElementFormat &format) {
  unsigned shift = kMantissaBits - format.mantissaBits;
  Int magnitude = codes & (format.signMask() - 1);
  Int shifted = magnitude << shift;
  int64_t rebias = (kBias - format.bias) << kMantissaBits;
  Int normal = shifted + rebias;
  // A subnormal m * 2^(1-bias-w) is (1 + m * 2^-w) * 2^(1-bias) less its
  // leading one; both are exact, and neither is an FP32 subnormal.
  int64_t leadingOne = minExponentField(format) << kMantissaBits;
  Real subnormal =
      (shifted + leadingOne).asReal() - numerics::fromBits(leadingOne);
  Int bits = select(magnitude < (int64_t(1) << format.mantissaBits),
                    subnormal.bits(), normal);
  if (format.specials != numerics::Specials::None)
    bits = select(magnitude > format.maxCode(), shifted | kExponentMask, bits);
  Int sign = (codes & format.signMask()) << (32 - format.codeBits);
  return (bits | sign).asReal();
}
