// RUN: lowp-opt %s --split-input-file --lowp-recognize | FileCheck %s
// RUN: lowp-opt %s --split-input-file --lowp-recognize --remarks-filter-missed=lowp-recognize -o /dev/null 2>&1 | FileCheck %s --check-prefix=LEFT
// LEFT-COUNT-3: left 'linalg.matmul' alone: no operand is a weight
// LEFT-NOT: left

// Gate and up have the same activation; which weight a gradient belongs to is
// told by the other product with that gradient, in whatever order they come.
// CHECK-LABEL: func @gate_up
// CHECK-DAG: lowp.matmul %arg2, %arg3 transpose_lhs site = <name = "arg0#3", role = wgrad, kind = dense, activation = lhs, forward = "arg0">
// CHECK-DAG: lowp.matmul %arg2, %arg4 transpose_lhs site = <name = "arg1#3", role = wgrad, kind = dense, activation = lhs, forward = "arg1">
// CHECK-DAG: lowp.matmul %arg3, %arg0 transpose_rhs site = <name = "arg0#2", role = dgrad, kind = dense, weight = rhs, forward = "arg0">
// CHECK-DAG: lowp.matmul %arg4, %arg1 transpose_rhs site = <name = "arg1#2", role = dgrad, kind = dense, weight = rhs, forward = "arg1">
#km = affine_map<(m, n, k) -> (k, m)>
#kn = affine_map<(m, n, k) -> (k, n)>
#mk = affine_map<(m, n, k) -> (m, k)>
#nk = affine_map<(m, n, k) -> (n, k)>
#mn = affine_map<(m, n, k) -> (m, n)>
func.func @gate_up(%wg: tensor<64x96xf32> {lowp.param = #lowp.param<name = "", kind = weight>},
                   %wu: tensor<64x96xf32> {lowp.param = #lowp.param<name = "", kind = weight>},
                   %x: tensor<8x64xf32> {lowp.param = #lowp.param<name = "", kind = activation>},
                   %gg: tensor<8x96xf32> {lowp.param = #lowp.param<name = "", kind = cotangent>},
                   %gu: tensor<8x96xf32> {lowp.param = #lowp.param<name = "", kind = cotangent>})
    -> (tensor<8x96xf32>, tensor<8x96xf32>, tensor<64x96xf32>, tensor<64x96xf32>, tensor<8x64xf32>, tensor<8x64xf32>) {
  %f0 = arith.constant dense<0.0> : tensor<8x96xf32>
  %f1 = arith.constant dense<0.0> : tensor<64x96xf32>
  %f2 = arith.constant dense<0.0> : tensor<8x64xf32>
  %0 = linalg.matmul ins(%x, %wg : tensor<8x64xf32>, tensor<64x96xf32>) outs(%f0 : tensor<8x96xf32>) -> tensor<8x96xf32>
  %1 = linalg.matmul ins(%x, %wu : tensor<8x64xf32>, tensor<64x96xf32>) outs(%f0 : tensor<8x96xf32>) -> tensor<8x96xf32>
  %2 = linalg.matmul indexing_maps = [#km, #kn, #mn] ins(%x, %gg : tensor<8x64xf32>, tensor<8x96xf32>) outs(%f1 : tensor<64x96xf32>) -> tensor<64x96xf32>
  %3 = linalg.matmul indexing_maps = [#km, #kn, #mn] ins(%x, %gu : tensor<8x64xf32>, tensor<8x96xf32>) outs(%f1 : tensor<64x96xf32>) -> tensor<64x96xf32>
  %4 = linalg.contract indexing_maps = [#mk, #nk, #mn] ins(%gu, %wu : tensor<8x96xf32>, tensor<64x96xf32>) outs(%f2 : tensor<8x64xf32>) -> tensor<8x64xf32>
  %5 = linalg.contract indexing_maps = [#mk, #nk, #mn] ins(%gg, %wg : tensor<8x96xf32>, tensor<64x96xf32>) outs(%f2 : tensor<8x64xf32>) -> tensor<8x64xf32>
  return %0, %1, %2, %3, %4, %5 : tensor<8x96xf32>, tensor<8x96xf32>, tensor<64x96xf32>, tensor<64x96xf32>, tensor<8x64xf32>, tensor<8x64xf32>
}

// -----

// In the first layer nothing needs the gradient of the activation: backward
// passes run in reverse, so that the last weight's gradient comes first.
// CHECK-LABEL: func @first_layer
// CHECK: lowp.matmul %arg2, %{{.*}} transpose_lhs site = <name = "arg1#2", role = wgrad, kind = dense, activation = lhs, forward = "arg1">
// CHECK: lowp.matmul %arg2, %{{.*}} transpose_lhs site = <name = "arg0#2", role = wgrad, kind = dense, activation = lhs, forward = "arg0">
#km = affine_map<(m, n, k) -> (k, m)>
#kn = affine_map<(m, n, k) -> (k, n)>
#mn = affine_map<(m, n, k) -> (m, n)>
func.func @first_layer(%wg: tensor<64x96xf32>, %wu: tensor<64x96xf32>, %x: tensor<8x64xf32>, %g: tensor<8x96xf32>)
    -> (tensor<8x96xf32>, tensor<64x96xf32>, tensor<64x96xf32>) {
  %f0 = arith.constant dense<0.0> : tensor<8x96xf32>
  %f1 = arith.constant dense<0.0> : tensor<64x96xf32>
  %0 = linalg.matmul ins(%x, %wg : tensor<8x64xf32>, tensor<64x96xf32>) outs(%f0 : tensor<8x96xf32>) -> tensor<8x96xf32>
  %1 = linalg.matmul ins(%x, %wu : tensor<8x64xf32>, tensor<64x96xf32>) outs(%f0 : tensor<8x96xf32>) -> tensor<8x96xf32>
  %y = arith.mulf %0, %1 : tensor<8x96xf32>
  %gu = arith.mulf %g, %0 : tensor<8x96xf32>
  %2 = linalg.matmul indexing_maps = [#km, #kn, #mn] ins(%x, %gu : tensor<8x64xf32>, tensor<8x96xf32>) outs(%f1 : tensor<64x96xf32>) -> tensor<64x96xf32>
  %gg = arith.mulf %g, %1 : tensor<8x96xf32>
  %3 = linalg.matmul indexing_maps = [#km, #kn, #mn] ins(%x, %gg : tensor<8x64xf32>, tensor<8x96xf32>) outs(%f1 : tensor<64x96xf32>) -> tensor<64x96xf32>
  return %y, %3, %2 : tensor<8x96xf32>, tensor<64x96xf32>, tensor<64x96xf32>
}

// -----

// A weight used twice has two forward products; its gradients are summed, and
// each belongs to the product with its activation. What is computed again in
// the backward pass is the same activation.
// CHECK-LABEL: func @tied
// CHECK: site = <name = "w", role = fprop
// CHECK: site = <name = "w#2", role = fprop
// CHECK: site = <name = "w#5", role = wgrad, kind = dense, layer = 1, activation = lhs, forward = "w#2">
// CHECK: site = <name = "w#3", role = dgrad, kind = dense, layer = 1, weight = rhs, forward = "w#2">
// CHECK: site = <name = "w#6", role = wgrad, kind = dense, layer = 0, activation = lhs, forward = "w">
// CHECK: site = <name = "w#4", role = dgrad, kind = dense, layer = 0, weight = rhs, forward = "w">
#km = affine_map<(m, n, k) -> (k, m)>
#kn = affine_map<(m, n, k) -> (k, n)>
#mk = affine_map<(m, n, k) -> (m, k)>
#nk = affine_map<(m, n, k) -> (n, k)>
#mn = affine_map<(m, n, k) -> (m, n)>
func.func @tied(%w: tensor<64x64xf32> {lowp.param = #lowp.param<name = "w", kind = weight>},
                %x: tensor<8x64xf32> {lowp.param = #lowp.param<name = "x", kind = activation>},
                %g: tensor<8x64xf32> {lowp.param = #lowp.param<name = "g", kind = cotangent>})
    -> (tensor<8x64xf32>, tensor<64x64xf32>, tensor<8x64xf32>) {
  %f0 = arith.constant dense<0.0> : tensor<8x64xf32>
  %f1 = arith.constant dense<0.0> : tensor<64x64xf32>
  %0 = linalg.matmul ins(%x, %w : tensor<8x64xf32>, tensor<64x64xf32>) outs(%f0 : tensor<8x64xf32>) -> tensor<8x64xf32>
  %a = math.tanh %0 : tensor<8x64xf32>
  %1 = linalg.matmul ins(%a, %w : tensor<8x64xf32>, tensor<64x64xf32>) outs(%f0 : tensor<8x64xf32>) -> tensor<8x64xf32>
  %again = math.tanh %0 : tensor<8x64xf32>
  %2 = linalg.matmul indexing_maps = [#km, #kn, #mn] ins(%again, %g : tensor<8x64xf32>, tensor<8x64xf32>) outs(%f1 : tensor<64x64xf32>) -> tensor<64x64xf32>
  %3 = linalg.contract indexing_maps = [#mk, #nk, #mn] ins(%g, %w : tensor<8x64xf32>, tensor<64x64xf32>) outs(%f0 : tensor<8x64xf32>) -> tensor<8x64xf32>
  %ga = arith.mulf %3, %a : tensor<8x64xf32>
  %4 = linalg.matmul indexing_maps = [#km, #kn, #mn] ins(%x, %ga : tensor<8x64xf32>, tensor<8x64xf32>) outs(%f1 : tensor<64x64xf32>) -> tensor<64x64xf32>
  %5 = linalg.contract indexing_maps = [#mk, #nk, #mn] ins(%ga, %w : tensor<8x64xf32>, tensor<64x64xf32>) outs(%f0 : tensor<8x64xf32>) -> tensor<8x64xf32>
  %sum = arith.addf %2, %4 : tensor<64x64xf32>
  return %1, %sum, %5 : tensor<8x64xf32>, tensor<64x64xf32>, tensor<8x64xf32>
}

// -----

// A function of the backward pass alone: activations were kept and are
// arguments. Where no product has the weight, its name cannot be known.
// CHECK-LABEL: func @saved
// CHECK: site = <name = "w", role = dgrad, kind = dense, weight = rhs>
// CHECK: site = <name = "w#2", role = wgrad, kind = dense, activation = lhs>
// CHECK: site = <name = "wgrad", role = wgrad, kind = dense, activation = lhs>
#km = affine_map<(m, n, k) -> (k, m)>
#kn = affine_map<(m, n, k) -> (k, n)>
#mn = affine_map<(m, n, k) -> (m, n)>
func.func @saved(%w: tensor<96x64xbf16> {lowp.param = #lowp.param<name = "w", kind = weight>},
                 %x: tensor<8x64xbf16> {lowp.param = #lowp.param<name = "x", kind = activation>},
                 %x0: tensor<8x32xbf16> {lowp.param = #lowp.param<name = "x0", kind = activation>},
                 %g: tensor<8x96xbf16> {lowp.param = #lowp.param<name = "g", kind = cotangent>})
    -> (tensor<64x96xf32>, tensor<32x64xf32>) {
  %f0 = arith.constant dense<0.0> : tensor<8x64xf32>
  %f1 = arith.constant dense<0.0> : tensor<64x96xf32>
  %f2 = arith.constant dense<0.0> : tensor<32x64xf32>
  %0 = linalg.matmul ins(%g, %w : tensor<8x96xbf16>, tensor<96x64xbf16>) outs(%f0 : tensor<8x64xf32>) -> tensor<8x64xf32>
  %1 = linalg.matmul indexing_maps = [#km, #kn, #mn] ins(%x, %g : tensor<8x64xbf16>, tensor<8x96xbf16>) outs(%f1 : tensor<64x96xf32>) -> tensor<64x96xf32>
  %gx = arith.truncf %0 : tensor<8x64xf32> to tensor<8x64xbf16>
  %2 = linalg.matmul indexing_maps = [#km, #kn, #mn] ins(%x0, %gx : tensor<8x32xbf16>, tensor<8x64xbf16>) outs(%f2 : tensor<32x64xf32>) -> tensor<32x64xf32>
  return %1, %2 : tensor<64x96xf32>, tensor<32x64xf32>
}

// -----

// The gradients of attention are no gradients of weights: v is no activation of
// a product with a weight, and k is none that is contracted along tokens.
// CHECK-LABEL: func @attention
// CHECK-COUNT-2: linalg.matmul
#km = affine_map<(m, n, k) -> (k, m)>
#kn = affine_map<(m, n, k) -> (k, n)>
#mn = affine_map<(m, n, k) -> (m, n)>
func.func @attention(%p: tensor<8x8xf32> {lowp.param = #lowp.param<name = "p", kind = activation>},
                     %w: tensor<64x64xf32> {lowp.param = #lowp.param<name = "w", kind = weight>},
                     %g: tensor<8x64xf32> {lowp.param = #lowp.param<name = "g", kind = cotangent>})
    -> (tensor<8x64xf32>, tensor<8x64xf32>, tensor<8x64xf32>) {
  %f0 = arith.constant dense<0.0> : tensor<8x64xf32>
  %q = arith.addf %f0, %f0 : tensor<8x64xf32>
  %0 = linalg.matmul ins(%q, %w : tensor<8x64xf32>, tensor<64x64xf32>) outs(%f0 : tensor<8x64xf32>) -> tensor<8x64xf32>
  %dv = linalg.matmul indexing_maps = [#km, #kn, #mn] ins(%p, %g : tensor<8x8xf32>, tensor<8x64xf32>) outs(%f0 : tensor<8x64xf32>) -> tensor<8x64xf32>
  %tv = math.tanh %dv : tensor<8x64xf32>
  %s = arith.mulf %g, %tv : tensor<8x64xf32>
  %z = arith.constant dense<0.0> : tensor<64x64xf32>
  %c = linalg.matmul indexing_maps = [#km, #kn, #mn] ins(%0, %s : tensor<8x64xf32>, tensor<8x64xf32>) outs(%z : tensor<64x64xf32>) -> tensor<64x64xf32>
  %h = linalg.matmul ins(%tv, %w : tensor<8x64xf32>, tensor<64x64xf32>) outs(%f0 : tensor<8x64xf32>) -> tensor<8x64xf32>
  %r = tensor.extract_slice %c[0, 0] [8, 64] [1, 1] : tensor<64x64xf32> to tensor<8x64xf32>
  return %0, %r, %h : tensor<8x64xf32>, tensor<8x64xf32>, tensor<8x64xf32>
}

// -----

// Without labels, a product that looks like the gradient of a weight but goes
// on into the computation is none.
// CHECK-LABEL: func @used
// CHECK: lowp.matmul {{.*}} role = fprop
// CHECK: linalg.matmul
#km = affine_map<(m, n, k) -> (k, m)>
#kn = affine_map<(m, n, k) -> (k, n)>
#mn = affine_map<(m, n, k) -> (m, n)>
func.func @used(%w: tensor<64x96xf32>, %x: tensor<?x64xf32>, %f0: tensor<?x96xf32>) -> (tensor<64x96xf32>, tensor<?x96xf32>) {
  %f1 = arith.constant dense<0.0> : tensor<64x96xf32>
  %0 = linalg.matmul ins(%x, %w : tensor<?x64xf32>, tensor<64x96xf32>) outs(%f0 : tensor<?x96xf32>) -> tensor<?x96xf32>
  %g = math.tanh %0 : tensor<?x96xf32>
  %1 = linalg.matmul indexing_maps = [#km, #kn, #mn] ins(%x, %g : tensor<?x64xf32>, tensor<?x96xf32>) outs(%f1 : tensor<64x96xf32>) -> tensor<64x96xf32>
  %2 = math.exp %1 : tensor<64x96xf32>
  return %2, %g : tensor<64x96xf32>, tensor<?x96xf32>
}
