//===- TargetInfoTest.cpp - The table of targets --------------------------===//
//
// Part of the Lowp project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "lowp/Target/TargetInfo.h"

#include "gmock/gmock.h"
#include "gtest/gtest.h"

using namespace mlir::lowp;
using llvm::VersionTuple;
using testing::ElementsAre;
using F = PTXFeature;

namespace {

std::string versionOf(llvm::StringRef target, F feature) {
  auto version = TargetInfo::lookup(target)->getPTXVersion(feature);
  return version ? version->getAsString() : "none";
}

TEST(TargetInfo, ListsTargets) {
  EXPECT_EQ(TargetInfo::getNames(),
            "cpu, sm_80, sm_90a, sm_100a, sm_103a, sm_120a");
  EXPECT_EQ(TargetInfo::lookup("sm_90"), nullptr);
  EXPECT_FALSE(TargetInfo::lookup("cpu")->isGPU());
  EXPECT_TRUE(TargetInfo::lookup("sm_80")->isGPU());
}

TEST(TargetInfo, NeedsTheLaterOfFormAndTarget) {
  EXPECT_EQ(versionOf("sm_90a", F::CvtF32ToE4M3), "8.0");
  EXPECT_EQ(versionOf("sm_80", F::CvtF32ToE4M3), "none");
  EXPECT_EQ(versionOf("sm_100a", F::CvtF32ToE2M1), "8.6");
  EXPECT_EQ(versionOf("sm_103a", F::CvtF32ToE2M1), "8.8");
  EXPECT_EQ(versionOf("sm_120a", F::CvtF32ToE2M1), "8.7");
  EXPECT_EQ(versionOf("sm_90a", F::CvtF32ToE2M1), "none");
  EXPECT_EQ(versionOf("sm_103a", F::CvtF32ToS2F6), "9.1");
  EXPECT_EQ(versionOf("sm_100a", F::CvtRsF32ToE2M1), "8.7");
  EXPECT_EQ(versionOf("sm_120a", F::CvtRsF32ToE2M1), "none");
  EXPECT_EQ(versionOf("sm_103a", F::Tcgen05MmaI8), "none");
  EXPECT_EQ(versionOf("cpu", F::MmaSyncBF16), "none");
}

TEST(TargetInfo, NamesTargetsOfAFeature) {
  EXPECT_EQ(TargetInfo::getNamesWith(F::Wgmma), "sm_90a");
  EXPECT_EQ(TargetInfo::getNamesWith(F::CvtF32ToS2F6),
            "sm_100a, sm_103a, sm_120a");
}

TEST(TargetInfo, FindsInstructions) {
  auto find = [](llvm::StringRef instruction) {
    return findPTXFeature(instruction);
  };
  EXPECT_EQ(find("cvt.rn.satfinite.s2f6x2.f32"), F::CvtF32ToS2F6);
  EXPECT_EQ(find("cvt.rn.satfinite.relu.scaled::n2::ue8m0.s2f6x2.bf16x2"),
            F::CvtBF16ToS2F6);
  EXPECT_EQ(find("cvt.rn.scaled::n2::ue8m0.bf16x2.s2f6x2"), F::CvtS2F6ToBF16);
  EXPECT_EQ(find("cvt.rn.satfinite.e4m3x2.bf16x2"), F::CvtBF16ToF8);
  EXPECT_EQ(find("cvt.rn.bf16x2.e4m3x2"), F::CvtF8ToBF16);
  EXPECT_EQ(find("cvt.rn.satfinite.e2m1x2.f32"), F::CvtF32ToE2M1);
  EXPECT_EQ(find("cvt.rs.satfinite.e2m1x4.f32"), F::CvtRsF32ToE2M1);
  EXPECT_EQ(find("cvt.rs.bf16x2.f32"), F::CvtRsF32ToBF16);
  EXPECT_EQ(find("cvt.rp.satfinite.ue8m0x2.f32"), F::CvtF32ToUE8M0);
  EXPECT_EQ(find("mma.sync.aligned.m16n8k64.row.col.kind::mxf4nvf4.block_"
                 "scale.scale_vec::4X.f32.e2m1.e2m1.f32.ue4m3"),
            F::MmaSyncBlockScaleMxf4nvf4);
  EXPECT_EQ(find("mma.sync.aligned.m16n8k16.row.col.f32.bf16.bf16.f32"),
            F::MmaSyncBF16);
  EXPECT_EQ(find("wgmma.mma_async.sync.aligned.m64n128k32.f32.e4m3.e4m3"),
            F::Wgmma);
  EXPECT_EQ(find("tcgen05.ld.red.sync.aligned.32x32b.x8.max.abs.f32"),
            F::TensorMemoryLoadReduce);
  EXPECT_EQ(find("tcgen05.ld.sync.aligned.32x32b.x8.b32"), F::TensorMemory);
  EXPECT_EQ(find("ld.global.nc.L1::no_allocate.v8.b32"), F::LoadStore256);
  // Conversions that every target has.
  EXPECT_EQ(find("cvt.rn.bf16x2.f32"), std::nullopt);
  EXPECT_EQ(find("cvt.rn.f16x2.f32"), std::nullopt);
  EXPECT_EQ(find("cvt.u16.u8"), std::nullopt);
  EXPECT_EQ(find("mov.b32"), std::nullopt);
}

TEST(TargetInfo, FindsInstructionsInText) {
  EXPECT_THAT(
      findPTXFeatures("{\n\t.reg .b8 a;\n\tcvt.rn.satfinite.e2m1x2.f32 a, $1, "
                      "$2;\n\tcvt.rn.satfinite.e2m1x2.f32 a, $2, $1;\n\t@p "
                      "redux.sync.max.abs.NaN.f32 $0, $1, $2;\n}"),
      ElementsAre(F::CvtF32ToE2M1, F::ReduxMaxAbsF32));
  EXPECT_THAT(findPTXFeatures("mul.rn.f32 $0, $1, 0f3F800000;"), ElementsAre());
}

} // namespace
