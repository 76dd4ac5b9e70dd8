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
// Stage 1: recognise
//
// Entry: linalg on tensors, as PyTorch or StableHLO exporters write it, with or
//        without `lowp.param` on the function arguments.
// Exit:  every product of an activation with a weight is a `lowp.matmul` or
//        `lowp.batch_matmul` on plain tensors with a `site` and the region
//        `origin`. Everything else is as it was, with a remark on every product
//        that was left alone.
//===----------------------------------------------------------------------===//

def AnnotateParams : Pass<"lowp-annotate-params", "::mlir::ModuleOp"> {
  let summary = "write the names and kinds of function arguments from a file";
  let description = [{
    Reads the list `inputs` of a JSON file (`index`, `key`, `name`, `kind`,
    `shape` and `dtype` of each argument) and writes it as `lowp.param`
    attributes on the arguments of the entry function: the function that the
    file's `entry` names, else the only public function of the module.

    The file describes the program: a different number of arguments, a shape or
    an element type that does not fit is an error.
  }];
  let options = [
    Option<"params", "params", "std::string", /*default=*/"\"\"",
           "JSON file that describes the arguments">
  ];
  let dependentDialects = ["::mlir::lowp::LowpDialect"];
}

def Recognize : Pass<"lowp-recognize", "::mlir::ModuleOp"> {
  let summary = "find the products of activations with weights";
  let description = [{
    Turns contractions of linalg, named or generic, that have a weight as one
    multiplicand into `lowp.matmul` and `lowp.batch_matmul`. A weight is a
    function argument, a constant or a per-token gather of one, reached through
    exact data movement only (transposes, reshapes, broadcasts, casts,
    extensions to a wider type, slices).

    The operands are the values before that movement, so that a weight is read
    as it is stored and an activation is quantised once. Elementwise work that
    fusion put into the body of a contraction comes out as a `linalg.generic` of
    its own in front of it.

    Which arguments are weights, and the kind and layer of a product, come from
    the `lowp.param` attributes and the names in them; where there are none,
    from structure and order. What cannot be told is left alone.
  }];
  let dependentDialects = [
    "::mlir::lowp::LowpDialect", "::mlir::linalg::LinalgDialect",
    "::mlir::tensor::TensorDialect"
  ];
  let statistics = [
    Statistic<"numSites", "sites", "products of an activation with a weight">,
    Statistic<"numLeft", "left-alone", "products that were left alone">
  ];
}

//===----------------------------------------------------------------------===//
// Stage 2: assign
//
// Entry: the exit of stage 1.
// Exit:  every `lowp.matmul` or `lowp.batch_matmul` has a `plan`; a site without
//        a plan is again exactly the linalg that it came from. The module
//        attribute `lowp.sites` holds the decision on every site, planned or
//        not, in program order.
//===----------------------------------------------------------------------===//

def AssignFormats : Pass<"lowp-assign-formats", "::mlir::ModuleOp"> {
  let summary = "decide the format of every operand of every site";
  let description = [{
    Matches every site against the inline rules, then against the rules of the
    recipe; the first rule that matches decides. A `lowp.plan` that is already
    there wins over both.

    `recipe` is the name of a recipe that comes with the library (`bf16`,
    `mxfp8`, `nvfp4`, `moe-nvfp4`) or the path of a file. `rules` are further
    rules, separated by `;`, that come before those of the recipe:

    ```
    name=*down_proj*, kind=expert -> activation=nvfp4:16:per_token:four_six=mse weight=mxfp8_e4m3
    ```

    `docs/recipes.md` has the grammar of both.
  }];
  let options = [
    Option<"recipe", "recipe", "std::string", /*default=*/"\"bf16\"",
           "recipe: a name or a file">,
    Option<"rules", "rules", "std::string", /*default=*/"\"\"",
           "rules that come before the recipe's, separated by ';'">
  ];
  let dependentDialects = ["::mlir::lowp::LowpDialect"];
  let statistics = [
    Statistic<"numPlanned", "planned", "sites with a plan">,
    Statistic<"numReturned", "returned", "sites given back to linalg">
  ];
}

//===----------------------------------------------------------------------===//
// Stage 3: insert
//
// Entry: contractions with a `plan`.
// Exit:  `lowp.quantize` on every planned operand, contractions on blocked
//        values; no `plan` and no `origin` is left. What rounds stochastically
//        has a seed, a step and a stream of its own. Where `lowp.exchange` asks
//        for it, sums over experts are `lowp.combine`.
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

    Under a stochastic rule the quantisation has no seed, step and stream yet:
    `lowp-assign-streams` gives them.
  }];
  let dependentDialects = ["::mlir::lowp::LowpDialect"];
}

