// RUN: lowp-opt %s --verify-diagnostics --split-input-file

// Faults that users of other systems met late, or as crashes: here the verifier
// says what is wrong and what is accepted. A function is named after its row
// (docs/testing.md).

// The size of the transform is an attribute of its own, not that of a tile.
func.func @row43(%x: tensor<4x192xf32>) {
  // expected-error@below {{'lowp.rht' op expects a size of 16, 32, 64 or 128, but got 96}}
  %0 = lowp.rht %x size = 96 axis = 1 : tensor<4x192xf32>
  return
}

// -----

// 128 x 64 elements have 128 x 2 scales; an image of them has 512 bytes, which
// 64 x 2 bytes are not.
func.func @row98(%c: tensor<128x64xi8>, %s: tensor<64x2xi8>) {
  // expected-error@below {{'lowp.pack' op expects components of types ('tensor<128x64xi8>', 'tensor<512xi8>'), but got ('tensor<128x64xi8>', 'tensor<64x2xi8>')}}
  %0 = lowp.pack %c, %s : tensor<128x64xi8>, tensor<64x2xi8> -> !lowp.blocked<128x64xmxfp8_e4m3, block = [1, 32], layout = tcgen05_128x4>
  return
}

// -----

// Nothing moves scales out of another layout on its own.
func.func @row91(%q: !lowp.blocked<128x64xmxfp8_e4m3, block = [1, 32], layout = tcgen05_128x4>) {
  // expected-error@below {{'lowp.transpose' op expects scale layout linear, but got tcgen05_128x4; 'lowp.convert_layout' changes it}}
  %0 = lowp.transpose %q permutation = [1, 0] : !lowp.blocked<128x64xmxfp8_e4m3, block = [1, 32], layout = tcgen05_128x4> -> !lowp.blocked<64x128xmxfp8_e4m3, block = [32, 1], layout = tcgen05_128x4>
  return
}

// -----

// Shapes of types count elements, not bytes.
func.func @row106(%c: tensor<4x16xi8>, %s: tensor<4x1xi8>, %o: tensor<f32>) {
  // expected-error@below {{'lowp.pack' op expects components of types ('tensor<4x8xi8>', 'tensor<4x1xi8>', 'tensor<f32>'), but got ('tensor<4x16xi8>', 'tensor<4x1xi8>', 'tensor<f32>')}}
  %0 = lowp.pack %c, %s, %o : tensor<4x16xi8>, tensor<4x1xi8>, tensor<f32> -> !lowp.blocked<4x16xnvfp4, block = [1, 16]>
  return
}

// -----

func.func @row107(%x: tensor<4x64xf32>, %w: !lowp.blocked<64x32xmxfp8_e4m3, block = [1, 32]>) {
  // expected-error@below {{'lowp.matmul' op expects blocks of rhs along its contraction dim 0, but got [1, 32]; 'lowp.requantize' blocks along another dim}}
  %0 = lowp.matmul %x, %w : tensor<4x64xf32>, !lowp.blocked<64x32xmxfp8_e4m3, block = [1, 32]> -> tensor<4x32xf32>
  return
}

// -----

// The message names the type, the same at each run.
// expected-error@below {{expected element type f4E2M1FN, f6E2M3FN, f6E3M2FN, f8E4M3FN, f8E5M2 or !lowp.s2f6, but got 'f16'}}
func.func private @row109(!lowp.blocked<4x32x<f16, f8E8M0FNU>, block = [1, 32]>)

// -----

// expected-error@below {{expected blocks along one dim or square tiles of the last two dims, but got [128, 32]}}
func.func private @row115(!lowp.blocked<128x128xmxfp8_e4m3, block = [128, 32]>)

// -----

// E8M0 is a scale only.
func.func @row118(%v: vector<16xf32>) {
  // expected-error@below {{'lowp.encode' op expects element to be f4E2M1FN, f6E2M3FN, f6E3M2FN, f8E4M3FN, f8E5M2 or !lowp.s2f6, but got 'f8E8M0FNU'}}
  %0 = lowp.encode %v element = f8E8M0FNU : vector<16xf32> -> vector<16xi8>
  return
}
