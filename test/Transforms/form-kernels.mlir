// RUN: lowp-opt %s --lowp-form-kernels | FileCheck %s
// RUN: lowp-opt %s --lowp-form-kernels --lowp-tile-kernels --lowp-decompose --canonicalize | FileCheck %s --check-prefix=NEST --strict-whitespace
// RUN: lowp-opt %s --lowp-form-kernels --lowp-tile-kernels=batches=true --lowp-decompose=batches=true --canonicalize | FileCheck %s --check-prefix=NEST --strict-whitespace
// RUN: lowp-opt %s --lowp-form-kernels --remarks-filter=lowp-form-kernels 2>&1 | FileCheck %s --check-prefix=REMARK

// What a kernel computes takes one loop nest, the only one of its function.

#x = affine_map<(m, k) -> (m, k)>
#row = affine_map<(m, k) -> (m)>
#unit = affine_map<(m, k) -> (m, 0)>
#k = affine_map<(m, k) -> (k)>
#x3 = affine_map<(b, s, k) -> (b, s, k)>

!mx = !lowp.blocked<?x256xmxfp8_e4m3, block = [1, 32]>
!mxt = !lowp.blocked<?x256xmxfp8_e4m3, block = [32, 1]>
!nv = !lowp.blocked<?x256xnvfp4, block = [1, 16], outer = [0]>

// CHECK-LABEL: func @rmsnorm
// CHECK-SAME: (%[[X:.*]]: tensor<?x256xbf16>
// CHECK: %[[K:.*]] = lowp.kernel -> !lowp.blocked<?x256xnvfp4, block = [1, 16], outer = [0]> {
// CHECK: linalg.generic {{.*}}"reduction"
// CHECK: math.rsqrt
// CHECK: %[[N:.*]] = linalg.generic
// CHECK: %[[Q:.*]] = lowp.quantize %[[N]]
// CHECK: lowp.yield %[[Q]]
// CHECK: return %[[K]]
// REMARK: remark: [Passed] Formed
// REMARK-SAME: kernel of 4 operations, 1 of them quantisations

