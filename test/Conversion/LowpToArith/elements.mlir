// RUN: lowp-opt %s --convert-lowp-to-arith --canonicalize --split-input-file | FileCheck %s

// Sixteen values take one rounding addition, whatever they are, and no branch.

// CHECK-LABEL: func.func @encode_e2m1
// CHECK-SAME: (%[[X:.*]]: vector<16xf32>, %[[VALID:.*]]: i1)
func.func @encode_e2m1(%x: vector<16xf32>, %valid: i1) -> vector<8xi8> {
  // The magnitude, clamped to 6.
  // CHECK: arith.andi
  // CHECK: %[[CLAMPED:.*]] = arith.minui %{{.*}} : vector<16xi32>
  // CHECK: arith.maxui %{{.*}} : vector<16xi32>
  // CHECK: %[[MAGIC:.*]] = arith.mulf %{{.*}} fastmath<contract> : vector<16xf32>
  // CHECK: %[[SUM:.*]] = arith.addf %{{.*}}, %[[MAGIC]] fastmath<contract> : vector<16xf32>
  // Pairs of codes share a byte.
  // CHECK: vector.bitcast %{{.*}} : vector<16xi8> to vector<8xi16>
  // CHECK: %[[PACKED:.*]] = arith.trunci %{{.*}} : vector<8xi16> to vector<8xi8>
  // CHECK: %[[MASK:.*]] = arith.extsi %[[VALID]] : i1 to i8
  // CHECK: %[[MASKS:.*]] = vector.broadcast %[[MASK]]
  // CHECK: %[[CODES:.*]] = arith.andi %[[PACKED]], %[[MASKS]]
  // CHECK: return %[[CODES]]
  %c = lowp.encode %x valid(%valid) element = f4E2M1FN : vector<16xf32> -> vector<8xi8>
  return %c : vector<8xi8>
}

// -----

// CHECK-LABEL: func.func @encode_s2f6
func.func @encode_s2f6(%x: vector<32xf32>) -> vector<32xi8> {
  // CHECK: arith.cmpf olt
  // CHECK: arith.cmpf ogt
  // CHECK: %[[SUM:.*]] = arith.addf
  // CHECK: %[[BITS:.*]] = arith.bitcast %[[SUM]]
  // CHECK: %[[CODES:.*]] = arith.trunci %[[BITS]]
  // CHECK: return %[[CODES]]
  %c = lowp.encode %x element = !lowp.s2f6 : vector<32xf32> -> vector<32xi8>
  return %c : vector<32xi8>
}

// -----

// A NaN can reach an element only where the rule keeps one.

// CHECK-LABEL: func.func @encode_saturate
func.func @encode_saturate(%x: vector<32xf32>) -> vector<32xi8> {
  // CHECK: arith.cmpf uno
  %c = lowp.encode %x element = f8E4M3FN rule = <nonfinite = saturate> : vector<32xf32> -> vector<32xi8>
  return %c : vector<32xi8>
}

// -----

// CHECK-LABEL: func.func @encode_propagate
func.func @encode_propagate(%x: vector<32xf32>) -> vector<32xi8> {
  // CHECK-NOT: arith.cmpf
  %c = lowp.encode %x element = f8E4M3FN : vector<32xf32> -> vector<32xi8>
  return %c : vector<32xi8>
}

// -----

// CHECK-LABEL: func.func @decode_e2m1
func.func @decode_e2m1(%c: vector<8xi8>) -> vector<16xf32> {
  // CHECK: arith.extui %{{.*}} : vector<8xi8> to vector<8xi16>
  // CHECK: vector.bitcast %{{.*}} : vector<8xi16> to vector<16xi8>
  // CHECK-NOT: arith.mulf
  %x = lowp.decode %c element = f4E2M1FN : vector<8xi8> -> vector<16xf32>
  return %x : vector<16xf32>
}
