//===- ShareQuantization.cpp - quantise every value once -*- C++ -*-===//
//
// Part of the Lowp project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "lowp/IR/LowpOps.h"
#include "lowp/Transforms/Passes.h"

#include "mlir/IR/Dominance.h"
#include "mlir/IR/PatternMatch.h"
#include "mlir/IR/Remarks.h"
#include "mlir/Support/DebugStringHelper.h"
#include "llvm/ADT/MapVector.h"

namespace mlir::lowp {
#define GEN_PASS_DEF_SHAREQUANTIZATION
#include "lowp/Transforms/Passes.h.inc"
} // namespace mlir::lowp

using namespace mlir;
using namespace mlir::lowp;

namespace {
class ShareQuantization
    : public lowp::impl::ShareQuantizationBase<ShareQuantization> {
public:
  using ShareQuantizationBase::ShareQuantizationBase;

  void runOnOperation() override;
};
} // namespace

/// Whether two quantisations compute the same codes and scales, apart from the
/// storage order of the scales.
static bool quantizeAlike(QuantizeOp a, QuantizeOp b) {
  return a->getOperands() == b->getOperands() &&
         a.getProperties().operandSegmentSizes ==
             b.getProperties().operandSegmentSizes &&
         a.getRuleAttr() == b.getRuleAttr() &&
         a.getStreamAttr() == b.getStreamAttr() &&
         a.getType().withLayout(ScaleLayout::Linear) ==
             b.getType().withLayout(ScaleLayout::Linear);
}

void ShareQuantization::runOnOperation() {
  auto &dominance = getAnalysis<DominanceInfo>();
  // Quantisations by source: a source has few, so that the search in a bucket
  // does not make the pass more than linear in the size of the program.
  llvm::MapVector<Value, SmallVector<QuantizeOp>> bySource;
  getOperation()->walk<WalkOrder::PreOrder>(
      [&](QuantizeOp op) { bySource[op.getSource()].push_back(op); });

  IRRewriter rewriter(&getContext());
  for (auto &[source, ops] : bySource) {
    SmallVector<QuantizeOp> kept;
    for (QuantizeOp op : ops) {
      auto *first = llvm::find_if(kept, [&](QuantizeOp other) {
        return quantizeAlike(op, other) &&
               dominance.properlyDominates(other.getOperation(),
                                           op.getOperation());
      });
      if (first == kept.end()) {
        kept.push_back(op);
        continue;
      }
      remark::passed(op.getLoc(), remark::RemarkOpts::name("Shared").category(
                                      "lowp-share-quantization"))
          << remark::add("quantisation to {0} shared",
                         debugString(op.getType()));
      Value shared = first->getResult();
      if (shared.getType() != op.getType()) {
        rewriter.setInsertionPoint(op);
        shared = ConvertLayoutOp::create(rewriter, op.getLoc(), op.getType(),
                                         shared);
      }
      rewriter.replaceOp(op, shared);
    }
  }
}
