//===- LowpBlockOps.td - block-level operations -*- tablegen -*-===//
//
// Part of the lowp project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef LOWP_IR_LOWPBLOCKOPS_TD
#define LOWP_IR_LOWPBLOCKOPS_TD

include "lowp/IR/LowpBase.td"

//===----------------------------------------------------------------------===//
// Block-level operations work on one block, held in a 1-D vector by one thread,
// or on a batch of blocks, held element by element in a 2-D vector: dim 0 counts
// the elements of a block, dim 1 the blocks. What one block has once, such as
// its scale, is a scalar, and a batch has a 1-D vector of them.
// Each has one generic expansion into arith and vector (LowpToArith) and, per
// target, an optional hardware form for single blocks (LowpToNVVM).
//===----------------------------------------------------------------------===//

def Lowp_F32Vector : FixedVectorOfRankAndType<[1], [F32]>;
def Lowp_I32Vector : FixedVectorOfRankAndType<[1], [I32]>;
def Lowp_I64Vector : FixedVectorOfRankAndType<[1], [I64]>;
def Lowp_F32Blocks : FixedVectorOfRankAndType<[1, 2], [F32]>;
def Lowp_I8Blocks : FixedVectorOfRankAndType<[1, 2], [I8]>;
def Lowp_I32Blocks : FixedVectorOfRankAndType<[1, 2], [I32]>;

/// One per block.
class Lowp_PerBlock<Type type>
    : AnyTypeOf<[type, FixedVectorOfRankAndType<[1], [type]>]>;
def Lowp_PerBlockF32 : Lowp_PerBlock<F32>;
def Lowp_PerBlockI8 : Lowp_PerBlock<I8>;
def Lowp_PerBlockI1 : Lowp_PerBlock<I1>;

/// `scalar` is of the type `element`, one for each of the blocks in `blocks`.
class Lowp_OnePerBlock<string blocks, string scalar, string element>
    : OptionalTypesMatchWith<"one " # scalar # " per block", blocks, scalar,
        "::mlir::lowp::getPerBlockType($_self, ::mlir::Builder($_self.getContext())." # element # "())">;

/// `to` is of the type `element`, in the shape of `from`.
class Lowp_SameBlocks<string from, string to, string element>
    : OptionalTypesMatchWith<"one " # to # " per block", from, to,
        "::mlir::lowp::withElementType($_self, ::mlir::Builder($_self.getContext())." # element # "())">;

def Lowp_BlockAmaxOp : Lowp_Op<"block_amax",
    [Pure, Lowp_OnePerBlock<"source", "amax", "getF32Type">]> {
  let summary = "largest magnitude of a block";
  let description = [{
    Under `propagate` (default) a NaN gives NaN and an infinity gives infinity;
    under `saturate` only finite elements count (none: 0).

    Example:

    ```mlir
    %a = lowp.block_amax %v : vector<16xf32>
    %b = lowp.block_amax %w : vector<32x16xf32>  // 16 blocks of 32
    ```
  }];
  let arguments = (ins Lowp_F32Blocks:$source,
    DefaultValuedAttr<Lowp_NonFiniteAttr, "::mlir::lowp::NonFinite::Propagate">:$nonfinite);
  let results = (outs Lowp_PerBlockF32:$amax);
  let assemblyFormat = "$source (`nonfinite` `=` `` $nonfinite^)? attr-dict `:` type($source)";
  let hasFolder = 1;
}

def Lowp_OuterScaleOp : Lowp_Op<"outer_scale",
    [Pure]> {
  let summary = "encode and decode outer scale of a group";
  let description = [{
    From the group's amax (`from = amax`, default) or from a given decode scale
    (`from = scale`): `encode` multiplies values, `decode` is what is stored.
    A NaN or infinite amax gives NaN for both; so does a given scale that is
    NaN, infinite, zero or negative.

    Example:

    ```mlir
    %enc, %dec = lowp.outer_scale %amax format = <nvfp4> rule = <four_six = mse>
    ```
  }];
  let arguments = (ins F32:$source, Lowp_FormatAttr:$format,
    DefaultValuedAttr<Lowp_RuleAttr,
      "::mlir::lowp::RuleAttr::getDefault($_builder.getContext())">:$rule,
    DefaultValuedAttr<Lowp_OuterSourceAttr, "::mlir::lowp::OuterSource::Amax">:$from);
  let results = (outs F32:$encode, F32:$decode);
  let assemblyFormat = [{
    $source `format` `=` $format (`rule` `=` $rule^)? (`from` `=` `` $from^)? attr-dict
  }];
  let hasVerifier = 1;
  let hasFolder = 1;
}

