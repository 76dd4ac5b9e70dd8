// RUN: lowp-opt %s --convert-lowp-to-arith --canonicalize --split-input-file | FileCheck %s

// CHECK-LABEL: func.func @block_amax
func.func @block_amax(%x: vector<16xf32>) -> f32 {
  // CHECK: %[[MAGNITUDES:.*]] = arith.andi
  // CHECK: %[[MAX:.*]] = vector.reduction <maxui>, %[[MAGNITUDES]] : vector<16xi32> into i32
  // CHECK: %[[AMAX:.*]] = arith.bitcast %[[MAX]] : i32 to f32
  // CHECK: return %[[AMAX]]
  %a = lowp.block_amax %x : vector<16xf32>
  return %a : f32
}

// -----

// No floating-point operation takes part in a power of two.

// CHECK-LABEL: func.func @ue8m0_scale
// CHECK-SAME: (%[[AMAX:.*]]: f32)
func.func @ue8m0_scale(%amax: f32) -> (i8, f32) {
  // CHECK: %[[BITS:.*]] = arith.bitcast %[[AMAX]] : f32 to i32
  // CHECK-NOT: arith.{{mulf|divf|addf|subf|cmpf}}
  // CHECK: return
  %s, %f = lowp.block_scale %amax format = <mxfp8_e4m3> : i8
  return %s, %f : i8, f32
}

// -----

// CHECK-LABEL: func.func @ue4m3_scale
// CHECK-SAME: (%[[AMAX:.*]]: f32, %[[ENC:.*]]: f32, %[[DEC:.*]]: f32)
func.func @ue4m3_scale(%amax: f32, %enc: f32, %dec: f32) -> (i8, f32) {
  // CHECK-DAG: %[[SIX:.*]] = arith.constant 6.0
  // CHECK-DAG: %[[ONE:.*]] = arith.constant 1.0
  // CHECK: %[[QUOTIENT:.*]] = arith.divf %[[AMAX]], %[[SIX]] : f32
  // CHECK: arith.mulf %[[QUOTIENT]], %[[ENC]] : f32
  // CHECK: %[[SUM:.*]] = arith.addf
  // CHECK: %[[SF:.*]] = arith.addf %[[SUM]],
  // CHECK: %[[S:.*]] = arith.mulf %[[SF]], %[[DEC]] : f32
  // CHECK: arith.divf %[[ONE]], %[[S]] : f32
  %s, %f = lowp.block_scale %amax outer(%enc, %dec) format = <nvfp4> : i8
  return %s, %f : i8, f32
}

// -----

// Exact comparisons need the 48 bits of a product.

// CHECK-LABEL: func.func @outer_scale_up
func.func @outer_scale_up(%amax: f32) -> (f32, f32) {
  // CHECK: arith.extf %{{.*}} : f32 to f64
  // CHECK: arith.divf %{{.*}} : f64
  // CHECK: arith.truncf %{{.*}} : f64 to f32
  // CHECK: arith.cmpf olt, %{{.*}} : f64
  %e, %d = lowp.outer_scale %amax format = <nvfp4> rule = <sf_round = up>
  return %e, %d : f32, f32
}
