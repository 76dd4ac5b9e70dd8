//===- DecomposeBatches.cpp - Sixteen blocks at a time --------------------===//
//
// Part of the Lowp project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Reading and writing of batches: 2-D vectors of [elements][blocks], where each
// block has a lane of its own and nothing is reduced across lanes.
//
// Blocks that lie along the contiguous dim are transposed on the way, as words
// of 32 bits (two bf16, four bytes): within 128-bit lanes first, then by whole
// lanes. Each shuffle is one instruction of AVX-512, and at most one for either
// half of AVX2. Blocks along another dim are rows of vectors as they are.
//
//===----------------------------------------------------------------------===//

#include "DecomposeUtils.h"

#include "lowp/Numerics/Philox.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Bufferization/IR/Bufferization.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"

using namespace mlir;
using namespace mlir::lowp;
using namespace mlir::lowp::decompose;
namespace numerics = ::lowp::numerics;

//===----------------------------------------------------------------------===//
// Transposition
//===----------------------------------------------------------------------===//

namespace {

/// Shuffles of vectors of 16 words: four lanes of four words each.
class Shuffles {
public:
  explicit Shuffles(ImplicitLocOpBuilder &b) : b(b) {}

  using Four = std::array<Value, 4>;

  /// Transposes the 4x4 words in each lane.
  Four transposeInLanes(ValueRange rows) {
    Value low = inLanes(rows[0], rows[1], {0, 4, 1, 5});
    Value high = inLanes(rows[0], rows[1], {2, 6, 3, 7});
    Value nextLow = inLanes(rows[2], rows[3], {0, 4, 1, 5});
    Value nextHigh = inLanes(rows[2], rows[3], {2, 6, 3, 7});
    return {inLanes(low, nextLow, {0, 1, 4, 5}),
            inLanes(low, nextLow, {2, 3, 6, 7}),
            inLanes(high, nextHigh, {0, 1, 4, 5}),
            inLanes(high, nextHigh, {2, 3, 6, 7})};
  }

  /// Transposes the 4x4 lanes of four vectors.
  Four transposeLanes(ValueRange rows) {
    Value low = lanes(rows[0], rows[1], {0, 1, 4, 5});
    Value high = lanes(rows[0], rows[1], {2, 3, 6, 7});
    Value nextLow = lanes(rows[2], rows[3], {0, 1, 4, 5});
    Value nextHigh = lanes(rows[2], rows[3], {2, 3, 6, 7});
    return {lanes(low, nextLow, {0, 2, 4, 6}),
            lanes(low, nextLow, {1, 3, 5, 7}),
            lanes(high, nextHigh, {0, 2, 4, 6}),
            lanes(high, nextHigh, {1, 3, 5, 7})};
  }

  /// The words of a lane of two vectors, 0 to 3 and 4 to 7, for all lanes.
  Value inLanes(Value lhs, Value rhs, ArrayRef<int64_t> words) {
    SmallVector<int64_t> mask;
    for (int64_t lane = 0; lane < 4; ++lane)
      for (int64_t word : words)
        mask.push_back(word < 4 ? 4 * lane + word : 12 + 4 * lane + word);
    return vector::ShuffleOp::create(b, lhs, rhs, mask);
  }

  /// Whole lanes of two vectors, 0 to 3 and 4 to 7.
  Value lanes(Value lhs, Value rhs, ArrayRef<int64_t> picked) {
    SmallVector<int64_t> mask;
    for (int64_t lane : picked)
      for (int64_t word = 0; word < 4; ++word)
        mask.push_back(4 * lane + word);
    return vector::ShuffleOp::create(b, lhs, rhs, mask);
  }

