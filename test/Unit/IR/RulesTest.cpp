//===- RulesTest.cpp - formats and rules against the scalar library -------===//
//
// Part of the lowp project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "lowp/IR/LowpDialect.h"
#include "lowp/IR/LowpNumerics.h"
#include "lowp/IR/LowpTypes.h"
#include "lowp/Numerics/Quantize.h"
#include "lowp/Numerics/Scale.h"

#include "mlir/IR/Diagnostics.h"
#include "mlir/IR/MLIRContext.h"
#include "gtest/gtest.h"

using namespace mlir;
using namespace mlir::lowp;
namespace numerics = ::lowp::numerics;

namespace {

class RulesTest : public ::testing::Test {
protected:
  RulesTest() : handler(&context, [](Diagnostic &) { return success(); }) {
    context.loadDialect<LowpDialect>();
  }

  /// Every format: named or not.
  SmallVector<FormatAttr> getFormats() {
    Type elements[] = {
        Float4E2M1FNType::get(&context), Float6E2M3FNType::get(&context),
        Float6E3M2FNType::get(&context), Float8E4M3FNType::get(&context),
        Float8E5M2Type::get(&context),   S2F6Type::get(&context)};
    Type scales[] = {Float8E8M0FNUType::get(&context),
                     Float8E4M3FNType::get(&context),
                     Float32Type::get(&context)};
    SmallVector<FormatAttr> formats;
    for (Type element : elements)
      for (Type scale : scales)
        for (bool outer : {false, true})
          if (!outer || !scale.isF32())
            formats.push_back(FormatAttr::get(&context, element, scale, outer));
    return formats;
  }

  bool accepts(RuleAttr rule, FormatAttr format) {
    return succeeded(verifyRuleForFormat(
        [&] { return emitError(UnknownLoc::get(&context)); }, rule, format));
  }

