//===- InitAll.cpp - Register all of Lowp ---------------------------------===//
//
// Part of the lowp project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "lowp/InitAll.h"

#include "lowp/Conversion/Passes.h"

#include "mlir/IR/DialectRegistry.h"

void mlir::lowp::registerAllDialects(DialectRegistry &registry) {}

void mlir::lowp::registerAllPasses() { registerLowpConversionPasses(); }
