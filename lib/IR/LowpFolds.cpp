//===- LowpFolds.cpp - folds and canonicalisations of lowp operations -*- C++
//-*-===//
//
// Part of the lowp project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "lowp/IR/LowpOps.h"

#include "mlir/IR/PatternMatch.h"

using namespace mlir;
using namespace mlir::lowp;

OpFoldResult QuantizeOp::fold(FoldAdaptor adaptor) { return {}; }

OpFoldResult DequantizeOp::fold(FoldAdaptor adaptor) { return {}; }

OpFoldResult TransposeOp::fold(FoldAdaptor adaptor) {
  ArrayRef<int64_t> permutation = getPermutation();
  if (getSource().getType() == getResult().getType() &&
      llvm::equal(permutation, llvm::seq<int64_t>(0, permutation.size())))
    return getSource();
  return {};
}

OpFoldResult ConvertLayoutOp::fold(FoldAdaptor adaptor) {
  if (getSource().getType() == getResult().getType())
    return getSource();
  // linear -> tcgen05 -> linear moves every scale back to where it was.
  if (auto producer = getSource().getDefiningOp<ConvertLayoutOp>())
    if (producer.getSource().getType() == getResult().getType())
      return producer.getSource();
  return {};
}

OpFoldResult DimOp::fold(FoldAdaptor adaptor) {
  BlockedType type = getSource().getType();
  if (getDim() < static_cast<uint64_t>(type.getRank()) &&
      !type.isDynamicDim(getDim()))
    return IntegerAttr::get(IndexType::get(getContext()),
                            type.getDimSize(getDim()));
  return {};
}

LogicalResult PackOp::canonicalize(PackOp op, PatternRewriter &rewriter) {
  auto unpack = op.getComponents().empty()
                    ? UnpackOp()
                    : op.getComponents().front().getDefiningOp<UnpackOp>();
  if (!unpack || unpack.getResults() != op.getComponents())
    return rewriter.notifyMatchFailure(
        op, "components are not those of one unpack");
  if (unpack.getSource().getType() != op.getType())
    return rewriter.notifyMatchFailure(op,
                                       "the unpacked value is of another type");
  rewriter.replaceOp(op, unpack.getSource());
  return success();
}

LogicalResult UnpackOp::canonicalize(UnpackOp op, PatternRewriter &rewriter) {
  auto pack = op.getSource().getDefiningOp<PackOp>();
  if (!pack)
    return rewriter.notifyMatchFailure(op, "source is not packed here");
  if (pack.getComponents().getTypes() != op.getResultTypes())
    return rewriter.notifyMatchFailure(op, "component types differ");
  rewriter.replaceOp(op, pack.getComponents());
  return success();
}

LogicalResult KernelOp::canonicalize(KernelOp op, PatternRewriter &rewriter) {
  // A result that nobody reads, or that is a value from outside, need not be
  // computed by the kernel.
  auto yield = cast<YieldOp>(op.getBody().front().getTerminator());
  SmallVector<Value> kept;
  SmallVector<unsigned> keptResults;
  bool changed = false;
  for (auto [result, value] :
       llvm::zip_equal(op.getResults(), yield.getOperands())) {
    if (result.use_empty()) {
      changed = true;
      continue;
    }
    if (value.getParentRegion() != &op.getBody()) {
      rewriter.replaceAllUsesWith(result, value);
      changed = true;
      continue;
    }
    kept.push_back(value);
    keptResults.push_back(result.getResultNumber());
  }
  if (!changed)
    return rewriter.notifyMatchFailure(op, "every result is computed and used");
  rewriter.setInsertionPoint(yield);
  rewriter.replaceOpWithNewOp<YieldOp>(yield, kept);
  rewriter.setInsertionPoint(op);
  auto kernel =
      KernelOp::create(rewriter, op.getLoc(), ValueRange(kept).getTypes());
  kernel->setDiscardableAttrs(op->getDiscardableAttrDictionary());
  kernel.getBody().takeBody(op.getBody());
  for (auto [index, result] : llvm::enumerate(keptResults))
    rewriter.replaceAllUsesWith(op.getResult(result), kernel.getResult(index));
  rewriter.eraseOp(op);
  return success();
}
