//===- CasesTest.cpp - Faults that users of other systems met -------------===//
//
// Part of the Lowp project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

// Public bug reports as tests. A test is named after its row: RowN of the table
// of faults, ValueN of the table of single values met in other libraries.

#include "Tensor.h"
#include "lowp/Numerics/Contract.h"
#include "lowp/Numerics/Hadamard.h"
#include <cmath>

using namespace lowp::numerics;
using namespace lowp::numerics::testing;

namespace {

using Codes = std::vector<uint8_t>;

QuantRule scaleRule(ScaleRule scale) {
  QuantRule rule;
  rule.scale = scale;
  return rule;
}

QuantRule te() {
  QuantRule rule;
  rule.sfArith = ScaleArith::TE;
  return rule;
}

BlockFormat e2m3Block() { return *findBlockFormat("mxfp6_e2m3"); }

/// Scale byte and first code of a block that starts with `values`.
std::pair<int, int> firstOf(const BlockFormat &format, ScaleRule rule,
                            std::vector<float> values) {
  Blocked tensor = quantizeRow(format, scaleRule(rule),
                               padded(std::move(values), format.blockSize));
  return {tensor.scales[0], tensor.codes[0]};
}

uint8_t encodeUnder(const BlockFormat &format, uint8_t byte, float value,
                    const OuterScale &outer = {}) {
  BlockScale scale = blockScaleFromByte(format, QuantRule(), byte, outer);
  return static_cast<uint8_t>(
      encodeNearest(*format.element, scale.apply(value)));
}

Codes encodeAll(const ElementFormat &format, std::vector<float> values,
                Overflow overflow = Overflow::Saturate) {
  Codes codes;
  for (float value : values)
    codes.push_back(
        static_cast<uint8_t>(encodeNearest(format, value, overflow)));
  return codes;
}

const float kNan = fromBits(0x7FC00000u);
const float kInf = fromBits(0x7F800000u);

//===----------------------------------------------------------------------===//
// Scale computation and rounding
//===----------------------------------------------------------------------===//

TEST(Cases, Row1) {
  EXPECT_EQ(encodeUnder(mxfp4(), 126, -0.625f), 0xA);
  EXPECT_EQ(encodeUnder(mxfp4(), 128, fromBits(0x3F000000u)), 0);
  EXPECT_EQ(encodeUnder(mxfp4(), 128, fromBits(0x3F000003u)), 1);
}

TEST(Cases, Row2) {
  EXPECT_EQ(
      encodeAll(kE2M1, {-0.0f, 0.25f, -0.25f, -0.3f, 0.75f, 1.25f, 1.75f, 2.5f,
                        3.5f, 5.0f, -1.25f, 0.25000006f, kInf, -kInf, kNan}),
      (Codes{8, 0, 8, 9, 2, 2, 4, 4, 6, 6, 10, 1, 7, 15, 7}));
}

TEST(Cases, Row4) {
  std::vector<float> x{957.0f, 959.5632f};
  EXPECT_EQ(firstOf(mxfp8(), ScaleRule::Floor, x), std::pair(128, 0x7E));
  EXPECT_EQ(firstOf(mxfp8(), ScaleRule::RCeil, x), std::pair(129, 0x77));
}

TEST(Cases, Row5) {
  EXPECT_EQ(encodeUE8M0(1.125f, NumberRound::Up), 0x80);
  EXPECT_EQ(encodeUE8M0(1.25f, NumberRound::Up), 0x80);
  EXPECT_EQ(encodeUE8M0(5.0f, NumberRound::Up), 0x82);
  EXPECT_EQ(encodeUE8M0(1.0f, NumberRound::Up), 0x7F);
}

TEST(Cases, Row7) {
  EXPECT_EQ(firstOf(mxfp4(), ScaleRule::Floor, {1.2f}), std::pair(125, 6));
  EXPECT_EQ(firstOf(mxfp4(), ScaleRule::Floor, {2.7f}), std::pair(126, 7));
  EXPECT_EQ(firstOf(mxfp4(), ScaleRule::Floor, {5.5f}), std::pair(127, 7));
}

TEST(Cases, Row8) {
  struct {
    float amax;
    int floor, rceil, even;
  } rows[] = {{6.0f, 127, 127, 127}, {6.5f, 127, 128, 127},
              {7.0f, 127, 128, 128}, {7.5f, 127, 128, 128},
              {8.0f, 128, 128, 128}, {0.0f, 0, 0, 0}};
  for (const auto &row : rows) {
    EXPECT_EQ(ue8m0FromAmax(kE2M1, ScaleRule::Floor, row.amax), row.floor);
    EXPECT_EQ(ue8m0FromAmax(kE2M1, ScaleRule::RCeil, row.amax), row.rceil);
    EXPECT_EQ(ue8m0FromAmax(kE2M1, ScaleRule::Even, row.amax), row.even);
  }
  EXPECT_EQ(firstOf(mxfp4(), ScaleRule::Floor, {7.0f}).second, 7);
  EXPECT_EQ(firstOf(mxfp4(), ScaleRule::RCeil, {7.0f}).second, 6);
}

TEST(Cases, Row10) {
  EXPECT_EQ(firstOf(mxfp8(), ScaleRule::Floor, {1.0f}).first, 119);
  EXPECT_EQ(firstOf(mxfp8(), ScaleRule::RCeil, {1.0f}).first, 119);
}

TEST(Cases, Row11) {
  EXPECT_EQ(firstOf(e2m3Block(), ScaleRule::Even, {5.0f}).first, 127);
  EXPECT_EQ(firstOf(e2m3Block(), ScaleRule::Even, {7.5f}).first, 127);
  EXPECT_EQ(firstOf(e2m3Block(), ScaleRule::Even, {7.9f}).first, 128);
}

TEST(Cases, Row13) {
  float floorCase = fromBits(0x43FFFFFFu), rceilCase = fromBits(0x40600001u);
  EXPECT_EQ(firstOf(mxfp8(), ScaleRule::Floor, {floorCase}),
            std::pair(127, 0x7E));
  EXPECT_EQ(firstOf(mxfp8(), ScaleRule::Floor, {toBf16(floorCase)}),
            std::pair(128, 0x78));
  EXPECT_EQ(firstOf(mxfp8(), ScaleRule::RCeil, {rceilCase}),
            std::pair(121, 0x76));
  EXPECT_EQ(firstOf(mxfp8(), ScaleRule::RCeil, {toBf16(rceilCase)}),
            std::pair(120, 0x7E));
}

TEST(Cases, Row14) {
  // Just below 1.75 * 2^-7 * 7/4: by exact division code 3, by the reciprocal
  // that the definition multiplies by, code 4.
  EXPECT_EQ(encodeUnder(nvfp4Single(), 0x07, fromBits(0x3CC3FFFFu)), 4);
  // All scales x boundaries x a few steps: the product crosses a boundary only
  // within two steps of it, and never further than to the neighbouring code.
  const double boundaries[] = {0.25, 0.75, 1.25, 1.75, 2.5, 3.5, 5.0};
  for (unsigned byte = 1; byte < 0x7F; ++byte)
    for (unsigned i = 0; i < 7; ++i) {
      double boundary = boundaries[i] * decode(kE4M3, byte);
      uint32_t bits = toBits(static_cast<float>(boundary));
      for (int step = -3; step <= 3; ++step) {
        float value = fromBits(bits + static_cast<uint32_t>(step));
        unsigned code =
            encodeUnder(nvfp4Single(), static_cast<uint8_t>(byte), value);
        if (step == -3)
          EXPECT_EQ(code, i);
        else if (step == 3)
          EXPECT_EQ(code, i + 1);
        else
          EXPECT_TRUE(code == i || code == i + 1);
      }
    }
}

TEST(Cases, Row16) {
  for (const QuantRule &rule : {QuantRule(), te()}) {
    Blocked tensor =
        quantizeRow(nvfp4(), rule, padded({6.0f, 3.0f, 1.25f, -0.25f}, 16));
    EXPECT_EQ(tensor.scales, Codes{0x7E});
    EXPECT_EQ(Codes(tensor.codes.begin(), tensor.codes.begin() + 5),
              (Codes{7, 5, 2, 8, 0}));
    tensor = quantizeRow(nvfp4(), rule, std::vector<float>(16, 1.0f));
    EXPECT_EQ(tensor.scales, Codes{0x7E});
    EXPECT_EQ(tensor.codes, Codes(16, 7));
    tensor = quantizeRow(nvfp4(), rule, padded({2688.0f}, 16, 1.0f));
    EXPECT_EQ(tensor.scales, Codes{0x7E});
    Codes expected(16, 0);
    expected[0] = 7;
    EXPECT_EQ(tensor.codes, expected);
    tensor = quantizeRow(nvfp4(), rule, std::vector<float>(16, 0.0f));
    EXPECT_EQ(tensor.scales, Codes{0});
    EXPECT_EQ(tensor.codes, Codes(16, 0));
  }
}

TEST(Cases, Row17) {
  Blocked tensor =
      quantizeRow(nvfp4Single(), QuantRule(), padded({1.0f, 0.125f}, 16));
  EXPECT_EQ(tensor.scales, Codes{0x23});
  EXPECT_EQ(decode(kE4M3, 0x23), 0.171875f);
  EXPECT_EQ(tensor.codes[1], 1);
}

TEST(Cases, Row19) {
  EXPECT_EQ(decodeScaleByte(kUE4M3, 0x01), 0x1p-9f);
  EXPECT_EQ(decodeScaleByte(kUE4M3, 0x07), 0.013671875f);
  EXPECT_EQ(decodeScaleByte(kUE4M3, 0x08), 0x1p-6f);
}

TEST(Cases, Row20) {
  EXPECT_EQ(encodeSmallFloatScale(kUE4M3, 449.0f), 0x7E);
  EXPECT_EQ(encodeSmallFloatScale(kUE4M3, 480.0f), 0x7E);
  EXPECT_EQ(encodeSmallFloatScale(kUE4M3, kInf), 0x7E);
  EXPECT_TRUE(isNan(decodeScaleByte(kUE4M3, 0x7F)));
}

TEST(Cases, Row22) {
  // The scale of a block depends on the block alone, at any block size.
  for (int64_t block : {16, 32, 64, 128, 256, 512}) {
    std::vector<float> x = normalTensor(block, 3 * block);
    Blocked clean(mxfp8(), {{1, block}, {}}, {1, 3 * block}), hurt = clean;
    ASSERT_TRUE(clean.quantize(QuantRule(), view(x, {1, 3 * block})).ok());
    x[0] = x[3 * block - 1] = 1e30f;
    ASSERT_TRUE(hurt.quantize(QuantRule(), view(x, {1, 3 * block})).ok());
    EXPECT_EQ(hurt.scales[1], clean.scales[1]);
    EXPECT_NE(hurt.scales[0], clean.scales[0]);
    EXPECT_TRUE(std::equal(clean.codes.begin() + block,
                           clean.codes.begin() + 2 * block,
                           hurt.codes.begin() + block));
  }
}

TEST(Cases, Row23) {
  std::vector<float> x(64, 6.0f);
  std::fill(x.begin() + 32, x.end(), 0.25f);
  Blocked tensor(mxfp4(), {{1, 32}, {}}, {2, 32});
  ASSERT_TRUE(tensor.quantize(QuantRule(), view(x, {2, 32})).ok());
  EXPECT_EQ(tensor.scales, (Codes{127, 123}));
}

TEST(Cases, Row25) {
  // 3.0 as a UE8M0 scale: by the rule that the caller names.
  EXPECT_EQ(encodeUE8M0(3.0f, NumberRound::TowardZero), 128);
  EXPECT_EQ(encodeUE8M0(3.0f, NumberRound::Up), 129);
  EXPECT_EQ(encodeUE8M0(3.0f, NumberRound::Nearest), 128);
}

TEST(Cases, Row26) { EXPECT_EQ(decodeUE8M0(0x7F), 1.0f); }

TEST(Cases, Row28) {
  QuantRule rule;
  rule.fourSix = FourSix::MAE;
  for (FourSixError error : {FourSixError::Scaled, FourSixError::Dequantized}) {
    rule.fourSixError = error;
    Blocked tensor = quantizeRow(nvfp4(), rule, padded({6.0f}, 16, 5.0f));
    EXPECT_EQ(tensor.pickedFour, Codes{1});
    EXPECT_EQ(tensor.scales, Codes{0x7C});
    Codes four(16, 5);
    four[0] = 6;
    EXPECT_EQ(tensor.codes, four);
    tensor = quantizeRow(nvfp4(), rule, padded({6.0f}, 16, 3.0f));
    EXPECT_EQ(tensor.pickedFour, Codes{0});
    EXPECT_EQ(tensor.scales, Codes{0x78});
    Codes six(16, 5);
    six[0] = 7;
    EXPECT_EQ(tensor.codes, six);
  }
}

//===----------------------------------------------------------------------===//
// Stochastic rounding and random bits
//===----------------------------------------------------------------------===//

TEST(Cases, Row31) {
  struct {
    float value;
    unsigned low, lowCount, high;
  } rows[] = {{0.3f, 0, 103, 1}, {1.25f, 2, 128, 3}, {2.5f, 4, 128, 5},
              {3.9f, 5, 26, 6},  {5.0f, 6, 128, 7},  {0.05f, 0, 231, 1},
              {1.99f, 3, 6, 4},  {4.0f, 6, 256, 6},  {6.5f, 7, 256, 7}};
  for (const auto &row : rows)
    for (bool negative : {false, true}) {
      unsigned low = 0, high = 0, sign = negative ? 8 : 0;
      for (uint32_t word = 0; word < 256; ++word) {
        uint32_t code =
            encodeStochastic(kE2M1, negative ? -row.value : row.value, word, 8);
        low += code == (row.low | sign);
        high += code == (row.high | sign);
      }
      EXPECT_EQ(low, row.lowCount) << row.value;
      if (row.low != row.high) {
        EXPECT_EQ(high, 256 - row.lowCount) << row.value;
      }
    }
}

//===----------------------------------------------------------------------===//
// Hadamard
//===----------------------------------------------------------------------===//

TEST(Cases, Row38) {
  std::vector<int8_t> signs = hadamardSigns(16);
  std::vector<float> x(16, 1.0f);
  hadamardBlock(x.data(), 16, signs.data(), HadamardNorm::Dyadic, false);
  EXPECT_EQ(x, (std::vector<float>{-1, 0, 1, 0, 1, 0, -1, 0, 1, 2, 1, 0, 1, 0,
                                   1, -2}));
  std::vector<float> unit(16, 0.0f);
  unit[3] = 1.0f;
  hadamardBlock(unit.data(), 16, signs.data(), HadamardNorm::Dyadic, false);
  for (int i = 0; i < 16; ++i)
    EXPECT_EQ(unit[i], i % 4 == 0 || i % 4 == 3 ? -0.25f : 0.25f);
}

TEST(Cases, Row40) {
  for (int64_t n : {16, 32, 64, 128}) {
    std::vector<int8_t> plain(n, 1);
    for (int64_t i = 0; i < n; ++i) {
      // Rows of H by unit vectors; H times a row of H is n at its place.
      std::vector<float> row(n, 0.0f);
      row[i] = 1.0f;
      for (int pass = 0; pass < 2; ++pass) {
        hadamardBlock(row.data(), n, plain.data(), HadamardNorm::Dyadic, false);
        for (float &value : row)
          value /= hadamardFactor(n, HadamardNorm::Dyadic, false);
      }
      for (int64_t j = 0; j < n; ++j)
        EXPECT_EQ(row[j], i == j ? float(n) : 0.0f);
    }
  }
}

TEST(Cases, Row41) {
  std::vector<float> x(13696, 1.0f), y(13696);
  FloatView target =
      denseView(static_cast<void *>(y.data()), FloatType::F32, {1, 13696});
  EXPECT_TRUE(hadamard(view(x, {1, 13696}), 1, 16, hadamardSigns(16),
                       HadamardNorm::Dyadic, false, target)
                  .ok());
  EXPECT_EQ(hadamard(view(x, {1, 13696}), 1, 13696, hadamardSigns(13696),
                     HadamardNorm::Dyadic, false, target)
                .message(),
            "expects a transform of size 16, 32, 64 or 128, but got 13696");
}

//===----------------------------------------------------------------------===//
// NaN, Inf, zero, tiny blocks, neutral scales
//===----------------------------------------------------------------------===//

TEST(Cases, Row46) {
  EXPECT_EQ(decodeUE8M0(134), 128.0f);
  EXPECT_TRUE(isNan(decodeUE8M0(255)));
}

TEST(Cases, Row49) {
  EXPECT_EQ(toBits(reciprocalUE8M0(254)), 0x00400000u);
  std::vector<float> x = padded({kInf, -kInf, 1.0f}, 32);
  QuantRule rule;
  Blocked tensor = quantizeRow(mxfp8(), rule, x);
  EXPECT_EQ(tensor.scales, Codes{0xFF});
  EXPECT_EQ(tensor.codes, Codes(32, 0));
  rule.nonfinite = NonFinite::Saturate;
  tensor = quantizeRow(mxfp8(), rule, x);
  EXPECT_EQ(tensor.codes[0], 0x7E);
  EXPECT_EQ(tensor.codes[1], 0xFE);
}

TEST(Cases, Row50) {
  EXPECT_EQ(encodeUE8M0(fromBits(0x00400000u), NumberRound::Up), 0);
  EXPECT_EQ(encodeUE8M0(fromBits(0x80400000u), NumberRound::TowardZero), 0);
  EXPECT_EQ(encodeUE8M0(fromBits(0x3FFFFFFFu), NumberRound::TowardZero), 127);
}

TEST(Cases, Row52) {
  EXPECT_EQ(encodeAll(kE4M3, {465.0f, -465.0f}), (Codes{0x7E, 0xFE}));
  EXPECT_EQ(encodeAll(kE4M3, {464.0f, 465.0f}, Overflow::NonFinite),
            (Codes{0x7E, 0x7F}));
}

TEST(Cases, Row53) {
  std::vector<float> x = padded({6.0f}, 32, 1e-6f);
  std::fill(x.begin() + 1, x.begin() + 16, 0.0f);
  Blocked tensor = quantizeRow(nvfp4(), *findRulePreset("te"), x);
  EXPECT_EQ(tensor.scales[1], 0);
  EXPECT_EQ(tensor.codes[20], 7);
  EXPECT_EQ(tensor.dequantize()[20], 0.0f);
  tensor = quantizeRow(nvfp4(), QuantRule(), x);
  EXPECT_EQ(tensor.scales[1], 0);
  EXPECT_EQ(tensor.codes[20], 0);
  std::fill(x.begin() + 16, x.end(), 0.0f);
  for (const char *preset :
       {"default", "te", "fouroversix", "torchao", "compressed_tensors"}) {
    tensor = quantizeRow(nvfp4(), *findRulePreset(preset), x);
    EXPECT_EQ(Codes(tensor.codes.begin() + 16, tensor.codes.end()),
              Codes(16, 0))
        << preset;
  }
}

TEST(Cases, Row55) {
  EXPECT_EQ(encodeUnder(mxfp4(), 0, 0.0f), 0);
  EXPECT_EQ(firstOf(mxfp4(), ScaleRule::RCeil, {0.0f}), std::pair(0, 0));
}

TEST(Cases, Row58) {
  std::vector<float> x = normalTensor(1, 64);
  Blocked w(mxfp8(), {{1, 32}, {}}, {1, 64});
  w.codes.assign(64, 0x38);
  auto dot = [&] {
    ContractOperand lhs, rhs;
    lhs.plain = view(x, {1, 64});
    rhs.format = &w.format;
    rhs.blocking = w.blocking;
    rhs.shape = w.shape;
    rhs.data = w.data();
    float result = 0.0f;
    EXPECT_TRUE(contract(lhs, rhs,
                         denseView(static_cast<void *>(&result), FloatType::F32,
                                   {1, 1}))
                    .ok());
    return result;
  };
  w.scales = {127, 127};
  float plain = dot();
  w.scales = {128, 128};
  EXPECT_EQ(dot(), 2 * plain);
}

/// Contraction of two [2, K] operands of ones whose scales run through
/// `scales` along k, cut into `slices` along k.
std::vector<float> sliced(int64_t block, Codes scales, int slices,
                          bool poison = false) {
  int64_t perSlice = static_cast<int64_t>(scales.size()) / slices;
  std::vector<float> sum(4, 0.0f);
  for (int slice = 0; slice < slices; ++slice) {
    Blocked x(mxfp8(), {{1, block}, {}}, {2, perSlice * block});
    x.codes.assign(x.codes.size(), 0x38);
    for (int64_t row = 0; row < 2; ++row)
      for (int64_t b = 0; b < perSlice; ++b)
        x.scales[row * perSlice + b] = scales[slice * perSlice + b];
    Blocked w = x;
    if (poison)
      x.scales[perSlice] = 0xFF;
    ContractOperand lhs, rhs;
    lhs.format = rhs.format = &x.format;
    lhs.blocking = rhs.blocking = x.blocking;
    lhs.shape = rhs.shape = x.shape;
    lhs.data = x.data();
    rhs.data = w.data();
    std::vector<float> part(4);
    EXPECT_TRUE(contract(lhs, rhs,
                         denseView(static_cast<void *>(part.data()),
                                   FloatType::F32, {2, 2}))
                    .ok());
    for (int i = 0; i < 4; ++i)
      sum[i] += part[i];
  }
  return sum;
}

TEST(Cases, Row59) {
  EXPECT_EQ(sliced(32, {127, 128, 129, 130}, 1),
            std::vector<float>(4, 2720.0f));
  std::vector<float> hurt = sliced(32, {127, 128, 129, 130}, 1, true);
  EXPECT_EQ(hurt[0], 2720.0f);
  EXPECT_EQ(hurt[1], 2720.0f);
  EXPECT_TRUE(isNan(hurt[2]) && isNan(hurt[3]));
}

//===----------------------------------------------------------------------===//
// Padding, ragged, empty
//===----------------------------------------------------------------------===//

TEST(Cases, Row61) {
  // Poisoned padding of the tiled layout never comes back.
  Dims shape{33, 5};
  Codes linear(33 * 5), image(tcgen05Size(shape)), back(linear.size());
  for (size_t i = 0; i < linear.size(); ++i)
    linear[i] = static_cast<uint8_t>(i % 250 + 1);
  toTcgen05(shape, linear.data(), image.data());
  for (uint8_t &byte : image)
    byte = byte == 0 ? 0xFF : byte;
  fromTcgen05(shape, image.data(), back.data());
  EXPECT_EQ(back, linear);
}

TEST(Cases, Row62) {
  EXPECT_EQ(scaleShape(mxfp8(), {4, 1504}, {1, 32}), (Dims{4, 47}));
}

TEST(Cases, Row68) { EXPECT_EQ(tcgen05Size({64, 2}), 512); }

TEST(Cases, Row70) {
  EXPECT_EQ(scaleShape(nvfp4(), {1, 16}, {1, 16}), (Dims{1, 1}));
  EXPECT_EQ(scaleShape(nvfp4(), {1, 24}, {1, 16}), (Dims{1, 2}));
  std::vector<float> x(24, 6.0f);
  x[20] = 3.0f;
  Blocked tensor = quantizeRow(nvfp4Single(), QuantRule(), x);
  EXPECT_EQ(tensor.scales, (Codes{0x38, 0x38}));
}

TEST(Cases, Row73) {
  // 33 rows of 8 columns: the second column tile follows 128 padded rows.
  EXPECT_EQ(tcgen05Size({33, 8}), 1024);
  EXPECT_EQ(tcgen05Offset(32, 4, 8), 512 + 4);
}

TEST(Cases, Row74) {
  std::vector<float> x = normalTensor(2, 7984 * 16);
  Blocked tensor(nvfp4(), {{1, 16}, {0}}, {7984, 16});
  EXPECT_TRUE(tensor.quantize(QuantRule(), view(x, {7984, 16})).ok());
}

TEST(Cases, Row77) {
  std::vector<float> none, result(6, -1.0f);
  Blocked x(mxfp8(), {{1, 32}, {}}, {2, 0}), w(mxfp8(), {{1, 32}, {}}, {3, 0});
  EXPECT_TRUE(x.quantize(QuantRule(), view(none, {2, 0})).ok());
  ContractOperand lhs, rhs;
  lhs.format = rhs.format = &x.format;
  lhs.blocking = rhs.blocking = x.blocking;
  lhs.shape = x.shape;
  rhs.shape = w.shape;
  lhs.data = x.data();
  rhs.data = w.data();
  EXPECT_TRUE(contract(lhs, rhs,
                       denseView(static_cast<void *>(result.data()),
                                 FloatType::F32, {2, 3}))
                  .ok());
  EXPECT_EQ(result, std::vector<float>(6, 0.0f));
  EXPECT_EQ(tcgen05Size({2, 0}), 0);
}

//===----------------------------------------------------------------------===//
// Dynamic shapes, groups, split-K
//===----------------------------------------------------------------------===//

TEST(Cases, Row80) {
  for (int slices : {1, 2, 4}) {
    EXPECT_EQ(sliced(128, {127, 128, 129, 130}, slices),
              std::vector<float>(4, 10880.0f));
    EXPECT_EQ(sliced(32, {127, 128, 129, 130}, slices),
              std::vector<float>(4, 2720.0f));
  }
}

TEST(Cases, Row85) {
  // Groups of 17, 0 and 40 rows, blocks along the rows: those of a group start
  // at its first row and equal those of the group alone.
  const int64_t sizes[] = {17, 0, 40}, cols = 8;
  std::vector<float> x = normalTensor(3, 57 * cols);
  int64_t start = 0;
  for (int64_t rows : sizes) {
    ConstFloatView group{
        x.data() + start * cols, FloatType::F32, {rows, cols}, {cols, 1}};
    std::vector<float> alone(x.begin() + start * cols,
                             x.begin() + (start + rows) * cols);
    Blocked a(mxfp8(), {{32, 1}, {}}, {rows, cols}), b = a;
    EXPECT_TRUE(a.quantize(QuantRule(), group).ok());
    EXPECT_TRUE(b.quantize(QuantRule(), view(alone, {rows, cols})).ok());
    EXPECT_EQ(a.codes, b.codes);
    EXPECT_EQ(a.scales, b.scales);
    EXPECT_EQ(int64_t(a.scales.size()), (rows + 31) / 32 * cols);
    start += rows;
  }
}

//===----------------------------------------------------------------------===//
// Scale layout, transposition, packing
//===----------------------------------------------------------------------===//

TEST(Cases, Row88) {
  // 128 x 64 MXFP8: row 1 at 16 and 17, not at 2 and 3 or 4 and 5.
  Codes linear(128 * 2), image(tcgen05Size({128, 2}));
  linear[2] = 0x11;
  linear[3] = 0x22;
  toTcgen05({128, 2}, linear.data(), image.data());
  EXPECT_EQ(image[16], 0x11);
  EXPECT_EQ(image[17], 0x22);
}

TEST(Cases, Row97) {
  for (int64_t rows = 1; rows <= 257; rows += 8)
    for (int64_t cols = 1; cols <= 9; ++cols) {
      Codes linear(rows * cols), back(linear.size());
      for (size_t i = 0; i < linear.size(); ++i)
        linear[i] = static_cast<uint8_t>(i * 37 + 11);
      Codes image(tcgen05Size({rows, cols}));
      toTcgen05({rows, cols}, linear.data(), image.data());
      fromTcgen05({rows, cols}, image.data(), back.data());
      EXPECT_EQ(back, linear);
    }
}

TEST(Cases, Row100) {
  std::vector<float> x = normalTensor(4, 64 * 96);
  Blocked tile(mxfp8(), {{32, 32}, {}}, {64, 96});
  Blocked transposed(mxfp8(), {{32, 32}, {}}, {96, 64});
  ASSERT_TRUE(tile.quantize(QuantRule(), view(x, {64, 96})).ok());
  ASSERT_TRUE(
      transposed.quantize(QuantRule(), permuted(view(x, {64, 96}), {1, 0}))
          .ok());
  Codes codes(x.size()), scales(transposed.scales.size());
  transposeElements({64, 96}, 1, {1, 0}, tile.codes.data(), codes.data());
  transposeScales(mxfp8(), {64, 96}, {32, 32}, {1, 0}, tile.scales.data(),
                  scales.data());
  EXPECT_EQ(transposed.codes, codes);
  EXPECT_EQ(transposed.scales, scales);
}

TEST(Cases, Row103) {
  Codes codes = encodeAll(kE2M1, {1.0f, 6.0f});
  uint8_t packed;
  packRow(codes.data(), 2, &packed);
  EXPECT_EQ(packed, 0x72);
}

TEST(Cases, Row121) {
  const uint8_t expected[] = {0x00, 0x30, 0x38, 0x3C, 0x40, 0x44, 0x48, 0x4C};
  for (uint32_t code = 0; code < 16; ++code)
    EXPECT_EQ(encodeNearest(kE4M3, decode(kE2M1, code)),
              expected[code % 8] | (code & 8 ? 0x80u : 0u));
}

TEST(Cases, Row127) {
  // The amax of shards, reduced, gives the bytes of the whole.
  std::vector<float> x = normalTensor(5, 4 * 64);
  Blocked whole(nvfp4(), {{1, 16}, {}}, {4, 64});
  ASSERT_TRUE(whole.quantize(QuantRule(), view(x, {4, 64})).ok());
  float amax = 0.0f;
  for (float value : x)
    amax = std::max(amax, std::fabs(value));
  QuantizeInputs inputs;
  inputs.givenAmax = &amax;
  for (int64_t shard = 0; shard < 4; ++shard) {
    std::vector<float> part(x.begin() + shard * 64,
                            x.begin() + (shard + 1) * 64);
    Blocked tensor = quantizeRow(nvfp4(), QuantRule(), part, inputs);
    EXPECT_EQ(toBits(tensor.outer[0]), toBits(whole.outer[0]));
    EXPECT_TRUE(std::equal(tensor.codes.begin(), tensor.codes.end(),
                           whole.codes.begin() + shard * 64));
    EXPECT_TRUE(std::equal(tensor.scales.begin(), tensor.scales.end(),
                           whole.scales.begin() + shard * 4));
  }
}

TEST(Cases, Row130) {
  // A scale of another small float needs a row of data, no code.
  static constexpr ElementFormat e5m3{"e5m3", ElementKind::Float, 9, 5, 3,
                                      15,     Specials::NanOnly,  16};
  static constexpr ScaleFormat ue5m3{"ue5m3", ScaleKind::SmallFloat, &e5m3, 1};
  BlockFormat format{"wide", &kE2M1, &ue5m3, false, 16};
  std::vector<float> x = padded({60000.0f, 30000.0f}, 16);
  Blocked tensor = quantizeRow(format, QuantRule(), x);
  EXPECT_EQ(tensor.codes[0], 7);
  EXPECT_EQ(tensor.codes[1], 5);
  EXPECT_NEAR(tensor.dequantize()[0], 60000.0f, 60000.0f / 16);
}

//===----------------------------------------------------------------------===//
// Single values
//===----------------------------------------------------------------------===//

TEST(Cases, Value2) {
  EXPECT_EQ(reciprocalUE8M0(0xFE), 0x1p-127f);
  EXPECT_EQ(reciprocalUE8M0(0x00), 0x1p127f);
}

TEST(Cases, Value3) {
  QuantRule rule;
  rule.nonfinite = NonFinite::Saturate;
  float top = fromBits(0x7F7FFFFFu);
  Blocked tensor = quantizeRow(mxs2f6(), rule, padded({top, kInf, -kInf}, 32));
  EXPECT_EQ(tensor.scales, Codes{254});
  EXPECT_EQ(tensor.codes[1], 0x7F);
  EXPECT_EQ(tensor.codes[2], 0x81);
  EXPECT_EQ(encodeUnder(mxfp8(), 254, kInf), 0x7E);
  EXPECT_EQ(encodeUnder(mxfp8(), 254, -kInf), 0xFE);
}

TEST(Cases, Value8) {
  Blocked tensor = quantizeRow(mxfp8(), QuantRule(), padded({0x1p-130f}, 32));
  EXPECT_EQ(tensor.scales, Codes{0});
  EXPECT_EQ(tensor.codes[0], 0x20);
  EXPECT_EQ(tensor.dequantize()[0], 0x1p-130f);
}

TEST(Cases, Value9) {
  // Just under 512: floor saturates to 448, rceil doubles the scale.
  EXPECT_EQ(firstOf(mxfp8(), ScaleRule::Floor, {511.9f}), std::pair(127, 0x7E));
  EXPECT_EQ(firstOf(mxfp8(), ScaleRule::RCeil, {511.9f}), std::pair(128, 0x78));
}

TEST(Cases, Value11) {
  std::vector<float> x(64, 0.0f);
  x[40] = fromBits(1);
  Blocked tensor = quantizeRow(mxfp8(), QuantRule(), x);
  EXPECT_EQ(tensor.scales, (Codes{0, 0}));
  EXPECT_EQ(tensor.codes, Codes(64, 0));
}

TEST(Cases, Value12) {
  Blocked tensor = quantizeRow(nvfp4(), QuantRule(), padded({1e-20f}, 32));
  EXPECT_EQ(tensor.scales, (Codes{0x7E, 0}));
}

TEST(Cases, Value14) {
  EXPECT_TRUE(outerFromDecode(0.0f).lost());
  EXPECT_TRUE(outerFromDecode(kInf).lost());
}

TEST(Cases, Value17) {
  EXPECT_EQ(decode(kE2M1, encodeNearest(kE2M1, 1.9f)), 2.0f);
}

TEST(Cases, Value20) {
  EXPECT_EQ(encodeAll(kE4M3, {kInf, 500.0f}, Overflow::NonFinite),
            (Codes{0x7F, 0x7F}));
}

TEST(Cases, Value23) {
  for (ScaleRule rule : {ScaleRule::RCeil, ScaleRule::Floor, ScaleRule::Even})
    EXPECT_EQ(decodeUE8M0(ue8m0FromAmax(kE4M3, rule, 448.0f)), 1.0f);
}

TEST(Cases, Value24) {
  EXPECT_EQ(encodeUE8M0(1.5f, NumberRound::TowardZero), 127);
  EXPECT_EQ(encodeUE8M0(1.5f, NumberRound::Up), 128);
  EXPECT_EQ(encodeUE8M0(1.5f, NumberRound::Nearest), 128);
}

TEST(Cases, Value26) { EXPECT_EQ(decode(kE4M3, 0x01), 0.001953125f); }

TEST(Cases, Value27) {
  EXPECT_EQ(encodeAll(kE4M3, {0x1p-9f, 0x1p-8f, 0x1p-7f, 0x1p-10f,
                              std::nextafter(0x1p-10f, 1.0f)}),
            (Codes{1, 2, 4, 0, 1}));
}

TEST(Cases, Value29) {
  // A carry out of the mantissa reaches the exponent.
  EXPECT_EQ(encodeStochastic(kE4M3, 1.99f, 0xFFFF, 16), 0x40u);
  EXPECT_EQ(encodeStochastic(kE5M2, 1.99f, 0xFFFF, 16), 0x40u);
}

TEST(Cases, Value30) {
  for (int k = 0; k <= 16; ++k)
    for (uint32_t word = 0; word < 0x10000; word += 0x101)
      EXPECT_EQ(decode(kE4M3, encodeStochastic(kE4M3, float(k), word, 16)),
                float(k));
}

TEST(Cases, Value35) {
  EXPECT_EQ(firstOf(mxfp4(), ScaleRule::RCeil, {7.0f}), std::pair(128, 6));
}

TEST(Cases, Value36) {
  // amax / 6 = 1.2 * 2^-9 rounds to the scale 2^-9, under which the value is
  // 7.2: it saturates to 6.
  Blocked tensor =
      quantizeRow(nvfp4Single(), QuantRule(), padded({7.2f * 0x1p-9f}, 16));
  EXPECT_EQ(tensor.scales, Codes{1});
  EXPECT_EQ(tensor.codes[0], 7);
}

} // namespace
