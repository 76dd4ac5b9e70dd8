// RUN: lowp-opt %s --lowp-mark-arguments-read-only | FileCheck %s

// CHECK: func.func @public(
// CHECK-SAME: %{{.*}}: tensor<4xf32> {bufferization.writable = false, lowp.read_only},
// CHECK-SAME: %{{.*}}: memref<4xf32>, %{{.*}}: f32)
func.func @public(%a: tensor<4xf32>, %b: memref<4xf32>, %c: f32) {
  return
}

// CHECK: func.func private @private(%{{.*}}: tensor<4xf32>)
func.func private @private(%a: tensor<4xf32>) {
  return
}
