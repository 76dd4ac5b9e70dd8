//===- Exchange.h - What goes to experts and comes back ---------*- C++ -*-===//
//
// Part of the Lowp project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef LOWP_LIB_TRANSFORMS_EXCHANGE_H
#define LOWP_LIB_TRANSFORMS_EXCHANGE_H

#include "lowp/IR/LowpOps.h"

#include "mlir/Dialect/Linalg/IR/Linalg.h"

namespace mlir::lowp {

/// Whether `op` is a forward product with the weights of experts.
bool isExpertProduct(ContractionOpInterface op);

/// What the result of a product goes to, behind elementwise work, movement and
/// quantisation, as far as its layer goes where that is known. Each in the
/// order in which it was found.
struct Consumers {
  /// Forward products with the weights of experts: the first of two, as the one
  /// of gate and up projection, has these.
  SmallVector<ContractionOpInterface> experts;
  /// Sums over a dim.
  SmallVector<linalg::LinalgOp> sums;
  /// Other products, of linalg or of the dialect.
  SmallVector<Operation *> products;
};
Consumers getConsumers(ContractionOpInterface op);

} // namespace mlir::lowp

#endif // LOWP_LIB_TRANSFORMS_EXCHANGE_H
