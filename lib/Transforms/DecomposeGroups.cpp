//===- DecomposeGroups.cpp - Values that are grouped by offsets -----------===//
//
// Part of the Lowp project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A grouped value is computed group by group, with the loops that a group would
// have alone, on slices of the tensors that hold all groups. That blocks do not
// cross groups holds by construction.
//
// A loop over groups checks the offsets, and clamps them where it reads them: a
// blocked argument of a function is as its caller made it, and whatever it is,
// no access is out of bounds. Where blocks cannot cross groups there is no
// loop, and offsets only pass through.
//
//===----------------------------------------------------------------------===//

#include "DecomposeUtils.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/ControlFlow/IR/ControlFlowOps.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"

using namespace mlir;
using namespace mlir::lowp;
using namespace mlir::lowp::decompose;

//===----------------------------------------------------------------------===//
// Offsets
//===----------------------------------------------------------------------===//

static Value readOffset(ImplicitLocOpBuilder &b, Value offsets, Value entry) {
  Value offset = tensor::ExtractOp::create(b, offsets, entry);
  if (offset.getType().isIndex())
    return offset;
  return arith::IndexCastOp::create(b, b.getIndexType(), offset);
}

Value decompose::getGroupCount(ImplicitLocOpBuilder &b, Value offsets) {
  Value one = index(b, 1);
  return sub(b, b.createOrFold<arith::MaxSIOp>(getSizes(b, offsets)[0], one),
             one);
}

/// The operation that is decomposed, as `nameLoc` keeps it.
static StringRef getOpName(Location loc) {
  auto named = dyn_cast<NameLoc>(loc);
  if (!named)
    return "lowp";
  // `lowp.quantize`, or `lowp.quantize.amax` in a part of it.
  StringRef name = named.getName().getValue();
  return name.take_front(name.find('.', name.find('.') + 1));
}

/// Asserts that `offsets` go from 0 to `size` and do not descend.
static void checkOffsets(ImplicitLocOpBuilder &b, Value offsets, Value size) {
  Value zero = index(b, 0), entries = getSizes(b, offsets)[0];
  auto compare = [&](arith::CmpIPredicate predicate, Value lhs, Value rhs) {
    return b.createOrFold<arith::CmpIOp>(predicate, lhs, rhs);
  };
  Value valid = compare(arith::CmpIPredicate::sgt, entries, zero);
  SmallVector<Value> end =
      buildFor(b, zero, entries, 1, {valid, zero},
               [&](Value entry, ValueRange carried) -> SmallVector<Value> {
                 Value next = readOffset(b, offsets, entry);
                 Value ascends =
                     compare(arith::CmpIPredicate::sge, next, carried[1]);
                 Value starts = arith::OrIOp::create(
                     b, compare(arith::CmpIPredicate::ne, entry, zero),
                     compare(arith::CmpIPredicate::eq, next, zero));
                 Value both = arith::AndIOp::create(b, ascends, starts);
                 return {arith::AndIOp::create(b, carried[0], both), next};
               });
  Value complete = compare(arith::CmpIPredicate::eq, end[1], size);
  cf::AssertOp::create(
      b, arith::AndIOp::create(b, end[0], complete),
      b.getStringAttr("'" + getOpName(b.getLoc()) +
                      "' op expects offsets from 0 to the size of the "
                      "grouped dim that do not descend"));
}

void decompose::checkSameOffsets(ImplicitLocOpBuilder &b, Value offsets,
                                 Value others) {
  Value entries = getSizes(b, offsets)[0];
  Value same = arith::CmpIOp::create(b, arith::CmpIPredicate::eq, entries,
                                     getSizes(b, others)[0]);
  // A count that differs ends the loop before it begins.
  Value end = arith::SelectOp::create(b, same, entries, index(b, 0));
  same = buildFor(b, index(b, 0), end, 1, same,
                  [&](Value entry, ValueRange carried) -> SmallVector<Value> {
                    Value equal =
                        arith::CmpIOp::create(b, arith::CmpIPredicate::eq,
                                              readOffset(b, offsets, entry),
                                              readOffset(b, others, entry));
                    return {arith::AndIOp::create(b, carried[0], equal)};
                  })[0];
  cf::AssertOp::create(b, same,
                       b.getStringAttr("'" + getOpName(b.getLoc()) +
                                       "' op expects the groups of its "
                                       "operands to be its own"));
}

