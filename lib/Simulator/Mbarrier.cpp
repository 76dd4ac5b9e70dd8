//===- Mbarrier.cpp - Barriers in shared memory ---------------------------===//
//
// Part of the Lowp project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The ISA leaves the 64 bits of an mbarrier opaque. Here: the phase in bit 63,
// then 22 bits of bytes that are still to come, 20 bits of arrivals that are
// still to come in this phase, 20 bits of those of a phase.
//
//===----------------------------------------------------------------------===//

#include "Decoder.h"
#include "Lanes.h"
#include "Races.h"

using namespace lowp::sim;

namespace {

constexpr uint32_t kMaxCount = (1u << 20) - 1;

struct State {
  bool phase = false;
  int32_t transactions = 0;
  uint32_t pending = 0;
  uint32_t expected = 0;

  static State unpack(uint64_t bits) {
    State state;
    state.phase = bits >> 63;
    state.transactions =
        static_cast<int32_t>(static_cast<int64_t>(bits << 2) >> 42);
    state.pending = bits >> 20 & kMaxCount;
    state.expected = bits & kMaxCount;
    return state;
  }
  uint64_t pack() const {
    uint64_t bytes = static_cast<uint64_t>(transactions) & 0x3FFFFF;
    return uint64_t(phase) << 63 | bytes << 40 | uint64_t(pending) << 20 |
           expected;
  }
  void completeIfDone() {
    if (pending != 0 || transactions != 0)
      return;
    phase = !phase;
    pending = expected;
  }
};

uint8_t *accessObject(Warp &w, unsigned lane, uint32_t address, Access kind) {
  return accessMemory(w, lane, Space::Shared, address, 8, 8, kind);
}

State load(const uint8_t *object) {
  uint64_t bits;
  std::memcpy(&bits, object, sizeof(bits));
  return State::unpack(bits);
}

void store(uint8_t *object, const State &state) {
  uint64_t bits = state.pack();
  std::memcpy(object, &bits, sizeof(bits));
}

/// Changes the pending count and bytes of an object, and completes the phase
/// where nothing is left.
bool change(Warp &w, unsigned lane, uint32_t address, uint32_t arrivals,
            int64_t transactions, bool drop, uint64_t *before) {
  uint8_t *object = accessObject(w, lane, address, Access::Atomic);
  if (!object)
    return false;
  State state = load(object);
  if (before)
    *before = state.pack();
  if (arrivals > state.pending) {
    w.memoryFault(FaultKind::Barrier, lane, address,
                  "more threads arrive at the mbarrier than the " +
                      llvm::Twine(state.expected) + " of a phase");
    return false;
  }
  int64_t bytes = state.transactions + transactions;
  if (bytes > int64_t(kMaxCount) || bytes < -int64_t(kMaxCount)) {
    w.memoryFault(FaultKind::Barrier, lane, address,
                  "the bytes of the mbarrier leave their range");
    return false;
  }
  state.transactions = static_cast<int32_t>(bytes);
  state.pending -= arrivals;
  if (drop)
    state.expected -= std::min(arrivals, state.expected);
  state.completeIfDone();
  store(object, state);
  return true;
}

} // namespace

std::optional<uint32_t> lowp::sim::toShared(Warp &w, unsigned lane,
                                            bool isGeneric, uint64_t address) {
  if (isGeneric)
    address -= kSharedWindow;
  if (address < kWindowSize)
    return static_cast<uint32_t>(address);
  w.memoryFault(FaultKind::OutOfBounds, lane, address,
                "the address is not in shared memory");
  return std::nullopt;
}

bool lowp::sim::arriveAtMbarrier(Warp &w, unsigned lane, uint32_t address,
                                 uint32_t count, int32_t transactions) {
  if (w.grid->races)
    w.grid->races->release(w.threadIndex(lane), address);
  return change(w, lane, address, count, transactions, /*drop=*/false, nullptr);
}

bool lowp::sim::completeTransactions(Warp &w, unsigned lane, uint32_t address,
                                     uint32_t bytes) {
  return change(w, lane, address, 0, -int64_t(bytes), /*drop=*/false, nullptr);
}

