//===- LowpAttributes.td - formats, rules, sites and plans -*- tablegen -*-===//
//
// Part of the lowp project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef LOWP_IR_LOWPATTRIBUTES_TD
#define LOWP_IR_LOWPATTRIBUTES_TD

include "lowp/IR/LowpDialect.td"
include "mlir/IR/AttrTypeBase.td"
include "mlir/IR/EnumAttr.td"

//===----------------------------------------------------------------------===//
// Enums
//===----------------------------------------------------------------------===//

class Lowp_Enum<string name, string summary, list<I32EnumAttrCase> cases>
    : I32EnumAttr<name, summary, cases> {
  let cppNamespace = "::mlir::lowp";
  let genSpecializedAttr = 0;
}

class Lowp_EnumAttr<EnumInfo info, string mnemonic>
    : EnumAttr<Lowp_Dialect, info, mnemonic> {
  let assemblyFormat = "$value";
}

def Lowp_ScaleLayout : Lowp_Enum<"ScaleLayout", "storage order of block scales", [
  I32EnumAttrCase<"Linear", 0, "linear">,
  I32EnumAttrCase<"Tcgen05_128x4", 1, "tcgen05_128x4">
]>;

def Lowp_ScaleRule : Lowp_Enum<"ScaleRule", "rounding of a UE8M0 block scale", [
  I32EnumAttrCase<"Rceil", 0, "rceil">, I32EnumAttrCase<"Floor", 1, "floor">,
  I32EnumAttrCase<"Ceil", 2, "ceil">, I32EnumAttrCase<"Even", 3, "even">
]>;

def Lowp_SfArith : Lowp_Enum<"SfArith", "order of operations of a UE4M3 block scale", [
  I32EnumAttrCase<"Divide", 0, "divide">, I32EnumAttrCase<"Te", 1, "te">,
  I32EnumAttrCase<"Torchao", 2, "torchao">,
  I32EnumAttrCase<"CompressedTensors", 3, "compressed_tensors">
]>;

def Lowp_SfRound : Lowp_Enum<"SfRound", "rounding of a UE4M3 block scale", [
  I32EnumAttrCase<"Rne", 0, "rne">, I32EnumAttrCase<"Up", 1, "up">,
  I32EnumAttrCase<"Ceil", 2, "ceil">
]>;

def Lowp_ElementRound : Lowp_Enum<"ElementRound", "rounding of elements", [
  I32EnumAttrCase<"Nearest", 0, "nearest">,
  I32EnumAttrCase<"Stochastic", 1, "stochastic">,
  I32EnumAttrCase<"TowardZero", 2, "toward_zero">
]>;

def Lowp_Overflow : Lowp_Enum<"Overflow", "what a value beyond the largest finite one becomes", [
  I32EnumAttrCase<"Saturate", 0, "saturate">,
  I32EnumAttrCase<"NonFinite", 1, "nonfinite">
]>;
def Lowp_OverflowAttr : Lowp_EnumAttr<Lowp_Overflow, "overflow">;

def Lowp_NumberRound : Lowp_Enum<"NumberRound", "rounding of a number to a block scale", [
  I32EnumAttrCase<"Nearest", 0, "nearest">,
  I32EnumAttrCase<"TowardZero", 1, "toward_zero">,
  I32EnumAttrCase<"Up", 2, "up">
]>;
def Lowp_NumberRoundAttr : Lowp_EnumAttr<Lowp_NumberRound, "number_round">;

def Lowp_FourSix : Lowp_Enum<"FourSix", "error metric of the adaptive (4/6) block scale", [
  I32EnumAttrCase<"None", 0, "none">, I32EnumAttrCase<"Mse", 1, "mse">,
  I32EnumAttrCase<"Mae", 2, "mae">, I32EnumAttrCase<"Absmax", 3, "absmax">
]>;

def Lowp_FourSixError : Lowp_Enum<"FourSixError", "domain in which the 4/6 error is measured", [
  I32EnumAttrCase<"Scaled", 0, "scaled">,
  I32EnumAttrCase<"Dequantized", 1, "dequantized">
]>;

def Lowp_OuterRepr : Lowp_Enum<"OuterRepr", "representation of a computed outer scale", [
  I32EnumAttrCase<"DecodeF32", 0, "decode_f32">, I32EnumAttrCase<"Pow2", 1, "pow2">
]>;

def Lowp_NonFinite : Lowp_Enum<"NonFinite", "treatment of NaN and infinities", [
  I32EnumAttrCase<"Propagate", 0, "propagate">,
  I32EnumAttrCase<"Saturate", 1, "saturate">
]>;

