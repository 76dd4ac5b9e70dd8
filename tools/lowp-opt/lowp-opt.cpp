//===- lowp-opt.cpp - Lowp's optimizer driver -----------------------------===//
//
// Part of the lowp project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "lowp/Driver/CommandLine.h"
#include "lowp/InitAll.h"

#include "mlir/IR/DialectRegistry.h"
#include "mlir/InitAllDialects.h"
#include "mlir/InitAllExtensions.h"
#include "mlir/InitAllPasses.h"
#include "mlir/Target/LLVMIR/Dialect/All.h"
#include "mlir/Tools/mlir-opt/MlirOptMain.h"

#include "llvm/Support/InitLLVM.h"
#include "llvm/Support/TargetSelect.h"

int main(int argc, char **argv) {
  // gpu-module-to-binary and Lowp's emitters look targets up by their triple.
  llvm::InitializeAllTargetInfos();
  llvm::InitializeAllTargets();
  llvm::InitializeAllTargetMCs();
  llvm::InitializeAllAsmParsers();
  llvm::InitializeAllAsmPrinters();

  mlir::registerAllPasses();
  mlir::lowp::registerAllPasses();

  mlir::DialectRegistry registry;
  mlir::registerAllDialects(registry);
  mlir::registerAllExtensions(registry);
  mlir::registerAllToLLVMIRTranslations(registry);
  mlir::lowp::registerAllDialects(registry);

  // Upstream's reader of bytecode, for one, trusts the sizes that it reads.
  return mlir::lowp::runTool("lowp-opt", [&] {
    return mlir::asMainReturnCode(
        mlir::MlirOptMain(argc, argv, "Lowp optimizer driver\n", registry));
  });
}
