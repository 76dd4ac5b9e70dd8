// RUN: lowp-opt %s --lowp-check-transforms --split-input-file --verify-diagnostics

lowp.signs @s = [false, true, true, false, false, true, false, true, true, true, true, false, true, false, true, true]
// The default, spelled out.
lowp.signs @d = [false, false, false, true, false, true, true, true, true, true, true, false, true, false, true, true]

// Pairs that agree, directly and through quantisation, products and sums.
func.func @agree(%x: tensor<8x64xf32>, %w: tensor<32x64xf32>, %c: i1) -> (tensor<8x32xf32>, tensor<8x64xf32>) {
  %f = lowp.rht %x size = 16 axis = 1 signs = @s : tensor<8x64xf32>
  %q = lowp.quantize %f : tensor<8x64xf32> -> !lowp.blocked<8x64xmxfp8_e4m3, block = [1, 32]>
  %g = lowp.rht %w size = 16 axis = 1 signs = @s : tensor<32x64xf32>
  %r = lowp.quantize %g : tensor<32x64xf32> -> !lowp.blocked<32x64xmxfp8_e4m3, block = [1, 32]>
  // The contraction ends both.
  %y = lowp.matmul %q, %r transpose_rhs : !lowp.blocked<8x64xmxfp8_e4m3, block = [1, 32]>, !lowp.blocked<32x64xmxfp8_e4m3, block = [1, 32]> -> tensor<8x32xf32>
  %h = lowp.rht %y size = 32 axis = 1 : tensor<8x32xf32>
  %i = lowp.rht %h size = 32 axis = 1 inverse : tensor<8x32xf32>
  %d = lowp.dequantize %q : !lowp.blocked<8x64xmxfp8_e4m3, block = [1, 32]> -> tensor<8x64xf32>
  %sum = arith.addf %d, %f : tensor<8x64xf32>
  %z = lowp.rht %sum size = 16 axis = 1 inverse signs = @s : tensor<8x64xf32>
  return %i, %z : tensor<8x32xf32>, tensor<8x64xf32>
}

// What came from outside has no transform in sight.
func.func @unknown(%x: tensor<8x64xf32>, %w: tensor<32x64xf32>) -> tensor<8x64xf32> {
  %y = lowp.rht %x size = 64 axis = 1 inverse : tensor<8x64xf32>
  return %y : tensor<8x64xf32>
}

// Equal signs of two names, and the default by its name.
func.func @default(%x: tensor<8x64xf32>) -> tensor<8x64xf32> {
  %f = lowp.rht %x size = 16 axis = 1 : tensor<8x64xf32>
  %y = lowp.rht %f size = 16 axis = 1 inverse signs = @d : tensor<8x64xf32>
  return %y : tensor<8x64xf32>
}

// -----

lowp.signs @s = [false, true, true, false, false, true, false, true, true, true, true, false, true, false, true, true]

func.func @signs(%x: tensor<8x64xf32>) -> tensor<8x64xf32> {
  // expected-note@below {{the transform is here}}
  %f = lowp.rht %x size = 16 axis = 1 signs = @s : tensor<8x64xf32>
  %q = lowp.quantize %f : tensor<8x64xf32> -> !lowp.blocked<8x64xmxs2f6, block = [1, 32]>
  %d = lowp.dequantize %q : !lowp.blocked<8x64xmxs2f6, block = [1, 32]> -> tensor<8x64xf32>
  // expected-error@below {{'lowp.rht' op expects the signs of the forward transform, @s, but got the default}}
  %y = lowp.rht %d size = 16 axis = 1 inverse : tensor<8x64xf32>
  return %y : tensor<8x64xf32>
}

// -----

