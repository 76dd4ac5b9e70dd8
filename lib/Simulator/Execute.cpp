//===- Execute.cpp - Warps, blocks and grids ------------------------------===//
//
// Part of the Lowp project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Divergence. The lanes of a warp are in fragments, each with a program
// counter. The fragment with the lowest one runs, and takes in every other that
// it meets at the same instruction. Code is laid out so that what follows a
// branch lies behind it, so lanes that go apart meet again at the latest where
// the lowest of them comes to the others; what a compiler has moved behind its
// continuation only costs time, since instructions that need several lanes
// (barriers, shuffles) wait for them wherever they are.
//
// This always goes on: a fragment that is not the lowest and has not run for
// `kPatience` instructions gets a turn of `kTurn`, so that a loop that waits
// for other lanes of its warp ends; and warps take turns of `kQuantum`. When
// no warp can go on, that is a fault.
//
//===----------------------------------------------------------------------===//

#include "Races.h"

#include "lowp/Numerics/Environment.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/Format.h"
#include "llvm/Support/raw_ostream.h"

using namespace lowp::sim;

Grid::Grid() = default;
Grid::~Grid() = default;

namespace {

constexpr uint64_t kPatience = 20000;
constexpr uint64_t kTurn = 500;
constexpr uint64_t kQuantum = 2000;

class Executor {
public:
  explicit Executor(Grid &grid);

  void run();

private:
  void beginBlock(Dim3 id);
  void fillRegisters(Warp &warp);
  uint64_t getSpecial(const Warp &warp, Special special, unsigned lane) const;
  bool runBlock();
  bool runWarp(Warp &warp);
  bool select(Warp &warp);
  bool execute(Warp &warp, const Inst &inst);
  bool checkUses(Warp &warp, const Inst &inst);
  void splitGuarded(Warp &warp);
  void reportDeadlock();
  void trace(const Warp &warp, const Inst &inst);

