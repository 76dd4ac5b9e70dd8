// RUN: not lowp-compile %s --target=sm_103a --emit=ptx -o %t.ptx 2>&1 | FileCheck %s
// RUN: not lowp-compile %s --target=sm_75 --emit=ptx -o %t.ptx 2>&1 | FileCheck %s --check-prefix=UNKNOWN
// RUN: not lowp-compile %s --target=sm_103a --emit=shared -o %t.ptx 2>&1 | FileCheck %s --check-prefix=SHARED
// RUN: not test -e %t.ptx

// CHECK: error: 'cf.assert' op is not supported on target 'sm_103a', where the operations of lowp on tensors run as kernels and everything else is left to the host
// UNKNOWN: error: unknown target 'sm_75'; known are cpu, sm_80, sm_90a, sm_100a, sm_103a, sm_120a
// SHARED: error: target 'sm_103a' cannot emit shared; it emits mlir, ptx and cubin
func.func @checked(%x: memref<4xf32>, %y: memref<4xf32>, %ok: memref<4xi1>) {
  scf.forall (%i) in (4) {
    %holds = memref.load %ok[%i] : memref<4xi1>
    cf.assert %holds, "a check"
    %v = memref.load %x[%i] : memref<4xf32>
    memref.store %v, %y[%i] : memref<4xf32>
  }
  return
}
