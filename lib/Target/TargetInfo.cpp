//===- TargetInfo.cpp - What each target can do ---------------------------===//
//
// Part of the Lowp project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Sources: PTX ISA 9.1 (`cvt`, `mma`, `tcgen05`, release notes), and what
// ptxas 13.5 accepts where the text is silent. Lowest versions: a form needs
// the version it came with, and the version that its target came with.
//
//===----------------------------------------------------------------------===//

#include "lowp/Target/TargetInfo.h"

#include "mlir/IR/Diagnostics.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"

using namespace mlir;
using namespace mlir::lowp;

namespace {

enum Mask : unsigned {
  SM80 = 1 << 0,
  SM90a = 1 << 1,
  SM100a = 1 << 2,
  SM103a = 1 << 3,
  SM120a = 1 << 4,
  DataCenterBlackwell = SM100a | SM103a,
  Blackwell = DataCenterBlackwell | SM120a,
  HopperUp = SM90a | Blackwell,
  All = SM80 | HopperUp,
};

constexpr TargetInfo targets[] = {
    {"cpu", "the host's processor", 0, 0},
    {"sm_80", "NVIDIA A100", 70, SM80},
    {"sm_90a", "NVIDIA H100, H200", 80, SM90a},
    {"sm_100a", "NVIDIA B200, GB200", 86, SM100a},
    {"sm_103a", "NVIDIA B300, GB300", 88, SM103a},
    {"sm_120a", "NVIDIA RTX PRO Blackwell, GeForce RTX 50", 87, SM120a},
};

struct FeatureInfo {
  PTXFeature feature;
  /// The parts of an instruction's name that matter, in order; others may stand
  /// between them, but not before the first, and after the last only where it
  /// is `*`. `{a,b}` is either of two. The first row that fits an instruction
  /// is its feature.
  StringLiteral mnemonic;
  /// The version it came with, 10 * major + minor.
  unsigned ptxVersion;
  unsigned targets;
};

using F = PTXFeature;
// clang-format off
constexpr FeatureInfo features[] = {
    // Stochastic forms first: `.rs` is a part that the others do not have.
    {F::CvtRsF32ToF8,   "cvt.rs.{e4m3x4,e5m2x4}.f32", 87, DataCenterBlackwell},
    {F::CvtRsF32ToF6,   "cvt.rs.{e2m3x4,e3m2x4}.f32", 87, DataCenterBlackwell},
    {F::CvtRsF32ToE2M1, "cvt.rs.e2m1x4.f32",          87, DataCenterBlackwell},
    {F::CvtRsF32ToBF16, "cvt.rs.bf16x2.f32",          87, DataCenterBlackwell},
    {F::CvtRsF32ToF16,  "cvt.rs.f16x2.f32",           87, DataCenterBlackwell},

    {F::CvtF32ToE4M3,   "cvt.rn.e4m3x2.f32",             78, HopperUp},
    {F::CvtF32ToE5M2,   "cvt.rn.e5m2x2.f32",             78, HopperUp},
    {F::CvtF16ToF8,     "cvt.rn.{e4m3x2,e5m2x2}.f16x2",  78, HopperUp},
    {F::CvtBF16ToF8,    "cvt.rn.{e4m3x2,e5m2x2}.bf16x2", 91, Blackwell},
    {F::CvtF8ToF16,     "cvt.rn.f16x2.{e4m3x2,e5m2x2}",  78, HopperUp},
    {F::CvtF8ToBF16,    "cvt.rn.bf16x2.{e4m3x2,e5m2x2}", 92, Blackwell},
    {F::CvtF32ToE2M1,   "cvt.rn.e2m1x2.f32",             86, Blackwell},
    {F::CvtF16ToE2M1,   "cvt.rn.e2m1x2.f16x2",           91, Blackwell},
    {F::CvtBF16ToE2M1,  "cvt.rn.e2m1x2.bf16x2",          91, Blackwell},
    {F::CvtE2M1ToF16,   "cvt.rn.f16x2.e2m1x2",           86, Blackwell},
    {F::CvtE2M1ToBF16,  "cvt.rn.bf16x2.e2m1x2",          92, Blackwell},
    {F::CvtF32ToF6,     "cvt.rn.{e2m3x2,e3m2x2}.f32",    86, Blackwell},
    {F::CvtF16ToF6,     "cvt.rn.{e2m3x2,e3m2x2}.f16x2",  91, Blackwell},
    {F::CvtBF16ToF6,    "cvt.rn.{e2m3x2,e3m2x2}.bf16x2", 91, Blackwell},
    {F::CvtF6ToF16,     "cvt.rn.f16x2.{e2m3x2,e3m2x2}",  86, Blackwell},
    {F::CvtF6ToBF16,    "cvt.rn.bf16x2.{e2m3x2,e3m2x2}", 92, Blackwell},
    {F::CvtF32ToUE8M0,  "cvt.{rz,rp}.ue8m0x2.f32",       86, Blackwell},
    {F::CvtBF16ToUE8M0, "cvt.{rz,rp}.ue8m0x2.bf16x2",    86, Blackwell},
    {F::CvtUE8M0ToBF16, "cvt.rn.bf16x2.ue8m0x2",         86, Blackwell},
    {F::CvtF32ToS2F6,   "cvt.rn.s2f6x2.f32",             91, Blackwell},
    {F::CvtBF16ToS2F6,  "cvt.rn.s2f6x2.bf16x2",          91, Blackwell},
    {F::CvtS2F6ToBF16,  "cvt.rn.bf16x2.s2f6x2",          91, Blackwell},

    {F::MmaSyncBlockScaleMxf8f6f4, "mma.sync.kind::mxf8f6f4.block_scale.*", 87, SM120a},
    {F::MmaSyncBlockScaleMxf4nvf4, "mma.sync.kind::mxf4nvf4.block_scale.*", 87, SM120a},
    {F::MmaSyncBlockScaleMxf4,     "mma.sync.kind::mxf4.block_scale.*",     87, SM120a},
    {F::MmaSyncF8,                 "mma.sync.{e4m3,e5m2}.*",                84, HopperUp},
    {F::MmaSyncBF16,               "mma.sync.bf16.*",                       70, All},
    {F::Wgmma,                     "wgmma.*",                               80, SM90a},
    {F::Tcgen05MmaF16,             "tcgen05.mma.kind::f16.*",               86, DataCenterBlackwell},
    {F::Tcgen05MmaI8,              "tcgen05.mma.kind::i8.*",                86, SM100a},
    {F::Tcgen05MmaMxf8f6f4,        "tcgen05.mma.kind::mxf8f6f4.*",          88, DataCenterBlackwell},
    {F::Tcgen05MmaMxf4nvf4,        "tcgen05.mma.kind::mxf4nvf4.*",          88, DataCenterBlackwell},
    {F::Tcgen05MmaMxf4,            "tcgen05.mma.kind::mxf4.*",              88, DataCenterBlackwell},

    {F::TensorMemoryLoadReduce, "tcgen05.ld.red.*",                88, SM103a},
    {F::TensorMemory,           "tcgen05.*",                       86, DataCenterBlackwell},
    {F::BulkTensorCopy,         "cp.async.bulk.tensor.*",          80, HopperUp},
    {F::BulkCopy,               "cp.async.bulk.*",                 80, HopperUp},
    {F::LoadStore256,           "{ld,st}.global.v8.b32",           88, Blackwell},
    {F::LoadStore256,           "{ld,st}.global.v4.b64",           88, Blackwell},
    {F::PackedF32,              "{add,mul,fma}.rn.f32x2",          86, Blackwell},
    {F::ReduxMaxAbsF32,         "redux.sync.{max,min}.abs.*",      86, DataCenterBlackwell},
};
// clang-format on

constexpr unsigned newestLLVMPTXVersion = 90;

llvm::VersionTuple toTuple(unsigned version) {
  return llvm::VersionTuple(version / 10, version % 10);
}

const FeatureInfo &getInfo(PTXFeature feature) {
  const FeatureInfo *info = llvm::find_if(
      features, [&](const FeatureInfo &f) { return f.feature == feature; });
  assert(info != std::end(features) && "feature without a row");
  return *info;
}

std::string joinNames(function_ref<bool(const TargetInfo &)> filter) {
  std::string names;
  llvm::ListSeparator separator;
  for (const TargetInfo &target : targets)
    if (filter(target))
      names += (StringRef(separator) + target.getName()).str();
  return names;
}

/// Whether `part` is `pattern`, or one of its alternatives.
bool matchesPart(StringRef pattern, StringRef part) {
  if (!pattern.consume_front("{"))
    return pattern == part;
  pattern.consume_back("}");
  SmallVector<StringRef, 2> alternatives;
  pattern.split(alternatives, ',');
  return llvm::is_contained(alternatives, part);
}

bool matches(StringRef pattern, ArrayRef<StringRef> parts) {
  SmallVector<StringRef, 8> wanted;
  pattern.split(wanted, '.');
  bool open = wanted.back() == "*";
  if (open)
    wanted.pop_back();
  if (!matchesPart(wanted.front(), parts.front()))
    return false;
  if (!open && !matchesPart(wanted.back(), parts.back()))
    return false;
  auto next = wanted.begin();
  for (StringRef part : parts)
    if (next != wanted.end() && matchesPart(*next, part))
      ++next;
  return next == wanted.end();
}

} // namespace

