//===- Convert.cpp - Conversions of one number ----------------------------===//
//
// Part of the Lowp project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "ConvertOps.h"

using namespace lowp::sim;
using namespace lowp::sim::soft;

const Format *lowp::sim::getFormat(Type type) {
  switch (type) {
  case Type::F16:
  case Type::F16x2:
    return &kF16;
  case Type::BF16:
  case Type::BF16x2:
    return &kBF16;
  case Type::F32:
    return &kF32;
  case Type::F64:
    return &kF64;
  case Type::TF32:
    return &kTF32;
  case Type::E4M3x2:
  case Type::E4M3x4:
    return &kE4M3;
  case Type::E5M2x2:
  case Type::E5M2x4:
    return &kE5M2;
  case Type::E2M3x2:
  case Type::E2M3x4:
    return &kE2M3;
  case Type::E3M2x2:
  case Type::E3M2x4:
    return &kE3M2;
  case Type::E2M1x2:
  case Type::E2M1x4:
    return &kE2M1;
  default:
    return nullptr;
  }
}

bool lowp::sim::takeConvertModifiers(Decoder &d, ConvertModifiers &m) {
  constexpr std::pair<llvm::StringLiteral, Rounding> roundings[] = {
      {"rn", Rounding::RN},
      {"rz", Rounding::RZ},
      {"rm", Rounding::RM},
      {"rp", Rounding::RP},
      {"rna", Rounding::RNA}};
  constexpr std::pair<llvm::StringLiteral, Rounding> integers[] = {
      {"rni", Rounding::RN},
      {"rzi", Rounding::RZ},
      {"rmi", Rounding::RM},
      {"rpi", Rounding::RP}};
  while (true) {
    bool took = false;
    for (auto [name, mode] : roundings)
      if (!m.hasRounding && d.take(name)) {
        m.hasRounding = took = true;
        m.mode = mode;
      }
    for (auto [name, mode] : integers)
      if (!m.hasRounding && d.take(name)) {
        m.hasRounding = m.toInteger = took = true;
        m.mode = mode;
      }
    if (!m.hasRounding && d.take("rs"))
      m.hasRounding = m.stochastic = took = true;
    for (auto [name, flag] :
         {std::pair("ftz", &m.ftz), std::pair("sat", &m.sat),
          std::pair("satfinite", &m.satfinite), std::pair("relu", &m.relu),
          std::pair("scaled::n2::ue8m0", &m.scaled)})
      if (!*flag && d.take(name))
        *flag = took = true;
    if (!took)
      return true;
  }
}

namespace {

/// What a conversion of one number needs to know, in `Inst::flags`.
struct Packed {
  Type to;
  Type from;
  Rounding mode;
  bool toInteger, ftz, sat, satfinite, relu;

