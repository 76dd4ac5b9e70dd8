//===- Recipe.cpp - recipes and rules -*- C++ -*-===//
//
// Part of the lowp project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "RecipeParser.h"

#include "mlir/AsmParser/AsmParser.h"
#include "mlir/IR/MLIRContext.h"

#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringSwitch.h"
#include "llvm/Support/MemoryBuffer.h"

#include <map>

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
// Words
//===----------------------------------------------------------------------===//

std::string recipe::suggest(StringRef word, ArrayRef<StringRef> candidates) {
  StringRef best;
  unsigned distance = ~0u;
  for (StringRef candidate : candidates) {
    unsigned current = word.edit_distance(candidate);
    if (current < distance) {
      distance = current;
      best = candidate;
    }
  }
  return best.empty() ? "" : ("; did you mean '" + best + "'?").str();
}

template <typename T>
static SmallVector<StringRef> getEnumWords(llvm::StringRef (*stringify)(T),
                                           uint64_t maxValue) {
  SmallVector<StringRef> words;
  for (uint64_t value = 0; value <= maxValue; ++value)
    words.push_back(stringify(static_cast<T>(value)));
  return words;
}

/// Parses one word of an enum; says which words there are when it is none.
template <typename T>
static LogicalResult parseWord(StringRef what, StringRef word,
                               std::optional<T> (*symbolize)(llvm::StringRef),
                               llvm::StringRef (*stringify)(T),
                               uint64_t maxValue, T &result,
                               EmitErrorFn emitError) {
  if (std::optional<T> value = symbolize(word)) {
    result = *value;
    return success();
  }
  SmallVector<StringRef> words = getEnumWords(stringify, maxValue);
  return emitError() << "expects " << what << " to be one of '"
                     << llvm::join(words, "', '") << "', but got '" << word
                     << "'" << suggest(word, words);
}