def Lowp_BlockScaleOp : Lowp_Op<"block_scale",
    [Pure, AttrSizedOperandSegments,
     Lowp_SameBlocks<"scale", "amax", "getF32Type">,
     Lowp_SameBlocks<"scale", "factor", "getF32Type">,
     Lowp_SameBlocks<"scale", "encode", "getF32Type">,
     Lowp_SameBlocks<"scale", "decode", "getF32Type">]> {
  let summary = "scale of a block and the factor that its elements are multiplied by";
  let description = [{
    From the block's amax and, for formats with an outer scale, the group's
    encode and decode scale. `scale` is the stored scale (a byte, or `f32` for
    FP32 scales), `factor` what elements are multiplied by before `lowp.encode`.
    Two cases differ: under `sf_arith = compressed_tensors` elements are divided
    by `factor`; for a UE8M0 scale under an outer scale they are multiplied by
    `encode` first and by `factor` then. `amax` is that of the elements as they
    are, in all cases.
    A NaN or infinite amax (or NaN outer scale) gives the NaN scale, and a
    factor of 0 whenever all codes of the block are 0 by rule. `four` asks for
    the 4-candidate of the 4/6 choice. `regular` says that such an amax or outer
    scale is of no interest, nor a factor beyond the largest FP32 number, which
    may be infinite then.

    Example:

    ```mlir
    %s, %f = lowp.block_scale %amax format = <mxfp8_e4m3> : i8
    %t, %g = lowp.block_scale %amax outer(%enc, %dec) format = <nvfp4> four : i8
    ```
  }];
  let arguments = (ins Lowp_PerBlockF32:$amax, Optional<Lowp_PerBlockF32>:$encode,
    Optional<Lowp_PerBlockF32>:$decode, Lowp_FormatAttr:$format,
    DefaultValuedAttr<Lowp_RuleAttr,
      "::mlir::lowp::RuleAttr::getDefault($_builder.getContext())">:$rule,
    UnitAttr:$four, UnitAttr:$regular);
  let results = (outs AnyTypeOf<[Lowp_PerBlockI8, Lowp_PerBlockF32]>:$scale,
    Lowp_PerBlockF32:$factor);
  let assemblyFormat = [{
    $amax (`outer` `(` $encode^ `,` $decode `)`)? `format` `=` $format
    (`rule` `=` $rule^)? (`four` $four^)? (`regular` $regular^)? attr-dict `:`
    type($scale)
  }];
  let hasVerifier = 1;
  let hasFolder = 1;
}

