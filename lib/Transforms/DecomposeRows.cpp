//===- DecomposeRows.cpp - Rows of blocks, in batches ---------------------===//
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

bool Quantizer::canMakeBatches() const {
  if (!inBatches || type.isTiled() || permutation[rank - 1] != rank - 1)
    return false;
  Type element = cast<RankedTensorType>(source.getType()).getElementType();
  constexpr int64_t maxWidth = 32;
  if (alongRows()
          ? packed != packedInPlace || !canTransposeBatch(element, width)
          : width > maxWidth)
    return false;
  if (rule.isStochastic() && width % randomGroupSize() != 0)
    return false;
  std::optional<int64_t> size = getConstantIntValue(sizes.back());
  return !size || *size >= kBatchBlocks * type.getBlockShape().back();
}

bool Quantizer::hasOuterPerRow() const {
  return type.hasOuter() && rank > 1 && alongRows() &&
         llvm::equal(type.getOuterAxes(), llvm::seq<int64_t>(0, rank - 1));
}

SmallVector<Value> Quantizer::buildRows(ValueRange outputs) {
  SmallVector<Value> bounds;
  for (auto [size, block] : llvm::zip_equal(ArrayRef(sizes).drop_back(),
                                            type.getBlockShape().drop_back()))
    bounds.push_back(ceilDiv(b, size, block));
  return buildForall(
      b, bounds, outputs,
      [&](ValueRange ivs, ValueRange rows,
          SmallVectorImpl<FinishedSlice> &finished) {
        SmallVector<Value> position;
        for (auto [iv, block] :
             llvm::zip_equal(ivs, type.getBlockShape().drop_back()))
          position.push_back(mul(b, iv, block));
        position.push_back(index(b, 0));
        std::optional<Group> group;
        if (rows.size() == 3) {
          group = buildGroup(position);
          Slice decodeAt{rows[2], llvm::to_vector(ivs),
                         SmallVector<Value>(rank - 1, index(b, 1))};
          finished.push_back(
              {decodeAt, writeScalar(b, group->decode, decodeAt.extract(b))});
        } else if (!llvm::is_contained(type.getOuterAxes(), rank - 1)) {
          group = readGroup(position);
        }
        buildRow(position, group, rows[0], rows[1], finished);
      });
}

void Quantizer::buildRow(ValueRange position, const std::optional<Group> &group,
                         Value codes, Value scales,
                         SmallVectorImpl<FinishedSlice> &finished) {
  int64_t block = type.getBlockShape().back();
  Value whole = floorDiv(b, sizes.back(), kBatchBlocks * block);
  Slice codesRow{codes, llvm::to_vector(position),
                 SmallVector<Value>(rank, index(b, 1))};
  if (!alongRows()) {
    Extent extent = Extent::of(b, sizes[axis], position[axis], width);
    codesRow.sizes[axis] = extent.getCount(b, width);
    // Blocks that are cut short at the end of their dim are not for batches.
    whole = extent.ifFull(b, whole);
  }
  codesRow.sizes.back() = packedInPlace ? storedSizes().back() : sizes.back();
  Slice scalesRow{scales, scaleIndices(b, type, position),
                  SmallVector<Value>(rank, index(b, 1))};
  Value blocks = ceilDiv(b, sizes.back(), block);
  scalesRow.sizes.back() = blocks;

  SmallVector<Value> start(rank, index(b, 0));
  auto positionOf = [&](Value offset, SmallVector<Value> &target) {
    SmallVector<Value> at(position);
    at.back() = offset;
    target = start;
    target.back() = offset;
    return at;
  };
  auto insertAll = [&](ArrayRef<FinishedSlice> slices) {
    SmallVector<Value> results;
    for (const FinishedSlice &slice : slices)
      results.push_back(slice.insert(b));
    return results;
  };
  SmallVector<Value> rows = buildFor(
      b, index(b, 0), whole, 1, {codesRow.extract(b), scalesRow.extract(b)},
      [&](Value iv, ValueRange carried) {
        SmallVector<Value> target;
        SmallVector<Value> at =
            positionOf(mul(b, iv, kBatchBlocks * block), target);
        SmallVector<FinishedSlice> slices;
        buildBatch(at, target, group ? spread(*group) : readGroups(at),
                   carried[0], carried[1], slices);
        return insertAll(slices);
      });
  rows = buildFor(b, mul(b, whole, kBatchBlocks), blocks, 1, rows,
                  [&](Value iv, ValueRange carried) {
                    SmallVector<Value> target;
                    SmallVector<Value> at =
                        positionOf(mul(b, iv, block), target);
                    SmallVector<FinishedSlice> slices;
                    buildBlock(at, target, group ? *group : readGroup(at),
                               carried[0], carried[1], slices);
                    return insertAll(slices);
                  });
  finished.push_back({codesRow, rows[0]});
  finished.push_back({scalesRow, rows[1]});
}

