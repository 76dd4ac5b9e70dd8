// RUN: lowp-opt %s --canonicalize --split-input-file | FileCheck %s

// CHECK-LABEL: func.func @transpose_identity
// CHECK-SAME: (%[[Q:.*]]: !lowp.blocked
func.func @transpose_identity(%q: !lowp.blocked<8x?xmxfp4, block = [1, 32]>) -> !lowp.blocked<8x?xmxfp4, block = [1, 32]> {
  // CHECK-NEXT: return %[[Q]]
  %0 = lowp.transpose %q permutation = [0, 1] : !lowp.blocked<8x?xmxfp4, block = [1, 32]> -> !lowp.blocked<8x?xmxfp4, block = [1, 32]>
  return %0 : !lowp.blocked<8x?xmxfp4, block = [1, 32]>
}

// CHECK-LABEL: func.func @transpose_twice
// CHECK-SAME: (%[[Q:.*]]: !lowp.blocked
func.func @transpose_twice(%q: !lowp.blocked<2x3x?xmxfp4, block = [1, 1, 32]>) -> !lowp.blocked<2x3x?xmxfp4, block = [1, 1, 32]> {
  // CHECK-NEXT: return %[[Q]]
  %0 = lowp.transpose %q permutation = [1, 2, 0] : !lowp.blocked<2x3x?xmxfp4, block = [1, 1, 32]> -> !lowp.blocked<3x?x2xmxfp4, block = [1, 32, 1]>
  %1 = lowp.transpose %0 permutation = [2, 0, 1] : !lowp.blocked<3x?x2xmxfp4, block = [1, 32, 1]> -> !lowp.blocked<2x3x?xmxfp4, block = [1, 1, 32]>
  return %1 : !lowp.blocked<2x3x?xmxfp4, block = [1, 1, 32]>
}

// CHECK-LABEL: func.func @transpose_composed
// CHECK-SAME: (%[[Q:.*]]: !lowp.blocked
func.func @transpose_composed(%q: !lowp.blocked<2x3x?xmxfp4, block = [1, 1, 32]>) -> !lowp.blocked<?x2x3xmxfp4, block = [32, 1, 1]> {
  // CHECK-NEXT: %[[T:.*]] = lowp.transpose %[[Q]] permutation = [2, 0, 1] : !lowp.blocked<2x3x?xmxfp4, block = [1, 1, 32]> -> !lowp.blocked<?x2x3xmxfp4, block = [32, 1, 1]>
  // CHECK-NEXT: return %[[T]]
  %0 = lowp.transpose %q permutation = [1, 2, 0] : !lowp.blocked<2x3x?xmxfp4, block = [1, 1, 32]> -> !lowp.blocked<3x?x2xmxfp4, block = [1, 32, 1]>
  %1 = lowp.transpose %0 permutation = [1, 2, 0] : !lowp.blocked<3x?x2xmxfp4, block = [1, 32, 1]> -> !lowp.blocked<?x2x3xmxfp4, block = [32, 1, 1]>
  return %1 : !lowp.blocked<?x2x3xmxfp4, block = [32, 1, 1]>
}

// CHECK-LABEL: func.func @convert_layout_back
// CHECK-SAME: (%[[Q:.*]]: !lowp.blocked
func.func @convert_layout_back(%q: !lowp.blocked<8x64xmxfp4, block = [1, 32]>) -> !lowp.blocked<8x64xmxfp4, block = [1, 32]> {
  // CHECK-NEXT: return %[[Q]]
  %0 = lowp.convert_layout %q : !lowp.blocked<8x64xmxfp4, block = [1, 32]> -> !lowp.blocked<8x64xmxfp4, block = [1, 32], layout = tcgen05_128x4>
  %1 = lowp.convert_layout %0 : !lowp.blocked<8x64xmxfp4, block = [1, 32], layout = tcgen05_128x4> -> !lowp.blocked<8x64xmxfp4, block = [1, 32]>
  return %1 : !lowp.blocked<8x64xmxfp4, block = [1, 32]>
}

// CHECK-LABEL: func.func @convert_layout_same
// CHECK-SAME: (%[[Q:.*]]: !lowp.blocked
func.func @convert_layout_same(%q: !lowp.blocked<8x64xmxfp4, block = [1, 32]>) -> !lowp.blocked<8x64xmxfp4, block = [1, 32]> {
  // CHECK-NEXT: return %[[Q]]
  %0 = lowp.convert_layout %q : !lowp.blocked<8x64xmxfp4, block = [1, 32]> -> !lowp.blocked<8x64xmxfp4, block = [1, 32]>
  return %0 : !lowp.blocked<8x64xmxfp4, block = [1, 32]>
}