void decompose::checkGroupsAreWhole(ImplicitLocOpBuilder &b, Value offsets,
                                    Value size, int64_t width) {
  Value whole = arith::ConstantOp::create(b, b.getBoolAttr(true));
  whole = buildForGroups(
      b, offsets, getGroupCount(b, offsets), size, whole,
      [&](const GroupRange &group, ValueRange carried) -> SmallVector<Value> {
        Value rest = arith::RemUIOp::create(b, group.size, index(b, width));
        Value none = arith::CmpIOp::create(b, arith::CmpIPredicate::eq, rest,
                                           index(b, 0));
        return {arith::AndIOp::create(b, carried[0], none)};
      })[0];
  cf::AssertOp::create(b, whole,
                       b.getStringAttr("'" + getOpName(b.getLoc()) +
                                       "' op expects groups of a multiple of " +
                                       Twine(width) + " elements"));
}

Value decompose::toOffsets(ImplicitLocOpBuilder &b, BlockedType type,
                           Value offsets) {
  RankedTensorType offsetsType = type.getOffsetsType();
  Value entries = getSizes(b, offsets)[0];
  if (cast<RankedTensorType>(offsets.getType()).getElementType() !=
      offsetsType.getElementType())
    offsets = buildScalars(
        b, offsetsType, entries, 1, [&](ValueRange ivs) -> SmallVector<Value> {
          return {arith::IndexCastOp::create(b, b.getI64Type(),
                                             readOffset(b, offsets, ivs[0]))};
        })[0];
  if (offsets.getType() != offsetsType)
    offsets = tensor::CastOp::create(b, offsetsType, offsets);
  return offsets;
}

SmallVector<Value> decompose::buildForGroups(
    ImplicitLocOpBuilder &b, Value offsets, Value count, Value size,
    ValueRange init,
    llvm::function_ref<SmallVector<Value>(const GroupRange &, ValueRange)>
        body) {
  checkOffsets(b, offsets, size);
  Value zero = index(b, 0);
  auto read = [&](Value entry) -> Value {
    Value offset = readOffset(b, offsets, entry);
    offset = arith::MaxSIOp::create(b, offset, zero);
    return arith::MinSIOp::create(b, offset, size);
  };
  return buildFor(
      b, zero, count, 1, init, [&](Value group, ValueRange carried) {
        Value first = read(group);
        Value end =
            arith::MaxSIOp::create(b, read(add(b, group, index(b, 1))), first);
        return body({group, first, sub(b, end, first)}, carried);
      });
}

//===----------------------------------------------------------------------===//
// Slices
//===----------------------------------------------------------------------===//

Value decompose::sliceAlong(ImplicitLocOpBuilder &b, Value tensor, int64_t dim,
                            Value first, Value size) {
  SmallVector<Value> sizes = getSizes(b, tensor);
  SmallVector<Value> offsets(sizes.size(), index(b, 0));
  offsets[dim] = first;
  sizes[dim] = size;
  return Slice{tensor, offsets, sizes}.extract(b);
}

/// Copies `part` to `place`, a slice that it is to be.
static Value copyTo(ImplicitLocOpBuilder &b, Value place, Value part) {
  // A size may be known in one of the two only.
  if (part.getType() != place.getType())
    part = tensor::CastOp::create(b, place.getType(), part);
  return linalg::CopyOp::create(b, part, place).getResult(0);
}

/// The inverse of `sliceAlong`.
static Value insertAlong(ImplicitLocOpBuilder &b, Value part, Value tensor,
                         int64_t dim, Value first, Value size) {
  SmallVector<OpFoldResult> sizes = getAsOpFoldResult(getSizes(b, tensor));
  SmallVector<OpFoldResult> offsets(sizes.size(), b.getIndexAttr(0));
  SmallVector<OpFoldResult> strides(sizes.size(), b.getIndexAttr(1));
  offsets[dim] = getAsOpFoldResult(first);
  sizes[dim] = getAsOpFoldResult(size);
  Value place = sliceAlong(b, tensor, dim, first, size);
  return tensor::InsertSliceOp::create(b, copyTo(b, place, part), tensor,
                                       offsets, sizes, strides);
}

