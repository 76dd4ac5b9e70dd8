//===- ApproximateTest.cpp - Bounds of approximate functions --------------===//
//
// Part of the Lowp project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Harness.h"

#include "llvm/ADT/bit.h"

#include <cmath>

using namespace lowp::sim;
using namespace lowp::sim::test;

namespace {

float toFloat(uint32_t bits) { return llvm::bit_cast<float>(bits); }

/// `d = FORM a, b` of pairs of words, one result a thread.
std::vector<uint32_t> apply(const std::string &form, bool isBinary,
                            const std::vector<uint32_t> &input, bool perturb) {
  std::string ptx = makeModule(
      getHeader(), "  mov.u32 %r5, %ctaid.x;\n"
                   "  mad.lo.u32 %r5, %r5, 128, %thread;\n"
                   "  mad.wide.u32 %address, %r5, 8, %in;\n"
                   "  ld.global.v2.b32 {%r1, %r2}, [%address];\n  " +
                       form + " %r3, %r1" + (isBinary ? ", %r2" : "") +
                       ";\n  mad.wide.u32 %address, %r5, 4, %out;\n"
                       "  st.global.b32 [%address], %r3;");
  LaunchConfig config;
  config.block.x = 128;
  config.grid.x = static_cast<uint32_t>(input.size() / 256);
  Options options;
  options.perturb = perturb;
  auto output = run(ptx, config, input, input.size() / 2, options);
  if (!output) {
    ADD_FAILURE() << form << ": " << llvm::toString(output.takeError());
    return std::vector<uint32_t>(input.size() / 2);
  }
  return *output;
}

struct Case {
  std::string form;
  bool isBinary;
  double (*value)(double, double);
  /// The inputs for which the bound holds.
  bool (*domain)(double, double);
  /// The documented error: in units of the last place, relative, absolute.
  double ulp, relative, absolute;
};

double ulpOf(double value) {
  return std::ldexp(1.0, std::max(std::ilogb(value), -126) - 23);
}

const Case cases[] = {
    {"rcp.approx.f32", false, [](double a, double) { return 1 / a; },
     [](double a, double) { return a != 0; }, 1, 0, 0},
    {"rcp.approx.ftz.f32", false, [](double a, double) { return 1 / a; },
     [](double a, double) {
       return std::fabs(a) >= 0x1p-126 && std::fabs(a) <= 0x1p126;
     },
     1, 0, 0},
    {"sqrt.approx.f32", false, [](double a, double) { return std::sqrt(a); },
     [](double a, double) { return a > 0; }, 0, 0x1p-23, 0},
    {"rsqrt.approx.f32", false,
     [](double a, double) { return 1 / std::sqrt(a); },
     [](double a, double) { return a > 0; }, 0, 0x1.13p-23, 0},
    {"sin.approx.f32", false, [](double a, double) { return std::sin(a); },
     [](double a, double) { return std::fabs(a) < 6.28; }, 0, 0, 0x1.6bp-21},
    {"cos.approx.f32", false, [](double a, double) { return std::cos(a); },
     [](double a, double) { return std::fabs(a) < 6.28; }, 0, 0, 0x1.6bp-21},
    {"lg2.approx.f32", false, [](double a, double) { return std::log2(a); },
     [](double a, double) { return a > 2 || (a > 0 && a < 0.5); }, 0, 0x1p-22,
     0},
    {"ex2.approx.f32", false, [](double a, double) { return std::exp2(a); },
     [](double a, double) { return a > -126 && a < 128; }, 2, 0, 0},
    {"tanh.approx.f32", false, [](double a, double) { return std::tanh(a); },
     [](double a, double) { return std::fabs(a) > 0x1p-100; }, 0, 0x1p-11, 0},
    {"div.approx.f32", true, [](double a, double b) { return a / b; },
     [](double, double b) {
       return std::fabs(b) >= 0x1p-126 && std::fabs(b) <= 0x1p126;
     },
     2, 0, 0},
    {"div.full.f32", true, [](double a, double b) { return a / b; },
     [](double, double b) { return b != 0; }, 2, 0, 0}};

std::vector<uint32_t> getInput() {
  std::vector<uint32_t> input;
  for (unsigned i = 0; i < 8192; ++i)
    for (unsigned k = 0; k < 2; ++k)
      input.push_back(static_cast<uint32_t>(getOperand(4, i, k)));
  return input;
}

} // namespace

