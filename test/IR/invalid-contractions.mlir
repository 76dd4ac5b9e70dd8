// RUN: lowp-opt %s --verify-diagnostics --split-input-file

// One case per constraint of docs/spec.md, named by its label. Constraints
// that all contractions share are numbered as those of matmul.

func.func @matmul_c1_lhs(%a: tensor<2x4x8xf32>, %b: tensor<8x2xf32>) {
  // expected-error@below {{'lowp.matmul' op expects lhs of rank 2, but got 3}}
  %0 = lowp.matmul %a, %b : tensor<2x4x8xf32>, tensor<8x2xf32> -> tensor<4x2xf32>
  return
}

// -----

func.func @matmul_c1_rhs(%a: tensor<4x8xf32>, %b: tensor<f32>) {
  // expected-error@below {{'lowp.matmul' op expects rhs of rank 2, but got 0}}
  %0 = lowp.matmul %a, %b : tensor<4x8xf32>, tensor<f32> -> tensor<4x2xf32>
  return
}

// -----

func.func @matmul_c1_result(%a: tensor<4x8xf32>, %b: tensor<8x2xf32>) {
  // expected-error@below {{'lowp.matmul' op expects result of rank 2, but got 1}}
  %0 = lowp.matmul %a, %b : tensor<4x8xf32>, tensor<8x2xf32> -> tensor<4xf32>
  return
}

// -----

func.func @matmul_c2(%a: tensor<4x8xf32>, %b: tensor<16x2xf32>) {
  // expected-error@below {{'lowp.matmul' op expects lhs and rhs to agree in the contraction, but got 8 (dim 1 of lhs) and 16 (dim 0 of rhs)}}
  %0 = lowp.matmul %a, %b : tensor<4x8xf32>, tensor<16x2xf32> -> tensor<4x2xf32>
  return
}

// -----

func.func @matmul_c2_transposed(%a: tensor<4x8xf32>, %b: tensor<16x2xf32>) {
  // expected-error@below {{'lowp.matmul' op expects lhs and rhs to agree in the contraction, but got 4 (dim 0 of lhs) and 2 (dim 1 of rhs)}}
  %0 = lowp.matmul %a, %b transpose_lhs transpose_rhs : tensor<4x8xf32>, tensor<16x2xf32> -> tensor<8x16xf32>
  return
}

// -----

func.func @matmul_c3_rows(%a: tensor<4x8xf32>, %b: tensor<8x2xf32>) {
  // expected-error@below {{'lowp.matmul' op expects lhs and result to agree in the rows, but got 4 (dim 0 of lhs) and 5 (dim 0 of result)}}
  %0 = lowp.matmul %a, %b : tensor<4x8xf32>, tensor<8x2xf32> -> tensor<5x2xf32>
  return
}

// -----

func.func @matmul_c3_columns(%a: tensor<4x8xf32>, %b: tensor<2x8xf32>) {
  // expected-error@below {{'lowp.matmul' op expects rhs and result to agree in the columns, but got 2 (dim 0 of rhs) and 3 (dim 1 of result)}}
  %0 = lowp.matmul %a, %b transpose_rhs : tensor<4x8xf32>, tensor<2x8xf32> -> tensor<4x3xf32>
  return
}

// -----

func.func @matmul_c4(%a: tensor<4x8xf32>, %b: tensor<8x2xf32>, %i: tensor<4x1xf32>) {
  // expected-error@below {{'lowp.matmul' op expects init and result of the same size in dim 1, but got 1 and 2}}
  %0 = lowp.matmul %a, %b init(%i : tensor<4x1xf32>) : tensor<4x8xf32>, tensor<8x2xf32> -> tensor<4x2xf32>
  return
}

// -----

func.func @matmul_c5(%a: tensor<4x8xf32>, %b: !lowp.blocked<8x64xmxfp8_e4m3, block = [1, 32]>) {
  // expected-error@below {{'lowp.matmul' op expects blocks of rhs along its contraction dim 0, but got [1, 32]; 'lowp.requantize' blocks along another dim}}
  %0 = lowp.matmul %a, %b : tensor<4x8xf32>, !lowp.blocked<8x64xmxfp8_e4m3, block = [1, 32]> -> tensor<4x64xf32>
  return
}

// -----

