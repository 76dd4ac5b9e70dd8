//===- LowpOps.td - tensor-level operations -*- tablegen -*-===//
//
// Part of the lowp project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef LOWP_IR_LOWPOPS_TD
#define LOWP_IR_LOWPOPS_TD

include "lowp/IR/LowpBase.td"
include "lowp/IR/LowpInterfaces.td"
include "mlir/Interfaces/ControlFlowInterfaces.td"
include "mlir/IR/SymbolInterfaces.td"

//===----------------------------------------------------------------------===//
// Quantise and its relatives
//===----------------------------------------------------------------------===//

def Lowp_QuantizeOp : Lowp_Op<"quantize", [Pure, AttrSizedOperandSegments,
    Lowp_StochasticOpInterface]> {
  let summary = "quantises a float tensor";
  let description = [{
    Quantises `source` into blocks under `rule`. The result type says where the
    blocks lie, which dims index the outer scale and how scales are stored.

    The outer scale of a format that has one is computed from the largest
    magnitude of each outer group, unless it is given: `outer` is the decode
    scale itself, `amax` a largest magnitude found elsewhere (for instance
    reduced across devices). Both have one dim per outer axis.

    Stochastic rounding draws its bits from Philox, keyed by `seed`, `step` and
    the `stream` attribute and indexed by logical coordinates. An operation that
    lacks them gets them from `lowp-assign-streams`.

    `groups` gives the offsets of a result that is grouped: group e is made of
    the elements from offsets[e] to offsets[e+1] - 1 along the group axis.
    offsets[0] is 0, the last offset is the size of the axis, and offsets do not
    descend; groups may be empty. Codes, block scales and outer scales of a
    group are those of the group quantised alone.

    Example:

    ```mlir
    %q = lowp.quantize %x {rule = #lowp.rule<four_six = mse>}
       : tensor<?x256xbf16> -> !lowp.blocked<?x256xnvfp4, block = [1, 16], outer = [0]>
    %p = lowp.quantize %x amax(%a : tensor<f32>)
       : tensor<?x256xbf16> -> !lowp.blocked<?x256xnvfp4, block = [1, 16]>
    %s = lowp.quantize %g seed(%seed, %step) {rule = #lowp.rule<round = stochastic>, stream = 3 : i32}
       : tensor<?x256xbf16> -> !lowp.blocked<?x256xmxfp8_e4m3, block = [1, 32]>
    %t = lowp.quantize %x groups(%o : tensor<5xi32>)
       : tensor<?x256xbf16>
      -> !lowp.blocked<?x256xmxfp8_e4m3, block = [32, 1], groups = 4 along 0>
    ```
  }];
  let arguments = (ins Lowp_FloatTensor:$source,
    Optional<Lowp_F32Tensor>:$outerScale, Optional<Lowp_F32Tensor>:$outerAmax,
    Optional<I64>:$seed, Optional<I32>:$step,
    Optional<Lowp_Offsets>:$offsets,
    DefaultValuedAttr<Lowp_RuleAttr,
      "::mlir::lowp::RuleAttr::getDefault($_builder.getContext())">:$rule,
    OptionalAttr<ConfinedAttr<I32Attr, [IntNonNegative]>>:$stream);
  let results = (outs Lowp_BlockedType:$result);
  let assemblyFormat = [{
    $source (`outer` `(` $outerScale^ `:` type($outerScale) `)`)?
    (`amax` `(` $outerAmax^ `:` type($outerAmax) `)`)?
    (`seed` `(` $seed^ `,` $step `)`)?
    (`groups` `(` $offsets^ `:` type($offsets) `)`)?
    attr-dict `:` type($source) `->` qualified(type($result))
  }];
  let builders = [
    OpBuilder<(ins "::mlir::Type":$result, "::mlir::Value":$source,
      CArg<"::mlir::lowp::RuleAttr", "{}">:$rule,
      CArg<"::mlir::Value", "{}">:$offsets)>
  ];
  let hasVerifier = 1;
}

