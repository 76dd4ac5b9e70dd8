//===- Philox.h - Random bits by logical index ------------------*- C++ -*-===//
//
// Part of the Lowp project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// Counter-based random bits of stochastic rounding. They depend on a key and
/// on the logical position of an element, never on tiling, thread or target.
///
/// Source: Philox4x32, Salmon et al., "Parallel Random Numbers: As Easy as 1,
/// 2, 3", SC 2011. The split of a word among elements follows the operand
/// layout of the `cvt.rs` instructions (PTX ISA 8.7).
///
//===----------------------------------------------------------------------===//

#ifndef LOWP_NUMERICS_PHILOX_H
#define LOWP_NUMERICS_PHILOX_H

#include "lowp/Numerics/Formats.h"
#include <array>
#include <cstdint>

namespace lowp::numerics {

using PhiloxCounter = std::array<uint32_t, 4>;
using PhiloxKey = std::array<uint32_t, 2>;

/// Of one round: the factors of counter words 0 and 2, and what the two words
/// of the key grow by.
inline constexpr std::array<uint32_t, 2> kPhiloxFactors = {0xD2511F53u,
                                                           0xCD9E8D57u};
inline constexpr std::array<uint32_t, 2> kPhiloxKeySteps = {0x9E3779B9u,
                                                            0xBB67AE85u};

/// Four random words of a counter. 10 rounds are Philox4x32-10; 7 are the
/// fewest that pass the authors' tests.
PhiloxCounter philox4x32(PhiloxCounter counter, PhiloxKey key,
                         unsigned rounds = 10);

enum class RandomSharing : uint8_t {
  /// One word serves four elements, as the hardware conversions take it:
  /// elements of a pair may share bits.
  Hardware,
  /// Each element has 16 bits of its own (8- and 6-bit elements only).
  Independent
};

/// Names the random numbers of one rounding operation of one step.
struct RandomKey {
  uint64_t seed = 0;
  /// Below 2^31. Each stochastic operation of a program has its own.
  uint32_t stream = 0;
  /// Advanced by the caller per training step and microbatch.
  uint32_t step = 0;
  unsigned rounds = 10;
  RandomSharing sharing = RandomSharing::Hardware;
};

/// Keeps the counters of the two ways of sharing apart: set in the counter word
/// of the stream where elements have bits of their own.
inline constexpr uint32_t kIndependentStream = 0x80000000u;

/// Number of consecutive elements that one of the four words serves.
constexpr int64_t elementsPerRandomWord(RandomSharing sharing) {
  return sharing == RandomSharing::Hardware ? 4 : 2;
}

/// Where the random bits of an element lie: the low bits of `word >> shift`.
struct RandomBitsPlace {
  uint8_t word;
  uint8_t shift;
};

/// The place of `bits` bits (1 to 16) of element `lane` of a group. 8 bits of
/// shared words are a byte of the word, other numbers the low bits of a half.
RandomBitsPlace placeOfRandomBits(RandomSharing sharing, unsigned lane,
                                  unsigned bits);

/// Number of consecutive elements that one counter serves.
constexpr int64_t randomGroupSize(RandomSharing sharing) {
  return sharing == RandomSharing::Hardware ? 16 : 8;
}

/// Group of element k of row `row`, K elements a row:
/// row * ceil(K / size) + floor(k / size).
int64_t randomGroup(const RandomKey &key, int64_t row, int64_t k, int64_t K);

/// Group of element k where the K elements of a row fall into `groups` groups
/// and k lies in group `group`, which starts at `start`:
/// row * (floor(K/16) + groups) + floor(start/16) + group + floor((k-start)/16)
/// The element's place in its group is (k - start) modulo the size.
int64_t randomGroup(const RandomKey &key, int64_t row, int64_t k, int64_t K,
                    int64_t group, int64_t groups, int64_t start);

/// `bits` random bits (1 to 16) of element `lane` of a group.
uint32_t randomBits(const RandomKey &key, int64_t group, unsigned lane,
                    unsigned bits);

} // namespace lowp::numerics

#endif // LOWP_NUMERICS_PHILOX_H
