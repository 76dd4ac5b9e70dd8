//===- InsertQuantization.cpp - plans become quantisations -*- C++ -*-===//
//
// Part of the Lowp project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Sites.h"

#include "lowp/IR/LowpOps.h"
#include "lowp/Transforms/Passes.h"

#include "mlir/IR/Dominance.h"
#include "mlir/IR/Matchers.h"
#include "mlir/IR/Remarks.h"
#include "mlir/Support/DebugStringHelper.h"
#include "llvm/ADT/MapVector.h"
#include "llvm/ADT/Sequence.h"
#include "llvm/ADT/SetVector.h"
#include "llvm/ADT/StringMap.h"

namespace mlir::lowp {
#define GEN_PASS_DEF_INSERTQUANTIZATION
#include "lowp/Transforms/Passes.h.inc"
} // namespace mlir::lowp

using namespace mlir;
using namespace mlir::lowp;

namespace {
/// What makes two quantisations of one value one. Products of one role read the
/// same random bits of a value, as gate and up projections do; products of
/// different roles never do.
struct QuantizationKey {
  QuantizationKey(ContractionOpInterface op, Value source, BlockedType result,
                  RuleAttr rule)
      : source(source), result(result), rule(rule) {
    SiteAttr site = op.getSiteAttr();
    if (site && rule.isStochastic())
      role = site.getRole();
  }

  Value source;
  BlockedType result;
  RuleAttr rule;
  SiteRole role = SiteRole::None;

  bool operator==(const QuantizationKey &other) const {
    return source == other.source && result == other.result &&
           rule == other.rule && role == other.role;
  }
};

class InsertQuantization
    : public lowp::impl::InsertQuantizationBase<InsertQuantization> {
public:
  using InsertQuantizationBase::InsertQuantizationBase;

  void runOnOperation() override;

private:
  LogicalResult insert(ContractionOpInterface op);
  LogicalResult insert(ContractionOpInterface op, OperandPlanAttr plan,
                       Side side);
  FailureOr<Value> quantize(ContractionOpInterface op, OperandPlanAttr plan,
                            Side side);
  FailureOr<Value> requantize(ContractionOpInterface op, OperandPlanAttr plan,
                              Side side);
  FailureOr<BlockedType> getType(ContractionOpInterface op, Side side,
                                 ArrayRef<int64_t> shape, FormatAttr format,
                                 OperandPlanAttr plan, int64_t contractionDim,
                                 ArrayRef<int64_t> outer);
  Value reuse(const QuantizationKey &key, Operation *user);
  void recordSaved(ModuleOp module);
  void remember(const QuantizationKey &key, Value value) {
    known[key.source].emplace_back(key, value);
  }

  llvm::StringMap<ContractionOpInterface> forwardSites;
  DenseMap<Value, SmallVector<std::pair<QuantizationKey, Value>, 1>> known;
  /// Backward sites with their activation as it was, and the quantised value
  /// that the forward pass keeps for it.
  SmallVector<std::tuple<ContractionOpInterface, Value, Value>> kept;
  /// Gradients that sites contract, as they were, and results of forward sites.
  SmallVector<Value> gradients, forwardResults;
  DominanceInfo *dominance = nullptr;
};
} // namespace

static Value getOffsets(ContractionOpInterface op) {
  auto grouped = dyn_cast<KGroupedMatmulOp>(op.getOperation());
  return grouped ? grouped.getOffsets() : Value();
}

static unsigned getContractionDim(ContractionOpInterface op, Side side) {
  return side == Side::Lhs ? op.getLhsContractionDim()
                           : op.getRhsContractionDim();
}

static OpOperand &getOperand(ContractionOpInterface op, Side side) {
  return side == Side::Lhs ? op.getLhsOperand() : op.getRhsOperand();
}

