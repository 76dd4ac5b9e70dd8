//===- Congruence.h - values that are computed alike -*- C++ -*-===//
//
// Part of the Lowp project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A backward pass may compute activations again instead of keeping them. What
// is computed alike from the same values is one activation, whether CSE has run
// or not.
//
//===----------------------------------------------------------------------===//

#ifndef LOWP_LIB_TRANSFORMS_CONGRUENCE_H
#define LOWP_LIB_TRANSFORMS_CONGRUENCE_H

#include "mlir/Interfaces/FunctionInterfaces.h"

#include "llvm/ADT/DenseMap.h"

namespace mlir::lowp {

/// Which values of a function are equal because operations without effects
/// compute them alike. Values of nested regions stand for themselves.
class Congruence {
public:
  explicit Congruence(FunctionOpInterface function);

  /// One value for all that are equal to `value`: the first of them.
  Value getLeader(Value value) const {
    auto found = leaders.find(value);
    return found == leaders.end() ? value : found->second;
  }

private:
  bool computeAlike(Operation *a, Operation *b) const;

  DenseMap<Value, Value> leaders;
};

} // namespace mlir::lowp

#endif // LOWP_LIB_TRANSFORMS_CONGRUENCE_H