def Lowp_AmaxOp : Lowp_Op<"amax",
    [Pure, DeclareOpInterfaceMethods<ReifyRankedShapedTypeOpInterface,
        ["reifyResultShapes"]>]> {
  let summary = "largest magnitudes of outer groups";
  let description = [{
    The largest magnitude of all elements with the same indices in the dims
    `outer` (without them, of all elements); one dim per outer axis. A NaN or
    else an infinity in a group is its amax; under `nonfinite = saturate` only
    finite elements count. The amax of nothing is 0.

    It is what `lowp.quantize` finds by itself. As a value it can be reduced by
    a maximum over parts of a tensor, on other devices too, and given back with
    `amax`: every part then gets the bytes that it has in the whole.

    Example:

    ```mlir
    %a = lowp.amax %x outer = [0] : tensor<?x256xbf16> -> tensor<?xf32>
    %b = lowp.amax %x nonfinite = saturate : tensor<?x256xbf16> -> tensor<f32>
    ```
  }];
  let arguments = (ins Lowp_FloatTensor:$source,
    DefaultValuedAttr<DenseI64ArrayAttr, "{}">:$outerAxes,
    DefaultValuedAttr<Lowp_NonFiniteAttr, "::mlir::lowp::NonFinite::Propagate">:$nonfinite);
  let results = (outs Lowp_F32Tensor:$result);
  let assemblyFormat = [{
    $source (`outer` `=` $outerAxes^)? (`nonfinite` `=` `` $nonfinite^)?
    attr-dict `:` type($source) `->` type($result)
  }];
  let hasVerifier = 1;
}

def Lowp_DequantizeOp : Lowp_Op<"dequantize",
    [Pure, DeclareOpInterfaceMethods<ReifyRankedShapedTypeOpInterface,
        ["reifyResultShapes"]>]> {
  let summary = "decodes a blocked value into a float tensor";
  let description = [{
    Each element is the product of its code, its block scale and, where present,
    its outer scale, in FP32, rounded once more to the result's element type.

    Example:

    ```mlir
    %y = lowp.dequantize %q
       : !lowp.blocked<?x256xmxfp8_e4m3, block = [1, 32]> -> tensor<?x256xf32>
    ```
  }];
  let arguments = (ins Lowp_BlockedType:$source);
  let results = (outs Lowp_FloatTensor:$result);
  let assemblyFormat = "$source attr-dict `:` qualified(type($source)) `->` type($result)";
  let hasVerifier = 1;
  let hasCanonicalizeMethod = 1;
}

def Lowp_RequantizeOp : Lowp_Op<"requantize", [Pure, AttrSizedOperandSegments,
    Lowp_StochasticOpInterface]> {
  let summary = "changes the format of a blocked value, optionally transposed";
  let description = [{
    Defined as dequantise in FP32, transpose by `permutation` (dim i of the
    result is dim `permutation[i]` of the source), quantise under `rule`, with
    no other rounding in between. `outer = fold` multiplies the source's outer
    scale into the values; `outer = keep` passes it through to the result,
    whose format then has an outer scale over the same (permuted) axes.

    The groups of a grouped source are those of a grouped result; a result that
    is not grouped has none. `groups` gives the offsets where the source has
    none.

    Example:

    ```mlir
    %t = lowp.requantize %w permutation = [1, 0] outer = fold
       : !lowp.blocked<64x256xnvfp4, block = [1, 16]>
      -> !lowp.blocked<256x64xmxfp8_e4m3, block = [1, 32]>
    %u = lowp.requantize %x groups(%o : tensor<5xi32>) permutation = [1, 0]
       : !lowp.blocked<?x256xnvfp4, block = [1, 16], outer = [0]>
      -> !lowp.blocked<256x?xmxfp8_e4m3, block = [1, 32], groups = 4 along 1>
    ```
  }];
  let arguments = (ins Lowp_BlockedType:$source,
    Optional<I64>:$seed, Optional<I32>:$step,
    Optional<Lowp_Offsets>:$offsets,
    OptionalAttr<DenseI64ArrayAttr>:$permutation,
    DefaultValuedAttr<Lowp_OuterModeAttr, "::mlir::lowp::OuterMode::Fold">:$outer,
    DefaultValuedAttr<Lowp_RuleAttr,
      "::mlir::lowp::RuleAttr::getDefault($_builder.getContext())">:$rule,
    OptionalAttr<ConfinedAttr<I32Attr, [IntNonNegative]>>:$stream);
  let results = (outs Lowp_BlockedType:$result);
  let assemblyFormat = [{
    $source (`seed` `(` $seed^ `,` $step `)`)?
    (`groups` `(` $offsets^ `:` type($offsets) `)`)?
    (`permutation` `=` $permutation^)? (`outer` `=` `` $outer^)?
    attr-dict `:` qualified(type($source)) `->` qualified(type($result))
  }];
  let hasVerifier = 1;
  let hasCanonicalizeMethod = 1;
}

