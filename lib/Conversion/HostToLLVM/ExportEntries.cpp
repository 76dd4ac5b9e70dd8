//===- ExportEntries.cpp - Entries of the C ABI ---------------------------===//
//
// Part of the Lowp project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "lowp/Conversion/Passes.h"
#include "lowp/IR/LowpDialect.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/IR/AttrTypeSubElements.h"
#include "mlir/IR/SymbolTable.h"
#include "mlir/Interfaces/CallInterfaces.h"

namespace mlir::lowp {
#define GEN_PASS_DEF_LOWPEXPORTENTRIES
#include "lowp/Conversion/Passes.h.inc"
} // namespace mlir::lowp

using namespace mlir;

/// No C symbol starts with this.
static constexpr llvm::StringLiteral kPrefix = "lowp.fn.";

/// The name of an element type in signatures; empty if the C ABI has none.
static std::string getDTypeName(Type type) {
  if (type.isIndex())
    return "i64";
  if (auto integer = dyn_cast<IntegerType>(type)) {
    unsigned width = integer.getWidth();
    if (width == 1)
      return "bool";
    if (width != 8 && width != 16 && width != 32 && width != 64)
      return "";
    return (integer.isUnsigned() ? "u" : "i") + std::to_string(width);
  }
  if (isa<Float16Type, BFloat16Type, Float32Type, Float64Type, Float8E4M3FNType,
          Float8E5M2Type, Float8E8M0FNUType, Float6E2M3FNType, Float6E3M2FNType,
          Float4E2M1FNType>(type)) {
    std::string name;
    llvm::raw_string_ostream(name) << type;
    return name;
  }
  return "";
}

namespace {
struct ExportEntries : lowp::impl::LowpExportEntriesBase<ExportEntries> {
  void runOnOperation() override {
    SymbolTable symbols(getOperation());
    DenseMap<StringAttr, StringAttr> renamed;
    auto internal =
        LLVM::LinkageAttr::get(&getContext(), LLVM::linkage::Linkage::Internal);
    for (auto global : getOperation().getOps<memref::GlobalOp>()) {
      if (global.isExternal()) {
        global.emitOpError("has no value; a compiled program holds every "
                           "global that it uses");
        return signalPassFailure();
      }
      global.setPrivate();
    }

    SmallVector<func::FuncOp> functions(getOperation().getOps<func::FuncOp>());
    for (func::FuncOp function : functions) {
      if (function.isExternal()) {
        if (SymbolTable::symbolKnownUseEmpty(function, getOperation())) {
          symbols.erase(function);
          continue;
        }
        function.emitOpError("has no body; a compiled program holds every "
                             "function that it calls");
        return signalPassFailure();
      }
      if (function.isPublic() && !function->hasAttr(lowp::kEntryAttrName) &&
          failed(recordEntry(function)))
        return signalPassFailure();
      for (unsigned i = 0; i < function.getNumArguments(); ++i)
        function.removeArgAttr(i, lowp::kStepAttrName);
      function->setAttr("llvm.linkage", internal);
      StringAttr name = function.getSymNameAttr();
      if (name.strref().starts_with(kPrefix))
        continue;
      auto safeName = StringAttr::get(&getContext(), kPrefix + name.strref());
      if (symbols.lookup(safeName)) {
        function.emitOpError("has a name that collides with '")
            << safeName.strref() << "'";
        return signalPassFailure();
      }
      function.setSymNameAttr(safeName);
      renamed[name] = safeName;
    }

    // One walk for all of them: a program may have hundreds of functions.
    AttrTypeReplacer replacer;
    replacer.addReplacement([&](FlatSymbolRefAttr reference) -> Attribute {
      StringAttr name = renamed.lookup(reference.getAttr());
      return name ? FlatSymbolRefAttr::get(name) : reference;
    });
    getOperation()->walk([&](Operation *op) {
      if (isa<CallOpInterface, func::ConstantOp>(op))
        replacer.replaceElementsIn(op);
    });
  }

  LogicalResult recordEntry(func::FuncOp function) {
    Builder builder(&getContext());
    FunctionType type = function.getFunctionType();
    auto describe = [&](Type type, StringRef kind, unsigned index,
                        bool readOnly) -> Attribute {
      auto memref = dyn_cast<MemRefType>(type);
      std::string dtype = getDTypeName(memref ? memref.getElementType() : type);
      bool supported = !dtype.empty();
      if (memref)
        supported &=
            memref.getLayout().isIdentity() && !memref.getMemorySpace();
      if (!supported) {
        auto error = function.emitOpError("cannot be called from C: ");
        error << kind << " " << index << " has type " << type
              << ", but only scalars and contiguous tensors of bool, of 8 to "
                 "64-bit integers and of floats up to f64 can cross; make the "
                 "function private if nobody calls it";
        return {};
      }
      SmallVector<int64_t> shape;
      if (memref)
        for (int64_t dim : memref.getShape())
          shape.push_back(ShapedType::isDynamic(dim) ? -1 : dim);
      NamedAttrList value;
      value.set("dtype", builder.getStringAttr(dtype));
      value.set("shape", builder.getDenseI64ArrayAttr(shape));
      if (!memref)
        value.set("scalar", builder.getUnitAttr());
      else if (kind == "argument" && !readOnly)
        value.set("written", builder.getUnitAttr());
      return value.getDictionary(builder.getContext());
    };

    SmallVector<Attribute> arguments, results;
    for (auto [i, input] : llvm::enumerate(type.getInputs())) {
      arguments.push_back(describe(
          input, "argument", i,
          static_cast<bool>(function.getArgAttr(i, lowp::kReadOnlyAttrName))));
      if (!arguments.back())
        return failure();
      if (function.getArgAttr(i, lowp::kStepAttrName)) {
        NamedAttrList value(cast<DictionaryAttr>(arguments.back()));
        value.set("step", builder.getUnitAttr());
        arguments.back() = value.getDictionary(&getContext());
      }
    }
    for (auto [i, output] : llvm::enumerate(type.getResults())) {
      results.push_back(describe(output, "result", i, false));
      if (!results.back())
        return failure();
    }
    NamedAttrList entry;
    entry.set("name", function.getSymNameAttr());
    entry.set("arguments", builder.getArrayAttr(arguments));
    entry.set("results", builder.getArrayAttr(results));
    function->setAttr(lowp::kEntryAttrName, entry.getDictionary(&getContext()));
    return success();
  }
};
} // namespace
