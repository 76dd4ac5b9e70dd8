//===- PhiloxTest.cpp - Random bits by logical index ----------------------===//
//
// Part of the Lowp project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "lowp/Numerics/Philox.h"
#include "Tensor.h"
#include <set>

using namespace lowp::numerics;

namespace {

TEST(Philox, KnownAnswers) {
  // From the authors' distribution, kat_vectors.
  EXPECT_EQ(
      philox4x32({0, 0, 0, 0}, {0, 0}),
      (PhiloxCounter{0x6627E8D5u, 0xE169C58Du, 0xBC57AC4Cu, 0x9B00DBD8u}));
  EXPECT_EQ(
      philox4x32({~0u, ~0u, ~0u, ~0u}, {~0u, ~0u}),
      (PhiloxCounter{0x408F276Du, 0x41C83B0Eu, 0xA20BC7C6u, 0x6D5451FDu}));
  EXPECT_EQ(
      philox4x32({0x243F6A88u, 0x85A308D3u, 0x13198A2Eu, 0x03707344u},
                 {0xA4093822u, 0x299F31D0u}),
      (PhiloxCounter{0xD16CFE09u, 0x94FDCCEBu, 0x5001E420u, 0x24126EA1u}));
}

TEST(Philox, WordsAreSharedAsHardwareTakesThem) {
  RandomKey key;
  key.seed = 0x0123456789ABCDEFu;
  key.stream = 3;
  key.step = 4;
  int64_t group = (int64_t(1) << 33) + 5;
  PhiloxCounter words = philox4x32({5, 2, 3, 4}, {0x89ABCDEFu, 0x01234567u});
  for (unsigned j = 0; j < 4; ++j) {
    // 8 bits: v3 [31:24], v2 [15:8], v1 [23:16], v0 [7:0].
    const unsigned shift8[] = {0, 16, 8, 24};
    // 16 bits: v3 and v2 [31:16], v1 and v0 [15:0].
    const unsigned shift16[] = {0, 0, 16, 16};
    for (unsigned v = 0; v < 4; ++v) {
      EXPECT_EQ(randomBits(key, group, 4 * j + v, 8),
                (words[j] >> shift8[v]) & 0xFFu);
      EXPECT_EQ(randomBits(key, group, 4 * j + v, 16),
                (words[j] >> shift16[v]) & 0xFFFFu);
    }
  }
}

TEST(Philox, IndependentBitsDoNotOverlap) {
  RandomKey key;
  key.seed = 9;
  key.sharing = RandomSharing::Independent;
  PhiloxCounter words = philox4x32({7, 0, 0x80000000u, 0}, {9, 0});
  for (unsigned lane = 0; lane < 8; ++lane)
    EXPECT_EQ(randomBits(key, 7, lane, 16),
              (words[lane / 2] >> (lane % 2 ? 16 : 0)) & 0xFFFFu);
}

TEST(Philox, GroupsOfRaggedRows) {
  RandomKey key;
  EXPECT_EQ(randomGroup(key, 0, 0, 40), 0);
  EXPECT_EQ(randomGroup(key, 0, 39, 40), 2);
  EXPECT_EQ(randomGroup(key, 1, 0, 40), 3);
  EXPECT_EQ(randomGroup(key, 5, 17, 48), 16);
  key.sharing = RandomSharing::Independent;
  EXPECT_EQ(randomGroup(key, 1, 9, 40), 6);
}

TEST(Philox, GroupsOfOffsetsNeverMeet) {
  // K = 40 in groups that start at 0, 3, 3 and 20: no two elements of
  // different groups or 16-element runs share a counter.
  RandomKey key;
  const int64_t starts[] = {0, 3, 3, 20, 40};
  std::set<int64_t> seen;
  for (int64_t row = 0; row < 3; ++row)
    for (int64_t e = 0; e < 4; ++e) {
      int64_t last = -1;
      for (int64_t k = starts[e]; k < starts[e + 1]; ++k) {
        int64_t group = randomGroup(key, row, k, 40, e, 4, starts[e]);
        if ((k - starts[e]) % 16 == 0) {
          EXPECT_TRUE(seen.insert(group).second) << row << " " << e << " " << k;
          last = group;
        }
        EXPECT_EQ(group, last);
      }
    }
}

} // namespace
