//===- Quantizer.h - The decomposition of one quantisation ------*- C++ -*-===//
//
// Part of the Lowp project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef LOWP_LIB_TRANSFORMS_QUANTIZER_H
#define LOWP_LIB_TRANSFORMS_QUANTIZER_H

#include "DecomposeUtils.h"

#include "lowp/Conversion/LowpToArith/LowpToArith.h"

namespace mlir {
namespace lowp {
namespace decompose {

/// Outer scales of all groups, one tensor each; null without an outer scale.
struct OuterTensors {
  Value encode;
  Value decode;
  /// Null where the decode scale was given.
  Value amax;
};

/// The outer scale of one block's group, or one per block of a batch.
struct Group {
  Value encode;
  Value decode;
  /// What `lowp.block_error` measures with.
  Value error;
};

/// A scale that a block may get, and what its elements are encoded with. One
/// each per block of a batch.
struct Candidate {
  Value scale;
  Value factor;
  /// Whether the codes are wanted; all are +0 otherwise.
  Value valid;
  /// The value of the scale; null unless 4/6 needs it.
  Value decoded;
};

/// What a batch has once per block.
struct BatchScales {
  Value amax;
  Candidate six;
  /// Under 4/6.
  std::optional<Candidate> four;
  /// The elements, where they were transposed for the largest magnitudes: pairs
  /// without signs, and the signs of eight elements a word. Everything is in
  /// the order of `blockOfLane` then.
  SmallVector<Value> pairs, signs;
};

/// The dim that the elements of a block lie along: the columns of a tile.
inline int64_t getAxis(BlockedType type) {
  return type.getBlockAxis().value_or(type.getRank() - 1);
}

/// Builds the decomposition of one quantisation to linear scales.
class Quantizer {
public:
  Quantizer(ImplicitLocOpBuilder &b, Value source,
            ArrayRef<int64_t> permutation, BlockedType type, RuleAttr rule,
            const RandomKey &key, Batching batching)
      : b(b), source(source), permutation(permutation), type(type), rule(rule),
        key(key), format(type.getFormat()), rank(type.getRank()),
        batching(batching) {
    SmallVector<Value> sourceSizes = decompose::getSizes(b, source);
    for (auto [dim, from] : llvm::enumerate(permutation))
      sizes.push_back(type.isDynamicDim(dim) ? sourceSizes[from]
                                             : index(b, type.getDimSize(dim)));
    axis = getAxis(type);
    width = type.getBlockShape()[axis];
    packed = format.getStorageBits() == 4;
    packedInPlace = packed && axis == rank - 1 && width % 2 == 0;
  }

  ValueRange logicalSizes() const { return sizes; }

  Components run(Value givenScale, Value givenAmax, const Components &into);
  /// The largest magnitudes of the outer groups alone.
  Value findAmaxes() { return buildAmaxes(outerSizes()); }

private:
  SmallVector<Value> buildBlocks(Value codes, Value scales);
  SmallVector<Value> outerSizes() const;
  SmallVector<Value> storedSizes();
  /// The index into the source of a logical position.
  SmallVector<Value> sourceIndices(ValueRange position) const;
  Value readSource(ValueRange position, int64_t dim, int64_t count,
                   const Extent &extent);

  //===--------------------------------------------------------------------===//
  // Outer scales
  //===--------------------------------------------------------------------===//

  OuterTensors buildOuter(Value givenScale, Value givenAmax);
  /// Elements that one step of the search for the largest magnitude reads.
  int64_t amaxWidth(Value size) const;
  /// The largest magnitude along the dim `inner`.
  Value buildRowAmax(ArrayRef<Value> row, int64_t inner);
  /// Largest magnitudes of the outer groups: along one dim first, where every
  /// row is independent, then over the rows of a group. The order is free,
  /// since a maximum does not depend on it.
  Value buildAmaxes(ValueRange groups);
  Value largest(Value lhs, Value rhs);
  Value amaxOf(Value values);
  Group readGroup(ValueRange position);
  /// The outer scale of a row that is a group.
  Group buildGroup(ValueRange position);
  bool isFourSix() const { return rule.getFourSix() != FourSix::None; }

