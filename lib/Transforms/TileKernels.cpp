//===- TileKernels.cpp - Kernels as one loop nest each --------------------===//
//
// Part of the Lowp project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "KernelTiler.h"
#include "lowp/Transforms/Passes.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Bufferization/IR/Bufferization.h"
#include "mlir/Dialect/ControlFlow/IR/ControlFlowOps.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "mlir/IR/PatternMatch.h"
#include "mlir/IR/Remarks.h"
#include "mlir/Transforms/RegionUtils.h"

namespace mlir::lowp {
#define GEN_PASS_DEF_TILEKERNELS
#include "lowp/Transforms/Passes.h.inc"
} // namespace mlir::lowp

using namespace mlir;
using namespace mlir::lowp;
using namespace mlir::lowp::decompose;

//===----------------------------------------------------------------------===//
// The rows of a kernel
//===----------------------------------------------------------------------===//

/// Moves constants, sizes and new tensors out of the kernel, but not what fills
/// these: a trip fills its rows.
static void hoistSizes(KernelOp kernel) {
  for (Operation &op : llvm::make_early_inc_range(
           kernel.getBody().front().without_terminator())) {
    if (!isNoWork(&op) || isa<linalg::FillOp>(op))
      continue;
    if (llvm::none_of(op.getOperands(), [&](Value operand) {
          return operand.getParentRegion() == &kernel.getBody();
        }))
      op.moveBefore(kernel);
  }
}

/// Whether all that `domain` reads inside of the kernel is a part of it.
static LogicalResult checkClosed(KernelOp kernel, const RowDomain &domain,
                                 std::string &reason) {
  auto isMissing = [&](Value value) {
    return value.getParentRegion() == &kernel.getBody() &&
           !domain.contains(value.getDefiningOp());
  };
  for (Operation *op : domain.ops) {
    bool missing = false;
    for (OpOperand &operand : op->getOpOperands()) {
      Value value = operand.get();
      // The loop takes a size of such a tensor, and what it is filled with.
      if (auto fill = value.getDefiningOp<linalg::FillOp>();
          fill && isFreshInit(operand)) {
        missing |= isMissing(fill.getInputs()[0]);
        value = fill.getOutputs()[0];
      }
      missing |= isMissing(value);
    }
    visitUsedValuesDefinedAbove(op->getRegions(), [&](OpOperand *operand) {
      missing |= isMissing(operand->get());
    });
    if (!missing)
      continue;
    reason = domain.rejected.empty() ? "an operand is not computed by rows"
                                     : domain.rejected.begin()->second;
    return failure();
  }
  return success();
}

/// The rows of all values of the kernel, or failure, with a `reason`.
static FailureOr<RowDomain> findDomain(KernelOp kernel, std::string &reason) {
  Block &body = kernel.getBody().front();
  DenseMap<Operation *, unsigned> positions;
  for (auto [number, op] : llvm::enumerate(body))
    positions[&op] = number;
  auto position = [&](Operation *op) { return positions.lookup(op); };
  auto admit = [](Operation *, std::string &) { return success(); };
  auto addRoot = [&](const RowDomain &before, Operation *root,
                     Rows rows) -> FailureOr<RowDomain> {
    RowDomain domain = before;
    if (failed(domain.add(root, rows, position, admit, reason)) ||
        failed(checkClosed(kernel, domain, reason)))
      return failure();
    return domain;
  };

  SmallVector<Operation *> roots;
  for (Value result : body.getTerminator()->getOperands()) {
    Operation *root = result.getDefiningOp();
    if (!root || root->getBlock() != &body ||
        !isa<RankedTensorType, BlockedType>(root->getResult(0).getType())) {
      reason = "a result is not computed by rows";
      return failure();
    }
    roots.push_back(root);
  }
  if (roots.empty()) {
    reason = "it has no results";
    return failure();
  }
  reason = "it has no rows";
  FailureOr<RowDomain> best = failure();
  // The last one first: with what it is computed from come most others.
  for (Rows first : getRowCandidates(roots.back()->getResult(0).getType())) {
    FailureOr<RowDomain> domain = addRoot(RowDomain(), roots.back(), first);
    for (Operation *root : llvm::reverse(ArrayRef(roots).drop_back())) {
      if (failed(domain) || domain->contains(root))
        continue;
      FailureOr<RowDomain> next = failure();
      for (Rows rows : getRowCandidates(root->getResult(0).getType())) {
        next = addRoot(*domain, root, rows);
        if (succeeded(next))
          break;
      }
      domain = next;
    }
    if (succeeded(domain) &&
        (failed(best) || domain->getCost() < best->getCost()))
      best = domain;
  }
  return best;
}

//===----------------------------------------------------------------------===//
// The pass
//===----------------------------------------------------------------------===//

namespace {
struct TileKernels : lowp::impl::TileKernelsBase<TileKernels> {
  using TileKernelsBase::TileKernelsBase;

  void runOnOperation() override {
    SmallVector<KernelOp> kernels;
    getOperation()->walk([&](KernelOp kernel) { kernels.push_back(kernel); });
    IRRewriter rewriter(&getContext());
    constexpr StringLiteral category = "lowp-tile-kernels";
    for (KernelOp kernel : kernels) {
      hoistSizes(kernel);
      std::string reason;
      FailureOr<RowDomain> domain = findDomain(kernel, reason);
      if (failed(domain)) {
        remark::missed(kernel.getLoc(),
                       remark::RemarkOpts::name("NotTiled").category(category))
            << ("operations of a kernel run one by one: " + reason);
        continue;
      }
      remark::passed(kernel.getLoc(),
                     remark::RemarkOpts::name("Tiled").category(category))
          << ("a trip of the kernel takes " + Twine(domain->getRowsPerTrip()) +
              " rows")
                 .str();
      KernelTiler tiler(kernel, *domain, Batching{batches, fp16, dotPairs});
      rewriter.replaceOp(kernel, tiler.run());
    }
  }
};
} // namespace
