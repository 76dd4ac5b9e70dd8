//===- CommandLine.h - Flags that the tools share ---------------*- C++ -*-===//
//
// Part of the Lowp project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef LOWP_DRIVER_COMMANDLINE_H
#define LOWP_DRIVER_COMMANDLINE_H

#include "lowp/Driver/Driver.h"

#include "llvm/ADT/STLFunctionalExtras.h"

namespace mlir::lowp {

/// Registers the flags of compilation (--recipe, --rule, --target, --mcpu,
/// --params, ...) and of remarks. Called once, before the command line is
/// parsed.
void registerCommonFlags();

/// What the flags say.
CompileOptions getCommonOptions();

/// Turns remarks on in `context` as the flags say.
LogicalResult enableRemarks(MLIRContext &context);

/// Runs a tool's body. A crash in it becomes an error message and exit status
/// 1: no input may take a tool down without one.
int runTool(StringRef name, llvm::function_ref<int()> body);

} // namespace mlir::lowp

#endif // LOWP_DRIVER_COMMANDLINE_H
