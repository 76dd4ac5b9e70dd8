// RUN: lowp-opt %s --lowp-recognize | FileCheck %s

// A table that one-hot rows are multiplied with is one that rows are gathered
// from: its other product is the head. Backward products are of the kind of
// their own forward product.
// CHECK: site = <name = "table", role = fprop, kind = embedding
// CHECK: site = <name = "table#2", role = fprop, kind = head
// CHECK: site = <name = "table#4", role = wgrad, kind = head, {{.*}}forward = "table#2">
// CHECK: site = <name = "table#3", role = dgrad, kind = head, {{.*}}forward = "table#2">
// CHECK: site = <name = "table#5", role = wgrad, kind = embedding, {{.*}}forward = "table">
#km = affine_map<(m, n, k) -> (k, m)>
#kn = affine_map<(m, n, k) -> (k, n)>
#mk = affine_map<(m, n, k) -> (m, k)>
#nk = affine_map<(m, n, k) -> (n, k)>
#mn = affine_map<(m, n, k) -> (m, n)>
#ids = affine_map<(i, j) -> (i)>
#all = affine_map<(i, j) -> (i, j)>
func.func @main(%w: tensor<32x64xf32> {lowp.param = #lowp.param<name = "table", kind = weight>},
                %ids: tensor<8xi64> {lowp.param = #lowp.param<name = "ids", kind = ids>},
                %g: tensor<8x32xf32> {lowp.param = #lowp.param<name = "g", kind = cotangent>})
    -> (tensor<8x32xf32>, tensor<32x64xf32>) {
  %f0 = arith.constant dense<0.0> : tensor<8x64xf32>
  %f1 = arith.constant dense<0.0> : tensor<8x32xf32>
  %f2 = arith.constant dense<0.0> : tensor<32x64xf32>
  %e = tensor.empty() : tensor<8x32xf32>
  %rows = linalg.generic {indexing_maps = [#ids, #all], iterator_types = ["parallel", "parallel"]}
      ins(%ids : tensor<8xi64>) outs(%e : tensor<8x32xf32>) {
  ^bb0(%in: i64, %out: f32):
    %0 = linalg.index 1 : index
    %1 = arith.index_cast %0 : index to i64
    %2 = arith.cmpi eq, %in, %1 : i64
    %3 = arith.uitofp %2 : i1 to f32
    linalg.yield %3 : f32
  } -> tensor<8x32xf32>
  %x = linalg.matmul ins(%rows, %w : tensor<8x32xf32>, tensor<32x64xf32>) outs(%f0 : tensor<8x64xf32>) -> tensor<8x64xf32>
  %h = math.tanh %x : tensor<8x64xf32>
  %y = linalg.contract indexing_maps = [#mk, #nk, #mn] ins(%h, %w : tensor<8x64xf32>, tensor<32x64xf32>) outs(%f1 : tensor<8x32xf32>) -> tensor<8x32xf32>
  %dw1 = linalg.matmul indexing_maps = [#km, #kn, #mn] ins(%g, %h : tensor<8x32xf32>, tensor<8x64xf32>) outs(%f2 : tensor<32x64xf32>) -> tensor<32x64xf32>
  %dh = linalg.matmul ins(%g, %w : tensor<8x32xf32>, tensor<32x64xf32>) outs(%f0 : tensor<8x64xf32>) -> tensor<8x64xf32>
  %dx = arith.mulf %dh, %h : tensor<8x64xf32>
  %dw0 = linalg.matmul indexing_maps = [#km, #kn, #mn] ins(%rows, %dx : tensor<8x32xf32>, tensor<8x64xf32>) outs(%f2 : tensor<32x64xf32>) -> tensor<32x64xf32>
  %dw = arith.addf %dw0, %dw1 : tensor<32x64xf32>
  return %y, %dw : tensor<8x32xf32>, tensor<32x64xf32>
}
