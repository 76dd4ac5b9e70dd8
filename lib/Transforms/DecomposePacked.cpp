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

std::optional<PackedEncoding> Quantizer::getPackedEncoding() const {
  // An outer scale is applied before one of UE8M0.
  if (!canFindScalesAhead() || (format.hasUE8M0Scale() && type.hasOuter()))
    return std::nullopt;
  return PackedEncoding::get(format, rule);
}

Value Quantizer::buildBatchCodes(ValueRange position,
                                 const PackedEncoding &encoding,
                                 const Group &group, const BatchScales &scales,
                                 Candidate &chosen, Value slice) {
  constexpr int64_t pairsPerWord = 4;
  Batch batch = readBatch(position);
  ArrayRef<Value> pairs = batch.getWords();

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
  for (size_t i = 0; i < pairs.size(); i += pairsPerWord) {
    prefetchBatch(position, slice, kBatchBlocks * width / 2, i / pairsPerWord,
                  pairs.size() / pairsPerWord);
    SmallVector<SmallVector<Value>> values(states.size());
    for (Value pair : pairs.slice(i, pairsPerWord))
      for (Value magnitude : splitPairs(b, clearSigns(b, pair)))
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
    chosen.valid = select(better, four.candidate.valid, chosen.valid);
  }
  SmallVector<Value> words;
  for (auto [i, word] : llvm::enumerate(digits)) {
    Value codes =
        encoding.addSigns(b, encoding.codes(b, word),
                          pairs.slice(i * pairsPerWord, pairsPerWord));
    words.push_back(select(chosen.valid, codes, zeroLike(codes)));
  }
  return writeRowBatch(b, stack(b, words), slice);
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
  Candidate other = chosen;
  b.setInsertionPointToStart(branch.thenBlock());
  Value written =
      buildBatchCodes(position, encoding, group, scales, chosen, slice);
  scf::YieldOp::create(b, ValueRange{written, chosen.scale});
  b.setInsertionPointToStart(branch.elseBlock());
  written = buildBatchCodes(position, group, scales, other, slice);
  scf::YieldOp::create(b, ValueRange{written, other.scale});
  chosen.scale = branch.getResult(1);
  return branch.getResult(0);
}
