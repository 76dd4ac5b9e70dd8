//===- KernelTiler.cpp - The loop of one kernel ---------------------------===//
//
// Part of the Lowp project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "KernelTiler.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Arith/Utils/Utils.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/Dialect/Utils/StaticValueUtils.h"
#include "mlir/IR/IRMapping.h"

using namespace mlir;
using namespace mlir::lowp;
using namespace mlir::lowp::decompose;

//===----------------------------------------------------------------------===//
// Types of a trip
//===----------------------------------------------------------------------===//

/// One entry for the dims of rows, `rows`, in a list with one per dim.
template <typename T>
static SmallVector<T> flattenList(ArrayRef<T> list, Rows rows, T entry) {
  SmallVector<T> result(list.take_front(rows.first));
  result.push_back(entry);
  llvm::append_range(result, list.drop_front(rows.first + rows.count));
  return result;
}

/// The type of `size` rows, or of all of them. Groups make no difference to
/// rows that may be part of a kernel.
static RankedTensorType getRowsType(RankedTensorType type, Rows rows,
                                    int64_t size) {
  return RankedTensorType::get(flattenList(type.getShape(), rows, size),
                               type.getElementType());
}

static BlockedType getRowsType(BlockedType type, Rows rows, int64_t size) {
  SmallVector<int64_t> outer;
  for (int64_t axis : type.getOuterAxes())
    if (outer.empty() || outer.back() != rows.flatten(axis))
      outer.push_back(rows.flatten(axis));
  return BlockedType::get(
      flattenList(type.getShape(), rows, size), type.getFormat(),
      flattenList(type.getBlockShape(), rows, type.getBlockShape()[rows.first]),
      outer, type.getLayout());
}

/// How many rows a value of `shape` has, where that is known.
static int64_t getNumRows(ArrayRef<int64_t> shape, Rows rows) {
  int64_t number = 1;
  for (int64_t size : shape.slice(rows.first, rows.count)) {
    if (ShapedType::isDynamic(size))
      return ShapedType::kDynamic;
    number *= size;
  }
  return number;
}

/// Dims of a value that become one each.
static SmallVector<ReassociationIndices> getReassociation(int64_t rank,
                                                          Rows rows) {
  SmallVector<ReassociationIndices> groups;
  for (int64_t dim = 0; dim < rank; ++dim) {
    if (dim > rows.first && rows.contains(dim))
      groups.back().push_back(dim);
    else
      groups.push_back({dim});
  }
  return groups;
}

static Value castTo(ImplicitLocOpBuilder &b, Value value, Type type) {
  return value.getType() == type ? value
                                 : tensor::CastOp::create(b, type, value);
}

//===----------------------------------------------------------------------===//
// Outside of the loop
//===----------------------------------------------------------------------===//

Value KernelTiler::sizeOf(Value value, int64_t dim) {
  // A loop, since a kernel may be a chain of any length.
  SmallVector<std::pair<Value, int64_t>> path;
  Value size;
  while (!(size = sizes.lookup({value, dim}))) {
    path.emplace_back(value, dim);
    int64_t known = getLogicalShape(value.getType())[dim];
    auto origin = findSizeOrigin(value, dim);
    if (ShapedType::isStatic(known))
      size = index(outside, known);
    else if (origin == path.back())
      size = findSize(value, dim);
    if (size)
      break;
    std::tie(value, dim) = origin;
  }
  for (const auto &entry : path)
    sizes[entry] = size;
  return size;
}

std::pair<Value, int64_t> KernelTiler::findSizeOrigin(Value value,
                                                      int64_t dim) const {
  Operation *op = value.getDefiningOp();
  if (!isInside(value)) {
    // Also where the tensor is one of the kernel's that a loop makes its own.
    if (auto fill = value.getDefiningOp<linalg::FillOp>())
      return {fill.getOutputs()[0], dim};
    return {value, dim};
  }
  if (isa<tensor::ExpandShapeOp, tensor::ExtractSliceOp,
          tensor::CollapseShapeOp>(op))
    return {value, dim};
  if (auto linalgOp = dyn_cast<linalg::LinalgOp>(op)) {
    unsigned number = cast<OpResult>(value).getResultNumber();
    return {linalgOp.getDpsInitOperand(number)->get(), dim};
  }
  if (auto requantize = dyn_cast<RequantizeOp>(op))
    return {requantize.getSource(), requantize.getPermutation()
                                        ? (*requantize.getPermutation())[dim]
                                        : dim};
  return {*llvm::find_if(op->getOperands(),
                         [](Value operand) {
                           return isa<RankedTensorType, BlockedType>(
                               operand.getType());
                         }),
          dim};
}

