// RUN: lowp-opt %s --verify-roundtrip | FileCheck %s
// RUN: lowp-opt %s --emit-bytecode | lowp-opt | FileCheck %s

// CHECK-LABEL: func.func private @s2f6
// CHECK-SAME: !lowp.s2f6
func.func private @s2f6(!lowp.s2f6)

// CHECK-LABEL: func.func private @named
func.func private @named(
  // CHECK-SAME: !lowp.blocked<4x16xnvfp4, block = [1, 16]>
  !lowp.blocked<4x16xnvfp4, block = [1, 16]>,
  // CHECK-SAME: !lowp.blocked<4x16xmxfp8_e4m3, block = [1, 32]>
  !lowp.blocked<4x16xmxfp8_e4m3, block = [1, 32]>,
  // CHECK-SAME: !lowp.blocked<4x16xmxfp8_e5m2, block = [1, 32]>
  !lowp.blocked<4x16xmxfp8_e5m2, block = [1, 32]>,
  // CHECK-SAME: !lowp.blocked<4x16xmxfp6_e2m3, block = [1, 32]>
  !lowp.blocked<4x16xmxfp6_e2m3, block = [1, 32]>,
  // CHECK-SAME: !lowp.blocked<4x16xmxfp6_e3m2, block = [1, 32]>
  !lowp.blocked<4x16xmxfp6_e3m2, block = [1, 32]>,
  // CHECK-SAME: !lowp.blocked<4x16xmxfp4, block = [1, 32]>
  !lowp.blocked<4x16xmxfp4, block = [1, 32]>,
  // CHECK-SAME: !lowp.blocked<4x16xmxs2f6, block = [1, 32]>
  !lowp.blocked<4x16xmxs2f6, block = [1, 32]>,
  // CHECK-SAME: !lowp.blocked<4x16xfp8_block, block = [1, 128]>
  !lowp.blocked<4x16xfp8_block, block = [1, 128]>)

// Every element under every scale; a spelled-out format prints its name.
// CHECK-LABEL: func.func private @pairs
func.func private @pairs(
  // CHECK-SAME: !lowp.blocked<8xnvfp4, block = [16]>
  !lowp.blocked<8x<f4E2M1FN, f8E4M3FN, outer>, block = [16]>,
  // CHECK-SAME: !lowp.blocked<8x<f4E2M1FN, f8E4M3FN>, block = [16]>
  !lowp.blocked<8x<f4E2M1FN, f8E4M3FN>, block = [16]>,
  // CHECK-SAME: !lowp.blocked<8x<f4E2M1FN, f8E8M0FNU, outer>, block = [16]>
  !lowp.blocked<8x<f4E2M1FN, f8E8M0FNU, outer>, block = [16]>,
  // CHECK-SAME: !lowp.blocked<8x<f4E2M1FN, f32>, block = [16]>
  !lowp.blocked<8x<f4E2M1FN, f32>, block = [16]>,
  // CHECK-SAME: !lowp.blocked<8x<f6E2M3FN, f8E4M3FN, outer>, block = [16]>
  !lowp.blocked<8x<f6E2M3FN, f8E4M3FN, outer>, block = [16]>,
  // CHECK-SAME: !lowp.blocked<8x<f6E3M2FN, f32>, block = [16]>
  !lowp.blocked<8x<f6E3M2FN, f32>, block = [16]>,
  // CHECK-SAME: !lowp.blocked<8x<f8E4M3FN, f8E4M3FN>, block = [16]>
  !lowp.blocked<8x<f8E4M3FN, f8E4M3FN>, block = [16]>,
  // CHECK-SAME: !lowp.blocked<8x<f8E5M2, f8E8M0FNU, outer>, block = [16]>
  !lowp.blocked<8x<f8E5M2, f8E8M0FNU, outer>, block = [16]>,
  // CHECK-SAME: !lowp.blocked<8x<!lowp.s2f6, f8E4M3FN, outer>, block = [16]>
  !lowp.blocked<8x<!lowp.s2f6, f8E4M3FN, outer>, block = [16]>)

