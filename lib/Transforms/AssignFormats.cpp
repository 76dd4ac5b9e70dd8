//===- AssignFormats.cpp - a plan for every site -*- C++ -*-===//
//
// Part of the lowp project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Exchange.h"
#include "lowp/Transforms/Passes.h"

#include "lowp/IR/LowpOps.h"
#include "lowp/Transforms/Recipe.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/IR/PatternMatch.h"
#include "mlir/IR/Remarks.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"

#include "llvm/ADT/SetVector.h"
#include "llvm/ADT/StringMap.h"

#include <set>

namespace mlir::lowp {
#define GEN_PASS_DEF_ASSIGNFORMATS
#include "lowp/Transforms/Passes.h.inc"
} // namespace mlir::lowp

using namespace mlir;
using namespace mlir::lowp;

static constexpr StringLiteral category = "lowp-assign-formats";

namespace {
/// A contraction that is a site, with the plan that it came with.
struct SiteOp {
  ContractionOpInterface op;
  SiteAttr site;
  PlanAttr plan;

  Value getLhs() { return op.getLhsOperand().get(); }
  Value getRhs() { return op.getRhsOperand().get(); }
  /// The shape of the weight as stored; the gradient of a weight has it too, up
  /// to a transposition.
  ArrayRef<int64_t> getWeightShape() {
    Value weight = op->getResult(0);
    if (site.getOperand(Side::Lhs) == SiteOperand::Weight)
      weight = getLhs();
    else if (site.getOperand(Side::Rhs) == SiteOperand::Weight)
      weight = getRhs();
    auto type = dyn_cast<RankedTensorType>(weight.getType());
    return type ? type.getShape() : ArrayRef<int64_t>();
  }
};

class AssignFormatsPass
    : public lowp::impl::AssignFormatsBase<AssignFormatsPass> {
public:
  using AssignFormatsBase::AssignFormatsBase;

  void runOnOperation() override {
    if (failed(assign()))
      signalPassFailure();
  }

private:
  LogicalResult assign();
};
} // namespace

static SmallVector<SiteOp> collectSites(ModuleOp module) {
  SmallVector<SiteOp> sites;
  module.walk<WalkOrder::PreOrder>([&](ContractionOpInterface op) {
    if (SiteAttr site = op.getSiteAttr())
      sites.push_back({op, site, op.getPlanAttr()});
  });
  return sites;
}

/// One more than the highest layer, or 0 when there is no "last" layer.
static int64_t countLayers(ArrayRef<SiteOp> sites) {
  std::set<int64_t> layers;
  for (const SiteOp &site : sites)
    if (site.site.getLayer())
      layers.insert(*site.site.getLayer());
  return layers.size() < 2 ? 0 : *layers.rbegin() + 1;
}

namespace {
/// All sites of a module, and their plans where these are decided.
struct Plans {
  SmallVector<SiteOp> sites;
  SmallVector<PlanAttr> plans;
  llvm::StringMap<size_t> indexOf;

  /// The forward site of a backward one, or null.
  SiteOp *getForward(const SiteOp &site) {
    StringAttr name = site.site.getForward();
    auto found = name ? indexOf.find(name.getValue()) : indexOf.end();
    return found == indexOf.end() ? nullptr : &sites[found->second];
  }
};
} // namespace

/// The shape of an operand, with the contracted dim or the other one last.
static SmallVector<int64_t> getShape(SiteOp &site, Side side,
                                     bool contractedLast) {
  bool isLhs = side == Side::Lhs;
  auto type = dyn_cast<RankedTensorType>(
      (isLhs ? site.getLhs() : site.getRhs()).getType());
  if (!type || type.getRank() < 2)
    return {};
  int64_t dim =
      isLhs ? site.op.getLhsContractionDim() : site.op.getRhsContractionDim();
  SmallVector<int64_t> shape(type.getShape());
  if ((dim == type.getRank() - 1) != contractedLast)
    std::swap(shape[shape.size() - 1], shape[shape.size() - 2]);
  return shape;
}

