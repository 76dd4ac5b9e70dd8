//===- LowpToArith.h - generic expansion of block operations ----*- C++ -*-===//
//
// Part of the lowp project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef LOWP_CONVERSION_LOWPTOARITH_LOWPTOARITH_H
#define LOWP_CONVERSION_LOWPTOARITH_LOWPTOARITH_H

#include "lowp/Numerics/Formats.h"

#include "lowp/IR/LowpAttributes.h"

#include "mlir/IR/ImplicitLocOpBuilder.h"
#include "mlir/IR/PatternMatch.h"

#include <array>
#include <functional>
#include <optional>

namespace mlir::lowp {

/// Adds the expansion of every block-level operation into arith, math and
/// vector. A conversion for a target adds its own forms with a higher benefit
/// and gets these for what the target lacks.
void populateLowpToArithPatterns(RewritePatternSet &patterns,
                                 PatternBenefit benefit = 1);

/// How a target rounds to the numbers that a block scale can be. A form that is
/// null, or gives null, leaves the generic one.
struct ScaleForms {
  /// The UE8M0 byte of a block by its largest magnitude, as an i32: 0 to 254
  /// for finite numbers that are not negative, anything for others.
  std::function<Value(ImplicitLocOpBuilder &, Value amax,
                      const ::lowp::numerics::ElementFormat &,
                      ::lowp::numerics::ScaleRule)>
      powerOfTwo;
  /// Code, as an i32, and value of the nearest number of a float format, for
  /// numbers that are not negative: the largest one for what lies above, and
  /// anything for NaN.
  std::function<std::pair<Value, Value>(
      ImplicitLocOpBuilder &, Value number,
      const ::lowp::numerics::ElementFormat &)>
      smallFloat;
};

/// Adds the expansion of `lowp.block_scale` with forms of a target in it.
void populateBlockScalePatterns(RewritePatternSet &patterns, ScaleForms forms,
                                PatternBenefit benefit);

/// `lowp.encode` of bf16 values times the factor of a UE8M0 block scale, by
/// integers of 16 bits: as many elements fit a register as there are bf16 in
/// it. Bits are those of the product in FP32 and its encoding.
class BF16Encoding {
public:
  /// Nothing where `rule` or the format needs more than integers give. With
  /// `inFP16` numbers are rounded by arithmetic in FP16 where that holds them.
  static std::optional<BF16Encoding> get(FormatAttr format, RuleAttr rule,
                                         bool inFP16);

  /// Whether this holds for blocks with these largest magnitudes, FP32 numbers
  /// of any shape: not for NaN, infinity, and what comes close to the smallest
  /// numbers.
  Value isExact(ImplicitLocOpBuilder &b, Value amax) const;

  /// What `encode` subtracts for blocks with these scale bytes, one i32 each:
  /// the same i16 in both halves.
  Value offsets(ImplicitLocOpBuilder &b, Value scales) const;

  /// Codes of the bits of bf16 values, in the high byte of each i16; the low
  /// byte has no meaning. Rounds to nearest.
  Value encode(ImplicitLocOpBuilder &b, Value bits, Value offsets) const;

  /// The same with stochastic rounding by 16 random bits, of which `random` has
  /// the upper 8 in the high byte of each i16. The second result, per element,
  /// is zero where the code is right: not for the tiniest numbers.
  std::pair<Value, Value> encodeStochastic(ImplicitLocOpBuilder &b, Value bits,
                                           Value offsets, Value bounds,
                                           Value random) const;
  /// What it compares with, of the same type as `offsets`.
  Value bounds(ImplicitLocOpBuilder &b, Value offsets) const;

private:
  BF16Encoding(const ::lowp::numerics::ElementFormat &format, bool clips,
               bool stochastic, bool inFP16)
      : format(format), clips(clips), stochastic(stochastic), inFP16(inFP16) {}

  /// The exponent field that the smallest normal number of the format gets.
  int64_t normalField() const;
  /// The smallest that a number other than zero may have, where random bits are
  /// added to it.
  int64_t leastField() const;
  /// The smallest scale byte under which that is a subtraction.
  int64_t minScale() const { return normalField() + format.bias - 1; }

  ::lowp::numerics::ElementFormat format;
  /// Whether a scale may clip.
  bool clips;
  bool stochastic;
  bool inFP16;
};

/// `lowp.encode` of magnitudes to codes of 4 bits, eight in a word: for those
/// that do not clip, so that sign and magnitude go ways of their own.
class PackedEncoding {
public:
  /// Nothing where `rule` or the format needs more. With `dotPairs`, codes come
  /// from `lowp.dot_pairs`, in fewer operations where that is one.
  static std::optional<PackedEncoding> get(FormatAttr format, RuleAttr rule,
                                           bool dotPairs);

  /// Whether magnitudes, FP32 numbers of any shape, are among those: not NaN,
  /// and nothing that rounds beyond the largest value.
  Value isInRange(ImplicitLocOpBuilder &b, Value magnitudes) const;

  /// Rounds to the nearest values of the format, ties to even codes. Gives
  /// these as `digits` takes them: under 4/6, which measures them, divided by
  /// `getScaleOfValues`, which is a power of two.
  Value round(ImplicitLocOpBuilder &b, Value magnitudes) const;

  float getScaleOfValues() const;

  /// Eight rounded values in an i32, the first in the low bits.
  Value digits(ImplicitLocOpBuilder &b, ArrayRef<Value> rounded) const;
  /// What `digits` gives, as eight codes.
  Value codes(ImplicitLocOpBuilder &b, Value digits) const;
  /// The signs of two words of eight codes each, for `addSigns`: those of eight
  /// words of two bf16 each.
  std::array<Value, 2> signs(ImplicitLocOpBuilder &b,
                             ArrayRef<Value> pairs) const;
  /// `valid`, one i1 per block unless null: where not, signs are positive.
  Value addSigns(ImplicitLocOpBuilder &b, Value codes, Value signs,
                 Value valid) const;

private:
  PackedEncoding(const ::lowp::numerics::ElementFormat &format, bool dotPairs)
      : format(format), dotPairs(dotPairs) {}

  Value roundToSum(ImplicitLocOpBuilder &b, Value magnitudes) const;
  Value codesOfSums(ImplicitLocOpBuilder &b, ArrayRef<Value> sums) const;

  ::lowp::numerics::ElementFormat format;
  bool dotPairs;
};

/// `lowp.block_error` of a batch, one element after the other: few need to be
/// there at a time.
class BlockErrorSum {
public:
  BlockErrorSum(FormatAttr format, RuleAttr rule, bool givenScale, Value scale,
                Value outer)
      : format(format), rule(rule), givenScale(givenScale), scale(scale),
        outer(outer) {}

  /// Adds the next element: its value in the source, and what its code stands
  /// for. Both may have lost their signs, for the error is odd in them.
  void add(ImplicitLocOpBuilder &b, Value source, Value code);
  /// The error, after the last element.
  Value get(ImplicitLocOpBuilder &b) const;

private:
  FormatAttr format;
  RuleAttr rule;
  bool givenScale;
  Value scale;
  Value outer;
  /// Of the even and the odd elements, where the rule sums them apart.
  std::array<Value, 2> sums;
  int64_t count = 0;
};

} // namespace mlir::lowp

#endif // LOWP_CONVERSION_LOWPTOARITH_LOWPTOARITH_H