Value KernelTiler::findSize(Value value, int64_t dim) {
  if (!isInside(value)) {
    if (isa<BlockedType>(value.getType()))
      return outside.createOrFold<lowp::DimOp>(value, dim);
    return outside.createOrFold<tensor::DimOp>(value, dim);
  }
  auto asValue = [&](OpFoldResult size) {
    return getValueOrCreateConstantIndexOp(outside, outside.getLoc(), size);
  };
  Operation *op = value.getDefiningOp();
  if (auto expand = dyn_cast<tensor::ExpandShapeOp>(op))
    return asValue(expand.getMixedOutputShape()[dim]);
  if (auto slice = dyn_cast<tensor::ExtractSliceOp>(op))
    return asValue(slice.getMixedSizes()[dim]);
  auto collapse = cast<tensor::CollapseShapeOp>(op);
  SmallVector<ReassociationIndices> groups = collapse.getReassociationIndices();
  Value product = index(outside, 1);
  for (int64_t from : groups[dim])
    product = mul(outside, product, sizeOf(collapse.getSrc(), from));
  return product;
}

SmallVector<Value> KernelTiler::sizesOf(Value value) {
  SmallVector<Value> all;
  for (int64_t dim :
       llvm::seq<int64_t>(0, getLogicalShape(value.getType()).size()))
    all.push_back(sizeOf(value, dim));
  return all;
}

Value KernelTiler::flatten(Value tensor, Rows rows) {
  if (rows.count == 1)
    return tensor;
  Value &flat = flats[tensor];
  if (!flat) {
    auto type = cast<RankedTensorType>(tensor.getType());
    flat = tensor::CollapseShapeOp::create(
        outside, getRowsType(type, rows, getNumRows(type.getShape(), rows)),
        tensor, getReassociation(type.getRank(), rows));
  }
  return flat;
}

Components KernelTiler::unpack(Value value) {
  auto [entry, isNew] = unpacked.try_emplace(value);
  if (isNew) {
    auto type = cast<BlockedType>(value.getType());
    auto op = UnpackOp::create(outside, type.getComponentTypes(), value);
    Components &components = entry->second;
    components.codes = op.getComponents()[0];
    components.scales = op.getComponents()[1];
    if (type.hasOuter())
      components.outer = op.getComponents()[2];
    if (type.isGrouped())
      components.offsets = op.getComponents().back();
  }
  return entry->second;
}

Value KernelTiler::wholeOuter(Value value) {
  if (!isInside(value))
    return unpack(value).outer;
  if (Value known = outers.lookup(value))
    return known;
  Value outer;
  BlockedType type = cast<BlockedType>(value.getType()).withoutGroups();
  if (auto op = value.getDefiningOp<QuantizeOp>()) {
    bool scale = op.getOuterScale() != nullptr;
    Value given = scale ? op.getOuterScale() : op.getOuterAmax();
    outer = buildOuterScales(outside, type, op.getRule(),
                             decompose::getSizes(outside, given), given,
                             scale ? OuterSource::Scale : OuterSource::Amax)[1];
  } else {
    auto requantize = value.getDefiningOp<RequantizeOp>();
    auto identity = llvm::to_vector(llvm::seq<int64_t>(0, type.getRank()));
    outer = permuteOuter(
        outside, requantize.getSource().getType().withoutGroups(), type,
        requantize.getPermutation().value_or(ArrayRef<int64_t>(identity)),
        wholeOuter(requantize.getSource()));
  }
  return outers[value] = outer;
}

