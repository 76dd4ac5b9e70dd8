//===- SiteRoles.cpp - forward and backward products -*- C++ -*-===//
//
// Part of the Lowp project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// With Y = X W, X the activation, W the weight and G the gradient of Y:
//
//   fprop  Y  = X W
//   dgrad  dX = G W^T    contracts the dim of W that fprop leaves
//   wgrad  dW = X^T G    contracts the dims of X that fprop leaves
//
// That wgrad pairs the activation of fprop with the gradient of dgrad is what
// tells them from other products where nothing is labelled.
//
//===----------------------------------------------------------------------===//

#include "Sites.h"

#include "mlir/Dialect/Arith/IR/Arith.h"

using namespace mlir;
using namespace mlir::lowp;

Value SiteFinder::getMatrix(const Multiplicand &multiplicand) const {
  Value value = congruence.getLeader(multiplicand.value);
  while (std::optional<Move> move = getMove(value)) {
    if (move->kind == Move::Slice || move->kind == Move::Gather)
      break;
    value = congruence.getLeader(move->source);
  }
  return value;
}

bool SiteFinder::isGradient(const Multiplicand &multiplicand) const {
  return gradients && gradients->contains(multiplicand.value);
}

/// Calls `visit` with what each of two products does with the dims of a value
/// that an operand of both is a view of, the nearest value first, until that
/// returns true.
static bool visitCommonViews(
    Product &a, unsigned sideOfA, Product &b, unsigned sideOfB,
    const Congruence &congruence,
    llvm::function_ref<bool(ArrayRef<DimUse>, ArrayRef<DimUse>)> visit) {
  SmallVector<UsedView> viewsOfB = getUsedViews(b, sideOfB);
  for (const UsedView &view : getUsedViews(a, sideOfA))
    for (const UsedView &other : viewsOfB)
      if (congruence.getLeader(view.value) ==
              congruence.getLeader(other.value) &&
          visit(view.dims, other.dims))
        return true;
  return false;
}

bool SiteFinder::contractsOtherDim(Product &a, unsigned sideOfA, Product &b,
                                   unsigned sideOfB) {
  return visitCommonViews(
      a, sideOfA, b, sideOfB, congruence,
      [](ArrayRef<DimUse> dims, ArrayRef<DimUse> others) {
        return llvm::any_of(llvm::zip_equal(dims, others), [](auto pair) {
          auto [use, other] = pair;
          return (use == DimUse::Contracted && other == DimUse::Free) ||
                 (use == DimUse::Free && other == DimUse::Contracted);
        });
      });
}

bool SiteFinder::isTransposedOf(Product &product, unsigned side,
                                const ContractionForm &form, Site &forward,
                                unsigned forwardSide) {
  Value matrix = getMatrix(product.get(side));
  auto isMatrix = [&](Value value) {
    return congruence.getLeader(value) == matrix;
  };
  auto layout = getOperandLayout(product, side, form, isMatrix);
  auto other =
      getOperandLayout(*forward.product, forwardSide, forward.form, isMatrix);
  if (!layout || !other)
    return false;
  std::swap((*layout)[layout->size() - 1], (*layout)[layout->size() - 2]);
  return *layout == *other;
}

//===----------------------------------------------------------------------===//
// Products with a weight
//===----------------------------------------------------------------------===//

/// Whether each multiplicand has a dim of its own. A sum of squares, as in the
/// norm of a gradient, has none.
static bool hasMatrixForm(Product &product) {
  auto hasOwnDim = [&](const Multiplicand &own, const Multiplicand &other) {
    return llvm::any_of(product.outMap.getResults(), [&](AffineExpr expr) {
      auto loop = dyn_cast<AffineDimExpr>(expr);
      return loop && own.map.isFunctionOfDim(loop.getPosition()) &&
             !other.map.isFunctionOfDim(loop.getPosition());
    });
  };
  return hasOwnDim(product.lhs, product.rhs) ||
         hasOwnDim(product.rhs, product.lhs);
}

