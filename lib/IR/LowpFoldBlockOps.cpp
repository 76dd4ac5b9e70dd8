//===- LowpFoldBlockOps.cpp - folds of block operations -------------------===//
//
// Part of the lowp project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Of constants, by the scalar library: the bits that run time gives.
//
//===----------------------------------------------------------------------===//

#include "lowp/IR/LowpNumerics.h"
#include "lowp/IR/LowpOps.h"
#include "lowp/Numerics/Quantize.h"

#include "mlir/IR/Builders.h"

using namespace mlir;
using namespace mlir::lowp;
namespace numerics = ::lowp::numerics;

//===----------------------------------------------------------------------===//
// Constants
//===----------------------------------------------------------------------===//

static std::optional<float> getFloat(Attribute attribute) {
  auto number = dyn_cast_or_null<FloatAttr>(attribute);
  if (!number || !number.getType().isF32())
    return std::nullopt;
  return number.getValue().convertToFloat();
}

static std::optional<uint8_t> getByte(Attribute attribute) {
  auto number = dyn_cast_or_null<IntegerAttr>(attribute);
  if (!number || !number.getType().isInteger(8))
    return std::nullopt;
  return static_cast<uint8_t>(number.getValue().getZExtValue());
}

/// The elements of a constant 1-D vector of `T`.
template <typename T>
static std::optional<SmallVector<T>> getVector(Attribute attribute) {
  auto elements = dyn_cast_or_null<DenseElementsAttr>(attribute);
  if (!elements || elements.getType().getRank() != 1)
    return std::nullopt;
  auto values = elements.tryGetValues<T>();
  if (failed(values))
    return std::nullopt;
  return llvm::to_vector(*values);
}

static Attribute makeFloat(MLIRContext *context, float value) {
  return Builder(context).getF32FloatAttr(value);
}

static Attribute makeByte(MLIRContext *context, uint8_t value) {
  return Builder(context).getI8IntegerAttr(static_cast<int8_t>(value));
}

//===----------------------------------------------------------------------===//
// Scales
//===----------------------------------------------------------------------===//

OpFoldResult BlockAmaxOp::fold(FoldAdaptor adaptor) {
  auto values = getVector<float>(adaptor.getSource());
  if (!values)
    return {};
  numerics::ScopedFloatEnvironment environment;
  auto policy = static_cast<numerics::NonFinite>(getNonfinite());
  return makeFloat(getContext(), numerics::largestMagnitude(
                                     values->data(), values->size(), policy));
}

LogicalResult OuterScaleOp::fold(FoldAdaptor adaptor,
                                 SmallVectorImpl<OpFoldResult> &results) {
  std::optional<float> source = getFloat(adaptor.getSource());
  if (!source)
    return failure();
  numerics::ScopedFloatEnvironment environment;
  numerics::OuterScale outer =
      getFrom() == OuterSource::Scale
          ? numerics::outerFromDecode(*source)
          : numerics::outerFromAmax(getBlockFormat(getFormat()),
                                    getQuantRule(getRule()), *source);
  results.push_back(makeFloat(getContext(), outer.encode));
  results.push_back(makeFloat(getContext(), outer.decode));
  return success();
}

LogicalResult BlockScaleOp::fold(FoldAdaptor adaptor,
                                 SmallVectorImpl<OpFoldResult> &results) {
  std::optional<float> amax = getFloat(adaptor.getAmax());
  if (!amax)
    return failure();
  numerics::OuterScale outer;
  if (getEncode()) {
    std::optional<float> encode = getFloat(adaptor.getEncode());
    std::optional<float> decode = getFloat(adaptor.getDecode());
    if (!encode || !decode)
      return failure();
    outer.encode = *encode;
    outer.decode = *decode;
  }
  numerics::ScopedFloatEnvironment environment;
  numerics::BlockScale scale =
      numerics::anyBlockScale(getBlockFormat(getFormat()),
                              getQuantRule(getRule()), *amax, outer, getFour());
  results.push_back(getFormat().hasF32Scale()
                        ? makeFloat(getContext(), scale.value)
                        : makeByte(getContext(), scale.byte));
  results.push_back(
      makeFloat(getContext(), scale.zeroCodes ? 0.0f : scale.factor));
  return success();
}