def FormCombine : Pass<"lowp-form-combine", "::mlir::ModuleOp"> {
  let summary = "send what experts give in a narrow format (changes numerics)";
  let description = [{
    Changes numerics, as the module attribute `lowp.exchange` asks; without a
    `combine` format there it does nothing.

    Looks for sums over experts of gate times result, in the forms that
    exporters write: a result of an `expert` site of role `fprop`, rounded to
    bf16 or not; times a gate that is the same along the hidden dim, in any
    precision; added up from zero, over the dim that counts the experts or the
    slots of a token, with reshapes, transpositions and fusion in between.
    Instead, the FP32 accumulator of the product goes through the Hadamard
    transform and is quantised, and a `lowp.combine` adds it up. Gates enter as
    the program has them. Other readers of the product keep what they read.

    A site that no such sum follows is left alone, with a remark that says why.
    `lowp.exchange` goes: what it asked for is done.
  }];
  let dependentDialects = [
    "::mlir::lowp::LowpDialect", "::mlir::arith::ArithDialect",
    "::mlir::linalg::LinalgDialect", "::mlir::tensor::TensorDialect"
  ];
  let statistics = [
    Statistic<"numFormed", "formed", "sums over experts that are combines now">,
    Statistic<"numLeft", "left-alone", "results of experts that are left alone">
  ];
}

def AssignStreams : Pass<"lowp-assign-streams", "::mlir::ModuleOp"> {
  let summary = "give every stochastic rounding random bits of its own";
  let description = [{
    Every operation that rounds stochastically gets a stream that no other has:
    in program order, the lowest that is free. Streams that are there stay; two
    operations of one stream are an error.

    An operation without a seed and a step gets the pass's `seed` and the step
    of the program: a last argument of type i32, marked `lowp.step`, that the
    function gets and that its callers pass on. A function that has such an
    argument already keeps it.

    An operation that runs several times in one step, in a loop or in a function
    that is called twice, draws the same bits each time: where that matters, it
    takes a step of its own.
  }];
  let options = [
    Option<"seed", "seed", "int64_t", /*default=*/"0",
           "seed of operations that have none">
  ];
  let dependentDialects = [
    "::mlir::lowp::LowpDialect", "::mlir::arith::ArithDialect"
  ];
}

//===----------------------------------------------------------------------===//
// Stage 4: simplify
//
// Entry: quantisations where sites need them.
// Exit:  one quantisation per value, format and rule. Hadamard transforms that
//        belong together agree.
//===----------------------------------------------------------------------===//

def CheckTransforms : Pass<"lowp-check-transforms", "::mlir::ModuleOp"> {
  let summary = "report Hadamard transforms that do not undo each other";
  let description = [{
    Follows every forward `lowp.rht` through the program (quantisation and back,
    products, elementwise and linalg operations, control flow, calls) together
    with the dim that it lies along. Where it ends it has to agree in size,
    signs and normalisation: with an inverse transform along the same axis, and
    with the transform of the other operand where that axis is contracted.
    What disagrees is an error at the operation where it shows, with a note at
    the forward transform.

    A transform whose other half is not in sight, because it was applied to an
    argument or ends outside, is left alone.
  }];
}

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
// Stage 5: form kernels
//
// Entry: one quantisation per value, format and rule.
// Exit:  what runs in one loop over rows is a `lowp.kernel`. Bits are the same.
//===----------------------------------------------------------------------===//