Group Quantizer::spread(const Group &group) {
  auto toAll = [&](Value scalar) {
    return scalar ? splat(b, scalar, kBatchBlocks) : Value();
  };
  return {toAll(group.encode), toAll(group.decode), toAll(group.error)};
}

Group Quantizer::readGroups(ValueRange position) {
  SmallVector<Value> indices;
  for (int64_t dim : type.getOuterAxes())
    indices.push_back(position[dim]);
  auto read = [&](Value tensor) {
    return readVector(b, tensor, indices, indices.size() - 1, kBatchBlocks,
                      Extent::full());
  };
  Group group{read(outer.encode), read(outer.decode), {}};
  if (rule.getFourSixError() == FourSixError::Scaled)
    group.error = group.encode;
  else if (!outer.amax)
    group.error = group.decode;
  else if (isFourSix())
    group.error = read(outer.amax);
  return group;
}

Value Quantizer::randomGroups(ValueRange position) {
  if (!rule.isStochastic())
    return {};
  auto type = VectorType::get({kBatchBlocks}, b.getI64Type());
  auto toAll = [&](Value number) {
    return splat(b, arith::IndexCastOp::create(b, b.getI64Type(), number),
                 kBatchBlocks);
  };
  auto steps = llvm::to_vector(llvm::seq<int64_t>(0, kBatchBlocks));
  Value lanes = arith::ConstantOp::create(
      b, DenseElementsAttr::get(type, ArrayRef<int64_t>(steps)));
  Value step =
      alongRows() ? index(b, width / randomGroupSize()) : randomGroupsPerRow();
  Value first = add(b, firstRandomGroup(position),
                    floorDiv(b, position[axis], randomGroupSize()));
  return arith::AddIOp::create(b, toAll(first),
                               arith::MulIOp::create(b, lanes, toAll(step)));
}

Value Quantizer::encodeBatch(const Batch &batch, Value randomGroups,
                             const Group &group, Candidate candidate,
                             Value *decoded) {
  candidate.valid = {};
  int64_t count = std::min<int64_t>(packedInPlace ? 8 : 4, width);
  SmallVector<Value> rows, decodedRows, words;
  for (int64_t i = 0; i < width; i += count) {
    Value values = batch.getValues(b, i, std::min(count, width - i));
    Value random;
    if (randomGroups) {
      int64_t inGroup = i % randomGroupSize();
      if (inGroup == 0) {
        Value offset = splat(b,
                             arith::ConstantOp::create(
                                 b, b.getI64IntegerAttr(i / randomGroupSize())),
                             kBatchBlocks);
        words = buildBatchWords(b, rule, key,
                                arith::AddIOp::create(b, randomGroups, offset));
      }
      int64_t perWord = randomGroupSize() / words.size();
      random = buildBatchBits(
          b, rule, format.getElementType(),
          ArrayRef(words).slice(inGroup / perWord, count / perWord));
    }
    Value codes = encode(values, random, group, candidate);
    if (decoded) {
      Value part =
          DecodeOp::create(b, values.getType(), codes, format.getElementType());
      llvm::append_range(decodedRows, unstack(b, part));
    }
    if (alongRows())
      rows.push_back(packWord(b, codes));
    else
      llvm::append_range(rows, unstack(b, codes));
  }
  if (decoded)
    *decoded = stack(b, decodedRows);
  return stack(b, rows);
}

