//===- ConvertPacked.cpp - Conversions of packed numbers ------------------===//
//
// Part of the Lowp project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The first of two operands, and the upper half of a packed one, goes to the
// upper half of the result.
//
//===----------------------------------------------------------------------===//

#include "ConvertOps.h"

using namespace lowp::sim;
using namespace lowp::sim::soft;

namespace {

struct Packed {
  Type to;
  Type from;
  Rounding mode;
  bool satfinite, relu, scaled;

  static uint32_t pack(const ConvertModifiers &m, Type to, Type from) {
    return static_cast<uint32_t>(to) | static_cast<uint32_t>(from) << 8 |
           static_cast<uint32_t>(m.mode) << 16 | m.satfinite << 20 |
           m.relu << 21 | m.scaled << 22;
  }
  explicit Packed(uint32_t flags)
      : to(static_cast<Type>(flags & 255)),
        from(static_cast<Type>(flags >> 8 & 255)),
        mode(static_cast<Rounding>(flags >> 16 & 15)),
        satfinite(flags >> 20 & 1), relu(flags >> 21 & 1),
        scaled(flags >> 22 & 1) {}

  Overflow overflow() const {
    return satfinite ? Overflow::Saturate : Overflow::Round;
  }
};

bool isNarrow(Type type) {
  return type >= Type::E4M3x2 && type <= Type::E2M1x2;
}

/// Bits of one element of a packed type.
unsigned elementBits(Type type) {
  switch (type) {
  case Type::F16x2:
  case Type::BF16x2:
    return 16;
  case Type::E2M1x2:
  case Type::E2M1x4:
    return 4;
  default:
    return 8;
  }
}

/// The power of two of a UE8M0 byte.
constexpr int kScaleBias = 127;
constexpr unsigned kScaleNaN = 0xFF;

//===----------------------------------------------------------------------===//
// To a narrow type
//===----------------------------------------------------------------------===//

/// The sign is dropped; a magnitude rounds to a power of two.
uint32_t toUE8M0(const Number &n, Rounding mode, bool satfinite) {
  if (n.isNaN())
    return kScaleNaN;
  if (n.kind == Number::Inf)
    return satfinite ? 0xFE : kScaleNaN;
  if (n.kind == Number::Zero)
    return 0;
  int leading = n.exponent;
  bool isPower = (n.mantissa & (n.mantissa - 1)) == 0;
  for (UInt128 m = n.mantissa; m > 1; m >>= 1)
    ++leading;
  int exponent = leading + (mode == Rounding::RP && !isPower);
  int code = exponent + kScaleBias;
  if (code > 0xFE)
    return satfinite ? 0xFE : kScaleNaN;
  return std::max(code, 0);
}

constexpr int kS2F6Max = 127;

/// q / 64, q = x / 2^(scale - 127) rounded to nearest. Whether the least code
/// is -128 or -127 is not documented.
uint32_t toS2F6(Warp &w, unsigned lane, Number n, unsigned scale, bool relu) {
  const Options &options = w.grid->options;
  if (scale == kScaleNaN && options.checkUnspecified) {
    w.fault(FaultKind::Unspecified, lane, "s2f6 with a scale that is NaN");
    return 0;
  }
  if (n.isNaN())
    return kS2F6Max;
  if (relu && n.negative)
    return 0;
  bool overflow = n.kind == Number::Inf;
  int64_t magnitude = 0;
  if (n.kind == Number::Finite) {
    uint64_t value =
        roundToInteger(soft::scale(n, 6 + kScaleBias - static_cast<int>(scale)),
                       Rounding::RN, overflow);
    magnitude = static_cast<int64_t>(std::min<uint64_t>(value, 1000));
  }
  if (overflow)
    magnitude = 1000;
  if (!n.negative)
    return static_cast<uint32_t>(std::min<int64_t>(magnitude, kS2F6Max));
  if (magnitude > kS2F6Max && options.checkUnspecified) {
    w.fault(FaultKind::Unspecified, lane,
            "s2f6 of a number that rounds below -127/64: -128/64 or -127/64");
    return 0;
  }
  return static_cast<uint32_t>(-std::min<int64_t>(magnitude, 128)) & 0xFF;
}

uint32_t toElement(Warp &w, unsigned lane, const Packed &c, const Number &n,
                   unsigned scale) {
  if (c.to == Type::UE8M0x2)
    return toUE8M0(n, c.mode, c.satfinite);
  if (c.to == Type::S2F6x2)
    return toS2F6(w, lane, n, scale, c.relu);
  const Format &format = *getFormat(c.to);
  uint64_t bits =
      soft::round(format, n, c.mode, Subnormals::Keep, c.overflow());
  return static_cast<uint32_t>(clampTo(format, bits, false, c.relu));
}

/// d, a, b{, scale}
void pairToPacked(Warp &w, const Inst &i) {
  Packed c(i.flags);
  Lanes upper, lower, scales, result;
  gather(w, i, 1, upper);
  gather(w, i, 2, lower);
  if (c.scaled)
    gather(w, i, 3, scales);
  unsigned bits = elementBits(c.to);
  forLanes(w.mask, [&](unsigned l) {
    uint32_t scale = c.scaled ? uint32_t(scales[l]) : 0x7F7F;
    uint32_t a =
        toElement(w, l, c, soft::unpack(kF32, upper[l]), scale >> 8 & 0xFF);
    uint32_t b = toElement(w, l, c, soft::unpack(kF32, lower[l]), scale & 0xFF);
    result[l] = a << bits | b;
  });
  scatter(w, i, 0, result);
}

/// d, a{, scale}: from f16x2 or bf16x2.
void packedToNarrow(Warp &w, const Inst &i) {
  Packed c(i.flags);
  const Format &from = *getFormat(c.from);
  Lanes source, scales, result;
  gather(w, i, 1, source);
  if (c.scaled)
    gather(w, i, 2, scales);
  unsigned bits = elementBits(c.to);
  forLanes(w.mask, [&](unsigned l) {
    uint32_t scale = c.scaled ? uint32_t(scales[l]) : 0x7F7F;
    uint32_t a =
        toElement(w, l, c, soft::unpack(from, source[l] >> 16 & 0xFFFF),
                  scale >> 8 & 0xFF);
    uint32_t b = toElement(w, l, c, soft::unpack(from, source[l] & 0xFFFF),
                           scale & 0xFF);
    result[l] = a << bits | b;
  });
  scatter(w, i, 0, result);
}

//===----------------------------------------------------------------------===//
// From a narrow type
//===----------------------------------------------------------------------===//

Number fromElement(Type type, uint32_t code) {
  if (type == Type::S2F6x2) {
    int value = static_cast<int8_t>(code);
    return soft::scale(
        fromInteger(value < 0, value < 0 ? uint64_t(-value) : uint64_t(value)),
        -6);
  }
  if (type == Type::UE8M0x2) {
    Number n = fromInteger(false, 1);
    if (code == kScaleNaN)
      n.kind = Number::NaN;
    return soft::scale(n, static_cast<int>(code) - kScaleBias);
  }
  const Format &format = *getFormat(type);
  return soft::unpack(format, code & (2 * format.signMask() - 1));
}

/// d, a{, scale}: to f16x2 or bf16x2.
void narrowToPacked(Warp &w, const Inst &i) {
  Packed c(i.flags);
  const Format &to = *getFormat(c.to);
  Lanes source, scales, result;
  gather(w, i, 1, source);
  if (c.scaled)
    gather(w, i, 2, scales);
  unsigned bits = elementBits(c.from);
  forLanes(w.mask, [&](unsigned l) {
    uint32_t scale = c.scaled ? uint32_t(scales[l]) : 0x7F7F;
    auto convert = [&](uint32_t code, unsigned factor) -> uint32_t {
      Number n = fromElement(c.from, code);
      if (c.scaled && factor == kScaleNaN)
        n.kind = Number::NaN;
      n = soft::scale(n, static_cast<int>(factor) - kScaleBias);
      uint64_t value =
          soft::round(to, n, Rounding::RN, Subnormals::Keep, c.overflow());
      return static_cast<uint32_t>(clampTo(to, value, false, c.relu));
    };
    uint32_t mask = (1u << bits) - 1;
    uint32_t high = convert(source[l] >> bits & mask, scale >> 8 & 0xFF);
    uint32_t low = convert(source[l] & mask, scale & 0xFF);
    result[l] = high << 16 | low;
  });
  scatter(w, i, 0, result);
}

//===----------------------------------------------------------------------===//
// Stochastic rounding
//===----------------------------------------------------------------------===//

uint32_t toStochastic(const Packed &c, uint32_t bits, uint32_t random,
                      unsigned randomBits) {
  const Format &format = *getFormat(c.to);
  Number n = soft::unpack(kF32, bits);
  uint64_t value = roundStochastic(format, n, random, randomBits, c.overflow());
  return static_cast<uint32_t>(clampTo(format, value, false, c.relu));
}

/// d, a, b, random: all discarded bits count.
void pairStochastic(Warp &w, const Inst &i) {
  Packed c(i.flags);
  unsigned bits = c.to == Type::F16x2 ? 13 : 16;
  map3<uint32_t, uint32_t, uint32_t, uint32_t>(
      w, i, [=](uint32_t a, uint32_t b, uint32_t random) {
        return toStochastic(c, a, random >> 16, bits) << 16 |
               toStochastic(c, b, random, bits);
      });
}

/// d, {a, b, e, f}, random: 8 bits for each number of 4 bits; a pair of larger
/// ones shares 16.
void fourStochastic(Warp &w, const Inst &i) {
  Packed c(i.flags);
  bool isSmall = c.to == Type::E2M1x4;
  unsigned bits = elementBits(c.to), randomBits = isSmall ? 8 : 16;
  static constexpr unsigned shiftsSmall[] = {24, 8, 16, 0};
  static constexpr unsigned shiftsLarge[] = {16, 16, 0, 0};
  Lanes sources[4], random, result;
  for (unsigned k = 0; k < 4; ++k)
    gather(w, i, 1 + k, sources[k]);
  gather(w, i, 5, random);
  forLanes(w.mask, [&](unsigned l) {
    uint32_t packed = 0;
    for (unsigned k = 0; k < 4; ++k) {
      unsigned shift = isSmall ? shiftsSmall[k] : shiftsLarge[k];
      packed = packed << bits |
               toStochastic(c, sources[k][l], uint32_t(random[l]) >> shift,
                            randomBits);
    }
    result[l] = packed;
  });
  scatter(w, i, 0, result);
}

//===----------------------------------------------------------------------===//
// Decoding
//===----------------------------------------------------------------------===//

bool noSuchForm(Decoder &d, Type to, Type from) {
  return d.error("no such conversion from ." + getName(from) + " to ." +
                 getName(to));
}

bool decodeStochastic(Decoder &d, const ConvertModifiers &m, Type to,
                      Type from) {
  if (from != Type::F32 || m.scaled)
    return noSuchForm(d, to, from);
  if (to == Type::BF16x2 || to == Type::F16x2)
    return d.dst(Type::B32) && d.src(Type::F32) && d.src(Type::F32) &&
           d.src(Type::B32) && d.set(pairStochastic);
  if (to < Type::E4M3x4 || !m.satfinite)
    return noSuchForm(d, to, from);
  return d.dst(to == Type::E2M1x4 ? Type::B16 : Type::B32) &&
         d.srcVector(Type::F32, 4, /*wide=*/false) && d.src(Type::B32) &&
         d.set(fourStochastic);
}

bool takeScale(Decoder &d, const ConvertModifiers &m) {
  return !m.scaled || d.src(Type::B16);
}

/// A register for a pair of codes; for those of 4 bits it must be `.b8`.
bool narrowDst(Decoder &d, Type to) {
  return to == Type::E2M1x2 ? d.dst(Type::B8) : d.dstWide(Type::B16);
}

bool decodeToNarrow(Decoder &d, const ConvertModifiers &m, Type to, Type from) {
  bool isScale = to == Type::UE8M0x2;
  bool goodMode = isScale ? m.mode == Rounding::RZ || m.mode == Rounding::RP
                          : m.mode == Rounding::RN && m.satfinite;
  if (!goodMode || (isScale && m.relu) || (m.scaled && to != Type::S2F6x2))
    return noSuchForm(d, to, from);
  if (from == Type::F32)
    return narrowDst(d, to) && d.src(from) && d.src(from) && takeScale(d, m) &&
           d.set(pairToPacked);
  bool fromHalf = from == Type::F16x2 && to != Type::S2F6x2 && !isScale;
  if (!fromHalf && from != Type::BF16x2)
    return noSuchForm(d, to, from);
  return narrowDst(d, to) && d.src(Type::B32) && takeScale(d, m) &&
         d.set(packedToNarrow);
}

bool decodeFromNarrow(Decoder &d, const ConvertModifiers &m, Type to,
                      Type from) {
  bool toBF16 = to == Type::BF16x2;
  bool isPlainOnly = to == Type::F16x2 || from == Type::UE8M0x2;
  if ((!toBF16 && to != Type::F16x2) || m.mode != Rounding::RN ||
      (isPlainOnly && (m.satfinite || m.scaled)) ||
      (!toBF16 && (from == Type::S2F6x2 || from == Type::UE8M0x2)) ||
      (from == Type::UE8M0x2 && m.relu))
    return noSuchForm(d, to, from);
  return d.dst(Type::B32) &&
         d.src(from == Type::E2M1x2 ? Type::B8 : Type::B16) &&
         takeScale(d, m) && d.set(narrowToPacked);
}

} // namespace

