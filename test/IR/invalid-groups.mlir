// RUN: lowp-opt %s --split-input-file --verify-diagnostics

func.func @quantize_c4_groups(%x: tensor<?x256xf32>, %a: tensor<f32>, %o: tensor<5xi32>) {
  // expected-error@below {{'lowp.quantize' op expects amax to have one dim per outer axis [] after one of groups, as 'tensor<4xf32>', but got 'tensor<f32>'}}
  %0 = lowp.quantize %x amax(%a : tensor<f32>) groups(%o : tensor<5xi32>) : tensor<?x256xf32> -> !lowp.blocked<?x256xnvfp4, block = [1, 16], groups = 4 along 0>
  return
}

// -----

func.func @quantize_c9(%x: tensor<?x256xf32>) {
  // expected-error@below {{'lowp.quantize' op expects groups exactly where the result is grouped, but got no groups and '!lowp.blocked<?x256xmxfp8_e4m3, block = [32, 1], groups = 4 along 0>'}}
  %0 = lowp.quantize %x : tensor<?x256xf32> -> !lowp.blocked<?x256xmxfp8_e4m3, block = [32, 1], groups = 4 along 0>
  return
}

// -----

func.func @quantize_c9_given(%x: tensor<?x256xf32>, %o: tensor<5xi32>) {
  // expected-error@below {{'lowp.quantize' op expects groups exactly where the result is grouped, but got groups and '!lowp.blocked<?x256xmxfp8_e4m3, block = [32, 1]>'}}
  %0 = lowp.quantize %x groups(%o : tensor<5xi32>) : tensor<?x256xf32> -> !lowp.blocked<?x256xmxfp8_e4m3, block = [32, 1]>
  return
}

// -----

func.func @quantize_c10(%x: tensor<?x256xf32>, %o: tensor<4xi32>) {
  // expected-error@below {{'lowp.quantize' op expects one offset more than there are groups, but got 4 offsets and 4 groups}}
  %0 = lowp.quantize %x groups(%o : tensor<4xi32>) : tensor<?x256xf32> -> !lowp.blocked<?x256xmxfp8_e4m3, block = [32, 1], groups = 4 along 0>
  return
}

// -----

func.func @quantize_c10_none(%x: tensor<?x256xf32>, %o: tensor<0xi32>) {
  // expected-error@below {{'lowp.quantize' op expects one offset more than there are groups, but got 0 offsets and ? groups}}
  %0 = lowp.quantize %x groups(%o : tensor<0xi32>) : tensor<?x256xf32> -> !lowp.blocked<?x256xmxfp8_e4m3, block = [32, 1], groups = ? along 0>
  return
}

// -----

func.func @quantize_c10_rank(%x: tensor<?x256xf32>, %o: tensor<5x1xi32>) {
  // expected-error@below {{'lowp.quantize' op expects offsets of rank 1, but got 2}}
  %0 = lowp.quantize %x groups(%o : tensor<5x1xi32>) : tensor<?x256xf32> -> !lowp.blocked<?x256xmxfp8_e4m3, block = [32, 1], groups = 4 along 0>
  return
}

// -----

func.func @requantize_c4_groups(%q: !lowp.blocked<?x256xnvfp4, block = [1, 16]>, %o: tensor<5xi32>) {
  // expected-error@below {{'lowp.requantize' op expects outer scales per group of both source and result or of neither for outer = keep, but got '!lowp.blocked<?x256xnvfp4, block = [1, 16]>' and '!lowp.blocked<?x256xnvfp4, block = [1, 16], groups = 4 along 0>'}}
  %0 = lowp.requantize %q groups(%o : tensor<5xi32>) outer = keep : !lowp.blocked<?x256xnvfp4, block = [1, 16]> -> !lowp.blocked<?x256xnvfp4, block = [1, 16], groups = 4 along 0>
  return
}

// -----

func.func @requantize_c8(%q: !lowp.blocked<?x256xmxfp4, block = [1, 32]>) {
  // expected-error@below {{'lowp.requantize' op expects groups exactly where the result is grouped and the source is not, but got no groups and '!lowp.blocked<?x256xmxfp4, block = [1, 32]>' and '!lowp.blocked<?x256xmxfp4, block = [32, 1], groups = 4 along 0>'}}
  %0 = lowp.requantize %q : !lowp.blocked<?x256xmxfp4, block = [1, 32]> -> !lowp.blocked<?x256xmxfp4, block = [32, 1], groups = 4 along 0>
  return
}

// -----

