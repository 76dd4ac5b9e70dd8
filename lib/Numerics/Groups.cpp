//===- Groups.cpp - Values that are grouped by offsets --------------------===//
//
// Part of the Lowp project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "lowp/Numerics/Groups.h"
#include "Indexing.h"
#include <algorithm>
#include <cstring>

namespace lowp::numerics {

//===----------------------------------------------------------------------===//
// Shapes
//===----------------------------------------------------------------------===//

Status validateGrouping(const Grouping &grouping, const Dims &shape) {
  if (grouping.axis >= shape.size())
    return Status::error("expects groups along a dim below the rank " +
                         std::to_string(shape.size()) + ", but got " +
                         std::to_string(grouping.axis));
  const Dims &offsets = grouping.offsets;
  if (offsets.empty() || offsets.front() != 0 ||
      offsets.back() != shape[grouping.axis] ||
      !std::is_sorted(offsets.begin(), offsets.end()))
    return Status::error("expects offsets from 0 to the size of the grouped "
                         "dim that do not descend");
  return Status::success();
}

UnitRange unitsOfGroup(const Grouping &grouping, int64_t group,
                       int64_t elements) {
  int64_t first = grouping.offsets[group];
  int64_t size = grouping.offsets[group + 1] - first;
  if (elements == 1)
    return {first, size};
  return {first / elements + group, (size + elements - 1) / elements};
}

/// Elements along the group axis that share a scale.
static int64_t elementsPerScale(const BlockFormat &format, const Dims &shape,
                                const Dims &block, unsigned axis) {
  return ScaleMap(format, shape, block).divisor[axis];
}

Dims scaleShape(const BlockFormat &format, const Dims &shape, const Dims &block,
                const Grouping &grouping) {
  Dims result = scaleShape(format, shape, block);
  int64_t elements = elementsPerScale(format, shape, block, grouping.axis);
  if (elements > 1)
    result[grouping.axis] = shape[grouping.axis] / elements + grouping.count();
  return result;
}

bool hasOuterPerGroup(const std::vector<unsigned> &outerAxes,
                      const Grouping &grouping) {
  return std::find(outerAxes.begin(), outerAxes.end(), grouping.axis) ==
         outerAxes.end();
}

Dims outerShape(const Dims &shape, const std::vector<unsigned> &outerAxes,
                const Grouping &grouping) {
  Dims result = outerShape(shape, outerAxes);
  if (hasOuterPerGroup(outerAxes, grouping))
    result.insert(result.begin(), grouping.count());
  return result;
}

//===----------------------------------------------------------------------===//
// Parts
//===----------------------------------------------------------------------===//

namespace {

/// A range of a dim of a row-major tensor.
struct Part {
  /// Elements of the tensor that one index of the dims before holds.
  int64_t stride;
  /// Elements of the part at one index of the dims before, and where they are.
  int64_t size;
  int64_t first;
  int64_t repeats = 1;

  Part(const Dims &shape, unsigned dim, UnitRange range) {
    int64_t inner = 1;
    for (size_t i = dim + 1; i < shape.size(); ++i)
      inner *= shape[i];
    for (unsigned i = 0; i < dim; ++i)
      repeats *= shape[i];
    stride = shape[dim] * inner;
    size = range.count * inner;
    first = range.first * inner;
  }

  template <typename T>
  std::vector<T> take(const T *tensor) const {
    std::vector<T> result;
    // Never without memory, which a part without elements has too.
    result.reserve(static_cast<size_t>(repeats * size) + 1);
    for (int64_t i = 0; i < repeats && size > 0; ++i)
      result.insert(result.end(), tensor + i * stride + first,
                    tensor + i * stride + first + size);
    return result;
  }

  template <typename T>
  void put(const T *part, T *tensor) const {
    for (int64_t i = 0; i < repeats; ++i)
      std::copy_n(part + i * size, size, tensor + i * stride + first);
  }
};

/// Where the components of one group are among those of all.
struct GroupParts {
  Dims shape;
  Part codes, scales, outer;

