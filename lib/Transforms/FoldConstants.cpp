//===- FoldConstants.cpp - Quantise constants when compiling --------------===//
//
// Part of the Lowp project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Blocked values have no constant of their own: one stands as a `lowp.pack` of
// constant components. All numbers come from the scalar library, so that they
// are those of run time.
//
//===----------------------------------------------------------------------===//

#include "lowp/IR/LowpNumerics.h"
#include "lowp/IR/LowpOps.h"
#include "lowp/Numerics/Combine.h"
#include "lowp/Numerics/Quantize.h"
#include "lowp/Transforms/Passes.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/IR/Matchers.h"
#include "mlir/Transforms/GreedyPatternRewriteDriver.h"

namespace mlir::lowp {
#define GEN_PASS_DEF_FOLDCONSTANTS
#include "lowp/Transforms/Passes.h.inc"
} // namespace mlir::lowp

using namespace mlir;
using namespace mlir::lowp;
namespace numerics = ::lowp::numerics;

namespace {

//===----------------------------------------------------------------------===//
// Constants to arrays and back
//===----------------------------------------------------------------------===//

/// A float tensor, in FP32.
struct FloatTensor {
  numerics::Dims shape;
  std::vector<float> values;

  numerics::ConstFloatView view() const {
    return numerics::denseView(static_cast<const void *>(values.data()),
                               numerics::FloatType::F32, shape);
  }
};

/// The components of a blocked value: one code a byte, scales in linear order.
struct BlockedArrays {
  explicit BlockedArrays(BlockedType type)
      : format(getBlockFormat(type.getFormat())), shape(type.getShape()) {
    blocking.block = numerics::Dims(type.getBlockShape());
    for (int64_t axis : type.getOuterAxes())
      blocking.outerAxes.push_back(axis);
    scaleShape = numerics::scaleShape(format, shape, blocking.block);
    outerShape = numerics::outerShape(shape, blocking.outerAxes);
    codes.resize(numerics::numElements(shape));
    bool isFloat = format.scale->kind == numerics::ScaleKind::Float32;
    (isFloat ? scalesF32.resize(numerics::numElements(scaleShape))
             : scales.resize(numerics::numElements(scaleShape)));
    if (format.outer)
      outer.resize(numerics::numElements(outerShape));
  }

  numerics::BlockedData data() {
    return {codes.data(), scales.empty() ? nullptr : scales.data(),
            scalesF32.empty() ? nullptr : scalesF32.data(),
            outer.empty() ? nullptr : outer.data()};
  }

  numerics::BlockFormat format;
  numerics::Dims shape, scaleShape, outerShape;
  numerics::Blocking blocking;
  std::vector<uint8_t> codes, scales;
  std::vector<float> scalesF32, outer;
};

template <typename T>
std::optional<std::vector<T>> readElements(DenseElementsAttr attribute) {
  auto values = attribute.tryGetValues<T>();
  if (failed(values))
    return std::nullopt;
  return std::vector<T>(values->begin(), values->end());
}

/// What patterns share: reading constants up to a size, and writing them.
class Folder {
public:
  Folder(PatternRewriter &rewriter, Operation *op, int64_t maxElements)
      : rewriter(rewriter), op(op), maxElements(maxElements) {}

  bool fits(ArrayRef<int64_t> shape) const {
    if (ShapedType::isDynamicShape(shape))
      return false;
    int64_t count = 1;
    for (int64_t size : shape) {
      // Empty values are left alone.
      if (size == 0 || size > maxElements / count)
        return false;
      count *= size;
    }
    return true;
  }

  bool fits(BlockedType type) const {
    return !type.isGrouped() && fits(type.getShape());
  }

