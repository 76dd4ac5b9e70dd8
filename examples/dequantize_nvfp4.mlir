// NVFP4 back to BF16.
func.func @dequantize_nvfp4(
    %q: !lowp.blocked<?x4096xnvfp4, block = [1, 16], outer = [0]>)
    -> tensor<?x4096xbf16> {
  %x = lowp.dequantize %q
    : !lowp.blocked<?x4096xnvfp4, block = [1, 16], outer = [0]>
    -> tensor<?x4096xbf16>
  return %x : tensor<?x4096xbf16>
}
