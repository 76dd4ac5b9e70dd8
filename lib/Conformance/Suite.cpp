//===- Suite.cpp - The cases of a suite -----------------------------------===//
//
// Part of the Lowp project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Contractions.h"

#include "lowp/Conformance/Attributes.h"
#include "lowp/Conformance/Suite.h"

#include "llvm/ADT/STLExtras.h"

using namespace mlir::lowp;
using namespace mlir::lowp::conformance;

namespace {

class Generator {
public:
  explicit Generator(uint64_t seed) : random(seed) {}

  std::vector<Case> run() {
    for (const num::ElementFormat *element : num::kElementFormats)
      addElement(*element);
    addScales();
    addRandomNumbers();
    for (const num::BlockFormat &format : num::kBlockFormats)
      addFormat(format.name, format);
    // Pairs without a name, for which no code knows more than the tables.
    addFormat("e5m2_ue4m3_outer", {"", &num::kE5M2, &num::kUE4M3, true, 16});
    addFormat("e2m3_ue4m3", {"", &num::kE2M3, &num::kUE4M3, false, 8});
    addFormat("e4m3_ue8m0_outer", {"", &num::kE4M3, &num::kUE8M0, true, 32});
    addFormat("s2f6_fp32", {"", &num::kS2F6, &num::kFP32, false, 64});
    addBoundaries();
    addNearTies();
    addPresets();
    addRequantize();
    addHadamard();
    addAmax();
    addCombine();
    addContractions();
    for (int i = 0; i < 200; ++i)
      add("random", randomSpec(random));
    return std::move(cases);
  }

private:
  /// Adds a case, its inputs random.
  void add(const std::string &name, Spec spec) {
    Interface io = llvm::cantFail(getInterface(spec));
    std::vector<Array> inputs = randomInputs(spec, io, random);
    add(name, std::move(spec), std::move(inputs));
  }

  void add(const std::string &name, Spec spec, std::vector<Array> inputs) {
    Case test;
    std::string op = nameOf(kOps, spec.op).str();
    test.name =
        op + "/" + name + "/" + std::to_string(counts[op + "/" + name]++);
    test.outputs = llvm::cantFail(compute(spec, inputs));
    test.inputs = std::move(inputs);
    test.spec = std::move(spec);
    cases.push_back(std::move(test));
  }

  /// An array of one dim, or of one dim of rows.
  template <typename T>
  static Array makeInput(const std::vector<T> &values, DType dtype,
                         int64_t columns = 0) {
    num::Dims shape = {static_cast<int64_t>(values.size())};
    if (columns)
      shape = {shape[0] / columns, columns};
    Array array = makeArray({"", dtype, shape});
    std::copy_n(reinterpret_cast<const char *>(values.data()),
                values.size() * sizeof(T), array.data.data());
    return array;
  }

  static std::vector<uint8_t> allBytes(uint32_t count) {
    std::vector<uint8_t> bytes(count);
    for (uint32_t i = 0; i < count; ++i)
      bytes[i] = static_cast<uint8_t>(i);
    return bytes;
  }

  void addElement(const num::ElementFormat &element) {
    Spec spec;
    spec.op = OpKind::Decode;
    spec.element = &element;
    spec.shape = {int64_t(1) << element.codeBits};
    add(element.name, spec,
        {makeInput(allBytes(1u << element.codeBits), DType::U8)});

    // All bf16 numbers, and the neighbours of all values and midpoints.
    std::vector<float> values;
    for (uint32_t bits = 0; bits < 0x10000; ++bits)
      values.push_back(num::fromBits(bits << 16));
    for (uint32_t code = 0; code <= element.maxCode(); ++code) {
      float value = num::decode(element, code);
      float next = code == element.maxCode() ? 2 * value
                                             : num::decode(element, code + 1);
      for (float center : {value, (value + next) / 2})
        for (int32_t step = -2; step <= 2; ++step)
          for (uint32_t sign : {0u, 0x80000000u})
            values.push_back(num::fromBits(
                ((num::toBits(center) + step) & 0x7FFFFFFFu) | sign));
    }
    spec.op = OpKind::Encode;
    spec.shape = {static_cast<int64_t>(values.size())};
    for (num::Overflow overflow :
         {num::Overflow::Saturate, num::Overflow::NonFinite}) {
      spec.overflow = overflow;
      add(element.name, spec, {makeInput(values, DType::F32)});
    }
    spec.overflow = num::Overflow::Saturate;
    spec.rule.round = num::RoundingMode::Stochastic;
    std::vector<uint32_t> words;
    for (size_t i = 0; i < values.size(); ++i)
      words.push_back(random.bits());
    for (int64_t bits : {4, 8, 16}) {
      spec.randomBits = bits;
      add(element.name, spec,
          {makeInput(values, DType::F32), makeInput(words, DType::U32)});
    }
  }

