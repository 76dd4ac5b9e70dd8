//===- Expression.cpp - arith operations as expressions -------------------===//
//
// Part of the lowp project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Expression.h"

#include "mlir/Dialect/Vector/IR/VectorOps.h"

#include "llvm/Support/MathExtras.h"

#include <limits>

using namespace mlir;
using namespace mlir::lowp::expand;

//===----------------------------------------------------------------------===//
// Expr
//===----------------------------------------------------------------------===//

bool Expr::isBatch() const {
  auto vector = dyn_cast<VectorType>(getType());
  return vector && vector.getRank() == 2;
}

Type Expr::withElement(Type element) const {
  if (auto vector = dyn_cast<VectorType>(getType()))
    return vector.clone(element);
  return element;
}

Value Expr::constant(TypedAttr scalar) const {
  if (auto vector = dyn_cast<VectorType>(getType()))
    return arith::ConstantOp::create(*builder,
                                     DenseElementsAttr::get(vector, scalar));
  return arith::ConstantOp::create(*builder, scalar);
}

Value Expr::splatTo(const Expr &shape) const {
  auto vector = cast<VectorType>(shape.getType());
  return vector::BroadcastOp::create(*builder, vector.clone(getElementType()),
                                     value);
}

//===----------------------------------------------------------------------===//
// Bool
//===----------------------------------------------------------------------===//

Bool Bool::operator&(Bool other) const {
  return {*builder, arith::AndIOp::create(*builder, value, other)};
}

Bool Bool::operator|(Bool other) const {
  return {*builder, arith::OrIOp::create(*builder, value, other)};
}

//===----------------------------------------------------------------------===//
// Int
//===----------------------------------------------------------------------===//

Int Int::like(int64_t constant) const {
  unsigned width = getElementType().getIntOrFloatBitWidth();
  APInt bits = APInt(64, constant, /*isSigned=*/true).sextOrTrunc(width);
  return {*builder, Expr::constant(IntegerAttr::get(getElementType(), bits))};
}

Int Int::operator+(Int other) const {
  return {*builder, arith::AddIOp::create(*builder, value, other)};
}

Int Int::operator-(Int other) const {
  return {*builder, arith::SubIOp::create(*builder, value, other)};
}

Int Int::operator*(Int other) const {
  return {*builder, arith::MulIOp::create(*builder, value, other)};
}

Int Int::operator&(Int other) const {
  return {*builder, arith::AndIOp::create(*builder, value, other)};
}

Int Int::operator|(Int other) const {
  return {*builder, arith::OrIOp::create(*builder, value, other)};
}

Int Int::operator^(Int other) const {
  return {*builder, arith::XOrIOp::create(*builder, value, other)};
}

std::pair<Int, Int> Int::mulExtended(int64_t factor) const {
  auto product = arith::MulUIExtendedOp::create(*builder, value, like(factor));
  return {Int(*builder, product.getLow()), Int(*builder, product.getHigh())};
}

Int Int::operator<<(unsigned bits) const {
  if (bits == 0)
    return *this;
  return {*builder, arith::ShLIOp::create(*builder, value, like(bits))};
}

Int Int::operator>>(unsigned bits) const {
  if (bits == 0)
    return *this;
  return {*builder, arith::ShRUIOp::create(*builder, value, like(bits))};
}

Int Int::sshr(unsigned bits) const {
  return {*builder, arith::ShRSIOp::create(*builder, value, like(bits))};
}

Int Int::smax(Int other) const {
  return {*builder, arith::MaxSIOp::create(*builder, value, other)};
}

Int Int::umin(int64_t bound) const {
  return {*builder, arith::MinUIOp::create(*builder, value, like(bound))};
}

Int Int::umax(Int other) const {
  return {*builder, arith::MaxUIOp::create(*builder, value, other)};
}

Int Int::smin(int64_t bound) const {
  return {*builder, arith::MinSIOp::create(*builder, value, like(bound))};
}

Int Int::smax(int64_t bound) const {
  return {*builder, arith::MaxSIOp::create(*builder, value, like(bound))};
}

static Bool compare(Int lhs, arith::CmpIPredicate predicate, int64_t rhs) {
  ImplicitLocOpBuilder &b = lhs.getBuilder();
  return {b, arith::CmpIOp::create(b, predicate, lhs, lhs.like(rhs))};
}

Bool Int::operator==(int64_t other) const {
  return compare(*this, arith::CmpIPredicate::eq, other);
}

