//===- DecomposeUtils.cpp - Shared parts of lowp-decompose ----------------===//
//
// Part of the Lowp project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "DecomposeUtils.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/Dialect/Utils/StaticValueUtils.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "mlir/IR/TypeUtilities.h"
#include <functional>

using namespace mlir;
using namespace mlir::lowp;
using namespace mlir::lowp::decompose;

//===----------------------------------------------------------------------===//
// Components
//===----------------------------------------------------------------------===//

SmallVector<Value> Components::flatten() const {
  SmallVector<Value> values = {codes, scales};
  if (outer)
    values.push_back(outer);
  if (offsets)
    values.push_back(offsets);
  if (lastDim)
    values.push_back(lastDim);
  return values;
}

bool decompose::carriesLastDim(BlockedType type) {
  return type.getFormat().getStorageBits() == 4 &&
         type.isDynamicDim(type.getRank() - 1);
}

SmallVector<Type> decompose::getConvertedTypes(BlockedType type) {
  SmallVector<Type> types = type.getComponentTypes();
  if (carriesLastDim(type))
    types.push_back(IndexType::get(type.getContext()));
  return types;
}

Components decompose::getComponents(BlockedType type, ValueRange values) {
  Components components;
  components.codes = values[0];
  components.scales = values[1];
  if (type.hasOuter())
    components.outer = values[2];
  if (type.isGrouped())
    components.offsets = values[type.hasOuter() ? 3 : 2];
  if (carriesLastDim(type))
    components.lastDim = values.back();
  return components;
}

Value decompose::getSize(ImplicitLocOpBuilder &b, BlockedType type,
                         const Components &value, int64_t dim) {
  if (!type.isDynamicDim(dim))
    return index(b, type.getDimSize(dim));
  if (value.lastDim && dim == type.getRank() - 1)
    return value.lastDim;
  return b.createOrFold<tensor::DimOp>(value.codes, dim);
}

SmallVector<Value> decompose::getSizes(ImplicitLocOpBuilder &b,
                                       BlockedType type,
                                       const Components &value) {
  SmallVector<Value> sizes;
  for (int64_t dim = 0; dim < type.getRank(); ++dim)
    sizes.push_back(getSize(b, type, value, dim));
  return sizes;
}

//===----------------------------------------------------------------------===//
// Index arithmetic
//===----------------------------------------------------------------------===//

Value decompose::index(ImplicitLocOpBuilder &b, int64_t value) {
  return arith::ConstantIndexOp::create(b, value);
}

Value decompose::add(ImplicitLocOpBuilder &b, Value lhs, Value rhs) {
  return b.createOrFold<arith::AddIOp>(lhs, rhs);
}

Value decompose::sub(ImplicitLocOpBuilder &b, Value lhs, Value rhs) {
  return b.createOrFold<arith::SubIOp>(lhs, rhs);
}

Value decompose::mul(ImplicitLocOpBuilder &b, Value lhs, int64_t rhs) {
  if (rhs == 1)
    return lhs;
  return b.createOrFold<arith::MulIOp>(lhs, index(b, rhs));
}

Value decompose::mul(ImplicitLocOpBuilder &b, Value lhs, Value rhs) {
  return b.createOrFold<arith::MulIOp>(lhs, rhs);
}

Value decompose::floorDiv(ImplicitLocOpBuilder &b, Value lhs, int64_t rhs) {
  if (rhs == 1)
    return lhs;
  return b.createOrFold<arith::DivUIOp>(lhs, index(b, rhs));
}

Value decompose::ceilDiv(ImplicitLocOpBuilder &b, Value lhs, int64_t rhs) {
  if (rhs == 1)
    return lhs;
  return floorDiv(b, add(b, lhs, index(b, rhs - 1)), rhs);
}

Value decompose::minimum(ImplicitLocOpBuilder &b, Value lhs, Value rhs) {
  return b.createOrFold<arith::MinUIOp>(lhs, rhs);
}

SmallVector<Value> decompose::getSizes(ImplicitLocOpBuilder &b, Value tensor) {
  auto type = cast<RankedTensorType>(tensor.getType());
  SmallVector<Value> sizes;
  for (int64_t dim = 0; dim < type.getRank(); ++dim)
    sizes.push_back(type.isDynamicDim(dim)
                        ? b.createOrFold<tensor::DimOp>(tensor, dim)
                        : index(b, type.getDimSize(dim)));
  return sizes;
}

