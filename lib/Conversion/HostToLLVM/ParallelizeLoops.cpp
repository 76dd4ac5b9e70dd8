//===- ParallelizeLoops.cpp - Independent work for several threads --------===//
//
// Part of the Lowp project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "lowp/Conversion/Passes.h"

#include "mlir/Dialect/ControlFlow/IR/ControlFlowOps.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/SCF/Transforms/Transforms.h"
#include "mlir/IR/PatternMatch.h"
#include "mlir/Interfaces/LoopLikeInterface.h"

namespace mlir::lowp {
#define GEN_PASS_DEF_LOWPPARALLELIZELOOPS
#include "lowp/Conversion/Passes.h.inc"
} // namespace mlir::lowp

using namespace mlir;

/// Whether several threads may run the iterations. The body of a parallel loop
/// is no function, which an assertion could leave.
static bool canRunInThreads(scf::ForallOp loop) {
  if (loop->getParentOfType<LoopLikeOpInterface>())
    return false;
  return !loop.getBody()
              ->walk([](Operation *op) {
                return isa<cf::AssertOp, func::CallOp>(op)
                           ? WalkResult::interrupt()
                           : WalkResult::advance();
              })
              .wasInterrupted();
}

namespace {
struct ParallelizeLoops
    : lowp::impl::LowpParallelizeLoopsBase<ParallelizeLoops> {
  void runOnOperation() override {
    SmallVector<scf::ForallOp> loops;
    getOperation()->walk([&](scf::ForallOp loop) {
      if (canRunInThreads(loop))
        loops.push_back(loop);
    });
    IRRewriter rewriter(&getContext());
    for (scf::ForallOp loop : loops) {
      rewriter.setInsertionPoint(loop);
      if (failed(scf::forallToParallelLoop(rewriter, loop)))
        return signalPassFailure();
    }
  }
};
} // namespace