  std::optional<FloatTensor> readFloats(Value value) const {
    DenseFPElementsAttr attribute;
    auto type = dyn_cast<RankedTensorType>(value.getType());
    if (!type || !fits(type.getShape()) ||
        !matchPattern(value, m_Constant(&attribute)))
      return std::nullopt;
    FloatTensor tensor{numerics::Dims(type.getShape()), {}};
    for (APFloat number : attribute) {
      bool lost;
      number.convert(APFloat::IEEEsingle(), APFloat::rmNearestTiesToEven,
                     &lost);
      tensor.values.push_back(number.convertToFloat());
    }
    return tensor;
  }

  /// An operand that may be missing: no constant is a failure then.
  FailureOr<std::vector<float>> readOptional(Value value) const {
    if (!value)
      return std::vector<float>();
    if (std::optional<FloatTensor> tensor = readFloats(value))
      return tensor->values;
    return failure();
  }

  std::optional<BlockedArrays> readBlocked(Value value) const {
    auto type = cast<BlockedType>(value.getType());
    auto pack = value.getDefiningOp<PackOp>();
    if (!pack || !fits(type))
      return std::nullopt;
    DenseElementsAttr codes, scales, outer;
    ValueRange parts = pack.getComponents();
    if (!matchPattern(parts[0], m_Constant(&codes)) ||
        !matchPattern(parts[1], m_Constant(&scales)) ||
        (type.hasOuter() && !matchPattern(parts[2], m_Constant(&outer))))
      return std::nullopt;

    BlockedArrays arrays(type);
    auto bytes = readElements<uint8_t>(codes);
    if (!bytes)
      return std::nullopt;
    if (arrays.format.element->storageBits() == 4)
      numerics::unpack(*arrays.format.element, arrays.shape, bytes->data(),
                       arrays.codes.data());
    else
      arrays.codes = std::move(*bytes);
    if (type.getFormat().hasF32Scale()) {
      auto numbers = readElements<float>(scales);
      if (!numbers)
        return std::nullopt;
      arrays.scalesF32 = std::move(*numbers);
    } else {
      auto numbers = readElements<uint8_t>(scales);
      if (!numbers)
        return std::nullopt;
      if (type.getLayout() == ScaleLayout::Tcgen05_128x4)
        numerics::fromTcgen05(arrays.scaleShape, numbers->data(),
                              arrays.scales.data());
      else
        arrays.scales = std::move(*numbers);
    }
    if (type.hasOuter()) {
      auto numbers = readElements<float>(outer);
      if (!numbers)
        return std::nullopt;
      arrays.outer = std::move(*numbers);
    }
    return arrays;
  }

  /// Replaces the operation by a float constant; `store` gives its values.
  LogicalResult
  replaceByFloats(RankedTensorType type,
                  function_ref<void(const numerics::FloatView &)> store) {
    if (!fits(type.getShape()))
      return rewriter.notifyMatchFailure(op, "the result is too large");
    auto floatType = type.getElementType().isF32() ? numerics::FloatType::F32
                     : type.getElementType().isBF16()
                         ? numerics::FloatType::BF16
                         : numerics::FloatType::F16;
    std::vector<char> bytes(type.getNumElements() *
                            numerics::byteWidth(floatType));
    store(numerics::denseView(static_cast<void *>(bytes.data()), floatType,
                              numerics::Dims(type.getShape())));
    rewriter.replaceOp(
        op, makeConstant(DenseElementsAttr::getFromRawBuffer(type, bytes)));
    return success();
  }