// CHECK-LABEL: func.func private @parameters
func.func private @parameters(
  // CHECK-SAME: !lowp.blocked<?x?xnvfp4, block = [16, 16]>
  !lowp.blocked<?x?xnvfp4, block = [16, 16], outer = []>,
  // CHECK-SAME: !lowp.blocked<2x?x3xnvfp4, block = [1, 16, 1], outer = [0, 2]>
  !lowp.blocked<2x?x3xnvfp4, block = [1, 16, 1], outer = [0, 2]>,
  // CHECK-SAME: !lowp.blocked<0x16xmxfp4, block = [1, 1], layout = tcgen05_128x4>
  !lowp.blocked<0x16xmxfp4, block = [1, 1], layout = tcgen05_128x4>,
  // CHECK-SAME: !lowp.blocked<4x8xmxfp4, block = [1, 32]>
  !lowp.blocked<4x8xmxfp4, block = [1, 32], layout = linear>,
  // CHECK-SAME: !lowp.blocked<1x2x3x4x5xnvfp4, block = [1, 1, 1, 1, 16], outer = [0, 1, 2, 3], layout = tcgen05_128x4>
  !lowp.blocked<1x2x3x4x5xnvfp4, block = [1, 1, 1, 1, 16], outer = [0, 1, 2, 3], layout = tcgen05_128x4>,
  // CHECK-SAME: !lowp.blocked<9223372036854775807xmxfp4, block = [2147483647]>
  !lowp.blocked<9223372036854775807xmxfp4, block = [2147483647]>)

// The types of components: 4-bit codes in pairs, blocks rounded up, scales of
// tiles once a row, an image of 128x4 tiles.
// CHECK-LABEL: func.func @components
func.func @components(
    %a: !lowp.blocked<5x17xnvfp4, block = [1, 16], outer = [0]>,
    %b: !lowp.blocked<33x40xnvfp4, block = [16, 16]>,
    %c: !lowp.blocked<200x130xfp8_block, block = [128, 128]>,
    %d: !lowp.blocked<2x129x?xmxfp8_e4m3, block = [1, 1, 32]>,
    %e: !lowp.blocked<2x129x160xmxfp8_e4m3, block = [1, 1, 32], layout = tcgen05_128x4>,
    %f: !lowp.blocked<2x?x160xmxfp8_e4m3, block = [1, 1, 32], layout = tcgen05_128x4>,
    %g: !lowp.blocked<0x3xmxfp4, block = [1, 32]>,
    %h: !lowp.blocked<40x3xmxfp4, block = [32, 1]>) {
  // CHECK: -> tensor<5x9xi8>, tensor<5x2xi8>, tensor<5xf32>
  %0:3 = lowp.unpack %a : !lowp.blocked<5x17xnvfp4, block = [1, 16], outer = [0]> -> tensor<5x9xi8>, tensor<5x2xi8>, tensor<5xf32>
  // CHECK: -> tensor<33x20xi8>, tensor<33x3xi8>, tensor<f32>
  %1:3 = lowp.unpack %b : !lowp.blocked<33x40xnvfp4, block = [16, 16]> -> tensor<33x20xi8>, tensor<33x3xi8>, tensor<f32>
  // CHECK: -> tensor<200x130xi8>, tensor<2x2xf32>
  %2:2 = lowp.unpack %c : !lowp.blocked<200x130xfp8_block, block = [128, 128]> -> tensor<200x130xi8>, tensor<2x2xf32>
  // CHECK: -> tensor<2x129x?xi8>, tensor<2x129x?xi8>
  %3:2 = lowp.unpack %d : !lowp.blocked<2x129x?xmxfp8_e4m3, block = [1, 1, 32]> -> tensor<2x129x?xi8>, tensor<2x129x?xi8>
  // CHECK: -> tensor<2x129x160xi8>, tensor<2x2048xi8>
  %4:2 = lowp.unpack %e : !lowp.blocked<2x129x160xmxfp8_e4m3, block = [1, 1, 32], layout = tcgen05_128x4> -> tensor<2x129x160xi8>, tensor<2x2048xi8>
  // CHECK: -> tensor<2x?x160xi8>, tensor<2x?xi8>
  %5:2 = lowp.unpack %f : !lowp.blocked<2x?x160xmxfp8_e4m3, block = [1, 1, 32], layout = tcgen05_128x4> -> tensor<2x?x160xi8>, tensor<2x?xi8>
  // CHECK: -> tensor<0x2xi8>, tensor<0x1xi8>
  %6:2 = lowp.unpack %g : !lowp.blocked<0x3xmxfp4, block = [1, 32]> -> tensor<0x2xi8>, tensor<0x1xi8>
  // CHECK: -> tensor<40x2xi8>, tensor<2x3xi8>
  %7:2 = lowp.unpack %h : !lowp.blocked<40x3xmxfp4, block = [32, 1]> -> tensor<40x2xi8>, tensor<2x3xi8>
  return
}
