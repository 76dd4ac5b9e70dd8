//===- Formats.h - Element, scale and block formats as data -----*- C++ -*-===//
//
// Part of the Lowp project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// The tables of numeric formats, and the rule by which values are quantised.
/// A format is data: a new one is one row here. Nothing in the library asks a
/// format for its name.
///
/// The library is plain C++17: no LLVM, no exceptions, no global state. Integer
/// code decides every rounding; the few FP32 operations (products by scales,
/// quotients, sums) are each one IEEE operation in round-to-nearest-even, see
/// Environment.h.
///
/// Semantics: docs/spec.md. Sources of the formats: OCP Microscaling Formats
/// v1.0 (E2M1, E2M3, E3M2, E4M3, E5M2, UE8M0); PTX ISA 9.1, `cvt` (UE4M3,
/// S2F6).
///
//===----------------------------------------------------------------------===//

#ifndef LOWP_NUMERICS_FORMATS_H
#define LOWP_NUMERICS_FORMATS_H

#include <cstdint>
#include <string_view>

namespace lowp::numerics {

//===----------------------------------------------------------------------===//
// Elements
//===----------------------------------------------------------------------===//

enum class ElementKind : uint8_t {
  /// Sign, exponent, mantissa, from the top bit down.
  Float,
  /// Two's complement code, value = code * 2^-mantissaBits. The most negative
  /// code decodes but is never produced, so that encoding is odd.
  FixedPoint
};

/// Which codes of a float element are not finite.
enum class Specials : uint8_t {
  None,
  /// All ones is NaN, there is no infinity (the "fn" variants).
  NanOnly,
  /// The top exponent holds infinity and NaN, as in IEEE 754.
  InfAndNan
};

struct ElementFormat {
  const char *name;
  ElementKind kind;
  uint8_t codeBits;
  uint8_t exponentBits;
  uint8_t mantissaBits;
  uint8_t bias;
  Specials specials;
  /// Random bits per element of stochastic rounding, as hardware draws them.
  uint8_t randomBits;

  constexpr uint32_t signMask() const { return 1u << (codeBits - 1); }

  /// Code of the largest finite value, sign bit clear.
  constexpr uint32_t maxCode() const {
    switch (specials) {
    case Specials::None:
      return signMask() - 1;
    case Specials::NanOnly:
      return signMask() - 2;
    case Specials::InfAndNan:
      return (((1u << exponentBits) - 1) << mantissaBits) - 1;
    }
    return 0;
  }

  /// Code that a NaN input becomes: a NaN where the format has one, else the
  /// largest positive value (what the `cvt.satfinite` instructions give).
  constexpr uint32_t nanCode() const { return signMask() - 1; }

