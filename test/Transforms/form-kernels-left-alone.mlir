// RUN: lowp-opt %s --lowp-form-kernels | FileCheck %s
// RUN: lowp-opt %s --lowp-form-kernels --remarks-filter=lowp-form-kernels --verify-diagnostics
// RUN: lowp-opt %s --lowp-form-kernels='quantizations=false sources=false' | FileCheck %s --check-prefix=NONE

// NONE-NOT: lowp.kernel

#x = affine_map<(m, k) -> (m, k)>
#all = affine_map<(m, k) -> ()>

!mx = !lowp.blocked<?x64xmxfp8_e4m3, block = [1, 32]>
!tiled = !lowp.blocked<?x64xmxfp8_e4m3, block = [1, 32], layout = tcgen05_128x4>
!nv = !lowp.blocked<?x64xnvfp4, block = [1, 16]>
!each = !lowp.blocked<?x64x<f8E4M3FN, f32>, block = [1, 1], groups = 4 along 1>
!groups = !lowp.blocked<?x64xmxfp8_e4m3, block = [32, 1], groups = 4 along 0>

// A quantisation alone is a loop nest already.
// CHECK-LABEL: func @alone
// CHECK-NOT: lowp.kernel
// CHECK: return
func.func @alone(%x: tensor<?x64xbf16>) -> !mx {
  %q = lowp.quantize %x : tensor<?x64xbf16> -> !mx
  return %q : !mx
}

// Constants are quantised when compiling.
// CHECK-LABEL: func @constant
// CHECK-NOT: lowp.kernel
// CHECK: return
func.func @constant() -> !lowp.blocked<1x32xmxfp8_e4m3, block = [1, 32]> {
  %c = arith.constant dense<2.0> : tensor<1x32xf32>
  %p = lowp.quantize %c : tensor<1x32xf32> -> !lowp.blocked<1x32xmxfp8_e4m3, block = [1, 32]>
  %q = lowp.requantize %p : !lowp.blocked<1x32xmxfp8_e4m3, block = [1, 32]> -> !lowp.blocked<1x32xmxfp4, block = [1, 32]>
  return %p : !lowp.blocked<1x32xmxfp8_e4m3, block = [1, 32]>
}

