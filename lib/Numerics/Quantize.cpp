//===- Quantize.cpp - Quantise, dequantise, requantise --------------------===//
//
// Part of the Lowp project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "lowp/Numerics/Quantize.h"
#include "Indexing.h"
#include <algorithm>
#include <cmath>

namespace lowp::numerics {

//===----------------------------------------------------------------------===//
// Validation
//===----------------------------------------------------------------------===//

Status validate(const BlockFormat &format, const QuantRule &rule) {
  bool smallFloat = format.scale->kind == ScaleKind::SmallFloat;
  bool libraryOrder = rule.sfArith == ScaleArith::TorchAO ||
                      rule.sfArith == ScaleArith::CompressedTensors;
  if (format.outer && format.scale->kind == ScaleKind::Float32)
    return Status::error("expects no outer scale above fp32 block scales");
  if (!isFinite(rule.outerMax) || rule.outerMax < 0.0f)
    return Status::error("expects an outer_max that is positive and finite, "
                         "or 0 for the default");
  if (!(rule.mapTo >= 0.0f && rule.mapTo <= maxValue(*format.element)))
    return Status::error("expects a map_to of at most the element's largest "
                         "value, or 0 for that");
  if (rule.mapTo != 0.0f && format.scale->kind == ScaleKind::PowerOfTwo)
    return Status::error("expects no map_to for ue8m0 block scales");
  if (rule.sfRound == ScaleRound::Ceil && !smallFloat)
    return Status::error("expects ue4m3 block scales for sf_round = ceil, but "
                         "got " +
                         std::string(format.scale->name));
  if (libraryOrder) {
    if (!smallFloat)
      return Status::error("expects ue4m3 block scales for the sf_arith of "
                           "torchao and compressed_tensors, but got " +
                           std::string(format.scale->name));
    if (rule.sfRound != ScaleRound::RNE ||
        rule.outerRepr != OuterRepr::DecodeF32)
      return Status::error("expects sf_round = rne and outer_repr = "
                           "decode_f32 for the sf_arith of torchao and "
                           "compressed_tensors");
  }
  if (rule.fourSix != FourSix::None) {
    // The candidates are E2M1's two largest magnitudes apart from 6 and 3.
    bool e2m1 = format.element->kind == ElementKind::Float &&
                format.element->exponentBits == 2 &&
                format.element->mantissaBits == 1;
    if (!e2m1 || !smallFloat)
      return Status::error(
          "expects e2m1 elements with ue4m3 scales for four_six, but got " +
          std::string(format.element->name) + " with " + format.scale->name);
    if (rule.round != RoundingMode::Nearest)
      return Status::error(
          std::string("expects round = nearest for four_six, but got ") +
          (rule.round == RoundingMode::Stochastic ? "stochastic"
                                                  : "toward_zero"));
    if (rule.sfRound != ScaleRound::RNE)
      return Status::error(
          std::string("expects sf_round = rne for four_six, but got ") +
          (rule.sfRound == ScaleRound::Up ? "up" : "ceil"));
    if (rule.mapTo != 0.0f)
      return Status::error("expects no map_to for four_six, which maps to 6 "
                           "or to 4");
    if (libraryOrder)
      return Status::error("expects sf_arith = divide or te for four_six");
  }
  if (rule.round == RoundingMode::Stochastic) {
    if (rule.overflow != Overflow::Saturate)
      return Status::error("expects overflow = saturate for stochastic "
                           "rounding");
    if (rule.srBits > 24)
      return Status::error("expects at most 24 sr_bits, but got " +
                           std::to_string(rule.srBits));
    bool clips = format.scale->kind == ScaleKind::PowerOfTwo
                     ? rule.scale != ScaleRule::RCeil
                     : rule.sfRound != ScaleRound::Up;
    if (clips && !rule.allowClipping)
      return Status::error(
          format.scale->kind == ScaleKind::PowerOfTwo
              ? "expects scale = rceil for stochastic rounding, as others "
                "clip, or allow_clipping"
              : "expects sf_round = up for stochastic rounding, as rne clips, "
                "or allow_clipping");
  }
  return Status::success();
}

static Status checkShape(const Dims &shape) {
  for (int64_t size : shape)
    if (size < 0)
      return Status::error("expects sizes of at least 0, but got " +
                           std::to_string(size));
  return Status::success();
}

static Status checkComponents(const BlockFormat &format, bool scales,
                              bool scalesF32, bool outer) {
  bool float32 = format.scale->kind == ScaleKind::Float32;
  if (float32 ? !scalesF32 : !scales)
    return Status::error(std::string("expects a buffer of ") +
                         (float32 ? "fp32" : "one-byte") + " scales");
  if (format.outer && !outer)
    return Status::error("expects a buffer of outer scales");
  return Status::success();
}

//===----------------------------------------------------------------------===//
// Quantise
//===----------------------------------------------------------------------===//

static float maxPropagating(float a, float b) {
  if (isNan(a))
    return a;
  return isNan(b) || a < b ? b : a;
}

float largestMagnitude(const float *values, size_t count, NonFinite nonfinite) {
  float amax = 0.0f;
  for (size_t i = 0; i < count; ++i)
    if (nonfinite == NonFinite::Propagate || isFinite(values[i]))
      amax = maxPropagating(amax, magnitude(values[i]));
  return amax;
}

void groupAmaxes(const ConstFloatView &source,
                 const std::vector<unsigned> &outerAxes, NonFinite nonfinite,
                 float *result) {
  OuterMap outerMap(source.shape, outerAxes);
  std::fill_n(result, outerMap.count, 0.0f);
  if (numElements(source.shape) == 0)
    return;
  Dims index(source.shape.size(), 0);
  do {
    float value = loadAt(source, dotProduct(index, source.strides));
    float &amax = result[outerMap.offset(index)];
    amax = maxPropagating(amax, largestMagnitude(&value, 1, nonfinite));
  } while (advance(index, source.shape));
}

static unsigned randomBitsOf(const ElementFormat &format,
                             const QuantRule &rule) {
  return rule.srBits ? rule.srBits : format.randomBits;
}

uint8_t encodeElement(const ElementFormat &format, const QuantRule &rule,
                      float scaled, uint32_t random) {
  if (rule.negZero == NegativeZero::Drop && toBits(scaled) == 0x80000000u)
    return 0;
  uint32_t code = 0;
  switch (rule.round) {
  case RoundingMode::Nearest:
    code = encodeNearest(format, scaled, rule.overflow);
    break;
  case RoundingMode::TowardZero:
    code = encodeTowardZero(format, scaled, rule.overflow);
    break;
  case RoundingMode::Stochastic:
    code = encodeStochastic(format, scaled, random, randomBitsOf(format, rule),
                            rule.overflow);
    break;
  }
  return static_cast<uint8_t>(code);
}

/// Difference between what a code stands for and its value, in the units of the
/// rule.
static float codeError(const BlockFormat &format, const QuantRule &rule,
                       float code, float value, float scale,
                       const OuterScale &outer) {
  // Exact: 2 by 4 significant bits.
  float product = code * scale;
  if (rule.fourSixError == FourSixError::Scaled)
    return product - value * outer.encode;
  if (outer.amaxKnown)
    return (product * outer.amax) / outerMax(format, rule) - value;
  return product * outer.decode - value;
}

float fourSixRowError(const BlockFormat &format, const QuantRule &rule,
                      const float *values, const float *codes, size_t count,
                      float scale, const OuterScale &outer) {
  // Two chains, over even and odd elements, of the scaled error; one of the
  // dequantized error, which reproduces other libraries.
  float sums[2] = {0.0f, 0.0f};
  bool scaled = rule.fourSixError == FourSixError::Scaled;
  for (size_t i = 0; i < count; ++i) {
    float error = codeError(format, rule, codes[i], values[i], scale, outer);
    float &sum = sums[scaled ? i % 2 : 0];
    switch (rule.fourSix) {
    case FourSix::MSE:
      sum = scaled ? std::fma(error, error, sum) : sum + error * error;
      break;
    case FourSix::MAE:
      sum = sum + magnitude(error);
      break;
    case FourSix::AbsMax:
      sum = maxPropagating(sum, magnitude(error));
      break;
    case FourSix::None:
      break;
    }
  }
  return rule.fourSix == FourSix::AbsMax ? maxPropagating(sums[0], sums[1])
                                         : sums[0] + sums[1];
}

namespace {

/// The values of one block, gathered: rows x cols, row-major.
class Quantizer {
public:
  Quantizer(const BlockFormat &format, const QuantRule &rule,
            const Blocking &blocking, const ConstFloatView &source,
            const BlockedData &result, const QuantizeInputs &inputs)
      : format(format), rule(rule), blocking(blocking), source(source),
        result(result), inputs(inputs),
        scaleMap(format, source.shape, blocking.block),
        outerMap(source.shape, blocking.outerAxes),
        codeStrides(rowMajorStrides(source.shape)),
        axis(blockAxis(blocking.block)), tile(tileAxis(blocking.block)),
        randomBitCount(randomBitsOf(*format.element, rule)) {
    int64_t tileRows = tile < 0 ? 1 : blocking.block[tile];
    // A block is never larger than the value.
    int64_t rowLimit = tile < 0 ? 1 : std::min(tileRows, source.shape[tile]);
    int64_t colLimit = std::min(blocking.block[axis], source.shape[axis]);
    values.resize(rowLimit * colLimit);
    codes.resize(values.size());
    random.resize(rule.round == RoundingMode::Stochastic ? values.size() : 0);
    if (rule.fourSix != FourSix::None) {
      otherCodes.resize(values.size());
      size_t errors = 1;
      while (errors < static_cast<size_t>(rowLimit))
        errors *= 2;
      rowErrors.resize(errors);
    }
    rowStrides = otherDimStrides();
  }

