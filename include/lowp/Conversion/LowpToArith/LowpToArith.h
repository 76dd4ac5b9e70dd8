//===- LowpToArith.h - generic expansion of block operations ----*- C++ -*-===//
//
// Part of the lowp project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef LOWP_CONVERSION_LOWPTOARITH_LOWPTOARITH_H
#define LOWP_CONVERSION_LOWPTOARITH_LOWPTOARITH_H

#include "mlir/IR/PatternMatch.h"

namespace mlir::lowp {

/// Adds the expansion of every block-level operation into arith, math and
/// vector. A conversion for a target adds its own forms with a higher benefit
/// and gets these for what the target lacks.
void populateLowpToArithPatterns(RewritePatternSet &patterns,
                                 PatternBenefit benefit = 1);

} // namespace mlir::lowp

#endif // LOWP_CONVERSION_LOWPTOARITH_LOWPTOARITH_H
