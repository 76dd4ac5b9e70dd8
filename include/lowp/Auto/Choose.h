//===- Choose.h - The formats of all sites within a budget ------*- C++ -*-===//
//
// Part of the lowp project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// docs/recipes.md says what is chosen, and by which measure.
//
//===----------------------------------------------------------------------===//

#ifndef LOWP_AUTO_CHOOSE_H
#define LOWP_AUTO_CHOOSE_H

#include "lowp/IR/LowpAttributes.h"
#include "lowp/Numerics/Views.h"
#include "lowp/Transforms/Recipe.h"
#include "mlir/IR/BuiltinTypes.h"

#include "llvm/Support/JSON.h"

namespace mlir::lowp {

struct AutoOperand {
  RankedTensorType type;
  /// The contracted dim.
  unsigned dim = 0;
  /// What runs of the program gave, row-major; none where nothing is known.
  std::vector<::lowp::numerics::ConstFloatView> values;
  /// As many, where groups lie along the contracted dim: their offsets.
  std::vector<::lowp::numerics::Dims> offsets;
};

struct AutoSite {
  SiteAttr site;
  AutoOperand lhs, rhs;
};

/// One of the two.
struct AutoBudget {
  /// The root of the mean, over sites, of the relative squared error.
  std::optional<double> maxError;
  /// The mean number of bits of a value.
  std::optional<double> bits;
};

struct AutoChoice {
  /// The text of a recipe with a rule for each site.
  std::string recipe;
  /// What the report says of the choice as a whole, and of each site by name.
  llvm::json::Object summary, sites;
};

/// Chooses the formats of `sites`: within an error the fewest bytes, within a
/// number of bits the least error. The same input gives the same choice.
FailureOr<AutoChoice> chooseFormats(MLIRContext *context,
                                    ArrayRef<AutoSite> sites,
                                    const AutoBudget &budget,
                                    EmitErrorFn emitError);

} // namespace mlir::lowp

#endif // LOWP_AUTO_CHOOSE_H
