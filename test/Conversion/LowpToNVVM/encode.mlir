// RUN: lowp-opt %s --convert-lowp-to-nvvm=chip=sm_80 --canonicalize | FileCheck %s --check-prefixes=CHECK,SM80
// RUN: lowp-opt %s --convert-lowp-to-nvvm=chip=sm_90a --canonicalize | FileCheck %s --check-prefixes=CHECK,SM90
// RUN: lowp-opt %s --convert-lowp-to-nvvm=chip=sm_100a --canonicalize | FileCheck %s --check-prefixes=CHECK,BW
// RUN: lowp-opt %s --convert-lowp-to-nvvm=chip=sm_103a --canonicalize | FileCheck %s --check-prefixes=CHECK,BW
// RUN: lowp-opt %s --convert-lowp-to-nvvm=chip=sm_120a --canonicalize | FileCheck %s --check-prefixes=CHECK,BW

// CHECK-LABEL: @e2m1
// SM80-NOT: {{nvvm|inline_asm}}
// SM90-NOT: {{nvvm|inline_asm}}
// One piece of assembly for eight codes; the first element in the low half.
// BW-COUNT-2: llvm.inline_asm asm_dialect = att "{{.*}}cvt.rn.satfinite.e2m1x2.f32 b0, $2, $1;{{.*}}mov.b32 $0, {b0, b1, b2, b3};{{.*}}", "=r,f,f,f,f,f,f,f,f"
// BW: arith.select %{{.*}}, %{{.*}}, %{{.*}} : vector<2xi32>
// CHECK: return
func.func @e2m1(%v: vector<16xf32>, %ok: i1) -> vector<8xi8> {
  %c = lowp.encode %v valid(%ok) element = f4E2M1FN : vector<16xf32> -> vector<8xi8>
  return %c : vector<8xi8>
}

// Other sizes are completed by zeros.
// CHECK-LABEL: @e2m1_unpacked
// BW-COUNT-1: llvm.inline_asm
// BW: vector.extract_strided_slice {{.*}} : vector<8xi8> to vector<5xi8>
// CHECK: return
func.func @e2m1_unpacked(%v: vector<5xf32>) -> vector<5xi8> {
  %c = lowp.encode %v element = f4E2M1FN : vector<5xf32> -> vector<5xi8>
  return %c : vector<5xi8>
}

// CHECK-LABEL: @e4m3
// SM80-NOT: {{nvvm|inline_asm}}
// SM90: %[[LOW:.*]] = vector.extract %{{.*}}[0]
// SM90: %[[HIGH:.*]] = vector.extract %{{.*}}[1]
// SM90: nvvm.convert.f32x2.to.f8x2 %[[HIGH]], %[[LOW]] {rnd = #nvvm.fp_rnd_mode<rn>, sat = #nvvm.sat_mode<satfinite>} : i16(f8E4M3FN)
// BW: nvvm.convert.f32x2.to.f8x2 {{.*}}(f8E4M3FN)
// CHECK: return
func.func @e4m3(%v: vector<4xf32>, %ok: i1) -> vector<4xi8> {
  %c = lowp.encode %v valid(%ok) element = f8E4M3FN : vector<4xf32> -> vector<4xi8>
  return %c : vector<4xi8>
}

// CHECK-LABEL: @e5m2
// SM80-NOT: {{nvvm|inline_asm}}
// SM90: nvvm.convert.f32x2.to.f8x2 {{.*}}(f8E5M2)
// BW: nvvm.convert.f32x2.to.f8x2 {{.*}}(f8E5M2)
// CHECK: return
func.func @e5m2(%v: vector<3xf32>) -> vector<3xi8> {
  %c = lowp.encode %v element = f8E5M2 : vector<3xf32> -> vector<3xi8>
  return %c : vector<3xi8>
}

// CHECK-LABEL: @e2m3
// SM80-NOT: {{nvvm|inline_asm}}
// SM90-NOT: {{nvvm|inline_asm}}
// BW: nvvm.convert.f32x2.to.f6x2 {{.*}} : i16(f6E2M3FN)
// CHECK: return
func.func @e2m3(%v: vector<2xf32>) -> vector<2xi8> {
  %c = lowp.encode %v element = f6E2M3FN : vector<2xf32> -> vector<2xi8>
  return %c : vector<2xi8>
}

// CHECK-LABEL: @e3m2
// SM90-NOT: {{nvvm|inline_asm}}
// BW: nvvm.convert.f32x2.to.f6x2 {{.*}} : i16(f6E3M2FN)
// CHECK: return
func.func @e3m2(%v: vector<2xf32>) -> vector<2xi8> {
  %c = lowp.encode %v element = f6E3M2FN : vector<2xf32> -> vector<2xi8>
  return %c : vector<2xi8>
}

// The lower bound of the instruction is not documented: values are held at
// -127/64 first.
// CHECK-LABEL: @s2f6
// SM80-NOT: {{nvvm|inline_asm}}
// SM90-NOT: {{nvvm|inline_asm}}
// BW: %[[MIN:.*]] = arith.constant dense<-1.984375> : vector<2xf32>
// BW: %[[HELD:.*]] = arith.maximumf %{{.*}}, %[[MIN]]
// BW: %[[LOW:.*]] = vector.extract %[[HELD]][0]
// BW: %[[HIGH:.*]] = vector.extract %[[HELD]][1]
// BW: llvm.inline_asm asm_dialect = att "cvt.rn.satfinite.s2f6x2.f32 $0, $1, $2;", "=h,f,f" %[[HIGH]], %[[LOW]] : (f32, f32) -> i16
// CHECK: return
func.func @s2f6(%v: vector<2xf32>) -> vector<2xi8> {
  %c = lowp.encode %v element = !lowp.s2f6 : vector<2xf32> -> vector<2xi8>
  return %c : vector<2xi8>
}

// An exact -0 is dropped before the conversion.
// CHECK-LABEL: @drop_negative_zero
// BW: arith.addf %{{.*}}, %{{.*}} : vector<2xf32>
// BW: nvvm.convert.f32x2.to.f8x2
// CHECK: return
func.func @drop_negative_zero(%v: vector<2xf32>) -> vector<2xi8> {
  %c = lowp.encode %v element = f8E4M3FN rule = <neg_zero = drop> : vector<2xf32> -> vector<2xi8>
  return %c : vector<2xi8>
}
