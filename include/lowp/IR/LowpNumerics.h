//===- LowpNumerics.h - formats and rules of lib/Numerics -------*- C++ -*-===//
//
// Part of the lowp project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// From types and attributes of the dialect to the tables and structs of the
// scalar library. The one place where both vocabularies meet.
//
//===----------------------------------------------------------------------===//

#ifndef LOWP_IR_LOWPNUMERICS_H
#define LOWP_IR_LOWPNUMERICS_H

#include "lowp/IR/LowpAttributes.h"
#include "lowp/Numerics/Formats.h"
#include "lowp/Numerics/Hadamard.h"
#include "lowp/Numerics/Philox.h"
#include "lowp/Numerics/Scale.h"

namespace mlir::lowp {

/// The row of an element type, or null when `type` is none.
const ::lowp::numerics::ElementFormat *getElementFormat(Type type);

/// The row of a block scale type, or null when `type` is none.
const ::lowp::numerics::ScaleFormat *getScaleFormat(Type type);

::lowp::numerics::BlockFormat getBlockFormat(FormatAttr format);

::lowp::numerics::QuantRule getQuantRule(RuleAttr rule);

::lowp::numerics::RandomSharing getRandomSharing(RandomBits bits);
::lowp::numerics::NumberRound getNumberRound(NumberRound round);
::lowp::numerics::Overflow getOverflow(Overflow overflow);

::lowp::numerics::HadamardNorm getHadamardNorm(Normalization normalization);

} // namespace mlir::lowp

#endif // LOWP_IR_LOWPNUMERICS_H