// Values do not depend on the layout of scales.
// CHECK-LABEL: func.func @past_layout
// CHECK-SAME: (%[[Q:.*]]: !lowp.blocked
func.func @past_layout(%q: !lowp.blocked<8x64xmxfp4, block = [1, 32]>) -> (tensor<8x64xf32>, !lowp.blocked<8x64xmxfp4, block = [1, 16]>) {
  %0 = lowp.convert_layout %q : !lowp.blocked<8x64xmxfp4, block = [1, 32]> -> !lowp.blocked<8x64xmxfp4, block = [1, 32], layout = tcgen05_128x4>
  // CHECK-NEXT: lowp.dequantize %[[Q]] : !lowp.blocked<8x64xmxfp4, block = [1, 32]>
  %1 = lowp.dequantize %0 : !lowp.blocked<8x64xmxfp4, block = [1, 32], layout = tcgen05_128x4> -> tensor<8x64xf32>
  // CHECK-NEXT: lowp.requantize %[[Q]] : !lowp.blocked<8x64xmxfp4, block = [1, 32]>
  %2 = lowp.requantize %0 : !lowp.blocked<8x64xmxfp4, block = [1, 32], layout = tcgen05_128x4> -> !lowp.blocked<8x64xmxfp4, block = [1, 16]>
  return %1, %2 : tensor<8x64xf32>, !lowp.blocked<8x64xmxfp4, block = [1, 16]>
}

// CHECK-LABEL: func.func @requantize_transposed
// CHECK-SAME: (%[[Q:.*]]: !lowp.blocked
func.func @requantize_transposed(%q: !lowp.blocked<2x3x64xmxfp4, block = [1, 1, 32]>) -> (!lowp.blocked<64x2x3xmxs2f6, block = [32, 1, 1]>, !lowp.blocked<3x2x64xmxs2f6, block = [1, 1, 32]>) {
  %0 = lowp.transpose %q permutation = [1, 2, 0] : !lowp.blocked<2x3x64xmxfp4, block = [1, 1, 32]> -> !lowp.blocked<3x64x2xmxfp4, block = [1, 32, 1]>
  // CHECK-NEXT: lowp.requantize %[[Q]] permutation = [2, 0, 1] : !lowp.blocked<2x3x64xmxfp4, block = [1, 1, 32]> -> !lowp.blocked<64x2x3xmxs2f6, block = [32, 1, 1]>
  %1 = lowp.requantize %0 permutation = [1, 2, 0] : !lowp.blocked<3x64x2xmxfp4, block = [1, 32, 1]> -> !lowp.blocked<64x2x3xmxs2f6, block = [32, 1, 1]>
  %2 = lowp.transpose %q permutation = [1, 0, 2] : !lowp.blocked<2x3x64xmxfp4, block = [1, 1, 32]> -> !lowp.blocked<3x2x64xmxfp4, block = [1, 1, 32]>
  // CHECK-NEXT: lowp.requantize %[[Q]] permutation = [1, 0, 2] : !lowp.blocked<2x3x64xmxfp4, block = [1, 1, 32]> -> !lowp.blocked<3x2x64xmxs2f6, block = [1, 1, 32]>
  %3 = lowp.requantize %2 : !lowp.blocked<3x2x64xmxfp4, block = [1, 1, 32]> -> !lowp.blocked<3x2x64xmxs2f6, block = [1, 1, 32]>
  return %1, %3 : !lowp.blocked<64x2x3xmxs2f6, block = [32, 1, 1]>, !lowp.blocked<3x2x64xmxs2f6, block = [1, 1, 32]>
}

// CHECK-LABEL: func.func @requantize_identity
func.func @requantize_identity(%q: !lowp.blocked<8x64xmxfp4, block = [1, 32]>) -> !lowp.blocked<8x64xmxfp4, block = [1, 16]> {
  // CHECK-NEXT: lowp.requantize %{{[a-z0-9]+}} : !lowp.blocked
  %0 = lowp.requantize %q permutation = [0, 1] : !lowp.blocked<8x64xmxfp4, block = [1, 32]> -> !lowp.blocked<8x64xmxfp4, block = [1, 16]>
  return %0 : !lowp.blocked<8x64xmxfp4, block = [1, 16]>
}

