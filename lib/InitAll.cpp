//===- InitAll.cpp - Register all of Lowp ---------------------------------===//
//
// Part of the lowp project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "lowp/InitAll.h"

#include "lowp/Conversion/Passes.h"
#include "lowp/Target/Passes.h"
#include "lowp/Transforms/Passes.h"

#include "lowp/IR/LowpDialect.h"
#include "lowp/Pipelines/Pipelines.h"
#include "mlir/IR/DialectRegistry.h"

void mlir::lowp::registerAllDialects(DialectRegistry &registry) {
  registry.insert<LowpDialect>();
}

void mlir::lowp::registerAllPasses() {
  registerLowpTransformsPasses();
  registerLowpConversionPasses();
  registerLowpTargetPasses();
  registerPipelines();
}