func.func @requantize_c8_given(%q: !lowp.blocked<?x256xmxfp4, block = [1, 32], groups = 4 along 0>, %o: tensor<5xi32>) {
  // expected-error@below {{'lowp.requantize' op expects groups exactly where the result is grouped and the source is not, but got groups and '!lowp.blocked<?x256xmxfp4, block = [1, 32], groups = 4 along 0>' and '!lowp.blocked<?x256xmxfp4, block = [32, 1], groups = 4 along 0>'}}
  %0 = lowp.requantize %q groups(%o : tensor<5xi32>) : !lowp.blocked<?x256xmxfp4, block = [1, 32], groups = 4 along 0> -> !lowp.blocked<?x256xmxfp4, block = [32, 1], groups = 4 along 0>
  return
}

// -----

func.func @requantize_c9(%q: !lowp.blocked<?x256xmxfp4, block = [1, 32]>, %o: tensor<4xi32>) {
  // expected-error@below {{'lowp.requantize' op expects one offset more than there are groups, but got 4 offsets and 4 groups}}
  %0 = lowp.requantize %q groups(%o : tensor<4xi32>) : !lowp.blocked<?x256xmxfp4, block = [1, 32]> -> !lowp.blocked<?x256xmxfp4, block = [32, 1], groups = 4 along 0>
  return
}

// -----

func.func @requantize_c10(%q: !lowp.blocked<?x256xmxfp4, block = [1, 32], groups = 4 along 0>) {
  // expected-error@below {{'lowp.requantize' op expects the groups of the source, permuted, in the result, but got '!lowp.blocked<?x256xmxfp4, block = [1, 32], groups = 4 along 0>' and '!lowp.blocked<256x?xmxfp4, block = [1, 32], groups = 4 along 0>'}}
  %0 = lowp.requantize %q permutation = [1, 0] : !lowp.blocked<?x256xmxfp4, block = [1, 32], groups = 4 along 0> -> !lowp.blocked<256x?xmxfp4, block = [1, 32], groups = 4 along 0>
  return
}

// -----

func.func @requantize_c10_count(%q: !lowp.blocked<?x256xmxfp4, block = [1, 32], groups = 4 along 0>) {
  // expected-error@below {{'lowp.requantize' op expects the groups of the source, permuted, in the result, but got '!lowp.blocked<?x256xmxfp4, block = [1, 32], groups = 4 along 0>' and '!lowp.blocked<?x256xmxfp4, block = [32, 1], groups = 3 along 0>'}}
  %0 = lowp.requantize %q : !lowp.blocked<?x256xmxfp4, block = [1, 32], groups = 4 along 0> -> !lowp.blocked<?x256xmxfp4, block = [32, 1], groups = 3 along 0>
  return
}

// -----

func.func @convert_layout_c1_groups(%q: !lowp.blocked<256x256xmxfp4, block = [1, 32], groups = 4 along 0>) {
  // expected-error@below {{'lowp.convert_layout' op expects types that differ in their layout only, but got '!lowp.blocked<256x256xmxfp4, block = [1, 32], groups = 4 along 0>' and '!lowp.blocked<256x256xmxfp4, block = [1, 32], layout = tcgen05_128x4, groups = 3 along 0>'}}
  %0 = lowp.convert_layout %q : !lowp.blocked<256x256xmxfp4, block = [1, 32], groups = 4 along 0> -> !lowp.blocked<256x256xmxfp4, block = [1, 32], layout = tcgen05_128x4, groups = 3 along 0>
  return
}

// -----

// 70 rows of blocks of 32 in 3 groups: 2 + 3 rows of scales.
func.func @pack_c1_groups(%c: tensor<70x4xi8>, %s: tensor<3x4xi8>, %o: tensor<4xi64>) {
  // expected-error@below {{'lowp.pack' op expects components of types ('tensor<70x4xi8>', 'tensor<5x4xi8>', 'tensor<4xi64>'), but got ('tensor<70x4xi8>', 'tensor<3x4xi8>', 'tensor<4xi64>')}}
  %0 = lowp.pack %c, %s, %o : tensor<70x4xi8>, tensor<3x4xi8>, tensor<4xi64> -> !lowp.blocked<70x4xmxfp8_e4m3, block = [32, 1], groups = 3 along 0>
  return
}

// -----

