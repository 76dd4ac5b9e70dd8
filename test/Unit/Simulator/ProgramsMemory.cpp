//===- ProgramsMemory.cpp - Memory, atomics and copies --------------------===//
//
// Part of the Lowp project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Harness.h"

#include <numeric>

using namespace lowp::sim;
using namespace lowp::sim::test;

namespace {

std::vector<uint32_t> iota(size_t n, uint32_t first = 0x01020304) {
  std::vector<uint32_t> words(n);
  for (size_t i = 0; i < n; ++i)
    words[i] = first + uint32_t(i) * 0x11050903;
  return words;
}

LaunchConfig block(uint32_t threads) {
  LaunchConfig config;
  config.block.x = threads;
  return config;
}

/// Copies 32 bytes by one kind of load and store.
void addCopy(std::vector<ProgramCase> &programs, const std::string &type,
             unsigned bytes, unsigned vector, char letter) {
  std::string v = vector == 1 ? "" : ".v" + std::to_string(vector);
  std::string regs;
  for (unsigned k = 0; k < vector; ++k)
    regs += (k ? ", %" : "%") + std::string(1, letter) + std::to_string(k + 10);
  if (vector > 1)
    regs = "{" + regs + "}";
  std::string load = v + "." + type;
  for (auto [space, forms] :
       {std::pair("global", true), std::pair("shared", true),
        std::pair("local", true), std::pair("", true)}) {
    (void)forms;
    std::string s = space;
    unsigned total = bytes * vector;
    if (total == 32 && s != "global")
      continue;
    std::string body = "  .shared .align 32 .b8 sh[64];\n"
                       "  .local .align 32 .b8 lo[64];\n";
    std::string dot = s.empty() ? "" : "." + s;
    for (unsigned at = 0; at < 32; at += total) {
      std::string o = "+" + std::to_string(at) + "]";
      body += "  ld.global" + load + " " + regs + ", [%in" + o + ";\n";
      if (s == "shared" || s == "local") {
        std::string name = s == "shared" ? "sh" : "lo";
        body += "  st." + s + load + " [" + name + o + ", " + regs + ";\n";
        body += "  ld." + s + load + " " + regs + ", [" + name + o + ";\n";
      } else if (s.empty()) {
        // Generic addresses of shared memory.
        body += "  mov.b64 %d1, sh;\n  cvta.shared.u64 %d1, %d1;\n";
        body += "  st" + load + " [%d1" + o + ", " + regs + ";\n";
        body += "  ld" + load + " " + regs + ", [%d1" + o + ";\n";
      }
      body += "  st.global" + load + " [%out" + o + ", " + regs + ";\n";
    }
    ProgramCase program;
    program.name = "copy" + dot + load;
    program.forms = {"ld" + dot + load, "st" + dot + load};
    if (s.empty())
      program.forms.push_back("cvta.shared.u64");
    program.body = body;
    program.config = block(1);
    program.input = iota(8);
    program.expected = program.input;
    programs.push_back(program);
  }
}

/// Narrow loads into wider registers.
void addExtension(std::vector<ProgramCase> &programs) {
  for (auto [type, bytes, isSigned] :
       {std::tuple("u8", 1, false), std::tuple("s8", 1, true),
        std::tuple("u16", 2, false), std::tuple("s16", 2, true),
        std::tuple("u32", 4, false), std::tuple("s32", 4, true),
        std::tuple("b8", 1, false), std::tuple("b16", 2, false)}) {
    ProgramCase program;
    program.name = std::string("extend.") + type;
    program.forms = {std::string("ld.global.") + type};
    program.body = std::string("  ld.global.") + type +
                   " %d1, [%in+4];\n  st.global.b64 [%out], %d1;\n";
    program.config = block(1);
    program.input = {0x11111111, 0x87F6E5D4, 0x22222222};
    uint64_t raw = 0x87F6E5D4;
    unsigned shift = 64 - 8 * bytes;
    uint64_t value = isSigned ? uint64_t(int64_t(raw << shift) >> shift)
                              : raw << shift >> shift;
    program.expected = {uint32_t(value), uint32_t(value >> 32)};
    programs.push_back(program);
  }
}

void addSpaces(std::vector<ProgramCase> &programs) {
  ProgramCase constant;
  constant.name = "const";
  // Variables of a module cannot be declared in a function: parameters and
  // generic addresses of local memory.
  constant.name = "param";
  constant.forms = {"ld.param.b64", "ld.param.b32", "cvta.param.u64", "ld.b64"};
  constant.body = R"(
  ld.param.b32 %r1, [in];
  ld.param.b32 %r2, [in+4];
  mov.b64 %d1, in;
  cvta.param.u64 %d1, %d1;
  ld.b64 %d2, [%d1];
  mov.b64 %d3, {%r1, %r2};
  xor.b64 %d4, %d2, %d3;
  st.global.b64 [%out], %d4;)";
  constant.config = block(1);
  constant.input = {0};
  constant.expected = {0, 0};
  programs.push_back(constant);

