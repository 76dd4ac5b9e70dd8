// RUN: lowp-opt %s --convert-lowp-to-arith --canonicalize --split-input-file | FileCheck %s

// Squares of the scaled error are summed by fused multiply-adds, in two chains.

// CHECK-LABEL: func.func @scaled_mse
func.func @scaled_mse(%x: vector<16xf32>, %q: vector<16xf32>, %sf: f32, %enc: f32) -> f32 {
  // CHECK: arith.mulf %{{.*}} : vector<2xf32>
  // CHECK-COUNT-7: math.fma %{{.*}} : vector<2xf32>
  // CHECK-NOT: math.fma
  // CHECK: arith.addf %{{.*}} : f32
  %e = lowp.block_error %x, %q, %sf, %enc format = <nvfp4> rule = <four_six = mse> : vector<16xf32>
  return %e : f32
}

// -----

// CHECK-LABEL: func.func @dequantized_mse
func.func @dequantized_mse(%x: vector<16xf32>, %q: vector<16xf32>, %sf: f32, %amax: f32) -> f32 {
  // CHECK: %[[M:.*]] = arith.constant dense<1.536000e+03>
  // CHECK: arith.divf %{{.*}}, %[[M]]
  // CHECK-NOT: math.fma
  // CHECK: vector.reduction <add>
  %e = lowp.block_error %x, %q, %sf, %amax format = <nvfp4> rule = <four_six = mse, four_six_error = dequantized> : vector<16xf32>
  return %e : f32
}

// -----

// CHECK-LABEL: func.func @hadamard
func.func @hadamard(%x: vector<16xf32>) -> vector<16xf32> {
  // CHECK: %[[SIGNS:.*]] = arith.constant dense<[-1.0{{.*}}, 1.0
  // CHECK: arith.mulf %{{.*}}, %[[SIGNS]]
  // CHECK-COUNT-4: arith.addf
  // CHECK-NOT: arith.addf
  // CHECK: arith.mulf
  %y = lowp.hadamard %x negate = [true, false, false, true, true, false, true, false, true, true, false, true, false, true, true, false] : vector<16xf32>
  return %y : vector<16xf32>
}

// -----

// What 4/6 decodes was just encoded: its rounding is shared, no code is decoded.

// CHECK-LABEL: func.func @decode_of_encode
func.func @decode_of_encode(%x: vector<16xf32>, %amax: f32) -> (vector<8xi8>, vector<16xf32>, i8, f32) {
  // CHECK-NOT: arith.extui
  // CHECK: return
  %c = lowp.encode %x element = f4E2M1FN : vector<16xf32> -> vector<8xi8>
  %q = lowp.decode %c element = f4E2M1FN : vector<8xi8> -> vector<16xf32>
  %s, %f = lowp.block_scale %amax format = <f4E2M1FN, f8E4M3FN> : i8
  %v = lowp.decode_scale %s type = f8E4M3FN
  return %c, %q, %s, %v : vector<8xi8>, vector<16xf32>, i8, f32
}
