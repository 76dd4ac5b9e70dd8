//===- FaultTest.cpp - What the simulator refuses to run ------------------===//
//
// Part of the Lowp project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Harness.h"

#include "gmock/gmock.h"

using namespace lowp::sim;
using namespace lowp::sim::test;
using testing::HasSubstr;

namespace {

LaunchConfig block(uint32_t threads, uint32_t blocks = 1) {
  LaunchConfig config;
  config.block.x = threads;
  config.grid.x = blocks;
  return config;
}

std::optional<Fault> faultOf(const std::string &body, uint32_t threads = 32,
                             const Options &options = {}) {
  return getFault(makeModule(getHeader(), body), block(threads), {0}, 64,
                  options);
}

void expectFault(const std::optional<Fault> &fault, FaultKind kind,
                 const std::string &message, int line = __builtin_LINE()) {
  SCOPED_TRACE("line " + std::to_string(line));
  ASSERT_TRUE(fault.has_value());
  EXPECT_EQ(fault->kind, kind) << fault->message;
  EXPECT_THAT(fault->message, HasSubstr(message));
  EXPECT_GT(fault->line, 0u);
}

/// The line of the first `text` in the module of `body`.
unsigned lineOf(const std::string &body, const std::string &text) {
  std::string module = makeModule(getHeader(), body);
  size_t at = module.find(text);
  return 1 + std::count(module.begin(), module.begin() + at, '\n');
}

} // namespace

TEST(Fault, OutOfBounds) {
  std::string body = "  mad.wide.u32 %address, %thread, 4, %out;\n"
                     "  st.global.b32 [%address+240], %thread;";
  auto fault = faultOf(body);
  expectFault(fault, FaultKind::OutOfBounds, "no allocation holds it");
  // Four words are left: the fifth thread is the first beyond.
  EXPECT_EQ(fault->thread.x, 4u);
  EXPECT_TRUE(fault->hasAddress);
  EXPECT_EQ(fault->line, lineOf(body, "st.global.b32"));
  expectFault(faultOf("  ld.global.v2.b32 {%r1, %r2}, [%out+256];"),
              FaultKind::OutOfBounds, "no allocation holds it");
  expectFault(faultOf("  ld.global.v4.b32 {%r1, %r2, %r3, %r4}, [%in];"),
              FaultKind::OutOfBounds, "4 bytes after it");
  expectFault(faultOf("  mov.b64 %d1, 0;\n  ld.b32 %r1, [%d1];"),
              FaultKind::OutOfBounds, "no allocation");
  expectFault(faultOf("  .shared .b8 sh[8];\n  st.shared.b32 [sh+8], %thread;"),
              FaultKind::OutOfBounds, "shared memory, of which there are 8");
  expectFault(faultOf("  .local .b8 lo[8];\n  st.local.b32 [lo+-4], %thread;"),
              FaultKind::OutOfBounds, "local memory");
  expectFault(faultOf("  ld.param.b64 %d1, [out+8];"), FaultKind::OutOfBounds,
              "parameter memory");
}

TEST(Fault, Misaligned) {
  auto fault = faultOf("  st.global.b32 [%out+2], %thread;");
  expectFault(fault, FaultKind::Misaligned, "not a multiple of 4");
  expectFault(faultOf("  .shared .align 16 .b8 sh[64];\n"
                      "  st.shared.v2.b32 [sh+4], {%thread, %thread};"),
              FaultKind::Misaligned, "not a multiple of 8");
  expectFault(faultOf("  atom.global.add.u32 %r1, [%out+1], %thread;"),
              FaultKind::Misaligned, "not a multiple of 4");
}

