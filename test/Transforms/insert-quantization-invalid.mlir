// RUN: lowp-opt %s --lowp-insert-quantization --split-input-file --verify-diagnostics

func.func @stochastic(%x: tensor<?x96xbf16>, %w: tensor<64x96xbf16>) -> tensor<?x64xf32> {
  // expected-error @below {{'lowp.matmul' op expects nearest rounding in the plan of the lhs, but got #lowp.rule<round = stochastic>}}
  %y = lowp.matmul %x, %w transpose_rhs
    plan = <lhs = <format = <mxfp8_e4m3>, block = 32, outer = none, rule = <round = stochastic>>>
    : tensor<?x96xbf16>, tensor<64x96xbf16> -> tensor<?x64xf32>
  return %y : tensor<?x64xf32>
}
