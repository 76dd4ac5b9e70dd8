//===- Recipe.cpp - recipes and rules -*- C++ -*-===//
//
// Part of the lowp project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "RecipeParser.h"

#include "mlir/IR/MLIRContext.h"

#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringSet.h"
#include "llvm/ADT/StringSwitch.h"
#include "llvm/Support/MemoryBuffer.h"

#include <limits>

using namespace mlir;
using namespace mlir::lowp;
using namespace mlir::lowp::recipe;

namespace {
struct EmbeddedRecipe {
  StringLiteral name;
  StringLiteral text;
};
} // namespace

/// The files of share/lowp/recipes, put in by the build.
static const EmbeddedRecipe embeddedRecipes[] = {
#include "Recipes.inc"
};

//===----------------------------------------------------------------------===//
// Rules
//===----------------------------------------------------------------------===//

static FailureOr<LayerBound> parseLayerBound(StringRef text,
                                             EmitErrorFn emitError) {
  LayerBound bound;
  auto [numerator, denominator] = text.split('/');
  bound.isFraction = text.contains('/');
  if (failed(parseInteger("a layer", numerator, bound.numerator, emitError)) ||
      (bound.isFraction && failed(parseInteger("a layer", denominator,
                                               bound.denominator, emitError))))
    return failure();
  // Products with a number of layers have room then.
  constexpr int64_t most = std::numeric_limits<int32_t>::max();
  if (bound.numerator < 0 || bound.denominator <= 0 || bound.numerator > most ||
      bound.denominator > most ||
      (bound.isFraction && bound.numerator > bound.denominator))
    return emitError() << "expects a layer to be a number from 0 to " << most
                       << " or a fraction of at most 1, but got '" << text
                       << "'";
  return bound;
}

static FailureOr<LayerRange> parseLayers(StringRef text,
                                         EmitErrorFn emitError) {
  LayerRange range;
  size_t dots = text.find("..");
  if (dots == StringRef::npos) {
    FailureOr<LayerBound> bound = parseLayerBound(text, emitError);
    if (failed(bound))
      return failure();
    if (bound->isFraction)
      return emitError() << "expects '..' before or after the fraction '"
                         << text << "' of layers";
    range.from = range.to = *bound;
    return range;
  }
  for (auto [part, bound] :
       {std::make_pair(text.take_front(dots), &range.from),
        std::make_pair(text.drop_front(dots + 2), &range.to)}) {
    if (part.empty())
      continue;
    FailureOr<LayerBound> parsed = parseLayerBound(part, emitError);
    if (failed(parsed))
      return failure();
    *bound = *parsed;
  }
  return range;
}

bool LayerRange::contains(int64_t layer, int64_t numLayers) const {
  auto resolve = [&](const LayerBound &bound) {
    return bound.isFraction ? bound.numerator * numLayers / bound.denominator
                            : bound.numerator;
  };
  for (const std::optional<LayerBound> &bound : {from, to})
    if (bound && bound->isFraction && numLayers == 0)
      return false;
  if (from && layer < resolve(*from))
    return false;
  if (to && (to->isFraction ? layer >= resolve(*to) : layer > resolve(*to)))
    return false;
  return true;
}

static constexpr StringLiteral conditionNames[] = {"name", "kind", "role",
                                                   "layer", "shape"};
static constexpr StringLiteral operandNames[] = {"activation", "weight",
                                                 "gradient", "lhs", "rhs"};

/// More alternatives in braces are an error.
static constexpr size_t maxAlternatives = 1024;

static LogicalResult addGlob(std::vector<Glob> &globs, StringRef text,
                             EmitErrorFn emitError) {
  auto owned = std::make_unique<const std::string>(text);
  llvm::Expected<llvm::GlobPattern> glob =
      llvm::GlobPattern::create(*owned, maxAlternatives);
  if (!glob)
    return emitError() << "malformed pattern '" << text
                       << "': " << llvm::toString(glob.takeError());
  globs.push_back({std::move(owned), std::move(*glob)});
  return success();
}

/// The operand of `rule` that `key` names, or null.
static OperandPlanAttr *getOperand(RecipeRule &rule, StringRef key) {
  return llvm::StringSwitch<OperandPlanAttr *>(key)
      .Case("activation", &rule.activation)
      .Case("weight", &rule.weight)
      .Case("gradient", &rule.gradient)
      .Case("lhs", &rule.lhs)
      .Case("rhs", &rule.rhs)
      .Default(nullptr);
}

