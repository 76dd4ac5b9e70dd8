//===- ScalesTest.cpp - lowp.block_scale and lowp.outer_scale -------------===//
//
// Part of the lowp project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "BlockProgram.h"

#include "lowp/Numerics/Scale.h"

#include "gtest/gtest.h"

#include <cfloat>
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

struct Rule {
  const char *name;
  const char *text;
  QuantRule rule;
};

bool sameFloat(float a, float b) {
  return isNan(a) ? isNan(b) : toBits(a) == toBits(b);
}

/// A function from (amax, encode, decode) to (scale, factor).
void addBlockScale(BlockProgram &program, const std::string &name,
                   const Element &element, const std::string &scale, bool outer,
                   const std::string &rule, bool four) {
  std::string stored = scale == "f32" ? "f32" : "i8";
  Body body;
  body.load("m", 0, "f32").load("e", 1, "f32").load("d", 2, "f32");
  body.line(std::string("%s, %f = lowp.block_scale %m ") +
            (outer ? "outer(%e, %d) " : "") + "format = <" + element.type +
            ", " + scale + (outer ? ", outer> " : "> ") + "rule = " + rule +
            (four ? " four" : "") + " : " + stored);
  body.store("s", 3, stored).store("f", 4, "f32");
  program.add(name, {"f32", "f32", "f32", stored, "f32"}, body);
}

struct ScaleInputs {
  std::vector<float> amax, encode, decode;

  void add(float value, const OuterScale &outer) {
    amax.push_back(value);
    encode.push_back(outer.encode);
    decode.push_back(outer.decode);
  }
};

void checkBlockScale(BlockProgram &program, const std::string &name,
                     const BlockFormat &format, const QuantRule &rule,
                     bool four, ScaleInputs &inputs) {
  size_t count = inputs.amax.size();
  bool isFloat = format.scale->kind == ScaleKind::Float32;
  std::vector<uint8_t> bytes(count);
  std::vector<float> scales(count), factors(count);
  program.run(name, static_cast<int64_t>(count),
              {inputs.amax, inputs.encode, inputs.decode,
               isFloat ? Array(scales) : Array(bytes), factors});
  Mismatches mismatches(name);
  for (size_t i = 0; i < count; ++i) {
    OuterScale outer;
    if (format.outer) {
      outer.encode = inputs.encode[i];
      outer.decode = inputs.decode[i];
    }
    bool lost = outer.lost() || !isFinite(inputs.amax[i]);
    BlockScale scale;
    if (!lost) {
      scale = blockScale(format, rule, inputs.amax[i], outer, four);
      lost = isNan(scale.value);
    }
    if (lost) {
      scale.value = fromBits(0x7FC00000u);
      scale.byte = isFloat ? 0 : nanScaleByte(*format.scale);
    }
    float factor = lost || scale.zeroCodes ? 0.0f : scale.factor;
    bool same =
        isFloat ? sameFloat(scales[i], scale.value) : bytes[i] == scale.byte;
    if (!same || !sameFloat(factors[i], factor))
      mismatches.add("amax %08x outer %08x %08x: %02x %08x factor %08x, "
                     "expected %02x %08x factor %08x",
                     toBits(inputs.amax[i]), toBits(outer.encode),
                     toBits(outer.decode), bytes[i], toBits(scales[i]),
                     toBits(factors[i]), scale.byte, toBits(scale.value),
                     toBits(factor));
  }
}

/// Magnitudes of all binades, with mantissas around all that a rule compares
/// with, and all bf16 numbers.
std::vector<float> magnitudes() {
  std::vector<uint32_t> mantissas = {0, 1, 2, 0x7FFFFF};
  for (uint32_t center :
       {0x400000u, 0x600000u, 0x700000u, 0x7E0000u, 0x7F0000u, 0x380000u,
        // Where half an element ulp carries into the exponent.
        0x800000u - (1u << 21), 0x800000u - (1u << 20), 0x800000u - (1u << 19),
        0x800000u - (1u << 16)})
    for (int32_t step = -1; step <= 1; ++step)
      mantissas.push_back((center + step) & 0x7FFFFFu);
  std::vector<float> values;
  for (uint32_t exponent = 0; exponent < 256; ++exponent)
    for (uint32_t mantissa : mantissas)
      values.push_back(fromBits(exponent << 23 | mantissa));
  for (uint32_t bits = 0; bits < 0x8000; ++bits)
    values.push_back(fromBits(bits << 16));
  return values;
}

