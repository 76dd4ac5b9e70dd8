// REQUIRES: ptxas
// RUN: lowp-compile %s --target=sm_80 --emit=ptx -o %t.80.ptx
// RUN: FileCheck %s --check-prefixes=CHECK,SINGLE < %t.80.ptx
// RUN: %ptxas -arch=sm_80 -o %t.cubin %t.80.ptx
// RUN: lowp-compile %s --target=sm_103a --emit=ptx -o %t.103.ptx
// RUN: FileCheck %s --check-prefixes=CHECK,PAIRS < %t.103.ptx
// RUN: %ptxas -arch=sm_103a -o %t.cubin %t.103.ptx

// One fused multiply-add per element of an expert whose gate is not zero, decoded where it is
// read; another block than the transform is decoded before.

// CHECK: .entry send_rht(
// CHECK: .entry send_quantize(
func.func @send(%x: tensor<4x?x64xf32>) -> !lowp.blocked<4x?x64xmxs2f6, block = [1, 1, 32]> {
  %t = lowp.rht %x size = 32 axis = 2 : tensor<4x?x64xf32>
  %p = lowp.quantize %t : tensor<4x?x64xf32> -> !lowp.blocked<4x?x64xmxs2f6, block = [1, 1, 32]>
  return %p : !lowp.blocked<4x?x64xmxs2f6, block = [1, 1, 32]>
}

// CHECK: .entry receive_combine(
// SINGLE: setp.eq.f32
// SINGLE-COUNT-32: fma.rn.f32
// PAIRS-COUNT-16: fma.rn.f32x2
// CHECK-NOT: fma.rn.f32
// CHECK: ret;
func.func @receive(%p: !lowp.blocked<4x?x64xmxs2f6, block = [1, 1, 32]>, %g: tensor<4x?xbf16>) -> tensor<?x64xbf16> {
  %y = lowp.combine %p gates(%g : tensor<4x?xbf16>) inverse_rht = 32 : !lowp.blocked<4x?x64xmxs2f6, block = [1, 1, 32]> -> tensor<?x64xbf16>
  return %y : tensor<?x64xbf16>
}

// CHECK-COUNT-2: .entry decoded_combine
func.func @decoded(%p: !lowp.blocked<4x?x?xnvfp4, block = [1, 1, 16], outer = [0, 1]>, %g: tensor<4x?xf32>) -> tensor<?x?xf32> {
  %y = lowp.combine %p gates(%g : tensor<4x?xf32>) inverse_rht = 64 : !lowp.blocked<4x?x?xnvfp4, block = [1, 1, 16], outer = [0, 1]> -> tensor<?x?xf32>
  return %y : tensor<?x?xf32>
}
