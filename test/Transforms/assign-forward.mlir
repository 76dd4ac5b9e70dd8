// RUN: lowp-opt %s --pass-pipeline='builtin.module(lowp-recognize,lowp-assign-formats{recipe=nvfp4})' --remarks-filter-missed=lowp-assign-formats 2>&1 | FileCheck %s
// RUN: lowp-opt %s --pass-pipeline='builtin.module(lowp-recognize,lowp-assign-formats{recipe=nvfp4},lowp-insert-quantization)' -o /dev/null

// A recipe makes operands of backward sites from what forward sites read. Where
// the program does not show that, the site stays as it is.
// CHECK-DAG: site 'w': not quantised, nvfp4: rule 4, but no forward site is known that reads the same matrix
// CHECK-DAG: site 'w#2': not quantised, nvfp4: rule 5, but no forward site is known that reads the same matrix
// CHECK-DAG: site 'v#2': not quantised, nvfp4: rule 5, but no forward site is known that reads the same matrix
#km = affine_map<(m, n, k) -> (k, m)>
#kn = affine_map<(m, n, k) -> (k, n)>
#mn = affine_map<(m, n, k) -> (m, n)>
// CHECK-LABEL: func @backward
// CHECK-COUNT-2: linalg.matmul
func.func @backward(%w: tensor<96x64xbf16> {lowp.param = #lowp.param<name = "w", kind = weight>},
                    %x: tensor<8x64xbf16> {lowp.param = #lowp.param<name = "x", kind = activation>},
                    %g: tensor<8x96xbf16> {lowp.param = #lowp.param<name = "g", kind = cotangent>})
    -> (tensor<8x64xf32>, tensor<64x96xf32>) {
  %f0 = arith.constant dense<0.0> : tensor<8x64xf32>
  %f1 = arith.constant dense<0.0> : tensor<64x96xf32>
  %0 = linalg.matmul ins(%g, %w : tensor<8x96xbf16>, tensor<96x64xbf16>) outs(%f0 : tensor<8x64xf32>) -> tensor<8x64xf32>
  %1 = linalg.matmul indexing_maps = [#km, #kn, #mn] ins(%x, %g : tensor<8x64xbf16>, tensor<8x96xbf16>) outs(%f1 : tensor<64x96xf32>) -> tensor<64x96xf32>
  return %0, %1 : tensor<8x64xf32>, tensor<64x96xf32>
}

// The forward product reads all sequences as one matrix, the backward one gives
// a gradient for each.
// CHECK-LABEL: func @per_sequence
// CHECK: lowp.matmul {{.*}}name = "v", role = fprop
// CHECK: linalg.batch_matmul
func.func @per_sequence(%v: tensor<64x96xbf16> {lowp.param = #lowp.param<name = "v", kind = weight>},
                        %x: tensor<4x8x64xbf16> {lowp.param = #lowp.param<name = "x", kind = activation>},
                        %g: tensor<4x8x96xbf16> {lowp.param = #lowp.param<name = "g", kind = cotangent>})
    -> (tensor<4x8x96xf32>, tensor<4x64x96xf32>) {
  %f0 = arith.constant dense<0.0> : tensor<4x8x96xf32>
  %f1 = arith.constant dense<0.0> : tensor<4x64x96xf32>
  %e0 = tensor.empty() : tensor<4x64x96xbf16>
  %e1 = tensor.empty() : tensor<4x64x8xbf16>
  %b = linalg.broadcast ins(%v : tensor<64x96xbf16>) outs(%e0 : tensor<4x64x96xbf16>) dimensions = [0]
  %y = linalg.batch_matmul ins(%x, %b : tensor<4x8x64xbf16>, tensor<4x64x96xbf16>) outs(%f0 : tensor<4x8x96xf32>) -> tensor<4x8x96xf32>
  %t = linalg.transpose ins(%x : tensor<4x8x64xbf16>) outs(%e1 : tensor<4x64x8xbf16>) permutation = [0, 2, 1]
  %dv = linalg.batch_matmul ins(%t, %g : tensor<4x64x8xbf16>, tensor<4x8x96xbf16>) outs(%f1 : tensor<4x64x96xf32>) -> tensor<4x64x96xf32>
  return %y, %dv : tensor<4x8x96xf32>, tensor<4x64x96xf32>
}
