//===- ExpandBuffers.cpp - memref.expand_shape by its sizes
//----------------===//
//
// Part of the Lowp project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Upstream's expansion of the operation divides to get the sizes that are not
// static: it takes one at most per group, and none of zero. The operation names
// all sizes, and strides are products of them.
//
//===----------------------------------------------------------------------===//

#include "lowp/Conversion/Passes.h"

#include "mlir/Dialect/Arith/Utils/Utils.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/IR/ImplicitLocOpBuilder.h"
#include "mlir/Transforms/WalkPatternRewriteDriver.h"

namespace mlir::lowp {
#define GEN_PASS_DEF_LOWPEXPANDBUFFERS
#include "lowp/Conversion/Passes.h.inc"
} // namespace mlir::lowp

using namespace mlir;

namespace {
struct ExpandBySizes : OpRewritePattern<memref::ExpandShapeOp> {
  using OpRewritePattern::OpRewritePattern;

  LogicalResult matchAndRewrite(memref::ExpandShapeOp op,
                                PatternRewriter &rewriter) const override {
    MemRefType type = op.getResultType();
    SmallVector<int64_t> staticStrides;
    int64_t staticOffset;
    if (failed(type.getStridesAndOffset(staticStrides, staticOffset)))
      return rewriter.notifyMatchFailure(op, "not a strided buffer");
    ImplicitLocOpBuilder b(op.getLoc(), rewriter);
    auto metadata = memref::ExtractStridedMetadataOp::create(b, op.getSrc());
    SmallVector<OpFoldResult> sizes = op.getMixedOutputShape();
    SmallVector<OpFoldResult> strides(type.getRank());
    for (auto [group, stride] :
         llvm::zip_equal(op.getReassociationIndices(), metadata.getStrides())) {
      OpFoldResult running = Value(stride);
      for (int64_t dim : llvm::reverse(group)) {
        // What the type says is never computed.
        if (!ShapedType::isDynamic(staticStrides[dim]))
          running = b.getIndexAttr(staticStrides[dim]);
        strides[dim] = running;
        if (dim != group.front())
          running = b.createOrFold<arith::MulIOp>(
              getValueOrCreateConstantIndexOp(b, b.getLoc(), running),
              getValueOrCreateConstantIndexOp(b, b.getLoc(), sizes[dim]));
      }
    }
    OpFoldResult offset = metadata.getOffset();
    if (!ShapedType::isDynamic(staticOffset))
      offset = b.getIndexAttr(staticOffset);
    rewriter.replaceOpWithNewOp<memref::ReinterpretCastOp>(
        op, type, metadata.getBaseBuffer(), offset, sizes, strides);
    return success();
  }
};

struct ExpandBuffers : lowp::impl::LowpExpandBuffersBase<ExpandBuffers> {
  void runOnOperation() override {
    RewritePatternSet patterns(&getContext());
    patterns.add<ExpandBySizes>(&getContext());
    walkAndApplyPatterns(getOperation(), std::move(patterns));
  }
};
} // namespace
