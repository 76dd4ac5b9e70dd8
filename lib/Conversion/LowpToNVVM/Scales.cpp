//===- Scales.cpp - Block scales by conversion instructions ---------------===//
//
// Part of the Lowp project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// lowp.decode_scale and lowp.block_scale. Why the bits are those of the generic
// expansion:
//
// UE8M0, from the largest magnitude `a` of a block. `cvt.rp` gives the smallest
// b with y <= 2^(b-127), `cvt.rz` the largest with 2^(b-127) <= y, both from 0
// up and, saturated, to 254; 2^-127 and FP32 subnormals included.
//   rceil: smallest b with a <= max * 2^(b-127). y is a * c rounded up, with c
//     the largest FP32 number not above 1/max. Where a <= max * 2^k, the exact
//     product is at most 2^k, and so is y, since 2^k is an FP32 number. Where a
//     is above, it is so by a relative 2^-23 / m at least, m the mantissa of
//     max in [1, 2), and c falls short of 1/max by less for all formats: the
//     product is above 2^k, and so is y. Rounding to nearest instead would hit
//     2^k.
//   ceil, floor: of log2(a) less an exponent. The product by the power of two
//     is exact, or rounded up (down) among the subnormals.
//   even: integer arithmetic, as in the generic expansion.
//
// UE4M3. `cvt.rn.satfinite.e4m3x2` as for elements, and back: exact in FP16.
//
// Decoding UE8M0. `cvt.rn.bf16x2.ue8m0x2` gives 2^(b-127) as BF16, byte 0 as
// the subnormal 2^-127 and byte 0xFF as NaN; BF16 to FP32 is exact.
//
// Decoding UE4M3. Bytes from 0x80 are NaN, where E4M3 has negative numbers: a
// minimum with 0x7F, NaN, is taken first. Every E4M3 number is an FP16 number.
//
//===----------------------------------------------------------------------===//

#include "Forms.h"

#include "lowp/Conversion/LowpToArith/LowpToArith.h"
#include "lowp/IR/LowpOps.h"
#include "lowp/Numerics/Element.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/LLVMIR/NVVMDialect.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"

#include <cmath>

using namespace mlir;
using namespace mlir::lowp;
using namespace mlir::lowp::nvvm;
namespace numerics = ::lowp::numerics;

