//===- TablesTest.cpp - The tables of forms and programs ------------------===//
//
// Part of the Lowp project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Harness.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "gtest/gtest.h"

#include <cstring>
#include <optional>

using namespace lowp::sim;
using namespace lowp::sim::test;
using llvm::StringRef;

namespace {

class FormTest : public testing::TestWithParam<size_t> {};
class ProgramTest : public testing::TestWithParam<size_t> {};

std::string nameOf(StringRef text, size_t index) {
  std::string name;
  for (char c : text)
    name += llvm::isAlnum(c) ? c : '_';
  return name + "_" + std::to_string(index);
}

/// Results of a form, one of 64 bits for each thread; empty if it fails.
std::vector<uint64_t> getResults(const Form &form,
                                 const std::vector<uint32_t> &input,
                                 const Options &options) {
  std::string ptx = makeModule(getHeader(), makeFormBody(form));
  auto output = run(ptx, getFormConfig(), input, 2 * kTuples, options);
  if (!output) {
    ADD_FAILURE() << form.form << ": " << llvm::toString(output.takeError())
                  << "\n"
                  << ptx;
    return {};
  }
  std::vector<uint64_t> results(kTuples);
  std::memcpy(results.data(), output->data(), 8 * kTuples);
  return results;
}

std::string describe(const Form &form, const std::array<uint64_t, 4> &x) {
  std::string text = form.form + " of";
  for (size_t k = 0; k < getOperandLetters(form).size(); ++k)
    text += " " + llvm::utohexstr(x[k]);
  return text;
}

void checkBits(const Form &form, const std::vector<uint32_t> &input) {
  Options options;
  options.checkUnspecified = false;
  std::vector<uint64_t> results = getResults(form, input, options);
  if (results.empty())
    return;
  std::vector<std::array<uint64_t, 4>> operands;
  for (unsigned i = 0; i < kTuples; ++i)
    operands.push_back(getOperands(form, input, i));
  unsigned width = getResultWidth(form), checked = 0, shown = 0;
  uint64_t mask = width == 8 ? ~uint64_t(0) : (uint64_t(1) << (8 * width)) - 1;
  for (unsigned i = 0; i < kTuples && shown < 5; ++i) {
    std::optional<uint64_t> expected;
    if (form.warpReference) {
      uint64_t warp[32][4];
      std::memcpy(warp, &operands[i / 32 * 32], sizeof(warp));
      expected = form.warpReference(warp, i % 32);
    } else {
      expected = form.reference(operands[i].data());
    }
    if (!expected)
      continue;
    ++checked;
    if (results[i] == (*expected & mask))
      continue;
    ++shown;
    ADD_FAILURE() << describe(form, operands[i]) << ": expected "
                  << llvm::utohexstr(*expected & mask) << ", but got "
                  << llvm::utohexstr(results[i]);
  }
  EXPECT_GT(checked, kTuples / 8);
}

/// Results lie within the documented error, are the same each time, use the
/// room that there is, and are correctly rounded where that is asked for.
void checkApproximation(const Form &form, const std::vector<uint32_t> &input) {
  Options exactly;
  exactly.perturb = false;
  std::vector<uint64_t> results = getResults(form, input, {});
  std::vector<uint64_t> exact = getResults(form, input, exactly);
  ASSERT_FALSE(results.empty());
  EXPECT_EQ(results, getResults(form, input, {}));
  const Approximation &approximation = *form.approximation;
  unsigned checked = 0, moved = 0, bits = 0;
  uint64_t mask = approximation.getBits() == 64
                      ? ~uint64_t(0)
                      : (uint64_t(1) << approximation.getBits()) - 1;
  for (unsigned i = 0; i < kTuples; ++i)
    for (unsigned which = 0; which < approximation.count; ++which) {
      std::array<uint64_t, 4> x = getOperands(form, input, i);
      Bound bound = approximation.getBound(form.form, x.data(), which);
      uint64_t actual = results[i] >> (which * approximation.getBits()) & mask;
      if (bound.bits) {
        EXPECT_EQ(actual, *bound.bits) << describe(form, x);
        ++bits;
      }
      if (bound.bits || bound.error < 0)
        continue;
      double number = approximation.getNumber(results[i], which);
      double nearest = approximation.getNumber(exact[i], which);
      EXPECT_LE(std::abs(number - bound.value), bound.error)
          << describe(form, x);
      EXPECT_LE(std::abs(nearest - bound.value), bound.error)
          << describe(form, x);
      ++checked;
      moved += number != nearest;
    }
  EXPECT_GT(checked, kTuples / 8);
  EXPECT_GT(bits, kTuples / 256);
  // A result that is used as it is differs in many places, where rounding to
  // few bits leaves room.
  EXPECT_GT(moved, approximation.type == "f32" ? checked / 20 : 0);
}

} // namespace

TEST_P(FormTest, Bits) {
  const Form &form = getForms()[GetParam()];
  std::vector<uint32_t> input = makeFormInput(form);
  if (form.approximation)
    checkApproximation(form, input);
  else
    checkBits(form, input);
}
INSTANTIATE_TEST_SUITE_P(Table, FormTest,
                         testing::Range<size_t>(0, getForms().size()),
                         [](const auto &info) {
                           return nameOf(getForms()[info.param].form,
                                         info.param);
                         });

TEST_P(ProgramTest, Words) {
  const ProgramCase &program = getPrograms()[GetParam()];
  std::string ptx = makeModule(getHeader(), program.body);
  // A case tests what it says it does.
  auto module = Module::parse(ptx);
  if (!module)
    FAIL() << llvm::toString(module.takeError()) << "\n" << ptx;
  std::vector<std::string> present = (*module)->getForms();
  for (const std::string &form : program.forms)
    EXPECT_TRUE(llvm::is_contained(present, form)) << form;
  auto output =
      run(ptx, program.config, program.input, program.expected.size());
  if (!output)
    FAIL() << llvm::toString(output.takeError()) << "\n" << ptx;
  for (size_t i = 0; i < program.expected.size(); ++i)
    EXPECT_EQ((*output)[i], program.expected[i]) << "word " << i;
}

INSTANTIATE_TEST_SUITE_P(Table, ProgramTest,
                         testing::Range<size_t>(0, getPrograms().size()),
                         [](const auto &info) {
                           return nameOf(getPrograms()[info.param].name,
                                         info.param);
                         });

/// Prints the tested forms, one a line, after "form ".
TEST(Table, Forms) {
  for (const Form &form : getForms())
    printf("form %s\n", form.form.c_str());
  for (const ProgramCase &program : getPrograms())
    for (const std::string &form : program.forms)
      printf("form %s\n", form.c_str());
  EXPECT_GT(getForms().size(), 500u);
}