TEST(Fault, UninitializedRegister) {
  std::string body = "  add.u32 %r1, %r2, 1;";
  expectFault(faultOf(body), FaultKind::UninitializedRegister, "'%r2'");
  // One lane wrote it, another reads it.
  auto fault = faultOf("  setp.eq.u32 %p1, %thread, 3;\n"
                       "  @!%p1 mov.b32 %r1, 5;\n  add.u32 %r2, %r1, 1;");
  expectFault(fault, FaultKind::UninitializedRegister, "'%r1'");
  EXPECT_EQ(fault->thread.x, 3u);
  expectFault(faultOf("  @%p4 add.u32 %r1, %thread, 1;"),
              FaultKind::UninitializedRegister, "'%p4'");
  // What a lane outside of the mask holds is undefined.
  expectFault(faultOf("  setp.lt.u32 %p1, %thread, 8;\n  @!%p1 exit;\n"
                      "  shfl.sync.down.b32 %r1, %thread, 1, 31, 0xff;\n"
                      "  add.u32 %r2, %r1, 1;"),
              FaultKind::UninitializedRegister, "'%r1'");
  expectFault(faultOf("  addc.u32 %r1, %thread, %thread;"),
              FaultKind::UninitializedRegister, "carry");
  Options options;
  options.checkRegisters = false;
  EXPECT_FALSE(faultOf(body, 32, options).has_value());
  // The same bits in each block then.
  body += "\n  setp.ne.u32 %p1, %r2, 0xa5a5a5a5;\n  @%p1 trap;\n"
          "  mov.b32 %r2, 0;";
  EXPECT_FALSE(faultOf(body, 64, options).has_value());
}

TEST(Fault, UninitializedMemory) {
  std::string body = "  .shared .b32 sh[4];\n  ld.shared.b32 %r1, [sh];";
  expectFault(faultOf(body), FaultKind::UninitializedMemory, "shared");
  // Three of four bytes.
  expectFault(faultOf("  .local .align 4 .b8 lo[4];\n  mov.b16 %h1, 1;\n"
                      "  st.local.b16 [lo], %h1;\n  st.local.b8 [lo+2], %h1;\n"
                      "  ld.local.b32 %r1, [lo];"),
              FaultKind::UninitializedMemory, "local");
  Options options;
  options.checkMemory = false;
  EXPECT_FALSE(faultOf(body, 32, options).has_value());
}

TEST(Fault, RaceBetweenWarps) {
  const char *body = R"(
  .shared .align 4 .b8 sh[512];
  mov.b64 %%d1, sh;
  mad.wide.u32 %%d2, %%thread, 4, %%d1;
  st.shared.b32 [%%d2], %%thread;
  %s
  xor.b32 %%r1, %%thread, 32;
  mad.wide.u32 %%d3, %%r1, 4, %%d1;
  ld.shared.b32 %%r2, [%%d3];
  %s
  st.shared.b32 [%%d2], %%r2;)";
  auto with = [&](const char *first, const char *second) {
    char text[1000];
    snprintf(text, sizeof(text), body, first, second);
    return faultOf(text, 64);
  };
  EXPECT_FALSE(with("bar.sync 0;", "bar.sync 0;").has_value());
  // Read after write: whichever warp runs first, the other has not written or
  // is not ordered.
  auto fault = with("", "bar.sync 0;");
  ASSERT_TRUE(fault.has_value());
  EXPECT_TRUE(fault->kind == FaultKind::Race ||
              fault->kind == FaultKind::UninitializedMemory);
  // Write after read.
  fault = with("bar.sync 0;", "");
  expectFault(fault, FaultKind::Race, "have no barrier between them");
  // Barriers of one warp order nothing between two.
  expectFault(with("bar.sync 0;", "bar.warp.sync -1;"), FaultKind::Race,
              "have no barrier between them");
  Options options;
  options.checkRaces = false;
  char text[1000];
  snprintf(text, sizeof(text), body, "bar.sync 0;", "");
  EXPECT_FALSE(faultOf(text, 64, options).has_value());
}

