//===- DecomposeOuterScales.cpp - Outer scales of a quantisation ----------===//
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

SmallVector<Value> decompose::buildOuterScales(ImplicitLocOpBuilder &b,
                                               BlockedType type, RuleAttr rule,
                                               ValueRange groups, Value given,
                                               OuterSource from) {
  return buildScalars(b, type.getOuterType(), groups, 2,
                      [&](ValueRange ivs) -> SmallVector<Value> {
                        Value value = tensor::ExtractOp::create(b, given, ivs);
                        auto scale = OuterScaleOp::create(
                            b, value, type.getFormat(), rule, from);
                        return {scale.getEncode(), scale.getDecode()};
                      });
}

OuterTensors Quantizer::buildOuter(Value givenScale, Value givenAmax) {
  SmallVector<Value> groups = outerSizes();
  OuterTensors tensors;
  OuterSource from = givenScale ? OuterSource::Scale : OuterSource::Amax;
  Location loc = b.getLoc();
  b.setLoc(nameLoc(loc, "amax"));
  if (!givenScale)
    tensors.amax = givenAmax ? givenAmax : buildAmaxes(groups);
  b.setLoc(nameLoc(loc, "outer"));
  Value given = givenScale ? givenScale : tensors.amax;
  SmallVector<Value> scales =
      buildOuterScales(b, type, rule, groups, given, from);
  tensors.encode = scales[0];
  tensors.decode = scales[1];
  return tensors;
}

int64_t Quantizer::amaxWidth(Value size) const {
  int64_t count = 64;
  if (std::optional<int64_t> known = getConstantIntValue(size))
    while (count > 16 && *known % count != 0)
      count /= 2;
  return count;
}

Value Quantizer::buildRowAmax(ArrayRef<Value> row, int64_t inner) {
  SmallVector<Value> position(row);
  Value start = index(b, 0), size = sizes[inner], amax;
  int64_t count = amaxWidth(size);
  if (batching.enabled && permutation[inner] == rank - 1) {
    // One lane each for elements that lie `lanes` apart, and one reduction
    // across lanes in the end.
    constexpr int64_t lanes = 32, steps = 8;
    count = lanes;
    Value whole = mul(b, floorDiv(b, size, lanes * steps), lanes * steps);
    Type element = cast<RankedTensorType>(source.getType()).getElementType();
    // A magnitude in bf16 stays one, at twice as many lanes a register.
    Type carriedType = element.isBF16() ? element : Type(b.getF32Type());
    Value largestOfLanes = buildFor(
        b, start, whole, lanes * steps, zeroVector(b, carriedType, lanes),
        [&](Value k, ValueRange carried) -> SmallVector<Value> {
          position[inner] = k;
          SmallVector<Value> rows =
              readLanes(b, source, sourceIndices(position), lanes, steps);
          if (element != carriedType)
            return {largerMagnitudes(b, carried[0],
                                     amaxOf(widenToF32(b, stack(b, rows))))};
          rows.push_back(carried[0]);
          return {narrow(b, amaxOf(widenToF32(b, stack(b, rows))), element)};
        })[0];
    largestOfLanes = widenToF32(b, largestOfLanes);
    amax = amaxOf(largestOfLanes);
    start = whole;
  } else {
    amax = f32Constant(b, 0.0f);
  }
  return buildFor(b, start, size, count, amax,
                  [&](Value k, ValueRange carried) -> SmallVector<Value> {
                    position[inner] = k;
                    Extent extent = Extent::of(b, size, k, count);
                    Value values = readSource(position, inner, count, extent);
                    return {largest(carried[0], amaxOf(values))};
                  })[0];
}

Value Quantizer::buildAmaxes(ValueRange groups) {
  // Along the source's contiguous dim where that is not an outer axis. The dim
  // of blocks may be one too, where they have one element.
  auto isOuter = [&](int64_t dim) {
    return llvm::is_contained(type.getOuterAxes(), dim);
  };
  int64_t inner = llvm::find(permutation, rank - 1) - permutation.begin();
  if (isOuter(inner))
    inner = axis;
  for (int64_t dim = 0; dim < rank && isOuter(inner); ++dim)
    inner = dim;
  if (isOuter(inner))
    return buildScalars(
        b, type.getOuterType(), groups, 1,
        [&](ValueRange ivs) -> SmallVector<Value> {
          return {amaxOf(readSource(ivs, rank - 1, 1, Extent::full()))};
        })[0];
  SmallVector<int64_t> rowDims, rowShape;
  SmallVector<Value> rowSizes;
  for (int64_t dim = 0; dim < rank; ++dim) {
    if (dim == inner)
      continue;
    rowDims.push_back(dim);
    rowShape.push_back(type.getDimSize(dim));
    rowSizes.push_back(sizes[dim]);
  }
  Value zero = f32Constant(b, 0.0f);
  Value rows =
      buildScalars(b, RankedTensorType::get(rowShape, b.getF32Type()), rowSizes,
                   1, [&](ValueRange ivs) -> SmallVector<Value> {
                     SmallVector<Value> position(rank);
                     for (auto [dim, iv] : llvm::zip_equal(rowDims, ivs))
                       position[dim] = iv;
                     return {buildRowAmax(position, inner)};
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

Value Quantizer::largest(Value lhs, Value rhs) {
  return arith::MaximumFOp::create(b, lhs, rhs);
}

Value Quantizer::amaxOf(Value values) {
  return BlockAmaxOp::create(b, values, rule.getNonFinite());
}

Group Quantizer::readGroup(ValueRange position) {
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

Group Quantizer::buildGroup(ValueRange position) {
  Value amax = buildRowAmax(llvm::to_vector(position), axis);
  auto scale = OuterScaleOp::create(b, amax, format, rule, OuterSource::Amax);
  bool scaled = rule.getFourSixError() == FourSixError::Scaled;
  return {scale.getEncode(), scale.getDecode(),
          scaled ? scale.getEncode() : amax};
}