/// Offsets, sizes and strides of element `group` of the leading dim.
static std::array<SmallVector<OpFoldResult>, 3>
leadingSlice(ImplicitLocOpBuilder &b, Value tensor, Value group) {
  SmallVector<OpFoldResult> sizes = getAsOpFoldResult(getSizes(b, tensor));
  SmallVector<OpFoldResult> offsets(sizes.size(), b.getIndexAttr(0));
  SmallVector<OpFoldResult> strides(sizes.size(), b.getIndexAttr(1));
  offsets[0] = group;
  sizes[0] = b.getIndexAttr(1);
  return {offsets, sizes, strides};
}

Value decompose::sliceLeading(ImplicitLocOpBuilder &b, Value tensor,
                              Value group) {
  auto type = cast<RankedTensorType>(tensor.getType());
  auto [offsets, sizes, strides] = leadingSlice(b, tensor, group);
  auto partType = RankedTensorType::get(type.getShape().drop_front(),
                                        type.getElementType());
  return tensor::ExtractSliceOp::create(b, partType, tensor, offsets, sizes,
                                        strides);
}

Value decompose::insertLeading(ImplicitLocOpBuilder &b, Value part,
                               Value tensor, Value group) {
  Value place = sliceLeading(b, tensor, group);
  auto [offsets, sizes, strides] = leadingSlice(b, tensor, group);
  return tensor::InsertSliceOp::create(b, copyTo(b, place, part), tensor,
                                       offsets, sizes, strides);
}

static Value zeroTensor(ImplicitLocOpBuilder &b, RankedTensorType type,
                        ValueRange sizes) {
  Value zero =
      arith::ConstantOp::create(b, b.getZeroAttr(type.getElementType()));
  return linalg::FillOp::create(b, zero, emptyTensor(b, type, sizes))
      .getResult(0);
}

namespace {
/// The units (blocks, tiles) that a group has along its dim.
struct UnitRange {
  Value first;
  Value count;
};
} // namespace

/// Units of `elements` elements, of which every group begins a new one. A unit
/// of one element needs no room.
static UnitRange unitsOf(ImplicitLocOpBuilder &b, const GroupRange &group,
                         int64_t elements) {
  if (elements == 1)
    return {group.first, group.size};
  return {add(b, floorDiv(b, group.first, elements), group.number),
          ceilDiv(b, group.size, elements)};
}

static UnitRange scalesOf(ImplicitLocOpBuilder &b, BlockedType type,
                          const GroupRange &group) {
  return unitsOf(b, group, type.getElementsPerScale(type.getGroupAxis()));
}

Value decompose::sliceScales(ImplicitLocOpBuilder &b, BlockedType type,
                             Value scales, const GroupRange &group) {
  UnitRange range = scalesOf(b, type, group);
  return sliceAlong(b, scales, type.getGroupAxis(), range.first, range.count);
}

Value decompose::sliceOuter(ImplicitLocOpBuilder &b, BlockedType type,
                            Value outer, const GroupRange &group) {
  if (type.hasOuterPerGroup())
    return sliceLeading(b, outer, group.number);
  int64_t dim = llvm::find(type.getOuterAxes(), type.getGroupAxis()) -
                type.getOuterAxes().begin();
  return sliceAlong(b, outer, dim, group.first, group.size);
}

/// The inverse of `sliceOuter`.
static Value insertOuter(ImplicitLocOpBuilder &b, BlockedType type, Value part,
                         Value outer, const GroupRange &group) {
  if (type.hasOuterPerGroup())
    return insertLeading(b, part, outer, group.number);
  int64_t dim = llvm::find(type.getOuterAxes(), type.getGroupAxis()) -
                type.getOuterAxes().begin();
  return insertAlong(b, part, outer, dim, group.first, group.size);
}