func.func @matmul_c11(%a: tensor<4x64xf32>, %b: !lowp.blocked<64x8xmxfp4, block = [32, 1], groups = 3 along 0>) {
  // expected-error@below {{'lowp.matmul' op expects no groups of rhs along its contraction dim 0, but got '!lowp.blocked<64x8xmxfp4, block = [32, 1], groups = 3 along 0>'; 'lowp.k_grouped_matmul' contracts by groups}}
  %0 = lowp.matmul %a, %b : tensor<4x64xf32>, !lowp.blocked<64x8xmxfp4, block = [32, 1], groups = 3 along 0> -> tensor<4x8xf32>
  return
}

// -----

func.func @grouped_matmul_c11(%a: !lowp.blocked<4x64xmxfp4, block = [1, 32], groups = 3 along 1>, %b: tensor<2x64x8xf32>, %o: tensor<3xi32>) {
  // expected-error@below {{'lowp.grouped_matmul' op expects no groups of lhs along its contraction dim 1, but got '!lowp.blocked<4x64xmxfp4, block = [1, 32], groups = 3 along 1>'}}
  %0 = lowp.grouped_matmul %a, %b groups(%o : tensor<3xi32>) : !lowp.blocked<4x64xmxfp4, block = [1, 32], groups = 3 along 1>, tensor<2x64x8xf32> -> tensor<4x8xf32>
  return
}

// -----

func.func @k_grouped_matmul_c1(%a: tensor<64x4xf32>, %b: tensor<64x8xf32>, %o: tensor<4xi32>) {
  // expected-error@below {{'lowp.k_grouped_matmul' op expects result of rank 3, but got 2}}
  %0 = lowp.k_grouped_matmul %a, %b groups(%o : tensor<4xi32>) transpose_lhs : tensor<64x4xf32>, tensor<64x8xf32> -> tensor<4x8xf32>
  return
}

// -----

func.func @k_grouped_matmul_c2(%a: tensor<64x4xf32>, %b: tensor<63x8xf32>, %o: tensor<4xi32>) {
  // expected-error@below {{'lowp.k_grouped_matmul' op expects lhs and rhs to agree in the contraction, but got 64 (dim 0 of lhs) and 63 (dim 0 of rhs)}}
  %0 = lowp.k_grouped_matmul %a, %b groups(%o : tensor<4xi32>) transpose_lhs : tensor<64x4xf32>, tensor<63x8xf32> -> tensor<3x4x8xf32>
  return
}

// -----

func.func @k_grouped_matmul_c9(%a: tensor<64x4xf32>, %b: tensor<64x8xf32>, %o: tensor<4xi32>) {
  // expected-error@below {{'lowp.k_grouped_matmul' op expects one offset more than there are groups, but got 4 offsets and 4 groups}}
  %0 = lowp.k_grouped_matmul %a, %b groups(%o : tensor<4xi32>) transpose_lhs : tensor<64x4xf32>, tensor<64x8xf32> -> tensor<4x4x8xf32>
  return
}

// -----

func.func @k_grouped_matmul_c10(%a: !lowp.blocked<64x4xmxfp4, block = [32, 1]>, %b: tensor<64x8xf32>, %o: tensor<4xi32>) {
  // expected-error@below {{'lowp.k_grouped_matmul' op expects groups of lhs along its contraction dim 0, but got '!lowp.blocked<64x4xmxfp4, block = [32, 1]>'}}
  %0 = lowp.k_grouped_matmul %a, %b groups(%o : tensor<4xi32>) transpose_lhs : !lowp.blocked<64x4xmxfp4, block = [32, 1]>, tensor<64x8xf32> -> tensor<3x4x8xf32>
  return
}

// -----

func.func @k_grouped_matmul_c12(%a: tensor<64x4xf32>, %b: !lowp.blocked<64x8xmxfp4, block = [32, 1], groups = 4 along 0>, %o: tensor<4xi32>) {
  // expected-error@below {{'lowp.k_grouped_matmul' op expects as many groups of rhs as the result has matrices, 3, but got 4}}
  %0 = lowp.k_grouped_matmul %a, %b groups(%o : tensor<4xi32>) transpose_lhs : tensor<64x4xf32>, !lowp.blocked<64x8xmxfp4, block = [32, 1], groups = 4 along 0> -> tensor<3x4x8xf32>
  return
}

// -----

func.func @rht_c6(%x: tensor<?x64xf32>, %o: tensor<0xi32>) {
  // expected-error@below {{'lowp.rht' op expects one offset more than there are groups, but got 0 offsets and ? groups}}
  %0 = lowp.rht %x groups(%o : tensor<0xi32>) size = 16 axis = 0 : tensor<?x64xf32>
  return
}
