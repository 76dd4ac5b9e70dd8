//===- Passes.td - passes on tensors, in pipeline order -*- tablegen -*-===//
//
// Part of the lowp project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

// The passes stand in the order in which the pipeline runs them. The banner of
// each stage states what the stage takes and what it gives.

#ifndef LOWP_TRANSFORMS_PASSES_TD
#define LOWP_TRANSFORMS_PASSES_TD

include "mlir/Pass/PassBase.td"

//===----------------------------------------------------------------------===//
// Stage 7: lower
//
// Entry: tensor-level operations of lowp, blocked values, `lowp.kernel`.
// Exit:  loops on plain tensors. Of lowp, only block-level operations are left,
//        and they work on vectors: one-shot bufferization needs to know nothing
//        of the dialect.
//===----------------------------------------------------------------------===//

def Decompose : Pass<"lowp-decompose", "::mlir::ModuleOp"> {
  let summary = "turn blocked values into tensors and operations on them into loops";
  let description = [{
    Every value of type `!lowp.blocked` becomes its components: codes (`i8`),
    block scales (`i8` or `f32`), the outer scale (`f32`) where the format has
    one, and the size of the last dim (`index`) where that is dynamic and codes
    are packed. This includes arguments and results of functions and calls,
    structured and unstructured control flow. Attributes of an argument or a
    result stay with the first of its components.

    Every tensor-level operation becomes `scf.forall` loops over independent
    work around block-level operations; an iteration of a quantisation is one
    block. The order of every floating-point accumulation is fixed here, so that
    all targets and all schedules of the loops give the same bits. `lowp.kernel`
    is replaced by its body.

    After the pass, tensors are written in destination-passing style only:
    one-shot bufferization stores in place, without copies. It needs no model of
    lowp, since block-level operations work on vectors and scalars.
  }];
  let dependentDialects = [
    "::mlir::lowp::LowpDialect", "::mlir::arith::ArithDialect",
    "::mlir::cf::ControlFlowDialect", "::mlir::linalg::LinalgDialect",
    "::mlir::scf::SCFDialect", "::mlir::tensor::TensorDialect",
    "::mlir::vector::VectorDialect"
  ];
}

#endif // LOWP_TRANSFORMS_PASSES_TD
