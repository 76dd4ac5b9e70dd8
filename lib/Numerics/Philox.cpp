//===- Philox.cpp - Random bits by logical index --------------------------===//
//
// Part of the Lowp project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "lowp/Numerics/Philox.h"

namespace lowp::numerics {

RandomBitsPlace placeOfRandomBits(RandomSharing sharing, unsigned lane,
                                  unsigned bits) {
  // By element within a word. The first two are the operand layout of the
  // hardware conversions.
  static constexpr uint8_t kShift8[] = {0, 16, 8, 24};
  static constexpr uint8_t kShift16[] = {0, 0, 16, 16};
  static constexpr uint8_t kShiftIndependent[] = {0, 16};
  if (sharing == RandomSharing::Independent)
    return {static_cast<uint8_t>(lane / 2), kShiftIndependent[lane % 2]};
  return {static_cast<uint8_t>(lane / 4),
          bits == 8 ? kShift8[lane % 4] : kShift16[lane % 4]};
}

PhiloxCounter philox4x32(PhiloxCounter counter, PhiloxKey key,
                         unsigned rounds) {
  for (unsigned round = 0; round < rounds; ++round) {
    uint64_t product0 = uint64_t(kPhiloxFactors[0]) * counter[0];
    uint64_t product1 = uint64_t(kPhiloxFactors[1]) * counter[2];
    counter = {static_cast<uint32_t>(product1 >> 32) ^ counter[1] ^ key[0],
               static_cast<uint32_t>(product1),
               static_cast<uint32_t>(product0 >> 32) ^ counter[3] ^ key[1],
               static_cast<uint32_t>(product0)};
    key[0] += kPhiloxKeySteps[0];
    key[1] += kPhiloxKeySteps[1];
  }
  return counter;
}

int64_t randomGroup(const RandomKey &key, int64_t row, int64_t k, int64_t K) {
  int64_t size = randomGroupSize(key.sharing);
  return row * ((K + size - 1) / size) + k / size;
}

int64_t randomGroup(const RandomKey &key, int64_t row, int64_t k, int64_t K,
                    int64_t group, int64_t groups, int64_t start) {
  int64_t size = randomGroupSize(key.sharing);
  return row * (K / size + groups) + start / size + group + (k - start) / size;
}

uint32_t randomBits(const RandomKey &key, int64_t group, unsigned lane,
                    unsigned bits) {
  bool independent = key.sharing == RandomSharing::Independent;
  uint64_t g = static_cast<uint64_t>(group);
  PhiloxCounter words = philox4x32(
      {static_cast<uint32_t>(g), static_cast<uint32_t>(g >> 32),
       independent ? key.stream | kIndependentStream : key.stream, key.step},
      {static_cast<uint32_t>(key.seed), static_cast<uint32_t>(key.seed >> 32)},
      key.rounds);
  RandomBitsPlace where = placeOfRandomBits(key.sharing, lane, bits);
  return (words[where.word] >> where.shift) & ((1u << bits) - 1);
}

} // namespace lowp::numerics