// NEST-LABEL: func.func @rmsnorm
// NEST-NOT: {{^    [^ ].*(scf|linalg)\.}}
// NEST: {{^    [^ ].*}} = scf.forall
// NEST: math.rsqrt
// NEST: lowp.encode
// NEST-NOT: {{^    [^ ].*(scf|linalg)\.}}
// NEST: {{^    return}}
func.func @rmsnorm(%x: tensor<?x256xbf16>, %g: tensor<256xbf16>) -> !nv {
  %c0 = arith.constant 0 : index
  %zero = arith.constant 0.0 : f32
  %size = arith.constant 256.0 : f32
  %m = tensor.dim %x, %c0 : tensor<?x256xbf16>
  %sums = tensor.empty(%m) : tensor<?xf32>
  %start = linalg.fill ins(%zero : f32) outs(%sums : tensor<?xf32>) -> tensor<?xf32>
  %ss = linalg.generic {indexing_maps = [#x, #row], iterator_types = ["parallel", "reduction"]}
    ins(%x : tensor<?x256xbf16>) outs(%start : tensor<?xf32>) {
    ^bb0(%e: bf16, %o: f32):
      %f = arith.extf %e : bf16 to f32
      %s = arith.mulf %f, %f : f32
      %a = arith.addf %s, %o : f32
      linalg.yield %a : f32
  } -> tensor<?xf32>
  %inv = linalg.generic {indexing_maps = [affine_map<(m) -> (m)>, affine_map<(m) -> (m)>], iterator_types = ["parallel"]}
    ins(%ss : tensor<?xf32>) outs(%sums : tensor<?xf32>) {
    ^bb0(%e: f32, %o: f32):
      %d = arith.divf %e, %size : f32
      %r = math.rsqrt %d : f32
      linalg.yield %r : f32
  } -> tensor<?xf32>
  %empty = tensor.empty(%m) : tensor<?x256xbf16>
  %n = linalg.generic {indexing_maps = [#x, #row, #k, #x], iterator_types = ["parallel", "parallel"]}
    ins(%x, %inv, %g : tensor<?x256xbf16>, tensor<?xf32>, tensor<256xbf16>) outs(%empty : tensor<?x256xbf16>) {
    ^bb0(%e: bf16, %i: f32, %w: bf16, %o: bf16):
      %f = arith.extf %e : bf16 to f32
      %s = arith.mulf %f, %i : f32
      %t = arith.truncf %s : f32 to bf16
      %y = arith.mulf %t, %w : bf16
      linalg.yield %y : bf16
  } -> tensor<?x256xbf16>
  %q = lowp.quantize %n : tensor<?x256xbf16> -> !nv
  return %q : !nv
}

// Of two products, which are not part of it. The rows have two dims, and one
// where they are quantised. A result that is returned too is one of the kernel's.
// CHECK-LABEL: func @swiglu
// CHECK: lowp.kernel -> tensor<?x?x256xbf16>, !lowp.blocked
// CHECK: math.exp
// CHECK: arith.mulf
// CHECK: tensor.collapse_shape
// CHECK: lowp.quantize

// NEST-LABEL: func.func @swiglu
// NEST-NOT: {{^    [^ ].*(scf|linalg)\.}}
// NEST: {{^    [^ ].*}} = scf.forall
// NEST: math.exp
// NEST: lowp.encode
// NEST-NOT: {{^    [^ ].*(scf|linalg)\.}}
// NEST: {{^    return}}
func.func @swiglu(%gate: tensor<?x?x256xf32>, %up: tensor<?x?x256xbf16>) -> (!mx, tensor<?x?x256xbf16>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %one = arith.constant 1.0 : f32
  %b = tensor.dim %gate, %c0 : tensor<?x?x256xf32>
  %s = tensor.dim %gate, %c1 : tensor<?x?x256xf32>
  %f = tensor.empty(%b, %s) : tensor<?x?x256xf32>
  %e = tensor.empty(%b, %s) : tensor<?x?x256xbf16>
  %silu = linalg.generic {indexing_maps = [#x3, #x3], iterator_types = ["parallel", "parallel", "parallel"]}
    ins(%gate : tensor<?x?x256xf32>) outs(%f : tensor<?x?x256xf32>) {
    ^bb0(%v: f32, %o: f32):
      %neg = arith.negf %v : f32
      %p = math.exp %neg : f32
      %d = arith.addf %p, %one : f32
      %y = arith.divf %v, %d : f32
      linalg.yield %y : f32
  } -> tensor<?x?x256xf32>
  %y = linalg.generic {indexing_maps = [#x3, #x3, #x3], iterator_types = ["parallel", "parallel", "parallel"]}
    ins(%silu, %up : tensor<?x?x256xf32>, tensor<?x?x256xbf16>) outs(%e : tensor<?x?x256xbf16>) {
    ^bb0(%v: f32, %u: bf16, %o: bf16):
      %t = arith.truncf %v : f32 to bf16
      %z = arith.mulf %t, %u : bf16
      linalg.yield %z : bf16
  } -> tensor<?x?x256xbf16>
  %flat = tensor.collapse_shape %y [[0, 1], [2]] : tensor<?x?x256xbf16> into tensor<?x256xbf16>
  %q = lowp.quantize %flat : tensor<?x256xbf16> -> !mx
  return %q, %y : !mx, tensor<?x?x256xbf16>
}

// CHECK-LABEL: func @epilogue
// CHECK: lowp.matmul
// CHECK: lowp.kernel
// CHECK-NEXT: linalg.generic
// CHECK: lowp.rht
// CHECK-NEXT: lowp.quantize
// REMARK: 'lowp.matmul' is not part of the kernel

// The first nests are those of the product.
// NEST-LABEL: func.func @epilogue
// NEST: math.tanh
// NEST-NOT: {{^    [^ ].*(scf|linalg)\.}}
// NEST: lowp.hadamard
// NEST-NOT: {{^    [^ ].*(scf|linalg)\.}}
// NEST: lowp.encode
// NEST-NOT: {{^    [^ ].*(scf|linalg)\.}}
// NEST: {{^    return}}
func.func @epilogue(%a: !mx, %w: !lowp.blocked<256x256xmxfp8_e4m3, block = [1, 32]>, %bias: tensor<256xf32>) -> !nv {
  %y = lowp.matmul %a, %w transpose_rhs : !mx, !lowp.blocked<256x256xmxfp8_e4m3, block = [1, 32]> -> tensor<?x256xf32>
  %m = lowp.dim %a, 0 : !mx
  %e = tensor.empty(%m) : tensor<?x256xbf16>
  %t = linalg.generic {indexing_maps = [#x, #k, #x], iterator_types = ["parallel", "parallel"]}
    ins(%y, %bias : tensor<?x256xf32>, tensor<256xf32>) outs(%e : tensor<?x256xbf16>) {
    ^bb0(%v: f32, %w0: f32, %o: bf16):
      %s = arith.addf %v, %w0 : f32
      %h = math.tanh %s : f32
      %r = arith.truncf %h : f32 to bf16
      linalg.yield %r : bf16
  } -> tensor<?x256xbf16>
  %h = lowp.rht %t size = 16 axis = 1 : tensor<?x256xbf16>
  %q = lowp.quantize %h : tensor<?x256xbf16> -> !nv
  return %q : !nv
}

// Decoding, transposition and quantisation, without the decoded value.
// CHECK-LABEL: func @requantize
// CHECK: lowp.kernel
// CHECK-NEXT: lowp.requantize

// NEST-LABEL: func.func @requantize
// NEST-NOT: {{^    [^ ].*(scf|linalg)\.}}
// NEST: {{^    [^ ].*}} = scf.forall
// NEST: lowp.decode
// NEST: lowp.encode
// NEST-NOT: {{^    [^ ].*(scf|linalg)\.}}
// NEST: {{^    return}}
func.func @requantize(%q: !nv) -> !lowp.blocked<256x?xmxfp8_e4m3, block = [1, 32]> {
  %t = lowp.requantize %q permutation = [1, 0] outer = fold : !nv -> !lowp.blocked<256x?xmxfp8_e4m3, block = [1, 32]>
  return %t : !lowp.blocked<256x?xmxfp8_e4m3, block = [1, 32]>
}

// Rows and columns of one source, the columns transformed: 32 rows at a time.
// CHECK-LABEL: func @dual
// CHECK-SAME: (%[[X:.*]]: tensor<?x256xbf16>
// CHECK: %[[K:.*]]:2 = lowp.kernel
// CHECK-DAG: lowp.quantize %[[X]]
// CHECK-DAG: %[[H:.*]] = lowp.rht %[[X]]
// CHECK-DAG: lowp.quantize %[[H]]
// CHECK: return %[[K]]#0, %[[K]]#1

// NEST-LABEL: func.func @dual
// NEST-NOT: {{^    [^ ].*(scf|linalg)\.}}
// NEST: {{^    [^ ].*}} = scf.forall
// NEST-COUNT-2: lowp.encode
// NEST-NOT: {{^    [^ ].*(scf|linalg)\.}}
// NEST: {{^    return}}
func.func @dual(%x: tensor<?x256xbf16>) -> (!mx, !mxt) {
  %q = lowp.quantize %x : tensor<?x256xbf16> -> !mx
  %h = lowp.rht %x size = 32 axis = 0 : tensor<?x256xbf16>
  %t = lowp.quantize %h : tensor<?x256xbf16> -> !mxt
  return %q, %t : !mx, !mxt
}

// New tensors of the second quantisation stand after the first one, where the
// kernel is, and move in front of it.
// CHECK-LABEL: func @late
// CHECK: tensor.dim
// CHECK: tensor.empty
// CHECK: %[[K:.*]]:2 = lowp.kernel
// CHECK-DAG: linalg.transpose
// CHECK-DAG: lowp.quantize
// CHECK-DAG: lowp.quantize
// CHECK: return %[[K]]#0, %[[K]]#1
func.func @late(%x: tensor<?x256xf32>) -> (!mx, !lowp.blocked<256x?xmxfp8_e4m3, block = [1, 32]>) {
  %q = lowp.quantize %x : tensor<?x256xf32> -> !mx
  %c0 = arith.constant 0 : index
  %m = tensor.dim %x, %c0 : tensor<?x256xf32>
  %e = tensor.empty(%m) : tensor<256x?xf32>
  %t = linalg.transpose ins(%x : tensor<?x256xf32>) outs(%e : tensor<256x?xf32>) permutation = [1, 0]
  %p = lowp.quantize %t : tensor<256x?xf32> -> !lowp.blocked<256x?xmxfp8_e4m3, block = [1, 32]>
  return %q, %p : !mx, !lowp.blocked<256x?xmxfp8_e4m3, block = [1, 32]>
}

// Outer scales per row and per column have no rows in common: two kernels.
// CHECK-LABEL: func @apart
// CHECK: lowp.kernel -> !lowp.blocked<64x256xnvfp4, block = [1, 16], outer = [0]>
// CHECK-NEXT: lowp.rht {{.*}} axis = 1
// CHECK-NEXT: lowp.quantize
// CHECK: lowp.kernel -> !lowp.blocked<64x256xnvfp4, block = [16, 1], outer = [1]>
// CHECK-NEXT: lowp.rht {{.*}} axis = 0
// CHECK-NEXT: lowp.quantize
// REMARK: 'lowp.quantize' is not part of the kernel of another: its outer scales need all rows
func.func @apart(%x: tensor<64x256xf32>) -> (!lowp.blocked<64x256xnvfp4, block = [1, 16], outer = [0]>, !lowp.blocked<64x256xnvfp4, block = [16, 1], outer = [1]>) {
  %r = lowp.rht %x size = 16 axis = 1 : tensor<64x256xf32>
  %h = lowp.rht %x size = 16 axis = 0 : tensor<64x256xf32>
  %q = lowp.quantize %r : tensor<64x256xf32> -> !lowp.blocked<64x256xnvfp4, block = [1, 16], outer = [0]>
  %p = lowp.quantize %h : tensor<64x256xf32> -> !lowp.blocked<64x256xnvfp4, block = [16, 1], outer = [1]>
  return %q, %p : !lowp.blocked<64x256xnvfp4, block = [1, 16], outer = [0]>, !lowp.blocked<64x256xnvfp4, block = [16, 1], outer = [1]>
}

// What a later block reads is a result.
// CHECK-LABEL: func @blocks
// CHECK: %[[K:.*]]:2 = lowp.kernel -> tensor<?x256xf32>, !lowp.blocked
// CHECK-NEXT: arith.negf
// CHECK: ^bb1:
// CHECK: call @use(%[[K]]#0)
func.func private @use(tensor<?x256xf32>)
func.func @blocks(%x: tensor<?x256xf32>, %c: i1) -> !mx {
  %a = arith.negf %x : tensor<?x256xf32>
  %q = lowp.quantize %a : tensor<?x256xf32> -> !mx
  cf.cond_br %c, ^read, ^done
^read:
  func.call @use(%a) : (tensor<?x256xf32>) -> ()
  cf.br ^done
^done:
  return %q : !mx
}

// Decoding, transposition and quantisation as three operations.
// CHECK-LABEL: func @decoded
// CHECK: lowp.kernel
// CHECK-NEXT: lowp.dequantize
// CHECK-NEXT: linalg.transpose
// CHECK: lowp.quantize

// NEST-LABEL: func.func @decoded
// NEST-NOT: {{^    [^ ].*(scf|linalg)\.}}
// NEST: {{^    [^ ].*}} = scf.forall
// NEST: lowp.decode
// NEST: lowp.encode
// NEST-NOT: {{^    [^ ].*(scf|linalg)\.}}
// NEST: {{^    return}}
func.func @decoded(%q: !nv) -> !lowp.blocked<256x?xmxfp8_e4m3, block = [1, 32]> {
  %m = lowp.dim %q, 0 : !nv
  %x = lowp.dequantize %q : !nv -> tensor<?x256xf32>
  %e = tensor.empty(%m) : tensor<256x?xf32>
  %y = linalg.transpose ins(%x : tensor<?x256xf32>) outs(%e : tensor<256x?xf32>) permutation = [1, 0]
  %t = lowp.quantize %y : tensor<256x?xf32> -> !lowp.blocked<256x?xmxfp8_e4m3, block = [1, 32]>
  return %t : !lowp.blocked<256x?xmxfp8_e4m3, block = [1, 32]>
}
