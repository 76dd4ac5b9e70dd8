//===- Auto.h - The recipe that fits a program ------------------*- C++ -*-===//
//
// Part of the Lowp project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef LOWP_LIB_DRIVER_AUTO_H
#define LOWP_LIB_DRIVER_AUTO_H

#include "lowp/Auto/Choose.h"
#include "lowp/Driver/Driver.h"

namespace mlir::lowp {

/// Compiles a program that is through the stage `recognize` to a shared object.
using CompileFn = function_ref<FailureOr<std::string>(ModuleOp)>;

/// Chooses the recipe of a program that is through the stage `recognize`, which
/// it leaves as it is. Computes operands of the sites by running a part of the
/// program, which it compiles by `compile`.
FailureOr<AutoChoice>
chooseRecipe(ModuleOp module, const CompileOptions &options, CompileFn compile);

} // namespace mlir::lowp

#endif // LOWP_LIB_DRIVER_AUTO_H