Value Quantizer::buildBatchCodes(ValueRange position, const Batch &batch,
                                 Value amax, const Group &group,
                                 Candidate &chosen, Value slice) {
  Value random = randomGroups(position);
  Value codesOrWords;
  if (isFourSix()) {
    Value values = batch.getValues(b, 0, width), decoded;
    // One candidate after the other, since registers are few.
    codesOrWords = encodeBatch(batch, random, group, chosen, &decoded);
    Value sixError = decodedError(values, decoded, group, chosen);
    Candidate four = makeCandidate(amax, group, /*four=*/true);
    Value fourCodes = encodeBatch(batch, random, group, four, &decoded);
    Value better =
        isBetter(decodedError(values, decoded, group, four), sixError);
    codesOrWords =
        select(forElements(better, fourCodes), fourCodes, codesOrWords);
    chosen.scale = select(better, four.scale, chosen.scale);
    chosen.valid = select(better, four.valid, chosen.valid);
  } else {
    codesOrWords =
        encodeBatch(batch, random, group, chosen, /*decoded=*/nullptr);
  }
  codesOrWords = select(forElements(chosen.valid, codesOrWords), codesOrWords,
                        zeroLike(codesOrWords));
  return alongRows() ? writeRowBatch(b, codesOrWords, slice)
                     : writeColumnBatch(b, codesOrWords, slice, axis);
}

std::optional<BF16Encoding> Quantizer::getBF16Encoding() const {
  constexpr int64_t blockWidth = 32;
  if (!alongRows() || width != blockWidth || type.hasOuter() ||
      !cast<RankedTensorType>(source.getType()).getElementType().isBF16())
    return std::nullopt;
  return BF16Encoding::get(format, rule);
}

void Quantizer::buildBatch(ValueRange position, ValueRange target,
                           const Group &group, Value codes, Value scales,
                           SmallVectorImpl<FinishedSlice> &finished) {
  int64_t count = kBatchBlocks * type.getBlockShape().back();
  SmallVector<Value> offsets(target);
  if (packedInPlace) {
    offsets.back() = floorDiv(b, offsets.back(), 2);
    count /= 2;
  }
  Slice codesAt{codes, offsets, sliceSizes(b, rank, rank - 1, index(b, count))};
  if (!alongRows())
    codesAt.sizes[axis] = index(b, width);
  Value slice = codesAt.extract(b);

  SmallVector<Value> from = sourceIndices(position);
  auto readBatch = [&] {
    return alongRows()
               ? readRowBatch(b, source, from, width)
               : readColumnBatch(b, source, from, permutation[axis], width);
  };
  Candidate chosen;
  Value written;
  if (std::optional<BF16Encoding> encoding = getBF16Encoding()) {
    SmallVector<Value> blocks = readBlockBits(b, source, from);
    Value amax = amaxOfBlocks(b, blocks);
    chosen = makeCandidate(amax, group, /*four=*/false);
    Value exact = vector::ReductionOp::create(b, vector::CombiningKind::AND,
                                              encoding->isExact(b, amax));
    auto branch =
        scf::IfOp::create(b, slice.getType(), exact, /*withElseRegion=*/true);
    OpBuilder::InsertionGuard guard(b);
    b.setInsertionPointToStart(branch.thenBlock());
    Value subtrahends = encoding->offsets(b, chosen.scale);
    SmallVector<Value> encoded;
    for (auto [i, block] : llvm::enumerate(blocks))
      encoded.push_back(
          encoding->encode(b, block, spreadToBlock(b, subtrahends, i)));
    scf::YieldOp::create(b, writeHighBytes(b, encoded, slice));
    b.setInsertionPointToStart(branch.elseBlock());
    scf::YieldOp::create(
        b, buildBatchCodes(position, readBatch(), amax, group, chosen, slice));
    written = branch.getResult(0);
  } else {
    Batch batch = readBatch();
    Value amax = batch.getAmax(b, width, rule.getNonFinite());
    chosen = makeCandidate(amax, group, /*four=*/false);
    written = buildBatchCodes(position, batch, amax, group, chosen, slice);
  }
  finished.push_back({codesAt, written});
  Slice scalesAt{scales, scaleIndices(b, type, target),
                 sliceSizes(b, rank, rank - 1, index(b, kBatchBlocks))};
  finished.push_back(
      {scalesAt, writeVector(b, chosen.scale, scalesAt.extract(b), rank - 1,
                             Extent::full())});
}
