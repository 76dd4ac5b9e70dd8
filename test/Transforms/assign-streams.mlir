// RUN: lowp-opt %s --lowp-assign-streams=seed=42 --split-input-file | FileCheck %s
// RUN: lowp-opt %s --lowp-assign-streams=seed=42 --lowp-assign-streams=seed=43 --split-input-file | FileCheck %s

// In program order, around the streams that are there; seed and step are those
// of the program where an operation has none.

!mx = !lowp.blocked<?x96xmxfp8_e4m3, block = [1, 32]>

// CHECK-LABEL: func.func @main
// CHECK-SAME: (%[[X:.*]]: tensor<?x96xf32>, %[[OWN:.*]]: i64, %[[OTHER:.*]]: i32, %[[STEP:.*]]: i32 {lowp.step})
func.func @main(%x: tensor<?x96xf32>, %seed: i64, %other: i32) -> (!mx, !mx, !mx, !mx, !mx) {
  // CHECK: %[[SEED:.*]] = arith.constant 42 : i64
  // CHECK: lowp.quantize %[[X]] seed(%[[SEED]], %[[STEP]]) {{{.*}}stream = 0 : i32}
  %a = lowp.quantize %x {rule = #lowp.rule<round = stochastic>} : tensor<?x96xf32> -> !mx
  // CHECK: lowp.quantize %[[X]] seed(%[[SEED]], %[[STEP]]) {{{.*}}stream = 1 : i32}
  %b = lowp.quantize %x {rule = #lowp.rule<round = stochastic>, stream = 1 : i32} : tensor<?x96xf32> -> !mx
  // CHECK: lowp.quantize %[[X]] seed(%[[OWN]], %[[OTHER]]) {{{.*}}stream = 2 : i32}
  %c = lowp.quantize %x seed(%seed, %other) {rule = #lowp.rule<round = stochastic>} : tensor<?x96xf32> -> !mx
  // CHECK: lowp.requantize %{{.*}} seed(%[[SEED]], %[[STEP]]) {{{.*}}stream = 3 : i32}
  %d = lowp.requantize %a {rule = #lowp.rule<round = stochastic>} : !mx -> !mx
  // CHECK: lowp.quantize %[[X]] : tensor
  %e = lowp.quantize %x : tensor<?x96xf32> -> !mx
  return %a, %b, %c, %d, %e : !mx, !mx, !mx, !mx, !mx
}

// -----

// Callers pass the step on; attributes of calls stay with their operands.

!mx = !lowp.blocked<4x32xmxfp8_e4m3, block = [1, 32]>

// CHECK-LABEL: func.func private @leaf
// CHECK-SAME: (%{{.*}}: tensor<4x32xf32>, %[[STEP:.*]]: i32 {lowp.step})
func.func private @leaf(%x: tensor<4x32xf32>) -> !mx {
  %q = lowp.quantize %x {rule = #lowp.rule<round = stochastic>} : tensor<4x32xf32> -> !mx
  return %q : !mx
}

// CHECK-LABEL: func.func @entry
// CHECK-SAME: (%{{.*}}: tensor<4x32xf32>, %[[COND:.*]]: i1, %[[STEP:.*]]: i32 {lowp.step})
func.func @entry(%x: tensor<4x32xf32>, %cond: i1) -> !mx {
  // CHECK: scf.if %[[COND]]
  // CHECK: call @middle(%{{.*}}, %[[STEP]]) {arg_attrs = [{lowp.read_only}, {}]} : (tensor<4x32xf32>, i32)
  %r = scf.if %cond -> !mx {
    %q = func.call @middle(%x) {arg_attrs = [{lowp.read_only}]} : (tensor<4x32xf32>) -> !mx
    scf.yield %q : !mx
  } else {
    %q = lowp.quantize %x : tensor<4x32xf32> -> !mx
    scf.yield %q : !mx
  }
  return %r : !mx
}

// CHECK-LABEL: func.func private @middle
// CHECK-SAME: (%{{.*}}: tensor<4x32xf32>, %[[STEP:.*]]: i32 {lowp.step})
func.func private @middle(%x: tensor<4x32xf32>) -> !mx {
  // CHECK: call @leaf(%{{.*}}, %[[STEP]])
  %q = func.call @leaf(%x) : (tensor<4x32xf32>) -> !mx
  return %q : !mx
}

// CHECK-LABEL: func.func @stranger
// CHECK-NOT: i32
// CHECK: return
func.func @stranger(%x: tensor<4x32xf32>) -> !mx {
  %q = lowp.quantize %x : tensor<4x32xf32> -> !mx
  return %q : !mx
}

// CHECK-LABEL: func.func @has_step
// CHECK-SAME: (%[[STEP:.*]]: i32 {lowp.step}, %{{.*}}: tensor<4x32xf32>) -> !lowp
func.func @has_step(%s: i32 {lowp.step}, %x: tensor<4x32xf32>) -> !mx {
  // CHECK: lowp.quantize %{{.*}} seed(%{{.*}}, %[[STEP]])
  %q = lowp.quantize %x {rule = #lowp.rule<round = stochastic>} : tensor<4x32xf32> -> !mx
  return %q : !mx
}
