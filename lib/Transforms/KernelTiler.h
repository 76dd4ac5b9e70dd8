//===- KernelTiler.h - The loop of one kernel -------------------*- C++ -*-===//
//
// Part of the Lowp project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A trip of the loop takes the fewest rows that belong together, one or those
// of a block, or more where they are columns, and runs all operations of the
// kernel on them. Quantisations are
// decomposed here, since random bits follow from coordinates in the whole
// value, which an operation on a part of it does not have.
//
//===----------------------------------------------------------------------===//

#ifndef LOWP_LIB_TRANSFORMS_KERNELTILER_H
#define LOWP_LIB_TRANSFORMS_KERNELTILER_H

#include "DecomposeUtils.h"
#include "KernelRows.h"

namespace mlir {
namespace lowp {
namespace decompose {

/// A component of a value: which of its dims are rows, and how many rows an
/// entry stands for.
struct Part {
  Rows rows;
  int64_t rowsPerEntry = 1;
};

/// A tensor that trips write rows of.
struct Output {
  Value tensor;
  SmallVector<Value> sizes;
  Part part;
  /// In the loop.
  Slice slice;
  Value written;
};

/// Builds the loop of one kernel.
class KernelTiler {
public:
  KernelTiler(KernelOp kernel, const RowDomain &domain, Batching batching)
      : kernel(kernel), domain(domain), batching(batching),
        outside(nameLoc(kernel), kernel), b(nameLoc(kernel), kernel) {}

  /// What takes the place of the kernel's results.
  SmallVector<Value> run();

private:
  Rows rowsOf(Value value) const { return domain.rows.find(value)->second; }
  bool isInside(Value value) const {
    Operation *op = value.getDefiningOp();
    return op && domain.contains(op);
  }

  //===--------------------------------------------------------------------===//
  // Outside of the loop
  //===--------------------------------------------------------------------===//

  /// The size of a dim of a value of the kernel.
  Value sizeOf(Value value, int64_t dim);
  /// Where the size of a dim comes from, one step back; the dim itself where
  /// `findSize` gives it.
  std::pair<Value, int64_t> findSizeOrigin(Value value, int64_t dim) const;
  Value findSize(Value value, int64_t dim);
  SmallVector<Value> sizesOf(Value value);
  /// A tensor from outside with one dim for rows.
  Value flatten(Value tensor, Rows rows);
  /// The components of a blocked value from outside.
  Components unpack(Value value);
  /// An outer scale that serves all rows.
  Value wholeOuter(Value value);
  /// The offsets of a value that is grouped.
  Value offsetsOf(Value value);
  /// Rows of the outer scale of a blocked value; none where one serves all.
  std::optional<Rows> outerRows(BlockedType type, Rows rows) const;
  Part codesPart(BlockedType type, Rows rows) const;
  Part scalesPart(BlockedType type, Rows rows) const;

  void addOutput(RankedTensorType type, Part part, ValueRange sizes);
  void addOutputs(Value result);
  Value finish(Value result, ArrayRef<Value> &outputs);
  /// The inverse of `flatten`, to `type`.
  Value expand(Value tensor, RankedTensorType type, Rows rows,
               ValueRange sizes);

  //===--------------------------------------------------------------------===//
  // In the loop
  //===--------------------------------------------------------------------===//

  /// The rows of this trip.
  Value slice(Value flat, Part part);
  Value tensorRows(Value value);
  Components blockedRows(Value value);
  SmallVector<Value> rowSizes(Value value);
  RankedTensorType tripType(Value value) const;
  BlockedType blockedTripType(Value value) const;
  /// Outputs of a result of the kernel, the first of several equal ones.
  MutableArrayRef<Output> outputsOf(Value value);

  void build(Operation *op);
  void buildLinalg(linalg::LinalgOp op);
  Value buildInit(OpOperand &init, OpResult result);
  Value buildReshape(Operation *op);
  void buildQuantize(QuantizeOp op);
  void buildRequantize(RequantizeOp op);
  template <typename Op>
  RandomKey getKey(Op op);
  Components quantizeRows(Operation *op, Value source,
                          ArrayRef<int64_t> permutation, BlockedType type,
                          RuleAttr rule, const RandomKey &key, Value givenScale,
                          Value givenAmax);

  KernelOp kernel;
  const RowDomain &domain;
  Batching batching;
  ImplicitLocOpBuilder outside, b;
  DenseMap<std::pair<Value, int64_t>, Value> sizes;
  DenseMap<Value, Value> flats, outers;
  DenseMap<Value, Components> unpacked;

  SmallVector<Output> outputs;
  /// First output of each result of the kernel, and how many it has.
  DenseMap<Value, std::pair<unsigned, unsigned>> outputsOfResults;

  /// Rows of all trips, of a trip, the first of this one.
  Value numRows, size, first;
  int64_t staticSize = ShapedType::kDynamic;
  DenseMap<Value, Value> tensors;
  DenseMap<Value, Components> blocked;
};

} // namespace decompose
} // namespace lowp
} // namespace mlir

#endif // LOWP_LIB_TRANSFORMS_KERNELTILER_H
