// RUN: lowp-opt %s --lowp-instrument-quantization | FileCheck %s
// RUN: not lowp-opt %s --lowp-instrument-quantization=entry=nowhere 2>&1 | FileCheck %s --check-prefix=NOWHERE

// NOWHERE: error: expected a function with a body named 'nowhere' to instrument

!q = !lowp.blocked<?x96xmxfp8_e4m3, block = [1, 32]>

// CHECK: module attributes {lowp.measurements =
// CHECK-SAME: {readers = [{operand = "lhs", site = "gate"}, {operand = "lhs", site = "up"}], result = 2 : i64}
// CHECK-LABEL: func @main
// CHECK-SAME: -> (tensor<?x64xf32>, tensor<?x64xf32>, tensor<?x96xbf16>, tensor<?x96xf32>)
func.func @main(%x: tensor<?x96xbf16>, %g: tensor<64x96xbf16>, %u: tensor<64x96xbf16>) -> (tensor<?x64xf32>, tensor<?x64xf32>) {
  // CHECK: %[[Q:.*]] = lowp.quantize %[[X:.*]] :
  %q = lowp.quantize %x : tensor<?x96xbf16> -> !q
  %gate = lowp.matmul %q, %g transpose_rhs site = <name = "gate", role = fprop, kind = dense, weight = rhs>
    : !q, tensor<64x96xbf16> -> tensor<?x64xf32>
  %up = lowp.matmul %q, %u transpose_rhs site = <name = "up", role = fprop, kind = dense, weight = rhs>
    : !q, tensor<64x96xbf16> -> tensor<?x64xf32>
  // CHECK: %[[D:.*]] = lowp.dequantize %[[Q]]
  // CHECK: return %{{.*}}, %{{.*}}, %[[X]], %[[D]]
  return %gate, %up : tensor<?x64xf32>, tensor<?x64xf32>
}
