//===- Scale.h - Block and outer scales -------------------------*- C++ -*-===//
//
// Part of the Lowp project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// From the largest magnitude of a block or group to its scale, and back.
/// `fl()` below is one FP32 rounding. The UE8M0 functions are integer code;
/// the others do FP32 arithmetic and expect a ScopedFloatEnvironment.
///
/// Sources: OCP Microscaling Formats v1.0 section 6.3 (floor); MXFP8 recipes,
/// arXiv 2506.08027 (rceil); NVFP4 pretraining, arXiv 2509.25149 (two levels);
/// Four Over Six, arXiv 2512.02010; TransformerEngine, torchao and
/// compressed-tensors for the orders that carry their names.
///
//===----------------------------------------------------------------------===//

#ifndef LOWP_NUMERICS_SCALE_H
#define LOWP_NUMERICS_SCALE_H

#include "lowp/Numerics/Element.h"
#include "lowp/Numerics/Formats.h"

namespace lowp::numerics {

//===----------------------------------------------------------------------===//
// UE8M0
//===----------------------------------------------------------------------===//

/// Scale byte for a block of `format` whose largest magnitude is `amax`,
/// 0..254; 0xFF for a NaN or infinite amax. The sign of amax is ignored.
///   rceil: smallest b with amax <= max * 2^(b-127)
///   floor: floor(log2(amax)) - emax + 127
///   ceil:  ceil(log2(amax)) - emax + 127
///   even:  floor(log2(amax + half an element ulp, carried in FP32 bits)) - ...
uint8_t ue8m0FromAmax(const ElementFormat &format, ScaleRule rule, float amax);

/// 2^(b-127); NaN for 0xFF. Byte 0 is the FP32 subnormal 0x00400000.
float decodeUE8M0(uint8_t byte);
/// 2^(127-b), exactly; NaN for 0xFF. Byte 254 gives the subnormal 2^-127.
float reciprocalUE8M0(uint8_t byte);

/// How a number (not the amax of a block) is rounded to a scale.
enum class NumberRound : uint8_t { Nearest, TowardZero, Up };

/// Nearest goes to the even byte on ties. The sign is dropped; 0 becomes byte
/// 0, NaN 0xFF. Above 2^127: 254 under Saturate (infinity too), else 0xFF.
uint8_t encodeUE8M0(float value, NumberRound round,
                    Overflow overflow = Overflow::Saturate);

//===----------------------------------------------------------------------===//
// SmallFloat scales (UE4M3)
//===----------------------------------------------------------------------===//

/// Scale code of a number; the sign is dropped, NaN gives the NaN code. Beyond
/// the largest scale: that one under Saturate (infinity too), else NaN.
uint8_t encodeSmallFloatScale(const ScaleFormat &format, float value,
                              NumberRound round = NumberRound::Nearest,
                              Overflow overflow = Overflow::Saturate);

/// Byte of a number under either one-byte kind.
uint8_t encodeScaleByte(const ScaleFormat &format, float value,
                        NumberRound round, Overflow overflow);

/// Value of a scale byte of either one-byte kind. NaN for the NaN codes, and
/// for SmallFloat bytes with the sign bit set.
float decodeScaleByte(const ScaleFormat &format, uint8_t byte);

/// The NaN byte of a one-byte scale, 0xFF or 0x7F.
uint8_t nanScaleByte(const ScaleFormat &format);

//===----------------------------------------------------------------------===//
// Outer scales
//===----------------------------------------------------------------------===//

/// FP32 scale of an outer group.
struct OuterScale {
  /// S_enc: values are multiplied by it before they meet the block scales.
  float encode = 1.0f;
  /// S_dec: what is stored.
  float decode = 1.0f;
  /// Largest magnitude of the group, where it is known.
  float amax = 0.0f;
  bool amaxKnown = false;

  /// The group holds a NaN or an infinity (or was given such a scale): the
  /// stored scale is NaN, so are all block scales, and the codes are zero.
  bool lost() const { return isNan(decode); }
};

/// What the largest magnitude of a block is mapped to: rule.mapTo, or by
/// default max(element).
float mappedMax(const BlockFormat &format, const QuantRule &rule);

/// M: rule.outerMax, or by default
///   SmallFloat scales: mappedMax * max(scale), 2688 for NVFP4; with a 4/6
///   choice max(element) * 2^floor(log2(max(scale))), 1536, so that 1.5 times
///   the top scale is still a scale;
///   UE8M0 scales: max(element).
float outerMax(const BlockFormat &format, const QuantRule &rule);

/// Outer scale of a group by its largest magnitude (the sign is ignored):
///   S_enc = min(fl(M / amax), FLT_MAX), S_dec = fl(1 / S_enc); amax 0: both 1
///   pow2:               S_dec = smallest 2^k with amax <= M * 2^k, k in
///                       [-149, 127]; S_enc = min(fl(1 / S_dec), FLT_MAX)
///   sf_round = up:      S_dec = smallest FP32 with amax <= M * S_dec
///   torchao:            S_dec = fl(amax / M)
///   compressed_tensors: the stored scale is
///                       S_enc = min(fl(M / max(amax, 2^-126)), FLT_MAX)
/// A NaN or infinite amax gives a lost group.
OuterScale outerFromAmax(const BlockFormat &format, const QuantRule &rule,
                         float amax);

/// Outer scale of a group whose S_dec is given: S_enc = min(fl(1/S_dec),
/// FLT_MAX). NaN, infinite, zero or negative gives a lost group.
OuterScale outerFromDecode(float decode);

/// Smallest FP32 number s with amax <= divisor * s, compared exactly. Both are
/// finite, amax >= 0 and divisor > 0; the result is FLT_MAX where none serves.
float smallestScale(float amax, float divisor);

//===----------------------------------------------------------------------===//
// Block scales of a rule
//===----------------------------------------------------------------------===//

/// How the values of one block become what the element encoder sees:
/// fl(fl(x * pre) * factor), or fl(x / factor) where `divide` is set. A zero
/// stays what it is, under an infinite factor too.
struct BlockScale {
  /// Stored scale: the byte of a one-byte scale, or the FP32 number.
  uint8_t byte = 0;
  float value = 0.0f;
  float pre = 1.0f;
  float factor = 0.0f;
  bool divide = false;
  /// Codes are zero whatever the (finite) values: the scale is zero.
  bool zeroCodes = false;

  float apply(float x) const;
};

/// Scale of a block by its largest (finite) magnitude. With `four` the
/// 4-candidate of a 4/6 choice: the base times 1.5.
BlockScale blockScale(const BlockFormat &format, const QuantRule &rule,
                      float amax, const OuterScale &outer, bool four = false);

/// The scale of any block: where it holds a NaN or an infinity (by its amax),
/// or its group does, NaN with codes that are zero.
BlockScale anyBlockScale(const BlockFormat &format, const QuantRule &rule,
                         float amax, const OuterScale &outer,
                         bool four = false);

/// The same for a stored scale: what encoding under it multiplies by.
/// SmallFloat: min(fl(1 / fl(scale * S_dec)), FLT_MAX).
BlockScale blockScaleFromByte(const BlockFormat &format, const QuantRule &rule,
                              uint8_t byte, const OuterScale &outer);

} // namespace lowp::numerics

#endif // LOWP_NUMERICS_SCALE_H