Value KernelTiler::offsetsOf(Value value) {
  if (!isInside(value))
    return unpack(value).offsets;
  auto type = cast<BlockedType>(value.getType());
  if (auto op = value.getDefiningOp<QuantizeOp>())
    return toOffsets(outside, type, op.getOffsets());
  auto op = value.getDefiningOp<RequantizeOp>();
  return op.getOffsets() ? toOffsets(outside, type, op.getOffsets())
                         : castTo(outside, offsetsOf(op.getSource()),
                                  type.getOffsetsType());
}

std::optional<Rows> KernelTiler::outerRows(BlockedType type, Rows rows) const {
  std::string reason;
  return *getOuterRows(type, rows, reason);
}

Part KernelTiler::codesPart(BlockedType type, Rows rows) const {
  bool packed = type.getFormat().getStorageBits() == 4 &&
                rows.contains(type.getRank() - 1);
  return {rows, packed ? 2 : 1};
}

Part KernelTiler::scalesPart(BlockedType type, Rows rows) const {
  return {rows, type.getElementsPerScale(rows.first)};
}

void KernelTiler::addOutput(RankedTensorType type, Part part,
                            ValueRange sizes) {
  Rows rows = part.rows;
  Value product = index(outside, 1);
  for (Value size : sizes.slice(rows.first, rows.count))
    product = mul(outside, product, size);
  SmallVector<Value> flatSizes =
      flattenList(ArrayRef(llvm::to_vector(sizes)), rows, product);
  RankedTensorType flatType =
      getRowsType(type, rows, getNumRows(type.getShape(), rows));
  Output output;
  output.tensor = emptyTensor(outside, flatType, flatSizes);
  output.sizes = flatSizes;
  output.part = part;
  outputs.push_back(output);
}

void KernelTiler::addOutputs(Value result) {
  auto [entry, isNew] = outputsOfResults.try_emplace(result, outputs.size(), 0);
  if (!isNew)
    return;
  unsigned begin = outputs.size();
  Rows rows = rowsOf(result);
  SmallVector<Value> all = sizesOf(result);
  if (auto type = dyn_cast<RankedTensorType>(result.getType())) {
    addOutput(type, {rows}, all);
  } else {
    BlockedType blockedType =
        cast<BlockedType>(result.getType()).withoutGroups();
    SmallVector<Value> stored = all;
    if (blockedType.getFormat().getStorageBits() == 4)
      stored.back() = ceilDiv(outside, stored.back(), 2);
    addOutput(blockedType.getCodesType(), codesPart(blockedType, rows), stored);
    addOutput(blockedType.getScalesType(), scalesPart(blockedType, rows),
              scaleSizes(outside, blockedType, all));
    if (blockedType.hasOuter()) {
      SmallVector<Value> groups;
      for (int64_t axis : blockedType.getOuterAxes())
        groups.push_back(all[axis]);
      if (std::optional<Rows> outer = outerRows(blockedType, rows))
        addOutput(blockedType.getOuterType(), {*outer}, groups);
    }
  }
  outputsOfResults[result].second = outputs.size() - begin;
}

Value KernelTiler::expand(Value tensor, RankedTensorType type, Rows rows,
                          ValueRange sizes) {
  if (rows.count == 1)
    return tensor;
  // The sizes of several dims that become one do not follow from it, which
  // upstream's expansion of `memref.expand_shape` takes for granted.
  if (llvm::count_if(type.getShape().slice(rows.first, rows.count),
                     ShapedType::isDynamic) > 1) {
    Value shape = tensor::FromElementsOp::create(b, sizes);
    return tensor::ReshapeOp::create(b, type, tensor, shape);
  }
  return tensor::ExpandShapeOp::create(
      b, type, tensor, getReassociation(type.getRank(), rows),
      getAsOpFoldResult(llvm::to_vector(sizes)));
}

