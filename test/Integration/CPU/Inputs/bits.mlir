// Conversions and movements of bf16 whose bits the test compares.

func.func @from_f32(%x: tensor<?xf32>) -> tensor<?xbf16> {
  %c0 = arith.constant 0 : index
  %n = tensor.dim %x, %c0 : tensor<?xf32>
  %init = tensor.empty(%n) : tensor<?xbf16>
  %r = linalg.map ins(%x : tensor<?xf32>) outs(%init : tensor<?xbf16>)
    (%e: f32, %o: bf16) {
      %y = arith.truncf %e : f32 to bf16
      linalg.yield %y : bf16
    }
  return %r : tensor<?xbf16>
}

func.func @from_f64(%x: tensor<?xf64>) -> tensor<?xbf16> {
  %c0 = arith.constant 0 : index
  %n = tensor.dim %x, %c0 : tensor<?xf64>
  %init = tensor.empty(%n) : tensor<?xbf16>
  %r = linalg.map ins(%x : tensor<?xf64>) outs(%init : tensor<?xbf16>)
    (%e: f64, %o: bf16) {
      %y = arith.truncf %e : f64 to bf16
      linalg.yield %y : bf16
    }
  return %r : tensor<?xbf16>
}

// Values that cross basic blocks keep every bit, NaNs and subnormals too.
func.func @move(%x: tensor<?xbf16>, %swap: i1) -> tensor<?xbf16> {
  %c0 = arith.constant 0 : index
  %n = tensor.dim %x, %c0 : tensor<?xbf16>
  %init = tensor.empty(%n) : tensor<?xbf16>
  %r = linalg.map ins(%x : tensor<?xbf16>) outs(%init : tensor<?xbf16>)
    (%e: bf16, %o: bf16) {
      %y = scf.if %swap -> (bf16) {
        %zero = arith.constant 0.0 : bf16
        scf.yield %zero : bf16
      } else {
        scf.yield %e : bf16
      }
      linalg.yield %y : bf16
    }
  return %r : tensor<?xbf16>
}

func.func @f16_sum(%x: tensor<?xf16>, %y: tensor<?xf16>) -> tensor<?xf16> {
  %c0 = arith.constant 0 : index
  %n = tensor.dim %x, %c0 : tensor<?xf16>
  %init = tensor.empty(%n) : tensor<?xf16>
  %r = linalg.map ins(%x, %y : tensor<?xf16>, tensor<?xf16>) outs(%init : tensor<?xf16>)
    (%a: f16, %b: f16, %o: f16) {
      %s = arith.addf %a, %b : f16
      linalg.yield %s : f16
    }
  return %r : tensor<?xf16>
}

// One rounding per operation: no fused product and sum.
func.func @dot(%x: tensor<?xf32>, %y: tensor<?xf32>) -> f32 {
  %zero = arith.constant 0.0 : f32
  %init = tensor.empty() : tensor<f32>
  %acc = linalg.fill ins(%zero : f32) outs(%init : tensor<f32>) -> tensor<f32>
  %r = linalg.dot ins(%x, %y : tensor<?xf32>, tensor<?xf32>) outs(%acc : tensor<f32>) -> tensor<f32>
  %s = tensor.extract %r[] : tensor<f32>
  return %s : f32
}

func.func @exp_sin_cos(%x: tensor<?xf32>) -> (tensor<?xf32>, tensor<?xf32>, tensor<?xf32>) {
  %c0 = arith.constant 0 : index
  %n = tensor.dim %x, %c0 : tensor<?xf32>
  %init = tensor.empty(%n) : tensor<?xf32>
  %e = linalg.exp ins(%x : tensor<?xf32>) outs(%init : tensor<?xf32>) -> tensor<?xf32>
  %s = linalg.map ins(%x : tensor<?xf32>) outs(%init : tensor<?xf32>)
    (%a: f32, %o: f32) {
      %y = math.sin %a : f32
      linalg.yield %y : f32
    }
  %c = linalg.map ins(%x : tensor<?xf32>) outs(%init : tensor<?xf32>)
    (%a: f32, %o: f32) {
      %y = math.cos %a : f32
      linalg.yield %y : f32
    }
  return %e, %s, %c : tensor<?xf32>, tensor<?xf32>, tensor<?xf32>
}
