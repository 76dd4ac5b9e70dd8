//===- DecomposeCombine.cpp - Gated sums of what experts sent -------------===//
//
// Part of the Lowp project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "DecomposeUtils.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/ControlFlow/IR/ControlFlowOps.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/Dialect/Utils/StaticValueUtils.h"

using namespace mlir;
using namespace mlir::lowp;
using namespace mlir::lowp::decompose;

/// Elements along H that are added up together where neither a transform nor
/// blocks say how many.
static constexpr int64_t kCombineWidth = 32;

namespace {

/// Builds the loops of one `lowp.combine`.
class Combiner {
public:
  Combiner(ImplicitLocOpBuilder &b, CombineOp op, const Components &payload,
           Value gates)
      : b(b), op(op), type(op.getPayload().getType()), payload(payload),
        gates(gates), sizes(getSizes(b, type, payload)) {
    ArrayRef<int64_t> blocks = type.getBlockShape();
    int64_t block = blocks[2];
    width = op.getInverseRht().value_or(block > 1 ? block : kCombineWidth);
    // One scale for what is added up together: decode only what is read.
    // Otherwise everything, in the ways that `lowp.dequantize` has.
    decodesInPlace = block == width && blocks[1] == 1 && !type.isGrouped() &&
                     !payload.outer && type.getFormat().getStorageBits() == 8;
  }

  Value run() {
    checkSizes();
    auto resultType = cast<RankedTensorType>(op.getType());
    Value init = emptyTensor(b, resultType, {sizes[1], sizes[2]});
    if (decodesInPlace)
      source = getLinearScales(b, type, payload);
    else
      source =
          dequantize(b, type, payload,
                     RankedTensorType::get(type.getShape(), b.getF32Type()),
                     /*applyOuter=*/true);
    return buildForall(
        b, {sizes[1], ceilDiv(b, sizes[2], width)}, init,
        [&](ValueRange ivs, ValueRange outputs,
            SmallVectorImpl<FinishedSlice> &finished) {
          SmallVector<Value> at = {ivs[0], mul(b, ivs[1], width)};
          // A transform takes whole groups only.
          Extent extent = op.getInverseRht()
                              ? Extent::full()
                              : Extent::of(b, sizes[2], at[1], width);
          Value sum = buildSum(at, extent);
          if (op.getInverseRht())
            sum = HadamardOp::create(b, sum.getType(), sum,
                                     getNegated(op, op.getSignsAttr(), width),
                                     /*inverse=*/true, op.getNormalization());
          sum = roundTo(b, sum, resultType.getElementType());
          Slice slice{outputs[0], at,
                      sliceSizes(b, 2, 1, extent.getCount(b, width))};
          finished.push_back(
              {slice, writeVector(b, sum, slice.extract(b), 1, extent)});
        })[0];
  }

private:
  /// What the types do not say.
  void checkSizes() {
    // Without elements nothing is read, and of a buffer without elements a size
    // is not to be had from the others.
    if (llvm::is_contained(type.getShape(), 0))
      return;
    auto check = [&](Value left, Value right, const Twine &what) {
      if (left == right ||
          (getConstantIntValue(left) &&
           getConstantIntValue(left) == getConstantIntValue(right)))
        return;
      cf::AssertOp::create(
          b, arith::CmpIOp::create(b, arith::CmpIPredicate::eq, left, right),
          b.getStringAttr("'lowp.combine' op expects " + what));
    };
    SmallVector<Value> gateSizes = getSizes(b, gates);
    check(gateSizes[0], sizes[0], "gates and payload of as many experts");
    check(gateSizes[1], sizes[1], "gates and payload of as many tokens");
    if (op.getInverseRht() && type.isDynamicDim(2))
      check(mul(b, floorDiv(b, sizes[2], width), width), sizes[2],
            "a dim 2 of the payload that is a multiple of " + Twine(width));
  }

  /// The sum over all experts of the elements at token and element `at`.
  Value buildSum(ValueRange at, const Extent &extent) {
    Value zero = zeroVector(b, b.getF32Type(), width);
    return buildFor(
        b, index(b, 0), sizes[0], 1, zero,
        [&](Value expert, ValueRange carried) -> SmallVector<Value> {
          Value gate = widenToF32(b, tensor::ExtractOp::create(
                                         b, gates, ValueRange{expert, at[0]}));
          // A gate that is NaN takes part.
          Value selected = arith::CmpFOp::create(b, arith::CmpFPredicate::UNE,
                                                 gate, f32Constant(b, 0));
          auto branch = scf::IfOp::create(
              b, selected,
              [&](OpBuilder &, Location) {
                Value values = read({expert, at[0], at[1]}, extent);
                scf::YieldOp::create(
                    b, math::FmaOp::create(b, splat(b, gate, width), values,
                                           carried[0])
                           .getResult());
              },
              [&](OpBuilder &, Location) {
                scf::YieldOp::create(b, carried[0]);
              });
          return {branch.getResult(0)};
        })[0];
  }

  /// Decoded elements of the payload.
  Value read(ArrayRef<Value> position, const Extent &extent) {
    if (!decodesInPlace)
      return readVector(b, source, position, 2, width, extent);
    Value codes = readVector(b, payload.codes, position, 2, width, extent);
    Value values = DecodeOp::create(b, VectorType::get({width}, b.getF32Type()),
                                    codes, type.getElementType());
    Value scale = readScale(b, type, source, scaleIndices(b, type, position));
    return arith::MulFOp::create(b, values, splat(b, scale, width));
  }

  ImplicitLocOpBuilder &b;
  CombineOp op;
  BlockedType type;
  const Components &payload;
  Value gates;
  SmallVector<Value> sizes;
  int64_t width;
  bool decodesInPlace;
  /// Block scales, or decoded values.
  Value source;
};

struct CombinePattern : OpConversionPattern<CombineOp> {
  using OpConversionPattern::OpConversionPattern;
  LogicalResult
  matchAndRewrite(CombineOp op, OneToNOpAdaptor adaptor,
                  ConversionPatternRewriter &rewriter) const override {
    ImplicitLocOpBuilder b(nameLoc(op), rewriter);
    BlockedType type = op.getPayload().getType();
    Components payload = getComponents(type, adaptor.getPayload());
    rewriter.replaceOp(
        op, Combiner(b, op, payload, adaptor.getGates().front()).run());
    return success();
  }
};

} // namespace

void decompose::populateCombinePatterns(const TypeConverter &converter,
                                        RewritePatternSet &patterns) {
  patterns.add<CombinePattern>(converter, patterns.getContext());
}