def Lowp_NegZero : Lowp_Enum<"NegZero", "treatment of an exact negative zero", [
  I32EnumAttrCase<"Keep", 0, "keep">, I32EnumAttrCase<"Drop", 1, "drop">
]>;

def Lowp_SfZero : Lowp_Enum<"SfZero", "codes of a block whose scale is zero", [
  I32EnumAttrCase<"ZeroCodes", 0, "zero_codes">,
  I32EnumAttrCase<"KeepCodes", 1, "keep_codes">
]>;

def Lowp_RandomBits : Lowp_Enum<"RandomBits", "how elements share random words", [
  I32EnumAttrCase<"Shared", 0, "shared">,
  I32EnumAttrCase<"Independent", 1, "independent">
]>;

def Lowp_OuterMode : Lowp_Enum<"OuterMode", "what a requantisation does with the outer scale", [
  I32EnumAttrCase<"Fold", 0, "fold">, I32EnumAttrCase<"Keep", 1, "keep">
]>;
def Lowp_OuterModeAttr : Lowp_EnumAttr<Lowp_OuterMode, "outer_mode">;

def Lowp_Normalization : Lowp_Enum<"Normalization", "factor of a Hadamard transform", [
  I32EnumAttrCase<"Dyadic", 0, "dyadic">,
  I32EnumAttrCase<"Orthonormal", 1, "orthonormal">
]>;
def Lowp_NormalizationAttr : Lowp_EnumAttr<Lowp_Normalization, "normalization">;

def Lowp_RhtArith : Lowp_Enum<"RhtArith", "arithmetic of a Hadamard transform", [
  I32EnumAttrCase<"F32", 0, "f32">,
  I32EnumAttrCase<"TensorCore", 1, "tensorcore">
]>;
def Lowp_RhtArithAttr : Lowp_EnumAttr<Lowp_RhtArith, "rht_arith">;

def Lowp_OuterSource : Lowp_Enum<"OuterSource", "what an outer scale is made from", [
  I32EnumAttrCase<"Amax", 0, "amax">, I32EnumAttrCase<"Scale", 1, "scale">
]>;
def Lowp_OuterSourceAttr : Lowp_EnumAttr<Lowp_OuterSource, "outer_source">;

def Lowp_NonFiniteAttr : Lowp_EnumAttr<Lowp_NonFinite, "nonfinite">;

def Lowp_ParamKind : Lowp_Enum<"ParamKind", "what a function argument is", [
  I32EnumAttrCase<"Other", 0, "other">, I32EnumAttrCase<"Weight", 1, "weight">,
  I32EnumAttrCase<"Activation", 2, "activation">, I32EnumAttrCase<"Ids", 3, "ids">,
  I32EnumAttrCase<"Cotangent", 4, "cotangent">
]>;

def Lowp_SiteRole : Lowp_Enum<"SiteRole", "role of a contraction in training", [
  I32EnumAttrCase<"None", 0, "none">, I32EnumAttrCase<"Fprop", 1, "fprop">,
  I32EnumAttrCase<"Dgrad", 2, "dgrad">, I32EnumAttrCase<"Wgrad", 3, "wgrad">
]>;

def Lowp_SiteKind : Lowp_Enum<"SiteKind", "part of the model that a contraction belongs to", [
  I32EnumAttrCase<"Dense", 0, "dense">, I32EnumAttrCase<"Expert", 1, "expert">,
  I32EnumAttrCase<"Router", 2, "router">,
  I32EnumAttrCase<"Attention", 3, "attention">,
  I32EnumAttrCase<"Head", 4, "head">,
  I32EnumAttrCase<"Embedding", 5, "embedding">
]>;

def Lowp_Side : Lowp_Enum<"Side", "operand of a contraction", [
  I32EnumAttrCase<"Lhs", 0, "lhs">, I32EnumAttrCase<"Rhs", 1, "rhs">
]>;

def Lowp_SiteOperand : Lowp_Enum<"SiteOperand", "what an operand of a site is", [
  I32EnumAttrCase<"Activation", 0, "activation">,
  I32EnumAttrCase<"Weight", 1, "weight">,
  I32EnumAttrCase<"Gradient", 2, "gradient">
]>;

def Lowp_OuterGranularity : Lowp_Enum<"OuterGranularity",
    "dims of a contraction operand that index its outer scale", [
  I32EnumAttrCase<"None", 0, "none">, I32EnumAttrCase<"Tensor", 1, "per_tensor">,
  I32EnumAttrCase<"Token", 2, "per_token">,
  I32EnumAttrCase<"Expert", 3, "per_expert">,
  I32EnumAttrCase<"Keep", 4, "keep">
]>;

