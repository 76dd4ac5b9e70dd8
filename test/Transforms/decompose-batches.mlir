// RUN: lowp-opt %s --lowp-decompose=batches=true --canonicalize --cse --split-input-file | FileCheck %s
// RUN: lowp-opt %s --lowp-decompose="batches=true fp16=true" --canonicalize --cse --split-input-file | FileCheck %s --check-prefix=FP16
// RUN: lowp-opt %s --lowp-decompose="batches=true dot-pairs=true" --canonicalize --cse --split-input-file | FileCheck %s --check-prefix=DOT
// RUN: lowp-opt %s --lowp-stage-lower --split-input-file | FileCheck %s --check-prefix=PLACE --implicit-check-not=memref.copy

// A loop over batches of a row, in which the scales of the next one are found,
// then a loop over the blocks that are left. Codes
// of bf16 blocks are made by integers, a block a vector, unless a block is not
// finite or close to the smallest numbers: then blocks are transposed as words
// of two elements.
// With FP16 arithmetic, products with a power of two and sums round.
// FP16-LABEL: func.func @row(
// FP16: scf.for %{{.*}} = %c0 to %c8 step %c1
// FP16: %[[Y:.*]] = arith.shli %{{.*}} : vector<32xi16>
// FP16: %[[YF:.*]] = arith.bitcast %[[Y]] : vector<32xi16> to vector<32xf16>
// FP16: %[[M:.*]] = arith.maxui %{{.*}} : vector<32xi16>
// FP16: %[[MF:.*]] = arith.bitcast %[[M]] : vector<32xi16> to vector<32xf16>
// FP16: %[[P:.*]] = arith.mulf %[[MF]], %{{.*}} fastmath<contract> : vector<32xf16>
// FP16: arith.addf %[[YF]], %[[P]] fastmath<contract> : vector<32xf16>
// FP16: } else {
// PLACE-LABEL: func.func @row(
// CHECK-LABEL: func.func @row(
// CHECK-SAME: %[[X:.*]]: tensor<?x?xbf16>)
// CHECK: scf.forall (%[[I:.*]]) in (%{{.*}})
// CHECK: scf.if
// CHECK-COUNT-16: vector.transfer_read %[[X]][%[[I]], %{{.*}}], %{{.*}} {in_bounds = [true]} : tensor<?x?xbf16>, vector<32xbf16>
// CHECK-COUNT-16: arith.maxui {{.*}} : vector<32xi16>
// CHECK: %[[A0:.*]] = vector.bitcast %{{.*}} : vector<16xi32> to vector<16xf32>
// CHECK: %[[SC0:.*]], %{{.*}} = lowp.block_scale %[[A0]] format = <mxfp8_e4m3> : vector<16xi8>
// CHECK: scf.for %{{.*}} iter_args(%{{.*}}, %{{.*}}, %[[A:.*]] = %[[A0]], %[[SC:.*]] = %[[SC0]])
// CHECK-COUNT-16: arith.maxui {{.*}} : vector<32xi16>
// CHECK: %[[A1:.*]] = vector.bitcast %{{.*}} : vector<16xi32> to vector<16xf32>
// CHECK: %[[SC1:.*]], %{{.*}} = lowp.block_scale %[[A1]] format = <mxfp8_e4m3> : vector<16xi8>
// CHECK: %[[EXACT:.*]] = vector.reduction <and>, %{{.*}} : vector<16xi1> into i1
// CHECK: scf.if %[[EXACT]]
// CHECK-NOT: lowp.
// CHECK: scf.for %[[PAIR:.*]] = %c0 to %c8 step %c1
// CHECK-DAG: %[[BLOCK:.*]] = arith.muli %[[PAIR]], %c2 :
// CHECK-DAG: %[[FIRST:.*]] = arith.muli %[[PAIR]], %c64 :
// CHECK: vector.transfer_read %[[X]]
// CHECK: vector.extract %{{.*}}[%[[BLOCK]]] : i32 from vector<16xi32>
// CHECK-NOT: xf16>
// Of what is 16 KB and 2 KB ahead, as much as is read for what is written.
// CHECK-COUNT-2: memref.prefetch {{.*}}, read, locality<2>, {{.*}} : memref<?x?xbf16,
// CHECK-COUNT-2: memref.prefetch {{.*}}, read, locality<3>, {{.*}} : memref<?x?xbf16,
// CHECK: memref.prefetch {{.*}}, write, {{.*}} : memref<1x512xi8,
// CHECK-NOT: memref.prefetch
// CHECK: vector.transfer_write %{{.*}}, %{{.*}}[%c0, %[[FIRST]]] {{.*}} : vector<64xi8>
// CHECK-NOT: lowp.
// CHECK: } else {
// CHECK: lowp.block_scale %[[A]]
// CHECK: vector.shuffle {{.*}} : vector<16xi32>, vector<16xi32>
// CHECK-COUNT-8: lowp.encode %{{.*}} element = f8E4M3FN : vector<4x16xf32> -> vector<4x16xi8>
// CHECK-COUNT-8: vector.transfer_write {{.*}} : vector<64xi8>
// CHECK: vector.transfer_write %[[SC]]
// CHECK: scf.yield %{{.*}}, %{{.*}}, %[[A1]], %[[SC1]] :
// CHECK: scf.for
// CHECK: lowp.block_amax %{{.*}} : vector<32xf32>
// CHECK: lowp.encode {{.*}} : vector<32xf32> -> vector<32xi8>
func.func @row(%x: tensor<?x?xbf16>) -> !lowp.blocked<?x?xmxfp8_e4m3, block = [1, 32]> {
  %q = lowp.quantize %x : tensor<?x?xbf16> -> !lowp.blocked<?x?xmxfp8_e4m3, block = [1, 32]>
  return %q : !lowp.blocked<?x?xmxfp8_e4m3, block = [1, 32]>
}

