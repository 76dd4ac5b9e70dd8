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
// That one of them is read twice is no connection.
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

// CHECK-LABEL: func @unrelated_diamonds
// CHECK: lowp.kernel
func.func @unrelated_diamonds(%x: tensor<?x64xf32>, %y: tensor<?x64xf32>) -> (!mx, !mx) {
  // expected-remark@below {{operations of a kernel run one by one: it shares no rows with the others}}
  %k:2 = lowp.kernel -> !mx, !mx {
    %a = arith.negf %x : tensor<?x64xf32>
    %b = arith.mulf %a, %x : tensor<?x64xf32>
    %q = lowp.quantize %b : tensor<?x64xf32> -> !mx
    %c = arith.negf %y : tensor<?x64xf32>
    %d = arith.mulf %c, %y : tensor<?x64xf32>
    %p = lowp.quantize %d : tensor<?x64xf32> -> !mx
    lowp.yield %q, %p : !mx, !mx
  }
  return %k#0, %k#1 : !mx, !mx
}

// Of the scales per column, a trip takes those of its rows where a row is
// multiplied by one, and all of them where it is quantised.
// CHECK-LABEL: func @whole_and_rows
// CHECK-SAME: %[[S:[a-z0-9]+]]: tensor<64xf32>
// CHECK: scf.forall (%[[I:.*]]) in
// CHECK: %[[FIRST:.*]] = arith.muli %[[I]]
// CHECK: %[[PART:.*]] = tensor.extract_slice %[[S]][%[[FIRST]]] [16] [1]
// CHECK: linalg.generic {{.*}} ins(%{{.*}}, %[[PART]]
// CHECK: scf.forall (%[[J:.*]]) in (64)
// CHECK: %[[SCALE:.*]] = tensor.extract %[[S]][%[[J]]]
// CHECK: lowp.outer_scale %[[SCALE]]
func.func @whole_and_rows(%x: tensor<64x64xf32>, %s: tensor<64xf32>) -> !lowp.blocked<64x64xnvfp4, block = [16, 1], outer = [1]> {
  %e = tensor.empty() : tensor<64x64xf32>
  // expected-remark@below {{a trip of the kernel takes 16 rows}}
  %k = lowp.kernel -> !lowp.blocked<64x64xnvfp4, block = [16, 1], outer = [1]> {
    %a = linalg.generic {indexing_maps = [affine_map<(m, k) -> (m, k)>, affine_map<(m, k) -> (m)>, affine_map<(m, k) -> (m, k)>],
        iterator_types = ["parallel", "parallel"]}
      ins(%x, %s : tensor<64x64xf32>, tensor<64xf32>) outs(%e : tensor<64x64xf32>) {
      ^bb0(%v: f32, %w: f32, %o: f32):
        %y = arith.mulf %v, %w : f32
        linalg.yield %y : f32
    } -> tensor<64x64xf32>
    %q = lowp.quantize %a outer(%s : tensor<64xf32>) : tensor<64x64xf32> -> !lowp.blocked<64x64xnvfp4, block = [16, 1], outer = [1]>
    lowp.yield %q : !lowp.blocked<64x64xnvfp4, block = [16, 1], outer = [1]>
  }
  return %k : !lowp.blocked<64x64xnvfp4, block = [16, 1], outer = [1]>
}

// A scalar, a size and a product that only the body of the kernel has: what
// tensors of the loop would be made from.
// CHECK-LABEL: func @inside
// CHECK-COUNT-3: lowp.kernel
// LOWERED-LABEL: func.func @inside
func.func @inside(%x: tensor<?x64xf32>, %f: f32, %u: tensor<?x8xf32>, %w: tensor<8x64xf32>) -> (!mx, !mx, !mx) {
  %c0 = arith.constant 0 : index
  // expected-remark@below {{operations of a kernel run one by one: an operand is not computed by rows}}
  %filled = lowp.kernel -> !mx {
    %m = tensor.dim %x, %c0 : tensor<?x64xf32>
    %e = tensor.empty(%m) : tensor<?x64xf32>
    %g = arith.addf %f, %f : f32
    %i = linalg.fill ins(%g : f32) outs(%e : tensor<?x64xf32>) -> tensor<?x64xf32>
    %a = linalg.generic {indexing_maps = [affine_map<(m, k) -> (m, k)>, affine_map<(m, k) -> (m, k)>], iterator_types = ["parallel", "parallel"]}
      ins(%x : tensor<?x64xf32>) outs(%i : tensor<?x64xf32>) {
      ^bb0(%v: f32, %o: f32):
        %y = arith.mulf %v, %o : f32
        linalg.yield %y : f32
    } -> tensor<?x64xf32>
    %q = lowp.quantize %a : tensor<?x64xf32> -> !mx
    lowp.yield %q : !mx
  }
  // expected-remark@below {{operations of a kernel run one by one: an operand is not computed by rows}}
  %sized = lowp.kernel -> !mx {
    %z = arith.negf %x : tensor<?x64xf32>
    %m = tensor.dim %z, %c0 : tensor<?x64xf32>
    %e = tensor.empty(%m) : tensor<?x64xf32>
    %a = linalg.exp ins(%z : tensor<?x64xf32>) outs(%e : tensor<?x64xf32>) -> tensor<?x64xf32>
    %q = lowp.quantize %a : tensor<?x64xf32> -> !mx
    lowp.yield %q : !mx
  }
  // expected-remark@below {{operations of a kernel run one by one: an operand is not computed by rows}}
  %product = lowp.kernel -> !mx {
    %m = tensor.dim %x, %c0 : tensor<?x64xf32>
    %e = tensor.empty(%m) : tensor<?x64xf32>
    %p = linalg.matmul ins(%u, %w : tensor<?x8xf32>, tensor<8x64xf32>) outs(%e : tensor<?x64xf32>) -> tensor<?x64xf32>
    %a = linalg.exp ins(%x : tensor<?x64xf32>) outs(%p : tensor<?x64xf32>) -> tensor<?x64xf32>
    %q = lowp.quantize %a : tensor<?x64xf32> -> !mx
    lowp.yield %q : !mx
  }
  return %filled, %sized, %product : !mx, !mx, !mx
}

