//===- CheckTransforms.cpp - Pair Hadamard transforms ---------------------===//
//
// Part of the Lowp project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A forward analysis of which Hadamard transforms a value went through and
// along which of its dims they lie now, and a check of the operations at which
// they end: inverse transforms and contractions.
//
//===----------------------------------------------------------------------===//

#include "lowp/IR/LowpOps.h"
#include "lowp/Transforms/Passes.h"

#include "mlir/Analysis/DataFlow/SparseAnalysis.h"
#include "mlir/Analysis/DataFlow/Utils.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "llvm/ADT/TypeSwitch.h"

namespace mlir::lowp {
#define GEN_PASS_DEF_CHECKTRANSFORMS
#include "lowp/Transforms/Passes.h.inc"
} // namespace mlir::lowp

using namespace mlir;
using namespace mlir::lowp;

namespace {

//===----------------------------------------------------------------------===//
// Analysis
//===----------------------------------------------------------------------===//

/// A forward transform, and the dim of the value that it lies along.
struct Transform {
  Operation *op;
  int64_t axis;

  bool operator==(const Transform &other) const {
    return op == other.op && axis == other.axis;
  }
};

/// The transforms that a value may be under, in the order in which they were
/// found.
struct TransformSet {
  SmallVector<Transform> transforms;

  void add(Transform transform) {
    if (!llvm::is_contained(transforms, transform))
      transforms.push_back(transform);
  }
  bool contains(const TransformSet &other) const {
    return llvm::all_of(other.transforms, [&](const Transform &transform) {
      return llvm::is_contained(transforms, transform);
    });
  }
  bool operator==(const TransformSet &other) const {
    return contains(other) && other.contains(*this);
  }
  static TransformSet join(const TransformSet &lhs, const TransformSet &rhs) {
    TransformSet result = lhs;
    for (const Transform &transform : rhs.transforms)
      result.add(transform);
    return result;
  }
  void print(raw_ostream &os) const {
    llvm::interleaveComma(transforms, os, [&](const Transform &transform) {
      os << transform.op->getName() << " along " << transform.axis;
    });
  }

