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
  readers.clear();
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
    bool bothAtomic = mark.isAtomic && cell.write.isAtomic;
    if (!bothAtomic && !isOrdered(cell.write, thread))
      return Conflict{cell.write.thread, true, cell.write.line, at};
    if (kind == Access::Read) {
      if (cell.read.time > floor && cell.read.thread != thread &&
          !isOrdered(cell.read, thread)) {
        std::vector<Mark> &others = readers[at];
        if (!cell.hasReaders)
          others.clear();
        cell.hasReaders = true;
        // Threads that read again and again need no more than their last.
        if (others.size() >= 2 * size_t(numThreads)) {
          llvm::SmallDenseMap<unsigned, Mark> last;
          for (const Mark &reader : others)
            last[reader.thread] = reader;
          others.clear();
          for (const auto &[_, reader] : last)
            others.push_back(reader);
        }
        others.push_back(cell.read);
      }
      cell.read = mark;
      continue;
    }
    if (!isOrdered(cell.read, thread))
      return Conflict{cell.read.thread, false, cell.read.line, at};
    if (cell.hasReaders) {
      for (const Mark &reader : readers[at])
        if (!isOrdered(reader, thread))
          return Conflict{reader.thread, false, reader.line, at};
      cell.hasReaders = false;
      readers.erase(at);
    }
    cell.write = mark;
  }
  return std::nullopt;
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
