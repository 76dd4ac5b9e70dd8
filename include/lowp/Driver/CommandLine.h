//===- CommandLine.h - Flags that the tools share ---------------*- C++ -*-===//
//
// Part of the Lowp project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef LOWP_DRIVER_COMMANDLINE_H
#define LOWP_DRIVER_COMMANDLINE_H

#include "lowp/Driver/Driver.h"

#include "llvm/ADT/STLFunctionalExtras.h"
#include "llvm/Support/Error.h"

namespace mlir::lowp {

/// Registers the flags of compilation (--recipe, --rule, --target, --mcpu,
/// --params, ...), of remarks and of timing. Called once, before the command
/// line is parsed.
void registerCommonFlags();

/// What the flags say.
CompileOptions getCommonOptions();

/// Runs a tool's body. A crash in it becomes an error message and exit status
/// 1: no input may take a tool down without one.
int runTool(StringRef name, llvm::function_ref<int()> body);

/// Compiles a file, or the standard input for "-", in a context set up as the
/// flags say, and gives what comes out to `use`, whose status it returns. What
/// goes wrong is printed as an error of the tool `name` or as a diagnostic;
/// the status is 1 then.
int compileFile(StringRef name, StringRef path, const CompileOptions &options,
                llvm::function_ref<int(CompileResult &)> use);

/// Files that a tool writes: all of them or, where one cannot be written, none.
class OutputFiles {
public:
  /// "-" is the standard output; it is best added last, for it cannot be taken
  /// back.
  void add(StringRef path, std::string contents) {
    files.push_back({path.str(), std::move(contents)});
  }

  llvm::Error write() const;

private:
  struct File {
    std::string path, contents;
  };
  std::vector<File> files;
};

/// Adds the file of --recipe-out, where there is one.
llvm::Error addRecipe(OutputFiles &files, const CompileResult &result);

} // namespace mlir::lowp

#endif // LOWP_DRIVER_COMMANDLINE_H
