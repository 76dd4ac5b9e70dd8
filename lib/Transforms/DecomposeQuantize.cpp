//===- DecomposeQuantize.cpp - Quantise and requantise --------------------===//
//
// Part of the Lowp project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "DecomposeUtils.h"

#include "lowp/IR/LowpNumerics.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/Dialect/Utils/StaticValueUtils.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir;
using namespace mlir::lowp;
using namespace mlir::lowp::decompose;

namespace {

/// Outer scales of all groups, one tensor each; null without an outer scale.
struct OuterTensors {
  Value encode;
  Value decode;
  /// Null where the decode scale was given.
  Value amax;
};

/// The outer scale of one block's group.
struct Group {
  Value encode;
  Value decode;
  /// What `lowp.block_error` measures with.
  Value error;
};

/// A scale that a block may get, and what its elements are encoded with.
struct Candidate {
  Value scale;
  Value factor;
  /// Whether the codes are wanted; all are +0 otherwise.
  Value valid;
};

/// The dim that the elements of a block lie along: the columns of a tile.
int64_t getAxis(BlockedType type) {
  return type.getBlockAxis().value_or(type.getRank() - 1);
}

/// Builds the decomposition of one quantisation to linear scales.
class Quantizer {
public:
  Quantizer(ImplicitLocOpBuilder &b, Value source,
            ArrayRef<int64_t> permutation, BlockedType type, RuleAttr rule,
            const RandomKey &key)
      : b(b), source(source), permutation(permutation), type(type), rule(rule),
        key(key), format(type.getFormat()), rank(type.getRank()) {
    SmallVector<Value> sourceSizes = decompose::getSizes(b, source);
    for (auto [dim, from] : llvm::enumerate(permutation))
      sizes.push_back(type.isDynamicDim(dim) ? sourceSizes[from]
                                             : index(b, type.getDimSize(dim)));
    axis = getAxis(type);
    width = type.getBlockShape()[axis];
    packed = format.getStorageBits() == 4;
    packedInPlace = packed && axis == rank - 1 && width % 2 == 0;
  }

  ValueRange logicalSizes() const { return sizes; }

  Components run(Value givenScale, Value givenAmax) {
    if (type.hasOuter()) {
      Location loc = b.getLoc();
      outer = buildOuter(givenScale, givenAmax);
      b.setLoc(loc);
    }

    RankedTensorType bytesType =
        RankedTensorType::get(type.getShape(), b.getI8Type());
    Value codes = packedInPlace
                      ? emptyTensor(b, type.getCodesType(), storedSizes())
                      : emptyTensor(b, bytesType, sizes);
    Value scales =
        emptyTensor(b, type.getScalesType(), scaleSizes(b, type, sizes));

    SmallVector<Value> bounds;
    for (auto [size, block] : llvm::zip_equal(sizes, type.getBlockShape()))
      bounds.push_back(ceilDiv(b, size, block));
    SmallVector<Value> results = buildForall(
        b, bounds, {codes, scales},
        [&](ValueRange ivs, ValueRange outputs,
            SmallVectorImpl<FinishedSlice> &finished) {
          SmallVector<Value> position;
          for (auto [iv, block] : llvm::zip_equal(ivs, type.getBlockShape()))
            position.push_back(mul(b, iv, block));
          if (type.isTiled())
            buildTile(position, outputs[0], outputs[1], finished);
          else
            buildBlock(position, outputs[0], outputs[1], finished);
        });

    Components result;
    result.codes = packed && !packedInPlace
                       ? packNibbles(b, results[0], type.getCodesType())
                       : results[0];
    result.scales = results[1];
    result.outer = outer.decode;
    if (carriesLastDim(type))
      result.lastDim = sizes.back();
    return result;
  }

private:
  SmallVector<Value> storedSizes() {
    SmallVector<Value> stored(sizes);
    stored.back() = ceilDiv(b, sizes.back(), 2);
    return stored;
  }

  /// The index into the source of a logical position.
  SmallVector<Value> sourceIndices(ValueRange position) const {
    SmallVector<Value> indices(rank);
    for (auto [dim, from] : llvm::enumerate(permutation))
      indices[from] = position[dim];
    return indices;
  }

