//===- Harness.cpp - Kernels in tests of the simulator --------------------===//
//
// Part of the Lowp project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Harness.h"

#include "llvm/ADT/StringExtras.h"

#include <cstring>

using namespace lowp::sim;
using namespace lowp::sim::test;
using llvm::StringRef;

template <typename T>
static void addTo(std::vector<T> &all, const char *group,
                  void (*add)(std::vector<T> &)) {
  size_t first = all.size();
  add(all);
  for (size_t i = first; i < all.size(); ++i)
    all[i].group = group;
}

std::vector<Form> &lowp::sim::test::getForms() {
  static std::vector<Form> forms = [] {
    std::vector<Form> all;
    addTo(all, "integer", addIntegerForms);
    addTo(all, "bits", addBitForms);
    addTo(all, "float", addFloatForms);
    addTo(all, "compare", addCompareForms);
    addTo(all, "convert", addConvertForms);
    addTo(all, "convert packed", addPackedConvertForms);
    addTo(all, "approximate", addApproximateForms);
    addTo(all, "warp", addWarpForms);
    return all;
  }();
  return forms;
}

std::vector<ProgramCase> &lowp::sim::test::getPrograms() {
  static std::vector<ProgramCase> programs = [] {
    std::vector<ProgramCase> all;
    addTo(all, "memory", addMemoryPrograms);
    addTo(all, "control and barriers", addWarpPrograms);
    return all;
  }();
  return programs;
}

std::string lowp::sim::test::getHeader() {
  return ".version 9.2\n.target sm_103a\n.address_size 64\n";
}

std::string lowp::sim::test::makeKernel(StringRef name, StringRef body) {
  return ("\n.visible .entry " + name +
          R"((.param .u64 .ptr .global .align 8 in, .param .u64 out)
{
  .reg .pred %p<16>;
  .reg .b8 %b<16>;
  .reg .b16 %h<32>;
  .reg .b32 %r<64>;
  .reg .b64 %d<32>;
  .reg .b64 %in, %out, %address;
  .reg .b32 %thread;
  ld.param.b64 %in, [in];
  ld.param.b64 %out, [out];
  cvta.to.global.u64 %in, %in;
  cvta.to.global.u64 %out, %out;
  mov.u32 %thread, %tid.x;
)" + body +
          "\n  ret;\n}\n")
      .str();
}

std::string lowp::sim::test::makeModule(StringRef header, StringRef body) {
  return header.str() + makeKernel("k", body);
}

llvm::Expected<std::vector<uint32_t>>
lowp::sim::test::run(StringRef ptx, const LaunchConfig &config,
                     llvm::ArrayRef<uint32_t> input, size_t outputWords,
                     const Options &options) {
  auto module = Module::parse(ptx);
  if (!module)
    return module.takeError();
  const Kernel *kernel = (*module)->findKernel("k");
  // Aligned to 64 bytes.
  std::vector<uint32_t> in(input.size() + 16), out(outputWords + 16);
  auto align = [](std::vector<uint32_t> &words) {
    return words.data() +
           (64 - reinterpret_cast<uintptr_t>(words.data()) % 64) / 4 % 16;
  };
  uint32_t *inData = align(in), *outData = align(out);
  std::copy(input.begin(), input.end(), inData);
  std::fill(outData, outData + outputWords, ~0u);
  Memory memory;
  memory.add(inData, input.size() * 4);
  memory.add(outData, outputWords * 4);
  uint64_t pointers[] = {reinterpret_cast<uint64_t>(inData),
                         reinterpret_cast<uint64_t>(outData)};
  const void *arguments[] = {&pointers[0], &pointers[1]};
  auto counts = kernel->launch(config, arguments, memory, options);
  if (!counts)
    return counts.takeError();
  return std::vector<uint32_t>(outData, outData + outputWords);
}

std::optional<Fault> lowp::sim::test::getFault(StringRef ptx,
                                               const LaunchConfig &config,
                                               llvm::ArrayRef<uint32_t> input,
                                               size_t outputWords,
                                               const Options &options) {
  auto result = run(ptx, config, input, outputWords, options);
  if (result)
    return std::nullopt;
  std::optional<Fault> fault;
  llvm::handleAllErrors(result.takeError(),
                        [&](const Fault &error) { fault = error; });
  return fault;
}

