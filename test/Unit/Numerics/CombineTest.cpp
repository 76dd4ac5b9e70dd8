//===- CombineTest.cpp - Gated sums of what experts sent ------------------===//
//
// Part of the Lowp project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "lowp/Numerics/Combine.h"
#include "Tensor.h"
#include <cmath>
#include <limits>

using namespace lowp::numerics;
using namespace lowp::numerics::testing;

namespace {

std::vector<float> sum(const std::vector<float> &values,
                       const std::vector<float> &gates, int64_t tokens,
                       const CombineTransform *transform = nullptr) {
  int64_t experts = static_cast<int64_t>(gates.size()) / tokens;
  int64_t hidden = static_cast<int64_t>(values.size()) / (experts * tokens);
  std::vector<float> result(static_cast<size_t>(tokens * hidden), -1.0f);
  Status status = combine(
      denseView(values.data(), FloatType::F32, {experts, tokens, hidden}),
      denseView(gates.data(), FloatType::F32, {experts, tokens}), transform,
      denseView(result.data(), FloatType::F32, {tokens, hidden}));
  EXPECT_TRUE(status.ok()) << status.message();
  return result;
}

TEST(Combine, IsOneRoundingPerExpert) {
  // The product lies just below half of the sum's spacing, and rounds to that:
  // rounded before it is added, it would be a tie that goes up.
  float odd = 1.0f + std::ldexp(1.0f, -23);
  float value = 1.0f + std::ldexp(1.0f, -13);
  float gate = std::ldexp(1.0f - std::ldexp(1.0f, -13), -24);
  EXPECT_EQ(sum({odd, value}, {1.0f, gate}, 1)[0], odd);
  // From the first expert to the last.
  EXPECT_EQ(sum({1e8f, 1.0f, -1e8f}, {1, 1, 1}, 1)[0], 0.0f);
  EXPECT_EQ(sum({1e8f, -1e8f, 1.0f}, {1, 1, 1}, 1)[0], 1.0f);
}

TEST(Combine, SkipsGatesOfZero) {
  float nan = std::numeric_limits<float>::quiet_NaN();
  EXPECT_EQ(sum({nan, 2.0f, nan}, {0.0f, 0.5f, -0.0f}, 1)[0], 1.0f);
  EXPECT_TRUE(std::isnan(sum({nan, 2.0f}, {1e-30f, 1.0f}, 1)[0]));
  EXPECT_TRUE(std::isnan(sum({1.0f, 2.0f}, {nan, 1.0f}, 1)[0]));
  // Nothing selected is +0.
  float none = sum({1.0f, 2.0f}, {0.0f, 0.0f}, 1)[0];
  EXPECT_EQ(none, 0.0f);
  EXPECT_FALSE(std::signbit(none));
}

TEST(Combine, InvertsTheSumOfTransforms) {
  const int64_t experts = 8, tokens = 16, hidden = 64;
  for (int64_t n : {16, 32, 64}) {
    CombineTransform transform{hadamardSigns(n), HadamardNorm::Dyadic};
    std::vector<float> values = normalTensor(7, experts * tokens * hidden);
    std::vector<float> gates = normalTensor(8, experts * tokens);
    std::vector<float> transformed = values;
    for (size_t start = 0; start < values.size(); start += n)
      hadamardBlock(transformed.data() + start, n, transform.signs.data(),
                    transform.norm, /*inverse=*/false);
    std::vector<float> actual = sum(transformed, gates, tokens, &transform);
    for (int64_t token = 0; token < tokens; ++token)
      for (int64_t i = 0; i < hidden; ++i) {
        double exact = 0, bound = 0;
        for (int64_t e = 0; e < experts; ++e) {
          const float *row = &values[(e * tokens + token) * hidden];
          double gate = gates[e * tokens + token];
          exact += gate * row[i];
          // Every element of the group enters each of its sums.
          double norm = 0;
          for (int64_t k = i / n * n; k < i / n * n + n; ++k)
            norm += std::fabs(row[k]);
          bound += std::fabs(gate) * norm;
        }
        EXPECT_NEAR(actual[token * hidden + i], exact,
                    4 * std::ldexp(bound, -24));
      }
  }
}

TEST(Combine, RefusesWhatDoesNotFit) {
  float data[64] = {};
  auto view = [&](Dims shape) {
    return denseView(static_cast<const void *>(data), FloatType::F32, shape);
  };
  FloatView result = denseView(data, FloatType::F32, {2, 16});
  CombineTransform transform{hadamardSigns(32), HadamardNorm::Dyadic};
  EXPECT_FALSE(combine(view({2, 16}), view({2, 2}), nullptr, result).ok());
  EXPECT_FALSE(combine(view({2, 2, 16}), view({2, 1}), nullptr, result).ok());
  EXPECT_FALSE(combine(view({2, 2, 8}), view({2, 2}), nullptr, result).ok());
  EXPECT_FALSE(
      combine(view({2, 2, 16}), view({2, 2}), &transform, result).ok());
}

} // namespace