  MLIRContext context;
  /// Refusals are expected, their text is tested elsewhere.
  ScopedDiagnosticHandler handler;
};

TEST_F(RulesTest, NamedFormatsAreThoseOfTheLibrary) {
  ASSERT_EQ(FormatAttr::getNames().size(), std::size(numerics::kBlockFormats));
  for (const numerics::BlockFormat &row : numerics::kBlockFormats) {
    FormatAttr format = FormatAttr::getNamed(&context, row.name);
    ASSERT_TRUE(format) << row.name;
    EXPECT_EQ(format.getName(), row.name);
    numerics::BlockFormat mapped = getBlockFormat(format);
    EXPECT_EQ(mapped.element, row.element) << row.name;
    EXPECT_EQ(mapped.scale, row.scale) << row.name;
    EXPECT_EQ(mapped.outer, row.outer) << row.name;
    EXPECT_EQ(format.getDefaultBlockSize(), row.blockSize) << row.name;
    EXPECT_EQ(format.getStorageBits(), row.element->storageBits()) << row.name;
  }
  EXPECT_FALSE(FormatAttr::getNamed(&context, "nvfp8"));
}

TEST_F(RulesTest, PresetsAreThoseOfTheLibrary) {
  for (StringRef name : RuleAttr::getPresetNames()) {
    const numerics::QuantRule *row = numerics::findRulePreset(name.str());
    ASSERT_TRUE(row) << name.str();
    numerics::QuantRule rule =
        getQuantRule(RuleAttr::getPreset(&context, name));
    EXPECT_EQ(rule.scale, row->scale) << name.str();
    EXPECT_EQ(rule.sfArith, row->sfArith) << name.str();
    EXPECT_EQ(rule.sfRound, row->sfRound) << name.str();
    EXPECT_EQ(rule.round, row->round) << name.str();
    EXPECT_EQ(rule.fourSix, row->fourSix) << name.str();
    EXPECT_EQ(rule.fourSixError, row->fourSixError) << name.str();
    EXPECT_EQ(rule.outerRepr, row->outerRepr) << name.str();
    EXPECT_EQ(rule.nonfinite, row->nonfinite) << name.str();
    EXPECT_EQ(rule.negZero, row->negZero) << name.str();
    EXPECT_EQ(rule.sfZero, row->sfZero) << name.str();
    // The library may write a default M out.
    numerics::BlockFormat nvfp4 =
        getBlockFormat(FormatAttr::getNamed(&context, "nvfp4"));
    EXPECT_EQ(numerics::outerMax(nvfp4, rule), numerics::outerMax(nvfp4, *row))
        << name.str();
  }
  EXPECT_FALSE(RuleAttr::getPreset(&context, "none"));
}

TEST_F(RulesTest, FieldsComeBack) {
  RuleFields fields;
  fields.sfRound = SfRound::Up;
  fields.round = ElementRound::Stochastic;
  fields.outerMax = 1536;
  fields.outerRepr = OuterRepr::Pow2;
  fields.nonFinite = NonFinite::Saturate;
  fields.rounds = 7;
  fields.allowClipping = true;
  RuleAttr rule = RuleAttr::get(&context, fields);
  EXPECT_EQ(RuleAttr::get(&context, rule.getFields()), rule);
  EXPECT_TRUE(rule.isStochastic());
  EXPECT_EQ(RuleAttr::getDefault(&context),
            RuleAttr::get(&context, RuleFields()));
}

/// What the verifiers accept, the library computes: no rule that passes them
/// is refused when it is used.
TEST_F(RulesTest, AcceptedRulesAreComputable) {
  SmallVector<FormatAttr> formats = getFormats();
  unsigned accepted = 0;
  auto check = [&](const RuleFields &f) {
    RuleAttr rule = RuleAttr::getChecked(
        [&] { return emitError(UnknownLoc::get(&context)); }, &context, f.scale,
        f.sfArith, f.sfRound, f.round, f.fourSix, f.fourSixError, f.outerMax,
        f.outerRepr, f.nonFinite, f.negZero, f.sfZero, f.bits, f.rounds,
        f.srBits, f.allowClipping, f.mapTo, f.overflow);
    if (!rule)
      return;
    for (FormatAttr format : formats) {
      if (!accepts(rule, format))
        continue;
      ++accepted;
      numerics::Status status =
          numerics::validate(getBlockFormat(format), getQuantRule(rule));
      EXPECT_TRUE(status.ok()) << status.message();
    }
  };
  for (unsigned scale = 0; scale <= getMaxEnumValForScaleRule(); ++scale)
    for (unsigned arith = 0; arith <= getMaxEnumValForSfArith(); ++arith)
      for (unsigned up = 0; up <= getMaxEnumValForSfRound(); ++up)
        for (unsigned round = 0; round <= getMaxEnumValForElementRound();
             ++round)
          for (unsigned four = 0; four <= getMaxEnumValForFourSix(); ++four)
            for (unsigned error = 0; error <= 1; ++error)
              for (int64_t outerMax : {0, 1536})
                for (unsigned pow2 = 0; pow2 <= 1; ++pow2)
                  for (bool clipping : {false, true})
                    for (int64_t mapTo : {0, 4, 500})
                      for (Overflow overflow :
                           {Overflow::Saturate, Overflow::NonFinite}) {
                        RuleFields fields;
                        fields.scale = static_cast<ScaleRule>(scale);
                        fields.sfArith = static_cast<SfArith>(arith);
                        fields.sfRound = static_cast<SfRound>(up);
                        fields.round = static_cast<ElementRound>(round);
                        fields.fourSix = static_cast<FourSix>(four);
                        fields.fourSixError = static_cast<FourSixError>(error);
                        fields.outerMax = outerMax;
                        fields.outerRepr = static_cast<OuterRepr>(pow2);
                        fields.allowClipping = clipping;
                        fields.mapTo = mapTo;
                        fields.overflow = overflow;
                        check(fields);
                      }
  EXPECT_GT(accepted, 200u);
}

/// The default rule, and stochastic rounding in its own way, work for every
/// format.
TEST_F(RulesTest, EveryFormatHasARule) {
  for (FormatAttr format : getFormats()) {
    EXPECT_TRUE(accepts(RuleAttr::getDefault(&context), format));
    RuleFields fields;
    fields.round = ElementRound::Stochastic;
    fields.sfRound = format.hasUE8M0Scale() ? SfRound::Rne : SfRound::Up;
    EXPECT_TRUE(accepts(RuleAttr::get(&context, fields), format));
  }
}

} // namespace
