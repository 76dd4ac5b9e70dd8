//===- Access.cpp - Checked accesses to memory ----------------------------===//
//
// Part of the Lowp project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Races.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/Twine.h"

using namespace lowp::sim;

namespace {

Dim3 threadOf(const Grid &grid, unsigned index) {
  const Dim3 &block = grid.config.block;
  return {index % block.x, index / block.x % block.y,
          index / (block.x * block.y)};
}

std::string nameOf(const Grid &grid, unsigned index) {
  Dim3 thread = threadOf(grid, index);
  return ("(" + llvm::Twine(thread.x) + "," + llvm::Twine(thread.y) + "," +
          llvm::Twine(thread.z) + ")")
      .str();
}

} // namespace

void Memory::add(void *base, size_t size) {
  std::pair<uint64_t, uint64_t> range(reinterpret_cast<uint64_t>(base),
                                      reinterpret_cast<uint64_t>(base) + size);
  allocations.insert(llvm::upper_bound(allocations, range), range);
}

bool Memory::remove(void *base) {
  auto found = llvm::find_if(allocations, [&](const auto &range) {
    return range.first == reinterpret_cast<uint64_t>(base);
  });
  if (found == allocations.end())
    return false;
  allocations.erase(found);
  return true;
}

std::pair<uint64_t, uint64_t> Memory::find(uint64_t address) const {
  auto after = llvm::upper_bound(
      allocations, address,
      [](uint64_t value, const auto &range) { return value < range.first; });
  if (after == allocations.begin())
    return {1, 0};
  auto range = *std::prev(after);
  if (address >= range.second)
    return {1, 0};
  return range;
}

void Warp::fault(FaultKind kind, unsigned lane, const llvm::Twine &message) {
  step = Step::Fault;
  if (grid->fault)
    return;
  grid->fault = std::make_unique<Fault>(kind, grid->inst ? grid->inst->line : 0,
                                        message.str());
  grid->fault->hasThread = true;
  grid->fault->block = cta->id;
  grid->fault->thread = threadOf(*grid, threadIndex(lane));
}

void Warp::memoryFault(FaultKind kind, unsigned lane, uint64_t address,
                       const llvm::Twine &message) {
  bool isFirst = !grid->fault;
  fault(kind, lane, message);
  if (!isFirst)
    return;
  grid->fault->hasAddress = true;
  grid->fault->address = address;
}

uint8_t *lowp::sim::accessGlobal(Warp &w, unsigned lane, uint64_t address,
                                 uint64_t bytes, unsigned alignment) {
  if (address & (alignment - 1)) {
    w.memoryFault(FaultKind::Misaligned, lane, address,
                  "address of " + llvm::Twine(bytes) +
                      " bytes is not a multiple of " + llvm::Twine(alignment));
    return nullptr;
  }
  auto [begin, end] = w.grid->memory->find(address);
  if (begin > end)
    std::tie(begin, end) = w.grid->program->memory.find(address);
  if (begin > end || end - address < bytes) {
    std::string where = "no allocation holds it";
    if (begin <= end)
      where = ("its allocation ends " + llvm::Twine(end - address) +
               " bytes after it")
                  .str();
    w.memoryFault(FaultKind::OutOfBounds, lane, address,
                  "access of " + llvm::Twine(bytes) +
                      " bytes of global memory: " + where);
    return nullptr;
  }
  w.cachedBegin = begin;
  w.cachedEnd = end;
  return reinterpret_cast<uint8_t *>(address);
}

