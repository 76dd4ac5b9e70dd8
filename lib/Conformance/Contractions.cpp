//===- Contractions.cpp - Expected products by the scalar library ---------===//
//
// Part of the Lowp project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The library multiplies two matrices. Batches and groups are taken apart here,
// into matrices that know nothing of each other.
//
//===----------------------------------------------------------------------===//

#include "Contractions.h"

#include "lowp/Numerics/Contract.h"

#include "llvm/ADT/STLExtras.h"

using namespace mlir::lowp;
using namespace mlir::lowp::conformance;
using llvm::ArrayRef;

//===----------------------------------------------------------------------===//
// Shapes
//===----------------------------------------------------------------------===//

static Side sideOf(const Spec &spec, const num::Dims &shape, bool isRhs) {
  const Operand &operand = isRhs ? spec.rhs : spec.lhs;
  Side side;
  side.name = isRhs ? "rhs" : "lhs";
  side.isBlocked = operand.isBlocked;
  side.dtype = operand.dtype;
  side.blocked = operand.blocked;
  side.isBatched = spec.op == OpKind::BatchMatmul
                       ? operand.isBatched
                       : spec.op == OpKind::GroupedMatmul && isRhs;
  if (side.isBatched)
    side.shape.push_back(shape[0]);
  int64_t free = *(shape.end() - (isRhs ? 2 : 3)), k = shape.back();
  unsigned first = static_cast<unsigned>(side.shape.size());
  bool kLast = operand.isTransposed == isRhs;
  side.freeDim = kLast ? first : first + 1;
  side.kDim = kLast ? first + 1 : first;
  side.shape.push_back(kLast ? free : k);
  side.shape.push_back(kLast ? k : free);
  if (spec.op == OpKind::KGroupedMatmul && side.isBlocked) {
    side.blocked.groupAxis = side.kDim;
    side.blocked.groups = shape[0];
  }
  return side;
}

std::array<Side, 2> conformance::sidesOf(const Spec &spec,
                                         const num::Dims &shape) {
  return {sideOf(spec, shape, false), sideOf(spec, shape, true)};
}

num::Dims conformance::contractedShape(const Spec &spec,
                                       const num::Dims &shape) {
  num::Dims result(shape.begin(), shape.end() - 1);
  // The groups are rows of one matrix.
  if (spec.op == OpKind::GroupedMatmul)
    result.erase(result.begin());
  return result;
}

//===----------------------------------------------------------------------===//
// Matrices
//===----------------------------------------------------------------------===//

namespace {

/// One matrix of an operand, in memory of its own where it is blocked.
struct Matrix {
  Blocked blocked;
  num::BlockFormat format;
  num::Dims shape;
  std::optional<Components> parts;
  num::ConstFloatView plain;
  unsigned freeDim = 0, kDim = 0;

