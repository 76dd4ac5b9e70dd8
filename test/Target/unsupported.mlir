// RUN: rm -f %t.ptx
// RUN: not lowp-compile %s --target=sm_103a --emit=ptx -o %t.ptx 2>&1 | FileCheck %s
// RUN: not lowp-compile %s --target=sm_75 --emit=ptx -o %t.ptx 2>&1 | FileCheck %s --check-prefix=UNKNOWN
// RUN: not test -e %t.ptx

// CHECK: error: 'func.call' op is not supported on target 'sm_103a' inside of a parallel loop, which runs as a kernel
// UNKNOWN: error: unknown target 'sm_75'; known are cpu, sm_80, sm_90a, sm_100a, sm_103a, sm_120a
func.func private @f(%x: f32) -> f32 {
  return %x : f32
}
func.func @calls(%x: memref<4xf32>, %y: memref<4xf32>) {
  scf.forall (%i) in (4) {
    %v = memref.load %x[%i] : memref<4xf32>
    %w = func.call @f(%v) : (f32) -> f32
    memref.store %w, %y[%i] : memref<4xf32>
  }
  return
}
