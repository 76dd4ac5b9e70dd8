//===- LowpVerifyContractions.cpp - verifiers of contractions -*- C++ -*-===//
//
// Part of the lowp project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "VerifyUtils.h"

using namespace mlir;
using namespace mlir::lowp;

namespace {
/// One side of a contraction: which dim is contracted, which stays, and which
/// one, if any, numbers the matrices.
struct ContractedOperand {
  StringRef name;
  Type type;
  unsigned contraction;
  unsigned free;
  std::optional<unsigned> batch;
  /// Whether each group along the contraction is one of its own.
  bool groupedContraction = false;

  ArrayRef<int64_t> shape() const { return getShapeOf(type); }
};
} // namespace

static LogicalResult verifyRank(Operation *op, StringRef name, Type type,
                                size_t expected) {
  size_t rank = getShapeOf(type).size();
  if (rank == expected)
    return success();
  return op->emitOpError() << "expects " << name << " of rank " << expected
                           << ", but got " << rank;
}

/// Two dims that stand for the same size agree.
static LogicalResult verifyDimsAgree(Operation *op, StringRef what, StringRef a,
                                     ArrayRef<int64_t> aShape, unsigned aDim,
                                     StringRef b, ArrayRef<int64_t> bShape,
                                     unsigned bDim) {
  if (sizesAgree(aShape[aDim], bShape[bDim]))
    return success();
  return op->emitOpError() << "expects " << a << " and " << b << " to agree in "
                           << what << ", but got " << aShape[aDim] << " (dim "
                           << aDim << " of " << a << ") and " << bShape[bDim]
                           << " (dim " << bDim << " of " << b << ")";
}

/// What a blocked operand must be to be contracted as it is stored.
static LogicalResult verifyBlocked(Operation *op,
                                   const ContractedOperand &side) {
  auto blocked = dyn_cast<BlockedType>(side.type);
  if (!blocked)
    return success();
  // (C5) A block has one scale, which is applied to its partial sum: it must
  // lie along the contraction. Blocks of one element lie along any dim.
  bool along = blocked.getBlockShape()[side.contraction] > 1 ||
               blocked.getBlockSize() == 1;
  if (!along)
    return op->emitOpError()
           << "expects blocks of " << side.name << " along its contraction dim "
           << side.contraction << ", but got "
           << listText(blocked.getBlockShape())
           << "; 'lowp.requantize' blocks along another dim";
  // (C11) Every group is a sum of its own.
  if (!side.groupedContraction &&
      blocked.getGroupAxis() == static_cast<int64_t>(side.contraction))
    return op->emitOpError()
           << "expects no groups of " << side.name
           << " along its contraction dim " << side.contraction << ", but got "
           << blocked << "; 'lowp.k_grouped_matmul' contracts by groups";
  // (C6) An outer scale is applied to the sum.
  if (llvm::is_contained(blocked.getOuterAxes(), side.contraction))
    return op->emitOpError()
           << "expects no outer axis of " << side.name
           << " along its contraction dim " << side.contraction << ", but got "
           << listText(blocked.getOuterAxes());
  return success();
}

/// (C7) Partial sums are those of the smaller block.
static LogicalResult verifyBlockSizes(Operation *op,
                                      const ContractedOperand &lhs,
                                      const ContractedOperand &rhs) {
  auto lhsType = dyn_cast<BlockedType>(lhs.type);
  auto rhsType = dyn_cast<BlockedType>(rhs.type);
  if (!lhsType || !rhsType)
    return success();
  int64_t lhsBlock = lhsType.getBlockShape()[lhs.contraction];
  int64_t rhsBlock = rhsType.getBlockShape()[rhs.contraction];
  if (std::max(lhsBlock, rhsBlock) % std::min(lhsBlock, rhsBlock) == 0)
    return success();
  return op->emitOpError() << "expects one block size along the contraction to "
                              "divide the other, but got "
                           << lhsBlock << " (lhs) and " << rhsBlock << " (rhs)";
}

/// Constraints of all contractions, in the numbering of `lowp.matmul`. Ranks
/// have been checked.
template <typename Op>
static LogicalResult verifyContraction(Op op, const ContractedOperand &lhs,
                                       const ContractedOperand &rhs) {
  auto resultType = cast<RankedTensorType>(op.getResult().getType());
  ArrayRef<int64_t> result = resultType.getShape();
  // (C2)
  if (failed(verifyDimsAgree(op, "the contraction", "lhs", lhs.shape(),
                             lhs.contraction, "rhs", rhs.shape(),
                             rhs.contraction)))
    return failure();
  // (C3)
  if (failed(verifyDimsAgree(op, "the rows", "lhs", lhs.shape(), lhs.free,
                             "result", result, result.size() - 2)) ||
      failed(verifyDimsAgree(op, "the columns", "rhs", rhs.shape(), rhs.free,
                             "result", result, result.size() - 1)))
    return failure();
  // (C4)
  if (op.getInit() &&
      failed(verifyShapesAgree(op, "init", getShapeOf(op.getInit().getType()),
                               "result", result)))
    return failure();
  if (failed(verifyBlocked(op, lhs)) || failed(verifyBlocked(op, rhs)) ||
      failed(verifyBlockSizes(op, lhs, rhs)))
    return failure();
  // (C8)
  Region &origin = op.getOrigin();
  if (origin.empty())
    return success();
  for (const ContractedOperand &side : {lhs, rhs})
    if (isa<BlockedType>(side.type))
      return op.emitOpError()
             << "expects no origin with a blocked operand, but got "
             << side.name << " of type " << side.type;
  return verifyYields(op, origin, "origin", resultType);
}

