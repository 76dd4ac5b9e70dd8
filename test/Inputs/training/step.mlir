#map = affine_map<(d0) -> (d0)>
#map1 = affine_map<(d0, d1) -> (d0, 0)>
#map2 = affine_map<(d0, d1) -> (d1)>
#map3 = affine_map<(d0, d1) -> (d0, d1)>
#map4 = affine_map<(d0, d1, d2) -> (d0, d1, d2)>
#map5 = affine_map<(d0, d1, d2) -> (d1, d2)>
#map6 = affine_map<(d0, d1, d2) -> (d0, d1, 0)>
#map7 = affine_map<(d0, d1, d2) -> (d2)>
#map8 = affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, d3)>
#map9 = affine_map<(d0, d1) -> (0, d1)>
#map10 = affine_map<(d0, d1, d2, d3) -> (d2, d3)>
#map11 = affine_map<(d0, d1, d2, d3) -> ()>
#map12 = affine_map<(d0, d1, d2, d3) -> (d0, d1, d2)>
#map13 = affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, 0)>
#map14 = affine_map<(d0, d1) -> (d0)>
#map15 = affine_map<(d0, d1, d2) -> (d0, 0, d2)>
#map16 = affine_map<(d0, d1, d2) -> (d0, d1)>
#map17 = affine_map<(d0, d1, d2) -> ()>
#map18 = affine_map<() -> ()>
#map19 = affine_map<(d0, d1, d2) -> (0, 0, d2)>
#map20 = affine_map<(d0, d1, d2) -> (0, d1, d2)>
module {
  func.func @main(%arg0: tensor<16x64xbf16>, %arg1: tensor<32x64xbf16>, %arg2: tensor<64xbf16>, %arg3: tensor<64x64xbf16>, %arg4: tensor<64x64xbf16>, %arg5: tensor<64x64xbf16>, %arg6: tensor<64x64xbf16>, %arg7: tensor<64xbf16>, %arg8: tensor<4x64xbf16>, %arg9: tensor<4x128x64xbf16>, %arg10: tensor<4x64x64xbf16>, %arg11: tensor<64xbf16>, %arg12: tensor<64x64xbf16>, %arg13: tensor<64x64xbf16>, %arg14: tensor<64x64xbf16>, %arg15: tensor<64x64xbf16>, %arg16: tensor<64xbf16>, %arg17: tensor<4x64xbf16>, %arg18: tensor<4x128x64xbf16>, %arg19: tensor<4x64x64xbf16>, %arg20: tensor<64xbf16>, %arg21: tensor<64x64xbf16>, %arg22: tensor<64x64xbf16>, %arg23: tensor<64x64xbf16>, %arg24: tensor<64x64xbf16>, %arg25: tensor<64xbf16>, %arg26: tensor<4x64xbf16>, %arg27: tensor<4x128x64xbf16>, %arg28: tensor<4x64x64xbf16>, %arg29: tensor<64xbf16>, %arg30: tensor<16x64xbf16>, %arg31: tensor<16x32xi64>, %arg32: tensor<16x32xi64>, %arg33: tensor<f32>) -> (tensor<f32>, tensor<16x64xbf16>, tensor<32x64xbf16>, tensor<64xbf16>, tensor<64x64xbf16>, tensor<64x64xbf16>, tensor<64x64xbf16>, tensor<64x64xbf16>, tensor<64xbf16>, tensor<4x64xbf16>, tensor<4x128x64xbf16>, tensor<4x64x64xbf16>, tensor<64xbf16>, tensor<64x64xbf16>, tensor<64x64xbf16>, tensor<64x64xbf16>, tensor<64x64xbf16>, tensor<64xbf16>, tensor<4x64xbf16>, tensor<4x128x64xbf16>, tensor<4x64x64xbf16>, tensor<64xbf16>, tensor<64x64xbf16>, tensor<64x64xbf16>, tensor<64x64xbf16>, tensor<64x64xbf16>, tensor<64xbf16>, tensor<4x64xbf16>, tensor<4x128x64xbf16>, tensor<4x64x64xbf16>, tensor<64xbf16>, tensor<16x64xbf16>) {
    %c3_i64 = arith.constant 3 : i64
    %c2_i64 = arith.constant 2 : i64
    %c1_i64 = arith.constant 1 : i64
    %c0_i64 = arith.constant 0 : i64
    %cst = arith.constant 0.000000e+00 : f32
    %cst_0 = arith.constant 0xFF800000 : f32
    %cst_1 = arith.constant 0.000000e+00 : bf16
    %cst_2 = arith.constant 1.000000e+00 : f32
    %cst_3 = arith.constant dense<0.000000e+00> : tensor<f32>
    %cst_4 = arith.constant dense<1.000000e+00> : tensor<4x512x64xf32>
    %cst_5 = arith.constant dense<0xFF800000> : tensor<f32>
    %cst_6 = arith.constant 0.17677669529663689 : f64
    %cst_7 = arith.constant 1.000000e-05 : f64
    %cst_8 = arith.constant 6.400000e+01 : f32
    %cst_9 = arith.constant 2.000000e+00 : f32
    %cst_10 = arith.constant 5.120000e+02 : f32
    %cst_11 = arith.constant -5.000000e-01 : f32
    %collapsed = tensor.collapse_shape %arg31 [[0, 1]] : tensor<16x32xi64> into tensor<512xi64>
    %expanded = tensor.expand_shape %collapsed [[0, 1]] output_shape [512, 1] : tensor<512xi64> into tensor<512x1xi64>
    %0 = tensor.empty() : tensor<16xi64>
    %1 = linalg.generic {indexing_maps = [#map], iterator_types = ["parallel"]} outs(%0 : tensor<16xi64>) {
    ^bb0(%out: i64):
      %741 = linalg.index 0 : index
      %742 = arith.index_cast %741 : index to i64
      linalg.yield %742 : i64
    } -> tensor<16xi64>
    %2 = tensor.empty() : tensor<512x16xi1>
    %3 = linalg.generic {indexing_maps = [#map1, #map2, #map3], iterator_types = ["parallel", "parallel"]} ins(%expanded, %1 : tensor<512x1xi64>, tensor<16xi64>) outs(%2 : tensor<512x16xi1>) {
    ^bb0(%in: i64, %in_246: i64, %out: i1):
      %741 = arith.cmpi eq, %in, %in_246 : i64
      linalg.yield %741 : i1
    } -> tensor<512x16xi1>
    %4 = tensor.empty() : tensor<512x16xbf16>
    %5 = linalg.generic {indexing_maps = [#map3, #map3], iterator_types = ["parallel", "parallel"]} ins(%3 : tensor<512x16xi1>) outs(%4 : tensor<512x16xbf16>) {
    ^bb0(%in: i1, %out: bf16):
      %741 = arith.uitofp %in : i1 to bf16
      linalg.yield %741 : bf16
    } -> tensor<512x16xbf16>
    %6 = tensor.empty() : tensor<512x64xf32>
    %7 = linalg.fill ins(%cst : f32) outs(%6 : tensor<512x64xf32>) -> tensor<512x64xf32>
    %8 = linalg.matmul ins(%5, %arg0 : tensor<512x16xbf16>, tensor<16x64xbf16>) outs(%7 : tensor<512x64xf32>) -> tensor<512x64xf32>
    %9 = tensor.empty() : tensor<512x64xbf16>
    %10 = linalg.generic {indexing_maps = [#map3, #map3], iterator_types = ["parallel", "parallel"]} ins(%8 : tensor<512x64xf32>) outs(%9 : tensor<512x64xbf16>) {
    ^bb0(%in: f32, %out: bf16):
      %741 = arith.truncf %in : f32 to bf16
      linalg.yield %741 : bf16
    } -> tensor<512x64xbf16>
    %11 = tensor.empty() : tensor<32x64xf32>
    %12 = linalg.generic {indexing_maps = [#map3, #map3], iterator_types = ["parallel", "parallel"]} ins(%arg1 : tensor<32x64xbf16>) outs(%11 : tensor<32x64xf32>) {
    ^bb0(%in: bf16, %out: f32):
      %741 = arith.extf %in : bf16 to f32
      linalg.yield %741 : f32
    } -> tensor<32x64xf32>
    %expanded_12 = tensor.expand_shape %10 [[0, 1], [2]] output_shape [16, 32, 64] : tensor<512x64xbf16> into tensor<16x32x64xbf16>
    %13 = tensor.empty() : tensor<16x32x64xf32>
    %14 = linalg.generic {indexing_maps = [#map4, #map4], iterator_types = ["parallel", "parallel", "parallel"]} ins(%expanded_12 : tensor<16x32x64xbf16>) outs(%13 : tensor<16x32x64xf32>) {
    ^bb0(%in: bf16, %out: f32):
      %741 = arith.extf %in : bf16 to f32
      linalg.yield %741 : f32
    } -> tensor<16x32x64xf32>
    %15 = linalg.generic {indexing_maps = [#map4, #map5, #map4], iterator_types = ["parallel", "parallel", "parallel"]} ins(%14, %12 : tensor<16x32x64xf32>, tensor<32x64xf32>) outs(%13 : tensor<16x32x64xf32>) {
    ^bb0(%in: f32, %in_246: f32, %out: f32):
      %741 = arith.addf %in, %in_246 : f32
      linalg.yield %741 : f32
    } -> tensor<16x32x64xf32>
    %16 = tensor.empty() : tensor<16x32x64xbf16>
    %17 = linalg.generic {indexing_maps = [#map4, #map4], iterator_types = ["parallel", "parallel", "parallel"]} ins(%15 : tensor<16x32x64xf32>) outs(%16 : tensor<16x32x64xbf16>) {
    ^bb0(%in: f32, %out: bf16):
      %741 = arith.truncf %in : f32 to bf16
      linalg.yield %741 : bf16
    } -> tensor<16x32x64xbf16>
    %18 = linalg.generic {indexing_maps = [#map4, #map4], iterator_types = ["parallel", "parallel", "parallel"]} ins(%17 : tensor<16x32x64xbf16>) outs(%13 : tensor<16x32x64xf32>) {
    ^bb0(%in: bf16, %out: f32):
      %741 = arith.extf %in : bf16 to f32
      linalg.yield %741 : f32
    } -> tensor<16x32x64xf32>
    %19 = linalg.generic {indexing_maps = [#map4, #map4], iterator_types = ["parallel", "parallel", "parallel"]} ins(%18 : tensor<16x32x64xf32>) outs(%13 : tensor<16x32x64xf32>) {
    ^bb0(%in: f32, %out: f32):
      %741 = math.fpowi %in, %c2_i64 : f32, i64
      linalg.yield %741 : f32
    } -> tensor<16x32x64xf32>
    %20 = tensor.empty() : tensor<16x32x1xf32>
    %21 = linalg.fill ins(%cst : f32) outs(%20 : tensor<16x32x1xf32>) -> tensor<16x32x1xf32>
    %22 = linalg.generic {indexing_maps = [#map4, #map6], iterator_types = ["parallel", "parallel", "reduction"]} ins(%19 : tensor<16x32x64xf32>) outs(%21 : tensor<16x32x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      %741 = arith.addf %in, %out : f32
      linalg.yield %741 : f32
    } -> tensor<16x32x1xf32>
    %23 = linalg.generic {indexing_maps = [#map4, #map4], iterator_types = ["parallel", "parallel", "parallel"]} ins(%22 : tensor<16x32x1xf32>) outs(%20 : tensor<16x32x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      %741 = arith.divf %in, %cst_8 : f32
      linalg.yield %741 : f32
    } -> tensor<16x32x1xf32>
    %24 = linalg.generic {indexing_maps = [#map4, #map4], iterator_types = ["parallel", "parallel", "parallel"]} ins(%23 : tensor<16x32x1xf32>) outs(%20 : tensor<16x32x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      %741 = arith.truncf %cst_7 : f64 to f32
      %742 = arith.addf %in, %741 : f32
      linalg.yield %742 : f32
    } -> tensor<16x32x1xf32>
    %25 = linalg.generic {indexing_maps = [#map4, #map4], iterator_types = ["parallel", "parallel", "parallel"]} ins(%24 : tensor<16x32x1xf32>) outs(%20 : tensor<16x32x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      %741 = math.rsqrt %in : f32
      linalg.yield %741 : f32
    } -> tensor<16x32x1xf32>
    %26 = linalg.generic {indexing_maps = [#map4, #map6, #map4], iterator_types = ["parallel", "parallel", "parallel"]} ins(%18, %25 : tensor<16x32x64xf32>, tensor<16x32x1xf32>) outs(%13 : tensor<16x32x64xf32>) {
    ^bb0(%in: f32, %in_246: f32, %out: f32):
      %741 = arith.mulf %in, %in_246 : f32
      linalg.yield %741 : f32
    } -> tensor<16x32x64xf32>
    %27 = tensor.empty() : tensor<64xf32>
    %28 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel"]} ins(%arg2 : tensor<64xbf16>) outs(%27 : tensor<64xf32>) {
    ^bb0(%in: bf16, %out: f32):
      %741 = arith.extf %in : bf16 to f32
      linalg.yield %741 : f32
    } -> tensor<64xf32>
    %29 = linalg.generic {indexing_maps = [#map4, #map7, #map4], iterator_types = ["parallel", "parallel", "parallel"]} ins(%26, %28 : tensor<16x32x64xf32>, tensor<64xf32>) outs(%13 : tensor<16x32x64xf32>) {
    ^bb0(%in: f32, %in_246: f32, %out: f32):
      %741 = arith.mulf %in, %in_246 : f32
      linalg.yield %741 : f32
    } -> tensor<16x32x64xf32>
    %30 = linalg.generic {indexing_maps = [#map4, #map4], iterator_types = ["parallel", "parallel", "parallel"]} ins(%29 : tensor<16x32x64xf32>) outs(%16 : tensor<16x32x64xbf16>) {
    ^bb0(%in: f32, %out: bf16):
      %741 = arith.truncf %in : f32 to bf16
      linalg.yield %741 : bf16
    } -> tensor<16x32x64xbf16>
    %collapsed_13 = tensor.collapse_shape %30 [[0, 1], [2]] : tensor<16x32x64xbf16> into tensor<512x64xbf16>
    %31 = tensor.empty() : tensor<64x64xbf16>
    %transposed = linalg.transpose ins(%arg3 : tensor<64x64xbf16>) outs(%31 : tensor<64x64xbf16>) permutation = [1, 0] 
    %32 = linalg.matmul ins(%collapsed_13, %transposed : tensor<512x64xbf16>, tensor<64x64xbf16>) outs(%7 : tensor<512x64xf32>) -> tensor<512x64xf32>
    %33 = linalg.generic {indexing_maps = [#map3, #map3], iterator_types = ["parallel", "parallel"]} ins(%32 : tensor<512x64xf32>) outs(%9 : tensor<512x64xbf16>) {
    ^bb0(%in: f32, %out: bf16):
      %741 = arith.truncf %in : f32 to bf16
      linalg.yield %741 : bf16
    } -> tensor<512x64xbf16>
    %expanded_14 = tensor.expand_shape %33 [[0, 1], [2, 3]] output_shape [16, 32, 2, 32] : tensor<512x64xbf16> into tensor<16x32x2x32xbf16>
    %34 = tensor.empty() : tensor<16x2x32x32xbf16>
    %transposed_15 = linalg.transpose ins(%expanded_14 : tensor<16x32x2x32xbf16>) outs(%34 : tensor<16x2x32x32xbf16>) permutation = [0, 2, 1, 3] 
    %transposed_16 = linalg.transpose ins(%arg4 : tensor<64x64xbf16>) outs(%31 : tensor<64x64xbf16>) permutation = [1, 0] 
    %35 = linalg.matmul ins(%collapsed_13, %transposed_16 : tensor<512x64xbf16>, tensor<64x64xbf16>) outs(%7 : tensor<512x64xf32>) -> tensor<512x64xf32>
    %36 = linalg.generic {indexing_maps = [#map3, #map3], iterator_types = ["parallel", "parallel"]} ins(%35 : tensor<512x64xf32>) outs(%9 : tensor<512x64xbf16>) {
    ^bb0(%in: f32, %out: bf16):
      %741 = arith.truncf %in : f32 to bf16
      linalg.yield %741 : bf16
    } -> tensor<512x64xbf16>
    %expanded_17 = tensor.expand_shape %36 [[0, 1], [2, 3]] output_shape [16, 32, 2, 32] : tensor<512x64xbf16> into tensor<16x32x2x32xbf16>
    %transposed_18 = linalg.transpose ins(%arg5 : tensor<64x64xbf16>) outs(%31 : tensor<64x64xbf16>) permutation = [1, 0] 
    %37 = linalg.matmul ins(%collapsed_13, %transposed_18 : tensor<512x64xbf16>, tensor<64x64xbf16>) outs(%7 : tensor<512x64xf32>) -> tensor<512x64xf32>
    %38 = linalg.generic {indexing_maps = [#map3, #map3], iterator_types = ["parallel", "parallel"]} ins(%37 : tensor<512x64xf32>) outs(%9 : tensor<512x64xbf16>) {
    ^bb0(%in: f32, %out: bf16):
      %741 = arith.truncf %in : f32 to bf16
      linalg.yield %741 : bf16
    } -> tensor<512x64xbf16>
    %expanded_19 = tensor.expand_shape %38 [[0, 1], [2, 3]] output_shape [16, 32, 2, 32] : tensor<512x64xbf16> into tensor<16x32x2x32xbf16>
    %transposed_20 = linalg.transpose ins(%expanded_19 : tensor<16x32x2x32xbf16>) outs(%34 : tensor<16x2x32x32xbf16>) permutation = [0, 2, 1, 3] 
    %transposed_21 = linalg.transpose ins(%expanded_17 : tensor<16x32x2x32xbf16>) outs(%34 : tensor<16x2x32x32xbf16>) permutation = [0, 2, 3, 1] 
    %collapsed_22 = tensor.collapse_shape %transposed_15 [[0, 1], [2], [3]] : tensor<16x2x32x32xbf16> into tensor<32x32x32xbf16>
    %collapsed_23 = tensor.collapse_shape %transposed_21 [[0, 1], [2], [3]] : tensor<16x2x32x32xbf16> into tensor<32x32x32xbf16>
    %39 = tensor.empty() : tensor<32x32x32xf32>
    %40 = linalg.fill ins(%cst : f32) outs(%39 : tensor<32x32x32xf32>) -> tensor<32x32x32xf32>
    %41 = linalg.batch_matmul ins(%collapsed_22, %collapsed_23 : tensor<32x32x32xbf16>, tensor<32x32x32xbf16>) outs(%40 : tensor<32x32x32xf32>) -> tensor<32x32x32xf32>
    %42 = tensor.empty() : tensor<32x32x32xbf16>
    %43 = linalg.generic {indexing_maps = [#map4, #map4], iterator_types = ["parallel", "parallel", "parallel"]} ins(%41 : tensor<32x32x32xf32>) outs(%42 : tensor<32x32x32xbf16>) {
    ^bb0(%in: f32, %out: bf16):
      %741 = arith.truncf %in : f32 to bf16
      linalg.yield %741 : bf16
    } -> tensor<32x32x32xbf16>
    %expanded_24 = tensor.expand_shape %43 [[0, 1], [2], [3]] output_shape [16, 2, 32, 32] : tensor<32x32x32xbf16> into tensor<16x2x32x32xbf16>
    %44 = tensor.empty() : tensor<16x2x32x32xf32>
    %45 = linalg.generic {indexing_maps = [#map8, #map8], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%expanded_24 : tensor<16x2x32x32xbf16>) outs(%44 : tensor<16x2x32x32xf32>) {
    ^bb0(%in: bf16, %out: f32):
      %741 = arith.extf %in : bf16 to f32
      linalg.yield %741 : f32
    } -> tensor<16x2x32x32xf32>
    %46 = linalg.generic {indexing_maps = [#map8, #map8], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%45 : tensor<16x2x32x32xf32>) outs(%44 : tensor<16x2x32x32xf32>) {
    ^bb0(%in: f32, %out: f32):
      %741 = arith.truncf %cst_6 : f64 to f32
      %742 = arith.mulf %in, %741 : f32
      linalg.yield %742 : f32
    } -> tensor<16x2x32x32xf32>
    %47 = tensor.empty() : tensor<32xi64>
    %48 = linalg.generic {indexing_maps = [#map], iterator_types = ["parallel"]} outs(%47 : tensor<32xi64>) {
    ^bb0(%out: i64):
      %741 = linalg.index 0 : index
      %742 = arith.index_cast %741 : index to i64
      linalg.yield %742 : i64
    } -> tensor<32xi64>
    %expanded_25 = tensor.expand_shape %48 [[0, 1]] output_shape [1, 32] : tensor<32xi64> into tensor<1x32xi64>
    %expanded_26 = tensor.expand_shape %48 [[0, 1]] output_shape [32, 1] : tensor<32xi64> into tensor<32x1xi64>
    %49 = tensor.empty() : tensor<32x32xi1>
    %50 = linalg.generic {indexing_maps = [#map9, #map1, #map3], iterator_types = ["parallel", "parallel"]} ins(%expanded_25, %expanded_26 : tensor<1x32xi64>, tensor<32x1xi64>) outs(%49 : tensor<32x32xi1>) {
    ^bb0(%in: i64, %in_246: i64, %out: i1):
      %741 = arith.cmpi sgt, %in, %in_246 : i64
      linalg.yield %741 : i1
    } -> tensor<32x32xi1>
    %51 = linalg.generic {indexing_maps = [#map10, #map11, #map8, #map8], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%50, %cst_5, %46 : tensor<32x32xi1>, tensor<f32>, tensor<16x2x32x32xf32>) outs(%44 : tensor<16x2x32x32xf32>) {
    ^bb0(%in: i1, %in_246: f32, %in_247: f32, %out: f32):
      %741 = arith.select %in, %in_246, %in_247 : f32
      linalg.yield %741 : f32
    } -> tensor<16x2x32x32xf32>
    %52 = tensor.empty() : tensor<16x2x32xi64>
    %53 = linalg.fill ins(%c0_i64 : i64) outs(%52 : tensor<16x2x32xi64>) -> tensor<16x2x32xi64>
    %54 = tensor.empty() : tensor<16x2x32xf32>
    %55 = linalg.fill ins(%cst_0 : f32) outs(%54 : tensor<16x2x32xf32>) -> tensor<16x2x32xf32>
    %56:2 = linalg.generic {indexing_maps = [#map8, #map12, #map12], iterator_types = ["parallel", "parallel", "parallel", "reduction"]} ins(%51 : tensor<16x2x32x32xf32>) outs(%55, %53 : tensor<16x2x32xf32>, tensor<16x2x32xi64>) {
    ^bb0(%in: f32, %out: f32, %out_246: i64):
      %741 = linalg.index 3 : index
      %742 = arith.index_cast %741 : index to i64
      %743 = arith.maximumf %in, %out : f32
      %744 = arith.cmpf ogt, %in, %out : f32
      %745 = arith.select %744, %742, %out_246 : i64
      linalg.yield %743, %745 : f32, i64
    } -> (tensor<16x2x32xf32>, tensor<16x2x32xi64>)
    %expanded_27 = tensor.expand_shape %56#0 [[0], [1], [2, 3]] output_shape [16, 2, 32, 1] : tensor<16x2x32xf32> into tensor<16x2x32x1xf32>
    %57 = linalg.generic {indexing_maps = [#map8, #map13, #map8], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%51, %expanded_27 : tensor<16x2x32x32xf32>, tensor<16x2x32x1xf32>) outs(%44 : tensor<16x2x32x32xf32>) {
    ^bb0(%in: f32, %in_246: f32, %out: f32):
      %741 = arith.subf %in, %in_246 : f32
      linalg.yield %741 : f32
    } -> tensor<16x2x32x32xf32>
    %58 = linalg.generic {indexing_maps = [#map8, #map8], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%57 : tensor<16x2x32x32xf32>) outs(%44 : tensor<16x2x32x32xf32>) {
    ^bb0(%in: f32, %out: f32):
      %741 = math.exp %in : f32
      linalg.yield %741 : f32
    } -> tensor<16x2x32x32xf32>
    %59 = tensor.empty() : tensor<16x2x32x1xf32>
    %60 = linalg.fill ins(%cst : f32) outs(%59 : tensor<16x2x32x1xf32>) -> tensor<16x2x32x1xf32>
    %61 = linalg.generic {indexing_maps = [#map8, #map13], iterator_types = ["parallel", "parallel", "parallel", "reduction"]} ins(%58 : tensor<16x2x32x32xf32>) outs(%60 : tensor<16x2x32x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      %741 = arith.addf %in, %out : f32
      linalg.yield %741 : f32
    } -> tensor<16x2x32x1xf32>
    %62 = linalg.generic {indexing_maps = [#map8, #map13, #map8], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%58, %61 : tensor<16x2x32x32xf32>, tensor<16x2x32x1xf32>) outs(%44 : tensor<16x2x32x32xf32>) {
    ^bb0(%in: f32, %in_246: f32, %out: f32):
      %741 = arith.divf %in, %in_246 : f32
      linalg.yield %741 : f32
    } -> tensor<16x2x32x32xf32>
    %63 = linalg.generic {indexing_maps = [#map8, #map8], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%62 : tensor<16x2x32x32xf32>) outs(%34 : tensor<16x2x32x32xbf16>) {
    ^bb0(%in: f32, %out: bf16):
      %741 = arith.truncf %in : f32 to bf16
      linalg.yield %741 : bf16
    } -> tensor<16x2x32x32xbf16>
    %collapsed_28 = tensor.collapse_shape %63 [[0, 1], [2], [3]] : tensor<16x2x32x32xbf16> into tensor<32x32x32xbf16>
    %collapsed_29 = tensor.collapse_shape %transposed_20 [[0, 1], [2], [3]] : tensor<16x2x32x32xbf16> into tensor<32x32x32xbf16>
    %64 = linalg.batch_matmul ins(%collapsed_28, %collapsed_29 : tensor<32x32x32xbf16>, tensor<32x32x32xbf16>) outs(%40 : tensor<32x32x32xf32>) -> tensor<32x32x32xf32>
    %65 = linalg.generic {indexing_maps = [#map4, #map4], iterator_types = ["parallel", "parallel", "parallel"]} ins(%64 : tensor<32x32x32xf32>) outs(%42 : tensor<32x32x32xbf16>) {
    ^bb0(%in: f32, %out: bf16):
      %741 = arith.truncf %in : f32 to bf16
      linalg.yield %741 : bf16
    } -> tensor<32x32x32xbf16>
    %expanded_30 = tensor.expand_shape %65 [[0, 1], [2], [3]] output_shape [16, 2, 32, 32] : tensor<32x32x32xbf16> into tensor<16x2x32x32xbf16>
    %66 = tensor.empty() : tensor<16x32x2x32xbf16>
    %transposed_31 = linalg.transpose ins(%expanded_30 : tensor<16x2x32x32xbf16>) outs(%66 : tensor<16x32x2x32xbf16>) permutation = [0, 2, 1, 3] 
    %collapsed_32 = tensor.collapse_shape %transposed_31 [[0, 1], [2, 3]] : tensor<16x32x2x32xbf16> into tensor<512x64xbf16>
    %transposed_33 = linalg.transpose ins(%arg6 : tensor<64x64xbf16>) outs(%31 : tensor<64x64xbf16>) permutation = [1, 0] 
    %67 = linalg.matmul ins(%collapsed_32, %transposed_33 : tensor<512x64xbf16>, tensor<64x64xbf16>) outs(%7 : tensor<512x64xf32>) -> tensor<512x64xf32>
    %68 = linalg.generic {indexing_maps = [#map3, #map3], iterator_types = ["parallel", "parallel"]} ins(%67 : tensor<512x64xf32>) outs(%9 : tensor<512x64xbf16>) {
    ^bb0(%in: f32, %out: bf16):
      %741 = arith.truncf %in : f32 to bf16
      linalg.yield %741 : bf16
    } -> tensor<512x64xbf16>
    %expanded_34 = tensor.expand_shape %68 [[0, 1], [2]] output_shape [16, 32, 64] : tensor<512x64xbf16> into tensor<16x32x64xbf16>
    %69 = linalg.generic {indexing_maps = [#map4, #map4, #map4], iterator_types = ["parallel", "parallel", "parallel"]} ins(%17, %expanded_34 : tensor<16x32x64xbf16>, tensor<16x32x64xbf16>) outs(%16 : tensor<16x32x64xbf16>) {
    ^bb0(%in: bf16, %in_246: bf16, %out: bf16):
      %741 = arith.addf %in, %in_246 : bf16
      linalg.yield %741 : bf16
    } -> tensor<16x32x64xbf16>
    %70 = linalg.generic {indexing_maps = [#map4, #map4], iterator_types = ["parallel", "parallel", "parallel"]} ins(%69 : tensor<16x32x64xbf16>) outs(%13 : tensor<16x32x64xf32>) {
    ^bb0(%in: bf16, %out: f32):
      %741 = arith.extf %in : bf16 to f32
      linalg.yield %741 : f32
    } -> tensor<16x32x64xf32>
    %71 = linalg.generic {indexing_maps = [#map4, #map4], iterator_types = ["parallel", "parallel", "parallel"]} ins(%70 : tensor<16x32x64xf32>) outs(%13 : tensor<16x32x64xf32>) {
    ^bb0(%in: f32, %out: f32):
      %741 = math.fpowi %in, %c2_i64 : f32, i64
      linalg.yield %741 : f32
    } -> tensor<16x32x64xf32>
    %72 = linalg.generic {indexing_maps = [#map4, #map6], iterator_types = ["parallel", "parallel", "reduction"]} ins(%71 : tensor<16x32x64xf32>) outs(%21 : tensor<16x32x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      %741 = arith.addf %in, %out : f32
      linalg.yield %741 : f32
    } -> tensor<16x32x1xf32>
    %73 = linalg.generic {indexing_maps = [#map4, #map4], iterator_types = ["parallel", "parallel", "parallel"]} ins(%72 : tensor<16x32x1xf32>) outs(%20 : tensor<16x32x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      %741 = arith.divf %in, %cst_8 : f32
      linalg.yield %741 : f32
    } -> tensor<16x32x1xf32>
    %74 = linalg.generic {indexing_maps = [#map4, #map4], iterator_types = ["parallel", "parallel", "parallel"]} ins(%73 : tensor<16x32x1xf32>) outs(%20 : tensor<16x32x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      %741 = arith.truncf %cst_7 : f64 to f32
      %742 = arith.addf %in, %741 : f32
      linalg.yield %742 : f32
    } -> tensor<16x32x1xf32>
    %75 = linalg.generic {indexing_maps = [#map4, #map4], iterator_types = ["parallel", "parallel", "parallel"]} ins(%74 : tensor<16x32x1xf32>) outs(%20 : tensor<16x32x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      %741 = math.rsqrt %in : f32
      linalg.yield %741 : f32
    } -> tensor<16x32x1xf32>
    %76 = linalg.generic {indexing_maps = [#map4, #map6, #map4], iterator_types = ["parallel", "parallel", "parallel"]} ins(%70, %75 : tensor<16x32x64xf32>, tensor<16x32x1xf32>) outs(%13 : tensor<16x32x64xf32>) {
    ^bb0(%in: f32, %in_246: f32, %out: f32):
      %741 = arith.mulf %in, %in_246 : f32
      linalg.yield %741 : f32
    } -> tensor<16x32x64xf32>
    %77 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel"]} ins(%arg7 : tensor<64xbf16>) outs(%27 : tensor<64xf32>) {
    ^bb0(%in: bf16, %out: f32):
      %741 = arith.extf %in : bf16 to f32
      linalg.yield %741 : f32
    } -> tensor<64xf32>
    %78 = linalg.generic {indexing_maps = [#map4, #map7, #map4], iterator_types = ["parallel", "parallel", "parallel"]} ins(%76, %77 : tensor<16x32x64xf32>, tensor<64xf32>) outs(%13 : tensor<16x32x64xf32>) {
    ^bb0(%in: f32, %in_246: f32, %out: f32):
      %741 = arith.mulf %in, %in_246 : f32
      linalg.yield %741 : f32
    } -> tensor<16x32x64xf32>
    %79 = linalg.generic {indexing_maps = [#map4, #map4], iterator_types = ["parallel", "parallel", "parallel"]} ins(%78 : tensor<16x32x64xf32>) outs(%16 : tensor<16x32x64xbf16>) {
    ^bb0(%in: f32, %out: bf16):
      %741 = arith.truncf %in : f32 to bf16
      linalg.yield %741 : bf16
    } -> tensor<16x32x64xbf16>
    %collapsed_35 = tensor.collapse_shape %79 [[0, 1], [2]] : tensor<16x32x64xbf16> into tensor<512x64xbf16>
    %80 = tensor.empty() : tensor<64x4xbf16>
    %transposed_36 = linalg.transpose ins(%arg8 : tensor<4x64xbf16>) outs(%80 : tensor<64x4xbf16>) permutation = [1, 0] 
    %81 = tensor.empty() : tensor<512x4xf32>
    %82 = linalg.fill ins(%cst : f32) outs(%81 : tensor<512x4xf32>) -> tensor<512x4xf32>
    %83 = linalg.matmul ins(%collapsed_35, %transposed_36 : tensor<512x64xbf16>, tensor<64x4xbf16>) outs(%82 : tensor<512x4xf32>) -> tensor<512x4xf32>
    %84 = tensor.empty() : tensor<512x4xbf16>
    %85 = linalg.generic {indexing_maps = [#map3, #map3], iterator_types = ["parallel", "parallel"]} ins(%83 : tensor<512x4xf32>) outs(%84 : tensor<512x4xbf16>) {
    ^bb0(%in: f32, %out: bf16):
      %741 = arith.truncf %in : f32 to bf16
      linalg.yield %741 : bf16
    } -> tensor<512x4xbf16>
    %86 = linalg.generic {indexing_maps = [#map3, #map3], iterator_types = ["parallel", "parallel"]} ins(%85 : tensor<512x4xbf16>) outs(%81 : tensor<512x4xf32>) {
    ^bb0(%in: bf16, %out: f32):
      %741 = arith.extf %in : bf16 to f32
      linalg.yield %741 : f32
    } -> tensor<512x4xf32>
    %87 = tensor.empty() : tensor<512xi64>
    %88 = linalg.fill ins(%c0_i64 : i64) outs(%87 : tensor<512xi64>) -> tensor<512xi64>
    %89 = tensor.empty() : tensor<512xf32>
    %90 = linalg.fill ins(%cst_0 : f32) outs(%89 : tensor<512xf32>) -> tensor<512xf32>
    %91:2 = linalg.generic {indexing_maps = [#map3, #map14, #map14], iterator_types = ["parallel", "reduction"]} ins(%86 : tensor<512x4xf32>) outs(%90, %88 : tensor<512xf32>, tensor<512xi64>) {
    ^bb0(%in: f32, %out: f32, %out_246: i64):
      %741 = linalg.index 1 : index
      %742 = arith.index_cast %741 : index to i64
      %743 = arith.maximumf %in, %out : f32
      %744 = arith.cmpf ogt, %in, %out : f32
      %745 = arith.select %744, %742, %out_246 : i64
      linalg.yield %743, %745 : f32, i64
    } -> (tensor<512xf32>, tensor<512xi64>)
    %expanded_37 = tensor.expand_shape %91#0 [[0, 1]] output_shape [512, 1] : tensor<512xf32> into tensor<512x1xf32>
    %92 = linalg.generic {indexing_maps = [#map3, #map1, #map3], iterator_types = ["parallel", "parallel"]} ins(%86, %expanded_37 : tensor<512x4xf32>, tensor<512x1xf32>) outs(%81 : tensor<512x4xf32>) {
    ^bb0(%in: f32, %in_246: f32, %out: f32):
      %741 = arith.subf %in, %in_246 : f32
      linalg.yield %741 : f32
    } -> tensor<512x4xf32>
    %93 = linalg.generic {indexing_maps = [#map3, #map3], iterator_types = ["parallel", "parallel"]} ins(%92 : tensor<512x4xf32>) outs(%81 : tensor<512x4xf32>) {
    ^bb0(%in: f32, %out: f32):
      %741 = math.exp %in : f32
      linalg.yield %741 : f32
    } -> tensor<512x4xf32>
    %94 = tensor.empty() : tensor<512x1xf32>
    %95 = linalg.fill ins(%cst : f32) outs(%94 : tensor<512x1xf32>) -> tensor<512x1xf32>
    %96 = linalg.generic {indexing_maps = [#map3, #map1], iterator_types = ["parallel", "reduction"]} ins(%93 : tensor<512x4xf32>) outs(%95 : tensor<512x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      %741 = arith.addf %in, %out : f32
      linalg.yield %741 : f32
    } -> tensor<512x1xf32>
    %97 = linalg.generic {indexing_maps = [#map3, #map1, #map3], iterator_types = ["parallel", "parallel"]} ins(%93, %96 : tensor<512x4xf32>, tensor<512x1xf32>) outs(%81 : tensor<512x4xf32>) {
    ^bb0(%in: f32, %in_246: f32, %out: f32):
      %741 = arith.divf %in, %in_246 : f32
      linalg.yield %741 : f32
    } -> tensor<512x4xf32>
    %expanded_38 = tensor.expand_shape %97 [[0], [1, 2]] output_shape [512, 4, 1] : tensor<512x4xf32> into tensor<512x4x1xf32>
    %expanded_39 = tensor.expand_shape %97 [[0], [1, 2]] output_shape [512, 1, 4] : tensor<512x4xf32> into tensor<512x1x4xf32>
    %98 = tensor.empty() : tensor<4xi64>
    %99 = linalg.generic {indexing_maps = [#map], iterator_types = ["parallel"]} outs(%98 : tensor<4xi64>) {
    ^bb0(%out: i64):
      %741 = linalg.index 0 : index
      %742 = arith.index_cast %741 : index to i64
      linalg.yield %742 : i64
    } -> tensor<4xi64>
    %expanded_40 = tensor.expand_shape %99 [[0, 1]] output_shape [1, 4] : tensor<4xi64> into tensor<1x4xi64>
    %expanded_41 = tensor.expand_shape %99 [[0, 1]] output_shape [4, 1] : tensor<4xi64> into tensor<4x1xi64>
    %100 = tensor.empty() : tensor<4x4xi1>
    %101 = linalg.generic {indexing_maps = [#map9, #map1, #map3], iterator_types = ["parallel", "parallel"]} ins(%expanded_40, %expanded_41 : tensor<1x4xi64>, tensor<4x1xi64>) outs(%100 : tensor<4x4xi1>) {
    ^bb0(%in: i64, %in_246: i64, %out: i1):
      %741 = arith.cmpi slt, %in, %in_246 : i64
      linalg.yield %741 : i1
    } -> tensor<4x4xi1>
    %102 = tensor.empty() : tensor<512x4x4xi1>
    %103 = linalg.generic {indexing_maps = [#map15, #map6, #map4], iterator_types = ["parallel", "parallel", "parallel"]} ins(%expanded_39, %expanded_38 : tensor<512x1x4xf32>, tensor<512x4x1xf32>) outs(%102 : tensor<512x4x4xi1>) {
    ^bb0(%in: f32, %in_246: f32, %out: i1):
      %741 = arith.cmpf ogt, %in, %in_246 : f32
      linalg.yield %741 : i1
    } -> tensor<512x4x4xi1>
    %104 = linalg.generic {indexing_maps = [#map15, #map6, #map4], iterator_types = ["parallel", "parallel", "parallel"]} ins(%expanded_39, %expanded_38 : tensor<512x1x4xf32>, tensor<512x4x1xf32>) outs(%102 : tensor<512x4x4xi1>) {
    ^bb0(%in: f32, %in_246: f32, %out: i1):
      %741 = arith.cmpf oeq, %in, %in_246 : f32
      linalg.yield %741 : i1
    } -> tensor<512x4x4xi1>
    %105 = linalg.generic {indexing_maps = [#map4, #map5, #map4], iterator_types = ["parallel", "parallel", "parallel"]} ins(%104, %101 : tensor<512x4x4xi1>, tensor<4x4xi1>) outs(%102 : tensor<512x4x4xi1>) {
    ^bb0(%in: i1, %in_246: i1, %out: i1):
      %741 = arith.andi %in, %in_246 : i1
      linalg.yield %741 : i1
    } -> tensor<512x4x4xi1>
    %106 = linalg.generic {indexing_maps = [#map4, #map4, #map4], iterator_types = ["parallel", "parallel", "parallel"]} ins(%103, %105 : tensor<512x4x4xi1>, tensor<512x4x4xi1>) outs(%102 : tensor<512x4x4xi1>) {
    ^bb0(%in: i1, %in_246: i1, %out: i1):
      %741 = arith.ori %in, %in_246 : i1
      linalg.yield %741 : i1
    } -> tensor<512x4x4xi1>
    %107 = tensor.empty() : tensor<512x4x4xf32>
    %108 = linalg.generic {indexing_maps = [#map4, #map4], iterator_types = ["parallel", "parallel", "parallel"]} ins(%106 : tensor<512x4x4xi1>) outs(%107 : tensor<512x4x4xf32>) {
    ^bb0(%in: i1, %out: f32):
      %741 = arith.uitofp %in : i1 to f32
      linalg.yield %741 : f32
    } -> tensor<512x4x4xf32>
    %109 = linalg.generic {indexing_maps = [#map4, #map16], iterator_types = ["parallel", "parallel", "reduction"]} ins(%108 : tensor<512x4x4xf32>) outs(%82 : tensor<512x4xf32>) {
    ^bb0(%in: f32, %out: f32):
      %741 = arith.addf %in, %out : f32
      linalg.yield %741 : f32
    } -> tensor<512x4xf32>
    %110 = tensor.empty() : tensor<512x4xi1>
    %111 = linalg.generic {indexing_maps = [#map3, #map3], iterator_types = ["parallel", "parallel"]} ins(%109 : tensor<512x4xf32>) outs(%110 : tensor<512x4xi1>) {
    ^bb0(%in: f32, %out: i1):
      %741 = arith.cmpf olt, %in, %cst_9 : f32
      linalg.yield %741 : i1
    } -> tensor<512x4xi1>
    %112 = linalg.generic {indexing_maps = [#map3, #map3], iterator_types = ["parallel", "parallel"]} ins(%111 : tensor<512x4xi1>) outs(%81 : tensor<512x4xf32>) {
    ^bb0(%in: i1, %out: f32):
      %741 = arith.uitofp %in : i1 to f32
      linalg.yield %741 : f32
    } -> tensor<512x4xf32>
    %113 = linalg.generic {indexing_maps = [#map3, #map3, #map3], iterator_types = ["parallel", "parallel"]} ins(%97, %112 : tensor<512x4xf32>, tensor<512x4xf32>) outs(%81 : tensor<512x4xf32>) {
    ^bb0(%in: f32, %in_246: f32, %out: f32):
      %741 = arith.mulf %in, %in_246 : f32
      linalg.yield %741 : f32
    } -> tensor<512x4xf32>
    %114 = linalg.generic {indexing_maps = [#map3, #map1], iterator_types = ["parallel", "reduction"]} ins(%113 : tensor<512x4xf32>) outs(%95 : tensor<512x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      %741 = arith.addf %in, %out : f32
      linalg.yield %741 : f32
    } -> tensor<512x1xf32>
    %115 = linalg.generic {indexing_maps = [#map3, #map1, #map3], iterator_types = ["parallel", "parallel"]} ins(%113, %114 : tensor<512x4xf32>, tensor<512x1xf32>) outs(%81 : tensor<512x4xf32>) {
    ^bb0(%in: f32, %in_246: f32, %out: f32):
      %741 = arith.divf %in, %in_246 : f32
      linalg.yield %741 : f32
    } -> tensor<512x4xf32>
    %116 = tensor.empty() : tensor<4x512x64xbf16>
    %117 = linalg.generic {indexing_maps = [#map5, #map4], iterator_types = ["parallel", "parallel", "parallel"]} ins(%collapsed_35 : tensor<512x64xbf16>) outs(%116 : tensor<4x512x64xbf16>) {
    ^bb0(%in: bf16, %out: bf16):
      linalg.yield %in : bf16
    } -> tensor<4x512x64xbf16>
    %118 = tensor.empty() : tensor<4x64x128xbf16>
    %transposed_42 = linalg.transpose ins(%arg9 : tensor<4x128x64xbf16>) outs(%118 : tensor<4x64x128xbf16>) permutation = [0, 2, 1] 
    %119 = tensor.empty() : tensor<4x512x128xf32>
    %120 = linalg.fill ins(%cst : f32) outs(%119 : tensor<4x512x128xf32>) -> tensor<4x512x128xf32>
    %121 = linalg.batch_matmul ins(%117, %transposed_42 : tensor<4x512x64xbf16>, tensor<4x64x128xbf16>) outs(%120 : tensor<4x512x128xf32>) -> tensor<4x512x128xf32>
    %122 = tensor.empty() : tensor<4x512x128xbf16>
    %123 = linalg.generic {indexing_maps = [#map4, #map4], iterator_types = ["parallel", "parallel", "parallel"]} ins(%121 : tensor<4x512x128xf32>) outs(%122 : tensor<4x512x128xbf16>) {
    ^bb0(%in: f32, %out: bf16):
      %741 = arith.truncf %in : f32 to bf16
      linalg.yield %741 : bf16
    } -> tensor<4x512x128xbf16>
    %extracted_slice = tensor.extract_slice %123[0, 0, 0] [4, 512, 64] [1, 1, 1] : tensor<4x512x128xbf16> to tensor<4x512x64xbf16>
    %extracted_slice_43 = tensor.extract_slice %123[0, 0, 64] [4, 512, 64] [1, 1, 1] : tensor<4x512x128xbf16> to tensor<4x512x64xbf16>
    %124 = tensor.empty() : tensor<4x512x64xf32>
    %125 = linalg.generic {indexing_maps = [#map4, #map4], iterator_types = ["parallel", "parallel", "parallel"]} ins(%extracted_slice : tensor<4x512x64xbf16>) outs(%124 : tensor<4x512x64xf32>) {
    ^bb0(%in: bf16, %out: f32):
      %741 = arith.extf %in : bf16 to f32
      linalg.yield %741 : f32
    } -> tensor<4x512x64xf32>
    %126 = linalg.generic {indexing_maps = [#map4, #map4], iterator_types = ["parallel", "parallel", "parallel"]} ins(%125 : tensor<4x512x64xf32>) outs(%124 : tensor<4x512x64xf32>) {
    ^bb0(%in: f32, %out: f32):
      %741 = arith.negf %in : f32
      %742 = math.exp %741 : f32
      %743 = arith.addf %742, %cst_2 : f32
      %744 = arith.divf %cst_2, %743 : f32
      linalg.yield %744 : f32
    } -> tensor<4x512x64xf32>
    %127 = linalg.generic {indexing_maps = [#map4, #map4, #map4], iterator_types = ["parallel", "parallel", "parallel"]} ins(%125, %126 : tensor<4x512x64xf32>, tensor<4x512x64xf32>) outs(%124 : tensor<4x512x64xf32>) {
    ^bb0(%in: f32, %in_246: f32, %out: f32):
      %741 = arith.mulf %in, %in_246 : f32
      linalg.yield %741 : f32
    } -> tensor<4x512x64xf32>
    %128 = linalg.generic {indexing_maps = [#map4, #map4], iterator_types = ["parallel", "parallel", "parallel"]} ins(%extracted_slice_43 : tensor<4x512x64xbf16>) outs(%124 : tensor<4x512x64xf32>) {
    ^bb0(%in: bf16, %out: f32):
      %741 = arith.extf %in : bf16 to f32
      linalg.yield %741 : f32
    } -> tensor<4x512x64xf32>
    %129 = linalg.generic {indexing_maps = [#map4, #map4, #map4], iterator_types = ["parallel", "parallel", "parallel"]} ins(%127, %128 : tensor<4x512x64xf32>, tensor<4x512x64xf32>) outs(%124 : tensor<4x512x64xf32>) {
    ^bb0(%in: f32, %in_246: f32, %out: f32):
      %741 = arith.mulf %in, %in_246 : f32
      linalg.yield %741 : f32
    } -> tensor<4x512x64xf32>
    %130 = linalg.generic {indexing_maps = [#map4, #map4], iterator_types = ["parallel", "parallel", "parallel"]} ins(%129 : tensor<4x512x64xf32>) outs(%116 : tensor<4x512x64xbf16>) {
    ^bb0(%in: f32, %out: bf16):
      %741 = arith.truncf %in : f32 to bf16
      linalg.yield %741 : bf16
    } -> tensor<4x512x64xbf16>
    %131 = tensor.empty() : tensor<4x64x64xbf16>
    %transposed_44 = linalg.transpose ins(%arg10 : tensor<4x64x64xbf16>) outs(%131 : tensor<4x64x64xbf16>) permutation = [0, 2, 1] 
    %132 = linalg.fill ins(%cst : f32) outs(%124 : tensor<4x512x64xf32>) -> tensor<4x512x64xf32>
    %133 = linalg.batch_matmul ins(%130, %transposed_44 : tensor<4x512x64xbf16>, tensor<4x64x64xbf16>) outs(%132 : tensor<4x512x64xf32>) -> tensor<4x512x64xf32>
    %134 = linalg.generic {indexing_maps = [#map4, #map4], iterator_types = ["parallel", "parallel", "parallel"]} ins(%133 : tensor<4x512x64xf32>) outs(%116 : tensor<4x512x64xbf16>) {
    ^bb0(%in: f32, %out: bf16):
      %741 = arith.truncf %in : f32 to bf16
      linalg.yield %741 : bf16
    } -> tensor<4x512x64xbf16>
    %135 = linalg.generic {indexing_maps = [#map4, #map4], iterator_types = ["parallel", "parallel", "parallel"]} ins(%134 : tensor<4x512x64xbf16>) outs(%124 : tensor<4x512x64xf32>) {
    ^bb0(%in: bf16, %out: f32):
      %741 = arith.extf %in : bf16 to f32
      linalg.yield %741 : f32
    } -> tensor<4x512x64xf32>
    %136 = tensor.empty() : tensor<4x512xf32>
    %transposed_45 = linalg.transpose ins(%115 : tensor<512x4xf32>) outs(%136 : tensor<4x512xf32>) permutation = [1, 0] 
    %expanded_46 = tensor.expand_shape %transposed_45 [[0], [1, 2]] output_shape [4, 512, 1] : tensor<4x512xf32> into tensor<4x512x1xf32>
    %137 = linalg.generic {indexing_maps = [#map4, #map6, #map4], iterator_types = ["parallel", "parallel", "parallel"]} ins(%135, %expanded_46 : tensor<4x512x64xf32>, tensor<4x512x1xf32>) outs(%124 : tensor<4x512x64xf32>) {
    ^bb0(%in: f32, %in_246: f32, %out: f32):
      %741 = arith.mulf %in, %in_246 : f32
      linalg.yield %741 : f32
    } -> tensor<4x512x64xf32>
    %138 = linalg.generic {indexing_maps = [#map4, #map5], iterator_types = ["reduction", "parallel", "parallel"]} ins(%137 : tensor<4x512x64xf32>) outs(%7 : tensor<512x64xf32>) {
    ^bb0(%in: f32, %out: f32):
      %741 = arith.addf %in, %out : f32
      linalg.yield %741 : f32
    } -> tensor<512x64xf32>
    %139 = linalg.generic {indexing_maps = [#map3, #map3], iterator_types = ["parallel", "parallel"]} ins(%138 : tensor<512x64xf32>) outs(%9 : tensor<512x64xbf16>) {
    ^bb0(%in: f32, %out: bf16):
      %741 = arith.truncf %in : f32 to bf16
      linalg.yield %741 : bf16
    } -> tensor<512x64xbf16>
    %expanded_47 = tensor.expand_shape %139 [[0, 1], [2]] output_shape [16, 32, 64] : tensor<512x64xbf16> into tensor<16x32x64xbf16>
    %140 = linalg.generic {indexing_maps = [#map4, #map4, #map4], iterator_types = ["parallel", "parallel", "parallel"]} ins(%69, %expanded_47 : tensor<16x32x64xbf16>, tensor<16x32x64xbf16>) outs(%16 : tensor<16x32x64xbf16>) {
    ^bb0(%in: bf16, %in_246: bf16, %out: bf16):
      %741 = arith.addf %in, %in_246 : bf16
      linalg.yield %741 : bf16
    } -> tensor<16x32x64xbf16>
    %141 = linalg.generic {indexing_maps = [#map4, #map4], iterator_types = ["parallel", "parallel", "parallel"]} ins(%140 : tensor<16x32x64xbf16>) outs(%13 : tensor<16x32x64xf32>) {
    ^bb0(%in: bf16, %out: f32):
      %741 = arith.extf %in : bf16 to f32
      linalg.yield %741 : f32
    } -> tensor<16x32x64xf32>
    %142 = linalg.generic {indexing_maps = [#map4, #map4], iterator_types = ["parallel", "parallel", "parallel"]} ins(%141 : tensor<16x32x64xf32>) outs(%13 : tensor<16x32x64xf32>) {
    ^bb0(%in: f32, %out: f32):
      %741 = math.fpowi %in, %c2_i64 : f32, i64
      linalg.yield %741 : f32
    } -> tensor<16x32x64xf32>
    %143 = linalg.generic {indexing_maps = [#map4, #map6], iterator_types = ["parallel", "parallel", "reduction"]} ins(%142 : tensor<16x32x64xf32>) outs(%21 : tensor<16x32x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      %741 = arith.addf %in, %out : f32
      linalg.yield %741 : f32
    } -> tensor<16x32x1xf32>
    %144 = linalg.generic {indexing_maps = [#map4, #map4], iterator_types = ["parallel", "parallel", "parallel"]} ins(%143 : tensor<16x32x1xf32>) outs(%20 : tensor<16x32x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      %741 = arith.divf %in, %cst_8 : f32
      linalg.yield %741 : f32
    } -> tensor<16x32x1xf32>
    %145 = linalg.generic {indexing_maps = [#map4, #map4], iterator_types = ["parallel", "parallel", "parallel"]} ins(%144 : tensor<16x32x1xf32>) outs(%20 : tensor<16x32x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      %741 = arith.truncf %cst_7 : f64 to f32
      %742 = arith.addf %in, %741 : f32
      linalg.yield %742 : f32
    } -> tensor<16x32x1xf32>
    %146 = linalg.generic {indexing_maps = [#map4, #map4], iterator_types = ["parallel", "parallel", "parallel"]} ins(%145 : tensor<16x32x1xf32>) outs(%20 : tensor<16x32x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      %741 = math.rsqrt %in : f32
      linalg.yield %741 : f32
    } -> tensor<16x32x1xf32>
    %147 = linalg.generic {indexing_maps = [#map4, #map6, #map4], iterator_types = ["parallel", "parallel", "parallel"]} ins(%141, %146 : tensor<16x32x64xf32>, tensor<16x32x1xf32>) outs(%13 : tensor<16x32x64xf32>) {
    ^bb0(%in: f32, %in_246: f32, %out: f32):
      %741 = arith.mulf %in, %in_246 : f32
      linalg.yield %741 : f32
    } -> tensor<16x32x64xf32>
    %148 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel"]} ins(%arg11 : tensor<64xbf16>) outs(%27 : tensor<64xf32>) {
    ^bb0(%in: bf16, %out: f32):
      %741 = arith.extf %in : bf16 to f32
      linalg.yield %741 : f32
    } -> tensor<64xf32>
    %149 = linalg.generic {indexing_maps = [#map4, #map7, #map4], iterator_types = ["parallel", "parallel", "parallel"]} ins(%147, %148 : tensor<16x32x64xf32>, tensor<64xf32>) outs(%13 : tensor<16x32x64xf32>) {
    ^bb0(%in: f32, %in_246: f32, %out: f32):
      %741 = arith.mulf %in, %in_246 : f32
      linalg.yield %741 : f32
    } -> tensor<16x32x64xf32>
    %150 = linalg.generic {indexing_maps = [#map4, #map4], iterator_types = ["parallel", "parallel", "parallel"]} ins(%149 : tensor<16x32x64xf32>) outs(%16 : tensor<16x32x64xbf16>) {
    ^bb0(%in: f32, %out: bf16):
      %741 = arith.truncf %in : f32 to bf16
      linalg.yield %741 : bf16
    } -> tensor<16x32x64xbf16>
    %collapsed_48 = tensor.collapse_shape %150 [[0, 1], [2]] : tensor<16x32x64xbf16> into tensor<512x64xbf16>
    %transposed_49 = linalg.transpose ins(%arg12 : tensor<64x64xbf16>) outs(%31 : tensor<64x64xbf16>) permutation = [1, 0] 
    %151 = linalg.matmul ins(%collapsed_48, %transposed_49 : tensor<512x64xbf16>, tensor<64x64xbf16>) outs(%7 : tensor<512x64xf32>) -> tensor<512x64xf32>
    %152 = linalg.generic {indexing_maps = [#map3, #map3], iterator_types = ["parallel", "parallel"]} ins(%151 : tensor<512x64xf32>) outs(%9 : tensor<512x64xbf16>) {
    ^bb0(%in: f32, %out: bf16):
      %741 = arith.truncf %in : f32 to bf16
      linalg.yield %741 : bf16
    } -> tensor<512x64xbf16>
    %expanded_50 = tensor.expand_shape %152 [[0, 1], [2, 3]] output_shape [16, 32, 2, 32] : tensor<512x64xbf16> into tensor<16x32x2x32xbf16>
    %transposed_51 = linalg.transpose ins(%expanded_50 : tensor<16x32x2x32xbf16>) outs(%34 : tensor<16x2x32x32xbf16>) permutation = [0, 2, 1, 3] 
    %transposed_52 = linalg.transpose ins(%arg13 : tensor<64x64xbf16>) outs(%31 : tensor<64x64xbf16>) permutation = [1, 0] 
    %153 = linalg.matmul ins(%collapsed_48, %transposed_52 : tensor<512x64xbf16>, tensor<64x64xbf16>) outs(%7 : tensor<512x64xf32>) -> tensor<512x64xf32>
    %154 = linalg.generic {indexing_maps = [#map3, #map3], iterator_types = ["parallel", "parallel"]} ins(%153 : tensor<512x64xf32>) outs(%9 : tensor<512x64xbf16>) {
    ^bb0(%in: f32, %out: bf16):
      %741 = arith.truncf %in : f32 to bf16
      linalg.yield %741 : bf16
    } -> tensor<512x64xbf16>
    %expanded_53 = tensor.expand_shape %154 [[0, 1], [2, 3]] output_shape [16, 32, 2, 32] : tensor<512x64xbf16> into tensor<16x32x2x32xbf16>
    %transposed_54 = linalg.transpose ins(%arg14 : tensor<64x64xbf16>) outs(%31 : tensor<64x64xbf16>) permutation = [1, 0] 
    %155 = linalg.matmul ins(%collapsed_48, %transposed_54 : tensor<512x64xbf16>, tensor<64x64xbf16>) outs(%7 : tensor<512x64xf32>) -> tensor<512x64xf32>
    %156 = linalg.generic {indexing_maps = [#map3, #map3], iterator_types = ["parallel", "parallel"]} ins(%155 : tensor<512x64xf32>) outs(%9 : tensor<512x64xbf16>) {
    ^bb0(%in: f32, %out: bf16):
      %741 = arith.truncf %in : f32 to bf16
      linalg.yield %741 : bf16
    } -> tensor<512x64xbf16>
    %expanded_55 = tensor.expand_shape %156 [[0, 1], [2, 3]] output_shape [16, 32, 2, 32] : tensor<512x64xbf16> into tensor<16x32x2x32xbf16>
    %transposed_56 = linalg.transpose ins(%expanded_55 : tensor<16x32x2x32xbf16>) outs(%34 : tensor<16x2x32x32xbf16>) permutation = [0, 2, 1, 3] 
    %transposed_57 = linalg.transpose ins(%expanded_53 : tensor<16x32x2x32xbf16>) outs(%34 : tensor<16x2x32x32xbf16>) permutation = [0, 2, 3, 1] 
    %collapsed_58 = tensor.collapse_shape %transposed_51 [[0, 1], [2], [3]] : tensor<16x2x32x32xbf16> into tensor<32x32x32xbf16>
    %collapsed_59 = tensor.collapse_shape %transposed_57 [[0, 1], [2], [3]] : tensor<16x2x32x32xbf16> into tensor<32x32x32xbf16>
    %157 = linalg.batch_matmul ins(%collapsed_58, %collapsed_59 : tensor<32x32x32xbf16>, tensor<32x32x32xbf16>) outs(%40 : tensor<32x32x32xf32>) -> tensor<32x32x32xf32>
    %158 = linalg.generic {indexing_maps = [#map4, #map4], iterator_types = ["parallel", "parallel", "parallel"]} ins(%157 : tensor<32x32x32xf32>) outs(%42 : tensor<32x32x32xbf16>) {
    ^bb0(%in: f32, %out: bf16):
      %741 = arith.truncf %in : f32 to bf16
      linalg.yield %741 : bf16
    } -> tensor<32x32x32xbf16>
    %expanded_60 = tensor.expand_shape %158 [[0, 1], [2], [3]] output_shape [16, 2, 32, 32] : tensor<32x32x32xbf16> into tensor<16x2x32x32xbf16>
    %159 = linalg.generic {indexing_maps = [#map8, #map8], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%expanded_60 : tensor<16x2x32x32xbf16>) outs(%44 : tensor<16x2x32x32xf32>) {
    ^bb0(%in: bf16, %out: f32):
      %741 = arith.extf %in : bf16 to f32
      linalg.yield %741 : f32
    } -> tensor<16x2x32x32xf32>
    %160 = linalg.generic {indexing_maps = [#map8, #map8], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%159 : tensor<16x2x32x32xf32>) outs(%44 : tensor<16x2x32x32xf32>) {
    ^bb0(%in: f32, %out: f32):
      %741 = arith.truncf %cst_6 : f64 to f32
      %742 = arith.mulf %in, %741 : f32
      linalg.yield %742 : f32
    } -> tensor<16x2x32x32xf32>
    %161 = linalg.generic {indexing_maps = [#map10, #map11, #map8, #map8], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%50, %cst_5, %160 : tensor<32x32xi1>, tensor<f32>, tensor<16x2x32x32xf32>) outs(%44 : tensor<16x2x32x32xf32>) {
    ^bb0(%in: i1, %in_246: f32, %in_247: f32, %out: f32):
      %741 = arith.select %in, %in_246, %in_247 : f32
      linalg.yield %741 : f32
    } -> tensor<16x2x32x32xf32>
    %162:2 = linalg.generic {indexing_maps = [#map8, #map12, #map12], iterator_types = ["parallel", "parallel", "parallel", "reduction"]} ins(%161 : tensor<16x2x32x32xf32>) outs(%55, %53 : tensor<16x2x32xf32>, tensor<16x2x32xi64>) {
    ^bb0(%in: f32, %out: f32, %out_246: i64):
      %741 = linalg.index 3 : index
      %742 = arith.index_cast %741 : index to i64
      %743 = arith.maximumf %in, %out : f32
      %744 = arith.cmpf ogt, %in, %out : f32
      %745 = arith.select %744, %742, %out_246 : i64
      linalg.yield %743, %745 : f32, i64
    } -> (tensor<16x2x32xf32>, tensor<16x2x32xi64>)
    %expanded_61 = tensor.expand_shape %162#0 [[0], [1], [2, 3]] output_shape [16, 2, 32, 1] : tensor<16x2x32xf32> into tensor<16x2x32x1xf32>
    %163 = linalg.generic {indexing_maps = [#map8, #map13, #map8], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%161, %expanded_61 : tensor<16x2x32x32xf32>, tensor<16x2x32x1xf32>) outs(%44 : tensor<16x2x32x32xf32>) {
    ^bb0(%in: f32, %in_246: f32, %out: f32):
      %741 = arith.subf %in, %in_246 : f32
      linalg.yield %741 : f32
    } -> tensor<16x2x32x32xf32>
    %164 = linalg.generic {indexing_maps = [#map8, #map8], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%163 : tensor<16x2x32x32xf32>) outs(%44 : tensor<16x2x32x32xf32>) {
    ^bb0(%in: f32, %out: f32):
      %741 = math.exp %in : f32
      linalg.yield %741 : f32
    } -> tensor<16x2x32x32xf32>
    %165 = linalg.generic {indexing_maps = [#map8, #map13], iterator_types = ["parallel", "parallel", "parallel", "reduction"]} ins(%164 : tensor<16x2x32x32xf32>) outs(%60 : tensor<16x2x32x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      %741 = arith.addf %in, %out : f32
      linalg.yield %741 : f32
    } -> tensor<16x2x32x1xf32>
    %166 = linalg.generic {indexing_maps = [#map8, #map13, #map8], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%164, %165 : tensor<16x2x32x32xf32>, tensor<16x2x32x1xf32>) outs(%44 : tensor<16x2x32x32xf32>) {
    ^bb0(%in: f32, %in_246: f32, %out: f32):
      %741 = arith.divf %in, %in_246 : f32
      linalg.yield %741 : f32
    } -> tensor<16x2x32x32xf32>
    %167 = linalg.generic {indexing_maps = [#map8, #map8], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%166 : tensor<16x2x32x32xf32>) outs(%34 : tensor<16x2x32x32xbf16>) {
    ^bb0(%in: f32, %out: bf16):
      %741 = arith.truncf %in : f32 to bf16
      linalg.yield %741 : bf16
    } -> tensor<16x2x32x32xbf16>
    %collapsed_62 = tensor.collapse_shape %167 [[0, 1], [2], [3]] : tensor<16x2x32x32xbf16> into tensor<32x32x32xbf16>
    %collapsed_63 = tensor.collapse_shape %transposed_56 [[0, 1], [2], [3]] : tensor<16x2x32x32xbf16> into tensor<32x32x32xbf16>
    %168 = linalg.batch_matmul ins(%collapsed_62, %collapsed_63 : tensor<32x32x32xbf16>, tensor<32x32x32xbf16>) outs(%40 : tensor<32x32x32xf32>) -> tensor<32x32x32xf32>
    %169 = linalg.generic {indexing_maps = [#map4, #map4], iterator_types = ["parallel", "parallel", "parallel"]} ins(%168 : tensor<32x32x32xf32>) outs(%42 : tensor<32x32x32xbf16>) {
    ^bb0(%in: f32, %out: bf16):
      %741 = arith.truncf %in : f32 to bf16
      linalg.yield %741 : bf16
    } -> tensor<32x32x32xbf16>
    %expanded_64 = tensor.expand_shape %169 [[0, 1], [2], [3]] output_shape [16, 2, 32, 32] : tensor<32x32x32xbf16> into tensor<16x2x32x32xbf16>
    %transposed_65 = linalg.transpose ins(%expanded_64 : tensor<16x2x32x32xbf16>) outs(%66 : tensor<16x32x2x32xbf16>) permutation = [0, 2, 1, 3] 
    %collapsed_66 = tensor.collapse_shape %transposed_65 [[0, 1], [2, 3]] : tensor<16x32x2x32xbf16> into tensor<512x64xbf16>
    %transposed_67 = linalg.transpose ins(%arg15 : tensor<64x64xbf16>) outs(%31 : tensor<64x64xbf16>) permutation = [1, 0] 
    %170 = linalg.matmul ins(%collapsed_66, %transposed_67 : tensor<512x64xbf16>, tensor<64x64xbf16>) outs(%7 : tensor<512x64xf32>) -> tensor<512x64xf32>
    %171 = linalg.generic {indexing_maps = [#map3, #map3], iterator_types = ["parallel", "parallel"]} ins(%170 : tensor<512x64xf32>) outs(%9 : tensor<512x64xbf16>) {
    ^bb0(%in: f32, %out: bf16):
      %741 = arith.truncf %in : f32 to bf16
      linalg.yield %741 : bf16
    } -> tensor<512x64xbf16>
    %expanded_68 = tensor.expand_shape %171 [[0, 1], [2]] output_shape [16, 32, 64] : tensor<512x64xbf16> into tensor<16x32x64xbf16>
    %172 = linalg.generic {indexing_maps = [#map4, #map4, #map4], iterator_types = ["parallel", "parallel", "parallel"]} ins(%140, %expanded_68 : tensor<16x32x64xbf16>, tensor<16x32x64xbf16>) outs(%16 : tensor<16x32x64xbf16>) {
    ^bb0(%in: bf16, %in_246: bf16, %out: bf16):
      %741 = arith.addf %in, %in_246 : bf16
      linalg.yield %741 : bf16
    } -> tensor<16x32x64xbf16>
    %173 = linalg.generic {indexing_maps = [#map4, #map4], iterator_types = ["parallel", "parallel", "parallel"]} ins(%172 : tensor<16x32x64xbf16>) outs(%13 : tensor<16x32x64xf32>) {
    ^bb0(%in: bf16, %out: f32):
      %741 = arith.extf %in : bf16 to f32
      linalg.yield %741 : f32
    } -> tensor<16x32x64xf32>
    %174 = linalg.generic {indexing_maps = [#map4, #map4], iterator_types = ["parallel", "parallel", "parallel"]} ins(%173 : tensor<16x32x64xf32>) outs(%13 : tensor<16x32x64xf32>) {
    ^bb0(%in: f32, %out: f32):
      %741 = math.fpowi %in, %c2_i64 : f32, i64
      linalg.yield %741 : f32
    } -> tensor<16x32x64xf32>
    %175 = linalg.generic {indexing_maps = [#map4, #map6], iterator_types = ["parallel", "parallel", "reduction"]} ins(%174 : tensor<16x32x64xf32>) outs(%21 : tensor<16x32x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      %741 = arith.addf %in, %out : f32
      linalg.yield %741 : f32
    } -> tensor<16x32x1xf32>
    %176 = linalg.generic {indexing_maps = [#map4, #map4], iterator_types = ["parallel", "parallel", "parallel"]} ins(%175 : tensor<16x32x1xf32>) outs(%20 : tensor<16x32x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      %741 = arith.divf %in, %cst_8 : f32
      linalg.yield %741 : f32
    } -> tensor<16x32x1xf32>
    %177 = linalg.generic {indexing_maps = [#map4, #map4], iterator_types = ["parallel", "parallel", "parallel"]} ins(%176 : tensor<16x32x1xf32>) outs(%20 : tensor<16x32x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      %741 = arith.truncf %cst_7 : f64 to f32
      %742 = arith.addf %in, %741 : f32
      linalg.yield %742 : f32
    } -> tensor<16x32x1xf32>
    %178 = linalg.generic {indexing_maps = [#map4, #map4], iterator_types = ["parallel", "parallel", "parallel"]} ins(%177 : tensor<16x32x1xf32>) outs(%20 : tensor<16x32x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      %741 = math.rsqrt %in : f32
      linalg.yield %741 : f32
    } -> tensor<16x32x1xf32>
    %179 = linalg.generic {indexing_maps = [#map4, #map6, #map4], iterator_types = ["parallel", "parallel", "parallel"]} ins(%173, %178 : tensor<16x32x64xf32>, tensor<16x32x1xf32>) outs(%13 : tensor<16x32x64xf32>) {
    ^bb0(%in: f32, %in_246: f32, %out: f32):
      %741 = arith.mulf %in, %in_246 : f32
      linalg.yield %741 : f32
    } -> tensor<16x32x64xf32>
    %180 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel"]} ins(%arg16 : tensor<64xbf16>) outs(%27 : tensor<64xf32>) {
    ^bb0(%in: bf16, %out: f32):
      %741 = arith.extf %in : bf16 to f32
      linalg.yield %741 : f32
    } -> tensor<64xf32>
    %181 = linalg.generic {indexing_maps = [#map4, #map7, #map4], iterator_types = ["parallel", "parallel", "parallel"]} ins(%179, %180 : tensor<16x32x64xf32>, tensor<64xf32>) outs(%13 : tensor<16x32x64xf32>) {
    ^bb0(%in: f32, %in_246: f32, %out: f32):
      %741 = arith.mulf %in, %in_246 : f32
      linalg.yield %741 : f32
    } -> tensor<16x32x64xf32>
    %182 = linalg.generic {indexing_maps = [#map4, #map4], iterator_types = ["parallel", "parallel", "parallel"]} ins(%181 : tensor<16x32x64xf32>) outs(%16 : tensor<16x32x64xbf16>) {
    ^bb0(%in: f32, %out: bf16):
      %741 = arith.truncf %in : f32 to bf16
      linalg.yield %741 : bf16
    } -> tensor<16x32x64xbf16>
    %collapsed_69 = tensor.collapse_shape %182 [[0, 1], [2]] : tensor<16x32x64xbf16> into tensor<512x64xbf16>
    %transposed_70 = linalg.transpose ins(%arg17 : tensor<4x64xbf16>) outs(%80 : tensor<64x4xbf16>) permutation = [1, 0] 
    %183 = linalg.matmul ins(%collapsed_69, %transposed_70 : tensor<512x64xbf16>, tensor<64x4xbf16>) outs(%82 : tensor<512x4xf32>) -> tensor<512x4xf32>
    %184 = linalg.generic {indexing_maps = [#map3, #map3], iterator_types = ["parallel", "parallel"]} ins(%183 : tensor<512x4xf32>) outs(%84 : tensor<512x4xbf16>) {
    ^bb0(%in: f32, %out: bf16):
      %741 = arith.truncf %in : f32 to bf16
      linalg.yield %741 : bf16
    } -> tensor<512x4xbf16>
    %185 = linalg.generic {indexing_maps = [#map3, #map3], iterator_types = ["parallel", "parallel"]} ins(%184 : tensor<512x4xbf16>) outs(%81 : tensor<512x4xf32>) {
    ^bb0(%in: bf16, %out: f32):
      %741 = arith.extf %in : bf16 to f32
      linalg.yield %741 : f32
    } -> tensor<512x4xf32>
    %186:2 = linalg.generic {indexing_maps = [#map3, #map14, #map14], iterator_types = ["parallel", "reduction"]} ins(%185 : tensor<512x4xf32>) outs(%90, %88 : tensor<512xf32>, tensor<512xi64>) {
    ^bb0(%in: f32, %out: f32, %out_246: i64):
      %741 = linalg.index 1 : index
      %742 = arith.index_cast %741 : index to i64
      %743 = arith.maximumf %in, %out : f32
      %744 = arith.cmpf ogt, %in, %out : f32
      %745 = arith.select %744, %742, %out_246 : i64
      linalg.yield %743, %745 : f32, i64
    } -> (tensor<512xf32>, tensor<512xi64>)
    %expanded_71 = tensor.expand_shape %186#0 [[0, 1]] output_shape [512, 1] : tensor<512xf32> into tensor<512x1xf32>
    %187 = linalg.generic {indexing_maps = [#map3, #map1, #map3], iterator_types = ["parallel", "parallel"]} ins(%185, %expanded_71 : tensor<512x4xf32>, tensor<512x1xf32>) outs(%81 : tensor<512x4xf32>) {
    ^bb0(%in: f32, %in_246: f32, %out: f32):
      %741 = arith.subf %in, %in_246 : f32
      linalg.yield %741 : f32
    } -> tensor<512x4xf32>
    %188 = linalg.generic {indexing_maps = [#map3, #map3], iterator_types = ["parallel", "parallel"]} ins(%187 : tensor<512x4xf32>) outs(%81 : tensor<512x4xf32>) {
    ^bb0(%in: f32, %out: f32):
      %741 = math.exp %in : f32
      linalg.yield %741 : f32
    } -> tensor<512x4xf32>
    %189 = linalg.generic {indexing_maps = [#map3, #map1], iterator_types = ["parallel", "reduction"]} ins(%188 : tensor<512x4xf32>) outs(%95 : tensor<512x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      %741 = arith.addf %in, %out : f32
      linalg.yield %741 : f32
    } -> tensor<512x1xf32>
    %190 = linalg.generic {indexing_maps = [#map3, #map1, #map3], iterator_types = ["parallel", "parallel"]} ins(%188, %189 : tensor<512x4xf32>, tensor<512x1xf32>) outs(%81 : tensor<512x4xf32>) {
    ^bb0(%in: f32, %in_246: f32, %out: f32):
      %741 = arith.divf %in, %in_246 : f32
      linalg.yield %741 : f32
    } -> tensor<512x4xf32>
    %expanded_72 = tensor.expand_shape %190 [[0], [1, 2]] output_shape [512, 4, 1] : tensor<512x4xf32> into tensor<512x4x1xf32>
    %expanded_73 = tensor.expand_shape %190 [[0], [1, 2]] output_shape [512, 1, 4] : tensor<512x4xf32> into tensor<512x1x4xf32>
    %191 = linalg.generic {indexing_maps = [#map15, #map6, #map4], iterator_types = ["parallel", "parallel", "parallel"]} ins(%expanded_73, %expanded_72 : tensor<512x1x4xf32>, tensor<512x4x1xf32>) outs(%102 : tensor<512x4x4xi1>) {
    ^bb0(%in: f32, %in_246: f32, %out: i1):
      %741 = arith.cmpf ogt, %in, %in_246 : f32
      linalg.yield %741 : i1
    } -> tensor<512x4x4xi1>
    %192 = linalg.generic {indexing_maps = [#map15, #map6, #map4], iterator_types = ["parallel", "parallel", "parallel"]} ins(%expanded_73, %expanded_72 : tensor<512x1x4xf32>, tensor<512x4x1xf32>) outs(%102 : tensor<512x4x4xi1>) {
    ^bb0(%in: f32, %in_246: f32, %out: i1):
      %741 = arith.cmpf oeq, %in, %in_246 : f32
      linalg.yield %741 : i1
    } -> tensor<512x4x4xi1>
    %193 = linalg.generic {indexing_maps = [#map4, #map5, #map4], iterator_types = ["parallel", "parallel", "parallel"]} ins(%192, %101 : tensor<512x4x4xi1>, tensor<4x4xi1>) outs(%102 : tensor<512x4x4xi1>) {
    ^bb0(%in: i1, %in_246: i1, %out: i1):
      %741 = arith.andi %in, %in_246 : i1
      linalg.yield %741 : i1
    } -> tensor<512x4x4xi1>
    %194 = linalg.generic {indexing_maps = [#map4, #map4, #map4], iterator_types = ["parallel", "parallel", "parallel"]} ins(%191, %193 : tensor<512x4x4xi1>, tensor<512x4x4xi1>) outs(%102 : tensor<512x4x4xi1>) {
    ^bb0(%in: i1, %in_246: i1, %out: i1):
      %741 = arith.ori %in, %in_246 : i1
      linalg.yield %741 : i1
    } -> tensor<512x4x4xi1>
    %195 = linalg.generic {indexing_maps = [#map4, #map4], iterator_types = ["parallel", "parallel", "parallel"]} ins(%194 : tensor<512x4x4xi1>) outs(%107 : tensor<512x4x4xf32>) {
    ^bb0(%in: i1, %out: f32):
      %741 = arith.uitofp %in : i1 to f32
      linalg.yield %741 : f32
    } -> tensor<512x4x4xf32>
    %196 = linalg.generic {indexing_maps = [#map4, #map16], iterator_types = ["parallel", "parallel", "reduction"]} ins(%195 : tensor<512x4x4xf32>) outs(%82 : tensor<512x4xf32>) {
    ^bb0(%in: f32, %out: f32):
      %741 = arith.addf %in, %out : f32
      linalg.yield %741 : f32
    } -> tensor<512x4xf32>
    %197 = linalg.generic {indexing_maps = [#map3, #map3], iterator_types = ["parallel", "parallel"]} ins(%196 : tensor<512x4xf32>) outs(%110 : tensor<512x4xi1>) {
    ^bb0(%in: f32, %out: i1):
      %741 = arith.cmpf olt, %in, %cst_9 : f32
      linalg.yield %741 : i1
    } -> tensor<512x4xi1>
    %198 = linalg.generic {indexing_maps = [#map3, #map3], iterator_types = ["parallel", "parallel"]} ins(%197 : tensor<512x4xi1>) outs(%81 : tensor<512x4xf32>) {
    ^bb0(%in: i1, %out: f32):
      %741 = arith.uitofp %in : i1 to f32
      linalg.yield %741 : f32
    } -> tensor<512x4xf32>
    %199 = linalg.generic {indexing_maps = [#map3, #map3, #map3], iterator_types = ["parallel", "parallel"]} ins(%190, %198 : tensor<512x4xf32>, tensor<512x4xf32>) outs(%81 : tensor<512x4xf32>) {
    ^bb0(%in: f32, %in_246: f32, %out: f32):
      %741 = arith.mulf %in, %in_246 : f32
      linalg.yield %741 : f32
    } -> tensor<512x4xf32>
    %200 = linalg.generic {indexing_maps = [#map3, #map1], iterator_types = ["parallel", "reduction"]} ins(%199 : tensor<512x4xf32>) outs(%95 : tensor<512x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      %741 = arith.addf %in, %out : f32
      linalg.yield %741 : f32
    } -> tensor<512x1xf32>
    %201 = linalg.generic {indexing_maps = [#map3, #map1, #map3], iterator_types = ["parallel", "parallel"]} ins(%199, %200 : tensor<512x4xf32>, tensor<512x1xf32>) outs(%81 : tensor<512x4xf32>) {
    ^bb0(%in: f32, %in_246: f32, %out: f32):
      %741 = arith.divf %in, %in_246 : f32
      linalg.yield %741 : f32
    } -> tensor<512x4xf32>
    %202 = linalg.generic {indexing_maps = [#map5, #map4], iterator_types = ["parallel", "parallel", "parallel"]} ins(%collapsed_69 : tensor<512x64xbf16>) outs(%116 : tensor<4x512x64xbf16>) {
    ^bb0(%in: bf16, %out: bf16):
      linalg.yield %in : bf16
    } -> tensor<4x512x64xbf16>
    %transposed_74 = linalg.transpose ins(%arg18 : tensor<4x128x64xbf16>) outs(%118 : tensor<4x64x128xbf16>) permutation = [0, 2, 1] 
    %203 = linalg.batch_matmul ins(%202, %transposed_74 : tensor<4x512x64xbf16>, tensor<4x64x128xbf16>) outs(%120 : tensor<4x512x128xf32>) -> tensor<4x512x128xf32>
    %204 = linalg.generic {indexing_maps = [#map4, #map4], iterator_types = ["parallel", "parallel", "parallel"]} ins(%203 : tensor<4x512x128xf32>) outs(%122 : tensor<4x512x128xbf16>) {
    ^bb0(%in: f32, %out: bf16):
      %741 = arith.truncf %in : f32 to bf16
      linalg.yield %741 : bf16
    } -> tensor<4x512x128xbf16>
    %extracted_slice_75 = tensor.extract_slice %204[0, 0, 0] [4, 512, 64] [1, 1, 1] : tensor<4x512x128xbf16> to tensor<4x512x64xbf16>
    %extracted_slice_76 = tensor.extract_slice %204[0, 0, 64] [4, 512, 64] [1, 1, 1] : tensor<4x512x128xbf16> to tensor<4x512x64xbf16>
    %205 = linalg.generic {indexing_maps = [#map4, #map4], iterator_types = ["parallel", "parallel", "parallel"]} ins(%extracted_slice_75 : tensor<4x512x64xbf16>) outs(%124 : tensor<4x512x64xf32>) {
    ^bb0(%in: bf16, %out: f32):
      %741 = arith.extf %in : bf16 to f32
      linalg.yield %741 : f32
    } -> tensor<4x512x64xf32>
    %206 = linalg.generic {indexing_maps = [#map4, #map4], iterator_types = ["parallel", "parallel", "parallel"]} ins(%205 : tensor<4x512x64xf32>) outs(%124 : tensor<4x512x64xf32>) {
    ^bb0(%in: f32, %out: f32):
      %741 = arith.negf %in : f32
      %742 = math.exp %741 : f32
      %743 = arith.addf %742, %cst_2 : f32
      %744 = arith.divf %cst_2, %743 : f32
      linalg.yield %744 : f32
    } -> tensor<4x512x64xf32>
    %207 = linalg.generic {indexing_maps = [#map4, #map4, #map4], iterator_types = ["parallel", "parallel", "parallel"]} ins(%205, %206 : tensor<4x512x64xf32>, tensor<4x512x64xf32>) outs(%124 : tensor<4x512x64xf32>) {
    ^bb0(%in: f32, %in_246: f32, %out: f32):
      %741 = arith.mulf %in, %in_246 : f32
      linalg.yield %741 : f32
    } -> tensor<4x512x64xf32>
    %208 = linalg.generic {indexing_maps = [#map4, #map4], iterator_types = ["parallel", "parallel", "parallel"]} ins(%extracted_slice_76 : tensor<4x512x64xbf16>) outs(%124 : tensor<4x512x64xf32>) {
    ^bb0(%in: bf16, %out: f32):
      %741 = arith.extf %in : bf16 to f32
      linalg.yield %741 : f32
    } -> tensor<4x512x64xf32>
    %209 = linalg.generic {indexing_maps = [#map4, #map4, #map4], iterator_types = ["parallel", "parallel", "parallel"]} ins(%207, %208 : tensor<4x512x64xf32>, tensor<4x512x64xf32>) outs(%124 : tensor<4x512x64xf32>) {
    ^bb0(%in: f32, %in_246: f32, %out: f32):
      %741 = arith.mulf %in, %in_246 : f32
      linalg.yield %741 : f32
    } -> tensor<4x512x64xf32>
    %210 = linalg.generic {indexing_maps = [#map4, #map4], iterator_types = ["parallel", "parallel", "parallel"]} ins(%209 : tensor<4x512x64xf32>) outs(%116 : tensor<4x512x64xbf16>) {
    ^bb0(%in: f32, %out: bf16):
      %741 = arith.truncf %in : f32 to bf16
      linalg.yield %741 : bf16
    } -> tensor<4x512x64xbf16>
    %transposed_77 = linalg.transpose ins(%arg19 : tensor<4x64x64xbf16>) outs(%131 : tensor<4x64x64xbf16>) permutation = [0, 2, 1] 
    %211 = linalg.batch_matmul ins(%210, %transposed_77 : tensor<4x512x64xbf16>, tensor<4x64x64xbf16>) outs(%132 : tensor<4x512x64xf32>) -> tensor<4x512x64xf32>
    %212 = linalg.generic {indexing_maps = [#map4, #map4], iterator_types = ["parallel", "parallel", "parallel"]} ins(%211 : tensor<4x512x64xf32>) outs(%116 : tensor<4x512x64xbf16>) {
    ^bb0(%in: f32, %out: bf16):
      %741 = arith.truncf %in : f32 to bf16
      linalg.yield %741 : bf16
    } -> tensor<4x512x64xbf16>
    %213 = linalg.generic {indexing_maps = [#map4, #map4], iterator_types = ["parallel", "parallel", "parallel"]} ins(%212 : tensor<4x512x64xbf16>) outs(%124 : tensor<4x512x64xf32>) {
    ^bb0(%in: bf16, %out: f32):
      %741 = arith.extf %in : bf16 to f32
      linalg.yield %741 : f32
    } -> tensor<4x512x64xf32>
    %transposed_78 = linalg.transpose ins(%201 : tensor<512x4xf32>) outs(%136 : tensor<4x512xf32>) permutation = [1, 0] 
    %expanded_79 = tensor.expand_shape %transposed_78 [[0], [1, 2]] output_shape [4, 512, 1] : tensor<4x512xf32> into tensor<4x512x1xf32>
    %214 = linalg.generic {indexing_maps = [#map4, #map6, #map4], iterator_types = ["parallel", "parallel", "parallel"]} ins(%213, %expanded_79 : tensor<4x512x64xf32>, tensor<4x512x1xf32>) outs(%124 : tensor<4x512x64xf32>) {
    ^bb0(%in: f32, %in_246: f32, %out: f32):
      %741 = arith.mulf %in, %in_246 : f32
      linalg.yield %741 : f32
    } -> tensor<4x512x64xf32>
    %215 = linalg.generic {indexing_maps = [#map4, #map5], iterator_types = ["reduction", "parallel", "parallel"]} ins(%214 : tensor<4x512x64xf32>) outs(%7 : tensor<512x64xf32>) {
    ^bb0(%in: f32, %out: f32):
      %741 = arith.addf %in, %out : f32
      linalg.yield %741 : f32
    } -> tensor<512x64xf32>
    %216 = linalg.generic {indexing_maps = [#map3, #map3], iterator_types = ["parallel", "parallel"]} ins(%215 : tensor<512x64xf32>) outs(%9 : tensor<512x64xbf16>) {
    ^bb0(%in: f32, %out: bf16):
      %741 = arith.truncf %in : f32 to bf16
      linalg.yield %741 : bf16
    } -> tensor<512x64xbf16>
    %expanded_80 = tensor.expand_shape %216 [[0, 1], [2]] output_shape [16, 32, 64] : tensor<512x64xbf16> into tensor<16x32x64xbf16>
    %217 = linalg.generic {indexing_maps = [#map4, #map4, #map4], iterator_types = ["parallel", "parallel", "parallel"]} ins(%172, %expanded_80 : tensor<16x32x64xbf16>, tensor<16x32x64xbf16>) outs(%16 : tensor<16x32x64xbf16>) {
    ^bb0(%in: bf16, %in_246: bf16, %out: bf16):
      %741 = arith.addf %in, %in_246 : bf16
      linalg.yield %741 : bf16
    } -> tensor<16x32x64xbf16>
    %218 = linalg.generic {indexing_maps = [#map4, #map4], iterator_types = ["parallel", "parallel", "parallel"]} ins(%217 : tensor<16x32x64xbf16>) outs(%13 : tensor<16x32x64xf32>) {
    ^bb0(%in: bf16, %out: f32):
      %741 = arith.extf %in : bf16 to f32
      linalg.yield %741 : f32
    } -> tensor<16x32x64xf32>
    %219 = linalg.generic {indexing_maps = [#map4, #map4], iterator_types = ["parallel", "parallel", "parallel"]} ins(%218 : tensor<16x32x64xf32>) outs(%13 : tensor<16x32x64xf32>) {
    ^bb0(%in: f32, %out: f32):
      %741 = math.fpowi %in, %c2_i64 : f32, i64
      linalg.yield %741 : f32
    } -> tensor<16x32x64xf32>
    %220 = linalg.generic {indexing_maps = [#map4, #map6], iterator_types = ["parallel", "parallel", "reduction"]} ins(%219 : tensor<16x32x64xf32>) outs(%21 : tensor<16x32x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      %741 = arith.addf %in, %out : f32
      linalg.yield %741 : f32
    } -> tensor<16x32x1xf32>
    %221 = linalg.generic {indexing_maps = [#map4, #map4], iterator_types = ["parallel", "parallel", "parallel"]} ins(%220 : tensor<16x32x1xf32>) outs(%20 : tensor<16x32x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      %741 = arith.divf %in, %cst_8 : f32
      linalg.yield %741 : f32
    } -> tensor<16x32x1xf32>
    %222 = linalg.generic {indexing_maps = [#map4, #map4], iterator_types = ["parallel", "parallel", "parallel"]} ins(%221 : tensor<16x32x1xf32>) outs(%20 : tensor<16x32x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      %741 = arith.truncf %cst_7 : f64 to f32
      %742 = arith.addf %in, %741 : f32
      linalg.yield %742 : f32
    } -> tensor<16x32x1xf32>
    %223 = linalg.generic {indexing_maps = [#map4, #map4], iterator_types = ["parallel", "parallel", "parallel"]} ins(%222 : tensor<16x32x1xf32>) outs(%20 : tensor<16x32x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      %741 = math.rsqrt %in : f32
      linalg.yield %741 : f32
    } -> tensor<16x32x1xf32>
    %224 = linalg.generic {indexing_maps = [#map4, #map6, #map4], iterator_types = ["parallel", "parallel", "parallel"]} ins(%218, %223 : tensor<16x32x64xf32>, tensor<16x32x1xf32>) outs(%13 : tensor<16x32x64xf32>) {
    ^bb0(%in: f32, %in_246: f32, %out: f32):
      %741 = arith.mulf %in, %in_246 : f32
      linalg.yield %741 : f32
    } -> tensor<16x32x64xf32>
    %225 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel"]} ins(%arg20 : tensor<64xbf16>) outs(%27 : tensor<64xf32>) {
    ^bb0(%in: bf16, %out: f32):
      %741 = arith.extf %in : bf16 to f32
      linalg.yield %741 : f32
    } -> tensor<64xf32>
    %226 = linalg.generic {indexing_maps = [#map4, #map7, #map4], iterator_types = ["parallel", "parallel", "parallel"]} ins(%224, %225 : tensor<16x32x64xf32>, tensor<64xf32>) outs(%13 : tensor<16x32x64xf32>) {
    ^bb0(%in: f32, %in_246: f32, %out: f32):
      %741 = arith.mulf %in, %in_246 : f32
      linalg.yield %741 : f32
    } -> tensor<16x32x64xf32>
    %227 = linalg.generic {indexing_maps = [#map4, #map4], iterator_types = ["parallel", "parallel", "parallel"]} ins(%226 : tensor<16x32x64xf32>) outs(%16 : tensor<16x32x64xbf16>) {
    ^bb0(%in: f32, %out: bf16):
      %741 = arith.truncf %in : f32 to bf16
      linalg.yield %741 : bf16
    } -> tensor<16x32x64xbf16>
    %collapsed_81 = tensor.collapse_shape %227 [[0, 1], [2]] : tensor<16x32x64xbf16> into tensor<512x64xbf16>
    %transposed_82 = linalg.transpose ins(%arg21 : tensor<64x64xbf16>) outs(%31 : tensor<64x64xbf16>) permutation = [1, 0] 
    %228 = linalg.matmul ins(%collapsed_81, %transposed_82 : tensor<512x64xbf16>, tensor<64x64xbf16>) outs(%7 : tensor<512x64xf32>) -> tensor<512x64xf32>
    %229 = linalg.generic {indexing_maps = [#map3, #map3], iterator_types = ["parallel", "parallel"]} ins(%228 : tensor<512x64xf32>) outs(%9 : tensor<512x64xbf16>) {
    ^bb0(%in: f32, %out: bf16):
      %741 = arith.truncf %in : f32 to bf16
      linalg.yield %741 : bf16
    } -> tensor<512x64xbf16>
    %expanded_83 = tensor.expand_shape %229 [[0, 1], [2, 3]] output_shape [16, 32, 2, 32] : tensor<512x64xbf16> into tensor<16x32x2x32xbf16>
    %transposed_84 = linalg.transpose ins(%expanded_83 : tensor<16x32x2x32xbf16>) outs(%34 : tensor<16x2x32x32xbf16>) permutation = [0, 2, 1, 3] 
    %transposed_85 = linalg.transpose ins(%arg22 : tensor<64x64xbf16>) outs(%31 : tensor<64x64xbf16>) permutation = [1, 0] 
    %230 = linalg.matmul ins(%collapsed_81, %transposed_85 : tensor<512x64xbf16>, tensor<64x64xbf16>) outs(%7 : tensor<512x64xf32>) -> tensor<512x64xf32>
    %231 = linalg.generic {indexing_maps = [#map3, #map3], iterator_types = ["parallel", "parallel"]} ins(%230 : tensor<512x64xf32>) outs(%9 : tensor<512x64xbf16>) {
    ^bb0(%in: f32, %out: bf16):
      %741 = arith.truncf %in : f32 to bf16
      linalg.yield %741 : bf16
    } -> tensor<512x64xbf16>
    %expanded_86 = tensor.expand_shape %231 [[0, 1], [2, 3]] output_shape [16, 32, 2, 32] : tensor<512x64xbf16> into tensor<16x32x2x32xbf16>
    %transposed_87 = linalg.transpose ins(%arg23 : tensor<64x64xbf16>) outs(%31 : tensor<64x64xbf16>) permutation = [1, 0] 
    %232 = linalg.matmul ins(%collapsed_81, %transposed_87 : tensor<512x64xbf16>, tensor<64x64xbf16>) outs(%7 : tensor<512x64xf32>) -> tensor<512x64xf32>
    %233 = linalg.generic {indexing_maps = [#map3, #map3], iterator_types = ["parallel", "parallel"]} ins(%232 : tensor<512x64xf32>) outs(%9 : tensor<512x64xbf16>) {
    ^bb0(%in: f32, %out: bf16):
      %741 = arith.truncf %in : f32 to bf16
      linalg.yield %741 : bf16
    } -> tensor<512x64xbf16>
    %expanded_88 = tensor.expand_shape %233 [[0, 1], [2, 3]] output_shape [16, 32, 2, 32] : tensor<512x64xbf16> into tensor<16x32x2x32xbf16>
    %transposed_89 = linalg.transpose ins(%expanded_88 : tensor<16x32x2x32xbf16>) outs(%34 : tensor<16x2x32x32xbf16>) permutation = [0, 2, 1, 3] 
    %transposed_90 = linalg.transpose ins(%expanded_86 : tensor<16x32x2x32xbf16>) outs(%34 : tensor<16x2x32x32xbf16>) permutation = [0, 2, 3, 1] 
    %collapsed_91 = tensor.collapse_shape %transposed_84 [[0, 1], [2], [3]] : tensor<16x2x32x32xbf16> into tensor<32x32x32xbf16>
    %collapsed_92 = tensor.collapse_shape %transposed_90 [[0, 1], [2], [3]] : tensor<16x2x32x32xbf16> into tensor<32x32x32xbf16>
    %234 = linalg.batch_matmul ins(%collapsed_91, %collapsed_92 : tensor<32x32x32xbf16>, tensor<32x32x32xbf16>) outs(%40 : tensor<32x32x32xf32>) -> tensor<32x32x32xf32>
    %235 = linalg.generic {indexing_maps = [#map4, #map4], iterator_types = ["parallel", "parallel", "parallel"]} ins(%234 : tensor<32x32x32xf32>) outs(%42 : tensor<32x32x32xbf16>) {
    ^bb0(%in: f32, %out: bf16):
      %741 = arith.truncf %in : f32 to bf16
      linalg.yield %741 : bf16
    } -> tensor<32x32x32xbf16>
    %expanded_93 = tensor.expand_shape %235 [[0, 1], [2], [3]] output_shape [16, 2, 32, 32] : tensor<32x32x32xbf16> into tensor<16x2x32x32xbf16>
    %236 = linalg.generic {indexing_maps = [#map8, #map8], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%expanded_93 : tensor<16x2x32x32xbf16>) outs(%44 : tensor<16x2x32x32xf32>) {
    ^bb0(%in: bf16, %out: f32):
      %741 = arith.extf %in : bf16 to f32
      linalg.yield %741 : f32
    } -> tensor<16x2x32x32xf32>
    %237 = linalg.generic {indexing_maps = [#map8, #map8], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%236 : tensor<16x2x32x32xf32>) outs(%44 : tensor<16x2x32x32xf32>) {
    ^bb0(%in: f32, %out: f32):
      %741 = arith.truncf %cst_6 : f64 to f32
      %742 = arith.mulf %in, %741 : f32
      linalg.yield %742 : f32
    } -> tensor<16x2x32x32xf32>
    %238 = linalg.generic {indexing_maps = [#map10, #map11, #map8, #map8], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%50, %cst_5, %237 : tensor<32x32xi1>, tensor<f32>, tensor<16x2x32x32xf32>) outs(%44 : tensor<16x2x32x32xf32>) {
    ^bb0(%in: i1, %in_246: f32, %in_247: f32, %out: f32):
      %741 = arith.select %in, %in_246, %in_247 : f32
      linalg.yield %741 : f32
    } -> tensor<16x2x32x32xf32>
    %239:2 = linalg.generic {indexing_maps = [#map8, #map12, #map12], iterator_types = ["parallel", "parallel", "parallel", "reduction"]} ins(%238 : tensor<16x2x32x32xf32>) outs(%55, %53 : tensor<16x2x32xf32>, tensor<16x2x32xi64>) {
    ^bb0(%in: f32, %out: f32, %out_246: i64):
      %741 = linalg.index 3 : index
      %742 = arith.index_cast %741 : index to i64
      %743 = arith.maximumf %in, %out : f32
      %744 = arith.cmpf ogt, %in, %out : f32
      %745 = arith.select %744, %742, %out_246 : i64
      linalg.yield %743, %745 : f32, i64
    } -> (tensor<16x2x32xf32>, tensor<16x2x32xi64>)
    %expanded_94 = tensor.expand_shape %239#0 [[0], [1], [2, 3]] output_shape [16, 2, 32, 1] : tensor<16x2x32xf32> into tensor<16x2x32x1xf32>
    %240 = linalg.generic {indexing_maps = [#map8, #map13, #map8], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%238, %expanded_94 : tensor<16x2x32x32xf32>, tensor<16x2x32x1xf32>) outs(%44 : tensor<16x2x32x32xf32>) {
    ^bb0(%in: f32, %in_246: f32, %out: f32):
      %741 = arith.subf %in, %in_246 : f32
      linalg.yield %741 : f32
    } -> tensor<16x2x32x32xf32>
    %241 = linalg.generic {indexing_maps = [#map8, #map8], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%240 : tensor<16x2x32x32xf32>) outs(%44 : tensor<16x2x32x32xf32>) {
    ^bb0(%in: f32, %out: f32):
      %741 = math.exp %in : f32
      linalg.yield %741 : f32
    } -> tensor<16x2x32x32xf32>
    %242 = linalg.generic {indexing_maps = [#map8, #map13], iterator_types = ["parallel", "parallel", "parallel", "reduction"]} ins(%241 : tensor<16x2x32x32xf32>) outs(%60 : tensor<16x2x32x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      %741 = arith.addf %in, %out : f32
      linalg.yield %741 : f32
    } -> tensor<16x2x32x1xf32>
    %243 = linalg.generic {indexing_maps = [#map8, #map13, #map8], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%241, %242 : tensor<16x2x32x32xf32>, tensor<16x2x32x1xf32>) outs(%44 : tensor<16x2x32x32xf32>) {
    ^bb0(%in: f32, %in_246: f32, %out: f32):
      %741 = arith.divf %in, %in_246 : f32
      linalg.yield %741 : f32
    } -> tensor<16x2x32x32xf32>
    %244 = linalg.generic {indexing_maps = [#map8, #map8], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%243 : tensor<16x2x32x32xf32>) outs(%34 : tensor<16x2x32x32xbf16>) {
    ^bb0(%in: f32, %out: bf16):
      %741 = arith.truncf %in : f32 to bf16
      linalg.yield %741 : bf16
    } -> tensor<16x2x32x32xbf16>
    %collapsed_95 = tensor.collapse_shape %244 [[0, 1], [2], [3]] : tensor<16x2x32x32xbf16> into tensor<32x32x32xbf16>
    %collapsed_96 = tensor.collapse_shape %transposed_89 [[0, 1], [2], [3]] : tensor<16x2x32x32xbf16> into tensor<32x32x32xbf16>
    %245 = linalg.batch_matmul ins(%collapsed_95, %collapsed_96 : tensor<32x32x32xbf16>, tensor<32x32x32xbf16>) outs(%40 : tensor<32x32x32xf32>) -> tensor<32x32x32xf32>
    %246 = linalg.generic {indexing_maps = [#map4, #map4], iterator_types = ["parallel", "parallel", "parallel"]} ins(%245 : tensor<32x32x32xf32>) outs(%42 : tensor<32x32x32xbf16>) {
    ^bb0(%in: f32, %out: bf16):
      %741 = arith.truncf %in : f32 to bf16
      linalg.yield %741 : bf16
    } -> tensor<32x32x32xbf16>
    %expanded_97 = tensor.expand_shape %246 [[0, 1], [2], [3]] output_shape [16, 2, 32, 32] : tensor<32x32x32xbf16> into tensor<16x2x32x32xbf16>
    %transposed_98 = linalg.transpose ins(%expanded_97 : tensor<16x2x32x32xbf16>) outs(%66 : tensor<16x32x2x32xbf16>) permutation = [0, 2, 1, 3] 
    %collapsed_99 = tensor.collapse_shape %transposed_98 [[0, 1], [2, 3]] : tensor<16x32x2x32xbf16> into tensor<512x64xbf16>
    %transposed_100 = linalg.transpose ins(%arg24 : tensor<64x64xbf16>) outs(%31 : tensor<64x64xbf16>) permutation = [1, 0] 
    %247 = linalg.matmul ins(%collapsed_99, %transposed_100 : tensor<512x64xbf16>, tensor<64x64xbf16>) outs(%7 : tensor<512x64xf32>) -> tensor<512x64xf32>
    %248 = linalg.generic {indexing_maps = [#map3, #map3], iterator_types = ["parallel", "parallel"]} ins(%247 : tensor<512x64xf32>) outs(%9 : tensor<512x64xbf16>) {
    ^bb0(%in: f32, %out: bf16):
      %741 = arith.truncf %in : f32 to bf16
      linalg.yield %741 : bf16
    } -> tensor<512x64xbf16>
    %expanded_101 = tensor.expand_shape %248 [[0, 1], [2]] output_shape [16, 32, 64] : tensor<512x64xbf16> into tensor<16x32x64xbf16>
    %249 = linalg.generic {indexing_maps = [#map4, #map4, #map4], iterator_types = ["parallel", "parallel", "parallel"]} ins(%217, %expanded_101 : tensor<16x32x64xbf16>, tensor<16x32x64xbf16>) outs(%16 : tensor<16x32x64xbf16>) {
    ^bb0(%in: bf16, %in_246: bf16, %out: bf16):
      %741 = arith.addf %in, %in_246 : bf16
      linalg.yield %741 : bf16
    } -> tensor<16x32x64xbf16>
    %250 = linalg.generic {indexing_maps = [#map4, #map4], iterator_types = ["parallel", "parallel", "parallel"]} ins(%249 : tensor<16x32x64xbf16>) outs(%13 : tensor<16x32x64xf32>) {
    ^bb0(%in: bf16, %out: f32):
      %741 = arith.extf %in : bf16 to f32
      linalg.yield %741 : f32
    } -> tensor<16x32x64xf32>
    %251 = linalg.generic {indexing_maps = [#map4, #map4], iterator_types = ["parallel", "parallel", "parallel"]} ins(%250 : tensor<16x32x64xf32>) outs(%13 : tensor<16x32x64xf32>) {
    ^bb0(%in: f32, %out: f32):
      %741 = math.fpowi %in, %c2_i64 : f32, i64
      linalg.yield %741 : f32
    } -> tensor<16x32x64xf32>
    %252 = linalg.generic {indexing_maps = [#map4, #map6], iterator_types = ["parallel", "parallel", "reduction"]} ins(%251 : tensor<16x32x64xf32>) outs(%21 : tensor<16x32x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      %741 = arith.addf %in, %out : f32
      linalg.yield %741 : f32
    } -> tensor<16x32x1xf32>
    %253 = linalg.generic {indexing_maps = [#map4, #map4], iterator_types = ["parallel", "parallel", "parallel"]} ins(%252 : tensor<16x32x1xf32>) outs(%20 : tensor<16x32x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      %741 = arith.divf %in, %cst_8 : f32
      linalg.yield %741 : f32
    } -> tensor<16x32x1xf32>
    %254 = linalg.generic {indexing_maps = [#map4, #map4], iterator_types = ["parallel", "parallel", "parallel"]} ins(%253 : tensor<16x32x1xf32>) outs(%20 : tensor<16x32x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      %741 = arith.truncf %cst_7 : f64 to f32
      %742 = arith.addf %in, %741 : f32
      linalg.yield %742 : f32
    } -> tensor<16x32x1xf32>
    %255 = linalg.generic {indexing_maps = [#map4, #map4], iterator_types = ["parallel", "parallel", "parallel"]} ins(%254 : tensor<16x32x1xf32>) outs(%20 : tensor<16x32x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      %741 = math.rsqrt %in : f32
      linalg.yield %741 : f32
    } -> tensor<16x32x1xf32>
    %256 = linalg.generic {indexing_maps = [#map4, #map6, #map4], iterator_types = ["parallel", "parallel", "parallel"]} ins(%250, %255 : tensor<16x32x64xf32>, tensor<16x32x1xf32>) outs(%13 : tensor<16x32x64xf32>) {
    ^bb0(%in: f32, %in_246: f32, %out: f32):
      %741 = arith.mulf %in, %in_246 : f32
      linalg.yield %741 : f32
    } -> tensor<16x32x64xf32>
    %257 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel"]} ins(%arg25 : tensor<64xbf16>) outs(%27 : tensor<64xf32>) {
    ^bb0(%in: bf16, %out: f32):
      %741 = arith.extf %in : bf16 to f32
      linalg.yield %741 : f32
    } -> tensor<64xf32>
    %258 = linalg.generic {indexing_maps = [#map4, #map7, #map4], iterator_types = ["parallel", "parallel", "parallel"]} ins(%256, %257 : tensor<16x32x64xf32>, tensor<64xf32>) outs(%13 : tensor<16x32x64xf32>) {
    ^bb0(%in: f32, %in_246: f32, %out: f32):
      %741 = arith.mulf %in, %in_246 : f32
      linalg.yield %741 : f32
    } -> tensor<16x32x64xf32>
    %259 = linalg.generic {indexing_maps = [#map4, #map4], iterator_types = ["parallel", "parallel", "parallel"]} ins(%258 : tensor<16x32x64xf32>) outs(%16 : tensor<16x32x64xbf16>) {
    ^bb0(%in: f32, %out: bf16):
      %741 = arith.truncf %in : f32 to bf16
      linalg.yield %741 : bf16
    } -> tensor<16x32x64xbf16>
    %collapsed_102 = tensor.collapse_shape %259 [[0, 1], [2]] : tensor<16x32x64xbf16> into tensor<512x64xbf16>
    %transposed_103 = linalg.transpose ins(%arg26 : tensor<4x64xbf16>) outs(%80 : tensor<64x4xbf16>) permutation = [1, 0] 
    %260 = linalg.matmul ins(%collapsed_102, %transposed_103 : tensor<512x64xbf16>, tensor<64x4xbf16>) outs(%82 : tensor<512x4xf32>) -> tensor<512x4xf32>
    %261 = linalg.generic {indexing_maps = [#map3, #map3], iterator_types = ["parallel", "parallel"]} ins(%260 : tensor<512x4xf32>) outs(%84 : tensor<512x4xbf16>) {
    ^bb0(%in: f32, %out: bf16):
      %741 = arith.truncf %in : f32 to bf16
      linalg.yield %741 : bf16
    } -> tensor<512x4xbf16>
    %262 = linalg.generic {indexing_maps = [#map3, #map3], iterator_types = ["parallel", "parallel"]} ins(%261 : tensor<512x4xbf16>) outs(%81 : tensor<512x4xf32>) {
    ^bb0(%in: bf16, %out: f32):
      %741 = arith.extf %in : bf16 to f32
      linalg.yield %741 : f32
    } -> tensor<512x4xf32>
    %263:2 = linalg.generic {indexing_maps = [#map3, #map14, #map14], iterator_types = ["parallel", "reduction"]} ins(%262 : tensor<512x4xf32>) outs(%90, %88 : tensor<512xf32>, tensor<512xi64>) {
    ^bb0(%in: f32, %out: f32, %out_246: i64):
      %741 = linalg.index 1 : index
      %742 = arith.index_cast %741 : index to i64
      %743 = arith.maximumf %in, %out : f32
      %744 = arith.cmpf ogt, %in, %out : f32
      %745 = arith.select %744, %742, %out_246 : i64
      linalg.yield %743, %745 : f32, i64
    } -> (tensor<512xf32>, tensor<512xi64>)
    %expanded_104 = tensor.expand_shape %263#0 [[0, 1]] output_shape [512, 1] : tensor<512xf32> into tensor<512x1xf32>
    %264 = linalg.generic {indexing_maps = [#map3, #map1, #map3], iterator_types = ["parallel", "parallel"]} ins(%262, %expanded_104 : tensor<512x4xf32>, tensor<512x1xf32>) outs(%81 : tensor<512x4xf32>) {
    ^bb0(%in: f32, %in_246: f32, %out: f32):
      %741 = arith.subf %in, %in_246 : f32
      linalg.yield %741 : f32
    } -> tensor<512x4xf32>
    %265 = linalg.generic {indexing_maps = [#map3, #map3], iterator_types = ["parallel", "parallel"]} ins(%264 : tensor<512x4xf32>) outs(%81 : tensor<512x4xf32>) {
    ^bb0(%in: f32, %out: f32):
      %741 = math.exp %in : f32
      linalg.yield %741 : f32
    } -> tensor<512x4xf32>
    %266 = linalg.generic {indexing_maps = [#map3, #map1], iterator_types = ["parallel", "reduction"]} ins(%265 : tensor<512x4xf32>) outs(%95 : tensor<512x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      %741 = arith.addf %in, %out : f32
      linalg.yield %741 : f32
    } -> tensor<512x1xf32>
    %267 = linalg.generic {indexing_maps = [#map3, #map1, #map3], iterator_types = ["parallel", "parallel"]} ins(%265, %266 : tensor<512x4xf32>, tensor<512x1xf32>) outs(%81 : tensor<512x4xf32>) {
    ^bb0(%in: f32, %in_246: f32, %out: f32):
      %741 = arith.divf %in, %in_246 : f32
      linalg.yield %741 : f32
    } -> tensor<512x4xf32>
    %expanded_105 = tensor.expand_shape %267 [[0], [1, 2]] output_shape [512, 4, 1] : tensor<512x4xf32> into tensor<512x4x1xf32>
    %expanded_106 = tensor.expand_shape %267 [[0], [1, 2]] output_shape [512, 1, 4] : tensor<512x4xf32> into tensor<512x1x4xf32>
    %268 = linalg.generic {indexing_maps = [#map15, #map6, #map4], iterator_types = ["parallel", "parallel", "parallel"]} ins(%expanded_106, %expanded_105 : tensor<512x1x4xf32>, tensor<512x4x1xf32>) outs(%102 : tensor<512x4x4xi1>) {
    ^bb0(%in: f32, %in_246: f32, %out: i1):
      %741 = arith.cmpf ogt, %in, %in_246 : f32
      linalg.yield %741 : i1
    } -> tensor<512x4x4xi1>
    %269 = linalg.generic {indexing_maps = [#map15, #map6, #map4], iterator_types = ["parallel", "parallel", "parallel"]} ins(%expanded_106, %expanded_105 : tensor<512x1x4xf32>, tensor<512x4x1xf32>) outs(%102 : tensor<512x4x4xi1>) {
    ^bb0(%in: f32, %in_246: f32, %out: i1):
      %741 = arith.cmpf oeq, %in, %in_246 : f32
      linalg.yield %741 : i1
    } -> tensor<512x4x4xi1>
    %270 = linalg.generic {indexing_maps = [#map4, #map5, #map4], iterator_types = ["parallel", "parallel", "parallel"]} ins(%269, %101 : tensor<512x4x4xi1>, tensor<4x4xi1>) outs(%102 : tensor<512x4x4xi1>) {
    ^bb0(%in: i1, %in_246: i1, %out: i1):
      %741 = arith.andi %in, %in_246 : i1
      linalg.yield %741 : i1
    } -> tensor<512x4x4xi1>
    %271 = linalg.generic {indexing_maps = [#map4, #map4, #map4], iterator_types = ["parallel", "parallel", "parallel"]} ins(%268, %270 : tensor<512x4x4xi1>, tensor<512x4x4xi1>) outs(%102 : tensor<512x4x4xi1>) {
    ^bb0(%in: i1, %in_246: i1, %out: i1):
      %741 = arith.ori %in, %in_246 : i1
      linalg.yield %741 : i1
    } -> tensor<512x4x4xi1>
    %272 = linalg.generic {indexing_maps = [#map4, #map4], iterator_types = ["parallel", "parallel", "parallel"]} ins(%271 : tensor<512x4x4xi1>) outs(%107 : tensor<512x4x4xf32>) {
    ^bb0(%in: i1, %out: f32):
      %741 = arith.uitofp %in : i1 to f32
      linalg.yield %741 : f32
    } -> tensor<512x4x4xf32>
    %273 = linalg.generic {indexing_maps = [#map4, #map16], iterator_types = ["parallel", "parallel", "reduction"]} ins(%272 : tensor<512x4x4xf32>) outs(%82 : tensor<512x4xf32>) {
    ^bb0(%in: f32, %out: f32):
      %741 = arith.addf %in, %out : f32
      linalg.yield %741 : f32
    } -> tensor<512x4xf32>
    %274 = linalg.generic {indexing_maps = [#map3, #map3], iterator_types = ["parallel", "parallel"]} ins(%273 : tensor<512x4xf32>) outs(%110 : tensor<512x4xi1>) {
    ^bb0(%in: f32, %out: i1):
      %741 = arith.cmpf olt, %in, %cst_9 : f32
      linalg.yield %741 : i1
    } -> tensor<512x4xi1>
    %275 = linalg.generic {indexing_maps = [#map3, #map3], iterator_types = ["parallel", "parallel"]} ins(%274 : tensor<512x4xi1>) outs(%81 : tensor<512x4xf32>) {
    ^bb0(%in: i1, %out: f32):
      %741 = arith.uitofp %in : i1 to f32
      linalg.yield %741 : f32
    } -> tensor<512x4xf32>
    %276 = linalg.generic {indexing_maps = [#map3, #map3, #map3], iterator_types = ["parallel", "parallel"]} ins(%267, %275 : tensor<512x4xf32>, tensor<512x4xf32>) outs(%81 : tensor<512x4xf32>) {
    ^bb0(%in: f32, %in_246: f32, %out: f32):
      %741 = arith.mulf %in, %in_246 : f32
      linalg.yield %741 : f32
    } -> tensor<512x4xf32>
    %277 = linalg.generic {indexing_maps = [#map3, #map1], iterator_types = ["parallel", "reduction"]} ins(%276 : tensor<512x4xf32>) outs(%95 : tensor<512x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      %741 = arith.addf %in, %out : f32
      linalg.yield %741 : f32
    } -> tensor<512x1xf32>
    %278 = linalg.generic {indexing_maps = [#map3, #map1, #map3], iterator_types = ["parallel", "parallel"]} ins(%276, %277 : tensor<512x4xf32>, tensor<512x1xf32>) outs(%81 : tensor<512x4xf32>) {
    ^bb0(%in: f32, %in_246: f32, %out: f32):
      %741 = arith.divf %in, %in_246 : f32
      linalg.yield %741 : f32
    } -> tensor<512x4xf32>
    %279 = linalg.generic {indexing_maps = [#map5, #map4], iterator_types = ["parallel", "parallel", "parallel"]} ins(%collapsed_102 : tensor<512x64xbf16>) outs(%116 : tensor<4x512x64xbf16>) {
    ^bb0(%in: bf16, %out: bf16):
      linalg.yield %in : bf16
    } -> tensor<4x512x64xbf16>
    %transposed_107 = linalg.transpose ins(%arg27 : tensor<4x128x64xbf16>) outs(%118 : tensor<4x64x128xbf16>) permutation = [0, 2, 1] 
    %280 = linalg.batch_matmul ins(%279, %transposed_107 : tensor<4x512x64xbf16>, tensor<4x64x128xbf16>) outs(%120 : tensor<4x512x128xf32>) -> tensor<4x512x128xf32>
    %281 = linalg.generic {indexing_maps = [#map4, #map4], iterator_types = ["parallel", "parallel", "parallel"]} ins(%280 : tensor<4x512x128xf32>) outs(%122 : tensor<4x512x128xbf16>) {
    ^bb0(%in: f32, %out: bf16):
      %741 = arith.truncf %in : f32 to bf16
      linalg.yield %741 : bf16
    } -> tensor<4x512x128xbf16>
    %extracted_slice_108 = tensor.extract_slice %281[0, 0, 0] [4, 512, 64] [1, 1, 1] : tensor<4x512x128xbf16> to tensor<4x512x64xbf16>
    %extracted_slice_109 = tensor.extract_slice %281[0, 0, 64] [4, 512, 64] [1, 1, 1] : tensor<4x512x128xbf16> to tensor<4x512x64xbf16>
    %282 = linalg.generic {indexing_maps = [#map4, #map4], iterator_types = ["parallel", "parallel", "parallel"]} ins(%extracted_slice_108 : tensor<4x512x64xbf16>) outs(%124 : tensor<4x512x64xf32>) {
    ^bb0(%in: bf16, %out: f32):
      %741 = arith.extf %in : bf16 to f32
      linalg.yield %741 : f32
    } -> tensor<4x512x64xf32>
    %283 = linalg.generic {indexing_maps = [#map4, #map4], iterator_types = ["parallel", "parallel", "parallel"]} ins(%282 : tensor<4x512x64xf32>) outs(%124 : tensor<4x512x64xf32>) {
    ^bb0(%in: f32, %out: f32):
      %741 = arith.negf %in : f32
      %742 = math.exp %741 : f32
      %743 = arith.addf %742, %cst_2 : f32
      %744 = arith.divf %cst_2, %743 : f32
      linalg.yield %744 : f32
    } -> tensor<4x512x64xf32>
    %284 = linalg.generic {indexing_maps = [#map4, #map4, #map4], iterator_types = ["parallel", "parallel", "parallel"]} ins(%282, %283 : tensor<4x512x64xf32>, tensor<4x512x64xf32>) outs(%124 : tensor<4x512x64xf32>) {
    ^bb0(%in: f32, %in_246: f32, %out: f32):
      %741 = arith.mulf %in, %in_246 : f32
      linalg.yield %741 : f32
    } -> tensor<4x512x64xf32>
    %285 = linalg.generic {indexing_maps = [#map4, #map4], iterator_types = ["parallel", "parallel", "parallel"]} ins(%extracted_slice_109 : tensor<4x512x64xbf16>) outs(%124 : tensor<4x512x64xf32>) {
    ^bb0(%in: bf16, %out: f32):
      %741 = arith.extf %in : bf16 to f32
      linalg.yield %741 : f32
    } -> tensor<4x512x64xf32>
    %286 = linalg.generic {indexing_maps = [#map4, #map4, #map4], iterator_types = ["parallel", "parallel", "parallel"]} ins(%284, %285 : tensor<4x512x64xf32>, tensor<4x512x64xf32>) outs(%124 : tensor<4x512x64xf32>) {
    ^bb0(%in: f32, %in_246: f32, %out: f32):
      %741 = arith.mulf %in, %in_246 : f32
      linalg.yield %741 : f32
    } -> tensor<4x512x64xf32>
    %287 = linalg.generic {indexing_maps = [#map4, #map4], iterator_types = ["parallel", "parallel", "parallel"]} ins(%286 : tensor<4x512x64xf32>) outs(%116 : tensor<4x512x64xbf16>) {
    ^bb0(%in: f32, %out: bf16):
      %741 = arith.truncf %in : f32 to bf16
      linalg.yield %741 : bf16
    } -> tensor<4x512x64xbf16>
    %transposed_110 = linalg.transpose ins(%arg28 : tensor<4x64x64xbf16>) outs(%131 : tensor<4x64x64xbf16>) permutation = [0, 2, 1] 
    %288 = linalg.batch_matmul ins(%287, %transposed_110 : tensor<4x512x64xbf16>, tensor<4x64x64xbf16>) outs(%132 : tensor<4x512x64xf32>) -> tensor<4x512x64xf32>
    %289 = linalg.generic {indexing_maps = [#map4, #map4], iterator_types = ["parallel", "parallel", "parallel"]} ins(%288 : tensor<4x512x64xf32>) outs(%116 : tensor<4x512x64xbf16>) {
    ^bb0(%in: f32, %out: bf16):
      %741 = arith.truncf %in : f32 to bf16
      linalg.yield %741 : bf16
    } -> tensor<4x512x64xbf16>
    %290 = linalg.generic {indexing_maps = [#map4, #map4], iterator_types = ["parallel", "parallel", "parallel"]} ins(%289 : tensor<4x512x64xbf16>) outs(%124 : tensor<4x512x64xf32>) {
    ^bb0(%in: bf16, %out: f32):
      %741 = arith.extf %in : bf16 to f32
      linalg.yield %741 : f32
    } -> tensor<4x512x64xf32>
    %transposed_111 = linalg.transpose ins(%278 : tensor<512x4xf32>) outs(%136 : tensor<4x512xf32>) permutation = [1, 0] 
    %expanded_112 = tensor.expand_shape %transposed_111 [[0], [1, 2]] output_shape [4, 512, 1] : tensor<4x512xf32> into tensor<4x512x1xf32>
    %291 = linalg.generic {indexing_maps = [#map4, #map6, #map4], iterator_types = ["parallel", "parallel", "parallel"]} ins(%290, %expanded_112 : tensor<4x512x64xf32>, tensor<4x512x1xf32>) outs(%124 : tensor<4x512x64xf32>) {
    ^bb0(%in: f32, %in_246: f32, %out: f32):
      %741 = arith.mulf %in, %in_246 : f32
      linalg.yield %741 : f32
    } -> tensor<4x512x64xf32>
    %292 = linalg.generic {indexing_maps = [#map4, #map5], iterator_types = ["reduction", "parallel", "parallel"]} ins(%291 : tensor<4x512x64xf32>) outs(%7 : tensor<512x64xf32>) {
    ^bb0(%in: f32, %out: f32):
      %741 = arith.addf %in, %out : f32
      linalg.yield %741 : f32
    } -> tensor<512x64xf32>
    %293 = linalg.generic {indexing_maps = [#map3, #map3], iterator_types = ["parallel", "parallel"]} ins(%292 : tensor<512x64xf32>) outs(%9 : tensor<512x64xbf16>) {
    ^bb0(%in: f32, %out: bf16):
      %741 = arith.truncf %in : f32 to bf16
      linalg.yield %741 : bf16
    } -> tensor<512x64xbf16>
    %expanded_113 = tensor.expand_shape %293 [[0, 1], [2]] output_shape [16, 32, 64] : tensor<512x64xbf16> into tensor<16x32x64xbf16>
    %294 = linalg.generic {indexing_maps = [#map4, #map4, #map4], iterator_types = ["parallel", "parallel", "parallel"]} ins(%249, %expanded_113 : tensor<16x32x64xbf16>, tensor<16x32x64xbf16>) outs(%16 : tensor<16x32x64xbf16>) {
    ^bb0(%in: bf16, %in_246: bf16, %out: bf16):
      %741 = arith.addf %in, %in_246 : bf16
      linalg.yield %741 : bf16
    } -> tensor<16x32x64xbf16>
    %295 = linalg.generic {indexing_maps = [#map4, #map4], iterator_types = ["parallel", "parallel", "parallel"]} ins(%294 : tensor<16x32x64xbf16>) outs(%13 : tensor<16x32x64xf32>) {
    ^bb0(%in: bf16, %out: f32):
      %741 = arith.extf %in : bf16 to f32
      linalg.yield %741 : f32
    } -> tensor<16x32x64xf32>
    %296 = linalg.generic {indexing_maps = [#map4, #map4], iterator_types = ["parallel", "parallel", "parallel"]} ins(%295 : tensor<16x32x64xf32>) outs(%13 : tensor<16x32x64xf32>) {
    ^bb0(%in: f32, %out: f32):
      %741 = math.fpowi %in, %c2_i64 : f32, i64
      linalg.yield %741 : f32
    } -> tensor<16x32x64xf32>
    %297 = linalg.generic {indexing_maps = [#map4, #map6], iterator_types = ["parallel", "parallel", "reduction"]} ins(%296 : tensor<16x32x64xf32>) outs(%21 : tensor<16x32x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      %741 = arith.addf %in, %out : f32
      linalg.yield %741 : f32
    } -> tensor<16x32x1xf32>
    %298 = linalg.generic {indexing_maps = [#map4, #map4], iterator_types = ["parallel", "parallel", "parallel"]} ins(%297 : tensor<16x32x1xf32>) outs(%20 : tensor<16x32x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      %741 = arith.divf %in, %cst_8 : f32
      linalg.yield %741 : f32
    } -> tensor<16x32x1xf32>
    %299 = linalg.generic {indexing_maps = [#map4, #map4], iterator_types = ["parallel", "parallel", "parallel"]} ins(%298 : tensor<16x32x1xf32>) outs(%20 : tensor<16x32x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      %741 = arith.truncf %cst_7 : f64 to f32
      %742 = arith.addf %in, %741 : f32
      linalg.yield %742 : f32
    } -> tensor<16x32x1xf32>
    %300 = linalg.generic {indexing_maps = [#map4, #map4], iterator_types = ["parallel", "parallel", "parallel"]} ins(%299 : tensor<16x32x1xf32>) outs(%20 : tensor<16x32x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      %741 = math.rsqrt %in : f32
      linalg.yield %741 : f32
    } -> tensor<16x32x1xf32>
    %301 = linalg.generic {indexing_maps = [#map4, #map6, #map4], iterator_types = ["parallel", "parallel", "parallel"]} ins(%295, %300 : tensor<16x32x64xf32>, tensor<16x32x1xf32>) outs(%13 : tensor<16x32x64xf32>) {
    ^bb0(%in: f32, %in_246: f32, %out: f32):
      %741 = arith.mulf %in, %in_246 : f32
      linalg.yield %741 : f32
    } -> tensor<16x32x64xf32>
    %302 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel"]} ins(%arg29 : tensor<64xbf16>) outs(%27 : tensor<64xf32>) {
    ^bb0(%in: bf16, %out: f32):
      %741 = arith.extf %in : bf16 to f32
      linalg.yield %741 : f32
    } -> tensor<64xf32>
    %303 = linalg.generic {indexing_maps = [#map4, #map7, #map4], iterator_types = ["parallel", "parallel", "parallel"]} ins(%301, %302 : tensor<16x32x64xf32>, tensor<64xf32>) outs(%13 : tensor<16x32x64xf32>) {
    ^bb0(%in: f32, %in_246: f32, %out: f32):
      %741 = arith.mulf %in, %in_246 : f32
      linalg.yield %741 : f32
    } -> tensor<16x32x64xf32>
    %304 = linalg.generic {indexing_maps = [#map4, #map4], iterator_types = ["parallel", "parallel", "parallel"]} ins(%303 : tensor<16x32x64xf32>) outs(%16 : tensor<16x32x64xbf16>) {
    ^bb0(%in: f32, %out: bf16):
      %741 = arith.truncf %in : f32 to bf16
      linalg.yield %741 : bf16
    } -> tensor<16x32x64xbf16>
    %collapsed_114 = tensor.collapse_shape %304 [[0, 1], [2]] : tensor<16x32x64xbf16> into tensor<512x64xbf16>
    %305 = tensor.empty() : tensor<64x16xbf16>
    %transposed_115 = linalg.transpose ins(%arg30 : tensor<16x64xbf16>) outs(%305 : tensor<64x16xbf16>) permutation = [1, 0] 
    %306 = tensor.empty() : tensor<512x16xf32>
    %307 = linalg.fill ins(%cst : f32) outs(%306 : tensor<512x16xf32>) -> tensor<512x16xf32>
    %308 = linalg.matmul ins(%collapsed_114, %transposed_115 : tensor<512x64xbf16>, tensor<64x16xbf16>) outs(%307 : tensor<512x16xf32>) -> tensor<512x16xf32>
    %309 = linalg.generic {indexing_maps = [#map3, #map3], iterator_types = ["parallel", "parallel"]} ins(%308 : tensor<512x16xf32>) outs(%4 : tensor<512x16xbf16>) {
    ^bb0(%in: f32, %out: bf16):
      %741 = arith.truncf %in : f32 to bf16
      linalg.yield %741 : bf16
    } -> tensor<512x16xbf16>
    %expanded_116 = tensor.expand_shape %309 [[0, 1], [2]] output_shape [16, 32, 16] : tensor<512x16xbf16> into tensor<16x32x16xbf16>
    %310 = tensor.empty() : tensor<16x32x16xf32>
    %311 = linalg.generic {indexing_maps = [#map4, #map4], iterator_types = ["parallel", "parallel", "parallel"]} ins(%expanded_116 : tensor<16x32x16xbf16>) outs(%310 : tensor<16x32x16xf32>) {
    ^bb0(%in: bf16, %out: f32):
      %741 = arith.extf %in : bf16 to f32
      linalg.yield %741 : f32
    } -> tensor<16x32x16xf32>
    %312 = tensor.empty() : tensor<16x32xi64>
    %313 = linalg.fill ins(%c0_i64 : i64) outs(%312 : tensor<16x32xi64>) -> tensor<16x32xi64>
    %314 = tensor.empty() : tensor<16x32xf32>
    %315 = linalg.fill ins(%cst_0 : f32) outs(%314 : tensor<16x32xf32>) -> tensor<16x32xf32>
    %316:2 = linalg.generic {indexing_maps = [#map4, #map16, #map16], iterator_types = ["parallel", "parallel", "reduction"]} ins(%311 : tensor<16x32x16xf32>) outs(%315, %313 : tensor<16x32xf32>, tensor<16x32xi64>) {
    ^bb0(%in: f32, %out: f32, %out_246: i64):
      %741 = linalg.index 2 : index
      %742 = arith.index_cast %741 : index to i64
      %743 = arith.maximumf %in, %out : f32
      %744 = arith.cmpf ogt, %in, %out : f32
      %745 = arith.select %744, %742, %out_246 : i64
      linalg.yield %743, %745 : f32, i64
    } -> (tensor<16x32xf32>, tensor<16x32xi64>)
    %expanded_117 = tensor.expand_shape %316#0 [[0], [1, 2]] output_shape [16, 32, 1] : tensor<16x32xf32> into tensor<16x32x1xf32>
    %317 = linalg.generic {indexing_maps = [#map4, #map6, #map4], iterator_types = ["parallel", "parallel", "parallel"]} ins(%311, %expanded_117 : tensor<16x32x16xf32>, tensor<16x32x1xf32>) outs(%310 : tensor<16x32x16xf32>) {
    ^bb0(%in: f32, %in_246: f32, %out: f32):
      %741 = arith.subf %in, %in_246 : f32
      linalg.yield %741 : f32
    } -> tensor<16x32x16xf32>
    %318 = linalg.generic {indexing_maps = [#map4, #map4], iterator_types = ["parallel", "parallel", "parallel"]} ins(%317 : tensor<16x32x16xf32>) outs(%310 : tensor<16x32x16xf32>) {
    ^bb0(%in: f32, %out: f32):
      %741 = math.exp %in : f32
      linalg.yield %741 : f32
    } -> tensor<16x32x16xf32>
    %319 = linalg.generic {indexing_maps = [#map4, #map6], iterator_types = ["parallel", "parallel", "reduction"]} ins(%318 : tensor<16x32x16xf32>) outs(%21 : tensor<16x32x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      %741 = arith.addf %in, %out : f32
      linalg.yield %741 : f32
    } -> tensor<16x32x1xf32>
    %320 = linalg.generic {indexing_maps = [#map4, #map4], iterator_types = ["parallel", "parallel", "parallel"]} ins(%319 : tensor<16x32x1xf32>) outs(%20 : tensor<16x32x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      %741 = math.log %in : f32
      linalg.yield %741 : f32
    } -> tensor<16x32x1xf32>
    %321 = linalg.generic {indexing_maps = [#map4, #map6, #map4], iterator_types = ["parallel", "parallel", "parallel"]} ins(%317, %320 : tensor<16x32x16xf32>, tensor<16x32x1xf32>) outs(%310 : tensor<16x32x16xf32>) {
    ^bb0(%in: f32, %in_246: f32, %out: f32):
      %741 = arith.subf %in, %in_246 : f32
      linalg.yield %741 : f32
    } -> tensor<16x32x16xf32>
    %expanded_118 = tensor.expand_shape %arg32 [[0], [1, 2]] output_shape [16, 32, 1] : tensor<16x32xi64> into tensor<16x32x1xi64>
    %322 = tensor.empty() : tensor<16x32x16xi1>
    %323 = linalg.generic {indexing_maps = [#map6, #map7, #map4], iterator_types = ["parallel", "parallel", "parallel"]} ins(%expanded_118, %1 : tensor<16x32x1xi64>, tensor<16xi64>) outs(%322 : tensor<16x32x16xi1>) {
    ^bb0(%in: i64, %in_246: i64, %out: i1):
      %741 = arith.cmpi eq, %in, %in_246 : i64
      linalg.yield %741 : i1
    } -> tensor<16x32x16xi1>
    %324 = linalg.generic {indexing_maps = [#map4, #map4], iterator_types = ["parallel", "parallel", "parallel"]} ins(%323 : tensor<16x32x16xi1>) outs(%310 : tensor<16x32x16xf32>) {
    ^bb0(%in: i1, %out: f32):
      %741 = arith.uitofp %in : i1 to f32
      linalg.yield %741 : f32
    } -> tensor<16x32x16xf32>
    %325 = linalg.generic {indexing_maps = [#map4, #map4, #map4], iterator_types = ["parallel", "parallel", "parallel"]} ins(%321, %324 : tensor<16x32x16xf32>, tensor<16x32x16xf32>) outs(%310 : tensor<16x32x16xf32>) {
    ^bb0(%in: f32, %in_246: f32, %out: f32):
      %741 = arith.mulf %in, %in_246 : f32
      linalg.yield %741 : f32
    } -> tensor<16x32x16xf32>
    %326 = tensor.empty() : tensor<f32>
    %327 = linalg.fill ins(%cst : f32) outs(%326 : tensor<f32>) -> tensor<f32>
    %328 = linalg.generic {indexing_maps = [#map4, #map17], iterator_types = ["reduction", "reduction", "reduction"]} ins(%325 : tensor<16x32x16xf32>) outs(%327 : tensor<f32>) {
    ^bb0(%in: f32, %out: f32):
      %741 = arith.addf %in, %out : f32
      linalg.yield %741 : f32
    } -> tensor<f32>
    %329 = linalg.generic {indexing_maps = [#map18, #map18], iterator_types = []} ins(%328 : tensor<f32>) outs(%326 : tensor<f32>) {
    ^bb0(%in: f32, %out: f32):
      %741 = arith.negf %in : f32
      linalg.yield %741 : f32
    } -> tensor<f32>
    %330 = linalg.generic {indexing_maps = [#map18, #map18], iterator_types = []} ins(%329 : tensor<f32>) outs(%326 : tensor<f32>) {
    ^bb0(%in: f32, %out: f32):
      %741 = arith.divf %in, %cst_10 : f32
      linalg.yield %741 : f32
    } -> tensor<f32>
    %331 = linalg.generic {indexing_maps = [#map18, #map18], iterator_types = []} ins(%arg33 : tensor<f32>) outs(%326 : tensor<f32>) {
    ^bb0(%in: f32, %out: f32):
      %741 = arith.divf %in, %cst_10 : f32
      linalg.yield %741 : f32
    } -> tensor<f32>
    %332 = linalg.generic {indexing_maps = [#map18, #map18], iterator_types = []} ins(%331 : tensor<f32>) outs(%326 : tensor<f32>) {
    ^bb0(%in: f32, %out: f32):
      %741 = arith.negf %in : f32
      linalg.yield %741 : f32
    } -> tensor<f32>
    %333 = linalg.generic {indexing_maps = [#map17, #map4], iterator_types = ["parallel", "parallel", "parallel"]} ins(%332 : tensor<f32>) outs(%310 : tensor<16x32x16xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<16x32x16xf32>
    %334 = linalg.generic {indexing_maps = [#map4, #map4, #map4], iterator_types = ["parallel", "parallel", "parallel"]} ins(%333, %324 : tensor<16x32x16xf32>, tensor<16x32x16xf32>) outs(%310 : tensor<16x32x16xf32>) {
    ^bb0(%in: f32, %in_246: f32, %out: f32):
      %741 = arith.mulf %in, %in_246 : f32
      linalg.yield %741 : f32
    } -> tensor<16x32x16xf32>
    %335 = linalg.generic {indexing_maps = [#map4, #map4], iterator_types = ["parallel", "parallel", "parallel"]} ins(%321 : tensor<16x32x16xf32>) outs(%310 : tensor<16x32x16xf32>) {
    ^bb0(%in: f32, %out: f32):
      %741 = math.exp %in : f32
      linalg.yield %741 : f32
    } -> tensor<16x32x16xf32>
    %336 = linalg.generic {indexing_maps = [#map4, #map6], iterator_types = ["parallel", "parallel", "reduction"]} ins(%334 : tensor<16x32x16xf32>) outs(%21 : tensor<16x32x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      %741 = arith.addf %in, %out : f32
      linalg.yield %741 : f32
    } -> tensor<16x32x1xf32>
    %337 = linalg.generic {indexing_maps = [#map4, #map6, #map4], iterator_types = ["parallel", "parallel", "parallel"]} ins(%335, %336 : tensor<16x32x16xf32>, tensor<16x32x1xf32>) outs(%310 : tensor<16x32x16xf32>) {
    ^bb0(%in: f32, %in_246: f32, %out: f32):
      %741 = arith.mulf %in, %in_246 : f32
      linalg.yield %741 : f32
    } -> tensor<16x32x16xf32>
    %338 = linalg.generic {indexing_maps = [#map4, #map4, #map4], iterator_types = ["parallel", "parallel", "parallel"]} ins(%334, %337 : tensor<16x32x16xf32>, tensor<16x32x16xf32>) outs(%310 : tensor<16x32x16xf32>) {
    ^bb0(%in: f32, %in_246: f32, %out: f32):
      %741 = arith.subf %in, %in_246 : f32
      linalg.yield %741 : f32
    } -> tensor<16x32x16xf32>
    %339 = tensor.empty() : tensor<16x32x16xbf16>
    %340 = linalg.generic {indexing_maps = [#map4, #map4], iterator_types = ["parallel", "parallel", "parallel"]} ins(%338 : tensor<16x32x16xf32>) outs(%339 : tensor<16x32x16xbf16>) {
    ^bb0(%in: f32, %out: bf16):
      %741 = arith.truncf %in : f32 to bf16
      linalg.yield %741 : bf16
    } -> tensor<16x32x16xbf16>
    %collapsed_119 = tensor.collapse_shape %340 [[0, 1], [2]] : tensor<16x32x16xbf16> into tensor<512x16xbf16>
    %341 = tensor.empty() : tensor<16x512xbf16>
    %transposed_120 = linalg.transpose ins(%collapsed_119 : tensor<512x16xbf16>) outs(%341 : tensor<16x512xbf16>) permutation = [1, 0] 
    %342 = tensor.empty() : tensor<16x64xf32>
    %343 = linalg.fill ins(%cst : f32) outs(%342 : tensor<16x64xf32>) -> tensor<16x64xf32>
    %344 = linalg.matmul ins(%transposed_120, %collapsed_114 : tensor<16x512xbf16>, tensor<512x64xbf16>) outs(%343 : tensor<16x64xf32>) -> tensor<16x64xf32>
    %345 = tensor.empty() : tensor<16x64xbf16>
    %346 = linalg.generic {indexing_maps = [#map3, #map3], iterator_types = ["parallel", "parallel"]} ins(%344 : tensor<16x64xf32>) outs(%345 : tensor<16x64xbf16>) {
    ^bb0(%in: f32, %out: bf16):
      %741 = arith.truncf %in : f32 to bf16
      linalg.yield %741 : bf16
    } -> tensor<16x64xbf16>
    %347 = linalg.matmul ins(%collapsed_119, %arg30 : tensor<512x16xbf16>, tensor<16x64xbf16>) outs(%7 : tensor<512x64xf32>) -> tensor<512x64xf32>
    %348 = linalg.generic {indexing_maps = [#map3, #map3], iterator_types = ["parallel", "parallel"]} ins(%347 : tensor<512x64xf32>) outs(%9 : tensor<512x64xbf16>) {
    ^bb0(%in: f32, %out: bf16):
      %741 = arith.truncf %in : f32 to bf16
      linalg.yield %741 : bf16
    } -> tensor<512x64xbf16>
    %expanded_121 = tensor.expand_shape %348 [[0, 1], [2]] output_shape [16, 32, 64] : tensor<512x64xbf16> into tensor<16x32x64xbf16>
    %349 = linalg.generic {indexing_maps = [#map4, #map4], iterator_types = ["parallel", "parallel", "parallel"]} ins(%expanded_121 : tensor<16x32x64xbf16>) outs(%13 : tensor<16x32x64xf32>) {
    ^bb0(%in: bf16, %out: f32):
      %741 = arith.extf %in : bf16 to f32
      linalg.yield %741 : f32
    } -> tensor<16x32x64xf32>
    %350 = linalg.generic {indexing_maps = [#map4, #map4, #map4], iterator_types = ["parallel", "parallel", "parallel"]} ins(%349, %301 : tensor<16x32x64xf32>, tensor<16x32x64xf32>) outs(%13 : tensor<16x32x64xf32>) {
    ^bb0(%in: f32, %in_246: f32, %out: f32):
      %741 = arith.mulf %in, %in_246 : f32
      linalg.yield %741 : f32
    } -> tensor<16x32x64xf32>
    %351 = linalg.generic {indexing_maps = [#map4, #map7, #map4], iterator_types = ["parallel", "parallel", "parallel"]} ins(%349, %302 : tensor<16x32x64xf32>, tensor<64xf32>) outs(%13 : tensor<16x32x64xf32>) {
    ^bb0(%in: f32, %in_246: f32, %out: f32):
      %741 = arith.mulf %in, %in_246 : f32
      linalg.yield %741 : f32
    } -> tensor<16x32x64xf32>
    %352 = tensor.empty() : tensor<1x1x64xf32>
    %353 = linalg.fill ins(%cst : f32) outs(%352 : tensor<1x1x64xf32>) -> tensor<1x1x64xf32>
    %354 = linalg.generic {indexing_maps = [#map4, #map19], iterator_types = ["reduction", "reduction", "parallel"]} ins(%350 : tensor<16x32x64xf32>) outs(%353 : tensor<1x1x64xf32>) {
    ^bb0(%in: f32, %out: f32):
      %741 = arith.addf %in, %out : f32
      linalg.yield %741 : f32
    } -> tensor<1x1x64xf32>
    %collapsed_122 = tensor.collapse_shape %354 [[0, 1, 2]] : tensor<1x1x64xf32> into tensor<64xf32>
    %355 = tensor.empty() : tensor<64xbf16>
    %356 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel"]} ins(%collapsed_122 : tensor<64xf32>) outs(%355 : tensor<64xbf16>) {
    ^bb0(%in: f32, %out: bf16):
      %741 = arith.truncf %in : f32 to bf16
      linalg.yield %741 : bf16
    } -> tensor<64xbf16>
    %357 = linalg.generic {indexing_maps = [#map4, #map4, #map4], iterator_types = ["parallel", "parallel", "parallel"]} ins(%351, %295 : tensor<16x32x64xf32>, tensor<16x32x64xf32>) outs(%13 : tensor<16x32x64xf32>) {
    ^bb0(%in: f32, %in_246: f32, %out: f32):
      %741 = arith.mulf %in, %in_246 : f32
      linalg.yield %741 : f32
    } -> tensor<16x32x64xf32>
    %358 = linalg.generic {indexing_maps = [#map4, #map6, #map4], iterator_types = ["parallel", "parallel", "parallel"]} ins(%351, %300 : tensor<16x32x64xf32>, tensor<16x32x1xf32>) outs(%13 : tensor<16x32x64xf32>) {
    ^bb0(%in: f32, %in_246: f32, %out: f32):
      %741 = arith.mulf %in, %in_246 : f32
      linalg.yield %741 : f32
    } -> tensor<16x32x64xf32>
    %359 = linalg.generic {indexing_maps = [#map4, #map6], iterator_types = ["parallel", "parallel", "reduction"]} ins(%357 : tensor<16x32x64xf32>) outs(%21 : tensor<16x32x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      %741 = arith.addf %in, %out : f32
      linalg.yield %741 : f32
    } -> tensor<16x32x1xf32>
    %360 = linalg.generic {indexing_maps = [#map4, #map4], iterator_types = ["parallel", "parallel", "parallel"]} ins(%300 : tensor<16x32x1xf32>) outs(%20 : tensor<16x32x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      %741 = math.fpowi %in, %c3_i64 : f32, i64
      linalg.yield %741 : f32
    } -> tensor<16x32x1xf32>
    %361 = linalg.generic {indexing_maps = [#map4, #map4], iterator_types = ["parallel", "parallel", "parallel"]} ins(%359 : tensor<16x32x1xf32>) outs(%20 : tensor<16x32x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      %741 = arith.mulf %in, %cst_11 : f32
      linalg.yield %741 : f32
    } -> tensor<16x32x1xf32>
    %362 = linalg.generic {indexing_maps = [#map4, #map4, #map4], iterator_types = ["parallel", "parallel", "parallel"]} ins(%361, %360 : tensor<16x32x1xf32>, tensor<16x32x1xf32>) outs(%20 : tensor<16x32x1xf32>) {
    ^bb0(%in: f32, %in_246: f32, %out: f32):
      %741 = arith.mulf %in, %in_246 : f32
      linalg.yield %741 : f32
    } -> tensor<16x32x1xf32>
    %collapsed_123 = tensor.collapse_shape %362 [[0], [1, 2]] : tensor<16x32x1xf32> into tensor<16x32xf32>
    %363 = linalg.generic {indexing_maps = [#map16, #map4], iterator_types = ["parallel", "parallel", "parallel"]} ins(%collapsed_123 : tensor<16x32xf32>) outs(%13 : tensor<16x32x64xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<16x32x64xf32>
    %364 = linalg.generic {indexing_maps = [#map4, #map4], iterator_types = ["parallel", "parallel", "parallel"]} ins(%363 : tensor<16x32x64xf32>) outs(%13 : tensor<16x32x64xf32>) {
    ^bb0(%in: f32, %out: f32):
      %741 = arith.divf %in, %cst_8 : f32
      linalg.yield %741 : f32
    } -> tensor<16x32x64xf32>
    %365 = linalg.generic {indexing_maps = [#map4, #map4], iterator_types = ["parallel", "parallel", "parallel"]} ins(%295 : tensor<16x32x64xf32>) outs(%13 : tensor<16x32x64xf32>) {
    ^bb0(%in: f32, %out: f32):
      %741 = math.fpowi %in, %c1_i64 : f32, i64
      linalg.yield %741 : f32
    } -> tensor<16x32x64xf32>
    %366 = linalg.generic {indexing_maps = [#map4, #map4], iterator_types = ["parallel", "parallel", "parallel"]} ins(%365 : tensor<16x32x64xf32>) outs(%13 : tensor<16x32x64xf32>) {
    ^bb0(%in: f32, %out: f32):
      %741 = arith.mulf %in, %cst_9 : f32
      linalg.yield %741 : f32
    } -> tensor<16x32x64xf32>
    %367 = linalg.generic {indexing_maps = [#map4, #map4, #map4], iterator_types = ["parallel", "parallel", "parallel"]} ins(%364, %366 : tensor<16x32x64xf32>, tensor<16x32x64xf32>) outs(%13 : tensor<16x32x64xf32>) {
    ^bb0(%in: f32, %in_246: f32, %out: f32):
      %741 = arith.mulf %in, %in_246 : f32
      linalg.yield %741 : f32
    } -> tensor<16x32x64xf32>
    %368 = linalg.generic {indexing_maps = [#map4, #map4, #map4], iterator_types = ["parallel", "parallel", "parallel"]} ins(%358, %367 : tensor<16x32x64xf32>, tensor<16x32x64xf32>) outs(%13 : tensor<16x32x64xf32>) {
    ^bb0(%in: f32, %in_246: f32, %out: f32):
      %741 = arith.addf %in, %in_246 : f32
      linalg.yield %741 : f32
    } -> tensor<16x32x64xf32>
    %369 = linalg.generic {indexing_maps = [#map4, #map4], iterator_types = ["parallel", "parallel", "parallel"]} ins(%368 : tensor<16x32x64xf32>) outs(%16 : tensor<16x32x64xbf16>) {
    ^bb0(%in: f32, %out: bf16):
      %741 = arith.truncf %in : f32 to bf16
      linalg.yield %741 : bf16
    } -> tensor<16x32x64xbf16>
    %collapsed_124 = tensor.collapse_shape %369 [[0, 1], [2]] : tensor<16x32x64xbf16> into tensor<512x64xbf16>
    %370 = linalg.generic {indexing_maps = [#map3, #map3], iterator_types = ["parallel", "parallel"]} ins(%collapsed_124 : tensor<512x64xbf16>) outs(%6 : tensor<512x64xf32>) {
    ^bb0(%in: bf16, %out: f32):
      %741 = arith.extf %in : bf16 to f32
      linalg.yield %741 : f32
    } -> tensor<512x64xf32>
    %371 = linalg.generic {indexing_maps = [#map5, #map4], iterator_types = ["parallel", "parallel", "parallel"]} ins(%370 : tensor<512x64xf32>) outs(%124 : tensor<4x512x64xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<4x512x64xf32>
    %372 = linalg.generic {indexing_maps = [#map4, #map4, #map4], iterator_types = ["parallel", "parallel", "parallel"]} ins(%371, %290 : tensor<4x512x64xf32>, tensor<4x512x64xf32>) outs(%124 : tensor<4x512x64xf32>) {
    ^bb0(%in: f32, %in_246: f32, %out: f32):
      %741 = arith.mulf %in, %in_246 : f32
      linalg.yield %741 : f32
    } -> tensor<4x512x64xf32>
    %373 = linalg.generic {indexing_maps = [#map4, #map6, #map4], iterator_types = ["parallel", "parallel", "parallel"]} ins(%371, %expanded_112 : tensor<4x512x64xf32>, tensor<4x512x1xf32>) outs(%124 : tensor<4x512x64xf32>) {
    ^bb0(%in: f32, %in_246: f32, %out: f32):
      %741 = arith.mulf %in, %in_246 : f32
      linalg.yield %741 : f32
    } -> tensor<4x512x64xf32>
    %374 = tensor.empty() : tensor<4x512x1xf32>
    %375 = linalg.fill ins(%cst : f32) outs(%374 : tensor<4x512x1xf32>) -> tensor<4x512x1xf32>
    %376 = linalg.generic {indexing_maps = [#map4, #map6], iterator_types = ["parallel", "parallel", "reduction"]} ins(%372 : tensor<4x512x64xf32>) outs(%375 : tensor<4x512x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      %741 = arith.addf %in, %out : f32
      linalg.yield %741 : f32
    } -> tensor<4x512x1xf32>
    %collapsed_125 = tensor.collapse_shape %376 [[0], [1, 2]] : tensor<4x512x1xf32> into tensor<4x512xf32>
    %transposed_126 = linalg.transpose ins(%collapsed_125 : tensor<4x512xf32>) outs(%81 : tensor<512x4xf32>) permutation = [1, 0] 
    %377 = linalg.generic {indexing_maps = [#map4, #map4], iterator_types = ["parallel", "parallel", "parallel"]} ins(%373 : tensor<4x512x64xf32>) outs(%116 : tensor<4x512x64xbf16>) {
    ^bb0(%in: f32, %out: bf16):
      %741 = arith.truncf %in : f32 to bf16
      linalg.yield %741 : bf16
    } -> tensor<4x512x64xbf16>
    %378 = tensor.empty() : tensor<4x64x512xbf16>
    %transposed_127 = linalg.transpose ins(%287 : tensor<4x512x64xbf16>) outs(%378 : tensor<4x64x512xbf16>) permutation = [0, 2, 1] 
    %379 = tensor.empty() : tensor<4x64x64xf32>
    %380 = linalg.fill ins(%cst : f32) outs(%379 : tensor<4x64x64xf32>) -> tensor<4x64x64xf32>
    %381 = linalg.batch_matmul ins(%transposed_127, %377 : tensor<4x64x512xbf16>, tensor<4x512x64xbf16>) outs(%380 : tensor<4x64x64xf32>) -> tensor<4x64x64xf32>
    %382 = linalg.generic {indexing_maps = [#map4, #map4], iterator_types = ["parallel", "parallel", "parallel"]} ins(%381 : tensor<4x64x64xf32>) outs(%131 : tensor<4x64x64xbf16>) {
    ^bb0(%in: f32, %out: bf16):
      %741 = arith.truncf %in : f32 to bf16
      linalg.yield %741 : bf16
    } -> tensor<4x64x64xbf16>
    %383 = linalg.batch_matmul ins(%377, %arg28 : tensor<4x512x64xbf16>, tensor<4x64x64xbf16>) outs(%132 : tensor<4x512x64xf32>) -> tensor<4x512x64xf32>
    %384 = linalg.generic {indexing_maps = [#map4, #map4], iterator_types = ["parallel", "parallel", "parallel"]} ins(%383 : tensor<4x512x64xf32>) outs(%116 : tensor<4x512x64xbf16>) {
    ^bb0(%in: f32, %out: bf16):
      %741 = arith.truncf %in : f32 to bf16
      linalg.yield %741 : bf16
    } -> tensor<4x512x64xbf16>
    %transposed_128 = linalg.transpose ins(%382 : tensor<4x64x64xbf16>) outs(%131 : tensor<4x64x64xbf16>) permutation = [0, 2, 1] 
    %385 = linalg.generic {indexing_maps = [#map4, #map4], iterator_types = ["parallel", "parallel", "parallel"]} ins(%384 : tensor<4x512x64xbf16>) outs(%124 : tensor<4x512x64xf32>) {
    ^bb0(%in: bf16, %out: f32):
      %741 = arith.extf %in : bf16 to f32
      linalg.yield %741 : f32
    } -> tensor<4x512x64xf32>
    %386 = linalg.generic {indexing_maps = [#map4, #map4, #map4], iterator_types = ["parallel", "parallel", "parallel"]} ins(%385, %284 : tensor<4x512x64xf32>, tensor<4x512x64xf32>) outs(%124 : tensor<4x512x64xf32>) {
    ^bb0(%in: f32, %in_246: f32, %out: f32):
      %741 = arith.mulf %in, %in_246 : f32
      linalg.yield %741 : f32
    } -> tensor<4x512x64xf32>
    %387 = linalg.generic {indexing_maps = [#map4, #map4, #map4], iterator_types = ["parallel", "parallel", "parallel"]} ins(%385, %285 : tensor<4x512x64xf32>, tensor<4x512x64xf32>) outs(%124 : tensor<4x512x64xf32>) {
    ^bb0(%in: f32, %in_246: f32, %out: f32):
      %741 = arith.mulf %in, %in_246 : f32
      linalg.yield %741 : f32
    } -> tensor<4x512x64xf32>
    %388 = linalg.generic {indexing_maps = [#map4, #map4], iterator_types = ["parallel", "parallel", "parallel"]} ins(%386 : tensor<4x512x64xf32>) outs(%116 : tensor<4x512x64xbf16>) {
    ^bb0(%in: f32, %out: bf16):
      %741 = arith.truncf %in : f32 to bf16
      linalg.yield %741 : bf16
    } -> tensor<4x512x64xbf16>
    %389 = linalg.generic {indexing_maps = [#map4, #map4, #map4], iterator_types = ["parallel", "parallel", "parallel"]} ins(%cst_4, %283 : tensor<4x512x64xf32>, tensor<4x512x64xf32>) outs(%124 : tensor<4x512x64xf32>) {
    ^bb0(%in: f32, %in_246: f32, %out: f32):
      %741 = arith.subf %in, %in_246 : f32
      linalg.yield %741 : f32
    } -> tensor<4x512x64xf32>
    %390 = linalg.generic {indexing_maps = [#map4, #map4, #map4], iterator_types = ["parallel", "parallel", "parallel"]} ins(%282, %389 : tensor<4x512x64xf32>, tensor<4x512x64xf32>) outs(%124 : tensor<4x512x64xf32>) {
    ^bb0(%in: f32, %in_246: f32, %out: f32):
      %741 = arith.mulf %in, %in_246 : f32
      linalg.yield %741 : f32
    } -> tensor<4x512x64xf32>
    %391 = linalg.generic {indexing_maps = [#map4, #map4], iterator_types = ["parallel", "parallel", "parallel"]} ins(%390 : tensor<4x512x64xf32>) outs(%124 : tensor<4x512x64xf32>) {
    ^bb0(%in: f32, %out: f32):
      %741 = arith.addf %in, %cst_2 : f32
      linalg.yield %741 : f32
    } -> tensor<4x512x64xf32>
    %392 = linalg.generic {indexing_maps = [#map4, #map4, #map4], iterator_types = ["parallel", "parallel", "parallel"]} ins(%283, %391 : tensor<4x512x64xf32>, tensor<4x512x64xf32>) outs(%124 : tensor<4x512x64xf32>) {
    ^bb0(%in: f32, %in_246: f32, %out: f32):
      %741 = arith.mulf %in, %in_246 : f32
      linalg.yield %741 : f32
    } -> tensor<4x512x64xf32>
    %393 = linalg.generic {indexing_maps = [#map4, #map4, #map4], iterator_types = ["parallel", "parallel", "parallel"]} ins(%387, %392 : tensor<4x512x64xf32>, tensor<4x512x64xf32>) outs(%124 : tensor<4x512x64xf32>) {
    ^bb0(%in: f32, %in_246: f32, %out: f32):
      %741 = arith.mulf %in, %in_246 : f32
      linalg.yield %741 : f32
    } -> tensor<4x512x64xf32>
    %394 = linalg.generic {indexing_maps = [#map4, #map4], iterator_types = ["parallel", "parallel", "parallel"]} ins(%393 : tensor<4x512x64xf32>) outs(%116 : tensor<4x512x64xbf16>) {
    ^bb0(%in: f32, %out: bf16):
      %741 = arith.truncf %in : f32 to bf16
      linalg.yield %741 : bf16
    } -> tensor<4x512x64xbf16>
    %concat = tensor.concat dim(2) %394, %388 : (tensor<4x512x64xbf16>, tensor<4x512x64xbf16>) -> tensor<4x512x128xbf16>
    %transposed_129 = linalg.transpose ins(%279 : tensor<4x512x64xbf16>) outs(%378 : tensor<4x64x512xbf16>) permutation = [0, 2, 1] 
    %395 = tensor.empty() : tensor<4x64x128xf32>
    %396 = linalg.fill ins(%cst : f32) outs(%395 : tensor<4x64x128xf32>) -> tensor<4x64x128xf32>
    %397 = linalg.batch_matmul ins(%transposed_129, %concat : tensor<4x64x512xbf16>, tensor<4x512x128xbf16>) outs(%396 : tensor<4x64x128xf32>) -> tensor<4x64x128xf32>
    %398 = linalg.generic {indexing_maps = [#map4, #map4], iterator_types = ["parallel", "parallel", "parallel"]} ins(%397 : tensor<4x64x128xf32>) outs(%118 : tensor<4x64x128xbf16>) {
    ^bb0(%in: f32, %out: bf16):
      %741 = arith.truncf %in : f32 to bf16
      linalg.yield %741 : bf16
    } -> tensor<4x64x128xbf16>
    %399 = linalg.batch_matmul ins(%concat, %arg27 : tensor<4x512x128xbf16>, tensor<4x128x64xbf16>) outs(%132 : tensor<4x512x64xf32>) -> tensor<4x512x64xf32>
    %400 = linalg.generic {indexing_maps = [#map4, #map4], iterator_types = ["parallel", "parallel", "parallel"]} ins(%399 : tensor<4x512x64xf32>) outs(%116 : tensor<4x512x64xbf16>) {
    ^bb0(%in: f32, %out: bf16):
      %741 = arith.truncf %in : f32 to bf16
      linalg.yield %741 : bf16
    } -> tensor<4x512x64xbf16>
    %401 = tensor.empty() : tensor<4x128x64xbf16>
    %transposed_130 = linalg.transpose ins(%398 : tensor<4x64x128xbf16>) outs(%401 : tensor<4x128x64xbf16>) permutation = [0, 2, 1] 
    %402 = tensor.empty() : tensor<1x512x64xbf16>
    %403 = linalg.fill ins(%cst_1 : bf16) outs(%402 : tensor<1x512x64xbf16>) -> tensor<1x512x64xbf16>
    %404 = linalg.generic {indexing_maps = [#map4, #map20], iterator_types = ["reduction", "parallel", "parallel"]} ins(%400 : tensor<4x512x64xbf16>) outs(%403 : tensor<1x512x64xbf16>) {
    ^bb0(%in: bf16, %out: bf16):
      %741 = arith.addf %in, %out : bf16
      linalg.yield %741 : bf16
    } -> tensor<1x512x64xbf16>
    %collapsed_131 = tensor.collapse_shape %404 [[0, 1], [2]] : tensor<1x512x64xbf16> into tensor<512x64xbf16>
    %405 = linalg.generic {indexing_maps = [#map3, #map1, #map3], iterator_types = ["parallel", "parallel"]} ins(%278, %277 : tensor<512x4xf32>, tensor<512x1xf32>) outs(%81 : tensor<512x4xf32>) {
    ^bb0(%in: f32, %in_246: f32, %out: f32):
      %741 = arith.divf %in, %in_246 : f32
      linalg.yield %741 : f32
    } -> tensor<512x4xf32>
    %406 = linalg.generic {indexing_maps = [#map3, #map3], iterator_types = ["parallel", "parallel"]} ins(%transposed_126 : tensor<512x4xf32>) outs(%81 : tensor<512x4xf32>) {
    ^bb0(%in: f32, %out: f32):
      %741 = arith.negf %in : f32
      linalg.yield %741 : f32
    } -> tensor<512x4xf32>
    %407 = linalg.generic {indexing_maps = [#map3, #map3, #map3], iterator_types = ["parallel", "parallel"]} ins(%406, %405 : tensor<512x4xf32>, tensor<512x4xf32>) outs(%81 : tensor<512x4xf32>) {
    ^bb0(%in: f32, %in_246: f32, %out: f32):
      %741 = arith.mulf %in, %in_246 : f32
      linalg.yield %741 : f32
    } -> tensor<512x4xf32>
    %408 = linalg.generic {indexing_maps = [#map3, #map1, #map3], iterator_types = ["parallel", "parallel"]} ins(%transposed_126, %277 : tensor<512x4xf32>, tensor<512x1xf32>) outs(%81 : tensor<512x4xf32>) {
    ^bb0(%in: f32, %in_246: f32, %out: f32):
      %741 = arith.divf %in, %in_246 : f32
      linalg.yield %741 : f32
    } -> tensor<512x4xf32>
    %409 = linalg.generic {indexing_maps = [#map3, #map1], iterator_types = ["parallel", "reduction"]} ins(%407 : tensor<512x4xf32>) outs(%95 : tensor<512x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      %741 = arith.addf %in, %out : f32
      linalg.yield %741 : f32
    } -> tensor<512x1xf32>
    %collapsed_132 = tensor.collapse_shape %409 [[0, 1]] : tensor<512x1xf32> into tensor<512xf32>
    %410 = linalg.generic {indexing_maps = [#map14, #map3], iterator_types = ["parallel", "parallel"]} ins(%collapsed_132 : tensor<512xf32>) outs(%81 : tensor<512x4xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<512x4xf32>
    %411 = linalg.generic {indexing_maps = [#map3, #map3, #map3], iterator_types = ["parallel", "parallel"]} ins(%408, %410 : tensor<512x4xf32>, tensor<512x4xf32>) outs(%81 : tensor<512x4xf32>) {
    ^bb0(%in: f32, %in_246: f32, %out: f32):
      %741 = arith.addf %in, %in_246 : f32
      linalg.yield %741 : f32
    } -> tensor<512x4xf32>
    %412 = linalg.generic {indexing_maps = [#map3, #map3, #map3], iterator_types = ["parallel", "parallel"]} ins(%411, %275 : tensor<512x4xf32>, tensor<512x4xf32>) outs(%81 : tensor<512x4xf32>) {
    ^bb0(%in: f32, %in_246: f32, %out: f32):
      %741 = arith.mulf %in, %in_246 : f32
      linalg.yield %741 : f32
    } -> tensor<512x4xf32>
    %413 = linalg.generic {indexing_maps = [#map3, #map3, #map3], iterator_types = ["parallel", "parallel"]} ins(%412, %267 : tensor<512x4xf32>, tensor<512x4xf32>) outs(%81 : tensor<512x4xf32>) {
    ^bb0(%in: f32, %in_246: f32, %out: f32):
      %741 = arith.mulf %in, %in_246 : f32
      linalg.yield %741 : f32
    } -> tensor<512x4xf32>
    %414 = linalg.generic {indexing_maps = [#map3, #map1], iterator_types = ["parallel", "reduction"]} ins(%413 : tensor<512x4xf32>) outs(%95 : tensor<512x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      %741 = arith.addf %in, %out : f32
      linalg.yield %741 : f32
    } -> tensor<512x1xf32>
    %415 = linalg.generic {indexing_maps = [#map3, #map1, #map3], iterator_types = ["parallel", "parallel"]} ins(%267, %414 : tensor<512x4xf32>, tensor<512x1xf32>) outs(%81 : tensor<512x4xf32>) {
    ^bb0(%in: f32, %in_246: f32, %out: f32):
      %741 = arith.mulf %in, %in_246 : f32
      linalg.yield %741 : f32
    } -> tensor<512x4xf32>
    %416 = linalg.generic {indexing_maps = [#map3, #map3, #map3], iterator_types = ["parallel", "parallel"]} ins(%413, %415 : tensor<512x4xf32>, tensor<512x4xf32>) outs(%81 : tensor<512x4xf32>) {
    ^bb0(%in: f32, %in_246: f32, %out: f32):
      %741 = arith.subf %in, %in_246 : f32
      linalg.yield %741 : f32
    } -> tensor<512x4xf32>
    %417 = linalg.generic {indexing_maps = [#map3, #map3], iterator_types = ["parallel", "parallel"]} ins(%416 : tensor<512x4xf32>) outs(%84 : tensor<512x4xbf16>) {
    ^bb0(%in: f32, %out: bf16):
      %741 = arith.truncf %in : f32 to bf16
      linalg.yield %741 : bf16
    } -> tensor<512x4xbf16>
    %418 = tensor.empty() : tensor<4x512xbf16>
    %transposed_133 = linalg.transpose ins(%417 : tensor<512x4xbf16>) outs(%418 : tensor<4x512xbf16>) permutation = [1, 0] 
    %419 = tensor.empty() : tensor<4x64xf32>
    %420 = linalg.fill ins(%cst : f32) outs(%419 : tensor<4x64xf32>) -> tensor<4x64xf32>
    %421 = linalg.matmul ins(%transposed_133, %collapsed_102 : tensor<4x512xbf16>, tensor<512x64xbf16>) outs(%420 : tensor<4x64xf32>) -> tensor<4x64xf32>
    %422 = tensor.empty() : tensor<4x64xbf16>
    %423 = linalg.generic {indexing_maps = [#map3, #map3], iterator_types = ["parallel", "parallel"]} ins(%421 : tensor<4x64xf32>) outs(%422 : tensor<4x64xbf16>) {
    ^bb0(%in: f32, %out: bf16):
      %741 = arith.truncf %in : f32 to bf16
      linalg.yield %741 : bf16
    } -> tensor<4x64xbf16>
    %424 = linalg.matmul ins(%417, %arg26 : tensor<512x4xbf16>, tensor<4x64xbf16>) outs(%7 : tensor<512x64xf32>) -> tensor<512x64xf32>
    %425 = linalg.generic {indexing_maps = [#map3, #map3], iterator_types = ["parallel", "parallel"]} ins(%424 : tensor<512x64xf32>) outs(%9 : tensor<512x64xbf16>) {
    ^bb0(%in: f32, %out: bf16):
      %741 = arith.truncf %in : f32 to bf16
      linalg.yield %741 : bf16
    } -> tensor<512x64xbf16>
    %426 = linalg.generic {indexing_maps = [#map3, #map3, #map3], iterator_types = ["parallel", "parallel"]} ins(%collapsed_131, %425 : tensor<512x64xbf16>, tensor<512x64xbf16>) outs(%9 : tensor<512x64xbf16>) {
    ^bb0(%in: bf16, %in_246: bf16, %out: bf16):
      %741 = arith.addf %in, %in_246 : bf16
      linalg.yield %741 : bf16
    } -> tensor<512x64xbf16>
    %expanded_134 = tensor.expand_shape %426 [[0, 1], [2]] output_shape [16, 32, 64] : tensor<512x64xbf16> into tensor<16x32x64xbf16>
    %427 = linalg.generic {indexing_maps = [#map4, #map4], iterator_types = ["parallel", "parallel", "parallel"]} ins(%expanded_134 : tensor<16x32x64xbf16>) outs(%13 : tensor<16x32x64xf32>) {
    ^bb0(%in: bf16, %out: f32):
      %741 = arith.extf %in : bf16 to f32
      linalg.yield %741 : f32
    } -> tensor<16x32x64xf32>
    %428 = linalg.generic {indexing_maps = [#map4, #map4, #map4], iterator_types = ["parallel", "parallel", "parallel"]} ins(%427, %256 : tensor<16x32x64xf32>, tensor<16x32x64xf32>) outs(%13 : tensor<16x32x64xf32>) {
    ^bb0(%in: f32, %in_246: f32, %out: f32):
      %741 = arith.mulf %in, %in_246 : f32
      linalg.yield %741 : f32
    } -> tensor<16x32x64xf32>
    %429 = linalg.generic {indexing_maps = [#map4, #map7, #map4], iterator_types = ["parallel", "parallel", "parallel"]} ins(%427, %257 : tensor<16x32x64xf32>, tensor<64xf32>) outs(%13 : tensor<16x32x64xf32>) {
    ^bb0(%in: f32, %in_246: f32, %out: f32):
      %741 = arith.mulf %in, %in_246 : f32
      linalg.yield %741 : f32
    } -> tensor<16x32x64xf32>
    %430 = linalg.generic {indexing_maps = [#map4, #map19], iterator_types = ["reduction", "reduction", "parallel"]} ins(%428 : tensor<16x32x64xf32>) outs(%353 : tensor<1x1x64xf32>) {
    ^bb0(%in: f32, %out: f32):
      %741 = arith.addf %in, %out : f32
      linalg.yield %741 : f32
    } -> tensor<1x1x64xf32>
    %collapsed_135 = tensor.collapse_shape %430 [[0, 1, 2]] : tensor<1x1x64xf32> into tensor<64xf32>
    %431 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel"]} ins(%collapsed_135 : tensor<64xf32>) outs(%355 : tensor<64xbf16>) {
    ^bb0(%in: f32, %out: bf16):
      %741 = arith.truncf %in : f32 to bf16
      linalg.yield %741 : bf16
    } -> tensor<64xbf16>
    %432 = linalg.generic {indexing_maps = [#map4, #map4, #map4], iterator_types = ["parallel", "parallel", "parallel"]} ins(%429, %250 : tensor<16x32x64xf32>, tensor<16x32x64xf32>) outs(%13 : tensor<16x32x64xf32>) {
    ^bb0(%in: f32, %in_246: f32, %out: f32):
      %741 = arith.mulf %in, %in_246 : f32
      linalg.yield %741 : f32
    } -> tensor<16x32x64xf32>
    %433 = linalg.generic {indexing_maps = [#map4, #map6, #map4], iterator_types = ["parallel", "parallel", "parallel"]} ins(%429, %255 : tensor<16x32x64xf32>, tensor<16x32x1xf32>) outs(%13 : tensor<16x32x64xf32>) {
    ^bb0(%in: f32, %in_246: f32, %out: f32):
      %741 = arith.mulf %in, %in_246 : f32
      linalg.yield %741 : f32
    } -> tensor<16x32x64xf32>
    %434 = linalg.generic {indexing_maps = [#map4, #map6], iterator_types = ["parallel", "parallel", "reduction"]} ins(%432 : tensor<16x32x64xf32>) outs(%21 : tensor<16x32x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      %741 = arith.addf %in, %out : f32
      linalg.yield %741 : f32
    } -> tensor<16x32x1xf32>
    %435 = linalg.generic {indexing_maps = [#map4, #map4], iterator_types = ["parallel", "parallel", "parallel"]} ins(%255 : tensor<16x32x1xf32>) outs(%20 : tensor<16x32x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      %741 = math.fpowi %in, %c3_i64 : f32, i64
      linalg.yield %741 : f32
    } -> tensor<16x32x1xf32>
    %436 = linalg.generic {indexing_maps = [#map4, #map4], iterator_types = ["parallel", "parallel", "parallel"]} ins(%434 : tensor<16x32x1xf32>) outs(%20 : tensor<16x32x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      %741 = arith.mulf %in, %cst_11 : f32
      linalg.yield %741 : f32
    } -> tensor<16x32x1xf32>
    %437 = linalg.generic {indexing_maps = [#map4, #map4, #map4], iterator_types = ["parallel", "parallel", "parallel"]} ins(%436, %435 : tensor<16x32x1xf32>, tensor<16x32x1xf32>) outs(%20 : tensor<16x32x1xf32>) {
    ^bb0(%in: f32, %in_246: f32, %out: f32):
      %741 = arith.mulf %in, %in_246 : f32
      linalg.yield %741 : f32
    } -> tensor<16x32x1xf32>
    %collapsed_136 = tensor.collapse_shape %437 [[0], [1, 2]] : tensor<16x32x1xf32> into tensor<16x32xf32>
    %438 = linalg.generic {indexing_maps = [#map16, #map4], iterator_types = ["parallel", "parallel", "parallel"]} ins(%collapsed_136 : tensor<16x32xf32>) outs(%13 : tensor<16x32x64xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<16x32x64xf32>
    %439 = linalg.generic {indexing_maps = [#map4, #map4], iterator_types = ["parallel", "parallel", "parallel"]} ins(%438 : tensor<16x32x64xf32>) outs(%13 : tensor<16x32x64xf32>) {
    ^bb0(%in: f32, %out: f32):
      %741 = arith.divf %in, %cst_8 : f32
      linalg.yield %741 : f32
    } -> tensor<16x32x64xf32>
    %440 = linalg.generic {indexing_maps = [#map4, #map4], iterator_types = ["parallel", "parallel", "parallel"]} ins(%250 : tensor<16x32x64xf32>) outs(%13 : tensor<16x32x64xf32>) {
    ^bb0(%in: f32, %out: f32):
      %741 = math.fpowi %in, %c1_i64 : f32, i64
      linalg.yield %741 : f32
    } -> tensor<16x32x64xf32>
    %441 = linalg.generic {indexing_maps = [#map4, #map4], iterator_types = ["parallel", "parallel", "parallel"]} ins(%440 : tensor<16x32x64xf32>) outs(%13 : tensor<16x32x64xf32>) {
    ^bb0(%in: f32, %out: f32):
      %741 = arith.mulf %in, %cst_9 : f32
      linalg.yield %741 : f32
    } -> tensor<16x32x64xf32>
    %442 = linalg.generic {indexing_maps = [#map4, #map4, #map4], iterator_types = ["parallel", "parallel", "parallel"]} ins(%439, %441 : tensor<16x32x64xf32>, tensor<16x32x64xf32>) outs(%13 : tensor<16x32x64xf32>) {
    ^bb0(%in: f32, %in_246: f32, %out: f32):
      %741 = arith.mulf %in, %in_246 : f32
      linalg.yield %741 : f32
    } -> tensor<16x32x64xf32>
    %443 = linalg.generic {indexing_maps = [#map4, #map4, #map4], iterator_types = ["parallel", "parallel", "parallel"]} ins(%433, %442 : tensor<16x32x64xf32>, tensor<16x32x64xf32>) outs(%13 : tensor<16x32x64xf32>) {
    ^bb0(%in: f32, %in_246: f32, %out: f32):
      %741 = arith.addf %in, %in_246 : f32
      linalg.yield %741 : f32
    } -> tensor<16x32x64xf32>
    %444 = linalg.generic {indexing_maps = [#map4, #map4], iterator_types = ["parallel", "parallel", "parallel"]} ins(%443 : tensor<16x32x64xf32>) outs(%16 : tensor<16x32x64xbf16>) {
    ^bb0(%in: f32, %out: bf16):
      %741 = arith.truncf %in : f32 to bf16
      linalg.yield %741 : bf16
    } -> tensor<16x32x64xbf16>
    %445 = linalg.generic {indexing_maps = [#map4, #map4, #map4], iterator_types = ["parallel", "parallel", "parallel"]} ins(%369, %444 : tensor<16x32x64xbf16>, tensor<16x32x64xbf16>) outs(%16 : tensor<16x32x64xbf16>) {
    ^bb0(%in: bf16, %in_246: bf16, %out: bf16):
      %741 = arith.addf %in, %in_246 : bf16
      linalg.yield %741 : bf16
    } -> tensor<16x32x64xbf16>
    %collapsed_137 = tensor.collapse_shape %445 [[0, 1], [2]] : tensor<16x32x64xbf16> into tensor<512x64xbf16>
    %446 = tensor.empty() : tensor<64x512xbf16>
    %transposed_138 = linalg.transpose ins(%collapsed_137 : tensor<512x64xbf16>) outs(%446 : tensor<64x512xbf16>) permutation = [1, 0] 
    %447 = tensor.empty() : tensor<64x64xf32>
    %448 = linalg.fill ins(%cst : f32) outs(%447 : tensor<64x64xf32>) -> tensor<64x64xf32>
    %449 = linalg.matmul ins(%transposed_138, %collapsed_99 : tensor<64x512xbf16>, tensor<512x64xbf16>) outs(%448 : tensor<64x64xf32>) -> tensor<64x64xf32>
    %450 = linalg.generic {indexing_maps = [#map3, #map3], iterator_types = ["parallel", "parallel"]} ins(%449 : tensor<64x64xf32>) outs(%31 : tensor<64x64xbf16>) {
    ^bb0(%in: f32, %out: bf16):
      %741 = arith.truncf %in : f32 to bf16
      linalg.yield %741 : bf16
    } -> tensor<64x64xbf16>
    %451 = linalg.matmul ins(%collapsed_137, %arg24 : tensor<512x64xbf16>, tensor<64x64xbf16>) outs(%7 : tensor<512x64xf32>) -> tensor<512x64xf32>
    %452 = linalg.generic {indexing_maps = [#map3, #map3], iterator_types = ["parallel", "parallel"]} ins(%451 : tensor<512x64xf32>) outs(%9 : tensor<512x64xbf16>) {
    ^bb0(%in: f32, %out: bf16):
      %741 = arith.truncf %in : f32 to bf16
      linalg.yield %741 : bf16
    } -> tensor<512x64xbf16>
    %expanded_139 = tensor.expand_shape %452 [[0, 1], [2, 3]] output_shape [16, 32, 2, 32] : tensor<512x64xbf16> into tensor<16x32x2x32xbf16>
    %transposed_140 = linalg.transpose ins(%expanded_139 : tensor<16x32x2x32xbf16>) outs(%34 : tensor<16x2x32x32xbf16>) permutation = [0, 2, 1, 3] 
    %collapsed_141 = tensor.collapse_shape %transposed_140 [[0, 1], [2], [3]] : tensor<16x2x32x32xbf16> into tensor<32x32x32xbf16>
    %transposed_142 = linalg.transpose ins(%collapsed_95 : tensor<32x32x32xbf16>) outs(%42 : tensor<32x32x32xbf16>) permutation = [0, 2, 1] 
    %453 = linalg.batch_matmul ins(%transposed_142, %collapsed_141 : tensor<32x32x32xbf16>, tensor<32x32x32xbf16>) outs(%40 : tensor<32x32x32xf32>) -> tensor<32x32x32xf32>
    %454 = linalg.generic {indexing_maps = [#map4, #map4], iterator_types = ["parallel", "parallel", "parallel"]} ins(%453 : tensor<32x32x32xf32>) outs(%42 : tensor<32x32x32xbf16>) {
    ^bb0(%in: f32, %out: bf16):
      %741 = arith.truncf %in : f32 to bf16
      linalg.yield %741 : bf16
    } -> tensor<32x32x32xbf16>
    %transposed_143 = linalg.transpose ins(%collapsed_96 : tensor<32x32x32xbf16>) outs(%42 : tensor<32x32x32xbf16>) permutation = [0, 2, 1] 
    %455 = linalg.batch_matmul ins(%collapsed_141, %transposed_143 : tensor<32x32x32xbf16>, tensor<32x32x32xbf16>) outs(%40 : tensor<32x32x32xf32>) -> tensor<32x32x32xf32>
    %456 = linalg.generic {indexing_maps = [#map4, #map4], iterator_types = ["parallel", "parallel", "parallel"]} ins(%455 : tensor<32x32x32xf32>) outs(%42 : tensor<32x32x32xbf16>) {
    ^bb0(%in: f32, %out: bf16):
      %741 = arith.truncf %in : f32 to bf16
      linalg.yield %741 : bf16
    } -> tensor<32x32x32xbf16>
    %expanded_144 = tensor.expand_shape %454 [[0, 1], [2], [3]] output_shape [16, 2, 32, 32] : tensor<32x32x32xbf16> into tensor<16x2x32x32xbf16>
    %expanded_145 = tensor.expand_shape %456 [[0, 1], [2], [3]] output_shape [16, 2, 32, 32] : tensor<32x32x32xbf16> into tensor<16x2x32x32xbf16>
    %457 = linalg.generic {indexing_maps = [#map8, #map8], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%expanded_145 : tensor<16x2x32x32xbf16>) outs(%44 : tensor<16x2x32x32xf32>) {
    ^bb0(%in: bf16, %out: f32):
      %741 = arith.extf %in : bf16 to f32
      linalg.yield %741 : f32
    } -> tensor<16x2x32x32xf32>
    %458 = linalg.generic {indexing_maps = [#map8, #map8, #map8], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%457, %243 : tensor<16x2x32x32xf32>, tensor<16x2x32x32xf32>) outs(%44 : tensor<16x2x32x32xf32>) {
    ^bb0(%in: f32, %in_246: f32, %out: f32):
      %741 = arith.mulf %in, %in_246 : f32
      linalg.yield %741 : f32
    } -> tensor<16x2x32x32xf32>
    %459 = linalg.generic {indexing_maps = [#map8, #map13], iterator_types = ["parallel", "parallel", "parallel", "reduction"]} ins(%458 : tensor<16x2x32x32xf32>) outs(%60 : tensor<16x2x32x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      %741 = arith.addf %in, %out : f32
      linalg.yield %741 : f32
    } -> tensor<16x2x32x1xf32>
    %460 = linalg.generic {indexing_maps = [#map8, #map13, #map8], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%243, %459 : tensor<16x2x32x32xf32>, tensor<16x2x32x1xf32>) outs(%44 : tensor<16x2x32x32xf32>) {
    ^bb0(%in: f32, %in_246: f32, %out: f32):
      %741 = arith.mulf %in, %in_246 : f32
      linalg.yield %741 : f32
    } -> tensor<16x2x32x32xf32>
    %461 = linalg.generic {indexing_maps = [#map8, #map8, #map8], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%458, %460 : tensor<16x2x32x32xf32>, tensor<16x2x32x32xf32>) outs(%44 : tensor<16x2x32x32xf32>) {
    ^bb0(%in: f32, %in_246: f32, %out: f32):
      %741 = arith.subf %in, %in_246 : f32
      linalg.yield %741 : f32
    } -> tensor<16x2x32x32xf32>
    %462 = linalg.generic {indexing_maps = [#map10, #map11, #map8, #map8], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%50, %cst_3, %461 : tensor<32x32xi1>, tensor<f32>, tensor<16x2x32x32xf32>) outs(%44 : tensor<16x2x32x32xf32>) {
    ^bb0(%in: i1, %in_246: f32, %in_247: f32, %out: f32):
      %741 = arith.select %in, %in_246, %in_247 : f32
      linalg.yield %741 : f32
    } -> tensor<16x2x32x32xf32>
    %463 = linalg.generic {indexing_maps = [#map8, #map8], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%462 : tensor<16x2x32x32xf32>) outs(%44 : tensor<16x2x32x32xf32>) {
    ^bb0(%in: f32, %out: f32):
      %741 = arith.truncf %cst_6 : f64 to f32
      %742 = arith.mulf %in, %741 : f32
      linalg.yield %742 : f32
    } -> tensor<16x2x32x32xf32>
    %464 = linalg.generic {indexing_maps = [#map8, #map8], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%463 : tensor<16x2x32x32xf32>) outs(%34 : tensor<16x2x32x32xbf16>) {
    ^bb0(%in: f32, %out: bf16):
      %741 = arith.truncf %in : f32 to bf16
      linalg.yield %741 : bf16
    } -> tensor<16x2x32x32xbf16>
    %collapsed_146 = tensor.collapse_shape %464 [[0, 1], [2], [3]] : tensor<16x2x32x32xbf16> into tensor<32x32x32xbf16>
    %transposed_147 = linalg.transpose ins(%collapsed_91 : tensor<32x32x32xbf16>) outs(%42 : tensor<32x32x32xbf16>) permutation = [0, 2, 1] 
    %465 = linalg.batch_matmul ins(%transposed_147, %collapsed_146 : tensor<32x32x32xbf16>, tensor<32x32x32xbf16>) outs(%40 : tensor<32x32x32xf32>) -> tensor<32x32x32xf32>
    %466 = linalg.generic {indexing_maps = [#map4, #map4], iterator_types = ["parallel", "parallel", "parallel"]} ins(%465 : tensor<32x32x32xf32>) outs(%42 : tensor<32x32x32xbf16>) {
    ^bb0(%in: f32, %out: bf16):
      %741 = arith.truncf %in : f32 to bf16
      linalg.yield %741 : bf16
    } -> tensor<32x32x32xbf16>
    %transposed_148 = linalg.transpose ins(%collapsed_92 : tensor<32x32x32xbf16>) outs(%42 : tensor<32x32x32xbf16>) permutation = [0, 2, 1] 
    %467 = linalg.batch_matmul ins(%collapsed_146, %transposed_148 : tensor<32x32x32xbf16>, tensor<32x32x32xbf16>) outs(%40 : tensor<32x32x32xf32>) -> tensor<32x32x32xf32>
    %468 = linalg.generic {indexing_maps = [#map4, #map4], iterator_types = ["parallel", "parallel", "parallel"]} ins(%467 : tensor<32x32x32xf32>) outs(%42 : tensor<32x32x32xbf16>) {
    ^bb0(%in: f32, %out: bf16):
      %741 = arith.truncf %in : f32 to bf16
      linalg.yield %741 : bf16
    } -> tensor<32x32x32xbf16>
    %expanded_149 = tensor.expand_shape %466 [[0, 1], [2], [3]] output_shape [16, 2, 32, 32] : tensor<32x32x32xbf16> into tensor<16x2x32x32xbf16>
    %expanded_150 = tensor.expand_shape %468 [[0, 1], [2], [3]] output_shape [16, 2, 32, 32] : tensor<32x32x32xbf16> into tensor<16x2x32x32xbf16>
    %transposed_151 = linalg.transpose ins(%expanded_144 : tensor<16x2x32x32xbf16>) outs(%66 : tensor<16x32x2x32xbf16>) permutation = [0, 2, 1, 3] 
    %collapsed_152 = tensor.collapse_shape %transposed_151 [[0, 1], [2, 3]] : tensor<16x32x2x32xbf16> into tensor<512x64xbf16>
    %transposed_153 = linalg.transpose ins(%collapsed_152 : tensor<512x64xbf16>) outs(%446 : tensor<64x512xbf16>) permutation = [1, 0] 
    %469 = linalg.matmul ins(%transposed_153, %collapsed_81 : tensor<64x512xbf16>, tensor<512x64xbf16>) outs(%448 : tensor<64x64xf32>) -> tensor<64x64xf32>
    %470 = linalg.generic {indexing_maps = [#map3, #map3], iterator_types = ["parallel", "parallel"]} ins(%469 : tensor<64x64xf32>) outs(%31 : tensor<64x64xbf16>) {
    ^bb0(%in: f32, %out: bf16):
      %741 = arith.truncf %in : f32 to bf16
      linalg.yield %741 : bf16
    } -> tensor<64x64xbf16>
    %471 = linalg.matmul ins(%collapsed_152, %arg23 : tensor<512x64xbf16>, tensor<64x64xbf16>) outs(%7 : tensor<512x64xf32>) -> tensor<512x64xf32>
    %472 = linalg.generic {indexing_maps = [#map3, #map3], iterator_types = ["parallel", "parallel"]} ins(%471 : tensor<512x64xf32>) outs(%9 : tensor<512x64xbf16>) {
    ^bb0(%in: f32, %out: bf16):
      %741 = arith.truncf %in : f32 to bf16
      linalg.yield %741 : bf16
    } -> tensor<512x64xbf16>
    %transposed_154 = linalg.transpose ins(%expanded_149 : tensor<16x2x32x32xbf16>) outs(%66 : tensor<16x32x2x32xbf16>) permutation = [0, 3, 1, 2] 
    %collapsed_155 = tensor.collapse_shape %transposed_154 [[0, 1], [2, 3]] : tensor<16x32x2x32xbf16> into tensor<512x64xbf16>
    %transposed_156 = linalg.transpose ins(%collapsed_155 : tensor<512x64xbf16>) outs(%446 : tensor<64x512xbf16>) permutation = [1, 0] 
    %473 = linalg.matmul ins(%transposed_156, %collapsed_81 : tensor<64x512xbf16>, tensor<512x64xbf16>) outs(%448 : tensor<64x64xf32>) -> tensor<64x64xf32>
    %474 = linalg.generic {indexing_maps = [#map3, #map3], iterator_types = ["parallel", "parallel"]} ins(%473 : tensor<64x64xf32>) outs(%31 : tensor<64x64xbf16>) {
    ^bb0(%in: f32, %out: bf16):
      %741 = arith.truncf %in : f32 to bf16
      linalg.yield %741 : bf16
    } -> tensor<64x64xbf16>
    %475 = linalg.matmul ins(%collapsed_155, %arg22 : tensor<512x64xbf16>, tensor<64x64xbf16>) outs(%7 : tensor<512x64xf32>) -> tensor<512x64xf32>
    %476 = linalg.generic {indexing_maps = [#map3, #map3], iterator_types = ["parallel", "parallel"]} ins(%475 : tensor<512x64xf32>) outs(%9 : tensor<512x64xbf16>) {
    ^bb0(%in: f32, %out: bf16):
      %741 = arith.truncf %in : f32 to bf16
      linalg.yield %741 : bf16
    } -> tensor<512x64xbf16>
    %477 = linalg.generic {indexing_maps = [#map3, #map3, #map3], iterator_types = ["parallel", "parallel"]} ins(%472, %476 : tensor<512x64xbf16>, tensor<512x64xbf16>) outs(%9 : tensor<512x64xbf16>) {
    ^bb0(%in: bf16, %in_246: bf16, %out: bf16):
      %741 = arith.addf %in, %in_246 : bf16
      linalg.yield %741 : bf16
    } -> tensor<512x64xbf16>
    %transposed_157 = linalg.transpose ins(%expanded_150 : tensor<16x2x32x32xbf16>) outs(%66 : tensor<16x32x2x32xbf16>) permutation = [0, 2, 1, 3] 
    %collapsed_158 = tensor.collapse_shape %transposed_157 [[0, 1], [2, 3]] : tensor<16x32x2x32xbf16> into tensor<512x64xbf16>
    %transposed_159 = linalg.transpose ins(%collapsed_158 : tensor<512x64xbf16>) outs(%446 : tensor<64x512xbf16>) permutation = [1, 0] 
    %478 = linalg.matmul ins(%transposed_159, %collapsed_81 : tensor<64x512xbf16>, tensor<512x64xbf16>) outs(%448 : tensor<64x64xf32>) -> tensor<64x64xf32>
    %479 = linalg.generic {indexing_maps = [#map3, #map3], iterator_types = ["parallel", "parallel"]} ins(%478 : tensor<64x64xf32>) outs(%31 : tensor<64x64xbf16>) {
    ^bb0(%in: f32, %out: bf16):
      %741 = arith.truncf %in : f32 to bf16
      linalg.yield %741 : bf16
    } -> tensor<64x64xbf16>
    %480 = linalg.matmul ins(%collapsed_158, %arg21 : tensor<512x64xbf16>, tensor<64x64xbf16>) outs(%7 : tensor<512x64xf32>) -> tensor<512x64xf32>
    %481 = linalg.generic {indexing_maps = [#map3, #map3], iterator_types = ["parallel", "parallel"]} ins(%480 : tensor<512x64xf32>) outs(%9 : tensor<512x64xbf16>) {
    ^bb0(%in: f32, %out: bf16):
      %741 = arith.truncf %in : f32 to bf16
      linalg.yield %741 : bf16
    } -> tensor<512x64xbf16>
    %482 = linalg.generic {indexing_maps = [#map3, #map3, #map3], iterator_types = ["parallel", "parallel"]} ins(%477, %481 : tensor<512x64xbf16>, tensor<512x64xbf16>) outs(%9 : tensor<512x64xbf16>) {
    ^bb0(%in: bf16, %in_246: bf16, %out: bf16):
      %741 = arith.addf %in, %in_246 : bf16
      linalg.yield %741 : bf16
    } -> tensor<512x64xbf16>
    %expanded_160 = tensor.expand_shape %482 [[0, 1], [2]] output_shape [16, 32, 64] : tensor<512x64xbf16> into tensor<16x32x64xbf16>
    %483 = linalg.generic {indexing_maps = [#map4, #map4], iterator_types = ["parallel", "parallel", "parallel"]} ins(%expanded_160 : tensor<16x32x64xbf16>) outs(%13 : tensor<16x32x64xf32>) {
    ^bb0(%in: bf16, %out: f32):
      %741 = arith.extf %in : bf16 to f32
      linalg.yield %741 : f32
    } -> tensor<16x32x64xf32>
    %484 = linalg.generic {indexing_maps = [#map4, #map4, #map4], iterator_types = ["parallel", "parallel", "parallel"]} ins(%483, %224 : tensor<16x32x64xf32>, tensor<16x32x64xf32>) outs(%13 : tensor<16x32x64xf32>) {
    ^bb0(%in: f32, %in_246: f32, %out: f32):
      %741 = arith.mulf %in, %in_246 : f32
      linalg.yield %741 : f32
    } -> tensor<16x32x64xf32>
    %485 = linalg.generic {indexing_maps = [#map4, #map7, #map4], iterator_types = ["parallel", "parallel", "parallel"]} ins(%483, %225 : tensor<16x32x64xf32>, tensor<64xf32>) outs(%13 : tensor<16x32x64xf32>) {
    ^bb0(%in: f32, %in_246: f32, %out: f32):
      %741 = arith.mulf %in, %in_246 : f32
      linalg.yield %741 : f32
    } -> tensor<16x32x64xf32>
    %486 = linalg.generic {indexing_maps = [#map4, #map19], iterator_types = ["reduction", "reduction", "parallel"]} ins(%484 : tensor<16x32x64xf32>) outs(%353 : tensor<1x1x64xf32>) {
    ^bb0(%in: f32, %out: f32):
      %741 = arith.addf %in, %out : f32
      linalg.yield %741 : f32
    } -> tensor<1x1x64xf32>
    %collapsed_161 = tensor.collapse_shape %486 [[0, 1, 2]] : tensor<1x1x64xf32> into tensor<64xf32>
    %487 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel"]} ins(%collapsed_161 : tensor<64xf32>) outs(%355 : tensor<64xbf16>) {
    ^bb0(%in: f32, %out: bf16):
      %741 = arith.truncf %in : f32 to bf16
      linalg.yield %741 : bf16
    } -> tensor<64xbf16>
    %488 = linalg.generic {indexing_maps = [#map4, #map4, #map4], iterator_types = ["parallel", "parallel", "parallel"]} ins(%485, %218 : tensor<16x32x64xf32>, tensor<16x32x64xf32>) outs(%13 : tensor<16x32x64xf32>) {
    ^bb0(%in: f32, %in_246: f32, %out: f32):
      %741 = arith.mulf %in, %in_246 : f32
      linalg.yield %741 : f32
    } -> tensor<16x32x64xf32>
    %489 = linalg.generic {indexing_maps = [#map4, #map6, #map4], iterator_types = ["parallel", "parallel", "parallel"]} ins(%485, %223 : tensor<16x32x64xf32>, tensor<16x32x1xf32>) outs(%13 : tensor<16x32x64xf32>) {
    ^bb0(%in: f32, %in_246: f32, %out: f32):
      %741 = arith.mulf %in, %in_246 : f32
      linalg.yield %741 : f32
    } -> tensor<16x32x64xf32>
    %490 = linalg.generic {indexing_maps = [#map4, #map6], iterator_types = ["parallel", "parallel", "reduction"]} ins(%488 : tensor<16x32x64xf32>) outs(%21 : tensor<16x32x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      %741 = arith.addf %in, %out : f32
      linalg.yield %741 : f32
    } -> tensor<16x32x1xf32>
    %491 = linalg.generic {indexing_maps = [#map4, #map4], iterator_types = ["parallel", "parallel", "parallel"]} ins(%223 : tensor<16x32x1xf32>) outs(%20 : tensor<16x32x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      %741 = math.fpowi %in, %c3_i64 : f32, i64
      linalg.yield %741 : f32
    } -> tensor<16x32x1xf32>
    %492 = linalg.generic {indexing_maps = [#map4, #map4], iterator_types = ["parallel", "parallel", "parallel"]} ins(%490 : tensor<16x32x1xf32>) outs(%20 : tensor<16x32x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      %741 = arith.mulf %in, %cst_11 : f32
      linalg.yield %741 : f32
    } -> tensor<16x32x1xf32>
    %493 = linalg.generic {indexing_maps = [#map4, #map4, #map4], iterator_types = ["parallel", "parallel", "parallel"]} ins(%492, %491 : tensor<16x32x1xf32>, tensor<16x32x1xf32>) outs(%20 : tensor<16x32x1xf32>) {
    ^bb0(%in: f32, %in_246: f32, %out: f32):
      %741 = arith.mulf %in, %in_246 : f32
      linalg.yield %741 : f32
    } -> tensor<16x32x1xf32>
    %collapsed_162 = tensor.collapse_shape %493 [[0], [1, 2]] : tensor<16x32x1xf32> into tensor<16x32xf32>
    %494 = linalg.generic {indexing_maps = [#map16, #map4], iterator_types = ["parallel", "parallel", "parallel"]} ins(%collapsed_162 : tensor<16x32xf32>) outs(%13 : tensor<16x32x64xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<16x32x64xf32>
    %495 = linalg.generic {indexing_maps = [#map4, #map4], iterator_types = ["parallel", "parallel", "parallel"]} ins(%494 : tensor<16x32x64xf32>) outs(%13 : tensor<16x32x64xf32>) {
    ^bb0(%in: f32, %out: f32):
      %741 = arith.divf %in, %cst_8 : f32
      linalg.yield %741 : f32
    } -> tensor<16x32x64xf32>
    %496 = linalg.generic {indexing_maps = [#map4, #map4], iterator_types = ["parallel", "parallel", "parallel"]} ins(%218 : tensor<16x32x64xf32>) outs(%13 : tensor<16x32x64xf32>) {
    ^bb0(%in: f32, %out: f32):
      %741 = math.fpowi %in, %c1_i64 : f32, i64
      linalg.yield %741 : f32
    } -> tensor<16x32x64xf32>
    %497 = linalg.generic {indexing_maps = [#map4, #map4], iterator_types = ["parallel", "parallel", "parallel"]} ins(%496 : tensor<16x32x64xf32>) outs(%13 : tensor<16x32x64xf32>) {
    ^bb0(%in: f32, %out: f32):
      %741 = arith.mulf %in, %cst_9 : f32
      linalg.yield %741 : f32
    } -> tensor<16x32x64xf32>
    %498 = linalg.generic {indexing_maps = [#map4, #map4, #map4], iterator_types = ["parallel", "parallel", "parallel"]} ins(%495, %497 : tensor<16x32x64xf32>, tensor<16x32x64xf32>) outs(%13 : tensor<16x32x64xf32>) {
    ^bb0(%in: f32, %in_246: f32, %out: f32):
      %741 = arith.mulf %in, %in_246 : f32
      linalg.yield %741 : f32
    } -> tensor<16x32x64xf32>
    %499 = linalg.generic {indexing_maps = [#map4, #map4, #map4], iterator_types = ["parallel", "parallel", "parallel"]} ins(%489, %498 : tensor<16x32x64xf32>, tensor<16x32x64xf32>) outs(%13 : tensor<16x32x64xf32>) {
    ^bb0(%in: f32, %in_246: f32, %out: f32):
      %741 = arith.addf %in, %in_246 : f32
      linalg.yield %741 : f32
    } -> tensor<16x32x64xf32>
    %500 = linalg.generic {indexing_maps = [#map4, #map4], iterator_types = ["parallel", "parallel", "parallel"]} ins(%499 : tensor<16x32x64xf32>) outs(%16 : tensor<16x32x64xbf16>) {
    ^bb0(%in: f32, %out: bf16):
      %741 = arith.truncf %in : f32 to bf16
      linalg.yield %741 : bf16
    } -> tensor<16x32x64xbf16>
    %501 = linalg.generic {indexing_maps = [#map4, #map4, #map4], iterator_types = ["parallel", "parallel", "parallel"]} ins(%445, %500 : tensor<16x32x64xbf16>, tensor<16x32x64xbf16>) outs(%16 : tensor<16x32x64xbf16>) {
    ^bb0(%in: bf16, %in_246: bf16, %out: bf16):
      %741 = arith.addf %in, %in_246 : bf16
      linalg.yield %741 : bf16
    } -> tensor<16x32x64xbf16>
    %collapsed_163 = tensor.collapse_shape %501 [[0, 1], [2]] : tensor<16x32x64xbf16> into tensor<512x64xbf16>
    %502 = linalg.generic {indexing_maps = [#map3, #map3], iterator_types = ["parallel", "parallel"]} ins(%collapsed_163 : tensor<512x64xbf16>) outs(%6 : tensor<512x64xf32>) {
    ^bb0(%in: bf16, %out: f32):
      %741 = arith.extf %in : bf16 to f32
      linalg.yield %741 : f32
    } -> tensor<512x64xf32>
    %503 = linalg.generic {indexing_maps = [#map5, #map4], iterator_types = ["parallel", "parallel", "parallel"]} ins(%502 : tensor<512x64xf32>) outs(%124 : tensor<4x512x64xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<4x512x64xf32>
    %504 = linalg.generic {indexing_maps = [#map4, #map4, #map4], iterator_types = ["parallel", "parallel", "parallel"]} ins(%503, %213 : tensor<4x512x64xf32>, tensor<4x512x64xf32>) outs(%124 : tensor<4x512x64xf32>) {
    ^bb0(%in: f32, %in_246: f32, %out: f32):
      %741 = arith.mulf %in, %in_246 : f32
      linalg.yield %741 : f32
    } -> tensor<4x512x64xf32>
    %505 = linalg.generic {indexing_maps = [#map4, #map6, #map4], iterator_types = ["parallel", "parallel", "parallel"]} ins(%503, %expanded_79 : tensor<4x512x64xf32>, tensor<4x512x1xf32>) outs(%124 : tensor<4x512x64xf32>) {
    ^bb0(%in: f32, %in_246: f32, %out: f32):
      %741 = arith.mulf %in, %in_246 : f32
      linalg.yield %741 : f32
    } -> tensor<4x512x64xf32>
    %506 = linalg.generic {indexing_maps = [#map4, #map6], iterator_types = ["parallel", "parallel", "reduction"]} ins(%504 : tensor<4x512x64xf32>) outs(%375 : tensor<4x512x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      %741 = arith.addf %in, %out : f32
      linalg.yield %741 : f32
    } -> tensor<4x512x1xf32>
    %collapsed_164 = tensor.collapse_shape %506 [[0], [1, 2]] : tensor<4x512x1xf32> into tensor<4x512xf32>
    %transposed_165 = linalg.transpose ins(%collapsed_164 : tensor<4x512xf32>) outs(%81 : tensor<512x4xf32>) permutation = [1, 0] 
    %507 = linalg.generic {indexing_maps = [#map4, #map4], iterator_types = ["parallel", "parallel", "parallel"]} ins(%505 : tensor<4x512x64xf32>) outs(%116 : tensor<4x512x64xbf16>) {
    ^bb0(%in: f32, %out: bf16):
      %741 = arith.truncf %in : f32 to bf16
      linalg.yield %741 : bf16
    } -> tensor<4x512x64xbf16>
    %transposed_166 = linalg.transpose ins(%210 : tensor<4x512x64xbf16>) outs(%378 : tensor<4x64x512xbf16>) permutation = [0, 2, 1] 
    %508 = linalg.batch_matmul ins(%transposed_166, %507 : tensor<4x64x512xbf16>, tensor<4x512x64xbf16>) outs(%380 : tensor<4x64x64xf32>) -> tensor<4x64x64xf32>
    %509 = linalg.generic {indexing_maps = [#map4, #map4], iterator_types = ["parallel", "parallel", "parallel"]} ins(%508 : tensor<4x64x64xf32>) outs(%131 : tensor<4x64x64xbf16>) {
    ^bb0(%in: f32, %out: bf16):
      %741 = arith.truncf %in : f32 to bf16
      linalg.yield %741 : bf16
    } -> tensor<4x64x64xbf16>
    %510 = linalg.batch_matmul ins(%507, %arg19 : tensor<4x512x64xbf16>, tensor<4x64x64xbf16>) outs(%132 : tensor<4x512x64xf32>) -> tensor<4x512x64xf32>
    %511 = linalg.generic {indexing_maps = [#map4, #map4], iterator_types = ["parallel", "parallel", "parallel"]} ins(%510 : tensor<4x512x64xf32>) outs(%116 : tensor<4x512x64xbf16>) {
    ^bb0(%in: f32, %out: bf16):
      %741 = arith.truncf %in : f32 to bf16
      linalg.yield %741 : bf16
    } -> tensor<4x512x64xbf16>
    %transposed_167 = linalg.transpose ins(%509 : tensor<4x64x64xbf16>) outs(%131 : tensor<4x64x64xbf16>) permutation = [0, 2, 1] 
    %512 = linalg.generic {indexing_maps = [#map4, #map4], iterator_types = ["parallel", "parallel", "parallel"]} ins(%511 : tensor<4x512x64xbf16>) outs(%124 : tensor<4x512x64xf32>) {
    ^bb0(%in: bf16, %out: f32):
      %741 = arith.extf %in : bf16 to f32
      linalg.yield %741 : f32
    } -> tensor<4x512x64xf32>
    %513 = linalg.generic {indexing_maps = [#map4, #map4, #map4], iterator_types = ["parallel", "parallel", "parallel"]} ins(%512, %207 : tensor<4x512x64xf32>, tensor<4x512x64xf32>) outs(%124 : tensor<4x512x64xf32>) {
    ^bb0(%in: f32, %in_246: f32, %out: f32):
      %741 = arith.mulf %in, %in_246 : f32
      linalg.yield %741 : f32
    } -> tensor<4x512x64xf32>
    %514 = linalg.generic {indexing_maps = [#map4, #map4, #map4], iterator_types = ["parallel", "parallel", "parallel"]} ins(%512, %208 : tensor<4x512x64xf32>, tensor<4x512x64xf32>) outs(%124 : tensor<4x512x64xf32>) {
    ^bb0(%in: f32, %in_246: f32, %out: f32):
      %741 = arith.mulf %in, %in_246 : f32
      linalg.yield %741 : f32
    } -> tensor<4x512x64xf32>
    %515 = linalg.generic {indexing_maps = [#map4, #map4], iterator_types = ["parallel", "parallel", "parallel"]} ins(%513 : tensor<4x512x64xf32>) outs(%116 : tensor<4x512x64xbf16>) {
    ^bb0(%in: f32, %out: bf16):
      %741 = arith.truncf %in : f32 to bf16
      linalg.yield %741 : bf16
    } -> tensor<4x512x64xbf16>
    %516 = linalg.generic {indexing_maps = [#map4, #map4, #map4], iterator_types = ["parallel", "parallel", "parallel"]} ins(%cst_4, %206 : tensor<4x512x64xf32>, tensor<4x512x64xf32>) outs(%124 : tensor<4x512x64xf32>) {
    ^bb0(%in: f32, %in_246: f32, %out: f32):
      %741 = arith.subf %in, %in_246 : f32
      linalg.yield %741 : f32
    } -> tensor<4x512x64xf32>
    %517 = linalg.generic {indexing_maps = [#map4, #map4, #map4], iterator_types = ["parallel", "parallel", "parallel"]} ins(%205, %516 : tensor<4x512x64xf32>, tensor<4x512x64xf32>) outs(%124 : tensor<4x512x64xf32>) {
    ^bb0(%in: f32, %in_246: f32, %out: f32):
      %741 = arith.mulf %in, %in_246 : f32
      linalg.yield %741 : f32
    } -> tensor<4x512x64xf32>
    %518 = linalg.generic {indexing_maps = [#map4, #map4], iterator_types = ["parallel", "parallel", "parallel"]} ins(%517 : tensor<4x512x64xf32>) outs(%124 : tensor<4x512x64xf32>) {
    ^bb0(%in: f32, %out: f32):
      %741 = arith.addf %in, %cst_2 : f32
      linalg.yield %741 : f32
    } -> tensor<4x512x64xf32>
    %519 = linalg.generic {indexing_maps = [#map4, #map4, #map4], iterator_types = ["parallel", "parallel", "parallel"]} ins(%206, %518 : tensor<4x512x64xf32>, tensor<4x512x64xf32>) outs(%124 : tensor<4x512x64xf32>) {
    ^bb0(%in: f32, %in_246: f32, %out: f32):
      %741 = arith.mulf %in, %in_246 : f32
      linalg.yield %741 : f32
    } -> tensor<4x512x64xf32>
    %520 = linalg.generic {indexing_maps = [#map4, #map4, #map4], iterator_types = ["parallel", "parallel", "parallel"]} ins(%514, %519 : tensor<4x512x64xf32>, tensor<4x512x64xf32>) outs(%124 : tensor<4x512x64xf32>) {
    ^bb0(%in: f32, %in_246: f32, %out: f32):
      %741 = arith.mulf %in, %in_246 : f32
      linalg.yield %741 : f32
    } -> tensor<4x512x64xf32>
    %521 = linalg.generic {indexing_maps = [#map4, #map4], iterator_types = ["parallel", "parallel", "parallel"]} ins(%520 : tensor<4x512x64xf32>) outs(%116 : tensor<4x512x64xbf16>) {
    ^bb0(%in: f32, %out: bf16):
      %741 = arith.truncf %in : f32 to bf16
      linalg.yield %741 : bf16
    } -> tensor<4x512x64xbf16>
    %concat_168 = tensor.concat dim(2) %521, %515 : (tensor<4x512x64xbf16>, tensor<4x512x64xbf16>) -> tensor<4x512x128xbf16>
    %transposed_169 = linalg.transpose ins(%202 : tensor<4x512x64xbf16>) outs(%378 : tensor<4x64x512xbf16>) permutation = [0, 2, 1] 
    %522 = linalg.batch_matmul ins(%transposed_169, %concat_168 : tensor<4x64x512xbf16>, tensor<4x512x128xbf16>) outs(%396 : tensor<4x64x128xf32>) -> tensor<4x64x128xf32>
    %523 = linalg.generic {indexing_maps = [#map4, #map4], iterator_types = ["parallel", "parallel", "parallel"]} ins(%522 : tensor<4x64x128xf32>) outs(%118 : tensor<4x64x128xbf16>) {
    ^bb0(%in: f32, %out: bf16):
      %741 = arith.truncf %in : f32 to bf16
      linalg.yield %741 : bf16
    } -> tensor<4x64x128xbf16>
    %524 = linalg.batch_matmul ins(%concat_168, %arg18 : tensor<4x512x128xbf16>, tensor<4x128x64xbf16>) outs(%132 : tensor<4x512x64xf32>) -> tensor<4x512x64xf32>
    %525 = linalg.generic {indexing_maps = [#map4, #map4], iterator_types = ["parallel", "parallel", "parallel"]} ins(%524 : tensor<4x512x64xf32>) outs(%116 : tensor<4x512x64xbf16>) {
    ^bb0(%in: f32, %out: bf16):
      %741 = arith.truncf %in : f32 to bf16
      linalg.yield %741 : bf16
    } -> tensor<4x512x64xbf16>
    %transposed_170 = linalg.transpose ins(%523 : tensor<4x64x128xbf16>) outs(%401 : tensor<4x128x64xbf16>) permutation = [0, 2, 1] 
    %526 = linalg.generic {indexing_maps = [#map4, #map20], iterator_types = ["reduction", "parallel", "parallel"]} ins(%525 : tensor<4x512x64xbf16>) outs(%403 : tensor<1x512x64xbf16>) {
    ^bb0(%in: bf16, %out: bf16):
      %741 = arith.addf %in, %out : bf16
      linalg.yield %741 : bf16
    } -> tensor<1x512x64xbf16>
    %collapsed_171 = tensor.collapse_shape %526 [[0, 1], [2]] : tensor<1x512x64xbf16> into tensor<512x64xbf16>
    %527 = linalg.generic {indexing_maps = [#map3, #map1, #map3], iterator_types = ["parallel", "parallel"]} ins(%201, %200 : tensor<512x4xf32>, tensor<512x1xf32>) outs(%81 : tensor<512x4xf32>) {
    ^bb0(%in: f32, %in_246: f32, %out: f32):
      %741 = arith.divf %in, %in_246 : f32
      linalg.yield %741 : f32
    } -> tensor<512x4xf32>
    %528 = linalg.generic {indexing_maps = [#map3, #map3], iterator_types = ["parallel", "parallel"]} ins(%transposed_165 : tensor<512x4xf32>) outs(%81 : tensor<512x4xf32>) {
    ^bb0(%in: f32, %out: f32):
      %741 = arith.negf %in : f32
      linalg.yield %741 : f32
    } -> tensor<512x4xf32>
    %529 = linalg.generic {indexing_maps = [#map3, #map3, #map3], iterator_types = ["parallel", "parallel"]} ins(%528, %527 : tensor<512x4xf32>, tensor<512x4xf32>) outs(%81 : tensor<512x4xf32>) {
    ^bb0(%in: f32, %in_246: f32, %out: f32):
      %741 = arith.mulf %in, %in_246 : f32
      linalg.yield %741 : f32
    } -> tensor<512x4xf32>
    %530 = linalg.generic {indexing_maps = [#map3, #map1, #map3], iterator_types = ["parallel", "parallel"]} ins(%transposed_165, %200 : tensor<512x4xf32>, tensor<512x1xf32>) outs(%81 : tensor<512x4xf32>) {
    ^bb0(%in: f32, %in_246: f32, %out: f32):
      %741 = arith.divf %in, %in_246 : f32
      linalg.yield %741 : f32
    } -> tensor<512x4xf32>
    %531 = linalg.generic {indexing_maps = [#map3, #map1], iterator_types = ["parallel", "reduction"]} ins(%529 : tensor<512x4xf32>) outs(%95 : tensor<512x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      %741 = arith.addf %in, %out : f32
      linalg.yield %741 : f32
    } -> tensor<512x1xf32>
    %collapsed_172 = tensor.collapse_shape %531 [[0, 1]] : tensor<512x1xf32> into tensor<512xf32>
    %532 = linalg.generic {indexing_maps = [#map14, #map3], iterator_types = ["parallel", "parallel"]} ins(%collapsed_172 : tensor<512xf32>) outs(%81 : tensor<512x4xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<512x4xf32>
    %533 = linalg.generic {indexing_maps = [#map3, #map3, #map3], iterator_types = ["parallel", "parallel"]} ins(%530, %532 : tensor<512x4xf32>, tensor<512x4xf32>) outs(%81 : tensor<512x4xf32>) {
    ^bb0(%in: f32, %in_246: f32, %out: f32):
      %741 = arith.addf %in, %in_246 : f32
      linalg.yield %741 : f32
    } -> tensor<512x4xf32>
    %534 = linalg.generic {indexing_maps = [#map3, #map3, #map3], iterator_types = ["parallel", "parallel"]} ins(%533, %198 : tensor<512x4xf32>, tensor<512x4xf32>) outs(%81 : tensor<512x4xf32>) {
    ^bb0(%in: f32, %in_246: f32, %out: f32):
      %741 = arith.mulf %in, %in_246 : f32
      linalg.yield %741 : f32
    } -> tensor<512x4xf32>
    %535 = linalg.generic {indexing_maps = [#map3, #map3, #map3], iterator_types = ["parallel", "parallel"]} ins(%534, %190 : tensor<512x4xf32>, tensor<512x4xf32>) outs(%81 : tensor<512x4xf32>) {
    ^bb0(%in: f32, %in_246: f32, %out: f32):
      %741 = arith.mulf %in, %in_246 : f32
      linalg.yield %741 : f32
    } -> tensor<512x4xf32>
    %536 = linalg.generic {indexing_maps = [#map3, #map1], iterator_types = ["parallel", "reduction"]} ins(%535 : tensor<512x4xf32>) outs(%95 : tensor<512x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      %741 = arith.addf %in, %out : f32
      linalg.yield %741 : f32
    } -> tensor<512x1xf32>
    %537 = linalg.generic {indexing_maps = [#map3, #map1, #map3], iterator_types = ["parallel", "parallel"]} ins(%190, %536 : tensor<512x4xf32>, tensor<512x1xf32>) outs(%81 : tensor<512x4xf32>) {
    ^bb0(%in: f32, %in_246: f32, %out: f32):
      %741 = arith.mulf %in, %in_246 : f32
      linalg.yield %741 : f32
    } -> tensor<512x4xf32>
    %538 = linalg.generic {indexing_maps = [#map3, #map3, #map3], iterator_types = ["parallel", "parallel"]} ins(%535, %537 : tensor<512x4xf32>, tensor<512x4xf32>) outs(%81 : tensor<512x4xf32>) {
    ^bb0(%in: f32, %in_246: f32, %out: f32):
      %741 = arith.subf %in, %in_246 : f32
      linalg.yield %741 : f32
    } -> tensor<512x4xf32>
    %539 = linalg.generic {indexing_maps = [#map3, #map3], iterator_types = ["parallel", "parallel"]} ins(%538 : tensor<512x4xf32>) outs(%84 : tensor<512x4xbf16>) {
    ^bb0(%in: f32, %out: bf16):
      %741 = arith.truncf %in : f32 to bf16
      linalg.yield %741 : bf16
    } -> tensor<512x4xbf16>
    %transposed_173 = linalg.transpose ins(%539 : tensor<512x4xbf16>) outs(%418 : tensor<4x512xbf16>) permutation = [1, 0] 
    %540 = linalg.matmul ins(%transposed_173, %collapsed_69 : tensor<4x512xbf16>, tensor<512x64xbf16>) outs(%420 : tensor<4x64xf32>) -> tensor<4x64xf32>
    %541 = linalg.generic {indexing_maps = [#map3, #map3], iterator_types = ["parallel", "parallel"]} ins(%540 : tensor<4x64xf32>) outs(%422 : tensor<4x64xbf16>) {
    ^bb0(%in: f32, %out: bf16):
      %741 = arith.truncf %in : f32 to bf16
      linalg.yield %741 : bf16
    } -> tensor<4x64xbf16>
    %542 = linalg.matmul ins(%539, %arg17 : tensor<512x4xbf16>, tensor<4x64xbf16>) outs(%7 : tensor<512x64xf32>) -> tensor<512x64xf32>
    %543 = linalg.generic {indexing_maps = [#map3, #map3], iterator_types = ["parallel", "parallel"]} ins(%542 : tensor<512x64xf32>) outs(%9 : tensor<512x64xbf16>) {
    ^bb0(%in: f32, %out: bf16):
      %741 = arith.truncf %in : f32 to bf16
      linalg.yield %741 : bf16
    } -> tensor<512x64xbf16>
    %544 = linalg.generic {indexing_maps = [#map3, #map3, #map3], iterator_types = ["parallel", "parallel"]} ins(%collapsed_171, %543 : tensor<512x64xbf16>, tensor<512x64xbf16>) outs(%9 : tensor<512x64xbf16>) {
    ^bb0(%in: bf16, %in_246: bf16, %out: bf16):
      %741 = arith.addf %in, %in_246 : bf16
      linalg.yield %741 : bf16
    } -> tensor<512x64xbf16>
    %expanded_174 = tensor.expand_shape %544 [[0, 1], [2]] output_shape [16, 32, 64] : tensor<512x64xbf16> into tensor<16x32x64xbf16>
    %545 = linalg.generic {indexing_maps = [#map4, #map4], iterator_types = ["parallel", "parallel", "parallel"]} ins(%expanded_174 : tensor<16x32x64xbf16>) outs(%13 : tensor<16x32x64xf32>) {
    ^bb0(%in: bf16, %out: f32):
      %741 = arith.extf %in : bf16 to f32
      linalg.yield %741 : f32
    } -> tensor<16x32x64xf32>
    %546 = linalg.generic {indexing_maps = [#map4, #map4, #map4], iterator_types = ["parallel", "parallel", "parallel"]} ins(%545, %179 : tensor<16x32x64xf32>, tensor<16x32x64xf32>) outs(%13 : tensor<16x32x64xf32>) {
    ^bb0(%in: f32, %in_246: f32, %out: f32):
      %741 = arith.mulf %in, %in_246 : f32
      linalg.yield %741 : f32
    } -> tensor<16x32x64xf32>
    %547 = linalg.generic {indexing_maps = [#map4, #map7, #map4], iterator_types = ["parallel", "parallel", "parallel"]} ins(%545, %180 : tensor<16x32x64xf32>, tensor<64xf32>) outs(%13 : tensor<16x32x64xf32>) {
    ^bb0(%in: f32, %in_246: f32, %out: f32):
      %741 = arith.mulf %in, %in_246 : f32
      linalg.yield %741 : f32
    } -> tensor<16x32x64xf32>
    %548 = linalg.generic {indexing_maps = [#map4, #map19], iterator_types = ["reduction", "reduction", "parallel"]} ins(%546 : tensor<16x32x64xf32>) outs(%353 : tensor<1x1x64xf32>) {
    ^bb0(%in: f32, %out: f32):
      %741 = arith.addf %in, %out : f32
      linalg.yield %741 : f32
    } -> tensor<1x1x64xf32>
    %collapsed_175 = tensor.collapse_shape %548 [[0, 1, 2]] : tensor<1x1x64xf32> into tensor<64xf32>
    %549 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel"]} ins(%collapsed_175 : tensor<64xf32>) outs(%355 : tensor<64xbf16>) {
    ^bb0(%in: f32, %out: bf16):
      %741 = arith.truncf %in : f32 to bf16
      linalg.yield %741 : bf16
    } -> tensor<64xbf16>
    %550 = linalg.generic {indexing_maps = [#map4, #map4, #map4], iterator_types = ["parallel", "parallel", "parallel"]} ins(%547, %173 : tensor<16x32x64xf32>, tensor<16x32x64xf32>) outs(%13 : tensor<16x32x64xf32>) {
    ^bb0(%in: f32, %in_246: f32, %out: f32):
      %741 = arith.mulf %in, %in_246 : f32
      linalg.yield %741 : f32
    } -> tensor<16x32x64xf32>
    %551 = linalg.generic {indexing_maps = [#map4, #map6, #map4], iterator_types = ["parallel", "parallel", "parallel"]} ins(%547, %178 : tensor<16x32x64xf32>, tensor<16x32x1xf32>) outs(%13 : tensor<16x32x64xf32>) {
    ^bb0(%in: f32, %in_246: f32, %out: f32):
      %741 = arith.mulf %in, %in_246 : f32
      linalg.yield %741 : f32
    } -> tensor<16x32x64xf32>
    %552 = linalg.generic {indexing_maps = [#map4, #map6], iterator_types = ["parallel", "parallel", "reduction"]} ins(%550 : tensor<16x32x64xf32>) outs(%21 : tensor<16x32x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      %741 = arith.addf %in, %out : f32
      linalg.yield %741 : f32
    } -> tensor<16x32x1xf32>
    %553 = linalg.generic {indexing_maps = [#map4, #map4], iterator_types = ["parallel", "parallel", "parallel"]} ins(%178 : tensor<16x32x1xf32>) outs(%20 : tensor<16x32x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      %741 = math.fpowi %in, %c3_i64 : f32, i64
      linalg.yield %741 : f32
    } -> tensor<16x32x1xf32>
    %554 = linalg.generic {indexing_maps = [#map4, #map4], iterator_types = ["parallel", "parallel", "parallel"]} ins(%552 : tensor<16x32x1xf32>) outs(%20 : tensor<16x32x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      %741 = arith.mulf %in, %cst_11 : f32
      linalg.yield %741 : f32
    } -> tensor<16x32x1xf32>
    %555 = linalg.generic {indexing_maps = [#map4, #map4, #map4], iterator_types = ["parallel", "parallel", "parallel"]} ins(%554, %553 : tensor<16x32x1xf32>, tensor<16x32x1xf32>) outs(%20 : tensor<16x32x1xf32>) {
    ^bb0(%in: f32, %in_246: f32, %out: f32):
      %741 = arith.mulf %in, %in_246 : f32
      linalg.yield %741 : f32
    } -> tensor<16x32x1xf32>
    %collapsed_176 = tensor.collapse_shape %555 [[0], [1, 2]] : tensor<16x32x1xf32> into tensor<16x32xf32>
    %556 = linalg.generic {indexing_maps = [#map16, #map4], iterator_types = ["parallel", "parallel", "parallel"]} ins(%collapsed_176 : tensor<16x32xf32>) outs(%13 : tensor<16x32x64xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<16x32x64xf32>
    %557 = linalg.generic {indexing_maps = [#map4, #map4], iterator_types = ["parallel", "parallel", "parallel"]} ins(%556 : tensor<16x32x64xf32>) outs(%13 : tensor<16x32x64xf32>) {
    ^bb0(%in: f32, %out: f32):
      %741 = arith.divf %in, %cst_8 : f32
      linalg.yield %741 : f32
    } -> tensor<16x32x64xf32>
    %558 = linalg.generic {indexing_maps = [#map4, #map4], iterator_types = ["parallel", "parallel", "parallel"]} ins(%173 : tensor<16x32x64xf32>) outs(%13 : tensor<16x32x64xf32>) {
    ^bb0(%in: f32, %out: f32):
      %741 = math.fpowi %in, %c1_i64 : f32, i64
      linalg.yield %741 : f32
    } -> tensor<16x32x64xf32>
    %559 = linalg.generic {indexing_maps = [#map4, #map4], iterator_types = ["parallel", "parallel", "parallel"]} ins(%558 : tensor<16x32x64xf32>) outs(%13 : tensor<16x32x64xf32>) {
    ^bb0(%in: f32, %out: f32):
      %741 = arith.mulf %in, %cst_9 : f32
      linalg.yield %741 : f32
    } -> tensor<16x32x64xf32>
    %560 = linalg.generic {indexing_maps = [#map4, #map4, #map4], iterator_types = ["parallel", "parallel", "parallel"]} ins(%557, %559 : tensor<16x32x64xf32>, tensor<16x32x64xf32>) outs(%13 : tensor<16x32x64xf32>) {
    ^bb0(%in: f32, %in_246: f32, %out: f32):
      %741 = arith.mulf %in, %in_246 : f32
      linalg.yield %741 : f32
    } -> tensor<16x32x64xf32>
    %561 = linalg.generic {indexing_maps = [#map4, #map4, #map4], iterator_types = ["parallel", "parallel", "parallel"]} ins(%551, %560 : tensor<16x32x64xf32>, tensor<16x32x64xf32>) outs(%13 : tensor<16x32x64xf32>) {
    ^bb0(%in: f32, %in_246: f32, %out: f32):
      %741 = arith.addf %in, %in_246 : f32
      linalg.yield %741 : f32
    } -> tensor<16x32x64xf32>
    %562 = linalg.generic {indexing_maps = [#map4, #map4], iterator_types = ["parallel", "parallel", "parallel"]} ins(%561 : tensor<16x32x64xf32>) outs(%16 : tensor<16x32x64xbf16>) {
    ^bb0(%in: f32, %out: bf16):
      %741 = arith.truncf %in : f32 to bf16
      linalg.yield %741 : bf16
    } -> tensor<16x32x64xbf16>
    %563 = linalg.generic {indexing_maps = [#map4, #map4, #map4], iterator_types = ["parallel", "parallel", "parallel"]} ins(%501, %562 : tensor<16x32x64xbf16>, tensor<16x32x64xbf16>) outs(%16 : tensor<16x32x64xbf16>) {
    ^bb0(%in: bf16, %in_246: bf16, %out: bf16):
      %741 = arith.addf %in, %in_246 : bf16
      linalg.yield %741 : bf16
    } -> tensor<16x32x64xbf16>
    %collapsed_177 = tensor.collapse_shape %563 [[0, 1], [2]] : tensor<16x32x64xbf16> into tensor<512x64xbf16>
    %transposed_178 = linalg.transpose ins(%collapsed_177 : tensor<512x64xbf16>) outs(%446 : tensor<64x512xbf16>) permutation = [1, 0] 
    %564 = linalg.matmul ins(%transposed_178, %collapsed_66 : tensor<64x512xbf16>, tensor<512x64xbf16>) outs(%448 : tensor<64x64xf32>) -> tensor<64x64xf32>
    %565 = linalg.generic {indexing_maps = [#map3, #map3], iterator_types = ["parallel", "parallel"]} ins(%564 : tensor<64x64xf32>) outs(%31 : tensor<64x64xbf16>) {
    ^bb0(%in: f32, %out: bf16):
      %741 = arith.truncf %in : f32 to bf16
      linalg.yield %741 : bf16
    } -> tensor<64x64xbf16>
    %566 = linalg.matmul ins(%collapsed_177, %arg15 : tensor<512x64xbf16>, tensor<64x64xbf16>) outs(%7 : tensor<512x64xf32>) -> tensor<512x64xf32>
    %567 = linalg.generic {indexing_maps = [#map3, #map3], iterator_types = ["parallel", "parallel"]} ins(%566 : tensor<512x64xf32>) outs(%9 : tensor<512x64xbf16>) {
    ^bb0(%in: f32, %out: bf16):
      %741 = arith.truncf %in : f32 to bf16
      linalg.yield %741 : bf16
    } -> tensor<512x64xbf16>
    %expanded_179 = tensor.expand_shape %567 [[0, 1], [2, 3]] output_shape [16, 32, 2, 32] : tensor<512x64xbf16> into tensor<16x32x2x32xbf16>
    %transposed_180 = linalg.transpose ins(%expanded_179 : tensor<16x32x2x32xbf16>) outs(%34 : tensor<16x2x32x32xbf16>) permutation = [0, 2, 1, 3] 
    %collapsed_181 = tensor.collapse_shape %transposed_180 [[0, 1], [2], [3]] : tensor<16x2x32x32xbf16> into tensor<32x32x32xbf16>
    %transposed_182 = linalg.transpose ins(%collapsed_62 : tensor<32x32x32xbf16>) outs(%42 : tensor<32x32x32xbf16>) permutation = [0, 2, 1] 
    %568 = linalg.batch_matmul ins(%transposed_182, %collapsed_181 : tensor<32x32x32xbf16>, tensor<32x32x32xbf16>) outs(%40 : tensor<32x32x32xf32>) -> tensor<32x32x32xf32>
    %569 = linalg.generic {indexing_maps = [#map4, #map4], iterator_types = ["parallel", "parallel", "parallel"]} ins(%568 : tensor<32x32x32xf32>) outs(%42 : tensor<32x32x32xbf16>) {
    ^bb0(%in: f32, %out: bf16):
      %741 = arith.truncf %in : f32 to bf16
      linalg.yield %741 : bf16
    } -> tensor<32x32x32xbf16>
    %transposed_183 = linalg.transpose ins(%collapsed_63 : tensor<32x32x32xbf16>) outs(%42 : tensor<32x32x32xbf16>) permutation = [0, 2, 1] 
    %570 = linalg.batch_matmul ins(%collapsed_181, %transposed_183 : tensor<32x32x32xbf16>, tensor<32x32x32xbf16>) outs(%40 : tensor<32x32x32xf32>) -> tensor<32x32x32xf32>
    %571 = linalg.generic {indexing_maps = [#map4, #map4], iterator_types = ["parallel", "parallel", "parallel"]} ins(%570 : tensor<32x32x32xf32>) outs(%42 : tensor<32x32x32xbf16>) {
    ^bb0(%in: f32, %out: bf16):
      %741 = arith.truncf %in : f32 to bf16
      linalg.yield %741 : bf16
    } -> tensor<32x32x32xbf16>
    %expanded_184 = tensor.expand_shape %569 [[0, 1], [2], [3]] output_shape [16, 2, 32, 32] : tensor<32x32x32xbf16> into tensor<16x2x32x32xbf16>
    %expanded_185 = tensor.expand_shape %571 [[0, 1], [2], [3]] output_shape [16, 2, 32, 32] : tensor<32x32x32xbf16> into tensor<16x2x32x32xbf16>
    %572 = linalg.generic {indexing_maps = [#map8, #map8], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%expanded_185 : tensor<16x2x32x32xbf16>) outs(%44 : tensor<16x2x32x32xf32>) {
    ^bb0(%in: bf16, %out: f32):
      %741 = arith.extf %in : bf16 to f32
      linalg.yield %741 : f32
    } -> tensor<16x2x32x32xf32>
    %573 = linalg.generic {indexing_maps = [#map8, #map8, #map8], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%572, %166 : tensor<16x2x32x32xf32>, tensor<16x2x32x32xf32>) outs(%44 : tensor<16x2x32x32xf32>) {
    ^bb0(%in: f32, %in_246: f32, %out: f32):
      %741 = arith.mulf %in, %in_246 : f32
      linalg.yield %741 : f32
    } -> tensor<16x2x32x32xf32>
    %574 = linalg.generic {indexing_maps = [#map8, #map13], iterator_types = ["parallel", "parallel", "parallel", "reduction"]} ins(%573 : tensor<16x2x32x32xf32>) outs(%60 : tensor<16x2x32x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      %741 = arith.addf %in, %out : f32
      linalg.yield %741 : f32
    } -> tensor<16x2x32x1xf32>
    %575 = linalg.generic {indexing_maps = [#map8, #map13, #map8], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%166, %574 : tensor<16x2x32x32xf32>, tensor<16x2x32x1xf32>) outs(%44 : tensor<16x2x32x32xf32>) {
    ^bb0(%in: f32, %in_246: f32, %out: f32):
      %741 = arith.mulf %in, %in_246 : f32
      linalg.yield %741 : f32
    } -> tensor<16x2x32x32xf32>
    %576 = linalg.generic {indexing_maps = [#map8, #map8, #map8], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%573, %575 : tensor<16x2x32x32xf32>, tensor<16x2x32x32xf32>) outs(%44 : tensor<16x2x32x32xf32>) {
    ^bb0(%in: f32, %in_246: f32, %out: f32):
      %741 = arith.subf %in, %in_246 : f32
      linalg.yield %741 : f32
    } -> tensor<16x2x32x32xf32>
    %577 = linalg.generic {indexing_maps = [#map10, #map11, #map8, #map8], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%50, %cst_3, %576 : tensor<32x32xi1>, tensor<f32>, tensor<16x2x32x32xf32>) outs(%44 : tensor<16x2x32x32xf32>) {
    ^bb0(%in: i1, %in_246: f32, %in_247: f32, %out: f32):
      %741 = arith.select %in, %in_246, %in_247 : f32
      linalg.yield %741 : f32
    } -> tensor<16x2x32x32xf32>
    %578 = linalg.generic {indexing_maps = [#map8, #map8], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%577 : tensor<16x2x32x32xf32>) outs(%44 : tensor<16x2x32x32xf32>) {
    ^bb0(%in: f32, %out: f32):
      %741 = arith.truncf %cst_6 : f64 to f32
      %742 = arith.mulf %in, %741 : f32
      linalg.yield %742 : f32
    } -> tensor<16x2x32x32xf32>
    %579 = linalg.generic {indexing_maps = [#map8, #map8], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%578 : tensor<16x2x32x32xf32>) outs(%34 : tensor<16x2x32x32xbf16>) {
    ^bb0(%in: f32, %out: bf16):
      %741 = arith.truncf %in : f32 to bf16
      linalg.yield %741 : bf16
    } -> tensor<16x2x32x32xbf16>
    %collapsed_186 = tensor.collapse_shape %579 [[0, 1], [2], [3]] : tensor<16x2x32x32xbf16> into tensor<32x32x32xbf16>
    %transposed_187 = linalg.transpose ins(%collapsed_58 : tensor<32x32x32xbf16>) outs(%42 : tensor<32x32x32xbf16>) permutation = [0, 2, 1] 
    %580 = linalg.batch_matmul ins(%transposed_187, %collapsed_186 : tensor<32x32x32xbf16>, tensor<32x32x32xbf16>) outs(%40 : tensor<32x32x32xf32>) -> tensor<32x32x32xf32>
    %581 = linalg.generic {indexing_maps = [#map4, #map4], iterator_types = ["parallel", "parallel", "parallel"]} ins(%580 : tensor<32x32x32xf32>) outs(%42 : tensor<32x32x32xbf16>) {
    ^bb0(%in: f32, %out: bf16):
      %741 = arith.truncf %in : f32 to bf16
      linalg.yield %741 : bf16
    } -> tensor<32x32x32xbf16>
    %transposed_188 = linalg.transpose ins(%collapsed_59 : tensor<32x32x32xbf16>) outs(%42 : tensor<32x32x32xbf16>) permutation = [0, 2, 1] 
    %582 = linalg.batch_matmul ins(%collapsed_186, %transposed_188 : tensor<32x32x32xbf16>, tensor<32x32x32xbf16>) outs(%40 : tensor<32x32x32xf32>) -> tensor<32x32x32xf32>
    %583 = linalg.generic {indexing_maps = [#map4, #map4], iterator_types = ["parallel", "parallel", "parallel"]} ins(%582 : tensor<32x32x32xf32>) outs(%42 : tensor<32x32x32xbf16>) {
    ^bb0(%in: f32, %out: bf16):
      %741 = arith.truncf %in : f32 to bf16
      linalg.yield %741 : bf16
    } -> tensor<32x32x32xbf16>
    %expanded_189 = tensor.expand_shape %581 [[0, 1], [2], [3]] output_shape [16, 2, 32, 32] : tensor<32x32x32xbf16> into tensor<16x2x32x32xbf16>
    %expanded_190 = tensor.expand_shape %583 [[0, 1], [2], [3]] output_shape [16, 2, 32, 32] : tensor<32x32x32xbf16> into tensor<16x2x32x32xbf16>
    %transposed_191 = linalg.transpose ins(%expanded_184 : tensor<16x2x32x32xbf16>) outs(%66 : tensor<16x32x2x32xbf16>) permutation = [0, 2, 1, 3] 
    %collapsed_192 = tensor.collapse_shape %transposed_191 [[0, 1], [2, 3]] : tensor<16x32x2x32xbf16> into tensor<512x64xbf16>
    %transposed_193 = linalg.transpose ins(%collapsed_192 : tensor<512x64xbf16>) outs(%446 : tensor<64x512xbf16>) permutation = [1, 0] 
    %584 = linalg.matmul ins(%transposed_193, %collapsed_48 : tensor<64x512xbf16>, tensor<512x64xbf16>) outs(%448 : tensor<64x64xf32>) -> tensor<64x64xf32>
    %585 = linalg.generic {indexing_maps = [#map3, #map3], iterator_types = ["parallel", "parallel"]} ins(%584 : tensor<64x64xf32>) outs(%31 : tensor<64x64xbf16>) {
    ^bb0(%in: f32, %out: bf16):
      %741 = arith.truncf %in : f32 to bf16
      linalg.yield %741 : bf16
    } -> tensor<64x64xbf16>
    %586 = linalg.matmul ins(%collapsed_192, %arg14 : tensor<512x64xbf16>, tensor<64x64xbf16>) outs(%7 : tensor<512x64xf32>) -> tensor<512x64xf32>
    %587 = linalg.generic {indexing_maps = [#map3, #map3], iterator_types = ["parallel", "parallel"]} ins(%586 : tensor<512x64xf32>) outs(%9 : tensor<512x64xbf16>) {
    ^bb0(%in: f32, %out: bf16):
      %741 = arith.truncf %in : f32 to bf16
      linalg.yield %741 : bf16
    } -> tensor<512x64xbf16>
    %transposed_194 = linalg.transpose ins(%expanded_189 : tensor<16x2x32x32xbf16>) outs(%66 : tensor<16x32x2x32xbf16>) permutation = [0, 3, 1, 2] 
    %collapsed_195 = tensor.collapse_shape %transposed_194 [[0, 1], [2, 3]] : tensor<16x32x2x32xbf16> into tensor<512x64xbf16>
    %transposed_196 = linalg.transpose ins(%collapsed_195 : tensor<512x64xbf16>) outs(%446 : tensor<64x512xbf16>) permutation = [1, 0] 
    %588 = linalg.matmul ins(%transposed_196, %collapsed_48 : tensor<64x512xbf16>, tensor<512x64xbf16>) outs(%448 : tensor<64x64xf32>) -> tensor<64x64xf32>
    %589 = linalg.generic {indexing_maps = [#map3, #map3], iterator_types = ["parallel", "parallel"]} ins(%588 : tensor<64x64xf32>) outs(%31 : tensor<64x64xbf16>) {
    ^bb0(%in: f32, %out: bf16):
      %741 = arith.truncf %in : f32 to bf16
      linalg.yield %741 : bf16
    } -> tensor<64x64xbf16>
    %590 = linalg.matmul ins(%collapsed_195, %arg13 : tensor<512x64xbf16>, tensor<64x64xbf16>) outs(%7 : tensor<512x64xf32>) -> tensor<512x64xf32>
    %591 = linalg.generic {indexing_maps = [#map3, #map3], iterator_types = ["parallel", "parallel"]} ins(%590 : tensor<512x64xf32>) outs(%9 : tensor<512x64xbf16>) {
    ^bb0(%in: f32, %out: bf16):
      %741 = arith.truncf %in : f32 to bf16
      linalg.yield %741 : bf16
    } -> tensor<512x64xbf16>
    %592 = linalg.generic {indexing_maps = [#map3, #map3, #map3], iterator_types = ["parallel", "parallel"]} ins(%587, %591 : tensor<512x64xbf16>, tensor<512x64xbf16>) outs(%9 : tensor<512x64xbf16>) {
    ^bb0(%in: bf16, %in_246: bf16, %out: bf16):
      %741 = arith.addf %in, %in_246 : bf16
      linalg.yield %741 : bf16
    } -> tensor<512x64xbf16>
    %transposed_197 = linalg.transpose ins(%expanded_190 : tensor<16x2x32x32xbf16>) outs(%66 : tensor<16x32x2x32xbf16>) permutation = [0, 2, 1, 3] 
    %collapsed_198 = tensor.collapse_shape %transposed_197 [[0, 1], [2, 3]] : tensor<16x32x2x32xbf16> into tensor<512x64xbf16>
    %transposed_199 = linalg.transpose ins(%collapsed_198 : tensor<512x64xbf16>) outs(%446 : tensor<64x512xbf16>) permutation = [1, 0] 
    %593 = linalg.matmul ins(%transposed_199, %collapsed_48 : tensor<64x512xbf16>, tensor<512x64xbf16>) outs(%448 : tensor<64x64xf32>) -> tensor<64x64xf32>
    %594 = linalg.generic {indexing_maps = [#map3, #map3], iterator_types = ["parallel", "parallel"]} ins(%593 : tensor<64x64xf32>) outs(%31 : tensor<64x64xbf16>) {
    ^bb0(%in: f32, %out: bf16):
      %741 = arith.truncf %in : f32 to bf16
      linalg.yield %741 : bf16
    } -> tensor<64x64xbf16>
    %595 = linalg.matmul ins(%collapsed_198, %arg12 : tensor<512x64xbf16>, tensor<64x64xbf16>) outs(%7 : tensor<512x64xf32>) -> tensor<512x64xf32>
    %596 = linalg.generic {indexing_maps = [#map3, #map3], iterator_types = ["parallel", "parallel"]} ins(%595 : tensor<512x64xf32>) outs(%9 : tensor<512x64xbf16>) {
    ^bb0(%in: f32, %out: bf16):
      %741 = arith.truncf %in : f32 to bf16
      linalg.yield %741 : bf16
    } -> tensor<512x64xbf16>
    %597 = linalg.generic {indexing_maps = [#map3, #map3, #map3], iterator_types = ["parallel", "parallel"]} ins(%592, %596 : tensor<512x64xbf16>, tensor<512x64xbf16>) outs(%9 : tensor<512x64xbf16>) {
    ^bb0(%in: bf16, %in_246: bf16, %out: bf16):
      %741 = arith.addf %in, %in_246 : bf16
      linalg.yield %741 : bf16
    } -> tensor<512x64xbf16>
    %expanded_200 = tensor.expand_shape %597 [[0, 1], [2]] output_shape [16, 32, 64] : tensor<512x64xbf16> into tensor<16x32x64xbf16>
    %598 = linalg.generic {indexing_maps = [#map4, #map4], iterator_types = ["parallel", "parallel", "parallel"]} ins(%expanded_200 : tensor<16x32x64xbf16>) outs(%13 : tensor<16x32x64xf32>) {
    ^bb0(%in: bf16, %out: f32):
      %741 = arith.extf %in : bf16 to f32
      linalg.yield %741 : f32
    } -> tensor<16x32x64xf32>
    %599 = linalg.generic {indexing_maps = [#map4, #map4, #map4], iterator_types = ["parallel", "parallel", "parallel"]} ins(%598, %147 : tensor<16x32x64xf32>, tensor<16x32x64xf32>) outs(%13 : tensor<16x32x64xf32>) {
    ^bb0(%in: f32, %in_246: f32, %out: f32):
      %741 = arith.mulf %in, %in_246 : f32
      linalg.yield %741 : f32
    } -> tensor<16x32x64xf32>
    %600 = linalg.generic {indexing_maps = [#map4, #map7, #map4], iterator_types = ["parallel", "parallel", "parallel"]} ins(%598, %148 : tensor<16x32x64xf32>, tensor<64xf32>) outs(%13 : tensor<16x32x64xf32>) {
    ^bb0(%in: f32, %in_246: f32, %out: f32):
      %741 = arith.mulf %in, %in_246 : f32
      linalg.yield %741 : f32
    } -> tensor<16x32x64xf32>
    %601 = linalg.generic {indexing_maps = [#map4, #map19], iterator_types = ["reduction", "reduction", "parallel"]} ins(%599 : tensor<16x32x64xf32>) outs(%353 : tensor<1x1x64xf32>) {
    ^bb0(%in: f32, %out: f32):
      %741 = arith.addf %in, %out : f32
      linalg.yield %741 : f32
    } -> tensor<1x1x64xf32>
    %collapsed_201 = tensor.collapse_shape %601 [[0, 1, 2]] : tensor<1x1x64xf32> into tensor<64xf32>
    %602 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel"]} ins(%collapsed_201 : tensor<64xf32>) outs(%355 : tensor<64xbf16>) {
    ^bb0(%in: f32, %out: bf16):
      %741 = arith.truncf %in : f32 to bf16
      linalg.yield %741 : bf16
    } -> tensor<64xbf16>
    %603 = linalg.generic {indexing_maps = [#map4, #map4, #map4], iterator_types = ["parallel", "parallel", "parallel"]} ins(%600, %141 : tensor<16x32x64xf32>, tensor<16x32x64xf32>) outs(%13 : tensor<16x32x64xf32>) {
    ^bb0(%in: f32, %in_246: f32, %out: f32):
      %741 = arith.mulf %in, %in_246 : f32
      linalg.yield %741 : f32
    } -> tensor<16x32x64xf32>
    %604 = linalg.generic {indexing_maps = [#map4, #map6, #map4], iterator_types = ["parallel", "parallel", "parallel"]} ins(%600, %146 : tensor<16x32x64xf32>, tensor<16x32x1xf32>) outs(%13 : tensor<16x32x64xf32>) {
    ^bb0(%in: f32, %in_246: f32, %out: f32):
      %741 = arith.mulf %in, %in_246 : f32
      linalg.yield %741 : f32
    } -> tensor<16x32x64xf32>
    %605 = linalg.generic {indexing_maps = [#map4, #map6], iterator_types = ["parallel", "parallel", "reduction"]} ins(%603 : tensor<16x32x64xf32>) outs(%21 : tensor<16x32x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      %741 = arith.addf %in, %out : f32
      linalg.yield %741 : f32
    } -> tensor<16x32x1xf32>
    %606 = linalg.generic {indexing_maps = [#map4, #map4], iterator_types = ["parallel", "parallel", "parallel"]} ins(%146 : tensor<16x32x1xf32>) outs(%20 : tensor<16x32x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      %741 = math.fpowi %in, %c3_i64 : f32, i64
      linalg.yield %741 : f32
    } -> tensor<16x32x1xf32>
    %607 = linalg.generic {indexing_maps = [#map4, #map4], iterator_types = ["parallel", "parallel", "parallel"]} ins(%605 : tensor<16x32x1xf32>) outs(%20 : tensor<16x32x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      %741 = arith.mulf %in, %cst_11 : f32
      linalg.yield %741 : f32
    } -> tensor<16x32x1xf32>
    %608 = linalg.generic {indexing_maps = [#map4, #map4, #map4], iterator_types = ["parallel", "parallel", "parallel"]} ins(%607, %606 : tensor<16x32x1xf32>, tensor<16x32x1xf32>) outs(%20 : tensor<16x32x1xf32>) {
    ^bb0(%in: f32, %in_246: f32, %out: f32):
      %741 = arith.mulf %in, %in_246 : f32
      linalg.yield %741 : f32
    } -> tensor<16x32x1xf32>
    %collapsed_202 = tensor.collapse_shape %608 [[0], [1, 2]] : tensor<16x32x1xf32> into tensor<16x32xf32>
    %609 = linalg.generic {indexing_maps = [#map16, #map4], iterator_types = ["parallel", "parallel", "parallel"]} ins(%collapsed_202 : tensor<16x32xf32>) outs(%13 : tensor<16x32x64xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<16x32x64xf32>
    %610 = linalg.generic {indexing_maps = [#map4, #map4], iterator_types = ["parallel", "parallel", "parallel"]} ins(%609 : tensor<16x32x64xf32>) outs(%13 : tensor<16x32x64xf32>) {
    ^bb0(%in: f32, %out: f32):
      %741 = arith.divf %in, %cst_8 : f32
      linalg.yield %741 : f32
    } -> tensor<16x32x64xf32>
    %611 = linalg.generic {indexing_maps = [#map4, #map4], iterator_types = ["parallel", "parallel", "parallel"]} ins(%141 : tensor<16x32x64xf32>) outs(%13 : tensor<16x32x64xf32>) {
    ^bb0(%in: f32, %out: f32):
      %741 = math.fpowi %in, %c1_i64 : f32, i64
      linalg.yield %741 : f32
    } -> tensor<16x32x64xf32>
    %612 = linalg.generic {indexing_maps = [#map4, #map4], iterator_types = ["parallel", "parallel", "parallel"]} ins(%611 : tensor<16x32x64xf32>) outs(%13 : tensor<16x32x64xf32>) {
    ^bb0(%in: f32, %out: f32):
      %741 = arith.mulf %in, %cst_9 : f32
      linalg.yield %741 : f32
    } -> tensor<16x32x64xf32>
    %613 = linalg.generic {indexing_maps = [#map4, #map4, #map4], iterator_types = ["parallel", "parallel", "parallel"]} ins(%610, %612 : tensor<16x32x64xf32>, tensor<16x32x64xf32>) outs(%13 : tensor<16x32x64xf32>) {
    ^bb0(%in: f32, %in_246: f32, %out: f32):
      %741 = arith.mulf %in, %in_246 : f32
      linalg.yield %741 : f32
    } -> tensor<16x32x64xf32>
    %614 = linalg.generic {indexing_maps = [#map4, #map4, #map4], iterator_types = ["parallel", "parallel", "parallel"]} ins(%604, %613 : tensor<16x32x64xf32>, tensor<16x32x64xf32>) outs(%13 : tensor<16x32x64xf32>) {
    ^bb0(%in: f32, %in_246: f32, %out: f32):
      %741 = arith.addf %in, %in_246 : f32
      linalg.yield %741 : f32
    } -> tensor<16x32x64xf32>
    %615 = linalg.generic {indexing_maps = [#map4, #map4], iterator_types = ["parallel", "parallel", "parallel"]} ins(%614 : tensor<16x32x64xf32>) outs(%16 : tensor<16x32x64xbf16>) {
    ^bb0(%in: f32, %out: bf16):
      %741 = arith.truncf %in : f32 to bf16
      linalg.yield %741 : bf16
    } -> tensor<16x32x64xbf16>
    %616 = linalg.generic {indexing_maps = [#map4, #map4, #map4], iterator_types = ["parallel", "parallel", "parallel"]} ins(%563, %615 : tensor<16x32x64xbf16>, tensor<16x32x64xbf16>) outs(%16 : tensor<16x32x64xbf16>) {
    ^bb0(%in: bf16, %in_246: bf16, %out: bf16):
      %741 = arith.addf %in, %in_246 : bf16
      linalg.yield %741 : bf16
    } -> tensor<16x32x64xbf16>
    %collapsed_203 = tensor.collapse_shape %616 [[0, 1], [2]] : tensor<16x32x64xbf16> into tensor<512x64xbf16>
    %617 = linalg.generic {indexing_maps = [#map3, #map3], iterator_types = ["parallel", "parallel"]} ins(%collapsed_203 : tensor<512x64xbf16>) outs(%6 : tensor<512x64xf32>) {
    ^bb0(%in: bf16, %out: f32):
      %741 = arith.extf %in : bf16 to f32
      linalg.yield %741 : f32
    } -> tensor<512x64xf32>
    %618 = linalg.generic {indexing_maps = [#map5, #map4], iterator_types = ["parallel", "parallel", "parallel"]} ins(%617 : tensor<512x64xf32>) outs(%124 : tensor<4x512x64xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<4x512x64xf32>
    %619 = linalg.generic {indexing_maps = [#map4, #map4, #map4], iterator_types = ["parallel", "parallel", "parallel"]} ins(%618, %135 : tensor<4x512x64xf32>, tensor<4x512x64xf32>) outs(%124 : tensor<4x512x64xf32>) {
    ^bb0(%in: f32, %in_246: f32, %out: f32):
      %741 = arith.mulf %in, %in_246 : f32
      linalg.yield %741 : f32
    } -> tensor<4x512x64xf32>
    %620 = linalg.generic {indexing_maps = [#map4, #map6, #map4], iterator_types = ["parallel", "parallel", "parallel"]} ins(%618, %expanded_46 : tensor<4x512x64xf32>, tensor<4x512x1xf32>) outs(%124 : tensor<4x512x64xf32>) {
    ^bb0(%in: f32, %in_246: f32, %out: f32):
      %741 = arith.mulf %in, %in_246 : f32
      linalg.yield %741 : f32
    } -> tensor<4x512x64xf32>
    %621 = linalg.generic {indexing_maps = [#map4, #map6], iterator_types = ["parallel", "parallel", "reduction"]} ins(%619 : tensor<4x512x64xf32>) outs(%375 : tensor<4x512x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      %741 = arith.addf %in, %out : f32
      linalg.yield %741 : f32
    } -> tensor<4x512x1xf32>
    %collapsed_204 = tensor.collapse_shape %621 [[0], [1, 2]] : tensor<4x512x1xf32> into tensor<4x512xf32>
    %transposed_205 = linalg.transpose ins(%collapsed_204 : tensor<4x512xf32>) outs(%81 : tensor<512x4xf32>) permutation = [1, 0] 
    %622 = linalg.generic {indexing_maps = [#map4, #map4], iterator_types = ["parallel", "parallel", "parallel"]} ins(%620 : tensor<4x512x64xf32>) outs(%116 : tensor<4x512x64xbf16>) {
    ^bb0(%in: f32, %out: bf16):
      %741 = arith.truncf %in : f32 to bf16
      linalg.yield %741 : bf16
    } -> tensor<4x512x64xbf16>
    %transposed_206 = linalg.transpose ins(%130 : tensor<4x512x64xbf16>) outs(%378 : tensor<4x64x512xbf16>) permutation = [0, 2, 1] 
    %623 = linalg.batch_matmul ins(%transposed_206, %622 : tensor<4x64x512xbf16>, tensor<4x512x64xbf16>) outs(%380 : tensor<4x64x64xf32>) -> tensor<4x64x64xf32>
    %624 = linalg.generic {indexing_maps = [#map4, #map4], iterator_types = ["parallel", "parallel", "parallel"]} ins(%623 : tensor<4x64x64xf32>) outs(%131 : tensor<4x64x64xbf16>) {
    ^bb0(%in: f32, %out: bf16):
      %741 = arith.truncf %in : f32 to bf16
      linalg.yield %741 : bf16
    } -> tensor<4x64x64xbf16>
    %625 = linalg.batch_matmul ins(%622, %arg10 : tensor<4x512x64xbf16>, tensor<4x64x64xbf16>) outs(%132 : tensor<4x512x64xf32>) -> tensor<4x512x64xf32>
    %626 = linalg.generic {indexing_maps = [#map4, #map4], iterator_types = ["parallel", "parallel", "parallel"]} ins(%625 : tensor<4x512x64xf32>) outs(%116 : tensor<4x512x64xbf16>) {
    ^bb0(%in: f32, %out: bf16):
      %741 = arith.truncf %in : f32 to bf16
      linalg.yield %741 : bf16
    } -> tensor<4x512x64xbf16>
    %transposed_207 = linalg.transpose ins(%624 : tensor<4x64x64xbf16>) outs(%131 : tensor<4x64x64xbf16>) permutation = [0, 2, 1] 
    %627 = linalg.generic {indexing_maps = [#map4, #map4], iterator_types = ["parallel", "parallel", "parallel"]} ins(%626 : tensor<4x512x64xbf16>) outs(%124 : tensor<4x512x64xf32>) {
    ^bb0(%in: bf16, %out: f32):
      %741 = arith.extf %in : bf16 to f32
      linalg.yield %741 : f32
    } -> tensor<4x512x64xf32>
    %628 = linalg.generic {indexing_maps = [#map4, #map4, #map4], iterator_types = ["parallel", "parallel", "parallel"]} ins(%627, %127 : tensor<4x512x64xf32>, tensor<4x512x64xf32>) outs(%124 : tensor<4x512x64xf32>) {
    ^bb0(%in: f32, %in_246: f32, %out: f32):
      %741 = arith.mulf %in, %in_246 : f32
      linalg.yield %741 : f32
    } -> tensor<4x512x64xf32>
    %629 = linalg.generic {indexing_maps = [#map4, #map4, #map4], iterator_types = ["parallel", "parallel", "parallel"]} ins(%627, %128 : tensor<4x512x64xf32>, tensor<4x512x64xf32>) outs(%124 : tensor<4x512x64xf32>) {
    ^bb0(%in: f32, %in_246: f32, %out: f32):
      %741 = arith.mulf %in, %in_246 : f32
      linalg.yield %741 : f32
    } -> tensor<4x512x64xf32>
    %630 = linalg.generic {indexing_maps = [#map4, #map4], iterator_types = ["parallel", "parallel", "parallel"]} ins(%628 : tensor<4x512x64xf32>) outs(%116 : tensor<4x512x64xbf16>) {
    ^bb0(%in: f32, %out: bf16):
      %741 = arith.truncf %in : f32 to bf16
      linalg.yield %741 : bf16
    } -> tensor<4x512x64xbf16>
    %631 = linalg.generic {indexing_maps = [#map4, #map4, #map4], iterator_types = ["parallel", "parallel", "parallel"]} ins(%cst_4, %126 : tensor<4x512x64xf32>, tensor<4x512x64xf32>) outs(%124 : tensor<4x512x64xf32>) {
    ^bb0(%in: f32, %in_246: f32, %out: f32):
      %741 = arith.subf %in, %in_246 : f32
      linalg.yield %741 : f32
    } -> tensor<4x512x64xf32>
    %632 = linalg.generic {indexing_maps = [#map4, #map4, #map4], iterator_types = ["parallel", "parallel", "parallel"]} ins(%125, %631 : tensor<4x512x64xf32>, tensor<4x512x64xf32>) outs(%124 : tensor<4x512x64xf32>) {
    ^bb0(%in: f32, %in_246: f32, %out: f32):
      %741 = arith.mulf %in, %in_246 : f32
      linalg.yield %741 : f32
    } -> tensor<4x512x64xf32>
    %633 = linalg.generic {indexing_maps = [#map4, #map4], iterator_types = ["parallel", "parallel", "parallel"]} ins(%632 : tensor<4x512x64xf32>) outs(%124 : tensor<4x512x64xf32>) {
    ^bb0(%in: f32, %out: f32):
      %741 = arith.addf %in, %cst_2 : f32
      linalg.yield %741 : f32
    } -> tensor<4x512x64xf32>
    %634 = linalg.generic {indexing_maps = [#map4, #map4, #map4], iterator_types = ["parallel", "parallel", "parallel"]} ins(%126, %633 : tensor<4x512x64xf32>, tensor<4x512x64xf32>) outs(%124 : tensor<4x512x64xf32>) {
    ^bb0(%in: f32, %in_246: f32, %out: f32):
      %741 = arith.mulf %in, %in_246 : f32
      linalg.yield %741 : f32
    } -> tensor<4x512x64xf32>
    %635 = linalg.generic {indexing_maps = [#map4, #map4, #map4], iterator_types = ["parallel", "parallel", "parallel"]} ins(%629, %634 : tensor<4x512x64xf32>, tensor<4x512x64xf32>) outs(%124 : tensor<4x512x64xf32>) {
    ^bb0(%in: f32, %in_246: f32, %out: f32):
      %741 = arith.mulf %in, %in_246 : f32
      linalg.yield %741 : f32
    } -> tensor<4x512x64xf32>
    %636 = linalg.generic {indexing_maps = [#map4, #map4], iterator_types = ["parallel", "parallel", "parallel"]} ins(%635 : tensor<4x512x64xf32>) outs(%116 : tensor<4x512x64xbf16>) {
    ^bb0(%in: f32, %out: bf16):
      %741 = arith.truncf %in : f32 to bf16
      linalg.yield %741 : bf16
    } -> tensor<4x512x64xbf16>
    %concat_208 = tensor.concat dim(2) %636, %630 : (tensor<4x512x64xbf16>, tensor<4x512x64xbf16>) -> tensor<4x512x128xbf16>
    %transposed_209 = linalg.transpose ins(%117 : tensor<4x512x64xbf16>) outs(%378 : tensor<4x64x512xbf16>) permutation = [0, 2, 1] 
    %637 = linalg.batch_matmul ins(%transposed_209, %concat_208 : tensor<4x64x512xbf16>, tensor<4x512x128xbf16>) outs(%396 : tensor<4x64x128xf32>) -> tensor<4x64x128xf32>
    %638 = linalg.generic {indexing_maps = [#map4, #map4], iterator_types = ["parallel", "parallel", "parallel"]} ins(%637 : tensor<4x64x128xf32>) outs(%118 : tensor<4x64x128xbf16>) {
    ^bb0(%in: f32, %out: bf16):
      %741 = arith.truncf %in : f32 to bf16
      linalg.yield %741 : bf16
    } -> tensor<4x64x128xbf16>
    %639 = linalg.batch_matmul ins(%concat_208, %arg9 : tensor<4x512x128xbf16>, tensor<4x128x64xbf16>) outs(%132 : tensor<4x512x64xf32>) -> tensor<4x512x64xf32>
    %640 = linalg.generic {indexing_maps = [#map4, #map4], iterator_types = ["parallel", "parallel", "parallel"]} ins(%639 : tensor<4x512x64xf32>) outs(%116 : tensor<4x512x64xbf16>) {
    ^bb0(%in: f32, %out: bf16):
      %741 = arith.truncf %in : f32 to bf16
      linalg.yield %741 : bf16
    } -> tensor<4x512x64xbf16>
    %transposed_210 = linalg.transpose ins(%638 : tensor<4x64x128xbf16>) outs(%401 : tensor<4x128x64xbf16>) permutation = [0, 2, 1] 
    %641 = linalg.generic {indexing_maps = [#map4, #map20], iterator_types = ["reduction", "parallel", "parallel"]} ins(%640 : tensor<4x512x64xbf16>) outs(%403 : tensor<1x512x64xbf16>) {
    ^bb0(%in: bf16, %out: bf16):
      %741 = arith.addf %in, %out : bf16
      linalg.yield %741 : bf16
    } -> tensor<1x512x64xbf16>
    %collapsed_211 = tensor.collapse_shape %641 [[0, 1], [2]] : tensor<1x512x64xbf16> into tensor<512x64xbf16>
    %642 = linalg.generic {indexing_maps = [#map3, #map1, #map3], iterator_types = ["parallel", "parallel"]} ins(%115, %114 : tensor<512x4xf32>, tensor<512x1xf32>) outs(%81 : tensor<512x4xf32>) {
    ^bb0(%in: f32, %in_246: f32, %out: f32):
      %741 = arith.divf %in, %in_246 : f32
      linalg.yield %741 : f32
    } -> tensor<512x4xf32>
    %643 = linalg.generic {indexing_maps = [#map3, #map3], iterator_types = ["parallel", "parallel"]} ins(%transposed_205 : tensor<512x4xf32>) outs(%81 : tensor<512x4xf32>) {
    ^bb0(%in: f32, %out: f32):
      %741 = arith.negf %in : f32
      linalg.yield %741 : f32
    } -> tensor<512x4xf32>
    %644 = linalg.generic {indexing_maps = [#map3, #map3, #map3], iterator_types = ["parallel", "parallel"]} ins(%643, %642 : tensor<512x4xf32>, tensor<512x4xf32>) outs(%81 : tensor<512x4xf32>) {
    ^bb0(%in: f32, %in_246: f32, %out: f32):
      %741 = arith.mulf %in, %in_246 : f32
      linalg.yield %741 : f32
    } -> tensor<512x4xf32>
    %645 = linalg.generic {indexing_maps = [#map3, #map1, #map3], iterator_types = ["parallel", "parallel"]} ins(%transposed_205, %114 : tensor<512x4xf32>, tensor<512x1xf32>) outs(%81 : tensor<512x4xf32>) {
    ^bb0(%in: f32, %in_246: f32, %out: f32):
      %741 = arith.divf %in, %in_246 : f32
      linalg.yield %741 : f32
    } -> tensor<512x4xf32>
    %646 = linalg.generic {indexing_maps = [#map3, #map1], iterator_types = ["parallel", "reduction"]} ins(%644 : tensor<512x4xf32>) outs(%95 : tensor<512x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      %741 = arith.addf %in, %out : f32
      linalg.yield %741 : f32
    } -> tensor<512x1xf32>
    %collapsed_212 = tensor.collapse_shape %646 [[0, 1]] : tensor<512x1xf32> into tensor<512xf32>
    %647 = linalg.generic {indexing_maps = [#map14, #map3], iterator_types = ["parallel", "parallel"]} ins(%collapsed_212 : tensor<512xf32>) outs(%81 : tensor<512x4xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<512x4xf32>
    %648 = linalg.generic {indexing_maps = [#map3, #map3, #map3], iterator_types = ["parallel", "parallel"]} ins(%645, %647 : tensor<512x4xf32>, tensor<512x4xf32>) outs(%81 : tensor<512x4xf32>) {
    ^bb0(%in: f32, %in_246: f32, %out: f32):
      %741 = arith.addf %in, %in_246 : f32
      linalg.yield %741 : f32
    } -> tensor<512x4xf32>
    %649 = linalg.generic {indexing_maps = [#map3, #map3, #map3], iterator_types = ["parallel", "parallel"]} ins(%648, %112 : tensor<512x4xf32>, tensor<512x4xf32>) outs(%81 : tensor<512x4xf32>) {
    ^bb0(%in: f32, %in_246: f32, %out: f32):
      %741 = arith.mulf %in, %in_246 : f32
      linalg.yield %741 : f32
    } -> tensor<512x4xf32>
    %650 = linalg.generic {indexing_maps = [#map3, #map3, #map3], iterator_types = ["parallel", "parallel"]} ins(%649, %97 : tensor<512x4xf32>, tensor<512x4xf32>) outs(%81 : tensor<512x4xf32>) {
    ^bb0(%in: f32, %in_246: f32, %out: f32):
      %741 = arith.mulf %in, %in_246 : f32
      linalg.yield %741 : f32
    } -> tensor<512x4xf32>
    %651 = linalg.generic {indexing_maps = [#map3, #map1], iterator_types = ["parallel", "reduction"]} ins(%650 : tensor<512x4xf32>) outs(%95 : tensor<512x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      %741 = arith.addf %in, %out : f32
      linalg.yield %741 : f32
    } -> tensor<512x1xf32>
    %652 = linalg.generic {indexing_maps = [#map3, #map1, #map3], iterator_types = ["parallel", "parallel"]} ins(%97, %651 : tensor<512x4xf32>, tensor<512x1xf32>) outs(%81 : tensor<512x4xf32>) {
    ^bb0(%in: f32, %in_246: f32, %out: f32):
      %741 = arith.mulf %in, %in_246 : f32
      linalg.yield %741 : f32
    } -> tensor<512x4xf32>
    %653 = linalg.generic {indexing_maps = [#map3, #map3, #map3], iterator_types = ["parallel", "parallel"]} ins(%650, %652 : tensor<512x4xf32>, tensor<512x4xf32>) outs(%81 : tensor<512x4xf32>) {
    ^bb0(%in: f32, %in_246: f32, %out: f32):
      %741 = arith.subf %in, %in_246 : f32
      linalg.yield %741 : f32
    } -> tensor<512x4xf32>
    %654 = linalg.generic {indexing_maps = [#map3, #map3], iterator_types = ["parallel", "parallel"]} ins(%653 : tensor<512x4xf32>) outs(%84 : tensor<512x4xbf16>) {
    ^bb0(%in: f32, %out: bf16):
      %741 = arith.truncf %in : f32 to bf16
      linalg.yield %741 : bf16
    } -> tensor<512x4xbf16>
    %transposed_213 = linalg.transpose ins(%654 : tensor<512x4xbf16>) outs(%418 : tensor<4x512xbf16>) permutation = [1, 0] 
    %655 = linalg.matmul ins(%transposed_213, %collapsed_35 : tensor<4x512xbf16>, tensor<512x64xbf16>) outs(%420 : tensor<4x64xf32>) -> tensor<4x64xf32>
    %656 = linalg.generic {indexing_maps = [#map3, #map3], iterator_types = ["parallel", "parallel"]} ins(%655 : tensor<4x64xf32>) outs(%422 : tensor<4x64xbf16>) {
    ^bb0(%in: f32, %out: bf16):
      %741 = arith.truncf %in : f32 to bf16
      linalg.yield %741 : bf16
    } -> tensor<4x64xbf16>
    %657 = linalg.matmul ins(%654, %arg8 : tensor<512x4xbf16>, tensor<4x64xbf16>) outs(%7 : tensor<512x64xf32>) -> tensor<512x64xf32>
    %658 = linalg.generic {indexing_maps = [#map3, #map3], iterator_types = ["parallel", "parallel"]} ins(%657 : tensor<512x64xf32>) outs(%9 : tensor<512x64xbf16>) {
    ^bb0(%in: f32, %out: bf16):
      %741 = arith.truncf %in : f32 to bf16
      linalg.yield %741 : bf16
    } -> tensor<512x64xbf16>
    %659 = linalg.generic {indexing_maps = [#map3, #map3, #map3], iterator_types = ["parallel", "parallel"]} ins(%collapsed_211, %658 : tensor<512x64xbf16>, tensor<512x64xbf16>) outs(%9 : tensor<512x64xbf16>) {
    ^bb0(%in: bf16, %in_246: bf16, %out: bf16):
      %741 = arith.addf %in, %in_246 : bf16
      linalg.yield %741 : bf16
    } -> tensor<512x64xbf16>
    %expanded_214 = tensor.expand_shape %659 [[0, 1], [2]] output_shape [16, 32, 64] : tensor<512x64xbf16> into tensor<16x32x64xbf16>
    %660 = linalg.generic {indexing_maps = [#map4, #map4], iterator_types = ["parallel", "parallel", "parallel"]} ins(%expanded_214 : tensor<16x32x64xbf16>) outs(%13 : tensor<16x32x64xf32>) {
    ^bb0(%in: bf16, %out: f32):
      %741 = arith.extf %in : bf16 to f32
      linalg.yield %741 : f32
    } -> tensor<16x32x64xf32>
    %661 = linalg.generic {indexing_maps = [#map4, #map4, #map4], iterator_types = ["parallel", "parallel", "parallel"]} ins(%660, %76 : tensor<16x32x64xf32>, tensor<16x32x64xf32>) outs(%13 : tensor<16x32x64xf32>) {
    ^bb0(%in: f32, %in_246: f32, %out: f32):
      %741 = arith.mulf %in, %in_246 : f32
      linalg.yield %741 : f32
    } -> tensor<16x32x64xf32>
    %662 = linalg.generic {indexing_maps = [#map4, #map7, #map4], iterator_types = ["parallel", "parallel", "parallel"]} ins(%660, %77 : tensor<16x32x64xf32>, tensor<64xf32>) outs(%13 : tensor<16x32x64xf32>) {
    ^bb0(%in: f32, %in_246: f32, %out: f32):
      %741 = arith.mulf %in, %in_246 : f32
      linalg.yield %741 : f32
    } -> tensor<16x32x64xf32>
    %663 = linalg.generic {indexing_maps = [#map4, #map19], iterator_types = ["reduction", "reduction", "parallel"]} ins(%661 : tensor<16x32x64xf32>) outs(%353 : tensor<1x1x64xf32>) {
    ^bb0(%in: f32, %out: f32):
      %741 = arith.addf %in, %out : f32
      linalg.yield %741 : f32
    } -> tensor<1x1x64xf32>
    %collapsed_215 = tensor.collapse_shape %663 [[0, 1, 2]] : tensor<1x1x64xf32> into tensor<64xf32>
    %664 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel"]} ins(%collapsed_215 : tensor<64xf32>) outs(%355 : tensor<64xbf16>) {
    ^bb0(%in: f32, %out: bf16):
      %741 = arith.truncf %in : f32 to bf16
      linalg.yield %741 : bf16
    } -> tensor<64xbf16>
    %665 = linalg.generic {indexing_maps = [#map4, #map4, #map4], iterator_types = ["parallel", "parallel", "parallel"]} ins(%662, %70 : tensor<16x32x64xf32>, tensor<16x32x64xf32>) outs(%13 : tensor<16x32x64xf32>) {
    ^bb0(%in: f32, %in_246: f32, %out: f32):
      %741 = arith.mulf %in, %in_246 : f32
      linalg.yield %741 : f32
    } -> tensor<16x32x64xf32>
    %666 = linalg.generic {indexing_maps = [#map4, #map6, #map4], iterator_types = ["parallel", "parallel", "parallel"]} ins(%662, %75 : tensor<16x32x64xf32>, tensor<16x32x1xf32>) outs(%13 : tensor<16x32x64xf32>) {
    ^bb0(%in: f32, %in_246: f32, %out: f32):
      %741 = arith.mulf %in, %in_246 : f32
      linalg.yield %741 : f32
    } -> tensor<16x32x64xf32>
    %667 = linalg.generic {indexing_maps = [#map4, #map6], iterator_types = ["parallel", "parallel", "reduction"]} ins(%665 : tensor<16x32x64xf32>) outs(%21 : tensor<16x32x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      %741 = arith.addf %in, %out : f32
      linalg.yield %741 : f32
    } -> tensor<16x32x1xf32>
    %668 = linalg.generic {indexing_maps = [#map4, #map4], iterator_types = ["parallel", "parallel", "parallel"]} ins(%75 : tensor<16x32x1xf32>) outs(%20 : tensor<16x32x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      %741 = math.fpowi %in, %c3_i64 : f32, i64
      linalg.yield %741 : f32
    } -> tensor<16x32x1xf32>
    %669 = linalg.generic {indexing_maps = [#map4, #map4], iterator_types = ["parallel", "parallel", "parallel"]} ins(%667 : tensor<16x32x1xf32>) outs(%20 : tensor<16x32x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      %741 = arith.mulf %in, %cst_11 : f32
      linalg.yield %741 : f32
    } -> tensor<16x32x1xf32>
    %670 = linalg.generic {indexing_maps = [#map4, #map4, #map4], iterator_types = ["parallel", "parallel", "parallel"]} ins(%669, %668 : tensor<16x32x1xf32>, tensor<16x32x1xf32>) outs(%20 : tensor<16x32x1xf32>) {
    ^bb0(%in: f32, %in_246: f32, %out: f32):
      %741 = arith.mulf %in, %in_246 : f32
      linalg.yield %741 : f32
    } -> tensor<16x32x1xf32>
    %collapsed_216 = tensor.collapse_shape %670 [[0], [1, 2]] : tensor<16x32x1xf32> into tensor<16x32xf32>
    %671 = linalg.generic {indexing_maps = [#map16, #map4], iterator_types = ["parallel", "parallel", "parallel"]} ins(%collapsed_216 : tensor<16x32xf32>) outs(%13 : tensor<16x32x64xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<16x32x64xf32>
    %672 = linalg.generic {indexing_maps = [#map4, #map4], iterator_types = ["parallel", "parallel", "parallel"]} ins(%671 : tensor<16x32x64xf32>) outs(%13 : tensor<16x32x64xf32>) {
    ^bb0(%in: f32, %out: f32):
      %741 = arith.divf %in, %cst_8 : f32
      linalg.yield %741 : f32
    } -> tensor<16x32x64xf32>
    %673 = linalg.generic {indexing_maps = [#map4, #map4], iterator_types = ["parallel", "parallel", "parallel"]} ins(%70 : tensor<16x32x64xf32>) outs(%13 : tensor<16x32x64xf32>) {
    ^bb0(%in: f32, %out: f32):
      %741 = math.fpowi %in, %c1_i64 : f32, i64
      linalg.yield %741 : f32
    } -> tensor<16x32x64xf32>
    %674 = linalg.generic {indexing_maps = [#map4, #map4], iterator_types = ["parallel", "parallel", "parallel"]} ins(%673 : tensor<16x32x64xf32>) outs(%13 : tensor<16x32x64xf32>) {
    ^bb0(%in: f32, %out: f32):
      %741 = arith.mulf %in, %cst_9 : f32
      linalg.yield %741 : f32
    } -> tensor<16x32x64xf32>
    %675 = linalg.generic {indexing_maps = [#map4, #map4, #map4], iterator_types = ["parallel", "parallel", "parallel"]} ins(%672, %674 : tensor<16x32x64xf32>, tensor<16x32x64xf32>) outs(%13 : tensor<16x32x64xf32>) {
    ^bb0(%in: f32, %in_246: f32, %out: f32):
      %741 = arith.mulf %in, %in_246 : f32
      linalg.yield %741 : f32
    } -> tensor<16x32x64xf32>
    %676 = linalg.generic {indexing_maps = [#map4, #map4, #map4], iterator_types = ["parallel", "parallel", "parallel"]} ins(%666, %675 : tensor<16x32x64xf32>, tensor<16x32x64xf32>) outs(%13 : tensor<16x32x64xf32>) {
    ^bb0(%in: f32, %in_246: f32, %out: f32):
      %741 = arith.addf %in, %in_246 : f32
      linalg.yield %741 : f32
    } -> tensor<16x32x64xf32>
    %677 = linalg.generic {indexing_maps = [#map4, #map4], iterator_types = ["parallel", "parallel", "parallel"]} ins(%676 : tensor<16x32x64xf32>) outs(%16 : tensor<16x32x64xbf16>) {
    ^bb0(%in: f32, %out: bf16):
      %741 = arith.truncf %in : f32 to bf16
      linalg.yield %741 : bf16
    } -> tensor<16x32x64xbf16>
    %678 = linalg.generic {indexing_maps = [#map4, #map4, #map4], iterator_types = ["parallel", "parallel", "parallel"]} ins(%616, %677 : tensor<16x32x64xbf16>, tensor<16x32x64xbf16>) outs(%16 : tensor<16x32x64xbf16>) {
    ^bb0(%in: bf16, %in_246: bf16, %out: bf16):
      %741 = arith.addf %in, %in_246 : bf16
      linalg.yield %741 : bf16
    } -> tensor<16x32x64xbf16>
    %collapsed_217 = tensor.collapse_shape %678 [[0, 1], [2]] : tensor<16x32x64xbf16> into tensor<512x64xbf16>
    %transposed_218 = linalg.transpose ins(%collapsed_217 : tensor<512x64xbf16>) outs(%446 : tensor<64x512xbf16>) permutation = [1, 0] 
    %679 = linalg.matmul ins(%transposed_218, %collapsed_32 : tensor<64x512xbf16>, tensor<512x64xbf16>) outs(%448 : tensor<64x64xf32>) -> tensor<64x64xf32>
    %680 = linalg.generic {indexing_maps = [#map3, #map3], iterator_types = ["parallel", "parallel"]} ins(%679 : tensor<64x64xf32>) outs(%31 : tensor<64x64xbf16>) {
    ^bb0(%in: f32, %out: bf16):
      %741 = arith.truncf %in : f32 to bf16
      linalg.yield %741 : bf16
    } -> tensor<64x64xbf16>
    %681 = linalg.matmul ins(%collapsed_217, %arg6 : tensor<512x64xbf16>, tensor<64x64xbf16>) outs(%7 : tensor<512x64xf32>) -> tensor<512x64xf32>
    %682 = linalg.generic {indexing_maps = [#map3, #map3], iterator_types = ["parallel", "parallel"]} ins(%681 : tensor<512x64xf32>) outs(%9 : tensor<512x64xbf16>) {
    ^bb0(%in: f32, %out: bf16):
      %741 = arith.truncf %in : f32 to bf16
      linalg.yield %741 : bf16
    } -> tensor<512x64xbf16>
    %expanded_219 = tensor.expand_shape %682 [[0, 1], [2, 3]] output_shape [16, 32, 2, 32] : tensor<512x64xbf16> into tensor<16x32x2x32xbf16>
    %transposed_220 = linalg.transpose ins(%expanded_219 : tensor<16x32x2x32xbf16>) outs(%34 : tensor<16x2x32x32xbf16>) permutation = [0, 2, 1, 3] 
    %collapsed_221 = tensor.collapse_shape %transposed_220 [[0, 1], [2], [3]] : tensor<16x2x32x32xbf16> into tensor<32x32x32xbf16>
    %transposed_222 = linalg.transpose ins(%collapsed_28 : tensor<32x32x32xbf16>) outs(%42 : tensor<32x32x32xbf16>) permutation = [0, 2, 1] 
    %683 = linalg.batch_matmul ins(%transposed_222, %collapsed_221 : tensor<32x32x32xbf16>, tensor<32x32x32xbf16>) outs(%40 : tensor<32x32x32xf32>) -> tensor<32x32x32xf32>
    %684 = linalg.generic {indexing_maps = [#map4, #map4], iterator_types = ["parallel", "parallel", "parallel"]} ins(%683 : tensor<32x32x32xf32>) outs(%42 : tensor<32x32x32xbf16>) {
    ^bb0(%in: f32, %out: bf16):
      %741 = arith.truncf %in : f32 to bf16
      linalg.yield %741 : bf16
    } -> tensor<32x32x32xbf16>
    %transposed_223 = linalg.transpose ins(%collapsed_29 : tensor<32x32x32xbf16>) outs(%42 : tensor<32x32x32xbf16>) permutation = [0, 2, 1] 
    %685 = linalg.batch_matmul ins(%collapsed_221, %transposed_223 : tensor<32x32x32xbf16>, tensor<32x32x32xbf16>) outs(%40 : tensor<32x32x32xf32>) -> tensor<32x32x32xf32>
    %686 = linalg.generic {indexing_maps = [#map4, #map4], iterator_types = ["parallel", "parallel", "parallel"]} ins(%685 : tensor<32x32x32xf32>) outs(%42 : tensor<32x32x32xbf16>) {
    ^bb0(%in: f32, %out: bf16):
      %741 = arith.truncf %in : f32 to bf16
      linalg.yield %741 : bf16
    } -> tensor<32x32x32xbf16>
    %expanded_224 = tensor.expand_shape %684 [[0, 1], [2], [3]] output_shape [16, 2, 32, 32] : tensor<32x32x32xbf16> into tensor<16x2x32x32xbf16>
    %expanded_225 = tensor.expand_shape %686 [[0, 1], [2], [3]] output_shape [16, 2, 32, 32] : tensor<32x32x32xbf16> into tensor<16x2x32x32xbf16>
    %687 = linalg.generic {indexing_maps = [#map8, #map8], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%expanded_225 : tensor<16x2x32x32xbf16>) outs(%44 : tensor<16x2x32x32xf32>) {
    ^bb0(%in: bf16, %out: f32):
      %741 = arith.extf %in : bf16 to f32
      linalg.yield %741 : f32
    } -> tensor<16x2x32x32xf32>
    %688 = linalg.generic {indexing_maps = [#map8, #map8, #map8], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%687, %62 : tensor<16x2x32x32xf32>, tensor<16x2x32x32xf32>) outs(%44 : tensor<16x2x32x32xf32>) {
    ^bb0(%in: f32, %in_246: f32, %out: f32):
      %741 = arith.mulf %in, %in_246 : f32
      linalg.yield %741 : f32
    } -> tensor<16x2x32x32xf32>
    %689 = linalg.generic {indexing_maps = [#map8, #map13], iterator_types = ["parallel", "parallel", "parallel", "reduction"]} ins(%688 : tensor<16x2x32x32xf32>) outs(%60 : tensor<16x2x32x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      %741 = arith.addf %in, %out : f32
      linalg.yield %741 : f32
    } -> tensor<16x2x32x1xf32>
    %690 = linalg.generic {indexing_maps = [#map8, #map13, #map8], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%62, %689 : tensor<16x2x32x32xf32>, tensor<16x2x32x1xf32>) outs(%44 : tensor<16x2x32x32xf32>) {
    ^bb0(%in: f32, %in_246: f32, %out: f32):
      %741 = arith.mulf %in, %in_246 : f32
      linalg.yield %741 : f32
    } -> tensor<16x2x32x32xf32>
    %691 = linalg.generic {indexing_maps = [#map8, #map8, #map8], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%688, %690 : tensor<16x2x32x32xf32>, tensor<16x2x32x32xf32>) outs(%44 : tensor<16x2x32x32xf32>) {
    ^bb0(%in: f32, %in_246: f32, %out: f32):
      %741 = arith.subf %in, %in_246 : f32
      linalg.yield %741 : f32
    } -> tensor<16x2x32x32xf32>
    %692 = linalg.generic {indexing_maps = [#map10, #map11, #map8, #map8], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%50, %cst_3, %691 : tensor<32x32xi1>, tensor<f32>, tensor<16x2x32x32xf32>) outs(%44 : tensor<16x2x32x32xf32>) {
    ^bb0(%in: i1, %in_246: f32, %in_247: f32, %out: f32):
      %741 = arith.select %in, %in_246, %in_247 : f32
      linalg.yield %741 : f32
    } -> tensor<16x2x32x32xf32>
    %693 = linalg.generic {indexing_maps = [#map8, #map8], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%692 : tensor<16x2x32x32xf32>) outs(%44 : tensor<16x2x32x32xf32>) {
    ^bb0(%in: f32, %out: f32):
      %741 = arith.truncf %cst_6 : f64 to f32
      %742 = arith.mulf %in, %741 : f32
      linalg.yield %742 : f32
    } -> tensor<16x2x32x32xf32>
    %694 = linalg.generic {indexing_maps = [#map8, #map8], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%693 : tensor<16x2x32x32xf32>) outs(%34 : tensor<16x2x32x32xbf16>) {
    ^bb0(%in: f32, %out: bf16):
      %741 = arith.truncf %in : f32 to bf16
      linalg.yield %741 : bf16
    } -> tensor<16x2x32x32xbf16>
    %collapsed_226 = tensor.collapse_shape %694 [[0, 1], [2], [3]] : tensor<16x2x32x32xbf16> into tensor<32x32x32xbf16>
    %transposed_227 = linalg.transpose ins(%collapsed_22 : tensor<32x32x32xbf16>) outs(%42 : tensor<32x32x32xbf16>) permutation = [0, 2, 1] 
    %695 = linalg.batch_matmul ins(%transposed_227, %collapsed_226 : tensor<32x32x32xbf16>, tensor<32x32x32xbf16>) outs(%40 : tensor<32x32x32xf32>) -> tensor<32x32x32xf32>
    %696 = linalg.generic {indexing_maps = [#map4, #map4], iterator_types = ["parallel", "parallel", "parallel"]} ins(%695 : tensor<32x32x32xf32>) outs(%42 : tensor<32x32x32xbf16>) {
    ^bb0(%in: f32, %out: bf16):
      %741 = arith.truncf %in : f32 to bf16
      linalg.yield %741 : bf16
    } -> tensor<32x32x32xbf16>
    %transposed_228 = linalg.transpose ins(%collapsed_23 : tensor<32x32x32xbf16>) outs(%42 : tensor<32x32x32xbf16>) permutation = [0, 2, 1] 
    %697 = linalg.batch_matmul ins(%collapsed_226, %transposed_228 : tensor<32x32x32xbf16>, tensor<32x32x32xbf16>) outs(%40 : tensor<32x32x32xf32>) -> tensor<32x32x32xf32>
    %698 = linalg.generic {indexing_maps = [#map4, #map4], iterator_types = ["parallel", "parallel", "parallel"]} ins(%697 : tensor<32x32x32xf32>) outs(%42 : tensor<32x32x32xbf16>) {
    ^bb0(%in: f32, %out: bf16):
      %741 = arith.truncf %in : f32 to bf16
      linalg.yield %741 : bf16
    } -> tensor<32x32x32xbf16>
    %expanded_229 = tensor.expand_shape %696 [[0, 1], [2], [3]] output_shape [16, 2, 32, 32] : tensor<32x32x32xbf16> into tensor<16x2x32x32xbf16>
    %expanded_230 = tensor.expand_shape %698 [[0, 1], [2], [3]] output_shape [16, 2, 32, 32] : tensor<32x32x32xbf16> into tensor<16x2x32x32xbf16>
    %transposed_231 = linalg.transpose ins(%expanded_224 : tensor<16x2x32x32xbf16>) outs(%66 : tensor<16x32x2x32xbf16>) permutation = [0, 2, 1, 3] 
    %collapsed_232 = tensor.collapse_shape %transposed_231 [[0, 1], [2, 3]] : tensor<16x32x2x32xbf16> into tensor<512x64xbf16>
    %transposed_233 = linalg.transpose ins(%collapsed_232 : tensor<512x64xbf16>) outs(%446 : tensor<64x512xbf16>) permutation = [1, 0] 
    %699 = linalg.matmul ins(%transposed_233, %collapsed_13 : tensor<64x512xbf16>, tensor<512x64xbf16>) outs(%448 : tensor<64x64xf32>) -> tensor<64x64xf32>
    %700 = linalg.generic {indexing_maps = [#map3, #map3], iterator_types = ["parallel", "parallel"]} ins(%699 : tensor<64x64xf32>) outs(%31 : tensor<64x64xbf16>) {
    ^bb0(%in: f32, %out: bf16):
      %741 = arith.truncf %in : f32 to bf16
      linalg.yield %741 : bf16
    } -> tensor<64x64xbf16>
    %701 = linalg.matmul ins(%collapsed_232, %arg5 : tensor<512x64xbf16>, tensor<64x64xbf16>) outs(%7 : tensor<512x64xf32>) -> tensor<512x64xf32>
    %702 = linalg.generic {indexing_maps = [#map3, #map3], iterator_types = ["parallel", "parallel"]} ins(%701 : tensor<512x64xf32>) outs(%9 : tensor<512x64xbf16>) {
    ^bb0(%in: f32, %out: bf16):
      %741 = arith.truncf %in : f32 to bf16
      linalg.yield %741 : bf16
    } -> tensor<512x64xbf16>
    %transposed_234 = linalg.transpose ins(%expanded_229 : tensor<16x2x32x32xbf16>) outs(%66 : tensor<16x32x2x32xbf16>) permutation = [0, 3, 1, 2] 
    %collapsed_235 = tensor.collapse_shape %transposed_234 [[0, 1], [2, 3]] : tensor<16x32x2x32xbf16> into tensor<512x64xbf16>
    %transposed_236 = linalg.transpose ins(%collapsed_235 : tensor<512x64xbf16>) outs(%446 : tensor<64x512xbf16>) permutation = [1, 0] 
    %703 = linalg.matmul ins(%transposed_236, %collapsed_13 : tensor<64x512xbf16>, tensor<512x64xbf16>) outs(%448 : tensor<64x64xf32>) -> tensor<64x64xf32>
    %704 = linalg.generic {indexing_maps = [#map3, #map3], iterator_types = ["parallel", "parallel"]} ins(%703 : tensor<64x64xf32>) outs(%31 : tensor<64x64xbf16>) {
    ^bb0(%in: f32, %out: bf16):
      %741 = arith.truncf %in : f32 to bf16
      linalg.yield %741 : bf16
    } -> tensor<64x64xbf16>
    %705 = linalg.matmul ins(%collapsed_235, %arg4 : tensor<512x64xbf16>, tensor<64x64xbf16>) outs(%7 : tensor<512x64xf32>) -> tensor<512x64xf32>
    %706 = linalg.generic {indexing_maps = [#map3, #map3], iterator_types = ["parallel", "parallel"]} ins(%705 : tensor<512x64xf32>) outs(%9 : tensor<512x64xbf16>) {
    ^bb0(%in: f32, %out: bf16):
      %741 = arith.truncf %in : f32 to bf16
      linalg.yield %741 : bf16
    } -> tensor<512x64xbf16>
    %707 = linalg.generic {indexing_maps = [#map3, #map3, #map3], iterator_types = ["parallel", "parallel"]} ins(%702, %706 : tensor<512x64xbf16>, tensor<512x64xbf16>) outs(%9 : tensor<512x64xbf16>) {
    ^bb0(%in: bf16, %in_246: bf16, %out: bf16):
      %741 = arith.addf %in, %in_246 : bf16
      linalg.yield %741 : bf16
    } -> tensor<512x64xbf16>
    %transposed_237 = linalg.transpose ins(%expanded_230 : tensor<16x2x32x32xbf16>) outs(%66 : tensor<16x32x2x32xbf16>) permutation = [0, 2, 1, 3] 
    %collapsed_238 = tensor.collapse_shape %transposed_237 [[0, 1], [2, 3]] : tensor<16x32x2x32xbf16> into tensor<512x64xbf16>
    %transposed_239 = linalg.transpose ins(%collapsed_238 : tensor<512x64xbf16>) outs(%446 : tensor<64x512xbf16>) permutation = [1, 0] 
    %708 = linalg.matmul ins(%transposed_239, %collapsed_13 : tensor<64x512xbf16>, tensor<512x64xbf16>) outs(%448 : tensor<64x64xf32>) -> tensor<64x64xf32>
    %709 = linalg.generic {indexing_maps = [#map3, #map3], iterator_types = ["parallel", "parallel"]} ins(%708 : tensor<64x64xf32>) outs(%31 : tensor<64x64xbf16>) {
    ^bb0(%in: f32, %out: bf16):
      %741 = arith.truncf %in : f32 to bf16
      linalg.yield %741 : bf16
    } -> tensor<64x64xbf16>
    %710 = linalg.matmul ins(%collapsed_238, %arg3 : tensor<512x64xbf16>, tensor<64x64xbf16>) outs(%7 : tensor<512x64xf32>) -> tensor<512x64xf32>
    %711 = linalg.generic {indexing_maps = [#map3, #map3], iterator_types = ["parallel", "parallel"]} ins(%710 : tensor<512x64xf32>) outs(%9 : tensor<512x64xbf16>) {
    ^bb0(%in: f32, %out: bf16):
      %741 = arith.truncf %in : f32 to bf16
      linalg.yield %741 : bf16
    } -> tensor<512x64xbf16>
    %712 = linalg.generic {indexing_maps = [#map3, #map3, #map3], iterator_types = ["parallel", "parallel"]} ins(%707, %711 : tensor<512x64xbf16>, tensor<512x64xbf16>) outs(%9 : tensor<512x64xbf16>) {
    ^bb0(%in: bf16, %in_246: bf16, %out: bf16):
      %741 = arith.addf %in, %in_246 : bf16
      linalg.yield %741 : bf16
    } -> tensor<512x64xbf16>
    %expanded_240 = tensor.expand_shape %712 [[0, 1], [2]] output_shape [16, 32, 64] : tensor<512x64xbf16> into tensor<16x32x64xbf16>
    %713 = linalg.generic {indexing_maps = [#map4, #map4], iterator_types = ["parallel", "parallel", "parallel"]} ins(%expanded_240 : tensor<16x32x64xbf16>) outs(%13 : tensor<16x32x64xf32>) {
    ^bb0(%in: bf16, %out: f32):
      %741 = arith.extf %in : bf16 to f32
      linalg.yield %741 : f32
    } -> tensor<16x32x64xf32>
    %714 = linalg.generic {indexing_maps = [#map4, #map4, #map4], iterator_types = ["parallel", "parallel", "parallel"]} ins(%713, %26 : tensor<16x32x64xf32>, tensor<16x32x64xf32>) outs(%13 : tensor<16x32x64xf32>) {
    ^bb0(%in: f32, %in_246: f32, %out: f32):
      %741 = arith.mulf %in, %in_246 : f32
      linalg.yield %741 : f32
    } -> tensor<16x32x64xf32>
    %715 = linalg.generic {indexing_maps = [#map4, #map7, #map4], iterator_types = ["parallel", "parallel", "parallel"]} ins(%713, %28 : tensor<16x32x64xf32>, tensor<64xf32>) outs(%13 : tensor<16x32x64xf32>) {
    ^bb0(%in: f32, %in_246: f32, %out: f32):
      %741 = arith.mulf %in, %in_246 : f32
      linalg.yield %741 : f32
    } -> tensor<16x32x64xf32>
    %716 = linalg.generic {indexing_maps = [#map4, #map19], iterator_types = ["reduction", "reduction", "parallel"]} ins(%714 : tensor<16x32x64xf32>) outs(%353 : tensor<1x1x64xf32>) {
    ^bb0(%in: f32, %out: f32):
      %741 = arith.addf %in, %out : f32
      linalg.yield %741 : f32
    } -> tensor<1x1x64xf32>
    %collapsed_241 = tensor.collapse_shape %716 [[0, 1, 2]] : tensor<1x1x64xf32> into tensor<64xf32>
    %717 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel"]} ins(%collapsed_241 : tensor<64xf32>) outs(%355 : tensor<64xbf16>) {
    ^bb0(%in: f32, %out: bf16):
      %741 = arith.truncf %in : f32 to bf16
      linalg.yield %741 : bf16
    } -> tensor<64xbf16>
    %718 = linalg.generic {indexing_maps = [#map4, #map4, #map4], iterator_types = ["parallel", "parallel", "parallel"]} ins(%715, %18 : tensor<16x32x64xf32>, tensor<16x32x64xf32>) outs(%13 : tensor<16x32x64xf32>) {
    ^bb0(%in: f32, %in_246: f32, %out: f32):
      %741 = arith.mulf %in, %in_246 : f32
      linalg.yield %741 : f32
    } -> tensor<16x32x64xf32>
    %719 = linalg.generic {indexing_maps = [#map4, #map6, #map4], iterator_types = ["parallel", "parallel", "parallel"]} ins(%715, %25 : tensor<16x32x64xf32>, tensor<16x32x1xf32>) outs(%13 : tensor<16x32x64xf32>) {
    ^bb0(%in: f32, %in_246: f32, %out: f32):
      %741 = arith.mulf %in, %in_246 : f32
      linalg.yield %741 : f32
    } -> tensor<16x32x64xf32>
    %720 = linalg.generic {indexing_maps = [#map4, #map6], iterator_types = ["parallel", "parallel", "reduction"]} ins(%718 : tensor<16x32x64xf32>) outs(%21 : tensor<16x32x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      %741 = arith.addf %in, %out : f32
      linalg.yield %741 : f32
    } -> tensor<16x32x1xf32>
    %721 = linalg.generic {indexing_maps = [#map4, #map4], iterator_types = ["parallel", "parallel", "parallel"]} ins(%25 : tensor<16x32x1xf32>) outs(%20 : tensor<16x32x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      %741 = math.fpowi %in, %c3_i64 : f32, i64
      linalg.yield %741 : f32
    } -> tensor<16x32x1xf32>
    %722 = linalg.generic {indexing_maps = [#map4, #map4], iterator_types = ["parallel", "parallel", "parallel"]} ins(%720 : tensor<16x32x1xf32>) outs(%20 : tensor<16x32x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      %741 = arith.mulf %in, %cst_11 : f32
      linalg.yield %741 : f32
    } -> tensor<16x32x1xf32>
    %723 = linalg.generic {indexing_maps = [#map4, #map4, #map4], iterator_types = ["parallel", "parallel", "parallel"]} ins(%722, %721 : tensor<16x32x1xf32>, tensor<16x32x1xf32>) outs(%20 : tensor<16x32x1xf32>) {
    ^bb0(%in: f32, %in_246: f32, %out: f32):
      %741 = arith.mulf %in, %in_246 : f32
      linalg.yield %741 : f32
    } -> tensor<16x32x1xf32>
    %collapsed_242 = tensor.collapse_shape %723 [[0], [1, 2]] : tensor<16x32x1xf32> into tensor<16x32xf32>
    %724 = linalg.generic {indexing_maps = [#map16, #map4], iterator_types = ["parallel", "parallel", "parallel"]} ins(%collapsed_242 : tensor<16x32xf32>) outs(%13 : tensor<16x32x64xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<16x32x64xf32>
    %725 = linalg.generic {indexing_maps = [#map4, #map4], iterator_types = ["parallel", "parallel", "parallel"]} ins(%724 : tensor<16x32x64xf32>) outs(%13 : tensor<16x32x64xf32>) {
    ^bb0(%in: f32, %out: f32):
      %741 = arith.divf %in, %cst_8 : f32
      linalg.yield %741 : f32
    } -> tensor<16x32x64xf32>
    %726 = linalg.generic {indexing_maps = [#map4, #map4], iterator_types = ["parallel", "parallel", "parallel"]} ins(%18 : tensor<16x32x64xf32>) outs(%13 : tensor<16x32x64xf32>) {
    ^bb0(%in: f32, %out: f32):
      %741 = math.fpowi %in, %c1_i64 : f32, i64
      linalg.yield %741 : f32
    } -> tensor<16x32x64xf32>
    %727 = linalg.generic {indexing_maps = [#map4, #map4], iterator_types = ["parallel", "parallel", "parallel"]} ins(%726 : tensor<16x32x64xf32>) outs(%13 : tensor<16x32x64xf32>) {
    ^bb0(%in: f32, %out: f32):
      %741 = arith.mulf %in, %cst_9 : f32
      linalg.yield %741 : f32
    } -> tensor<16x32x64xf32>
    %728 = linalg.generic {indexing_maps = [#map4, #map4, #map4], iterator_types = ["parallel", "parallel", "parallel"]} ins(%725, %727 : tensor<16x32x64xf32>, tensor<16x32x64xf32>) outs(%13 : tensor<16x32x64xf32>) {
    ^bb0(%in: f32, %in_246: f32, %out: f32):
      %741 = arith.mulf %in, %in_246 : f32
      linalg.yield %741 : f32
    } -> tensor<16x32x64xf32>
    %729 = linalg.generic {indexing_maps = [#map4, #map4, #map4], iterator_types = ["parallel", "parallel", "parallel"]} ins(%719, %728 : tensor<16x32x64xf32>, tensor<16x32x64xf32>) outs(%13 : tensor<16x32x64xf32>) {
    ^bb0(%in: f32, %in_246: f32, %out: f32):
      %741 = arith.addf %in, %in_246 : f32
      linalg.yield %741 : f32
    } -> tensor<16x32x64xf32>
    %730 = linalg.generic {indexing_maps = [#map4, #map4], iterator_types = ["parallel", "parallel", "parallel"]} ins(%729 : tensor<16x32x64xf32>) outs(%16 : tensor<16x32x64xbf16>) {
    ^bb0(%in: f32, %out: bf16):
      %741 = arith.truncf %in : f32 to bf16
      linalg.yield %741 : bf16
    } -> tensor<16x32x64xbf16>
    %731 = linalg.generic {indexing_maps = [#map4, #map4, #map4], iterator_types = ["parallel", "parallel", "parallel"]} ins(%678, %730 : tensor<16x32x64xbf16>, tensor<16x32x64xbf16>) outs(%16 : tensor<16x32x64xbf16>) {
    ^bb0(%in: bf16, %in_246: bf16, %out: bf16):
      %741 = arith.addf %in, %in_246 : bf16
      linalg.yield %741 : bf16
    } -> tensor<16x32x64xbf16>
    %732 = linalg.generic {indexing_maps = [#map4, #map4], iterator_types = ["parallel", "parallel", "parallel"]} ins(%731 : tensor<16x32x64xbf16>) outs(%13 : tensor<16x32x64xf32>) {
    ^bb0(%in: bf16, %out: f32):
      %741 = arith.extf %in : bf16 to f32
      linalg.yield %741 : f32
    } -> tensor<16x32x64xf32>
    %733 = tensor.empty() : tensor<1x32x64xf32>
    %734 = linalg.fill ins(%cst : f32) outs(%733 : tensor<1x32x64xf32>) -> tensor<1x32x64xf32>
    %735 = linalg.generic {indexing_maps = [#map4, #map20], iterator_types = ["reduction", "parallel", "parallel"]} ins(%732 : tensor<16x32x64xf32>) outs(%734 : tensor<1x32x64xf32>) {
    ^bb0(%in: f32, %out: f32):
      %741 = arith.addf %in, %out : f32
      linalg.yield %741 : f32
    } -> tensor<1x32x64xf32>
    %collapsed_243 = tensor.collapse_shape %735 [[0, 1], [2]] : tensor<1x32x64xf32> into tensor<32x64xf32>
    %736 = linalg.generic {indexing_maps = [#map4, #map4], iterator_types = ["parallel", "parallel", "parallel"]} ins(%732 : tensor<16x32x64xf32>) outs(%16 : tensor<16x32x64xbf16>) {
    ^bb0(%in: f32, %out: bf16):
      %741 = arith.truncf %in : f32 to bf16
      linalg.yield %741 : bf16
    } -> tensor<16x32x64xbf16>
    %collapsed_244 = tensor.collapse_shape %736 [[0, 1], [2]] : tensor<16x32x64xbf16> into tensor<512x64xbf16>
    %737 = tensor.empty() : tensor<32x64xbf16>
    %738 = linalg.generic {indexing_maps = [#map3, #map3], iterator_types = ["parallel", "parallel"]} ins(%collapsed_243 : tensor<32x64xf32>) outs(%737 : tensor<32x64xbf16>) {
    ^bb0(%in: f32, %out: bf16):
      %741 = arith.truncf %in : f32 to bf16
      linalg.yield %741 : bf16
    } -> tensor<32x64xbf16>
    %transposed_245 = linalg.transpose ins(%5 : tensor<512x16xbf16>) outs(%341 : tensor<16x512xbf16>) permutation = [1, 0] 
    %739 = linalg.matmul ins(%transposed_245, %collapsed_244 : tensor<16x512xbf16>, tensor<512x64xbf16>) outs(%343 : tensor<16x64xf32>) -> tensor<16x64xf32>
    %740 = linalg.generic {indexing_maps = [#map3, #map3], iterator_types = ["parallel", "parallel"]} ins(%739 : tensor<16x64xf32>) outs(%345 : tensor<16x64xbf16>) {
    ^bb0(%in: f32, %out: bf16):
      %741 = arith.truncf %in : f32 to bf16
      linalg.yield %741 : bf16
    } -> tensor<16x64xbf16>
    return %330, %740, %738, %717, %709, %704, %700, %680, %664, %656, %transposed_210, %transposed_207, %602, %594, %589, %585, %565, %549, %541, %transposed_170, %transposed_167, %487, %479, %474, %470, %450, %431, %423, %transposed_130, %transposed_128, %356, %346 : tensor<f32>, tensor<16x64xbf16>, tensor<32x64xbf16>, tensor<64xbf16>, tensor<64x64xbf16>, tensor<64x64xbf16>, tensor<64x64xbf16>, tensor<64x64xbf16>, tensor<64xbf16>, tensor<4x64xbf16>, tensor<4x128x64xbf16>, tensor<4x64x64xbf16>, tensor<64xbf16>, tensor<64x64xbf16>, tensor<64x64xbf16>, tensor<64x64xbf16>, tensor<64x64xbf16>, tensor<64xbf16>, tensor<4x64xbf16>, tensor<4x128x64xbf16>, tensor<4x64x64xbf16>, tensor<64xbf16>, tensor<64x64xbf16>, tensor<64x64xbf16>, tensor<64x64xbf16>, tensor<64x64xbf16>, tensor<64xbf16>, tensor<4x64xbf16>, tensor<4x128x64xbf16>, tensor<4x64x64xbf16>, tensor<64xbf16>, tensor<16x64xbf16>
  }
}
