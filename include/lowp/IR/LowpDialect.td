//===- LowpDialect.td - the lowp dialect -*- tablegen -*-===//
//
// Part of the lowp project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef LOWP_IR_LOWPDIALECT_TD
#define LOWP_IR_LOWPDIALECT_TD

include "mlir/IR/OpBase.td"

def Lowp_Dialect : Dialect {
  let name = "lowp";
  let cppNamespace = "::mlir::lowp";
  let summary = "Block-scaled low-precision tensors with one numeric contract";
  let description = [{
    The `lowp` dialect represents block-scaled low-precision tensors (NVFP4,
    MXFP8, MXFP6, MXFP4, block-scaled S2F6, FP8 with FP32 block scales) and the
    operations that produce and consume them. One SSA value of type
    `!lowp.blocked` stands for the element codes, the block scales and, where
    the format has one, the FP32 outer scale.

    Tensor-level operations (`lowp.quantize`, `lowp.matmul`, ...) say what is
    computed; block-level operations (`lowp.block_scale`, `lowp.encode`, ...)
    work on vectors, one thread's share of a block. Every tensor-level
    operation has one decomposition into loops over block-level operations, and
    every block-level operation has one generic expansion, which is the
    definition that hardware forms are checked against.

    Discardable attributes of the dialect:
    * `lowp.param` (`#lowp.param`) on a function argument: the name and the kind
      that the exporting framework gave it.
    * `lowp.plan` (`#lowp.plan`) on a contraction: a plan written by hand; it
      wins over the recipe.
    * `lowp.sites` and `lowp.measurements` (arrays of dictionaries) on a module:
      what was decided for each contraction, and what was measured of it.
  }];
  let dependentDialects = [
    "::mlir::arith::ArithDialect", "::mlir::tensor::TensorDialect",
    "::mlir::vector::VectorDialect"
  ];
  let useDefaultTypePrinterParser = 1;
  let useDefaultAttributePrinterParser = 1;
  let hasConstantMaterializer = 1;
  let hasOperationAttrVerify = 1;
  let hasRegionArgAttrVerify = 1;
  let hasRegionResultAttrVerify = 1;
  let extraClassDeclaration = [{
    void registerAttributes();
    void registerTypes();
  }];
}

#endif // LOWP_IR_LOWPDIALECT_TD
