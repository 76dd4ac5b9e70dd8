//===- PresetTest.cpp - What other libraries do, bit for bit --------------===//
//
// Part of the Lowp project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

// The vectors hold the output of libraries that this project's presets stand
// for: equal to an entry ("agree"), or different in listed blocks ("deviate").
// Each is compared with the preset's output.

#include "Vectors.h"
#include <iostream>

using namespace lowp::numerics;
using namespace lowp::numerics::testing;

namespace {

struct Producer {
  const char *id;
  const char *preset;
  FourSix fourSix = FourSix::None;
  float outerMax = 0.0f;
};

// The libraries' options beyond the preset. Ids are those of the manifest.
const Producer kProducers[] = {{"p16", "ocp"},
                               {"p22", "ocp"},
                               {"p27", "ocp"},
                               {"p32", "ocp"},
                               {"p38", "ocp"},
                               {"p48", "te"},
                               {"p49", "te"},
                               {"p64", "te"},
                               {"p54", "te_four_six", FourSix::MSE, 1536.0f},
                               {"p56", "te_four_six", FourSix::MAE, 1536.0f},
                               {"p59", "te_four_six", FourSix::MSE, 1536.0f},
                               {"p60", "te_four_six", FourSix::MAE, 1536.0f},
                               {"p61", "te_four_six", FourSix::MSE, 2688.0f},
                               {"p65", "te_four_six", FourSix::MAE, 1536.0f},
                               {"p55", "fouroversix", FourSix::MSE, 1536.0f},
                               {"p57", "fouroversix", FourSix::MAE, 1536.0f},
                               {"p58", "fouroversix", FourSix::AbsMax, 1536.0f},
                               {"p51", "torchao"},
                               {"p62", "torchao"},
                               {"p63", "compressed_tensors"}};

/// Outputs that are defects of a library, which no preset reproduces.
struct Defect {
  const char *preset;
  const char *producer;
  const char *file;
  const char *what;
};

const Defect kDefects[] = {
    {"fouroversix", nullptr, "nvfp4/bf16_tinyblocks_16x96_s12.vec",
     "a scaled magnitude of 7 or more packs as 8"},
    {"fouroversix", nullptr, "nvfp4/f32_boundary_8x256_s17.vec",
     "a scaled magnitude of 7 or more packs as 8"},
    {"fouroversix", nullptr, "nvfp4/f32_subnormal_16x32_s10.vec",
     "the decode scale of a subnormal amax underflows"},
    {"fouroversix", nullptr, "nvfp4/bf16_neartie_1x32_s19.vec",
     "torch's order of summation decides a near tie"},
    {"torchao", "p51", "nvfp4/f32_zeros_4x32_s7.vec",
     "0/0 as the scale of zeros, NaN with the sign bit set"},
    {"torchao", "p51", "nvfp4/f32_subnormal_16x32_s10.vec",
     "0 times an infinite multiplier"}};

/// Bytes of a library's output for an entry.
struct Output {
  std::vector<uint8_t> scales;
  std::vector<uint8_t> codes;
};

/// Puts the blocks in which a library deviates over the expected output.
void overlay(const Entry &entry, const llvm::json::Object &deviation,
             const Setup &setup, const Dims &shape, Output &output) {
  std::string prefix = deviation.getString("arrays")->str();
  const lpvec::Array &blocks = entry.arrayNamed(prefix + ".blocks");
  const lpvec::Array &scales = entry.arrayNamed(prefix + ".scales");
  const lpvec::Array &codes = entry.arrayNamed(prefix + ".codes");
  unsigned perByte = setup.format.element->storageBits() == 4 ? 2 : 1;
  Dims grid = gridShape(shape, setup.blocking.block);
  // Blocks are counted as scales are, so row by row within a tile.
  int64_t blockBytes = setup.blocking.block[1] / perByte;
  size_t next = 0;
  for (size_t i = 0; i < blocks.data.size(); ++i) {
    int64_t row = blocks.data[i] / grid[1], col = blocks.data[i] % grid[1];
    output.scales[blocks.data[i]] = static_cast<uint8_t>(scales.data[i]);
    for (int64_t c = 0; c < blockBytes; ++c)
      output.codes[row * (shape[1] / perByte) + col * blockBytes + c] =
          static_cast<uint8_t>(codes.data[next++]);
  }
  EXPECT_EQ(next, codes.data.size());
}

struct Tally {
  unsigned compared = 0;
  std::map<std::string, unsigned> excluded;
};

void check(const Entry &entry, const Producer &producer,
           const llvm::json::Object *deviation, Tally &tally) {
  Setup setup = setupOf(entry);
  if (deviation) {
    std::string why = deviation->getString("why")->str();
    // See `reasons` of the manifest. What is not a rule but a defect of the
    // library is not reproduced.
    if (!deviation->getString("arrays") || why == "r14" || why == "r8") {
      ++tally.excluded["non-finite values: the preset keeps Lowp's policy"];
      return;
    }
    if (why == "r6") {
      ++tally.excluded["scale byte 0 taken for 2^-126"];
      return;
    }
  }
  Source source(entry.array("x"));
  Output expected{bytesOf(entry.array("scales")),
                  bytesOf(entry.array("codes"))};
  if (deviation)
    overlay(entry, *deviation, setup, source.view.shape, expected);
  QuantRule rule = *findRulePreset(producer.preset);
  if (producer.fourSix != FourSix::None)
    rule.fourSix = producer.fourSix;
  rule.outerMax = producer.outerMax;
  Blocked blocked(setup.format, setup.blocking, source.view.shape);
  Status status = blocked.quantize(rule, source.view);
  ASSERT_TRUE(status.ok()) << status.message();
  ++tally.compared;
  std::vector<uint8_t> packed = blocked.packed();
  size_t codesDiffer = 0, scalesDiffer = 0, first = 0;
  for (size_t i = packed.size(); i-- > 0;)
    if (packed[i] != expected.codes[i]) {
      ++codesDiffer;
      first = i;
    }
  for (size_t i = 0; i < expected.scales.size(); ++i)
    scalesDiffer += blocked.scales[i] != expected.scales[i];
  if (deviation)
    for (const Defect &defect : kDefects)
      if (defect.preset == std::string(producer.preset) &&
          entry.file() == defect.file &&
          (!defect.producer || defect.producer == std::string(producer.id))) {
        --tally.compared;
        ++tally.excluded[defect.what];
        // An exclusion that is not needed hides something.
        EXPECT_GT(codesDiffer + scalesDiffer, 0u)
            << entry.name() << " " << producer.id;
        return;
      }
  EXPECT_TRUE(codesDiffer == 0 && scalesDiffer == 0)
      << entry.name() << " " << producer.id << " " << producer.preset << " "
      << (deviation ? deviation->getString("why")->str() : "agrees") << ": "
      << codesDiffer << " of " << packed.size() << " code bytes and "
      << scalesDiffer << " of " << expected.scales.size()
      << " scales differ; first byte " << first << " "
      << unsigned(packed[first]) << " instead of "
      << unsigned(expected.codes[first]);
}

/// How many outputs of libraries each preset reproduces.
const std::map<std::string, unsigned> kCompared = {
    {"te", 36},      {"te_four_six", 86},       {"fouroversix", 39},
    {"torchao", 31}, {"compressed_tensors", 8}, {"ocp", 52}};

class PresetTest : public ::testing::TestWithParam<const char *> {};

TEST_P(PresetTest, EqualsTheLibrary) {
  Tally tally;
  for (const Producer &producer : kProducers) {
    if (producer.preset != std::string(GetParam()))
      continue;
    for (const Entry &entry : entries()) {
      if (entry.op() != "quantize")
        continue;
      if (const llvm::json::Array *agree = entry.object().getArray("agree"))
        for (const llvm::json::Value &value : *agree) {
          // A pair agrees but for NaN inputs, which no such entry has.
          std::optional<llvm::StringRef> id = value.getAsString();
          if (id && *id == producer.id)
            check(entry, producer, nullptr, tally);
        }
      if (const llvm::json::Array *deviate = entry.object().getArray("deviate"))
        for (const llvm::json::Value &value : *deviate)
          if (*value.getAsObject()->getString("by") == producer.id)
            check(entry, producer, value.getAsObject(), tally);
    }
  }
  std::cout << GetParam() << ": compared " << tally.compared << "\n";
  for (const auto &[reason, count] : tally.excluded)
    std::cout << "  " << count << " excluded: " << reason << "\n";
  EXPECT_EQ(tally.compared, kCompared.at(GetParam()));
}

INSTANTIATE_TEST_SUITE_P(Presets, PresetTest,
                         ::testing::Values("te", "te_four_six", "fouroversix",
                                           "torchao", "compressed_tensors",
                                           "ocp"),
                         [](const auto &info) { return info.param; });

} // namespace
