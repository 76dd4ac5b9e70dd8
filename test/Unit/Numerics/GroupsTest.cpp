//===- GroupsTest.cpp - Values that are grouped by offsets ----------------===//
//
// Part of the Lowp project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "lowp/Numerics/Groups.h"
#include "Tensor.h"

using namespace lowp::numerics;
using namespace lowp::numerics::testing;

namespace {

/// Buffers of a grouped value.
struct Grouped : Blocked {
  Grouping grouping;

  Grouped(const BlockFormat &format, Blocking blocking, Dims shape,
          Grouping grouping)
      : Blocked(format, std::move(blocking), std::move(shape)),
        grouping(std::move(grouping)) {
    size_t count = numElements(
        scaleShape(format, this->shape, this->blocking.block, this->grouping));
    if (format.scale->kind == ScaleKind::Float32)
      scalesF32.assign(count, -1.0f);
    else
      scales.assign(count, 0xA5);
    if (format.outer)
      outer.assign(numElements(outerShape(this->shape, this->blocking.outerAxes,
                                          this->grouping)),
                   -1.0f);
  }

  void quantize(const QuantRule &rule, const std::vector<float> &values,
                QuantizeInputs inputs = {}) {
    Status status = lowp::numerics::quantize(
        format, rule, blocking, grouping, view(values, shape), data(), inputs);
    EXPECT_TRUE(status.ok()) << status.message();
  }

