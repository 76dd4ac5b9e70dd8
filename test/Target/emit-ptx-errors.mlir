// RUN: lowp-opt %s --split-input-file --verify-diagnostics \
// RUN:   --pass-pipeline='builtin.module(gpu.module(lowp-convert-gpu-to-nvvm,reconcile-unrealized-casts),lowp-emit-ptx{chip=sm_90a})'

gpu.module @kernels {
  gpu.func @s2f6(%q: memref<1xi16>, %a: f32, %b: f32) kernel {
    %c0 = arith.constant 0 : index
    // expected-error@+1 {{'llvm.inline_asm' op needs 'cvt.rn.s2f6x2.f32', which target 'sm_90a' does not have; targets that have it: sm_100a, sm_103a, sm_120a}}
    %0 = llvm.inline_asm asm_dialect = att "cvt.rn.satfinite.s2f6x2.f32 $0, $1, $2;", "=h,f,f" %a, %b : (f32, f32) -> i16
    memref.store %0, %q[%c0] : memref<1xi16>
    gpu.return
  }
}

// -----

gpu.module @kernels {
  gpu.func @e2m1(%q: memref<1xi8>, %a: f32, %b: f32) kernel {
    %c0 = arith.constant 0 : index
    // expected-error@+1 {{'nvvm.convert.f32x2.to.f4x2' op needs 'cvt.rn.e2m1x2.f32', which target 'sm_90a' does not have}}
    %0 = nvvm.convert.f32x2.to.f4x2 %a, %b : i8 (f4E2M1FN)
    memref.store %0, %q[%c0] : memref<1xi8>
    gpu.return
  }
}

// -----

gpu.module @kernels {
  // expected-error@+1 {{'llvm.func' op has no body, and GPU code is not linked with libraries}}
  llvm.func @__nv_expf(f32) -> f32
  gpu.func @f(%x: memref<1xf32>, %a: f32) kernel {
    %c0 = arith.constant 0 : index
    %0 = llvm.call @__nv_expf(%a) : (f32) -> f32
    memref.store %0, %x[%c0] : memref<1xf32>
    gpu.return
  }
}

// -----

gpu.module @kernels {
  gpu.func @f(%x: memref<1xf32>, %a: f32) kernel {
    %c0 = arith.constant 0 : index
    // expected-error@+1 {{'math.exp' op has no exact form on GPUs; 'lowp-approximate-math' computes the functions that it knows}}
    %0 = math.exp %a : f32
    memref.store %0, %x[%c0] : memref<1xf32>
    gpu.return
  }
}
