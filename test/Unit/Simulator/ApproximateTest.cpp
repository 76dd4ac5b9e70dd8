//===- ApproximateTest.cpp - Bounds of approximate functions --------------===//
//
// Part of the Lowp project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Harness.h"

#include "llvm/ADT/bit.h"
#include "gtest/gtest.h"

#include <cmath>

using namespace lowp::sim;
using namespace lowp::sim::test;

namespace {

float toFloat(uint32_t bits) { return llvm::bit_cast<float>(bits); }

/// `d = FORM a`.
uint32_t evaluate(const std::string &form, uint32_t bits) {
  std::string ptx =
      makeModule(getHeader(), "  ld.global.b32 %r1, [%in];\n  " + form +
                                  " %r2, %r1;\n  st.global.b32 [%out], %r2;");
  auto output = run(ptx, {}, bits, 1);
  if (!output) {
    ADD_FAILURE() << form << ": " << llvm::toString(output.takeError());
    return 0;
  }
  return output->front();
}

} // namespace

TEST(Approximate, Specials) {
  constexpr uint32_t inf = 0x7F800000, nan = 0x7FFFFFFF, sign = 0x80000000;
  EXPECT_EQ(evaluate("rcp.approx.ftz.f32", 0), inf);
  EXPECT_EQ(evaluate("rcp.approx.ftz.f32", sign | 1), sign | inf);
  EXPECT_EQ(evaluate("rcp.approx.ftz.f32", inf), 0u);
  // 2^127 flushes.
  EXPECT_EQ(evaluate("rcp.approx.ftz.f32", 0x7F000000), 0u);
  EXPECT_EQ(evaluate("sqrt.approx.f32", sign), sign);
  EXPECT_EQ(evaluate("sqrt.approx.f32", 0xBF800000), nan);
  EXPECT_EQ(evaluate("rsqrt.approx.f32", 0), inf);
  EXPECT_EQ(evaluate("rsqrt.approx.f32", sign), sign | inf);
  EXPECT_EQ(evaluate("rsqrt.approx.f32", inf), 0u);
  EXPECT_EQ(evaluate("lg2.approx.f32", 0), sign | inf);
  EXPECT_EQ(evaluate("lg2.approx.f32", 0xBF800000), nan);
  EXPECT_EQ(evaluate("ex2.approx.ftz.f32", sign | inf), 0u);
  EXPECT_EQ(evaluate("ex2.approx.ftz.f32", inf), inf);
  EXPECT_EQ(evaluate("sin.approx.f32", inf), nan);
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
