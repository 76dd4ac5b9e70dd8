//===- ProgramsWarp.cpp - Control flow, warps and barriers ----------------===//
//
// Part of the Lowp project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Harness.h"

#include "llvm/ADT/bit.h"

using namespace lowp::sim;
using namespace lowp::sim::test;

namespace {

LaunchConfig block(uint32_t threads, uint32_t blocks = 1) {
  LaunchConfig config;
  config.block.x = threads;
  config.grid.x = blocks;
  return config;
}

/// Each thread of a warp writes %r9 computed from %r1, its input word.
void addWarp(std::vector<ProgramCase> &programs, const std::string &form,
             const std::string &text,
             const std::function<uint32_t(const std::vector<uint32_t> &,
                                          unsigned)> &reference,
             std::vector<uint32_t> input = {}) {
  if (input.empty())
    for (uint32_t i = 0; i < 32; ++i)
      input.push_back((i * 0x9E3779B9) >> (i % 7));
  ProgramCase program;
  program.name = form;
  program.forms = {form};
  program.body = "  mad.wide.u32 %address, %thread, 4, %in;\n"
                 "  ld.global.b32 %r1, [%address];\n  " +
                 text +
                 "\n  mad.wide.u32 %address, %thread, 4, %out;\n"
                 "  st.global.b32 [%address], %r9;\n";
  program.config = block(32);
  program.input = input;
  for (unsigned lane = 0; lane < 32; ++lane)
    program.expected.push_back(reference(input, lane));
  programs.push_back(program);
}

void addShuffles(std::vector<ProgramCase> &programs) {
  // Segments of 8 lanes: c = (32 - 8) << 8 | clamp.
  auto result = [](bool inRange, uint32_t value) {
    return value ^ (inRange ? 0x80000000 : 0);
  };
  std::string mark = " selp.b32 %r8, 0x80000000, 0, %p1;"
                     " xor.b32 %r9, %r9, %r8;";
  addWarp(programs, "shfl.sync.up.b32",
          "shfl.sync.up.b32 %r9|%p1, %r1, 3, 0x1800, -1;" + mark,
          [=](const std::vector<uint32_t> &x, unsigned lane) {
            bool in = lane % 8 >= 3;
            return result(in, x[in ? lane - 3 : lane]);
          });
  addWarp(programs, "shfl.sync.down.b32",
          "shfl.sync.down.b32 %r9|%p1, %r1, 3, 0x181f, -1;" + mark,
          [=](const std::vector<uint32_t> &x, unsigned lane) {
            bool in = lane % 8 + 3 < 8;
            return result(in, x[in ? lane + 3 : lane]);
          });
  addWarp(programs, "shfl.sync.bfly.b32",
          "shfl.sync.bfly.b32 %r9|%p1, %r1, 5, 0x1f, 0xffffffff;" + mark,
          [=](const std::vector<uint32_t> &x, unsigned lane) {
            return result(true, x[lane ^ 5]);
          });
  addWarp(programs, "shfl.sync.idx.b32",
          "shfl.sync.idx.b32 %r9|%p1, %r1, %thread, 0x181f, -1;" + mark,
          [=](const std::vector<uint32_t> &x, unsigned lane) {
            return result(true, x[lane / 8 * 8 + lane % 8]);
          });
  // Halves of a warp apart, each with its mask.
  addWarp(programs, "shfl.sync.bfly.b32",
          "setp.lt.u32 %p2, %thread, 16; @%p2 bra LOW;"
          " shfl.sync.bfly.b32 %r9, %r1, 1, 0x1f, 0xffff0000; bra.uni JOIN;"
          " LOW: shfl.sync.bfly.b32 %r9, %r1, 2, 0x1f, 0xffff; JOIN:",
          [](const std::vector<uint32_t> &x, unsigned lane) {
            return x[lane ^ (lane < 16 ? 2 : 1)];
          });
}

void addVotes(std::vector<ProgramCase> &programs) {
  auto ballot = [](const std::vector<uint32_t> &x) {
    uint32_t mask = 0;
    for (unsigned k = 0; k < 32; ++k)
      mask |= (x[k] & 1) << k;
    return mask;
  };
  std::string test = "and.b32 %r2, %r1, 1; setp.ne.u32 %p1, %r2, 0; ";
  addWarp(programs, "vote.sync.ballot.b32",
          test + "vote.sync.ballot.b32 %r9, %p1, -1;",
          [=](const std::vector<uint32_t> &x, unsigned) { return ballot(x); });
  addWarp(programs, "vote.sync.ballot.b32",
          test + "vote.sync.ballot.b32 %r9, !%p1, -1;",
          [=](const std::vector<uint32_t> &x, unsigned) { return ~ballot(x); });
  for (bool isOne : {false, true}) {
    std::vector<uint32_t> same(32, 1), other(32, 1);
    if (!isOne)
      other[7] = 0;
    auto expect = [&](const std::string &kind, bool holds,
                      const std::vector<uint32_t> &input) {
      std::string form = "vote.sync." + kind + ".pred";
      addWarp(
          programs, form,
          test + form + " %p2, %p1, -1; selp.b32 %r9, 1, 0, %p2;",
          [=](const std::vector<uint32_t> &, unsigned) -> uint32_t {
            return holds;
          },
          input);
    };
    expect("all", isOne, other);
    expect("any", true, other);
    expect("uni", isOne, other);
    expect("any", false, std::vector<uint32_t>(32, 0));
    expect("uni", true, std::vector<uint32_t>(32, 0));
  }
  addWarp(programs, "activemask.b32",
          "mov.b32 %r9, 0; setp.lt.u32 %p1, %thread, 5;"
          " @%p1 activemask.b32 %r9;",
          [](const std::vector<uint32_t> &, unsigned lane) -> uint32_t {
            return lane < 5 ? 31 : 0;
          });
}

void addReductions(std::vector<ProgramCase> &programs) {
  for (auto [name, reduce] : getReductions()) {
    std::string form = std::string("redux.sync.") + name;
    addWarp(programs, form, form + " %r9, %r1, -1;",
            [reduce = reduce](const std::vector<uint32_t> &x, unsigned) {
              uint32_t result = x[0];
              for (unsigned k = 1; k < 32; ++k)
                result = reduce(result, x[k]);
              return result;
            });
  }
  // -3, then 0 to 2.9 and a NaN.
  std::vector<uint32_t> floats(32, 0x3F800000);
  floats[3] = 0xC0400000;
  floats[9] = 0x4039999A;
  std::vector<uint32_t> withNaN = floats;
  withNaN[20] = 0x7F800001;
  auto expect = [&](const std::string &form, uint32_t value,
                    const std::vector<uint32_t> &input) {
    addWarp(
        programs, "redux.sync." + form + "f32",
        "redux.sync." + form + "f32 %r9, %r1, -1;",
        [=](const std::vector<uint32_t> &, unsigned) { return value; }, input);
  };
  expect("max.", 0x4039999A, withNaN);
  expect("min.", 0xC0400000, withNaN);
  expect("max.abs.", 0x40400000, withNaN);
  expect("max.abs.NaN.", 0x7FFFFFFF, withNaN);
  expect("max.abs.NaN.", 0x40400000, floats);
  expect("min.NaN.", 0x7FFFFFFF, withNaN);

  std::vector<uint32_t> groups;
  for (uint32_t i = 0; i < 32; ++i)
    groups.push_back(i % 3);
  addWarp(
      programs, "match.any.sync.b32", "match.any.sync.b32 %r9, %r1, -1;",
      [](const std::vector<uint32_t> &x, unsigned lane) {
        uint32_t mask = 0;
        for (unsigned k = 0; k < 32; ++k)
          mask |= uint32_t(x[k] == x[lane]) << k;
        return mask;
      },
      groups);
  addWarp(
      programs, "match.all.sync.b64",
      "cvt.u64.u32 %d1, %r1; match.all.sync.b64 %r9|%p1, %d1, -1;"
      " selp.b32 %r2, 1, 0, %p1; xor.b32 %r9, %r9, %r2;",
      [](const std::vector<uint32_t> &, unsigned) { return ~1u; },
      std::vector<uint32_t>(32, 7));
  addWarp(
      programs, "match.all.sync.b64",
      "cvt.u64.u32 %d1, %r1; match.all.sync.b64 %r9|%p1, %d1, -1;",
      [](const std::vector<uint32_t> &, unsigned) { return 0u; }, groups);
  addWarp(programs, "elect.sync",
          "elect.sync %r9|%p1, 0xffffffff; selp.b32 %r2, 256, 0, %p1;"
          " or.b32 %r9, %r9, %r2;",
          [](const std::vector<uint32_t> &, unsigned lane) -> uint32_t {
            return lane == 0 ? 256 : 0;
          });
}

void addControl(std::vector<ProgramCase> &programs) {
  // The number of steps of Collatz' problem: lanes leave the loop one by one.
  addWarp(programs, "bra",
          "add.u32 %r2, %thread, 1; mov.b32 %r9, 0;"
          " LOOP: setp.eq.u32 %p1, %r2, 1; @%p1 bra END;"
          " and.b32 %r3, %r2, 1; setp.eq.u32 %p2, %r3, 0; add.u32 %r9, %r9, 1;"
          " @%p2 bra EVEN; mad.lo.u32 %r2, %r2, 3, 1; bra.uni LOOP;"
          " EVEN: shr.u32 %r2, %r2, 1; bra.uni LOOP; END:",
          [](const std::vector<uint32_t> &, unsigned lane) {
            uint32_t steps = 0;
            for (uint32_t n = lane + 1; n != 1; ++steps)
              n = n % 2 ? 3 * n + 1 : n / 2;
            return steps;
          });
  // A lane waits in a loop for another one of its warp: both go on.
  addWarp(
      programs, "bra",
      ".shared .align 4 .b32 flag; setp.eq.u32 %p1, %thread, 0; mov.b32 %r9, "
      "7; mov.b32 %r3, 0; @%p1 st.shared.b32 [flag], %r3; bar.warp.sync -1; "
      "@!%p1 bra SET; SPIN: atom.shared.or.b32 %r2, [flag], 0; "
      "setp.eq.u32 %p2, %r2, 0; @%p2 bra SPIN; mov.b32 %r9, %r2; "
      "bra.uni END; SET: setp.eq.u32 %p3, %thread, 9; @%p3 "
      "atom.shared.or.b32 %r2, [flag], 5; END:",
      [](const std::vector<uint32_t> &, unsigned lane) -> uint32_t {
        return lane == 0 ? 5 : 7;
      });
  // Early exits, guards, and special registers.
  ProgramCase exits;
  exits.name = "exits";
  exits.forms = {"exit", "ret", "cvta.to.global.u64"};
  exits.body = R"(
  mov.u32 %r1, %ctaid.x;
  mov.u32 %r2, %ntid.x;
  mad.lo.u32 %r3, %r1, %r2, %thread;
  setp.ge.u32 %p1, %r3, 70;
  @%p1 exit;
  mov.u32 %r4, %laneid;
  mov.u32 %r5, %nctaid.x;
  mov.u32 %r6, %lanemask_lt;
  popc.b32 %r6, %r6;
  sub.u32 %r4, %r4, %r6;
  mad.lo.u32 %r4, %r5, 1000, %r4;
  mad.wide.u32 %address, %r3, 4, %out;
  st.global.b32 [%address], %r4;)";
  exits.config = block(48, 2);
  exits.input = {0};
  for (uint32_t i = 0; i < 70; ++i)
    exits.expected.push_back(2000);
  exits.expected.push_back(~0u);
  programs.push_back(exits);
}