def Lowp_TransposeOp : Lowp_Op<"transpose",
    [Pure, DeclareOpInterfaceMethods<InferTypeOpInterface>]> {
  let summary = "permutes the dims of a blocked value";
  let description = [{
    Dim i of the result is dim `permutation[i]` of the source; block shape and
    outer axes move along. Exact: codes are permuted, never re-blocked.

    Example:

    ```mlir
    %t = lowp.transpose %q permutation = [1, 0]
       : !lowp.blocked<8x256xmxfp4, block = [1, 32]>
      -> !lowp.blocked<256x8xmxfp4, block = [32, 1]>
    ```
  }];
  let arguments = (ins Lowp_BlockedType:$source, DenseI64ArrayAttr:$permutation);
  let results = (outs Lowp_BlockedType:$result);
  let assemblyFormat = [{
    $source `permutation` `=` $permutation attr-dict
    `:` qualified(type($source)) `->` qualified(type($result))
  }];
  let hasVerifier = 1;
  let hasFolder = 1;
}

def Lowp_ConvertLayoutOp : Lowp_Op<"convert_layout", [Pure]> {
  let summary = "changes the storage order of block scales";
  let description = [{
    The types of source and result differ in their scale layout only. Padding
    bytes of `tcgen05_128x4` are written as zero and never read.

    Example:

    ```mlir
    %t = lowp.convert_layout %q
       : !lowp.blocked<128x64xmxfp8_e4m3, block = [1, 32]>
      -> !lowp.blocked<128x64xmxfp8_e4m3, block = [1, 32], layout = tcgen05_128x4>
    ```
  }];
  let arguments = (ins Lowp_BlockedType:$source);
  let results = (outs Lowp_BlockedType:$result);
  let assemblyFormat = "$source attr-dict `:` qualified(type($source)) `->` qualified(type($result))";
  let hasVerifier = 1;
  let hasFolder = 1;
}

def Lowp_PackOp : Lowp_Op<"pack", [Pure, AttrSizedOperandSegments]> {
  let summary = "makes a blocked value from its component tensors";
  let description = [{
    How frameworks, checkpoints and function boundaries meet blocked values.
    The component types follow from the result type: codes as bytes (4-bit codes
    packed in pairs along the last dim, element 0 in the low nibble), block
    scales as bytes (`f32` for FP32 scales), the FP32 outer scale where the
    format has one, and the offsets where the value is grouped. Because packing hides whether a last dim is odd, the sizes
    of dynamic dims are operands.

    Example:

    ```mlir
    %q = lowp.pack %codes, %scales, %outer dims(%m)
       : tensor<?x8xi8>, tensor<?x1xi8>, tensor<?xf32>
      -> !lowp.blocked<?x16xnvfp4, block = [1, 16], outer = [0]>
    ```
  }];
  let arguments = (ins Variadic<AnyRankedTensor>:$components,
                       Variadic<Index>:$dynamicDims);
  let results = (outs Lowp_BlockedType:$result);
  let assemblyFormat = [{
    $components (`dims` `(` $dynamicDims^ `)`)?
    attr-dict `:` type($components) `->` qualified(type($result))
  }];
  let hasVerifier = 1;
  let hasCanonicalizeMethod = 1;
}