Value decompose::emptyTensor(ImplicitLocOpBuilder &b, RankedTensorType type,
                             ValueRange sizes) {
  SmallVector<Value> dynamicSizes;
  for (auto [dim, size] : llvm::enumerate(sizes))
    if (type.isDynamicDim(dim))
      dynamicSizes.push_back(size);
  return tensor::EmptyOp::create(b, type, dynamicSizes);
}

Value decompose::emptyTensor(ImplicitLocOpBuilder &b, Type elementType,
                             ValueRange sizes) {
  return tensor::EmptyOp::create(b, getAsOpFoldResult(sizes), elementType);
}

//===----------------------------------------------------------------------===//
// Loops and slices
//===----------------------------------------------------------------------===//

Value Slice::extract(ImplicitLocOpBuilder &b) const {
  SmallVector<OpFoldResult> strides(offsets.size(), b.getIndexAttr(1));
  return tensor::ExtractSliceOp::create(b, tensor, getAsOpFoldResult(offsets),
                                        getAsOpFoldResult(sizes), strides);
}

Value FinishedSlice::insert(ImplicitLocOpBuilder &b) const {
  SmallVector<OpFoldResult> strides(slice.offsets.size(), b.getIndexAttr(1));
  return tensor::InsertSliceOp::create(b, value, slice.tensor,
                                       getAsOpFoldResult(slice.offsets),
                                       getAsOpFoldResult(slice.sizes), strides);
}

Location decompose::nameLoc(Operation *op) {
  return NameLoc::get(op->getName().getIdentifier(), op->getLoc());
}

Location decompose::nameLoc(Location loc, StringRef part) {
  auto named = dyn_cast<NameLoc>(loc);
  if (!named)
    return loc;
  auto name = StringAttr::get(loc.getContext(),
                              named.getName().getValue() + "." + part);
  return NameLoc::get(name, named.getChildLoc());
}

SmallVector<Value> decompose::buildForall(ImplicitLocOpBuilder &b,
                                          ValueRange bounds, ValueRange outputs,
                                          ForallBody body) {
  SmallVector<OpFoldResult> upper = getAsOpFoldResult(bounds);
  auto loop = scf::ForallOp::create(
      b, upper, outputs, /*mapping=*/std::nullopt,
      [&](OpBuilder &, Location, ValueRange args) {
        SmallVector<FinishedSlice> finished;
        body(args.take_front(upper.size()), args.drop_front(upper.size()),
             finished);
        auto terminator = scf::InParallelOp::create(b);
        b.setInsertionPointToStart(terminator.getBody());
        for (const FinishedSlice &result : finished) {
          SmallVector<OpFoldResult> strides(result.slice.offsets.size(),
                                            b.getIndexAttr(1));
          tensor::ParallelInsertSliceOp::create(
              b, result.value, result.slice.tensor,
              getAsOpFoldResult(result.slice.offsets),
              getAsOpFoldResult(result.slice.sizes), strides);
        }
      });
  return llvm::to_vector(ValueRange(loop.getResults()));
}

SmallVector<Value> decompose::buildFor(ImplicitLocOpBuilder &b, Value lower,
                                       Value upper, int64_t step,
                                       ValueRange init, ForBody body) {
  auto loop = scf::ForOp::create(
      b, lower, upper, index(b, step), init,
      [&](OpBuilder &, Location, Value iv, ValueRange carried) {
        scf::YieldOp::create(b, body(iv, carried));
      });
  return llvm::to_vector(ValueRange(loop.getResults()));
}

SmallVector<Value> decompose::buildScalars(
    ImplicitLocOpBuilder &b, RankedTensorType type, ValueRange sizes,
    unsigned count, llvm::function_ref<SmallVector<Value>(ValueRange)> body) {
  SmallVector<Value> results;
  if (type.getRank() == 0) {
    for (Value scalar : body({}))
      results.push_back(tensor::FromElementsOp::create(b, type, scalar));
    return results;
  }
  for (unsigned i = 0; i < count; ++i)
    results.push_back(emptyTensor(b, type, sizes));
  return buildForall(
      b, sizes, results,
      [&](ValueRange ivs, ValueRange outputs,
          SmallVectorImpl<FinishedSlice> &finished) {
        SmallVector<Value> ones(ivs.size(), index(b, 1));
        for (auto [output, scalar] : llvm::zip_equal(outputs, body(ivs))) {
          Slice slice{output, llvm::to_vector(ivs), ones};
          finished.push_back({slice, writeScalar(b, scalar, slice.extract(b))});
        }
      });
}

