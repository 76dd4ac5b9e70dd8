// RUN: lowp-compile %s --target=sm_100a --emit=ptx | FileCheck %s
// RUN: lowp-compile %s --target=sm_90a --emit=ptx --remarks-filter=convert-lowp-to-nvvm -o %t.ptx 2>&1 | FileCheck %s --check-prefix=REMARK
// RUN: FileCheck %s --check-prefix=SOFT --implicit-check-not=cvt.rs < %t.ptx

// Stochastic rounding is an operation; a target without the instruction takes
// the software form, which has the same bits, and says so.

// CHECK: cvt.rs.satfinite.e4m3x4.f32
// REMARK: 'lowp.encode' is emulated on sm_90a, which does not have 'cvt.rs
// SOFT: .target sm_90a
func.func @row37(%x: tensor<?x64xf32>) -> !lowp.blocked<?x64xmxfp8_e4m3, block = [1, 32]> {
  %q = lowp.quantize %x {rule = #lowp.rule<round = stochastic>} : tensor<?x64xf32> -> !lowp.blocked<?x64xmxfp8_e4m3, block = [1, 32]>
  return %q : !lowp.blocked<?x64xmxfp8_e4m3, block = [1, 32]>
}