//===----------------------------------------------------------------------===//
// TargetInfo
//===----------------------------------------------------------------------===//

ArrayRef<TargetInfo> TargetInfo::getAll() { return targets; }

const TargetInfo *TargetInfo::lookup(StringRef name) {
  const TargetInfo *target = llvm::find_if(
      targets, [&](const TargetInfo &t) { return t.getName() == name; });
  return target == std::end(targets) ? nullptr : target;
}

FailureOr<const TargetInfo *>
TargetInfo::get(StringRef name, function_ref<InFlightDiagnostic()> emitError) {
  if (const TargetInfo *target = lookup(name))
    return target;
  return emitError() << "unknown target '" << name << "', expected one of "
                     << getNames();
}

FailureOr<const TargetInfo *>
TargetInfo::getGPU(StringRef name,
                   function_ref<InFlightDiagnostic()> emitError) {
  const TargetInfo *target = lookup(name);
  if (target && target->isGPU())
    return target;
  return emitError() << (target ? "target '" : "unknown target '") << name
                     << (target ? "' is not a GPU" : "'")
                     << ", expected one of "
                     << joinNames(
                            [](const TargetInfo &t) { return t.isGPU(); });
}

std::string TargetInfo::getNames() {
  return joinNames([](const TargetInfo &) { return true; });
}

