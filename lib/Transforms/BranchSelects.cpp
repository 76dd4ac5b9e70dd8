//===- BranchSelects.cpp - Selects of whole tensors as branches
//------------===//
//
// Part of the Lowp project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "lowp/Transforms/Passes.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/SCF/IR/SCF.h"

namespace mlir::lowp {
#define GEN_PASS_DEF_BRANCHSELECTS
#include "lowp/Transforms/Passes.h.inc"
} // namespace mlir::lowp

using namespace mlir;

namespace {
struct BranchSelects : lowp::impl::BranchSelectsBase<BranchSelects> {
  void runOnOperation() override {
    IRRewriter rewriter(&getContext());
    getOperation()->walk([&](arith::SelectOp select) {
      auto type = dyn_cast<RankedTensorType>(select.getType());
      if (!type || type.hasStaticShape() ||
          !select.getCondition().getType().isInteger(1))
        return;
      rewriter.setInsertionPoint(select);
      rewriter.replaceOpWithNewOp<scf::IfOp>(
          select, select.getCondition(),
          [&](OpBuilder &b, Location loc) {
            scf::YieldOp::create(b, loc, select.getTrueValue());
          },
          [&](OpBuilder &b, Location loc) {
            scf::YieldOp::create(b, loc, select.getFalseValue());
          });
    });
  }
};
} // namespace
