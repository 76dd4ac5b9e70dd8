// Kernels of several passes, with conversions both ways, a software rounding
// on most targets, and random numbers.
func.func @nvfp4(%x: tensor<?x64xbf16>) -> !lowp.blocked<?x64xnvfp4, block = [1, 16], outer = [0]> {
  %q = lowp.quantize %x : tensor<?x64xbf16> -> !lowp.blocked<?x64xnvfp4, block = [1, 16], outer = [0]>
  return %q : !lowp.blocked<?x64xnvfp4, block = [1, 16], outer = [0]>
}

func.func @s2f6(%x: tensor<?x64xf32>) -> !lowp.blocked<?x64xmxs2f6, block = [1, 32]> {
  %y = lowp.rht %x size = 32 axis = 1 : tensor<?x64xf32>
  %q = lowp.quantize %y : tensor<?x64xf32> -> !lowp.blocked<?x64xmxs2f6, block = [1, 32]>
  return %q : !lowp.blocked<?x64xmxs2f6, block = [1, 32]>
}

func.func @stochastic(%x: tensor<?x64xbf16>) -> !lowp.blocked<?x64xmxfp4, block = [1, 32]> {
  %q = lowp.quantize %x {rule = #lowp.rule<round = stochastic>} : tensor<?x64xbf16> -> !lowp.blocked<?x64xmxfp4, block = [1, 32]>
  return %q : !lowp.blocked<?x64xmxfp4, block = [1, 32]>
}

func.func @dequantize(%q: !lowp.blocked<?x64xmxfp8_e5m2, block = [1, 32]>) -> tensor<?x64xf32> {
  %x = lowp.dequantize %q : !lowp.blocked<?x64xmxfp8_e5m2, block = [1, 32]> -> tensor<?x64xf32>
  return %x : tensor<?x64xf32>
}