  Value readSource(ValueRange position, int64_t dim, int64_t count,
                   const Extent &extent) {
    return readVectorF32(b, source, sourceIndices(position), permutation[dim],
                         count, extent);
  }

  //===--------------------------------------------------------------------===//
  // Outer scales
  //===--------------------------------------------------------------------===//

  OuterTensors buildOuter(Value givenScale, Value givenAmax) {
    SmallVector<Value> groups;
    for (int64_t dim : type.getOuterAxes())
      groups.push_back(sizes[dim]);
    OuterTensors tensors;
    OuterSource from = givenScale ? OuterSource::Scale : OuterSource::Amax;
    Location loc = b.getLoc();
    b.setLoc(nameLoc(loc, "amax"));
    if (!givenScale)
      tensors.amax = givenAmax ? givenAmax : buildAmaxes(groups);
    b.setLoc(nameLoc(loc, "outer"));
    Value given = givenScale ? givenScale : tensors.amax;
    SmallVector<Value> scales =
        buildScalars(b, type.getOuterType(), groups, 2,
                     [&](ValueRange ivs) -> SmallVector<Value> {
                       Value value = tensor::ExtractOp::create(b, given, ivs);
                       auto scale =
                           OuterScaleOp::create(b, value, format, rule, from);
                       return {scale.getEncode(), scale.getDecode()};
                     });
    tensors.encode = scales[0];
    tensors.decode = scales[1];
    return tensors;
  }

  /// Elements that one step of the search for the largest magnitude reads.
  int64_t amaxWidth(Value size) const {
    int64_t count = 64;
    if (std::optional<int64_t> known = getConstantIntValue(size))
      while (count > 16 && *known % count != 0)
        count /= 2;
    return count;
  }

  /// Largest magnitudes of the outer groups: along one dim first, where every
  /// row is independent, then over the rows of a group. The order is free,
  /// since a maximum does not depend on it.
  Value buildAmaxes(ValueRange groups) {
    // Along the source's contiguous dim where that is not an outer axis.
    int64_t inner = llvm::find(permutation, rank - 1) - permutation.begin();
    if (llvm::is_contained(type.getOuterAxes(), inner))
      inner = axis;
    SmallVector<int64_t> rowDims, rowShape;
    SmallVector<Value> rowSizes;
    for (int64_t dim = 0; dim < rank; ++dim) {
      if (dim == inner)
        continue;
      rowDims.push_back(dim);
      rowShape.push_back(type.getDimSize(dim));
      rowSizes.push_back(sizes[dim]);
    }
    int64_t count = amaxWidth(sizes[inner]);
    Value zero = f32Constant(b, 0.0f);
    Value rows = buildScalars(
        b, RankedTensorType::get(rowShape, b.getF32Type()), rowSizes, 1,
        [&](ValueRange ivs) {
          return buildFor(
              b, index(b, 0), sizes[inner], count, zero,
              [&](Value k, ValueRange carried) -> SmallVector<Value> {
                SmallVector<Value> position(rank);
                for (auto [dim, iv] : llvm::zip_equal(rowDims, ivs))
                  position[dim] = iv;
                position[inner] = k;
                Extent extent = Extent::of(b, sizes[inner], k, count);
                Value values = readSource(position, inner, count, extent);
                return {largest(carried[0], amaxOf(values))};
              });
        })[0];
    if (llvm::equal(rowDims, type.getOuterAxes()))
      return rows;

    SmallVector<Value> reduced;
    for (auto [dim, size] : llvm::zip_equal(rowDims, rowSizes))
      if (!llvm::is_contained(type.getOuterAxes(), dim))
        reduced.push_back(size);
    return buildScalars(b, type.getOuterType(), groups, 1, [&](ValueRange ivs) {
      return buildForNest(
          b, reduced, zero,
          [&](ValueRange inners, ValueRange carried) -> SmallVector<Value> {
            SmallVector<Value> indices;
            auto group = ivs.begin();
            auto member = inners.begin();
            for (int64_t dim : rowDims)
              indices.push_back(llvm::is_contained(type.getOuterAxes(), dim)
                                    ? *group++
                                    : *member++);
            Value row = tensor::ExtractOp::create(b, rows, indices);
            return {largest(carried[0], row)};
          });
    })[0];
  }