  //===--------------------------------------------------------------------===//
  // One block
  //===--------------------------------------------------------------------===//

  Candidate makeCandidate(Value amax, const Group &group, bool four,
                          bool regular = false);
  /// A byte like `bytes`.
  Value byteConstant(int64_t value, Value bytes);
  /// What a block has once, for each of its elements.
  Value forElements(Value scalar, Value elements);
  /// Codes are +0 where the scale is NaN and, by rule, where it is zero.
  Value isValid(Value scale);
  bool zeroesCodes() const;
  bool saturates() const { return rule.getNonFinite() == NonFinite::Saturate; }
  /// Random bits of the elements from `position`; null for nearest rounding.
  /// They follow from the coordinates in the result, whatever the source.
  Value randomBits(ValueRange position);
  int64_t randomGroupSize() const;
  /// Whether this is a part of a value, along the axis of blocks.
  bool isPartAlongAxis() const;
  /// Random groups of one row of blocks.
  Value randomGroupsPerRow();
  /// The first random group of the row of blocks at `position`, in the
  /// coordinates of the whole value, where this is a part of one.
  Value firstRandomGroup(ValueRange position);
  Value encode(Value values, Value random, const Group &group,
               const Candidate &candidate);
  Value zeroLike(Value values);
  /// Under `saturate`, infinities and NaN have their codes in blocks of scale
  /// zero too, where every other code is +0.
  Value keepNonFinite(Value values, Value scaled, Value scale);
  Value blockError(Value values, Value codes, const Group &group,
                   const Candidate &candidate);
  Value decodedError(Value values, Value decoded, const Group &group,
                     const Candidate &candidate);
  /// Whether decode scales were given, and errors know of no amax.
  bool measuresGivenScale() const {
    return rule.getFourSixError() == FourSixError::Dequantized && !hasAmax;
  }
  Value isBetter(Value fourError, Value sixError);
  Value select(Value condition, Value yes, Value no);
  /// The codes of a row of a block, at `position`.
  Slice codesSlice(Value codes, ValueRange position, Value rows,
                   const Extent &stored);
  /// How many of the bytes that hold a block's codes exist.
  Extent storedExtent(ValueRange position, const Extent &extent);
  /// The block at `position`, which lies at `target` of `codes`.
  void buildBlock(ValueRange position, ValueRange target, const Group &group,
                  Value codes, Value scales,
                  SmallVectorImpl<FinishedSlice> &finished);

  //===--------------------------------------------------------------------===//
  // Batches of blocks
  //===--------------------------------------------------------------------===//

