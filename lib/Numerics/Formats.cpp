//===- Formats.cpp - Lookup of formats and presets ------------------------===//
//
// Part of the Lowp project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "lowp/Numerics/Formats.h"

namespace lowp::numerics {

const ElementFormat *findElementFormat(std::string_view name) {
  for (const ElementFormat *format : kElementFormats)
    if (name == format->name)
      return format;
  return nullptr;
}

const ScaleFormat *findScaleFormat(std::string_view name) {
  for (const ScaleFormat *format : kScaleFormats)
    if (name == format->name)
      return format;
  return nullptr;
}

const BlockFormat *findBlockFormat(std::string_view name) {
  for (const BlockFormat &format : kBlockFormats)
    if (name == format.name)
      return &format;
  return nullptr;
}

namespace {

constexpr QuantRule te() {
  QuantRule rule;
  rule.sfArith = ScaleArith::TE;
  rule.sfZero = ZeroScale::KeepCodes;
  rule.negZero = NegativeZero::Drop;
  return rule;
}

constexpr QuantRule teFourSix() {
  QuantRule rule = te();
  rule.sfArith = ScaleArith::Divide;
  rule.fourSix = FourSix::MAE;
  rule.fourSixError = FourSixError::Dequantized;
  return rule;
}

constexpr QuantRule fourOverSix() {
  QuantRule rule;
  rule.fourSix = FourSix::MSE;
  rule.fourSixError = FourSixError::Dequantized;
  rule.outerMax = 1536.0f;
  rule.negZero = NegativeZero::Drop;
  return rule;
}

constexpr QuantRule torchAO() {
  QuantRule rule;
  rule.sfArith = ScaleArith::TorchAO;
  return rule;
}

constexpr QuantRule compressedTensors() {
  QuantRule rule;
  rule.sfArith = ScaleArith::CompressedTensors;
  rule.negZero = NegativeZero::Drop;
  return rule;
}

constexpr QuantRule ocp() {
  QuantRule rule;
  rule.scale = ScaleRule::Floor;
  return rule;
}

constexpr RulePreset kRulePresets[] = {
    {"default", QuantRule()},
    {"te", te()},
    {"te_four_six", teFourSix()},
    {"fouroversix", fourOverSix()},
    {"torchao", torchAO()},
    {"compressed_tensors", compressedTensors()},
    {"ocp", ocp()}};

} // namespace

const QuantRule *findRulePreset(std::string_view name) {
  for (const RulePreset &preset : kRulePresets)
    if (name == preset.name)
      return &preset.rule;
  return nullptr;
}

} // namespace lowp::numerics
