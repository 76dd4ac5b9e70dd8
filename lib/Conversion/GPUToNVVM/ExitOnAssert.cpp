//===- ExitOnAssert.cpp - cf.assert ends a thread -------------------------===//
//
// Part of the Lowp project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "lowp/Conversion/Passes.h"

#include "mlir/Dialect/ControlFlow/IR/ControlFlowOps.h"
#include "mlir/Dialect/GPU/IR/GPUDialect.h"

namespace mlir::lowp {
#define GEN_PASS_DEF_LOWPEXITONASSERT
#include "lowp/Conversion/Passes.h.inc"
} // namespace mlir::lowp

using namespace mlir;

namespace {
struct ExitOnAssert : lowp::impl::LowpExitOnAssertBase<ExitOnAssert> {
  void runOnOperation() override {
    SmallVector<cf::AssertOp> asserts;
    WalkResult result = getOperation().walk([&](cf::AssertOp op) -> WalkResult {
      auto kernel = dyn_cast<gpu::GPUFuncOp>(op->getParentOp());
      if (!kernel || !kernel.isKernel()) {
        op.emitOpError("expects its parent to be a kernel whose body is a CFG, "
                       "but got '")
            << op->getParentOp()->getName() << "'";
        return WalkResult::interrupt();
      }
      asserts.push_back(op);
      return WalkResult::advance();
    });
    if (result.wasInterrupted())
      return signalPassFailure();

    IRRewriter rewriter(&getContext());
    for (cf::AssertOp op : asserts) {
      Block *rest =
          rewriter.splitBlock(op->getBlock(), std::next(op->getIterator()));
      Block *exit = rewriter.createBlock(rest->getParent());
      gpu::ReturnOp::create(rewriter, op.getLoc());
      rewriter.setInsertionPoint(op);
      rewriter.replaceOpWithNewOp<cf::CondBranchOp>(op, op.getArg(), rest,
                                                    exit);
    }
  }
};
} // namespace
