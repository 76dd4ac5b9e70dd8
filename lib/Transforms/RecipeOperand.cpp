//===- RecipeOperand.cpp - Operands of a rule
//-------------------------------===//
//
// Part of the lowp project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "RecipeParser.h"

#include "mlir/AsmParser/AsmParser.h"
#include "mlir/IR/MLIRContext.h"

#include "llvm/ADT/StringSet.h"
#include "llvm/ADT/StringSwitch.h"

#include <map>

using namespace mlir;
using namespace mlir::lowp;
using namespace mlir::lowp::recipe;

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

LogicalResult recipe::parseInteger(StringRef what, StringRef word,
                                   int64_t &result, EmitErrorFn emitError) {
  if (!word.getAsInteger(10, result))
    return success();
  return emitError() << "expects " << what << " to be an integer, but got '"
                     << word << "'";
}

LogicalResult recipe::parseBoolean(StringRef what, StringRef word, bool &result,
                                   EmitErrorFn emitError) {
  if (word != "true" && word != "false")
    return emitError() << "expects " << what
                       << " to be 'true' or 'false', but got '" << word << "'";
  result = word == "true";
  return success();
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
  if (name == "allow_clipping")
    return parseBoolean("'allow_clipping'", value, fields.allowClipping,
                        emitError);
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
    if (failed(setOnce("'outer'")))
      return failure();
    OuterGranularity word;
    if (failed(LOWP_PARSE_WORD(OuterGranularity, "'outer'", text, word)))
      return failure();
    outer = word;
    return success();
  }
  LogicalResult setSource(StringRef text) {
    if (failed(setOnce("'source'")))
      return failure();
    return LOWP_PARSE_WORD(OperandSource, "'source'", text, source);
  }
  /// Before the fields, which it would set back.
  LogicalResult setPreset(StringRef text);
  LogicalResult setField(StringRef name, StringRef value) {
    if (failed(setOnce(("'" + name + "'").str())))
      return failure();
    return setRuleField(fields, name, value, emitError);
  }
  /// One part of the form with colons that is no preset.
  LogicalResult setWord(StringRef word);
  FailureOr<OperandPlanAttr> build();

private:
  LogicalResult setOnce(StringRef what) {
    if (known.insert(what).second)
      return success();
    return emitError() << "expects one " << what << " of an operand, but got "
                       << "another";
  }

  MLIRContext *context;
  EmitErrorFn emitError;
  FormatAttr format;
  std::optional<int64_t> block;
  int64_t tile = 1;
  std::optional<OuterGranularity> outer;
  OperandSource source = OperandSource::HighPrecision;
  RuleFields fields;
  llvm::StringSet<> known;
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
  if (failed(setOnce("block size")) ||
      failed(parseInteger("the block size", first, block.emplace(), emitError)))
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
  if (failed(setOnce("preset")))
    return failure();
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
      emitError, context, format, block.value_or(format.getDefaultBlockSize()),
      granularity, RuleAttr::get(context, fields), tile, source);
  if (!plan)
    return failure();
  return plan;
}

/// `nvfp4:16:per_token:four_six=mse`: a format, then in any order its block
/// size, the granularity of its outer scale, its source, a preset and single
/// fields of the rounding rule. Null for `none`.
FailureOr<OperandPlanAttr> mlir::lowp::parseOperandPlan(MLIRContext *context,
                                                        StringRef text,
                                                        EmitErrorFn emitError) {
  if (text == "none")
    return OperandPlanAttr();
  SmallVector<StringRef> parts;
  text.split(parts, ':');
  OperandBuilder builder(context, emitError);
  if (failed(builder.setFormat(parts[0])))
    return failure();
  auto isPreset = [&](StringRef part) {
    return static_cast<bool>(RuleAttr::getPreset(context, part));
  };
  for (StringRef part : ArrayRef(parts).drop_front())
    if (isPreset(part) && failed(builder.setPreset(part)))
      return failure();
  for (StringRef part : ArrayRef(parts).drop_front())
    if (!isPreset(part) && failed(builder.setWord(part)))
      return failure();
  return builder.build();
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

FailureOr<OperandPlanAttr>
recipe::parseOperandPlan(MLIRContext *context, const llvm::json::Object &object,
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
    if (failed(word))
      return failure();
    return key == "preset" ? success() : builder.setField(key, *word);
  };
  auto visit = [&](StringRef key,
                   const llvm::json::Value &value) -> LogicalResult {
    if (!llvm::is_contained(operandKeys, key))
      return emitError() << "unknown key '" << key << "' of an operand"
                         << suggest(key, SmallVector<StringRef>(
                                             std::begin(operandKeys),
                                             std::end(operandKeys)));
    const llvm::json::Object *rule = value.getAsObject();
    if (key == "rule" && rule) {
      if (const llvm::json::Value *preset = rule->get("preset")) {
        FailureOr<std::string> word = text("preset", *preset);
        if (failed(word) || failed(builder.setPreset(*word)))
          return failure();
      }
      return visitSorted(*rule, visitRule);
    }
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
