//===- LowpTypes.td - S2F6 and the blocked type -*- tablegen -*-===//
//
// Part of the lowp project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef LOWP_IR_LOWPTYPES_TD
#define LOWP_IR_LOWPTYPES_TD

include "lowp/IR/LowpAttributes.td"

class Lowp_Type<string name, string typeMnemonic, list<Trait> traits = []>
    : TypeDef<Lowp_Dialect, name, traits> {
  let mnemonic = typeMnemonic;
}

def Lowp_S2F6Type : Lowp_Type<"S2F6", "s2f6"> {
  let summary = "8-bit two's complement fixed point, value = code / 64";
  let description = [{
    Two integer bits (sign included) and six fraction bits; the range that
    quantisation produces is symmetric, -127/64 to 127/64. It has no NaN and no
    infinity. An element type of `!lowp.blocked` only: storage, not arithmetic.
  }];
}

def Lowp_BlockedType : Lowp_Type<"Blocked", "blocked"> {
  let summary = "block-scaled tensor: codes, block scales and outer scale as one value";
  let description = [{
    A ranked tensor of logical shape `shape` whose elements are stored as
    low-precision codes with one scale per block. The shape is logical: packing
    of 4-bit codes never shows. Dynamic dims are allowed, and the last block
    along a dim may be short.

    * format: a named format or `<element, scale[, outer]>` (see `#lowp.format`).
    * `block`: one entry per dim; blocks of a 1-D blocked value have one entry
      above 1, `[16, 16]` and `[128, 128]` are tiles of the last two dims.
    * `outer`: the dims that index the FP32 outer scale, ascending; `[]` (not
      printed) is one scale for the whole tensor.
    * `layout`: `linear` (default) or `tcgen05_128x4`, the storage order of the
      block scales.
    * `groups`: the value is `groups` values, one after the other `along` one of
      the dims. Where each begins is a component of the value, the offsets. No
      block and no outer group crosses from one to the next: each is stored as
      it would be alone. Groups may be empty.

    The type is not a shaped type on purpose: no upstream pass can slice,
    reshape or transpose it.

    Example:

    ```mlir
    !lowp.blocked<4x?xnvfp4, block = [1, 16], outer = [0]>
    !lowp.blocked<128x64xmxfp8_e4m3, block = [1, 32], layout = tcgen05_128x4>
    !lowp.blocked<8x16x<f4E2M1FN, f8E4M3FN>, block = [1, 16]>
    !lowp.blocked<?x256xmxfp8_e4m3, block = [32, 1], groups = 4 along 0>
    ```
  }];
  let parameters = (ins
    ArrayRefParameter<"int64_t">:$shape, "::mlir::lowp::FormatAttr":$format,
    ArrayRefParameter<"int64_t">:$blockShape,
    OptionalArrayRefParameter<"int64_t">:$outerAxes,
    "::mlir::lowp::ScaleLayout":$layout,
    // The dim that groups lie along, -1 where there are none.
    "int64_t":$groupAxis, "int64_t":$groups);
  let builders = [
    TypeBuilderWithInferredContext<(ins "::llvm::ArrayRef<int64_t>":$shape,
      "::mlir::lowp::FormatAttr":$format,
      "::llvm::ArrayRef<int64_t>":$blockShape,
      CArg<"::llvm::ArrayRef<int64_t>", "{}">:$outerAxes,
      CArg<"::mlir::lowp::ScaleLayout",
           "::mlir::lowp::ScaleLayout::Linear">:$layout,
      CArg<"int64_t", "-1">:$groupAxis, CArg<"int64_t", "0">:$groups), [{
      return $_get(format.getContext(), shape, format, blockShape, outerAxes,
                   layout, groupAxis, groups);
    }]>
  ];
  let hasCustomAssemblyFormat = 1;
  let genVerifyDecl = 1;
  let extraClassDeclaration = [{
    /// Above this, sizes of tiles would not fit in 64 bits.
    static constexpr int64_t kMaxBlockSize = 2147483647;
    /// Above this, sizes of scales would not fit in 64 bits.
    static constexpr int64_t kMaxGroups = 2147483647;

    int64_t getRank() const { return getShape().size(); }
    int64_t getDimSize(unsigned dim) const { return getShape()[dim]; }
    bool isDynamicDim(unsigned dim) const {
      return ::mlir::ShapedType::isDynamic(getShape()[dim]);
    }
    bool hasStaticShape() const {
      return ::mlir::ShapedType::isStaticShape(getShape());
    }
    ::mlir::Type getElementType() const { return getFormat().getElementType(); }
    ::mlir::Type getScaleType() const { return getFormat().getScaleType(); }
    bool hasOuter() const { return getFormat().getOuter(); }
    /// The dim that blocks run along when blocks are 1-D (a block shape of all
    /// ones counts as blocks along the last dim); none for 2-D tiles.
    std::optional<unsigned> getBlockAxis() const;
    /// Blocks span more than one dim.
    bool isTiled() const { return !getBlockAxis().has_value(); }
    /// Elements in a full block.
    int64_t getBlockSize() const;
    /// Block scales of 2-D tiles are stored once per row of the tile, except
    /// where the scale is FP32.
    bool isScaleReplicatedAlongRows() const;

    /// Whether the value is made of groups along a dim.
    bool isGrouped() const { return getGroupAxis() >= 0; }
    /// Whether the outer scale has a leading dim that numbers groups: no outer
    /// group crosses groups, even where the outer axes do not tell them apart.
    bool hasOuterPerGroup() const;
    /// Elements along `dim` that share a scale of the linear order.
    int64_t getElementsPerScale(unsigned dim) const;
    /// The dim of the linear scales that has room for a block more per group,
    /// since each group begins a new block: the group axis where blocks span
    /// it.
    bool isScaleDimPerGroup(unsigned dim) const;
    /// Whether each group has an image of 128x4 tiles of its own.
    bool isImagePerGroup() const;
    /// Elements along the group axis that one tile of an image covers.
    int64_t getElementsPerTile() const;

    /// The component tensors, as `lowp.unpack` gives them: codes
    /// (`tensor<...xi8>`, 4-bit codes packed in pairs along the last dim),
    /// scales (`tensor<...xi8>` or `tensor<...xf32>`), the outer scale
    /// (`tensor<...xf32>`, null where the format has none), and the offsets of
    /// groups (`tensor<...xi64>`, null where there are none).
    ::mlir::RankedTensorType getCodesType() const;
    ::mlir::RankedTensorType getScalesType() const;
    ::mlir::RankedTensorType getOuterType() const;
    ::mlir::RankedTensorType getOffsetsType() const;
    /// Codes, scales and, where present, outer and offsets.
    ::llvm::SmallVector<::mlir::Type> getComponentTypes() const;

    /// The type of the transposed value: dim i of the result is dim
    /// `permutation[i]` of this; block shape and outer axes move along. The
    /// second form gives failure, and says why, where there is no such type.
    BlockedType getTransposed(::llvm::ArrayRef<int64_t> permutation) const;
    ::mlir::FailureOr<BlockedType> getTransposedChecked(
        ::llvm::function_ref<::mlir::InFlightDiagnostic()> emitError,
        ::llvm::ArrayRef<int64_t> permutation) const;
    BlockedType withLayout(::mlir::lowp::ScaleLayout layout) const;
    /// The type of one group on its own, or of the same dims without groups.
    BlockedType getGroupType() const;
    BlockedType withoutGroups() const;
  }];
}

#endif // LOWP_IR_LOWPTYPES_TD
