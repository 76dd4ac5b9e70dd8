// RUN: lowp-opt %s --lowp-decompose --canonicalize --cse | FileCheck %s

// One iteration is one block: one vector, read whole where sizes divide.
// CHECK-LABEL: func.func @mx(
// CHECK-SAME: %[[X:.*]]: tensor<8x64xf32>)
// CHECK: scf.forall (%[[I:.*]], %[[J:.*]]) in (8, 2) shared_outs(%[[C:.*]] = %{{.*}}, %[[S:.*]] = %{{.*}})
// CHECK: %[[AT:.*]] = arith.muli %[[J]], %c32
// CHECK: %[[V:.*]] = vector.transfer_read %[[X]][%[[I]], %[[AT]]], %{{.*}} {in_bounds = [true]} : tensor<8x64xf32>, vector<32xf32>
// CHECK: %[[A:.*]] = lowp.block_amax %[[V]]
// CHECK: %[[SC:.*]], %[[F:.*]] = lowp.block_scale %[[A]] format = <mxfp8_e4m3> : i8
// CHECK: %[[OK:.*]] = arith.cmpi ne, %[[SC]], %c-1_i8
// CHECK: %[[B:.*]] = vector.broadcast %[[F]]
// CHECK: %[[Y:.*]] = arith.mulf %[[V]], %[[B]]
// CHECK: lowp.encode %[[Y]] valid(%[[OK]]) element = f8E4M3FN : vector<32xf32> -> vector<32xi8>
// CHECK: tensor.parallel_insert_slice %{{.*}} into %[[C]][%[[I]], %[[AT]]] [1, 32] [1, 1]
// CHECK: tensor.parallel_insert_slice %{{.*}} into %[[S]][%[[I]], %{{.*}}] [1, 1] [1, 1]
func.func @mx(%x: tensor<8x64xf32>) -> !lowp.blocked<8x64xmxfp8_e4m3, block = [1, 32]> {
  %q = lowp.quantize %x : tensor<8x64xf32> -> !lowp.blocked<8x64xmxfp8_e4m3, block = [1, 32]>
  return %q : !lowp.blocked<8x64xmxfp8_e4m3, block = [1, 32]>
}

// A short last block reads as zeros beyond its end.
// CHECK-LABEL: func.func @ragged(
// CHECK: scf.if
// CHECK: vector.transfer_read {{.*}} {in_bounds = [true]} : tensor<8x40xbf16>, vector<32xbf16>
// CHECK: else
// CHECK: vector.transfer_read %{{[^{]*}} : tensor<8x40xbf16>, vector<32xbf16>
// CHECK: arith.extf
func.func @ragged(%x: tensor<8x40xbf16>) -> !lowp.blocked<8x40xmxfp8_e4m3, block = [1, 32]> {
  %q = lowp.quantize %x : tensor<8x40xbf16> -> !lowp.blocked<8x40xmxfp8_e4m3, block = [1, 32]>
  return %q : !lowp.blocked<8x40xmxfp8_e4m3, block = [1, 32]>
}

// Outer scales first: amax per row, scales per row, then blocks.
// CHECK-LABEL: func.func @per_token(
// CHECK: scf.forall (%{{.*}}) in (8)
// CHECK: lowp.block_amax
// CHECK: scf.forall (%{{.*}}) in (8)
// CHECK: lowp.outer_scale
// CHECK: scf.forall (%{{.*}}, %{{.*}}) in (8, 4)
// CHECK: lowp.block_scale %[[A:[0-9a-z]*]] outer(%[[ENC:.*]], %[[DEC:.*]]) format = <nvfp4> rule = <four_six = mse> : i8
// CHECK: lowp.block_scale %[[A]] outer(%[[ENC]], %[[DEC]]) format = <nvfp4> rule = <four_six = mse> four : i8
// CHECK: %[[E4:.*]] = lowp.block_error %{{.*}}, %{{.*}}, %{{.*}}, %[[ENC]]
// CHECK: %[[E6:.*]] = lowp.block_error %{{.*}}, %{{.*}}, %{{.*}}, %[[ENC]]
// CHECK: arith.cmpf olt, %[[E4]], %[[E6]]
func.func @per_token(%x: tensor<8x64xf32>) -> !lowp.blocked<8x64xnvfp4, block = [1, 16], outer = [0]> {
  %q = lowp.quantize %x {rule = #lowp.rule<four_six = mse>}
     : tensor<8x64xf32> -> !lowp.blocked<8x64xnvfp4, block = [1, 16], outer = [0]>
  return %q : !lowp.blocked<8x64xnvfp4, block = [1, 16], outer = [0]>
}

// Given outer scales are not computed.
// CHECK-LABEL: func.func @given(
// CHECK-NOT: scf.for %
// CHECK: lowp.outer_scale %{{.*}} format = <nvfp4> from = scale
func.func @given(%x: tensor<8x64xf32>, %o: tensor<8xf32>) -> !lowp.blocked<8x64xnvfp4, block = [1, 16], outer = [0]> {
  %q = lowp.quantize %x outer(%o : tensor<8xf32>)
     : tensor<8x64xf32> -> !lowp.blocked<8x64xnvfp4, block = [1, 16], outer = [0]>
  return %q : !lowp.blocked<8x64xnvfp4, block = [1, 16], outer = [0]>
}

// Blocks along another dim than the last: 4-bit codes are packed afterwards.
// CHECK-LABEL: func.func @columns(
// CHECK: scf.forall (%{{.*}}, %{{.*}}) in (2, 8)
// CHECK-COUNT-32: tensor.extract
// CHECK: vector.from_elements
// CHECK: lowp.encode {{.*}} : vector<32xf32> -> vector<32xi8>
// CHECK: scf.forall
// CHECK: vector.deinterleave
func.func @columns(%x: tensor<64x8xf32>) -> !lowp.blocked<64x8xmxfp4, block = [32, 1]> {
  %q = lowp.quantize %x : tensor<64x8xf32> -> !lowp.blocked<64x8xmxfp4, block = [32, 1]>
  return %q : !lowp.blocked<64x8xmxfp4, block = [32, 1]>
}

// A requantisation that keeps the outer scale neither multiplies by it nor
// computes one.
// CHECK-LABEL: func.func @keep(
// CHECK-SAME: %[[OUTER:[a-z0-9]*]]: tensor<f32>)
// CHECK-NOT: lowp.outer_scale
// CHECK: return %{{.*}}, %{{.*}}, %[[OUTER]]
func.func @keep(%q: !lowp.blocked<64x64xnvfp4, block = [1, 16]>)
    -> !lowp.blocked<64x64x<f8E4M3FN, f8E8M0FNU, outer>, block = [1, 32]> {
  %r = lowp.requantize %q permutation = [1, 0] outer = keep
     : !lowp.blocked<64x64xnvfp4, block = [1, 16]>
    -> !lowp.blocked<64x64x<f8E4M3FN, f8E8M0FNU, outer>, block = [1, 32]>
  return %r : !lowp.blocked<64x64x<f8E4M3FN, f8E8M0FNU, outer>, block = [1, 32]>
}
