//===- Generate.cpp - Random operations -----------------------------------===//
//
// Part of the Lowp project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Contractions.h"

#include "lowp/Conformance/Suite.h"

#include "llvm/ADT/STLExtras.h"

using namespace mlir::lowp;
using namespace mlir::lowp::conformance;

/// Elements of a random case. Larger ones say little more.
static constexpr int64_t kMaxRandomElements = 12000;

//===----------------------------------------------------------------------===//
// Attributes
//===----------------------------------------------------------------------===//

static void pickFormat(Blocked &blocked, Random &random, bool wantsOuter) {
  if (random.chance(60)) {
    const num::BlockFormat &format =
        num::kBlockFormats[random.below(std::size(num::kBlockFormats))];
    blocked.element = format.element;
    blocked.scale = format.scale;
    blocked.outer = format.outer;
  } else {
    blocked.element =
        num::kElementFormats[random.below(std::size(num::kElementFormats))];
    blocked.scale =
        num::kScaleFormats[random.below(std::size(num::kScaleFormats))];
    blocked.outer = random.chance(50);
  }
  if (wantsOuter)
    blocked.outer = true;
  if (blocked.scale->kind == num::ScaleKind::Float32) {
    if (wantsOuter)
      blocked.scale = &num::kUE4M3;
    else
      blocked.outer = false;
  }
}

static void pickBlocks(Blocked &blocked, size_t rank, Random &random) {
  blocked.blocking.block.assign(rank, 1);
  if (rank >= 2 && random.chance(20)) {
    int64_t size = random.pick<int64_t>({16, 16, 32, 4, 128});
    blocked.blocking.block[rank - 2] = blocked.blocking.block[rank - 1] = size;
  } else {
    size_t axis = random.chance(60) ? rank - 1 : random.below(rank);
    int64_t usual = blocked.scale->kind == num::ScaleKind::PowerOfTwo   ? 32
                    : blocked.scale->kind == num::ScaleKind::SmallFloat ? 16
                                                                        : 128;
    blocked.blocking.block[axis] =
        random.chance(70) ? usual
                          : random.pick<int64_t>({1, 2, 7, 8, 12, 16, 32, 64});
  }
  blocked.blocking.outerAxes.clear();
  if (blocked.outer && random.chance(70))
    for (unsigned axis = 0; axis < rank; ++axis)
      if (blocked.blocking.block[axis] == 1 && random.chance(60))
        blocked.blocking.outerAxes.push_back(axis);
  if (rank >= 2 && blocked.scale->kind != num::ScaleKind::Float32 &&
      random.chance(20))
    blocked.layout = Layout::Tcgen05_128x4;
}

/// Some values of 1-D blocks are groups along a dim.
static void pickGroups(Blocked &blocked, size_t rank, Random &random) {
  if (num::tileAxis(blocked.blocking.block) >= 0 || !random.chance(20))
    return;
  blocked.layout = Layout::Linear;
  blocked.groupAxis = random.below(static_cast<int64_t>(rank));
  blocked.groups = 1 + random.below(5);
}

/// A rule whose fields all serve the format.
static void pickRule(const Blocked &result, Spec &spec, Random &random) {
  do {
    num::QuantRule rule;
    num::RandomKey key;
    bool smallFloat = result.scale->kind == num::ScaleKind::SmallFloat;
    if (random.chance(35))
      rule.nonfinite = num::NonFinite::Saturate;
    if (result.element->kind == num::ElementKind::Float && random.chance(25))
      rule.negZero = num::NegativeZero::Drop;
    if (result.scale->kind == num::ScaleKind::PowerOfTwo)
      rule.scale = random.pick({num::ScaleRule::RCeil, num::ScaleRule::Floor,
                                num::ScaleRule::Ceil, num::ScaleRule::Even});
    else if (random.chance(35))
      rule.sfRound = random.pick({num::ScaleRound::Up, num::ScaleRound::Ceil});
    if (result.scale->kind != num::ScaleKind::PowerOfTwo && random.chance(20))
      rule.mapTo = random.pick({1.0f, 4.0f, 5.0f, 100.0f});
    if (result.element->specials != num::Specials::None && random.chance(15))
      rule.overflow = num::Overflow::NonFinite;
    if (random.chance(10))
      rule.round = num::RoundingMode::TowardZero;
    if (smallFloat) {
      rule.sfArith =
          random.pick({num::ScaleArith::Divide, num::ScaleArith::Divide,
                       num::ScaleArith::TE, num::ScaleArith::TorchAO,
                       num::ScaleArith::CompressedTensors});
      if (random.chance(25))
        rule.sfZero = num::ZeroScale::KeepCodes;
      if (result.element == &num::kE2M1 && random.chance(40)) {
        rule.fourSix = random.pick(
            {num::FourSix::MSE, num::FourSix::MAE, num::FourSix::AbsMax});
        if (random.chance(40))
          rule.fourSixError = num::FourSixError::Dequantized;
      }
    }
    if (result.outer) {
      rule.outerMax = random.pick({0.0f, 0.0f, 0.0f, 1536.0f, 448.0f, 1000.0f});
      if (random.chance(25))
        rule.outerRepr = num::OuterRepr::Pow2;
    }
    if (random.chance(25)) {
      rule.round = num::RoundingMode::Stochastic;
      rule.allowClipping = random.chance(25);
      key.rounds = random.chance(30) ? 7 : 10;
      if (result.element->storageBits() != 4 && random.chance(30))
        key.sharing = num::RandomSharing::Independent;
      key.seed = random.next();
      key.stream = random.bits() >> (random.chance(50) ? 1 : 28);
      key.step = random.bits() >> (random.chance(50) ? 0 : 28);
    }
    spec.rule = rule;
    spec.key = key;
  } while (!num::validate(result.format(), spec.rule).ok());
}