  /// Blocks of a batch are adjacent in the last dim, which is contiguous in the
  /// source as well: each along it, or side by side.
  bool canMakeBatches() const;
  bool alongRows() const { return axis == rank - 1; }
  /// Every row is an outer group.
  bool hasOuterPerRow() const;
  /// Quantises the blocks that lie in a row of the last dim: batches first,
  /// then what is left, one by one. The third of `outputs`, if there is one,
  /// gets the outer scale of the row.
  SmallVector<Value> buildRows(ValueRange outputs);
  void buildRow(ValueRange position, const std::optional<Group> &group,
                Value codes, Value scales,
                SmallVectorImpl<FinishedSlice> &finished);
  /// One outer scale for all blocks of a batch.
  Group spread(const Group &group);
  /// The outer scales of blocks side by side, where the last dim is an outer
  /// axis.
  Group readGroups(ValueRange position);
  /// The first random group of each block of a batch; null for nearest
  /// rounding.
  Value randomGroups(ValueRange position);
  /// Codes of a batch, whether they are wanted or not: in words where blocks
  /// lie along the rows. Four bytes of codes at a time, so that few values are
  /// alive at once. `decoded` gets the values of the codes.
  Value encodeBatch(const Batch &batch, Value randomGroups, const Group &group,
                    Candidate candidate, Value *decoded);
  /// Whether largest magnitudes can be had before blocks are transposed. Then
  /// scales of one batch are found while another is encoded: a processor has
  /// work to do while it divides.
  bool canFindScalesAhead() const;
  Batch readBatch(ValueRange position);
  /// With `regular`, of blocks that are, and may turn out not to be.
  BatchScales buildScales(Value amax, const Group &group, bool regular);
  /// Scales as values that a loop carries, and back.
  SmallVector<Value> toValues(const BatchScales &scales);
  BatchScales toScales(ValueRange values);
  /// The batches of a row in `outputs`, codes and scales, with the scales of
  /// the next batch found ahead.
  SmallVector<Value> buildBatchesAhead(
      Value count, ValueRange outputs,
      llvm::function_ref<BatchScales(Value)> scalesOf,
      llvm::function_ref<SmallVector<Value>(Value, const BatchScales &,
                                            ValueRange)>
          build);
  /// The codes of a batch at `position`, written to `slice`.
  Value buildBatchCodes(ValueRange position, const Group &group,
                        const BatchScales &scales, Candidate &chosen,
                        Value slice);
  /// The same by integers of 16 bits.
  Value buildBatchCodes(ValueRange position, const BF16Encoding &encoding,
                        const Candidate &chosen, Value slice);
  /// With stochastic rounding. `isExact` gets whether all codes are right, an
  /// i1.
  Value buildBatchCodesStochastic(ValueRange position,
                                  const BF16Encoding &encoding,
                                  const Candidate &chosen, Value slice,
                                  Value &isExact);
  /// Upper halves of the random bits of the blocks that kRandomGroups groups
  /// serve.
  SmallVector<Value> randomBytes(Value firstGroup);
  /// Whether codes of a batch can be made by integers of 16 bits.
  std::optional<BF16Encoding> getBF16Encoding() const;
  /// Asks for a part of what is read and written some batches after the one
  /// at `position`, whose `bytes` of codes are `slice`.
  void prefetchBatch(ValueRange position, Value slice, int64_t bytes,
                     Value part, int64_t parts);
  /// Whether batches are transposed for the largest magnitudes already.
  bool readsPairsAhead() const;
  /// The scales of such a batch, with its elements.
  BatchScales buildScalesOfPairs(ValueRange position, const Group &group);
  /// How magnitudes of a batch are packed to codes of 4 bits, if they can be.
  std::optional<PackedEncoding> getPackedEncoding() const;
  /// The codes of a batch where no element clips; `chosen` as above.
  Value buildBatchCodes(ValueRange position, const PackedEncoding &encoding,
                        const Group &group, const BatchScales &scales,
                        Candidate &chosen, Value slice);
  /// The same where none does, and by other means where one may.
  Value buildPackedBatch(ValueRange position, const PackedEncoding &encoding,
                         const Group &group, const BatchScales &scales,
                         Candidate &chosen, Value slice);
  /// The batch at `position`, which lies at `target` of `codes`.
  void buildBatch(ValueRange position, ValueRange target, const Group &group,
                  const BatchScales &batchScales, Value codes, Value scales,
                  SmallVectorImpl<FinishedSlice> &finished);

  //===--------------------------------------------------------------------===//
  // One tile of the last two dims
  //===--------------------------------------------------------------------===//

  void buildTile(ValueRange position, Value codes, Value scales,
                 SmallVectorImpl<FinishedSlice> &finished);
  /// Errors of the rows of a tile in one: halves onto each other, so that the
  /// order does not depend on the number of rows that exist.
  Value sumOfRows(Value errors);

  ImplicitLocOpBuilder &b;
  Value source;
  ArrayRef<int64_t> permutation;
  BlockedType type;
  RuleAttr rule;
  const RandomKey &key;
  FormatAttr format;
  int64_t rank;
  Batching batching;

  /// The dim that the elements of a block lie along (the columns of a tile),
  /// and how many there are.
  int64_t axis;
  int64_t width;
  /// Codes are stored in pairs; `packedInPlace`: the pairs lie within blocks.
  bool packed;
  bool packedInPlace;
  SmallVector<Value> sizes;
  OuterTensors outer;
  /// Outer scales come from largest magnitudes, not from given scales.
  bool hasAmax = false;
};

} // namespace decompose
} // namespace lowp
} // namespace mlir

#endif // LOWP_LIB_TRANSFORMS_QUANTIZER_H