  /// Those along `axis`.
  SmallVector<RhtOp> getAlong(int64_t axis) const {
    SmallVector<RhtOp> result;
    for (const Transform &transform : transforms)
      if (transform.axis == axis)
        result.push_back(cast<RhtOp>(transform.op));
    return result;
  }
};

struct TransformLattice : dataflow::Lattice<TransformSet> {
  MLIR_DEFINE_EXPLICIT_INTERNAL_INLINE_TYPE_ID(TransformLattice)
  using Lattice::Lattice;
};

std::optional<int64_t> getRank(Type type) {
  if (auto blocked = dyn_cast<BlockedType>(type))
    return blocked.getRank();
  auto shaped = dyn_cast<ShapedType>(type);
  if (!shaped || !shaped.hasRank())
    return std::nullopt;
  return shaped.getRank();
}

class TransformAnalysis
    : public dataflow::SparseForwardDataFlowAnalysis<TransformLattice> {
public:
  using SparseForwardDataFlowAnalysis::SparseForwardDataFlowAnalysis;

  void setToEntryState(TransformLattice *lattice) override {
    propagateIfChanged(lattice, lattice->join(TransformSet()));
  }

  LogicalResult visitOperation(Operation *op,
                               ArrayRef<const TransformLattice *> operands,
                               ArrayRef<TransformLattice *> results) override {
    for (auto [operand, lattice] :
         llvm::zip_equal(op->getOpOperands(), operands))
      for (const Transform &transform : lattice->getValue().transforms)
        for (auto [result, to] : llvm::zip_equal(op->getResults(), results))
          if (std::optional<int64_t> axis =
                  follow(operand, transform.axis, result))
            add(to, {transform.op, *axis});
    if (auto rht = dyn_cast<RhtOp>(op); rht && !rht.getInverse())
      add(results[0], {rht, static_cast<int64_t>(rht.getAxis())});
    return success();
  }

private:
  void add(TransformLattice *lattice, Transform transform) {
    TransformSet set;
    set.add(transform);
    propagateIfChanged(lattice, lattice->join(set));
  }

  /// Where dim `axis` of an operand lies in a result; nothing where it ends.
  static std::optional<int64_t> follow(OpOperand &operand, int64_t axis,
                                       OpResult result) {
    using Axis = std::optional<int64_t>;
    auto permuted = [&](ArrayRef<int64_t> permutation) -> Axis {
      return llvm::find(permutation, axis) - permutation.begin();
    };
    unsigned number = operand.getOperandNumber();
    return llvm::TypeSwitch<Operation *, Axis>(operand.getOwner())
        .Case([&](RhtOp op) {
          // A transform hides an earlier one along the same axis.
          bool ends = static_cast<int64_t>(op.getAxis()) == axis;
          return ends ? Axis() : Axis(axis);
        })
        .Case<QuantizeOp, UnpackOp, PackOp>([&](Operation *op) {
          // Scales and amaxes are no values under a transform.
          bool isValue = number == 0 && result.getResultNumber() == 0;
          return isValue ? Axis(axis) : Axis();
        })
        .Case<DequantizeOp, ConvertLayoutOp>(
            [&](Operation *) { return Axis(axis); })
        .Case([&](TransposeOp op) { return permuted(op.getPermutation()); })
        .Case([&](RequantizeOp op) {
          auto permutation = op.getPermutation();
          return permutation ? permuted(*permutation) : Axis(axis);
        })
        .Case([&](ContractionOpInterface op) {
          return followProduct(op, number, axis, *getRank(result.getType()));
        })
        .Case([&](CombineOp op) {
          // Experts are added up, and an inverse transform ends the one along
          // the hidden dim.
          bool ends =
              number != 0 || axis == 0 || (axis == 2 && op.getInverseRht());
          return ends ? Axis() : Axis(axis - 1);
        })
        .Case([&](linalg::LinalgOp op) {
          return followLinalg(op, operand, axis, result);
        })
        .Default([&](Operation *op) {
          bool keepsDims = OpTrait::hasElementwiseMappableTraits(op) ||
                           isa<tensor::CastOp, tensor::ExtractSliceOp,
                               tensor::InsertSliceOp, tensor::PadOp>(op);
          bool sameRank =
              getRank(operand.get().getType()) == getRank(result.getType());
          return keepsDims && sameRank ? Axis(axis) : Axis();
        });
  }

  static std::optional<int64_t> followProduct(ContractionOpInterface op,
                                              unsigned number, int64_t axis,
                                              int64_t resultRank) {
    if (number > 1)
      return std::nullopt;
    bool isLhs = number == 0;
    int64_t rank = *getRank(op->getOperand(number).getType());
    int64_t contracted =
        isLhs ? op.getLhsContractionDim() : op.getRhsContractionDim();
    if (axis == contracted)
      return std::nullopt;
    // A batch, or the matrices of a grouped product.
    if (axis < rank - 2)
      return resultRank == rank ? std::optional(axis) : std::nullopt;
    return isLhs ? resultRank - 2 : resultRank - 1;
  }

  static std::optional<int64_t> followLinalg(linalg::LinalgOp op,
                                             OpOperand &operand, int64_t axis,
                                             OpResult result) {
    AffineMap from = op.getMatchingIndexingMap(&operand);
    AffineMap to = op.getIndexingMapMatchingResult(result);
    if (axis >= from.getNumResults())
      return std::nullopt;
    AffineExpr loop = from.getResult(axis);
    auto found = llvm::find(to.getResults(), loop);
    if (!isa<AffineDimExpr>(loop) || found == to.getResults().end())
      return std::nullopt;
    return found - to.getResults().begin();
  }
};

//===----------------------------------------------------------------------===//
// Check
//===----------------------------------------------------------------------===//

/// One half of a pair, forward or inverse.
struct Half {
  Operation *op;
  int64_t axis;
  int64_t size;
  FlatSymbolRefAttr signs;
  Normalization normalization;

  Half(RhtOp op)
      : op(op), axis(op.getAxis()), size(op.getSize()),
        signs(op.getSignsAttr()), normalization(op.getNormalization()) {}
  /// The inverse transform of a combine, along its payload's hidden dim.
  Half(CombineOp op)
      : op(op), axis(2), size(*op.getInverseRht()), signs(op.getSignsAttr()),
        normalization(op.getNormalization()) {}
};

class Checker {
public:
  explicit Checker(DataFlowSolver &solver) : solver(solver) {}

