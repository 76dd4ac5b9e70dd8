//===- DecomposeDequantize.cpp - Values of codes and scales ---------------===//
//
// Part of the Lowp project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "DecomposeUtils.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/ControlFlow/IR/ControlFlowOps.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/Dialect/Utils/StaticValueUtils.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"

using namespace mlir;
using namespace mlir::lowp;
using namespace mlir::lowp::decompose;

Value decompose::readScale(ImplicitLocOpBuilder &b, BlockedType type,
                           Value scales, ValueRange indices) {
  Value scale = tensor::ExtractOp::create(b, scales, indices);
  if (type.getFormat().hasF32Scale())
    return scale;
  return DecodeScaleOp::create(b, scale, type.getScaleType());
}

Value decompose::decodeScales(ImplicitLocOpBuilder &b, BlockedType type,
                              const Components &value) {
  Value scales = getLinearScales(b, type, value);
  if (type.getFormat().hasF32Scale())
    return scales;
  auto scalesType = cast<RankedTensorType>(scales.getType());
  return buildScalars(b, scalesType.clone(b.getF32Type()), getSizes(b, scales),
                      1, [&](ValueRange ivs) -> SmallVector<Value> {
                        return {readScale(b, type, scales, ivs)};
                      })[0];
}

/// Elements along the last dim that are decoded together where they do not
/// share a scale.
static constexpr int64_t kDecodeWidth = 32;

/// Decodes `width` codes along the last dim at a time; `scaleValues` turns the
/// codes' values into what is stored.
static Value decodeLoop(
    ImplicitLocOpBuilder &b, BlockedType type, Value codes, bool packed,
    ValueRange sizes, RankedTensorType resultType, int64_t width,
    llvm::function_ref<Value(Value, ValueRange, const Extent &)> scaleValues) {
  int64_t axis = type.getRank() - 1;
  int64_t bytes = packed ? width / 2 : width;
  Value storedSize = packed ? ceilDiv(b, sizes.back(), 2) : sizes.back();
  SmallVector<Value> bounds(sizes);
  bounds.back() = ceilDiv(b, sizes.back(), width);
  Value init = emptyTensor(b, resultType, sizes);
  return buildForall(
      b, bounds, init,
      [&](ValueRange ivs, ValueRange outputs,
          SmallVectorImpl<FinishedSlice> &finished) {
        SmallVector<Value> position(ivs), from(ivs);
        position.back() = mul(b, ivs.back(), width);
        from.back() = mul(b, ivs.back(), bytes);
        Extent extent = Extent::of(b, sizes.back(), position.back(), width);
        Extent stored = Extent::of(b, storedSize, from.back(), bytes);
        Value vector = readVector(b, codes, from, axis, bytes, stored);
        Value values =
            DecodeOp::create(b, VectorType::get({width}, b.getF32Type()),
                             vector, type.getElementType());
        values = scaleValues(values, position, extent);
        values = roundTo(b, values, resultType.getElementType());
        Slice slice{outputs[0], position,
                    sliceSizes(b, axis + 1, axis, extent.getCount(b, width))};
        finished.push_back(
            {slice, writeVector(b, values, slice.extract(b), axis, extent)});
      })[0];
}

Value decompose::decodeElements(ImplicitLocOpBuilder &b, BlockedType type,
                                const Components &value) {
  return decodeLoop(
      b, type, value.codes, type.getFormat().getStorageBits() == 4,
      getSizes(b, type, value),
      RankedTensorType::get(type.getShape(), b.getF32Type()), kDecodeWidth,
      [](Value values, ValueRange, const Extent &) { return values; });
}

/// Multiplies `values` at `position` by the outer scale.
static Value applyOuterScale(ImplicitLocOpBuilder &b, BlockedType type,
                             Value outer, Value values, ValueRange position,
                             const Extent &extent) {
  int64_t width = cast<VectorType>(values.getType()).getDimSize(0);
  SmallVector<Value> indices;
  for (int64_t axis : type.getOuterAxes())
    indices.push_back(position[axis]);
  bool alongLast = llvm::is_contained(type.getOuterAxes(), type.getRank() - 1);
  Value scale =
      alongLast
          ? readVector(b, outer, indices, indices.size() - 1, width, extent)
          : splat(b, tensor::ExtractOp::create(b, outer, indices), width);
  return arith::MulFOp::create(b, values, scale);
}