Value KernelTiler::finish(Value result, ArrayRef<Value> &written) {
  auto take = [&](RankedTensorType type, Rows rows, ValueRange sizes) {
    Value tensor = expand(written.front(), type, rows, sizes);
    written = written.drop_front();
    return tensor;
  };
  Rows rows = rowsOf(result);
  SmallVector<Value> all = sizesOf(result);
  if (auto type = dyn_cast<RankedTensorType>(result.getType()))
    return take(type, rows, all);
  auto type = cast<BlockedType>(result.getType());
  SmallVector<Value> stored = all, components, dynamic;
  if (type.getFormat().getStorageBits() == 4)
    stored.back() = ceilDiv(outside, stored.back(), 2);
  components.push_back(take(type.getCodesType(), rows, stored));
  components.push_back(take(type.getScalesType(), rows,
                            scaleSizes(outside, type.withoutGroups(), all)));
  if (type.hasOuter()) {
    SmallVector<Value> groups;
    for (int64_t axis : type.getOuterAxes())
      groups.push_back(all[axis]);
    std::optional<Rows> outer = outerRows(type, rows);
    components.push_back(outer ? take(type.getOuterType(), *outer, groups)
                               : wholeOuter(result));
  }
  if (type.isGrouped())
    components.push_back(offsetsOf(result));
  for (auto [dim, dimSize] : llvm::enumerate(all))
    if (type.isDynamicDim(dim))
      dynamic.push_back(dimSize);
  return PackOp::create(b, type, components, dynamic);
}

//===----------------------------------------------------------------------===//
// In the loop
//===----------------------------------------------------------------------===//

Value KernelTiler::slice(Value flat, Part part) {
  return sliceAlong(b, flat, part.rows.first,
                    floorDiv(b, first, part.rowsPerEntry),
                    ceilDiv(b, size, part.rowsPerEntry));
}

RankedTensorType KernelTiler::tripType(Value value) const {
  return getRowsType(cast<RankedTensorType>(value.getType()), rowsOf(value),
                     staticSize);
}

BlockedType KernelTiler::blockedTripType(Value value) const {
  return getRowsType(cast<BlockedType>(value.getType()), rowsOf(value),
                     staticSize);
}

Value KernelTiler::tensorRows(Value value) {
  if (Value known = tensors.lookup(value))
    return known;
  Rows rows = rowsOf(value);
  return tensors[value] =
             castTo(b, slice(flatten(value, rows), {rows}), tripType(value));
}

Components KernelTiler::blockedRows(Value value) {
  auto known = blocked.find(value);
  if (known != blocked.end())
    return known->second;
  auto type = cast<BlockedType>(value.getType());
  BlockedType partType = blockedTripType(value);
  Rows rows = rowsOf(value);
  Components whole = unpack(value), part;
  part.codes =
      castTo(b, slice(flatten(whole.codes, rows), codesPart(type, rows)),
             partType.getCodesType());
  part.scales =
      castTo(b, slice(flatten(whole.scales, rows), scalesPart(type, rows)),
             partType.getScalesType());
  if (type.hasOuter()) {
    part.outer = whole.outer;
    if (std::optional<Rows> outer = outerRows(type, rows))
      part.outer = castTo(b, slice(flatten(whole.outer, *outer), {*outer}),
                          partType.getOuterType());
  }
  if (carriesLastDim(partType))
    part.lastDim = rowSizes(value).back();
  return blocked[value] = part;
}

SmallVector<Value> KernelTiler::rowSizes(Value value) {
  return flattenList(ArrayRef(sizesOf(value)), rowsOf(value), size);
}

MutableArrayRef<Output> KernelTiler::outputsOf(Value value) {
  auto entry = outputsOfResults.find(value);
  if (entry == outputsOfResults.end())
    return {};
  return MutableArrayRef(outputs).slice(entry->second.first,
                                        entry->second.second);
}

Value KernelTiler::buildInit(OpOperand &init, OpResult result) {
  if (!isFreshInit(init))
    return tensorRows(init.get());
  MutableArrayRef<Output> written = outputsOf(result);
  Value tensor = written.empty()
                     ? emptyTensor(b, tripType(result), rowSizes(result))
                     : written[0].slice.extract(b);
  auto op = cast<linalg::LinalgOp>(init.getOwner());
  auto fill = init.get().getDefiningOp<linalg::FillOp>();
  if (!fill || !op.payloadUsesValueFromOperand(&init))
    return tensor;
  return linalg::FillOp::create(b, fill.getInputs()[0], tensor).getResult(0);
}

