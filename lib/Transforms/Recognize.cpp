//===- Recognize.cpp - find the products with weights -*- C++ -*-===//
//
// Part of the lowp project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "lowp/Transforms/Passes.h"

#include "Sites.h"

#include "lowp/IR/LowpOps.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/IR/Remarks.h"

#include "llvm/ADT/StringMap.h"
#include "llvm/ADT/StringSet.h"

namespace mlir::lowp {
#define GEN_PASS_DEF_RECOGNIZE
#include "lowp/Transforms/Passes.h.inc"
} // namespace mlir::lowp

using namespace mlir;
using namespace mlir::lowp;

static constexpr StringLiteral category = "lowp-recognize";

/// The accumulator of the product as the dialect's `init`: f32, one dim per
/// group. Null when it is zero.
static Value createInit(RewriterBase &rewriter, Product &product,
                        const ContractionForm &form) {
  Value init = product.getInit();
  if (isZeroTensor(init))
    return {};
  Location loc = product.op.getLoc();
  auto type = cast<RankedTensorType>(init.getType());
  if (!type.getElementType().isF32())
    init = arith::ExtFOp::create(rewriter, loc,
                                 type.clone(rewriter.getF32Type()), init);
  return collapseGroups(rewriter, loc, init, form.resultGroups);
}

namespace {
/// The operands of sites at the rank of the dialect's operations. Sites with
/// the same activation get the same value, so that it is quantised once.
class Operands {
public:
  Value get(RewriterBase &rewriter, const OperandForm &form) {
    for (const auto &[groups, value] : reshaped[form.value])
      if (groups == form.groups)
        return value;
    OpBuilder::InsertionGuard guard(rewriter);
    rewriter.setInsertionPointAfterValue(form.value);
    Value value = materialize(rewriter, form.value.getLoc(), form);
    reshaped[form.value].emplace_back(form.groups, value);
    return value;
  }

private:
  using Groups = SmallVector<SmallVector<int64_t>>;
  DenseMap<Value, SmallVector<std::pair<Groups, Value>, 1>> reshaped;
};
} // namespace

namespace {
/// A product that becomes an operation of the dialect.
struct Recognized {
  Product *product;
  const ContractionForm *form;
  SiteAttr site;
};
} // namespace

/// Replaces the product by the dialect's operation and moves it into the region
/// `origin` of that.
static void rewriteProduct(RewriterBase &rewriter, const Recognized &recognized,
                           Operands &operands) {
  auto [product, formOf, siteAttr] = recognized;
  linalg::LinalgOp op = product->op;
  Location loc = op.getLoc();
  const ContractionForm &form = *formOf;
  rewriter.setInsertionPoint(op);

  Value lhs = operands.get(rewriter, form.lhs);
  Value rhs = operands.get(rewriter, form.rhs);
  Value init = createInit(rewriter, *product, form);
  Value original = product->getResult();

  // The linalg result, one dim per group, is what `origin` yields.
  auto origin = std::make_unique<Region>();
  Block &block = origin->emplaceBlock();
  rewriter.setInsertionPointToStart(&block);
  Value grouped = collapseGroups(rewriter, loc, original, form.resultGroups);
  YieldOp::create(rewriter, loc, grouped);

  auto plan = op->getAttrOfType<PlanAttr>("lowp.plan");

  rewriter.setInsertionPoint(op);
  Operation *contraction;
  if (form.batched)
    contraction = BatchMatmulOp::create(rewriter, loc, grouped.getType(), lhs,
                                        rhs, init, form.lhs.transposed,
                                        form.rhs.transposed, siteAttr, plan);
  else
    contraction = MatmulOp::create(rewriter, loc, grouped.getType(), lhs, rhs,
                                   init, form.lhs.transposed,
                                   form.rhs.transposed, siteAttr, plan);
  contraction->getRegion(0).takeBody(*origin);
  Value result = expandGroups(rewriter, loc, contraction->getResult(0),
                              form.resultGroups, product->getInit());
  rewriter.replaceUsesWithIf(original, result, [&](OpOperand &use) {
    return !contraction->isProperAncestor(use.getOwner());
  });
  rewriter.moveOpBefore(op, &contraction->getRegion(0).front(),
                        contraction->getRegion(0).front().begin());
}

/// Erases the operations among `ops`, users after their operands, that nothing
/// uses.
static void eraseDead(RewriterBase &rewriter, ArrayRef<Operation *> ops) {
  for (Operation *op : llvm::reverse(ops)) {
    Value init = cast<linalg::GenericOp>(op).getDpsInits()[0];
    if (!op->use_empty())
      continue;
    SmallVector<Value> operands(init.getDefiningOp()->getOperands());
    rewriter.eraseOp(op);
    rewriter.eraseOp(init.getDefiningOp());
    for (Value size : operands)
      if (Operation *dim = size.getDefiningOp(); dim && isOpTriviallyDead(dim))
        rewriter.eraseOp(dim);
  }
}

namespace {
class RecognizePass : public lowp::impl::RecognizeBase<RecognizePass> {
public:
  using RecognizeBase::RecognizeBase;