namespace {

/// `Inst::flags`: what kind of address, and what the instruction does.
constexpr uint32_t kGeneric = 1;
constexpr uint32_t kDrop = 2;
constexpr uint32_t kExpect = 4;
constexpr uint32_t kNoComplete = 8;
constexpr uint32_t kParity = 16;
constexpr uint32_t kTry = 32;
constexpr uint32_t kComplete = 64;

/// Runs `f(lane, address)` on the addresses in a slot, lane after lane.
template <typename F>
void eachAddress(Warp &w, const Inst &i, unsigned slot, F f) {
  Lanes addresses;
  gather(w, i, slot, addresses);
  for (uint32_t mask = w.mask; mask; mask &= mask - 1) {
    unsigned lane = llvm::countr_zero(mask);
    std::optional<uint32_t> address = toShared(
        w, lane, i.flags & kGeneric, addresses[lane] + uint64_t(i.imm));
    if (!address || !f(lane, *address))
      return;
  }
}

/// Slots: address, count.
void initialize(Warp &w, const Inst &i) {
  const uint32_t *counts = w.slot<uint32_t>(i, 1);
  eachAddress(w, i, 0, [&](unsigned lane, uint32_t address) {
    if (counts[lane] == 0 || counts[lane] > kMaxCount) {
      w.fault(FaultKind::Barrier, lane,
              "the count of an mbarrier is 1 to 2^20-1, but got " +
                  llvm::Twine(counts[lane]));
      return false;
    }
    uint8_t *object = accessObject(w, lane, address, Access::Write);
    if (!object)
      return false;
    State state;
    state.expected = state.pending = counts[lane];
    store(object, state);
    if (w.grid->races)
      w.grid->races->forget(address);
    return true;
  });
}

/// Slots: address. The memory may be used for anything else.
void invalidate(Warp &w, const Inst &i) {
  eachAddress(w, i, 0, [&](unsigned lane, uint32_t address) {
    if (!accessObject(w, lane, address, Access::Atomic))
      return false;
    std::memset(w.cta->sharedInitialized.data() + address, 0, 8);
    return true;
  });
}

/// Slots: state, address, count or bytes.
void arrive(Warp &w, const Inst &i) {
  const uint32_t *values = w.slot<uint32_t>(i, 2);
  Lanes states = {};
  eachAddress(w, i, 1, [&](unsigned lane, uint32_t address) {
    uint32_t count = i.flags & kExpect ? 1 : values[lane];
    int64_t bytes = i.flags & kExpect ? values[lane] : 0;
    if (w.grid->races)
      w.grid->races->release(w.threadIndex(lane), address);
    return change(w, lane, address, count, bytes, i.flags & kDrop,
                  &states[lane]);
  });
  if (w.step != Step::Fault)
    scatter(w, i, 0, states);
}

/// Slots: address, bytes.
void transactions(Warp &w, const Inst &i) {
  const uint32_t *values = w.slot<uint32_t>(i, 1);
  eachAddress(w, i, 0, [&](unsigned lane, uint32_t address) {
    int64_t bytes = values[lane];
    return change(w, lane, address, 0, i.flags & kComplete ? -bytes : bytes,
                  /*drop=*/false, nullptr);
  });
}

/// Slots: p, address, state or parity. A try_wait that has to wait does, until
/// nobody else in the block can go on: the ISA lets it give up after a time,
/// but there is no time here.
void wait(Warp &w, const Inst &i) {
  Lanes states;
  gather(w, i, 2, states);
  uint32_t done = 0;
  eachAddress(w, i, 1, [&](unsigned lane, uint32_t address) {
    if (!completeBulkCopies(w, lane, address))
      return false;
    uint8_t *object = accessObject(w, lane, address, Access::Atomic);
    if (!object)
      return false;
    bool phase = i.flags & kParity ? states[lane] & 1 : states[lane] >> 63;
    bool isComplete = load(object).phase != phase;
    if (isComplete && w.grid->races)
      w.grid->races->acquire(w.threadIndex(lane), address);
    done |= uint32_t(isComplete) << lane;
    return true;
  });
  if (w.step == Step::Fault)
    return;
  if ((i.flags & kTry) && done != w.mask) {
    w.wait(Fragment::AtMbarrier);
    return;
  }
  uint32_t &p = w.pred(i, 0);
  p = (p & ~w.mask) | done;
}

void pendingCount(Warp &w, const Inst &i) {
  map1<uint32_t, uint64_t>(
      w, i, [](uint64_t state) { return State::unpack(state).pending; });
}

//===----------------------------------------------------------------------===//
// Decoding
//===----------------------------------------------------------------------===//

void takeOrder(Decoder &d) {
  d.takeAny({"release", "acquire", "relaxed"});
  d.takeAny({"cta", "cluster"});
}

/// The space of the address: without one it is generic.
void takeSpace(Decoder &d) {
  if (d.takeAny({"shared", "shared::cta", "shared::cluster"}).empty())
    d.inst.flags |= kGeneric;
}

bool takeAddress(Decoder &d) {
  std::optional<Space> variable;
  if (!d.address(&variable))
    return false;
  // The address of a variable is that in its space.
  if (variable == Space::Shared)
    d.inst.flags &= ~kGeneric;
  return true;
}

bool decodeArrive(Decoder &d, bool drop) {
  d.inst.flags |= drop ? kDrop : 0;
  if (d.take("expect_tx"))
    d.inst.flags |= kExpect;
  else if (d.take("noComplete"))
    d.inst.flags |= kNoComplete;
  takeOrder(d);
  takeSpace(d);
  if (!d.take("b64"))
    return d.unknownModifier();
  // Without a state there is no first operand.
  const Operand *first = d.peekOperand();
  bool hasState = first && first->kind != Operand::Address;
  if (hasState ? !d.dst(Type::B64) : !d.sinkDst(Type::B64))
    return false;
  if (!takeAddress(d))
    return false;
  if (d.operandsLeft())
    return d.src(Type::U32) && d.set(arrive);
  if (d.inst.flags & (kExpect | kNoComplete))
    return d.error("the instruction needs a count");
  return d.constantSlot(Type::U32, 1) && d.set(arrive);
}

bool decodeWait(Decoder &d, bool isTry) {
  d.inst.flags |= isTry ? kTry : 0;
  d.inst.splits = true;
  if (d.take("parity"))
    d.inst.flags |= kParity;
  takeOrder(d);
  takeSpace(d);
  if (!d.take("b64"))
    return d.unknownModifier();
  if (!d.predDst() || !takeAddress(d) ||
      !d.src(d.inst.flags & kParity ? Type::U32 : Type::B64))
    return false;
  // How long to wait.
  if (isTry && d.operandsLeft() && !d.src(Type::U32))
    return false;
  return d.set(wait);
}

bool decodeMbarrier(Decoder &d) {
  if (d.take("init")) {
    takeSpace(d);
    return d.take("b64")
               ? takeAddress(d) && d.src(Type::U32) && d.set(initialize)
               : d.unknownModifier();
  }
  if (d.take("inval")) {
    takeSpace(d);
    return d.take("b64") ? takeAddress(d) && d.set(invalidate)
                         : d.unknownModifier();
  }
  if (d.take("arrive"))
    return decodeArrive(d, /*drop=*/false);
  if (d.take("arrive_drop"))
    return decodeArrive(d, /*drop=*/true);
  if (d.take("test_wait"))
    return decodeWait(d, /*isTry=*/false);
  if (d.take("try_wait"))
    return decodeWait(d, /*isTry=*/true);
  if (d.take("pending_count"))
    return d.take("b64")
               ? d.dst(Type::U32) && d.src(Type::B64) && d.set(pendingCount)
               : d.unknownModifier();
  bool isComplete = d.take("complete_tx");
  if (!isComplete && !d.take("expect_tx"))
    return d.unknownModifier();
  d.inst.flags |= isComplete ? kComplete : 0;
  takeOrder(d);
  takeSpace(d);
  return d.take("b64")
             ? takeAddress(d) && d.src(Type::U32) && d.set(transactions)
             : d.unknownModifier();
}

} // namespace

void lowp::sim::registerMbarrier(Registry &registry) {
  registry["mbarrier"] = decodeMbarrier;
}
