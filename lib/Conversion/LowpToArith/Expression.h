//===- Expression.h - arith operations as expressions -----------*- C++ -*-===//
//
// Part of the lowp project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Thin values over arith and vector operations, so that an expansion reads like
// the formula that it implements. An expression is a scalar or a vector of any
// rank; operands of one operation have one type, and constants take the type of
// the expression that they meet.
//
//===----------------------------------------------------------------------===//

#ifndef LOWP_LIB_CONVERSION_LOWPTOARITH_EXPRESSION_H
#define LOWP_LIB_CONVERSION_LOWPTOARITH_EXPRESSION_H

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/IR/Builders.h"
#include "mlir/IR/BuiltinTypes.h"
#include "mlir/IR/TypeUtilities.h"

namespace mlir::lowp::expand {

class Real;

/// What all expressions have in common.
class Expr {
public:
  Expr(ImplicitLocOpBuilder &builder, Value value)
      : builder(&builder), value(value) {}

  operator Value() const { return value; }
  Value get() const { return value; }
  ImplicitLocOpBuilder &getBuilder() const { return *builder; }
  Type getType() const { return value.getType(); }
  Type getElementType() const { return getElementTypeOrSelf(getType()); }
  /// Whether this is a 2-D vector: the elements of a batch of blocks.
  bool isBatch() const;

protected:
  /// The type of this expression with another element type.
  Type withElement(Type element) const;
  Value constant(TypedAttr scalar) const;
  /// The value for all of `shape`: a scalar for a vector, and one per block for
  /// the elements of a batch.
  Value splatTo(const Expr &shape) const;

  ImplicitLocOpBuilder *builder;
  Value value;
};

class Bool : public Expr {
public:
  using Expr::Expr;

  Bool operator&(Bool other) const;
  Bool operator|(Bool other) const;
  Bool splat(const Expr &shape) const { return {*builder, splatTo(shape)}; }
};

class Int : public Expr {
public:
  using Expr::Expr;

  Int operator+(Int other) const;
  Int operator-(Int other) const;
  Int operator*(Int other) const;
  Int operator&(Int other) const;
  Int operator|(Int other) const;
  Int operator^(Int other) const;
  Int operator+(int64_t other) const { return *this + like(other); }
  Int operator-(int64_t other) const { return *this - like(other); }
  Int operator&(int64_t other) const { return *this & like(other); }
  Int operator|(int64_t other) const { return *this | like(other); }
  Int operator<<(unsigned bits) const;
  /// Logical shift.
  Int operator>>(unsigned bits) const;
  /// Arithmetic shift to the right.
  Int sshr(unsigned bits) const;

  /// The low and the high half of the unsigned product.
  std::pair<Int, Int> mulExtended(int64_t factor) const;

  Int smax(Int other) const;
  Int umin(int64_t bound) const;
  Int umax(Int other) const;
  Int umax(int64_t bound) const { return umax(like(bound)); }
  Int smin(int64_t bound) const;
  Int smax(int64_t bound) const;

  Bool operator==(int64_t other) const;
  /// Unsigned comparisons.
  Bool operator<(int64_t other) const;
  Bool operator>(int64_t other) const;

  Int zext(unsigned width) const;
  Int sext(unsigned width) const;
  Int trunc(unsigned width) const;
  /// 1 where `flag` is set, else 0.
  static Int fromBool(Bool flag, unsigned width);
  /// All bits set where `flag` is set, else none.
  static Int maskFromBool(Bool flag, unsigned width);

  /// The float with these bits: of 16, an IEEE half.
  Real asReal() const;
  /// The number as a float of 32 bits; signed.
  Real toReal() const;
  Int splat(const Expr &shape) const { return {*builder, splatTo(shape)}; }
  /// This scalar, or a vector of it where `shape` is one.
  Int broadcastLike(const Expr &shape) const;
  /// The bits of a 1-D vector as elements of another width.
  Int reshape(unsigned width) const;
  Int like(int64_t constant) const;
  /// The largest of a vector, unsigned: of each block in a batch.
  Int largest() const;
  /// Elements `first`, `first + step` and so on of a batch.
  Int everyElement(int64_t first, int64_t step) const;
  /// Elements of two batches in turn.
  static Int interleave(Int even, Int odd);
};

class Real : public Expr {
public:
  using Expr::Expr;

  // Each is one IEEE operation, rounded to nearest.
  Real operator+(Real other) const;
  Real operator-(Real other) const;
  Real operator*(Real other) const;
  Real operator/(Real other) const;
  Real operator+(float other) const { return *this + like(other); }
  Real operator-(float other) const { return *this - like(other); }
  Real operator*(float other) const { return *this * like(other); }
  Real operator/(float other) const { return *this / like(other); }

  // Ordered comparisons: false where an operand is NaN.
  Bool operator<(Real other) const;
  Bool operator<(float other) const { return *this < like(other); }
  Bool operator>(float other) const;
  Bool operator==(float other) const;
  Bool isNan() const;
  /// NaN or infinity; for values that are not negative.
  Bool isNonFiniteMagnitude() const;

  /// min(value, bound); NaN stays NaN. One `minss` or `min.f32` with its NaN
  /// operand in the right place.
  Real minKeepNan(float bound) const;
  /// min(value, bound); NaN gives `bound`.
  Real minDropNan(float bound) const;
  /// max(value, bound); NaN gives `bound`.
  Real maxDropNan(float bound) const;

  Int bits() const;
  /// Bits with the sign cleared: they order as magnitudes do, NaN on top.
  Int magnitudeBits() const;
  Real magnitude() const { return magnitudeBits().asReal(); }

  Real toF64() const;
  /// Rounds to nearest.
  Real toF32() const;
  /// The part before the point, as an i32, where it is one.
  Int truncToInt() const;
  Real splat(const Expr &shape) const { return {*builder, splatTo(shape)}; }
  Real like(double constant) const;
  /// The scalar constant NaN.
  Real nanLike() const;
};

/// sum + lhs * rhs, where the product is exact: fused, which is the same, where
/// a target can.
Real addProduct(Real sum, Real lhs, Real rhs);
/// lhs * rhs - number, under the same condition.
Real subtractFromProduct(Real lhs, Real rhs, Real number);

inline Real operator/(float lhs, Real rhs) { return rhs.like(lhs) / rhs; }

Int select(Bool condition, Int yes, Int no);
Int select(Bool condition, int64_t yes, Int no);
Real select(Bool condition, Real yes, Real no);
Real select(Bool condition, float yes, Real no);

} // namespace mlir::lowp::expand

#endif // LOWP_LIB_CONVERSION_LOWPTOARITH_EXPRESSION_H
