//===- DecomposeUtils.h - Shared parts of lowp-decompose --------*- C++ -*-===//
//
// Part of the Lowp project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// What the files of `lowp-decompose` share: the components that stand for a
// blocked value, loops over tensors, and the pieces that several operations
// are made of.
//
// All loops over independent work are `scf.forall` on tensors. An iteration
// takes slices of the shared outputs, writes them with `vector.transfer_write`
// or `tensor.insert`, and inserts the same slices back: bufferization turns
// that into stores to the output without a copy.
//
//===----------------------------------------------------------------------===//

#ifndef LOWP_LIB_TRANSFORMS_DECOMPOSEUTILS_H
#define LOWP_LIB_TRANSFORMS_DECOMPOSEUTILS_H

#include "lowp/IR/LowpOps.h"
#include "lowp/IR/LowpTypes.h"

#include "mlir/IR/ImplicitLocOpBuilder.h"
#include "mlir/IR/PatternMatch.h"
#include "mlir/Transforms/DialectConversion.h"

namespace mlir {
namespace lowp {
namespace decompose {

//===----------------------------------------------------------------------===//
// Components
//===----------------------------------------------------------------------===//

/// The tensors that stand for one blocked value.
struct Components {
  Value codes;
  Value scales;
  /// Null where the format has no outer scale.
  Value outer;
  /// Null where the value is not grouped.
  Value offsets;
  /// Size of the last dim, as an index. Present only where that dim is dynamic
  /// and codes are packed, since packing hides whether the size is odd.
  Value lastDim;

  SmallVector<Value> flatten() const;
};

/// Whether a value of `type` carries the size of its last dim.
bool carriesLastDim(BlockedType type);

/// Types of the components, in the order of `Components::flatten`.
SmallVector<Type> getConvertedTypes(BlockedType type);

Components getComponents(BlockedType type, ValueRange values);

/// Sizes of the logical dims.
Value getSize(ImplicitLocOpBuilder &b, BlockedType type,
              const Components &value, int64_t dim);
SmallVector<Value> getSizes(ImplicitLocOpBuilder &b, BlockedType type,
                            const Components &value);

//===----------------------------------------------------------------------===//
// Index arithmetic. Constants fold.
//===----------------------------------------------------------------------===//

Value index(ImplicitLocOpBuilder &b, int64_t value);
Value add(ImplicitLocOpBuilder &b, Value lhs, Value rhs);
Value sub(ImplicitLocOpBuilder &b, Value lhs, Value rhs);
Value mul(ImplicitLocOpBuilder &b, Value lhs, int64_t rhs);
Value mul(ImplicitLocOpBuilder &b, Value lhs, Value rhs);
Value floorDiv(ImplicitLocOpBuilder &b, Value lhs, int64_t rhs);
Value ceilDiv(ImplicitLocOpBuilder &b, Value lhs, int64_t rhs);
Value minimum(ImplicitLocOpBuilder &b, Value lhs, Value rhs);

SmallVector<Value> getSizes(ImplicitLocOpBuilder &b, Value tensor);

/// An uninitialised tensor; `sizes` has one entry per dim.
Value emptyTensor(ImplicitLocOpBuilder &b, RankedTensorType type,
                  ValueRange sizes);
Value emptyTensor(ImplicitLocOpBuilder &b, Type elementType, ValueRange sizes);

//===----------------------------------------------------------------------===//
// Loops and slices
//===----------------------------------------------------------------------===//

/// The location of `op` under the operation's name. A loop of one part of it is
/// called `part` as well. Kernels are named after their loops.
Location nameLoc(Operation *op);
Location nameLoc(Location loc, StringRef part);

/// The part of an output that one iteration writes.
struct Slice {
  Value tensor;
  SmallVector<Value> offsets;
  SmallVector<Value> sizes;

  /// The slice as a tensor of the same rank.
  Value extract(ImplicitLocOpBuilder &b) const;
};

/// A slice that is complete, to be put back.
struct FinishedSlice {
  Slice slice;
  Value value;