/// Sizes of the linear scales of all groups.
static SmallVector<Value> linearScaleSizes(ImplicitLocOpBuilder &b,
                                           BlockedType type, ValueRange sizes,
                                           Value offsets) {
  SmallVector<Value> result = scaleSizes(b, type, sizes);
  int64_t axis = type.getGroupAxis();
  if (type.isScaleDimPerGroup(axis))
    result[axis] =
        add(b, floorDiv(b, sizes[axis], type.getElementsPerScale(axis)),
            getGroupCount(b, offsets));
  return result;
}

/// Linear scales of all groups, to be filled in. What belongs to no block is
/// zero.
static Value makeLinearScales(ImplicitLocOpBuilder &b, BlockedType type,
                              ValueRange sizes, Value offsets) {
  BlockedType linear = type.withLayout(ScaleLayout::Linear);
  SmallVector<Value> scaleSizes = linearScaleSizes(b, type, sizes, offsets);
  return type.isScaleDimPerGroup(type.getGroupAxis())
             ? zeroTensor(b, linear.getScalesType(), scaleSizes)
             : emptyTensor(b, linear.getScalesType(), scaleSizes);
}

/// Sizes of a group.
static SmallVector<Value> groupSizes(BlockedType type, ValueRange sizes,
                                     const GroupRange &group) {
  SmallVector<Value> result(sizes);
  result[type.getGroupAxis()] = group.size;
  return result;
}

/// Whether blocks and tiles lie within indices of the group axis, so that none
/// could cross groups.
static bool blocksAreWithinIndices(BlockedType type) {
  return type.getBlockShape()[type.getGroupAxis()] == 1;
}

static bool isPackedAlongGroups(BlockedType type) {
  return type.getFormat().getStorageBits() == 4 &&
         type.getGroupAxis() == type.getRank() - 1;
}

//===----------------------------------------------------------------------===//
// Images of scales
//===----------------------------------------------------------------------===//

/// Sizes of a value without groups that has as many scales.
static SmallVector<Value> roomFor(ImplicitLocOpBuilder &b, BlockedType type,
                                  ValueRange sizes, Value offsets) {
  int64_t axis = type.getGroupAxis();
  SmallVector<Value> result(sizes);
  if (type.isScaleDimPerGroup(axis))
    result[axis] = mul(b, linearScaleSizes(b, type, sizes, offsets)[axis],
                       type.getElementsPerScale(axis));
  return result;
}

namespace {
/// Where the images of groups are.
struct Images {
  /// Bytes of the images at one index of the leading dims, all groups together.
  Value size;
  /// Bytes of one tile along the group axis and all tiles along the other dim.
  Value stride;

  Images(ImplicitLocOpBuilder &b, BlockedType type, ValueRange sizes,
         Value offsets) {
    int64_t rank = type.getRank(), axis = type.getGroupAxis();
    int64_t other = axis == rank - 1 ? rank - 2 : rank - 1;
    Value tiles =
        ceilDiv(b, ceilDiv(b, sizes[other], type.getElementsPerScale(other)),
                other == rank - 1 ? 4 : 128);
    stride = decompose::mul(b, tiles, 512);
    Value count = add(b, floorDiv(b, sizes[axis], type.getElementsPerTile()),
                      getGroupCount(b, offsets));
    size = b.createOrFold<arith::MulIOp>(count, stride);
  }

  UnitRange bytesOf(ImplicitLocOpBuilder &b, BlockedType type,
                    const GroupRange &group) const {
    UnitRange tiles = unitsOf(b, group, type.getElementsPerTile());
    return {b.createOrFold<arith::MulIOp>(tiles.first, stride),
            b.createOrFold<arith::MulIOp>(tiles.count, stride)};
  }
};
} // namespace