void SiteFinder::findMatrixProducts() {
  SmallVector<Operation *> worklist;
  llvm::DenseSet<Operation *> visited;
  auto push = [&](Value value) {
    beforeProducts.insert(value);
    Operation *definition = value.getDefiningOp();
    if (!definition)
      definition = value.getParentRegion()->getParentOp();
    if (definition && definition != function.getOperation() &&
        visited.insert(definition).second)
      worklist.push_back(definition);
  };
  for (Product &product : products) {
    if (!hasMatrixForm(product))
      continue;
    Value lhs = getMatrix(product.lhs), rhs = getMatrix(product.rhs);
    productsOf[{lhs, rhs}].push_back(&product);
    if (lhs != rhs)
      productsOf[{rhs, lhs}].push_back(&product);
    llvm::for_each(product.op->getOperands(), push);
  }
  while (!worklist.empty())
    worklist.pop_back_val()->walk([&](Operation *nested) {
      llvm::for_each(nested->getOperands(), push);
    });
}

bool SiteFinder::isPaired(Site &site, Site &forward) {
  Value activation = getMatrix(forward.getActivation());
  Value gradient = getMatrix(site.getActivation());
  auto found = productsOf.find({activation, gradient});
  if (found == productsOf.end())
    return false;
  return llvm::any_of(found->second, [&](Product *product) {
    // What is multiplied first are not the gradients.
    if (product < forward.product)
      return false;
    for (unsigned side : {0, 1})
      if (getMatrix(product->get(side)) == activation &&
          getMatrix(product->get(1 - side)) == gradient &&
          hasFormOfWeightGradient(*product, side, forward))
        return true;
    return false;
  });
}

/// Where no argument is labelled as a gradient: a value that is multiplied with
/// a weight, and with the activation that an earlier product multiplies with
/// that weight, along all other dims, is a gradient.
void SiteFinder::inferGradients() {
  DenseMap<Value, SmallVector<Site *, 2>> sitesOf;
  SmallVector<Value> seeds;
  for (Site &site : sites) {
    SmallVector<Site *, 2> &earlier = sitesOf[getMatrix(site.getWeight())];
    bool paired = false;
    for (Site *forward : earlier)
      if (contractsOtherDim(site, *forward) && isPaired(site, *forward)) {
        knownForward.insert(forward->product);
        paired = true;
      }
    if (paired)
      seeds.push_back(site.getActivation().value);
    earlier.push_back(&site);
  }
  if (seeds.empty())
    return;
  gradients.emplace(function, seeds);
  gradientsInferred = true;
}

/// Whether a product has the form of the gradient of a weight, and is only
/// returned: then there are gradients, though nothing says which.
bool SiteFinder::returnsGradients() {
  DenseMap<Value, SmallVector<Site *, 2>> sitesOf;
  for (Site &site : sites)
    sitesOf[getMatrix(site.getActivation())].push_back(&site);
  return llvm::any_of(products, [&](Product &product) {
    for (unsigned side : {0, 1})
      for (Site *site : sitesOf.lookup(getMatrix(product.get(side))))
        if (&product > site->product &&
            hasFormOfWeightGradient(product, side, *site) &&
            isOnlyReturned(product.getResult()))
          return true;
    return false;
  });
}

