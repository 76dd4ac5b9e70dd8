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
  if (!batching.enabled || type.isTiled() || permutation[rank - 1] != rank - 1)
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
        if (rows.size() == 3)
          group = buildGroup(position);
        else if (!llvm::is_contained(type.getOuterAxes(), rank - 1))
          group = readGroup(position);
        buildRow(position, group, rows[0], rows[1], finished);
        // In the order of the outputs: a loop of one trip becomes its body by
        // that.
        if (rows.size() < 3)
          return;
        Slice decodeAt{rows[2], llvm::to_vector(ivs),
                       SmallVector<Value>(rank - 1, index(b, 1))};
        finished.push_back(
            {decodeAt, writeScalar(b, group->decode, decodeAt.extract(b))});
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
  auto positionOfBatch = [&](Value iv, SmallVector<Value> &target) {
    return positionOf(mul(b, iv, kBatchBlocks * block), target);
  };
  auto groupAt = [&](ValueRange at) {
    return group ? spread(*group) : readGroups(at);
  };
  auto build = [&](Value iv, const BatchScales &batchScales,
                   ValueRange carried) {
    SmallVector<Value> target;
    SmallVector<Value> at = positionOfBatch(iv, target);
    SmallVector<FinishedSlice> slices;
    buildBatch(at, target, groupAt(at), batchScales, carried[0], carried[1],
               slices);
    return insertAll(slices);
  };
  auto scalesOf = [&](Value iv) {
    SmallVector<Value> target;
    SmallVector<Value> at = positionOfBatch(iv, target);
    if (readsPairsAhead())
      return buildScalesOfPairs(at, groupAt(at));
    Value amax =
        canFindScalesAhead()
            ? amaxOfBlocks(
                  b, readBlockBits(b, source, sourceIndices(at), width), width)
            : readBatch(at).getAmax(b, width, rule.getNonFinite());
    return buildScales(amax, groupAt(at),
                       /*regular=*/getPackedEncoding().has_value());
  };
  SmallVector<Value> rows = {codesRow.extract(b), scalesRow.extract(b)};
  if (canFindScalesAhead())
    rows = buildBatchesAhead(whole, rows, scalesOf, build);
  else
    rows = buildFor(b, index(b, 0), whole, 1, rows,
                    [&](Value iv, ValueRange carried) {
                      return build(iv, scalesOf(iv), carried);
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

bool Quantizer::canFindScalesAhead() const {
  return alongRows() && !saturates() &&
         cast<RankedTensorType>(source.getType()).getElementType().isBF16();
}

Batch Quantizer::readBatch(ValueRange position) {
  SmallVector<Value> from = sourceIndices(position);
  return alongRows()
             ? readRowBatch(b, source, from, width)
             : readColumnBatch(b, source, from, permutation[axis], width);
}

BatchScales Quantizer::buildScales(Value amax, const Group &group,
                                   bool regular) {
  BatchScales scales{
      amax, makeCandidate(amax, group, /*four=*/false, regular), {}, {}, {}};
  if (isFourSix())
    scales.four = makeCandidate(amax, group, /*four=*/true, regular);
  return scales;
}

SmallVector<Value> Quantizer::toValues(const BatchScales &scales) {
  SmallVector<Value> values = {scales.amax, scales.six.scale};
  // Integers need no factor.
  if (getBF16Encoding())
    return values;
  values.push_back(scales.six.factor);
  if (scales.four)
    values.append({scales.six.decoded, scales.four->scale, scales.four->factor,
                   scales.four->decoded});
  llvm::append_range(values, scales.pairs);
  llvm::append_range(values, scales.signs);
  return values;
}

BatchScales Quantizer::toScales(ValueRange values) {
  auto next = values.begin();
  auto take = [&] { return *next++; };
  BatchScales scales;
  scales.amax = take();
  scales.six.scale = take();
  if (getBF16Encoding())
    return scales;
  scales.six.factor = take();
  scales.six.valid = isValid(scales.six.scale);
  if (isFourSix()) {
    scales.six.decoded = take();
    Candidate &four = scales.four.emplace();
    four.scale = take();
    four.factor = take();
    four.decoded = take();
    four.valid = isValid(four.scale);
  }
  if (readsPairsAhead()) {
    constexpr int64_t elementsPerPair = 2, elementsPerWord = 8;
    for (int64_t i = 0; i < width / elementsPerPair; ++i)
      scales.pairs.push_back(take());
    for (int64_t i = 0; i < width / elementsPerWord; ++i)
      scales.signs.push_back(take());
  }
  return scales;
}

SmallVector<Value> Quantizer::buildBatchesAhead(
    Value count, ValueRange outputs,
    llvm::function_ref<BatchScales(Value)> scalesOf,
    llvm::function_ref<SmallVector<Value>(Value, const BatchScales &,
                                          ValueRange)>
        build) {
  Value exists =
      arith::CmpIOp::create(b, arith::CmpIPredicate::ne, count, index(b, 0));
  auto branch = scf::IfOp::create(b, TypeRange(outputs), exists,
                                  /*withElseRegion=*/true);
  OpBuilder::InsertionGuard guard(b);
  b.setInsertionPointToStart(branch.elseBlock());
  scf::YieldOp::create(b, outputs);
  b.setInsertionPointToStart(branch.thenBlock());
  SmallVector<Value> init(outputs);
  llvm::append_range(init, toValues(scalesOf(index(b, 0))));
  Value last = arith::SubIOp::create(b, count, index(b, 1));
  SmallVector<Value> results = buildFor(
      b, index(b, 0), count, 1, init, [&](Value iv, ValueRange carried) {
        // The last batch has none after it, and finds its own scales again.
        Value next = arith::MinUIOp::create(
            b, arith::AddIOp::create(b, iv, index(b, 1)), last);
        SmallVector<Value> scales = toValues(scalesOf(next));
        SmallVector<Value> built =
            build(iv, toScales(carried.drop_front(outputs.size())),
                  carried.take_front(outputs.size()));
        llvm::append_range(built, scales);
        return built;
      });
  scf::YieldOp::create(b, ValueRange(results).take_front(outputs.size()));
  return llvm::to_vector(ValueRange(branch.getResults()));
}

Value Quantizer::buildBatchCodes(ValueRange position, const Group &group,
                                 const BatchScales &scales, Candidate &chosen,
                                 Value slice) {
  Batch batch = readBatch(position);
  if (alongRows())
    prefetchBatch(position, slice,
                  kBatchBlocks * width / (packedInPlace ? 2 : 1),
                  /*part=*/index(b, 0),
                  /*parts=*/1);
  Value random = randomGroups(position);
  Value codesOrWords;
  if (scales.four) {
    Value values = batch.getValues(b, 0, width), decoded;
    // One candidate after the other, since registers are few.
    codesOrWords = encodeBatch(batch, random, group, chosen, &decoded);
    Value sixError = decodedError(values, decoded, group, chosen);
    const Candidate &four = *scales.four;
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

SmallVector<Value> Quantizer::randomBytes(Value firstGroup) {
  SmallVector<int64_t> order;
  for (int64_t lane = 0; lane < kRandomGroups; ++lane)
    order.push_back(randomGroupOfLane(lane));
  auto type = VectorType::get({kRandomGroups}, b.getI64Type());
  Value lanes = arith::ConstantOp::create(
      b, DenseElementsAttr::get(type, ArrayRef<int64_t>(order)));
  Value first =
      splat(b, arith::IndexCastOp::create(b, b.getI64Type(), firstGroup),
            kRandomGroups);
  return spreadRandomWords(
      b, buildBatchWords(b, rule, key, arith::AddIOp::create(b, first, lanes)));
}

Value Quantizer::buildBatchCodes(ValueRange position,
                                 const BF16Encoding &encoding,
                                 const Candidate &chosen, Value slice) {
  SmallVector<Value> from = sourceIndices(position);
  Value offsets = encoding.offsets(b, chosen.scale);
  // A loop, in which a block's offset is a load from an index, which costs less
  // than a shuffle, and in which constants stay in registers.
  constexpr int64_t pairs = kBatchBlocks / 2;
  return buildFor(
      b, index(b, 0), index(b, pairs), 1, slice,
      [&](Value pair, ValueRange carried) -> SmallVector<Value> {
        Value block = mul(b, pair, 2);
        auto encode = [&](Value number) {
          Value bits = readBits(b, source, from, mul(b, number, width));
          return encoding.encode(b, bits, spreadToBlock(b, offsets, number));
        };
        Value even = encode(block);
        Value odd = encode(add(b, block, index(b, 1)));
        prefetchBatch(position, carried[0], kBatchBlocks * width, pair, pairs);
        return {writeHighBytes(b, even, odd, carried[0], mul(b, block, width))};
      })[0];
}

Value Quantizer::buildBatchCodesStochastic(ValueRange position,
                                           const BF16Encoding &encoding,
                                           const Candidate &chosen, Value slice,
                                           Value &isExact) {
  SmallVector<Value> from = sourceIndices(position);
  Value offsets = encoding.offsets(b, chosen.scale);
  Value bounds = encoding.bounds(b, offsets);
  Value firstGroup = add(b, firstRandomGroup(position),
                         floorDiv(b, position[axis], randomGroupSize()));
  // As many blocks as one vector of counters serves.
  int64_t step = kRandomGroups * randomGroupSize() / width;
  constexpr int64_t pairs = kBatchBlocks / 2;
  Value none = zeroVector(b, b.getI16Type(), width);
  SmallVector<Value> results = buildFor(
      b, index(b, 0), index(b, kBatchBlocks / step), 1, {slice, none},
      [&](Value iv, ValueRange carried) -> SmallVector<Value> {
        Value written = carried[0], wrong = carried[1];
        SmallVector<Value> random =
            randomBytes(add(b, firstGroup, mul(b, iv, kRandomGroups)));
        auto encode = [&](int64_t i) {
          Value number = add(b, mul(b, iv, step), index(b, i));
          auto [codes, isWrong] = encoding.encodeStochastic(
              b, readBits(b, source, from, mul(b, number, width)),
              spreadToBlock(b, offsets, number),
              spreadToBlock(b, bounds, number), random[i]);
          wrong = arith::OrIOp::create(b, wrong, isWrong);
          return codes;
        };
        for (int64_t i = 0; i < step; i += 2) {
          Value even = encode(i), odd = encode(i + 1);
          Value pair = add(b, mul(b, iv, step / 2), index(b, i / 2));
          prefetchBatch(position, written, kBatchBlocks * width, pair, pairs);
          written =
              writeHighBytes(b, even, odd, written, mul(b, pair, 2 * width));
        }
        return {written, wrong};
      });
  Value any =
      vector::ReductionOp::create(b, vector::CombiningKind::OR, results[1]);
  isExact = arith::CmpIOp::create(
      b, arith::CmpIPredicate::eq, any,
      arith::ConstantOp::create(b, b.getI16IntegerAttr(0)));
  return results[0];
}

std::optional<BF16Encoding> Quantizer::getBF16Encoding() const {
  constexpr int64_t blockWidth = 32;
  if (!canFindScalesAhead() || width != blockWidth || type.hasOuter())
    return std::nullopt;
  return BF16Encoding::get(format, rule, batching.fp16);
}

void Quantizer::prefetchBatch(ValueRange position, Value slice, int64_t bytes,
                              Value part, int64_t parts) {
  int64_t elementBytes =
      cast<RankedTensorType>(source.getType()).getElementTypeBitWidth() / 8;
  auto elements = [&](int64_t bytes) { return index(b, bytes / elementBytes); };
  // To the larger cache early, since that takes long, and from there to the
  // small one late, since little may be under way to that at a time.
  Value far = elements(16 << 10), near = elements(2 << 10);
  int64_t everyLine = 1;
  // Where all of a row is read before this, what is read next is the next row.
  // Of rows that do not stay in the caches this would be too early.
  if (hasOuterPerRow()) {
    Value row = arith::MinUIOp::create(b, sizes.back(), elements(256 << 10));
    far = arith::MaxUIOp::create(b, far, mul(b, row, 2));
    near = add(b, near, row);
    // The processor follows by itself. To ask for every line would take what it
    // needs to get ahead.
    everyLine = 4;
  }
  auto prefetchPart = [&](Value tensor, ValueRange indices, Value ahead,
                          int64_t count, Prefetch kind, int64_t everyLine) {
    int64_t share = count / parts;
    prefetch(b, tensor, indices, add(b, ahead, mul(b, part, share)), share,
             kind, everyLine);
  };
  SmallVector<Value> from = sourceIndices(position);
  int64_t count = kBatchBlocks * width;
  prefetchPart(source, from, far, count, Prefetch::ReadFar, everyLine);
  prefetchPart(source, from, near, count, Prefetch::ReadNear, 1);
  prefetchPart(slice, SmallVector<Value>(rank, index(b, 0)), index(b, 4 << 10),
               bytes, Prefetch::Write, 1);
}

void Quantizer::buildBatch(ValueRange position, ValueRange target,
                           const Group &group, const BatchScales &batchScales,
                           Value codes, Value scales,
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

  Candidate chosen = batchScales.six;
  Value written;
  if (std::optional<PackedEncoding> encoding = getPackedEncoding()) {
    written = buildPackedBatch(position, *encoding, group, batchScales, chosen,
                               slice);
  } else if (std::optional<BF16Encoding> encoding = getBF16Encoding()) {
    Value exact = vector::ReductionOp::create(
        b, vector::CombiningKind::AND, encoding->isExact(b, batchScales.amax));
    auto buildIf = [&](Value condition, TypeRange types,
                       llvm::function_ref<SmallVector<Value>()> yes,
                       llvm::function_ref<SmallVector<Value>()> no) {
      auto branch =
          scf::IfOp::create(b, types, condition, /*withElseRegion=*/true);
      OpBuilder::InsertionGuard guard(b);
      b.setInsertionPointToStart(branch.thenBlock());
      scf::YieldOp::create(b, yes());
      b.setInsertionPointToStart(branch.elseBlock());
      scf::YieldOp::create(b, no());
      return llvm::to_vector(ValueRange(branch.getResults()));
    };
    auto buildOthers = [&]() -> SmallVector<Value> {
      Candidate whole = makeCandidate(batchScales.amax, group, /*four=*/false);
      return {buildBatchCodes(position, group, batchScales, whole, slice)};
    };
    if (rule.isStochastic()) {
      SmallVector<Value> tried = buildIf(
          exact, {slice.getType(), b.getI1Type()},
          [&]() -> SmallVector<Value> {
            Value isExact;
            Value codes = buildBatchCodesStochastic(position, *encoding, chosen,
                                                    slice, isExact);
            return {codes, isExact};
          },
          [&]() -> SmallVector<Value> { return {slice, exact}; });
      slice = tried[0];
      written = buildIf(
          tried[1], slice.getType(),
          [&]() -> SmallVector<Value> { return {slice}; }, buildOthers)[0];
    } else {
      written = buildIf(
          exact, slice.getType(),
          [&]() -> SmallVector<Value> {
            return {buildBatchCodes(position, *encoding, chosen, slice)};
          },
          buildOthers)[0];
    }
  } else {
    written = buildBatchCodes(position, group, batchScales, chosen, slice);
  }
  finished.push_back({codesAt, written});
  Slice scalesAt{scales, scaleIndices(b, type, target),
                 sliceSizes(b, rank, rank - 1, index(b, kBatchBlocks))};
  Value scalesSlice = scalesAt.extract(b);
  // A line has those of several batches: without this, stores would wait for
  // it with all that follow.
  if (alongRows()) {
    constexpr int64_t aheadBytes = 512;
    int64_t scaleBits =
        cast<RankedTensorType>(scales.getType()).getElementTypeBitWidth();
    prefetch(b, scalesSlice, SmallVector<Value>(rank, index(b, 0)),
             index(b, aheadBytes * 8 / scaleBits), /*count=*/1,
             Prefetch::Write);
  }
  finished.push_back({scalesAt, writeVector(b, chosen.scale, scalesSlice,
                                            rank - 1, Extent::full())});
}
