//===- ElementsTest.cpp - lowp.encode, lowp.decode and others -------------===//
//
// Part of the lowp project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "BlockProgram.h"

#include "lowp/Numerics/Element.h"
#include "lowp/Numerics/Hadamard.h"
#include "lowp/Numerics/Scale.h"

#include "gtest/gtest.h"

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

bool sameFloat(float a, float b) {
  return isNan(a) ? isNan(b) : toBits(a) == toBits(b);
}

/// All bf16 numbers, and FP32 numbers around every value and every midpoint.
std::vector<float> encodeInputs(const ElementFormat &format) {
  std::vector<float> values;
  for (uint32_t bits = 0; bits < 0x10000; ++bits)
    values.push_back(fromBits(bits << 16));
  auto around = [&](double center) {
    uint32_t bits = toBits(static_cast<float>(center));
    for (int32_t step = -3; step <= 3; ++step)
      for (uint32_t sign : {0u, 0x80000000u})
        values.push_back(fromBits(((bits + step) & 0x7FFFFFFFu) | sign));
  };
  for (uint32_t code = 0; code <= format.maxCode(); ++code) {
    double value = decode(format, code);
    around(value);
    double next =
        code == format.maxCode() ? 2 * value : decode(format, code + 1);
    around((value + next) / 2);
  }
  for (uint32_t bits :
       {0x00000001u, 0x00000002u, 0x003FFFFFu, 0x00400000u, 0x007FFFFFu,
        0x00800000u, 0x7F7FFFFFu, 0x7F800000u, 0x7F800001u, 0x7FFFFFFFu})
    for (uint32_t sign : {0u, 0x80000000u})
      values.push_back(fromBits(bits | sign));
  // Every step of an integer hash: mantissas of all kinds in all binades.
  for (uint32_t i = 0; i < 200000; ++i)
    values.push_back(fromBits(i * 2654435761u));
  while (values.size() % 32 != 0)
    values.push_back(0.0f);
  return values;
}

std::string vectorType(int64_t count, const char *element) {
  return "vector<" + std::to_string(count) + "x" + element + ">";
}

void addEncode(BlockProgram &program, const std::string &name,
               const char *element, const std::string &rule, int64_t count,
               bool packed) {
  int64_t bytes = packed ? count / 2 : count;
  Body body;
  body.load("x", 0, "f32", count)
      .load("flag", 1, "i8")
      .line("%ok = arith.trunci %flag : i8 to i1")
      .line("%c = lowp.encode %x valid(%ok) element = " + std::string(element) +
            " rule = " + rule + " : " + vectorType(count, "f32") + " -> " +
            vectorType(bytes, "i8"))
      .store("c", 2, "i8", bytes);
  program.add(name, {"f32", "i8", "i8"}, body);
}

void checkEncode(BlockProgram &program, const std::string &name,
                 const ElementFormat &format, std::vector<float> &values,
                 int64_t count, bool packed, bool dropsNegativeZero,
                 const QuantRule &rule = QuantRule()) {
  int64_t blocks = static_cast<int64_t>(values.size()) / count;
  std::vector<uint8_t> flags(blocks), codes(values.size() / (packed ? 2 : 1));
  for (int64_t i = 0; i < blocks; ++i)
    flags[i] = i % 17 != 16;
  program.run(name, blocks, {values, flags, codes});
  Mismatches mismatches(name);
  for (size_t i = 0; i < values.size(); ++i) {
    uint32_t expected = rule.round == RoundingMode::TowardZero
                            ? encodeTowardZero(format, values[i], rule.overflow)
                            : encodeNearest(format, values[i], rule.overflow);
    if (!flags[i / count] ||
        (dropsNegativeZero && toBits(values[i]) == 0x80000000u))
      expected = 0;
    uint32_t code = packed ? (codes[i / 2] >> (4 * (i % 2))) & 0xFu : codes[i];
    if (code != expected)
      mismatches.add("%08x: %02x, expected %02x", toBits(values[i]), code,
                     expected);
  }
}

