//===- PTX.h - From GPU modules to PTX and cubins ---------------*- C++ -*-===//
//
// Part of the Lowp project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef LOWP_TARGET_PTX_H
#define LOWP_TARGET_PTX_H

#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/Diagnostics.h"
#include "mlir/Support/LLVM.h"
#include "llvm/Support/VersionTuple.h"

#include <string>

namespace mlir {
namespace gpu {
class GPUModuleOp;
} // namespace gpu

namespace lowp {
class TargetInfo;

/// Compiles a module of which only `llvm` and `nvvm` operations are left. The
/// text depends on the module and the target alone, and its `.version` is the
/// lowest that its instructions need. An instruction that the target does not
/// have, and a function without a body, are errors at the operation.
FailureOr<std::string> translateToPTX(gpu::GPUModuleOp module,
                                      const TargetInfo &target);

/// The PTX of the kernels of a program that went through `lowp-emit-ptx`. It is
/// an error when there are none, or more than fit one file.
FailureOr<std::string> getPTX(ModuleOp program);

/// A ptxas program.
struct PTXAssembler {
  std::string path;
  /// The release of the CUDA toolkit that it came with.
  llvm::VersionTuple release;

  /// The newest `.version` it takes.
  llvm::VersionTuple getNewestPTXVersion() const;
};

/// Finds a ptxas that takes `.version version`: `path` where it is not empty,
/// else $LOWP_PTXAS where it is set, else the first that is new enough of the
/// PATH's, that of $CUDA_HOME, and those of the nvidia-cuda-nvcc wheel in
/// $VIRTUAL_ENV and in the build folder's venv.
FailureOr<PTXAssembler>
findPTXAssembler(StringRef path, llvm::VersionTuple version,
                 function_ref<InFlightDiagnostic()> emitError);

/// The number in the `.version` line of a PTX text.
FailureOr<llvm::VersionTuple> getPTXVersion(StringRef ptx);

/// Assembles a PTX text for `target` by `ptxas`, or by the one that
/// `findPTXAssembler` finds.
FailureOr<std::string>
assemblePTX(StringRef ptx, const TargetInfo &target, StringRef ptxas,
            function_ref<InFlightDiagnostic()> emitError);

} // namespace lowp
} // namespace mlir

#endif // LOWP_TARGET_PTX_H
