//===- DecomposePacked.cpp - Batches of codes of 4 bits -------------------===//
//
// Part of the Lowp project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Where no element of a batch clips, magnitudes are encoded eight to a word,
// and signs, which are those of the source, are added to whole words.
//
//===----------------------------------------------------------------------===//

#include "Quantizer.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"

using namespace mlir;
using namespace mlir::lowp;
using namespace mlir::lowp::decompose;

/// Words of two elements each whose codes are one word.
static constexpr int64_t kPairsPerWord = 4;

std::optional<PackedEncoding> Quantizer::getPackedEncoding() const {
  // An outer scale is applied before one of UE8M0.
  if (!canFindScalesAhead() || (format.hasUE8M0Scale() && type.hasOuter()))
    return std::nullopt;
  return PackedEncoding::get(format, rule, batching.dotPairs);
}

bool Quantizer::readsPairsAhead() const {
  return width == kPairBlockWidth && getPackedEncoding();
}

/// Signs of all codes of a batch.
static SmallVector<Value> signsOf(ImplicitLocOpBuilder &b,
                                  const PackedEncoding &encoding,
                                  ArrayRef<Value> pairs) {
  SmallVector<Value> signs;
  for (; !pairs.empty(); pairs = pairs.drop_front(2 * kPairsPerWord))
    llvm::append_range(signs,
                       encoding.signs(b, pairs.take_front(2 * kPairsPerWord)));
  return signs;
}

static SmallVector<Value> clearAllSigns(ImplicitLocOpBuilder &b,
                                        ArrayRef<Value> pairs) {
  return llvm::map_to_vector(pairs,
                             [&](Value pair) { return clearSigns(b, pair); });
}

BatchScales Quantizer::buildScalesOfPairs(ValueRange position,
                                          const Group &group) {
  SmallVector<Value> pairs = readRowPairs(b, source, sourceIndices(position));
  SmallVector<Value> magnitudes = clearAllSigns(b, pairs);
  BatchScales scales =
      buildScales(amaxOfPairs(b, magnitudes), group, /*regular=*/true);
  scales.signs = signsOf(b, *getPackedEncoding(), pairs);
  scales.pairs = std::move(magnitudes);
  return scales;
}

Value Quantizer::buildBatchCodes(ValueRange position,
                                 const PackedEncoding &encoding,
                                 const Group &group, const BatchScales &scales,
                                 Candidate &chosen, Value slice) {
  SmallVector<Value> pairs = scales.pairs, signs = scales.signs;
  if (pairs.empty()) {
    Batch batch = readBatch(position);
    pairs = clearAllSigns(b, batch.getWords());
    signs = signsOf(b, encoding, batch.getWords());
  }

  // A candidate, and what is known of it so far.
  struct State {
    Candidate candidate;
    std::optional<BlockErrorSum> error;
    SmallVector<Value> digits;
  };
  SmallVector<State> states = {{chosen, {}, {}}};
  if (scales.four) {
    states.push_back({*scales.four, {}, {}});
    Value unit =
        splat(b, f32Constant(b, encoding.getScaleOfValues()), kBatchBlocks);
    for (State &state : states)
      state.error.emplace(
          format, rule, measuresGivenScale(),
          arith::MulFOp::create(b, state.candidate.decoded, unit), group.error);
  }
  for (size_t i = 0; i < pairs.size(); i += kPairsPerWord) {
    prefetchBatch(position, slice, kBatchBlocks * width / 2,
                  index(b, i / kPairsPerWord), pairs.size() / kPairsPerWord);
    SmallVector<SmallVector<Value>> values(states.size());
    for (Value pair : ArrayRef(pairs).slice(i, kPairsPerWord))
      for (Value magnitude : splitPairs(b, pair))
        for (auto [state, rounded] : llvm::zip_equal(states, values)) {
          Value scaled =
              arith::MulFOp::create(b, magnitude, state.candidate.factor);
          rounded.push_back(encoding.round(b, scaled));
          if (state.error)
            state.error->add(b, magnitude, rounded.back());
        }
    for (auto [state, rounded] : llvm::zip_equal(states, values))
      state.digits.push_back(encoding.digits(b, rounded));
  }

  SmallVector<Value> digits = states[0].digits;
  if (scales.four) {
    const State &six = states[0], &four = states[1];
    Value better = isBetter(four.error->get(b), six.error->get(b));
    for (auto [i, word] : llvm::enumerate(digits))
      word = select(better, four.digits[i], word);
    chosen.scale = select(better, four.candidate.scale, chosen.scale);
  }
  // A scale of NaN has products that are not in range; one of zero has a factor
  // of zero.
  Value valid;
  if (zeroesCodes())
    valid = arith::CmpIOp::create(b, arith::CmpIPredicate::ne, chosen.scale,
                                  byteConstant(0, chosen.scale));
  SmallVector<Value> words;
  for (auto [i, word] : llvm::enumerate(digits)) {
    words.push_back(
        encoding.addSigns(b, encoding.codes(b, word), signs[i], valid));
  }
  return writeRowBatch(b, stack(b, words), slice, !scales.pairs.empty());
}

Value Quantizer::buildPackedBatch(ValueRange position,
                                  const PackedEncoding &encoding,
                                  const Group &group, const BatchScales &scales,
                                  Candidate &chosen, Value slice) {
  // The largest magnitude has the largest product, and the largest code.
  auto isInRange = [&](const Candidate &candidate) {
    return encoding.isInRange(
        b, arith::MulFOp::create(b, scales.amax, candidate.factor));
  };
  Value inRange = isInRange(scales.six);
  if (scales.four)
    inRange = arith::AndIOp::create(b, inRange, isInRange(*scales.four));
  inRange = vector::ReductionOp::create(b, vector::CombiningKind::AND, inRange);
  auto branch =
      scf::IfOp::create(b, TypeRange{slice.getType(), chosen.scale.getType()},
                        inRange, /*withElseRegion=*/true);
  OpBuilder::InsertionGuard guard(b);
  b.setInsertionPointToStart(branch.thenBlock());
  Value written =
      buildBatchCodes(position, encoding, group, scales, chosen, slice);
  Value scale = chosen.scale;
  if (!scales.pairs.empty())
    scale = decompose::inOrderOfBlocks(b, scale);
  scf::YieldOp::create(b, ValueRange{written, scale});
  b.setInsertionPointToStart(branch.elseBlock());
  // Infinite and NaN blocks are among these.
  Value amax = scales.amax;
  if (!scales.pairs.empty())
    amax = decompose::inOrderOfBlocks(b, amax);
  BatchScales others = buildScales(amax, group, /*regular=*/false);
  chosen = others.six;
  written = buildBatchCodes(position, group, others, chosen, slice);
  scf::YieldOp::create(b, ValueRange{written, chosen.scale});
  chosen.scale = branch.getResult(1);
  return branch.getResult(0);
}
