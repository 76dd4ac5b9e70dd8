//===- LayoutTest.cpp - Components of a blocked value and their layouts ---===//
//
// Part of the Lowp project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "lowp/Numerics/Layout.h"
#include "Tensor.h"

using namespace lowp::numerics;
using namespace lowp::numerics::testing;

namespace {

TEST(Layout, ShapesOfComponents) {
  EXPECT_EQ(scaleShape(nvfp4(), {5, 40}, {1, 16}), (Dims{5, 3}));
  EXPECT_EQ(scaleShape(nvfp4(), {5, 40}, {2, 1}), (Dims{3, 40}));
  EXPECT_EQ(scaleShape(nvfp4(), {2, 3, 33}, {1, 1, 32}), (Dims{2, 3, 2}));
  // Tiles repeat one-byte scales along rows, but not FP32 ones.
  EXPECT_EQ(scaleShape(nvfp4(), {40, 40}, {16, 16}), (Dims{40, 3}));
  EXPECT_EQ(scaleShape(fp8Block(), {200, 300}, {128, 128}), (Dims{2, 3}));
  EXPECT_EQ(scaleShape(nvfp4(), {0, 40}, {1, 16}), (Dims{0, 3}));
  EXPECT_EQ(scaleShape(nvfp4(), {4, 0}, {1, 16}), (Dims{4, 0}));
  EXPECT_EQ(outerShape({2, 3, 4}, {0, 1}), (Dims{2, 3}));
  EXPECT_EQ(outerShape({2, 3, 4}, {1, 0}), (Dims{3, 2}));
  EXPECT_EQ(outerShape({2, 3, 4}, {}), Dims{});
  EXPECT_EQ(numElements(outerShape({2, 3, 4}, {})), 1);
  EXPECT_EQ(packedShape(kE2M1, {3, 5}), (Dims{3, 3}));
  EXPECT_EQ(packedShape(kE2M3, {3, 5}), (Dims{3, 5}));
}

TEST(Layout, BitsPerValue) {
  // 4.5 bits for NVFP4, 8.25 for MXFP8, before the outer scale.
  auto bits = [](const BlockFormat &format) {
    Dims shape{64, 512}, block{1, format.blockSize};
    int64_t codes = numElements(packedShape(*format.element, shape)) * 8;
    int64_t scales = numElements(scaleShape(format, shape, block)) *
                     format.scale->storageBytes * 8;
    return double(codes + scales) / double(numElements(shape));
  };
  EXPECT_EQ(bits(nvfp4()), 4.5);
  EXPECT_EQ(bits(mxfp8()), 8.25);
  EXPECT_EQ(bits(mxfp4()), 4.25);
  EXPECT_EQ(bits(fp8Block()), 8.25);
}

TEST(Layout, PackingPutsElementZeroLow) {
  const uint8_t codes[] = {2, 7, 15, 8, 1};
  uint8_t packed[3];
  packRow(codes, 5, packed);
  EXPECT_EQ(packed[0], 0x72);
  EXPECT_EQ(packed[1], 0x8F);
  // The padding nibble is zero.
  EXPECT_EQ(packed[2], 0x01);
  uint8_t back[5];
  unpackRow(packed, 5, back);
  EXPECT_TRUE(std::equal(codes, codes + 5, back));
}

TEST(Layout, PackingKeepsRowsApart) {
  std::vector<uint8_t> codes{1, 2, 3, 4, 5, 6}, packed(4);
  pack(kE2M1, {2, 3}, codes.data(), packed.data());
  EXPECT_EQ(packed, (std::vector<uint8_t>{0x21, 0x03, 0x54, 0x06}));
  std::vector<uint8_t> back(6);
  unpack(kE2M1, {2, 3}, packed.data(), back.data());
  EXPECT_EQ(back, codes);
}

TEST(Layout, Tcgen05Offsets) {
  EXPECT_EQ(tcgen05Offset(1, 0, 4), 16);
  EXPECT_EQ(tcgen05Offset(32, 0, 4), 4);
  EXPECT_EQ(tcgen05Offset(33, 0, 4), 20);
  EXPECT_EQ(tcgen05Offset(127, 0, 4), 508);
  EXPECT_EQ(tcgen05Offset(0, 4, 8), 512);
  EXPECT_EQ(tcgen05Offset(128, 0, 8), 1024);
}

TEST(Layout, Tcgen05Sizes) {
  EXPECT_EQ(tcgen05Size({64, 2}), 512);
  EXPECT_EQ(tcgen05Size({129, 5}), 4 * 512);
  EXPECT_EQ(tcgen05Size({3, 33, 2}), 3 * 512);
  EXPECT_EQ(tcgen05Size({7}), 2 * 512);
  // Rows without columns: padded rows of nothing.
  EXPECT_EQ(tcgen05Size({33, 0}), 0);
  EXPECT_EQ(tcgen05Size({0, 4}), 0);
}

TEST(Layout, Tcgen05IsABijectionOnEveryShape) {
  Random random(3);
  for (int64_t rows : {1, 2, 31, 32, 33, 127, 128, 129, 257})
    for (int64_t cols = 1; cols <= 9; ++cols) {
      Dims shape{2, rows, cols};
      std::vector<uint8_t> linear(numElements(shape));
      for (uint8_t &byte : linear)
        byte = static_cast<uint8_t>(random.bits() | 1);
      std::vector<uint8_t> image(tcgen05Size(shape), 0xFF);
      toTcgen05(shape, linear.data(), image.data());
      // As many bytes as there are scales are not zero: the padding is.
      EXPECT_EQ(std::count(image.begin(), image.end(), 0),
                static_cast<int64_t>(image.size() - linear.size()));
      // Whatever stands in the padding does not come back.
      for (uint8_t &byte : image)
        if (byte == 0)
          byte = 0xFF;
      std::vector<uint8_t> back(linear.size());
      fromTcgen05(shape, image.data(), back.data());
      EXPECT_EQ(back, linear) << rows << "x" << cols;
    }
}

TEST(Layout, PermutedBlockingKeepsTheOuterOrder) {
  Blocking blocking{{1, 1, 16}, {0, 1}};
  Blocking moved = permutedBlocking(blocking, {1, 2, 0});
  EXPECT_EQ(moved.block, (Dims{1, 16, 1}));
  EXPECT_EQ(moved.outerAxes, (std::vector<unsigned>{2, 0}));
}

TEST(Layout, TransposedValueDecodesToTheTranspose) {
  Random random(5);
  struct Case {
    const BlockFormat &format;
    Dims shape;
    Blocking blocking;
    std::vector<unsigned> permutation;
  };
  const Case cases[] = {{nvfp4(), {5, 37}, {{1, 16}, {0}}, {1, 0}},
                        {nvfp4(), {33, 20}, {{16, 16}, {}}, {1, 0}},
                        {nvfp4(), {2, 33, 20}, {{1, 16, 16}, {0}}, {0, 2, 1}},
                        {nvfp4(), {2, 33, 20}, {{1, 16, 16}, {0}}, {2, 0, 1}},
                        {mxfp8(), {3, 4, 40}, {{1, 1, 32}, {}}, {2, 0, 1}},
                        {fp8Block(), {130, 140}, {{128, 128}, {}}, {1, 0}}};
  for (const Case &c : cases) {
    std::vector<float> x(numElements(c.shape));
    for (float &value : x)
      value = static_cast<float>(random.normal());
    Blocked source(c.format, c.blocking, c.shape);
    ASSERT_TRUE(source.quantize(QuantRule(), view(x, c.shape)).ok());
    Dims newShape;
    for (unsigned dim : c.permutation)
      newShape.push_back(c.shape[dim]);
    Blocked result(c.format, permutedBlocking(c.blocking, c.permutation),
                   newShape);
    transposeElements(c.shape, 1, c.permutation, source.codes.data(),
                      result.codes.data());
    bool float32 = c.format.scale->kind == ScaleKind::Float32;
    transposeScales(c.format, c.shape, c.blocking.block, c.permutation,
                    float32 ? static_cast<const void *>(source.scalesF32.data())
                            : source.scales.data(),
                    float32 ? static_cast<void *>(result.scalesF32.data())
                            : result.scales.data());
    result.outer = source.outer;
    std::vector<float> before = source.dequantize(), moved(before.size());
    transposeElements(c.shape, 4, c.permutation, before.data(), moved.data());
    EXPECT_EQ(bitsOf(result.dequantize()), bitsOf(moved));
  }
}

TEST(Layout, RefusedBlockings) {
  auto message = [](const BlockFormat &format, Blocking blocking, size_t rank) {
    return validateBlocking(format, blocking, rank).message();
  };
  EXPECT_EQ(message(nvfp4(), {{1, 16}, {0}}, 2), "");
  EXPECT_EQ(message(nvfp4(), {{}, {}}, 0),
            "expects a rank of at least 1, but got 0");
  EXPECT_EQ(message(nvfp4(), {{16}, {}}, 2),
            "expects one block size per dim (2), but got 1");
  EXPECT_EQ(message(nvfp4(), {{0, 16}, {}}, 2),
            "expects block sizes of at least 1, but got 0");
  EXPECT_EQ(message(nvfp4(), {{2, 2, 2}, {}}, 3),
            "expects at most 2 block sizes above 1, but got 3");
  EXPECT_EQ(message(mxfp8(), {{1, 32}, {0}}, 2),
            "expects outer axes only with an outer scale");
  EXPECT_EQ(message(nvfp4(), {{1, 16}, {2}}, 2),
            "expects outer axes below the rank 2, but got 2");
  EXPECT_EQ(message(nvfp4(), {{1, 16}, {0, 0}}, 2),
            "expects distinct outer axes, but got 0 twice");
  EXPECT_EQ(message(nvfp4(), {{1, 16}, {1}}, 2),
            "expects blocks of size 1 along outer axis 1, but got 16");
}

} // namespace
