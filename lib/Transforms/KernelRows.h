//===- KernelRows.h - What of a kernel belongs to one row -------*- C++ -*-===//
//
// Part of the Lowp project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A kernel runs as one loop nest where its operations compute row by row: each
// value has dims that number the rows, in the same order, and what an operation
// gives for a row needs nothing of other rows but what is read whole. What
// rows are, `lowp-form-kernels` and `lowp-tile-kernels` ask here.
//
//===----------------------------------------------------------------------===//

#ifndef LOWP_LIB_TRANSFORMS_KERNELROWS_H
#define LOWP_LIB_TRANSFORMS_KERNELROWS_H

#include "lowp/IR/LowpOps.h"
#include "lowp/IR/LowpTypes.h"

#include "mlir/Dialect/Linalg/IR/Linalg.h"

#include "llvm/ADT/DenseSet.h"
#include "llvm/ADT/MapVector.h"
#include "llvm/ADT/SetVector.h"

namespace mlir {
namespace lowp {

/// The dims of a value that number rows: `count` dims from `first` on, the last
/// one fastest.
struct Rows {
  int64_t first = 0;
  int64_t count = 1;

  bool operator==(const Rows &other) const {
    return first == other.first && count == other.count;
  }
  bool contains(int64_t dim) const {
    return dim >= first && dim < first + count;
  }
  /// The dim that `dim` becomes where the dims of rows are one.
  int64_t flatten(int64_t dim) const {
    if (dim < first)
      return dim;
    return dim < first + count ? first : dim - (count - 1);
  }
};

/// The logical shape of a tensor or a blocked value.
ArrayRef<int64_t> getLogicalShape(Type type);

/// What an operation needs for a row.
struct OpRows {
  /// The rows of each operand; none where it is read whole, or not at all.
  SmallVector<std::optional<Rows>> operands;
  SmallVector<Rows> results;
  /// Rows that cannot be told apart: blocks that span them.
  int64_t granule = 1;
};

/// The rows of the operands of `op` and of its other results, where those of
/// some results are known. Failure, with a `reason`, where rows are not
/// independent of each other, or not understood.
FailureOr<OpRows> getOpRows(Operation *op,
                            ArrayRef<std::optional<Rows>> results,
                            std::string &reason);

/// The loops of `op` that are rows of its result, which has `rows`; failure
/// where a row is not one iteration of parallel loops.
FailureOr<SmallVector<unsigned>> getRowLoops(linalg::LinalgOp op,
                                             OpResult result, Rows rows);

/// The dims of `map` that are the dims `loops`, in order; none where it reads
/// the same for all of them.
FailureOr<std::optional<Rows>> findRows(AffineMap map,
                                        ArrayRef<unsigned> loops);

/// Which dims of an outer scale of `type` are those of rows: none where one
/// serves all rows.
FailureOr<std::optional<Rows>> getOuterRows(BlockedType type, Rows rows,
                                            std::string &reason);

/// Whether an initial value holds nothing that is read, but perhaps one scalar
/// in every element: a `tensor.empty`, filled or not. A loop makes its own.
bool isFreshInit(OpOperand &operand);

/// Whether an operation computes sizes, or makes a tensor that a loop makes its
/// own.
bool isNoWork(Operation *op);

/// What rows the values of a type may have, in order of preference.
SmallVector<Rows> getRowCandidates(Type type);

/// Operations that compute row by row, found backwards from those that are
/// wanted.
struct RowDomain {
  /// Whether an operation may be part of it, besides what its rows say.
  using Admit =
      llvm::function_ref<LogicalResult(Operation *op, std::string &reason)>;

  /// Adds `op`, whose first result has `rows`, and producers of its operands
  /// in its block as far as `admit` allows and rows are understood. `position`
  /// orders the operations of the block. On failure, with a `reason`, this is
  /// of no use any more. Where there are operations already, one value is to
  /// be one of theirs.
  LogicalResult add(Operation *op, Rows rows,
                    llvm::function_ref<unsigned(Operation *)> position,
                    Admit admit, std::string &reason);

  bool contains(Operation *op) const { return ops.contains(op); }

  /// How far rows of what comes from outside are from being all dims but the
  /// last: the less, the smaller is a row, and the more of it lies together.
  /// Of other dims, those in front of rows count less: there are more tokens
  /// than sequences.
  int64_t getCost() const;

  /// The rows of one trip of a loop: those that cannot be told apart, and where
  /// rows are columns of a value, as many as make whole lines of a cache.
  int64_t getRowsPerTrip() const;

  llvm::SetVector<Operation *> ops;
  llvm::DenseMap<Value, Rows> rows;
  /// Values that an operation reads whole. Those from outside may have rows
  /// too, for other operations.
  llvm::DenseSet<Value> whole;
  int64_t granule = 1;
  /// Producers that are not part of it, and why.
  llvm::MapVector<Operation *, std::string> rejected;
};

} // namespace lowp
} // namespace mlir

#endif // LOWP_LIB_TRANSFORMS_KERNELROWS_H