TEST(Fault, RaceInWarp) {
  std::string body = R"(
  .shared .align 4 .b8 sh[256];
  mov.b64 %d1, sh;
  mad.wide.u32 %d2, %thread, 4, %d1;
  st.shared.b32 [%d2], %thread;
  SYNC
  xor.b32 %r1, %thread, 1;
  mad.wide.u32 %d3, %r1, 4, %d1;
  ld.shared.b32 %r2, [%d3];)";
  auto with = [&](const std::string &sync) {
    std::string text = body;
    return faultOf(text.replace(text.find("SYNC"), 4, sync));
  };
  EXPECT_FALSE(with("bar.warp.sync -1;").has_value());
  expectFault(with(""), FaultKind::Race, "have no barrier between them");
  // A shuffle meets the lanes, but orders no memory.
  expectFault(with("shfl.sync.bfly.b32 %r3, %thread, 1, 31, -1;"),
              FaultKind::Race, "have no barrier between them");
  // The lanes of one mask are ordered, those of two are not.
  expectFault(with("and.b32 %r4, %thread, 1; setp.eq.u32 %p1, %r4, 0; "
                   "selp.b32 %r5, 0x55555555, 0xaaaaaaaa, %p1; "
                   "bar.warp.sync %r5;"),
              FaultKind::Race, "have no barrier between them");
  // Two writes of one value are a race as well; atomics are not.
  expectFault(faultOf("  .shared .b32 sh;\n  mov.b32 %r1, 1;\n"
                      "  st.shared.b32 [sh], %r1;"),
              FaultKind::Race, "write");
  EXPECT_FALSE(faultOf("  .shared .b32 sh;\n  mov.b32 %r1, 1;\n"
                       "  setp.eq.u32 %p1, %thread, 0;\n"
                       "  @%p1 st.shared.b32 [sh], %r1;\n"
                       "  bar.warp.sync -1;\n"
                       "  red.shared.add.u32 [sh], %r1;")
                   .has_value());
  expectFault(faultOf("  .shared .b32 sh;\n  mov.b32 %r1, 1;\n"
                      "  setp.eq.u32 %p1, %thread, 0;\n"
                      "  @%p1 st.shared.b32 [sh], %r1;\n"
                      "  red.shared.add.u32 [sh], %r1;"),
              FaultKind::Race, "write");
}

TEST(Fault, RaceWithCopy) {
  std::string body = R"(
  .shared .align 16 .b8 sh[16];
  setp.ne.u32 %p1, %thread, 0;
  @%p1 exit;
  cp.async.ca.shared.global [sh], [%in], 4;
  cp.async.commit_group;
  WAIT
  ld.shared.b32 %r1, [sh];)";
  auto with = [&](const std::string &wait) {
    std::string text = body;
    return faultOf(text.replace(text.find("WAIT"), 4, wait));
  };
  EXPECT_FALSE(with("cp.async.wait_group 0;").has_value());
  expectFault(with("cp.async.wait_group 1;"), FaultKind::Race, "in flight");
  expectFault(with(""), FaultKind::Race, "in flight");
  // A bulk copy that still reads what is overwritten.
  expectFault(faultOf(R"(
  .shared .align 16 .b8 sh[16];
  setp.ne.u32 %p1, %thread, 0;
  @%p1 exit;
  mov.b32 %r1, 1;
  st.shared.v4.b32 [sh], {%r1, %r1, %r1, %r1};
  fence.proxy.async;
  cp.async.bulk.global.shared::cta.bulk_group [%out], [sh], 16;
  cp.async.bulk.commit_group;
  st.shared.b32 [sh], %r1;)"),
              FaultKind::Race, "still reads");
}

