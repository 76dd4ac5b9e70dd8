//===- LowpOps.h - operations of the lowp dialect -*- C++ -*-===//
//
// Part of the lowp project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef LOWP_IR_LOWPOPS_H
#define LOWP_IR_LOWPOPS_H

#include "lowp/IR/LowpDialect.h"
#include "lowp/IR/LowpTypes.h"
#include "mlir/Bytecode/BytecodeOpInterface.h"
#include "mlir/IR/OpDefinition.h"
#include "mlir/IR/SymbolTable.h"
#include "mlir/Interfaces/ControlFlowInterfaces.h"
#include "mlir/Interfaces/InferTypeOpInterface.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"

#include "lowp/IR/LowpInterfaces.h.inc"

namespace mlir::lowp {

/// The type of a word of `lowp.philox` for groups of type `group`.
Type getRandomWordType(Type group);

/// The type of what each block of `blocks` has once: `element` for the 1-D
/// vector of a block, a 1-D vector of it for a batch.
Type getPerBlockType(Type blocks, Type element);

/// `type` with other elements; `element` itself for scalars.
Type withElementType(Type type, Type element);

} // namespace mlir::lowp

#define GET_OP_CLASSES
#include "lowp/IR/LowpOps.h.inc"

#define GET_OP_CLASSES
#include "lowp/IR/LowpBlockOps.h.inc"

namespace mlir::lowp {

/// The signs of a Hadamard transform of `size` elements when no vector is
/// named: element i is negated iff bit (i mod 16) of 0xD7E8 is set.
llvm::SmallVector<bool> getDefaultSigns(int64_t size);

} // namespace mlir::lowp

#endif // LOWP_IR_LOWPOPS_H