TEST(LowpToArith, Encode) {
  BlockProgram program;
  for (const Element &element : kElements) {
    std::string name = element.format->name;
    addEncode(program, name + "_propagate", element.type, "<>", 32, false);
    addEncode(program, name + "_saturate", element.type,
              "<nonfinite = saturate>", 16, false);
    addEncode(program, name + "_drop", element.type,
              "<nonfinite = saturate, neg_zero = drop>", 16, false);
    if (element.format->storageBits() != 4)
      continue;
    addEncode(program, name + "_packed", element.type, "<>", 16, true);
    addEncode(program, name + "_packed_saturate", element.type,
              "<nonfinite = saturate>", 32, true);
  }
  ASSERT_TRUE(program.compile());
  for (const Element &element : kElements) {
    const ElementFormat &format = *element.format;
    std::string name = format.name;
    std::vector<float> all = encodeInputs(format), numbers;
    for (float value : all)
      numbers.push_back(isNan(value) ? 1.0f : value);
    checkEncode(program, name + "_propagate", format, numbers, 32, false,
                false);
    checkEncode(program, name + "_saturate", format, all, 16, false, false);
    checkEncode(program, name + "_drop", format, all, 16, false, true);
    if (format.storageBits() != 4)
      continue;
    checkEncode(program, name + "_packed", format, numbers, 16, true, false);
    checkEncode(program, name + "_packed_saturate", format, all, 32, true,
                false);
  }
}

TEST(LowpToArith, EncodeByRule) {
  struct Variant {
    const char *name;
    const char *text;
    RoundingMode round;
    Overflow overflow;
  };
  constexpr Variant kVariants[] = {
      {"_zero", "<nonfinite = saturate, round = toward_zero>",
       RoundingMode::TowardZero, Overflow::Saturate},
      {"_nonfinite", "<nonfinite = saturate, overflow = nonfinite>",
       RoundingMode::Nearest, Overflow::NonFinite},
      {"_zero_nonfinite",
       "<nonfinite = saturate, round = toward_zero, overflow = nonfinite>",
       RoundingMode::TowardZero, Overflow::NonFinite}};
  BlockProgram program;
  for (const Element &element : kElements)
    for (const Variant &variant : kVariants)
      addEncode(program, element.format->name + std::string(variant.name),
                element.type, variant.text, 16, false);
  ASSERT_TRUE(program.compile());
  for (const Element &element : kElements) {
    std::vector<float> values = encodeInputs(*element.format);
    for (const Variant &variant : kVariants) {
      QuantRule rule;
      rule.round = variant.round;
      rule.overflow = variant.overflow;
      checkEncode(program, element.format->name + std::string(variant.name),
                  *element.format, values, 16, false, false, rule);
    }
  }
}

TEST(LowpToArith, EncodeScale) {
  constexpr std::pair<NumberRound, const char *> kRounds[] = {
      {NumberRound::Nearest, "nearest"},
      {NumberRound::TowardZero, "toward_zero"},
      {NumberRound::Up, "up"}};
  constexpr std::pair<Overflow, const char *> kOverflows[] = {
      {Overflow::Saturate, "saturate"}, {Overflow::NonFinite, "nonfinite"}};
  constexpr std::pair<const ScaleFormat *, const char *> kScales[] = {
      {&kUE8M0, "f8E8M0FNU"}, {&kUE4M3, "f8E4M3FN"}};
  BlockProgram program;
  for (auto [scale, type] : kScales)
    for (auto [round, roundName] : kRounds)
      for (auto [overflow, overflowName] : kOverflows) {
        Body body;
        body.load("x", 0, "f32")
            .line("%s = lowp.encode_scale %x type = " + std::string(type) +
                  " round = " + roundName + " overflow = " + overflowName)
            .store("s", 1, "i8");
        program.add(std::string(type) + roundName + overflowName, {"f32", "i8"},
                    body);
      }
  ASSERT_TRUE(program.compile());
  std::vector<float> values = encodeInputs(kE4M3);
  for (uint32_t exponent = 0; exponent < 256; ++exponent)
    for (uint32_t center : {0u, 0x400000u, 0x600000u, 0x7FFFFFu})
      for (int32_t step = -1; step <= 1; ++step)
        values.push_back(
            fromBits((((exponent << 23) | center) + step) & 0x7FFFFFFFu));
  std::vector<uint8_t> bytes(values.size());
  for (auto [scale, type] : kScales)
    for (auto [round, roundName] : kRounds)
      for (auto [overflow, overflowName] : kOverflows) {
        std::string name = std::string(type) + roundName + overflowName;
        program.run(name, static_cast<int64_t>(values.size()), {values, bytes});
        Mismatches mismatches(name);
        for (size_t i = 0; i < values.size(); ++i) {
          uint8_t expected =
              encodeScaleByte(*scale, values[i], round, overflow);
          if (bytes[i] != expected)
            mismatches.add("%08x: %02x, expected %02x", toBits(values[i]),
                           bytes[i], expected);
        }
      }
}

