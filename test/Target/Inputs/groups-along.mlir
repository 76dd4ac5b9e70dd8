func.func @along(%x: tensor<?x40xf32>, %o: tensor<5xi32>) -> !lowp.blocked<?x40xmxfp8_e4m3, block = [32, 1], groups = 4 along 0> {
  %q = lowp.quantize %x groups(%o : tensor<5xi32>) : tensor<?x40xf32> -> !lowp.blocked<?x40xmxfp8_e4m3, block = [32, 1], groups = 4 along 0>
  return %q : !lowp.blocked<?x40xmxfp8_e4m3, block = [32, 1], groups = 4 along 0>
}
