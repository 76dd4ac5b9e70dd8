//===- Arena.cpp - Device memory on the host ------------------------------===//
//
// Part of the Lowp project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Arena.h"

#include "llvm/Support/MathExtras.h"

#include <algorithm>
#include <cstring>
#include <sys/mman.h>
#include <unistd.h>

using namespace lowp::sim;

namespace {

/// The driver promises that addresses are multiples of 256. They are of no
/// larger power of two here, so that nothing relies on more.
constexpr uint64_t kOffset = 256;
constexpr uint64_t kMinReserved = uint64_t(1) << 32;
constexpr uint64_t kMaxReserved = uint64_t(1) << 42;
constexpr int kFillByte = 0xFF;

uint64_t getPageSize() {
  static const uint64_t size = sysconf(_SC_PAGESIZE);
  return size;
}

uint64_t alignToPages(uint64_t bytes) {
  return llvm::alignTo(bytes + kOffset, getPageSize());
}

void *map(uint64_t address, uint64_t bytes, int protection, int flags) {
  return mmap(reinterpret_cast<void *>(address), bytes, protection,
              MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE | flags, -1, 0);
}

} // namespace

bool Arena::reserve(uint64_t bytes) {
  // Several times the memory, so that addresses rest before they are used
  // again, and holes between allocations do not matter.
  bytes = std::min(bytes, kMaxReserved / 8);
  uint64_t wanted = std::max(llvm::PowerOf2Ceil(bytes * 8), kMinReserved);
  void *base = MAP_FAILED;
  for (; wanted > bytes + getPageSize(); wanted /= 2) {
    base = map(0, wanted, PROT_NONE, 0);
    if (base != MAP_FAILED)
      break;
  }
  if (base == MAP_FAILED)
    return false;
  begin = reinterpret_cast<uint64_t>(base);
  end = begin + wanted;
  next = begin;
  free.emplace(begin, end);
  return true;
}

std::optional<uint64_t> Arena::take(uint64_t size) {
  std::lock_guard<std::mutex> lock(mutex);
  auto split = [&](uint64_t rangeBegin, uint64_t rangeEnd, uint64_t address) {
    free.erase(rangeBegin);
    if (rangeBegin < address)
      free.emplace(rangeBegin, address);
    if (address + size < rangeEnd)
      free.emplace(address + size, rangeEnd);
    next = address + size;
    return address;
  };
  // What lies at or behind `next`, then all from the begin.
  for (auto [rangeBegin, rangeEnd] : free)
    if (rangeEnd > next && rangeEnd - std::max(rangeBegin, next) >= size)
      return split(rangeBegin, rangeEnd, std::max(rangeBegin, next));
  for (auto [rangeBegin, rangeEnd] : free)
    if (rangeEnd - rangeBegin >= size)
      return split(rangeBegin, rangeEnd, rangeBegin);
  return std::nullopt;
}

std::optional<uint64_t> Arena::allocate(uint64_t bytes) {
  if (bytes > end - begin)
    return std::nullopt;
  uint64_t size = alignToPages(bytes);
  std::optional<uint64_t> taken = take(size);
  if (!taken)
    return std::nullopt;
  uint64_t address = *taken;
  if (mprotect(reinterpret_cast<void *>(address), size,
               PROT_READ | PROT_WRITE) != 0) {
    release(address + kOffset, bytes);
    return std::nullopt;
  }
  std::memset(reinterpret_cast<void *>(address), kFillByte, size);
  return address + kOffset;
}

void Arena::release(uint64_t address, uint64_t bytes) {
  address -= kOffset;
  uint64_t size = alignToPages(bytes);
  // Gives the pages back and takes the accesses away. Where that fails (too
  // many mappings) the range is lost, but stays out of use.
  if (map(address, size, PROT_NONE, MAP_FIXED) == MAP_FAILED)
    return;
  std::lock_guard<std::mutex> lock(mutex);
  auto after = free.lower_bound(address);
  uint64_t rangeEnd = address + size;
  if (after != free.end() && after->first == rangeEnd) {
    rangeEnd = after->second;
    after = free.erase(after);
  }
  if (after != free.begin() && std::prev(after)->second == address)
    std::prev(after)->second = rangeEnd;
  else
    free.emplace(address, rangeEnd);
}
