//===- Copy.cpp - Asynchronous copies -------------------------------------===//
//
// Part of the Lowp project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A copy is checked where it is issued and performed where its completion is
// waited for. In between nobody may touch the bytes that it writes, or write
// those that it reads in shared memory.
//
//===----------------------------------------------------------------------===//

#include "Decoder.h"
#include "Lanes.h"
#include "Races.h"

using namespace lowp::sim;

namespace {

constexpr uint32_t kBulkUnit = 16;

/// Counts copies in flight by byte.
void mark(std::vector<uint8_t> &shadow, uint64_t address, uint32_t bytes,
          int change) {
  for (uint32_t k = 0; k < bytes; ++k)
    shadow[address + k] = static_cast<uint8_t>(shadow[address + k] + change);
}

void perform(Warp &w, const AsyncCopy &copy) {
  Cta &cta = *w.cta;
  mark(cta.willBeWritten, copy.destination, copy.bytes, -1);
  uint8_t *to = cta.shared.data() + copy.destination;
  // Source and destination are distinct spaces.
  std::memcpy(to, reinterpret_cast<const void *>(copy.source),
              copy.sourceBytes);
  std::memset(to + copy.sourceBytes, 0, copy.bytes - copy.sourceBytes);
}

} // namespace

void lowp::sim::completeGroups(Warp &w, unsigned lane,
                               std::optional<uint64_t> keep) {
  AsyncGroups &groups = w.copies[lane];
  size_t kept = keep ? std::min<uint64_t>(*keep, groups.committed.size()) : 0;
  size_t count = groups.committed.size() - kept;
  for (size_t k = 0; k < count; ++k)
    for (const AsyncCopy &copy : groups.committed[k])
      perform(w, copy);
  groups.committed.erase(groups.committed.begin(),
                         groups.committed.begin() + count);
  if (keep)
    return;
  for (const AsyncCopy &copy : groups.open)
    perform(w, copy);
  groups.open.clear();
}

bool lowp::sim::completeBulkCopies(Warp &w, unsigned lane,
                                   std::optional<uint32_t> mbarrier) {
  Cta &cta = *w.cta;
  std::vector<BulkCopy> due, rest;
  for (const BulkCopy &copy : cta.bulkCopies)
    (!mbarrier || (copy.toShared && copy.mbarrier == *mbarrier) ? due : rest)
        .push_back(copy);
  cta.bulkCopies = std::move(rest);
  for (const BulkCopy &copy : due) {
    if (copy.toShared) {
      mark(cta.willBeWritten, copy.destination, copy.bytes, -1);
      std::memcpy(cta.shared.data() + copy.destination,
                  reinterpret_cast<const void *>(copy.source), copy.bytes);
      if (w.grid->races)
        w.grid->races->release(copy.thread, copy.mbarrier);
      // Nobody is left to wait when a block has ended.
      if (mbarrier && !completeTransactions(w, lane, copy.mbarrier, copy.bytes))
        return false;
      continue;
    }
    mark(cta.stillRead, copy.source, copy.bytes, -1);
    std::memcpy(reinterpret_cast<void *>(copy.destination),
                cta.shared.data() + copy.source, copy.bytes);
  }
  return true;
}

namespace {

/// Both ends of the copies of an instruction.
struct Ends {
  Lanes destination;
  Lanes source;

