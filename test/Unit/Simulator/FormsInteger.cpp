//===- FormsInteger.cpp - Integer instructions by APInt -------------------===//
//
// Part of the Lowp project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Harness.h"

#include "llvm/ADT/APInt.h"

using namespace lowp::sim::test;
using llvm::APInt;

namespace {

struct IntType {
  std::string name;
  unsigned bits;
  bool isSigned;
  char letter;
};

const IntType types[] = {{"u16", 16, false, 'h'}, {"s16", 16, true, 'h'},
                         {"u32", 32, false, 'r'}, {"s32", 32, true, 'r'},
                         {"u64", 64, false, 'd'}, {"s64", 64, true, 'd'}};

APInt extend(const APInt &a, unsigned bits, bool isSigned) {
  return isSigned ? a.sextOrTrunc(bits) : a.zextOrTrunc(bits);
}

/// The operands as exact integers of 160 bits.
struct Exact {
  APInt a, b, c;

  Exact(const uint64_t *x, const IntType &type)
      : a(make(x[0], type)), b(make(x[1], type)), c(make(x[2], type)) {}

  static APInt make(uint64_t x, const IntType &type) {
    return extend(APInt(64, x).trunc(type.bits), 160, type.isSigned);
  }
};

uint64_t low(const APInt &value) { return value.trunc(64).getZExtValue(); }

using Function = std::function<APInt(const Exact &, const IntType &)>;

void addForm(std::vector<Form> &forms, const std::string &name,
             const IntType &type, unsigned arity, const Function &f) {
  std::string operands = std::string(1, type.letter) + "=";
  operands.append(arity, type.letter);
  forms.push_back({name + "." + type.name, operands,
                   [=](const uint64_t *x) -> std::optional<uint64_t> {
                     return low(f(Exact(x, type), type));
                   },
                   ""});
}

APInt clampTo(const APInt &value, unsigned bits, bool isSigned) {
  APInt least =
      isSigned ? APInt::getSignedMinValue(bits).sext(160) : APInt::getZero(160);
  APInt most = isSigned ? APInt::getSignedMaxValue(bits).sext(160)
                        : APInt::getMaxValue(bits).zext(160);
  return value.slt(least) ? least : value.sgt(most) ? most : value;
}

/// Applies `f` to each half of words of 32 bits.
void addHalves(std::vector<Form> &forms, const std::string &name,
               const IntType &type, const Function &f) {
  forms.push_back(
      {name, "r=rr",
       [=](const uint64_t *x) -> std::optional<uint64_t> {
         uint64_t result = 0;
         for (unsigned shift : {0, 16}) {
           uint64_t y[] = {x[0] >> shift & 0xFFFF, x[1] >> shift & 0xFFFF, 0};
           result |= (low(f(Exact(y, type), type)) & 0xFFFF) << shift;
         }
         return result;
       },
       ""});
}

APInt minimum(const Exact &x, const IntType &) {
  return x.a.slt(x.b) ? x.a : x.b;
}
APInt maximum(const Exact &x, const IntType &) {
  return x.a.sgt(x.b) ? x.a : x.b;
}
APInt relu(const APInt &value) {
  return value.isNegative() ? APInt::getZero(160) : value;
}

void addProducts(std::vector<Form> &forms, const IntType &type) {
  addForm(forms, "mul.lo", type, 2,
          [](const Exact &x, const IntType &) { return x.a * x.b; });
  addForm(forms, "mul.hi", type, 2, [](const Exact &x, const IntType &t) {
    return (x.a * x.b).ashr(t.bits);
  });
  addForm(forms, "mad.lo", type, 3,
          [](const Exact &x, const IntType &) { return x.a * x.b + x.c; });
  addForm(forms, "mad.hi", type, 3, [](const Exact &x, const IntType &t) {
    return (x.a * x.b).ashr(t.bits) + x.c;
  });
  if (type.bits == 64)
    return;
  char wide = type.bits == 16 ? 'r' : 'd', narrow = type.letter;
  forms.push_back({"mul.wide." + type.name,
                   std::string{wide, '=', narrow, narrow},
                   [=](const uint64_t *x) -> std::optional<uint64_t> {
                     Exact e(x, type);
                     return low(e.a * e.b);
                   },
                   ""});
  forms.push_back({"mad.wide." + type.name,
                   std::string{wide, '=', narrow, narrow, wide},
                   [=](const uint64_t *x) -> std::optional<uint64_t> {
                     Exact e(x, type);
                     return low(e.a * e.b) + x[2];
                   },
                   ""});
}

void addDots(std::vector<Form> &forms) {
  for (bool signedA : {false, true})
    for (bool signedB : {false, true}) {
      std::string suffix =
          std::string(signedA ? ".s32" : ".u32") + (signedB ? ".s32" : ".u32");
      auto dot = [=](unsigned bits, unsigned count, unsigned first) {
        return [=](const uint64_t *x) -> std::optional<uint64_t> {
          APInt a(32, x[0]), b(32, x[1]), sum = APInt(32, x[2]);
          for (unsigned k = 0; k < count; ++k)
            sum += extend(a.extractBits(bits, k * bits), 32, signedA) *
                   extend(b.extractBits(8, 8 * (first + k)), 32, signedB);
          return sum.getZExtValue();
        };
      };
      forms.push_back({"dp4a" + suffix, "r=rrr", dot(8, 4, 0), ""});
      forms.push_back({"dp2a.lo" + suffix, "r=rrr", dot(16, 2, 0), ""});
      forms.push_back({"dp2a.hi" + suffix, "r=rrr", dot(16, 2, 2), ""});
    }
}

/// Sums of two registers by the carry flag.
void addCarries(std::vector<Form> &forms) {
  auto add = [&](const std::string &form, const std::string &text, bool isSum) {
    forms.push_back({form, "d=rrr",
                     [=](const uint64_t *x) -> std::optional<uint64_t> {
                       // Low words x0 and x1, high words x2 and x1.
                       uint64_t a = x[0] | x[2] << 32, b = x[1] | x[1] << 32;
                       return isSum ? a + b : a - b;
                     },
                     text});
  };
  std::string pack = " mov.b64 $d, {%r20, %r21};";
  for (std::string type : {"u32", "s32"}) {
    std::string sum = "add.cc." + type + " %r20, $0, $1; addc." + type +
                      " %r21, $2, $1;" + pack;
    std::string difference = "sub.cc." + type + " %r20, $0, $1; subc." + type +
                             " %r21, $2, $1;" + pack;
    add("add.cc." + type, sum, true);
    add("addc." + type, sum, true);
    add("sub.cc." + type, difference, false);
    add("subc." + type, difference, false);
    std::string product = "mad.lo.cc." + type + " %r20, $0, $1, $2; madc.hi." +
                          type + " %r21, $0, $1, 0;" + pack;
    for (std::string form : {"mad.lo.cc.", "madc.hi."})
      forms.push_back({form + type, "d=rrr",
                       [=](const uint64_t *x) -> std::optional<uint64_t> {
                         APInt a = extend(APInt(32, x[0]), 64, type == "s32");
                         APInt b = extend(APInt(32, x[1]), 64, type == "s32");
                         return (a * b).getZExtValue() + x[2];
                       },
                       product});
  }
}

} // namespace