TEST(Fault, DivergentBarrier) {
  expectFault(faultOf("  setp.lt.u32 %p1, %thread, 7;\n  @%p1 bra A;\n"
                      "  bar.sync 0;\n  bra.uni B;\nA:\n  bar.sync 0;\nB:"),
              FaultKind::Barrier, "wait for lanes of their warp");
  expectFault(faultOf("  setp.lt.u32 %p1, %thread, 7;\n  @%p1 exit;\n"
                      "  bar.sync 0;"),
              FaultKind::Barrier, "some have exited");
  expectFault(faultOf("  setp.lt.u32 %p1, %thread, 32;\n  @%p1 exit;\n"
                      "  bar.sync 0;",
                      64),
              FaultKind::Barrier, "waits for 64 threads, but 32 arrive");
  expectFault(
      faultOf("  setp.lt.u32 %p1, %thread, 7;\n  @!%p1 bra A;\n"
              "  shfl.sync.idx.b32 %r1, %thread, 0, 31, -1;\n  exit;\nA:\n"
              "  shfl.sync.idx.b32 %r1, %thread, 0, 31, -1;"),
      FaultKind::Barrier, "wait for lanes of their warp");
  expectFault(faultOf("  shfl.sync.idx.b32 %r1, %thread, 0, 31, 1;"),
              FaultKind::Barrier, "not in its own member mask");
  expectFault(faultOf("  bar.sync %thread;"), FaultKind::Barrier,
              "different barriers");
  expectFault(faultOf("  bar.sync 0, 33;"), FaultKind::Barrier,
              "multiple of 32");
  expectFault(faultOf("  bar.sync 16;"), FaultKind::Barrier, "16 barriers");
  // The branch is behind its continuation in the text: no divergence.
  EXPECT_FALSE(faultOf("  setp.lt.u32 %p1, %thread, 7;\n  @%p1 bra COLD;\n"
                       "BACK:\n  bar.sync 0;\n  exit;\nCOLD:\n"
                       "  mov.b32 %r1, 1;\n  bra.uni BACK;")
                   .has_value());
}

TEST(Fault, Deadlock) {
  expectFault(faultOf("  .shared .align 8 .b64 mb;\n"
                      "  setp.ne.u32 %p1, %thread, 0;\n  @%p1 exit;\n"
                      "  mbarrier.init.shared::cta.b64 [mb], 1;\n"
                      "  mbarrier.try_wait.parity.shared::cta.b64 %p2, [mb], "
                      "0;"),
              FaultKind::Deadlock, "never completes");
  expectFault(faultOf("  .shared .align 8 .b64 mb;\n"
                      "  setp.ne.u32 %p1, %thread, 0;\n  @%p1 exit;\n"
                      "  mbarrier.init.shared::cta.b64 [mb], 1;\n"
                      "  mbarrier.arrive.shared::cta.b64 _, [mb], 2;"),
              FaultKind::Barrier, "more threads arrive");
  Options options;
  options.maxInstructions = 10000;
  expectFault(faultOf("LOOP:\n  bra.uni LOOP;", 32, options),
              FaultKind::InstructionLimit, "10000");
}

TEST(Fault, Unspecified) {
  // -2.0 is -128/64, or is it -127/64?
  std::string body = "  mov.f32 %r1, 0fC0000000;\n"
                     "  cvt.rn.satfinite.s2f6x2.f32 %h1, %r1, %r1;";
  expectFault(faultOf(body), FaultKind::Unspecified, "-127/64");
  EXPECT_FALSE(faultOf("  mov.f32 %r1, 0fBFFE0000;\n"
                       "  cvt.rn.satfinite.s2f6x2.f32 %h1, %r1, %r1;")
                   .has_value());
  // -127.5/64 is a tie.
  expectFault(faultOf("  mov.f32 %r1, 0fBFFF0000;\n"
                      "  cvt.rn.satfinite.s2f6x2.f32 %h1, %r1, %r1;"),
              FaultKind::Unspecified, "-127/64");
  Options options;
  options.checkUnspecified = false;
  EXPECT_FALSE(faultOf(body, 32, options).has_value());
}

TEST(Fault, Trap) {
  expectFault(faultOf("  trap;"), FaultKind::Trap, "trapped");
  expectFault(faultOf("  setp.lt.u32 %p1, %thread, 7;\n  @%p1 bra.uni A;\nA:"),
              FaultKind::Barrier, ".uni");
}

