// RUN: lowp-opt %s --split-input-file | FileCheck %s
// RUN: lowp-opt %s --split-input-file --convert-lowp-to-arith --canonicalize | FileCheck %s --check-prefix=FOLD

// Programs that other systems do not take, or get wrong. A function is named
// after its row (docs/testing.md).

// A scale byte of 0xFF is NaN where it is known too, and no byte is a crash.
// FOLD-LABEL: func.func @row47
// FOLD-DAG: arith.constant 0x7FC00000 : f32
// FOLD-DAG: arith.constant 1.280000e+02 : f32
// FOLD: return
func.func @row47() -> (f32, f32) {
  %nan = arith.constant -1 : i8
  %large = arith.constant 134 : i8
  %0 = lowp.decode_scale %nan type = f8E8M0FNU
  %1 = lowp.decode_scale %large type = f8E8M0FNU
  return %0, %1 : f32, f32
}

// -----

// Each operand has a layout of its own.
// CHECK-LABEL: func.func @row92
// CHECK: lowp.matmul {{.*}}layout = tcgen05_128x4>, !lowp.blocked<64x32xmxfp8_e4m3, block = [32, 1]>
func.func @row92(%x: !lowp.blocked<4x64xmxfp8_e4m3, block = [1, 32], layout = tcgen05_128x4>, %w: !lowp.blocked<64x32xmxfp8_e4m3, block = [32, 1]>) -> tensor<4x32xf32> {
  %0 = lowp.matmul %x, %w : !lowp.blocked<4x64xmxfp8_e4m3, block = [1, 32], layout = tcgen05_128x4>, !lowp.blocked<64x32xmxfp8_e4m3, block = [32, 1]> -> tensor<4x32xf32>
  return %0 : tensor<4x32xf32>
}

// -----

// One operation quantises to any format, and the type says all about blocks.
// CHECK-LABEL: func.func @row128
// CHECK: lowp.quantize %{{.*}} -> !lowp.blocked<?x64xnvfp4, block = [1, 16], outer = [0]>
// CHECK: lowp.quantize %{{.*}} -> !lowp.blocked<?x64x<f8E5M2, f8E4M3FN, outer>, block = [1, 8]>
func.func @row128(%x: tensor<?x64xbf16>) -> (!lowp.blocked<?x64xnvfp4, block = [1, 16], outer = [0]>, !lowp.blocked<?x64x<f8E5M2, f8E4M3FN, outer>, block = [1, 8]>) {
  %0 = lowp.quantize %x : tensor<?x64xbf16> -> !lowp.blocked<?x64xnvfp4, block = [1, 16], outer = [0]>
  %1 = lowp.quantize %x : tensor<?x64xbf16> -> !lowp.blocked<?x64x<f8E5M2, f8E4M3FN, outer>, block = [1, 8]>
  return %0, %1 : !lowp.blocked<?x64xnvfp4, block = [1, 16], outer = [0]>, !lowp.blocked<?x64x<f8E5M2, f8E4M3FN, outer>, block = [1, 8]>
}
