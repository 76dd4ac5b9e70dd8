//===- FormKernels.cpp - What runs as one kernel --------------------------===//
//
// Part of the Lowp project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Kernels grow backwards from quantisations, through what computes their source
// row by row. Each operation goes to the first kernel that takes it, in program
// order. What is taken out of a block is numbered once, before kernels are
// formed, so that the pass stays linear in the size of the program.
//
//===----------------------------------------------------------------------===//

#include "KernelRows.h"
#include "lowp/Transforms/Passes.h"

#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/IR/Matchers.h"
#include "mlir/IR/PatternMatch.h"
#include "mlir/IR/Remarks.h"
#include "mlir/Transforms/RegionUtils.h"

namespace mlir::lowp {
#define GEN_PASS_DEF_FORMKERNELS
#include "lowp/Transforms/Passes.h.inc"
} // namespace mlir::lowp

using namespace mlir;
using namespace mlir::lowp;

static constexpr StringLiteral kCategory = "lowp-form-kernels";

/// Operations of one kernel, far more than a model has: growing one looks at
/// all that it has for each quantisation.
static constexpr size_t kMaxOps = 256;

/// How many kernels the quantisations of one source are spread over before each
/// is one by itself: each tries all that is left.
static constexpr unsigned kMaxKernels = 4;

namespace {

/// Forms the kernels of one block.
class BlockKernels {
public:
  explicit BlockKernels(Block &block) : block(block) {
    for (auto [number, op] : llvm::enumerate(block))
      positions[&op] = number;
  }

  /// Forms all kernels, and returns their number.
  unsigned run(bool quantizations, bool sources);

private:
  /// Operations of a kernel, and where it stands.
  struct Plan {
    RowDomain domain;
    Operation *place = nullptr;
    /// Operations that are no work, in order, which have to stand before it.
    llvm::SetVector<Operation *> early;
  };

  bool isFree(Operation *op) const {
    return op && op->getBlock() == &block && !taken.contains(op);
  }
  /// The value that a quantisation and others of the same value come from.
  Value rootOf(Operation *anchor) const;
  /// Adds `anchor` to `plan`, by the dims that bring most with it.
  LogicalResult grow(Plan &plan, Operation *anchor, std::string &reason) const;
  LogicalResult admit(Operation *op, const Plan &plan,
                      std::string &reason) const;
  /// Adds to `plan.early` what stands after the kernel and makes `value`;
  /// failure where that is more than a size or a new tensor.
  LogicalResult moveEarly(Value value, Plan &plan) const;
  /// Whether all that the plan reads can be there where the kernel stands.
  LogicalResult checkOperands(Plan &plan, std::string &reason) const;
  bool isWorthwhile(const Plan &plan) const;
  void form(const Plan &plan);
  /// Forms a kernel of what `anchors`, of one source, come from, and returns
  /// those that may be part of another one. `report`: also says which have
  /// none.
  SmallVector<Operation *> form(ArrayRef<Operation *> anchors, bool report);

  Block &block;
  DenseMap<Operation *, unsigned> positions;
  llvm::SmallPtrSet<Operation *, 16> taken;
  unsigned numKernels = 0;
};

struct FormKernels : lowp::impl::FormKernelsBase<FormKernels> {
  using FormKernelsBase::FormKernelsBase;

  void runOnOperation() override {
    SmallVector<Block *> blocks;
    getOperation()->walk<WalkOrder::PreOrder>([&](Operation *op) {
      // What is inside of these is not tensors, or is a kernel already.
      if (isa<linalg::LinalgOp, KernelOp>(op))
        return WalkResult::skip();
      for (Region &region : op->getRegions())
        for (Block &block : region)
          blocks.push_back(&block);
      return WalkResult::advance();
    });
    for (Block *block : blocks)
      numKernels += BlockKernels(*block).run(quantizations, sources);
  }
};

} // namespace

static void reportMissed(Operation *op, const Twine &text) {
  remark::missed(op->getLoc(),
                 remark::RemarkOpts::name("LeftOut").category(kCategory))
      << text.str();
}

Value BlockKernels::rootOf(Operation *anchor) const {
  Value value = anchor->getOperand(0);
  while (true) {
    Operation *op = value.getDefiningOp();
    if (!isFree(op))
      return value;
    if (isa<RhtOp, DequantizeOp, tensor::CastOp, tensor::CollapseShapeOp,
            tensor::ExpandShapeOp>(op)) {
      value = op->getOperand(0);
      continue;
    }
    // Movement and conversions: a function of one tensor.
    auto linalgOp = dyn_cast<linalg::LinalgOp>(op);
    if (!linalgOp || linalgOp.getNumDpsInputs() != 1 ||
        linalgOp.getNumReductionLoops() != 0 ||
        !isa<RankedTensorType>(op->getOperand(0).getType()))
      return value;
    value = op->getOperand(0);
  }
}