TEST(LowpToArith, UE8M0Scale) {
  constexpr std::pair<ScaleRule, const char *> kRules[] = {
      {ScaleRule::RCeil, "<>"},
      {ScaleRule::Floor, "<scale = floor>"},
      {ScaleRule::Ceil, "<scale = ceil>"},
      {ScaleRule::Even, "<scale = even>"}};
  for (const Element &element : kElements) {
    BlockProgram program;
    auto name = [&](const char *rule, bool outer) {
      return element.format->name + std::string(outer ? "_outer" : "") + rule;
    };
    auto symbol = [&](ScaleRule rule, bool outer) {
      return name(("_" + std::to_string(static_cast<int>(rule))).c_str(),
                  outer);
    };
    for (auto [rule, text] : kRules)
      for (bool outer : {false, true})
        addBlockScale(program, symbol(rule, outer), element, "f8E8M0FNU", outer,
                      text, false);
    ASSERT_TRUE(program.compile());
    ScaleInputs plain, scaled;
    for (float amax : magnitudes())
      plain.add(amax, OuterScale());
    for (float decode : {1.0f, 3.0e38f, 1.0e-45f, 0.3f, 1.5e-20f, -1.0f})
      for (float amax : magnitudes())
        scaled.add(amax, outerFromDecode(decode));
    for (auto [scaleRule, text] : kRules) {
      QuantRule rule;
      rule.scale = scaleRule;
      for (bool outer : {false, true})
        checkBlockScale(program, symbol(scaleRule, outer),
                        {"", element.format, &kUE8M0, outer, 32}, rule, false,
                        outer ? scaled : plain);
    }
  }
}

QuantRule makeRule(ScaleArith arith, ScaleRound round, ZeroScale zero) {
  QuantRule rule;
  rule.sfArith = arith;
  rule.sfRound = round;
  rule.sfZero = zero;
  return rule;
}

QuantRule ceilRule(ScaleArith arith) {
  return makeRule(arith, ScaleRound::Ceil, ZeroScale::ZeroCodes);
}

QuantRule mapToOne(ScaleRound round) {
  QuantRule rule = makeRule(ScaleArith::Divide, round, ZeroScale::ZeroCodes);
  rule.mapTo = 1.0f;
  return rule;
}

const Rule kSmallFloatRules[] = {
    {"ceil", "<sf_round = ceil>", ceilRule(ScaleArith::Divide)},
    {"te_ceil", "<sf_arith = te, sf_round = ceil>", ceilRule(ScaleArith::TE)},
    {"map", "<map_to = 1>", mapToOne(ScaleRound::RNE)},
    {"map_up", "<sf_round = up, map_to = 1>", mapToOne(ScaleRound::Up)},
    {"divide", "<>", QuantRule()},
    {"keep", "<sf_zero = keep_codes>",
     makeRule(ScaleArith::Divide, ScaleRound::RNE, ZeroScale::KeepCodes)},
    {"te", "<sf_arith = te>",
     makeRule(ScaleArith::TE, ScaleRound::RNE, ZeroScale::ZeroCodes)},
    {"te_keep", "<sf_arith = te, sf_zero = keep_codes>",
     makeRule(ScaleArith::TE, ScaleRound::RNE, ZeroScale::KeepCodes)},
    {"up", "<sf_round = up>",
     makeRule(ScaleArith::Divide, ScaleRound::Up, ZeroScale::ZeroCodes)},
    {"torchao", "<sf_arith = torchao>",
     makeRule(ScaleArith::TorchAO, ScaleRound::RNE, ZeroScale::ZeroCodes)},
    {"compressed_tensors", "<sf_arith = compressed_tensors>",
     makeRule(ScaleArith::CompressedTensors, ScaleRound::RNE,
              ZeroScale::ZeroCodes)}};

