//===- Elements.cpp - Element codes by conversion instructions ------------===//
//
// Part of the Lowp project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// lowp.encode and lowp.decode. Why the bits are those of the generic expansion:
//
// encode, float types. `cvt.rn.satfinite` rounds to nearest, ties to the even
// code, from the FP32 number itself and subnormals included; saturates to the
// largest finite value, infinities too; keeps the sign of zero; and turns NaN
// into 0x7F (E4M3, E5M2) or the largest positive code (E2M1, E2M3, E3M2). That
// is the definition. (Under `propagate` no NaN gets here with codes wanted: a
// block that holds one has no valid codes, and the finite values of others are
// multiplied by finite factors.)
//
// encode, S2F6. `cvt.rn.satfinite.s2f6x2` computes rne(x * 64), saturates above
// to 127, and turns NaN into 127. Whether it saturates below to -128 or -127 is
// not documented, and the definition never produces -128; so the value is held
// at -127/64 first, by a maximum that keeps NaN.
//
// encode, stochastic. `cvt.rs.satfinite` adds the random bits to the discarded
// ones and rounds away from zero iff they carry: 16 bits of the random word for
// elements of 8 and 6 bits, 8 for E2M1, which of them is the table of
// docs/spec.md. Saturation, zeros and NaN are as above.
//
// decode. Every value of E2M1, E2M3, E3M2, E4M3 and E5M2 is an FP16 number, NaN
// and infinity included, and every value of S2F6, -128 included, a BF16 number;
// FP16 and BF16 to FP32 is exact. The payloads of NaN are not defined.
//
//===----------------------------------------------------------------------===//

#include "Forms.h"

#include "lowp/IR/LowpNumerics.h"
#include "lowp/IR/LowpOps.h"
#include "lowp/Numerics/Element.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/LLVMIR/NVVMDialect.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir;
using namespace mlir::lowp;
using namespace mlir::lowp::nvvm;
namespace numerics = ::lowp::numerics;

