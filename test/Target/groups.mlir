// RUN: lowp-compile %s --target=sm_100a --emit=ptx -o - | FileCheck %s
// RUN: lowp-compile %S/Inputs/groups-along.mlir --target=sm_100a --emit=ptx -o - | FileCheck %s --check-prefix=ALONG

// Offsets pass through where no block could cross groups.
// CHECK: .visible .entry tokens_quantize(
// CHECK: .visible .entry tokens_dequantize(
func.func @tokens(%x: tensor<?x64xf32>, %o: tensor<5xi32>) -> (!lowp.blocked<?x64xmxfp8_e4m3, block = [1, 32], groups = 4 along 0>, tensor<?x64xf32>) {
  %q = lowp.quantize %x groups(%o : tensor<5xi32>) : tensor<?x64xf32> -> !lowp.blocked<?x64xmxfp8_e4m3, block = [1, 32], groups = 4 along 0>
  %y = lowp.dequantize %q : !lowp.blocked<?x64xmxfp8_e4m3, block = [1, 32], groups = 4 along 0> -> tensor<?x64xf32>
  return %q, %y : !lowp.blocked<?x64xmxfp8_e4m3, block = [1, 32], groups = 4 along 0>, tensor<?x64xf32>
}

// Otherwise the host reads the offsets, and launches kernels for each group.
// ALONG: .visible .entry along_quantize