uint64_t lowp::sim::test::getOperand(unsigned width, unsigned index,
                                     unsigned which) {
  static const uint64_t specials16[] = {
      0,      1,      2,      0x7F,   0x80,   0xFF,   0x100,  0x3C00, 0x3C01,
      0xBC00, 0x7BFF, 0x7C00, 0xFC00, 0x7C01, 0x7E00, 0xFE01, 0x8000, 0x8001,
      0x03FF, 0x0400, 0x3F80, 0xBF80, 0x7F7F, 0x7F80, 0xFF80, 0x7F81, 0xFFC1,
      0x007F, 0x0080, 0x7FFF, 0xFFFF, 0x4300, 0x3800, 0xB555};
  static const uint64_t specials32[] = {
      0,          1,          31,         32,         33,         0xFF,
      0x7FFFFFFF, 0x80000000, 0x80000001, 0xFFFFFFFF, 0x3F800000, 0xBF800000,
      0x3F7FFFFF, 0x3F800001, 0x00800000, 0x007FFFFF, 0x80800000, 0x00000001,
      0x7F7FFFFF, 0xFF7FFFFF, 0x7F800000, 0xFF800000, 0x7F800001, 0x7FC00000,
      0xFFC12345, 0x4F000000, 0xCF000000, 0x4EFFFFFF, 0x5F000000, 0x3F000000,
      0x40200000, 0x3FC00000, 0x43E80000, 0x477FE000, 0x33000000, 0x0D000000,
      0x40C00001, 0xC0C00000, 0x00400000, 0x00400001, 0x3F801000, 0xBF803000,
      0x3F808000, 0x3F818000, 0x7F000000, 0x3B000000};
  static const uint64_t specials64[] = {0,
                                        1,
                                        63,
                                        64,
                                        0xFF,
                                        0xFFFFFFFF,
                                        0x7FFFFFFFFFFFFFFF,
                                        0x8000000000000000,
                                        0xFFFFFFFFFFFFFFFF,
                                        0x3FF0000000000000,
                                        0xBFF0000000000000,
                                        0x3FEFFFFFFFFFFFFF,
                                        0x0010000000000000,
                                        0x000FFFFFFFFFFFFF,
                                        0x7FEFFFFFFFFFFFFF,
                                        0x7FF0000000000000,
                                        0xFFF0000000000000,
                                        0x7FF0000000000001,
                                        0x7FF8000000000000,
                                        0xFFF8123456789ABC,
                                        0x41DFFFFFFFC00000,
                                        0xC1E0000000000000,
                                        0x43E0000000000000,
                                        0x3690000000000000,
                                        0x380FFFFFF0000000,
                                        0x47EFFFFFF0000000,
                                        0x3810000000000000,
                                        0x3FE0000000000000};
  auto pick =
      [&](llvm::ArrayRef<uint64_t> specials) -> std::optional<uint64_t> {
    // The first tuples are all pairs of specials.
    size_t n = specials.size();
    if (index < n * n) {
      size_t digit = which == 0   ? index % n
                     : which == 1 ? index / n
                                  : index * 7;
      return specials[digit % n];
    }
    return std::nullopt;
  };
  std::optional<uint64_t> special = width == 8   ? pick(specials64)
                                    : width == 4 ? pick(specials32)
                                                 : pick(specials16);
  if (special)
    return *special;
  uint64_t x = (uint64_t(index) * 4 + which + 1) * 0x9E3779B97F4A7C15;
  x = (x ^ x >> 30) * 0xBF58476D1CE4E5B9;
  x = (x ^ x >> 27) * 0x94D049BB133111EB;
  x ^= x >> 31;
  // Floats of like exponents, whose sums and quotients round.
  if (index % 3 == 0 && width == 4)
    x = (x & 0x83FFFFFF) | 0x3C000000;
  if (index % 3 == 0 && width == 8)
    x = (x & 0x803FFFFFFFFFFFFF) | 0x3FC0000000000000;
  if (index % 5 == 0 && width == 4)
    x = x & 31;
  return width == 8 ? x : x & ((uint64_t(1) << (8 * width)) - 1);
}

//===----------------------------------------------------------------------===//
// Forms
//===----------------------------------------------------------------------===//