LogicalResult BlockKernels::admit(Operation *op, const Plan &plan,
                                  std::string &reason) const {
  if (!isFree(op)) {
    reason = "it is part of another kernel";
    return failure();
  }
  if (!isMemoryEffectFree(op)) {
    reason = "it has effects";
    return failure();
  }
  if (plan.domain.ops.size() == kMaxOps) {
    reason = "the kernel has as many operations as it may have";
    return failure();
  }
  if (isNoWork(op)) {
    reason = "it is no work";
    return failure();
  }
  unsigned place = positions.lookup(plan.place);
  if (positions.lookup(op) >= place)
    return success();
  // Others find its results where the kernel stands, or later.
  for (Operation *user : op->getUsers()) {
    Operation *holder = block.findAncestorOpInBlock(*user);
    if (holder && plan.domain.contains(holder))
      continue;
    // Other blocks run after this one.
    if (holder && positions.lookup(holder) < place) {
      reason = "others read its result before the kernel";
      return failure();
    }
  }
  return success();
}

LogicalResult BlockKernels::moveEarly(Value value, Plan &plan) const {
  unsigned place = positions.lookup(plan.place);
  auto isLate = [&](Value value) {
    Operation *op = value.getDefiningOp();
    return op && op->getBlock() == &block && positions.lookup(op) >= place &&
           !plan.early.contains(op);
  };
  if (!isLate(value))
    return success();
  // Operands first.
  SmallVector<Operation *> stack = {value.getDefiningOp()};
  while (!stack.empty()) {
    Operation *op = stack.back();
    if (plan.domain.contains(op) || !isNoWork(op))
      return failure();
    auto operands = op->getOperands();
    auto late = llvm::find_if(operands, isLate);
    if (late != operands.end()) {
      stack.push_back((*late).getDefiningOp());
      continue;
    }
    plan.early.insert(op);
    stack.pop_back();
  }
  return success();
}

LogicalResult BlockKernels::checkOperands(Plan &plan,
                                          std::string &reason) const {
  unsigned place = positions.lookup(plan.place);
  auto isLate = [&](Value value) {
    Operation *op = value.getDefiningOp();
    return !(op && plan.domain.contains(op)) && failed(moveEarly(value, plan));
  };
  for (Operation *op : plan.domain.ops) {
    // Where it stood all is there already.
    if (positions.lookup(op) <= place)
      continue;
    bool late = llvm::any_of(op->getOperands(), isLate);
    visitUsedValuesDefinedAbove(op->getRegions(), [&](OpOperand *operand) {
      late |= isLate(operand->get());
    });
    if (late) {
      reason = "what it reads is computed after the kernel";
      return failure();
    }
  }
  return success();
}

LogicalResult BlockKernels::grow(Plan &plan, Operation *anchor,
                                 std::string &reason) const {
  std::optional<Plan> best;
  std::string leadingReason;
  for (Rows rows : getRowCandidates(anchor->getResult(0).getType())) {
    Plan next = plan;
    std::string why;
    if (failed(next.domain.add(
            anchor, rows, [&](Operation *op) { return positions.lookup(op); },
            [&](Operation *op, std::string &why) {
              return admit(op, next, why);
            },
            why)) ||
        failed(checkOperands(next, why))) {
      // What is wrong with the first dim says most.
      if (leadingReason.empty() || rows == Rows{0, 1})
        leadingReason = why;
      continue;
    }
    auto isBetter = [](const RowDomain &a, const RowDomain &b) {
      if (a.ops.size() != b.ops.size())
        return a.ops.size() > b.ops.size();
      return a.getCost() < b.getCost();
    };
    if (!best || isBetter(next.domain, best->domain))
      best = std::move(next);
  }
  if (!best) {
    reason = leadingReason.empty() ? "it has no rows" : leadingReason;
    return failure();
  }
  plan = std::move(*best);
  return success();
}

bool BlockKernels::isWorthwhile(const Plan &plan) const {
  // A requantisation is two loops by itself.
  if (llvm::any_of(plan.domain.ops, llvm::IsaPred<RequantizeOp>))
    return true;
  // Reshapes are none.
  return llvm::count_if(plan.domain.ops, [](Operation *op) {
           return !isa<tensor::CastOp, tensor::CollapseShapeOp,
                       tensor::ExpandShapeOp, tensor::ExtractSliceOp>(op);
         }) > 1;
}

