//===- VectorTest.cpp - Every entry of the golden vectors -----------------===//
//
// Part of the Lowp project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

// Each expected result of test/Inputs/vectors is reproduced bit for bit, or
// excluded for a stated reason with a stated count. None is passed over.

#include "Vectors.h"
#include "lowp/Numerics/Hadamard.h"
#include <iostream>

using namespace lowp::numerics;
using namespace lowp::numerics::testing;

namespace {

/// Result of one entry.
struct Outcome {
  /// Why the library does not do what the entry asks for; "" where it does.
  std::string excluded;
  /// What differs; "" where nothing does.
  std::string mismatch;
};

template <typename T>
void compare(Outcome &outcome, const std::string &what,
             const std::vector<T> &actual, const std::vector<T> &expected) {
  if (!outcome.mismatch.empty())
    return;
  if (actual.size() != expected.size()) {
    outcome.mismatch = what + ": " + std::to_string(actual.size()) +
                       " numbers instead of " + std::to_string(expected.size());
    return;
  }
  for (size_t i = 0; i < actual.size(); ++i)
    if (actual[i] != expected[i]) {
      outcome.mismatch = what + "[" + std::to_string(i) +
                         "]: " + std::to_string(actual[i]) + " instead of " +
                         std::to_string(expected[i]);
      return;
    }
}

void compareFloats(Outcome &outcome, const std::string &what,
                   const std::vector<float> &actual,
                   const std::vector<float> &expected) {
  compare(outcome, what, bitsOf(actual), bitsOf(expected));
}

const ElementFormat &elementOf(const Entry &entry) {
  return *findElementFormat(entry.attribute("elem"));
}

//===----------------------------------------------------------------------===//
// One function per op
//===----------------------------------------------------------------------===//

Outcome runDecode(const Entry &entry) {
  Outcome outcome;
  bool table = entry.hasArray("table");
  std::vector<float> expected =
      floatsOf(entry.array(table ? "table" : "values"));
  std::vector<float> actual;
  for (size_t i = 0; i < expected.size(); ++i) {
    uint32_t code =
        table ? static_cast<uint32_t>(i) : entry.array("codes").data[i];
    actual.push_back(
        entry.has("scale")
            ? decodeScaleByte(*findScaleFormat(entry.attribute("scale")),
                              static_cast<uint8_t>(code))
            : decode(elementOf(entry), code));
  }
  compareFloats(outcome, "values", actual, expected);
  return outcome;
}

/// Inputs of an encode entry: the array, or all BF16 patterns in order.
std::vector<float> encodeInputs(const Entry &entry, size_t count) {
  if (entry.hasArray("x")) {
    std::vector<float> values;
    const lpvec::Array &x = entry.array("x");
    for (uint32_t bits : x.data)
      values.push_back(
          loadFloat(x.bits == 16 ? FloatType::BF16 : FloatType::F32, bits));
    return values;
  }
  std::vector<float> values;
  for (uint32_t bits = 0; bits < count; ++bits)
    values.push_back(loadFloat(FloatType::BF16, bits));
  return values;
}

Outcome runEncodeScale(const Entry &entry) {
  Outcome outcome;
  std::string round = entry.attribute("round");
  NumberRound mode = round == "rz"   ? NumberRound::TowardZero
                     : round == "rp" ? NumberRound::Up
                                     : NumberRound::Nearest;
  Overflow overflow = entry.attribute("sat") == "true" ? Overflow::Saturate
                                                       : Overflow::NonFinite;
  std::vector<uint8_t> expected = bytesOf(entry.array("codes"));
  std::vector<uint8_t> actual;
  for (float value : encodeInputs(entry, expected.size()))
    actual.push_back(encodeUE8M0(value, mode, overflow));
  compare(outcome, "codes", actual, expected);
  return outcome;
}

/// Counts over all random words.
Outcome runEnumerate(const Entry &entry) {
  Outcome outcome;
  unsigned bits = std::stoi(entry.attribute("sr_bits"));
  uint32_t words = 1u << bits;
  std::vector<float> inputs = encodeInputs(entry, 0);
  std::vector<uint32_t> lowHigh, counts;
  for (float value : inputs) {
    uint32_t low = encodeStochastic(elementOf(entry), value, 0, bits);
    uint32_t high = encodeStochastic(elementOf(entry), value, words - 1, bits);
    uint32_t lowCount = 0, highCount = 0;
    for (uint32_t word = 0; word < words; ++word) {
      uint32_t code = encodeStochastic(elementOf(entry), value, word, bits);
      lowCount += code == low;
      highCount += code == high;
    }
    lowHigh.insert(lowHigh.end(), {low, high});
    counts.insert(counts.end(), {lowCount, low == high ? 0 : highCount});
  }
  compare(outcome, "lo_hi", lowHigh, entry.array("lo_hi").data);
  compare(outcome, "count", counts, entry.array("count").data);
  return outcome;
}

Outcome runEncode(const Entry &entry) {
  if (entry.has("scale"))
    return runEncodeScale(entry);
  std::string round = entry.attribute("round");
  if (round == "sr")
    return runEnumerate(entry);
  Outcome outcome;
  Overflow overflow = entry.attribute("sat") == "true" ? Overflow::Saturate
                                                       : Overflow::NonFinite;
  std::vector<uint8_t> expected = bytesOf(entry.array("codes"));
  std::vector<uint8_t> actual;
  for (float value : encodeInputs(entry, 65536))
    actual.push_back(static_cast<uint8_t>(
        round == "rz" ? encodeTowardZero(elementOf(entry), value, overflow)
                      : encodeNearest(elementOf(entry), value, overflow)));
  // Tables of 4-bit codes are packed.
  if (actual.size() == 2 * expected.size()) {
    std::vector<uint8_t> packed(expected.size());
    packRow(actual.data(), static_cast<int64_t>(actual.size()), packed.data());
    actual = packed;
  }
  compare(outcome, "codes", actual, expected);
  return outcome;
}

Outcome runEncodeScaled(const Entry &entry) {
  Outcome outcome;
  BlockFormat format = formatOf("mxfp4", false);
  std::vector<uint8_t> bytes = bytesOf(entry.array("scale_bytes"));
  std::vector<float> values = floatsOf(entry.array("x"));
  std::vector<uint8_t> actual;
  for (size_t i = 0; i < values.size(); ++i) {
    BlockScale scale =
        blockScaleFromByte(format, QuantRule(), bytes[i], OuterScale());
    actual.push_back(static_cast<uint8_t>(
        encodeNearest(*format.element, scale.apply(values[i]))));
  }
  compare(outcome, "codes", actual, bytesOf(entry.array("codes")));
  return outcome;
}

void compareBlocked(Outcome &outcome, const std::string &what, Blocked &actual,
                    const Entry &entry, const char *scales, const char *codes) {
  compare(outcome, what + "scales", actual.scales,
          bytesOf(entry.array(scales)));
  compare(outcome, what + "codes", actual.packed(),
          bytesOf(entry.array(codes)));
}

Outcome runQuantize(const Entry &entry) {
  Outcome outcome;
  Setup setup = setupOf(entry);
  Source source(entry.array("x"));
  std::vector<uint32_t> random;
  QuantizeInputs inputs;
  if (entry.hasArray("rbits")) {
    random = entry.array("rbits").data;
    inputs.randomBits = random.data();
  }
  Blocked blocked(setup.format, setup.blocking, source.view.shape);
  Status status = blocked.quantize(setup.rule, source.view, inputs);
  if (!status.ok()) {
    outcome.mismatch = "refused: " + status.message();
    return outcome;
  }
  compareBlocked(outcome, "", blocked, entry, "scales", "codes");
  if (entry.hasArray("outer"))
    compareFloats(outcome, "outer", blocked.outer,
                  floatsOf(entry.array("outer")));
  if (entry.hasArray("pick4"))
    compare(outcome, "pick4", blocked.pickedFour,
            bytesOf(entry.array("pick4")));
  if (entry.hasArray("dequant"))
    compareFloats(outcome, "dequant", blocked.dequantize(),
                  floatsOf(entry.array("dequant")));

  if (entry.hasArray("amax")) {
    // The amaxes given instead of computed: the same bytes.
    std::vector<float> amax = floatsOf(entry.array("amax"));
    QuantizeInputs given = inputs;
    given.givenAmax = amax.data();
    Blocked again(setup.format, setup.blocking, source.view.shape);
    status = again.quantize(setup.rule, source.view, given);
    if (!status.ok())
      outcome.mismatch = "given amax refused: " + status.message();
    compareBlocked(outcome, "given amax: ", again, entry, "scales", "codes");
  }
  if (entry.hasArray("t_codes")) {
    ConstFloatView transposed = permuted(source.view, {1, 0});
    Blocked again(setup.format, setup.blocking, transposed.shape);
    status = again.quantize(setup.rule, transposed);
    if (!status.ok())
      outcome.mismatch = "transposed refused: " + status.message();
    compareBlocked(outcome, "transposed: ", again, entry, "t_scales",
                   "t_codes");
  }
  if (const llvm::json::Object *json = entry.contract().getObject("key")) {
    QuantizeInputs keyed;
    keyed.key.seed = std::stoull(json->getString("seed")->str(), nullptr, 16);
    keyed.key.stream = static_cast<uint32_t>(*json->getInteger("stream"));
    keyed.key.step = static_cast<uint32_t>(*json->getInteger("step"));
    keyed.key.rounds = static_cast<unsigned>(*json->getInteger("rounds"));
    Blocked again(setup.format, setup.blocking, source.view.shape);
    status = again.quantize(setup.rule, source.view, keyed);
    if (!status.ok())
      outcome.mismatch = "keyed refused: " + status.message();
    compareBlocked(outcome, "keyed: ", again, entry, "scales", "codes");
  }
  return outcome;
}

Outcome runDequantize(const Entry &entry) {
  Outcome outcome;
  std::string order = entry.attribute("deq_order");
  if (order != "outer_last") {
    outcome.excluded = "deq_order = " + order +
                       ": values are fl(fl(q * sf) * S_dec) in every format";
    return outcome;
  }
  BlockFormat format;
  format.name = "vectors";
  format.element = &elementOf(entry);
  format.scale = findScaleFormat(entry.attribute("scale"));
  format.outer = entry.hasArray("outer");
  format.blockSize = std::stoi(entry.attribute("block"));
  Dims shape = shapeOf(entry.array("dequant"));
  Blocked blocked(format, {{1, format.blockSize}, {}}, shape);
  unpack(*format.element, shape, bytesOf(entry.array("codes")).data(),
         blocked.codes.data());
  blocked.scales = bytesOf(entry.array("scales"));
  if (format.outer)
    blocked.outer = floatsOf(entry.array("outer"));
  compareFloats(outcome, "dequant", blocked.dequantize(),
                floatsOf(entry.array("dequant")));
  return outcome;
}

Outcome runRequantize(const Entry &entry) {
  Outcome outcome;
  const llvm::json::Object &json = *entry.contract().getObject("source");
  bool perRow = json.getString("outer") == "row";
  bool fold = entry.attribute("fold_outer") == "true";
  Blocking sourceBlocking{{1, 16}, {}};
  if (perRow)
    sourceBlocking.outerAxes = {0};
  Dims packedDims = shapeOf(entry.array("codes_in"));
  Dims shape{packedDims[0], packedDims[1] * 2};
  Blocked source(nvfp4(), sourceBlocking, shape);
  unpack(kE2M1, shape, bytesOf(entry.array("codes_in")).data(),
         source.codes.data());
  source.scales = bytesOf(entry.array("scales_in"));
  source.outer = floatsOf(entry.array("outer_in"));

  QuantRule rule;
  rule.round = entry.attribute("round") == "sr" ? RoundingMode::Stochastic
                                                : RoundingMode::Nearest;
  std::vector<uint32_t> random;
  QuantizeInputs inputs;
  if (entry.hasArray("rbits")) {
    random = entry.array("rbits").data;
    inputs.randomBits = random.data();
  }
  BlockFormat format = formatOf("mxfp8_e4m3", !fold);
  Blocking blocking{{1, 32}, {}};
  Blocked result(format, blocking, {shape[1], shape[0]});
  Status status =
      requantize(nvfp4(), sourceBlocking, shape, source.data(),
                 fold ? RequantOuter::Fold : RequantOuter::Keep, {1, 0}, format,
                 rule, blocking, result.data(), inputs);
  if (!status.ok())
    outcome.mismatch = "refused: " + status.message();
  compareBlocked(outcome, "", result, entry, "scales", "codes");
  if (!fold)
    compareFloats(outcome, "outer", result.outer, source.outer);
  return outcome;
}

Outcome runHadamard(const Entry &entry) {
  Outcome outcome;
  int64_t n = std::stoi(entry.attribute("block"));
  bool inverse = entry.attribute("direction") == "inverse";
  float factor = hadamardFactor(n, HadamardNorm::Dyadic, inverse);
  if (factor * static_cast<float>(1 << std::stoi(entry.attribute("shift"))) !=
      1.0f)
    outcome.mismatch = "another factor than 2^-shift";
  std::vector<int8_t> signs;
  for (float sign : floatsOf(entry.array("signs")))
    signs.push_back(sign < 0 ? -1 : 1);
  // Those of 16 are the default; those of 32 are a vector of their own.
  if (n == 16 && signs != hadamardSigns(n))
    outcome.mismatch = "another default sign vector";
  Source source(entry.array("x"));
  std::vector<float> actual(source.floats.size());
  Status status =
      hadamard(source.view, 1, n, signs, HadamardNorm::Dyadic, inverse,
               denseView(static_cast<void *>(actual.data()), FloatType::F32,
                         source.view.shape));
  if (!status.ok())
    outcome.mismatch = "refused: " + status.message();
  compareFloats(outcome, "y", actual, floatsOf(entry.array("y")));
  return outcome;
}

Outcome runConvertLayout(const Entry &entry) {
  Outcome outcome;
  if (entry.hasArray("row_col_cols")) {
    const lpvec::Array &places = entry.array("row_col_cols");
    std::vector<uint32_t> actual;
    for (size_t i = 0; i < places.data.size(); i += 3)
      actual.push_back(static_cast<uint32_t>(tcgen05Offset(
          places.data[i], places.data[i + 1], places.data[i + 2])));
    compare(outcome, "offsets", actual, entry.array("offsets").data);
    return outcome;
  }
  Dims shape = shapeOf(entry.array("linear"));
  std::vector<uint8_t> linear = bytesOf(entry.array("linear"));
  std::vector<uint8_t> image(static_cast<size_t>(tcgen05Size(shape)), 0xA5);
  toTcgen05(shape, linear.data(), image.data());
  compare(outcome, "swizzled", image, bytesOf(entry.array("swizzled")));
  std::vector<uint8_t> back(linear.size());
  fromTcgen05(shape, image.data(), back.data());
  compare(outcome, "linear", back, linear);
  return outcome;
}

Outcome runTranspose(const Entry &entry) {
  Outcome outcome;
  Dims packedDims = shapeOf(entry.array("codes"));
  Dims shape{packedDims[0], packedDims[1] * 2};
  std::vector<uint8_t> codes(numElements(shape)), moved(codes.size());
  unpack(kE2M1, shape, bytesOf(entry.array("codes")).data(), codes.data());
  transposeElements(shape, 1, {1, 0}, codes.data(), moved.data());
  std::vector<uint8_t> packed(codes.size() / 2);
  pack(kE2M1, {shape[1], shape[0]}, moved.data(), packed.data());
  compare(outcome, "codes", packed, bytesOf(entry.array("t_codes")));
  return outcome;
}

Outcome runPhilox(const Entry &entry) {
  Outcome outcome;
  unsigned rounds = std::stoi(entry.attribute("rounds"));
  std::vector<uint32_t> actual;
  if (entry.hasArray("ctr")) {
    const std::vector<uint32_t> &counters = entry.array("ctr").data;
    const std::vector<uint32_t> &keys = entry.array("key").data;
    for (size_t i = 0; i * 4 < counters.size(); ++i) {
      PhiloxCounter words =
          philox4x32({counters[4 * i], counters[4 * i + 1], counters[4 * i + 2],
                      counters[4 * i + 3]},
                     {keys[2 * i], keys[2 * i + 1]}, rounds);
      actual.insert(actual.end(), words.begin(), words.end());
    }
  } else {
    // Two consecutive counters of each stream; the offset counts them.
    const std::vector<uint32_t> &places =
        entry.array("seed_subseq_offset").data;
    for (size_t i = 0; i < places.size(); i += 6) {
      uint64_t offset = places[i + 4] | uint64_t(places[i + 5]) << 32;
      for (uint64_t counter = offset; counter < offset + 2; ++counter) {
        PhiloxCounter words = philox4x32({static_cast<uint32_t>(counter),
                                          static_cast<uint32_t>(counter >> 32),
                                          places[i + 2], places[i + 3]},
                                         {places[i], places[i + 1]}, rounds);
        actual.insert(actual.end(), words.begin(), words.end());
      }
    }
  }
  compare(outcome, "words", actual, entry.array("out").data);
  return outcome;
}

Outcome runRandomBits(const Entry &entry) {
  Outcome outcome;
  RandomKey key;
  key.seed = std::stoull(entry.attribute("seed"), nullptr, 16);
  key.stream = std::stoi(entry.attribute("stream"));
  key.step = std::stoi(entry.attribute("step"));
  key.rounds = std::stoi(entry.attribute("rounds"));
  unsigned bits = std::stoi(entry.attribute("sr_bits"));
  const lpvec::Array &expected = entry.array("bits");
  int64_t K = static_cast<int64_t>(expected.shape[1]);
  std::vector<uint32_t> actual;
  for (int64_t row = 0; row < static_cast<int64_t>(expected.shape[0]); ++row)
    for (int64_t k = 0; k < K; ++k)
      actual.push_back(randomBits(key, randomGroup(key, row, k, K),
                                  static_cast<unsigned>(k % 16), bits));
  compare(outcome, "bits", actual, expected.data);
  return outcome;
}

using Runner = Outcome (*)(const Entry &);
const std::map<std::string, Runner> kRunners = {
    {"convert_layout", runConvertLayout}, {"decode", runDecode},
    {"dequantize", runDequantize},        {"encode", runEncode},
    {"encode_scaled", runEncodeScaled},   {"hadamard", runHadamard},
    {"philox4x32_10", runPhilox},         {"quantize", runQuantize},
    {"requantize", runRequantize},        {"sr_bits", runRandomBits},
    {"transpose", runTranspose}};

/// How many entries of the manifest ask for something that is not Lowp's.
const std::map<std::string, unsigned> kExcluded = {
    {"deq_order = div_enc: values are fl(fl(q * sf) * S_dec) in every format",
     2},
    {"deq_order = fos_amax: values are fl(fl(q * sf) * S_dec) in every format",
     2},
    {"deq_order = scale_first: values are fl(fl(q * sf) * S_dec) in every "
     "format",
     2},
    {"deq_order = te_amax: values are fl(fl(q * sf) * S_dec) in every format",
     2}};

} // namespace

