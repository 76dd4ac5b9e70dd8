// RUN: lowp-opt %s --verify-diagnostics --split-input-file

// One case per constraint of docs/spec.md, named by its label.

func.func @block_amax_type(%v: vector<4x4x4xf32>) {
  // expected-error@below {{custom op 'lowp.block_amax' 'source' must be fixed-length vector of 32-bit float values of ranks 1/2, but got 'vector<4x4x4xf32>'}}
  %0 = lowp.block_amax %v : vector<4x4x4xf32>
  return
}

// -----

func.func @outer_scale_c1(%a: f32) {
  // expected-error@below {{'lowp.outer_scale' op expects a format with an outer scale, but got #lowp.format<mxfp4>}}
  %0, %1 = lowp.outer_scale %a format = <mxfp4>
  return
}

// -----

func.func @outer_scale_c2(%a: f32) {
  // expected-error@below {{'lowp.outer_scale' op expects scale = rceil for #lowp.format<nvfp4>, but got floor; scale serves f8E8M0FNU block scales}}
  %0, %1 = lowp.outer_scale %a format = <nvfp4> rule = <ocp>
  return
}

// -----

func.func @block_scale_c1_missing(%a: f32) {
  // expected-error@below {{'lowp.block_scale' op expects encode and decode outer scales exactly for formats with an outer scale, but got 0 of them for #lowp.format<nvfp4>}}
  %0, %1 = lowp.block_scale %a format = <nvfp4> : i8
  return
}

// -----

