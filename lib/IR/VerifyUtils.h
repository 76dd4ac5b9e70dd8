//===- VerifyUtils.h - what verifiers of lowp operations share --*- C++ -*-===//
//
// Part of the lowp project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Labels such as (C1) in the verifiers are those of docs/spec.md.
//
//===----------------------------------------------------------------------===//

#ifndef LOWP_LIB_IR_VERIFYUTILS_H
#define LOWP_LIB_IR_VERIFYUTILS_H

#include "lowp/IR/LowpOps.h"

namespace mlir::lowp {

/// The shape of a value that is a ranked tensor or blocked.
ArrayRef<int64_t> getShapeOf(Type type);

/// A dynamic size agrees with every size.
bool sizesAgree(int64_t a, int64_t b);

/// A size in a message: `?` where it is dynamic.
std::string sizeText(int64_t size);

/// A list in a message: `[1, 16]`, with `?` for dynamic sizes.
std::string listText(ArrayRef<int64_t> list);

/// Whether two values have the same shape; `a` and `b` are their names in the
/// message.
LogicalResult verifyShapesAgree(Operation *op, StringRef a,
                                ArrayRef<int64_t> aShape, StringRef b,
                                ArrayRef<int64_t> bShape);

/// Whether `offsets` is a vector of one entry more than there are groups.
LogicalResult verifyOffsets(Operation *op, Value offsets, int64_t groups);

/// Whether a region ends in a `lowp.yield` of values of `types` and has no
/// arguments. `name` is the region's name in the message.
LogicalResult verifyYields(Operation *op, Region &region, StringRef name,
                           TypeRange types);

} // namespace mlir::lowp

#endif // LOWP_LIB_IR_VERIFYUTILS_H
