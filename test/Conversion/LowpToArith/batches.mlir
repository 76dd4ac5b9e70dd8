// RUN: lowp-opt %s --convert-lowp-to-arith --canonicalize --split-input-file | FileCheck %s

// The largest of each lane; as bf16 where elements were bf16.

// CHECK-LABEL: func.func @amax
// CHECK: arith.andi %{{.*}} : vector<4x16xi32>
// CHECK-COUNT-3: arith.maxui %{{.*}} : vector<16xi32>
// CHECK: arith.bitcast %{{.*}} : vector<16xi32> to vector<16xf32>
func.func @amax(%v: vector<4x16xf32>) -> vector<16xf32> {
  %a = lowp.block_amax %v : vector<4x16xf32>
  return %a : vector<16xf32>
}

// -----

// CHECK-LABEL: func.func @amax_bf16
// CHECK-NOT: arith.extf
// CHECK: arith.andi %{{.*}} : vector<3x16xi16>
// CHECK-COUNT-2: arith.maxui %{{.*}} : vector<16xi16>
// CHECK: arith.extui %{{.*}} : vector<16xi16> to vector<16xi32>
func.func @amax_bf16(%v: vector<3x16xbf16>) -> vector<16xf32> {
  %w = arith.extf %v : vector<3x16xbf16> to vector<3x16xf32>
  %a = lowp.block_amax %w : vector<3x16xf32>
  return %a : vector<16xf32>
}

// -----

// Codes of two elements of a block are packed, not those of two blocks.

// CHECK-LABEL: func.func @pack
// CHECK-DAG: %[[EVEN:.*]] = vector.extract %[[C:.*]][0]
// CHECK-DAG: %[[ODD:.*]] = vector.extract %[[C]][1]
// CHECK: arith.shli %{{.*}} : vector<1x16xi32>
// CHECK: arith.ori
// CHECK: arith.trunci %{{.*}} : vector<1x16xi32> to vector<1x16xi8>
func.func @pack(%v: vector<2x16xf32>) -> vector<1x16xi8> {
  %c = lowp.encode %v element = f4E2M1FN : vector<2x16xf32> -> vector<1x16xi8>
  return %c : vector<1x16xi8>
}

// -----

// CHECK-LABEL: func.func @error
// CHECK: vector.broadcast %{{.*}} : vector<16xf32> to vector<4x16xf32>
// CHECK: math.fma %{{.*}} : vector<2x16xf32>
// CHECK: arith.addf %{{.*}} : vector<16xf32>
func.func @error(%x: vector<4x16xf32>, %q: vector<4x16xf32>, %s: vector<16xf32>) -> vector<16xf32> {
  %e = lowp.block_error %x, %q, %s, %s format = <nvfp4> rule = <four_six = mse> : vector<4x16xf32>
  return %e : vector<16xf32>
}

// -----

// Both elements of a word, for all blocks.

// CHECK-LABEL: func.func @random_bits
// CHECK-DAG: arith.constant dense<{{.*}}> : vector<4x2xi32>
// CHECK: vector.shuffle %{{.*}}, %{{.*}} [0, 0, 0, 0] : vector<1x2xi32>, vector<1x2xi32>
// CHECK: arith.shrui %{{.*}} : vector<4x2xi32>
func.func @random_bits(%w: vector<1x2xi32>) -> vector<4x2xi32> {
  %r = lowp.random_bits %w bits = 16 : vector<1x2xi32> -> vector<4x2xi32>
  return %r : vector<4x2xi32>
}
