//===- Warp.cpp - Exchange between the lanes of a warp --------------------===//
//
// Part of the Lowp project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Decoder.h"
#include "FloatOps.h"

using namespace lowp::sim;

bool lowp::sim::awaitLanes(Warp &w, const uint32_t *masks) {
  for (uint32_t rest = w.mask; rest; rest &= rest - 1) {
    unsigned lane = llvm::countr_zero(rest);
    uint32_t members = masks[lane];
    if (!(members >> lane & 1)) {
      w.fault(FaultKind::Barrier, lane,
              "the lane is not in its own member mask");
      return false;
    }
    if (members & w.live & ~w.mask) {
      w.wait(Fragment::AtWarpSync);
      return false;
    }
    for (uint32_t others = members & w.mask; others; others &= others - 1)
      if (masks[llvm::countr_zero(others)] != members) {
        w.fault(FaultKind::Barrier, lane,
                "lanes of one member mask name different masks");
        return false;
      }
  }
  return true;
}

namespace {

//===----------------------------------------------------------------------===//
// Shuffles
//===----------------------------------------------------------------------===//

enum class Shuffle : uint32_t { Up, Down, Bfly, Idx };

/// Slots: d, p, a, b, c, members.
void shuffle(Warp &w, const Inst &i) {
  const uint32_t *members = w.slot<uint32_t>(i, 5);
  if (!awaitLanes(w, members))
    return;
  uint32_t source[kLanes];
  std::memcpy(source, w.slot<uint32_t>(i, 2), sizeof(source));
  const uint32_t *b = w.slot<uint32_t>(i, 3), *c = w.slot<uint32_t>(i, 4);
  uint32_t *d = w.slot<uint32_t>(i, 0);
  uint32_t inRange = 0;
  forLanes(w.mask, [&](unsigned l) {
    int lane = static_cast<int>(l), bval = b[l] & 31, cval = c[l] & 31;
    int segment = c[l] >> 8 & 31;
    int maxLane = (lane & segment) | (cval & ~segment);
    int from = lane;
    bool holds = false;
    switch (static_cast<Shuffle>(i.flags)) {
    case Shuffle::Up:
      from = lane - bval;
      holds = from >= maxLane;
      break;
    case Shuffle::Down:
      from = lane + bval;
      holds = from <= maxLane;
      break;
    case Shuffle::Bfly:
      from = lane ^ bval;
      holds = from <= maxLane;
      break;
    case Shuffle::Idx:
      from = (lane & segment) | (bval & ~segment & 31);
      holds = from <= maxLane;
      break;
    }
    if (!holds)
      from = lane;
    inRange |= uint32_t(holds) << l;
    // What a lane that does not take part holds is undefined.
    if (!((w.mask & members[l]) >> from & 1))
      w.undefined |= 1u << l;
    d[l] = source[from];
  });
  uint32_t &p = w.pred(i, 1);
  p = (p & ~w.mask) | inRange;
}

bool decodeShfl(Decoder &d) {
  if (!d.take("sync"))
    return d.error("'shfl' without .sync is not simulated");
  constexpr std::pair<llvm::StringLiteral, Shuffle> modes[] = {
      {"up", Shuffle::Up},
      {"down", Shuffle::Down},
      {"bfly", Shuffle::Bfly},
      {"idx", Shuffle::Idx}};
  bool found = false;
  for (auto [name, mode] : modes)
    if (!found && d.take(name)) {
      d.inst.flags = static_cast<uint32_t>(mode);
      found = true;
    }
  if (!found || !d.take("b32"))
    return d.unknownModifier();
  d.inst.splits = true;
  return d.pairDst(Type::B32) && d.src(Type::B32) && d.src(Type::B32) &&
         d.src(Type::B32) && d.src(Type::B32) && d.set(shuffle);
}

//===----------------------------------------------------------------------===//
// Votes
//===----------------------------------------------------------------------===//

enum class Vote : uint32_t { All, Any, Uni, Ballot };
constexpr uint32_t kNegate = 1 << 8;

/// Slots: d, a, members.
void vote(Warp &w, const Inst &i) {
  const uint32_t *members = w.slot<uint32_t>(i, 2);
  if (!awaitLanes(w, members))
    return;
  uint32_t a = w.pred(i, 1);
  if (i.flags & kNegate)
    a = ~a;
  uint32_t result = 0;
  auto kind = static_cast<Vote>(i.flags & 255);
  forLanes(w.mask, [&](unsigned l) {
    uint32_t group = members[l] & w.mask;
    uint32_t votes = a & group;
    if (kind == Vote::Ballot) {
      w.slot<uint32_t>(i, 0)[l] = votes;
      return;
    }
    bool holds = kind == Vote::All   ? votes == group
                 : kind == Vote::Any ? votes != 0
                                     : votes == group || votes == 0;
    result |= uint32_t(holds) << l;
  });
  if (kind == Vote::Ballot)
    return;
  uint32_t &d = w.pred(i, 0);
  d = (d & ~w.mask) | result;
}

bool decodeVote(Decoder &d) {
  if (!d.take("sync"))
    return d.error("'vote' without .sync is not simulated");
  Vote kind = d.take("all")      ? Vote::All
              : d.take("any")    ? Vote::Any
              : d.take("uni")    ? Vote::Uni
              : d.take("ballot") ? Vote::Ballot
                                 : Vote(255);
  if (kind == Vote(255))
    return d.unknownModifier();
  bool isBallot = kind == Vote::Ballot;
  if (!d.take(isBallot ? "b32" : "pred"))
    return d.unknownModifier();
  d.inst.splits = true;
  bool negated = false;
  if (isBallot ? !d.dst(Type::B32) : !d.predDst())
    return false;
  if (!d.predSrc(&negated) || !d.src(Type::B32))
    return false;
  d.inst.flags = static_cast<uint32_t>(kind) | (negated ? kNegate : 0);
  return d.set(vote);
}

void activeMask(Warp &w, const Inst &i) {
  uint32_t *d = w.slot<uint32_t>(i, 0), mask = w.mask;
  forLanes(w.mask, [=](unsigned l) { d[l] = mask; });
}

bool decodeActiveMask(Decoder &d) {
  return d.take("b32") ? d.dst(Type::B32) && d.set(activeMask)
                       : d.unknownModifier();
}

//===----------------------------------------------------------------------===//
// Matches
//===----------------------------------------------------------------------===//

/// Slots: d, p, a, members. `flags`: all lanes instead of any.
template <typename T>
void match(Warp &w, const Inst &i) {
  const uint32_t *members = w.slot<uint32_t>(i, 3);
  if (!awaitLanes(w, members))
    return;
  T a[kLanes];
  std::memcpy(a, w.slot<T>(i, 2), sizeof(a));
  uint32_t *d = w.slot<uint32_t>(i, 0), same = 0;
  forLanes(w.mask, [&](unsigned l) {
    uint32_t group = members[l] & w.mask, equal = 0;
    forLanes(group, [&](unsigned k) { equal |= uint32_t(a[k] == a[l]) << k; });
    bool isAll = equal == group;
    d[l] = i.flags && !isAll ? 0 : equal;
    same |= uint32_t(isAll) << l;
  });
  uint32_t &p = w.pred(i, 1);
  p = (p & ~w.mask) | same;
}

bool decodeMatch(Decoder &d) {
  bool isAny = d.take("any");
  if ((!isAny && !d.take("all")) || !d.take("sync"))
    return d.unknownModifier();
  d.inst.flags = !isAny;
  Type type;
  if (!d.takeType(type, {Type::B32, Type::B64}) || !d.pairDst(Type::B32))
    return false;
  d.inst.splits = true;
  return d.src(type) && d.src(Type::B32) &&
         d.set(type == Type::B32 ? match<uint32_t> : match<uint64_t>);
}

//===----------------------------------------------------------------------===//
// Reductions
//===----------------------------------------------------------------------===//

enum class Reduction : uint32_t { Add, Min, Max, And, Or, Xor };

template <typename T>
T reduce(Reduction kind, T a, T b) {
  switch (kind) {
  case Reduction::Add:
    return T(uint32_t(a) + uint32_t(b));
  case Reduction::Min:
    return a < b ? a : b;
  case Reduction::Max:
    return a > b ? a : b;
  case Reduction::And:
    return a & b;
  case Reduction::Or:
    return a | b;
  case Reduction::Xor:
    return a ^ b;
  }
  return a;
}

/// Slots: d, a, members.
template <typename T>
void redux(Warp &w, const Inst &i) {
  const uint32_t *members = w.slot<uint32_t>(i, 2);
  if (!awaitLanes(w, members))
    return;
  T a[kLanes];
  std::memcpy(a, w.slot<T>(i, 1), sizeof(a));
  T *d = w.slot<T>(i, 0);
  forLanes(w.mask, [&](unsigned l) {
    uint32_t group = members[l] & w.mask;
    T result = a[llvm::countr_zero(group)];
    for (group &= group - 1; group; group &= group - 1)
      result = reduce(static_cast<Reduction>(i.flags), result,
                      a[llvm::countr_zero(group)]);
    d[l] = result;
  });
}

/// Minimum or maximum of floats; `imm` says which, `flags` are FloatFlags.
void reduxFloat(Warp &w, const Inst &i) {
  const uint32_t *members = w.slot<uint32_t>(i, 2);
  if (!awaitLanes(w, members))
    return;
  uint32_t a[kLanes];
  std::memcpy(a, w.slot<uint32_t>(i, 1), sizeof(a));
  uint32_t *d = w.slot<uint32_t>(i, 0);
  auto keyOf = [](uint32_t bits) {
    return int32_t(bits) < 0 ? int32_t(bits ^ 0x7FFFFFFF) : int32_t(bits);
  };
  forLanes(w.mask, [&](unsigned l) {
    uint32_t result = kNaNF32;
    bool hasNumber = false, hasNaN = false;
    forLanes(members[l] & w.mask, [&](unsigned k) {
      uint32_t bits = i.flags & kAbs ? a[k] & 0x7FFFFFFF : a[k];
      if (isNaNBits<SingleTraits>(bits)) {
        hasNaN = true;
        return;
      }
      bool isBetter =
          i.imm ? keyOf(bits) > keyOf(result) : keyOf(bits) < keyOf(result);
      if (!hasNumber || isBetter)
        result = bits;
      hasNumber = true;
    });
    d[l] = hasNaN && (i.flags & kNaN) ? kNaNF32 : result;
  });
}

bool decodeRedux(Decoder &d) {
  if (!d.take("sync"))
    return d.unknownModifier();
  constexpr std::pair<llvm::StringLiteral, Reduction> kinds[] = {
      {"add", Reduction::Add}, {"min", Reduction::Min},
      {"max", Reduction::Max}, {"and", Reduction::And},
      {"or", Reduction::Or},   {"xor", Reduction::Xor}};
  std::optional<Reduction> kind;
  for (auto [name, value] : kinds)
    if (!kind && d.take(name))
      kind = value;
  if (!kind)
    return d.unknownModifier();
  d.inst.splits = true;
  bool isExtreme = *kind == Reduction::Min || *kind == Reduction::Max;
  bool isLogic = *kind >= Reduction::And;
  bool hasAbs = isExtreme && takeFlag(d, "abs", kAbs);
  bool hasNaN = isExtreme && takeFlag(d, "NaN", kNaN);
  Type type;
  if (isLogic     ? !d.takeType(type, {Type::B32})
      : isExtreme ? !d.takeType(type, {Type::U32, Type::S32, Type::F32})
                  : !d.takeType(type, {Type::U32, Type::S32}))
    return false;
  if ((hasAbs || hasNaN) && type != Type::F32)
    return d.error("a modifier that integers do not have");
  if (!d.dst(type) || !d.src(type) || !d.src(Type::B32))
    return false;
  if (type == Type::F32) {
    d.inst.imm = *kind == Reduction::Max;
    return d.set(reduxFloat);
  }
  d.inst.flags = static_cast<uint32_t>(*kind);
  return d.set(type == Type::S32 ? redux<int32_t> : redux<uint32_t>);
}

/// The ISA leaves open which lane is elected; here it is the lowest.
void elect(Warp &w, const Inst &i) {
  const uint32_t *members = w.slot<uint32_t>(i, 2);
  if (!awaitLanes(w, members))
    return;
  uint32_t *d = w.slot<uint32_t>(i, 0), elected = 0;
  forLanes(w.mask, [&](unsigned l) {
    unsigned leader = llvm::countr_zero(members[l] & w.mask);
    d[l] = leader;
    elected |= uint32_t(leader == l) << l;
  });
  uint32_t &p = w.pred(i, 1);
  p = (p & ~w.mask) | elected;
}

bool decodeElect(Decoder &d) {
  d.inst.splits = true;
  return d.take("sync")
             ? d.pairDst(Type::B32) && d.src(Type::B32) && d.set(elect)
             : d.unknownModifier();
}

} // namespace

void lowp::sim::registerWarp(Registry &registry) {
  registry["shfl"] = decodeShfl;
  registry["vote"] = decodeVote;
  registry["activemask"] = decodeActiveMask;
  registry["match"] = decodeMatch;
  registry["redux"] = decodeRedux;
  registry["elect"] = decodeElect;
}
