//===- Metrics.cpp - Error measures ---------------------------------------===//
//
// Part of the Lowp project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "lowp/Numerics/Metrics.h"
#include "Indexing.h"
#include <cmath>
#include <limits>

namespace lowp::numerics {

double SqnrSums::db() const {
  if (noise == 0.0)
    return std::numeric_limits<double>::infinity();
  if (signal == 0.0)
    return -std::numeric_limits<double>::infinity();
  return 10.0 * std::log10(signal / noise);
}

double sqnrDb(const float *reference, const float *actual, int64_t count) {
  SqnrSums sums;
  for (int64_t i = 0; i < count; ++i)
    sums.add(reference[i], actual[i]);
  return sums.db();
}

double sqnrDb(const ConstFloatView &reference, const ConstFloatView &actual) {
  SqnrSums sums;
  if (numElements(reference.shape) == 0)
    return sums.db();
  Dims index(reference.shape.size(), 0);
  do {
    sums.add(loadAt(reference, dotProduct(index, reference.strides)),
             loadAt(actual, dotProduct(index, actual.strides)));
  } while (advance(index, reference.shape));
  return sums.db();
}

} // namespace lowp::numerics