/// Why an operand of `site` cannot be made from what its forward site reads,
/// though `plan` says so; empty where it can. What the program does not show is
/// no mistake of the recipe.
static StringRef explainSource(SiteOp &site, SiteOp *forward, PlanAttr plan) {
  for (Side side : {Side::Lhs, Side::Rhs}) {
    OperandPlanAttr operand = !plan               ? OperandPlanAttr()
                              : side == Side::Lhs ? plan.getLhs()
                                                  : plan.getRhs();
    if (!operand || operand.getSource() != OperandSource::ForwardQuantized)
      continue;
    if (!forward)
      return ", but no forward site is known that reads the same matrix";
    SiteOperand which = site.site.getOperand(side);
    Side forwardSide =
        forward->site.getOperand(Side::Lhs) == which ? Side::Lhs : Side::Rhs;
    if (failed(verifyCompatibleShape(
            getShape(*forward, forwardSide, /*contractedLast=*/false),
            getShape(site, side, /*contractedLast=*/true))))
      return ", but its forward site reads a matrix of another shape";
  }
  return {};
}

static LogicalResult verifyOperandPlan(Plans &all, SiteOp &site, Side side,
                                       OperandPlanAttr plan) {
  if (!plan)
    return success();
  Value value = side == Side::Lhs ? site.getLhs() : site.getRhs();
  if (!isa<RankedTensorType>(value.getType()))
    return site.op->emitOpError("expects a plan for operand '")
           << stringifySide(side) << "' only where it is a tensor, but got "
           << value.getType();
  if (plan.getSource() != OperandSource::ForwardQuantized)
    return success();
  SiteOperand operand = site.site.getOperand(side);
  auto fail = [&]() {
    return site.op->emitOpError("expects the ")
           << stringifySiteOperand(operand) << " of site '"
           << site.site.getName() << "' to be quantised by its forward site, ";
  };
  SiteOp *forward = all.getForward(site);
  if (!forward)
    return fail() << "but it has none";
  PlanAttr forwardPlan = all.plans[forward - all.sites.begin()];
  for (Side forwardSide : {Side::Lhs, Side::Rhs})
    if (forward->site.getOperand(forwardSide) == operand && forwardPlan &&
        (forwardSide == Side::Lhs ? forwardPlan.getLhs()
                                  : forwardPlan.getRhs()))
      return success();
  InFlightDiagnostic diag = fail();
  diag << "but that keeps it in high precision";
  diag.attachNote(forward->op->getLoc())
      << "site '" << forward->site.getName() << "' is here";
  return diag;
}

//===----------------------------------------------------------------------===//
// Exchange with experts
//===----------------------------------------------------------------------===//

/// What a recipe asks for, where the module does not say already.
static ExchangeAttr getExchange(ModuleOp module, const ExchangePlan &rules,
                                const ExchangePlan &recipe) {
  if (auto written = module->getAttrOfType<ExchangeAttr>(kExchangeAttrName))
    return written;
  ExchangePlan plan = rules;
  if (!plan.combine)
    plan.combine = recipe.combine;
  if (!plan.dispatch)
    plan.dispatch = recipe.dispatch;
  return plan.getAttr(module.getContext());
}

