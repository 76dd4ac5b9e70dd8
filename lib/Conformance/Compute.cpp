//===- Compute.cpp - Expected outputs by the scalar library ---------------===//
//
// Part of the Lowp project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Contractions.h"

#include "lowp/Numerics/Combine.h"

#include "llvm/ADT/STLExtras.h"

using namespace mlir::lowp;
using namespace mlir::lowp::conformance;
using llvm::ArrayRef;
using llvm::Error;

Components::Components(const Blocked &blocked, const num::Dims &shape)
    : codes(num::numElements(shape)),
      outer(blocked.outer ? num::numElements(blocked.outerShape(shape)) : 0) {
  int64_t count = num::numElements(blocked.scaleShape(shape));
  float32 = blocked.scale->kind == num::ScaleKind::Float32;
  if (float32)
    scalesF32.resize(count);
  else
    scales.resize(count);
}

num::BlockedData Components::data() {
  // Empty vectors may have no data, which would say that there is none.
  static uint8_t byte;
  static float number;
  auto bytes = [](std::vector<uint8_t> &values) {
    return values.empty() ? &byte : values.data();
  };
  auto numbers = [](std::vector<float> &values) {
    return values.empty() ? &number : values.data();
  };
  return {bytes(codes), float32 ? nullptr : bytes(scales),
          float32 ? numbers(scalesF32) : nullptr, numbers(outer)};
}

Components conformance::loadComponents(const Blocked &blocked,
                                       const num::Dims &shape,
                                       ArrayRef<Array> arrays) {
  Components parts(blocked, shape);
  num::unpack(*blocked.element, shape, dataOf<uint8_t>(arrays[0]),
              parts.codes.data());
  num::Dims scales = blocked.scaleShape(shape);
  if (blocked.layout == Layout::Tcgen05_128x4)
    num::fromTcgen05(scales, dataOf<uint8_t>(arrays[1]), parts.scales.data());
  else if (!parts.scales.empty())
    std::copy_n(dataOf<uint8_t>(arrays[1]), parts.scales.size(),
                parts.scales.data());
  else
    std::copy_n(dataOf<float>(arrays[1]), parts.scalesF32.size(),
                parts.scalesF32.data());
  if (blocked.outer)
    std::copy_n(dataOf<float>(arrays[2]), parts.outer.size(),
                parts.outer.data());
  return parts;
}

num::Grouping conformance::groupingOf(unsigned axis, const Array &offsets) {
  const int64_t *data = dataOf<int64_t>(offsets);
  return {axis, num::Dims(data, data + offsets.getNumElements())};
}

