// Entries that exercise a program's use of a device.

func.func @scale(%x: tensor<?x4xbf16>, %s: f32) -> (tensor<?x4xf32>, f32) {
  %c0 = arith.constant 0 : index
  %d = tensor.dim %x, %c0 : tensor<?x4xbf16>
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
  return %r, %s : tensor<?x4xf32>, f32
}

// Two kernels, one after the other.
func.func @twice(%x: tensor<?x4xbf16>, %s: f32) -> tensor<?x4xf32> {
  %c0 = arith.constant 0 : index
  %a:2 = call @scale(%x, %s) : (tensor<?x4xbf16>, f32) -> (tensor<?x4xf32>, f32)
  %d = tensor.dim %x, %c0 : tensor<?x4xbf16>
  %init = tensor.empty(%d) : tensor<?x4xf32>
  %r = linalg.add ins(%a#0, %a#0 : tensor<?x4xf32>, tensor<?x4xf32>) outs(%init : tensor<?x4xf32>) -> tensor<?x4xf32>
  return %r : tensor<?x4xf32>
}

// Results are the caller's, whatever they are to the program.
func.func @copies(%x: tensor<4xi32>) -> (tensor<4xi32>, tensor<4xi32>) {
  return %x, %x : tensor<4xi32>, tensor<4xi32>
}

func.func @constant() -> tensor<3xf32> {
  %c = arith.constant dense<[1.0, 2.0, 3.0]> : tensor<3xf32>
  return %c : tensor<3xf32>
}

func.func @written(%out: memref<4xf32>) {
  %c1 = arith.constant 1 : index
  %f = arith.constant 5.0 : f32
  memref.store %f, %out[%c1] : memref<4xf32>
  return
}

// The host reads the number of elements, and allocates.
func.func @count(%n: tensor<1xi64>) -> (tensor<?xf32>, i64) {
  %c0 = arith.constant 0 : index
  %v = tensor.extract %n[%c0] : tensor<1xi64>
  %m = arith.index_cast %v : i64 to index
  %one = arith.constant 1.0 : f32
  %init = tensor.empty(%m) : tensor<?xf32>
  %r = linalg.fill ins(%one : f32) outs(%init : tensor<?xf32>) -> tensor<?xf32>
  return %r, %v : tensor<?xf32>, i64
}

func.func @gather(%table: tensor<8xf32>, %at: tensor<?xi64>) -> tensor<?xf32> {
  %c0 = arith.constant 0 : index
  %zero = arith.constant 0 : i64
  %eight = arith.constant 8 : i64
  %d = tensor.dim %at, %c0 : tensor<?xi64>
  %init = tensor.empty(%d) : tensor<?xf32>
  %r = linalg.generic {
      indexing_maps = [affine_map<(i) -> (i)>, affine_map<(i) -> (i)>],
      iterator_types = ["parallel"]}
      ins(%at : tensor<?xi64>) outs(%init : tensor<?xf32>) {
  ^bb0(%k: i64, %out: f32):
    %low = arith.cmpi sge, %k, %zero : i64
    cf.assert %low, "an index is negative"
    %high = arith.cmpi slt, %k, %eight : i64
    cf.assert %high, "an index is too large"
    %i = arith.index_cast %k : i64 to index
    %v = tensor.extract %table[%i] : tensor<8xf32>
    linalg.yield %v : f32
  } -> tensor<?xf32>
  return %r : tensor<?xf32>
}

// What no check keeps from reading outside of the table.
func.func @faults(%table: tensor<8xf32>, %at: tensor<?xi64>) -> tensor<?xf32> {
  %c0 = arith.constant 0 : index
  %d = tensor.dim %at, %c0 : tensor<?xi64>
  %init = tensor.empty(%d) : tensor<?xf32>
  %r = linalg.generic {
      indexing_maps = [affine_map<(i) -> (i)>, affine_map<(i) -> (i)>],
      iterator_types = ["parallel"]}
      ins(%at : tensor<?xi64>) outs(%init : tensor<?xf32>) {
  ^bb0(%k: i64, %out: f32):
    %i = arith.index_cast %k : i64 to index
    %v = tensor.extract %table[%i] : tensor<8xf32>
    linalg.yield %v : f32
  } -> tensor<?xf32>
  return %r : tensor<?xf32>
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
