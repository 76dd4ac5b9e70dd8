// RUN: lowp-opt %s --lowp-fold-constants | FileCheck %s
// RUN: lowp-opt %s --lowp-fold-constants=max-elements=16 | FileCheck %s --check-prefix=SMALL

!mxfp4 = !lowp.blocked<1x32xmxfp4, block = [1, 32]>
!mxfp8 = !lowp.blocked<32x1xmxfp8_e4m3, block = [32, 1]>

// 6 is the largest element: scale byte 127, codes 7. Of 384 = 6 * 2^6, which is
// code 0x7C of E4M3, the scale is 2^-6.
// CHECK-LABEL: func @chain
// SMALL-LABEL: func @chain
func.func @chain() -> (!mxfp4, !mxfp8, tensor<1x32xbf16>, tensor<1xf32>, tensor<f32>) {
  %x = arith.constant dense<6.0> : tensor<1x32xbf16>
  // CHECK-DAG: %[[CODES:.*]] = arith.constant dense<119> : tensor<1x16xi8>
  // CHECK-DAG: %[[SCALES:.*]] = arith.constant dense<127> : tensor<1x1xi8>
  // CHECK-DAG: %[[Q:.*]] = lowp.pack %[[CODES]], %[[SCALES]] : tensor<1x16xi8>, tensor<1x1xi8> -> !lowp.blocked<1x32xmxfp4
  // SMALL: lowp.quantize
  %q = lowp.quantize %x : tensor<1x32xbf16> -> !mxfp4
  // CHECK-DAG: %[[CODES8:.*]] = arith.constant dense<124> : tensor<32x1xi8>
  // CHECK-DAG: %[[SCALES8:.*]] = arith.constant dense<121> : tensor<1x1xi8>
  // CHECK-DAG: %[[R:.*]] = lowp.pack %[[CODES8]], %[[SCALES8]]
  // SMALL: lowp.requantize
  %r = lowp.requantize %q permutation = [1, 0] : !mxfp4 -> !mxfp8
  // CHECK-DAG: %[[D:.*]] = arith.constant dense<6.000000e+00> : tensor<1x32xbf16>
  %d = lowp.dequantize %q : !mxfp4 -> tensor<1x32xbf16>
  // CHECK-DAG: %[[A:.*]] = arith.constant dense<6.000000e+00> : tensor<1xf32>
  // CHECK-DAG: %[[B:.*]] = arith.constant dense<6.000000e+00> : tensor<f32>
  // SMALL: lowp.amax
  // SMALL: lowp.amax
  %a = lowp.amax %x outer = [0] : tensor<1x32xbf16> -> tensor<1xf32>
  %b = lowp.amax %x : tensor<1x32xbf16> -> tensor<f32>
  // CHECK: return %[[Q]], %[[R]], %[[D]], %[[A]], %[[B]]
  return %q, %r, %d, %a, %b : !mxfp4, !mxfp8, tensor<1x32xbf16>, tensor<1xf32>, tensor<f32>
}

// With every sign +1 the sum of 16 ones times 2^-2 is 4, and all else 0.
lowp.signs @plus = [false, false, false, false, false, false, false, false, false, false, false, false, false, false, false, false]

// CHECK-LABEL: func @rht
func.func @rht() -> tensor<16xf16> {
  // CHECK: arith.constant dense<[4.000000e+00, 0.000000e+00, {{(0[.]0+e[+]00, )+}}0.000000e+00]> : tensor<16xf16>
  %x = arith.constant dense<1.0> : tensor<16xf16>
  %y = lowp.rht %x size = 16 axis = 0 signs = @plus : tensor<16xf16>
  return %y : tensor<16xf16>
}

