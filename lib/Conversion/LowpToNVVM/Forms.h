//===- Forms.h - Which block operations have instructions -------*- C++ -*-===//
//
// Part of the Lowp project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef LOWP_LIB_CONVERSION_LOWPTONVVM_FORMS_H
#define LOWP_LIB_CONVERSION_LOWPTONVVM_FORMS_H

#include "lowp/IR/LowpOps.h"
#include "lowp/Target/TargetInfo.h"

#include "mlir/IR/ImplicitLocOpBuilder.h"
#include "mlir/IR/PatternMatch.h"

namespace mlir::lowp::nvvm {

/// The conversions of an element type.
struct ElementForms {
  PTXFeature encode;
  PTXFeature decode;
  /// With random bits; none for S2F6.
  std::optional<PTXFeature> encodeStochastic;
};

/// None for types that no GPU converts.
std::optional<ElementForms> getElementForms(Type element);

/// The random words of an encoding, where they are laid out as the stochastic
/// conversions take them; null for nearest rounding, too.
Value getHardwareRandomWords(EncodeOp op);

/// The instruction that is the hardware form of a block operation; none where
/// no GPU has one.
std::optional<PTXFeature> getHardwareForm(Operation *op);

/// `asmString` without side effects: it may be merged, moved and deleted.
Value createInlineAsm(ImplicitLocOpBuilder &b, Type result, StringRef asmString,
                      StringRef constraints, ValueRange operands);

void populateElementPatterns(RewritePatternSet &patterns,
                             const TargetInfo &target, PatternBenefit benefit);
void populateScalePatterns(RewritePatternSet &patterns,
                           const TargetInfo &target, PatternBenefit benefit);

} // namespace mlir::lowp::nvvm

#endif // LOWP_LIB_CONVERSION_LOWPTONVVM_FORMS_H