/// A product with a weight is a backward one when what it multiplies the weight
/// with is a gradient. Other products are forward ones, unless an earlier one
/// with the same weight contracts another dim and there may be gradients that
/// are not known: then it cannot be told.
void SiteFinder::assignRoles() {
  if (!gradients)
    inferGradients();
  bool allKnown =
      allLabelled && !gradientsInferred && (gradients || !returnsGradients());

  SmallVector<Site, 0> kept;
  // All products of a weight up to here, also those that were left alone.
  DenseMap<Value, SmallVector<Site, 1>> undecided;
  for (Site &site : sites) {
    Value weight = getMatrix(site.getWeight());
    SmallVector<size_t, 1> &forward = forwardOfWeight[weight];
    if (isGradient(site.getActivation())) {
      site.role = SiteRole::Dgrad;
      // All forward products of a weight that contract one dim quantise it
      // alike.
      for (size_t index : forward) {
        if (!contractsOtherDim(site, kept[index]))
          continue;
        bool paired = isPaired(site, kept[index]);
        if (paired || !site.forward)
          site.forward = index;
        if (paired)
          break;
      }
      backwardOfGradient[getMatrix(site.getActivation())].push_back(
          kept.size());
      kept.push_back(std::move(site));
      continue;
    }
    bool unclear = !allKnown && !knownForward.contains(site.product) &&
                   (llvm::any_of(forward,
                                 [&](size_t index) {
                                   return contractsOtherDim(site, kept[index]);
                                 }) ||
                    llvm::any_of(undecided.lookup(weight), [&](Site &other) {
                      return contractsOtherDim(site, other);
                    }));
    if (unclear) {
      leftAlone.push_back({site.product,
                           "it cannot be told whether this product of a weight "
                           "used before is part of the forward computation"});
      undecided[weight].push_back(std::move(site));
      continue;
    }
    forward.push_back(kept.size());
    forwardOfActivation[getMatrix(site.getActivation())].push_back(kept.size());
    kept.push_back(std::move(site));
  }
  sites = std::move(kept);
}

//===----------------------------------------------------------------------===//
// Gradients of weights
//===----------------------------------------------------------------------===//

bool mlir::lowp::isOnlyReturned(Value value) {
  SmallVector<Value> worklist = {value};
  llvm::DenseSet<Value> visited;
  bool returned = false;
  while (!worklist.empty()) {
    Value current = worklist.pop_back_val();
    if (!visited.insert(current).second)
      continue;
    for (Operation *user : current.getUsers()) {
      if (user->hasTrait<OpTrait::ReturnLike>()) {
        returned = true;
        continue;
      }
      if (user->getNumResults() != 1)
        return false;
      auto generic = dyn_cast<linalg::LinalgOp>(user);
      bool passes = isa<arith::ExtFOp, arith::TruncFOp, arith::AddFOp>(user) ||
                    getMove(user->getResult(0)).has_value();
      if (!passes && generic && generic->getNumRegions() == 1)
        passes = llvm::all_of(
            generic.getBlock()->without_terminator(), [](Operation &op) {
              return isa<arith::ExtFOp, arith::TruncFOp, arith::AddFOp>(op);
            });
      if (!passes)
        return false;
      worklist.push_back(user->getResult(0));
    }
  }
  return returned;
}

/// The sizes of `type` that are not 1, in ascending order: what transpositions
/// and reshapes to more unit dims leave alone.
static SmallVector<int64_t> getSizes(RankedTensorType type) {
  SmallVector<int64_t> sizes;
  for (int64_t size : type.getShape())
    if (size != 1)
      sizes.push_back(size);
  llvm::sort(sizes);
  return sizes;
}

static bool haveSameSize(Value a, Value b) {
  auto typeOfA = cast<RankedTensorType>(a.getType());
  auto typeOfB = cast<RankedTensorType>(b.getType());
  if (typeOfA.hasStaticShape() && typeOfB.hasStaticShape())
    return typeOfA.getNumElements() == typeOfB.getNumElements();
  return getSizes(typeOfA) == getSizes(typeOfB);
}