/// A value without groups; its codes are one a byte where `unpacked`.
static Value dequantizeUngrouped(ImplicitLocOpBuilder &b, BlockedType type,
                                 const Components &value,
                                 RankedTensorType resultType, bool applyOuter,
                                 bool unpacked) {
  SmallVector<Value> sizes = getSizes(b, type, value);
  int64_t rank = type.getRank(), blockSize = type.getBlockShape().back();
  auto finish = [&](Value values, ValueRange position, const Extent &extent) {
    if (!applyOuter || !value.outer)
      return values;
    return applyOuterScale(b, type, value.outer, values, position, extent);
  };

  bool packed = type.getFormat().getStorageBits() == 4 && !unpacked;
  if (blockSize == 1) {
    // Every element along the last dim has a scale of its own.
    Value scales = decodeScales(b, type, value);
    return decodeLoop(
        b, type, value.codes, packed, sizes, resultType, kDecodeWidth,
        [&](Value values, ValueRange position, const Extent &extent) {
          Value scale = readVector(b, scales, scaleIndices(b, type, position),
                                   rank - 1, kDecodeWidth, extent);
          return finish(arith::MulFOp::create(b, values, scale), position,
                        extent);
        });
  }

  Value codes = value.codes;
  if (packed && blockSize % 2 != 0) {
    codes = unpackNibbles(b, codes, sizes.back());
    packed = false;
  }
  Value scales = getLinearScales(b, type, value);
  return decodeLoop(
      b, type, codes, packed, sizes, resultType, blockSize,
      [&](Value values, ValueRange position, const Extent &extent) {
        Value scale =
            readScale(b, type, scales, scaleIndices(b, type, position));
        values = arith::MulFOp::create(b, values, splat(b, scale, blockSize));
        return finish(values, position, extent);
      });
}

Value decompose::dequantize(ImplicitLocOpBuilder &b, BlockedType type,
                            const Components &value,
                            RankedTensorType resultType, bool applyOuter) {
  if (!type.isGrouped())
    return dequantizeUngrouped(b, type, value, resultType, applyOuter,
                               /*unpacked=*/false);
  return dequantizeGroups(b, type, value, resultType, applyOuter,
                          [&](BlockedType partType, const Components &part,
                              RankedTensorType partResultType, bool unpacked) {
                            return dequantizeUngrouped(b, partType, part,
                                                       partResultType,
                                                       applyOuter, unpacked);
                          });
}

SmallVector<bool> decompose::getNegated(Operation *op, FlatSymbolRefAttr signs,
                                        int64_t size) {
  if (!signs)
    return getDefaultSigns(size);
  auto symbol = SymbolTable::lookupNearestSymbolFrom<SignsOp>(op, signs);
  // Not llvm::to_vector, which takes two pointers for a list of bools.
  ArrayRef<bool> negate = symbol.getNegate();
  return SmallVector<bool>(negate.begin(), negate.end());
}

//===----------------------------------------------------------------------===//
// Patterns
//===----------------------------------------------------------------------===//

namespace {

struct DequantizePattern : OpConversionPattern<DequantizeOp> {
  using OpConversionPattern::OpConversionPattern;
  LogicalResult
  matchAndRewrite(DequantizeOp op, OneToNOpAdaptor adaptor,
                  ConversionPatternRewriter &rewriter) const override {
    ImplicitLocOpBuilder b(nameLoc(op), rewriter);
    BlockedType type = op.getSource().getType();
    rewriter.replaceOp(op, dequantize(b, type,
                                      getComponents(type, adaptor.getSource()),
                                      cast<RankedTensorType>(op.getType()),
                                      /*applyOuter=*/true));
    return success();
  }
};

struct RhtPattern : OpConversionPattern<RhtOp> {
  using OpConversionPattern::OpConversionPattern;
  LogicalResult
  matchAndRewrite(RhtOp op, OpAdaptor adaptor,
                  ConversionPatternRewriter &rewriter) const override {
    ImplicitLocOpBuilder b(nameLoc(op), rewriter);
    auto type = cast<RankedTensorType>(op.getType());
    int64_t axis = op.getAxis(), width = op.getSize(), rank = type.getRank();
    Value source = adaptor.getSource();
    SmallVector<bool> negate = getNegated(op, op.getSignsAttr(), width);
    SmallVector<Value> sizes = getSizes(b, source), bounds = sizes;
    bounds[axis] = floorDiv(b, sizes[axis], width);
    if (!getConstantIntValue(sizes[axis])) {
      Value whole =
          arith::CmpIOp::create(b, arith::CmpIPredicate::eq, sizes[axis],
                                mul(b, bounds[axis], width));
      cf::AssertOp::create(
          b, whole,
          b.getStringAttr("'lowp.rht' op expects a dim " + Twine(axis) +
                          " that is a multiple of " + Twine(width)));
    }
    if (adaptor.getOffsets())
      checkGroupsAreWhole(b, adaptor.getOffsets(), sizes[axis], width);
    Value init = emptyTensor(b, type, sizes);
    Value result = buildForall(
        b, bounds, init,
        [&](ValueRange ivs, ValueRange outputs,
            SmallVectorImpl<FinishedSlice> &finished) {
          SmallVector<Value> position(ivs);
          position[axis] = mul(b, ivs[axis], width);
          Value values =
              readVectorF32(b, source, position, axis, width, Extent::full());
          values = HadamardOp::create(b, values.getType(), values, negate,
                                      op.getInverse(), op.getNormalization());
          values = roundTo(b, values, type.getElementType());
          Slice slice{outputs[0], position,
                      sliceSizes(b, rank, axis, index(b, width))};
          finished.push_back({slice, writeVector(b, values, slice.extract(b),
                                                 axis, Extent::full())});
        })[0];
    rewriter.replaceOp(op, result);
    return success();
  }
};

} // namespace

void decompose::populateDequantizePatterns(const TypeConverter &converter,
                                           RewritePatternSet &patterns) {
  patterns.add<DequantizePattern, RhtPattern>(converter, patterns.getContext());
}