// CHECK-LABEL: func.func @dim
// CHECK-SAME: (%[[X:.*]]: tensor<?x?xf32>, %[[Q:.*]]: !lowp.blocked<?x64x?x{{.*}}, %[[C:[a-z0-9]+]]: tensor<?x3x?xi8>, %[[S:[a-z0-9]+]]: tensor<?x3x?xi8>, %[[D0:[a-z0-9]+]]: index, %[[D1:[a-z0-9]+]]: index)
func.func @dim(%x: tensor<?x?xf32>, %q: !lowp.blocked<?x64x?xmxfp4, block = [1, 1, 32]>, %c: tensor<?x3x?xi8>, %s: tensor<?x3x?xi8>, %d0: index, %d1: index) -> (index, index, index, index, index, index) {
  // CHECK-DAG: %[[C64:.*]] = arith.constant 64 : index
  %0 = lowp.dim %q, 1 : !lowp.blocked<?x64x?xmxfp4, block = [1, 1, 32]>
  %1 = lowp.quantize %x : tensor<?x?xf32> -> !lowp.blocked<?x?xmxfp4, block = [1, 32]>
  // CHECK-DAG: %[[DX:.*]] = tensor.dim %[[X]], %{{.*}} : tensor<?x?xf32>
  %2 = lowp.dim %1, 1 : !lowp.blocked<?x?xmxfp4, block = [1, 32]>
  %3 = lowp.pack %c, %s dims(%d0, %d1) : tensor<?x3x?xi8>, tensor<?x3x?xi8> -> !lowp.blocked<?x3x?xmxfp4, block = [1, 1, 32]>
  %4 = lowp.dim %3, 2 : !lowp.blocked<?x3x?xmxfp4, block = [1, 1, 32]>
  // CHECK-DAG: %[[DT:.*]] = lowp.dim %[[Q]], 2 : !lowp.blocked<?x64x?xmxfp4, block = [1, 1, 32]>
  %5 = lowp.transpose %q permutation = [2, 0, 1] : !lowp.blocked<?x64x?xmxfp4, block = [1, 1, 32]> -> !lowp.blocked<?x?x64xmxfp4, block = [32, 1, 1]>
  %6 = lowp.dim %5, 0 : !lowp.blocked<?x?x64xmxfp4, block = [32, 1, 1]>
  // CHECK-DAG: %[[DR:.*]] = lowp.dim %[[Q]], 0 : !lowp.blocked<?x64x?xmxfp4, block = [1, 1, 32]>
  %7 = lowp.requantize %q permutation = [2, 0, 1] : !lowp.blocked<?x64x?xmxfp4, block = [1, 1, 32]> -> !lowp.blocked<?x?x64xmxs2f6, block = [1, 32, 1]>
  %8 = lowp.dim %7, 1 : !lowp.blocked<?x?x64xmxs2f6, block = [1, 32, 1]>
  %9 = lowp.convert_layout %q : !lowp.blocked<?x64x?xmxfp4, block = [1, 1, 32]> -> !lowp.blocked<?x64x?xmxfp4, block = [1, 1, 32], layout = tcgen05_128x4>
  %10 = lowp.dim %9, 2 : !lowp.blocked<?x64x?xmxfp4, block = [1, 1, 32], layout = tcgen05_128x4>
  // CHECK: return %[[C64]], %[[DX]], %[[D1]], %[[DT]], %[[DR]], %{{.*}} : index
  return %0, %2, %4, %6, %8, %10 : index, index, index, index, index, index
}

// CHECK-LABEL: func.func @pack_unpacked
// CHECK-SAME: (%[[Q:.*]]: !lowp.blocked
func.func @pack_unpacked(%q: !lowp.blocked<4x64xnvfp4, block = [1, 16]>) -> !lowp.blocked<4x64xnvfp4, block = [1, 16]> {
  // CHECK-NEXT: return %[[Q]]
  %0:3 = lowp.unpack %q : !lowp.blocked<4x64xnvfp4, block = [1, 16]> -> tensor<4x32xi8>, tensor<4x4xi8>, tensor<f32>
  %1 = lowp.pack %0#0, %0#1, %0#2 : tensor<4x32xi8>, tensor<4x4xi8>, tensor<f32> -> !lowp.blocked<4x64xnvfp4, block = [1, 16]>
  return %1 : !lowp.blocked<4x64xnvfp4, block = [1, 16]>
}