namespace {

void storeComponents(const Blocked &blocked, const num::Dims &shape,
                     const Components &parts, std::vector<Array> &arrays) {
  num::pack(*blocked.element, shape, parts.codes.data(),
            dataOf<uint8_t>(arrays[0]));
  num::Dims scales = blocked.scaleShape(shape);
  if (blocked.layout == Layout::Tcgen05_128x4)
    num::toTcgen05(scales, parts.scales.data(), dataOf<uint8_t>(arrays[1]));
  else if (!parts.scales.empty())
    std::copy_n(parts.scales.data(), parts.scales.size(),
                dataOf<uint8_t>(arrays[1]));
  else
    std::copy_n(parts.scalesF32.data(), parts.scalesF32.size(),
                dataOf<float>(arrays[1]));
  if (blocked.outer)
    std::copy_n(parts.outer.data(), parts.outer.size(),
                dataOf<float>(arrays[2]));
}

num::FloatView viewOf(Array &array, const Spec &spec) {
  return num::denseView(static_cast<void *>(array.data.data()), spec.dtype,
                        spec.shape);
}
num::ConstFloatView viewOf(const Array &array, const Spec &spec) {
  return num::denseView(static_cast<const void *>(array.data.data()),
                        spec.dtype, spec.shape);
}

/// Outer scales over ascending axes, from those over the axes in the order in
/// which a permutation left them.
std::vector<float> sortOuter(const std::vector<float> &outer,
                             const num::Dims &shape,
                             const std::vector<unsigned> &axes) {
  std::vector<unsigned> order(axes.size());
  for (unsigned i = 0; i < order.size(); ++i)
    order[i] = i;
  llvm::sort(order, [&](unsigned a, unsigned b) { return axes[a] < axes[b]; });
  std::vector<float> sorted(outer.size());
  num::transposeElements(num::outerShape(shape, axes), sizeof(float), order,
                         outer.data(), sorted.data());
  return sorted;
}

num::Status quantize(const Spec &spec, ArrayRef<Array> inputs,
                     std::vector<Array> &outputs) {
  Components parts(spec.result, spec.shape);
  num::QuantizeInputs given;
  given.key = spec.key;
  switch (spec.given) {
  case Given::Nothing:
    break;
  case Given::Amax:
    given.givenAmax = dataOf<float>(inputs[1]);
    break;
  case Given::Outer:
    given.givenOuter = dataOf<float>(inputs[1]);
    break;
  case Given::RandomBits:
    given.randomBits = dataOf<uint32_t>(inputs[1]);
    break;
  }
  const Blocked &result = spec.result;
  num::Status status = num::Status::success();
  if (result.isGrouped()) {
    status = num::quantize(result.format(), spec.rule, result.blocking,
                           groupingOf(result.groupAxis, inputs.back()),
                           viewOf(inputs[0], spec), parts.data(), given);
    outputs.back().data = inputs.back().data;
  } else {
    status = num::quantize(result.format(), spec.rule, result.blocking,
                           viewOf(inputs[0], spec), parts.data(), given);
  }
  storeComponents(spec.result, spec.shape, parts, outputs);
  return status;
}

num::Status requantize(const Spec &spec, ArrayRef<Array> inputs,
                       std::vector<Array> &outputs) {
  Components source = loadComponents(spec.source, spec.shape, inputs);
  num::Dims shape = spec.resultShape();
  Components result(spec.result, shape);
  // The library keeps the order of the outer axes, the type sorts them.
  bool keep = spec.requantOuter == num::RequantOuter::Keep;
  num::Blocking blocking = spec.result.blocking;
  if (keep)
    blocking.outerAxes =
        num::permutedBlocking(spec.source.blocking, spec.permutation).outerAxes;
  num::QuantizeInputs given;
  given.key = spec.key;
  num::Status status = num::requantize(
      spec.source.format(), spec.source.blocking, spec.shape, source.data(),
      spec.requantOuter, spec.permutation, spec.result.format(), spec.rule,
      blocking, result.data(), given);
  if (keep)
    result.outer = sortOuter(result.outer, shape, blocking.outerAxes);
  storeComponents(spec.result, shape, result, outputs);
  return status;
}

void transpose(const Spec &spec, ArrayRef<Array> inputs,
               std::vector<Array> &outputs) {
  Components source = loadComponents(spec.source, spec.shape, inputs);
  num::Dims shape = spec.resultShape();
  Blocked blocked = spec.source;
  blocked.blocking =
      num::permutedBlocking(spec.source.blocking, spec.permutation);
  Components result(blocked, shape);
  num::transposeElements(spec.shape, 1, spec.permutation, source.codes.data(),
                         result.codes.data());
  bool float32 = blocked.scale->kind == num::ScaleKind::Float32;
  num::transposeScales(blocked.format(), spec.shape, spec.source.blocking.block,
                       spec.permutation,
                       float32
                           ? static_cast<const void *>(source.scalesF32.data())
                           : source.scales.data(),
                       float32 ? static_cast<void *>(result.scalesF32.data())
                               : result.scales.data());
  if (blocked.outer)
    result.outer = sortOuter(source.outer, shape, blocked.blocking.outerAxes);
  storeComponents(blocked, shape, result, outputs);
}

num::Status dequantize(const Spec &spec, ArrayRef<Array> inputs,
                       const num::FloatView &result) {
  const Blocked &source = spec.source;
  Components parts = loadComponents(source, spec.shape, inputs);
  if (!source.isGrouped())
    return num::dequantize(source.format(), source.blocking, parts.data(),
                           result);
  size_t offsets = source.outer ? 3 : 2;
  return num::dequantize(source.format(), source.blocking,
                         groupingOf(source.groupAxis, inputs[offsets]),
                         parts.data(), result);
}

num::Status combine(const Spec &spec, ArrayRef<Array> inputs, Array &output) {
  std::vector<float> values(num::numElements(spec.shape));
  num::FloatView decoded =
      num::denseView(values.data(), num::FloatType::F32, spec.shape);
  if (num::Status status = dequantize(spec, inputs, decoded); !status.ok())
    return status;
  num::CombineTransform transform{spec.signs, spec.norm};
  const Array &gates = inputs.back();
  return num::combine(
      num::denseView(static_cast<const void *>(values.data()),
                     num::FloatType::F32, spec.shape),
      num::denseView(static_cast<const void *>(gates.data.data()), spec.gates,
                     {spec.shape[0], spec.shape[1]}),
      spec.signs.empty() ? nullptr : &transform,
      num::denseView(static_cast<void *>(output.data.data()), spec.dtype,
                     spec.resultShape()));
}

void encode(const Spec &spec, ArrayRef<Array> inputs, Array &codes) {
  for (int64_t i = 0; i < num::numElements(spec.shape); ++i) {
    float value = dataOf<float>(inputs[0])[i];
    dataOf<uint8_t>(codes)[i] = static_cast<uint8_t>(
        spec.rule.round == num::RoundingMode::Nearest
            ? num::encodeNearest(*spec.element, value, spec.overflow)
            : num::encodeStochastic(
                  *spec.element, value, dataOf<uint32_t>(inputs[1])[i],
                  static_cast<unsigned>(spec.randomBits), spec.overflow));
  }
}

void blockScale(const Spec &spec, const Array &amaxes, Array &scales) {
  num::ScopedFloatEnvironment environment;
  const num::ScaleFormat &format = *spec.result.scale;
  for (int64_t i = 0; i < num::numElements(spec.shape); ++i) {
    float amax = num::magnitude(dataOf<float>(amaxes)[i]);
    num::BlockScale scale;
    if (num::isFinite(amax))
      scale = num::blockScale(spec.result.format(), spec.rule, amax,
                              num::OuterScale());
    bool lost = !num::isFinite(amax) || num::isNan(scale.value);
    if (format.kind == num::ScaleKind::Float32)
      dataOf<float>(scales)[i] =
          lost ? num::fromBits(0x7FC00000u) : scale.value;
    else
      dataOf<uint8_t>(scales)[i] =
          lost ? num::nanScaleByte(format) : scale.byte;
  }
}

void outerScale(const Spec &spec, const Array &amaxes,
                std::vector<Array> &outputs) {
  num::ScopedFloatEnvironment environment;
  for (int64_t i = 0; i < num::numElements(spec.shape); ++i) {
    num::OuterScale scale = num::outerFromAmax(spec.result.format(), spec.rule,
                                               dataOf<float>(amaxes)[i]);
    dataOf<float>(outputs[0])[i] = scale.encode;
    dataOf<float>(outputs[1])[i] = scale.decode;
  }
}

void philox(const Spec &spec, ArrayRef<Array> inputs, Array &words) {
  const auto *counters = dataOf<uint32_t>(inputs[0]);
  const auto *keys = dataOf<uint32_t>(inputs[1]);
  for (int64_t i = 0; i < num::numElements(spec.shape); ++i) {
    num::PhiloxCounter counter;
    std::copy_n(counters + 4 * i, 4, counter.begin());
    num::PhiloxCounter result = num::philox4x32(
        counter, {keys[2 * i], keys[2 * i + 1]}, spec.key.rounds);
    std::copy(result.begin(), result.end(), dataOf<uint32_t>(words) + 4 * i);
  }
}

void randomBits(const Spec &spec, Array &bits) {
  int64_t columns = spec.shape.back();
  int64_t size = num::randomGroupSize(spec.key.sharing);
  for (int64_t i = 0; i < num::numElements(spec.shape); ++i) {
    int64_t k = i % columns;
    dataOf<uint32_t>(bits)[i] = num::randomBits(
        spec.key, num::randomGroup(spec.key, i / columns, k, columns),
        static_cast<unsigned>(k % size),
        static_cast<unsigned>(spec.randomBits));
  }
}

} // namespace