void KernelTiler::buildLinalg(linalg::LinalgOp op) {
  auto firstResult = cast<OpResult>(op->getResult(0));
  SmallVector<unsigned> loops =
      *getRowLoops(op, firstResult, rowsOf(firstResult));
  // The loops of rows become one.
  SmallVector<unsigned> position;
  SmallVector<AffineExpr> replacements;
  SmallVector<utils::IteratorType> iterators;
  for (auto [loop, iterator] : llvm::enumerate(op.getIteratorTypesArray())) {
    position.push_back(iterators.size());
    bool dropped = llvm::is_contained(ArrayRef(loops).drop_front(), loop);
    replacements.push_back(dropped ? b.getAffineConstantExpr(0)
                                   : b.getAffineDimExpr(iterators.size()));
    if (!dropped)
      iterators.push_back(iterator);
  }
  SmallVector<AffineMap> maps;
  for (OpOperand &operand : op->getOpOperands()) {
    AffineMap map = op.getMatchingIndexingMap(&operand);
    std::optional<Rows> rows = *findRows(map, loops);
    SmallVector<AffineExpr> exprs;
    for (auto [dim, expr] : llvm::enumerate(map.getResults()))
      if (!rows || !rows->contains(dim) ||
          static_cast<int64_t>(dim) == rows->first)
        exprs.push_back(expr.replaceDims(replacements));
    maps.push_back(AffineMap::get(iterators.size(), 0, exprs, b.getContext()));
  }

  SmallVector<Value> inputs, inits;
  for (OpOperand *operand : op.getDpsInputOperands()) {
    bool byRows =
        findRows(op.getMatchingIndexingMap(operand), loops)->has_value();
    inputs.push_back(byRows ? tensorRows(operand->get()) : operand->get());
  }
  for (auto [init, result] :
       llvm::zip_equal(op.getDpsInitsMutable(), op->getResults()))
    inits.push_back(buildInit(init, cast<OpResult>(result)));
  auto generic = linalg::GenericOp::create(b, ValueRange(inits).getTypes(),
                                           inputs, inits, maps, iterators);
  IRMapping mapping;
  op->getRegion(0).cloneInto(&generic.getRegion(), mapping);
  generic->walk(
      [&](linalg::IndexOp index) { index.setDim(position[index.getDim()]); });
  for (auto [result, part] :
       llvm::zip_equal(op->getResults(), generic.getResults())) {
    if (MutableArrayRef<Output> written = outputsOf(result); !written.empty())
      written[0].written = part;
    tensors[result] = castTo(b, part, tripType(result));
  }
}

Value KernelTiler::buildReshape(Operation *op) {
  Value result = op->getResult(0), source = op->getOperand(0);
  Rows rows = rowsOf(result), sourceRows = rowsOf(source);
  Value part = tensorRows(source);
  bool collapses = isa<tensor::CollapseShapeOp>(op);
  SmallVector<ReassociationIndices> groups =
      collapses ? cast<tensor::CollapseShapeOp>(op).getReassociationIndices()
                : cast<tensor::ExpandShapeOp>(op).getReassociationIndices();
  // Dims as they are in a trip: those of rows are one. A group of nothing else
  // falls away, and one of rows with dims of one element stays.
  Rows many = collapses ? sourceRows : rows;
  SmallVector<ReassociationIndices> flat;
  for (auto [dim, group] : llvm::enumerate(groups)) {
    Rows few = collapses ? rows : sourceRows;
    ReassociationIndices dims;
    for (int64_t from : group)
      if (dims.empty() || dims.back() != many.flatten(from))
        dims.push_back(many.flatten(from));
    bool continues =
        few.contains(dim) && static_cast<int64_t>(dim) != few.first;
    if (!continues) {
      flat.push_back(dims);
      continue;
    }
    for (int64_t from : dims)
      if (flat.back().back() != from)
        flat.back().push_back(from);
  }
  RankedTensorType type = tripType(result);
  if (type.getRank() == cast<RankedTensorType>(part.getType()).getRank())
    return castTo(b, part, type);
  if (collapses)
    return tensor::CollapseShapeOp::create(b, type, part, flat);
  return tensor::ExpandShapeOp::create(b, type, part, flat,
                                       getAsOpFoldResult(rowSizes(result)));
}