def Lowp_OperandSource : Lowp_Enum<"OperandSource",
    "what a backward operand is quantised from", [
  I32EnumAttrCase<"HighPrecision", 0, "high_precision">,
  I32EnumAttrCase<"ForwardQuantized", 1, "forward_quantized">
]>;

//===----------------------------------------------------------------------===//
// Attributes
//===----------------------------------------------------------------------===//

class Lowp_Attr<string name, string attrMnemonic, list<Trait> traits = []>
    : AttrDef<Lowp_Dialect, name, traits> {
  let mnemonic = attrMnemonic;
}

def Lowp_FormatAttr : Lowp_Attr<"Format", "format"> {
  let summary = "storage format: element type, block scale type, outer scale";
  let description = [{
    How a block-scaled value is stored: the element type, the type of the scale
    that each block has, and whether there is an FP32 outer scale above the
    block scales. Named formats print by their name; any other combination with
    a meaning can be spelled out.

    | name | element | scale | outer | block size of the recipes |
    |---|---|---|---|---|
    | `nvfp4` | `f4E2M1FN` | `f8E4M3FN` (sign bit 0) | yes | 16 |
    | `mxfp8_e4m3` | `f8E4M3FN` | `f8E8M0FNU` | no | 32 |
    | `mxfp8_e5m2` | `f8E5M2` | `f8E8M0FNU` | no | 32 |
    | `mxfp6_e2m3` | `f6E2M3FN` | `f8E8M0FNU` | no | 32 |
    | `mxfp6_e3m2` | `f6E3M2FN` | `f8E8M0FNU` | no | 32 |
    | `mxfp4` | `f4E2M1FN` | `f8E8M0FNU` | no | 32 |
    | `mxs2f6` | `!lowp.s2f6` | `f8E8M0FNU` | no | 32 |
    | `fp8_block` | `f8E4M3FN` | `f32` | no | 128 |

    Example:

    ```mlir
    #lowp.format<nvfp4>
    #lowp.format<f4E2M1FN, f8E4M3FN>          // NVFP4 without an outer scale
    #lowp.format<f8E5M2, f8E4M3FN, outer>
    ```
  }];
  let parameters = (ins "::mlir::Type":$elementType, "::mlir::Type":$scaleType,
                        "bool":$outer);
  let hasCustomAssemblyFormat = 1;
  let genVerifyDecl = 1;
  let extraClassDeclaration = [{
    /// The named format `name`, or null when there is none of that name.
    static FormatAttr getNamed(::mlir::MLIRContext *context,
                               ::llvm::StringRef name);
    /// The name of this format, or an empty string when it has none.
    ::llvm::StringRef getName() const;
    /// The names of all named formats, in the order of the table above.
    static ::llvm::ArrayRef<::llvm::StringRef> getNames();
    /// The block size that recipes use when none is given: 16 for UE4M3 scales,
    /// 32 for UE8M0 scales, 128 for FP32 scales.
    int64_t getDefaultBlockSize() const;
    /// Bits that one element takes in storage: 4 for E2M1, else 8.
    unsigned getStorageBits() const;
    bool hasUE8M0Scale() const;
    bool hasUE4M3Scale() const;
    bool hasF32Scale() const;
    /// The same format with or without the outer scale.
    FormatAttr withOuter(bool outer) const;
    /// Parses `nvfp4` or `<f4E2M1FN, f8E4M3FN, outer>`: the form that the
    /// blocked type embeds.
    static ::mlir::FailureOr<FormatAttr> parseInline(::mlir::AsmParser &parser);
    void printInline(::mlir::AsmPrinter &printer) const;
  }];
}