  Value largest(Value lhs, Value rhs) {
    return arith::MaximumFOp::create(b, lhs, rhs);
  }

  Value amaxOf(Value values) {
    return BlockAmaxOp::create(b, values, rule.getNonFinite());
  }

  Group readGroup(ValueRange position) {
    Group group;
    if (!type.hasOuter()) {
      group.error = f32Constant(b, 1.0f);
      return group;
    }
    SmallVector<Value> indices;
    for (int64_t dim : type.getOuterAxes())
      indices.push_back(position[dim]);
    group.encode = tensor::ExtractOp::create(b, outer.encode, indices);
    group.decode = tensor::ExtractOp::create(b, outer.decode, indices);
    if (rule.getFourSixError() == FourSixError::Scaled)
      group.error = group.encode;
    else if (!outer.amax)
      group.error = group.decode;
    else if (isFourSix())
      group.error = tensor::ExtractOp::create(b, outer.amax, indices);
    return group;
  }

  bool isFourSix() const { return rule.getFourSix() != FourSix::None; }

  //===--------------------------------------------------------------------===//
  // One block
  //===--------------------------------------------------------------------===//

  Candidate makeCandidate(Value amax, const Group &group, bool four) {
    Type scaleType =
        format.hasF32Scale() ? Type(b.getF32Type()) : Type(b.getI8Type());
    auto op =
        BlockScaleOp::create(b, scaleType, b.getF32Type(), amax, group.encode,
                             group.decode, format, rule, four);
    return {op.getScale(), op.getFactor(), isValid(op.getScale())};
  }

  Value byteConstant(int64_t value) {
    return arith::ConstantOp::create(
        b, b.getIntegerAttr(b.getI8Type(), static_cast<int8_t>(value)));
  }

  /// Codes are +0 where the scale is NaN and, by rule, where it is zero.
  Value isValid(Value scale) {
    if (format.hasF32Scale())
      return arith::CmpFOp::create(b, arith::CmpFPredicate::ORD, scale, scale);
    int64_t nan = format.hasUE8M0Scale() ? 0xFF : 0x7F;
    if (!zeroesCodes() || saturates())
      return arith::CmpIOp::create(b, arith::CmpIPredicate::ne, scale,
                                   byteConstant(nan));
    // Neither 0 nor NaN, in one comparison.
    Value below = arith::SubIOp::create(b, scale, byteConstant(1));
    return arith::CmpIOp::create(b, arith::CmpIPredicate::ult, below,
                                 byteConstant(nan - 1));
  }

  bool zeroesCodes() const {
    return format.hasUE4M3Scale() && rule.getSfZero() == SfZero::ZeroCodes;
  }
  bool saturates() const { return rule.getNonFinite() == NonFinite::Saturate; }

  /// Random bits of the elements from `position`; null for nearest rounding.
  /// They follow from the coordinates in the result, whatever the source.
  Value randomBits(ValueRange position) {
    if (!rule.isStochastic())
      return {};
    // In the coordinates of the whole value, where this is a part of one.
    SmallVector<Value> wholeSizes(sizes), at(position);
    if (key.part.number) {
      wholeSizes[key.partAxis] = key.wholeSize;
      if (key.partAxis != axis)
        at[key.partAxis] = add(b, at[key.partAxis], key.part.first);
    }
    Value row = index(b, 0);
    for (int64_t dim = 0; dim < rank; ++dim)
      if (dim != axis)
        row = add(b, mul(b, row, wholeSizes[dim]), at[dim]);
    int64_t size =
        ::lowp::numerics::randomGroupSize(getRandomSharing(rule.getBits()));
    Value rowStart;
    if (key.part.number && key.partAxis == axis) {
      Value perRow = add(b, floorDiv(b, key.wholeSize, size), key.parts);
      Value before = add(b, floorDiv(b, key.part.first, size), key.part.number);
      rowStart = add(b, mul(b, row, perRow), before);
    } else {
      rowStart = mul(b, row, ceilDiv(b, wholeSizes[axis], size));
    }
    return buildRandomBits(b, rule, format.getElementType(), key, rowStart,
                           at[axis], width);
  }

