//===- LowerCopies.cpp - Copies of buffers as elementwise operations
//-------===//
//
// Part of the Lowp project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "lowp/Transforms/Passes.h"

#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Linalg/Utils/Utils.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"

namespace mlir::lowp {
#define GEN_PASS_DEF_LOWERCOPIES
#include "lowp/Transforms/Passes.h.inc"
} // namespace mlir::lowp

using namespace mlir;

namespace {
struct LowerCopies : lowp::impl::LowerCopiesBase<LowerCopies> {
  using LowerCopiesBase::LowerCopiesBase;

  void runOnOperation() override {
    IRRewriter rewriter(&getContext());
    WalkResult result =
        getOperation()->walk([&](memref::CopyOp copy) -> WalkResult {
          auto source = dyn_cast<MemRefType>(copy.getSource().getType());
          auto target = dyn_cast<MemRefType>(copy.getTarget().getType());
          if (!source || !target) {
            copy.emitOpError("expects buffers whose rank is known, but got ")
                << copy.getSource().getType() << " and "
                << copy.getTarget().getType();
            return WalkResult::interrupt();
          }
          rewriter.setInsertionPoint(copy);
          linalg::makeMemRefCopyOp(rewriter, copy.getLoc(), copy.getSource(),
                                   copy.getTarget());
          rewriter.eraseOp(copy);
          return WalkResult::advance();
        });
    if (result.wasInterrupted())
      signalPassFailure();
  }
};
} // namespace