// One scale for the whole tensor needs all of it first. Its source is a kernel
// by itself.
// CHECK-LABEL: func @per_tensor
// CHECK: %[[K:.*]] = lowp.kernel -> tensor<?x64xf32>
// CHECK: arith.mulf
// CHECK: arith.negf
// CHECK: lowp.yield
// CHECK: lowp.quantize %[[K]]
func.func @per_tensor(%x: tensor<?x64xf32>) -> !nv {
  %a = arith.mulf %x, %x : tensor<?x64xf32>
  %b = arith.negf %a : tensor<?x64xf32>
  %c0 = arith.constant 0 : index
  %m = tensor.dim %x, %c0 : tensor<?x64xf32>
  %e = tensor.empty(%m) : tensor<?x64xf32>
  // expected-remark@below {{Formed}}
  %n = linalg.generic {indexing_maps = [#x, #x], iterator_types = ["parallel", "parallel"]}
    ins(%b : tensor<?x64xf32>) outs(%e : tensor<?x64xf32>) {
    ^bb0(%v: f32, %o: f32):
      %y = math.exp %v : f32
      linalg.yield %y : f32
  } -> tensor<?x64xf32>
  // expected-remark@below {{'lowp.quantize' is not part of a kernel: its outer scales need all rows}}
  %q = lowp.quantize %n : tensor<?x64xf32> -> !nv
  return %q : !nv
}

// CHECK-LABEL: func @layouts
// CHECK-NOT: lowp.kernel
// CHECK: return
func.func @layouts(%x: tensor<?x64xf32>, %o: tensor<5xi32>, %seed: i64, %step: i32) -> (!tiled, !groups, !each) {
  %a = arith.mulf %x, %x : tensor<?x64xf32>
  // expected-remark@below {{'lowp.quantize' is not part of a kernel: its scales lie in tiles of rows}}
  %q = lowp.quantize %a : tensor<?x64xf32> -> !tiled
  // expected-remark@below {{'lowp.quantize' is not part of a kernel: its groups begin where offsets say}}
  %p = lowp.quantize %a groups(%o : tensor<5xi32>) : tensor<?x64xf32> -> !groups
  // expected-remark@below {{'lowp.quantize' is not part of a kernel: its random bits begin anew in each group}}
  %r = lowp.quantize %a seed(%seed, %step) groups(%o : tensor<5xi32>) {rule = #lowp.rule<round = stochastic, sf_round = up>, stream = 0 : i32} : tensor<?x64xf32> -> !each
  return %q, %p, %r : !tiled, !groups, !each
}

// What is read before the kernel is computed before it.
// CHECK-LABEL: func @read_before
// CHECK: arith.mulf
// CHECK: call @use
// CHECK: lowp.kernel
func.func private @use(tensor<?x64xf32>)
func.func @read_before(%x: tensor<?x64xf32>) -> !mx {
  // expected-remark@below {{'arith.mulf' is not part of the kernel: others read its result before the kernel}}
  %a = arith.mulf %x, %x : tensor<?x64xf32>
  call @use(%a) : (tensor<?x64xf32>) -> ()
  %b = arith.negf %a : tensor<?x64xf32>
  // expected-remark@below {{Formed}}
  %q = lowp.quantize %b : tensor<?x64xf32> -> !mx
  return %q : !mx
}

// Gathers, and whatever computes with the number of a row.
// CHECK-LABEL: func @gather
// CHECK-NOT: lowp.kernel
// CHECK: return
func.func @gather(%ids: tensor<?xi64>, %table: tensor<?x64xf32>) -> !mx {
  %c0 = arith.constant 0 : index
  %m = tensor.dim %ids, %c0 : tensor<?xi64>
  %e = tensor.empty(%m) : tensor<?x64xf32>
  // expected-remark@below {{'linalg.generic' is not part of the kernel: it reads tensors that are not its operands}}
  %rows = linalg.generic {indexing_maps = [affine_map<(m, k) -> (m)>, #x], iterator_types = ["parallel", "parallel"]}
    ins(%ids : tensor<?xi64>) outs(%e : tensor<?x64xf32>) {
    ^bb0(%i: i64, %o: f32):
      %row = arith.index_cast %i : i64 to index
      %k = linalg.index 1 : index
      %v = tensor.extract %table[%row, %k] : tensor<?x64xf32>
      linalg.yield %v : f32
  } -> tensor<?x64xf32>
  %q = lowp.quantize %rows : tensor<?x64xf32> -> !mx
  return %q : !mx
}

// A sum over all rows is there before the kernel.
// CHECK-LABEL: func @total
// CHECK: %[[SUM:.*]] = linalg.generic {{.*}}"reduction"
// CHECK: lowp.kernel
// CHECK-NEXT: linalg.generic {{.*}}ins(%{{.*}}, %[[SUM]]
// CHECK: lowp.quantize
func.func @total(%x: tensor<?x64xf32>) -> !mx {
  %c0 = arith.constant 0 : index
  %zero = arith.constant 0.0 : f32
  %m = tensor.dim %x, %c0 : tensor<?x64xf32>
  %s = tensor.empty() : tensor<f32>
  %none = linalg.fill ins(%zero : f32) outs(%s : tensor<f32>) -> tensor<f32>
  // expected-remark@below {{'linalg.generic' is not part of the kernel: its result is read whole}}
  %sum = linalg.generic {indexing_maps = [#x, #all], iterator_types = ["reduction", "reduction"]}
    ins(%x : tensor<?x64xf32>) outs(%none : tensor<f32>) {
    ^bb0(%v: f32, %o: f32):
      %a = arith.addf %v, %o : f32
      linalg.yield %a : f32
  } -> tensor<f32>
  %e = tensor.empty(%m) : tensor<?x64xf32>
  %y = linalg.generic {indexing_maps = [#x, #all, #x], iterator_types = ["parallel", "parallel"]}
    ins(%x, %sum : tensor<?x64xf32>, tensor<f32>) outs(%e : tensor<?x64xf32>) {
    ^bb0(%v: f32, %t: f32, %o: f32):
      %a = arith.subf %v, %t : f32
      linalg.yield %a : f32
  } -> tensor<?x64xf32>
  // expected-remark@below {{Formed}}
  %q = lowp.quantize %y : tensor<?x64xf32> -> !mx
  return %q : !mx
}

// A value is read in one way: not rows and columns of it.
// CHECK-LABEL: func @symmetric
// CHECK-NOT: lowp.kernel
// CHECK: return
func.func @symmetric(%x: tensor<64x64xf32>) -> !lowp.blocked<64x64xmxfp8_e4m3, block = [1, 32]> {
  %e = tensor.empty() : tensor<64x64xf32>
  // expected-remark@below {{'linalg.generic' is not part of the kernel: operations take other dims of its operand for rows}}
  %s = linalg.generic {indexing_maps = [#x, affine_map<(m, k) -> (k, m)>, #x], iterator_types = ["parallel", "parallel"]}
    ins(%x, %x : tensor<64x64xf32>, tensor<64x64xf32>) outs(%e : tensor<64x64xf32>) {
    ^bb0(%v: f32, %w: f32, %o: f32):
      %y = arith.addf %v, %w : f32
      linalg.yield %y : f32
  } -> tensor<64x64xf32>
  %q = lowp.quantize %s : tensor<64x64xf32> -> !lowp.blocked<64x64xmxfp8_e4m3, block = [1, 32]>
  return %q : !lowp.blocked<64x64xmxfp8_e4m3, block = [1, 32]>
}
