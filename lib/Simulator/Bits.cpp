//===- Bits.cpp - Logic, shifts and bit fields ----------------------------===//
//
// Part of the Lowp project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Decoder.h"

#include "llvm/Support/MathExtras.h"

#include <limits>
#include <type_traits>

using namespace lowp::sim;

namespace {

//===----------------------------------------------------------------------===//
// Logic
//===----------------------------------------------------------------------===//

struct And {
  template <typename T>
  static T of(T a, T b) {
    return a & b;
  }
};
struct Or {
  template <typename T>
  static T of(T a, T b) {
    return a | b;
  }
};
struct Xor {
  template <typename T>
  static T of(T a, T b) {
    return a ^ b;
  }
};

template <typename Op>
struct Binary {
  template <typename T>
  static void run(Warp &w, const Inst &i) {
    map2<T, T, T>(w, i, [](T a, T b) { return T(Op::of(a, b)); });
  }
};

template <typename Op>
void predicateBinary(Warp &w, const Inst &i) {
  uint32_t value = Op::of(w.pred(i, 1), w.pred(i, 2));
  uint32_t &d = w.pred(i, 0);
  d = (d & ~w.mask) | (value & w.mask);
}

struct Not {
  template <typename T>
  static void run(Warp &w, const Inst &i) {
    map1<T, T>(w, i, [](T a) { return T(~a); });
  }
};

void predicateNot(Warp &w, const Inst &i) {
  uint32_t value = ~w.pred(i, 1);
  uint32_t &d = w.pred(i, 0);
  d = (d & ~w.mask) | (value & w.mask);
}

struct Cnot {
  template <typename T>
  static void run(Warp &w, const Inst &i) {
    map1<T, T>(w, i, [](T a) { return T(a == 0); });
  }
};

template <typename Op>
bool decodeLogic(Decoder &d) {
  if (d.take("pred"))
    return d.predDst() && d.predSrc(nullptr) && d.predSrc(nullptr) &&
           d.set(predicateBinary<Op>);
  Type type;
  return d.takeType(type, {Type::B16, Type::B32, Type::B64}) && d.dst(type) &&
         d.src(type) && d.src(type) && d.set(pickBits<Binary<Op>>(type));
}

bool decodeNot(Decoder &d) {
  if (d.take("pred"))
    return d.predDst() && d.predSrc(nullptr) && d.set(predicateNot);
  Type type;
  return d.takeType(type, {Type::B16, Type::B32, Type::B64}) && d.dst(type) &&
         d.src(type) && d.set(pickBits<Not>(type));
}

bool decodeCnot(Decoder &d) {
  Type type;
  return d.takeType(type, {Type::B16, Type::B32, Type::B64}) && d.dst(type) &&
         d.src(type) && d.set(pickBits<Cnot>(type));
}

void lop3(Warp &w, const Inst &i) {
  uint32_t table = i.flags;
  map3<uint32_t, uint32_t, uint32_t, uint32_t>(
      w, i, [=](uint32_t a, uint32_t b, uint32_t c) {
        uint32_t result = 0;
        for (unsigned k = 0; k < 8; ++k)
          if (table >> k & 1)
            result |= (k & 4 ? a : ~a) & (k & 2 ? b : ~b) & (k & 1 ? c : ~c);
        return result;
      });
}

bool decodeLop3(Decoder &d) {
  uint64_t table = 0;
  if (!d.take("b32") || !d.dst(Type::B32) || !d.src(Type::B32) ||
      !d.src(Type::B32) || !d.src(Type::B32) || !d.constant(table))
    return d.unknownModifier();
  if (table > 255)
    return d.error("the table of lop3 has 8 bits");
  d.inst.flags = table;
  return d.set(lop3);
}

//===----------------------------------------------------------------------===//
// Shifts: amounts beyond the width act as the width
//===----------------------------------------------------------------------===//

struct Shl {
  template <typename T>
  static void run(Warp &w, const Inst &i) {
    map2<T, T, uint32_t>(w, i, [](T a, uint32_t n) {
      return n < 8 * sizeof(T) ? T(uint64_t(a) << n) : T(0);
    });
  }
};

struct Shr {
  template <typename T>
  static void run(Warp &w, const Inst &i) {
    map2<T, T, uint32_t>(w, i, [](T a, uint32_t n) {
      constexpr unsigned bits = 8 * sizeof(T);
      if (std::is_signed<T>::value)
        return T(a >> (n < bits ? n : bits - 1));
      return n < bits ? T(a >> n) : T(0);
    });
  }
};

bool decodeShl(Decoder &d) {
  Type type;
  return d.takeType(type, {Type::B16, Type::B32, Type::B64}) && d.dst(type) &&
         d.src(type) && d.src(Type::U32) && d.set(pickBits<Shl>(type));
}

bool decodeShr(Decoder &d) {
  Type type;
  if (!d.takeType(type, {Type::B16, Type::B32, Type::B64, Type::U16, Type::U32,
                         Type::U64, Type::S16, Type::S32, Type::S64}))
    return false;
  return d.dst(type) && d.src(type) && d.src(Type::U32) &&
         d.set(isSigned(type) ? pickInteger<Shr>(type) : pickBits<Shr>(type));
}

template <bool left, bool wrap>
void funnel(Warp &w, const Inst &i) {
  map3<uint32_t, uint32_t, uint32_t, uint32_t>(
      w, i, [](uint32_t a, uint32_t b, uint32_t c) {
        unsigned n = wrap ? c & 31 : c < 32 ? c : 32;
        uint64_t both = uint64_t(b) << 32 | a;
        return left ? uint32_t((both << n) >> 32) : uint32_t(both >> n);
      });
}

bool decodeShf(Decoder &d) {
  bool left = d.take("l");
  if (!left && !d.take("r"))
    return d.unknownModifier();
  bool wrap = d.take("wrap");
  if ((!wrap && !d.take("clamp")) || !d.take("b32"))
    return d.unknownModifier();
  return d.dst(Type::B32) && d.src(Type::B32) && d.src(Type::B32) &&
         d.src(Type::U32) &&
         d.set(left ? (wrap ? funnel<true, true> : funnel<true, false>)
                    : (wrap ? funnel<false, true> : funnel<false, false>));
}

//===----------------------------------------------------------------------===//
// Bit fields
//===----------------------------------------------------------------------===//

/// Position and length of a field: the forms of 32 bits take 8 bits of each,
/// those of 64 bits clamp.
template <typename T>
unsigned fieldOperand(uint32_t value) {
  if (sizeof(T) == 4)
    return value & 0xFF;
  return value < 64 ? value : 64;
}

struct Bfe {
  template <typename T>
  static void run(Warp &w, const Inst &i) {
    map3<T, T, uint32_t, uint32_t>(
        w, i, [](T a, uint32_t position, uint32_t length) {
          constexpr unsigned msb = 8 * sizeof(T) - 1;
          unsigned pos = fieldOperand<T>(position);
          unsigned len = fieldOperand<T>(length);
          bool fill = false;
          if (std::is_signed<T>::value && len != 0)
            fill = a >> std::min(pos + len - 1, msb) & 1;
          // Bits beyond the top are those of the fill.
          using U = typename std::make_unsigned<T>::type;
          U result = fill ? ~U(0) : U(0);
          unsigned count = pos > msb ? 0 : std::min(len, msb + 1 - pos);
          if (count == 0)
            return T(result);
          U field = U(a) >> pos;
          if (count > msb)
            return T(field);
          U mask = (U(1) << count) - 1;
          return T((field & mask) | (result & ~mask));
        });
  }
};

struct Bfi {
  template <typename T>
  static void run(Warp &w, const Inst &i) {
    T *d = w.slot<T>(i, 0);
    const T *a = w.slot<T>(i, 1), *b = w.slot<T>(i, 2);
    const uint32_t *c = w.slot<uint32_t>(i, 3), *e = w.slot<uint32_t>(i, 4);
    forLanes(w.mask, [=](unsigned l) {
      constexpr unsigned bits = 8 * sizeof(T);
      unsigned pos = fieldOperand<T>(c[l]);
      unsigned len = fieldOperand<T>(e[l]);
      unsigned count = pos >= bits ? 0 : std::min(len, bits - pos);
      T mask = count == 0      ? T(0)
               : count == bits ? ~T(0)
                               : T(((T(1) << count) - 1) << pos);
      T field = pos >= bits ? T(0) : T(a[l] << pos);
      d[l] = (b[l] & ~mask) | (field & mask);
    });
  }
};

bool decodeBfe(Decoder &d) {
  Type type;
  return d.takeType(type, {Type::U32, Type::U64, Type::S32, Type::S64}) &&
         d.dst(type) && d.src(type) && d.src(Type::U32) && d.src(Type::U32) &&
         d.set(pickInteger<Bfe>(type));
}

bool decodeBfi(Decoder &d) {
  Type type;
  return d.takeType(type, {Type::B32, Type::B64}) && d.dst(type) &&
         d.src(type) && d.src(type) && d.src(Type::U32) && d.src(Type::U32) &&
         d.set(type == Type::B32 ? Bfi::run<uint32_t> : Bfi::run<uint64_t>);
}

void szext(Warp &w, const Inst &i) {
  bool isSignedType = i.flags & 1, wrap = i.flags & 2;
  map2<uint32_t, uint32_t, uint32_t>(w, i, [=](uint32_t a, uint32_t n) {
    n = wrap ? n & 31 : n;
    if (n >= 32)
      return a;
    if (n == 0)
      return 0u;
    uint32_t value = a & ((1u << n) - 1);
    if (isSignedType && (value >> (n - 1)))
      value |= ~0u << n;
    return value;
  });
}

bool decodeSzext(Decoder &d) {
  bool wrap = d.take("wrap");
  if (!wrap && !d.take("clamp"))
    return d.unknownModifier();
  Type type;
  if (!d.takeType(type, {Type::U32, Type::S32}))
    return false;
  d.inst.flags = isSigned(type) | (wrap ? 2 : 0);
  return d.dst(type) && d.src(type) && d.src(Type::U32) && d.set(szext);
}

void bmsk(Warp &w, const Inst &i) {
  bool wrap = i.flags;
  map2<uint32_t, uint32_t, uint32_t>(w, i, [=](uint32_t pos, uint32_t len) {
    pos = wrap ? pos & 31 : std::min(pos, 32u);
    len = wrap ? len & 31 : std::min(len, 32u);
    uint64_t mask = ((uint64_t(1) << len) - 1) << pos;
    return static_cast<uint32_t>(mask);
  });
}

bool decodeBmsk(Decoder &d) {
  bool wrap = d.take("wrap");
  if ((!wrap && !d.take("clamp")) || !d.take("b32"))
    return d.unknownModifier();
  d.inst.flags = wrap;
  return d.dst(Type::B32) && d.src(Type::B32) && d.src(Type::B32) &&
         d.set(bmsk);
}

//===----------------------------------------------------------------------===//
// Permutations and counts
//===----------------------------------------------------------------------===//

uint32_t permute(uint32_t a, uint32_t b, uint32_t selector) {
  uint64_t bytes = uint64_t(b) << 32 | a;
  uint32_t result = 0;
  for (unsigned k = 0; k < 4; ++k) {
    unsigned nibble = selector >> (4 * k) & 15;
    uint32_t byte = bytes >> (8 * (nibble & 7)) & 0xFF;
    if (nibble & 8)
      byte = byte & 0x80 ? 0xFF : 0;
    result |= byte << (8 * k);
  }
  return result;
}

void prmt(Warp &w, const Inst &i) {
  map3<uint32_t, uint32_t, uint32_t, uint32_t>(w, i, permute);
}

/// The selectors of the modes, by the low two bits of the operand.
constexpr uint16_t kForward[] = {0x3210, 0x4321, 0x5432, 0x6543};
constexpr uint16_t kBackward[] = {0x5670, 0x6701, 0x7012, 0x0123};
constexpr uint16_t kReplicate[] = {0x0000, 0x1111, 0x2222, 0x3333};
constexpr uint16_t kEdgeLeft[] = {0x3210, 0x3211, 0x3222, 0x3333};
constexpr uint16_t kEdgeRight[] = {0x0000, 0x1110, 0x2210, 0x3210};
constexpr uint16_t kHalves[] = {0x1010, 0x3232, 0x1010, 0x3232};

template <const uint16_t *table>
void prmtMode(Warp &w, const Inst &i) {
  map3<uint32_t, uint32_t, uint32_t, uint32_t>(
      w, i, [](uint32_t a, uint32_t b, uint32_t c) {
        return permute(a, b, table[c & 3]);
      });
}

bool decodePrmt(Decoder &d) {
  if (!d.take("b32"))
    return d.unknownModifier();
  if (!d.dst(Type::B32) || !d.src(Type::B32) || !d.src(Type::B32) ||
      !d.src(Type::B32))
    return false;
  if (d.take("f4e"))
    return d.set(prmtMode<kForward>);
  if (d.take("b4e"))
    return d.set(prmtMode<kBackward>);
  if (d.take("rc8"))
    return d.set(prmtMode<kReplicate>);
  if (d.take("ecl"))
    return d.set(prmtMode<kEdgeLeft>);
  if (d.take("ecr"))
    return d.set(prmtMode<kEdgeRight>);
  if (d.take("rc16"))
    return d.set(prmtMode<kHalves>);
  return d.set(prmt);
}

struct Popc {
  template <typename T>
  static void run(Warp &w, const Inst &i) {
    map1<uint32_t, T>(w, i, [](T a) { return uint32_t(llvm::popcount(a)); });
  }
};

struct Clz {
  template <typename T>
  static void run(Warp &w, const Inst &i) {
    map1<uint32_t, T>(w, i, [](T a) { return uint32_t(llvm::countl_zero(a)); });
  }
};

struct Brev {
  template <typename T>
  static void run(Warp &w, const Inst &i) {
    map1<T, T>(w, i, [](T a) { return llvm::reverseBits(a); });
  }
};

template <typename Op>
bool decodeCount(Decoder &d) {
  Type type;
  return d.takeType(type, {Type::B32, Type::B64}) && d.dst(Type::U32) &&
         d.src(type) &&
         d.set(type == Type::B32 ? Op::template run<uint32_t>
                                 : Op::template run<uint64_t>);
}

bool decodeBrev(Decoder &d) {
  Type type;
  return d.takeType(type, {Type::B32, Type::B64}) && d.dst(type) &&
         d.src(type) &&
         d.set(type == Type::B32 ? Brev::run<uint32_t> : Brev::run<uint64_t>);
}

/// `flags`: shift amount instead of position.
struct Bfind {
  template <typename T>
  static void run(Warp &w, const Inst &i) {
    bool isShift = i.flags;
    map1<uint32_t, T>(w, i, [=](T a) {
      using U = typename std::make_unsigned<T>::type;
      U bits = std::is_signed<T>::value && a < 0 ? U(~U(a)) : U(a);
      if (bits == 0)
        return ~0u;
      unsigned zeros = llvm::countl_zero(bits);
      return isShift ? zeros : unsigned(8 * sizeof(T) - 1 - zeros);
    });
  }
};

bool decodeBfind(Decoder &d) {
  d.inst.flags = d.take("shiftamt");
  Type type;
  return d.takeType(type, {Type::U32, Type::U64, Type::S32, Type::S64}) &&
         d.dst(Type::U32) && d.src(type) && d.set(pickInteger<Bfind>(type));
}

/// The n-th set bit from a position, upwards or downwards.
void fns(Warp &w, const Inst &i) {
  uint32_t *d = w.slot<uint32_t>(i, 0);
  const uint32_t *mask = w.slot<uint32_t>(i, 1);
  const uint32_t *base = w.slot<uint32_t>(i, 2);
  const int32_t *offset = w.slot<int32_t>(i, 3);
  forLanes(w.mask, [=](unsigned l) {
    if (offset[l] == 0) {
      d[l] = base[l] < 32 && (mask[l] >> base[l] & 1) ? base[l] : ~0u;
      return;
    }
    // As an H200 has it.
    if (offset[l] == std::numeric_limits<int32_t>::min()) {
      d[l] = 0;
      return;
    }
    int64_t step = offset[l] > 0 ? 1 : -1, left = int64_t(offset[l]) * step;
    d[l] = ~0u;
    for (int64_t pos = base[l]; pos >= 0 && pos < 32; pos += step)
      if ((mask[l] >> pos & 1) && --left == 0) {
        d[l] = pos;
        return;
      }
  });
}

bool decodeFns(Decoder &d) {
  if (!d.take("b32"))
    return d.unknownModifier();
  return d.dst(Type::B32) && d.src(Type::B32) && d.src(Type::U32) &&
         d.src(Type::S32) && d.set(fns);
}

} // namespace

void lowp::sim::registerBits(Registry &registry) {
  registry["and"] = decodeLogic<And>;
  registry["or"] = decodeLogic<Or>;
  registry["xor"] = decodeLogic<Xor>;
  registry["not"] = decodeNot;
  registry["cnot"] = decodeCnot;
  registry["lop3"] = decodeLop3;
  registry["shl"] = decodeShl;
  registry["shr"] = decodeShr;
  registry["shf"] = decodeShf;
  registry["bfe"] = decodeBfe;
  registry["bfi"] = decodeBfi;
  registry["szext"] = decodeSzext;
  registry["bmsk"] = decodeBmsk;
  registry["prmt"] = decodePrmt;
  registry["popc"] = decodeCount<Popc>;
  registry["clz"] = decodeCount<Clz>;
  registry["brev"] = decodeBrev;
  registry["bfind"] = decodeBfind;
  registry["fns"] = decodeFns;
}
