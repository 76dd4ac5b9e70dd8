//===- Sites.h - which products are sites, and of what kind -*- C++ -*-===//
//
// Part of the lowp project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef LOWP_LIB_TRANSFORMS_SITES_H
#define LOWP_LIB_TRANSFORMS_SITES_H

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

  const Multiplicand &getActivation() const {
    return product->get(1 - weightSide);
  }
  const Multiplicand &getWeight() const { return product->get(weightSide); }
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

  /// Sites and the rest, each in program order.
  SmallVector<Site, 0> sites;
  SmallVector<LeftAlone> leftAlone;

private:
  enum class Status { Undecided, Weight, Other };

  Status getInitialStatus(Value root);
  bool isUsedInArithmetic(Value value);
  void excludeAttention();
  void decideArguments();
  Status getStatus(const Source &source);
  std::string explain(Product &product, std::array<bool, 2> isWeight);
  void assignRoles();

  FunctionOpInterface function;
  MutableArrayRef<Product> products;
  /// The sources of the multiplicands of each product.
  SmallVector<std::array<Source, 2>> sources;
  DenseMap<Value, Status> status;
  DenseMap<Operation *, Product *> productOf;
  bool allLabelled = true;
};

/// The product that softmax is taken of when `value` is that softmax, behind
/// movement, masks and conversions; else null.
Product *getSoftmaxScores(Value value,
                          const DenseMap<Operation *, Product *> &products);

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
