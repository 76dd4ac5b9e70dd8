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
