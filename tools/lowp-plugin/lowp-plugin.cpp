//===- lowp-plugin.cpp - Lowp for the stock mlir-opt ----------------------===//
//
// Part of the lowp project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "lowp/InitAll.h"

#include "mlir/IR/DialectRegistry.h"
#include "mlir/Tools/Plugins/DialectPlugin.h"
#include "mlir/Tools/Plugins/PassPlugin.h"

#include "llvm/Support/Compiler.h"

// --load-dialect-plugin registers the passes too, so that one flag is enough.
extern "C" LLVM_ATTRIBUTE_WEAK mlir::DialectPluginLibraryInfo
mlirGetDialectPluginInfo() {
  return {MLIR_PLUGIN_API_VERSION, "Lowp", LOWP_VERSION,
          [](mlir::DialectRegistry *registry) {
            mlir::lowp::registerAllDialects(*registry);
            mlir::lowp::registerAllPasses();
          }};
}

extern "C" LLVM_ATTRIBUTE_WEAK mlir::PassPluginLibraryInfo
mlirGetPassPluginInfo() {
  return {MLIR_PLUGIN_API_VERSION, "Lowp", LOWP_VERSION,
          []() { mlir::lowp::registerAllPasses(); }};
}