  LogicalResult checkInverse(const Half &inverse) {
    const TransformSet *source = find(inverse.op->getOperand(0));
    if (!source || source->transforms.empty())
      return success();
    SmallVector<RhtOp> forward = source->getAlong(inverse.axis);
    if (forward.empty()) {
      const Transform &other = source->transforms.front();
      InFlightDiagnostic diag =
          inverse.op->emitOpError()
          << "expects axis " << other.axis
          << ", along which its source is transformed, but got "
          << inverse.axis;
      diag.attachNote(other.op->getLoc()) << "the forward transform is here";
      return diag;
    }
    for (RhtOp transform : forward)
      if (failed(check(inverse.op, inverse, transform)))
        return failure();
    return success();
  }

  /// A transform along the contraction is undone by that of the other operand.
  LogicalResult checkProduct(ContractionOpInterface op) {
    const TransformSet *lhs = find(op->getOperand(0)),
                       *rhs = find(op->getOperand(1));
    if (!lhs || !rhs)
      return success();
    for (RhtOp left : lhs->getAlong(op.getLhsContractionDim()))
      for (RhtOp right : rhs->getAlong(op.getRhsContractionDim()))
        if (failed(check(op, right, left)))
          return failure();
    return success();
  }

private:
  const TransformSet *find(Value value) {
    auto *lattice = solver.lookupState<TransformLattice>(value);
    return lattice ? &lattice->getValue() : nullptr;
  }

  SmallVector<bool> getSigns(const Half &half) {
    SmallVector<bool> negate = getDefaultSigns(half.size);
    if (half.signs)
      if (auto signs =
              symbols.lookupNearestSymbolFrom<SignsOp>(half.op, half.signs))
        negate.assign(signs.getNegate().begin(), signs.getNegate().end());
    return negate;
  }

  static std::string signsText(const Half &half) {
    if (half.signs)
      return ("@" + half.signs.getValue()).str();
    return "the default";
  }

  /// Whether `op`, which ends `forward` by `other` (an inverse transform, or
  /// the one of the other operand), has one that agrees.
  LogicalResult check(Operation *op, const Half &other, const Half &forward) {
    StringRef kind =
        op == other.op ? "of the forward transform" : "of the transform of lhs";
    auto report = [&](StringRef what, const Twine &wanted,
                      const Twine &got) -> LogicalResult {
      InFlightDiagnostic diag = op->emitOpError()
                                << "expects the " << what << " " << kind << ", "
                                << wanted << ", but got " << got;
      diag.attachNote(forward.op->getLoc()) << "the transform is here";
      if (op != other.op)
        diag.attachNote(other.op->getLoc()) << "the transform of rhs is here";
      return diag;
    };
    if (other.size != forward.size)
      return report("size", Twine(forward.size), Twine(other.size));
    if (getSigns(other) != getSigns(forward))
      return report("signs", signsText(forward), signsText(other));
    if (other.normalization != forward.normalization)
      return report("normalization",
                    stringifyNormalization(forward.normalization),
                    stringifyNormalization(other.normalization));
    return success();
  }

  DataFlowSolver &solver;
  SymbolTableCollection symbols;
};

struct CheckTransforms
    : public lowp::impl::CheckTransformsBase<CheckTransforms> {
  using CheckTransformsBase::CheckTransformsBase;

  void runOnOperation() override {
    Operation *module = getOperation();
    markAllAnalysesPreserved();
    // Without an inverse or a second operand there is nothing to compare.
    bool any = false;
    module->walk([&](RhtOp) { any = true; });
    if (!any)
      return;

    DataFlowSolver solver;
    dataflow::loadBaselineAnalyses(solver);
    solver.load<TransformAnalysis>();
    if (failed(solver.initializeAndRun(module)))
      return signalPassFailure();
    Checker checker(solver);
    bool agree = true;
    module->walk([&](Operation *op) {
      if (auto rht = dyn_cast<RhtOp>(op); rht && rht.getInverse())
        agree &= succeeded(checker.checkInverse(rht));
      if (auto combine = dyn_cast<CombineOp>(op);
          combine && combine.getInverseRht())
        agree &= succeeded(checker.checkInverse(combine));
      if (auto product = dyn_cast<ContractionOpInterface>(op))
        agree &= succeeded(checker.checkProduct(product));
    });
    if (!agree)
      signalPassFailure();
  }
};

} // namespace
