//===- Compare.cpp - Comparisons ------------------------------------------===//
//
// Part of the Lowp project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "FloatOps.h"

using namespace lowp::sim;

namespace {

enum class Order : uint8_t { EQ, NE, LT, LE, GT, GE };
enum class Combine : uint8_t { None, And, Or, Xor };

/// `Inst::flags` of set and setp.
enum CompareFlags : uint32_t {
  kCompareFtz = 1,
  /// True where an operand is NaN.
  kUnordered = 2,
  /// `.num` and `.nan`.
  kIsNumber = 4,
  kIsNaN = 8,
  kNegateC = 16,
  kCombineShift = 8,
};

template <Order order, typename T>
bool holds(T a, T b) {
  switch (order) {
  case Order::EQ:
    return a == b;
  case Order::NE:
    return a != b;
  case Order::LT:
    return a < b;
  case Order::LE:
    return a <= b;
  case Order::GT:
    return a > b;
  case Order::GE:
    return a >= b;
  }
  return false;
}

template <typename Compare>
uint32_t maskOf(Compare compare) {
  uint32_t result = 0;
  for (unsigned l = 0; l < kLanes; ++l)
    result |= uint32_t(compare(l)) << l;
  return result;
}

template <Order order>
struct Integers {
  template <typename T>
  static uint32_t compare(Warp &w, const Inst &i, unsigned first) {
    const T *a = w.slot<T>(i, first), *b = w.slot<T>(i, first + 1);
    return maskOf([=](unsigned l) { return holds<order>(a[l], b[l]); });
  }
};

/// A number that compares as the float does. NaN is found by the caller.
float valueOf(uint32_t bits, SingleTraits) { return asFloat(bits); }
double valueOf(uint64_t bits, DoubleTraits) { return asDouble(bits); }
/// The order of the magnitudes is that of the bits; both zeros are one.
int valueOf(uint16_t bits, HalfTraits) {
  int magnitude = bits & 0x7FFF;
  return bits >> 15 ? -magnitude : magnitude;
}
int valueOf(uint16_t bits, BF16Traits) { return valueOf(bits, HalfTraits()); }

template <typename Traits, Order order>
bool compareBits(typename Traits::Bits a, typename Traits::Bits b,
                 uint32_t flags) {
  if (isNaNBits<Traits>(a) || isNaNBits<Traits>(b))
    return flags & (kUnordered | kIsNaN);
  if (flags & (kIsNaN | kIsNumber))
    return flags & kIsNumber;
  if (flags & kCompareFtz) {
    a = flush<Traits>(a);
    b = flush<Traits>(b);
  }
  return holds<order>(valueOf(a, Traits()), valueOf(b, Traits()));
}

template <typename Traits, Order order>
uint32_t compareFloats(Warp &w, const Inst &i, unsigned first) {
  using Bits = typename Traits::Bits;
  uint32_t flags = i.flags;
  const Bits *a = w.slot<Bits>(i, first), *b = w.slot<Bits>(i, first + 1);
  return maskOf([=](unsigned l) {
    return compareBits<Traits, order>(a[l], b[l], flags);
  });
}

uint32_t combine(Warp &w, const Inst &i, uint32_t result, unsigned slot) {
  auto how = static_cast<Combine>(i.flags >> kCombineShift & 3);
  if (how == Combine::None)
    return result;
  uint32_t c = w.pred(i, slot);
  if (i.flags & kNegateC)
    c = ~c;
  switch (how) {
  case Combine::And:
    return result & c;
  case Combine::Or:
    return result | c;
  default:
    return result ^ c;
  }
}

/// Slots: p, q, a, b, c.
void store(Warp &w, const Inst &i, uint32_t result) {
  uint32_t p = combine(w, i, result, 4), q = combine(w, i, ~result, 4);
  uint32_t &dp = w.pred(i, 0), &dq = w.pred(i, 1);
  dp = (dp & ~w.mask) | (p & w.mask);
  dq = (dq & ~w.mask) | (q & w.mask);
}

template <Order order>
struct SetPredicate {
  template <typename T>
  static void run(Warp &w, const Inst &i) {
    store(w, i, Integers<order>::template compare<T>(w, i, 2));
  }
  template <typename Traits>
  static void runFloat(Warp &w, const Inst &i) {
    store(w, i, compareFloats<Traits, order>(w, i, 2));
  }
};

/// Two comparisons in one register: p of the lower, q of the upper half.
template <Order order, typename Traits>
void setHalves(Warp &w, const Inst &i) {
  uint32_t flags = i.flags;
  const uint32_t *a = w.slot<uint32_t>(i, 2), *b = w.slot<uint32_t>(i, 3);
  uint32_t low = maskOf([=](unsigned l) {
    return compareBits<Traits, order>(a[l], b[l], flags);
  });
  uint32_t high = maskOf([=](unsigned l) {
    return compareBits<Traits, order>(a[l] >> 16, b[l] >> 16, flags);
  });
  uint32_t &p = w.pred(i, 0), &q = w.pred(i, 1);
  p = (p & ~w.mask) | (combine(w, i, low, 4) & w.mask);
  q = (q & ~w.mask) | (combine(w, i, high, 4) & w.mask);
}

/// set: all ones or 1.0 in a register. Slots: d, a, b, c; `imm` is the value of
/// true.
void storeValue(Warp &w, const Inst &i, uint32_t result) {
  result = combine(w, i, result, 3);
  if (i.widths[0] == 4) {
    uint32_t *d = w.slot<uint32_t>(i, 0), value = i.imm;
    forLanes(w.mask, [=](unsigned l) { d[l] = result >> l & 1 ? value : 0; });
    return;
  }
  uint16_t *d = w.slot<uint16_t>(i, 0), value = i.imm;
  forLanes(w.mask, [=](unsigned l) { d[l] = result >> l & 1 ? value : 0; });
}

template <Order order>
struct SetValue {
  template <typename T>
  static void run(Warp &w, const Inst &i) {
    storeValue(w, i, Integers<order>::template compare<T>(w, i, 1));
  }
  template <typename Traits>
  static void runFloat(Warp &w, const Inst &i) {
    storeValue(w, i, compareFloats<Traits, order>(w, i, 1));
  }
};

/// set.f16x2 and set.bf16x2: 1.0 or all ones in each half.
template <Order order, typename Traits>
void setValueHalves(Warp &w, const Inst &i) {
  uint32_t flags = i.flags, value = i.imm;
  uint32_t c = 0;
  auto how = static_cast<Combine>(flags >> kCombineShift & 3);
  if (how != Combine::None) {
    c = w.pred(i, 3);
    if (flags & kNegateC)
      c = ~c;
  }
  uint32_t *d = w.slot<uint32_t>(i, 0);
  const uint32_t *a = w.slot<uint32_t>(i, 1), *b = w.slot<uint32_t>(i, 2);
  forLanes(w.mask, [=](unsigned l) {
    bool other = c >> l & 1;
    auto half = [&](uint32_t x, uint32_t y) -> uint32_t {
      bool result = compareBits<Traits, order>(x, y, flags);
      if (how == Combine::And)
        result &= other;
      else if (how == Combine::Or)
        result |= other;
      else if (how == Combine::Xor)
        result ^= other;
      return result ? value : 0;
    };
    d[l] = half(a[l], b[l]) | half(a[l] >> 16, b[l] >> 16) << 16;
  });
}

template <template <Order> class Op>
Handler pickIntegers(Order order, Type type) {
  if (isBits(type))
    type = getBytes(type) == 2   ? Type::U16
           : getBytes(type) == 4 ? Type::U32
                                 : Type::U64;
  switch (order) {
  case Order::EQ:
    return pickInteger<Op<Order::EQ>>(type);
  case Order::NE:
    return pickInteger<Op<Order::NE>>(type);
  case Order::LT:
    return pickInteger<Op<Order::LT>>(type);
  case Order::LE:
    return pickInteger<Op<Order::LE>>(type);
  case Order::GT:
    return pickInteger<Op<Order::GT>>(type);
  case Order::GE:
    return pickInteger<Op<Order::GE>>(type);
  }
  return nullptr;
}

template <typename Op>
Handler pickFloatType(Type type) {
  switch (type) {
  case Type::F32:
    return Op::template runFloat<SingleTraits>;
  case Type::F64:
    return Op::template runFloat<DoubleTraits>;
  case Type::F16:
    return Op::template runFloat<HalfTraits>;
  case Type::BF16:
    return Op::template runFloat<BF16Traits>;
  default:
    return nullptr;
  }
}

template <template <Order> class Op>
Handler pickFloats(Order order, Type type) {
  switch (order) {
  case Order::EQ:
    return pickFloatType<Op<Order::EQ>>(type);
  case Order::NE:
    return pickFloatType<Op<Order::NE>>(type);
  case Order::LT:
    return pickFloatType<Op<Order::LT>>(type);
  case Order::LE:
    return pickFloatType<Op<Order::LE>>(type);
  case Order::GT:
    return pickFloatType<Op<Order::GT>>(type);
  case Order::GE:
    return pickFloatType<Op<Order::GE>>(type);
  }
  return nullptr;
}

template <typename Traits>
Handler pickHalves(Order order, bool isPredicate) {
  switch (order) {
  case Order::EQ:
    return isPredicate ? setHalves<Order::EQ, Traits>
                       : setValueHalves<Order::EQ, Traits>;
  case Order::NE:
    return isPredicate ? setHalves<Order::NE, Traits>
                       : setValueHalves<Order::NE, Traits>;
  case Order::LT:
    return isPredicate ? setHalves<Order::LT, Traits>
                       : setValueHalves<Order::LT, Traits>;
  case Order::LE:
    return isPredicate ? setHalves<Order::LE, Traits>
                       : setValueHalves<Order::LE, Traits>;
  case Order::GT:
    return isPredicate ? setHalves<Order::GT, Traits>
                       : setValueHalves<Order::GT, Traits>;
  case Order::GE:
    return isPredicate ? setHalves<Order::GE, Traits>
                       : setValueHalves<Order::GE, Traits>;
  }
  return nullptr;
}

//===----------------------------------------------------------------------===//
// Decoding
//===----------------------------------------------------------------------===//

struct Comparison {
  Order order = Order::EQ;
  bool floatOnly = false;
  bool unsignedOnly = false;
};

bool takeComparison(Decoder &d, Comparison &comparison) {
  constexpr std::pair<llvm::StringLiteral, Order> orders[] = {
      {"eq", Order::EQ}, {"ne", Order::NE}, {"lt", Order::LT},
      {"le", Order::LE}, {"gt", Order::GT}, {"ge", Order::GE}};
  constexpr std::pair<llvm::StringLiteral, Order> unordered[] = {
      {"equ", Order::EQ}, {"neu", Order::NE}, {"ltu", Order::LT},
      {"leu", Order::LE}, {"gtu", Order::GT}, {"geu", Order::GE}};
  constexpr std::pair<llvm::StringLiteral, Order> ofUnsigned[] = {
      {"lo", Order::LT},
      {"ls", Order::LE},
      {"hi", Order::GT},
      {"hs", Order::GE}};
  for (auto [name, order] : orders)
    if (d.take(name)) {
      comparison.order = order;
      return true;
    }
  for (auto [name, order] : ofUnsigned)
    if (d.take(name)) {
      comparison.order = order;
      comparison.unsignedOnly = true;
      return true;
    }
  comparison.floatOnly = true;
  for (auto [name, order] : unordered)
    if (d.take(name)) {
      comparison.order = order;
      d.inst.flags |= kUnordered;
      return true;
    }
  if (d.take("num"))
    d.inst.flags |= kIsNumber;
  else if (d.take("nan"))
    d.inst.flags |= kIsNaN;
  else
    return d.unknownModifier();
  return true;
}

bool takeCombine(Decoder &d) {
  Combine how = d.take("and")   ? Combine::And
                : d.take("or")  ? Combine::Or
                : d.take("xor") ? Combine::Xor
                                : Combine::None;
  d.inst.flags |= static_cast<uint32_t>(how) << kCombineShift;
  return how != Combine::None;
}

bool checkComparison(Decoder &d, const Comparison &comparison, Type type,
                     bool ftz) {
  bool isFloat = type >= Type::F16 && type <= Type::BF16x2;
  if (comparison.floatOnly && !isFloat)
    return d.error("a comparison of floating-point numbers only");
  if (comparison.unsignedOnly && !isUnsigned(type))
    return d.error("a comparison of unsigned integers only");
  if (isBits(type) && comparison.order != Order::EQ &&
      comparison.order != Order::NE)
    return d.error("bits are equal or not");
  if (ftz && type != Type::F32 && type != Type::F16 && type != Type::F16x2)
    return d.error("'.ftz' goes with .f32 and .f16 only");
  if (ftz)
    d.inst.flags |= kCompareFtz;
  return true;
}

bool takeC(Decoder &d) {
  bool negated = false;
  if (!d.predSrc(&negated))
    return false;
  if (negated)
    d.inst.flags |= kNegateC;
  return true;
}

const std::initializer_list<Type> kCompared = {
    Type::B16,  Type::B32, Type::B64, Type::U16,   Type::U32,
    Type::U64,  Type::S16, Type::S32, Type::S64,   Type::F16,
    Type::BF16, Type::F32, Type::F64, Type::F16x2, Type::BF16x2};

bool decodeSetp(Decoder &d) {
  Comparison comparison;
  if (!takeComparison(d, comparison))
    return false;
  bool hasC = takeCombine(d);
  bool ftz = d.take("ftz");
  Type type;
  if (!d.takeType(type, kCompared) ||
      !checkComparison(d, comparison, type, ftz))
    return false;
  // One result only.
  bool isHalf = type == Type::F16 || type == Type::BF16;
  if (isHalf ? !d.predDst() || !d.sinkDst() : !d.predPairDst())
    return false;
  bool isHalves = type == Type::F16x2 || type == Type::BF16x2;
  Type each = isHalves ? Type::B32 : type;
  if (!d.src(each) || !d.src(each) || (hasC && !takeC(d)))
    return false;
  if (type == Type::F16x2)
    return d.set(pickHalves<HalfTraits>(comparison.order, true));
  if (type == Type::BF16x2)
    return d.set(pickHalves<BF16Traits>(comparison.order, true));
  return d.set(type >= Type::F16
                   ? pickFloats<SetPredicate>(comparison.order, type)
                   : pickIntegers<SetPredicate>(comparison.order, type));
}

bool decodeSet(Decoder &d) {
  Comparison comparison;
  if (!takeComparison(d, comparison))
    return false;
  bool hasC = takeCombine(d);
  bool ftz = d.take("ftz");
  Type result, type;
  if (!d.takeType(result,
                  {Type::U16, Type::S16, Type::U32, Type::S32, Type::F32,
                   Type::F16, Type::BF16, Type::F16x2, Type::BF16x2}) ||
      !d.takeType(type, kCompared) ||
      !checkComparison(d, comparison, type, ftz))
    return false;
  bool isHalves = type == Type::F16x2 || type == Type::BF16x2;
  if (isHalves != (result == Type::F16x2 || result == Type::BF16x2))
    return d.error("'set' of two numbers gives two");
  if (result == Type::F32 && (type == Type::F16 || type == Type::BF16))
    return d.error("'set' of 16-bit floats gives none of 32 bits");
  switch (result) {
  case Type::F32:
    d.inst.imm = 0x3F800000;
    break;
  case Type::F16:
  case Type::F16x2:
    d.inst.imm = 0x3C00;
    break;
  case Type::BF16:
  case Type::BF16x2:
    d.inst.imm = 0x3F80;
    break;
  default:
    d.inst.imm = -1;
  }
  if (!d.dst(result) || !d.src(type) || !d.src(type) || (hasC && !takeC(d)))
    return false;
  if (type == Type::F16x2)
    return d.set(pickHalves<HalfTraits>(comparison.order, false));
  if (type == Type::BF16x2)
    return d.set(pickHalves<BF16Traits>(comparison.order, false));
  return d.set(type >= Type::F16
                   ? pickFloats<SetValue>(comparison.order, type)
                   : pickIntegers<SetValue>(comparison.order, type));
}

} // namespace

void lowp::sim::registerCompare(Registry &registry) {
  registry["setp"] = decodeSetp;
  registry["set"] = decodeSet;
}
