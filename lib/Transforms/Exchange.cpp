//===- Exchange.cpp - What goes to experts and comes back -----------------===//
//
// Part of the Lowp project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Exchange.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "llvm/ADT/SetVector.h"

using namespace mlir;
using namespace mlir::lowp;

bool mlir::lowp::isExpertProduct(ContractionOpInterface op) {
  SiteAttr site = op.getSiteAttr();
  return site && site.getKind() == SiteKind::Expert &&
         site.getRole() == SiteRole::Fprop;
}

/// A product of two matrices, each with a dim of its own. Gated values that are
/// added up are a contraction too, but the gate has none.
static bool isProduct(linalg::LinalgOp op) {
  if (!linalg::isaContractionOpInterface(op))
    return false;
  FailureOr<linalg::ContractionDimensions> dims =
      linalg::inferContractionDims(op);
  return succeeded(dims) && !dims->m.empty() && !dims->n.empty();
}

/// Whether the layers of both are known, and not the same.
static bool isInOtherLayer(ContractionOpInterface a, ContractionOpInterface b) {
  SiteAttr first = a.getSiteAttr(), second = b.getSiteAttr();
  return first && second && first.getLayer() && second.getLayer() &&
         *first.getLayer() != *second.getLayer();
}

/// Whether values go through a use: not where only a size is read, nor where
/// the result of a structured operation is to be written.
static bool isRead(OpOperand &use) {
  Operation *user = use.getOwner();
  if (auto structured = dyn_cast<linalg::LinalgOp>(user))
    return structured.payloadUsesValueFromOperand(&use);
  return !isa<tensor::DimOp>(user);
}

Consumers mlir::lowp::getConsumers(ContractionOpInterface op) {
  Consumers result;
  llvm::SmallSetVector<Operation *, 16> visited;
  SmallVector<Value> worklist = {op->getResult(0)};
  auto visitProduct = [&](ContractionOpInterface product) {
    if (isExpertProduct(product))
      result.experts.push_back(product);
    else
      result.products.push_back(product);
  };
  // In the order of uses, first found first.
  for (size_t next = 0; next < worklist.size(); ++next) {
    auto uses = llvm::to_vector(llvm::map_range(
        worklist[next].getUses(), [](OpOperand &use) { return &use; }));
    for (OpOperand *use : llvm::reverse(uses)) {
      if (!isRead(*use))
        continue;
      Operation *user = use->getOwner();
      // What a product was recognised from stands for the product.
      if (auto product = dyn_cast<ContractionOpInterface>(user->getParentOp()))
        user = product;
      if (user == op.getOperation() || !visited.insert(user))
        continue;
      if (auto product = dyn_cast<ContractionOpInterface>(user)) {
        // Where a residual adds up layers, each starts from those before.
        if (!isInOtherLayer(op, product))
          visitProduct(product);
        continue;
      }
      auto structured = dyn_cast<linalg::LinalgOp>(user);
      if (structured && structured.getNumReductionLoops() != 0) {
        if (isProduct(structured))
          result.products.push_back(user);
        else
          result.sums.push_back(structured);
        continue;
      }
      bool passes = structured || OpTrait::hasElementwiseMappableTraits(user) ||
                    isa<QuantizeOp, RequantizeOp, DequantizeOp, RhtOp>(user) ||
                    isa<tensor::TensorDialect>(user->getDialect());
      if (passes)
        llvm::append_range(worklist, user->getResults());
    }
  }
  return result;
}
