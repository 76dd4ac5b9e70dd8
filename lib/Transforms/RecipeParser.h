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

#include "llvm/Support/JSON.h"

namespace mlir::lowp::recipe {

/// "; did you mean 'x'?" for the candidate nearest to `word`.
std::string suggest(StringRef word, ArrayRef<StringRef> candidates);

LogicalResult parseInteger(StringRef what, StringRef word, int64_t &result,
                           EmitErrorFn emitError);

/// A format by its name, or spelled out as `<f8E5M2, f8E8M0FNU>`.
FailureOr<FormatAttr> parseFormat(MLIRContext *context, StringRef text,
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