  /// Magnitudes of all binades, with mantissas around all that a rule compares
  /// with.
  static std::vector<float> magnitudes() {
    std::vector<float> values;
    for (uint32_t exponent = 0; exponent < 256; ++exponent)
      for (uint32_t center :
           {0x000000u, 0x400000u, 0x600000u, 0x700000u, 0x7E0000u, 0x7F0000u,
            // Where half an element ulp carries into the exponent.
            0x7F8000u, 0x780000u})
        for (uint32_t step : {0x7FFFFFu, 0u, 1u})
          values.push_back(
              num::fromBits(exponent << 23 | ((center + step) & 0x7FFFFFu)));
    return values;
  }

  void addScales() {
    Spec spec;
    spec.shape = {256};
    spec.op = OpKind::DecodeScale;
    for (const num::ScaleFormat *scale : {&num::kUE8M0, &num::kUE4M3}) {
      spec.scale = scale;
      add(scale->name, spec, {makeInput(allBytes(256), DType::U8)});
    }
    std::vector<float> values = magnitudes();
    for (size_t i = 0, count = values.size(); i < count; i += 7)
      values.push_back(-values[i]);
    Array amaxes = makeInput(values, DType::F32);
    spec.shape = {static_cast<int64_t>(values.size())};
    spec.op = OpKind::EncodeScale;
    for (num::NumberRound round :
         {num::NumberRound::TowardZero, num::NumberRound::Up,
          num::NumberRound::Nearest})
      for (num::Overflow overflow :
           {num::Overflow::Saturate, num::Overflow::NonFinite}) {
        spec.scaleRound = round;
        spec.overflow = overflow;
        add("ue8m0", spec, {amaxes});
      }
    spec.result.blocking.block = {16};
    for (const num::ElementFormat *element : num::kElementFormats)
      for (const num::ScaleFormat *scale : num::kScaleFormats)
        for (bool outer : {false, true}) {
          if (outer && scale->kind == num::ScaleKind::Float32)
            continue;
          spec.op = outer ? OpKind::OuterScale : OpKind::BlockScale;
          spec.result.element = element;
          spec.result.scale = scale;
          spec.result.outer = outer;
          for (const num::QuantRule &rule : rulesOf(spec.result.format())) {
            spec.rule = rule;
            add(std::string(element->name) + "_" + scale->name, spec, {amaxes});
          }
        }
  }

  void addRandomNumbers() {
    Spec spec;
    spec.op = OpKind::Philox;
    std::vector<uint32_t> counters, keys;
    for (int64_t i = 0; i < 64; ++i) {
      for (int word = 0; word < 4; ++word)
        counters.push_back(i == 0 ? 0u : i == 1 ? ~0u : random.bits());
      for (int word = 0; word < 2; ++word)
        keys.push_back(i == 0 ? 0u : i == 1 ? ~0u : random.bits());
    }
    spec.shape = {64};
    for (unsigned rounds : {10u, 7u}) {
      spec.key.rounds = rounds;
      add("words", spec,
          {makeInput(counters, DType::U32, 4), makeInput(keys, DType::U32, 2)});
    }
    spec.op = OpKind::RandomBits;
    for (const num::Dims &shape :
         {num::Dims{3, 40}, {2, 5, 16}, {7}, {0, 16}, {3, 0}})
      for (unsigned rounds : {10u, 7u})
        for (int64_t bits : {16, 8, 0}) {
          spec.shape = shape;
          spec.key = {random.next(), random.bits() >> 1, random.bits(), rounds,
                      bits ? num::RandomSharing::Hardware
                           : num::RandomSharing::Independent};
          spec.randomBits = bits ? bits : 16;
          add("bits", spec);
        }
  }