  ProgramCase local;
  local.name = "local generic";
  local.forms = {"cvta.local.u64", "cvta.to.local.u64", "st.b32",
                 "ld.local.b32",   "isspacep.local",    "isspacep.global",
                 "isspacep.shared"};
  local.body = R"(
  .local .align 4 .b8 lo[128];
  mov.b64 %d1, lo;
  cvta.local.u64 %d2, %d1;
  cvta.to.local.u64 %d3, %d2;
  mad.wide.u32 %d2, %thread, 4, %d2;
  st.b32 [%d2], %thread;
  mad.wide.u32 %d3, %thread, 4, %d3;
  ld.local.b32 %r1, [%d3];
  isspacep.local %p1, %d2;
  isspacep.global %p2, %d2;
  isspacep.shared %p3, %d2;
  selp.b32 %r2, 256, 0, %p1;
  selp.b32 %r3, 512, 0, %p2;
  selp.b32 %r4, 1024, 0, %p3;
  or.b32 %r1, %r1, %r2;
  or.b32 %r1, %r1, %r3;
  or.b32 %r1, %r1, %r4;
  mad.wide.u32 %address, %thread, 4, %out;
  st.global.b32 [%address], %r1;)";
  local.config = block(32);
  local.input = {0};
  for (uint32_t i = 0; i < 32; ++i)
    local.expected.push_back(i | 256);
  programs.push_back(local);
}

using Update = uint64_t (*)(uint64_t memory, uint64_t b, uint64_t c);

/// Each of 64 threads applies an operation to one word, in order of the
/// threads here; results of one thread are exact anyhow.
void addAtomic(std::vector<ProgramCase> &programs, const std::string &op,
               const std::string &type, bool is64, Update update,
               uint64_t memory, uint64_t b, uint64_t c = 0) {
  bool hasC = op == "cas";
  std::string reg = is64 ? "%d" : "%r", size = is64 ? "b64" : "b32";
  for (std::string space : {"global", "shared"}) {
    std::string body = "  .shared .align 8 .b64 sh;\n";
    std::string address = space == "global" ? "[%out]" : "[sh]";
    body += "  ld.global." + size + " " + reg + "1, [%in];\n  ld.global." +
            size + " " + reg + "2, [%in+8];\n  ld.global." + size + " " + reg +
            "3, [%in+16];\n";
    body += "  st." + space + "." + size + " " + address + ", " + reg + "1;\n";
    std::string form = "atom." + space + "." + op + "." + type;
    body += "  " + form + " " + reg + "4, " + address + ", " + reg + "2" +
            (hasC ? ", " + reg + "3" : "") + ";\n";
    std::vector<std::string> forms = {form};
    uint64_t expected = update(memory, b, c);
    uint64_t old = memory;
    if (op != "exch" && op != "cas") {
      std::string red = "red." + space + "." + op + "." + type;
      body += "  " + red + " " + address + ", " + reg + "2;\n";
      forms.push_back(red);
      expected = update(expected, b, c);
    }
    body += "  ld." + space + "." + size + " " + reg + "5, " + address + ";\n";
    body += "  st.global." + size + " [%out], " + reg + "5;\n";
    body += "  st.global." + size + " [%out+8], " + reg + "4;\n";
    if (!is64)
      body += "  mov.b32 %r6, 0;\n  st.global.b32 [%out+4], %r6;\n"
              "  st.global.b32 [%out+12], %r6;\n";
    ProgramCase program;
    program.name = form;
    program.forms = forms;
    program.body = body;
    program.config = block(1);
    for (uint64_t word : {memory, b, c}) {
      program.input.push_back(uint32_t(word));
      program.input.push_back(uint32_t(word >> 32));
    }
    for (uint64_t word : {expected, old}) {
      program.expected.push_back(uint32_t(word));
      program.expected.push_back(is64 ? uint32_t(word >> 32) : 0);
    }
    programs.push_back(program);
  }
}