unsigned lowp::sim::test::getWidth(char letter) {
  switch (letter) {
  case 'p':
    return 0;
  case 'b':
    return 1;
  case 'h':
    return 2;
  case 'r':
    return 4;
  default:
    return 8;
  }
}

StringRef lowp::sim::test::getOperandLetters(const Form &form) {
  return StringRef(form.operands).split('=').second.split('(').first;
}

unsigned lowp::sim::test::getResultWidth(const Form &form) {
  return std::max(getWidth(form.operands[0]), 1u);
}

LaunchConfig lowp::sim::test::getFormConfig() {
  LaunchConfig config;
  config.grid.x = kTuples / 128;
  config.block.x = 128;
  return config;
}

std::vector<uint32_t> lowp::sim::test::makeFormInput(const Form &form) {
  StringRef letters = getOperandLetters(form);
  std::vector<uint32_t> input;
  for (unsigned i = 0; i < kTuples; ++i)
    for (unsigned k = 0; k < 4; ++k) {
      uint64_t value =
          k < letters.size()
              ? getOperand(std::max(getWidth(letters[k]), 1u), i, k)
              : 0;
      input.push_back(static_cast<uint32_t>(value));
      input.push_back(static_cast<uint32_t>(value >> 32));
    }
  return input;
}

std::array<uint64_t, 4> lowp::sim::test::getOperands(
    const Form &form, const std::vector<uint32_t> &input, unsigned thread) {
  StringRef letters = getOperandLetters(form);
  std::array<uint64_t, 4> x;
  std::memcpy(x.data(), &input[8 * thread], sizeof(x));
  for (auto [value, letter] : llvm::zip(x, letters))
    if (letter == 'p')
      value &= 1;
  return x;
}

std::string lowp::sim::test::makeFormBody(const Form &form) {
  StringRef signature = form.operands;
  auto [result, rest] = signature.split('=');
  auto [operands, suffix] = rest.split('(');
  suffix = suffix.drop_back(suffix.empty() ? 0 : 1);
  std::string body = R"(
  .reg .b32 %block;
  mov.u32 %block, %ctaid.x;
  mad.lo.u32 %r63, %block, 128, %thread;
  mad.wide.u32 %address, %r63, 32, %in;
)";
  std::vector<std::string> names;
  for (auto [k, c] : llvm::enumerate(operands)) {
    std::string n = std::to_string(k);
    body += "  ld.global.b64 %d" + n + ", [%address+" + std::to_string(8 * k) +
            "];\n";
    switch (c) {
    case 'p':
      body += "  and.b64 %d" + n + ", %d" + n + ", 1;\n  setp.ne.b64 %p" + n +
              ", %d" + n + ", 0;\n";
      break;
    case 'b':
      body += "  cvt.u8.u64 %b" + n + ", %d" + n + ";\n";
      break;
    case 'h':
      body += "  cvt.u16.u64 %h" + n + ", %d" + n + ";\n";
      break;
    case 'r':
      body += "  cvt.u32.u64 %r" + n + ", %d" + n + ";\n";
      break;
    }
    names.push_back(std::string("%") + c + n);
  }
  std::string d = "%" + result.str() + "9";
  std::string text = form.text;
  if (text.empty()) {
    text = form.form + " " + d;
    for (const std::string &name : names)
      text += ", " + name;
    text += suffix.str() + ";";
  } else {
    for (size_t at = 0; (at = text.find('$', at)) != std::string::npos;) {
      char c = text[at + 1];
      text.replace(at, 2, c == 'd' ? d : names[c - '0']);
    }
  }
  body += "  " + text + "\n";
  switch (result[0]) {
  case 'p':
    body += "  selp.b64 %d10, 1, 0, %p9;\n";
    break;
  case 'b':
    body += "  cvt.u64.u8 %d10, %b9;\n";
    break;
  case 'h':
    body += "  cvt.u64.u16 %d10, %h9;\n";
    break;
  case 'r':
    body += "  cvt.u64.u32 %d10, %r9;\n";
    break;
  default:
    body += "  mov.b64 %d10, %d9;\n";
  }
  body += "  mad.wide.u32 %address, %r63, 8, %out;\n"
          "  st.global.b64 [%address], %d10;\n";
  return body;
}
