// RUN: lowp-opt %s --convert-lowp-to-nvvm=chip=sm_90a --remarks-filter=convert-lowp-to-nvvm --verify-diagnostics

func.func @f(%v: vector<16xf32>) -> (vector<8xi8>, vector<16xi8>) {
  // expected-remark@+1 {{'lowp.encode' is emulated on sm_90a, which does not have 'cvt.rn.e2m1x2.f32'; targets that have it: sm_100a, sm_103a, sm_120a}}
  %c = lowp.encode %v element = f4E2M1FN : vector<16xf32> -> vector<8xi8>
  // In hardware: no remark.
  %d = lowp.encode %v element = f8E4M3FN : vector<16xf32> -> vector<16xi8>
  return %c, %d : vector<8xi8>, vector<16xi8>
}
