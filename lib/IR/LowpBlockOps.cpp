//===- LowpBlockOps.cpp - types of block operations -*- C++
//-*-===//
//
// Part of the lowp project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "lowp/IR/LowpOps.h"

using namespace mlir;
using namespace mlir::lowp;

Type mlir::lowp::getPerBlockType(Type blocks, Type element) {
  // Verifiers may ask for types that are not those of blocks.
  auto vector = dyn_cast<VectorType>(blocks);
  if (!vector || vector.getRank() <= 1)
    return element;
  return VectorType::get(vector.getShape().drop_front(), element);
}

Type mlir::lowp::withElementType(Type type, Type element) {
  if (auto vector = dyn_cast<VectorType>(type))
    return vector.clone(element);
  return element;
}
