//===- Move.cpp - Moves, selections and addresses -------------------------===//
//
// Part of the Lowp project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Decoder.h"

using namespace lowp::sim;

namespace {

struct Move {
  template <typename T>
  static void run(Warp &w, const Inst &i) {
    map1<T, T>(w, i, [](T a) { return a; });
  }
};

struct Wide {
  uint64_t low, high;
};

void movePredicate(Warp &w, const Inst &i) {
  uint32_t value = w.pred(i, 1);
  uint32_t &d = w.pred(i, 0);
  d = (d & ~w.mask) | (value & w.mask);
}

void move128(Warp &w, const Inst &i) {
  map1<Wide, Wide>(w, i, [](Wide a) { return a; });
}

/// mov.b32 d, {a, b}: the first element is lowest.
template <typename Whole, typename Part>
void pack(Warp &w, const Inst &i) {
  constexpr unsigned count = sizeof(Whole) / sizeof(Part);
  Whole *d = w.slot<Whole>(i, 0);
  const Part *parts[count];
  for (unsigned k = 0; k < count; ++k)
    parts[k] = w.slot<Part>(i, 1 + k);
  forLanes(w.mask, [=](unsigned l) {
    Part values[count];
    for (unsigned k = 0; k < count; ++k)
      values[k] = parts[k][l];
    std::memcpy(&d[l], values, sizeof(Whole));
  });
}

template <typename Whole, typename Part>
void unpack(Warp &w, const Inst &i) {
  constexpr unsigned count = sizeof(Whole) / sizeof(Part);
  Part *parts[count];
  for (unsigned k = 0; k < count; ++k)
    parts[k] = w.slot<Part>(i, k);
  const Whole *a = w.slot<Whole>(i, count);
  forLanes(w.mask, [=](unsigned l) {
    Part values[count];
    std::memcpy(values, &a[l], sizeof(Whole));
    for (unsigned k = 0; k < count; ++k)
      parts[k][l] = values[k];
  });
}

Type bitsOf(unsigned bytes) {
  switch (bytes) {
  case 1:
    return Type::B8;
  case 2:
    return Type::B16;
  case 4:
    return Type::B32;
  default:
    return Type::B64;
  }
}

Handler pickPack(unsigned whole, unsigned count, bool isPack) {
  switch (whole * 16 + count) {
  case 2 * 16 + 2:
    return isPack ? pack<uint16_t, uint8_t> : unpack<uint16_t, uint8_t>;
  case 4 * 16 + 2:
    return isPack ? pack<uint32_t, uint16_t> : unpack<uint32_t, uint16_t>;
  case 4 * 16 + 4:
    return isPack ? pack<uint32_t, uint8_t> : unpack<uint32_t, uint8_t>;
  case 8 * 16 + 2:
    return isPack ? pack<uint64_t, uint32_t> : unpack<uint64_t, uint32_t>;
  case 8 * 16 + 4:
    return isPack ? pack<uint64_t, uint16_t> : unpack<uint64_t, uint16_t>;
  case 16 * 16 + 2:
    return isPack ? pack<Wide, uint64_t> : unpack<Wide, uint64_t>;
  case 16 * 16 + 4:
    return isPack ? pack<Wide, uint32_t> : unpack<Wide, uint32_t>;
  default:
    return nullptr;
  }
}

bool decodeMov(Decoder &d) {
  if (d.take("pred"))
    return d.predDst() && d.predSrc(nullptr) && d.set(movePredicate);
  Type type;
  if (!d.takeType(type, {Type::B16, Type::B32, Type::B64, Type::B128, Type::U16,
                         Type::U32, Type::U64, Type::S16, Type::S32, Type::S64,
                         Type::F16, Type::BF16, Type::F32, Type::F64,
                         Type::F16x2, Type::BF16x2}))
    return false;
  unsigned bytes = getBytes(type);
  const Operand *first = d.peekOperand(), *second = d.peekOperand(1);
  bool isUnpack = first && first->kind == Operand::Vector;
  bool isPack = second && second->kind == Operand::Vector;
  if (isUnpack == isPack) {
    if (bytes == 16)
      return d.dst(type) && d.src(type) && d.set(move128);
    return d.dst(type) && d.src(type) && d.set(pickBits<Move>(type));
  }
  unsigned count = (isPack ? second : first)->elements.size();
  Handler handler = pickPack(bytes, count, isPack);
  if (!isBits(type) || !handler)
    return d.error("mov." + getName(type) + " has no form with a vector of " +
                   llvm::Twine(count));
  Type part = bitsOf(bytes / count);
  if (isPack)
    return d.dst(type) && d.srcVector(part, count, false) && d.set(handler);
  return d.dstVector(part, count, false) && d.src(type) && d.set(handler);
}

struct Select {
  template <typename T>
  static void run(Warp &w, const Inst &i) {
    T *d = w.slot<T>(i, 0);
    const T *a = w.slot<T>(i, 1), *b = w.slot<T>(i, 2);
    uint32_t p = w.pred(i, 3) ^ i.flags;
    forLanes(w.mask, [=](unsigned l) { d[l] = p >> l & 1 ? a[l] : b[l]; });
  }
};

bool decodeSelp(Decoder &d) {
  Type type;
  if (!d.takeType(type, {Type::B16, Type::B32, Type::B64, Type::U16, Type::U32,
                         Type::U64, Type::S16, Type::S32, Type::S64, Type::F32,
                         Type::F64}))
    return false;
  bool negated = false;
  if (!d.dst(type) || !d.src(type) || !d.src(type) || !d.predSrc(&negated))
    return false;
  d.inst.flags = negated ? kAllLanes : 0;
  return d.set(pickBits<Select>(type));
}

/// slct: by the sign of c; -0 counts as not negative, NaN chooses b.
struct SelectBySign {
  template <typename T>
  static void run(Warp &w, const Inst &i) {
    T *d = w.slot<T>(i, 0);
    const T *a = w.slot<T>(i, 1), *b = w.slot<T>(i, 2);
    const uint32_t *c = w.slot<uint32_t>(i, 3);
    bool isFloat = i.flags & 1, ftz = i.flags & 2;
    forLanes(w.mask, [=](unsigned l) {
      uint32_t bits = c[l], magnitude = bits & 0x7FFFFFFF;
      bool first = !(bits >> 31);
      if (isFloat)
        first = magnitude <= 0x7F800000 &&
                (first || magnitude == 0 || (ftz && magnitude < 0x00800000));
      d[l] = first ? a[l] : b[l];
    });
  }
};

bool decodeSlct(Decoder &d) {
  bool ftz = d.take("ftz");
  Type type, by;
  if (!d.takeType(type, {Type::B16, Type::B32, Type::B64, Type::U16, Type::U32,
                         Type::U64, Type::S16, Type::S32, Type::S64, Type::F32,
                         Type::F64}) ||
      !d.takeType(by, {Type::S32, Type::F32}))
    return false;
  if (ftz && by != Type::F32)
    return d.error("'.ftz' goes with .f32 only");
  d.inst.flags = (by == Type::F32 ? 1 : 0) | (ftz ? 2 : 0);
  return d.dst(type) && d.src(type) && d.src(type) && d.src(by) &&
         d.set(pickBits<SelectBySign>(type));
}

//===----------------------------------------------------------------------===//
// Addresses
//===----------------------------------------------------------------------===//

uint64_t getWindow(Space space) {
  switch (space) {
  case Space::Shared:
    return kSharedWindow;
  case Space::Local:
    return kLocalWindow;
  case Space::Param:
    return kParamWindow;
  default:
    return 0;
  }
}

template <typename T>
void addWindow(Warp &w, const Inst &i) {
  uint64_t window = i.imm;
  map1<T, T>(w, i, [=](T a) { return T(a + window); });
}

bool decodeCvta(Decoder &d) {
  bool isTo = d.take("to");
  std::optional<Space> space = d.takeSpace();
  if (!space)
    return d.unknownModifier();
  Type type;
  if (!d.takeType(type, {Type::U64}))
    return false;
  uint64_t window = getWindow(*space);
  d.inst.imm = static_cast<int64_t>(isTo ? 0 - window : window);
  return d.dst(type) && d.src(type) && d.set(addWindow<uint64_t>);
}

void isInSpace(Warp &w, const Inst &i) {
  uint64_t window = i.imm;
  const uint64_t *a = w.slot<uint64_t>(i, 1);
  uint32_t result = 0;
  forLanes(w.mask, [&](unsigned l) {
    bool in = window ? a[l] - window < kWindowSize : a[l] < kSharedWindow;
    result |= uint32_t(in) << l;
  });
  uint32_t &d = w.pred(i, 0);
  d = (d & ~w.mask) | result;
}

bool decodeIsspacep(Decoder &d) {
  std::optional<Space> space = d.takeSpace();
  if (!space || *space == Space::Const)
    return d.unknownModifier();
  d.inst.imm = static_cast<int64_t>(getWindow(*space));
  return d.predDst() && d.src(Type::U64) && d.set(isInSpace);
}

/// In a cluster of one block an address of it stays as it is.
bool decodeMapa(Decoder &d) {
  bool isShared = d.take("shared::cluster");
  Type type;
  if (!d.takeType(type, {Type::U32, Type::U64}))
    return false;
  if (!isShared && type == Type::U32)
    return d.error("a generic address has 64 bits");
  return d.dst(type) && d.src(type) && d.src(Type::U32) &&
         d.set(pickBits<Move>(type));
}

} // namespace

void lowp::sim::registerMove(Registry &registry) {
  registry["mov"] = decodeMov;
  registry["selp"] = decodeSelp;
  registry["slct"] = decodeSlct;
  registry["cvta"] = decodeCvta;
  registry["isspacep"] = decodeIsspacep;
  registry["mapa"] = decodeMapa;
}
