//===- FormsBits.cpp - Logic and bit fields, bit by bit -------------------===//
//
// Part of the Lowp project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Harness.h"

#include "llvm/ADT/APInt.h"

#include <limits>

using namespace lowp::sim::test;
using llvm::APInt;

namespace {

using Result = std::optional<uint64_t>;

const std::pair<unsigned, char> kSizes[] = {{16, 'h'}, {32, 'r'}, {64, 'd'}};

/// A result given bit by bit.
template <typename F>
uint64_t bitwise(unsigned bits, F f) {
  uint64_t result = 0;
  for (unsigned k = 0; k < bits; ++k)
    result |= uint64_t(f(k)) << k;
  return result;
}

bool bit(uint64_t x, unsigned k) { return k < 64 && (x >> k & 1); }

void addShifts(std::vector<Form> &forms) {
  for (auto [bits, letter] : kSizes) {
    std::string size = std::to_string(bits);
    std::string operands = std::string{letter, '=', letter, 'r'};
    auto left = [=, n = bits](const uint64_t *x) -> Result {
      return bitwise(n, [&](unsigned k) {
        return k >= x[1] && bit(x[0], unsigned(k - x[1]));
      });
    };
    auto right = [n = bits](bool isSigned) {
      return [=](const uint64_t *x) -> Result {
        return bitwise(n, [&](unsigned k) {
          uint64_t from = k + x[1];
          return from < n ? bit(x[0], unsigned(from))
                          : isSigned && bit(x[0], n - 1);
        });
      };
    };
    forms.push_back({"shl.b" + size, operands, left, ""});
    forms.push_back({"shr.b" + size, operands, right(false), ""});
    forms.push_back({"shr.u" + size, operands, right(false), ""});
    forms.push_back({"shr.s" + size, operands, right(true), ""});
  }
  for (bool isLeft : {true, false})
    for (bool isWrap : {true, false}) {
      std::string form = std::string("shf.") + (isLeft ? "l." : "r.") +
                         (isWrap ? "wrap" : "clamp") + ".b32";
      forms.push_back({form, "r=rrr",
                       [=](const uint64_t *x) -> Result {
                         APInt both(64, x[1] << 32 | x[0]);
                         unsigned n =
                             isWrap ? x[2] % 32 : std::min<uint64_t>(x[2], 32);
                         return (isLeft ? both.shl(n).lshr(32) : both.lshr(n))
                             .getZExtValue();
                       },
                       ""});
    }
}

void addFields(std::vector<Form> &forms) {
  for (unsigned bits : {32u, 64u}) {
    char letter = bits == 32 ? 'r' : 'd';
    std::string size = std::to_string(bits);
    auto operandOf = [=](uint64_t x) -> uint64_t {
      return bits == 32 ? x & 0xFF : std::min<uint64_t>(x & 0xFFFFFFFF, 64);
    };
    for (bool isSigned : {false, true})
      forms.push_back({(isSigned ? "bfe.s" : "bfe.u") + size,
                       std::string{letter, '=', letter, 'r', 'r'},
                       [=](const uint64_t *x) -> Result {
                         uint64_t pos = operandOf(x[1]), len = operandOf(x[2]);
                         bool fill = isSigned && len != 0 &&
                                     bit(x[0], unsigned(std::min<uint64_t>(
                                                   pos + len - 1, bits - 1)));
                         return bitwise(bits, [&](unsigned k) {
                           return k < len && pos + k < bits
                                      ? bit(x[0], unsigned(pos + k))
                                      : fill;
                         });
                       },
                       ""});
    forms.push_back(
        {"bfi.b" + size, std::string{letter, '=', letter, letter, 'r', 'r'},
         [=](const uint64_t *x) -> Result {
           uint64_t pos = operandOf(x[2]), len = operandOf(x[3]);
           return bitwise(bits, [&](unsigned k) {
             return k >= pos && k - pos < len ? bit(x[0], unsigned(k - pos))
                                              : bit(x[1], k);
           });
         },
         ""});
    for (bool isSigned : {false, true}) {
      std::string type = (isSigned ? ".s" : ".u") + size;
      auto find = [=](uint64_t x) -> uint64_t {
        bool skip = isSigned && bit(x, bits - 1);
        for (unsigned k = bits; k-- > 0;)
          if (bit(x, k) != skip)
            return k;
        return 0xFFFFFFFF;
      };
      std::string operands = std::string{'r', '=', letter};
      forms.push_back({"bfind" + type, operands,
                       [=](const uint64_t *x) -> Result { return find(x[0]); },
                       ""});
      forms.push_back({"bfind.shiftamt" + type, operands,
                       [=](const uint64_t *x) -> Result {
                         uint64_t at = find(x[0]);
                         return at == 0xFFFFFFFF ? at : bits - 1 - at;
                       },
                       ""});
    }
    std::string counted = std::string{'r', '=', letter};
    forms.push_back({"popc.b" + size, counted,
                     [=](const uint64_t *x) -> Result {
                       return APInt(bits, x[0]).popcount();
                     },
                     ""});
    forms.push_back({"clz.b" + size, counted,
                     [=](const uint64_t *x) -> Result {
                       return APInt(bits, x[0]).countl_zero();
                     },
                     ""});
    forms.push_back({"brev.b" + size, std::string{letter, '=', letter},
                     [=](const uint64_t *x) -> Result {
                       return APInt(bits, x[0]).reverseBits().getZExtValue();
                     },
                     ""});
  }
  for (bool isWrap : {true, false}) {
    std::string mode = isWrap ? "wrap" : "clamp";
    for (bool isSigned : {true, false})
      forms.push_back(
          {"szext." + mode + (isSigned ? ".s32" : ".u32"), "r=rr",
           [=](const uint64_t *x) -> Result {
             unsigned n = isWrap ? x[1] % 32 : std::min<uint64_t>(x[1], 32);
             if (n == 0)
               return 0;
             APInt field = APInt(32, x[0]).trunc(n);
             return (isSigned ? field.sext(32) : field.zext(32)).getZExtValue();
           },
           ""});
    forms.push_back(
        {"bmsk." + mode + ".b32", "r=rr",
         [=](const uint64_t *x) -> Result {
           uint64_t pos = isWrap ? x[0] % 32 : std::min<uint64_t>(x[0], 32);
           uint64_t len = isWrap ? x[1] % 32 : std::min<uint64_t>(x[1], 32);
           return bitwise(
               32, [&](unsigned k) { return k >= pos && k < pos + len; });
         },
         ""});
  }
}

void addPermutations(std::vector<Form> &forms) {
  auto select = [](const uint64_t *x, unsigned k, unsigned nibble) {
    uint64_t bytes = x[1] << 32 | x[0];
    uint64_t byte = bytes >> (8 * (nibble & 7)) & 0xFF;
    if (nibble & 8)
      byte = byte >> 7 ? 0xFF : 0;
    return byte << (8 * k);
  };
  forms.push_back({"prmt.b32", "r=rrr",
                   [=](const uint64_t *x) -> Result {
                     uint64_t result = 0;
                     for (unsigned k = 0; k < 4; ++k)
                       result |= select(x, k, x[2] >> (4 * k) & 15);
                     return result;
                   },
                   ""});
  using Pick = unsigned (*)(unsigned, unsigned);
  const std::pair<const char *, Pick> modes[] = {
      {"f4e", [](unsigned k, unsigned s) { return s + k; }},
      {"b4e", [](unsigned k, unsigned s) { return (s + 8 - k) % 8; }},
      {"rc8", [](unsigned, unsigned s) { return s; }},
      {"ecl", [](unsigned k, unsigned s) { return std::max(k, s); }},
      {"ecr", [](unsigned k, unsigned s) { return std::min(k, s); }},
      {"rc16", [](unsigned k, unsigned s) { return s % 2 * 2 + k % 2; }}};
  for (auto [name, pick] : modes)
    forms.push_back({std::string("prmt.b32.") + name, "r=rrr",
                     [=, pick = pick](const uint64_t *x) -> Result {
                       uint64_t result = 0;
                       for (unsigned k = 0; k < 4; ++k)
                         result |= select(x, k, pick(k, x[2] & 3));
                       return result;
                     },
                     ""});
  forms.push_back({"fns.b32", "r=rrr",
                   [](const uint64_t *x) -> Result {
                     int64_t n = static_cast<int32_t>(x[2]);
                     // Measured on an H200.
                     if (n == std::numeric_limits<int32_t>::min())
                       return 0;
                     std::vector<unsigned> set;
                     for (unsigned k = 0; k < 32; ++k)
                       if (bit(x[0], k))
                         set.push_back(k);
                     uint64_t base = x[1];
                     if (n == 0)
                       return base < 32 && bit(x[0], unsigned(base))
                                  ? base
                                  : 0xFFFFFFFF;
                     std::vector<unsigned> order;
                     for (unsigned k : set)
                       if (n > 0 ? k >= base : k <= base)
                         order.push_back(k);
                     if (base >= 32)
                       return 0xFFFFFFFF;
                     if (n < 0)
                       std::reverse(order.begin(), order.end());
                     uint64_t at = uint64_t(n < 0 ? -n : n) - 1;
                     return at < order.size() ? order[at] : 0xFFFFFFFF;
                   },
                   ""});
}

} // namespace

