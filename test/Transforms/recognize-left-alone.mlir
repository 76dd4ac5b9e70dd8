// RUN: lowp-opt %s --split-input-file --lowp-recognize --remarks-filter-missed=lowp-recognize --verify-diagnostics -o /dev/null

func.func @activations(%a: tensor<4x?x64xf32>, %b: tensor<4x64x?xf32>, %f: tensor<4x?x?xf32>) -> tensor<4x?x?xf32> {
  // expected-remark @below {{left 'linalg.batch_matmul' alone: no operand is a weight}}
  %0 = linalg.batch_matmul ins(%a, %b : tensor<4x?x64xf32>, tensor<4x64x?xf32>) outs(%f : tensor<4x?x?xf32>) -> tensor<4x?x?xf32>
  return %0 : tensor<4x?x?xf32>
}

// -----

// Keys and values of a cache are arguments, but no weights.
#row = affine_map<(h, t, s) -> (h, t)>
#all = affine_map<(h, t, s) -> (h, t, s)>
func.func @cache(%x: tensor<2x8x16xf32>, %k: tensor<2x16x32xf32>, %v: tensor<2x32x16xf32>) -> tensor<2x8x16xf32> {
  %f = arith.constant dense<0.0> : tensor<2x8x32xf32>
  %g = arith.constant dense<0.0> : tensor<2x8x16xf32>
  %h = arith.constant dense<0.0> : tensor<2x8xf32>
  %q = arith.addf %x, %x : tensor<2x8x16xf32>
  // expected-remark @below {{left 'linalg.batch_matmul' alone: no operand is a weight}}
  %s = linalg.batch_matmul ins(%q, %k : tensor<2x8x16xf32>, tensor<2x16x32xf32>) outs(%f : tensor<2x8x32xf32>) -> tensor<2x8x32xf32>
  %e1 = linalg.generic {indexing_maps = [#all, #all], iterator_types = ["parallel", "parallel", "parallel"]}
      ins(%s : tensor<2x8x32xf32>) outs(%f : tensor<2x8x32xf32>) {
  ^bb0(%in: f32, %out: f32):
    %0 = math.exp %in : f32
    linalg.yield %0 : f32
  } -> tensor<2x8x32xf32>
  %n = linalg.generic {indexing_maps = [#all, #row], iterator_types = ["parallel", "parallel", "reduction"]}
      ins(%e1 : tensor<2x8x32xf32>) outs(%h : tensor<2x8xf32>) {
  ^bb0(%in: f32, %out: f32):
    %0 = arith.addf %in, %out : f32
    linalg.yield %0 : f32
  } -> tensor<2x8xf32>
  %p = linalg.generic {indexing_maps = [#all, #row, #all], iterator_types = ["parallel", "parallel", "parallel"]}
      ins(%e1, %n : tensor<2x8x32xf32>, tensor<2x8xf32>) outs(%f : tensor<2x8x32xf32>) {
  ^bb0(%in: f32, %sum: f32, %out: f32):
    %0 = arith.divf %in, %sum : f32
    linalg.yield %0 : f32
  } -> tensor<2x8x32xf32>
  // expected-remark @below {{left 'linalg.batch_matmul' alone: no operand is a weight}}
  %y = linalg.batch_matmul ins(%p, %v : tensor<2x8x32xf32>, tensor<2x32x16xf32>) outs(%g : tensor<2x8x16xf32>) -> tensor<2x8x16xf32>
  return %y : tensor<2x8x16xf32>
}

// -----

func.func @convolution(%x: tensor<1x16x14x14xf32>, %w: tensor<32x16x1x1xf32>, %f: tensor<1x32x14x14xf32>) -> tensor<1x32x14x14xf32> {
  // expected-remark @below {{left 'linalg.conv_2d_nchw_fchw' alone: it is a convolution}}
  %0 = linalg.conv_2d_nchw_fchw ins(%x, %w : tensor<1x16x14x14xf32>, tensor<32x16x1x1xf32>) outs(%f : tensor<1x32x14x14xf32>) -> tensor<1x32x14x14xf32>
  return %0 : tensor<1x32x14x14xf32>
}

// -----

func.func @f64(%x: tensor<8x16xf64>, %w: tensor<16x4xf64>, %f: tensor<8x4xf64>) -> tensor<8x4xf64> {
  // expected-remark @below {{left 'linalg.matmul' alone: it accumulates in f64; supported are f32, bf16 and f16}}
  %0 = linalg.matmul ins(%x, %w : tensor<8x16xf64>, tensor<16x4xf64>) outs(%f : tensor<8x4xf64>) -> tensor<8x4xf64>
  return %0 : tensor<8x4xf64>
}

// -----

func.func @outer_product(%x: tensor<8x1xf32>, %w: tensor<1x4xf32>, %f: tensor<8x4xf32>) -> tensor<8x4xf32> {
  // expected-remark @below {{left 'linalg.matmul' alone: its dims do not form a matrix product}}
  %0 = linalg.matmul ins(%x, %w : tensor<8x1xf32>, tensor<1x4xf32>) outs(%f : tensor<8x4xf32>) -> tensor<8x4xf32>
  return %0 : tensor<8x4xf32>
}

// -----

func.func @both(%v: tensor<8x16xf32> {lowp.param = #lowp.param<name = "v", kind = weight>},
                %w: tensor<16x4xf32> {lowp.param = #lowp.param<name = "w", kind = weight>}, %f: tensor<8x4xf32>) -> tensor<8x4xf32> {
  // expected-remark @below {{left 'linalg.matmul' alone: both operands are weights}}
  %0 = linalg.matmul ins(%v, %w : tensor<8x16xf32>, tensor<16x4xf32>) outs(%f : tensor<8x4xf32>) -> tensor<8x4xf32>
  return %0 : tensor<8x4xf32>
}

// -----

// A weight that is computed is no weight of the model.
func.func @computed(%x: tensor<8x16xf32> {lowp.param = #lowp.param<name = "x", kind = activation>},
                    %w: tensor<16x4xf32> {lowp.param = #lowp.param<name = "w", kind = weight>}, %f: tensor<8x4xf32>) -> tensor<8x4xf32> {
  %d = arith.mulf %w, %w : tensor<16x4xf32>
  // expected-remark @below {{left 'linalg.matmul' alone: no operand is a weight}}
  %0 = linalg.matmul ins(%x, %d : tensor<8x16xf32>, tensor<16x4xf32>) outs(%f : tensor<8x4xf32>) -> tensor<8x4xf32>
  return %0 : tensor<8x4xf32>
}

// -----

// The same weight the other way round, without a gradient in sight.
func.func @autoencoder(%x: tensor<8x96xf32>, %w: tensor<96x64xf32>) -> tensor<8x96xf32> {
  %f = arith.constant dense<0.0> : tensor<8x64xf32>
  %g = arith.constant dense<0.0> : tensor<8x96xf32>
  %0 = linalg.matmul ins(%x, %w : tensor<8x96xf32>, tensor<96x64xf32>) outs(%f : tensor<8x64xf32>) -> tensor<8x64xf32>
  // expected-remark @below {{left 'linalg.contract' alone: it cannot be told whether this product of a weight used before is part of the forward computation}}
  %1 = linalg.contract indexing_maps = [affine_map<(m, n, k) -> (m, k)>, affine_map<(m, n, k) -> (n, k)>, affine_map<(m, n, k) -> (m, n)>]
      ins(%0, %w : tensor<8x64xf32>, tensor<96x64xf32>) outs(%g : tensor<8x96xf32>) -> tensor<8x96xf32>
  return %1 : tensor<8x96xf32>
}

// -----

func.func @sizes(%x: tensor<?x64xf32>, %w: tensor<32x64xf32>, %f: tensor<?x64xf32>) -> tensor<?x64xf32> {
  // expected-error @below {{'linalg.matmul' op expects operands of matching sizes, but got 64 and 32 along one loop}}
  %0 = linalg.matmul ins(%x, %w : tensor<?x64xf32>, tensor<32x64xf32>) outs(%f : tensor<?x64xf32>) -> tensor<?x64xf32>
  return %0 : tensor<?x64xf32>
}
