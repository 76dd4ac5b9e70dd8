// RUN: lowp-opt %s --convert-lowp-to-nvvm=chip=sm_80 --canonicalize | FileCheck %s --check-prefixes=CHECK,SM80
// RUN: lowp-opt %s --convert-lowp-to-nvvm=chip=sm_90a --canonicalize | FileCheck %s --check-prefixes=CHECK,SM90
// RUN: lowp-opt %s --convert-lowp-to-nvvm=chip=sm_100a --canonicalize | FileCheck %s --check-prefixes=CHECK,BW
// RUN: lowp-opt %s --convert-lowp-to-nvvm=chip=sm_103a --canonicalize | FileCheck %s --check-prefixes=CHECK,BW
// RUN: lowp-opt %s --convert-lowp-to-nvvm=chip=sm_120a --canonicalize | FileCheck %s --check-prefixes=CHECK,BW

// CHECK-LABEL: @e2m1
// SM80-NOT: {{nvvm|inline_asm}}
// SM90-NOT: {{nvvm|inline_asm}}
// BW: %[[PAIR:.*]] = nvvm.convert.f4x2.to.f16x2 %{{.*}} : i8(f4E2M1FN) -> vector<2xf16>
// BW: arith.extf
// CHECK: return
func.func @e2m1(%c: vector<8xi8>) -> vector<16xf32> {
  %v = lowp.decode %c element = f4E2M1FN : vector<8xi8> -> vector<16xf32>
  return %v : vector<16xf32>
}

// CHECK-LABEL: @e2m1_unpacked
// BW-COUNT-3: nvvm.convert.f4x2.to.f16x2
// CHECK: return
func.func @e2m1_unpacked(%c: vector<5xi8>) -> vector<5xf32> {
  %v = lowp.decode %c element = f4E2M1FN : vector<5xi8> -> vector<5xf32>
  return %v : vector<5xf32>
}

// CHECK-LABEL: @e4m3
// SM80-NOT: {{nvvm|inline_asm}}
// SM90-COUNT-2: nvvm.convert.f8x2.to.f16x2 %{{.*}} : vector<2xi8>(f8E4M3FN) -> vector<2xf16>
// BW-COUNT-2: nvvm.convert.f8x2.to.f16x2 %{{.*}} : vector<2xi8>(f8E4M3FN) -> vector<2xf16>
// CHECK: return
func.func @e4m3(%c: vector<3xi8>) -> vector<3xf32> {
  %v = lowp.decode %c element = f8E4M3FN : vector<3xi8> -> vector<3xf32>
  return %v : vector<3xf32>
}

// CHECK-LABEL: @e3m2
// SM90-NOT: {{nvvm|inline_asm}}
// BW: nvvm.convert.f6x2.to.f16x2 %{{.*}} : vector<2xi8>(f6E3M2FN) -> vector<2xf16>
// CHECK: return
func.func @e3m2(%c: vector<2xi8>) -> vector<2xf32> {
  %v = lowp.decode %c element = f6E3M2FN : vector<2xi8> -> vector<2xf32>
  return %v : vector<2xf32>
}

// CHECK-LABEL: @s2f6
// SM80-NOT: {{nvvm|inline_asm}}
// SM90-NOT: {{nvvm|inline_asm}}
// BW: %[[WORD:.*]] = llvm.inline_asm asm_dialect = att "cvt.rn.bf16x2.s2f6x2 $0, $1;", "=r,h" %{{.*}} : (i16) -> i32
// BW: arith.shli %[[WORD]]
// BW: arith.andi %[[WORD]]
// CHECK: return
func.func @s2f6(%c: vector<2xi8>) -> vector<2xf32> {
  %v = lowp.decode %c element = !lowp.s2f6 : vector<2xi8> -> vector<2xf32>
  return %v : vector<2xf32>
}
