//===- Requirements.h - What PTX asks of a GPU ------------------*- C++ -*-===//
//
// Part of the Lowp project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef LOWP_SIMULATOR_REQUIREMENTS_H
#define LOWP_SIMULATOR_REQUIREMENTS_H

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/StringRef.h"
#include "llvm/Support/VersionTuple.h"

#include <string>

namespace lowp::sim {

/// A GPU that the simulator stands in for.
struct Gpu {
  /// The target that has all of it, e.g. sm_103a.
  llvm::StringLiteral target;
  /// Compute capability.
  unsigned major;
  unsigned minor;
};

/// One for each GPU that the compiler has a target for, in its order.
llvm::ArrayRef<Gpu> getGpus();

/// Whether `gpu` runs text for `target`: that of its own architecture, of its
/// family, or of any older GPU without a suffix.
bool runsTarget(const Gpu &gpu, llvm::StringRef target);

/// The number of a target, 103 for sm_103a; 0 if it is none.
unsigned getTargetNumber(llvm::StringRef target);

/// Why `target` does not exist under `version`; empty if it does.
std::string checkTarget(llvm::StringRef target, llvm::VersionTuple version);

/// What `form` asks for that `target` under `version` does not have; empty if
/// it is all there.
std::string checkRequirements(llvm::StringRef form, llvm::StringRef target,
                              llvm::VersionTuple version);

} // namespace lowp::sim

#endif // LOWP_SIMULATOR_REQUIREMENTS_H
