// RUN: not lowp-compile %s --target=sm_103a --emit=ptx -o %t.ptx 2>&1 | FileCheck %s

// CHECK: error: 'lowp.quantize' op operand #0 must be ranked tensor of 32-bit float or bfloat16 type or 16-bit float values, but got 'tensor<4x32xf64>'
func.func @f64(%x: tensor<4x32xf64>) -> !lowp.blocked<4x32xmxfp8_e4m3, block = [1, 32]> {
  %q = lowp.quantize %x : tensor<4x32xf64> -> !lowp.blocked<4x32xmxfp8_e4m3, block = [1, 32]>
  return %q : !lowp.blocked<4x32xmxfp8_e4m3, block = [1, 32]>
}