OpFoldResult EncodeScaleOp::fold(FoldAdaptor adaptor) {
  std::optional<float> source = getFloat(adaptor.getSource());
  if (!source)
    return {};
  return makeByte(getContext(),
                  numerics::encodeScaleByte(*getScaleFormat(getType()), *source,
                                            getNumberRound(getRound()),
                                            ::getOverflow(getOverflow())));
}

OpFoldResult DecodeScaleOp::fold(FoldAdaptor adaptor) {
  std::optional<uint8_t> source = getByte(adaptor.getSource());
  if (!source)
    return {};
  return makeFloat(getContext(), numerics::decodeScaleByte(
                                     *getScaleFormat(getType()), *source));
}

//===----------------------------------------------------------------------===//
// Elements
//===----------------------------------------------------------------------===//

OpFoldResult EncodeOp::fold(FoldAdaptor adaptor) {
  auto values = getVector<float>(adaptor.getSource());
  if (!values)
    return {};
  bool valid = true;
  if (getValid()) {
    auto flag = dyn_cast_or_null<IntegerAttr>(adaptor.getValid());
    if (!flag)
      return {};
    valid = !flag.getValue().isZero();
  }
  std::optional<SmallVector<uint32_t>> random;
  if (getRandom() && !(random = getVector<uint32_t>(adaptor.getRandom())))
    return {};

  numerics::ScopedFloatEnvironment environment;
  const numerics::ElementFormat &format = *getElementFormat(getElement());
  numerics::QuantRule rule = getQuantRule(getRule());
  SmallVector<uint8_t> codes;
  for (auto [i, value] : llvm::enumerate(*values)) {
    // These have a code only where the rule gives them one.
    if (valid && numerics::isNan(value) &&
        rule.nonfinite != numerics::NonFinite::Saturate)
      return {};
    codes.push_back(valid ? numerics::encodeElement(format, rule, value,
                                                    random ? (*random)[i] : 0)
                          : 0);
  }
  auto type = getCodes().getType();
  if (type.getDimSize(0) != static_cast<int64_t>(codes.size())) {
    SmallVector<uint8_t> packed(type.getDimSize(0));
    numerics::packRow(codes.data(), codes.size(), packed.data());
    codes = packed;
  }
  return DenseElementsAttr::get(type, ArrayRef<uint8_t>(codes));
}

OpFoldResult DecodeOp::fold(FoldAdaptor adaptor) {
  auto codes = getVector<uint8_t>(adaptor.getCodes());
  if (!codes)
    return {};
  auto type = getResult().getType();
  size_t count = type.getDimSize(0);
  if (codes->size() != count) {
    SmallVector<uint8_t> wide(count);
    numerics::unpackRow(codes->data(), count, wide.data());
    codes = wide;
  }
  const numerics::ElementFormat &format = *getElementFormat(getElement());
  SmallVector<float> values;
  for (uint8_t code : *codes)
    values.push_back(numerics::decode(format, code));
  return DenseElementsAttr::get(type, ArrayRef<float>(values));
}

OpFoldResult BlockErrorOp::fold(FoldAdaptor adaptor) {
  auto values = getVector<float>(adaptor.getSource());
  auto codes = getVector<float>(adaptor.getCodes());
  std::optional<float> scale = getFloat(adaptor.getScale());
  std::optional<float> operand = getFloat(adaptor.getOuter());
  if (!values || !codes || !scale || !operand)
    return {};
  // What the operand is follows from the domain of the error.
  numerics::OuterScale outer;
  outer.encode = outer.decode = outer.amax = *operand;
  outer.amaxKnown = !getGivenScale();
  numerics::ScopedFloatEnvironment environment;
  return makeFloat(getContext(),
                   numerics::fourSixRowError(getBlockFormat(getFormat()),
                                             getQuantRule(getRule()),
                                             values->data(), codes->data(),
                                             values->size(), *scale, outer));
}

//===----------------------------------------------------------------------===//
// Hadamard transform
//===----------------------------------------------------------------------===//

OpFoldResult HadamardOp::fold(FoldAdaptor adaptor) {
  auto values = getVector<float>(adaptor.getSource());
  if (!values)
    return {};
  SmallVector<int8_t> signs;
  for (bool negate : getNegate())
    signs.push_back(negate ? -1 : 1);
  numerics::ScopedFloatEnvironment environment;
  numerics::hadamardBlock(values->data(), values->size(), signs.data(),
                          getHadamardNorm(getNormalization()), getInverse());
  return DenseElementsAttr::get(cast<ShapedType>(getResult().getType()),
                                ArrayRef<float>(*values));
}
