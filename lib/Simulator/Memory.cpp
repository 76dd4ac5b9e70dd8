//===- Memory.cpp - Loads and stores --------------------------------------===//
//
// Part of the Lowp project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Decoder.h"
#include "Lanes.h"

using namespace lowp::sim;

namespace {

struct Bytes16 {
  uint64_t low, high;
};

template <unsigned bytes>
struct UnsignedOf;
template <>
struct UnsignedOf<1> {
  using type = uint8_t;
};
template <>
struct UnsignedOf<2> {
  using type = uint16_t;
};
template <>
struct UnsignedOf<4> {
  using type = uint32_t;
};
template <>
struct UnsignedOf<8> {
  using type = uint64_t;
};
template <>
struct UnsignedOf<16> {
  using type = Bytes16;
};

/// `Inst::flags`: the space in the low 4 bits, the number of elements in the
/// next 4, then whether they are signed.
constexpr uint32_t kSpaceMask = 15;
constexpr uint32_t kCountShift = 4;
constexpr uint32_t kSigned = 1 << 8;

uint8_t *resolve(Warp &w, unsigned lane, Space space, uint64_t address,
                 unsigned bytes, Access kind) {
  bool isGlobal = space == Space::Global || space == Space::Const;
  if ((isGlobal || space == Space::Generic) && address >= w.cachedBegin &&
      address < w.cachedEnd && w.cachedEnd - address >= bytes &&
      (address & (bytes - 1)) == 0)
    return reinterpret_cast<uint8_t *>(address);
  return accessMemory(w, lane, space, address, bytes, bytes, kind);
}

template <typename Element, typename Reg>
Reg extend(Element value, bool isSigned) {
  if constexpr (std::is_same<Element, Bytes16>::value) {
    (void)isSigned;
    return value;
  } else if constexpr (std::is_same<Reg, Bytes16>::value) {
    return {uint64_t(value), 0};
  } else {
    if (isSigned)
      return Reg(std::make_signed_t<Element>(value));
    return Reg(value);
  }
}

template <unsigned elementBytes, unsigned registerBytes>
void load(Warp &w, const Inst &i) {
  using Element = typename UnsignedOf<elementBytes>::type;
  using Reg = typename UnsignedOf<registerBytes>::type;
  unsigned count = i.flags >> kCountShift & 15;
  auto space = static_cast<Space>(i.flags & kSpaceMask);
  bool isSigned = i.flags & kSigned;
  Lanes addresses;
  gather(w, i, count, addresses);
  for (uint32_t mask = w.mask; mask; mask &= mask - 1) {
    unsigned lane = llvm::countr_zero(mask);
    const uint8_t *p =
        resolve(w, lane, space, addresses[lane] + uint64_t(i.imm),
                elementBytes * count, Access::Read);
    if (!p)
      return;
    for (unsigned k = 0; k < count; ++k) {
      Element value;
      std::memcpy(&value, p + k * elementBytes, elementBytes);
      w.slot<Reg>(i, k)[lane] = extend<Element, Reg>(value, isSigned);
    }
  }
}

/// Slots: address, values.
template <unsigned elementBytes, unsigned registerBytes>
void store(Warp &w, const Inst &i) {
  using Reg = typename UnsignedOf<registerBytes>::type;
  unsigned count = i.flags >> kCountShift & 15;
  auto space = static_cast<Space>(i.flags & kSpaceMask);
  Lanes addresses;
  gather(w, i, 0, addresses);
  for (uint32_t mask = w.mask; mask; mask &= mask - 1) {
    unsigned lane = llvm::countr_zero(mask);
    uint8_t *p = resolve(w, lane, space, addresses[lane] + uint64_t(i.imm),
                         elementBytes * count, Access::Write);
    if (!p)
      return;
    // Little-endian: the low bytes of a register come first.
    for (unsigned k = 0; k < count; ++k)
      std::memcpy(p + k * elementBytes, &w.slot<Reg>(i, k + 1)[lane],
                  elementBytes);
  }
}

template <unsigned elementBytes>
Handler pickLoad(unsigned registerBytes) {
  if (registerBytes < elementBytes)
    return nullptr;
  switch (registerBytes) {
  case 1:
    if constexpr (elementBytes <= 1)
      return load<elementBytes, 1>;
    break;
  case 2:
    if constexpr (elementBytes <= 2)
      return load<elementBytes, 2>;
    break;
  case 4:
    if constexpr (elementBytes <= 4)
      return load<elementBytes, 4>;
    break;
  case 8:
    if constexpr (elementBytes <= 8)
      return load<elementBytes, 8>;
    break;
  case 16:
    return load<elementBytes, 16>;
  }
  return nullptr;
}

template <unsigned elementBytes>
Handler pickStore(unsigned registerBytes) {
  switch (registerBytes) {
  case 1:
    if constexpr (elementBytes <= 1)
      return store<elementBytes, 1>;
    break;
  case 2:
    if constexpr (elementBytes <= 2)
      return store<elementBytes, 2>;
    break;
  case 4:
    if constexpr (elementBytes <= 4)
      return store<elementBytes, 4>;
    break;
  case 8:
    if constexpr (elementBytes <= 8)
      return store<elementBytes, 8>;
    break;
  case 16:
    return store<elementBytes, 16>;
  }
  return nullptr;
}

Handler pickHandler(bool isLoad, unsigned elementBytes,
                    unsigned registerBytes) {
  switch (elementBytes) {
  case 1:
    return isLoad ? pickLoad<1>(registerBytes) : pickStore<1>(registerBytes);
  case 2:
    return isLoad ? pickLoad<2>(registerBytes) : pickStore<2>(registerBytes);
  case 4:
    return isLoad ? pickLoad<4>(registerBytes) : pickStore<4>(registerBytes);
  case 8:
    return isLoad ? pickLoad<8>(registerBytes) : pickStore<8>(registerBytes);
  default:
    return isLoad ? pickLoad<16>(registerBytes) : pickStore<16>(registerBytes);
  }
}

/// Memory is coherent and in order here: cache operators, eviction priorities
/// and memory orders change nothing.
void skipOrders(Decoder &d) {
  d.skipAny({"weak", "relaxed", "acquire", "release", "volatile", "mmio", "cta",
             "cluster", "gpu", "sys"});
}

/// Whether a cache policy follows the operands.
bool takeCacheHints(Decoder &d) {
  bool hasPolicy = false;
  while (true) {
    d.skipAny({"ca", "cg", "cs", "lu", "cv", "wb", "wt", "nc",
               "L1::evict_normal", "L1::evict_unchanged", "L1::evict_first",
               "L1::evict_last", "L1::no_allocate", "L2::evict_normal",
               "L2::evict_first", "L2::evict_last", "L2::64B", "L2::128B",
               "L2::256B"});
    if (!d.take("L2::cache_hint"))
      return hasPolicy;
    hasPolicy = true;
  }
}

template <bool isLoad>
bool decodeAccess(Decoder &d) {
  skipOrders(d);
  Space space = d.takeSpace().value_or(Space::Generic);
  skipOrders(d);
  bool hasPolicy = takeCacheHints(d);
  unsigned count = 1;
  if (d.take("v2"))
    count = 2;
  else if (d.take("v4"))
    count = 4;
  else if (d.take("v8"))
    count = 8;
  Type type;
  if (!d.takeType(type,
                  {Type::B8, Type::B16, Type::B32, Type::B64, Type::B128,
                   Type::U8, Type::U16, Type::U32, Type::U64, Type::S8,
                   Type::S16, Type::S32, Type::S64, Type::F32, Type::F64}))
    return false;
  unsigned bytes = getBytes(type);
  unsigned total = bytes * count;
  bool isGlobal = space == Space::Global || space == Space::Generic;
  if (total > 32 || (total == 32 && (!isGlobal || bytes < 4)) ||
      (bytes == 16 && count > 1))
    return d.error("an access of " + llvm::Twine(total) + " bytes");
  if (!isLoad && (space == Space::Param || space == Space::Const))
    return d.error("kernels do not write this space");

  // `[variable]` is an address in the space of the instruction; in none it
  // needs a cvta.
  std::optional<Space> variableSpace;
  bool good = isLoad ? d.dstVector(type, count, /*wide=*/true) &&
                           d.address(&variableSpace)
                     : d.address(&variableSpace) &&
                           d.srcVector(type, count, /*wide=*/true);
  if (!good || (hasPolicy && !d.src(Type::B64)))
    return false;
  if (variableSpace && space != Space::Generic && *variableSpace != space)
    return d.error("the variable is in another space");
  if (variableSpace && space == Space::Generic &&
      *variableSpace != Space::Global && *variableSpace != Space::Const)
    space = *variableSpace;
  d.inst.flags = static_cast<uint32_t>(space) | count << kCountShift |
                 (isSigned(type) ? kSigned : 0);

  // Sinks are as wide as any register.
  unsigned first = isLoad ? 0 : 1, width = bytes;
  for (unsigned k = 0; k < count; ++k)
    width = std::max<unsigned>(width, d.inst.widths[first + k]);
  for (unsigned k = 0; k < count; ++k)
    if (d.inst.widths[first + k] != width && !d.isSink(first + k))
      return d.error("registers of different widths");
  return d.set(pickHandler(isLoad, bytes, width));
}

void doNothing(Warp &, const Inst &) {}

/// prefetch, prefetchu, discard, applypriority: hints.
bool decodePrefetch(Decoder &d) {
  d.takeSpace();
  if (d.takeAny({"L1", "L2", "L2::evict_last", "L2::evict_normal", "tensormap"})
          .empty())
    return d.unknownModifier();
  return d.address() && d.set(doNothing);
}

/// createpolicy: what it makes changes nothing.
void makePolicy(Warp &w, const Inst &i) {
  uint64_t *d = w.slot<uint64_t>(i, 0);
  forLanes(w.mask, [=](unsigned l) { d[l] = 0; });
}

bool decodePolicy(Decoder &d) {
  if (!d.take("fractional"))
    return d.unknownModifier();
  d.skipAny({"L2::evict_last", "L2::evict_normal", "L2::evict_first",
             "L2::evict_unchanged"});
  if (!d.take("b64"))
    return d.unknownModifier();
  if (!d.dst(Type::B64))
    return false;
  if (d.operandsLeft() && !d.src(Type::F32))
    return false;
  return d.set(makePolicy);
}

} // namespace

void lowp::sim::registerMemory(Registry &registry) {
  registry["ld"] = decodeAccess<true>;
  registry["st"] = decodeAccess<false>;
  registry["prefetch"] = decodePrefetch;
  registry["prefetchu"] = decodePrefetch;
  registry["createpolicy"] = decodePolicy;
}