Bool Int::operator<(int64_t other) const {
  return compare(*this, arith::CmpIPredicate::ult, other);
}

Bool Int::operator>(int64_t other) const {
  return compare(*this, arith::CmpIPredicate::ugt, other);
}

Int Int::zext(unsigned width) const {
  Type type = withElement(builder->getIntegerType(width));
  return {*builder, arith::ExtUIOp::create(*builder, type, value)};
}

Int Int::sext(unsigned width) const {
  Type type = withElement(builder->getIntegerType(width));
  return {*builder, arith::ExtSIOp::create(*builder, type, value)};
}

Int Int::trunc(unsigned width) const {
  Type type = withElement(builder->getIntegerType(width));
  return {*builder, arith::TruncIOp::create(*builder, type, value)};
}

Int Int::fromBool(Bool flag, unsigned width) {
  return Int(flag.getBuilder(), flag).zext(width);
}

Int Int::maskFromBool(Bool flag, unsigned width) {
  return Int(flag.getBuilder(), flag).sext(width);
}

Real Int::asReal() const {
  unsigned width = getElementType().getIntOrFloatBitWidth();
  Type element = width == 64   ? Type(builder->getF64Type())
                 : width == 16 ? Type(builder->getF16Type())
                               : Type(builder->getF32Type());
  return {*builder,
          arith::BitcastOp::create(*builder, withElement(element), value)};
}

Real Int::toReal() const {
  return {*builder, arith::SIToFPOp::create(
                        *builder, withElement(builder->getF32Type()), value)};
}

Int Int::broadcastLike(const Expr &shape) const {
  return isa<VectorType>(shape.getType()) ? splat(shape) : *this;
}

Int Int::reshape(unsigned width) const {
  int64_t bits = cast<VectorType>(getType()).getNumElements() *
                 getElementType().getIntOrFloatBitWidth();
  Type type = VectorType::get({bits / width}, builder->getIntegerType(width));
  return {*builder, vector::BitCastOp::create(*builder, type, value)};
}

Int Int::largest() const {
  if (!isBatch())
    return {*builder, vector::ReductionOp::create(
                          *builder, vector::CombiningKind::MAXUI, value)};
  SmallVector<Value> rows;
  for (int64_t i = 0; i < cast<VectorType>(getType()).getDimSize(0); ++i)
    rows.push_back(vector::ExtractOp::create(*builder, value, i));
  // As a tree: a chain would make one comparison wait for the other.
  while (rows.size() > 1) {
    SmallVector<Value> halves;
    for (size_t i = 0; i + 1 < rows.size(); i += 2)
      halves.push_back(arith::MaxUIOp::create(*builder, rows[i], rows[i + 1]));
    if (rows.size() % 2 != 0)
      halves.push_back(rows.back());
    rows = std::move(halves);
  }
  return {*builder, rows.front()};
}

/// `batch` with `row` as element `i` of all blocks. Chains of vector.insert
/// would become lists of scalars.
static Value insertElement(ImplicitLocOpBuilder &b, Value row, Value batch,
                           int64_t i) {
  return vector::InsertStridedSliceOp::create(
      b, row, batch, ArrayRef<int64_t>{i, 0}, ArrayRef<int64_t>{1});
}

/// A batch of `count` elements per block, to be filled.
static Value zeroBatch(ImplicitLocOpBuilder &b, VectorType type,
                       int64_t count) {
  auto all =
      VectorType::get({count, type.getDimSize(1)}, type.getElementType());
  return arith::ConstantOp::create(b, cast<TypedAttr>(b.getZeroAttr(all)));
}

Int Int::everyElement(int64_t first, int64_t step) const {
  auto type = cast<VectorType>(getType());
  int64_t count = llvm::divideCeil(type.getDimSize(0) - first, step);
  Value taken = zeroBatch(*builder, type, count);
  for (int64_t i = 0; i < count; ++i) {
    Value row = vector::ExtractOp::create(*builder, value, first + i * step);
    taken = insertElement(*builder, row, taken, i);
  }
  return {*builder, taken};
}

Int Int::interleave(Int even, Int odd) {
  ImplicitLocOpBuilder &b = even.getBuilder();
  auto type = cast<VectorType>(even.getType());
  Value all = zeroBatch(b, type, 2 * type.getDimSize(0));
  for (int64_t i = 0; i < 2 * type.getDimSize(0); ++i) {
    Value row = vector::ExtractOp::create(b, i % 2 ? odd : even, i / 2);
    all = insertElement(b, row, all, i);
  }
  return {b, all};
}