  /// Eight blocks of two words each from `first` on, of which `low` has those
  /// of the first two words of each lane, and `high` the others, in the order
  /// of `blockOfLane`.
  Value blocksInOrder(Value low, Value high, int64_t first) {
    SmallVector<int64_t> mask(kBatchBlocks);
    for (int64_t lane = 0; lane < kBatchBlocks; ++lane) {
      int64_t block = blockOfLane(lane) - first;
      if (block < 0 || block >= kBatchBlocks / 2)
        continue;
      int64_t from =
          (lane % 4 < 2 ? 0 : kBatchBlocks) + lane / 4 * 4 + lane % 2 * 2;
      mask[2 * block] = from;
      mask[2 * block + 1] = from + 1;
    }
    return vector::ShuffleOp::create(b, low, high, mask);
  }

  /// One vector after the other.
  Value concat(Value lhs, Value rhs) {
    int64_t count = cast<VectorType>(lhs.getType()).getDimSize(0);
    return vector::ShuffleOp::create(
        b, lhs, rhs, llvm::to_vector(llvm::seq<int64_t>(0, 2 * count)));
  }

private:
  ImplicitLocOpBuilder &b;
};

} // namespace

/// Eight vectors of two blocks of 8 words each to one vector for each word: the
/// first blocks of four vectors, their second ones, and those of the others.
static SmallVector<Value> transposePairs(ImplicitLocOpBuilder &b,
                                         ArrayRef<Value> pairs) {
  Shuffles shuffles(b);
  Shuffles::Four low = shuffles.transposeInLanes(pairs.take_front(4));
  Shuffles::Four high = shuffles.transposeInLanes(pairs.drop_front(4));
  SmallVector<Value> words(8);
  for (int64_t i = 0; i < 4; ++i) {
    words[i] = shuffles.lanes(low[i], high[i], {0, 2, 4, 6});
    words[4 + i] = shuffles.lanes(low[i], high[i], {1, 3, 5, 7});
  }
  return words;
}

/// 16 blocks of 8, 16 or 32 words each to one vector of 16 for each word.
static SmallVector<Value> transposeBlocks(ImplicitLocOpBuilder &b,
                                          ArrayRef<Value> blocks) {
  Shuffles shuffles(b);
  int64_t count = cast<VectorType>(blocks[0].getType()).getDimSize(0);
  SmallVector<Value> words;
  if (count == 32) {
    for (int64_t half = 0; half < 2; ++half) {
      SmallVector<Value> halves;
      for (Value block : blocks)
        halves.push_back(vector::ExtractStridedSliceOp::create(
            b, block, ArrayRef<int64_t>{16 * half}, ArrayRef<int64_t>{16},
            ArrayRef<int64_t>{1}));
      llvm::append_range(words, transposeBlocks(b, halves));
    }
    return words;
  }
  if (count == 16) {
    words.resize(count);
    std::array<Shuffles::Four, 4> groups;
    for (int64_t group = 0; group < 4; ++group)
      groups[group] = shuffles.transposeInLanes(blocks.slice(4 * group, 4));
    for (int64_t i = 0; i < 4; ++i) {
      Shuffles::Four column = shuffles.transposeLanes(
          {groups[0][i], groups[1][i], groups[2][i], groups[3][i]});
      for (int64_t lane = 0; lane < 4; ++lane)
        words[4 * lane + i] = column[lane];
    }
    return words;
  }
  // With those four apart in a vector, the result has blocks in order.
  SmallVector<Value> pairs;
  for (int64_t i : {0, 1, 2, 3, 8, 9, 10, 11})
    pairs.push_back(shuffles.concat(blocks[i], blocks[i + 4]));
  return transposePairs(b, pairs);
}