def Lowp_RuleAttr : Lowp_Attr<"Rule", "rule"> {
  let summary = "how a value is quantised";
  let description = [{
    How codes and scales are computed; the type says only how they are stored.
    Fields that are not given have their default, and are not printed. A preset
    gives several fields at once and can be followed by further fields.

    | field | values (default first) | meaning |
    |---|---|---|
    | `scale` | `rceil` `floor` `ceil` `even` | UE8M0 block scale |
    | `sf_arith` | `divide` `te` `torchao` `compressed_tensors` | order of operations of a UE4M3 scale |
    | `sf_round` | `rne` `up` `ceil` | rounding of a UE4M3 scale |
    | `round` | `nearest` `stochastic` `toward_zero` | rounding of elements |
    | `four_six` | `none` `mse` `mae` `absmax` | adaptive block scale and its error metric |
    | `four_six_error` | `scaled` `dequantized` | where the 4/6 error is measured |
    | `outer_max` | 0 | M of the outer scale; 0: 1536 under 4/6, else element max * 448 |
    | `outer_repr` | `decode_f32` `pow2` | representation of a computed outer scale |
    | `nonfinite` | `propagate` `saturate` | NaN and infinities |
    | `neg_zero` | `keep` `drop` | exact -0 |
    | `sf_zero` | `zero_codes` `keep_codes` | codes of a block whose UE4M3 scale is 0 |
    | `bits` | `shared` `independent` | random bits per element |
    | `rounds` | 10 | Philox rounds, 10 or 7 |
    | `sr_bits` | 0 | random bits that an element takes, up to 16; 0: 8 for E2M1, else 16 |
    | `allow_clipping` | false | accept a clipping scale with stochastic rounding |
    | `map_to` | 0 | what the amax of a block is mapped to; 0: element max |
    | `overflow` | `saturate` `nonfinite` | values beyond the largest finite element |

    Presets: `te`, `te_four_six`, `fouroversix`, `torchao`,
    `compressed_tensors`, `ocp`.

    Example:

    ```mlir
    #lowp.rule<>
    #lowp.rule<four_six = mse>
    #lowp.rule<te>
    #lowp.rule<ocp, nonfinite = saturate>
    ```
  }];
  let parameters = (ins
    "::mlir::lowp::ScaleRule":$scale, "::mlir::lowp::SfArith":$sfArith,
    "::mlir::lowp::SfRound":$sfRound, "::mlir::lowp::ElementRound":$round,
    "::mlir::lowp::FourSix":$fourSix,
    "::mlir::lowp::FourSixError":$fourSixError, "int64_t":$outerMax,
    "::mlir::lowp::OuterRepr":$outerRepr, "::mlir::lowp::NonFinite":$nonFinite,
    "::mlir::lowp::NegZero":$negZero, "::mlir::lowp::SfZero":$sfZero,
    "::mlir::lowp::RandomBits":$bits, "int64_t":$rounds, "int64_t":$srBits,
    "bool":$allowClipping, "int64_t":$mapTo, "::mlir::lowp::Overflow":$overflow);
  let builders = [
    AttrBuilder<(ins "const ::mlir::lowp::RuleFields &":$fields)>
  ];
  let constBuilderCall = "$0";
  let hasCustomAssemblyFormat = 1;
  let genVerifyDecl = 1;
  let extraClassDeclaration = [{
    RuleFields getFields() const;
    /// The default rule.
    static RuleAttr getDefault(::mlir::MLIRContext *context);
    /// The rule of a preset, or null when there is none of that name.
    static RuleAttr getPreset(::mlir::MLIRContext *context,
                              ::llvm::StringRef name);
    static ::llvm::ArrayRef<::llvm::StringRef> getPresetNames();
    bool isStochastic() const {
      return getRound() == ElementRound::Stochastic;
    }
    /// Random bits that stochastic rounding takes for an element of `type`.
    unsigned getRandomBits(::mlir::Type type) const;
    /// Whether elements are rounded as conversion instructions do by default.
    bool isNearestSaturating() const {
      return getRound() == ElementRound::Nearest &&
             getOverflow() == Overflow::Saturate;
    }
  }];
}

def Lowp_ParamAttr : Lowp_Attr<"Param", "param"> {
  let summary = "name and kind that the exporting framework gave an argument";
  let description = [{
    Example:

    ```mlir
    func.func private @main(tensor<4x96xbf16>
        {lowp.param = #lowp.param<name = "gate.weight", kind = weight>})
    ```
  }];
  let parameters = (ins StringRefParameter<"the name">:$name,
    DefaultValuedParameter<"::mlir::lowp::ParamKind",
      "::mlir::lowp::ParamKind::Other">:$kind);
  let assemblyFormat = "`<` struct(params) `>`";
}