// Twice 6 and once 6 of which nobody reads the other expert; a transform of
// equal elements has all of it in one.
// CHECK-LABEL: func @combine
// SMALL-LABEL: func @combine
func.func @combine(%any: tensor<2x1xf32>) -> (tensor<1x16xf32>, tensor<1x16xbf16>, tensor<1x16xf32>) {
  %x = arith.constant dense<6.0> : tensor<2x1x16xf32>
  %q = lowp.quantize %x : tensor<2x1x16xf32> -> !lowp.blocked<2x1x16xmxfp4, block = [1, 1, 16]>
  %g = arith.constant dense<[[2.0], [0.0]]> : tensor<2x1xf32>
  // CHECK-DAG: arith.constant dense<1.200000e+01> : tensor<1x16xf32>
  // CHECK-DAG: arith.constant dense<{{\[\[}}4.800000e+01, 0.000000e+00, {{(0[.]0+e[+]00, )+}}0.000000e+00]]> : tensor<1x16xbf16>
  // CHECK: lowp.combine {{.*}} gates(%arg0
  // CHECK-NOT: lowp.combine
  // SMALL-COUNT-3: lowp.combine
  %0 = lowp.combine %q gates(%g : tensor<2x1xf32>) : !lowp.blocked<2x1x16xmxfp4, block = [1, 1, 16]> -> tensor<1x16xf32>
  %1 = lowp.combine %q gates(%g : tensor<2x1xf32>) inverse_rht = 16 signs = @plus : !lowp.blocked<2x1x16xmxfp4, block = [1, 1, 16]> -> tensor<1x16xbf16>
  %2 = lowp.combine %q gates(%any : tensor<2x1xf32>) : !lowp.blocked<2x1x16xmxfp4, block = [1, 1, 16]> -> tensor<1x16xf32>
  return %0, %1, %2 : tensor<1x16xf32>, tensor<1x16xbf16>, tensor<1x16xf32>
}

// CHECK-LABEL: func @layout
func.func @layout() -> (!lowp.blocked<1x32xmxfp4, block = [1, 32], layout = tcgen05_128x4>, !lowp.blocked<32x1xmxfp4, block = [32, 1]>) {
  // CHECK-NOT: lowp.convert_layout
  // CHECK-NOT: lowp.transpose
  %codes = arith.constant dense<"0x0123456789ABCDEF0123456789ABCDEF"> : tensor<1x16xi8>
  %scales = arith.constant dense<3> : tensor<1x1xi8>
  %q = lowp.pack %codes, %scales : tensor<1x16xi8>, tensor<1x1xi8> -> !mxfp4
  %t = lowp.convert_layout %q : !mxfp4 -> !lowp.blocked<1x32xmxfp4, block = [1, 32], layout = tcgen05_128x4>
  %p = lowp.transpose %q permutation = [1, 0] : !mxfp4 -> !lowp.blocked<32x1xmxfp4, block = [32, 1]>
  return %t, %p : !lowp.blocked<1x32xmxfp4, block = [1, 32], layout = tcgen05_128x4>, !lowp.blocked<32x1xmxfp4, block = [32, 1]>
}

// What is no constant, or has no value, or none of a known size.
// CHECK-LABEL: func @left_alone
func.func @left_alone(%y: tensor<1x32xf32>, %outer: tensor<f32>, %seed: i64) -> (!mxfp4, !mxfp4, !mxfp4, !lowp.blocked<0x32xmxfp4, block = [1, 32]>, !lowp.blocked<1x32xnvfp4, block = [1, 16]>, !mxfp4, !lowp.blocked<?x32xmxfp4, block = [1, 32]>) {
  %x = arith.constant dense<6.0> : tensor<1x32xf32>
  %step = arith.constant 1 : i32
  %poison = ub.poison : tensor<1x32xf32>
  %resource = arith.constant dense_resource<blob> : tensor<1x32xf32>
  %empty = arith.constant dense<> : tensor<0x32xf32>
  %dynamic = tensor.cast %x : tensor<1x32xf32> to tensor<?x32xf32>
  // CHECK-COUNT-7: lowp.quantize
  %0 = lowp.quantize %y : tensor<1x32xf32> -> !mxfp4
  %1 = lowp.quantize %poison : tensor<1x32xf32> -> !mxfp4
  %2 = lowp.quantize %resource : tensor<1x32xf32> -> !mxfp4
  %3 = lowp.quantize %empty : tensor<0x32xf32> -> !lowp.blocked<0x32xmxfp4, block = [1, 32]>
  %4 = lowp.quantize %x outer(%outer : tensor<f32>) : tensor<1x32xf32> -> !lowp.blocked<1x32xnvfp4, block = [1, 16]>
  %5 = lowp.quantize %x seed(%seed, %step) {rule = #lowp.rule<round = stochastic>, stream = 0 : i32} : tensor<1x32xf32> -> !mxfp4
  %6 = lowp.quantize %dynamic : tensor<?x32xf32> -> !lowp.blocked<?x32xmxfp4, block = [1, 32]>
  return %0, %1, %2, %3, %4, %5, %6 : !mxfp4, !mxfp4, !mxfp4, !lowp.blocked<0x32xmxfp4, block = [1, 32]>, !lowp.blocked<1x32xnvfp4, block = [1, 16]>, !mxfp4, !lowp.blocked<?x32xmxfp4, block = [1, 32]>
}

{-#
  dialect_resources: {
    builtin: {
      blob: "0x0400000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000"
    }
  }
#-}
