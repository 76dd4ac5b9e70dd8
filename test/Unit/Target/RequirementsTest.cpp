//===- RequirementsTest.cpp - The compiler's targets and the simulator's --===//
//
// Part of the Lowp project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// What a GPU has is written down twice, for the compiler and, from the PTX ISA
// alone, for the simulator. Each checks the other.
//
//===----------------------------------------------------------------------===//

#include "lowp/Simulator/Requirements.h"
#include "lowp/Target/TargetInfo.h"

#include "gmock/gmock.h"
#include "gtest/gtest.h"

using namespace mlir::lowp;
using namespace lowp::sim;
using llvm::StringRef;
using llvm::VersionTuple;
using F = PTXFeature;

namespace {

/// The instructions that a mnemonic stands for: `{a,b}` is either. What a `*`
/// leaves open is `rest`.
std::vector<std::string> expand(StringRef mnemonic, StringRef rest) {
  std::vector<std::string> all = {""};
  llvm::SmallVector<StringRef> parts;
  mnemonic.split(parts, '.');
  for (StringRef part : parts) {
    llvm::SmallVector<StringRef> choices = {part == "*" ? rest : part};
    if (part.consume_front("{") && part.consume_back("}")) {
      choices.clear();
      part.split(choices, ',');
    }
    std::vector<std::string> longer;
    for (const std::string &form : all)
      for (StringRef choice : choices)
        longer.push_back(form + (form.empty() ? "" : ".") + choice.str());
    all = longer;
  }
  return all;
}

/// What the simulator does not execute, and so knows no requirement of.
bool isSimulated(PTXFeature feature) {
  return feature < F::MmaSyncBF16 || feature > F::TensorMemoryLoadReduce;
}

std::vector<const TargetInfo *> getGPUTargets() {
  std::vector<const TargetInfo *> gpus;
  for (const TargetInfo &target : TargetInfo::getAll())
    if (target.isGPU())
      gpus.push_back(&target);
  return gpus;
}

TEST(Requirements, HasAGpuForEachTarget) {
  std::vector<StringRef> targets, simulated;
  for (const TargetInfo *target : getGPUTargets())
    targets.push_back(target->getName());
  for (const Gpu &gpu : getGpus()) {
    simulated.push_back(gpu.target);
    EXPECT_EQ(getTargetNumber(gpu.target), 10 * gpu.major + gpu.minor);
    EXPECT_TRUE(runsTarget(gpu, gpu.target));
  }
  EXPECT_EQ(simulated, targets);
}

TEST(Requirements, KnowsTargetsFromTheSameVersion) {
  for (const TargetInfo *target : getGPUTargets()) {
    VersionTuple first = target->getMinimumPTXVersion();
    EXPECT_EQ(checkTarget(target->getName(), first), "");
    VersionTuple before(first.getMajor(), *first.getMinor() - 1);
    if (*first.getMinor() == 0)
      before = VersionTuple(first.getMajor() - 1, 9);
    EXPECT_NE(checkTarget(target->getName(), before), "")
        << target->getName().str();
  }
}

TEST(Requirements, HaveTheSameFeatures) {
  unsigned forms = 0;
  for (unsigned index = 0; index <= unsigned(F::ReduxMaxAbsF32); ++index) {
    auto feature = static_cast<PTXFeature>(index);
    if (!isSimulated(feature))
      continue;
    StringRef rest = feature == F::ReduxMaxAbsF32 ? "f32" : "mbarrier";
    for (const std::string &form : expand(getMnemonic(feature), rest)) {
      ++forms;
      for (const TargetInfo *target : getGPUTargets()) {
        std::optional<VersionTuple> version = target->getPTXVersion(feature);
        std::string missing = checkRequirements(
            form, target->getName(), version.value_or(VersionTuple(99, 0)));
        EXPECT_EQ(missing.empty(), version.has_value())
            << form << " on " << target->getName().str() << ": " << missing;
        // Where the form is newer than the target, its version is the same.
        if (!version || *version == target->getMinimumPTXVersion())
          continue;
        VersionTuple before(version->getMajor(), *version->getMinor() - 1);
        if (*version->getMinor() > 0) {
          EXPECT_NE(checkRequirements(form, target->getName(), before), "")
              << form << " on " << target->getName().str();
        }
      }
    }
  }
  EXPECT_GT(forms, 40u);
}

} // namespace