  void run() {
    computeOuterScales();
    if (format.outer)
      for (int64_t group = 0; group < outerMap.count; ++group)
        result.outer[group] = outers[group].decode;
    if (numElements(source.shape) == 0)
      return;
    Dims grid = gridShape(source.shape, blocking.block);
    Dims block(grid.size(), 0);
    start.resize(grid.size());
    do {
      for (size_t dim = 0; dim < grid.size(); ++dim)
        start[dim] = block[dim] * blocking.block[dim];
      quantizeBlock();
    } while (advance(block, grid));
  }

private:
  /// Row-major strides over the dims other than the block axis, of the value
  /// that this one is a group of.
  Dims otherDimStrides() const {
    Dims shape = source.shape;
    if (inputs.position)
      shape[inputs.position->axis] = inputs.position->size;
    Dims strides(shape.size(), 0);
    int64_t next = 1;
    for (size_t dim = shape.size(); dim-- > 0;) {
      if (dim == axis)
        continue;
      strides[dim] = next;
      next *= shape[dim];
    }
    return strides;
  }

  /// The random group of element k of a row.
  int64_t randomGroupOf(int64_t row, int64_t k) const {
    const GroupPosition *position = inputs.position;
    if (!position)
      return randomGroup(inputs.key, row, k, source.shape[axis]);
    row += position->start * rowStrides[position->axis];
    if (position->axis != axis)
      return randomGroup(inputs.key, row, k, source.shape[axis]);
    return randomGroup(inputs.key, row, position->start + k, position->size,
                       position->group, position->groups, position->start);
  }

