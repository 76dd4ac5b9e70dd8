//===- FormsConvert.cpp - Conversions by APFloat and APInt ----------------===//
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

struct IntType {
  std::string name;
  unsigned bits;
  bool isSigned;
  char letter;
};

const IntType kInts[] = {{"u8", 8, false, 'h'},   {"s8", 8, true, 'h'},
                         {"u16", 16, false, 'h'}, {"s16", 16, true, 'h'},
                         {"u32", 32, false, 'r'}, {"s32", 32, true, 'r'},
                         {"u64", 64, false, 'd'}, {"s64", 64, true, 'd'}};

const Mode kIntegerModes[] = {{"rni", APFloat::rmNearestTiesToEven},
                              {"rzi", APFloat::rmTowardZero},
                              {"rmi", APFloat::rmTowardNegative},
                              {"rpi", APFloat::rmTowardPositive}};

APInt valueOf(const IntType &type, uint64_t bits) {
  APInt value = APInt(64, bits).trunc(type.bits);
  return type.isSigned ? value.sext(130) : value.zext(130);
}

APInt clampTo(const IntType &type, const APInt &value) {
  APInt least = type.isSigned ? APInt::getSignedMinValue(type.bits).sext(130)
                              : APInt::getZero(130);
  APInt most = type.isSigned ? APInt::getSignedMaxValue(type.bits).sext(130)
                             : APInt::getMaxValue(type.bits).zext(130);
  return value.slt(least) ? least : value.sgt(most) ? most : value;
}

/// What a register holds of a value: all of it extended as the type says.
uint64_t registerOf(const IntType &type, const APInt &value) {
  APInt cut = value.trunc(type.bits);
  return (type.isSigned ? cut.sext(64) : cut.zext(64)).getZExtValue();
}

void addIntegers(std::vector<Form> &forms) {
  for (const IntType &to : kInts)
    for (const IntType &from : kInts) {
      if (to.name == from.name)
        continue;
      std::string operands = std::string{to.letter, '=', from.letter};
      forms.push_back({"cvt." + to.name + "." + from.name, operands,
                       [=](const uint64_t *x) -> Result {
                         return registerOf(to, valueOf(from, x[0]));
                       },
                       ""});
      if (to.bits > from.bits && (to.isSigned || !from.isSigned))
        continue;
      forms.push_back({"cvt.sat." + to.name + "." + from.name, operands,
                       [=](const uint64_t *x) -> Result {
                         return registerOf(to,
                                           clampTo(to, valueOf(from, x[0])));
                       },
                       ""});
    }
}

void addIntegersToFloats(std::vector<Form> &forms) {
  for (const IntType &from : kInts)
    for (const FloatType &to : kTypes)
      for (const Mode &mode : kModes) {
        if (to.name == "bf16" && from.bits == 8)
          continue;
        forms.push_back({"cvt." + mode.name + "." + to.name + "." + from.name,
                         std::string{to.letter, '=', from.letter},
                         [=, &to](const uint64_t *x) -> Result {
                           APFloat value(to.semantics);
                           APInt whole = valueOf(from, x[0]);
                           value.convertFromAPInt(whole, /*IsSigned=*/true,
                                                  mode.mode);
                           return toBits(value);
                         },
                         ""});
      }
}

void addFloatsToIntegers(std::vector<Form> &forms) {
  for (const FloatType &from : kTypes)
    for (const IntType &to : kInts)
      for (const Mode &mode : kIntegerModes)
        for (bool ftz : {false, true}) {
          if ((ftz && from.name != "f32") ||
              (from.name == "bf16" && to.bits == 8))
            continue;
          forms.push_back({"cvt." + mode.name + (ftz ? ".ftz." : ".") +
                               to.name + "." + from.name,
                           std::string{to.letter, '=', from.letter},
                           [=, &from](const uint64_t *x) -> Result {
                             APFloat value = toFloat(from, x[0]);
                             if (ftz)
                               value = flushed(value);
                             if (value.isNaN()) {
                               bool isWide = from.bits == 64 || to.bits == 64;
                               uint64_t sign = uint64_t(1) << (to.bits - 1);
                               return isWide ? registerOf(to, valueOf(to, sign))
                                             : 0;
                             }
                             // Wide enough for all but infinities and large
                             // F64, which become the nearest of these bits.
                             llvm::APSInt whole(130, /*isUnsigned=*/false);
                             bool exact;
                             value.convertToInteger(whole, mode.mode, &exact);
                             return registerOf(to, clampTo(to, whole));
                           },
                           ""});
        }
}