namespace {

bool checkRange(Warp &w, unsigned lane, uint64_t address, unsigned bytes,
                unsigned alignment, uint64_t size, llvm::StringRef what) {
  if (address & (alignment - 1)) {
    w.memoryFault(FaultKind::Misaligned, lane, address,
                  "address of " + llvm::Twine(bytes) +
                      " bytes is not a multiple of " + llvm::Twine(alignment));
    return false;
  }
  if (bytes > size || address > size - bytes) {
    w.memoryFault(FaultKind::OutOfBounds, lane, address,
                  "access of " + llvm::Twine(bytes) + " bytes of " + what +
                      " memory, of which there are " + llvm::Twine(size));
    return false;
  }
  return true;
}

/// Marks bytes as written, or checks that they are.
bool checkInitialized(Warp &w, unsigned lane, uint64_t address, unsigned bytes,
                      Access kind, uint8_t *shadow, llvm::StringRef what) {
  if (kind == Access::Write) {
    std::memset(shadow, 1, bytes);
    return true;
  }
  if (!w.grid->options.checkMemory)
    return true;
  for (unsigned k = 0; k < bytes; ++k)
    if (!shadow[k]) {
      w.memoryFault(FaultKind::UninitializedMemory, lane, address + k,
                    "read of " + what + " memory that nobody wrote");
      return false;
    }
  return true;
}

bool checkInFlight(Warp &w, unsigned lane, uint64_t address, unsigned bytes,
                   Access kind) {
  Cta &cta = *w.cta;
  for (unsigned k = 0; k < bytes; ++k) {
    if (cta.willBeWritten[address + k]) {
      w.memoryFault(FaultKind::Race, lane, address + k,
                    "access of shared memory that an asynchronous copy in "
                    "flight will write");
      return false;
    }
    if (kind != Access::Read && cta.stillRead[address + k]) {
      w.memoryFault(FaultKind::Race, lane, address + k,
                    "write of shared memory that an asynchronous copy in "
                    "flight still reads");
      return false;
    }
  }
  return true;
}

uint8_t *accessShared(Warp &w, unsigned lane, uint64_t address, unsigned bytes,
                      unsigned alignment, Access kind) {
  Cta &cta = *w.cta;
  if (!checkRange(w, lane, address, bytes, alignment, cta.shared.size(),
                  "shared"))
    return nullptr;
  if (cta.hasInFlight && !checkInFlight(w, lane, address, bytes, kind))
    return nullptr;
  if (!checkInitialized(w, lane, address, bytes, kind,
                        cta.sharedInitialized.data() + address, "shared"))
    return nullptr;
  if (w.grid->races) {
    unsigned line = w.grid->inst ? w.grid->inst->line : 0;
    auto conflict =
        w.grid->races->access(w.threadIndex(lane), address, bytes, kind, line);
    if (conflict) {
      w.memoryFault(FaultKind::Race, lane, conflict->address,
                    llvm::Twine(kind == Access::Read ? "read" : "write") +
                        " of shared memory and the " +
                        (conflict->isWrite ? "write" : "read") + " of thread " +
                        nameOf(*w.grid, conflict->thread) + " in line " +
                        llvm::Twine(conflict->line) +
                        " have no barrier between them");
      return nullptr;
    }
  }
  return cta.shared.data() + address;
}

} // namespace

uint8_t *lowp::sim::accessMemory(Warp &w, unsigned lane, Space space,
                                 uint64_t address, unsigned bytes,
                                 unsigned alignment, Access kind) {
  if (space == Space::Generic) {
    space = Space::Global;
    for (auto [window, other] : {std::pair(kSharedWindow, Space::Shared),
                                 std::pair(kLocalWindow, Space::Local),
                                 std::pair(kParamWindow, Space::Param)})
      if (address - window < kWindowSize) {
        space = other;
        address -= window;
        break;
      }
  }
  switch (space) {
  case Space::Shared:
    return accessShared(w, lane, address, bytes, alignment, kind);
  case Space::Local: {
    uint64_t size = w.grid->function->localBytes;
    if (!checkRange(w, lane, address, bytes, alignment, size, "local"))
      return nullptr;
    size_t at = lane * size + address;
    if (!checkInitialized(w, lane, address, bytes, kind,
                          w.localInitialized.data() + at, "local"))
      return nullptr;
    return w.local.data() + at;
  }
  case Space::Param:
    if (kind != Access::Read) {
      w.memoryFault(FaultKind::OutOfBounds, lane, address,
                    "write of a parameter");
      return nullptr;
    }
    if (!checkRange(w, lane, address, bytes, alignment,
                    w.grid->parameters.size(), "parameter"))
      return nullptr;
    return w.grid->parameters.data() + address;
  default:
    return accessGlobal(w, lane, address, bytes, alignment);
  }
}
