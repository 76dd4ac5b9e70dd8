//===- Races.h - Order of accesses to shared memory -------------*- C++ -*-===//
//
// Part of the Lowp project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Finds accesses to shared memory by two threads, one of them a write, that
// nothing orders.
//
// Time is a counter that every synchronisation advances. A thread knows of each
// other thread the last time that is ordered before it: for all threads of the
// block at once after a barrier of the block (`floor`), else in a table that
// only kernels with other synchronisations have. What orders:
//
//  - barriers, between the threads that take part;
//  - bar.warp.sync, between the lanes of its mask. Two lanes that merely
//    execute the same instructions are not ordered, nor are they by a shuffle
//    or vote: the ISA promises nothing about memory there;
//  - mbarriers, from what arrives to who waits for the phase, which includes
//    bulk copies and cp.async.mbarrier.arrive;
//  - atomics order nothing, and do not race with each other.
//
//===----------------------------------------------------------------------===//

#ifndef LOWP_LIB_SIMULATOR_RACES_H
#define LOWP_LIB_SIMULATOR_RACES_H

#include "Machine.h"

#include "llvm/ADT/DenseMap.h"

namespace lowp::sim {

class Races {
public:
  /// For blocks of `numThreads` threads and `sharedBytes` bytes.
  Races(unsigned numThreads, uint32_t sharedBytes);

  /// Starts a block: everything before is ordered.
  void beginBlock();

  /// Who stands in the way of an access, or nothing.
  struct Conflict {
    unsigned thread;
    bool isWrite;
    uint32_t line;
    uint32_t address;
  };
  std::optional<Conflict> access(unsigned thread, uint32_t address,
                                 unsigned bytes, Access kind, uint32_t line);

  /// All threads of the block have met.
  void synchronizeBlock();
  /// These threads have met.
  void synchronize(llvm::ArrayRef<unsigned> threads);

  /// What `thread` knows goes into the object called `key`: an mbarrier by its
  /// address, or a barrier.
  void release(unsigned thread, uint32_t key);
  /// What was released to it is ordered before `thread`.
  void acquire(unsigned thread, uint32_t key);
  void forget(uint32_t key) { released.erase(key); }
  static uint32_t keyOfBarrier(unsigned barrier) { return ~31u | barrier; }

private:
  using Clock = std::vector<uint64_t>;

  struct Mark {
    uint64_t time = 0;
    uint32_t line = 0;
    uint16_t thread = 0;
    bool isAtomic = false;
  };
  struct Cell {
    Mark write;
    /// The last read or atomic; more are in `others`.
    Mark other;
    bool hasOthers = false;
    bool hasAtomics = false;
  };

  bool isOrdered(const Mark &mark, unsigned thread) const;
  void addOther(Cell &cell, uint32_t address);
  void makeTable();
  uint64_t *row(unsigned thread) { return table.data() + thread * numThreads; }

  unsigned numThreads;
  uint64_t now = 1;
  uint64_t floor = 0;
  /// By thread and other thread; empty while `floor` says it all.
  std::vector<uint64_t> table;
  std::vector<Cell> cells;
  llvm::DenseMap<uint32_t, std::vector<Mark>> others;
  llvm::DenseMap<uint32_t, Clock> released;
};

} // namespace lowp::sim

#endif // LOWP_LIB_SIMULATOR_RACES_H
