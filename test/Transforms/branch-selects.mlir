// RUN: lowp-opt %s --pass-pipeline='builtin.module(func.func(lowp-branch-selects))' | FileCheck %s

// The sizes of the two may differ.
// CHECK-LABEL: func.func @dynamic(
// CHECK-SAME: %[[C:.*]]: i1, %[[A:.*]]: tensor<?xf32>, %[[B:.*]]: tensor<?xf32>)
// CHECK: %[[R:.*]] = scf.if %[[C]] -> (tensor<?xf32>) {
// CHECK: scf.yield %[[A]]
// CHECK: } else {
// CHECK: scf.yield %[[B]]
// CHECK: return %[[R]]
func.func @dynamic(%c: i1, %a: tensor<?xf32>, %b: tensor<?xf32>) -> tensor<?xf32> {
  %r = arith.select %c, %a, %b : tensor<?xf32>
  return %r : tensor<?xf32>
}

// Elements, or tensors of one size, are chosen one by one.
// CHECK-LABEL: func.func @others(
// CHECK-NOT: scf.if
// CHECK-COUNT-3: arith.select
func.func @others(%c: i1, %d: tensor<?xi1>, %a: tensor<?xf32>, %x: tensor<4xf32>, %s: f32) -> (tensor<?xf32>, tensor<4xf32>, f32) {
  %0 = arith.select %d, %a, %a : tensor<?xi1>, tensor<?xf32>
  %1 = arith.select %c, %x, %x : tensor<4xf32>
  %2 = arith.select %c, %s, %s : f32
  return %0, %1, %2 : tensor<?xf32>, tensor<4xf32>, f32
}