  static uint32_t pack(const ConvertModifiers &m, Type to, Type from) {
    return static_cast<uint32_t>(to) | static_cast<uint32_t>(from) << 8 |
           static_cast<uint32_t>(m.mode) << 16 | m.toInteger << 20 |
           m.ftz << 21 | m.sat << 22 | m.satfinite << 23 | m.relu << 24;
  }
  explicit Packed(uint32_t flags)
      : to(static_cast<Type>(flags & 255)),
        from(static_cast<Type>(flags >> 8 & 255)),
        mode(static_cast<Rounding>(flags >> 16 & 15)),
        toInteger(flags >> 20 & 1), ftz(flags >> 21 & 1), sat(flags >> 22 & 1),
        satfinite(flags >> 23 & 1), relu(flags >> 24 & 1) {}
};

//===----------------------------------------------------------------------===//
// Integers
//===----------------------------------------------------------------------===//

__extension__ typedef __int128 Int128;

Int128 leastOf(Type type) {
  return isSigned(type) ? -(Int128(1) << (8 * getBytes(type) - 1)) : Int128(0);
}

Int128 mostOf(Type type) {
  return (Int128(1) << (8 * getBytes(type) - isSigned(type))) - 1;
}

/// Cut, or clamped, to the type; extended to 64 bits as it says.
uint64_t toInteger(Int128 value, Type type, bool clamp) {
  if (clamp)
    value = std::min(std::max(value, leastOf(type)), mostOf(type));
  uint64_t bits = static_cast<uint64_t>(value);
  return isSigned(type)
             ? static_cast<uint64_t>(signExtend(bits, getBytes(type)))
             : cut(bits, getBytes(type));
}

void integerToInteger(Warp &w, const Inst &i) {
  Packed c(i.flags);
  Lanes values;
  gather(w, i, 1, values);
  unsigned bytes = getBytes(c.from), toBytes = getBytes(c.to);
  bool fromSigned = isSigned(c.from), toSigned = isSigned(c.to);
  for (uint64_t &value : values) {
    value = fromSigned ? static_cast<uint64_t>(signExtend(value, bytes))
                       : cut(value, bytes);
    if (c.sat)
      value = toInteger(fromSigned ? Int128(static_cast<int64_t>(value))
                                   : Int128(value),
                        c.to, /*clamp=*/true);
    else
      value = toSigned ? static_cast<uint64_t>(signExtend(value, toBytes))
                       : cut(value, toBytes);
  }
  scatter(w, i, 0, values);
}

void integerToFloat(Warp &w, const Inst &i) {
  Packed c(i.flags);
  const Format &format = *getFormat(c.to);
  Lanes values;
  gather(w, i, 1, values);
  unsigned bytes = getBytes(c.from);
  bool fromSigned = isSigned(c.from);
  bool isFast = c.to == Type::F32 && c.mode == Rounding::RN && !c.sat;
  forLanes(w.mask, [&](unsigned l) {
    int64_t s = signExtend(values[l], bytes);
    uint64_t u = cut(values[l], bytes);
    if (isFast) {
      values[l] = asBits(fromSigned ? float(s) : float(u));
      return;
    }
    bool negative = fromSigned && s < 0;
    Number n = fromInteger(negative, negative ? 0 - uint64_t(s) : u);
    uint64_t bits =
        soft::round(format, n, c.mode, Subnormals::Keep,
                    c.satfinite ? Overflow::Saturate : Overflow::Round);
    values[l] = clampTo(format, bits, c.sat, false);
  });
  scatter(w, i, 0, values);
}

/// NaN gives zero, or the least (the bit of the sign where there is none) where
/// one side has 64 bits.
void floatToInteger(Warp &w, const Inst &i) {
  Packed c(i.flags);
  const Format &format = *getFormat(c.from);
  bool isWide = c.from == Type::F64 || getBytes(c.to) == 8;
  Lanes values;
  gather(w, i, 1, values);
  bool isFast = c.from == Type::F32 && c.to == Type::S32 &&
                c.mode == Rounding::RZ && !c.ftz;
  forLanes(w.mask, [&](unsigned l) {
    if (isFast) {
      float f = asFloat(values[l]);
      if (std::fabs(f) < 2147483648.0f) {
        values[l] = static_cast<uint32_t>(static_cast<int32_t>(f));
        return;
      }
    }
    Number n =
        c.ftz ? unpackFtz(format, values[l]) : soft::unpack(format, values[l]);
    if (n.isNaN()) {
      uint64_t sign = uint64_t(1) << (8 * getBytes(c.to) - 1);
      values[l] = !isWide          ? 0
                  : isSigned(c.to) ? signExtend(sign, getBytes(c.to))
                                   : sign;
      return;
    }
    bool overflow = n.kind == Number::Inf;
    uint64_t magnitude = 0;
    if (!overflow)
      magnitude = roundToInteger(n, c.mode, overflow);
    Int128 value = overflow ? Int128(1) << 100 : Int128(magnitude);
    values[l] = toInteger(n.negative ? -value : value, c.to, /*clamp=*/true);
  });
  scatter(w, i, 0, values);
}

//===----------------------------------------------------------------------===//
// Floats
//===----------------------------------------------------------------------===//

/// A NaN of one format as another's, its sign and top payload bits kept.
uint64_t convertNaN(const Format &to, const Format &from, uint64_t bits) {
  uint64_t payload = bits & ((uint64_t(1) << from.mantissaBits) - 1);
  int shift = int(to.mantissaBits) - int(from.mantissaBits);
  payload = shift >= 0 ? payload << shift : payload >> -shift;
  payload |= uint64_t(1) << (to.mantissaBits - 1);
  uint64_t sign = bits & from.signMask() ? to.signMask() : 0;
  return sign | to.infBits() | payload;
}

uint64_t convertFloat(const Packed &c, uint64_t bits) {
  const Format &from = *getFormat(c.from), &to = *getFormat(c.to);
  // Only .f32 is flushed, and not on the way to .f16.
  Number n = c.ftz && c.from == Type::F32 && c.to != Type::F16
                 ? unpackFtz(from, bits)
                 : soft::unpack(from, bits);
  if (n.isNaN()) {
    if (c.ftz && c.from == Type::F32)
      bits = from.nanBits();
    if (c.sat)
      return 0;
    if (c.satfinite || c.relu)
      return to.nanBits();
    if (c.from == Type::F64 || c.to == Type::F64)
      return convertNaN(to, from, bits);
    if (c.from == Type::BF16 && c.to == Type::F32 && !c.toInteger && !c.ftz)
      return bits << 16;
    return to.nanBits();
  }
  if (c.toInteger) {
    // A number to one without a fraction.
    if (n.kind == Number::Finite && n.exponent < 0) {
      bool overflow = false;
      uint64_t magnitude = roundToInteger(n, c.mode, overflow);
      bool negative = n.negative;
      n = fromInteger(negative, magnitude);
      n.negative = negative;
    }
  }
  uint64_t result = soft::round(
      to, n, c.mode,
      c.ftz && c.to == Type::F32 ? Subnormals::Flush : Subnormals::Keep,
      c.satfinite ? Overflow::Saturate : Overflow::Round);
  return clampTo(to, result, c.sat, c.relu);
}

void floatToFloat(Warp &w, const Inst &i) {
  Packed c(i.flags);
  Lanes values;
  gather(w, i, 1, values);
  forLanes(w.mask, [&](unsigned l) { values[l] = convertFloat(c, values[l]); });
  scatter(w, i, 0, values);
}

void moveBits(Warp &w, const Inst &i) {
  Lanes values;
  gather(w, i, 1, values);
  scatter(w, i, 0, values);
}

void bf16ToF32(Warp &w, const Inst &i) {
  map1<uint32_t, uint16_t>(w, i, [](uint16_t a) { return uint32_t(a) << 16; });
}

/// cvt.rna.tf32 adds to the bits, and cuts Inf and NaN.
uint32_t roundTF32Away(uint32_t bits, bool satfinite) {
  if ((bits & 0x7F800000) != 0x7F800000)
    bits += 0x1000;
  bits &= 0xFFFFE000;
  if (satfinite && (bits & 0x7F800000) == 0x7F800000)
    bits -= 0x2000;
  return bits;
}

void floatToTF32(Warp &w, const Inst &i) {
  Packed c(i.flags);
  map1<uint32_t, uint32_t>(w, i, [=](uint32_t a) {
    if (c.mode == Rounding::RNA)
      return roundTF32Away(a, c.satfinite);
    Number n = soft::unpack(kF32, a);
    if (n.isNaN())
      return 0x7FFFE000u;
    uint64_t bits =
        soft::round(kTF32, n, c.mode, Subnormals::Keep,
                    c.satfinite ? Overflow::Saturate : Overflow::Round);
    return static_cast<uint32_t>(clampTo(kTF32, bits, false, c.relu)) << 13;
  });
}

//===----------------------------------------------------------------------===//
// Decoding
//===----------------------------------------------------------------------===//

bool decodeToTF32(Decoder &d, const ConvertModifiers &m, Type from) {
  bool isAway = m.hasRounding && m.mode == Rounding::RNA;
  bool isOther = m.hasRounding && !m.toInteger && !m.stochastic &&
                 (m.mode == Rounding::RN || m.mode == Rounding::RZ);
  if (from != Type::F32 || m.ftz || m.sat || m.scaled || !(isAway || isOther) ||
      (isAway && m.relu))
    return d.error("a conversion to .tf32 that does not exist");
  d.inst.flags = Packed::pack(m, Type::TF32, from);
  return d.dst(Type::B32) && d.src(Type::F32) && d.set(floatToTF32);
}

bool decodeFloats(Decoder &d, const ConvertModifiers &m, Type to, Type from) {
  bool toSmaller = getBytes(to) < getBytes(from);
  bool between16 = getBytes(to) == 2 && getBytes(from) == 2 && to != from;
  bool needsRounding = toSmaller || between16;
  if (needsRounding && (!m.hasRounding || m.toInteger))
    return d.error("the conversion needs a rounding");
  if (!needsRounding && m.hasRounding && !m.toInteger)
    return d.error("the conversion is exact and takes no rounding");
  if (m.toInteger && to != from)
    return d.error("rounding to integers keeps the type");
  if (m.mode == Rounding::RNA)
    return d.error("'.rna' goes with .tf32 only");
  bool isF16 = to == Type::F16 || to == Type::BF16;
  if ((m.relu || m.satfinite) &&
      !(isF16 && from == Type::F32 &&
        (m.mode == Rounding::RN || m.mode == Rounding::RZ)))
    return d.error("'.relu' and '.satfinite' go with a conversion of .f32 to "
                   "16 bits by '.rn' or '.rz' only");
  if (m.sat && isF16 && (to == Type::BF16 || from == Type::BF16))
    return d.error("no '.sat' goes with .bf16");
  if (m.ftz && from != Type::F32 && to != Type::F32)
    return d.error("'.ftz' goes with .f32 only");
  bool isPlain = !m.hasRounding && !m.ftz && !m.sat && !m.relu && !m.satfinite;
  if (!d.dst(to) || !d.src(from))
    return false;
  d.inst.flags = Packed::pack(m, to, from);
  if (isPlain && to == from && (to == Type::F32 || to == Type::F64))
    return d.set(moveBits);
  if (isPlain && to == Type::F32 && from == Type::BF16)
    return d.set(bf16ToF32);
  return d.set(floatToFloat);
}

bool isScalarFloat(Type type) {
  return type == Type::F16 || type == Type::BF16 || type == Type::F32 ||
         type == Type::F64;
}

bool decodeCvt(Decoder &d) {
  if (d.take("pack"))
    return decodeConvertPack(d);
  ConvertModifiers m;
  takeConvertModifiers(d, m);
  std::optional<Type> to = d.takeType(), from = d.takeType();
  if (!to || !from)
    return d.unknownModifier();
  if (*to == Type::TF32)
    return decodeToTF32(d, m, *from);
  if (*to > Type::TF32 || *from > Type::TF32 || m.stochastic || m.scaled)
    return decodeConvertPacked(d, m, *to, *from);
  bool toFloat = isScalarFloat(*to), fromFloat = isScalarFloat(*from);
  if (!(toFloat || isInteger(*to)) || !(fromFloat || isInteger(*from)))
    return d.error("no conversion from ." + getName(*from) + " to ." +
                   getName(*to));
  if (toFloat && fromFloat)
    return decodeFloats(d, m, *to, *from);
  auto isByteOfBF16 = [](Type a, Type b) {
    return a == Type::BF16 && getBytes(b) == 1;
  };
  if (isByteOfBF16(*to, *from) || isByteOfBF16(*from, *to))
    return d.error("no conversion between .bf16 and 8 bits");
  d.inst.flags = Packed::pack(m, *to, *from);
  if (m.relu || m.mode == Rounding::RNA)
    return d.error("a modifier that integers do not have");
  if (toFloat) {
    if (!m.hasRounding || m.toInteger || m.ftz)
      return d.error("the conversion needs a rounding to floating point");
    return d.dst(*to) && d.srcWide(*from) && d.set(integerToFloat);
  }
  if (fromFloat) {
    if (m.ftz && *from != Type::F32)
      return d.error("'.ftz' goes with .f32 only");
    if (!m.hasRounding || !m.toInteger || m.satfinite)
      return d.error("the conversion needs a rounding to integers");
    return d.dstWide(*to) && d.src(*from) && d.set(floatToInteger);
  }
  if (m.hasRounding || m.ftz || m.satfinite)
    return d.error("a modifier that integers do not have");
  if (m.sat && getBytes(*to) > getBytes(*from) &&
      (isSigned(*to) || !isSigned(*from)))
    return d.error("'.sat' goes with results that may not hold the source");
  return d.dstWide(*to) && d.srcWide(*from) && d.set(integerToInteger);
}

} // namespace

void lowp::sim::registerConvert(Registry &registry) {
  registry["cvt"] = decodeCvt;
}
