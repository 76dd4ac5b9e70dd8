//===- FormsApproximate.cpp - Functions with a documented error -----------===//
//
// Part of the Lowp project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Harness.h"
#include "Reference.h"

#include "llvm/ADT/StringExtras.h"

#include <algorithm>

using namespace lowp::sim::test;
using llvm::StringRef;

namespace {

const FloatType &getType(const std::string &name) {
  for (const FloatType &type : kTypes)
    if (type.name == name)
      return type;
  llvm_unreachable("no such type");
}

int getMinExponent(const FloatType &type) {
  return ilogb(APFloat::getSmallestNormalized(type.semantics));
}
/// The power of two after the largest number.
double getOverflow(const FloatType &type) {
  return std::ldexp(1.0, ilogb(APFloat::getLargest(type.semantics)) + 1);
}
double ulpOf(const FloatType &type, double value) {
  int exponent = std::max(std::ilogb(value), getMinExponent(type));
  return std::ldexp(1.0, exponent + 1 -
                             int(APFloat::semanticsPrecision(type.semantics)));
}

double toDouble(const FloatType &type, uint64_t bits) {
  APFloat value = toFloat(type, bits);
  bool lost;
  value.convert(APFloat::IEEEdouble(), APFloat::rmNearestTiesToEven, &lost);
  return value.convertToDouble();
}

/// The bits of a result that has to be exact.
uint64_t roundToBits(const FloatType &type, double value) {
  APFloat result(value);
  bool lost;
  result.convert(type.semantics, APFloat::rmNearestTiesToEven, &lost);
  return toBits(result);
}

double rcp(double a, double) { return 1 / a; }
double root(double a, double) { return std::sqrt(a); }
double rsqrt(double a, double) { return 1 / std::sqrt(a); }
double sine(double a, double) { return std::sin(a); }
double cosine(double a, double) { return std::cos(a); }
double lg2(double a, double) { return std::log2(a); }
double ex2(double a, double) { return std::exp2(a); }
double hyperbolic(double a, double) { return std::tanh(a); }
double quotient(double a, double b) { return a / b; }

/// The NaN of rcp and rsqrt of .f64 on an H200.
constexpr uint64_t kUpperNaN = 0x7FFFFFFF00000000;

/// What the ISA calls large divisors: the quotient is zero.
bool isHuge(double b) { return std::fabs(b) > 0x1p126 && std::isfinite(b); }

} // namespace

unsigned Approximation::getBits() const { return getType(type).bits; }

Bound Approximation::getBound(const std::string &form, const uint64_t *x,
                              unsigned which) const {
  const FloatType &format = getType(type);
  bool isF64 = type == "f64", isRcp = StringRef(form).starts_with("rcp");
  unsigned shift = which * format.bits;
  uint64_t mask = isF64 ? ~uint64_t(0) : (uint64_t(1) << format.bits) - 1;
  uint64_t bits[] = {x[0] >> shift & mask, x[1] >> shift & mask};
  bool isBinary = value == quotient;
  double operands[2] = {0, 1};
  for (unsigned k = 0; k <= unsigned(isBinary); ++k) {
    // The lower words of .f64 are ignored.
    if (isF64)
      bits[k] &= ~uint64_t(0xFFFFFFFF);
    APFloat operand = toFloat(format, bits[k]);
    if (operand.isNaN())
      return {isF64 ? kUpperNaN : format.nan};
    if (ftz)
      operand = flushed(operand);
    operands[k] = toDouble(format, toBits(operand));
  }
  auto [a, b] = operands;
  if (domain && !domain(a, b))
    return {std::nullopt, 0, -1};
  double exact = value(a, b);
  if (std::isnan(exact))
    return {isF64 ? kUpperNaN : format.nan};
  if (StringRef(form).starts_with("div.approx") && isHuge(b))
    return {std::isinf(a) ? format.nan
                          : roundToBits(format, std::copysign(0.0, exact))};
  // Newton's iteration needs that of a mantissa of ones.
  if (std::isinf(exact) || (exact == 0 && absolute == 0) ||
      (isRcp && !isF64 && (bits[0] & 0x7FFFFF) == 0x7FFFFF &&
       std::fabs(exact) >= std::ldexp(1.0, getMinExponent(format))))
    return {roundToBits(format, exact)};
  double error = ulp * ulpOf(format, exact) + relative * std::fabs(exact);
  // lg2: absolute near 1, where results are small, else relative.
  if (relative == 0 || (a > 0.5 && a < 2))
    error = std::max(error, absolute);
  // A relative error says nothing of subnormals: an H200 truncates them.
  bool isSubnormal = std::fabs(exact) < std::ldexp(1.0, getMinExponent(format));
  error = std::max(error, ulpOf(format, exact) /
                              (relative != 0 && isSubnormal ? 1 : 2));
  if (ftz) {
    double least = std::ldexp(1.0, getMinExponent(format));
    if (std::fabs(std::fabs(exact) - least) <= error)
      return {std::nullopt, 0, -1};
    if (std::fabs(exact) < least)
      return {roundToBits(format, std::copysign(0.0, exact))};
  }
  double most = getOverflow(format);
  return {std::nullopt, std::min(std::max(exact, -most), most), error};
}

