//===- Arena.h - Device memory on the host ----------------------*- C++ -*-===//
//
// Part of the Lowp project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef LOWP_LIB_SIMULATOR_DRIVER_ARENA_H
#define LOWP_LIB_SIMULATOR_DRIVER_ARENA_H

#include <cstddef>
#include <cstdint>
#include <map>
#include <mutex>
#include <optional>

namespace lowp::sim {

/// A range of addresses that the memory of a device lies in, reserved once.
/// What is not allocated is out of bounds for the process, too, and an address
/// is known as one of the device even when nothing is there any more.
class Arena {
public:
  Arena() = default;
  Arena(const Arena &) = delete;
  Arena &operator=(const Arena &) = delete;

  /// Reserves room for `bytes` of allocations; false where the system has not
  /// that many addresses.
  bool reserve(uint64_t bytes);

  /// Filled with a pattern that is NaN in all floating-point types and scales.
  /// None where addresses or memory of the host are used up. Any thread may
  /// call.
  std::optional<uint64_t> allocate(uint64_t bytes);
  void release(uint64_t address, uint64_t bytes);

  bool contains(uint64_t address) const {
    return address - begin < end - begin;
  }

private:
  /// Takes `size` bytes out of what is free.
  std::optional<uint64_t> take(uint64_t size);

  uint64_t begin = 0;
  uint64_t end = 0;
  std::mutex mutex;
  /// Begin and end of what is free.
  std::map<uint64_t, uint64_t> free;
  /// Where to look next: addresses are used again as late as possible, so that
  /// a stale pointer does not meet a new allocation.
  uint64_t next = 0;
};

} // namespace lowp::sim

#endif // LOWP_LIB_SIMULATOR_DRIVER_ARENA_H
