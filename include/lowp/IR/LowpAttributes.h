//===- LowpAttributes.h - formats, rules, sites and plans -*- C++ -*-===//
//
// Part of the lowp project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef LOWP_IR_LOWPATTRIBUTES_H
#define LOWP_IR_LOWPATTRIBUTES_H

#include "mlir/IR/Attributes.h"
#include "mlir/IR/BuiltinAttributes.h"
#include "mlir/IR/OpImplementation.h"

#include <optional>

#include "lowp/IR/LowpEnums.h.inc"

namespace mlir::lowp {

/// The fields of a `#lowp.rule`, with their defaults.
struct RuleFields {
  ScaleRule scale = ScaleRule::Rceil;
  SfArith sfArith = SfArith::Divide;
  SfRound sfRound = SfRound::Rne;
  ElementRound round = ElementRound::Nearest;
  FourSix fourSix = FourSix::None;
  FourSixError fourSixError = FourSixError::Scaled;
  /// M of the outer scale; 0 means the default of the format and of 4/6.
  int64_t outerMax = 0;
  OuterRepr outerRepr = OuterRepr::DecodeF32;
  NonFinite nonFinite = NonFinite::Propagate;
  NegZero negZero = NegZero::Keep;
  SfZero sfZero = SfZero::ZeroCodes;
  RandomBits bits = RandomBits::Shared;
  int64_t rounds = 10;
  /// Random bits of an element; 0 means the default of its type.
  int64_t srBits = 0;
  bool allowClipping = false;
  /// What the largest magnitude of a block is mapped to; 0 means the largest
  /// value of the element.
  int64_t mapTo = 0;
  Overflow overflow = Overflow::Saturate;
};

} // namespace mlir::lowp

#define GET_ATTRDEF_CLASSES
#include "lowp/IR/LowpAttributes.h.inc"

namespace mlir::lowp {

/// Whether elements of blocks can be of `type`.
bool isElementType(Type type);
/// Those types, for messages: "f4E2M1FN, ... or !lowp.s2f6".
llvm::StringRef getElementTypeList();

/// Whether there is a Hadamard transform of `size` elements.
bool isTransformSize(int64_t size);

/// Whether every field of `rule` that is not at its default has a meaning for
/// `format`, and stochastic rounding meets a scale that does not clip. The
/// message begins with "expects"; `emitError` may have written what expects.
llvm::LogicalResult
verifyRuleForFormat(llvm::function_ref<InFlightDiagnostic()> emitError,
                    RuleAttr rule, FormatAttr format);

/// The dims that index the outer scale of a contraction operand of `rank` dims,
/// ascending: `per_token` takes every dim but the contraction dim, `per_expert`
/// the dims in front of the matrix, the others none.
llvm::SmallVector<int64_t> getOuterAxes(OuterGranularity outer, int64_t rank,
                                        int64_t contractionDim);

} // namespace mlir::lowp

#endif // LOWP_IR_LOWPATTRIBUTES_H
