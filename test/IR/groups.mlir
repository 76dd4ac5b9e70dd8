// RUN: lowp-opt %s --verify-roundtrip | FileCheck %s
// RUN: lowp-opt %s --emit-bytecode | lowp-opt | FileCheck %s
// RUN: lowp-opt %s --canonicalize --cse | FileCheck %s --check-prefix=FOLD

// CHECK-LABEL: func.func private @types
func.func private @types(
  // CHECK-SAME: !lowp.blocked<?x256xmxfp8_e4m3, block = [32, 1], groups = 4 along 0>
  !lowp.blocked<?x256xmxfp8_e4m3, block = [32, 1], groups = 4 along 0>,
  // CHECK-SAME: !lowp.blocked<64x?xnvfp4, block = [1, 16], outer = [0], layout = tcgen05_128x4, groups = ? along 1>
  !lowp.blocked<64x?xnvfp4, block = [1, 16], outer = [0], layout = tcgen05_128x4, groups = ? along 1>,
  // CHECK-SAME: !lowp.blocked<0x16xmxfp4, block = [1, 32], groups = 0 along 0>
  !lowp.blocked<0x16xmxfp4, block = [1, 32], groups = 0 along 0>)

// CHECK-LABEL: func.func @ops
func.func @ops(%x: tensor<?x256xf32>, %o: tensor<5xi32>, %a: tensor<4xf32>, %i: tensor<4x256x256xf32>) -> tensor<4x256x256xf32> {
  // CHECK: lowp.quantize %{{.*}} amax(%{{.*}} : tensor<4xf32>) groups(%{{.*}} : tensor<5xi32>) : tensor<?x256xf32> -> !lowp.blocked<?x256xnvfp4, block = [1, 16], groups = 4 along 0>
  %q = lowp.quantize %x amax(%a : tensor<4xf32>) groups(%o : tensor<5xi32>) : tensor<?x256xf32> -> !lowp.blocked<?x256xnvfp4, block = [1, 16], groups = 4 along 0>
  // CHECK: lowp.requantize %{{.*}} permutation = [1, 0]
  %t = lowp.requantize %q permutation = [1, 0] : !lowp.blocked<?x256xnvfp4, block = [1, 16], groups = 4 along 0> -> !lowp.blocked<256x?xmxfp8_e4m3, block = [1, 32], groups = 4 along 1>
  %p = lowp.quantize %x : tensor<?x256xf32> -> !lowp.blocked<?x256xnvfp4, block = [1, 16], outer = [0]>
  // CHECK: lowp.requantize %{{.*}} groups(%{{.*}} : tensor<5xi32>) permutation = [1, 0]
  %u = lowp.requantize %p groups(%o : tensor<5xi32>) permutation = [1, 0] : !lowp.blocked<?x256xnvfp4, block = [1, 16], outer = [0]> -> !lowp.blocked<256x?xmxfp8_e4m3, block = [1, 32], groups = 4 along 1>
  // CHECK: lowp.k_grouped_matmul %{{.*}}, %{{.*}} groups(%{{.*}} : tensor<5xi32>) init(%{{.*}} : tensor<4x256x256xf32>) transpose_rhs
  %w = lowp.k_grouped_matmul %t, %u groups(%o : tensor<5xi32>) init(%i : tensor<4x256x256xf32>) transpose_rhs
    : !lowp.blocked<256x?xmxfp8_e4m3, block = [1, 32], groups = 4 along 1>, !lowp.blocked<256x?xmxfp8_e4m3, block = [1, 32], groups = 4 along 1> -> tensor<4x256x256xf32>
  return %w : tensor<4x256x256xf32>
}

// 70 rows of blocks of 32 have 2 scales and one more per group; codes of 4 bits
// are packed; offsets are the last component.
// CHECK-LABEL: func.func @components
func.func @components(%q: !lowp.blocked<70x5xnvfp4, block = [32, 1], groups = 3 along 0>) -> (tensor<70x3xi8>, tensor<5x5xi8>, tensor<3xf32>, tensor<4xi64>) {
  // CHECK: lowp.unpack %{{.*}} -> tensor<70x3xi8>, tensor<5x5xi8>, tensor<3xf32>, tensor<4xi64>
  %0:4 = lowp.unpack %q : !lowp.blocked<70x5xnvfp4, block = [32, 1], groups = 3 along 0> -> tensor<70x3xi8>, tensor<5x5xi8>, tensor<3xf32>, tensor<4xi64>
  return %0#0, %0#1, %0#2, %0#3 : tensor<70x3xi8>, tensor<5x5xi8>, tensor<3xf32>, tensor<4xi64>
}

