// What the host decides by numbers that kernels compute, and by its own.

func.func @main(%a: tensor<?xf32>, %b: tensor<?xf32>, %at: tensor<2xi64>, %c: i1)
    -> (tensor<?xf32>, tensor<?xf32>, tensor<4xf32>, f32, bf16) {
  // Tensors of different sizes.
  %chosen = arith.select %c, %a, %b : tensor<?xf32>
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %first = tensor.extract %at[%c0] : tensor<2xi64>
  %second = tensor.extract %at[%c1] : tensor<2xi64>
  %n = arith.index_cast %first : i64 to index
  %m = arith.index_cast %second : i64 to index
  // As many trips as a tensor says; the buffer is another one in each.
  %sum = scf.for %i = %c0 to %n step %c1 iter_args(%x = %a) -> tensor<?xf32> {
    %size = tensor.dim %x, %c0 : tensor<?xf32>
    %empty = tensor.empty(%size) : tensor<?xf32>
    %y = linalg.add ins(%x, %x : tensor<?xf32>, tensor<?xf32>) outs(%empty : tensor<?xf32>) -> tensor<?xf32>
    scf.yield %y : tensor<?xf32>
  }
  // Loops that end before they begin, in both dims.
  %nine = arith.constant 9.0 : f32
  %four = tensor.empty() : tensor<4xf32>
  %ones = linalg.fill ins(%nine : f32) outs(%four : tensor<4xf32>) -> tensor<4xf32>
  %none = scf.forall (%i, %j) = (7, 7) to (%n, %m) step (1, 1) shared_outs(%o = %ones) -> tensor<4xf32> {
    %zero = arith.constant dense<0.0> : tensor<1xf32>
    scf.forall.in_parallel {
      tensor.parallel_insert_slice %zero into %o[0] [1] [1] : tensor<1xf32> into tensor<4xf32>
    }
  }
  %last = tensor.extract %b[%c0] : tensor<?xf32>
  %narrow = arith.truncf %last : f32 to bf16
  return %chosen, %sum, %none, %last, %narrow : tensor<?xf32>, tensor<?xf32>, tensor<4xf32>, f32, bf16
}