/// Sets the operand of `rule` that `key` names to what `parse` gives, unless it
/// is `given` already.
static LogicalResult
addOperand(RecipeRule &rule, llvm::StringSet<> &given, StringRef key,
           function_ref<FailureOr<OperandPlanAttr>()> parse,
           EmitErrorFn emitError) {
  if (!given.insert(key).second)
    return emitError() << "expects one format for '" << key
                       << "', but got another";
  FailureOr<OperandPlanAttr> plan = parse();
  if (failed(plan))
    return failure();
  *getOperand(rule, key) = *plan;
  return success();
}

/// Adds `key = value` to `rule`, where `key` is a condition or an operand.
static LogicalResult addToRule(MLIRContext *context, RecipeRule &rule,
                               llvm::StringSet<> &given, StringRef key,
                               StringRef value, EmitErrorFn emitError) {
  if (key == "name")
    return addGlob(rule.names, value, emitError);
  if (key == "shape")
    return addGlob(rule.shapes, value, emitError);
  if (key == "kind")
    return LOWP_PARSE_WORD(SiteKind, "'kind'", value,
                           rule.kinds.emplace_back());
  if (key == "role")
    return LOWP_PARSE_WORD(SiteRole, "'role'", value,
                           rule.roles.emplace_back());
  if (key == "layer") {
    FailureOr<LayerRange> range = parseLayers(value, emitError);
    if (failed(range))
      return failure();
    rule.layers.push_back(*range);
    return success();
  }
  if (!getOperand(rule, key)) {
    SmallVector<StringRef> known(std::begin(conditionNames),
                                 std::end(conditionNames));
    known.append(std::begin(operandNames), std::end(operandNames));
    return emitError() << "unknown key '" << key << "' of a rule"
                       << suggest(key, known);
  }
  return addOperand(
      rule, given, key,
      [&] { return parseOperandPlan(context, value, emitError); }, emitError);
}

/// Whether a site of `role` has an operand of that kind.
static bool hasOperand(SiteRole role, SiteOperand operand) {
  switch (operand) {
  case SiteOperand::Activation:
    return role != SiteRole::Dgrad;
  case SiteOperand::Weight:
    return role != SiteRole::Wgrad;
  case SiteOperand::Gradient:
    return role == SiteRole::Dgrad || role == SiteRole::Wgrad;
  }
  llvm_unreachable("unknown operand");
}

static LogicalResult checkRule(const RecipeRule &rule, EmitErrorFn emitError) {
  if ((rule.activation || rule.weight || rule.gradient) &&
      (rule.lhs || rule.rhs))
    return emitError() << "expects a rule to name its operands 'activation', "
                          "'weight' and 'gradient', or 'lhs' and 'rhs', not "
                          "both";
  for (auto [operand, plan] :
       {std::make_pair(SiteOperand::Activation, rule.activation),
        std::make_pair(SiteOperand::Weight, rule.weight),
        std::make_pair(SiteOperand::Gradient, rule.gradient)}) {
    auto hasIt = [operand = operand](SiteRole role) {
      return hasOperand(role, operand);
    };
    if (plan && !rule.roles.empty() && llvm::none_of(rule.roles, hasIt))
      return emitError() << "'" << stringifySiteOperand(operand)
                         << "' is no operand of a site of role '"
                         << stringifySiteRole(rule.roles.front()) << "'";
    if (plan && operand == SiteOperand::Gradient &&
        plan.getSource() == OperandSource::ForwardQuantized)
      return emitError() << "expects the 'source' of 'gradient' to be "
                            "'high_precision': forward products have none";
  }
  auto isForward = [](SiteRole role) {
    return role != SiteRole::Dgrad && role != SiteRole::Wgrad;
  };
  for (OperandPlanAttr plan :
       {rule.activation, rule.weight, rule.lhs, rule.rhs})
    if (plan && plan.getSource() == OperandSource::ForwardQuantized &&
        (rule.roles.empty() || llvm::any_of(rule.roles, isForward)))
      return emitError() << "expects 'role' to be 'dgrad' or 'wgrad' where "
                            "'source' is 'forward_quantized'";
  return success();
}

