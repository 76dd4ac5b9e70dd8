//===- FormsPacked.cpp - Packed conversions by APFloat --------------------===//
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

struct Narrow {
  std::string name;
  const fltSemantics &semantics;
  unsigned bits;
  /// Of a code in its pair.
  unsigned slot;
  uint64_t nan;
  uint64_t most;
};

const Narrow kNarrow[] = {{"e4m3", APFloat::Float8E4M3FN(), 8, 8, 0x7F, 0x7E},
                          {"e5m2", APFloat::Float8E5M2(), 8, 8, 0x7F, 0x7B},
                          {"e2m3", APFloat::Float6E2M3FN(), 6, 8, 0x1F, 0x1F},
                          {"e3m2", APFloat::Float6E3M2FN(), 6, 8, 0x1F, 0x1F},
                          {"e2m1", APFloat::Float4E2M1FN(), 4, 4, 0x7, 0x7}};

const FloatType &f32 = kTypes[0], &f16 = kTypes[2], &bf16 = kTypes[3];

APFloat codeValue(const Narrow &type, uint64_t code) {
  return APFloat(type.semantics, APInt(64, code).trunc(type.bits));
}

APFloat widened(APFloat value, const fltSemantics &semantics) {
  bool lost;
  value.convert(semantics, APFloat::rmNearestTiesToEven, &lost);
  return value;
}

/// The nearest code, saturated.
uint64_t encode(const Narrow &type, const APFloat &value, bool relu) {
  if (value.isNaN())
    return type.nan;
  if (relu && value.isNegative())
    return 0;
  uint64_t sign = value.isNegative() ? uint64_t(1) << (type.bits - 1) : 0;
  APFloat most = codeValue(type, type.most);
  APFloat magnitude = abs(value);
  if (magnitude.isInfinity() || widened(magnitude, APFloat::IEEEdouble()) >=
                                    widened(most, APFloat::IEEEdouble()))
    return sign | type.most;
  magnitude = widened(magnitude, type.semantics);
  // Just below the largest value it may round beyond it.
  uint64_t code = toBits(magnitude);
  return sign | std::min(code, type.most);
}

/// By the definition: up iff the first `k` bits of the fraction between two
/// neighbours, plus the random bits, reach 2^k.
uint64_t encodeStochastic(const std::function<APFloat(uint64_t)> &valueOf,
                          uint64_t most, uint64_t signMask, uint64_t nan,
                          uint64_t inf, const APFloat &value, uint64_t random,
                          unsigned k, bool relu) {
  if (value.isNaN())
    return nan;
  if (relu && value.isNegative())
    return 0;
  uint64_t sign = value.isNegative() ? signMask : 0;
  if (value.isInfinity())
    return sign | inf;
  double x = abs(value).convertToDouble();
  auto at = [&](uint64_t code) {
    return widened(valueOf(code), APFloat::IEEEdouble()).convertToDouble();
  };
  uint64_t lo = 0, hi = most + 1;
  while (hi - lo > 1) {
    uint64_t middle = lo + (hi - lo) / 2;
    (at(middle) <= x ? lo : hi) = middle;
  }
  double step = lo == 0 ? at(1) : at(lo) - at(lo - 1);
  if (lo < most)
    step = at(lo + 1) - at(lo);
  double fraction = (x - at(lo)) / step;
  if (fraction >= 1)
    return sign | inf;
  double top = std::floor(std::ldexp(fraction, int(k)));
  random &= (uint64_t(1) << k) - 1;
  uint64_t code = lo + (top + double(random) >= std::ldexp(1.0, int(k)));
  return sign | (code > most ? inf : code);
}

void addNarrowing(std::vector<Form> &forms) {
  for (const Narrow &to : kNarrow)
    for (bool relu : {false, true}) {
      std::string name = std::string("cvt.rn.satfinite") +
                         (relu ? ".relu." : ".") + to.name + "x2.";
      char d = to.slot == 4 ? 'b' : 'h';
      forms.push_back({name + "f32", std::string{d, '=', 'r', 'r'},
                       [=, &to](const uint64_t *x) -> Result {
                         return encode(to, toFloat(f32, x[0]), relu)
                                    << to.slot |
                                encode(to, toFloat(f32, x[1]), relu);
                       },
                       ""});
      for (const FloatType *from : {&f16, &bf16})
        forms.push_back({name + from->name + "x2", std::string{d, '=', 'r'},
                         [=, &to](const uint64_t *x) -> Result {
                           return encode(to, toFloat(*from, x[0] >> 16), relu)
                                      << to.slot |
                                  encode(to, toFloat(*from, x[0]), relu);
                         },
                         ""});
    }
}