def Lowp_SiteAttr : Lowp_Attr<"Site", "site"> {
  let summary = "which contraction of the model this is";
  let description = [{
    Written by `lowp-recognize`: the name of the site (the weight's parameter
    name where known, else its argument), its role, its kind, the layer number
    where there is one, and which operand is the weight. The gradient of a
    weight has none: `activation` says which operand is the activation.
    `forward` names the forward site that a backward site belongs to.

    Example:

    ```mlir
    #lowp.site<name = "layers.0.mlp.experts.down_proj", role = fprop,
               kind = expert, layer = 0, weight = rhs>
    #lowp.site<name = "layers.0.mlp.experts.down_proj#2", role = wgrad,
               kind = expert, layer = 0, activation = lhs,
               forward = "layers.0.mlp.experts.down_proj">
    ```
  }];
  let parameters = (ins StringRefParameter<"the site's name">:$name,
    "::mlir::lowp::SiteRole":$role, "::mlir::lowp::SiteKind":$kind,
    OptionalParameter<"std::optional<int64_t>">:$layer,
    OptionalParameter<"std::optional<::mlir::lowp::Side>">:$weight,
    OptionalParameter<"std::optional<::mlir::lowp::Side>">:$activation,
    OptionalParameter<"::mlir::StringAttr">:$forward);
  let assemblyFormat = "`<` struct(params) `>`";
  let genVerifyDecl = 1;
  let extraClassDeclaration = [{
    /// What the operand on `side` is. Where the attribute does not say which
    /// is the weight, or the activation, the right one is the weight, or the
    /// gradient.
    SiteOperand getOperand(Side side) const;
    /// The name of the parameter: the name without the "#2" of another use.
    ::llvm::StringRef getBaseName() const {
      return getName().rsplit('#').first;
    }
  }];
}

def Lowp_OperandPlanAttr : Lowp_Attr<"OperandPlan", "operand"> {
  let summary = "how one operand of a contraction is quantised";
  let description = [{
    The format, the block size along the contraction axis, the granularity of
    the outer scale, and the rule. `tile` is the size of a block along the other
    dim of the matrix.

    An operand of a backward site may be made from what its forward site reads
    (`source = forward_quantized`): the quantised value is decoded, its axes are
    exchanged, and it is quantised anew. Its outer scale is multiplied in, or
    stays above the new block scales (`outer = keep`).

    Example:

    ```mlir
    #lowp.operand<format = <nvfp4>, block = 16, outer = per_token,
                  rule = <four_six = mse>>
    #lowp.operand<format = <f8E4M3FN, f8E8M0FNU, outer>, block = 32, outer = keep,
                  rule = <round = stochastic>, source = forward_quantized>
    ```
  }];
  let parameters = (ins "::mlir::lowp::FormatAttr":$format, "int64_t":$block,
    "::mlir::lowp::OuterGranularity":$outer, "::mlir::lowp::RuleAttr":$rule,
    DefaultValuedParameter<"int64_t", "1">:$tile,
    DefaultValuedParameter<"::mlir::lowp::OperandSource",
      "::mlir::lowp::OperandSource::HighPrecision">:$source);
  let assemblyFormat = "`<` struct(params) `>`";
  let genVerifyDecl = 1;
}

def Lowp_PlanAttr : Lowp_Attr<"Plan", "plan"> {
  let summary = "how a contraction is quantised";
  let description = [{
    One `#lowp.operand` per quantised operand; an operand without one stays in
    high precision. `why` is the rule of the recipe that decided.

    Example:

    ```mlir
    #lowp.plan<lhs = <format = <mxfp8_e4m3>, block = 32, outer = none, rule = <>>,
               rhs = <format = <mxfp8_e4m3>, block = 32, outer = none, rule = <>>,
               why = "mxfp8: rule 3">
    ```
  }];
  let parameters = (ins
    OptionalParameter<"::mlir::lowp::OperandPlanAttr">:$lhs,
    OptionalParameter<"::mlir::lowp::OperandPlanAttr">:$rhs,
    OptionalParameter<"::mlir::StringAttr">:$why);
  let assemblyFormat = "`<` struct(params) `>`";
}

def Lowp_ExchangeAttr : Lowp_Attr<"Exchange", "exchange"> {
  let summary = "what experts are sent and send back";
  let description = [{
    `combine` is the format in which the results of experts travel, after a
    Hadamard transform of `rht` elements along the hidden dim (0: none). They
    are made from the FP32 accumulator, or with `via_bf16` from its rounding to
    bf16. `dispatch` is the format in which activations travel to experts: that
    in which the products of the experts read them.

    Example:

    ```mlir
    #lowp.exchange<combine = <mxs2f6>, rht = 32, dispatch = <nvfp4>>
    #lowp.exchange<combine = <mxs2f6>, rht = 32, via_bf16 = true>
    ```
  }];
  let parameters = (ins
    OptionalParameter<"::mlir::lowp::FormatAttr">:$combine,
    DefaultValuedParameter<"int64_t", "0">:$rht,
    DefaultValuedParameter<"bool", "false">:$via_bf16,
    OptionalParameter<"::mlir::lowp::FormatAttr">:$dispatch);
  let assemblyFormat = "`<` struct(params) `>`";
  let genVerifyDecl = 1;
}

#endif // LOWP_IR_LOWPATTRIBUTES_TD