llvm::Expected<std::vector<Array>>
conformance::compute(const Spec &spec, ArrayRef<Array> inputs) {
  llvm::Expected<Interface> io = getInterface(spec);
  if (!io)
    return io.takeError();
  std::vector<Array> outputs;
  for (const ArraySpec &array : io->outputs)
    outputs.push_back(makeArray(array));

  num::Status status = num::Status::success();
  int64_t count = num::numElements(spec.shape);
  switch (spec.op) {
  case OpKind::Quantize:
    status = quantize(spec, inputs, outputs);
    break;
  case OpKind::Dequantize:
    status = dequantize(spec, inputs, viewOf(outputs[0], spec));
    break;
  case OpKind::Requantize:
    status = requantize(spec, inputs, outputs);
    break;
  case OpKind::Transpose:
    transpose(spec, inputs, outputs);
    break;
  case OpKind::ConvertLayout: {
    Components parts = loadComponents(spec.source, spec.shape, inputs);
    Blocked result = spec.source;
    result.layout = spec.result.layout;
    storeComponents(result, spec.shape, parts, outputs);
    break;
  }
  case OpKind::Rht:
    status =
        num::hadamard(viewOf(inputs[0], spec), static_cast<unsigned>(spec.axis),
                      static_cast<int64_t>(spec.signs.size()), spec.signs,
                      spec.norm, spec.inverse, viewOf(outputs[0], spec));
    break;
  case OpKind::Amax:
    num::groupAmaxes(viewOf(inputs[0], spec), spec.result.blocking.outerAxes,
                     spec.rule.nonfinite, dataOf<float>(outputs[0]));
    break;
  case OpKind::Combine:
    status = combine(spec, inputs, outputs[0]);
    break;
  case OpKind::Matmul:
  case OpKind::BatchMatmul:
  case OpKind::GroupedMatmul:
  case OpKind::KGroupedMatmul:
    status = contract(spec, inputs, outputs[0]);
    break;
  case OpKind::Encode:
    encode(spec, inputs, outputs[0]);
    break;
  case OpKind::Decode:
    for (int64_t i = 0; i < count; ++i)
      dataOf<float>(outputs[0])[i] =
          num::decode(*spec.element, dataOf<uint8_t>(inputs[0])[i]);
    break;
  case OpKind::DecodeScale:
    for (int64_t i = 0; i < count; ++i)
      dataOf<float>(outputs[0])[i] =
          num::decodeScaleByte(*spec.scale, dataOf<uint8_t>(inputs[0])[i]);
    break;
  case OpKind::EncodeScale:
    for (int64_t i = 0; i < count; ++i)
      dataOf<uint8_t>(outputs[0])[i] = num::encodeUE8M0(
          dataOf<float>(inputs[0])[i], spec.scaleRound, spec.overflow);
    break;
  case OpKind::BlockScale:
    blockScale(spec, inputs[0], outputs[0]);
    break;
  case OpKind::OuterScale:
    outerScale(spec, inputs[0], outputs);
    break;
  case OpKind::Philox:
    philox(spec, inputs, outputs[0]);
    break;
  case OpKind::RandomBits:
    randomBits(spec, outputs[0]);
    break;
  }
  if (!status.ok())
    return llvm::createStringError(status.message());
  return outputs;
}
