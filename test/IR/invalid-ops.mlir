// RUN: lowp-opt %s --verify-diagnostics --split-input-file

// One case per constraint of docs/spec.md, named by its label.

func.func @quantize_c1(%x: tensor<4x256xbf16>) {
  // expected-error@below {{'lowp.quantize' op expects source and result of the same size in dim 1, but got 256 and 128}}
  %0 = lowp.quantize %x : tensor<4x256xbf16> -> !lowp.blocked<4x128xmxfp4, block = [1, 32]>
  return
}

// -----

func.func @quantize_c1_rank(%x: tensor<f32>) {
  // expected-error@below {{'lowp.quantize' op expects source and result of the same rank, but got 0 and 1}}
  %0 = lowp.quantize %x : tensor<f32> -> !lowp.blocked<1xmxfp4, block = [32]>
  return
}

// -----

func.func @quantize_c2(%x: tensor<4x256xbf16>, %a: tensor<4xf32>) {
  // expected-error@below {{'lowp.quantize' op expects outer or amax, but got both}}
  %0 = lowp.quantize %x outer(%a : tensor<4xf32>) amax(%a : tensor<4xf32>) : tensor<4x256xbf16> -> !lowp.blocked<4x256xnvfp4, block = [1, 16], outer = [0]>
  return
}

// -----

func.func @quantize_c3(%x: tensor<4x256xbf16>, %a: tensor<f32>) {
  // expected-error@below {{'lowp.quantize' op expects a format with an outer scale where amax is given, but got #lowp.format<mxfp4>}}
  %0 = lowp.quantize %x amax(%a : tensor<f32>) : tensor<4x256xbf16> -> !lowp.blocked<4x256xmxfp4, block = [1, 32]>
  return
}

// -----

func.func @quantize_c4_rank(%x: tensor<4x256xbf16>, %a: tensor<f32>) {
  // expected-error@below {{'lowp.quantize' op expects amax to have one dim per outer axis [0], as 'tensor<4xf32>', but got 'tensor<f32>'}}
  %0 = lowp.quantize %x amax(%a : tensor<f32>) : tensor<4x256xbf16> -> !lowp.blocked<4x256xnvfp4, block = [1, 16], outer = [0]>
  return
}

// -----

func.func @quantize_c4_size(%x: tensor<4x256xbf16>, %a: tensor<8xf32>) {
  // expected-error@below {{'lowp.quantize' op expects outer to have one dim per outer axis [0], as 'tensor<4xf32>', but got 'tensor<8xf32>'}}
  %0 = lowp.quantize %x outer(%a : tensor<8xf32>) : tensor<4x256xbf16> -> !lowp.blocked<4x256xnvfp4, block = [1, 16], outer = [0]>
  return
}

// -----

func.func @quantize_c5_zero(%x: tensor<4x256xbf16>) {
  // expected-note@below {{defined here}}
  %s = arith.constant dense<0.0> : tensor<f32>
  // expected-error@below {{'lowp.quantize' op expects positive finite outer scales, but got 0}}
  %0 = lowp.quantize %x outer(%s : tensor<f32>) : tensor<4x256xbf16> -> !lowp.blocked<4x256xnvfp4, block = [1, 16]>
  return
}

// -----

func.func @quantize_c5_negative(%x: tensor<2x256xbf16>) {
  // expected-note@below {{defined here}}
  %s = arith.constant dense<[1.0, -0.5]> : tensor<2xf32>
  // expected-error@below {{'lowp.quantize' op expects positive finite outer scales, but got -0.5}}
  %0 = lowp.quantize %x outer(%s : tensor<2xf32>) : tensor<2x256xbf16> -> !lowp.blocked<2x256xnvfp4, block = [1, 16], outer = [0]>
  return
}

// -----

func.func @quantize_c5_infinite(%x: tensor<4x256xbf16>) {
  // expected-note@below {{defined here}}
  %s = arith.constant dense<0x7F800000> : tensor<f32>
  // expected-error@below {{'lowp.quantize' op expects positive finite outer scales, but got +Inf}}
  %0 = lowp.quantize %x outer(%s : tensor<f32>) : tensor<4x256xbf16> -> !lowp.blocked<4x256xnvfp4, block = [1, 16]>
  return
}

// -----

