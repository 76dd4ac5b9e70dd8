//===- Probe.h - A program that computes operands of sites ------*- C++ -*-===//
//
// Part of the lowp project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef LOWP_AUTO_PROBE_H
#define LOWP_AUTO_PROBE_H

#include "lowp/IR/LowpAttributes.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"

#include "llvm/ADT/BitVector.h"

namespace mlir::lowp {

/// The arguments of `function` from which alone the weights of its sites
/// follow.
llvm::BitVector getWeightArguments(func::FuncOp function);

/// A function that returns operands of sites.
struct Probe {
  /// Of its arguments, the numbers before.
  SmallVector<unsigned> arguments;
  /// The sites that read a result, by name, and on which side; and those whose
  /// operands it groups along the contracted dim.
  struct Result {
    SmallVector<std::pair<std::string, Side>, 1> readers;
    SmallVector<std::string, 1> grouped;
  };
  std::vector<Result> results;
};

/// Turns `function`, of one block, into one that returns the floating-point
/// operands of its sites that follow from constants and the arguments `given`,
/// and the offsets of groups where sites contract by groups.
/// Everything else in it is erased, with the arguments that are not needed.
Probe makeProbe(func::FuncOp function, const llvm::BitVector &given);

} // namespace mlir::lowp

#endif // LOWP_AUTO_PROBE_H
