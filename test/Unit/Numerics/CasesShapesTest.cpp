//===- CasesShapesTest.cpp - Faults of shapes, layouts and sums -----------===//
//
// Part of the Lowp project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

// More of the rows of CasesTest.cpp, named alike: shapes, layouts,
// contractions, single values. Rows of verifiers, targets and programs are in
// test/Cases.

#include "Vectors.h"
#include "lowp/Numerics/Contract.h"
#include "lowp/Numerics/Hadamard.h"
#include "lowp/Numerics/Metrics.h"
#include <cmath>

using namespace lowp::numerics;
using namespace lowp::numerics::testing;

namespace {

using Codes = std::vector<uint8_t>;

ContractOperand operandOf(Blocked &value) {
  ContractOperand operand;
  operand.format = &value.format;
  operand.blocking = value.blocking;
  operand.shape = value.shape;
  operand.data = value.data();
  return operand;
}

/// x [M, K] by w [N, K].
std::vector<float> product(Blocked &x, Blocked &w) {
  std::vector<float> result(x.shape[0] * w.shape[0], -1.0f);
  EXPECT_TRUE(contract(operandOf(x), operandOf(w),
                       denseView(static_cast<void *>(result.data()),
                                 FloatType::F32, {x.shape[0], w.shape[0]}))
                  .ok());
  return result;
}

//===----------------------------------------------------------------------===//
// Scales, random bits, rotation
//===----------------------------------------------------------------------===//

TEST(Cases, Row29) {
  // One level, bit for bit: the scale of amax 1 is E4M3(1/6) = 0x23, and values
  // are divided by that, not by 1/6.
  Blocked tensor =
      quantizeRow(nvfp4Single(), QuantRule(), padded({1.0f, 0.125f}, 16));
  EXPECT_EQ(tensor.scales, Codes{0x23});
  EXPECT_EQ(tensor.codes[1], 1);
  EXPECT_EQ(toBits(tensor.dequantize()[0]), toBits(6.0f * 0.171875f));
}

TEST(Cases, Row35) {
  // A transposed view of the same values draws the same bits.
  const int64_t rows = 5, cols = 48;
  std::vector<float> x = normalTensor(1, rows * cols), turned(x.size());
  for (int64_t row = 0; row < rows; ++row)
    for (int64_t col = 0; col < cols; ++col)
      turned[col * rows + row] = x[row * cols + col];
  QuantRule rule;
  rule.round = RoundingMode::Stochastic;
  QuantizeInputs inputs;
  inputs.key.seed = 11;
  Blocked a(mxfp8(), {{1, 32}, {}}, {rows, cols}), b = a;
  ASSERT_TRUE(a.quantize(rule, view(x, {rows, cols}), inputs).ok());
  ASSERT_TRUE(
      b.quantize(rule, permuted(view(turned, {cols, rows}), {1, 0}), inputs)
          .ok());
  EXPECT_EQ(a.codes, b.codes);
  EXPECT_EQ(a.scales, b.scales);
}

TEST(Cases, Row44) {
  // Rotation is an operation of its own, for it can hurt: values that NVFP4
  // holds exactly are no longer so after it.
  std::vector<float> x(64), rotated(64);
  for (size_t i = 0; i < x.size(); ++i)
    x[i] = decode(kE2M1, static_cast<uint32_t>(i % 16 == 0 ? 7 : i % 8));
  auto quantized = [](const std::vector<float> &values) {
    std::vector<float> result =
        quantizeRow(nvfp4Single(), QuantRule(), values).dequantize();
    return sqnrDb(values.data(), result.data(), 64);
  };
  ASSERT_TRUE(hadamard(view(x, {1, 64}), 1, 16, hadamardSigns(16),
                       HadamardNorm::Dyadic, false,
                       denseView(static_cast<void *>(rotated.data()),
                                 FloatType::F32, {1, 64}))
                  .ok());
  EXPECT_TRUE(std::isinf(quantized(x)));
  EXPECT_LT(quantized(rotated), 40.0);
}

TEST(Cases, Row56) {
  for (int byte = 0; byte < 256; ++byte) {
    float mx = decodeScaleByte(kUE8M0, static_cast<uint8_t>(byte));
    float small = decodeScaleByte(kUE4M3, static_cast<uint8_t>(byte));
    if (byte == 255)
      EXPECT_TRUE(isNan(mx));
    else
      EXPECT_EQ(mx, std::ldexp(1.0, byte - 127));
    int exponent = byte >> 3, mantissa = byte & 7;
    if (byte >= 0x7F)
      EXPECT_TRUE(isNan(small)) << byte;
    else
      EXPECT_EQ(small, exponent == 0 ? std::ldexp(mantissa, -9)
                                     : std::ldexp(8 + mantissa, exponent - 10));
  }
}

//===----------------------------------------------------------------------===//
// Padding, ragged, empty
//===----------------------------------------------------------------------===//

TEST(Cases, Row64) {
  // K = 288: nine scales a row, and the stride of the tiled form is twelve.
  EXPECT_EQ(scaleShape(mxfp8(), {128, 288}, {1, 32}), (Dims{128, 9}));
  EXPECT_EQ(tcgen05Size({128, 9}), 128 * 12);
  EXPECT_EQ(tcgen05Offset(0, 8, 9), 2 * 512);
}

/// A [2, 40] value, and the same padded to 64 columns.
std::pair<Blocked, Blocked> unpaddedAndPadded(uint64_t seed, uint8_t scale) {
  std::vector<float> x = normalTensor(seed, 2 * 40);
  Blocked exact(mxfp8(), {{1, 32}, {}}, {2, 40});
  EXPECT_TRUE(exact.quantize(QuantRule(), view(x, {2, 40})).ok());
  Blocked wide(mxfp8(), {{1, 32}, {}}, {2, 96});
  wide.codes.assign(wide.codes.size(), 0);
  for (int64_t row = 0; row < 2; ++row) {
    std::copy_n(&exact.codes[row * 40], 40, &wide.codes[row * 96]);
    std::copy_n(&exact.scales[row * 2], 2, &wide.scales[row * 3]);
    wide.scales[row * 3 + 2] = scale;
  }
  return {exact, wide};
}

TEST(Cases, Row65) {
  // Codes 0 under any finite scale add nothing.
  for (uint8_t scale : {0, 127, 254}) {
    auto [x, wideX] = unpaddedAndPadded(1, scale);
    auto [w, wideW] = unpaddedAndPadded(2, 127);
    EXPECT_EQ(bitsOf(product(x, w)), bitsOf(product(wideX, wideW)));
  }
}

TEST(Cases, Row67) {
  // Padding codes of a short block are zero, whatever lay there before.
  std::vector<float> x = normalTensor(3, 3 * 41);
  Blocked tensor(mxfp4(), {{1, 32}, {}}, {3, 41});
  ASSERT_TRUE(tensor.quantize(QuantRule(), view(x, {3, 41})).ok());
  Codes packed = tensor.packed();
  ASSERT_EQ(packed.size(), 3u * 21);
  for (int64_t row = 0; row < 3; ++row)
    EXPECT_EQ(packed[row * 21 + 20] >> 4, 0);
}

TEST(Cases, Row71) {
  for (int64_t K : {1, 16, 32, 33}) {
    std::vector<float> values = normalTensor(4, 2 * K);
    Blocked x(nvfp4Single(), {{1, 16}, {}}, {2, K});
    ASSERT_TRUE(x.quantize(QuantRule(), view(values, {2, K})).ok());
    std::vector<float> decoded = x.dequantize();
    std::vector<float> result = product(x, x);
    for (int64_t row = 0; row < 2; ++row) {
      double sum = 0.0;
      for (int64_t k = 0; k < K; ++k)
        sum += double(decoded[row * K + k]) * decoded[row * K + k];
      EXPECT_NEAR(result[row * 3], sum, 1e-5 * sum);
    }
  }
}

TEST(Cases, Row76) {
  std::vector<float> none;
  for (const Dims &shape : {Dims{0, 48}, Dims{5, 0}, Dims{0, 0}}) {
    Blocked tensor(nvfp4(), {{1, 16}, {}}, shape);
    ASSERT_TRUE(tensor.quantize(QuantRule(), view(none, shape)).ok());
    EXPECT_EQ(tensor.outer, std::vector<float>{1.0f});
    EXPECT_TRUE(tensor.dequantize().empty());
  }
}

//===----------------------------------------------------------------------===//
// Groups, split-K
//===----------------------------------------------------------------------===//

TEST(Cases, Row82) {
  // Each 128 x 128 tile has a power of two of its own.
  Blocked x(fp8Block(), {{128, 128}, {}}, {256, 128}), w = x;
  x.codes.assign(x.codes.size(), 0x38);
  w.codes.assign(w.codes.size(), 0x38);
  x.scalesF32 = {1.0f, 8.0f};
  w.scalesF32 = {2.0f, 64.0f};
  std::vector<float> result = product(x, w);
  for (int64_t m = 0; m < 256; m += 51)
    for (int64_t n = 0; n < 256; n += 51)
      EXPECT_EQ(result[m * 256 + n],
                128 * x.scalesF32[m / 128] * w.scalesF32[n / 128]);
}

TEST(Cases, Row83) {
  // Uneven slices of K: 1 block and then 3, as the whole.
  auto ones = [](int64_t first, int64_t blocks) {
    Blocked x(mxfp8(), {{1, 32}, {}}, {1, blocks * 32});
    x.codes.assign(x.codes.size(), 0x38);
    for (int64_t b = 0; b < blocks; ++b)
      x.scales[b] = static_cast<uint8_t>(127 + first + b);
    return x;
  };
  Blocked whole = ones(0, 4), head = ones(0, 1), tail = ones(1, 3);
  EXPECT_EQ(product(whole, whole)[0], 2720.0f);
  EXPECT_EQ(product(head, head)[0] + product(tail, tail)[0], 2720.0f);
}

TEST(Cases, Row86) {
  // A per-expert outer scale: each expert as it is alone, an empty one too.
  for (const Dims &shape : {Dims{3, 2, 33}, Dims{2, 0, 48}}) {
    std::vector<float> x = normalTensor(6, numElements(shape));
    Blocked all(nvfp4(), {{1, 1, 16}, {0}}, shape);
    ASSERT_TRUE(all.quantize(QuantRule(), view(x, shape)).ok());
    int64_t count = shape[1] * shape[2];
    for (int64_t expert = 0; expert < shape[0]; ++expert) {
      std::vector<float> part(x.begin() + expert * count,
                              x.begin() + (expert + 1) * count);
      Blocked alone(nvfp4(), {{1, 16}, {}}, {shape[1], shape[2]});
      ASSERT_TRUE(
          alone.quantize(QuantRule(), view(part, {shape[1], shape[2]})).ok());
      EXPECT_EQ(toBits(alone.outer[0]), toBits(all.outer[expert]));
      EXPECT_TRUE(std::equal(alone.codes.begin(), alone.codes.end(),
                             all.codes.begin() + expert * count));
      EXPECT_TRUE(std::equal(alone.scales.begin(), alone.scales.end(),
                             all.scales.begin() +
                                 expert * int64_t(alone.scales.size())));
    }
  }
}

//===----------------------------------------------------------------------===//
// Layout, transposition, packing
//===----------------------------------------------------------------------===//

TEST(Cases, Row89) {
  // Rows of a 128 x 4 tile are 16 bytes apart, not 4.
  EXPECT_EQ(tcgen05Offset(1, 0, 4), 16);
  EXPECT_EQ(tcgen05Offset(31, 3, 4), 31 * 16 + 3);
}

TEST(Cases, Row95) {
  // Block column 1 of 4, rows 64 to 127: offsets are those of the parent.
  Codes linear(128 * 4), image(tcgen05Size({128, 4}));
  for (size_t i = 0; i < linear.size(); ++i)
    linear[i] = static_cast<uint8_t>(i * 7 + 1);
  toTcgen05({128, 4}, linear.data(), image.data());
  for (int64_t row = 64; row < 128; ++row)
    EXPECT_EQ(image[tcgen05Offset(row, 1, 4)], linear[row * 4 + 1]);
  EXPECT_NE(tcgen05Offset(64, 1, 4), tcgen05Offset(0, 0, 1));
}

TEST(Cases, Row101) {
  // A column copy alone is that of the row and column copies.
  std::vector<float> x = normalTensor(7, 64 * 48);
  auto make = [&](Dims block) {
    Blocked value(mxfp8(), {std::move(block), {}}, {64, 48});
    EXPECT_TRUE(value.quantize(QuantRule(), view(x, {64, 48})).ok());
    return value;
  };
  Blocked alone = make({32, 1});
  Blocked row = make({1, 32}), column = make({32, 1});
  EXPECT_EQ(alone.codes, column.codes);
  EXPECT_EQ(alone.scales, column.scales);
  EXPECT_NE(alone.codes, row.codes);
}

TEST(Cases, Row104) {
  // Codes are packed along the last dim where blocks lie along another.
  std::vector<float> x(32 * 3, 0.0f);
  for (int64_t row = 0; row < 32; ++row) {
    x[row * 3] = 6.0f;
    x[row * 3 + 1] = 1.0f;
    x[row * 3 + 2] = 3.0f;
  }
  Blocked value(mxfp4(), {{32, 1}, {}}, {32, 3});
  ASSERT_TRUE(value.quantize(QuantRule(), view(x, {32, 3})).ok());
  EXPECT_EQ(value.scales, (Codes{127, 125, 126}));
  EXPECT_EQ(value.packed()[0], 0x67);
  EXPECT_EQ(value.packed()[1], 0x07);
  EXPECT_EQ(value.dequantize(), x);
}

TEST(Cases, Row119) {
  // Scales other than one, against exact sums.
  std::vector<float> a = normalTensor(8, 7 * 96), b = normalTensor(9, 5 * 96);
  for (size_t i = 0; i < a.size(); ++i)
    a[i] *= std::ldexp(1.0f, static_cast<int>(i / 32 % 9) - 4);
  Blocked x(mxfp8(), {{1, 32}, {}}, {7, 96}),
      w(mxfp4(), {{1, 32}, {}}, {5, 96});
  ASSERT_TRUE(x.quantize(QuantRule(), view(a, {7, 96})).ok());
  ASSERT_TRUE(w.quantize(QuantRule(), view(b, {5, 96})).ok());
  std::vector<float> left = x.dequantize(), right = w.dequantize();
  std::vector<float> result = product(x, w);
  for (int64_t m = 0; m < 7; ++m)
    for (int64_t n = 0; n < 5; ++n) {
      double sum = 0.0, size = 0.0;
      for (int64_t k = 0; k < 96; ++k) {
        double term = double(left[m * 96 + k]) * right[n * 96 + k];
        sum += term;
        size += std::fabs(term);
      }
      EXPECT_NEAR(result[m * 5 + n], sum, 96 * 0x1p-23 * size);
    }
}

//===----------------------------------------------------------------------===//
// Single values
//===----------------------------------------------------------------------===//

TEST(Cases, Value5) {
  // The inverse of the largest scale is the subnormal 2^-127, whose bits, moved
  // down by the width of a mantissa, are 0 and leave nothing behind.
  EXPECT_EQ(toBits(reciprocalUE8M0(254)), 0x00400000u);
  for (uint32_t bits : {0x00400000u, 0x7F000000u, 0x3F800000u})
    EXPECT_EQ(encodeUE8M0(fromBits(bits), NumberRound::TowardZero), bits >> 23);
}

TEST(Cases, Value6) {
  // Software stochastic rounding gives one of the two neighbours, not zeros.
  QuantRule rule;
  rule.round = RoundingMode::Stochastic;
  std::vector<float> x = normalTensor(11, 64);
  Blocked tensor = quantizeRow(mxfp8(), rule, x);
  std::vector<float> values = tensor.dequantize();
  for (size_t i = 0; i < x.size(); ++i)
    EXPECT_NEAR(values[i], x[i], std::fabs(x[i]) / 8 + 0x1p-9f);
  EXPECT_NE(tensor.codes, Codes(64, 0));
}

TEST(Cases, Value15) {
  // Two matrices with one outer scale: their joint amax, and block scales that
  // differ instead.
  float gateAmax = 2688 * 3.85e-5f, upAmax = 2688 * 4.83e-5f;
  std::vector<float> gate = padded({gateAmax}, 16), up = padded({upAmax}, 16);
  float joint = std::max(gateAmax, upAmax);
  QuantizeInputs inputs;
  inputs.givenAmax = &joint;
  Blocked a = quantizeRow(nvfp4(), QuantRule(), gate, inputs);
  Blocked b = quantizeRow(nvfp4(), QuantRule(), up, inputs);
  EXPECT_EQ(toBits(a.outer[0]), toBits(b.outer[0]));
  EXPECT_EQ(b.scales, Codes{0x7E});
  EXPECT_EQ(a.scales, Codes{0x7B});
  EXPECT_NEAR(a.dequantize()[0], gateAmax, gateAmax / 16);
}

TEST(Cases, Value18) {
  EXPECT_EQ(encodeNearest(kE4M3, 464.0f), 0x7Eu);
  EXPECT_EQ(encodeNearest(kE4M3, 465.0f), 0x7Eu);
  EXPECT_EQ(encodeNearest(kE4M3, 464.0f, Overflow::NonFinite), 0x7Eu);
  EXPECT_EQ(encodeNearest(kE4M3, 465.0f, Overflow::NonFinite), 0x7Fu);
}

TEST(Cases, Value21) {
  // No power of two: the rounding has a name.
  for (auto [value, down, up] :
       {std::tuple{3.0f, 128, 129}, std::tuple{1.6f, 127, 128},
        std::tuple{7.0f, 129, 130}}) {
    EXPECT_EQ(encodeUE8M0(value, NumberRound::TowardZero), down);
    EXPECT_EQ(encodeUE8M0(value, NumberRound::Up), up);
  }
}

TEST(Cases, Value32) {
  // Columns over two ranks: with the amax reduced first the same bytes.
  std::vector<float> x = normalTensor(10, 4 * 64);
  Blocked whole(nvfp4(), {{1, 16}, {0}}, {4, 64});
  ASSERT_TRUE(whole.quantize(QuantRule(), view(x, {4, 64})).ok());
  std::vector<float> amax(4, 0.0f);
  for (size_t i = 0; i < x.size(); ++i)
    amax[i / 64] = std::max(amax[i / 64], std::fabs(x[i]));
  QuantizeInputs inputs;
  inputs.givenAmax = amax.data();
  for (int64_t rank = 0; rank < 2; ++rank) {
    ConstFloatView half{x.data() + rank * 32, FloatType::F32, {4, 32}, {64, 1}};
    Blocked part(nvfp4(), {{1, 16}, {0}}, {4, 32});
    ASSERT_TRUE(part.quantize(QuantRule(), half, inputs).ok());
    EXPECT_EQ(bitsOf(part.outer), bitsOf(whole.outer));
    for (int64_t row = 0; row < 4; ++row)
      EXPECT_TRUE(std::equal(&part.codes[row * 32], &part.codes[row * 32] + 32,
                             &whole.codes[row * 64 + rank * 32]));
  }
}

TEST(Cases, Value33) {
  // A block whose candidates are nearly as good: in the order q*sf, times amax,
  // over 6*256, less x, each rounded, the sums decide as published.
  int checked = 0;
  for (const Entry &entry : entries()) {
    if (entry.file() != "nvfp4/bf16_neartie_1x32_s19.vec" ||
        entry.op() != "quantize" || entry.attribute("four_six") == "none")
      continue;
    lowp::numerics::testing::Setup setup = setupOf(entry);
    Source source(entry.array("x"));
    Blocked tensor(setup.format, setup.blocking, source.view.shape);
    ASSERT_TRUE(tensor.quantize(setup.rule, source.view).ok());
    EXPECT_EQ(tensor.scales, bytesOf(entry.array("scales"))) << entry.name();
    EXPECT_EQ(tensor.packed(), bytesOf(entry.array("codes"))) << entry.name();
    ++checked;
  }
  EXPECT_GT(checked, 0);
}

TEST(Cases, Value38) {
  std::vector<float> x = padded({6.0f, -0.0f, -0.1f}, 16);
  EXPECT_EQ(quantizeRow(nvfp4(), QuantRule(), x).codes[1], 0x8);
  Blocked te = quantizeRow(nvfp4(), *findRulePreset("te"), x);
  EXPECT_EQ(te.codes[1], 0x0);
  EXPECT_EQ(te.codes[2], 0x8);
}

} // namespace
