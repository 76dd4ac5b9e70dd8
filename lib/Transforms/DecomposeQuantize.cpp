//===- DecomposeQuantize.cpp - Quantise and requantise --------------------===//
//
// Part of the Lowp project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Quantizer.h"

#include "lowp/IR/LowpNumerics.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/Dialect/Utils/StaticValueUtils.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "mlir/IR/TypeUtilities.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir;
using namespace mlir::lowp;
using namespace mlir::lowp::decompose;

Components Quantizer::run(Value givenScale, Value givenAmax,
                          const Components &into) {
  bool batches = canMakeBatches();
  bool outerPerRow = batches && !givenScale && !givenAmax && hasOuterPerRow();
  hasAmax = type.hasOuter() && !givenScale;
  if (outerPerRow) {
    outer.decode = into.outer
                       ? into.outer
                       : emptyTensor(b, type.getOuterType(), outerSizes());
  } else if (type.hasOuter()) {
    Location loc = b.getLoc();
    outer = buildOuter(givenScale, givenAmax);
    b.setLoc(loc);
  }

  RankedTensorType bytesType =
      RankedTensorType::get(type.getShape(), b.getI8Type());
  Value codes = into.codes;
  if (packed && !packedInPlace)
    codes = emptyTensor(b, bytesType, sizes);
  else if (!codes)
    codes = emptyTensor(b, type.getCodesType(),
                        packed ? storedSizes() : llvm::to_vector(sizes));
  Value scales = into.scales;
  if (!scales)
    scales = emptyTensor(b, type.getScalesType(), scaleSizes(b, type, sizes));

  SmallVector<Value> results;
  if (batches) {
    SmallVector<Value> outputs = {codes, scales};
    if (outerPerRow)
      outputs.push_back(outer.decode);
    results = buildRows(outputs);
    if (outerPerRow)
      outer.decode = results[2];
  } else {
    results = buildBlocks(codes, scales);
  }

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

SmallVector<Value> Quantizer::buildBlocks(Value codes, Value scales) {
  SmallVector<Value> bounds;
  for (auto [size, block] : llvm::zip_equal(sizes, type.getBlockShape()))
    bounds.push_back(ceilDiv(b, size, block));
  return buildForall(b, bounds, {codes, scales},
                     [&](ValueRange ivs, ValueRange outputs,
                         SmallVectorImpl<FinishedSlice> &finished) {
                       SmallVector<Value> position;
                       for (auto [iv, block] :
                            llvm::zip_equal(ivs, type.getBlockShape()))
                         position.push_back(mul(b, iv, block));
                       if (type.isTiled())
                         buildTile(position, outputs[0], outputs[1], finished);
                       else
                         buildBlock(position, position, readGroup(position),
                                    outputs[0], outputs[1], finished);
                     });
}

SmallVector<Value> Quantizer::outerSizes() const {
  SmallVector<Value> groups;
  for (int64_t dim : type.getOuterAxes())
    groups.push_back(sizes[dim]);
  return groups;
}

SmallVector<Value> Quantizer::storedSizes() {
  SmallVector<Value> stored(sizes);
  stored.back() = ceilDiv(b, sizes.back(), 2);
  return stored;
}

SmallVector<Value> Quantizer::sourceIndices(ValueRange position) const {
  SmallVector<Value> indices(rank);
  for (auto [dim, from] : llvm::enumerate(permutation))
    indices[from] = position[dim];
  return indices;
}

Value Quantizer::readSource(ValueRange position, int64_t dim, int64_t count,
                            const Extent &extent) {
  return readVectorF32(b, source, sourceIndices(position), permutation[dim],
                       count, extent);
}

//===----------------------------------------------------------------------===//
// One block
//===----------------------------------------------------------------------===//

Candidate Quantizer::makeCandidate(Value amax, const Group &group, bool four,
                                   bool regular) {
  Type scaleType = withElementType(amax.getType(), format.hasF32Scale()
                                                       ? Type(b.getF32Type())
                                                       : Type(b.getI8Type()));
  auto op =
      BlockScaleOp::create(b, scaleType, amax.getType(), amax, group.encode,
                           group.decode, format, rule, four, regular);
  Value decoded;
  if (isFourSix())
    decoded = DecodeScaleOp::create(b, op.getScale(), type.getScaleType());
  return {op.getScale(), op.getFactor(), isValid(op.getScale()), decoded};
}

Value Quantizer::byteConstant(int64_t value, Value bytes) {
  TypedAttr byte = b.getIntegerAttr(b.getI8Type(), static_cast<int8_t>(value));
  if (auto vectorType = dyn_cast<VectorType>(bytes.getType()))
    byte = DenseElementsAttr::get(vectorType, byte);
  return arith::ConstantOp::create(b, byte);
}

Value Quantizer::forElements(Value scalar, Value elements) {
  auto type = cast<VectorType>(elements.getType());
  return vector::BroadcastOp::create(
      b, type.clone(getElementTypeOrSelf(scalar)), scalar);
}

Value Quantizer::isValid(Value scale) {
  if (format.hasF32Scale())
    return arith::CmpFOp::create(b, arith::CmpFPredicate::ORD, scale, scale);
  int64_t nan = format.hasUE8M0Scale() ? 0xFF : 0x7F;
  if (!zeroesCodes() || saturates())
    return arith::CmpIOp::create(b, arith::CmpIPredicate::ne, scale,
                                 byteConstant(nan, scale));
  // Neither 0 nor NaN, in one comparison.
  Value below = arith::SubIOp::create(b, scale, byteConstant(1, scale));
  return arith::CmpIOp::create(b, arith::CmpIPredicate::ult, below,
                               byteConstant(nan - 1, scale));
}

bool Quantizer::zeroesCodes() const {
  return format.hasUE4M3Scale() && rule.getSfZero() == SfZero::ZeroCodes;
}

Value Quantizer::randomBits(ValueRange position) {
  if (!rule.isStochastic())
    return {};
  return buildRandomBits(b, rule, format.getElementType(), key,
                         firstRandomGroup(position), position[axis], width);
}

int64_t Quantizer::randomGroupSize() const {
  return ::lowp::numerics::randomGroupSize(getRandomSharing(rule.getBits()));
}

bool Quantizer::isPartAlongAxis() const {
  return key.part.number && key.partAxis == axis;
}

Value Quantizer::randomGroupsPerRow() {
  int64_t size = randomGroupSize();
  if (!isPartAlongAxis())
    return ceilDiv(b, sizes[axis], size);
  if (!key.parts)
    return ceilDiv(b, key.wholeSize, size);
  return add(b, floorDiv(b, key.wholeSize, size), key.parts);
}

Value Quantizer::firstRandomGroup(ValueRange position) {
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
  Value first = mul(b, row, randomGroupsPerRow());
  if (!isPartAlongAxis())
    return first;
  first = add(b, first, floorDiv(b, key.part.first, randomGroupSize()));
  return key.parts ? add(b, first, key.part.number) : first;
}

Value Quantizer::encode(Value values, Value random, const Group &group,
                        const Candidate &candidate) {
  auto valuesType = cast<VectorType>(values.getType());
  Value factor = forElements(candidate.factor, values);
  Value scaled = values;
  // A power of two is applied to the values under the outer scale.
  if (format.hasUE8M0Scale() && group.encode)
    scaled =
        arith::MulFOp::create(b, scaled, forElements(group.encode, values));
  // This order of operations divides by sf / g.
  if (rule.getSfArith() == SfArith::CompressedTensors)
    scaled = arith::DivFOp::create(b, scaled, factor);
  else
    scaled = arith::MulFOp::create(b, scaled, factor);
  // The factor of this order may be infinite; zeros, those beyond the end of
  // a short block included, stay zeros.
  if (rule.getSfArith() == SfArith::Torchao) {
    Value zero = zeroLike(values);
    Value isZero =
        arith::CmpFOp::create(b, arith::CmpFPredicate::OEQ, values, zero);
    scaled = arith::SelectOp::create(b, isZero, values, scaled);
  }
  if (saturates() && zeroesCodes())
    scaled = keepNonFinite(values, scaled, candidate.scale);
  SmallVector<int64_t> codesShape(valuesType.getShape());
  if (packedInPlace)
    codesShape[0] /= 2;
  return EncodeOp::create(b, VectorType::get(codesShape, b.getI8Type()), scaled,
                          candidate.valid, random, format.getElementType(),
                          rule);
}

Value Quantizer::zeroLike(Value values) {
  return arith::ConstantOp::create(
      b, cast<TypedAttr>(b.getZeroAttr(values.getType())));
}

Value Quantizer::keepNonFinite(Value values, Value scaled, Value scale) {
  auto bitsType = cast<VectorType>(values.getType()).clone(b.getI32Type());
  auto bits = [&](int32_t value) -> Value {
    return arith::ConstantOp::create(
        b, DenseElementsAttr::get(bitsType, b.getI32IntegerAttr(value)));
  };
  Value isZero = arith::CmpIOp::create(b, arith::CmpIPredicate::eq, scale,
                                       byteConstant(0, scale));
  scaled = arith::SelectOp::create(b, forElements(isZero, values),
                                   zeroLike(values), scaled);
  Value magnitude = arith::AndIOp::create(
      b, arith::BitcastOp::create(b, bitsType, values), bits(0x7FFFFFFF));
  Value finite = arith::CmpIOp::create(b, arith::CmpIPredicate::ult, magnitude,
                                       bits(0x7F800000));
  return arith::SelectOp::create(b, finite, scaled, values);
}

Value Quantizer::blockError(Value values, Value codes, const Group &group,
                            const Candidate &candidate) {
  Value decoded =
      DecodeOp::create(b, values.getType(), codes, format.getElementType());
  return decodedError(values, decoded, group, candidate);
}

Value Quantizer::decodedError(Value values, Value decoded, const Group &group,
                              const Candidate &candidate) {
  return BlockErrorOp::create(b, values, decoded, candidate.decoded,
                              group.error, format, rule, measuresGivenScale());
}

Value Quantizer::isBetter(Value fourError, Value sixError) {
  return arith::CmpFOp::create(b, arith::CmpFPredicate::OLT, fourError,
                               sixError);
}

Value Quantizer::select(Value condition, Value yes, Value no) {
  return arith::SelectOp::create(b, condition, yes, no);
}

Slice Quantizer::codesSlice(Value codes, ValueRange position, Value rows,
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

Extent Quantizer::storedExtent(ValueRange position, const Extent &extent) {
  if (!packedInPlace)
    return extent;
  return Extent::of(b, ceilDiv(b, sizes[axis], 2),
                    floorDiv(b, position[axis], 2), width / 2);
}

void Quantizer::buildBlock(ValueRange position, ValueRange target,
                           const Group &group, Value codes, Value scales,
                           SmallVectorImpl<FinishedSlice> &finished) {
  Extent extent = Extent::of(b, sizes[axis], position[axis], width);
  Value values = readSource(position, axis, width, extent);
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
  Slice codesAt = codesSlice(codes, target, /*rows=*/{}, stored);
  finished.push_back(
      {codesAt, writeVector(b, blockCodes, codesAt.extract(b), axis, stored)});
  Slice scaleAt{scales, scaleIndices(b, type, target),
                SmallVector<Value>(rank, index(b, 1))};
  finished.push_back({scaleAt, writeScalar(b, scale, scaleAt.extract(b))});
}

Components decompose::quantize(ImplicitLocOpBuilder &b, Value source,
                               ArrayRef<int64_t> permutation, BlockedType type,
                               RuleAttr rule, const RandomKey &key,
                               Value offsets, Value givenScale, Value givenAmax,
                               Batching batching, const Components &into) {
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
                          /*offsets=*/{}, partScale, partAmax, batching);
        });
  Quantizer quantizer(b, source, permutation,
                      type.withLayout(ScaleLayout::Linear), rule, key,
                      batching);
  Components result = quantizer.run(
      givenScale, givenAmax,
      type.getLayout() == ScaleLayout::Linear ? into : Components());
  if (type.getLayout() == ScaleLayout::Tcgen05_128x4)
    result.scales =
        tileScales(b, type, quantizer.logicalSizes(), result.scales);
  return result;
}