static std::vector<unsigned> pickPermutation(size_t rank, Random &random) {
  std::vector<unsigned> permutation(rank);
  for (unsigned i = 0; i < rank; ++i)
    permutation[i] = i;
  for (size_t i = rank; i > 1; --i)
    std::swap(permutation[i - 1], permutation[random.below(i)]);
  return permutation;
}

static void pickSigns(Spec &spec, Random &random) {
  spec.norm =
      random.pick({num::HadamardNorm::Dyadic, num::HadamardNorm::Orthonormal});
  spec.signs = num::hadamardSigns(random.pick<int64_t>({16, 32, 64, 128}));
  if (random.chance(70))
    for (int8_t &sign : spec.signs)
      sign = random.chance(50) ? 1 : -1;
}

static void pickHadamard(Spec &spec, size_t rank, Random &random) {
  spec.axis = random.below(static_cast<int64_t>(rank));
  spec.inverse = random.chance(50);
  pickSigns(spec, random);
}

/// A payload, half of the time of the blocks that the transform has.
static void pickCombine(Spec &spec, Random &random) {
  spec.gates = random.pick(
      {num::FloatType::F32, num::FloatType::BF16, num::FloatType::F16});
  pickFormat(spec.source, random, false);
  pickBlocks(spec.source, 3, random);
  if (random.chance(60)) {
    pickSigns(spec, random);
    if (random.chance(50)) {
      int64_t size = static_cast<int64_t>(spec.signs.size());
      spec.source.blocking = {{1, 1, size}, {}};
    }
  }
  pickGroups(spec.source, 3, random);
}

/// The dim whose size is a multiple of a transform's, or -1.
static int64_t getTransformDim(const Spec &spec) {
  if (spec.signs.empty())
    return -1;
  return spec.op == OpKind::Combine ? 2 : spec.axis;
}

/// The transposition of tiles stays in the last two dims.
static bool keepsTiles(const Blocked &blocked,
                       const std::vector<unsigned> &permutation) {
  size_t rank = permutation.size();
  return num::tileAxis(blocked.blocking.block) < 0 ||
         (permutation[rank - 1] >= rank - 2 &&
          permutation[rank - 2] >= rank - 2);
}

/// Blocks along k, and no outer axis along it.
static void pickOperand(Operand &operand, Spec &spec, bool isRhs,
                        bool wantsOuter, Random &random) {
  operand.isTransposed =
      (spec.op != OpKind::GroupedMatmul || isRhs) && random.chance(50);
  operand.isBlocked = random.chance(75);
  operand.dtype = random.pick(
      {num::FloatType::F32, num::FloatType::BF16, num::FloatType::F16});
  if (!operand.isBlocked)
    return;
  Side side = sidesOf(spec, num::Dims(4, -1))[isRhs];
  Blocked &blocked = operand.blocked;
  const num::Dims &block = blocked.blocking.block;
  bool byK = spec.op == OpKind::KGroupedMatmul;
  pickFormat(blocked, random, wantsOuter);
  do {
    blocked.layout = Layout::Linear;
    pickBlocks(blocked, side.shape.size(), random);
  } while ((block[side.kDim] == 1 &&
            llvm::any_of(block, [](int64_t size) { return size != 1; })) ||
           (byK && num::tileAxis(block) >= 0));
  llvm::erase(blocked.blocking.outerAxes, side.kDim);
  if (byK)
    blocked.layout = Layout::Linear;
  else
    pickGroups(blocked, side.shape.size(), random);
  if (blocked.groupAxis == side.kDim) {
    blocked.groupAxis = -1;
    blocked.groups = 0;
  }
}