func.func @block_scale_c1_one(%a: f32) {
  // expected-error@below {{'lowp.block_scale' op expects encode and decode outer scales exactly for formats with an outer scale, but got 1 of them for #lowp.format<nvfp4>}}
  %0, %1 = "lowp.block_scale"(%a, %a) <{format = #lowp.format<nvfp4>, operandSegmentSizes = array<i32: 1, 1, 0>}> : (f32, f32) -> (i8, f32)
  return
}

// -----

func.func @block_scale_c1_extra(%a: f32) {
  // expected-error@below {{'lowp.block_scale' op expects encode and decode outer scales exactly for formats with an outer scale, but got 2 of them for #lowp.format<mxfp4>}}
  %0, %1 = lowp.block_scale %a outer(%a, %a) format = <mxfp4> : i8
  return
}

// -----

func.func @block_scale_c2_byte(%a: f32) {
  // expected-error@below {{'lowp.block_scale' op expects a scale of type i8 for #lowp.format<mxfp4>, but got 'f32'}}
  %0, %1 = lowp.block_scale %a format = <mxfp4> : f32
  return
}

// -----

func.func @block_scale_c2_float(%a: f32) {
  // expected-error@below {{'lowp.block_scale' op expects a scale of type f32 for #lowp.format<fp8_block>, but got 'i8'}}
  %0, %1 = lowp.block_scale %a format = <fp8_block> : i8
  return
}

// -----

func.func @block_scale_c3(%a: f32) {
  // expected-error@below {{'lowp.block_scale' op expects a format of f4E2M1FN elements with f8E4M3FN block scales for a 4/6 candidate, but got #lowp.format<mxfp4>}}
  %0, %1 = lowp.block_scale %a format = <mxfp4> four : i8
  return
}

// -----

func.func @block_scale_c4(%a: f32) {
  // expected-error@below {{'lowp.block_scale' op expects sf_arith = divide for #lowp.format<mxfp4>, but got te; sf_arith serves f8E4M3FN block scales}}
  %0, %1 = lowp.block_scale %a format = <mxfp4> rule = <te> : i8
  return
}

// -----

func.func @encode_c1(%v: vector<16xf32>) {
  // expected-error@below {{'lowp.encode' op expects element to be f4E2M1FN, f6E2M3FN, f6E3M2FN, f8E4M3FN, f8E5M2 or !lowp.s2f6, but got 'f8E8M0FNU'}}
  %0 = lowp.encode %v element = f8E8M0FNU : vector<16xf32> -> vector<16xi8>
  return
}

// -----

func.func @encode_c2_blocks(%v: vector<32x16xf32>) {
  // expected-error@below {{'lowp.encode' op expects codes and values of the same blocks, but got 'vector<32x8xi8>' and 'vector<32x16xf32>'}}
  %0 = lowp.encode %v element = f8E4M3FN : vector<32x16xf32> -> vector<32x8xi8>
  return
}

// -----

func.func @encode_c2(%v: vector<16xf32>) {
  // expected-error@below {{'lowp.encode' op expects as many codes as values for element 'f8E4M3FN', but got 8 and 16}}
  %0 = lowp.encode %v element = f8E4M3FN : vector<16xf32> -> vector<8xi8>
  return
}

// -----

func.func @encode_c2_packed(%v: vector<15xf32>) {
  // expected-error@below {{'lowp.encode' op expects as many codes as values, or half as many bytes of packed pairs, but got 8 and 15}}
  %0 = lowp.encode %v element = f4E2M1FN : vector<15xf32> -> vector<8xi8>
  return
}

// -----

func.func @encode_c3_without(%v: vector<16xf32>) {
  // expected-error@below {{'lowp.encode' op expects random bits exactly with round = stochastic, but got round = stochastic without them}}
  %0 = lowp.encode %v element = f8E4M3FN rule = <round = stochastic> : vector<16xf32> -> vector<16xi8>
  return
}

// -----

func.func @encode_c3_with(%v: vector<16xf32>, %r: vector<16xi32>) {
  // expected-error@below {{'lowp.encode' op expects random bits exactly with round = stochastic, but got round = nearest with them}}
  %0 = lowp.encode %v random(%r : vector<16xi32>) element = f8E4M3FN : vector<16xf32> -> vector<16xi8>
  return
}

// -----

func.func @encode_c4(%v: vector<16xf32>, %r: vector<8xi32>) {
  // expected-error@below {{'lowp.encode' op expects random bits for each of 16 values, but got 8}}
  %0 = lowp.encode %v random(%r : vector<8xi32>) element = f8E4M3FN rule = <round = stochastic> : vector<16xf32> -> vector<16xi8>
  return
}

// -----

func.func @philox_c1(%seed: i64, %step: i32, %stream: i32, %g: i64) {
  // expected-error@below {{'lowp.philox' op expects 7 or 10 rounds, but got 8}}
  %w:4 = lowp.philox %seed, %step, %stream, %g rounds = 8 : i64
  return
}

// -----

func.func @philox_words(%seed: i64, %step: i32, %stream: i32, %g: vector<2xi64>) {
  // expected-error@below {{'lowp.philox' op failed to verify that expects words of the shape of group}}
  %w:4 = "lowp.philox"(%seed, %step, %stream, %g) : (i64, i32, i32, vector<2xi64>) -> (i32, i32, i32, i32)
  return
}

// -----

func.func @random_bits_c1(%w: vector<4xi32>) {
  // expected-error@below {{'lowp.random_bits' op expects 1 to 16 bits of each element, but got 32}}
  %0 = lowp.random_bits %w bits = 32 : vector<4xi32> -> vector<16xi32>
  return
}

// -----

func.func @random_bits_c2(%w: vector<4xi32>) {
  // expected-error@below {{'lowp.random_bits' op expects a word for every 4 elements, but got 4 for 12}}
  %0 = lowp.random_bits %w bits = 16 : vector<4xi32> -> vector<12xi32>
  return
}

// -----

func.func @random_bits_c2_independent(%w: vector<4xi32>) {
  // expected-error@below {{'lowp.random_bits' op expects a word for every 2 elements, but got 4 for 16}}
  %0 = lowp.random_bits %w bits = 16 independent : vector<4xi32> -> vector<16xi32>
  return
}

// -----

func.func @decode_c1(%v: vector<16xi8>) {
  // expected-error@below {{'lowp.decode' op expects element to be f4E2M1FN, f6E2M3FN, f6E3M2FN, f8E4M3FN, f8E5M2 or !lowp.s2f6, but got 'bf16'}}
  %0 = lowp.decode %v element = bf16 : vector<16xi8> -> vector<16xf32>
  return
}

// -----

func.func @decode_c2(%v: vector<16xi8>) {
  // expected-error@below {{'lowp.decode' op expects as many codes as values, or half as many bytes of packed pairs, but got 16 and 8}}
  %0 = lowp.decode %v element = f4E2M1FN : vector<16xi8> -> vector<8xf32>
  return
}

// -----

func.func @encode_scale_c1(%s: f32) {
  // expected-error@below {{'lowp.encode_scale' op expects type f8E8M0FNU or f8E4M3FN, but got 'f8E5M2'}}
  %0 = lowp.encode_scale %s type = f8E5M2
  return
}

// -----

func.func @decode_scale_c1(%b: i8) {
  // expected-error@below {{'lowp.decode_scale' op expects type f8E8M0FNU or f8E4M3FN, but got 'f32'}}
  %0 = lowp.decode_scale %b type = f32
  return
}

// -----

func.func @block_error_c1(%v: vector<16xf32>, %s: f32) {
  // expected-error@below {{'lowp.block_error' op expects a format of f4E2M1FN elements with f8E4M3FN block scales for a 4/6 candidate, but got #lowp.format<mxfp8_e4m3>}}
  %0 = lowp.block_error %v, %v, %s, %s format = <mxfp8_e4m3> rule = <four_six = mse> : vector<16xf32>
  return
}

// -----

func.func @block_error_c2(%v: vector<16xf32>, %s: f32) {
  // expected-error@below {{'lowp.block_error' op expects a rule with a four_six choice, but got #lowp.rule<te>}}
  %0 = lowp.block_error %v, %v, %s, %s format = <nvfp4> rule = <te> : vector<16xf32>
  return
}

// -----

func.func @block_error_c3(%v: vector<16xf32>, %s: f32) {
  // expected-error@below {{'lowp.block_error' op expects given_scale only with four_six_error = dequantized, but got scaled}}
  %0 = lowp.block_error %v, %v, %s, %s format = <nvfp4> rule = <four_six = mse> given_scale : vector<16xf32>
  return
}

// -----

func.func @block_error_c4(%v: vector<16xf32>, %s: f32) {
  // expected-error@below {{'lowp.block_error' op expects outer_max = 0 for #lowp.format<f4E2M1FN, f8E4M3FN>, but got 2688; outer_max serves formats with an outer scale}}
  %0 = lowp.block_error %v, %v, %s, %s format = <f4E2M1FN, f8E4M3FN> rule = <four_six = mse, outer_max = 2688> : vector<16xf32>
  return
}

// -----

func.func @block_error_types(%v: vector<16xf32>, %w: vector<8xf32>, %s: f32) {
  // expected-error@below {{'lowp.block_error' op failed to verify that all of {source, codes} have same type}}
  %0 = "lowp.block_error"(%v, %w, %s, %s) <{format = #lowp.format<nvfp4>, rule = #lowp.rule<four_six = mse>}> : (vector<16xf32>, vector<8xf32>, f32, f32) -> f32
  return
}

// -----

func.func @hadamard_c1(%v: vector<8xf32>) {
  // expected-error@below {{'lowp.hadamard' op expects a vector of 16, 32, 64 or 128 elements, but got 8}}
  %0 = lowp.hadamard %v negate = [true, false, false, true, true, false, true, false] : vector<8xf32>
  return
}

// -----

func.func @hadamard_c2(%v: vector<16xf32>) {
  // expected-error@below {{'lowp.hadamard' op expects one sign per element (16), but got 2}}
  %0 = lowp.hadamard %v negate = [true, false] : vector<16xf32>
  return
}