template <typename Op>
RandomKey KernelTiler::getKey(Op op) {
  if (!op.getRule().isStochastic())
    return {};
  RandomKey key;
  key.seed = op.getSeed();
  key.step = op.getStep();
  key.stream = op.getStreamAttr();
  key.part = {index(b, 0), first, size};
  key.partAxis = rowsOf(op.getResult()).first;
  key.wholeSize = numRows;
  return key;
}

Components KernelTiler::quantizeRows(Operation *op, Value source,
                                     ArrayRef<int64_t> permutation,
                                     BlockedType type, RuleAttr rule,
                                     const RandomKey &key, Value givenScale,
                                     Value givenAmax) {
  MutableArrayRef<Output> written = outputsOf(op->getResult(0));
  Components into;
  if (!written.empty()) {
    into.codes = written[0].slice.extract(b);
    into.scales = written[1].slice.extract(b);
    if (written.size() > 2)
      into.outer = written[2].slice.extract(b);
  }
  return quantize(b, source, permutation, type, rule, key, /*offsets=*/{},
                  givenScale, givenAmax, batching, into);
}

void KernelTiler::buildQuantize(QuantizeOp op) {
  BlockedType type = blockedTripType(op.getResult());
  auto identity = llvm::to_vector(llvm::seq<int64_t>(0, type.getRank()));
  bool byRows = op.getType().hasOuter() &&
                outerRows(op.getType(), rowsOf(op.getResult()));
  auto given = [&](Value value) {
    return value && byRows ? tensorRows(value) : value;
  };
  blocked[op.getResult()] = quantizeRows(
      op, tensorRows(op.getSource()), identity, type, op.getRule(), getKey(op),
      given(op.getOuterScale()), given(op.getOuterAmax()));
}

void KernelTiler::buildRequantize(RequantizeOp op) {
  BlockedType sourceType = blockedTripType(op.getSource());
  BlockedType type = blockedTripType(op.getResult());
  Rows rows = rowsOf(op.getResult()), sourceRows = rowsOf(op.getSource());
  SmallVector<int64_t> permutation;
  for (int64_t dim : llvm::seq<int64_t>(0, op.getType().getRank())) {
    int64_t from = op.getPermutation() ? (*op.getPermutation())[dim] : dim;
    if (dim == rows.first || !rows.contains(dim))
      permutation.push_back(sourceRows.flatten(from));
  }
  Components source = blockedRows(op.getSource());
  Components result = requantize(
      b, source, sourceType, permutation, type, op.getRule(), op.getOuter(),
      [&](Value values, BlockedType quantizedType, RuleAttr rule) {
        return quantizeRows(op, values, permutation, quantizedType, rule,
                            getKey(op), /*givenScale=*/{}, /*givenAmax=*/{});
      });
  if (type.hasOuter() && !outerRows(op.getType(), rows))
    result.outer = wholeOuter(op.getResult());
  blocked[op.getResult()] = result;
}

void KernelTiler::build(Operation *op) {
  b.setLoc(nameLoc(op));
  if (auto linalgOp = dyn_cast<linalg::LinalgOp>(op))
    return buildLinalg(linalgOp);
  if (auto quantizeOp = dyn_cast<QuantizeOp>(op))
    return buildQuantize(quantizeOp);
  if (auto requantizeOp = dyn_cast<RequantizeOp>(op))
    return buildRequantize(requantizeOp);
  Value result = op->getResult(0), part;
  RankedTensorType type = tripType(result);
  if (auto dequantizeOp = dyn_cast<DequantizeOp>(op)) {
    Value source = dequantizeOp.getSource();
    Components components = blockedRows(source);
    part = dequantize(b, blockedTripType(source), components, type,
                      /*applyOuter=*/true);
  } else if (isa<tensor::CollapseShapeOp, tensor::ExpandShapeOp>(op)) {
    part = buildReshape(op);
  } else if (auto sliceOp = dyn_cast<tensor::ExtractSliceOp>(op)) {
    Rows rows = rowsOf(result);
    SmallVector<OpFoldResult> offsets = flattenList<OpFoldResult>(
        sliceOp.getMixedOffsets(), rows, b.getIndexAttr(0));
    SmallVector<OpFoldResult> strides = flattenList<OpFoldResult>(
        sliceOp.getMixedStrides(), rows, b.getIndexAttr(1));
    part = tensor::ExtractSliceOp::create(
        b, tensorRows(sliceOp.getSource()), offsets,
        getAsOpFoldResult(rowSizes(result)), strides);
  } else {
    // The same operation on fewer rows.
    IRMapping mapping;
    for (Value operand : op->getOperands())
      if (domain.rows.contains(operand))
        mapping.map(operand, tensorRows(operand));
    Operation *clone = b.clone(*op, mapping);
    if (auto rht = dyn_cast<RhtOp>(clone))
      rht.setAxis(rowsOf(result).flatten(rht.getAxis()));
    clone->getResult(0).setType(type);
    part = clone->getResult(0);
  }
  tensors[result] = castTo(b, part, type);
}