  LogicalResult replaceByBlocked(BlockedType type,
                                 const BlockedArrays &arrays) {
    SmallVector<Value> parts;
    RankedTensorType codesType = type.getCodesType();
    std::vector<uint8_t> codes = arrays.codes;
    if (arrays.format.element->storageBits() == 4) {
      codes.resize(codesType.getNumElements());
      numerics::pack(*arrays.format.element, arrays.shape, arrays.codes.data(),
                     codes.data());
    }
    parts.push_back(makeConstant(
        DenseElementsAttr::get(codesType, ArrayRef<uint8_t>(codes))));
    RankedTensorType scalesType = type.getScalesType();
    if (type.getFormat().hasF32Scale()) {
      parts.push_back(makeConstant(DenseElementsAttr::get(
          scalesType, ArrayRef<float>(arrays.scalesF32))));
    } else {
      std::vector<uint8_t> scales = arrays.scales;
      if (type.getLayout() == ScaleLayout::Tcgen05_128x4) {
        scales.assign(scalesType.getNumElements(), 0);
        numerics::toTcgen05(arrays.scaleShape, arrays.scales.data(),
                            scales.data());
      }
      parts.push_back(makeConstant(
          DenseElementsAttr::get(scalesType, ArrayRef<uint8_t>(scales))));
    }
    if (type.hasOuter())
      parts.push_back(makeConstant(DenseElementsAttr::get(
          type.getOuterType(), ArrayRef<float>(arrays.outer))));
    rewriter.replaceOpWithNewOp<PackOp>(op, type, parts,
                                        /*dynamicDims=*/ValueRange());
    return success();
  }

  /// The key of stochastic rounding, where it is constant.
  template <typename Op>
  LogicalResult readKey(Op quantize, numerics::RandomKey &key) const {
    RuleAttr rule = quantize.getRule();
    if (!rule.isStochastic())
      return success();
    // `lowp-assign-streams` gives what is missing.
    APInt seed, step;
    if (!quantize.getSeed() || !quantize.getStep() || !quantize.getStream() ||
        !matchPattern(quantize.getSeed(), m_ConstantInt(&seed)) ||
        !matchPattern(quantize.getStep(), m_ConstantInt(&step)))
      return failure();
    key.seed = seed.getZExtValue();
    key.step = static_cast<uint32_t>(step.getZExtValue());
    key.stream = static_cast<uint32_t>(*quantize.getStream());
    key.rounds = static_cast<unsigned>(rule.getRounds());
    key.sharing = getRandomSharing(rule.getBits());
    return success();
  }

  /// The signs of a transform of `size` elements: those of the name, or the
  /// usual ones where there is none.
  std::optional<std::vector<int8_t>> readSigns(FlatSymbolRefAttr name,
                                               int64_t size) const {
    SmallVector<bool> negate = getDefaultSigns(size);
    if (name) {
      auto signs = SymbolTable::lookupNearestSymbolFrom<SignsOp>(op, name);
      if (!signs)
        return std::nullopt;
      negate.assign(signs.getNegate().begin(), signs.getNegate().end());
    }
    std::vector<int8_t> signs;
    for (bool negative : negate)
      signs.push_back(negative ? -1 : 1);
    return signs;
  }

  LogicalResult fail(const char *reason) {
    return rewriter.notifyMatchFailure(op, reason);
  }

private:
  Value makeConstant(DenseElementsAttr attribute) {
    return arith::ConstantOp::create(rewriter, op->getLoc(), attribute);
  }

  PatternRewriter &rewriter;
  Operation *op;
  int64_t maxElements;
};

//===----------------------------------------------------------------------===//
// Patterns
//===----------------------------------------------------------------------===//

/// A pattern that folds `Op`; `fold` is found by overload.
template <typename Op>
struct FoldPattern : OpRewritePattern<Op> {
  FoldPattern(MLIRContext *context, int64_t maxElements)
      : OpRewritePattern<Op>(context), maxElements(maxElements) {}

