// RUN: lowp-opt %s --lowp-share-quantization | FileCheck %s
// RUN: lowp-opt %s --lowp-share-quantization --remarks-filter=lowp-share-quantization 2>&1 | FileCheck %s --check-prefix=REMARK

!linear = !lowp.blocked<?x96xmxfp8_e4m3, block = [1, 32]>
!tiled = !lowp.blocked<?x96xmxfp8_e4m3, block = [1, 32], layout = tcgen05_128x4>
!nvfp4 = !lowp.blocked<?x96xnvfp4, block = [1, 16], outer = [0]>

// REMARK: remark: [Passed] Shared
// CHECK-LABEL: func @share
// CHECK-SAME: (%[[X:.*]]: tensor<?x96xbf16>
func.func @share(%x: tensor<?x96xbf16>, %cond: i1) -> (!linear, !linear, !tiled, !nvfp4, !nvfp4, !linear) {
  // CHECK: %[[A:.*]] = lowp.quantize %[[X]] : {{.*}}mxfp8_e4m3
  %a = lowp.quantize %x : tensor<?x96xbf16> -> !linear
  %b = lowp.quantize %x : tensor<?x96xbf16> -> !linear
  // Another layout is the same codes and scales in another place.
  // CHECK: %[[T:.*]] = lowp.convert_layout %[[A]]
  %t = lowp.quantize %x : tensor<?x96xbf16> -> !tiled
  // Another format or rule is another quantisation.
  // CHECK: %[[N:.*]] = lowp.quantize %[[X]]
  // CHECK: %[[M:.*]] = lowp.quantize %[[X]] {rule = #lowp.rule<four_six = mse>}
  %n = lowp.quantize %x : tensor<?x96xbf16> -> !nvfp4
  %m = lowp.quantize %x {rule = #lowp.rule<four_six = mse>} : tensor<?x96xbf16> -> !nvfp4
  // A quantisation that does not always run serves nobody outside.
  // CHECK: scf.if
  // CHECK-NEXT: scf.yield %[[A]]
  %i = scf.if %cond -> !linear {
    %q = lowp.quantize %x : tensor<?x96xbf16> -> !linear
    scf.yield %q : !linear
  } else {
    scf.yield %b : !linear
  }
  // CHECK: return %[[A]], %[[A]], %[[T]], %[[N]], %[[M]]
  return %a, %b, %t, %n, %m, %i : !linear, !linear, !tiled, !nvfp4, !nvfp4, !linear
}

// CHECK-LABEL: func @branches
func.func @branches(%x: tensor<?x96xbf16>, %cond: i1) -> (!linear, !linear) {
  // CHECK-COUNT-2: lowp.quantize
  %i = scf.if %cond -> !linear {
    %q = lowp.quantize %x : tensor<?x96xbf16> -> !linear
    scf.yield %q : !linear
  } else {
    %e = lowp.quantize %x {rule = #lowp.rule<ocp>} : tensor<?x96xbf16> -> !linear
    scf.yield %e : !linear
  }
  // CHECK: lowp.quantize
  %b = lowp.quantize %x : tensor<?x96xbf16> -> !linear
  return %i, %b : !linear, !linear
}

// Streams are different roundings; one stream is one.
// CHECK-LABEL: func @streams
func.func @streams(%x: tensor<?x96xbf16>, %seed: i64, %step: i32) -> (!linear, !linear, !linear) {
  // CHECK: %[[A:.*]] = lowp.quantize {{.*}}stream = 1
  %a = lowp.quantize %x seed(%seed, %step) {rule = #lowp.rule<round = stochastic>, stream = 1 : i32} : tensor<?x96xbf16> -> !linear
  // CHECK: %[[B:.*]] = lowp.quantize {{.*}}stream = 2
  %b = lowp.quantize %x seed(%seed, %step) {rule = #lowp.rule<round = stochastic>, stream = 2 : i32} : tensor<?x96xbf16> -> !linear
  // CHECK-NOT: lowp.quantize
  %c = lowp.quantize %x seed(%seed, %step) {rule = #lowp.rule<round = stochastic>, stream = 1 : i32} : tensor<?x96xbf16> -> !linear
  // CHECK: return %[[A]], %[[B]], %[[A]]
  return %a, %b, %c : !linear, !linear, !linear
}
