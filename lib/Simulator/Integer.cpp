//===- Integer.cpp - Integer arithmetic -----------------------------------===//
//
// Part of the Lowp project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Decoder.h"

#include <limits>
#include <type_traits>

using namespace lowp::sim;

namespace {

__extension__ typedef __int128 Int128;
__extension__ typedef unsigned __int128 UInt128;

/// Twice the width of T, with its sign.
template <typename T>
struct Wider;
template <>
struct Wider<uint16_t> {
  using type = uint32_t;
};
template <>
struct Wider<int16_t> {
  using type = int32_t;
};
template <>
struct Wider<uint32_t> {
  using type = uint64_t;
};
template <>
struct Wider<int32_t> {
  using type = int64_t;
};
template <>
struct Wider<uint64_t> {
  using type = UInt128;
};
template <>
struct Wider<int64_t> {
  using type = Int128;
};

template <typename T>
typename Wider<T>::type product(T a, T b) {
  using W = typename Wider<T>::type;
  return W(a) * W(b);
}

/// The low half of a product, by unsigned arithmetic.
template <typename T>
T low(T a, T b) {
  return T(uint64_t(a) * uint64_t(b));
}

template <typename T>
T high(T a, T b) {
  return T(product(a, b) >> (8 * sizeof(T)));
}

template <typename T>
T plus(T a, T b) {
  return T(uint64_t(a) + uint64_t(b));
}

template <typename T>
T minus(T a, T b) {
  return T(uint64_t(a) - uint64_t(b));
}

struct Add {
  template <typename T>
  static void run(Warp &w, const Inst &i) {
    map2<T, T, T>(w, i, plus<T>);
  }
};

struct Sub {
  template <typename T>
  static void run(Warp &w, const Inst &i) {
    map2<T, T, T>(w, i, minus<T>);
  }
};

int32_t saturate(int64_t value) {
  constexpr int64_t lo = std::numeric_limits<int32_t>::min();
  constexpr int64_t hi = std::numeric_limits<int32_t>::max();
  return static_cast<int32_t>(value < lo ? lo : value > hi ? hi : value);
}

void addSat(Warp &w, const Inst &i) {
  map2<int32_t, int32_t, int32_t>(
      w, i, [](int32_t a, int32_t b) { return saturate(int64_t(a) + b); });
}

void subSat(Warp &w, const Inst &i) {
  map2<int32_t, int32_t, int32_t>(
      w, i, [](int32_t a, int32_t b) { return saturate(int64_t(a) - b); });
}

struct MulLow {
  template <typename T>
  static void run(Warp &w, const Inst &i) {
    map2<T, T, T>(w, i, low<T>);
  }
};

struct MulHigh {
  template <typename T>
  static void run(Warp &w, const Inst &i) {
    map2<T, T, T>(w, i, high<T>);
  }
};

struct MulWide {
  template <typename T>
  static void run(Warp &w, const Inst &i) {
    map2<typename Wider<T>::type, T, T>(w, i, product<T>);
  }
};

struct MadLow {
  template <typename T>
  static void run(Warp &w, const Inst &i) {
    map3<T, T, T, T>(w, i, [](T a, T b, T c) { return plus(low(a, b), c); });
  }
};

struct MadHigh {
  template <typename T>
  static void run(Warp &w, const Inst &i) {
    map3<T, T, T, T>(w, i, [](T a, T b, T c) { return plus(high(a, b), c); });
  }
};

struct MadWide {
  template <typename T>
  static void run(Warp &w, const Inst &i) {
    using W = typename Wider<T>::type;
    map3<W, T, T, W>(w, i,
                     [](T a, T b, W c) { return plus<W>(product(a, b), c); });
  }
};

void madHighSat(Warp &w, const Inst &i) {
  map3<int32_t, int32_t, int32_t, int32_t>(
      w, i, [](int32_t a, int32_t b, int32_t c) {
        return saturate(int64_t(high(a, b)) + c);
      });
}

/// A number of 24 bits.
template <typename T>
int64_t cut24(T a) {
  if (std::is_signed<T>::value)
    return static_cast<int32_t>(static_cast<uint32_t>(a) << 8) >> 8;
  return a & 0xFFFFFF;
}

template <typename T, unsigned shift, bool accumulate>
void mul24(Warp &w, const Inst &i) {
  if (accumulate)
    map3<T, T, T, T>(w, i, [](T a, T b, T c) {
      return plus(T((cut24(a) * cut24(b)) >> shift), c);
    });
  else
    map2<T, T, T>(w, i,
                  [](T a, T b) { return T((cut24(a) * cut24(b)) >> shift); });
}

// By zero, the hardware's algorithm gives all ones.
struct Div {
  template <typename T>
  static void run(Warp &w, const Inst &i) {
    map2<T, T, T>(w, i, [](T a, T b) {
      if (b == 0)
        return T(~T(0));
      if (std::is_signed<T>::value && b == T(-1))
        return T(0 - uint64_t(a));
      return T(a / b);
    });
  }
};

struct Rem {
  template <typename T>
  static void run(Warp &w, const Inst &i) {
    map2<T, T, T>(w, i, [](T a, T b) {
      if (b == 0)
        return T(~T(0));
      if (std::is_signed<T>::value && b == T(-1))
        return T(0);
      return T(a % b);
    });
  }
};

struct Min {
  template <typename T>
  static void run(Warp &w, const Inst &i) {
    map2<T, T, T>(w, i, [](T a, T b) { return a < b ? a : b; });
  }
};

struct Max {
  template <typename T>
  static void run(Warp &w, const Inst &i) {
    map2<T, T, T>(w, i, [](T a, T b) { return a > b ? a : b; });
  }
};

struct MinRelu {
  static int32_t of(int32_t a, int32_t b) {
    int32_t least = a < b ? a : b;
    return least > 0 ? least : 0;
  }
};

struct MaxRelu {
  static int32_t of(int32_t a, int32_t b) {
    int32_t most = a > b ? a : b;
    return most > 0 ? most : 0;
  }
};

template <typename Op>
void relu32(Warp &w, const Inst &i) {
  map2<int32_t, int32_t, int32_t>(w, i, Op::of);
}

struct AddHalf {
  static int32_t of(int32_t a, int32_t b) { return a + b; }
};
struct MinHalf {
  static int32_t of(int32_t a, int32_t b) { return a < b ? a : b; }
};
struct MaxHalf {
  static int32_t of(int32_t a, int32_t b) { return a > b ? a : b; }
};

/// Two numbers of 16 bits in one register.
template <typename Op, typename Half>
void halves(Warp &w, const Inst &i) {
  map2<uint32_t, uint32_t, uint32_t>(w, i, [](uint32_t a, uint32_t b) {
    uint32_t lo = static_cast<uint16_t>(Op::of(Half(a), Half(b)));
    uint32_t hi = static_cast<uint16_t>(Op::of(Half(a >> 16), Half(b >> 16)));
    return lo | hi << 16;
  });
}

struct Abs {
  template <typename T>
  static void run(Warp &w, const Inst &i) {
    map1<T, T>(w, i, [](T a) { return a < 0 ? T(0 - uint64_t(a)) : a; });
  }
};

struct Neg {
  template <typename T>
  static void run(Warp &w, const Inst &i) {
    map1<T, T>(w, i, [](T a) { return T(0 - uint64_t(a)); });
  }
};

struct Sad {
  template <typename T>
  static void run(Warp &w, const Inst &i) {
    map3<T, T, T, T>(w, i, [](T a, T b, T c) {
      return plus(c, a < b ? minus(b, a) : minus(a, b));
    });
  }
};

//===----------------------------------------------------------------------===//
// The carry flag
//===----------------------------------------------------------------------===//

enum CarryFlags : uint32_t { kReadsCarry = 1, kSetsCarry = 2 };

/// Reads and sets the flag around `f(a, b, carry, carryOut)`.
template <typename T, typename F>
void withCarry(Warp &w, const Inst &i, F f) {
  uint32_t mask = w.mask;
  if ((i.flags & kReadsCarry) && (mask & ~w.carrySet)) {
    w.fault(FaultKind::UninitializedRegister,
            llvm::countr_zero(mask & ~w.carrySet),
            "the carry flag is read but was never set");
    return;
  }
  uint32_t carry = 0;
  forLanes(mask, [&](unsigned l) {
    bool out = false;
    f(l, (i.flags & kReadsCarry) && (w.carry >> l & 1), out);
    carry |= uint32_t(out) << l;
  });
  if (i.flags & kSetsCarry) {
    w.carry = (w.carry & ~mask) | carry;
    w.carrySet |= mask;
  }
}

template <typename T>
T addWithCarry(T a, T b, bool in, bool &out) {
  UInt128 sum = UInt128(a) + b + in;
  out = (sum >> (8 * sizeof(T))) != 0;
  return T(sum);
}

struct AddCarry {
  template <typename T>
  static void run(Warp &w, const Inst &i) {
    T *d = w.slot<T>(i, 0), *a = w.slot<T>(i, 1), *b = w.slot<T>(i, 2);
    withCarry<T>(w, i, [=](unsigned l, bool in, bool &out) {
      d[l] = addWithCarry(a[l], b[l], in, out);
    });
  }
};

/// The flag holds the borrow: 1 where a < b.
struct SubCarry {
  template <typename T>
  static void run(Warp &w, const Inst &i) {
    T *d = w.slot<T>(i, 0), *a = w.slot<T>(i, 1), *b = w.slot<T>(i, 2);
    withCarry<T>(w, i, [=](unsigned l, bool in, bool &out) {
      out = UInt128(a[l]) < UInt128(b[l]) + in;
      d[l] = T(a[l] - b[l] - in);
    });
  }
};

template <bool isHigh>
struct MadCarry {
  template <typename T>
  static void run(Warp &w, const Inst &i) {
    T *d = w.slot<T>(i, 0), *a = w.slot<T>(i, 1), *b = w.slot<T>(i, 2),
      *c = w.slot<T>(i, 3);
    bool isSignedType = i.imm != 0;
    withCarry<T>(w, i, [=](unsigned l, bool in, bool &out) {
      using S = typename std::make_signed<T>::type;
      T part = low(a[l], b[l]);
      if (isHigh)
        part = isSignedType ? T(high(S(a[l]), S(b[l]))) : high(a[l], b[l]);
      d[l] = addWithCarry(part, c[l], in, out);
    });
  }
};

template <typename Op>
Handler pickUnsigned(Type type) {
  switch (type) {
  case Type::U32:
  case Type::S32:
    return Op::template run<uint32_t>;
  case Type::U64:
  case Type::S64:
    return Op::template run<uint64_t>;
  default:
    return nullptr;
  }
}

//===----------------------------------------------------------------------===//
// Decoding
//===----------------------------------------------------------------------===//

bool takeInteger(Decoder &d, Type &type) {
  return d.takeType(
      type, {Type::U16, Type::U32, Type::U64, Type::S16, Type::S32, Type::S64});
}

bool threeOperands(Decoder &d, Type type, Handler handler) {
  return d.dst(type) && d.src(type) && d.src(type) && d.set(handler);
}

/// add.s16x2 and the like.
template <typename Op>
bool packed(Decoder &d) {
  if (!d.dst(Type::B32) || !d.src(Type::B32) || !d.src(Type::B32))
    return false;
  if (d.take("u16x2"))
    return d.set(halves<Op, uint16_t>);
  return d.take("s16x2") ? d.set(halves<Op, int16_t>) : d.unknownModifier();
}

bool decodeCarry(Decoder &d, uint32_t flags, Handler (*pick)(Type)) {
  Type type;
  d.inst.flags = flags;
  if (!d.takeType(type, {Type::U32, Type::S32, Type::U64, Type::S64}))
    return false;
  return threeOperands(d, type, pick(type));
}

bool decodeAdd(Decoder &d) {
  if (d.take("cc"))
    return decodeCarry(d, kSetsCarry, pickUnsigned<AddCarry>);
  if (d.take("sat")) {
    Type type;
    return d.takeType(type, {Type::S32}) && threeOperands(d, type, addSat);
  }
  if (d.peek().ends_with("16x2"))
    return packed<AddHalf>(d);
  Type type;
  return takeInteger(d, type) && threeOperands(d, type, pickInteger<Add>(type));
}

bool decodeSub(Decoder &d) {
  if (d.take("cc"))
    return decodeCarry(d, kSetsCarry, pickUnsigned<SubCarry>);
  if (d.take("sat")) {
    Type type;
    return d.takeType(type, {Type::S32}) && threeOperands(d, type, subSat);
  }
  Type type;
  return takeInteger(d, type) && threeOperands(d, type, pickInteger<Sub>(type));
}

bool decodeAddc(Decoder &d) {
  uint32_t flags = kReadsCarry | (d.take("cc") ? kSetsCarry : 0);
  return decodeCarry(d, flags, pickUnsigned<AddCarry>);
}

bool decodeSubc(Decoder &d) {
  uint32_t flags = kReadsCarry | (d.take("cc") ? kSetsCarry : 0);
  return decodeCarry(d, flags, pickUnsigned<SubCarry>);
}

Type widen(Type type) {
  switch (type) {
  case Type::U16:
    return Type::U32;
  case Type::S16:
    return Type::S32;
  case Type::U32:
    return Type::U64;
  default:
    return Type::S64;
  }
}

bool decodeMul(Decoder &d) {
  bool isHigh = d.take("hi"), isWide = !isHigh && d.take("wide");
  if (!isHigh && !isWide && !d.take("lo"))
    return d.unknownModifier();
  Type type;
  if (!takeInteger(d, type))
    return false;
  if (isWide) {
    if (getBytes(type) == 8)
      return d.error("products of 64 bits have no .wide form");
    return d.dst(widen(type)) && d.src(type) && d.src(type) &&
           d.set(pickInteger<MulWide>(type));
  }
  return threeOperands(
      d, type, isHigh ? pickInteger<MulHigh>(type) : pickInteger<MulLow>(type));
}

bool decodeMadCarry(Decoder &d, bool isHigh, uint32_t flags) {
  Type type;
  d.inst.flags = flags;
  if (!d.takeType(type, {Type::U32, Type::S32, Type::U64, Type::S64}))
    return false;
  d.inst.imm = isSigned(type);
  return d.dst(type) && d.src(type) && d.src(type) && d.src(type) &&
         d.set(isHigh ? pickUnsigned<MadCarry<true>>(type)
                      : pickUnsigned<MadCarry<false>>(type));
}

bool decodeMad(Decoder &d) {
  bool isHigh = d.take("hi"), isWide = !isHigh && d.take("wide");
  if (!isHigh && !isWide && !d.take("lo"))
    return d.unknownModifier();
  if (!isWide && d.take("cc"))
    return decodeMadCarry(d, isHigh, kSetsCarry);
  bool isSaturated = isHigh && d.take("sat");
  Type type;
  if (!takeInteger(d, type))
    return false;
  if (isSaturated && type != Type::S32)
    return d.error("'.sat' goes with .s32 only");
  if (isWide && getBytes(type) == 8)
    return d.error("products of 64 bits have no .wide form");
  Type wide = isWide ? widen(type) : type;
  Handler handler = isSaturated ? madHighSat
                    : isWide    ? pickInteger<MadWide>(type)
                    : isHigh    ? pickInteger<MadHigh>(type)
                                : pickInteger<MadLow>(type);
  return d.dst(wide) && d.src(type) && d.src(type) && d.src(wide) &&
         d.set(handler);
}

bool decodeMadc(Decoder &d) {
  bool isHigh = d.take("hi");
  if (!isHigh && !d.take("lo"))
    return d.unknownModifier();
  return decodeMadCarry(d, isHigh,
                        kReadsCarry | (d.take("cc") ? kSetsCarry : 0));
}

template <bool accumulate>
bool decode24(Decoder &d) {
  bool isHigh = d.take("hi");
  if (!isHigh && !d.take("lo"))
    return d.unknownModifier();
  Type type;
  if (!d.takeType(type, {Type::U32, Type::S32}))
    return false;
  if (!d.dst(type) || !d.src(type) || !d.src(type) ||
      (accumulate && !d.src(type)))
    return false;
  if (type == Type::U32)
    return d.set(isHigh ? mul24<uint32_t, 16, accumulate>
                        : mul24<uint32_t, 0, accumulate>);
  return d.set(isHigh ? mul24<int32_t, 16, accumulate>
                      : mul24<int32_t, 0, accumulate>);
}

template <typename Op>
bool decodeBinary(Decoder &d) {
  Type type;
  return takeInteger(d, type) && threeOperands(d, type, pickInteger<Op>(type));
}

template <typename Op, typename Half, typename Relu>
bool decodeMinMax(Decoder &d) {
  if (d.peek().ends_with("16x2"))
    return packed<Half>(d);
  if (d.take("relu")) {
    if (d.take("s16x2"))
      return threeOperands(d, Type::B32, halves<Relu, int16_t>);
    Type type;
    return d.takeType(type, {Type::S32}) &&
           threeOperands(d, type, relu32<Relu>);
  }
  return decodeBinary<Op>(d);
}

template <typename Op>
bool decodeUnary(Decoder &d) {
  Type type;
  return d.takeType(type, {Type::S16, Type::S32, Type::S64}) && d.dst(type) &&
         d.src(type) && d.set(pickInteger<Op>(type));
}

bool decodeSad(Decoder &d) {
  Type type;
  return takeInteger(d, type) && d.dst(type) && d.src(type) && d.src(type) &&
         d.src(type) && d.set(pickInteger<Sad>(type));
}

//===----------------------------------------------------------------------===//
// Dot products
//===----------------------------------------------------------------------===//

template <bool isSignedValue>
int64_t part(uint32_t word, unsigned bit, unsigned bits) {
  uint32_t value = word >> bit & ((1u << bits) - 1);
  if (isSignedValue && (value >> (bits - 1)))
    return int64_t(value) - (int64_t(1) << bits);
  return value;
}

/// `flags`: first byte of b; bits of an element of a are 32 / count.
template <bool signedA, bool signedB, unsigned count>
void dot(Warp &w, const Inst &i) {
  unsigned first = i.flags;
  map3<uint32_t, uint32_t, uint32_t, uint32_t>(
      w, i, [=](uint32_t a, uint32_t b, uint32_t c) {
        int64_t sum = c;
        for (unsigned k = 0; k < count; ++k)
          sum += part<signedA>(a, k * (32 / count), 32 / count) *
                 part<signedB>(b, 8 * (first + k), 8);
        return static_cast<uint32_t>(sum);
      });
}

template <unsigned count>
bool decodeDot(Decoder &d) {
  if (count == 2) {
    bool isHigh = d.take("hi");
    if (!isHigh && !d.take("lo"))
      return d.unknownModifier();
    d.inst.flags = isHigh ? 2 : 0;
  }
  Type a, b;
  if (!d.takeType(a, {Type::U32, Type::S32}) ||
      !d.takeType(b, {Type::U32, Type::S32}))
    return false;
  if (!d.dst(Type::B32) || !d.src(Type::B32) || !d.src(Type::B32) ||
      !d.src(Type::B32))
    return false;
  if (isSigned(a))
    return d.set(isSigned(b) ? dot<true, true, count>
                             : dot<true, false, count>);
  return d.set(isSigned(b) ? dot<false, true, count>
                           : dot<false, false, count>);
}

} // namespace

void lowp::sim::registerInteger(Registry &registry) {
  registry["add"] = decodeAdd;
  registry["sub"] = decodeSub;
  registry["addc"] = decodeAddc;
  registry["subc"] = decodeSubc;
  registry["mul"] = decodeMul;
  registry["mad"] = decodeMad;
  registry["madc"] = decodeMadc;
  registry["mul24"] = decode24<false>;
  registry["mad24"] = decode24<true>;
  registry["div"] = decodeBinary<Div>;
  registry["rem"] = decodeBinary<Rem>;
  registry["min"] = decodeMinMax<Min, MinHalf, MinRelu>;
  registry["max"] = decodeMinMax<Max, MaxHalf, MaxRelu>;
  registry["abs"] = decodeUnary<Abs>;
  registry["neg"] = decodeUnary<Neg>;
  registry["sad"] = decodeSad;
  registry["dp4a"] = decodeDot<4>;
  registry["dp2a"] = decodeDot<2>;
}
