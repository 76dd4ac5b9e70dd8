//===- PropertyTest.cpp - Properties of the formats -----------------------===//
//
// Part of the Lowp project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Tensor.h"
#include "lowp/Numerics/Contract.h"
#include <cmath>

using namespace lowp::numerics;
using namespace lowp::numerics::testing;

namespace {

QuantRule fourSix(FourSix metric = FourSix::MSE,
                  FourSixError error = FourSixError::Scaled) {
  QuantRule rule;
  rule.fourSix = metric;
  rule.fourSixError = error;
  return rule;
}

std::vector<float> spread(uint64_t seed, int64_t count) {
  Random random(seed);
  std::vector<float> x(count);
  for (float &value : x)
    value = static_cast<float>(random.normal() *
                               std::ldexp(1.0, int(random.bits() % 12) - 6));
  return x;
}

TEST(Property, RangeOfNvfp4) {
  Blocked tensor(nvfp4(), {{1, 16}, {}}, {1, 32});
  tensor.codes.assign(32, 1);
  tensor.codes[31] = 7;
  tensor.scales = {0x01, 0x7E};
  tensor.outer = {1.0f};
  std::vector<float> values = tensor.dequantize();
  EXPECT_EQ(values[0], 0x1p-10f);
  EXPECT_EQ(values[31], 2688.0f);
  tensor.outer = {2.0f};
  values = tensor.dequantize();
  EXPECT_EQ(values[0], 0x1p-9f);
  EXPECT_EQ(values[31], 5376.0f);
}

TEST(Property, WorkedExamples) {
  Blocked tensor =
      quantizeRow(nvfp4Single(), QuantRule(), padded({-54.0f}, 16));
  EXPECT_EQ(decode(kE4M3, tensor.scales[0]), 9.0f);
  EXPECT_EQ(decode(kE2M1, tensor.codes[0]), -6.0f);

  tensor = quantizeRow(nvfp4Single(), QuantRule(), padded({593.7f}, 16));
  EXPECT_EQ(decode(kE4M3, tensor.scales[0]), 96.0f);
  EXPECT_EQ(tensor.dequantize()[0], 576.0f);
  // 144 * 4 = 576 is a tie, which keeps 6.
  tensor = quantizeRow(nvfp4Single(), fourSix(), padded({593.7f}, 16));
  EXPECT_EQ(decode(kE4M3, tensor.scales[0]), 96.0f);
  EXPECT_EQ(tensor.pickedFour[0], 0);

  tensor = quantizeRow(nvfp4Single(), QuantRule(), padded({54.0f, 5.4f}, 16));
  EXPECT_EQ(tensor.dequantize()[1], 4.5f);
  unsigned up = 0;
  for (uint32_t word = 0; word < 256; ++word)
    up += encodeStochastic(kE2M1, 4.5f / 2, word, 8) == 5;
  EXPECT_EQ(up, 64u); // 3 with probability 1/4
}

TEST(Property, FourSixTakesTheExactCandidate) {
  std::vector<float> x = padded({10.0f, 20.0f, 30.0f, 40.0f}, 16);
  Blocked tensor = quantizeRow(nvfp4Single(), fourSix(), x);
  EXPECT_EQ(tensor.pickedFour[0], 1);
  EXPECT_EQ(tensor.dequantize(), x);
}

TEST(Property, FourSixIsNeverWorseThanSix) {
  std::vector<float> x = spread(1, 64 * 64);
  for (FourSix metric : {FourSix::MSE, FourSix::MAE, FourSix::AbsMax})
    for (FourSixError error : {FourSixError::Scaled, FourSixError::Dequantized})
      for (Dims block : {Dims{1, 16}, Dims{16, 16}}) {
        // The 6-candidate of the same outer scale.
        QuantRule six;
        six.outerMax = 1536.0f;
        Blocked chosen(nvfp4(), {block, {}}, {64, 64}), plain = chosen;
        ASSERT_TRUE(
            chosen.quantize(fourSix(metric, error), view(x, {64, 64})).ok());
        ASSERT_TRUE(plain.quantize(six, view(x, {64, 64})).ok());
        std::vector<float> a = chosen.dequantize(), b = plain.dequantize();
        for (int64_t r = 0; r < 64; r += block[0])
          for (int64_t c = 0; c < 64; c += 16) {
            double errorA = 0.0, errorB = 0.0;
            for (int64_t i = r; i < r + block[0]; ++i)
              for (int64_t k = c; k < c + 16; ++k) {
                double da = std::fabs(double(a[i * 64 + k]) - x[i * 64 + k]);
                double db = std::fabs(double(b[i * 64 + k]) - x[i * 64 + k]);
                if (metric == FourSix::AbsMax) {
                  errorA = std::max(errorA, da);
                  errorB = std::max(errorB, db);
                } else {
                  errorA += metric == FourSix::MSE ? da * da : da;
                  errorB += metric == FourSix::MSE ? db * db : db;
                }
              }
            EXPECT_LE(errorA, errorB * (1 + 1e-5));
          }
      }
}

TEST(Property, NearestIsOdd) {
  std::vector<float> x = spread(2, 512), negative;
  for (float value : x)
    negative.push_back(-value);
  for (const BlockFormat &format : kBlockFormats) {
    Blocked a = quantizeRow(format, QuantRule(), x);
    Blocked b = quantizeRow(format, QuantRule(), negative);
    EXPECT_EQ(a.scales, b.scales);
    std::vector<float> left = a.dequantize(), right = b.dequantize();
    for (size_t i = 0; i < x.size(); ++i)
      EXPECT_EQ(left[i], -right[i]) << format.name;
  }
}

TEST(Property, NearestIsEquivariantUnderPowersOfTwo) {
  std::vector<float> x = spread(3, 512);
  for (const BlockFormat &format : kBlockFormats)
    for (int k : {-40, -3, 1, 17}) {
      std::vector<float> scaled;
      for (float value : x)
        scaled.push_back(std::ldexp(value, k));
      Blocked a = quantizeRow(format, QuantRule(), x);
      Blocked b = quantizeRow(format, QuantRule(), scaled);
      EXPECT_EQ(a.codes, b.codes) << format.name;
      if (format.scale == &kUE8M0) {
        for (size_t i = 0; i < a.scales.size(); ++i)
          EXPECT_EQ(b.scales[i], a.scales[i] + k);
      } else {
        EXPECT_EQ(a.scales, b.scales) << format.name;
      }
    }
}

TEST(Property, QuantizedValuesStayWhereTheyAre) {
  std::vector<float> x = spread(4, 2048);
  for (const BlockFormat &format : kBlockFormats) {
    Blocked first = quantizeRow(format, QuantRule(), x);
    QuantizeInputs inputs;
    if (format.outer)
      inputs.givenOuter = first.outer.data();
    std::vector<float> values = first.dequantize();
    Blocked second = quantizeRow(format, QuantRule(), values, inputs);
    std::vector<float> again = second.dequantize();
    for (size_t i = 0; i < x.size(); ++i) {
      if (format.scale == &kUE4M3 && first.scales[i / 16] < 8)
        continue; // a subnormal scale is off by more than 1/16
      if (format.scale == &kFP32)
        EXPECT_NEAR(again[i], values[i], std::fabs(values[i]) * 0x1p-22);
      else
        EXPECT_EQ(again[i], values[i]) << format.name << " " << i;
    }
  }
  // Codes need not stay: 224.1 rounds to 224, which halves its scale.
  Blocked first = quantizeRow(mxfp8(), QuantRule(), padded({224.1f}, 32));
  Blocked second = quantizeRow(mxfp8(), QuantRule(), first.dequantize());
  EXPECT_EQ(first.scales[0], 127);
  EXPECT_EQ(second.scales[0], 126);
  EXPECT_EQ(second.dequantize()[0], 224.0f);
}

TEST(Property, TilesCommuteWithTransposition) {
  std::vector<float> x = spread(5, 40 * 50);
  x[3 * 50 + 7] = 4000.0f; // an outlier of one row
  for (const QuantRule &rule :
       {QuantRule(), fourSix(), fourSix(FourSix::AbsMax)}) {
    Blocked tile(nvfp4(), {{16, 16}, {}}, {40, 50});
    ASSERT_TRUE(tile.quantize(rule, view(x, {40, 50})).ok());
    Blocked transposed(nvfp4(), {{16, 16}, {}}, {50, 40});
    ASSERT_TRUE(
        transposed.quantize(rule, permuted(view(x, {40, 50}), {1, 0})).ok());
    if (rule.fourSix == FourSix::MSE)
      continue; // sums of rows and of columns round differently
    std::vector<uint8_t> codes(x.size()), scales(transposed.scales.size());
    transposeElements({40, 50}, 1, {1, 0}, tile.codes.data(), codes.data());
    transposeScales(nvfp4(), {40, 50}, {16, 16}, {1, 0}, tile.scales.data(),
                    scales.data());
    EXPECT_EQ(transposed.codes, codes);
    EXPECT_EQ(transposed.scales, scales);
  }
  // One-dimensional blocks see the outlier in one direction only.
  Blocked rows(nvfp4(), {{1, 16}, {}}, {40, 50});
  Blocked columns(nvfp4(), {{1, 16}, {}}, {50, 40});
  ASSERT_TRUE(rows.quantize(QuantRule(), view(x, {40, 50})).ok());
  ASSERT_TRUE(
      columns.quantize(QuantRule(), permuted(view(x, {40, 50}), {1, 0})).ok());
  std::vector<float> a = rows.dequantize(), b = columns.dequantize(),
                     moved(a.size());
  transposeElements({40, 50}, 4, {1, 0}, a.data(), moved.data());
  EXPECT_NE(moved, b);
}

TEST(Property, PerTokenScalesAreBatchInvariantAndCausal) {
  std::vector<float> x = spread(6, 6 * 64);
  std::vector<float> changed = x;
  for (int64_t k = 0; k < 64; ++k)
    changed[5 * 64 + k] *= 1000.0f; // the last token
  auto firstTokens = [](const std::vector<float> &values, int64_t tokens,
                        bool perToken) {
    Blocking blocking{{1, 16}, {}};
    if (perToken)
      blocking.outerAxes = {0};
    Blocked tensor(nvfp4(), blocking, {tokens, 64});
    std::vector<float> part(values.begin(), values.begin() + tokens * 64);
    EXPECT_TRUE(tensor.quantize(fourSix(), view(part, {tokens, 64})).ok());
    tensor.codes.resize(5 * 64);
    tensor.scales.resize(5 * 4);
    std::vector<uint32_t> bytes(tensor.codes.begin(), tensor.codes.end());
    bytes.insert(bytes.end(), tensor.scales.begin(), tensor.scales.end());
    for (size_t i = 0; i < (perToken ? 5 : 1); ++i)
      bytes.push_back(toBits(tensor.outer[i]));
    return bytes;
  };
  for (const std::vector<float> &values : {x, changed})
    EXPECT_EQ(firstTokens(values, 6, true), firstTokens(x, 5, true));
  // A per-tensor scale sees the last token.
  EXPECT_NE(firstTokens(changed, 6, false), firstTokens(x, 6, false));
}

TEST(Property, ScalesNeverHaveTheSignBit) {
  Random random(7);
  for (int i = 0; i < 300; ++i) {
    std::vector<float> x(64);
    for (float &value : x)
      value = fromBits(random.bits());
    for (NonFinite policy : {NonFinite::Propagate, NonFinite::Saturate})
      for (const RulePreset preset :
           {RulePreset{"default", QuantRule()},
            RulePreset{"te", *findRulePreset("te")},
            RulePreset{"torchao", *findRulePreset("torchao")},
            RulePreset{"ct", *findRulePreset("compressed_tensors")}}) {
        QuantRule rule = preset.rule;
        rule.nonfinite = policy;
        for (uint8_t scale : quantizeRow(nvfp4(), rule, x).scales)
          EXPECT_LE(scale, 0x7F) << preset.name;
        for (uint8_t scale : quantizeRow(nvfp4Single(), rule, x).scales)
          EXPECT_LE(scale, 0x7F) << preset.name;
      }
  }
}

TEST(Property, WithinHalfAGapOfTheValue) {
  // Nearest rounding under a scale that does not clip: the code is the nearest
  // of all codes of the block's grid.
  Random random(8);
  for (const BlockFormat &format : kBlockFormats) {
    if (format.outer)
      continue;
    std::vector<float> x = spread(9, 8 * format.blockSize);
    Blocked tensor = quantizeRow(format, QuantRule(), x);
    for (size_t i = 0; i < x.size(); ++i) {
      size_t block = i / format.blockSize;
      double scale = format.scale == &kFP32
                         ? tensor.scalesF32[block]
                         : decodeScaleByte(*format.scale, tensor.scales[block]);
      double chosen =
          std::fabs(decode(*format.element, tensor.codes[i]) * scale - x[i]);
      for (uint32_t code = 0; code <= format.element->maxCode(); ++code) {
        double other =
            std::fabs(decode(*format.element, code) * scale - std::fabs(x[i]));
        EXPECT_LE(chosen, other + std::fabs(x[i]) * 0x1p-22) << format.name;
      }
    }
  }
}

TEST(Property, NanTokenReachesItsOwnOutputsOnly) {
  const int64_t tokens = 5, K = 48, N = 4;
  std::vector<float> x = normalTensor(31, tokens * K);
  std::vector<float> w = normalTensor(32, N * K);
  auto forward = [&](const std::vector<float> &values) {
    Blocked lhs(nvfp4(), {{1, 16}, {0}}, {tokens, K});
    Blocked rhs(nvfp4(), {{1, 16}, {}}, {N, K});
    EXPECT_TRUE(lhs.quantize(QuantRule(), view(values, {tokens, K})).ok());
    EXPECT_TRUE(rhs.quantize(QuantRule(), view(w, {N, K})).ok());
    ContractOperand a, b;
    a.format = b.format = &nvfp4();
    a.blocking = lhs.blocking;
    b.blocking = rhs.blocking;
    a.shape = lhs.shape;
    b.shape = rhs.shape;
    a.data = lhs.data();
    b.data = rhs.data();
    std::vector<float> result(tokens * N);
    EXPECT_TRUE(contract(a, b,
                         denseView(static_cast<void *>(result.data()),
                                   FloatType::F32, {tokens, N}))
                    .ok());
    return result;
  };
  std::vector<float> clean = forward(x);
  for (float special : {fromBits(0x7FC00000u), fromBits(0x7F800000u)}) {
    std::vector<float> hurt = x;
    hurt[2 * K + 7] = special;
    std::vector<float> result = forward(hurt);
    for (int64_t i = 0; i < tokens * N; ++i)
      if (i / N == 2)
        EXPECT_TRUE(isNan(result[i]));
      else
        EXPECT_EQ(toBits(result[i]), toBits(clean[i]));
  }
}

} // namespace
