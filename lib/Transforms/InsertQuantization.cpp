//===- InsertQuantization.cpp - plans become quantisations -*- C++ -*-===//
//
// Part of the Lowp project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "lowp/IR/LowpOps.h"
#include "lowp/Transforms/Passes.h"

#include "mlir/IR/PatternMatch.h"
#include "mlir/IR/Remarks.h"
#include "mlir/Support/DebugStringHelper.h"

namespace mlir::lowp {
#define GEN_PASS_DEF_INSERTQUANTIZATION
#include "lowp/Transforms/Passes.h.inc"
} // namespace mlir::lowp

using namespace mlir;
using namespace mlir::lowp;

/// Quantises `operand` as `plan` says, with blocks along `contractionDim`, in
/// the groups of `offsets` where there are any.
static FailureOr<Value> quantizeOperand(OpBuilder &builder, Operation *site,
                                        StringRef side, Value operand,
                                        OperandPlanAttr plan,
                                        int64_t contractionDim, Value offsets) {
  auto type = dyn_cast<RankedTensorType>(operand.getType());
  if (!type)
    return site->emitOpError()
           << "expects the planned " << side << " to be a tensor, but got "
           << operand.getType();
  SmallVector<int64_t> block(type.getRank(), 1);
  block[contractionDim] = plan.getBlock();
  SmallVector<int64_t> outer =
      getOuterAxes(plan.getOuter(), type.getRank(), contractionDim);
  int64_t groupAxis = -1, groups = 0;
  if (offsets) {
    int64_t entries = cast<RankedTensorType>(offsets.getType()).getDimSize(0);
    groupAxis = contractionDim;
    groups = ShapedType::isDynamic(entries) ? entries : entries - 1;
  }
  auto blocked = BlockedType::getChecked(
      [&] {
        return site->emitOpError() << "has a plan that does not fit the "
                                   << side << " of type " << type << ": ";
      },
      builder.getContext(), type.getShape(), plan.getFormat(),
      ArrayRef<int64_t>(block), ArrayRef<int64_t>(outer), ScaleLayout::Linear,
      groupAxis, groups);
  if (!blocked)
    return failure();
  return QuantizeOp::create(builder, site->getLoc(), blocked, operand,
                            plan.getRule(), offsets)
      .getResult();
}

/// Quantises the operands of `op` by its plan. The plan has done its work then,
/// and what the site was recognised from no longer computes the same.
static LogicalResult insertQuantization(ContractionOpInterface op) {
  PlanAttr plan = op.getPlanAttr();
  if (!plan)
    return success();
  OpBuilder builder(op);
  auto grouped = dyn_cast<KGroupedMatmulOp>(op.getOperation());
  Value offsets = grouped ? grouped.getOffsets() : Value();
  auto quantize = [&](OpOperand &operand, OperandPlanAttr operandPlan,
                      Side side, unsigned dim) -> LogicalResult {
    if (!operandPlan)
      return success();
    FailureOr<Value> quantized =
        quantizeOperand(builder, op, stringifySide(side), operand.get(),
                        operandPlan, dim, offsets);
    if (failed(quantized))
      return failure();
    operand.set(*quantized);
    SiteAttr site = op.getSiteAttr();
    remark::passed(op.getLoc(), remark::RemarkOpts::name("Quantized")
                                    .category("lowp-insert-quantization"))
        << remark::add("{0} of site '{1}' quantised to {2}",
                       stringifySide(side), site ? site.getName() : "",
                       debugString(operandPlan));
    return success();
  };
  if (failed(quantize(op.getLhsOperand(), plan.getLhs(), Side::Lhs,
                      op.getLhsContractionDim())) ||
      failed(quantize(op.getRhsOperand(), plan.getRhs(), Side::Rhs,
                      op.getRhsContractionDim())))
    return failure();
  Region &origin = op.getOrigin();
  origin.dropAllReferences();
  origin.getBlocks().clear();
  op.removePlanAttr();
  return success();
}

namespace {
class InsertQuantization
    : public lowp::impl::InsertQuantizationBase<InsertQuantization> {
public:
  using InsertQuantizationBase::InsertQuantizationBase;

  void runOnOperation() override {
    // In program order, and never inside an origin region: what is there stands
    // for the site itself.
    WalkResult result = getOperation()->walk<WalkOrder::PreOrder>(
        [](ContractionOpInterface op) {
          return failed(insertQuantization(op)) ? WalkResult::interrupt()
                                                : WalkResult::skip();
        });
    if (result.wasInterrupted())
      signalPassFailure();
  }
};
} // namespace
