//===- Hadamard.cpp - Randomised Hadamard transform -----------------------===//
//
// Part of the Lowp project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "lowp/Numerics/Hadamard.h"
#include "Indexing.h"

namespace lowp::numerics {

float hadamardFactor(int64_t n, HadamardNorm norm, bool inverse) {
  if (norm == HadamardNorm::Orthonormal) {
    switch (n) {
    case 16:
      return fromBits(0x3E800000u);
    case 32:
      return fromBits(0x3E3504F3u);
    case 64:
      return fromBits(0x3E000000u);
    default:
      return fromBits(0x3DB504F3u);
    }
  }
  switch (n) {
  case 16:
    return 0.25f;
  case 32:
    return inverse ? 0.125f : 0.25f;
  case 64:
    return 0.125f;
  default:
    return inverse ? 0.0625f : 0.125f;
  }
}

std::vector<int8_t> hadamardSigns(int64_t n, uint16_t mask) {
  std::vector<int8_t> signs(static_cast<size_t>(n));
  for (size_t i = 0; i < signs.size(); ++i)
    signs[i] = (mask >> (i % 16)) & 1 ? -1 : 1;
  return signs;
}

static void applySigns(float *values, int64_t n, const int8_t *signs) {
  for (int64_t i = 0; i < n; ++i)
    if (signs[i] < 0)
      values[i] = -values[i];
}

void hadamardBlock(float *values, int64_t n, const int8_t *signs,
                   HadamardNorm norm, bool inverse) {
  if (!inverse)
    applySigns(values, n, signs);
  for (int64_t stride = 1; stride < n; stride *= 2)
    for (int64_t start = 0; start < n; start += 2 * stride)
      for (int64_t i = start; i < start + stride; ++i) {
        float a = values[i], b = values[i + stride];
        values[i] = a + b;
        values[i + stride] = a - b;
      }
  float factor = hadamardFactor(n, norm, inverse);
  for (int64_t i = 0; i < n; ++i)
    values[i] = values[i] * factor;
  if (inverse)
    applySigns(values, n, signs);
}

Status hadamard(const ConstFloatView &source, unsigned axis, int64_t n,
                const std::vector<int8_t> &signs, HadamardNorm norm,
                bool inverse, const FloatView &result) {
  if (!isHadamardSize(n))
    return Status::error("expects a transform of size 16, 32, 64 or 128, but "
                         "got " +
                         std::to_string(n));
  if (axis >= source.shape.size())
    return Status::error("expects an axis below the rank " +
                         std::to_string(source.shape.size()) + ", but got " +
                         std::to_string(axis));
  if (source.shape[axis] % n != 0)
    return Status::error("expects a size of axis " + std::to_string(axis) +
                         " that is a multiple of " + std::to_string(n) +
                         ", but got " + std::to_string(source.shape[axis]));
  if (static_cast<int64_t>(signs.size()) != n)
    return Status::error("expects " + std::to_string(n) + " signs, but got " +
                         std::to_string(signs.size()));
  for (int8_t sign : signs)
    if (sign != 1 && sign != -1)
      return Status::error("expects signs of 1 or -1, but got " +
                           std::to_string(sign));
  if (source.shape != result.shape)
    return Status::error("expects a result of the source's shape");
  if (numElements(source.shape) == 0)
    return Status::success();

  ScopedFloatEnvironment environment;
  std::vector<float> values(static_cast<size_t>(n));
  Dims groups = source.shape;
  groups[axis] /= n;
  Dims index(groups.size(), 0), start;
  do {
    start = index;
    start[axis] *= n;
    int64_t from = dotProduct(start, source.strides);
    int64_t to = dotProduct(start, result.strides);
    for (int64_t i = 0; i < n; ++i)
      values[i] = loadAt(source, from + i * source.strides[axis]);
    hadamardBlock(values.data(), n, signs.data(), norm, inverse);
    for (int64_t i = 0; i < n; ++i)
      storeAt(result, to + i * result.strides[axis], values[i]);
  } while (advance(index, groups));
  return Status::success();
}

} // namespace lowp::numerics
