//===- Sites.h - which products are sites, and of what kind -*- C++ -*-===//
//
// Part of the lowp project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef LOWP_LIB_TRANSFORMS_SITES_H
#define LOWP_LIB_TRANSFORMS_SITES_H

#include "Congruence.h"
#include "Product.h"

#include "lowp/IR/LowpAttributes.h"
#include "mlir/Interfaces/FunctionInterfaces.h"

#include "llvm/ADT/DenseSet.h"

namespace mlir::lowp {

/// A product of an activation with a weight.
struct Site {
  Product *product;
  /// Which multiplicand is the weight.
  unsigned weightSide;
  /// The argument or constant that the weight comes from.
  Source weight;
  ContractionForm form;
  SiteRole role = SiteRole::Fprop;
  SiteKind kind = SiteKind::Dense;
  std::optional<int64_t> layer;
  std::string name;
  /// The index of the forward site with the same weight, of a backward one.
  std::optional<size_t> forward;

  const Multiplicand &getActivation() const {
    return product->get(1 - weightSide);
  }
  const Multiplicand &getWeight() const { return product->get(weightSide); }
};

/// A product of a forward activation with the gradient of a forward product's
/// result: the gradient of a weight.
struct WeightGradient {
  Product *product;
  /// Which multiplicand is the activation.
  unsigned activationSide;
  ContractionForm form;
  /// The index of a site with the weight, the forward one where there is one;
  /// none in a backward function that has no other product with the weight.
  std::optional<size_t> site;
};

/// A product that was left alone, and why.
struct LeftAlone {
  Product *product;
  std::string why;
};

/// The values of a function that depend on given ones.
class Dependents {
public:
  Dependents(FunctionOpInterface function, ValueRange seeds);
  bool contains(Value value) const { return values.contains(value); }
  bool any() const { return !values.empty(); }

private:
  llvm::DenseSet<Value> values;
};

/// The products of one function, all at once: what is a weight follows from how
/// a value is used in all of them.
class SiteFinder {
public:
  SiteFinder(FunctionOpInterface function, MutableArrayRef<Product> products);

  /// Whether the operand `side` of a backward product, in the dialect's form,
  /// is the transposed operand `forwardSide` of `forward`: its codes are of
  /// use.
  bool isTransposedOf(Product &product, unsigned side,
                      const ContractionForm &form, Site &forward,
                      unsigned forwardSide);

  /// All in program order.
  SmallVector<Site, 0> sites;
  SmallVector<WeightGradient, 0> weightGradients;
  SmallVector<LeftAlone> leftAlone;

private:
  enum class Status { Undecided, Weight, Other };

  Status getInitialStatus(Value root);
  bool isUsedInArithmetic(Value value);
  void excludeAttention();
  void excludeGradients();
  void decideArguments();
  Status getStatus(const Source &source);
  std::string explain(Product &product, std::array<bool, 2> isWeight);
  void findSites();

  //===--------------------------------------------------------------------===//
  // Roles
  //===--------------------------------------------------------------------===//

  using Pair = std::pair<Value, Value>;

  void assignRoles();
  void findMatrixProducts();
  void inferGradients();
  bool returnsGradients();
  /// What `multiplicand` holds all elements of, whatever their order: the value
  /// behind transpositions, reshapes and broadcasts, but in front of slices and
  /// gathers. Equal for values that are computed alike.
  Value getMatrix(const Multiplicand &multiplicand) const;
  bool isGradient(const Multiplicand &multiplicand) const;
  /// Whether two products read one matrix and contract different dims of it.
  bool contractsOtherDim(Product &a, unsigned sideOfA, Product &b,
                         unsigned sideOfB);
  /// Whether `site` may be the backward product of the forward one `forward`.
  bool contractsOtherDim(Site &site, Site &forward) {
    return contractsOtherDim(*site.product, site.weightSide, *forward.product,
                             forward.weightSide);
  }
  /// Whether another product has the form of the gradient of the weight of
  /// `forward`, the gradient being the activation of `site`.
  bool isPaired(Site &site, Site &forward);
  /// Whether `product` has the form of the gradient of the weight of `forward`.
  bool hasFormOfWeightGradient(Product &product, unsigned activationSide,
                               Site &forward);
  /// Forward sites whose activation is multiplicand `side` of `product`, the
  /// last one first; none where the other one is no gradient.
  SmallVector<size_t> getForwardCandidates(Product &product, unsigned side);
  std::optional<WeightGradient> matchWeightGradient(Product &product,
                                                    unsigned side);
  void findWeightGradients();

  FunctionOpInterface function;
  MutableArrayRef<Product> products;
  Congruence congruence;
  /// The sources of the multiplicands of each product.
  SmallVector<std::array<Source, 2>> sources;
  DenseMap<Value, Status> status;
  DenseMap<Operation *, Product *> productOf;
  bool allLabelled = true;
  /// What depends on an argument that is labelled as a gradient; without such
  /// labels on a value that must be one, and then there may be others.
  std::optional<Dependents> gradients;
  bool gradientsInferred = false;
  /// Products that `inferGradients` found to be forward ones.
  llvm::DenseSet<Product *> knownForward;
  /// Products by what they multiply, and all values that they depend on.
  DenseMap<Pair, SmallVector<Product *, 1>> productsOf;
  llvm::DenseSet<Value> beforeProducts;
  /// Forward sites by their weight and by their activation.
  DenseMap<Value, SmallVector<size_t, 1>> forwardOfWeight;
  DenseMap<Value, SmallVector<size_t, 2>> forwardOfActivation;
  /// Backward sites by the gradient that they contract.
  DenseMap<Value, SmallVector<size_t, 1>> backwardOfGradient;
  /// Forward sites for which a gradient of the weight was found.
  llvm::DenseSet<size_t> haveGradient;
};

/// The product that softmax is taken of when `value` is that softmax, behind
/// movement, masks and conversions; else null.
Product *getSoftmaxScores(Value value,
                          const DenseMap<Operation *, Product *> &products);

/// Whether nothing but sums, conversions and movement stands between `value`
/// and the function's results.
bool isOnlyReturned(Value value);

/// The `lowp.param` of a function argument, or null.
ParamAttr getParam(Value value);

/// Sets name, layer and kind of the sites of a function. `products` are all of
/// its products.
void describeSites(FunctionOpInterface function,
                   MutableArrayRef<Product> products,
                   MutableArrayRef<Site> sites);

/// The layer that a parameter name says, as in "model.layers.3.mlp.up_proj".
std::optional<int64_t> getLayerFromName(StringRef name);

/// The kind that a parameter name says.
std::optional<SiteKind> getKindFromName(StringRef name);

} // namespace mlir::lowp

#endif // LOWP_LIB_TRANSFORMS_SITES_H
