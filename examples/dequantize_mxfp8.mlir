// MXFP8 back to BF16.
func.func @dequantize_mxfp8(
    %q: !lowp.blocked<?x4096xmxfp8_e4m3, block = [1, 32]>)
    -> tensor<?x4096xbf16> {
  %x = lowp.dequantize %q
    : !lowp.blocked<?x4096xmxfp8_e4m3, block = [1, 32]> -> tensor<?x4096xbf16>
  return %x : tensor<?x4096xbf16>
}
