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

Value SiteFinder::getLeader(const Multiplicand &multiplicand) const {
  return congruence.getLeader(lowp::getSource(multiplicand.value).root);
}

bool SiteFinder::isGradient(const Multiplicand &multiplicand) const {
  return gradients && gradients->contains(multiplicand.value);
}

bool SiteFinder::contractsOtherDim(Site &site, Site &forward) {
  return getContractedDims(*site.product, site.weightSide) !=
         getContractedDims(*forward.product, forward.weightSide);
}

//===----------------------------------------------------------------------===//
// Products with a weight
//===----------------------------------------------------------------------===//

/// A product with a weight is a backward one when what it multiplies the weight
/// with is a gradient: it depends on the argument labelled as one, or another
/// product multiplies it with the activation of a forward product of the same
/// weight, which contracts another dim. Other products are forward ones, unless
/// an earlier one with the same weight contracts another dim and not everything
/// is labelled: then it cannot be told.
void SiteFinder::assignRoles() {
  // Which values are multiplied with each other.
  llvm::DenseSet<Pair> multiplied;
  for (Product &product : products) {
    Value lhs = getLeader(product.lhs), rhs = getLeader(product.rhs);
    multiplied.insert({lhs, rhs});
    multiplied.insert({rhs, lhs});
  }

  SmallVector<Site, 0> kept;
  for (Site &site : sites) {
    Value activation = getLeader(site.getActivation());
    SmallVector<size_t, 1> &forward = forwardOfWeight[site.weight.root];
    auto *paired = llvm::find_if(forward, [&](size_t index) {
      return contractsOtherDim(site, kept[index]) &&
             multiplied.contains(
                 {getLeader(kept[index].getActivation()), activation});
    });
    if (isGradient(site.getActivation()) || paired != forward.end()) {
      site.role = SiteRole::Dgrad;
      // All forward products of a weight quantise it alike.
      if (paired != forward.end())
        site.forward = *paired;
      else if (!forward.empty())
        site.forward = forward.front();
      backwardOfGradient[activation].push_back(kept.size());
    } else if (!forward.empty() && !allLabelled &&
               contractsOtherDim(site, kept[forward.front()])) {
      leftAlone.push_back({site.product,
                           "it cannot be told whether this product of a weight "
                           "used before is part of the forward computation"});
      continue;
    } else {
      forward.push_back(kept.size());
      forwardOfActivation[activation].push_back(kept.size());
    }
    kept.push_back(std::move(site));
  }
  sites = std::move(kept);
}

//===----------------------------------------------------------------------===//
// Gradients of weights
//===----------------------------------------------------------------------===//

/// Whether nothing but sums, conversions and movement stands between `value`
/// and the function's results.
static bool isOnlyReturned(Value value) {
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

bool SiteFinder::hasFormOfWeightGradient(Product &product,
                                         unsigned activationSide,
                                         Site &forward) {
  auto weight = cast<RankedTensorType>(forward.weight.root.getType());
  auto result = cast<RankedTensorType>(product.getResult().getType());
  if (getSizes(weight) != getSizes(result))
    return false;
  // The contracted dims of the activation are tokens, not features.
  SmallVector<unsigned> features =
      getContractedDims(*forward.product, 1 - forward.weightSide);
  SmallVector<unsigned> tokens = getContractedDims(product, activationSide);
  return !features.empty() && !tokens.empty() &&
         llvm::none_of(tokens, [&](unsigned dim) {
           return llvm::is_contained(features, dim);
         });
}

SmallVector<size_t> SiteFinder::getForwardCandidates(Product &product,
                                                     unsigned side) {
  const Multiplicand &activation = product.get(side);
  const Multiplicand &gradient = product.get(1 - side);
  if (gradients ? isGradient(activation) || !isGradient(gradient)
                : !isOnlyReturned(product.getResult()))
    return {};
  SmallVector<size_t> candidates;
  auto found = forwardOfActivation.find(getLeader(activation));
  if (found == forwardOfActivation.end())
    return {};
  for (size_t index : found->second)
    if (hasFormOfWeightGradient(product, side, sites[index]))
      candidates.push_back(index);
  return candidates;
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
      backwardOfGradient.lookup(getLeader(gradient));
  std::optional<size_t> found;
  SmallVector<size_t> candidates = getForwardCandidates(product, side);
  for (size_t index : llvm::reverse(candidates)) {
    bool paired = llvm::any_of(backward, [&](size_t other) {
      return sites[other].weight.root == sites[index].weight.root;
    });
    if (paired) {
      found = index;
      break;
    }
    if (!found && !haveGradient.contains(index))
      found = index;
  }
  if (!found && !candidates.empty())
    found = candidates.back();

  // A function of the backward pass alone has its activations as arguments.
  bool isSaved = gradients && isGradient(gradient) && !isGradient(activation) &&
                 isa<BlockArgument>(getLeader(activation));
  if (!found && !(isSaved && isOnlyReturned(product.getResult())))
    return std::nullopt;
  if (!found)
    for (size_t index : backward)
      if (getSizes(
              cast<RankedTensorType>(sites[index].weight.root.getType())) ==
          getSizes(cast<RankedTensorType>(product.getResult().getType())))
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