func.func @size(%x: tensor<?x64xbf16>) -> tensor<?x64xbf16> {
  // expected-note@below {{the transform is here}}
  %f = lowp.rht %x size = 32 axis = 1 : tensor<?x64xbf16>
  // expected-error@below {{'lowp.rht' op expects the size of the forward transform, 32, but got 16}}
  %y = lowp.rht %f size = 16 axis = 1 inverse : tensor<?x64xbf16>
  return %y : tensor<?x64xbf16>
}

// -----

func.func @normalization(%x: tensor<32x64xf32>, %n: index) -> tensor<32x64xf32> {
  // expected-note@below {{the transform is here}}
  %f = lowp.rht %x size = 32 axis = 1 normalization = orthonormal : tensor<32x64xf32>
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  // Through a loop.
  %l = scf.for %i = %c0 to %n step %c1 iter_args(%t = %f) -> tensor<32x64xf32> {
    %u = arith.addf %t, %t : tensor<32x64xf32>
    scf.yield %u : tensor<32x64xf32>
  }
  // expected-error@below {{'lowp.rht' op expects the normalization of the forward transform, orthonormal, but got dyadic}}
  %y = lowp.rht %l size = 32 axis = 1 inverse : tensor<32x64xf32>
  return %y : tensor<32x64xf32>
}

// -----

// Along the dim that a transposition moved it to.
func.func @axis(%x: tensor<64x64xf32>) -> (tensor<64x64xf32>, tensor<64x64xf32>) {
  // expected-note@below {{the forward transform is here}}
  %f = lowp.rht %x size = 32 axis = 1 : tensor<64x64xf32>
  %q = lowp.quantize %f : tensor<64x64xf32> -> !lowp.blocked<64x64xmxfp4, block = [1, 32]>
  %t = lowp.transpose %q permutation = [1, 0] : !lowp.blocked<64x64xmxfp4, block = [1, 32]> -> !lowp.blocked<64x64xmxfp4, block = [32, 1]>
  %r = lowp.requantize %t permutation = [0, 1] : !lowp.blocked<64x64xmxfp4, block = [32, 1]> -> !lowp.blocked<64x64xmxfp8_e4m3, block = [1, 32]>
  %d = lowp.dequantize %r : !lowp.blocked<64x64xmxfp8_e4m3, block = [1, 32]> -> tensor<64x64xf32>
  %y = lowp.rht %d size = 32 axis = 0 inverse : tensor<64x64xf32>
  // expected-error@below {{'lowp.rht' op expects axis 0, along which its source is transformed, but got 1}}
  %z = lowp.rht %d size = 32 axis = 1 inverse : tensor<64x64xf32>
  return %y, %z : tensor<64x64xf32>, tensor<64x64xf32>
}

// -----

// Along a free dim of a product, through linalg, a call and a branch.
func.func private @relu(%x: tensor<64x8xf32>) -> tensor<64x8xf32> {
  %zero = arith.constant dense<0.0> : tensor<64x8xf32>
  %y = arith.maximumf %x, %zero : tensor<64x8xf32>
  return %y : tensor<64x8xf32>
}

func.func @product(%x: tensor<64x16xf32>, %w: tensor<8x16xf32>, %e: tensor<8x64xf32>, %c: i1) -> tensor<8x64xf32> {
  // expected-note@below {{the transform is here}}
  %f = lowp.rht %x size = 64 axis = 0 : tensor<64x16xf32>
  %p = lowp.matmul %f, %w transpose_rhs : tensor<64x16xf32>, tensor<8x16xf32> -> tensor<64x8xf32>
  %r = func.call @relu(%p) : (tensor<64x8xf32>) -> tensor<64x8xf32>
  %init = tensor.empty() : tensor<8x64xf32>
  %t = linalg.transpose ins(%r : tensor<64x8xf32>) outs(%init : tensor<8x64xf32>) permutation = [1, 0]
  %i = scf.if %c -> tensor<8x64xf32> {
    scf.yield %t : tensor<8x64xf32>
  } else {
    scf.yield %e : tensor<8x64xf32>
  }
  // expected-error@below {{'lowp.rht' op expects the size of the forward transform, 64, but got 16}}
  %y = lowp.rht %i size = 16 axis = 1 inverse : tensor<8x64xf32>
  return %y : tensor<8x64xf32>
}

