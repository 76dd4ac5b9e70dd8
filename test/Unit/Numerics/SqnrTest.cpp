//===- SqnrTest.cpp - Error of the formats on known distributions ---------===//
//
// Part of the Lowp project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Tensor.h"
#include "lowp/Numerics/Hadamard.h"
#include "lowp/Numerics/Metrics.h"
#include <cmath>
#include <iostream>
#include <limits>

using namespace lowp::numerics;
using namespace lowp::numerics::testing;

namespace {

constexpr int64_t kRows = 512, kCols = 256;
const Dims kShape{kRows, kCols};

enum Distribution { Normal, Laplace, SparseOutliers, ChannelOutliers };

std::vector<float> sample(Distribution distribution) {
  Random random(42 + distribution);
  std::vector<float> x(kRows * kCols);
  for (int64_t i = 0; i < kRows * kCols; ++i) {
    double value = distribution == Laplace ? random.laplace() : random.normal();
    if (distribution == SparseOutliers && random.uniform() < 0.001)
      value *= 50;
    if (distribution == ChannelOutliers &&
        (i % kCols == 40 || i % kCols == 200))
      value *= 30;
    x[i] = toBf16(value);
  }
  return x;
}

/// Standard deviation of the column of sparse outliers, 131 of 131072 values
/// of which carry the signal.
constexpr double kSparse = 0.5;

double sqnr(const std::vector<float> &x, const BlockFormat &format,
            const QuantRule &rule, Blocking blocking) {
  Blocked tensor(format, std::move(blocking), kShape);
  Status status = tensor.quantize(rule, view(x, kShape));
  EXPECT_TRUE(status.ok()) << status.message();
  std::vector<float> values = tensor.dequantize();
  return sqnrDb(x.data(), values.data(), kRows * kCols);
}

/// Transformed, quantised, dequantised, transformed back.
double sqnrRht(const std::vector<float> &x,
               HadamardNorm norm = HadamardNorm::Dyadic) {
  std::vector<float> y(x.size());
  FloatView target =
      denseView(static_cast<void *>(y.data()), FloatType::F32, kShape);
  std::vector<int8_t> signs = hadamardSigns(32);
  EXPECT_TRUE(
      hadamard(view(x, kShape), 1, 32, signs, norm, false, target).ok());
  Blocked tensor(mxs2f6(), {{1, 32}, {}}, kShape);
  EXPECT_TRUE(tensor.quantize(QuantRule(), view(y, kShape)).ok());
  std::vector<float> values = tensor.dequantize();
  EXPECT_TRUE(
      hadamard(view(values, kShape), 1, 32, signs, norm, true, target).ok());
  return sqnrDb(x.data(), y.data(), kRows * kCols);
}

struct Row {
  const char *name;
  double expected[4];
  double (*measure)(const std::vector<float> &);
  /// Standard deviation between samples, where it is not small against the
  /// band. Under `floor` it is the clipping of outliers that carries the error.
  double spread[4] = {0, 0, 0, 0};
};

QuantRule withScale(ScaleRule scale) {
  QuantRule rule;
  rule.scale = scale;
  return rule;
}

QuantRule stochasticRule() {
  QuantRule rule;
  rule.round = RoundingMode::Stochastic;
  rule.sfRound = ScaleRound::Up;
  return rule;
}

const Row kRowsOfTable[] = {
    {"NVFP4 per token",
     {20.43, 20.71, 23.39, 22.03},
     [](const std::vector<float> &x) {
       return sqnr(x, nvfp4(), QuantRule(), {{1, 16}, {0}});
     }},
    {"NVFP4 16x16 per tensor",
     {19.06, 17.74, 14.08, 16.35},
     [](const std::vector<float> &x) {
       return sqnr(x, nvfp4(), QuantRule(), {{16, 16}, {}});
     }},
    {"NVFP4 4/6 MSE",
     {21.22, 21.26, 23.77, 22.15},
     [](const std::vector<float> &x) {
       QuantRule rule;
       rule.fourSix = FourSix::MSE;
       return sqnr(x, nvfp4(), rule, {{1, 16}, {0}});
     }},
    {"NVFP4 SR",
     {16.62, 16.61, 18.62, 17.61},
     [](const std::vector<float> &x) {
       return sqnr(x, nvfp4(), stochasticRule(), {{1, 16}, {0}});
     }},
    {"MXFP4 rceil",
     {18.79, 17.50, 17.56, 15.99},
     [](const std::vector<float> &x) {
       return sqnr(x, mxfp4(), QuantRule(), {{1, 32}, {}});
     }},
    {"MXFP4 floor",
     {18.83, 17.98, 17.00, 15.86},
     [](const std::vector<float> &x) {
       return sqnr(x, mxfp4(), withScale(ScaleRule::Floor), {{1, 32}, {}});
     }},
    {"MXFP8 rceil",
     {31.49, 31.43, 31.95, 31.26},
     [](const std::vector<float> &x) {
       return sqnr(x, mxfp8(), QuantRule(), {{1, 32}, {}});
     }},
    {"MXFP8 floor",
     {30.71, 30.20, 29.52, 28.72},
     [](const std::vector<float> &x) {
       return sqnr(x, mxfp8(), withScale(ScaleRule::Floor), {{1, 32}, {}});
     },
     {0, 0, 2 * kSparse, 0.4}},
    {"MXFP8 SR",
     {28.53, 28.50, 28.40, 28.39},
     [](const std::vector<float> &x) {
       return sqnr(x, mxfp8(), stochasticRule(), {{1, 32}, {}});
     },
     {0, 0, kSparse, 0}},
    {"S2F6",
     {41.30, 39.74, 35.17, 34.83},
     [](const std::vector<float> &x) {
       return sqnr(x, mxs2f6(), QuantRule(), {{1, 32}, {}});
     },
     {0, 0, kSparse, 0}}};

class SqnrTest : public ::testing::TestWithParam<Row> {};

TEST_P(SqnrTest, LiesInItsBand) {
  const Row &row = GetParam();
  for (Distribution distribution :
       {Normal, Laplace, SparseOutliers, ChannelOutliers}) {
    double measured = row.measure(sample(distribution));
    EXPECT_NEAR(measured, row.expected[distribution],
                0.3 + 2 * row.spread[distribution])
        << row.name << " " << distribution;
  }
}

INSTANTIATE_TEST_SUITE_P(Table, SqnrTest, ::testing::ValuesIn(kRowsOfTable),
                         [](const auto &info) {
                           std::string name = info.param.name;
                           for (char &c : name)
                             if (!std::isalnum(static_cast<unsigned char>(c)))
                               c = '_';
                           return name;
                         });

TEST(Sqnr, S2F6WithRht32) {
  EXPECT_NEAR(sqnrRht(sample(Laplace)), 41.96, 0.3);
  EXPECT_NEAR(sqnrRht(sample(SparseOutliers)), 45.43, 0.3 + 2 * kSparse);
  EXPECT_NEAR(sqnrRht(sample(ChannelOutliers)), 46.22, 0.3);
  // A rotated Gaussian is a Gaussian. The orthonormal transform keeps its
  // deviation; the dyadic one multiplies it by sqrt(2), which moves the values
  // against the powers of two of the scales.
  std::vector<float> x = sample(Normal), wider;
  EXPECT_NEAR(sqnrRht(x, HadamardNorm::Orthonormal), 41.63, 0.3);
  for (float value : x)
    wider.push_back(value * 1.41421356f);
  EXPECT_NEAR(sqnrRht(x), sqnr(wider, mxs2f6(), QuantRule(), {{1, 32}, {}}),
              0.3);
}

/// A sum of eight payloads with outlier channels, each sent through
/// `transmit`, against the sum of what was sent.
template <typename Transmit>
double combineSqnr(Transmit transmit) {
  constexpr int kExperts = 8;
  Random random(77);
  std::vector<float> expected(kRows * kCols), sum(kRows * kCols);
  for (int expert = 0; expert < kExperts; ++expert) {
    std::vector<float> payload(kRows * kCols), gates(kRows);
    for (int64_t i = 0; i < kRows * kCols; ++i)
      payload[i] = static_cast<float>(
          random.normal() * (i % kCols == 40 || i % kCols == 200 ? 25.0 : 1.0));
    for (float &gate : gates)
      gate = toBf16(0.05 + 0.15 * random.uniform());
    std::vector<float> received = transmit(payload);
    for (int64_t i = 0; i < kRows * kCols; ++i) {
      float gate = gates[i / kCols];
      expected[i] = std::fma(gate, payload[i], expected[i]);
      sum[i] = std::fma(gate, received[i], sum[i]);
    }
  }
  return sqnrDb(expected.data(), sum.data(), kRows * kCols);
}

std::vector<float> throughFormat(const BlockFormat &format,
                                 const std::vector<float> &payload) {
  Blocked tensor(format, {{1, 32}, {}}, kShape);
  EXPECT_TRUE(tensor.quantize(QuantRule(), view(payload, kShape)).ok());
  return tensor.dequantize();
}

std::vector<float> throughRht32(const std::vector<float> &values,
                                bool inverse) {
  std::vector<float> result(values.size());
  EXPECT_TRUE(hadamard(view(values, kShape), 1, 32, hadamardSigns(32),
                       HadamardNorm::Dyadic, inverse,
                       denseView(static_cast<void *>(result.data()),
                                 FloatType::F32, kShape))
                  .ok());
  return result;
}

TEST(Sqnr, CombineOfEightPayloads) {
  double bf16 = combineSqnr([](std::vector<float> payload) {
    for (float &value : payload)
      value = toBf16(value);
    return payload;
  });
  double mx = combineSqnr([](const std::vector<float> &payload) {
    return throughFormat(mxfp8(), payload);
  });
  double s2f6 = combineSqnr([](const std::vector<float> &payload) {
    return throughFormat(mxs2f6(), payload);
  });
  double rht = combineSqnr([](const std::vector<float> &payload) {
    return throughRht32(throughFormat(mxs2f6(), throughRht32(payload, false)),
                        true);
  });
  // Where the outliers lie and how large the gates are moves all four: the
  // band is wider than that of single tensors.
  EXPECT_NEAR(bf16, 55.1, 1.0);
  EXPECT_NEAR(mx, 31.4, 0.5);
  EXPECT_NEAR(s2f6, 34.7, 1.0);
  EXPECT_NEAR(rht, 45.7, 1.0);
  EXPECT_GT(rht, s2f6 + 10);
  EXPECT_GT(rht, mx + 14);
}

TEST(Sqnr, RhtWithS2F6BeatsMxfp8) {
  for (Distribution distribution :
       {Normal, Laplace, SparseOutliers, ChannelOutliers}) {
    std::vector<float> x = sample(distribution);
    EXPECT_GE(sqnrRht(x), sqnr(x, mxfp8(), QuantRule(), {{1, 32}, {}}) + 6.0)
        << distribution;
  }
}

TEST(Sqnr, LimitsOfTheMeasure) {
  const float x[] = {1.0f, -2.0f}, y[] = {1.0f, -1.0f}, zero[] = {0.0f, 0.0f};
  EXPECT_DOUBLE_EQ(sqnrDb(x, y, 2), 10.0 * std::log10(5.0));
  EXPECT_EQ(sqnrDb(x, x, 2), std::numeric_limits<double>::infinity());
  EXPECT_EQ(sqnrDb(zero, zero, 2), std::numeric_limits<double>::infinity());
  EXPECT_EQ(sqnrDb(zero, y, 2), -std::numeric_limits<double>::infinity());
  EXPECT_EQ(sqnrDb(x, y, 0), std::numeric_limits<double>::infinity());
  const float nan[] = {1.0f, fromBits(0x7FC00000u)};
  EXPECT_TRUE(std::isnan(sqnrDb(x, nan, 2)));
  std::vector<float> left{1, 2, 3, 4}, right{1, 3, 2, 5};
  EXPECT_EQ(sqnrDb(view(left, {2, 2}), permuted(view(right, {2, 2}), {1, 0})),
            10.0 * std::log10(30.0));
}

} // namespace
