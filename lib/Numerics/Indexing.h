//===- Indexing.h - From an element to its scales ---------------*- C++ -*-===//
//
// Part of the Lowp project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef LOWP_LIB_NUMERICS_INDEXING_H
#define LOWP_LIB_NUMERICS_INDEXING_H

#include "lowp/Numerics/Layout.h"

namespace lowp::numerics {

/// Offset of an index.
inline int64_t dotProduct(const Dims &index, const Dims &strides) {
  int64_t result = 0;
  for (size_t dim = 0; dim < index.size(); ++dim)
    result += index[dim] * strides[dim];
  return result;
}

/// Where the block scale of an element is stored.
struct ScaleMap {
  /// Elements along a dim that share a scale.
  Dims divisor;
  Dims stride;

  ScaleMap(const BlockFormat &format, const Dims &shape, const Dims &block)
      : divisor(block) {
    Dims scales = scaleShape(format, shape, block);
    stride = rowMajorStrides(scales);
    // A tile axis is divided only where its scales are not repeated.
    int tile = tileAxis(block);
    if (tile >= 0 && format.scale->kind != ScaleKind::Float32)
      divisor[tile] = 1;
  }

  int64_t offset(const Dims &index) const {
    int64_t result = 0;
    for (size_t dim = 0; dim < index.size(); ++dim)
      result += index[dim] / divisor[dim] * stride[dim];
    return result;
  }
};

/// Where the outer scale of an element is stored.
struct OuterMap {
  /// Zero along dims that do not index the outer scale.
  Dims stride;
  int64_t count;

  OuterMap(const Dims &shape, const std::vector<unsigned> &axes)
      : stride(shape.size(), 0) {
    Dims outer = outerShape(shape, axes);
    Dims strides = rowMajorStrides(outer);
    for (size_t i = 0; i < axes.size(); ++i)
      stride[axes[i]] = strides[i];
    count = numElements(outer);
  }

  int64_t offset(const Dims &index) const { return dotProduct(index, stride); }
};

} // namespace lowp::numerics

#endif // LOWP_LIB_NUMERICS_INDEXING_H
