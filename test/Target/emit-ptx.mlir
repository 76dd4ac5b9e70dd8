// RUN: lowp-opt %s --split-input-file \
// RUN:   --pass-pipeline='builtin.module(gpu.module(lowp-convert-gpu-to-nvvm,reconcile-unrealized-casts),lowp-emit-ptx{chip=sm_103a})' \
// RUN:   | sed 's/\\0A/\n/g; s/\\09/\t/g' | FileCheck %s

// LLVM is asked for the lowest version of the target.
// CHECK: gpu.binary @plain [#gpu.object<#nvvm.target<O = 3, chip = "sm_103a"
// CHECK: .version 8.8
// CHECK: .target sm_103a
// CHECK: .visible .entry scale(
// Products and sums stay apart, and nothing flushes subnormals.
// CHECK: mul.rn.f32
// CHECK: add.rn.f32
// CHECK: div.rn.f32
gpu.module @plain {
  gpu.func @scale(%x: memref<4xf32>, %a: f32) kernel {
    %c0 = arith.constant 0 : index
    %0 = memref.load %x[%c0] : memref<4xf32>
    %1 = arith.mulf %0, %a : f32
    %2 = arith.addf %1, %a : f32
    %3 = arith.divf %2, %0 : f32
    memref.store %3, %x[%c0] : memref<4xf32>
    gpu.return
  }
}

// -----

// An instruction that is newer than LLVM raises the version.
// CHECK: gpu.binary @s2f6
// CHECK: .version 9.1
// CHECK: cvt.rn.satfinite.s2f6x2.f32
gpu.module @s2f6 {
  gpu.func @encode(%q: memref<1xi16>, %a: f32, %b: f32) kernel {
    %c0 = arith.constant 0 : index
    %0 = llvm.inline_asm asm_dialect = att "cvt.rn.satfinite.s2f6x2.f32 $0, $1, $2;", "=h,f,f" %a, %b : (f32, f32) -> i16
    memref.store %0, %q[%c0] : memref<1xi16>
    gpu.return
  }
}

// -----

// The functions of the math dialect that round correctly need no library.
// CHECK: gpu.binary @math
// CHECK-NOT: call
// CHECK: sqrt.rn.f32
// CHECK: fma.rn.f32
// CHECK: max.NaN.f32
gpu.module @math {
  gpu.func @f(%x: memref<1xf32>, %a: f32) kernel {
    %c0 = arith.constant 0 : index
    %0 = math.sqrt %a : f32
    %1 = math.fma %0, %a, %a : f32
    %2 = arith.maximumf %1, %a : f32
    memref.store %2, %x[%c0] : memref<1xf32>
    gpu.return
  }
}