def Lowp_UnpackOp : Lowp_Op<"unpack",
    [Pure, DeclareOpInterfaceMethods<InferTypeOpInterface>]> {
  let summary = "splits a blocked value into its component tensors";
  let description = [{
    The inverse of `lowp.pack`.

    Example:

    ```mlir
    %codes, %scales = lowp.unpack %q
       : !lowp.blocked<4x64xmxfp8_e4m3, block = [1, 32]>
      -> tensor<4x64xi8>, tensor<4x2xi8>
    ```
  }];
  let arguments = (ins Lowp_BlockedType:$source);
  let results = (outs Variadic<AnyRankedTensor>:$components);
  let assemblyFormat = "$source attr-dict `:` qualified(type($source)) `->` type($components)";
  let hasCanonicalizeMethod = 1;
}

def Lowp_DimOp : Lowp_Op<"dim", [Pure]> {
  let summary = "the size of a dim of a blocked value, in elements";
  let description = [{
    Example:

    ```mlir
    %m = lowp.dim %q, 0 : !lowp.blocked<?x256xmxfp4, block = [1, 32]>
    ```
  }];
  let arguments = (ins Lowp_BlockedType:$source,
                       ConfinedAttr<I64Attr, [IntNonNegative]>:$dim);
  let results = (outs Index:$result);
  let assemblyFormat = "$source `,` $dim attr-dict `:` qualified(type($source))";
  let hasVerifier = 1;
  let hasFolder = 1;
  let hasCanonicalizeMethod = 1;
}

//===----------------------------------------------------------------------===//
// Hadamard transform
//===----------------------------------------------------------------------===//

def Lowp_SignsOp : Lowp_Op<"signs", [Symbol]> {
  let summary = "a sign vector that Hadamard transforms name";
  let description = [{
    `negate[i]` says that element i of every group of `negate.size()` elements
    is multiplied by -1. Forward and inverse transforms that belong together
    name the same vector.

    Example:

    ```mlir
    lowp.signs @s = [false, true, true, false, false, true, false, true,
                     true, true, true, false, true, false, true, true]
    ```
  }];
  let arguments = (ins SymbolNameAttr:$sym_name,
    OptionalAttr<StrAttr>:$sym_visibility, DenseBoolArrayAttr:$negate);
  let assemblyFormat = "($sym_visibility^)? $sym_name `=` $negate attr-dict";
  let hasVerifier = 1;
}

def Lowp_RhtOp : Lowp_Op<"rht", [Pure, AllTypesMatch<["source", "result"]>,
    DeclareOpInterfaceMethods<SymbolUserOpInterface>,
    DeclareOpInterfaceMethods<ReifyRankedShapedTypeOpInterface,
        ["reifyResultShapes"]>]> {
  let summary = "random Hadamard transform of blocks of an axis";
  let description = [{
    Transforms every group of `size` consecutive elements along `axis`: signs,
    butterflies in FP32, one factor; with `inverse`, butterflies, factor, signs.
    The size of the axis is a multiple of `size`. `signs` names a `lowp.signs` of
    that many signs; without it, element i is negated iff bit (i mod 16) of 0xD7E8 is set.
    `arith = tensorcore` permits another order of the additions. No target makes
    use of it yet.

    `groups` says that values are grouped along `axis` by these offsets, as for
    `lowp.quantize`. No transform crosses groups: each offset is a multiple of
    `size`.

    Example:

    ```mlir
    lowp.signs @s = [false, true, true, false, false, true, false, true,
                     true, true, true, false, true, false, true, true]
    %y = lowp.rht %x size = 16 axis = 1 signs = @s : tensor<?x64xf32>
    %z = lowp.rht %y size = 16 axis = 1 inverse signs = @s : tensor<?x64xf32>
    %t = lowp.rht %x groups(%o : tensor<5xi32>) size = 16 axis = 0 : tensor<?x64xf32>
    ```
  }];
  let arguments = (ins Lowp_FloatTensor:$source,
    Optional<Lowp_Offsets>:$offsets,
    ConfinedAttr<I64Attr, [IntPositive]>:$size,
    ConfinedAttr<I64Attr, [IntNonNegative]>:$axis,
    UnitAttr:$inverse, OptionalAttr<FlatSymbolRefAttr>:$signs,
    DefaultValuedAttr<Lowp_NormalizationAttr, "::mlir::lowp::Normalization::Dyadic">:$normalization,
    DefaultValuedAttr<Lowp_RhtArithAttr, "::mlir::lowp::RhtArith::F32">:$arith);
  let results = (outs Lowp_FloatTensor:$result);
  let assemblyFormat = [{
    $source (`groups` `(` $offsets^ `:` type($offsets) `)`)?
    `size` `=` $size `axis` `=` $axis (`inverse` $inverse^)?
    (`signs` `=` $signs^)? (`normalization` `=` `` $normalization^)?
    (`arith` `=` `` $arith^)? attr-dict `:` type($result)
  }];
  let hasVerifier = 1;
}