Value decompose::tileGroups(ImplicitLocOpBuilder &b, BlockedType type,
                            ValueRange sizes, Value offsets, Value scales) {
  type = type.withLayout(ScaleLayout::Tcgen05_128x4);
  if (!type.isImagePerGroup())
    return tileScales(b, type, roomFor(b, type, sizes, offsets), scales);
  Images images(b, type, sizes, offsets);
  RankedTensorType imagesType = type.getScalesType();
  SmallVector<Value> imageSizes = getSizes(b, scales);
  imageSizes.truncate(imageSizes.size() - 2);
  int64_t dim = imageSizes.size();
  imageSizes.push_back(images.size);
  Value init = zeroTensor(b, imagesType, imageSizes);
  return buildForGroups(
      b, offsets, getGroupCount(b, offsets), sizes[type.getGroupAxis()], init,
      [&](const GroupRange &group, ValueRange carried) -> SmallVector<Value> {
        BlockedType groupType = type.getGroupType();
        Value image = tileScales(b, groupType, groupSizes(type, sizes, group),
                                 sliceScales(b, type, scales, group));
        UnitRange bytes = images.bytesOf(b, type, group);
        return {
            insertAlong(b, image, carried[0], dim, bytes.first, bytes.count)};
      })[0];
}

Value decompose::untileGroups(ImplicitLocOpBuilder &b, BlockedType type,
                              ValueRange sizes, Value offsets, Value scales) {
  if (!type.isImagePerGroup())
    return untileScales(b, type, roomFor(b, type, sizes, offsets), scales);
  Images images(b, type, sizes, offsets);
  int64_t dim = type.getRank() - 2;
  Value init = makeLinearScales(b, type, sizes, offsets);
  return buildForGroups(
      b, offsets, getGroupCount(b, offsets), sizes[type.getGroupAxis()], init,
      [&](const GroupRange &group, ValueRange carried) -> SmallVector<Value> {
        BlockedType groupType = type.getGroupType();
        UnitRange bytes = images.bytesOf(b, type, group);
        Value image = sliceAlong(b, scales, dim, bytes.first, bytes.count);
        Value linear =
            untileScales(b, groupType, groupSizes(type, sizes, group), image);
        UnitRange range = scalesOf(b, type, group);
        return {insertAlong(b, linear, carried[0], type.getGroupAxis(),
                            range.first, range.count)};
      })[0];
}

//===----------------------------------------------------------------------===//
// Quantise and dequantise
//===----------------------------------------------------------------------===//

Components decompose::quantizeGroups(ImplicitLocOpBuilder &b, Value source,
                                     ArrayRef<int64_t> permutation,
                                     BlockedType type, Value offsets,
                                     Value givenScale, Value givenAmax,
                                     bool alwaysInParts,
                                     QuantizePart quantizePart) {
  SmallVector<Value> sourceSizes = getSizes(b, source), sizes;
  for (auto [dim, from] : llvm::enumerate(permutation))
    sizes.push_back(type.isDynamicDim(dim) ? sourceSizes[from]
                                           : index(b, type.getDimSize(dim)));
  int64_t axis = type.getGroupAxis();
  BlockedType linear = type.withLayout(ScaleLayout::Linear);

  Components result;
  if (blocksAreWithinIndices(type) && !type.hasOuterPerGroup() &&
      !alwaysInParts) {
    result = quantizePart(source, linear.withoutGroups(), givenScale, givenAmax,
                          GroupRange());
  } else {
    bool packed = isPackedAlongGroups(type);
    SmallVector<Value> codesSizes(sizes);
    if (!packed && type.getFormat().getStorageBits() == 4)
      codesSizes.back() = ceilDiv(b, codesSizes.back(), 2);
    SmallVector<Value> init = {
        packed ? emptyTensor(
                     b, RankedTensorType::get(type.getShape(), b.getI8Type()),
                     sizes)
               : emptyTensor(b, type.getCodesType(), codesSizes),
        makeLinearScales(b, type, sizes, offsets)};
    if (type.hasOuter()) {
      SmallVector<Value> outerSizes;
      if (type.hasOuterPerGroup())
        outerSizes.push_back(getGroupCount(b, offsets));
      for (int64_t dim : type.getOuterAxes())
        outerSizes.push_back(sizes[dim]);
      init.push_back(emptyTensor(b, type.getOuterType(), outerSizes));
    }
    SmallVector<Value> all = buildForGroups(
        b, offsets, getGroupCount(b, offsets), sizes[axis], init,
        [&](const GroupRange &group, ValueRange carried) -> SmallVector<Value> {
          auto given = [&](Value value) {
            return value ? sliceOuter(b, type, value, group) : Value();
          };
          Value slice =
              sliceAlong(b, source, permutation[axis], group.first, group.size);
          Components part =
              quantizePart(slice, linear.getGroupType(), given(givenScale),
                           given(givenAmax), group);
          // Groups may begin in the middle of a byte.
          if (packed)
            part.codes = unpackNibbles(b, part.codes, group.size);
          UnitRange scales = scalesOf(b, type, group);
          SmallVector<Value> next = {insertAlong(b, part.codes, carried[0],
                                                 axis, group.first, group.size),
                                     insertAlong(b, part.scales, carried[1],
                                                 axis, scales.first,
                                                 scales.count)};
          if (type.hasOuter())
            next.push_back(insertOuter(b, type, part.outer, carried[2], group));
          return next;
        });
    result.codes =
        packed ? packNibbles(b, all[0], type.getCodesType()) : all[0];
    result.scales = all[1];
    if (type.hasOuter())
      result.outer = all[2];
  }
  if (type.getLayout() == ScaleLayout::Tcgen05_128x4)
    result.scales = tileGroups(b, type, sizes, offsets, result.scales);
  result.offsets = offsets;
  if (carriesLastDim(type))
    result.lastDim = sizes.back();
  return result;
}

