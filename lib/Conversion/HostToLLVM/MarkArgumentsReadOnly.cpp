//===- MarkArgumentsReadOnly.cpp - Arguments stay as they are -------------===//
//
// Part of the Lowp project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "lowp/Conversion/Passes.h"
#include "lowp/IR/LowpDialect.h"

#include "mlir/Dialect/Bufferization/IR/Bufferization.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"

namespace mlir::lowp {
#define GEN_PASS_DEF_LOWPMARKARGUMENTSREADONLY
#include "lowp/Conversion/Passes.h.inc"
} // namespace mlir::lowp

using namespace mlir;

namespace {
struct MarkArgumentsReadOnly
    : lowp::impl::LowpMarkArgumentsReadOnlyBase<MarkArgumentsReadOnly> {
  void runOnOperation() override {
    Builder builder(&getContext());
    for (auto function : getOperation().getOps<func::FuncOp>()) {
      if (function.isExternal() || function.isPrivate())
        continue;
      // All at once: each change makes the list of all attributes anew.
      SmallVector<DictionaryAttr> attributes;
      function.getAllArgAttrs(attributes);
      for (auto [own, argument] :
           llvm::zip_equal(attributes, function.getArguments())) {
        if (!isa<TensorType>(argument.getType()))
          continue;
        NamedAttrList changed(own);
        changed.set(bufferization::BufferizationDialect::kWritableAttrName,
                    builder.getBoolAttr(false));
        changed.set(lowp::kReadOnlyAttrName, builder.getUnitAttr());
        own = changed.getDictionary(&getContext());
      }
      function.setAllArgAttrs(attributes);
    }
  }
};
} // namespace
