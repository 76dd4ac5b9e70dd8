//===- Approximate.cpp - Approximate functions ----------------------------===//
//
// Part of the Lowp project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The ISA bounds the error of these and leaves their bits open. The simulator
// computes the function in double precision, moves the result within the bound
// by an amount that depends on the operands' bits alone, and rounds. Results
// that the ISA fixes (zeros, infinities, NaN) are exact. A program whose
// results depend on the bits of an approximation gives other bits here, or with
// the perturbation switched off.
//
//===----------------------------------------------------------------------===//

#include "FloatOps.h"

using namespace lowp::sim;

namespace {

enum class Curve : uint8_t { Rcp, Sqrt, Rsqrt, Sin, Cos, Lg2, Ex2, Tanh, Div };

/// Units in the last place, relative or absolute.
enum class Unit : uint8_t { Ulp, Relative, Absolute };

struct Bound {
  Unit unit;
  double size;
};

Bound getBound(Curve function, Type type, double input) {
  if (type == Type::F16 && function == Curve::Tanh)
    return {Unit::Absolute, 0x1.02p-11};
  if (type == Type::BF16 && function == Curve::Tanh)
    return {Unit::Absolute, 0x1p-8};
  if (type != Type::F32)
    return {Unit::Relative, type == Type::F16 ? 0x1.12p-10 : 0x1p-7};
  switch (function) {
  case Curve::Rcp:
    return {Unit::Ulp, 1};
  case Curve::Sqrt:
    return {Unit::Relative, 0x1p-23};
  case Curve::Rsqrt:
    return {Unit::Relative, 0x1.12p-23};
  case Curve::Sin:
  case Curve::Cos:
    return {Unit::Absolute, 0x1.6ap-21};
  case Curve::Lg2:
    return {input > 0.5 && input < 2.0 ? Unit::Absolute : Unit::Relative,
            0x1p-22};
  case Curve::Ex2:
    return {Unit::Ulp, 2};
  case Curve::Tanh:
    return {Unit::Relative, 0x1p-11};
  case Curve::Div:
    return {Unit::Ulp, 2};
  }
  return {Unit::Ulp, 0};
}

double evaluate(Curve function, double a, double b) {
  switch (function) {
  case Curve::Rcp:
    return 1.0 / a;
  case Curve::Sqrt:
    return std::sqrt(a);
  case Curve::Rsqrt:
    return 1.0 / std::sqrt(a);
  case Curve::Sin:
    return std::sin(a);
  case Curve::Cos:
    return std::cos(a);
  case Curve::Lg2:
    return std::log2(a);
  case Curve::Ex2:
    return std::exp2(a);
  case Curve::Tanh:
    return std::tanh(a);
  case Curve::Div:
    return a / b;
  }
  return 0;
}

/// -1 to 1, from the bits of the operands.
double getNoise(Curve function, uint64_t a, uint64_t b) {
  uint64_t x = a * 0x9E3779B97F4A7C15 + b * 0xC2B2AE3D27D4EB4F +
               static_cast<uint64_t>(function) * 0x165667B19E3779F9;
  x = (x ^ x >> 30) * 0xBF58476D1CE4E5B9;
  x = (x ^ x >> 27) * 0x94D049BB133111EB;
  x ^= x >> 31;
  return static_cast<double>(static_cast<int64_t>(x) >> 11) * 0x1p-52;
}

/// The last place of a number of `format`.
double ulpOf(const soft::Format &format, double value) {
  int exponent = std::max(std::ilogb(value), format.minExponent());
  return std::ldexp(1.0, exponent - format.mantissaBits);
}

double perturb(Curve function, Type type, const soft::Format &format,
               double value, double input, double noise) {
  // Rounding takes half a unit of the bound.
  Bound bound = getBound(function, type, input);
  double ulp = ulpOf(format, value);
  double room = 0;
  switch (bound.unit) {
  case Unit::Ulp:
    room = bound.size * ulp;
    break;
  case Unit::Relative:
    room = bound.size * std::fabs(value);
    break;
  case Unit::Absolute:
    room = bound.size;
    break;
  }
  // In the next binade rounding takes more.
  double largestUlp = ulpOf(format, std::fabs(value) + room);
  room = std::max(room - largestUlp / 2, 0.0);
  // What is finite stays so.
  double most =
      std::ldexp(2.0 - std::ldexp(1.0, -format.mantissaBits), format.bias);
  double moved = value + noise * room;
  // In the range of subnormals a unit is more than the value: what is positive
  // stays so.
  if (bound.unit == Unit::Ulp && moved * value < 0)
    moved = std::copysign(0.0, value);
  return std::fabs(value) <= most ? std::min(std::max(moved, -most), most)
                                  : value;
}

template <typename Traits>
double toDouble(typename Traits::Bits bits) {
  if constexpr (std::is_same<Traits, SingleTraits>::value) {
    return static_cast<double>(asFloat(bits));
  } else {
    soft::Number n = soft::unpack(Traits::format, bits);
    return asDouble(soft::round(soft::kF64, n, soft::Rounding::RN));
  }
}

template <typename Traits>
typename Traits::Bits approximate(Curve function, Type type, bool ftz,
                                  bool isPerturbed, typename Traits::Bits a,
                                  typename Traits::Bits b) {
  using Bits = typename Traits::Bits;
  constexpr const soft::Format &format = Traits::format;
  if (isNaNBits<Traits>(a) || isNaNBits<Traits>(b))
    return Bits(format.nanBits());
  if (ftz) {
    a = flush<Traits>(a);
    b = flush<Traits>(b);
  }
  double x = toDouble<Traits>(a), y = toDouble<Traits>(b);
  double value = evaluate(function, x, y);
  if (std::isnan(value))
    return Bits(format.nanBits());
  // Of a mantissa of ones an H200 gives the correctly rounded reciprocal, which
  // Newton's iteration needs.
  bool isExact = value == 0 || std::isinf(value) ||
                 (function == Curve::Rcp && (a & 0x7FFFFF) == 0x7FFFFF);
  if (isPerturbed && !isExact)
    value = perturb(function, type, format, value, x, getNoise(function, a, b));
  return soft::round(format, soft::unpack(soft::kF64, asBits(value)),
                     soft::Rounding::RN,
                     ftz ? soft::Subnormals::Flush : soft::Subnormals::Keep);
}

/// `Inst::flags`: function, type, then whether subnormals are flushed.
constexpr uint32_t kFlush = 1 << 16;

template <typename Traits>
void unary(Warp &w, const Inst &i) {
  using Bits = typename Traits::Bits;
  auto function = static_cast<Curve>(i.flags & 255);
  auto type = static_cast<Type>(i.flags >> 8 & 255);
  bool ftz = i.flags & kFlush, isPerturbed = w.grid->options.perturb;
  map1<Bits, Bits>(w, i, [=](Bits a) {
    return approximate<Traits>(function, type, ftz, isPerturbed, a, 0);
  });
}

template <typename Traits>
void unaryPacked(Warp &w, const Inst &i) {
  auto function = static_cast<Curve>(i.flags & 255);
  auto type = static_cast<Type>(i.flags >> 8 & 255);
  bool ftz = i.flags & kFlush, isPerturbed = w.grid->options.perturb;
  map1<uint32_t, uint32_t>(w, i, [=](uint32_t a) {
    uint32_t low =
        approximate<Traits>(function, type, ftz, isPerturbed, uint16_t(a), 0);
    uint32_t high = approximate<Traits>(function, type, ftz, isPerturbed,
                                        uint16_t(a >> 16), 0);
    return low | high << 16;
  });
}

/// Of rcp and rsqrt of .f64, on an H200.
constexpr uint64_t kUpperNaN = 0x7FFFFFFF00000000;

/// rcp and rsqrt of .f64: the upper words of operand and result, the lower is
/// zero.
void unaryUpper(Warp &w, const Inst &i) {
  auto function = static_cast<Curve>(i.flags & 255);
  bool isPerturbed = w.grid->options.perturb;
  map1<uint64_t, uint64_t>(w, i, [=](uint64_t a) {
    a = a >> 32 << 32;
    if (isNaNBits<DoubleTraits>(a))
      return kUpperNaN;
    a = flush<DoubleTraits>(a);
    double value = evaluate(function, asDouble(a), 0);
    if (std::isnan(value))
      return kUpperNaN;
    if (isPerturbed && value != 0 && !std::isinf(value))
      value += getNoise(function, a, 0) * std::fabs(value) * 0x1p-23;
    return flush<DoubleTraits>(asBits(value)) >> 32 << 32;
  });
}

/// div.approx: beyond 2^126 the divisor's reciprocal is flushed.
template <bool isFull>
void divide(Warp &w, const Inst &i) {
  bool ftz = i.flags & kFlush, isPerturbed = w.grid->options.perturb;
  map2<uint32_t, uint32_t, uint32_t>(w, i, [=](uint32_t a, uint32_t b) {
    uint32_t magnitude = b & 0x7FFFFFFF;
    bool isHuge = magnitude > 0x7E800000 && magnitude < 0x7F800000;
    if (!isFull && isHuge && !isNaNBits<SingleTraits>(a))
      return (a & 0x7FFFFFFF) == 0x7F800000 ? kNaNF32 : (a ^ b) & 0x80000000;
    return approximate<SingleTraits>(Curve::Div, Type::F32, ftz, isPerturbed, a,
                                     b);
  });
}

template <Curve function>
bool decode(Decoder &d) {
  constexpr bool isTanh = function == Curve::Tanh;
  constexpr bool isEx2 = function == Curve::Ex2;
  if (!d.take("approx"))
    return d.unknownModifier();
  bool ftz = d.take("ftz");
  std::optional<Type> type = d.takeType();
  if (!type)
    return d.unknownModifier();
  d.inst.flags = static_cast<uint32_t>(function) | (ftz ? kFlush : 0);
  bool isHalf = *type == Type::F16 || *type == Type::F16x2;
  bool isBF16 = *type == Type::BF16 || *type == Type::BF16x2;
  bool hasDouble = function == Curve::Rcp || function == Curve::Rsqrt;
  if (*type == Type::F64) {
    if (!hasDouble || !ftz)
      return d.error("no such function of .f64");
    return d.dst(*type) && d.src(*type) && d.set(unaryUpper);
  }
  if (*type != Type::F32 && !((isHalf || isBF16) && (isTanh || isEx2)))
    return d.error("no such function of ." + getName(*type));
  if (isEx2 ? (isBF16 && !ftz) || (isHalf && ftz) : isTanh && ftz)
    return d.error("no such function of ." + getName(*type));
  Type each = isHalf ? Type::F16 : isBF16 ? Type::BF16 : Type::F32;
  d.inst.flags |= static_cast<uint32_t>(each) << 8;
  if (!d.dst(*type) || !d.src(*type))
    return false;
  switch (*type) {
  case Type::F32:
    return d.set(unary<SingleTraits>);
  case Type::F16:
    return d.set(unary<HalfTraits>);
  case Type::BF16:
    return d.set(unary<BF16Traits>);
  case Type::F16x2:
    return d.set(unaryPacked<HalfTraits>);
  default:
    return d.set(unaryPacked<BF16Traits>);
  }
}

} // namespace

bool lowp::sim::decodeApproximateDivision(Decoder &d) {
  bool isFull = d.take("full");
  if (!isFull && !d.take("approx"))
    return d.unknownModifier();
  if (d.take("ftz"))
    d.inst.flags |= kFlush;
  Type type;
  return d.takeType(type, {Type::F32}) && d.dst(type) && d.src(type) &&
         d.src(type) && d.set(isFull ? divide<true> : divide<false>);
}

bool lowp::sim::decodeApproximateReciprocal(Decoder &d) {
  return decode<Curve::Rcp>(d);
}

bool lowp::sim::decodeApproximateRoot(Decoder &d) {
  return decode<Curve::Sqrt>(d);
}

void lowp::sim::registerApproximate(Registry &registry) {
  registry["rsqrt/f"] = decode<Curve::Rsqrt>;
  registry["sin/f"] = decode<Curve::Sin>;
  registry["cos/f"] = decode<Curve::Cos>;
  registry["lg2/f"] = decode<Curve::Lg2>;
  registry["ex2/f"] = decode<Curve::Ex2>;
  registry["tanh/f"] = decode<Curve::Tanh>;
}
