// RUN: lowp-opt %s --lowp-decompose --split-input-file --verify-diagnostics

func.func @no_key(%x: tensor<4x64xf32>)
    -> !lowp.blocked<4x64xmxfp8_e4m3, block = [1, 32]> {
  // expected-error @below {{'lowp.quantize' op expects a seed, a step and a stream for stochastic rounding, but got no seed; 'lowp-assign-streams' gives operations what they lack}}
  %q = lowp.quantize %x {rule = #lowp.rule<round = stochastic>, stream = 3 : i32}
     : tensor<4x64xf32> -> !lowp.blocked<4x64xmxfp8_e4m3, block = [1, 32]>
  return %q : !lowp.blocked<4x64xmxfp8_e4m3, block = [1, 32]>
}

// -----

func.func @no_stream(%q: !lowp.blocked<4x64xmxfp8_e4m3, block = [1, 32]>, %seed: i64, %step: i32)
    -> !lowp.blocked<4x64xmxfp8_e4m3, block = [1, 32]> {
  // expected-error @below {{'lowp.requantize' op expects a seed, a step and a stream for stochastic rounding, but got no stream}}
  %r = lowp.requantize %q seed(%seed, %step) {rule = #lowp.rule<round = stochastic>}
     : !lowp.blocked<4x64xmxfp8_e4m3, block = [1, 32]> -> !lowp.blocked<4x64xmxfp8_e4m3, block = [1, 32]>
  return %r : !lowp.blocked<4x64xmxfp8_e4m3, block = [1, 32]>
}

// -----

!q = !lowp.blocked<4x64xmxfp8_e4m3, block = [1, 32]>
func.func @region(%q: !q) -> !q {
  // expected-error @below {{'scf.execute_region' op expects no operand or result of a blocked type; values of that type pass through func.func, func.call, scf.if}}
  %r = scf.execute_region -> !q {
    scf.yield %q : !q
  }
  return %r : !q
}
