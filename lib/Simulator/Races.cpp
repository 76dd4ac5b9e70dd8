//===- Races.cpp - Order of accesses to shared memory ---------------------===//
//
// Part of the Lowp project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Races.h"

using namespace lowp::sim;

Races::Races(unsigned numThreads, uint32_t sharedBytes)
    : numThreads(numThreads), cells(sharedBytes) {}

void Races::beginBlock() {
  floor = now++;
  table.clear();
  others.clear();
  released.clear();
  // What is left in the cells is older than the floor.
}

bool Races::isOrdered(const Mark &mark, unsigned thread) const {
  if (mark.time <= floor || mark.thread == thread)
    return true;
  return !table.empty() &&
         mark.time <= table[thread * numThreads + mark.thread];
}

std::optional<Races::Conflict> Races::access(unsigned thread, uint32_t address,
                                             unsigned bytes, Access kind,
                                             uint32_t line) {
  Mark mark;
  mark.time = now;
  mark.line = line;
  mark.thread = static_cast<uint16_t>(thread);
  mark.isAtomic = kind == Access::Atomic;
  for (uint32_t at = address; at < address + bytes; ++at) {
    Cell &cell = cells[at];
    if (!isOrdered(cell.write, thread))
      return Conflict{cell.write.thread, true, cell.write.line, at};
    auto isInTheWay = [&](const Mark &other) {
      bool bothRead = kind == Access::Read && !other.isAtomic;
      bool bothAtomic = kind == Access::Atomic && other.isAtomic;
      return !bothRead && !bothAtomic && !isOrdered(other, thread);
    };
    if (isInTheWay(cell.other))
      return Conflict{cell.other.thread, cell.other.isAtomic, cell.other.line,
                      at};
    bool mayConflict = kind != Access::Read || cell.hasAtomics;
    if (cell.hasOthers && mayConflict)
      for (const Mark &other : others[at])
        if (isInTheWay(other))
          return Conflict{other.thread, other.isAtomic, other.line, at};
    if (kind == Access::Write) {
      // All there was is ordered before this.
      if (cell.hasOthers)
        others.erase(at);
      cell.hasOthers = cell.hasAtomics = false;
      cell.other = Mark();
      cell.write = mark;
      continue;
    }
    bool isSame = cell.other.isAtomic == mark.isAtomic;
    if (cell.other.time > floor && !(isSame && isOrdered(cell.other, thread)))
      addOther(cell, at);
    cell.hasAtomics |= mark.isAtomic;
    cell.other = mark;
  }
  return std::nullopt;
}

void Races::addOther(Cell &cell, uint32_t address) {
  std::vector<Mark> &marks = others[address];
  if (!cell.hasOthers)
    marks.clear();
  cell.hasOthers = true;
  // Threads that come again and again need no more than their last.
  if (marks.size() >= 2 * size_t(numThreads) + 2) {
    llvm::DenseMap<unsigned, Mark> last;
    for (const Mark &mark : marks)
      last[mark.thread * 2u + mark.isAtomic] = mark;
    marks.clear();
    for (const auto &[_, mark] : last)
      marks.push_back(mark);
  }
  marks.push_back(cell.other);
}

void Races::synchronizeBlock() {
  floor = now++;
  table.clear();
}

void Races::makeTable() {
  if (table.empty())
    table.assign(size_t(numThreads) * numThreads, 0);
}

void Races::synchronize(llvm::ArrayRef<unsigned> threads) {
  makeTable();
  Clock joined(numThreads);
  for (unsigned thread : threads)
    for (unsigned other = 0; other < numThreads; ++other)
      joined[other] = std::max(joined[other], row(thread)[other]);
  for (unsigned thread : threads)
    joined[thread] = now;
  for (unsigned thread : threads)
    std::copy(joined.begin(), joined.end(), row(thread));
  ++now;
}

void Races::release(unsigned thread, uint32_t key) {
  makeTable();
  Clock &clock = released[key];
  clock.resize(numThreads);
  for (unsigned other = 0; other < numThreads; ++other)
    clock[other] = std::max(clock[other], row(thread)[other]);
  clock[thread] = now++;
}

void Races::acquire(unsigned thread, uint32_t key) {
  auto found = released.find(key);
  if (found == released.end())
    return;
  makeTable();
  for (unsigned other = 0; other < numThreads; ++other)
    row(thread)[other] = std::max(row(thread)[other], found->second[other]);
}