  num::ContractOperand operand() {
    num::ContractOperand result;
    result.freeAxis = freeDim;
    result.contractionAxis = kDim;
    if (!parts) {
      result.plain = plain;
      return result;
    }
    format = blocked.format();
    result.format = &format;
    result.blocking = blocked.blocking;
    result.shape = shape;
    result.data = parts->data();
    return result;
  }
};

/// `count` indices of a dim of a row-major tensor, from `first` on.
template <typename T>
std::vector<T> takeRange(const std::vector<T> &tensor, const num::Dims &shape,
                         unsigned dim, int64_t first, int64_t count) {
  num::Dims before(shape.begin(), shape.begin() + dim);
  num::Dims after(shape.begin() + dim + 1, shape.end());
  int64_t inner = num::numElements(after);
  std::vector<T> result;
  for (int64_t i = 0, end = num::numElements(before); i < end; ++i) {
    auto begin = tensor.begin() + (i * shape[dim] + first) * inner;
    result.insert(result.end(), begin, begin + count * inner);
  }
  return result;
}

/// Where an operand is not grouped along k, groups show in outer scales only:
/// the same value without groups has one for each index of the grouped dim.
void spreadGroups(Matrix &value, const num::Grouping &grouping) {
  Blocked &blocked = value.blocked;
  unsigned axis = grouping.axis;
  std::vector<unsigned> &axes = blocked.blocking.outerAxes;
  if (blocked.outer && !llvm::is_contained(axes, axis)) {
    num::Dims grouped = blocked.outerShape(value.shape);
    auto at = llvm::lower_bound(axes, axis);
    size_t place = at - axes.begin();
    axes.insert(at, axis);
    num::Dims spread = num::outerShape(value.shape, axes);
    std::vector<float> outer;
    num::Dims index(spread.size(), 0);
    num::Dims strides = num::rowMajorStrides(grouped);
    if (num::numElements(spread) != 0)
      do {
        num::Dims from = index;
        from.erase(from.begin() + place);
        // The last group that begins at or before the index is not empty.
        auto next = llvm::upper_bound(grouping.offsets, index[place]);
        from.insert(from.begin(), next - grouping.offsets.begin() - 1);
        int64_t offset = 0;
        for (auto [i, stride] : llvm::zip_equal(from, strides))
          offset += i * stride;
        outer.push_back(value.parts->outer[offset]);
      } while (num::advance(index, spread));
    value.parts->outer = std::move(outer);
  }
  blocked.groupAxis = -1;
  blocked.groups = 0;
}

/// Matrix `number` of a value with a leading dim.
Matrix takeBatch(const Matrix &value, int64_t number) {
  Matrix result = value;
  --result.freeDim;
  --result.kDim;
  if (!value.parts) {
    num::ConstFloatView &plain = result.plain;
    plain = num::sliced(plain, 0, number, 1);
    plain.shape.erase(plain.shape.begin());
    plain.strides.erase(plain.strides.begin());
    return result;
  }
  const Components &from = *value.parts;
  Components &to = *result.parts;
  num::Dims scales = value.blocked.scaleShape(value.shape);
  to.codes = takeRange(from.codes, value.shape, 0, number, 1);
  if (from.float32)
    to.scalesF32 = takeRange(from.scalesF32, scales, 0, number, 1);
  else
    to.scales = takeRange(from.scales, scales, 0, number, 1);
  num::Blocking &blocking = result.blocked.blocking;
  std::vector<unsigned> &axes = blocking.outerAxes;
  if (!axes.empty() && axes[0] == 0) {
    to.outer =
        takeRange(from.outer, num::outerShape(value.shape, axes), 0, number, 1);
    axes.erase(axes.begin());
  }
  for (unsigned &axis : axes)
    --axis;
  blocking.block.erase(blocking.block.begin());
  result.shape.erase(result.shape.begin());
  return result;
}

/// Group `number` of a value that is grouped along k.
Matrix takeGroup(const Matrix &value, const num::Grouping &grouping,
                 int64_t number) {
  Matrix result = value;
  unsigned axis = value.kDim;
  num::UnitRange range = num::unitsOfGroup(grouping, number, 1);
  if (!value.parts) {
    result.plain = num::sliced(value.plain, axis, range.first, range.count);
    return result;
  }
  const Components &from = *value.parts;
  Components &to = *result.parts;
  num::Dims scales = value.blocked.scaleShape(value.shape);
  num::UnitRange blocks =
      num::unitsOfGroup(grouping, number, value.blocked.blocking.block[axis]);
  to.codes = takeRange(from.codes, value.shape, axis, range.first, range.count);
  if (from.float32)
    to.scalesF32 =
        takeRange(from.scalesF32, scales, axis, blocks.first, blocks.count);
  else
    to.scales =
        takeRange(from.scales, scales, axis, blocks.first, blocks.count);
  // No outer axis lies along k, so that each group has outer scales.
  if (value.blocked.outer)
    to.outer = takeRange(from.outer, value.blocked.outerShape(value.shape), 0,
                         number, 1);
  result.shape[axis] = range.count;
  result.blocked.groupAxis = -1;
  result.blocked.groups = 0;
  return result;
}

} // namespace