SmallVector<Value> KernelTiler::run() {
  Block &body = kernel.getBody().front();
  ValueRange results = body.getTerminator()->getOperands();
  for (Value result : results)
    addOutputs(result);
  Rows rows = rowsOf(results[0]);
  numRows = index(outside, 1);
  for (int64_t dim = rows.first; dim < rows.first + rows.count; ++dim)
    numRows = mul(outside, numRows, sizeOf(results[0], dim));
  int64_t step = domain.getRowsPerTrip();
  std::optional<int64_t> known = getConstantIntValue(numRows);
  if (known && *known > 0)
    step = std::min(step, *known);
  if (step == 1 || (known && *known % step == 0))
    staticSize = step;

  SmallVector<Value> written;
  for (const Output &output : outputs)
    written.push_back(output.tensor);
  written = buildForall(
      b, ceilDiv(b, numRows, step), written,
      [&](ValueRange ivs, ValueRange tensorsOfTrip,
          SmallVectorImpl<FinishedSlice> &finished) {
        first = mul(b, ivs[0], step);
        size = ShapedType::isDynamic(staticSize)
                   ? minimum(b, sub(b, numRows, first), index(b, step))
                   : index(b, staticSize);
        for (auto [output, tensor] : llvm::zip_equal(outputs, tensorsOfTrip)) {
          SmallVector<Value> offsets(output.sizes.size(), index(b, 0));
          SmallVector<Value> sliceSizes = output.sizes;
          int64_t dim = output.part.rows.first;
          offsets[dim] = floorDiv(b, first, output.part.rowsPerEntry);
          sliceSizes[dim] = ceilDiv(b, size, output.part.rowsPerEntry);
          output.slice = {tensor, offsets, sliceSizes};
        }
        for (Operation &op : body.without_terminator())
          if (domain.contains(&op))
            build(&op);
        b.setLoc(nameLoc(kernel));
        for (Value result : results) {
          MutableArrayRef<Output> parts = outputsOf(result);
          SmallVector<Value> values;
          if (isa<BlockedType>(result.getType())) {
            Components components = blockedRows(result);
            values = {components.codes, components.scales, components.outer};
          } else {
            values = {parts[0].written ? parts[0].written : tensorRows(result)};
          }
          for (auto [output, value] : llvm::zip(parts, values))
            output.written = value;
        }
        for (Output &output : outputs) {
          // Sizes may be known of one of the two only.
          SmallVector<int64_t> shape;
          for (Value size : output.slice.sizes)
            shape.push_back(
                getConstantIntValue(size).value_or(ShapedType::kDynamic));
          auto type = cast<RankedTensorType>(output.tensor.getType());
          finished.push_back(
              {output.slice, castTo(b, output.written, type.clone(shape))});
        }
      });
  SmallVector<Value> replacements;
  DenseMap<Value, Value> finishedResults;
  ArrayRef<Value> rest = written;
  for (Value result : results) {
    Value &replacement = finishedResults[result];
    if (!replacement)
      replacement = finish(result, rest);
    replacements.push_back(replacement);
  }
  return replacements;
}
