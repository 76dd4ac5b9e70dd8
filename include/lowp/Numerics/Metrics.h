//===- Metrics.h - Error measures -------------------------------*- C++ -*-===//
//
// Part of the Lowp project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// Measures for reports and tests, in double precision.
///
//===----------------------------------------------------------------------===//

#ifndef LOWP_NUMERICS_METRICS_H
#define LOWP_NUMERICS_METRICS_H

#include "lowp/Numerics/Views.h"

namespace lowp::numerics {

/// Sums of a signal-to-quantisation-noise ratio. May be fed piece by piece.
struct SqnrSums {
  double signal = 0.0;
  double noise = 0.0;

  void add(double reference, double actual) {
    double error = reference - actual;
    signal += reference * reference;
    noise += error * error;
  }

  /// 10 log10(signal / noise): +infinity where there is no error (0 of 0
  /// included), -infinity for an error on a zero signal, NaN where a value was
  /// not finite.
  double db() const;
};

double sqnrDb(const float *reference, const float *actual, int64_t count);

/// The same over two views of one shape.
double sqnrDb(const ConstFloatView &reference, const ConstFloatView &actual);

} // namespace lowp::numerics

#endif // LOWP_NUMERICS_METRICS_H
