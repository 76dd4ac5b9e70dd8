//===- Measure.cpp - what quantising an operand loses -*- C++ -*-===//
//
// Part of the lowp project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "lowp/Auto/Measure.h"

#include "lowp/IR/LowpNumerics.h"
#include "lowp/Numerics/Groups.h"

#include "llvm/Support/MathExtras.h"

#include <cmath>

using namespace mlir;
using namespace mlir::lowp;
namespace numerics = ::lowp::numerics;

namespace {
/// The components of a blocked value.
struct Storage {
  Storage(const numerics::BlockFormat &format, const numerics::Dims &shape,
          const numerics::Dims &scaleShape, const numerics::Dims &outerShape)
      : codes(numerics::numElements(shape)) {
    data.codes = codes.data();
    int64_t count = numerics::numElements(scaleShape);
    if (format.scale->kind == numerics::ScaleKind::Float32) {
      scalesF32.resize(count);
      data.scalesF32 = scalesF32.data();
    } else {
      scales.resize(count);
      data.scales = scales.data();
    }
    if (format.outer) {
      outer.resize(numerics::numElements(outerShape));
      data.outer = outer.data();
    }
  }

  std::vector<uint8_t> codes, scales;
  std::vector<float> scalesF32, outer;
  numerics::BlockedData data;
};
} // namespace

numerics::Status mlir::lowp::measureLoss(OperandPlanAttr plan, unsigned dim,
                                         const numerics::ConstFloatView &values,
                                         const numerics::Dims &offsets,
                                         numerics::SqnrSums &sums) {
  // Without groups all is one.
  numerics::Grouping groups{dim, offsets};
  if (offsets.empty())
    groups.offsets = {0, values.shape[dim]};
  if (auto status = numerics::validateGrouping(groups, values.shape);
      !status.ok())
    return status;
  if (numerics::numElements(values.shape) == 0)
    return numerics::Status::success();
  size_t rank = values.shape.size();
  numerics::Blocking blocking;
  blocking.block.assign(rank, 1);
  // The other dim of the matrix.
  if (rank >= 2)
    blocking.block[2 * rank - 3 - dim] = plan.getTile();
  blocking.block[dim] = plan.getBlock();
  for (int64_t axis : getOuterAxes(plan.getOuter(), rank, dim))
    blocking.outerAxes.push_back(static_cast<unsigned>(axis));

  numerics::BlockFormat format = getBlockFormat(plan.getFormat());
  const numerics::Dims &shape = values.shape;
  Storage storage(format, shape,
                  numerics::scaleShape(format, shape, blocking.block, groups),
                  numerics::outerShape(shape, blocking.outerAxes, groups));
  RuleAttr rule = plan.getRule();
  numerics::QuantizeInputs inputs;
  inputs.key.rounds = static_cast<unsigned>(rule.getRounds());
  inputs.key.sharing = getRandomSharing(rule.getBits());
  if (auto status = numerics::quantize(format, getQuantRule(rule), blocking,
                                       groups, values, storage.data, inputs);
      !status.ok())
    return status;
  std::vector<float> decoded(storage.codes.size());
  if (auto status = numerics::dequantize(
          format, blocking, groups, storage.data,
          numerics::denseView(decoded.data(), numerics::FloatType::F32, shape));
      !status.ok())
    return status;
  for (size_t i = 0; i < decoded.size(); ++i)
    sums.add(numerics::loadAt(values, static_cast<int64_t>(i)), decoded[i]);
  return numerics::Status::success();
}

bool mlir::lowp::hasFiniteValuesOnly(const numerics::ConstFloatView &values) {
  for (int64_t i = 0, e = numerics::numElements(values.shape); i < e; ++i)
    if (!std::isfinite(numerics::loadAt(values, i)))
      return false;
  return true;
}

std::vector<uint16_t> mlir::lowp::getNormalValues(int64_t rows,
                                                  int64_t columns) {
  std::vector<uint16_t> values(rows * columns);
  for (size_t i = 0; i < values.size(); ++i) {
    // Box and Muller's transform. That bf16 has 8 bits hides how the last bit
    // of a logarithm is rounded from one C library to the next.
    numerics::PhiloxCounter word =
        numerics::philox4x32({static_cast<uint32_t>(i),
                              static_cast<uint32_t>(uint64_t(i) >> 32), 0, 0},
                             {0, 0});
    double radius = std::sqrt(-2 * std::log((word[0] + 0.5) * 0x1p-32));
    double angle = 2 * llvm::numbers::pi * word[1] * 0x1p-32;
    values[i] = static_cast<uint16_t>(
        numerics::storeFloat(numerics::FloatType::BF16,
                             static_cast<float>(radius * std::cos(angle))));
  }
  return values;
}
