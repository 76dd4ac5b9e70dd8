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
// `Table.Forms`; LowpSimulatorCases writes both for utils/compare_simulator.py.
//
//===----------------------------------------------------------------------===//

#ifndef LOWP_TEST_UNIT_SIMULATOR_HARNESS_H
#define LOWP_TEST_UNIT_SIMULATOR_HARNESS_H

#include "lowp/Simulator/Simulator.h"

#include "llvm/ADT/StringRef.h"

#include <array>
#include <functional>
#include <optional>
#include <string>
#include <vector>

namespace lowp::sim::test {

/// What an instruction gives for operands; none where that is left open.
using Reference = std::function<std::optional<uint64_t>(const uint64_t *)>;

/// The same of a lane of a warp: the operands of all lanes.
using WarpReference =
    std::function<uint64_t(const uint64_t (*)[4], unsigned lane)>;

/// What an approximation may give: bits, or anything within `error` of `value`;
/// with a negative error, anything.
struct Bound {
  std::optional<uint64_t> bits;
  double value = 0, error = 0;
};

/// A function whose error the ISA bounds, of one number or of two in a
/// register.
struct Approximation {
  /// f32, f16, bf16, or f64, of which only the upper word is computed.
  std::string type;
  unsigned count = 1;
  bool ftz = false;
  double (*value)(double, double) = nullptr;
  /// The documented error: in units of the last place, relative, absolute.
  double ulp = 0, relative = 0, absolute = 0;
  /// Operands for which there is one; null if for all.
  bool (*domain)(double, double) = nullptr;
  /// What `error` is in words.
  std::string documented;

  unsigned getBits() const;
  Bound getBound(const std::string &form, const uint64_t *x,
                 unsigned which) const;
  /// The number among the bits of a result, where infinity is the number after
  /// the largest.
  double getNumber(uint64_t bits, unsigned which) const;
};

/// An instruction from registers to a register. It has a reference, a reference
/// in a full warp, or is an approximation.
struct Form {
  std::string form;
  /// Destination and operands: `p` a predicate, `b` 8 bits, `h` 16, `r` 32, `d`
  /// 64, e.g. "r=rr". What is in parentheses is copied, e.g. "r=rrr(, 0x96)".
  std::string operands;
  Reference reference;
  /// Instead of `FORM d, a, b;`: operands are $0, $1, $2 and the result $d.
  std::string text;
  WarpReference warpReference = nullptr;
  std::optional<Approximation> approximation = std::nullopt;
  /// What it is counted under.
  std::string group = "";
};

/// Operands that each form gets, one thread each in blocks of 128.
constexpr unsigned kTuples = 4096;

/// A kernel with the parameters `in` and `out`, pointers to words of 32 bits.
struct ProgramCase {
  std::string name;
  /// The forms that it tests.
  std::vector<std::string> forms;
  std::string body;
  LaunchConfig config;
  std::vector<uint32_t> input;
  std::vector<uint32_t> expected;
  std::string group = "";
};

std::vector<Form> &getForms();
std::vector<ProgramCase> &getPrograms();

void addIntegerForms(std::vector<Form> &forms);
void addBitForms(std::vector<Form> &forms);
void addFloatForms(std::vector<Form> &forms);
void addCompareForms(std::vector<Form> &forms);
void addConvertForms(std::vector<Form> &forms);
void addPackedConvertForms(std::vector<Form> &forms);
void addApproximateForms(std::vector<Form> &forms);
void addWarpForms(std::vector<Form> &forms);
void addMemoryPrograms(std::vector<ProgramCase> &programs);
void addWarpPrograms(std::vector<ProgramCase> &programs);

/// `.version` and `.target` that have every form.
std::string getHeader();
/// A kernel with the parameters `in` and `out`, which are in %in and %out.
std::string makeKernel(llvm::StringRef name, llvm::StringRef body);
/// A module with such a kernel `k`.
std::string makeModule(llvm::StringRef header, llvm::StringRef body);

/// The body of a kernel that applies an instruction to the operands of each
/// thread: four words of 64 bits, and writes one.
std::string makeFormBody(const Form &form);
/// Its operands, and the bytes that its result has.
llvm::StringRef getOperandLetters(const Form &form);
unsigned getResultWidth(const Form &form);
/// The operands of all threads.
std::vector<uint32_t> makeFormInput(const Form &form);
/// The operands of a thread, predicates as 0 or 1.
std::array<uint64_t, 4> getOperands(const Form &form,
                                    const std::vector<uint32_t> &input,
                                    unsigned thread);
/// How the kernels of forms are launched.
LaunchConfig getFormConfig();
/// `.reg` widths: bytes of a register by its letter, 0 for a predicate.
unsigned getWidth(char letter);

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

/// A `redux.sync` of integers, and what it does with two.
struct Reduction {
  const char *name;
  uint32_t (*apply)(uint32_t, uint32_t);
};
llvm::ArrayRef<Reduction> getReductions();

} // namespace lowp::sim::test

#endif // LOWP_TEST_UNIT_SIMULATOR_HARNESS_H
