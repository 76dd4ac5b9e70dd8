//===- Control.cpp - Branches and exits -----------------------------------===//
//
// Part of the Lowp project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Decoder.h"

using namespace lowp::sim;

namespace {

/// Lanes that take the branch and those that do not go apart where there are
/// both; they meet again where their program counters do.
void branch(Warp &w, const Inst &i) {
  w.step = Step::Jump;
  uint32_t all = w.fragment().mask;
  if (w.mask == all) {
    w.fragment().pc = i.target;
    return;
  }
  if (i.flags) {
    w.fault(FaultKind::Barrier, llvm::countr_zero(all & ~w.mask),
            "the lanes of a warp do not agree on a branch with .uni");
    return;
  }
  Fragment taken = w.fragment();
  taken.pc = i.target;
  taken.mask = w.mask;
  w.fragment().mask = all & ~w.mask;
  ++w.fragment().pc;
  w.fragments.push_back(taken);
}

bool decodeBranch(Decoder &d) {
  d.inst.flags = d.take("uni");
  return d.label(d.inst.target) && d.set(branch);
}

void leave(Warp &w, const Inst &) {
  w.step = Step::Jump;
  w.live &= ~w.mask;
  // Who waits for lanes of the warp waits for those that are left.
  for (Fragment &other : w.fragments)
    if (other.state == Fragment::AtWarpSync)
      other.state = Fragment::Ready;
  Fragment &fragment = w.fragment();
  fragment.mask &= ~w.mask;
  if (fragment.mask) {
    ++fragment.pc;
    return;
  }
  w.fragments.erase(w.fragments.begin() + w.current);
}

bool decodeLeave(Decoder &d) {
  d.take("uni");
  return d.set(leave);
}

bool decodeExit(Decoder &d) { return d.set(leave); }

void trap(Warp &w, const Inst &) {
  w.fault(FaultKind::Trap, llvm::countr_zero(w.mask), "the kernel trapped");
}

bool decodeTrap(Decoder &d) { return d.set(trap); }

void doNothing(Warp &, const Inst &) {}

/// nanosleep and pmevent: time does not exist.
bool decodeSleep(Decoder &d) {
  return d.take("u32") ? d.src(Type::U32) && d.set(doNothing)
                       : d.unknownModifier();
}

} // namespace

void lowp::sim::registerControl(Registry &registry) {
  registry["bra"] = decodeBranch;
  registry["ret"] = decodeLeave;
  registry["exit"] = decodeExit;
  registry["trap"] = decodeTrap;
  registry["nanosleep"] = decodeSleep;
}
