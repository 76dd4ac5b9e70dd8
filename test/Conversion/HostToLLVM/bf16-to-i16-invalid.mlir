// RUN: lowp-opt %s --lowp-bf16-to-i16 --split-input-file --verify-diagnostics

func.func @add(%x: bf16) -> bf16 {
  // expected-error@below {{'arith.addf' op computes in bf16, which the CPU path cannot do exactly}}
  %0 = arith.addf %x, %x : bf16
  return %0 : bf16
}

// -----

func.func @reduce(%x: vector<4xbf16>) -> bf16 {
  // expected-error@below {{'vector.reduction' op computes in bf16}}
  %0 = vector.reduction <add>, %x : vector<4xbf16> into bf16
  return %0 : bf16
}

// -----

func.func @widen(%x: bf16) -> f64 {
  // expected-error@below {{'arith.extf' op computes in bf16}}
  %0 = arith.extf %x : bf16 to f64
  return %0 : f64
}