static void pickContraction(Spec &spec, Random &random) {
  if (spec.op == OpKind::BatchMatmul && random.chance(40))
    (random.chance(50) ? spec.lhs : spec.rhs).isBatched = false;
  // Only some pairs of block sizes have a meaning. Pairs of outer scales would
  // be rare.
  do {
    spec.lhs.blocked = spec.rhs.blocked = Blocked();
    bool wantsOuter = random.chance(30);
    pickOperand(spec.lhs, spec, false, wantsOuter, random);
    pickOperand(spec.rhs, spec, true, wantsOuter, random);
    spec.shape.assign(spec.op == OpKind::Matmul ? 3 : 4, 1);
  } while (llvm::errorToBool(getInterface(spec).takeError()));
  spec.hasInit = random.chance(30);
  // The last bits of a sum survive no rounding.
  if (random.chance(50))
    spec.dtype = num::FloatType::F32;
}

Spec conformance::randomSpec(Random &random) {
  Spec spec;
  spec.op = random.pick(
      {OpKind::Quantize, OpKind::Quantize, OpKind::Quantize, OpKind::Quantize,
       OpKind::Quantize, OpKind::Dequantize, OpKind::Requantize,
       OpKind::Requantize, OpKind::Transpose, OpKind::ConvertLayout,
       OpKind::Rht, OpKind::Amax, OpKind::Combine, OpKind::Matmul,
       OpKind::BatchMatmul, OpKind::GroupedMatmul, OpKind::KGroupedMatmul});
  size_t rank = random.pick({1, 2, 2, 2, 2, 3, 3, 4});
  spec.dtype = random.pick({num::FloatType::F32, num::FloatType::F32,
                            num::FloatType::BF16, num::FloatType::BF16,
                            num::FloatType::F16});
  switch (spec.op) {
  case OpKind::Quantize:
    pickFormat(spec.result, random, false);
    pickBlocks(spec.result, rank, random);
    pickGroups(spec.result, rank, random);
    pickRule(spec.result, spec, random);
    if (spec.result.outer)
      spec.given = random.pick(
          {Given::Nothing, Given::Nothing, Given::Amax, Given::Outer});
    break;
  case OpKind::Requantize: {
    bool keep = random.chance(30);
    spec.requantOuter =
        keep ? num::RequantOuter::Keep : num::RequantOuter::Fold;
    pickFormat(spec.source, random, keep);
    pickBlocks(spec.source, rank, random);
    pickFormat(spec.result, random, keep);
    spec.permutation = pickPermutation(rank, random);
    std::vector<unsigned> axes =
        num::permutedBlocking(spec.source.blocking, spec.permutation).outerAxes;
    llvm::sort(axes);
    do {
      pickBlocks(spec.result, rank, random);
    } while (keep && llvm::any_of(axes, [&](unsigned axis) {
               return spec.result.blocking.block[axis] != 1;
             }));
    if (keep)
      spec.result.blocking.outerAxes = axes;
    pickRule(spec.result, spec, random);
    break;
  }
  case OpKind::Rht:
    pickHadamard(spec, rank, random);
    break;
  case OpKind::Amax:
    for (unsigned axis = 0; axis < rank; ++axis)
      if (random.chance(40))
        spec.result.blocking.outerAxes.push_back(axis);
    if (random.chance(35))
      spec.rule.nonfinite = num::NonFinite::Saturate;
    break;
  case OpKind::Combine:
    pickCombine(spec, random);
    rank = 3;
    break;
  case OpKind::Matmul:
  case OpKind::BatchMatmul:
  case OpKind::GroupedMatmul:
  case OpKind::KGroupedMatmul:
    pickContraction(spec, random);
    rank = spec.shape.size();
    break;
  case OpKind::ConvertLayout:
    rank = std::max<size_t>(rank, 2);
    do
      pickFormat(spec.source, random, false);
    while (spec.source.scale->kind == num::ScaleKind::Float32);
    pickBlocks(spec.source, rank, random);
    spec.result.layout = spec.source.layout == Layout::Linear
                             ? Layout::Tcgen05_128x4
                             : Layout::Linear;
    break;
  default:
    pickFormat(spec.source, random, false);
    pickBlocks(spec.source, rank, random);
    if (spec.op == OpKind::Dequantize)
      pickGroups(spec.source, rank, random);
    if (spec.op != OpKind::Transpose)
      break;
    spec.source.layout = Layout::Linear;
    do
      spec.permutation = pickPermutation(rank, random);
    while (!keepsTiles(spec.source, spec.permutation));
    break;
  }
  spec.shape.assign(rank, -1);
  spec.shape = randomShape(spec, spec.shape, random);
  return spec;
}

