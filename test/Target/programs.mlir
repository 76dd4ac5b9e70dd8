// REQUIRES: ptxas
// RUN: lowp-compile %s --target=sm_103a --emit=ptx -o %t.ptx
// RUN: FileCheck %s < %t.ptx
// RUN: %ptxas -arch=sm_103a -o %t.cubin %t.ptx

// Dynamic and ragged sizes, f16, an outer scale of the whole tensor, tiles,
// and another storage order of scales.
// CHECK: .entry per_tensor_quantize_amax(
// CHECK: .entry per_tensor_quantize_outer(
// CHECK: .entry per_tensor_quantize(
func.func @per_tensor(%x: tensor<?x?xbf16>) -> !lowp.blocked<?x?xnvfp4, block = [1, 16]> {
  %q = lowp.quantize %x : tensor<?x?xbf16> -> !lowp.blocked<?x?xnvfp4, block = [1, 16]>
  return %q : !lowp.blocked<?x?xnvfp4, block = [1, 16]>
}

// CHECK: .entry tiles_quantize(
// CHECK: .entry tiles_dequantize
func.func @tiles(%x: tensor<?x40xf16>) -> tensor<?x40xf16> {
  %q = lowp.quantize %x : tensor<?x40xf16> -> !lowp.blocked<?x40xnvfp4, block = [16, 16], layout = tcgen05_128x4>
  %y = lowp.dequantize %q : !lowp.blocked<?x40xnvfp4, block = [16, 16], layout = tcgen05_128x4> -> tensor<?x40xf16>
  return %y : tensor<?x40xf16>
}

// CHECK: .entry requantize_requantize(
func.func @requantize(%q: !lowp.blocked<?x64xnvfp4, block = [1, 16], outer = [0]>) -> !lowp.blocked<64x?xmxfp8_e4m3, block = [1, 32]> {
  %t = lowp.requantize %q permutation = [1, 0] outer = fold : !lowp.blocked<?x64xnvfp4, block = [1, 16], outer = [0]> -> !lowp.blocked<64x?xmxfp8_e4m3, block = [1, 32]>
  return %t : !lowp.blocked<64x?xmxfp8_e4m3, block = [1, 32]>
}

// CHECK: .entry largest_amax(
func.func @largest(%x: tensor<?x?xbf16>) -> (tensor<?xf32>, tensor<f32>) {
  %a = lowp.amax %x outer = [0] nonfinite = saturate : tensor<?x?xbf16> -> tensor<?xf32>
  %b = lowp.amax %x : tensor<?x?xbf16> -> tensor<f32>
  return %a, %b : tensor<?xf32>, tensor<f32>
}

// Rounding that no instruction has.
// CHECK: .entry other_rules_quantize(
// CHECK-NOT: cvt.rn.satfinite.e2m1x2.f32
// CHECK: ret;
func.func @other_rules(%x: tensor<?x64xf32>) -> !lowp.blocked<?x64x<f4E2M1FN, f8E4M3FN>, block = [1, 16]> {
  %q = lowp.quantize %x {rule = #lowp.rule<sf_round = ceil, map_to = 4, round = toward_zero>} : tensor<?x64xf32> -> !lowp.blocked<?x64x<f4E2M1FN, f8E4M3FN>, block = [1, 16]>
  return %q : !lowp.blocked<?x64x<f4E2M1FN, f8E4M3FN>, block = [1, 16]>
}
