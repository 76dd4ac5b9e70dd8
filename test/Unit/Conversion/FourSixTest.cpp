//===- FourSixTest.cpp - the 4/6 choice from block operations -------------===//
//
// Part of the lowp project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "BlockProgram.h"

#include "lowp/Numerics/Quantize.h"

#include "gtest/gtest.h"

#include <cmath>
#include <random>

using namespace lowp::numerics;

namespace {

constexpr int64_t kBlockSize = 16;
constexpr int64_t kRowBlocks = 16;
constexpr int64_t kRows = 256;
constexpr int64_t kBlocks = kRows * kRowBlocks;

enum class Outer { None, Computed, Given };

struct Case {
  std::string name;
  QuantRule rule;
  std::string text;
  Outer outer;

  BlockFormat format() const {
    return {"", &kE2M1, &kUE4M3, outer != Outer::None, kBlockSize};
  }
};

std::vector<Case> makeCases() {
  std::vector<Case> cases;
  constexpr std::pair<FourSix, const char *> kMetrics[] = {
      {FourSix::MSE, "mse"},
      {FourSix::MAE, "mae"},
      {FourSix::AbsMax, "absmax"}};
  constexpr std::pair<FourSixError, const char *> kErrors[] = {
      {FourSixError::Scaled, "scaled"},
      {FourSixError::Dequantized, "dequantized"}};
  constexpr std::pair<ScaleArith, const char *> kOrders[] = {
      {ScaleArith::Divide, "divide"}, {ScaleArith::TE, "te"}};
  constexpr std::pair<Outer, const char *> kOuters[] = {
      {Outer::None, "none"},
      {Outer::Computed, "computed"},
      {Outer::Given, "given"}};
  for (auto [metric, metricName] : kMetrics)
    for (auto [error, errorName] : kErrors)
      for (auto [order, orderName] : kOrders)
        for (auto [outer, outerName] : kOuters) {
          Case next;
          next.rule.fourSix = metric;
          next.rule.fourSixError = error;
          next.rule.sfArith = order;
          next.outer = outer;
          next.name = std::string(metricName) + "_" + errorName + "_" +
                      orderName + "_" + outerName;
          next.text = std::string("<four_six = ") + metricName +
                      ", four_six_error = " + errorName +
                      ", sf_arith = " + orderName + ">";
          cases.push_back(next);
        }
  return cases;
}

/// From (values, encode, decode, error's outer) to (codes, scale).
void addQuantize(BlockProgram &program, const Case &test) {
  bool outer = test.outer != Outer::None;
  std::string format =
      std::string("<f4E2M1FN, f8E4M3FN") + (outer ? ", outer>" : ">");
  std::string suffix = " format = " + format + " rule = " + test.text;
  std::string given = test.rule.fourSixError == FourSixError::Dequantized &&
                              test.outer != Outer::Computed
                          ? " given_scale"
                          : "";
  Body body;
  body.load("x", 0, "f32", kBlockSize)
      .load("enc", 1, "f32")
      .load("dec", 2, "f32")
      .load("group", 3, "f32")
      .line("%one = arith.constant 1 : i8")
      .line("%top = arith.constant 126 : i8")
      .line("%amax = lowp.block_amax %x : vector<16xf32>");
  for (std::string candidate : {"6", "4"}) {
    auto name = [&](std::string base) { return "%" + base + candidate; };
    body.line(name("s") + ", " + name("f") + " = lowp.block_scale %amax " +
              (outer ? "outer(%enc, %dec)" : "") + suffix +
              (candidate == "4" ? " four" : "") + " : i8")
        .line(name("below") + " = arith.subi " + name("s") + ", %one : i8")
        .line(name("ok") + " = arith.cmpi ult, " + name("below") +
              ", %top : i8")
        .line(name("fs") + " = vector.broadcast " + name("f") +
              " : f32 to vector<16xf32>")
        .line(name("y") + " = arith.mulf %x, " + name("fs") +
              " : vector<16xf32>")
        .line(name("c") + " = lowp.encode " + name("y") + " valid(" +
              name("ok") +
              ") element = f4E2M1FN : vector<16xf32> -> vector<16xi8>")
        .line(name("q") + " = lowp.decode " + name("c") +
              " element = f4E2M1FN : vector<16xi8> -> vector<16xf32>")
        .line(name("v") + " = lowp.decode_scale " + name("s") +
              " type = f8E4M3FN")
        .line(name("e") + " = lowp.block_error %x, " + name("q") + ", " +
              name("v") + ", %group" + suffix + given + " : vector<16xf32>");
  }
  body.line("%better = arith.cmpf olt, %e4, %e6 : f32")
      .line("%c = arith.select %better, %c4, %c6 : vector<16xi8>")
      .line("%s = arith.select %better, %s4, %s6 : i8")
      .store("c", 4, "i8", kBlockSize)
      .store("s", 5, "i8");
  program.add(test.name, {"f32", "f32", "f32", "f32", "i8", "i8"}, body);
}

/// Rows of several kinds: normal numbers of any size, products of codes and
/// scales with their neighbours (ties and near ties of the choice), wide
/// ranges, specials.
std::vector<float> makeValues() {
  std::mt19937 random(6);
  std::normal_distribution<float> normal;
  std::vector<float> values(kBlocks * kBlockSize);
  for (int64_t row = 0; row < kRows; ++row) {
    float size = fromBits((100u + random() % 50u) << 23);
    for (int64_t i = 0; i < kRowBlocks * kBlockSize; ++i) {
      float &value = values[row * kRowBlocks * kBlockSize + i];
      uint32_t bits = static_cast<uint32_t>(random());
      switch (row % 4) {
      case 0:
        value = normal(random) * size;
        break;
      case 1:
        value = decode(kE2M1, bits & 0xF) *
                decode(kE4M3, 0x30 + static_cast<uint32_t>(i / kBlockSize)) *
                size;
        if (bits & 0x10)
          value = fromBits(toBits(value) + (bits & 0x20 ? 1 : 0));
        if ((bits & 0x700) == 0)
          value *= 1.5f;
        break;
      case 2:
        value = fromBits(bits & 0xBFFFFFFFu);
        break;
      case 3:
        value = normal(random) * size;
        if (bits % 512 == 0)
          value = INFINITY;
        if (bits % 512 == 1)
          value = NAN;
        if (bits % 512 < 64)
          value = -0.0f;
        break;
      }
    }
  }
  return values;
}

//===----------------------------------------------------------------------===//
// Errors
//===----------------------------------------------------------------------===//

/// A sum of squares in two chains, whose steps round once, or twice.
float sumOfSquares(const std::vector<float> &errors, bool fused) {
  float sums[2] = {0.0f, 0.0f};
  for (size_t i = 0; i < errors.size(); ++i) {
    float &sum = sums[i % 2];
    sum = fused ? std::fma(errors[i], errors[i], sum)
                : sum + errors[i] * errors[i];
  }
  return sums[0] + sums[1];
}

/// From (values, codes, scale, outer) to the error: of single blocks, or of
/// batches of eight whose elements lie next to each other.
void addError(BlockProgram &program, const Case &test, bool batch) {
  std::string type = batch ? "vector<16x8xf32>" : "vector<16xf32>";
  bool given = test.rule.fourSixError == FourSixError::Dequantized &&
               test.outer != Outer::Computed;
  Body body;
  if (batch) {
    body.load("flatX", 0, "f32", 8 * kBlockSize)
        .load("flatQ", 1, "f32", 8 * kBlockSize)
        .load("s", 2, "f32", 8)
        .load("o", 3, "f32", 8)
        .line("%x = vector.shape_cast %flatX : vector<128xf32> to " + type)
        .line("%q = vector.shape_cast %flatQ : vector<128xf32> to " + type);
  } else {
    body.load("x", 0, "f32", kBlockSize)
        .load("q", 1, "f32", kBlockSize)
        .load("s", 2, "f32")
        .load("o", 3, "f32");
  }
  body.line("%e = lowp.block_error %x, %q, %s, %o format = <f4E2M1FN, "
            "f8E4M3FN" +
            std::string(test.outer != Outer::None ? ", outer>" : ">") +
            " rule = " + test.text + (given ? " given_scale" : "") + " : " +
            type)
      .store("e", 4, "f32", batch ? 8 : 0);
  program.add(test.name + (batch ? "_batch" : ""),
              {"f32", "f32", "f32", "f32", "f32"}, body);
}

TEST(LowpToArith, FourSixErrors) {
  ScopedFloatEnvironment environment;
  std::vector<Case> cases = makeCases();
  BlockProgram program;
  for (const Case &test : cases)
    for (bool batch : {false, true})
      addError(program, test, batch);
  ASSERT_TRUE(program.compile());

  std::vector<float> values = makeValues();
  std::mt19937 random(7);
  std::vector<float> codes(values.size()), scales(kBlocks), outers(kBlocks);
  for (float &code : codes)
    code = decode(kE2M1, static_cast<uint32_t>(random()) & 0xF);
  for (int64_t block = 0; block < kBlocks; ++block) {
    scales[block] =
        decode(kE4M3, 1 + static_cast<uint32_t>(random()) % kE4M3.maxCode());
    outers[block] =
        fromBits(((110u + static_cast<uint32_t>(random()) % 35u) << 23) |
                 (static_cast<uint32_t>(random()) & 0x7FFFFFu));
  }
  // Of a batch of blocks: element i of all, then element i + 1 of all.
  auto interleave = [&](const std::vector<float> &from) {
    std::vector<float> result(from.size());
    for (int64_t block = 0; block < kBlocks; ++block)
      for (int64_t i = 0; i < kBlockSize; ++i)
        result[(block / 8 * kBlockSize + i) * 8 + block % 8] =
            from[block * kBlockSize + i];
    return result;
  };
  std::vector<float> valueBatches = interleave(values),
                     codeBatches = interleave(codes);
  int64_t roundedTwice = 0;
  for (const Case &test : cases) {
    std::vector<float> single(kBlocks), batch(kBlocks);
    program.run(test.name, kBlocks, {values, codes, scales, outers, single});
    program.run(test.name + "_batch", kBlocks / 8,
                {valueBatches, codeBatches, scales, outers, batch});
    Mismatches mismatches(test.name);
    for (int64_t block = 0; block < kBlocks; ++block) {
      const float *x = &values[block * kBlockSize];
      const float *q = &codes[block * kBlockSize];
      OuterScale outer;
      outer.encode = outer.decode = outer.amax = outers[block];
      outer.amaxKnown = test.outer == Outer::Computed;
      float expected = fourSixRowError(test.format(), test.rule, x, q,
                                       kBlockSize, scales[block], outer);
      if (test.rule.fourSix == FourSix::MSE &&
          test.rule.fourSixError == FourSixError::Scaled) {
        std::vector<float> errors;
        for (int64_t i = 0; i < kBlockSize; ++i)
          errors.push_back(q[i] * scales[block] - x[i] * outers[block]);
        float once = sumOfSquares(errors, true);
        EXPECT_TRUE(toBits(once) == toBits(expected) || std::isnan(expected));
        roundedTwice += toBits(sumOfSquares(errors, false)) != toBits(once);
      }
      for (float actual : {single[block], batch[block]})
        if (toBits(actual) != toBits(expected) &&
            !(std::isnan(actual) && std::isnan(expected)))
          mismatches.add("block %d: error %a, expected %a",
                         static_cast<int>(block), actual, expected);
    }
  }
  EXPECT_GT(roundedTwice, kBlocks / 4);
}

/// Errors of the codes of a block under `scale`, without an outer scale.
std::vector<float> errorsUnder(const std::vector<float> &x, float scale) {
  std::vector<float> errors;
  for (float value : x)
    errors.push_back(
        decode(kE2M1, encodeNearest(kE2M1, value * (1.0f / scale))) * scale -
        value);
  return errors;
}

/// Blocks of amax 6, scale 1 under the 6-candidate and 1.5 under the other,
/// where squares that round before they are added choose the other candidate.
std::vector<float> makeNearTies(int64_t count) {
  std::mt19937 random(8);
  std::vector<float> values;
  while (static_cast<int64_t>(values.size()) < count * kBlockSize) {
    // On a grid the errors are exact, and ties are many; beside it the last
    // bits of the sums decide.
    std::vector<float> x = {6.0f};
    while (x.size() < kBlockSize)
      x.push_back(static_cast<float>(random() % 25) / 4);
    if (sumOfSquares(errorsUnder(x, 1.0f), true) !=
        sumOfSquares(errorsUnder(x, 1.5f), true))
      continue;
    for (size_t i = 1; i < x.size(); ++i)
      if (x[i] != 0.0f)
        x[i] = fromBits(toBits(x[i]) + static_cast<uint32_t>(random() % 3));
    auto picksFour = [&](bool fused) {
      return sumOfSquares(errorsUnder(x, 1.5f), fused) <
             sumOfSquares(errorsUnder(x, 1.0f), fused);
    };
    if (picksFour(true) != picksFour(false))
      values.insert(values.end(), x.begin(), x.end());
  }
  return values;
}

TEST(LowpToArith, FourSixChoosesByFusedSquares) {
  ScopedFloatEnvironment environment;
  std::vector<Case> cases = makeCases();
  BlockProgram program;
  // mse, scaled, divide, without an outer scale.
  const Case &test = cases.front();
  ASSERT_EQ(test.name, "mse_scaled_divide_none");
  addQuantize(program, test);
  ASSERT_TRUE(program.compile());

  constexpr int64_t kCount = 64;
  std::vector<float> values = makeNearTies(kCount), ones(kCount, 1.0f);
  std::vector<uint8_t> codes(values.size()), scales(kCount);
  program.run(test.name, kCount, {values, ones, ones, ones, codes, scales});
  int64_t fours = 0;
  Mismatches mismatches(test.name);
  for (int64_t block = 0; block < kCount; ++block) {
    std::vector<float> x(values.begin() + block * kBlockSize,
                         values.begin() + (block + 1) * kBlockSize);
    bool four = sumOfSquares(errorsUnder(x, 1.5f), true) <
                sumOfSquares(errorsUnder(x, 1.0f), true);
    fours += four;
    // 1.5 and 1.
    if (scales[block] != (four ? 0x3C : 0x38))
      mismatches.add("block %d: scale %02x", static_cast<int>(block),
                     scales[block]);
  }
  EXPECT_GT(fours, 0);
  EXPECT_LT(fours, kCount);
}

//===----------------------------------------------------------------------===//
// Choices
//===----------------------------------------------------------------------===//

TEST(LowpToArith, FourSix) {
  ScopedFloatEnvironment environment;
  std::vector<Case> cases = makeCases();
  BlockProgram program;
  for (const Case &test : cases)
    addQuantize(program, test);
  ASSERT_TRUE(program.compile());

  std::vector<float> values = makeValues();
  std::vector<float> given(kRows);
  for (int64_t row = 0; row < kRows; ++row)
    given[row] = fromBits((100u + static_cast<uint32_t>(row) % 50u) << 23 |
                          static_cast<uint32_t>(row) << 12);
  for (const Case &test : cases) {
    // Expected.
    BlockFormat format = test.format();
    std::vector<uint8_t> codes(values.size()), scales(kBlocks), picked(kBlocks);
    std::vector<float> outers(kRows);
    BlockedData expected;
    expected.codes = codes.data();
    expected.scales = scales.data();
    expected.outer = outers.data();
    QuantizeInputs inputs;
    if (test.outer == Outer::Given)
      inputs.givenOuter = given.data();
    inputs.pickedFour = picked.data();
    Blocking blocking;
    blocking.block = {1, kBlockSize};
    if (test.outer != Outer::None)
      blocking.outerAxes = {0};
    Dims shape = {kRows, kRowBlocks * kBlockSize};
    Status status = quantize(format, test.rule, blocking,
                             denseView(static_cast<const void *>(values.data()),
                                       FloatType::F32, shape),
                             expected, inputs);
    ASSERT_TRUE(status.ok()) << status.message();
    // Both candidates are taken, or the test shows nothing.
    int64_t fours = 0;
    for (uint8_t four : picked)
      fours += four;
    EXPECT_GT(fours, kBlocks / 16) << test.name;
    EXPECT_LT(fours, kBlocks * 15 / 16) << test.name;

    // Actual.
    std::vector<float> encode(kBlocks), decode(kBlocks), group(kBlocks);
    for (int64_t block = 0; block < kBlocks; ++block) {
      int64_t row = block / kRowBlocks;
      OuterScale outer;
      if (test.outer == Outer::Given) {
        outer = outerFromDecode(given[row]);
      } else if (test.outer == Outer::Computed) {
        float amax = 0.0f;
        for (int64_t i = 0; i < kRowBlocks * kBlockSize; ++i) {
          float value = magnitude(values[row * kRowBlocks * kBlockSize + i]);
          if (isNan(value) || value > amax)
            amax = value;
          if (isNan(value))
            break;
        }
        outer = outerFromAmax(format, test.rule, amax);
      }
      encode[block] = outer.encode;
      decode[block] = outer.decode;
      if (test.rule.fourSixError == FourSixError::Scaled)
        group[block] = outer.encode;
      else
        group[block] = outer.amaxKnown ? outer.amax : outer.decode;
    }
    std::vector<uint8_t> actualCodes(values.size()), actualScales(kBlocks);
    program.run(test.name, kBlocks,
                {values, encode, decode, group, actualCodes, actualScales});
    Mismatches mismatches(test.name);
    for (int64_t block = 0; block < kBlocks; ++block) {
      bool same = actualScales[block] == scales[block];
      for (int64_t i = block * kBlockSize; i < (block + 1) * kBlockSize; ++i)
        same = same && actualCodes[i] == codes[i];
      if (!same)
        mismatches.add("block %d: scale %02x, expected %02x",
                       static_cast<int>(block), actualScales[block],
                       scales[block]);
    }
  }
}

} // namespace