// The bytes of a 16-element block are not those of another element.
// CHECK-LABEL: func.func @pack_as_another
func.func @pack_as_another(%q: !lowp.blocked<4x64xmxfp8_e4m3, block = [1, 32]>) -> !lowp.blocked<4x64xmxfp8_e5m2, block = [1, 32]> {
  // CHECK: lowp.unpack
  // CHECK: lowp.pack
  %0:2 = lowp.unpack %q : !lowp.blocked<4x64xmxfp8_e4m3, block = [1, 32]> -> tensor<4x64xi8>, tensor<4x2xi8>
  %1 = lowp.pack %0#0, %0#1 : tensor<4x64xi8>, tensor<4x2xi8> -> !lowp.blocked<4x64xmxfp8_e5m2, block = [1, 32]>
  return %1 : !lowp.blocked<4x64xmxfp8_e5m2, block = [1, 32]>
}

// CHECK-LABEL: func.func @unpack_packed
// CHECK-SAME: (%[[C:.*]]: tensor<?x8xi8>, %[[S:.*]]: tensor<?x1xi8>,
func.func @unpack_packed(%c: tensor<?x8xi8>, %s: tensor<?x1xi8>, %m: index) -> (tensor<?x8xi8>, tensor<?x1xi8>) {
  // CHECK-NEXT: return %[[C]], %[[S]]
  %0 = lowp.pack %c, %s dims(%m) : tensor<?x8xi8>, tensor<?x1xi8> -> !lowp.blocked<?x16xmxfp4, block = [1, 16]>
  %1:2 = lowp.unpack %0 : !lowp.blocked<?x16xmxfp4, block = [1, 16]> -> tensor<?x8xi8>, tensor<?x1xi8>
  return %1#0, %1#1 : tensor<?x8xi8>, tensor<?x1xi8>
}

// CHECK-LABEL: func.func @kernel_results
// CHECK-SAME: (%[[X:.*]]: tensor<4x32xf32>)
func.func @kernel_results(%x: tensor<4x32xf32>) -> (tensor<4x32xf32>, tensor<4x32xf32>) {
  // CHECK-NEXT: %[[K:.*]] = lowp.kernel -> tensor<4x32xf32> {
  // CHECK-NEXT: %[[Y:.*]] = lowp.rht
  // CHECK-NEXT: lowp.yield %[[Y]] : tensor<4x32xf32>
  // CHECK-NEXT: }
  // CHECK-NEXT: return %[[K]], %[[X]]
  %0:3 = lowp.kernel -> tensor<4x32xf32>, tensor<4x32xf32>, !lowp.blocked<4x32xmxfp4, block = [1, 32]> {
    %y = lowp.rht %x size = 32 axis = 1 : tensor<4x32xf32>
    %q = lowp.quantize %x : tensor<4x32xf32> -> !lowp.blocked<4x32xmxfp4, block = [1, 32]>
    lowp.yield %y, %x, %q : tensor<4x32xf32>, tensor<4x32xf32>, !lowp.blocked<4x32xmxfp4, block = [1, 32]>
  }
  return %0#0, %0#1 : tensor<4x32xf32>, tensor<4x32xf32>
}

// Not exact, so left alone.

// CHECK-LABEL: func.func @kept
func.func @kept(%q: !lowp.blocked<4x64xmxfp8_e4m3, block = [1, 32]>, %x: tensor<4x64xf32>) -> (!lowp.blocked<4x64xmxfp8_e4m3, block = [1, 32]>, tensor<4x64xf32>, tensor<4x64xf32>) {
  // CHECK-NEXT: lowp.dequantize
  // CHECK-NEXT: lowp.quantize
  // CHECK-NEXT: lowp.quantize
  // CHECK-NEXT: lowp.dequantize
  // CHECK-NEXT: lowp.rht
  // CHECK-NEXT: lowp.rht
  %0 = lowp.dequantize %q : !lowp.blocked<4x64xmxfp8_e4m3, block = [1, 32]> -> tensor<4x64xf32>
  %1 = lowp.quantize %0 : tensor<4x64xf32> -> !lowp.blocked<4x64xmxfp8_e4m3, block = [1, 32]>
  %2 = lowp.quantize %x : tensor<4x64xf32> -> !lowp.blocked<4x64xmxfp8_e4m3, block = [1, 32]>
  %3 = lowp.dequantize %2 : !lowp.blocked<4x64xmxfp8_e4m3, block = [1, 32]> -> tensor<4x64xf32>
  %4 = lowp.rht %x size = 32 axis = 1 : tensor<4x64xf32>
  %5 = lowp.rht %4 size = 32 axis = 1 inverse : tensor<4x64xf32>
  return %1, %3, %5 : !lowp.blocked<4x64xmxfp8_e4m3, block = [1, 32]>, tensor<4x64xf32>, tensor<4x64xf32>
}
