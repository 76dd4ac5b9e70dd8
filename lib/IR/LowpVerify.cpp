//===- LowpVerify.cpp - verifiers of lowp operations -*- C++ -*-===//
//
// Part of the lowp project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "lowp/IR/LowpOps.h"

using namespace mlir;
using namespace mlir::lowp;

LogicalResult QuantizeOp::verify() { return success(); }
LogicalResult DequantizeOp::verify() { return success(); }
LogicalResult RequantizeOp::verify() { return success(); }
LogicalResult TransposeOp::verify() { return success(); }
LogicalResult ConvertLayoutOp::verify() { return success(); }
LogicalResult PackOp::verify() { return success(); }
LogicalResult DimOp::verify() { return success(); }
LogicalResult SignsOp::verify() { return success(); }
LogicalResult RhtOp::verify() { return success(); }
LogicalResult RhtOp::verifySymbolUses(SymbolTableCollection &) {
  return success();
}
LogicalResult MatmulOp::verify() { return success(); }
LogicalResult BatchMatmulOp::verify() { return success(); }
LogicalResult GroupedMatmulOp::verify() { return success(); }
LogicalResult KernelOp::verify() { return success(); }
LogicalResult BlockScaleOp::verify() { return success(); }
LogicalResult EncodeOp::verify() { return success(); }
LogicalResult DecodeOp::verify() { return success(); }
LogicalResult DecodeScaleOp::verify() { return success(); }
LogicalResult BlockErrorOp::verify() { return success(); }
LogicalResult HadamardOp::verify() { return success(); }
