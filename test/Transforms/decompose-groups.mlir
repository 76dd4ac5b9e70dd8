// RUN: lowp-opt %s --lowp-decompose --canonicalize --cse | FileCheck %s

// A loop over groups around the loops of a group, in place in the codes and the
// scales of all; entries that no block uses are zero; offsets are checked.
// CHECK-LABEL: func.func @along_groups
// CHECK-SAME: (%[[X:.*]]: tensor<?x40xf32>, %[[O:.*]]: tensor<4xi64>) -> (tensor<?x40xi8>, tensor<?x40xi8>, tensor<4xi64>)
func.func @along_groups(%x: tensor<?x40xf32>, %o: tensor<4xi64>) -> !lowp.blocked<?x40xmxfp8_e4m3, block = [32, 1], groups = 3 along 0> {
  // CHECK: %[[ROWS:.*]] = tensor.dim %[[X]]
  // CHECK: %[[UNITS:.*]] = arith.divui %[[ROWS]], %{{.*}}
  // CHECK: %[[COUNT:.*]] = arith.addi %[[UNITS]], %c3
  // CHECK: linalg.fill {{.*}} -> tensor<?x40xi8>
  // CHECK: scf.for {{.*}} to %c4 {{.*}} -> (i1, index)
  // CHECK: cf.assert %{{.*}}, "'lowp.quantize' op expects offsets from 0 to the size of the grouped dim that do not descend"
  // CHECK: %[[ALL:.*]]:2 = scf.for %{{.*}} = %c0 to %c3 {{.*}} -> (tensor<?x40xi8>, tensor<?x40xi8>)
  // CHECK: arith.maxsi
  // CHECK: arith.minsi
  // CHECK: tensor.extract_slice %[[X]]
  // CHECK: scf.forall
  // CHECK: lowp.block_scale
  // CHECK: linalg.copy
  // CHECK: tensor.insert_slice
  // CHECK: linalg.copy
  // CHECK: tensor.insert_slice
  // CHECK: return %[[ALL]]#0, %[[ALL]]#1, %[[O]]
  %q = lowp.quantize %x groups(%o : tensor<4xi64>) : tensor<?x40xf32> -> !lowp.blocked<?x40xmxfp8_e4m3, block = [32, 1], groups = 3 along 0>
  return %q : !lowp.blocked<?x40xmxfp8_e4m3, block = [32, 1], groups = 3 along 0>
}

// Nothing could cross groups: the loops of a value without groups.
// CHECK-LABEL: func.func @across_groups
// CHECK-NOT: cf.assert
// CHECK-NOT: tensor.extract_slice %arg0
// CHECK: return
func.func @across_groups(%x: tensor<?x64xf32>, %o: tensor<4xi64>) -> tensor<?x64xf32> {
  %q = lowp.quantize %x groups(%o : tensor<4xi64>) : tensor<?x64xf32> -> !lowp.blocked<?x64xnvfp4, block = [1, 16], outer = [0], groups = 3 along 0>
  %y = lowp.dequantize %q : !lowp.blocked<?x64xnvfp4, block = [1, 16], outer = [0], groups = 3 along 0> -> tensor<?x64xf32>
  return %y : tensor<?x64xf32>
}

// CHECK-LABEL: func.func @k_grouped
// CHECK: cf.assert %{{.*}}, "'lowp.k_grouped_matmul' op expects the groups of its operands to be its own"
// CHECK: cf.assert %{{.*}}, "'lowp.k_grouped_matmul' op expects offsets from 0 to the size of the grouped dim that do not descend"
func.func @k_grouped(%x: !lowp.blocked<?x40xmxfp8_e4m3, block = [32, 1], groups = 3 along 0>, %y: tensor<?x8xf32>, %o: tensor<4xi64>) -> tensor<3x40x8xf32> {
  %r = lowp.k_grouped_matmul %x, %y groups(%o : tensor<4xi64>) transpose_lhs : !lowp.blocked<?x40xmxfp8_e4m3, block = [32, 1], groups = 3 along 0>, tensor<?x8xf32> -> tensor<3x40x8xf32>
  return %r : tensor<3x40x8xf32>
}
