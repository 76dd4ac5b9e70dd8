//===- Combine.h - Gated sums of what experts sent --------------*- C++ -*-===//
//
// Part of the Lowp project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// sum = +0; sum = fma(gate, value, sum) over the experts in ascending order,
/// those with a gate of zero left out; then one inverse Hadamard transform and
/// one rounding.
///
//===----------------------------------------------------------------------===//

#ifndef LOWP_NUMERICS_COMBINE_H
#define LOWP_NUMERICS_COMBINE_H

#include "lowp/Numerics/Hadamard.h"

namespace lowp::numerics {

/// The inverse transform of a combine; `signs` are as many as its size.
struct CombineTransform {
  std::vector<int8_t> signs;
  HadamardNorm norm = HadamardNorm::Dyadic;
};

/// Adds up `values`, a decoded payload [experts, tokens, hidden], times `gates`
/// [experts, tokens] into `result` [tokens, hidden]. `transform` is null where
/// there is none. Allocates the sum of one token.
Status combine(const ConstFloatView &values, const ConstFloatView &gates,
               const CombineTransform *transform, const FloatView &result);

} // namespace lowp::numerics

#endif // LOWP_NUMERICS_COMBINE_H
