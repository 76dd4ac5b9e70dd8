//===- Recipe.h - which formats which sites get -*- C++ -*-===//
//
// Part of the lowp project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef LOWP_TRANSFORMS_RECIPE_H
#define LOWP_TRANSFORMS_RECIPE_H

#include "lowp/IR/LowpAttributes.h"
#include "mlir/IR/Diagnostics.h"
#include "mlir/Support/LLVM.h"

#include "llvm/Support/GlobPattern.h"

#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace mlir::lowp {

/// How errors in recipes and rules are reported.
using EmitErrorFn = function_ref<InFlightDiagnostic()>;

/// The reason of a site that no rule decides.
inline constexpr llvm::StringLiteral kNoRuleMatches = "no rule matches";

/// What a rule can ask of a site.
struct SiteFacts {
  SiteAttr site;
  ArrayRef<int64_t> weightShape;
  /// One more than the highest layer number, 0 when fewer than two layers are
  /// numbered.
  int64_t numLayers = 0;
};

/// One end of a range of layers: a number, or the layer floor(p n / q) of a
/// program with n layers.
struct LayerBound {
  int64_t numerator = 0;
  int64_t denominator = 1;
  bool isFraction = false;
};

/// `3`, `0..4`, `5/6..` or `..5/6`. A number is inclusive at both ends, a
/// fraction inclusive at the lower end only.
struct LayerRange {
  std::optional<LayerBound> from, to;
  bool contains(int64_t layer, int64_t numLayers) const;
};

/// A pattern with the text that it points into, which stays where it is.
struct Glob {
  std::unique_ptr<const std::string> text;
  llvm::GlobPattern pattern;
};

/// Conditions, all of which must hold, and the formats of the sites for which
/// they do. A rule without formats leaves its sites in high precision.
struct RecipeRule {
  /// What the report names as the reason: "moe-nvfp4: rule 2".
  std::string why;
  std::vector<Glob> names, shapes;
  std::vector<SiteKind> kinds;
  std::vector<SiteRole> roles;
  std::vector<LayerRange> layers;
  OperandPlanAttr activation, weight, gradient, lhs, rhs;

  bool matches(const SiteFacts &facts) const;
  /// The plan for a site, null when the rule has no formats.
  PlanAttr getPlan(SiteAttr site) const;
};

/// How results of experts travel; without a format as they are.
struct CombinePlan {
  FormatAttr format;
  /// Elements of the Hadamard transform along the hidden dim; 0: none.
  int64_t rht = 0;
  bool viaBF16 = false;
};

/// What a recipe says of the exchange with experts; nothing where it is silent.
struct ExchangePlan {
  std::optional<CombinePlan> combine;
  /// The format in which activations travel; null: as they are.
  std::optional<FormatAttr> dispatch;

  /// Null when nothing is asked for.
  ExchangeAttr getAttr(MLIRContext *context) const;
};

/// An ordered list of rules: the first that matches decides.
struct Recipe {
  std::string name, description;
  std::vector<RecipeRule> rules;
  ExchangePlan exchange;
};

/// An operand's plan as rules have it, `nvfp4:16:per_token`; null for `none`.
FailureOr<OperandPlanAttr>
parseOperandPlan(MLIRContext *context, StringRef text, EmitErrorFn emitError);

/// A recipe by its name, or from the file at that path; or the recipe that the
/// text is, where that begins with a brace.
FailureOr<Recipe> loadRecipe(MLIRContext *context, StringRef nameOrPath,
                             EmitErrorFn emitError);

/// Rules as the command line gives them, separated by ';', and what stands
/// between them of the exchange with experts.
FailureOr<Recipe> parseRules(MLIRContext *context, StringRef text,
                             EmitErrorFn emitError);

/// Name and description of the recipes that come with the library.
std::vector<std::pair<std::string, std::string>> getRecipeDescriptions();

} // namespace mlir::lowp

#endif // LOWP_TRANSFORMS_RECIPE_H
