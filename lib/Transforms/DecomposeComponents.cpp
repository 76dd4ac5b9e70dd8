//===- DecomposeComponents.cpp - Codes, scales and layouts ----------------===//
//
// Part of the Lowp project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Operations that move the components of blocked values without computing
// values: pack, unpack, dim, transpose, convert_layout.
//
//===----------------------------------------------------------------------===//

#include "DecomposeUtils.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"

using namespace mlir;
using namespace mlir::lowp;
using namespace mlir::lowp::decompose;

//===----------------------------------------------------------------------===//
// Codes
//===----------------------------------------------------------------------===//

Value decompose::permuteDims(ImplicitLocOpBuilder &b, Value tensor,
                             ArrayRef<int64_t> permutation) {
  if (llvm::equal(permutation, llvm::seq<int64_t>(0, permutation.size())))
    return tensor;
  auto type = cast<RankedTensorType>(tensor.getType());
  SmallVector<Value> sizes = getSizes(b, tensor), permuted;
  SmallVector<int64_t> shape;
  for (int64_t dim : permutation) {
    permuted.push_back(sizes[dim]);
    shape.push_back(type.getDimSize(dim));
  }
  Value init = emptyTensor(
      b, RankedTensorType::get(shape, type.getElementType()), permuted);
  return linalg::TransposeOp::create(b, tensor, init, permutation)
      ->getResult(0);
}

/// Codes handled by one iteration that packs or unpacks.
static constexpr int64_t kNibbleChunk = 32;

Value decompose::packNibbles(ImplicitLocOpBuilder &b, Value tensor,
                             RankedTensorType resultType) {
  int64_t axis = resultType.getRank() - 1;
  int64_t bytes = kNibbleChunk / 2;
  SmallVector<Value> sizes = getSizes(b, tensor), bounds = sizes;
  Value codes = sizes.back();
  sizes.back() = ceilDiv(b, codes, 2);
  bounds.back() = ceilDiv(b, codes, kNibbleChunk);
  Value init = emptyTensor(b, resultType, sizes);
  return buildForall(
      b, bounds, init,
      [&](ValueRange ivs, ValueRange outputs,
          SmallVectorImpl<FinishedSlice> &finished) {
        SmallVector<Value> from(ivs), to(ivs);
        from.back() = mul(b, ivs.back(), kNibbleChunk);
        to.back() = mul(b, ivs.back(), bytes);
        Extent inExtent = Extent::of(b, codes, from.back(), kNibbleChunk);
        Extent outExtent = Extent::of(b, sizes.back(), to.back(), bytes);
        Value vector =
            readVector(b, tensor, from, axis, kNibbleChunk, inExtent);
        auto halves = vector::DeinterleaveOp::create(b, vector);
        Value four = arith::ConstantOp::create(
            b,
            DenseElementsAttr::get(cast<VectorType>(halves.getRes1().getType()),
                                   b.getI8IntegerAttr(4)));
        Value high = arith::ShLIOp::create(b, halves.getRes2(), four);
        Value packed = arith::OrIOp::create(b, halves.getRes1(), high);
        Slice slice{
            outputs[0], to,
            sliceSizes(b, axis + 1, axis, outExtent.getCount(b, bytes))};
        finished.push_back(
            {slice, writeVector(b, packed, slice.extract(b), axis, outExtent)});
      })[0];
}

Value decompose::unpackNibbles(ImplicitLocOpBuilder &b, Value tensor,
                               Value lastDim) {
  auto type = cast<RankedTensorType>(tensor.getType());
  int64_t axis = type.getRank() - 1;
  int64_t bytes = kNibbleChunk / 2;
  SmallVector<Value> sizes = getSizes(b, tensor), bounds;
  Value packedSize = sizes.back();
  sizes.back() = lastDim;
  bounds = sizes;
  bounds.back() = ceilDiv(b, lastDim, kNibbleChunk);
  Value init = emptyTensor(b, b.getI8Type(), sizes);
  return buildForall(
      b, bounds, init,
      [&](ValueRange ivs, ValueRange outputs,
          SmallVectorImpl<FinishedSlice> &finished) {
        SmallVector<Value> from(ivs), to(ivs);
        from.back() = mul(b, ivs.back(), bytes);
        to.back() = mul(b, ivs.back(), kNibbleChunk);
        Extent inExtent = Extent::of(b, packedSize, from.back(), bytes);
        Extent outExtent = Extent::of(b, lastDim, to.back(), kNibbleChunk);
        Value packed = readVector(b, tensor, from, axis, bytes, inExtent);
        auto constant = [&](int8_t value) -> Value {
          return arith::ConstantOp::create(
              b, DenseElementsAttr::get(cast<VectorType>(packed.getType()),
                                        b.getI8IntegerAttr(value)));
        };
        Value low = arith::AndIOp::create(b, packed, constant(15));
        Value high = arith::ShRUIOp::create(b, packed, constant(4));
        Value codes = vector::InterleaveOp::create(b, low, high);
        Slice slice{
            outputs[0], to,
            sliceSizes(b, axis + 1, axis, outExtent.getCount(b, kNibbleChunk))};
        finished.push_back(
            {slice, writeVector(b, codes, slice.extract(b), axis, outExtent)});
      })[0];
}