def Lowp_EncodeOp : Lowp_Op<"encode",
    [Pure, AttrSizedOperandSegments, Lowp_OnePerBlock<"source", "valid", "getI1Type">]> {
  let summary = "element codes of scaled values";
  let description = [{
    Rounds every element of `source`: to the nearest code (ties to even code),
    toward zero, or stochastically. Then `random` has the random bits of each
    element in its low bits: as many as the rule's `sr_bits`, or as the element's
    default. What rounds beyond the largest finite value saturates, unless the
    rule's `overflow` says otherwise. The code of a NaN is that of `nonfinite =
    saturate`; under `propagate`, where blocks with a NaN have no codes, it is
    not specified. `valid` says whether codes are wanted: where it is false all
    codes are +0 (blocks whose scale is NaN or
    zero). 4-bit codes are packed two per byte, element 0 in the low nibble,
    when the result has half as many elements as the source; they take one byte
    each when it has as many.

    Example:

    ```mlir
    %c = lowp.encode %v valid(%ok) element = f4E2M1FN : vector<16xf32> -> vector<8xi8>
    %d = lowp.encode %v random(%bits : vector<16xi32>) element = f8E4M3FN
      rule = <round = stochastic> : vector<16xf32> -> vector<16xi8>
    ```
  }];
  let arguments = (ins Lowp_F32Blocks:$source, Optional<Lowp_PerBlockI1>:$valid,
    Optional<Lowp_I32Blocks>:$random, TypeAttr:$element,
    DefaultValuedAttr<Lowp_RuleAttr,
      "::mlir::lowp::RuleAttr::getDefault($_builder.getContext())">:$rule);
  let results = (outs Lowp_I8Blocks:$codes);
  let assemblyFormat = [{
    $source (`valid` `(` $valid^ `)`)?
    (`random` `(` $random^ `:` type($random) `)`)? `element` `=` $element
    (`rule` `=` $rule^)? attr-dict `:` type($source) `->` type($codes)
  }];
  let hasVerifier = 1;
  let hasFolder = 1;
}

def Lowp_DecodeOp : Lowp_Op<"decode", [Pure]> {
  let summary = "values of element codes, without scales";
  let description = [{
    The inverse of `lowp.encode`; exact. Codes are packed when the result has
    twice as many elements as the source.

    Example:

    ```mlir
    %v = lowp.decode %c element = f8E4M3FN : vector<32xi8> -> vector<32xf32>
    ```
  }];
  let arguments = (ins Lowp_I8Blocks:$codes, TypeAttr:$element);
  let results = (outs Lowp_F32Blocks:$result);
  let assemblyFormat = [{
    $codes `element` `=` $element attr-dict `:` type($codes) `->` type($result)
  }];
  let hasVerifier = 1;
  let hasFolder = 1;
}

def Lowp_DecodeScaleOp : Lowp_Op<"decode_scale",
    [Pure, Lowp_SameBlocks<"source", "result", "getF32Type">]> {
  let summary = "value of a stored block scale byte";
  let description = [{
    `type` is `f8E8M0FNU` (0xFF is NaN, 0 is 2^-127) or `f8E4M3FN` (unsigned:
    0x7F and bytes from 0x80 are NaN).

    Example:

    ```mlir
    %s = lowp.decode_scale %b type = f8E8M0FNU
    %t = lowp.decode_scale %c type = f8E8M0FNU : vector<16xi8>
    ```
  }];
  let arguments = (ins Lowp_PerBlockI8:$source, TypeAttr:$type);
  let results = (outs Lowp_PerBlockF32:$result);
  let assemblyFormat = [{
    $source `type` `=` $type attr-dict custom<ScaleBytesType>(type($source))
  }];
  let hasVerifier = 1;
  let hasFolder = 1;
}

def Lowp_EncodeScaleOp : Lowp_Op<"encode_scale", [Pure]> {
  let summary = "block scale byte of a number";
  let description = [{
    Rounds a number to a one-byte scale by a named rule: to nearest (ties to the
    even byte), `toward_zero`, or `up`. The sign is dropped and NaN gives the
    NaN byte. Beyond the largest scale, infinity included: that scale under
    `saturate`, NaN under `nonfinite`. (The scale of a block, by its amax, is
    `lowp.block_scale`.)

    Example:

    ```mlir
    %b = lowp.encode_scale %s type = f8E8M0FNU round = up overflow = nonfinite
    ```
  }];
  let arguments = (ins F32:$source, TypeAttr:$type,
    DefaultValuedAttr<Lowp_NumberRoundAttr, "::mlir::lowp::NumberRound::Nearest">:$round,
    DefaultValuedAttr<Lowp_OverflowAttr, "::mlir::lowp::Overflow::Saturate">:$overflow);
  let results = (outs I8:$result);
  let assemblyFormat = [{
    $source `type` `=` $type (`round` `=` `` $round^)?
    (`overflow` `=` `` $overflow^)? attr-dict
  }];
  let hasVerifier = 1;
  let hasFolder = 1;
}

def Lowp_BlockErrorOp : Lowp_Op<"block_error",
    [Pure, AllTypesMatch<["source", "codes"]>,
     Lowp_OnePerBlock<"source", "scale", "getF32Type">,
     Lowp_OnePerBlock<"source", "outer", "getF32Type">,
     Lowp_OnePerBlock<"source", "error", "getF32Type">]> {
  let summary = "quantisation error of a 4/6 candidate";
  let description = [{
    The error of codes `codes` (decoded, without scales) under block scale
    `scale`, by the rule's `four_six` metric and `four_six_error` domain, summed
    in the order that the rule states. `outer` is the encode scale for `scaled`
    errors and the group's amax (or decode scale where it was given) for
    `dequantized` ones.

    Example:

    ```mlir
    %e = lowp.block_error %x, %q, %sf, %enc format = <nvfp4> rule = <four_six = mse> : vector<16xf32>
    ```
  }];
  let arguments = (ins Lowp_F32Blocks:$source, Lowp_F32Blocks:$codes,
    Lowp_PerBlockF32:$scale, Lowp_PerBlockF32:$outer, Lowp_FormatAttr:$format,
    Lowp_RuleAttr:$rule, UnitAttr:$givenScale);
  let results = (outs Lowp_PerBlockF32:$error);
  let assemblyFormat = [{
    $source `,` $codes `,` $scale `,` $outer `format` `=` $format
    `rule` `=` $rule (`given_scale` $givenScale^)? attr-dict `:` type($source)
  }];
  let hasVerifier = 1;
  let hasFolder = 1;
}

def Lowp_HadamardOp : Lowp_Op<"hadamard", [Pure, SameOperandsAndResultType]> {
  let summary = "Hadamard transform of one group";
  let description = [{
    The vector's size is the size of the transform (16, 32, 64 or 128);
    `negate` has one entry per element.

    Example:

    ```mlir
    %y = lowp.hadamard %v negate = [true, false, false, true, true, false, true, false, true, true, false, true, false, true, true, false] : vector<16xf32>
    ```
  }];
  let arguments = (ins Lowp_F32Vector:$source, DenseBoolArrayAttr:$negate,
    UnitAttr:$inverse,
    DefaultValuedAttr<Lowp_NormalizationAttr, "::mlir::lowp::Normalization::Dyadic">:$normalization);
  let results = (outs Lowp_F32Vector:$result);
  let assemblyFormat = [{
    $source `negate` `=` $negate (`inverse` $inverse^)?
    (`normalization` `=` `` $normalization^)? attr-dict `:` type($result)
  }];
  let hasVerifier = 1;
  let hasFolder = 1;
}

//===----------------------------------------------------------------------===//
// Random bits
//===----------------------------------------------------------------------===//

class Lowp_RandomWord<string word> : TypesMatchWith<
    "expects words of the shape of group", "group", word,
    "::mlir::lowp::getRandomWordType($_self)">;

def Lowp_PhiloxOp : Lowp_Op<"philox", [Pure, Lowp_RandomWord<"word0">,
    Lowp_RandomWord<"word1">, Lowp_RandomWord<"word2">,
    Lowp_RandomWord<"word3">]> {
  let summary = "random words of groups of elements";
  let description = [{
    The four words of Philox4x32 (10 or 7 rounds) with the two halves of `seed`
    as the key, and the two halves of `group`, `stream` and `step` as the
    counter. Bit 31 of `stream` is clear; `independent` sets it: the words are to
    be split into bits that no two elements share. With a vector of groups every word is
    a vector, one element per group.

    Example:

    ```mlir
    %a, %b, %c, %d = lowp.philox %seed, %step, %stream, %g : i64
    %e, %f, %h, %i = lowp.philox %seed, %step, %stream, %gs rounds = 7 independent : vector<8xi64>
    ```
  }];
  let arguments = (ins I64:$seed, I32:$step, I32:$stream,
    AnyTypeOf<[I64, Lowp_I64Vector]>:$group,
    DefaultValuedAttr<I64Attr, "10">:$rounds, UnitAttr:$independent);
  let results = (outs
    AnyTypeOf<[I32, Lowp_I32Vector]>:$word0, AnyTypeOf<[I32, Lowp_I32Vector]>:$word1,
    AnyTypeOf<[I32, Lowp_I32Vector]>:$word2, AnyTypeOf<[I32, Lowp_I32Vector]>:$word3);
  let assemblyFormat = [{
    $seed `,` $step `,` $stream `,` $group
    (`rounds` `=` $rounds^)? (`independent` $independent^)?
    attr-dict `:` type($group)
  }];
  let hasVerifier = 1;
}

def Lowp_RandomBitsOp : Lowp_Op<"random_bits", [Pure]> {
  let summary = "random bits of elements from random words";
  let description = [{
    `bits` random bits of each element, in its low bits. A word serves four
    consecutive elements, two where they are `independent`; docs/spec.md has the
    table of which bits are whose.

    Example:

    ```mlir
    %r = lowp.random_bits %w bits = 8 : vector<4xi32> -> vector<16xi32>
    %s = lowp.random_bits %w bits = 16 independent : vector<4xi32> -> vector<8xi32>
    ```
  }];
  let arguments = (ins Lowp_I32Blocks:$words, I64Attr:$bits,
                       UnitAttr:$independent);
  let results = (outs Lowp_I32Blocks:$result);
  let assemblyFormat = [{
    $words `bits` `=` $bits (`independent` $independent^)?
    attr-dict `:` type($words) `->` type($result)
  }];
  let hasVerifier = 1;
}

def Lowp_DotPairsOp : Lowp_Op<"dot_pairs",
    [Pure, AllTypesMatch<["words", "sum", "result"]>]> {
  let summary = "sums of numbers and dot products of two 16-bit integers";
  let description = [{
    `sum + low * first + high * second` for each word, modulo 2^32: the first
    is the signed integer in its low half, the second that in its high half.

    `lowp-decompose` makes codes of rounded values with it, and
    `convert-lowp-to-x86` an instruction of it.

    Example:

    ```mlir
    %r = lowp.dot_pairs %w by 64, 1 plus %s : vector<16xi32>
    ```
  }];
  let arguments = (ins Lowp_I32Blocks:$words, I16Attr:$low, I16Attr:$high,
                       Lowp_I32Blocks:$sum);
  let results = (outs Lowp_I32Blocks:$result);
  let assemblyFormat = [{
    $words `by` $low `,` $high `plus` $sum attr-dict `:` type($result)
  }];
}

#endif // LOWP_IR_LOWPBLOCKOPS_TD