//===----------------------------------------------------------------------===//
// Mixture of experts
//===----------------------------------------------------------------------===//

def Lowp_CombineOp : Lowp_Op<"combine", [Pure,
    DeclareOpInterfaceMethods<SymbolUserOpInterface>,
    DeclareOpInterfaceMethods<ReifyRankedShapedTypeOpInterface,
        ["reifyResultShapes"]>]> {
  let summary = "adds up what experts sent, each times its gate";
  let description = [{
    `payload` is ExTxH: what each of E experts (or slots of a token) gives each
    of T tokens. `gates` is ExT. Every element of the result is the sum over the
    experts of gate times decoded payload, by fused multiply-adds in FP32, from
    the first expert to the last. An expert whose gate is zero takes no part in
    the sum of that token: its payload is not read.

    With `inverse_rht` the sum then goes through one inverse Hadamard transform
    of that many elements along H, with `signs` and `normalization` as in
    `lowp.rht`. The result is rounded once.

    Since gates are applied where payloads arrive, a payload does not depend on
    them, nor on where the other experts are.

    Example:

    ```mlir
    %y = lowp.rht %x size = 32 axis = 2 : tensor<8x?x256xf32>
    %p = lowp.quantize %y : tensor<8x?x256xf32> -> !lowp.blocked<8x?x256xmxs2f6, block = [1, 1, 32]>
    %s = lowp.combine %p gates(%g : tensor<8x?xbf16>) inverse_rht = 32
       : !lowp.blocked<8x?x256xmxs2f6, block = [1, 1, 32]> -> tensor<?x256xbf16>
    ```
  }];
  let arguments = (ins Lowp_BlockedType:$payload, Lowp_FloatTensor:$gates,
    OptionalAttr<ConfinedAttr<I64Attr, [IntPositive]>>:$inverseRht,
    OptionalAttr<FlatSymbolRefAttr>:$signs,
    DefaultValuedAttr<Lowp_NormalizationAttr, "::mlir::lowp::Normalization::Dyadic">:$normalization);
  let results = (outs Lowp_FloatTensor:$result);
  let assemblyFormat = [{
    $payload `gates` `(` $gates `:` type($gates) `)`
    (`inverse_rht` `=` $inverseRht^)? (`signs` `=` $signs^)?
    (`normalization` `=` `` $normalization^)? attr-dict
    `:` qualified(type($payload)) `->` type($result)
  }];
  let hasVerifier = 1;
}

//===----------------------------------------------------------------------===//
// Contractions
//===----------------------------------------------------------------------===//

class Lowp_ContractionOp<string mnemonic, dag extraOperands = (ins)>
    : Lowp_Op<mnemonic, [Pure,
        DeclareOpInterfaceMethods<Lowp_ContractionOpInterface,
        ["getLhsContractionDim", "getRhsContractionDim"]>,
        DeclareOpInterfaceMethods<ReifyRankedShapedTypeOpInterface,
        ["reifyResultShapes"]>]> {
  let arguments = !con(
    (ins Lowp_ContractionOperand:$lhs, Lowp_ContractionOperand:$rhs),
    extraOperands,
    (ins Optional<Lowp_F32Tensor>:$init, UnitAttr:$transposeLhs,
         UnitAttr:$transposeRhs, OptionalAttr<Lowp_SiteAttr>:$site,
         OptionalAttr<Lowp_PlanAttr>:$plan));
  let results = (outs Lowp_FloatTensor:$result);
  let regions = (region MaxSizedRegion<1>:$origin);
  let hasVerifier = 1;
}