  /// The slice's tensor with the slice in it.
  Value insert(ImplicitLocOpBuilder &b) const;
};

using ForallBody = llvm::function_ref<void(ValueRange ivs, ValueRange outputs,
                                           SmallVectorImpl<FinishedSlice> &)>;

/// Builds a `scf.forall` from 0 to `bounds`; returns the outputs.
SmallVector<Value> buildForall(ImplicitLocOpBuilder &b, ValueRange bounds,
                               ValueRange outputs, ForallBody body);

using ForBody = llvm::function_ref<SmallVector<Value>(Value, ValueRange)>;

/// Builds a `scf.for` with loop-carried values.
SmallVector<Value> buildFor(ImplicitLocOpBuilder &b, Value lower, Value upper,
                            int64_t step, ValueRange init, ForBody body);

/// Builds tensors of `type` from scalars: `body` gives one for each of the
/// `count` results, at every index of the tensor.
SmallVector<Value>
buildScalars(ImplicitLocOpBuilder &b, RankedTensorType type, ValueRange sizes,
             unsigned count,
             llvm::function_ref<SmallVector<Value>(ValueRange)> body);

/// A nest of `scf.for` from 0 to `bounds` around `body`.
SmallVector<Value> buildForNest(
    ImplicitLocOpBuilder &b, ValueRange bounds, ValueRange init,
    llvm::function_ref<SmallVector<Value>(ValueRange, ValueRange)> body);

/// How much of a vector of `width` elements exists at some position.
class Extent {
public:
  /// All of it, always.
  static Extent full() { return Extent(); }
  /// The elements from `offset`, a multiple of `width`, up to `size`.
  static Extent of(ImplicitLocOpBuilder &b, Value size, Value offset,
                   int64_t width);

  bool isAlwaysFull() const { return !present; }
  /// Number of elements that exist, at most `width`.
  Value getCount(ImplicitLocOpBuilder &b, int64_t width) const;

  /// `count` where the vector is complete, else 0.
  Value ifFull(ImplicitLocOpBuilder &b, Value count) const;

