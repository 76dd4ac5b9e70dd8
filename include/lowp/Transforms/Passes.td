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
// Stage 3: insert
//
// Entry: contractions with a `plan`.
// Exit:  `lowp.quantize` on every planned operand, contractions on blocked
//        values; no `plan` and no `origin` is left.
//===----------------------------------------------------------------------===//

def InsertQuantization : Pass<"lowp-insert-quantization"> {
  let summary = "quantise the operands of planned contractions (changes numerics)";
  let description = [{
    Changes numerics: this is the pass after which results differ from those of
    the source program.

    Every operand that the `plan` of a contraction names is quantised with
    blocks along the contraction axis. The granularity of the outer scale turns
    into axes: `per_token` takes every dim but the contraction axis,
    `per_expert` the dims in front of the matrix, `per_tensor` none. Plan and
    `origin` go: the first has done its work, the second no longer computes the
    same.
  }];
  let dependentDialects = ["::mlir::lowp::LowpDialect"];
}

//===----------------------------------------------------------------------===//
// Stage 4: simplify
//
// Entry: quantisations where sites need them.
// Exit:  one quantisation per value, format and rule.
//===----------------------------------------------------------------------===//

def ShareQuantization : Pass<"lowp-share-quantization"> {
  let summary = "quantise a value once per format and rule";
  let description = [{
    A quantisation that an earlier one dominates, of the same value and to the
    same format under the same rule, is replaced by it. Where only the layout of
    the scales differs, a `lowp.convert_layout` is put between. No bit changes.
  }];
  let dependentDialects = ["::mlir::lowp::LowpDialect"];
}

def InstrumentQuantization
    : Pass<"lowp-instrument-quantization", "::mlir::ModuleOp"> {
  let summary = "return the source and the decoded value of every quantisation";
  let description = [{
    For measurements, not part of a pipeline by default: the entry function
    returns, after its own results, two tensors per quantisation that a site
    reads: what was quantised, and what that decodes to in FP32. The module attribute
    `lowp.measurements` lists, per pair, the position of its first result and
    the sites and operands that read it. Own results do not change.
  }];
  let options = [
    Option<"entry", "entry", "std::string", /*default=*/"\"main\"",
           "function to instrument">
  ];
  let dependentDialects = ["::mlir::lowp::LowpDialect"];
}

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
