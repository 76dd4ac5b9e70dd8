// RUN: lowp-opt %s --convert-lowp-to-nvvm=chip=sm_80 --canonicalize | FileCheck %s --check-prefixes=CHECK,SM80
// RUN: lowp-opt %s --convert-lowp-to-nvvm=chip=sm_90a --canonicalize | FileCheck %s --check-prefixes=CHECK,SM90
// RUN: lowp-opt %s --convert-lowp-to-nvvm=chip=sm_100a --canonicalize | FileCheck %s --check-prefixes=CHECK,BW
// RUN: lowp-opt %s --convert-lowp-to-nvvm=chip=sm_103a --canonicalize | FileCheck %s --check-prefixes=CHECK,BW
// RUN: lowp-opt %s --convert-lowp-to-nvvm=chip=sm_120a --canonicalize | FileCheck %s --check-prefixes=CHECK,BW

// CHECK-LABEL: @decode_ue8m0
// SM80-NOT: {{nvvm|inline_asm}}
// SM90-NOT: {{nvvm|inline_asm}}
// BW: nvvm.convert.f8x2.to.bf16x2 %{{.*}} : vector<2xi8>(f8E8M0FNU) -> vector<2xbf16>
// CHECK: return
func.func @decode_ue8m0(%b: i8) -> f32 {
  %s = lowp.decode_scale %b type = f8E8M0FNU
  return %s : f32
}

// Bytes with the sign bit set are NaN.
// CHECK-LABEL: @decode_ue4m3
// SM80-NOT: {{nvvm|inline_asm}}
// SM90: arith.minui
// SM90: nvvm.convert.f8x2.to.f16x2
// BW: arith.minui
// BW: nvvm.convert.f8x2.to.f16x2
// CHECK: return
func.func @decode_ue4m3(%b: i8) -> f32 {
  %s = lowp.decode_scale %b type = f8E4M3FN
  return %s : f32
}

// The product with 1/448, rounded down, rounded up.
// CHECK-LABEL: @ue8m0_rceil
// SM80-NOT: {{nvvm|inline_asm}}
// SM90-NOT: {{nvvm|inline_asm}}
// BW-DAG: %[[C:.*]] = arith.constant 0.00223214272 : f32
// BW: %[[Y:.*]] = llvm.inline_asm asm_dialect = att "mul.rp.f32 $0, $1, $2;", "=f,f,f" %{{.*}}, %[[C]]
// BW: nvvm.convert.f32x2.to.f8x2 %{{.*}}, %[[Y]] {rnd = #nvvm.fp_rnd_mode<rp>, sat = #nvvm.sat_mode<satfinite>} : i16(f8E8M0FNU)
// CHECK: return
func.func @ue8m0_rceil(%a: f32) -> (i8, f32) {
  %s, %f = lowp.block_scale %a format = <mxfp8_e4m3> : i8
  return %s, %f : i8, f32
}

// CHECK-LABEL: @ue8m0_floor
// BW: "mul.rz.f32 $0, $1, $2;"
// BW: nvvm.convert.f32x2.to.f8x2 {{.*}} {rnd = #nvvm.fp_rnd_mode<rz>, sat = #nvvm.sat_mode<satfinite>} : i16(f8E8M0FNU)
// CHECK: return
func.func @ue8m0_floor(%a: f32) -> (i8, f32) {
  %s, %f = lowp.block_scale %a format = <mxfp8_e4m3> rule = <scale = floor> : i8
  return %s, %f : i8, f32
}

// No instruction rounds to even.
// CHECK-LABEL: @ue8m0_even
// BW-NOT: {{nvvm|inline_asm}}
// CHECK: return
func.func @ue8m0_even(%a: f32) -> (i8, f32) {
  %s, %f = lowp.block_scale %a format = <mxfp8_e4m3> rule = <scale = even> : i8
  return %s, %f : i8, f32
}

// CHECK-LABEL: @ue4m3
// SM80-NOT: {{nvvm|inline_asm}}
// SM90: nvvm.convert.f32x2.to.f8x2 {{.*}} : i16(f8E4M3FN)
// SM90: nvvm.convert.f8x2.to.f16x2
// BW: nvvm.convert.f32x2.to.f8x2 {{.*}} : i16(f8E4M3FN)
// BW: nvvm.convert.f8x2.to.f16x2
// CHECK: return
func.func @ue4m3(%a: f32, %enc: f32, %dec: f32) -> (i8, f32) {
  %s, %f = lowp.block_scale %a outer(%enc, %dec) format = <nvfp4> : i8
  return %s, %f : i8, f32
}
