// The payload of a combine, from FP32 accumulators: a Hadamard transform of 32
// elements, then S2F6 codes and a UE8M0 scale per 32 elements.
func.func @rht_s2f6(%x: tensor<?x4096xf32>)
    -> !lowp.blocked<?x4096xmxs2f6, block = [1, 32]> {
  %y = lowp.rht %x size = 32 axis = 1 : tensor<?x4096xf32>
  %q = lowp.quantize %y : tensor<?x4096xf32>
    -> !lowp.blocked<?x4096xmxs2f6, block = [1, 32]>
  return %q : !lowp.blocked<?x4096xmxs2f6, block = [1, 32]>
}