void addBarriers(std::vector<ProgramCase> &programs) {
  // The sum of a block by a tree.
  ProgramCase tree;
  tree.name = "tree";
  tree.forms = {"bar.sync", "bar.warp.sync"};
  tree.body = R"(
  .shared .align 4 .b8 sh[512];
  mov.b64 %d1, sh;
  mad.wide.u32 %d2, %thread, 4, %d1;
  mad.wide.u32 %d3, %thread, 4, %in;
  ld.global.b32 %r1, [%d3];
  st.shared.b32 [%d2], %r1;
  mov.b32 %r2, 64;
LOOP:
  bar.sync 0;
  setp.ge.u32 %p1, %thread, %r2;
  @%p1 bra SKIP;
  mad.wide.u32 %d4, %r2, 4, %d2;
  ld.shared.b32 %r3, [%d4];
  ld.shared.b32 %r4, [%d2];
  add.u32 %r4, %r4, %r3;
  st.shared.b32 [%d2], %r4;
SKIP:
  shr.u32 %r2, %r2, 1;
  setp.ne.u32 %p2, %r2, 0;
  @%p2 bra LOOP;
  bar.warp.sync -1;
  setp.ne.u32 %p3, %thread, 0;
  @%p3 exit;
  ld.shared.b32 %r5, [sh];
  st.global.b32 [%out], %r5;)";
  tree.config = block(128);
  uint32_t sum = 0;
  for (uint32_t i = 0; i < 128; ++i) {
    tree.input.push_back(i * i);
    sum += i * i;
  }
  tree.expected = {sum};
  programs.push_back(tree);

  // Producers arrive, consumers wait; reductions; barriers of some warps.
  ProgramCase named;
  named.name = "named";
  named.forms = {"bar.arrive",       "bar.sync",          "barrier.sync",
                 "bar.red.popc.u32", "bar.red.and.pred",  "bar.red.or.pred",
                 "membar.cta",       "fence.acq_rel.cta", "bra.uni"};
  named.body = R"(
  .shared .align 4 .b32 value;
  setp.lt.u32 %p1, %thread, 32;
  @!%p1 bra CONSUME;
  setp.eq.u32 %p2, %thread, 3;
  mov.b32 %r1, 41;
  @%p2 st.shared.b32 [value], %r1;
  membar.cta;
  bar.arrive 1, 64;
  bra.uni JOIN;
CONSUME:
  bar.sync 1, 64;
  fence.acq_rel.cta;
  ld.shared.b32 %r1, [value];
JOIN:
  setp.lt.u32 %p3, %thread, 40;
  bar.red.popc.u32 %r2, 0, %p3;
  bar.red.and.pred %p4, 0, %p3;
  bar.red.or.pred %p5, 0, !%p3;
  barrier.sync 2, 64;
  selp.b32 %r3, 1000, 0, %p4;
  selp.b32 %r4, 2000, 0, %p5;
  add.u32 %r1, %r1, %r2;
  add.u32 %r1, %r1, %r3;
  add.u32 %r1, %r1, %r4;
  mad.wide.u32 %address, %thread, 4, %out;
  st.global.b32 [%address], %r1;)";
  named.config = block(64);
  named.input = {0};
  named.expected.assign(64, 41 + 40 + 2000);
  programs.push_back(named);
}

} // namespace

void lowp::sim::test::addWarpPrograms(std::vector<ProgramCase> &programs) {
  addShuffles(programs);
  addVotes(programs);
  addReductions(programs);
  addControl(programs);
  addBarriers(programs);
}
