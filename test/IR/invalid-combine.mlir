// RUN: lowp-opt %s --verify-diagnostics --split-input-file

// One case per constraint of docs/spec.md, named by its label.

!p = !lowp.blocked<8x64xmxs2f6, block = [1, 32]>
func.func @combine_c1(%p: !p, %g: tensor<8xf32>) {
  // expected-error@below {{'lowp.combine' op expects a payload of rank 3, gates of rank 2 and a result of rank 2, but got 2, 1 and 2}}
  %0 = lowp.combine %p gates(%g : tensor<8xf32>) : !p -> tensor<8x64xf32>
  return
}

// -----

!p = !lowp.blocked<4x?x64xmxs2f6, block = [1, 1, 32]>
func.func @combine_c2(%p: !p, %g: tensor<8x4xf32>) {
  // Tokens by experts.
  // expected-error@below {{'lowp.combine' op expects gates and the experts and tokens of the payload of the same size in dim 0, but got 8 and 4}}
  %0 = lowp.combine %p gates(%g : tensor<8x4xf32>) : !p -> tensor<?x64xf32>
  return
}

// -----

!p = !lowp.blocked<4x8x64xmxs2f6, block = [1, 1, 32]>
func.func @combine_c3(%p: !p, %g: tensor<4x8xf32>) {
  // expected-error@below {{'lowp.combine' op expects the result and a token of the payload of the same size in dim 1, but got 32 and 64}}
  %0 = lowp.combine %p gates(%g : tensor<4x8xf32>) : !p -> tensor<8x32xf32>
  return
}

// -----

!p = !lowp.blocked<4x8x64xmxs2f6, block = [1, 1, 32]>
func.func @combine_c4(%p: !p, %g: tensor<4x8xf32>) {
  // expected-error@below {{'lowp.combine' op expects 'inverse_rht' to be 16, 32, 64 or 128, but got 8}}
  %0 = lowp.combine %p gates(%g : tensor<4x8xf32>) inverse_rht = 8 : !p -> tensor<8x64xf32>
  return
}

// -----

!p = !lowp.blocked<4x8x96xmxs2f6, block = [1, 1, 32]>
func.func @combine_c5(%p: !p, %g: tensor<4x8xf32>) {
  // expected-error@below {{'lowp.combine' op expects the size of axis 2 of the payload to be a multiple of the transform size 64, but got 96}}
  %0 = lowp.combine %p gates(%g : tensor<4x8xf32>) inverse_rht = 64 : !p -> tensor<8x96xf32>
  return
}

// -----

!p = !lowp.blocked<4x8x64xmxs2f6, block = [1, 1, 32]>
func.func @combine_c6(%p: !p, %g: tensor<4x8xf32>) {
  // expected-error@below {{'lowp.combine' op expects a normalization only with 'inverse_rht', but got none}}
  %0 = lowp.combine %p gates(%g : tensor<4x8xf32>) normalization = orthonormal : !p -> tensor<8x64xf32>
  return
}

// -----

!p = !lowp.blocked<4x8x64xmxs2f6, block = [1, 1, 32]>
func.func @combine_c7(%p: !p, %g: tensor<4x8xf32>) {
  // expected-error@below {{'lowp.combine' op expects signs to name a 'lowp.signs', but nothing is named @none}}
  %0 = lowp.combine %p gates(%g : tensor<4x8xf32>) inverse_rht = 32 signs = @none : !p -> tensor<8x64xf32>
  return
}

// -----

// expected-note@below {{the signs are here}}
lowp.signs @s = [false, true, true, false, false, true, false, true, true, true, true, false, true, false, true, true]
!p = !lowp.blocked<4x8x64xmxs2f6, block = [1, 1, 32]>
func.func @combine_c8(%p: !p, %g: tensor<4x8xf32>) {
  // expected-error@below {{'lowp.combine' op expects as many signs as the transform size 32, but got 16}}
  %0 = lowp.combine %p gates(%g : tensor<4x8xf32>) inverse_rht = 32 signs = @s : !p -> tensor<8x64xf32>
  return
}

// -----

// exchange (C1)
// expected-error@below {{expected rht to be 0, 16, 32, 64 or 128, but got 24}}
func.func private @exchange_c1() attributes {a = #lowp.exchange<combine = <mxs2f6>, rht = 24>}

// -----

// exchange (C2)
// expected-error@below {{expected rht only with combine, but got none}}
func.func private @exchange_c2() attributes {a = #lowp.exchange<rht = 32, dispatch = <nvfp4>>}

// -----

// exchange (C3)
// expected-error@below {{expected combine to be a format without an outer scale, but got #lowp.format<nvfp4>}}
func.func private @exchange_c3() attributes {a = #lowp.exchange<combine = <nvfp4>>}

// -----

// expected-error@below {{attribute 'lowp.exchange' expects a #lowp.exchange, but got 32 : i64}}
module attributes {lowp.exchange = 32 : i64} {}