  LogicalResult matchAndRewrite(Op op,
                                PatternRewriter &rewriter) const override {
    Folder folder(rewriter, op, maxElements);
    return fold(op, folder);
  }

private:
  int64_t maxElements;
};

std::vector<unsigned> toVector(ArrayRef<int64_t> permutation) {
  return std::vector<unsigned>(permutation.begin(), permutation.end());
}

LogicalResult fold(QuantizeOp op, Folder &folder) {
  BlockedType type = op.getType();
  std::optional<FloatTensor> source = folder.readFloats(op.getSource());
  FailureOr<std::vector<float>> scale = folder.readOptional(op.getOuterScale()),
                                amax = folder.readOptional(op.getOuterAmax());
  numerics::QuantizeInputs inputs;
  if (!source || failed(scale) || failed(amax) ||
      failed(folder.readKey(op, inputs.key)) || !folder.fits(type))
    return folder.fail("an operand is no constant, or too large");
  BlockedArrays result(type);
  inputs.givenOuter = scale->empty() ? nullptr : scale->data();
  inputs.givenAmax = amax->empty() ? nullptr : amax->data();
  numerics::Status status = numerics::quantize(
      result.format, getQuantRule(op.getRule()), result.blocking,
      source->view(), result.data(), inputs);
  if (!status.ok())
    return folder.fail("the rule has no meaning for constants");
  return folder.replaceByBlocked(type, result);
}

LogicalResult fold(RequantizeOp op, Folder &folder) {
  BlockedType type = op.getType();
  std::optional<BlockedArrays> source = folder.readBlocked(op.getSource());
  numerics::QuantizeInputs inputs;
  if (!source || failed(folder.readKey(op, inputs.key)) || !folder.fits(type))
    return folder.fail("an operand is no constant, or too large");
  auto identity = llvm::to_vector(llvm::seq<int64_t>(0, type.getRank()));
  BlockedArrays result(type);
  numerics::Status status = numerics::requantize(
      source->format, source->blocking, source->shape, source->data(),
      op.getOuter() == OuterMode::Keep ? numerics::RequantOuter::Keep
                                       : numerics::RequantOuter::Fold,
      toVector(op.getPermutation().value_or(identity)), result.format,
      getQuantRule(op.getRule()), result.blocking, result.data(), inputs);
  if (!status.ok())
    return folder.fail("the rule has no meaning for constants");
  return folder.replaceByBlocked(type, result);
}

LogicalResult fold(DequantizeOp op, Folder &folder) {
  std::optional<BlockedArrays> source = folder.readBlocked(op.getSource());
  auto type = cast<RankedTensorType>(op.getType());
  if (!source)
    return folder.fail("the source is no constant, or too large");
  return folder.replaceByFloats(type, [&](const numerics::FloatView &result) {
    numerics::Status status = numerics::dequantize(
        source->format, source->blocking, source->data(), result);
    assert(status.ok() && "expects the blocks that the type has");
    (void)status;
  });
}

LogicalResult fold(TransposeOp op, Folder &folder) {
  BlockedType sourceType = op.getSource().getType(), type = op.getType();
  std::optional<BlockedArrays> source = folder.readBlocked(op.getSource());
  if (!source)
    return folder.fail("the source is no constant, or too large");
  BlockedArrays result(type);
  std::vector<unsigned> permutation = toVector(op.getPermutation());
  numerics::transposeElements(source->shape, 1, permutation,
                              source->codes.data(), result.codes.data());
  numerics::BlockedData from = source->data(), to = result.data();
  numerics::transposeScales(
      source->format, source->shape, source->blocking.block, permutation,
      from.scales ? static_cast<const void *>(from.scales) : from.scalesF32,
      to.scales ? static_cast<void *>(to.scales) : to.scalesF32);
  if (type.hasOuter()) {
    std::vector<unsigned> axes;
    for (int64_t axis : type.getOuterAxes())
      axes.push_back(
          llvm::find(sourceType.getOuterAxes(), op.getPermutation()[axis]) -
          sourceType.getOuterAxes().begin());
    numerics::transposeElements(source->outerShape, sizeof(float), axes,
                                source->outer.data(), result.outer.data());
  }
  return folder.replaceByBlocked(type, result);
}

LogicalResult fold(ConvertLayoutOp op, Folder &folder) {
  std::optional<BlockedArrays> source = folder.readBlocked(op.getSource());
  if (!source)
    return folder.fail("the source is no constant, or too large");
  return folder.replaceByBlocked(op.getType(), *source);
}

LogicalResult fold(AmaxOp op, Folder &folder) {
  std::optional<FloatTensor> source = folder.readFloats(op.getSource());
  if (!source)
    return folder.fail("the source is no constant, or too large");
  RankedTensorType type = op.getType();
  return folder.replaceByFloats(type, [&](const numerics::FloatView &result) {
    numerics::groupAmaxes(source->view(), toVector(op.getOuterAxes()),
                          static_cast<numerics::NonFinite>(op.getNonfinite()),
                          static_cast<float *>(result.data));
  });
}

LogicalResult fold(RhtOp op, Folder &folder) {
  // Whether groups are multiples of the size is checked at run time.
  if (op.getOffsets())
    return folder.fail("the source is grouped");
  std::optional<FloatTensor> source = folder.readFloats(op.getSource());
  if (!source)
    return folder.fail("the source is no constant, or too large");
  std::optional<std::vector<int8_t>> signs =
      folder.readSigns(op.getSignsAttr(), op.getSize());
  if (!signs)
    return folder.fail("there are no signs of that name");
  auto type = cast<RankedTensorType>(op.getType());
  return folder.replaceByFloats(type, [&](const numerics::FloatView &result) {
    numerics::Status status = numerics::hadamard(
        source->view(), op.getAxis(), op.getSize(), *signs,
        getHadamardNorm(op.getNormalization()), op.getInverse(), result);
    assert(status.ok() && "expects a size that the verifier accepts");
    (void)status;
  });
}

LogicalResult fold(CombineOp op, Folder &folder) {
  std::optional<BlockedArrays> payload = folder.readBlocked(op.getPayload());
  std::optional<FloatTensor> gates = folder.readFloats(op.getGates());
  if (!payload || !gates)
    return folder.fail("an operand is no constant, or too large");
  std::optional<numerics::CombineTransform> transform;
  if (auto size = op.getInverseRht()) {
    std::optional<std::vector<int8_t>> signs =
        folder.readSigns(op.getSignsAttr(), *size);
    if (!signs)
      return folder.fail("there are no signs of that name");
    transform = {std::move(*signs), getHadamardNorm(op.getNormalization())};
  }
  FloatTensor values{payload->shape, std::vector<float>(payload->codes.size())};
  numerics::Status status = numerics::dequantize(
      payload->format, payload->blocking, payload->data(),
      numerics::denseView(static_cast<void *>(values.values.data()),
                          numerics::FloatType::F32, values.shape));
  assert(status.ok() && "expects the blocks that the type has");
  auto type = cast<RankedTensorType>(op.getType());
  return folder.replaceByFloats(type, [&](const numerics::FloatView &result) {
    status = numerics::combine(values.view(), gates->view(),
                               transform ? &*transform : nullptr, result);
    assert(status.ok() && "expects sizes that the verifier accepts");
    (void)status;
  });
}

struct FoldConstants
    : public mlir::lowp::impl::FoldConstantsBase<FoldConstants> {
  using FoldConstantsBase::FoldConstantsBase;

  void runOnOperation() override {
    MLIRContext *context = &getContext();
    RewritePatternSet patterns(context);
    patterns.add<FoldPattern<QuantizeOp>, FoldPattern<RequantizeOp>,
                 FoldPattern<DequantizeOp>, FoldPattern<TransposeOp>,
                 FoldPattern<ConvertLayoutOp>, FoldPattern<AmaxOp>,
                 FoldPattern<RhtOp>, FoldPattern<CombineOp>>(context,
                                                             maxElements);
    UnpackOp::getCanonicalizationPatterns(patterns, context);
    if (failed(applyPatternsGreedily(getOperation(), std::move(patterns))))
      signalPassFailure();
  }
};

} // namespace