  Value encode(Value values, Value random, const Group &group,
               const Candidate &candidate) {
    Value factor = splat(b, candidate.factor, width);
    Value scaled = values;
    // A power of two is applied to the values under the outer scale.
    if (format.hasUE8M0Scale() && group.encode)
      scaled = arith::MulFOp::create(b, scaled, splat(b, group.encode, width));
    // This order of operations divides by sf / g.
    if (rule.getSfArith() == SfArith::CompressedTensors)
      scaled = arith::DivFOp::create(b, scaled, factor);
    else
      scaled = arith::MulFOp::create(b, scaled, factor);
    // The factor of this order may be infinite; zeros, those beyond the end of
    // a short block included, stay zeros.
    if (rule.getSfArith() == SfArith::Torchao) {
      Value zero = zeroVector(b, b.getF32Type(), width);
      Value isZero =
          arith::CmpFOp::create(b, arith::CmpFPredicate::OEQ, values, zero);
      scaled = arith::SelectOp::create(b, isZero, values, scaled);
    }
    if (saturates() && zeroesCodes())
      scaled = keepNonFinite(values, scaled, candidate.scale);
    auto codesType =
        VectorType::get({packedInPlace ? width / 2 : width}, b.getI8Type());
    return EncodeOp::create(b, codesType, scaled, candidate.valid, random,
                            format.getElementType(), rule);
  }

  /// Under `saturate`, infinities and NaN have their codes in blocks of scale
  /// zero too, where every other code is +0.
  Value keepNonFinite(Value values, Value scaled, Value scale) {
    auto bitsType = VectorType::get({width}, b.getI32Type());
    auto bits = [&](int32_t value) -> Value {
      return arith::ConstantOp::create(
          b, DenseElementsAttr::get(bitsType, b.getI32IntegerAttr(value)));
    };
    Value isZero = arith::CmpIOp::create(b, arith::CmpIPredicate::eq, scale,
                                         byteConstant(0));
    scaled = arith::SelectOp::create(
        b, isZero, zeroVector(b, b.getF32Type(), width), scaled);
    Value magnitude = arith::AndIOp::create(
        b, arith::BitcastOp::create(b, bitsType, values), bits(0x7FFFFFFF));
    Value finite = arith::CmpIOp::create(b, arith::CmpIPredicate::ult,
                                         magnitude, bits(0x7F800000));
    return arith::SelectOp::create(b, finite, scaled, values);
  }

  Value blockError(Value values, Value codes, const Group &group,
                   const Candidate &candidate) {
    Value decoded =
        DecodeOp::create(b, values.getType(), codes, format.getElementType());
    Value scale =
        DecodeScaleOp::create(b, candidate.scale, type.getScaleType());
    bool givenScale =
        rule.getFourSixError() == FourSixError::Dequantized && !outer.amax;
    return BlockErrorOp::create(b, values, decoded, scale, group.error, format,
                                rule, givenScale);
  }

  Value isBetter(Value fourError, Value sixError) {
    return arith::CmpFOp::create(b, arith::CmpFPredicate::OLT, fourError,
                                 sixError);
  }

  Value select(Value condition, Value yes, Value no) {
    return arith::SelectOp::create(b, condition, yes, no);
  }

  /// The codes of a row of a block, at `position`.
  Slice codesSlice(Value codes, ValueRange position, Value rows,
                   const Extent &stored) {
    SmallVector<Value> offsets(position);
    if (packedInPlace)
      offsets[axis] = floorDiv(b, offsets[axis], 2);
    SmallVector<Value> extents = sliceSizes(
        b, rank, axis, stored.getCount(b, packedInPlace ? width / 2 : width));
    if (rows)
      extents[rank - 2] = rows;
    return {codes, offsets, extents};
  }

  /// How many of the bytes that hold a block's codes exist.
  Extent storedExtent(ValueRange position, const Extent &extent) {
    if (!packedInPlace)
      return extent;
    return Extent::of(b, ceilDiv(b, sizes[axis], 2),
                      floorDiv(b, position[axis], 2), width / 2);
  }