//===----------------------------------------------------------------------===//
// Floats to floats
//===----------------------------------------------------------------------===//

/// A NaN with the sign and the upper payload bits of another, quiet.
uint64_t convertNaN(const FloatType &to, const FloatType &from, uint64_t bits) {
  unsigned toMantissa = APFloat::semanticsPrecision(to.semantics) - 1;
  unsigned fromMantissa = APFloat::semanticsPrecision(from.semantics) - 1;
  APInt payload = APInt(128, bits & ((1ull << fromMantissa) - 1));
  payload = payload.shl(toMantissa).lshr(fromMantissa);
  uint64_t inf = toBits(APFloat::getInf(to.semantics));
  uint64_t sign = bits >> (from.bits - 1) << (to.bits - 1);
  return sign | inf | 1ull << (toMantissa - 1) | payload.getZExtValue();
}

struct Modifiers {
  bool ftz = false, sat = false, satfinite = false, relu = false;

  std::string str() const {
    return std::string(relu ? ".relu" : "") + (ftz ? ".ftz" : "") +
           (sat ? ".sat" : "") + (satfinite ? ".satfinite" : "");
  }
};

uint64_t convert(const FloatType &to, const FloatType &from,
                 APFloat::roundingMode mode, const Modifiers &m, uint64_t bits,
                 bool toIntegral) {
  APFloat value = toFloat(from, bits);
  // Flushing is for results in f32 and f64, as an H200 has it.
  if (m.ftz && from.name == "f32" && to.name != "f16")
    value = flushed(value);
  if (value.isNaN()) {
    if (m.sat)
      return 0;
    if (m.ftz && from.name == "f32")
      bits = from.nan;
    bool isF64 = to.name == "f64" || from.name == "f64";
    if (isF64 && !m.relu && !m.satfinite)
      return convertNaN(to, from, bits);
    return to.nan;
  }
  bool lost;
  if (toIntegral)
    value.roundToIntegral(mode);
  APFloat source = value;
  value.convert(to.semantics, mode, &lost);
  if (m.ftz && to.name == "f32" && value.isDenormal())
    value = flushed(value);
  if (m.ftz && to.name == "f32" && from.name == "f64" && !value.isZero() &&
      ilogb(value) == -126 && ilogb(source) < -126) {
    // Rounded up to the least normal number, unless 24 bits did not need to.
    APFloat moved = scalbn(source, 64, APFloat::rmNearestTiesToEven);
    moved.convert(to.semantics, mode, &lost);
    if (ilogb(moved) < -126 + 64)
      value = APFloat::getZero(to.semantics, value.isNegative());
  }
  if (m.satfinite && value.isInfinity())
    value = APFloat::getLargest(to.semantics, value.isNegative());
  APFloat one(to.semantics, 1);
  if (m.sat)
    return value.isNegative() ? 0 : toBits(value > one ? one : value);
  if (m.relu && value.isNegative())
    return 0;
  return toBits(value);
}

void addFloat(std::vector<Form> &forms, const FloatType &to,
              const FloatType &from, const Mode *mode, const Modifiers &m,
              bool toIntegral = false) {
  auto rounding = mode ? mode->mode : APFloat::rmNearestTiesToEven;
  forms.push_back({"cvt" + (mode ? "." + mode->name : "") + m.str() + "." +
                       to.name + "." + from.name,
                   std::string{to.letter, '=', from.letter},
                   [=, &to, &from](const uint64_t *x) -> Result {
                     return convert(to, from, rounding, m, x[0], toIntegral);
                   },
                   ""});
}

