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
