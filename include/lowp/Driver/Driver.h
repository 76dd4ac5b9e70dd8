//===- Driver.h - From a program to an artifact -----------------*- C++ -*-===//
//
// Part of the Lowp project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// What lowp-compile, lowp-run and the C API do with a program.
//
//===----------------------------------------------------------------------===//

#ifndef LOWP_DRIVER_DRIVER_H
#define LOWP_DRIVER_DRIVER_H

#include "lowp/Pipelines/Pipelines.h"
#include "lowp/Report/Report.h"
#include "lowp/Target/CPU.h"

#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/OwningOpRef.h"
#include "mlir/Support/Timing.h"

#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace llvm {
class SourceMgr;
} // namespace llvm

namespace mlir::lowp {

enum class EmitKind { MLIR, LLVM, PTX, Cubin, Object, Shared };

/// The recipe that is chosen for a program, instead of one that is given.
inline constexpr llvm::StringLiteral kAutoRecipe = "auto";

/// What that is chosen within, and by which data (docs/recipes.md). One of
/// `maxError` and `bits` is set.
struct AutoRecipeOptions {
  std::optional<double> maxError, bits;
  /// An .npz file with arguments that stay the same; empty for none.
  std::string weights;
  /// For the other arguments, an .npy file each or an .npz file for each run.
  std::vector<std::string> calibration;
  /// The function that they are for: by default main, or the only one.
  std::string entry;

  bool isSet() const {
    return maxError || bits || !weights.empty() || !calibration.empty();
  }
};

struct CompileOptions {
  PipelineOptions pipeline;
  CPUOptions cpu;
  /// Of `pipeline.recipe` = "auto".
  AutoRecipeOptions autoRecipe;
  /// The assembler of PTX; empty to look for one.
  std::string ptxas;
  EmitKind emit = EmitKind::MLIR;
  /// MLIR as bytecode instead of text.
  bool emitBytecode = false;
  /// The last stage to run, where `emit` is MLIR; by default all run.
  std::optional<Stage> stopAfter;
  /// The first stage to run: the program is what an earlier run stopped at.
  std::optional<Stage> resumeFrom;
  /// A folder for the program after each stage (`1-recognize.mlir`, ...).
  std::string dumpStages;
};

/// A quantization of an instrumented program (PipelineOptions::measure): result
/// `result` of the entry is its source, the next one what that decodes to.
struct Measurement {
  std::string site;
  std::string operand; ///< "lhs" or "rhs"
  unsigned result;
};

struct CompileResult {
  /// The artifact: text or bytes.
  std::string output;
  /// The program after the last stage.
  OwningOpRef<ModuleOp> module;
  /// The recipe that was chosen, and what the report says of the choice as a
  /// whole and of each site; none but for the recipe "auto".
  std::string recipe;
  llvm::json::Object choice, choices;

  std::vector<Measurement> getMeasurements() const;
  /// The report of sites (docs/report.md) as JSON text.
  std::string getReport(const ReportHeader &header,
                        ArrayRef<OperandError> errors = {}) const;
};

/// Adds all dialects, extensions and translations that programs may need.
void registerAllForPrograms(DialectRegistry &registry);

/// Whether the options make sense together; says why not at `loc`.
LogicalResult checkOptions(const CompileOptions &options, Location loc);

/// Compiles text or bytecode. Whatever goes wrong is a diagnostic of the
/// context. `timing` gets the time of each stage and its passes.
FailureOr<CompileResult>
compileProgram(const std::shared_ptr<llvm::SourceMgr> &source,
               const CompileOptions &options, MLIRContext *context,
               TimingScope timing = TimingScope());

/// Names that --target takes: "cpu" and the GPUs.
std::vector<std::string> getTargetNames();

} // namespace mlir::lowp

#endif // LOWP_DRIVER_DRIVER_H
