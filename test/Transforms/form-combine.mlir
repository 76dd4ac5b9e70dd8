// RUN: lowp-opt %s --lowp-form-combine --canonicalize --cse --split-input-file --remarks-filter=lowp-form-combine 2>%t | FileCheck %s
// RUN: FileCheck %s --check-prefix=REMARK < %t
// RUN: lowp-opt %s --lowp-form-combine --canonicalize --cse --split-input-file --lowp-check-transforms | FileCheck %s

// REMARK-DAG: results of site 'rounded' sent by #lowp.exchange<combine = <mxs2f6>, rht = 32>
// CHECK-LABEL: module attributes {lowp.sites = [{combine = #lowp.exchange<combine = <mxs2f6>, rht = 32>, site = #lowp.site<name = "rounded"
// CHECK: func.func @rounded(%[[X:.*]]: tensor<4x?x64xbf16>, %[[W:.*]]: tensor<4x96x64xbf16>, %[[G:.*]]: tensor<4x?x1xf32>)
// CHECK: %[[Y:.*]] = lowp.batch_matmul %[[X]], %[[W]]
// CHECK: %[[GATES:.*]] = linalg.generic {{.*}}iterator_types = ["parallel", "parallel"]} ins(%[[G]] : tensor<4x?x1xf32>)
// CHECK: arith.truncf
// CHECK: -> tensor<4x?xbf16>
// CHECK: %[[T:.*]] = lowp.rht %[[Y]] size = 32 axis = 2 : tensor<4x?x96xf32>
// CHECK: %[[P:.*]] = lowp.quantize %[[T]] : tensor<4x?x96xf32> -> !lowp.blocked<4x?x96xmxs2f6, block = [1, 1, 32]>
// CHECK: %[[R:.*]] = lowp.combine %[[P]] gates(%[[GATES]] : tensor<4x?xbf16>) inverse_rht = 32 : {{.*}} -> tensor<?x96xbf16>
// CHECK: return %[[R]]
#id = affine_map<(e, t, h) -> (e, t, h)>
#gate = affine_map<(e, t, h) -> (e, t, 0)>
#sum = affine_map<(e, t, h) -> (t, h)>
module attributes {lowp.exchange = #lowp.exchange<combine = <mxs2f6>, rht = 32, dispatch = <nvfp4>>,
                   lowp.sites = [{site = #lowp.site<name = "rounded", role = fprop, kind = expert>}]} {
  func.func @rounded(%x: tensor<4x?x64xbf16>, %w: tensor<4x96x64xbf16>, %g: tensor<4x?x1xf32>) -> tensor<?x96xbf16> {
    %zero = arith.constant 0.0 : bf16
    %c1 = arith.constant 1 : index
    %t = tensor.dim %x, %c1 : tensor<4x?x64xbf16>
    %y = lowp.batch_matmul %x, %w transpose_rhs site = <name = "rounded", role = fprop, kind = expert, weight = rhs> : tensor<4x?x64xbf16>, tensor<4x96x64xbf16> -> tensor<4x?x96xf32>
    %e = tensor.empty(%t) : tensor<4x?x96xbf16>
    %r = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel", "parallel"]} ins(%y : tensor<4x?x96xf32>) outs(%e : tensor<4x?x96xbf16>) {
    ^bb0(%in: f32, %out: bf16):
      %0 = arith.truncf %in : f32 to bf16
      linalg.yield %0 : bf16
    } -> tensor<4x?x96xbf16>
    %p = linalg.generic {indexing_maps = [#id, #gate, #id], iterator_types = ["parallel", "parallel", "parallel"]} ins(%r, %g : tensor<4x?x96xbf16>, tensor<4x?x1xf32>) outs(%e : tensor<4x?x96xbf16>) {
    ^bb0(%in: bf16, %in_0: f32, %out: bf16):
      %0 = arith.truncf %in_0 : f32 to bf16
      %1 = arith.mulf %0, %in : bf16
      linalg.yield %1 : bf16
    } -> tensor<4x?x96xbf16>
    %i = tensor.empty(%t) : tensor<?x96xbf16>
    %f = linalg.fill ins(%zero : bf16) outs(%i : tensor<?x96xbf16>) -> tensor<?x96xbf16>
    %s = linalg.generic {indexing_maps = [#id, #sum], iterator_types = ["reduction", "parallel", "parallel"]} ins(%p : tensor<4x?x96xbf16>) outs(%f : tensor<?x96xbf16>) {
    ^bb0(%in: bf16, %out: bf16):
      %0 = arith.addf %in, %out : bf16
      linalg.yield %0 : bf16
    } -> tensor<?x96xbf16>
    return %s : tensor<?x96xbf16>
  }
}

// -----

// A product that gives bf16, which another operation reads; a gate and a sum in
// f32; tokens as two dims; the sum as `linalg.reduce`.

// CHECK-LABEL: func.func @batches(
// CHECK-SAME: %{{.*}}: tensor<4x24x64xf32>, %{{.*}}: tensor<4x64x32xf32>, %[[G:.*]]: tensor<2x12x4xf32>
// CHECK-DAG: %[[Y:.*]] = lowp.batch_matmul {{.*}} -> tensor<4x24x32xf32>
// CHECK-DAG: %[[N:.*]] = arith.truncf %[[Y]] : tensor<4x24x32xf32> to tensor<4x24x32xbf16>
// CHECK-DAG: %[[GATES:.*]] = linalg.generic {{.*}} ins(%[[G]] : tensor<2x12x4xf32>) outs({{.*}} : tensor<4x2x12xf32>)
// CHECK-DAG: %[[C:.*]] = tensor.collapse_shape %[[GATES]] {{\[\[}}0], [1, 2]] : tensor<4x2x12xf32> into tensor<4x24xf32>
// CHECK-DAG: %[[T:.*]] = lowp.rht %[[Y]] size = 32 axis = 2
// CHECK-DAG: %[[P:.*]] = lowp.quantize %[[T]]
// CHECK: %[[R:.*]] = lowp.combine %[[P]] gates(%[[C]] : tensor<4x24xf32>) inverse_rht = 32 : {{.*}} -> tensor<24x32xf32>
// CHECK: %[[S:.*]] = tensor.expand_shape %[[R]] {{\[\[}}0, 1], [2]] output_shape [2, 12, 32]
// CHECK: return %[[S]], %[[N]]
#gate = affine_map<(e, b, s, h) -> (b, s, e)>
#id = affine_map<(e, b, s, h) -> (e, b, s, h)>
module attributes {lowp.exchange = #lowp.exchange<combine = <mxs2f6>, rht = 32>} {
  func.func @batches(%x: tensor<4x24x64xf32>, %w: tensor<4x64x32xf32>, %g: tensor<2x12x4xf32>) -> (tensor<2x12x32xf32>, tensor<4x24x32xbf16>) {
    %zeros = arith.constant dense<0.0> : tensor<2x12x32xf32>
    %y = lowp.batch_matmul %x, %w site = <name = "w", role = fprop, kind = expert, weight = rhs> : tensor<4x24x64xf32>, tensor<4x64x32xf32> -> tensor<4x24x32xbf16>
    %v = tensor.expand_shape %y [[0], [1, 2], [3]] output_shape [4, 2, 12, 32] : tensor<4x24x32xbf16> into tensor<4x2x12x32xbf16>
    %e = tensor.empty() : tensor<4x2x12x32xf32>
    %p = linalg.generic {indexing_maps = [#gate, #id, #id], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%g, %v : tensor<2x12x4xf32>, tensor<4x2x12x32xbf16>) outs(%e : tensor<4x2x12x32xf32>) {
    ^bb0(%in: f32, %in_0: bf16, %out: f32):
      %0 = arith.extf %in_0 : bf16 to f32
      %1 = arith.mulf %in, %0 : f32
      linalg.yield %1 : f32
    } -> tensor<4x2x12x32xf32>
    %s = linalg.reduce { arith.addf } ins(%p : tensor<4x2x12x32xf32>) outs(%zeros : tensor<2x12x32xf32>) dimensions = [0]
    return %s, %y : tensor<2x12x32xf32>, tensor<4x24x32xbf16>
  }
}

// -----

// Everything fused, with a gate that the body of the sum computes, spread along
// the hidden dim before; from the bf16 result, without a transform.

// CHECK-LABEL: func.func @fused(
// CHECK-SAME: %{{.*}}: tensor<4x?x64xf32>, %{{.*}}: tensor<4x64x40xf32>, %[[G:.*]]: tensor<?x4xf32>, %[[B:.*]]: tensor<4xf32>
// CHECK-DAG: %[[Y:.*]] = lowp.batch_matmul
// CHECK-DAG: %[[N:.*]] = arith.truncf %[[Y]] : tensor<4x?x40xf32> to tensor<4x?x40xbf16>
// CHECK-DAG: %[[V:.*]] = arith.extf %[[N]]
// CHECK-DAG: %[[GATES:.*]] = linalg.generic {{.*}} ins(%[[G]], %[[B]] : tensor<?x4xf32>, tensor<4xf32>)
// CHECK-DAG: %[[P:.*]] = lowp.quantize %[[V]] : tensor<4x?x40xf32> -> !lowp.blocked<4x?x40xmxs2f6, block = [1, 1, 32]>
// CHECK: lowp.combine %[[P]] gates(%[[GATES]] : tensor<4x?xf32>) : {{.*}} -> tensor<?x40xf32>
#id = affine_map<(e, t, h) -> (e, t, h)>
#gate = affine_map<(e, t, h) -> (t, e)>
#bias = affine_map<(e, t, h) -> (e)>
#sum = affine_map<(e, t, h) -> (t, h)>
module attributes {lowp.exchange = #lowp.exchange<combine = <mxs2f6>, via_bf16 = true>} {
  func.func @fused(%x: tensor<4x?x64xf32>, %w: tensor<4x64x40xf32>, %g: tensor<?x4xf32>, %b: tensor<4xf32>, %i: tensor<?x40xf32>) -> tensor<?x40xf32> {
    %zero = arith.constant 0.0 : f32
    %c0 = arith.constant 0 : index
    %t = tensor.dim %g, %c0 : tensor<?x4xf32>
    %y = lowp.batch_matmul %x, %w site = <name = "w", role = fprop, kind = expert, weight = rhs> : tensor<4x?x64xf32>, tensor<4x64x40xf32> -> tensor<4x?x40xf32>
    %e = tensor.empty(%t) : tensor<4x?x40xf32>
    %spread = linalg.generic {indexing_maps = [#gate, #id], iterator_types = ["parallel", "parallel", "parallel"]} ins(%g : tensor<?x4xf32>) outs(%e : tensor<4x?x40xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<4x?x40xf32>
    %f = linalg.fill ins(%zero : f32) outs(%i : tensor<?x40xf32>) -> tensor<?x40xf32>
    %s = linalg.generic {indexing_maps = [#id, #id, #bias, #sum], iterator_types = ["reduction", "parallel", "parallel"]} ins(%y, %spread, %b : tensor<4x?x40xf32>, tensor<4x?x40xf32>, tensor<4xf32>) outs(%f : tensor<?x40xf32>) {
    ^bb0(%in: f32, %in_0: f32, %in_1: f32, %out: f32):
      %0 = arith.addf %in_0, %in_1 : f32
      %1 = arith.mulf %in, %0 : f32
      %2 = arith.addf %out, %1 : f32
      linalg.yield %2 : f32
    } -> tensor<?x40xf32>
    return %s : tensor<?x40xf32>
  }
}

// -----

// What stays as it is.

// CHECK-LABEL: func.func @left(
// CHECK-NOT: lowp.combine
// CHECK-NOT: lowp.quantize
// REMARK-DAG: results of site 'no gate' left as they are: no gate is multiplied to its results
// REMARK-DAG: results of site 'wide gate' left as they are: its gate is not the same along the hidden dim, or not in sight
// REMARK-DAG: results of site 'bias' left as they are: more than a gate is done to its results
// REMARK-DAG: results of site 'init' left as they are: the sum over experts does not start at zero
// REMARK-DAG: results of site 'ragged' left as they are: its hidden dim of 48 is no multiple of the transform size 32
// REMARK-DAG: results of site 'dynamic' left as they are: the size of its hidden dim is not known
// REMARK-DAG: results of site 'over tokens' left as they are: the sum is not over experts, or its last dim is not the hidden dim
// REMARK-DAG: results of site 'slots' left as they are: a product with a matrix adds up its results
// REMARK-DAG: results of site 'matrix' left as they are: a product with a matrix adds up its results
// REMARK-DAG: results of site 'nothing' left as they are: no sum over experts follows
// REMARK-NOT: 'first'
#id = affine_map<(e, t, h) -> (e, t, h)>
#gate = affine_map<(e, t, h) -> (e, t)>
#bias = affine_map<(e, t, h) -> (e, h)>
#sum = affine_map<(e, t, h) -> (t, h)>
#rows = affine_map<(e, t, h) -> (e, h)>
module attributes {lowp.exchange = #lowp.exchange<combine = <mxs2f6>, rht = 32>} {
  func.func @left(%x: tensor<4x8x64xf32>, %w: tensor<4x64x64xf32>, %narrow: tensor<4x64x48xf32>, %any: tensor<4x64x?xf32>, %g: tensor<4x8xf32>, %wide: tensor<4x8x64xf32>, %bias: tensor<4x64xf32>, %r: tensor<8x64xf32>, %f: tensor<8x?xf32>, %m: tensor<16x32xf32>)
      -> (tensor<8x64xf32>, tensor<8x64xf32>, tensor<8x64xf32>, tensor<8x64xf32>, tensor<8x48xf32>, tensor<8x?xf32>, tensor<4x64xf32>, tensor<16x64xf32>, tensor<16x64xf32>, tensor<4x8x64xf32>) {
    %z = arith.constant dense<0.0> : tensor<8x64xf32>
    %z48 = arith.constant dense<0.0> : tensor<8x48xf32>
    %z4 = arith.constant dense<0.0> : tensor<4x64xf32>
    %z16 = arith.constant dense<0.0> : tensor<16x64xf32>
    %zero = arith.constant 0.0 : f32

    %first = lowp.batch_matmul %x, %w site = <name = "first", role = fprop, kind = expert, weight = rhs> : tensor<4x8x64xf32>, tensor<4x64x64xf32> -> tensor<4x8x64xf32>
    %h = math.exp %first : tensor<4x8x64xf32>
    %y0 = lowp.batch_matmul %h, %w site = <name = "no gate", role = fprop, kind = expert, weight = rhs> : tensor<4x8x64xf32>, tensor<4x64x64xf32> -> tensor<4x8x64xf32>
    %s0 = linalg.reduce { arith.addf } ins(%y0 : tensor<4x8x64xf32>) outs(%z : tensor<8x64xf32>) dimensions = [0]

    %y1 = lowp.batch_matmul %x, %w site = <name = "wide gate", role = fprop, kind = expert, weight = rhs> : tensor<4x8x64xf32>, tensor<4x64x64xf32> -> tensor<4x8x64xf32>
    %s1 = linalg.generic {indexing_maps = [#id, #id, #sum], iterator_types = ["reduction", "parallel", "parallel"]} ins(%y1, %wide : tensor<4x8x64xf32>, tensor<4x8x64xf32>) outs(%z : tensor<8x64xf32>) {
    ^bb0(%in: f32, %in_0: f32, %out: f32):
      %0 = arith.mulf %in, %in_0 : f32
      %1 = arith.addf %out, %0 : f32
      linalg.yield %1 : f32
    } -> tensor<8x64xf32>

    %y2 = lowp.batch_matmul %x, %w site = <name = "bias", role = fprop, kind = expert, weight = rhs> : tensor<4x8x64xf32>, tensor<4x64x64xf32> -> tensor<4x8x64xf32>
    %s2 = linalg.generic {indexing_maps = [#id, #bias, #gate, #sum], iterator_types = ["reduction", "parallel", "parallel"]} ins(%y2, %bias, %g : tensor<4x8x64xf32>, tensor<4x64xf32>, tensor<4x8xf32>) outs(%z : tensor<8x64xf32>) {
    ^bb0(%in: f32, %in_0: f32, %in_1: f32, %out: f32):
      %0 = arith.addf %in, %in_0 : f32
      %1 = arith.mulf %0, %in_1 : f32
      %2 = arith.addf %out, %1 : f32
      linalg.yield %2 : f32
    } -> tensor<8x64xf32>

    %y3 = lowp.batch_matmul %x, %w site = <name = "init", role = fprop, kind = expert, weight = rhs> : tensor<4x8x64xf32>, tensor<4x64x64xf32> -> tensor<4x8x64xf32>
    %s3 = linalg.generic {indexing_maps = [#id, #gate, #sum], iterator_types = ["reduction", "parallel", "parallel"]} ins(%y3, %g : tensor<4x8x64xf32>, tensor<4x8xf32>) outs(%r : tensor<8x64xf32>) {
    ^bb0(%in: f32, %in_0: f32, %out: f32):
      %0 = arith.mulf %in, %in_0 : f32
      %1 = arith.addf %out, %0 : f32
      linalg.yield %1 : f32
    } -> tensor<8x64xf32>

    %y4 = lowp.batch_matmul %x, %narrow site = <name = "ragged", role = fprop, kind = expert, weight = rhs> : tensor<4x8x64xf32>, tensor<4x64x48xf32> -> tensor<4x8x48xf32>
    %s4 = linalg.generic {indexing_maps = [#id, #gate, #sum], iterator_types = ["reduction", "parallel", "parallel"]} ins(%y4, %g : tensor<4x8x48xf32>, tensor<4x8xf32>) outs(%z48 : tensor<8x48xf32>) {
    ^bb0(%in: f32, %in_0: f32, %out: f32):
      %0 = arith.mulf %in, %in_0 : f32
      %1 = arith.addf %out, %0 : f32
      linalg.yield %1 : f32
    } -> tensor<8x48xf32>

    %y5 = lowp.batch_matmul %x, %any site = <name = "dynamic", role = fprop, kind = expert, weight = rhs> : tensor<4x8x64xf32>, tensor<4x64x?xf32> -> tensor<4x8x?xf32>
    %z5 = linalg.fill ins(%zero : f32) outs(%f : tensor<8x?xf32>) -> tensor<8x?xf32>
    %s5 = linalg.generic {indexing_maps = [#id, #gate, #sum], iterator_types = ["reduction", "parallel", "parallel"]} ins(%y5, %g : tensor<4x8x?xf32>, tensor<4x8xf32>) outs(%z5 : tensor<8x?xf32>) {
    ^bb0(%in: f32, %in_0: f32, %out: f32):
      %0 = arith.mulf %in, %in_0 : f32
      %1 = arith.addf %out, %0 : f32
      linalg.yield %1 : f32
    } -> tensor<8x?xf32>

    %y6 = lowp.batch_matmul %x, %w site = <name = "over tokens", role = fprop, kind = expert, weight = rhs> : tensor<4x8x64xf32>, tensor<4x64x64xf32> -> tensor<4x8x64xf32>
    %s6 = linalg.generic {indexing_maps = [#id, #gate, #rows], iterator_types = ["parallel", "reduction", "parallel"]} ins(%y6, %g : tensor<4x8x64xf32>, tensor<4x8xf32>) outs(%z4 : tensor<4x64xf32>) {
    ^bb0(%in: f32, %in_0: f32, %out: f32):
      %0 = arith.mulf %in, %in_0 : f32
      %1 = arith.addf %out, %0 : f32
      linalg.yield %1 : f32
    } -> tensor<4x64xf32>

    // Experts with a capacity: slots to tokens, as a generic and by name.
    %y7 = lowp.batch_matmul %x, %w site = <name = "slots", role = fprop, kind = expert, weight = rhs> : tensor<4x8x64xf32>, tensor<4x64x64xf32> -> tensor<4x8x64xf32>
    %c7 = tensor.collapse_shape %y7 [[0, 1], [2]] : tensor<4x8x64xf32> into tensor<32x64xf32>
    %s7 = linalg.generic {indexing_maps = [affine_map<(s, t, h) -> (s, h)>, affine_map<(s, t, h) -> (t, s)>, affine_map<(s, t, h) -> (t, h)>], iterator_types = ["reduction", "parallel", "parallel"]} ins(%c7, %m : tensor<32x64xf32>, tensor<16x32xf32>) outs(%z16 : tensor<16x64xf32>) {
    ^bb0(%in: f32, %in_0: f32, %out: f32):
      %0 = arith.mulf %in, %in_0 : f32
      %1 = arith.addf %out, %0 : f32
      linalg.yield %1 : f32
    } -> tensor<16x64xf32>
    %y8 = lowp.batch_matmul %x, %w site = <name = "matrix", role = fprop, kind = expert, weight = rhs> : tensor<4x8x64xf32>, tensor<4x64x64xf32> -> tensor<4x8x64xf32>
    %c8 = tensor.collapse_shape %y8 [[0, 1], [2]] : tensor<4x8x64xf32> into tensor<32x64xf32>
    %s8 = linalg.matmul ins(%m, %c8 : tensor<16x32xf32>, tensor<32x64xf32>) outs(%z16 : tensor<16x64xf32>) -> tensor<16x64xf32>

    %y9 = lowp.batch_matmul %x, %w site = <name = "nothing", role = fprop, kind = expert, weight = rhs> : tensor<4x8x64xf32>, tensor<4x64x64xf32> -> tensor<4x8x64xf32>
    return %s0, %s1, %s2, %s3, %s4, %s5, %s6, %s7, %s8, %y9 : tensor<8x64xf32>, tensor<8x64xf32>, tensor<8x64xf32>, tensor<8x64xf32>, tensor<8x48xf32>, tensor<8x?xf32>, tensor<4x64xf32>, tensor<16x64xf32>, tensor<16x64xf32>, tensor<4x8x64xf32>
  }
}

// -----

// Of two sums, one becomes a combine and the other says why not.

// REMARK-DAG: results of site 'twice' sent by #lowp.exchange<combine = <mxs2f6>, rht = 32>
// REMARK-DAG: another sum of results of site 'twice' left as it is: the sum over experts does not start at zero
// CHECK-LABEL: func.func @twice(
// CHECK: lowp.combine
// CHECK-NOT: lowp.combine
// CHECK: linalg.generic
// CHECK: return
#id = affine_map<(e, t, h) -> (e, t, h)>
#gate = affine_map<(e, t, h) -> (e, t)>
#sum = affine_map<(e, t, h) -> (t, h)>
module attributes {lowp.exchange = #lowp.exchange<combine = <mxs2f6>, rht = 32>} {
  func.func @twice(%x: tensor<4x8x64xf32>, %w: tensor<4x64x64xf32>, %g: tensor<4x8xf32>, %r: tensor<8x64xf32>) -> (tensor<8x64xf32>, tensor<8x64xf32>) {
    %z = arith.constant dense<0.0> : tensor<8x64xf32>
    %y = lowp.batch_matmul %x, %w site = <name = "twice", role = fprop, kind = expert, weight = rhs> : tensor<4x8x64xf32>, tensor<4x64x64xf32> -> tensor<4x8x64xf32>
    %s0 = linalg.generic {indexing_maps = [#id, #gate, #sum], iterator_types = ["reduction", "parallel", "parallel"]} ins(%y, %g : tensor<4x8x64xf32>, tensor<4x8xf32>) outs(%z : tensor<8x64xf32>) {
    ^bb0(%in: f32, %in_0: f32, %out: f32):
      %0 = arith.mulf %in, %in_0 : f32
      %1 = arith.addf %out, %0 : f32
      linalg.yield %1 : f32
    } -> tensor<8x64xf32>
    %s1 = linalg.generic {indexing_maps = [#id, #gate, #sum], iterator_types = ["reduction", "parallel", "parallel"]} ins(%y, %g : tensor<4x8x64xf32>, tensor<4x8xf32>) outs(%r : tensor<8x64xf32>) {
    ^bb0(%in: f32, %in_0: f32, %out: f32):
      %0 = arith.mulf %in, %in_0 : f32
      %1 = arith.addf %out, %0 : f32
      linalg.yield %1 : f32
    } -> tensor<8x64xf32>
    return %s0, %s1 : tensor<8x64xf32>, tensor<8x64xf32>
  }
}