  GroupParts(const BlockFormat &format, const Blocking &blocking,
             const Grouping &grouping, const Dims &whole, int64_t group)
      : shape(whole),
        codes(whole, grouping.axis, unitsOfGroup(grouping, group, 1)),
        scales(scaleShape(format, whole, blocking.block, grouping),
               grouping.axis,
               unitsOfGroup(grouping, group,
                            elementsPerScale(format, whole, blocking.block,
                                             grouping.axis))),
        outer(outerPart(blocking, grouping, whole, group)) {
    shape[grouping.axis] = unitsOfGroup(grouping, group, 1).count;
  }

  static Part outerPart(const Blocking &blocking, const Grouping &grouping,
                        const Dims &whole, int64_t group) {
    const std::vector<unsigned> &axes = blocking.outerAxes;
    Dims shape = outerShape(whole, axes, grouping);
    if (hasOuterPerGroup(axes, grouping))
      return Part(shape, 0, {group, 1});
    auto at = std::find(axes.begin(), axes.end(), grouping.axis);
    return Part(shape, static_cast<unsigned>(at - axes.begin()),
                unitsOfGroup(grouping, group, 1));
  }
};

/// The components of one group, in memory of their own.
struct GroupData {
  std::vector<uint8_t> codes, scales;
  std::vector<float> scalesF32, outer;

  GroupData(const BlockFormat &format, const Blocking &blocking,
            const Dims &shape) {
    int64_t count = numElements(scaleShape(format, shape, blocking.block));
    codes.resize(numElements(shape) + 1);
    scales.resize(count + 1);
    scalesF32.resize(count + 1);
    outer.resize(numElements(outerShape(shape, blocking.outerAxes)) + 1);
  }

  BlockedData data(const BlockFormat &format) {
    bool float32 = format.scale->kind == ScaleKind::Float32;
    return {codes.data(), float32 ? nullptr : scales.data(),
            float32 ? scalesF32.data() : nullptr,
            format.outer ? outer.data() : nullptr};
  }
};

} // namespace

template <typename Pointer>
static StridedView<Pointer> viewOfGroup(const StridedView<Pointer> &view,
                                        const Grouping &grouping,
                                        int64_t group) {
  UnitRange range = unitsOfGroup(grouping, group, 1);
  return sliced(view, grouping.axis, range.first, range.count);
}

//===----------------------------------------------------------------------===//
// Images
//===----------------------------------------------------------------------===//

namespace {

/// The images of a grouped value, if every group has one of its own.
struct GroupImages {
  bool perGroup;
  /// Elements of the group axis a tile, and bytes of one tile along it with all
  /// tiles along the other dim.
  int64_t elements = 1;
  int64_t stride = 0;
  Dims scales;
  /// Leading dims, and the bytes of all images at one index of them.
  Dims shape;

  GroupImages(const BlockFormat &format, const Dims &whole, const Dims &block,
              const Grouping &grouping)
      : scales(scaleShape(format, whole, block, grouping)) {
    size_t rank = whole.size();
    perGroup = rank >= 2 && grouping.axis + 2 >= rank;
    if (!perGroup)
      return;
    bool rows = grouping.axis + 2 == rank;
    elements = elementsPerScale(format, whole, block, grouping.axis) *
               (rows ? 128 : 4);
    int64_t other = rows ? scales[rank - 1] : scales[rank - 2];
    stride = 512 * (rows ? (other + 3) / 4 : (other + 127) / 128);
    shape.assign(scales.begin(), scales.end() - 2);
    shape.push_back((whole[grouping.axis] / elements + grouping.count()) *
                    stride);
  }

