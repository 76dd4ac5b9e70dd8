//===- Patterns.h - patterns of the generic expansion -----------*- C++ -*-===//
//
// Part of the lowp project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef LOWP_LIB_CONVERSION_LOWPTOARITH_PATTERNS_H
#define LOWP_LIB_CONVERSION_LOWPTOARITH_PATTERNS_H

#include "mlir/IR/PatternMatch.h"

namespace mlir::lowp::expand {

void populateDotPairsPatterns(RewritePatternSet &patterns,
                              PatternBenefit benefit);
void populateElementPatterns(RewritePatternSet &patterns,
                             PatternBenefit benefit);
void populateScalePatterns(RewritePatternSet &patterns, PatternBenefit benefit);
void populateEncodeScalePatterns(RewritePatternSet &patterns,
                                 PatternBenefit benefit);
void populateErrorPatterns(RewritePatternSet &patterns, PatternBenefit benefit);
void populateHadamardPatterns(RewritePatternSet &patterns,
                              PatternBenefit benefit);
void populatePhiloxPatterns(RewritePatternSet &patterns,
                            PatternBenefit benefit);

} // namespace mlir::lowp::expand

#endif // LOWP_LIB_CONVERSION_LOWPTOARITH_PATTERNS_H
