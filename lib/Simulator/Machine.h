//===- Machine.h - Decoded programs and their state -------------*- C++ -*-===//
//
// Part of the Lowp project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A warp executes one instruction for all its active lanes: registers are laid
// out as 32 lanes of their width, so that a handler is a loop over lanes.
// Immediates, addresses of variables and special registers are registers that
// a warp fills when it starts; a handler knows slots only.
//
//===----------------------------------------------------------------------===//

#ifndef LOWP_LIB_SIMULATOR_MACHINE_H
#define LOWP_LIB_SIMULATOR_MACHINE_H

#include "Syntax.h"

#include "llvm/ADT/bit.h"

#include <cstring>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace lowp::sim {

class Races;
struct Cta;
struct Grid;
struct Inst;
struct Warp;

constexpr unsigned kLanes = 32;
constexpr uint32_t kAllLanes = ~0u;
constexpr unsigned kMaxSlots = 12;
constexpr unsigned kNumBarriers = 16;

/// Shared, local and parameter memory in the generic address space: windows
/// that no host address is in.
constexpr uint64_t kWindowSize = uint64_t(1) << 32;
constexpr uint64_t kSharedWindow = uint64_t(1) << 56;
constexpr uint64_t kLocalWindow = uint64_t(2) << 56;
constexpr uint64_t kParamWindow = uint64_t(3) << 56;

using Handler = void (*)(Warp &, const Inst &);

struct Inst {
  static constexpr uint32_t kNone = ~0u;

  Handler run = nullptr;
  /// Offsets into the registers of a warp.
  uint32_t slots[kMaxSlots] = {};
  /// Bytes of a lane of each slot; 0 for predicates.
  uint8_t widths[kMaxSlots] = {};
  uint8_t numSlots = 0;
  bool guardNegated = false;
  /// Lanes whose guard is false go on without waiting for the others.
  bool splits = false;
  /// Offset of an address, or what else a handler needs to know.
  int64_t imm = 0;
  uint32_t flags = 0;
  /// Of a branch.
  uint32_t target = 0;
  /// Slot and register of the guard, or kNone.
  uint32_t guard = kNone;
  uint32_t guardRegister = 0;
  /// The registers read and written, in `Function::operands`.
  uint32_t firstUse = 0;
  uint32_t numUses = 0;
  uint32_t firstDef = 0;
  uint32_t numDefs = 0;
  /// Index in `Program::forms`.
  uint32_t form = 0;
  uint32_t line = 0;
};

enum class Special : uint8_t {
  None,
  TidX,
  TidY,
  TidZ,
  NtidX,
  NtidY,
  NtidZ,
  CtaidX,
  CtaidY,
  CtaidZ,
  NctaidX,
  NctaidY,
  NctaidZ,
  LaneId,
  WarpId,
  NwarpId,
  LanemaskEq,
  LanemaskLe,
  LanemaskLt,
  LanemaskGe,
  LanemaskGt,
  DynamicSharedSize,
  TotalSharedSize,
};

/// A slot that is filled when a warp starts.
struct Filled {
  uint32_t slot = 0;
  uint8_t width = 0;
  Special special = Special::None;
  uint64_t value = 0;
};

struct Function {
  std::string name;
  std::vector<Parameter> parameters;
  uint32_t parameterBytes = 0;
  uint32_t sharedBytes = 0;
  uint32_t localBytes = 0;
  Dim3 maxThreads{0, 0, 0};
  Dim3 requiredThreads{0, 0, 0};
  std::vector<Inst> code;
  std::vector<uint32_t> operands;
  std::vector<std::string> registerNames;
  std::vector<Filled> filled;
  uint32_t registerBytes = 0;
};

struct Program {
  std::string text;
  ParsedModule module;
  std::vector<std::string> forms;
  std::vector<std::unique_ptr<Function>> functions;
  /// `.global` and `.const` variables.
  Memory memory;
  std::vector<std::unique_ptr<uint64_t[]>> storage;
};

/// What became of an instruction.
enum class Step : uint8_t {
  Next,
  /// The instruction set the program counters itself.
  Jump,
  /// Executed once more when what it waits for may have happened.
  Wait,
  Fault
};

/// Lanes of a warp that are at the same instruction.
struct Fragment {
  enum State : uint8_t {
    Ready,
    /// At a barrier, which continues it.
    AtBarrier,
    /// Until other lanes of the warp come to the same instruction.
    AtWarpSync,
    /// Until a phase of an mbarrier completes.
    AtMbarrier
  };

  uint32_t pc = 0;
  uint32_t mask = 0;
  State state = Ready;
  /// The barrier that an `AtBarrier` waits at; once it completes the fragment
  /// executes the instruction again, with what a reduction gave.
  uint32_t barrier = 0;
  bool isReleased = false;
  uint32_t popc = 0;
  bool all = false;
  bool any = false;
  /// When the fragment last ran, in instructions of the warp.
  uint64_t lastRun = 0;
};

/// One cp.async.
struct AsyncCopy {
  uint64_t destination;
  uint64_t source;
  uint32_t bytes;
  uint32_t sourceBytes;
};

struct AsyncGroups {
  std::vector<AsyncCopy> open;
  std::vector<std::vector<AsyncCopy>> committed;
};

struct Warp {
  Cta *cta = nullptr;
  Grid *grid = nullptr;
  uint8_t *registers = nullptr;
  unsigned index = 0;

  /// The active lanes of the running instruction.
  uint32_t mask = 0;
  Step step = Step::Next;
  /// Lanes that exist, and those that have not exited.
  uint32_t existing = 0;
  uint32_t live = 0;
  std::vector<Fragment> fragments;
  size_t current = 0;
  uint64_t executed = 0;
  /// The carry flag of each lane, and where it was set.
  uint32_t carry = 0;
  uint32_t carrySet = 0;
  /// Lanes in which the instruction left its first result undefined.
  uint32_t undefined = 0;