func.func @matmul_c5_lhs(%a: !lowp.blocked<4x8xmxfp8_e4m3, block = [32, 1]>, %b: tensor<8x2xf32>) {
  // expected-error@below {{'lowp.matmul' op expects blocks of lhs along its contraction dim 1, but got [32, 1]; 'lowp.requantize' blocks along another dim}}
  %0 = lowp.matmul %a, %b : !lowp.blocked<4x8xmxfp8_e4m3, block = [32, 1]>, tensor<8x2xf32> -> tensor<4x2xf32>
  return
}

// -----

func.func @matmul_c6(%a: !lowp.blocked<4x8xnvfp4, block = [1, 1], outer = [1]>, %b: tensor<8x2xf32>) {
  // expected-error@below {{'lowp.matmul' op expects no outer axis of lhs along its contraction dim 1, but got [1]}}
  %0 = lowp.matmul %a, %b : !lowp.blocked<4x8xnvfp4, block = [1, 1], outer = [1]>, tensor<8x2xf32> -> tensor<4x2xf32>
  return
}

// -----

func.func @matmul_c7(%a: !lowp.blocked<4x96xmxfp4, block = [1, 32]>, %b: !lowp.blocked<96x48xmxfp4, block = [48, 1]>) {
  // expected-error@below {{'lowp.matmul' op expects one block size along the contraction to divide the other, but got 32 (lhs) and 48 (rhs)}}
  %0 = lowp.matmul %a, %b : !lowp.blocked<4x96xmxfp4, block = [1, 32]>, !lowp.blocked<96x48xmxfp4, block = [48, 1]> -> tensor<4x48xf32>
  return
}

// -----

func.func @matmul_c8_blocked(%a: !lowp.blocked<4x8xmxfp4, block = [1, 32]>, %b: tensor<8x2xf32>, %c: tensor<4x2xf32>) {
  // expected-error@below {{'lowp.matmul' op expects no origin with a blocked operand, but got lhs of type '!lowp.blocked<4x8xmxfp4, block = [1, 32]>'}}
  %0 = lowp.matmul %a, %b : !lowp.blocked<4x8xmxfp4, block = [1, 32]>, tensor<8x2xf32> -> tensor<4x2xf32> origin {
    lowp.yield %c : tensor<4x2xf32>
  }
  return
}

// -----

func.func @matmul_c8_type(%a: tensor<4x8xf32>, %b: tensor<8x2xf32>, %c: tensor<4x2xbf16>) {
  // expected-error@below {{'lowp.matmul' op expects origin to yield ('tensor<4x2xf32>'), the types of the results, but got ('tensor<4x2xbf16>')}}
  %0 = lowp.matmul %a, %b : tensor<4x8xf32>, tensor<8x2xf32> -> tensor<4x2xf32> origin {
    // expected-note@below {{yielded here}}
    lowp.yield %c : tensor<4x2xbf16>
  }
  return
}

// -----

func.func @matmul_c8_terminator(%a: tensor<4x8xf32>, %b: tensor<8x2xf32>) {
  // expected-error@below {{'lowp.matmul' op expects origin to end in 'lowp.yield'}}
  %0 = lowp.matmul %a, %b : tensor<4x8xf32>, tensor<8x2xf32> -> tensor<4x2xf32> origin {
    %c = arith.constant 0 : index
  }
  return
}

// -----

func.func @matmul_c8_empty(%a: tensor<4x8xf32>, %b: tensor<8x2xf32>) {
  // expected-error@below {{'lowp.matmul' op expects origin to end in 'lowp.yield'}}
  %0 = "lowp.matmul"(%a, %b) ({
  ^bb0:
  }) : (tensor<4x8xf32>, tensor<8x2xf32>) -> tensor<4x2xf32>
  return
}

// -----

func.func @matmul_c8_arguments(%a: tensor<4x8xf32>, %b: tensor<8x2xf32>) {
  // expected-error@below {{'lowp.matmul' op expects origin without arguments, but got 1}}
  %0 = "lowp.matmul"(%a, %b) ({
  ^bb0(%c: tensor<4x2xf32>):
    lowp.yield %c : tensor<4x2xf32>
  }) : (tensor<4x8xf32>, tensor<8x2xf32>) -> tensor<4x2xf32>
  return
}