SmallVector<Value> decompose::buildForNest(
    ImplicitLocOpBuilder &b, ValueRange bounds, ValueRange init,
    llvm::function_ref<SmallVector<Value>(ValueRange, ValueRange)> body) {
  SmallVector<Value> ivs;
  std::function<SmallVector<Value>(ValueRange)> nest =
      [&](ValueRange carried) -> SmallVector<Value> {
    if (ivs.size() == bounds.size())
      return body(ivs, carried);
    return buildFor(b, index(b, 0), bounds[ivs.size()], 1, carried,
                    [&](Value iv, ValueRange inner) {
                      ivs.push_back(iv);
                      SmallVector<Value> results = nest(inner);
                      ivs.pop_back();
                      return results;
                    });
  };
  return nest(init);
}

Extent Extent::of(ImplicitLocOpBuilder &b, Value size, Value offset,
                  int64_t width) {
  std::optional<int64_t> known = getConstantIntValue(size);
  if (width == 1 || (known && *known % width == 0))
    return Extent::full();
  Extent extent;
  extent.present = sub(b, size, offset);
  if (known && *known < width)
    extent.neverFull = true;
  else
    extent.isFull = arith::CmpIOp::create(b, arith::CmpIPredicate::uge,
                                          extent.present, index(b, width));
  return extent;
}

Value Extent::getCount(ImplicitLocOpBuilder &b, int64_t width) const {
  if (isAlwaysFull())
    return index(b, width);
  return minimum(b, present, index(b, width));
}

Value Extent::ifFull(ImplicitLocOpBuilder &b, Value count) const {
  if (isAlwaysFull())
    return count;
  if (neverFull)
    return index(b, 0);
  return arith::SelectOp::create(b, isFull, count, index(b, 0));
}

Value Extent::select(ImplicitLocOpBuilder &b,
                     llvm::function_ref<Value(bool)> build) const {
  if (isAlwaysFull())
    return build(/*inBounds=*/true);
  if (neverFull)
    return build(/*inBounds=*/false);
  auto branch = scf::IfOp::create(
      b, isFull,
      [&](OpBuilder &, Location) {
        scf::YieldOp::create(b, build(/*inBounds=*/true));
      },
      [&](OpBuilder &, Location) {
        scf::YieldOp::create(b, build(/*inBounds=*/false));
      });
  return branch.getResult(0);
}

/// Adds `offset` to the index along `axis`.
static SmallVector<Value> moveAlong(ImplicitLocOpBuilder &b, ValueRange indices,
                                    int64_t axis, Value offset) {
  SmallVector<Value> moved(indices);
  moved[axis] = add(b, moved[axis], offset);
  return moved;
}

/// Elements that are not adjacent, one by one. Transfers along other dims than
/// the last would be lowered to such loops too, but with buffers on the stack.
static Value gather(ImplicitLocOpBuilder &b, Value tensor, ValueRange indices,
                    int64_t axis, VectorType type, Value padding,
                    const Extent &extent) {
  int64_t width = type.getDimSize(0);
  return extent.select(b, [&](bool inBounds) -> Value {
    if (inBounds) {
      SmallVector<Value> elements;
      for (int64_t i = 0; i < width; ++i)
        elements.push_back(tensor::ExtractOp::create(
            b, tensor, moveAlong(b, indices, axis, index(b, i))));
      return vector::FromElementsOp::create(b, type, elements);
    }
    Value none = vector::BroadcastOp::create(b, type, padding);
    return buildFor(b, index(b, 0), extent.getCount(b, width), 1, none,
                    [&](Value i, ValueRange carried) -> SmallVector<Value> {
                      Value element = tensor::ExtractOp::create(
                          b, tensor, moveAlong(b, indices, axis, i));
                      return {vector::InsertOp::create(b, element, carried[0],
                                                       OpFoldResult(i))};
                    })[0];
  });
}

