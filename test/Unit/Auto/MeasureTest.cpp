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
                             numerics::Dims shape) {
    numerics::SqnrSums sums;
    numerics::Status status = measureLoss(
        parse(plan), dim,
        numerics::denseView(static_cast<const void *>(values.data()),
                            numerics::FloatType::F32, shape),
        sums);
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
