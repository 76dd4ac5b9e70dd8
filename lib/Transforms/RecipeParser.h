//===- RecipeParser.h - What parsers of recipes share -----------*- C++ -*-===//
//
// Part of the Lowp project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef LOWP_LIB_TRANSFORMS_RECIPEPARSER_H
#define LOWP_LIB_TRANSFORMS_RECIPEPARSER_H

#include "lowp/Transforms/Recipe.h"

#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/JSON.h"

namespace mlir::lowp::recipe {

/// "; did you mean 'x'?" for the candidate nearest to `word`.
std::string suggest(StringRef word, ArrayRef<StringRef> candidates);

/// All words of an enum.
template <typename T>
SmallVector<StringRef> getEnumWords(llvm::StringRef (*stringify)(T),
                                    uint64_t maxValue) {
  SmallVector<StringRef> words;
  for (uint64_t value = 0; value <= maxValue; ++value)
    words.push_back(stringify(static_cast<T>(value)));
  return words;
}

/// Parses one word of an enum; says which words there are when it is none.
template <typename T>
LogicalResult parseWord(StringRef what, StringRef word,
                        std::optional<T> (*symbolize)(llvm::StringRef),
                        llvm::StringRef (*stringify)(T), uint64_t maxValue,
                        T &result, EmitErrorFn emitError) {
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

LogicalResult parseInteger(StringRef what, StringRef word, int64_t &result,
                           EmitErrorFn emitError);

LogicalResult parseBoolean(StringRef what, StringRef word, bool &result,
                           EmitErrorFn emitError);

/// A format by its name, or spelled out as `<f8E5M2, f8E8M0FNU>`.
FailureOr<FormatAttr> parseFormat(MLIRContext *context, StringRef text,
                                  EmitErrorFn emitError);

/// The plan that an object of a recipe gives: `format` and, where the default
/// is not wanted, `block`, `outer`, `source` and `rule`.
FailureOr<OperandPlanAttr> parseOperandPlan(MLIRContext *context,
                                            const llvm::json::Object &object,
                                            EmitErrorFn emitError);

/// Calls `visit` with the members of `object` in the order of their names, so
/// that the first error is always the same.
LogicalResult visitSorted(
    const llvm::json::Object &object,
    function_ref<LogicalResult(StringRef, const llvm::json::Value &)> visit);

/// A string, or the text of a number or a boolean.
std::optional<std::string> getText(const llvm::json::Value &value);

/// The keys that `parseExchange` reads.
bool isExchangeKey(StringRef key);

/// `combine` or `dispatch`, as a recipe or the command line has them.
LogicalResult parseExchange(MLIRContext *context, ExchangePlan &exchange,
                            StringRef key, StringRef text,
                            EmitErrorFn emitError);
LogicalResult parseExchange(MLIRContext *context, ExchangePlan &exchange,
                            StringRef key, const llvm::json::Value &value,
                            EmitErrorFn emitError);

} // namespace mlir::lowp::recipe

#endif // LOWP_LIB_TRANSFORMS_RECIPEPARSER_H
