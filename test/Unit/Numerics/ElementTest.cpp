//===- ElementTest.cpp - Codes of single elements -------------------------===//
//
// Part of the Lowp project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "lowp/Numerics/Element.h"
#include "Tensor.h"
#include <cmath>

using namespace lowp::numerics;
using namespace lowp::numerics::testing;

namespace {

/// Value of a code by the definition of its format, in double.
double definition(const ElementFormat &format, uint32_t code) {
  bool negative = code & format.signMask();
  uint32_t rest = code & (format.signMask() - 1);
  if (format.kind == ElementKind::FixedPoint) {
    double k = rest - (negative ? double(format.signMask()) : 0.0);
    return std::ldexp(k, -format.mantissaBits);
  }
  int exponent = static_cast<int>(rest >> format.mantissaBits);
  int mantissa = static_cast<int>(rest & ((1u << format.mantissaBits) - 1));
  double value =
      exponent == 0
          ? std::ldexp(mantissa, 1 - format.bias - format.mantissaBits)
          : std::ldexp(mantissa + (1 << format.mantissaBits),
                       exponent - format.bias - format.mantissaBits);
  return negative ? -value : value;
}

/// Nearest code by search over all of them: the distance decides, then the
/// even code.
uint32_t nearestBySearch(const ElementFormat &format, double magnitudeValue) {
  // Saturated first: far beyond the range all distances look alike.
  magnitudeValue =
      std::min(magnitudeValue, definition(format, format.maxCode()));
  uint32_t best = 0;
  double bestDistance = magnitudeValue;
  for (uint32_t code = 1; code <= format.maxCode(); ++code) {
    double distance = std::fabs(definition(format, code) - magnitudeValue);
    if (distance < bestDistance ||
        (distance == bestDistance && code % 2 == 0)) {
      best = code;
      bestDistance = distance;
    }
  }
  return best;
}

uint32_t negated(const ElementFormat &format, uint32_t code) {
  if (format.kind == ElementKind::FixedPoint)
    return (0u - code) & (2 * format.signMask() - 1);
  return code | format.signMask();
}

class ElementTest : public ::testing::TestWithParam<const ElementFormat *> {
protected:
  const ElementFormat &format() const { return *GetParam(); }
};

TEST_P(ElementTest, DecodesEveryCode) {
  for (uint32_t code = 0; code < 2 * format().signMask(); ++code) {
    uint32_t rest = code & (format().signMask() - 1);
    float value = decode(format(), code);
    if (format().kind == ElementKind::Float && rest > format().maxCode()) {
      bool infinite = format().specials == Specials::InfAndNan &&
                      rest == format().maxCode() + 1;
      EXPECT_EQ(std::isinf(value), infinite) << code;
      EXPECT_EQ(isNan(value), !infinite) << code;
      continue;
    }
    EXPECT_EQ(static_cast<double>(value), definition(format(), code)) << code;
    // Zero has the sign of its code.
    EXPECT_EQ(std::signbit(value), code >= format().signMask()) << code;
  }
}

TEST_P(ElementTest, EncodesEveryValueToItself) {
  for (uint32_t code = 0; code <= format().maxCode(); ++code) {
    float value = decode(format(), code);
    EXPECT_EQ(encodeNearest(format(), value), code);
    EXPECT_EQ(encodeNearest(format(), -value), negated(format(), code));
    for (uint32_t random : {0u, 1u, 0x7FFFu, 0xFFFFu}) {
      EXPECT_EQ(encodeStochastic(format(), value, random, 16), code);
      EXPECT_EQ(encodeStochastic(format(), -value, random, 16),
                negated(format(), code));
    }
  }
}

TEST_P(ElementTest, NearestOfEveryBf16Pattern) {
  for (uint32_t bits = 0; bits < 0x7F80; ++bits) {
    float value = loadFloat(FloatType::BF16, bits);
    uint32_t expected = nearestBySearch(format(), value);
    ASSERT_EQ(encodeNearest(format(), value), expected) << bits;
    ASSERT_EQ(encodeNearest(format(), -value), negated(format(), expected))
        << bits;
  }
}

TEST_P(ElementTest, NearestAroundEveryMidpoint) {
  for (uint32_t code = 0; code < format().maxCode(); ++code) {
    double middle =
        (definition(format(), code) + definition(format(), code + 1)) / 2;
    uint32_t bits = toBits(static_cast<float>(middle));
    for (int step = -3; step <= 3; ++step) {
      float value = fromBits(bits + static_cast<uint32_t>(step));
      uint32_t expected = step < 0   ? code
                          : step > 0 ? code + 1
                                     : code + code % 2;
      EXPECT_EQ(encodeNearest(format(), value), expected) << code;
      EXPECT_EQ(encodeNearest(format(), -value), negated(format(), expected))
          << code;
    }
  }
}

TEST_P(ElementTest, SubnormalInputsRoundToZeroWithTheirSign) {
  for (uint32_t bits : {1u, 0x00400000u, 0x007FFFFFu, 0x00800000u}) {
    EXPECT_EQ(encodeNearest(format(), fromBits(bits)), 0u);
    EXPECT_EQ(encodeNearest(format(), fromBits(bits | 0x80000000u)),
              negated(format(), 0));
  }
}

TEST_P(ElementTest, NonFiniteInputs) {
  float infinity = fromBits(0x7F800000u);
  uint32_t top = format().maxCode();
  EXPECT_EQ(encodeNearest(format(), infinity), top);
  EXPECT_EQ(encodeNearest(format(), -infinity), negated(format(), top));
  for (uint32_t nan : {0x7FC00000u, 0xFFC00000u, 0x7F800001u}) {
    EXPECT_EQ(encodeNearest(format(), fromBits(nan)), format().nanCode());
    EXPECT_EQ(encodeStochastic(format(), fromBits(nan), 0, 16),
              format().nanCode());
  }
  uint32_t beyond = format().specials == Specials::None ? top : top + 1;
  EXPECT_EQ(encodeNearest(format(), infinity, Overflow::NonFinite), beyond);
  EXPECT_EQ(encodeNearest(format(), fromBits(0x7F7FFFFFu), Overflow::NonFinite),
            beyond);
  EXPECT_EQ(encodeNearest(format(), fromBits(0x7F7FFFFFu)), top);
}

INSTANTIATE_TEST_SUITE_P(Formats, ElementTest,
                         ::testing::ValuesIn(kElementFormats),
                         [](const auto &info) { return info.param->name; });

TEST(Element, RangesOfTheTable) {
  EXPECT_EQ(maxValue(kE2M1), 6.0f);
  EXPECT_EQ(maxValue(kE2M3), 7.5f);
  EXPECT_EQ(maxValue(kE3M2), 28.0f);
  EXPECT_EQ(maxValue(kE4M3), 448.0f);
  EXPECT_EQ(maxValue(kE5M2), 57344.0f);
  EXPECT_EQ(maxValue(kS2F6), 127.0f / 64);
  EXPECT_EQ(decode(kE2M1, 1), 0.5f);
  EXPECT_EQ(decode(kE2M3, 1), 0x1p-3f);
  EXPECT_EQ(decode(kE3M2, 1), 0x1p-4f);
  EXPECT_EQ(decode(kE4M3, 1), 0x1p-9f);
  EXPECT_EQ(decode(kE5M2, 1), 0x1p-16f);
  EXPECT_EQ(decode(kS2F6, 0x80), -2.0f);
  const int emax[] = {2, 2, 4, 8, 15, 0};
  for (size_t i = 0; i < 6; ++i)
    EXPECT_EQ(maxExponent(*kElementFormats[i]), emax[i]);
  EXPECT_EQ(kE2M1.nanCode(), 0x7u);
  EXPECT_EQ(kE2M3.nanCode(), 0x1Fu);
  EXPECT_EQ(kE3M2.nanCode(), 0x1Fu);
  EXPECT_EQ(kE4M3.nanCode(), 0x7Fu);
  EXPECT_EQ(kE5M2.nanCode(), 0x7Fu);
  EXPECT_EQ(kS2F6.nanCode(), 0x7Fu);
}

TEST(Element, NeverThroughANarrowerType) {
  // 1.0627 lies above the midpoint of 1 and 1.125, its BF16 form on it.
  EXPECT_EQ(encodeNearest(kE4M3, 1.0627f), 0x39u);
  EXPECT_EQ(encodeNearest(kE4M3, toBf16(1.0627)), 0x38u);
}

TEST(Element, S2F6NeverProducesTheMostNegativeCode) {
  EXPECT_EQ(encodeNearest(kS2F6, -2.0f), 0x81u);
  EXPECT_EQ(encodeNearest(kS2F6, -1e30f), 0x81u);
  EXPECT_EQ(encodeNearest(kS2F6, -0.0f), 0u);
}

TEST(Views, HalfConversions) {
  // Every pattern survives; NaN stays NaN.
  for (uint32_t bits = 0; bits < 0x10000; ++bits) {
    for (FloatType type : {FloatType::F16, FloatType::BF16}) {
      float value = loadFloat(type, bits);
      if (isNan(value))
        EXPECT_TRUE(isNan(loadFloat(type, storeFloat(type, value))));
      else
        EXPECT_EQ(storeFloat(type, value), bits);
    }
    double expected =
        std::ldexp(bits & 0x3FF, -24) * ((bits & 0x8000) ? -1.0 : 1.0);
    if ((bits & 0x7C00) == 0) {
      EXPECT_EQ(static_cast<double>(loadFloat(FloatType::F16, bits)), expected);
    }
  }
}

TEST(Views, HalfRoundsToNearestEven) {
  // Midpoints of neighbours, a step to either side, and the overflow bound.
  for (uint32_t bits = 0; bits < 0x7BFF; ++bits) {
    double middle = (static_cast<double>(loadFloat(FloatType::F16, bits)) +
                     static_cast<double>(loadFloat(FloatType::F16, bits + 1))) /
                    2;
    uint32_t word = toBits(static_cast<float>(middle));
    EXPECT_EQ(storeFloat(FloatType::F16, fromBits(word)), bits + bits % 2);
    EXPECT_EQ(storeFloat(FloatType::F16, fromBits(word - 1)), bits);
    EXPECT_EQ(storeFloat(FloatType::F16, fromBits(word + 1)), bits + 1);
  }
  EXPECT_EQ(storeFloat(FloatType::F16, 65519.996f), 0x7BFFu);
  EXPECT_EQ(storeFloat(FloatType::F16, 65520.0f), 0x7C00u);
  EXPECT_EQ(storeFloat(FloatType::F16, -1e30f), 0xFC00u);
  EXPECT_EQ(storeFloat(FloatType::F16, fromBits(1)), 0u);
  EXPECT_EQ(storeFloat(FloatType::F16, fromBits(0x80000001u)), 0x8000u);
}

TEST(Views, Bf16RoundsToNearestEven) {
  EXPECT_EQ(storeFloat(FloatType::BF16, fromBits(0x3F808000u)), 0x3F80u);
  EXPECT_EQ(storeFloat(FloatType::BF16, fromBits(0x3F818000u)), 0x3F82u);
  EXPECT_EQ(storeFloat(FloatType::BF16, fromBits(0x3F808001u)), 0x3F81u);
  EXPECT_EQ(storeFloat(FloatType::BF16, fromBits(0x7F7FFFFFu)), 0x7F80u);
  EXPECT_EQ(storeFloat(FloatType::BF16, fromBits(0x00000001u)), 0u);
  EXPECT_EQ(storeFloat(FloatType::BF16, fromBits(0x00018000u)), 2u);
  // A NaN whose payload lies in the low half must not become infinity.
  EXPECT_EQ(storeFloat(FloatType::BF16, fromBits(0x7F800001u)) & 0x7FFFu,
            0x7FC0u);
}

} // namespace
