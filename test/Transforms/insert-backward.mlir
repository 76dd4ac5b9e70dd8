// RUN: lowp-opt %s --lowp-insert-quantization --split-input-file | FileCheck %s

// What the forward product contracts last, the backward one does not: the last
// two dims change places, wherever the operand stands. An outer scale per token
// lies along the contraction and is multiplied in; one per tensor is kept.
// CHECK-LABEL: func @orientations
// CHECK-DAG: %[[QX:.*]] = lowp.quantize %arg0 {{.*}}-> !lowp.blocked<?x96xnvfp4, block = [1, 16], outer = [0]>
// CHECK-DAG: %[[QW:.*]] = lowp.quantize %arg1 : {{.*}} -> !lowp.blocked<64x96xnvfp4, block = [1, 16]>
// CHECK: lowp.matmul %[[QX]], %[[QW]] transpose_rhs
// CHECK: %[[XT:.*]] = lowp.requantize %[[QX]] permutation = [1, 0] : {{.*}} -> !lowp.blocked<96x?xmxfp8_e4m3, block = [1, 32]>
// CHECK: lowp.matmul %[[XT]], %arg2 site
// CHECK: lowp.matmul %arg2, %[[XT]] transpose_lhs transpose_rhs site
// CHECK: %[[WT:.*]] = lowp.requantize %[[QW]] permutation = [1, 0] outer = keep : {{.*}} -> !lowp.blocked<96x64x<f8E4M3FN, f8E8M0FNU, outer>, block = [1, 32]>
// CHECK: lowp.matmul %arg2, %[[WT]] transpose_rhs site
func.func @orientations(%x: tensor<?x96xbf16>, %w: tensor<64x96xbf16>, %g: tensor<?x64xbf16>)
    -> (tensor<?x64xf32>, tensor<96x64xf32>, tensor<64x96xf32>, tensor<?x96xf32>) {
  %y = lowp.matmul %x, %w transpose_rhs
    site = <name = "w", role = fprop, kind = dense, weight = rhs>
    plan = <lhs = <format = <nvfp4>, block = 16, outer = per_token, rule = <>>,
            rhs = <format = <nvfp4>, block = 16, outer = per_tensor, rule = <>>>
    : tensor<?x96xbf16>, tensor<64x96xbf16> -> tensor<?x64xf32>
  %d = lowp.matmul %x, %g transpose_lhs
    site = <name = "w#2", role = wgrad, kind = dense, activation = lhs, forward = "w">
    plan = <lhs = <format = <mxfp8_e4m3>, block = 32, outer = none, rule = <>, source = forward_quantized>>
    : tensor<?x96xbf16>, tensor<?x64xbf16> -> tensor<96x64xf32>
  %e = lowp.matmul %g, %x transpose_lhs
    site = <name = "w#3", role = wgrad, kind = dense, activation = rhs, forward = "w">
    plan = <rhs = <format = <mxfp8_e4m3>, block = 32, outer = none, rule = <>, source = forward_quantized>>
    : tensor<?x64xbf16>, tensor<?x96xbf16> -> tensor<64x96xf32>
  %dx = lowp.matmul %g, %w
    site = <name = "w#4", role = dgrad, kind = dense, weight = rhs, forward = "w">
    plan = <rhs = <format = <f8E4M3FN, f8E8M0FNU, outer>, block = 32, outer = keep, rule = <>, source = forward_quantized>>
    : tensor<?x64xbf16>, tensor<64x96xbf16> -> tensor<?x96xf32>
  return %y, %d, %e, %dx : tensor<?x64xf32>, tensor<96x64xf32>, tensor<64x96xf32>, tensor<?x96xf32>
}

// -----