  void computeOuterScales() {
    outers.resize(static_cast<size_t>(outerMap.count));
    if (!format.outer)
      return;
    if (inputs.givenOuter) {
      for (size_t group = 0; group < outers.size(); ++group)
        outers[group] = outerFromDecode(inputs.givenOuter[group]);
      return;
    }
    std::vector<float> amaxes;
    if (inputs.givenAmax)
      amaxes.assign(inputs.givenAmax, inputs.givenAmax + outers.size());
    else {
      amaxes.resize(outers.size());
      groupAmaxes(source, blocking.outerAxes, rule.nonfinite, amaxes.data());
    }
    for (size_t group = 0; group < outers.size(); ++group)
      outers[group] = outerFromAmax(format, rule, amaxes[group]);
  }

  void gather() {
    rows = tile < 0 ? 1
                    : std::min(blocking.block[tile],
                               source.shape[tile] - start[tile]);
    cols = std::min(blocking.block[axis], source.shape[axis] - start[axis]);
    int64_t base = dotProduct(start, source.strides);
    int64_t rowStride = tile < 0 ? 0 : source.strides[tile];
    for (int64_t row = 0; row < rows; ++row)
      for (int64_t col = 0; col < cols; ++col)
        values[row * cols + col] =
            loadAt(source, base + row * rowStride + col * source.strides[axis]);
    if (rule.round == RoundingMode::Stochastic)
      gatherRandom();
  }