#define LOWP_PARSE_WORD(Enum, what, word, result)                              \
  parseWord<Enum>(what, word, symbolize##Enum, stringify##Enum,                \
                  getMaxEnumValFor##Enum(), result, emitError)

LogicalResult recipe::parseInteger(StringRef what, StringRef word,
                                   int64_t &result, EmitErrorFn emitError) {
  if (!word.getAsInteger(10, result))
    return success();
  return emitError() << "expects " << what << " to be an integer, but got '"
                     << word << "'";
}

//===----------------------------------------------------------------------===//
// Operands
//===----------------------------------------------------------------------===//

static constexpr StringLiteral ruleFieldNames[] = {
    "scale",     "sf_arith",   "sf_round",  "round",          "four_six",
    "outer_max", "outer_repr", "nonfinite", "neg_zero",       "sf_zero",
    "bits",      "rounds",     "sr_bits",   "allow_clipping", "four_six_error",
    "map_to",    "overflow"};

static LogicalResult setRuleField(RuleFields &fields, StringRef name,
                                  StringRef value, EmitErrorFn emitError) {
  if (name == "scale")
    return LOWP_PARSE_WORD(ScaleRule, "'scale'", value, fields.scale);
  if (name == "sf_arith")
    return LOWP_PARSE_WORD(SfArith, "'sf_arith'", value, fields.sfArith);
  if (name == "sf_round")
    return LOWP_PARSE_WORD(SfRound, "'sf_round'", value, fields.sfRound);
  if (name == "round")
    return LOWP_PARSE_WORD(ElementRound, "'round'", value, fields.round);
  if (name == "four_six")
    return LOWP_PARSE_WORD(FourSix, "'four_six'", value, fields.fourSix);
  if (name == "four_six_error")
    return LOWP_PARSE_WORD(FourSixError, "'four_six_error'", value,
                           fields.fourSixError);
  if (name == "outer_repr")
    return LOWP_PARSE_WORD(OuterRepr, "'outer_repr'", value, fields.outerRepr);
  if (name == "nonfinite")
    return LOWP_PARSE_WORD(NonFinite, "'nonfinite'", value, fields.nonFinite);
  if (name == "neg_zero")
    return LOWP_PARSE_WORD(NegZero, "'neg_zero'", value, fields.negZero);
  if (name == "sf_zero")
    return LOWP_PARSE_WORD(SfZero, "'sf_zero'", value, fields.sfZero);
  if (name == "bits")
    return LOWP_PARSE_WORD(RandomBits, "'bits'", value, fields.bits);
  if (name == "outer_max")
    return parseInteger("'outer_max'", value, fields.outerMax, emitError);
  if (name == "overflow")
    return LOWP_PARSE_WORD(Overflow, "'overflow'", value, fields.overflow);
  if (name == "map_to")
    return parseInteger("'map_to'", value, fields.mapTo, emitError);
  if (name == "rounds")
    return parseInteger("'rounds'", value, fields.rounds, emitError);
  if (name == "sr_bits")
    return parseInteger("'sr_bits'", value, fields.srBits, emitError);
  if (name == "allow_clipping") {
    if (value != "true" && value != "false")
      return emitError() << "expects 'allow_clipping' to be 'true' or 'false', "
                            "but got '"
                         << value << "'";
    fields.allowClipping = value == "true";
    return success();
  }
  SmallVector<StringRef> names(std::begin(ruleFieldNames),
                               std::end(ruleFieldNames));
  return emitError() << "unknown field '" << name << "' of a rounding rule"
                     << suggest(name, names);
}

namespace {
/// The parts of an operand's plan while they are read.
class OperandBuilder {
public:
  OperandBuilder(MLIRContext *context, EmitErrorFn emitError)
      : context(context), emitError(emitError) {}

  LogicalResult setFormat(StringRef text);
  /// `16`, or `16x16`: along the contracted axis, and along the other one.
  LogicalResult setBlock(StringRef text);
  LogicalResult setOuter(StringRef text) {
    OuterGranularity word;
    if (failed(LOWP_PARSE_WORD(OuterGranularity, "'outer'", text, word)))
      return failure();
    outer = word;
    return success();
  }
  LogicalResult setSource(StringRef text) {
    return LOWP_PARSE_WORD(OperandSource, "'source'", text, source);
  }
  LogicalResult setPreset(StringRef text);
  LogicalResult setField(StringRef name, StringRef value) {
    return setRuleField(fields, name, value, emitError);
  }
  /// One part of the form with colons.
  LogicalResult setWord(StringRef word);
  FailureOr<OperandPlanAttr> build();

private:
  MLIRContext *context;
  EmitErrorFn emitError;
  FormatAttr format;
  int64_t block = 0, tile = 1;
  std::optional<OuterGranularity> outer;
  OperandSource source = OperandSource::HighPrecision;
  RuleFields fields;
};
} // namespace

FailureOr<FormatAttr> recipe::parseFormat(MLIRContext *context, StringRef text,
                                          EmitErrorFn emitError) {
  FormatAttr format = FormatAttr::getNamed(context, text);
  if (!format && text.starts_with("<")) {
    // The error below is enough.
    ScopedDiagnosticHandler quiet(context, [](Diagnostic &) {});
    format = dyn_cast_or_null<FormatAttr>(
        parseAttribute(("#lowp.format" + text).str(), context));
  }
  if (!format)
    return emitError() << "unknown format '" << text << "'"
                       << suggest(text, FormatAttr::getNames());
  return format;
}

LogicalResult OperandBuilder::setFormat(StringRef text) {
  FailureOr<FormatAttr> parsed = parseFormat(context, text, emitError);
  if (failed(parsed))
    return failure();
  format = *parsed;
  return success();
}

LogicalResult OperandBuilder::setBlock(StringRef text) {
  auto [first, second] = text.split('x');
  if (failed(parseInteger("the block size", first, block, emitError)))
    return failure();
  return first.size() == text.size()
             ? success()
             : parseInteger("the block size", second, tile, emitError);
}

LogicalResult OperandBuilder::setPreset(StringRef text) {
  RuleAttr preset = RuleAttr::getPreset(context, text);
  if (!preset)
    return emitError() << "unknown preset '" << text << "' of a rounding rule"
                       << suggest(text, RuleAttr::getPresetNames());
  fields = preset.getFields();
  return success();
}

LogicalResult OperandBuilder::setWord(StringRef word) {
  auto [name, value] = word.split('=');
  if (name.size() != word.size())
    return setField(name, value);
  if (!word.empty() && llvm::isDigit(word.front()))
    return setBlock(word);
  if (symbolizeOuterGranularity(word))
    return setOuter(word);
  if (symbolizeOperandSource(word))
    return setSource(word);
  if (symbolizeElementRound(word))
    return setField("round", word);
  if (RuleAttr::getPreset(context, word))
    return setPreset(word);
  SmallVector<StringRef> words = getEnumWords(
      stringifyOuterGranularity, getMaxEnumValForOuterGranularity());
  llvm::append_range(words, getEnumWords(stringifyOperandSource,
                                         getMaxEnumValForOperandSource()));
  llvm::append_range(words, getEnumWords(stringifyElementRound,
                                         getMaxEnumValForElementRound()));
  llvm::append_range(words, RuleAttr::getPresetNames());
  return emitError() << "unknown word '" << word << "' after a format"
                     << suggest(word, words);
}

FailureOr<OperandPlanAttr> OperandBuilder::build() {
  // What is said of the outer scale decides whether there is one.
  if (outer) {
    format = FormatAttr::getChecked(emitError, context, format.getElementType(),
                                    format.getScaleType(),
                                    *outer != OuterGranularity::None);
    if (!format)
      return failure();
  }
  OuterGranularity granularity = outer.value_or(
      format.getOuter() ? OuterGranularity::Tensor : OuterGranularity::None);
  auto plan = OperandPlanAttr::getChecked(
      emitError, context, format,
      block == 0 ? format.getDefaultBlockSize() : block, granularity,
      RuleAttr::get(context, fields), tile, source);
  if (!plan)
    return failure();
  return plan;
}

/// `nvfp4:16:per_token:four_six=mse`: a format, then in any order its block
/// size, the granularity of its outer scale, its source, a preset and single
/// fields of the rounding rule. Null for `none`.
static FailureOr<OperandPlanAttr>
parseOperand(MLIRContext *context, StringRef text, EmitErrorFn emitError) {
  if (text == "none")
    return OperandPlanAttr();
  SmallVector<StringRef> parts;
  text.split(parts, ':');
  OperandBuilder builder(context, emitError);
  if (failed(builder.setFormat(parts[0])))
    return failure();
  for (StringRef part : ArrayRef(parts).drop_front())
    if (failed(builder.setWord(part)))
      return failure();
  return builder.build();
}

FailureOr<OperandPlanAttr> mlir::lowp::parseOperandPlan(MLIRContext *context,
                                                        StringRef text,
                                                        EmitErrorFn emitError) {
  return parseOperand(context, text, emitError);
}

static constexpr StringLiteral operandKeys[] = {"format", "block", "outer",
                                                "source", "rule"};

LogicalResult recipe::visitSorted(
    const llvm::json::Object &object,
    function_ref<LogicalResult(StringRef, const llvm::json::Value &)> visit) {
  std::map<StringRef, const llvm::json::Value *> sorted;
  for (const auto &member : object)
    sorted.emplace(StringRef(member.first), &member.second);
  for (auto [key, value] : sorted)
    if (failed(visit(key, *value)))
      return failure();
  return success();
}

std::optional<std::string> recipe::getText(const llvm::json::Value &value) {
  if (std::optional<StringRef> text = value.getAsString())
    return text->str();
  if (std::optional<int64_t> integer = value.getAsInteger())
    return std::to_string(*integer);
  if (std::optional<bool> boolean = value.getAsBoolean())
    return std::string(*boolean ? "true" : "false");
  return std::nullopt;
}

/// The same as an object: `format` and, where the default is not wanted,
/// `block`, `outer`, `source` and `rule`.
static FailureOr<OperandPlanAttr> parseOperand(MLIRContext *context,
                                               const llvm::json::Object &object,
                                               EmitErrorFn emitError) {
  OperandBuilder builder(context, emitError);
  auto text = [&](StringRef key,
                  const llvm::json::Value &value) -> FailureOr<std::string> {
    if (std::optional<std::string> text = getText(value))
      return *text;
    return emitError() << "expects '" << key
                       << "' to be a string, a number or a boolean";
  };
  auto visitRule = [&](StringRef key,
                       const llvm::json::Value &value) -> LogicalResult {
    FailureOr<std::string> word = text(key, value);
    return failed(word) ? failure() : builder.setField(key, *word);
  };
  auto visit = [&](StringRef key,
                   const llvm::json::Value &value) -> LogicalResult {
    if (!llvm::is_contained(operandKeys, key))
      return emitError() << "unknown key '" << key << "' of an operand"
                         << suggest(key, SmallVector<StringRef>(
                                             std::begin(operandKeys),
                                             std::end(operandKeys)));
    const llvm::json::Object *rule = value.getAsObject();
    if (key == "rule" && rule)
      return visitSorted(*rule, visitRule);
    const llvm::json::Array *sizes = value.getAsArray();
    if (key == "block" && sizes && sizes->size() == 2) {
      FailureOr<std::string> block = text(key, sizes->front());
      FailureOr<std::string> tile = text(key, sizes->back());
      if (failed(block) || failed(tile))
        return failure();
      return builder.setBlock(*block + "x" + *tile);
    }
    FailureOr<std::string> word = text(key, value);
    if (failed(word))
      return failure();
    return llvm::StringSwitch<function_ref<LogicalResult()>>(key)
        .Case("format", [&] { return builder.setFormat(*word); })
        .Case("block", [&] { return builder.setBlock(*word); })
        .Case("outer", [&] { return builder.setOuter(*word); })
        .Case("source", [&] { return builder.setSource(*word); })
        .Default([&] { return builder.setPreset(*word); })();
  };
  if (!object.get("format"))
    return emitError() << "expects an operand to have a 'format'";
  if (failed(visitSorted(object, visit)))
    return failure();
  return builder.build();
}

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
  if (bound.numerator < 0 || bound.denominator <= 0 ||
      (bound.isFraction && bound.numerator > bound.denominator))
    return emitError() << "expects a layer to be a number from 0 or a fraction "
                          "of at most 1, but got '"
                       << text << "'";
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

/// Adds `key = value` to `rule`, where `key` is a condition or an operand.
static LogicalResult addToRule(MLIRContext *context, RecipeRule &rule,
                               StringRef key, StringRef value,
                               EmitErrorFn emitError) {
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
  OperandPlanAttr *operand = getOperand(rule, key);
  if (!operand) {
    SmallVector<StringRef> known(std::begin(conditionNames),
                                 std::end(conditionNames));
    known.append(std::begin(operandNames), std::end(operandNames));
    return emitError() << "unknown key '" << key << "' of a rule"
                       << suggest(key, known);
  }
  FailureOr<OperandPlanAttr> plan = parseOperand(context, value, emitError);
  if (failed(plan))
    return failure();
  *operand = *plan;
  return success();
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
          if (failed(addToRule(context, rule, key, alternative, fail)))
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
  for (const auto &entry : *object)
    if (!llvm::is_contained(known, StringRef(entry.first)))
      return fail() << "unknown key '" << StringRef(entry.first) << "'"
                    << suggest(entry.first, known);
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
      OperandPlanAttr *operand = getOperand(rule, key);
      if (const llvm::json::Object *parts = value.getAsObject();
          parts && operand) {
        FailureOr<OperandPlanAttr> plan =
            parseOperand(context, *parts, failRule);
        if (failed(plan))
          return failure();
        *operand = *plan;
        return success();
      }
      llvm::json::Array single;
      const llvm::json::Array *values = value.getAsArray();
      if (!values) {
        single.push_back(value);
        values = &single;
      }
      for (const llvm::json::Value &element : *values) {
        std::optional<std::string> word = getText(element);
        if (!word)
          return failRule() << "expects '" << key << "' to be a string, a "
                            << "number or a list of them";
        if (failed(addToRule(context, rule, key, *word, failRule)))
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
