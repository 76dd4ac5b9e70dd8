//===- LowpTypes.h - S2F6 and the blocked type -*- C++ -*-===//
//
// Part of the lowp project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef LOWP_IR_LOWPTYPES_H
#define LOWP_IR_LOWPTYPES_H

#include "lowp/IR/LowpAttributes.h"
#include "mlir/IR/BuiltinTypes.h"

#define GET_TYPEDEF_CLASSES
#include "lowp/IR/LowpTypes.h.inc"

#endif // LOWP_IR_LOWPTYPES_H
