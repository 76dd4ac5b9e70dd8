//===- Congruence.cpp - values that are computed alike -*- C++ -*-===//
//
// Part of the Lowp project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Congruence.h"

#include "mlir/Interfaces/SideEffectInterfaces.h"

using namespace mlir;
using namespace mlir::lowp;

bool Congruence::computeAlike(Operation *a, Operation *b) const {
  // Values of the regions, of `a` to those of `b`.
  DenseMap<Value, Value> nested;
  auto areEqual = [&](Value lhs, Value rhs) {
    return success(getLeader(lhs) == getLeader(rhs) ||
                   nested.lookup(lhs) == rhs);
  };
  auto markEqual = [&](Value lhs, Value rhs) { nested[lhs] = rhs; };
  return OperationEquivalence::isEquivalentTo(
      a, b, areEqual, markEqual, OperationEquivalence::IgnoreLocations);
}

Congruence::Congruence(FunctionOpInterface function) {
  if (function.isExternal())
    return;
  auto hashOperand = [&](Value operand) {
    return llvm::hash_code(
        DenseMapInfo<Value>::getHashValue(getLeader(operand)));
  };
  for (Block &block : function.getFunctionBody()) {
    DenseMap<size_t, SmallVector<Operation *, 1>> seen;
    for (Operation &op : block) {
      if (op.getNumResults() == 0 || !isMemoryEffectFree(&op))
        continue;
      SmallVector<Operation *, 1> &alike =
          seen[OperationEquivalence::computeHash(
              &op, hashOperand, OperationEquivalence::ignoreHashValue,
              OperationEquivalence::IgnoreLocations)];
      auto *first = llvm::find_if(
          alike, [&](Operation *other) { return computeAlike(&op, other); });
      if (first == alike.end()) {
        alike.push_back(&op);
        continue;
      }
      for (auto [result, leader] :
           llvm::zip_equal(op.getResults(), (*first)->getResults()))
        leaders[result] = leader;
    }
  }
}
