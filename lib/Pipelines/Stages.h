//===- Stages.h - Parts of the last stages ----------------------*- C++ -*-===//
//
// Part of the Lowp project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef LOWP_LIB_PIPELINES_STAGES_H
#define LOWP_LIB_PIPELINES_STAGES_H

#include "mlir/Pass/PassManager.h"

namespace mlir::lowp {

/// Functions of floats, on any target: polynomials, and bf16 computed in f32.
void expandScalarMath(OpPassManager &pm);

/// Tensors to kernels on buffers, in a `gpu.module` of their own.
void lowerForGPU(OpPassManager &pm, StringRef chip);

/// Kernels to the llvm and nvvm dialects.
void convertForGPU(OpPassManager &pm, StringRef chip);

/// Kernels to PTX.
void emitForGPU(OpPassManager &pm, StringRef chip);

} // namespace mlir::lowp

#endif // LOWP_LIB_PIPELINES_STAGES_H