/// The type of an operand of `shape` that is quantised as `plan` says.
FailureOr<BlockedType>
InsertQuantization::getType(ContractionOpInterface op, Side side,
                            ArrayRef<int64_t> shape, FormatAttr format,
                            OperandPlanAttr plan, int64_t contractionDim,
                            ArrayRef<int64_t> outer) {
  int64_t rank = shape.size();
  SmallVector<int64_t> block(rank, 1);
  // The other dim of the matrix.
  if (rank >= 2)
    block[2 * rank - 3 - contractionDim] = plan.getTile();
  block[contractionDim] = plan.getBlock();
  int64_t groupAxis = -1, groups = 0;
  if (Value offsets = getOffsets(op)) {
    int64_t entries = cast<RankedTensorType>(offsets.getType()).getDimSize(0);
    groupAxis = contractionDim;
    groups = ShapedType::isDynamic(entries) ? entries : entries - 1;
  }
  auto blocked = BlockedType::getChecked(
      [&] {
        return op->emitOpError("has a plan that does not fit the ")
               << stringifySide(side) << " of type "
               << getOperand(op, side).get().getType() << ": ";
      },
      op.getContext(), shape, format, ArrayRef<int64_t>(block), outer,
      ScaleLayout::Linear, groupAxis, groups);
  if (!blocked)
    return failure();
  return blocked;
}

Value InsertQuantization::reuse(const QuantizationKey &key, Operation *user) {
  auto found = known.find(key.source);
  if (found == known.end())
    return {};
  for (auto &[other, value] : found->second)
    if (other == key && dominance->properlyDominates(value, user))
      return value;
  return {};
}

FailureOr<Value> InsertQuantization::quantize(ContractionOpInterface op,
                                              OperandPlanAttr plan, Side side) {
  Value operand = getOperand(op, side).get();
  auto type = dyn_cast<RankedTensorType>(operand.getType());
  if (!type)
    return op->emitOpError("expects the planned ")
           << stringifySide(side) << " to be a tensor, but got "
           << operand.getType();
  unsigned dim = getContractionDim(op, side);
  FailureOr<BlockedType> blocked =
      getType(op, side, type.getShape(), plan.getFormat(), plan, dim,
              getOuterAxes(plan.getOuter(), type.getRank(), dim));
  if (failed(blocked))
    return failure();
  QuantizationKey key(op, operand, *blocked, plan.getRule());
  if (Value value = reuse(key, op))
    return value;
  OpBuilder builder(op);
  Value result = QuantizeOp::create(builder, op->getLoc(), *blocked, operand,
                                    plan.getRule(), getOffsets(op));
  remember(key, result);
  return result;
}

/// Makes the operand of a backward site from what its forward site reads: the
/// dim that is contracted now becomes the last one, and blocks lie along it.
FailureOr<Value> InsertQuantization::requantize(ContractionOpInterface op,
                                                OperandPlanAttr plan,
                                                Side side) {
  SiteAttr site = op.getSiteAttr();
  StringAttr name = site ? site.getForward() : StringAttr();
  auto fail = [&]() {
    return op->emitOpError("has a plan that makes the ")
           << stringifySide(side)
           << " from what its forward site reads quantised, ";
  };
  ContractionOpInterface forward =
      name ? forwardSites.lookup(name.getValue()) : ContractionOpInterface();
  if (!forward)
    return fail() << "but no forward site stands before it";
  SiteOperand operand = site.getOperand(side);
  Side forwardSide = forward.getSiteAttr().getOperand(Side::Lhs) == operand
                         ? Side::Lhs
                         : Side::Rhs;
  Value source = getOperand(forward, forwardSide).get();
  auto sourceType = dyn_cast<BlockedType>(source.getType());
  auto noted = [&](InFlightDiagnostic diag) -> LogicalResult {
    diag.attachNote(forward->getLoc()) << "the forward site is here";
    return diag;
  };
  if (!sourceType)
    return noted(fail() << "but that is " << source.getType());
  if (!dominance->properlyDominates(source, op))
    return noted(fail() << "but that does not dominate it");

  // The forward product contracts one of the last two dims, this one the other.
  int64_t rank = sourceType.getRank();
  auto permutation = llvm::to_vector(llvm::seq<int64_t>(0, rank));
  if (getContractionDim(forward, forwardSide) == rank - 1)
    std::swap(permutation[rank - 1], permutation[rank - 2]);
  SmallVector<int64_t> shape, outer;
  for (int64_t dim : permutation)
    shape.push_back(sourceType.getShape()[dim]);
  FormatAttr format = plan.getFormat();
  OuterMode mode = OuterMode::Fold;
  if (plan.getOuter() == OuterGranularity::Keep) {
    bool hasOuter = sourceType.getFormat().getOuter();
    format = format.withOuter(hasOuter);
    mode = hasOuter ? OuterMode::Keep : OuterMode::Fold;
    for (auto [dim, from] : llvm::enumerate(permutation))
      if (llvm::is_contained(sourceType.getOuterAxes(), from))
        outer.push_back(dim);
  } else {
    outer = getOuterAxes(plan.getOuter(), rank, rank - 1);
  }

  // The operand that is replaced, with the contracted dim last.
  auto type = cast<RankedTensorType>(getOperand(op, side).get().getType());
  SmallVector<int64_t> replaced(type.getShape());
  if (getContractionDim(op, side) != type.getRank() - 1)
    std::swap(replaced[type.getRank() - 1], replaced[type.getRank() - 2]);
  if (failed(verifyCompatibleShape(shape, replaced)))
    return noted(fail() << "but that is " << sourceType
                        << ", which is no form of " << type);

  FailureOr<BlockedType> blocked =
      getType(op, side, shape, format, plan, rank - 1, outer);
  if (failed(blocked))
    return failure();
  if (operand == SiteOperand::Activation)
    kept.emplace_back(op, getOperand(op, side).get(), source);
  if (side == Side::Lhs)
    op.setTransposeLhs(false);
  else
    op.setTransposeRhs(true);
  QuantizationKey key(op, source, *blocked, plan.getRule());
  if (Value value = reuse(key, op))
    return value;
  OpBuilder builder(op);
  Value result = RequantizeOp::create(
      builder, op->getLoc(), *blocked, source, /*seed=*/Value(),
      /*step=*/Value(), getOffsets(op),
      builder.getDenseI64ArrayAttr(permutation), mode, plan.getRule(),
      /*stream=*/IntegerAttr());
  remember(key, result);
  return result;
}