class VectorTest : public ::testing::TestWithParam<std::string> {};

TEST_P(VectorTest, ReproducesEveryEntryOfTheOp) {
  unsigned count = 0;
  for (const Entry &entry : entries()) {
    if (entry.op() != GetParam())
      continue;
    ++count;
    Outcome outcome = kRunners.at(entry.op())(entry);
    EXPECT_EQ(outcome.mismatch, "") << entry.name();
  }
  EXPECT_GT(count, 0u);
}

INSTANTIATE_TEST_SUITE_P(
    Ops, VectorTest,
    ::testing::Values("convert_layout", "decode", "dequantize", "encode",
                      "encode_scaled", "hadamard", "philox4x32_10", "quantize",
                      "requantize", "sr_bits", "transpose"),
    [](const auto &info) { return info.param; });

TEST(Vectors, NoEntryIsPassedOver) {
  std::map<std::string, unsigned> excluded;
  unsigned reproduced = 0, total = 0;
  for (const Entry &entry : entries()) {
    ++total;
    auto runner = kRunners.find(entry.op());
    ASSERT_NE(runner, kRunners.end()) << entry.op();
    Outcome outcome = runner->second(entry);
    if (!outcome.excluded.empty())
      ++excluded[outcome.excluded];
    else if (outcome.mismatch.empty())
      ++reproduced;
  }
  unsigned excludedTotal = 0;
  for (const auto &[reason, count] : excluded)
    excludedTotal += count;
  std::cout << "reproduced " << reproduced << " / excluded " << excludedTotal
            << " of " << total << "\n";
  for (const auto &[reason, count] : excluded)
    std::cout << "  " << count << " " << reason << "\n";
  EXPECT_EQ(excluded, kExcluded);
  EXPECT_EQ(reproduced + excludedTotal, total);
  EXPECT_EQ(total, 715u);
}
