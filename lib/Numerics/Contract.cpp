//===- Contract.cpp - Reference contraction of plain and blocked operands -===//
//
// Part of the Lowp project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "lowp/Numerics/Contract.h"
#include "Indexing.h"
#include <algorithm>

namespace lowp::numerics {

namespace {

/// Offsets of an operand along its roles.
class OperandReader {
public:
  explicit OperandReader(const ContractOperand &operand)
      : operand(operand), index(operand.dims().size(), 0) {
    if (operand.blocked()) {
      scaleMap.emplace(*operand.format, operand.shape, operand.blocking.block);
      outerMap.emplace(operand.shape, operand.blocking.outerAxes);
      strides = rowMajorStrides(operand.shape);
    } else {
      strides = operand.plain.strides;
    }
  }

  void setBatch(const Dims &batch) {
    for (size_t i = 0; i < operand.batchAxes.size(); ++i)
      index[operand.batchAxes[i]] = batch[i];
  }

  /// Moves to row `free` at the start of the contraction axis.
  void setFree(int64_t free) {
    index[operand.freeAxis] = free;
    index[operand.contractionAxis] = 0;
    base = dotProduct(index, strides);
    step = strides[operand.contractionAxis];
    if (operand.blocked())
      scaleBase = scaleMap->offset(index);
  }

  float value(int64_t k) const {
    int64_t offset = base + k * step;
    return operand.blocked()
               ? decode(*operand.format->element, operand.data.codes[offset])
               : loadAt(operand.plain, offset);
  }

  float scale(int64_t k) const {
    if (!operand.blocked())
      return 1.0f;
    unsigned axis = operand.contractionAxis;
    int64_t offset =
        scaleBase + k / scaleMap->divisor[axis] * scaleMap->stride[axis];
    return operand.format->scale->kind == ScaleKind::Float32
               ? operand.data.scalesF32[offset]
               : decodeScaleByte(*operand.format->scale,
                                 operand.data.scales[offset]);
  }

  float outer() const {
    if (!operand.blocked() || !operand.format->outer)
      return 1.0f;
    return operand.data.outer[outerMap->offset(index)];
  }

  int64_t blockSize() const {
    return operand.blocked() ? operand.blocking.block[operand.contractionAxis]
                             : 0;
  }

private:
  const ContractOperand &operand;
  Dims index;
  Dims strides;
  std::optional<ScaleMap> scaleMap;
  std::optional<OuterMap> outerMap;
  int64_t base = 0;
  int64_t step = 0;
  int64_t scaleBase = 0;
};

Status checkOperand(const ContractOperand &operand, const char *side) {
  std::string name(side);
  size_t rank = operand.dims().size();
  std::vector<unsigned> roles = operand.batchAxes;
  roles.push_back(operand.freeAxis);
  roles.push_back(operand.contractionAxis);
  std::sort(roles.begin(), roles.end());
  bool partition = roles.size() == rank;
  for (size_t i = 0; partition && i < rank; ++i)
    partition = roles[i] == i;
  if (!partition)
    return Status::error("expects the batch, free and contraction axes of " +
                         name + " to be its " + std::to_string(rank) + " dims");
  if (!operand.blocked())
    return Status::success();
  if (Status status = validateBlocking(*operand.format, operand.blocking, rank);
      !status.ok())
    return status;
  for (unsigned axis : operand.blocking.outerAxes)
    if (axis == operand.contractionAxis)
      return Status::error("expects no outer axis of " + name +
                           " along the contraction axis");
  for (unsigned axis : operand.batchAxes)
    if (operand.blocking.block[axis] > 1)
      return Status::error("expects blocks of " + name +
                           " of size 1 along its batch axes, but got " +
                           std::to_string(operand.blocking.block[axis]));
  if (blockAxis(operand.blocking.block) != operand.contractionAxis &&
      tileAxis(operand.blocking.block) !=
          static_cast<int>(operand.contractionAxis) &&
      operand.blocking.block[blockAxis(operand.blocking.block)] > 1)
    return Status::error("expects blocks of " + name +
                         " along the contraction axis");
  return Status::success();
}

} // namespace

Status contract(const ContractOperand &lhs, const ContractOperand &rhs,
                const FloatView &result,
                const std::optional<ConstFloatView> &init) {
  if (Status status = checkOperand(lhs, "lhs"); !status.ok())
    return status;
  if (Status status = checkOperand(rhs, "rhs"); !status.ok())
    return status;
  int64_t K = lhs.dims()[lhs.contractionAxis];
  if (K != rhs.dims()[rhs.contractionAxis])
    return Status::error("expects contraction axes of one size, but got " +
                         std::to_string(K) + " and " +
                         std::to_string(rhs.dims()[rhs.contractionAxis]));
  if (lhs.batchAxes.size() != rhs.batchAxes.size())
    return Status::error("expects as many batch axes on both sides, but got " +
                         std::to_string(lhs.batchAxes.size()) + " and " +
                         std::to_string(rhs.batchAxes.size()));
  Dims batchShape;
  for (size_t i = 0; i < lhs.batchAxes.size(); ++i) {
    batchShape.push_back(lhs.dims()[lhs.batchAxes[i]]);
    if (batchShape.back() != rhs.dims()[rhs.batchAxes[i]])
      return Status::error("expects batch axes of one size, but got " +
                           std::to_string(batchShape.back()) + " and " +
                           std::to_string(rhs.dims()[rhs.batchAxes[i]]));
  }
  Dims shape = batchShape;
  shape.push_back(lhs.dims()[lhs.freeAxis]);
  shape.push_back(rhs.dims()[rhs.freeAxis]);
  if (result.shape != shape || (init && init->shape != shape))
    return Status::error("expects a result and an init of the batch sizes and "
                         "the two free sizes");

  OperandReader left(lhs), right(rhs);
  int64_t small = left.blockSize(), large = right.blockSize();
  if (small > large)
    std::swap(small, large);
  if (small > 0 && large % small != 0)
    return Status::error("expects block sizes of which one divides the other, "
                         "but got " +
                         std::to_string(left.blockSize()) + " and " +
                         std::to_string(right.blockSize()));
  // A plain operand follows the blocks of the other.
  int64_t block = small > 0 ? small : large;
  if (numElements(shape) == 0)
    return Status::success();

  ScopedFloatEnvironment environment;
  Dims index(shape.size(), 0);
  do {
    left.setBatch(index);
    right.setBatch(index);
    left.setFree(index[index.size() - 2]);
    right.setFree(index[index.size() - 1]);
    float acc = 0.0f;
    if (block == 0) {
      for (int64_t k = 0; k < K; ++k)
        acc = acc + left.value(k) * right.value(k);
    } else {
      for (int64_t start = 0; start < K; start += block) {
        float partial = 0.0f;
        for (int64_t k = start; k < std::min(start + block, K); ++k)
          partial = partial + left.value(k) * right.value(k);
        acc = acc + partial * (left.scale(start) * right.scale(start));
      }
    }
    float value = (left.outer() * right.outer()) * acc;
    if (init)
      value = value + loadAt(*init, dotProduct(index, init->strides));
    storeAt(result, dotProduct(index, result.strides), value);
  } while (advance(index, shape));
  return Status::success();
}

} // namespace lowp::numerics
