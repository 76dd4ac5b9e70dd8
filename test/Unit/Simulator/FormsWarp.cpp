//===- FormsWarp.cpp - Exchange between the lanes of a warp ---------------===//
//
// Part of the Lowp project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Harness.h"
#include "Reference.h"

using namespace lowp::sim::test;

llvm::ArrayRef<Reduction> lowp::sim::test::getReductions() {
  static const Reduction kReductions[] = {
      {"add.u32", [](uint32_t a, uint32_t b) { return a + b; }},
      {"add.s32", [](uint32_t a, uint32_t b) { return a + b; }},
      {"min.u32", [](uint32_t a, uint32_t b) { return std::min(a, b); }},
      {"max.u32", [](uint32_t a, uint32_t b) { return std::max(a, b); }},
      {"min.s32",
       [](uint32_t a, uint32_t b) {
         return uint32_t(std::min(int32_t(a), int32_t(b)));
       }},
      {"max.s32",
       [](uint32_t a, uint32_t b) {
         return uint32_t(std::max(int32_t(a), int32_t(b)));
       }},
      {"and.b32", [](uint32_t a, uint32_t b) { return a & b; }},
      {"or.b32", [](uint32_t a, uint32_t b) { return a | b; }},
      {"xor.b32", [](uint32_t a, uint32_t b) { return a ^ b; }}};
  return kReductions;
}

namespace {

using Warp = const uint64_t (*)[4];

/// As the ISA spells it out: the lane that is read, and whether it is in range.
std::pair<unsigned, bool> getSource(const std::string &mode, unsigned lane,
                                    uint64_t b, uint64_t c) {
  int bval = int(b & 31), cval = int(c & 31), mask = int(c >> 8 & 31);
  int own = int(lane);
  int maxLane = (own & mask) | (cval & ~mask), minLane = own & mask;
  int j = 0;
  bool inRange = false;
  if (mode == "up") {
    j = own - bval;
    inRange = j >= maxLane;
  } else if (mode == "down") {
    j = own + bval;
    inRange = j <= maxLane;
  } else if (mode == "bfly") {
    j = own ^ bval;
    inRange = j <= maxLane;
  } else {
    j = minLane | (bval & ~mask);
    inRange = j <= maxLane;
  }
  return {unsigned(inRange ? j : own), inRange};
}

void addShuffles(std::vector<Form> &forms) {
  for (std::string mode : {"up", "down", "bfly", "idx"}) {
    std::string name = "shfl.sync." + mode + ".b32";
    forms.push_back(
        {name, "r=rrr(, -1)", nullptr, "",
         [=](Warp x, unsigned lane) -> uint64_t {
           return x[getSource(mode, lane, x[lane][1], x[lane][2]).first][0];
         }});
    forms.push_back(
        {name, "p=rrr", nullptr, name + " %r9|$d, $0, $1, $2, -1;",
         [=](Warp x, unsigned lane) -> uint64_t {
           return getSource(mode, lane, x[lane][1], x[lane][2]).second;
         }});
  }
}

void addVotes(std::vector<Form> &forms) {
  auto ballot = [](Warp x) {
    uint64_t mask = 0;
    for (unsigned k = 0; k < 32; ++k)
      mask |= x[k][0] << k;
    return mask;
  };
  forms.push_back({"vote.sync.ballot.b32", "r=p(, -1)", nullptr, "",
                   [=](Warp x, unsigned) { return ballot(x); }});
  // All 32 bits are rarely the same: those of groups of few lanes are.
  std::string few = "and.b32 %r8, %thread, 30; setp.ne.b32 %p8, %r8, 0;"
                    " or.pred %p8, %p8, $0; ";
  for (std::string kind : {"all", "any", "uni"}) {
    std::string name = "vote.sync." + kind + ".pred";
    forms.push_back({name, "p=p", nullptr, few + name + " $d, %p8, -1;",
                     [=](Warp x, unsigned) -> uint64_t {
                       bool all = x[0][0] && x[1][0];
                       return kind == "any" || all;
                     }});
    forms.push_back({name, "p=p", nullptr, few + name + " $d, !%p8, -1;",
                     [=](Warp x, unsigned) -> uint64_t {
                       bool none = x[0][0] && x[1][0];
                       return kind == "any" ? !none : kind == "uni" && none;
                     }});
  }
}

void addMatches(std::vector<Form> &forms) {
  for (bool isWide : {false, true}) {
    std::string type = isWide ? "b64" : "b32";
    std::string r = isWide ? "%d8" : "%r8";
    // Of few values, so that some are equal.
    auto same = [](Warp x, unsigned a, unsigned b) {
      return (x[a][0] & 3) == (x[b][0] & 3);
    };
    std::string operands = isWide ? "r=d" : "r=r";
    forms.push_back({"match.any.sync." + type, operands, nullptr,
                     "and." + type + " " + r + ", $0, 3; match.any.sync." +
                         type + " $d, " + r + ", -1;",
                     [=](Warp x, unsigned lane) {
                       uint64_t mask = 0;
                       for (unsigned k = 0; k < 32; ++k)
                         mask |= uint64_t(same(x, lane, k)) << k;
                       return mask;
                     }});
    // Two lanes have one bit of their own, the others none.
    operands[0] = 'p';
    forms.push_back(
        {"match.all.sync." + type, operands, nullptr,
         "and." + type + " " + r +
             ", $0, 1; mov.u32 %r7, %laneid; setp.gt.u32 %p8, %r7, 1;"
             " @%p8 mov." +
             type + " " + r + ", 1; match.all.sync." + type + " %r9|$d, " + r +
             ", -1;",
         [](Warp x, unsigned) -> uint64_t { return x[0][0] & x[1][0] & 1; }});
  }
}

void addReductions(std::vector<Form> &forms) {
  for (auto [name, reduce] : getReductions())
    forms.push_back({std::string("redux.sync.") + name, "r=r(, -1)", nullptr,
                     "", [reduce = reduce](Warp x, unsigned) -> uint64_t {
                       uint32_t result = uint32_t(x[0][0]);
                       for (unsigned k = 1; k < 32; ++k)
                         result = reduce(result, uint32_t(x[k][0]));
                       return result;
                     }});
  for (bool isMax : {false, true})
    for (bool abs : {false, true})
      for (bool nan : {false, true})
        forms.push_back({std::string("redux.sync.") + (isMax ? "max" : "min") +
                             (abs ? ".abs" : "") + (nan ? ".NaN" : "") + ".f32",
                         "r=r(, -1)", nullptr, "",
                         [=](Warp x, unsigned) -> uint64_t {
                           std::optional<APFloat> best;
                           for (unsigned k = 0; k < 32; ++k) {
                             APFloat value = toFloat(kTypes[0], x[k][0]);
                             if (value.isNaN()) {
                               if (nan)
                                 return kTypes[0].nan;
                               continue;
                             }
                             if (abs)
                               value.clearSign();
                             if (best)
                               value = isMax ? maximum(*best, value)
                                             : minimum(*best, value);
                             best = value;
                           }
                           return best ? toBits(*best) : kTypes[0].nan;
                         }});
}

} // namespace

void lowp::sim::test::addWarpForms(std::vector<Form> &forms) {
  addShuffles(forms);
  addVotes(forms);
  addMatches(forms);
  addReductions(forms);
}
