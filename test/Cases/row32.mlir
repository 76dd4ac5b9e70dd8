// RUN: lowp-opt %s --lowp-assign-streams=seed=5 | FileCheck %s

// No two operations that round stochastically share random bits: each gets a
// stream, and all take the step that the program is given.

!blocked = !lowp.blocked<4x64xmxfp8_e4m3, block = [1, 32]>
// CHECK-LABEL: func.func @row32
// CHECK-SAME: (%{{.*}}: tensor<4x64xf32>, %[[STEP:.*]]: i32 {lowp.step})
// CHECK: %[[SEED:.*]] = arith.constant 5 : i64
// CHECK: seed(%[[SEED]], %[[STEP]]) {{.*}}stream = 0 : i32
// CHECK: seed(%[[SEED]], %[[STEP]]) {{.*}}stream = 1 : i32
func.func @row32(%x: tensor<4x64xf32>) -> (!blocked, !blocked) {
  %0 = lowp.quantize %x {rule = #lowp.rule<round = stochastic>} : tensor<4x64xf32> -> !blocked
  %1 = lowp.quantize %x {rule = #lowp.rule<round = stochastic>} : tensor<4x64xf32> -> !blocked
  return %0, %1 : !blocked, !blocked
}
