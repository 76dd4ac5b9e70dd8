// RUN: lowp-opt %s --lowp-expand-buffers | FileCheck %s
// RUN: lowp-opt %s --lowp-expand-buffers --expand-strided-metadata -o /dev/null

// Strides are products of the sizes that the operation names.

// CHECK-LABEL: func.func @dynamic(
// CHECK-SAME: %{{.*}}: memref<?x32xf32>, %[[B:.*]]: index, %[[S:.*]]: index)
func.func @dynamic(%x: memref<?x32xf32>, %b: index, %s: index) -> memref<?x?x32xf32> {
  // CHECK: %[[BASE:.*]], %{{.*}}, %{{.*}}:2, %{{.*}}:2 = memref.extract_strided_metadata
  // CHECK: %[[STRIDE:.*]] = arith.muli %[[S]], %{{.*}}
  // CHECK: memref.reinterpret_cast %[[BASE]] to offset: [0], sizes: [%[[B]], %[[S]], 32], strides: [%[[STRIDE]], 32, 1]
  // CHECK-SAME: to memref<?x?x32xf32>
  %y = memref.expand_shape %x [[0, 1], [2]] output_shape [%b, %s, 32] : memref<?x32xf32> into memref<?x?x32xf32>
  return %y : memref<?x?x32xf32>
}

// CHECK-LABEL: func.func @empty(
func.func @empty(%x: memref<?xf32>, %n: index) -> memref<?x0xf32> {
  // CHECK: memref.reinterpret_cast %{{.*}} sizes: [%{{.*}}, 0]
  %y = memref.expand_shape %x [[0, 1]] output_shape [%n, 0] : memref<?xf32> into memref<?x0xf32>
  return %y : memref<?x0xf32>
}

// CHECK-LABEL: func.func @strided(
func.func @strided(%x: memref<?x?xf32, strided<[?, 2], offset: ?>>, %n: index, %m: index) -> memref<?x?x?xf32, strided<[?, ?, 2], offset: ?>> {
  // CHECK: %{{.*}}, %[[OFFSET:.*]], %{{.*}}:2, %[[STRIDES:.*]]:2 = memref.extract_strided_metadata
  // CHECK: %[[OUTER:.*]] = arith.muli %[[STRIDES]]#0, %[[M:.*]] : index
  // CHECK: memref.reinterpret_cast %{{.*}} to offset: [%[[OFFSET]]], sizes: [%{{.*}}, %[[M]], %{{.*}}], strides: [%[[OUTER]], %[[STRIDES]]#0, 2]
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %d = memref.dim %x, %c1 : memref<?x?xf32, strided<[?, 2], offset: ?>>
  %y = memref.expand_shape %x [[0, 1], [2]] output_shape [%n, %m, %d] : memref<?x?xf32, strided<[?, 2], offset: ?>> into memref<?x?x?xf32, strided<[?, ?, 2], offset: ?>>
  return %y : memref<?x?x?xf32, strided<[?, ?, 2], offset: ?>>
}