// Stored with the contraction first, the axes stay; without an outer scale in
// the forward value there is none to keep. Tiles have a size in both dims.
// CHECK-LABEL: func @stored_transposed
// CHECK: %[[QX:.*]] = lowp.quantize %arg0 : {{.*}} -> !lowp.blocked<96x8xmxfp8_e4m3, block = [32, 1]>
// CHECK: %[[QW:.*]] = lowp.quantize %arg1 : {{.*}} -> !lowp.blocked<96x64xmxfp8_e4m3, block = [16, 16]>
// CHECK: lowp.requantize %[[QX]] permutation = [0, 1] : {{.*}} -> !lowp.blocked<96x8xmxfp8_e4m3, block = [1, 32]>
// CHECK: lowp.requantize %[[QW]] permutation = [0, 1] : {{.*}} -> !lowp.blocked<96x64xmxfp8_e4m3, block = [16, 16]>
func.func @stored_transposed(%x: tensor<96x8xbf16>, %w: tensor<96x64xbf16>, %g: tensor<8x64xbf16>)
    -> (tensor<8x64xf32>, tensor<96x64xf32>, tensor<8x96xf32>) {
  %y = lowp.matmul %x, %w transpose_lhs
    site = <name = "w", role = fprop, kind = dense, weight = rhs>
    plan = <lhs = <format = <mxfp8_e4m3>, block = 32, outer = none, rule = <>>,
            rhs = <format = <mxfp8_e4m3>, block = 16, outer = none, rule = <>, tile = 16>>
    : tensor<96x8xbf16>, tensor<96x64xbf16> -> tensor<8x64xf32>
  %d = lowp.matmul %x, %g
    site = <name = "w#2", role = wgrad, kind = dense, activation = lhs, forward = "w">
    plan = <lhs = <format = <mxfp8_e4m3>, block = 32, outer = none, rule = <>, source = forward_quantized>>
    : tensor<96x8xbf16>, tensor<8x64xbf16> -> tensor<96x64xf32>
  %dx = lowp.matmul %g, %w transpose_rhs
    site = <name = "w#3", role = dgrad, kind = dense, weight = rhs, forward = "w">
    plan = <rhs = <format = <f8E4M3FN, f8E8M0FNU, outer>, block = 16, outer = keep, rule = <>, tile = 16, source = forward_quantized>>
    : tensor<8x64xbf16>, tensor<96x64xbf16> -> tensor<8x96xf32>
  return %y, %d, %dx : tensor<8x64xf32>, tensor<96x64xf32>, tensor<8x96xf32>
}

// -----

