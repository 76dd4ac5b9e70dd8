//===- InstructionsTest.cpp - PTX conversions against the definition ------===//
//
// Part of the Lowp project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Models of the `cvt` instructions, written from the PTX ISA's text and from
// what an H200 gives, on the sequences of instructions that LowpToNVVM emits.
// Each must give the bits of lib/Numerics.
//
// An encoding is a step function of the value. All its steps lie at midpoints
// between two codes, which have at most 8 significant bits, as BF16 has: a step
// lies exactly at a BF16 number or just above one. So all FP32 numbers with a
// BF16 upper half and a lower half of 0 or 1 cover every interval, and the
// other lower halves are there for good measure. Scales are step functions of
// the largest magnitude too.
//
//===----------------------------------------------------------------------===//

#include "lowp/Numerics/Element.h"
#include "lowp/Numerics/Philox.h"
#include "lowp/Numerics/Scale.h"

#include "gtest/gtest.h"

#include <algorithm>
#include <cfloat>
#include <cmath>
#include <vector>

using namespace lowp::numerics;

namespace {

//===----------------------------------------------------------------------===//
// The instructions
//===----------------------------------------------------------------------===//

/// A number of a float type by its fields; NaN and infinity are the caller's.
double fieldValue(unsigned code, int exponentBits, int mantissaBits, int bias) {
  int exponent = (code >> mantissaBits) & ((1 << exponentBits) - 1);
  int mantissa = code & ((1 << mantissaBits) - 1);
  double value = exponent == 0 ? std::ldexp(mantissa, 1 - bias - mantissaBits)
                               : std::ldexp((1 << mantissaBits) + mantissa,
                                            exponent - bias - mantissaBits);
  return (code >> (exponentBits + mantissaBits)) & 1 ? -value : value;
}

/// `cvt.rn.satfinite` of FP32 to a float type.
struct FloatInstruction {
  const ElementFormat *format;
  int exponentBits, mantissaBits, bias;
  unsigned largest; // code of the largest finite value
  unsigned nan;     // what NaN becomes

  /// Values of the positive codes, which ascend as their codes do.
  const std::vector<double> &getMagnitudes() const {
    if (magnitudes.empty())
      for (unsigned code = 0; code <= largest; ++code)
        magnitudes.push_back(
            fieldValue(code, exponentBits, mantissaBits, bias));
    return magnitudes;
  }

  unsigned encode(float value) const {
    if (std::isnan(value))
      return nan;
    getMagnitudes();
    double magnitude = std::fabs(double(value));
    unsigned sign =
        std::signbit(value) ? 1u << (exponentBits + mantissaBits) : 0;
    auto above =
        std::lower_bound(magnitudes.begin(), magnitudes.end(), magnitude);
    if (above == magnitudes.end())
      return sign | largest;
    unsigned high = above - magnitudes.begin();
    if (*above == magnitude || high == 0)
      return sign | high;
    double toHigh = *above - magnitude;
    double toLow = magnitude - magnitudes[high - 1];
    if (toHigh == toLow)
      return sign | (high % 2 == 0 ? high : high - 1);
    return sign | (toHigh < toLow ? high : high - 1);
  }

