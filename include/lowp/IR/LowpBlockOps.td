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
// Block-level operations work on one block, held in a 1-D vector by one thread.
// Each has one generic expansion into arith and vector (LowpToArith) and, per
// target, an optional hardware form (LowpToNVVM).
//===----------------------------------------------------------------------===//

def Lowp_F32Vector : FixedVectorOfRankAndType<[1], [F32]>;
def Lowp_I8Vector : FixedVectorOfRankAndType<[1], [I8]>;
def Lowp_I32Vector : FixedVectorOfRankAndType<[1], [I32]>;
def Lowp_I64Vector : FixedVectorOfRankAndType<[1], [I64]>;

def Lowp_BlockAmaxOp : Lowp_Op<"block_amax",
    [Pure]> {
  let summary = "largest magnitude of a vector";
  let description = [{
    Under `propagate` (default) a NaN gives NaN and an infinity gives infinity;
    under `saturate` only finite elements count (none: 0).

    Example:

    ```mlir
    %a = lowp.block_amax %v : vector<16xf32>
    ```
  }];
  let arguments = (ins Lowp_F32Vector:$source,
    DefaultValuedAttr<Lowp_NonFiniteAttr, "::mlir::lowp::NonFinite::Propagate">:$nonfinite);
  let results = (outs F32:$amax);
  let assemblyFormat = "$source (`nonfinite` `=` `` $nonfinite^)? attr-dict `:` type($source)";
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
}

def Lowp_BlockScaleOp : Lowp_Op<"block_scale",
    [Pure, AttrSizedOperandSegments]> {
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
    the 4-candidate of the 4/6 choice.

    Example:

    ```mlir
    %s, %f = lowp.block_scale %amax format = <mxfp8_e4m3> : i8
    %t, %g = lowp.block_scale %amax outer(%enc, %dec) format = <nvfp4> four : i8
    ```
  }];
  let arguments = (ins F32:$amax, Optional<F32>:$encode, Optional<F32>:$decode,
    Lowp_FormatAttr:$format,
    DefaultValuedAttr<Lowp_RuleAttr,
      "::mlir::lowp::RuleAttr::getDefault($_builder.getContext())">:$rule,
    UnitAttr:$four);
  let results = (outs AnyTypeOf<[I8, F32]>:$scale, F32:$factor);
  let assemblyFormat = [{
    $amax (`outer` `(` $encode^ `,` $decode `)`)? `format` `=` $format
    (`rule` `=` $rule^)? (`four` $four^)? attr-dict `:` type($scale)
  }];
  let hasVerifier = 1;
}

def Lowp_EncodeOp : Lowp_Op<"encode", [Pure, AttrSizedOperandSegments]> {
  let summary = "element codes of scaled values";
  let description = [{
    Rounds every element of `source` and saturates to the largest finite value:
    to the nearest code (ties to even code), or stochastically. Then `random` has
    the random bits of each element in its low bits: as many as the rule's
    `sr_bits`, or as the element's default. `valid` says whether codes are
    wanted: where it is false all codes are +0 (blocks whose scale is NaN or
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
  let arguments = (ins Lowp_F32Vector:$source, Optional<I1>:$valid,
    Optional<Lowp_I32Vector>:$random, TypeAttr:$element,
    DefaultValuedAttr<Lowp_RuleAttr,
      "::mlir::lowp::RuleAttr::getDefault($_builder.getContext())">:$rule);
  let results = (outs Lowp_I8Vector:$codes);
  let assemblyFormat = [{
    $source (`valid` `(` $valid^ `)`)?
    (`random` `(` $random^ `:` type($random) `)`)? `element` `=` $element
    (`rule` `=` $rule^)? attr-dict `:` type($source) `->` type($codes)
  }];
  let hasVerifier = 1;
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
  let arguments = (ins Lowp_I8Vector:$codes, TypeAttr:$element);
  let results = (outs Lowp_F32Vector:$result);
  let assemblyFormat = [{
    $codes `element` `=` $element attr-dict `:` type($codes) `->` type($result)
  }];
  let hasVerifier = 1;
}

def Lowp_DecodeScaleOp : Lowp_Op<"decode_scale",
    [Pure]> {
  let summary = "value of a stored block scale byte";
  let description = [{
    `type` is `f8E8M0FNU` (0xFF is NaN, 0 is 2^-127) or `f8E4M3FN` (unsigned:
    0x7F and bytes from 0x80 are NaN).

    Example:

    ```mlir
    %s = lowp.decode_scale %b type = f8E8M0FNU
    ```
  }];
  let arguments = (ins I8:$source, TypeAttr:$type);
  let results = (outs F32:$result);
  let assemblyFormat = "$source `type` `=` $type attr-dict";
  let hasVerifier = 1;
}

def Lowp_BlockErrorOp : Lowp_Op<"block_error",
    [Pure, AllTypesMatch<["source", "codes"]>]> {
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
  let arguments = (ins Lowp_F32Vector:$source, Lowp_F32Vector:$codes,
    F32:$scale, F32:$outer, Lowp_FormatAttr:$format, Lowp_RuleAttr:$rule,
    UnitAttr:$givenScale);
  let results = (outs F32:$error);
  let assemblyFormat = [{
    $source `,` $codes `,` $scale `,` $outer `format` `=` $format
    `rule` `=` $rule (`given_scale` $givenScale^)? attr-dict `:` type($source)
  }];
  let hasVerifier = 1;
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
    counter. `independent` sets bit 31 of `stream`: the words are to be split
    into bits that no two elements share. With a vector of groups every word is
    a vector, one element per group.

    Example:

    ```mlir
    %a, %b, %c, %d = lowp.philox %seed, %step, %g stream = 3 : i64
    %e, %f, %h, %i = lowp.philox %seed, %step, %gs stream = 3 rounds = 7 independent : vector<8xi64>
    ```
  }];
  let arguments = (ins I64:$seed, I32:$step,
    AnyTypeOf<[I64, Lowp_I64Vector]>:$group,
    ConfinedAttr<I32Attr, [IntNonNegative]>:$stream,
    DefaultValuedAttr<I64Attr, "10">:$rounds, UnitAttr:$independent);
  let results = (outs
    AnyTypeOf<[I32, Lowp_I32Vector]>:$word0, AnyTypeOf<[I32, Lowp_I32Vector]>:$word1,
    AnyTypeOf<[I32, Lowp_I32Vector]>:$word2, AnyTypeOf<[I32, Lowp_I32Vector]>:$word3);
  let assemblyFormat = [{
    $seed `,` $step `,` $group `stream` `=` $stream
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
  let arguments = (ins Lowp_I32Vector:$words, I64Attr:$bits,
                       UnitAttr:$independent);
  let results = (outs Lowp_I32Vector:$result);
  let assemblyFormat = [{
    $words `bits` `=` $bits (`independent` $independent^)?
    attr-dict `:` type($words) `->` type($result)
  }];
  let hasVerifier = 1;
}

#endif // LOWP_IR_LOWPBLOCKOPS_TD