//===----------------------------------------------------------------------===//
// Scale layouts
//===----------------------------------------------------------------------===//

namespace {

/// The geometry of `tcgen05_128x4` scales: tiles of 128 rows and 4 columns
/// take 512 bytes, in which row r, column c lies at
/// (r % 32) * 16 + (r / 32) * 4 + c.
struct TiledLayout {
  SmallVector<Value> leading;
  Value rows, columns;
  Value rowTiles, columnTiles;

  TiledLayout(ImplicitLocOpBuilder &b, ArrayRef<Value> linearSizes)
      : leading(linearSizes.drop_back(2)),
        rows(linearSizes[linearSizes.size() - 2]), columns(linearSizes.back()),
        rowTiles(ceilDiv(b, rows, 128)), columnTiles(ceilDiv(b, columns, 4)) {}

  Value tileOffset(ImplicitLocOpBuilder &b, Value rowTile,
                   Value columnTile) const {
    Value row = b.createOrFold<arith::MulIOp>(rowTile, columnTiles);
    return mul(b, add(b, row, columnTile), 512);
  }
};

} // namespace

SmallVector<Value> decompose::scaleSizes(ImplicitLocOpBuilder &b,
                                         BlockedType type, ValueRange sizes) {
  SmallVector<Value> result;
  for (auto [dim, size] : llvm::enumerate(sizes))
    result.push_back(ceilDiv(b, size, type.getElementsPerScale(dim)));
  return result;
}

SmallVector<Value> decompose::scaleIndices(ImplicitLocOpBuilder &b,
                                           BlockedType type,
                                           ValueRange position) {
  SmallVector<Value> result;
  for (auto [dim, i] : llvm::enumerate(position))
    result.push_back(floorDiv(b, i, type.getElementsPerScale(dim)));
  return result;
}

Value decompose::tileScales(ImplicitLocOpBuilder &b, BlockedType type,
                            ValueRange sizes, Value scales) {
  SmallVector<Value> linear = scaleSizes(b, type, sizes);
  TiledLayout layout(b, linear);
  int64_t axis = layout.leading.size();

  // One iteration writes 16 bytes: four columns of rows i, i + 32, i + 64 and
  // i + 96 of a tile.
  SmallVector<Value> outSizes = layout.leading, bounds = layout.leading;
  outSizes.push_back(
      mul(b, b.createOrFold<arith::MulIOp>(layout.rowTiles, layout.columnTiles),
          512));
  llvm::append_values(bounds, layout.rowTiles, layout.columnTiles,
                      index(b, 32));
  RankedTensorType resultType =
      type.withLayout(ScaleLayout::Tcgen05_128x4).getScalesType();
  Value init = emptyTensor(b, resultType, outSizes);
  return buildForall(
      b, bounds, init,
      [&](ValueRange ivs, ValueRange outputs,
          SmallVectorImpl<FinishedSlice> &finished) {
        Value rowTile = ivs[axis], columnTile = ivs[axis + 1],
              i = ivs[axis + 2];
        Value column = mul(b, columnTile, 4);
        Extent extent = Extent::of(b, layout.columns, column, 4);
        Value bytes = zeroVector(b, b.getI8Type(), 16);
        Value none = zeroVector(b, b.getI8Type(), 4);
        for (int64_t quarter = 0; quarter < 4; ++quarter) {
          Value row =
              add(b, add(b, mul(b, rowTile, 128), i), index(b, 32 * quarter));
          SmallVector<Value> from(ivs.take_front(axis));
          llvm::append_values(from, row, column);
          Value exists = arith::CmpIOp::create(b, arith::CmpIPredicate::ult,
                                               row, layout.rows);
          auto branch = scf::IfOp::create(
              b, exists,
              [&](OpBuilder &, Location) {
                scf::YieldOp::create(
                    b, readVector(b, scales, from, axis + 1, 4, extent));
              },
              [&](OpBuilder &, Location) { scf::YieldOp::create(b, none); });
          bytes = vector::InsertStridedSliceOp::create(
              b, branch.getResult(0), bytes, ArrayRef<int64_t>{quarter * 4},
              ArrayRef<int64_t>{1});
        }
        SmallVector<Value> to(ivs.take_front(axis));
        to.push_back(
            add(b, layout.tileOffset(b, rowTile, columnTile), mul(b, i, 16)));
        Slice slice{outputs[0], to,
                    sliceSizes(b, axis + 1, axis, index(b, 16))};
        finished.push_back({slice, writeVector(b, bytes, slice.extract(b), axis,
                                               Extent::full())});
      })[0];
}