  mutable std::vector<double> magnitudes;
};

FloatInstruction floatInstructions[] = {
    {&kE2M1, 2, 1, 1, 0x07, 0x07, {}},  {&kE2M3, 2, 3, 1, 0x1F, 0x1F, {}},
    {&kE3M2, 3, 2, 3, 0x1F, 0x1F, {}},  {&kE4M3, 4, 3, 7, 0x7E, 0x7F, {}},
    {&kE5M2, 5, 2, 15, 0x7B, 0x7F, {}},
};

/// `cvt.rn.satfinite.s2f6x2.f32`. The lower bound is -128 or -127: not stated.
int s2f6Instruction(float value, int lowest) {
  if (std::isnan(value))
    return 127;
  double scaled = double(value) * 64;
  return scaled >= 127      ? 127
         : scaled <= lowest ? lowest
                            : std::nearbyint(scaled);
}

/// `max.NaN.f32`.
float maxNaN(float a, float b) {
  if (std::isnan(a) || std::isnan(b))
    return std::nanf("");
  return a > b ? a : b;
}

/// `mul.rp.f32` and `mul.rz.f32` of numbers that are not negative; their
/// product is exact in FP64.
float mulUp(float a, float b) {
  double exact = double(a) * double(b);
  float near = float(exact);
  return near < exact ? std::nextafterf(near, INFINITY) : near;
}
float mulDown(float a, float b) {
  double exact = double(a) * double(b);
  float near = float(exact);
  return near > exact ? std::nextafterf(near, 0.0f) : near;
}

/// `cvt.{rz,rp}.satfinite.ue8m0x2.f32` of a number that is not negative.
unsigned ue8m0Instruction(float value, bool up) {
  if (std::isnan(value))
    return 0xFF;
  for (int code = 0; code < 255; ++code) {
    double power = std::ldexp(1.0, code - 127);
    if (up ? value <= power : value < 2 * power)
      return code;
  }
  return 254;
}

std::vector<float> valuesNearSteps() {
  std::vector<float> values;
  for (uint32_t high = 0; high < 0x10000; ++high)
    for (uint32_t low : {0x0000, 0x0001, 0x1234, 0x7FFF, 0x8000, 0xFFFF})
      values.push_back(fromBits(high << 16 | low));
  return values;
}

//===----------------------------------------------------------------------===//
// Encode
//===----------------------------------------------------------------------===//

TEST(Instructions, EncodeFloats) {
  for (const FloatInstruction &instruction : floatInstructions)
    for (float value : valuesNearSteps())
      ASSERT_EQ(instruction.encode(value),
                encodeNearest(*instruction.format, value))
          << instruction.format->name << " " << std::hex << toBits(value);
}

TEST(Instructions, EncodeS2F6) {
  for (int lowest : {-128, -127})
    for (float value : valuesNearSteps())
      ASSERT_EQ(s2f6Instruction(maxNaN(value, -127.0f / 64), lowest) & 0xFF,
                int(encodeNearest(kS2F6, value)))
          << std::hex << toBits(value);
}

/// `cvt.rs.satfinite` of four FP32 numbers {a, b, e, f}, the first of which
/// goes to the highest bits, with one random word: which of its bits serve
/// which operand, and a rounding away from zero iff they and the discarded bits
/// carry.
uint32_t stochasticInstruction(const FloatInstruction &instruction,
                               const float (&operands)[4], uint32_t word) {
  bool nibbles = instruction.format == &kE2M1;
  const unsigned shifts8[] = {24, 8, 16, 0}, shifts16[] = {16, 16, 0, 0};
  unsigned bits = nibbles ? 8 : 16, width = nibbles ? 4 : 8;
  uint32_t result = 0;
  for (int i = 0; i < 4; ++i) {
    uint32_t random =
        (word >> (nibbles ? shifts8 : shifts16)[i]) & ((1u << bits) - 1);
    double magnitude = std::fabs(double(operands[i]));
    unsigned code = 0;
    if (std::isnan(operands[i])) {
      result = result << width | instruction.nan;
      continue;
    }
    const std::vector<double> &codes = instruction.getMagnitudes();
    code = std::upper_bound(codes.begin(), codes.end(), magnitude) -
           codes.begin() - 1;
    if (code < instruction.largest) {
      double gap = codes[code + 1] - codes[code];
      double discarded =
          std::floor((magnitude - codes[code]) / gap * (1u << bits));
      code += discarded + random >= (1u << bits);
    }
    unsigned sign =
        std::signbit(operands[i])
            ? 1u << (instruction.exponentBits + instruction.mantissaBits)
            : 0;
    result = result << width | sign | code;
  }
  return result;
}

TEST(Instructions, EncodeStochastic) {
  std::vector<float> values = valuesNearSteps();
  for (const FloatInstruction &instruction : floatInstructions) {
    const ElementFormat &format = *instruction.format;
    unsigned width = format.storageBits();
    uint32_t word = 1;
    for (size_t i = 0; i + 4 <= values.size(); i += 4) {
      word = word * 1664525u + 1013904223u;
      // As LowpToNVVM passes them: the first element last.
      uint32_t codes = stochasticInstruction(
          instruction, {values[i + 3], values[i + 2], values[i + 1], values[i]},
          word);
      for (unsigned lane = 0; lane < 4; ++lane) {
        RandomBitsPlace place =
            placeOfRandomBits(RandomSharing::Hardware, lane, format.randomBits);
        ASSERT_EQ((codes >> (width * lane)) & ((1u << width) - 1),
                  encodeStochastic(format, values[i + lane],
                                   word >> place.shift, format.randomBits))
            << format.name << " " << std::hex << toBits(values[i + lane]) << " "
            << word;
      }
    }
  }
}

//===----------------------------------------------------------------------===//
// Decode
//===----------------------------------------------------------------------===//

/// Whether a number has an exact FP16 form, or with 8 bits, a BF16 one.
bool isExact(double value, int significantBits, int lowestExponent) {
  if (value == 0 || !std::isfinite(value))
    return true;
  int exponent;
  double fraction = std::frexp(std::fabs(value), &exponent);
  int bits = std::min(significantBits, exponent - lowestExponent);
  double scaled = std::ldexp(fraction, bits);
  return scaled == std::floor(scaled);
}

TEST(Instructions, DecodeIsExact) {
  for (const FloatInstruction &instruction : floatInstructions) {
    unsigned codes =
        2u << (instruction.exponentBits + instruction.mantissaBits);
    for (unsigned code = 0; code < codes; ++code) {
      float value = decode(*instruction.format, code);
      EXPECT_TRUE(isExact(value, 11, -24)) << instruction.format->name << code;
      unsigned magnitude = code & (codes / 2 - 1);
      if (magnitude <= instruction.largest)
        EXPECT_EQ(toBits(value),
                  toBits(float(fieldValue(code, instruction.exponentBits,
                                          instruction.mantissaBits,
                                          instruction.bias))));
    }
  }
  for (int code = -128; code < 128; ++code) {
    float value = decode(kS2F6, code & 0xFF);
    EXPECT_EQ(value, code / 64.0f);
    EXPECT_TRUE(isExact(value, 8, -133));
  }
}

TEST(Instructions, DecodeScales) {
  for (unsigned byte = 0; byte < 256; ++byte) {
    // `cvt.rn.bf16x2.ue8m0x2`: the exponent, the subnormal 2^-127, NaN.
    uint32_t bf16 = byte == 0 ? 0x0040 : byte == 255 ? 0x7FFF : byte << 7;
    float value = decodeUE8M0(byte);
    if (byte == 255)
      EXPECT_TRUE(std::isnan(value) && std::isnan(fromBits(bf16 << 16)));
    else
      EXPECT_EQ(toBits(value), bf16 << 16) << byte;

    unsigned limited = std::min(byte, 0x7Fu);
    float scale = decodeScaleByte(kUE4M3, byte);
    if (limited == 0x7F)
      EXPECT_TRUE(std::isnan(scale)) << byte;
    else
      EXPECT_EQ(scale, float(fieldValue(limited, 4, 3, 7))) << byte;
  }
}

//===----------------------------------------------------------------------===//
// Block scales
//===----------------------------------------------------------------------===//

/// The largest FP32 number that is not above 1 / max.
float reciprocalDown(float max) {
  float near = 1.0f / max;
  return double(near) * double(max) > 1.0 ? std::nextafterf(near, 0.0f) : near;
}

unsigned ue8m0Sequence(const ElementFormat &format, ScaleRule rule,
                       float amax) {
  float power = std::ldexp(1.0f, -maxExponent(format));
  switch (rule) {
  case ScaleRule::RCeil:
    return ue8m0Instruction(mulUp(amax, reciprocalDown(maxValue(format))),
                            true);
  case ScaleRule::Ceil:
    return ue8m0Instruction(mulUp(amax, power), true);
  default:
    return ue8m0Instruction(mulDown(amax, power), false);
  }
}

TEST(Instructions, UE8M0Scales) {
  const ElementFormat *formats[] = {&kE2M1, &kE2M3, &kE3M2,
                                    &kE4M3, &kE5M2, &kS2F6};
  for (const ElementFormat *format : formats)
    for (ScaleRule rule :
         {ScaleRule::RCeil, ScaleRule::Floor, ScaleRule::Ceil}) {
      auto check = [&](uint32_t bits) {
        float amax = fromBits(bits);
        ASSERT_EQ(ue8m0Sequence(*format, rule, amax),
                  ue8m0FromAmax(*format, rule, amax))
            << format->name << " rule " << int(rule) << " amax " << std::hex
            << bits;
      };
      uint32_t top = toBits(maxValue(*format)) & 0x7FFFFF;
      for (uint32_t exponent = 0; exponent < 255; ++exponent) {
        // Around the mantissas of the largest value, of its half among the
        // subnormals, and of the powers of two.
        for (uint32_t center : {0u, top, (top | 0x800000) >> 1, 0x400000u})
          for (int offset = -3; offset <= 3; ++offset)
            check(exponent << 23 | ((center + offset) & 0x7FFFFF));
      }
      // Both are monotone; a sweep over one binade, with a stride that meets
      // all residues.
      for (uint32_t mantissa = 0; mantissa < 0x800000; mantissa += 61)
        check(130u << 23 | mantissa);
    }
}

} // namespace