TEST(Approximate, WithinBounds) {
  std::vector<uint32_t> input = getInput();
  for (const Case &test : cases) {
    auto output = apply(test.form, test.isBinary, input, true);
    auto again = apply(test.form, test.isBinary, input, true);
    auto exact = apply(test.form, test.isBinary, input, false);
    EXPECT_EQ(output, again) << test.form << ": the same each time";
    unsigned checked = 0, moved = 0;
    for (size_t i = 0; i < output.size(); ++i) {
      double a = toFloat(input[2 * i]), b = toFloat(input[2 * i + 1]);
      double expected = test.value(a, b);
      if (std::isnan(a) || (test.isBinary && std::isnan(b)) ||
          std::isnan(expected)) {
        EXPECT_EQ(output[i], 0x7FFFFFFFu) << test.form;
        continue;
      }
      if (!std::isfinite(a) || !std::isfinite(b) || !test.domain(a, b) ||
          std::fabs(expected) > 0x1.fffffep127 || expected == 0)
        continue;
      double actual = toFloat(output[i]);
      double ulp = ulpOf(expected);
      double allowed =
          test.ulp * ulp + test.relative * std::fabs(expected) + test.absolute;
      // In the range of subnormals the last place is what there is.
      allowed = std::max(allowed, ulp / 2);
      EXPECT_LE(std::fabs(actual - expected), allowed)
          << test.form << " of " << a << ", " << b;
      EXPECT_LE(std::fabs(toFloat(exact[i]) - expected), ulp / 2 * 1.0001)
          << test.form << " of " << a << ", " << b;
      ++checked;
      moved += actual != toFloat(exact[i]);
    }
    EXPECT_GT(checked, 1000u) << test.form;
    // A result that is used as it is differs in many places.
    EXPECT_GT(moved, checked / 20) << test.form;
  }
}

TEST(Approximate, Specials) {
  auto of = [](const std::string &form, uint32_t bits) {
    std::vector<uint32_t> input(256, bits);
    return apply(form, false, input, true)[0];
  };
  constexpr uint32_t inf = 0x7F800000, nan = 0x7FFFFFFF, sign = 0x80000000;
  EXPECT_EQ(of("rcp.approx.ftz.f32", 0), inf);
  EXPECT_EQ(of("rcp.approx.ftz.f32", sign | 1), sign | inf);
  EXPECT_EQ(of("rcp.approx.ftz.f32", inf), 0u);
  // 2^127 flushes.
  EXPECT_EQ(of("rcp.approx.ftz.f32", 0x7F000000), 0u);
  EXPECT_EQ(of("sqrt.approx.f32", sign), sign);
  EXPECT_EQ(of("sqrt.approx.f32", 0xBF800000), nan);
  EXPECT_EQ(of("rsqrt.approx.f32", 0), inf);
  EXPECT_EQ(of("rsqrt.approx.f32", sign), sign | inf);
  EXPECT_EQ(of("rsqrt.approx.f32", inf), 0u);
  EXPECT_EQ(of("lg2.approx.f32", 0), sign | inf);
  EXPECT_EQ(of("lg2.approx.f32", 0xBF800000), nan);
  EXPECT_EQ(of("ex2.approx.ftz.f32", sign | inf), 0u);
  EXPECT_EQ(of("ex2.approx.ftz.f32", inf), inf);
  EXPECT_EQ(of("sin.approx.f32", inf), nan);
}

/// One step of Newton's iteration makes a correctly rounded reciprocal of any
/// approximation within one unit, where the mantissa is not all ones.
TEST(Approximate, NewtonRefinesReciprocals) {
  std::vector<uint32_t> input;
  for (unsigned i = 0; i < 4096; ++i) {
    uint32_t bits = static_cast<uint32_t>(getOperand(4, i + 5000, 0));
    bits = (bits & 0x807FFFFF) | (1 + (bits >> 23 & 0xFF) % 252) << 23;
    if (i % 16 == 0)
      bits |= 0x7FFFFF;
    input.push_back(bits);
    input.push_back(0);
  }
  std::string ptx =
      makeModule(getHeader(), "  mov.u32 %r5, %ctaid.x;\n"
                              "  mad.lo.u32 %r5, %r5, 128, %thread;\n"
                              "  mad.wide.u32 %address, %r5, 8, %in;\n"
                              "  ld.global.b32 %r1, [%address];\n"
                              "  rcp.approx.ftz.f32 %r2, %r1;\n"
                              "  neg.f32 %r3, %r1;\n"
                              "  fma.rn.f32 %r4, %r3, %r2, 0f3F800000;\n"
                              "  fma.rn.f32 %r2, %r2, %r4, %r2;\n"
                              "  mad.wide.u32 %address, %r5, 4, %out;\n"
                              "  st.global.b32 [%address], %r2;");
  LaunchConfig config;
  config.block.x = 128;
  config.grid.x = 32;
  auto output = run(ptx, config, input, 4096);
  if (!output)
    FAIL() << llvm::toString(output.takeError());
  for (size_t i = 0; i < 4096; ++i)
    EXPECT_EQ((*output)[i],
              llvm::bit_cast<uint32_t>(1.0f / toFloat(input[2 * i])))
        << input[2 * i];
}
