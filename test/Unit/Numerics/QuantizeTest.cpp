//===- QuantizeTest.cpp - Quantise, dequantise, requantise ----------------===//
//
// Part of the Lowp project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "lowp/Numerics/Quantize.h"
#include "Tensor.h"
#include <cmath>
#if defined(__SSE__)
#include <xmmintrin.h>
#endif

using namespace lowp::numerics;
using namespace lowp::numerics::testing;

namespace {

const float kNan = fromBits(0x7FC00000u);
const float kInf = fromBits(0x7F800000u);

struct FormatCase {
  const char *name;
  BlockFormat format;
  QuantRule rule;
};

QuantRule fourSix(FourSix metric) {
  QuantRule rule;
  rule.fourSix = metric;
  return rule;
}

/// Every format with every kind of rule that changes its path.
std::vector<FormatCase> allCases() {
  std::vector<FormatCase> cases;
  for (const BlockFormat &format : kBlockFormats)
    cases.push_back({format.name, format, QuantRule()});
  cases.push_back({"nvfp4_single", nvfp4Single(), QuantRule()});
  cases.push_back({"nvfp4_four_six", nvfp4(), fourSix(FourSix::MSE)});
  BlockFormat outerMx = mxfp8();
  outerMx.outer = true;
  cases.push_back({"mxfp8_outer", outerMx, QuantRule()});
  QuantRule up;
  up.sfRound = ScaleRound::Up;
  up.round = RoundingMode::Stochastic;
  cases.push_back({"nvfp4_stochastic", nvfp4(), up});
  cases.push_back({"fp8_block_stochastic", fp8Block(), up});
  cases.push_back({"mxfp8_stochastic", mxfp8(), up});
  return cases;
}

std::vector<float> randomValues(uint64_t seed, int64_t count) {
  Random random(seed);
  std::vector<float> values(count);
  for (float &value : values)
    value = static_cast<float>(random.normal() *
                               std::ldexp(1.0, int(random.bits() % 9)));
  return values;
}

bool sameBytes(const Blocked &a, const Blocked &b) {
  return a.codes == b.codes && a.scales == b.scales &&
         bitsOf(a.scalesF32) == bitsOf(b.scalesF32) &&
         bitsOf(a.outer) == bitsOf(b.outer);
}

TEST(Quantize, ViewsOfAnyStrideGiveTheSameBytes) {
  for (const FormatCase &c : allCases()) {
    // 3 x 70 inside a larger, transposed and reversed buffer.
    const int64_t rows = 3, cols = 70;
    std::vector<float> x = randomValues(11, rows * cols);
    Blocking blocking{{1, c.format.blockSize}, {}};
    Blocked dense(c.format, blocking, {rows, cols});
    ASSERT_TRUE(dense.quantize(c.rule, view(x, {rows, cols})).ok());
    std::vector<float> buffer(cols * 10, kNan);
    const int64_t start = (cols - 1) * 10 + 7;
    for (int64_t r = 0; r < rows; ++r)
      for (int64_t k = 0; k < cols; ++k)
        buffer[start - 2 * r - 10 * k] = x[r * cols + k];
    ConstFloatView strided{
        buffer.data() + start, FloatType::F32, {rows, cols}, {-2, -10}};
    Blocked result(c.format, blocking, {rows, cols});
    ASSERT_TRUE(result.quantize(c.rule, strided).ok());
    EXPECT_TRUE(sameBytes(result, dense)) << c.name;
  }
}

TEST(Quantize, BlocksAlongAnyAxis) {
  // Blocks along axis 0 of x are blocks along axis 1 of its transpose.
  for (const FormatCase &c : allCases()) {
    const int64_t rows = 45, cols = 6;
    std::vector<float> x = randomValues(12, rows * cols);
    Blocked columns(c.format, {{c.format.blockSize, 1}, {}}, {rows, cols});
    ASSERT_TRUE(columns.quantize(c.rule, view(x, {rows, cols})).ok());
    Blocked transposed(c.format, {{1, c.format.blockSize}, {}}, {cols, rows});
    ASSERT_TRUE(
        transposed.quantize(c.rule, permuted(view(x, {rows, cols}), {1, 0}))
            .ok());
    std::vector<uint8_t> moved(x.size());
    transposeElements({cols, rows}, 1, {1, 0}, transposed.codes.data(),
                      moved.data());
    EXPECT_EQ(columns.codes, moved) << c.name;
    EXPECT_EQ(bitsOf(columns.outer), bitsOf(transposed.outer)) << c.name;
  }
}

TEST(Quantize, RankThreeIsSlices) {
  for (const FormatCase &c : allCases()) {
    if (c.rule.round == RoundingMode::Stochastic)
      continue; // random bits count rows of the whole value
    const int64_t slices = 3, rows = 4, cols = 37;
    std::vector<float> x = randomValues(13, slices * rows * cols);
    Blocking blocking{{1, 1, c.format.blockSize}, {}};
    Blocking sliceBlocking{{1, c.format.blockSize}, {}};
    if (c.format.outer)
      blocking.outerAxes = {0};
    Blocked whole(c.format, blocking, {slices, rows, cols});
    ASSERT_TRUE(whole.quantize(c.rule, view(x, {slices, rows, cols})).ok());
    for (int64_t i = 0; i < slices; ++i) {
      std::vector<float> part(x.begin() + i * rows * cols,
                              x.begin() + (i + 1) * rows * cols);
      Blocked slice(c.format, sliceBlocking, {rows, cols});
      ASSERT_TRUE(slice.quantize(c.rule, view(part, {rows, cols})).ok());
      EXPECT_TRUE(std::equal(slice.codes.begin(), slice.codes.end(),
                             whole.codes.begin() + i * rows * cols))
          << c.name;
      EXPECT_TRUE(std::equal(slice.scales.begin(), slice.scales.end(),
                             whole.scales.begin() +
                                 i * static_cast<int64_t>(slice.scales.size())))
          << c.name;
      if (c.format.outer) {
        EXPECT_EQ(toBits(slice.outer[0]), toBits(whole.outer[i])) << c.name;
      }
    }
  }
}

TEST(Quantize, ShortBlocksAreZeroPadded) {
  // A ragged row has the codes and scales of the row padded with zeros.
  for (const FormatCase &c : allCases()) {
    if (c.rule.round == RoundingMode::Stochastic)
      continue; // random bits count the groups of a row
    for (int64_t cols : {1, 7, 15, 17, 31, 33, 127, 129, 130}) {
      std::vector<float> x = randomValues(cols, cols);
      Blocked ragged = quantizeRow(c.format, c.rule, x);
      int64_t block = c.format.blockSize;
      Blocked full = quantizeRow(c.format, c.rule,
                                 padded(x, (cols + block - 1) / block * block));
      EXPECT_TRUE(std::equal(ragged.codes.begin(), ragged.codes.end(),
                             full.codes.begin()))
          << c.name << " " << cols;
      EXPECT_EQ(ragged.scales, full.scales) << c.name << " " << cols;
      EXPECT_EQ(bitsOf(ragged.scalesF32), bitsOf(full.scalesF32));
      EXPECT_EQ(bitsOf(ragged.outer), bitsOf(full.outer));
    }
  }
}

TEST(Quantize, EmptyDims) {
  std::vector<float> none;
  for (const FormatCase &c : allCases())
    for (Dims shape : {Dims{0, 40}, Dims{5, 0}, Dims{0, 0}}) {
      Blocking blocking{{1, c.format.blockSize}, {}};
      Blocked tensor(c.format, blocking, shape);
      EXPECT_TRUE(tensor.quantize(c.rule, view(none, shape)).ok()) << c.name;
      EXPECT_TRUE(tensor.dequantize().empty());
      if (c.format.outer) {
        // The largest magnitude of nothing is 0.
        EXPECT_EQ(tensor.outer, std::vector<float>{1.0f});
        blocking.outerAxes = {0};
        Blocked rows(c.format, blocking, shape);
        EXPECT_TRUE(rows.quantize(c.rule, view(none, shape)).ok());
        EXPECT_EQ(rows.outer, std::vector<float>(shape[0], 1.0f));
      }
    }
}

TEST(Quantize, SourceTypes) {
  // BF16 and F16 sources give the bytes of their FP32 values.
  for (const FormatCase &c : allCases())
    for (FloatType type : {FloatType::BF16, FloatType::F16}) {
      std::vector<uint16_t> halves;
      std::vector<float> floats;
      for (float value : randomValues(14, 3 * 50)) {
        halves.push_back(static_cast<uint16_t>(storeFloat(type, value)));
        floats.push_back(loadFloat(type, halves.back()));
      }
      Blocking blocking{{1, c.format.blockSize}, {}};
      Blocked narrow(c.format, blocking, {3, 50}), wide = narrow;
      ASSERT_TRUE(narrow
                      .quantize(c.rule, denseView(static_cast<const void *>(
                                                      halves.data()),
                                                  type, {3, 50}))
                      .ok());
      ASSERT_TRUE(wide.quantize(c.rule, view(floats, {3, 50})).ok());
      EXPECT_TRUE(sameBytes(narrow, wide)) << c.name;
    }
}

//===----------------------------------------------------------------------===//
// Non-finite values
//===----------------------------------------------------------------------===//

TEST(NonFinite, PropagateLosesTheBlock) {
  for (const FormatCase &c : allCases()) {
    if (c.format.outer)
      continue;
    int64_t block = c.format.blockSize;
    for (float bad : {kNan, -kNan, kInf, -kInf}) {
      std::vector<float> x = randomValues(15, 3 * block);
      Blocked clean = quantizeRow(c.format, c.rule, x);
      x[block + 3] = bad;
      Blocked hurt = quantizeRow(c.format, c.rule, x);
      for (int64_t i = 0; i < 3 * block; ++i)
        EXPECT_EQ(hurt.codes[i], i / block == 1 ? 0 : clean.codes[i]);
      for (int64_t b = 0; b < 3; ++b) {
        if (c.format.scale->kind == ScaleKind::Float32) {
          EXPECT_EQ(isNan(hurt.scalesF32[b]), b == 1) << c.name;
          continue;
        }
        EXPECT_EQ(hurt.scales[b],
                  b == 1 ? nanScaleByte(*c.format.scale) : clean.scales[b])
            << c.name;
      }
      std::vector<float> values = hurt.dequantize();
      for (int64_t i = 0; i < 3 * block; ++i)
        EXPECT_EQ(isNan(values[i]), i / block == 1) << c.name;
    }
  }
}

TEST(NonFinite, PropagateLosesTheOuterGroup) {
  for (const FormatCase &c : allCases()) {
    if (!c.format.outer)
      continue;
    const int64_t rows = 3, cols = 4 * c.format.blockSize;
    std::vector<float> x = randomValues(16, rows * cols);
    Blocking blocking{{1, c.format.blockSize}, {0}};
    Blocked clean(c.format, blocking, {rows, cols}), hurt = clean;
    ASSERT_TRUE(clean.quantize(c.rule, view(x, {rows, cols})).ok());
    x[cols + 5] = kInf;
    ASSERT_TRUE(hurt.quantize(c.rule, view(x, {rows, cols})).ok());
    for (int64_t r = 0; r < rows; ++r) {
      EXPECT_EQ(isNan(hurt.outer[r]), r == 1);
      for (int64_t b = 0; b < 4; ++b)
        EXPECT_EQ(hurt.scales[4 * r + b], r == 1 ? nanScaleByte(*c.format.scale)
                                                 : clean.scales[4 * r + b]);
      for (int64_t k = 0; k < cols; ++k)
        EXPECT_EQ(hurt.codes[r * cols + k],
                  r == 1 ? 0 : clean.codes[r * cols + k]);
    }
    // A per-tensor outer loses the tensor.
    Blocked tensor(c.format, {{1, c.format.blockSize}, {}}, {rows, cols});
    ASSERT_TRUE(tensor.quantize(c.rule, view(x, {rows, cols})).ok());
    for (float value : tensor.dequantize())
      EXPECT_TRUE(isNan(value));
  }
}

TEST(NonFinite, GivenOuterScalesLoseTheBlockOnly) {
  std::vector<float> x = randomValues(17, 48);
  x[20] = kNan;
  float one = 1.0f;
  for (bool amax : {false, true}) {
    QuantizeInputs inputs;
    (amax ? inputs.givenAmax : inputs.givenOuter) = &one;
    Blocked hurt = quantizeRow(nvfp4(), QuantRule(), x, inputs);
    EXPECT_FALSE(isNan(hurt.outer[0]));
    EXPECT_NE(hurt.scales[0], 0x7F);
    EXPECT_EQ(hurt.scales[1], 0x7F);
    EXPECT_NE(hurt.scales[2], 0x7F);
  }
}

TEST(NonFinite, SaturateTakesTheLargestCodes) {
  for (FormatCase c : allCases()) {
    c.rule.nonfinite = NonFinite::Saturate;
    int64_t block = c.format.blockSize;
    std::vector<float> x = randomValues(18, block);
    x[1] = x[4] = x[6] = 0.0f;
    Blocked clean = quantizeRow(c.format, c.rule, x);
    x[1] = kInf;
    x[4] = -kInf;
    x[6] = -kNan;
    Blocked hurt = quantizeRow(c.format, c.rule, x);
    const ElementFormat &element = *c.format.element;
    if (c.rule.fourSix == FourSix::None) {
      // The scales are those of the finite values.
      EXPECT_EQ(hurt.scales, clean.scales) << c.name;
      EXPECT_EQ(bitsOf(hurt.scalesF32), bitsOf(clean.scalesF32));
      EXPECT_EQ(bitsOf(hurt.outer), bitsOf(clean.outer));
    }
    EXPECT_EQ(hurt.codes[1], encodeNearest(element, kInf)) << c.name;
    EXPECT_EQ(hurt.codes[4], encodeNearest(element, -kInf)) << c.name;
    EXPECT_EQ(hurt.codes[6], element.nanCode()) << c.name;
    // Also where nothing is finite, so that the amax is 0.
    std::vector<float> all(block, kNan);
    all[0] = -kInf;
    all[1] = 0.0f;
    Blocked zero = quantizeRow(c.format, c.rule, all);
    EXPECT_EQ(zero.codes[0], encodeNearest(element, -kInf)) << c.name;
    EXPECT_EQ(zero.codes[1], 0) << c.name;
    EXPECT_EQ(zero.codes[2], element.nanCode()) << c.name;
  }
}

//===----------------------------------------------------------------------===//
// Outer scales
//===----------------------------------------------------------------------===//

TEST(Outer, GivenAmaxEqualsTheComputedOne) {
  std::vector<float> x = randomValues(19, 4 * 64);
  std::vector<float> amax(4, 0.0f);
  for (int64_t i = 0; i < 4 * 64; ++i)
    amax[i / 64] = std::max(amax[i / 64], std::fabs(x[i]));
  amax[2] = -amax[2];
  Blocked computed(nvfp4(), {{1, 16}, {0}}, {4, 64}), given = computed;
  ASSERT_TRUE(computed.quantize(QuantRule(), view(x, {4, 64})).ok());
  QuantizeInputs inputs;
  inputs.givenAmax = amax.data();
  ASSERT_TRUE(given.quantize(QuantRule(), view(x, {4, 64}), inputs).ok());
  EXPECT_TRUE(sameBytes(given, computed));
}

TEST(Outer, BadGivenScalesLoseTheGroup) {
  std::vector<float> x(32, 1.0f);
  for (float bad : {kNan, kInf, 0.0f, -0.0f, -1.0f}) {
    QuantizeInputs inputs;
    inputs.givenOuter = &bad;
    Blocked lost = quantizeRow(nvfp4(), QuantRule(), x, inputs);
    EXPECT_TRUE(isNan(lost.outer[0]));
    EXPECT_EQ(lost.scales, std::vector<uint8_t>(2, 0x7F));
    EXPECT_EQ(lost.codes, std::vector<uint8_t>(32, 0));
  }
}

TEST(Outer, TooSmallAGivenScaleSaturates) {
  float outer = 0.25f;
  QuantizeInputs inputs;
  inputs.givenOuter = &outer;
  Blocked tensor = quantizeRow(nvfp4(), QuantRule(),
                               padded({-5000.0f, 1000.0f}, 16), inputs);
  EXPECT_EQ(tensor.scales[0], 0x7E);
  EXPECT_EQ(tensor.codes[0], 0xF);
  EXPECT_EQ(tensor.codes[1], 7);
  EXPECT_EQ(tensor.outer[0], 0.25f);
}

TEST(Outer, UE8M0UnderAnOuterScaleSeesScaledValues) {
  BlockFormat format = mxfp8();
  format.outer = true;
  std::vector<float> x = randomValues(20, 96);
  float outer = 3.0f;
  QuantizeInputs inputs;
  inputs.givenOuter = &outer;
  Blocked tensor = quantizeRow(format, QuantRule(), x, inputs);
  std::vector<float> scaled = x;
  for (float &value : scaled)
    value = value * (1.0f / 3.0f);
  Blocked plain = quantizeRow(mxfp8(), QuantRule(), scaled);
  EXPECT_EQ(tensor.codes, plain.codes);
  EXPECT_EQ(tensor.scales, plain.scales);
}

//===----------------------------------------------------------------------===//
// Requantise
//===----------------------------------------------------------------------===//

struct Requantized {
  Blocked source;
  Blocked result;
  Status status = Status::success();
};

Requantized requantizeTransposed(const std::vector<float> &x, Dims shape,
                                 const Blocking &sourceBlocking,
                                 RequantOuter outer, const BlockFormat &format,
                                 const Blocking &blocking) {
  Requantized r{{nvfp4(), sourceBlocking, shape},
                {format, blocking, {shape[1], shape[0]}}};
  r.status = r.source.quantize(QuantRule(), view(x, shape));
  if (r.status.ok())
    r.status =
        requantize(nvfp4(), sourceBlocking, shape, r.source.data(), outer,
                   {1, 0}, format, QuantRule(), blocking, r.result.data());
  return r;
}

TEST(Requantize, FoldIsDequantizeThenQuantize) {
  std::vector<float> x = randomValues(21, 40 * 50);
  Requantized r = requantizeTransposed(
      x, {40, 50}, {{1, 16}, {0}}, RequantOuter::Fold, mxfp8(), {{1, 32}, {}});
  ASSERT_TRUE(r.status.ok()) << r.status.message();
  std::vector<float> values = r.source.dequantize();
  Blocked expected(mxfp8(), {{1, 32}, {}}, {50, 40});
  ASSERT_TRUE(
      expected.quantize(QuantRule(), permuted(view(values, {40, 50}), {1, 0}))
          .ok());
  EXPECT_TRUE(sameBytes(r.result, expected));
}

TEST(Requantize, KeepQuantizesBelowTheOuterScale) {
  std::vector<float> x = randomValues(22, 40 * 50);
  BlockFormat format = mxfp8();
  format.outer = true;
  Requantized r = requantizeTransposed(
      x, {40, 50}, {{1, 16}, {}}, RequantOuter::Keep, format, {{1, 32}, {}});
  ASSERT_TRUE(r.status.ok()) << r.status.message();
  EXPECT_EQ(bitsOf(r.result.outer), bitsOf(r.source.outer));
  // q * sf, exactly: the source with an outer scale of 1.
  std::vector<float> outer = r.source.outer;
  r.source.outer = {1.0f};
  std::vector<float> values = r.source.dequantize();
  Blocked expected(mxfp8(), {{1, 32}, {}}, {50, 40});
  ASSERT_TRUE(
      expected.quantize(QuantRule(), permuted(view(values, {40, 50}), {1, 0}))
          .ok());
  EXPECT_EQ(r.result.codes, expected.codes);
  EXPECT_EQ(r.result.scales, expected.scales);
}

TEST(Requantize, Refusals) {
  std::vector<float> x(32 * 32, 1.0f);
  BlockFormat outerMx = mxfp8();
  outerMx.outer = true;
  // Per-token outers run along the new block axis.
  EXPECT_EQ(requantizeTransposed(x, {32, 32}, {{1, 16}, {0}},
                                 RequantOuter::Keep, outerMx, {{1, 32}, {1}})
                .status.message(),
            "expects blocks of size 1 along outer axis 1, but got 32");
  EXPECT_EQ(requantizeTransposed(x, {32, 32}, {{1, 16}, {0}},
                                 RequantOuter::Keep, outerMx, {{1, 32}, {0}})
                .status.message(),
            "expects the outer axes of the source, permuted, in the result "
            "for outer = keep");
  EXPECT_EQ(requantizeTransposed(x, {32, 32}, {{1, 16}, {0}},
                                 RequantOuter::Keep, mxfp8(), {{1, 32}, {}})
                .status.message(),
            "expects outer scales in the source and in the result for outer = "
            "keep");
}

//===----------------------------------------------------------------------===//
// Refusals and the environment
//===----------------------------------------------------------------------===//

TEST(Validate, CombinationsWithoutAMeaning) {
  auto message = [](const BlockFormat &format, QuantRule rule) {
    return validate(format, rule).message();
  };
  QuantRule rule;
  BlockFormat outerFp8 = fp8Block();
  outerFp8.outer = true;
  EXPECT_EQ(message(outerFp8, rule),
            "expects no outer scale above fp32 block scales");
  rule.outerMax = -1.0f;
  EXPECT_EQ(message(nvfp4(), rule), "expects an outer_max that is positive "
                                    "and finite, or 0 for the default");
  EXPECT_EQ(message(mxfp8(), fourSix(FourSix::MSE)),
            "expects e2m1 elements with ue4m3 scales for four_six, but got "
            "e4m3 with ue8m0");
  rule = fourSix(FourSix::MSE);
  rule.round = RoundingMode::Stochastic;
  EXPECT_EQ(message(nvfp4(), rule),
            "expects round = nearest for four_six, but got stochastic");
  rule = fourSix(FourSix::MAE);
  rule.sfRound = ScaleRound::Up;
  EXPECT_EQ(message(nvfp4(), rule),
            "expects sf_round = rne for four_six, but got up");
  rule = fourSix(FourSix::MAE);
  rule.sfArith = ScaleArith::TorchAO;
  EXPECT_EQ(message(nvfp4(), rule),
            "expects sf_arith = divide or te for four_six");
  EXPECT_EQ(message(mxfp8(), *findRulePreset("torchao")),
            "expects ue4m3 block scales for the sf_arith of torchao and "
            "compressed_tensors, but got ue8m0");
  rule = QuantRule();
  rule.round = RoundingMode::Stochastic;
  EXPECT_EQ(message(nvfp4(), rule),
            "expects sf_round = up for stochastic rounding, as rne clips, or "
            "allow_clipping");
  rule.scale = ScaleRule::Floor;
  EXPECT_EQ(message(mxfp8(), rule),
            "expects scale = rceil for stochastic rounding, as others clip, "
            "or allow_clipping");
  rule.allowClipping = true;
  EXPECT_EQ(message(mxfp8(), rule), "");
  for (const char *preset : {"default", "te", "te_four_six", "fouroversix",
                             "torchao", "compressed_tensors"})
    EXPECT_EQ(message(nvfp4(), *findRulePreset(preset)), "") << preset;
}

TEST(Quantize, RefusedCallsWriteNothing) {
  std::vector<float> x(32, 1.0f);
  Blocked tensor(nvfp4(), {{1, 16}, {1}}, {1, 32}), before = tensor;
  EXPECT_FALSE(tensor.quantize(QuantRule(), view(x, {1, 32})).ok());
  EXPECT_TRUE(sameBytes(tensor, before));
  float one = 1.0f;
  QuantizeInputs both;
  both.givenOuter = both.givenAmax = &one;
  Blocked other(nvfp4(), {{1, 16}, {}}, {1, 32});
  EXPECT_EQ(other.quantize(QuantRule(), view(x, {1, 32}), both).message(),
            "expects given outer scales or given amaxes, but got both");
  QuantizeInputs given;
  given.givenOuter = &one;
  Blocked single(nvfp4Single(), {{1, 16}, {}}, {1, 32});
  EXPECT_EQ(single.quantize(QuantRule(), view(x, {1, 32}), given).message(),
            "expects a format with an outer scale where outer scales or "
            "amaxes are given");
}

#if defined(__SSE__)
TEST(Quantize, TheStateOfTheProcessorDoesNotMatter) {
  // Values whose products with scales are subnormal.
  std::vector<float> x = randomValues(23, 3 * 64);
  for (float &value : x)
    value *= 0x1p-130f;
  for (const FormatCase &c : allCases()) {
    Blocking blocking{{1, c.format.blockSize}, {}};
    Blocked expected(c.format, blocking, {3, 64}), actual = expected;
    ASSERT_TRUE(expected.quantize(c.rule, view(x, {3, 64})).ok());
    std::vector<float> expectedValues = expected.dequantize();
    unsigned saved = _mm_getcsr();
    // Flush to zero, subnormals are zero, round up.
    unsigned changed = (saved & ~0x6000u) | 0x8040u | 0x4000u;
    _mm_setcsr(changed);
    Status status = actual.quantize(c.rule, view(x, {3, 64}));
    std::vector<float> actualValues = actual.dequantize();
    unsigned after = _mm_getcsr();
    _mm_setcsr(saved);
    EXPECT_TRUE(status.ok());
    EXPECT_TRUE(sameBytes(actual, expected)) << c.name;
    EXPECT_EQ(bitsOf(actualValues), bitsOf(expectedValues)) << c.name;
    EXPECT_EQ(after & ~0x3Fu, changed & ~0x3Fu);
  }
}
#endif

TEST(Quantize, ZerosStayZeroUnderAnInfiniteFactor) {
  // S_dec = fl(amax / 2688) is so small that fl(1 / S_dec) overflows.
  Blocked tensor = quantizeRow(nvfp4(), *findRulePreset("torchao"),
                               padded({0x1p-140f, 0.0f, -0.0f}, 16));
  EXPECT_EQ(tensor.codes[0], 7);
  EXPECT_EQ(tensor.codes[1], 0);
  EXPECT_EQ(tensor.codes[2], 8);
}

TEST(Dequantize, ResultTypes) {
  std::vector<float> x = randomValues(24, 48);
  Blocked tensor = quantizeRow(nvfp4(), QuantRule(), x);
  std::vector<float> values = tensor.dequantize();
  for (FloatType type : {FloatType::BF16, FloatType::F16}) {
    std::vector<uint16_t> halves(values.size());
    ASSERT_TRUE(
        dequantize(tensor.format, tensor.blocking, tensor.data(),
                   denseView(static_cast<void *>(halves.data()), type, {1, 48}))
            .ok());
    for (size_t i = 0; i < values.size(); ++i)
      EXPECT_EQ(halves[i], storeFloat(type, values[i]));
  }
}

TEST(Dequantize, NanScalesReachZeroCodes) {
  Blocked tensor(mxfp8(), {{1, 32}, {}}, {1, 32});
  tensor.codes.assign(32, 0);
  tensor.scales = {0xFF};
  for (float value : tensor.dequantize())
    EXPECT_TRUE(isNan(value));
}

} // namespace