/// The inverse: one vector of 16 for each of 2, 4 or 8 words of a block to
/// vectors of 16 consecutive words.
static SmallVector<Value> transposeWords(ImplicitLocOpBuilder &b,
                                         ArrayRef<Value> words, bool ofPairs) {
  Shuffles shuffles(b);
  if (words.size() == 2) {
    Value low = shuffles.inLanes(words[0], words[1], {0, 4, 1, 5});
    Value high = shuffles.inLanes(words[0], words[1], {2, 6, 3, 7});
    if (ofPairs)
      return {shuffles.blocksInOrder(low, high, 0),
              shuffles.blocksInOrder(low, high, 8)};
    return {shuffles.lanes(low, high, {0, 4, 1, 5}),
            shuffles.lanes(low, high, {2, 6, 3, 7})};
  }
  Shuffles::Four first = shuffles.transposeInLanes(words.take_front(4));
  if (words.size() == 4)
    return llvm::to_vector(
        shuffles.transposeLanes({first[0], first[1], first[2], first[3]}));
  Shuffles::Four second = shuffles.transposeInLanes(words.drop_front(4));
  SmallVector<Value> rows(8);
  for (int64_t half = 0; half < 2; ++half) {
    Shuffles::Four pairs =
        shuffles.transposeLanes({first[2 * half], second[2 * half],
                                 first[2 * half + 1], second[2 * half + 1]});
    for (int64_t lane = 0; lane < 4; ++lane)
      rows[2 * lane + half] = pairs[lane];
  }
  return rows;
}

//===----------------------------------------------------------------------===//
// Batches
//===----------------------------------------------------------------------===//

/// One vector per element to a 2-D vector, and back.
Value decompose::stack(ImplicitLocOpBuilder &b, ArrayRef<Value> rows) {
  auto rowType = cast<VectorType>(rows[0].getType());
  auto type = VectorType::get(
      {static_cast<int64_t>(rows.size()), rowType.getDimSize(0)},
      rowType.getElementType());
  Value stacked =
      arith::ConstantOp::create(b, cast<TypedAttr>(b.getZeroAttr(type)));
  // Not vector.insert, whose chains would become lists of scalars.
  for (auto [i, row] : llvm::enumerate(rows))
    stacked = vector::InsertStridedSliceOp::create(
        b, row, stacked, ArrayRef<int64_t>{static_cast<int64_t>(i), 0},
        ArrayRef<int64_t>{1});
  return stacked;
}

SmallVector<Value> decompose::unstack(ImplicitLocOpBuilder &b, Value stacked) {
  SmallVector<Value> rows;
  for (int64_t i = 0; i < cast<VectorType>(stacked.getType()).getDimSize(0);
       ++i)
    rows.push_back(vector::ExtractOp::create(b, stacked, i));
  return rows;
}

static Value bitsOf(ImplicitLocOpBuilder &b, Value vector, Type element) {
  auto type = cast<VectorType>(vector.getType());
  int64_t bits = type.getDimSize(0) * type.getElementTypeBitWidth();
  return vector::BitCastOp::create(
      b, VectorType::get({bits / element.getIntOrFloatBitWidth()}, element),
      vector);
}

static Value word(ImplicitLocOpBuilder &b, uint32_t value) {
  return arith::ConstantOp::create(
      b, b.getI32IntegerAttr(static_cast<int32_t>(value)));
}

bool decompose::canTransposeBatch(Type elementType, int64_t width) {
  return (elementType.isF32() || elementType.isF16() || elementType.isBF16()) &&
         (width == 16 || width == 32);
}

Batch decompose::readRowBatch(ImplicitLocOpBuilder &b, Value tensor,
                              ValueRange indices, int64_t width) {
  Type element = cast<RankedTensorType>(tensor.getType()).getElementType();
  SmallVector<Value> blocks;
  for (int64_t i = 0; i < kBatchBlocks; ++i) {
    SmallVector<Value> at(indices);
    at.back() = add(b, at.back(), index(b, i * width));
    Value block =
        readVector(b, tensor, at, indices.size() - 1, width, Extent::full());
    blocks.push_back(bitsOf(b, block, b.getI32Type()));
  }
  return Batch(transposeBlocks(b, blocks), element);
}

Batch decompose::readColumnBatch(ImplicitLocOpBuilder &b, Value tensor,
                                 ValueRange indices, int64_t axis,
                                 int64_t width) {
  SmallVector<Value> rows;
  for (int64_t i = 0; i < width; ++i) {
    SmallVector<Value> at(indices);
    at[axis] = add(b, at[axis], index(b, i));
    rows.push_back(readVector(b, tensor, at, indices.size() - 1, kBatchBlocks,
                              Extent::full()));
  }
  return Batch(rows);
}