//===----------------------------------------------------------------------===//
// Contraction
//===----------------------------------------------------------------------===//

/// An operand with all its matrices. Where the contraction is by groups of k,
/// `offsets`, those of the operand must be the same.
static num::Status load(const Side &side, ArrayRef<Array> arrays,
                        const num::Dims *offsets, Matrix &value) {
  value.freeDim = side.freeDim;
  value.kDim = side.kDim;
  if (!side.isBlocked) {
    value.plain =
        num::denseView(dataOf<char>(arrays[0]), side.dtype, side.shape);
    return num::Status::success();
  }
  value.blocked = side.blocked;
  value.shape = side.shape;
  value.parts = loadComponents(side.blocked, side.shape, arrays);
  if (!side.blocked.isGrouped())
    return num::Status::success();
  num::Grouping grouping = groupingOf(side.blocked.groupAxis, arrays.back());
  if (num::Status status = num::validateGrouping(grouping, side.shape);
      !status.ok())
    return status;
  if (!offsets)
    spreadGroups(value, grouping);
  else if (grouping.offsets != *offsets)
    return num::Status::error("expects " + side.name.str() +
                              " to have the offsets of the contraction");
  return num::Status::success();
}

num::Status conformance::contract(const Spec &spec, ArrayRef<Array> inputs,
                                  Array &result) {
  bool byK = spec.op == OpKind::KGroupedMatmul;
  std::array<Side, 2> sides = sidesOf(spec, spec.shape);
  size_t numLeft = sides[0].getNumArrays(), numRight = sides[1].getNumArrays();
  ArrayRef<Array> others = inputs.drop_front(numLeft + numRight);
  num::Grouping grouping;
  if (isByGroups(spec.op)) {
    grouping = groupingOf(0, others[0]);
    others = others.drop_front();
    if (num::Status status = num::validateGrouping(
            grouping, {byK ? spec.shape.back() : spec.shape[1]});
        !status.ok())
      return status;
  }
  Matrix lhs, rhs;
  const num::Dims *shared = byK ? &grouping.offsets : nullptr;
  if (num::Status status =
          load(sides[0], inputs.take_front(numLeft), shared, lhs);
      !status.ok())
    return status;
  if (num::Status status =
          load(sides[1], inputs.drop_front(numLeft).take_front(numRight),
               shared, rhs);
      !status.ok())
    return status;

  // Every product is written where it belongs; groups of rows take theirs out
  // of a product of all rows.
  num::Dims shape(spec.shape.end() - 3, spec.shape.end() - 1);
  int64_t size = num::numElements(shape);
  int64_t width = num::byteWidth(spec.dtype);
  bool byRows = spec.op == OpKind::GroupedMatmul;
  std::vector<char> rows(byRows ? size * width : 0);
  int64_t matrices = spec.op == OpKind::Matmul ? 1 : spec.shape[0];
  for (int64_t i = 0; i < matrices; ++i) {
    auto take = [&](const Side &side, const Matrix &value) {
      if (side.isBatched)
        return takeBatch(value, i);
      return byK ? takeGroup(value, grouping, i) : value;
    };
    Matrix left = take(sides[0], lhs), right = take(sides[1], rhs);
    std::optional<num::ConstFloatView> init;
    if (spec.hasInit)
      init = num::denseView(dataOf<float>(others[0]) + (byRows ? 0 : i * size),
                            num::FloatType::F32, shape);
    void *product =
        byRows ? rows.data() : result.data.data() + i * size * width;
    if (num::Status status =
            num::contract(left.operand(), right.operand(),
                          num::denseView(product, spec.dtype, shape), init);
        !status.ok())
      return status;
    if (byRows)
      std::copy(rows.data() + grouping.offsets[i] * shape[1] * width,
                rows.data() + grouping.offsets[i + 1] * shape[1] * width,
                result.data.data() + grouping.offsets[i] * shape[1] * width);
  }
  return num::Status::success();
}