  /// An `scf.if` on whether the vector is complete, or only one of the two
  /// sides where that is known.
  Value select(ImplicitLocOpBuilder &b,
               llvm::function_ref<Value(bool inBounds)> build) const;

private:
  Value present;
  /// Null where known; then `neverFull` says which.
  Value isFull;
  bool neverFull = false;
};

/// Reads `width` elements along dim `axis` of `tensor` from `indices`; what
/// does not exist reads as zero.
Value readVector(ImplicitLocOpBuilder &b, Value tensor, ValueRange indices,
                 int64_t axis, int64_t width, const Extent &extent);

/// The same with floats widened to f32.
Value readVectorF32(ImplicitLocOpBuilder &b, Value tensor, ValueRange indices,
                    int64_t axis, int64_t width, const Extent &extent);

/// Writes `vector` along dim `axis` of `slice`, from its start.
Value writeVector(ImplicitLocOpBuilder &b, Value vector, Value slice,
                  int64_t axis, const Extent &extent);

/// Writes a scalar into a slice of one element.
Value writeScalar(ImplicitLocOpBuilder &b, Value scalar, Value slice);

/// Sizes of a slice: 1, but `size` along `axis`.
SmallVector<Value> sliceSizes(ImplicitLocOpBuilder &b, int64_t rank,
                              int64_t axis, Value size);

Value splat(ImplicitLocOpBuilder &b, Value scalar, int64_t width);
Value f32Constant(ImplicitLocOpBuilder &b, float value);
Value zeroVector(ImplicitLocOpBuilder &b, Type elementType, int64_t width);

/// `value` (f32 scalar or vector) rounded to `elementType`, or widened to f32.
Value roundTo(ImplicitLocOpBuilder &b, Value value, Type elementType);
Value widenToF32(ImplicitLocOpBuilder &b, Value value);

//===----------------------------------------------------------------------===//
// Pieces of operations
//===----------------------------------------------------------------------===//

/// A permutation of the dims of a tensor: dim i of the result is dim
/// `permutation[i]` of `tensor`.
Value permuteDims(ImplicitLocOpBuilder &b, Value tensor,
                  ArrayRef<int64_t> permutation);

/// The outer scales of `type` in the order of its transpose `resultType`.
Value permuteOuter(ImplicitLocOpBuilder &b, BlockedType type,
                   BlockedType resultType, ArrayRef<int64_t> permutation,
                   Value outer);

/// 4-bit codes, one a byte, packed in pairs along the last dim; and back.
Value packNibbles(ImplicitLocOpBuilder &b, Value tensor,
                  RankedTensorType resultType);
Value unpackNibbles(ImplicitLocOpBuilder &b, Value tensor, Value lastDim);

/// Block scales from one storage order to the other. `type` is the type of
/// the value with linear scales, `sizes` its logical sizes.
Value tileScales(ImplicitLocOpBuilder &b, BlockedType type, ValueRange sizes,
                 Value scales);
Value untileScales(ImplicitLocOpBuilder &b, BlockedType type, ValueRange sizes,
                   Value scales);

/// Scales in linear order, whatever the layout of `type`.
Value getLinearScales(ImplicitLocOpBuilder &b, BlockedType type,
                      const Components &value);

/// Values of the block scales as f32, in the shape of the linear scales.
Value decodeScales(ImplicitLocOpBuilder &b, BlockedType type,
                   const Components &value);

/// Values of the codes without scales, f32, in the logical shape.
Value decodeElements(ImplicitLocOpBuilder &b, BlockedType type,
                     const Components &value);

/// Sizes of the linear scales of a value without groups of logical sizes
/// `sizes`.
SmallVector<Value> scaleSizes(ImplicitLocOpBuilder &b, BlockedType type,
                              ValueRange sizes);

/// Index into the linear scales of the block that holds `position`.
SmallVector<Value> scaleIndices(ImplicitLocOpBuilder &b, BlockedType type,
                                ValueRange position);

/// Value of the scale at `indices` of the linear scales.
Value readScale(ImplicitLocOpBuilder &b, BlockedType type, Value scales,
                ValueRange indices);

/// `lowp.dequantize`: a float tensor of `resultType`. The outer scale is left
/// out unless `applyOuter`.
Value dequantize(ImplicitLocOpBuilder &b, BlockedType type,
                 const Components &value, RankedTensorType resultType,
                 bool applyOuter);

/// Which elements of a Hadamard transform of `size` elements `op` negates:
/// those that `signs` names, or the default.
SmallVector<bool> getNegated(Operation *op, FlatSymbolRefAttr signs,
                             int64_t size);

/// Which group, where it begins along its dim, and how long it is.
struct GroupRange {
  Value number;
  Value first;
  Value size;
};

/// What the random bits of a quantisation follow from, besides coordinates.
/// Null where it rounds to nearest.
struct RandomKey {
  Value seed;
  Value step;
  IntegerAttr stream;
  /// Where the value lies in a larger one, whose coordinates count; no number
  /// where it is not part of one. `wholeSize` is the size of the other along
  /// `partAxis`, a dim of the result. It has `parts` groups, or is not grouped
  /// where that is null: then parts begin at multiples of a random group.
  GroupRange part;
  int64_t partAxis = -1;
  Value parts;
  Value wholeSize;
};

/// Whether quantizations take batches of blocks, where they can be made.
struct Batching {
  bool enabled = false;
  /// Whether the processor computes in FP16.
  bool fp16 = false;
  /// Whether `lowp.dot_pairs` is an instruction.
  bool dotPairs = false;
};

/// `lowp.quantize` of `source`, whose dims are permuted first: dim i of the
/// result is dim `permutation[i]` of `source`. `offsets` are those of a result
/// that is grouped. A result that is not is written to the tensors of `into`,
/// where that is no detour.
Components quantize(ImplicitLocOpBuilder &b, Value source,
                    ArrayRef<int64_t> permutation, BlockedType type,
                    RuleAttr rule, const RandomKey &key, Value offsets,
                    Value givenScale, Value givenAmax, Batching batching,
                    const Components &into = {});

/// `lowp.requantize` of `source`. `quantizeValues` quantises its values, which
/// are in the order of its dims.
Components
requantize(ImplicitLocOpBuilder &b, const Components &source,
           BlockedType sourceType, ArrayRef<int64_t> permutation,
           BlockedType type, RuleAttr rule, OuterMode mode,
           llvm::function_ref<Components(Value values, BlockedType type,
                                         RuleAttr rule)>
               quantizeValues);

/// The encode and decode scales of outer groups, which follow from `given`
/// decode scales or largest magnitudes; there are as many as `groups` says.
SmallVector<Value> buildOuterScales(ImplicitLocOpBuilder &b, BlockedType type,
                                    RuleAttr rule, ValueRange groups,
                                    Value given, OuterSource from);

/// The random bits of `width` elements from element `k` of a row whose random
/// groups are numbered from `rowStart` on. `k` is a multiple of `width`.
Value buildRandomBits(ImplicitLocOpBuilder &b, RuleAttr rule, Type elementType,
                      const RandomKey &key, Value rowStart, Value k,
                      int64_t width);

/// The random words of a batch: for each of the groups that `groups` has one
/// of per block, the words in the order of the elements that they serve.
SmallVector<Value> buildBatchWords(ImplicitLocOpBuilder &b, RuleAttr rule,
                                   const RandomKey &key, Value groups);

/// The random bits of the elements that `words` serve, [elements][blocks].
Value buildBatchBits(ImplicitLocOpBuilder &b, RuleAttr rule, Type elementType,
                     ArrayRef<Value> words);

//===----------------------------------------------------------------------===//
// Batches of blocks
//===----------------------------------------------------------------------===//

/// Blocks in a batch.
constexpr int64_t kBatchBlocks = 16;

/// The elements of adjacent blocks.
class Batch {
public:
  /// One vector of blocks per element.
  explicit Batch(ArrayRef<Value> elements) : rows(elements) {}
  /// One vector of blocks per word of 32 bits, which holds one or two elements.
  Batch(ArrayRef<Value> words, Type element) : rows(words), element(element) {}

