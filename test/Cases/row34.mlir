// RUN: lowp-opt %s --cse | FileCheck %s

// Stochastic rounding is a function of its operands and its stream: two equal
// ones are one, and those of two streams are two.

// CHECK-LABEL: func.func @row34
// CHECK-COUNT-2: lowp.quantize
// CHECK-NOT: lowp.quantize
!blocked = !lowp.blocked<4x64xmxfp8_e4m3, block = [1, 32]>
func.func @row34(%x: tensor<4x64xf32>, %seed: i64, %step: i32) -> (!blocked, !blocked, !blocked) {
  %0 = lowp.quantize %x seed(%seed, %step) {rule = #lowp.rule<round = stochastic>, stream = 1 : i32} : tensor<4x64xf32> -> !blocked
  %1 = lowp.quantize %x seed(%seed, %step) {rule = #lowp.rule<round = stochastic>, stream = 1 : i32} : tensor<4x64xf32> -> !blocked
  %2 = lowp.quantize %x seed(%seed, %step) {rule = #lowp.rule<round = stochastic>, stream = 2 : i32} : tensor<4x64xf32> -> !blocked
  return %0, %1, %2 : !blocked, !blocked, !blocked
}
