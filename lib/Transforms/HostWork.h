//===- HostWork.h - What the host of a GPU does itself ----------*- C++ -*-===//
//
// Part of the Lowp project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Parts of lowp-lower-kernels: which operations are work for the host, what it
// reads from the device, and how it learns of assertions that kernels check.
//
//===----------------------------------------------------------------------===//

#ifndef LOWP_LIB_TRANSFORMS_HOSTWORK_H
#define LOWP_LIB_TRANSFORMS_HOSTWORK_H

#include "mlir/Dialect/ControlFlow/IR/ControlFlowOps.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/IR/ImplicitLocOpBuilder.h"

namespace mlir::lowp {

/// Computes on addresses and sizes only, or names bits that the host has.
bool isIndexComputation(Operation *op);

/// Allocates, calls, launches, or steers.
bool isHostOp(Operation *op);

/// What one thread of a kernel can run.
bool isKernelOp(Operation *op);

bool isParallelLoop(Operation *op);

/// Whether `op` is a parallel loop, or the host steers through it: something in
/// it is for the host alone, or it gives a buffer.
bool holdsHostWork(Operation *op);

/// The address of a buffer's first element, as a pointer.
Value getPointer(ImplicitLocOpBuilder &b, Value buffer);

/// What a buffer of rank 0 holds, read by the host once all kernels before have
/// run. The runtime gives the bits as a 64-bit integer.
Value readOnHost(ImplicitLocOpBuilder &b, ModuleOp module, Value buffer);

/// The assertions of a function that kernels check. A thread for which one does
/// not hold writes its number to a buffer of the function and ends; kernels
/// that come after do nothing, and the host fails before it reads what one of
/// them should have computed, or at the end of the function. Of several that
/// fail in one kernel, the first in program order is reported.
class Assertions {
public:
  explicit Assertions(func::FuncOp function);

  /// Zero in memory as long as all assertions hold; null where there are none.
  Value getBuffer() const { return failed; }

  /// Lets the host fail where an assertion has.
  void checkOnHost(ImplicitLocOpBuilder &b) const;

private:
  /// The first one has the highest.
  int64_t getCode(size_t index) const { return ops.size() - index; }

  void record(cf::AssertOp op, int64_t code);
  /// A function that reads the buffer: it may be called in many places.
  void buildCheck(func::FuncOp function);

  SmallVector<cf::AssertOp> ops;
  Value failed;
  func::FuncOp check;
};

} // namespace mlir::lowp

#endif // LOWP_LIB_TRANSFORMS_HOSTWORK_H
