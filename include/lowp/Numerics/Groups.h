//===- Groups.h - Values that are grouped by offsets ------------*- C++ -*-===//
//
// Part of the Lowp project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// A grouped value is several values one after the other along a dim. Each is
/// stored as it would be alone, in components that all share.
///
//===----------------------------------------------------------------------===//

#ifndef LOWP_NUMERICS_GROUPS_H
#define LOWP_NUMERICS_GROUPS_H

#include "lowp/Numerics/Quantize.h"

namespace lowp::numerics {

/// Group e is made of the indices offsets[e] to offsets[e+1] - 1 of a dim. The
/// first offset is 0, the last one the size of the dim; none descends.
struct Grouping {
  unsigned axis = 0;
  Dims offsets;

  int64_t count() const { return static_cast<int64_t>(offsets.size()) - 1; }
};

/// Refuses groupings that do not fit `shape`.
Status validateGrouping(const Grouping &grouping, const Dims &shape);

/// A group's range of units (blocks, scales, tiles) of `elements` elements,
/// where each group begins a new unit: from floor(offset / elements) + group.
/// Units of one element are the elements themselves.
struct UnitRange {
  int64_t first;
  int64_t count;
};
UnitRange unitsOfGroup(const Grouping &grouping, int64_t group,
                       int64_t elements);

/// Shape of the scales: as without groups, but floor(d / b) + count entries
/// along the group axis where b > 1 of its elements share a scale.
Dims scaleShape(const BlockFormat &format, const Dims &shape, const Dims &block,
                const Grouping &grouping);

/// Whether each group has outer scales of its own, in a leading dim: the group
/// axis is not an outer axis.
bool hasOuterPerGroup(const std::vector<unsigned> &outerAxes,
                      const Grouping &grouping);
Dims outerShape(const Dims &shape, const std::vector<unsigned> &outerAxes,
                const Grouping &grouping);

/// Bytes of the images of the scales of `shape`, and the scales of all groups
/// to the images and back. Groups along one of the last two dims have an image
/// each, which begins at the group's first tile (of 128 rows or 4 columns of
/// scales) along the axis, in the order of `unitsOfGroup`. Bytes that belong to
/// no image are zero.
int64_t tcgen05Size(const BlockFormat &format, const Dims &shape,
                    const Dims &block, const Grouping &grouping);
void toTcgen05(const BlockFormat &format, const Dims &shape, const Dims &block,
               const Grouping &grouping, const uint8_t *linear, uint8_t *image);
void fromTcgen05(const BlockFormat &format, const Dims &shape,
                 const Dims &block, const Grouping &grouping,
                 const uint8_t *image, uint8_t *linear);

/// Quantises each group as it would be alone. Scales that belong to no block
/// are zero. Random bits are those of the logical coordinates in the whole
/// value: see `randomGroup`. `inputs.pickedFour` is not supported.
Status quantize(const BlockFormat &format, const QuantRule &rule,
                const Blocking &blocking, const Grouping &grouping,
                const ConstFloatView &source, const BlockedData &result,
                const QuantizeInputs &inputs = {});

/// Dequantises each group as it would be alone. Scales that belong to no block
/// are not read.
Status dequantize(const BlockFormat &format, const Blocking &blocking,
                  const Grouping &grouping, const ConstBlockedData &source,
                  const FloatView &result);

/// Requantises each group as it would be alone; the groups of the result lie
/// along the permuted axis.
Status requantize(const BlockFormat &sourceFormat,
                  const Blocking &sourceBlocking, const Grouping &grouping,
                  const Dims &shape, const ConstBlockedData &source,
                  RequantOuter outer, const std::vector<unsigned> &permutation,
                  const BlockFormat &resultFormat, const QuantRule &rule,
                  const Blocking &resultBlocking, const BlockedData &result,
                  const QuantizeInputs &inputs = {});

} // namespace lowp::numerics

#endif // LOWP_NUMERICS_GROUPS_H