// -----

// A batch whose codes turn out wrong is made again.
// CHECK-LABEL: func.func @stochastic(
// FP16-LABEL: func.func @stochastic(
// FP16: lowp.philox
// FP16: %[[Y:.*]] = arith.bitcast %{{.*}} : vector<32xi16> to vector<32xf16>
// FP16: arith.mulf %[[Y]], %{{.*}} : vector<32xf16>
// CHECK: scf.for
// CHECK: %[[EXACT:.*]] = vector.reduction <and>, %{{.*}} : vector<16xi1> into i1
// CHECK: %[[TRIED:.*]]:2 = scf.if %[[EXACT]]
// CHECK: scf.for %{{.*}} = %c0 to %c4 step %c1
// CHECK: lowp.philox {{.*}} : vector<8xi64>
// CHECK-NOT: lowp.philox
// CHECK-COUNT-2: vector.transfer_write {{.*}} : vector<64xi8>
// CHECK: vector.reduction <or>, %{{.*}} : vector<32xi16> into i16
// CHECK: scf.if %[[TRIED]]#1
// CHECK-NEXT: scf.yield %[[TRIED]]#0
// CHECK-NEXT: } else {
// CHECK-COUNT-8: lowp.encode {{.*}} : vector<4x16xf32> -> vector<4x16xi8>
func.func @stochastic(%x: tensor<?x?xbf16>) -> !lowp.blocked<?x?xmxfp8_e4m3, block = [1, 32]> {
  %seed = arith.constant 1 : i64
  %step = arith.constant 2 : i32
  %q = lowp.quantize %x seed(%seed, %step) {rule = #lowp.rule<round = stochastic>, stream = 3 : i32} : tensor<?x?xbf16> -> !lowp.blocked<?x?xmxfp8_e4m3, block = [1, 32]>
  return %q : !lowp.blocked<?x?xmxfp8_e4m3, block = [1, 32]>
}

// -----

// Other rules than those of integers, and other types.
// CHECK-LABEL: func.func @saturate(
// CHECK-COUNT-16: vector.transfer_read {{.*}} : tensor<?x?xbf16>, vector<32xbf16>
// CHECK: vector.shuffle {{.*}} : vector<16xi32>, vector<16xi32>
// CHECK: lowp.block_amax %{{.*}} : vector<16x32xf32>
// CHECK-NOT: scf.if
// CHECK-COUNT-8: lowp.encode %{{.*}} : vector<4x16xf32> -> vector<4x16xi8>
func.func @saturate(%x: tensor<?x?xbf16>) -> !lowp.blocked<?x?xmxfp8_e4m3, block = [1, 32]> {
  %q = lowp.quantize %x {rule = #lowp.rule<nonfinite = saturate>} : tensor<?x?xbf16> -> !lowp.blocked<?x?xmxfp8_e4m3, block = [1, 32]>
  return %q : !lowp.blocked<?x?xmxfp8_e4m3, block = [1, 32]>
}

// -----

// Blocks side by side are not transposed.
// CHECK-LABEL: func.func @column(
// CHECK-COUNT-32: vector.transfer_read {{.*}} : tensor<64x64xf32>, vector<16xf32>
// CHECK-NOT: vector.shuffle
// CHECK: lowp.block_amax %{{.*}} : vector<32x16xf32>
// CHECK-COUNT-32: vector.transfer_write {{.*}} : vector<16xi8>
// CHECK-NOT: lowp.block_amax
func.func @column(%x: tensor<64x64xf32>) -> !lowp.blocked<64x64xmxfp8_e4m3, block = [32, 1]> {
  %q = lowp.quantize %x : tensor<64x64xf32> -> !lowp.blocked<64x64xmxfp8_e4m3, block = [32, 1]>
  return %q : !lowp.blocked<64x64xmxfp8_e4m3, block = [32, 1]>
}

// -----

// The outer scale of a row comes from the row just before it is quantised.
// CHECK-LABEL: func.func @per_token(
// CHECK: scf.forall (%{{.*}}) in (8)
// CHECK: lowp.block_amax %{{.*}} : vector<9x32xf32>
// CHECK: %[[E:.*]], %[[D:.*]] = lowp.outer_scale
// CHECK-DAG: %[[ES:.*]] = vector.broadcast %[[E]] : f32 to vector<16xf32>
// CHECK-DAG: %[[DS:.*]] = vector.broadcast %[[D]] : f32 to vector<16xf32>
// CHECK: lowp.block_scale %{{.*}} outer(%[[ES]], %[[DS]]) format = <nvfp4> rule = <four_six = mse> regular : vector<16xi8>
// CHECK: scf.for
// CHECK: lowp.block_scale %[[A:.*]] outer(%[[ES]], %[[DS]]) format = <nvfp4> rule = <four_six = mse> regular : vector<16xi8>
// CHECK: lowp.block_scale %[[A]] outer(%[[ES]], %[[DS]]) format = <nvfp4> rule = <four_six = mse> four regular : vector<16xi8>
// CHECK: %[[C:.*]] = arith.muli %{{.*}}, %c256
// Where no element of a batch clips, magnitudes are encoded eight to a word.
// CHECK: %[[IN:.*]] = vector.reduction <and>, %{{.*}} : vector<16xi1> into i1
// CHECK: scf.if %[[IN]]
// Rows of 1 KB are too short for what is next to be in the next one.
// CHECK: %[[FAR:.*]] = arith.addi %[[C]], %c8192
// CHECK-NEXT: memref.prefetch %{{.*}}[%{{.*}}, %[[FAR]]], read, locality<2>
// CHECK: %[[NEAR:.*]] = arith.addi %[[C]], %c1536
// CHECK-NEXT: memref.prefetch %{{.*}}[%{{.*}}, %[[NEAR]]], read, locality<3>
// CHECK-NOT: lowp.
// CHECK: math.fma {{.*}} : vector<16xf32>
// CHECK-NOT: lowp.
// CHECK: } else {
// CHECK-COUNT-2: lowp.encode {{.*}} : vector<8x16xf32> -> vector<4x16xi8>
// CHECK: lowp.block_error {{.*}} : vector<16x16xf32>
// CHECK-COUNT-2: lowp.encode {{.*}} : vector<8x16xf32> -> vector<4x16xi8>
// CHECK: lowp.block_error {{.*}} : vector<16x16xf32>
// CHECK-NOT: scf.forall (
func.func @per_token(%x: tensor<8x512xbf16>) -> !lowp.blocked<8x512xnvfp4, block = [1, 16], outer = [0]> {
  %q = lowp.quantize %x {rule = #lowp.rule<four_six = mse>}
     : tensor<8x512xbf16> -> !lowp.blocked<8x512xnvfp4, block = [1, 16], outer = [0]>
  return %q : !lowp.blocked<8x512xnvfp4, block = [1, 16], outer = [0]>
}

// -----

// By products of pairs, the codes of three sums are added at a time; signs
// follow.
// CHECK-LABEL: func.func @pairs(
// CHECK-NOT: lowp.dot_pairs
// CHECK-LABEL: func.func @pairs_four_six(
// DOT-LABEL: func.func @pairs(
// DOT: scf.if
// DOT: %[[Y:.*]] = arith.bitcast %{{.*}} : vector<16xf32> to vector<16xi32>
// DOT: %[[B:.*]] = arith.andi %[[Y]], %{{.*}} : vector<16xi32>
// DOT: arith.bitcast %[[B]] : vector<16xi32> to vector<16xf32>
// DOT: arith.mulf %{{.*}} fastmath<contract> : vector<16xf32>
// DOT: %[[FIRST:.*]] = lowp.dot_pairs %{{.*}} by 64, 1 plus %{{.*}} : vector<16xi32>
// DOT: %[[SECOND:.*]] = lowp.dot_pairs %{{.*}} by 1024, 16 plus %[[FIRST]] : vector<16xi32>
// DOT: %[[THIRD:.*]] = lowp.dot_pairs %{{.*}} by 16384, 256 plus %[[SECOND]] : vector<16xi32>
// DOT: arith.shrui %[[THIRD]]
// DOT: } else {
// 4/6 measures values, and has these at hand.
// DOT-LABEL: func.func @pairs_four_six(
// DOT-NOT: lowp.dot_pairs
// DOT: return
func.func @pairs(%x: tensor<8x512xbf16>) -> !lowp.blocked<8x512xnvfp4, block = [1, 16], outer = [0]> {
  %q = lowp.quantize %x : tensor<8x512xbf16> -> !lowp.blocked<8x512xnvfp4, block = [1, 16], outer = [0]>
  return %q : !lowp.blocked<8x512xnvfp4, block = [1, 16], outer = [0]>
}

func.func @pairs_four_six(%x: tensor<8x512xbf16>) -> !lowp.blocked<8x512xnvfp4, block = [1, 16], outer = [0]> {
  %q = lowp.quantize %x {rule = #lowp.rule<four_six = mse>}
     : tensor<8x512xbf16> -> !lowp.blocked<8x512xnvfp4, block = [1, 16], outer = [0]>
  return %q : !lowp.blocked<8x512xnvfp4, block = [1, 16], outer = [0]>
}

// -----

// Too few blocks for a batch, tiles, and long blocks are as they would be.
// CHECK-LABEL: func.func @single_blocks(
// CHECK-NOT: x16xf32>
// CHECK: return
func.func @single_blocks(%x: tensor<8x64xf32>, %y: tensor<?x?xf32>)
    -> (!lowp.blocked<8x64xmxfp8_e4m3, block = [1, 32]>, !lowp.blocked<?x?xfp8_block, block = [1, 128]>) {
  %q = lowp.quantize %x : tensor<8x64xf32> -> !lowp.blocked<8x64xmxfp8_e4m3, block = [1, 32]>
  %r = lowp.quantize %y : tensor<?x?xf32> -> !lowp.blocked<?x?xfp8_block, block = [1, 128]>
  return %q, %r : !lowp.blocked<8x64xmxfp8_e4m3, block = [1, 32]>, !lowp.blocked<?x?xfp8_block, block = [1, 128]>
}

// -----

// The one row of a vector is not a group per row: its outer scale is a scalar.
// CHECK-LABEL: func.func @vector(
// CHECK: lowp.outer_scale
// CHECK: scf.for
// CHECK-NOT: lowp.outer_scale
func.func @vector(%x: tensor<?xf32>) -> !lowp.blocked<?xnvfp4, block = [16]> {
  %q = lowp.quantize %x : tensor<?xf32> -> !lowp.blocked<?xnvfp4, block = [16]>
  return %q : !lowp.blocked<?xnvfp4, block = [16]>
}
