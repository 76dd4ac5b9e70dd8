//===- Quantize.h - Quantise, dequantise, requantise ------------*- C++ -*-===//
//
// Part of the Lowp project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// The definition of what quantising a tensor means, block by block in
/// row-major order, on one thread. Every other implementation gives these bits.
///
//===----------------------------------------------------------------------===//

#ifndef LOWP_NUMERICS_QUANTIZE_H
#define LOWP_NUMERICS_QUANTIZE_H

#include "lowp/Numerics/Layout.h"
#include "lowp/Numerics/Philox.h"
#include "lowp/Numerics/Scale.h"
#include "lowp/Numerics/Views.h"

namespace lowp::numerics {

/// Refuses combinations without a meaning:
///  * an outer scale above FP32 block scales;
///  * a 4/6 choice for anything but nearest rounding of E2M1 under UE4M3
///    scales that are rounded to nearest in the orders `divide` and `te`;
///  * `torchao` and `compressed_tensors` with sf_round = up, outer_repr = pow2
///    or anything but SmallFloat scales;
///  * stochastic rounding where the scale can clip (UE8M0: any rule but rceil;
///    others: sf_round other than up), unless allow_clipping is set, or with
///    overflow = nonfinite;
///  * sf_round = ceil for anything but SmallFloat scales; map_to under UE8M0
///    scales, with a 4/6 choice, or above the element's largest value;
///  * an outer_max that is negative, infinite or NaN.
Status validate(const BlockFormat &format, const QuantRule &rule);

/// Largest magnitude; where the policy propagates them, NaN or else infinity if
/// there is one.
float largestMagnitude(const float *values, size_t count, NonFinite nonfinite);

/// Largest magnitudes of the outer groups of `source`, in the order of
/// outerShape.
void groupAmaxes(const ConstFloatView &source,
                 const std::vector<unsigned> &outerAxes, NonFinite nonfinite,
                 float *result);

/// The code of a scaled value. `random` has the random bits of stochastic
/// rounding.
uint8_t encodeElement(const ElementFormat &format, const QuantRule &rule,
                      float scaled, uint32_t random);

/// Error of one row of a block under a 4/6 candidate: `codes` are the values
/// of the codes without scales.
float fourSixRowError(const BlockFormat &format, const QuantRule &rule,
                      const float *values, const float *codes, size_t count,
                      float scale, const OuterScale &outer);

/// Components of a blocked value, row-major and without gaps.
struct BlockedData {
  /// One code per byte (see `pack` for the storage of 4-bit codes).
  uint8_t *codes = nullptr;
  /// One-byte scales, of scaleShape, linear layout; null for FP32 scales.
  uint8_t *scales = nullptr;
  /// FP32 scales, of scaleShape; null for one-byte scales.
  float *scalesF32 = nullptr;
  /// Outer scales, of outerShape; null where the format has none.
  float *outer = nullptr;
};

struct ConstBlockedData {
  const uint8_t *codes = nullptr;
  const uint8_t *scales = nullptr;
  const float *scalesF32 = nullptr;
  const float *outer = nullptr;

  ConstBlockedData() = default;
  ConstBlockedData(const BlockedData &data)
      : codes(data.codes), scales(data.scales), scalesF32(data.scalesF32),
        outer(data.outer) {}
};

/// Where a value lies in a grouped one, whose coordinates its random bits
/// follow from: it is group `group` of `groups`, from index `start` on, along
/// dim `axis` of size `size`.
struct GroupPosition {
  unsigned axis;
  int64_t size;
  int64_t start;
  int64_t group;
  int64_t groups;
};

/// What quantising may be given besides the values.
struct QuantizeInputs {
  /// S_dec per outer group (outerShape), instead of computing them.
  const float *givenOuter = nullptr;
  /// Largest magnitude per outer group, reduced elsewhere over more than this
  /// tensor. At most one of the two is set.
  const float *givenAmax = nullptr;
  /// Key of stochastic rounding.
  RandomKey key;
  /// Null for a value that is not part of a grouped one.
  const GroupPosition *position = nullptr;
  /// Random bits of each element, row-major over the value, instead of those
  /// of the key.
  const uint32_t *randomBits = nullptr;
  /// Out, may be null: per scale of scaleShape, 1 where a 4/6 choice took the
  /// 4-candidate, else 0.
  uint8_t *pickedFour = nullptr;
};

/// Quantises `source` into `result`. Blocks at the end of a dim may be short.
/// A value without elements gets no codes and no scales; its outer scales, if
/// it has any, are 1.
///
/// Non-finite values under `propagate`: the scale of a block that holds one is
/// NaN, its codes are zero; where the outer scales are computed from the data,
/// this holds for every block of the outer group and the stored outer scale is
/// NaN. Under a given outer scale or amax nothing was learnt from the group's
/// other blocks, so only the block itself is lost. Under `saturate` they take
/// the largest codes, and the error of a 4/6 choice is not finite, which keeps
/// the 6-candidate.
///
/// Allocates one OuterScale per outer group and the values of one block.
Status quantize(const BlockFormat &format, const QuantRule &rule,
                const Blocking &blocking, const ConstFloatView &source,
                const BlockedData &result, const QuantizeInputs &inputs = {});

/// Writes the values of a blocked value into `result`, whose shape is the
/// value's: fl(q * scale), then, where there is an outer scale, fl(. * S_dec),
/// then one rounding to the type of `result`. A NaN scale gives NaN, for zero
/// codes too.
Status dequantize(const BlockFormat &format, const Blocking &blocking,
                  const ConstBlockedData &source, const FloatView &result);

/// What requantising does with the outer scales of its source.
enum class RequantOuter : uint8_t {
  /// The result has the source's; the values quantised are q * scale.
  Keep,
  /// The result has none of the source's: the values are
  /// fl(fl(q * scale) * S_dec), quantised under the result's own format.
  Fold
};

/// Dequantise, permute, quantise, with nothing rounded in between. `shape` is
/// the source's; dim i of the result is dim permutation[i] of the source.
/// Under Keep the result format must have outer scales over the same
/// (permuted) axes, in the same order.
///
/// Allocates the FP32 values of the tensor.
Status requantize(const BlockFormat &sourceFormat,
                  const Blocking &sourceBlocking, const Dims &shape,
                  const ConstBlockedData &source, RequantOuter outer,
                  const std::vector<unsigned> &permutation,
                  const BlockFormat &resultFormat, const QuantRule &rule,
                  const Blocking &resultBlocking, const BlockedData &result,
                  const QuantizeInputs &inputs = {});

} // namespace lowp::numerics

#endif // LOWP_NUMERICS_QUANTIZE_H
