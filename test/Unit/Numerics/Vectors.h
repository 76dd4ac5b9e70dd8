//===- Vectors.h - Golden vectors and their manifest ------------*- C++ -*-===//
//
// Part of the Lowp project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef LOWP_TEST_UNIT_NUMERICS_VECTORS_H
#define LOWP_TEST_UNIT_NUMERICS_VECTORS_H

#include "Tensor.h"
#include "lpvec.h"
#include "llvm/Support/JSON.h"
#include <map>
#include <optional>

namespace lowp::numerics::testing {

const llvm::json::Object &manifest();

/// Arrays of a vector file, read once.
const std::map<std::string, lpvec::Array> &vectorFile(const std::string &name);

/// One entry of the manifest.
class Entry {
public:
  explicit Entry(const llvm::json::Object &json) : json(json) {}

  std::string name() const { return file() + ":" + string(json, "out"); }
  std::string file() const { return string(json, "file"); }
  std::string op() const { return string(json, "op"); }

  const llvm::json::Object &contract() const {
    return *json.getObject("contract");
  }
  /// An attribute of the contract, or its default, or "".
  std::string attribute(llvm::StringRef key) const;
  bool has(llvm::StringRef key) const { return contract().get(key); }

  bool hasArray(llvm::StringRef role) const {
    return json.getObject("arrays")->get(role);
  }
  /// The array of that role.
  const lpvec::Array &array(llvm::StringRef role) const;
  const lpvec::Array &arrayNamed(const std::string &name) const;

  const llvm::json::Object &object() const { return json; }

private:
  static std::string string(const llvm::json::Object &object,
                            llvm::StringRef key) {
    return object.getString(key)->str();
  }
  const llvm::json::Object &json;
};

std::vector<Entry> entries();

Dims shapeOf(const lpvec::Array &array);
std::vector<uint8_t> bytesOf(const lpvec::Array &array);
std::vector<float> floatsOf(const lpvec::Array &array);

/// A tensor of a vector file as a source: u16 is BF16, u32 is FP32.
struct Source {
  std::vector<uint16_t> halves;
  std::vector<float> floats;
  ConstFloatView view;

  explicit Source(const lpvec::Array &array);
};

/// What a contract of op `quantize` asks for.
struct Setup {
  BlockFormat format;
  QuantRule rule;
  Blocking blocking;
};

/// The setup of a contract. An attribute or value that nobody knows of fails
/// the test.
Setup setupOf(const Entry &entry);

} // namespace lowp::numerics::testing

#endif // LOWP_TEST_UNIT_NUMERICS_VECTORS_H