// A per-token outer scale does not see groups. One image of one tile of rows
// and 4 tiles of columns per group, and one more: floor(300 / 128) + 3.
// CHECK-LABEL: func.func private @images
// CHECK-SAME: tensor<10240xi8>
func.func private @images(tensor<10240xi8>)
func.func @image_components(%q: !lowp.blocked<300x256xnvfp4, block = [1, 16], outer = [0], layout = tcgen05_128x4, groups = 3 along 0>) -> tensor<10240xi8> {
  %0:4 = lowp.unpack %q : !lowp.blocked<300x256xnvfp4, block = [1, 16], outer = [0], layout = tcgen05_128x4, groups = 3 along 0> -> tensor<300x128xi8>, tensor<10240xi8>, tensor<300xf32>, tensor<4xi64>
  return %0#1 : tensor<10240xi8>
}

// Rows of 16x16 tiles repeat their scales, columns do not.
func.func @tile_components(%q: !lowp.blocked<40x40xnvfp4, block = [16, 16], groups = 2 along 0>, %r: !lowp.blocked<40x40xnvfp4, block = [16, 16], groups = 2 along 1>) -> (tensor<40x3xi8>, tensor<40x4xi8>) {
  %0:4 = lowp.unpack %q : !lowp.blocked<40x40xnvfp4, block = [16, 16], groups = 2 along 0> -> tensor<40x20xi8>, tensor<40x3xi8>, tensor<2xf32>, tensor<3xi64>
  %1:4 = lowp.unpack %r : !lowp.blocked<40x40xnvfp4, block = [16, 16], groups = 2 along 1> -> tensor<40x20xi8>, tensor<40x4xi8>, tensor<2xf32>, tensor<3xi64>
  return %0#1, %1#1 : tensor<40x3xi8>, tensor<40x4xi8>
}

// FOLD-LABEL: func.func @transposes
// FOLD-SAME: (%[[Q:.*]]: !lowp.blocked<?x8xmxfp4, block = [32, 1], groups = ? along 0>)
func.func @transposes(%q: !lowp.blocked<?x8xmxfp4, block = [32, 1], groups = ? along 0>) -> (!lowp.blocked<?x8xmxfp4, block = [32, 1], groups = ? along 0>, index, !lowp.blocked<8x?xmxfp8_e4m3, block = [1, 32], groups = ? along 1>) {
  // FOLD-DAG: %[[DIM:.*]] = lowp.dim %[[Q]], 0
  // FOLD-DAG: %[[R:.*]] = lowp.requantize %[[Q]] permutation = [1, 0]
  %t = lowp.transpose %q permutation = [1, 0] : !lowp.blocked<?x8xmxfp4, block = [32, 1], groups = ? along 0> -> !lowp.blocked<8x?xmxfp4, block = [1, 32], groups = ? along 1>
  %u = lowp.transpose %t permutation = [1, 0] : !lowp.blocked<8x?xmxfp4, block = [1, 32], groups = ? along 1> -> !lowp.blocked<?x8xmxfp4, block = [32, 1], groups = ? along 0>
  %d = lowp.dim %t, 1 : !lowp.blocked<8x?xmxfp4, block = [1, 32], groups = ? along 1>
  %r = lowp.requantize %t : !lowp.blocked<8x?xmxfp4, block = [1, 32], groups = ? along 1> -> !lowp.blocked<8x?xmxfp8_e4m3, block = [1, 32], groups = ? along 1>
  // FOLD: return %[[Q]], %[[DIM]], %[[R]]
  return %u, %d, %r : !lowp.blocked<?x8xmxfp4, block = [32, 1], groups = ? along 0>, index, !lowp.blocked<8x?xmxfp8_e4m3, block = [1, 32], groups = ? along 1>
}

