// RUN: lowp-compile %s --target=cpu --emit=llvm -o - | FileCheck %s

// Two entries of the same body are two entries.
// CHECK: @lowp_rt_num_entries = {{.*}} i64 2
func.func @a(%x: tensor<4xf32>, %i: index) -> f32 {
  %y = tensor.extract %x[%i] : tensor<4xf32>
  return %y : f32
}
func.func @b(%x: tensor<4xf32>, %i: index) -> f32 {
  %y = tensor.extract %x[%i] : tensor<4xf32>
  return %y : f32
}
