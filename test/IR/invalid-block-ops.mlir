// RUN: lowp-opt %s --verify-diagnostics --split-input-file

// One case per constraint of docs/spec.md, named by its label.

func.func @block_amax_type(%v: vector<4x4xf32>) {
  // expected-error@below {{'lowp.block_amax' op operand #0 must be fixed-length vector of 32-bit float values of ranks 1, but got 'vector<4x4xf32>'}}
  %0 = lowp.block_amax %v : vector<4x4xf32>
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

func.func @encode_c3(%v: vector<16xf32>) {
  // expected-error@below {{'lowp.encode' op expects a rule with round = nearest, but got stochastic}}
  %0 = lowp.encode %v element = f8E4M3FN rule = <round = stochastic> : vector<16xf32> -> vector<16xi8>
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
