// RUN: lowp-opt %s --lowp-tile-kernels | FileCheck %s
// RUN: lowp-opt %s --lowp-tile-kernels --remarks-filter=lowp-tile-kernels --verify-diagnostics
// RUN: lowp-opt %s --lowp-tile-kernels --lowp-decompose | FileCheck %s --check-prefix=LOWERED

!mx = !lowp.blocked<?x64xmxfp8_e4m3, block = [1, 32]>
!mxt = !lowp.blocked<?x64xmxfp8_e4m3, block = [32, 1]>
!nv = !lowp.blocked<?x?x64xnvfp4, block = [1, 1, 16]>

// LOWERED-NOT: lowp.kernel

// One row a trip, through both operations.
// CHECK-LABEL: func @row
// CHECK-SAME: (%[[X:.*]]: tensor<?x64xf32>
// CHECK: %[[M:.*]] = tensor.dim %[[X]]
// CHECK: %[[R:.*]]:2 = scf.forall (%[[I:.*]]) in (%[[M]])
// CHECK: %[[ROW:.*]] = tensor.extract_slice %[[X]][%[[I]], 0] [1, 64] [1, 1]
// CHECK: arith.negf %[[ROW]] : tensor<1x64xf32>
// CHECK: lowp.encode
// CHECK: tensor.parallel_insert_slice
// CHECK: lowp.pack %[[R]]#0, %[[R]]#1 dims(%[[M]])
func.func @row(%x: tensor<?x64xf32>) -> !mx {
  // expected-remark@below {{a trip of the kernel takes 1 rows}}
  %k = lowp.kernel -> !mx {
    %y = arith.negf %x : tensor<?x64xf32>
    %q = lowp.quantize %y : tensor<?x64xf32> -> !mx
    lowp.yield %q : !mx
  }
  return %k : !mx
}

// As many rows as a block has, fewer in the last trip.
// CHECK-LABEL: func @blocks
// CHECK: scf.forall (%[[I:.*]]) in
// CHECK: %[[FIRST:.*]] = arith.muli %[[I]], %{{.*}} : index
// CHECK: %[[REST:.*]] = arith.subi %{{.*}}, %[[FIRST]]
// CHECK: %[[SIZE:.*]] = arith.minui %[[REST]]
// CHECK: tensor.extract_slice %{{.*}}[%[[FIRST]], 0] [%[[SIZE]], 64] [1, 1]
func.func @blocks(%x: tensor<?x64xf32>) -> !mxt {
  // expected-remark@below {{a trip of the kernel takes 32 rows}}
  %k = lowp.kernel -> !mxt {
    %y = arith.negf %x : tensor<?x64xf32>
    %q = lowp.quantize %y : tensor<?x64xf32> -> !mxt
    lowp.yield %q : !mxt
  }
  return %k : !mxt
}

// Two dims of rows are seen as one; an outer scale that is given serves all
// trips, and is a result also where there are none.
// CHECK-LABEL: func @given
// CHECK-SAME: (%[[X:.*]]: tensor<?x?x64xf32>
// CHECK: %[[FLAT:.*]] = tensor.collapse_shape %[[X]] {{\[\[}}0, 1], [2]]
// CHECK: scf.forall
// CHECK: tensor.extract_slice %[[FLAT]]
// CHECK: tensor.reshape
// CHECK: %{{.*}}, %[[DECODE:.*]] = lowp.outer_scale
// CHECK: %[[OUTER:.*]] = tensor.from_elements %[[DECODE]]
// CHECK: lowp.pack {{.*}}, %[[OUTER]] dims
func.func @given(%x: tensor<?x?x64xf32>, %a: tensor<f32>) -> !nv {
  // expected-remark@below {{a trip of the kernel takes 1 rows}}
  %k = lowp.kernel -> !nv {
    %y = arith.negf %x : tensor<?x?x64xf32>
    %q = lowp.quantize %y amax(%a : tensor<f32>) : tensor<?x?x64xf32> -> !nv
    lowp.yield %q : !nv
  }
  return %k : !nv
}

// Not by rows: as if the body stood alone.
// CHECK-LABEL: func @whole
// CHECK: lowp.kernel
// LOWERED-LABEL: func.func @whole
// LOWERED: arith.negf
func.func @whole(%x: tensor<?x64xf32>) -> !lowp.blocked<?x64xnvfp4, block = [1, 16]> {
  // expected-remark@below {{operations of a kernel run one by one: its outer scales need all rows}}
  %k = lowp.kernel -> !lowp.blocked<?x64xnvfp4, block = [1, 16]> {
    %y = arith.negf %x : tensor<?x64xf32>
    %q = lowp.quantize %y : tensor<?x64xf32> -> !lowp.blocked<?x64xnvfp4, block = [1, 16]>
    lowp.yield %q : !lowp.blocked<?x64xnvfp4, block = [1, 16]>
  }
  return %k : !lowp.blocked<?x64xnvfp4, block = [1, 16]>
}

// Of sources that have nothing to do with each other, trips would not agree.
// CHECK-LABEL: func @unrelated
// CHECK: lowp.kernel
func.func @unrelated(%x: tensor<?x64xf32>, %y: tensor<?x64xf32>) -> (!mx, !mx) {
  // expected-remark@below {{operations of a kernel run one by one: it shares no rows with the others}}
  %k:2 = lowp.kernel -> !mx, !mx {
    %q = lowp.quantize %x : tensor<?x64xf32> -> !mx
    %p = lowp.quantize %y : tensor<?x64xf32> -> !mx
    lowp.yield %q, %p : !mx, !mx
  }
  return %k#0, %k#1 : !mx, !mx
}
