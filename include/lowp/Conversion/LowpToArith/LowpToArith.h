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

#include "mlir/IR/ImplicitLocOpBuilder.h"
#include "mlir/IR/PatternMatch.h"

#include <functional>

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

} // namespace mlir::lowp

#endif // LOWP_CONVERSION_LOWPTOARITH_LOWPTOARITH_H