def Lowp_MatmulOp : Lowp_ContractionOp<"matmul"> {
  let summary = "matrix product of plain or blocked operands";
  let description = [{
    lhs is MxK (KxM with `transpose_lhs`), rhs is KxN (NxK with
    `transpose_rhs`), the result MxN. Blocks of a blocked operand lie along K.
    Accumulates in FP32 in ascending blocks of K; `init` is added last, then one
    rounding to the result's element type.

    `site` and `plan` are written by the pipeline. The region `origin`, where
    present, holds the computation that the op was recognised from; passes that
    give a site back to its source inline it, and it has no other meaning. It
    is dropped as soon as an operand becomes blocked.

    Example:

    ```mlir
    %y = lowp.matmul %q, %w transpose_rhs
       : !lowp.blocked<?x256xnvfp4, block = [1, 16], outer = [0]>,
         !lowp.blocked<512x256xnvfp4, block = [1, 16]> -> tensor<?x512xf32>
    ```
  }];
  let assemblyFormat = [{
    $lhs `,` $rhs (`init` `(` $init^ `:` type($init) `)`)?
    (`transpose_lhs` $transposeLhs^)? (`transpose_rhs` $transposeRhs^)?
    (`site` `=` $site^)? (`plan` `=` $plan^)? attr-dict
    `:` type($lhs) `,` type($rhs) `->` type($result)
    (`origin` $origin^)?
  }];
}

def Lowp_BatchMatmulOp : Lowp_ContractionOp<"batch_matmul"> {
  let summary = "batch of matrix products of plain or blocked operands";
  let description = [{
    As `lowp.matmul` with one leading batch dim: lhs BxMxK, rhs BxKxN, result
    BxMxN. An operand of rank 2 has no batch dim and is shared by all batches
    (one of the two at most).

    Example:

    ```mlir
    %y = lowp.batch_matmul %q, %w transpose_rhs
       : !lowp.blocked<?x96xnvfp4, block = [1, 16], outer = [0]>,
         !lowp.blocked<4x256x96xnvfp4, block = [1, 1, 16], outer = [0]>
      -> tensor<4x?x256xf32>
    ```
  }];
  let assemblyFormat = [{
    $lhs `,` $rhs (`init` `(` $init^ `:` type($init) `)`)?
    (`transpose_lhs` $transposeLhs^)? (`transpose_rhs` $transposeRhs^)?
    (`site` `=` $site^)? (`plan` `=` $plan^)? attr-dict
    `:` type($lhs) `,` type($rhs) `->` type($result)
    (`origin` $origin^)?
  }];
}

def Lowp_GroupedMatmulOp : Lowp_ContractionOp<"grouped_matmul",
    (ins Lowp_Offsets:$offsets)> {
  let summary = "matrix products of row groups with one matrix per group";
  let description = [{
    lhs is TxK, rhs ExKxN (ExNxK with `transpose_rhs`), `offsets` has E+1
    entries; rows offsets[e] to offsets[e+1] - 1 of lhs are multiplied by
    matrix e. offsets[0] is 0, offsets[E] is T, and offsets do not descend;
    groups may be empty. `transpose_lhs` is not allowed.

    Example:

    ```mlir
    %y = lowp.grouped_matmul %q, %w groups(%o : tensor<5xi32>) transpose_rhs
       : !lowp.blocked<?x96xnvfp4, block = [1, 16], outer = [0]>,
         !lowp.blocked<4x256x96xnvfp4, block = [1, 1, 16], outer = [0]>
      -> tensor<?x256xf32>
    ```
  }];
  let assemblyFormat = [{
    $lhs `,` $rhs `groups` `(` $offsets `:` type($offsets) `)`
    (`init` `(` $init^ `:` type($init) `)`)?
    (`transpose_lhs` $transposeLhs^)? (`transpose_rhs` $transposeRhs^)?
    (`site` `=` $site^)? (`plan` `=` $plan^)? attr-dict
    `:` type($lhs) `,` type($rhs) `->` type($result)
    (`origin` $origin^)?
  }];
}

