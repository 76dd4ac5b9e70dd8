//===- LowpBase.td - base classes and operand constraints -*- tablegen -*-===//
//
// Part of the lowp project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef LOWP_IR_LOWPBASE_TD
#define LOWP_IR_LOWPBASE_TD

include "lowp/IR/LowpTypes.td"
include "mlir/Interfaces/InferTypeOpInterface.td"
include "mlir/Interfaces/SideEffectInterfaces.td"

class Lowp_Op<string mnemonic, list<Trait> traits = []>
    : Op<Lowp_Dialect, mnemonic, traits>;

def Lowp_Float : AnyTypeOf<[F32, BF16, F16], "f32, bf16 or f16">;

def Lowp_FloatTensor : RankedTensorOf<[F32, BF16, F16]>;

/// Where groups begin, and where the last one ends.
def Lowp_Offsets : RankedTensorOf<[I32, I64, Index]>;

def Lowp_F32Tensor : RankedTensorOf<[F32]>;

/// Operand of a contraction: plain or blocked.
def Lowp_ContractionOperand : AnyTypeOf<[Lowp_FloatTensor, Lowp_BlockedType],
    "ranked tensor of f32, bf16 or f16 values, or a blocked value">;

#endif // LOWP_IR_LOWPBASE_TD