std::array<Value, 2> decompose::splitPairs(ImplicitLocOpBuilder &b,
                                           Value words) {
  Value even =
      arith::ShLIOp::create(b, words, splat(b, word(b, 16), kBatchBlocks));
  Value odd = arith::AndIOp::create(
      b, words, splat(b, word(b, 0xFFFF0000), kBatchBlocks));
  return {bitsOf(b, even, b.getF32Type()), bitsOf(b, odd, b.getF32Type())};
}

Value decompose::clearSigns(ImplicitLocOpBuilder &b, Value words) {
  return arith::AndIOp::create(b, words,
                               splat(b, word(b, 0x7FFF7FFF), kBatchBlocks));
}

Value Batch::getValues(ImplicitLocOpBuilder &b, int64_t first,
                       int64_t count) const {
  if (!element || element.isF32()) {
    ArrayRef<Value> part = ArrayRef(rows).slice(first, count);
    if (!element)
      return widenToF32(b, stack(b, part));
    return stack(b, llvm::map_to_vector(part, [&](Value row) {
                   return bitsOf(b, row, b.getF32Type());
                 }));
  }
  SmallVector<Value> elements;
  for (Value pair : ArrayRef(rows).slice(first / 2, count / 2)) {
    // The first element of a pair has the low half of the word.
    if (element.isF16()) {
      auto halves = vector::DeinterleaveOp::create(b, bitsOf(b, pair, element));
      for (Value half : halves.getResults())
        elements.push_back(widenToF32(b, half));
      continue;
    }
    llvm::append_range(elements, splitPairs(b, pair));
  }
  return stack(b, elements);
}

Value Batch::getAmax(ImplicitLocOpBuilder &b, int64_t width,
                     NonFinite nonfinite) const {
  if (!element || !element.isBF16())
    return BlockAmaxOp::create(b, getValues(b, 0, width), nonfinite);
  // Two lanes a block: both halves of a word at once.
  SmallVector<Value> pairs = llvm::map_to_vector(
      rows, [&](Value row) { return bitsOf(b, row, element); });
  Value lanes =
      BlockAmaxOp::create(b, widenToF32(b, stack(b, pairs)), nonfinite);
  auto halves = vector::DeinterleaveOp::create(b, lanes);
  return BlockAmaxOp::create(b, stack(b, {halves.getRes1(), halves.getRes2()}),
                             nonfinite);
}

//===----------------------------------------------------------------------===//
// Whole blocks
//===----------------------------------------------------------------------===//

/// bf16 elements of a vector.
static constexpr int64_t kVectorWidth = 32;

Value decompose::readBits(ImplicitLocOpBuilder &b, Value tensor,
                          ValueRange indices, Value offset) {
  SmallVector<Value> at(indices);
  at.back() = add(b, at.back(), offset);
  Value vector = readVector(b, tensor, at, indices.size() - 1, kVectorWidth,
                            Extent::full());
  return bitsOf(b, vector, b.getI16Type());
}

SmallVector<Value> decompose::readBlockBits(ImplicitLocOpBuilder &b,
                                            Value tensor, ValueRange indices,
                                            int64_t width) {
  SmallVector<Value> vectors;
  for (int64_t i = 0; i < kBatchBlocks * width; i += kVectorWidth)
    vectors.push_back(readBits(b, tensor, indices, index(b, i)));
  return vectors;
}

/// The larger ones of halves of words.
static Value largerHalves(ImplicitLocOpBuilder &b, Value lhs, Value rhs) {
  Value larger = arith::MaxUIOp::create(b, bitsOf(b, lhs, b.getI16Type()),
                                        bitsOf(b, rhs, b.getI16Type()));
  return bitsOf(b, larger, b.getI32Type());
}

