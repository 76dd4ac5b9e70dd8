//===- Float.cpp - Floating-point arithmetic ------------------------------===//
//
// Part of the Lowp project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Two ways to the same bits: the host's arithmetic where it is the operation
// asked for (nearest even; a launch sets the default environment), exact
// arithmetic and one rounding elsewhere.
//
//===----------------------------------------------------------------------===//

#include "FloatOps.h"

using namespace lowp::sim;

bool lowp::sim::takeRounding(Decoder &d) {
  using soft::Rounding;
  for (auto [name, mode] :
       {std::pair("rn", Rounding::RN), std::pair("rz", Rounding::RZ),
        std::pair("rm", Rounding::RM), std::pair("rp", Rounding::RP)})
    if (d.take(name)) {
      d.inst.flags |= static_cast<uint32_t>(mode);
      return true;
    }
  return false;
}

bool lowp::sim::takeFlag(Decoder &d, llvm::StringRef name, uint32_t flag) {
  if (!d.take(name))
    return false;
  d.inst.flags |= flag;
  return true;
}

namespace {

using soft::Number;
using soft::Rounding;

struct Sum {
  static constexpr unsigned arity = 2;
  static Number exact(const Number *x, Rounding mode) {
    return soft::add(x[0], x[1], mode);
  }
  template <typename F>
  static F fast(F a, F b, F) {
    return a + b;
  }
};

struct Difference {
  static constexpr unsigned arity = 2;
  static Number exact(const Number *x, Rounding mode) {
    return soft::add(x[0], soft::negate(x[1]), mode);
  }
  template <typename F>
  static F fast(F a, F b, F) {
    return a - b;
  }
};

struct Product {
  static constexpr unsigned arity = 2;
  static Number exact(const Number *x, Rounding) {
    return soft::multiply(x[0], x[1]);
  }
  template <typename F>
  static F fast(F a, F b, F) {
    return a * b;
  }
};

struct Fma {
  static constexpr unsigned arity = 3;
  static Number exact(const Number *x, Rounding mode) {
    return soft::add(soft::multiply(x[0], x[1]), x[2], mode);
  }
  template <typename F>
  static F fast(F a, F b, F c) {
    return std::fma(a, b, c);
  }
};

struct Quotient {
  static constexpr unsigned arity = 2;
  static Number exact(const Number *x, Rounding) {
    return soft::divide(x[0], x[1]);
  }
  template <typename F>
  static F fast(F a, F b, F) {
    return a / b;
  }
};

struct Reciprocal {
  static constexpr unsigned arity = 1;
  static Number exact(const Number *x, Rounding) {
    return soft::divide(soft::fromInteger(false, 1), x[0]);
  }
  template <typename F>
  static F fast(F a, F, F) {
    return F(1) / a;
  }
};

struct Root {
  static constexpr unsigned arity = 1;
  static Number exact(const Number *x, Rounding) {
    return soft::squareRoot(x[0]);
  }
  template <typename F>
  static F fast(F a, F, F) {
    return std::sqrt(a);
  }
};

/// The NaN that an F64 operation gives: which operand's survives depends on the
/// operation.
template <typename Op>
uint64_t pickNaN(const uint64_t *x) {
  static constexpr unsigned quotient[] = {0, 1};
  static constexpr unsigned sum[] = {1, 0};
  static constexpr unsigned fma[] = {1, 2, 0};
  static constexpr unsigned unary[] = {0};
  llvm::ArrayRef<unsigned> order = sum;
  if (Op::arity == 3)
    order = fma;
  else if (Op::arity == 1)
    order = unary;
  else if (std::is_same<Op, Quotient>::value)
    order = quotient;
  for (unsigned k : order)
    if (isNaNBits<DoubleTraits>(x[k]))
      return quiet(x[k]);
  return kInvalidF64;
}

template <typename Traits, typename Op>
typename Traits::Bits exactly(const typename Traits::Bits *x, uint32_t flags) {
  using Bits = typename Traits::Bits;
  Number numbers[3];
  bool hasNaN = false;
  for (unsigned k = 0; k < Op::arity; ++k) {
    numbers[k] = flags & kFtz ? soft::unpackFtz(Traits::format, x[k])
                              : soft::unpack(Traits::format, x[k]);
    hasNaN |= numbers[k].isNaN();
  }
  Number result;
  if (!hasNaN)
    result = Op::exact(numbers, getMode(flags));
  if (hasNaN || result.isNaN()) {
    if constexpr (std::is_same<Traits, DoubleTraits>::value)
      return pickNaN<Op>(x);
    else
      return clamp<Traits>(Bits(Traits::format.nanBits()), flags);
  }
  Bits bits = soft::round(Traits::format, result, getMode(flags),
                          flags & kFtz ? soft::Subnormals::Flush
                                       : soft::Subnormals::Keep);
  return clamp<Traits>(bits, flags);
}

/// In nearest even, by the host.
template <typename Op>
uint32_t fastF32(const uint32_t *x, uint32_t flags) {
  uint32_t y[3] = {};
  for (unsigned k = 0; k < Op::arity; ++k)
    y[k] = flags & kFtz ? flush<SingleTraits>(x[k]) : x[k];
  uint32_t bits = asBits(Op::fast(asFloat(y[0]), asFloat(y[1]), asFloat(y[2])));
  uint32_t magnitude = bits & 0x7FFFFFFF;
  if (magnitude > 0x7F800000)
    bits = kNaNF32;
  if (flags & kFtz) {
    // A result that rounded up to the smallest normal number may have to go.
    if (magnitude == 0x00800000)
      return exactly<SingleTraits, Op>(x, flags);
    bits = flush<SingleTraits>(bits);
  }
  return bits;
}

template <typename Op>
uint64_t fastF64(const uint64_t *x) {
  double y[3] = {};
  for (unsigned k = 0; k < Op::arity; ++k)
    y[k] = asDouble(x[k]);
  uint64_t bits = asBits(Op::fast(y[0], y[1], y[2]));
  return isNaNBits<DoubleTraits>(bits) ? pickNaN<Op>(x) : bits;
}

/// Applies `f` on arrays of `Op::arity` operands in each lane.
template <typename Op, typename Bits, typename F>
void lanes(Warp &w, const Inst &i, F f) {
  if constexpr (Op::arity == 1) {
    map1<Bits, Bits>(w, i, [=](Bits a) {
      Bits x[] = {a};
      return f(x);
    });
  } else if constexpr (Op::arity == 2) {
    map2<Bits, Bits, Bits>(w, i, [=](Bits a, Bits b) {
      Bits x[] = {a, b};
      return f(x);
    });
  } else {
    map3<Bits, Bits, Bits, Bits>(w, i, [=](Bits a, Bits b, Bits c) {
      Bits x[] = {a, b, c};
      return f(x);
    });
  }
}

template <typename Traits, typename Op>
void slow(Warp &w, const Inst &i) {
  using Bits = typename Traits::Bits;
  uint32_t flags = i.flags;
  lanes<Op, Bits>(w, i,
                  [=](const Bits *x) { return exactly<Traits, Op>(x, flags); });
}

template <typename Op, uint32_t flags>
void fastSingle(Warp &w, const Inst &i) {
  lanes<Op, uint32_t>(w, i,
                      [](const uint32_t *x) { return fastF32<Op>(x, flags); });
}

template <typename Op>
void fastDouble(Warp &w, const Inst &i) {
  lanes<Op, uint64_t>(w, i, [](const uint64_t *x) { return fastF64<Op>(x); });
}

/// Two numbers in one register.
template <typename Traits, typename Op, typename Word>
void packed(Warp &w, const Inst &i) {
  using Bits = typename Traits::Bits;
  constexpr unsigned shift = 8 * sizeof(Bits);
  uint32_t flags = i.flags;
  lanes<Op, Word>(w, i, [=](const Word *x) {
    Bits low[3], high[3];
    for (unsigned k = 0; k < Op::arity; ++k) {
      low[k] = Bits(x[k]);
      high[k] = Bits(x[k] >> shift);
    }
    if constexpr (std::is_same<Traits, SingleTraits>::value)
      if (getMode(flags) == Rounding::RN)
        return Word(fastF32<Op>(low, flags)) | Word(fastF32<Op>(high, flags))
                                                   << shift;
    return Word(exactly<Traits, Op>(low, flags)) |
           Word(exactly<Traits, Op>(high, flags)) << shift;
  });
}

template <typename Op>
Handler pick(Type type, uint32_t flags) {
  bool isNearest = getMode(flags) == Rounding::RN;
  switch (type) {
  case Type::F32:
    if (isNearest && !(flags & kSat))
      return flags & kFtz ? fastSingle<Op, kFtz> : fastSingle<Op, 0>;
    return slow<SingleTraits, Op>;
  case Type::F64:
    return isNearest ? fastDouble<Op> : slow<DoubleTraits, Op>;
  case Type::F16:
    return slow<HalfTraits, Op>;
  case Type::BF16:
    return slow<BF16Traits, Op>;
  case Type::F16x2:
    return packed<HalfTraits, Op, uint32_t>;
  case Type::BF16x2:
    return packed<BF16Traits, Op, uint32_t>;
  case Type::F32x2:
    return packed<SingleTraits, Op, uint64_t>;
  default:
    return nullptr;
  }
}

bool operands(Decoder &d, Type type, unsigned arity) {
  if (!d.dst(type))
    return false;
  for (unsigned k = 0; k < arity; ++k)
    if (!d.src(type))
      return false;
  return true;
}

template <typename Traits>
uint32_t toSingle(uint16_t bits) {
  return soft::round(soft::kF32, soft::unpack(Traits::format, bits),
                     Rounding::RN, soft::Subnormals::Keep);
}

/// All operands but the last have 16 bits.
template <typename Traits, typename Op>
void mixed(Warp &w, const Inst &i) {
  uint32_t flags = i.flags;
  if constexpr (Op::arity == 2)
    map2<uint32_t, uint16_t, uint32_t>(w, i, [=](uint16_t a, uint32_t b) {
      uint32_t x[] = {toSingle<Traits>(a), b};
      return exactly<SingleTraits, Op>(x, flags);
    });
  else
    map3<uint32_t, uint16_t, uint16_t, uint32_t>(
        w, i, [=](uint16_t a, uint16_t b, uint32_t c) {
          uint32_t x[] = {toSingle<Traits>(a), toSingle<Traits>(b), c};
          return exactly<SingleTraits, Op>(x, flags);
        });
}

/// add, sub, fma: {.rnd}{.sat}.f32.type
template <typename Op>
bool decodeMixed(Decoder &d) {
  Type type;
  if (!d.takeType(type, {Type::F16, Type::BF16}))
    return false;
  if (d.inst.flags & (kFtz | kRelu))
    return d.error("a modifier that .f32." + getName(type) + " does not have");
  if (!d.dst(Type::F32))
    return false;
  for (unsigned k = 0; k + 1 < Op::arity; ++k)
    if (!d.src(type))
      return false;
  return d.src(Type::F32) && d.set(type == Type::F16 ? mixed<HalfTraits, Op>
                                                     : mixed<BF16Traits, Op>);
}

/// add, sub, mul, fma: {.rnd}{.ftz}{.sat}{.relu}.type
template <typename Op, bool hasMixed = false>
bool decodeArithmetic(Decoder &d) {
  bool hasRounding = takeRounding(d);
  bool ftz = takeFlag(d, "ftz", kFtz);
  bool sat = takeFlag(d, "sat", kSat);
  bool relu = Op::arity == 3 && takeFlag(d, "relu", kRelu);
  Type type;
  if (!d.takeType(type, {Type::F32, Type::F64, Type::F16, Type::BF16,
                         Type::F16x2, Type::BF16x2, Type::F32x2}))
    return false;
  bool isHalf = type == Type::F16 || type == Type::F16x2;
  bool isBF16 = type == Type::BF16 || type == Type::BF16x2;
  if (Op::arity == 3 && !hasRounding)
    return d.error("fma needs a rounding");
  if (hasMixed && type == Type::F32 && !d.peek().empty())
    return decodeMixed<Op>(d);
  if ((ftz && (isBF16 || type == Type::F64)) ||
      (sat && !(isHalf || type == Type::F32)) ||
      (relu && (sat || !(isHalf || isBF16))) ||
      ((isHalf || isBF16) && getMode(d.inst.flags) != Rounding::RN))
    return d.error("a modifier that ." + getName(type) + " does not have");
  return operands(d, type, Op::arity) && d.set(pick<Op>(type, d.inst.flags));
}

/// div, rcp and sqrt with a rounding.
template <typename Op>
bool decodeRounded(Decoder &d) {
  if (!takeRounding(d))
    return d.unknownModifier();
  bool ftz = takeFlag(d, "ftz", kFtz);
  Type type;
  if (!d.takeType(type, {Type::F32, Type::F64}))
    return false;
  if (ftz && type == Type::F64)
    return d.error("'.ftz' goes with .f32 only");
  return operands(d, type, Op::arity) && d.set(pick<Op>(type, d.inst.flags));
}

template <typename Op, bool (*approximate)(Decoder &)>
bool decodeDivision(Decoder &d) {
  if (d.peek() == "approx" || d.peek() == "full")
    return approximate(d);
  return decodeRounded<Op>(d);
}

} // namespace

void lowp::sim::registerFloat(Registry &registry) {
  registry["add/f"] = decodeArithmetic<Sum, /*hasMixed=*/true>;
  registry["sub/f"] = decodeArithmetic<Difference, /*hasMixed=*/true>;
  registry["mul/f"] = decodeArithmetic<Product>;
  registry["fma/f"] = decodeArithmetic<Fma, /*hasMixed=*/true>;
  registry["mad/f"] = decodeArithmetic<Fma>;
  registry["div/f"] = decodeDivision<Quotient, decodeApproximateDivision>;
  registry["rcp/f"] = decodeDivision<Reciprocal, decodeApproximateReciprocal>;
  registry["sqrt/f"] = decodeDivision<Root, decodeApproximateRoot>;
}
