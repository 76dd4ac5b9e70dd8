//===- ScaleTest.cpp - Block and outer scales -----------------------------===//
//
// Part of the Lowp project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "lowp/Numerics/Scale.h"
#include "Tensor.h"
#include <cfloat>
#include <cmath>

using namespace lowp::numerics;
using namespace lowp::numerics::testing;

namespace {

/// 2^exponent for any exponent of an UE8M0 scale, in double.
double power(int exponent) { return std::ldexp(1.0, exponent); }

/// The scale byte by its definition: real arithmetic in double, which holds
/// every FP32 number times a power of two exactly.
int definition(const ElementFormat &format, ScaleRule rule, float amax) {
  if (amax == 0.0f)
    return 0;
  double x = amax;
  int emax = maxExponent(format);
  int floorLog = std::ilogb(x);
  int byte = 0;
  switch (rule) {
  case ScaleRule::RCeil:
    byte = 0;
    while (byte < 254 && x > maxValue(format) * power(byte - 127))
      ++byte;
    return byte;
  case ScaleRule::Floor:
    byte = floorLog - emax + 127;
    break;
  case ScaleRule::Ceil:
    byte = (x == power(floorLog) ? floorLog : floorLog + 1) - emax + 127;
    break;
  case ScaleRule::Even:
    // Half an ulp of the element added before the logarithm is taken.
    byte =
        std::ilogb(x + power(floorLog - format.mantissaBits - 1)) - emax + 127;
    break;
  }
  return std::min(std::max(byte, 0), 254);
}

std::vector<uint32_t> probes() {
  std::vector<uint32_t> result;
  for (uint32_t exponent = 0; exponent < 255; ++exponent)
    for (uint32_t mantissa :
         {0x0u,      0x1u,      0x3FFFFFu, 0x400000u, 0x400001u, 0x5FFFFFu,
          0x600000u, 0x600001u, 0x6FFFFFu, 0x700000u, 0x700001u, 0x77FFFFu,
          0x780000u, 0x7BFFFFu, 0x7C0000u, 0x7DFFFFu, 0x7E0000u, 0x7E0001u,
          0x7EFFFFu, 0x7F0000u, 0x7F0001u, 0x7FFFFFu})
      result.push_back(exponent << 23 | mantissa);
  return result;
}

TEST(UE8M0, EveryRuleByItsDefinition) {
  for (const ElementFormat *format : kElementFormats)
    for (ScaleRule rule :
         {ScaleRule::RCeil, ScaleRule::Floor, ScaleRule::Ceil, ScaleRule::Even})
      for (uint32_t bits : probes()) {
        // Logarithms of the bits, not of the value, define `even` below the
        // normal range; there every scale is byte 0 or 1.
        if (rule == ScaleRule::Even && bits < 0x00800000u)
          continue;
        ASSERT_EQ(ue8m0FromAmax(*format, rule, fromBits(bits)),
                  definition(*format, rule, fromBits(bits)))
            << format->name << " " << int(rule) << " " << std::hex << bits;
      }
}

TEST(UE8M0, RCeilNeverClipsAndNeverWastesABit) {
  for (const ElementFormat *format : kElementFormats)
    for (uint32_t bits : probes()) {
      float amax = fromBits(bits);
      int byte = ue8m0FromAmax(*format, ScaleRule::RCeil, amax);
      double scaled = amax / power(byte - 127);
      if (byte < 254 || format != &kS2F6) {
        EXPECT_LE(scaled, maxValue(*format)) << format->name << bits;
      }
      if (byte > 0) {
        EXPECT_GT(scaled, maxValue(*format) / 2) << format->name << bits;
      }
    }
}

TEST(UE8M0, EveryByteDecodes) {
  for (int byte = 0; byte < 255; ++byte) {
    EXPECT_EQ(double(decodeUE8M0(uint8_t(byte))), power(byte - 127));
    EXPECT_EQ(double(reciprocalUE8M0(uint8_t(byte))), power(127 - byte));
    EXPECT_EQ(encodeUE8M0(decodeUE8M0(uint8_t(byte)), NumberRound::Up), byte);
  }
  EXPECT_TRUE(isNan(decodeUE8M0(0xFF)));
  EXPECT_TRUE(isNan(reciprocalUE8M0(0xFF)));
  EXPECT_EQ(toBits(decodeUE8M0(0)), 0x00400000u);
  EXPECT_EQ(toBits(reciprocalUE8M0(254)), 0x00400000u);
}

TEST(UE8M0, NonFiniteAmax) {
  for (uint32_t bits : {0x7F800000u, 0xFF800000u, 0x7FC00000u, 0xFFFFFFFFu})
    for (ScaleRule rule :
         {ScaleRule::RCeil, ScaleRule::Floor, ScaleRule::Ceil, ScaleRule::Even})
      EXPECT_EQ(ue8m0FromAmax(kE4M3, rule, fromBits(bits)), 0xFF);
}

TEST(UE4M3, EveryByteDecodes) {
  for (unsigned byte = 0; byte < 256; ++byte) {
    float value = decodeScaleByte(kUE4M3, uint8_t(byte));
    if (byte >= 0x7F)
      EXPECT_TRUE(isNan(value)) << byte;
    else
      EXPECT_EQ(value, decode(kE4M3, byte));
  }
  EXPECT_EQ(nanScaleByte(kUE4M3), 0x7F);
  EXPECT_EQ(nanScaleByte(kUE8M0), 0xFF);
}

//===----------------------------------------------------------------------===//
// Outer scales
//===----------------------------------------------------------------------===//

QuantRule pow2Rule() {
  QuantRule rule;
  rule.outerRepr = OuterRepr::Pow2;
  return rule;
}

QuantRule upRule() {
  QuantRule rule;
  rule.sfRound = ScaleRound::Up;
  return rule;
}

TEST(OuterScale, DefaultM) {
  QuantRule rule, fourSix;
  fourSix.fourSix = FourSix::MSE;
  EXPECT_EQ(outerMax(nvfp4(), rule), 2688.0f);
  EXPECT_EQ(outerMax(nvfp4(), fourSix), 1536.0f);
  fourSix.outerMax = 2688.0f;
  EXPECT_EQ(outerMax(nvfp4(), fourSix), 2688.0f);
  BlockFormat wide{"", &kE4M3, &kUE4M3, true, 16};
  EXPECT_EQ(outerMax(wide, rule), 448.0f * 448.0f);
}

TEST(OuterScale, ZeroGroupHasScaleOne) {
  for (const QuantRule &rule : {QuantRule(), pow2Rule(), upRule()})
    for (float zero : {0.0f, -0.0f}) {
      OuterScale outer = outerFromAmax(nvfp4(), rule, zero);
      EXPECT_EQ(outer.encode, 1.0f);
      EXPECT_EQ(outer.decode, 1.0f);
    }
}

TEST(OuterScale, NonFiniteAmaxLosesTheGroup) {
  for (uint32_t bits : {0x7F800000u, 0xFF800000u, 0x7FC00000u, 0xFFC00000u})
    EXPECT_TRUE(outerFromAmax(nvfp4(), QuantRule(), fromBits(bits)).lost());
}

TEST(OuterScale, TheSignOfAGivenAmaxIsIgnored) {
  OuterScale plus = outerFromAmax(nvfp4(), QuantRule(), 3.7f);
  OuterScale minus = outerFromAmax(nvfp4(), QuantRule(), -3.7f);
  EXPECT_EQ(toBits(plus.encode), toBits(minus.encode));
  EXPECT_EQ(toBits(plus.decode), toBits(minus.decode));
}

TEST(OuterScale, GivenDecodeScale) {
  for (uint32_t bits : {0x7F800000u, 0x7FC00000u, 0u, 0x80000000u, 0xBF800000u})
    EXPECT_TRUE(outerFromDecode(fromBits(bits)).lost()) << bits;
  EXPECT_EQ(outerFromDecode(4.0f).encode, 0.25f);
  EXPECT_EQ(outerFromDecode(4.0f).decode, 4.0f);
  // The reciprocal of a small subnormal overflows and is held at the top.
  EXPECT_EQ(outerFromDecode(fromBits(1)).encode, FLT_MAX);
}

TEST(OuterScale, TinyGroupsSaturateTheEncodeScale) {
  OuterScale outer = outerFromAmax(nvfp4(), QuantRule(), fromBits(1));
  EXPECT_EQ(outer.encode, FLT_MAX);
  EXPECT_EQ(outer.decode, 1.0f / FLT_MAX);
}

TEST(OuterScale, PowerOfTwoIsTheSmallestThatServes) {
  for (uint32_t bits : probes()) {
    if (bits == 0)
      continue;
    double amax = fromBits(bits);
    OuterScale outer = outerFromAmax(nvfp4(), pow2Rule(), fromBits(bits));
    int exponent = std::ilogb(outer.decode);
    EXPECT_EQ(double(outer.decode), power(exponent)) << bits;
    EXPECT_LE(amax, 2688 * power(exponent)) << bits;
    if (exponent > -149) {
      EXPECT_GT(amax, 2688 * power(exponent - 1)) << bits;
    }
  }
}

TEST(OuterScale, UpIsTheSmallestNumberThatServes) {
  for (float divisor : {2688.0f, 448.0f, 6.0f, 1.0f})
    for (uint32_t bits : probes()) {
      if (bits == 0)
        continue;
      double amax = fromBits(bits);
      uint32_t scale = toBits(smallestScale(fromBits(bits), divisor));
      EXPECT_LE(amax, double(divisor) * fromBits(scale)) << bits;
      if (scale > 1) {
        EXPECT_GT(amax, double(divisor) * fromBits(scale - 1)) << bits;
      }
    }
  EXPECT_EQ(smallestScale(0.0f, 6.0f), 0.0f);
}

//===----------------------------------------------------------------------===//
// Block scales of a rule
//===----------------------------------------------------------------------===//

TEST(BlockScale, UpIsTheSmallestScaleThatServes) {
  Random random(7);
  for (int i = 0; i < 2000; ++i) {
    float outerAmax = fromBits(random.bits() & 0x7F7FFFFFu);
    if (!isFinite(outerAmax) || outerAmax == 0.0f)
      continue;
    OuterScale outer = outerFromAmax(nvfp4(), upRule(), outerAmax);
    float amax = static_cast<float>(outerAmax * random.uniform());
    if (amax > outerAmax)
      continue;
    BlockScale scale = blockScale(nvfp4(), upRule(), amax, outer);
    EXPECT_LE(double(amax), 6.0 * scale.value * outer.decode);
    if (scale.byte > 0) {
      EXPECT_GT(double(amax),
                6.0 * decode(kE4M3, scale.byte - 1u) * outer.decode);
    }
  }
}

TEST(BlockScale, UpSaturatesUnderAGivenScaleThatIsTooSmall) {
  BlockScale scale =
      blockScale(nvfp4(), upRule(), 1e6f, outerFromDecode(1e-3f));
  EXPECT_EQ(scale.byte, 0x7E);
}

TEST(BlockScale, DivideAndTeDiffer) {
  // A tensor of amax 6 and a block of amax 4.5.
  QuantRule te;
  te.sfArith = ScaleArith::TE;
  OuterScale outer = outerFromAmax(nvfp4(), QuantRule(), 6.0f);
  EXPECT_EQ(blockScale(nvfp4(), QuantRule(), 4.5f, outer).byte, 0x7A);
  EXPECT_EQ(blockScale(nvfp4(), te, 4.5f, outer).byte, 0x7B);
}

TEST(BlockScale, Fp8Block) {
  BlockScale scale = blockScale(fp8Block(), QuantRule(), 3.0f, OuterScale());
  EXPECT_EQ(scale.factor, 448.0f / 3.0f);
  EXPECT_EQ(scale.value, 1.0f / (448.0f / 3.0f));
  scale = blockScale(fp8Block(), QuantRule(), 0.0f, OuterScale());
  EXPECT_EQ(scale.factor, 1.0f);
  EXPECT_EQ(scale.value, 1.0f);
  scale = blockScale(fp8Block(), upRule(), 3.0f, OuterScale());
  EXPECT_EQ(scale.value, smallestScale(3.0f, 448.0f));
}

TEST(BlockScale, NextLargerElementUnderUE4M3) {
  // 6 is the element's largest value, not a constant.
  BlockFormat wide{"", &kE4M3, &kUE4M3, false, 16};
  EXPECT_EQ(blockScale(wide, QuantRule(), 448.0f, OuterScale()).value, 1.0f);
}

} // namespace
