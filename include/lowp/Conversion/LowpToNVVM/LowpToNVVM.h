//===- LowpToNVVM.h - Hardware forms of block operations --------*- C++ -*-===//
//
// Part of the Lowp project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef LOWP_CONVERSION_LOWPTONVVM_LOWPTONVVM_H
#define LOWP_CONVERSION_LOWPTONVVM_LOWPTONVVM_H

#include "mlir/IR/PatternMatch.h"

namespace mlir::lowp {
class TargetInfo;

/// Adds the form in instructions of `target` for every block-level operation
/// that has one there. What these patterns leave is for
/// `populateLowpToArithPatterns`, added with a lower benefit.
void populateLowpToNVVMPatterns(RewritePatternSet &patterns,
                                const TargetInfo &target,
                                PatternBenefit benefit = 2);

} // namespace mlir::lowp

#endif // LOWP_CONVERSION_LOWPTONVVM_LOWPTONVVM_H