  void buildBlock(ValueRange position, Value codes, Value scales,
                  SmallVectorImpl<FinishedSlice> &finished) {
    Extent extent = Extent::of(b, sizes[axis], position[axis], width);
    Value values = readSource(position, axis, width, extent);
    Group group = readGroup(position);
    Value amax = amaxOf(values);
    Candidate six = makeCandidate(amax, group, /*four=*/false);
    Value random = randomBits(position);
    Value blockCodes = encode(values, random, group, six), scale = six.scale;
    if (isFourSix()) {
      Candidate four = makeCandidate(amax, group, /*four=*/true);
      Value fourCodes = encode(values, random, group, four);
      Value better = isBetter(blockError(values, fourCodes, group, four),
                              blockError(values, blockCodes, group, six));
      blockCodes = select(better, fourCodes, blockCodes);
      scale = select(better, four.scale, scale);
    }

    Extent stored = storedExtent(position, extent);
    Slice codesAt = codesSlice(codes, position, /*rows=*/{}, stored);
    finished.push_back({codesAt, writeVector(b, blockCodes, codesAt.extract(b),
                                             axis, stored)});
    Slice scaleAt{scales, scaleIndices(b, type, position),
                  SmallVector<Value>(rank, index(b, 1))};
    finished.push_back({scaleAt, writeScalar(b, scale, scaleAt.extract(b))});
  }

  //===--------------------------------------------------------------------===//
  // One tile of the last two dims
  //===--------------------------------------------------------------------===//

  void buildTile(ValueRange position, Value codes, Value scales,
                 SmallVectorImpl<FinishedSlice> &finished) {
    int64_t tileRows = type.getBlockShape()[rank - 2];
    Extent extent = Extent::of(b, sizes[axis], position[axis], width);
    Value rows = Extent::of(b, sizes[rank - 2], position[rank - 2], tileRows)
                     .getCount(b, tileRows);
    Group group = readGroup(position);
    auto atRow = [&](Value row) {
      SmallVector<Value> at(position);
      at[rank - 2] = add(b, at[rank - 2], row);
      return at;
    };
    auto readRow = [&](Value row) {
      return readSource(atRow(row), axis, width, extent);
    };
    Value zero = index(b, 0);
    Value amax =
        buildFor(b, zero, rows, 1, f32Constant(b, 0.0f),
                 [&](Value row, ValueRange carried) -> SmallVector<Value> {
                   return {largest(carried[0], amaxOf(readRow(row)))};
                 })[0];
    Candidate chosen = makeCandidate(amax, group, /*four=*/false);
    if (isFourSix()) {
      Candidate four = makeCandidate(amax, group, /*four=*/true);
      int64_t count = llvm::PowerOf2Ceil(tileRows);
      Value none = zeroVector(b, b.getF32Type(), count);
      const Candidate candidates[] = {four, chosen};
      SmallVector<Value> errors = buildFor(
          b, zero, rows, 1, {none, none},
          [&](Value row, ValueRange carried) -> SmallVector<Value> {
            Value values = readRow(row);
            SmallVector<Value> next;
            for (auto [sum, candidate] : llvm::zip_equal(carried, candidates)) {
              Value codes =
                  encode(values, /*random=*/Value(), group, candidate);
              Value error = blockError(values, codes, group, candidate);
              next.push_back(
                  vector::InsertOp::create(b, error, sum, OpFoldResult(row)));
            }
            return next;
          });
      Value better = isBetter(sumOfRows(errors[0]), sumOfRows(errors[1]));
      chosen.scale = select(better, four.scale, chosen.scale);
      chosen.factor = select(better, four.factor, chosen.factor);
      chosen.valid = select(better, four.valid, chosen.valid);
    }

    Extent stored = storedExtent(position, extent);
    Slice codesAt = codesSlice(codes, position, rows, stored);
    Slice scalesAt{scales, scaleIndices(b, type, position),
                   SmallVector<Value>(rank, index(b, 1))};
    bool replicated = type.isScaleReplicatedAlongRows();
    if (replicated)
      scalesAt.sizes[rank - 2] = rows;
    SmallVector<Value> written = buildFor(
        b, zero, rows, 1, {codesAt.extract(b), scalesAt.extract(b)},
        [&](Value row, ValueRange carried) -> SmallVector<Value> {
          Value rowCodes =
              encode(readRow(row), randomBits(atRow(row)), group, chosen);
          SmallVector<Value> start(rank, zero);
          start[rank - 2] = row;
          Slice rowAt{carried[0], start,
                      sliceSizes(b, rank, axis, codesAt.sizes[axis])};
          Value codesRow =
              writeVector(b, rowCodes, rowAt.extract(b), axis, stored);
          SmallVector<OpFoldResult> strides(rank, b.getIndexAttr(1));
          Value nextCodes = tensor::InsertSliceOp::create(
              b, codesRow, carried[0], getAsOpFoldResult(rowAt.offsets),
              getAsOpFoldResult(rowAt.sizes), strides);
          SmallVector<Value> scaleIndex(rank, zero);
          if (replicated)
            scaleIndex[rank - 2] = row;
          Value nextScales =
              tensor::InsertOp::create(b, chosen.scale, carried[1], scaleIndex);
          return {nextCodes, nextScales};
        });
    finished.push_back({codesAt, written[0]});
    finished.push_back({scalesAt, written[1]});
  }

