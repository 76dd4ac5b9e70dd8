//===- ApproximateMath.cpp - Math functions as polynomials ----------------===//
//
// Part of the Lowp project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "lowp/Conversion/Passes.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/Math/Transforms/Passes.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "mlir/IR/ImplicitLocOpBuilder.h"
#include "mlir/IR/TypeUtilities.h"
#include "mlir/Transforms/GreedyPatternRewriteDriver.h"

namespace mlir::lowp {
#define GEN_PASS_DEF_LOWPAPPROXIMATEMATH
#include "lowp/Conversion/Passes.h.inc"
} // namespace mlir::lowp

using namespace mlir;

namespace {

/// Sine and cosine of an f32, in f64: x = k * pi/2 + r with |r| <= pi/4, then
/// a polynomial in r, and the quadrant k mod 4 picks which and its sign. Two
/// parts of pi/2 make r good to f32 for every |x| < 2^52; beyond that f64 has
/// no exact k, and the result is some number in [-1, 1]. Inf and NaN give NaN.
template <typename OpTy, int quadrantOfZero>
struct SinCosInF64 : OpRewritePattern<OpTy> {
  using OpRewritePattern<OpTy>::OpRewritePattern;

  LogicalResult matchAndRewrite(OpTy op,
                                PatternRewriter &rewriter) const override {
    Type type = op.getType();
    if (!getElementTypeOrSelf(type).isF32())
      return rewriter.notifyMatchFailure(op, "not an f32");
    auto withElement = [&](Type element) -> Type {
      if (auto shaped = dyn_cast<VectorType>(type))
        return shaped.clone(element);
      return element;
    };
    ImplicitLocOpBuilder b(op.getLoc(), rewriter);
    Type f64 = withElement(b.getF64Type()), i64 = withElement(b.getI64Type());
    auto constant = [&](Attribute value, Type to) -> Value {
      if (auto shaped = dyn_cast<VectorType>(to))
        value = DenseElementsAttr::get(shaped, value);
      return arith::ConstantOp::create(b, cast<TypedAttr>(value));
    };
    auto real = [&](double value) {
      return constant(b.getF64FloatAttr(value), f64);
    };
    auto integer = [&](int64_t value) {
      return constant(b.getI64IntegerAttr(value), i64);
    };
    auto fma = [&](Value x, Value y, Value z) -> Value {
      return math::FmaOp::create(b, x, y, z);
    };
    auto mul = [&](Value x, Value y) -> Value {
      return arith::MulFOp::create(b, x, y);
    };

    Value x = arith::ExtFOp::create(b, f64, op.getOperand());
    Value k = math::RoundEvenOp::create(b, mul(x, real(0x1.45f306dc9c883p-1)));
    Value minusK = arith::NegFOp::create(b, k);
    Value r = fma(minusK, real(0x1.921fb54442d18p+0), x);
    r = fma(minusK, real(0x1.1a62633145c07p-54), r);
    Value r2 = mul(r, r);
    // Taylor up to r^13 and r^12: below 2^-36 of the result on [-pi/4, pi/4].
    auto evaluate = [&](ArrayRef<double> coefficients) {
      Value sum = real(coefficients.front());
      for (double coefficient : coefficients.drop_front())
        sum = fma(sum, r2, real(coefficient));
      return sum;
    };
    Value sine =
        mul(r, evaluate({1.0 / 6227020800, -1.0 / 39916800, 1.0 / 362880,
                         -1.0 / 5040, 1.0 / 120, -1.0 / 6, 1.0}));
    Value cosine = evaluate({1.0 / 479001600, -1.0 / 3628800, 1.0 / 40320,
                             -1.0 / 720, 1.0 / 24, -0.5, 1.0});

    // The conversion of NaN and of what exceeds i64 is undefined.
    Value inRange = arith::CmpFOp::create(
        b, arith::CmpFPredicate::OLT, math::AbsFOp::create(b, k), real(0x1p62));
    Value safeK = arith::SelectOp::create(b, inRange, k, real(0));
    Value quadrant = arith::AddIOp::create(
        b, arith::FPToSIOp::create(b, i64, safeK), integer(quadrantOfZero));
    auto bitIsSet = [&](int64_t bit) -> Value {
      return arith::CmpIOp::create(
          b, arith::CmpIPredicate::ne,
          arith::AndIOp::create(b, quadrant, integer(bit)), integer(0));
    };
    Value magnitude = arith::SelectOp::create(b, bitIsSet(1), cosine, sine);
    Value result = arith::SelectOp::create(
        b, bitIsSet(2), arith::NegFOp::create(b, magnitude), magnitude);
    Value bounded = arith::MaxNumFOp::create(
        b, arith::MinNumFOp::create(b, result, real(1)), real(-1));
    Value isNumber =
        arith::CmpFOp::create(b, arith::CmpFPredicate::ORD, result, result);
    result = arith::SelectOp::create(b, isNumber, bounded, result);
    if (quadrantOfZero == 0) { // The reduction loses the sign of -0.
      Value isZero =
          arith::CmpFOp::create(b, arith::CmpFPredicate::OEQ, x, real(0));
      result = arith::SelectOp::create(b, isZero, x, result);
    }
    rewriter.replaceOpWithNewOp<arith::TruncFOp>(op, type, result);
    return success();
  }
};

struct ApproximateMath : lowp::impl::LowpApproximateMathBase<ApproximateMath> {
  void runOnOperation() override {
    RewritePatternSet patterns(&getContext());
    patterns.add<SinCosInF64<math::SinOp, 0>, SinCosInF64<math::CosOp, 1>>(
        &getContext(), /*benefit=*/10);
    // Narrow floats compute in f32 and round once.
    populateMathF32ExpansionPatterns(
        patterns, [](StringRef) { return true; }, /*benefit=*/2);
    static constexpr StringRef kFunctions[] = {
        math::AcosOp::getOperationName(),  math::AsinOp::getOperationName(),
        math::AtanOp::getOperationName(),  math::Atan2Op::getOperationName(),
        math::CbrtOp::getOperationName(),  math::ErfOp::getOperationName(),
        math::ErfcOp::getOperationName(),  math::ExpOp::getOperationName(),
        math::ExpM1Op::getOperationName(), math::LogOp::getOperationName(),
        math::Log1pOp::getOperationName(), math::Log2Op::getOperationName(),
        math::TanhOp::getOperationName(),
    };
    populateMathPolynomialApproximationPatterns(patterns, [](StringRef name) {
      return llvm::is_contained(kFunctions, name);
    });
    if (failed(applyPatternsGreedily(getOperation(), std::move(patterns))))
      signalPassFailure();
  }
};

} // namespace
