//===- Passes.td - Emission -----------------------------------------------===//
//
// Part of the Lowp project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Stage "emit": modules for a GPU become what its driver loads.
//
//===----------------------------------------------------------------------===//

#ifndef LOWP_TARGET_PASSES
#define LOWP_TARGET_PASSES

include "mlir/Pass/PassBase.td"

def LowpEmitPTX : Pass<"lowp-emit-ptx", "::mlir::ModuleOp"> {
  let summary = "Compile GPU modules to PTX";
  let description = [{
    Replaces every `gpu.module`, of which only `llvm` and `nvvm` operations are
    left, by a `gpu.binary` that holds its PTX. The `.version` of the text is
    the lowest that its instructions need. An instruction that the GPU does not
    have is an error at the operation that needs it.

    ```mlir
    gpu.module @kernels { llvm.func @f() attributes {gpu.kernel, nvvm.kernel} { ... } }
    // becomes
    gpu.binary @kernels [#gpu.object<#nvvm.target<chip = "sm_103a">, assembly = "...">]
    ```
  }];
  let options = [
    Option<"chip", "chip", "std::string", /*default=*/"",
           "the GPU: a name of --list-targets">
  ];
  let dependentDialects = [
    "::mlir::gpu::GPUDialect", "::mlir::LLVM::LLVMDialect",
    "::mlir::NVVM::NVVMDialect"
  ];
}

#endif // LOWP_TARGET_PASSES
