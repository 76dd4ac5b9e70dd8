//===- CPU.h - Machine code for the host ------------------------*- C++ -*-===//
//
// Part of the Lowp project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef LOWP_TARGET_CPU_H
#define LOWP_TARGET_CPU_H

#include "mlir/IR/BuiltinOps.h"

#include <string>

namespace mlir::lowp {

enum class CPUOutput {
  LLVM,   ///< LLVM IR as text
  Object, ///< a relocatable object
  Shared, ///< a shared object
};

struct CPUOptions {
  /// A processor that LLVM knows, or "native".
  std::string cpu = "native";
  /// 0 to 3. Changes no result.
  unsigned optLevel = 2;
};

/// Makes code of a module in the LLVM dialect, whose entries carry
/// `lowp.entry`: translates, adds the C interface of include/lowp-c/Runtime.h,
/// optimizes, and for an object adds the runtime. `target` is "cpu", or the GPU
/// whose PTX the module holds in a `gpu.binary`. The result depends on the
/// module and the options only. Failures are diagnostics; the code generator
/// does not take the process down.
FailureOr<std::string> emitCPU(ModuleOp module, CPUOutput output,
                               const CPUOptions &options, StringRef target);

/// Whether emitCPU takes `cpu`.
bool isKnownCPU(StringRef cpu);

/// Instructions that change which code is best.
struct CPUFeatures {
  /// Arithmetic on vectors of FP16 numbers.
  bool fp16 = false;
  /// `lowp.dot_pairs`: `convert-lowp-to-x86` may be used.
  bool dotPairs = false;
};

/// What `cpu`, a known one, has.
CPUFeatures getCPUFeatures(StringRef cpu);

} // namespace mlir::lowp

#endif // LOWP_TARGET_CPU_H