  /// Each field of a rule in turn, where it serves the format.
  static std::vector<num::QuantRule> rulesOf(const num::BlockFormat &format) {
    std::vector<num::QuantRule> rules(1);
    auto vary = [&](auto change) {
      num::QuantRule rule;
      change(rule);
      if (num::validate(format, rule).ok())
        rules.push_back(rule);
    };
    bool smallFloat = format.scale->kind == num::ScaleKind::SmallFloat;
    if (format.scale->kind == num::ScaleKind::PowerOfTwo)
      for (num::ScaleRule scale :
           {num::ScaleRule::Floor, num::ScaleRule::Ceil, num::ScaleRule::Even})
        vary([&](num::QuantRule &rule) { rule.scale = scale; });
    else
      for (num::ScaleRound round : {num::ScaleRound::Up, num::ScaleRound::Ceil})
        vary([&](num::QuantRule &rule) { rule.sfRound = round; });
    if (format.scale->kind != num::ScaleKind::PowerOfTwo)
      vary([&](num::QuantRule &rule) { rule.mapTo = 1.0f; });
    vary([&](num::QuantRule &rule) {
      rule.round = num::RoundingMode::TowardZero;
    });
    if (format.element->specials != num::Specials::None)
      vary([&](num::QuantRule &rule) {
        rule.overflow = num::Overflow::NonFinite;
      });
    if (smallFloat) {
      for (num::ScaleArith arith :
           {num::ScaleArith::TE, num::ScaleArith::TorchAO,
            num::ScaleArith::CompressedTensors})
        vary([&](num::QuantRule &rule) { rule.sfArith = arith; });
      for (num::FourSix metric :
           {num::FourSix::MSE, num::FourSix::MAE, num::FourSix::AbsMax})
        for (num::FourSixError error :
             {num::FourSixError::Scaled, num::FourSixError::Dequantized})
          vary([&](num::QuantRule &rule) {
            rule.fourSix = metric;
            rule.fourSixError = error;
          });
      vary([&](num::QuantRule &rule) {
        rule.sfZero = num::ZeroScale::KeepCodes;
      });
    }
    if (format.outer) {
      vary(
          [&](num::QuantRule &rule) { rule.outerRepr = num::OuterRepr::Pow2; });
      vary([&](num::QuantRule &rule) { rule.outerMax = 1000.0f; });
    }
    vary([&](num::QuantRule &rule) {
      rule.nonfinite = num::NonFinite::Saturate;
    });
    if (format.element->kind == num::ElementKind::Float)
      vary([&](num::QuantRule &rule) {
        rule.negZero = num::NegativeZero::Drop;
      });
    vary([&](num::QuantRule &rule) {
      rule.round = num::RoundingMode::Stochastic;
      rule.sfRound = format.scale->kind == num::ScaleKind::PowerOfTwo
                         ? num::ScaleRound::RNE
                         : num::ScaleRound::Up;
    });
    return rules;
  }

  void addFormat(const std::string &name, const num::BlockFormat &format) {
    Blocked blocked;
    blocked.element = format.element;
    blocked.scale = format.scale;
    blocked.outer = format.outer;
    int64_t size = format.blockSize;
    blocked.blocking = {{1, size}, {}};
    if (format.outer)
      blocked.blocking.outerAxes = {0};
    Spec spec;
    spec.op = OpKind::Quantize;
    spec.result = blocked;
    for (const num::QuantRule &rule : rulesOf(format)) {
      spec.rule = rule;
      addQuantize(name, spec, {5, 2 * size + size / 2 + 1});
    }
    // Other blocks, layouts, types, and empty dims, under the default rule.
    spec.rule = num::QuantRule();
    for (num::FloatType type :
         {num::FloatType::F32, num::FloatType::BF16, num::FloatType::F16}) {
      spec.dtype = type;
      for (const num::Dims &shape :
           {num::Dims{3, size}, {0, size}, {3, 0}, {1, 1}})
        addQuantize(name, spec, shape);
    }
    spec.dtype = num::FloatType::BF16;
    spec.result.blocking = {{size, 1}, {}};
    if (format.outer)
      spec.result.blocking.outerAxes = {1};
    addQuantize(name, spec, {size + 3, 5});
    spec.result.blocking = {{1, 1, size}, {}};
    if (format.outer)
      spec.result.blocking.outerAxes = {0, 1};
    addQuantize(name, spec, {2, 3, size + 1});
    spec.result.blocking = {{size, size}, {}};
    addQuantize(name, spec, {size + 2, size + 3});
    if (format.scale->kind != num::ScaleKind::Float32) {
      spec.result = blocked;
      spec.result.layout = Layout::Tcgen05_128x4;
      addQuantize(name, spec, {133, 5 * size});
      Spec convert;
      convert.op = OpKind::ConvertLayout;
      convert.source = blocked;
      convert.result.layout = Layout::Tcgen05_128x4;
      for (const num::Dims &shape :
           {num::Dims{130, 5 * size}, {1, 1}, {0, 16}, {2, 0}}) {
        convert.shape = shape;
        convert.source.layout = Layout::Linear;
        convert.result.layout = Layout::Tcgen05_128x4;
        add(name, convert);
        std::swap(convert.source.layout, convert.result.layout);
        add(name, convert);
      }
    }
    Spec other;
    other.op = OpKind::Dequantize;
    other.source = blocked;
    for (num::FloatType type :
         {num::FloatType::F32, num::FloatType::BF16, num::FloatType::F16})
      for (const num::Dims &shape :
           {num::Dims{5, 2 * size + 3}, {0, size}, {3, 0}}) {
        other.dtype = type;
        other.shape = shape;
        add(name, other);
      }
    other.op = OpKind::Transpose;
    other.permutation = {1, 0};
    other.shape = {7, size + 5};
    add(name, other);
    other.source.blocking = {{size, size}, {}};
    other.shape = {size + 1, 2 * size - 1};
    add(name, other);
  }

