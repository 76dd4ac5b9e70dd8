//===- BlockProgram.h - run block operations on the host --------*- C++ -*-===//
//
// Part of the lowp project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Compiles functions around block-level operations through
// convert-lowp-to-arith and LLVM, and runs them on arrays.
//
//===----------------------------------------------------------------------===//

#ifndef LOWP_TEST_UNIT_CONVERSION_BLOCKPROGRAM_H
#define LOWP_TEST_UNIT_CONVERSION_BLOCKPROGRAM_H

#include <cstdint>
#include <cstdio>
#include <memory>
#include <string>
#include <vector>

/// An array that a function works on; a view.
struct Array {
  template <typename T>
  Array(std::vector<T> &values)
      : data(values.data()), size(static_cast<int64_t>(values.size())) {}

  void *data;
  int64_t size;
};

/// The text of one function: what happens for every block `%i`.
class Body {
public:
  /// `%name`: elements count * i to count * (i + 1) - 1 of argument `argument`;
  /// a scalar if count is 0.
  Body &load(const std::string &name, int argument, const std::string &type,
             int64_t count = 0);
  Body &store(const std::string &name, int argument, const std::string &type,
              int64_t count = 0);
  Body &line(const std::string &text);
  const std::string &str() const { return text; }

private:
  std::string index(int64_t count);

  std::string text;
  int numIndices = 0;
};

class BlockProgram {
public:
  BlockProgram();
  ~BlockProgram();

  /// Adds a function; `types` are the element types of its arrays `%a0`, ...
  void add(const std::string &name, const std::vector<std::string> &types,
           const Body &body);
  /// After all functions are added. False, with a message, if it failed.
  bool compile();
  void run(const std::string &name, int64_t blocks, std::vector<Array> arrays);

private:
  struct Impl;
  std::unique_ptr<Impl> impl;
  std::string text;
};

/// Collects mismatches and says the first few.
class Mismatches {
public:
  explicit Mismatches(std::string what) : what(std::move(what)) {}
  ~Mismatches();

  template <typename... Args>
  void add(const char *format, Args... args) {
    if (count++ >= 4)
      return;
    char line[256];
    std::snprintf(line, sizeof(line), format, args...);
    lines += std::string("\n  ") + line;
  }

private:
  std::string what;
  std::string lines;
  int64_t count = 0;
};

#endif // LOWP_TEST_UNIT_CONVERSION_BLOCKPROGRAM_H
