//===- StochasticTest.cpp - lowp.philox and stochastic lowp.encode --------===//
//
// Part of the lowp project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "BlockProgram.h"

#include "lowp/Numerics/Element.h"
#include "lowp/Numerics/Philox.h"
#include "lowp/Numerics/Scale.h"

#include "gtest/gtest.h"

#include <algorithm>
#include <random>

using namespace lowp::numerics;

namespace {

struct Element {
  const ElementFormat *format;
  const char *type;
};
constexpr Element kElements[] = {{&kE2M1, "f4E2M1FN"}, {&kE2M3, "f6E2M3FN"},
                                 {&kE3M2, "f6E3M2FN"}, {&kE4M3, "f8E4M3FN"},
                                 {&kE5M2, "f8E5M2"},   {&kS2F6, "!lowp.s2f6"}};

std::string vectorType(int64_t count, const char *element) {
  return "vector<" + std::to_string(count) + "x" + element + ">";
}

//===----------------------------------------------------------------------===//
// Philox
//===----------------------------------------------------------------------===//

void addPhilox(BlockProgram &program, const std::string &name, uint32_t stream,
               const std::string &attributes, int64_t lanes) {
  Body body;
  body.load("seed", 0, "i64").load("step", 1, "i32");
  body.load("g", 2, "i64", lanes);
  body.line("%stream = arith.constant " + std::to_string(stream) + " : i32");
  std::string type = lanes ? vectorType(lanes, "i64") : "i64";
  body.line("%w:4 = lowp.philox %seed, %step, %stream, %g " + attributes +
            " : " + type);
  for (int j = 0; j < 4; ++j)
    body.store("w#" + std::to_string(j), 3 + j, "i32", lanes);
  program.add(name, {"i64", "i32", "i64", "i32", "i32", "i32", "i32"}, body);
}

/// Words of one function on keys and groups of all sizes.
void checkPhilox(BlockProgram &program, const std::string &name, int64_t lanes,
                 uint32_t stream, unsigned rounds) {
  constexpr int64_t kBlocks = 500;
  int64_t perBlock = lanes ? lanes : 1;
  std::mt19937_64 random(lanes + 1);
  std::vector<uint64_t> seeds(kBlocks), groups(kBlocks * perBlock);
  std::vector<uint32_t> steps(kBlocks);
  auto any = [&] { return random() >> (random() % 64); };
  std::generate(seeds.begin(), seeds.end(), any);
  std::generate(steps.begin(), steps.end(), any);
  std::generate(groups.begin(), groups.end(), any);
  seeds[0] = groups[0] = ~uint64_t(0);
  seeds[1] = groups[1] = steps[1] = 0;
  std::vector<uint32_t> words[4];
  for (std::vector<uint32_t> &word : words)
    word.resize(groups.size());
  program.run(name, kBlocks,
              {seeds, steps, groups, words[0], words[1], words[2], words[3]});
  Mismatches mismatches(name);
  for (size_t i = 0; i < groups.size(); ++i) {
    uint64_t seed = seeds[i / perBlock];
    PhiloxCounter expected =
        philox4x32({uint32_t(groups[i]), uint32_t(groups[i] >> 32), stream,
                    steps[i / perBlock]},
                   {uint32_t(seed), uint32_t(seed >> 32)}, rounds);
    for (int j = 0; j < 4; ++j)
      if (words[j][i] != expected[j])
        mismatches.add("word %d of %zu: %08x, expected %08x", j, i, words[j][i],
                       expected[j]);
  }
}

TEST(Stochastic, Philox) {
  BlockProgram program;
  for (int64_t lanes : {0, 1, 2, 3, 8}) {
    std::string name = "philox" + std::to_string(lanes);
    addPhilox(program, name, 2147483647, "", lanes);
    addPhilox(program, name + "_7", 6, "rounds = 7 independent", lanes);
  }
  // The authors' known answers, whose counters end in what a stream can be.
  addPhilox(program, "known_0", 0, "", 0);
  addPhilox(program, "known_pi", 320440878, "", 0);
  ASSERT_TRUE(program.compile());
  for (int64_t lanes : {0, 1, 2, 3, 8}) {
    std::string name = "philox" + std::to_string(lanes);
    checkPhilox(program, name, lanes, 0x7FFFFFFF, 10);
    checkPhilox(program, name + "_7", lanes, 6 | 0x80000000u, 7);
  }

  auto known = [&](const char *name, uint64_t seed, uint32_t step,
                   uint64_t group, PhiloxCounter expected) {
    std::vector<uint64_t> seeds = {seed}, groups = {group};
    std::vector<uint32_t> steps = {step}, w0(1), w1(1), w2(1), w3(1);
    program.run(name, 1, {seeds, steps, groups, w0, w1, w2, w3});
    EXPECT_EQ((PhiloxCounter{w0[0], w1[0], w2[0], w3[0]}), expected);
  };
  known("known_0", 0, 0, 0,
        {0x6627E8D5u, 0xE169C58Du, 0xBC57AC4Cu, 0x9B00DBD8u});
  known("known_pi", 0x299F31D0A4093822u, 0x03707344u, 0x85A308D3243F6A88u,
        {0xD16CFE09u, 0x94FDCCEBu, 0x5001E420u, 0x24126EA1u});
}

TEST(Stochastic, RandomBits) {
  BlockProgram program;
  struct Case {
    std::string name;
    unsigned bits;
    RandomSharing sharing;
    int64_t words, elements;
  };
  std::vector<Case> cases;
  for (unsigned bits : {8u, 16u, 5u})
    for (RandomSharing sharing :
         {RandomSharing::Hardware, RandomSharing::Independent}) {
      int64_t perWord = elementsPerRandomWord(sharing);
      for (int64_t elements : {1, 3, 16, 32})
        cases.push_back({"bits" + std::to_string(cases.size()), bits, sharing,
                         (elements + perWord - 1) / perWord, elements});
    }
  for (const Case &c : cases) {
    Body body;
    body.load("w", 0, "i32", c.words)
        .line("%r = lowp.random_bits %w bits = " + std::to_string(c.bits) +
              (c.sharing == RandomSharing::Independent ? " independent" : "") +
              " : " + vectorType(c.words, "i32") + " -> " +
              vectorType(c.elements, "i32"))
        .store("r", 1, "i32", c.elements);
    program.add(c.name, {"i32", "i32"}, body);
  }
  ASSERT_TRUE(program.compile());
  // By the table of docs/spec.md: v0 to v3 of a word.
  const unsigned shared8[] = {0, 16, 8, 24}, shared[] = {0, 0, 16, 16};
  std::mt19937 random(4);
  for (const Case &c : cases) {
    std::vector<uint32_t> words(c.words * 8), bits(c.elements * 8);
    for (uint32_t &word : words)
      word = static_cast<uint32_t>(random());
    program.run(c.name, 8, {words, bits});
    bool independent = c.sharing == RandomSharing::Independent;
    Mismatches mismatches(c.name);
    for (size_t i = 0; i < bits.size(); ++i) {
      int64_t lane = i % c.elements;
      uint32_t word =
          words[i / c.elements * c.words + lane / (independent ? 2 : 4)];
      unsigned shift = independent   ? 16 * (lane % 2)
                       : c.bits == 8 ? shared8[lane % 4]
                                     : shared[lane % 4];
      uint32_t expected = (word >> shift) & ((1u << c.bits) - 1);
      if (bits[i] != expected)
        mismatches.add("%zu: %x, expected %x", i, bits[i], expected);
    }
  }
}

//===----------------------------------------------------------------------===//
// Encode
//===----------------------------------------------------------------------===//

void addEncode(BlockProgram &program, const std::string &name,
               const char *element, const std::string &rule, bool packed) {
  int64_t bytes = packed ? 8 : 16;
  Body body;
  body.load("x", 0, "f32", 16)
      .load("r", 1, "i32", 16)
      .load("flag", 2, "i8")
      .line("%ok = arith.trunci %flag : i8 to i1")
      .line("%c = lowp.encode %x valid(%ok) random(%r : vector<16xi32>) "
            "element = " +
            std::string(element) + " rule = <round = stochastic" + rule +
            "> : vector<16xf32> -> " + vectorType(bytes, "i8"))
      .store("c", 3, "i8", bytes);
  program.add(name, {"f32", "i32", "i8", "i8"}, body);
}

/// Codes of `values` under `words`, one a byte.
std::vector<uint8_t> encode(BlockProgram &program, const std::string &name,
                            std::vector<float> &values,
                            std::vector<uint32_t> &words, bool packed) {
  int64_t blocks = static_cast<int64_t>(values.size()) / 16;
  std::vector<uint8_t> flags(blocks, 1), codes(values.size());
  if (!packed) {
    program.run(name, blocks, {values, words, flags, codes});
    return codes;
  }
  std::vector<uint8_t> bytes(values.size() / 2);
  program.run(name, blocks, {values, words, flags, bytes});
  for (size_t i = 0; i < codes.size(); ++i)
    codes[i] = (bytes[i / 2] >> (4 * (i % 2))) & 0xF;
  return codes;
}

/// All bf16 numbers, FP32 numbers around each code, and of all kinds.
std::vector<float> encodeInputs(const ElementFormat &format, bool nan) {
  std::vector<float> values;
  auto add = [&](uint32_t bits) {
    float value = fromBits(bits);
    values.push_back(isNan(value) && !nan ? 1.0f : value);
  };
  for (uint32_t bits = 0; bits < 0x10000; ++bits)
    add(bits << 16);
  for (uint32_t code = 0; code <= format.maxCode(); ++code)
    for (int32_t step : {-2, -1, 0, 1, 2, 0x3FF})
      for (uint32_t sign : {0u, 0x80000000u})
        add(((toBits(decode(format, code)) + step) & 0x7FFFFFFFu) | sign);
  for (uint32_t i = 0; i < 300000; ++i)
    add(i * 2654435761u);
  // Where the codes are: random exponents near those of the format.
  std::mt19937 random(5);
  for (uint32_t i = 0; i < 300000; ++i) {
    uint32_t field = 127u + maxExponent(format) + 1u - random() % 26u;
    add((random() & 0x807FFFFFu) | field << 23);
  }
  while (values.size() % 16 != 0)
    values.push_back(0.0f);
  return values;
}

TEST(Stochastic, Encode) {
  BlockProgram program;
  for (const Element &element : kElements) {
    std::string name = element.format->name;
    addEncode(program, name, element.type, "", false);
    addEncode(program, name + "_saturate", element.type,
              ", nonfinite = saturate", false);
    addEncode(program, name + "_drop", element.type,
              ", nonfinite = saturate, neg_zero = drop", false);
    for (unsigned bits : {1u, 4u, 8u, 12u, 16u})
      addEncode(program, name + "_" + std::to_string(bits), element.type,
                ", sr_bits = " + std::to_string(bits), false);
    if (element.format->storageBits() == 4)
      addEncode(program, name + "_packed", element.type, "", true);
  }
  ASSERT_TRUE(program.compile());

  for (const Element &element : kElements) {
    const ElementFormat &format = *element.format;
    auto check = [&](const std::string &suffix, unsigned bits, bool nan,
                     bool dropsNegativeZero, bool packed) {
      std::string name = format.name + suffix;
      std::vector<float> values = encodeInputs(format, nan);
      std::vector<uint32_t> words(values.size());
      std::mt19937 random(6);
      for (uint32_t &word : words) {
        // What lies above the bits does not count; extremes are frequent.
        word = static_cast<uint32_t>(random());
        if (word % 8 == 0)
          word |= 0xFFFF;
        else if (word % 8 == 1)
          word &= ~0xFFFFu;
      }
      std::vector<uint8_t> codes = encode(program, name, values, words, packed);
      Mismatches mismatches(name);
      for (size_t i = 0; i < values.size(); ++i) {
        uint32_t expected = encodeStochastic(format, values[i], words[i], bits);
        if (dropsNegativeZero && toBits(values[i]) == 0x80000000u)
          expected = 0;
        if (codes[i] != expected)
          mismatches.add("%08x with %08x: %02x, expected %02x",
                         toBits(values[i]), words[i], codes[i], expected);
      }
    };
    check("", format.randomBits, false, false, false);
    check("_saturate", format.randomBits, true, false, false);
    check("_drop", format.randomBits, true, true, false);
    for (unsigned bits : {1u, 4u, 8u, 12u, 16u})
      check("_" + std::to_string(bits), bits, false, false, false);
    if (format.storageBits() == 4)
      check("_packed", format.randomBits, false, false, true);
  }
}

TEST(Stochastic, InvalidBlocksHaveNoCodes) {
  BlockProgram program;
  addEncode(program, "e4m3", "f8E4M3FN", "", false);
  ASSERT_TRUE(program.compile());
  std::vector<float> values(32, -1.5f);
  std::vector<uint32_t> words(32, 0xFFFF);
  std::vector<uint8_t> flags = {0, 1}, codes(32, 0x55);
  program.run("e4m3", 2, {values, words, flags, codes});
  for (int i = 0; i < 32; ++i)
    EXPECT_EQ(codes[i], i < 16 ? 0x00 : 0xBC);
}

/// For every BF16 number the codes over all random words: two neighbours, and
/// the upper one as often as the discarded bits say. The number of words that
/// round up is all that there is to know, as rounding up is monotone in the
/// word; that it is monotone is checked where there are few words.
TEST(Stochastic, EveryBF16ByCounting) {
  BlockProgram program;
  for (const Element &element : kElements)
    addEncode(program, element.format->name, element.type, "", false);
  ASSERT_TRUE(program.compile());
  for (const Element &element : kElements) {
    const ElementFormat &format = *element.format;
    uint32_t count = 1u << format.randomBits;
    std::vector<float> inputs;
    for (uint32_t bits = 0; bits < 0x8000; ++bits)
      if (!isNan(fromBits(bits << 16)))
        for (uint32_t sign : {0u, 0x80000000u})
          inputs.push_back(fromBits(bits << 16 | sign));
    Mismatches mismatches(format.name);
    std::vector<uint32_t> lowest(inputs.size(), 0), highest(inputs.size());
    // The first word that rounds up, by bisection; `count` where none does.
    std::vector<float> padded = inputs;
    padded.resize((inputs.size() + 15) / 16 * 16);
    auto codesWith = [&](std::vector<uint32_t> words) {
      words.resize(padded.size());
      return encode(program, format.name, padded, words, false);
    };
    std::vector<uint8_t> down = codesWith(lowest);
    std::fill(highest.begin(), highest.end(), count);
    for (unsigned bit = 0; bit <= format.randomBits; ++bit) {
      std::vector<uint32_t> middle(inputs.size());
      for (size_t i = 0; i < inputs.size(); ++i)
        middle[i] = std::min((lowest[i] + highest[i]) / 2, count - 1);
      std::vector<uint8_t> codes = codesWith(middle);
      for (size_t i = 0; i < inputs.size(); ++i)
        if (lowest[i] < highest[i])
          (codes[i] == down[i] ? lowest[i] : highest[i]) =
              codes[i] == down[i] ? middle[i] + 1 : middle[i];
    }
    // Both ends of the interval that was found, and of all words.
    std::vector<uint32_t> last(inputs.size());
    for (size_t i = 0; i < inputs.size(); ++i)
      last[i] = lowest[i] ? lowest[i] - 1 : 0;
    std::vector<uint8_t> before = codesWith(last);
    std::vector<uint8_t> up =
        codesWith(std::vector<uint32_t>(inputs.size(), count - 1));
    for (size_t i = 0; i < inputs.size(); ++i) {
      // By the definition in real numbers: BF16 and codes are FP64 numbers.
      double magnitude = std::abs(double(inputs[i]));
      uint32_t code =
          encodeStochastic(format, float(magnitude), 0, format.randomBits);
      uint32_t expected = 0;
      if (magnitude < maxValue(format)) {
        double below = decode(format, code), above = decode(format, code + 1);
        expected = static_cast<uint32_t>((magnitude - below) / (above - below) *
                                         count);
      }
      uint32_t counted = count - lowest[i];
      if (counted != expected)
        mismatches.add("%08x: %u words round up, expected %u",
                       toBits(inputs[i]), counted, expected);
      if (before[i] != down[i])
        mismatches.add("%08x: word %u rounds up", toBits(inputs[i]), last[i]);
      bool moved = up[i] != down[i];
      if (moved != (expected != 0))
        mismatches.add("%08x: codes %02x and %02x", toBits(inputs[i]), down[i],
                       up[i]);
    }
    // Every word of E2M1, whose words are few.
    if (format.randomBits > 8)
      continue;
    for (uint32_t word = 0; word < count; ++word) {
      std::vector<uint8_t> codes =
          codesWith(std::vector<uint32_t>(inputs.size(), word));
      for (size_t i = 0; i < inputs.size(); ++i)
        if (codes[i] != (word < lowest[i] ? down[i] : up[i]))
          mismatches.add("%08x with %x: %02x", toBits(inputs[i]), word,
                         codes[i]);
    }
  }
}

/// NVFP4 weights below their outer scale, requantised at any MXFP8 scale that a
/// block with larger neighbours can have: the mean over all words of 4 bits is
/// the value.
TEST(Stochastic, RequantizedWeightsAreExactlyUnbiased) {
  BlockProgram program;
  addEncode(program, "e4m3", "f8E4M3FN", ", sr_bits = 4", false);
  ASSERT_TRUE(program.compile());
  std::vector<float> values;
  std::vector<uint32_t> words;
  for (uint32_t code = 1; code < 8; ++code)
    for (uint32_t sf = 1; sf < 0x7F; ++sf)
      for (int shift = 0; shift < 6; ++shift) {
        float value = decode(kE2M1, code) * decode(kE4M3, sf);
        uint8_t byte = static_cast<uint8_t>(
            ue8m0FromAmax(kE4M3, ScaleRule::RCeil, value) + shift);
        float scaled = value * reciprocalUE8M0(byte);
        if (scaled < decode(kE4M3, 8))
          continue; // the gaps below the normal range are wider
        for (uint32_t word = 0; word < 16; ++word) {
          values.push_back(scaled);
          words.push_back(word);
        }
      }
  std::vector<uint8_t> codes = encode(program, "e4m3", values, words, false);
  Mismatches mismatches("mean");
  for (size_t i = 0; i < values.size(); i += 16) {
    double sum = 0.0;
    for (size_t word = 0; word < 16; ++word)
      sum += decode(kE4M3, codes[i + word]);
    if (sum / 16 != double(values[i]))
      mismatches.add("%g: mean %g", double(values[i]), sum / 16);
  }
}

/// cases.md, row 31: codes of E2M1 over all words of 8 bits.
TEST(Stochastic, Case31_DistributionOfE2M1) {
  BlockProgram program;
  addEncode(program, "e2m1", "f4E2M1FN", "", false);
  ASSERT_TRUE(program.compile());
  struct Expected {
    float value;
    uint8_t low, high;
    int lowCount;
  };
  for (Expected e : {Expected{0.3f, 0, 1, 103},
                     {1.25f, 2, 3, 128},
                     {2.5f, 4, 5, 128},
                     {3.9f, 5, 6, 26},
                     {5.0f, 6, 7, 128},
                     {0.05f, 0, 1, 231},
                     {1.99f, 3, 4, 6},
                     {4.0f, 6, 6, 256},
                     {6.5f, 7, 7, 256}})
    for (float sign : {1.0f, -1.0f}) {
      std::vector<float> values(256, sign * e.value);
      std::vector<uint32_t> words(256);
      for (uint32_t word = 0; word < 256; ++word)
        words[word] = word;
      std::vector<uint8_t> codes =
          encode(program, "e2m1", values, words, false);
      uint8_t signBit = sign < 0 ? 8 : 0;
      EXPECT_EQ(std::count(codes.begin(), codes.end(), e.low | signBit),
                e.lowCount)
          << values[0];
      EXPECT_EQ(std::count(codes.begin(), codes.end(), e.high | signBit),
                e.low == e.high ? 256 : 256 - e.lowCount)
          << values[0];
    }
}

} // namespace
