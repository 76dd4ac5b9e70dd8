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

    `math.fma` stands only where the numerics say so. The only fast-math flag is
    `contract`, on products that are exact and their sums, which round once,
    fused or not: bits do not depend on the processor.

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

def LowpSeparateInits : Pass<"lowp-separate-inits"> {
  let summary = "Limit how many results share an empty tensor";
  let description = [{
    CSE leaves one `tensor.empty`, and one `linalg.fill` of it, for all results
    of a type. Bufferization compares all uses of a tensor with each other to
    find those that may share its buffer: quadratic time in the size of the
    program. After some uses, the next ones get a tensor of their own. With
    `uses=1`:

    ```mlir
    %0 = tensor.empty() : tensor<4xf32>
    %1 = linalg.exp ins(%x : tensor<4xf32>) outs(%0 : tensor<4xf32>)
      -> tensor<4xf32>
    %2 = linalg.exp ins(%1 : tensor<4xf32>) outs(%0 : tensor<4xf32>)
      -> tensor<4xf32>
    // becomes
    %0 = tensor.empty() : tensor<4xf32>
    %1 = linalg.exp ins(%x : tensor<4xf32>) outs(%0 : tensor<4xf32>)
      -> tensor<4xf32>
    %2 = tensor.empty() : tensor<4xf32>
    %3 = linalg.exp ins(%1 : tensor<4xf32>) outs(%2 : tensor<4xf32>)
      -> tensor<4xf32>
    ```
  }];
  let options = [
    Option<"uses", "uses", "unsigned", /*default=*/"64",
           "Uses of an empty tensor, or of one that is filled">,
  ];
}

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

def ConvertLowpToX86 : Pass<"convert-lowp-to-x86"> {
  let summary = "Block operations that are instructions of x86 processors";
  let description = [{
    Converts `lowp.dot_pairs` of 16 words to the `vpdpwssd` of AVX512-VNNI,
    which the processor has to have. The generic expansion takes what is left.

    ```mlir
    %r = lowp.dot_pairs %w by 64, 1 plus %s : vector<16xi32>
    // becomes
    %pairs = vector.bitcast %w : vector<16xi32> to vector<32xi16>
    %r = llvm.call_intrinsic "llvm.x86.avx512.vpdpwssd.512"(%s, %pairs, %factors)
      : (vector<16xi32>, vector<32xi16>, vector<32xi16>) -> vector<16xi32>
    ```
  }];
  let dependentDialects = [
    "::mlir::arith::ArithDialect", "::mlir::LLVM::LLVMDialect",
    "::mlir::vector::VectorDialect"
  ];
}

def LowpParallelizeLoops : Pass<"lowp-parallelize-loops"> {
  let summary = "Turn outermost independent loops into parallel ones";
  let description = [{
    Outermost `scf.forall` loops on buffers become `scf.parallel`, which
    `convert-scf-to-openmp` gives to several threads, each of which has its
    buffers for itself. Loops that call functions or may fail an assertion stay.
  }];
  let dependentDialects = ["::mlir::scf::SCFDialect"];
}

def LowpStreamStores : Pass<"lowp-stream-stores", "::mlir::ModuleOp"> {
  let summary = "Write past the caches what they cannot hold";
  let description = [{
    A store brings the line that it writes into the caches first: a third of
    what a quantization moves. Where the buffers of a nest of loops are together
    larger than the last cache, which the runtime knows, whole lines of buffers
    that the nest only writes are stored with `nontemporal` instead. Other
    buffers, and writes that do not start at a line, are stored as before.

    ```mlir
    vector.transfer_write %v, %m[%i] {in_bounds = [true]}
      : vector<64xi8>, memref<?xi8>
    // becomes
    scf.if %exceeds_cache_and_starts_line {
      vector.store %v, %m[%i] {alignment = 64, nontemporal = true}
        : memref<?xi8>, vector<64xi8>
    } else {
      vector.transfer_write %v, %m[%i] {in_bounds = [true]}
        : vector<64xi8>, memref<?xi8>
    }
    ```
  }];
  let dependentDialects = [
    "::mlir::arith::ArithDialect", "::mlir::func::FuncDialect",
    "::mlir::memref::MemRefDialect", "::mlir::scf::SCFDialect",
    "::mlir::vector::VectorDialect"
  ];
}

def LowpExpandBuffers : Pass<"lowp-expand-buffers"> {
  let summary = "Turn expanded shapes of buffers into strided views";
  let description = [{
    Each `memref.expand_shape` becomes a `memref.reinterpret_cast` with the sizes
    that it names. `expand-strided-metadata` takes one size per group that is not
    static, and divides by static ones, which may be zero.
  }];
  let dependentDialects = ["::mlir::arith::ArithDialect"];
}

