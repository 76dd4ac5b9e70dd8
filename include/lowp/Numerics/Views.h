//===- Views.h - Strided views of tensors and the status of a call --*- C++
//-*-===//
//
// Part of the Lowp project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// Arguments of the functions that work on whole tensors.
///
//===----------------------------------------------------------------------===//

#ifndef LOWP_NUMERICS_VIEWS_H
#define LOWP_NUMERICS_VIEWS_H

#include "lowp/Numerics/Environment.h"
#include <cstdint>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

namespace lowp::numerics {

/// Sizes, strides or indices, one per dim. Sizes may be zero, the rank is not
/// limited. Only these vectors and what a function documents are allocated.
using Dims = std::vector<int64_t>;

/// Success, or why a call was refused: a lower-case phrase without a period,
/// `expects ..., but got ...`, fit to follow the name of an op. A refused call
/// has written nothing.
class [[nodiscard]] Status {
public:
  static Status success() { return Status(); }
  static Status error(std::string message) {
    Status status;
    status.message_ = std::move(message);
    return status;
  }
  bool ok() const { return message_.empty(); }
  const std::string &message() const { return message_; }

private:
  std::string message_;
};

enum class FloatType : uint8_t { F32, BF16, F16 };

constexpr unsigned byteWidth(FloatType type) {
  return type == FloatType::F32 ? 4 : 2;
}

/// The value of `bits` (in the low half for 16-bit types), exactly.
float loadFloat(FloatType type, uint32_t bits);

/// `value` rounded to nearest even into `type`, subnormals kept, overflow to
/// infinity. Any NaN becomes a quiet NaN.
uint32_t storeFloat(FloatType type, float value);

/// Elements of `type` at data + offset, offset = sum of index * stride, in
/// elements. Strides may be zero or negative.
template <typename Pointer>
struct StridedView {
  Pointer data = nullptr;
  FloatType type = FloatType::F32;
  Dims shape;
  Dims strides;
};
using FloatView = StridedView<void *>;
using ConstFloatView = StridedView<const void *>;

Dims rowMajorStrides(const Dims &shape);
int64_t numElements(const Dims &shape);

/// Row-major views of memory without gaps.
ConstFloatView denseView(const void *data, FloatType type, Dims shape);
FloatView denseView(void *data, FloatType type, Dims shape);

/// The view whose dim i is dim permutation[i] of `view`.
template <typename Pointer>
StridedView<Pointer> permuted(const StridedView<Pointer> &view,
                              const std::vector<unsigned> &permutation) {
  StridedView<Pointer> result{view.data, view.type, {}, {}};
  for (unsigned dim : permutation) {
    result.shape.push_back(view.shape[dim]);
    result.strides.push_back(view.strides[dim]);
  }
  return result;
}

/// The view of `count` indices of a dim, from `first` on. A view without
/// elements keeps its data, which may be null.
template <typename Pointer>
StridedView<Pointer> sliced(const StridedView<Pointer> &view, unsigned dim,
                            int64_t first, int64_t count) {
  using Byte = std::conditional_t<std::is_same_v<Pointer, const void *>,
                                  const char, char>;
  StridedView<Pointer> result = view;
  result.shape[dim] = count;
  if (numElements(view.shape) != 0)
    result.data =
        static_cast<Byte *>(view.data) +
        first * view.strides[dim] * static_cast<int64_t>(byteWidth(view.type));
  return result;
}

float loadAt(const ConstFloatView &view, int64_t offset);
void storeAt(const FloatView &view, int64_t offset, float value);

/// Moves `index` to the next position of `shape` in row-major order; false
/// after the last. Starts from all zeros; the caller checks for empty shapes.
bool advance(Dims &index, const Dims &shape);

} // namespace lowp::numerics

#endif // LOWP_NUMERICS_VIEWS_H
