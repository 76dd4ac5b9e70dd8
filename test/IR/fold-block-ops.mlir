// RUN: lowp-opt %s --canonicalize | FileCheck %s

// CHECK-LABEL: func @scales
func.func @scales() -> (f32, f32, f32, i8, f32, i8, f32, i8, f32) {
  %v = arith.constant dense<[-3.0, 0.5, 6.0, 0x7FC00000]> : vector<4xf32>
  %six = arith.constant 6.0 : f32
  // A maximum over finite elements.
  // CHECK-DAG: %[[SIX:.*]] = arith.constant 6.000000e+00 : f32
  %amax = lowp.block_amax %v nonfinite = saturate : vector<4xf32>
  // 2688 / 6 = 448.
  // CHECK-DAG: %[[ENC:.*]] = arith.constant 4.480000e+02 : f32
  // CHECK-DAG: %[[DEC:.*]] = arith.constant 0.00223214296 : f32
  %e, %d = lowp.outer_scale %six format = <nvfp4>
  // The scale of the largest block is the largest scale, 0x7E.
  // CHECK-DAG: %[[SF:.*]] = arith.constant 126 : i8
  // CHECK-DAG: %[[ONE:.*]] = arith.constant 1.000000e+00 : f32
  %s, %f = lowp.block_scale %six outer(%e, %d) format = <nvfp4> : i8
  // CHECK-DAG: %[[B:.*]] = arith.constant 127 : i8
  %t, %g = lowp.block_scale %six format = <mxfp4> : i8
  // CHECK-DAG: %[[UP:.*]] = arith.constant -126 : i8
  %u = lowp.encode_scale %six type = f8E8M0FNU round = up
  // CHECK-DAG: %[[EIGHT:.*]] = arith.constant 8.000000e+00 : f32
  %w = lowp.decode_scale %u type = f8E8M0FNU
  // CHECK: return %[[SIX]], %[[ENC]], %[[DEC]], %[[SF]], %[[ONE]], %[[B]], %[[ONE]], %[[UP]], %[[EIGHT]]
  return %amax, %e, %d, %s, %f, %t, %g, %u, %w : f32, f32, f32, i8, f32, i8, f32, i8, f32
}

// CHECK-LABEL: func @elements
func.func @elements() -> (vector<2xi8>, vector<4xf32>, vector<4xi8>, vector<4xi8>) {
  %v = arith.constant dense<[0.25, 0.75, -2.5, 7.0]> : vector<4xf32>
  %no = arith.constant false
  %random = arith.constant dense<255> : vector<4xi32>
  // Ties to even codes: 0, 2, 4 with a sign; 7.0 saturates to code 7.
  // CHECK-DAG: %[[C:.*]] = arith.constant dense<[32, 124]> : vector<2xi8>
  %c = lowp.encode %v element = f4E2M1FN : vector<4xf32> -> vector<2xi8>
  // CHECK-DAG: %[[D:.*]] = arith.constant dense<[0.000000e+00, 1.000000e+00, -2.000000e+00, 6.000000e+00]> : vector<4xf32>
  %d = lowp.decode %c element = f4E2M1FN : vector<2xi8> -> vector<4xf32>
  // CHECK-DAG: %[[N:.*]] = arith.constant dense<0> : vector<4xi8>
  %n = lowp.encode %v valid(%no) element = f4E2M1FN : vector<4xf32> -> vector<4xi8>
  // Every fraction that is not zero carries: 0.5, 1, -3.
  // CHECK-DAG: %[[R:.*]] = arith.constant dense<[1, 2, 13, 7]> : vector<4xi8>
  %r = lowp.encode %v random(%random : vector<4xi32>) element = f4E2M1FN rule = <round = stochastic> : vector<4xf32> -> vector<4xi8>
  // CHECK: return %[[C]], %[[D]], %[[N]], %[[R]]
  return %c, %d, %n, %r : vector<2xi8>, vector<4xf32>, vector<4xi8>, vector<4xi8>
}

// CHECK-LABEL: func @error
func.func @error() -> f32 {
  // Codes 6 and 4 of values 5 and 4: an error of 1.
  %x = arith.constant dense<[5.0, 4.0]> : vector<2xf32>
  %q = arith.constant dense<[6.0, 4.0]> : vector<2xf32>
  %one = arith.constant 1.0 : f32
  // CHECK-NEXT: %[[ONE:.*]] = arith.constant 1.000000e+00 : f32
  // CHECK-NEXT: return %[[ONE]]
  %e = lowp.block_error %x, %q, %one, %one format = <nvfp4> rule = <four_six = mse> : vector<2xf32>
  return %e : f32
}

// What has no value, and a NaN that has no code.
// CHECK-LABEL: func @left_alone
func.func @left_alone() -> (f32, vector<2xi8>, f32, f32) {
  %v = ub.poison : vector<2xf32>
  %w = arith.constant dense<[0x7FC00000, 1.0]> : vector<2xf32>
  %p = ub.poison : f32
  // CHECK: lowp.block_amax
  // CHECK: lowp.encode
  // CHECK: lowp.block_scale
  %a = lowp.block_amax %v : vector<2xf32>
  %c = lowp.encode %w element = f4E2M1FN : vector<2xf32> -> vector<2xi8>
  %s, %f = lowp.block_scale %p format = <fp8_block> : f32
  return %a, %c, %s, %f : f32, vector<2xi8>, f32, f32
}