Value decompose::untileScales(ImplicitLocOpBuilder &b, BlockedType type,
                              ValueRange sizes, Value scales) {
  SmallVector<Value> linear = scaleSizes(b, type, sizes);
  TiledLayout layout(b, linear);
  int64_t axis = layout.leading.size();
  SmallVector<Value> bounds = layout.leading;
  llvm::append_values(bounds, layout.rows, layout.columnTiles);
  Value init = emptyTensor(
      b, type.withLayout(ScaleLayout::Linear).getScalesType(), linear);
  return buildForall(
      b, bounds, init,
      [&](ValueRange ivs, ValueRange outputs,
          SmallVectorImpl<FinishedSlice> &finished) {
        Value row = ivs[axis], columnTile = ivs[axis + 1];
        Value rowTile = floorDiv(b, row, 128);
        auto modulo = [&](int64_t divisor) -> Value {
          return arith::RemUIOp::create(b, row, index(b, divisor));
        };
        Value quarter = floorDiv(b, modulo(128), 32);
        SmallVector<Value> from(ivs.take_front(axis)), to = from;
        from.push_back(add(b, layout.tileOffset(b, rowTile, columnTile),
                           add(b, mul(b, modulo(32), 16), mul(b, quarter, 4))));
        Value bytes = readVector(b, scales, from, axis, 4, Extent::full());
        Value column = mul(b, columnTile, 4);
        llvm::append_values(to, row, column);
        Extent extent = Extent::of(b, layout.columns, column, 4);
        Slice slice{outputs[0], to,
                    sliceSizes(b, axis + 2, axis + 1, extent.getCount(b, 4))};
        finished.push_back(
            {slice, writeVector(b, bytes, slice.extract(b), axis + 1, extent)});
      })[0];
}

Value decompose::getLinearScales(ImplicitLocOpBuilder &b, BlockedType type,
                                 const Components &value) {
  if (type.getLayout() == ScaleLayout::Linear)
    return value.scales;
  SmallVector<Value> sizes = getSizes(b, type, value);
  if (type.isGrouped())
    return untileGroups(b, type, sizes, value.offsets, value.scales);
  return untileScales(b, type, sizes, value.scales);
}

//===----------------------------------------------------------------------===//
// Patterns
//===----------------------------------------------------------------------===//