bool RecipeRule::matches(const SiteFacts &facts) const {
  SiteAttr site = facts.site;
  auto anyGlob = [](const std::vector<Glob> &globs, StringRef text) {
    return globs.empty() || llvm::any_of(globs, [&](const Glob &glob) {
             return glob.pattern.match(text);
           });
  };
  std::string shape =
      llvm::join(llvm::map_range(facts.weightShape,
                                 [](int64_t size) {
                                   return size < 0 ? std::string("?")
                                                   : std::to_string(size);
                                 }),
                 "x");
  // Further uses of a weight are named like the first by its name.
  bool named =
      anyGlob(names, site.getName()) || anyGlob(names, site.getBaseName());
  if (!named || !anyGlob(shapes, shape))
    return false;
  if (!kinds.empty() && !llvm::is_contained(kinds, site.getKind()))
    return false;
  if (!roles.empty() && !llvm::is_contained(roles, site.getRole()))
    return false;
  return layers.empty() ||
         (site.getLayer() && llvm::any_of(layers, [&](const LayerRange &range) {
            return range.contains(*site.getLayer(), facts.numLayers);
          }));
}

PlanAttr RecipeRule::getPlan(SiteAttr site) const {
  OperandPlanAttr left = lhs, right = rhs;
  if (activation || weight || gradient) {
    auto get = [&](Side side) {
      switch (site.getOperand(side)) {
      case SiteOperand::Activation:
        return activation;
      case SiteOperand::Weight:
        return weight;
      case SiteOperand::Gradient:
        return gradient;
      }
      llvm_unreachable("unknown operand");
    };
    left = get(Side::Lhs);
    right = get(Side::Rhs);
  }
  if (!left && !right)
    return {};
  MLIRContext *context = site.getContext();
  return PlanAttr::get(context, left, right, StringAttr::get(context, why));
}

FailureOr<Recipe> mlir::lowp::parseRules(MLIRContext *context, StringRef text,
                                         EmitErrorFn emitError) {
  Recipe recipe;
  SmallVector<StringRef> parts;
  text.split(parts, ';', -1, /*KeepEmpty=*/false);
  for (StringRef part : parts) {
    part = part.trim();
    if (part.empty())
      continue;
    auto fail = [&]() { return emitError() << "in rule '" << part << "': "; };
    auto [first, rest] = part.split('=');
    if (isExchangeKey(first.rtrim())) {
      if (failed(parseExchange(context, recipe.exchange, first.rtrim(),
                               rest.trim(), fail)))
        return failure();
      continue;
    }
    size_t arrow = part.find("->");
    if (arrow == StringRef::npos)
      return fail() << "expects '->' between the conditions and the formats";
    RecipeRule rule;
    llvm::StringSet<> given;
    rule.why = ("rule '" + part + "'").str();
    auto parseSide = [&](StringRef side, bool formats) -> LogicalResult {
      SmallVector<StringRef> words;
      llvm::SplitString(side, words, " ,\t");
      for (StringRef word : words) {
        if (formats && word == "none" && words.size() == 1)
          return success();
        auto [key, value] = word.split('=');
        if (key.size() == word.size())
          return fail() << "expects 'key=value', but got '" << word << "'";
        if (formats != llvm::is_contained(operandNames, key) &&
            (formats ? llvm::is_contained(conditionNames, key)
                     : llvm::is_contained(operandNames, key)))
          return fail() << "'" << key << "' belongs on the other side of '->'";
        // A value of a condition can have alternatives.
        SmallVector<StringRef> values;
        value.split(values, '|');
        for (StringRef alternative : values)
          if (failed(addToRule(context, rule, given, key, alternative, fail)))
            return failure();
      }
      if (formats && words.empty())
        return fail() << "expects formats or 'none' after '->'";
      return success();
    };
    if (failed(parseSide(part.take_front(arrow), /*formats=*/false)) ||
        failed(parseSide(part.drop_front(arrow + 2), /*formats=*/true)) ||
        failed(checkRule(rule, fail)))
      return failure();
    recipe.rules.push_back(std::move(rule));
  }
  return recipe;
}

//===----------------------------------------------------------------------===//
// Recipes
//===----------------------------------------------------------------------===//

static constexpr StringLiteral recipeKeys[] = {
    "version", "name", "description", "rules", "combine", "dispatch"};
static constexpr int64_t recipeVersion = 1;

