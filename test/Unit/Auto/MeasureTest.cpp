//===- MeasureTest.cpp - What quantising an operand loses -----------------===//
//
// Part of the lowp project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "lowp/Auto/Measure.h"
#include "lowp/Auto/Choose.h"
#include "lowp/IR/LowpDialect.h"
#include "mlir/IR/BuiltinTypes.h"
#include "mlir/IR/MLIRContext.h"

#include "gtest/gtest.h"

#include <cmath>
#include <limits>

using namespace mlir;
using namespace mlir::lowp;
namespace numerics = ::lowp::numerics;

namespace {
class Measure : public testing::Test {
protected:
  Measure() { context.loadDialect<LowpDialect>(); }

  OperandPlanAttr parse(StringRef text) {
    FailureOr<OperandPlanAttr> plan = parseOperandPlan(
        &context, text, [&] { return emitError(UnknownLoc::get(&context)); });
    EXPECT_TRUE(succeeded(plan));
    return *plan;
  }

  numerics::SqnrSums measure(StringRef plan, unsigned dim,
                             const std::vector<float> &values,
                             numerics::Dims shape,
                             const numerics::Dims &offsets = {}) {
    numerics::SqnrSums sums;
    numerics::Status status = measureLoss(
        parse(plan), dim,
        numerics::denseView(static_cast<const void *>(values.data()),
                            numerics::FloatType::F32, shape),
        offsets, sums);
    EXPECT_TRUE(status.ok()) << status.message();
    return sums;
  }

  MLIRContext context;
};
} // namespace

TEST_F(Measure, BlocksLieAlongTheContractedDim) {
  // Column j holds powers of two of its own, far from those of the others:
  // along columns nothing is lost, along rows all but the largest.
  std::vector<float> values;
  for (int row = 0; row < 32; ++row)
    for (int column = 0; column < 32; ++column)
      values.push_back(std::ldexp(1.0f, column));
  numerics::Dims shape = {32, 32};
  for (StringRef plan : {"mxfp4", "mxfp8_e4m3", "nvfp4:per_token"})
    EXPECT_EQ(measure(plan, 0, values, shape).noise, 0) << plan.str();
  for (StringRef plan : {"mxfp4", "mxfp8_e4m3"})
    EXPECT_GT(measure(plan, 1, values, shape).noise, 0) << plan.str();
  EXPECT_EQ(measure("mxfp4", 1, values, shape).signal,
            measure("mxfp4", 0, values, shape).signal);
}

TEST_F(Measure, OuterScalesHaveTheirGranularity) {
  // Two matrices whose sizes no E4M3 scale spans together.
  std::vector<float> values(2 * 4 * 16, 3.0f);
  for (size_t i = 64; i < values.size(); ++i)
    values[i] = 0x1p-20f;
  numerics::Dims shape = {2, 4, 16};
  // All of the second one is lost, or next to nothing of either.
  EXPECT_GE(measure("nvfp4", 2, values, shape).noise, 64 * 0x1p-40);
  EXPECT_LT(measure("nvfp4:per_expert", 2, values, shape).noise, 0x1p-36);
  EXPECT_LT(measure("nvfp4:per_token", 2, values, shape).noise, 0x1p-36);
}

TEST_F(Measure, NoElementsLoseNothing) {
  EXPECT_EQ(measure("nvfp4:per_token", 1, {}, {0, 64}).noise, 0);
  EXPECT_EQ(measure("fp8_block", 1, {}, {64, 0}).signal, 0);
}

TEST_F(Measure, GroupsAreQuantisedAlone) {
  // Two groups of 16 whose sizes differ: one block spans both, or two do.
  std::vector<float> values(32 * 2, 1.0f);
  std::fill(values.begin() + 32, values.end(), 0x1p-20f);
  numerics::Dims shape = {32, 2};
  EXPECT_EQ(measure("mxfp4", 0, values, shape, {0, 16, 32}).noise, 0);
  EXPECT_EQ(measure("mxfp4", 0, values, shape).noise, 32 * 0x1p-40);
  // Empty groups are no groups.
  EXPECT_EQ(measure("mxfp4", 0, values, shape, {0, 0, 32, 32}).noise,
            32 * 0x1p-40);
  numerics::SqnrSums sums;
  auto view = numerics::denseView(static_cast<const void *>(values.data()),
                                  numerics::FloatType::F32, shape);
  EXPECT_FALSE(measureLoss(parse("mxfp4"), 0, view, {0, 16, 31}, sums).ok());
}