  /// The operation as it is, and with what it can be given besides.
  void addQuantize(const std::string &name, Spec spec, num::Dims shape) {
    spec.op = OpKind::Quantize;
    spec.shape = std::move(shape);
    bool stochastic = spec.rule.round == num::RoundingMode::Stochastic;
    spec.key = num::RandomKey();
    if (stochastic)
      spec.key = {random.next(), random.bits() >> 1, random.bits(), 10,
                  num::RandomSharing::Hardware};
    spec.given = Given::Nothing;
    // Two kinds of values.
    add(name, spec);
    add(name, spec);
    if (stochastic) {
      spec.given = Given::RandomBits;
      add(name, spec);
      spec.given = Given::Nothing;
      spec.key.rounds = 7;
      if (spec.result.element->storageBits() != 4)
        spec.key.sharing = num::RandomSharing::Independent;
      add(name, spec);
    } else if (spec.result.outer) {
      for (Given given : {Given::Amax, Given::Outer}) {
        spec.given = given;
        add(name, spec);
      }
    }
  }

  /// Every E4M3 scale with every E2M1 value and midpoint, and their
  /// neighbours. The first element of a block makes its scale.
  void addBoundaries() {
    constexpr int64_t kBlock = 16;
    std::vector<float> values;
    for (uint32_t scale = 1; scale <= num::kE4M3.maxCode(); ++scale) {
      float factor = num::decode(num::kE4M3, scale);
      auto push = [&](float value) {
        if (values.size() % kBlock == 0)
          values.push_back(6.0f * factor);
        values.push_back(value);
      };
      for (uint32_t half = 0; half < 15; ++half) {
        uint32_t low = half / 2;
        float value = num::decode(num::kE2M1, low);
        if (half % 2)
          value = (value + num::decode(num::kE2M1, low + 1)) / 2;
        uint32_t bits = num::toBits(value * factor);
        for (int32_t step = -3; step <= 3; ++step)
          if (value != 0.0f || step >= 0)
            push(num::fromBits((bits + step) | (random.bits() & 0x80000000u)));
      }
      while (values.size() % kBlock != 0)
        values.push_back(0.0f);
    }
    Spec spec;
    spec.result.element = &num::kE2M1;
    spec.result.scale = &num::kUE4M3;
    spec.result.blocking = {{1, kBlock}, {}};
    spec.shape = {1, static_cast<int64_t>(values.size())};
    Array x = makeInput(values, DType::F32);
    x.shape = {1, spec.shape[1]};
    add("e2m1_ue4m3_boundaries", spec, {x});
    spec.rule.fourSix = num::FourSix::MSE;
    add("e2m1_ue4m3_boundaries", spec, {x});
  }

