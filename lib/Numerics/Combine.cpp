//===- Combine.cpp - Gated sums of what experts sent ----------------------===//
//
// Part of the Lowp project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "lowp/Numerics/Combine.h"
#include <algorithm>
#include <cmath>

namespace lowp::numerics {

Status combine(const ConstFloatView &values, const ConstFloatView &gates,
               const CombineTransform *transform, const FloatView &result) {
  if (values.shape.size() != 3)
    return Status::error("expects values of rank 3, but got " +
                         std::to_string(values.shape.size()));
  int64_t experts = values.shape[0], tokens = values.shape[1],
          hidden = values.shape[2];
  if (gates.shape != Dims{experts, tokens} ||
      result.shape != Dims{tokens, hidden})
    return Status::error("expects gates of experts and tokens, and a result of "
                         "tokens of the values");
  int64_t size =
      transform ? static_cast<int64_t>(transform->signs.size()) : hidden;
  if (transform && (!isHadamardSize(size) || hidden % size != 0))
    return Status::error("expects a hidden dim that is a multiple of a "
                         "transform size, but got " +
                         std::to_string(hidden) + " and " +
                         std::to_string(size));

  ScopedFloatEnvironment environment;
  std::vector<float> sum(static_cast<size_t>(hidden));
  for (int64_t token = 0; token < tokens; ++token) {
    std::fill(sum.begin(), sum.end(), 0.0f);
    for (int64_t expert = 0; expert < experts; ++expert) {
      float gate =
          loadAt(gates, expert * gates.strides[0] + token * gates.strides[1]);
      if (gate == 0.0f)
        continue;
      int64_t from = expert * values.strides[0] + token * values.strides[1];
      for (int64_t i = 0; i < hidden; ++i)
        sum[i] = std::fma(gate, loadAt(values, from + i * values.strides[2]),
                          sum[i]);
    }
    if (transform)
      for (int64_t start = 0; start < hidden; start += size)
        hadamardBlock(sum.data() + start, size, transform->signs.data(),
                      transform->norm, /*inverse=*/true);
    for (int64_t i = 0; i < hidden; ++i)
      storeAt(result, token * result.strides[0] + i * result.strides[1],
              sum[i]);
  }
  return Status::success();
}

} // namespace lowp::numerics