  /// FP32 values of `count` elements of each block: [count][blocks].
  Value getValues(ImplicitLocOpBuilder &b, int64_t first, int64_t count) const;

  /// The words, where there are such.
  ArrayRef<Value> getWords() const { return rows; }

  /// The largest magnitude of each block of `width` elements.
  Value getAmax(ImplicitLocOpBuilder &b, int64_t width,
                NonFinite nonfinite) const;

private:
  SmallVector<Value> rows;
  /// Null where rows are elements, not words.
  Type element;
};

/// The FP32 values of the two bf16 in each word, the low half first.
std::array<Value, 2> splitPairs(ImplicitLocOpBuilder &b, Value words);

/// Those two without their signs, as words.
Value clearSigns(ImplicitLocOpBuilder &b, Value words);

/// One vector per element to a 2-D vector, and back.
Value stack(ImplicitLocOpBuilder &b, ArrayRef<Value> rows);
SmallVector<Value> unstack(ImplicitLocOpBuilder &b, Value stacked);

/// Whether batches can be made of blocks of `width` contiguous elements.
bool canTransposeBatch(Type elementType, int64_t width);

/// Reads a batch of blocks that follow each other along the contiguous dim.
Batch readRowBatch(ImplicitLocOpBuilder &b, Value tensor, ValueRange indices,
                   int64_t width);

/// The bits of 32 bf16 elements along the contiguous dim, `offset` behind
/// `indices`.
Value readBits(ImplicitLocOpBuilder &b, Value tensor, ValueRange indices,
               Value offset);

/// Reads 16 bf16 blocks of 16 or 32 elements that follow each other along the
/// contiguous dim: the bits of 32 elements each.
SmallVector<Value> readBlockBits(ImplicitLocOpBuilder &b, Value tensor,
                                 ValueRange indices, int64_t width);

/// The largest magnitude of each of 16 blocks, in FP32, by their bits. Infinity
/// and NaN are the largest.
Value amaxOfBlocks(ImplicitLocOpBuilder &b, ArrayRef<Value> vectors,
                   int64_t width);

/// What memory is wanted for: to be read some time from now, to be read soon,
/// or to be written.
enum class Prefetch { ReadFar, ReadNear, Write };

/// Elements of blocks that are read as pairs.
constexpr int64_t kPairBlockWidth = 16;

/// Reads 16 bf16 blocks of 16 elements that follow each other along the
/// contiguous dim: a vector of words for each pair of elements. Lanes have the
/// blocks in the order that takes the fewest shuffles.
SmallVector<Value> readRowPairs(ImplicitLocOpBuilder &b, Value tensor,
                                ValueRange indices);

/// Even and odd blocks by turns, four of either.
inline int64_t blockOfLane(int64_t lane) {
  return lane / 8 * 8 + lane % 4 * 2 + lane / 4 % 2;
}

/// What lanes have, in the order of blocks.
Value inOrderOfBlocks(ImplicitLocOpBuilder &b, Value lanes);

/// The largest magnitude of each block, in FP32, of pairs without signs.
Value amaxOfPairs(ImplicitLocOpBuilder &b, ArrayRef<Value> magnitudes);

/// Asks for the memory of `count` elements of a row that will be needed:
/// `ahead` elements behind `indices`, in the next row where this one ends.
/// Processors do so themselves, but not across pages, and not early enough for
/// what is to be written. `everyLine`: all lines of these, or every n-th one.
void prefetch(ImplicitLocOpBuilder &b, Value tensor, ValueRange indices,
              Value ahead, int64_t count, Prefetch kind, int64_t everyLine = 1);

/// An i32 for one block of a batch, for all halves of vectors of its elements.
Value spreadToBlock(ImplicitLocOpBuilder &b, Value words, Value block);

/// Random groups of 16 elements whose counters fill a vector.
constexpr int64_t kRandomGroups = 8;

/// The upper 8 of the 16 random bits of each element of four blocks of 32, in
/// high bytes; low bytes have no meaning. `words` are those of the groups that
/// randomGroupOfLane gives.
SmallVector<Value> spreadRandomWords(ImplicitLocOpBuilder &b,
                                     ArrayRef<Value> words);

/// The order in which the words of four adjacent groups are together when pairs
/// of words have been interleaved.
inline int64_t randomGroupOfLane(int64_t lane) {
  return lane / 2 + lane % 2 * (kRandomGroups / 2);
}

/// Writes codes that are in the high bytes of the vectors of two blocks, one
/// block after the other, from element `offset` of the contiguous dim on.
Value writeHighBytes(ImplicitLocOpBuilder &b, Value even, Value odd,
                     Value slice, Value offset);

/// Reads a batch of blocks along `axis` that lie side by side along the
/// contiguous dim.
Batch readColumnBatch(ImplicitLocOpBuilder &b, Value tensor, ValueRange indices,
                      int64_t axis, int64_t width);

/// Reads `count` vectors of `lanes` elements along the contiguous dim.
SmallVector<Value> readLanes(ImplicitLocOpBuilder &b, Value tensor,
                             ValueRange indices, int64_t lanes, int64_t count);

/// FP32 values that are values of `element`, bf16 or f32, as such.
Value narrow(ImplicitLocOpBuilder &b, Value values, Type element);

/// The larger of the magnitudes of each lane of two vectors.
Value largerMagnitudes(ImplicitLocOpBuilder &b, Value lhs, Value rhs);

/// The four bytes of each block in a word.
Value packWord(ImplicitLocOpBuilder &b, Value bytes);

/// Writes the words of blocks that follow each other along the contiguous dim,
/// from the start of `slice`: blocks that were read as pairs, or in order.
Value writeRowBatch(ImplicitLocOpBuilder &b, Value words, Value slice,
                    bool ofPairs = false);

/// Writes the codes of blocks along `axis` that lie side by side along the
/// contiguous dim, from the start of `slice`.
Value writeColumnBatch(ImplicitLocOpBuilder &b, Value codes, Value slice,
                       int64_t axis);

//===----------------------------------------------------------------------===//
// Groups
//===----------------------------------------------------------------------===//

/// One less than there are offsets.
Value getGroupCount(ImplicitLocOpBuilder &b, Value offsets);

/// Asserts that the offsets of an operand are `offsets`.
void checkSameOffsets(ImplicitLocOpBuilder &b, Value offsets, Value others);

/// Asserts that groups are made of whole units of `width` elements.
void checkGroupsAreWhole(ImplicitLocOpBuilder &b, Value offsets, Value size,
                         int64_t width);

/// `offsets` in the type that they have as a component of `type`.
Value toOffsets(ImplicitLocOpBuilder &b, BlockedType type, Value offsets);

/// A loop over `count` groups, of which there are no fewer, of a dim of size
/// `size`, in order. Offsets that do not go from 0 to `size`, or descend, are
/// an error of the program.
SmallVector<Value> buildForGroups(
    ImplicitLocOpBuilder &b, Value offsets, Value count, Value size,
    ValueRange init,
    llvm::function_ref<SmallVector<Value>(const GroupRange &, ValueRange)>
        body);

/// Part of a tensor along `dim`, or at one index of its leading dim, which goes
/// away; and the inverse of the latter.
Value sliceAlong(ImplicitLocOpBuilder &b, Value tensor, int64_t dim,
                 Value first, Value size);
Value sliceLeading(ImplicitLocOpBuilder &b, Value tensor, Value group);
Value insertLeading(ImplicitLocOpBuilder &b, Value part, Value tensor,
                    Value group);

/// What one group has of the linear scales and the outer scales of all.
Value sliceScales(ImplicitLocOpBuilder &b, BlockedType type, Value scales,
                  const GroupRange &group);
Value sliceOuter(ImplicitLocOpBuilder &b, BlockedType type, Value outer,
                 const GroupRange &group);

/// `tileScales` and `untileScales` of a grouped value.
Value tileGroups(ImplicitLocOpBuilder &b, BlockedType type, ValueRange sizes,
                 Value offsets, Value scales);
Value untileGroups(ImplicitLocOpBuilder &b, BlockedType type, ValueRange sizes,
                   Value offsets, Value scales);

/// Quantises a part of the source to a type without groups: one group or, where
/// blocks and outer scales are the same with and without groups, everything
/// (the range is null then), unless it is done `alwaysInParts`.
using QuantizePart = llvm::function_ref<Components(
    Value source, BlockedType type, Value givenScale, Value givenAmax,
    const GroupRange &group)>;
Components quantizeGroups(ImplicitLocOpBuilder &b, Value source,
                          ArrayRef<int64_t> permutation, BlockedType type,
                          Value offsets, Value givenScale, Value givenAmax,
                          bool alwaysInParts, QuantizePart quantizePart);

/// Dequantises such a part, whose codes are one a byte where `unpacked`.
using DequantizePart =
    llvm::function_ref<Value(BlockedType type, const Components &value,
                             RankedTensorType resultType, bool unpacked)>;
Value dequantizeGroups(ImplicitLocOpBuilder &b, BlockedType type,
                       const Components &value, RankedTensorType resultType,
                       bool applyOuter, DequantizePart dequantizePart);

/// Linear scales of the transpose of a grouped value; `permutePart` gives those
/// of a part.
Value permuteGroupScales(
    ImplicitLocOpBuilder &b, BlockedType type, BlockedType resultType,
    ValueRange resultSizes, Value offsets, Value scales,
    llvm::function_ref<Value(BlockedType, BlockedType, ValueRange, Value)>
        permutePart);

/// The same value without groups: what the indices of a group share along the
/// group axis, each has for itself. Scales are linear.
std::pair<BlockedType, Components> spreadGroups(ImplicitLocOpBuilder &b,
                                                BlockedType type,
                                                const Components &value);

//===----------------------------------------------------------------------===//
// Patterns, by family
//===----------------------------------------------------------------------===//

void populateComponentPatterns(const TypeConverter &converter,
                               RewritePatternSet &patterns);
void populateDequantizePatterns(const TypeConverter &converter,
                                RewritePatternSet &patterns);
void populateQuantizePatterns(const TypeConverter &converter,
                              RewritePatternSet &patterns, Batching batching);
void populateAmaxPatterns(const TypeConverter &converter,
                          RewritePatternSet &patterns, Batching batching);
void populateCombinePatterns(const TypeConverter &converter,
                             RewritePatternSet &patterns);
void populateContractionPatterns(const TypeConverter &converter,
                                 RewritePatternSet &patterns);
} // namespace decompose
} // namespace lowp
} // namespace mlir

#endif // LOWP_LIB_TRANSFORMS_DECOMPOSEUTILS_H
