// RUN: lowp-opt %s --lowp-decompose --canonicalize --cse --split-input-file | FileCheck %s

// A block of 32 is two groups of 16: one Philox for both, no selection.

// CHECK-LABEL: func @mxfp8
// CHECK-SAME: (%[[X:.*]]: tensor<?x80xf32>, %[[SEED:.*]]: i64, %[[STEP:.*]]: i32)
func.func @mxfp8(%x: tensor<?x80xf32>, %seed: i64, %step: i32) -> !lowp.blocked<?x80xmxfp8_e4m3, block = [1, 32]> {
  // CHECK-DAG: %[[STREAM:.*]] = arith.constant 3 : i32
  // CHECK-DAG: %[[GROUPS:.*]] = arith.constant dense<[0, 1]> : vector<2xi64>
  // CHECK-DAG: %[[PER_ROW:.*]] = arith.constant 5 : index
  // CHECK-DAG: %[[C16:.*]] = arith.constant 16 : index
  // CHECK: scf.forall (%[[ROW:.*]], %[[BLOCK:.*]]) in
  // CHECK-DAG: %[[FIRST_OF_ROW:.*]] = arith.muli %[[ROW]], %[[PER_ROW]]
  // CHECK-DAG: %[[GROUP:.*]] = arith.divui %{{.*}}, %[[C16]]
  // CHECK: %[[FIRST:.*]] = arith.addi %[[FIRST_OF_ROW]], %[[GROUP]]
  // CHECK: %[[I64:.*]] = arith.index_cast %[[FIRST]] : index to i64
  // CHECK: %[[G:.*]] = arith.addi %{{.*}}, %[[GROUPS]] : vector<2xi64>
  // CHECK: lowp.philox %[[SEED]], %[[STEP]], %[[STREAM]], %[[G]] : vector<2xi64>
  // CHECK: %[[BITS:.*]] = lowp.random_bits %{{.*}} bits = 16 : vector<8xi32> -> vector<32xi32>
  // CHECK-NOT: arith.select %{{.*}} : vector
  // CHECK: lowp.encode %{{.*}} valid(%{{.*}}) random(%[[BITS]] : vector<32xi32>) element = f8E4M3FN rule = <round = stochastic>
  %q = lowp.quantize %x seed(%seed, %step) {rule = #lowp.rule<round = stochastic>, stream = 3 : i32} : tensor<?x80xf32> -> !lowp.blocked<?x80xmxfp8_e4m3, block = [1, 32]>
  return %q : !lowp.blocked<?x80xmxfp8_e4m3, block = [1, 32]>
}

// -----

// Half a group: its words are chosen.

// CHECK-LABEL: func @half
func.func @half(%x: tensor<4x32xf32>, %seed: i64, %step: i32) -> !lowp.blocked<4x32xmxfp4, block = [1, 8]> {
  // CHECK: lowp.philox %{{.*}} rounds = 7 : i64
  // CHECK: %[[WORDS:.*]] = arith.select %{{.*}}, %{{.*}}, %{{.*}} : vector<2xi32>
  // CHECK: lowp.random_bits %[[WORDS]] bits = 8 : vector<2xi32> -> vector<8xi32>
  %q = lowp.quantize %x seed(%seed, %step) {rule = #lowp.rule<round = stochastic, rounds = 7>, stream = 0 : i32} : tensor<4x32xf32> -> !lowp.blocked<4x32xmxfp4, block = [1, 8]>
  return %q : !lowp.blocked<4x32xmxfp4, block = [1, 8]>
}

// A block of 6 may lie in two groups: its bits are shifted out of both.

// CHECK-LABEL: func @straddling
func.func @straddling(%x: tensor<4x32xf32>, %seed: i64, %step: i32) -> !lowp.blocked<4x32xmxfp8_e4m3, block = [1, 6]> {
  // CHECK: lowp.philox %{{.*}} : vector<2xi64>
  // CHECK: lowp.random_bits %{{.*}} bits = 16 : vector<8xi32> -> vector<32xi32>
  // CHECK-COUNT-3: arith.select %{{.*}} : vector<
  // CHECK: lowp.encode %{{.*}} random(%{{.*}} : vector<6xi32>)
  %q = lowp.quantize %x seed(%seed, %step) {rule = #lowp.rule<round = stochastic>, stream = 0 : i32} : tensor<4x32xf32> -> !lowp.blocked<4x32xmxfp8_e4m3, block = [1, 6]>
  return %q : !lowp.blocked<4x32xmxfp8_e4m3, block = [1, 6]>
}

// -----

// The groups of a requantisation are those of its result: dim 0 of the result,
// of 64 elements in 8 groups of 8, is dim 1 of the source.

// CHECK-LABEL: func @requantize
func.func @requantize(%q: !lowp.blocked<32x64xmxfp8_e4m3, block = [1, 32]>, %seed: i64, %step: i32) -> !lowp.blocked<64x32xmxfp8_e5m2, block = [32, 1]> {
  // CHECK-DAG: %[[C8:.*]] = arith.constant 8 : index
  // CHECK: lowp.decode
  // CHECK: scf.forall (%[[BLOCK:.*]], %[[COLUMN:.*]]) in (2, 32)
  // CHECK: arith.muli %[[COLUMN]], %[[C8]]
  // CHECK: lowp.philox {{.*}} independent : vector<4xi64>
  // CHECK: lowp.random_bits %{{.*}} bits = 16 independent : vector<16xi32> -> vector<32xi32>
  %r = lowp.requantize %q seed(%seed, %step) permutation = [1, 0] {rule = #lowp.rule<round = stochastic, bits = independent>, stream = 1 : i32}
     : !lowp.blocked<32x64xmxfp8_e4m3, block = [1, 32]> -> !lowp.blocked<64x32xmxfp8_e5m2, block = [32, 1]>
  return %r : !lowp.blocked<64x32xmxfp8_e5m2, block = [32, 1]>
}