/// Outer scales with amaxes around every scale code and every midpoint.
ScaleInputs smallFloatInputs(const BlockFormat &format, const QuantRule &rule) {
  std::vector<OuterScale> outers;
  if (format.outer) {
    for (float amax : {0.0f, 1.0f, 448.0f, 2688.0f, 3.7e-3f, 1.0e-30f, 1.0e-40f,
                       1.4e-45f, 3.0e38f, FLT_MAX, INFINITY})
      outers.push_back(outerFromAmax(format, rule, amax));
    if (rule.sfArith == ScaleArith::Divide || rule.sfArith == ScaleArith::TE)
      for (float decode : {1.0f, 2.0f, 1.0e-45f, 1.1e-39f, 1.0e37f, FLT_MAX,
                           0.1f, 0.0f, -2.0f, NAN})
        outers.push_back(outerFromDecode(decode));
  } else {
    outers.push_back(OuterScale());
  }
  std::mt19937 random(3);
  ScaleInputs inputs;
  const ElementFormat &scale = *format.scale->element;
  double top = maxValue(*format.element);
  for (const OuterScale &outer : outers) {
    double unit = top * (isNan(outer.decode) ? 1.0f : outer.decode);
    if (rule.sfArith == ScaleArith::CompressedTensors)
      unit = top / outer.encode;
    auto around = [&](double center) {
      float near = static_cast<float>(center);
      if (!isFinite(near))
        return;
      for (int32_t step = -3; step <= 3; ++step)
        inputs.add(fromBits((toBits(near) + step) & 0x7FFFFFFFu), outer);
    };
    for (uint32_t code = 0; code <= scale.maxCode(); ++code) {
      double value = decode(scale, code), next = decode(scale, code + 1);
      if (code == scale.maxCode())
        next = 2 * value;
      around(value * unit);
      around((value + next) / 2 * unit);
      // The 4-candidate's.
      around(value / 1.5 * unit);
    }
    for (int i = 0; i < 500; ++i)
      inputs.add(fromBits(static_cast<uint32_t>(random()) & 0x7FFFFFFFu),
                 outer);
    for (uint32_t bits : {0x00000000u, 0x00000001u, 0x007FFFFFu, 0x00800000u,
                          0x7F7FFFFFu, 0x7F800000u, 0x7FC00000u})
      inputs.add(fromBits(bits), outer);
  }
  return inputs;
}

TEST(LowpToArith, UE4M3Scale) {
  ScopedFloatEnvironment environment;
  for (const Element &element : kElements) {
    BlockProgram program;
    auto name = [&](const Rule &rule, bool outer, bool four) {
      return std::string(element.format->name) + "_" + rule.name +
             (outer ? "_outer" : "") + (four ? "_four" : "");
    };
    auto takesFour = [&](const Rule &rule) {
      return element.format == &kE2M1 && rule.rule.sfRound == ScaleRound::RNE &&
             rule.rule.mapTo == 0.0f &&
             (rule.rule.sfArith == ScaleArith::Divide ||
              rule.rule.sfArith == ScaleArith::TE);
    };
    for (const Rule &rule : kSmallFloatRules)
      for (bool outer : {false, true}) {
        addBlockScale(program, name(rule, outer, false), element, "f8E4M3FN",
                      outer, rule.text, false);
        if (takesFour(rule))
          addBlockScale(program, name(rule, outer, true), element, "f8E4M3FN",
                        outer, rule.text, true);
      }
    ASSERT_TRUE(program.compile());
    for (const Rule &rule : kSmallFloatRules)
      for (bool outer : {false, true}) {
        BlockFormat format = {"", element.format, &kUE4M3, outer, 16};
        ScaleInputs inputs = smallFloatInputs(format, rule.rule);
        checkBlockScale(program, name(rule, outer, false), format, rule.rule,
                        false, inputs);
        if (takesFour(rule))
          checkBlockScale(program, name(rule, outer, true), format, rule.rule,
                          true, inputs);
      }
  }
}

TEST(LowpToArith, FP32Scale) {
  ScopedFloatEnvironment environment;
  BlockProgram program;
  for (const Element &element : kElements) {
    std::string name = element.format->name;
    addBlockScale(program, name, element, "f32", false, "<>", false);
    addBlockScale(program, name + "_up", element, "f32", false,
                  "<sf_round = up>", false);
    addBlockScale(program, name + "_map", element, "f32", false, "<map_to = 1>",
                  false);
  }
  ASSERT_TRUE(program.compile());
  ScaleInputs inputs;
  for (float amax : magnitudes())
    inputs.add(amax, OuterScale());
  std::mt19937 random(4);
  for (int i = 0; i < 100000; ++i)
    inputs.add(fromBits(static_cast<uint32_t>(random()) & 0x7FFFFFFFu),
               OuterScale());
  for (const Element &element : kElements) {
    BlockFormat format = {"", element.format, &kFP32, false, 128};
    std::string name = element.format->name;
    QuantRule rule;
    checkBlockScale(program, name, format, rule, false, inputs);
    rule.sfRound = ScaleRound::Up;
    checkBlockScale(program, name + "_up", format, rule, false, inputs);
    checkBlockScale(program, name + "_map", format, mapToOne(ScaleRound::RNE),
                    false, inputs);
  }
}

