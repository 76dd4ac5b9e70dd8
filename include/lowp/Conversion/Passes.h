//===- Passes.h - Conversions -----------------------------------*- C++ -*-===//
//
// Part of the Lowp project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef LOWP_CONVERSION_PASSES_H
#define LOWP_CONVERSION_PASSES_H

#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/Pass/Pass.h"

namespace mlir::lowp {

#define GEN_PASS_DECL
#define GEN_PASS_REGISTRATION
#include "lowp/Conversion/Passes.h.inc"

} // namespace mlir::lowp

#endif // LOWP_CONVERSION_PASSES_H