// The gradients of gate and up share the random bits of their activation; the
// gradient that dgrad and wgrad read is quantised for each.
// CHECK-LABEL: func @shared
// CHECK: %[[QX:.*]] = lowp.quantize %arg0 {{.*}}nvfp4, block
// CHECK-NOT: lowp.quantize %arg0
// CHECK: %[[XT:.*]] = lowp.requantize %[[QX]] {{.*}}round = stochastic
// CHECK: %[[G:.*]] = lowp.quantize %arg3
// CHECK: lowp.matmul %[[XT]], %[[G]] site = <name = "w#2"
// CHECK-NOT: lowp.requantize
// CHECK-NOT: lowp.quantize
// CHECK: lowp.matmul %[[XT]], %[[G]] site = <name = "v#2"
// CHECK: lowp.quantize %arg3
// CHECK: lowp.matmul {{.*}} site = <name = "w#4"
!sr = tensor<8x64xbf16>
func.func @shared(%x: tensor<8x32xbf16>, %w: tensor<32x64xbf16>, %v: tensor<32x64xbf16>, %g: !sr)
    -> (tensor<8x64xf32>, tensor<8x64xf32>, tensor<32x64xf32>, tensor<32x64xf32>, tensor<8x32xf32>) {
  %0 = lowp.matmul %x, %w
    site = <name = "w", role = fprop, kind = dense, weight = rhs>
    plan = <lhs = <format = <nvfp4>, block = 16, outer = per_token, rule = <>>>
    : tensor<8x32xbf16>, tensor<32x64xbf16> -> tensor<8x64xf32>
  %1 = lowp.matmul %x, %v
    site = <name = "v", role = fprop, kind = dense, weight = rhs>
    plan = <lhs = <format = <nvfp4>, block = 16, outer = per_token, rule = <>>>
    : tensor<8x32xbf16>, tensor<32x64xbf16> -> tensor<8x64xf32>
  %2 = lowp.matmul %x, %g transpose_lhs
    site = <name = "w#2", role = wgrad, kind = dense, activation = lhs, forward = "w">
    plan = <lhs = <format = <mxfp8_e4m3>, block = 32, outer = none, rule = <round = stochastic>, source = forward_quantized>,
            rhs = <format = <mxfp8_e4m3>, block = 32, outer = none, rule = <round = stochastic>>>
    : tensor<8x32xbf16>, !sr -> tensor<32x64xf32>
  %3 = lowp.matmul %x, %g transpose_lhs
    site = <name = "v#2", role = wgrad, kind = dense, activation = lhs, forward = "v">
    plan = <lhs = <format = <mxfp8_e4m3>, block = 32, outer = none, rule = <round = stochastic>, source = forward_quantized>,
            rhs = <format = <mxfp8_e4m3>, block = 32, outer = none, rule = <round = stochastic>>>
    : tensor<8x32xbf16>, !sr -> tensor<32x64xf32>
  %4 = lowp.matmul %g, %w transpose_rhs
    site = <name = "w#4", role = dgrad, kind = dense, weight = rhs, forward = "w">
    plan = <lhs = <format = <mxfp8_e4m3>, block = 32, outer = none, rule = <round = stochastic>>>
    : !sr, tensor<32x64xbf16> -> tensor<8x32xf32>
  return %0, %1, %2, %3, %4 : tensor<8x64xf32>, tensor<8x64xf32>, tensor<32x64xf32>, tensor<32x64xf32>, tensor<8x32xf32>
}

// -----

// Experts whose tokens are grouped: blocks along the tokens never cross groups.
// CHECK-LABEL: func @grouped
// CHECK: %[[QX:.*]] = lowp.quantize %arg0 {{.*}}-> !lowp.blocked<?x96xnvfp4, block = [1, 16], outer = [0]>
// CHECK: lowp.requantize %[[QX]] groups(%arg3 : tensor<5xi32>) permutation = [1, 0]
// CHECK-SAME: -> !lowp.blocked<96x?xmxfp8_e4m3, block = [1, 32], groups = 4 along 1>
// CHECK: lowp.quantize %arg2 groups(%arg3 : tensor<5xi32>) {{.*}}-> !lowp.blocked<?x64xmxfp8_e4m3, block = [32, 1], groups = 4 along 0>
// CHECK: lowp.k_grouped_matmul
// CHECK-NOT: transpose_lhs
// CHECK: return
func.func @grouped(%x: tensor<?x96xbf16>, %w: tensor<4x96x64xbf16>, %g: tensor<?x64xbf16>, %o: tensor<5xi32>)
    -> (tensor<?x64xf32>, tensor<4x96x64xf32>) {
  %y = lowp.grouped_matmul %x, %w groups(%o : tensor<5xi32>)
    site = <name = "w", role = fprop, kind = expert, weight = rhs>
    plan = <lhs = <format = <nvfp4>, block = 16, outer = per_token, rule = <>>>
    : tensor<?x96xbf16>, tensor<4x96x64xbf16> -> tensor<?x64xf32>
  %d = lowp.k_grouped_matmul %x, %g groups(%o : tensor<5xi32>) transpose_lhs
    site = <name = "w#2", role = wgrad, kind = expert, activation = lhs, forward = "w">
    plan = <lhs = <format = <mxfp8_e4m3>, block = 32, outer = none, rule = <>, source = forward_quantized>,
            rhs = <format = <mxfp8_e4m3>, block = 32, outer = none, rule = <>>>
    : tensor<?x96xbf16>, tensor<?x64xbf16> -> tensor<4x96x64xf32>
  return %y, %d : tensor<?x64xf32>, tensor<4x96x64xf32>
}
