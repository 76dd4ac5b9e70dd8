//===- CInterface.h - The C interface of a program --------------*- C++ -*-===//
//
// Part of the Lowp project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef LOWP_LIB_TARGET_CPU_CINTERFACE_H
#define LOWP_LIB_TARGET_CPU_CINTERFACE_H

#include "mlir/IR/BuiltinOps.h"

#include <string>
#include <vector>

namespace llvm {
class Module;
} // namespace llvm

namespace mlir::lowp {

/// A function that callers see, as `lowp-export-entries` recorded it.
struct EntrySignature {
  struct Value {
    std::string dtype;
    SmallVector<int64_t> shape; ///< -1 where dynamic
    bool scalar = false;
    bool written = false;
    bool step = false; ///< of stochastic rounding: callers may leave it out
  };
  std::string name;
  std::string symbol;
  SmallVector<Value> arguments, results;
};

/// Reads and removes the entries of a module in the LLVM dialect.
FailureOr<std::vector<EntrySignature>> takeEntries(ModuleOp module);

/// Adds what runtime/CPU/Program.h declares: tables that describe the entries,
/// and a function for each that takes its arguments by pointers. `target` is
/// where the kernels run, "cpu" or a GPU.
void addCInterface(llvm::Module &module, ArrayRef<EntrySignature> entries,
                   StringRef target);

} // namespace mlir::lowp

#endif // LOWP_LIB_TARGET_CPU_CINTERFACE_H
