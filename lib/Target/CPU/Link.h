//===- Link.h - Linking a program with its runtime --------------*- C++ -*-===//
//
// Part of the Lowp project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef LOWP_LIB_TARGET_CPU_LINK_H
#define LOWP_LIB_TARGET_CPU_LINK_H

#include "mlir/IR/Location.h"
#include "mlir/Support/LLVM.h"

#include <string>

namespace mlir::lowp {

/// Links a program's object with the runtime, by ld.lld, to a shared object or
/// to one relocatable object. `forGPU` adds the runtime's part for GPUs.
/// Reports failures at `loc`.
FailureOr<std::string> linkProgram(StringRef object, bool shared, bool forGPU,
                                   Location loc);

} // namespace mlir::lowp

#endif // LOWP_LIB_TARGET_CPU_LINK_H