LogicalResult MatmulOp::verify() {
  // (C1)
  if (failed(verifyRank(*this, "lhs", getLhs().getType(), 2)) ||
      failed(verifyRank(*this, "rhs", getRhs().getType(), 2)) ||
      failed(verifyRank(*this, "result", getResult().getType(), 2)))
    return failure();
  ContractedOperand lhs{"lhs", getLhs().getType(), getLhsContractionDim(),
                        1 - getLhsContractionDim(), std::nullopt};
  ContractedOperand rhs{"rhs", getRhs().getType(), getRhsContractionDim(),
                        1 - getRhsContractionDim(), std::nullopt};
  return verifyContraction(*this, lhs, rhs);
}

LogicalResult BatchMatmulOp::verify() {
  size_t lhsRank = getShapeOf(getLhs().getType()).size();
  size_t rhsRank = getShapeOf(getRhs().getType()).size();
  // (C1)
  if (std::min(lhsRank, rhsRank) < 2 || std::max(lhsRank, rhsRank) != 3)
    return emitOpError() << "expects lhs and rhs of rank 3, or one of them of "
                            "rank 2, but got "
                         << lhsRank << " and " << rhsRank;
  if (failed(verifyRank(*this, "result", getResult().getType(), 3)))
    return failure();
  auto makeSide = [](StringRef name, Value value, size_t rank,
                     unsigned contraction) {
    // The last two dims are the matrix.
    unsigned free = 2 * rank - 3 - contraction;
    return ContractedOperand{name, value.getType(), contraction, free,
                             rank == 3 ? std::optional<unsigned>(0)
                                       : std::nullopt};
  };
  ContractedOperand lhs =
      makeSide("lhs", getLhs(), lhsRank, getLhsContractionDim());
  ContractedOperand rhs =
      makeSide("rhs", getRhs(), rhsRank, getRhsContractionDim());
  // (C9)
  ArrayRef<int64_t> result = getShapeOf(getResult().getType());
  if (lhs.batch && rhs.batch &&
      failed(verifyDimsAgree(*this, "the batch", "lhs", lhs.shape(), 0, "rhs",
                             rhs.shape(), 0)))
    return failure();
  for (const ContractedOperand &side : {lhs, rhs})
    if (side.batch &&
        failed(verifyDimsAgree(*this, "the batch", side.name, side.shape(), 0,
                               "result", result, 0)))
      return failure();
  return verifyContraction(*this, lhs, rhs);
}

LogicalResult GroupedMatmulOp::verify() {
  auto offsets = cast<RankedTensorType>(getOffsets().getType());
  // (C1)
  if (failed(verifyRank(*this, "lhs", getLhs().getType(), 2)) ||
      failed(verifyRank(*this, "rhs", getRhs().getType(), 3)) ||
      failed(verifyRank(*this, "offsets", offsets, 1)) ||
      failed(verifyRank(*this, "result", getResult().getType(), 2)))
    return failure();
  // (C9)
  if (getTransposeLhs())
    return emitOpError() << "expects no transpose_lhs: groups are rows of lhs";
  // (C10)
  int64_t groups = getShapeOf(getRhs().getType()).front();
  if (offsets.isDynamicDim(0) || ShapedType::isDynamic(groups)
          ? offsets.getDimSize(0) == 0
          : offsets.getDimSize(0) - 1 != groups)
    return emitOpError() << "expects one offset more than there are matrices "
                            "in rhs, but got "
                         << sizeText(offsets.getDimSize(0)) << " offsets and "
                         << sizeText(groups) << " matrices";
  ContractedOperand lhs{"lhs", getLhs().getType(), 1, 0, std::nullopt};
  ContractedOperand rhs{"rhs", getRhs().getType(), getRhsContractionDim(),
                        3 - getRhsContractionDim(), 0u};
  return verifyContraction(*this, lhs, rhs);
}

LogicalResult KGroupedMatmulOp::verify() {
  // (C1)
  if (failed(verifyRank(*this, "lhs", getLhs().getType(), 2)) ||
      failed(verifyRank(*this, "rhs", getRhs().getType(), 2)) ||
      failed(verifyRank(*this, "result", getResult().getType(), 3)))
    return failure();
  // (C9)
  int64_t groups = getShapeOf(getResult().getType()).front();
  if (failed(verifyOffsets(*this, getOffsets(), groups)))
    return failure();
  ContractedOperand lhs{"lhs",
                        getLhs().getType(),
                        getLhsContractionDim(),
                        1 - getLhsContractionDim(),
                        std::nullopt,
                        /*groupedContraction=*/true};
  ContractedOperand rhs{"rhs",
                        getRhs().getType(),
                        getRhsContractionDim(),
                        1 - getRhsContractionDim(),
                        std::nullopt,
                        /*groupedContraction=*/true};
  for (const ContractedOperand &side : {lhs, rhs}) {
    auto blocked = dyn_cast<BlockedType>(side.type);
    if (!blocked)
      continue;
    // (C10)
    if (blocked.getGroupAxis() != static_cast<int64_t>(side.contraction))
      return emitOpError() << "expects groups of " << side.name
                           << " along its contraction dim " << side.contraction
                           << ", but got " << blocked;
    // (C12)
    if (!sizesAgree(blocked.getGroups(), groups))
      return emitOpError() << "expects as many groups of " << side.name
                           << " as the result has matrices, "
                           << sizeText(groups) << ", but got "
                           << sizeText(blocked.getGroups());
  }
  return verifyContraction(*this, lhs, rhs);
}
