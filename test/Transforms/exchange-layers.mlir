// Where experts of one layer end and those of the next begin.
// RUN: lowp-opt %s --pass-pipeline='builtin.module(lowp-assign-formats{recipe=nvfp4 rules="dispatch=nvfp4; combine=s2f6_rht32; kind=expert -> activation=nvfp4:per_token weight=nvfp4:per_expert"},lowp-form-combine)' --split-input-file --remarks-filter='lowp-(assign-formats|form-combine)' -o /dev/null 2>&1 | FileCheck %s

// A residual takes what the experts of the first layer give to the second one,
// past a sum that is none over a dim.

// CHECK-DAG: site 'up.0': sent as it is quantised
// CHECK-DAG: site 'up.1': sent as it is quantised
// CHECK-DAG: results of site 'down.0' left as they are: no sum over experts follows
// CHECK-DAG: results of site 'down.1' left as they are: no sum over experts follows
func.func @residual(%x: tensor<8x64xf32>, %u0: tensor<2x64x64xf32>, %d0: tensor<2x64x64xf32>, %u1: tensor<2x64x64xf32>, %d1: tensor<2x64x64xf32>) -> tensor<2x8x64xf32> {
  %a0 = lowp.batch_matmul %x, %u0 transpose_rhs site = <name = "up.0", role = fprop, kind = expert, layer = 0, weight = rhs> : tensor<8x64xf32>, tensor<2x64x64xf32> -> tensor<2x8x64xf32>
  %h0 = math.tanh %a0 : tensor<2x8x64xf32>
  %y0 = lowp.batch_matmul %h0, %d0 transpose_rhs site = <name = "down.0", role = fprop, kind = expert, layer = 0, weight = rhs> : tensor<2x8x64xf32>, tensor<2x64x64xf32> -> tensor<2x8x64xf32>
  %first = tensor.extract_slice %y0[0, 0, 0] [1, 8, 64] [1, 1, 1] : tensor<2x8x64xf32> to tensor<8x64xf32>
  %second = tensor.extract_slice %y0[1, 0, 0] [1, 8, 64] [1, 1, 1] : tensor<2x8x64xf32> to tensor<8x64xf32>
  %sum = arith.addf %first, %second : tensor<8x64xf32>
  %r = arith.addf %x, %sum : tensor<8x64xf32>
  %a1 = lowp.batch_matmul %r, %u1 transpose_rhs site = <name = "up.1", role = fprop, kind = expert, layer = 1, weight = rhs> : tensor<8x64xf32>, tensor<2x64x64xf32> -> tensor<2x8x64xf32>
  %h1 = math.tanh %a1 : tensor<2x8x64xf32>
  %y1 = lowp.batch_matmul %h1, %d1 transpose_rhs site = <name = "down.1", role = fprop, kind = expert, layer = 1, weight = rhs> : tensor<2x8x64xf32>, tensor<2x64x64xf32> -> tensor<2x8x64xf32>
  return %y1 : tensor<2x8x64xf32>
}

// -----

// Sizes and destinations carry no values. Nothing says layers.

// CHECK-DAG: site 'up': sent as it is quantised
// CHECK-DAG: site 'other': sent as it is quantised
// CHECK-DAG: site 'written': sent as it is quantised
#id = affine_map<(e, t, h) -> (e, t, h)>
func.func @sizes(%x: tensor<?x64xf32>, %z: tensor<2x?x64xf32>, %u: tensor<2x64x64xf32>, %v: tensor<2x64x64xf32>) -> (tensor<2x?x64xf32>, tensor<2x?x64xf32>, tensor<2x?x64xf32>) {
  %c1 = arith.constant 1 : index
  %zero = arith.constant 0.0 : f32
  %y = lowp.batch_matmul %x, %u transpose_rhs site = <name = "up", role = fprop, kind = expert, weight = rhs> : tensor<?x64xf32>, tensor<2x64x64xf32> -> tensor<2x?x64xf32>
  %t = tensor.dim %y, %c1 : tensor<2x?x64xf32>
  %e = tensor.empty(%t) : tensor<2x?x64xf32>
  %f = linalg.fill ins(%zero : f32) outs(%e : tensor<2x?x64xf32>) -> tensor<2x?x64xf32>
  %other = lowp.batch_matmul %f, %v transpose_rhs site = <name = "other", role = fprop, kind = expert, weight = rhs> : tensor<2x?x64xf32>, tensor<2x64x64xf32> -> tensor<2x?x64xf32>
  %w = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel", "parallel"]} ins(%z : tensor<2x?x64xf32>) outs(%y : tensor<2x?x64xf32>) {
  ^bb0(%in: f32, %out: f32):
    %0 = math.exp %in : f32
    linalg.yield %0 : f32
  } -> tensor<2x?x64xf32>
  %written = lowp.batch_matmul %w, %v transpose_rhs site = <name = "written", role = fprop, kind = expert, weight = rhs> : tensor<2x?x64xf32>, tensor<2x64x64xf32> -> tensor<2x?x64xf32>
  return %y, %other, %written : tensor<2x?x64xf32>, tensor<2x?x64xf32>, tensor<2x?x64xf32>
}