void addAtomics(std::vector<ProgramCase> &programs) {
  Update add = [](uint64_t m, uint64_t b, uint64_t) { return m + b; };
  Update add32 = [](uint64_t m, uint64_t b, uint64_t) {
    return uint64_t(uint32_t(m + b));
  };
  addAtomic(programs, "add", "u32", false, add32, 0xFFFFFFF0, 0x21);
  addAtomic(programs, "add", "s32", false, add32, 5, 0xFFFFFFF0);
  addAtomic(programs, "add", "u64", true, add, 0xFFFFFFFF, 0x123456789);
  Update minU = [](uint64_t m, uint64_t b, uint64_t) { return std::min(m, b); };
  Update maxU = [](uint64_t m, uint64_t b, uint64_t) { return std::max(m, b); };
  addAtomic(programs, "min", "u32", false, minU, 0x80000000, 7);
  addAtomic(programs, "max", "u32", false, maxU, 0x80000000, 7);
  addAtomic(programs, "min", "u64", true, minU, 1ull << 63, 7);
  addAtomic(programs, "max", "u64", true, maxU, 1ull << 63, 7);
  addAtomic(programs, "min", "s32", false, maxU, 0x80000000, 7);
  addAtomic(programs, "max", "s32", false, minU, 0x80000000, 7);
  addAtomic(programs, "min", "s64", true, maxU, 1ull << 63, 7);
  addAtomic(programs, "max", "s64", true, minU, 1ull << 63, 7);
  for (bool is64 : {false, true}) {
    std::string type = is64 ? "b64" : "b32";
    addAtomic(
        programs, "and", type, is64,
        [](uint64_t m, uint64_t b, uint64_t) { return m & b; }, 0xF0F0F0F0,
        0xFF00FF00);
    addAtomic(
        programs, "or", type, is64,
        [](uint64_t m, uint64_t b, uint64_t) { return m | b; }, 0xF0F0F0F0,
        0xFF00FF00);
    addAtomic(
        programs, "xor", type, is64,
        [](uint64_t m, uint64_t b, uint64_t) { return m ^ b; }, 0xF0F0F0F0,
        0xFF00FF00);
    addAtomic(
        programs, "exch", type, is64,
        [](uint64_t, uint64_t b, uint64_t) { return b; }, 17, 42);
    Update cas = [](uint64_t m, uint64_t b, uint64_t c) {
      return m == b ? c : m;
    };
    addAtomic(programs, "cas", type, is64, cas, 17, 17, 99);
    addAtomic(programs, "cas", type, is64, cas, 17, 18, 99);
  }
  Update inc = [](uint64_t m, uint64_t b, uint64_t) {
    return m >= b ? 0 : m + 1;
  };
  Update dec = [](uint64_t m, uint64_t b, uint64_t) {
    return m == 0 || m > b ? b : m - 1;
  };
  addAtomic(programs, "inc", "u32", false, inc, 6, 7);
  addAtomic(programs, "dec", "u32", false, dec, 1, 7);
  addAtomic(programs, "dec", "u32", false, dec, 9, 7);
  addAtomic(programs, "inc", "u32", false, inc, 9, 7);
  // 1 + 2 + 2; 1.5 + -2 + -2.
  addAtomic(
      programs, "add", "f32", false,
      [](uint64_t m, uint64_t, uint64_t) -> uint64_t {
        return m == 0x3F800000 ? 0x40400000 : 0x40A00000;
      },
      0x3F800000, 0x40000000);
  addAtomic(
      programs, "add", "f64", true,
      [](uint64_t m, uint64_t, uint64_t) -> uint64_t {
        return m == 0x3FF8000000000000 ? 0xBFE0000000000000
                                       : 0xC004000000000000;
      },
      0x3FF8000000000000, 0xC000000000000000);
  addAtomic(
      programs, "add", "noftz.f16x2", false,
      [](uint64_t m, uint64_t, uint64_t) -> uint64_t {
        return m == 0x3C000001 ? 0x40000002 : 0x42000003;
      },
      0x3C000001, 0x3C000001);
  addAtomic(
      programs, "add", "noftz.bf16x2", false,
      [](uint64_t m, uint64_t, uint64_t) -> uint64_t {
        return m == 0x3F800001 ? 0x40000002 : 0x40400003;
      },
      0x3F800001, 0x3F800001);
}