/// The larger half of each word, which is that of an FP32 number.
static Value largerOfHalves(ImplicitLocOpBuilder &b, Value words) {
  Value low =
      arith::ShLIOp::create(b, words, splat(b, word(b, 16), kBatchBlocks));
  words = arith::AndIOp::create(b, largerHalves(b, words, low),
                                splat(b, word(b, 0xFFFF0000), kBatchBlocks));
  return bitsOf(b, words, b.getF32Type());
}

Value decompose::amaxOfBlocks(ImplicitLocOpBuilder &b, ArrayRef<Value> vectors,
                              int64_t width) {
  Shuffles shuffles(b);
  auto largest = [&](Value lhs, Value rhs) {
    return largerHalves(b, lhs, rhs);
  };
  auto inLanes = [&](Value lhs, Value rhs, ArrayRef<int64_t> first,
                     ArrayRef<int64_t> second) {
    return largest(shuffles.inLanes(lhs, rhs, first),
                   shuffles.inLanes(lhs, rhs, second));
  };
  auto ofLanes = [&](Value lhs, Value rhs, ArrayRef<int64_t> first,
                     ArrayRef<int64_t> second) {
    return largest(shuffles.lanes(lhs, rhs, first),
                   shuffles.lanes(lhs, rhs, second));
  };
  auto magnitudes = [&](Value vector) {
    return clearSigns(b, bitsOf(b, vector, b.getI32Type()));
  };
  auto pair = [&](Value lhs, Value rhs) {
    return inLanes(magnitudes(lhs), magnitudes(rhs), {0, 4, 1, 5},
                   {2, 6, 3, 7});
  };
  // Of four vectors, a word each in every lane.
  SmallVector<Value> fours;
  for (size_t i = 0; i < vectors.size(); i += 4)
    fours.push_back(inLanes(pair(vectors[i], vectors[i + 1]),
                            pair(vectors[i + 2], vectors[i + 3]), {0, 1, 4, 5},
                            {2, 3, 6, 7}));
  Value words;
  if (width == kVectorWidth) {
    Value low = ofLanes(fours[0], fours[1], {0, 1, 4, 5}, {2, 3, 6, 7});
    Value high = ofLanes(fours[2], fours[3], {0, 1, 4, 5}, {2, 3, 6, 7});
    words = ofLanes(low, high, {0, 2, 4, 6}, {1, 3, 5, 7});
  } else {
    // Two lanes a block: lane 2i + j has block j of vectors 4i to 4i + 3.
    words = ofLanes(fours[0], fours[1], {0, 2, 4, 6}, {1, 3, 5, 7});
    SmallVector<int64_t> order;
    for (int64_t block = 0; block < kBatchBlocks; ++block)
      order.push_back(4 * (2 * (block / 8) + block % 2) + block / 2 % 4);
    words = vector::ShuffleOp::create(b, words, words, order);
  }
  return largerOfHalves(b, words);
}

//===----------------------------------------------------------------------===//
// Pairs of elements
//===----------------------------------------------------------------------===//

SmallVector<Value> decompose::readRowPairs(ImplicitLocOpBuilder &b,
                                           Value tensor, ValueRange indices) {
  SmallVector<Value> vectors = llvm::map_to_vector(
      readBlockBits(b, tensor, indices, kPairBlockWidth),
      [&](Value vector) { return bitsOf(b, vector, b.getI32Type()); });
  return transposePairs(b, vectors);
}

Value decompose::amaxOfPairs(ImplicitLocOpBuilder &b,
                             ArrayRef<Value> magnitudes) {
  Value words = magnitudes.front();
  for (Value more : magnitudes.drop_front())
    words = largerHalves(b, words, more);
  return largerOfHalves(b, words);
}

Value decompose::inOrderOfBlocks(ImplicitLocOpBuilder &b, Value lanes) {
  SmallVector<int64_t> order(kBatchBlocks);
  for (int64_t lane = 0; lane < kBatchBlocks; ++lane)
    order[blockOfLane(lane)] = lane;
  return vector::ShuffleOp::create(b, lanes, lanes, order);
}

