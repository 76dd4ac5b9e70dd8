//===- DecomposeTiles.cpp - Blocks of two dims ----------------------------===//
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

void Quantizer::buildTile(ValueRange position, Value codes, Value scales,
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
            Value codes = encode(values, /*random=*/Value(), group, candidate);
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

Value Quantizer::sumOfRows(Value errors) {
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