  /// Blocks of amax 6 whose errors under the scales 1 and 1.5 of 4/6 are next
  /// to each other: another order or rounding of the sums chooses otherwise.
  void addNearTies() {
    constexpr int64_t kBlock = 16, kCount = 256;
    num::ScopedFloatEnvironment environment;
    Spec spec;
    spec.result.element = &num::kE2M1;
    spec.result.scale = &num::kUE4M3;
    spec.result.blocking = {{1, kBlock}, {}};
    spec.rule.fourSix = num::FourSix::MSE;
    num::BlockFormat format = spec.result.format();
    auto errorBits = [&](const float *x, float scale) {
      float codes[kBlock];
      for (int64_t i = 0; i < kBlock; ++i)
        codes[i] = num::decode(
            num::kE2M1, num::encodeNearest(num::kE2M1, x[i] * (1.0f / scale)));
      return num::toBits(num::fourSixRowError(
          format, spec.rule, x, codes, kBlock, scale, num::OuterScale()));
    };
    std::vector<float> values;
    while (values.size() < kCount * kBlock) {
      float x[kBlock] = {6.0f};
      for (int64_t i = 1; i < kBlock; ++i) {
        // Errors of quarters are exact, those of their neighbours are not.
        x[i] = static_cast<float>(random.below(25)) / 4;
        if (x[i] != 0.0f)
          x[i] = num::fromBits(num::toBits(x[i]) +
                               static_cast<uint32_t>(random.below(3)));
      }
      uint32_t six = errorBits(x, 1.0f), four = errorBits(x, 1.5f);
      if (six - four + 1 <= 2)
        values.insert(values.end(), x, x + kBlock);
    }
    spec.shape = {1, static_cast<int64_t>(values.size())};
    Array x = makeInput(values, DType::F32);
    x.shape = {1, spec.shape[1]};
    add("e2m1_ue4m3_near_ties", spec, {x});
  }

  void addPresets() {
    for (const char *name : {"te", "te_four_six", "fouroversix", "torchao",
                             "compressed_tensors", "ocp"}) {
      Spec spec;
      spec.dtype = num::FloatType::BF16;
      spec.rule = *num::findRulePreset(name);
      bool ocp = llvm::StringRef(name) == "ocp";
      spec.result.element = ocp ? &num::kE4M3 : &num::kE2M1;
      spec.result.scale = ocp ? &num::kUE8M0 : &num::kUE4M3;
      spec.result.outer = !ocp;
      spec.result.blocking = {{1, ocp ? 32 : 16}, {}};
      for (int i = 0; i < 3; ++i)
        addQuantize(std::string("preset_") + name, spec, {6, 72});
    }
  }

  void addRequantize() {
    for (const num::BlockFormat &from : num::kBlockFormats)
      for (const num::BlockFormat &to : num::kBlockFormats)
        for (bool turned : {false, true}) {
          Spec spec;
          spec.op = OpKind::Requantize;
          spec.source = {from.element,
                         from.scale,
                         from.outer,
                         {{1, from.blockSize}, {}},
                         Layout::Linear};
          spec.result = {to.element,
                         to.scale,
                         to.outer,
                         {{1, to.blockSize}, {}},
                         Layout::Linear};
          spec.permutation = turned ? std::vector<unsigned>{1, 0}
                                    : std::vector<unsigned>{0, 1};
          spec.shape = {35, from.blockSize + 9};
          std::string name = std::string(from.name) + "_" + to.name;
          add(name, spec);
          if (!from.outer || !to.outer)
            continue;
          spec.requantOuter = num::RequantOuter::Keep;
          add(name, spec);
          spec.rule.round = num::RoundingMode::Stochastic;
          spec.rule.sfRound = num::ScaleRound::Up;
          add(name, spec);
        }
  }

  void addHadamard() {
    Spec spec;
    spec.op = OpKind::Rht;
    for (int64_t size : {16, 32, 64, 128})
      for (num::HadamardNorm norm :
           {num::HadamardNorm::Dyadic, num::HadamardNorm::Orthonormal})
        for (bool inverse : {false, true}) {
          spec.signs = num::hadamardSigns(size);
          spec.norm = norm;
          spec.inverse = inverse;
          spec.dtype = num::FloatType::F32;
          spec.axis = 1;
          spec.shape = {3, 2 * size};
          add(std::to_string(size), spec);
          for (int8_t &sign : spec.signs)
            sign = random.chance(50) ? 1 : -1;
          spec.dtype = num::FloatType::BF16;
          spec.axis = 0;
          spec.shape = {size, 5};
          add(std::to_string(size), spec);
          spec.shape = {0, 5};
          add(std::to_string(size), spec);
        }
  }

  void addAmax() {
    Spec spec;
    spec.op = OpKind::Amax;
    for (num::FloatType type :
         {num::FloatType::F32, num::FloatType::BF16, num::FloatType::F16})
      for (num::NonFinite nonfinite :
           {num::NonFinite::Propagate, num::NonFinite::Saturate})
        for (const std::vector<unsigned> &axes :
             {std::vector<unsigned>{}, {0}, {1}, {0, 1}}) {
          spec.dtype = type;
          spec.rule.nonfinite = nonfinite;
          spec.result.blocking.outerAxes = axes;
          for (const num::Dims &shape : {num::Dims{5, 75}, {0, 3}, {3, 0}}) {
            spec.shape = shape;
            add(nameOf(kFloatTypes, type).str(), spec);
          }
        }
  }

