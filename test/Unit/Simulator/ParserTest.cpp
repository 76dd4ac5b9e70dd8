//===- ParserTest.cpp - Texts that are PTX, and others --------------------===//
//
// Part of the Lowp project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Harness.h"

#include "gmock/gmock.h"

#include <random>

using namespace lowp::sim;
using namespace lowp::sim::test;
using testing::ElementsAre;
using testing::HasSubstr;

namespace {

std::string errorOf(const std::string &text) {
  auto module = Module::parse(text);
  if (module)
    return "";
  return llvm::toString(module.takeError());
}

std::string body(const std::string &text) {
  return makeModule(getHeader(), text);
}

} // namespace

TEST(Parser, Errors) {
  EXPECT_THAT(errorOf(""), HasSubstr("no .version"));
  EXPECT_THAT(errorOf(".version 8.0\n"), HasSubstr("no .target"));
  EXPECT_THAT(errorOf(".version 8.0\n.target sm_90\nnonsense"),
              HasSubstr("line 3: syntax: expected a directive"));
  EXPECT_THAT(errorOf(".version 8.0\n.target sm_1234\n"),
              HasSubstr("unknown target 'sm_1234'"));
  EXPECT_THAT(errorOf(".version 7.0\n.target sm_100a\n"),
              HasSubstr("'sm_100a' needs PTX 8.6"));
  EXPECT_THAT(errorOf(body("  frobnicate.b32 %r1, %r2;")),
              HasSubstr("line 19: unknown instruction: unknown instruction "
                        "'frobnicate.b32'"));
  EXPECT_THAT(errorOf(body("  add.fast.u32 %r1, %r2, %r3;")),
              HasSubstr("unknown modifier '.fast' in 'add.fast.u32'"));
  EXPECT_THAT(errorOf(body("  add.u32.sat %r1, %r2, %r3;")),
              HasSubstr("unknown modifier '.sat'"));
  EXPECT_THAT(errorOf(body("  mul.rn.f32.bf16 %r1, %r2, %r3;")),
              HasSubstr("unknown modifier '.bf16'"));
  EXPECT_THAT(errorOf(body("  add.ftz.f32.bf16 %r1, %h2, %r3;")),
              HasSubstr("a modifier that .f32.bf16 does not have"));
  EXPECT_THAT(errorOf(body("  add.f32.bf16 %r1, %r2, %h3;")),
              HasSubstr("'%r2' has 32 bits where .bf16 is expected"));
  EXPECT_THAT(errorOf(body("  add.u32 %r1, %r2;")), HasSubstr("operands"));
  EXPECT_THAT(errorOf(body("  add.u32 %r1, %r2, %r3, %r4;")),
              HasSubstr("expects 3 operands, but got 4"));
  EXPECT_THAT(errorOf(body("  add.u32 %r1, %r2, %d3;")),
              HasSubstr("'%d3' has 64 bits where .u32 is expected"));
  EXPECT_THAT(errorOf(body("  add.u32 %r1, %r2, %x3;")),
              HasSubstr("'%x3' is not declared"));
  EXPECT_THAT(errorOf(body("  add.u32 %r1, %r2, %r64;")),
              HasSubstr("'%r64' is not declared"));
  EXPECT_THAT(errorOf(body("  add.f32 %r1, %r2, 1;")), HasSubstr("integer"));
  EXPECT_THAT(errorOf(body("  bra NOWHERE;")),
              HasSubstr("label 'NOWHERE' is not defined"));
  EXPECT_THAT(errorOf(body("L:\nL:")), HasSubstr("defined twice"));
  EXPECT_THAT(errorOf(body("  cvt.f32.s32 %r1, %r2;")),
              HasSubstr("needs a rounding"));
  EXPECT_THAT(errorOf(body("  cvt.rn.e2m1x4.f32 %h1, %r1, %r2;")),
              HasSubstr("no such conversion"));
  EXPECT_THAT(errorOf(body("  cvt.rn.satfinite.e2m1x2.f32 %h1, %r1, %r2;")),
              HasSubstr("where .b8 is expected"));
  EXPECT_THAT(errorOf(body("  cvt.rm.relu.f16.f32 %h1, %r1;")),
              HasSubstr("by '.rn' or '.rz' only"));
  EXPECT_THAT(errorOf(body("  cvt.rn.satfinite.f16.f64 %h1, %d1;")),
              HasSubstr("conversion of .f32 to 16 bits"));
  EXPECT_THAT(errorOf(body("  cvt.rn.sat.bf16.f32 %h1, %r1;")),
              HasSubstr("no '.sat' goes with .bf16"));
  EXPECT_THAT(errorOf(body("  cvt.rni.u8.bf16 %h1, %h2;")),
              HasSubstr("no conversion between .bf16 and 8 bits"));
  EXPECT_THAT(errorOf(body("  cvt.sat.s32.u16 %r1, %h1;")),
              HasSubstr("results that may not hold the source"));
  EXPECT_THAT(errorOf(body("  set.eq.f32.f16 %r1, %h1, %h2;")),
              HasSubstr("16-bit floats gives none of 32 bits"));
  EXPECT_NE(errorOf(body("  setp.eq.f16 %p1|%p2, %h1, %h2;")), "");
  EXPECT_THAT(errorOf(body("  wgmma.fence.sync.aligned;")),
              HasSubstr("is not simulated"));
  EXPECT_THAT(errorOf(body("  cp.async.bulk.tensor.2d [%r1], [%r2];")),
              HasSubstr("tensor maps are not simulated"));
  EXPECT_THAT(errorOf(body("  .reg .b32 %r<5>;\n .reg .b32 %r<5>;")),
              HasSubstr("declared twice"));
  EXPECT_THAT(errorOf(body("  add.u32 %r1, %r2, \"x\";")),
              HasSubstr("expected a name"));
  EXPECT_THAT(errorOf(body("{")), HasSubstr("expected '}'"));
}

