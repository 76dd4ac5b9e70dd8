// The receiver of a combine: S2F6 back to FP32, then the inverse transform.
func.func @dequantize_s2f6(
    %q: !lowp.blocked<?x4096xmxs2f6, block = [1, 32]>) -> tensor<?x4096xf32> {
  %y = lowp.dequantize %q
    : !lowp.blocked<?x4096xmxs2f6, block = [1, 32]> -> tensor<?x4096xf32>
  %x = lowp.rht %y size = 32 axis = 1 inverse : tensor<?x4096xf32>
  return %x : tensor<?x4096xf32>
}
