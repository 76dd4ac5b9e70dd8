//===- Attributes.h - Names and values of the attributes of cases -*- C++
//-*-===//
//
// Part of the Lowp project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// One list of attributes serves writing and reading of manifests and the text
/// of rules in programs. A visitor has
///
///   void choice(StringRef name, T &value, ArrayRef<std::pair<StringRef, T>>)
///   void number(StringRef name, T &value)         for integers and bool
///   void numbers(StringRef name, std::vector<T> &values)
///   void group(StringRef name, function_ref<void()> body)
///
//===----------------------------------------------------------------------===//

#ifndef LOWP_CONFORMANCE_ATTRIBUTES_H
#define LOWP_CONFORMANCE_ATTRIBUTES_H

#include "lowp/Conformance/Case.h"

#include <utility>

namespace mlir::lowp::conformance {

template <typename T>
using Choices = llvm::ArrayRef<std::pair<llvm::StringRef, T>>;

inline constexpr std::pair<llvm::StringRef, OpKind> kOps[] = {
    {"quantize", OpKind::Quantize},
    {"dequantize", OpKind::Dequantize},
    {"requantize", OpKind::Requantize},
    {"transpose", OpKind::Transpose},
    {"convert_layout", OpKind::ConvertLayout},
    {"rht", OpKind::Rht},
    {"amax", OpKind::Amax},
    {"combine", OpKind::Combine},
    {"matmul", OpKind::Matmul},
    {"batch_matmul", OpKind::BatchMatmul},
    {"grouped_matmul", OpKind::GroupedMatmul},
    {"k_grouped_matmul", OpKind::KGroupedMatmul},
    {"encode", OpKind::Encode},
    {"decode", OpKind::Decode},
    {"decode_scale", OpKind::DecodeScale},
    {"encode_scale", OpKind::EncodeScale},
    {"block_scale", OpKind::BlockScale},
    {"outer_scale", OpKind::OuterScale},
    {"philox", OpKind::Philox},
    {"random_bits", OpKind::RandomBits}};

inline constexpr std::pair<llvm::StringRef, num::FloatType> kFloatTypes[] = {
    {"f32", num::FloatType::F32},
    {"bf16", num::FloatType::BF16},
    {"f16", num::FloatType::F16}};

inline constexpr std::pair<llvm::StringRef, Layout> kLayouts[] = {
    {"linear", Layout::Linear}, {"tcgen05_128x4", Layout::Tcgen05_128x4}};

inline constexpr std::pair<llvm::StringRef, Given> kGiven[] = {
    {"nothing", Given::Nothing},
    {"amax", Given::Amax},
    {"outer", Given::Outer},
    {"random_bits", Given::RandomBits}};

inline constexpr std::pair<llvm::StringRef, num::RoundingMode> kRounds[] = {
    {"nearest", num::RoundingMode::Nearest},
    {"stochastic", num::RoundingMode::Stochastic},
    {"toward_zero", num::RoundingMode::TowardZero}};

inline constexpr std::pair<llvm::StringRef, num::ScaleRule> kScaleRules[] = {
    {"rceil", num::ScaleRule::RCeil},
    {"floor", num::ScaleRule::Floor},
    {"ceil", num::ScaleRule::Ceil},
    {"even", num::ScaleRule::Even}};

inline constexpr std::pair<llvm::StringRef, num::ScaleArith> kScaleAriths[] = {
    {"divide", num::ScaleArith::Divide},
    {"te", num::ScaleArith::TE},
    {"torchao", num::ScaleArith::TorchAO},
    {"compressed_tensors", num::ScaleArith::CompressedTensors}};

inline constexpr std::pair<llvm::StringRef, num::ScaleRound> kScaleRounds[] = {
    {"rne", num::ScaleRound::RNE},
    {"up", num::ScaleRound::Up},
    {"ceil", num::ScaleRound::Ceil}};

inline constexpr std::pair<llvm::StringRef, num::FourSix> kFourSix[] = {
    {"none", num::FourSix::None},
    {"mse", num::FourSix::MSE},
    {"mae", num::FourSix::MAE},
    {"absmax", num::FourSix::AbsMax}};

inline constexpr std::pair<llvm::StringRef, num::FourSixError>
    kFourSixErrors[] = {{"scaled", num::FourSixError::Scaled},
                        {"dequantized", num::FourSixError::Dequantized}};

inline constexpr std::pair<llvm::StringRef, num::OuterRepr> kOuterReprs[] = {
    {"decode_f32", num::OuterRepr::DecodeF32}, {"pow2", num::OuterRepr::Pow2}};

inline constexpr std::pair<llvm::StringRef, num::NonFinite> kNonFinite[] = {
    {"propagate", num::NonFinite::Propagate},
    {"saturate", num::NonFinite::Saturate}};

inline constexpr std::pair<llvm::StringRef, num::NegativeZero> kNegZero[] = {
    {"keep", num::NegativeZero::Keep}, {"drop", num::NegativeZero::Drop}};

inline constexpr std::pair<llvm::StringRef, num::ZeroScale> kZeroScales[] = {
    {"zero_codes", num::ZeroScale::ZeroCodes},
    {"keep_codes", num::ZeroScale::KeepCodes}};

inline constexpr std::pair<llvm::StringRef, num::RandomSharing> kSharing[] = {
    {"shared", num::RandomSharing::Hardware},
    {"independent", num::RandomSharing::Independent}};

inline constexpr std::pair<llvm::StringRef, num::RequantOuter> kRequantOuter[] =
    {{"fold", num::RequantOuter::Fold}, {"keep", num::RequantOuter::Keep}};

inline constexpr std::pair<llvm::StringRef, num::HadamardNorm> kNorms[] = {
    {"dyadic", num::HadamardNorm::Dyadic},
    {"orthonormal", num::HadamardNorm::Orthonormal}};

inline constexpr std::pair<llvm::StringRef, num::Overflow> kOverflows[] = {
    {"saturate", num::Overflow::Saturate},
    {"nonfinite", num::Overflow::NonFinite}};

inline constexpr std::pair<llvm::StringRef, num::NumberRound> kNumberRounds[] =
    {{"nearest", num::NumberRound::Nearest},
     {"toward_zero", num::NumberRound::TowardZero},
     {"up", num::NumberRound::Up}};

llvm::ArrayRef<std::pair<llvm::StringRef, const num::ElementFormat *>>
getElementChoices();
llvm::ArrayRef<std::pair<llvm::StringRef, const num::ScaleFormat *>>
getScaleChoices();

/// The name of a value.
template <typename T, size_t N>
llvm::StringRef nameOf(const std::pair<llvm::StringRef, T> (&choices)[N],
                       T value) {
  for (const auto &[name, choice] : choices)
    if (choice == value)
      return name;
  return "";
}

template <typename Visitor>
void visitRule(Visitor &visitor, num::QuantRule &rule, num::RandomKey &key) {
  visitor.choice("scale", rule.scale, Choices<num::ScaleRule>(kScaleRules));
  visitor.choice("sf_arith", rule.sfArith,
                 Choices<num::ScaleArith>(kScaleAriths));
  visitor.choice("sf_round", rule.sfRound,
                 Choices<num::ScaleRound>(kScaleRounds));
  visitor.choice("round", rule.round, Choices<num::RoundingMode>(kRounds));
  visitor.choice("four_six", rule.fourSix, Choices<num::FourSix>(kFourSix));
  visitor.choice("four_six_error", rule.fourSixError,
                 Choices<num::FourSixError>(kFourSixErrors));
  visitor.number("outer_max", rule.outerMax);
  visitor.choice("outer_repr", rule.outerRepr,
                 Choices<num::OuterRepr>(kOuterReprs));
  visitor.choice("nonfinite", rule.nonfinite,
                 Choices<num::NonFinite>(kNonFinite));
  visitor.choice("neg_zero", rule.negZero,
                 Choices<num::NegativeZero>(kNegZero));
  visitor.choice("sf_zero", rule.sfZero, Choices<num::ZeroScale>(kZeroScales));
  visitor.choice("bits", key.sharing, Choices<num::RandomSharing>(kSharing));
  visitor.number("rounds", key.rounds);
  visitor.number("allow_clipping", rule.allowClipping);
  visitor.number("map_to", rule.mapTo);
  visitor.choice("overflow", rule.overflow, Choices<num::Overflow>(kOverflows));
}

template <typename Visitor>
void visitBlocked(Visitor &visitor, llvm::StringRef name, Blocked &blocked) {
  visitor.group(name, [&] {
    visitor.choice("element", blocked.element, getElementChoices());
    visitor.choice("scale", blocked.scale, getScaleChoices());
    visitor.number("outer", blocked.outer);
    visitor.numbers("block", blocked.blocking.block);
    visitor.numbers("outer_axes", blocked.blocking.outerAxes);
    visitor.choice("layout", blocked.layout, Choices<Layout>(kLayouts));
    visitor.number("group_axis", blocked.groupAxis);
    visitor.number("groups", blocked.groups);
  });
}

template <typename Visitor>
void visitOperand(Visitor &visitor, llvm::StringRef name, Operand &operand) {
  visitor.group(name, [&] {
    visitor.number("blocked", operand.isBlocked);
    if (operand.isBlocked)
      visitBlocked(visitor, "type", operand.blocked);
    else
      visitor.choice("dtype", operand.dtype,
                     Choices<num::FloatType>(kFloatTypes));
    visitor.number("batched", operand.isBatched);
    visitor.number("transposed", operand.isTransposed);
  });
}

template <typename Visitor>
void visitKey(Visitor &visitor, num::RandomKey &key) {
  visitor.number("seed", key.seed);
  visitor.number("stream", key.stream);
  visitor.number("step", key.step);
}

/// The attributes that count for the operation.
template <typename Visitor>
void visitAttributes(Visitor &visitor, Spec &spec) {
  auto rule = [&] {
    visitor.group("rule", [&] { visitRule(visitor, spec.rule, spec.key); });
  };
  auto dtype = [&] {
    visitor.choice("dtype", spec.dtype, Choices<num::FloatType>(kFloatTypes));
  };
  visitor.numbers("shape", spec.shape);
  switch (spec.op) {
  case OpKind::Quantize:
    dtype();
    visitBlocked(visitor, "result", spec.result);
    rule();
    visitor.choice("given", spec.given, Choices<Given>(kGiven));
    visitKey(visitor, spec.key);
    return;
  case OpKind::Dequantize:
    visitBlocked(visitor, "source", spec.source);
    dtype();
    return;
  case OpKind::Requantize:
    visitBlocked(visitor, "source", spec.source);
    visitor.numbers("permutation", spec.permutation);
    visitor.choice("outer", spec.requantOuter,
                   Choices<num::RequantOuter>(kRequantOuter));
    visitBlocked(visitor, "result", spec.result);
    rule();
    visitKey(visitor, spec.key);
    return;
  case OpKind::Transpose:
    visitBlocked(visitor, "source", spec.source);
    visitor.numbers("permutation", spec.permutation);
    return;
  case OpKind::ConvertLayout:
    visitBlocked(visitor, "source", spec.source);
    visitor.choice("layout", spec.result.layout, Choices<Layout>(kLayouts));
    return;
  case OpKind::Rht:
    dtype();
    visitor.number("axis", spec.axis);
    visitor.choice("normalization", spec.norm,
                   Choices<num::HadamardNorm>(kNorms));
    visitor.number("inverse", spec.inverse);
    visitor.numbers("signs", spec.signs);
    return;
  case OpKind::Amax:
    dtype();
    visitor.numbers("outer_axes", spec.result.blocking.outerAxes);
    visitor.choice("nonfinite", spec.rule.nonfinite,
                   Choices<num::NonFinite>(kNonFinite));
    return;
  case OpKind::Combine:
    visitBlocked(visitor, "source", spec.source);
    visitor.choice("gates", spec.gates, Choices<num::FloatType>(kFloatTypes));
    dtype();
    visitor.choice("normalization", spec.norm,
                   Choices<num::HadamardNorm>(kNorms));
    visitor.numbers("signs", spec.signs);
    return;
  case OpKind::Matmul:
  case OpKind::BatchMatmul:
  case OpKind::GroupedMatmul:
  case OpKind::KGroupedMatmul:
    visitOperand(visitor, "lhs", spec.lhs);
    visitOperand(visitor, "rhs", spec.rhs);
    visitor.number("init", spec.hasInit);
    dtype();
    return;
  case OpKind::Encode:
    visitor.choice("element", spec.element, getElementChoices());
    visitor.choice("round", spec.rule.round,
                   Choices<num::RoundingMode>(kRounds));
    visitor.choice("overflow", spec.overflow,
                   Choices<num::Overflow>(kOverflows));
    visitor.number("random_bits", spec.randomBits);
    return;
  case OpKind::Decode:
    visitor.choice("element", spec.element, getElementChoices());
    return;
  case OpKind::DecodeScale:
    visitor.choice("scale", spec.scale, getScaleChoices());
    return;
  case OpKind::EncodeScale:
    visitor.choice("round", spec.scaleRound,
                   Choices<num::NumberRound>(kNumberRounds));
    visitor.choice("overflow", spec.overflow,
                   Choices<num::Overflow>(kOverflows));
    return;
  case OpKind::BlockScale:
  case OpKind::OuterScale:
    visitBlocked(visitor, "result", spec.result);
    rule();
    return;
  case OpKind::Philox:
    visitor.number("rounds", spec.key.rounds);
    return;
  case OpKind::RandomBits:
    visitKey(visitor, spec.key);
    visitor.number("rounds", spec.key.rounds);
    visitor.choice("bits", spec.key.sharing,
                   Choices<num::RandomSharing>(kSharing));
    visitor.number("random_bits", spec.randomBits);
    return;
  }
}

} // namespace mlir::lowp::conformance

#endif // LOWP_CONFORMANCE_ATTRIBUTES_H
