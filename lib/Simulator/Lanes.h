//===- Lanes.h - Registers of any width -------------------------*- C++ -*-===//
//
// Part of the Lowp project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef LOWP_LIB_SIMULATOR_LANES_H
#define LOWP_LIB_SIMULATOR_LANES_H

#include "Machine.h"

namespace lowp::sim {

/// A value in each lane; only those of active lanes mean anything.
using Lanes = uint64_t[kLanes];

/// Reads a slot, zero-extended from the width of its register.
inline void gather(Warp &w, const Inst &i, unsigned slot, Lanes &out) {
  switch (i.widths[slot]) {
  case 1: {
    const uint8_t *p = w.slot<uint8_t>(i, slot);
    for (unsigned l = 0; l < kLanes; ++l)
      out[l] = p[l];
    return;
  }
  case 2: {
    const uint16_t *p = w.slot<uint16_t>(i, slot);
    for (unsigned l = 0; l < kLanes; ++l)
      out[l] = p[l];
    return;
  }
  case 4: {
    const uint32_t *p = w.slot<uint32_t>(i, slot);
    for (unsigned l = 0; l < kLanes; ++l)
      out[l] = p[l];
    return;
  }
  default: {
    const uint64_t *p = w.slot<uint64_t>(i, slot);
    for (unsigned l = 0; l < kLanes; ++l)
      out[l] = p[l];
    return;
  }
  }
}

/// Writes the active lanes of a slot, cut to the width of its register.
inline void scatter(Warp &w, const Inst &i, unsigned slot, const Lanes &in) {
  switch (i.widths[slot]) {
  case 1: {
    uint8_t *p = w.slot<uint8_t>(i, slot);
    forLanes(w.mask, [&](unsigned l) { p[l] = static_cast<uint8_t>(in[l]); });
    return;
  }
  case 2: {
    uint16_t *p = w.slot<uint16_t>(i, slot);
    forLanes(w.mask, [&](unsigned l) { p[l] = static_cast<uint16_t>(in[l]); });
    return;
  }
  case 4: {
    uint32_t *p = w.slot<uint32_t>(i, slot);
    forLanes(w.mask, [&](unsigned l) { p[l] = static_cast<uint32_t>(in[l]); });
    return;
  }
  default: {
    uint64_t *p = w.slot<uint64_t>(i, slot);
    forLanes(w.mask, [&](unsigned l) { p[l] = in[l]; });
    return;
  }
  }
}

inline int64_t signExtend(uint64_t value, unsigned bytes) {
  unsigned shift = 64 - 8 * bytes;
  return static_cast<int64_t>(value << shift) >> shift;
}

/// The low bytes of a register that is wider than its value.
inline uint64_t cut(uint64_t value, unsigned bytes) {
  return bytes >= 8 ? value : value & ((uint64_t(1) << (8 * bytes)) - 1);
}

} // namespace lowp::sim

#endif // LOWP_LIB_SIMULATOR_LANES_H