  void gatherRandom() {
    int64_t base = dotProduct(start, codeStrides);
    int64_t size = randomGroupSize(inputs.key.sharing);
    for (int64_t row = 0; row < rows; ++row)
      for (int64_t col = 0; col < cols; ++col) {
        uint32_t &bits = random[row * cols + col];
        if (inputs.randomBits) {
          int64_t rowStride = tile < 0 ? 0 : codeStrides[tile];
          bits =
              inputs
                  .randomBits[base + row * rowStride + col * codeStrides[axis]];
          continue;
        }
        int64_t logicalRow = dotProduct(start, rowStrides) +
                             (tile < 0 ? 0 : row * rowStrides[tile]);
        int64_t k = start[axis] + col;
        bits = randomBits(inputs.key, randomGroupOf(logicalRow, k),
                          static_cast<unsigned>(k % size), randomBitCount);
      }
  }

  uint8_t encode(float value, const BlockScale &scale, int64_t i) const {
    if (scale.zeroCodes && isFinite(value))
      return 0;
    return encodeElement(*format.element, rule, scale.apply(value),
                         random.empty() ? 0 : random[i]);
  }

  void encodeBlock(const BlockScale &scale, std::vector<uint8_t> &to) const {
    for (int64_t i = 0; i < rows * cols; ++i)
      to[i] = encode(values[i], scale, i);
  }

  float rowError(const std::vector<uint8_t> &candidate, int64_t row,
                 const BlockScale &scale, const OuterScale &outer) {
    decoded.resize(cols);
    for (int64_t col = 0; col < cols; ++col)
      decoded[col] = decode(*format.element, candidate[row * cols + col]);
    return fourSixRowError(format, rule, &values[row * cols], decoded.data(),
                           cols, scale.value, outer);
  }

  float blockError(const std::vector<uint8_t> &candidate,
                   const BlockScale &scale, const OuterScale &outer) {
    std::fill(rowErrors.begin(), rowErrors.end(), 0.0f);
    for (int64_t row = 0; row < rows; ++row)
      rowErrors[row] = rowError(candidate, row, scale, outer);
    for (size_t half = rowErrors.size() / 2; half > 0; half /= 2)
      for (size_t row = 0; row < half; ++row)
        rowErrors[row] =
            rule.fourSix == FourSix::AbsMax
                ? maxPropagating(rowErrors[row], rowErrors[row + half])
                : rowErrors[row] + rowErrors[row + half];
    return rowErrors[0];
  }

  void quantizeBlock() {
    gather();
    const OuterScale &outer = outers[outerMap.offset(start)];
    float amax = largestMagnitude(values.data(), rows * cols, rule.nonfinite);
    BlockScale scale = anyBlockScale(format, rule, amax, outer);
    bool four = false;
    if (isNan(scale.value)) {
      std::fill(codes.begin(), codes.end(), uint8_t(0));
    } else {
      encodeBlock(scale, codes);
      if (rule.fourSix != FourSix::None) {
        BlockScale other = blockScale(format, rule, amax, outer, true);
        encodeBlock(other, otherCodes);
        four = blockError(otherCodes, other, outer) <
               blockError(codes, scale, outer);
        if (four) {
          scale = other;
          codes.swap(otherCodes);
        }
      }
    }
    store(scale, four);
  }