void lowp::sim::test::addIntegerForms(std::vector<Form> &forms) {
  for (const IntType &type : types) {
    addForm(forms, "add", type, 2,
            [](const Exact &x, const IntType &) { return x.a + x.b; });
    addForm(forms, "sub", type, 2,
            [](const Exact &x, const IntType &) { return x.a - x.b; });
    addProducts(forms, type);
    addForm(forms, "div", type, 2, [](const Exact &x, const IntType &) {
      return x.b.isZero() ? APInt::getAllOnes(160) : x.a.sdiv(x.b);
    });
    addForm(forms, "rem", type, 2, [](const Exact &x, const IntType &) {
      return x.b.isZero() ? APInt::getAllOnes(160) : x.a.srem(x.b);
    });
    addForm(forms, "min", type, 2, minimum);
    addForm(forms, "max", type, 2, maximum);
    addForm(forms, "sad", type, 3, [](const Exact &x, const IntType &) {
      return (x.a - x.b).abs() + x.c;
    });
    if (!type.isSigned)
      continue;
    addForm(forms, "abs", type, 1,
            [](const Exact &x, const IntType &) { return x.a.abs(); });
    addForm(forms, "neg", type, 1,
            [](const Exact &x, const IntType &) { return -x.a; });
  }
  const IntType &u16 = types[0], &s16 = types[1], &u32 = types[2],
                &s32 = types[3];
  addForm(forms, "add.sat", s32, 2, [](const Exact &x, const IntType &) {
    return clampTo(x.a + x.b, 32, true);
  });
  addForm(forms, "sub.sat", s32, 2, [](const Exact &x, const IntType &) {
    return clampTo(x.a - x.b, 32, true);
  });
  addForm(forms, "mad.hi.sat", s32, 3, [](const Exact &x, const IntType &) {
    return clampTo((x.a * x.b).ashr(32) + x.c, 32, true);
  });
  for (const IntType *type : {&u32, &s32}) {
    auto cut = [](const APInt &a, const IntType &t) {
      return extend(a.trunc(24), 160, t.isSigned);
    };
    for (unsigned shift : {0u, 16u}) {
      std::string half = shift ? "hi" : "lo";
      addForm(forms, "mul24." + half, *type, 2,
              [=](const Exact &x, const IntType &t) {
                return (cut(x.a, t) * cut(x.b, t)).ashr(shift);
              });
      addForm(forms, "mad24." + half, *type, 3,
              [=](const Exact &x, const IntType &t) {
                return (cut(x.a, t) * cut(x.b, t)).ashr(shift) + x.c;
              });
    }
  }
  for (const IntType *type : {&u16, &s16}) {
    std::string suffix = "." + type->name + "x2";
    addHalves(forms, "add" + suffix, *type,
              [](const Exact &x, const IntType &) { return x.a + x.b; });
    addHalves(forms, "min" + suffix, *type, minimum);
    addHalves(forms, "max" + suffix, *type, maximum);
  }
  addHalves(forms, "min.relu.s16x2", s16, [](const Exact &x, const IntType &t) {
    return relu(minimum(x, t));
  });
  addHalves(forms, "max.relu.s16x2", s16, [](const Exact &x, const IntType &t) {
    return relu(maximum(x, t));
  });
  addForm(forms, "min.relu", s32, 2,
          [](const Exact &x, const IntType &t) { return relu(minimum(x, t)); });
  addForm(forms, "max.relu", s32, 2,
          [](const Exact &x, const IntType &t) { return relu(maximum(x, t)); });
  addDots(forms);
  addCarries(forms);
}
