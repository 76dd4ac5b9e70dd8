//===- AnnotateParams.cpp - names and kinds of arguments -*- C++ -*-===//
//
// Part of the lowp project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "lowp/Transforms/Passes.h"

#include "lowp/IR/LowpAttributes.h"
#include "lowp/IR/LowpDialect.h"
#include "mlir/AsmParser/AsmParser.h"
#include "mlir/IR/Diagnostics.h"
#include "mlir/Interfaces/FunctionInterfaces.h"

#include "llvm/Support/JSON.h"
#include "llvm/Support/MemoryBuffer.h"

namespace mlir::lowp {
#define GEN_PASS_DEF_ANNOTATEPARAMS
#include "lowp/Transforms/Passes.h.inc"
} // namespace mlir::lowp

using namespace mlir;
using namespace mlir::lowp;

namespace {
class AnnotateParamsPass
    : public lowp::impl::AnnotateParamsBase<AnnotateParamsPass> {
public:
  using AnnotateParamsBase::AnnotateParamsBase;

  void runOnOperation() override {
    if (failed(annotate()))
      signalPassFailure();
  }

private:
  LogicalResult annotate();
  FailureOr<FunctionOpInterface> findEntry(const llvm::json::Object &file);
  FailureOr<ParamAttr> describeArgument(FunctionOpInterface function,
                                        unsigned index,
                                        const llvm::json::Value &entry);
  InFlightDiagnostic fail() {
    return getOperation().emitError() << "in '" << params << "': ";
  }
};
} // namespace

/// The function that the file's `entry` names, else the only public one.
FailureOr<FunctionOpInterface>
AnnotateParamsPass::findEntry(const llvm::json::Object &file) {
  std::optional<StringRef> name = file.getString("entry");
  SmallVector<FunctionOpInterface> found;
  for (auto function : getOperation().getOps<FunctionOpInterface>()) {
    if (function.isExternal())
      continue;
    if (name ? function.getName() == *name : function.isPublic())
      found.push_back(function);
  }
  if (found.size() == 1)
    return found.front();
  if (name)
    return fail() << "there is no function '" << *name << "' in the module";
  return fail() << "expects 'entry' to name a function, or a module with one "
                   "public function, but got "
                << found.size();
}

FailureOr<ParamAttr>
AnnotateParamsPass::describeArgument(FunctionOpInterface function,
                                     unsigned index,
                                     const llvm::json::Value &entry) {
  auto failArgument = [&]() { return fail() << "argument " << index << ": "; };
  const llvm::json::Object *object = entry.getAsObject();
  if (!object)
    return failArgument() << "expects an object";
  std::optional<StringRef> name = object->getString("name");
  std::optional<StringRef> kindName = object->getString("kind");
  if (!name || !kindName)
    return failArgument() << "expects 'name' and 'kind' to be strings";
  std::optional<ParamKind> kind = symbolizeParamKind(*kindName);
  if (!kind)
    return failArgument() << "expects 'kind' to be one of 'weight', "
                             "'activation', 'ids', 'cotangent', 'other', but "
                             "got '"
                          << *kindName << "'";

  Type type = function.getArgumentTypes()[index];
  auto shaped = dyn_cast<ShapedType>(type);
  if (const llvm::json::Array *shape = object->getArray("shape")) {
    ArrayRef<int64_t> actual;
    if (shaped && shaped.hasRank())
      actual = shaped.getShape();
    bool fits = actual.size() == shape->size();
    for (size_t dim = 0; fits && dim < actual.size(); ++dim)
      fits = ShapedType::isDynamic(actual[dim]) ||
             (*shape)[dim].getAsInteger() == actual[dim];
    if (!fits) {
      std::string text;
      llvm::raw_string_ostream(text)
          << llvm::json::Value(llvm::json::Array(*shape));
      return failArgument()
             << "shape " << text << " does not fit type " << type;
    }
  }
  if (std::optional<StringRef> dtype = object->getString("dtype")) {
    // An unknown name is reported below, with the argument it belongs to.
    Type element;
    {
      ScopedDiagnosticHandler quiet(&getContext(),
                                    [](Diagnostic &) { return success(); });
      element = parseType(*dtype, &getContext());
    }
    if (element != getElementTypeOrSelf(type))
      return failArgument()
             << "element type '" << *dtype << "' does not fit type " << type;
  }
  return ParamAttr::get(&getContext(), *name, *kind);
}

LogicalResult AnnotateParamsPass::annotate() {
  if (params.empty())
    return getOperation().emitError()
           << "'lowp-annotate-params' expects the option 'params'";
  auto buffer = llvm::MemoryBuffer::getFile(params, /*IsText=*/true);
  if (!buffer)
    return getOperation().emitError()
           << "cannot read '" << params << "': " << buffer.getError().message();
  llvm::Expected<llvm::json::Value> json =
      llvm::json::parse((*buffer)->getBuffer());
  if (!json)
    return fail() << llvm::toString(json.takeError());
  const llvm::json::Object *file = json->getAsObject();
  const llvm::json::Array *inputs = file ? file->getArray("inputs") : nullptr;
  if (!inputs)
    return fail() << "expects an object with a list 'inputs'";
  FailureOr<FunctionOpInterface> function = findEntry(*file);
  if (failed(function))
    return failure();
  if (inputs->size() != function->getNumArguments())
    return fail() << "describes " << inputs->size() << " arguments, but '"
                  << function->getName() << "' has "
                  << function->getNumArguments();
  // All at once: each change makes the list of all attributes anew.
  SmallVector<DictionaryAttr> attributes;
  function->getAllArgAttrs(attributes);
  for (auto [index, entry] : llvm::enumerate(*inputs)) {
    FailureOr<ParamAttr> param = describeArgument(*function, index, entry);
    if (failed(param))
      return failure();
    NamedAttrList own(attributes[index]);
    own.set("lowp.param", *param);
    attributes[index] = own.getDictionary(&getContext());
  }
  function->setAllArgAttrs(attributes);
  return success();
}
