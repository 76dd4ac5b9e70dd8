// RUN: lowp-opt %s --lowp-outline-loops=min-loops=2 | FileCheck %s

// CHECK-LABEL: func.func @two(
// CHECK-SAME: %[[A:.*]]: memref<?xf32>, %[[S:.*]]: f32)
func.func @two(%a: memref<?xf32>, %s: f32) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %n = memref.dim %a, %c0 : memref<?xf32>
  // CHECK: %[[N:.*]] = memref.dim
  // CHECK: call @two_loop(%[[N]], %[[S]], %[[A]])
  scf.for %i = %c0 to %n step %c1 {
    memref.store %s, %a[%i] : memref<?xf32>
  }
  // CHECK: call @two_loop_0(%[[N]], %[[A]])
  scf.for %i = %c0 to %n step %c1 {
    %g = memref.get_global @table : memref<1xf32>
    %v = memref.load %g[%c0] : memref<1xf32>
    memref.store %v, %a[%i] : memref<?xf32>
  }
  // A loop with results stays.
  // CHECK: scf.for {{.*}} -> (f32)
  %r = scf.for %i = %c0 to %n step %c1 iter_args(%x = %s) -> (f32) {
    scf.yield %x : f32
  }
  memref.store %r, %a[%c0] : memref<?xf32>
  return
}

// CHECK-LABEL: func.func @one(
// CHECK: scf.for
func.func @one(%a: memref<4xf32>, %s: f32) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c4 = arith.constant 4 : index
  scf.for %i = %c0 to %c4 step %c1 {
    memref.store %s, %a[%i] : memref<4xf32>
  }
  return
}

memref.global "private" constant @table : memref<1xf32> = dense<1.0>

// CHECK: func.func private @two_loop(%[[M:.*]]: index, %[[T:.*]]: f32, %[[B:.*]]: memref<?xf32>) attributes {passthrough = ["noinline"]}
// CHECK: %[[C0:.*]] = arith.constant 0
// CHECK: %[[C1:.*]] = arith.constant 1
// CHECK: scf.for %[[I:.*]] = %[[C0]] to %[[M]] step %[[C1]]
// CHECK: memref.store %[[T]], %[[B]][%[[I]]]