  /// Bits of a code in memory; codes of 4 bits are packed in pairs.
  constexpr unsigned storageBits() const { return codeBits == 4 ? 4 : 8; }
};

// clang-format off
inline constexpr ElementFormat kE2M1{"e2m1", ElementKind::Float,      4, 2, 1,  1, Specials::None,      8};
inline constexpr ElementFormat kE2M3{"e2m3", ElementKind::Float,      6, 2, 3,  1, Specials::None,      16};
inline constexpr ElementFormat kE3M2{"e3m2", ElementKind::Float,      6, 3, 2,  3, Specials::None,      16};
inline constexpr ElementFormat kE4M3{"e4m3", ElementKind::Float,      8, 4, 3,  7, Specials::NanOnly,   16};
inline constexpr ElementFormat kE5M2{"e5m2", ElementKind::Float,      8, 5, 2, 15, Specials::InfAndNan, 16};
inline constexpr ElementFormat kS2F6{"s2f6", ElementKind::FixedPoint, 8, 0, 6,  0, Specials::None,      16};
inline constexpr const ElementFormat *kElementFormats[] = {
    &kE2M1, &kE2M3, &kE3M2, &kE4M3, &kE5M2, &kS2F6};
// clang-format on

//===----------------------------------------------------------------------===//
// Block scales
//===----------------------------------------------------------------------===//

enum class ScaleKind : uint8_t {
  /// An exponent: byte b is 2^(b-127), 0xFF is NaN.
  PowerOfTwo,
  /// A non-negative small float; codes with the sign bit decode as NaN.
  SmallFloat,
  /// An FP32 number.
  Float32
};

struct ScaleFormat {
  const char *name;
  ScaleKind kind;
  /// The float of a SmallFloat scale, else null.
  const ElementFormat *element;
  uint8_t storageBytes;
};

// clang-format off
inline constexpr ScaleFormat kUE8M0{"ue8m0", ScaleKind::PowerOfTwo, nullptr, 1};
inline constexpr ScaleFormat kUE4M3{"ue4m3", ScaleKind::SmallFloat, &kE4M3,  1};
inline constexpr ScaleFormat kFP32 {"fp32",  ScaleKind::Float32,    nullptr, 4};
inline constexpr const ScaleFormat *kScaleFormats[] = {&kUE8M0, &kUE4M3, &kFP32};
// clang-format on

//===----------------------------------------------------------------------===//
// Block formats
//===----------------------------------------------------------------------===//

/// What is stored for a block-scaled value: codes, one scale per block, and,
/// where `outer` is set, one FP32 scale per outer group of blocks.
struct BlockFormat {
  const char *name;
  const ElementFormat *element;
  const ScaleFormat *scale;
  bool outer;
  /// Customary number of elements of a block along the contraction axis; a
  /// value may be blocked otherwise.
  int64_t blockSize;
};

// clang-format off
inline constexpr BlockFormat kBlockFormats[] = {
    {"nvfp4",      &kE2M1, &kUE4M3, true,  16},
    {"mxfp8_e4m3", &kE4M3, &kUE8M0, false, 32},
    {"mxfp8_e5m2", &kE5M2, &kUE8M0, false, 32},
    {"mxfp6_e2m3", &kE2M3, &kUE8M0, false, 32},
    {"mxfp6_e3m2", &kE3M2, &kUE8M0, false, 32},
    {"mxfp4",      &kE2M1, &kUE8M0, false, 32},
    {"mxs2f6",     &kS2F6, &kUE8M0, false, 32},
    {"fp8_block",  &kE4M3, &kFP32,  false, 128}};
// clang-format on

/// The row of that name, or null.
const ElementFormat *findElementFormat(std::string_view name);
const ScaleFormat *findScaleFormat(std::string_view name);
const BlockFormat *findBlockFormat(std::string_view name);

//===----------------------------------------------------------------------===//
// Rules
//===----------------------------------------------------------------------===//

/// How the exponent of a UE8M0 scale follows from the largest magnitude.
enum class ScaleRule : uint8_t { RCeil, Floor, Ceil, Even };

/// Order of operations from the largest magnitude to a SmallFloat scale, and
/// from a value to what is encoded.
enum class ScaleArith : uint8_t { Divide, TE, TorchAO, CompressedTensors };

/// Rounding of a SmallFloat or FP32 scale.
enum class ScaleRound : uint8_t {
  RNE,
  /// The smallest scale under which nothing clips.
  Up,
  /// The number that RNE rounds to nearest, rounded up instead. SmallFloat
  /// scales only; what was rounded on the way to that number may clip.
  Ceil
};

enum class RoundingMode : uint8_t { Nearest, Stochastic, TowardZero };

/// What becomes of a value that rounds beyond the largest finite one.
enum class Overflow : uint8_t {
  Saturate,
  /// Infinity where the format has one, else NaN, else the largest value; the
  /// sign is kept.
  NonFinite
};

/// Metric by which a block picks between mapping its largest magnitude to 6
/// or to 4 (Four Over Six, arXiv 2512.02010).
enum class FourSix : uint8_t { None, MSE, MAE, AbsMax };

enum class FourSixError : uint8_t { Scaled, Dequantized };

enum class OuterRepr : uint8_t { DecodeF32, Pow2 };

enum class NonFinite : uint8_t { Propagate, Saturate };

enum class NegativeZero : uint8_t {
  Keep,
  /// Code +0 where the scaled value is exactly -0: an input of -0, or one whose
  /// product with the scale underflows. A negative value that the element
  /// rounds to zero keeps its sign.
  Drop
};

/// Codes of a block whose SmallFloat scale is zero.
enum class ZeroScale : uint8_t {
  ZeroCodes,
  /// Encode with the largest finite multiplier.
  KeepCodes
};

/// How values are quantised. The format says what is stored; fields without a
/// meaning for a format are ignored by it (see `validate` in Quantize.h for
/// combinations that are refused).
struct QuantRule {
  ScaleRule scale = ScaleRule::RCeil;
  ScaleArith sfArith = ScaleArith::Divide;
  ScaleRound sfRound = ScaleRound::RNE;
  RoundingMode round = RoundingMode::Nearest;
  FourSix fourSix = FourSix::None;
  FourSixError fourSixError = FourSixError::Scaled;
  /// M, the magnitude that the largest value of an outer group is mapped to;
  /// 0 for the default, see `outerMax` in Scale.h.
  float outerMax = 0.0f;
  OuterRepr outerRepr = OuterRepr::DecodeF32;
  NonFinite nonfinite = NonFinite::Propagate;
  NegativeZero negZero = NegativeZero::Keep;
  ZeroScale sfZero = ZeroScale::ZeroCodes;
  /// Random bits per element; 0 for what the element's hardware form draws.
  uint8_t srBits = 0;
  /// Accept stochastic rounding under a scale that can clip.
  bool allowClipping = false;
  /// What the largest magnitude of a block is mapped to under SmallFloat and
  /// FP32 scales; 0 for the element's largest value.
  float mapTo = 0.0f;
  Overflow overflow = Overflow::Saturate;
};

struct RulePreset {
  const char *name;
  QuantRule rule;
};

/// What other implementations do, bit for bit: `te`, `te_four_six`,
/// `fouroversix`, `torchao`, `compressed_tensors`, `ocp`; and `default`.
/// Null where there is no such preset.
const QuantRule *findRulePreset(std::string_view name);

} // namespace lowp::numerics

#endif // LOWP_NUMERICS_FORMATS_H