namespace {

Value f32Constant(ImplicitLocOpBuilder &b, float value) {
  return arith::ConstantOp::create(b, b.getF32FloatAttr(value));
}

/// One number to a byte, in an i16 whose upper half is that of zero.
Value convertOne(ImplicitLocOpBuilder &b, Value number, Type type,
                 NVVM::FPRoundingMode rounding) {
  return NVVM::ConvertF32x2ToF8x2Op::create(
      b, b.getI16Type(), f32Constant(b, 0.0f), number, rounding,
      NVVM::SaturationMode::SATFINITE, /*relu=*/false, type);
}

/// The largest FP32 number that is not above 1 / max.
float reciprocalDown(float max) {
  float near = 1.0f / max;
  bool isAbove = double(near) * double(max) > 1.0;
  return isAbove ? std::nextafterf(near, 0.0f) : near;
}

Value convertToUE8M0(ImplicitLocOpBuilder &b, Value amax,
                     const numerics::ElementFormat &format,
                     numerics::ScaleRule rule) {
  if (isa<VectorType>(amax.getType()))
    return {};
  float factor = std::ldexp(1.0f, -numerics::maxExponent(format));
  bool up = true;
  switch (rule) {
  case numerics::ScaleRule::RCeil:
    factor = reciprocalDown(numerics::maxValue(format));
    break;
  case numerics::ScaleRule::Ceil:
    break;
  case numerics::ScaleRule::Floor:
    up = false;
    break;
  case numerics::ScaleRule::Even:
    return {};
  }
  Value scaled =
      createInlineAsm(b, b.getF32Type(),
                      up ? "mul.rp.f32 $0, $1, $2;" : "mul.rz.f32 $0, $1, $2;",
                      "=f,f,f", {amax, f32Constant(b, factor)});
  Value bytes =
      convertOne(b, scaled, Float8E8M0FNUType::get(b.getContext()),
                 up ? NVVM::FPRoundingMode::RP : NVVM::FPRoundingMode::RZ);
  return arith::ExtUIOp::create(b, b.getI32Type(), bytes);
}

/// The values of two E4M3 codes.
Value decodePair(ImplicitLocOpBuilder &b, Value bytes) {
  return NVVM::ConvertF8x2ToF16x2Op::create(
      b, VectorType::get({2}, b.getF16Type()), bytes, /*relu=*/false,
      Float8E4M3FNType::get(b.getContext()));
}

Value widenFirst(ImplicitLocOpBuilder &b, Value pair) {
  Value first = vector::ExtractOp::create(b, pair, ArrayRef<int64_t>{0});
  return arith::ExtFOp::create(b, b.getF32Type(), first);
}

std::pair<Value, Value> convertToE4M3(ImplicitLocOpBuilder &b, Value number,
                                      const numerics::ElementFormat &format) {
  if (&format != &numerics::kE4M3 || isa<VectorType>(number.getType()))
    return {};
  Value code = convertOne(b, number, Float8E4M3FNType::get(b.getContext()),
                          NVVM::FPRoundingMode::RN);
  Value word = vector::FromElementsOp::create(
      b, VectorType::get({1}, b.getI16Type()), code);
  Value bytes =
      vector::BitCastOp::create(b, VectorType::get({2}, b.getI8Type()), word);
  return {arith::ExtUIOp::create(b, b.getI32Type(), code),
          widenFirst(b, decodePair(b, bytes))};
}

struct ConvertDecodeScale : OpRewritePattern<DecodeScaleOp> {
  ConvertDecodeScale(MLIRContext *context, const TargetInfo &target,
                     PatternBenefit benefit)
      : OpRewritePattern(context, benefit), target(target) {}

  LogicalResult matchAndRewrite(DecodeScaleOp op,
                                PatternRewriter &rewriter) const override {
    std::optional<PTXFeature> form = getHardwareForm(op);
    if (!form || !target.has(*form))
      return rewriter.notifyMatchFailure(op, "the target has no instruction");

    ImplicitLocOpBuilder b(op.getLoc(), rewriter);
    Type type = op.getType();
    Value byte = op.getSource();
    if (isa<Float8E4M3FNType>(type)) {
      Value nan = arith::ConstantOp::create(b, b.getI8IntegerAttr(0x7F));
      byte = arith::MinUIOp::create(b, byte, nan);
    }
    Value zero = arith::ConstantOp::create(b, b.getI8IntegerAttr(0));
    Value bytes = vector::FromElementsOp::create(
        b, VectorType::get({2}, b.getI8Type()), ValueRange{byte, zero});
    Value pair =
        isa<Float8E4M3FNType>(type)
            ? decodePair(b, bytes)
            : NVVM::ConvertF8x2ToBF16x2Op::create(
                  b, VectorType::get({2}, b.getBF16Type()), bytes, type);
    rewriter.replaceOp(op, widenFirst(b, pair));
    return success();
  }

private:
  const TargetInfo &target;
};

} // namespace

void nvvm::populateScalePatterns(RewritePatternSet &patterns,
                                 const TargetInfo &target,
                                 PatternBenefit benefit) {
  patterns.add<ConvertDecodeScale>(patterns.getContext(), target, benefit);

  ScaleForms forms;
  if (target.has(PTXFeature::CvtF32ToUE8M0))
    forms.powerOfTwo = convertToUE8M0;
  if (target.has(PTXFeature::CvtF32ToE4M3))
    forms.smallFloat = convertToE4M3;
  populateBlockScalePatterns(patterns, std::move(forms), benefit);
}
