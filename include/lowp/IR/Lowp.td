//===- Lowp.td - the whole dialect -*- tablegen -*-===//
//
// Part of the lowp project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef LOWP_IR_LOWP_TD
#define LOWP_IR_LOWP_TD

include "lowp/IR/LowpDialect.td"
include "lowp/IR/LowpTypes.td"
include "lowp/IR/LowpOps.td"
include "lowp/IR/LowpBlockOps.td"

#endif // LOWP_IR_LOWP_TD
