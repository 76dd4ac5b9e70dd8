//===- Npy.h - Arrays in numpy's files --------------------------*- C++ -*-===//
//
// Part of the Lowp project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Reads and writes .npy and .npz. Needs no MLIR.
//
//===----------------------------------------------------------------------===//

#ifndef LOWP_SUPPORT_NPY_H
#define LOWP_SUPPORT_NPY_H

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/ADT/StringRef.h"
#include "llvm/Support/Error.h"

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

namespace mlir::lowp {

/// A dense array, its elements in row-major order and little-endian.
struct Array {
  /// numpy's kind of the elements: 'b' bool, 'i', 'u' or 'f'.
  char kind = 'f';
  /// Bytes of an element.
  int64_t itemSize = 4;
  llvm::SmallVector<int64_t> shape;
  std::vector<char> data;

  int64_t getNumElements() const;
};

using NamedArrays = std::vector<std::pair<std::string, Array>>;

/// Parses the contents of a .npy file. Arrays in Fortran order are transposed;
/// big-endian arrays and types other than bool, integers and floats are an
/// error.
llvm::Expected<Array> parseNpy(llvm::StringRef bytes);

/// The contents of a .npy file, as numpy writes them.
std::string formatNpy(const Array &array);

/// Parses the contents of a .npz file (a zip archive of .npy files, stored or
/// deflated). Names come without their ".npy".
llvm::Expected<NamedArrays> parseNpz(llvm::StringRef bytes);

/// The contents of an .npz file; the same arrays give the same bytes.
std::string
formatNpz(llvm::ArrayRef<std::pair<std::string, const Array *>> arrays);

} // namespace mlir::lowp

#endif // LOWP_SUPPORT_NPY_H
