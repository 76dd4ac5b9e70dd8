//===- FormsCompare.cpp - Comparisons by APInt and APFloat ----------------===//
//
// Part of the Lowp project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Harness.h"
#include "Reference.h"

using namespace lowp::sim::test;

namespace {

using Result = std::optional<uint64_t>;

/// -1, 0, 1, or 2 where an operand is NaN.
using Order = std::function<int(const uint64_t *)>;

struct Relation {
  std::string name;
  /// By the order: less, equal, greater, unordered.
  bool less, equal, greater, unordered;

  bool holds(int order) const {
    return order == 2   ? unordered
           : order == 0 ? equal
           : order < 0  ? less
                        : greater;
  }
};

const Relation kOrdered[] = {
    {"eq", false, true, false, false}, {"ne", true, false, true, false},
    {"lt", true, false, false, false}, {"le", true, true, false, false},
    {"gt", false, false, true, false}, {"ge", false, true, true, false}};
const Relation kUnsigned[] = {{"lo", true, false, false, false},
                              {"ls", true, true, false, false},
                              {"hi", false, false, true, false},
                              {"hs", false, true, true, false}};
const Relation kFloat[] = {
    {"equ", false, true, false, true}, {"neu", true, false, true, true},
    {"ltu", true, false, false, true}, {"leu", true, true, false, true},
    {"gtu", false, false, true, true}, {"geu", false, true, true, true},
    {"num", true, true, true, false},  {"nan", false, false, false, true}};

void addRelation(std::vector<Form> &forms, const Relation &relation,
                 const std::string &type, char letter, const Order &order) {
  std::string two = std::string{letter, letter};
  bool isHalf = type == "f16" || type == "bf16";
  forms.push_back(
      {"setp." + relation.name + "." + type, "p=" + two,
       [=](const uint64_t *x) -> Result { return relation.holds(order(x)); },
       ""});
  using Combine = bool (*)(bool, bool);
  const std::pair<const char *, Combine> combines[] = {
      {"and", [](bool a, bool b) { return a && b; }},
      {"or", [](bool a, bool b) { return a || b; }},
      {"xor", [](bool a, bool b) { return a != b; }}};
  for (auto [name, combine] : combines) {
    std::string form = "setp." + relation.name + "." + name + "." + type;
    forms.push_back({form, "p=" + two + "p",
                     [=, combine = combine](const uint64_t *x) -> Result {
                       return combine(relation.holds(order(x)), x[2]);
                     },
                     ""});
    // The second result combines the opposite; `!` negates the predicate. The
    // comparisons of 16-bit floats have one only.
    if (isHalf)
      continue;
    forms.push_back({form, "p=" + two + "p",
                     [=, combine = combine](const uint64_t *x) -> Result {
                       return combine(!relation.holds(order(x)), !x[2]);
                     },
                     form + " _|$d, $0, $1, !$2;"});
  }
  for (auto [result, value] :
       {std::pair("u32", 0xFFFFFFFFu), std::pair("s32", 0xFFFFFFFFu),
        std::pair("f32", 0x3F800000u)}) {
    if (isHalf && result[0] == 'f')
      continue;
    forms.push_back({"set." + relation.name + "." + result + "." + type,
                     "r=" + two,
                     [=, value = value](const uint64_t *x) -> Result {
                       return relation.holds(order(x)) ? value : 0;
                     },
                     ""});
  }
}

} // namespace

void lowp::sim::test::addCompareForms(std::vector<Form> &forms) {
  for (unsigned bits : {16u, 32u, 64u}) {
    char letter = bits == 16 ? 'h' : bits == 32 ? 'r' : 'd';
    std::string size = std::to_string(bits);
    for (bool isSigned : {false, true}) {
      Order order = [=](const uint64_t *x) {
        APInt a = APInt(64, x[0]).trunc(bits), b = APInt(64, x[1]).trunc(bits);
        bool less = isSigned ? a.slt(b) : a.ult(b);
        return a == b ? 0 : less ? -1 : 1;
      };
      std::string type = (isSigned ? "s" : "u") + size;
      for (const Relation &relation : kOrdered)
        addRelation(forms, relation, type, letter, order);
      if (isSigned)
        continue;
      for (const Relation &relation : kUnsigned)
        addRelation(forms, relation, type, letter, order);
      for (const Relation &relation : llvm::ArrayRef(kOrdered).take_front(2))
        addRelation(forms, relation, "b" + size, letter, order);
    }
  }
  for (const FloatType &type : kTypes) {
    for (bool ftz : {false, true}) {
      if (ftz && type.name != "f32" && type.name != "f16")
        continue;
      auto compare = [=, &type](uint64_t a, uint64_t b) {
        APFloat x = toFloat(type, a), y = toFloat(type, b);
        if (ftz) {
          x = flushed(x);
          y = flushed(y);
        }
        switch (x.compare(y)) {
        case APFloat::cmpLessThan:
          return -1;
        case APFloat::cmpEqual:
          return 0;
        case APFloat::cmpGreaterThan:
          return 1;
        case APFloat::cmpUnordered:
          return 2;
        }
        return 2;
      };
      std::string name = (ftz ? "ftz." : "") + type.name;
      auto add = [&](const Relation &relation) {
        if (!ftz)
          addRelation(forms, relation, name, type.letter,
                      [=](const uint64_t *x) { return compare(x[0], x[1]); });
        else
          forms.push_back({"setp." + relation.name + "." + name,
                           std::string{'p', '=', type.letter, type.letter},
                           [=](const uint64_t *x) -> Result {
                             return relation.holds(compare(x[0], x[1]));
                           },
                           ""});
        if (type.bits != 16)
          return;
        // p compares the lower halves, q the upper.
        std::string form = "setp." + relation.name + "." + name + "x2";
        for (unsigned shift : {0u, 16u})
          forms.push_back(
              {form, "p=rr",
               [=](const uint64_t *x) -> Result {
                 return relation.holds(
                     compare(x[0] >> shift & 0xFFFF, x[1] >> shift & 0xFFFF));
               },
               form + (shift ? " %p8|$d" : " $d|%p8") + ", $0, $1;"});
      };
      for (const Relation &relation : kOrdered)
        add(relation);
      for (const Relation &relation : kFloat)
        add(relation);
    }
  }
}
