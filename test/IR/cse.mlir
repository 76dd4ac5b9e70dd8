// RUN: lowp-opt %s --cse | FileCheck %s

// Stochastic rounding is a function of its operands: equal ops are one, ops of
// other streams or steps are not. What nobody reads goes.

// CHECK-LABEL: func.func @streams
func.func @streams(%x: tensor<4x64xf32>, %seed: i64, %step: i32, %other: i32) -> (tensor<4x64xf32>, tensor<4x64xf32>, tensor<4x64xf32>, tensor<4x64xf32>) {
  // CHECK: %[[A:.*]] = lowp.quantize {{.*}}stream = 1
  // CHECK-NEXT: %[[B:.*]] = lowp.quantize {{.*}}stream = 2
  // CHECK-NEXT: %[[C:.*]] = lowp.quantize {{.*}}stream = 1
  // CHECK-NOT: lowp.quantize
  %0 = lowp.quantize %x seed(%seed, %step) {rule = #lowp.rule<round = stochastic>, stream = 1 : i32} : tensor<4x64xf32> -> !lowp.blocked<4x64xmxfp4, block = [1, 32]>
  %1 = lowp.quantize %x seed(%seed, %step) {rule = #lowp.rule<round = stochastic>, stream = 1 : i32} : tensor<4x64xf32> -> !lowp.blocked<4x64xmxfp4, block = [1, 32]>
  %2 = lowp.quantize %x seed(%seed, %step) {rule = #lowp.rule<round = stochastic>, stream = 2 : i32} : tensor<4x64xf32> -> !lowp.blocked<4x64xmxfp4, block = [1, 32]>
  %3 = lowp.quantize %x seed(%seed, %other) {rule = #lowp.rule<round = stochastic>, stream = 1 : i32} : tensor<4x64xf32> -> !lowp.blocked<4x64xmxfp4, block = [1, 32]>
  %unused = lowp.quantize %x : tensor<4x64xf32> -> !lowp.blocked<4x64xmxfp4, block = [1, 32]>
  %4 = lowp.dequantize %0 : !lowp.blocked<4x64xmxfp4, block = [1, 32]> -> tensor<4x64xf32>
  %5 = lowp.dequantize %1 : !lowp.blocked<4x64xmxfp4, block = [1, 32]> -> tensor<4x64xf32>
  %6 = lowp.dequantize %2 : !lowp.blocked<4x64xmxfp4, block = [1, 32]> -> tensor<4x64xf32>
  %7 = lowp.dequantize %3 : !lowp.blocked<4x64xmxfp4, block = [1, 32]> -> tensor<4x64xf32>
  return %4, %5, %6, %7 : tensor<4x64xf32>, tensor<4x64xf32>, tensor<4x64xf32>, tensor<4x64xf32>
}
