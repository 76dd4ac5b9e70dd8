// Patterns of files hold as written: whole names, alternatives in braces,
// escaped characters.
// RUN: echo '{"version": 1, "rules": [{"name": "alpha.weight", "weight": "mxfp8_e4m3"}, {"name": "layers.{0,1}.*", "weight": "mxfp4"}, {"name": "odd\\[1\\]", "weight": "nvfp4"}]}' > %t.json
// RUN: lowp-opt %s --pass-pipeline='builtin.module(lowp-recognize,lowp-assign-formats{recipe=%t.json})' | FileCheck %s

// CHECK: module attributes {lowp.sites = [
// CHECK-SAME: name = "alpha.weight"{{[^}]*}} why = "{{.*}}rule 1"
// CHECK-SAME: name = "layers.1.up.weight"{{[^}]*}} why = "{{.*}}rule 2"
// CHECK-SAME: name = "layers.2.up.weight"{{[^}]*}} why = "no rule matches"
// CHECK-SAME: name = "odd[1]"{{[^}]*}} why = "{{.*}}rule 3"
func.func @main(%x: tensor<8x32xbf16>,
    %a: tensor<32x32xbf16> {lowp.param = #lowp.param<name = "alpha.weight", kind = weight>},
    %b: tensor<32x32xbf16> {lowp.param = #lowp.param<name = "layers.1.up.weight", kind = weight>},
    %c: tensor<32x32xbf16> {lowp.param = #lowp.param<name = "layers.2.up.weight", kind = weight>},
    %d: tensor<32x32xbf16> {lowp.param = #lowp.param<name = "odd[1]", kind = weight>},
    %i: tensor<8x32xf32>) -> (tensor<8x32xf32>, tensor<8x32xf32>, tensor<8x32xf32>, tensor<8x32xf32>) {
  %0 = linalg.matmul ins(%x, %a : tensor<8x32xbf16>, tensor<32x32xbf16>) outs(%i : tensor<8x32xf32>) -> tensor<8x32xf32>
  %1 = linalg.matmul ins(%x, %b : tensor<8x32xbf16>, tensor<32x32xbf16>) outs(%i : tensor<8x32xf32>) -> tensor<8x32xf32>
  %2 = linalg.matmul ins(%x, %c : tensor<8x32xbf16>, tensor<32x32xbf16>) outs(%i : tensor<8x32xf32>) -> tensor<8x32xf32>
  %3 = linalg.matmul ins(%x, %d : tensor<8x32xbf16>, tensor<32x32xbf16>) outs(%i : tensor<8x32xf32>) -> tensor<8x32xf32>
  return %0, %1, %2, %3 : tensor<8x32xf32>, tensor<8x32xf32>, tensor<8x32xf32>, tensor<8x32xf32>
}
