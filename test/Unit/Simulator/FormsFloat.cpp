//===- FormsFloat.cpp - Floating-point instructions by APFloat ------------===//
//
// Part of the Lowp project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Harness.h"
#include "Reference.h"

using namespace lowp::sim::test;

namespace {

using Result = std::optional<uint64_t>;
using Operation =
    std::function<APFloat(const std::vector<APFloat> &, APFloat::roundingMode)>;

APFloat sum(const std::vector<APFloat> &x, APFloat::roundingMode mode) {
  APFloat r = x[0];
  r.add(x[1], mode);
  return r;
}
APFloat difference(const std::vector<APFloat> &x, APFloat::roundingMode mode) {
  APFloat r = x[0];
  r.subtract(x[1], mode);
  return r;
}
APFloat product(const std::vector<APFloat> &x, APFloat::roundingMode mode) {
  APFloat r = x[0];
  r.multiply(x[1], mode);
  return r;
}
APFloat fusedSum(const std::vector<APFloat> &x, APFloat::roundingMode mode) {
  APFloat r = x[0];
  r.fusedMultiplyAdd(x[1], x[2], mode);
  return r;
}
APFloat quotient(const std::vector<APFloat> &x, APFloat::roundingMode mode) {
  APFloat r = x[0];
  r.divide(x[1], mode);
  return r;
}
APFloat reciprocal(const std::vector<APFloat> &x, APFloat::roundingMode mode) {
  APFloat r(x[0].getSemantics(), 1);
  r.divide(x[0], mode);
  return r;
}

/// By the definition: the largest r with r * r <= x, found by bisection of the
/// bits, in a precision in which squares are exact.
APFloat root(const std::vector<APFloat> &x, APFloat::roundingMode mode) {
  const APFloat &a = x[0];
  const fltSemantics &semantics = a.getSemantics();
  if (a.isZero() || a.isNaN())
    return a;
  if (a.isNegative())
    return APFloat::getNaN(semantics);
  if (a.isInfinity())
    return a;
  auto widen = [](APFloat value) {
    bool lost;
    value.convert(APFloat::IEEEquad(), APFloat::rmNearestTiesToEven, &lost);
    return value;
  };
  auto square = [](APFloat value) {
    value.multiply(value, APFloat::rmNearestTiesToEven);
    return value;
  };
  unsigned bits = APFloat::getSizeInBits(semantics);
  uint64_t lo = 0, hi = toBits(APFloat::getInf(semantics));
  while (hi - lo > 1) {
    uint64_t middle = lo + (hi - lo) / 2;
    APFloat r(semantics, APInt(64, middle).trunc(bits));
    (square(widen(r)) <= widen(a) ? lo : hi) = middle;
  }
  APFloat below(semantics, APInt(64, lo).trunc(bits));
  APFloat above(semantics, APInt(64, lo + 1).trunc(bits));
  if (square(widen(below)) == widen(a) || mode == APFloat::rmTowardZero ||
      mode == APFloat::rmTowardNegative)
    return below;
  if (mode == APFloat::rmTowardPositive)
    return above;
  APFloat middle = widen(below);
  middle.add(widen(above), APFloat::rmNearestTiesToEven);
  middle.multiply(APFloat(APFloat::IEEEquad(), "0.5"),
                  APFloat::rmNearestTiesToEven);
  return square(middle) < widen(a) ? above : below;
}

/// The NaN of F64 results: see the comments of the rows.
uint64_t nanOf(const FloatType &type, const uint64_t *x,
               llvm::ArrayRef<unsigned> order) {
  if (type.name != "f64")
    return type.nan;
  for (unsigned k : order)
    if (toFloat(type, x[k]).isNaN())
      return x[k] | uint64_t(1) << 51;
  return type.nan;
}

/// Whether a result is subnormal before it is rounded to the type's range: the
/// operation is done in F64 towards zero, made odd where that lost something,
/// and moved to where its mantissa is that of a normal number.
bool isTiny(const Operation &operation, const FloatType &type,
            const std::vector<APFloat> &x, APFloat::roundingMode mode) {
  int least = type.bits == 32 ? -126 : -14, up = type.bits == 32 ? 64 : 20;
  std::vector<APFloat> wide = x;
  bool lost;
  for (APFloat &value : wide)
    value.convert(APFloat::IEEEdouble(), APFloat::rmNearestTiesToEven, &lost);
  APFloat cut = operation(wide, APFloat::rmTowardZero);
  APFloat away = operation(wide, cut.isNegative() ? APFloat::rmTowardNegative
                                                  : APFloat::rmTowardPositive);
  if (!cut.isFinite() || cut.isZero())
    return false;
  uint64_t bits = toBits(cut) | (toBits(away) != toBits(cut));
  APFloat odd(APFloat::IEEEdouble(), APInt(64, bits));
  int exponent = ilogb(odd);
  if (exponent >= least)
    return false;
  // What is far below is tiny however it rounds.
  if (exponent < least - 10)
    return true;
  APFloat moved = scalbn(odd, up, APFloat::rmNearestTiesToEven);
  moved.convert(type.semantics, mode, &lost);
  return ilogb(moved) < least + up;
}

struct Modifiers {
  bool ftz = false, sat = false, relu = false;

