//===- Requirements.cpp - Targets and versions of instructions ------------===//
//
// Part of the Lowp project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Written down from the PTX ISA on its own, not from what the compiler believes
// (lib/Target/TargetInfo.cpp): each checks the other.
//
//===----------------------------------------------------------------------===//

#include "lowp/Simulator/Requirements.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/ADT/StringExtras.h"

using namespace lowp::sim;
using llvm::StringRef;

namespace {

/// Sets of targets that are no "this and everything newer".
enum class Group : uint8_t {
  /// `sm` and up, with or without a suffix.
  Up,
  /// Architecture- or family-specific targets of sm_100 and up.
  Family,
  /// Architecture-specific targets of sm_100 and up.
  Specific,
  /// Those of sm_100 and sm_103: alone, or with their families.
  DataCenterSpecific,
  DataCenterFamily,
};

struct Requirement {
  /// Parts of the form, in order; others may stand between them. `{a,b}` is
  /// either; a `*` at the end is anything. The first row that fits counts, or
  /// one below it that has the same pattern and a target to go with.
  llvm::StringLiteral pattern;
  unsigned version;
  Group group;
  unsigned sm;
};

using G = Group;
// clang-format off
constexpr Requirement requirements[] = {
    {"cvt.rs.{e4m3x4,e5m2x4,e2m3x4,e3m2x4,e2m1x4}.f32", 87, G::DataCenterSpecific, 100},
    {"cvt.rs.{bf16x2,f16x2}.f32",                       87, G::DataCenterSpecific, 100},
    {"cvt.{e4m3x2,e5m2x2}.bf16x2",                      91, G::Family, 100},
    {"cvt.{e4m3x2,e5m2x2}.{f32,f16x2}",                 78, G::Up, 90},
    {"cvt.{e4m3x2,e5m2x2}.{f32,f16x2}",                 81, G::Up, 89},
    {"cvt.f16x2.{e4m3x2,e5m2x2}",                       78, G::Up, 90},
    {"cvt.f16x2.{e4m3x2,e5m2x2}",                       81, G::Up, 89},
    {"cvt.bf16x2.{e4m3x2,e5m2x2,e2m3x2,e3m2x2,e2m1x2}", 92, G::Family, 100},
    {"cvt.{e2m1x2,e2m3x2,e3m2x2}.f32",                  86, G::Family, 100},
    {"cvt.{e2m1x2,e2m3x2,e3m2x2}.{f16x2,bf16x2}",       91, G::Family, 100},
    {"cvt.f16x2.{e2m1x2,e2m3x2,e3m2x2}",                86, G::Family, 100},
    {"cvt.ue8m0x2.{f32,bf16x2}",                        86, G::Family, 100},
    {"cvt.bf16x2.ue8m0x2",                              86, G::Family, 100},
    {"cvt.s2f6x2.{f32,bf16x2}",                         91, G::Specific, 100},
    {"cvt.bf16x2.s2f6x2",                               91, G::Specific, 100},
    {"cvt.rna.satfinite.tf32.f32",                      81, G::Up, 80},
    {"cvt.rna.tf32.f32",                                70, G::Up, 80},
    {"cvt.satfinite.tf32.f32",                          86, G::Up, 100},
    {"cvt.tf32.f32",                                    78, G::Up, 90},
    {"cvt.satfinite.{f16,bf16,f16x2,bf16x2}.f32",       81, G::Up, 80},
    {"cvt.{bf16,f16x2,bf16x2}.f32",                     70, G::Up, 80},
    {"cvt.relu.f16.f32",                                70, G::Up, 80},
    {"cvt.bf16.*",                                      78, G::Up, 90},
    {"cvt.pack.*",                                      65, G::Up, 72},

    {"{add,sub,mul,fma}.f32x2",                         86, G::Up, 100},
    {"{add,sub,fma}.f32.{f16,bf16}",                    86, G::Up, 100},
    {"{add,sub,mul}.{bf16,bf16x2}",                     78, G::Up, 90},
    {"fma.relu.*",                                      70, G::Up, 80},
    {"fma.{bf16,bf16x2}",                               70, G::Up, 80},
    {"{add,sub,mul,fma}.{f16,f16x2}",                   60, G::Up, 60},
    {"{min,max}.xorsign.*",                             72, G::Up, 86},
    {"{min,max}.{f16,f16x2,bf16,bf16x2}",               70, G::Up, 80},
    {"{min,max}.NaN.f32",                               70, G::Up, 80},
    {"{abs,neg}.{f16,f16x2,bf16,bf16x2}",               70, G::Up, 80},
    {"{set,setp}.{bf16,bf16x2}",                        78, G::Up, 90},
    {"{add,min,max}.{u16x2,s16x2}",                     80, G::Up, 90},
    {"{min,max}.relu.{s32,s16x2}",                      80, G::Up, 90},
    {"{ex2,tanh}.{bf16,bf16x2}",                        78, G::Up, 90},
    {"{ex2,tanh}.{f16,f16x2}",                          70, G::Up, 75},
    {"tanh.f32",                                        70, G::Up, 75},
    {"{szext,bmsk}.*",                                  76, G::Up, 70},
    {"mov.b128",                                        83, G::Up, 70},
    {"{ld,st}.b128",                                    83, G::Up, 70},
    {"{ld,st}.v8.*",                                    88, G::Up, 100},
    {"{ld,st}.v4.{b64,u64,s64,f64}",                    88, G::Up, 100},

    {"redux.sync.f32",                                  86, G::DataCenterFamily, 100},
    {"redux.sync.*",                                    70, G::Up, 80},
    {"elect.sync",                                      80, G::Up, 90},
    {"{cvta,isspacep}.param.*",                         77, G::Up, 20},
    {"{match,activemask,bar}.*",                        62, G::Up, 30},
    {"mapa.*",                                          78, G::Up, 90},
    {"fence.proxy.*",                                   80, G::Up, 70},
    {"cp.async.bulk.{shared::cta}.global.*",            86, G::Up, 90},
    {"cp.async.bulk.*",                                 80, G::Up, 90},
    {"cp.async.*",                                      70, G::Up, 80},
    {"mbarrier.try_wait.*",                             78, G::Up, 90},
    {"mbarrier.{expect_tx,complete_tx}.*",              80, G::Up, 90},
    {"mbarrier.arrive.expect_tx.*",                     80, G::Up, 90},
    {"mbarrier.*",                                      70, G::Up, 80},
    {"{atom,red}.{bf16,bf16x2}",                        78, G::Up, 90},
    {"{atom,red}.{f16,f16x2}",                          63, G::Up, 70},
    {"{atom,red}.f64",                                  50, G::Up, 60},
};

struct Target {
  llvm::StringLiteral name;
  unsigned version;
};

constexpr Target targets[] = {
    {"sm_70", 60},   {"sm_72", 61},   {"sm_75", 63},   {"sm_80", 70},
    {"sm_86", 71},   {"sm_87", 74},   {"sm_89", 78},   {"sm_90", 78},
    {"sm_90a", 80},  {"sm_100", 86},  {"sm_100a", 86}, {"sm_100f", 88},
    {"sm_103", 88},  {"sm_103a", 88}, {"sm_103f", 88}, {"sm_110", 90},
    {"sm_110a", 90}, {"sm_110f", 90}, {"sm_120", 87},  {"sm_120a", 87},
    {"sm_120f", 88}, {"sm_121", 88},  {"sm_121a", 88}, {"sm_121f", 88},
};
// clang-format on

constexpr Gpu gpus[] = {
    {"sm_80", 8, 0},    {"sm_90a", 9, 0},   {"sm_100a", 10, 0},
    {"sm_103a", 10, 3}, {"sm_120a", 12, 0},
};

bool matchesPart(StringRef pattern, StringRef part) {
  if (!pattern.consume_front("{"))
    return pattern == part;
  pattern.consume_back("}");
  llvm::SmallVector<StringRef, 8> alternatives;
  pattern.split(alternatives, ',');
  return llvm::is_contained(alternatives, part);
}

bool matches(StringRef pattern, llvm::ArrayRef<StringRef> parts) {
  llvm::SmallVector<StringRef, 8> wanted;
  pattern.split(wanted, '.');
  bool isOpen = wanted.back() == "*";
  if (isOpen)
    wanted.pop_back();
  if (!matchesPart(wanted.front(), parts.front()) ||
      (!isOpen && !matchesPart(wanted.back(), parts.back())))
    return false;
  size_t next = 0;
  for (StringRef part : parts)
    if (next < wanted.size() && matchesPart(wanted[next], part))
      ++next;
  return next == wanted.size();
}

llvm::VersionTuple toTuple(unsigned version) {
  return llvm::VersionTuple(version / 10, version % 10);
}

bool isIn(Group group, StringRef target, unsigned sm) {
  unsigned number = getTargetNumber(target);
  bool isSpecific = target.ends_with("a"), isFamily = target.ends_with("f");
  bool isDataCenter = number == 100 || number == 103;
  if (number < sm)
    return false;
  switch (group) {
  case Group::Up:
    return true;
  case Group::Family:
    return isSpecific || isFamily;
  case Group::Specific:
    return isSpecific;
  case Group::DataCenterSpecific:
    return isDataCenter && isSpecific;
  case Group::DataCenterFamily:
    return isDataCenter && (isSpecific || isFamily);
  }
  return false;
}

} // namespace

