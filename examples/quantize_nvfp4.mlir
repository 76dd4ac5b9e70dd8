// NVFP4: E2M1 codes, a UE4M3 scale per 16 elements, an FP32 scale per row.
func.func @quantize_nvfp4(%x: tensor<?x4096xbf16>)
    -> !lowp.blocked<?x4096xnvfp4, block = [1, 16], outer = [0]> {
  %q = lowp.quantize %x : tensor<?x4096xbf16>
    -> !lowp.blocked<?x4096xnvfp4, block = [1, 16], outer = [0]>
  return %q : !lowp.blocked<?x4096xnvfp4, block = [1, 16], outer = [0]>
}