void lowp::sim::test::addBitForms(std::vector<Form> &forms) {
  using Binary = uint64_t (*)(uint64_t, uint64_t);
  const std::pair<const char *, Binary> logic[] = {
      {"and", [](uint64_t a, uint64_t b) { return a & b; }},
      {"or", [](uint64_t a, uint64_t b) { return a | b; }},
      {"xor", [](uint64_t a, uint64_t b) { return a ^ b; }}};
  for (auto [name, f] : logic) {
    auto reference = [f = f](const uint64_t *x) -> Result {
      return f(x[0], x[1]);
    };
    for (auto [bits, letter] : kSizes)
      forms.push_back({std::string(name) + ".b" + std::to_string(bits),
                       std::string{letter, '=', letter, letter}, reference,
                       ""});
    forms.push_back({std::string(name) + ".pred", "p=pp", reference, ""});
  }
  for (auto [bits, letter] : kSizes) {
    std::string size = std::to_string(bits);
    std::string unary = std::string{letter, '=', letter};
    forms.push_back({"not.b" + size, unary,
                     [](const uint64_t *x) -> Result { return ~x[0]; }, ""});
    forms.push_back({"cnot.b" + size, unary,
                     [](const uint64_t *x) -> Result { return x[0] == 0; },
                     ""});
    for (std::string kind : {"b", "u", "s"}) {
      forms.push_back({"mov." + kind + size, unary,
                       [](const uint64_t *x) -> Result { return x[0]; }, ""});
      forms.push_back(
          {"selp." + kind + size, std::string{letter, '=', letter, letter, 'p'},
           [](const uint64_t *x) -> Result { return x[2] ? x[0] : x[1]; }, ""});
    }
    forms.push_back({"slct.b" + size + ".s32",
                     std::string{letter, '=', letter, letter, 'r'},
                     [](const uint64_t *x) -> Result {
                       return static_cast<int32_t>(x[2]) >= 0 ? x[0] : x[1];
                     },
                     ""});
    forms.push_back({"slct.b" + size + ".f32",
                     std::string{letter, '=', letter, letter, 'r'},
                     [](const uint64_t *x) -> Result {
                       uint64_t c = x[2] & 0x7FFFFFFF;
                       bool first = c == 0 || (c <= 0x7F800000 && c == x[2]);
                       return first ? x[0] : x[1];
                     },
                     ""});
  }
  forms.push_back(
      {"mov.f32", "r=r", [](const uint64_t *x) -> Result { return x[0]; }, ""});
  forms.push_back(
      {"mov.f64", "d=d", [](const uint64_t *x) -> Result { return x[0]; }, ""});
  for (auto [type, letter] : {std::pair("f32", 'r'), std::pair("f64", 'd')})
    forms.push_back(
        {std::string("selp.") + type,
         std::string{letter, '=', letter, letter, 'p'},
         [](const uint64_t *x) -> Result { return x[2] ? x[0] : x[1]; }, ""});
  forms.push_back({"not.pred", "p=p",
                   [](const uint64_t *x) -> Result { return !x[0]; }, ""});
  forms.push_back({"mov.pred", "p=p",
                   [](const uint64_t *x) -> Result { return x[0]; }, ""});
  for (unsigned table : {0x96u, 0xE8u, 0x1Bu})
    forms.push_back({"lop3.b32", "r=rrr(, " + std::to_string(table) + ")",
                     [=](const uint64_t *x) -> Result {
                       return bitwise(32, [&](unsigned k) {
                         return table >> (bit(x[0], k) * 4 + bit(x[1], k) * 2 +
                                          bit(x[2], k)) &
                                1;
                       });
                     },
                     ""});
  // Registers put together and taken apart: the first is lowest.
  forms.push_back(
      {"mov.b32", "r=hh",
       [](const uint64_t *x) -> Result { return x[1] << 16 | x[0]; },
       "mov.b32 $d, {$0, $1};"});
  forms.push_back(
      {"mov.b64", "d=rr",
       [](const uint64_t *x) -> Result { return x[1] << 32 | x[0]; },
       "mov.b64 $d, {$0, $1};"});
  forms.push_back({"mov.b64", "d=hhhh",
                   [](const uint64_t *x) -> Result {
                     return x[3] << 48 | x[2] << 32 | x[1] << 16 | x[0];
                   },
                   "mov.b64 $d, {$0, $1, $2, $3};"});
  forms.push_back({"mov.b32", "r=bbbb",
                   [](const uint64_t *x) -> Result {
                     return (x[3] & 255) << 24 | (x[2] & 255) << 16 |
                            (x[1] & 255) << 8 | (x[0] & 255);
                   },
                   "mov.b32 $d, {$0, $1, $2, $3};"});
  forms.push_back({"mov.b32", "h=r",
                   [](const uint64_t *x) -> Result { return x[0] >> 16; },
                   "mov.b32 {_, $d}, $0;"});
  forms.push_back({"mov.b64", "r=d",
                   [](const uint64_t *x) -> Result { return x[0]; },
                   "mov.b64 {$d, _}, $0;"});
  forms.push_back({"mov.b128", "d=dd",
                   [](const uint64_t *x) -> Result { return x[1]; },
                   "{ .reg .b128 w; mov.b128 w, {$0, $1}; "
                   "mov.b128 {_, $d}, w; }"});
  addShifts(forms);
  addFields(forms);
  addPermutations(forms);
}