def Lowp_KGroupedMatmulOp : Lowp_ContractionOp<"k_grouped_matmul",
    (ins Lowp_Offsets:$offsets)> {
  let summary = "matrix products over groups of the contracted dim";
  let description = [{
    lhs is MxT (TxM with `transpose_lhs`), rhs TxN (NxT with `transpose_rhs`),
    `offsets` has E+1 entries, the result is ExMxN: matrix e is the product over
    k from offsets[e] to offsets[e+1] - 1, zero where that is empty. offsets[0]
    is 0, offsets[E] is T, and offsets do not descend. This is the gradient of
    the weights of `lowp.grouped_matmul`.

    A blocked operand is grouped along its contraction dim, by the same offsets.

    Example:

    ```mlir
    %w = lowp.k_grouped_matmul %x, %g groups(%o : tensor<5xi32>) transpose_lhs
       : !lowp.blocked<?x96xmxfp8_e4m3, block = [32, 1], groups = 4 along 0>,
         !lowp.blocked<?x256xmxfp8_e4m3, block = [32, 1], groups = 4 along 0>
      -> tensor<4x96x256xf32>
    ```
  }];
  let assemblyFormat = [{
    $lhs `,` $rhs `groups` `(` $offsets `:` type($offsets) `)`
    (`init` `(` $init^ `:` type($init) `)`)?
    (`transpose_lhs` $transposeLhs^)? (`transpose_rhs` $transposeRhs^)?
    (`site` `=` $site^)? (`plan` `=` $plan^)? attr-dict
    `:` type($lhs) `,` type($rhs) `->` type($result)
    (`origin` $origin^)?
  }];
}

//===----------------------------------------------------------------------===//
// Kernel
//===----------------------------------------------------------------------===//

def Lowp_KernelOp : Lowp_Op<"kernel", [
    SingleBlockImplicitTerminator<"YieldOp">, RecursiveMemoryEffects,
    RecursivelySpeculatable, DeclareOpInterfaceMethods<RegionBranchOpInterface>]> {
  let summary = "a computation that runs as one kernel";
  let description = [{
    What is inside runs as one kernel on the target. Its meaning is its body
    inlined, so forming a kernel cannot change a bit.

    Example:

    ```mlir
    %q = lowp.kernel -> !lowp.blocked<?x64xmxs2f6, block = [1, 32]> {
      %y = lowp.rht %x size = 32 axis = 1 : tensor<?x64xf32>
      %p = lowp.quantize %y : tensor<?x64xf32> -> !lowp.blocked<?x64xmxs2f6, block = [1, 32]>
      lowp.yield %p : !lowp.blocked<?x64xmxs2f6, block = [1, 32]>
    }
    ```
  }];
  let results = (outs Variadic<AnyType>:$results);
  let regions = (region SizedRegion<1>:$body);
  let assemblyFormat = "(`->` type($results)^)? attr-dict-with-keyword $body";
  let hasVerifier = 1;
  let hasCanonicalizeMethod = 1;
}

def Lowp_YieldOp : Lowp_Op<"yield", [Pure, Terminator, ReturnLike,
    ParentOneOf<["KernelOp", "MatmulOp", "BatchMatmulOp", "GroupedMatmulOp",
                 "KGroupedMatmulOp"]>]> {
  let summary = "ends a region of a lowp operation";
  let description = [{
    Gives the results of the enclosing `lowp.kernel`, or the value that the
    `origin` region of a contraction computes.

    Example:

    ```mlir
    %q = lowp.kernel -> tensor<4xf32> {
      lowp.yield %x : tensor<4xf32>
    }
    ```
  }];
  let arguments = (ins Variadic<AnyType>:$operands);
  let assemblyFormat = "($operands^ `:` type($operands))? attr-dict";
  let builders = [OpBuilder<(ins), "build($_builder, $_state, ::mlir::ValueRange{});">];
}

#endif // LOWP_IR_LOWPOPS_TD