bool lowp::sim::decodeConvertPacked(Decoder &d, const ConvertModifiers &m,
                                    Type to, Type from) {
  d.inst.flags = Packed::pack(m, to, from);
  if (!m.hasRounding || m.toInteger || m.ftz || m.sat ||
      m.mode == Rounding::RNA)
    return noSuchForm(d, to, from);
  if (m.stochastic)
    return decodeStochastic(d, m, to, from);
  if (isNarrow(to) || to == Type::S2F6x2 || to == Type::UE8M0x2)
    return decodeToNarrow(d, m, to, from);
  if (isNarrow(from) || from == Type::S2F6x2 || from == Type::UE8M0x2)
    return decodeFromNarrow(d, m, to, from);
  bool isPair = to == Type::BF16x2 || to == Type::F16x2;
  bool goodMode = m.mode == Rounding::RN || m.mode == Rounding::RZ;
  if (!isPair || from != Type::F32 || m.scaled || !goodMode)
    return noSuchForm(d, to, from);
  return d.dst(Type::B32) && d.src(from) && d.src(from) && d.set(pairToPacked);
}

//===----------------------------------------------------------------------===//
// cvt.pack
//===----------------------------------------------------------------------===//

namespace {

/// d = a, b clamped to `flags` bits; above them what is left of c.
template <bool isSignedResult>
void packIntegers(Warp &w, const Inst &i) {
  unsigned bits = i.flags;
  int64_t least = isSignedResult ? -(int64_t(1) << (bits - 1)) : 0;
  int64_t most = (int64_t(1) << (bits - isSignedResult)) - 1;
  map3<uint32_t, int32_t, int32_t, uint32_t>(
      w, i, [=](int32_t a, int32_t b, uint32_t c) {
        auto part = [=](int64_t value) {
          value = std::min(std::max(value, least), most);
          return static_cast<uint32_t>(value) & ((1u << bits) - 1);
        };
        uint32_t rest = bits == 16 ? 0 : c << (2 * bits);
        return rest | part(a) << bits | part(b);
      });
}

} // namespace

bool lowp::sim::decodeConvertPack(Decoder &d) {
  if (!d.take("sat"))
    return d.unknownModifier();
  Type to;
  if (!d.takeType(to, {Type::U16, Type::S16, Type::U8, Type::S8}) ||
      !d.take("s32"))
    return d.unknownModifier();
  bool hasC = getBytes(to) == 1;
  if (hasC && !d.take("b32"))
    return d.unknownModifier();
  d.inst.flags = 8 * getBytes(to);
  if (!d.dst(Type::B32) || !d.src(Type::S32) || !d.src(Type::S32))
    return false;
  if (hasC ? !d.src(Type::B32) : !d.constantSlot(Type::B32, 0))
    return false;
  return d.set(isSigned(to) ? packIntegers<true> : packIntegers<false>);
}