  /// Errors of the rows of a tile in one: halves onto each other, so that the
  /// order does not depend on the number of rows that exist.
  Value sumOfRows(Value errors) {
    int64_t count = cast<VectorType>(errors.getType()).getDimSize(0);
    for (int64_t half = count / 2; half > 0; half /= 2) {
      auto part = [&](int64_t offset) -> Value {
        return vector::ExtractStridedSliceOp::create(
            b, errors, ArrayRef<int64_t>{offset}, ArrayRef<int64_t>{half},
            ArrayRef<int64_t>{1});
      };
      Value low = part(0), high = part(half);
      errors = rule.getFourSix() == FourSix::Absmax
                   ? Value(arith::MaximumFOp::create(b, low, high))
                   : Value(arith::AddFOp::create(b, low, high));
    }
    return vector::ExtractOp::create(b, errors, ArrayRef<int64_t>{0});
  }

  ImplicitLocOpBuilder &b;
  Value source;
  ArrayRef<int64_t> permutation;
  BlockedType type;
  RuleAttr rule;
  const RandomKey &key;
  FormatAttr format;
  int64_t rank;

  /// The dim that the elements of a block lie along (the columns of a tile),
  /// and how many there are.
  int64_t axis;
  int64_t width;
  /// Codes are stored in pairs; `packedInPlace`: the pairs lie within blocks.
  bool packed;
  bool packedInPlace;
  SmallVector<Value> sizes;
  OuterTensors outer;
};

} // namespace

Components decompose::quantize(ImplicitLocOpBuilder &b, Value source,
                               ArrayRef<int64_t> permutation, BlockedType type,
                               RuleAttr rule, const RandomKey &key,
                               Value offsets, Value givenScale,
                               Value givenAmax) {
  if (type.isGrouped())
    return quantizeGroups(
        b, source, permutation, type, offsets, givenScale, givenAmax,
        // The numbers of random groups begin anew in each group of the axis
        // that they lie along.
        rule.isStochastic() && type.getGroupAxis() == getAxis(type),
        [&](Value part, BlockedType partType, Value partScale, Value partAmax,
            const GroupRange &group) {
          RandomKey partKey = key;
          if (rule.isStochastic() && group.number) {
            partKey.part = group;
            partKey.partAxis = type.getGroupAxis();
            partKey.parts = getGroupCount(b, offsets);
            partKey.wholeSize =
                getSizes(b, source)[permutation[type.getGroupAxis()]];
          }
          return quantize(b, part, permutation, partType, rule, partKey,
                          /*offsets=*/{}, partScale, partAmax);
        });
  Quantizer quantizer(b, source, permutation,
                      type.withLayout(ScaleLayout::Linear), rule, key);
  Components result = quantizer.run(givenScale, givenAmax);
  if (type.getLayout() == ScaleLayout::Tcgen05_128x4)
    result.scales =
        tileScales(b, type, quantizer.logicalSizes(), result.scales);
  return result;
}

