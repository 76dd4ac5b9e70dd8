//===- TargetInfo.h - What each target can do -------------------*- C++ -*-===//
//
// Part of the Lowp project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The one table of targets. Whatever depends on a GPU asks it; nothing else
// compares the name of a chip.
//
//===----------------------------------------------------------------------===//

#ifndef LOWP_TARGET_TARGETINFO_H
#define LOWP_TARGET_TARGETINFO_H

#include "mlir/Support/LLVM.h"
#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/ADT/StringRef.h"
#include "llvm/Support/VersionTuple.h"

#include <optional>
#include <string>

namespace mlir {
class InFlightDiagnostic;

namespace lowp {

/// An instruction form of PTX that not every GPU has. Conversions are named
/// after their source and destination.
enum class PTXFeature : unsigned {
  // Conversions, round to nearest even.
  CvtF32ToE4M3,
  CvtF32ToE5M2,
  CvtF16ToF8,
  CvtBF16ToF8,
  CvtF8ToF16,
  CvtF8ToBF16,
  CvtF32ToE2M1,
  CvtF16ToE2M1,
  CvtBF16ToE2M1,
  CvtE2M1ToF16,
  CvtE2M1ToBF16,
  CvtF32ToF6,
  CvtF16ToF6,
  CvtBF16ToF6,
  CvtF6ToF16,
  CvtF6ToBF16,
  CvtF32ToUE8M0,
  CvtBF16ToUE8M0,
  CvtUE8M0ToBF16,
  CvtF32ToS2F6,
  CvtBF16ToS2F6,
  CvtS2F6ToBF16,
  // Conversions, stochastic rounding (`.rs`).
  CvtRsF32ToF8,
  CvtRsF32ToF6,
  CvtRsF32ToE2M1,
  CvtRsF32ToBF16,
  CvtRsF32ToF16,
  // Matrix products.
  MmaSyncBF16,
  MmaSyncF8,
  MmaSyncBlockScaleMxf8f6f4,
  MmaSyncBlockScaleMxf4,
  MmaSyncBlockScaleMxf4nvf4,
  Wgmma,
  Tcgen05MmaF16,
  Tcgen05MmaI8,
  Tcgen05MmaMxf8f6f4,
  Tcgen05MmaMxf4,
  Tcgen05MmaMxf4nvf4,
  // Memory and the rest.
  TensorMemory,
  TensorMemoryLoadReduce,
  BulkTensorCopy,
  BulkCopy,
  LoadStore256,
  PackedF32,
  ReduxMaxAbsF32,
};

/// What a target is: the CPU, or a GPU by the name that ptxas knows it by.
class TargetInfo {
public:
  /// The target of that name, or null.
  static const TargetInfo *lookup(StringRef name);

  /// The target of that name; where there is none, an error that lists those
  /// known.
  static FailureOr<const TargetInfo *>
  get(StringRef name, function_ref<InFlightDiagnostic()> emitError);

  /// As `get`, and an error where the target is not a GPU.
  static FailureOr<const TargetInfo *>
  getGPU(StringRef name, function_ref<InFlightDiagnostic()> emitError);

  /// All targets, the CPU first.
  static ArrayRef<TargetInfo> getAll();

  /// Names of all targets, or of the GPUs that have `feature`, separated by
  /// commas.
  static std::string getNames();
  static std::string getNamesWith(PTXFeature feature);

  constexpr TargetInfo(const char *name, const char *description,
                       unsigned ptxVersion, unsigned bit)
      : name(name), description(description), ptxVersion(ptxVersion), bit(bit) {
  }

  StringRef getName() const { return name; }
  StringRef getDescription() const { return description; }
  bool isGPU() const { return bit != 0; }

  /// The PTX version from which on the GPU itself is known.
  llvm::VersionTuple getMinimumPTXVersion() const;

  bool has(PTXFeature feature) const;

  /// The lowest `.version` under which this GPU takes the form; none where it
  /// never does.
  std::optional<llvm::VersionTuple> getPTXVersion(PTXFeature feature) const;

private:
  const char *name;
  const char *description;
  /// 10 * major + minor.
  unsigned ptxVersion;
  /// Set in the target masks of the feature table.
  unsigned bit;
};

/// How diagnostics call a form: its mnemonic without optional modifiers.
StringRef getMnemonic(PTXFeature feature);

/// The feature that an instruction belongs to, e.g.
/// `cvt.rn.satfinite.scaled::n2::ue8m0.s2f6x2.f32`; none where every target has
/// it, or the table does not know it.
std::optional<PTXFeature> findPTXFeature(StringRef instruction);

/// The features of all instructions of a piece of PTX.
SmallVector<PTXFeature> findPTXFeatures(StringRef ptx);

/// The newest PTX version that LLVM can be asked for. Instructions that are
/// newer are emitted as inline PTX.
llvm::VersionTuple getNewestLLVMPTXVersion();

} // namespace lowp
} // namespace mlir

#endif // LOWP_TARGET_TARGETINFO_H