void addFloats(std::vector<Form> &forms) {
  const FloatType &f32 = kTypes[0], &f64 = kTypes[1], &f16 = kTypes[2],
                  &bf16 = kTypes[3];
  const std::pair<const FloatType *, const FloatType *> narrowing[] = {
      {&f32, &f64},  {&f16, &f64},  {&f16, &f32}, {&bf16, &f64},
      {&bf16, &f32}, {&f16, &bf16}, {&bf16, &f16}};
  for (auto [to, from] : narrowing)
    for (const Mode &mode : kModes) {
      addFloat(forms, *to, *from, &mode, {});
      if (to != &bf16 && from != &bf16)
        addFloat(forms, *to, *from, &mode, {false, true, false, false});
      if (from == &f32 || to == &f32)
        addFloat(forms, *to, *from, &mode, {true, false, false, false});
      if (from != &f32 || mode.name == "rm" || mode.name == "rp")
        continue;
      addFloat(forms, *to, *from, &mode, {false, false, true, false});
      addFloat(forms, *to, *from, &mode, {false, false, false, true});
      addFloat(forms, *to, *from, &mode, {false, false, true, true});
    }
  addFloat(forms, f64, f32, nullptr, {});
  addFloat(forms, f64, f32, nullptr, {true, false, false, false});
  addFloat(forms, f64, f16, nullptr, {});
  addFloat(forms, f64, bf16, nullptr, {});
  addFloat(forms, f32, f16, nullptr, {});
  addFloat(forms, f32, f16, nullptr, {true, false, false, false});
  addFloat(forms, f32, f16, nullptr, {false, true, false, false});
  addFloat(forms, f32, bf16, nullptr, {true, false, false, false});
  addFloat(forms, f32, f32, nullptr, {true, false, false, false});
  addFloat(forms, f32, f32, nullptr, {false, true, false, false});
  addFloat(forms, f64, f64, nullptr, {false, true, false, false});
  addFloat(forms, f16, f16, nullptr, {});
  addFloat(forms, bf16, bf16, nullptr, {});
  for (const Mode &mode : kIntegerModes)
    for (const FloatType &type : kTypes)
      addFloat(forms, type, type, &mode, {}, /*toIntegral=*/true);
  // Moves: NaN is kept.
  auto move = [&](const std::string &form, char to, char from, unsigned shift) {
    forms.push_back({form, std::string{to, '=', from},
                     [=](const uint64_t *x) -> Result { return x[0] << shift; },
                     ""});
  };
  move("cvt.f32.f32", 'r', 'r', 0);
  move("cvt.f64.f64", 'd', 'd', 0);
  move("cvt.f32.bf16", 'r', 'h', 16);
}

/// TF32 as F32 with 10 bits of mantissa: rounding is that of a number of which
/// 13 bits are dropped.
void addTF32(std::vector<Form> &forms) {
  for (bool satfinite : {false, true}) {
    forms.push_back(
        {std::string("cvt.rna") + (satfinite ? ".satfinite" : "") + ".tf32.f32",
         "r=r",
         [=](const uint64_t *x) -> Result {
           bool isFinite = (x[0] & 0x7F800000) != 0x7F800000;
           uint64_t bits = (x[0] + (isFinite ? 0x1000 : 0)) & 0xFFFFE000;
           bool isTop = (bits & 0x7F800000) == 0x7F800000;
           return satfinite && isTop ? bits - 0x2000 : bits;
         },
         ""});
    for (bool relu : {false, true})
      for (bool toZero : {false, true})
        forms.push_back(
            {std::string(toZero ? "cvt.rz" : "cvt.rn") +
                 (satfinite ? ".satfinite" : "") + (relu ? ".relu" : "") +
                 ".tf32.f32",
             "r=r",
             [=](const uint64_t *x) -> Result {
               uint64_t magnitude = x[0] & 0x7FFFFFFF;
               if (magnitude > 0x7F800000)
                 return 0x7FFFE000;
               if (relu && x[0] >> 31)
                 return 0;
               // F32's patterns are ordered: rounding them is rounding numbers.
               uint64_t rest = magnitude & 0x1FFF, whole = magnitude - rest;
               bool odd = whole & 0x2000;
               if (!toZero && (rest > 0x1000 || (rest == 0x1000 && odd)))
                 whole += 0x2000;
               if (satfinite && whole == 0x7F800000)
                 whole -= 0x2000;
               return (x[0] & 0x80000000) | whole;
             },
             ""});
  }
}

} // namespace

void lowp::sim::test::addConvertForms(std::vector<Form> &forms) {
  addIntegers(forms);
  addIntegersToFloats(forms);
  addFloatsToIntegers(forms);
  addFloats(forms);
  addTF32(forms);
}