//===----------------------------------------------------------------------===//
// Patterns
//===----------------------------------------------------------------------===//

/// The key of an operation that rounds stochastically.
template <typename Op>
static RandomKey getKey(Op op, ConversionPatternRewriter &rewriter) {
  if (!op.getRule().isStochastic())
    return {};
  return {rewriter.getRemappedValue(op.getSeed()),
          rewriter.getRemappedValue(op.getStep()), op.getStreamAttr()};
}

namespace {

struct QuantizePattern : OpConversionPattern<QuantizeOp> {
  using OpConversionPattern::OpConversionPattern;
  LogicalResult
  matchAndRewrite(QuantizeOp op, OpAdaptor adaptor,
                  ConversionPatternRewriter &rewriter) const override {
    ImplicitLocOpBuilder b(nameLoc(op), rewriter);
    BlockedType type = op.getType();
    auto identity = llvm::to_vector(llvm::seq<int64_t>(0, type.getRank()));
    Value offsets;
    if (type.isGrouped())
      offsets = toOffsets(b, type, adaptor.getOffsets());
    Components result =
        quantize(b, adaptor.getSource(), identity, type, op.getRule(),
                 getKey(op, rewriter), offsets, adaptor.getOuterScale(),
                 adaptor.getOuterAmax());
    rewriter.replaceOpWithMultiple(op, {result.flatten()});
    return success();
  }
};

struct RequantizePattern : OpConversionPattern<RequantizeOp> {
  using OpConversionPattern::OpConversionPattern;
  LogicalResult
  matchAndRewrite(RequantizeOp op, OneToNOpAdaptor adaptor,
                  ConversionPatternRewriter &rewriter) const override {
    ImplicitLocOpBuilder b(nameLoc(op), rewriter);
    BlockedType sourceType = op.getSource().getType(), type = op.getType();
    Components source = getComponents(sourceType, adaptor.getSource());
    SmallVector<int64_t> permutation =
        op.getPermutation()
            ? llvm::to_vector(*op.getPermutation())
            : llvm::to_vector(llvm::seq<int64_t>(0, type.getRank()));
    bool keep = op.getOuter() == OuterMode::Keep;
    auto valuesType =
        RankedTensorType::get(sourceType.getShape(), b.getF32Type());
    Value values =
        dequantize(b, sourceType, source, valuesType, /*applyOuter=*/!keep);
    BlockedType quantizedType = type;
    RuleAttr rule = op.getRule();
    if (keep) {
      quantizedType = BlockedType::get(
          type.getShape(), type.getFormat().withOuter(false),
          type.getBlockShape(), /*outerAxes=*/{}, type.getLayout(),
          type.getGroupAxis(), type.getGroups());
      // What the rule says of outer scales says nothing here.
      RuleFields fields = rule.getFields(), defaults;
      fields.outerMax = defaults.outerMax;
      fields.outerRepr = defaults.outerRepr;
      rule = RuleAttr::get(rule.getContext(), fields);
    }
    Value offsets;
    if (type.isGrouped() && sourceType.isGrouped()) {
      offsets = source.offsets;
      if (offsets.getType() != type.getOffsetsType())
        offsets = tensor::CastOp::create(b, type.getOffsetsType(), offsets);
    } else if (type.isGrouped()) {
      offsets = toOffsets(b, type, adaptor.getOffsets().front());
    }
    Components result = quantize(b, values, permutation, quantizedType, rule,
                                 getKey(op, rewriter), offsets,
                                 /*givenScale=*/{}, /*givenAmax=*/{});
    if (keep)
      result.outer =
          permuteOuter(b, sourceType, type, permutation, source.outer);
    rewriter.replaceOpWithMultiple(op, {result.flatten()});
    return success();
  }
};

} // namespace

void decompose::populateQuantizePatterns(const TypeConverter &converter,
                                         RewritePatternSet &patterns) {
  patterns.add<QuantizePattern, RequantizePattern>(converter,
                                                   patterns.getContext());
}
