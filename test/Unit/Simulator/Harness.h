//===- Harness.h - Kernels in tests of the simulator ------------*- C++ -*-===//
//
// Part of the Lowp project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Two tables: forms, whose results a reference computes without any code of the
// simulator, and programs, which need more than one instruction. Forms that
// they test are listed for utils/instruction_coverage.py by the test
// `Table.Forms`.
//
//===----------------------------------------------------------------------===//

#ifndef LOWP_TEST_UNIT_SIMULATOR_HARNESS_H
#define LOWP_TEST_UNIT_SIMULATOR_HARNESS_H

#include "lowp/Simulator/Simulator.h"

#include "llvm/ADT/StringRef.h"
#include "gtest/gtest.h"

#include <functional>
#include <optional>
#include <string>
#include <vector>

namespace lowp::sim::test {

/// What an instruction gives for operands; none where that is left open.
using Reference = std::function<std::optional<uint64_t>(const uint64_t *)>;

/// An instruction from registers to a register.
struct Form {
  std::string form;
  /// Destination and operands: `p` a predicate, `b` 8 bits, `h` 16, `r` 32, `d`
  /// 64, e.g. "r=rr". What is in parentheses is copied, e.g. "r=rrr(, 0x96)".
  std::string operands;
  Reference reference;
  /// Instead of `FORM d, a, b;`: operands are $0, $1, $2 and the result $d.
  std::string text;
};

/// A kernel with the parameters `in` and `out`, pointers to words of 32 bits.
struct ProgramCase {
  std::string name;
  /// The forms that it tests.
  std::vector<std::string> forms;
  std::string body;
  LaunchConfig config;
  std::vector<uint32_t> input;
  std::vector<uint32_t> expected;
};

std::vector<Form> &getForms();
std::vector<ProgramCase> &getPrograms();

void addIntegerForms(std::vector<Form> &forms);
void addBitForms(std::vector<Form> &forms);
void addFloatForms(std::vector<Form> &forms);
void addCompareForms(std::vector<Form> &forms);
void addConvertForms(std::vector<Form> &forms);
void addPackedConvertForms(std::vector<Form> &forms);
void addMemoryPrograms(std::vector<ProgramCase> &programs);
void addWarpPrograms(std::vector<ProgramCase> &programs);

/// `.version` and `.target` that have every form.
std::string getHeader();
/// A module with one kernel `k` with the parameters `in` and `out`, which are
/// in %in and %out.
std::string makeModule(llvm::StringRef header, llvm::StringRef body);

/// Runs `k` on a copy of `input`; `output` words are all ones before.
llvm::Expected<std::vector<uint32_t>> run(llvm::StringRef ptx,
                                          const LaunchConfig &config,
                                          llvm::ArrayRef<uint32_t> input,
                                          size_t outputWords,
                                          const Options &options = {});

/// The fault of a kernel, or of its text.
std::optional<Fault> getFault(llvm::StringRef ptx, const LaunchConfig &config,
                              llvm::ArrayRef<uint32_t> input = {0},
                              size_t outputWords = 64,
                              const Options &options = {});

/// Operands of `width` bytes: numbers with special meaning to some type, then
/// others. The same each time.
uint64_t getOperand(unsigned width, unsigned index, unsigned which);

} // namespace lowp::sim::test

#endif // LOWP_TEST_UNIT_SIMULATOR_HARNESS_H
