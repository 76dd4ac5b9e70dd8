//===- Passes.td - Conversions --------------------------------------------===//
//
// Part of the Lowp project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Stage "convert": what is left of Lowp's ops becomes upstream dialects, and
// these become LLVM. In the order in which lib/Pipelines runs them.
//
//===----------------------------------------------------------------------===//

#ifndef LOWP_CONVERSION_PASSES
#define LOWP_CONVERSION_PASSES

include "mlir/Pass/PassBase.td"

//===----------------------------------------------------------------------===//
// LowpToArith: the generic expansion of block operations
//===----------------------------------------------------------------------===//

def ConvertLowpToArith : Pass<"convert-lowp-to-arith"> {
  let summary = "Expand block operations into arith, math and vector";
  let description = [{
    Replaces every block-level operation by the arithmetic that defines it:
    branch-free, on whole vectors, bit for bit what lib/Numerics computes. The
    form for the CPU, and on a GPU the form of what the target has no
    instruction for.

    No operation has fast-math flags, and `math.fma` stands only where the
    numerics say so: bits do not depend on the processor.

    ```mlir
    %a = lowp.block_amax %v : vector<16xf32>
    // becomes
    %bits = arith.bitcast %v : vector<16xf32> to vector<16xi32>
    %magnitudes = arith.andi %bits, %mask : vector<16xi32>
    %largest = vector.reduction <maxui>, %magnitudes : vector<16xi32> into i32
    %a = arith.bitcast %largest : i32 to f32
    ```
  }];
  let dependentDialects = [
    "::mlir::arith::ArithDialect", "::mlir::math::MathDialect",
    "::mlir::vector::VectorDialect"
  ];
}

//===----------------------------------------------------------------------===//
// HostToLLVM: code for the CPU
//===----------------------------------------------------------------------===//

def LowpMarkArgumentsReadOnly : Pass<"lowp-mark-arguments-read-only",
                                     "::mlir::ModuleOp"> {
  let summary = "Keep bufferization from writing to what callers pass";
  let description = [{
    Bufferization may reuse the buffer of a tensor argument for a result. The
    C ABI promises that arguments are only read, so every tensor argument of a
    public function becomes `bufferization.writable = false`. `lowp.read_only`
    remembers the promise for the signature after bufferization.

    ```mlir
    func.func @f(%x: tensor<4xf32>) -> tensor<4xf32>
    // becomes
    func.func @f(%x: tensor<4xf32> {bufferization.writable = false,
                                    lowp.read_only}) -> tensor<4xf32>
    ```
  }];
}

def LowpOutlineLoops : Pass<"lowp-outline-loops", "::mlir::ModuleOp"> {
  let summary = "Give each loop nest of a long function its own function";
  let description = [{
    Several of LLVM's loop passes take time that is quadratic in the size of a
    function, and a model is one function with a loop nest per operation. Each
    outermost loop becomes a private function of its own, with constants inside
    and all else as arguments. Layers that repeat give equal functions, of which
    `duplicate-function-elimination` then keeps one.
  }];
  let options = [
    Option<"minLoops", "min-loops", "unsigned", /*default=*/"4",
           "Functions with fewer outermost loops stay as they are">
  ];
}

def LowpExportEntries : Pass<"lowp-export-entries", "::mlir::ModuleOp"> {
  let summary = "Record the signatures of entries and give symbols safe names";
  let description = [{
    Every public function becomes an entry of the C ABI: `lowp.entry` records
    its name, and the element types and shapes of its arguments and results,
    which the following conversions erase. A signature that the ABI cannot
    carry is an error.

    All functions get a name that no C symbol can have (`lowp.fn.NAME`), and
    everything becomes internal: a program may define `main` or `malloc`.
  }];
  let dependentDialects = ["::mlir::LLVM::LLVMDialect"];
}

def LowpApproximateMath : Pass<"lowp-approximate-math"> {
  let summary = "Compute f32 math functions by the same polynomials everywhere";
  let description = [{
    Replaces f32 functions of the `math` dialect by upstream's polynomials in
    `arith` and `math.fma`, sine and cosine by our own (upstream's lose all
    digits of a large argument), and narrower types by conversions around
    these. A call of libm would give bits that depend on the library's version
    and on the processor. Functions without a polynomial are left alone.

    Changes numerics within the bounds that docs/rationale.md states.
  }];
  let dependentDialects = [
    "::mlir::arith::ArithDialect", "::mlir::math::MathDialect",
    "::mlir::vector::VectorDialect"
  ];
}

def LowpSplitBF16Casts : Pass<"lowp-split-bf16-casts"> {
  let summary = "Convert between bf16 and f64 by way of f32";
  let description = [{
    `arith-expand` knows conversions between bf16 and f32 only. A truncation of
    f64 goes to the f32 that is rounded to odd, then to bf16: one rounding in
    effect.
  }];
  let dependentDialects = [
    "::mlir::arith::ArithDialect", "::mlir::math::MathDialect"
  ];
}

def LowpBF16ToI16 : Pass<"lowp-bf16-to-i16", "::mlir::ModuleOp"> {
  let summary = "Keep bf16 values as their bits";
  let description = [{
    Turns bf16 into i16 in every type, constant and signature. The host's code
    generator must not see bf16: on processors with AVX512-BF16 it flushes
    subnormals, elsewhere it calls functions that a libgcc may lack.

    Runs after bufferization and after `arith-emulate-unsupported-floats` and
    `arith-expand{include-bf16}`, which leave no arithmetic in bf16; an op that
    still computes in it is an error.
  }];
}

def LowpAssertToLLVM : Pass<"lowp-assert-to-llvm", "::mlir::ModuleOp"> {
  let summary = "Turn cf.assert into an error that the caller sees";
  let description = [{
    A failed `cf.assert` calls `lowp_rt_assertion_failed` of the runtime, which
    ends the call with an error, where upstream's lowering would end the
    process. Runs when the body is a CFG.
  }];
  let dependentDialects = [
    "::mlir::LLVM::LLVMDialect", "::mlir::cf::ControlFlowDialect"
  ];
}

#endif // LOWP_CONVERSION_PASSES