namespace {

//===----------------------------------------------------------------------===//
// Vectors
//===----------------------------------------------------------------------===//

int64_t getCount(Value vector) {
  return cast<VectorType>(vector.getType()).getNumElements();
}

Value bitcastTo(ImplicitLocOpBuilder &b, Value vector, unsigned width) {
  auto type = cast<VectorType>(vector.getType());
  int64_t bits = type.getNumElements() * type.getElementTypeBitWidth();
  auto result = VectorType::get({bits / width}, b.getIntegerType(width));
  return vector::BitCastOp::create(b, result, vector);
}

/// The elements of a 1-D vector, and zeros up to a multiple of `multiple`.
SmallVector<Value> getElements(ImplicitLocOpBuilder &b, Value vector,
                               int64_t multiple) {
  SmallVector<Value> elements;
  int64_t count = getCount(vector);
  for (int64_t i = 0; i < count; ++i)
    elements.push_back(
        vector::ExtractOp::create(b, vector, ArrayRef<int64_t>{i}));
  if (count % multiple != 0) {
    Type element = cast<VectorType>(vector.getType()).getElementType();
    Value zero = arith::ConstantOp::create(b, b.getZeroAttr(element));
    elements.append(llvm::alignTo(count, multiple) - count, zero);
  }
  return elements;
}

Value fromElements(ImplicitLocOpBuilder &b, ValueRange elements) {
  auto type = VectorType::get({static_cast<int64_t>(elements.size())},
                              elements.front().getType());
  return vector::FromElementsOp::create(b, type, elements);
}

/// The first `count` elements.
Value takeFront(ImplicitLocOpBuilder &b, Value vector, int64_t count) {
  if (getCount(vector) == count)
    return vector;
  return vector::ExtractStridedSliceOp::create(b, vector, ArrayRef<int64_t>{0},
                                               ArrayRef<int64_t>{count},
                                               ArrayRef<int64_t>{1});
}

Value intConstant(ImplicitLocOpBuilder &b, Type type, int64_t value) {
  auto element = b.getIntegerAttr(getElementTypeOrSelf(type), value);
  if (auto shaped = dyn_cast<ShapedType>(type))
    return arith::ConstantOp::create(b,
                                     DenseElementsAttr::get(shaped, element));
  return arith::ConstantOp::create(b, element);
}

/// 4-bit codes, one a byte, to two a byte; their count is even.
Value packNibbles(ImplicitLocOpBuilder &b, Value codes) {
  Value pairs = bitcastTo(b, codes, 16);
  Value shifted =
      arith::ShRUIOp::create(b, pairs, intConstant(b, pairs.getType(), 4));
  pairs = arith::OrIOp::create(b, pairs, shifted);
  auto bytes = VectorType::get({getCount(pairs)}, b.getI8Type());
  return arith::TruncIOp::create(b, bytes, pairs);
}

/// The inverse of `packNibbles`.
Value unpackNibbles(ImplicitLocOpBuilder &b, Value bytes) {
  auto type = VectorType::get({getCount(bytes)}, b.getI16Type());
  Value pairs = arith::ExtUIOp::create(b, type, bytes);
  Value shifted = arith::ShLIOp::create(b, pairs, intConstant(b, type, 4));
  pairs = arith::OrIOp::create(b, pairs, shifted);
  pairs = arith::AndIOp::create(b, pairs, intConstant(b, type, 0x0F0F));
  return bitcastTo(b, pairs, 8);
}

//===----------------------------------------------------------------------===//
// Encode
//===----------------------------------------------------------------------===//

/// Eight E2M1 codes in a word, the first in the lowest bits. One piece of
/// assembly, because ptxas then merges the four bytes for free.
Value encodeE2M1x8(ImplicitLocOpBuilder &b, ValueRange v) {
  return createInlineAsm(b, b.getI32Type(),
                         "{\n\t.reg .b8 b0, b1, b2, b3;\n\t"
                         "cvt.rn.satfinite.e2m1x2.f32 b0, $2, $1;\n\t"
                         "cvt.rn.satfinite.e2m1x2.f32 b1, $4, $3;\n\t"
                         "cvt.rn.satfinite.e2m1x2.f32 b2, $6, $5;\n\t"
                         "cvt.rn.satfinite.e2m1x2.f32 b3, $8, $7;\n\t"
                         "mov.b32 $0, {b0, b1, b2, b3};\n\t}",
                         "=r,f,f,f,f,f,f,f,f", v);
}

/// Two codes in a word. The instructions put their first operand into the
/// upper half, so the second element comes first.
Value encodePair(ImplicitLocOpBuilder &b, Type element, Value low, Value high) {
  Type word = b.getI16Type();
  if (isa<S2F6Type>(element))
    return createInlineAsm(b, word, "cvt.rn.satfinite.s2f6x2.f32 $0, $1, $2;",
                           "=h,f,f", {high, low});
  if (isa<Float6E2M3FNType, Float6E3M2FNType>(element))
    return NVVM::ConvertF32x2ToF6x2Op::create(b, word, high, low,
                                              /*relu=*/false, element);
  return NVVM::ConvertF32x2ToF8x2Op::create(
      b, word, high, low, NVVM::FPRoundingMode::RN,
      NVVM::SaturationMode::SATFINITE, /*relu=*/false, element);
}

/// Four codes in a word, stochastically; the first in the lowest bits, and thus
/// the last operand.
Value encodeStochasticx4(ImplicitLocOpBuilder &b, Type element, ValueRange v,
                         Value random) {
  Value values = fromElements(b, {v[3], v[2], v[1], v[0]});
  if (isa<Float4E2M1FNType>(element))
    return NVVM::ConvertF32x4ToF4x4Op::create(b, b.getI16Type(), values, random,
                                              /*relu=*/false, element);
  auto bytes = VectorType::get({4}, b.getI8Type());
  Value codes =
      isa<Float6E2M3FNType, Float6E3M2FNType>(element)
          ? Value(NVVM::ConvertF32x4ToF6x4Op::create(b, bytes, values, random,
                                                     /*relu=*/false, element))
          : Value(NVVM::ConvertF32x4ToF8x4Op::create(b, bytes, values, random,
                                                     /*relu=*/false, element));
  return vector::ExtractOp::create(b, bitcastTo(b, codes, 32),
                                   ArrayRef<int64_t>{0});
}

struct ConvertEncode : OpRewritePattern<EncodeOp> {
  ConvertEncode(MLIRContext *context, const TargetInfo &target,
                PatternBenefit benefit)
      : OpRewritePattern(context, benefit), target(target) {}

  LogicalResult matchAndRewrite(EncodeOp op,
                                PatternRewriter &rewriter) const override {
    std::optional<PTXFeature> form = getHardwareForm(op);
    if (!form || !target.has(*form))
      return rewriter.notifyMatchFailure(op, "the target has no instruction");

    ImplicitLocOpBuilder b(op.getLoc(), rewriter);
    Type element = op.getElement();
    Value source = op.getSource();
    int64_t count = getCount(source);
    Value scaled = source;
    if (op.getRule().getNegZero() == NegZero::Drop)
      // Changes -0 to +0, and nothing else.
      scaled = arith::AddFOp::create(b, scaled, splat(b, scaled, 0.0f));
    bool packs = isa<Float4E2M1FNType>(element);
    if (isa<S2F6Type>(element))
      scaled = arith::MaximumFOp::create(
          b, scaled, splat(b, scaled, -numerics::maxValue(numerics::kS2F6)));

    SmallVector<Value> random;
    if (Value randomWords = getHardwareRandomWords(op))
      random = getElements(b, randomWords, 1);
    int64_t perWord = !random.empty() ? 4 : packs ? 8 : 2;
    SmallVector<Value> values = getElements(b, scaled, perWord), words;
    for (auto rest = ArrayRef(values); !rest.empty();
         rest = rest.drop_front(perWord))
      words.push_back(!random.empty()
                          ? encodeStochasticx4(b, element,
                                               rest.take_front(perWord),
                                               random[words.size()])
                      : packs ? encodeE2M1x8(b, rest.take_front(perWord))
                              : encodePair(b, element, rest[0], rest[1]));
    Value codes = fromElements(b, words);
    if (Value valid = op.getValid()) {
      // Fewer selections.
      if (words.front().getType().isInteger(16) && words.size() % 2 == 0)
        codes = bitcastTo(b, codes, 32);
      codes = arith::SelectOp::create(b, valid, codes,
                                      intConstant(b, codes.getType(), 0));
    }
    codes = bitcastTo(b, codes, 8);
    if (packs && getCount(op.getCodes()) == count)
      codes = unpackNibbles(b, codes);
    rewriter.replaceOp(op, takeFront(b, codes, getCount(op.getCodes())));
    return success();
  }

private:
  static Value splat(ImplicitLocOpBuilder &b, Value like, float value) {
    auto type = cast<VectorType>(like.getType());
    return arith::ConstantOp::create(
        b, DenseElementsAttr::get(type, b.getF32FloatAttr(value)));
  }

