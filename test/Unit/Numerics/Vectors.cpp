//===- Vectors.cpp - Golden vectors and their manifest --------------------===//
//
// Part of the Lowp project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Vectors.h"
#include "llvm/Support/MemoryBuffer.h"
#include <cmath>

namespace lowp::numerics::testing {

double Random::normal() {
  double radius = std::sqrt(-2.0 * std::log(1.0 - uniform()));
  return radius * std::cos(6.283185307179586 * uniform());
}

double Random::laplace() {
  double u = uniform() - 0.5;
  return (u < 0 ? 1.0 : -1.0) * std::log(1.0 - 2.0 * std::fabs(u));
}

std::vector<float> normalTensor(uint64_t seed, int64_t count) {
  Random random(seed);
  std::vector<float> values(count);
  for (float &value : values)
    value = toBf16(random.normal());
  return values;
}

const llvm::json::Object &manifest() {
  static const llvm::json::Value root = [] {
    auto buffer =
        llvm::MemoryBuffer::getFile(LOWP_TEST_VECTORS "/manifest.json");
    if (!buffer)
      throw std::runtime_error("cannot read the manifest");
    auto parsed = llvm::json::parse((*buffer)->getBuffer());
    if (!parsed)
      throw std::runtime_error("cannot parse the manifest");
    return std::move(*parsed);
  }();
  return *root.getAsObject();
}

const std::map<std::string, lpvec::Array> &vectorFile(const std::string &name) {
  static std::map<std::string, std::map<std::string, lpvec::Array>> files;
  auto it = files.find(name);
  if (it == files.end())
    it = files
             .emplace(name,
                      lpvec::read(std::string(LOWP_TEST_VECTORS) + "/" + name))
             .first;
  return it->second;
}

std::string Entry::attribute(llvm::StringRef key) const {
  const llvm::json::Value *value = contract().get(key);
  if (!value)
    value = manifest().getObject("contract_defaults")->get(key);
  if (!value)
    return "";
  if (std::optional<llvm::StringRef> text = value->getAsString())
    return text->str();
  if (std::optional<bool> flag = value->getAsBoolean())
    return *flag ? "true" : "false";
  if (std::optional<int64_t> number = value->getAsInteger())
    return std::to_string(*number);
  return "";
}

const lpvec::Array &Entry::array(llvm::StringRef role) const {
  return arrayNamed(json.getObject("arrays")->getString(role)->str());
}

const lpvec::Array &Entry::arrayNamed(const std::string &name) const {
  return vectorFile(file()).at(name);
}

std::vector<Entry> entries() {
  std::vector<Entry> result;
  for (const llvm::json::Value &value : *manifest().getArray("entries"))
    result.emplace_back(*value.getAsObject());
  return result;
}

Dims shapeOf(const lpvec::Array &array) {
  return Dims(array.shape.begin(), array.shape.end());
}

std::vector<uint8_t> bytesOf(const lpvec::Array &array) {
  return std::vector<uint8_t>(array.data.begin(), array.data.end());
}

std::vector<float> floatsOf(const lpvec::Array &array) {
  std::vector<float> values;
  for (uint32_t bits : array.data)
    values.push_back(fromBits(bits));
  return values;
}

Source::Source(const lpvec::Array &array) {
  if (array.bits == 16) {
    halves.assign(array.data.begin(), array.data.end());
    view = denseView(static_cast<const void *>(halves.data()), FloatType::BF16,
                     shapeOf(array));
  } else {
    floats = floatsOf(array);
    view = denseView(static_cast<const void *>(floats.data()), FloatType::F32,
                     shapeOf(array));
  }
}

namespace {

template <typename T>
bool lookUp(const std::string &text,
            std::initializer_list<std::pair<const char *, T>> table,
            T &result) {
  for (const auto &[name, value] : table)
    if (text == name) {
      result = value;
      return true;
    }
  return false;
}

} // namespace

Setup setupOf(const Entry &entry) {
  static const char *known[] = {
      "elem",    "block",      "scale",     "ue8m0_rule",
      "outer",   "outer_max",  "sf_arith",  "sf_round",
      "map_to",  "four_six",   "round",     "four_six_error",
      "sr_bits", "outer_repr", "s2f6_clip", "key"};
  for (const auto &attribute : entry.contract()) {
    bool found = false;
    for (const char *name : known)
      found |= attribute.first.str() == name;
    EXPECT_TRUE(found) << entry.name() << ": unknown attribute "
                       << attribute.first.str();
  }

  Setup setup;
  setup.format.name = "vectors";
  setup.format.element = findElementFormat(entry.attribute("elem"));
  setup.format.scale = findScaleFormat(entry.attribute("scale"));
  std::string outer = entry.attribute("outer");
  setup.format.outer = !outer.empty() && outer != "none";
  if (outer == "row")
    setup.blocking.outerAxes = {0};
  const llvm::json::Value &block = *entry.contract().get("block");
  if (const llvm::json::Array *sizes = block.getAsArray())
    setup.blocking.block = {*(*sizes)[0].getAsInteger(),
                            *(*sizes)[1].getAsInteger()};
  else
    setup.blocking.block = {1, *block.getAsInteger()};
  setup.format.blockSize = setup.blocking.block.back();

  QuantRule &rule = setup.rule;
  bool ok =
      lookUp(entry.attribute("ue8m0_rule"),
             {std::pair{"rceil", ScaleRule::RCeil},
              {"floor", ScaleRule::Floor},
              {"ceil", ScaleRule::Ceil},
              {"even", ScaleRule::Even}},
             rule.scale) &&
      lookUp(entry.attribute("sf_arith"),
             {std::pair{"te", ScaleArith::TE}, {"divide", ScaleArith::Divide}},
             rule.sfArith) &&
      lookUp(entry.attribute("sf_round"),
             {std::pair{"rne", ScaleRound::RNE},
              {"ceil", ScaleRound::Ceil},
              {"ceil_exact", ScaleRound::Up}},
             rule.sfRound) &&
      lookUp(entry.attribute("round"),
             {std::pair{"rne", RoundingMode::Nearest},
              {"sr", RoundingMode::Stochastic}},
             rule.round) &&
      lookUp(entry.attribute("four_six"),
             {std::pair{"none", FourSix::None},
              {"mse", FourSix::MSE},
              {"mae", FourSix::MAE},
              {"absmax", FourSix::AbsMax}},
             rule.fourSix) &&
      lookUp(entry.attribute("four_six_error"),
             {std::pair{"dequantized", FourSixError::Dequantized},
              {"scaled", FourSixError::Scaled}},
             rule.fourSixError) &&
      lookUp(entry.attribute("outer_repr"),
             {std::pair{"decode_f32", OuterRepr::DecodeF32},
              {"pow2", OuterRepr::Pow2}},
             rule.outerRepr);
  EXPECT_TRUE(ok) << entry.name() << ": unknown value of an attribute";
  if (entry.has("outer_max"))
    rule.outerMax = std::stof(entry.attribute("outer_max"));
  if (entry.has("sr_bits"))
    rule.srBits = static_cast<uint8_t>(std::stoi(entry.attribute("sr_bits")));
  if (entry.has("map_to"))
    rule.mapTo = std::stof(entry.attribute("map_to"));
  rule.allowClipping = rule.round == RoundingMode::Stochastic &&
                       rule.sfRound == ScaleRound::Ceil;
  EXPECT_TRUE(setup.format.element && setup.format.scale) << entry.name();
  return setup;
}

} // namespace lowp::numerics::testing