// Sizes that the body computes are computed before.
// CHECK-LABEL: func @sizes
// CHECK: arith.muli
// CHECK: tensor.empty
// CHECK: scf.forall
func.func @sizes(%x: tensor<?x64xf32>, %a: index, %b: index) -> !mx {
  // expected-remark@below {{a trip of the kernel takes 1 rows}}
  %k = lowp.kernel -> !mx {
    %m = arith.muli %a, %b : index
    %e = tensor.empty(%m) : tensor<?x64xf32>
    %y = linalg.exp ins(%x : tensor<?x64xf32>) outs(%e : tensor<?x64xf32>) -> tensor<?x64xf32>
    %q = lowp.quantize %y : tensor<?x64xf32> -> !mx
    lowp.yield %q : !mx
  }
  return %k : !mx
}

// A tensor without dims has no rows.
// CHECK-LABEL: func @scalar
// CHECK: lowp.kernel
func.func @scalar(%x: tensor<f32>) -> tensor<f32> {
  // expected-remark@below {{operations of a kernel run one by one: it has no rows}}
  %k = lowp.kernel -> tensor<f32> {
    %y = arith.negf %x : tensor<f32>
    lowp.yield %y : tensor<f32>
  }
  return %k : tensor<f32>
}

// A batch of one is not one row, but has the rows of its matrix.
// CHECK-LABEL: func @batch_of_one
// CHECK-SAME: (%[[X:.*]]: tensor<1x?x64xf32>
// CHECK: %[[M:.*]] = tensor.dim %[[X]]
// CHECK: scf.forall (%[[I:.*]]) in (%[[M]])
// CHECK: tensor.extract_slice %[[X]][0, %[[I]], 0] [1, 1, 64]
func.func @batch_of_one(%x: tensor<1x?x64xf32>) -> !lowp.blocked<1x?x64xmxfp8_e4m3, block = [1, 1, 32]> {
  // expected-remark@below {{a trip of the kernel takes 1 rows}}
  %k = lowp.kernel -> !lowp.blocked<1x?x64xmxfp8_e4m3, block = [1, 1, 32]> {
    %y = arith.negf %x : tensor<1x?x64xf32>
    %q = lowp.quantize %y : tensor<1x?x64xf32> -> !lowp.blocked<1x?x64xmxfp8_e4m3, block = [1, 1, 32]>
    lowp.yield %q : !lowp.blocked<1x?x64xmxfp8_e4m3, block = [1, 1, 32]>
  }
  return %k : !lowp.blocked<1x?x64xmxfp8_e4m3, block = [1, 1, 32]>
}