Value decompose::dequantizeGroups(ImplicitLocOpBuilder &b, BlockedType type,
                                  const Components &value,
                                  RankedTensorType resultType, bool applyOuter,
                                  DequantizePart dequantizePart) {
  int64_t axis = type.getGroupAxis();
  SmallVector<Value> sizes = getSizes(b, type, value);
  Components linear = value;
  linear.scales = getLinearScales(b, type, value);
  linear.offsets = {};
  type = type.withLayout(ScaleLayout::Linear);
  applyOuter &= type.hasOuter();
  if (blocksAreWithinIndices(type) && !(applyOuter && type.hasOuterPerGroup()))
    return dequantizePart(type.withoutGroups(), linear, resultType,
                          /*unpacked=*/false);

  bool packed = isPackedAlongGroups(type);
  if (packed)
    linear.codes = unpackNibbles(b, linear.codes, sizes.back());
  SmallVector<int64_t> partShape(resultType.getShape());
  partShape[axis] = ShapedType::kDynamic;
  Value init = emptyTensor(b, resultType, sizes);
  return buildForGroups(
      b, value.offsets, getGroupCount(b, value.offsets), sizes[axis], init,
      [&](const GroupRange &group, ValueRange carried) -> SmallVector<Value> {
        Components part;
        part.codes = sliceAlong(b, linear.codes, axis, group.first, group.size);
        part.scales = sliceScales(b, type, linear.scales, group);
        if (type.hasOuter())
          part.outer = sliceOuter(b, type, linear.outer, group);
        BlockedType groupType = type.getGroupType();
        if (carriesLastDim(groupType))
          part.lastDim = packed ? group.size : sizes.back();
        Value decoded = dequantizePart(groupType, part,
                                       resultType.clone(partShape), packed);
        return {
            insertAlong(b, decoded, carried[0], axis, group.first, group.size)};
      })[0];
}

//===----------------------------------------------------------------------===//
// Transpose
//===----------------------------------------------------------------------===//

Value decompose::permuteGroupScales(
    ImplicitLocOpBuilder &b, BlockedType type, BlockedType resultType,
    ValueRange resultSizes, Value offsets, Value scales,
    llvm::function_ref<Value(BlockedType, BlockedType, ValueRange, Value)>
        permutePart) {
  if (blocksAreWithinIndices(type))
    return permutePart(type.withoutGroups(), resultType.withoutGroups(),
                       resultSizes, scales);
  int64_t axis = resultType.getGroupAxis();
  Value init = makeLinearScales(b, resultType, resultSizes, offsets);
  return buildForGroups(
      b, offsets, getGroupCount(b, offsets), resultSizes[axis], init,
      [&](const GroupRange &group, ValueRange carried) -> SmallVector<Value> {
        Value part = permutePart(type.getGroupType(), resultType.getGroupType(),
                                 groupSizes(resultType, resultSizes, group),
                                 sliceScales(b, type, scales, group));
        UnitRange range = scalesOf(b, resultType, group);
        return {
            insertAlong(b, part, carried[0], axis, range.first, range.count)};
      })[0];
}

