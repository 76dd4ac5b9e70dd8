// RUN: lowp-opt %s --lowp-insert-quantization --split-input-file --verify-diagnostics

!q = !lowp.blocked<?x96xmxfp8_e4m3, block = [1, 32]>

func.func @blocked(%x: !q, %w: tensor<64x96xbf16>) -> tensor<?x64xf32> {
  // expected-error @below {{'lowp.matmul' op expects the planned lhs to be a tensor, but got '!lowp.blocked<?x96xmxfp8_e4m3, block = [1, 32]>'}}
  %y = lowp.matmul %x, %w transpose_rhs
    plan = <lhs = <format = <mxfp8_e4m3>, block = 32, outer = none, rule = <>>>
    : !q, tensor<64x96xbf16> -> tensor<?x64xf32>
  return %y : tensor<?x64xf32>
}

// -----

func.func @no_forward(%x: tensor<8x96xbf16>, %g: tensor<8x64xbf16>) -> tensor<96x64xf32> {
  // expected-error @below {{'lowp.matmul' op has a plan that makes the lhs from what its forward site reads quantised, but no forward site stands before it}}
  %d = lowp.matmul %x, %g transpose_lhs
    site = <name = "w#2", role = wgrad, kind = dense, activation = lhs, forward = "w">
    plan = <lhs = <format = <mxfp8_e4m3>, block = 32, outer = none, rule = <>, source = forward_quantized>>
    : tensor<8x96xbf16>, tensor<8x64xbf16> -> tensor<96x64xf32>
  return %d : tensor<96x64xf32>
}

// -----

func.func @high_precision(%x: tensor<8x96xbf16>, %w: tensor<96x64xbf16>, %g: tensor<8x64xbf16>) -> (tensor<8x64xf32>, tensor<96x64xf32>) {
  // expected-note @below {{the forward site is here}}
  %y = lowp.matmul %x, %w site = <name = "w", role = fprop, kind = dense, weight = rhs>
    : tensor<8x96xbf16>, tensor<96x64xbf16> -> tensor<8x64xf32>
  // expected-error @below {{'lowp.matmul' op has a plan that makes the lhs from what its forward site reads quantised, but that is 'tensor<8x96xbf16>'}}
  %d = lowp.matmul %x, %g transpose_lhs
    site = <name = "w#2", role = wgrad, kind = dense, activation = lhs, forward = "w">
    plan = <lhs = <format = <mxfp8_e4m3>, block = 32, outer = none, rule = <>, source = forward_quantized>>
    : tensor<8x96xbf16>, tensor<8x64xbf16> -> tensor<96x64xf32>
  return %y, %d : tensor<8x64xf32>, tensor<96x64xf32>
}

// -----

func.func @shapes(%x: tensor<8x96xbf16>, %z: tensor<8x32xbf16>, %w: tensor<96x64xbf16>, %g: tensor<8x64xbf16>) -> (tensor<8x64xf32>, tensor<32x64xf32>) {
  // expected-note @below {{the forward site is here}}
  %y = lowp.matmul %x, %w site = <name = "w", role = fprop, kind = dense, weight = rhs>
    plan = <lhs = <format = <nvfp4>, block = 16, outer = per_token, rule = <>>>
    : tensor<8x96xbf16>, tensor<96x64xbf16> -> tensor<8x64xf32>
  // expected-error @below {{but that is '!lowp.blocked<8x96xnvfp4, block = [1, 16], outer = [0]>', which is no form of 'tensor<8x32xbf16>'}}
  %d = lowp.matmul %z, %g transpose_lhs
    site = <name = "w#2", role = wgrad, kind = dense, activation = lhs, forward = "w">
    plan = <lhs = <format = <mxfp8_e4m3>, block = 32, outer = none, rule = <>, source = forward_quantized>>
    : tensor<8x32xbf16>, tensor<8x64xbf16> -> tensor<32x64xf32>
  return %y, %d : tensor<8x64xf32>, tensor<32x64xf32>
}

// -----

// An outer scale per token lies along the contraction of the gradient.
func.func @kept_token(%x: tensor<8x96xbf16>, %w: tensor<96x64xbf16>, %g: tensor<8x64xbf16>) -> (tensor<8x64xf32>, tensor<96x64xf32>) {
  %y = lowp.matmul %x, %w site = <name = "w", role = fprop, kind = dense, weight = rhs>
    plan = <lhs = <format = <nvfp4>, block = 16, outer = per_token, rule = <>>>
    : tensor<8x96xbf16>, tensor<96x64xbf16> -> tensor<8x64xf32>
  // expected-error @below {{outer}}
  %d = lowp.matmul %x, %g transpose_lhs
    site = <name = "w#2", role = wgrad, kind = dense, activation = lhs, forward = "w">
    plan = <lhs = <format = <f8E4M3FN, f8E8M0FNU, outer>, block = 32, outer = keep, rule = <>, source = forward_quantized>>
    : tensor<8x96xbf16>, tensor<8x64xbf16> -> tensor<96x64xf32>
  return %y, %d : tensor<8x64xf32>, tensor<96x64xf32>
}