void addWidening(std::vector<Form> &forms) {
  for (const Narrow &from : kNarrow)
    for (const FloatType *to : {&f16, &bf16})
      for (bool relu : {false, true})
        for (bool satfinite : {false, true})
          for (bool scaled : {false, true}) {
            if (to == &f16 && (satfinite || scaled))
              continue;
            auto decode = [=, &from](uint64_t code, uint64_t sf) -> uint64_t {
              APFloat value = codeValue(from, code);
              if (value.isNaN() || (scaled && sf == 255))
                return to->nan;
              // Exact in F64.
              value = widened(value, APFloat::IEEEdouble());
              if (scaled)
                value =
                    scalbn(value, int(sf) - 127, APFloat::rmNearestTiesToEven);
              value = widened(value, to->semantics);
              if (satfinite && value.isInfinity())
                value = APFloat::getLargest(to->semantics, value.isNegative());
              return relu && value.isNegative() ? 0 : toBits(value);
            };
            std::string name = std::string("cvt.rn") + (relu ? ".relu" : "") +
                               (satfinite ? ".satfinite" : "") +
                               (scaled ? ".scaled::n2::ue8m0" : "") + "." +
                               to->name + "x2." + from.name + "x2";
            char a = from.slot == 4 ? 'b' : 'h';
            std::string operands = std::string{'r', '=', a};
            if (scaled)
              operands += 'h';
            forms.push_back({name, operands,
                             [=, &from](const uint64_t *x) -> Result {
                               uint64_t mask = (1u << from.slot) - 1;
                               uint64_t high = x[0] >> from.slot & mask;
                               return decode(high, x[1] >> 8 & 255) << 16 |
                                      decode(x[0] & mask, x[1] & 255);
                             },
                             ""});
          }
}

void addStochastic(std::vector<Form> &forms) {
  for (const Narrow &to : kNarrow)
    for (bool relu : {false, true}) {
      bool isSmall = to.slot == 4;
      auto encodeOne = [=, &to](uint64_t bits, uint64_t random) {
        return encodeStochastic(
            [&](uint64_t code) { return codeValue(to, code); }, to.most,
            uint64_t(1) << (to.bits - 1), to.nan, to.most, toFloat(f32, bits),
            random, isSmall ? 8 : 16, relu);
      };
      forms.push_back(
          {std::string("cvt.rs") + (relu ? ".relu" : "") + ".satfinite." +
               to.name + "x4.f32",
           std::string{isSmall ? 'h' : 'r', '=', 'r', 'r', 'r', 'r'},
           [=, &to](const uint64_t *x) -> Result {
             // The random bits are those of the third operand; it is not
             // converted.
             uint64_t r = x[2];
             const uint64_t sources[] = {x[0], x[1], x[3], x[0]};
             const unsigned small[] = {24, 8, 16, 0}, large[] = {16, 16, 0, 0};
             uint64_t result = 0;
             for (unsigned k = 0; k < 4; ++k)
               result =
                   result << to.slot |
                   encodeOne(sources[k], r >> (isSmall ? small[k] : large[k]));
             return result;
           },
           std::string("cvt.rs") + (relu ? ".relu" : "") + ".satfinite." +
               to.name + "x4.f32 $d, {$0, $1, $3, $0}, $2;"});
    }
  for (const FloatType *to : {&f16, &bf16})
    for (bool relu : {false, true})
      for (bool satfinite : {false, true}) {
        uint64_t inf = toBits(APFloat::getInf(to->semantics));
        auto encodeOne = [=](uint64_t bits, uint64_t random) {
          return encodeStochastic(
              [&](uint64_t code) { return toFloat(*to, code); }, inf - 1,
              0x8000, to->nan, satfinite ? inf - 1 : inf, toFloat(f32, bits),
              random, to == &f16 ? 13 : 16, relu);
        };
        forms.push_back(
            {std::string("cvt.rs") + (relu ? ".relu" : "") +
                 (satfinite ? ".satfinite." : ".") + to->name + "x2.f32",
             "r=rrr",
             [=](const uint64_t *x) -> Result {
               return encodeOne(x[0], x[2] >> 16) << 16 | encodeOne(x[1], x[2]);
             },
             ""});
      }
}

