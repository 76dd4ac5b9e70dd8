// RUN: lowp-opt %s --lowp-insert-quantization --split-input-file | FileCheck %s

// The axes of the outer scale follow from its granularity, blocks lie along the
// contraction axis of each operand, and origin and plan go.
// CHECK-LABEL: func @dense
// CHECK-SAME: (%[[X:.*]]: tensor<?x96xbf16>, %[[W:.*]]: tensor<64x96xbf16>)
func.func @dense(%x: tensor<?x96xbf16>, %w: tensor<64x96xbf16>) -> tensor<?x64xf32> {
  // CHECK: %[[QX:.*]] = lowp.quantize %[[X]] {rule = #lowp.rule<four_six = mse>}
  // CHECK-SAME: -> !lowp.blocked<?x96xnvfp4, block = [1, 16], outer = [0]>
  // CHECK: %[[QW:.*]] = lowp.quantize %[[W]]
  // CHECK-SAME: -> !lowp.blocked<64x96xnvfp4, block = [1, 16]>
  // CHECK: lowp.matmul %[[QX]], %[[QW]] transpose_rhs
  // CHECK-SAME: site = <name = "fc"
  // CHECK-NOT: plan
  // CHECK-NOT: origin
  %y = lowp.matmul %x, %w transpose_rhs
    site = <name = "fc", role = fprop, kind = dense, weight = rhs>
    plan = <lhs = <format = <nvfp4>, block = 16, outer = per_token, rule = <four_six = mse>>,
            rhs = <format = <nvfp4>, block = 16, outer = per_tensor, rule = <>>>
    : tensor<?x96xbf16>, tensor<64x96xbf16> -> tensor<?x64xf32> origin {
    %c0 = arith.constant 0 : index
    %m = tensor.dim %x, %c0 : tensor<?x96xbf16>
    %e = tensor.empty(%m) : tensor<?x64xf32>
    lowp.yield %e : tensor<?x64xf32>
  }
  return %y : tensor<?x64xf32>
}

// -----

// One activation serves all experts; weights are read as they are stored.
// CHECK-LABEL: func @experts
func.func @experts(%x: tensor<32x96xbf16>, %w: tensor<4x96x64xbf16>) -> tensor<4x32x64xf32> {
  // CHECK: lowp.quantize %{{.*}} -> !lowp.blocked<32x96xnvfp4, block = [1, 16], outer = [0]>
  // CHECK: lowp.quantize %{{.*}} -> !lowp.blocked<4x96x64xnvfp4, block = [1, 16, 1], outer = [0]>
  %y = lowp.batch_matmul %x, %w
    plan = <lhs = <format = <nvfp4>, block = 16, outer = per_token, rule = <>>,
            rhs = <format = <nvfp4>, block = 16, outer = per_expert, rule = <>>>
    : tensor<32x96xbf16>, tensor<4x96x64xbf16> -> tensor<4x32x64xf32>
  return %y : tensor<4x32x64xf32>
}

// -----

// An operand without a plan stays as it is, a batched activation has an outer
// scale per token of every batch, and a transposed one has its blocks along K.
// CHECK-LABEL: func @one_side
func.func @one_side(%x: tensor<4x96x32xf32>, %w: tensor<4x96x64xbf16>) -> tensor<4x32x64xf32> {
  // CHECK: lowp.quantize %{{.*}} -> !lowp.blocked<4x96x32xnvfp4, block = [1, 16, 1], outer = [0, 2]>
  // CHECK: lowp.batch_matmul %{{.*}}, %arg1 transpose_lhs
  %y = lowp.batch_matmul %x, %w transpose_lhs
    plan = <lhs = <format = <nvfp4>, block = 16, outer = per_token, rule = <>>>
    : tensor<4x96x32xf32>, tensor<4x96x64xbf16> -> tensor<4x32x64xf32>
  return %y : tensor<4x32x64xf32>
}

// -----

// Which random bits a quantisation draws is not decided here.
// CHECK-LABEL: func @stochastic
func.func @stochastic(%x: tensor<?x96xbf16>, %w: tensor<64x96xbf16>) -> tensor<?x64xf32> {
  // CHECK: lowp.quantize %arg0 {rule = #lowp.rule<round = stochastic>} : tensor<?x96xbf16>
  // CHECK: lowp.quantize %arg1 : tensor<64x96xbf16>
  %y = lowp.matmul %x, %w transpose_rhs
    plan = <lhs = <format = <mxfp8_e4m3>, block = 32, outer = none, rule = <round = stochastic>>,
            rhs = <format = <mxfp8_e4m3>, block = 32, outer = none, rule = <>>>
    : tensor<?x96xbf16>, tensor<64x96xbf16> -> tensor<?x64xf32>
  return %y : tensor<?x64xf32>
}