// -----

func.func @operands(%x: tensor<8x64xf32>, %w: tensor<32x64xf32>) -> tensor<8x32xf32> {
  // expected-note@below {{the transform is here}}
  %f = lowp.rht %x size = 16 axis = 1 : tensor<8x64xf32>
  // expected-note@below {{the transform of rhs is here}}
  %g = lowp.rht %w size = 32 axis = 1 : tensor<32x64xf32>
  // expected-error@below {{'lowp.matmul' op expects the size of the transform of lhs, 16, but got 32}}
  %y = lowp.matmul %f, %g transpose_rhs : tensor<8x64xf32>, tensor<32x64xf32> -> tensor<8x32xf32>
  return %y : tensor<8x32xf32>
}

// -----

// The inverse of a combine, after the sum; and a transform of tokens, which it
// leaves.
!p = !lowp.blocked<4x32x64xmxs2f6, block = [1, 1, 32]>
func.func @combine(%x: tensor<4x32x64xf32>, %g: tensor<4x32xf32>) -> (tensor<32x64xf32>, tensor<32x64xf32>, tensor<32x64xf32>) {
  %f = lowp.rht %x size = 32 axis = 2 : tensor<4x32x64xf32>
  %q = lowp.quantize %f : tensor<4x32x64xf32> -> !p
  %y = lowp.combine %q gates(%g : tensor<4x32xf32>) inverse_rht = 32 : !p -> tensor<32x64xf32>
  %t = lowp.rht %x size = 16 axis = 1 : tensor<4x32x64xf32>
  %r = lowp.quantize %t : tensor<4x32x64xf32> -> !p
  %z = lowp.combine %r gates(%g : tensor<4x32xf32>) : !p -> tensor<32x64xf32>
  %i = lowp.rht %z size = 16 axis = 0 inverse : tensor<32x64xf32>
  %w = lowp.combine %q gates(%g : tensor<4x32xf32>) : !p -> tensor<32x64xf32>
  %j = lowp.rht %w size = 32 axis = 1 inverse : tensor<32x64xf32>
  return %y, %i, %j : tensor<32x64xf32>, tensor<32x64xf32>, tensor<32x64xf32>
}

// -----

!p = !lowp.blocked<4x32x64xmxs2f6, block = [1, 1, 32]>
func.func @combine_size(%x: tensor<4x32x64xf32>, %g: tensor<4x32xf32>) -> tensor<32x64xf32> {
  // expected-note@below {{the transform is here}}
  %f = lowp.rht %x size = 64 axis = 2 : tensor<4x32x64xf32>
  %q = lowp.quantize %f : tensor<4x32x64xf32> -> !p
  // expected-error@below {{'lowp.combine' op expects the size of the forward transform, 64, but got 32}}
  %y = lowp.combine %q gates(%g : tensor<4x32xf32>) inverse_rht = 32 : !p -> tensor<32x64xf32>
  return %y : tensor<32x64xf32>
}

// -----

!p = !lowp.blocked<4x32x64xmxs2f6, block = [1, 1, 32]>
func.func @combine_axis(%x: tensor<4x32x64xf32>, %g: tensor<4x32xf32>) -> tensor<32x64xf32> {
  // expected-note@below {{the forward transform is here}}
  %f = lowp.rht %x size = 32 axis = 1 : tensor<4x32x64xf32>
  %q = lowp.quantize %f : tensor<4x32x64xf32> -> !p
  // expected-error@below {{'lowp.combine' op expects axis 1, along which its source is transformed, but got 2}}
  %y = lowp.combine %q gates(%g : tensor<4x32xf32>) inverse_rht = 32 : !p -> tensor<32x64xf32>
  return %y : tensor<32x64xf32>
}