/// Finds the sites that read activations as they are sent to experts: a token's
/// bytes may not depend on the tokens that stay elsewhere. `outcomes` gets the
/// format, or why it is another one, of each site that activations are sent to.
static LogicalResult shareDispatch(Plans &all, FormatAttr dispatch,
                                   llvm::StringMap<Attribute> &outcomes) {
  // The second product of an expert reads what the first one computed there.
  llvm::DenseSet<Operation *> isSecond;
  for (SiteOp &site : all.sites)
    if (isExpertProduct(site.op))
      for (ContractionOpInterface next : getConsumers(site.op).experts)
        isSecond.insert(next);
  for (auto [site, plan] : llvm::zip_equal(all.sites, all.plans)) {
    if (!isExpertProduct(site.op) || isSecond.contains(site.op))
      continue;
    bool isLeft = site.site.getOperand(Side::Lhs) == SiteOperand::Activation;
    OperandPlanAttr activation =
        !plan ? OperandPlanAttr() : (isLeft ? plan.getLhs() : plan.getRhs());
    StringRef name = site.site.getName();
    auto options = remark::RemarkOpts::name("Dispatch").category(category);
    if (!activation || activation.getFormat() != dispatch) {
      std::string why = "its activation is quantised to another format";
      if (!activation)
        why = "its activation stays in high precision";
      remark::missed(site.op->getLoc(), options)
          << ("site '" + name + "': not sent as the recipe says, " + why).str();
      outcomes[name] = StringAttr::get(dispatch.getContext(), why);
      continue;
    }
    if (dispatch.getOuter() && activation.getOuter() != OuterGranularity::Token)
      return site.op->emitOpError("expects the activation of site '")
             << name << "' to have an outer scale 'per_token', since "
             << "'dispatch' sends it as it is quantised, but got '"
             << stringifyOuterGranularity(activation.getOuter()) << "'";
    if (activation.getTile() != 1)
      return site.op->emitOpError("expects the activation of site '")
             << name << "' to have blocks of one token, since 'dispatch' sends "
             << "it as it is quantised, but got blocks of "
             << activation.getTile();
    remark::passed(site.op->getLoc(), options)
        << ("site '" + name + "': sent as it is quantised").str();
    outcomes[name] = dispatch;
  }
  return success();
}

//===----------------------------------------------------------------------===//
// Giving a site back
//===----------------------------------------------------------------------===//

/// Erases the producers of `values` that nothing uses, and what only they used.
static void eraseDead(RewriterBase &rewriter, ArrayRef<Value> values) {
  llvm::SmallSetVector<Operation *, 8> worklist;
  auto push = [&](Value value) {
    if (Operation *definition = value.getDefiningOp())
      worklist.insert(definition);
  };
  llvm::for_each(values, push);
  while (!worklist.empty()) {
    Operation *op = worklist.pop_back_val();
    if (!isOpTriviallyDead(op))
      continue;
    llvm::for_each(op->getOperands(), push);
    rewriter.eraseOp(op);
  }
}

/// Replaces a recognised contraction by the region that it was recognised from.
static void returnToOrigin(RewriterBase &rewriter, Operation *op) {
  Block &block = op->getRegion(0).front();
  Operation *yield = block.getTerminator();
  Value yielded = yield->getOperand(0);
  Operation *original = &block.front();
  Value source = original->getResult(0);
  SmallVector<Value> operands(op->getOperands());
  rewriter.eraseOp(yield);
  rewriter.inlineBlockBefore(&block, op);

  // The reshape to the contraction's rank in the region and the one back behind
  // the contraction undo each other.
  Value end = op->getResult(0);
  while (end.getType() != source.getType() && end.hasOneUse() &&
         isa<tensor::ExpandShapeOp, tensor::CollapseShapeOp, tensor::CastOp>(
             *end.user_begin()))
    end = end.user_begin()->getResult(0);
  if (end.getType() == source.getType())
    rewriter.replaceAllUsesWith(end, source);
  rewriter.replaceAllUsesWith(op->getResult(0), yielded);
  if (end != op->getResult(0))
    operands.push_back(end);
  operands.push_back(yielded);
  rewriter.eraseOp(op);
  eraseDead(rewriter, operands);
}

//===----------------------------------------------------------------------===//
// Assigning
//===----------------------------------------------------------------------===//

