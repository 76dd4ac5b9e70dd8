// RUN: lowp-opt %s --lowp-insert-quantization --split-input-file --verify-diagnostics

!q = !lowp.blocked<?x96xmxfp8_e4m3, block = [1, 32]>

func.func @blocked(%x: !q, %w: tensor<64x96xbf16>) -> tensor<?x64xf32> {
  // expected-error @below {{'lowp.matmul' op expects the planned lhs to be a tensor, but got '!lowp.blocked<?x96xmxfp8_e4m3, block = [1, 32]>'}}
  %y = lowp.matmul %x, %w transpose_rhs
    plan = <lhs = <format = <mxfp8_e4m3>, block = 32, outer = none, rule = <>>>
    : !q, tensor<64x96xbf16> -> tensor<?x64xf32>
  return %y : tensor<?x64xf32>
}
