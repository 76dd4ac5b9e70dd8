// RUN: lowp-opt %s --lowp-approximate-math | FileCheck %s

// CHECK-LABEL: func.func @functions
// CHECK-NOT: math.exp
// CHECK-NOT: math.sin
// CHECK-NOT: math.tanh
// CHECK-NOT: math.log
// CHECK-NOT: math.erf
// CHECK: return
func.func @functions(%x: f32, %v: vector<4xf32>) -> (f32, f32, f32, vector<4xf32>, f32) {
  %0 = math.exp %x : f32
  %1 = math.tanh %x : f32
  %2 = math.log %x : f32
  %3 = math.sin %v : vector<4xf32>
  %4 = math.erf %x : f32
  return %0, %1, %2, %3, %4 : f32, f32, f32, vector<4xf32>, f32
}

// Narrow types are rounded once, from f32.
// CHECK-LABEL: func.func @narrow
// CHECK: arith.extf %{{.*}} : bf16 to f32
// CHECK: arith.truncf %{{.*}} : f32 to bf16
// CHECK: return
func.func @narrow(%x: bf16) -> bf16 {
  %0 = math.exp %x : bf16
  return %0 : bf16
}

// What has no polynomial, and f64, stay.
// CHECK-LABEL: func.func @others
// CHECK: math.powf
// CHECK: math.exp
// CHECK: math.sqrt
func.func @others(%x: f32, %y: f64) -> (f32, f64, f32) {
  %0 = math.powf %x, %x : f32
  %1 = math.exp %y : f64
  %2 = math.sqrt %x : f32
  return %0, %1, %2 : f32, f64, f32
}