LogicalResult InsertQuantization::insert(ContractionOpInterface op,
                                         OperandPlanAttr plan, Side side) {
  if (!plan)
    return success();
  FailureOr<Value> quantized =
      plan.getSource() == OperandSource::ForwardQuantized
          ? requantize(op, plan, side)
          : quantize(op, plan, side);
  if (failed(quantized))
    return failure();
  getOperand(op, side).set(*quantized);
  SiteAttr site = op.getSiteAttr();
  remark::passed(op.getLoc(), remark::RemarkOpts::name("Quantized")
                                  .category("lowp-insert-quantization"))
      << remark::add("{0} of site '{1}' quantised to {2}", stringifySide(side),
                     site ? site.getName() : "", debugString(plan));
  return success();
}

/// Quantises the operands of `op` by its plan. The plan has done its work then,
/// and what the site was recognised from no longer computes the same.
LogicalResult InsertQuantization::insert(ContractionOpInterface op) {
  if (SiteAttr site = op.getSiteAttr())
    forwardSites.try_emplace(site.getName(), op);
  if (SiteAttr site = op.getSiteAttr()) {
    if (site.getRole() == SiteRole::Fprop)
      forwardResults.push_back(op->getResult(0));
    for (Side side : {Side::Lhs, Side::Rhs})
      if (site.getOperand(side) == SiteOperand::Gradient)
        gradients.push_back(getOperand(op, side).get());
  }
  PlanAttr plan = op.getPlanAttr();
  if (!plan)
    return success();
  if (failed(insert(op, plan.getLhs(), Side::Lhs)) ||
      failed(insert(op, plan.getRhs(), Side::Rhs)))
    return failure();
  Region &origin = op.getOrigin();
  origin.dropAllReferences();
  origin.getBlocks().clear();
  op.removePlanAttr();
  return success();
}

/// The arguments of functions that `values` are computed from.
static llvm::SetVector<Value> getArguments(ArrayRef<Value> values) {
  llvm::SetVector<Value> arguments;
  llvm::DenseSet<Value> visited;
  SmallVector<Value> worklist(values);
  while (!worklist.empty()) {
    Value value = worklist.pop_back_val();
    if (!visited.insert(value).second)
      continue;
    Operation *definition = value.getDefiningOp();
    if (!definition) {
      Operation *parent = value.getParentRegion()->getParentOp();
      if (isa<FunctionOpInterface>(parent))
        arguments.insert(value);
      else
        llvm::append_range(worklist, parent->getOperands());
      continue;
    }
    definition->walk([&](Operation *nested) {
      llvm::append_range(worklist, nested->getOperands());
    });
  }
  return arguments;
}