  void store(const BlockScale &scale, bool four) const {
    int64_t base = dotProduct(start, codeStrides);
    int64_t rowStride = tile < 0 ? 0 : codeStrides[tile];
    for (int64_t row = 0; row < rows; ++row)
      for (int64_t col = 0; col < cols; ++col)
        result.codes[base + row * rowStride + col * codeStrides[axis]] =
            codes[row * cols + col];
    int64_t where = scaleMap.offset(start);
    bool repeated = tile >= 0 && scaleMap.divisor[tile] == 1;
    for (int64_t row = 0; row < (repeated ? rows : 1); ++row) {
      int64_t offset = where + (repeated ? row * scaleMap.stride[tile] : 0);
      if (format.scale->kind == ScaleKind::Float32)
        result.scalesF32[offset] = scale.value;
      else
        result.scales[offset] = scale.byte;
      if (inputs.pickedFour)
        inputs.pickedFour[offset] = four;
    }
  }

  const BlockFormat &format;
  const QuantRule &rule;
  const Blocking &blocking;
  const ConstFloatView &source;
  const BlockedData &result;
  const QuantizeInputs &inputs;

  const ScaleMap scaleMap;
  const OuterMap outerMap;
  const Dims codeStrides;
  const unsigned axis;
  const int tile;
  const unsigned randomBitCount;
  Dims rowStrides;
  std::vector<OuterScale> outers;