  Part imageOf(const Grouping &grouping, int64_t group) const {
    UnitRange tiles = unitsOfGroup(grouping, group, elements);
    return Part(shape, static_cast<unsigned>(shape.size() - 1),
                {tiles.first * stride, tiles.count * stride});
  }
};

} // namespace

int64_t tcgen05Size(const BlockFormat &format, const Dims &shape,
                    const Dims &block, const Grouping &grouping) {
  GroupImages images(format, shape, block, grouping);
  return images.perGroup ? numElements(images.shape)
                         : tcgen05Size(images.scales);
}

void toTcgen05(const BlockFormat &format, const Dims &shape, const Dims &block,
               const Grouping &grouping, const uint8_t *linear,
               uint8_t *image) {
  GroupImages images(format, shape, block, grouping);
  if (!images.perGroup)
    return toTcgen05(images.scales, linear, image);
  if (int64_t size = numElements(images.shape))
    std::memset(image, 0, static_cast<size_t>(size));
  for (int64_t group = 0; group < grouping.count(); ++group) {
    GroupParts parts(format, {block, {}}, grouping, shape, group);
    Dims scales = scaleShape(format, parts.shape, block);
    std::vector<uint8_t> from = parts.scales.take(linear);
    std::vector<uint8_t> to(tcgen05Size(scales) + 1);
    toTcgen05(scales, from.data(), to.data());
    images.imageOf(grouping, group).put(to.data(), image);
  }
}

void fromTcgen05(const BlockFormat &format, const Dims &shape,
                 const Dims &block, const Grouping &grouping,
                 const uint8_t *image, uint8_t *linear) {
  GroupImages images(format, shape, block, grouping);
  if (!images.perGroup)
    return fromTcgen05(images.scales, image, linear);
  if (int64_t size = numElements(images.scales))
    std::memset(linear, 0, static_cast<size_t>(size));
  for (int64_t group = 0; group < grouping.count(); ++group) {
    GroupParts parts(format, {block, {}}, grouping, shape, group);
    Dims scales = scaleShape(format, parts.shape, block);
    std::vector<uint8_t> from = images.imageOf(grouping, group).take(image);
    std::vector<uint8_t> to(numElements(scales) + 1);
    fromTcgen05(scales, from.data(), to.data());
    parts.scales.put(to.data(), linear);
  }
}

//===----------------------------------------------------------------------===//
// Quantise, dequantise, requantise
//===----------------------------------------------------------------------===//

static void clearScales(const BlockFormat &format, const Dims &shape,
                        const Blocking &blocking, const Grouping &grouping,
                        const BlockedData &result) {
  size_t count = static_cast<size_t>(
      numElements(scaleShape(format, shape, blocking.block, grouping)));
  if (count == 0)
    return;
  if (result.scales)
    std::memset(result.scales, 0, count);
  if (result.scalesF32)
    std::memset(result.scalesF32, 0, count * sizeof(float));
}

static void putGroup(const BlockFormat &format, const GroupParts &parts,
                     const GroupData &group, const BlockedData &result) {
  parts.codes.put(group.codes.data(), result.codes);
  if (format.scale->kind == ScaleKind::Float32)
    parts.scales.put(group.scalesF32.data(), result.scalesF32);
  else
    parts.scales.put(group.scales.data(), result.scales);
  if (format.outer)
    parts.outer.put(group.outer.data(), result.outer);
}

/// What one group has of the inputs of all.
namespace {
struct GroupInputs {
  std::vector<float> givenOuter, givenAmax;
  std::vector<uint32_t> randomBits;
  GroupPosition position;
  QuantizeInputs inputs;

