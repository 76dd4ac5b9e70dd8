//===- OrderTest.cpp - Orders of operations that differ in last bits ------===//
//
// Part of the Lowp project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

// Two orders of the same operations differ on few inputs. Each test computes by
// the order of docs/spec.md and by a neighbouring one, on inputs where the two
// differ now and then, and finds the library on the right side.

#include "Tensor.h"
#include "lowp/Numerics/Contract.h"
#include <cfloat>
#include <cmath>

using namespace lowp::numerics;
using namespace lowp::numerics::testing;

namespace {

float positive(Random &random) {
  return static_cast<float>((1.0 + random.uniform()) *
                            std::ldexp(1.0, int(random.bits() % 20) - 10));
}

uint8_t scaleOf(float base) {
  return encodeSmallFloatScale(kUE4M3, std::min(base, 448.0f));
}

/// An amax near the middle of two scales, in units of 1 / `unit`.
float nearMiddle(Random &random, double unit) {
  uint32_t code = 8 + random.bits() % 116;
  double middle = (double(decode(kE4M3, code)) + decode(kE4M3, code + 1)) / 2;
  uint32_t bits = toBits(static_cast<float>(6.0 * middle / unit));
  return fromBits(bits + random.bits() % 5 - 2);
}

QuantRule withArith(ScaleArith arith) {
  QuantRule rule;
  rule.sfArith = arith;
  return rule;
}

TEST(Order, TorchAOScale) {
  ScopedFloatEnvironment environment;
  Random random(1);
  QuantRule rule = withArith(ScaleArith::TorchAO);
  int differ = 0;
  for (int i = 0; i < 100000; ++i) {
    float group = positive(random);
    OuterScale outer = outerFromAmax(nvfp4(), rule, group);
    float stored = group / 2688.0f;
    float amax = nearMiddle(random, 1.0 / stored);
    ASSERT_EQ(toBits(outer.decode), toBits(stored));
    uint8_t expected = scaleOf(std::max((amax / 6.0f) / stored, 0x1p-6f));
    uint8_t other = scaleOf(std::max((amax / 6.0f) * (1.0f / stored), 0x1p-6f));
    differ += expected != other;
    ASSERT_EQ(blockScale(nvfp4(), rule, amax, outer).byte, expected)
        << group << " " << amax;
  }
  EXPECT_GT(differ, 0);
}

TEST(Order, CompressedTensorsScale) {
  ScopedFloatEnvironment environment;
  Random random(2);
  QuantRule rule = withArith(ScaleArith::CompressedTensors);
  int differ = 0;
  for (int i = 0; i < 100000; ++i) {
    float group = positive(random);
    OuterScale outer = outerFromAmax(nvfp4(), rule, group);
    float stored = 2688.0f / group;
    float amax = nearMiddle(random, stored);
    ASSERT_EQ(toBits(outer.decode), toBits(stored));
    uint8_t expected = scaleOf(stored * (amax / 6.0f));
    differ += expected != scaleOf(stored * amax / 6.0f);
    ASSERT_EQ(blockScale(nvfp4(), rule, amax, outer).byte, expected)
        << group << " " << amax;
  }
  EXPECT_GT(differ, 0);
}

TEST(Order, Fp32Scale) {
  ScopedFloatEnvironment environment;
  Random random(3);
  int differ = 0;
  for (int i = 0; i < 10000; ++i) {
    float amax = positive(random);
    BlockScale scale = blockScale(fp8Block(), QuantRule(), amax, OuterScale());
    float encode = 448.0f / amax;
    ASSERT_EQ(toBits(scale.factor), toBits(encode)) << amax;
    ASSERT_EQ(toBits(scale.value), toBits(1.0f / encode)) << amax;
    differ += toBits(1.0f / encode) != toBits(amax / 448.0f);
  }
  EXPECT_GT(differ, 0);
}

/// How the squared errors of a block are summed.
enum class Sum { Specified, OneChain, Unfused };

float squares(const std::vector<float> &errors, Sum how) {
  float sums[2] = {0.0f, 0.0f};
  for (size_t i = 0; i < errors.size(); ++i) {
    float &sum = sums[how == Sum::OneChain ? 0 : i % 2];
    sum = how == Sum::Unfused ? sum + errors[i] * errors[i]
                              : std::fma(errors[i], errors[i], sum);
  }
  return sums[0] + sums[1];
}

/// Errors of a block whose scale is `scale`, without an outer scale.
std::vector<float> errorsUnder(const std::vector<float> &x, float scale) {
  float inverse = 1.0f / scale;
  std::vector<float> errors;
  for (float value : x)
    errors.push_back(
        decode(kE2M1, encodeNearest(kE2M1, value * inverse)) * scale - value);
  return errors;
}

TEST(Order, SumOfFourSixErrors) {
  ScopedFloatEnvironment environment;
  Random random(4);
  QuantRule rule;
  rule.fourSix = FourSix::MSE;
  int ties = 0, chains = 0, fused = 0;
  for (int i = 0; i < 60000; ++i) {
    // On a grid all errors are exact and ties are many; beside it the last bits
    // of the sums decide.
    std::vector<float> x = {6.0f};
    while (x.size() < 16)
      x.push_back(static_cast<float>(random.bits() % 25) / 4);
    if (squares(errorsUnder(x, 1.0f), Sum::Specified) !=
        squares(errorsUnder(x, 1.5f), Sum::Specified))
      continue;
    ++ties;
    for (size_t k = 1; k < x.size(); ++k)
      x[k] = fromBits(toBits(x[k]) + (x[k] != 0.0f ? random.bits() % 3 : 0));
    auto picksFour = [&](Sum how) {
      return squares(errorsUnder(x, 1.5f), how) <
             squares(errorsUnder(x, 1.0f), how);
    };
    bool expected = picksFour(Sum::Specified);
    chains += picksFour(Sum::OneChain) != expected;
    fused += picksFour(Sum::Unfused) != expected;
    Blocked tensor = quantizeRow(nvfp4Single(), rule, x);
    ASSERT_EQ(tensor.scales[0], expected ? 0x3C : 0x38);
  }
  EXPECT_GT(ties, 100);
  EXPECT_GT(chains, 0);
  EXPECT_GT(fused, 0);
}

TEST(Order, SumOfFourSixErrorsOfTiles) {
  ScopedFloatEnvironment environment;
  Random random(5);
  QuantRule rule;
  rule.fourSix = FourSix::MSE;
  // Row sums: halves onto each other, or one after the other.
  auto total = [](const std::vector<float> &x, float scale, bool halves) {
    std::vector<float> sums;
    for (size_t row = 0; row < 16; ++row)
      sums.push_back(squares(
          errorsUnder({x.begin() + row * 16, x.begin() + (row + 1) * 16},
                      scale),
          Sum::Specified));
    if (!halves) {
      float sum = 0.0f;
      for (float value : sums)
        sum += value;
      return sum;
    }
    for (size_t half = 8; half > 0; half /= 2)
      for (size_t row = 0; row < half; ++row)
        sums[row] += sums[row + half];
    return sums[0];
  };
  int ties = 0, sequential = 0;
  for (int i = 0; i < 20000; ++i) {
    std::vector<float> x = {6.0f};
    while (x.size() < 256)
      x.push_back(static_cast<float>(random.bits() % 25) / 4);
    // Towards a tie: an element at a time takes what the other candidate holds.
    for (size_t k = 1; k < x.size(); ++k) {
      float six = total(x, 1.0f, true), four = total(x, 1.5f, true);
      if (six == four)
        break;
      x[k] = six < four ? 4.5f : 4.0f;
    }
    if (total(x, 1.0f, true) != total(x, 1.5f, true)) {
      if (i > 200 && ties == 0)
        break;
      continue;
    }
    if (++ties > 200)
      break;
    for (size_t k = 1; k < x.size(); ++k)
      x[k] = fromBits(toBits(x[k]) + (x[k] != 0.0f ? random.bits() % 3 : 0));
    bool expected = total(x, 1.5f, true) < total(x, 1.0f, true);
    sequential += (total(x, 1.5f, false) < total(x, 1.0f, false)) != expected;
    Blocked tile(nvfp4Single(), {{16, 16}, {}}, {16, 16});
    ASSERT_TRUE(tile.quantize(rule, view(x, {16, 16})).ok());
    ASSERT_EQ(tile.scales[0], expected ? 0x3C : 0x38);
  }
  EXPECT_GT(ties, 20);
  EXPECT_GT(sequential, 0);
}

TEST(Order, ContractionScales) {
  ScopedFloatEnvironment environment;
  Random random(6);
  const int64_t K = 256;
  int differ = 0;
  for (int i = 0; i < 200; ++i) {
    Blocked x(fp8Block(), {{1, 128}, {}}, {1, K}), w = x;
    for (Blocked *value : {&x, &w}) {
      for (uint8_t &code : value->codes)
        code = static_cast<uint8_t>(random.bits() % 0x7F);
      for (float &scale : value->scalesF32)
        scale = positive(random);
    }
    float expected = 0.0f, other = 0.0f;
    for (int64_t block = 0; block < 2; ++block) {
      float partial = 0.0f;
      for (int64_t k = block * 128; k < (block + 1) * 128; ++k)
        partial =
            partial + decode(kE4M3, x.codes[k]) * decode(kE4M3, w.codes[k]);
      float left = x.scalesF32[block], right = w.scalesF32[block];
      expected = expected + partial * (left * right);
      other = other + (partial * left) * right;
    }
    ContractOperand a, b;
    a.format = b.format = &fp8Block();
    a.blocking = b.blocking = x.blocking;
    a.shape = b.shape = x.shape;
    a.data = x.data();
    b.data = w.data();
    float result = -1.0f;
    ASSERT_TRUE(contract(a, b,
                         denseView(static_cast<void *>(&result), FloatType::F32,
                                   {1, 1}))
                    .ok());
    ASSERT_EQ(toBits(result), toBits(expected));
    differ += toBits(other) != toBits(expected);
  }
  EXPECT_GT(differ, 0);
}

TEST(Order, PlainContractionIsNotFused) {
  ScopedFloatEnvironment environment;
  Random random(7);
  const int64_t K = 64;
  int differ = 0;
  for (int i = 0; i < 200; ++i) {
    std::vector<float> x(K), w(K);
    float expected = 0.0f, fused = 0.0f, result = -1.0f;
    for (int64_t k = 0; k < K; ++k) {
      x[k] = positive(random);
      w[k] = positive(random);
      expected = expected + x[k] * w[k];
      fused = std::fma(x[k], w[k], fused);
    }
    ContractOperand a, b;
    a.plain = view(x, {1, K});
    b.plain = view(w, {1, K});
    ASSERT_TRUE(contract(a, b,
                         denseView(static_cast<void *>(&result), FloatType::F32,
                                   {1, 1}))
                    .ok());
    ASSERT_EQ(toBits(result), toBits(expected));
    differ += toBits(fused) != toBits(expected);
  }
  EXPECT_GT(differ, 0);
}

} // namespace