void addPairs(std::vector<Form> &forms) {
  for (const FloatType *to : {&f16, &bf16})
    for (const Mode &mode : llvm::ArrayRef(kModes).take_front(2))
      for (bool relu : {false, true})
        for (bool satfinite : {false, true}) {
          auto encodeOne = [=](uint64_t bits) -> uint64_t {
            APFloat value = toFloat(f32, bits);
            if (value.isNaN())
              return to->nan;
            bool lost;
            value.convert(to->semantics, mode.mode, &lost);
            if (satfinite && value.isInfinity())
              value = APFloat::getLargest(to->semantics, value.isNegative());
            return relu && value.isNegative() ? 0 : toBits(value);
          };
          forms.push_back({"cvt." + mode.name + (relu ? ".relu" : "") +
                               (satfinite ? ".satfinite." : ".") + to->name +
                               "x2.f32",
                           "r=rr",
                           [=](const uint64_t *x) -> Result {
                             return encodeOne(x[0]) << 16 | encodeOne(x[1]);
                           },
                           ""});
        }
}

/// Scales: the power of two of a magnitude, towards zero or up.
void addScales(std::vector<Form> &forms) {
  auto encode = [](const APFloat &value, bool up, bool satfinite) -> uint64_t {
    if (value.isNaN())
      return 255;
    if (value.isInfinity())
      return satfinite ? 254 : 255;
    double x = abs(value).convertToDouble();
    uint64_t code = 0;
    // By the definition: the largest power not above, or the least not below.
    while (code < 255 && (up ? std::ldexp(1.0, int(code) - 127) < x
                             : std::ldexp(1.0, int(code) - 126) <= x))
      ++code;
    return satfinite ? std::min<uint64_t>(code, 254) : code;
  };
  for (bool up : {false, true})
    for (bool satfinite : {false, true}) {
      std::string name = std::string(up ? "cvt.rp" : "cvt.rz") +
                         (satfinite ? ".satfinite" : "") + ".ue8m0x2.";
      forms.push_back({name + "f32", "h=rr",
                       [=](const uint64_t *x) -> Result {
                         return encode(toFloat(f32, x[0]), up, satfinite) << 8 |
                                encode(toFloat(f32, x[1]), up, satfinite);
                       },
                       ""});
      forms.push_back({name + "bf16x2", "h=r",
                       [=](const uint64_t *x) -> Result {
                         return encode(toFloat(bf16, x[0] >> 16), up, satfinite)
                                    << 8 |
                                encode(toFloat(bf16, x[0]), up, satfinite);
                       },
                       ""});
    }
  forms.push_back(
      {"cvt.rn.bf16x2.ue8m0x2", "r=h",
       [](const uint64_t *x) -> Result {
         auto decode = [](uint64_t code) -> uint64_t {
           // 2^(code-127): the exponent, or a subnormal.
           return code == 255 ? 0x7FFF : code == 0 ? 0x40 : code << 7;
         };
         return decode(x[0] >> 8 & 255) << 16 | decode(x[0] & 255);
       },
       ""});
}

