//===- Suite.h - Files of cases, generated cases, compiled cases -*- C++
//-*-===//
//
// Part of the Lowp project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef LOWP_CONFORMANCE_SUITE_H
#define LOWP_CONFORMANCE_SUITE_H

#include "lowp/Conformance/Case.h"
#include "lowp/Driver/Program.h"

#include <map>
#include <memory>

namespace mlir::lowp::conformance {

//===----------------------------------------------------------------------===//
// Files
//===----------------------------------------------------------------------===//

/// Names of the files of a suite; docs/conformance.md describes them.
inline constexpr llvm::StringLiteral kManifestName = "manifest.json";
inline constexpr llvm::StringLiteral kInputsName = "inputs.bin";
inline constexpr llvm::StringLiteral kOutputsName = "outputs.bin";

struct Files {
  std::string manifest, inputs, outputs;
};

Files writeSuite(llvm::ArrayRef<Case> cases, uint64_t seed);

/// The cases of a suite. Every attribute and array is checked: what comes back
/// is safe to compute with.
llvm::Expected<std::vector<Case>> readSuite(llvm::StringRef manifest,
                                            llvm::StringRef inputs,
                                            llvm::StringRef outputs);

//===----------------------------------------------------------------------===//
// Generated cases
//===----------------------------------------------------------------------===//

/// The same numbers on every machine (SplitMix64).
class Random {
public:
  explicit Random(uint64_t seed) : state(seed) {}
  uint64_t next();
  uint32_t bits() { return static_cast<uint32_t>(next() >> 32); }
  /// From 0 to count - 1.
  int64_t below(int64_t count) { return static_cast<int64_t>(next() % count); }
  bool chance(int64_t percent) { return below(100) < percent; }
  template <typename T>
  T pick(std::initializer_list<T> values) {
    return values.begin()[below(static_cast<int64_t>(values.size()))];
  }
  /// Roughly normal, a multiple of 2^-28.
  float normal();

private:
  uint64_t state;
};

/// Every format, rule and operation, with ragged and empty shapes and all
/// kinds of special values.
std::vector<Case> generateSuite(uint64_t seed);

/// An operation on whole tensors with a random format, rule, blocking and
/// layout, and a shape that fits.
Spec randomSpec(Random &random);

/// Another shape for the operation; sizes of `fixed` that are not negative
/// stay.
num::Dims randomShape(const Spec &spec, llvm::ArrayRef<int64_t> fixed,
                      Random &random);

/// Inputs of all kinds: ties, special values, wide ranges, poisoned padding.
std::vector<Array> randomInputs(const Spec &spec, const Interface &io,
                                Random &random);

//===----------------------------------------------------------------------===//
// Compiled cases
//===----------------------------------------------------------------------===//

/// Compiled functions, one per operation and attributes.
class Programs {
public:
  /// Whether the operation is one on whole tensors.
  static bool isSupported(const Spec &spec);

  /// The function for `spec`, whose dims are dynamic where `dims` is negative;
  /// the same one for equal attributes.
  size_t add(const Spec &spec, llvm::ArrayRef<int64_t> dims);
  size_t size() const { return functions.size(); }
  const std::string &getText(size_t function) const {
    return functions[function].text;
  }

  /// Compiles what was added for a target, "cpu" or a GPU, which runs on
  /// libcuda.so.1 or on another driver (Program::load).
  llvm::Error compile(unsigned optLevel, llvm::StringRef target,
                      llvm::StringRef driver);

  /// Outputs of a case whose dims fit the function.
  llvm::Expected<std::vector<Array>> run(size_t function, const Spec &spec,
                                         llvm::ArrayRef<Array> inputs) const;

  /// Results that were not freed.
  int64_t getLiveAllocations() const;

private:
  struct Function {
    /// Without its name.
    std::string text;
    std::string name;
    num::Dims dims;
    const Program *program = nullptr;
    const ProgramEntry *entry = nullptr;
  };
  std::vector<Function> functions;
  std::map<std::string, size_t> known;
  std::vector<std::unique_ptr<Program>> programs;
};

} // namespace mlir::lowp::conformance

#endif // LOWP_CONFORMANCE_SUITE_H