void decompose::prefetch(ImplicitLocOpBuilder &b, Value tensor,
                         ValueRange indices, Value ahead, int64_t count,
                         Prefetch kind, int64_t everyLine) {
  auto type = cast<RankedTensorType>(tensor.getType());
  // Of any layout: it is known later.
  SmallVector<int64_t> strides(type.getRank(), ShapedType::kDynamic);
  auto layout =
      StridedLayoutAttr::get(b.getContext(), ShapedType::kDynamic, strides);
  auto bufferType =
      MemRefType::get(type.getShape(), type.getElementType(), layout);
  Value buffer = bufferization::ToBufferOp::create(b, bufferType, tensor,
                                                   /*read_only=*/true);
  constexpr int64_t lineBytes = 64;
  int64_t lineElements = lineBytes * 8 / type.getElementTypeBitWidth();
  for (int64_t i = 0; i < count; i += everyLine * lineElements) {
    SmallVector<Value> at(indices);
    at.back() = add(b, add(b, at.back(), ahead), index(b, i));
    memref::PrefetchOp::create(
        b, buffer, at, /*isWrite=*/kind == Prefetch::Write,
        /*localityHint=*/kind == Prefetch::ReadFar ? 2 : 3,
        /*isDataCache=*/true);
  }
}

Value decompose::spreadToBlock(ImplicitLocOpBuilder &b, Value words,
                               Value block) {
  Value one = vector::ExtractOp::create(b, words, getAsOpFoldResult(block));
  return bitsOf(b, splat(b, one, kBatchBlocks), b.getI16Type());
}

SmallVector<Value> decompose::spreadRandomWords(ImplicitLocOpBuilder &b,
                                                ArrayRef<Value> words) {
  // Two words of a group to 64 bits, then four to 128.
  auto type = VectorType::get({kRandomGroups}, b.getI64Type());
  auto pair = [&](Value low, Value high) {
    Value up = splat(b, arith::ConstantOp::create(b, b.getI64IntegerAttr(32)),
                     kRandomGroups);
    Value shifted =
        arith::ShLIOp::create(b, arith::ExtUIOp::create(b, type, high), up);
    Value both =
        arith::OrIOp::create(b, arith::ExtUIOp::create(b, type, low), shifted);
    return bitsOf(b, both, b.getI32Type());
  };
  Value first = pair(words[0], words[1]), second = pair(words[2], words[3]);
  Shuffles shuffles(b);
  SmallVector<Value> blocks;
  // Four groups, or two blocks, in each vector.
  for (Value groups : {shuffles.inLanes(first, second, {0, 1, 4, 5}),
                       shuffles.inLanes(first, second, {2, 3, 6, 7})}) {
    Value bytes = bitsOf(b, groups, b.getI8Type());
    for (int64_t block = 0; block < 2; ++block) {
      SmallVector<int64_t> byteOf;
      for (int64_t i = 0; i < kVectorWidth; ++i) {
        numerics::RandomBitsPlace place = numerics::placeOfRandomBits(
            numerics::RandomSharing::Hardware, i, 16);
        // The same for both: LLVM would take two instructions for a zero.
        byteOf.append(2, 4 * (8 * block + place.word) + place.shift / 8 + 1);
      }
      Value spread = vector::ShuffleOp::create(b, bytes, bytes, byteOf);
      blocks.push_back(bitsOf(b, spread, b.getI16Type()));
    }
  }
  return blocks;
}

Value decompose::writeHighBytes(ImplicitLocOpBuilder &b, Value even, Value odd,
                                Value slice, Value offset) {
  int64_t rank = cast<RankedTensorType>(slice.getType()).getRank();
  auto type = cast<VectorType>(even.getType());
  auto constant = [&](int64_t value) -> Value {
    return arith::ConstantOp::create(
        b, DenseElementsAttr::get(
               type, b.getI16IntegerAttr(static_cast<int16_t>(value))));
  };
  // Both in one vector, byte by byte, and then one after the other.
  SmallVector<int64_t> order;
  for (int64_t first : {0, 1})
    for (int64_t i = 0; i < type.getDimSize(0); ++i)
      order.push_back(2 * i + first);
  Value low = arith::ShRUIOp::create(b, even, constant(8));
  Value high = arith::AndIOp::create(b, odd, constant(0xFF00));
  Value bytes = bitsOf(b, arith::OrIOp::create(b, low, high), b.getI8Type());
  bytes = vector::ShuffleOp::create(b, bytes, bytes, order);
  SmallVector<Value> at(rank, index(b, 0));
  at.back() = offset;
  return vector::TransferWriteOp::create(b, bytes, slice, at,
                                         ArrayRef<bool>{true})
      .getResult();
}