static FailureOr<Recipe> parseRecipe(MLIRContext *context, StringRef source,
                                     StringRef text, EmitErrorFn emitError) {
  auto fail = [&]() { return emitError() << "in recipe '" << source << "': "; };
  llvm::Expected<llvm::json::Value> json = llvm::json::parse(text);
  if (!json)
    return fail() << llvm::toString(json.takeError());
  const llvm::json::Object *object = json->getAsObject();
  if (!object)
    return fail() << "expects an object";
  SmallVector<StringRef> known(std::begin(recipeKeys), std::end(recipeKeys));
  auto checkKey = [&](StringRef key,
                      const llvm::json::Value &value) -> LogicalResult {
    if (!llvm::is_contained(known, key))
      return fail() << "unknown key '" << key << "'" << suggest(key, known);
    if ((key == "name" || key == "description") && !value.getAsString())
      return fail() << "expects '" << key << "' to be a string";
    return success();
  };
  if (failed(visitSorted(*object, checkKey)))
    return failure();
  if (object->getInteger("version") != recipeVersion)
    return fail() << "expects 'version' to be " << recipeVersion;
  const llvm::json::Array *rules = object->getArray("rules");
  if (!rules)
    return fail() << "expects 'rules' to be a list";

  Recipe recipe;
  recipe.name = object->getString("name").value_or(source).str();
  recipe.description = object->getString("description").value_or("").str();
  for (StringRef key : {"combine", "dispatch"})
    if (const llvm::json::Value *value = object->get(key))
      if (failed(parseExchange(context, recipe.exchange, key, *value, fail)))
        return failure();
  for (size_t index = 0; index < rules->size(); ++index) {
    auto failRule = [&]() { return fail() << "rule " << index + 1 << ": "; };
    const llvm::json::Object *fields = (*rules)[index].getAsObject();
    if (!fields)
      return failRule() << "expects an object";
    RecipeRule rule;
    llvm::StringSet<> given;
    rule.why = recipe.name + ": rule " + std::to_string(index + 1);
    auto visit = [&](StringRef key,
                     const llvm::json::Value &value) -> LogicalResult {
      if (key == "why") {
        std::optional<StringRef> why = value.getAsString();
        if (!why)
          return failRule() << "expects 'why' to be a string";
        rule.why += ", " + why->str();
        return success();
      }
      if (const llvm::json::Object *parts = value.getAsObject();
          parts && getOperand(rule, key))
        return addOperand(
            rule, given, key,
            [&] { return parseOperandPlan(context, *parts, failRule); },
            failRule);
      llvm::json::Array single;
      const llvm::json::Array *values = value.getAsArray();
      if (!values) {
        single.push_back(value);
        values = &single;
      }
      if (values->empty())
        return failRule() << "expects '" << key << "' to have a value, but got "
                          << "an empty list";
      for (const llvm::json::Value &element : *values) {
        std::optional<std::string> word = getText(element);
        if (!word)
          return failRule() << "expects '" << key << "' to be a string, a "
                            << "number or a list of them";
        if (failed(addToRule(context, rule, given, key, *word, failRule)))
          return failure();
      }
      return success();
    };
    if (failed(visitSorted(*fields, visit)))
      return failure();
    if (failed(checkRule(rule, failRule)))
      return failure();
    recipe.rules.push_back(std::move(rule));
  }
  return recipe;
}

FailureOr<Recipe> mlir::lowp::loadRecipe(MLIRContext *context,
                                         StringRef nameOrPath,
                                         EmitErrorFn emitError) {
  if (nameOrPath.starts_with("{"))
    return parseRecipe(context, "given as text", nameOrPath, emitError);
  SmallVector<StringRef> names;
  for (const EmbeddedRecipe &recipe : embeddedRecipes) {
    if (recipe.name == nameOrPath)
      return parseRecipe(context, recipe.name, recipe.text, emitError);
    names.push_back(recipe.name);
  }
  auto buffer = llvm::MemoryBuffer::getFile(nameOrPath, /*IsText=*/true);
  if (!buffer) {
    if (nameOrPath.contains('/') || nameOrPath.ends_with(".json"))
      return emitError() << "cannot read recipe '" << nameOrPath
                         << "': " << buffer.getError().message();
    return emitError() << "unknown recipe '" << nameOrPath
                       << "', expected a file or one of '"
                       << llvm::join(names, "', '") << "'"
                       << suggest(nameOrPath, names);
  }
  return parseRecipe(context, nameOrPath, (*buffer)->getBuffer(), emitError);
}

std::vector<std::pair<std::string, std::string>>
mlir::lowp::getRecipeDescriptions() {
  std::vector<std::pair<std::string, std::string>> result;
  for (const EmbeddedRecipe &recipe : embeddedRecipes) {
    llvm::Expected<llvm::json::Value> json = llvm::json::parse(recipe.text);
    std::string description;
    if (!json)
      llvm::consumeError(json.takeError());
    else if (const llvm::json::Object *object = json->getAsObject())
      description = object->getString("description").value_or("").str();
    result.emplace_back(recipe.name.str(), description);
  }
  return result;
}
