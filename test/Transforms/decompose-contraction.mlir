// RUN: lowp-opt %s --lowp-decompose --canonicalize --cse | FileCheck %s

// Blocks of k in ascending order: a partial sum from +0, scaled once by the
// product of both scales.
// CHECK-LABEL: func.func @blocked(
// CHECK: scf.forall (%{{.*}}, %{{.*}}) in (2, 2) shared_outs
// CHECK: scf.for %{{.*}} = %c0 to %c3 step %c1 iter_args(%[[ACC:.*]] = %{{.*}}, %{{.*}} = %{{.*}}, %{{.*}} = %{{.*}}, %{{.*}} = %{{.*}})
// CHECK: %[[P:.*]]:4 = scf.for
// CHECK: arith.mulf
// CHECK-NEXT: arith.addf
// CHECK: %[[T:.*]] = arith.mulf %[[P]]#0, %{{.*}} : vector<16xf32>
// CHECK-NEXT: arith.addf %[[ACC]], %[[T]]
func.func @blocked(%x: !lowp.blocked<8x96xmxfp8_e4m3, block = [1, 32]>,
                   %w: !lowp.blocked<32x96xmxfp8_e4m3, block = [1, 32]>) -> tensor<8x32xf32> {
  %y = lowp.matmul %x, %w transpose_rhs
     : !lowp.blocked<8x96xmxfp8_e4m3, block = [1, 32]>,
       !lowp.blocked<32x96xmxfp8_e4m3, block = [1, 32]> -> tensor<8x32xf32>
  return %y : tensor<8x32xf32>
}

// Plain operands: one sum over k. init comes last, before the one rounding.
// CHECK-LABEL: func.func @plain(
// CHECK: %[[SUM:.*]]:4 = scf.for %{{.*}} = %c0 to %c96 step %c1
// CHECK: %[[INIT:.*]] = vector.transfer_read %{{.*}} : tensor<8x32xf32>, vector<16xf32>
// CHECK: %[[R:.*]] = arith.addf %[[SUM]]#0, %[[INIT]]
// CHECK: arith.truncf %[[R]] : vector<16xf32> to vector<16xbf16>
func.func @plain(%x: tensor<8x96xbf16>, %w: tensor<96x32xbf16>, %c: tensor<8x32xf32>) -> tensor<8x32xbf16> {
  %y = lowp.matmul %x, %w init(%c : tensor<8x32xf32>)
     : tensor<8x96xbf16>, tensor<96x32xbf16> -> tensor<8x32xbf16>
  return %y : tensor<8x32xbf16>
}

// Outer scales multiply the finished sum.
// CHECK-LABEL: func.func @outer(
// CHECK: %[[SUM:.*]]:4 = scf.for %{{.*}} = %c0 to %c6
// CHECK: arith.mulf %{{.*}}, %[[SUM]]#0 : vector<16xf32>
func.func @outer(%x: !lowp.blocked<8x96xnvfp4, block = [1, 16], outer = [0]>,
                 %w: !lowp.blocked<4x32x96xnvfp4, block = [1, 1, 16], outer = [0]>) -> tensor<4x8x32xf32> {
  %y = lowp.batch_matmul %x, %w transpose_rhs
     : !lowp.blocked<8x96xnvfp4, block = [1, 16], outer = [0]>,
       !lowp.blocked<4x32x96xnvfp4, block = [1, 1, 16], outer = [0]> -> tensor<4x8x32xf32>
  return %y : tensor<4x8x32xf32>
}

// What a site was recognised from is dropped.
// CHECK-LABEL: func.func @origin(
// CHECK-NOT: linalg
// CHECK: return
func.func @origin(%x: tensor<8x16xf32>, %w: tensor<16x16xf32>) -> tensor<8x16xf32> {
  %y = lowp.matmul %x, %w : tensor<8x16xf32>, tensor<16x16xf32> -> tensor<8x16xf32> origin {
    %e = tensor.empty() : tensor<8x16xf32>
    %z = linalg.matmul ins(%x, %w : tensor<8x16xf32>, tensor<16x16xf32>) outs(%e : tensor<8x16xf32>) -> tensor<8x16xf32>
    lowp.yield %z : tensor<8x16xf32>
  }
  return %y : tensor<8x16xf32>
}