double Approximation::getNumber(uint64_t bits, unsigned which) const {
  const FloatType &format = getType(type);
  bits >>= which * format.bits;
  if (type == "f64" && (bits & 0xFFFFFFFF) != 0)
    return std::nan("");
  double number = toDouble(format, bits);
  return std::isinf(number) ? std::copysign(getOverflow(format), number)
                            : number;
}

void lowp::sim::test::addApproximateForms(std::vector<Form> &forms) {
  auto add = [&](const std::string &name, const std::string &type,
                 Approximation approximation, unsigned count = 1) {
    approximation.type = type;
    approximation.count = count;
    approximation.ftz = StringRef(name).contains(".ftz");
    char letter = count == 2 ? 'r' : getType(type).letter;
    std::string operands = {letter, '=', letter};
    if (approximation.value == quotient)
      operands += letter;
    forms.push_back({name + "." + type + (count == 2 ? "x2" : ""), operands,
                     nullptr, "", nullptr, approximation});
  };
  auto make = [](double (*value)(double, double), double ulp, double relative,
                 double absolute, const std::string &documented,
                 bool (*domain)(double, double) = nullptr) {
    Approximation approximation;
    approximation.value = value;
    approximation.ulp = ulp;
    approximation.relative = relative;
    approximation.absolute = absolute;
    approximation.documented = documented;
    approximation.domain = domain;
    return approximation;
  };
  auto isSmallAngle = [](double a, double) {
    return std::fabs(a) < 6.28 || std::isinf(a);
  };
  auto isNoTinyDivisor = [](double, double b) {
    return b == 0 || std::fabs(b) >= 0x1p-126;
  };
  for (std::string ftz : {"", ".ftz"}) {
    add("rcp.approx" + ftz, "f32", make(rcp, 1, 0, 0, "1 ulp"));
    add("sqrt.approx" + ftz, "f32", make(root, 0, 0x1p-23, 0, "2^-23"));
    add("rsqrt.approx" + ftz, "f32", make(rsqrt, 0, 0x1.13p-23, 0, "2^-22.9"));
    add("sin.approx" + ftz, "f32",
        make(sine, 0, 0, 0x1.6bp-21, "2^-20.5 absolute", isSmallAngle));
    add("cos.approx" + ftz, "f32",
        make(cosine, 0, 0, 0x1.6bp-21, "2^-20.5 absolute", isSmallAngle));
    add("lg2.approx" + ftz, "f32",
        make(lg2, 0, 0x1p-22, 0x1p-22, "2^-22, absolute near 1"));
    add("ex2.approx" + ftz, "f32", make(ex2, 2, 0, 0, "2 ulp"));
    add("div.approx" + ftz, "f32",
        make(quotient, 2, 0, 0, "2 ulp", isNoTinyDivisor));
    add("div.full" + ftz, "f32", make(quotient, 2, 0, 0, "2 ulp"));
  }
  add("tanh.approx", "f32", make(hyperbolic, 0, 0x1p-11, 0, "2^-11"));
  for (unsigned count : {1u, 2u}) {
    add("tanh.approx", "f16",
        make(hyperbolic, 0, 0, 0x1.03p-11, "2^-10.99 absolute"), count);
    add("tanh.approx", "bf16",
        make(hyperbolic, 0, 0, 0x1.01p-8, "2^-8 absolute"), count);
    add("ex2.approx", "f16", make(ex2, 0, 0x1.13p-10, 0, "2^-9.9"), count);
    add("ex2.approx.ftz", "bf16", make(ex2, 0, 0x1p-7, 0, "2^-7"), count);
  }
  add("rcp.approx.ftz", "f64", make(rcp, 0, 0x1.2p-20, 0, "the upper 32 bits"));
  add("rsqrt.approx.ftz", "f64",
      make(rsqrt, 0, 0x1.2p-20, 0, "the upper 32 bits"));
}