TEST(Fault, Targets) {
  auto faultFor = [](const std::string &version, const std::string &target,
                     const std::string &body) {
    return getFault(makeModule(".version " + version + "\n.target " + target +
                                   "\n.address_size 64\n",
                               body),
                    block(32));
  };
  std::string fp4 = "  mov.f32 %r1, 0f3F800000;\n"
                    "  cvt.rn.satfinite.e2m1x2.f32 %b1, %r1, %r1;";
  EXPECT_FALSE(faultFor("8.6", "sm_100a", fp4).has_value());
  EXPECT_FALSE(faultFor("8.7", "sm_120a", fp4).has_value());
  expectFault(faultFor("8.6", "sm_90a", fp4), FaultKind::Unsupported,
              "'sm_90a' does not have");
  expectFault(faultFor("8.8", "sm_103", fp4), FaultKind::Unsupported,
              "'sm_103' does not have");
  std::string s2f6 = "  mov.f32 %r1, 0f3F800000;\n"
                     "  cvt.rn.satfinite.s2f6x2.f32 %h1, %r1, %r1;";
  EXPECT_FALSE(faultFor("9.1", "sm_103a", s2f6).has_value());
  expectFault(faultFor("9.0", "sm_103a", s2f6), FaultKind::Unsupported,
              "needs PTX 9.1");
  expectFault(faultFor("9.1", "sm_103f", s2f6), FaultKind::Unsupported,
              "does not have");
  std::string rs = "  mov.f32 %r1, 0f3F800000;\n"
                   "  cvt.rs.satfinite.e2m1x4.f32 %h1, {%r1, %r1, %r1, %r1}, "
                   "%thread;";
  EXPECT_FALSE(faultFor("8.8", "sm_103a", rs).has_value());
  expectFault(faultFor("8.8", "sm_120a", rs), FaultKind::Unsupported,
              "does not have");
  std::string mixed = "  mov.b16 %h1, 0x3F80;\n"
                      "  add.rn.f32.bf16 %r1, %h1, 0f3F800000;";
  EXPECT_FALSE(faultFor("8.6", "sm_100", mixed).has_value());
  expectFault(faultFor("9.0", "sm_90a", mixed), FaultKind::Unsupported,
              "'sm_90a' does not have");
  // One version where it is new, another where it came later.
  std::string fp8 = "  mov.f32 %r1, 0f3F800000;\n"
                    "  cvt.rn.satfinite.e4m3x2.f32 %h1, %r1, %r1;";
  EXPECT_FALSE(faultFor("7.8", "sm_90", fp8).has_value());
  EXPECT_FALSE(faultFor("8.1", "sm_89", fp8).has_value());
  expectFault(faultFor("8.0", "sm_89", fp8), FaultKind::Unsupported,
              "needs PTX 8.1");
  expectFault(faultFor("9.0", "sm_86", fp8), FaultKind::Unsupported,
              "'sm_86' does not have");
  expectFault(faultFor("7.6", "sm_80", "  cvta.param.u64 %d1, %d2;"),
              FaultKind::Unsupported, "needs PTX 7.7");
  std::string three = "  mov.f32 %r1, 0f3F800000;\n"
                      "  max.f32 %r2, %r1, %r1, %r1;";
  expectFault(faultFor("8.6", "sm_90a", three), FaultKind::Unsupported,
              "needs PTX 8.8");
}

TEST(Fault, Launch) {
  std::string ptx = makeModule(getHeader(), "");
  auto fault = getFault(ptx, block(2048));
  ASSERT_TRUE(fault.has_value());
  EXPECT_EQ(fault->kind, FaultKind::Launch);
  LaunchConfig config = block(32);
  config.sharedBytes = 300 * 1024;
  fault = getFault(ptx, config);
  ASSERT_TRUE(fault.has_value());
  EXPECT_THAT(fault->message, HasSubstr("shared memory"));
  config = block(32);
  config.grid.x = 0;
  EXPECT_TRUE(getFault(ptx, config).has_value());
}
