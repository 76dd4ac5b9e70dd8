//===- Barrier.cpp - Barriers of a block and of a warp --------------------===//
//
// Part of the Lowp project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Decoder.h"
#include "Races.h"

using namespace lowp::sim;

namespace {

enum class Kind : uint32_t { Sync, Arrive, RedPopc, RedAnd, RedOr, Warp };

/// `Inst::flags`: the kind, and what else the instruction has.
constexpr uint32_t kKindMask = 15;
constexpr uint32_t kHasCount = 16;
constexpr uint32_t kAligned = 32;
constexpr uint32_t kNegateC = 64;

void releaseAll(Cta &cta, unsigned index) {
  Barrier &barrier = cta.barriers[index];
  if (Races *races = cta.grid->races.get()) {
    unsigned waiting = 0;
    for (auto [warp, mask] : barrier.waiting)
      waiting += llvm::popcount(mask);
    if (waiting == cta.numThreads) {
      races->synchronizeBlock();
    } else if (!barrier.hasArrivals) {
      std::vector<unsigned> threads;
      for (auto [warp, mask] : barrier.waiting)
        forLanes(mask, [&, w = warp](unsigned lane) {
          threads.push_back(w->threadIndex(lane));
        });
      races->synchronize(threads);
    } else {
      uint32_t key = Races::keyOfBarrier(index);
      for (auto [warp, mask] : barrier.waiting)
        forLanes(mask, [&, w = warp](unsigned lane) {
          races->release(w->threadIndex(lane), key);
        });
      for (auto [warp, mask] : barrier.waiting)
        forLanes(mask, [&, w = warp](unsigned lane) {
          races->acquire(w->threadIndex(lane), key);
        });
    }
    races->forget(Races::keyOfBarrier(index));
  }
  for (Warp &warp : cta.warps)
    for (Fragment &fragment : warp.fragments)
      if (fragment.state == Fragment::AtBarrier && fragment.barrier == index) {
        fragment.state = Fragment::Ready;
        fragment.isReleased = true;
        fragment.popc = barrier.popc;
        fragment.all = barrier.all;
        fragment.any = barrier.any;
      }
  barrier = Barrier();
}

/// The value that all active lanes have in a slot.
bool getUniform(Warp &w, const Inst &i, unsigned slot, uint32_t &value) {
  const uint32_t *values = w.slot<uint32_t>(i, slot);
  value = values[llvm::countr_zero(w.mask)];
  for (uint32_t rest = w.mask; rest; rest &= rest - 1)
    if (values[llvm::countr_zero(rest)] != value) {
      w.fault(FaultKind::Barrier, llvm::countr_zero(rest),
              "lanes of a warp name different barriers");
      return false;
    }
  return true;
}

/// Slots: a, b, then d and c of a reduction.
void barrier(Warp &w, const Inst &i) {
  auto kind = static_cast<Kind>(i.flags & kKindMask);
  Fragment &fragment = w.fragment();
  if (fragment.isReleased) {
    fragment.isReleased = false;
    if (kind == Kind::RedPopc) {
      uint32_t *d = w.slot<uint32_t>(i, 2), value = fragment.popc;
      forLanes(w.mask, [=](unsigned l) { d[l] = value; });
    } else if (kind == Kind::RedAnd || kind == Kind::RedOr) {
      bool value = kind == Kind::RedAnd ? fragment.all : fragment.any;
      uint32_t &d = w.pred(i, 2);
      d = (d & ~w.mask) | (value ? w.mask : 0);
    }
    return;
  }
  if (i.flags & kAligned) {
    // All threads of a warp execute the same barrier. Those that are elsewhere
    // may still come.
    if (w.live != w.existing) {
      w.fault(FaultKind::Barrier, llvm::countr_zero(w.mask),
              "a barrier of all lanes of a warp, of which some have exited");
      return;
    }
    if (w.mask != w.existing) {
      w.wait(Fragment::AtWarpSync);
      return;
    }
  }
  uint32_t index = 0, expected = w.cta->numThreads;
  if (!getUniform(w, i, 0, index))
    return;
  unsigned lane = llvm::countr_zero(w.mask);
  if (index >= kNumBarriers) {
    w.fault(FaultKind::Barrier, lane,
            "there are 16 barriers, but no number " + llvm::Twine(index));
    return;
  }
  uint32_t arriving = llvm::popcount(w.mask);
  if (i.flags & kHasCount) {
    if (!getUniform(w, i, 1, expected))
      return;
    if (expected == 0 || expected % kLanes) {
      w.fault(FaultKind::Barrier, lane,
              "the threads of a barrier are a multiple of 32, but got " +
                  llvm::Twine(expected));
      return;
    }
    // A warp counts as whole.
    if (w.mask == w.existing)
      arriving = kLanes;
  }
  Barrier &state = w.cta->barriers[index];
  if (state.expected && state.expected != expected) {
    w.fault(FaultKind::Barrier, lane,
            "barrier " + llvm::Twine(index) + " waits for " +
                llvm::Twine(state.expected) + " threads already, but got " +
                llvm::Twine(expected));
    return;
  }
  if (state.arrived + arriving > expected) {
    w.fault(FaultKind::Barrier, lane,
            "more threads arrive at barrier " + llvm::Twine(index) +
                " than the " + llvm::Twine(expected) + " that it waits for");
    return;
  }
  state.expected = expected;
  state.arrived += arriving;
  if (kind >= Kind::RedPopc) {
    uint32_t c = w.pred(i, 3);
    if (i.flags & kNegateC)
      c = ~c;
    state.popc += llvm::popcount(c & w.mask);
    state.all &= (c & w.mask) == w.mask;
    state.any |= (c & w.mask) != 0;
  }
  if (kind == Kind::Arrive) {
    state.hasArrivals = true;
    if (Races *races = w.grid->races.get())
      forLanes(w.mask, [&](unsigned l) {
        races->release(w.threadIndex(l), Races::keyOfBarrier(index));
      });
  } else {
    state.waiting.emplace_back(&w, w.mask);
    fragment.barrier = index;
    w.wait(Fragment::AtBarrier);
  }
  if (state.arrived == expected)
    releaseAll(*w.cta, index);
}

void warpBarrier(Warp &w, const Inst &i) {
  const uint32_t *members = w.slot<uint32_t>(i, 0);
  if (!awaitLanes(w, members))
    return;
  Races *races = w.grid->races.get();
  if (!races)
    return;
  uint32_t done = 0;
  for (uint32_t rest = w.mask; rest; rest &= rest - 1) {
    unsigned lane = llvm::countr_zero(rest);
    if (done >> lane & 1)
      continue;
    std::vector<unsigned> threads;
    forLanes(members[lane] & w.mask,
             [&](unsigned l) { threads.push_back(w.threadIndex(l)); });
    done |= members[lane];
    races->synchronize(threads);
  }
}

bool takeCount(Decoder &d, bool hasCount) {
  if (hasCount)
    d.inst.flags |= kHasCount;
  return hasCount ? d.src(Type::U32) : d.constantSlot(Type::U32, 0);
}

bool decodeReduction(Decoder &d) {
  Kind kind = Kind::RedPopc;
  bool isPopc = d.take("popc");
  if (!isPopc && d.take("and"))
    kind = Kind::RedAnd;
  else if (!isPopc && d.take("or"))
    kind = Kind::RedOr;
  else if (!isPopc)
    return d.unknownModifier();
  if (d.take("aligned"))
    d.inst.flags |= kAligned;
  if (!d.take(isPopc ? "u32" : "pred"))
    return d.unknownModifier();
  d.inst.flags |= static_cast<uint32_t>(kind);
  // The destination comes first in the text, and third in the slots.
  Inst before = d.inst;
  if (isPopc ? !d.dst(Type::U32) : !d.predDst())
    return false;
  uint32_t slot = d.inst.slots[0];
  uint8_t width = d.inst.widths[0];
  d.inst = before;
  if (!d.src(Type::U32) || !takeCount(d, d.operandsLeft() == 2))
    return false;
  d.inst.slots[2] = slot;
  d.inst.widths[2] = width;
  d.inst.numSlots = 3;
  bool negated = false;
  if (!d.predSrc(&negated))
    return false;
  if (negated)
    d.inst.flags |= kNegateC;
  return d.set(barrier);
}

/// bar and barrier: the first is the aligned form of the second.
template <bool isAligned>
bool decodeBarrier(Decoder &d) {
  d.inst.splits = true;
  d.inst.flags = isAligned ? kAligned : 0;
  if (isAligned && d.take("warp")) {
    return d.take("sync") ? d.src(Type::B32) && d.set(warpBarrier)
                          : d.unknownModifier();
  }
  d.take("cta");
  if (d.take("red"))
    return decodeReduction(d);
  bool isArrive = d.take("arrive");
  if (!isArrive && !d.take("sync"))
    return d.unknownModifier();
  if (d.take("aligned"))
    d.inst.flags |= kAligned;
  d.inst.flags |= static_cast<uint32_t>(isArrive ? Kind::Arrive : Kind::Sync);
  bool hasCount = d.numOperands() == 2;
  if (isArrive && !hasCount)
    return d.error("bar.arrive needs a number of threads");
  return d.src(Type::U32) && takeCount(d, hasCount) && d.set(barrier);
}

//===----------------------------------------------------------------------===//
// Fences: memory is coherent and in order here
//===----------------------------------------------------------------------===//

void doNothing(Warp &, const Inst &) {}

bool decodeMembar(Decoder &d) {
  return d.takeAny({"cta", "gl", "sys"}).empty() ? d.unknownModifier()
                                                 : d.set(doNothing);
}

bool decodeFence(Decoder &d) {
  if (d.take("proxy")) {
    if (d.takeAny({"alias", "async", "async::generic", "async.global"}).empty())
      return d.unknownModifier();
    d.skipAny({"acquire", "release", "global", "shared::cta", "shared::cluster",
               "sync_restrict::shared::cta", "sync_restrict::shared::cluster",
               "cluster"});
    return d.set(doNothing);
  }
  if (d.take("mbarrier_init"))
    return d.take("release") && d.take("cluster") ? d.set(doNothing)
                                                  : d.unknownModifier();
  d.takeAny({"sc", "acq_rel", "acquire", "release"});
  d.takeAny({"sync_restrict::shared::cta", "sync_restrict::shared::cluster"});
  return d.takeAny({"cta", "cluster", "gpu", "sys"}).empty()
             ? d.unknownModifier()
             : d.set(doNothing);
}

} // namespace

void lowp::sim::registerBarrier(Registry &registry) {
  registry["bar"] = decodeBarrier<true>;
  registry["barrier"] = decodeBarrier<false>;
  registry["membar"] = decodeMembar;
  registry["fence"] = decodeFence;
}