void addCopies(std::vector<ProgramCase> &programs) {
  // One group of each size, zeros beyond what is read, then a barrier.
  ProgramCase async;
  async.name = "cp.async";
  async.forms = {"cp.async.ca.shared.global", "cp.async.cg.shared.global",
                 "cp.async.commit_group",     "cp.async.wait_group",
                 "cp.async.wait_all",         "bar.sync"};
  async.body = R"(
  .shared .align 16 .b8 sh[2048];
  mov.b64 %d1, sh;
  mad.wide.u32 %d2, %thread, 16, %d1;
  mad.wide.u32 %d3, %thread, 16, %in;
  setp.eq.u32 %p1, %thread, 5;
  @%p1 bra SHORT;
  cp.async.cg.shared.global [%d2], [%d3], 16;
  bra.uni DONE;
SHORT:
  cp.async.ca.shared.global [%d2], [%d3], 8;
  cp.async.commit_group;
  cp.async.ca.shared.global [%d2+8], [%d3+8], 8, 4;
DONE:
  cp.async.commit_group;
  cp.async.wait_group 1;
  cp.async.wait_all;
  bar.sync 0;
  xor.b32 %r1, %thread, 1;
  mad.wide.u32 %d4, %r1, 16, %d1;
  ld.shared.v4.b32 {%r1, %r2, %r3, %r4}, [%d4];
  mad.wide.u32 %address, %thread, 16, %out;
  st.global.v4.b32 [%address], {%r1, %r2, %r3, %r4};)";
  async.config = block(64);
  async.input = iota(256);
  async.expected = async.input;
  async.expected[4 * 5 + 3] = 0;
  for (size_t i = 0; i < 256; i += 8)
    for (size_t k = 0; k < 4; ++k)
      std::swap(async.expected[i + k], async.expected[i + 4 + k]);
  programs.push_back(async);

  // In by a bulk copy that an mbarrier waits for, out by a bulk group.
  ProgramCase bulk;
  bulk.name = "cp.async.bulk";
  bulk.forms = {
      "mbarrier.init.shared::cta.b64",
      "mbarrier.arrive.expect_tx.shared::cta.b64",
      "mbarrier.try_wait.parity.shared::cta.b64",
      "mbarrier.arrive.shared::cta.b64",
      "mbarrier.test_wait.shared::cta.b64",
      "mbarrier.pending_count.b64",
      "mbarrier.inval.shared::cta.b64",
      "fence.mbarrier_init.release.cluster",
      "fence.proxy.async.shared::cta",
      "cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes",
      "cp.async.bulk.global.shared::cta.bulk_group",
      "cp.async.bulk.commit_group",
      "cp.async.bulk.wait_group"};
  bulk.body = R"(
  .shared .align 16 .b8 sh[256];
  .shared .align 8 .b64 mb;
  .shared .align 8 .b64 mb2;
  mov.b64 %d1, sh;
  setp.ne.u32 %p1, %thread, 0;
  @%p1 bra WAIT;
  mbarrier.init.shared::cta.b64 [mb], 1;
  mbarrier.init.shared::cta.b64 [mb2], 2;
  fence.mbarrier_init.release.cluster;
  mbarrier.arrive.expect_tx.shared::cta.b64 _, [mb], 256;
  cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes [sh], [%in], 128, [mb];
  cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes [sh+128], [%in+128], 128, [mb];
  mbarrier.arrive.shared::cta.b64 %d5, [mb2];
  mbarrier.pending_count.b64 %r5, %d5;
  mbarrier.test_wait.shared::cta.b64 %p3, [mb2], %d5;
  mbarrier.arrive.shared::cta.b64 %d6, [mb2];
  mbarrier.test_wait.shared::cta.b64 %p4, [mb2], %d5;
  selp.b32 %r6, 16, 0, %p3;
  selp.b32 %r7, 256, 0, %p4;
  or.b32 %r5, %r5, %r6;
  or.b32 %r5, %r5, %r7;
  mbarrier.inval.shared::cta.b64 [mb2];
  st.global.b32 [%out+256], %r5;
