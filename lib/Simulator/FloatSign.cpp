//===- FloatSign.cpp - Minimum, maximum and signs of floats ---------------===//
//
// Part of the Lowp project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "FloatOps.h"

using namespace lowp::sim;

namespace {

/// A number whose integer order is that of the floats, -0 below +0.
template <typename Bits>
std::make_signed_t<Bits> orderOf(Bits bits) {
  using S = std::make_signed_t<Bits>;
  constexpr Bits magnitude = Bits(~Bits(0)) >> 1;
  return S(bits) < 0 ? S(bits ^ magnitude) : S(bits);
}

template <typename Traits, bool isMax>
typename Traits::Bits extreme(typename Traits::Bits a, typename Traits::Bits b,
                              uint32_t flags) {
  using Bits = typename Traits::Bits;
  constexpr Bits sign = Traits::format.signMask();
  constexpr Bits nan = Traits::format.nanBits();
  if (flags & kFtz) {
    a = flush<Traits>(a);
    b = flush<Traits>(b);
  }
  Bits xorSign = (a ^ b) & sign;
  if (flags & kAbs) {
    a &= Bits(~sign);
    b &= Bits(~sign);
  }
  bool isNaNA = isNaNBits<Traits>(a), isNaNB = isNaNBits<Traits>(b);
  if ((isNaNA && isNaNB) || ((flags & kNaN) && (isNaNA || isNaNB))) {
    if constexpr (std::is_same<Traits, DoubleTraits>::value)
      return quiet(isNaNB ? b : a);
    else
      return nan;
  }
  Bits result = isNaNA                               ? b
                : isNaNB                             ? a
                : (orderOf(a) < orderOf(b)) == isMax ? b
                                                     : a;
  if (flags & kXorSign)
    result = Bits((result & Bits(~sign)) | xorSign);
  return result;
}

template <typename Traits, bool isMax>
void minMax(Warp &w, const Inst &i) {
  using Bits = typename Traits::Bits;
  uint32_t flags = i.flags;
  map2<Bits, Bits, Bits>(w, i, [=](Bits a, Bits b) {
    return extreme<Traits, isMax>(a, b, flags);
  });
}

template <typename Traits, bool isMax>
void minMaxPacked(Warp &w, const Inst &i) {
  uint32_t flags = i.flags;
  map2<uint32_t, uint32_t, uint32_t>(w, i, [=](uint32_t a, uint32_t b) {
    uint32_t low = extreme<Traits, isMax>(a, b, flags);
    uint32_t high = extreme<Traits, isMax>(a >> 16, b >> 16, flags);
    return low | high << 16;
  });
}

template <bool isMax>
void minMax3(Warp &w, const Inst &i) {
  uint32_t flags = i.flags;
  map3<uint32_t, uint32_t, uint32_t, uint32_t>(
      w, i, [=](uint32_t a, uint32_t b, uint32_t c) {
        return extreme<SingleTraits, isMax>(
            extreme<SingleTraits, isMax>(a, b, flags), c, flags);
      });
}

template <bool isMax>
bool decodeMinMax(Decoder &d) {
  bool ftz = takeFlag(d, "ftz", kFtz);
  bool nan = takeFlag(d, "NaN", kNaN);
  bool hasXor = d.take("xorsign");
  if (hasXor)
    d.inst.flags |= kXorSign;
  bool hasAbs = takeFlag(d, "abs", kAbs);
  if (hasXor && !hasAbs)
    return d.error("'.xorsign' goes with '.abs'");
  Type type;
  if (!d.takeType(type, {Type::F32, Type::F64, Type::F16, Type::BF16,
                         Type::F16x2, Type::BF16x2}))
    return false;
  bool isThree = d.numOperands() == 4;
  if (hasAbs && !hasXor && !isThree)
    return d.error("'.abs' goes with '.xorsign' or three inputs");
  if (type == Type::F64 && (ftz || nan || hasAbs))
    return d.error("a modifier that .f64 does not have");
  if (ftz && (type == Type::BF16 || type == Type::BF16x2))
    return d.error("a modifier that ." + getName(type) + " does not have");
  if (isThree) {
    if (type != Type::F32 || hasXor)
      return d.error("three inputs go with .f32 only");
    return d.require(88, 100) && d.dst(type) && d.src(type) && d.src(type) &&
           d.src(type) && d.set(minMax3<isMax>);
  }
  if (!d.dst(type) || !d.src(type) || !d.src(type))
    return false;
  switch (type) {
  case Type::F32:
    return d.set(minMax<SingleTraits, isMax>);
  case Type::F64:
    return d.set(minMax<DoubleTraits, isMax>);
  case Type::F16:
    return d.set(minMax<HalfTraits, isMax>);
  case Type::BF16:
    return d.set(minMax<BF16Traits, isMax>);
  case Type::F16x2:
    return d.set(minMaxPacked<HalfTraits, isMax>);
  default:
    return d.set(minMaxPacked<BF16Traits, isMax>);
  }
}

//===----------------------------------------------------------------------===//
// Signs
//===----------------------------------------------------------------------===//

template <typename Traits, bool isNeg>
typename Traits::Bits changeSign(typename Traits::Bits a, bool ftz) {
  using Bits = typename Traits::Bits;
  constexpr Bits sign = Traits::format.signMask();
  if (isNaNBits<Traits>(a)) {
    if constexpr (std::is_same<Traits, DoubleTraits>::value)
      return quiet(a);
    else
      return Traits::format.nanBits();
  }
  if (ftz)
    a = flush<Traits>(a);
  return isNeg ? Bits(a ^ sign) : Bits(a & Bits(~sign));
}

template <typename Traits, bool isNeg>
void signs(Warp &w, const Inst &i) {
  using Bits = typename Traits::Bits;
  bool ftz = i.flags & kFtz;
  map1<Bits, Bits>(w, i,
                   [=](Bits a) { return changeSign<Traits, isNeg>(a, ftz); });
}

template <typename Traits, bool isNeg>
void signsPacked(Warp &w, const Inst &i) {
  bool ftz = i.flags & kFtz;
  map1<uint32_t, uint32_t>(w, i, [=](uint32_t a) {
    uint32_t low = changeSign<Traits, isNeg>(a, ftz);
    uint32_t high = changeSign<Traits, isNeg>(a >> 16, ftz);
    return low | high << 16;
  });
}

template <bool isNeg>
bool decodeSign(Decoder &d) {
  bool ftz = takeFlag(d, "ftz", kFtz);
  Type type;
  if (!d.takeType(type, {Type::F32, Type::F64, Type::F16, Type::BF16,
                         Type::F16x2, Type::BF16x2}))
    return false;
  if (ftz && (type == Type::F64 || type == Type::BF16 || type == Type::BF16x2))
    return d.error("a modifier that ." + getName(type) + " does not have");
  if (!d.dst(type) || !d.src(type))
    return false;
  switch (type) {
  case Type::F32:
    return d.set(signs<SingleTraits, isNeg>);
  case Type::F64:
    return d.set(signs<DoubleTraits, isNeg>);
  case Type::F16:
    return d.set(signs<HalfTraits, isNeg>);
  case Type::BF16:
    return d.set(signs<BF16Traits, isNeg>);
  case Type::F16x2:
    return d.set(signsPacked<HalfTraits, isNeg>);
  default:
    return d.set(signsPacked<BF16Traits, isNeg>);
  }
}

template <typename T>
void copySign(Warp &w, const Inst &i) {
  constexpr T sign = T(1) << (8 * sizeof(T) - 1);
  map2<T, T, T>(w, i, [](T a, T b) { return T((a & sign) | (b & ~sign)); });
}

bool decodeCopysign(Decoder &d) {
  Type type;
  return d.takeType(type, {Type::F32, Type::F64}) && d.dst(type) &&
         d.src(type) && d.src(type) &&
         d.set(type == Type::F32 ? copySign<uint32_t> : copySign<uint64_t>);
}

//===----------------------------------------------------------------------===//
// Properties
//===----------------------------------------------------------------------===//

enum class Property : uint8_t {
  Finite,
  Infinite,
  Number,
  NotANumber,
  Normal,
  Subnormal
};

template <typename Traits>
void testProperty(Warp &w, const Inst &i) {
  using Bits = typename Traits::Bits;
  constexpr Bits inf = Traits::format.infBits();
  constexpr Bits least = Bits(1) << Traits::format.mantissaBits;
  const Bits *a = w.slot<Bits>(i, 1);
  uint32_t result = 0;
  forLanes(w.mask, [&](unsigned l) {
    Bits magnitude = a[l] & Bits(Traits::format.signMask() - 1);
    bool holds = false;
    switch (static_cast<Property>(i.flags)) {
    case Property::Finite:
      holds = magnitude < inf;
      break;
    case Property::Infinite:
      holds = magnitude == inf;
      break;
    case Property::Number:
      holds = magnitude <= inf;
      break;
    case Property::NotANumber:
      holds = magnitude > inf;
      break;
    case Property::Normal:
      // Zero is normal on the hardware.
      holds = (magnitude == 0 || magnitude >= least) && magnitude < inf;
      break;
    case Property::Subnormal:
      holds = magnitude != 0 && magnitude < least;
      break;
    }
    result |= uint32_t(holds) << l;
  });
  uint32_t &d = w.pred(i, 0);
  d = (d & ~w.mask) | result;
}

bool decodeTestp(Decoder &d) {
  constexpr llvm::StringLiteral names[] = {
      "finite", "infinite", "number", "notanumber", "normal", "subnormal"};
  unsigned property = 0;
  while (property < std::size(names) && !d.take(names[property]))
    ++property;
  Type type;
  if (property == std::size(names))
    return d.unknownModifier();
  d.inst.flags = property;
  return d.takeType(type, {Type::F32, Type::F64}) && d.predDst() &&
         d.src(type) &&
         d.set(type == Type::F32 ? testProperty<SingleTraits>
                                 : testProperty<DoubleTraits>);
}

} // namespace

void lowp::sim::registerFloatSign(Registry &registry) {
  registry["min/f"] = decodeMinMax<false>;
  registry["max/f"] = decodeMinMax<true>;
  registry["abs/f"] = decodeSign<false>;
  registry["neg/f"] = decodeSign<true>;
  registry["copysign"] = decodeCopysign;
  registry["testp"] = decodeTestp;
}