// -----

func.func @matmul_element(%a: tensor<4x8xf64>, %b: tensor<8x2xf32>) {
  // expected-error@below {{'lowp.matmul' op operand #0 must be ranked tensor of f32, bf16 or f16 values, or a blocked value, but got 'tensor<4x8xf64>'}}
  %0 = lowp.matmul %a, %b : tensor<4x8xf64>, tensor<8x2xf32> -> tensor<4x2xf32>
  return
}

// -----

func.func @batch_matmul_c1_ranks(%a: tensor<4x8xf32>, %b: tensor<8x2xf32>) {
  // expected-error@below {{'lowp.batch_matmul' op expects lhs and rhs of rank 3, or one of them of rank 2, but got 2 and 2}}
  %0 = lowp.batch_matmul %a, %b : tensor<4x8xf32>, tensor<8x2xf32> -> tensor<1x4x2xf32>
  return
}

// -----

func.func @batch_matmul_c1_low(%a: tensor<8xf32>, %b: tensor<3x8x2xf32>) {
  // expected-error@below {{'lowp.batch_matmul' op expects lhs and rhs of rank 3, or one of them of rank 2, but got 1 and 3}}
  %0 = lowp.batch_matmul %a, %b : tensor<8xf32>, tensor<3x8x2xf32> -> tensor<3x4x2xf32>
  return
}

// -----

func.func @batch_matmul_c1_result(%a: tensor<3x4x8xf32>, %b: tensor<3x8x2xf32>) {
  // expected-error@below {{'lowp.batch_matmul' op expects result of rank 3, but got 2}}
  %0 = lowp.batch_matmul %a, %b : tensor<3x4x8xf32>, tensor<3x8x2xf32> -> tensor<4x2xf32>
  return
}

// -----

func.func @batch_matmul_c2(%a: tensor<3x4x8xf32>, %b: tensor<3x4x2xf32>) {
  // expected-error@below {{'lowp.batch_matmul' op expects lhs and rhs to agree in the contraction, but got 8 (dim 2 of lhs) and 4 (dim 1 of rhs)}}
  %0 = lowp.batch_matmul %a, %b : tensor<3x4x8xf32>, tensor<3x4x2xf32> -> tensor<3x4x2xf32>
  return
}

// -----

func.func @batch_matmul_c3(%a: tensor<4x8xf32>, %b: tensor<3x2x8xf32>) {
  // expected-error@below {{'lowp.batch_matmul' op expects rhs and result to agree in the columns, but got 2 (dim 1 of rhs) and 4 (dim 2 of result)}}
  %0 = lowp.batch_matmul %a, %b transpose_rhs : tensor<4x8xf32>, tensor<3x2x8xf32> -> tensor<3x4x4xf32>
  return
}

// -----

// Blocks along the batch.
func.func @batch_matmul_c5(%a: !lowp.blocked<32x4x8xmxfp4, block = [32, 1, 1]>, %b: tensor<32x8x2xf32>) {
  // expected-error@below {{'lowp.batch_matmul' op expects blocks of lhs along its contraction dim 2, but got [32, 1, 1]; 'lowp.requantize' blocks along another dim}}
  %0 = lowp.batch_matmul %a, %b : !lowp.blocked<32x4x8xmxfp4, block = [32, 1, 1]>, tensor<32x8x2xf32> -> tensor<32x4x2xf32>
  return
}

// -----

func.func @batch_matmul_c9(%a: tensor<3x4x8xf32>, %b: tensor<2x8x2xf32>) {
  // expected-error@below {{'lowp.batch_matmul' op expects lhs and rhs to agree in the batch, but got 3 (dim 0 of lhs) and 2 (dim 0 of rhs)}}
  %0 = lowp.batch_matmul %a, %b : tensor<3x4x8xf32>, tensor<2x8x2xf32> -> tensor<3x4x2xf32>
  return
}

// -----

func.func @batch_matmul_c9_result(%a: tensor<4x8xf32>, %b: tensor<2x8x2xf32>) {
  // expected-error@below {{'lowp.batch_matmul' op expects rhs and result to agree in the batch, but got 2 (dim 0 of rhs) and 3 (dim 0 of result)}}
  %0 = lowp.batch_matmul %a, %b : tensor<4x8xf32>, tensor<2x8x2xf32> -> tensor<3x4x2xf32>
  return
}

