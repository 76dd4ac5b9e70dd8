// RUN: lowp-opt %s --lowp-assign-streams --split-input-file --verify-diagnostics

!mx = !lowp.blocked<4x32xmxfp8_e4m3, block = [1, 32]>

func.func @twice(%x: tensor<4x32xf32>, %seed: i64, %step: i32) -> (!mx, !mx) {
  // expected-note @below {{the other operation is here}}
  %a = lowp.quantize %x {rule = #lowp.rule<round = stochastic>, stream = 7 : i32} : tensor<4x32xf32> -> !mx
  // expected-error @below {{'lowp.requantize' op expects a stream of its own, but got stream 7 of another operation}}
  %b = lowp.requantize %a seed(%seed, %step) {rule = #lowp.rule<round = stochastic>, stream = 7 : i32} : !mx -> !mx
  return %a, %b : !mx, !mx
}

// -----

!mx = !lowp.blocked<4x32xmxfp8_e4m3, block = [1, 32]>

// expected-error @below {{'func.func' op expects to be called by 'func.call' only, because it gets the step of stochastic rounding as an argument}}
func.func private @rounds(%x: tensor<4x32xf32>) -> !mx {
  %a = lowp.quantize %x {rule = #lowp.rule<round = stochastic>} : tensor<4x32xf32> -> !mx
  return %a : !mx
}

func.func @indirect() -> ((tensor<4x32xf32>) -> !mx) {
  // expected-note @below {{but it is used here}}
  %f = constant @rounds : (tensor<4x32xf32>) -> !mx
  return %f : (tensor<4x32xf32>) -> !mx
}