Components decompose::requantize(
    ImplicitLocOpBuilder &b, const Components &source, BlockedType sourceType,
    ArrayRef<int64_t> permutation, BlockedType type, RuleAttr rule,
    OuterMode mode,
    llvm::function_ref<Components(Value, BlockedType, RuleAttr)>
        quantizeValues) {
  bool keep = mode == OuterMode::Keep;
  auto valuesType =
      RankedTensorType::get(sourceType.getShape(), b.getF32Type());
  Value values =
      dequantize(b, sourceType, source, valuesType, /*applyOuter=*/!keep);
  if (!keep)
    return quantizeValues(values, type, rule);
  auto quantizedType = BlockedType::get(
      type.getShape(), type.getFormat().withOuter(false), type.getBlockShape(),
      /*outerAxes=*/{}, type.getLayout(), type.getGroupAxis(),
      type.getGroups());
  // What the rule says of outer scales says nothing here.
  RuleFields fields = rule.getFields(), defaults;
  fields.outerMax = defaults.outerMax;
  fields.outerRepr = defaults.outerRepr;
  Components result = quantizeValues(values, quantizedType,
                                     RuleAttr::get(rule.getContext(), fields));
  result.outer = permuteOuter(b, sourceType, type, permutation, source.outer);
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
  RandomKey key;
  key.seed = rewriter.getRemappedValue(op.getSeed());
  key.step = rewriter.getRemappedValue(op.getStep());
  key.stream = op.getStreamAttr();
  return key;
}