//===----------------------------------------------------------------------===//
// Real
//===----------------------------------------------------------------------===//

Real Real::like(double constant) const {
  return {*builder, Expr::constant(FloatAttr::get(getElementType(), constant))};
}

Real Real::nanLike() const {
  return like(std::numeric_limits<double>::quiet_NaN());
}

Real Real::operator+(Real other) const {
  return {*builder, arith::AddFOp::create(*builder, value, other)};
}

Real Real::operator-(Real other) const {
  return {*builder, arith::SubFOp::create(*builder, value, other)};
}

Real Real::operator*(Real other) const {
  return {*builder, arith::MulFOp::create(*builder, value, other)};
}

Real Real::operator/(Real other) const {
  return {*builder, arith::DivFOp::create(*builder, value, other)};
}

/// A product that may be part of one rounding with what follows.
static Value fusibleProduct(Real lhs, Real rhs) {
  return arith::MulFOp::create(lhs.getBuilder(), lhs, rhs,
                               arith::FastMathFlags::contract);
}

Real mlir::lowp::expand::addProduct(Real sum, Real lhs, Real rhs) {
  ImplicitLocOpBuilder &b = sum.getBuilder();
  return {b, arith::AddFOp::create(b, sum, fusibleProduct(lhs, rhs),
                                   arith::FastMathFlags::contract)};
}

Real mlir::lowp::expand::subtractFromProduct(Real lhs, Real rhs, Real number) {
  ImplicitLocOpBuilder &b = number.getBuilder();
  return {b, arith::SubFOp::create(b, fusibleProduct(lhs, rhs), number,
                                   arith::FastMathFlags::contract)};
}

static Bool compare(Real lhs, arith::CmpFPredicate predicate, Real rhs) {
  ImplicitLocOpBuilder &b = lhs.getBuilder();
  return {b, arith::CmpFOp::create(b, predicate, lhs, rhs)};
}

Bool Real::operator<(Real other) const {
  return compare(*this, arith::CmpFPredicate::OLT, other);
}

Bool Real::operator>(float other) const {
  return compare(*this, arith::CmpFPredicate::OGT, like(other));
}

Bool Real::operator==(float other) const {
  return compare(*this, arith::CmpFPredicate::OEQ, like(other));
}

Bool Real::isNan() const {
  return compare(*this, arith::CmpFPredicate::UNO, *this);
}

Bool Real::isNonFiniteMagnitude() const { return bits() > 0x7F7FFFFF; }

Real Real::minKeepNan(float bound) const {
  return select(*this > bound, bound, *this);
}

Real Real::minDropNan(float bound) const {
  return select(*this < bound, *this, like(bound));
}

Real Real::maxDropNan(float bound) const {
  return select(*this > bound, *this, like(bound));
}

Int Real::bits() const {
  unsigned width = getElementType().getIntOrFloatBitWidth();
  return {*builder,
          arith::BitcastOp::create(
              *builder, withElement(builder->getIntegerType(width)), value)};
}

Int Real::magnitudeBits() const {
  unsigned width = getElementType().getIntOrFloatBitWidth();
  return bits() &
         static_cast<int64_t>(APInt::getSignedMaxValue(width).getZExtValue());
}

Real Real::toF64() const {
  return {*builder, arith::ExtFOp::create(
                        *builder, withElement(builder->getF64Type()), value)};
}

Real Real::toF32() const {
  return {*builder, arith::TruncFOp::create(
                        *builder, withElement(builder->getF32Type()), value)};
}

Int Real::truncToInt() const {
  return {*builder, arith::FPToSIOp::create(
                        *builder, withElement(builder->getI32Type()), value)};
}

//===----------------------------------------------------------------------===//
// Select
//===----------------------------------------------------------------------===//

static Value selectValue(Bool condition, Value yes, Value no) {
  return arith::SelectOp::create(condition.getBuilder(), condition, yes, no);
}

Int mlir::lowp::expand::select(Bool condition, Int yes, Int no) {
  return {condition.getBuilder(), selectValue(condition, yes, no)};
}

Int mlir::lowp::expand::select(Bool condition, int64_t yes, Int no) {
  return select(condition, no.like(yes), no);
}

Real mlir::lowp::expand::select(Bool condition, Real yes, Real no) {
  return {condition.getBuilder(), selectValue(condition, yes, no)};
}

Real mlir::lowp::expand::select(Bool condition, float yes, Real no) {
  return select(condition, no.like(yes), no);
}