def FormKernels : Pass<"lowp-form-kernels"> {
  let summary = "group quantisations with what computes their source";
  let description = [{
    A `lowp.kernel` is formed around `lowp.quantize` and `lowp.requantize` where
    operations in front of them compute row by row, so that
    `lowp-tile-kernels` makes one loop nest of all: elementwise linalg and
    reductions along a row (RMSNorm, SwiGLU, what follows a product: bias,
    activation, truncation), `lowp.rht` and `lowp.dequantize`, `linalg.transpose`,
    elementwise operations on tensors, reshapes and slices that leave rows whole.
    Quantisations of one source go into one kernel, which reads it once: row and
    column blocks of a value, one of them transformed, say. A requantisation is
    a kernel by itself.

    Rows are the dims of a value that no operation of the kernel mixes: any that
    are adjacent, several of them where all operations take them in the same
    order. Blocks that lie across rows keep these together. Not by rows are
    outer scales that are computed from several rows (amaxes that are given are
    fine), groups that blocks, outer scales or random bits could cross, and scale
    images of `tcgen05_128x4`: their
    sources are computed by a kernel of their own.

    A kernel stands where the first of its quantisations did; sizes and new
    tensors that it needs move in front of it. Quantisations of one source that
    have no rows in common go into several. An operation whose result others read
    too is part of the kernel if they come after it, and its result is a result
    of the kernel. Products, gathers,
    constants and what has effects stay outside; remarks say why.
  }];
  let options = [
    Option<"quantizations", "quantizations", "bool", /*default=*/"true",
           "Form kernels that end in quantisations">,
    Option<"sources", "sources", "bool", /*default=*/"true",
           "Form kernels of what is quantised otherwise">
  ];
  let dependentDialects = ["::mlir::lowp::LowpDialect"];
  let statistics = [
    Statistic<"numKernels", "kernels", "kernels that were formed">
  ];
}

//===----------------------------------------------------------------------===//
// Stage 7: lower
//
// Entry: tensor-level operations of lowp, blocked values, `lowp.kernel`.
// Exit:  loops on plain tensors. Of lowp, only block-level operations are left,
//        and they work on vectors: one-shot bufferization needs to know nothing
//        of the dialect.
//===----------------------------------------------------------------------===//

def FoldConstants : Pass<"lowp-fold-constants"> {
  let summary = "quantise and decode constants when compiling";
  let description = [{
    Computes `lowp.quantize`, `requantize`, `dequantize`, `transpose`,
    `convert_layout`, `amax`, `rht` and `combine` of constants, with the bits
    that run time gives. A blocked constant is a `lowp.pack` of constant components.
    Stochastic rounding is folded where `seed` and `step` are constant.

    Tensors of more than `max-elements` elements are left alone, so that weights
    are not held twice; so are dense resources and empty tensors. Operations on
    vectors fold where the canonicalizer meets them, whatever their size.
  }];
  let options = [
    Option<"maxElements", "max-elements", "int64_t", /*default=*/"1024",
           "largest number of elements of a tensor that is folded">
  ];
  let dependentDialects = [
    "::mlir::lowp::LowpDialect", "::mlir::arith::ArithDialect"
  ];
}

def TileKernels : Pass<"lowp-tile-kernels"> {
  let summary = "turn each kernel into one loop over its rows";
  let description = [{
    A `lowp.kernel` becomes one `scf.forall`. A trip takes one row, or those
    that a block spans, and at least 32 where rows are columns, through all
    operations of the kernel: linalg operations on slices, quantisations as `lowp-decompose` makes them, with the random bits
    of the whole value. Inputs with several dims for rows are seen with one.

    Kernels whose operations do not compute row by row are left alone, and
    `lowp-decompose` replaces them by their bodies. Options are those of that
    pass.
  }];
  let options = [
    Option<"batches", "batches", "bool", /*default=*/"false",
           "Quantise sixteen blocks at a time">,
    Option<"fp16", "fp16", "bool", /*default=*/"false",
           "Round batches by FP16 arithmetic where that is exact">,
    Option<"dotPairs", "dot-pairs", "bool", /*default=*/"false",
           "Make codes of batches by lowp.dot_pairs">
  ];
  let dependentDialects = [
    "::mlir::lowp::LowpDialect", "::mlir::arith::ArithDialect",
    "::mlir::cf::ControlFlowDialect", "::mlir::linalg::LinalgDialect",
    "::mlir::scf::SCFDialect", "::mlir::tensor::TensorDialect",
    "::mlir::vector::VectorDialect",
    "::mlir::bufferization::BufferizationDialect",
    "::mlir::memref::MemRefDialect"
  ];
}

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
    block. With `batches` it is a row of blocks, sixteen of them at a time,
    which suits processors with wide vectors: blocks of up to 32 elements, where
    the last dim is that of the source; `memref.prefetch` asks for memory ahead.
    With `fp16` some codes are rounded by arithmetic on vectors of `f16`, and
    with `dot-pairs` some are added up by `lowp.dot_pairs`, for processors that
    have such instructions. Bits are the same. The order of every floating-point
    accumulation is fixed here, so that all targets and all schedules of the
    loops give the same bits.
    `lowp.kernel` is replaced by its body.

    After the pass, tensors are written in destination-passing style only:
    one-shot bufferization stores in place, without copies. It needs no model of
    lowp, since block-level operations work on vectors and scalars.
  }];
  let dependentDialects = [
    "::mlir::lowp::LowpDialect", "::mlir::arith::ArithDialect",
    "::mlir::cf::ControlFlowDialect", "::mlir::linalg::LinalgDialect",
    "::mlir::math::MathDialect",
    "::mlir::scf::SCFDialect", "::mlir::tensor::TensorDialect",
    "::mlir::vector::VectorDialect",
    "::mlir::bufferization::BufferizationDialect",
    "::mlir::memref::MemRefDialect"
  ];
  let options = [
    Option<"batches", "batches", "bool", /*default=*/"false",
           "Quantise sixteen blocks at a time">,
    Option<"fp16", "fp16", "bool", /*default=*/"false",
           "Round batches by FP16 arithmetic where that is exact">,
    Option<"dotPairs", "dot-pairs", "bool", /*default=*/"false",
           "Make codes of batches by lowp.dot_pairs">
  ];
}