//===----------------------------------------------------------------------===//
// Contraction
//===----------------------------------------------------------------------===//

/// `type` with blocks of one element along the group axis and an outer scale
/// for each of its indices where there was one per group.
static BlockedType spreadType(BlockedType type) {
  SmallVector<int64_t> block(type.getBlockShape()), outer(type.getOuterAxes());
  block[type.getGroupAxis()] = 1;
  if (type.hasOuterPerGroup()) {
    outer.push_back(type.getGroupAxis());
    llvm::sort(outer);
  }
  return BlockedType::get(type.getShape(), type.getFormat(), block, outer);
}

std::pair<BlockedType, Components>
decompose::spreadGroups(ImplicitLocOpBuilder &b, BlockedType type,
                        const Components &value) {
  int64_t axis = type.getGroupAxis();
  SmallVector<Value> sizes = getSizes(b, type, value);
  BlockedType resultType = spreadType(type);
  Components result = value;
  result.offsets = {};
  result.scales = getLinearScales(b, type, value);
  if (type.isScaleDimPerGroup(axis)) {
    Value scales = result.scales;
    Value init = emptyTensor(b, resultType.getScalesType(),
                             scaleSizes(b, resultType, sizes));
    int64_t elements = type.getElementsPerScale(axis);
    result.scales = buildForGroups(
        b, value.offsets, getGroupCount(b, value.offsets), sizes[axis], init,
        [&](const GroupRange &group, ValueRange carried) -> SmallVector<Value> {
          Value from = sliceScales(b, type, scales, group);
          RankedTensorType partType = resultType.getScalesType().clone(
              SmallVector<int64_t>(type.getRank(), ShapedType::kDynamic));
          Value part = buildScalars(
              b, partType,
              scaleSizes(b, resultType, groupSizes(type, sizes, group)), 1,
              [&](ValueRange ivs) -> SmallVector<Value> {
                SmallVector<Value> at(ivs);
                at[axis] = floorDiv(b, at[axis], elements);
                return {tensor::ExtractOp::create(b, from, at)};
              })[0];
          return {
              insertAlong(b, part, carried[0], axis, group.first, group.size)};
        })[0];
  }
  if (type.hasOuterPerGroup()) {
    int64_t place = llvm::find(resultType.getOuterAxes(), axis) -
                    resultType.getOuterAxes().begin();
    RankedTensorType outerType = resultType.getOuterType();
    SmallVector<Value> outerSizes;
    for (int64_t dim : resultType.getOuterAxes())
      outerSizes.push_back(sizes[dim]);
    Value init = emptyTensor(b, outerType, outerSizes);
    result.outer = buildForGroups(
        b, value.offsets, getGroupCount(b, value.offsets), sizes[axis], init,
        [&](const GroupRange &group, ValueRange carried) -> SmallVector<Value> {
          SmallVector<Value> partSizes(outerSizes);
          partSizes[place] = group.size;
          RankedTensorType partType = outerType.clone(
              SmallVector<int64_t>(outerType.getRank(), ShapedType::kDynamic));
          Value part = buildScalars(
              b, partType, partSizes, 1,
              [&](ValueRange ivs) -> SmallVector<Value> {
                SmallVector<Value> at = {group.number};
                for (auto [dim, iv] : llvm::enumerate(ivs))
                  if (static_cast<int64_t>(dim) != place)
                    at.push_back(iv);
                return {tensor::ExtractOp::create(b, value.outer, at)};
              })[0];
          return {
              insertAlong(b, part, carried[0], place, group.first, group.size)};
        })[0];
  }
  return {resultType, result};
}