  const TargetInfo &target;
};

//===----------------------------------------------------------------------===//
// Decode
//===----------------------------------------------------------------------===//

/// The values of an FP16 pair as FP32.
void widenF16Pair(ImplicitLocOpBuilder &b, Value pair,
                  SmallVectorImpl<Value> &values) {
  for (int64_t i : {0, 1}) {
    Value narrow = vector::ExtractOp::create(b, pair, ArrayRef<int64_t>{i});
    values.push_back(arith::ExtFOp::create(b, b.getF32Type(), narrow));
  }
}

/// The values of a BF16 pair as FP32: a shift and a mask.
void widenBF16Pair(ImplicitLocOpBuilder &b, Value word,
                   SmallVectorImpl<Value> &values) {
  Type i32 = b.getI32Type();
  Value low = arith::ShLIOp::create(b, word, intConstant(b, i32, 16));
  Value high = arith::AndIOp::create(
      b, word, intConstant(b, i32, static_cast<int32_t>(0xFFFF0000)));
  for (Value bits : {low, high})
    values.push_back(arith::BitcastOp::create(b, b.getF32Type(), bits));
}

struct ConvertDecode : OpRewritePattern<DecodeOp> {
  ConvertDecode(MLIRContext *context, const TargetInfo &target,
                PatternBenefit benefit)
      : OpRewritePattern(context, benefit), target(target) {}

  LogicalResult matchAndRewrite(DecodeOp op,
                                PatternRewriter &rewriter) const override {
    std::optional<PTXFeature> form = getHardwareForm(op);
    if (!form || !target.has(*form))
      return rewriter.notifyMatchFailure(op, "the target has no instruction");

    ImplicitLocOpBuilder b(op.getLoc(), rewriter);
    Type element = op.getElement();
    int64_t count = getCount(op.getResult());
    Value codes = op.getCodes();
    // Zeros complete the last pair.
    if (!isa<Float4E2M1FNType>(element) || getCount(codes) == count)
      codes = fromElements(b, getElements(b, codes, 2));

    SmallVector<Value> values;
    if (isa<Float4E2M1FNType>(element)) {
      if (getCount(codes) >= count)
        codes = packNibbles(b, codes);
      auto pair = VectorType::get({2}, b.getF16Type());
      for (Value byte : getElements(b, codes, 1))
        widenF16Pair(b,
                     NVVM::ConvertF4x2ToF16x2Op::create(
                         b, pair, byte, /*relu=*/false, element),
                     values);
    } else if (isa<S2F6Type>(element)) {
      for (Value word : getElements(b, bitcastTo(b, codes, 16), 1))
        widenBF16Pair(b,
                      createInlineAsm(b, b.getI32Type(),
                                      "cvt.rn.bf16x2.s2f6x2 $0, $1;", "=r,h",
                                      word),
                      values);
    } else {
      for (int64_t i = 0; i < count; i += 2)
        widenF16Pair(b, decodePair(b, element, codes, i), values);
    }
    values.truncate(count);
    rewriter.replaceOp(op, fromElements(b, values));
    return success();
  }

private:
  /// The values of codes i and i + 1.
  static Value decodePair(ImplicitLocOpBuilder &b, Type element, Value codes,
                          int64_t i) {
    auto pair = VectorType::get({2}, b.getF16Type());
    Value bytes = vector::ExtractStridedSliceOp::create(
        b, codes, ArrayRef<int64_t>{i}, ArrayRef<int64_t>{2},
        ArrayRef<int64_t>{1});
    if (isa<Float6E2M3FNType, Float6E3M2FNType>(element))
      return NVVM::ConvertF6x2ToF16x2Op::create(b, pair, bytes, /*relu=*/false,
                                                element);
    return NVVM::ConvertF8x2ToF16x2Op::create(b, pair, bytes, /*relu=*/false,
                                              element);
  }

  const TargetInfo &target;
};

} // namespace

void nvvm::populateElementPatterns(RewritePatternSet &patterns,
                                   const TargetInfo &target,
                                   PatternBenefit benefit) {
  patterns.add<ConvertEncode, ConvertDecode>(patterns.getContext(), target,
                                             benefit);
}
