// RUN: lowp-opt %s --convert-lowp-to-x86 | FileCheck %s

// CHECK-LABEL: func.func @words
// CHECK-SAME: (%[[W:.*]]: vector<16xi32>, %[[S:.*]]: vector<16xi32>)
// CHECK-DAG: %[[F:.*]] = arith.constant dense<[1024, -3, 1024, -3, {{.*}}]> : vector<32xi16>
// CHECK-DAG: %[[P:.*]] = vector.bitcast %[[W]] : vector<16xi32> to vector<32xi16>
// CHECK: %[[R:.*]] = llvm.call_intrinsic "llvm.x86.avx512.vpdpwssd.512"(%[[S]], %[[P]], %[[F]])
// CHECK-SAME: (vector<16xi32>, vector<32xi16>, vector<32xi16>) -> vector<16xi32>
// CHECK: return %[[R]]
func.func @words(%w: vector<16xi32>, %s: vector<16xi32>) -> vector<16xi32> {
  %r = lowp.dot_pairs %w by 1024, -3 plus %s : vector<16xi32>
  return %r : vector<16xi32>
}

// No instruction takes these: the generic expansion does.
// CHECK-LABEL: func.func @others
// CHECK: lowp.dot_pairs %{{.*}} : vector<8xi32>
// CHECK: lowp.dot_pairs %{{.*}} : vector<2x16xi32>
func.func @others(%w: vector<8xi32>, %v: vector<2x16xi32>) -> (vector<8xi32>, vector<2x16xi32>) {
  %r = lowp.dot_pairs %w by 1, 2 plus %w : vector<8xi32>
  %s = lowp.dot_pairs %v by 1, 2 plus %v : vector<2x16xi32>
  return %r, %s : vector<8xi32>, vector<2x16xi32>
}