func.func @quantize_c5_nan(%x: tensor<4x256xbf16>) {
  // expected-note@below {{defined here}}
  %s = arith.constant dense<0x7FC00000> : tensor<f32>
  // expected-error@below {{'lowp.quantize' op expects positive finite outer scales, but got NaN}}
  %0 = lowp.quantize %x outer(%s : tensor<f32>) : tensor<4x256xbf16> -> !lowp.blocked<4x256xnvfp4, block = [1, 16]>
  return
}

// -----

func.func @quantize_c11(%x: tensor<4x256xbf16>, %seed: i64) {
  // expected-error@below {{'lowp.quantize' op expects seed and step together, but got seed alone}}
  %0 = "lowp.quantize"(%x, %seed) <{operandSegmentSizes = array<i32: 1, 0, 0, 1, 0, 0>, rule = #lowp.rule<round = stochastic>, stream = 1 : i32}> : (tensor<4x256xbf16>, i64) -> !lowp.blocked<4x256xmxfp4, block = [1, 32]>
  return
}

// -----

func.func @quantize_c6_nearest(%x: tensor<4x256xbf16>, %seed: i64, %step: i32) {
  // expected-error@below {{'lowp.quantize' op expects round = stochastic where seed, step or stream is given, but got nearest with seed}}
  %0 = lowp.quantize %x seed(%seed, %step) : tensor<4x256xbf16> -> !lowp.blocked<4x256xmxfp4, block = [1, 32]>
  return
}

// -----

func.func @quantize_stream(%x: tensor<4x256xbf16>, %seed: i64, %step: i32) {
  // expected-error@below {{attribute 'stream' failed to satisfy constraint: 32-bit signless integer attribute whose value is non-negative}}
  %0 = lowp.quantize %x seed(%seed, %step) {rule = #lowp.rule<round = stochastic>, stream = -1 : i32} : tensor<4x256xbf16> -> !lowp.blocked<4x256xmxfp4, block = [1, 32]>
  return
}

// -----

// quantize (C7): each field of a rule that is for some formats only.

func.func @quantize_c7_scale(%x: tensor<4x256xbf16>) {
  // expected-error@below {{'lowp.quantize' op expects scale = rceil for #lowp.format<nvfp4>, but got floor; scale serves f8E8M0FNU block scales}}
  %0 = lowp.quantize %x {rule = #lowp.rule<ocp>} : tensor<4x256xbf16> -> !lowp.blocked<4x256xnvfp4, block = [1, 16]>
  return
}

// -----

func.func @quantize_c7_sf_arith(%x: tensor<4x256xbf16>) {
  // expected-error@below {{'lowp.quantize' op expects sf_arith = divide for #lowp.format<fp8_block>, but got torchao; sf_arith serves f8E4M3FN block scales}}
  %0 = lowp.quantize %x {rule = #lowp.rule<torchao>} : tensor<4x256xbf16> -> !lowp.blocked<4x256xfp8_block, block = [1, 128]>
  return
}

// -----

func.func @quantize_c7_sf_round(%x: tensor<4x256xbf16>) {
  // expected-error@below {{'lowp.quantize' op expects sf_round = rne for #lowp.format<mxfp4>, but got up; sf_round serves f8E4M3FN and f32 block scales}}
  %0 = lowp.quantize %x {rule = #lowp.rule<sf_round = up>} : tensor<4x256xbf16> -> !lowp.blocked<4x256xmxfp4, block = [1, 32]>
  return
}

// -----

func.func @quantize_c7_four_six_scale(%x: tensor<4x256xbf16>) {
  // expected-error@below {{'lowp.quantize' op expects four_six = none for #lowp.format<mxfp4>, but got mse; four_six serves f4E2M1FN elements with f8E4M3FN block scales}}
  %0 = lowp.quantize %x {rule = #lowp.rule<four_six = mse>} : tensor<4x256xbf16> -> !lowp.blocked<4x256xmxfp4, block = [1, 32]>
  return
}

// -----

func.func @quantize_c7_four_six_element(%x: tensor<4x256xbf16>) {
  // expected-error@below {{'lowp.quantize' op expects four_six = none for #lowp.format<f8E4M3FN, f8E4M3FN, outer>, but got absmax; four_six serves f4E2M1FN elements with f8E4M3FN block scales}}
  %0 = lowp.quantize %x {rule = #lowp.rule<four_six = absmax>} : tensor<4x256xbf16> -> !lowp.blocked<4x256x<f8E4M3FN, f8E4M3FN, outer>, block = [1, 16]>
  return
}

// -----

func.func @quantize_c7_outer_max(%x: tensor<4x256xbf16>) {
  // expected-error@below {{'lowp.quantize' op expects outer_max = 0 for #lowp.format<f4E2M1FN, f8E4M3FN>, but got 1536; outer_max serves formats with an outer scale}}
  %0 = lowp.quantize %x {rule = #lowp.rule<outer_max = 1536>} : tensor<4x256xbf16> -> !lowp.blocked<4x256x<f4E2M1FN, f8E4M3FN>, block = [1, 16]>
  return
}

// -----

func.func @quantize_c7_outer_repr(%x: tensor<4x256xbf16>) {
  // expected-error@below {{'lowp.quantize' op expects outer_repr = decode_f32 for #lowp.format<mxfp8_e5m2>, but got pow2; outer_repr serves formats with an outer scale}}
  %0 = lowp.quantize %x {rule = #lowp.rule<outer_repr = pow2>} : tensor<4x256xbf16> -> !lowp.blocked<4x256xmxfp8_e5m2, block = [1, 32]>
  return
}

// -----

func.func @quantize_c7_neg_zero(%x: tensor<4x256xbf16>) {
  // expected-error@below {{'lowp.quantize' op expects neg_zero = keep for #lowp.format<mxs2f6>, but got drop; neg_zero serves elements with a negative zero}}
  %0 = lowp.quantize %x {rule = #lowp.rule<neg_zero = drop>} : tensor<4x256xbf16> -> !lowp.blocked<4x256xmxs2f6, block = [1, 32]>
  return
}

// -----

func.func @quantize_c7_sf_zero(%x: tensor<4x256xbf16>) {
  // expected-error@below {{'lowp.quantize' op expects sf_zero = zero_codes for #lowp.format<mxfp6_e3m2>, but got keep_codes; sf_zero serves f8E4M3FN block scales}}
  %0 = lowp.quantize %x {rule = #lowp.rule<sf_zero = keep_codes>} : tensor<4x256xbf16> -> !lowp.blocked<4x256xmxfp6_e3m2, block = [1, 32]>
  return
}

// -----

func.func @quantize_c7_bits(%x: tensor<4x256xbf16>, %seed: i64, %step: i32) {
  // expected-error@below {{'lowp.quantize' op expects bits = shared for #lowp.format<mxfp4>, but got independent; bits serves elements of 6 and 8 bits}}
  %0 = lowp.quantize %x seed(%seed, %step) {rule = #lowp.rule<round = stochastic, bits = independent>, stream = 0 : i32} : tensor<4x256xbf16> -> !lowp.blocked<4x256xmxfp4, block = [1, 32]>
  return
}

// -----

func.func @quantize_c7_map_to(%x: tensor<4x256xbf16>) {
  // expected-error@below {{'lowp.quantize' op expects map_to = 0 for #lowp.format<mxfp4>, but got 4; map_to serves f8E4M3FN and f32 block scales}}
  %0 = lowp.quantize %x {rule = #lowp.rule<map_to = 4>} : tensor<4x256xbf16> -> !lowp.blocked<4x256xmxfp4, block = [1, 32]>
  return
}

// -----

func.func @quantize_c7_map_to_large(%x: tensor<4x256xbf16>) {
  // expected-error@below {{'lowp.quantize' op expects map_to of at most the element's largest value for #lowp.format<nvfp4>, but got 7, at which codes saturate}}
  %0 = lowp.quantize %x {rule = #lowp.rule<map_to = 7>} : tensor<4x256xbf16> -> !lowp.blocked<4x256xnvfp4, block = [1, 16]>
  return
}

// -----

func.func @quantize_c7_overflow(%x: tensor<4x256xbf16>) {
  // expected-error@below {{'lowp.quantize' op expects overflow = saturate for #lowp.format<mxfp4>, but got nonfinite; overflow serves f8E4M3FN and f8E5M2 elements}}
  %0 = lowp.quantize %x {rule = #lowp.rule<overflow = nonfinite>} : tensor<4x256xbf16> -> !lowp.blocked<4x256xmxfp4, block = [1, 32]>
  return
}

// -----

func.func @quantize_c7_sf_ceil(%x: tensor<4x256xbf16>) {
  // expected-error@below {{'lowp.quantize' op expects sf_round = rne or up for #lowp.format<fp8_block>, but got ceil; ceil serves f8E4M3FN block scales}}
  %0 = lowp.quantize %x {rule = #lowp.rule<sf_round = ceil>} : tensor<4x256xbf16> -> !lowp.blocked<4x256xfp8_block, block = [1, 128]>
  return
}

// -----

func.func @quantize_c8_ceil(%x: tensor<4x256xbf16>, %seed: i64, %step: i32) {
  // expected-error@below {{'lowp.quantize' op expects sf_round = up with stochastic rounding for #lowp.format<nvfp4>, but got ceil, which clips; allow_clipping = true accepts it}}
  %0 = lowp.quantize %x seed(%seed, %step) {rule = #lowp.rule<round = stochastic, sf_round = ceil>, stream = 0 : i32} : tensor<4x256xbf16> -> !lowp.blocked<4x256xnvfp4, block = [1, 16]>
  return
}

// -----

func.func @quantize_c8(%x: tensor<4x256xbf16>, %seed: i64, %step: i32) {
  // expected-error@below {{'lowp.quantize' op expects sf_round = up with stochastic rounding for #lowp.format<nvfp4>, but got rne, which clips; allow_clipping = true accepts it}}
  %0 = lowp.quantize %x seed(%seed, %step) {rule = #lowp.rule<round = stochastic>, stream = 0 : i32} : tensor<4x256xbf16> -> !lowp.blocked<4x256xnvfp4, block = [1, 16]>
  return
}

// -----

func.func @quantize_f64(%x: tensor<4x256xf64>) {
  // expected-error@below {{'lowp.quantize' op operand #0 must be ranked tensor of 32-bit float or bfloat16 type or 16-bit float values, but got 'tensor<4x256xf64>'}}
  %0 = lowp.quantize %x : tensor<4x256xf64> -> !lowp.blocked<4x256xnvfp4, block = [1, 16]>
  return
}

// -----

func.func @quantize_unranked(%x: tensor<*xf32>) {
  // expected-error@below {{invalid kind of type specified: expected builtin.tensor, but found 'tensor<*xf32>'}}
  %0 = lowp.quantize %x : tensor<*xf32> -> !lowp.blocked<4x256xnvfp4, block = [1, 16]>
  return
}

// -----

func.func @dequantize_c1(%q: !lowp.blocked<4x256xmxfp4, block = [1, 32]>) {
  // expected-error@below {{'lowp.dequantize' op expects source and result of the same size in dim 0, but got 4 and 8}}
  %0 = lowp.dequantize %q : !lowp.blocked<4x256xmxfp4, block = [1, 32]> -> tensor<8x256xf32>
  return
}

// -----

func.func @requantize_c1_length(%q: !lowp.blocked<4x256xmxfp4, block = [1, 32]>) {
  // expected-error@below {{'lowp.requantize' op expects a permutation of 2 dims, but got []}}
  %0 = lowp.requantize %q permutation = [] : !lowp.blocked<4x256xmxfp4, block = [1, 32]> -> !lowp.blocked<4x256xmxfp4, block = [1, 32]>
  return
}

// -----

func.func @requantize_c1_twice(%q: !lowp.blocked<4x256xmxfp4, block = [1, 32]>) {
  // expected-error@below {{'lowp.requantize' op expects a permutation of 2 dims, but got [1, 1]}}
  %0 = lowp.requantize %q permutation = [1, 1] : !lowp.blocked<4x256xmxfp4, block = [1, 32]> -> !lowp.blocked<4x256xmxfp4, block = [1, 32]>
  return
}

// -----

func.func @requantize_c1_range(%q: !lowp.blocked<4x256xmxfp4, block = [1, 32]>) {
  // expected-error@below {{'lowp.requantize' op expects a permutation of 2 dims, but got [-1, 9223372036854775807]}}
  %0 = lowp.requantize %q permutation = [-1, 9223372036854775807] : !lowp.blocked<4x256xmxfp4, block = [1, 32]> -> !lowp.blocked<4x256xmxfp4, block = [1, 32]>
  return
}

// -----

func.func @requantize_c2(%q: !lowp.blocked<4x256xmxfp4, block = [1, 32]>) {
  // expected-error@below {{'lowp.requantize' op expects permuted source and result of the same size in dim 0, but got 256 and 4}}
  %0 = lowp.requantize %q permutation = [1, 0] : !lowp.blocked<4x256xmxfp4, block = [1, 32]> -> !lowp.blocked<4x256xmxfp4, block = [1, 32]>
  return
}

// -----

func.func @requantize_c3(%q: !lowp.blocked<4x256xnvfp4, block = [1, 16], outer = [0]>) {
  // expected-error@below {{'lowp.requantize' op expects source and result formats with an outer scale for outer = keep, but got #lowp.format<nvfp4> and #lowp.format<mxfp8_e4m3>}}
  %0 = lowp.requantize %q outer = keep : !lowp.blocked<4x256xnvfp4, block = [1, 16], outer = [0]> -> !lowp.blocked<4x256xmxfp8_e4m3, block = [1, 32]>
  return
}

// -----

func.func @requantize_c4(%q: !lowp.blocked<4x256xnvfp4, block = [1, 16], outer = [0]>) {
  // expected-error@below {{'lowp.requantize' op expects outer axes [1] of the result for outer = keep, those of the source permuted, but got []}}
  %0 = lowp.requantize %q permutation = [1, 0] outer = keep : !lowp.blocked<4x256xnvfp4, block = [1, 16], outer = [0]> -> !lowp.blocked<256x4x<f8E4M3FN, f8E8M0FNU, outer>, block = [1, 32]>
  return
}

// -----

// A kept outer axis cannot lie inside a block of the result: no such type.
// expected-error@below {{expected block size 1 along outer axis 1, but got 32}}
func.func private @requantize_c4_block(!lowp.blocked<256x4x<f8E4M3FN, f8E8M0FNU, outer>, block = [1, 32], outer = [1]>)

// -----

func.func @requantize_c5(%q: !lowp.blocked<4x256xmxfp4, block = [1, 32]>) {
  // expected-error@below {{'lowp.requantize' op expects round = stochastic where seed, step or stream is given, but got nearest with stream}}
  %0 = lowp.requantize %q {stream = 1 : i32} : !lowp.blocked<4x256xmxfp4, block = [1, 32]> -> !lowp.blocked<4x256xmxfp4, block = [1, 32]>
  return
}

// -----

func.func @requantize_c11(%q: !lowp.blocked<4x256xmxfp4, block = [1, 32]>, %step: i32) {
  // expected-error@below {{'lowp.requantize' op expects seed and step together, but got step alone}}
  %0 = "lowp.requantize"(%q, %step) <{operandSegmentSizes = array<i32: 1, 0, 1, 0>, rule = #lowp.rule<round = stochastic>}> : (!lowp.blocked<4x256xmxfp4, block = [1, 32]>, i32) -> !lowp.blocked<4x256xmxfp4, block = [1, 32]>
  return
}

// -----

func.func @requantize_c6(%q: !lowp.blocked<4x256xnvfp4, block = [1, 16]>) {
  // expected-error@below {{'lowp.requantize' op expects sf_arith = divide for #lowp.format<mxfp4>, but got te; sf_arith serves f8E4M3FN block scales}}
  %0 = lowp.requantize %q {rule = #lowp.rule<te>} : !lowp.blocked<4x256xnvfp4, block = [1, 16]> -> !lowp.blocked<4x256xmxfp4, block = [1, 32]>
  return
}

// -----

func.func @requantize_c7(%q: !lowp.blocked<4x256xmxfp4, block = [1, 32]>, %seed: i64, %step: i32) {
  // expected-error@below {{'lowp.requantize' op expects sf_round = up with stochastic rounding for #lowp.format<fp8_block>, but got rne, which clips; allow_clipping = true accepts it}}
  %0 = lowp.requantize %q seed(%seed, %step) {rule = #lowp.rule<round = stochastic>, stream = 1 : i32} : !lowp.blocked<4x256xmxfp4, block = [1, 32]> -> !lowp.blocked<4x256xfp8_block, block = [1, 128]>
  return
}

// -----

func.func @transpose_c1(%q: !lowp.blocked<4x256xmxfp4, block = [1, 32]>) {
  // expected-error@below {{'lowp.transpose' op expects a permutation of 2 dims, but got [0, 2]}}
  // expected-error@below {{'lowp.transpose' op failed to infer returned types}}
  %0 = lowp.transpose %q permutation = [0, 2] : !lowp.blocked<4x256xmxfp4, block = [1, 32]> -> !lowp.blocked<4x256xmxfp4, block = [1, 32]>
  return
}

// -----

func.func @transpose_c2(%q: !lowp.blocked<2x16x256xnvfp4, block = [1, 16, 16]>) {
  // expected-error@below {{'lowp.transpose' op expects a result that is a blocked type: expected blocks along one dim or square tiles of the last two dims, but got [16, 16, 1]}}
  // expected-error@below {{'lowp.transpose' op failed to infer returned types}}
  %0 = lowp.transpose %q permutation = [1, 2, 0] : !lowp.blocked<2x16x256xnvfp4, block = [1, 16, 16]> -> !lowp.blocked<16x256x2xnvfp4, block = [1, 16, 1]>
  return
}

// -----

func.func @transpose_c3(%q: !lowp.blocked<4x256xmxfp4, block = [1, 32]>) {
  // expected-error@below {{'lowp.transpose' op inferred type(s) '!lowp.blocked<256x4xmxfp4, block = [32, 1]>' are incompatible with return type(s) of operation '!lowp.blocked<256x4xmxfp4, block = [1, 32]>'}}
  // expected-error@below {{'lowp.transpose' op failed to infer returned types}}
  %0 = lowp.transpose %q permutation = [1, 0] : !lowp.blocked<4x256xmxfp4, block = [1, 32]> -> !lowp.blocked<256x4xmxfp4, block = [1, 32]>
  return
}

// -----

func.func @transpose_c4(%q: !lowp.blocked<4x256xmxfp4, block = [1, 32], layout = tcgen05_128x4>) {
  // expected-error@below {{'lowp.transpose' op expects scale layout linear, but got tcgen05_128x4; 'lowp.convert_layout' changes it}}
  %0 = lowp.transpose %q permutation = [1, 0] : !lowp.blocked<4x256xmxfp4, block = [1, 32], layout = tcgen05_128x4> -> !lowp.blocked<256x4xmxfp4, block = [32, 1], layout = tcgen05_128x4>
  return
}

// -----

func.func @convert_layout_c1(%q: !lowp.blocked<4x256xmxfp4, block = [1, 32]>) {
  // expected-error@below {{'lowp.convert_layout' op expects types that differ in their layout only, but got '!lowp.blocked<4x256xmxfp4, block = [1, 32]>' and '!lowp.blocked<4x256xmxfp4, block = [1, 16]>'}}
  %0 = lowp.convert_layout %q : !lowp.blocked<4x256xmxfp4, block = [1, 32]> -> !lowp.blocked<4x256xmxfp4, block = [1, 16]>
  return
}

// -----

func.func @pack_c1_type(%c: tensor<4x256xi8>, %s: tensor<4x8xi8>) {
  // expected-error@below {{'lowp.pack' op expects components of types ('tensor<4x128xi8>', 'tensor<4x8xi8>'), but got ('tensor<4x256xi8>', 'tensor<4x8xi8>')}}
  %0 = lowp.pack %c, %s : tensor<4x256xi8>, tensor<4x8xi8> -> !lowp.blocked<4x256xmxfp4, block = [1, 32]>
  return
}

// -----

func.func @pack_c1_count(%c: tensor<4x128xi8>, %s: tensor<4x16xi8>) {
  // expected-error@below {{'lowp.pack' op expects components of types ('tensor<4x128xi8>', 'tensor<4x16xi8>', 'tensor<f32>'), but got ('tensor<4x128xi8>', 'tensor<4x16xi8>')}}
  %0 = lowp.pack %c, %s : tensor<4x128xi8>, tensor<4x16xi8> -> !lowp.blocked<4x256xnvfp4, block = [1, 16]>
  return
}

// -----

func.func @pack_c1_padding(%c: tensor<64x64xi8>, %s: tensor<128xi8>) {
  // expected-error@below {{'lowp.pack' op expects components of types ('tensor<64x64xi8>', 'tensor<512xi8>'), but got ('tensor<64x64xi8>', 'tensor<128xi8>')}}
  %0 = lowp.pack %c, %s : tensor<64x64xi8>, tensor<128xi8> -> !lowp.blocked<64x64xmxfp8_e4m3, block = [1, 32], layout = tcgen05_128x4>
  return
}

// -----

func.func @pack_c2(%c: tensor<?x128xi8>, %s: tensor<?x8xi8>) {
  // expected-error@below {{'lowp.pack' op expects one size per dynamic dim of the result (1), but got 0}}
  %0 = lowp.pack %c, %s : tensor<?x128xi8>, tensor<?x8xi8> -> !lowp.blocked<?x256xmxfp4, block = [1, 32]>
  return
}

// -----

func.func @unpack_c1(%q: !lowp.blocked<4x256xmxfp4, block = [1, 32]>) {
  // expected-error@below {{'lowp.unpack' op inferred type(s) 'tensor<4x128xi8>', 'tensor<4x8xi8>' are incompatible with return type(s) of operation 'tensor<4x256xi8>', 'tensor<4x8xi8>'}}
  // expected-error@below {{'lowp.unpack' op failed to infer returned types}}
  %0:2 = lowp.unpack %q : !lowp.blocked<4x256xmxfp4, block = [1, 32]> -> tensor<4x256xi8>, tensor<4x8xi8>
  return
}

// -----

func.func @dim_c1(%q: !lowp.blocked<4x256xmxfp4, block = [1, 32]>) {
  // expected-error@below {{'lowp.dim' op expects a dim between 0 and 1, but got 2}}
  %0 = lowp.dim %q, 2 : !lowp.blocked<4x256xmxfp4, block = [1, 32]>
  return
}

// -----

func.func @dim_negative(%q: !lowp.blocked<4x256xmxfp4, block = [1, 32]>) {
  // expected-error@below {{attribute 'dim' failed to satisfy constraint: 64-bit signless integer attribute whose value is non-negative}}
  %0 = lowp.dim %q, -1 : !lowp.blocked<4x256xmxfp4, block = [1, 32]>
  return
}

// -----

// signs (C1)
// expected-error@below {{'lowp.signs' op expects 16, 32, 64 or 128 signs, but got 2}}
lowp.signs @signs_c1 = [true, false]

// -----

// expected-error@below {{'lowp.signs' op expects 16, 32, 64 or 128 signs, but got 0}}
lowp.signs @signs_c1_empty = []

// -----

func.func @rht_c1(%x: tensor<4x96xf32>) {
  // expected-error@below {{'lowp.rht' op expects a size of 16, 32, 64 or 128, but got 48}}
  %0 = lowp.rht %x size = 48 axis = 1 : tensor<4x96xf32>
  return
}

// -----

func.func @rht_c2(%x: tensor<4x96xf32>) {
  // expected-error@below {{'lowp.rht' op expects an axis below the rank of the source, 2, but got 2}}
  %0 = lowp.rht %x size = 32 axis = 2 : tensor<4x96xf32>
  return
}

// -----

func.func @rht_c2_scalar(%x: tensor<f32>) {
  // expected-error@below {{'lowp.rht' op expects an axis below the rank of the source, 0, but got 0}}
  %0 = lowp.rht %x size = 32 axis = 0 : tensor<f32>
  return
}

// -----

func.func @rht_c3(%x: tensor<4x100xf32>) {
  // expected-error@below {{'lowp.rht' op expects the size of axis 1 to be a multiple of the transform size 128, but got 100}}
  %0 = lowp.rht %x size = 128 axis = 1 : tensor<4x100xf32>
  return
}

// -----

func.func @rht_c4(%x: tensor<4x96xf32>) {
  // expected-error@below {{'lowp.rht' op expects signs to name a 'lowp.signs', but nothing is named @s}}
  %0 = lowp.rht %x size = 32 axis = 1 signs = @s : tensor<4x96xf32>
  return
}

// -----

// expected-note@below {{which is this operation}}
func.func @rht_c4_kind(%x: tensor<4x96xf32>) {
  // expected-error@below {{'lowp.rht' op expects signs to name a 'lowp.signs', but got @rht_c4_kind}}
  %0 = lowp.rht %x size = 32 axis = 1 signs = @rht_c4_kind : tensor<4x96xf32>
  return
}

// -----

// expected-note@below {{the signs are here}}
lowp.signs @s = [true, true, true, false, false, true, false, true, true, true, true, false, true, false, true, true]
func.func @rht_c5(%x: tensor<4x96xf32>) {
  // expected-error@below {{'lowp.rht' op expects as many signs as the transform size 32, but got 16}}
  %0 = lowp.rht %x size = 32 axis = 1 signs = @s : tensor<4x96xf32>
  return
}

// -----

func.func @rht_types(%x: tensor<4x96xf32>) {
  // expected-error@below {{'lowp.rht' op failed to verify that all of {source, result} have same type}}
  %0 = "lowp.rht"(%x) <{size = 32 : i64, axis = 1 : i64}> : (tensor<4x96xf32>) -> tensor<4x96xbf16>
  return
}

// -----

func.func @kernel_c1(%x: f32) {
  // expected-error@below {{'lowp.kernel' op expects the body without arguments, but got 1}}
  "lowp.kernel"() ({
  ^bb0(%a: f32):
    lowp.yield
  }) : () -> ()
  return
}

// -----

func.func @kernel_c2(%x: tensor<4xf32>) {
  // expected-error@below {{'lowp.kernel' op expects the body to yield ('tensor<8xf32>'), the types of the results, but got ('tensor<4xf32>')}}
  %0 = lowp.kernel -> tensor<8xf32> {
    // expected-note@below {{yielded here}}
    lowp.yield %x : tensor<4xf32>
  }
  return
}

// -----

func.func @kernel_c2_count() {
  // expected-error@below {{'lowp.kernel' op expects the body to yield ('tensor<8xf32>'), the types of the results, but got ()}}
  %0 = lowp.kernel -> tensor<8xf32> {
    // expected-note@below {{yielded here}}
    lowp.yield
  }
  return
}

// -----

func.func @yield_parent(%x: tensor<4xf32>) {
  // expected-error@below {{'lowp.yield' op expects parent op to be one of 'lowp.kernel, lowp.matmul, lowp.batch_matmul, lowp.grouped_matmul, lowp.k_grouped_matmul'}}
  lowp.yield %x : tensor<4xf32>
}

// -----

func.func @amax_c1(%x: tensor<f32>) {
  // expected-error@below {{'lowp.amax' op expects a source of at least one dim, but got 'tensor<f32>'}}
  %0 = lowp.amax %x : tensor<f32> -> tensor<f32>
  return
}

// -----

func.func @amax_c2(%x: tensor<4x?xbf16>) {
  // expected-error@below {{'lowp.amax' op expects outer axes between 0 and 1, but got 2}}
  %0 = lowp.amax %x outer = [0, 2] : tensor<4x?xbf16> -> tensor<4x2xf32>
  return
}

// -----

func.func @amax_c2_negative(%x: tensor<4x?xbf16>) {
  // expected-error@below {{'lowp.amax' op expects outer axes between 0 and 1, but got -1}}
  %0 = lowp.amax %x outer = [-1] : tensor<4x?xbf16> -> tensor<?xf32>
  return
}

// -----

func.func @amax_c3(%x: tensor<4x?xbf16>) {
  // expected-error@below {{'lowp.amax' op expects outer axes to ascend, but got [1, 0]}}
  %0 = lowp.amax %x outer = [1, 0] : tensor<4x?xbf16> -> tensor<?x4xf32>
  return
}

// -----

func.func @amax_c4(%x: tensor<4x?xbf16>) {
  // expected-error@below {{'lowp.amax' op expects a result of one dim per outer axis, [4], but got [5]}}
  %0 = lowp.amax %x outer = [0] : tensor<4x?xbf16> -> tensor<5xf32>
  return
}

// -----

func.func @amax_c4_rank(%x: tensor<4x?xbf16>) {
  // expected-error@below {{'lowp.amax' op expects a result of one dim per outer axis, [], but got [4]}}
  %0 = lowp.amax %x : tensor<4x?xbf16> -> tensor<4xf32>
  return
}