/// S2F6: integers of 64ths. Scales that are NaN, and what rounds below -127/64,
/// are left open.
void addFixedPoint(std::vector<Form> &forms) {
  auto encode = [](const APFloat &value, uint64_t sf,
                   bool relu) -> std::optional<uint64_t> {
    if (sf == 255)
      return std::nullopt;
    if (value.isNaN())
      return 127;
    if (relu && value.isNegative())
      return 0;
    // Exact in F64.
    double x = std::ldexp(value.convertToDouble(), 127 - int(sf) + 6);
    double q = std::nearbyint(x);
    if (q <= -128)
      return std::nullopt;
    return static_cast<uint64_t>(static_cast<int64_t>(std::min(q, 127.0))) &
           255;
  };
  for (bool relu : {false, true})
    for (bool scaled : {false, true}) {
      std::string name = std::string("cvt.rn.satfinite") +
                         (relu ? ".relu" : "") +
                         (scaled ? ".scaled::n2::ue8m0" : "") + ".s2f6x2.";
      auto pair = [=](std::optional<uint64_t> a,
                      std::optional<uint64_t> b) -> Result {
        return a && b ? Result(*a << 8 | *b) : std::nullopt;
      };
      forms.push_back({name + "f32", scaled ? "h=rrh" : "h=rr",
                       [=](const uint64_t *x) -> Result {
                         uint64_t sf = scaled ? x[2] : 0x7F7F;
                         return pair(
                             encode(toFloat(f32, x[0]), sf >> 8, relu),
                             encode(toFloat(f32, x[1]), sf & 255, relu));
                       },
                       ""});
      forms.push_back({name + "bf16x2", scaled ? "h=rh" : "h=r",
                       [=](const uint64_t *x) -> Result {
                         uint64_t sf = scaled ? x[1] : 0x7F7F;
                         return pair(
                             encode(toFloat(bf16, x[0] >> 16), sf >> 8, relu),
                             encode(toFloat(bf16, x[0]), sf & 255, relu));
                       },
                       ""});
      for (bool satfinite : {false, true}) {
        auto decode = [=](uint64_t code, uint64_t sf) -> uint64_t {
          if (scaled && sf == 255)
            return bf16.nan;
          APFloat value(std::ldexp(double(int8_t(code)), -6));
          value = scalbn(value, int(sf) - 127, APFloat::rmNearestTiesToEven);
          value = widened(value, APFloat::BFloat());
          if (satfinite && value.isInfinity())
            value = APFloat::getLargest(APFloat::BFloat(), value.isNegative());
          return relu && value.isNegative() ? 0 : toBits(value);
        };
        forms.push_back(
            {std::string("cvt.rn") + (satfinite ? ".satfinite" : "") +
                 (relu ? ".relu" : "") + (scaled ? ".scaled::n2::ue8m0" : "") +
                 ".bf16x2.s2f6x2",
             scaled ? "r=hh" : "r=h",
             [=](const uint64_t *x) -> Result {
               uint64_t sf = scaled ? x[1] : 0x7F7F;
               return decode(x[0] >> 8, sf >> 8) << 16 |
                      decode(x[0] & 255, sf & 255);
             },
             ""});
      }
    }
}

void addPack(std::vector<Form> &forms) {
  auto clampTo = [](uint64_t x, unsigned bits, bool isSigned) {
    int64_t value = static_cast<int32_t>(x);
    int64_t least = isSigned ? -(1ll << (bits - 1)) : 0;
    int64_t most = (1ll << (bits - isSigned)) - 1;
    return static_cast<uint64_t>(std::clamp(value, least, most)) &
           ((1ull << bits) - 1);
  };
  for (bool isSigned : {false, true}) {
    std::string letter = isSigned ? "s" : "u";
    forms.push_back({"cvt.pack.sat." + letter + "16.s32", "r=rr",
                     [=](const uint64_t *x) -> Result {
                       return clampTo(x[0], 16, isSigned) << 16 |
                              clampTo(x[1], 16, isSigned);
                     },
                     ""});
    forms.push_back({"cvt.pack.sat." + letter + "8.s32.b32", "r=rrr",
                     [=](const uint64_t *x) -> Result {
                       return x[2] << 16 | clampTo(x[0], 8, isSigned) << 8 |
                              clampTo(x[1], 8, isSigned);
                     },
                     ""});
  }
}

} // namespace

void lowp::sim::test::addPackedConvertForms(std::vector<Form> &forms) {
  addNarrowing(forms);
  addWidening(forms);
  addStochastic(forms);
  addPairs(forms);
  addScales(forms);
  addFixedPoint(forms);
  addPack(forms);
}