//===----------------------------------------------------------------------===//
// Shapes
//===----------------------------------------------------------------------===//

/// Around multiples of the block, empty now and then.
static int64_t pickSize(int64_t block, size_t rank, Random &random) {
  if (random.chance(4))
    return 0;
  if (block == 1)
    return random.chance(6) ? 100 + random.below(180)
                            : 1 + random.below(rank > 2 ? 5 : 20);
  if (random.chance(15))
    return 1 + random.below(block);
  return std::max<int64_t>(1,
                           block * (1 + random.below(rank > 2 ? 2 : 4)) +
                               random.pick<int64_t>({0, 0, -1, 1, block / 2}));
}

/// M, N and K, after the number of matrices where there are several.
static num::Dims pickSizes(const Spec &spec, llvm::ArrayRef<int64_t> fixed,
                           Random &random) {
  int64_t block = 1;
  size_t several = fixed.size() - 3;
  for (const Side &side : sidesOf(spec, num::Dims(fixed.size(), -1)))
    if (side.isBlocked)
      block = std::max(block, side.blocked.blocking.block[side.kDim]);
  num::Dims shape;
  // There are no elements in no groups.
  if (several)
    shape.push_back(
        !isByGroups(spec.op) && random.chance(4) ? 0 : 1 + random.below(4));
  shape.push_back(random.chance(4) ? 0 : 1 + random.below(14));
  shape.push_back(random.chance(4) ? 0 : 1 + random.below(40));
  shape.push_back(pickSize(block, 2, random));
  for (size_t dim = 0; dim < shape.size(); ++dim)
    if (fixed[dim] >= 0)
      shape[dim] = fixed[dim];
  // Rows and columns give way.
  for (size_t dim : {several, several + 1})
    while (num::numElements(shape) > kMaxRandomElements && shape[dim] > 4 &&
           fixed[dim] < 0)
      shape[dim] /= 2;
  return shape;
}

num::Dims conformance::randomShape(const Spec &spec,
                                   llvm::ArrayRef<int64_t> fixed,
                                   Random &random) {
  size_t rank = fixed.size();
  if (isContraction(spec.op))
    return pickSizes(spec, fixed, random);
  num::Dims blocks(rank, 1);
  // Blocks of the source, or those of the result.
  auto include = [&](const Blocked &blocked,
                     const std::vector<unsigned> &permutation) {
    const num::Dims &block = blocked.blocking.block;
    for (size_t dim = 0; dim < block.size() && dim < rank; ++dim) {
      int64_t &size = blocks[permutation.empty() ? dim : permutation[dim]];
      size = std::max(size, block[dim]);
    }
  };
  if (spec.op == OpKind::Quantize)
    include(spec.result, {});
  else if (spec.op != OpKind::Rht && spec.op != OpKind::Amax)
    include(spec.source, {});
  if (spec.op == OpKind::Requantize)
    include(spec.result, spec.permutation);
  num::Dims shape(rank);
  int64_t multiple = static_cast<int64_t>(spec.signs.size());
  int64_t transformDim = getTransformDim(spec);
  for (size_t dim = 0; dim < rank; ++dim) {
    if (fixed[dim] >= 0)
      shape[dim] = fixed[dim];
    else if (static_cast<int64_t>(dim) == transformDim)
      shape[dim] = multiple * random.below(4);
    else
      shape[dim] = pickSize(blocks[dim], rank, random);
  }
  // The first dims give way.
  for (size_t dim = 0;
       dim < rank && num::numElements(shape) > kMaxRandomElements; ++dim)
    if (fixed[dim] < 0 && static_cast<int64_t>(dim) != transformDim)
      shape[dim] = 1 + random.below(3);
  return shape;
}