TEST(Parser, Declarations) {
  std::string text = R"(
// A comment
.version 8.0
.target sm_90, texmode_independent
.address_size 64
.file 1 "x.cu"
.visible .global .align 8 .b32 table[4] = {1, 0x2, -3, 4U};
.global .f32 numbers[3] = {1.5, 0f40000000};
.const .b8 bytes[] = {7, 8, 9};
.extern .shared .align 16 .b8 dynamic[];
.section .debug_info { .b8 1 .b8 2 }
/* and
another */
.visible .entry first(.param .u32 a, .param .align 8 .b8 b[12], .param .u64 .ptr .shared .align 4 c)
.maxntid 128, 2
.minnctapersm 2
{
  .reg .pred p;
  .reg .b32 x, y<3>;
  .shared .align 4 .b32 fixed[2];
  .loc 1 2 3
  mov.u32 x, dynamic;
  { .reg .b32 x; mov.u32 x, 5; mov.u32 y0, x; }
  mov.u32 y1, x;
  bra.uni END;
END:
}
.entry second() .reqntid 32 { ret; }
)";
  auto parsed = Module::parse(text);
  if (!parsed)
    FAIL() << llvm::toString(parsed.takeError());
  Module &module = **parsed;
  ASSERT_EQ(module.getKernels().size(), 2u);
  const Kernel *first = module.findKernel("first");
  ASSERT_TRUE(first);
  EXPECT_EQ(first->getSharedBytes(), 0u) << "what is not used has no place";
  EXPECT_EQ(first->getMaxThreads().count(), 256u);
  std::vector<std::pair<unsigned, unsigned>> layout;
  for (const Parameter &parameter : first->getParameters())
    layout.emplace_back(parameter.offset, parameter.size);
  EXPECT_THAT(layout,
              ElementsAre(std::pair(0, 4), std::pair(8, 12), std::pair(24, 8)));
  auto [table, size] = module.findGlobal("table");
  ASSERT_EQ(size, 16u);
  EXPECT_THAT(std::vector<int32_t>(static_cast<int32_t *>(table),
                                   static_cast<int32_t *>(table) + 4),
              ElementsAre(1, 2, -3, 4));
  auto [numbers, numberBytes] = module.findGlobal("numbers");
  ASSERT_EQ(numberBytes, 12u);
  EXPECT_THAT(std::vector<float>(static_cast<float *>(numbers),
                                 static_cast<float *>(numbers) + 3),
              ElementsAre(1.5f, 2.0f, 0.0f));
  EXPECT_EQ(module.findKernel("second")->getMaxThreads().count(), 32u);
  EXPECT_THAT(module.getForms(), ElementsAre("bra.uni", "mov.u32", "ret"));
}