  std::string str() const {
    return std::string(ftz ? ".ftz" : "") + (sat ? ".sat" : "") +
           (relu ? ".relu" : "");
  }
};

uint64_t evaluate(const Operation &operation, const FloatType &type,
                  unsigned arity, APFloat::roundingMode mode,
                  const Modifiers &m, llvm::ArrayRef<unsigned> nanOrder,
                  const uint64_t *x) {
  std::vector<APFloat> operands;
  bool hasNaN = false;
  for (unsigned k = 0; k < arity; ++k) {
    operands.push_back(toFloat(type, x[k]));
    hasNaN |= operands.back().isNaN();
    if (m.ftz)
      operands.back() = flushed(operands.back());
  }
  APFloat result =
      hasNaN ? APFloat::getNaN(type.semantics) : operation(operands, mode);
  if (m.ftz && !result.isNaN()) {
    if (isTiny(operation, type, operands, mode))
      result = APFloat::getZero(type.semantics, result.isNegative());
  }
  APFloat one(type.semantics, 1);
  if (m.sat) {
    if (result.isNaN() || result.isNegative())
      return 0;
    return toBits(result > one ? one : result);
  }
  if (result.isNaN())
    return nanOf(type, x, nanOrder);
  if (m.relu && result.isNegative())
    return 0;
  return toBits(result);
}

void addArithmetic(std::vector<Form> &forms, const std::string &name,
                   const Operation &operation, unsigned arity) {
  // F64: of two NaN operands the second survives; of fma's b, then c, then a.
  static const std::vector<unsigned> two = {1, 0}, three = {1, 2, 0};
  const std::vector<unsigned> &order = arity == 3 ? three : two;
  auto add = [&](const std::string &mnemonic, const FloatType &type,
                 APFloat::roundingMode mode, const Modifiers &m) {
    std::string operands = std::string{type.letter, '='};
    operands.append(arity, type.letter);
    forms.push_back({mnemonic + "." + type.name, operands,
                     [=](const uint64_t *x) -> Result {
                       return evaluate(operation, type, arity, mode, m, order,
                                       x);
                     },
                     ""});
    if (type.name == "f64")
      return;
    // Two numbers in one register.
    if (type.bits == 32 && (m.sat || m.relu))
      return;
    char letter = type.bits == 32 ? 'd' : 'r';
    operands = std::string{letter, '='};
    operands.append(arity, letter);
    forms.push_back({mnemonic + "." + type.name + "x2", operands,
                     [=](const uint64_t *x) -> Result {
                       uint64_t result = 0, mask = (1ull << type.bits) - 1;
                       for (unsigned shift : {0u, type.bits}) {
                         uint64_t y[3];
                         for (unsigned k = 0; k < arity; ++k)
                           y[k] = x[k] >> shift & mask;
                         result |=
                             evaluate(operation, type, arity, mode, m, order, y)
                             << shift;
                       }
                       return result;
                     },
                     ""});
  };
  for (const Mode &mode : kModes)
    for (bool ftz : {false, true})
      for (bool sat : {false, true}) {
        Modifiers m{ftz, sat, false};
        add(name + "." + mode.name + m.str(), kTypes[0], mode.mode, m);
        if (!ftz && !sat)
          add(name + "." + mode.name, kTypes[1], mode.mode, m);
        if (mode.name == "rn")
          add(name + ".rn" + m.str(), kTypes[2], mode.mode, m);
      }
  add(name + ".rn", kTypes[3], APFloat::rmNearestTiesToEven, {});
  if (arity == 3) {
    Modifiers relu{false, false, true}, both{true, false, true};
    add(name + ".rn.relu", kTypes[2], APFloat::rmNearestTiesToEven, relu);
    add(name + ".rn.ftz.relu", kTypes[2], APFloat::rmNearestTiesToEven, both);
    add(name + ".rn.relu", kTypes[3], APFloat::rmNearestTiesToEven, relu);
    return;
  }
  // Without a rounding the instruction is the nearest; a compiler may fuse it.
  add(name, kTypes[0], APFloat::rmNearestTiesToEven, {});
  add(name, kTypes[1], APFloat::rmNearestTiesToEven, {});
  add(name, kTypes[2], APFloat::rmNearestTiesToEven, {});
  add(name, kTypes[3], APFloat::rmNearestTiesToEven, {});
}

/// All operands but the last are converted to F32 first, which is exact.
void addMixed(std::vector<Form> &forms, const std::string &name,
              const Operation &operation, unsigned arity) {
  auto widened = [](const FloatType &type, uint64_t bits) {
    APFloat value = toFloat(type, bits);
    bool lost;
    value.convert(APFloat::IEEEsingle(), APFloat::rmNearestTiesToEven, &lost);
    return toBits(value);
  };
  for (unsigned k : {2u, 3u})
    for (bool sat : {false, true}) {
      const FloatType &from = kTypes[k];
      Modifiers m{false, sat, false};
      std::string operands = "r=";
      operands.append(arity - 1, 'h');
      auto add = [&](const std::string &rounding, APFloat::roundingMode mode) {
        forms.push_back(
            {name + rounding + m.str() + ".f32." + from.name, operands + "r",
             [=, &from](const uint64_t *x) -> Result {
               uint64_t y[3];
               for (unsigned k = 0; k < arity; ++k)
                 y[k] = k + 1 < arity ? widened(from, x[k]) : x[k];
               return evaluate(operation, kTypes[0], arity, mode, m, {}, y);
             },
             ""});
      };
      for (const Mode &mode : kModes)
        add("." + mode.name, mode.mode);
      if (arity == 2)
        add("", APFloat::rmNearestTiesToEven);
    }
}

void addRounded(std::vector<Form> &forms, const std::string &name,
                const Operation &operation, unsigned arity) {
  static const std::vector<unsigned> order = {0, 1};
  for (const Mode &mode : kModes)
    for (unsigned k : {0u, 1u})
      for (bool ftz : {false, true}) {
        const FloatType &type = kTypes[k];
        if (ftz && k == 1)
          continue;
        Modifiers m{ftz, false, false};
        std::string operands = std::string{type.letter, '='};
        operands.append(arity, type.letter);
        auto order1 = arity == 1 ? std::vector<unsigned>{0} : order;
        // F64 NaN: the first operand's survives.
        forms.push_back(
            {name + "." + mode.name + m.str() + "." + type.name, operands,
             [=, &type](const uint64_t *x) -> Result {
               return evaluate(operation, type, arity, mode.mode, m, order1, x);
             },
             ""});
      }
}

//===----------------------------------------------------------------------===//
// Minimum, maximum, sign
//===----------------------------------------------------------------------===//

uint64_t extreme(const FloatType &type, bool isMax, bool ftz, bool nan,
                 bool xorsign, bool abs, const uint64_t *x, unsigned count) {
  std::vector<APFloat> values;
  bool anyNaN = false, allNaN = true, sign = false;
  for (unsigned k = 0; k < count; ++k) {
    APFloat value = toFloat(type, x[k]);
    if (ftz)
      value = flushed(value);
    sign ^= value.isNegative();
    if (abs && value.isNegative())
      value.changeSign();
    anyNaN |= value.isNaN();
    allNaN &= value.isNaN();
    if (!value.isNaN())
      values.push_back(value);
  }
  if (allNaN || (nan && anyNaN))
    return nanOf(type, x, {1, 0});
  APFloat best = values[0];
  for (const APFloat &value : values)
    best = isMax ? maximum(best, value) : minimum(best, value);
  if (xorsign && best.isNegative() != sign)
    best.changeSign();
  return toBits(best);
}

void addExtremes(std::vector<Form> &forms) {
  for (bool isMax : {false, true})
    for (const FloatType &type : kTypes)
      for (bool ftz : {false, true})
        for (bool nan : {false, true})
          for (bool xorsign : {false, true}) {
            bool isF64 = type.name == "f64", isBF16 = type.name == "bf16";
            if ((isF64 && (ftz || nan || xorsign)) || (isBF16 && ftz))
              continue;
            std::string name = std::string(isMax ? "max" : "min") +
                               (ftz ? ".ftz" : "") + (nan ? ".NaN" : "") +
                               (xorsign ? ".xorsign.abs" : "") + "." +
                               type.name;
            char l = type.letter;
            forms.push_back({name, std::string{l, '=', l, l},
                             [=, &type](const uint64_t *x) -> Result {
                               return extreme(type, isMax, ftz, nan, xorsign,
                                              xorsign, x, 2);
                             },
                             ""});
            if (type.bits == 16)
              forms.push_back({name + "x2", "r=rr",
                               [=, &type](const uint64_t *x) -> Result {
                                 uint64_t low[] = {x[0] & 0xFFFF,
                                                   x[1] & 0xFFFF};
                                 uint64_t high[] = {x[0] >> 16, x[1] >> 16};
                                 return extreme(type, isMax, ftz, nan, xorsign,
                                                xorsign, low, 2) |
                                        extreme(type, isMax, ftz, nan, xorsign,
                                                xorsign, high, 2)
                                            << 16;
                               },
                               ""});
            if (type.name == "f32" && !xorsign)
              for (bool abs : {false, true})
                forms.push_back(
                    {std::string(isMax ? "max" : "min") + (ftz ? ".ftz" : "") +
                         (nan ? ".NaN" : "") + (abs ? ".abs" : "") + ".f32",
                     "r=rrr",
                     [=, &type](const uint64_t *x) -> Result {
                       // The NaN of any number of them is the same.
                       return extreme(type, isMax, ftz, nan, false, abs, x, 3);
                     },
                     ""});
          }
}

void addSigns(std::vector<Form> &forms) {
  for (bool isNeg : {false, true})
    for (const FloatType &type : kTypes)
      for (bool ftz : {false, true}) {
        if (ftz && type.name != "f32" && type.name != "f16")
          continue;
        std::string name = std::string(isNeg ? "neg" : "abs") +
                           (ftz ? ".ftz." : ".") + type.name;
        // NaN loses its sign; that of F64 keeps it and becomes quiet.
        auto apply = [=, &type](uint64_t bits) -> uint64_t {
          APFloat value = toFloat(type, bits);
          if (value.isNaN())
            return type.name == "f64" ? bits | uint64_t(1) << 51 : type.nan;
          if (ftz)
            value = flushed(value);
          if (isNeg || value.isNegative())
            value.changeSign();
          return toBits(value);
        };
        forms.push_back(
            {name, std::string{type.letter, '=', type.letter},
             [=](const uint64_t *x) -> Result { return apply(x[0]); }, ""});
        if (type.bits == 16)
          forms.push_back({name + "x2", "r=r",
                           [=](const uint64_t *x) -> Result {
                             return apply(x[0] & 0xFFFF) | apply(x[0] >> 16)
                                                               << 16;
                           },
                           ""});
      }
  for (unsigned k : {0u, 1u}) {
    const FloatType &type = kTypes[k];
    char l = type.letter;
    forms.push_back({"copysign." + type.name, std::string{l, '=', l, l},
                     [=, &type](const uint64_t *x) -> Result {
                       APInt value(64, x[1]);
                       value.setBitVal(type.bits - 1,
                                       x[0] >> (type.bits - 1) & 1);
                       return value.getZExtValue();
                     },
                     ""});
    using Test = bool (*)(const APFloat &);
    const std::pair<const char *, Test> tests[] = {
        {"finite", [](const APFloat &a) { return a.isFinite(); }},
        {"infinite", [](const APFloat &a) { return a.isInfinity(); }},
        {"number", [](const APFloat &a) { return !a.isNaN(); }},
        {"notanumber", [](const APFloat &a) { return a.isNaN(); }},
        // Zero is normal, as on an H200.
        {"normal", [](const APFloat &a) { return a.isNormal() || a.isZero(); }},
        {"subnormal", [](const APFloat &a) { return a.isDenormal(); }}};
    for (auto [name, test] : tests)
      forms.push_back({std::string("testp.") + name + "." + type.name,
                       std::string{'p', '=', l},
                       [=, &type, test = test](const uint64_t *x) -> Result {
                         return test(toFloat(type, x[0]));
                       },
                       ""});
  }
}

} // namespace

void lowp::sim::test::addFloatForms(std::vector<Form> &forms) {
  addArithmetic(forms, "add", sum, 2);
  addArithmetic(forms, "sub", difference, 2);
  addArithmetic(forms, "mul", product, 2);
  addArithmetic(forms, "fma", fusedSum, 3);
  addMixed(forms, "add", sum, 2);
  addMixed(forms, "sub", difference, 2);
  addMixed(forms, "fma", fusedSum, 3);
  addRounded(forms, "div", quotient, 2);
  addRounded(forms, "rcp", reciprocal, 1);
  addRounded(forms, "sqrt", root, 1);
  addExtremes(forms);
  addSigns(forms);
}
