// RUN: lowp-opt %s --verify-roundtrip | FileCheck %s
// RUN: lowp-opt %s --emit-bytecode | lowp-opt | FileCheck %s
// RUN: lowp-opt %s --mlir-print-op-generic | lowp-opt | FileCheck %s
// RUN: lowp-opt %s --mlir-print-debuginfo | lowp-opt | FileCheck %s

//===----------------------------------------------------------------------===//
// Quantise and its relatives
//===----------------------------------------------------------------------===//

// CHECK-LABEL: func.func @quantize
// CHECK-SAME: (%[[X:.*]]: tensor<?x256xbf16>, %[[H:.*]]: tensor<8x40xf16>,
// CHECK-SAME: %[[A:.*]]: tensor<f32>, %[[S:.*]]: tensor<?xf32>, %[[SEED:.*]]: i64, %[[STEP:.*]]: i32)
func.func @quantize(%x: tensor<?x256xbf16>, %h: tensor<8x40xf16>,
                    %a: tensor<f32>, %s: tensor<?xf32>, %seed: i64, %step: i32) {
  // CHECK: lowp.quantize %[[X]] : tensor<?x256xbf16> -> !lowp.blocked<?x256xnvfp4, block = [1, 16], outer = [0]>
  %0 = lowp.quantize %x : tensor<?x256xbf16> -> !lowp.blocked<?x256xnvfp4, block = [1, 16], outer = [0]>
  // CHECK: lowp.quantize %[[X]] {rule = #lowp.rule<four_six = mse>}
  %1 = lowp.quantize %x {rule = #lowp.rule<four_six = mse>} : tensor<?x256xbf16> -> !lowp.blocked<?x256xnvfp4, block = [16, 16]>
  // CHECK: lowp.quantize %[[X]] outer(%[[S]] : tensor<?xf32>) :
  %2 = lowp.quantize %x outer(%s : tensor<?xf32>) : tensor<?x256xbf16> -> !lowp.blocked<?x256xnvfp4, block = [1, 16], outer = [0]>
  // CHECK: lowp.quantize %[[X]] amax(%[[A]] : tensor<f32>) :
  %3 = lowp.quantize %x amax(%a : tensor<f32>) : tensor<?x256xbf16> -> !lowp.blocked<?x256xnvfp4, block = [1, 16]>
  // CHECK: lowp.quantize %[[X]] seed(%[[SEED]], %[[STEP]]) {rule = #lowp.rule<round = stochastic>, stream = 3 : i32}
  %4 = lowp.quantize %x seed(%seed, %step) {rule = #lowp.rule<round = stochastic>, stream = 3 : i32}
     : tensor<?x256xbf16> -> !lowp.blocked<?x256xmxfp8_e4m3, block = [1, 32]>
  // CHECK: lowp.quantize %[[X]] amax(%[[S]] : tensor<?xf32>) seed(%[[SEED]], %[[STEP]]) {rule = #lowp.rule<sf_round = up, round = stochastic>, stream = 0 : i32}
  %5 = lowp.quantize %x amax(%s : tensor<?xf32>) seed(%seed, %step) {rule = #lowp.rule<sf_round = up, round = stochastic>, stream = 0 : i32}
     : tensor<?x256xbf16> -> !lowp.blocked<?x256xnvfp4, block = [1, 16], outer = [0]>
  // CHECK: lowp.quantize %[[H]] : tensor<8x40xf16> -> !lowp.blocked<8x40xfp8_block, block = [128, 128]>
  %6 = lowp.quantize %h : tensor<8x40xf16> -> !lowp.blocked<8x40xfp8_block, block = [128, 128]>
  // CHECK: lowp.quantize %[[H]] : tensor<8x40xf16> -> !lowp.blocked<8x40xmxfp4, block = [1, 32], layout = tcgen05_128x4>
  %7 = lowp.quantize %h : tensor<8x40xf16> -> !lowp.blocked<8x40xmxfp4, block = [1, 32], layout = tcgen05_128x4>
  // A dynamic size agrees with every size.
  // CHECK: lowp.quantize %[[X]] : tensor<?x256xbf16> -> !lowp.blocked<4x?xmxs2f6, block = [1, 32]>
  %8 = lowp.quantize %x : tensor<?x256xbf16> -> !lowp.blocked<4x?xmxs2f6, block = [1, 32]>
  return
}

// CHECK-LABEL: func.func @empty
func.func @empty(%x: tensor<0x256xf32>, %y: tensor<4x0xf32>) {
  // CHECK: !lowp.blocked<0x256xnvfp4, block = [1, 16], outer = [0]>
  %0 = lowp.quantize %x : tensor<0x256xf32> -> !lowp.blocked<0x256xnvfp4, block = [1, 16], outer = [0]>
  // CHECK: !lowp.blocked<4x0xmxfp8_e5m2, block = [1, 32]>
  %1 = lowp.quantize %y : tensor<4x0xf32> -> !lowp.blocked<4x0xmxfp8_e5m2, block = [1, 32]>
  return
}

// The only check of a constant operand: its values, not its size.
// CHECK-LABEL: func.func @constant_outer
func.func @constant_outer(%x: tensor<2x32xf32>) -> !lowp.blocked<2x32xnvfp4, block = [1, 16], outer = [0]> {
  %s = arith.constant dense<[1.0, 0.5]> : tensor<2xf32>
  // CHECK: lowp.quantize %{{.*}} outer(%{{.*}} : tensor<2xf32>)
  %0 = lowp.quantize %x outer(%s : tensor<2xf32>) : tensor<2x32xf32> -> !lowp.blocked<2x32xnvfp4, block = [1, 16], outer = [0]>
  return %0 : !lowp.blocked<2x32xnvfp4, block = [1, 16], outer = [0]>
}

// CHECK-LABEL: func.func @dequantize
func.func @dequantize(%q: !lowp.blocked<?x256xmxfp8_e4m3, block = [1, 32]>, %v: !lowp.blocked<64xnvfp4, block = [16]>) {
  // CHECK: lowp.dequantize %{{.*}} : !lowp.blocked<?x256xmxfp8_e4m3, block = [1, 32]> -> tensor<?x256xf32>
  %0 = lowp.dequantize %q : !lowp.blocked<?x256xmxfp8_e4m3, block = [1, 32]> -> tensor<?x256xf32>
  // CHECK: lowp.dequantize %{{.*}} : !lowp.blocked<64xnvfp4, block = [16]> -> tensor<64xbf16>
  %1 = lowp.dequantize %v : !lowp.blocked<64xnvfp4, block = [16]> -> tensor<64xbf16>
  return
}

// CHECK-LABEL: func.func @requantize
func.func @requantize(%w: !lowp.blocked<4x64x256xnvfp4, block = [1, 1, 16], outer = [0]>, %seed: i64, %step: i32) {
  // CHECK: lowp.requantize %{{[a-z0-9]+}} : !lowp.blocked
  %0 = lowp.requantize %w : !lowp.blocked<4x64x256xnvfp4, block = [1, 1, 16], outer = [0]> -> !lowp.blocked<4x64x256xmxfp8_e4m3, block = [1, 1, 32]>
  // CHECK: lowp.requantize %{{[a-z0-9]+}} permutation = [0, 2, 1] outer = keep :
  %1 = lowp.requantize %w permutation = [0, 2, 1] outer = keep
     : !lowp.blocked<4x64x256xnvfp4, block = [1, 1, 16], outer = [0]> -> !lowp.blocked<4x256x64x<f8E4M3FN, f8E8M0FNU, outer>, block = [1, 1, 32], outer = [0]>
  // CHECK: lowp.requantize %{{[a-z0-9]+}} seed(%{{.*}}, %{{.*}}) permutation = [1, 2, 0] {rule = #lowp.rule<round = stochastic>, stream = 7 : i32}
  %2 = lowp.requantize %w seed(%seed, %step) permutation = [1, 2, 0] {rule = #lowp.rule<round = stochastic>, stream = 7 : i32}
     : !lowp.blocked<4x64x256xnvfp4, block = [1, 1, 16], outer = [0]> -> !lowp.blocked<64x256x4xmxfp8_e4m3, block = [1, 32, 1]>
  // Folded, and an outer scale of the result's own.
  // CHECK: lowp.requantize %{{[a-z0-9]+}} permutation = [2, 1, 0] :
  %3 = lowp.requantize %w permutation = [2, 1, 0]
     : !lowp.blocked<4x64x256xnvfp4, block = [1, 1, 16], outer = [0]> -> !lowp.blocked<256x64x4xnvfp4, block = [1, 16, 1]>
  return
}

// CHECK-LABEL: func.func @transpose
func.func @transpose(%q: !lowp.blocked<8x?xmxfp4, block = [1, 32]>, %t: !lowp.blocked<2x16x48xnvfp4, block = [1, 16, 16], outer = [0]>) {
  // CHECK: lowp.transpose %{{.*}} permutation = [1, 0] : !lowp.blocked<8x?xmxfp4, block = [1, 32]> -> !lowp.blocked<?x8xmxfp4, block = [32, 1]>
  %0 = lowp.transpose %q permutation = [1, 0] : !lowp.blocked<8x?xmxfp4, block = [1, 32]> -> !lowp.blocked<?x8xmxfp4, block = [32, 1]>
  // CHECK: lowp.transpose %{{.*}} permutation = [0, 2, 1] : !lowp.blocked<2x16x48xnvfp4, block = [1, 16, 16], outer = [0]> -> !lowp.blocked<2x48x16xnvfp4, block = [1, 16, 16], outer = [0]>
  %1 = lowp.transpose %t permutation = [0, 2, 1] : !lowp.blocked<2x16x48xnvfp4, block = [1, 16, 16], outer = [0]> -> !lowp.blocked<2x48x16xnvfp4, block = [1, 16, 16], outer = [0]>
  return
}

// CHECK-LABEL: func.func @convert_layout
func.func @convert_layout(%q: !lowp.blocked<128x64xmxfp8_e4m3, block = [1, 32]>) {
  // CHECK: lowp.convert_layout %{{.*}} : !lowp.blocked<128x64xmxfp8_e4m3, block = [1, 32]> -> !lowp.blocked<128x64xmxfp8_e4m3, block = [1, 32], layout = tcgen05_128x4>
  %0 = lowp.convert_layout %q : !lowp.blocked<128x64xmxfp8_e4m3, block = [1, 32]> -> !lowp.blocked<128x64xmxfp8_e4m3, block = [1, 32], layout = tcgen05_128x4>
  return
}

// CHECK-LABEL: func.func @pack
func.func @pack(%c: tensor<?x8xi8>, %s: tensor<?x1xi8>, %o: tensor<?xf32>, %m: index, %w: tensor<64x64xi8>, %ws: tensor<512xi8>) {
  // CHECK: lowp.pack %{{.*}}, %{{.*}}, %{{.*}} dims(%{{.*}}) : tensor<?x8xi8>, tensor<?x1xi8>, tensor<?xf32> -> !lowp.blocked<?x16xnvfp4, block = [1, 16], outer = [0]>
  %0 = lowp.pack %c, %s, %o dims(%m) : tensor<?x8xi8>, tensor<?x1xi8>, tensor<?xf32> -> !lowp.blocked<?x16xnvfp4, block = [1, 16], outer = [0]>
  // CHECK: lowp.pack %{{[a-z0-9]+}}, %{{[a-z0-9]+}} : tensor<64x64xi8>, tensor<512xi8> -> !lowp.blocked<64x64xmxfp8_e4m3, block = [1, 32], layout = tcgen05_128x4>
  %1 = lowp.pack %w, %ws : tensor<64x64xi8>, tensor<512xi8> -> !lowp.blocked<64x64xmxfp8_e4m3, block = [1, 32], layout = tcgen05_128x4>
  // CHECK: lowp.unpack %{{.*}} : !lowp.blocked<?x16xnvfp4, block = [1, 16], outer = [0]> -> tensor<?x8xi8>, tensor<?x1xi8>, tensor<?xf32>
  %2:3 = lowp.unpack %0 : !lowp.blocked<?x16xnvfp4, block = [1, 16], outer = [0]> -> tensor<?x8xi8>, tensor<?x1xi8>, tensor<?xf32>
  // CHECK: lowp.dim %{{.*}}, 0 : !lowp.blocked<?x16xnvfp4, block = [1, 16], outer = [0]>
  %3 = lowp.dim %0, 0 : !lowp.blocked<?x16xnvfp4, block = [1, 16], outer = [0]>
  return
}

//===----------------------------------------------------------------------===//
// Hadamard transform
//===----------------------------------------------------------------------===//

// CHECK: lowp.signs @s = [false, true, true, false,
lowp.signs @s = [false, true, true, false, false, true, false, true, true, true, true, false, true, false, true, true]
// CHECK: lowp.signs "private" @p = [
lowp.signs "private" @p = [true, true, true, false, false, true, false, true, true, true, true, false, true, false, true, true]

// CHECK-LABEL: func.func @amax
func.func @amax(%x: tensor<?x64xf32>, %y: tensor<4x?x8xbf16>) {
  // CHECK: lowp.amax %{{.*}} outer = [0] : tensor<?x64xf32> -> tensor<?xf32>
  %0 = lowp.amax %x outer = [0] : tensor<?x64xf32> -> tensor<?xf32>
  // CHECK: lowp.amax %{{.*}} nonfinite = saturate : tensor<?x64xf32> -> tensor<f32>
  %1 = lowp.amax %x nonfinite = saturate : tensor<?x64xf32> -> tensor<f32>
  // CHECK: lowp.amax %{{.*}} outer = [0, 2] : tensor<4x?x8xbf16> -> tensor<4x8xf32>
  %2 = lowp.amax %y outer = [0, 2] nonfinite = propagate : tensor<4x?x8xbf16> -> tensor<4x8xf32>
  return
}

// CHECK-LABEL: func.func @rht
func.func @rht(%x: tensor<?x64xf32>, %y: tensor<128x?xbf16>) {
  // CHECK: lowp.rht %{{.*}} size = 32 axis = 1 : tensor<?x64xf32>
  %0 = lowp.rht %x size = 32 axis = 1 : tensor<?x64xf32>
  // CHECK: lowp.rht %{{.*}} size = 16 axis = 1 inverse signs = @s normalization = orthonormal arith = tensorcore : tensor<?x64xf32>
  %1 = lowp.rht %0 size = 16 axis = 1 inverse signs = @s normalization = orthonormal arith = tensorcore : tensor<?x64xf32>
  // CHECK: lowp.rht %{{.*}} size = 128 axis = 0 : tensor<128x?xbf16>
  %2 = lowp.rht %y size = 128 axis = 0 : tensor<128x?xbf16>
  return
}

// CHECK-LABEL: func.func @combine
func.func @combine(%p: !lowp.blocked<?x?x64xmxs2f6, block = [1, 1, 32]>, %q: !lowp.blocked<4x?x?xnvfp4, block = [1, 1, 16], outer = [0, 1]>,
                   %g: tensor<?x?xbf16>, %h: tensor<4x?xf32>) {
  // CHECK: lowp.combine %{{.*}} gates(%{{.*}} : tensor<?x?xbf16>) inverse_rht = 32 : !lowp.blocked<?x?x64xmxs2f6, block = [1, 1, 32]> -> tensor<?x64xbf16>
  %0 = lowp.combine %p gates(%g : tensor<?x?xbf16>) inverse_rht = 32 : !lowp.blocked<?x?x64xmxs2f6, block = [1, 1, 32]> -> tensor<?x64xbf16>
  // CHECK: lowp.combine %{{.*}} gates(%{{.*}} : tensor<4x?xf32>) inverse_rht = 16 signs = @s normalization = orthonormal : {{.*}} -> tensor<?x?xf32>
  %1 = lowp.combine %q gates(%h : tensor<4x?xf32>) inverse_rht = 16 signs = @s normalization = orthonormal : !lowp.blocked<4x?x?xnvfp4, block = [1, 1, 16], outer = [0, 1]> -> tensor<?x?xf32>
  // CHECK: lowp.combine %{{.*}} gates(%{{.*}} : tensor<4x?xf32>) : {{.*}} -> tensor<?x?xf32>
  %2 = lowp.combine %q gates(%h : tensor<4x?xf32>) : !lowp.blocked<4x?x?xnvfp4, block = [1, 1, 16], outer = [0, 1]> -> tensor<?x?xf32>
  return
}

//===----------------------------------------------------------------------===//
// Contractions
//===----------------------------------------------------------------------===//

// CHECK-LABEL: func.func @matmul
func.func @matmul(%q: !lowp.blocked<?x256xnvfp4, block = [1, 16], outer = [0]>,
                  %w: !lowp.blocked<512x256xmxfp8_e4m3, block = [1, 32]>,
                  %k: !lowp.blocked<256x512xnvfp4, block = [16, 16]>,
                  %p: tensor<256x?xbf16>, %i: tensor<?x512xf32>) {
  // CHECK: lowp.matmul %{{.*}}, %{{.*}} transpose_rhs : !lowp.blocked<?x256xnvfp4, block = [1, 16], outer = [0]>, !lowp.blocked<512x256xmxfp8_e4m3, block = [1, 32]> -> tensor<?x512xf32>
  %0 = lowp.matmul %q, %w transpose_rhs : !lowp.blocked<?x256xnvfp4, block = [1, 16], outer = [0]>, !lowp.blocked<512x256xmxfp8_e4m3, block = [1, 32]> -> tensor<?x512xf32>
  // CHECK: lowp.matmul %{{.*}}, %{{.*}} init(%{{.*}} : tensor<?x512xf32>) :
  %1 = lowp.matmul %q, %k init(%i : tensor<?x512xf32>) : !lowp.blocked<?x256xnvfp4, block = [1, 16], outer = [0]>, !lowp.blocked<256x512xnvfp4, block = [16, 16]> -> tensor<?x512xbf16>
  // CHECK: lowp.matmul %{{.*}}, %{{.*}} transpose_lhs transpose_rhs :
  %2 = lowp.matmul %p, %w transpose_lhs transpose_rhs : tensor<256x?xbf16>, !lowp.blocked<512x256xmxfp8_e4m3, block = [1, 32]> -> tensor<?x512xf16>
  // CHECK: lowp.matmul %{{.*}}, %{{.*}} site = <name = "l.0", role = fprop, kind = expert, layer = 0, weight = rhs>
  // CHECK-SAME: plan = <lhs = <format = <nvfp4>, block = 16, outer = per_token, rule = <four_six = mse>>, why = "here">
  %3 = lowp.matmul %q, %p site = <name = "l.0", role = fprop, kind = expert, layer = 0, weight = rhs>
    plan = <lhs = <format = <nvfp4>, block = 16, outer = per_token, rule = <four_six = mse>>, why = "here">
    : !lowp.blocked<?x256xnvfp4, block = [1, 16], outer = [0]>, tensor<256x?xbf16> -> tensor<?x?xf32>
  return
}

// Blocks of one element lie along any dim.
// CHECK-LABEL: func.func @blocks_of_one
func.func @blocks_of_one(%a: !lowp.blocked<32x8xmxfp4, block = [1, 1]>, %b: !lowp.blocked<32x8xmxfp4, block = [32, 1]>) {
  // CHECK: lowp.matmul
  %0 = lowp.matmul %a, %b transpose_lhs : !lowp.blocked<32x8xmxfp4, block = [1, 1]>, !lowp.blocked<32x8xmxfp4, block = [32, 1]> -> tensor<8x8xf32>
  return
}

// CHECK-LABEL: func.func @origin
func.func @origin(%a: tensor<4x8xf32>, %b: tensor<8x2xf32>) -> tensor<4x2xf32> {
  // CHECK: lowp.matmul %{{.*}}, %{{.*}} : tensor<4x8xf32>, tensor<8x2xf32> -> tensor<4x2xf32> origin {
  // CHECK: linalg.matmul
  // CHECK: lowp.yield %{{.*}} : tensor<4x2xf32>
  // CHECK: }
  %0 = lowp.matmul %a, %b : tensor<4x8xf32>, tensor<8x2xf32> -> tensor<4x2xf32> origin {
    %zero = arith.constant dense<0.0> : tensor<4x2xf32>
    %1 = linalg.matmul ins(%a, %b : tensor<4x8xf32>, tensor<8x2xf32>) outs(%zero : tensor<4x2xf32>) -> tensor<4x2xf32>
    lowp.yield %1 : tensor<4x2xf32>
  }
  return %0 : tensor<4x2xf32>
}

// CHECK-LABEL: func.func @batch_matmul
func.func @batch_matmul(%q: !lowp.blocked<?x96xnvfp4, block = [1, 16], outer = [0]>,
                        %w: !lowp.blocked<4x256x96xnvfp4, block = [1, 1, 16], outer = [0]>,
                        %x: tensor<?x96x?xf32>, %i: tensor<4x?x256xf32>) {
  // CHECK: lowp.batch_matmul %{{.*}}, %{{.*}} transpose_rhs : !lowp.blocked<?x96xnvfp4
  %0 = lowp.batch_matmul %q, %w transpose_rhs : !lowp.blocked<?x96xnvfp4, block = [1, 16], outer = [0]>, !lowp.blocked<4x256x96xnvfp4, block = [1, 1, 16], outer = [0]> -> tensor<4x?x256xf32>
  // CHECK: lowp.batch_matmul %{{.*}}, %{{.*}} init(%{{.*}}) transpose_lhs transpose_rhs : tensor<?x96x?xf32>
  %1 = lowp.batch_matmul %x, %w init(%i : tensor<4x?x256xf32>) transpose_lhs transpose_rhs : tensor<?x96x?xf32>, !lowp.blocked<4x256x96xnvfp4, block = [1, 1, 16], outer = [0]> -> tensor<4x?x256xf32>
  // CHECK: lowp.batch_matmul %{{.*}}, %{{.*}} : !lowp.blocked<4x256x96xnvfp4
  %2 = lowp.batch_matmul %w, %x : !lowp.blocked<4x256x96xnvfp4, block = [1, 1, 16], outer = [0]>, tensor<?x96x?xf32> -> tensor<?x256x?xf32>
  return
}

// CHECK-LABEL: func.func @grouped_matmul
func.func @grouped_matmul(%q: !lowp.blocked<?x96xnvfp4, block = [1, 16], outer = [0]>,
                          %w: !lowp.blocked<4x256x96xnvfp4, block = [1, 1, 16], outer = [0]>,
                          %x: tensor<32x96xbf16>, %v: tensor<?x96x8xbf16>,
                          %o: tensor<5xi32>, %d: tensor<?xi64>, %i: tensor<32x8xf32>) {
  // CHECK: lowp.grouped_matmul %{{.*}}, %{{.*}} groups(%{{.*}} : tensor<5xi32>) transpose_rhs :
  %0 = lowp.grouped_matmul %q, %w groups(%o : tensor<5xi32>) transpose_rhs : !lowp.blocked<?x96xnvfp4, block = [1, 16], outer = [0]>, !lowp.blocked<4x256x96xnvfp4, block = [1, 1, 16], outer = [0]> -> tensor<?x256xf32>
  // CHECK: lowp.grouped_matmul %{{.*}}, %{{.*}} groups(%{{.*}} : tensor<?xi64>) init(%{{.*}} : tensor<32x8xf32>) :
  %1 = lowp.grouped_matmul %x, %v groups(%d : tensor<?xi64>) init(%i : tensor<32x8xf32>) : tensor<32x96xbf16>, tensor<?x96x8xbf16> -> tensor<32x8xbf16>
  return
}

//===----------------------------------------------------------------------===//
// Kernel
//===----------------------------------------------------------------------===//

// CHECK-LABEL: func.func @kernel
func.func @kernel(%x: tensor<?x64xf32>, %b: memref<4xf32>) -> (!lowp.blocked<?x64xmxs2f6, block = [1, 32]>, tensor<?x64xf32>) {
  // CHECK: lowp.kernel -> !lowp.blocked<?x64xmxs2f6, block = [1, 32]>, tensor<?x64xf32> {
  // CHECK: lowp.yield %{{.*}}, %{{.*}} : !lowp.blocked<?x64xmxs2f6, block = [1, 32]>, tensor<?x64xf32>
  %q:2 = lowp.kernel -> !lowp.blocked<?x64xmxs2f6, block = [1, 32]>, tensor<?x64xf32> {
    %y = lowp.rht %x size = 32 axis = 1 : tensor<?x64xf32>
    %p = lowp.quantize %y : tensor<?x64xf32> -> !lowp.blocked<?x64xmxs2f6, block = [1, 32]>
    lowp.yield %p, %y : !lowp.blocked<?x64xmxs2f6, block = [1, 32]>, tensor<?x64xf32>
  }
  // CHECK: lowp.kernel attributes {name = "fill"} {
  lowp.kernel attributes {name = "fill"} {
    %c0 = arith.constant 0 : index
    %zero = arith.constant 0.0 : f32
    memref.store %zero, %b[%c0] : memref<4xf32>
  }
  return %q#0, %q#1 : !lowp.blocked<?x64xmxs2f6, block = [1, 32]>, tensor<?x64xf32>
}