/// Whether a computation that depends on a gradient reads `value`, or a form of
/// it that differs in shape or type only.
static bool isReadBackward(Value value, const Dependents &gradients) {
  SmallVector<Value> worklist = {value};
  while (!worklist.empty()) {
    Value current = worklist.pop_back_val();
    for (Operation *user : current.getUsers()) {
      if (user->getNumResults() == 1) {
        std::optional<Move> move = getMove(user->getResult(0));
        if (move && move->source == current) {
          worklist.push_back(user->getResult(0));
          continue;
        }
      }
      if (llvm::any_of(user->getResults(), [&](Value result) {
            return gradients.contains(result);
          }))
        return true;
    }
  }
  return false;
}

/// Writes to the records of backward sites how many bytes less the forward pass
/// has to keep for them: codes and scales in place of the tensor, where nothing
/// else of the backward pass reads that.
void InsertQuantization::recordSaved(ModuleOp module) {
  auto records = module->getAttrOfType<ArrayAttr>(kSitesAttrName);
  if (!records || kept.empty())
    return;
  // Gradients enter by the arguments that no forward product depends on.
  llvm::MapVector<Operation *, SmallVector<Value>> seeds;
  llvm::SetVector<Value> forward = getArguments(forwardResults);
  for (Value argument : getArguments(gradients))
    if (!forward.contains(argument))
      seeds[argument.getParentRegion()->getParentOp()].push_back(argument);
  llvm::DenseMap<Operation *, Dependents> dependents;
  for (auto &[function, values] : seeds)
    dependents.try_emplace(
        function, Dependents(cast<FunctionOpInterface>(function), values));

  llvm::StringMap<int64_t> saved;
  llvm::DenseSet<Value> counted;
  for (auto &[op, value, quantized] : kept) {
    auto type = cast<BlockedType>(quantized.getType());
    auto tensor = cast<RankedTensorType>(value.getType());
    auto found = dependents.find(op->getParentOfType<FunctionOpInterface>());
    if (!tensor.hasStaticShape() || found == dependents.end() ||
        matchPattern(getSource(value).root, m_Constant()) ||
        isReadBackward(getSource(value).root, found->second) ||
        !counted.insert(quantized).second)
      continue;
    int64_t bits = tensor.getNumElements() * tensor.getElementTypeBitWidth();
    for (Type component : type.getComponentTypes()) {
      auto part = cast<RankedTensorType>(component);
      bits -= part.getNumElements() * part.getElementTypeBitWidth();
    }
    saved[op.getSiteAttr().getName()] += bits / 8;
  }
  Builder builder(module.getContext());
  SmallVector<Attribute> updated;
  for (auto record : records.getAsRange<DictionaryAttr>()) {
    auto site = record.getAs<SiteAttr>("site");
    auto found = site ? saved.find(site.getName()) : saved.end();
    if (found == saved.end()) {
      updated.push_back(record);
      continue;
    }
    NamedAttrList fields(record);
    fields.set("saved_for_backward", builder.getI64IntegerAttr(found->second));
    updated.push_back(fields.getDictionary(module.getContext()));
  }
  module->setAttr(kSitesAttrName, builder.getArrayAttr(updated));
}

void InsertQuantization::runOnOperation() {
  forwardSites.clear();
  kept.clear();
  gradients.clear();
  forwardResults.clear();
  known.clear();
  dominance = &getAnalysis<DominanceInfo>();
  // In program order, and never inside an origin region: what is there stands
  // for the site itself.
  WalkResult result =
      getOperation()->walk<WalkOrder::PreOrder>([&](ContractionOpInterface op) {
        return failed(insert(op)) ? WalkResult::interrupt()
                                  : WalkResult::skip();
      });
  if (result.wasInterrupted())
    return signalPassFailure();
  if (auto module = dyn_cast<ModuleOp>(getOperation()))
    recordSaved(module);
}
