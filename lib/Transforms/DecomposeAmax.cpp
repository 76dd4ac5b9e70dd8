//===- DecomposeAmax.cpp - Largest magnitudes of outer groups -------------===//
//
// Part of the Lowp project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Quantizer.h"

#include "mlir/Dialect/Tensor/IR/Tensor.h"

using namespace mlir;
using namespace mlir::lowp;
using namespace mlir::lowp::decompose;

namespace {

/// What a quantisation with these outer axes finds first.
struct AmaxPattern : OpConversionPattern<AmaxOp> {
  AmaxPattern(const TypeConverter &converter, MLIRContext *context,
              Batching batching)
      : OpConversionPattern(converter, context), batching(batching) {}

  LogicalResult
  matchAndRewrite(AmaxOp op, OpAdaptor adaptor,
                  ConversionPatternRewriter &rewriter) const override {
    ImplicitLocOpBuilder b(nameLoc(op), rewriter);
    RankedTensorType source = op.getSource().getType();
    SmallVector<int64_t> blocks(source.getRank(), 1);
    auto type = BlockedType::get(source.getShape(),
                                 FormatAttr::getNamed(getContext(), "nvfp4"),
                                 blocks, op.getOuterAxes());
    RuleFields fields;
    fields.nonFinite = op.getNonfinite();
    auto identity = llvm::to_vector(llvm::seq<int64_t>(0, source.getRank()));
    RandomKey key;
    Quantizer quantizer(b, adaptor.getSource(), identity, type,
                        RuleAttr::get(getContext(), fields), key, batching);
    Value amaxes = quantizer.findAmaxes();
    if (amaxes.getType() != op.getType())
      amaxes = tensor::CastOp::create(b, op.getType(), amaxes);
    rewriter.replaceOp(op, amaxes);
    return success();
  }

private:
  Batching batching;
};

} // namespace

void decompose::populateAmaxPatterns(const TypeConverter &converter,
                                     RewritePatternSet &patterns,
                                     Batching batching) {
  patterns.add<AmaxPattern>(converter, patterns.getContext(), batching);
}