  /// By register: the lanes in which it was written.
  std::vector<uint32_t> initialized;
  /// The allocation that the last global access hit.
  uint64_t cachedBegin = 1;
  uint64_t cachedEnd = 0;
  /// Local memory of all lanes, lane after lane, and which bytes were written.
  std::vector<uint8_t> local;
  std::vector<uint8_t> localInitialized;
  AsyncGroups copies[kLanes];
  std::vector<uint64_t> registerStorage;

  template <typename T>
  T *slot(const Inst &inst, unsigned index) {
    return reinterpret_cast<T *>(registers + inst.slots[index]);
  }
  /// A predicate: one bit per lane.
  uint32_t &pred(const Inst &inst, unsigned index) {
    return *slot<uint32_t>(inst, index);
  }

  Fragment &fragment() { return fragments[current]; }
  unsigned threadIndex(unsigned lane) const { return index * kLanes + lane; }

  void fault(FaultKind kind, unsigned lane, const llvm::Twine &message);
  void memoryFault(FaultKind kind, unsigned lane, uint64_t address,
                   const llvm::Twine &message);
  /// Waits in `state`.
  void wait(Fragment::State state) {
    fragment().state = state;
    step = Step::Wait;
  }
};

/// Runs `body` for each lane of `mask`. The first loop is what the compiler
/// makes vectors of.
template <typename Body>
inline void forLanes(uint32_t mask, Body body) {
  if (mask == kAllLanes) {
    for (unsigned lane = 0; lane < kLanes; ++lane)
      body(lane);
    return;
  }
  for (; mask; mask &= mask - 1)
    body(static_cast<unsigned>(llvm::countr_zero(mask)));
}

struct Barrier {
  /// Threads to wait for; 0 while nobody has arrived.
  uint32_t expected = 0;
  uint32_t arrived = 0;
  /// Who waits, and with which lanes.
  std::vector<std::pair<Warp *, uint32_t>> waiting;
  /// Whether somebody arrived without waiting.
  bool hasArrivals = false;
  /// bar.red: so far.
  uint32_t popc = 0;
  bool all = true;
  bool any = false;
};

/// A bulk copy in flight: done when somebody looks at its completion.
struct BulkCopy {
  bool toShared = false;
  uint64_t destination = 0;
  uint64_t source = 0;
  uint32_t bytes = 0;
  /// Who issued it.
  unsigned thread = 0;
  /// What a copy to shared memory signals.
  uint32_t mbarrier = 0;
  /// The bulk group of its thread that a copy from shared memory is in.
  uint32_t group = 0;
};

struct Cta {
  Grid *grid = nullptr;
  Dim3 id{0, 0, 0};
  unsigned numThreads = 0;
  std::vector<Warp> warps;
  std::vector<uint8_t> shared;
  std::vector<uint8_t> sharedInitialized;
  Barrier barriers[kNumBarriers];
  std::vector<BulkCopy> bulkCopies;
  /// By thread: the number of its committed bulk groups.
  std::vector<uint32_t> bulkGroups;
  /// By byte: asynchronous copies that will write it, and that still read it.
  std::vector<uint8_t> willBeWritten;
  std::vector<uint8_t> stillRead;
  bool hasInFlight = false;
};

struct Grid {
  const Program *program = nullptr;
  const Function *function = nullptr;
  const Memory *memory = nullptr;
  LaunchConfig config;
  Options options;
  std::vector<uint8_t> parameters;
  std::unique_ptr<Races> races;
  std::vector<uint64_t> counts;
  uint64_t warpInstructions = 0;
  std::unique_ptr<Fault> fault;
  /// The instruction that runs, for faults.
  const Inst *inst = nullptr;

  Grid();
  ~Grid();
};

enum class Access : uint8_t { Read, Write, Atomic };

/// The host address of `bytes` bytes at `address` in `space`, checked for
/// bounds, alignment, initialisation and races; null after a fault. Writes mark
/// the bytes as initialised.
uint8_t *accessMemory(Warp &warp, unsigned lane, Space space, uint64_t address,
                      unsigned bytes, unsigned alignment, Access kind);

/// The same for global memory alone; `write` of constant memory is a fault.
uint8_t *accessGlobal(Warp &warp, unsigned lane, uint64_t address,
                      uint64_t bytes, unsigned alignment);

/// Performs the asynchronous copies of a thread, all but the last `keep`
/// groups, or all.
void completeGroups(Warp &warp, unsigned lane, std::optional<uint64_t> keep);
/// Performs the bulk copies that signal an mbarrier, or all that are left.
bool completeBulkCopies(Warp &warp, unsigned lane,
                        std::optional<uint32_t> mbarrier);

/// The offset in shared memory of an address that must be in it; none after a
/// fault.
std::optional<uint32_t> toShared(Warp &warp, unsigned lane, bool isGeneric,
                                 uint64_t address);

/// Whether all live lanes of the masks that active lanes name are active; else
/// the fragment waits for them, or it is a fault.
bool awaitLanes(Warp &warp, const uint32_t *masks);

/// Arrives at the mbarrier in shared memory at `address`.
bool arriveAtMbarrier(Warp &warp, unsigned lane, uint32_t address,
                      uint32_t count, int32_t transactions);
/// Counts bytes that arrived.
bool completeTransactions(Warp &warp, unsigned lane, uint32_t address,
                          uint32_t bytes);

/// Executes a kernel; the result is in `grid`.
void runGrid(Grid &grid);

} // namespace lowp::sim

#endif // LOWP_LIB_SIMULATOR_MACHINE_H
