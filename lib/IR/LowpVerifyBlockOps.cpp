//===- LowpVerifyBlockOps.cpp - verifiers of block operations -*- C++ -*-===//
//
// Part of the lowp project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "VerifyUtils.h"

#include "lowp/Numerics/Philox.h"

#include "mlir/IR/TypeUtilities.h"

#include "llvm/Support/MathExtras.h"

using namespace mlir;
using namespace mlir::lowp;

/// The type of an element in memory is known.
static LogicalResult verifyElement(Operation *op, Type element) {
  if (isElementType(element))
    return success();
  return op->emitOpError() << "expects element to be " << getElementTypeList()
                           << ", but got " << element;
}

/// Codes take one byte each, or half a byte where they are of 4 bits.
static LogicalResult verifyCodes(Operation *op, Type element, Value codes,
                                 Value values) {
  auto valuesType = cast<VectorType>(values.getType());
  auto codesType = cast<VectorType>(codes.getType());
  if (valuesType.getShape().drop_front() != codesType.getShape().drop_front())
    return op->emitOpError()
           << "expects codes and values of the same blocks, but got "
           << codesType << " and " << valuesType;
  int64_t count = valuesType.getDimSize(0);
  int64_t bytes = codesType.getDimSize(0);
  if (bytes == count)
    return success();
  if (!isa<Float4E2M1FNType>(element))
    return op->emitOpError()
           << "expects as many codes as values for element " << element
           << ", but got " << bytes << " and " << count;
  if (count % 2 == 0 && bytes == count / 2)
    return success();
  return op->emitOpError()
         << "expects as many codes as values, or half as many bytes of packed "
            "pairs, but got "
         << bytes << " and " << count;
}

static LogicalResult verifyRule(Operation *op, RuleAttr rule,
                                FormatAttr format) {
  return verifyRuleForFormat([&] { return op->emitOpError(); }, rule, format);
}

/// The 4/6 choice exists for this format.
static LogicalResult verifyFourSixFormat(Operation *op, FormatAttr format) {
  if (isa<Float4E2M1FNType>(format.getElementType()) && format.hasUE4M3Scale())
    return success();
  return op->emitOpError()
         << "expects a format of f4E2M1FN elements with f8E4M3FN block scales "
            "for a 4/6 candidate, but got "
         << format;
}

LogicalResult OuterScaleOp::verify() {
  // (C1)
  if (!getFormat().getOuter())
    return emitOpError() << "expects a format with an outer scale, but got "
                         << getFormat();
  // (C2)
  return verifyRule(*this, getRule(), getFormat());
}

LogicalResult BlockScaleOp::verify() {
  // (C1)
  if (static_cast<bool>(getEncode()) != getFormat().getOuter() ||
      static_cast<bool>(getDecode()) != getFormat().getOuter())
    return emitOpError() << "expects encode and decode outer scales exactly "
                            "for formats with an outer scale, but got "
                         << (getEncode() ? 1 : 0) + (getDecode() ? 1 : 0)
                         << " of them for " << getFormat();
  // (C2)
  bool isFloat = getElementTypeOrSelf(getScale().getType()).isF32();
  if (isFloat != getFormat().hasF32Scale())
    return emitOpError() << "expects a scale of type "
                         << (isFloat ? "i8" : "f32") << " for " << getFormat()
                         << ", but got " << getScale().getType();
  // (C3)
  if (getFour() && failed(verifyFourSixFormat(*this, getFormat())))
    return failure();
  // (C4)
  return verifyRule(*this, getRule(), getFormat());
}

LogicalResult EncodeOp::verify() {
  // (C1)
  if (failed(verifyElement(*this, getElement())))
    return failure();
  // (C2)
  if (failed(verifyCodes(*this, getElement(), getCodes(), getSource())))
    return failure();
  // (C3)
  if (static_cast<bool>(getRandom()) != getRule().isStochastic())
    return emitOpError() << "expects random bits exactly with round = "
                            "stochastic, but got round = "
                         << stringifyElementRound(getRule().getRound())
                         << (getRandom() ? " with them" : " without them");
  // (C4)
  if (getRandom() &&
      getRandom().getType().getShape() != getSource().getType().getShape())
    return emitOpError() << "expects random bits for each of "
                         << getSource().getType().getNumElements()
                         << " values, but got "
                         << getRandom().getType().getNumElements();
  return success();
}

LogicalResult DecodeOp::verify() {
  // (C1)
  if (failed(verifyElement(*this, getElement())))
    return failure();
  // (C2)
  return verifyCodes(*this, getElement(), getCodes(), getResult());
}

/// The type of a one-byte scale.
static LogicalResult verifyScaleType(Operation *op, Type type) {
  if (isa<Float8E8M0FNUType, Float8E4M3FNType>(type))
    return success();
  return op->emitOpError() << "expects type f8E8M0FNU or f8E4M3FN, but got "
                           << type;
}

LogicalResult DecodeScaleOp::verify() {
  // (C1)
  return verifyScaleType(*this, getType());
}

LogicalResult EncodeScaleOp::verify() {
  // (C1)
  return verifyScaleType(*this, getType());
}

LogicalResult BlockErrorOp::verify() {
  // (C1)
  if (failed(verifyFourSixFormat(*this, getFormat())))
    return failure();
  // (C2)
  if (getRule().getFourSix() == FourSix::None)
    return emitOpError() << "expects a rule with a four_six choice, but got "
                         << getRule();
  // (C3)
  if (getGivenScale() &&
      getRule().getFourSixError() != FourSixError::Dequantized)
    return emitOpError() << "expects given_scale only with four_six_error = "
                            "dequantized, but got "
                         << stringifyFourSixError(getRule().getFourSixError());
  // (C4)
  return verifyRule(*this, getRule(), getFormat());
}

LogicalResult HadamardOp::verify() {
  // (C1)
  int64_t size = getSource().getType().getDimSize(0);
  if (size != 16 && size != 32 && size != 64 && size != 128)
    return emitOpError() << "expects a vector of 16, 32, 64 or 128 elements, "
                            "but got "
                         << size;
  // (C2)
  if (static_cast<int64_t>(getNegate().size()) != size)
    return emitOpError() << "expects one sign per element (" << size
                         << "), but got " << getNegate().size();
  return success();
}

LogicalResult PhiloxOp::verify() {
  // (C1)
  if (getRounds() != 7 && getRounds() != 10)
    return emitOpError() << "expects 7 or 10 rounds, but got " << getRounds();
  return success();
}

LogicalResult RandomBitsOp::verify() {
  // (C1)
  if (getBits() < 1 || getBits() > 16)
    return emitOpError() << "expects 1 to 16 bits of each element, but got "
                         << static_cast<int64_t>(getBits());
  // (C2)
  int64_t perWord = ::lowp::numerics::elementsPerRandomWord(
      getIndependent() ? ::lowp::numerics::RandomSharing::Independent
                       : ::lowp::numerics::RandomSharing::Hardware);
  int64_t count = getResult().getType().getDimSize(0);
  int64_t words = getWords().getType().getDimSize(0);
  if (words != static_cast<int64_t>(llvm::divideCeil(count, perWord)) ||
      getWords().getType().getShape().drop_front() !=
          getResult().getType().getShape().drop_front())
    return emitOpError() << "expects a word for every " << perWord
                         << " elements, but got " << words << " for " << count;
  return success();
}
