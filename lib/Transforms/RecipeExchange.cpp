//===- RecipeExchange.cpp - Recipes for the exchange with experts ---------===//
//
// Part of the Lowp project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "RecipeParser.h"

using namespace mlir;
using namespace mlir::lowp;
using namespace mlir::lowp::recipe;

/// The combine of the recipes that come with the library.
static constexpr StringLiteral s2f6Rht32 = "s2f6_rht32";

bool recipe::isExchangeKey(StringRef key) {
  return key == "combine" || key == "dispatch";
}

/// One of `format`, `rht` and `via_bf16`.
static LogicalResult setCombineField(MLIRContext *context, CombinePlan &plan,
                                     StringRef name, StringRef value,
                                     EmitErrorFn emitError) {
  if (name == "format") {
    FailureOr<FormatAttr> format = parseFormat(context, value, emitError);
    if (failed(format))
      return failure();
    plan.format = *format;
    return success();
  }
  if (name == "rht")
    return parseInteger("'rht'", value, plan.rht, emitError);
  if (name == "via_bf16")
    return parseBoolean("'via_bf16'", value, plan.viaBF16, emitError);
  return emitError() << "unknown key '" << name << "' of 'combine'"
                     << suggest(name, {"format", "rht", "via_bf16"});
}

/// Whether the parts of a plan go together is the attribute's to say.
static LogicalResult setCombine(MLIRContext *context, ExchangePlan &exchange,
                                const CombinePlan &plan,
                                EmitErrorFn emitError) {
  if (!ExchangeAttr::getChecked(emitError, context, plan.format, plan.rht,
                                plan.viaBF16, FormatAttr()))
    return failure();
  exchange.combine = plan;
  return success();
}

/// `mxs2f6:rht=32:via_bf16`, `s2f6_rht32` or `none`.
static LogicalResult parseCombine(MLIRContext *context, ExchangePlan &exchange,
                                  StringRef text, EmitErrorFn emitError) {
  CombinePlan plan;
  if (text == "none") {
    exchange.combine = plan;
    return success();
  }
  SmallVector<StringRef> parts;
  text.split(parts, ':');
  if (parts[0] == s2f6Rht32) {
    plan.format = FormatAttr::getNamed(context, "mxs2f6");
    plan.rht = 32;
  } else if (failed(setCombineField(context, plan, "format", parts[0],
                                    emitError))) {
    return failure();
  }
  for (StringRef part : ArrayRef(parts).drop_front()) {
    auto [name, value] = part.split('=');
    if (part == "via_bf16")
      value = "true";
    if (failed(setCombineField(context, plan, name, value, emitError)))
      return failure();
  }
  return setCombine(context, exchange, plan, emitError);
}

LogicalResult recipe::parseExchange(MLIRContext *context,
                                    ExchangePlan &exchange, StringRef key,
                                    StringRef text, EmitErrorFn emitError) {
  auto fail = [&]() { return emitError() << "'" << key << "': "; };
  if (key == "combine")
    return parseCombine(context, exchange, text, fail);
  if (text == "none") {
    exchange.dispatch = FormatAttr();
    return success();
  }
  FailureOr<FormatAttr> format = parseFormat(context, text, fail);
  if (failed(format))
    return failure();
  exchange.dispatch = *format;
  return success();
}

LogicalResult recipe::parseExchange(MLIRContext *context,
                                    ExchangePlan &exchange, StringRef key,
                                    const llvm::json::Value &value,
                                    EmitErrorFn emitError) {
  auto fail = [&]() { return emitError() << "'" << key << "': "; };
  if (std::optional<StringRef> text = value.getAsString())
    return parseExchange(context, exchange, key, *text, emitError);
  const llvm::json::Object *object = value.getAsObject();
  if (!object || key != "combine")
    return fail() << "expects a string"
                  << (key == "combine" ? " or an object" : "");
  if (!object->get("format"))
    return fail() << "expects a 'format'";
  CombinePlan plan;
  auto visit = [&](StringRef name,
                   const llvm::json::Value &field) -> LogicalResult {
    std::optional<std::string> text = getText(field);
    if (!text)
      return fail() << "expects '" << name
                    << "' to be a string, a number or a boolean";
    return setCombineField(context, plan, name, *text, fail);
  };
  if (failed(visitSorted(*object, visit)))
    return failure();
  return setCombine(context, exchange, plan, fail);
}

ExchangeAttr ExchangePlan::getAttr(MLIRContext *context) const {
  CombinePlan plan = combine.value_or(CombinePlan());
  FormatAttr sent = dispatch.value_or(FormatAttr());
  if (!plan.format && !sent)
    return {};
  return ExchangeAttr::get(context, plan.format, plan.rht, plan.viaBF16, sent);
}