namespace {

struct PackPattern : OpConversionPattern<PackOp> {
  using OpConversionPattern::OpConversionPattern;
  LogicalResult
  matchAndRewrite(PackOp op, OpAdaptor adaptor,
                  ConversionPatternRewriter &rewriter) const override {
    auto type = op.getType();
    SmallVector<Value> values(adaptor.getComponents());
    if (carriesLastDim(type))
      values.push_back(adaptor.getDynamicDims().back());
    rewriter.replaceOpWithMultiple(op, {values});
    return success();
  }
};

struct UnpackPattern : OpConversionPattern<UnpackOp> {
  using OpConversionPattern::OpConversionPattern;
  LogicalResult
  matchAndRewrite(UnpackOp op, OneToNOpAdaptor adaptor,
                  ConversionPatternRewriter &rewriter) const override {
    rewriter.replaceOp(op, adaptor.getSource().take_front(op->getNumResults()));
    return success();
  }
};

struct DimPattern : OpConversionPattern<DimOp> {
  using OpConversionPattern::OpConversionPattern;
  LogicalResult
  matchAndRewrite(DimOp op, OneToNOpAdaptor adaptor,
                  ConversionPatternRewriter &rewriter) const override {
    ImplicitLocOpBuilder b(nameLoc(op), rewriter);
    BlockedType type = op.getSource().getType();
    Components source = getComponents(type, adaptor.getSource());
    rewriter.replaceOp(op, getSize(b, type, source, op.getDim()));
    return success();
  }
};

/// Scales in linear order, to those of the transposed value.
Value permuteScales(ImplicitLocOpBuilder &b, BlockedType type,
                    BlockedType resultType, ArrayRef<int64_t> permutation,
                    ValueRange resultSizes, Value scales) {
  if (!type.isScaleReplicatedAlongRows())
    return permuteDims(b, scales, permutation);
  // What was a row of a tile becomes a column, and the other way round.
  return buildScalars(
      b, resultType.withLayout(ScaleLayout::Linear).getScalesType(),
      scaleSizes(b, resultType, resultSizes), 1,
      [&](ValueRange ivs) -> SmallVector<Value> {
        SmallVector<Value> position(ivs.size());
        for (auto [dim, from] : llvm::enumerate(permutation))
          position[from] =
              mul(b, ivs[dim], resultType.getElementsPerScale(dim));
        return {tensor::ExtractOp::create(b, scales,
                                          scaleIndices(b, type, position))};
      })[0];
}

struct TransposePattern : OpConversionPattern<TransposeOp> {
  using OpConversionPattern::OpConversionPattern;
  LogicalResult
  matchAndRewrite(TransposeOp op, OneToNOpAdaptor adaptor,
                  ConversionPatternRewriter &rewriter) const override {
    ImplicitLocOpBuilder b(nameLoc(op), rewriter);
    BlockedType type = op.getSource().getType(), resultType = op.getType();
    Components source = getComponents(type, adaptor.getSource()), result;
    ArrayRef<int64_t> permutation = op.getPermutation();
    SmallVector<Value> sizes = getSizes(b, type, source), resultSizes;
    for (int64_t dim : permutation)
      resultSizes.push_back(sizes[dim]);

    bool movesPackedDim = type.getFormat().getStorageBits() == 4 &&
                          permutation.back() != type.getRank() - 1;
    if (movesPackedDim) {
      Value codes = unpackNibbles(b, source.codes, sizes.back());
      codes = permuteDims(b, codes, permutation);
      result.codes = packNibbles(b, codes, resultType.getCodesType());
    } else {
      result.codes = permuteDims(b, source.codes, permutation);
    }
    Value scales = getLinearScales(b, type, source);
    auto permutePart = [&](BlockedType from, BlockedType to,
                           ValueRange partSizes, Value part) {
      return permuteScales(b, from, to, permutation, partSizes, part);
    };
    result.scales =
        type.isGrouped()
            ? permuteGroupScales(b, type, resultType, resultSizes,
                                 source.offsets, scales, permutePart)
            : permutePart(type, resultType, resultSizes, scales);
    result.offsets = source.offsets;
    if (source.outer)
      result.outer =
          permuteOuter(b, type, resultType, permutation, source.outer);
    if (carriesLastDim(resultType))
      result.lastDim = resultSizes.back();
    rewriter.replaceOpWithMultiple(op, {result.flatten()});
    return success();
  }
};

struct ConvertLayoutPattern : OpConversionPattern<ConvertLayoutOp> {
  using OpConversionPattern::OpConversionPattern;
  LogicalResult
  matchAndRewrite(ConvertLayoutOp op, OneToNOpAdaptor adaptor,
                  ConversionPatternRewriter &rewriter) const override {
    ImplicitLocOpBuilder b(nameLoc(op), rewriter);
    BlockedType type = op.getSource().getType(), resultType = op.getType();
    Components value = getComponents(type, adaptor.getSource());
    if (type.getLayout() != resultType.getLayout()) {
      SmallVector<Value> sizes = getSizes(b, type, value);
      if (type.getLayout() == ScaleLayout::Tcgen05_128x4)
        value.scales = getLinearScales(b, type, value);
      else if (type.isGrouped())
        value.scales = tileGroups(b, type, sizes, value.offsets, value.scales);
      else
        value.scales = tileScales(b, type, sizes, value.scales);
    }
    rewriter.replaceOpWithMultiple(op, {value.flatten()});
    return success();
  }
};

} // namespace

Value decompose::permuteOuter(ImplicitLocOpBuilder &b, BlockedType type,
                              BlockedType resultType,
                              ArrayRef<int64_t> permutation, Value outer) {
  SmallVector<int64_t> axes;
  int64_t leading = type.hasOuterPerGroup() ? 1 : 0;
  if (leading)
    axes.push_back(0);
  for (int64_t axis : resultType.getOuterAxes())
    axes.push_back(leading +
                   (llvm::find(type.getOuterAxes(), permutation[axis]) -
                    type.getOuterAxes().begin()));
  return permuteDims(b, outer, axes);
}

void decompose::populateComponentPatterns(const TypeConverter &converter,
                                          RewritePatternSet &patterns) {
  patterns.add<PackPattern, UnpackPattern, DimPattern, TransposePattern,
               ConvertLayoutPattern>(converter, patterns.getContext());
}