// What is added depends on one of two dims, which cannot be one then. There are
// more positions than sequences.
// CHECK-LABEL: func @positions
// CHECK-SAME: (%[[X:.*]]: tensor<?x?x64xf32>, %[[P:.*]]: tensor<?x64xf32>,
// CHECK: scf.forall (%[[I:.*]]) in
// CHECK-DAG: tensor.extract_slice %[[X]][0, %[[I]], 0] [%{{.*}}, 1, 64]
// CHECK-DAG: tensor.extract_slice %[[P]][%[[I]], 0] [1, 64]
func.func @positions(%x: tensor<?x?x64xf32>, %p: tensor<?x64xf32>, %e: tensor<?x?x64xf32>) -> !lowp.blocked<?x?x64xmxfp8_e4m3, block = [1, 1, 32]> {
  // expected-remark@below {{a trip of the kernel takes 1 rows}}
  %k = lowp.kernel -> !lowp.blocked<?x?x64xmxfp8_e4m3, block = [1, 1, 32]> {
    %y = linalg.generic {indexing_maps = [affine_map<(b, s, k) -> (b, s, k)>, affine_map<(b, s, k) -> (s, k)>, affine_map<(b, s, k) -> (b, s, k)>],
        iterator_types = ["parallel", "parallel", "parallel"]}
      ins(%x, %p : tensor<?x?x64xf32>, tensor<?x64xf32>) outs(%e : tensor<?x?x64xf32>) {
      ^bb0(%v: f32, %w: f32, %o: f32):
        %s = arith.addf %v, %w : f32
        linalg.yield %s : f32
    } -> tensor<?x?x64xf32>
    %q = lowp.quantize %y : tensor<?x?x64xf32> -> !lowp.blocked<?x?x64xmxfp8_e4m3, block = [1, 1, 32]>
    lowp.yield %q : !lowp.blocked<?x?x64xmxfp8_e4m3, block = [1, 1, 32]>
  }
  return %k : !lowp.blocked<?x?x64xmxfp8_e4m3, block = [1, 1, 32]>
}

// The size of three dims that are one.
// CHECK-LABEL: func @three
// CHECK-DAG: %[[A:.*]] = tensor.dim %{{.*}}, %c0
// CHECK-DAG: %[[B:.*]] = tensor.dim %{{.*}}, %c1
// CHECK-DAG: %[[C:.*]] = tensor.dim %{{.*}}, %c2
// CHECK: arith.muli
// CHECK: scf.forall
// CHECK: lowp.pack
func.func @three(%x: tensor<?x?x?x64xf32>) -> !mx {
  // expected-remark@below {{a trip of the kernel takes 1 rows}}
  %k = lowp.kernel -> !mx {
    %n = arith.negf %x : tensor<?x?x?x64xf32>
    %y = tensor.collapse_shape %n [[0, 1, 2], [3]] : tensor<?x?x?x64xf32> into tensor<?x64xf32>
    %q = lowp.quantize %y : tensor<?x64xf32> -> !mx
    lowp.yield %q : !mx
  }
  return %k : !mx
}

// Where blocks do not cross groups, trips know nothing of these.
// CHECK-LABEL: func @groups
// CHECK-SAME: %[[O:[a-z0-9]+]]: tensor<5xi64>
// CHECK: %[[U:.*]]:4 = lowp.unpack
// CHECK: %[[R:.*]]:5 = scf.forall
// CHECK-DAG: lowp.pack %{{.*}}, %{{.*}}, %[[U]]#3 dims
// CHECK-DAG: lowp.pack %{{.*}}, %{{.*}}, %{{.*}}, %[[O]] dims
!nvg = !lowp.blocked<?x64xnvfp4, block = [1, 16], outer = [0], groups = 4 along 0>
!mxg = !lowp.blocked<64x?xmxfp8_e4m3, block = [32, 1], groups = 4 along 1>
func.func @groups(%x: tensor<?x64xf32>, %o: tensor<5xi64>, %w: !nvg) -> (!nvg, !mxg) {
  // expected-remark@below {{a trip of the kernel takes 32 rows}}
  %k:2 = lowp.kernel -> !nvg, !mxg {
    %v = lowp.dequantize %w : !nvg -> tensor<?x64xf32>
    %y = arith.addf %x, %v : tensor<?x64xf32>
    %q = lowp.quantize %y groups(%o : tensor<5xi64>) : tensor<?x64xf32> -> !nvg
    %t = lowp.requantize %w permutation = [1, 0] outer = fold : !nvg -> !mxg
    lowp.yield %q, %t : !nvg, !mxg
  }
  return %k#0, %k#1 : !nvg, !mxg
}

// Columns, of which a byte has two, and a line of a cache 32.
// CHECK-LABEL: func @columns
// CHECK: scf.forall
// CHECK: tensor.extract_slice %{{.*}}[0, %{{.*}}] [64, 32]
func.func @columns(%x: tensor<64x96xbf16>) -> !lowp.blocked<64x96xnvfp4, block = [16, 1], outer = [1]> {
  // expected-remark@below {{a trip of the kernel takes 32 rows}}
  %k = lowp.kernel -> !lowp.blocked<64x96xnvfp4, block = [16, 1], outer = [1]> {
    %y = arith.negf %x : tensor<64x96xbf16>
    %q = lowp.quantize %y : tensor<64x96xbf16> -> !lowp.blocked<64x96xnvfp4, block = [16, 1], outer = [1]>
    lowp.yield %q : !lowp.blocked<64x96xnvfp4, block = [16, 1], outer = [1]>
  }
  return %k : !lowp.blocked<64x96xnvfp4, block = [16, 1], outer = [1]>
}
