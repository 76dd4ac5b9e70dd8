// REQUIRES: ptxas
// RUN: lowp-compile %s --target=sm_80 --emit=ptx -o %t.80.ptx
// RUN: FileCheck %s -DVERSION=7.0 --implicit-check-not=cvt.rs < %t.80.ptx
// RUN: %ptxas -arch=sm_80 -o %t.cubin %t.80.ptx
// RUN: lowp-compile %s --target=sm_90a --emit=ptx -o %t.90.ptx
// RUN: FileCheck %s -DVERSION=8.0 --implicit-check-not=cvt.rs < %t.90.ptx
// RUN: %ptxas -arch=sm_90a -o %t.cubin %t.90.ptx
// RUN: lowp-compile %s --target=sm_100a --emit=ptx -o %t.100.ptx
// RUN: FileCheck %s --check-prefixes=CHECK,RS -DVERSION=8.7 < %t.100.ptx
// RUN: %ptxas -arch=sm_100a -o %t.cubin %t.100.ptx
// RUN: lowp-compile %s --target=sm_103a --emit=ptx -o %t.103.ptx
// RUN: FileCheck %s --check-prefixes=CHECK,RS -DVERSION=8.8 < %t.103.ptx
// RUN: %ptxas -arch=sm_103a -o %t.cubin %t.103.ptx
// RUN: lowp-compile %s --target=sm_120a --emit=ptx -o %t.120.ptx
// RUN: FileCheck %s -DVERSION=8.7 --implicit-check-not=cvt.rs < %t.120.ptx
// RUN: %ptxas -arch=sm_120a -o %t.cubin %t.120.ptx
// RUN: lowp-compile %s --target=sm_120a --emit=ptx -o %t.120.ptx --remarks-filter=convert-lowp-to-nvvm 2>&1 | FileCheck %s --check-prefix=REMARK

// The step is an argument of the kernels, after the buffers; the seed is in
// them.
// REMARK: 'lowp.encode' is emulated on sm_120a, which does not have 'cvt.rs.{e4m3x4,e5m2x4}.f32'; targets that have it: sm_100a, sm_103a

// CHECK: .version [[VERSION]]{{$}}
// CHECK: .entry mxfp8_quantize(
// CHECK: .param .u32 mxfp8_quantize_param_
// CHECK: mul.{{hi|wide}}.u32 {{.*}}, -766435501;
// RS-COUNT-8: cvt.rs.satfinite.e4m3x4.f32
func.func @mxfp8(%x: tensor<?x4096xbf16>) -> !lowp.blocked<?x4096xmxfp8_e4m3, block = [1, 32]> {
  %q = lowp.quantize %x {rule = #lowp.rule<round = stochastic>} : tensor<?x4096xbf16> -> !lowp.blocked<?x4096xmxfp8_e4m3, block = [1, 32]>
  return %q : !lowp.blocked<?x4096xmxfp8_e4m3, block = [1, 32]>
}

// CHECK: .entry nvfp4_quantize(
// RS-COUNT-4: cvt.rs.satfinite.e2m1x4.f32
func.func @nvfp4(%x: tensor<?x40xbf16>) -> !lowp.blocked<?x40xnvfp4, block = [1, 16], outer = [0]> {
  %q = lowp.quantize %x {rule = #lowp.rule<round = stochastic, sf_round = up>} : tensor<?x40xbf16> -> !lowp.blocked<?x40xnvfp4, block = [1, 16], outer = [0]>
  return %q : !lowp.blocked<?x40xnvfp4, block = [1, 16], outer = [0]>
}

// CHECK: .entry mxfp6_quantize(
// RS-COUNT-8: cvt.rs.satfinite.e3m2x4.f32
func.func @mxfp6(%x: tensor<64x?xf32>) -> !lowp.blocked<64x?xmxfp6_e3m2, block = [32, 1]> {
  %q = lowp.quantize %x {rule = #lowp.rule<round = stochastic>} : tensor<64x?xf32> -> !lowp.blocked<64x?xmxfp6_e3m2, block = [32, 1]>
  return %q : !lowp.blocked<64x?xmxfp6_e3m2, block = [32, 1]>
}

// In software everywhere: a type without an instruction, bits that no
// instruction takes, and blocks that do not fit the groups.
// CHECK: .entry others_quantize(
func.func @others(%x: tensor<?x48xf32>) -> (!lowp.blocked<?x48xmxs2f6, block = [1, 32]>, !lowp.blocked<?x48xmxfp8_e5m2, block = [1, 32]>, !lowp.blocked<?x48xmxfp4, block = [1, 6]>) {
  %s = lowp.quantize %x {rule = #lowp.rule<round = stochastic>} : tensor<?x48xf32> -> !lowp.blocked<?x48xmxs2f6, block = [1, 32]>
  %i = lowp.quantize %x {rule = #lowp.rule<round = stochastic, bits = independent>} : tensor<?x48xf32> -> !lowp.blocked<?x48xmxfp8_e5m2, block = [1, 32]>
  %f = lowp.quantize %x {rule = #lowp.rule<round = stochastic>} : tensor<?x48xf32> -> !lowp.blocked<?x48xmxfp4, block = [1, 6]>
  return %s, %i, %f : !lowp.blocked<?x48xmxs2f6, block = [1, 32]>, !lowp.blocked<?x48xmxfp8_e5m2, block = [1, 32]>, !lowp.blocked<?x48xmxfp4, block = [1, 6]>
}

// CHECK: .entry requantize_requantize
func.func @requantize(%q: !lowp.blocked<?x64xnvfp4, block = [1, 16], outer = [0]>) -> !lowp.blocked<64x?xmxfp8_e4m3, block = [1, 32]> {
  %t = lowp.requantize %q permutation = [1, 0] outer = fold {rule = #lowp.rule<round = stochastic>} : !lowp.blocked<?x64xnvfp4, block = [1, 16], outer = [0]> -> !lowp.blocked<64x?xmxfp8_e4m3, block = [1, 32]>
  return %t : !lowp.blocked<64x?xmxfp8_e4m3, block = [1, 32]>
}