  std::vector<float> dequantize() {
    std::vector<float> values(numElements(shape));
    Status status = lowp::numerics::dequantize(
        format, blocking, grouping, data(),
        denseView(static_cast<void *>(values.data()), FloatType::F32, shape));
    EXPECT_TRUE(status.ok()) << status.message();
    return values;
  }
};

const Dims kOffsets[] = {
    {0, 17, 17, 57}, // rows of the experts of a batch, one without any
    {0, 16, 32, 64}, {0, 0, 0, 0}, {0, 40}, {0}, {0, 1, 2, 3}, {0, 128, 300}};

/// Rows of a matrix in groups: the rows of one group.
std::vector<float> rowsOf(const std::vector<float> &values, int64_t columns,
                          int64_t first, int64_t end) {
  return {values.begin() + first * columns, values.begin() + end * columns};
}

struct Case {
  BlockFormat format;
  Blocking blocking;
};

/// Codes, scales and outer scales of a group are those of the group alone; rows
/// of scales where the layout says, zeros elsewhere, and those never read.
TEST(Groups, EachIsWhatItIsAlone) {
  const int64_t columns = 40;
  const Case cases[] = {
      {mxfp8(), {{32, 1}, {}}},       {nvfp4(), {{16, 1}, {}}},
      {nvfp4(), {{1, 16}, {}}},       {nvfp4(), {{1, 16}, {0}}},
      {nvfp4(), {{16, 16}, {}}},      {nvfp4(), {{16, 1}, {1}}},
      {fp8Block(), {{128, 128}, {}}}, {mxfp4(), {{1, 32}, {}}}};
  for (const Case &c : cases)
    for (const Dims &offsets : kOffsets) {
      int64_t rows = offsets.back();
      std::vector<float> values = normalTensor(7, rows * columns);
      Grouped all(c.format, c.blocking, {rows, columns}, {0, offsets});
      all.quantize({}, values);
      std::vector<float> decoded = all.dequantize();
      bool float32 = c.format.scale->kind == ScaleKind::Float32;
      int64_t perRow =
          scaleShape(c.format, all.shape, c.blocking.block, all.grouping)[1];
      bool repeated = c.blocking.block == Dims{16, 16};
      int64_t unit = repeated ? 1 : c.blocking.block[0];
      std::vector<bool> used(all.scales.size() + all.scalesF32.size());
      for (size_t e = 0; e + 1 < offsets.size(); ++e) {
        int64_t first = offsets[e], end = offsets[e + 1];
        Blocked alone(c.format, c.blocking, {end - first, columns});
        std::vector<float> own = rowsOf(values, columns, first, end);
        ASSERT_TRUE(alone.quantize({}, view(own, alone.shape)).ok());
        for (size_t i = 0; i < alone.codes.size(); ++i)
          ASSERT_EQ(all.codes[first * columns + i], alone.codes[i]);
        int64_t row = unit == 1 ? first : first / unit + e;
        for (size_t i = 0; i < alone.scales.size() + alone.scalesF32.size();
             ++i) {
          size_t at = row * perRow + i;
          ASSERT_FALSE(used[at]);
          used[at] = true;
          if (float32)
            ASSERT_EQ(all.scalesF32[at], alone.scalesF32[i]);
          else
            ASSERT_EQ(all.scales[at], alone.scales[i]);
        }
        int64_t outerRow = c.blocking.outerAxes == std::vector<unsigned>{0}
                               ? first
                               : static_cast<int64_t>(e * alone.outer.size());
        for (size_t i = 0; i < alone.outer.size(); ++i)
          ASSERT_EQ(all.outer[outerRow + i], alone.outer[i]);
        EXPECT_EQ(bitsOf(rowsOf(decoded, columns, first, end)),
                  bitsOf(alone.dequantize()));
      }
      for (size_t i = 0; i < used.size(); ++i) {
        if (used[i])
          continue;
        if (float32) {
          EXPECT_EQ(toBits(all.scalesF32[i]), 0u);
          all.scalesF32[i] = fromBits(0x7FC00000u);
        } else {
          EXPECT_EQ(all.scales[i], 0);
          all.scales[i] = 0xFF;
        }
      }
      EXPECT_EQ(bitsOf(all.dequantize()), bitsOf(decoded));
    }
}

/// 17, 0 and 40 rows of one column under blocks of 32: floor(57/32) + 3 = 4
/// scales. Group 0 has entry 0; group 1 none (its entry would be 1); group 2,
/// from row 17, has entries floor(17/32) + 2 = 2 and 3.
TEST(Groups, EntriesOfScales) {
  std::vector<float> values(57, 0.0f);
  values[3] = 448.0f;           // scale 2^0
  values[17] = 448.0f * 4;      // scale 2^2, group 2, block 0
  values[17 + 32] = 448.0f * 8; // scale 2^3, group 2, block 1
  Grouped all(mxfp8(), {{32, 1}, {}}, {57, 1}, {0, {0, 17, 17, 57}});
  all.quantize({}, values);
  EXPECT_EQ(all.scales, (std::vector<uint8_t>{127, 0, 129, 130}));
}

/// Requantised by groups, with the groups along the permuted dim.
TEST(Groups, Requantize) {
  const int64_t columns = 24;
  for (const Dims &offsets : kOffsets) {
    int64_t rows = offsets.back();
    std::vector<float> values = normalTensor(9, rows * columns);
    Grouped source(nvfp4(), {{1, 16}, {0}}, {rows, columns}, {0, offsets});
    source.quantize({}, values);
    Grouped result(mxfp8(), {{1, 32}, {}}, {columns, rows}, {1, offsets});
    ASSERT_TRUE(requantize(nvfp4(), source.blocking, source.grouping,
                           source.shape, source.data(), RequantOuter::Fold,
                           {1, 0}, mxfp8(), {}, result.blocking, result.data())
                    .ok());
    int64_t perRow = rows / 32 + static_cast<int64_t>(offsets.size()) - 1;
    for (size_t e = 0; e + 1 < offsets.size(); ++e) {
      int64_t first = offsets[e], size = offsets[e + 1] - first;
      Blocked alone(nvfp4(), {{1, 16}, {0}}, {size, columns});
      std::vector<float> own = rowsOf(values, columns, first, first + size);
      ASSERT_TRUE(alone.quantize({}, view(own, alone.shape)).ok());
      Blocked turned(mxfp8(), {{1, 32}, {}}, {columns, size});
      ASSERT_TRUE(requantize(nvfp4(), alone.blocking, alone.shape, alone.data(),
                             RequantOuter::Fold, {1, 0}, mxfp8(), {},
                             turned.blocking, turned.data())
                      .ok());
      int64_t blocks = (size + 31) / 32;
      for (int64_t row = 0; row < columns; ++row) {
        for (int64_t i = 0; i < size; ++i)
          ASSERT_EQ(result.codes[row * rows + first + i],
                    turned.codes[row * size + i]);
        for (int64_t i = 0; i < blocks; ++i)
          ASSERT_EQ(result.scales[row * perRow + first / 32 + e + i],
                    turned.scales[row * blocks + i]);
      }
    }
  }
}

/// One image per group: rows of group e begin at row tile floor(o/128) + e.
TEST(Groups, Images) {
  const Dims shape{300, 96}, block{1, 32};
  const Grouping grouping{0, {0, 130, 130, 300}};
  // floor(300/128) + 3 tiles of rows, one of columns.
  ASSERT_EQ(tcgen05Size(mxfp8(), shape, block, grouping), 5 * 512);
  std::vector<uint8_t> linear(300 * 3), image(5 * 512, 0xA5);
  for (size_t i = 0; i < linear.size(); ++i)
    linear[i] = static_cast<uint8_t>(1 + i % 250);
  toTcgen05(mxfp8(), shape, block, grouping, linear.data(), image.data());
  // Group 0 has tiles 0 and 1, group 2 (from row 130) floor(130/128) + 2 = 3
  // and 4; tile 2 is nobody's.
  EXPECT_EQ(image[tcgen05Offset(129, 2, 3)], linear[129 * 3 + 2]);
  EXPECT_EQ(image[3 * 512], linear[130 * 3]);
  EXPECT_EQ(image[3 * 512 + tcgen05Offset(169, 1, 3)], linear[299 * 3 + 1]);
  for (int64_t i = 2 * 512; i < 3 * 512; ++i)
    EXPECT_EQ(image[i], 0);
  std::vector<bool> used(image.size());
  for (int64_t row = 0; row < 300; ++row)
    for (int64_t column = 0; column < 3; ++column)
      used[row < 130 ? tcgen05Offset(row, column, 3)
                     : 3 * 512 + tcgen05Offset(row - 130, column, 3)] = true;
  for (size_t i = 0; i < image.size(); ++i)
    if (!used[i])
      image[i] = 0xFF;
  std::vector<uint8_t> back(linear.size(), 0xA5);
  fromTcgen05(mxfp8(), shape, block, grouping, image.data(), back.data());
  EXPECT_EQ(back, linear);

  // Along columns: 4 scales of 32 columns a tile, T = 1 tile of rows.
  const Dims wide{5, 300};
  const Grouping columns{1, {0, 130, 130, 300}};
  ASSERT_EQ(tcgen05Size(mxfp8(), wide, block, columns), (2 + 3) * 512);
  // 300/32 + 3 = 12 scales a row: group 0 has 0..4, group 2 4 + 2 = 6..11.
  std::vector<uint8_t> scales(5 * 12);
  for (size_t i = 0; i < scales.size(); ++i)
    scales[i] = static_cast<uint8_t>(1 + i);
  std::vector<uint8_t> images(5 * 512, 0xA5);
  toTcgen05(mxfp8(), wide, block, columns, scales.data(), images.data());
  EXPECT_EQ(images[tcgen05Offset(4, 4, 5)], scales[4 * 12 + 4]);
  EXPECT_EQ(images[3 * 512 + tcgen05Offset(2, 5, 6)], scales[2 * 12 + 11]);
}

/// g = row * (floor(K/16) + E) + floor(o_e/16) + e + floor((k - o_e)/16) where
/// K is grouped; the global row where rows are.
TEST(Groups, RandomBits) {
  QuantRule rule;
  rule.round = RoundingMode::Stochastic;
  QuantizeInputs inputs;
  inputs.key.seed = 0x123456789ABCDEF0u;
  inputs.key.stream = 5;
  inputs.key.step = 9;
  const Dims offsets{0, 17, 17, 57};
  std::vector<float> values = normalTensor(11, 3 * 57);
  for (bool alongRows : {false, true}) {
    Dims shape = alongRows ? Dims{57, 3} : Dims{3, 57};
    Grouped all(mxfp8(), {{1, 32}, {}}, shape, {alongRows ? 0u : 1u, offsets});
    all.quantize(rule, values, inputs);
    std::vector<uint32_t> bits(values.size());
    int64_t columns = shape[1];
    for (int64_t row = 0; row < shape[0]; ++row)
      for (int64_t k = 0; k < columns; ++k) {
        int64_t e = k < 17 ? 0 : 2, start = k < 17 ? 0 : 17;
        int64_t g =
            alongRows ? row
                      : row * (57 / 16 + 3) + start / 16 + e + (k - start) / 16;
        bits[row * columns + k] =
            randomBits(inputs.key, g, (alongRows ? k : k - start) % 16, 16);
      }
    Grouped given(mxfp8(), {{1, 32}, {}}, shape, all.grouping);
    QuantizeInputs words;
    words.randomBits = bits.data();
    given.quantize(rule, values, words);
    EXPECT_EQ(all.codes, given.codes);
    EXPECT_EQ(all.scales, given.scales);
  }
}

TEST(Groups, Refused) {
  std::vector<float> values(40);
  for (const Dims &offsets :
       {Dims{}, Dims{0}, Dims{1, 40}, Dims{0, 41}, Dims{0, 30, 20, 40},
        Dims{0, -1, 40}, Dims{0, 39}}) {
    Blocked result(mxfp8(), {{32, 1}, {}}, {64, 40});
    Status status = quantize(mxfp8(), {}, result.blocking, {0, offsets},
                             view(values, {40, 1}), result.data());
    EXPECT_EQ(status.message(), "expects offsets from 0 to the size of the "
                                "grouped dim that do not descend");
  }
  Blocked result(mxfp8(), {{32, 1}, {}}, {64, 40});
  EXPECT_EQ(quantize(mxfp8(), {}, result.blocking, {2, {0, 40}},
                     view(values, {40, 1}), result.data())
                .message(),
            "expects groups along a dim below the rank 2, but got 2");
}

} // namespace