  GroupInputs(const QuantizeInputs &all, const GroupParts &parts,
              const Grouping &grouping, const Dims &shape, int64_t group)
      : position{grouping.axis, shape[grouping.axis], grouping.offsets[group],
                 group, grouping.count()},
        inputs(all) {
    if (all.givenOuter)
      inputs.givenOuter =
          (givenOuter = parts.outer.take(all.givenOuter)).data();
    if (all.givenAmax)
      inputs.givenAmax = (givenAmax = parts.outer.take(all.givenAmax)).data();
    if (all.randomBits)
      inputs.randomBits =
          (randomBits = parts.codes.take(all.randomBits)).data();
    inputs.position = &position;
  }
};
} // namespace

Status quantize(const BlockFormat &format, const QuantRule &rule,
                const Blocking &blocking, const Grouping &grouping,
                const ConstFloatView &source, const BlockedData &result,
                const QuantizeInputs &inputs) {
  if (Status status = validateBlocking(format, blocking, source.shape.size());
      !status.ok())
    return status;
  if (Status status = validateGrouping(grouping, source.shape); !status.ok())
    return status;
  if (Status status = validate(format, rule); !status.ok())
    return status;
  if (inputs.pickedFour)
    return Status::error("expects no buffer of choices with groups");
  clearScales(format, source.shape, blocking, grouping, result);
  for (int64_t group = 0; group < grouping.count(); ++group) {
    GroupParts parts(format, blocking, grouping, source.shape, group);
    GroupData data(format, blocking, parts.shape);
    GroupInputs own(inputs, parts, grouping, source.shape, group);
    if (Status status = quantize(format, rule, blocking,
                                 viewOfGroup(source, grouping, group),
                                 data.data(format), own.inputs);
        !status.ok())
      return status;
    putGroup(format, parts, data, result);
  }
  return Status::success();
}

/// The components of one group of a source.
static GroupData takeGroup(const BlockFormat &format, const Blocking &blocking,
                           const GroupParts &parts,
                           const ConstBlockedData &source) {
  GroupData data(format, blocking, parts.shape);
  data.codes = parts.codes.take(source.codes);
  if (format.scale->kind == ScaleKind::Float32)
    data.scalesF32 = parts.scales.take(source.scalesF32);
  else
    data.scales = parts.scales.take(source.scales);
  if (format.outer)
    data.outer = parts.outer.take(source.outer);
  return data;
}

Status dequantize(const BlockFormat &format, const Blocking &blocking,
                  const Grouping &grouping, const ConstBlockedData &source,
                  const FloatView &result) {
  if (Status status = validateBlocking(format, blocking, result.shape.size());
      !status.ok())
    return status;
  if (Status status = validateGrouping(grouping, result.shape); !status.ok())
    return status;
  for (int64_t group = 0; group < grouping.count(); ++group) {
    GroupParts parts(format, blocking, grouping, result.shape, group);
    GroupData data = takeGroup(format, blocking, parts, source);
    if (Status status = dequantize(format, blocking, data.data(format),
                                   viewOfGroup(result, grouping, group));
        !status.ok())
      return status;
  }
  return Status::success();
}

Status requantize(const BlockFormat &sourceFormat,
                  const Blocking &sourceBlocking, const Grouping &grouping,
                  const Dims &shape, const ConstBlockedData &source,
                  RequantOuter outer, const std::vector<unsigned> &permutation,
                  const BlockFormat &resultFormat, const QuantRule &rule,
                  const Blocking &resultBlocking, const BlockedData &result,
                  const QuantizeInputs &inputs) {
  if (Status status =
          validateBlocking(sourceFormat, sourceBlocking, shape.size());
      !status.ok())
    return status;
  if (Status status =
          validateBlocking(resultFormat, resultBlocking, shape.size());
      !status.ok())
    return status;
  if (Status status = validateGrouping(grouping, shape); !status.ok())
    return status;
  auto axis = std::find(permutation.begin(), permutation.end(), grouping.axis);
  if (permutation.size() != shape.size() || axis == permutation.end())
    return Status::error("expects a permutation of " +
                         std::to_string(shape.size()) + " dims");
  Grouping moved{static_cast<unsigned>(axis - permutation.begin()),
                 grouping.offsets};
  Dims resultShape;
  for (unsigned dim : permutation)
    resultShape.push_back(shape[dim]);
  if (inputs.pickedFour)
    return Status::error("expects no buffer of choices with groups");
  clearScales(resultFormat, resultShape, resultBlocking, moved, result);
  for (int64_t group = 0; group < grouping.count(); ++group) {
    GroupParts parts(sourceFormat, sourceBlocking, grouping, shape, group);
    GroupParts to(resultFormat, resultBlocking, moved, resultShape, group);
    GroupData data = takeGroup(sourceFormat, sourceBlocking, parts, source);
    GroupData made(resultFormat, resultBlocking, to.shape);
    GroupInputs own(inputs, to, moved, resultShape, group);
    if (Status status = requantize(sourceFormat, sourceBlocking, parts.shape,
                                   data.data(sourceFormat), outer, permutation,
                                   resultFormat, rule, resultBlocking,
                                   made.data(resultFormat), own.inputs);
        !status.ok())
      return status;
    putGroup(resultFormat, to, made, result);
  }
  return Status::success();
}

} // namespace lowp::numerics