  Ends(Warp &w, const Inst &i) {
    gather(w, i, 0, destination);
    gather(w, i, 1, source);
    for (unsigned l = 0; l < kLanes; ++l) {
      destination[l] += static_cast<uint64_t>(i.imm);
      source[l] += static_cast<int64_t>(static_cast<int32_t>(i.target));
    }
  }
};

/// Two addresses: the offset of the second goes into `target`.
bool twoAddresses(Decoder &d, std::optional<Space> *variable = nullptr) {
  if (!d.address(variable))
    return false;
  int64_t offset = d.inst.imm;
  if (!d.address(variable))
    return false;
  d.inst.target = static_cast<uint32_t>(d.inst.imm);
  d.inst.imm = offset;
  return true;
}

//===----------------------------------------------------------------------===//
// cp.async
//===----------------------------------------------------------------------===//

/// `flags`: bytes; slots: destination, source, bytes that are read.
void copyAsync(Warp &w, const Inst &i) {
  Ends ends(w, i);
  const uint32_t *sourceBytes = w.slot<uint32_t>(i, 2);
  uint32_t bytes = i.flags;
  for (uint32_t mask = w.mask; mask; mask &= mask - 1) {
    unsigned lane = llvm::countr_zero(mask);
    if (sourceBytes[lane] > bytes) {
      w.fault(FaultKind::OutOfBounds, lane, "more bytes to read than to write");
      return;
    }
    AsyncCopy copy;
    copy.destination = ends.destination[lane];
    copy.source = ends.source[lane];
    copy.bytes = bytes;
    copy.sourceBytes = sourceBytes[lane];
    if (!accessMemory(w, lane, Space::Shared, copy.destination, bytes, bytes,
                      Access::Write))
      return;
    if (copy.sourceBytes &&
        !accessGlobal(w, lane, copy.source, copy.sourceBytes, bytes))
      return;
    mark(w.cta->willBeWritten, copy.destination, bytes, 1);
    w.cta->hasInFlight = true;
    w.copies[lane].open.push_back(copy);
  }
}

void commitGroup(Warp &w, const Inst &) {
  forLanes(w.mask, [&](unsigned l) {
    w.copies[l].committed.push_back(std::move(w.copies[l].open));
    w.copies[l].open.clear();
  });
}

/// `flags`: whether to wait for all; `imm`: groups that may be left.
void waitGroup(Warp &w, const Inst &i) {
  forLanes(w.mask, [&](unsigned l) {
    completeGroups(w, l,
                   i.flags ? std::nullopt
                           : std::optional<uint64_t>(uint64_t(i.imm)));
  });
}

/// The arrival happens when the copies of the thread are done: here they are.
/// `flags`: the address is generic; `target`: the arrival counts.
void arriveCopies(Warp &w, const Inst &i) {
  Lanes addresses;
  gather(w, i, 0, addresses);
  for (uint32_t mask = w.mask; mask; mask &= mask - 1) {
    unsigned lane = llvm::countr_zero(mask);
    std::optional<uint32_t> address =
        toShared(w, lane, i.flags, addresses[lane] + uint64_t(i.imm));
    if (!address)
      return;
    completeGroups(w, lane, std::nullopt);
    // Without .noinc the arrival that it makes is one more than expected.
    if (!arriveAtMbarrier(w, lane, *address, i.target, 0))
      return;
  }
}

bool decodeCopyAsync(Decoder &d) {
  if (d.take("commit_group"))
    return d.set(commitGroup);
  if (d.take("wait_all")) {
    d.inst.flags = 1;
    return d.set(waitGroup);
  }
  if (d.take("wait_group")) {
    uint64_t left = 0;
    if (!d.constant(left))
      return false;
    d.inst.imm = static_cast<int64_t>(left);
    return d.set(waitGroup);
  }
  if (d.take("mbarrier")) {
    if (!d.take("arrive"))
      return d.unknownModifier();
    d.inst.target = d.take("noinc");
    d.inst.flags = d.takeAny({"shared", "shared::cta"}).empty();
    std::optional<Space> variable;
    if (!d.take("b64"))
      return d.unknownModifier();
    if (!d.address(&variable))
      return false;
    if (variable == Space::Shared)
      d.inst.flags = 0;
    return d.set(arriveCopies);
  }
  bool isGlobalOnly = d.take("cg");
  if (!isGlobalOnly && !d.take("ca"))
    return d.unknownModifier();
  if (d.takeAny({"shared", "shared::cta"}).empty() || !d.take("global"))
    return d.unknownModifier();
  bool hasPolicy = d.take("L2::cache_hint");
  d.takeAny({"L2::64B", "L2::128B", "L2::256B"});
  uint64_t bytes = 0;
  if (!twoAddresses(d) || !d.constant(bytes))
    return false;
  if ((bytes != 4 && bytes != 8 && bytes != 16) ||
      (isGlobalOnly && bytes != 16))
    return d.error("a copy of " + llvm::Twine(bytes) + " bytes");
  d.inst.flags = static_cast<uint32_t>(bytes);
  bool hasSourceBytes = d.operandsLeft() == (hasPolicy ? 2u : 1u);
  if (hasSourceBytes ? !d.src(Type::U32) : !d.constantSlot(Type::U32, bytes))
    return false;
  return (!hasPolicy || d.src(Type::B64)) && d.set(copyAsync);
}

//===----------------------------------------------------------------------===//
// cp.async.bulk
//===----------------------------------------------------------------------===//

bool checkBulk(Warp &w, unsigned lane, uint32_t bytes) {
  if (bytes % kBulkUnit == 0)
    return true;
  w.fault(FaultKind::Misaligned, lane,
          "a bulk copy of " + llvm::Twine(bytes) +
              " bytes, which is not a multiple of 16");
  return false;
}

/// Slots: destination, source, bytes, mbarrier.
void bulkToShared(Warp &w, const Inst &i) {
  Ends ends(w, i);
  Lanes mbarriers;
  gather(w, i, 3, mbarriers);
  const uint32_t *bytes = w.slot<uint32_t>(i, 2);
  for (uint32_t mask = w.mask; mask; mask &= mask - 1) {
    unsigned lane = llvm::countr_zero(mask);
    std::optional<uint32_t> mbarrier = toShared(
        w, lane, false, mbarriers[lane] + uint64_t(int64_t(int32_t(i.flags))));
    if (!mbarrier || !checkBulk(w, lane, bytes[lane]))
      return;
    if (bytes[lane] == 0)
      continue;
    BulkCopy copy;
    copy.toShared = true;
    copy.destination = ends.destination[lane];
    copy.source = ends.source[lane];
    copy.bytes = bytes[lane];
    copy.mbarrier = *mbarrier;
    copy.thread = w.threadIndex(lane);
    if (!accessMemory(w, lane, Space::Shared, copy.destination, copy.bytes,
                      kBulkUnit, Access::Write) ||
        !accessGlobal(w, lane, copy.source, copy.bytes, kBulkUnit))
      return;
    mark(w.cta->willBeWritten, copy.destination, copy.bytes, 1);
    w.cta->hasInFlight = true;
    w.cta->bulkCopies.push_back(copy);
  }
}

/// Slots: destination, source, bytes.
void bulkToGlobal(Warp &w, const Inst &i) {
  Ends ends(w, i);
  const uint32_t *bytes = w.slot<uint32_t>(i, 2);
  for (uint32_t mask = w.mask; mask; mask &= mask - 1) {
    unsigned lane = llvm::countr_zero(mask);
    if (!checkBulk(w, lane, bytes[lane]))
      return;
    if (bytes[lane] == 0)
      continue;
    BulkCopy copy;
    copy.destination = ends.destination[lane];
    copy.source = ends.source[lane];
    copy.bytes = bytes[lane];
    copy.thread = w.threadIndex(lane);
    copy.group = w.cta->bulkGroups[copy.thread];
    if (!accessMemory(w, lane, Space::Shared, copy.source, copy.bytes,
                      kBulkUnit, Access::Read) ||
        !accessGlobal(w, lane, copy.destination, copy.bytes, kBulkUnit))
      return;
    mark(w.cta->stillRead, copy.source, copy.bytes, 1);
    w.cta->hasInFlight = true;
    w.cta->bulkCopies.push_back(copy);
  }
}

void commitBulk(Warp &w, const Inst &) {
  forLanes(w.mask, [&](unsigned l) { ++w.cta->bulkGroups[w.threadIndex(l)]; });
}

/// `imm`: groups that may be left.
void waitBulk(Warp &w, const Inst &i) {
  Cta &cta = *w.cta;
  std::vector<BulkCopy> rest;
  for (const BulkCopy &copy : cta.bulkCopies) {
    unsigned lane = copy.thread % kLanes;
    bool isMine = !copy.toShared && copy.thread / kLanes == w.index &&
                  (w.mask >> lane & 1);
    if (!isMine ||
        copy.group + uint64_t(i.imm) >= cta.bulkGroups[copy.thread]) {
      rest.push_back(copy);
      continue;
    }
    mark(cta.stillRead, copy.source, copy.bytes, -1);
    std::memcpy(reinterpret_cast<void *>(copy.destination),
                cta.shared.data() + copy.source, copy.bytes);
  }
  cta.bulkCopies = std::move(rest);
}

void doNothing(Warp &, const Inst &) {}

bool decodeBulk(Decoder &d) {
  if (d.take("commit_group"))
    return d.set(commitBulk);
  if (d.take("wait_group")) {
    d.take("read");
    uint64_t left = 0;
    if (!d.constant(left))
      return false;
    d.inst.imm = static_cast<int64_t>(std::min<uint64_t>(left, 1u << 20));
    return d.set(waitBulk);
  }
  if (d.take("prefetch")) {
    if (!d.take("L2") || !d.take("global"))
      return d.unknownModifier();
    return d.address() && d.src(Type::U32) && d.set(doNothing);
  }
  if (d.peek() == "tensor")
    return d.error("tensor maps are not simulated");
  if (!d.takeAny({"shared::cluster", "shared::cta"}).empty()) {
    if (!d.take("global") || !d.take("mbarrier::complete_tx::bytes"))
      return d.unknownModifier();
    bool hasPolicy = d.take("L2::cache_hint");
    if (!twoAddresses(d) || !d.src(Type::U32))
      return false;
    int64_t offset = d.inst.imm;
    if (!d.address())
      return false;
    d.inst.flags = static_cast<uint32_t>(d.inst.imm);
    d.inst.imm = offset;
    return (!hasPolicy || d.src(Type::B64)) && d.set(bulkToShared);
  }
  if (!d.take("global") || !d.take("shared::cta") || !d.take("bulk_group"))
    return d.unknownModifier();
  bool hasPolicy = d.take("L2::cache_hint");
  return twoAddresses(d) && d.src(Type::U32) &&
         (!hasPolicy || d.src(Type::B64)) && d.set(bulkToGlobal);
}

bool decodeCopy(Decoder &d) {
  if (!d.take("async"))
    return d.unknownModifier();
  return d.take("bulk") ? decodeBulk(d) : decodeCopyAsync(d);
}

} // namespace

void lowp::sim::registerCopy(Registry &registry) {
  registry["cp"] = decodeCopy;
}