unsigned lowp::sim::getTargetNumber(StringRef target) {
  unsigned number = 0;
  target.consume_front("sm_");
  target.consume_back("a");
  target.consume_back("f");
  return target.getAsInteger(10, number) ? 0 : number;
}

llvm::ArrayRef<Gpu> lowp::sim::getGpus() { return gpus; }

bool lowp::sim::runsTarget(const Gpu &gpu, StringRef target) {
  unsigned number = getTargetNumber(target);
  unsigned capability = 10 * gpu.major + gpu.minor;
  if (number == 0 || number > capability)
    return false;
  if (target.ends_with("a"))
    return number == capability;
  return !target.ends_with("f") || number / 10 == gpu.major;
}

std::string lowp::sim::checkTarget(StringRef target,
                                   llvm::VersionTuple version) {
  for (const Target &known : targets) {
    if (known.name != target)
      continue;
    if (version >= toTuple(known.version))
      return {};
    return ("target '" + target + "' needs PTX " +
            toTuple(known.version).getAsString() + ", but the text has " +
            version.getAsString())
        .str();
  }
  return ("unknown target '" + target + "'").str();
}

std::string lowp::sim::checkRequirements(StringRef form, StringRef target,
                                         llvm::VersionTuple version) {
  llvm::SmallVector<StringRef, 12> parts;
  form.split(parts, '.');
  const Requirement *end = std::end(requirements);
  for (const Requirement *row = requirements; row != end; ++row) {
    if (!matches(row->pattern, parts))
      continue;
    while (!isIn(row->group, target, row->sm)) {
      const Requirement *next = row + 1;
      if (next == end || next->pattern != row->pattern)
        return ("target '" + target + "' does not have '" + form + "'").str();
      row = next;
    }
    if (version >= toTuple(row->version))
      return {};
    return ("'" + form + "' needs PTX " + toTuple(row->version).getAsString() +
            ", but the text has " + version.getAsString())
        .str();
  }
  return {};
}