TEST(LowpToArith, Decode) {
  BlockProgram program;
  auto add = [&](const Element &element, int64_t bytes, int64_t values) {
    Body body;
    body.load("c", 0, "i8", bytes)
        .line("%x = lowp.decode %c element = " + std::string(element.type) +
              " : " + vectorType(bytes, "i8") + " -> " +
              vectorType(values, "f32"))
        .store("x", 1, "f32", values);
    program.add(element.format->name + std::string("_") +
                    std::to_string(values / bytes),
                {"i8", "f32"}, body);
  };
  for (const Element &element : kElements) {
    add(element, 16, 16);
    if (element.format->storageBits() == 4)
      add(element, 8, 16);
  }
  ASSERT_TRUE(program.compile());
  for (const Element &element : kElements) {
    const ElementFormat &format = *element.format;
    std::string name = format.name;
    std::vector<uint8_t> codes;
    for (uint32_t code = 0; code < 1u << format.codeBits; ++code)
      codes.push_back(static_cast<uint8_t>(code));
    std::vector<float> values(codes.size());
    program.run(name + "_1", codes.size() / 16, {codes, values});
    Mismatches mismatches(name);
    for (size_t i = 0; i < codes.size(); ++i)
      if (!sameFloat(values[i], decode(format, codes[i])))
        mismatches.add("%02x: %08x", codes[i], toBits(values[i]));
    if (format.storageBits() != 4)
      continue;
    codes.clear();
    for (uint32_t byte = 0; byte < 256; ++byte)
      codes.push_back(static_cast<uint8_t>(byte));
    values.resize(512);
    program.run(name + "_2", 32, {codes, values});
    for (size_t i = 0; i < values.size(); ++i)
      if (!sameFloat(values[i],
                     decode(format, (codes[i / 2] >> (4 * (i % 2))) & 0xF)))
        mismatches.add("packed %zu: %08x", i, toBits(values[i]));
  }
}

TEST(LowpToArith, BlockAmax) {
  BlockProgram program;
  for (const char *policy : {"propagate", "saturate"}) {
    Body body;
    body.load("x", 0, "f32", 16)
        .line("%m = lowp.block_amax %x nonfinite = " + std::string(policy) +
              " : vector<16xf32>")
        .store("m", 1, "f32");
    program.add(policy, {"f32", "f32"}, body);
  }
  ASSERT_TRUE(program.compile());
  constexpr int64_t kBlocks = 4096;
  std::vector<float> values(kBlocks * 16), amaxes(kBlocks);
  std::mt19937 random(1);
  for (int64_t i = 0; i < kBlocks * 16; ++i) {
    // From blocks of small numbers to blocks of anything.
    uint32_t bits = static_cast<uint32_t>(random());
    switch ((i / 16) % 4) {
    case 0:
      bits &= 0x807FFFFFu;
      break;
    case 1:
      bits &= 0xBFFFFFFFu;
      break;
    case 2:
      if (bits % 16 == 0)
        bits |= 0x7F800000u;
      break;
    }
    values[i] = fromBits(bits);
  }
  for (bool saturates : {false, true}) {
    std::string name = saturates ? "saturate" : "propagate";
    program.run(name, kBlocks, {values, amaxes});
    Mismatches mismatches(name);
    for (int64_t block = 0; block < kBlocks; ++block) {
      uint32_t expected = 0;
      for (int64_t i = 0; i < 16; ++i) {
        uint32_t bits = toBits(magnitude(values[block * 16 + i]));
        if (!saturates || bits < 0x7F800000u)
          expected = bits > expected ? bits : expected;
      }
      if (!sameFloat(amaxes[block], fromBits(expected)))
        mismatches.add("block %d: %08x, expected %08x", static_cast<int>(block),
                       toBits(amaxes[block]), expected);
    }
  }
}