bool SiteFinder::hasFormOfWeightGradient(Product &product,
                                         unsigned activationSide,
                                         Site &forward) {
  // One gradient for each matrix that the forward product multiplies with, or
  // for each use of one. Gradients are not multiplied with anything.
  Value result = product.getResult();
  Value weight = getMatrix(forward.getWeight());
  if ((!haveSameSize(result, weight) &&
       !haveSameSize(result, forward.getWeight().value)) ||
      beforeProducts.contains(result))
    return false;
  // What the forward product contracts are features, what this one contracts
  // are all tokens. Only the dims of a batch are neither.
  bool hasBatch =
      forward.form.batched || !haveSameSize(weight, forward.getWeight().value);
  return visitCommonViews(
      *forward.product, 1 - forward.weightSide, product, activationSide,
      congruence, [&](ArrayRef<DimUse> dims, ArrayRef<DimUse> others) {
        bool features = false, tokens = false;
        for (auto [use, other] : llvm::zip_equal(dims, others)) {
          if (use == DimUse::Both || other == DimUse::Both)
            return false;
          bool isFeature = use == DimUse::Contracted;
          bool isToken = other == DimUse::Contracted;
          if ((isFeature && isToken) ||
              (!isFeature && !isToken && use != DimUse::Unit && !hasBatch))
            return false;
          features |= isFeature;
          tokens |= isToken;
        }
        return features && tokens;
      });
}

SmallVector<size_t> SiteFinder::getForwardCandidates(Product &product,
                                                     unsigned side) {
  const Multiplicand &activation = product.get(side);
  bool known = isGradient(product.get(1 - side));
  if (isGradient(activation) || (gradients && !gradientsInferred && !known) ||
      (!known && !isOnlyReturned(product.getResult())))
    return {};
  auto found = forwardOfActivation.find(getMatrix(activation));
  if (found == forwardOfActivation.end())
    return {};
  return SmallVector<size_t>(llvm::reverse(found->second));
}

/// Where several forward products have the activation, as gate and up
/// projections do, the gradient belongs to the one whose weight is multiplied
/// with it as well; else, since backward passes run in reverse, to the last one
/// that has none yet.
std::optional<WeightGradient> SiteFinder::matchWeightGradient(Product &product,
                                                              unsigned side) {
  const Multiplicand &activation = product.get(side);
  const Multiplicand &gradient = product.get(1 - side);
  SmallVector<size_t, 1> backward =
      backwardOfGradient.lookup(getMatrix(gradient));
  auto isPaired = [&](size_t index) {
    return llvm::any_of(backward, [&](size_t other) {
      return getMatrix(sites[other].getWeight()) ==
             getMatrix(sites[index].getWeight());
    });
  };
  std::optional<size_t> found;
  SmallVector<size_t> candidates = getForwardCandidates(product, side);
  auto find = [&](llvm::function_ref<bool(size_t)> condition) {
    if (!found)
      for (size_t index : candidates)
        if (condition(index) &&
            hasFormOfWeightGradient(product, side, sites[index])) {
          found = index;
          return;
        }
  };
  find(isPaired);
  find([&](size_t index) { return !haveGradient.contains(index); });
  find([](size_t) { return true; });

  // A function of the backward pass alone has its activations as arguments.
  bool isSaved = !gradientsInferred && isGradient(gradient) &&
                 !isGradient(activation) &&
                 isa<BlockArgument>(lowp::getSource(activation.value).root);
  if (!found && !(isSaved && isOnlyReturned(product.getResult())))
    return std::nullopt;
  if (!found)
    for (size_t index : backward)
      if (haveSameSize(getMatrix(sites[index].getWeight()),
                       product.getResult()))
        found = index;
  FailureOr<ContractionForm> form = getContractionForm(product, {false, false});
  if (failed(form))
    return std::nullopt;
  return WeightGradient{&product, side, *form, found};
}

/// Products whose operands are no weights, but the activation of a forward
/// product and a gradient.
void SiteFinder::findWeightGradients() {
  SmallVector<LeftAlone> rest;
  for (LeftAlone &left : leftAlone) {
    auto [lhs, rhs] = sources[left.product - products.data()];
    std::optional<WeightGradient> match;
    if (getStatus(lhs) != Status::Weight && getStatus(rhs) != Status::Weight)
      for (unsigned side : {0, 1})
        if (!match)
          match = matchWeightGradient(*left.product, side);
    if (!match) {
      rest.push_back(std::move(left));
      continue;
    }
    if (match->site && sites[*match->site].role == SiteRole::Fprop)
      haveGradient.insert(*match->site);
    weightGradients.push_back(std::move(*match));
  }
  leftAlone = std::move(rest);
}