TEST(LowpToArith, OuterScale) {
  ScopedFloatEnvironment environment;
  QuantRule fourSix, pow2, up, max, torchao, compressedTensors;
  fourSix.fourSix = FourSix::MSE;
  pow2.outerRepr = OuterRepr::Pow2;
  up.sfRound = ScaleRound::Up;
  max.outerMax = 1000.0f;
  max.outerRepr = OuterRepr::Pow2;
  torchao.sfArith = ScaleArith::TorchAO;
  compressedTensors.sfArith = ScaleArith::CompressedTensors;
  const Rule kRules[] = {
      {"divide", "<>", QuantRule()},
      {"four_six", "<four_six = mse>", fourSix},
      {"pow2", "<outer_repr = pow2>", pow2},
      {"up", "<sf_round = up>", up},
      {"outer_max", "<outer_max = 1000, outer_repr = pow2>", max},
      {"torchao", "<sf_arith = torchao>", torchao},
      {"compressed_tensors", "<sf_arith = compressed_tensors>",
       compressedTensors}};

  BlockProgram program;
  auto add = [&](const std::string &name, const std::string &format,
                 const std::string &rule, const std::string &from) {
    Body body;
    body.load("m", 0, "f32")
        .line("%e, %d = lowp.outer_scale %m format = " + format +
              " rule = " + rule + from)
        .store("e", 1, "f32")
        .store("d", 2, "f32");
    program.add(name, {"f32", "f32", "f32"}, body);
  };
  for (const Rule &rule : kRules)
    add(rule.name, "<nvfp4>", rule.text, "");
  add("given", "<nvfp4>", "<>", " from = scale");
  add("mx", "<f8E4M3FN, f8E8M0FNU, outer>", "<>", "");
  ASSERT_TRUE(program.compile());

  std::vector<float> sources = magnitudes();
  for (size_t i = 0, count = sources.size(); i < count; ++i)
    sources.push_back(-sources[i]);
  std::mt19937 random(5);
  for (int i = 0; i < 100000; ++i)
    sources.push_back(fromBits(static_cast<uint32_t>(random())));
  // Around the values where the smallest power of two changes.
  for (int exponent = -149; exponent < 128; ++exponent)
    for (double top : {2688.0, 1000.0}) {
      float near = static_cast<float>(std::ldexp(top, exponent));
      for (int32_t step = -2; step <= 2; ++step)
        sources.push_back(fromBits((toBits(near) + step) & 0x7FFFFFFFu));
    }
  std::vector<float> encode(sources.size()), decode(sources.size());
  auto check = [&](const std::string &name, auto reference) {
    program.run(name, static_cast<int64_t>(sources.size()),
                {sources, encode, decode});
    Mismatches mismatches(name);
    for (size_t i = 0; i < sources.size(); ++i) {
      OuterScale expected = reference(sources[i]);
      if (!sameFloat(encode[i], expected.encode) ||
          !sameFloat(decode[i], expected.decode))
        mismatches.add("%08x: %08x %08x, expected %08x %08x",
                       toBits(sources[i]), toBits(encode[i]), toBits(decode[i]),
                       toBits(expected.encode), toBits(expected.decode));
    }
  };
  const BlockFormat &nvfp4 = *findBlockFormat("nvfp4");
  for (const Rule &rule : kRules)
    check(rule.name,
          [&](float amax) { return outerFromAmax(nvfp4, rule.rule, amax); });
  check("given", [&](float scale) { return outerFromDecode(scale); });
  BlockFormat mx = {"", &kE4M3, &kUE8M0, true, 32};
  check("mx", [&](float amax) { return outerFromAmax(mx, QuantRule(), amax); });
}

} // namespace
