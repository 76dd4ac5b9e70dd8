#map = affine_map<()[s0] -> (s0 * 32)>
#map1 = affine_map<(d0) -> (d0)>
#map2 = affine_map<(d0, d1) -> (d0, 0)>
#map3 = affine_map<(d0, d1) -> (d1)>
#map4 = affine_map<(d0, d1) -> (d0, d1)>
#map5 = affine_map<(d0, d1, d2) -> (d0, d1, d2)>
#map6 = affine_map<(d0, d1, d2) -> (d1, d2)>
#map7 = affine_map<(d0, d1, d2) -> (d0, d1, 0)>
#map8 = affine_map<(d0, d1, d2) -> (d2)>
#map9 = affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, d3)>
#map10 = affine_map<()[s0] -> (s0 * 2)>
#map11 = affine_map<(d0, d1) -> (0, d1)>
#map12 = affine_map<(d0, d1, d2, d3) -> (d2, d3)>
#map13 = affine_map<(d0, d1, d2, d3) -> ()>
#map14 = affine_map<(d0, d1, d2, d3) -> (d0, d1, d2)>
#map15 = affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, 0)>
#map16 = affine_map<(d0, d1) -> (d0)>
#map17 = affine_map<(d0, d1, d2) -> (d0, 0, d2)>
#map18 = affine_map<(d0, d1, d2) -> (d0, d1)>
module {
  func.func @main(%arg0: tensor<16x64xbf16>, %arg1: tensor<32x64xbf16>, %arg2: tensor<64xbf16>, %arg3: tensor<64x64xbf16>, %arg4: tensor<64x64xbf16>, %arg5: tensor<64x64xbf16>, %arg6: tensor<64x64xbf16>, %arg7: tensor<64xbf16>, %arg8: tensor<4x64xbf16>, %arg9: tensor<4x128x64xbf16>, %arg10: tensor<4x64x64xbf16>, %arg11: tensor<64xbf16>, %arg12: tensor<64x64xbf16>, %arg13: tensor<64x64xbf16>, %arg14: tensor<64x64xbf16>, %arg15: tensor<64x64xbf16>, %arg16: tensor<64xbf16>, %arg17: tensor<4x64xbf16>, %arg18: tensor<4x128x64xbf16>, %arg19: tensor<4x64x64xbf16>, %arg20: tensor<64xbf16>, %arg21: tensor<64x64xbf16>, %arg22: tensor<64x64xbf16>, %arg23: tensor<64x64xbf16>, %arg24: tensor<64x64xbf16>, %arg25: tensor<64xbf16>, %arg26: tensor<4x64xbf16>, %arg27: tensor<4x128x64xbf16>, %arg28: tensor<4x64x64xbf16>, %arg29: tensor<64xbf16>, %arg30: tensor<16x64xbf16>, %arg31: tensor<?x32xi64>) -> tensor<?x32x16xbf16> {
    %c2_i64 = arith.constant 2 : i64
    %c0_i64 = arith.constant 0 : i64
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c32 = arith.constant 32 : index
    %cst = arith.constant 0.000000e+00 : f32
    %c2 = arith.constant 2 : index
    %cst_0 = arith.constant 0xFF800000 : f32
    %cst_1 = arith.constant 1.000000e+00 : f32
    %cst_2 = arith.constant dense<0xFF800000> : tensor<f32>
    %cst_3 = arith.constant 0.17677669529663689 : f64
    %cst_4 = arith.constant 1.000000e-05 : f64
    %cst_5 = arith.constant 6.400000e+01 : f32
    %cst_6 = arith.constant 2.000000e+00 : f32
    %dim = tensor.dim %arg31, %c0 : tensor<?x32xi64>
    %0 = arith.index_cast %dim : index to i64
    %collapsed = tensor.collapse_shape %arg31 [[0, 1]] : tensor<?x32xi64> into tensor<?xi64>
    %1 = affine.apply #map()[%dim]
    %expanded = tensor.expand_shape %collapsed [[0, 1]] output_shape [%1, 1] : tensor<?xi64> into tensor<?x1xi64>
    %2 = tensor.empty() : tensor<16xi64>
    %3 = linalg.generic {indexing_maps = [#map1], iterator_types = ["parallel"]} outs(%2 : tensor<16xi64>) {
    ^bb0(%out: i64):
      %343 = linalg.index 0 : index
      %344 = arith.index_cast %343 : index to i64
      linalg.yield %344 : i64
    } -> tensor<16xi64>
    %4 = tensor.empty(%1) : tensor<?x16xi1>
    %5 = linalg.generic {indexing_maps = [#map2, #map3, #map4], iterator_types = ["parallel", "parallel"]} ins(%expanded, %3 : tensor<?x1xi64>, tensor<16xi64>) outs(%4 : tensor<?x16xi1>) {
    ^bb0(%in: i64, %in_112: i64, %out: i1):
      %343 = arith.cmpi eq, %in, %in_112 : i64
      linalg.yield %343 : i1
    } -> tensor<?x16xi1>
    %6 = tensor.empty(%1) : tensor<?x16xbf16>
    %7 = linalg.generic {indexing_maps = [#map4, #map4], iterator_types = ["parallel", "parallel"]} ins(%5 : tensor<?x16xi1>) outs(%6 : tensor<?x16xbf16>) {
    ^bb0(%in: i1, %out: bf16):
      %343 = arith.uitofp %in : i1 to bf16
      linalg.yield %343 : bf16
    } -> tensor<?x16xbf16>
    %8 = tensor.empty(%1) : tensor<?x64xf32>
    %9 = linalg.fill ins(%cst : f32) outs(%8 : tensor<?x64xf32>) -> tensor<?x64xf32>
    %10 = linalg.matmul ins(%7, %arg0 : tensor<?x16xbf16>, tensor<16x64xbf16>) outs(%9 : tensor<?x64xf32>) -> tensor<?x64xf32>
    %11 = tensor.empty(%1) : tensor<?x64xbf16>
    %12 = linalg.generic {indexing_maps = [#map4, #map4], iterator_types = ["parallel", "parallel"]} ins(%10 : tensor<?x64xf32>) outs(%11 : tensor<?x64xbf16>) {
    ^bb0(%in: f32, %out: bf16):
      %343 = arith.truncf %in : f32 to bf16
      linalg.yield %343 : bf16
    } -> tensor<?x64xbf16>
    %13 = tensor.empty() : tensor<32x64xf32>
    %14 = linalg.generic {indexing_maps = [#map4, #map4], iterator_types = ["parallel", "parallel"]} ins(%arg1 : tensor<32x64xbf16>) outs(%13 : tensor<32x64xf32>) {
    ^bb0(%in: bf16, %out: f32):
      %343 = arith.extf %in : bf16 to f32
      linalg.yield %343 : f32
    } -> tensor<32x64xf32>
    %15 = arith.divsi %1, %c32 : index
    %expanded_7 = tensor.expand_shape %12 [[0, 1], [2]] output_shape [%15, 32, 64] : tensor<?x64xbf16> into tensor<?x32x64xbf16>
    %16 = tensor.empty(%15) : tensor<?x32x64xf32>
    %17 = linalg.generic {indexing_maps = [#map5, #map5], iterator_types = ["parallel", "parallel", "parallel"]} ins(%expanded_7 : tensor<?x32x64xbf16>) outs(%16 : tensor<?x32x64xf32>) {
    ^bb0(%in: bf16, %out: f32):
      %343 = arith.extf %in : bf16 to f32
      linalg.yield %343 : f32
    } -> tensor<?x32x64xf32>
    %18 = linalg.generic {indexing_maps = [#map5, #map6, #map5], iterator_types = ["parallel", "parallel", "parallel"]} ins(%17, %14 : tensor<?x32x64xf32>, tensor<32x64xf32>) outs(%16 : tensor<?x32x64xf32>) {
    ^bb0(%in: f32, %in_112: f32, %out: f32):
      %343 = arith.addf %in, %in_112 : f32
      linalg.yield %343 : f32
    } -> tensor<?x32x64xf32>
    %19 = tensor.empty(%15) : tensor<?x32x64xbf16>
    %20 = linalg.generic {indexing_maps = [#map5, #map5], iterator_types = ["parallel", "parallel", "parallel"]} ins(%18 : tensor<?x32x64xf32>) outs(%19 : tensor<?x32x64xbf16>) {
    ^bb0(%in: f32, %out: bf16):
      %343 = arith.truncf %in : f32 to bf16
      linalg.yield %343 : bf16
    } -> tensor<?x32x64xbf16>
    %21 = linalg.generic {indexing_maps = [#map5, #map5], iterator_types = ["parallel", "parallel", "parallel"]} ins(%20 : tensor<?x32x64xbf16>) outs(%16 : tensor<?x32x64xf32>) {
    ^bb0(%in: bf16, %out: f32):
      %343 = arith.extf %in : bf16 to f32
      linalg.yield %343 : f32
    } -> tensor<?x32x64xf32>
    %22 = linalg.generic {indexing_maps = [#map5, #map5], iterator_types = ["parallel", "parallel", "parallel"]} ins(%21 : tensor<?x32x64xf32>) outs(%16 : tensor<?x32x64xf32>) {
    ^bb0(%in: f32, %out: f32):
      %343 = math.fpowi %in, %c2_i64 : f32, i64
      linalg.yield %343 : f32
    } -> tensor<?x32x64xf32>
    %23 = tensor.empty(%15) : tensor<?x32x1xf32>
    %24 = linalg.fill ins(%cst : f32) outs(%23 : tensor<?x32x1xf32>) -> tensor<?x32x1xf32>
    %25 = linalg.generic {indexing_maps = [#map5, #map7], iterator_types = ["parallel", "parallel", "reduction"]} ins(%22 : tensor<?x32x64xf32>) outs(%24 : tensor<?x32x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      %343 = arith.addf %in, %out : f32
      linalg.yield %343 : f32
    } -> tensor<?x32x1xf32>
    %26 = linalg.generic {indexing_maps = [#map5, #map5], iterator_types = ["parallel", "parallel", "parallel"]} ins(%25 : tensor<?x32x1xf32>) outs(%23 : tensor<?x32x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      %343 = arith.divf %in, %cst_5 : f32
      linalg.yield %343 : f32
    } -> tensor<?x32x1xf32>
    %27 = linalg.generic {indexing_maps = [#map5, #map5], iterator_types = ["parallel", "parallel", "parallel"]} ins(%26 : tensor<?x32x1xf32>) outs(%23 : tensor<?x32x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      %343 = arith.truncf %cst_4 : f64 to f32
      %344 = arith.addf %in, %343 : f32
      linalg.yield %344 : f32
    } -> tensor<?x32x1xf32>
    %28 = linalg.generic {indexing_maps = [#map5, #map5], iterator_types = ["parallel", "parallel", "parallel"]} ins(%27 : tensor<?x32x1xf32>) outs(%23 : tensor<?x32x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      %343 = math.rsqrt %in : f32
      linalg.yield %343 : f32
    } -> tensor<?x32x1xf32>
    %29 = linalg.generic {indexing_maps = [#map5, #map7, #map5], iterator_types = ["parallel", "parallel", "parallel"]} ins(%21, %28 : tensor<?x32x64xf32>, tensor<?x32x1xf32>) outs(%16 : tensor<?x32x64xf32>) {
    ^bb0(%in: f32, %in_112: f32, %out: f32):
      %343 = arith.mulf %in, %in_112 : f32
      linalg.yield %343 : f32
    } -> tensor<?x32x64xf32>
    %30 = tensor.empty() : tensor<64xf32>
    %31 = linalg.generic {indexing_maps = [#map1, #map1], iterator_types = ["parallel"]} ins(%arg2 : tensor<64xbf16>) outs(%30 : tensor<64xf32>) {
    ^bb0(%in: bf16, %out: f32):
      %343 = arith.extf %in : bf16 to f32
      linalg.yield %343 : f32
    } -> tensor<64xf32>
    %32 = linalg.generic {indexing_maps = [#map5, #map8, #map5], iterator_types = ["parallel", "parallel", "parallel"]} ins(%29, %31 : tensor<?x32x64xf32>, tensor<64xf32>) outs(%16 : tensor<?x32x64xf32>) {
    ^bb0(%in: f32, %in_112: f32, %out: f32):
      %343 = arith.mulf %in, %in_112 : f32
      linalg.yield %343 : f32
    } -> tensor<?x32x64xf32>
    %33 = linalg.generic {indexing_maps = [#map5, #map5], iterator_types = ["parallel", "parallel", "parallel"]} ins(%32 : tensor<?x32x64xf32>) outs(%19 : tensor<?x32x64xbf16>) {
    ^bb0(%in: f32, %out: bf16):
      %343 = arith.truncf %in : f32 to bf16
      linalg.yield %343 : bf16
    } -> tensor<?x32x64xbf16>
    %collapsed_8 = tensor.collapse_shape %33 [[0, 1], [2]] : tensor<?x32x64xbf16> into tensor<?x64xbf16>
    %34 = tensor.empty() : tensor<64x64xbf16>
    %transposed = linalg.transpose ins(%arg3 : tensor<64x64xbf16>) outs(%34 : tensor<64x64xbf16>) permutation = [1, 0] 
    %35 = affine.apply #map()[%15]
    %36 = tensor.empty(%35) : tensor<?x64xf32>
    %37 = linalg.fill ins(%cst : f32) outs(%36 : tensor<?x64xf32>) -> tensor<?x64xf32>
    %38 = linalg.matmul ins(%collapsed_8, %transposed : tensor<?x64xbf16>, tensor<64x64xbf16>) outs(%37 : tensor<?x64xf32>) -> tensor<?x64xf32>
    %39 = tensor.empty(%35) : tensor<?x64xbf16>
    %40 = linalg.generic {indexing_maps = [#map4, #map4], iterator_types = ["parallel", "parallel"]} ins(%38 : tensor<?x64xf32>) outs(%39 : tensor<?x64xbf16>) {
    ^bb0(%in: f32, %out: bf16):
      %343 = arith.truncf %in : f32 to bf16
      linalg.yield %343 : bf16
    } -> tensor<?x64xbf16>
    %41 = arith.divsi %35, %c32 : index
    %expanded_9 = tensor.expand_shape %40 [[0, 1], [2, 3]] output_shape [%41, 32, 2, 32] : tensor<?x64xbf16> into tensor<?x32x2x32xbf16>
    %42 = tensor.empty(%41) : tensor<?x2x32x32xbf16>
    %transposed_10 = linalg.transpose ins(%expanded_9 : tensor<?x32x2x32xbf16>) outs(%42 : tensor<?x2x32x32xbf16>) permutation = [0, 2, 1, 3] 
    %transposed_11 = linalg.transpose ins(%arg4 : tensor<64x64xbf16>) outs(%34 : tensor<64x64xbf16>) permutation = [1, 0] 
    %43 = linalg.matmul ins(%collapsed_8, %transposed_11 : tensor<?x64xbf16>, tensor<64x64xbf16>) outs(%37 : tensor<?x64xf32>) -> tensor<?x64xf32>
    %44 = linalg.generic {indexing_maps = [#map4, #map4], iterator_types = ["parallel", "parallel"]} ins(%43 : tensor<?x64xf32>) outs(%39 : tensor<?x64xbf16>) {
    ^bb0(%in: f32, %out: bf16):
      %343 = arith.truncf %in : f32 to bf16
      linalg.yield %343 : bf16
    } -> tensor<?x64xbf16>
    %expanded_12 = tensor.expand_shape %44 [[0, 1], [2, 3]] output_shape [%41, 32, 2, 32] : tensor<?x64xbf16> into tensor<?x32x2x32xbf16>
    %transposed_13 = linalg.transpose ins(%arg5 : tensor<64x64xbf16>) outs(%34 : tensor<64x64xbf16>) permutation = [1, 0] 
    %45 = linalg.matmul ins(%collapsed_8, %transposed_13 : tensor<?x64xbf16>, tensor<64x64xbf16>) outs(%37 : tensor<?x64xf32>) -> tensor<?x64xf32>
    %46 = linalg.generic {indexing_maps = [#map4, #map4], iterator_types = ["parallel", "parallel"]} ins(%45 : tensor<?x64xf32>) outs(%39 : tensor<?x64xbf16>) {
    ^bb0(%in: f32, %out: bf16):
      %343 = arith.truncf %in : f32 to bf16
      linalg.yield %343 : bf16
    } -> tensor<?x64xbf16>
    %expanded_14 = tensor.expand_shape %46 [[0, 1], [2, 3]] output_shape [%41, 32, 2, 32] : tensor<?x64xbf16> into tensor<?x32x2x32xbf16>
    %transposed_15 = linalg.transpose ins(%expanded_14 : tensor<?x32x2x32xbf16>) outs(%42 : tensor<?x2x32x32xbf16>) permutation = [0, 2, 1, 3] 
    %transposed_16 = linalg.transpose ins(%expanded_12 : tensor<?x32x2x32xbf16>) outs(%42 : tensor<?x2x32x32xbf16>) permutation = [0, 2, 3, 1] 
    %47 = arith.cmpi sge, %0, %c0_i64 : i64
    cf.assert %47, "unimplemented: dynamic negative broadcast sizes"
    %48 = tensor.empty(%dim) : tensor<?x2x32x32xbf16>
    %49 = linalg.generic {indexing_maps = [#map9], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} outs(%48 : tensor<?x2x32x32xbf16>) {
    ^bb0(%out: bf16):
      %343 = linalg.index 0 : index
      %344 = linalg.index 1 : index
      %345 = linalg.index 2 : index
      %346 = linalg.index 3 : index
      %347 = arith.cmpi eq, %41, %c1 : index
      %348 = arith.select %347, %c0, %343 : index
      %extracted = tensor.extract %transposed_10[%348, %344, %345, %346] : tensor<?x2x32x32xbf16>
      linalg.yield %extracted : bf16
    } -> tensor<?x2x32x32xbf16>
    %collapsed_17 = tensor.collapse_shape %49 [[0, 1], [2], [3]] : tensor<?x2x32x32xbf16> into tensor<?x32x32xbf16>
    cf.assert %47, "unimplemented: dynamic negative broadcast sizes"
    %50 = linalg.generic {indexing_maps = [#map9], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} outs(%48 : tensor<?x2x32x32xbf16>) {
    ^bb0(%out: bf16):
      %343 = linalg.index 0 : index
      %344 = linalg.index 1 : index
      %345 = linalg.index 2 : index
      %346 = linalg.index 3 : index
      %347 = arith.cmpi eq, %41, %c1 : index
      %348 = arith.select %347, %c0, %343 : index
      %extracted = tensor.extract %transposed_16[%348, %344, %345, %346] : tensor<?x2x32x32xbf16>
      linalg.yield %extracted : bf16
    } -> tensor<?x2x32x32xbf16>
    %collapsed_18 = tensor.collapse_shape %50 [[0, 1], [2], [3]] : tensor<?x2x32x32xbf16> into tensor<?x32x32xbf16>
    %51 = affine.apply #map10()[%dim]
    %52 = tensor.empty(%51) : tensor<?x32x32xf32>
    %53 = linalg.fill ins(%cst : f32) outs(%52 : tensor<?x32x32xf32>) -> tensor<?x32x32xf32>
    %54 = linalg.batch_matmul ins(%collapsed_17, %collapsed_18 : tensor<?x32x32xbf16>, tensor<?x32x32xbf16>) outs(%53 : tensor<?x32x32xf32>) -> tensor<?x32x32xf32>
    %55 = tensor.empty(%51) : tensor<?x32x32xbf16>
    %56 = linalg.generic {indexing_maps = [#map5, #map5], iterator_types = ["parallel", "parallel", "parallel"]} ins(%54 : tensor<?x32x32xf32>) outs(%55 : tensor<?x32x32xbf16>) {
    ^bb0(%in: f32, %out: bf16):
      %343 = arith.truncf %in : f32 to bf16
      linalg.yield %343 : bf16
    } -> tensor<?x32x32xbf16>
    %57 = arith.divsi %51, %c2 : index
    %expanded_19 = tensor.expand_shape %56 [[0, 1], [2], [3]] output_shape [%57, 2, 32, 32] : tensor<?x32x32xbf16> into tensor<?x2x32x32xbf16>
    %58 = tensor.empty(%57) : tensor<?x2x32x32xf32>
    %59 = linalg.generic {indexing_maps = [#map9, #map9], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%expanded_19 : tensor<?x2x32x32xbf16>) outs(%58 : tensor<?x2x32x32xf32>) {
    ^bb0(%in: bf16, %out: f32):
      %343 = arith.extf %in : bf16 to f32
      linalg.yield %343 : f32
    } -> tensor<?x2x32x32xf32>
    %60 = linalg.generic {indexing_maps = [#map9, #map9], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%59 : tensor<?x2x32x32xf32>) outs(%58 : tensor<?x2x32x32xf32>) {
    ^bb0(%in: f32, %out: f32):
      %343 = arith.truncf %cst_3 : f64 to f32
      %344 = arith.mulf %in, %343 : f32
      linalg.yield %344 : f32
    } -> tensor<?x2x32x32xf32>
    %61 = tensor.empty() : tensor<32xi64>
    %62 = linalg.generic {indexing_maps = [#map1], iterator_types = ["parallel"]} outs(%61 : tensor<32xi64>) {
    ^bb0(%out: i64):
      %343 = linalg.index 0 : index
      %344 = arith.index_cast %343 : index to i64
      linalg.yield %344 : i64
    } -> tensor<32xi64>
    %expanded_20 = tensor.expand_shape %62 [[0, 1]] output_shape [1, 32] : tensor<32xi64> into tensor<1x32xi64>
    %expanded_21 = tensor.expand_shape %62 [[0, 1]] output_shape [32, 1] : tensor<32xi64> into tensor<32x1xi64>
    %63 = tensor.empty() : tensor<32x32xi1>
    %64 = linalg.generic {indexing_maps = [#map11, #map2, #map4], iterator_types = ["parallel", "parallel"]} ins(%expanded_20, %expanded_21 : tensor<1x32xi64>, tensor<32x1xi64>) outs(%63 : tensor<32x32xi1>) {
    ^bb0(%in: i64, %in_112: i64, %out: i1):
      %343 = arith.cmpi sgt, %in, %in_112 : i64
      linalg.yield %343 : i1
    } -> tensor<32x32xi1>
    %65 = linalg.generic {indexing_maps = [#map12, #map13, #map9, #map9], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%64, %cst_2, %60 : tensor<32x32xi1>, tensor<f32>, tensor<?x2x32x32xf32>) outs(%58 : tensor<?x2x32x32xf32>) {
    ^bb0(%in: i1, %in_112: f32, %in_113: f32, %out: f32):
      %343 = arith.select %in, %in_112, %in_113 : f32
      linalg.yield %343 : f32
    } -> tensor<?x2x32x32xf32>
    %66 = tensor.empty(%57) : tensor<?x2x32xi64>
    %67 = linalg.fill ins(%c0_i64 : i64) outs(%66 : tensor<?x2x32xi64>) -> tensor<?x2x32xi64>
    %68 = tensor.empty(%57) : tensor<?x2x32xf32>
    %69 = linalg.fill ins(%cst_0 : f32) outs(%68 : tensor<?x2x32xf32>) -> tensor<?x2x32xf32>
    %70:2 = linalg.generic {indexing_maps = [#map9, #map14, #map14], iterator_types = ["parallel", "parallel", "parallel", "reduction"]} ins(%65 : tensor<?x2x32x32xf32>) outs(%69, %67 : tensor<?x2x32xf32>, tensor<?x2x32xi64>) {
    ^bb0(%in: f32, %out: f32, %out_112: i64):
      %343 = linalg.index 3 : index
      %344 = arith.index_cast %343 : index to i64
      %345 = arith.maximumf %in, %out : f32
      %346 = arith.cmpf ogt, %in, %out : f32
      %347 = arith.select %346, %344, %out_112 : i64
      linalg.yield %345, %347 : f32, i64
    } -> (tensor<?x2x32xf32>, tensor<?x2x32xi64>)
    %expanded_22 = tensor.expand_shape %70#0 [[0], [1], [2, 3]] output_shape [%57, 2, 32, 1] : tensor<?x2x32xf32> into tensor<?x2x32x1xf32>
    %71 = linalg.generic {indexing_maps = [#map9, #map15, #map9], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%65, %expanded_22 : tensor<?x2x32x32xf32>, tensor<?x2x32x1xf32>) outs(%58 : tensor<?x2x32x32xf32>) {
    ^bb0(%in: f32, %in_112: f32, %out: f32):
      %343 = arith.subf %in, %in_112 : f32
      linalg.yield %343 : f32
    } -> tensor<?x2x32x32xf32>
    %72 = linalg.generic {indexing_maps = [#map9, #map9], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%71 : tensor<?x2x32x32xf32>) outs(%58 : tensor<?x2x32x32xf32>) {
    ^bb0(%in: f32, %out: f32):
      %343 = math.exp %in : f32
      linalg.yield %343 : f32
    } -> tensor<?x2x32x32xf32>
    %73 = tensor.empty(%57) : tensor<?x2x32x1xf32>
    %74 = linalg.fill ins(%cst : f32) outs(%73 : tensor<?x2x32x1xf32>) -> tensor<?x2x32x1xf32>
    %75 = linalg.generic {indexing_maps = [#map9, #map15], iterator_types = ["parallel", "parallel", "parallel", "reduction"]} ins(%72 : tensor<?x2x32x32xf32>) outs(%74 : tensor<?x2x32x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      %343 = arith.addf %in, %out : f32
      linalg.yield %343 : f32
    } -> tensor<?x2x32x1xf32>
    %76 = linalg.generic {indexing_maps = [#map9, #map15, #map9], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%72, %75 : tensor<?x2x32x32xf32>, tensor<?x2x32x1xf32>) outs(%58 : tensor<?x2x32x32xf32>) {
    ^bb0(%in: f32, %in_112: f32, %out: f32):
      %343 = arith.divf %in, %in_112 : f32
      linalg.yield %343 : f32
    } -> tensor<?x2x32x32xf32>
    %77 = tensor.empty(%57) : tensor<?x2x32x32xbf16>
    %78 = linalg.generic {indexing_maps = [#map9, #map9], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%76 : tensor<?x2x32x32xf32>) outs(%77 : tensor<?x2x32x32xbf16>) {
    ^bb0(%in: f32, %out: bf16):
      %343 = arith.truncf %in : f32 to bf16
      linalg.yield %343 : bf16
    } -> tensor<?x2x32x32xbf16>
    cf.assert %47, "unimplemented: dynamic negative broadcast sizes"
    %79 = linalg.generic {indexing_maps = [#map9], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} outs(%48 : tensor<?x2x32x32xbf16>) {
    ^bb0(%out: bf16):
      %343 = linalg.index 0 : index
      %344 = linalg.index 1 : index
      %345 = linalg.index 2 : index
      %346 = linalg.index 3 : index
      %347 = arith.cmpi eq, %57, %c1 : index
      %348 = arith.select %347, %c0, %343 : index
      %extracted = tensor.extract %78[%348, %344, %345, %346] : tensor<?x2x32x32xbf16>
      linalg.yield %extracted : bf16
    } -> tensor<?x2x32x32xbf16>
    %collapsed_23 = tensor.collapse_shape %79 [[0, 1], [2], [3]] : tensor<?x2x32x32xbf16> into tensor<?x32x32xbf16>
    cf.assert %47, "unimplemented: dynamic negative broadcast sizes"
    %80 = linalg.generic {indexing_maps = [#map9], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} outs(%48 : tensor<?x2x32x32xbf16>) {
    ^bb0(%out: bf16):
      %343 = linalg.index 0 : index
      %344 = linalg.index 1 : index
      %345 = linalg.index 2 : index
      %346 = linalg.index 3 : index
      %347 = arith.cmpi eq, %41, %c1 : index
      %348 = arith.select %347, %c0, %343 : index
      %extracted = tensor.extract %transposed_15[%348, %344, %345, %346] : tensor<?x2x32x32xbf16>
      linalg.yield %extracted : bf16
    } -> tensor<?x2x32x32xbf16>
    %collapsed_24 = tensor.collapse_shape %80 [[0, 1], [2], [3]] : tensor<?x2x32x32xbf16> into tensor<?x32x32xbf16>
    %81 = linalg.batch_matmul ins(%collapsed_23, %collapsed_24 : tensor<?x32x32xbf16>, tensor<?x32x32xbf16>) outs(%53 : tensor<?x32x32xf32>) -> tensor<?x32x32xf32>
    %82 = linalg.generic {indexing_maps = [#map5, #map5], iterator_types = ["parallel", "parallel", "parallel"]} ins(%81 : tensor<?x32x32xf32>) outs(%55 : tensor<?x32x32xbf16>) {
    ^bb0(%in: f32, %out: bf16):
      %343 = arith.truncf %in : f32 to bf16
      linalg.yield %343 : bf16
    } -> tensor<?x32x32xbf16>
    %expanded_25 = tensor.expand_shape %82 [[0, 1], [2], [3]] output_shape [%57, 2, 32, 32] : tensor<?x32x32xbf16> into tensor<?x2x32x32xbf16>
    %83 = tensor.empty(%57) : tensor<?x32x2x32xbf16>
    %transposed_26 = linalg.transpose ins(%expanded_25 : tensor<?x2x32x32xbf16>) outs(%83 : tensor<?x32x2x32xbf16>) permutation = [0, 2, 1, 3] 
    %collapsed_27 = tensor.collapse_shape %transposed_26 [[0, 1], [2, 3]] : tensor<?x32x2x32xbf16> into tensor<?x64xbf16>
    %transposed_28 = linalg.transpose ins(%arg6 : tensor<64x64xbf16>) outs(%34 : tensor<64x64xbf16>) permutation = [1, 0] 
    %84 = affine.apply #map()[%57]
    %85 = tensor.empty(%84) : tensor<?x64xf32>
    %86 = linalg.fill ins(%cst : f32) outs(%85 : tensor<?x64xf32>) -> tensor<?x64xf32>
    %87 = linalg.matmul ins(%collapsed_27, %transposed_28 : tensor<?x64xbf16>, tensor<64x64xbf16>) outs(%86 : tensor<?x64xf32>) -> tensor<?x64xf32>
    %88 = tensor.empty(%84) : tensor<?x64xbf16>
    %89 = linalg.generic {indexing_maps = [#map4, #map4], iterator_types = ["parallel", "parallel"]} ins(%87 : tensor<?x64xf32>) outs(%88 : tensor<?x64xbf16>) {
    ^bb0(%in: f32, %out: bf16):
      %343 = arith.truncf %in : f32 to bf16
      linalg.yield %343 : bf16
    } -> tensor<?x64xbf16>
    %90 = arith.divsi %84, %c32 : index
    %expanded_29 = tensor.expand_shape %89 [[0, 1], [2]] output_shape [%90, 32, 64] : tensor<?x64xbf16> into tensor<?x32x64xbf16>
    %91 = arith.cmpi eq, %15, %90 : index
    cf.assert %91, "mismatched size for broadcast"
    %92 = linalg.generic {indexing_maps = [#map5, #map5, #map5], iterator_types = ["parallel", "parallel", "parallel"]} ins(%20, %expanded_29 : tensor<?x32x64xbf16>, tensor<?x32x64xbf16>) outs(%19 : tensor<?x32x64xbf16>) {
    ^bb0(%in: bf16, %in_112: bf16, %out: bf16):
      %343 = arith.addf %in, %in_112 : bf16
      linalg.yield %343 : bf16
    } -> tensor<?x32x64xbf16>
    %93 = linalg.generic {indexing_maps = [#map5, #map5], iterator_types = ["parallel", "parallel", "parallel"]} ins(%92 : tensor<?x32x64xbf16>) outs(%16 : tensor<?x32x64xf32>) {
    ^bb0(%in: bf16, %out: f32):
      %343 = arith.extf %in : bf16 to f32
      linalg.yield %343 : f32
    } -> tensor<?x32x64xf32>
    %94 = linalg.generic {indexing_maps = [#map5, #map5], iterator_types = ["parallel", "parallel", "parallel"]} ins(%93 : tensor<?x32x64xf32>) outs(%16 : tensor<?x32x64xf32>) {
    ^bb0(%in: f32, %out: f32):
      %343 = math.fpowi %in, %c2_i64 : f32, i64
      linalg.yield %343 : f32
    } -> tensor<?x32x64xf32>
    %95 = linalg.generic {indexing_maps = [#map5, #map7], iterator_types = ["parallel", "parallel", "reduction"]} ins(%94 : tensor<?x32x64xf32>) outs(%24 : tensor<?x32x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      %343 = arith.addf %in, %out : f32
      linalg.yield %343 : f32
    } -> tensor<?x32x1xf32>
    %96 = linalg.generic {indexing_maps = [#map5, #map5], iterator_types = ["parallel", "parallel", "parallel"]} ins(%95 : tensor<?x32x1xf32>) outs(%23 : tensor<?x32x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      %343 = arith.divf %in, %cst_5 : f32
      linalg.yield %343 : f32
    } -> tensor<?x32x1xf32>
    %97 = linalg.generic {indexing_maps = [#map5, #map5], iterator_types = ["parallel", "parallel", "parallel"]} ins(%96 : tensor<?x32x1xf32>) outs(%23 : tensor<?x32x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      %343 = arith.truncf %cst_4 : f64 to f32
      %344 = arith.addf %in, %343 : f32
      linalg.yield %344 : f32
    } -> tensor<?x32x1xf32>
    %98 = linalg.generic {indexing_maps = [#map5, #map5], iterator_types = ["parallel", "parallel", "parallel"]} ins(%97 : tensor<?x32x1xf32>) outs(%23 : tensor<?x32x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      %343 = math.rsqrt %in : f32
      linalg.yield %343 : f32
    } -> tensor<?x32x1xf32>
    %99 = linalg.generic {indexing_maps = [#map5, #map7, #map5], iterator_types = ["parallel", "parallel", "parallel"]} ins(%93, %98 : tensor<?x32x64xf32>, tensor<?x32x1xf32>) outs(%16 : tensor<?x32x64xf32>) {
    ^bb0(%in: f32, %in_112: f32, %out: f32):
      %343 = arith.mulf %in, %in_112 : f32
      linalg.yield %343 : f32
    } -> tensor<?x32x64xf32>
    %100 = linalg.generic {indexing_maps = [#map1, #map1], iterator_types = ["parallel"]} ins(%arg7 : tensor<64xbf16>) outs(%30 : tensor<64xf32>) {
    ^bb0(%in: bf16, %out: f32):
      %343 = arith.extf %in : bf16 to f32
      linalg.yield %343 : f32
    } -> tensor<64xf32>
    %101 = linalg.generic {indexing_maps = [#map5, #map8, #map5], iterator_types = ["parallel", "parallel", "parallel"]} ins(%99, %100 : tensor<?x32x64xf32>, tensor<64xf32>) outs(%16 : tensor<?x32x64xf32>) {
    ^bb0(%in: f32, %in_112: f32, %out: f32):
      %343 = arith.mulf %in, %in_112 : f32
      linalg.yield %343 : f32
    } -> tensor<?x32x64xf32>
    %102 = linalg.generic {indexing_maps = [#map5, #map5], iterator_types = ["parallel", "parallel", "parallel"]} ins(%101 : tensor<?x32x64xf32>) outs(%19 : tensor<?x32x64xbf16>) {
    ^bb0(%in: f32, %out: bf16):
      %343 = arith.truncf %in : f32 to bf16
      linalg.yield %343 : bf16
    } -> tensor<?x32x64xbf16>
    %collapsed_30 = tensor.collapse_shape %102 [[0, 1], [2]] : tensor<?x32x64xbf16> into tensor<?x64xbf16>
    %103 = tensor.empty() : tensor<64x4xbf16>
    %transposed_31 = linalg.transpose ins(%arg8 : tensor<4x64xbf16>) outs(%103 : tensor<64x4xbf16>) permutation = [1, 0] 
    %104 = tensor.empty(%35) : tensor<?x4xf32>
    %105 = linalg.fill ins(%cst : f32) outs(%104 : tensor<?x4xf32>) -> tensor<?x4xf32>
    %106 = linalg.matmul ins(%collapsed_30, %transposed_31 : tensor<?x64xbf16>, tensor<64x4xbf16>) outs(%105 : tensor<?x4xf32>) -> tensor<?x4xf32>
    %107 = tensor.empty(%35) : tensor<?x4xbf16>
    %108 = linalg.generic {indexing_maps = [#map4, #map4], iterator_types = ["parallel", "parallel"]} ins(%106 : tensor<?x4xf32>) outs(%107 : tensor<?x4xbf16>) {
    ^bb0(%in: f32, %out: bf16):
      %343 = arith.truncf %in : f32 to bf16
      linalg.yield %343 : bf16
    } -> tensor<?x4xbf16>
    %109 = linalg.generic {indexing_maps = [#map4, #map4], iterator_types = ["parallel", "parallel"]} ins(%108 : tensor<?x4xbf16>) outs(%104 : tensor<?x4xf32>) {
    ^bb0(%in: bf16, %out: f32):
      %343 = arith.extf %in : bf16 to f32
      linalg.yield %343 : f32
    } -> tensor<?x4xf32>
    %110 = tensor.empty(%35) : tensor<?xi64>
    %111 = linalg.fill ins(%c0_i64 : i64) outs(%110 : tensor<?xi64>) -> tensor<?xi64>
    %112 = tensor.empty(%35) : tensor<?xf32>
    %113 = linalg.fill ins(%cst_0 : f32) outs(%112 : tensor<?xf32>) -> tensor<?xf32>
    %114:2 = linalg.generic {indexing_maps = [#map4, #map16, #map16], iterator_types = ["parallel", "reduction"]} ins(%109 : tensor<?x4xf32>) outs(%113, %111 : tensor<?xf32>, tensor<?xi64>) {
    ^bb0(%in: f32, %out: f32, %out_112: i64):
      %343 = linalg.index 1 : index
      %344 = arith.index_cast %343 : index to i64
      %345 = arith.maximumf %in, %out : f32
      %346 = arith.cmpf ogt, %in, %out : f32
      %347 = arith.select %346, %344, %out_112 : i64
      linalg.yield %345, %347 : f32, i64
    } -> (tensor<?xf32>, tensor<?xi64>)
    %expanded_32 = tensor.expand_shape %114#0 [[0, 1]] output_shape [%35, 1] : tensor<?xf32> into tensor<?x1xf32>
    %115 = linalg.generic {indexing_maps = [#map4, #map2, #map4], iterator_types = ["parallel", "parallel"]} ins(%109, %expanded_32 : tensor<?x4xf32>, tensor<?x1xf32>) outs(%104 : tensor<?x4xf32>) {
    ^bb0(%in: f32, %in_112: f32, %out: f32):
      %343 = arith.subf %in, %in_112 : f32
      linalg.yield %343 : f32
    } -> tensor<?x4xf32>
    %116 = linalg.generic {indexing_maps = [#map4, #map4], iterator_types = ["parallel", "parallel"]} ins(%115 : tensor<?x4xf32>) outs(%104 : tensor<?x4xf32>) {
    ^bb0(%in: f32, %out: f32):
      %343 = math.exp %in : f32
      linalg.yield %343 : f32
    } -> tensor<?x4xf32>
    %117 = tensor.empty(%35) : tensor<?x1xf32>
    %118 = linalg.fill ins(%cst : f32) outs(%117 : tensor<?x1xf32>) -> tensor<?x1xf32>
    %119 = linalg.generic {indexing_maps = [#map4, #map2], iterator_types = ["parallel", "reduction"]} ins(%116 : tensor<?x4xf32>) outs(%118 : tensor<?x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      %343 = arith.addf %in, %out : f32
      linalg.yield %343 : f32
    } -> tensor<?x1xf32>
    %120 = linalg.generic {indexing_maps = [#map4, #map2, #map4], iterator_types = ["parallel", "parallel"]} ins(%116, %119 : tensor<?x4xf32>, tensor<?x1xf32>) outs(%104 : tensor<?x4xf32>) {
    ^bb0(%in: f32, %in_112: f32, %out: f32):
      %343 = arith.divf %in, %in_112 : f32
      linalg.yield %343 : f32
    } -> tensor<?x4xf32>
    %expanded_33 = tensor.expand_shape %120 [[0], [1, 2]] output_shape [%35, 4, 1] : tensor<?x4xf32> into tensor<?x4x1xf32>
    %expanded_34 = tensor.expand_shape %120 [[0], [1, 2]] output_shape [%35, 1, 4] : tensor<?x4xf32> into tensor<?x1x4xf32>
    %121 = tensor.empty() : tensor<4xi64>
    %122 = linalg.generic {indexing_maps = [#map1], iterator_types = ["parallel"]} outs(%121 : tensor<4xi64>) {
    ^bb0(%out: i64):
      %343 = linalg.index 0 : index
      %344 = arith.index_cast %343 : index to i64
      linalg.yield %344 : i64
    } -> tensor<4xi64>
    %expanded_35 = tensor.expand_shape %122 [[0, 1]] output_shape [1, 4] : tensor<4xi64> into tensor<1x4xi64>
    %expanded_36 = tensor.expand_shape %122 [[0, 1]] output_shape [4, 1] : tensor<4xi64> into tensor<4x1xi64>
    %123 = tensor.empty() : tensor<4x4xi1>
    %124 = linalg.generic {indexing_maps = [#map11, #map2, #map4], iterator_types = ["parallel", "parallel"]} ins(%expanded_35, %expanded_36 : tensor<1x4xi64>, tensor<4x1xi64>) outs(%123 : tensor<4x4xi1>) {
    ^bb0(%in: i64, %in_112: i64, %out: i1):
      %343 = arith.cmpi slt, %in, %in_112 : i64
      linalg.yield %343 : i1
    } -> tensor<4x4xi1>
    %125 = tensor.empty(%35) : tensor<?x4x4xi1>
    %126 = linalg.generic {indexing_maps = [#map17, #map7, #map5], iterator_types = ["parallel", "parallel", "parallel"]} ins(%expanded_34, %expanded_33 : tensor<?x1x4xf32>, tensor<?x4x1xf32>) outs(%125 : tensor<?x4x4xi1>) {
    ^bb0(%in: f32, %in_112: f32, %out: i1):
      %343 = arith.cmpf ogt, %in, %in_112 : f32
      linalg.yield %343 : i1
    } -> tensor<?x4x4xi1>
    %127 = linalg.generic {indexing_maps = [#map17, #map7, #map5], iterator_types = ["parallel", "parallel", "parallel"]} ins(%expanded_34, %expanded_33 : tensor<?x1x4xf32>, tensor<?x4x1xf32>) outs(%125 : tensor<?x4x4xi1>) {
    ^bb0(%in: f32, %in_112: f32, %out: i1):
      %343 = arith.cmpf oeq, %in, %in_112 : f32
      linalg.yield %343 : i1
    } -> tensor<?x4x4xi1>
    %128 = linalg.generic {indexing_maps = [#map5, #map6, #map5], iterator_types = ["parallel", "parallel", "parallel"]} ins(%127, %124 : tensor<?x4x4xi1>, tensor<4x4xi1>) outs(%125 : tensor<?x4x4xi1>) {
    ^bb0(%in: i1, %in_112: i1, %out: i1):
      %343 = arith.andi %in, %in_112 : i1
      linalg.yield %343 : i1
    } -> tensor<?x4x4xi1>
    %129 = linalg.generic {indexing_maps = [#map5, #map5, #map5], iterator_types = ["parallel", "parallel", "parallel"]} ins(%126, %128 : tensor<?x4x4xi1>, tensor<?x4x4xi1>) outs(%125 : tensor<?x4x4xi1>) {
    ^bb0(%in: i1, %in_112: i1, %out: i1):
      %343 = arith.ori %in, %in_112 : i1
      linalg.yield %343 : i1
    } -> tensor<?x4x4xi1>
    %130 = tensor.empty(%35) : tensor<?x4x4xf32>
    %131 = linalg.generic {indexing_maps = [#map5, #map5], iterator_types = ["parallel", "parallel", "parallel"]} ins(%129 : tensor<?x4x4xi1>) outs(%130 : tensor<?x4x4xf32>) {
    ^bb0(%in: i1, %out: f32):
      %343 = arith.uitofp %in : i1 to f32
      linalg.yield %343 : f32
    } -> tensor<?x4x4xf32>
    %132 = linalg.generic {indexing_maps = [#map5, #map18], iterator_types = ["parallel", "parallel", "reduction"]} ins(%131 : tensor<?x4x4xf32>) outs(%105 : tensor<?x4xf32>) {
    ^bb0(%in: f32, %out: f32):
      %343 = arith.addf %in, %out : f32
      linalg.yield %343 : f32
    } -> tensor<?x4xf32>
    %133 = tensor.empty(%35) : tensor<?x4xi1>
    %134 = linalg.generic {indexing_maps = [#map4, #map4], iterator_types = ["parallel", "parallel"]} ins(%132 : tensor<?x4xf32>) outs(%133 : tensor<?x4xi1>) {
    ^bb0(%in: f32, %out: i1):
      %343 = arith.cmpf olt, %in, %cst_6 : f32
      linalg.yield %343 : i1
    } -> tensor<?x4xi1>
    %135 = linalg.generic {indexing_maps = [#map4, #map4], iterator_types = ["parallel", "parallel"]} ins(%134 : tensor<?x4xi1>) outs(%104 : tensor<?x4xf32>) {
    ^bb0(%in: i1, %out: f32):
      %343 = arith.uitofp %in : i1 to f32
      linalg.yield %343 : f32
    } -> tensor<?x4xf32>
    %136 = linalg.generic {indexing_maps = [#map4, #map4, #map4], iterator_types = ["parallel", "parallel"]} ins(%120, %135 : tensor<?x4xf32>, tensor<?x4xf32>) outs(%104 : tensor<?x4xf32>) {
    ^bb0(%in: f32, %in_112: f32, %out: f32):
      %343 = arith.mulf %in, %in_112 : f32
      linalg.yield %343 : f32
    } -> tensor<?x4xf32>
    %137 = linalg.generic {indexing_maps = [#map4, #map2], iterator_types = ["parallel", "reduction"]} ins(%136 : tensor<?x4xf32>) outs(%118 : tensor<?x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      %343 = arith.addf %in, %out : f32
      linalg.yield %343 : f32
    } -> tensor<?x1xf32>
    %138 = linalg.generic {indexing_maps = [#map4, #map2, #map4], iterator_types = ["parallel", "parallel"]} ins(%136, %137 : tensor<?x4xf32>, tensor<?x1xf32>) outs(%104 : tensor<?x4xf32>) {
    ^bb0(%in: f32, %in_112: f32, %out: f32):
      %343 = arith.divf %in, %in_112 : f32
      linalg.yield %343 : f32
    } -> tensor<?x4xf32>
    %139 = tensor.empty(%35) : tensor<4x?x64xbf16>
    %140 = linalg.generic {indexing_maps = [#map6, #map5], iterator_types = ["parallel", "parallel", "parallel"]} ins(%collapsed_30 : tensor<?x64xbf16>) outs(%139 : tensor<4x?x64xbf16>) {
    ^bb0(%in: bf16, %out: bf16):
      linalg.yield %in : bf16
    } -> tensor<4x?x64xbf16>
    %141 = tensor.empty() : tensor<4x64x128xbf16>
    %transposed_37 = linalg.transpose ins(%arg9 : tensor<4x128x64xbf16>) outs(%141 : tensor<4x64x128xbf16>) permutation = [0, 2, 1] 
    %142 = tensor.empty(%35) : tensor<4x?x128xf32>
    %143 = linalg.fill ins(%cst : f32) outs(%142 : tensor<4x?x128xf32>) -> tensor<4x?x128xf32>
    %144 = linalg.batch_matmul ins(%140, %transposed_37 : tensor<4x?x64xbf16>, tensor<4x64x128xbf16>) outs(%143 : tensor<4x?x128xf32>) -> tensor<4x?x128xf32>
    %145 = tensor.empty(%35) : tensor<4x?x128xbf16>
    %146 = linalg.generic {indexing_maps = [#map5, #map5], iterator_types = ["parallel", "parallel", "parallel"]} ins(%144 : tensor<4x?x128xf32>) outs(%145 : tensor<4x?x128xbf16>) {
    ^bb0(%in: f32, %out: bf16):
      %343 = arith.truncf %in : f32 to bf16
      linalg.yield %343 : bf16
    } -> tensor<4x?x128xbf16>
    %extracted_slice = tensor.extract_slice %146[0, 0, 0] [4, %35, 64] [1, 1, 1] : tensor<4x?x128xbf16> to tensor<4x?x64xbf16>
    %extracted_slice_38 = tensor.extract_slice %146[0, 0, 64] [4, %35, 64] [1, 1, 1] : tensor<4x?x128xbf16> to tensor<4x?x64xbf16>
    %147 = tensor.empty(%35) : tensor<4x?x64xf32>
    %148 = linalg.generic {indexing_maps = [#map5, #map5], iterator_types = ["parallel", "parallel", "parallel"]} ins(%extracted_slice : tensor<4x?x64xbf16>) outs(%147 : tensor<4x?x64xf32>) {
    ^bb0(%in: bf16, %out: f32):
      %343 = arith.extf %in : bf16 to f32
      linalg.yield %343 : f32
    } -> tensor<4x?x64xf32>
    %149 = linalg.generic {indexing_maps = [#map5, #map5], iterator_types = ["parallel", "parallel", "parallel"]} ins(%148 : tensor<4x?x64xf32>) outs(%147 : tensor<4x?x64xf32>) {
    ^bb0(%in: f32, %out: f32):
      %343 = arith.negf %in : f32
      %344 = math.exp %343 : f32
      %345 = arith.addf %344, %cst_1 : f32
      %346 = arith.divf %cst_1, %345 : f32
      linalg.yield %346 : f32
    } -> tensor<4x?x64xf32>
    %150 = linalg.generic {indexing_maps = [#map5, #map5, #map5], iterator_types = ["parallel", "parallel", "parallel"]} ins(%148, %149 : tensor<4x?x64xf32>, tensor<4x?x64xf32>) outs(%147 : tensor<4x?x64xf32>) {
    ^bb0(%in: f32, %in_112: f32, %out: f32):
      %343 = arith.mulf %in, %in_112 : f32
      linalg.yield %343 : f32
    } -> tensor<4x?x64xf32>
    %151 = linalg.generic {indexing_maps = [#map5, #map5], iterator_types = ["parallel", "parallel", "parallel"]} ins(%extracted_slice_38 : tensor<4x?x64xbf16>) outs(%147 : tensor<4x?x64xf32>) {
    ^bb0(%in: bf16, %out: f32):
      %343 = arith.extf %in : bf16 to f32
      linalg.yield %343 : f32
    } -> tensor<4x?x64xf32>
    %152 = linalg.generic {indexing_maps = [#map5, #map5, #map5], iterator_types = ["parallel", "parallel", "parallel"]} ins(%150, %151 : tensor<4x?x64xf32>, tensor<4x?x64xf32>) outs(%147 : tensor<4x?x64xf32>) {
    ^bb0(%in: f32, %in_112: f32, %out: f32):
      %343 = arith.mulf %in, %in_112 : f32
      linalg.yield %343 : f32
    } -> tensor<4x?x64xf32>
    %153 = linalg.generic {indexing_maps = [#map5, #map5], iterator_types = ["parallel", "parallel", "parallel"]} ins(%152 : tensor<4x?x64xf32>) outs(%139 : tensor<4x?x64xbf16>) {
    ^bb0(%in: f32, %out: bf16):
      %343 = arith.truncf %in : f32 to bf16
      linalg.yield %343 : bf16
    } -> tensor<4x?x64xbf16>
    %154 = tensor.empty() : tensor<4x64x64xbf16>
    %transposed_39 = linalg.transpose ins(%arg10 : tensor<4x64x64xbf16>) outs(%154 : tensor<4x64x64xbf16>) permutation = [0, 2, 1] 
    %155 = linalg.fill ins(%cst : f32) outs(%147 : tensor<4x?x64xf32>) -> tensor<4x?x64xf32>
    %156 = linalg.batch_matmul ins(%153, %transposed_39 : tensor<4x?x64xbf16>, tensor<4x64x64xbf16>) outs(%155 : tensor<4x?x64xf32>) -> tensor<4x?x64xf32>
    %157 = linalg.generic {indexing_maps = [#map5, #map5], iterator_types = ["parallel", "parallel", "parallel"]} ins(%156 : tensor<4x?x64xf32>) outs(%139 : tensor<4x?x64xbf16>) {
    ^bb0(%in: f32, %out: bf16):
      %343 = arith.truncf %in : f32 to bf16
      linalg.yield %343 : bf16
    } -> tensor<4x?x64xbf16>
    %158 = linalg.generic {indexing_maps = [#map5, #map5], iterator_types = ["parallel", "parallel", "parallel"]} ins(%157 : tensor<4x?x64xbf16>) outs(%147 : tensor<4x?x64xf32>) {
    ^bb0(%in: bf16, %out: f32):
      %343 = arith.extf %in : bf16 to f32
      linalg.yield %343 : f32
    } -> tensor<4x?x64xf32>
    %159 = tensor.empty(%35) : tensor<4x?xf32>
    %transposed_40 = linalg.transpose ins(%138 : tensor<?x4xf32>) outs(%159 : tensor<4x?xf32>) permutation = [1, 0] 
    %expanded_41 = tensor.expand_shape %transposed_40 [[0], [1, 2]] output_shape [4, %35, 1] : tensor<4x?xf32> into tensor<4x?x1xf32>
    %160 = linalg.generic {indexing_maps = [#map5, #map7, #map5], iterator_types = ["parallel", "parallel", "parallel"]} ins(%158, %expanded_41 : tensor<4x?x64xf32>, tensor<4x?x1xf32>) outs(%147 : tensor<4x?x64xf32>) {
    ^bb0(%in: f32, %in_112: f32, %out: f32):
      %343 = arith.mulf %in, %in_112 : f32
      linalg.yield %343 : f32
    } -> tensor<4x?x64xf32>
    %161 = linalg.generic {indexing_maps = [#map5, #map6], iterator_types = ["reduction", "parallel", "parallel"]} ins(%160 : tensor<4x?x64xf32>) outs(%37 : tensor<?x64xf32>) {
    ^bb0(%in: f32, %out: f32):
      %343 = arith.addf %in, %out : f32
      linalg.yield %343 : f32
    } -> tensor<?x64xf32>
    %162 = linalg.generic {indexing_maps = [#map4, #map4], iterator_types = ["parallel", "parallel"]} ins(%161 : tensor<?x64xf32>) outs(%39 : tensor<?x64xbf16>) {
    ^bb0(%in: f32, %out: bf16):
      %343 = arith.truncf %in : f32 to bf16
      linalg.yield %343 : bf16
    } -> tensor<?x64xbf16>
    %expanded_42 = tensor.expand_shape %162 [[0, 1], [2]] output_shape [%41, 32, 64] : tensor<?x64xbf16> into tensor<?x32x64xbf16>
    %163 = arith.cmpi eq, %15, %41 : index
    cf.assert %163, "mismatched size for broadcast"
    %164 = linalg.generic {indexing_maps = [#map5, #map5, #map5], iterator_types = ["parallel", "parallel", "parallel"]} ins(%92, %expanded_42 : tensor<?x32x64xbf16>, tensor<?x32x64xbf16>) outs(%19 : tensor<?x32x64xbf16>) {
    ^bb0(%in: bf16, %in_112: bf16, %out: bf16):
      %343 = arith.addf %in, %in_112 : bf16
      linalg.yield %343 : bf16
    } -> tensor<?x32x64xbf16>
    %165 = linalg.generic {indexing_maps = [#map5, #map5], iterator_types = ["parallel", "parallel", "parallel"]} ins(%164 : tensor<?x32x64xbf16>) outs(%16 : tensor<?x32x64xf32>) {
    ^bb0(%in: bf16, %out: f32):
      %343 = arith.extf %in : bf16 to f32
      linalg.yield %343 : f32
    } -> tensor<?x32x64xf32>
    %166 = linalg.generic {indexing_maps = [#map5, #map5], iterator_types = ["parallel", "parallel", "parallel"]} ins(%165 : tensor<?x32x64xf32>) outs(%16 : tensor<?x32x64xf32>) {
    ^bb0(%in: f32, %out: f32):
      %343 = math.fpowi %in, %c2_i64 : f32, i64
      linalg.yield %343 : f32
    } -> tensor<?x32x64xf32>
    %167 = linalg.generic {indexing_maps = [#map5, #map7], iterator_types = ["parallel", "parallel", "reduction"]} ins(%166 : tensor<?x32x64xf32>) outs(%24 : tensor<?x32x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      %343 = arith.addf %in, %out : f32
      linalg.yield %343 : f32
    } -> tensor<?x32x1xf32>
    %168 = linalg.generic {indexing_maps = [#map5, #map5], iterator_types = ["parallel", "parallel", "parallel"]} ins(%167 : tensor<?x32x1xf32>) outs(%23 : tensor<?x32x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      %343 = arith.divf %in, %cst_5 : f32
      linalg.yield %343 : f32
    } -> tensor<?x32x1xf32>
    %169 = linalg.generic {indexing_maps = [#map5, #map5], iterator_types = ["parallel", "parallel", "parallel"]} ins(%168 : tensor<?x32x1xf32>) outs(%23 : tensor<?x32x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      %343 = arith.truncf %cst_4 : f64 to f32
      %344 = arith.addf %in, %343 : f32
      linalg.yield %344 : f32
    } -> tensor<?x32x1xf32>
    %170 = linalg.generic {indexing_maps = [#map5, #map5], iterator_types = ["parallel", "parallel", "parallel"]} ins(%169 : tensor<?x32x1xf32>) outs(%23 : tensor<?x32x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      %343 = math.rsqrt %in : f32
      linalg.yield %343 : f32
    } -> tensor<?x32x1xf32>
    %171 = linalg.generic {indexing_maps = [#map5, #map7, #map5], iterator_types = ["parallel", "parallel", "parallel"]} ins(%165, %170 : tensor<?x32x64xf32>, tensor<?x32x1xf32>) outs(%16 : tensor<?x32x64xf32>) {
    ^bb0(%in: f32, %in_112: f32, %out: f32):
      %343 = arith.mulf %in, %in_112 : f32
      linalg.yield %343 : f32
    } -> tensor<?x32x64xf32>
    %172 = linalg.generic {indexing_maps = [#map1, #map1], iterator_types = ["parallel"]} ins(%arg11 : tensor<64xbf16>) outs(%30 : tensor<64xf32>) {
    ^bb0(%in: bf16, %out: f32):
      %343 = arith.extf %in : bf16 to f32
      linalg.yield %343 : f32
    } -> tensor<64xf32>
    %173 = linalg.generic {indexing_maps = [#map5, #map8, #map5], iterator_types = ["parallel", "parallel", "parallel"]} ins(%171, %172 : tensor<?x32x64xf32>, tensor<64xf32>) outs(%16 : tensor<?x32x64xf32>) {
    ^bb0(%in: f32, %in_112: f32, %out: f32):
      %343 = arith.mulf %in, %in_112 : f32
      linalg.yield %343 : f32
    } -> tensor<?x32x64xf32>
    %174 = linalg.generic {indexing_maps = [#map5, #map5], iterator_types = ["parallel", "parallel", "parallel"]} ins(%173 : tensor<?x32x64xf32>) outs(%19 : tensor<?x32x64xbf16>) {
    ^bb0(%in: f32, %out: bf16):
      %343 = arith.truncf %in : f32 to bf16
      linalg.yield %343 : bf16
    } -> tensor<?x32x64xbf16>
    %collapsed_43 = tensor.collapse_shape %174 [[0, 1], [2]] : tensor<?x32x64xbf16> into tensor<?x64xbf16>
    %transposed_44 = linalg.transpose ins(%arg12 : tensor<64x64xbf16>) outs(%34 : tensor<64x64xbf16>) permutation = [1, 0] 
    %175 = linalg.matmul ins(%collapsed_43, %transposed_44 : tensor<?x64xbf16>, tensor<64x64xbf16>) outs(%37 : tensor<?x64xf32>) -> tensor<?x64xf32>
    %176 = linalg.generic {indexing_maps = [#map4, #map4], iterator_types = ["parallel", "parallel"]} ins(%175 : tensor<?x64xf32>) outs(%39 : tensor<?x64xbf16>) {
    ^bb0(%in: f32, %out: bf16):
      %343 = arith.truncf %in : f32 to bf16
      linalg.yield %343 : bf16
    } -> tensor<?x64xbf16>
    %expanded_45 = tensor.expand_shape %176 [[0, 1], [2, 3]] output_shape [%41, 32, 2, 32] : tensor<?x64xbf16> into tensor<?x32x2x32xbf16>
    %transposed_46 = linalg.transpose ins(%expanded_45 : tensor<?x32x2x32xbf16>) outs(%42 : tensor<?x2x32x32xbf16>) permutation = [0, 2, 1, 3] 
    %transposed_47 = linalg.transpose ins(%arg13 : tensor<64x64xbf16>) outs(%34 : tensor<64x64xbf16>) permutation = [1, 0] 
    %177 = linalg.matmul ins(%collapsed_43, %transposed_47 : tensor<?x64xbf16>, tensor<64x64xbf16>) outs(%37 : tensor<?x64xf32>) -> tensor<?x64xf32>
    %178 = linalg.generic {indexing_maps = [#map4, #map4], iterator_types = ["parallel", "parallel"]} ins(%177 : tensor<?x64xf32>) outs(%39 : tensor<?x64xbf16>) {
    ^bb0(%in: f32, %out: bf16):
      %343 = arith.truncf %in : f32 to bf16
      linalg.yield %343 : bf16
    } -> tensor<?x64xbf16>
    %expanded_48 = tensor.expand_shape %178 [[0, 1], [2, 3]] output_shape [%41, 32, 2, 32] : tensor<?x64xbf16> into tensor<?x32x2x32xbf16>
    %transposed_49 = linalg.transpose ins(%arg14 : tensor<64x64xbf16>) outs(%34 : tensor<64x64xbf16>) permutation = [1, 0] 
    %179 = linalg.matmul ins(%collapsed_43, %transposed_49 : tensor<?x64xbf16>, tensor<64x64xbf16>) outs(%37 : tensor<?x64xf32>) -> tensor<?x64xf32>
    %180 = linalg.generic {indexing_maps = [#map4, #map4], iterator_types = ["parallel", "parallel"]} ins(%179 : tensor<?x64xf32>) outs(%39 : tensor<?x64xbf16>) {
    ^bb0(%in: f32, %out: bf16):
      %343 = arith.truncf %in : f32 to bf16
      linalg.yield %343 : bf16
    } -> tensor<?x64xbf16>
    %expanded_50 = tensor.expand_shape %180 [[0, 1], [2, 3]] output_shape [%41, 32, 2, 32] : tensor<?x64xbf16> into tensor<?x32x2x32xbf16>
    %transposed_51 = linalg.transpose ins(%expanded_50 : tensor<?x32x2x32xbf16>) outs(%42 : tensor<?x2x32x32xbf16>) permutation = [0, 2, 1, 3] 
    %transposed_52 = linalg.transpose ins(%expanded_48 : tensor<?x32x2x32xbf16>) outs(%42 : tensor<?x2x32x32xbf16>) permutation = [0, 2, 3, 1] 
    cf.assert %47, "unimplemented: dynamic negative broadcast sizes"
    %181 = linalg.generic {indexing_maps = [#map9], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} outs(%48 : tensor<?x2x32x32xbf16>) {
    ^bb0(%out: bf16):
      %343 = linalg.index 0 : index
      %344 = linalg.index 1 : index
      %345 = linalg.index 2 : index
      %346 = linalg.index 3 : index
      %347 = arith.cmpi eq, %41, %c1 : index
      %348 = arith.select %347, %c0, %343 : index
      %extracted = tensor.extract %transposed_46[%348, %344, %345, %346] : tensor<?x2x32x32xbf16>
      linalg.yield %extracted : bf16
    } -> tensor<?x2x32x32xbf16>
    %collapsed_53 = tensor.collapse_shape %181 [[0, 1], [2], [3]] : tensor<?x2x32x32xbf16> into tensor<?x32x32xbf16>
    cf.assert %47, "unimplemented: dynamic negative broadcast sizes"
    %182 = linalg.generic {indexing_maps = [#map9], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} outs(%48 : tensor<?x2x32x32xbf16>) {
    ^bb0(%out: bf16):
      %343 = linalg.index 0 : index
      %344 = linalg.index 1 : index
      %345 = linalg.index 2 : index
      %346 = linalg.index 3 : index
      %347 = arith.cmpi eq, %41, %c1 : index
      %348 = arith.select %347, %c0, %343 : index
      %extracted = tensor.extract %transposed_52[%348, %344, %345, %346] : tensor<?x2x32x32xbf16>
      linalg.yield %extracted : bf16
    } -> tensor<?x2x32x32xbf16>
    %collapsed_54 = tensor.collapse_shape %182 [[0, 1], [2], [3]] : tensor<?x2x32x32xbf16> into tensor<?x32x32xbf16>
    %183 = linalg.batch_matmul ins(%collapsed_53, %collapsed_54 : tensor<?x32x32xbf16>, tensor<?x32x32xbf16>) outs(%53 : tensor<?x32x32xf32>) -> tensor<?x32x32xf32>
    %184 = linalg.generic {indexing_maps = [#map5, #map5], iterator_types = ["parallel", "parallel", "parallel"]} ins(%183 : tensor<?x32x32xf32>) outs(%55 : tensor<?x32x32xbf16>) {
    ^bb0(%in: f32, %out: bf16):
      %343 = arith.truncf %in : f32 to bf16
      linalg.yield %343 : bf16
    } -> tensor<?x32x32xbf16>
    %expanded_55 = tensor.expand_shape %184 [[0, 1], [2], [3]] output_shape [%57, 2, 32, 32] : tensor<?x32x32xbf16> into tensor<?x2x32x32xbf16>
    %185 = linalg.generic {indexing_maps = [#map9, #map9], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%expanded_55 : tensor<?x2x32x32xbf16>) outs(%58 : tensor<?x2x32x32xf32>) {
    ^bb0(%in: bf16, %out: f32):
      %343 = arith.extf %in : bf16 to f32
      linalg.yield %343 : f32
    } -> tensor<?x2x32x32xf32>
    %186 = linalg.generic {indexing_maps = [#map9, #map9], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%185 : tensor<?x2x32x32xf32>) outs(%58 : tensor<?x2x32x32xf32>) {
    ^bb0(%in: f32, %out: f32):
      %343 = arith.truncf %cst_3 : f64 to f32
      %344 = arith.mulf %in, %343 : f32
      linalg.yield %344 : f32
    } -> tensor<?x2x32x32xf32>
    %187 = linalg.generic {indexing_maps = [#map12, #map13, #map9, #map9], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%64, %cst_2, %186 : tensor<32x32xi1>, tensor<f32>, tensor<?x2x32x32xf32>) outs(%58 : tensor<?x2x32x32xf32>) {
    ^bb0(%in: i1, %in_112: f32, %in_113: f32, %out: f32):
      %343 = arith.select %in, %in_112, %in_113 : f32
      linalg.yield %343 : f32
    } -> tensor<?x2x32x32xf32>
    %188:2 = linalg.generic {indexing_maps = [#map9, #map14, #map14], iterator_types = ["parallel", "parallel", "parallel", "reduction"]} ins(%187 : tensor<?x2x32x32xf32>) outs(%69, %67 : tensor<?x2x32xf32>, tensor<?x2x32xi64>) {
    ^bb0(%in: f32, %out: f32, %out_112: i64):
      %343 = linalg.index 3 : index
      %344 = arith.index_cast %343 : index to i64
      %345 = arith.maximumf %in, %out : f32
      %346 = arith.cmpf ogt, %in, %out : f32
      %347 = arith.select %346, %344, %out_112 : i64
      linalg.yield %345, %347 : f32, i64
    } -> (tensor<?x2x32xf32>, tensor<?x2x32xi64>)
    %expanded_56 = tensor.expand_shape %188#0 [[0], [1], [2, 3]] output_shape [%57, 2, 32, 1] : tensor<?x2x32xf32> into tensor<?x2x32x1xf32>
    %189 = linalg.generic {indexing_maps = [#map9, #map15, #map9], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%187, %expanded_56 : tensor<?x2x32x32xf32>, tensor<?x2x32x1xf32>) outs(%58 : tensor<?x2x32x32xf32>) {
    ^bb0(%in: f32, %in_112: f32, %out: f32):
      %343 = arith.subf %in, %in_112 : f32
      linalg.yield %343 : f32
    } -> tensor<?x2x32x32xf32>
    %190 = linalg.generic {indexing_maps = [#map9, #map9], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%189 : tensor<?x2x32x32xf32>) outs(%58 : tensor<?x2x32x32xf32>) {
    ^bb0(%in: f32, %out: f32):
      %343 = math.exp %in : f32
      linalg.yield %343 : f32
    } -> tensor<?x2x32x32xf32>
    %191 = linalg.generic {indexing_maps = [#map9, #map15], iterator_types = ["parallel", "parallel", "parallel", "reduction"]} ins(%190 : tensor<?x2x32x32xf32>) outs(%74 : tensor<?x2x32x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      %343 = arith.addf %in, %out : f32
      linalg.yield %343 : f32
    } -> tensor<?x2x32x1xf32>
    %192 = linalg.generic {indexing_maps = [#map9, #map15, #map9], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%190, %191 : tensor<?x2x32x32xf32>, tensor<?x2x32x1xf32>) outs(%58 : tensor<?x2x32x32xf32>) {
    ^bb0(%in: f32, %in_112: f32, %out: f32):
      %343 = arith.divf %in, %in_112 : f32
      linalg.yield %343 : f32
    } -> tensor<?x2x32x32xf32>
    %193 = linalg.generic {indexing_maps = [#map9, #map9], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%192 : tensor<?x2x32x32xf32>) outs(%77 : tensor<?x2x32x32xbf16>) {
    ^bb0(%in: f32, %out: bf16):
      %343 = arith.truncf %in : f32 to bf16
      linalg.yield %343 : bf16
    } -> tensor<?x2x32x32xbf16>
    cf.assert %47, "unimplemented: dynamic negative broadcast sizes"
    %194 = linalg.generic {indexing_maps = [#map9], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} outs(%48 : tensor<?x2x32x32xbf16>) {
    ^bb0(%out: bf16):
      %343 = linalg.index 0 : index
      %344 = linalg.index 1 : index
      %345 = linalg.index 2 : index
      %346 = linalg.index 3 : index
      %347 = arith.cmpi eq, %57, %c1 : index
      %348 = arith.select %347, %c0, %343 : index
      %extracted = tensor.extract %193[%348, %344, %345, %346] : tensor<?x2x32x32xbf16>
      linalg.yield %extracted : bf16
    } -> tensor<?x2x32x32xbf16>
    %collapsed_57 = tensor.collapse_shape %194 [[0, 1], [2], [3]] : tensor<?x2x32x32xbf16> into tensor<?x32x32xbf16>
    cf.assert %47, "unimplemented: dynamic negative broadcast sizes"
    %195 = linalg.generic {indexing_maps = [#map9], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} outs(%48 : tensor<?x2x32x32xbf16>) {
    ^bb0(%out: bf16):
      %343 = linalg.index 0 : index
      %344 = linalg.index 1 : index
      %345 = linalg.index 2 : index
      %346 = linalg.index 3 : index
      %347 = arith.cmpi eq, %41, %c1 : index
      %348 = arith.select %347, %c0, %343 : index
      %extracted = tensor.extract %transposed_51[%348, %344, %345, %346] : tensor<?x2x32x32xbf16>
      linalg.yield %extracted : bf16
    } -> tensor<?x2x32x32xbf16>
    %collapsed_58 = tensor.collapse_shape %195 [[0, 1], [2], [3]] : tensor<?x2x32x32xbf16> into tensor<?x32x32xbf16>
    %196 = linalg.batch_matmul ins(%collapsed_57, %collapsed_58 : tensor<?x32x32xbf16>, tensor<?x32x32xbf16>) outs(%53 : tensor<?x32x32xf32>) -> tensor<?x32x32xf32>
    %197 = linalg.generic {indexing_maps = [#map5, #map5], iterator_types = ["parallel", "parallel", "parallel"]} ins(%196 : tensor<?x32x32xf32>) outs(%55 : tensor<?x32x32xbf16>) {
    ^bb0(%in: f32, %out: bf16):
      %343 = arith.truncf %in : f32 to bf16
      linalg.yield %343 : bf16
    } -> tensor<?x32x32xbf16>
    %expanded_59 = tensor.expand_shape %197 [[0, 1], [2], [3]] output_shape [%57, 2, 32, 32] : tensor<?x32x32xbf16> into tensor<?x2x32x32xbf16>
    %transposed_60 = linalg.transpose ins(%expanded_59 : tensor<?x2x32x32xbf16>) outs(%83 : tensor<?x32x2x32xbf16>) permutation = [0, 2, 1, 3] 
    %collapsed_61 = tensor.collapse_shape %transposed_60 [[0, 1], [2, 3]] : tensor<?x32x2x32xbf16> into tensor<?x64xbf16>
    %transposed_62 = linalg.transpose ins(%arg15 : tensor<64x64xbf16>) outs(%34 : tensor<64x64xbf16>) permutation = [1, 0] 
    %198 = linalg.matmul ins(%collapsed_61, %transposed_62 : tensor<?x64xbf16>, tensor<64x64xbf16>) outs(%86 : tensor<?x64xf32>) -> tensor<?x64xf32>
    %199 = linalg.generic {indexing_maps = [#map4, #map4], iterator_types = ["parallel", "parallel"]} ins(%198 : tensor<?x64xf32>) outs(%88 : tensor<?x64xbf16>) {
    ^bb0(%in: f32, %out: bf16):
      %343 = arith.truncf %in : f32 to bf16
      linalg.yield %343 : bf16
    } -> tensor<?x64xbf16>
    %expanded_63 = tensor.expand_shape %199 [[0, 1], [2]] output_shape [%90, 32, 64] : tensor<?x64xbf16> into tensor<?x32x64xbf16>
    cf.assert %91, "mismatched size for broadcast"
    %200 = linalg.generic {indexing_maps = [#map5, #map5, #map5], iterator_types = ["parallel", "parallel", "parallel"]} ins(%164, %expanded_63 : tensor<?x32x64xbf16>, tensor<?x32x64xbf16>) outs(%19 : tensor<?x32x64xbf16>) {
    ^bb0(%in: bf16, %in_112: bf16, %out: bf16):
      %343 = arith.addf %in, %in_112 : bf16
      linalg.yield %343 : bf16
    } -> tensor<?x32x64xbf16>
    %201 = linalg.generic {indexing_maps = [#map5, #map5], iterator_types = ["parallel", "parallel", "parallel"]} ins(%200 : tensor<?x32x64xbf16>) outs(%16 : tensor<?x32x64xf32>) {
    ^bb0(%in: bf16, %out: f32):
      %343 = arith.extf %in : bf16 to f32
      linalg.yield %343 : f32
    } -> tensor<?x32x64xf32>
    %202 = linalg.generic {indexing_maps = [#map5, #map5], iterator_types = ["parallel", "parallel", "parallel"]} ins(%201 : tensor<?x32x64xf32>) outs(%16 : tensor<?x32x64xf32>) {
    ^bb0(%in: f32, %out: f32):
      %343 = math.fpowi %in, %c2_i64 : f32, i64
      linalg.yield %343 : f32
    } -> tensor<?x32x64xf32>
    %203 = linalg.generic {indexing_maps = [#map5, #map7], iterator_types = ["parallel", "parallel", "reduction"]} ins(%202 : tensor<?x32x64xf32>) outs(%24 : tensor<?x32x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      %343 = arith.addf %in, %out : f32
      linalg.yield %343 : f32
    } -> tensor<?x32x1xf32>
    %204 = linalg.generic {indexing_maps = [#map5, #map5], iterator_types = ["parallel", "parallel", "parallel"]} ins(%203 : tensor<?x32x1xf32>) outs(%23 : tensor<?x32x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      %343 = arith.divf %in, %cst_5 : f32
      linalg.yield %343 : f32
    } -> tensor<?x32x1xf32>
    %205 = linalg.generic {indexing_maps = [#map5, #map5], iterator_types = ["parallel", "parallel", "parallel"]} ins(%204 : tensor<?x32x1xf32>) outs(%23 : tensor<?x32x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      %343 = arith.truncf %cst_4 : f64 to f32
      %344 = arith.addf %in, %343 : f32
      linalg.yield %344 : f32
    } -> tensor<?x32x1xf32>
    %206 = linalg.generic {indexing_maps = [#map5, #map5], iterator_types = ["parallel", "parallel", "parallel"]} ins(%205 : tensor<?x32x1xf32>) outs(%23 : tensor<?x32x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      %343 = math.rsqrt %in : f32
      linalg.yield %343 : f32
    } -> tensor<?x32x1xf32>
    %207 = linalg.generic {indexing_maps = [#map5, #map7, #map5], iterator_types = ["parallel", "parallel", "parallel"]} ins(%201, %206 : tensor<?x32x64xf32>, tensor<?x32x1xf32>) outs(%16 : tensor<?x32x64xf32>) {
    ^bb0(%in: f32, %in_112: f32, %out: f32):
      %343 = arith.mulf %in, %in_112 : f32
      linalg.yield %343 : f32
    } -> tensor<?x32x64xf32>
    %208 = linalg.generic {indexing_maps = [#map1, #map1], iterator_types = ["parallel"]} ins(%arg16 : tensor<64xbf16>) outs(%30 : tensor<64xf32>) {
    ^bb0(%in: bf16, %out: f32):
      %343 = arith.extf %in : bf16 to f32
      linalg.yield %343 : f32
    } -> tensor<64xf32>
    %209 = linalg.generic {indexing_maps = [#map5, #map8, #map5], iterator_types = ["parallel", "parallel", "parallel"]} ins(%207, %208 : tensor<?x32x64xf32>, tensor<64xf32>) outs(%16 : tensor<?x32x64xf32>) {
    ^bb0(%in: f32, %in_112: f32, %out: f32):
      %343 = arith.mulf %in, %in_112 : f32
      linalg.yield %343 : f32
    } -> tensor<?x32x64xf32>
    %210 = linalg.generic {indexing_maps = [#map5, #map5], iterator_types = ["parallel", "parallel", "parallel"]} ins(%209 : tensor<?x32x64xf32>) outs(%19 : tensor<?x32x64xbf16>) {
    ^bb0(%in: f32, %out: bf16):
      %343 = arith.truncf %in : f32 to bf16
      linalg.yield %343 : bf16
    } -> tensor<?x32x64xbf16>
    %collapsed_64 = tensor.collapse_shape %210 [[0, 1], [2]] : tensor<?x32x64xbf16> into tensor<?x64xbf16>
    %transposed_65 = linalg.transpose ins(%arg17 : tensor<4x64xbf16>) outs(%103 : tensor<64x4xbf16>) permutation = [1, 0] 
    %211 = linalg.matmul ins(%collapsed_64, %transposed_65 : tensor<?x64xbf16>, tensor<64x4xbf16>) outs(%105 : tensor<?x4xf32>) -> tensor<?x4xf32>
    %212 = linalg.generic {indexing_maps = [#map4, #map4], iterator_types = ["parallel", "parallel"]} ins(%211 : tensor<?x4xf32>) outs(%107 : tensor<?x4xbf16>) {
    ^bb0(%in: f32, %out: bf16):
      %343 = arith.truncf %in : f32 to bf16
      linalg.yield %343 : bf16
    } -> tensor<?x4xbf16>
    %213 = linalg.generic {indexing_maps = [#map4, #map4], iterator_types = ["parallel", "parallel"]} ins(%212 : tensor<?x4xbf16>) outs(%104 : tensor<?x4xf32>) {
    ^bb0(%in: bf16, %out: f32):
      %343 = arith.extf %in : bf16 to f32
      linalg.yield %343 : f32
    } -> tensor<?x4xf32>
    %214:2 = linalg.generic {indexing_maps = [#map4, #map16, #map16], iterator_types = ["parallel", "reduction"]} ins(%213 : tensor<?x4xf32>) outs(%113, %111 : tensor<?xf32>, tensor<?xi64>) {
    ^bb0(%in: f32, %out: f32, %out_112: i64):
      %343 = linalg.index 1 : index
      %344 = arith.index_cast %343 : index to i64
      %345 = arith.maximumf %in, %out : f32
      %346 = arith.cmpf ogt, %in, %out : f32
      %347 = arith.select %346, %344, %out_112 : i64
      linalg.yield %345, %347 : f32, i64
    } -> (tensor<?xf32>, tensor<?xi64>)
    %expanded_66 = tensor.expand_shape %214#0 [[0, 1]] output_shape [%35, 1] : tensor<?xf32> into tensor<?x1xf32>
    %215 = linalg.generic {indexing_maps = [#map4, #map2, #map4], iterator_types = ["parallel", "parallel"]} ins(%213, %expanded_66 : tensor<?x4xf32>, tensor<?x1xf32>) outs(%104 : tensor<?x4xf32>) {
    ^bb0(%in: f32, %in_112: f32, %out: f32):
      %343 = arith.subf %in, %in_112 : f32
      linalg.yield %343 : f32
    } -> tensor<?x4xf32>
    %216 = linalg.generic {indexing_maps = [#map4, #map4], iterator_types = ["parallel", "parallel"]} ins(%215 : tensor<?x4xf32>) outs(%104 : tensor<?x4xf32>) {
    ^bb0(%in: f32, %out: f32):
      %343 = math.exp %in : f32
      linalg.yield %343 : f32
    } -> tensor<?x4xf32>
    %217 = linalg.generic {indexing_maps = [#map4, #map2], iterator_types = ["parallel", "reduction"]} ins(%216 : tensor<?x4xf32>) outs(%118 : tensor<?x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      %343 = arith.addf %in, %out : f32
      linalg.yield %343 : f32
    } -> tensor<?x1xf32>
    %218 = linalg.generic {indexing_maps = [#map4, #map2, #map4], iterator_types = ["parallel", "parallel"]} ins(%216, %217 : tensor<?x4xf32>, tensor<?x1xf32>) outs(%104 : tensor<?x4xf32>) {
    ^bb0(%in: f32, %in_112: f32, %out: f32):
      %343 = arith.divf %in, %in_112 : f32
      linalg.yield %343 : f32
    } -> tensor<?x4xf32>
    %expanded_67 = tensor.expand_shape %218 [[0], [1, 2]] output_shape [%35, 4, 1] : tensor<?x4xf32> into tensor<?x4x1xf32>
    %expanded_68 = tensor.expand_shape %218 [[0], [1, 2]] output_shape [%35, 1, 4] : tensor<?x4xf32> into tensor<?x1x4xf32>
    %219 = linalg.generic {indexing_maps = [#map17, #map7, #map5], iterator_types = ["parallel", "parallel", "parallel"]} ins(%expanded_68, %expanded_67 : tensor<?x1x4xf32>, tensor<?x4x1xf32>) outs(%125 : tensor<?x4x4xi1>) {
    ^bb0(%in: f32, %in_112: f32, %out: i1):
      %343 = arith.cmpf ogt, %in, %in_112 : f32
      linalg.yield %343 : i1
    } -> tensor<?x4x4xi1>
    %220 = linalg.generic {indexing_maps = [#map17, #map7, #map5], iterator_types = ["parallel", "parallel", "parallel"]} ins(%expanded_68, %expanded_67 : tensor<?x1x4xf32>, tensor<?x4x1xf32>) outs(%125 : tensor<?x4x4xi1>) {
    ^bb0(%in: f32, %in_112: f32, %out: i1):
      %343 = arith.cmpf oeq, %in, %in_112 : f32
      linalg.yield %343 : i1
    } -> tensor<?x4x4xi1>
    %221 = linalg.generic {indexing_maps = [#map5, #map6, #map5], iterator_types = ["parallel", "parallel", "parallel"]} ins(%220, %124 : tensor<?x4x4xi1>, tensor<4x4xi1>) outs(%125 : tensor<?x4x4xi1>) {
    ^bb0(%in: i1, %in_112: i1, %out: i1):
      %343 = arith.andi %in, %in_112 : i1
      linalg.yield %343 : i1
    } -> tensor<?x4x4xi1>
    %222 = linalg.generic {indexing_maps = [#map5, #map5, #map5], iterator_types = ["parallel", "parallel", "parallel"]} ins(%219, %221 : tensor<?x4x4xi1>, tensor<?x4x4xi1>) outs(%125 : tensor<?x4x4xi1>) {
    ^bb0(%in: i1, %in_112: i1, %out: i1):
      %343 = arith.ori %in, %in_112 : i1
      linalg.yield %343 : i1
    } -> tensor<?x4x4xi1>
    %223 = linalg.generic {indexing_maps = [#map5, #map5], iterator_types = ["parallel", "parallel", "parallel"]} ins(%222 : tensor<?x4x4xi1>) outs(%130 : tensor<?x4x4xf32>) {
    ^bb0(%in: i1, %out: f32):
      %343 = arith.uitofp %in : i1 to f32
      linalg.yield %343 : f32
    } -> tensor<?x4x4xf32>
    %224 = linalg.generic {indexing_maps = [#map5, #map18], iterator_types = ["parallel", "parallel", "reduction"]} ins(%223 : tensor<?x4x4xf32>) outs(%105 : tensor<?x4xf32>) {
    ^bb0(%in: f32, %out: f32):
      %343 = arith.addf %in, %out : f32
      linalg.yield %343 : f32
    } -> tensor<?x4xf32>
    %225 = linalg.generic {indexing_maps = [#map4, #map4], iterator_types = ["parallel", "parallel"]} ins(%224 : tensor<?x4xf32>) outs(%133 : tensor<?x4xi1>) {
    ^bb0(%in: f32, %out: i1):
      %343 = arith.cmpf olt, %in, %cst_6 : f32
      linalg.yield %343 : i1
    } -> tensor<?x4xi1>
    %226 = linalg.generic {indexing_maps = [#map4, #map4], iterator_types = ["parallel", "parallel"]} ins(%225 : tensor<?x4xi1>) outs(%104 : tensor<?x4xf32>) {
    ^bb0(%in: i1, %out: f32):
      %343 = arith.uitofp %in : i1 to f32
      linalg.yield %343 : f32
    } -> tensor<?x4xf32>
    %227 = linalg.generic {indexing_maps = [#map4, #map4, #map4], iterator_types = ["parallel", "parallel"]} ins(%218, %226 : tensor<?x4xf32>, tensor<?x4xf32>) outs(%104 : tensor<?x4xf32>) {
    ^bb0(%in: f32, %in_112: f32, %out: f32):
      %343 = arith.mulf %in, %in_112 : f32
      linalg.yield %343 : f32
    } -> tensor<?x4xf32>
    %228 = linalg.generic {indexing_maps = [#map4, #map2], iterator_types = ["parallel", "reduction"]} ins(%227 : tensor<?x4xf32>) outs(%118 : tensor<?x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      %343 = arith.addf %in, %out : f32
      linalg.yield %343 : f32
    } -> tensor<?x1xf32>
    %229 = linalg.generic {indexing_maps = [#map4, #map2, #map4], iterator_types = ["parallel", "parallel"]} ins(%227, %228 : tensor<?x4xf32>, tensor<?x1xf32>) outs(%104 : tensor<?x4xf32>) {
    ^bb0(%in: f32, %in_112: f32, %out: f32):
      %343 = arith.divf %in, %in_112 : f32
      linalg.yield %343 : f32
    } -> tensor<?x4xf32>
    %230 = linalg.generic {indexing_maps = [#map6, #map5], iterator_types = ["parallel", "parallel", "parallel"]} ins(%collapsed_64 : tensor<?x64xbf16>) outs(%139 : tensor<4x?x64xbf16>) {
    ^bb0(%in: bf16, %out: bf16):
      linalg.yield %in : bf16
    } -> tensor<4x?x64xbf16>
    %transposed_69 = linalg.transpose ins(%arg18 : tensor<4x128x64xbf16>) outs(%141 : tensor<4x64x128xbf16>) permutation = [0, 2, 1] 
    %231 = linalg.batch_matmul ins(%230, %transposed_69 : tensor<4x?x64xbf16>, tensor<4x64x128xbf16>) outs(%143 : tensor<4x?x128xf32>) -> tensor<4x?x128xf32>
    %232 = linalg.generic {indexing_maps = [#map5, #map5], iterator_types = ["parallel", "parallel", "parallel"]} ins(%231 : tensor<4x?x128xf32>) outs(%145 : tensor<4x?x128xbf16>) {
    ^bb0(%in: f32, %out: bf16):
      %343 = arith.truncf %in : f32 to bf16
      linalg.yield %343 : bf16
    } -> tensor<4x?x128xbf16>
    %extracted_slice_70 = tensor.extract_slice %232[0, 0, 0] [4, %35, 64] [1, 1, 1] : tensor<4x?x128xbf16> to tensor<4x?x64xbf16>
    %extracted_slice_71 = tensor.extract_slice %232[0, 0, 64] [4, %35, 64] [1, 1, 1] : tensor<4x?x128xbf16> to tensor<4x?x64xbf16>
    %233 = linalg.generic {indexing_maps = [#map5, #map5], iterator_types = ["parallel", "parallel", "parallel"]} ins(%extracted_slice_70 : tensor<4x?x64xbf16>) outs(%147 : tensor<4x?x64xf32>) {
    ^bb0(%in: bf16, %out: f32):
      %343 = arith.extf %in : bf16 to f32
      linalg.yield %343 : f32
    } -> tensor<4x?x64xf32>
    %234 = linalg.generic {indexing_maps = [#map5, #map5], iterator_types = ["parallel", "parallel", "parallel"]} ins(%233 : tensor<4x?x64xf32>) outs(%147 : tensor<4x?x64xf32>) {
    ^bb0(%in: f32, %out: f32):
      %343 = arith.negf %in : f32
      %344 = math.exp %343 : f32
      %345 = arith.addf %344, %cst_1 : f32
      %346 = arith.divf %cst_1, %345 : f32
      linalg.yield %346 : f32
    } -> tensor<4x?x64xf32>
    %235 = linalg.generic {indexing_maps = [#map5, #map5, #map5], iterator_types = ["parallel", "parallel", "parallel"]} ins(%233, %234 : tensor<4x?x64xf32>, tensor<4x?x64xf32>) outs(%147 : tensor<4x?x64xf32>) {
    ^bb0(%in: f32, %in_112: f32, %out: f32):
      %343 = arith.mulf %in, %in_112 : f32
      linalg.yield %343 : f32
    } -> tensor<4x?x64xf32>
    %236 = linalg.generic {indexing_maps = [#map5, #map5], iterator_types = ["parallel", "parallel", "parallel"]} ins(%extracted_slice_71 : tensor<4x?x64xbf16>) outs(%147 : tensor<4x?x64xf32>) {
    ^bb0(%in: bf16, %out: f32):
      %343 = arith.extf %in : bf16 to f32
      linalg.yield %343 : f32
    } -> tensor<4x?x64xf32>
    %237 = linalg.generic {indexing_maps = [#map5, #map5, #map5], iterator_types = ["parallel", "parallel", "parallel"]} ins(%235, %236 : tensor<4x?x64xf32>, tensor<4x?x64xf32>) outs(%147 : tensor<4x?x64xf32>) {
    ^bb0(%in: f32, %in_112: f32, %out: f32):
      %343 = arith.mulf %in, %in_112 : f32
      linalg.yield %343 : f32
    } -> tensor<4x?x64xf32>
    %238 = linalg.generic {indexing_maps = [#map5, #map5], iterator_types = ["parallel", "parallel", "parallel"]} ins(%237 : tensor<4x?x64xf32>) outs(%139 : tensor<4x?x64xbf16>) {
    ^bb0(%in: f32, %out: bf16):
      %343 = arith.truncf %in : f32 to bf16
      linalg.yield %343 : bf16
    } -> tensor<4x?x64xbf16>
    %transposed_72 = linalg.transpose ins(%arg19 : tensor<4x64x64xbf16>) outs(%154 : tensor<4x64x64xbf16>) permutation = [0, 2, 1] 
    %239 = linalg.batch_matmul ins(%238, %transposed_72 : tensor<4x?x64xbf16>, tensor<4x64x64xbf16>) outs(%155 : tensor<4x?x64xf32>) -> tensor<4x?x64xf32>
    %240 = linalg.generic {indexing_maps = [#map5, #map5], iterator_types = ["parallel", "parallel", "parallel"]} ins(%239 : tensor<4x?x64xf32>) outs(%139 : tensor<4x?x64xbf16>) {
    ^bb0(%in: f32, %out: bf16):
      %343 = arith.truncf %in : f32 to bf16
      linalg.yield %343 : bf16
    } -> tensor<4x?x64xbf16>
    %241 = linalg.generic {indexing_maps = [#map5, #map5], iterator_types = ["parallel", "parallel", "parallel"]} ins(%240 : tensor<4x?x64xbf16>) outs(%147 : tensor<4x?x64xf32>) {
    ^bb0(%in: bf16, %out: f32):
      %343 = arith.extf %in : bf16 to f32
      linalg.yield %343 : f32
    } -> tensor<4x?x64xf32>
    %transposed_73 = linalg.transpose ins(%229 : tensor<?x4xf32>) outs(%159 : tensor<4x?xf32>) permutation = [1, 0] 
    %expanded_74 = tensor.expand_shape %transposed_73 [[0], [1, 2]] output_shape [4, %35, 1] : tensor<4x?xf32> into tensor<4x?x1xf32>
    %242 = linalg.generic {indexing_maps = [#map5, #map7, #map5], iterator_types = ["parallel", "parallel", "parallel"]} ins(%241, %expanded_74 : tensor<4x?x64xf32>, tensor<4x?x1xf32>) outs(%147 : tensor<4x?x64xf32>) {
    ^bb0(%in: f32, %in_112: f32, %out: f32):
      %343 = arith.mulf %in, %in_112 : f32
      linalg.yield %343 : f32
    } -> tensor<4x?x64xf32>
    %243 = linalg.generic {indexing_maps = [#map5, #map6], iterator_types = ["reduction", "parallel", "parallel"]} ins(%242 : tensor<4x?x64xf32>) outs(%37 : tensor<?x64xf32>) {
    ^bb0(%in: f32, %out: f32):
      %343 = arith.addf %in, %out : f32
      linalg.yield %343 : f32
    } -> tensor<?x64xf32>
    %244 = linalg.generic {indexing_maps = [#map4, #map4], iterator_types = ["parallel", "parallel"]} ins(%243 : tensor<?x64xf32>) outs(%39 : tensor<?x64xbf16>) {
    ^bb0(%in: f32, %out: bf16):
      %343 = arith.truncf %in : f32 to bf16
      linalg.yield %343 : bf16
    } -> tensor<?x64xbf16>
    %expanded_75 = tensor.expand_shape %244 [[0, 1], [2]] output_shape [%41, 32, 64] : tensor<?x64xbf16> into tensor<?x32x64xbf16>
    cf.assert %163, "mismatched size for broadcast"
    %245 = linalg.generic {indexing_maps = [#map5, #map5, #map5], iterator_types = ["parallel", "parallel", "parallel"]} ins(%200, %expanded_75 : tensor<?x32x64xbf16>, tensor<?x32x64xbf16>) outs(%19 : tensor<?x32x64xbf16>) {
    ^bb0(%in: bf16, %in_112: bf16, %out: bf16):
      %343 = arith.addf %in, %in_112 : bf16
      linalg.yield %343 : bf16
    } -> tensor<?x32x64xbf16>
    %246 = linalg.generic {indexing_maps = [#map5, #map5], iterator_types = ["parallel", "parallel", "parallel"]} ins(%245 : tensor<?x32x64xbf16>) outs(%16 : tensor<?x32x64xf32>) {
    ^bb0(%in: bf16, %out: f32):
      %343 = arith.extf %in : bf16 to f32
      linalg.yield %343 : f32
    } -> tensor<?x32x64xf32>
    %247 = linalg.generic {indexing_maps = [#map5, #map5], iterator_types = ["parallel", "parallel", "parallel"]} ins(%246 : tensor<?x32x64xf32>) outs(%16 : tensor<?x32x64xf32>) {
    ^bb0(%in: f32, %out: f32):
      %343 = math.fpowi %in, %c2_i64 : f32, i64
      linalg.yield %343 : f32
    } -> tensor<?x32x64xf32>
    %248 = linalg.generic {indexing_maps = [#map5, #map7], iterator_types = ["parallel", "parallel", "reduction"]} ins(%247 : tensor<?x32x64xf32>) outs(%24 : tensor<?x32x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      %343 = arith.addf %in, %out : f32
      linalg.yield %343 : f32
    } -> tensor<?x32x1xf32>
    %249 = linalg.generic {indexing_maps = [#map5, #map5], iterator_types = ["parallel", "parallel", "parallel"]} ins(%248 : tensor<?x32x1xf32>) outs(%23 : tensor<?x32x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      %343 = arith.divf %in, %cst_5 : f32
      linalg.yield %343 : f32
    } -> tensor<?x32x1xf32>
    %250 = linalg.generic {indexing_maps = [#map5, #map5], iterator_types = ["parallel", "parallel", "parallel"]} ins(%249 : tensor<?x32x1xf32>) outs(%23 : tensor<?x32x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      %343 = arith.truncf %cst_4 : f64 to f32
      %344 = arith.addf %in, %343 : f32
      linalg.yield %344 : f32
    } -> tensor<?x32x1xf32>
    %251 = linalg.generic {indexing_maps = [#map5, #map5], iterator_types = ["parallel", "parallel", "parallel"]} ins(%250 : tensor<?x32x1xf32>) outs(%23 : tensor<?x32x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      %343 = math.rsqrt %in : f32
      linalg.yield %343 : f32
    } -> tensor<?x32x1xf32>
    %252 = linalg.generic {indexing_maps = [#map5, #map7, #map5], iterator_types = ["parallel", "parallel", "parallel"]} ins(%246, %251 : tensor<?x32x64xf32>, tensor<?x32x1xf32>) outs(%16 : tensor<?x32x64xf32>) {
    ^bb0(%in: f32, %in_112: f32, %out: f32):
      %343 = arith.mulf %in, %in_112 : f32
      linalg.yield %343 : f32
    } -> tensor<?x32x64xf32>
    %253 = linalg.generic {indexing_maps = [#map1, #map1], iterator_types = ["parallel"]} ins(%arg20 : tensor<64xbf16>) outs(%30 : tensor<64xf32>) {
    ^bb0(%in: bf16, %out: f32):
      %343 = arith.extf %in : bf16 to f32
      linalg.yield %343 : f32
    } -> tensor<64xf32>
    %254 = linalg.generic {indexing_maps = [#map5, #map8, #map5], iterator_types = ["parallel", "parallel", "parallel"]} ins(%252, %253 : tensor<?x32x64xf32>, tensor<64xf32>) outs(%16 : tensor<?x32x64xf32>) {
    ^bb0(%in: f32, %in_112: f32, %out: f32):
      %343 = arith.mulf %in, %in_112 : f32
      linalg.yield %343 : f32
    } -> tensor<?x32x64xf32>
    %255 = linalg.generic {indexing_maps = [#map5, #map5], iterator_types = ["parallel", "parallel", "parallel"]} ins(%254 : tensor<?x32x64xf32>) outs(%19 : tensor<?x32x64xbf16>) {
    ^bb0(%in: f32, %out: bf16):
      %343 = arith.truncf %in : f32 to bf16
      linalg.yield %343 : bf16
    } -> tensor<?x32x64xbf16>
    %collapsed_76 = tensor.collapse_shape %255 [[0, 1], [2]] : tensor<?x32x64xbf16> into tensor<?x64xbf16>
    %transposed_77 = linalg.transpose ins(%arg21 : tensor<64x64xbf16>) outs(%34 : tensor<64x64xbf16>) permutation = [1, 0] 
    %256 = linalg.matmul ins(%collapsed_76, %transposed_77 : tensor<?x64xbf16>, tensor<64x64xbf16>) outs(%37 : tensor<?x64xf32>) -> tensor<?x64xf32>
    %257 = linalg.generic {indexing_maps = [#map4, #map4], iterator_types = ["parallel", "parallel"]} ins(%256 : tensor<?x64xf32>) outs(%39 : tensor<?x64xbf16>) {
    ^bb0(%in: f32, %out: bf16):
      %343 = arith.truncf %in : f32 to bf16
      linalg.yield %343 : bf16
    } -> tensor<?x64xbf16>
    %expanded_78 = tensor.expand_shape %257 [[0, 1], [2, 3]] output_shape [%41, 32, 2, 32] : tensor<?x64xbf16> into tensor<?x32x2x32xbf16>
    %transposed_79 = linalg.transpose ins(%expanded_78 : tensor<?x32x2x32xbf16>) outs(%42 : tensor<?x2x32x32xbf16>) permutation = [0, 2, 1, 3] 
    %transposed_80 = linalg.transpose ins(%arg22 : tensor<64x64xbf16>) outs(%34 : tensor<64x64xbf16>) permutation = [1, 0] 
    %258 = linalg.matmul ins(%collapsed_76, %transposed_80 : tensor<?x64xbf16>, tensor<64x64xbf16>) outs(%37 : tensor<?x64xf32>) -> tensor<?x64xf32>
    %259 = linalg.generic {indexing_maps = [#map4, #map4], iterator_types = ["parallel", "parallel"]} ins(%258 : tensor<?x64xf32>) outs(%39 : tensor<?x64xbf16>) {
    ^bb0(%in: f32, %out: bf16):
      %343 = arith.truncf %in : f32 to bf16
      linalg.yield %343 : bf16
    } -> tensor<?x64xbf16>
    %expanded_81 = tensor.expand_shape %259 [[0, 1], [2, 3]] output_shape [%41, 32, 2, 32] : tensor<?x64xbf16> into tensor<?x32x2x32xbf16>
    %transposed_82 = linalg.transpose ins(%arg23 : tensor<64x64xbf16>) outs(%34 : tensor<64x64xbf16>) permutation = [1, 0] 
    %260 = linalg.matmul ins(%collapsed_76, %transposed_82 : tensor<?x64xbf16>, tensor<64x64xbf16>) outs(%37 : tensor<?x64xf32>) -> tensor<?x64xf32>
    %261 = linalg.generic {indexing_maps = [#map4, #map4], iterator_types = ["parallel", "parallel"]} ins(%260 : tensor<?x64xf32>) outs(%39 : tensor<?x64xbf16>) {
    ^bb0(%in: f32, %out: bf16):
      %343 = arith.truncf %in : f32 to bf16
      linalg.yield %343 : bf16
    } -> tensor<?x64xbf16>
    %expanded_83 = tensor.expand_shape %261 [[0, 1], [2, 3]] output_shape [%41, 32, 2, 32] : tensor<?x64xbf16> into tensor<?x32x2x32xbf16>
    %transposed_84 = linalg.transpose ins(%expanded_83 : tensor<?x32x2x32xbf16>) outs(%42 : tensor<?x2x32x32xbf16>) permutation = [0, 2, 1, 3] 
    %transposed_85 = linalg.transpose ins(%expanded_81 : tensor<?x32x2x32xbf16>) outs(%42 : tensor<?x2x32x32xbf16>) permutation = [0, 2, 3, 1] 
    cf.assert %47, "unimplemented: dynamic negative broadcast sizes"
    %262 = linalg.generic {indexing_maps = [#map9], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} outs(%48 : tensor<?x2x32x32xbf16>) {
    ^bb0(%out: bf16):
      %343 = linalg.index 0 : index
      %344 = linalg.index 1 : index
      %345 = linalg.index 2 : index
      %346 = linalg.index 3 : index
      %347 = arith.cmpi eq, %41, %c1 : index
      %348 = arith.select %347, %c0, %343 : index
      %extracted = tensor.extract %transposed_79[%348, %344, %345, %346] : tensor<?x2x32x32xbf16>
      linalg.yield %extracted : bf16
    } -> tensor<?x2x32x32xbf16>
    %collapsed_86 = tensor.collapse_shape %262 [[0, 1], [2], [3]] : tensor<?x2x32x32xbf16> into tensor<?x32x32xbf16>
    cf.assert %47, "unimplemented: dynamic negative broadcast sizes"
    %263 = linalg.generic {indexing_maps = [#map9], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} outs(%48 : tensor<?x2x32x32xbf16>) {
    ^bb0(%out: bf16):
      %343 = linalg.index 0 : index
      %344 = linalg.index 1 : index
      %345 = linalg.index 2 : index
      %346 = linalg.index 3 : index
      %347 = arith.cmpi eq, %41, %c1 : index
      %348 = arith.select %347, %c0, %343 : index
      %extracted = tensor.extract %transposed_85[%348, %344, %345, %346] : tensor<?x2x32x32xbf16>
      linalg.yield %extracted : bf16
    } -> tensor<?x2x32x32xbf16>
    %collapsed_87 = tensor.collapse_shape %263 [[0, 1], [2], [3]] : tensor<?x2x32x32xbf16> into tensor<?x32x32xbf16>
    %264 = linalg.batch_matmul ins(%collapsed_86, %collapsed_87 : tensor<?x32x32xbf16>, tensor<?x32x32xbf16>) outs(%53 : tensor<?x32x32xf32>) -> tensor<?x32x32xf32>
    %265 = linalg.generic {indexing_maps = [#map5, #map5], iterator_types = ["parallel", "parallel", "parallel"]} ins(%264 : tensor<?x32x32xf32>) outs(%55 : tensor<?x32x32xbf16>) {
    ^bb0(%in: f32, %out: bf16):
      %343 = arith.truncf %in : f32 to bf16
      linalg.yield %343 : bf16
    } -> tensor<?x32x32xbf16>
    %expanded_88 = tensor.expand_shape %265 [[0, 1], [2], [3]] output_shape [%57, 2, 32, 32] : tensor<?x32x32xbf16> into tensor<?x2x32x32xbf16>
    %266 = linalg.generic {indexing_maps = [#map9, #map9], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%expanded_88 : tensor<?x2x32x32xbf16>) outs(%58 : tensor<?x2x32x32xf32>) {
    ^bb0(%in: bf16, %out: f32):
      %343 = arith.extf %in : bf16 to f32
      linalg.yield %343 : f32
    } -> tensor<?x2x32x32xf32>
    %267 = linalg.generic {indexing_maps = [#map9, #map9], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%266 : tensor<?x2x32x32xf32>) outs(%58 : tensor<?x2x32x32xf32>) {
    ^bb0(%in: f32, %out: f32):
      %343 = arith.truncf %cst_3 : f64 to f32
      %344 = arith.mulf %in, %343 : f32
      linalg.yield %344 : f32
    } -> tensor<?x2x32x32xf32>
    %268 = linalg.generic {indexing_maps = [#map12, #map13, #map9, #map9], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%64, %cst_2, %267 : tensor<32x32xi1>, tensor<f32>, tensor<?x2x32x32xf32>) outs(%58 : tensor<?x2x32x32xf32>) {
    ^bb0(%in: i1, %in_112: f32, %in_113: f32, %out: f32):
      %343 = arith.select %in, %in_112, %in_113 : f32
      linalg.yield %343 : f32
    } -> tensor<?x2x32x32xf32>
    %269:2 = linalg.generic {indexing_maps = [#map9, #map14, #map14], iterator_types = ["parallel", "parallel", "parallel", "reduction"]} ins(%268 : tensor<?x2x32x32xf32>) outs(%69, %67 : tensor<?x2x32xf32>, tensor<?x2x32xi64>) {
    ^bb0(%in: f32, %out: f32, %out_112: i64):
      %343 = linalg.index 3 : index
      %344 = arith.index_cast %343 : index to i64
      %345 = arith.maximumf %in, %out : f32
      %346 = arith.cmpf ogt, %in, %out : f32
      %347 = arith.select %346, %344, %out_112 : i64
      linalg.yield %345, %347 : f32, i64
    } -> (tensor<?x2x32xf32>, tensor<?x2x32xi64>)
    %expanded_89 = tensor.expand_shape %269#0 [[0], [1], [2, 3]] output_shape [%57, 2, 32, 1] : tensor<?x2x32xf32> into tensor<?x2x32x1xf32>
    %270 = linalg.generic {indexing_maps = [#map9, #map15, #map9], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%268, %expanded_89 : tensor<?x2x32x32xf32>, tensor<?x2x32x1xf32>) outs(%58 : tensor<?x2x32x32xf32>) {
    ^bb0(%in: f32, %in_112: f32, %out: f32):
      %343 = arith.subf %in, %in_112 : f32
      linalg.yield %343 : f32
    } -> tensor<?x2x32x32xf32>
    %271 = linalg.generic {indexing_maps = [#map9, #map9], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%270 : tensor<?x2x32x32xf32>) outs(%58 : tensor<?x2x32x32xf32>) {
    ^bb0(%in: f32, %out: f32):
      %343 = math.exp %in : f32
      linalg.yield %343 : f32
    } -> tensor<?x2x32x32xf32>
    %272 = linalg.generic {indexing_maps = [#map9, #map15], iterator_types = ["parallel", "parallel", "parallel", "reduction"]} ins(%271 : tensor<?x2x32x32xf32>) outs(%74 : tensor<?x2x32x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      %343 = arith.addf %in, %out : f32
      linalg.yield %343 : f32
    } -> tensor<?x2x32x1xf32>
    %273 = linalg.generic {indexing_maps = [#map9, #map15, #map9], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%271, %272 : tensor<?x2x32x32xf32>, tensor<?x2x32x1xf32>) outs(%58 : tensor<?x2x32x32xf32>) {
    ^bb0(%in: f32, %in_112: f32, %out: f32):
      %343 = arith.divf %in, %in_112 : f32
      linalg.yield %343 : f32
    } -> tensor<?x2x32x32xf32>
    %274 = linalg.generic {indexing_maps = [#map9, #map9], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%273 : tensor<?x2x32x32xf32>) outs(%77 : tensor<?x2x32x32xbf16>) {
    ^bb0(%in: f32, %out: bf16):
      %343 = arith.truncf %in : f32 to bf16
      linalg.yield %343 : bf16
    } -> tensor<?x2x32x32xbf16>
    cf.assert %47, "unimplemented: dynamic negative broadcast sizes"
    %275 = linalg.generic {indexing_maps = [#map9], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} outs(%48 : tensor<?x2x32x32xbf16>) {
    ^bb0(%out: bf16):
      %343 = linalg.index 0 : index
      %344 = linalg.index 1 : index
      %345 = linalg.index 2 : index
      %346 = linalg.index 3 : index
      %347 = arith.cmpi eq, %57, %c1 : index
      %348 = arith.select %347, %c0, %343 : index
      %extracted = tensor.extract %274[%348, %344, %345, %346] : tensor<?x2x32x32xbf16>
      linalg.yield %extracted : bf16
    } -> tensor<?x2x32x32xbf16>
    %collapsed_90 = tensor.collapse_shape %275 [[0, 1], [2], [3]] : tensor<?x2x32x32xbf16> into tensor<?x32x32xbf16>
    cf.assert %47, "unimplemented: dynamic negative broadcast sizes"
    %276 = linalg.generic {indexing_maps = [#map9], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} outs(%48 : tensor<?x2x32x32xbf16>) {
    ^bb0(%out: bf16):
      %343 = linalg.index 0 : index
      %344 = linalg.index 1 : index
      %345 = linalg.index 2 : index
      %346 = linalg.index 3 : index
      %347 = arith.cmpi eq, %41, %c1 : index
      %348 = arith.select %347, %c0, %343 : index
      %extracted = tensor.extract %transposed_84[%348, %344, %345, %346] : tensor<?x2x32x32xbf16>
      linalg.yield %extracted : bf16
    } -> tensor<?x2x32x32xbf16>
    %collapsed_91 = tensor.collapse_shape %276 [[0, 1], [2], [3]] : tensor<?x2x32x32xbf16> into tensor<?x32x32xbf16>
    %277 = linalg.batch_matmul ins(%collapsed_90, %collapsed_91 : tensor<?x32x32xbf16>, tensor<?x32x32xbf16>) outs(%53 : tensor<?x32x32xf32>) -> tensor<?x32x32xf32>
    %278 = linalg.generic {indexing_maps = [#map5, #map5], iterator_types = ["parallel", "parallel", "parallel"]} ins(%277 : tensor<?x32x32xf32>) outs(%55 : tensor<?x32x32xbf16>) {
    ^bb0(%in: f32, %out: bf16):
      %343 = arith.truncf %in : f32 to bf16
      linalg.yield %343 : bf16
    } -> tensor<?x32x32xbf16>
    %expanded_92 = tensor.expand_shape %278 [[0, 1], [2], [3]] output_shape [%57, 2, 32, 32] : tensor<?x32x32xbf16> into tensor<?x2x32x32xbf16>
    %transposed_93 = linalg.transpose ins(%expanded_92 : tensor<?x2x32x32xbf16>) outs(%83 : tensor<?x32x2x32xbf16>) permutation = [0, 2, 1, 3] 
    %collapsed_94 = tensor.collapse_shape %transposed_93 [[0, 1], [2, 3]] : tensor<?x32x2x32xbf16> into tensor<?x64xbf16>
    %transposed_95 = linalg.transpose ins(%arg24 : tensor<64x64xbf16>) outs(%34 : tensor<64x64xbf16>) permutation = [1, 0] 
    %279 = linalg.matmul ins(%collapsed_94, %transposed_95 : tensor<?x64xbf16>, tensor<64x64xbf16>) outs(%86 : tensor<?x64xf32>) -> tensor<?x64xf32>
    %280 = linalg.generic {indexing_maps = [#map4, #map4], iterator_types = ["parallel", "parallel"]} ins(%279 : tensor<?x64xf32>) outs(%88 : tensor<?x64xbf16>) {
    ^bb0(%in: f32, %out: bf16):
      %343 = arith.truncf %in : f32 to bf16
      linalg.yield %343 : bf16
    } -> tensor<?x64xbf16>
    %expanded_96 = tensor.expand_shape %280 [[0, 1], [2]] output_shape [%90, 32, 64] : tensor<?x64xbf16> into tensor<?x32x64xbf16>
    cf.assert %91, "mismatched size for broadcast"
    %281 = linalg.generic {indexing_maps = [#map5, #map5, #map5], iterator_types = ["parallel", "parallel", "parallel"]} ins(%245, %expanded_96 : tensor<?x32x64xbf16>, tensor<?x32x64xbf16>) outs(%19 : tensor<?x32x64xbf16>) {
    ^bb0(%in: bf16, %in_112: bf16, %out: bf16):
      %343 = arith.addf %in, %in_112 : bf16
      linalg.yield %343 : bf16
    } -> tensor<?x32x64xbf16>
    %282 = linalg.generic {indexing_maps = [#map5, #map5], iterator_types = ["parallel", "parallel", "parallel"]} ins(%281 : tensor<?x32x64xbf16>) outs(%16 : tensor<?x32x64xf32>) {
    ^bb0(%in: bf16, %out: f32):
      %343 = arith.extf %in : bf16 to f32
      linalg.yield %343 : f32
    } -> tensor<?x32x64xf32>
    %283 = linalg.generic {indexing_maps = [#map5, #map5], iterator_types = ["parallel", "parallel", "parallel"]} ins(%282 : tensor<?x32x64xf32>) outs(%16 : tensor<?x32x64xf32>) {
    ^bb0(%in: f32, %out: f32):
      %343 = math.fpowi %in, %c2_i64 : f32, i64
      linalg.yield %343 : f32
    } -> tensor<?x32x64xf32>
    %284 = linalg.generic {indexing_maps = [#map5, #map7], iterator_types = ["parallel", "parallel", "reduction"]} ins(%283 : tensor<?x32x64xf32>) outs(%24 : tensor<?x32x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      %343 = arith.addf %in, %out : f32
      linalg.yield %343 : f32
    } -> tensor<?x32x1xf32>
    %285 = linalg.generic {indexing_maps = [#map5, #map5], iterator_types = ["parallel", "parallel", "parallel"]} ins(%284 : tensor<?x32x1xf32>) outs(%23 : tensor<?x32x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      %343 = arith.divf %in, %cst_5 : f32
      linalg.yield %343 : f32
    } -> tensor<?x32x1xf32>
    %286 = linalg.generic {indexing_maps = [#map5, #map5], iterator_types = ["parallel", "parallel", "parallel"]} ins(%285 : tensor<?x32x1xf32>) outs(%23 : tensor<?x32x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      %343 = arith.truncf %cst_4 : f64 to f32
      %344 = arith.addf %in, %343 : f32
      linalg.yield %344 : f32
    } -> tensor<?x32x1xf32>
    %287 = linalg.generic {indexing_maps = [#map5, #map5], iterator_types = ["parallel", "parallel", "parallel"]} ins(%286 : tensor<?x32x1xf32>) outs(%23 : tensor<?x32x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      %343 = math.rsqrt %in : f32
      linalg.yield %343 : f32
    } -> tensor<?x32x1xf32>
    %288 = linalg.generic {indexing_maps = [#map5, #map7, #map5], iterator_types = ["parallel", "parallel", "parallel"]} ins(%282, %287 : tensor<?x32x64xf32>, tensor<?x32x1xf32>) outs(%16 : tensor<?x32x64xf32>) {
    ^bb0(%in: f32, %in_112: f32, %out: f32):
      %343 = arith.mulf %in, %in_112 : f32
      linalg.yield %343 : f32
    } -> tensor<?x32x64xf32>
    %289 = linalg.generic {indexing_maps = [#map1, #map1], iterator_types = ["parallel"]} ins(%arg25 : tensor<64xbf16>) outs(%30 : tensor<64xf32>) {
    ^bb0(%in: bf16, %out: f32):
      %343 = arith.extf %in : bf16 to f32
      linalg.yield %343 : f32
    } -> tensor<64xf32>
    %290 = linalg.generic {indexing_maps = [#map5, #map8, #map5], iterator_types = ["parallel", "parallel", "parallel"]} ins(%288, %289 : tensor<?x32x64xf32>, tensor<64xf32>) outs(%16 : tensor<?x32x64xf32>) {
    ^bb0(%in: f32, %in_112: f32, %out: f32):
      %343 = arith.mulf %in, %in_112 : f32
      linalg.yield %343 : f32
    } -> tensor<?x32x64xf32>
    %291 = linalg.generic {indexing_maps = [#map5, #map5], iterator_types = ["parallel", "parallel", "parallel"]} ins(%290 : tensor<?x32x64xf32>) outs(%19 : tensor<?x32x64xbf16>) {
    ^bb0(%in: f32, %out: bf16):
      %343 = arith.truncf %in : f32 to bf16
      linalg.yield %343 : bf16
    } -> tensor<?x32x64xbf16>
    %collapsed_97 = tensor.collapse_shape %291 [[0, 1], [2]] : tensor<?x32x64xbf16> into tensor<?x64xbf16>
    %transposed_98 = linalg.transpose ins(%arg26 : tensor<4x64xbf16>) outs(%103 : tensor<64x4xbf16>) permutation = [1, 0] 
    %292 = linalg.matmul ins(%collapsed_97, %transposed_98 : tensor<?x64xbf16>, tensor<64x4xbf16>) outs(%105 : tensor<?x4xf32>) -> tensor<?x4xf32>
    %293 = linalg.generic {indexing_maps = [#map4, #map4], iterator_types = ["parallel", "parallel"]} ins(%292 : tensor<?x4xf32>) outs(%107 : tensor<?x4xbf16>) {
    ^bb0(%in: f32, %out: bf16):
      %343 = arith.truncf %in : f32 to bf16
      linalg.yield %343 : bf16
    } -> tensor<?x4xbf16>
    %294 = linalg.generic {indexing_maps = [#map4, #map4], iterator_types = ["parallel", "parallel"]} ins(%293 : tensor<?x4xbf16>) outs(%104 : tensor<?x4xf32>) {
    ^bb0(%in: bf16, %out: f32):
      %343 = arith.extf %in : bf16 to f32
      linalg.yield %343 : f32
    } -> tensor<?x4xf32>
    %295:2 = linalg.generic {indexing_maps = [#map4, #map16, #map16], iterator_types = ["parallel", "reduction"]} ins(%294 : tensor<?x4xf32>) outs(%113, %111 : tensor<?xf32>, tensor<?xi64>) {
    ^bb0(%in: f32, %out: f32, %out_112: i64):
      %343 = linalg.index 1 : index
      %344 = arith.index_cast %343 : index to i64
      %345 = arith.maximumf %in, %out : f32
      %346 = arith.cmpf ogt, %in, %out : f32
      %347 = arith.select %346, %344, %out_112 : i64
      linalg.yield %345, %347 : f32, i64
    } -> (tensor<?xf32>, tensor<?xi64>)
    %expanded_99 = tensor.expand_shape %295#0 [[0, 1]] output_shape [%35, 1] : tensor<?xf32> into tensor<?x1xf32>
    %296 = linalg.generic {indexing_maps = [#map4, #map2, #map4], iterator_types = ["parallel", "parallel"]} ins(%294, %expanded_99 : tensor<?x4xf32>, tensor<?x1xf32>) outs(%104 : tensor<?x4xf32>) {
    ^bb0(%in: f32, %in_112: f32, %out: f32):
      %343 = arith.subf %in, %in_112 : f32
      linalg.yield %343 : f32
    } -> tensor<?x4xf32>
    %297 = linalg.generic {indexing_maps = [#map4, #map4], iterator_types = ["parallel", "parallel"]} ins(%296 : tensor<?x4xf32>) outs(%104 : tensor<?x4xf32>) {
    ^bb0(%in: f32, %out: f32):
      %343 = math.exp %in : f32
      linalg.yield %343 : f32
    } -> tensor<?x4xf32>
    %298 = linalg.generic {indexing_maps = [#map4, #map2], iterator_types = ["parallel", "reduction"]} ins(%297 : tensor<?x4xf32>) outs(%118 : tensor<?x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      %343 = arith.addf %in, %out : f32
      linalg.yield %343 : f32
    } -> tensor<?x1xf32>
    %299 = linalg.generic {indexing_maps = [#map4, #map2, #map4], iterator_types = ["parallel", "parallel"]} ins(%297, %298 : tensor<?x4xf32>, tensor<?x1xf32>) outs(%104 : tensor<?x4xf32>) {
    ^bb0(%in: f32, %in_112: f32, %out: f32):
      %343 = arith.divf %in, %in_112 : f32
      linalg.yield %343 : f32
    } -> tensor<?x4xf32>
    %expanded_100 = tensor.expand_shape %299 [[0], [1, 2]] output_shape [%35, 4, 1] : tensor<?x4xf32> into tensor<?x4x1xf32>
    %expanded_101 = tensor.expand_shape %299 [[0], [1, 2]] output_shape [%35, 1, 4] : tensor<?x4xf32> into tensor<?x1x4xf32>
    %300 = linalg.generic {indexing_maps = [#map17, #map7, #map5], iterator_types = ["parallel", "parallel", "parallel"]} ins(%expanded_101, %expanded_100 : tensor<?x1x4xf32>, tensor<?x4x1xf32>) outs(%125 : tensor<?x4x4xi1>) {
    ^bb0(%in: f32, %in_112: f32, %out: i1):
      %343 = arith.cmpf ogt, %in, %in_112 : f32
      linalg.yield %343 : i1
    } -> tensor<?x4x4xi1>
    %301 = linalg.generic {indexing_maps = [#map17, #map7, #map5], iterator_types = ["parallel", "parallel", "parallel"]} ins(%expanded_101, %expanded_100 : tensor<?x1x4xf32>, tensor<?x4x1xf32>) outs(%125 : tensor<?x4x4xi1>) {
    ^bb0(%in: f32, %in_112: f32, %out: i1):
      %343 = arith.cmpf oeq, %in, %in_112 : f32
      linalg.yield %343 : i1
    } -> tensor<?x4x4xi1>
    %302 = linalg.generic {indexing_maps = [#map5, #map6, #map5], iterator_types = ["parallel", "parallel", "parallel"]} ins(%301, %124 : tensor<?x4x4xi1>, tensor<4x4xi1>) outs(%125 : tensor<?x4x4xi1>) {
    ^bb0(%in: i1, %in_112: i1, %out: i1):
      %343 = arith.andi %in, %in_112 : i1
      linalg.yield %343 : i1
    } -> tensor<?x4x4xi1>
    %303 = linalg.generic {indexing_maps = [#map5, #map5, #map5], iterator_types = ["parallel", "parallel", "parallel"]} ins(%300, %302 : tensor<?x4x4xi1>, tensor<?x4x4xi1>) outs(%125 : tensor<?x4x4xi1>) {
    ^bb0(%in: i1, %in_112: i1, %out: i1):
      %343 = arith.ori %in, %in_112 : i1
      linalg.yield %343 : i1
    } -> tensor<?x4x4xi1>
    %304 = linalg.generic {indexing_maps = [#map5, #map5], iterator_types = ["parallel", "parallel", "parallel"]} ins(%303 : tensor<?x4x4xi1>) outs(%130 : tensor<?x4x4xf32>) {
    ^bb0(%in: i1, %out: f32):
      %343 = arith.uitofp %in : i1 to f32
      linalg.yield %343 : f32
    } -> tensor<?x4x4xf32>
    %305 = linalg.generic {indexing_maps = [#map5, #map18], iterator_types = ["parallel", "parallel", "reduction"]} ins(%304 : tensor<?x4x4xf32>) outs(%105 : tensor<?x4xf32>) {
    ^bb0(%in: f32, %out: f32):
      %343 = arith.addf %in, %out : f32
      linalg.yield %343 : f32
    } -> tensor<?x4xf32>
    %306 = linalg.generic {indexing_maps = [#map4, #map4], iterator_types = ["parallel", "parallel"]} ins(%305 : tensor<?x4xf32>) outs(%133 : tensor<?x4xi1>) {
    ^bb0(%in: f32, %out: i1):
      %343 = arith.cmpf olt, %in, %cst_6 : f32
      linalg.yield %343 : i1
    } -> tensor<?x4xi1>
    %307 = linalg.generic {indexing_maps = [#map4, #map4], iterator_types = ["parallel", "parallel"]} ins(%306 : tensor<?x4xi1>) outs(%104 : tensor<?x4xf32>) {
    ^bb0(%in: i1, %out: f32):
      %343 = arith.uitofp %in : i1 to f32
      linalg.yield %343 : f32
    } -> tensor<?x4xf32>
    %308 = linalg.generic {indexing_maps = [#map4, #map4, #map4], iterator_types = ["parallel", "parallel"]} ins(%299, %307 : tensor<?x4xf32>, tensor<?x4xf32>) outs(%104 : tensor<?x4xf32>) {
    ^bb0(%in: f32, %in_112: f32, %out: f32):
      %343 = arith.mulf %in, %in_112 : f32
      linalg.yield %343 : f32
    } -> tensor<?x4xf32>
    %309 = linalg.generic {indexing_maps = [#map4, #map2], iterator_types = ["parallel", "reduction"]} ins(%308 : tensor<?x4xf32>) outs(%118 : tensor<?x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      %343 = arith.addf %in, %out : f32
      linalg.yield %343 : f32
    } -> tensor<?x1xf32>
    %310 = linalg.generic {indexing_maps = [#map4, #map2, #map4], iterator_types = ["parallel", "parallel"]} ins(%308, %309 : tensor<?x4xf32>, tensor<?x1xf32>) outs(%104 : tensor<?x4xf32>) {
    ^bb0(%in: f32, %in_112: f32, %out: f32):
      %343 = arith.divf %in, %in_112 : f32
      linalg.yield %343 : f32
    } -> tensor<?x4xf32>
    %311 = linalg.generic {indexing_maps = [#map6, #map5], iterator_types = ["parallel", "parallel", "parallel"]} ins(%collapsed_97 : tensor<?x64xbf16>) outs(%139 : tensor<4x?x64xbf16>) {
    ^bb0(%in: bf16, %out: bf16):
      linalg.yield %in : bf16
    } -> tensor<4x?x64xbf16>
    %transposed_102 = linalg.transpose ins(%arg27 : tensor<4x128x64xbf16>) outs(%141 : tensor<4x64x128xbf16>) permutation = [0, 2, 1] 
    %312 = linalg.batch_matmul ins(%311, %transposed_102 : tensor<4x?x64xbf16>, tensor<4x64x128xbf16>) outs(%143 : tensor<4x?x128xf32>) -> tensor<4x?x128xf32>
    %313 = linalg.generic {indexing_maps = [#map5, #map5], iterator_types = ["parallel", "parallel", "parallel"]} ins(%312 : tensor<4x?x128xf32>) outs(%145 : tensor<4x?x128xbf16>) {
    ^bb0(%in: f32, %out: bf16):
      %343 = arith.truncf %in : f32 to bf16
      linalg.yield %343 : bf16
    } -> tensor<4x?x128xbf16>
    %extracted_slice_103 = tensor.extract_slice %313[0, 0, 0] [4, %35, 64] [1, 1, 1] : tensor<4x?x128xbf16> to tensor<4x?x64xbf16>
    %extracted_slice_104 = tensor.extract_slice %313[0, 0, 64] [4, %35, 64] [1, 1, 1] : tensor<4x?x128xbf16> to tensor<4x?x64xbf16>
    %314 = linalg.generic {indexing_maps = [#map5, #map5], iterator_types = ["parallel", "parallel", "parallel"]} ins(%extracted_slice_103 : tensor<4x?x64xbf16>) outs(%147 : tensor<4x?x64xf32>) {
    ^bb0(%in: bf16, %out: f32):
      %343 = arith.extf %in : bf16 to f32
      linalg.yield %343 : f32
    } -> tensor<4x?x64xf32>
    %315 = linalg.generic {indexing_maps = [#map5, #map5], iterator_types = ["parallel", "parallel", "parallel"]} ins(%314 : tensor<4x?x64xf32>) outs(%147 : tensor<4x?x64xf32>) {
    ^bb0(%in: f32, %out: f32):
      %343 = arith.negf %in : f32
      %344 = math.exp %343 : f32
      %345 = arith.addf %344, %cst_1 : f32
      %346 = arith.divf %cst_1, %345 : f32
      linalg.yield %346 : f32
    } -> tensor<4x?x64xf32>
    %316 = linalg.generic {indexing_maps = [#map5, #map5, #map5], iterator_types = ["parallel", "parallel", "parallel"]} ins(%314, %315 : tensor<4x?x64xf32>, tensor<4x?x64xf32>) outs(%147 : tensor<4x?x64xf32>) {
    ^bb0(%in: f32, %in_112: f32, %out: f32):
      %343 = arith.mulf %in, %in_112 : f32
      linalg.yield %343 : f32
    } -> tensor<4x?x64xf32>
    %317 = linalg.generic {indexing_maps = [#map5, #map5], iterator_types = ["parallel", "parallel", "parallel"]} ins(%extracted_slice_104 : tensor<4x?x64xbf16>) outs(%147 : tensor<4x?x64xf32>) {
    ^bb0(%in: bf16, %out: f32):
      %343 = arith.extf %in : bf16 to f32
      linalg.yield %343 : f32
    } -> tensor<4x?x64xf32>
    %318 = linalg.generic {indexing_maps = [#map5, #map5, #map5], iterator_types = ["parallel", "parallel", "parallel"]} ins(%316, %317 : tensor<4x?x64xf32>, tensor<4x?x64xf32>) outs(%147 : tensor<4x?x64xf32>) {
    ^bb0(%in: f32, %in_112: f32, %out: f32):
      %343 = arith.mulf %in, %in_112 : f32
      linalg.yield %343 : f32
    } -> tensor<4x?x64xf32>
    %319 = linalg.generic {indexing_maps = [#map5, #map5], iterator_types = ["parallel", "parallel", "parallel"]} ins(%318 : tensor<4x?x64xf32>) outs(%139 : tensor<4x?x64xbf16>) {
    ^bb0(%in: f32, %out: bf16):
      %343 = arith.truncf %in : f32 to bf16
      linalg.yield %343 : bf16
    } -> tensor<4x?x64xbf16>
    %transposed_105 = linalg.transpose ins(%arg28 : tensor<4x64x64xbf16>) outs(%154 : tensor<4x64x64xbf16>) permutation = [0, 2, 1] 
    %320 = linalg.batch_matmul ins(%319, %transposed_105 : tensor<4x?x64xbf16>, tensor<4x64x64xbf16>) outs(%155 : tensor<4x?x64xf32>) -> tensor<4x?x64xf32>
    %321 = linalg.generic {indexing_maps = [#map5, #map5], iterator_types = ["parallel", "parallel", "parallel"]} ins(%320 : tensor<4x?x64xf32>) outs(%139 : tensor<4x?x64xbf16>) {
    ^bb0(%in: f32, %out: bf16):
      %343 = arith.truncf %in : f32 to bf16
      linalg.yield %343 : bf16
    } -> tensor<4x?x64xbf16>
    %322 = linalg.generic {indexing_maps = [#map5, #map5], iterator_types = ["parallel", "parallel", "parallel"]} ins(%321 : tensor<4x?x64xbf16>) outs(%147 : tensor<4x?x64xf32>) {
    ^bb0(%in: bf16, %out: f32):
      %343 = arith.extf %in : bf16 to f32
      linalg.yield %343 : f32
    } -> tensor<4x?x64xf32>
    %transposed_106 = linalg.transpose ins(%310 : tensor<?x4xf32>) outs(%159 : tensor<4x?xf32>) permutation = [1, 0] 
    %expanded_107 = tensor.expand_shape %transposed_106 [[0], [1, 2]] output_shape [4, %35, 1] : tensor<4x?xf32> into tensor<4x?x1xf32>
    %323 = linalg.generic {indexing_maps = [#map5, #map7, #map5], iterator_types = ["parallel", "parallel", "parallel"]} ins(%322, %expanded_107 : tensor<4x?x64xf32>, tensor<4x?x1xf32>) outs(%147 : tensor<4x?x64xf32>) {
    ^bb0(%in: f32, %in_112: f32, %out: f32):
      %343 = arith.mulf %in, %in_112 : f32
      linalg.yield %343 : f32
    } -> tensor<4x?x64xf32>
    %324 = linalg.generic {indexing_maps = [#map5, #map6], iterator_types = ["reduction", "parallel", "parallel"]} ins(%323 : tensor<4x?x64xf32>) outs(%37 : tensor<?x64xf32>) {
    ^bb0(%in: f32, %out: f32):
      %343 = arith.addf %in, %out : f32
      linalg.yield %343 : f32
    } -> tensor<?x64xf32>
    %325 = linalg.generic {indexing_maps = [#map4, #map4], iterator_types = ["parallel", "parallel"]} ins(%324 : tensor<?x64xf32>) outs(%39 : tensor<?x64xbf16>) {
    ^bb0(%in: f32, %out: bf16):
      %343 = arith.truncf %in : f32 to bf16
      linalg.yield %343 : bf16
    } -> tensor<?x64xbf16>
    %expanded_108 = tensor.expand_shape %325 [[0, 1], [2]] output_shape [%41, 32, 64] : tensor<?x64xbf16> into tensor<?x32x64xbf16>
    cf.assert %163, "mismatched size for broadcast"
    %326 = linalg.generic {indexing_maps = [#map5, #map5, #map5], iterator_types = ["parallel", "parallel", "parallel"]} ins(%281, %expanded_108 : tensor<?x32x64xbf16>, tensor<?x32x64xbf16>) outs(%19 : tensor<?x32x64xbf16>) {
    ^bb0(%in: bf16, %in_112: bf16, %out: bf16):
      %343 = arith.addf %in, %in_112 : bf16
      linalg.yield %343 : bf16
    } -> tensor<?x32x64xbf16>
    %327 = linalg.generic {indexing_maps = [#map5, #map5], iterator_types = ["parallel", "parallel", "parallel"]} ins(%326 : tensor<?x32x64xbf16>) outs(%16 : tensor<?x32x64xf32>) {
    ^bb0(%in: bf16, %out: f32):
      %343 = arith.extf %in : bf16 to f32
      linalg.yield %343 : f32
    } -> tensor<?x32x64xf32>
    %328 = linalg.generic {indexing_maps = [#map5, #map5], iterator_types = ["parallel", "parallel", "parallel"]} ins(%327 : tensor<?x32x64xf32>) outs(%16 : tensor<?x32x64xf32>) {
    ^bb0(%in: f32, %out: f32):
      %343 = math.fpowi %in, %c2_i64 : f32, i64
      linalg.yield %343 : f32
    } -> tensor<?x32x64xf32>
    %329 = linalg.generic {indexing_maps = [#map5, #map7], iterator_types = ["parallel", "parallel", "reduction"]} ins(%328 : tensor<?x32x64xf32>) outs(%24 : tensor<?x32x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      %343 = arith.addf %in, %out : f32
      linalg.yield %343 : f32
    } -> tensor<?x32x1xf32>
    %330 = linalg.generic {indexing_maps = [#map5, #map5], iterator_types = ["parallel", "parallel", "parallel"]} ins(%329 : tensor<?x32x1xf32>) outs(%23 : tensor<?x32x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      %343 = arith.divf %in, %cst_5 : f32
      linalg.yield %343 : f32
    } -> tensor<?x32x1xf32>
    %331 = linalg.generic {indexing_maps = [#map5, #map5], iterator_types = ["parallel", "parallel", "parallel"]} ins(%330 : tensor<?x32x1xf32>) outs(%23 : tensor<?x32x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      %343 = arith.truncf %cst_4 : f64 to f32
      %344 = arith.addf %in, %343 : f32
      linalg.yield %344 : f32
    } -> tensor<?x32x1xf32>
    %332 = linalg.generic {indexing_maps = [#map5, #map5], iterator_types = ["parallel", "parallel", "parallel"]} ins(%331 : tensor<?x32x1xf32>) outs(%23 : tensor<?x32x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      %343 = math.rsqrt %in : f32
      linalg.yield %343 : f32
    } -> tensor<?x32x1xf32>
    %333 = linalg.generic {indexing_maps = [#map5, #map7, #map5], iterator_types = ["parallel", "parallel", "parallel"]} ins(%327, %332 : tensor<?x32x64xf32>, tensor<?x32x1xf32>) outs(%16 : tensor<?x32x64xf32>) {
    ^bb0(%in: f32, %in_112: f32, %out: f32):
      %343 = arith.mulf %in, %in_112 : f32
      linalg.yield %343 : f32
    } -> tensor<?x32x64xf32>
    %334 = linalg.generic {indexing_maps = [#map1, #map1], iterator_types = ["parallel"]} ins(%arg29 : tensor<64xbf16>) outs(%30 : tensor<64xf32>) {
    ^bb0(%in: bf16, %out: f32):
      %343 = arith.extf %in : bf16 to f32
      linalg.yield %343 : f32
    } -> tensor<64xf32>
    %335 = linalg.generic {indexing_maps = [#map5, #map8, #map5], iterator_types = ["parallel", "parallel", "parallel"]} ins(%333, %334 : tensor<?x32x64xf32>, tensor<64xf32>) outs(%16 : tensor<?x32x64xf32>) {
    ^bb0(%in: f32, %in_112: f32, %out: f32):
      %343 = arith.mulf %in, %in_112 : f32
      linalg.yield %343 : f32
    } -> tensor<?x32x64xf32>
    %336 = linalg.generic {indexing_maps = [#map5, #map5], iterator_types = ["parallel", "parallel", "parallel"]} ins(%335 : tensor<?x32x64xf32>) outs(%19 : tensor<?x32x64xbf16>) {
    ^bb0(%in: f32, %out: bf16):
      %343 = arith.truncf %in : f32 to bf16
      linalg.yield %343 : bf16
    } -> tensor<?x32x64xbf16>
    %collapsed_109 = tensor.collapse_shape %336 [[0, 1], [2]] : tensor<?x32x64xbf16> into tensor<?x64xbf16>
    %337 = tensor.empty() : tensor<64x16xbf16>
    %transposed_110 = linalg.transpose ins(%arg30 : tensor<16x64xbf16>) outs(%337 : tensor<64x16xbf16>) permutation = [1, 0] 
    %338 = tensor.empty(%35) : tensor<?x16xf32>
    %339 = linalg.fill ins(%cst : f32) outs(%338 : tensor<?x16xf32>) -> tensor<?x16xf32>
    %340 = linalg.matmul ins(%collapsed_109, %transposed_110 : tensor<?x64xbf16>, tensor<64x16xbf16>) outs(%339 : tensor<?x16xf32>) -> tensor<?x16xf32>
    %341 = tensor.empty(%35) : tensor<?x16xbf16>
    %342 = linalg.generic {indexing_maps = [#map4, #map4], iterator_types = ["parallel", "parallel"]} ins(%340 : tensor<?x16xf32>) outs(%341 : tensor<?x16xbf16>) {
    ^bb0(%in: f32, %out: bf16):
      %343 = arith.truncf %in : f32 to bf16
      linalg.yield %343 : bf16
    } -> tensor<?x16xbf16>
    %expanded_111 = tensor.expand_shape %342 [[0, 1], [2]] output_shape [%41, 32, 16] : tensor<?x16xbf16> into tensor<?x32x16xbf16>
    return %expanded_111 : tensor<?x32x16xbf16>
  }
}
