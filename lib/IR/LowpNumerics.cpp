//===- LowpNumerics.cpp - formats and rules of lib/Numerics ---------------===//
//
// Part of the lowp project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "lowp/IR/LowpNumerics.h"
#include "lowp/IR/LowpTypes.h"

#include "mlir/IR/BuiltinTypes.h"

#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;
using namespace mlir::lowp;
namespace numerics = ::lowp::numerics;

const numerics::ElementFormat *mlir::lowp::getElementFormat(Type type) {
  return llvm::TypeSwitch<Type, const numerics::ElementFormat *>(type)
      .Case([](Float4E2M1FNType) { return &numerics::kE2M1; })
      .Case([](Float6E2M3FNType) { return &numerics::kE2M3; })
      .Case([](Float6E3M2FNType) { return &numerics::kE3M2; })
      .Case([](Float8E4M3FNType) { return &numerics::kE4M3; })
      .Case([](Float8E5M2Type) { return &numerics::kE5M2; })
      .Case([](S2F6Type) { return &numerics::kS2F6; })
      .Default([](Type) { return nullptr; });
}

const numerics::ScaleFormat *mlir::lowp::getScaleFormat(Type type) {
  return llvm::TypeSwitch<Type, const numerics::ScaleFormat *>(type)
      .Case([](Float8E8M0FNUType) { return &numerics::kUE8M0; })
      .Case([](Float8E4M3FNType) { return &numerics::kUE4M3; })
      .Case([](Float32Type) { return &numerics::kFP32; })
      .Default([](Type) { return nullptr; });
}

numerics::BlockFormat mlir::lowp::getBlockFormat(FormatAttr format) {
  return {"", getElementFormat(format.getElementType()),
          getScaleFormat(format.getScaleType()), format.getOuter(),
          format.getDefaultBlockSize()};
}

// The enums of the dialect and of the library list the same cases in the same
// order.
template <typename To, typename From>
static To convertEnum(From value) {
  static_assert(std::is_enum_v<To> && std::is_enum_v<From>);
  return static_cast<To>(value);
}

template <typename To, typename From>
static constexpr bool sameCase(To to, From from) {
  return static_cast<uint32_t>(to) == static_cast<uint32_t>(from);
}
static_assert(sameCase(numerics::ScaleRule::RCeil, ScaleRule::Rceil) &&
              sameCase(numerics::ScaleRule::Floor, ScaleRule::Floor) &&
              sameCase(numerics::ScaleRule::Ceil, ScaleRule::Ceil) &&
              sameCase(numerics::ScaleRule::Even, ScaleRule::Even));
static_assert(sameCase(numerics::ScaleArith::Divide, SfArith::Divide) &&
              sameCase(numerics::ScaleArith::TE, SfArith::Te) &&
              sameCase(numerics::ScaleArith::TorchAO, SfArith::Torchao) &&
              sameCase(numerics::ScaleArith::CompressedTensors,
                       SfArith::CompressedTensors));
static_assert(sameCase(numerics::ScaleRound::RNE, SfRound::Rne) &&
              sameCase(numerics::ScaleRound::Up, SfRound::Up) &&
              sameCase(numerics::ScaleRound::Ceil, SfRound::Ceil));
static_assert(
    sameCase(numerics::RoundingMode::Nearest, ElementRound::Nearest) &&
    sameCase(numerics::RoundingMode::Stochastic, ElementRound::Stochastic) &&
    sameCase(numerics::RoundingMode::TowardZero, ElementRound::TowardZero));
static_assert(sameCase(numerics::Overflow::Saturate, Overflow::Saturate) &&
              sameCase(numerics::Overflow::NonFinite, Overflow::NonFinite));
static_assert(sameCase(numerics::NumberRound::Nearest, NumberRound::Nearest) &&
              sameCase(numerics::NumberRound::TowardZero,
                       NumberRound::TowardZero) &&
              sameCase(numerics::NumberRound::Up, NumberRound::Up));
static_assert(sameCase(numerics::FourSix::None, FourSix::None) &&
              sameCase(numerics::FourSix::MSE, FourSix::Mse) &&
              sameCase(numerics::FourSix::MAE, FourSix::Mae) &&
              sameCase(numerics::FourSix::AbsMax, FourSix::Absmax));
static_assert(sameCase(numerics::FourSixError::Scaled, FourSixError::Scaled) &&
              sameCase(numerics::FourSixError::Dequantized,
                       FourSixError::Dequantized));
static_assert(sameCase(numerics::OuterRepr::DecodeF32, OuterRepr::DecodeF32) &&
              sameCase(numerics::OuterRepr::Pow2, OuterRepr::Pow2));
static_assert(sameCase(numerics::NonFinite::Propagate, NonFinite::Propagate) &&
              sameCase(numerics::NonFinite::Saturate, NonFinite::Saturate));
static_assert(sameCase(numerics::NegativeZero::Keep, NegZero::Keep) &&
              sameCase(numerics::NegativeZero::Drop, NegZero::Drop));
static_assert(sameCase(numerics::ZeroScale::ZeroCodes, SfZero::ZeroCodes) &&
              sameCase(numerics::ZeroScale::KeepCodes, SfZero::KeepCodes));
static_assert(sameCase(numerics::RandomSharing::Hardware, RandomBits::Shared) &&
              sameCase(numerics::RandomSharing::Independent,
                       RandomBits::Independent));
static_assert(sameCase(numerics::HadamardNorm::Dyadic, Normalization::Dyadic) &&
              sameCase(numerics::HadamardNorm::Orthonormal,
                       Normalization::Orthonormal));

numerics::QuantRule mlir::lowp::getQuantRule(RuleAttr rule) {
  numerics::QuantRule result;
  result.scale = convertEnum<numerics::ScaleRule>(rule.getScale());
  result.sfArith = convertEnum<numerics::ScaleArith>(rule.getSfArith());
  result.sfRound = convertEnum<numerics::ScaleRound>(rule.getSfRound());
  result.round = convertEnum<numerics::RoundingMode>(rule.getRound());
  result.fourSix = convertEnum<numerics::FourSix>(rule.getFourSix());
  result.fourSixError =
      convertEnum<numerics::FourSixError>(rule.getFourSixError());
  result.outerMax = static_cast<float>(rule.getOuterMax());
  result.outerRepr = convertEnum<numerics::OuterRepr>(rule.getOuterRepr());
  result.nonfinite = convertEnum<numerics::NonFinite>(rule.getNonFinite());
  result.negZero = convertEnum<numerics::NegativeZero>(rule.getNegZero());
  result.sfZero = convertEnum<numerics::ZeroScale>(rule.getSfZero());
  result.srBits = static_cast<uint8_t>(rule.getSrBits());
  result.allowClipping = rule.getAllowClipping();
  result.mapTo = static_cast<float>(rule.getMapTo());
  result.overflow = convertEnum<numerics::Overflow>(rule.getOverflow());
  return result;
}

numerics::RandomSharing mlir::lowp::getRandomSharing(RandomBits bits) {
  return convertEnum<numerics::RandomSharing>(bits);
}

numerics::NumberRound mlir::lowp::getNumberRound(NumberRound round) {
  return convertEnum<numerics::NumberRound>(round);
}

numerics::Overflow mlir::lowp::getOverflow(Overflow overflow) {
  return convertEnum<numerics::Overflow>(overflow);
}

numerics::HadamardNorm
mlir::lowp::getHadamardNorm(Normalization normalization) {
  return convertEnum<numerics::HadamardNorm>(normalization);
}