WAIT:
  bar.sync 0;
  mov.b32 %r1, 0;
LOOP:
  mbarrier.try_wait.parity.shared::cta.b64 %p2, [mb], %r1;
  @!%p2 bra LOOP;
  mad.wide.u32 %d2, %thread, 4, %d1;
  ld.shared.b32 %r2, [%d2];
  add.u32 %r2, %r2, 1;
  st.shared.b32 [%d2], %r2;
  fence.proxy.async.shared::cta;
  bar.sync 0;
  @%p1 bra END;
  cp.async.bulk.global.shared::cta.bulk_group [%out], [sh], 256;
  cp.async.bulk.commit_group;
  cp.async.bulk.wait_group 0;
END:)";
  bulk.config = block(64);
  bulk.input = iota(64);
  for (uint32_t word : bulk.input)
    bulk.expected.push_back(word + 1);
  // Two arrivals were left, the phase was not over, then it was.
  bulk.expected.push_back(2 | 256);
  programs.push_back(bulk);
}

} // namespace

void lowp::sim::test::addMemoryPrograms(std::vector<ProgramCase> &programs) {
  for (unsigned vector : {1u, 2u, 4u}) {
    addCopy(programs, "b8", 1, vector, 'h');
    addCopy(programs, "b16", 2, vector, 'h');
    addCopy(programs, "b32", 4, vector, 'r');
    if (vector < 4)
      addCopy(programs, "b64", 8, vector, 'd');
    addCopy(programs, "f32", 4, vector, 'r');
    addCopy(programs, "u32", 4, vector, 'r');
  }
  addCopy(programs, "u64", 8, 1, 'd');
  addCopy(programs, "s32", 4, 1, 'r');
  addCopy(programs, "u16", 2, 1, 'h');
  addCopy(programs, "f64", 8, 2, 'd');
  addCopy(programs, "b64", 8, 4, 'd');
  addCopy(programs, "b32", 4, 8, 'r');
  addExtension(programs);
  addSpaces(programs);
  addAtomics(programs);
  addCopies(programs);
}
