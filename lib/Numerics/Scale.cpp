//===- Scale.cpp - Block and outer scales ---------------------------------===//
//
// Part of the Lowp project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "lowp/Numerics/Scale.h"
#include <cfloat>

// Each operation on floats below must be rounded to FP32 on its own.
static_assert(FLT_EVAL_METHOD == 0, "expects FP32 arithmetic without excess");

namespace lowp::numerics {

namespace {

constexpr uint32_t kExponentMask = 0x7F800000u;
constexpr uint32_t kMantissaMask = 0x007FFFFFu;

float quietNan() { return fromBits(0x7FC00000u); }

/// min that propagates NaN of the first operand.
float minPropagating(float value, float bound) {
  return value > bound ? bound : value;
}

uint8_t clampByte(int byte) {
  return static_cast<uint8_t>(byte < 0 ? 0 : byte > 254 ? 254 : byte);
}

float powerOfTwo(int exponent) {
  if (exponent >= -126)
    return fromBits(static_cast<uint32_t>(exponent + 127) << 23);
  return fromBits(1u << (exponent + 149));
}

/// Smallest 2^k with amax <= M * 2^k, k in [-149, 127].
float smallestPowerOfTwo(float amax, float M) {
  // Exact in double, where no FP32 number is subnormal.
  auto split = [](double value, uint64_t &mantissa) {
    uint64_t bits;
    std::memcpy(&bits, &value, sizeof(bits));
    mantissa = bits & ((uint64_t(1) << 52) - 1);
    return static_cast<int>(bits >> 52);
  };
  uint64_t amaxMantissa, maxMantissa;
  int k = split(amax, amaxMantissa) - split(M, maxMantissa);
  if (amaxMantissa > maxMantissa)
    ++k;
  return powerOfTwo(k < -149 ? -149 : k > 127 ? 127 : k);
}

/// Smallest code of a SmallFloat scale with amax <= top * scale * S_dec,
/// compared exactly; the largest code where none serves. `top` is an element
/// or an integer of at most 16 bits: the product of the three has at most 44
/// significant bits, so double holds it.
uint8_t smallestScaleCode(const BlockFormat &format, float amax, float top,
                          float outer) {
  const ElementFormat &element = *format.scale->element;
  double unit = static_cast<double>(top) * outer;
  uint32_t low = 0, high = element.maxCode();
  while (low < high) {
    uint32_t middle = (low + high) / 2;
    if (amax <= unit * decode(element, middle))
      high = middle;
    else
      low = middle + 1;
  }
  return static_cast<uint8_t>(low);
}

} // namespace

//===----------------------------------------------------------------------===//
// UE8M0
//===----------------------------------------------------------------------===//

uint8_t ue8m0FromAmax(const ElementFormat &format, ScaleRule rule, float amax) {
  uint32_t bits = toBits(amax) & 0x7FFFFFFFu;
  if (bits >= kExponentMask)
    return 0xFF;
  int exponent = static_cast<int>(bits >> 23);
  uint32_t mantissa = bits & kMantissaMask;
  int emax = maxExponent(format);
  switch (rule) {
  case ScaleRule::RCeil: {
    uint32_t maxBits = decodeBits(format, format.maxCode());
    if (exponent == 0) {
      // max * 2^-127 in units of 2^-149, the smallest subnormal.
      uint64_t top = (maxBits & kMantissaMask) | (kMantissaMask + 1);
      return mantissa > ((top << emax) >> 1);
    }
    return clampByte(exponent - emax + (mantissa > (maxBits & kMantissaMask)));
  }
  case ScaleRule::Floor:
    return clampByte(exponent - emax);
  case ScaleRule::Ceil:
    return clampByte(exponent + (mantissa > (exponent ? 0u : 0x400000u)) -
                     emax);
  case ScaleRule::Even: {
    uint32_t halfUlp = 1u << (22 - format.mantissaBits);
    return clampByte(static_cast<int>((bits + halfUlp) >> 23) - emax);
  }
  }
  return 0xFF;
}

float decodeUE8M0(uint8_t byte) {
  return byte == 0xFF ? quietNan() : powerOfTwo(byte - 127);
}

float reciprocalUE8M0(uint8_t byte) {
  return byte == 0xFF ? quietNan() : powerOfTwo(127 - byte);
}

uint8_t encodeUE8M0(float value, NumberRound round, Overflow overflow) {
  uint32_t bits = toBits(value) & 0x7FFFFFFFu;
  if (bits > kExponentMask)
    return 0xFF;
  // The scales are the FP32 powers of two, so that the exponent field is the
  // byte; below the normal range byte 0 is mantissa 0x400000, and half way to
  // byte 1 is 0x600000.
  unsigned byte = bits >> 23;
  uint32_t mantissa = bits & kMantissaMask;
  uint32_t exact = byte == 0 ? 0x400000u : 0u;
  uint32_t middle = byte == 0 ? 0x600000u : 0x400000u;
  bool up = false;
  switch (round) {
  case NumberRound::TowardZero:
    break;
  case NumberRound::Up:
    up = mantissa > exact;
    break;
  case NumberRound::Nearest:
    up = mantissa > middle || (mantissa == middle && (byte & 1));
    break;
  }
  byte += up;
  if (byte >= 255)
    return overflow == Overflow::Saturate ? 254 : 255;
  return static_cast<uint8_t>(byte);
}

//===----------------------------------------------------------------------===//
// Scale bytes
//===----------------------------------------------------------------------===//

uint8_t encodeSmallFloatScale(const ScaleFormat &format, float value,
                              NumberRound round, Overflow overflow) {
  const ElementFormat &element = *format.element;
  value = magnitude(value);
  switch (round) {
  case NumberRound::Nearest:
    return static_cast<uint8_t>(encodeNearest(element, value, overflow));
  case NumberRound::TowardZero:
    return static_cast<uint8_t>(encodeTowardZero(element, value, overflow));
  case NumberRound::Up:
    return static_cast<uint8_t>(encodeAwayFromZero(element, value, overflow));
  }
  return nanScaleByte(format);
}

uint8_t encodeScaleByte(const ScaleFormat &format, float value,
                        NumberRound round, Overflow overflow) {
  return format.kind == ScaleKind::PowerOfTwo
             ? encodeUE8M0(value, round, overflow)
             : encodeSmallFloatScale(format, value, round, overflow);
}

float decodeScaleByte(const ScaleFormat &format, uint8_t byte) {
  if (format.kind == ScaleKind::PowerOfTwo)
    return decodeUE8M0(byte);
  if (byte & format.element->signMask())
    return quietNan();
  return decode(*format.element, byte);
}

uint8_t nanScaleByte(const ScaleFormat &format) {
  return format.kind == ScaleKind::PowerOfTwo
             ? 0xFF
             : static_cast<uint8_t>(format.element->nanCode());
}

//===----------------------------------------------------------------------===//
// Outer scales
//===----------------------------------------------------------------------===//

float mappedMax(const BlockFormat &format, const QuantRule &rule) {
  return rule.mapTo != 0.0f ? rule.mapTo : maxValue(*format.element);
}

float outerMax(const BlockFormat &format, const QuantRule &rule) {
  if (rule.outerMax != 0.0f)
    return rule.outerMax;
  float top = mappedMax(format, rule);
  if (format.scale->kind != ScaleKind::SmallFloat)
    return top;
  float scaleTop = maxValue(*format.scale->element);
  if (rule.fourSix != FourSix::None)
    scaleTop = fromBits(toBits(scaleTop) & kExponentMask);
  return top * scaleTop;
}

float smallestScale(float amax, float divisor) {
  if (amax == 0.0f)
    return 0.0f;
  // The quotient is off by at most one step either way; the products are exact
  // in double (48 bits).
  auto serves = [&](uint32_t bits) {
    return static_cast<double>(amax) <=
           static_cast<double>(divisor) * fromBits(bits);
  };
  uint32_t bits = toBits(minPropagating(amax / divisor, FLT_MAX));
  while (bits > 1 && serves(bits - 1))
    --bits;
  while (bits < toBits(FLT_MAX) && !serves(bits))
    ++bits;
  return fromBits(bits);
}

OuterScale outerFromDecode(float decode) {
  OuterScale outer;
  bool usable = isFinite(decode) && decode > 0.0f;
  outer.decode = usable ? decode : quietNan();
  outer.encode = usable ? minPropagating(1.0f / decode, FLT_MAX) : quietNan();
  return outer;
}

OuterScale outerFromAmax(const BlockFormat &format, const QuantRule &rule,
                         float amax) {
  OuterScale outer;
  outer.amax = magnitude(amax);
  outer.amaxKnown = true;
  if (!isFinite(amax)) {
    outer.encode = outer.decode = quietNan();
    return outer;
  }
  amax = outer.amax;
  float M = outerMax(format, rule);
  switch (rule.sfArith) {
  case ScaleArith::TorchAO:
    outer.decode = amax / M;
    outer.encode = 1.0f / outer.decode;
    return outer;
  case ScaleArith::CompressedTensors:
    outer.encode =
        minPropagating(M / (amax < FLT_MIN ? FLT_MIN : amax), FLT_MAX);
    outer.decode = outer.encode;
    return outer;
  case ScaleArith::Divide:
  case ScaleArith::TE:
    break;
  }
  if (amax == 0.0f)
    return outer;
  if (rule.outerRepr == OuterRepr::Pow2) {
    outer.decode = smallestPowerOfTwo(amax, M);
    outer.encode = minPropagating(1.0f / outer.decode, FLT_MAX);
  } else if (rule.sfRound == ScaleRound::Up) {
    outer.decode = smallestScale(amax, M);
    outer.encode = minPropagating(1.0f / outer.decode, FLT_MAX);
  } else {
    outer.encode = minPropagating(M / amax, FLT_MAX);
    outer.decode = 1.0f / outer.encode;
  }
  return outer;
}

//===----------------------------------------------------------------------===//
// Block scales of a rule
//===----------------------------------------------------------------------===//

float BlockScale::apply(float x) const {
  float scaled = x * pre;
  // Under torchao's order the factor of a tiny group is infinite.
  if (scaled == 0.0f)
    return scaled;
  return divide ? scaled / factor : scaled * factor;
}

BlockScale blockScaleFromByte(const BlockFormat &format, const QuantRule &rule,
                              uint8_t byte, const OuterScale &outer) {
  BlockScale scale;
  scale.byte = byte;
  scale.value = decodeScaleByte(*format.scale, byte);
  if (format.scale->kind == ScaleKind::PowerOfTwo) {
    scale.pre = outer.encode;
    scale.factor = reciprocalUE8M0(byte);
    return scale;
  }
  switch (rule.sfArith) {
  case ScaleArith::TorchAO:
    scale.factor = (1.0f / outer.decode) / scale.value;
    return scale;
  case ScaleArith::CompressedTensors:
    scale.factor = scale.value / outer.encode;
    scale.divide = true;
    return scale;
  case ScaleArith::Divide:
  case ScaleArith::TE:
    break;
  }
  scale.factor = minPropagating(1.0f / (scale.value * outer.decode), FLT_MAX);
  scale.zeroCodes = scale.value == 0.0f && rule.sfZero == ZeroScale::ZeroCodes;
  return scale;
}

static BlockScale float32Scale(const BlockFormat &format, const QuantRule &rule,
                               float amax) {
  BlockScale scale;
  scale.value = scale.factor = 1.0f;
  if (amax == 0.0f)
    return scale;
  float top = mappedMax(format, rule);
  if (rule.sfRound == ScaleRound::Up) {
    scale.value = smallestScale(amax, top);
    scale.factor = minPropagating(1.0f / scale.value, FLT_MAX);
  } else {
    scale.factor = minPropagating(top / amax, FLT_MAX);
    scale.value = 1.0f / scale.factor;
  }
  return scale;
}

static uint8_t smallFloatByte(const BlockFormat &format, const QuantRule &rule,
                              float amax, const OuterScale &outer, bool four) {
  float top = mappedMax(format, rule);
  if (rule.sfRound == ScaleRound::Up)
    return smallestScaleCode(format, amax, top, outer.decode);
  float base = 0.0f;
  switch (rule.sfArith) {
  case ScaleArith::Divide:
    base = (amax / top) * outer.encode;
    break;
  case ScaleArith::TE:
    base = amax * (outer.encode * (1.0f / top));
    break;
  case ScaleArith::TorchAO: {
    // Never below the smallest normal scale.
    base = (amax / top) / outer.decode;
    const ElementFormat &element = *format.scale->element;
    float lowest = decode(element, 1u << element.mantissaBits);
    if (base < lowest)
      base = lowest;
    break;
  }
  case ScaleArith::CompressedTensors: {
    uint8_t byte =
        encodeSmallFloatScale(*format.scale, outer.encode * (amax / top));
    // A zero scale becomes 0.125.
    return byte == 0 ? static_cast<uint8_t>(
                           encodeSmallFloatScale(*format.scale, 0.125f))
                     : byte;
  }
  }
  if (four)
    base = base * 1.5f;
  return encodeSmallFloatScale(*format.scale, base,
                               rule.sfRound == ScaleRound::Ceil
                                   ? NumberRound::Up
                                   : NumberRound::Nearest);
}

BlockScale anyBlockScale(const BlockFormat &format, const QuantRule &rule,
                         float amax, const OuterScale &outer, bool four) {
  if (!outer.lost() && isFinite(amax)) {
    BlockScale scale = blockScale(format, rule, amax, outer, four);
    // An order of operations of another library can make one from zeros.
    if (!isNan(scale.value))
      return scale;
  }
  BlockScale scale;
  scale.value = quietNan();
  if (format.scale->kind != ScaleKind::Float32)
    scale.byte = nanScaleByte(*format.scale);
  scale.zeroCodes = true;
  return scale;
}

BlockScale blockScale(const BlockFormat &format, const QuantRule &rule,
                      float amax, const OuterScale &outer, bool four) {
  switch (format.scale->kind) {
  case ScaleKind::Float32:
    return float32Scale(format, rule, amax);
  case ScaleKind::PowerOfTwo: {
    // fl(. * S_enc) is monotonic: the product of the largest magnitude is the
    // largest of the products.
    float scaled = amax * outer.encode;
    uint8_t byte = ue8m0FromAmax(*format.element, rule.scale,
                                 minPropagating(scaled, FLT_MAX));
    return blockScaleFromByte(format, rule, byte, outer);
  }
  case ScaleKind::SmallFloat:
    break;
  }
  return blockScaleFromByte(
      format, rule, smallFloatByte(format, rule, amax, outer, four), outer);
}

} // namespace lowp::numerics