def LowpOutlineLoops : Pass<"lowp-outline-loops", "::mlir::ModuleOp"> {
  let summary = "Give each loop nest of a long function its own function";
  let description = [{
    Several of LLVM's loop passes take time that is quadratic in the size of a
    function, and a model is one function with a loop nest per operation. Each
    outermost loop becomes a private function of its own, with constants inside
    and all else as arguments, streams of random bits included. Layers that repeat
    give equal functions, of which `duplicate-function-elimination` then keeps one.
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
    Turns bf16 into i16 in every type, constant and signature outside of a
    `gpu.module`. The host's code generator must not see bf16: on processors with AVX512-BF16 it flushes
    subnormals, elsewhere it calls functions that a libgcc may lack.

    Runs after bufferization and after `arith-emulate-unsupported-floats` and
    `arith-expand{include-bf16}`, which leave no arithmetic in bf16; an op that
    still computes in it is an error.
  }];
}

def LowpBuffersToDevice : Pass<"lowp-buffers-to-device", "::mlir::ModuleOp"> {
  let summary = "Keep the buffers of a host program in the memory of a GPU";
  let description = [{
    The functions of a module launch kernels and do not look into buffers
    themselves: each `memref.alloc` and `memref.dealloc` of theirs becomes
    `gpu.alloc` and `gpu.dealloc`, and each constant the copy of it that
    `lowp_rt_gpu_constant` of the runtime makes, once for each device.
  }];
  let dependentDialects = [
    "::mlir::LLVM::LLVMDialect", "::mlir::arith::ArithDialect",
    "::mlir::gpu::GPUDialect", "::mlir::memref::MemRefDialect"
  ];
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

//===----------------------------------------------------------------------===//
// LowpToNVVM: block operations by instructions of a GPU
//===----------------------------------------------------------------------===//

def ConvertLowpToNVVM : Pass<"convert-lowp-to-nvvm"> {
  let summary = "Turn block operations into conversion instructions of a GPU";
  let description = [{
    Replaces block-level operations by the instructions that the GPU has for
    them: conversions from and to narrow floats, S2F6 and their scales. What it
    has none for gets the generic expansion of `convert-lowp-to-arith`, and an
    analysis remark where another GPU has one. Both forms give the same bits on
    every input.

    Conversions that LLVM does not know are inline assembly without side
    effects.

    ```mlir
    // chip = sm_103a
    %v = lowp.decode %c element = !lowp.s2f6 : vector<2xi8> -> vector<2xf32>
    // becomes
    %w = llvm.inline_asm asm_dialect = att "cvt.rn.bf16x2.s2f6x2 $0, $1;",
           "=r,h" %c16 : (i16) -> i32
    // and a shift and a mask to widen the two BF16 numbers of %w
    ```
  }];
  let options = [
    Option<"chip", "chip", "std::string", /*default=*/"",
           "the GPU: a name of --list-targets">
  ];
  let dependentDialects = [
    "::mlir::LLVM::LLVMDialect", "::mlir::NVVM::NVVMDialect",
    "::mlir::arith::ArithDialect", "::mlir::math::MathDialect",
    "::mlir::vector::VectorDialect"
  ];
}

//===----------------------------------------------------------------------===//
// GPUToNVVM: code for GPUs
//===----------------------------------------------------------------------===//

def LowpExitOnAssert : Pass<"lowp-exit-on-assert", "::mlir::gpu::GPUModuleOp"> {
  let summary = "End the threads of a kernel for which an assertion fails";
  let description = [{
    Each `cf.assert` of a kernel becomes a branch to its end: the thread does
    nothing that the assertion guards. That it failed has been recorded before
    (`lowp-lower-kernels`). Bodies have to be CFGs, as `convert-scf-to-cf` leaves
    them.
  }];
  let dependentDialects = ["::mlir::cf::ControlFlowDialect"];
}

def LowpConvertGPUToNVVM : Pass<"lowp-convert-gpu-to-nvvm",
                                "::mlir::gpu::GPUModuleOp"> {
  let summary = "Convert GPU code to the llvm and nvvm dialects without libdevice";
  let description = [{
    As upstream's `convert-gpu-to-nvvm`, but no operation becomes a call of
    NVIDIA's libdevice: the functions of the `math` dialect for which the GPU
    has correctly rounding instructions become intrinsics, and every other one
    is an error (`lowp-approximate-math` computes them). An operation that is
    left over is an error.

    The body of each function is a CFG: `convert-scf-to-cf` ran before.
  }];
  let dependentDialects = [
    "::mlir::LLVM::LLVMDialect", "::mlir::NVVM::NVVMDialect",
    "::mlir::arith::ArithDialect", "::mlir::memref::MemRefDialect",
    "::mlir::vector::VectorDialect"
  ];
}

#endif // LOWP_CONVERSION_PASSES
