//===- Program.h - A compiled program in this process -----------*- C++ -*-===//
//
// Part of the Lowp project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef LOWP_DRIVER_PROGRAM_H
#define LOWP_DRIVER_PROGRAM_H

#include "lowp/Support/Npy.h"

#include "llvm/ADT/StringRef.h"
#include "llvm/Support/Error.h"

#include <memory>
#include <string>
#include <vector>

namespace mlir::lowp {

/// An argument or result, as `lowp_signatures` describes it.
struct ProgramValue {
  std::string dtype;
  llvm::SmallVector<int64_t> shape; ///< -1 where dynamic
  bool scalar = false;
  bool written = false;
  bool step = false; ///< of stochastic rounding: callers may leave it out
};

struct ProgramEntry {
  std::string name;
  std::vector<ProgramValue> arguments, results;
};

/// A loaded shared object, called through include/lowp-c/Runtime.h only.
class Program {
public:
  /// `driver` is what a program for a GPU uses instead of libcuda.so.1: the
  /// path of another shared library, or empty for none.
  static llvm::Expected<std::unique_ptr<Program>>
  load(llvm::StringRef sharedObject, llvm::StringRef driver = "");
  ~Program();

  /// "cpu" or a GPU.
  llvm::StringRef getTarget() const { return target; }

  const std::vector<ProgramEntry> &getEntries() const { return entries; }

  /// The entry of that name; for an empty name "main", else the only entry.
  llvm::Expected<const ProgramEntry *> findEntry(llvm::StringRef name) const;

  /// Calls an entry. Arguments that it writes to are changed in place. For a
  /// GPU, arguments are copied there, and results back.
  llvm::Expected<std::vector<Array>> call(const ProgramEntry &entry,
                                          std::vector<Array> &arguments) const;

  /// Results that were not freed, over all calls.
  int64_t getLiveAllocations() const;

private:
  Program() = default;

  struct Symbols;
  struct DeviceMemory;
  void *handle = nullptr;
  std::unique_ptr<Symbols> symbols;
  std::string target = "cpu";
  std::vector<ProgramEntry> entries;
};

/// The simulated driver of this installation (docs/simulator.md).
llvm::Expected<std::string> findSimulatedDriver();

/// The step of stochastic rounding of callers that leave it out: the first.
Array makeFirstStep();

/// An error, "expected f32[2x?], but got ...", where the array is no value for
/// the argument.
llvm::Error checkArgument(const ProgramValue &argument, const Array &array);

/// How far an array is from another.
struct ArrayError {
  double maxAbs = 0;   ///< infinite where one is finite and the other not
  double relative = 0; ///< norm of the difference over norm of the reference
};

/// Compares arrays of elements of `dtype`, whose bits may come as integers.
llvm::Expected<ArrayError> compareArrays(const Array &actual,
                                         const Array &reference,
                                         llvm::StringRef dtype);

/// Signal to noise ratio, in dB, of `actual` (f32) against `reference`, of
/// `dtype` and the same shape: infinite where they are equal, NaN where the
/// reference holds a NaN.
double getSqnrDb(const Array &actual, const Array &reference,
                 llvm::StringRef dtype);

/// "f32[2x?]".
std::string formatType(const ProgramValue &value);

} // namespace mlir::lowp

#endif // LOWP_DRIVER_PROGRAM_H
