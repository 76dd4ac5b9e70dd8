//===- Contractions.h - Operands of contractions, components ----*- C++ -*-===//
//
// Part of the Lowp project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef LOWP_LIB_CONFORMANCE_CONTRACTIONS_H
#define LOWP_LIB_CONFORMANCE_CONTRACTIONS_H

#include "lowp/Conformance/Case.h"

#include <array>

namespace mlir::lowp::conformance {

template <typename T>
const T *dataOf(const Array &array) {
  return reinterpret_cast<const T *>(array.data.data());
}
template <typename T>
T *dataOf(Array &array) {
  return reinterpret_cast<T *>(array.data.data());
}

//===----------------------------------------------------------------------===//
// Components
//===----------------------------------------------------------------------===//

/// The components of a blocked value as the library takes them: one code a
/// byte, scales in linear layout.
struct Components {
  std::vector<uint8_t> codes, scales;
  std::vector<float> scalesF32, outer;
  bool float32;

  Components(const Blocked &blocked, const num::Dims &shape);
  num::BlockedData data();
};

Components loadComponents(const Blocked &blocked, const num::Dims &shape,
                          llvm::ArrayRef<Array> arrays);

num::Grouping groupingOf(unsigned axis, const Array &offsets);

//===----------------------------------------------------------------------===//
// Contractions
//===----------------------------------------------------------------------===//

inline bool isContraction(OpKind op) {
  return op >= OpKind::Matmul && op <= OpKind::KGroupedMatmul;
}

/// Whether the contraction is told where groups begin.
inline bool isByGroups(OpKind op) {
  return op == OpKind::GroupedMatmul || op == OpKind::KGroupedMatmul;
}

/// An operand of a contraction as it is stored.
struct Side {
  llvm::StringRef name;
  bool isBlocked;
  num::FloatType dtype;
  /// With the groups that `k_grouped_matmul` sums by.
  Blocked blocked;
  bool isBatched;
  num::Dims shape;
  unsigned freeDim, kDim;

  /// How many arrays it is.
  size_t getNumArrays() const {
    return isBlocked ? 2 + blocked.outer + blocked.isGrouped() : 1;
  }
};

/// lhs and rhs of a contraction of sizes `shape`. Negative sizes, which are not
/// known, stay.
std::array<Side, 2> sidesOf(const Spec &spec, const num::Dims &shape);
num::Dims contractedShape(const Spec &spec, const num::Dims &shape);

num::Status contract(const Spec &spec, llvm::ArrayRef<Array> inputs,
                     Array &result);

} // namespace mlir::lowp::conformance

#endif // LOWP_LIB_CONFORMANCE_CONTRACTIONS_H