std::string TargetInfo::getNamesWith(PTXFeature feature) {
  return joinNames([&](const TargetInfo &t) { return t.has(feature); });
}

llvm::VersionTuple TargetInfo::getMinimumPTXVersion() const {
  return toTuple(ptxVersion);
}

bool TargetInfo::has(PTXFeature feature) const {
  return (getInfo(feature).targets & bit) != 0;
}

std::optional<llvm::VersionTuple>
TargetInfo::getPTXVersion(PTXFeature feature) const {
  if (!has(feature))
    return std::nullopt;
  return toTuple(std::max(getInfo(feature).ptxVersion, ptxVersion));
}

//===----------------------------------------------------------------------===//
// Instructions
//===----------------------------------------------------------------------===//

StringRef mlir::lowp::getMnemonic(PTXFeature feature) {
  return getInfo(feature).mnemonic;
}

std::optional<PTXFeature> mlir::lowp::findPTXFeature(StringRef instruction) {
  SmallVector<StringRef, 12> parts;
  instruction.split(parts, '.');
  for (const FeatureInfo &info : features)
    if (matches(info.mnemonic, parts))
      return info.feature;
  return std::nullopt;
}

SmallVector<PTXFeature> mlir::lowp::findPTXFeatures(StringRef ptx) {
  SmallVector<PTXFeature> found;
  auto isName = [](char c) {
    return llvm::isAlnum(c) || c == '.' || c == ':' || c == '_' || c == '%' ||
           c == '$';
  };
  while (!ptx.empty()) {
    StringRef token = ptx.take_while(isName);
    ptx = ptx.drop_front(std::max<size_t>(token.size(), 1));
    if (token.empty() || !llvm::isAlpha(token.front()))
      continue;
    std::optional<PTXFeature> feature = findPTXFeature(token);
    if (feature && !llvm::is_contained(found, *feature))
      found.push_back(*feature);
  }
  return found;
}

llvm::VersionTuple mlir::lowp::getNewestLLVMPTXVersion() {
  return toTuple(newestLLVMPTXVersion);
}
