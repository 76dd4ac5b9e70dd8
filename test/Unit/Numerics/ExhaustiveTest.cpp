//===- ExhaustiveTest.cpp - Every input there is --------------------------===//
//
// Part of the Lowp project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

// Suites over whole domains that no other file has: codes and scale bytes are
// in ElementTest and ScaleTest, the compiled path in test/Unit/Conversion and
// test/Conformance.

#include "Tensor.h"
#include <cmath>

using namespace lowp::numerics;
using namespace lowp::numerics::testing;

namespace {

/// How many of all random words round a magnitude up, by the definition in
/// real numbers: what is cut off, in units of 2^-bits of the gap, rounded down.
uint32_t wordsUp(const ElementFormat &format, double magnitude, unsigned bits) {
  uint32_t low = 0;
  while (low < format.maxCode() && decode(format, low + 1) <= magnitude)
    ++low;
  if (low == format.maxCode())
    return 0;
  double below = decode(format, low), above = decode(format, low + 1);
  return static_cast<uint32_t>(
      std::floor((magnitude - below) / (above - below) * (1u << bits)));
}

/// Calls visit(magnitude) for all BF16 numbers that are finite, not negative.
template <typename Visitor>
void forEachBf16(Visitor visit) {
  for (uint32_t bits = 0; bits < 0x7F80; ++bits)
    visit(fromBits(bits << 16));
}

TEST(Exhaustive, StochasticOfEveryBf16ByCounting) {
  // The code is monotonic in the word, so that the words on both sides of the
  // expected threshold, and the ends, count all 2^R.
  for (const ElementFormat *format : kElementFormats) {
    unsigned bits = format->randomBits;
    uint32_t words = 1u << bits;
    forEachBf16([&](float value) {
      uint32_t up = wordsUp(*format, value, bits);
      uint32_t low = encodeStochastic(*format, value, 0, bits);
      uint32_t high = encodeStochastic(*format, value, words - 1, bits);
      ASSERT_EQ(encodeStochastic(*format, value, words - up - 1, bits), low)
          << format->name << " " << value;
      if (up == 0) {
        ASSERT_EQ(high, low) << format->name << " " << value;
        return;
      }
      ASSERT_EQ(high, low + 1) << format->name << " " << value;
      ASSERT_EQ(encodeStochastic(*format, value, words - up, bits), high)
          << format->name << " " << value;
      // Negative values are their mirror.
      uint32_t mirror = encodeStochastic(*format, -value, words - up, bits);
      ASSERT_EQ(decode(*format, mirror), -decode(*format, high));
    });
  }
}

// All words of all inputs, one by one. Minutes; docs/testing.md says how to
// run it.
TEST(Exhaustive, DISABLED_StochasticOfEveryBf16AndEveryWord) {
  for (const ElementFormat *format : kElementFormats) {
    unsigned bits = format->randomBits;
    uint32_t words = 1u << bits;
    forEachBf16([&](float value) {
      uint32_t up = wordsUp(*format, value, bits), count = 0;
      uint32_t low = encodeStochastic(*format, value, 0, bits);
      for (uint32_t word = 0; word < words; ++word) {
        uint32_t code = encodeStochastic(*format, value, word, bits);
        ASSERT_TRUE(code == low || code == low + 1);
        count += code != low;
      }
      ASSERT_EQ(count, up) << format->name << " " << value;
    });
  }
}

TEST(Exhaustive, NearestOfEveryBf16UnderEveryRandomBitCount) {
  // R = 1 with the word 1 rounds up from the middle: nearest, ties away.
  for (const ElementFormat *format : kElementFormats)
    forEachBf16([&](float value) {
      uint32_t nearest = encodeNearest(*format, value);
      uint32_t away = encodeStochastic(*format, value, 1, 1);
      if (nearest == away)
        return;
      // Only a tie may differ, and then the even code is the nearest.
      double middle =
          (double(decode(*format, nearest)) + double(decode(*format, away))) /
          2;
      ASSERT_EQ(double(value), middle) << format->name;
      ASSERT_EQ(nearest % 2, 0u) << format->name << " " << value;
    });
}

/// Conversion to UE8M0 by its definition on FP64 powers of two.
uint32_t scaleByDefinition(float value, NumberRound round) {
  double magnitude = std::fabs(double(value));
  int low = 0;
  while (low < 254 && std::ldexp(1.0, low + 1 - 127) <= magnitude)
    ++low;
  double below = std::ldexp(1.0, low - 127), above = 2 * below;
  if (magnitude <= below)
    return low;
  switch (round) {
  case NumberRound::TowardZero:
    return low;
  case NumberRound::Up:
    return std::min(low + 1, 254);
  case NumberRound::Nearest:
    break;
  }
  double middle = (below + above) / 2;
  bool up = magnitude > middle || (magnitude == middle && low % 2 == 1);
  return std::min(low + up, 254);
}

TEST(Exhaustive, UE8M0OfEveryExponentAroundEveryThreshold) {
  for (uint32_t exponent = 0; exponent < 255; ++exponent)
    for (uint32_t center : {0u, 0x400000u, 0x600000u})
      for (int32_t step = -2; step <= 2; ++step) {
        float value =
            fromBits((exponent << 23) + center + static_cast<uint32_t>(step));
        if (!isFinite(value) || value < 0)
          continue;
        for (NumberRound round :
             {NumberRound::TowardZero, NumberRound::Up, NumberRound::Nearest})
          ASSERT_EQ(encodeUE8M0(value, round), scaleByDefinition(value, round))
              << value << " " << static_cast<int>(round);
      }
}

} // namespace