// FOLD-LABEL: func.func @packs
// FOLD-SAME: (%[[Q:.*]]: !lowp.blocked<?x8xmxfp8_e4m3, block = [32, 1], groups = 3 along 0>, %[[C:.*]]: tensor<?x8xi8>, %[[S:.*]]: tensor<?x8xi8>, %[[O:.*]]: tensor<4xi64>, %[[N:.*]]: index)
func.func @packs(%q: !lowp.blocked<?x8xmxfp8_e4m3, block = [32, 1], groups = 3 along 0>, %c: tensor<?x8xi8>, %s: tensor<?x8xi8>, %o: tensor<4xi64>, %n: index) -> (!lowp.blocked<?x8xmxfp8_e4m3, block = [32, 1], groups = 3 along 0>, tensor<4xi64>, index) {
  %0:3 = lowp.unpack %q : !lowp.blocked<?x8xmxfp8_e4m3, block = [32, 1], groups = 3 along 0> -> tensor<?x8xi8>, tensor<?x8xi8>, tensor<4xi64>
  %m = lowp.dim %q, 0 : !lowp.blocked<?x8xmxfp8_e4m3, block = [32, 1], groups = 3 along 0>
  %p = lowp.pack %0#0, %0#1, %0#2 dims(%m) : tensor<?x8xi8>, tensor<?x8xi8>, tensor<4xi64> -> !lowp.blocked<?x8xmxfp8_e4m3, block = [32, 1], groups = 3 along 0>
  %r = lowp.pack %c, %s, %o dims(%n) : tensor<?x8xi8>, tensor<?x8xi8>, tensor<4xi64> -> !lowp.blocked<?x8xmxfp8_e4m3, block = [32, 1], groups = 3 along 0>
  %1:3 = lowp.unpack %r : !lowp.blocked<?x8xmxfp8_e4m3, block = [32, 1], groups = 3 along 0> -> tensor<?x8xi8>, tensor<?x8xi8>, tensor<4xi64>
  %d = lowp.dim %r, 0 : !lowp.blocked<?x8xmxfp8_e4m3, block = [32, 1], groups = 3 along 0>
  // FOLD: return %[[Q]], %[[O]], %[[N]]
  return %p, %1#2, %d : !lowp.blocked<?x8xmxfp8_e4m3, block = [32, 1], groups = 3 along 0>, tensor<4xi64>, index
}

// Quantisations of other groups are others; those of the same are one.
// FOLD-LABEL: func.func @alike
func.func @alike(%x: tensor<?x8xf32>, %o: tensor<4xi64>, %p: tensor<4xi64>) -> (!lowp.blocked<?x8xmxfp8_e4m3, block = [32, 1], groups = 3 along 0>, !lowp.blocked<?x8xmxfp8_e4m3, block = [32, 1], groups = 3 along 0>, !lowp.blocked<?x8xmxfp8_e4m3, block = [32, 1], groups = 3 along 0>) {
  // FOLD-COUNT-2: lowp.quantize
  // FOLD-NOT: lowp.quantize
  %0 = lowp.quantize %x groups(%o : tensor<4xi64>) : tensor<?x8xf32> -> !lowp.blocked<?x8xmxfp8_e4m3, block = [32, 1], groups = 3 along 0>
  %1 = lowp.quantize %x groups(%o : tensor<4xi64>) : tensor<?x8xf32> -> !lowp.blocked<?x8xmxfp8_e4m3, block = [32, 1], groups = 3 along 0>
  %2 = lowp.quantize %x groups(%p : tensor<4xi64>) : tensor<?x8xf32> -> !lowp.blocked<?x8xmxfp8_e4m3, block = [32, 1], groups = 3 along 0>
  return %0, %1, %2 : !lowp.blocked<?x8xmxfp8_e4m3, block = [32, 1], groups = 3 along 0>, !lowp.blocked<?x8xmxfp8_e4m3, block = [32, 1], groups = 3 along 0>, !lowp.blocked<?x8xmxfp8_e4m3, block = [32, 1], groups = 3 along 0>
}

// CHECK-LABEL: func.func @transform
func.func @transform(%x: tensor<?x64xf32>, %o: tensor<5xi32>) -> tensor<?x64xf32> {
  // CHECK: lowp.rht %{{.*}} groups(%{{.*}} : tensor<5xi32>) size = 16 axis = 0 inverse : tensor<?x64xf32>
  %0 = lowp.rht %x groups(%o : tensor<5xi32>) size = 16 axis = 0 inverse : tensor<?x64xf32>
  return %0 : tensor<?x64xf32>
}
