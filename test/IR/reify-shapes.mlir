// RUN: lowp-opt %s --resolve-ranked-shaped-type-result-dims --canonicalize --cse | FileCheck %s

// CHECK-LABEL: func.func @sizes
// CHECK-SAME: (%[[Q:[a-z0-9]+]]: !lowp.blocked<?x?xmxfp4{{.*}}>, %[[W:[a-z0-9]+]]: tensor<?x?xf32>, %[[B:[a-z0-9]+]]: tensor<?x?x?xf32>, %[[O:[a-z0-9]+]]: tensor<?xi32>)
func.func @sizes(%q: !lowp.blocked<?x?xmxfp4, block = [1, 32]>, %w: tensor<?x?xf32>, %b: tensor<?x?x?xf32>, %o: tensor<?xi32>) -> (index, index, index, index, index, index, index, index, index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  // CHECK-DAG: %[[C0:.*]] = arith.constant 0 : index
  // CHECK-DAG: %[[C1:.*]] = arith.constant 1 : index
  // CHECK-DAG: %[[C2:.*]] = arith.constant 2 : index
  // CHECK-DAG: %[[QM:.*]] = lowp.dim %[[Q]], 0
  // CHECK-DAG: %[[QK:.*]] = lowp.dim %[[Q]], 1
  // CHECK-DAG: %[[WN:.*]] = tensor.dim %[[W]], %[[C0]]
  // CHECK-DAG: %[[WT:.*]] = tensor.dim %[[W]], %[[C1]]
  // CHECK-DAG: %[[BB:.*]] = tensor.dim %[[B]], %[[C0]]
  // CHECK-DAG: %[[BN:.*]] = tensor.dim %[[B]], %[[C2]]
  %d = lowp.dequantize %q : !lowp.blocked<?x?xmxfp4, block = [1, 32]> -> tensor<?x?xf32>
  %0 = tensor.dim %d, %c1 : tensor<?x?xf32>
  %m = lowp.matmul %q, %w transpose_rhs : !lowp.blocked<?x?xmxfp4, block = [1, 32]>, tensor<?x?xf32> -> tensor<?x?xf32>
  %1 = tensor.dim %m, %c0 : tensor<?x?xf32>
  %2 = tensor.dim %m, %c1 : tensor<?x?xf32>
  %n = lowp.matmul %w, %w transpose_lhs : tensor<?x?xf32>, tensor<?x?xf32> -> tensor<?x?xf32>
  %3 = tensor.dim %n, %c0 : tensor<?x?xf32>
  %p = lowp.batch_matmul %q, %b : !lowp.blocked<?x?xmxfp4, block = [1, 32]>, tensor<?x?x?xf32> -> tensor<?x?x?xf32>
  %4 = tensor.dim %p, %c0 : tensor<?x?x?xf32>
  %5 = tensor.dim %p, %c1 : tensor<?x?x?xf32>
  %g = lowp.grouped_matmul %q, %b groups(%o : tensor<?xi32>) : !lowp.blocked<?x?xmxfp4, block = [1, 32]>, tensor<?x?x?xf32> -> tensor<?x?xf32>
  %6 = tensor.dim %g, %c0 : tensor<?x?xf32>
  %7 = tensor.dim %g, %c1 : tensor<?x?xf32>
  %r = lowp.rht %w size = 16 axis = 0 : tensor<?x?xf32>
  %8 = tensor.dim %r, %c1 : tensor<?x?xf32>
  // CHECK: return %[[QK]], %[[QM]], %[[WN]], %[[WT]], %[[BB]], %[[QM]], %[[QM]], %[[BN]], %[[WT]]
  return %0, %1, %2, %3, %4, %5, %6, %7, %8 : index, index, index, index, index, index, index, index, index
}

// CHECK-LABEL: func.func @combine
// CHECK-SAME: (%[[P:[a-z0-9]+]]: !lowp.blocked<4x?x?xmxs2f6
func.func @combine(%p: !lowp.blocked<4x?x?xmxs2f6, block = [1, 1, 32]>, %g: tensor<4x?xf32>) -> (index, index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  // CHECK-DAG: %[[T:.*]] = lowp.dim %[[P]], 1
  // CHECK-DAG: %[[H:.*]] = lowp.dim %[[P]], 2
  %y = lowp.combine %p gates(%g : tensor<4x?xf32>) inverse_rht = 32 : !lowp.blocked<4x?x?xmxs2f6, block = [1, 1, 32]> -> tensor<?x?xbf16>
  %0 = tensor.dim %y, %c0 : tensor<?x?xbf16>
  %1 = tensor.dim %y, %c1 : tensor<?x?xbf16>
  // CHECK: return %[[T]], %[[H]]
  return %0, %1 : index, index
}
