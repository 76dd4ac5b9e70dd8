// RUN: lowp-opt %s --convert-lowp-to-nvvm=chip=sm_90a --canonicalize | FileCheck %s --check-prefixes=CHECK,SOFT
// RUN: lowp-opt %s --convert-lowp-to-nvvm=chip=sm_100a --canonicalize | FileCheck %s --check-prefixes=CHECK,HARD
// RUN: lowp-opt %s --convert-lowp-to-nvvm=chip=sm_103a --canonicalize | FileCheck %s --check-prefixes=CHECK,HARD
// RUN: lowp-opt %s --convert-lowp-to-nvvm=chip=sm_120a --canonicalize | FileCheck %s --check-prefixes=CHECK,SOFT
// RUN: lowp-opt %s --convert-lowp-to-nvvm=chip=sm_90a --remarks-filter=convert-lowp-to-nvvm 2>&1 | FileCheck %s --check-prefix=REMARK

// A word of random bits serves four elements; the first one is the last operand.
// CHECK-LABEL: @e4m3
// SOFT-NOT: nvvm
// HARD-SAME: (%[[X:.*]]: vector<8xf32>, %[[W:.*]]: vector<2xi32>, %{{.*}}: i1)
// HARD: %[[WORD:.*]] = vector.extract %[[W]][0]
// HARD: %[[V0:.*]] = vector.extract %[[X]][0]
// HARD: %[[V1:.*]] = vector.extract %[[X]][1]
// HARD: %[[V2:.*]] = vector.extract %[[X]][2]
// HARD: %[[V3:.*]] = vector.extract %[[X]][3]
// HARD: %[[V:.*]] = vector.from_elements %[[V3]], %[[V2]], %[[V1]], %[[V0]] : vector<4xf32>
// HARD: nvvm.convert.f32x4.to.f8x4 %[[V]], %[[WORD]] : vector<4xf32> -> vector<4xi8>(f8E4M3FN)
// HARD: nvvm.convert.f32x4.to.f8x4
// HARD-NOT: arith.fptosi
// CHECK: return
// REMARK: 'lowp.encode' is emulated on sm_90a, which does not have 'cvt.rs.{e4m3x4,e5m2x4}.f32'; targets that have it: sm_100a, sm_103a
// REMARK: Emulated{{.*}}'cvt.rs.e2m1x4.f32'
// REMARK: Emulated{{.*}}'cvt.rs.{e2m3x4,e3m2x4}.f32'
func.func @e4m3(%v: vector<8xf32>, %w: vector<2xi32>, %ok: i1) -> vector<8xi8> {
  %r = lowp.random_bits %w bits = 16 : vector<2xi32> -> vector<8xi32>
  %c = lowp.encode %v valid(%ok) random(%r : vector<8xi32>) element = f8E4M3FN rule = <round = stochastic> : vector<8xf32> -> vector<8xi8>
  return %c : vector<8xi8>
}

// CHECK-LABEL: @e2m1
// SOFT-NOT: nvvm
// HARD: nvvm.convert.f32x4.to.f4x4 %{{.*}}, %{{.*}} : vector<4xf32> -> i16(f4E2M1FN)
// HARD: nvvm.convert.f32x4.to.f4x4
// HARD: arith.select %{{.*}}, %{{.*}}, %{{.*}} : vector<1xi32>
// CHECK: return
func.func @e2m1(%v: vector<8xf32>, %w: vector<2xi32>, %ok: i1) -> vector<4xi8> {
  %r = lowp.random_bits %w bits = 8 : vector<2xi32> -> vector<8xi32>
  %c = lowp.encode %v valid(%ok) random(%r : vector<8xi32>) element = f4E2M1FN rule = <round = stochastic> : vector<8xf32> -> vector<4xi8>
  return %c : vector<4xi8>
}

// The last word may serve fewer.
// CHECK-LABEL: @e3m2
// HARD: nvvm.convert.f32x4.to.f6x4 {{.*}}(f6E3M2FN)
// HARD: vector.extract_strided_slice {{.*}} : vector<4xi8> to vector<3xi8>
// CHECK: return
func.func @e3m2(%v: vector<3xf32>, %w: vector<1xi32>) -> vector<3xi8> {
  %r = lowp.random_bits %w bits = 16 : vector<1xi32> -> vector<3xi32>
  %c = lowp.encode %v random(%r : vector<3xi32>) element = f6E3M2FN rule = <round = stochastic> : vector<3xf32> -> vector<3xi8>
  return %c : vector<3xi8>
}

// No instruction splits words in these ways, or rounds to S2F6 stochastically.
// CHECK-LABEL: @others
// CHECK-NOT: nvvm
// REMARK-NOT: Emulated
// CHECK: return
func.func @others(%v: vector<4xf32>, %w: vector<2xi32>, %x: vector<1xi32>, %given: vector<4xi32>) -> (vector<4xi8>, vector<4xi8>, vector<4xi8>, vector<4xi8>) {
  %r = lowp.random_bits %w bits = 16 independent : vector<2xi32> -> vector<4xi32>
  %a = lowp.encode %v random(%r : vector<4xi32>) element = f8E4M3FN rule = <round = stochastic> : vector<4xf32> -> vector<4xi8>
  %s = lowp.random_bits %x bits = 8 : vector<1xi32> -> vector<4xi32>
  %b = lowp.encode %v random(%s : vector<4xi32>) element = f8E4M3FN rule = <round = stochastic, sr_bits = 8> : vector<4xf32> -> vector<4xi8>
  %c = lowp.encode %v random(%given : vector<4xi32>) element = f8E4M3FN rule = <round = stochastic> : vector<4xf32> -> vector<4xi8>
  %t = lowp.random_bits %x bits = 16 : vector<1xi32> -> vector<4xi32>
  %d = lowp.encode %v random(%t : vector<4xi32>) element = !lowp.s2f6 rule = <round = stochastic> : vector<4xf32> -> vector<4xi8>
  return %a, %b, %c, %d : vector<4xi8>, vector<4xi8>, vector<4xi8>, vector<4xi8>
}