void BlockKernels::form(const Plan &plan) {
  SmallVector<Operation *> ops(plan.domain.ops.begin(), plan.domain.ops.end());
  llvm::sort(ops, [&](Operation *a, Operation *b) {
    return positions.lookup(a) < positions.lookup(b);
  });
  SmallVector<Value> results;
  for (Operation *op : ops)
    for (Value result : op->getResults())
      if (llvm::any_of(result.getUsers(), [&](Operation *user) {
            Operation *holder = block.findAncestorOpInBlock(*user);
            return !holder || !plan.domain.contains(holder);
          }))
        results.push_back(result);

  IRRewriter rewriter(block.getParentOp()->getContext());
  rewriter.setInsertionPoint(plan.place);
  for (Operation *op : plan.early) {
    op->moveBefore(plan.place);
    positions[op] = positions.lookup(plan.place);
  }
  SmallVector<Location> locations = {plan.place->getLoc()};
  for (Operation *op : ops)
    locations.push_back(op->getLoc());
  auto kernel = KernelOp::create(rewriter, rewriter.getFusedLoc(locations),
                                 ValueRange(results).getTypes());
  Block *body = rewriter.createBlock(&kernel.getBody());
  for (auto [result, inside] : llvm::zip_equal(kernel.getResults(), results))
    inside.replaceUsesWithIf(result, [&](OpOperand &use) {
      Operation *holder = block.findAncestorOpInBlock(*use.getOwner());
      return !holder || !plan.domain.contains(holder);
    });
  for (Operation *op : ops)
    op->moveBefore(body, body->end());
  rewriter.setInsertionPointToEnd(body);
  YieldOp::create(rewriter, kernel.getLoc(), results);
  positions[kernel] = positions.lookup(plan.place);
  taken.insert(ops.begin(), ops.end());
  ++numKernels;

  unsigned quantized =
      llvm::count_if(ops, llvm::IsaPred<QuantizeOp, RequantizeOp>);
  remark::passed(kernel.getLoc(),
                 remark::RemarkOpts::name("Formed").category(kCategory))
      << ("kernel of " + Twine(ops.size()) + " operations, " +
          Twine(quantized) + " of them quantisations")
             .str();
}

SmallVector<Operation *> BlockKernels::form(ArrayRef<Operation *> anchors,
                                            bool report) {
  Plan plan;
  SmallVector<Operation *> others;
  for (Operation *anchor : anchors) {
    // A kernel that stands at an earlier anchor may hold this one by now.
    if (!isFree(anchor) || plan.domain.contains(anchor))
      continue;
    std::string reason;
    Plan next = plan;
    if (!next.place)
      next.place = anchor;
    if (succeeded(grow(next, anchor, reason))) {
      plan = std::move(next);
      continue;
    }
    if (plan.place)
      others.push_back(anchor);
    if (report)
      reportMissed(anchor,
                   "'" + anchor->getName().getStringRef() +
                       (plan.place ? "' is not part of the kernel of another: "
                                   : "' is not part of a kernel: ") +
                       reason);
  }
  for (const auto &[op, why] : plan.domain.rejected)
    if (!isNoWork(op))
      reportMissed(op, "'" + op->getName().getStringRef() +
                           "' is not part of the kernel: " + why);
  if (plan.place && isWorthwhile(plan))
    form(plan);
  return others;
}

/// Whether constants are quantised when compiling.
static bool isConstant(Value value) {
  if (auto pack = value.getDefiningOp<PackOp>())
    return llvm::all_of(pack.getComponents(), isConstant);
  if (Operation *op = value.getDefiningOp();
      llvm::isa_and_nonnull<QuantizeOp, RequantizeOp>(op))
    return isConstant(op->getOperand(0));
  return matchPattern(value, m_Constant());
}

unsigned BlockKernels::run(bool quantizations, bool sources) {
  // Quantisations of one source, in program order.
  llvm::MapVector<Value, SmallVector<Operation *>> bySource;
  for (Operation &op : block)
    if (isa<QuantizeOp, RequantizeOp>(op) && !isConstant(op.getOperand(0)))
      bySource[rootOf(&op)].push_back(&op);
  if (quantizations)
    for (auto &[source, anchors] : bySource) {
      SmallVector<Operation *> rest = anchors;
      for (unsigned kernel = 0; kernel < kMaxKernels && !rest.empty(); ++kernel)
        rest = form(rest, /*report=*/true);
      for (Operation *anchor : rest)
        form({anchor}, /*report=*/true);
    }
  if (!sources)
    return numKernels;
  // What is quantised otherwise, by all rows at once for instance, can still
  // be computed row by row.
  for (auto &[source, anchors] : bySource)
    for (Operation *anchor : anchors) {
      Operation *producer = anchor->getOperand(0).getDefiningOp();
      // Others are products, arguments and what no kernel has.
      if (isFree(anchor) && isFree(producer) &&
          (isa<linalg::LinalgOp, RhtOp, DequantizeOp, tensor::CastOp,
               tensor::CollapseShapeOp, tensor::ExpandShapeOp>(producer) ||
           OpTrait::hasElementwiseMappableTraits(producer)))
        form({producer}, /*report=*/false);
    }
  return numKernels;
}
