//===- Pipelines.h - The stages and their order -----------------*- C++ -*-===//
//
// Part of the Lowp project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The only place that orders passes. docs/pipeline.md states what IR may enter
// and leave each stage.
//
//===----------------------------------------------------------------------===//

#ifndef LOWP_PIPELINES_PIPELINES_H
#define LOWP_PIPELINES_PIPELINES_H

#include "mlir/Pass/PassManager.h"

#include <optional>
#include <string>
#include <vector>

namespace mlir::lowp {

enum class Stage {
  Recognize,
  Assign,
  Insert,
  Simplify,
  FormKernels,
  Schedule,
  Lower,
  Convert,
  Emit,
};

struct StageInfo {
  Stage stage;
  StringRef name;
  StringRef description;
};

/// All stages, in order.
ArrayRef<StageInfo> getStages();

std::optional<Stage> symbolizeStage(StringRef name);
StringRef stringifyStage(Stage stage);

struct PipelineOptions {
  /// A recipe by name or file. `bf16` leaves every site as it is.
  std::string recipe = "bf16";
  /// Inline rules, which come before those of the recipe.
  std::vector<std::string> rules;
  /// "cpu", or a GPU such as "sm_100a".
  std::string target = "cpu";
  /// A JSON file with the names of arguments; empty for none.
  std::string params;
  /// An entry that is to return the source and the decoded value of every
  /// quantization besides its own results; empty for none.
  std::string measure;
  /// Seed of stochastic rounding.
  int64_t seed = 0;
  /// Threads of a program on the CPU. 0 leaves the number open: the environment
  /// variable OMP_NUM_THREADS, or the number of processors.
  unsigned threads = 1;
  /// Whether the processor has instructions for arithmetic in FP16.
  bool fp16 = false;
  /// Whether it has one for `lowp.dot_pairs`, and which its code may have.
  bool dotPairs = false;
  /// Whether programs for the CPU compute what they quantize in the loop that
  /// quantizes it.
  bool formKernels = true;
};

/// Adds the passes of one stage. Options are expected to be checked.
void buildStagePipeline(OpPassManager &pm, Stage stage,
                        const PipelineOptions &options);

/// Registers a pipeline `lowp-stage-NAME` for each stage, and `lowp-pipeline`
/// for all of them in order.
void registerPipelines();

} // namespace mlir::lowp

#endif // LOWP_PIPELINES_PIPELINES_H
