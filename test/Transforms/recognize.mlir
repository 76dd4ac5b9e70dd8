// RUN: lowp-opt %s --split-input-file --lowp-recognize | FileCheck %s
// RUN: lowp-opt %s --split-input-file --lowp-recognize --lowp-recognize | FileCheck %s
// RUN: lowp-opt %s --split-input-file --lowp-recognize --verify-roundtrip -o /dev/null

// A weight is read as it is stored; the zero fill goes; the source is kept.
// CHECK-LABEL: func @linear
// CHECK-SAME: (%[[X:.*]]: tensor<?x96xbf16>, %[[W:.*]]: tensor<64x96xbf16>)
func.func @linear(%x: tensor<?x96xbf16>, %w: tensor<64x96xbf16>) -> tensor<?x64xf32> {
  %c0 = arith.constant 0 : index
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<96x64xbf16>
  %t = linalg.transpose ins(%w : tensor<64x96xbf16>) outs(%e : tensor<96x64xbf16>) permutation = [1, 0]
  %m = tensor.dim %x, %c0 : tensor<?x96xbf16>
  %a = tensor.empty(%m) : tensor<?x64xf32>
  %f = linalg.fill ins(%zero : f32) outs(%a : tensor<?x64xf32>) -> tensor<?x64xf32>
  // CHECK: lowp.matmul %[[X]], %[[W]] transpose_rhs
  // CHECK-SAME: site = <name = "arg1", role = fprop, kind = dense, weight = rhs>
  // CHECK-SAME: : tensor<?x96xbf16>, tensor<64x96xbf16> -> tensor<?x64xf32> origin {
  // CHECK-NEXT: %[[P:.*]] = linalg.matmul
  // CHECK-NEXT: lowp.yield %[[P]]
  %y = linalg.matmul ins(%x, %t : tensor<?x96xbf16>, tensor<96x64xbf16>) outs(%f : tensor<?x64xf32>) -> tensor<?x64xf32>
  return %y : tensor<?x64xf32>
}

// -----

