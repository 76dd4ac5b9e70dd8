//===- TypesTest.cpp - blocked types --------------------------------------===//
//
// Part of the lowp project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "lowp/IR/LowpDialect.h"
#include "lowp/IR/LowpNumerics.h"
#include "lowp/IR/LowpTypes.h"
#include "lowp/Numerics/Layout.h"

#include "mlir/IR/Diagnostics.h"
#include "mlir/IR/MLIRContext.h"
#include "gtest/gtest.h"

using namespace mlir;
using namespace mlir::lowp;
namespace numerics = ::lowp::numerics;

namespace {

class TypesTest : public ::testing::Test {
protected:
  TypesTest()
      : handler(&context, [&](Diagnostic &diagnostic) {
          message = diagnostic.str();
          return success();
        }) {
    context.loadDialect<LowpDialect>();
  }

  FormatAttr format(StringRef name) {
    return FormatAttr::getNamed(&context, name);
  }

  BlockedType getChecked(ArrayRef<int64_t> shape, StringRef name,
                         ArrayRef<int64_t> block, ArrayRef<int64_t> outer = {},
                         ScaleLayout layout = ScaleLayout::Linear,
                         int64_t groupAxis = -1, int64_t groups = 0) {
    message.clear();
    return BlockedType::getChecked(
        [&] { return emitError(UnknownLoc::get(&context)); }, &context, shape,
        format(name), block, outer, layout, groupAxis, groups);
  }

  MLIRContext context;
  ScopedDiagnosticHandler handler;
  std::string message;
};

constexpr int64_t kDynamic = ShapedType::kDynamic;
constexpr int64_t kLargest = std::numeric_limits<int64_t>::max();

// blocked (C2): text cannot say it.
TEST_F(TypesTest, NegativeSizesAreRefused) {
  EXPECT_FALSE(getChecked({4, -5}, "mxfp4", {1, 32}));
  EXPECT_EQ(message, "expected sizes of at least 0, but got -5 in dim 1");
  EXPECT_TRUE(getChecked({0, kDynamic}, "mxfp4", {1, 32}));
}

TEST_F(TypesTest, LargestSizes) {
  BlockedType type = getChecked({kLargest, kLargest}, "mxfp4", {1, 32});
  ASSERT_TRUE(type);
  EXPECT_EQ(type.getCodesType().getDimSize(1), kLargest / 2 + 1);
  EXPECT_EQ(type.getScalesType().getDimSize(1), kLargest / 32 + 1);
  EXPECT_FALSE(getChecked({kLargest, kLargest}, "mxfp4", {1, 32}, {},
                          ScaleLayout::Tcgen05_128x4));
  // Two dynamic sizes may turn out to be anything.
  EXPECT_TRUE(getChecked({kDynamic, kLargest}, "mxfp4", {1, 32}, {},
                         ScaleLayout::Tcgen05_128x4));
  int64_t most = BlockedType::kMaxBlockSize;
  type = getChecked({kLargest, kLargest}, "nvfp4", {most, most});
  ASSERT_TRUE(type);
  EXPECT_EQ(type.getBlockSize(), most * most);
}

TEST_F(TypesTest, Transposed) {
  BlockedType type = getChecked({2, 3, kDynamic}, "nvfp4", {1, 1, 16}, {0, 1});
  BlockedType transposed = type.getTransposed({2, 0, 1});
  EXPECT_EQ(transposed.getShape(), ArrayRef<int64_t>({kDynamic, 2, 3}));
  EXPECT_EQ(transposed.getBlockShape(), ArrayRef<int64_t>({16, 1, 1}));
  EXPECT_EQ(transposed.getOuterAxes(), ArrayRef<int64_t>({1, 2}));
  EXPECT_EQ(transposed.getBlockAxis(), std::optional<unsigned>(0));
  EXPECT_EQ(transposed.getTransposed({1, 2, 0}), type);

  BlockedType tiled = getChecked({2, 16, 32}, "nvfp4", {1, 16, 16});
  EXPECT_TRUE(failed(tiled.getTransposedChecked(
      [&] { return emitError(UnknownLoc::get(&context)); }, {1, 2, 0})));
  EXPECT_EQ(message, "expected blocks along one dim or square tiles of the "
                     "last two dims, but got [16, 16, 1]");
}

/// Component types are the shapes that the scalar library works with.
TEST_F(TypesTest, ComponentsAreThoseOfTheLibrary) {
  struct Case {
    SmallVector<int64_t> shape, block, outer;
  };
  const Case cases[] = {
      {{5, 17}, {1, 16}, {0}},
      {{33, 40}, {16, 16}, {}},
      {{0, 3}, {1, 32}, {}},
      {{3, 0}, {32, 1}, {1}},
      {{40, 3}, {32, 1}, {}},
      {{7}, {16}, {}},
      {{2, 5, 19}, {1, 1, 16}, {0, 1}},
      {{2, 200, 130}, {1, 128, 128}, {0}},
      {{4, 4}, {1, 1}, {0, 1}},
  };
  for (StringRef name : FormatAttr::getNames())
    for (const Case &c : cases) {
      FormatAttr attr = format(name);
      numerics::BlockFormat row = getBlockFormat(attr);
      BlockedType type = getChecked(c.shape, name, c.block,
                                    attr.getOuter() ? ArrayRef<int64_t>(c.outer)
                                                    : ArrayRef<int64_t>());
      ASSERT_TRUE(type) << message;
      numerics::Dims shape(c.shape.begin(), c.shape.end());
      numerics::Dims block(c.block.begin(), c.block.end());
      EXPECT_EQ(type.getCodesType().getShape(),
                ArrayRef<int64_t>(numerics::packedShape(*row.element, shape)));
      EXPECT_EQ(type.getScalesType().getShape(),
                ArrayRef<int64_t>(numerics::scaleShape(row, shape, block)));
      if (attr.getOuter()) {
        std::vector<unsigned> axes(c.outer.begin(), c.outer.end());
        EXPECT_EQ(type.getOuterType().getShape(),
                  ArrayRef<int64_t>(numerics::outerShape(shape, axes)));
      }
      if (c.shape.size() < 2 || attr.hasF32Scale())
        continue;
      BlockedType image = type.withLayout(ScaleLayout::Tcgen05_128x4);
      int64_t bytes = 1;
      for (int64_t size : image.getScalesType().getShape())
        bytes *= size;
      EXPECT_EQ(bytes,
                numerics::tcgen05Size(numerics::scaleShape(row, shape, block)));
    }
}

} // namespace