static Value scatter(ImplicitLocOpBuilder &b, Value vector, Value slice,
                     ValueRange start, int64_t axis, const Extent &extent) {
  int64_t width = cast<VectorType>(vector.getType()).getDimSize(0);
  return extent.select(b, [&](bool inBounds) -> Value {
    if (inBounds) {
      Value written = slice;
      for (int64_t i = 0; i < width; ++i) {
        Value element =
            vector::ExtractOp::create(b, vector, ArrayRef<int64_t>{i});
        written = tensor::InsertOp::create(
            b, element, written, moveAlong(b, start, axis, index(b, i)));
      }
      return written;
    }
    return buildFor(
        b, index(b, 0), extent.getCount(b, width), 1, slice,
        [&](Value i, ValueRange carried) -> SmallVector<Value> {
          Value element = vector::ExtractOp::create(b, vector, OpFoldResult(i));
          return {tensor::InsertOp::create(b, element, carried[0],
                                           moveAlong(b, start, axis, i))};
        })[0];
  });
}

Value decompose::readVector(ImplicitLocOpBuilder &b, Value tensor,
                            ValueRange indices, int64_t axis, int64_t width,
                            const Extent &extent) {
  auto tensorType = cast<RankedTensorType>(tensor.getType());
  Type elementType = tensorType.getElementType();
  auto type = VectorType::get({width}, elementType);
  Value padding = arith::ConstantOp::create(b, b.getZeroAttr(elementType));
  if (axis != tensorType.getRank() - 1)
    return gather(b, tensor, indices, axis, type, padding, extent);
  return extent.select(b, [&](bool inBounds) -> Value {
    return vector::TransferReadOp::create(b, type, tensor, indices, padding,
                                          ArrayRef<bool>{inBounds});
  });
}

Value decompose::readVectorF32(ImplicitLocOpBuilder &b, Value tensor,
                               ValueRange indices, int64_t axis, int64_t width,
                               const Extent &extent) {
  return widenToF32(b, readVector(b, tensor, indices, axis, width, extent));
}

Value decompose::writeVector(ImplicitLocOpBuilder &b, Value vector, Value slice,
                             int64_t axis, const Extent &extent) {
  int64_t rank = cast<RankedTensorType>(slice.getType()).getRank();
  SmallVector<Value> start(rank, index(b, 0));
  if (axis != rank - 1)
    return scatter(b, vector, slice, start, axis, extent);
  return extent.select(b, [&](bool inBounds) -> Value {
    return vector::TransferWriteOp::create(b, vector, slice, start,
                                           ArrayRef<bool>{inBounds})
        .getResult();
  });
}

Value decompose::writeScalar(ImplicitLocOpBuilder &b, Value scalar,
                             Value slice) {
  int64_t rank = cast<RankedTensorType>(slice.getType()).getRank();
  SmallVector<Value> start(rank, index(b, 0));
  return tensor::InsertOp::create(b, scalar, slice, start);
}

SmallVector<Value> decompose::sliceSizes(ImplicitLocOpBuilder &b, int64_t rank,
                                         int64_t axis, Value size) {
  SmallVector<Value> sizes(rank, index(b, 1));
  sizes[axis] = size;
  return sizes;
}

Value decompose::splat(ImplicitLocOpBuilder &b, Value scalar, int64_t width) {
  return vector::BroadcastOp::create(
      b, VectorType::get({width}, scalar.getType()), scalar);
}

Value decompose::f32Constant(ImplicitLocOpBuilder &b, float value) {
  return arith::ConstantOp::create(b, b.getF32FloatAttr(value));
}

Value decompose::zeroVector(ImplicitLocOpBuilder &b, Type elementType,
                            int64_t width) {
  return arith::ConstantOp::create(
      b, cast<TypedAttr>(b.getZeroAttr(VectorType::get({width}, elementType))));
}

Value decompose::roundTo(ImplicitLocOpBuilder &b, Value value,
                         Type elementType) {
  if (elementType.isF32())
    return value;
  return arith::TruncFOp::create(
      b, withElementType(value.getType(), elementType), value);
}

Value decompose::widenToF32(ImplicitLocOpBuilder &b, Value value) {
  if (getElementTypeOrSelf(value.getType()).isF32())
    return value;
  return arith::ExtFOp::create(
      b, withElementType(value.getType(), b.getF32Type()), value);
}
