// Entries that exercise the C ABI. @main and @malloc must not become the
// functions of those names.

func.func @main(%x: tensor<?x4xbf16>, %s: f32) -> (tensor<?x4xf32>, f32) {
  %c0 = arith.constant 0 : index
  %d = tensor.dim %x, %c0 : tensor<?x4xbf16>
  %limit = arith.constant 100 : index
  %init = tensor.empty(%d) : tensor<?x4xf32>
  %r = linalg.generic {
      indexing_maps = [affine_map<(i, j) -> (i, j)>,
                       affine_map<(i, j) -> (i, j)>],
      iterator_types = ["parallel", "parallel"]}
      ins(%x : tensor<?x4xbf16>) outs(%init : tensor<?x4xf32>) {
  ^bb0(%a: bf16, %b: f32):
    %0 = arith.extf %a : bf16 to f32
    %1 = arith.mulf %0, %s : f32
    linalg.yield %1 : f32
  } -> tensor<?x4xf32>
  %ok = arith.cmpi ult, %d, %limit : index
  cf.assert %ok, "too many rows"
  return %r, %s : tensor<?x4xf32>, f32
}

func.func @malloc(%x: tensor<4xi32>) -> (tensor<4xi32>, tensor<4xi32>) {
  return %x, %x : tensor<4xi32>, tensor<4xi32>
}

func.func @constant() -> tensor<3xf32> {
  %c = arith.constant dense<[1.0, 2.0, 3.0]> : tensor<3xf32>
  return %c : tensor<3xf32>
}

// One-shot bufferization would write to the argument.
func.func @in_place(%x: tensor<4xf32>) -> tensor<4xf32> {
  %c0 = arith.constant 0 : index
  %f = arith.constant 7.0 : f32
  %r = tensor.insert %f into %x[%c0] : tensor<4xf32>
  return %r : tensor<4xf32>
}

func.func @written(%out: memref<4xf32>) {
  %c1 = arith.constant 1 : index
  %f = arith.constant 5.0 : f32
  memref.store %f, %out[%c1] : memref<4xf32>
  return
}

// Each use of a subnormal would be flushed to zero under FTZ or DAZ.
func.func @subnormal(%x: f32) -> f32 {
  %h = arith.constant 0.5 : f32
  %r = arith.mulf %x, %h : f32
  return %r : f32
}

func.func @too_large() -> tensor<?xf32> {
  %n = arith.constant 0x1000000000000 : index
  %zero = arith.constant 0.0 : f32
  %t = tensor.empty(%n) : tensor<?xf32>
  %r = linalg.fill ins(%zero : f32) outs(%t : tensor<?xf32>) -> tensor<?xf32>
  return %r : tensor<?xf32>
}

func.func @scalars(%a: i1, %b: i64, %c: f16, %d: bf16, %e: index)
    -> (i1, i64, f16, bf16, index) {
  return %a, %b, %c, %d, %e : i1, i64, f16, bf16, index
}

func.func private @hidden() -> f32 {
  %f = arith.constant 1.0 : f32
  return %f : f32
}

func.func @"not-an-identifier"() -> f32 {
  %f = func.call @hidden() : () -> f32
  return %f : f32
}
