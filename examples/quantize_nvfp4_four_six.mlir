// NVFP4 with the 4/6 choice: each block maps its largest magnitude to 6 or to
// 4, whichever has the smaller squared error.
func.func @quantize_nvfp4_four_six(%x: tensor<?x4096xbf16>)
    -> !lowp.blocked<?x4096xnvfp4, block = [1, 16], outer = [0]> {
  %q = lowp.quantize %x {rule = #lowp.rule<four_six = mse>}
    : tensor<?x4096xbf16>
    -> !lowp.blocked<?x4096xnvfp4, block = [1, 16], outer = [0]>
  return %q : !lowp.blocked<?x4096xnvfp4, block = [1, 16], outer = [0]>
}
