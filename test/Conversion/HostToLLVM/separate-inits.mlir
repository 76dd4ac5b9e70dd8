// RUN: lowp-opt %s --lowp-separate-inits=uses=2 --split-input-file | FileCheck %s
// RUN: lowp-opt %s --lowp-separate-inits --split-input-file | FileCheck %s --check-prefix=MANY
// RUN: not lowp-opt %s --lowp-separate-inits=uses=0 --split-input-file 2>&1 | FileCheck %s --check-prefix=NONE
// NONE: error: 'lowp-separate-inits' expects 'uses' to be at least 1, but got 0

// In program order, and in front of the third and the fifth use.
// CHECK-LABEL: func.func @empties(
// CHECK: %[[A:.*]] = tensor.empty(%{{.*}}) : tensor<?xf32>
// CHECK-NEXT: linalg.exp {{.*}} outs(%[[A]] :
// CHECK-NEXT: linalg.exp {{.*}} outs(%[[A]] :
// CHECK-NEXT: %[[B:.*]] = tensor.empty(%{{.*}}) : tensor<?xf32>
// CHECK-NEXT: linalg.exp {{.*}} outs(%[[B]] :
// CHECK-NEXT: linalg.exp {{.*}} outs(%[[B]] :
// CHECK-NEXT: %[[C:.*]] = tensor.empty(%{{.*}}) : tensor<?xf32>
// CHECK-NEXT: linalg.exp {{.*}} outs(%[[C]] :
// MANY-LABEL: func.func @empties(
// MANY: tensor.empty
// MANY-NOT: tensor.empty
// MANY: return
func.func @empties(%x: tensor<?xf32>, %n: index) -> tensor<?xf32> {
  %e = tensor.empty(%n) : tensor<?xf32>
  %0 = linalg.exp ins(%x : tensor<?xf32>) outs(%e : tensor<?xf32>) -> tensor<?xf32>
  %1 = linalg.exp ins(%0 : tensor<?xf32>) outs(%e : tensor<?xf32>) -> tensor<?xf32>
  %2 = linalg.exp ins(%1 : tensor<?xf32>) outs(%e : tensor<?xf32>) -> tensor<?xf32>
  %3 = linalg.exp ins(%2 : tensor<?xf32>) outs(%e : tensor<?xf32>) -> tensor<?xf32>
  %4 = linalg.exp ins(%3 : tensor<?xf32>) outs(%e : tensor<?xf32>) -> tensor<?xf32>
  return %4 : tensor<?xf32>
}

// -----

// Copies of a fill are uses of the empty tensor. A use in a region counts where
// the region is; what fills a computed tensor stays alone.
// CHECK-LABEL: func.func @fills(
// CHECK: %[[E:.*]] = tensor.empty() : tensor<4xf32>
// CHECK-NEXT: %[[F:.*]] = linalg.fill {{.*}} outs(%[[E]] :
// CHECK-NEXT: linalg.exp {{.*}} outs(%[[F]] :
// CHECK-NEXT: scf.for
// CHECK-NEXT: linalg.exp {{.*}} outs(%[[F]] :
// CHECK: %[[G:.*]] = linalg.fill {{.*}} outs(%[[E]] :
// CHECK-NEXT: linalg.exp {{.*}} outs(%[[G]] :
// CHECK-NEXT: %[[H:.*]] = linalg.fill {{.*}} outs(%{{.*}} :
// CHECK-NEXT: linalg.exp {{.*}} outs(%[[H]] :
// CHECK-NEXT: linalg.exp {{.*}} outs(%[[H]] :
// CHECK-NEXT: linalg.exp {{.*}} outs(%[[H]] :
// CHECK-NEXT: return
func.func @fills(%x: tensor<4xf32>, %n: index) -> (tensor<4xf32>, tensor<4xf32>, tensor<4xf32>) {
  %zero = arith.constant 0.0 : f32
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %e = tensor.empty() : tensor<4xf32>
  %f = linalg.fill ins(%zero : f32) outs(%e : tensor<4xf32>) -> tensor<4xf32>
  %0 = linalg.exp ins(%x : tensor<4xf32>) outs(%f : tensor<4xf32>) -> tensor<4xf32>
  %1 = scf.for %i = %c0 to %n step %c1 iter_args(%v = %0) -> tensor<4xf32> {
    %w = linalg.exp ins(%v : tensor<4xf32>) outs(%f : tensor<4xf32>) -> tensor<4xf32>
    scf.yield %w : tensor<4xf32>
  }
  %2 = linalg.exp ins(%1 : tensor<4xf32>) outs(%f : tensor<4xf32>) -> tensor<4xf32>
  %g = linalg.fill ins(%zero : f32) outs(%2 : tensor<4xf32>) -> tensor<4xf32>
  %3 = linalg.exp ins(%x : tensor<4xf32>) outs(%g : tensor<4xf32>) -> tensor<4xf32>
  %4 = linalg.exp ins(%3 : tensor<4xf32>) outs(%g : tensor<4xf32>) -> tensor<4xf32>
  %5 = linalg.exp ins(%4 : tensor<4xf32>) outs(%g : tensor<4xf32>) -> tensor<4xf32>
  return %3, %4, %5 : tensor<4xf32>, tensor<4xf32>, tensor<4xf32>
}
