// RUN: lowp-opt %s --convert-lowp-to-arith --canonicalize | FileCheck %s

// Both halves are signed.
// CHECK-LABEL: func.func @dot_pairs
// CHECK-SAME: (%[[W:.*]]: vector<4x8xi32>, %[[S:.*]]: vector<4x8xi32>)
// CHECK-DAG: %[[HALF:.*]] = arith.constant dense<16> : vector<4x8xi32>
// CHECK-DAG: %[[LOW:.*]] = arith.constant dense<1024> : vector<4x8xi32>
// CHECK-DAG: %[[HIGH:.*]] = arith.constant dense<-3> : vector<4x8xi32>
// CHECK: %[[UP:.*]] = arith.shli %[[W]], %[[HALF]]
// CHECK: %[[FIRST:.*]] = arith.shrsi %[[UP]], %[[HALF]]
// CHECK: %[[LOWS:.*]] = arith.muli %[[FIRST]], %[[LOW]]
// CHECK: %[[SECOND:.*]] = arith.shrsi %[[W]], %[[HALF]]
// CHECK: %[[HIGHS:.*]] = arith.muli %[[SECOND]], %[[HIGH]]
// CHECK: %[[SUM:.*]] = arith.addi %[[S]], %[[LOWS]]
// CHECK: %[[R:.*]] = arith.addi %[[SUM]], %[[HIGHS]]
// CHECK: return %[[R]]
func.func @dot_pairs(%w: vector<4x8xi32>, %s: vector<4x8xi32>) -> vector<4x8xi32> {
  %r = lowp.dot_pairs %w by 1024, -3 plus %s : vector<4x8xi32>
  return %r : vector<4x8xi32>
}