  /// The current block: index of its first element, extents, contents.
  Dims start;
  int64_t rows = 0;
  int64_t cols = 0;
  std::vector<float> values;
  std::vector<uint8_t> codes;
  std::vector<uint8_t> otherCodes;
  std::vector<uint32_t> random;
  std::vector<float> rowErrors;
  std::vector<float> decoded;
};

} // namespace

Status quantize(const BlockFormat &format, const QuantRule &rule,
                const Blocking &blocking, const ConstFloatView &source,
                const BlockedData &result, const QuantizeInputs &inputs) {
  if (Status status = validate(format, rule); !status.ok())
    return status;
  if (Status status = validateBlocking(format, blocking, source.shape.size());
      !status.ok())
    return status;
  if (Status status = checkShape(source.shape); !status.ok())
    return status;
  if (Status status = checkComponents(format, result.scales, result.scalesF32,
                                      result.outer);
      !status.ok())
    return status;
  if (inputs.givenOuter && inputs.givenAmax)
    return Status::error("expects given outer scales or given amaxes, but got "
                         "both");
  if ((inputs.givenOuter || inputs.givenAmax) && !format.outer)
    return Status::error("expects a format with an outer scale where outer "
                         "scales or amaxes are given");
  ScopedFloatEnvironment environment;
  Quantizer(format, rule, blocking, source, result, inputs).run();
  return Status::success();
}

//===----------------------------------------------------------------------===//
// Dequantise
//===----------------------------------------------------------------------===//

/// Calls visit(index, value before the outer scale, outer scale or 1) for each
/// element in row-major order.
template <typename Visitor>
static void visitValues(const BlockFormat &format, const Blocking &blocking,
                        const Dims &shape, const ConstBlockedData &source,
                        Visitor visit) {
  if (numElements(shape) == 0)
    return;
  ScaleMap scaleMap(format, shape, blocking.block);
  OuterMap outerMap(shape, blocking.outerAxes);
  Dims index(shape.size(), 0);
  int64_t element = 0;
  do {
    int64_t where = scaleMap.offset(index);
    float scale = format.scale->kind == ScaleKind::Float32
                      ? source.scalesF32[where]
                      : decodeScaleByte(*format.scale, source.scales[where]);
    float value = decode(*format.element, source.codes[element++]) * scale;
    visit(index, value,
          format.outer ? source.outer[outerMap.offset(index)] : 1.0f);
  } while (advance(index, shape));
}

Status dequantize(const BlockFormat &format, const Blocking &blocking,
                  const ConstBlockedData &source, const FloatView &result) {
  if (Status status = validateBlocking(format, blocking, result.shape.size());
      !status.ok())
    return status;
  if (Status status = checkShape(result.shape); !status.ok())
    return status;
  if (Status status = checkComponents(format, source.scales, source.scalesF32,
                                      source.outer);
      !status.ok())
    return status;
  ScopedFloatEnvironment environment;
  visitValues(format, blocking, result.shape, source,
              [&](const Dims &index, float value, float outer) {
                // Multiplying by 1 changes nothing.
                storeAt(result, dotProduct(index, result.strides),
                        value * outer);
              });
  return Status::success();
}

//===----------------------------------------------------------------------===//
// Requantise
//===----------------------------------------------------------------------===//

static Status checkPermutation(const std::vector<unsigned> &permutation,
                               size_t rank) {
  std::vector<bool> seen(rank, false);
  bool valid = permutation.size() == rank;
  for (unsigned dim : permutation) {
    valid = valid && dim < rank && !seen[dim];
    if (valid)
      seen[dim] = true;
  }
  return valid ? Status::success()
               : Status::error("expects a permutation of " +
                               std::to_string(rank) + " dims");
}

Status requantize(const BlockFormat &sourceFormat,
                  const Blocking &sourceBlocking, const Dims &shape,
                  const ConstBlockedData &source, RequantOuter outer,
                  const std::vector<unsigned> &permutation,
                  const BlockFormat &resultFormat, const QuantRule &rule,
                  const Blocking &resultBlocking, const BlockedData &result,
                  const QuantizeInputs &inputs) {
  if (Status status =
          validateBlocking(sourceFormat, sourceBlocking, shape.size());
      !status.ok())
    return status;
  if (Status status = checkShape(shape); !status.ok())
    return status;
  if (Status status = checkComponents(sourceFormat, source.scales,
                                      source.scalesF32, source.outer);
      !status.ok())
    return status;
  if (Status status = checkPermutation(permutation, shape.size()); !status.ok())
    return status;

  bool keep = outer == RequantOuter::Keep;
  BlockFormat innerFormat = resultFormat;
  Blocking innerBlocking = resultBlocking;
  if (keep) {
    Blocking moved = permutedBlocking(sourceBlocking, permutation);
    if (!sourceFormat.outer || !resultFormat.outer)
      return Status::error("expects outer scales in the source and in the "
                           "result for outer = keep");
    if (resultBlocking.outerAxes != moved.outerAxes)
      return Status::error("expects the outer axes of the source, permuted, "
                           "in the result for outer = keep");
    if (inputs.givenOuter || inputs.givenAmax)
      return Status::error("expects no given outer scales or amaxes for outer "
                           "= keep");
    if (Status status =
            validateBlocking(resultFormat, resultBlocking, shape.size());
        !status.ok())
      return status;
    // What is quantised are the values below the outer scale.
    innerFormat.outer = false;
    innerBlocking.outerAxes.clear();
  }

  std::vector<float> values(static_cast<size_t>(numElements(shape)));
  {
    ScopedFloatEnvironment environment;
    size_t next = 0;
    visitValues(sourceFormat, sourceBlocking, shape, source,
                [&](const Dims &, float value, float scale) {
                  values[next++] = keep ? value : value * scale;
                });
  }
  ConstFloatView view =
      permuted(denseView(static_cast<const void *>(values.data()),
                         FloatType::F32, shape),
               permutation);
  if (Status status =
          quantize(innerFormat, rule, innerBlocking, view, result, inputs);
      !status.ok())
    return status;
  if (keep)
    std::copy_n(source.outer,
                numElements(outerShape(shape, sourceBlocking.outerAxes)),
                result.outer);
  return Status::success();
}

} // namespace lowp::numerics