TEST(Parser, ModuleVariables) {
  std::string text = R"(
.version 8.0
.target sm_90
.address_size 64
.const .align 4 .b32 table[4] = {10, 20, 30, 40};
.global .align 4 .b32 counter = 5;
.extern .shared .align 16 .b8 dynamic[];
.entry k(.param .u64 in, .param .u64 out)
{
  .reg .b32 %r<9>;
  .reg .b64 %d<9>;
  ld.param.u64 %d1, [out];
  mov.u32 %r1, %tid.x;
  mul.wide.u32 %d2, %r1, 4;
  mov.u64 %d3, table;
  add.u64 %d3, %d3, %d2;
  ld.const.b32 %r2, [%d3];
  atom.global.add.u32 %r3, [counter], 1;
  mov.u64 %d4, dynamic;
  add.u64 %d4, %d4, %d2;
  st.shared.b32 [%d4], %r2;
  ld.shared.b32 %r4, [%d4];
  add.u32 %r4, %r4, %r3;
  add.u64 %d1, %d1, %d2;
  st.global.b32 [%d1], %r4;
}
)";
  LaunchConfig config;
  config.block.x = 4;
  config.sharedBytes = 16;
  auto output = run(text, config, {0}, 4);
  if (!output)
    FAIL() << llvm::toString(output.takeError());
  EXPECT_THAT(*output, ElementsAre(15, 26, 37, 48));
}

/// No text crashes: what remains of mutated ones is an error with a line, or
/// runs to its end or a fault.
TEST(Parser, Fuzz) {
  std::vector<std::string> texts;
  for (size_t i = 0; i < getPrograms().size(); i += 7)
    texts.push_back(makeModule(getHeader(), getPrograms()[i].body));
  std::string operands;
  for (size_t i = 0; i < getForms().size(); i += 37)
    operands += "  " + getForms()[i].form + " %r1, %r2, %r3;\n";
  texts.push_back(makeModule(getHeader(), operands));
  // Other texts with --gtest_shuffle --gtest_random_seed=N.
  std::mt19937 random(1 + testing::UnitTest::GetInstance()->random_seed());
  const char *pieces[] = {
      "{", "}", "[",    "]",       ";",    ",",  "%r1",   "%p1", ".b32", "@",
      "!", "|", "0x",   "0f",      "_",    "::", "99999", "-",   "\"",   "/*",
      ":", "(", ".reg", ".shared", "bra ", "<",  "+",     "1e9", "\x80", ".v4"};
  Options options;
  options.maxInstructions = 2000;
  unsigned errors = 0, faults = 0;
  for (unsigned round = 0; round < 3000; ++round) {
    std::string text = texts[random() % texts.size()];
    for (unsigned k = 0, n = 1 + random() % 3; k < n; ++k) {
      size_t at = random() % text.size();
      switch (random() % 4) {
      case 0:
        text.erase(at, 1 + random() % 8);
        break;
      case 1:
        text.insert(at, pieces[random() % std::size(pieces)]);
        break;
      case 2:
        text[at] = static_cast<char>(random());
        break;
      case 3:
        text.insert(at, text.substr(random() % text.size(), random() % 40));
        break;
      }
      if (text.empty())
        text = " ";
    }
    LaunchConfig config;
    config.block.x = 32;
    auto module = Module::parse(text);
    if (!module) {
      ++errors;
      llvm::handleAllErrors(module.takeError(), [&](const Fault &fault) {
        EXPECT_FALSE(fault.message.empty());
        EXPECT_TRUE(fault.line > 0 || fault.kind == FaultKind::Unsupported)
            << fault.message << "\n"
            << text;
      });
      continue;
    }
    if (!(*module)->findKernel("k") ||
        (*module)->findKernel("k")->getParameters().size() != 2)
      continue;
    auto result = run(text, config, std::vector<uint32_t>(64), 64, options);
    if (!result) {
      ++faults;
      llvm::consumeError(result.takeError());
    }
  }
  EXPECT_GT(errors, 1000u);
  EXPECT_GT(faults, 5u);
}

TEST(Counts, ThreadInstructions) {
  std::string text = body("  setp.lt.u32 %p1, %thread, 5;\n"
                          "  @%p1 add.u32 %r1, %thread, 1;\n"
                          "  add.u32 %r2, %thread, 1;");
  auto module = Module::parse(text);
  if (!module)
    FAIL() << llvm::toString(module.takeError());
  uint64_t null = 0;
  const void *arguments[] = {&null, &null};
  LaunchConfig config;
  config.block.x = 40;
  config.grid.x = 3;
  auto counts = (*module)->findKernel("k")->launch(config, arguments, Memory());
  if (!counts)
    FAIL() << llvm::toString(counts.takeError());
  uint64_t total = 0;
  for (const auto &[form, count] : counts->threads) {
    total += count;
    if (form == "add.u32")
      EXPECT_EQ(count, 3u * (5 + 40));
    if (form == "setp.lt.u32")
      EXPECT_EQ(count, 3u * 40);
  }
  EXPECT_EQ(total, counts->threadInstructions);
  // Two warps of nine instructions in each of three blocks.
  EXPECT_EQ(counts->warpInstructions, 3u * 2 * 9);
}
