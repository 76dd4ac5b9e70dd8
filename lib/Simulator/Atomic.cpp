//===- Atomic.cpp - Atomic operations -------------------------------------===//
//
// Part of the Lowp project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "FloatOps.h"
#include "Lanes.h"

using namespace lowp::sim;

namespace {

enum class Op : uint8_t { Add, Min, Max, And, Or, Xor, Exch, Cas, Inc, Dec };

/// `Inst::flags`: operation, type and space.
uint32_t packFlags(Op op, Type type, Space space) {
  return static_cast<uint32_t>(op) | static_cast<uint32_t>(type) << 8 |
         static_cast<uint32_t>(space) << 16;
}

using soft::Number;
using soft::Rounding;

/// atom.add of floats. In global memory subnormals of .f32 are flushed, in
/// shared memory not; a NaN of .f64 is handed on differently.
uint32_t addF32(uint32_t a, uint32_t b, bool isGlobal) {
  if (isGlobal) {
    a = flush<SingleTraits>(a);
    b = flush<SingleTraits>(b);
  }
  uint32_t sum = asBits(asFloat(a) + asFloat(b));
  if (isNaNBits<SingleTraits>(sum))
    return kNaNF32;
  return isGlobal ? flush<SingleTraits>(sum) : sum;
}

uint64_t addF64(uint64_t memory, uint64_t value, bool isGlobal) {
  bool memoryIsNaN = isNaNBits<DoubleTraits>(memory);
  bool valueIsNaN = isNaNBits<DoubleTraits>(value);
  if (isGlobal && (memoryIsNaN || valueIsNaN))
    return valueIsNaN ? value : memory;
  if (memoryIsNaN || valueIsNaN)
    return quiet(memoryIsNaN ? memory : value);
  uint64_t sum = asBits(asDouble(memory) + asDouble(value));
  return isNaNBits<DoubleTraits>(sum) ? kInvalidF64 : sum;
}

uint64_t addHalf(const soft::Format &format, uint64_t a, uint64_t b) {
  return soft::round(format,
                     soft::add(soft::unpack(format, a & 0xFFFF),
                               soft::unpack(format, b & 0xFFFF), Rounding::RN),
                     Rounding::RN);
}

uint64_t addHalves(const soft::Format &format, uint64_t a, uint64_t b) {
  return addHalf(format, a, b) | addHalf(format, a >> 16, b >> 16) << 16;
}

/// What memory holds after the operation.
uint64_t apply(Op op, Type type, bool isGlobal, uint64_t memory, uint64_t b,
               uint64_t c) {
  unsigned bytes = getBytes(type);
  bool less = isSigned(type) ? signExtend(memory, bytes) < signExtend(b, bytes)
                             : memory < b;
  switch (op) {
  case Op::Add:
    switch (type) {
    case Type::F32:
      return addF32(memory, b, isGlobal);
    case Type::F64:
      return addF64(memory, b, isGlobal);
    case Type::F16:
      return addHalf(soft::kF16, memory, b);
    case Type::BF16:
      return addHalf(soft::kBF16, memory, b);
    case Type::F16x2:
      return addHalves(soft::kF16, memory, b);
    case Type::BF16x2:
      return addHalves(soft::kBF16, memory, b);
    default:
      return memory + b;
    }
  case Op::Min:
    return less ? memory : b;
  case Op::Max:
    return less ? b : memory;
  case Op::And:
    return memory & b;
  case Op::Or:
    return memory | b;
  case Op::Xor:
    return memory ^ b;
  case Op::Exch:
    return b;
  case Op::Cas:
    return memory == b ? c : memory;
  case Op::Inc:
    return memory >= b ? 0 : memory + 1;
  case Op::Dec:
    return memory == 0 || memory > b ? b : memory - 1;
  }
  return memory;
}

/// Slots of atom: d, address, b, c; red has a sink for d. Lanes go one after
/// the other.
void atomic(Warp &w, const Inst &i) {
  auto op = static_cast<Op>(i.flags & 255);
  auto type = static_cast<Type>(i.flags >> 8 & 255);
  auto space = static_cast<Space>(i.flags >> 16);
  unsigned bytes = getBytes(type);
  Lanes addresses, b, c = {}, old = {};
  gather(w, i, 1, addresses);
  gather(w, i, 2, b);
  if (op == Op::Cas)
    gather(w, i, 3, c);
  for (uint32_t mask = w.mask; mask; mask &= mask - 1) {
    unsigned lane = llvm::countr_zero(mask);
    uint64_t address = addresses[lane] + uint64_t(i.imm);
    uint8_t *p =
        accessMemory(w, lane, space, address, bytes, bytes, Access::Atomic);
    if (!p)
      return;
    bool isGlobal =
        space == Space::Global ||
        (space == Space::Generic && address - kSharedWindow >= kWindowSize);
    uint64_t memory = 0;
    std::memcpy(&memory, p, bytes);
    old[lane] = memory;
    uint64_t result = apply(op, type, isGlobal, memory, cut(b[lane], bytes),
                            cut(c[lane], bytes));
    std::memcpy(p, &result, bytes);
  }
  scatter(w, i, 0, old);
}

bool isAllowed(Op op, Type type) {
  bool isWord = type == Type::B32 || type == Type::B64;
  bool isExtreme = type == Type::U32 || type == Type::S32 ||
                   type == Type::U64 || type == Type::S64;
  switch (op) {
  case Op::Add:
    return type == Type::U32 || type == Type::S32 || type == Type::U64 ||
           (type >= Type::F16 && type <= Type::F64) || type == Type::F16x2 ||
           type == Type::BF16x2;
  case Op::Min:
  case Op::Max:
    return isExtreme;
  case Op::And:
  case Op::Or:
  case Op::Xor:
    return isWord;
  case Op::Exch:
    return isWord;
  case Op::Cas:
    return isWord || type == Type::B16;
  case Op::Inc:
  case Op::Dec:
    return type == Type::U32;
  }
  return false;
}

template <bool hasResult>
bool decodeAtomic(Decoder &d) {
  d.takeAny({"relaxed", "acquire", "release", "acq_rel"});
  d.takeAny({"cta", "cluster", "gpu", "sys"});
  Space space = Space::Generic;
  if (d.take("global"))
    space = Space::Global;
  else if (!d.takeAny({"shared", "shared::cta", "shared::cluster"}).empty())
    space = Space::Shared;
  // LLVM writes the scope in either place.
  d.takeAny({"cta", "cluster", "gpu", "sys"});
  constexpr std::pair<llvm::StringLiteral, Op> operations[] = {
      {"add", Op::Add}, {"min", Op::Min}, {"max", Op::Max},   {"and", Op::And},
      {"or", Op::Or},   {"xor", Op::Xor}, {"exch", Op::Exch}, {"cas", Op::Cas},
      {"inc", Op::Inc}, {"dec", Op::Dec}};
  std::optional<Op> op;
  for (auto [name, value] : operations)
    if (!op && d.take(name))
      op = value;
  if (!op || (!hasResult && (*op == Op::Exch || *op == Op::Cas)))
    return d.unknownModifier();
  bool noftz = d.take("noftz");
  std::optional<Type> type = d.takeType();
  if (!type || !isAllowed(*op, *type))
    return d.unknownModifier();
  bool isHalf = *type == Type::F16 || *type == Type::BF16 ||
                *type == Type::F16x2 || *type == Type::BF16x2;
  if (isHalf != noftz)
    return d.error("'.noftz' goes with numbers of 16 bits, which need it");
  if (hasResult ? !d.dst(*type) : !d.sinkDst(*type))
    return false;
  std::optional<Space> variable;
  if (!d.address(&variable))
    return false;
  if (variable && space == Space::Generic && *variable == Space::Shared)
    space = Space::Shared;
  d.inst.flags = packFlags(*op, *type, space);
  return d.src(*type) && (*op != Op::Cas || d.src(*type)) && d.set(atomic);
}

} // namespace

void lowp::sim::registerAtomic(Registry &registry) {
  registry["atom"] = decodeAtomic<true>;
  registry["red"] = decodeAtomic<false>;
}