//===----------------------------------------------------------------------===//
// Lanes
//===----------------------------------------------------------------------===//

SmallVector<Value> decompose::readLanes(ImplicitLocOpBuilder &b, Value tensor,
                                        ValueRange indices, int64_t lanes,
                                        int64_t count) {
  SmallVector<Value> rows;
  for (int64_t i = 0; i < count; ++i) {
    SmallVector<Value> at(indices);
    at.back() = add(b, at.back(), index(b, i * lanes));
    rows.push_back(
        readVector(b, tensor, at, indices.size() - 1, lanes, Extent::full()));
  }
  return rows;
}

Value decompose::narrow(ImplicitLocOpBuilder &b, Value values, Type element) {
  if (!element.isBF16())
    return values;
  auto type = cast<VectorType>(values.getType());
  Value bits = arith::BitcastOp::create(b, type.clone(b.getI32Type()), values);
  Value shift = splat(b, word(b, 16), type.getDimSize(0));
  Value high = arith::TruncIOp::create(b, type.clone(b.getI16Type()),
                                       arith::ShRUIOp::create(b, bits, shift));
  return arith::BitcastOp::create(b, type.clone(element), high);
}

Value decompose::largerMagnitudes(ImplicitLocOpBuilder &b, Value lhs,
                                  Value rhs) {
  return BlockAmaxOp::create(b, stack(b, {lhs, rhs}), NonFinite::Propagate);
}

Value decompose::packWord(ImplicitLocOpBuilder &b, Value codes) {
  auto type = cast<VectorType>(codes.getType());
  SmallVector<Value> bytes =
      unstack(b, arith::ExtUIOp::create(b, type.clone(b.getI32Type()), codes));
  Value all = bytes[0];
  for (int64_t i = 1; i < 4; ++i) {
    Value shift = splat(b, word(b, 8 * i), kBatchBlocks);
    all =
        arith::OrIOp::create(b, all, arith::ShLIOp::create(b, bytes[i], shift));
  }
  return all;
}

Value decompose::writeRowBatch(ImplicitLocOpBuilder &b, Value words,
                               Value slice, bool ofPairs) {
  assert((!ofPairs || cast<VectorType>(words.getType()).getDimSize(0) == 2) &&
         "expects two words of codes for each block");
  int64_t rank = cast<RankedTensorType>(slice.getType()).getRank();
  Value written = slice;
  for (auto [i, row] :
       llvm::enumerate(transposeWords(b, unstack(b, words), ofPairs))) {
    Value bytes = bitsOf(b, row, b.getI8Type());
    int64_t count = cast<VectorType>(bytes.getType()).getDimSize(0);
    SmallVector<Value> at(rank, index(b, 0));
    at.back() = index(b, i * count);
    written = vector::TransferWriteOp::create(b, bytes, written, at,
                                              ArrayRef<bool>{true})
                  .getResult();
  }
  return written;
}

Value decompose::writeColumnBatch(ImplicitLocOpBuilder &b, Value codes,
                                  Value slice, int64_t axis) {
  int64_t rank = cast<RankedTensorType>(slice.getType()).getRank();
  Value written = slice;
  for (auto [i, row] : llvm::enumerate(unstack(b, codes))) {
    SmallVector<Value> at(rank, index(b, 0));
    at[axis] = index(b, i);
    written = vector::TransferWriteOp::create(b, row, written, at,
                                              ArrayRef<bool>{true})
                  .getResult();
  }
  return written;
}
