// RUN: lowp-opt %s --pass-pipeline='builtin.module(func.func(lowp-lower-copies))' --split-input-file --verify-diagnostics | FileCheck %s

// CHECK-LABEL: func.func @strided(
// CHECK-SAME: %[[X:.*]]: memref<?x4xf32, strided<[?, 1], offset: ?>>, %[[Y:.*]]: memref<?x4xf32>)
// CHECK: linalg.generic
// CHECK-SAME: iterator_types = ["parallel", "parallel"]
// CHECK-SAME: ins(%[[X]] : {{.*}}) outs(%[[Y]] : {{.*}})
// CHECK-NOT: memref.copy
func.func @strided(%x: memref<?x4xf32, strided<[?, 1], offset: ?>>, %y: memref<?x4xf32>) {
  memref.copy %x, %y : memref<?x4xf32, strided<[?, 1], offset: ?>> to memref<?x4xf32>
  return
}

// -----

func.func @unranked(%x: memref<*xf32>, %y: memref<*xf32>) {
  // expected-error@+1 {{'memref.copy' op expects buffers whose rank is known, but got 'memref<*xf32>' and 'memref<*xf32>'}}
  memref.copy %x, %y : memref<*xf32> to memref<*xf32>
  return
}
