//===- StochasticTest.cpp - Stochastic rounding ---------------------------===//
//
// Part of the Lowp project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Tensor.h"
#include <cmath>
#include <set>

using namespace lowp::numerics;
using namespace lowp::numerics::testing;

namespace {

QuantRule stochastic() {
  QuantRule rule;
  rule.round = RoundingMode::Stochastic;
  rule.sfRound = ScaleRound::Up;
  return rule;
}

QuantizeInputs keyed(uint64_t seed, uint32_t stream, uint32_t step) {
  QuantizeInputs inputs;
  inputs.key.seed = seed;
  inputs.key.stream = stream;
  inputs.key.step = step;
  return inputs;
}

TEST(Stochastic, ProbabilityIsExactOverAllWords) {
  Random random(1);
  for (const ElementFormat *format : kElementFormats)
    for (int i = 0; i < 40; ++i) {
      float value = static_cast<float>(random.uniform() * maxValue(*format) *
                                       std::ldexp(1.0, -int(i % 12)));
      unsigned bits = format->randomBits;
      uint32_t words = 1u << bits;
      uint32_t low = encodeStochastic(*format, value, 0, bits);
      double below = decode(*format, low), above = decode(*format, low + 1);
      ASSERT_LE(below, value);
      uint32_t up = 0;
      for (uint32_t word = 0; word < words; ++word) {
        uint32_t code = encodeStochastic(*format, value, word, bits);
        ASSERT_TRUE(code == low || code == low + 1);
        up += code == low + 1;
      }
      // The top bits of what is cut off, in units of the gap.
      EXPECT_EQ(up, std::floor((value - below) / (above - below) * words))
          << format->name << " " << value;
    }
}

TEST(Stochastic, CarryReachesTheExponent) {
  // Just below 4: up is 4, across the binade.
  EXPECT_EQ(encodeStochastic(kE2M1, 3.999f, 0xFF, 8), 6u);
  EXPECT_EQ(encodeStochastic(kE2M1, 3.999f, 0, 8), 5u);
  // From the subnormals into the normals.
  EXPECT_EQ(encodeStochastic(kE4M3, 0x1.fp-7f, 0xFFFF, 16), 8u);
}

TEST(Stochastic, NeverClips) {
  Random random(2);
  for (const char *name : {"nvfp4", "mxfp8_e4m3", "mxfp8_e5m2", "mxfp6_e2m3",
                           "mxfp6_e3m2", "mxfp4", "mxs2f6", "fp8_block"}) {
    const BlockFormat &format = *findBlockFormat(name);
    for (uint32_t step = 0; step < 20; ++step) {
      std::vector<float> x(4 * format.blockSize);
      for (float &value : x)
        value = static_cast<float>(
            random.normal() * std::ldexp(1.0, int(random.bits() % 40) - 20));
      Blocked tensor = quantizeRow(format, stochastic(), x, keyed(5, 0, step));
      std::vector<float> values = tensor.dequantize();
      for (size_t i = 0; i < x.size(); ++i) {
        // Within one gap: a clipped value would be further off.
        float scale =
            format.scale->kind == ScaleKind::Float32
                ? tensor.scalesF32[i / format.blockSize]
                : decodeScaleByte(*format.scale,
                                  tensor.scales[i / format.blockSize]);
        if (format.outer)
          scale *= tensor.outer[0];
        double scaled = std::fabs(x[i] / double(scale));
        EXPECT_LE(scaled, maxValue(*format.element) * (1 + 0x1p-20)) << name;
        uint32_t code = encodeNearest(
            *format.element, static_cast<float>(std::fabs(values[i] / scale)));
        double gap =
            std::max(decode(*format.element, code) -
                         (code ? decode(*format.element, code - 1) : 0.0f),
                     code < format.element->maxCode()
                         ? decode(*format.element, code + 1) -
                               decode(*format.element, code)
                         : 0.0f);
        EXPECT_LE(std::fabs(double(values[i]) - x[i]),
                  gap * scale * (1 + 0x1p-20))
            << name;
      }
    }
  }
}

TEST(Stochastic, StreamsAndStepsDiffer) {
  std::vector<float> x = normalTensor(3, 512);
  std::set<std::vector<uint8_t>> outcomes;
  for (auto [seed, stream, step] :
       {std::tuple{1u, 0u, 0u}, {1u, 1u, 0u}, {1u, 0u, 1u}, {2u, 0u, 0u}}) {
    Blocked a =
        quantizeRow(mxfp8(), stochastic(), x, keyed(seed, stream, step));
    Blocked b =
        quantizeRow(mxfp8(), stochastic(), x, keyed(seed, stream, step));
    EXPECT_EQ(a.codes, b.codes);
    EXPECT_TRUE(outcomes.insert(a.codes).second);
  }
}

TEST(Stochastic, BitsFollowTheLogicalIndex) {
  // A row of a batch draws what row r draws, whatever memory it lies in.
  std::vector<float> x = normalTensor(4, 8 * 80);
  Blocked whole(mxfp8(), {{1, 32}, {}}, {8, 80}), moved = whole;
  QuantizeInputs inputs = keyed(6, 2, 3);
  ASSERT_TRUE(whole.quantize(stochastic(), view(x, {8, 80}), inputs).ok());
  std::vector<float> transposed(x.size());
  transposeElements({8, 80}, 4, {1, 0}, x.data(), transposed.data());
  ASSERT_TRUE(moved
                  .quantize(stochastic(),
                            permuted(view(transposed, {80, 8}), {1, 0}), inputs)
                  .ok());
  EXPECT_EQ(whole.codes, moved.codes);
  // Explicit bits of the key give the same codes.
  std::vector<uint32_t> bits;
  for (int64_t row = 0; row < 8; ++row)
    for (int64_t k = 0; k < 80; ++k)
      bits.push_back(randomBits(inputs.key, randomGroup(inputs.key, row, k, 80),
                                static_cast<unsigned>(k % 16), 16));
  QuantizeInputs given;
  given.randomBits = bits.data();
  ASSERT_TRUE(moved.quantize(stochastic(), view(x, {8, 80}), given).ok());
  EXPECT_EQ(whole.codes, moved.codes);
}

TEST(Stochastic, IndependentBitsAreNotShared) {
  // Equal values in a pair round alike under shared bits, not always under
  // independent ones.
  std::vector<float> x(4096, 1.03f);
  x[0] = 448.0f;
  for (RandomSharing sharing :
       {RandomSharing::Hardware, RandomSharing::Independent}) {
    QuantizeInputs inputs = keyed(7, 0, 0);
    inputs.key.sharing = sharing;
    Blocked tensor = quantizeRow(mxfp8(), stochastic(), x, inputs);
    unsigned different = 0;
    for (size_t i = 32; i < x.size(); i += 2)
      different += tensor.codes[i] != tensor.codes[i + 1];
    if (sharing == RandomSharing::Hardware)
      EXPECT_EQ(different, 0u);
    else
      EXPECT_GT(different, 100u);
  }
}

TEST(Stochastic, RequantizedWeightsAreExactlyUnbiased) {
  // Every NVFP4 value below its outer scale, at every MXFP8 scale that a block
  // with larger neighbours could have: the mean over all words of 4 or more
  // bits is the value.
  for (unsigned bits : {4u, 8u})
    for (uint32_t code = 1; code < 8; ++code)
      for (uint32_t sf = 1; sf < 0x7F; ++sf) {
        float value = decode(kE2M1, code) * decode(kE4M3, sf);
        for (int shift = 0; shift < 6; ++shift) {
          uint8_t byte = static_cast<uint8_t>(
              ue8m0FromAmax(kE4M3, ScaleRule::RCeil, value) + shift);
          float scaled = value * reciprocalUE8M0(byte);
          if (scaled < decode(kE4M3, 8))
            continue; // the gaps below the normal range are wider
          double sum = 0.0;
          for (uint32_t word = 0; word < (1u << bits); ++word)
            sum += decode(kE4M3, encodeStochastic(kE4M3, scaled, word, bits));
          ASSERT_EQ(sum / (1u << bits), double(scaled))
              << code << " " << sf << " " << shift;
        }
      }
}

TEST(Stochastic, MeanOfNvfp4IsTheValue) {
  // Per token outers, many steps: the mean approaches the value.
  std::vector<float> x = normalTensor(8, 64);
  std::vector<double> sum(x.size(), 0.0);
  const int steps = 4000;
  std::vector<float> outer;
  for (int step = 0; step < steps; ++step) {
    Blocked tensor =
        quantizeRow(nvfp4(), stochastic(), x, keyed(9, 0, uint32_t(step)));
    std::vector<float> values = tensor.dequantize();
    for (size_t i = 0; i < x.size(); ++i)
      sum[i] += values[i];
    outer = tensor.outer;
  }
  for (size_t i = 0; i < x.size(); ++i)
    EXPECT_NEAR(sum[i] / steps, x[i], 5 * 0.5 / std::sqrt(double(steps)));
}

} // namespace
