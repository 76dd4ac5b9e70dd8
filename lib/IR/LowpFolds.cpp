//===- LowpFolds.cpp - folds and canonicalisations -*- C++ -*-===//
//
// Part of the lowp project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Only what is exact. A dequantize of a quantize is not: it rounds. Nor is a
// Hadamard transform and its inverse, whose sums round.
//
//===----------------------------------------------------------------------===//

#include "lowp/IR/LowpOps.h"

#include "mlir/Dialect/Utils/IndexingUtils.h"
#include "mlir/IR/PatternMatch.h"

using namespace mlir;
using namespace mlir::lowp;

/// The permutation of an op that may leave out the identity.
static SmallVector<int64_t> getPermutation(RequantizeOp op) {
  if (std::optional<ArrayRef<int64_t>> permutation = op.getPermutation())
    return llvm::to_vector(*permutation);
  return llvm::to_vector(
      llvm::seq<int64_t>(0, op.getSource().getType().getRank()));
}

//===----------------------------------------------------------------------===//
// Order of dims and scales
//===----------------------------------------------------------------------===//

OpFoldResult TransposeOp::fold(FoldAdaptor adaptor) {
  if (isIdentityPermutation(getPermutation()))
    return getSource();
  auto producer = getSource().getDefiningOp<TransposeOp>();
  if (!producer)
    return {};
  SmallVector<int64_t> composed =
      applyPermutation(producer.getPermutation(), getPermutation());
  if (isIdentityPermutation(composed))
    return producer.getSource();
  getSourceMutable().assign(producer.getSource());
  setPermutation(composed);
  return getResult();
}

OpFoldResult ConvertLayoutOp::fold(FoldAdaptor adaptor) {
  if (getSource().getType() == getResult().getType())
    return getSource();
  // Back to where every scale was: there are two layouts.
  if (auto producer = getSource().getDefiningOp<ConvertLayoutOp>())
    if (producer.getSource().getType() == getResult().getType())
      return producer.getSource();
  return {};
}

LogicalResult DequantizeOp::canonicalize(DequantizeOp op,
                                         PatternRewriter &rewriter) {
  auto layout = op.getSource().getDefiningOp<ConvertLayoutOp>();
  if (!layout)
    return rewriter.notifyMatchFailure(op, "no change of layout to look past");
  rewriter.modifyOpInPlace(
      op, [&] { op.getSourceMutable().assign(layout.getSource()); });
  return success();
}

LogicalResult RequantizeOp::canonicalize(RequantizeOp op,
                                         PatternRewriter &rewriter) {
  if (auto layout = op.getSource().getDefiningOp<ConvertLayoutOp>()) {
    rewriter.modifyOpInPlace(
        op, [&] { op.getSourceMutable().assign(layout.getSource()); });
    return success();
  }
  // Random bits follow the coordinates of the result, which stay.
  if (auto transpose = op.getSource().getDefiningOp<TransposeOp>()) {
    SmallVector<int64_t> composed =
        applyPermutation(transpose.getPermutation(), ::getPermutation(op));
    rewriter.modifyOpInPlace(op, [&] {
      op.getSourceMutable().assign(transpose.getSource());
      op.setPermutation(composed);
    });
    return success();
  }
  if (op.getPermutation() && isIdentityPermutation(*op.getPermutation())) {
    rewriter.modifyOpInPlace(op, [&] { op.removePermutationAttr(); });
    return success();
  }
  return rewriter.notifyMatchFailure(
      op, "no change of layout or order to look past");
}

//===----------------------------------------------------------------------===//
// Sizes
//===----------------------------------------------------------------------===//

OpFoldResult DimOp::fold(FoldAdaptor adaptor) {
  BlockedType type = getSource().getType();
  if (!type.isDynamicDim(getDim()))
    return IntegerAttr::get(IndexType::get(getContext()),
                            type.getDimSize(getDim()));
  if (auto pack = getSource().getDefiningOp<PackOp>()) {
    ArrayRef<int64_t> before = type.getShape().take_front(getDim());
    return pack.getDynamicDims()[llvm::count_if(before, ShapedType::isDynamic)];
  }
  return {};
}

LogicalResult DimOp::canonicalize(DimOp op, PatternRewriter &rewriter) {
  Operation *producer = op.getSource().getDefiningOp();
  if (auto quantize = dyn_cast_or_null<QuantizeOp>(producer)) {
    rewriter.replaceOpWithNewOp<tensor::DimOp>(op, quantize.getSource(),
                                               op.getDim());
    return success();
  }
  Value source;
  int64_t dim = op.getDim();
  if (auto layout = dyn_cast_or_null<ConvertLayoutOp>(producer)) {
    source = layout.getSource();
  } else if (auto transpose = dyn_cast_or_null<TransposeOp>(producer)) {
    source = transpose.getSource();
    dim = transpose.getPermutation()[dim];
  } else if (auto requantize = dyn_cast_or_null<RequantizeOp>(producer)) {
    source = requantize.getSource();
    dim = ::getPermutation(requantize)[dim];
  } else {
    return rewriter.notifyMatchFailure(op, "no source that has the same size");
  }
  rewriter.replaceOpWithNewOp<DimOp>(op, source, dim);
  return success();
}

//===----------------------------------------------------------------------===//
// Components
//===----------------------------------------------------------------------===//

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
  rewriter.replaceOp(op, pack.getComponents());
  return success();
}

//===----------------------------------------------------------------------===//
// Kernel
//===----------------------------------------------------------------------===//

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