  Grid &grid;
  const Function &function;
  const Inst *code;
  bool checkRegisters;
  Cta cta;
  /// The least program counter of a fragment that the running one may meet.
  uint32_t meeting = Inst::kNone;
  uint64_t turnEnds = 0;
  std::vector<llvm::StringRef> lines;
};

Executor::Executor(Grid &grid)
    : grid(grid), function(*grid.function), code(function.code.data()),
      checkRegisters(grid.options.checkRegisters) {
  cta.grid = &grid;
  cta.numThreads = static_cast<unsigned>(grid.config.block.count());
  uint32_t sharedBytes = function.sharedBytes + grid.config.sharedBytes;
  cta.shared.resize(sharedBytes);
  cta.sharedInitialized.resize(sharedBytes);
  cta.willBeWritten.resize(sharedBytes);
  cta.stillRead.resize(sharedBytes);
  cta.warps.resize((cta.numThreads + kLanes - 1) / kLanes);
  for (auto [index, warp] : llvm::enumerate(cta.warps)) {
    warp.cta = &cta;
    warp.grid = &grid;
    warp.index = index;
    unsigned left = cta.numThreads - index * kLanes;
    warp.existing = left >= kLanes ? kAllLanes : (1u << left) - 1;
    // Two more words, so that the registers start at a multiple of 16.
    warp.registerStorage.resize(function.registerBytes / 8 + 2);
    warp.registers = reinterpret_cast<uint8_t *>(llvm::alignTo(
        reinterpret_cast<uint64_t>(warp.registerStorage.data()), 16));
    warp.local.resize(size_t(function.localBytes) * kLanes);
    warp.localInitialized.resize(warp.local.size());
  }
  if (grid.options.checkRaces && sharedBytes)
    grid.races = std::make_unique<Races>(cta.numThreads, sharedBytes);
}

uint64_t Executor::getSpecial(const Warp &warp, Special special,
                              unsigned lane) const {
  const Dim3 &block = grid.config.block, &size = grid.config.grid;
  unsigned thread = warp.threadIndex(lane);
  switch (special) {
  case Special::None:
    return 0;
  case Special::TidX:
    return thread % block.x;
  case Special::TidY:
    return thread / block.x % block.y;
  case Special::TidZ:
    return thread / (block.x * block.y);
  case Special::NtidX:
    return block.x;
  case Special::NtidY:
    return block.y;
  case Special::NtidZ:
    return block.z;
  case Special::CtaidX:
    return cta.id.x;
  case Special::CtaidY:
    return cta.id.y;
  case Special::CtaidZ:
    return cta.id.z;
  case Special::NctaidX:
    return size.x;
  case Special::NctaidY:
    return size.y;
  case Special::NctaidZ:
    return size.z;
  case Special::LaneId:
    return lane;
  case Special::WarpId:
    return warp.index;
  case Special::NwarpId:
    return cta.warps.size();
  case Special::LanemaskEq:
    return 1u << lane;
  case Special::LanemaskLt:
    return (1u << lane) - 1;
  case Special::LanemaskLe:
    return (2ull << lane) - 1;
  case Special::LanemaskGe:
    return uint32_t(~((1u << lane) - 1));
  case Special::LanemaskGt:
    return uint32_t(~((2ull << lane) - 1));
  case Special::DynamicSharedSize:
    return grid.config.sharedBytes;
  case Special::TotalSharedSize:
    return cta.shared.size();
  }
  return 0;
}

/// What registers hold that nobody has written, in every byte.
static constexpr int kUnwritten = 0xa5;

void Executor::fillRegisters(Warp &warp) {
  for (const Filled &filled : function.filled) {
    uint8_t *slot = warp.registers + filled.slot;
    if (filled.width == 0) {
      uint32_t mask = filled.value ? kAllLanes : 0;
      std::memcpy(slot, &mask, sizeof(mask));
      continue;
    }
    uint64_t value[2] = {filled.value, 0};
    for (unsigned lane = 0; lane < kLanes; ++lane) {
      if (filled.special != Special::None)
        value[0] = getSpecial(warp, filled.special, lane);
      std::memcpy(slot + lane * filled.width, value, filled.width);
    }
  }
}

void Executor::beginBlock(Dim3 id) {
  cta.id = id;
  std::fill(cta.sharedInitialized.begin(), cta.sharedInitialized.end(), 0);
  if (cta.hasInFlight) {
    std::fill(cta.willBeWritten.begin(), cta.willBeWritten.end(), 0);
    std::fill(cta.stillRead.begin(), cta.stillRead.end(), 0);
    cta.hasInFlight = false;
  }
  cta.bulkCopies.clear();
  cta.bulkGroups.assign(cta.numThreads, 0);
  for (Barrier &barrier : cta.barriers)
    barrier = Barrier();
  if (grid.races)
    grid.races->beginBlock();
  for (Warp &warp : cta.warps) {
    warp.live = warp.existing;
    warp.fragments.assign(1, Fragment());
    warp.fragments[0].mask = warp.existing;
    warp.executed = 0;
    warp.carrySet = 0;
    warp.undefined = 0;
    warp.initialized.assign(function.registerNames.size(), 0);
    std::fill(warp.localInitialized.begin(), warp.localInitialized.end(), 0);
    for (AsyncGroups &groups : warp.copies)
      groups = AsyncGroups();
    // What no check finds must not depend on the block before.
    if (!checkRegisters)
      std::memset(warp.registers, kUnwritten, function.registerBytes);
    fillRegisters(warp);
  }
}

/// Merges the fragments that have met, and picks the one to run; false if none
/// can.
bool Executor::select(Warp &w) {
  auto canMeet = [](const Fragment &fragment) {
    return (fragment.state == Fragment::Ready && !fragment.isReleased) ||
           fragment.state == Fragment::AtWarpSync;
  };
  auto &fragments = w.fragments;
  for (size_t a = 0; a < fragments.size(); ++a) {
    if (!canMeet(fragments[a]))
      continue;
    for (size_t b = a + 1; b < fragments.size();) {
      if (!canMeet(fragments[b]) || fragments[b].pc != fragments[a].pc) {
        ++b;
        continue;
      }
      fragments[a].mask |= fragments[b].mask;
      fragments[a].state = Fragment::Ready;
      fragments[a].lastRun =
          std::min(fragments[a].lastRun, fragments[b].lastRun);
      fragments.erase(fragments.begin() + b);
    }
  }
  size_t best = fragments.size();
  bool isTurn = false;
  for (size_t k = 0; k < fragments.size(); ++k) {
    if (fragments[k].state != Fragment::Ready)
      continue;
    if (best == fragments.size() || fragments[k].pc < fragments[best].pc)
      best = k;
  }
  if (best == fragments.size())
    return false;
  if (fragments.size() > 1) {
    size_t lowest = best;
    for (size_t k = 0; k < fragments.size(); ++k)
      if (fragments[k].state == Fragment::Ready &&
          w.executed - fragments[k].lastRun > kPatience &&
          fragments[k].lastRun < fragments[best].lastRun)
        best = k;
    isTurn = best != lowest;
  }
  turnEnds = isTurn ? w.executed + kTurn : 0;
  w.current = best;
  fragments[best].lastRun = w.executed;
  meeting = Inst::kNone;
  for (const Fragment &other : fragments)
    if (canMeet(other) && other.pc > fragments[best].pc)
      meeting = std::min(meeting, other.pc);
  return true;
}

bool Executor::checkUses(Warp &w, const Inst &inst) {
  const uint32_t *uses = function.operands.data() + inst.firstUse;
  for (uint32_t k = 0; k < inst.numUses; ++k)
    if (uint32_t missing = w.mask & ~w.initialized[uses[k]]) {
      w.fault(FaultKind::UninitializedRegister, llvm::countr_zero(missing),
              "register '" + function.registerNames[uses[k]] +
                  "' is read but was never written");
      return false;
    }
  return true;
}

/// Lanes whose guard is false pass the instruction on their own.
void Executor::splitGuarded(Warp &w) {
  Fragment rest = w.fragment();
  rest.mask &= ~w.mask;
  ++rest.pc;
  w.fragment().mask = w.mask;
  w.fragments.push_back(rest);
  meeting = std::min(meeting, rest.pc);
}

void Executor::trace(const Warp &w, const Inst &inst) {
  if (lines.empty()) {
    llvm::SmallVector<llvm::StringRef, 0> split;
    llvm::StringRef(grid.program->text).split(split, '\n');
    lines.assign(split.begin(), split.end());
  }
  llvm::raw_ostream &os = *grid.options.trace;
  os << "block (" << cta.id.x << "," << cta.id.y << "," << cta.id.z << ") warp "
     << w.index << " lanes " << llvm::format_hex(w.mask, 10) << " line "
     << inst.line << ": ";
  if (inst.line >= 1 && inst.line <= lines.size())
    os << lines[inst.line - 1].trim();
  os << "\n";
}

/// Runs one instruction of the current fragment; false to select anew.
bool Executor::execute(Warp &w, const Inst &inst) {
  grid.inst = &inst;
  w.mask = w.fragment().mask;
  w.step = Step::Next;
  ++w.executed;
  ++grid.warpInstructions;
  if (inst.guard != Inst::kNone) {
    if (checkRegisters && (w.mask & ~w.initialized[inst.guardRegister])) {
      w.fault(FaultKind::UninitializedRegister,
              llvm::countr_zero(w.mask & ~w.initialized[inst.guardRegister]),
              "register '" + function.registerNames[inst.guardRegister] +
                  "' is read but was never written");
      return false;
    }
    uint32_t guard;
    std::memcpy(&guard, w.registers + inst.guard, sizeof(guard));
    w.mask &= inst.guardNegated ? ~guard : guard;
    if (w.mask == 0) {
      ++w.fragment().pc;
      return true;
    }
    if (inst.splits && w.mask != w.fragment().mask)
      splitGuarded(w);
  }
  if (checkRegisters && !checkUses(w, inst))
    return false;
  if (grid.options.trace)
    trace(w, inst);
  uint32_t mask = w.mask;
  inst.run(w, inst);
  if (w.step == Step::Fault || w.step == Step::Wait)
    return false;
  grid.counts[inst.form] += llvm::popcount(mask);
  const uint32_t *defs = function.operands.data() + inst.firstDef;
  for (uint32_t k = 0; k < inst.numDefs; ++k)
    w.initialized[defs[k]] |= mask;
  if (w.undefined) {
    if (inst.numDefs)
      w.initialized[defs[0]] &= ~w.undefined;
    w.undefined = 0;
  }
  if (w.step == Step::Next) {
    ++w.fragment().pc;
    return true;
  }
  // A branch of the only fragment needs no selection.
  return w.fragments.size() == 1 && w.current == 0 &&
         w.fragments[0].state == Fragment::Ready;
}

/// A turn of a warp; whether it did anything.
bool Executor::runWarp(Warp &w) {
  for (Fragment &fragment : w.fragments)
    if (fragment.state == Fragment::AtMbarrier)
      fragment.state = Fragment::Ready;
  bool progressed = false;
  uint64_t end = w.executed + kQuantum;
  uint64_t limit = grid.options.maxInstructions;
  while (w.executed < end && select(w)) {
    bool goesOn = true;
    while (goesOn && w.executed < end) {
      goesOn = execute(w, code[w.fragment().pc]);
      if (grid.fault)
        return false;
      progressed |= w.step != Step::Wait;
      if (goesOn)
        goesOn = w.fragment().pc < meeting && w.current < w.fragments.size();
      else if (w.step == Step::Jump && w.executed < turnEnds &&
               w.current < w.fragments.size() &&
               w.fragment().state == Fragment::Ready)
        goesOn = true;
    }
    if (limit && grid.warpInstructions > limit) {
      w.fault(FaultKind::InstructionLimit, 0,
              "more than " + llvm::Twine(limit) + " instructions");
      return false;
    }
  }
  return progressed;
}

void Executor::reportDeadlock() {
  // A fragment that waits for lanes of its own warp says most.
  for (Fragment::State state : {Fragment::AtWarpSync, Fragment::AtBarrier,
                                Fragment::AtMbarrier, Fragment::Ready})
    for (Warp &w : cta.warps)
      for (const Fragment &fragment : w.fragments) {
        if (fragment.state != state)
          continue;
        grid.inst = &code[fragment.pc];
        unsigned lane = llvm::countr_zero(fragment.mask);
        if (state == Fragment::AtWarpSync) {
          std::string where;
          llvm::ListSeparator separator;
          for (const Fragment &other : w.fragments)
            if (&other != &fragment)
              where += (llvm::StringRef(separator) + "line " +
                        llvm::Twine(code[other.pc].line))
                           .str();
          if (w.live != w.existing)
            where += where.empty() ? "their end" : " and their end";
          w.fault(FaultKind::Barrier, lane,
                  "lanes " + llvm::utohexstr(fragment.mask) +
                      " wait for lanes of their warp that are at " + where);
          return;
        }
        if (state == Fragment::AtBarrier) {
          const Barrier &barrier = cta.barriers[fragment.barrier];
          w.fault(FaultKind::Barrier, lane,
                  "barrier " + llvm::Twine(fragment.barrier) + " waits for " +
                      llvm::Twine(barrier.expected) + " threads, but " +
                      llvm::Twine(barrier.arrived) + " arrive");
          return;
        }
        w.fault(FaultKind::Deadlock, lane,
                "the phase of the mbarrier never completes");
        return;
      }
}

bool Executor::runBlock() {
  while (true) {
    bool isDone = true, progressed = false;
    for (Warp &warp : cta.warps) {
      if (warp.fragments.empty())
        continue;
      isDone = false;
      progressed |= runWarp(warp);
      if (grid.fault)
        return false;
    }
    if (isDone)
      return completeBulkCopies(cta.warps.front(), 0, std::nullopt);
    if (!progressed) {
      reportDeadlock();
      return false;
    }
  }
}

void Executor::run() {
  lowp::numerics::ScopedFloatEnvironment environment;
  const Dim3 &size = grid.config.grid;
  for (uint32_t z = 0; z < size.z; ++z)
    for (uint32_t y = 0; y < size.y; ++y)
      for (uint32_t x = 0; x < size.x; ++x) {
        beginBlock({x, y, z});
        if (!runBlock())
          return;
      }
}

} // namespace

void lowp::sim::runGrid(Grid &grid) { Executor(grid).run(); }
