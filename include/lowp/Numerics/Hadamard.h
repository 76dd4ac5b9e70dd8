//===- Hadamard.h - Randomised Hadamard transform ---------------*- C++ -*-===//
//
// Part of the Lowp project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// y = x . diag(sign) . H_n . c on consecutive groups of n along an axis, H_n
/// in Sylvester order: signs, FP32 butterflies (a+b, a-b) with strides 1, 2, 4,
/// ..., then one multiplication by c. The inverse: butterflies, multiplication,
/// signs.
///
/// Source: NVFP4 pretraining, arXiv 2509.25149, appendix; the default sign
/// mask is TransformerEngine's.
///
//===----------------------------------------------------------------------===//

#ifndef LOWP_NUMERICS_HADAMARD_H
#define LOWP_NUMERICS_HADAMARD_H

#include "lowp/Numerics/Views.h"

namespace lowp::numerics {

enum class HadamardNorm : uint8_t {
  /// Powers of two, exact: n = 16: 2^-2 both ways; 32: 2^-2, inverse 2^-3;
  /// 64: 2^-3 both ways; 128: 2^-3, inverse 2^-4.
  Dyadic,
  /// fl(n^-1/2) both ways.
  Orthonormal
};

/// Whether n is a size of the transform: 16, 32, 64 or 128.
constexpr bool isHadamardSize(int64_t n) {
  return n == 16 || n == 32 || n == 64 || n == 128;
}

/// c for an accepted size.
float hadamardFactor(int64_t n, HadamardNorm norm, bool inverse);

inline constexpr uint16_t kDefaultHadamardSigns = 0xD7E8;

/// n signs, -1 where bit (i mod 16) of `mask` is set, else +1.
std::vector<int8_t> hadamardSigns(int64_t n,
                                  uint16_t mask = kDefaultHadamardSigns);

/// Transforms n values in place. `signs` holds n numbers, +1 or -1.
void hadamardBlock(float *values, int64_t n, const int8_t *signs,
                   HadamardNorm norm, bool inverse);

/// Transforms `source` along `axis` into `result` (same shape; rounded once to
/// its type). The size of the axis must be a multiple of n. May work in place.
/// Allocates n values.
Status hadamard(const ConstFloatView &source, unsigned axis, int64_t n,
                const std::vector<int8_t> &signs, HadamardNorm norm,
                bool inverse, const FloatView &result);

} // namespace lowp::numerics

#endif // LOWP_NUMERICS_HADAMARD_H
