// RUN: lowp-opt %s --convert-lowp-to-arith --canonicalize --split-input-file | FileCheck %s

// Two products a round, in 64-bit lanes; keys are scalars, so that they leave
// loops.

// CHECK-LABEL: func.func @philox
// CHECK-SAME: (%[[SEED:.*]]: i64, %[[STEP:.*]]: i32, %{{.*}}: i32, %[[G:.*]]: vector<8xi64>)
func.func @philox(%seed: i64, %step: i32, %stream: i32, %g: vector<8xi64>) -> (vector<8xi32>, vector<8xi32>, vector<8xi32>, vector<8xi32>) {
  // CHECK-DAG: %[[KEY0:.*]] = arith.trunci %[[SEED]] : i64 to i32
  // CHECK-DAG: %[[STEPS:.*]] = vector.broadcast %[[STEP]] : i32 to vector<8xi32>
  // CHECK: arith.muli %{{.*}} : vector<8xi64>
  // CHECK: %[[WIDE:.*]] = arith.extui %[[KEY0]] : i32 to i64
  // CHECK: vector.broadcast %[[WIDE]] : i64 to vector<8xi64>
  // CHECK: %[[NEXT:.*]] = arith.addi %[[KEY0]], %{{.*}} : i32
  // CHECK-COUNT-18: arith.muli %{{.*}} : vector<8xi64>
  // CHECK-NOT: arith.mul
  // CHECK-COUNT-4: arith.trunci %{{.*}} : vector<8xi64> to vector<8xi32>
  %w:4 = lowp.philox %seed, %step, %stream, %g : vector<8xi64>
  return %w#0, %w#1, %w#2, %w#3 : vector<8xi32>, vector<8xi32>, vector<8xi32>, vector<8xi32>
}

// -----

// CHECK-LABEL: func.func @philox_7
func.func @philox_7(%seed: i64, %step: i32, %g: i64) -> (i32, i32, i32, i32) {
  // The first product of the stream is a constant, and so is the bit that says
  // independent.
  %stream = arith.constant 5 : i32
  // CHECK-COUNT-13: arith.mului_extended %{{.*}} : i32
  // CHECK-NOT: arith.mului_extended
  %w:4 = lowp.philox %seed, %step, %stream, %g rounds = 7 independent : i64
  return %w#0, %w#1, %w#2, %w#3 : i32, i32, i32, i32
}

// -----

// The operand layout of the hardware conversions.

// CHECK-LABEL: func.func @random_bits_16
func.func @random_bits_16(%w: vector<1xi32>) -> vector<4xi32> {
  // CHECK-DAG: arith.constant dense<[0, 0, 16, 16]> : vector<4xi32>
  // CHECK-DAG: arith.constant dense<65535> : vector<4xi32>
  // CHECK: %[[WORDS:.*]] = vector.shuffle %{{.*}}, %{{.*}} [0, 0, 0, 0]
  // CHECK: arith.shrui
  // CHECK: arith.andi
  %r = lowp.random_bits %w bits = 16 : vector<1xi32> -> vector<4xi32>
  return %r : vector<4xi32>
}

// -----

// CHECK-LABEL: func.func @random_bits_8
func.func @random_bits_8(%w: vector<2xi32>) -> vector<8xi32> {
  // CHECK-DAG: arith.constant dense<[0, 16, 8, 24, 0, 16, 8, 24]> : vector<8xi32>
  // CHECK-DAG: arith.constant dense<255> : vector<8xi32>
  // CHECK: vector.shuffle %{{.*}}, %{{.*}} [0, 0, 0, 0, 1, 1, 1, 1]
  %r = lowp.random_bits %w bits = 8 : vector<2xi32> -> vector<8xi32>
  return %r : vector<8xi32>
}

// -----

// CHECK-LABEL: func.func @random_bits_independent
func.func @random_bits_independent(%w: vector<2xi32>) -> vector<3xi32> {
  // CHECK: arith.constant dense<[0, 16, 0]> : vector<3xi32>
  // CHECK: vector.shuffle %{{.*}}, %{{.*}} [0, 0, 1]
  %r = lowp.random_bits %w bits = 16 independent : vector<2xi32> -> vector<3xi32>
  return %r : vector<3xi32>
}

// -----

// The random bits are added to the discarded ones; the carry is the rounding,
// into the exponent too. Values below the smallest normal one are scaled.

// CHECK-LABEL: func.func @encode_e4m3
// CHECK-SAME: (%[[X:.*]]: vector<16xf32>, %[[R:.*]]: vector<16xi32>)
func.func @encode_e4m3(%x: vector<16xf32>, %r: vector<16xi32>) -> vector<16xi8> {
  // CHECK: %[[CLAMPED:.*]] = arith.minui %{{.*}} : vector<16xi32>
  // CHECK: %[[UNITS:.*]] = arith.fptosi %{{.*}} : vector<16xf32> to vector<16xi32>
  // CHECK: %[[SCALED:.*]] = arith.maxsi %[[UNITS]]
  // CHECK: arith.shli %{{.*}} : vector<16xi32>
  // CHECK: %[[SUM:.*]] = arith.addi %[[SCALED]]
  // CHECK: arith.shrui %[[SUM]]
  // CHECK-NOT: arith.cmpf
  // CHECK: return
  %c = lowp.encode %x random(%r : vector<16xi32>) element = f8E4M3FN rule = <round = stochastic> : vector<16xf32> -> vector<16xi8>
  return %c : vector<16xi8>
}

// -----

// CHECK-LABEL: func.func @encode_s2f6
func.func @encode_s2f6(%x: vector<16xf32>, %r: vector<16xi32>) -> vector<16xi8> {
  // CHECK: arith.fptosi
  // CHECK-NOT: arith.maxsi
  // Two's complement.
  // CHECK: %[[NEGATIVE:.*]] = arith.shrsi
  // CHECK: %[[FLIPPED:.*]] = arith.xori %{{.*}}, %[[NEGATIVE]]
  // CHECK: arith.subi %[[FLIPPED]], %[[NEGATIVE]]
  %c = lowp.encode %x random(%r : vector<16xi32>) element = !lowp.s2f6 rule = <round = stochastic> : vector<16xf32> -> vector<16xi8>
  return %c : vector<16xi8>
}

// -----

// CHECK-LABEL: func.func @encode_saturate
func.func @encode_saturate(%x: vector<16xf32>, %r: vector<16xi32>) -> vector<8xi8> {
  // CHECK: arith.constant dense<4095> : vector<16xi32>
  // CHECK: arith.cmpf uno
  %c = lowp.encode %x random(%r : vector<16xi32>) element = f4E2M1FN rule = <round = stochastic, nonfinite = saturate, sr_bits = 12> : vector<16xf32> -> vector<8xi8>
  return %c : vector<8xi8>
}
