//===- SeparateInits.cpp - Limit the uses of empty tensors ----------------===//
//
// Part of the Lowp project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "lowp/Conversion/Passes.h"

#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"

namespace mlir::lowp {
#define GEN_PASS_DEF_LOWPSEPARATEINITS
#include "lowp/Conversion/Passes.h.inc"
} // namespace mlir::lowp

using namespace mlir;

/// Leaves at most `limit` uses to `op`, those that come first, and gives copies
/// of it to the others.
static void separate(Operation *op, unsigned limit) {
  Block *block = op->getBlock();
  SmallVector<std::pair<Operation *, OpOperand *>> uses;
  for (OpOperand &use : op->getUses())
    if (Operation *user = block->findAncestorOpInBlock(*use.getOwner()))
      uses.push_back({user, &use});
  if (uses.size() <= limit)
    return;
  llvm::stable_sort(uses, [](const auto &a, const auto &b) {
    return a.first->isBeforeInBlock(b.first);
  });
  for (ArrayRef rest = ArrayRef(uses).drop_front(limit); !rest.empty();
       rest = rest.drop_front(std::min<size_t>(limit, rest.size()))) {
    OpBuilder builder(rest.front().first);
    Value copy = builder.clone(*op)->getResult(0);
    for (auto &[user, use] : rest.take_front(limit))
      use->set(copy);
  }
}

namespace {
struct SeparateInits : lowp::impl::LowpSeparateInitsBase<SeparateInits> {
  using LowpSeparateInitsBase::LowpSeparateInitsBase;

  void runOnOperation() override {
    if (uses == 0) {
      getOperation()->emitError(
          "'lowp-separate-inits' expects 'uses' to be at least 1, but got 0");
      return signalPassFailure();
    }
    SmallVector<Operation *> fills, empties;
    getOperation()->walk([&](Operation *op) {
      if (isa<tensor::EmptyOp>(op))
        empties.push_back(op);
      // One that fills what was computed has to keep its place.
      else if (auto fill = dyn_cast<linalg::FillOp>(op);
               fill && fill.hasPureTensorSemantics() &&
               fill.getOutputs()[0].getDefiningOp<tensor::EmptyOp>())
        fills.push_back(op);
    });
    // A copy of a fill is one more use of the empty tensor.
    for (Operation *op : fills)
      separate(op, uses);
    for (Operation *op : empties)
      separate(op, uses);
  }
};
} // namespace