LogicalResult AssignFormatsPass::assign() {
  ModuleOp module = getOperation();
  MLIRContext *context = &getContext();
  auto emitError = [&]() { return module.emitError(); };
  FailureOr<Recipe> inlineRules = parseRules(context, rules, emitError);
  FailureOr<Recipe> loaded = loadRecipe(context, recipe, emitError);
  if (failed(inlineRules) || failed(loaded))
    return failure();
  std::vector<RecipeRule> all = std::move(inlineRules->rules);
  llvm::move(loaded->rules, std::back_inserter(all));

  Plans found{collectSites(module), {}, {}};
  for (auto [index, site] : llvm::enumerate(found.sites))
    found.indexOf.try_emplace(site.site.getName(), index);
  SmallVector<std::string> reasons;
  SiteFacts facts;
  facts.numLayers = countLayers(found.sites);
  Builder builder(context);
  for (SiteOp &site : found.sites) {
    facts.site = site.site;
    SiteOp *forward = found.getForward(site);
    facts.weightShape = (forward ? *forward : site).getWeightShape();
    std::string why = kNoRuleMatches.str();
    PlanAttr plan = site.plan;
    if (plan) {
      why = "plan written on the operation";
      if (plan.getWhy())
        why = plan.getWhy().str();
    } else {
      for (const RecipeRule &rule : all) {
        if (!rule.matches(facts))
          continue;
        plan = rule.getPlan(site.site);
        why = rule.why;
        if (StringRef problem = explainSource(site, forward, plan);
            !problem.empty()) {
          plan = {};
          why += problem;
        }
        break;
      }
    }
    if (plan && !plan.getLhs() && !plan.getRhs())
      plan = {};
    if (plan)
      plan = PlanAttr::get(context, plan.getLhs(), plan.getRhs(),
                           builder.getStringAttr(why));
    found.plans.push_back(plan);
    reasons.push_back(std::move(why));
  }

  ExchangeAttr exchange =
      getExchange(module, inlineRules->exchange, loaded->exchange);
  llvm::StringMap<Attribute> dispatches;
  if (exchange && exchange.getDispatch() &&
      failed(shareDispatch(found, exchange.getDispatch(), dispatches)))
    return failure();

  SmallVector<Attribute> records;
  for (auto [site, plan, why] :
       llvm::zip_equal(found.sites, found.plans, reasons)) {
    if (plan &&
        (failed(verifyOperandPlan(found, site, Side::Lhs, plan.getLhs())) ||
         failed(verifyOperandPlan(found, site, Side::Rhs, plan.getRhs()))))
      return failure();
    SmallVector<NamedAttribute> record = {
        builder.getNamedAttr("site", site.site),
        builder.getNamedAttr("lhs", TypeAttr::get(site.getLhs().getType())),
        builder.getNamedAttr("lhs_dim", builder.getI64IntegerAttr(
                                            site.op.getLhsContractionDim())),
        builder.getNamedAttr("rhs", TypeAttr::get(site.getRhs().getType())),
        builder.getNamedAttr("rhs_dim", builder.getI64IntegerAttr(
                                            site.op.getRhsContractionDim())),
        builder.getNamedAttr("result",
                             TypeAttr::get(site.op->getResult(0).getType())),
        builder.getNamedAttr("why", builder.getStringAttr(why))};
    if (plan)
      record.push_back(builder.getNamedAttr("plan", plan));
    if (Attribute dispatch = dispatches.lookup(site.site.getName()))
      record.push_back(builder.getNamedAttr("dispatch", dispatch));
    records.push_back(builder.getDictionaryAttr(record));

    auto options = remark::RemarkOpts::name(plan ? "Planned" : "NotPlanned")
                       .category(category);
    std::string text = "site '" + site.site.getName().str() + "': ";
    if (plan)
      remark::passed(site.op->getLoc(), options) << text + why;
    else
      remark::missed(site.op->getLoc(), options)
          << text + "not quantised, " + why;
  }

  IRRewriter rewriter(context);
  for (auto [site, plan] : llvm::zip_equal(found.sites, found.plans)) {
    if (plan) {
      ++numPlanned;
      site.op.setPlanAttr(plan);
      continue;
    }
    site.op.removePlanAttr();
    if (site.op.getOrigin().empty())
      continue;
    ++numReturned;
    returnToOrigin(rewriter, site.op);
  }
  module->setAttr(kSitesAttrName, builder.getArrayAttr(records));
  if (exchange)
    module->setAttr(kExchangeAttrName, exchange);
  return success();
}