  void runOnOperation() override {
    ModuleOp module = getOperation();
    names.clear();
    uses.clear();
    // Sites of an earlier run, or written by hand, keep their names.
    module.walk([&](ContractionOpInterface op) {
      if (SiteAttr site = op.getSiteAttr())
        names.insert(site.getName());
    });
    SmallVector<FunctionOpInterface> functions;
    module.walk([&](FunctionOpInterface function) {
      if (!function.isExternal())
        functions.push_back(function);
    });
    for (FunctionOpInterface function : functions)
      if (failed(recognize(function)))
        return signalPassFailure();
  }

private:
  LogicalResult recognize(FunctionOpInterface function);
  SmallVector<Recognized> describe(SiteFinder &finder);
  void remarkLeft(linalg::LinalgOp op, const Twine &why);
  /// A name is unique in the module: a weight that is used again gets "#2".
  std::string makeUnique(StringRef name) {
    std::string unique = name.str();
    for (unsigned &count = uses.try_emplace(name, 1).first->second;
         !names.insert(unique).second;)
      unique = (name + "#" + Twine(++count)).str();
    return unique;
  }

  llvm::StringSet<> names;
  /// The highest number that was given to a use of a name.
  llvm::StringMap<unsigned> uses;
};
} // namespace

void RecognizePass::remarkLeft(linalg::LinalgOp op, const Twine &why) {
  ++numLeft;
  remark::missed(op.getLoc(),
                 remark::RemarkOpts::name("LeftAlone").category(category))
      << ("left '" + op->getName().getStringRef() + "' alone: " + why).str();
}

/// Names all sites, and says what they are; in program order.
SmallVector<Recognized> RecognizePass::describe(SiteFinder &finder) {
  MLIRContext *context = &getContext();
  SmallVector<Recognized> recognized;
  auto getSide = [](const ContractionForm &form, unsigned multiplicand) {
    return (multiplicand == 0) != form.swapped ? Side::Lhs : Side::Rhs;
  };
  // The forward site that reads the same matrix as operand `side` of a backward
  // product, with its elements in the same places.
  auto getForward = [&](std::optional<size_t> index, Product *product,
                        unsigned side, const ContractionForm &form,
                        bool isWeight) {
    if (!index || finder.sites[*index].role != SiteRole::Fprop)
      return StringAttr();
    Site &forward = finder.sites[*index];
    unsigned forwardSide =
        isWeight ? forward.weightSide : 1 - forward.weightSide;
    if (!finder.isTransposedOf(*product, side, form, forward, forwardSide))
      return StringAttr();
    return StringAttr::get(context, forward.name);
  };
  auto add = [&](Product *product, const ContractionForm &form, SiteAttr site) {
    recognized.push_back({product, &form, site});
    ++numSites;
    remark::passed(product->op.getLoc(),
                   remark::RemarkOpts::name("Recognized").category(category))
        << ("site '" + site.getName() + "', role " +
            stringifySiteRole(site.getRole()) + ", kind " +
            stringifySiteKind(site.getKind()))
               .str();
  };
  auto addGradient = [&](const WeightGradient &gradient) {
    // A gradient whose weight does not show is an expert's where it has a
    // batch.
    Site unknown;
    unknown.name = "wgrad";
    unknown.kind = gradient.form.batched ? SiteKind::Expert : SiteKind::Dense;
    const Site &site = gradient.site ? finder.sites[*gradient.site] : unknown;
    add(gradient.product, gradient.form,
        SiteAttr::get(
            context, makeUnique(StringRef(site.name).rsplit('#').first),
            SiteRole::Wgrad, site.kind, site.layer, std::nullopt,
            getSide(gradient.form, gradient.activationSide),
            getForward(gradient.site, gradient.product, gradient.activationSide,
                       gradient.form, /*isWeight=*/false)));
  };
  // First all names of products with a weight, which gradients refer to.
  for (Site &site : finder.sites) {
    site.name = makeUnique(site.name);
    // A weight that is used in several layers has gradients in each.
    if (site.forward)
      site.layer = finder.sites[*site.forward].layer;
  }
  ArrayRef<WeightGradient> gradients(finder.weightGradients);
  for (const Site &site : finder.sites) {
    for (; !gradients.empty() && gradients.front().product < site.product;
         gradients = gradients.drop_front())
      addGradient(gradients.front());
    add(site.product, site.form,
        SiteAttr::get(context, site.name, site.role, site.kind, site.layer,
                      getSide(site.form, site.weightSide), std::nullopt,
                      getForward(site.forward, site.product, site.weightSide,
                                 site.form, /*isWeight=*/true)));
  }
  for (const WeightGradient &gradient : gradients)
    addGradient(gradient);
  return recognized;
}

LogicalResult RecognizePass::recognize(FunctionOpInterface function) {
  IRRewriter rewriter(&getContext());
  SmallVector<linalg::LinalgOp> candidates;
  function.walk([&](linalg::LinalgOp op) {
    // What an earlier run recognised stays as it is.
    if (!isa<ContractionOpInterface>(op->getParentOp()))
      candidates.push_back(op);
  });

  SmallVector<Product> products;
  SmallVector<Operation *> split;
  for (linalg::LinalgOp op : candidates) {
    if (isa<linalg::ConvolutionOpInterface>(op.getOperation())) {
      remarkLeft(op, "it is a convolution");
      continue;
    }
    std::string why;
    FailureOr<Product> product = matchProduct(rewriter, op, why);
    if (failed(product)) {
      if (!why.empty())
        remarkLeft(op, why);
      continue;
    }
    if (failed(verifyLoopSizes(op)))
      return failure();
    llvm::append_range(split, product->split);
    products.push_back(std::move(*product));
  }

  SiteFinder finder(function, products);
  for (const LeftAlone &left : finder.leftAlone)
    remarkLeft(left.product->op, left.why);
  describeSites(function, products, finder.sites);
  SmallVector<Recognized> recognized = describe(finder);
  // Backwards: an operand may be the result of an earlier product.
  Operands operands;
  for (const Recognized &product : llvm::reverse(recognized))
    rewriteProduct(rewriter, product, operands);
  eraseDead(rewriter, split);
  return success();
}