  void addCombine() {
    for (const char *name :
         {"mxs2f6", "mxfp8_e4m3", "mxfp4", "nvfp4", "fp8_block"})
      for (int64_t size : {0, 16, 32, 128}) {
        const num::BlockFormat &format = *num::findBlockFormat(name);
        Spec spec;
        spec.op = OpKind::Combine;
        spec.source = {format.element,
                       format.scale,
                       format.outer,
                       {{1, 1, format.blockSize}, {}},
                       Layout::Linear};
        if (format.outer)
          spec.source.blocking.outerAxes = {0, 1};
        if (size != 0)
          spec.signs = num::hadamardSigns(size);
        for (auto [gates, result] :
             {std::pair(num::FloatType::F32, num::FloatType::F32),
              std::pair(num::FloatType::BF16, num::FloatType::BF16)}) {
          spec.gates = gates;
          spec.dtype = result;
          for (const num::Dims &shape : {num::Dims{8, 5, 256},
                                         {1, 3, 128},
                                         {0, 3, 128},
                                         {3, 0, 128},
                                         {3, 2, 0}}) {
            spec.shape = shape;
            add(name, spec);
          }
          if (size == 0) {
            spec.shape = {4, 3, format.blockSize + 7};
            add(name, spec);
          }
        }
        if (size == 0)
          continue;
        spec.norm = num::HadamardNorm::Orthonormal;
        for (int8_t &sign : spec.signs)
          sign = random.chance(50) ? 1 : -1;
        spec.shape = {3, 4, 128};
        add(name, spec);
      }
  }

  /// Formats and plain operands against each other, stored either way. A token
  /// has its own outer scale, a matrix of weights has one.
  void addContractions() {
    static constexpr std::pair<const char *, const char *> kPairs[] = {
        {"nvfp4", "nvfp4"},      {"mxfp8_e4m3", "mxfp8_e4m3"},
        {"nvfp4", "mxfp8_e4m3"}, {"mxfp4", "mxs2f6"},
        {"fp8_block", "nvfp4"},  {"bf16", "nvfp4"},
        {"mxfp8_e5m2", "f32"},   {"f16", "f16"}};
    unsigned number = 0;
    for (OpKind op : {OpKind::Matmul, OpKind::BatchMatmul,
                      OpKind::GroupedMatmul, OpKind::KGroupedMatmul})
      for (auto [lhs, rhs] : kPairs) {
        Spec spec;
        spec.op = op;
        spec.lhs.isTransposed = (number & 1) && op != OpKind::GroupedMatmul;
        spec.rhs.isTransposed = number & 2;
        spec.hasInit = number & 4;
        ++number;
        num::Dims shape = {5, 18, 150};
        if (op != OpKind::Matmul)
          shape.insert(shape.begin(), 3);
        setOperand(spec, spec.lhs, lhs, shape, 0);
        setOperand(spec, spec.rhs, rhs, shape, 1);
        spec.shape = shape;
        add(std::string(lhs) + "_" + rhs, spec);
        for (size_t dim = shape.size() - 3; dim < shape.size(); ++dim) {
          spec.shape = shape;
          spec.shape[dim] = 0;
          add(std::string(lhs) + "_" + rhs, spec);
        }
      }
  }

  /// Blocks along k, of a format or a plain type by its name.
  static void setOperand(const Spec &spec, Operand &operand,
                         llvm::StringRef name, const num::Dims &shape,
                         size_t number) {
    const num::BlockFormat *format = num::findBlockFormat(name.str());
    operand.isBlocked = format != nullptr;
    if (!format) {
      for (auto [text, type] : kFloatTypes)
        if (text == name)
          operand.dtype = type;
      return;
    }
    Side side = sidesOf(spec, shape)[number];
    Blocked &blocked = operand.blocked;
    blocked.element = format->element;
    blocked.scale = format->scale;
    blocked.outer = format->outer;
    blocked.blocking.block.assign(side.shape.size(), 1);
    blocked.blocking.block[side.kDim] = format->blockSize;
    if (blocked.outer && number == 0)
      blocked.blocking.outerAxes = {side.freeDim};
  }

  Random random;
  std::vector<Case> cases;
  std::map<std::string, int> counts;
};

} // namespace

std::vector<Case> conformance::generateSuite(uint64_t seed) {
  return Generator(seed).run();
}
