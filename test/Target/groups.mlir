// RUN: lowp-compile %s --target=sm_100a --emit=ptx -o - | FileCheck %s
// RUN: not lowp-compile %S/Inputs/groups-along.mlir --target=sm_100a --emit=ptx -o %t 2>&1 | FileCheck %s --check-prefix=ERROR

// Offsets pass through where no block could cross groups.
// CHECK: .visible .entry tokens_quantize(
// CHECK: .visible .entry tokens_dequantize(
func.func @tokens(%x: tensor<?x64xf32>, %o: tensor<5xi32>) -> (!lowp.blocked<?x64xmxfp8_e4m3, block = [1, 32], groups = 4 along 0>, tensor<?x64xf32>) {
  %q = lowp.quantize %x groups(%o : tensor<5xi32>) : tensor<?x64xf32> -> !lowp.blocked<?x64xmxfp8_e4m3, block = [1, 32], groups = 4 along 0>
  %y = lowp.dequantize %q : !lowp.blocked<?x64xmxfp8_e4m3, block = [1, 32], groups = 4 along 0> -> tensor<?x64xf32>
  return %q, %y : !lowp.blocked<?x64xmxfp8_e4m3, block = [1, 32], groups = 4 along 0>, tensor<?x64xf32>
}

// ERROR: groups-along.mlir:2:8: error: 'scf.for' op computes a value for the host, where only sizes are known, not values such as the offsets of groups
