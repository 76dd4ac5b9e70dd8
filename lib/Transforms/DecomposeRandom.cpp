//===- DecomposeRandom.cpp - Random bits of blocks ------------------------===//
//
// Part of the Lowp project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A counter serves a group of 16 (8) consecutive elements, and a block may have
// any size: it then takes the words of all groups that it may touch, and what
// lies in front of its first element is shifted out.
//
//===----------------------------------------------------------------------===//

#include "DecomposeUtils.h"

#include "lowp/IR/LowpNumerics.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "llvm/Support/MathExtras.h"
#include <numeric>

using namespace mlir;
using namespace mlir::lowp;
using namespace mlir::lowp::decompose;
namespace numerics = ::lowp::numerics;

static Value slice(ImplicitLocOpBuilder &b, Value vector, int64_t offset,
                   int64_t count) {
  if (cast<VectorType>(vector.getType()).getDimSize(0) == count)
    return vector;
  return vector::ExtractStridedSliceOp::create(
      b, vector, ArrayRef<int64_t>{offset}, ArrayRef<int64_t>{count},
      ArrayRef<int64_t>{1});
}

/// `count` elements of `vector` from `offset`, which is below `limit`, a power
/// of two, and a multiple of `step`: a selection for each bit of the offset.
static Value sliceAt(ImplicitLocOpBuilder &b, Value vector, Value offset,
                     int64_t step, int64_t limit, int64_t count) {
  for (int64_t bit = limit / 2; bit >= step; bit /= 2) {
    int64_t kept = count + bit - step;
    Value isSet = arith::CmpIOp::create(
        b, arith::CmpIPredicate::ne,
        arith::AndIOp::create(b, offset, index(b, bit)), index(b, 0));
    vector = arith::SelectOp::create(b, isSet, slice(b, vector, bit, kept),
                                     slice(b, vector, 0, kept));
  }
  return slice(b, vector, 0, count);
}

/// The words of `count` groups from `first`, in the order of the elements that
/// they serve.
static Value buildWords(ImplicitLocOpBuilder &b, RuleAttr rule,
                        const RandomKey &key, Value first, int64_t count) {
  Type i64 = b.getI64Type();
  Value group = arith::IndexCastOp::create(b, i64, first);
  if (count > 1) {
    auto type = VectorType::get({count}, i64);
    auto steps = llvm::to_vector(llvm::seq<int64_t>(0, count));
    group = arith::AddIOp::create(
        b, vector::BroadcastOp::create(b, type, group),
        arith::ConstantOp::create(
            b, DenseElementsAttr::get(type, ArrayRef<int64_t>(steps))));
  }
  auto words = PhiloxOp::create(
      b, key.seed, key.step, arith::ConstantOp::create(b, key.stream), group,
      b.getI64IntegerAttr(rule.getRounds()),
      rule.getBits() == RandomBits::Independent ? b.getUnitAttr() : UnitAttr());
  if (count == 1)
    return vector::FromElementsOp::create(
        b, VectorType::get({4}, b.getI32Type()), words.getResults());
  // Word j of group g is word 4 * g + j.
  Value even =
      vector::InterleaveOp::create(b, words.getWord0(), words.getWord2());
  Value odd =
      vector::InterleaveOp::create(b, words.getWord1(), words.getWord3());
  return vector::InterleaveOp::create(b, even, odd);
}

Value decompose::buildRandomBits(ImplicitLocOpBuilder &b, RuleAttr rule,
                                 Type elementType, const RandomKey &key,
                                 Value rowStart, Value k, int64_t width) {
  numerics::RandomSharing sharing = getRandomSharing(rule.getBits());
  int64_t size = numerics::randomGroupSize(sharing);
  int64_t perWord = numerics::elementsPerRandomWord(sharing);
  // Blocks start at multiples of this within a group.
  int64_t alignment = std::gcd(width, size);
  int64_t groups = llvm::divideCeil(size - alignment + width, size);
  Value words =
      buildWords(b, rule, key, add(b, rowStart, floorDiv(b, k, size)), groups);
  auto bitsOf = [&](Value words, int64_t count) -> Value {
    return RandomBitsOp::create(
        b, VectorType::get({count}, b.getI32Type()), words,
        static_cast<int64_t>(rule.getRandomBits(elementType)),
        rule.getBits() == RandomBits::Independent);
  };
  if (alignment == size)
    return bitsOf(words, width);
  Value offset = arith::AndIOp::create(b, k, index(b, size - 1));
  if (alignment % perWord == 0) {
    words = sliceAt(b, words, floorDiv(b, offset, perWord), alignment / perWord,
                    size / perWord, width / perWord);
    return bitsOf(words, width);
  }
  return sliceAt(b, bitsOf(words, groups * size), offset, alignment, size,
                 width);
}

SmallVector<Value> decompose::buildBatchWords(ImplicitLocOpBuilder &b,
                                              RuleAttr rule,
                                              const RandomKey &key,
                                              Value groups) {
  auto words = PhiloxOp::create(
      b, key.seed, key.step, arith::ConstantOp::create(b, key.stream), groups,
      b.getI64IntegerAttr(rule.getRounds()),
      rule.getBits() == RandomBits::Independent ? b.getUnitAttr() : UnitAttr());
  return llvm::to_vector(ValueRange(words.getResults()));
}

Value decompose::buildBatchBits(ImplicitLocOpBuilder &b, RuleAttr rule,
                                Type elementType, ArrayRef<Value> words) {
  Value stacked = stack(b, words);
  int64_t count = words.size() * numerics::elementsPerRandomWord(
                                     getRandomSharing(rule.getBits()));
  auto type = cast<VectorType>(stacked.getType());
  return RandomBitsOp::create(
      b, VectorType::get({count, type.getDimSize(1)}, b.getI32Type()), stacked,
      static_cast<int64_t>(rule.getRandomBits(elementType)),
      rule.getBits() == RandomBits::Independent);
}