TEST(LowpToArith, DecodeScale) {
  BlockProgram program;
  for (const char *type : {"f8E8M0FNU", "f8E4M3FN"}) {
    Body body;
    body.load("b", 0, "i8")
        .line("%s = lowp.decode_scale %b type = " + std::string(type))
        .store("s", 1, "f32");
    program.add(type, {"i8", "f32"}, body);
  }
  ASSERT_TRUE(program.compile());
  std::vector<uint8_t> bytes(256);
  std::vector<float> values(256);
  for (int byte = 0; byte < 256; ++byte)
    bytes[byte] = static_cast<uint8_t>(byte);
  for (const ScaleFormat *format : {&kUE8M0, &kUE4M3}) {
    program.run(format == &kUE8M0 ? "f8E8M0FNU" : "f8E4M3FN", 256,
                {bytes, values});
    Mismatches mismatches(format->name);
    for (int byte = 0; byte < 256; ++byte)
      if (!sameFloat(values[byte], decodeScaleByte(*format, bytes[byte])))
        mismatches.add("%02x: %08x", byte, toBits(values[byte]));
  }
}

TEST(LowpToArith, Hadamard) {
  std::mt19937 random(2);
  for (int64_t size : {16, 32, 64, 128}) {
    std::vector<int8_t> signs = hadamardSigns(size);
    // Not the same in both halves.
    signs[size - 1] = static_cast<int8_t>(-signs[size - 1]);
    std::string negate;
    for (int8_t sign : signs)
      negate += std::string(negate.empty() ? "" : ", ") +
                (sign < 0 ? "true" : "false");
    BlockProgram program;
    for (const char *norm : {"dyadic", "orthonormal"})
      for (bool inverse : {false, true}) {
        Body body;
        body.load("x", 0, "f32", size)
            .line("%y = lowp.hadamard %x negate = [" + negate + "]" +
                  (inverse ? " inverse" : "") + " normalization = " + norm +
                  " : " + vectorType(size, "f32"))
            .store("y", 1, "f32", size);
        program.add(norm + std::string(inverse ? "_inverse" : ""),
                    {"f32", "f32"}, body);
      }
    ASSERT_TRUE(program.compile());

    constexpr int64_t kBlocks = 200;
    std::vector<float> values(kBlocks * size), results(kBlocks * size);
    for (float &value : values)
      value = static_cast<float>(static_cast<int32_t>(random())) *
              fromBits((90u + random() % 60u) << 23);
    for (HadamardNorm norm : {HadamardNorm::Dyadic, HadamardNorm::Orthonormal})
      for (bool inverse : {false, true}) {
        std::string name =
            norm == HadamardNorm::Dyadic ? "dyadic" : "orthonormal";
        name += inverse ? "_inverse" : "";
        program.run(name, kBlocks, {values, results});
        std::vector<float> expected = values;
        for (int64_t block = 0; block < kBlocks; ++block)
          hadamardBlock(&expected[block * size], size, signs.data(), norm,
                        inverse);
        Mismatches mismatches(name + " " + std::to_string(size));
        for (size_t i = 0; i < expected.size(); ++i)
          if (!sameFloat(results[i], expected[i]))
            mismatches.add("%zu: %08x, expected %08x", i, toBits(results[i]),
                           toBits(expected[i]));
      }
  }
}

} // namespace
