// RUN: lowp-opt %s --split-input-file --lowp-recognize | FileCheck %s

// Two parts of a weight are two weights: what a backward product multiplies with
// is what its forward product reads. Gradients of parts are gradients of the
// weight.
// CHECK-LABEL: func @parts
// CHECK: site = <name = "w", role = fprop
// CHECK: site = <name = "w#2", role = fprop
// CHECK: site = <name = "w#5", role = wgrad, {{.*}}forward = "w#2">
// CHECK: site = <name = "w#3", role = dgrad, {{.*}}forward = "w#2">
// CHECK: site = <name = "w#6", role = wgrad, {{.*}}forward = "w">
// CHECK: site = <name = "w#4", role = dgrad, {{.*}}forward = "w">
#km = affine_map<(m, n, k) -> (k, m)>
#kn = affine_map<(m, n, k) -> (k, n)>
#mk = affine_map<(m, n, k) -> (m, k)>
#nk = affine_map<(m, n, k) -> (n, k)>
#mn = affine_map<(m, n, k) -> (m, n)>
func.func @parts(%w: tensor<2x64x96xf32> {lowp.param = #lowp.param<name = "w", kind = weight>},
                 %x: tensor<8x64xf32> {lowp.param = #lowp.param<name = "x", kind = activation>},
                 %g: tensor<8x96xf32> {lowp.param = #lowp.param<name = "g", kind = cotangent>})
    -> (tensor<8x96xf32>, tensor<2x64x96xf32>, tensor<8x64xf32>) {
  %f0 = arith.constant dense<0.0> : tensor<8x96xf32>
  %f1 = arith.constant dense<0.0> : tensor<64x96xf32>
  %f2 = arith.constant dense<0.0> : tensor<8x64xf32>
  %f3 = arith.constant dense<0.0> : tensor<2x64x96xf32>
  %a = tensor.extract_slice %w[0, 0, 0] [1, 64, 96] [1, 1, 1] : tensor<2x64x96xf32> to tensor<64x96xf32>
  %b = tensor.extract_slice %w[1, 0, 0] [1, 64, 96] [1, 1, 1] : tensor<2x64x96xf32> to tensor<64x96xf32>
  %0 = linalg.matmul ins(%x, %a : tensor<8x64xf32>, tensor<64x96xf32>) outs(%f0 : tensor<8x96xf32>) -> tensor<8x96xf32>
  %1 = linalg.matmul ins(%x, %b : tensor<8x64xf32>, tensor<64x96xf32>) outs(%f0 : tensor<8x96xf32>) -> tensor<8x96xf32>
  %y = arith.mulf %0, %1 : tensor<8x96xf32>
  %gb = arith.mulf %g, %0 : tensor<8x96xf32>
  %2 = linalg.matmul indexing_maps = [#km, #kn, #mn] ins(%x, %gb : tensor<8x64xf32>, tensor<8x96xf32>) outs(%f1 : tensor<64x96xf32>) -> tensor<64x96xf32>
  %3 = linalg.contract indexing_maps = [#mk, #nk, #mn] ins(%gb, %b : tensor<8x96xf32>, tensor<64x96xf32>) outs(%f2 : tensor<8x64xf32>) -> tensor<8x64xf32>
  %ga = arith.mulf %g, %1 : tensor<8x96xf32>
  %4 = linalg.matmul indexing_maps = [#km, #kn, #mn] ins(%x, %ga : tensor<8x64xf32>, tensor<8x96xf32>) outs(%f1 : tensor<64x96xf32>) -> tensor<64x96xf32>
  %5 = linalg.contract indexing_maps = [#mk, #nk, #mn] ins(%ga, %a : tensor<8x96xf32>, tensor<64x96xf32>) outs(%f2 : tensor<8x64xf32>) -> tensor<8x64xf32>
  %dx = arith.addf %3, %5 : tensor<8x64xf32>
  %dw0 = tensor.insert_slice %4 into %f3[0, 0, 0] [1, 64, 96] [1, 1, 1] : tensor<64x96xf32> into tensor<2x64x96xf32>
  %dw1 = tensor.insert_slice %2 into %dw0[1, 0, 0] [1, 64, 96] [1, 1, 1] : tensor<64x96xf32> into tensor<2x64x96xf32>
  return %y, %dw1, %dx : tensor<8x96xf32>, tensor<2x64x96xf32>, tensor<8x64xf32>
}

// -----

// Two parts of an activation are two activations. Nothing needs their gradients,
// and the backward pass is not in the order of the forward pass.
// CHECK-LABEL: func @shifted
// CHECK: site = <name = "v#2", role = wgrad, {{.*}}forward = "v">
// CHECK: site = <name = "w#2", role = wgrad, {{.*}}forward = "w">
#km = affine_map<(m, n, k) -> (k, m)>
#kn = affine_map<(m, n, k) -> (k, n)>
#mn = affine_map<(m, n, k) -> (m, n)>
func.func @shifted(%v: tensor<64x64xf32> {lowp.param = #lowp.param<name = "v", kind = weight>},
                   %w: tensor<64x64xf32> {lowp.param = #lowp.param<name = "w", kind = weight>},
                   %x: tensor<9x64xf32> {lowp.param = #lowp.param<name = "x", kind = activation>},
                   %g: tensor<8x64xf32> {lowp.param = #lowp.param<name = "g", kind = cotangent>})
    -> (tensor<8x64xf32>, tensor<64x64xf32>, tensor<64x64xf32>) {
  %f0 = arith.constant dense<0.0> : tensor<8x64xf32>
  %f1 = arith.constant dense<0.0> : tensor<64x64xf32>
  %a = tensor.extract_slice %x[0, 0] [8, 64] [1, 1] : tensor<9x64xf32> to tensor<8x64xf32>
  %b = tensor.extract_slice %x[1, 0] [8, 64] [1, 1] : tensor<9x64xf32> to tensor<8x64xf32>
  %0 = linalg.matmul ins(%a, %v : tensor<8x64xf32>, tensor<64x64xf32>) outs(%f0 : tensor<8x64xf32>) -> tensor<8x64xf32>
  %1 = linalg.matmul ins(%b, %w : tensor<8x64xf32>, tensor<64x64xf32>) outs(%f0 : tensor<8x64xf32>) -> tensor<8x64xf32>
  %y = arith.mulf %0, %1 : tensor<8x64xf32>
  %ga = arith.mulf %g, %1 : tensor<8x64xf32>
  %gb = arith.mulf %g, %0 : tensor<8x64xf32>
  %2 = linalg.matmul indexing_maps = [#km, #kn, #mn] ins(%a, %ga : tensor<8x64xf32>, tensor<8x64xf32>) outs(%f1 : tensor<64x64xf32>) -> tensor<64x64xf32>
  %3 = linalg.matmul indexing_maps = [#km, #kn, #mn] ins(%b, %gb : tensor<8x64xf32>, tensor<8x64xf32>) outs(%f1 : tensor<64x64xf32>) -> tensor<64x64xf32>
  return %y, %2, %3 : tensor<8x64xf32>, tensor<64x64xf32>, tensor<64x64xf32>
}

// -----

// The activation is what attention gives, a tensor per head: its first dim is
// tokens and features at once.
// CHECK-LABEL: func @heads
// CHECK: site = <name = "w#2", role = wgrad, {{.*}}forward = "w">
#km = affine_map<(m, n, k) -> (k, m)>
#kn = affine_map<(m, n, k) -> (k, n)>
#mn = affine_map<(m, n, k) -> (m, n)>
func.func @heads(%w: tensor<64x32xf32> {lowp.param = #lowp.param<name = "w", kind = weight>},
                 %p: tensor<8x16x16xf32> {lowp.param = #lowp.param<name = "p", kind = activation>},
                 %v: tensor<8x16x16xf32> {lowp.param = #lowp.param<name = "v", kind = activation>},
                 %g: tensor<32x32xf32> {lowp.param = #lowp.param<name = "g", kind = cotangent>})
    -> (tensor<32x32xf32>, tensor<64x32xf32>) {
  %f0 = arith.constant dense<0.0> : tensor<8x16x16xf32>
  %f1 = arith.constant dense<0.0> : tensor<32x32xf32>
  %f2 = arith.constant dense<0.0> : tensor<64x32xf32>
  %e = tensor.empty() : tensor<2x16x4x16xf32>
  %0 = linalg.batch_matmul ins(%p, %v : tensor<8x16x16xf32>, tensor<8x16x16xf32>) outs(%f0 : tensor<8x16x16xf32>) -> tensor<8x16x16xf32>
  %1 = tensor.expand_shape %0 [[0, 1], [2], [3]] output_shape [2, 4, 16, 16] : tensor<8x16x16xf32> into tensor<2x4x16x16xf32>
  %2 = linalg.transpose ins(%1 : tensor<2x4x16x16xf32>) outs(%e : tensor<2x16x4x16xf32>) permutation = [0, 2, 1, 3]
  %x = tensor.collapse_shape %2 [[0, 1], [2, 3]] : tensor<2x16x4x16xf32> into tensor<32x64xf32>
  %y = linalg.matmul ins(%x, %w : tensor<32x64xf32>, tensor<64x32xf32>) outs(%f1 : tensor<32x32xf32>) -> tensor<32x32xf32>
  %dw = linalg.matmul indexing_maps = [#km, #kn, #mn] ins(%x, %g : tensor<32x64xf32>, tensor<32x32xf32>) outs(%f2 : tensor<64x32xf32>) -> tensor<64x32xf32>
  return %y, %dw : tensor<32x32xf32>, tensor<64x32xf32>
}

// -----

// All experts multiply one activation: their gradients are one product, with the
// experts among the rows of its result.
// CHECK-LABEL: func @folded_experts
// CHECK: lowp.batch_matmul %arg1, %arg0 {{.*}}name = "w", role = fprop, kind = expert
// CHECK: lowp.matmul {{.*}}name = "w#2", role = wgrad, kind = expert, activation = rhs, forward = "w">
#km = affine_map<(m, n, k) -> (k, m)>
#kn = affine_map<(m, n, k) -> (k, n)>
#mn = affine_map<(m, n, k) -> (m, n)>
func.func @folded_experts(%w: tensor<4x64x96xf32> {lowp.param = #lowp.param<name = "w", kind = weight>},
                          %x: tensor<8x64xf32> {lowp.param = #lowp.param<name = "x", kind = activation>},
                          %g: tensor<4x8x96xf32> {lowp.param = #lowp.param<name = "g", kind = cotangent>})
    -> (tensor<4x8x96xf32>, tensor<4x96x64xf32>) {
  %f0 = arith.constant dense<0.0> : tensor<4x8x96xf32>
  %f1 = arith.constant dense<0.0> : tensor<384x64xf32>
  %e0 = tensor.empty() : tensor<4x8x64xf32>
  %e1 = tensor.empty() : tensor<8x4x96xf32>
  %b = linalg.broadcast ins(%x : tensor<8x64xf32>) outs(%e0 : tensor<4x8x64xf32>) dimensions = [0]
  %y = linalg.batch_matmul ins(%b, %w : tensor<4x8x64xf32>, tensor<4x64x96xf32>) outs(%f0 : tensor<4x8x96xf32>) -> tensor<4x8x96xf32>
  %t = linalg.transpose ins(%g : tensor<4x8x96xf32>) outs(%e1 : tensor<8x4x96xf32>) permutation = [1, 0, 2]
  %r = tensor.collapse_shape %t [[0], [1, 2]] : tensor<8x4x96xf32> into tensor<8x384xf32>
  %0 = linalg.matmul indexing_maps = [#km, #kn, #mn] ins(%r, %x : tensor<8x384xf32>, tensor<8x64xf32>) outs(%f1 : tensor<384x64xf32>) -> tensor<384x64xf32>
  %dw = tensor.expand_shape %0 [[0, 1], [2]] output_shape [4, 96, 64] : tensor<384x64xf32> into tensor<4x96x64xf32>
  return %y, %dw : tensor<4x8x96xf32>, tensor<4x96x64xf32>
}

// -----

// The gradient of keys looks like that of a weight, since there are as many
// tokens as outputs, but goes on into another product.
// CHECK-LABEL: func @keys
// CHECK: site = <name = "w", role = fprop
// CHECK: linalg.contract
// CHECK-NOT: wgrad
// CHECK: site = <name = "w#2", role = dgrad, {{.*}}forward = "w">
#km = affine_map<(m, n, k) -> (k, m)>
#kn = affine_map<(m, n, k) -> (k, n)>
#mk = affine_map<(m, n, k) -> (m, k)>
#nk = affine_map<(m, n, k) -> (n, k)>
#mn = affine_map<(m, n, k) -> (m, n)>
func.func @keys(%w: tensor<64x64xf32> {lowp.param = #lowp.param<name = "w", kind = weight>},
                %x: tensor<64x64xf32> {lowp.param = #lowp.param<name = "x", kind = activation>},
                %g: tensor<64x64xf32> {lowp.param = #lowp.param<name = "g", kind = cotangent>})
    -> (tensor<64x64xf32>, tensor<64x64xf32>) {
  %f = arith.constant dense<0.0> : tensor<64x64xf32>
  %k = linalg.matmul ins(%x, %w : tensor<64x64xf32>, tensor<64x64xf32>) outs(%f : tensor<64x64xf32>) -> tensor<64x64xf32>
  %s = linalg.contract indexing_maps = [#mk, #nk, #mn] ins(%x, %k : tensor<64x64xf32>, tensor<64x64xf32>) outs(%f : tensor<64x64xf32>) -> tensor<64x64xf32>
  %dk = linalg.matmul indexing_maps = [#km, #kn, #mn] ins(%g, %x : tensor<64x64xf32>, tensor<64x64xf32>) outs(%f : tensor<64x64xf32>) -> tensor<64x64xf32>
  %dx = linalg.contract indexing_maps = [#mk, #nk, #mn] ins(%dk, %w : tensor<64x64xf32>, tensor<64x64xf32>) outs(%f : tensor<64x64xf32>) -> tensor<64x64xf32>
  return %s, %dx : tensor<64x64xf32>, tensor<64x64xf32>
}

// -----

// Nothing is labelled, and the weight is multiplied both ways. Its products with
// what are gradients, because of the products with activations, are backward.
// CHECK-LABEL: func @both_ways
// CHECK: site = <name = "arg0", role = fprop
// CHECK: site = <name = "arg0#2", role = fprop
// CHECK: site = <name = "arg0#5", role = wgrad, {{.*}}forward = "arg0#2">
// CHECK: site = <name = "arg0#3", role = dgrad, {{.*}}forward = "arg0#2">
// CHECK: site = <name = "arg0#6", role = wgrad, {{.*}}forward = "arg0">
// CHECK: site = <name = "arg0#4", role = dgrad, {{.*}}forward = "arg0">
#km = affine_map<(m, n, k) -> (k, m)>
#kn = affine_map<(m, n, k) -> (k, n)>
#mk = affine_map<(m, n, k) -> (m, k)>
#nk = affine_map<(m, n, k) -> (n, k)>
#mn = affine_map<(m, n, k) -> (m, n)>
func.func @both_ways(%w: tensor<64x64xf32>, %x0: tensor<8x64xf32>, %g0: tensor<8x64xf32>)
    -> (tensor<8x64xf32>, tensor<64x64xf32>, tensor<64x64xf32>, tensor<8x64xf32>) {
  %f = arith.constant dense<0.0> : tensor<8x64xf32>
  %fw = arith.constant dense<0.0> : tensor<64x64xf32>
  %x = math.tanh %x0 : tensor<8x64xf32>
  %0 = linalg.matmul ins(%x, %w : tensor<8x64xf32>, tensor<64x64xf32>) outs(%f : tensor<8x64xf32>) -> tensor<8x64xf32>
  %h = math.tanh %0 : tensor<8x64xf32>
  %1 = linalg.contract indexing_maps = [#mk, #nk, #mn] ins(%h, %w : tensor<8x64xf32>, tensor<64x64xf32>) outs(%f : tensor<8x64xf32>) -> tensor<8x64xf32>
  %y = math.tanh %1 : tensor<8x64xf32>
  %g = arith.mulf %g0, %y : tensor<8x64xf32>
  %2 = linalg.matmul indexing_maps = [#km, #kn, #mn] ins(%g, %h : tensor<8x64xf32>, tensor<8x64xf32>) outs(%fw : tensor<64x64xf32>) -> tensor<64x64xf32>
  %3 = linalg.matmul ins(%g, %w : tensor<8x64xf32>, tensor<64x64xf32>) outs(%f : tensor<8x64xf32>) -> tensor<8x64xf32>
  %gh = arith.mulf %3, %h : tensor<8x64xf32>
  %4 = linalg.matmul indexing_maps = [#km, #kn, #mn] ins(%x, %gh : tensor<8x64xf32>, tensor<8x64xf32>) outs(%fw : tensor<64x64xf32>) -> tensor<64x64xf32>
  %5 = linalg.contract indexing_maps = [#mk, #nk, #mn] ins(%gh, %w : tensor<8x64xf32>, tensor<64x64xf32>) outs(%f : tensor<8x64xf32>) -> tensor<8x64xf32>
  return %y, %2, %4, %5 : tensor<8x64xf32>, tensor<64x64xf32>, tensor<64x64xf32>, tensor<8x64xf32>
}

// -----

// A frozen weight that is multiplied both ways has no product that tells its
// gradients. After the first, all its products may be backward ones.
// CHECK-LABEL: func @frozen
// CHECK: site = <name = "arg0", role = fprop
// CHECK-NOT: lowp.matmul
#mk = affine_map<(m, n, k) -> (m, k)>
#nk = affine_map<(m, n, k) -> (n, k)>
#mn = affine_map<(m, n, k) -> (m, n)>
func.func @frozen(%w: tensor<64x64xf32>, %x0: tensor<8x64xf32>, %g0: tensor<8x64xf32>)
    -> (tensor<8x64xf32>, tensor<8x64xf32>) {
  %f = arith.constant dense<0.0> : tensor<8x64xf32>
  %x = math.tanh %x0 : tensor<8x64xf32>
  %0 = linalg.matmul ins(%x, %w : tensor<8x64xf32>, tensor<64x64xf32>) outs(%f : tensor<8x64xf32>) -> tensor<8x64xf32>
  %h = math.tanh %0 : tensor<8x64xf32>
  %1 = linalg.contract indexing_maps = [#mk, #nk, #mn] ins(%h, %w : tensor<8x64xf32>, tensor<64x64xf32>) outs(%f : tensor<8x64xf32>) -> tensor<8x64xf32>
  %y = math.tanh %1 : tensor<8x64xf32>
  %g = arith.mulf %g0, %y : tensor<8x64xf32>
  %2 = linalg.matmul ins(%g, %w : tensor<8x64xf32>, tensor<64x64xf32>) outs(%f : tensor<8x64xf32>) -> tensor<8x64xf32>
  %gh = arith.mulf %2, %h : tensor<8x64xf32>
  %3 = linalg.contract indexing_maps = [#mk, #nk, #mn] ins(%gh, %w : tensor<8x64xf32>, tensor<64x64xf32>) outs(%f : tensor<8x64xf32>) -> tensor<8x64xf32>
  return %y, %3 : tensor<8x64xf32>, tensor<8x64xf32>
}

// -----

// The first product multiplies what is computed; the argument comes with the
// products of its gradients, and is no weight.
// CHECK-LABEL: func @gradient
// CHECK-NOT: name = "arg2"
#km = affine_map<(m, n, k) -> (k, m)>
#kn = affine_map<(m, n, k) -> (k, n)>
#mk = affine_map<(m, n, k) -> (m, k)>
#nk = affine_map<(m, n, k) -> (n, k)>
#mn = affine_map<(m, n, k) -> (m, n)>
func.func @gradient(%w0: tensor<64x96xf32>, %x0: tensor<8x64xf32>, %g: tensor<8x96xf32>)
    -> (tensor<8x96xf32>, tensor<64x96xf32>, tensor<8x64xf32>) {
  %f0 = arith.constant dense<0.0> : tensor<8x96xf32>
  %f1 = arith.constant dense<0.0> : tensor<64x96xf32>
  %f2 = arith.constant dense<0.0> : tensor<8x64xf32>
  %w = arith.mulf %w0, %w0 : tensor<64x96xf32>
  %x = math.tanh %x0 : tensor<8x64xf32>
  %y = linalg.matmul ins(%x, %w : tensor<8x64xf32>, tensor<64x96xf32>) outs(%f0 : tensor<8x96xf32>) -> tensor<8x96xf32>
  %dw = linalg.matmul indexing_maps = [#km, #kn, #mn] ins(%x, %g : tensor<8x64xf32>, tensor<8x96xf32>) outs(%f1 : tensor<64x96xf32>) -> tensor<64x96xf32>
  %dx = linalg.contract indexing_maps = [#mk, #nk, #mn] ins(%g, %w : tensor<8x96xf32>, tensor<64x96xf32>) outs(%f2 : tensor<8x64xf32>) -> tensor<8x64xf32>
  return %y, %dw, %dx : tensor<8x96xf32>, tensor<64x96xf32>, tensor<8x64xf32>
}

// -----

// The gradient of the bias makes the last argument none that is a weight. That
// does not make what it is multiplied with a weight.
// CHECK-LABEL: func @bias
// CHECK: site = <name = "arg0", role = fprop, kind = dense, weight = rhs>
// CHECK: site = <name = "arg0#2", role = wgrad, {{.*}}activation = lhs, forward = "arg0">
#km = affine_map<(m, n, k) -> (k, m)>
#kn = affine_map<(m, n, k) -> (k, n)>
#mn = affine_map<(m, n, k) -> (m, n)>
#all = affine_map<(n, m) -> (m, n)>
#one = affine_map<(n, m) -> (n)>
func.func @bias(%w: tensor<64x96xf32>, %x: tensor<8x64xf32>, %g: tensor<8x96xf32>)
    -> (tensor<8x96xf32>, tensor<64x96xf32>, tensor<96xf32>) {
  %f0 = arith.constant dense<0.0> : tensor<8x96xf32>
  %f1 = arith.constant dense<0.0> : tensor<64x96xf32>
  %f2 = arith.constant dense<0.0> : tensor<96xf32>
  %y = linalg.matmul ins(%x, %w : tensor<8x64xf32>, tensor<64x96xf32>) outs(%f0 : tensor<8x96xf32>) -> tensor<8x96xf32>
  %dw = linalg.matmul indexing_maps = [#km, #kn, #mn] ins(%x, %g : tensor<8x64xf32>, tensor<8x96xf32>) outs(%f1 : tensor<64x96xf32>) -> tensor<64x96xf32>
  %db = linalg.generic {indexing_maps = [#all, #one], iterator_types = ["parallel", "reduction"]}
      ins(%g : tensor<8x96xf32>) outs(%f2 : tensor<96xf32>) {
  ^bb0(%in: f32, %out: f32):
    %0 = arith.addf %in, %out : f32
    linalg.yield %0 : f32
  } -> tensor<96xf32>
  return %y, %dw, %db : tensor<8x96xf32>, tensor<64x96xf32>, tensor<96xf32>
}

// -----

// FP32 weights that are narrowed before they are multiplied.
// CHECK-LABEL: func @mixed_precision
// CHECK: %[[W:.*]] = arith.truncf %arg0
// CHECK: %[[V:.*]] = linalg.generic
// CHECK: lowp.matmul %{{.*}}, %[[W]] site = <name = "arg0", role = fprop
// CHECK: lowp.matmul %{{.*}}, %[[V]] transpose_rhs site = <name = "arg1", role = fprop
#id = affine_map<(i, j) -> (i, j)>
func.func @mixed_precision(%w0: tensor<64x96xf32>, %v0: tensor<32x96xf32>, %x0: tensor<8x64xf32>) -> tensor<8x32xf32> {
  %f0 = arith.constant dense<0.0> : tensor<8x96xf32>
  %f1 = arith.constant dense<0.0> : tensor<8x32xf32>
  %e = tensor.empty() : tensor<32x96xbf16>
  %et = tensor.empty() : tensor<96x32xbf16>
  %w = arith.truncf %w0 : tensor<64x96xf32> to tensor<64x96xbf16>
  %x = arith.truncf %x0 : tensor<8x64xf32> to tensor<8x64xbf16>
  %v = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel"]}
      ins(%v0 : tensor<32x96xf32>) outs(%e : tensor<32x96xbf16>) {
  ^bb0(%in: f32, %out: bf16):
    %0 = arith.truncf %in : f32 to bf16
    linalg.yield %0 : bf16
  } -> tensor<32x96xbf16>
  %t = linalg.transpose ins(%v : tensor<32x96xbf16>) outs(%et : tensor<96x32xbf16>) permutation = [1, 0]
  %0 = linalg.matmul ins(%x, %w : tensor<8x64xbf16>, tensor<64x96xbf16>) outs(%f0 : tensor<8x96xf32>) -> tensor<8x96xf32>
  %h = arith.truncf %0 : tensor<8x96xf32> to tensor<8x96xbf16>
  %y = linalg.matmul ins(%h, %t : tensor<8x96xbf16>, tensor<96x32xbf16>) outs(%f1 : tensor<8x32xf32>) -> tensor<8x32xf32>
  return %y : tensor<8x32xf32>
}

// -----

// The backward products read heads and features in another order, in tensors of
// the same shape: nothing that the forward product reads serves them.
// CHECK-LABEL: func @order
// CHECK: site = <name = "w", role = fprop
// CHECK: site = <name = "w#3", role = wgrad, kind = dense, activation = lhs>
// CHECK: site = <name = "w#2", role = dgrad, kind = dense, weight = rhs>
// CHECK: site = <name = "v", role = fprop
// CHECK: site = <name = "v#2", role = wgrad, kind = dense, activation = lhs, forward = "v">
#km = affine_map<(m, n, k) -> (k, m)>
#kn = affine_map<(m, n, k) -> (k, n)>
#mk = affine_map<(m, n, k) -> (m, k)>
#nk = affine_map<(m, n, k) -> (n, k)>
#mn = affine_map<(m, n, k) -> (m, n)>
func.func @order(%w: tensor<4x16x64xf32> {lowp.param = #lowp.param<name = "w", kind = weight>},
                 %v: tensor<64x64xf32> {lowp.param = #lowp.param<name = "v", kind = weight>},
                 %x: tensor<8x4x16xf32> {lowp.param = #lowp.param<name = "x", kind = activation>},
                 %g: tensor<8x64xf32> {lowp.param = #lowp.param<name = "g", kind = cotangent>})
    -> (tensor<8x64xf32>, tensor<64x64xf32>, tensor<8x64xf32>, tensor<8x64xf32>, tensor<64x64xf32>) {
  %f = arith.constant dense<0.0> : tensor<8x64xf32>
  %fw = arith.constant dense<0.0> : tensor<64x64xf32>
  %ex = tensor.empty() : tensor<8x16x4xf32>
  %ew = tensor.empty() : tensor<16x4x64xf32>
  %x0 = tensor.collapse_shape %x [[0], [1, 2]] : tensor<8x4x16xf32> into tensor<8x64xf32>
  %w0 = tensor.collapse_shape %w [[0, 1], [2]] : tensor<4x16x64xf32> into tensor<64x64xf32>
  %xt = linalg.transpose ins(%x : tensor<8x4x16xf32>) outs(%ex : tensor<8x16x4xf32>) permutation = [0, 2, 1]
  %wt = linalg.transpose ins(%w : tensor<4x16x64xf32>) outs(%ew : tensor<16x4x64xf32>) permutation = [1, 0, 2]
  %x1 = tensor.collapse_shape %xt [[0], [1, 2]] : tensor<8x16x4xf32> into tensor<8x64xf32>
  %w1 = tensor.collapse_shape %wt [[0, 1], [2]] : tensor<16x4x64xf32> into tensor<64x64xf32>
  %y = linalg.matmul ins(%x0, %w0 : tensor<8x64xf32>, tensor<64x64xf32>) outs(%f : tensor<8x64xf32>) -> tensor<8x64xf32>
  %dw = linalg.matmul indexing_maps = [#km, #kn, #mn] ins(%x1, %g : tensor<8x64xf32>, tensor<8x64xf32>) outs(%fw : tensor<64x64xf32>) -> tensor<64x64xf32>
  %dx = linalg.contract indexing_maps = [#mk, #nk, #mn] ins(%g, %w1 : tensor<8x64xf32>, tensor<64x64xf32>) outs(%f : tensor<8x64xf32>) -> tensor<8x64xf32>
  %z = linalg.matmul ins(%x1, %v : tensor<8x64xf32>, tensor<64x64xf32>) outs(%f : tensor<8x64xf32>) -> tensor<8x64xf32>
  %gz = arith.mulf %g, %y : tensor<8x64xf32>
  %dv = linalg.matmul indexing_maps = [#km, #kn, #mn] ins(%x1, %gz : tensor<8x64xf32>, tensor<8x64xf32>) outs(%fw : tensor<64x64xf32>) -> tensor<64x64xf32>
  return %y, %dw, %dx, %z, %dv : tensor<8x64xf32>, tensor<64x64xf32>, tensor<8x64xf32>, tensor<8x64xf32>, tensor<64x64xf32>
}

// -----

// All is labelled, but the gradient starts from a constant: that of %v shows
// that there are some. The frozen weight %w is multiplied both ways.
// CHECK-LABEL: func @no_cotangent
// CHECK: site = <name = "w", role = fprop
// CHECK: site = <name = "v", role = fprop
// CHECK-NOT: name = "w#2"
// CHECK: site = <name = "v#2", role = wgrad
#km = affine_map<(m, n, k) -> (k, m)>
#kn = affine_map<(m, n, k) -> (k, n)>
#mk = affine_map<(m, n, k) -> (m, k)>
#nk = affine_map<(m, n, k) -> (n, k)>
#mn = affine_map<(m, n, k) -> (m, n)>
func.func @no_cotangent(%w: tensor<32x64xf32> {lowp.param = #lowp.param<name = "w", kind = weight>},
                        %v: tensor<64x64xf32> {lowp.param = #lowp.param<name = "v", kind = weight>},
                        %x: tensor<8x32xf32> {lowp.param = #lowp.param<name = "x", kind = activation>})
    -> (tensor<8x32xf32>, tensor<64x64xf32>) {
  %f0 = arith.constant dense<0.0> : tensor<8x64xf32>
  %f1 = arith.constant dense<0.0> : tensor<8x32xf32>
  %f2 = arith.constant dense<0.0> : tensor<64x64xf32>
  %0 = linalg.matmul ins(%x, %w : tensor<8x32xf32>, tensor<32x64xf32>) outs(%f0 : tensor<8x64xf32>) -> tensor<8x64xf32>
  %1 = linalg.matmul ins(%0, %v : tensor<8x64xf32>, tensor<64x64xf32>) outs(%f0 : tensor<8x64xf32>) -> tensor<8x64xf32>
  %h = math.tanh %1 : tensor<8x64xf32>
  %y = linalg.contract indexing_maps = [#mk, #nk, #mn] ins(%h, %w : tensor<8x64xf32>, tensor<32x64xf32>) outs(%f1 : tensor<8x32xf32>) -> tensor<8x32xf32>
  %gy = math.exp %y : tensor<8x32xf32>
  %gh = linalg.matmul ins(%gy, %w : tensor<8x32xf32>, tensor<32x64xf32>) outs(%f0 : tensor<8x64xf32>) -> tensor<8x64xf32>
  %g1 = arith.mulf %gh, %h : tensor<8x64xf32>
  %dv = linalg.matmul indexing_maps = [#km, #kn, #mn] ins(%0, %g1 : tensor<8x64xf32>, tensor<8x64xf32>) outs(%f2 : tensor<64x64xf32>) -> tensor<64x64xf32>
  return %y, %dv : tensor<8x32xf32>, tensor<64x64xf32>
}