//===----------------------------------------------------------------------===//
// Stage 7, for GPUs: loops on buffers to kernels
//
// Entry: loops on buffers. Of lowp, only block-level operations are left.
// Exit:  `gpu.launch`; the host allocates, computes sizes, launches and steers.
//===----------------------------------------------------------------------===//

def BranchSelects : Pass<"lowp-branch-selects"> {
  let summary = "choose between tensors of different sizes by a branch";
  let description = [{
    An `arith.select` by one condition for whole tensors of dynamic shape becomes
    an `scf.if`. `convert-elementwise-to-linalg` takes it for an operation on the
    elements of both, whose sizes may differ. Canonicalization makes such selects
    of branches: none may run between the two.
  }];
  let dependentDialects = ["::mlir::scf::SCFDialect"];
}

//===----------------------------------------------------------------------===//
// lowp-lower-copies
//===----------------------------------------------------------------------===//

def LowerCopies : Pass<"lowp-lower-copies"> {
  let summary = "turn copies of buffers into elementwise operations";
  let description = [{
    Each `memref.copy` becomes a `linalg.generic` that does the same for every
    element, whatever the strides, and can run where other loops do.
  }];
  let dependentDialects = ["::mlir::linalg::LinalgDialect"];
}

//===----------------------------------------------------------------------===//
// lowp-lower-kernels
//===----------------------------------------------------------------------===//

def LowerKernels : Pass<"lowp-lower-kernels", "::mlir::ModuleOp"> {
  let summary = "turn parallel loops on buffers into kernels of a GPU";
  let description = [{
    Every outermost `scf.forall` or `scf.parallel` becomes a `gpu.launch` with
    one thread per iteration, 128 threads a block; sizes may be dynamic. Other
    work on buffers between the loops becomes launches of one thread. What can
    run neither in a kernel nor on the host is an error.

    Where the host needs what a kernel computes (the bounds of a loop, a result
    that is no buffer), it reads it: `lowp_rt_gpu_read` of the runtime waits for
    all kernels before.

    An assertion in a kernel is recorded: the thread writes the assertion's
    number to a buffer of the function, and leaves the rest to
    `lowp-exit-on-assert`. All kernels after it do nothing, and the host checks
    the buffer before it reads anything else, and where the function returns.

    Buffers enter a kernel as a pointer and one integer for each dynamic entry
    of their type (docs/kernels.md). Computations on sizes are repeated in the
    kernel. The kernels of a module go into one `gpu.module` named `kernels`,
    each named after its function and, where its location names one, after the
    operation that it came from.
  }];
  let options = [
    Option<"chip", "chip", "std::string", /*default=*/"",
           "the GPU: a name of --list-targets">
  ];
  let dependentDialects = [
    "::mlir::LLVM::LLVMDialect", "::mlir::arith::ArithDialect",
    "::mlir::cf::ControlFlowDialect", "::mlir::gpu::GPUDialect",
    "::mlir::memref::MemRefDialect", "::mlir::scf::SCFDialect"
  ];
}

//===----------------------------------------------------------------------===//
// lowp-share-kernels
//===----------------------------------------------------------------------===//

def ShareKernels : Pass<"lowp-share-kernels", "::mlir::ModuleOp"> {
  let summary = "let equal kernels of a GPU be one";
  let description = [{
    The kernels of a `gpu.module` that differ in their names alone become the
    first of them, as those of the layers of a model do. Buffers and sizes are
    arguments, so that only constants tell kernels apart that do the same.
  }];
}

#endif // LOWP_TRANSFORMS_PASSES_TD
