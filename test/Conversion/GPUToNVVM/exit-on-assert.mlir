// RUN: lowp-opt %s --pass-pipeline='builtin.module(gpu.module(lowp-exit-on-assert))' --split-input-file --verify-diagnostics | FileCheck %s

// CHECK-LABEL: gpu.func @kernel(
// CHECK-SAME: %[[OK:.*]]: i1, %[[TOO:.*]]: i1, %[[X:.*]]: memref<f32>, %[[A:.*]]: f32)
// CHECK: cf.cond_br %[[OK]], ^[[SECOND:.*]], ^[[EXIT:.*]]
// CHECK: ^[[SECOND]]:
// CHECK: memref.store
// CHECK: cf.cond_br %[[TOO]], ^[[REST:.*]], ^[[OTHER:.*]]
// CHECK: ^[[REST]]:
// CHECK: memref.store
// CHECK: gpu.return
// CHECK: ^[[EXIT]]:
// CHECK-NEXT: gpu.return
// CHECK: ^[[OTHER]]:
// CHECK-NEXT: gpu.return
gpu.module @kernels {
  gpu.func @kernel(%ok: i1, %too: i1, %x: memref<f32>, %a: f32) kernel {
    cf.assert %ok, "first"
    memref.store %a, %x[] : memref<f32>
    cf.assert %too, "second"
    memref.store %a, %x[] : memref<f32>
    gpu.return
  }
}

// -----

gpu.module @kernels {
  gpu.func @kernel(%ok: i1, %n: index) kernel {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    scf.for %i = %c0 to %n step %c1 {
      // expected-error@+1 {{'cf.assert' op expects its parent to be a kernel whose body is a CFG, but got 'scf.for'}}
      cf.assert %ok, "loop"
    }
    gpu.return
  }
}
