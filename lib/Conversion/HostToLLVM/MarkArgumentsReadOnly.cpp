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
      for (unsigned i = 0, e = function.getNumArguments(); i < e; ++i) {
        if (!isa<TensorType>(function.getArgument(i).getType()))
          continue;
        function.setArgAttr(
            i, bufferization::BufferizationDialect::kWritableAttrName,
            builder.getBoolAttr(false));
        function.setArgAttr(i, lowp::kReadOnlyAttrName, builder.getUnitAttr());
      }
    }
  }
};
} // namespace
