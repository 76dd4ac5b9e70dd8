//===- Measure.h - What quantising an operand loses -------------*- C++ -*-===//
//
// Part of the lowp project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef LOWP_AUTO_MEASURE_H
#define LOWP_AUTO_MEASURE_H

#include "lowp/IR/LowpAttributes.h"
#include "lowp/Numerics/Metrics.h"

namespace mlir::lowp {

/// Quantises `values` as `plan` says, with blocks along `dim`, and adds what is
/// lost to `sums`. Values that `offsets` group along `dim` are quantised group
/// by group; without offsets there are no groups. Stochastic rounding draws the
/// bits of seed, stream and step 0.
::lowp::numerics::Status
measureLoss(OperandPlanAttr plan, unsigned dim,
            const ::lowp::numerics::ConstFloatView &values,
            const ::lowp::numerics::Dims &offsets,
            ::lowp::numerics::SqnrSums &sums);

bool hasFiniteValuesOnly(const ::lowp::numerics::ConstFloatView &values);

/// Bits of `rows` x `columns` bf16 numbers of the normal distribution, always
/// the same ones.
std::vector<uint16_t> getNormalValues(int64_t rows, int64_t columns);

} // namespace mlir::lowp

#endif // LOWP_AUTO_MEASURE_H
