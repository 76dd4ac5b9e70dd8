//===- Contract.h - Reference contraction of plain and blocked operands --*- C++
//-*-===//
//
// Part of the Lowp project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// The order of operations of a contraction on the CPU. Tensor cores agree with
/// it within the bound of docs/spec.md.
///
//===----------------------------------------------------------------------===//

#ifndef LOWP_NUMERICS_CONTRACT_H
#define LOWP_NUMERICS_CONTRACT_H

#include "lowp/Numerics/Quantize.h"
#include <optional>

namespace lowp::numerics {

/// An operand of a contraction: a plain tensor, or a blocked one (format,
/// blocking, shape, data). Its dims are the batch axes, one free axis and one
/// contraction axis, in any order.
struct ContractOperand {
  ConstFloatView plain;

  const BlockFormat *format = nullptr;
  Blocking blocking;
  Dims shape;
  ConstBlockedData data;

  std::vector<unsigned> batchAxes;
  unsigned freeAxis = 0;
  unsigned contractionAxis = 1;

  bool blocked() const { return format != nullptr; }
  const Dims &dims() const { return blocked() ? shape : plain.shape; }
};

/// result[batch..., m, n] = sum over k of lhs[batch, m, k] * rhs[batch, n, k]:
///
///   acc = +0; per block of k, ascending:
///     p = +0; per k of the block, ascending: p = fl(p + fl(a * b))
///     acc = fl(acc + fl(p * fl(sx * sw)))
///   result = fl(fl(S_dec_x * S_dec_w) * acc), plus init where there is one
///
/// A block is the smaller one of the two operands' blocks (one size must
/// divide the other). A plain operand has scale 1; where both are plain,
/// acc = fl(acc + fl(a * b)). A missing outer scale is 1, two missing ones are
/// not multiplied by. Refused: a blocked operand with an outer axis along k,
/// blocks along any other dim than k (tiles along k and the free axis are
/// accepted), shapes that do not agree. With an empty k the sum is +0.
Status contract(const ContractOperand &lhs, const ContractOperand &rhs,
                const FloatView &result,
                const std::optional<ConstFloatView> &init = std::nullopt);

} // namespace lowp::numerics

#endif // LOWP_NUMERICS_CONTRACT_H
