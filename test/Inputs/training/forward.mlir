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
    %c32_i64 = arith.constant 32 : i64
    %c1_i64 = arith.constant 1 : i64
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
    %c64_i64 = arith.constant 64 : i64
    %cst_5 = arith.constant 6.400000e+01 : f32
    %cst_6 = arith.constant 2.000000e+00 : f32
    %c2048_i64 = arith.constant 2048 : i64
    %c16_i64 = arith.constant 16 : i64
    %dim = tensor.dim %arg31, %c0 : tensor<?x32xi64>
    %0 = arith.index_cast %dim : index to i64
    %collapsed = tensor.collapse_shape %arg31 [[0, 1]] : tensor<?x32xi64> into tensor<?xi64>
    %1 = affine.apply #map()[%dim]
    %expanded = tensor.expand_shape %collapsed [[0, 1]] output_shape [%1, 1] : tensor<?xi64> into tensor<?x1xi64>
    %2 = tensor.empty() : tensor<16xi64>
    %3 = linalg.generic {indexing_maps = [#map1], iterator_types = ["parallel"]} outs(%2 : tensor<16xi64>) {
    ^bb0(%out: i64):
      %373 = linalg.index 0 : index
      %374 = arith.index_cast %373 : index to i64
      linalg.yield %374 : i64
    } -> tensor<16xi64>
    %4 = tensor.empty(%1) : tensor<?x16xi1>
    %5 = linalg.generic {indexing_maps = [#map2, #map3, #map4], iterator_types = ["parallel", "parallel"]} ins(%expanded, %3 : tensor<?x1xi64>, tensor<16xi64>) outs(%4 : tensor<?x16xi1>) {
    ^bb0(%in: i64, %in_114: i64, %out: i1):
      %373 = arith.cmpi eq, %in, %in_114 : i64
      linalg.yield %373 : i1
    } -> tensor<?x16xi1>
    %6 = tensor.empty(%1) : tensor<?x16xbf16>
    %7 = linalg.generic {indexing_maps = [#map4, #map4], iterator_types = ["parallel", "parallel"]} ins(%5 : tensor<?x16xi1>) outs(%6 : tensor<?x16xbf16>) {
    ^bb0(%in: i1, %out: bf16):
      %373 = arith.uitofp %in : i1 to bf16
      linalg.yield %373 : bf16
    } -> tensor<?x16xbf16>
    %8 = tensor.empty(%1) : tensor<?x64xf32>
    %9 = linalg.fill ins(%cst : f32) outs(%8 : tensor<?x64xf32>) -> tensor<?x64xf32>
    %10 = linalg.matmul ins(%7, %arg0 : tensor<?x16xbf16>, tensor<16x64xbf16>) outs(%9 : tensor<?x64xf32>) -> tensor<?x64xf32>
    %11 = tensor.empty(%1) : tensor<?x64xbf16>
    %12 = linalg.generic {indexing_maps = [#map4, #map4], iterator_types = ["parallel", "parallel"]} ins(%10 : tensor<?x64xf32>) outs(%11 : tensor<?x64xbf16>) {
    ^bb0(%in: f32, %out: bf16):
      %373 = arith.truncf %in : f32 to bf16
      linalg.yield %373 : bf16
    } -> tensor<?x64xbf16>
    %13 = tensor.empty() : tensor<32x64xf32>
    %14 = linalg.generic {indexing_maps = [#map4, #map4], iterator_types = ["parallel", "parallel"]} ins(%arg1 : tensor<32x64xbf16>) outs(%13 : tensor<32x64xf32>) {
    ^bb0(%in: bf16, %out: f32):
      %373 = arith.extf %in : bf16 to f32
      linalg.yield %373 : f32
    } -> tensor<32x64xf32>
    %15 = arith.cmpi slt, %0, %c0_i64 : i64
    %16 = arith.select %15, %c1_i64, %0 : i64
    %17 = arith.extui %15 : i1 to i64
    %18 = arith.muli %16, %c32_i64 : i64
    %19 = arith.addi %17, %c1_i64 : i64
    %20 = arith.cmpi sle, %19, %c1_i64 : i64
    cf.assert %20, "must have at most one inferred (negative) dimension"
    %21 = arith.index_cast %1 : index to i64
    %22 = arith.muli %21, %c64_i64 : i64
    %23 = arith.divsi %22, %18 : i64
    %24 = arith.select %15, %23, %0 : i64
    %from_elements = tensor.from_elements %24, %c32_i64, %23 : tensor<3xi64>
    %reshape = tensor.reshape %12(%from_elements) : (tensor<?x64xbf16>, tensor<3xi64>) -> tensor<?x32x64xbf16>
    %25 = arith.index_cast %24 : i64 to index
    %26 = tensor.empty(%25) : tensor<?x32x64xf32>
    %27 = linalg.generic {indexing_maps = [#map5, #map5], iterator_types = ["parallel", "parallel", "parallel"]} ins(%reshape : tensor<?x32x64xbf16>) outs(%26 : tensor<?x32x64xf32>) {
    ^bb0(%in: bf16, %out: f32):
      %373 = arith.extf %in : bf16 to f32
      linalg.yield %373 : f32
    } -> tensor<?x32x64xf32>
    %28 = linalg.generic {indexing_maps = [#map5, #map6, #map5], iterator_types = ["parallel", "parallel", "parallel"]} ins(%27, %14 : tensor<?x32x64xf32>, tensor<32x64xf32>) outs(%26 : tensor<?x32x64xf32>) {
    ^bb0(%in: f32, %in_114: f32, %out: f32):
      %373 = arith.addf %in, %in_114 : f32
      linalg.yield %373 : f32
    } -> tensor<?x32x64xf32>
    %29 = tensor.empty(%25) : tensor<?x32x64xbf16>
    %30 = linalg.generic {indexing_maps = [#map5, #map5], iterator_types = ["parallel", "parallel", "parallel"]} ins(%28 : tensor<?x32x64xf32>) outs(%29 : tensor<?x32x64xbf16>) {
    ^bb0(%in: f32, %out: bf16):
      %373 = arith.truncf %in : f32 to bf16
      linalg.yield %373 : bf16
    } -> tensor<?x32x64xbf16>
    %31 = linalg.generic {indexing_maps = [#map5, #map5], iterator_types = ["parallel", "parallel", "parallel"]} ins(%30 : tensor<?x32x64xbf16>) outs(%26 : tensor<?x32x64xf32>) {
    ^bb0(%in: bf16, %out: f32):
      %373 = arith.extf %in : bf16 to f32
      linalg.yield %373 : f32
    } -> tensor<?x32x64xf32>
    %32 = linalg.generic {indexing_maps = [#map5, #map5], iterator_types = ["parallel", "parallel", "parallel"]} ins(%31 : tensor<?x32x64xf32>) outs(%26 : tensor<?x32x64xf32>) {
    ^bb0(%in: f32, %out: f32):
      %373 = math.fpowi %in, %c2_i64 : f32, i64
      linalg.yield %373 : f32
    } -> tensor<?x32x64xf32>
    %33 = tensor.empty(%25) : tensor<?x32x1xf32>
    %34 = linalg.fill ins(%cst : f32) outs(%33 : tensor<?x32x1xf32>) -> tensor<?x32x1xf32>
    %35 = linalg.generic {indexing_maps = [#map5, #map7], iterator_types = ["parallel", "parallel", "reduction"]} ins(%32 : tensor<?x32x64xf32>) outs(%34 : tensor<?x32x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      %373 = arith.addf %in, %out : f32
      linalg.yield %373 : f32
    } -> tensor<?x32x1xf32>
    %36 = linalg.generic {indexing_maps = [#map5, #map5], iterator_types = ["parallel", "parallel", "parallel"]} ins(%35 : tensor<?x32x1xf32>) outs(%33 : tensor<?x32x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      %373 = arith.divf %in, %cst_5 : f32
      linalg.yield %373 : f32
    } -> tensor<?x32x1xf32>
    %37 = linalg.generic {indexing_maps = [#map5, #map5], iterator_types = ["parallel", "parallel", "parallel"]} ins(%36 : tensor<?x32x1xf32>) outs(%33 : tensor<?x32x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      %373 = arith.truncf %cst_4 : f64 to f32
      %374 = arith.addf %in, %373 : f32
      linalg.yield %374 : f32
    } -> tensor<?x32x1xf32>
    %38 = linalg.generic {indexing_maps = [#map5, #map5], iterator_types = ["parallel", "parallel", "parallel"]} ins(%37 : tensor<?x32x1xf32>) outs(%33 : tensor<?x32x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      %373 = math.rsqrt %in : f32
      linalg.yield %373 : f32
    } -> tensor<?x32x1xf32>
    %39 = linalg.generic {indexing_maps = [#map5, #map7, #map5], iterator_types = ["parallel", "parallel", "parallel"]} ins(%31, %38 : tensor<?x32x64xf32>, tensor<?x32x1xf32>) outs(%26 : tensor<?x32x64xf32>) {
    ^bb0(%in: f32, %in_114: f32, %out: f32):
      %373 = arith.mulf %in, %in_114 : f32
      linalg.yield %373 : f32
    } -> tensor<?x32x64xf32>
    %40 = tensor.empty() : tensor<64xf32>
    %41 = linalg.generic {indexing_maps = [#map1, #map1], iterator_types = ["parallel"]} ins(%arg2 : tensor<64xbf16>) outs(%40 : tensor<64xf32>) {
    ^bb0(%in: bf16, %out: f32):
      %373 = arith.extf %in : bf16 to f32
      linalg.yield %373 : f32
    } -> tensor<64xf32>
    %42 = linalg.generic {indexing_maps = [#map5, #map8, #map5], iterator_types = ["parallel", "parallel", "parallel"]} ins(%39, %41 : tensor<?x32x64xf32>, tensor<64xf32>) outs(%26 : tensor<?x32x64xf32>) {
    ^bb0(%in: f32, %in_114: f32, %out: f32):
      %373 = arith.mulf %in, %in_114 : f32
      linalg.yield %373 : f32
    } -> tensor<?x32x64xf32>
    %43 = linalg.generic {indexing_maps = [#map5, #map5], iterator_types = ["parallel", "parallel", "parallel"]} ins(%42 : tensor<?x32x64xf32>) outs(%29 : tensor<?x32x64xbf16>) {
    ^bb0(%in: f32, %out: bf16):
      %373 = arith.truncf %in : f32 to bf16
      linalg.yield %373 : bf16
    } -> tensor<?x32x64xbf16>
    %44 = arith.muli %0, %c32_i64 : i64
    %collapsed_7 = tensor.collapse_shape %43 [[0, 1], [2]] : tensor<?x32x64xbf16> into tensor<?x64xbf16>
    %45 = tensor.empty() : tensor<64x64xbf16>
    %transposed = linalg.transpose ins(%arg3 : tensor<64x64xbf16>) outs(%45 : tensor<64x64xbf16>) permutation = [1, 0] 
    %46 = arith.index_cast %24 : i64 to index
    %47 = affine.apply #map()[%46]
    %48 = tensor.empty(%47) : tensor<?x64xf32>
    %49 = linalg.fill ins(%cst : f32) outs(%48 : tensor<?x64xf32>) -> tensor<?x64xf32>
    %50 = linalg.matmul ins(%collapsed_7, %transposed : tensor<?x64xbf16>, tensor<64x64xbf16>) outs(%49 : tensor<?x64xf32>) -> tensor<?x64xf32>
    %51 = tensor.empty(%47) : tensor<?x64xbf16>
    %52 = linalg.generic {indexing_maps = [#map4, #map4], iterator_types = ["parallel", "parallel"]} ins(%50 : tensor<?x64xf32>) outs(%51 : tensor<?x64xbf16>) {
    ^bb0(%in: f32, %out: bf16):
      %373 = arith.truncf %in : f32 to bf16
      linalg.yield %373 : bf16
    } -> tensor<?x64xbf16>
    %53 = arith.muli %16, %c64_i64 : i64
    cf.assert %20, "must have at most one inferred (negative) dimension"
    %54 = arith.index_cast %47 : index to i64
    %55 = arith.muli %54, %c64_i64 : i64
    %56 = arith.divsi %55, %53 : i64
    %57 = arith.select %15, %56, %0 : i64
    %from_elements_8 = tensor.from_elements %57, %c32_i64, %c2_i64, %56 : tensor<4xi64>
    %reshape_9 = tensor.reshape %52(%from_elements_8) : (tensor<?x64xbf16>, tensor<4xi64>) -> tensor<?x32x2x32xbf16>
    %58 = arith.index_cast %57 : i64 to index
    %59 = tensor.empty(%58) : tensor<?x2x32x32xbf16>
    %transposed_10 = linalg.transpose ins(%reshape_9 : tensor<?x32x2x32xbf16>) outs(%59 : tensor<?x2x32x32xbf16>) permutation = [0, 2, 1, 3] 
    %transposed_11 = linalg.transpose ins(%arg4 : tensor<64x64xbf16>) outs(%45 : tensor<64x64xbf16>) permutation = [1, 0] 
    %60 = linalg.matmul ins(%collapsed_7, %transposed_11 : tensor<?x64xbf16>, tensor<64x64xbf16>) outs(%49 : tensor<?x64xf32>) -> tensor<?x64xf32>
    %61 = linalg.generic {indexing_maps = [#map4, #map4], iterator_types = ["parallel", "parallel"]} ins(%60 : tensor<?x64xf32>) outs(%51 : tensor<?x64xbf16>) {
    ^bb0(%in: f32, %out: bf16):
      %373 = arith.truncf %in : f32 to bf16
      linalg.yield %373 : bf16
    } -> tensor<?x64xbf16>
    cf.assert %20, "must have at most one inferred (negative) dimension"
    %reshape_12 = tensor.reshape %61(%from_elements_8) : (tensor<?x64xbf16>, tensor<4xi64>) -> tensor<?x32x2x32xbf16>
    %transposed_13 = linalg.transpose ins(%arg5 : tensor<64x64xbf16>) outs(%45 : tensor<64x64xbf16>) permutation = [1, 0] 
    %62 = linalg.matmul ins(%collapsed_7, %transposed_13 : tensor<?x64xbf16>, tensor<64x64xbf16>) outs(%49 : tensor<?x64xf32>) -> tensor<?x64xf32>
    %63 = linalg.generic {indexing_maps = [#map4, #map4], iterator_types = ["parallel", "parallel"]} ins(%62 : tensor<?x64xf32>) outs(%51 : tensor<?x64xbf16>) {
    ^bb0(%in: f32, %out: bf16):
      %373 = arith.truncf %in : f32 to bf16
      linalg.yield %373 : bf16
    } -> tensor<?x64xbf16>
    cf.assert %20, "must have at most one inferred (negative) dimension"
    %reshape_14 = tensor.reshape %63(%from_elements_8) : (tensor<?x64xbf16>, tensor<4xi64>) -> tensor<?x32x2x32xbf16>
    %transposed_15 = linalg.transpose ins(%reshape_14 : tensor<?x32x2x32xbf16>) outs(%59 : tensor<?x2x32x32xbf16>) permutation = [0, 2, 1, 3] 
    %transposed_16 = linalg.transpose ins(%reshape_12 : tensor<?x32x2x32xbf16>) outs(%59 : tensor<?x2x32x32xbf16>) permutation = [0, 2, 3, 1] 
    %64 = arith.cmpi sge, %0, %c0_i64 : i64
    cf.assert %64, "unimplemented: dynamic negative broadcast sizes"
    %65 = tensor.empty(%dim) : tensor<?x2x32x32xbf16>
    %66 = linalg.generic {indexing_maps = [#map9], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} outs(%65 : tensor<?x2x32x32xbf16>) {
    ^bb0(%out: bf16):
      %373 = linalg.index 0 : index
      %374 = linalg.index 1 : index
      %375 = linalg.index 2 : index
      %376 = linalg.index 3 : index
      %377 = arith.cmpi eq, %58, %c1 : index
      %378 = arith.select %377, %c0, %373 : index
      %extracted = tensor.extract %transposed_10[%378, %374, %375, %376] : tensor<?x2x32x32xbf16>
      linalg.yield %extracted : bf16
    } -> tensor<?x2x32x32xbf16>
    %collapsed_17 = tensor.collapse_shape %66 [[0, 1], [2], [3]] : tensor<?x2x32x32xbf16> into tensor<?x32x32xbf16>
    cf.assert %64, "unimplemented: dynamic negative broadcast sizes"
    %67 = linalg.generic {indexing_maps = [#map9], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} outs(%65 : tensor<?x2x32x32xbf16>) {
    ^bb0(%out: bf16):
      %373 = linalg.index 0 : index
      %374 = linalg.index 1 : index
      %375 = linalg.index 2 : index
      %376 = linalg.index 3 : index
      %377 = arith.cmpi eq, %58, %c1 : index
      %378 = arith.select %377, %c0, %373 : index
      %extracted = tensor.extract %transposed_16[%378, %374, %375, %376] : tensor<?x2x32x32xbf16>
      linalg.yield %extracted : bf16
    } -> tensor<?x2x32x32xbf16>
    %collapsed_18 = tensor.collapse_shape %67 [[0, 1], [2], [3]] : tensor<?x2x32x32xbf16> into tensor<?x32x32xbf16>
    %68 = affine.apply #map10()[%dim]
    %69 = tensor.empty(%68) : tensor<?x32x32xf32>
    %70 = linalg.fill ins(%cst : f32) outs(%69 : tensor<?x32x32xf32>) -> tensor<?x32x32xf32>
    %71 = linalg.batch_matmul ins(%collapsed_17, %collapsed_18 : tensor<?x32x32xbf16>, tensor<?x32x32xbf16>) outs(%70 : tensor<?x32x32xf32>) -> tensor<?x32x32xf32>
    %72 = tensor.empty(%68) : tensor<?x32x32xbf16>
    %73 = linalg.generic {indexing_maps = [#map5, #map5], iterator_types = ["parallel", "parallel", "parallel"]} ins(%71 : tensor<?x32x32xf32>) outs(%72 : tensor<?x32x32xbf16>) {
    ^bb0(%in: f32, %out: bf16):
      %373 = arith.truncf %in : f32 to bf16
      linalg.yield %373 : bf16
    } -> tensor<?x32x32xbf16>
    %74 = arith.divsi %68, %c2 : index
    %expanded_19 = tensor.expand_shape %73 [[0, 1], [2], [3]] output_shape [%74, 2, 32, 32] : tensor<?x32x32xbf16> into tensor<?x2x32x32xbf16>
    %75 = tensor.empty(%74) : tensor<?x2x32x32xf32>
    %76 = linalg.generic {indexing_maps = [#map9, #map9], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%expanded_19 : tensor<?x2x32x32xbf16>) outs(%75 : tensor<?x2x32x32xf32>) {
    ^bb0(%in: bf16, %out: f32):
      %373 = arith.extf %in : bf16 to f32
      linalg.yield %373 : f32
    } -> tensor<?x2x32x32xf32>
    %77 = linalg.generic {indexing_maps = [#map9, #map9], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%76 : tensor<?x2x32x32xf32>) outs(%75 : tensor<?x2x32x32xf32>) {
    ^bb0(%in: f32, %out: f32):
      %373 = arith.truncf %cst_3 : f64 to f32
      %374 = arith.mulf %in, %373 : f32
      linalg.yield %374 : f32
    } -> tensor<?x2x32x32xf32>
    %78 = tensor.empty() : tensor<32xi64>
    %79 = linalg.generic {indexing_maps = [#map1], iterator_types = ["parallel"]} outs(%78 : tensor<32xi64>) {
    ^bb0(%out: i64):
      %373 = linalg.index 0 : index
      %374 = arith.index_cast %373 : index to i64
      linalg.yield %374 : i64
    } -> tensor<32xi64>
    %expanded_20 = tensor.expand_shape %79 [[0, 1]] output_shape [1, 32] : tensor<32xi64> into tensor<1x32xi64>
    %expanded_21 = tensor.expand_shape %79 [[0, 1]] output_shape [32, 1] : tensor<32xi64> into tensor<32x1xi64>
    %80 = tensor.empty() : tensor<32x32xi1>
    %81 = linalg.generic {indexing_maps = [#map11, #map2, #map4], iterator_types = ["parallel", "parallel"]} ins(%expanded_20, %expanded_21 : tensor<1x32xi64>, tensor<32x1xi64>) outs(%80 : tensor<32x32xi1>) {
    ^bb0(%in: i64, %in_114: i64, %out: i1):
      %373 = arith.cmpi sgt, %in, %in_114 : i64
      linalg.yield %373 : i1
    } -> tensor<32x32xi1>
    %82 = linalg.generic {indexing_maps = [#map12, #map13, #map9, #map9], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%81, %cst_2, %77 : tensor<32x32xi1>, tensor<f32>, tensor<?x2x32x32xf32>) outs(%75 : tensor<?x2x32x32xf32>) {
    ^bb0(%in: i1, %in_114: f32, %in_115: f32, %out: f32):
      %373 = arith.select %in, %in_114, %in_115 : f32
      linalg.yield %373 : f32
    } -> tensor<?x2x32x32xf32>
    %83 = tensor.empty(%74) : tensor<?x2x32xi64>
    %84 = linalg.fill ins(%c0_i64 : i64) outs(%83 : tensor<?x2x32xi64>) -> tensor<?x2x32xi64>
    %85 = tensor.empty(%74) : tensor<?x2x32xf32>
    %86 = linalg.fill ins(%cst_0 : f32) outs(%85 : tensor<?x2x32xf32>) -> tensor<?x2x32xf32>
    %87:2 = linalg.generic {indexing_maps = [#map9, #map14, #map14], iterator_types = ["parallel", "parallel", "parallel", "reduction"]} ins(%82 : tensor<?x2x32x32xf32>) outs(%86, %84 : tensor<?x2x32xf32>, tensor<?x2x32xi64>) {
    ^bb0(%in: f32, %out: f32, %out_114: i64):
      %373 = linalg.index 3 : index
      %374 = arith.index_cast %373 : index to i64
      %375 = arith.maximumf %in, %out : f32
      %376 = arith.cmpf ogt, %in, %out : f32
      %377 = arith.select %376, %374, %out_114 : i64
      linalg.yield %375, %377 : f32, i64
    } -> (tensor<?x2x32xf32>, tensor<?x2x32xi64>)
    %expanded_22 = tensor.expand_shape %87#0 [[0], [1], [2, 3]] output_shape [%74, 2, 32, 1] : tensor<?x2x32xf32> into tensor<?x2x32x1xf32>
    %88 = linalg.generic {indexing_maps = [#map9, #map15, #map9], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%82, %expanded_22 : tensor<?x2x32x32xf32>, tensor<?x2x32x1xf32>) outs(%75 : tensor<?x2x32x32xf32>) {
    ^bb0(%in: f32, %in_114: f32, %out: f32):
      %373 = arith.subf %in, %in_114 : f32
      linalg.yield %373 : f32
    } -> tensor<?x2x32x32xf32>
    %89 = linalg.generic {indexing_maps = [#map9, #map9], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%88 : tensor<?x2x32x32xf32>) outs(%75 : tensor<?x2x32x32xf32>) {
    ^bb0(%in: f32, %out: f32):
      %373 = math.exp %in : f32
      linalg.yield %373 : f32
    } -> tensor<?x2x32x32xf32>
    %90 = tensor.empty(%74) : tensor<?x2x32x1xf32>
    %91 = linalg.fill ins(%cst : f32) outs(%90 : tensor<?x2x32x1xf32>) -> tensor<?x2x32x1xf32>
    %92 = linalg.generic {indexing_maps = [#map9, #map15], iterator_types = ["parallel", "parallel", "parallel", "reduction"]} ins(%89 : tensor<?x2x32x32xf32>) outs(%91 : tensor<?x2x32x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      %373 = arith.addf %in, %out : f32
      linalg.yield %373 : f32
    } -> tensor<?x2x32x1xf32>
    %93 = linalg.generic {indexing_maps = [#map9, #map15, #map9], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%89, %92 : tensor<?x2x32x32xf32>, tensor<?x2x32x1xf32>) outs(%75 : tensor<?x2x32x32xf32>) {
    ^bb0(%in: f32, %in_114: f32, %out: f32):
      %373 = arith.divf %in, %in_114 : f32
      linalg.yield %373 : f32
    } -> tensor<?x2x32x32xf32>
    %94 = tensor.empty(%74) : tensor<?x2x32x32xbf16>
    %95 = linalg.generic {indexing_maps = [#map9, #map9], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%93 : tensor<?x2x32x32xf32>) outs(%94 : tensor<?x2x32x32xbf16>) {
    ^bb0(%in: f32, %out: bf16):
      %373 = arith.truncf %in : f32 to bf16
      linalg.yield %373 : bf16
    } -> tensor<?x2x32x32xbf16>
    cf.assert %64, "unimplemented: dynamic negative broadcast sizes"
    %96 = linalg.generic {indexing_maps = [#map9], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} outs(%65 : tensor<?x2x32x32xbf16>) {
    ^bb0(%out: bf16):
      %373 = linalg.index 0 : index
      %374 = linalg.index 1 : index
      %375 = linalg.index 2 : index
      %376 = linalg.index 3 : index
      %377 = arith.cmpi eq, %74, %c1 : index
      %378 = arith.select %377, %c0, %373 : index
      %extracted = tensor.extract %95[%378, %374, %375, %376] : tensor<?x2x32x32xbf16>
      linalg.yield %extracted : bf16
    } -> tensor<?x2x32x32xbf16>
    %collapsed_23 = tensor.collapse_shape %96 [[0, 1], [2], [3]] : tensor<?x2x32x32xbf16> into tensor<?x32x32xbf16>
    cf.assert %64, "unimplemented: dynamic negative broadcast sizes"
    %97 = linalg.generic {indexing_maps = [#map9], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} outs(%65 : tensor<?x2x32x32xbf16>) {
    ^bb0(%out: bf16):
      %373 = linalg.index 0 : index
      %374 = linalg.index 1 : index
      %375 = linalg.index 2 : index
      %376 = linalg.index 3 : index
      %377 = arith.cmpi eq, %58, %c1 : index
      %378 = arith.select %377, %c0, %373 : index
      %extracted = tensor.extract %transposed_15[%378, %374, %375, %376] : tensor<?x2x32x32xbf16>
      linalg.yield %extracted : bf16
    } -> tensor<?x2x32x32xbf16>
    %collapsed_24 = tensor.collapse_shape %97 [[0, 1], [2], [3]] : tensor<?x2x32x32xbf16> into tensor<?x32x32xbf16>
    %98 = linalg.batch_matmul ins(%collapsed_23, %collapsed_24 : tensor<?x32x32xbf16>, tensor<?x32x32xbf16>) outs(%70 : tensor<?x32x32xf32>) -> tensor<?x32x32xf32>
    %99 = linalg.generic {indexing_maps = [#map5, #map5], iterator_types = ["parallel", "parallel", "parallel"]} ins(%98 : tensor<?x32x32xf32>) outs(%72 : tensor<?x32x32xbf16>) {
    ^bb0(%in: f32, %out: bf16):
      %373 = arith.truncf %in : f32 to bf16
      linalg.yield %373 : bf16
    } -> tensor<?x32x32xbf16>
    %expanded_25 = tensor.expand_shape %99 [[0, 1], [2], [3]] output_shape [%74, 2, 32, 32] : tensor<?x32x32xbf16> into tensor<?x2x32x32xbf16>
    %100 = tensor.empty(%74) : tensor<?x32x2x32xbf16>
    %transposed_26 = linalg.transpose ins(%expanded_25 : tensor<?x2x32x32xbf16>) outs(%100 : tensor<?x32x2x32xbf16>) permutation = [0, 2, 1, 3] 
    %collapsed_27 = tensor.collapse_shape %transposed_26 [[0, 1], [2, 3]] : tensor<?x32x2x32xbf16> into tensor<?x64xbf16>
    %transposed_28 = linalg.transpose ins(%arg6 : tensor<64x64xbf16>) outs(%45 : tensor<64x64xbf16>) permutation = [1, 0] 
    %101 = affine.apply #map()[%74]
    %102 = tensor.empty(%101) : tensor<?x64xf32>
    %103 = linalg.fill ins(%cst : f32) outs(%102 : tensor<?x64xf32>) -> tensor<?x64xf32>
    %104 = linalg.matmul ins(%collapsed_27, %transposed_28 : tensor<?x64xbf16>, tensor<64x64xbf16>) outs(%103 : tensor<?x64xf32>) -> tensor<?x64xf32>
    %105 = tensor.empty(%101) : tensor<?x64xbf16>
    %106 = linalg.generic {indexing_maps = [#map4, #map4], iterator_types = ["parallel", "parallel"]} ins(%104 : tensor<?x64xf32>) outs(%105 : tensor<?x64xbf16>) {
    ^bb0(%in: f32, %out: bf16):
      %373 = arith.truncf %in : f32 to bf16
      linalg.yield %373 : bf16
    } -> tensor<?x64xbf16>
    %107 = arith.divsi %101, %c32 : index
    %expanded_29 = tensor.expand_shape %106 [[0, 1], [2]] output_shape [%107, 32, 64] : tensor<?x64xbf16> into tensor<?x32x64xbf16>
    %108 = arith.cmpi eq, %25, %107 : index
    cf.assert %108, "mismatched size for broadcast"
    %109 = linalg.generic {indexing_maps = [#map5, #map5, #map5], iterator_types = ["parallel", "parallel", "parallel"]} ins(%30, %expanded_29 : tensor<?x32x64xbf16>, tensor<?x32x64xbf16>) outs(%29 : tensor<?x32x64xbf16>) {
    ^bb0(%in: bf16, %in_114: bf16, %out: bf16):
      %373 = arith.addf %in, %in_114 : bf16
      linalg.yield %373 : bf16
    } -> tensor<?x32x64xbf16>
    %110 = linalg.generic {indexing_maps = [#map5, #map5], iterator_types = ["parallel", "parallel", "parallel"]} ins(%109 : tensor<?x32x64xbf16>) outs(%26 : tensor<?x32x64xf32>) {
    ^bb0(%in: bf16, %out: f32):
      %373 = arith.extf %in : bf16 to f32
      linalg.yield %373 : f32
    } -> tensor<?x32x64xf32>
    %111 = linalg.generic {indexing_maps = [#map5, #map5], iterator_types = ["parallel", "parallel", "parallel"]} ins(%110 : tensor<?x32x64xf32>) outs(%26 : tensor<?x32x64xf32>) {
    ^bb0(%in: f32, %out: f32):
      %373 = math.fpowi %in, %c2_i64 : f32, i64
      linalg.yield %373 : f32
    } -> tensor<?x32x64xf32>
    %112 = linalg.generic {indexing_maps = [#map5, #map7], iterator_types = ["parallel", "parallel", "reduction"]} ins(%111 : tensor<?x32x64xf32>) outs(%34 : tensor<?x32x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      %373 = arith.addf %in, %out : f32
      linalg.yield %373 : f32
    } -> tensor<?x32x1xf32>
    %113 = linalg.generic {indexing_maps = [#map5, #map5], iterator_types = ["parallel", "parallel", "parallel"]} ins(%112 : tensor<?x32x1xf32>) outs(%33 : tensor<?x32x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      %373 = arith.divf %in, %cst_5 : f32
      linalg.yield %373 : f32
    } -> tensor<?x32x1xf32>
    %114 = linalg.generic {indexing_maps = [#map5, #map5], iterator_types = ["parallel", "parallel", "parallel"]} ins(%113 : tensor<?x32x1xf32>) outs(%33 : tensor<?x32x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      %373 = arith.truncf %cst_4 : f64 to f32
      %374 = arith.addf %in, %373 : f32
      linalg.yield %374 : f32
    } -> tensor<?x32x1xf32>
    %115 = linalg.generic {indexing_maps = [#map5, #map5], iterator_types = ["parallel", "parallel", "parallel"]} ins(%114 : tensor<?x32x1xf32>) outs(%33 : tensor<?x32x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      %373 = math.rsqrt %in : f32
      linalg.yield %373 : f32
    } -> tensor<?x32x1xf32>
    %116 = linalg.generic {indexing_maps = [#map5, #map7, #map5], iterator_types = ["parallel", "parallel", "parallel"]} ins(%110, %115 : tensor<?x32x64xf32>, tensor<?x32x1xf32>) outs(%26 : tensor<?x32x64xf32>) {
    ^bb0(%in: f32, %in_114: f32, %out: f32):
      %373 = arith.mulf %in, %in_114 : f32
      linalg.yield %373 : f32
    } -> tensor<?x32x64xf32>
    %117 = linalg.generic {indexing_maps = [#map1, #map1], iterator_types = ["parallel"]} ins(%arg7 : tensor<64xbf16>) outs(%40 : tensor<64xf32>) {
    ^bb0(%in: bf16, %out: f32):
      %373 = arith.extf %in : bf16 to f32
      linalg.yield %373 : f32
    } -> tensor<64xf32>
    %118 = linalg.generic {indexing_maps = [#map5, #map8, #map5], iterator_types = ["parallel", "parallel", "parallel"]} ins(%116, %117 : tensor<?x32x64xf32>, tensor<64xf32>) outs(%26 : tensor<?x32x64xf32>) {
    ^bb0(%in: f32, %in_114: f32, %out: f32):
      %373 = arith.mulf %in, %in_114 : f32
      linalg.yield %373 : f32
    } -> tensor<?x32x64xf32>
    %119 = linalg.generic {indexing_maps = [#map5, #map5], iterator_types = ["parallel", "parallel", "parallel"]} ins(%118 : tensor<?x32x64xf32>) outs(%29 : tensor<?x32x64xbf16>) {
    ^bb0(%in: f32, %out: bf16):
      %373 = arith.truncf %in : f32 to bf16
      linalg.yield %373 : bf16
    } -> tensor<?x32x64xbf16>
    %collapsed_30 = tensor.collapse_shape %119 [[0, 1], [2]] : tensor<?x32x64xbf16> into tensor<?x64xbf16>
    %120 = tensor.empty() : tensor<64x4xbf16>
    %transposed_31 = linalg.transpose ins(%arg8 : tensor<4x64xbf16>) outs(%120 : tensor<64x4xbf16>) permutation = [1, 0] 
    %121 = tensor.empty(%47) : tensor<?x4xf32>
    %122 = linalg.fill ins(%cst : f32) outs(%121 : tensor<?x4xf32>) -> tensor<?x4xf32>
    %123 = linalg.matmul ins(%collapsed_30, %transposed_31 : tensor<?x64xbf16>, tensor<64x4xbf16>) outs(%122 : tensor<?x4xf32>) -> tensor<?x4xf32>
    %124 = tensor.empty(%47) : tensor<?x4xbf16>
    %125 = linalg.generic {indexing_maps = [#map4, #map4], iterator_types = ["parallel", "parallel"]} ins(%123 : tensor<?x4xf32>) outs(%124 : tensor<?x4xbf16>) {
    ^bb0(%in: f32, %out: bf16):
      %373 = arith.truncf %in : f32 to bf16
      linalg.yield %373 : bf16
    } -> tensor<?x4xbf16>
    %126 = linalg.generic {indexing_maps = [#map4, #map4], iterator_types = ["parallel", "parallel"]} ins(%125 : tensor<?x4xbf16>) outs(%121 : tensor<?x4xf32>) {
    ^bb0(%in: bf16, %out: f32):
      %373 = arith.extf %in : bf16 to f32
      linalg.yield %373 : f32
    } -> tensor<?x4xf32>
    %127 = tensor.empty(%47) : tensor<?xi64>
    %128 = linalg.fill ins(%c0_i64 : i64) outs(%127 : tensor<?xi64>) -> tensor<?xi64>
    %129 = tensor.empty(%47) : tensor<?xf32>
    %130 = linalg.fill ins(%cst_0 : f32) outs(%129 : tensor<?xf32>) -> tensor<?xf32>
    %131:2 = linalg.generic {indexing_maps = [#map4, #map16, #map16], iterator_types = ["parallel", "reduction"]} ins(%126 : tensor<?x4xf32>) outs(%130, %128 : tensor<?xf32>, tensor<?xi64>) {
    ^bb0(%in: f32, %out: f32, %out_114: i64):
      %373 = linalg.index 1 : index
      %374 = arith.index_cast %373 : index to i64
      %375 = arith.maximumf %in, %out : f32
      %376 = arith.cmpf ogt, %in, %out : f32
      %377 = arith.select %376, %374, %out_114 : i64
      linalg.yield %375, %377 : f32, i64
    } -> (tensor<?xf32>, tensor<?xi64>)
    %expanded_32 = tensor.expand_shape %131#0 [[0, 1]] output_shape [%47, 1] : tensor<?xf32> into tensor<?x1xf32>
    %132 = linalg.generic {indexing_maps = [#map4, #map2, #map4], iterator_types = ["parallel", "parallel"]} ins(%126, %expanded_32 : tensor<?x4xf32>, tensor<?x1xf32>) outs(%121 : tensor<?x4xf32>) {
    ^bb0(%in: f32, %in_114: f32, %out: f32):
      %373 = arith.subf %in, %in_114 : f32
      linalg.yield %373 : f32
    } -> tensor<?x4xf32>
    %133 = linalg.generic {indexing_maps = [#map4, #map4], iterator_types = ["parallel", "parallel"]} ins(%132 : tensor<?x4xf32>) outs(%121 : tensor<?x4xf32>) {
    ^bb0(%in: f32, %out: f32):
      %373 = math.exp %in : f32
      linalg.yield %373 : f32
    } -> tensor<?x4xf32>
    %134 = tensor.empty(%47) : tensor<?x1xf32>
    %135 = linalg.fill ins(%cst : f32) outs(%134 : tensor<?x1xf32>) -> tensor<?x1xf32>
    %136 = linalg.generic {indexing_maps = [#map4, #map2], iterator_types = ["parallel", "reduction"]} ins(%133 : tensor<?x4xf32>) outs(%135 : tensor<?x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      %373 = arith.addf %in, %out : f32
      linalg.yield %373 : f32
    } -> tensor<?x1xf32>
    %137 = linalg.generic {indexing_maps = [#map4, #map2, #map4], iterator_types = ["parallel", "parallel"]} ins(%133, %136 : tensor<?x4xf32>, tensor<?x1xf32>) outs(%121 : tensor<?x4xf32>) {
    ^bb0(%in: f32, %in_114: f32, %out: f32):
      %373 = arith.divf %in, %in_114 : f32
      linalg.yield %373 : f32
    } -> tensor<?x4xf32>
    %expanded_33 = tensor.expand_shape %137 [[0], [1, 2]] output_shape [%47, 4, 1] : tensor<?x4xf32> into tensor<?x4x1xf32>
    %expanded_34 = tensor.expand_shape %137 [[0], [1, 2]] output_shape [%47, 1, 4] : tensor<?x4xf32> into tensor<?x1x4xf32>
    %138 = tensor.empty() : tensor<4xi64>
    %139 = linalg.generic {indexing_maps = [#map1], iterator_types = ["parallel"]} outs(%138 : tensor<4xi64>) {
    ^bb0(%out: i64):
      %373 = linalg.index 0 : index
      %374 = arith.index_cast %373 : index to i64
      linalg.yield %374 : i64
    } -> tensor<4xi64>
    %expanded_35 = tensor.expand_shape %139 [[0, 1]] output_shape [1, 4] : tensor<4xi64> into tensor<1x4xi64>
    %expanded_36 = tensor.expand_shape %139 [[0, 1]] output_shape [4, 1] : tensor<4xi64> into tensor<4x1xi64>
    %140 = tensor.empty() : tensor<4x4xi1>
    %141 = linalg.generic {indexing_maps = [#map11, #map2, #map4], iterator_types = ["parallel", "parallel"]} ins(%expanded_35, %expanded_36 : tensor<1x4xi64>, tensor<4x1xi64>) outs(%140 : tensor<4x4xi1>) {
    ^bb0(%in: i64, %in_114: i64, %out: i1):
      %373 = arith.cmpi slt, %in, %in_114 : i64
      linalg.yield %373 : i1
    } -> tensor<4x4xi1>
    %142 = tensor.empty(%47) : tensor<?x4x4xi1>
    %143 = linalg.generic {indexing_maps = [#map17, #map7, #map5], iterator_types = ["parallel", "parallel", "parallel"]} ins(%expanded_34, %expanded_33 : tensor<?x1x4xf32>, tensor<?x4x1xf32>) outs(%142 : tensor<?x4x4xi1>) {
    ^bb0(%in: f32, %in_114: f32, %out: i1):
      %373 = arith.cmpf ogt, %in, %in_114 : f32
      linalg.yield %373 : i1
    } -> tensor<?x4x4xi1>
    %144 = linalg.generic {indexing_maps = [#map17, #map7, #map5], iterator_types = ["parallel", "parallel", "parallel"]} ins(%expanded_34, %expanded_33 : tensor<?x1x4xf32>, tensor<?x4x1xf32>) outs(%142 : tensor<?x4x4xi1>) {
    ^bb0(%in: f32, %in_114: f32, %out: i1):
      %373 = arith.cmpf oeq, %in, %in_114 : f32
      linalg.yield %373 : i1
    } -> tensor<?x4x4xi1>
    %145 = linalg.generic {indexing_maps = [#map5, #map6, #map5], iterator_types = ["parallel", "parallel", "parallel"]} ins(%144, %141 : tensor<?x4x4xi1>, tensor<4x4xi1>) outs(%142 : tensor<?x4x4xi1>) {
    ^bb0(%in: i1, %in_114: i1, %out: i1):
      %373 = arith.andi %in, %in_114 : i1
      linalg.yield %373 : i1
    } -> tensor<?x4x4xi1>
    %146 = linalg.generic {indexing_maps = [#map5, #map5, #map5], iterator_types = ["parallel", "parallel", "parallel"]} ins(%143, %145 : tensor<?x4x4xi1>, tensor<?x4x4xi1>) outs(%142 : tensor<?x4x4xi1>) {
    ^bb0(%in: i1, %in_114: i1, %out: i1):
      %373 = arith.ori %in, %in_114 : i1
      linalg.yield %373 : i1
    } -> tensor<?x4x4xi1>
    %147 = tensor.empty(%47) : tensor<?x4x4xf32>
    %148 = linalg.generic {indexing_maps = [#map5, #map5], iterator_types = ["parallel", "parallel", "parallel"]} ins(%146 : tensor<?x4x4xi1>) outs(%147 : tensor<?x4x4xf32>) {
    ^bb0(%in: i1, %out: f32):
      %373 = arith.uitofp %in : i1 to f32
      linalg.yield %373 : f32
    } -> tensor<?x4x4xf32>
    %149 = linalg.generic {indexing_maps = [#map5, #map18], iterator_types = ["parallel", "parallel", "reduction"]} ins(%148 : tensor<?x4x4xf32>) outs(%122 : tensor<?x4xf32>) {
    ^bb0(%in: f32, %out: f32):
      %373 = arith.addf %in, %out : f32
      linalg.yield %373 : f32
    } -> tensor<?x4xf32>
    %150 = tensor.empty(%47) : tensor<?x4xi1>
    %151 = linalg.generic {indexing_maps = [#map4, #map4], iterator_types = ["parallel", "parallel"]} ins(%149 : tensor<?x4xf32>) outs(%150 : tensor<?x4xi1>) {
    ^bb0(%in: f32, %out: i1):
      %373 = arith.cmpf olt, %in, %cst_6 : f32
      linalg.yield %373 : i1
    } -> tensor<?x4xi1>
    %152 = linalg.generic {indexing_maps = [#map4, #map4], iterator_types = ["parallel", "parallel"]} ins(%151 : tensor<?x4xi1>) outs(%121 : tensor<?x4xf32>) {
    ^bb0(%in: i1, %out: f32):
      %373 = arith.uitofp %in : i1 to f32
      linalg.yield %373 : f32
    } -> tensor<?x4xf32>
    %153 = linalg.generic {indexing_maps = [#map4, #map4, #map4], iterator_types = ["parallel", "parallel"]} ins(%137, %152 : tensor<?x4xf32>, tensor<?x4xf32>) outs(%121 : tensor<?x4xf32>) {
    ^bb0(%in: f32, %in_114: f32, %out: f32):
      %373 = arith.mulf %in, %in_114 : f32
      linalg.yield %373 : f32
    } -> tensor<?x4xf32>
    %154 = linalg.generic {indexing_maps = [#map4, #map2], iterator_types = ["parallel", "reduction"]} ins(%153 : tensor<?x4xf32>) outs(%135 : tensor<?x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      %373 = arith.addf %in, %out : f32
      linalg.yield %373 : f32
    } -> tensor<?x1xf32>
    %155 = linalg.generic {indexing_maps = [#map4, #map2, #map4], iterator_types = ["parallel", "parallel"]} ins(%153, %154 : tensor<?x4xf32>, tensor<?x1xf32>) outs(%121 : tensor<?x4xf32>) {
    ^bb0(%in: f32, %in_114: f32, %out: f32):
      %373 = arith.divf %in, %in_114 : f32
      linalg.yield %373 : f32
    } -> tensor<?x4xf32>
    %156 = tensor.empty(%47) : tensor<4x?x64xbf16>
    %157 = linalg.generic {indexing_maps = [#map6, #map5], iterator_types = ["parallel", "parallel", "parallel"]} ins(%collapsed_30 : tensor<?x64xbf16>) outs(%156 : tensor<4x?x64xbf16>) {
    ^bb0(%in: bf16, %out: bf16):
      linalg.yield %in : bf16
    } -> tensor<4x?x64xbf16>
    %158 = tensor.empty() : tensor<4x64x128xbf16>
    %transposed_37 = linalg.transpose ins(%arg9 : tensor<4x128x64xbf16>) outs(%158 : tensor<4x64x128xbf16>) permutation = [0, 2, 1] 
    %159 = tensor.empty(%47) : tensor<4x?x128xf32>
    %160 = linalg.fill ins(%cst : f32) outs(%159 : tensor<4x?x128xf32>) -> tensor<4x?x128xf32>
    %161 = linalg.batch_matmul ins(%157, %transposed_37 : tensor<4x?x64xbf16>, tensor<4x64x128xbf16>) outs(%160 : tensor<4x?x128xf32>) -> tensor<4x?x128xf32>
    %162 = tensor.empty(%47) : tensor<4x?x128xbf16>
    %163 = linalg.generic {indexing_maps = [#map5, #map5], iterator_types = ["parallel", "parallel", "parallel"]} ins(%161 : tensor<4x?x128xf32>) outs(%162 : tensor<4x?x128xbf16>) {
    ^bb0(%in: f32, %out: bf16):
      %373 = arith.truncf %in : f32 to bf16
      linalg.yield %373 : bf16
    } -> tensor<4x?x128xbf16>
    %extracted_slice = tensor.extract_slice %163[0, 0, 0] [4, %47, 64] [1, 1, 1] : tensor<4x?x128xbf16> to tensor<4x?x64xbf16>
    %extracted_slice_38 = tensor.extract_slice %163[0, 0, 64] [4, %47, 64] [1, 1, 1] : tensor<4x?x128xbf16> to tensor<4x?x64xbf16>
    %164 = tensor.empty(%47) : tensor<4x?x64xf32>
    %165 = linalg.generic {indexing_maps = [#map5, #map5], iterator_types = ["parallel", "parallel", "parallel"]} ins(%extracted_slice : tensor<4x?x64xbf16>) outs(%164 : tensor<4x?x64xf32>) {
    ^bb0(%in: bf16, %out: f32):
      %373 = arith.extf %in : bf16 to f32
      linalg.yield %373 : f32
    } -> tensor<4x?x64xf32>
    %166 = linalg.generic {indexing_maps = [#map5, #map5], iterator_types = ["parallel", "parallel", "parallel"]} ins(%165 : tensor<4x?x64xf32>) outs(%164 : tensor<4x?x64xf32>) {
    ^bb0(%in: f32, %out: f32):
      %373 = arith.negf %in : f32
      %374 = math.exp %373 : f32
      %375 = arith.addf %374, %cst_1 : f32
      %376 = arith.divf %cst_1, %375 : f32
      linalg.yield %376 : f32
    } -> tensor<4x?x64xf32>
    %167 = linalg.generic {indexing_maps = [#map5, #map5, #map5], iterator_types = ["parallel", "parallel", "parallel"]} ins(%165, %166 : tensor<4x?x64xf32>, tensor<4x?x64xf32>) outs(%164 : tensor<4x?x64xf32>) {
    ^bb0(%in: f32, %in_114: f32, %out: f32):
      %373 = arith.mulf %in, %in_114 : f32
      linalg.yield %373 : f32
    } -> tensor<4x?x64xf32>
    %168 = linalg.generic {indexing_maps = [#map5, #map5], iterator_types = ["parallel", "parallel", "parallel"]} ins(%extracted_slice_38 : tensor<4x?x64xbf16>) outs(%164 : tensor<4x?x64xf32>) {
    ^bb0(%in: bf16, %out: f32):
      %373 = arith.extf %in : bf16 to f32
      linalg.yield %373 : f32
    } -> tensor<4x?x64xf32>
    %169 = linalg.generic {indexing_maps = [#map5, #map5, #map5], iterator_types = ["parallel", "parallel", "parallel"]} ins(%167, %168 : tensor<4x?x64xf32>, tensor<4x?x64xf32>) outs(%164 : tensor<4x?x64xf32>) {
    ^bb0(%in: f32, %in_114: f32, %out: f32):
      %373 = arith.mulf %in, %in_114 : f32
      linalg.yield %373 : f32
    } -> tensor<4x?x64xf32>
    %170 = linalg.generic {indexing_maps = [#map5, #map5], iterator_types = ["parallel", "parallel", "parallel"]} ins(%169 : tensor<4x?x64xf32>) outs(%156 : tensor<4x?x64xbf16>) {
    ^bb0(%in: f32, %out: bf16):
      %373 = arith.truncf %in : f32 to bf16
      linalg.yield %373 : bf16
    } -> tensor<4x?x64xbf16>
    %171 = tensor.empty() : tensor<4x64x64xbf16>
    %transposed_39 = linalg.transpose ins(%arg10 : tensor<4x64x64xbf16>) outs(%171 : tensor<4x64x64xbf16>) permutation = [0, 2, 1] 
    %172 = linalg.fill ins(%cst : f32) outs(%164 : tensor<4x?x64xf32>) -> tensor<4x?x64xf32>
    %173 = linalg.batch_matmul ins(%170, %transposed_39 : tensor<4x?x64xbf16>, tensor<4x64x64xbf16>) outs(%172 : tensor<4x?x64xf32>) -> tensor<4x?x64xf32>
    %174 = linalg.generic {indexing_maps = [#map5, #map5], iterator_types = ["parallel", "parallel", "parallel"]} ins(%173 : tensor<4x?x64xf32>) outs(%156 : tensor<4x?x64xbf16>) {
    ^bb0(%in: f32, %out: bf16):
      %373 = arith.truncf %in : f32 to bf16
      linalg.yield %373 : bf16
    } -> tensor<4x?x64xbf16>
    %175 = linalg.generic {indexing_maps = [#map5, #map5], iterator_types = ["parallel", "parallel", "parallel"]} ins(%174 : tensor<4x?x64xbf16>) outs(%164 : tensor<4x?x64xf32>) {
    ^bb0(%in: bf16, %out: f32):
      %373 = arith.extf %in : bf16 to f32
      linalg.yield %373 : f32
    } -> tensor<4x?x64xf32>
    %176 = tensor.empty(%47) : tensor<4x?xf32>
    %transposed_40 = linalg.transpose ins(%155 : tensor<?x4xf32>) outs(%176 : tensor<4x?xf32>) permutation = [1, 0] 
    %expanded_41 = tensor.expand_shape %transposed_40 [[0], [1, 2]] output_shape [4, %47, 1] : tensor<4x?xf32> into tensor<4x?x1xf32>
    %177 = linalg.generic {indexing_maps = [#map5, #map7, #map5], iterator_types = ["parallel", "parallel", "parallel"]} ins(%175, %expanded_41 : tensor<4x?x64xf32>, tensor<4x?x1xf32>) outs(%164 : tensor<4x?x64xf32>) {
    ^bb0(%in: f32, %in_114: f32, %out: f32):
      %373 = arith.mulf %in, %in_114 : f32
      linalg.yield %373 : f32
    } -> tensor<4x?x64xf32>
    %178 = linalg.generic {indexing_maps = [#map5, #map6], iterator_types = ["reduction", "parallel", "parallel"]} ins(%177 : tensor<4x?x64xf32>) outs(%49 : tensor<?x64xf32>) {
    ^bb0(%in: f32, %out: f32):
      %373 = arith.addf %in, %out : f32
      linalg.yield %373 : f32
    } -> tensor<?x64xf32>
    %179 = linalg.generic {indexing_maps = [#map4, #map4], iterator_types = ["parallel", "parallel"]} ins(%178 : tensor<?x64xf32>) outs(%51 : tensor<?x64xbf16>) {
    ^bb0(%in: f32, %out: bf16):
      %373 = arith.truncf %in : f32 to bf16
      linalg.yield %373 : bf16
    } -> tensor<?x64xbf16>
    %180 = arith.divsi %47, %c32 : index
    %expanded_42 = tensor.expand_shape %179 [[0, 1], [2]] output_shape [%180, 32, 64] : tensor<?x64xbf16> into tensor<?x32x64xbf16>
    %181 = arith.cmpi eq, %25, %180 : index
    cf.assert %181, "mismatched size for broadcast"
    %182 = linalg.generic {indexing_maps = [#map5, #map5, #map5], iterator_types = ["parallel", "parallel", "parallel"]} ins(%109, %expanded_42 : tensor<?x32x64xbf16>, tensor<?x32x64xbf16>) outs(%29 : tensor<?x32x64xbf16>) {
    ^bb0(%in: bf16, %in_114: bf16, %out: bf16):
      %373 = arith.addf %in, %in_114 : bf16
      linalg.yield %373 : bf16
    } -> tensor<?x32x64xbf16>
    %183 = linalg.generic {indexing_maps = [#map5, #map5], iterator_types = ["parallel", "parallel", "parallel"]} ins(%182 : tensor<?x32x64xbf16>) outs(%26 : tensor<?x32x64xf32>) {
    ^bb0(%in: bf16, %out: f32):
      %373 = arith.extf %in : bf16 to f32
      linalg.yield %373 : f32
    } -> tensor<?x32x64xf32>
    %184 = linalg.generic {indexing_maps = [#map5, #map5], iterator_types = ["parallel", "parallel", "parallel"]} ins(%183 : tensor<?x32x64xf32>) outs(%26 : tensor<?x32x64xf32>) {
    ^bb0(%in: f32, %out: f32):
      %373 = math.fpowi %in, %c2_i64 : f32, i64
      linalg.yield %373 : f32
    } -> tensor<?x32x64xf32>
    %185 = linalg.generic {indexing_maps = [#map5, #map7], iterator_types = ["parallel", "parallel", "reduction"]} ins(%184 : tensor<?x32x64xf32>) outs(%34 : tensor<?x32x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      %373 = arith.addf %in, %out : f32
      linalg.yield %373 : f32
    } -> tensor<?x32x1xf32>
    %186 = linalg.generic {indexing_maps = [#map5, #map5], iterator_types = ["parallel", "parallel", "parallel"]} ins(%185 : tensor<?x32x1xf32>) outs(%33 : tensor<?x32x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      %373 = arith.divf %in, %cst_5 : f32
      linalg.yield %373 : f32
    } -> tensor<?x32x1xf32>
    %187 = linalg.generic {indexing_maps = [#map5, #map5], iterator_types = ["parallel", "parallel", "parallel"]} ins(%186 : tensor<?x32x1xf32>) outs(%33 : tensor<?x32x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      %373 = arith.truncf %cst_4 : f64 to f32
      %374 = arith.addf %in, %373 : f32
      linalg.yield %374 : f32
    } -> tensor<?x32x1xf32>
    %188 = linalg.generic {indexing_maps = [#map5, #map5], iterator_types = ["parallel", "parallel", "parallel"]} ins(%187 : tensor<?x32x1xf32>) outs(%33 : tensor<?x32x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      %373 = math.rsqrt %in : f32
      linalg.yield %373 : f32
    } -> tensor<?x32x1xf32>
    %189 = linalg.generic {indexing_maps = [#map5, #map7, #map5], iterator_types = ["parallel", "parallel", "parallel"]} ins(%183, %188 : tensor<?x32x64xf32>, tensor<?x32x1xf32>) outs(%26 : tensor<?x32x64xf32>) {
    ^bb0(%in: f32, %in_114: f32, %out: f32):
      %373 = arith.mulf %in, %in_114 : f32
      linalg.yield %373 : f32
    } -> tensor<?x32x64xf32>
    %190 = linalg.generic {indexing_maps = [#map1, #map1], iterator_types = ["parallel"]} ins(%arg11 : tensor<64xbf16>) outs(%40 : tensor<64xf32>) {
    ^bb0(%in: bf16, %out: f32):
      %373 = arith.extf %in : bf16 to f32
      linalg.yield %373 : f32
    } -> tensor<64xf32>
    %191 = linalg.generic {indexing_maps = [#map5, #map8, #map5], iterator_types = ["parallel", "parallel", "parallel"]} ins(%189, %190 : tensor<?x32x64xf32>, tensor<64xf32>) outs(%26 : tensor<?x32x64xf32>) {
    ^bb0(%in: f32, %in_114: f32, %out: f32):
      %373 = arith.mulf %in, %in_114 : f32
      linalg.yield %373 : f32
    } -> tensor<?x32x64xf32>
    %192 = linalg.generic {indexing_maps = [#map5, #map5], iterator_types = ["parallel", "parallel", "parallel"]} ins(%191 : tensor<?x32x64xf32>) outs(%29 : tensor<?x32x64xbf16>) {
    ^bb0(%in: f32, %out: bf16):
      %373 = arith.truncf %in : f32 to bf16
      linalg.yield %373 : bf16
    } -> tensor<?x32x64xbf16>
    %collapsed_43 = tensor.collapse_shape %192 [[0, 1], [2]] : tensor<?x32x64xbf16> into tensor<?x64xbf16>
    %transposed_44 = linalg.transpose ins(%arg12 : tensor<64x64xbf16>) outs(%45 : tensor<64x64xbf16>) permutation = [1, 0] 
    %193 = linalg.matmul ins(%collapsed_43, %transposed_44 : tensor<?x64xbf16>, tensor<64x64xbf16>) outs(%49 : tensor<?x64xf32>) -> tensor<?x64xf32>
    %194 = linalg.generic {indexing_maps = [#map4, #map4], iterator_types = ["parallel", "parallel"]} ins(%193 : tensor<?x64xf32>) outs(%51 : tensor<?x64xbf16>) {
    ^bb0(%in: f32, %out: bf16):
      %373 = arith.truncf %in : f32 to bf16
      linalg.yield %373 : bf16
    } -> tensor<?x64xbf16>
    cf.assert %20, "must have at most one inferred (negative) dimension"
    %reshape_45 = tensor.reshape %194(%from_elements_8) : (tensor<?x64xbf16>, tensor<4xi64>) -> tensor<?x32x2x32xbf16>
    %transposed_46 = linalg.transpose ins(%reshape_45 : tensor<?x32x2x32xbf16>) outs(%59 : tensor<?x2x32x32xbf16>) permutation = [0, 2, 1, 3] 
    %transposed_47 = linalg.transpose ins(%arg13 : tensor<64x64xbf16>) outs(%45 : tensor<64x64xbf16>) permutation = [1, 0] 
    %195 = linalg.matmul ins(%collapsed_43, %transposed_47 : tensor<?x64xbf16>, tensor<64x64xbf16>) outs(%49 : tensor<?x64xf32>) -> tensor<?x64xf32>
    %196 = linalg.generic {indexing_maps = [#map4, #map4], iterator_types = ["parallel", "parallel"]} ins(%195 : tensor<?x64xf32>) outs(%51 : tensor<?x64xbf16>) {
    ^bb0(%in: f32, %out: bf16):
      %373 = arith.truncf %in : f32 to bf16
      linalg.yield %373 : bf16
    } -> tensor<?x64xbf16>
    cf.assert %20, "must have at most one inferred (negative) dimension"
    %reshape_48 = tensor.reshape %196(%from_elements_8) : (tensor<?x64xbf16>, tensor<4xi64>) -> tensor<?x32x2x32xbf16>
    %transposed_49 = linalg.transpose ins(%arg14 : tensor<64x64xbf16>) outs(%45 : tensor<64x64xbf16>) permutation = [1, 0] 
    %197 = linalg.matmul ins(%collapsed_43, %transposed_49 : tensor<?x64xbf16>, tensor<64x64xbf16>) outs(%49 : tensor<?x64xf32>) -> tensor<?x64xf32>
    %198 = linalg.generic {indexing_maps = [#map4, #map4], iterator_types = ["parallel", "parallel"]} ins(%197 : tensor<?x64xf32>) outs(%51 : tensor<?x64xbf16>) {
    ^bb0(%in: f32, %out: bf16):
      %373 = arith.truncf %in : f32 to bf16
      linalg.yield %373 : bf16
    } -> tensor<?x64xbf16>
    cf.assert %20, "must have at most one inferred (negative) dimension"
    %reshape_50 = tensor.reshape %198(%from_elements_8) : (tensor<?x64xbf16>, tensor<4xi64>) -> tensor<?x32x2x32xbf16>
    %transposed_51 = linalg.transpose ins(%reshape_50 : tensor<?x32x2x32xbf16>) outs(%59 : tensor<?x2x32x32xbf16>) permutation = [0, 2, 1, 3] 
    %transposed_52 = linalg.transpose ins(%reshape_48 : tensor<?x32x2x32xbf16>) outs(%59 : tensor<?x2x32x32xbf16>) permutation = [0, 2, 3, 1] 
    cf.assert %64, "unimplemented: dynamic negative broadcast sizes"
    %199 = linalg.generic {indexing_maps = [#map9], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} outs(%65 : tensor<?x2x32x32xbf16>) {
    ^bb0(%out: bf16):
      %373 = linalg.index 0 : index
      %374 = linalg.index 1 : index
      %375 = linalg.index 2 : index
      %376 = linalg.index 3 : index
      %377 = arith.cmpi eq, %58, %c1 : index
      %378 = arith.select %377, %c0, %373 : index
      %extracted = tensor.extract %transposed_46[%378, %374, %375, %376] : tensor<?x2x32x32xbf16>
      linalg.yield %extracted : bf16
    } -> tensor<?x2x32x32xbf16>
    %collapsed_53 = tensor.collapse_shape %199 [[0, 1], [2], [3]] : tensor<?x2x32x32xbf16> into tensor<?x32x32xbf16>
    cf.assert %64, "unimplemented: dynamic negative broadcast sizes"
    %200 = linalg.generic {indexing_maps = [#map9], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} outs(%65 : tensor<?x2x32x32xbf16>) {
    ^bb0(%out: bf16):
      %373 = linalg.index 0 : index
      %374 = linalg.index 1 : index
      %375 = linalg.index 2 : index
      %376 = linalg.index 3 : index
      %377 = arith.cmpi eq, %58, %c1 : index
      %378 = arith.select %377, %c0, %373 : index
      %extracted = tensor.extract %transposed_52[%378, %374, %375, %376] : tensor<?x2x32x32xbf16>
      linalg.yield %extracted : bf16
    } -> tensor<?x2x32x32xbf16>
    %collapsed_54 = tensor.collapse_shape %200 [[0, 1], [2], [3]] : tensor<?x2x32x32xbf16> into tensor<?x32x32xbf16>
    %201 = linalg.batch_matmul ins(%collapsed_53, %collapsed_54 : tensor<?x32x32xbf16>, tensor<?x32x32xbf16>) outs(%70 : tensor<?x32x32xf32>) -> tensor<?x32x32xf32>
    %202 = linalg.generic {indexing_maps = [#map5, #map5], iterator_types = ["parallel", "parallel", "parallel"]} ins(%201 : tensor<?x32x32xf32>) outs(%72 : tensor<?x32x32xbf16>) {
    ^bb0(%in: f32, %out: bf16):
      %373 = arith.truncf %in : f32 to bf16
      linalg.yield %373 : bf16
    } -> tensor<?x32x32xbf16>
    %expanded_55 = tensor.expand_shape %202 [[0, 1], [2], [3]] output_shape [%74, 2, 32, 32] : tensor<?x32x32xbf16> into tensor<?x2x32x32xbf16>
    %203 = linalg.generic {indexing_maps = [#map9, #map9], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%expanded_55 : tensor<?x2x32x32xbf16>) outs(%75 : tensor<?x2x32x32xf32>) {
    ^bb0(%in: bf16, %out: f32):
      %373 = arith.extf %in : bf16 to f32
      linalg.yield %373 : f32
    } -> tensor<?x2x32x32xf32>
    %204 = linalg.generic {indexing_maps = [#map9, #map9], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%203 : tensor<?x2x32x32xf32>) outs(%75 : tensor<?x2x32x32xf32>) {
    ^bb0(%in: f32, %out: f32):
      %373 = arith.truncf %cst_3 : f64 to f32
      %374 = arith.mulf %in, %373 : f32
      linalg.yield %374 : f32
    } -> tensor<?x2x32x32xf32>
    %205 = linalg.generic {indexing_maps = [#map12, #map13, #map9, #map9], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%81, %cst_2, %204 : tensor<32x32xi1>, tensor<f32>, tensor<?x2x32x32xf32>) outs(%75 : tensor<?x2x32x32xf32>) {
    ^bb0(%in: i1, %in_114: f32, %in_115: f32, %out: f32):
      %373 = arith.select %in, %in_114, %in_115 : f32
      linalg.yield %373 : f32
    } -> tensor<?x2x32x32xf32>
    %206:2 = linalg.generic {indexing_maps = [#map9, #map14, #map14], iterator_types = ["parallel", "parallel", "parallel", "reduction"]} ins(%205 : tensor<?x2x32x32xf32>) outs(%86, %84 : tensor<?x2x32xf32>, tensor<?x2x32xi64>) {
    ^bb0(%in: f32, %out: f32, %out_114: i64):
      %373 = linalg.index 3 : index
      %374 = arith.index_cast %373 : index to i64
      %375 = arith.maximumf %in, %out : f32
      %376 = arith.cmpf ogt, %in, %out : f32
      %377 = arith.select %376, %374, %out_114 : i64
      linalg.yield %375, %377 : f32, i64
    } -> (tensor<?x2x32xf32>, tensor<?x2x32xi64>)
    %expanded_56 = tensor.expand_shape %206#0 [[0], [1], [2, 3]] output_shape [%74, 2, 32, 1] : tensor<?x2x32xf32> into tensor<?x2x32x1xf32>
    %207 = linalg.generic {indexing_maps = [#map9, #map15, #map9], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%205, %expanded_56 : tensor<?x2x32x32xf32>, tensor<?x2x32x1xf32>) outs(%75 : tensor<?x2x32x32xf32>) {
    ^bb0(%in: f32, %in_114: f32, %out: f32):
      %373 = arith.subf %in, %in_114 : f32
      linalg.yield %373 : f32
    } -> tensor<?x2x32x32xf32>
    %208 = linalg.generic {indexing_maps = [#map9, #map9], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%207 : tensor<?x2x32x32xf32>) outs(%75 : tensor<?x2x32x32xf32>) {
    ^bb0(%in: f32, %out: f32):
      %373 = math.exp %in : f32
      linalg.yield %373 : f32
    } -> tensor<?x2x32x32xf32>
    %209 = linalg.generic {indexing_maps = [#map9, #map15], iterator_types = ["parallel", "parallel", "parallel", "reduction"]} ins(%208 : tensor<?x2x32x32xf32>) outs(%91 : tensor<?x2x32x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      %373 = arith.addf %in, %out : f32
      linalg.yield %373 : f32
    } -> tensor<?x2x32x1xf32>
    %210 = linalg.generic {indexing_maps = [#map9, #map15, #map9], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%208, %209 : tensor<?x2x32x32xf32>, tensor<?x2x32x1xf32>) outs(%75 : tensor<?x2x32x32xf32>) {
    ^bb0(%in: f32, %in_114: f32, %out: f32):
      %373 = arith.divf %in, %in_114 : f32
      linalg.yield %373 : f32
    } -> tensor<?x2x32x32xf32>
    %211 = linalg.generic {indexing_maps = [#map9, #map9], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%210 : tensor<?x2x32x32xf32>) outs(%94 : tensor<?x2x32x32xbf16>) {
    ^bb0(%in: f32, %out: bf16):
      %373 = arith.truncf %in : f32 to bf16
      linalg.yield %373 : bf16
    } -> tensor<?x2x32x32xbf16>
    cf.assert %64, "unimplemented: dynamic negative broadcast sizes"
    %212 = linalg.generic {indexing_maps = [#map9], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} outs(%65 : tensor<?x2x32x32xbf16>) {
    ^bb0(%out: bf16):
      %373 = linalg.index 0 : index
      %374 = linalg.index 1 : index
      %375 = linalg.index 2 : index
      %376 = linalg.index 3 : index
      %377 = arith.cmpi eq, %74, %c1 : index
      %378 = arith.select %377, %c0, %373 : index
      %extracted = tensor.extract %211[%378, %374, %375, %376] : tensor<?x2x32x32xbf16>
      linalg.yield %extracted : bf16
    } -> tensor<?x2x32x32xbf16>
    %collapsed_57 = tensor.collapse_shape %212 [[0, 1], [2], [3]] : tensor<?x2x32x32xbf16> into tensor<?x32x32xbf16>
    cf.assert %64, "unimplemented: dynamic negative broadcast sizes"
    %213 = linalg.generic {indexing_maps = [#map9], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} outs(%65 : tensor<?x2x32x32xbf16>) {
    ^bb0(%out: bf16):
      %373 = linalg.index 0 : index
      %374 = linalg.index 1 : index
      %375 = linalg.index 2 : index
      %376 = linalg.index 3 : index
      %377 = arith.cmpi eq, %58, %c1 : index
      %378 = arith.select %377, %c0, %373 : index
      %extracted = tensor.extract %transposed_51[%378, %374, %375, %376] : tensor<?x2x32x32xbf16>
      linalg.yield %extracted : bf16
    } -> tensor<?x2x32x32xbf16>
    %collapsed_58 = tensor.collapse_shape %213 [[0, 1], [2], [3]] : tensor<?x2x32x32xbf16> into tensor<?x32x32xbf16>
    %214 = linalg.batch_matmul ins(%collapsed_57, %collapsed_58 : tensor<?x32x32xbf16>, tensor<?x32x32xbf16>) outs(%70 : tensor<?x32x32xf32>) -> tensor<?x32x32xf32>
    %215 = linalg.generic {indexing_maps = [#map5, #map5], iterator_types = ["parallel", "parallel", "parallel"]} ins(%214 : tensor<?x32x32xf32>) outs(%72 : tensor<?x32x32xbf16>) {
    ^bb0(%in: f32, %out: bf16):
      %373 = arith.truncf %in : f32 to bf16
      linalg.yield %373 : bf16
    } -> tensor<?x32x32xbf16>
    %expanded_59 = tensor.expand_shape %215 [[0, 1], [2], [3]] output_shape [%74, 2, 32, 32] : tensor<?x32x32xbf16> into tensor<?x2x32x32xbf16>
    %transposed_60 = linalg.transpose ins(%expanded_59 : tensor<?x2x32x32xbf16>) outs(%100 : tensor<?x32x2x32xbf16>) permutation = [0, 2, 1, 3] 
    %collapsed_61 = tensor.collapse_shape %transposed_60 [[0, 1], [2, 3]] : tensor<?x32x2x32xbf16> into tensor<?x64xbf16>
    %transposed_62 = linalg.transpose ins(%arg15 : tensor<64x64xbf16>) outs(%45 : tensor<64x64xbf16>) permutation = [1, 0] 
    %216 = linalg.matmul ins(%collapsed_61, %transposed_62 : tensor<?x64xbf16>, tensor<64x64xbf16>) outs(%103 : tensor<?x64xf32>) -> tensor<?x64xf32>
    %217 = linalg.generic {indexing_maps = [#map4, #map4], iterator_types = ["parallel", "parallel"]} ins(%216 : tensor<?x64xf32>) outs(%105 : tensor<?x64xbf16>) {
    ^bb0(%in: f32, %out: bf16):
      %373 = arith.truncf %in : f32 to bf16
      linalg.yield %373 : bf16
    } -> tensor<?x64xbf16>
    %expanded_63 = tensor.expand_shape %217 [[0, 1], [2]] output_shape [%107, 32, 64] : tensor<?x64xbf16> into tensor<?x32x64xbf16>
    cf.assert %108, "mismatched size for broadcast"
    %218 = linalg.generic {indexing_maps = [#map5, #map5, #map5], iterator_types = ["parallel", "parallel", "parallel"]} ins(%182, %expanded_63 : tensor<?x32x64xbf16>, tensor<?x32x64xbf16>) outs(%29 : tensor<?x32x64xbf16>) {
    ^bb0(%in: bf16, %in_114: bf16, %out: bf16):
      %373 = arith.addf %in, %in_114 : bf16
      linalg.yield %373 : bf16
    } -> tensor<?x32x64xbf16>
    %219 = linalg.generic {indexing_maps = [#map5, #map5], iterator_types = ["parallel", "parallel", "parallel"]} ins(%218 : tensor<?x32x64xbf16>) outs(%26 : tensor<?x32x64xf32>) {
    ^bb0(%in: bf16, %out: f32):
      %373 = arith.extf %in : bf16 to f32
      linalg.yield %373 : f32
    } -> tensor<?x32x64xf32>
    %220 = linalg.generic {indexing_maps = [#map5, #map5], iterator_types = ["parallel", "parallel", "parallel"]} ins(%219 : tensor<?x32x64xf32>) outs(%26 : tensor<?x32x64xf32>) {
    ^bb0(%in: f32, %out: f32):
      %373 = math.fpowi %in, %c2_i64 : f32, i64
      linalg.yield %373 : f32
    } -> tensor<?x32x64xf32>
    %221 = linalg.generic {indexing_maps = [#map5, #map7], iterator_types = ["parallel", "parallel", "reduction"]} ins(%220 : tensor<?x32x64xf32>) outs(%34 : tensor<?x32x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      %373 = arith.addf %in, %out : f32
      linalg.yield %373 : f32
    } -> tensor<?x32x1xf32>
    %222 = linalg.generic {indexing_maps = [#map5, #map5], iterator_types = ["parallel", "parallel", "parallel"]} ins(%221 : tensor<?x32x1xf32>) outs(%33 : tensor<?x32x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      %373 = arith.divf %in, %cst_5 : f32
      linalg.yield %373 : f32
    } -> tensor<?x32x1xf32>
    %223 = linalg.generic {indexing_maps = [#map5, #map5], iterator_types = ["parallel", "parallel", "parallel"]} ins(%222 : tensor<?x32x1xf32>) outs(%33 : tensor<?x32x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      %373 = arith.truncf %cst_4 : f64 to f32
      %374 = arith.addf %in, %373 : f32
      linalg.yield %374 : f32
    } -> tensor<?x32x1xf32>
    %224 = linalg.generic {indexing_maps = [#map5, #map5], iterator_types = ["parallel", "parallel", "parallel"]} ins(%223 : tensor<?x32x1xf32>) outs(%33 : tensor<?x32x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      %373 = math.rsqrt %in : f32
      linalg.yield %373 : f32
    } -> tensor<?x32x1xf32>
    %225 = linalg.generic {indexing_maps = [#map5, #map7, #map5], iterator_types = ["parallel", "parallel", "parallel"]} ins(%219, %224 : tensor<?x32x64xf32>, tensor<?x32x1xf32>) outs(%26 : tensor<?x32x64xf32>) {
    ^bb0(%in: f32, %in_114: f32, %out: f32):
      %373 = arith.mulf %in, %in_114 : f32
      linalg.yield %373 : f32
    } -> tensor<?x32x64xf32>
    %226 = linalg.generic {indexing_maps = [#map1, #map1], iterator_types = ["parallel"]} ins(%arg16 : tensor<64xbf16>) outs(%40 : tensor<64xf32>) {
    ^bb0(%in: bf16, %out: f32):
      %373 = arith.extf %in : bf16 to f32
      linalg.yield %373 : f32
    } -> tensor<64xf32>
    %227 = linalg.generic {indexing_maps = [#map5, #map8, #map5], iterator_types = ["parallel", "parallel", "parallel"]} ins(%225, %226 : tensor<?x32x64xf32>, tensor<64xf32>) outs(%26 : tensor<?x32x64xf32>) {
    ^bb0(%in: f32, %in_114: f32, %out: f32):
      %373 = arith.mulf %in, %in_114 : f32
      linalg.yield %373 : f32
    } -> tensor<?x32x64xf32>
    %228 = linalg.generic {indexing_maps = [#map5, #map5], iterator_types = ["parallel", "parallel", "parallel"]} ins(%227 : tensor<?x32x64xf32>) outs(%29 : tensor<?x32x64xbf16>) {
    ^bb0(%in: f32, %out: bf16):
      %373 = arith.truncf %in : f32 to bf16
      linalg.yield %373 : bf16
    } -> tensor<?x32x64xbf16>
    %collapsed_64 = tensor.collapse_shape %228 [[0, 1], [2]] : tensor<?x32x64xbf16> into tensor<?x64xbf16>
    %transposed_65 = linalg.transpose ins(%arg17 : tensor<4x64xbf16>) outs(%120 : tensor<64x4xbf16>) permutation = [1, 0] 
    %229 = linalg.matmul ins(%collapsed_64, %transposed_65 : tensor<?x64xbf16>, tensor<64x4xbf16>) outs(%122 : tensor<?x4xf32>) -> tensor<?x4xf32>
    %230 = linalg.generic {indexing_maps = [#map4, #map4], iterator_types = ["parallel", "parallel"]} ins(%229 : tensor<?x4xf32>) outs(%124 : tensor<?x4xbf16>) {
    ^bb0(%in: f32, %out: bf16):
      %373 = arith.truncf %in : f32 to bf16
      linalg.yield %373 : bf16
    } -> tensor<?x4xbf16>
    %231 = linalg.generic {indexing_maps = [#map4, #map4], iterator_types = ["parallel", "parallel"]} ins(%230 : tensor<?x4xbf16>) outs(%121 : tensor<?x4xf32>) {
    ^bb0(%in: bf16, %out: f32):
      %373 = arith.extf %in : bf16 to f32
      linalg.yield %373 : f32
    } -> tensor<?x4xf32>
    %232:2 = linalg.generic {indexing_maps = [#map4, #map16, #map16], iterator_types = ["parallel", "reduction"]} ins(%231 : tensor<?x4xf32>) outs(%130, %128 : tensor<?xf32>, tensor<?xi64>) {
    ^bb0(%in: f32, %out: f32, %out_114: i64):
      %373 = linalg.index 1 : index
      %374 = arith.index_cast %373 : index to i64
      %375 = arith.maximumf %in, %out : f32
      %376 = arith.cmpf ogt, %in, %out : f32
      %377 = arith.select %376, %374, %out_114 : i64
      linalg.yield %375, %377 : f32, i64
    } -> (tensor<?xf32>, tensor<?xi64>)
    %expanded_66 = tensor.expand_shape %232#0 [[0, 1]] output_shape [%47, 1] : tensor<?xf32> into tensor<?x1xf32>
    %233 = linalg.generic {indexing_maps = [#map4, #map2, #map4], iterator_types = ["parallel", "parallel"]} ins(%231, %expanded_66 : tensor<?x4xf32>, tensor<?x1xf32>) outs(%121 : tensor<?x4xf32>) {
    ^bb0(%in: f32, %in_114: f32, %out: f32):
      %373 = arith.subf %in, %in_114 : f32
      linalg.yield %373 : f32
    } -> tensor<?x4xf32>
    %234 = linalg.generic {indexing_maps = [#map4, #map4], iterator_types = ["parallel", "parallel"]} ins(%233 : tensor<?x4xf32>) outs(%121 : tensor<?x4xf32>) {
    ^bb0(%in: f32, %out: f32):
      %373 = math.exp %in : f32
      linalg.yield %373 : f32
    } -> tensor<?x4xf32>
    %235 = linalg.generic {indexing_maps = [#map4, #map2], iterator_types = ["parallel", "reduction"]} ins(%234 : tensor<?x4xf32>) outs(%135 : tensor<?x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      %373 = arith.addf %in, %out : f32
      linalg.yield %373 : f32
    } -> tensor<?x1xf32>
    %236 = linalg.generic {indexing_maps = [#map4, #map2, #map4], iterator_types = ["parallel", "parallel"]} ins(%234, %235 : tensor<?x4xf32>, tensor<?x1xf32>) outs(%121 : tensor<?x4xf32>) {
    ^bb0(%in: f32, %in_114: f32, %out: f32):
      %373 = arith.divf %in, %in_114 : f32
      linalg.yield %373 : f32
    } -> tensor<?x4xf32>
    %expanded_67 = tensor.expand_shape %236 [[0], [1, 2]] output_shape [%47, 4, 1] : tensor<?x4xf32> into tensor<?x4x1xf32>
    %expanded_68 = tensor.expand_shape %236 [[0], [1, 2]] output_shape [%47, 1, 4] : tensor<?x4xf32> into tensor<?x1x4xf32>
    %237 = linalg.generic {indexing_maps = [#map17, #map7, #map5], iterator_types = ["parallel", "parallel", "parallel"]} ins(%expanded_68, %expanded_67 : tensor<?x1x4xf32>, tensor<?x4x1xf32>) outs(%142 : tensor<?x4x4xi1>) {
    ^bb0(%in: f32, %in_114: f32, %out: i1):
      %373 = arith.cmpf ogt, %in, %in_114 : f32
      linalg.yield %373 : i1
    } -> tensor<?x4x4xi1>
    %238 = linalg.generic {indexing_maps = [#map17, #map7, #map5], iterator_types = ["parallel", "parallel", "parallel"]} ins(%expanded_68, %expanded_67 : tensor<?x1x4xf32>, tensor<?x4x1xf32>) outs(%142 : tensor<?x4x4xi1>) {
    ^bb0(%in: f32, %in_114: f32, %out: i1):
      %373 = arith.cmpf oeq, %in, %in_114 : f32
      linalg.yield %373 : i1
    } -> tensor<?x4x4xi1>
    %239 = linalg.generic {indexing_maps = [#map5, #map6, #map5], iterator_types = ["parallel", "parallel", "parallel"]} ins(%238, %141 : tensor<?x4x4xi1>, tensor<4x4xi1>) outs(%142 : tensor<?x4x4xi1>) {
    ^bb0(%in: i1, %in_114: i1, %out: i1):
      %373 = arith.andi %in, %in_114 : i1
      linalg.yield %373 : i1
    } -> tensor<?x4x4xi1>
    %240 = linalg.generic {indexing_maps = [#map5, #map5, #map5], iterator_types = ["parallel", "parallel", "parallel"]} ins(%237, %239 : tensor<?x4x4xi1>, tensor<?x4x4xi1>) outs(%142 : tensor<?x4x4xi1>) {
    ^bb0(%in: i1, %in_114: i1, %out: i1):
      %373 = arith.ori %in, %in_114 : i1
      linalg.yield %373 : i1
    } -> tensor<?x4x4xi1>
    %241 = linalg.generic {indexing_maps = [#map5, #map5], iterator_types = ["parallel", "parallel", "parallel"]} ins(%240 : tensor<?x4x4xi1>) outs(%147 : tensor<?x4x4xf32>) {
    ^bb0(%in: i1, %out: f32):
      %373 = arith.uitofp %in : i1 to f32
      linalg.yield %373 : f32
    } -> tensor<?x4x4xf32>
    %242 = linalg.generic {indexing_maps = [#map5, #map18], iterator_types = ["parallel", "parallel", "reduction"]} ins(%241 : tensor<?x4x4xf32>) outs(%122 : tensor<?x4xf32>) {
    ^bb0(%in: f32, %out: f32):
      %373 = arith.addf %in, %out : f32
      linalg.yield %373 : f32
    } -> tensor<?x4xf32>
    %243 = linalg.generic {indexing_maps = [#map4, #map4], iterator_types = ["parallel", "parallel"]} ins(%242 : tensor<?x4xf32>) outs(%150 : tensor<?x4xi1>) {
    ^bb0(%in: f32, %out: i1):
      %373 = arith.cmpf olt, %in, %cst_6 : f32
      linalg.yield %373 : i1
    } -> tensor<?x4xi1>
    %244 = linalg.generic {indexing_maps = [#map4, #map4], iterator_types = ["parallel", "parallel"]} ins(%243 : tensor<?x4xi1>) outs(%121 : tensor<?x4xf32>) {
    ^bb0(%in: i1, %out: f32):
      %373 = arith.uitofp %in : i1 to f32
      linalg.yield %373 : f32
    } -> tensor<?x4xf32>
    %245 = linalg.generic {indexing_maps = [#map4, #map4, #map4], iterator_types = ["parallel", "parallel"]} ins(%236, %244 : tensor<?x4xf32>, tensor<?x4xf32>) outs(%121 : tensor<?x4xf32>) {
    ^bb0(%in: f32, %in_114: f32, %out: f32):
      %373 = arith.mulf %in, %in_114 : f32
      linalg.yield %373 : f32
    } -> tensor<?x4xf32>
    %246 = linalg.generic {indexing_maps = [#map4, #map2], iterator_types = ["parallel", "reduction"]} ins(%245 : tensor<?x4xf32>) outs(%135 : tensor<?x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      %373 = arith.addf %in, %out : f32
      linalg.yield %373 : f32
    } -> tensor<?x1xf32>
    %247 = linalg.generic {indexing_maps = [#map4, #map2, #map4], iterator_types = ["parallel", "parallel"]} ins(%245, %246 : tensor<?x4xf32>, tensor<?x1xf32>) outs(%121 : tensor<?x4xf32>) {
    ^bb0(%in: f32, %in_114: f32, %out: f32):
      %373 = arith.divf %in, %in_114 : f32
      linalg.yield %373 : f32
    } -> tensor<?x4xf32>
    %248 = linalg.generic {indexing_maps = [#map6, #map5], iterator_types = ["parallel", "parallel", "parallel"]} ins(%collapsed_64 : tensor<?x64xbf16>) outs(%156 : tensor<4x?x64xbf16>) {
    ^bb0(%in: bf16, %out: bf16):
      linalg.yield %in : bf16
    } -> tensor<4x?x64xbf16>
    %transposed_69 = linalg.transpose ins(%arg18 : tensor<4x128x64xbf16>) outs(%158 : tensor<4x64x128xbf16>) permutation = [0, 2, 1] 
    %249 = linalg.batch_matmul ins(%248, %transposed_69 : tensor<4x?x64xbf16>, tensor<4x64x128xbf16>) outs(%160 : tensor<4x?x128xf32>) -> tensor<4x?x128xf32>
    %250 = linalg.generic {indexing_maps = [#map5, #map5], iterator_types = ["parallel", "parallel", "parallel"]} ins(%249 : tensor<4x?x128xf32>) outs(%162 : tensor<4x?x128xbf16>) {
    ^bb0(%in: f32, %out: bf16):
      %373 = arith.truncf %in : f32 to bf16
      linalg.yield %373 : bf16
    } -> tensor<4x?x128xbf16>
    %extracted_slice_70 = tensor.extract_slice %250[0, 0, 0] [4, %47, 64] [1, 1, 1] : tensor<4x?x128xbf16> to tensor<4x?x64xbf16>
    %extracted_slice_71 = tensor.extract_slice %250[0, 0, 64] [4, %47, 64] [1, 1, 1] : tensor<4x?x128xbf16> to tensor<4x?x64xbf16>
    %251 = linalg.generic {indexing_maps = [#map5, #map5], iterator_types = ["parallel", "parallel", "parallel"]} ins(%extracted_slice_70 : tensor<4x?x64xbf16>) outs(%164 : tensor<4x?x64xf32>) {
    ^bb0(%in: bf16, %out: f32):
      %373 = arith.extf %in : bf16 to f32
      linalg.yield %373 : f32
    } -> tensor<4x?x64xf32>
    %252 = linalg.generic {indexing_maps = [#map5, #map5], iterator_types = ["parallel", "parallel", "parallel"]} ins(%251 : tensor<4x?x64xf32>) outs(%164 : tensor<4x?x64xf32>) {
    ^bb0(%in: f32, %out: f32):
      %373 = arith.negf %in : f32
      %374 = math.exp %373 : f32
      %375 = arith.addf %374, %cst_1 : f32
      %376 = arith.divf %cst_1, %375 : f32
      linalg.yield %376 : f32
    } -> tensor<4x?x64xf32>
    %253 = linalg.generic {indexing_maps = [#map5, #map5, #map5], iterator_types = ["parallel", "parallel", "parallel"]} ins(%251, %252 : tensor<4x?x64xf32>, tensor<4x?x64xf32>) outs(%164 : tensor<4x?x64xf32>) {
    ^bb0(%in: f32, %in_114: f32, %out: f32):
      %373 = arith.mulf %in, %in_114 : f32
      linalg.yield %373 : f32
    } -> tensor<4x?x64xf32>
    %254 = linalg.generic {indexing_maps = [#map5, #map5], iterator_types = ["parallel", "parallel", "parallel"]} ins(%extracted_slice_71 : tensor<4x?x64xbf16>) outs(%164 : tensor<4x?x64xf32>) {
    ^bb0(%in: bf16, %out: f32):
      %373 = arith.extf %in : bf16 to f32
      linalg.yield %373 : f32
    } -> tensor<4x?x64xf32>
    %255 = linalg.generic {indexing_maps = [#map5, #map5, #map5], iterator_types = ["parallel", "parallel", "parallel"]} ins(%253, %254 : tensor<4x?x64xf32>, tensor<4x?x64xf32>) outs(%164 : tensor<4x?x64xf32>) {
    ^bb0(%in: f32, %in_114: f32, %out: f32):
      %373 = arith.mulf %in, %in_114 : f32
      linalg.yield %373 : f32
    } -> tensor<4x?x64xf32>
    %256 = linalg.generic {indexing_maps = [#map5, #map5], iterator_types = ["parallel", "parallel", "parallel"]} ins(%255 : tensor<4x?x64xf32>) outs(%156 : tensor<4x?x64xbf16>) {
    ^bb0(%in: f32, %out: bf16):
      %373 = arith.truncf %in : f32 to bf16
      linalg.yield %373 : bf16
    } -> tensor<4x?x64xbf16>
    %transposed_72 = linalg.transpose ins(%arg19 : tensor<4x64x64xbf16>) outs(%171 : tensor<4x64x64xbf16>) permutation = [0, 2, 1] 
    %257 = linalg.batch_matmul ins(%256, %transposed_72 : tensor<4x?x64xbf16>, tensor<4x64x64xbf16>) outs(%172 : tensor<4x?x64xf32>) -> tensor<4x?x64xf32>
    %258 = linalg.generic {indexing_maps = [#map5, #map5], iterator_types = ["parallel", "parallel", "parallel"]} ins(%257 : tensor<4x?x64xf32>) outs(%156 : tensor<4x?x64xbf16>) {
    ^bb0(%in: f32, %out: bf16):
      %373 = arith.truncf %in : f32 to bf16
      linalg.yield %373 : bf16
    } -> tensor<4x?x64xbf16>
    %259 = linalg.generic {indexing_maps = [#map5, #map5], iterator_types = ["parallel", "parallel", "parallel"]} ins(%258 : tensor<4x?x64xbf16>) outs(%164 : tensor<4x?x64xf32>) {
    ^bb0(%in: bf16, %out: f32):
      %373 = arith.extf %in : bf16 to f32
      linalg.yield %373 : f32
    } -> tensor<4x?x64xf32>
    %transposed_73 = linalg.transpose ins(%247 : tensor<?x4xf32>) outs(%176 : tensor<4x?xf32>) permutation = [1, 0] 
    %expanded_74 = tensor.expand_shape %transposed_73 [[0], [1, 2]] output_shape [4, %47, 1] : tensor<4x?xf32> into tensor<4x?x1xf32>
    %260 = linalg.generic {indexing_maps = [#map5, #map7, #map5], iterator_types = ["parallel", "parallel", "parallel"]} ins(%259, %expanded_74 : tensor<4x?x64xf32>, tensor<4x?x1xf32>) outs(%164 : tensor<4x?x64xf32>) {
    ^bb0(%in: f32, %in_114: f32, %out: f32):
      %373 = arith.mulf %in, %in_114 : f32
      linalg.yield %373 : f32
    } -> tensor<4x?x64xf32>
    %261 = linalg.generic {indexing_maps = [#map5, #map6], iterator_types = ["reduction", "parallel", "parallel"]} ins(%260 : tensor<4x?x64xf32>) outs(%49 : tensor<?x64xf32>) {
    ^bb0(%in: f32, %out: f32):
      %373 = arith.addf %in, %out : f32
      linalg.yield %373 : f32
    } -> tensor<?x64xf32>
    %262 = linalg.generic {indexing_maps = [#map4, #map4], iterator_types = ["parallel", "parallel"]} ins(%261 : tensor<?x64xf32>) outs(%51 : tensor<?x64xbf16>) {
    ^bb0(%in: f32, %out: bf16):
      %373 = arith.truncf %in : f32 to bf16
      linalg.yield %373 : bf16
    } -> tensor<?x64xbf16>
    %expanded_75 = tensor.expand_shape %262 [[0, 1], [2]] output_shape [%180, 32, 64] : tensor<?x64xbf16> into tensor<?x32x64xbf16>
    cf.assert %181, "mismatched size for broadcast"
    %263 = linalg.generic {indexing_maps = [#map5, #map5, #map5], iterator_types = ["parallel", "parallel", "parallel"]} ins(%218, %expanded_75 : tensor<?x32x64xbf16>, tensor<?x32x64xbf16>) outs(%29 : tensor<?x32x64xbf16>) {
    ^bb0(%in: bf16, %in_114: bf16, %out: bf16):
      %373 = arith.addf %in, %in_114 : bf16
      linalg.yield %373 : bf16
    } -> tensor<?x32x64xbf16>
    %264 = linalg.generic {indexing_maps = [#map5, #map5], iterator_types = ["parallel", "parallel", "parallel"]} ins(%263 : tensor<?x32x64xbf16>) outs(%26 : tensor<?x32x64xf32>) {
    ^bb0(%in: bf16, %out: f32):
      %373 = arith.extf %in : bf16 to f32
      linalg.yield %373 : f32
    } -> tensor<?x32x64xf32>
    %265 = linalg.generic {indexing_maps = [#map5, #map5], iterator_types = ["parallel", "parallel", "parallel"]} ins(%264 : tensor<?x32x64xf32>) outs(%26 : tensor<?x32x64xf32>) {
    ^bb0(%in: f32, %out: f32):
      %373 = math.fpowi %in, %c2_i64 : f32, i64
      linalg.yield %373 : f32
    } -> tensor<?x32x64xf32>
    %266 = linalg.generic {indexing_maps = [#map5, #map7], iterator_types = ["parallel", "parallel", "reduction"]} ins(%265 : tensor<?x32x64xf32>) outs(%34 : tensor<?x32x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      %373 = arith.addf %in, %out : f32
      linalg.yield %373 : f32
    } -> tensor<?x32x1xf32>
    %267 = linalg.generic {indexing_maps = [#map5, #map5], iterator_types = ["parallel", "parallel", "parallel"]} ins(%266 : tensor<?x32x1xf32>) outs(%33 : tensor<?x32x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      %373 = arith.divf %in, %cst_5 : f32
      linalg.yield %373 : f32
    } -> tensor<?x32x1xf32>
    %268 = linalg.generic {indexing_maps = [#map5, #map5], iterator_types = ["parallel", "parallel", "parallel"]} ins(%267 : tensor<?x32x1xf32>) outs(%33 : tensor<?x32x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      %373 = arith.truncf %cst_4 : f64 to f32
      %374 = arith.addf %in, %373 : f32
      linalg.yield %374 : f32
    } -> tensor<?x32x1xf32>
    %269 = linalg.generic {indexing_maps = [#map5, #map5], iterator_types = ["parallel", "parallel", "parallel"]} ins(%268 : tensor<?x32x1xf32>) outs(%33 : tensor<?x32x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      %373 = math.rsqrt %in : f32
      linalg.yield %373 : f32
    } -> tensor<?x32x1xf32>
    %270 = linalg.generic {indexing_maps = [#map5, #map7, #map5], iterator_types = ["parallel", "parallel", "parallel"]} ins(%264, %269 : tensor<?x32x64xf32>, tensor<?x32x1xf32>) outs(%26 : tensor<?x32x64xf32>) {
    ^bb0(%in: f32, %in_114: f32, %out: f32):
      %373 = arith.mulf %in, %in_114 : f32
      linalg.yield %373 : f32
    } -> tensor<?x32x64xf32>
    %271 = linalg.generic {indexing_maps = [#map1, #map1], iterator_types = ["parallel"]} ins(%arg20 : tensor<64xbf16>) outs(%40 : tensor<64xf32>) {
    ^bb0(%in: bf16, %out: f32):
      %373 = arith.extf %in : bf16 to f32
      linalg.yield %373 : f32
    } -> tensor<64xf32>
    %272 = linalg.generic {indexing_maps = [#map5, #map8, #map5], iterator_types = ["parallel", "parallel", "parallel"]} ins(%270, %271 : tensor<?x32x64xf32>, tensor<64xf32>) outs(%26 : tensor<?x32x64xf32>) {
    ^bb0(%in: f32, %in_114: f32, %out: f32):
      %373 = arith.mulf %in, %in_114 : f32
      linalg.yield %373 : f32
    } -> tensor<?x32x64xf32>
    %273 = linalg.generic {indexing_maps = [#map5, #map5], iterator_types = ["parallel", "parallel", "parallel"]} ins(%272 : tensor<?x32x64xf32>) outs(%29 : tensor<?x32x64xbf16>) {
    ^bb0(%in: f32, %out: bf16):
      %373 = arith.truncf %in : f32 to bf16
      linalg.yield %373 : bf16
    } -> tensor<?x32x64xbf16>
    %collapsed_76 = tensor.collapse_shape %273 [[0, 1], [2]] : tensor<?x32x64xbf16> into tensor<?x64xbf16>
    %transposed_77 = linalg.transpose ins(%arg21 : tensor<64x64xbf16>) outs(%45 : tensor<64x64xbf16>) permutation = [1, 0] 
    %274 = linalg.matmul ins(%collapsed_76, %transposed_77 : tensor<?x64xbf16>, tensor<64x64xbf16>) outs(%49 : tensor<?x64xf32>) -> tensor<?x64xf32>
    %275 = linalg.generic {indexing_maps = [#map4, #map4], iterator_types = ["parallel", "parallel"]} ins(%274 : tensor<?x64xf32>) outs(%51 : tensor<?x64xbf16>) {
    ^bb0(%in: f32, %out: bf16):
      %373 = arith.truncf %in : f32 to bf16
      linalg.yield %373 : bf16
    } -> tensor<?x64xbf16>
    cf.assert %20, "must have at most one inferred (negative) dimension"
    %reshape_78 = tensor.reshape %275(%from_elements_8) : (tensor<?x64xbf16>, tensor<4xi64>) -> tensor<?x32x2x32xbf16>
    %transposed_79 = linalg.transpose ins(%reshape_78 : tensor<?x32x2x32xbf16>) outs(%59 : tensor<?x2x32x32xbf16>) permutation = [0, 2, 1, 3] 
    %transposed_80 = linalg.transpose ins(%arg22 : tensor<64x64xbf16>) outs(%45 : tensor<64x64xbf16>) permutation = [1, 0] 
    %276 = linalg.matmul ins(%collapsed_76, %transposed_80 : tensor<?x64xbf16>, tensor<64x64xbf16>) outs(%49 : tensor<?x64xf32>) -> tensor<?x64xf32>
    %277 = linalg.generic {indexing_maps = [#map4, #map4], iterator_types = ["parallel", "parallel"]} ins(%276 : tensor<?x64xf32>) outs(%51 : tensor<?x64xbf16>) {
    ^bb0(%in: f32, %out: bf16):
      %373 = arith.truncf %in : f32 to bf16
      linalg.yield %373 : bf16
    } -> tensor<?x64xbf16>
    cf.assert %20, "must have at most one inferred (negative) dimension"
    %reshape_81 = tensor.reshape %277(%from_elements_8) : (tensor<?x64xbf16>, tensor<4xi64>) -> tensor<?x32x2x32xbf16>
    %transposed_82 = linalg.transpose ins(%arg23 : tensor<64x64xbf16>) outs(%45 : tensor<64x64xbf16>) permutation = [1, 0] 
    %278 = linalg.matmul ins(%collapsed_76, %transposed_82 : tensor<?x64xbf16>, tensor<64x64xbf16>) outs(%49 : tensor<?x64xf32>) -> tensor<?x64xf32>
    %279 = linalg.generic {indexing_maps = [#map4, #map4], iterator_types = ["parallel", "parallel"]} ins(%278 : tensor<?x64xf32>) outs(%51 : tensor<?x64xbf16>) {
    ^bb0(%in: f32, %out: bf16):
      %373 = arith.truncf %in : f32 to bf16
      linalg.yield %373 : bf16
    } -> tensor<?x64xbf16>
    cf.assert %20, "must have at most one inferred (negative) dimension"
    %reshape_83 = tensor.reshape %279(%from_elements_8) : (tensor<?x64xbf16>, tensor<4xi64>) -> tensor<?x32x2x32xbf16>
    %transposed_84 = linalg.transpose ins(%reshape_83 : tensor<?x32x2x32xbf16>) outs(%59 : tensor<?x2x32x32xbf16>) permutation = [0, 2, 1, 3] 
    %transposed_85 = linalg.transpose ins(%reshape_81 : tensor<?x32x2x32xbf16>) outs(%59 : tensor<?x2x32x32xbf16>) permutation = [0, 2, 3, 1] 
    cf.assert %64, "unimplemented: dynamic negative broadcast sizes"
    %280 = linalg.generic {indexing_maps = [#map9], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} outs(%65 : tensor<?x2x32x32xbf16>) {
    ^bb0(%out: bf16):
      %373 = linalg.index 0 : index
      %374 = linalg.index 1 : index
      %375 = linalg.index 2 : index
      %376 = linalg.index 3 : index
      %377 = arith.cmpi eq, %58, %c1 : index
      %378 = arith.select %377, %c0, %373 : index
      %extracted = tensor.extract %transposed_79[%378, %374, %375, %376] : tensor<?x2x32x32xbf16>
      linalg.yield %extracted : bf16
    } -> tensor<?x2x32x32xbf16>
    %collapsed_86 = tensor.collapse_shape %280 [[0, 1], [2], [3]] : tensor<?x2x32x32xbf16> into tensor<?x32x32xbf16>
    cf.assert %64, "unimplemented: dynamic negative broadcast sizes"
    %281 = linalg.generic {indexing_maps = [#map9], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} outs(%65 : tensor<?x2x32x32xbf16>) {
    ^bb0(%out: bf16):
      %373 = linalg.index 0 : index
      %374 = linalg.index 1 : index
      %375 = linalg.index 2 : index
      %376 = linalg.index 3 : index
      %377 = arith.cmpi eq, %58, %c1 : index
      %378 = arith.select %377, %c0, %373 : index
      %extracted = tensor.extract %transposed_85[%378, %374, %375, %376] : tensor<?x2x32x32xbf16>
      linalg.yield %extracted : bf16
    } -> tensor<?x2x32x32xbf16>
    %collapsed_87 = tensor.collapse_shape %281 [[0, 1], [2], [3]] : tensor<?x2x32x32xbf16> into tensor<?x32x32xbf16>
    %282 = linalg.batch_matmul ins(%collapsed_86, %collapsed_87 : tensor<?x32x32xbf16>, tensor<?x32x32xbf16>) outs(%70 : tensor<?x32x32xf32>) -> tensor<?x32x32xf32>
    %283 = linalg.generic {indexing_maps = [#map5, #map5], iterator_types = ["parallel", "parallel", "parallel"]} ins(%282 : tensor<?x32x32xf32>) outs(%72 : tensor<?x32x32xbf16>) {
    ^bb0(%in: f32, %out: bf16):
      %373 = arith.truncf %in : f32 to bf16
      linalg.yield %373 : bf16
    } -> tensor<?x32x32xbf16>
    %expanded_88 = tensor.expand_shape %283 [[0, 1], [2], [3]] output_shape [%74, 2, 32, 32] : tensor<?x32x32xbf16> into tensor<?x2x32x32xbf16>
    %284 = linalg.generic {indexing_maps = [#map9, #map9], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%expanded_88 : tensor<?x2x32x32xbf16>) outs(%75 : tensor<?x2x32x32xf32>) {
    ^bb0(%in: bf16, %out: f32):
      %373 = arith.extf %in : bf16 to f32
      linalg.yield %373 : f32
    } -> tensor<?x2x32x32xf32>
    %285 = linalg.generic {indexing_maps = [#map9, #map9], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%284 : tensor<?x2x32x32xf32>) outs(%75 : tensor<?x2x32x32xf32>) {
    ^bb0(%in: f32, %out: f32):
      %373 = arith.truncf %cst_3 : f64 to f32
      %374 = arith.mulf %in, %373 : f32
      linalg.yield %374 : f32
    } -> tensor<?x2x32x32xf32>
    %286 = linalg.generic {indexing_maps = [#map12, #map13, #map9, #map9], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%81, %cst_2, %285 : tensor<32x32xi1>, tensor<f32>, tensor<?x2x32x32xf32>) outs(%75 : tensor<?x2x32x32xf32>) {
    ^bb0(%in: i1, %in_114: f32, %in_115: f32, %out: f32):
      %373 = arith.select %in, %in_114, %in_115 : f32
      linalg.yield %373 : f32
    } -> tensor<?x2x32x32xf32>
    %287:2 = linalg.generic {indexing_maps = [#map9, #map14, #map14], iterator_types = ["parallel", "parallel", "parallel", "reduction"]} ins(%286 : tensor<?x2x32x32xf32>) outs(%86, %84 : tensor<?x2x32xf32>, tensor<?x2x32xi64>) {
    ^bb0(%in: f32, %out: f32, %out_114: i64):
      %373 = linalg.index 3 : index
      %374 = arith.index_cast %373 : index to i64
      %375 = arith.maximumf %in, %out : f32
      %376 = arith.cmpf ogt, %in, %out : f32
      %377 = arith.select %376, %374, %out_114 : i64
      linalg.yield %375, %377 : f32, i64
    } -> (tensor<?x2x32xf32>, tensor<?x2x32xi64>)
    %expanded_89 = tensor.expand_shape %287#0 [[0], [1], [2, 3]] output_shape [%74, 2, 32, 1] : tensor<?x2x32xf32> into tensor<?x2x32x1xf32>
    %288 = linalg.generic {indexing_maps = [#map9, #map15, #map9], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%286, %expanded_89 : tensor<?x2x32x32xf32>, tensor<?x2x32x1xf32>) outs(%75 : tensor<?x2x32x32xf32>) {
    ^bb0(%in: f32, %in_114: f32, %out: f32):
      %373 = arith.subf %in, %in_114 : f32
      linalg.yield %373 : f32
    } -> tensor<?x2x32x32xf32>
    %289 = linalg.generic {indexing_maps = [#map9, #map9], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%288 : tensor<?x2x32x32xf32>) outs(%75 : tensor<?x2x32x32xf32>) {
    ^bb0(%in: f32, %out: f32):
      %373 = math.exp %in : f32
      linalg.yield %373 : f32
    } -> tensor<?x2x32x32xf32>
    %290 = linalg.generic {indexing_maps = [#map9, #map15], iterator_types = ["parallel", "parallel", "parallel", "reduction"]} ins(%289 : tensor<?x2x32x32xf32>) outs(%91 : tensor<?x2x32x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      %373 = arith.addf %in, %out : f32
      linalg.yield %373 : f32
    } -> tensor<?x2x32x1xf32>
    %291 = linalg.generic {indexing_maps = [#map9, #map15, #map9], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%289, %290 : tensor<?x2x32x32xf32>, tensor<?x2x32x1xf32>) outs(%75 : tensor<?x2x32x32xf32>) {
    ^bb0(%in: f32, %in_114: f32, %out: f32):
      %373 = arith.divf %in, %in_114 : f32
      linalg.yield %373 : f32
    } -> tensor<?x2x32x32xf32>
    %292 = linalg.generic {indexing_maps = [#map9, #map9], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%291 : tensor<?x2x32x32xf32>) outs(%94 : tensor<?x2x32x32xbf16>) {
    ^bb0(%in: f32, %out: bf16):
      %373 = arith.truncf %in : f32 to bf16
      linalg.yield %373 : bf16
    } -> tensor<?x2x32x32xbf16>
    cf.assert %64, "unimplemented: dynamic negative broadcast sizes"
    %293 = linalg.generic {indexing_maps = [#map9], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} outs(%65 : tensor<?x2x32x32xbf16>) {
    ^bb0(%out: bf16):
      %373 = linalg.index 0 : index
      %374 = linalg.index 1 : index
      %375 = linalg.index 2 : index
      %376 = linalg.index 3 : index
      %377 = arith.cmpi eq, %74, %c1 : index
      %378 = arith.select %377, %c0, %373 : index
      %extracted = tensor.extract %292[%378, %374, %375, %376] : tensor<?x2x32x32xbf16>
      linalg.yield %extracted : bf16
    } -> tensor<?x2x32x32xbf16>
    %collapsed_90 = tensor.collapse_shape %293 [[0, 1], [2], [3]] : tensor<?x2x32x32xbf16> into tensor<?x32x32xbf16>
    cf.assert %64, "unimplemented: dynamic negative broadcast sizes"
    %294 = linalg.generic {indexing_maps = [#map9], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} outs(%65 : tensor<?x2x32x32xbf16>) {
    ^bb0(%out: bf16):
      %373 = linalg.index 0 : index
      %374 = linalg.index 1 : index
      %375 = linalg.index 2 : index
      %376 = linalg.index 3 : index
      %377 = arith.cmpi eq, %58, %c1 : index
      %378 = arith.select %377, %c0, %373 : index
      %extracted = tensor.extract %transposed_84[%378, %374, %375, %376] : tensor<?x2x32x32xbf16>
      linalg.yield %extracted : bf16
    } -> tensor<?x2x32x32xbf16>
    %collapsed_91 = tensor.collapse_shape %294 [[0, 1], [2], [3]] : tensor<?x2x32x32xbf16> into tensor<?x32x32xbf16>
    %295 = linalg.batch_matmul ins(%collapsed_90, %collapsed_91 : tensor<?x32x32xbf16>, tensor<?x32x32xbf16>) outs(%70 : tensor<?x32x32xf32>) -> tensor<?x32x32xf32>
    %296 = linalg.generic {indexing_maps = [#map5, #map5], iterator_types = ["parallel", "parallel", "parallel"]} ins(%295 : tensor<?x32x32xf32>) outs(%72 : tensor<?x32x32xbf16>) {
    ^bb0(%in: f32, %out: bf16):
      %373 = arith.truncf %in : f32 to bf16
      linalg.yield %373 : bf16
    } -> tensor<?x32x32xbf16>
    %expanded_92 = tensor.expand_shape %296 [[0, 1], [2], [3]] output_shape [%74, 2, 32, 32] : tensor<?x32x32xbf16> into tensor<?x2x32x32xbf16>
    %transposed_93 = linalg.transpose ins(%expanded_92 : tensor<?x2x32x32xbf16>) outs(%100 : tensor<?x32x2x32xbf16>) permutation = [0, 2, 1, 3] 
    %collapsed_94 = tensor.collapse_shape %transposed_93 [[0, 1], [2, 3]] : tensor<?x32x2x32xbf16> into tensor<?x64xbf16>
    %transposed_95 = linalg.transpose ins(%arg24 : tensor<64x64xbf16>) outs(%45 : tensor<64x64xbf16>) permutation = [1, 0] 
    %297 = linalg.matmul ins(%collapsed_94, %transposed_95 : tensor<?x64xbf16>, tensor<64x64xbf16>) outs(%103 : tensor<?x64xf32>) -> tensor<?x64xf32>
    %298 = linalg.generic {indexing_maps = [#map4, #map4], iterator_types = ["parallel", "parallel"]} ins(%297 : tensor<?x64xf32>) outs(%105 : tensor<?x64xbf16>) {
    ^bb0(%in: f32, %out: bf16):
      %373 = arith.truncf %in : f32 to bf16
      linalg.yield %373 : bf16
    } -> tensor<?x64xbf16>
    %expanded_96 = tensor.expand_shape %298 [[0, 1], [2]] output_shape [%107, 32, 64] : tensor<?x64xbf16> into tensor<?x32x64xbf16>
    cf.assert %108, "mismatched size for broadcast"
    %299 = linalg.generic {indexing_maps = [#map5, #map5, #map5], iterator_types = ["parallel", "parallel", "parallel"]} ins(%263, %expanded_96 : tensor<?x32x64xbf16>, tensor<?x32x64xbf16>) outs(%29 : tensor<?x32x64xbf16>) {
    ^bb0(%in: bf16, %in_114: bf16, %out: bf16):
      %373 = arith.addf %in, %in_114 : bf16
      linalg.yield %373 : bf16
    } -> tensor<?x32x64xbf16>
    %300 = linalg.generic {indexing_maps = [#map5, #map5], iterator_types = ["parallel", "parallel", "parallel"]} ins(%299 : tensor<?x32x64xbf16>) outs(%26 : tensor<?x32x64xf32>) {
    ^bb0(%in: bf16, %out: f32):
      %373 = arith.extf %in : bf16 to f32
      linalg.yield %373 : f32
    } -> tensor<?x32x64xf32>
    %301 = linalg.generic {indexing_maps = [#map5, #map5], iterator_types = ["parallel", "parallel", "parallel"]} ins(%300 : tensor<?x32x64xf32>) outs(%26 : tensor<?x32x64xf32>) {
    ^bb0(%in: f32, %out: f32):
      %373 = math.fpowi %in, %c2_i64 : f32, i64
      linalg.yield %373 : f32
    } -> tensor<?x32x64xf32>
    %302 = linalg.generic {indexing_maps = [#map5, #map7], iterator_types = ["parallel", "parallel", "reduction"]} ins(%301 : tensor<?x32x64xf32>) outs(%34 : tensor<?x32x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      %373 = arith.addf %in, %out : f32
      linalg.yield %373 : f32
    } -> tensor<?x32x1xf32>
    %303 = linalg.generic {indexing_maps = [#map5, #map5], iterator_types = ["parallel", "parallel", "parallel"]} ins(%302 : tensor<?x32x1xf32>) outs(%33 : tensor<?x32x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      %373 = arith.divf %in, %cst_5 : f32
      linalg.yield %373 : f32
    } -> tensor<?x32x1xf32>
    %304 = linalg.generic {indexing_maps = [#map5, #map5], iterator_types = ["parallel", "parallel", "parallel"]} ins(%303 : tensor<?x32x1xf32>) outs(%33 : tensor<?x32x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      %373 = arith.truncf %cst_4 : f64 to f32
      %374 = arith.addf %in, %373 : f32
      linalg.yield %374 : f32
    } -> tensor<?x32x1xf32>
    %305 = linalg.generic {indexing_maps = [#map5, #map5], iterator_types = ["parallel", "parallel", "parallel"]} ins(%304 : tensor<?x32x1xf32>) outs(%33 : tensor<?x32x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      %373 = math.rsqrt %in : f32
      linalg.yield %373 : f32
    } -> tensor<?x32x1xf32>
    %306 = linalg.generic {indexing_maps = [#map5, #map7, #map5], iterator_types = ["parallel", "parallel", "parallel"]} ins(%300, %305 : tensor<?x32x64xf32>, tensor<?x32x1xf32>) outs(%26 : tensor<?x32x64xf32>) {
    ^bb0(%in: f32, %in_114: f32, %out: f32):
      %373 = arith.mulf %in, %in_114 : f32
      linalg.yield %373 : f32
    } -> tensor<?x32x64xf32>
    %307 = linalg.generic {indexing_maps = [#map1, #map1], iterator_types = ["parallel"]} ins(%arg25 : tensor<64xbf16>) outs(%40 : tensor<64xf32>) {
    ^bb0(%in: bf16, %out: f32):
      %373 = arith.extf %in : bf16 to f32
      linalg.yield %373 : f32
    } -> tensor<64xf32>
    %308 = linalg.generic {indexing_maps = [#map5, #map8, #map5], iterator_types = ["parallel", "parallel", "parallel"]} ins(%306, %307 : tensor<?x32x64xf32>, tensor<64xf32>) outs(%26 : tensor<?x32x64xf32>) {
    ^bb0(%in: f32, %in_114: f32, %out: f32):
      %373 = arith.mulf %in, %in_114 : f32
      linalg.yield %373 : f32
    } -> tensor<?x32x64xf32>
    %309 = linalg.generic {indexing_maps = [#map5, #map5], iterator_types = ["parallel", "parallel", "parallel"]} ins(%308 : tensor<?x32x64xf32>) outs(%29 : tensor<?x32x64xbf16>) {
    ^bb0(%in: f32, %out: bf16):
      %373 = arith.truncf %in : f32 to bf16
      linalg.yield %373 : bf16
    } -> tensor<?x32x64xbf16>
    %collapsed_97 = tensor.collapse_shape %309 [[0, 1], [2]] : tensor<?x32x64xbf16> into tensor<?x64xbf16>
    %transposed_98 = linalg.transpose ins(%arg26 : tensor<4x64xbf16>) outs(%120 : tensor<64x4xbf16>) permutation = [1, 0] 
    %310 = linalg.matmul ins(%collapsed_97, %transposed_98 : tensor<?x64xbf16>, tensor<64x4xbf16>) outs(%122 : tensor<?x4xf32>) -> tensor<?x4xf32>
    %311 = linalg.generic {indexing_maps = [#map4, #map4], iterator_types = ["parallel", "parallel"]} ins(%310 : tensor<?x4xf32>) outs(%124 : tensor<?x4xbf16>) {
    ^bb0(%in: f32, %out: bf16):
      %373 = arith.truncf %in : f32 to bf16
      linalg.yield %373 : bf16
    } -> tensor<?x4xbf16>
    %312 = linalg.generic {indexing_maps = [#map4, #map4], iterator_types = ["parallel", "parallel"]} ins(%311 : tensor<?x4xbf16>) outs(%121 : tensor<?x4xf32>) {
    ^bb0(%in: bf16, %out: f32):
      %373 = arith.extf %in : bf16 to f32
      linalg.yield %373 : f32
    } -> tensor<?x4xf32>
    %313:2 = linalg.generic {indexing_maps = [#map4, #map16, #map16], iterator_types = ["parallel", "reduction"]} ins(%312 : tensor<?x4xf32>) outs(%130, %128 : tensor<?xf32>, tensor<?xi64>) {
    ^bb0(%in: f32, %out: f32, %out_114: i64):
      %373 = linalg.index 1 : index
      %374 = arith.index_cast %373 : index to i64
      %375 = arith.maximumf %in, %out : f32
      %376 = arith.cmpf ogt, %in, %out : f32
      %377 = arith.select %376, %374, %out_114 : i64
      linalg.yield %375, %377 : f32, i64
    } -> (tensor<?xf32>, tensor<?xi64>)
    %expanded_99 = tensor.expand_shape %313#0 [[0, 1]] output_shape [%47, 1] : tensor<?xf32> into tensor<?x1xf32>
    %314 = linalg.generic {indexing_maps = [#map4, #map2, #map4], iterator_types = ["parallel", "parallel"]} ins(%312, %expanded_99 : tensor<?x4xf32>, tensor<?x1xf32>) outs(%121 : tensor<?x4xf32>) {
    ^bb0(%in: f32, %in_114: f32, %out: f32):
      %373 = arith.subf %in, %in_114 : f32
      linalg.yield %373 : f32
    } -> tensor<?x4xf32>
    %315 = linalg.generic {indexing_maps = [#map4, #map4], iterator_types = ["parallel", "parallel"]} ins(%314 : tensor<?x4xf32>) outs(%121 : tensor<?x4xf32>) {
    ^bb0(%in: f32, %out: f32):
      %373 = math.exp %in : f32
      linalg.yield %373 : f32
    } -> tensor<?x4xf32>
    %316 = linalg.generic {indexing_maps = [#map4, #map2], iterator_types = ["parallel", "reduction"]} ins(%315 : tensor<?x4xf32>) outs(%135 : tensor<?x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      %373 = arith.addf %in, %out : f32
      linalg.yield %373 : f32
    } -> tensor<?x1xf32>
    %317 = linalg.generic {indexing_maps = [#map4, #map2, #map4], iterator_types = ["parallel", "parallel"]} ins(%315, %316 : tensor<?x4xf32>, tensor<?x1xf32>) outs(%121 : tensor<?x4xf32>) {
    ^bb0(%in: f32, %in_114: f32, %out: f32):
      %373 = arith.divf %in, %in_114 : f32
      linalg.yield %373 : f32
    } -> tensor<?x4xf32>
    %expanded_100 = tensor.expand_shape %317 [[0], [1, 2]] output_shape [%47, 4, 1] : tensor<?x4xf32> into tensor<?x4x1xf32>
    %expanded_101 = tensor.expand_shape %317 [[0], [1, 2]] output_shape [%47, 1, 4] : tensor<?x4xf32> into tensor<?x1x4xf32>
    %318 = linalg.generic {indexing_maps = [#map17, #map7, #map5], iterator_types = ["parallel", "parallel", "parallel"]} ins(%expanded_101, %expanded_100 : tensor<?x1x4xf32>, tensor<?x4x1xf32>) outs(%142 : tensor<?x4x4xi1>) {
    ^bb0(%in: f32, %in_114: f32, %out: i1):
      %373 = arith.cmpf ogt, %in, %in_114 : f32
      linalg.yield %373 : i1
    } -> tensor<?x4x4xi1>
    %319 = linalg.generic {indexing_maps = [#map17, #map7, #map5], iterator_types = ["parallel", "parallel", "parallel"]} ins(%expanded_101, %expanded_100 : tensor<?x1x4xf32>, tensor<?x4x1xf32>) outs(%142 : tensor<?x4x4xi1>) {
    ^bb0(%in: f32, %in_114: f32, %out: i1):
      %373 = arith.cmpf oeq, %in, %in_114 : f32
      linalg.yield %373 : i1
    } -> tensor<?x4x4xi1>
    %320 = linalg.generic {indexing_maps = [#map5, #map6, #map5], iterator_types = ["parallel", "parallel", "parallel"]} ins(%319, %141 : tensor<?x4x4xi1>, tensor<4x4xi1>) outs(%142 : tensor<?x4x4xi1>) {
    ^bb0(%in: i1, %in_114: i1, %out: i1):
      %373 = arith.andi %in, %in_114 : i1
      linalg.yield %373 : i1
    } -> tensor<?x4x4xi1>
    %321 = linalg.generic {indexing_maps = [#map5, #map5, #map5], iterator_types = ["parallel", "parallel", "parallel"]} ins(%318, %320 : tensor<?x4x4xi1>, tensor<?x4x4xi1>) outs(%142 : tensor<?x4x4xi1>) {
    ^bb0(%in: i1, %in_114: i1, %out: i1):
      %373 = arith.ori %in, %in_114 : i1
      linalg.yield %373 : i1
    } -> tensor<?x4x4xi1>
    %322 = linalg.generic {indexing_maps = [#map5, #map5], iterator_types = ["parallel", "parallel", "parallel"]} ins(%321 : tensor<?x4x4xi1>) outs(%147 : tensor<?x4x4xf32>) {
    ^bb0(%in: i1, %out: f32):
      %373 = arith.uitofp %in : i1 to f32
      linalg.yield %373 : f32
    } -> tensor<?x4x4xf32>
    %323 = linalg.generic {indexing_maps = [#map5, #map18], iterator_types = ["parallel", "parallel", "reduction"]} ins(%322 : tensor<?x4x4xf32>) outs(%122 : tensor<?x4xf32>) {
    ^bb0(%in: f32, %out: f32):
      %373 = arith.addf %in, %out : f32
      linalg.yield %373 : f32
    } -> tensor<?x4xf32>
    %324 = linalg.generic {indexing_maps = [#map4, #map4], iterator_types = ["parallel", "parallel"]} ins(%323 : tensor<?x4xf32>) outs(%150 : tensor<?x4xi1>) {
    ^bb0(%in: f32, %out: i1):
      %373 = arith.cmpf olt, %in, %cst_6 : f32
      linalg.yield %373 : i1
    } -> tensor<?x4xi1>
    %325 = linalg.generic {indexing_maps = [#map4, #map4], iterator_types = ["parallel", "parallel"]} ins(%324 : tensor<?x4xi1>) outs(%121 : tensor<?x4xf32>) {
    ^bb0(%in: i1, %out: f32):
      %373 = arith.uitofp %in : i1 to f32
      linalg.yield %373 : f32
    } -> tensor<?x4xf32>
    %326 = linalg.generic {indexing_maps = [#map4, #map4, #map4], iterator_types = ["parallel", "parallel"]} ins(%317, %325 : tensor<?x4xf32>, tensor<?x4xf32>) outs(%121 : tensor<?x4xf32>) {
    ^bb0(%in: f32, %in_114: f32, %out: f32):
      %373 = arith.mulf %in, %in_114 : f32
      linalg.yield %373 : f32
    } -> tensor<?x4xf32>
    %327 = linalg.generic {indexing_maps = [#map4, #map2], iterator_types = ["parallel", "reduction"]} ins(%326 : tensor<?x4xf32>) outs(%135 : tensor<?x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      %373 = arith.addf %in, %out : f32
      linalg.yield %373 : f32
    } -> tensor<?x1xf32>
    %328 = linalg.generic {indexing_maps = [#map4, #map2, #map4], iterator_types = ["parallel", "parallel"]} ins(%326, %327 : tensor<?x4xf32>, tensor<?x1xf32>) outs(%121 : tensor<?x4xf32>) {
    ^bb0(%in: f32, %in_114: f32, %out: f32):
      %373 = arith.divf %in, %in_114 : f32
      linalg.yield %373 : f32
    } -> tensor<?x4xf32>
    %329 = linalg.generic {indexing_maps = [#map6, #map5], iterator_types = ["parallel", "parallel", "parallel"]} ins(%collapsed_97 : tensor<?x64xbf16>) outs(%156 : tensor<4x?x64xbf16>) {
    ^bb0(%in: bf16, %out: bf16):
      linalg.yield %in : bf16
    } -> tensor<4x?x64xbf16>
    %transposed_102 = linalg.transpose ins(%arg27 : tensor<4x128x64xbf16>) outs(%158 : tensor<4x64x128xbf16>) permutation = [0, 2, 1] 
    %330 = linalg.batch_matmul ins(%329, %transposed_102 : tensor<4x?x64xbf16>, tensor<4x64x128xbf16>) outs(%160 : tensor<4x?x128xf32>) -> tensor<4x?x128xf32>
    %331 = linalg.generic {indexing_maps = [#map5, #map5], iterator_types = ["parallel", "parallel", "parallel"]} ins(%330 : tensor<4x?x128xf32>) outs(%162 : tensor<4x?x128xbf16>) {
    ^bb0(%in: f32, %out: bf16):
      %373 = arith.truncf %in : f32 to bf16
      linalg.yield %373 : bf16
    } -> tensor<4x?x128xbf16>
    %extracted_slice_103 = tensor.extract_slice %331[0, 0, 0] [4, %47, 64] [1, 1, 1] : tensor<4x?x128xbf16> to tensor<4x?x64xbf16>
    %extracted_slice_104 = tensor.extract_slice %331[0, 0, 64] [4, %47, 64] [1, 1, 1] : tensor<4x?x128xbf16> to tensor<4x?x64xbf16>
    %332 = linalg.generic {indexing_maps = [#map5, #map5], iterator_types = ["parallel", "parallel", "parallel"]} ins(%extracted_slice_103 : tensor<4x?x64xbf16>) outs(%164 : tensor<4x?x64xf32>) {
    ^bb0(%in: bf16, %out: f32):
      %373 = arith.extf %in : bf16 to f32
      linalg.yield %373 : f32
    } -> tensor<4x?x64xf32>
    %333 = linalg.generic {indexing_maps = [#map5, #map5], iterator_types = ["parallel", "parallel", "parallel"]} ins(%332 : tensor<4x?x64xf32>) outs(%164 : tensor<4x?x64xf32>) {
    ^bb0(%in: f32, %out: f32):
      %373 = arith.negf %in : f32
      %374 = math.exp %373 : f32
      %375 = arith.addf %374, %cst_1 : f32
      %376 = arith.divf %cst_1, %375 : f32
      linalg.yield %376 : f32
    } -> tensor<4x?x64xf32>
    %334 = linalg.generic {indexing_maps = [#map5, #map5, #map5], iterator_types = ["parallel", "parallel", "parallel"]} ins(%332, %333 : tensor<4x?x64xf32>, tensor<4x?x64xf32>) outs(%164 : tensor<4x?x64xf32>) {
    ^bb0(%in: f32, %in_114: f32, %out: f32):
      %373 = arith.mulf %in, %in_114 : f32
      linalg.yield %373 : f32
    } -> tensor<4x?x64xf32>
    %335 = linalg.generic {indexing_maps = [#map5, #map5], iterator_types = ["parallel", "parallel", "parallel"]} ins(%extracted_slice_104 : tensor<4x?x64xbf16>) outs(%164 : tensor<4x?x64xf32>) {
    ^bb0(%in: bf16, %out: f32):
      %373 = arith.extf %in : bf16 to f32
      linalg.yield %373 : f32
    } -> tensor<4x?x64xf32>
    %336 = linalg.generic {indexing_maps = [#map5, #map5, #map5], iterator_types = ["parallel", "parallel", "parallel"]} ins(%334, %335 : tensor<4x?x64xf32>, tensor<4x?x64xf32>) outs(%164 : tensor<4x?x64xf32>) {
    ^bb0(%in: f32, %in_114: f32, %out: f32):
      %373 = arith.mulf %in, %in_114 : f32
      linalg.yield %373 : f32
    } -> tensor<4x?x64xf32>
    %337 = linalg.generic {indexing_maps = [#map5, #map5], iterator_types = ["parallel", "parallel", "parallel"]} ins(%336 : tensor<4x?x64xf32>) outs(%156 : tensor<4x?x64xbf16>) {
    ^bb0(%in: f32, %out: bf16):
      %373 = arith.truncf %in : f32 to bf16
      linalg.yield %373 : bf16
    } -> tensor<4x?x64xbf16>
    %transposed_105 = linalg.transpose ins(%arg28 : tensor<4x64x64xbf16>) outs(%171 : tensor<4x64x64xbf16>) permutation = [0, 2, 1] 
    %338 = linalg.batch_matmul ins(%337, %transposed_105 : tensor<4x?x64xbf16>, tensor<4x64x64xbf16>) outs(%172 : tensor<4x?x64xf32>) -> tensor<4x?x64xf32>
    %339 = linalg.generic {indexing_maps = [#map5, #map5], iterator_types = ["parallel", "parallel", "parallel"]} ins(%338 : tensor<4x?x64xf32>) outs(%156 : tensor<4x?x64xbf16>) {
    ^bb0(%in: f32, %out: bf16):
      %373 = arith.truncf %in : f32 to bf16
      linalg.yield %373 : bf16
    } -> tensor<4x?x64xbf16>
    %340 = linalg.generic {indexing_maps = [#map5, #map5], iterator_types = ["parallel", "parallel", "parallel"]} ins(%339 : tensor<4x?x64xbf16>) outs(%164 : tensor<4x?x64xf32>) {
    ^bb0(%in: bf16, %out: f32):
      %373 = arith.extf %in : bf16 to f32
      linalg.yield %373 : f32
    } -> tensor<4x?x64xf32>
    %transposed_106 = linalg.transpose ins(%328 : tensor<?x4xf32>) outs(%176 : tensor<4x?xf32>) permutation = [1, 0] 
    %expanded_107 = tensor.expand_shape %transposed_106 [[0], [1, 2]] output_shape [4, %47, 1] : tensor<4x?xf32> into tensor<4x?x1xf32>
    %341 = linalg.generic {indexing_maps = [#map5, #map7, #map5], iterator_types = ["parallel", "parallel", "parallel"]} ins(%340, %expanded_107 : tensor<4x?x64xf32>, tensor<4x?x1xf32>) outs(%164 : tensor<4x?x64xf32>) {
    ^bb0(%in: f32, %in_114: f32, %out: f32):
      %373 = arith.mulf %in, %in_114 : f32
      linalg.yield %373 : f32
    } -> tensor<4x?x64xf32>
    %342 = linalg.generic {indexing_maps = [#map5, #map6], iterator_types = ["reduction", "parallel", "parallel"]} ins(%341 : tensor<4x?x64xf32>) outs(%49 : tensor<?x64xf32>) {
    ^bb0(%in: f32, %out: f32):
      %373 = arith.addf %in, %out : f32
      linalg.yield %373 : f32
    } -> tensor<?x64xf32>
    %343 = linalg.generic {indexing_maps = [#map4, #map4], iterator_types = ["parallel", "parallel"]} ins(%342 : tensor<?x64xf32>) outs(%51 : tensor<?x64xbf16>) {
    ^bb0(%in: f32, %out: bf16):
      %373 = arith.truncf %in : f32 to bf16
      linalg.yield %373 : bf16
    } -> tensor<?x64xbf16>
    %expanded_108 = tensor.expand_shape %343 [[0, 1], [2]] output_shape [%180, 32, 64] : tensor<?x64xbf16> into tensor<?x32x64xbf16>
    cf.assert %181, "mismatched size for broadcast"
    %344 = linalg.generic {indexing_maps = [#map5, #map5, #map5], iterator_types = ["parallel", "parallel", "parallel"]} ins(%299, %expanded_108 : tensor<?x32x64xbf16>, tensor<?x32x64xbf16>) outs(%29 : tensor<?x32x64xbf16>) {
    ^bb0(%in: bf16, %in_114: bf16, %out: bf16):
      %373 = arith.addf %in, %in_114 : bf16
      linalg.yield %373 : bf16
    } -> tensor<?x32x64xbf16>
    %345 = linalg.generic {indexing_maps = [#map5, #map5], iterator_types = ["parallel", "parallel", "parallel"]} ins(%344 : tensor<?x32x64xbf16>) outs(%26 : tensor<?x32x64xf32>) {
    ^bb0(%in: bf16, %out: f32):
      %373 = arith.extf %in : bf16 to f32
      linalg.yield %373 : f32
    } -> tensor<?x32x64xf32>
    %346 = linalg.generic {indexing_maps = [#map5, #map5], iterator_types = ["parallel", "parallel", "parallel"]} ins(%345 : tensor<?x32x64xf32>) outs(%26 : tensor<?x32x64xf32>) {
    ^bb0(%in: f32, %out: f32):
      %373 = math.fpowi %in, %c2_i64 : f32, i64
      linalg.yield %373 : f32
    } -> tensor<?x32x64xf32>
    %347 = linalg.generic {indexing_maps = [#map5, #map7], iterator_types = ["parallel", "parallel", "reduction"]} ins(%346 : tensor<?x32x64xf32>) outs(%34 : tensor<?x32x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      %373 = arith.addf %in, %out : f32
      linalg.yield %373 : f32
    } -> tensor<?x32x1xf32>
    %348 = linalg.generic {indexing_maps = [#map5, #map5], iterator_types = ["parallel", "parallel", "parallel"]} ins(%347 : tensor<?x32x1xf32>) outs(%33 : tensor<?x32x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      %373 = arith.divf %in, %cst_5 : f32
      linalg.yield %373 : f32
    } -> tensor<?x32x1xf32>
    %349 = linalg.generic {indexing_maps = [#map5, #map5], iterator_types = ["parallel", "parallel", "parallel"]} ins(%348 : tensor<?x32x1xf32>) outs(%33 : tensor<?x32x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      %373 = arith.truncf %cst_4 : f64 to f32
      %374 = arith.addf %in, %373 : f32
      linalg.yield %374 : f32
    } -> tensor<?x32x1xf32>
    %350 = linalg.generic {indexing_maps = [#map5, #map5], iterator_types = ["parallel", "parallel", "parallel"]} ins(%349 : tensor<?x32x1xf32>) outs(%33 : tensor<?x32x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      %373 = math.rsqrt %in : f32
      linalg.yield %373 : f32
    } -> tensor<?x32x1xf32>
    %351 = linalg.generic {indexing_maps = [#map5, #map7, #map5], iterator_types = ["parallel", "parallel", "parallel"]} ins(%345, %350 : tensor<?x32x64xf32>, tensor<?x32x1xf32>) outs(%26 : tensor<?x32x64xf32>) {
    ^bb0(%in: f32, %in_114: f32, %out: f32):
      %373 = arith.mulf %in, %in_114 : f32
      linalg.yield %373 : f32
    } -> tensor<?x32x64xf32>
    %352 = linalg.generic {indexing_maps = [#map1, #map1], iterator_types = ["parallel"]} ins(%arg29 : tensor<64xbf16>) outs(%40 : tensor<64xf32>) {
    ^bb0(%in: bf16, %out: f32):
      %373 = arith.extf %in : bf16 to f32
      linalg.yield %373 : f32
    } -> tensor<64xf32>
    %353 = linalg.generic {indexing_maps = [#map5, #map8, #map5], iterator_types = ["parallel", "parallel", "parallel"]} ins(%351, %352 : tensor<?x32x64xf32>, tensor<64xf32>) outs(%26 : tensor<?x32x64xf32>) {
    ^bb0(%in: f32, %in_114: f32, %out: f32):
      %373 = arith.mulf %in, %in_114 : f32
      linalg.yield %373 : f32
    } -> tensor<?x32x64xf32>
    %354 = linalg.generic {indexing_maps = [#map5, #map5], iterator_types = ["parallel", "parallel", "parallel"]} ins(%353 : tensor<?x32x64xf32>) outs(%29 : tensor<?x32x64xbf16>) {
    ^bb0(%in: f32, %out: bf16):
      %373 = arith.truncf %in : f32 to bf16
      linalg.yield %373 : bf16
    } -> tensor<?x32x64xbf16>
    %355 = arith.cmpi slt, %44, %c0_i64 : i64
    %356 = arith.select %355, %c1_i64, %44 : i64
    %357 = arith.extui %355 : i1 to i64
    %358 = arith.addi %357, %c1_i64 : i64
    %359 = arith.cmpi sle, %358, %c1_i64 : i64
    cf.assert %359, "must have at most one inferred (negative) dimension"
    %360 = arith.muli %24, %c2048_i64 : i64
    %361 = arith.divsi %360, %356 : i64
    %362 = arith.select %355, %361, %44 : i64
    %from_elements_109 = tensor.from_elements %362, %361 : tensor<2xi64>
    %reshape_110 = tensor.reshape %354(%from_elements_109) : (tensor<?x32x64xbf16>, tensor<2xi64>) -> tensor<?x64xbf16>
    %363 = tensor.empty() : tensor<64x16xbf16>
    %transposed_111 = linalg.transpose ins(%arg30 : tensor<16x64xbf16>) outs(%363 : tensor<64x16xbf16>) permutation = [1, 0] 
    %364 = arith.index_cast %362 : i64 to index
    %365 = tensor.empty(%364) : tensor<?x16xf32>
    %366 = linalg.fill ins(%cst : f32) outs(%365 : tensor<?x16xf32>) -> tensor<?x16xf32>
    %367 = linalg.matmul ins(%reshape_110, %transposed_111 : tensor<?x64xbf16>, tensor<64x16xbf16>) outs(%366 : tensor<?x16xf32>) -> tensor<?x16xf32>
    %368 = tensor.empty(%364) : tensor<?x16xbf16>
    %369 = linalg.generic {indexing_maps = [#map4, #map4], iterator_types = ["parallel", "parallel"]} ins(%367 : tensor<?x16xf32>) outs(%368 : tensor<?x16xbf16>) {
    ^bb0(%in: f32, %out: bf16):
      %373 = arith.truncf %in : f32 to bf16
      linalg.yield %373 : bf16
    } -> tensor<?x16xbf16>
    cf.assert %20, "must have at most one inferred (negative) dimension"
    %370 = arith.muli %362, %c16_i64 : i64
    %371 = arith.divsi %370, %18 : i64
    %372 = arith.select %15, %371, %0 : i64
    %from_elements_112 = tensor.from_elements %372, %c32_i64, %371 : tensor<3xi64>
    %reshape_113 = tensor.reshape %369(%from_elements_112) : (tensor<?x16xbf16>, tensor<3xi64>) -> tensor<?x32x16xbf16>
    return %reshape_113 : tensor<?x32x16xbf16>
  }
}
