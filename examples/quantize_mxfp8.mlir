// MXFP8: E4M3 codes and a UE8M0 scale per 32 elements of a row.
func.func @quantize_mxfp8(%x: tensor<?x4096xbf16>)
    -> !lowp.blocked<?x4096xmxfp8_e4m3, block = [1, 32]> {
  %q = lowp.quantize %x : tensor<?x4096xbf16>
    -> !lowp.blocked<?x4096xmxfp8_e4m3, block = [1, 32]>
  return %q : !lowp.blocked<?x4096xmxfp8_e4m3, block = [1, 32]>
}