// -----

func.func @grouped_matmul_c1_lhs(%a: tensor<3x4x8xf32>, %b: tensor<3x8x2xf32>, %o: tensor<4xi32>) {
  // expected-error@below {{'lowp.grouped_matmul' op expects lhs of rank 2, but got 3}}
  %0 = lowp.grouped_matmul %a, %b groups(%o : tensor<4xi32>) : tensor<3x4x8xf32>, tensor<3x8x2xf32> -> tensor<4x2xf32>
  return
}

// -----

func.func @grouped_matmul_c1_rhs(%a: tensor<4x8xf32>, %b: tensor<8x2xf32>, %o: tensor<4xi32>) {
  // expected-error@below {{'lowp.grouped_matmul' op expects rhs of rank 3, but got 2}}
  %0 = lowp.grouped_matmul %a, %b groups(%o : tensor<4xi32>) : tensor<4x8xf32>, tensor<8x2xf32> -> tensor<4x2xf32>
  return
}

// -----

func.func @grouped_matmul_c1_offsets(%a: tensor<4x8xf32>, %b: tensor<3x8x2xf32>, %o: tensor<1x4xi32>) {
  // expected-error@below {{'lowp.grouped_matmul' op expects offsets of rank 1, but got 2}}
  %0 = lowp.grouped_matmul %a, %b groups(%o : tensor<1x4xi32>) : tensor<4x8xf32>, tensor<3x8x2xf32> -> tensor<4x2xf32>
  return
}

// -----

func.func @grouped_matmul_c2(%a: tensor<4x8xf32>, %b: tensor<3x8x2xf32>, %o: tensor<4xi32>) {
  // expected-error@below {{'lowp.grouped_matmul' op expects lhs and rhs to agree in the contraction, but got 8 (dim 1 of lhs) and 2 (dim 2 of rhs)}}
  %0 = lowp.grouped_matmul %a, %b groups(%o : tensor<4xi32>) transpose_rhs : tensor<4x8xf32>, tensor<3x8x2xf32> -> tensor<4x8xf32>
  return
}

// -----

func.func @grouped_matmul_c9(%a: tensor<8x4xf32>, %b: tensor<3x8x2xf32>, %o: tensor<4xi32>) {
  // expected-error@below {{'lowp.grouped_matmul' op expects no transpose_lhs: groups are rows of lhs}}
  %0 = lowp.grouped_matmul %a, %b groups(%o : tensor<4xi32>) transpose_lhs : tensor<8x4xf32>, tensor<3x8x2xf32> -> tensor<4x2xf32>
  return
}

// -----

func.func @grouped_matmul_c10(%a: tensor<4x8xf32>, %b: tensor<3x8x2xf32>, %o: tensor<3xi32>) {
  // expected-error@below {{'lowp.grouped_matmul' op expects one offset more than there are matrices in rhs, but got 3 offsets and 3 matrices}}
  %0 = lowp.grouped_matmul %a, %b groups(%o : tensor<3xi32>) : tensor<4x8xf32>, tensor<3x8x2xf32> -> tensor<4x2xf32>
  return
}

// -----

func.func @grouped_matmul_c10_none(%a: tensor<4x8xf32>, %b: tensor<?x8x2xf32>, %o: tensor<0xi32>) {
  // expected-error@below {{'lowp.grouped_matmul' op expects one offset more than there are matrices in rhs, but got 0 offsets and ? matrices}}
  %0 = lowp.grouped_matmul %a, %b groups(%o : tensor<0xi32>) : tensor<4x8xf32>, tensor<?x8x2xf32> -> tensor<4x2xf32>
  return
}

// -----

func.func @grouped_matmul_c10_large(%a: tensor<4x8xf32>, %b: tensor<9223372036854775807x8x2xf32>, %o: tensor<4xi32>) {
  // expected-error@below {{'lowp.grouped_matmul' op expects one offset more than there are matrices in rhs, but got 4 offsets and 9223372036854775807 matrices}}
  %0 = lowp.grouped_matmul %a, %b groups(%o : tensor<4xi32>) : tensor<4x8xf32>, tensor<9223372036854775807x8x2xf32> -> tensor<4x2xf32>
  return
}