TEST_F(Measure, StochasticRoundingIsMeasured) {
  // A tenth of the way from 4 to 6, in blocks whose scale is 1: to nearest all
  // lose 0.2, at random one in ten loses 1.8.
  std::vector<float> values(1024, 4.2f);
  for (size_t i = 0; i < values.size(); i += 32)
    values[i] = 6.0f;
  numerics::Dims shape = {32, 32};
  double count = 32 * 31;
  EXPECT_NEAR(measure("mxfp4", 1, values, shape).noise, count * 0.04, 1e-3);
  double noise = measure("mxfp4:stochastic", 1, values, shape).noise;
  EXPECT_NEAR(noise / count, 0.9 * 0.04 + 0.1 * 3.24, 0.1);
  EXPECT_EQ(measure("mxfp4:stochastic", 1, values, shape).noise, noise);
}

TEST_F(Measure, NormalValuesAreNormal) {
  std::vector<uint16_t> bits = getNormalValues(64, 1024);
  EXPECT_EQ(bits, getNormalValues(64, 1024));
  double sum = 0, squares = 0, fourths = 0;
  for (uint16_t value : bits) {
    double x = numerics::loadFloat(numerics::FloatType::BF16, value);
    sum += x;
    squares += x * x;
    fourths += x * x * x * x;
  }
  double count = static_cast<double>(bits.size());
  EXPECT_NEAR(sum / count, 0, 0.02);
  EXPECT_NEAR(squares / count, 1, 0.02);
  EXPECT_NEAR(fourths / count, 3, 0.15);
}

TEST_F(Measure, RunsWithoutElementsAreToldApart) {
  // The first run has no tokens, and no memory, at either site.
  auto type = RankedTensorType::get({ShapedType::kDynamic, 32},
                                    Float32Type::get(&context));
  std::vector<float> ones(64, 1.0f), others = ones;
  others[3] = 0.7f;
  auto makeSite = [&](StringRef name, const std::vector<float> &values) {
    AutoOperand operand{type, 1, {}, {}};
    for (int64_t rows : {0, 2})
      operand.values.push_back(numerics::denseView(
          static_cast<const void *>(rows == 0 ? nullptr : values.data()),
          numerics::FloatType::F32, {rows, 32}));
    return AutoSite{SiteAttr::get(&context, name, SiteRole::Fprop,
                                  SiteKind::Dense, std::nullopt, Side::Rhs,
                                  std::nullopt, StringAttr()),
                    operand, operand};
  };
  AutoSite sites[] = {makeSite("exact", ones), makeSite("other", others)};
  AutoBudget budget;
  budget.maxError = 1;
  FailureOr<AutoChoice> choice = chooseFormats(&context, sites, budget, [&] {
    return emitError(UnknownLoc::get(&context));
  });
  ASSERT_TRUE(succeeded(choice));
  EXPECT_EQ(*choice->sites.getObject("exact")->getNumber("error"), 0);
  EXPECT_GT(*choice->sites.getObject("other")->getNumber("error"), 0);
}

TEST_F(Measure, ChoiceOfExactValuesAndOfNaN) {
  std::vector<float> values(64, 1.0f);
  auto type = RankedTensorType::get({2, 32}, Float32Type::get(&context));
  auto site =
      SiteAttr::get(&context, "w", SiteRole::Fprop, SiteKind::Dense,
                    std::nullopt, Side::Rhs, std::nullopt, StringAttr());
  AutoOperand operand;
  operand.type = type;
  operand.dim = 1;
  operand.values = {
      numerics::denseView(static_cast<const void *>(values.data()),
                          numerics::FloatType::F32, {2, 32})};
  AutoBudget budget;
  budget.maxError = 0;
  std::string message;
  ScopedDiagnosticHandler handler(
      &context, [&](Diagnostic &diagnostic) { message = diagnostic.str(); });
  auto fail = [&] { return emitError(UnknownLoc::get(&context)); };
  AutoSite sites[] = {{site, operand, operand}};
  FailureOr<AutoChoice> choice = chooseFormats(&context, sites, budget, fail);
  ASSERT_TRUE(succeeded(choice));
  // Ones are exact everywhere: the fewest bytes are those of MXFP4.
  EXPECT_EQ(*choice->summary.getInteger("bytes"), 2 * (32 + 2));
  values[5] = std::numeric_limits<float>::quiet_NaN();
  EXPECT_TRUE(failed(chooseFormats(&context, sites, budget, fail)));
  EXPECT_EQ(message,
            "expects the activation of site 'w' to hold finite values, "
            "but got a NaN or an infinity");
}