// A label says what is a weight, and its name.
// CHECK-LABEL: func @labelled
// CHECK: lowp.matmul %arg0, %arg1 site = <name = "a.layers.3.fc", role = fprop, kind = dense, layer = 3, weight = lhs>
func.func @labelled(
    %w: tensor<64x96xf16> {lowp.param = #lowp.param<name = "a.layers.3.fc", kind = weight>},
    %x: tensor<96x8xf16> {lowp.param = #lowp.param<name = "x", kind = activation>}) -> tensor<64x8xf32> {
  %f = arith.constant dense<0.0> : tensor<64x8xf32>
  %y = linalg.matmul ins(%w, %x : tensor<64x96xf16>, tensor<96x8xf16>) outs(%f : tensor<64x8xf32>) -> tensor<64x8xf32>
  return %y : tensor<64x8xf32>
}

// -----

// A biased linear: the operands are the tensors before their extension, the
// bias in the accumulator is added last.
// CHECK-LABEL: func @biased
// CHECK: lowp.matmul %arg0, %arg1 init(%arg2 : tensor<8x64xf32>) transpose_rhs
// CHECK-SAME: : tensor<8x96xbf16>, tensor<64x96xbf16> -> tensor<8x64xf32>
#id = affine_map<(d0, d1) -> (d0, d1)>
#swap = affine_map<(d0, d1) -> (d1, d0)>
func.func @biased(%x: tensor<8x96xbf16>, %w: tensor<64x96xbf16>, %b: tensor<8x64xf32>) -> tensor<8x64xf32> {
  %e0 = tensor.empty() : tensor<8x96xf32>
  %xf = arith.extf %x : tensor<8x96xbf16> to tensor<8x96xf32>
  %e1 = tensor.empty() : tensor<96x64xf32>
  %wf = linalg.generic {indexing_maps = [#swap, #id], iterator_types = ["parallel", "parallel"]}
      ins(%w : tensor<64x96xbf16>) outs(%e1 : tensor<96x64xf32>) {
  ^bb0(%in: bf16, %out: f32):
    %0 = arith.extf %in : bf16 to f32
    linalg.yield %0 : f32
  } -> tensor<96x64xf32>
  %y = linalg.matmul ins(%xf, %wf : tensor<8x96xf32>, tensor<96x64xf32>) outs(%b : tensor<8x64xf32>) -> tensor<8x64xf32>
  return %y : tensor<8x64xf32>
}

// -----

// An accumulator that is not f32 is extended.
// CHECK-LABEL: func @bf16_accumulator
// CHECK: %[[I:.*]] = arith.extf %arg2 : tensor<8x64xbf16> to tensor<8x64xf32>
// CHECK: lowp.matmul %arg0, %arg1 init(%[[I]] : tensor<8x64xf32>)
// CHECK-SAME: -> tensor<8x64xbf16>
func.func @bf16_accumulator(%x: tensor<8x96xbf16>, %w: tensor<96x64xbf16>, %b: tensor<8x64xbf16>) -> tensor<8x64xbf16> {
  %y = linalg.matmul ins(%x, %w : tensor<8x96xbf16>, tensor<96x64xbf16>) outs(%b : tensor<8x64xbf16>) -> tensor<8x64xbf16>
  return %y : tensor<8x64xbf16>
}

// -----

// Vectors: a unit dim is inserted, and taken out of the result.
// CHECK-LABEL: func @vectors
func.func @vectors(%x: tensor<96xf32> {lowp.param = #lowp.param<name = "x", kind = activation>},
                   %xs: tensor<4x96xf32> {lowp.param = #lowp.param<name = "xs", kind = activation>},
                   %w: tensor<96x64xf32>, %u: tensor<64x96xf32>, %v: tensor<4x64x96xf32>)
    -> (tensor<64xf32>, tensor<64xf32>, tensor<4x64xf32>) {
  %f = arith.constant dense<0.0> : tensor<64xf32>
  %g = arith.constant dense<0.0> : tensor<4x64xf32>
  // CHECK: %[[X:.*]] = tensor.expand_shape %arg0 {{\[\[}}0, 1]] output_shape [1, 96]
  // CHECK: %[[Y:.*]] = lowp.matmul %[[X]], %arg2 site = <name = "arg2", {{.*}}weight = rhs> : tensor<1x96xf32>, tensor<96x64xf32> -> tensor<1x64xf32>
  // CHECK: tensor.collapse_shape %[[Y]] {{\[\[}}0, 1]]
  %0 = linalg.vecmat ins(%x, %w : tensor<96xf32>, tensor<96x64xf32>) outs(%f : tensor<64xf32>) -> tensor<64xf32>
  // CHECK: lowp.matmul %arg3, %{{.*}} transpose_rhs site = <name = "arg3", {{.*}}weight = lhs> : tensor<64x96xf32>, tensor<1x96xf32> -> tensor<64x1xf32>
  %1 = linalg.matvec ins(%u, %x : tensor<64x96xf32>, tensor<96xf32>) outs(%f : tensor<64xf32>) -> tensor<64xf32>
  // CHECK: lowp.batch_matmul %arg4, %{{.*}} transpose_rhs site = <name = "arg4", role = fprop, kind = expert, weight = lhs> : tensor<4x64x96xf32>, tensor<4x1x96xf32> -> tensor<4x64x1xf32>
  %2 = linalg.batch_matvec ins(%v, %xs : tensor<4x64x96xf32>, tensor<4x96xf32>) outs(%g : tensor<4x64xf32>) -> tensor<4x64xf32>
  return %0, %1, %2 : tensor<64xf32>, tensor<64xf32>, tensor<4x64xf32>
}

// -----

// Indexing maps say which dims are which, whatever the operation is called.
// CHECK-LABEL: func @maps
#mk = affine_map<(m, n, k) -> (m, k)>
#nk = affine_map<(m, n, k) -> (n, k)>
#mn = affine_map<(m, n, k) -> (m, n)>
#nm = affine_map<(m, n, k) -> (n, m)>
func.func @maps(%x: tensor<?x96xbf16>, %w: tensor<64x96xbf16>, %f: tensor<?x64xf32>, %g: tensor<64x?xf32>)
    -> (tensor<?x64xf32>, tensor<?x64xf32>, tensor<64x?xf32>) {
  // CHECK: lowp.matmul %arg0, %arg1 init(%arg2 : tensor<?x64xf32>) transpose_rhs
  %0 = linalg.matmul indexing_maps = [#mk, #nk, #mn] ins(%x, %w : tensor<?x96xbf16>, tensor<64x96xbf16>) outs(%f : tensor<?x64xf32>) -> tensor<?x64xf32>
  // CHECK: lowp.matmul %arg0, %arg1 init(%arg2 : tensor<?x64xf32>) transpose_rhs
  %1 = linalg.contract indexing_maps = [#mk, #nk, #mn] ins(%x, %w : tensor<?x96xbf16>, tensor<64x96xbf16>) outs(%f : tensor<?x64xf32>) -> tensor<?x64xf32>
  // A transposed result makes the weight the left operand.
  // CHECK: lowp.matmul %arg1, %arg0 init(%arg3 : tensor<64x?xf32>) transpose_rhs site = <name = "arg1#3", role = fprop, kind = dense, weight = lhs>
  // CHECK-SAME: : tensor<64x96xbf16>, tensor<?x96xbf16> -> tensor<64x?xf32>
  %2 = linalg.contract indexing_maps = [#mk, #nk, #nm] ins(%x, %w : tensor<?x96xbf16>, tensor<64x96xbf16>) outs(%g : tensor<64x?xf32>) -> tensor<64x?xf32>
  return %0, %1, %2 : tensor<?x64xf32>, tensor<?x64xf32>, tensor<64x?xf32>
}

// -----

// Work that fusion put into the body comes out in front of the product, at the
// type in which the body has it before the extension.
// CHECK-LABEL: func @fused
// CHECK: %[[H:.*]] = linalg.generic {{.*}} ins(%arg0, %arg1 : tensor<2x?x96xf32>, tensor<2x?x96xbf16>)
// CHECK-NOT: arith.extf
// CHECK: %[[R:.*]] = arith.mulf %{{.*}}, %{{.*}} : bf16
// CHECK-NEXT: linalg.yield %[[R]] : bf16
// CHECK: %[[C:.*]] = tensor.collapse_shape %[[H]] {{\[\[}}0, 1], [2]] : tensor<2x?x96xbf16> into tensor<?x96xbf16>
// CHECK: %[[P:.*]] = lowp.matmul %[[C]], %arg2 transpose_rhs
// CHECK-SAME: : tensor<?x96xbf16>, tensor<64x96xbf16> -> tensor<?x64xf32> origin {
// CHECK: arith.mulf {{.*}} : bf16
// CHECK: tensor.collapse_shape
// CHECK: lowp.yield
// CHECK: tensor.expand_shape %[[P]] {{\[\[}}0, 1], [2]] output_shape [2, %{{.*}}, 64]
#x = affine_map<(b, m, n, k) -> (b, m, k)>
#w = affine_map<(b, m, n, k) -> (n, k)>
#y = affine_map<(b, m, n, k) -> (b, m, n)>
func.func @fused(%g: tensor<2x?x96xf32>, %u: tensor<2x?x96xbf16>, %w: tensor<64x96xbf16>, %m: index) -> tensor<2x?x64xf32> {
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty(%m) : tensor<2x?x64xf32>
  %f = linalg.generic {indexing_maps = [affine_map<(d0, d1, d2) -> (d0, d1, d2)>], iterator_types = ["parallel", "parallel", "parallel"]}
      outs(%e : tensor<2x?x64xf32>) {
  ^bb0(%out: f32):
    linalg.yield %zero : f32
  } -> tensor<2x?x64xf32>
  %y = linalg.generic {indexing_maps = [#x, #x, #w, #y], iterator_types = ["parallel", "parallel", "parallel", "reduction"]}
      ins(%g, %u, %w : tensor<2x?x96xf32>, tensor<2x?x96xbf16>, tensor<64x96xbf16>) outs(%f : tensor<2x?x64xf32>) {
  ^bb0(%in0: f32, %in1: bf16, %in2: bf16, %out: f32):
    %0 = arith.truncf %in0 : f32 to bf16
    %1 = arith.mulf %0, %in1 : bf16
    %2 = arith.extf %1 : bf16 to f32
    %3 = arith.extf %in2 : bf16 to f32
    %4 = arith.mulf %2, %3 : f32
    %5 = arith.addf %out, %4 : f32
    linalg.yield %5 : f32
  } -> tensor<2x?x64xf32>
  return %y : tensor<2x?x64xf32>
}

// -----

// An activation that is broadcast over experts is quantised once: it stays
// rank 2.
// CHECK-LABEL: func @experts
// CHECK: lowp.batch_matmul %arg0, %arg1 site = <name = "arg1", role = fprop, kind = expert, weight = rhs>
// CHECK-SAME: : tensor<32x96xbf16>, tensor<4x96x64xbf16> -> tensor<4x32x64xf32>
func.func @experts(%x: tensor<32x96xbf16>, %w: tensor<4x96x64xbf16>) -> tensor<4x32x64xf32> {
  %f = arith.constant dense<0.0> : tensor<4x32x64xf32>
  %e = tensor.empty() : tensor<4x32x96xbf16>
  %b = linalg.broadcast ins(%x : tensor<32x96xbf16>) outs(%e : tensor<4x32x96xbf16>) dimensions = [0]
  %y = linalg.batch_matmul ins(%b, %w : tensor<4x32x96xbf16>, tensor<4x96x64xbf16>) outs(%f : tensor<4x32x64xf32>) -> tensor<4x32x64xf32>
  return %y : tensor<4x32x64xf32>
}

// -----

// A weight that is broadcast over the batch is a plain product of all tokens.
// CHECK-LABEL: func @shared_weight
// CHECK: %[[X:.*]] = tensor.collapse_shape %arg0 {{\[\[}}0, 1], [2]] : tensor<2x16x96xbf16> into tensor<32x96xbf16>
// CHECK: lowp.matmul %[[X]], %arg1 site = <name = "arg1", role = fprop, kind = dense, weight = rhs>
func.func @shared_weight(%x: tensor<2x16x96xbf16>, %w: tensor<96x64xbf16>) -> tensor<2x16x64xf32> {
  %f = arith.constant dense<0.0> : tensor<2x16x64xf32>
  %e = tensor.empty() : tensor<2x96x64xbf16>
  %b = linalg.broadcast ins(%w : tensor<96x64xbf16>) outs(%e : tensor<2x96x64xbf16>) dimensions = [0]
  %y = linalg.batch_matmul ins(%x, %b : tensor<2x16x96xbf16>, tensor<2x96x64xbf16>) outs(%f : tensor<2x16x64xf32>) -> tensor<2x16x64xf32>
  return %y : tensor<2x16x64xf32>
}

// -----

// Matrices gathered per token, in the body of the product: the operand is the
// gathered tensor, the site is the parameter's.
// CHECK-LABEL: func @gathered
// CHECK: %[[G:.*]] = linalg.generic {{.*}} ins(%arg1 : tensor<?xi64>)
// CHECK: tensor.extract %arg2
// CHECK: lowp.batch_matmul %[[G]], %{{.*}} transpose_rhs site = <name = "arg2", role = fprop, kind = expert, weight = lhs>
// CHECK-SAME: : tensor<?x64x96xbf16>, tensor<?x1x96xbf16> -> tensor<?x64x1xf32>
func.func @gathered(%x: tensor<?x96xbf16>, %ids: tensor<?xi64>, %w: tensor<4x64x96xbf16>, %f: tensor<?x64xf32>) -> tensor<?x64xf32> {
  %y = linalg.generic {
      indexing_maps = [affine_map<(t, n, k) -> (t, k)>, affine_map<(t, n, k) -> (t)>, affine_map<(t, n, k) -> (t, n)>],
      iterator_types = ["parallel", "parallel", "reduction"]}
      ins(%x, %ids : tensor<?x96xbf16>, tensor<?xi64>) outs(%f : tensor<?x64xf32>) {
  ^bb0(%in: bf16, %id: i64, %out: f32):
    %e = arith.index_cast %id : i64 to index
    %n = linalg.index 1 : index
    %k = linalg.index 2 : index
    %m = tensor.extract %w[%e, %n, %k] : tensor<4x64x96xbf16>
    %0 = arith.extf %m : bf16 to f32
    %1 = arith.extf %in : bf16 to f32
    %2 = arith.mulf %0, %1 : f32
    %3 = arith.addf %out, %2 : f32
    linalg.yield %3 : f32
  } -> tensor<?x64xf32>
  return %y : tensor<?x64xf32>
}

// -----

// Parts of a fused weight, constants, and a plan that is already there.
// CHECK-LABEL: func @parts
func.func @parts(%x: tensor<8x96xbf16>, %w: tensor<128x96xbf16>) -> (tensor<8x64xf32>, tensor<8x4xf32>) {
  %f = arith.constant dense<0.0> : tensor<8x64xf32>
  %g = arith.constant dense<0.0> : tensor<8x4xf32>
  %c = arith.constant dense<2.0> : tensor<96x4xbf16>
  %e = tensor.empty() : tensor<96x64xbf16>
  %s = tensor.extract_slice %w[64, 0] [64, 96] [1, 1] : tensor<128x96xbf16> to tensor<64x96xbf16>
  %t = linalg.transpose ins(%s : tensor<64x96xbf16>) outs(%e : tensor<96x64xbf16>) permutation = [1, 0]
  // CHECK: %[[S:.*]] = tensor.extract_slice
  // CHECK: lowp.matmul %arg0, %[[S]] transpose_rhs site = <name = "arg1",
  // CHECK-SAME: plan = <lhs = <format = <mxfp8_e4m3>
  %0 = linalg.matmul {lowp.plan = #lowp.plan<lhs = <format = <mxfp8_e4m3>, block = 32, outer = none, rule = <>>>}
      ins(%x, %t : tensor<8x96xbf16>, tensor<96x64xbf16>) outs(%f : tensor<8x64xf32>) -> tensor<8x64xf32>
  // CHECK: lowp.matmul %arg0, %{{.*}} site = <name = "constant0",
  %1 = linalg.matmul ins(%x, %c : tensor<8x96xbf16>, tensor<96x4xbf16>) outs(%g : tensor<8x4xf32>) -> tensor<8x4xf32>
  return %0, %1 : tensor<8x64xf32>, tensor<8x4xf32>
}

// -----

// A table that rows are gathered from and that gives the logits: its product
// is the head.
// CHECK-LABEL: func @tied
// CHECK: lowp.matmul %{{.*}}, %arg0 transpose_rhs site = <name = "arg0", role = fprop, kind = head, weight = rhs>
func.func @tied(%w: tensor<128x64xbf16>, %ids: tensor<8xi64>) -> tensor<8x128xf32> {
  %f = arith.constant dense<0.0> : tensor<8x128xf32>
  %e = tensor.empty() : tensor<8x64xbf16>
  %x = linalg.generic {indexing_maps = [affine_map<(t, k) -> (t)>, affine_map<(t, k) -> (t, k)>], iterator_types = ["parallel", "parallel"]}
      ins(%ids : tensor<8xi64>) outs(%e : tensor<8x64xbf16>) {
  ^bb0(%id: i64, %out: bf16):
    %r = arith.index_cast %id : i64 to index
    %k = linalg.index 1 : index
    %v = tensor.extract %w[%r, %k] : tensor<128x64xbf16>
    linalg.yield %v : bf16
  } -> tensor<8x64xbf16>
  %t = tensor.empty() : tensor<64x128xbf16>
  %wt = linalg.transpose ins(%w : tensor<128x64xbf16>) outs(%t : tensor<64x128xbf16>) permutation = [1, 0]
  %y = linalg.matmul ins(%x, %wt : tensor<8x64xbf16>, tensor<64x128xbf16>) outs(%f : tensor<8x128xf32>) -> tensor<8x128xf32>
  return %y : tensor<8x128xf32>
}

// -----

// Two products of the same kind, one after the other, are two layers; two side
// by side are none.
// CHECK-LABEL: func @layers
// CHECK: name = "arg1", {{.*}}layer = 0
// CHECK: name = "arg2", {{.*}}layer = 1
func.func @layers(%x: tensor<8x64xf32>, %w0: tensor<64x64xf32>, %w1: tensor<64x64xf32>) -> tensor<8x64xf32> {
  %f = arith.constant dense<0.0> : tensor<8x64xf32>
  %0 = linalg.matmul ins(%x, %w0 : tensor<8x64xf32>, tensor<64x64xf32>) outs(%f : tensor<8x64xf32>) -> tensor<8x64xf32>
  %1 = linalg.matmul ins(%0, %w1 : tensor<8x64xf32>, tensor<64x64xf32>) outs(%f : tensor<8x64xf32>) -> tensor<8x64xf32>
  return %1 : tensor<8x64xf32>
}

// CHECK-LABEL: func @no_layers
// CHECK-NOT: layer =
// CHECK: return
func.func @no_layers(%x: tensor<8x64xf32>, %w0: tensor<64x64xf32>, %w1: tensor<64x64xf32>) -> (tensor<8x64xf32>, tensor<8x64xf32>) {
  %f = arith.constant dense<0.0> : tensor<8x64xf32>
  %0 = linalg.matmul ins(%x, %w0 : tensor<8x64xf32>, tensor<64x64xf32>) outs(%f : tensor<8x64xf32>) -> tensor<8x64xf32>
  %1 = linalg.matmul ins(%x, %w1 : tensor<8x64xf32>, tensor<64x64xf32>) outs(%f : tensor<8x64xf32>) -> tensor<8x64xf32>
  return %0, %1 : tensor<8x64xf32>, tensor<8x64xf32>
}

// -----

// The gradient of the activation is told by the gradient of the weight, which
// is no site.
// CHECK-LABEL: func @joint
// CHECK: lowp.matmul %arg1, %arg0 transpose_rhs site = <name = "arg0", role = fprop
// CHECK: linalg.matmul
// CHECK: lowp.matmul %arg2, %arg0 site = <name = "arg0#2", role = dgrad
#jmk = affine_map<(m, n, k) -> (m, k)>
#jnk = affine_map<(m, n, k) -> (n, k)>
#jkm = affine_map<(m, n, k) -> (k, m)>
#jkn = affine_map<(m, n, k) -> (k, n)>
#jmn = affine_map<(m, n, k) -> (m, n)>
func.func @joint(%w: tensor<64x96xf32>, %x: tensor<8x96xf32>, %g: tensor<8x64xf32>) -> (tensor<8x64xf32>, tensor<64x96xf32>, tensor<8x96xf32>) {
  %f0 = arith.constant dense<0.0> : tensor<8x64xf32>
  %f1 = arith.constant dense<0.0> : tensor<64x96xf32>
  %f2 = arith.constant dense<0.0> : tensor<8x96xf32>
  %0 = linalg.contract indexing_maps = [#jmk, #jnk, #jmn] ins(%x, %w : tensor<8x96xf32>, tensor<64x96xf32>) outs(%f0 : tensor<8x64xf32>) -> tensor<8x64xf32>
  %1 = linalg.matmul indexing_maps = [#jkm, #jkn, #jmn] ins(%g, %x : tensor<8x64xf32>, tensor<8x96xf32>) outs(%f1 : tensor<64x96xf32>) -> tensor<64x96xf32>
  %2 = linalg.matmul ins(%g, %w : tensor<8x64xf32>, tensor<64x96xf32>) outs(%f2 : tensor<8x96xf32>) -> tensor<8x96xf32>
  return %0, %1, %2 : tensor<8x64xf32>, tensor<64x96xf32>, tensor<8x96xf32>
}

// -----

// Products in loops and in other blocks; empty dims.
// CHECK-LABEL: func @nested
func.func @nested(%x: tensor<8x64xf32>, %w: tensor<64x64xf32>, %n: index) -> tensor<8x64xf32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %f = arith.constant dense<0.0> : tensor<8x64xf32>
  %r = scf.for %i = %c0 to %n step %c1 iter_args(%a = %x) -> tensor<8x64xf32> {
    // CHECK: lowp.matmul %{{.*}}, %arg1 site = <name = "arg1",
    %y = linalg.matmul ins(%a, %w : tensor<8x64xf32>, tensor<64x64xf32>) outs(%f : tensor<8x64xf32>) -> tensor<8x64xf32>
    scf.yield %y : tensor<8x64xf32>
  }
  cf.br ^bb1(%r : tensor<8x64xf32>)
^bb1(%a: tensor<8x64xf32>):
  // CHECK: lowp.matmul %{{.*}}, %arg1 site = <name = "arg1#2",
  %y = linalg.matmul ins(%a, %w : tensor<8x64xf32>, tensor<64x64xf32>) outs(%f : tensor<8x64xf32>) -> tensor<8x64xf32>
  return %y : tensor<8x64xf32>
}

// CHECK-LABEL: func @empty
// CHECK: lowp.matmul %{{.*}}, %arg1 init(%arg2 : tensor<0x16xf32>) site = <name = "arg1#3",
func.func @empty(%x: tensor<0x4x12xf32>, %w: tensor<12x16xf32>, %f: tensor<0x16xf32>) -> tensor<0x16xf32> {
  %c = tensor.collapse_shape %x [[0, 1], [2]] : tensor<0x4x12xf32> into tensor<0x12xf32>
  %y = linalg.matmul ins(%c, %w : tensor<0x12xf32>, tensor<12x16xf32>) outs(%f : tensor<0x16xf32>) -> tensor<0x16xf32>
  return %y : tensor<0x16xf32>
}

// -----

// Experts that are matrices of their own are known by name, and so is the gate
// beside them; a gate of an MLP is none.
// CHECK-LABEL: func @named_experts
// CHECK: name = "layers.1.moe.gate.weight", role = fprop, kind = router, layer = 1
// CHECK: name = "layers.1.moe.experts.3.w1", role = fprop, kind = expert, layer = 1
// CHECK: name = "layers.1.mlp.gate.weight", role = fprop, kind = dense, layer = 1
// CHECK: name = "layers.1.moe.shared_experts.up", role = fprop, kind = dense, layer = 1
func.func @named_experts(
    %g: tensor<64x4xf32> {lowp.param = #lowp.param<name = "layers.1.moe.gate.weight", kind = weight>},
    %e: tensor<64x16xf32> {lowp.param = #lowp.param<name = "layers.1.moe.experts.3.w1", kind = weight>},
    %m: tensor<64x16xf32> {lowp.param = #lowp.param<name = "layers.1.mlp.gate.weight", kind = weight>},
    %s: tensor<64x16xf32> {lowp.param = #lowp.param<name = "layers.1.moe.shared_experts.up", kind = weight>},
    %x: tensor<8x64xf32> {lowp.param = #lowp.param<name = "x", kind = activation>})
    -> (tensor<8x4xf32>, tensor<8x16xf32>, tensor<8x16xf32>, tensor<8x16xf32>) {
  %f = arith.constant dense<0.0> : tensor<8x4xf32>
  %h = arith.constant dense<0.0> : tensor<8x16xf32>
  %0 = linalg.matmul ins(%x, %g : tensor<8x64xf32>, tensor<64x4xf32>) outs(%f : tensor<8x4xf32>) -> tensor<8x4xf32>
  %1 = linalg.matmul ins(%x, %e : tensor<8x64xf32>, tensor<64x16xf32>) outs(%h : tensor<8x16xf32>) -> tensor<8x16xf32>
  %2 = linalg.matmul ins(%x, %m : tensor<8x64xf32>, tensor<64x16xf32>) outs(%h : tensor<8x16xf32>) -> tensor<8x16xf32>
  %3 = linalg.matmul ins(%x, %s : tensor<8x64xf32>, tensor<64x16xf32>) outs(%h : tensor<8x16xf32>) -> tensor<8x16xf32>
  return %0, %1, %2, %3 : tensor<8x4xf32>, tensor<8x16xf32>, tensor<8x16xf32>, tensor<8x16xf32>
}