namespace {

struct QuantizePattern : OpConversionPattern<QuantizeOp> {
  QuantizePattern(const TypeConverter &converter, MLIRContext *context,
                  Batching batching)
      : OpConversionPattern(converter, context), batching(batching) {}

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
                 adaptor.getOuterAmax(), batching);
    rewriter.replaceOpWithMultiple(op, {result.flatten()});
    return success();
  }

private:
  Batching batching;
};

struct RequantizePattern : OpConversionPattern<RequantizeOp> {
  RequantizePattern(const TypeConverter &converter, MLIRContext *context,
                    Batching batching)
      : OpConversionPattern(converter, context), batching(batching) {}

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
    Value offsets;
    if (type.isGrouped() && sourceType.isGrouped()) {
      offsets = source.offsets;
      if (offsets.getType() != type.getOffsetsType())
        offsets = tensor::CastOp::create(b, type.getOffsetsType(), offsets);
    } else if (type.isGrouped()) {
      offsets = toOffsets(b, type, adaptor.getOffsets().front());
    }
    Components result = requantize(
        b, source, sourceType, permutation, type, op.getRule(), op.getOuter(),
        [&](Value values, BlockedType quantizedType, RuleAttr rule) {
          return quantize(b, values, permutation, quantizedType, rule,
                          getKey(op, rewriter), offsets, /*givenScale=*/{},
                          /*givenAmax=*/{}, batching);
        });
    rewriter.replaceOpWithMultiple(op, {result.flatten()});
    return success();
  }

private:
  Batching batching;
};

} // namespace

void decompose::populateQuantizePatterns(const TypeConverter &converter,
                                         RewritePatternSet &patterns,
                                         Batching batching) {
  patterns.add<QuantizePattern, RequantizePattern>(
      converter, patterns.getContext(), batching);
}
