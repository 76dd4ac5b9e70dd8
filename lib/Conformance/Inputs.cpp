//===- Inputs.cpp - Random inputs of cases --------------------------------===//
//
// Part of the Lowp project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Contractions.h"

#include "lowp/Conformance/Suite.h"

using namespace mlir::lowp;
using namespace mlir::lowp::conformance;

//===----------------------------------------------------------------------===//
// Random
//===----------------------------------------------------------------------===//

uint64_t Random::next() {
  uint64_t z = state += 0x9E3779B97F4A7C15u;
  z = (z ^ (z >> 30)) * 0xBF58476D1CE4E5B9u;
  z = (z ^ (z >> 27)) * 0x94D049BB133111EBu;
  return z ^ (z >> 31);
}

float Random::normal() {
  // A sum of uniform numbers: unlike a logarithm the same everywhere.
  int64_t sum = 0;
  for (int i = 0; i < 12; ++i)
    sum += static_cast<int64_t>(next() >> 40);
  return static_cast<float>(static_cast<double>(sum - 6 * (int64_t(1) << 24)) /
                            (1 << 24));
}

//===----------------------------------------------------------------------===//
// Values
//===----------------------------------------------------------------------===//

/// 2^exponent, exponent between -126 and 127.
static float powerOfTwo(int64_t exponent) {
  return num::fromBits(static_cast<uint32_t>(exponent + 127) << 23);
}

/// What breaks arithmetic that expects ordinary numbers.
static float special(Random &random) {
  static constexpr uint32_t kBits[] = {
      0x00000000u, 0x80000000u, 0x00000001u, 0x80000001u, 0x00400000u,
      0x007FFFFFu, 0x00800000u, 0x7F7FFFFFu, 0xFF7FFFFFu, 0x7F800000u,
      0xFF800000u, 0x7FC00000u, 0xFFC00001u, 0x7F800001u};
  return num::fromBits(kBits[random.below(std::size(kBits))]);
}

static float finite(float value) { return num::isFinite(value) ? value : 1.0f; }

namespace {
/// Values of one tensor, all of one kind.
class Values {
public:
  Values(const num::ElementFormat &element, Random &random)
      : element(element), random(random), kind(random.below(10)),
        size(random.below(40) - 20) {}

  float next() {
    // Neighbouring values are often of one size, as those of blocks are.
    if (random.chance(2))
      size = kind == 1 ? random.below(250) - 126 : random.below(16) - 8;
    switch (kind) {
    case 0:
    case 1:
      return random.normal() * powerOfTwo(size);
    case 2:
      return num::fromBits(random.bits());
    case 3:
      return finite(num::fromBits(random.bits()));
    case 4:
      return tie();
    case 5:
      return random.chance(80) ? (random.chance(50) ? 0.0f : -0.0f)
                               : random.normal();
    case 6:
      return num::fromBits(random.bits() & 0x80FFFFFFu);
    case 7:
      return random.chance(3) ? special(random) : random.normal();
    case 8:
      return finite(num::fromBits((random.bits() & 0x80FFFFFFu) | 0x7E800000u));
    default:
      return random.normal() * (random.chance(1) ? 3000.0f : 1.0f);
    }
  }

private:
  /// A value of the element, or the middle of two, times a power of two, or a
  /// neighbour of that.
  float tie() {
    uint32_t code =
        static_cast<uint32_t>(random.below(element.maxCode() + int64_t(1)));
    float value = num::decode(element, code);
    if (code < element.maxCode() && random.chance(50))
      value = (value + num::decode(element, code + 1)) / 2;
    uint32_t bits = num::toBits(value * powerOfTwo(size));
    if (bits > 1 && random.chance(40))
      bits += random.chance(50) ? 1u : -1u;
    return num::fromBits(bits | (random.bits() & 0x80000000u));
  }

  const num::ElementFormat &element;
  Random &random;
  int64_t kind;
  int64_t size;
};
} // namespace

static void storeBits(Array &array, int64_t i, uint32_t bits) {
  std::memcpy(array.data.data() + i * array.itemSize, &bits, array.itemSize);
}

/// Magnitudes or scales of outer groups, now and then of no use.
static void fillOuter(Array &array, Random &random) {
  for (int64_t i = 0, count = array.getNumElements(); i < count; ++i) {
    float value = num::magnitude(random.normal()) *
                  powerOfTwo(random.chance(80) ? random.below(20) - 10
                                               : random.below(250) - 126);
    if (random.chance(4))
      value = special(random);
    storeBits(array, i, num::toBits(value));
  }
}

//===----------------------------------------------------------------------===//
// Components
//===----------------------------------------------------------------------===//

/// Any codes, and anything in the bits that no code has.
static void fillCodes(Array &array, const Blocked &blocked, bool poison,
                      const num::Dims &shape, Random &random) {
  int64_t count = array.getNumElements();
  uint32_t mask = (1u << blocked.element->codeBits) - 1;
  if (blocked.element->storageBits() == 4)
    mask = 0xFF;
  for (int64_t i = 0; i < count; ++i)
    storeBits(array, i, random.bits() & mask);
  if (blocked.element->storageBits() != 4 || poison || shape.back() % 2 == 0)
    return;
  int64_t rowBytes = array.shape.back();
  for (int64_t last = rowBytes - 1; last < count; last += rowBytes)
    array.data[last] &= 0x0F;
}

/// Most values have no codes of NaN and infinity: a sum of many elements would
/// hold one of them nearly always.
static void dropSpecialCodes(Array &array, const num::ElementFormat &element) {
  if (element.specials == num::Specials::None)
    return;
  // Another exponent.
  for (char &code : array.data)
    if (!num::isFinite(num::decode(element, static_cast<uint8_t>(code))))
      code ^= 0x40;
}

static uint8_t scaleByte(const num::ScaleFormat &scale, int64_t center,
                         Random &random) {
  if (random.chance(2))
    return static_cast<uint8_t>(random.bits());
  if (scale.kind == num::ScaleKind::PowerOfTwo)
    return static_cast<uint8_t>(
        std::clamp<int64_t>(center + random.below(9), 0, 254));
  return static_cast<uint8_t>(random.below(0x7F));
}

/// Scales of a value; all rows of a tile have the same.
static void fillScales(Array &array, const Blocked &blocked,
                       const num::Dims &shape, Random &random) {
  if (blocked.scale->kind == num::ScaleKind::Float32)
    return fillOuter(array, random);
  num::Dims scales = blocked.scaleShape(shape);
  int64_t count = num::numElements(scales);
  int64_t center = random.chance(80) ? 118 : random.below(256);
  std::vector<uint8_t> bytes(count);
  for (uint8_t &byte : bytes)
    byte = scaleByte(*blocked.scale, center, random);
  int tile = num::tileAxis(blocked.blocking.block);
  if (tile >= 0 && count != 0) {
    int64_t columns = scales.back(), rows = scales[tile];
    for (int64_t i = 0; i < count; ++i) {
      int64_t row = i / columns % rows;
      bytes[i] = bytes[i - row % blocked.blocking.block[tile] * columns];
    }
  }
  if (blocked.layout == Layout::Linear) {
    std::copy(bytes.begin(), bytes.end(), array.data.begin());
    return;
  }
  // What lies in the padding must not matter.
  std::vector<uint8_t> image(array.data.size()), used(array.data.size());
  num::toTcgen05(scales, bytes.data(), image.data());
  std::vector<uint8_t> ones(count, 1);
  num::toTcgen05(scales, ones.data(), used.data());
  for (size_t i = 0; i < image.size(); ++i)
    array.data[i] = static_cast<char>(used[i] ? image[i] : random.bits());
}

/// Where groups begin: some are empty.
static void fillOffsets(Array &array, int64_t size, Random &random) {
  auto *offsets = reinterpret_cast<int64_t *>(array.data.data());
  int64_t groups = array.getNumElements() - 1;
  offsets[0] = 0;
  for (int64_t group = 1; group <= groups; ++group)
    offsets[group] = group == groups     ? size
                     : random.chance(15) ? offsets[group - 1]
                                         : random.below(size + 1);
  std::sort(offsets, offsets + groups + 1);
}

/// Numbers of an array of floats, all of one kind.
static void fillValues(Array &array, DType dtype,
                       const num::ElementFormat &element, Random &random) {
  Values values(element, random);
  num::FloatType type = dtype == DType::F32   ? num::FloatType::F32
                        : dtype == DType::F16 ? num::FloatType::F16
                                              : num::FloatType::BF16;
  for (int64_t i = 0, count = array.getNumElements(); i < count; ++i)
    storeBits(array, i, num::storeFloat(type, values.next()));
}

/// Most experts are not selected, and some gates break arithmetic.
static void fillGates(Array &array, const Spec &spec, Random &random) {
  bool hasSpecial = random.chance(25);
  for (int64_t i = 0, count = array.getNumElements(); i < count; ++i) {
    float value = random.normal() * powerOfTwo(-random.below(6));
    if (random.chance(50))
      value = random.chance(50) ? 0.0f : -0.0f;
    else if (hasSpecial && random.chance(20))
      value = special(random);
    storeBits(array, i, num::storeFloat(spec.gates, value));
  }
}

static std::vector<Array>
contractionInputs(const Spec &spec, const Interface &io, Random &random) {
  std::array<Side, 2> sides = sidesOf(spec, spec.shape);
  Array offsets;
  if (isByGroups(spec.op)) {
    offsets = makeArray({"offsets", DType::I64, {spec.shape[0] + 1}});
    fillOffsets(offsets, spec.shape[spec.op == OpKind::KGroupedMatmul ? 3 : 1],
                random);
  }
  bool special[] = {random.chance(10), random.chance(10)};
  std::vector<Array> arrays;
  for (const ArraySpec &input : io.inputs) {
    Array array = makeArray(input);
    auto [prefix, component] = llvm::StringRef(input.name).split('_');
    bool isRhs = prefix == sides[1].name;
    const Side &side = sides[isRhs];
    if (component == "codes") {
      fillCodes(array, side.blocked, /*poison=*/true, side.shape, random);
      if (!special[isRhs])
        dropSpecialCodes(array, *side.blocked.element);
    } else if (component == "scales") {
      fillScales(array, side.blocked, side.shape, random);
    } else if (component == "outer") {
      fillOuter(array, random);
    } else if (component == "offsets" && side.blocked.groupAxis != side.kDim) {
      fillOffsets(array, side.shape[side.blocked.groupAxis], random);
    } else if (input.dtype == DType::I64) {
      array = offsets;
    } else {
      fillValues(array, input.dtype, *side.blocked.element, random);
    }
    arrays.push_back(std::move(array));
  }
  return arrays;
}

std::vector<Array> conformance::randomInputs(const Spec &spec,
                                             const Interface &io,
                                             Random &random) {
  if (isContraction(spec.op))
    return contractionInputs(spec, io, random);
  std::vector<Array> arrays;
  bool blockedSource =
      spec.op == OpKind::Dequantize || spec.op == OpKind::Requantize ||
      spec.op == OpKind::Transpose || spec.op == OpKind::ConvertLayout ||
      spec.op == OpKind::Combine;
  bool isSum = spec.op == OpKind::Combine;
  for (const ArraySpec &input : io.inputs) {
    Array array = makeArray(input);
    if (blockedSource && input.name == "codes") {
      // Where codes are moved as they are, so is their padding.
      bool poison = isSum || spec.op == OpKind::Dequantize ||
                    spec.op == OpKind::Requantize;
      fillCodes(array, spec.source, poison, spec.shape, random);
      if (isSum && random.chance(90))
        dropSpecialCodes(array, *spec.source.element);
    } else if (blockedSource && input.name == "scales") {
      fillScales(array, spec.source, spec.shape, random);
    } else if (input.name == "gates") {
      fillGates(array, spec, random);
    } else if (input.name == "offsets") {
      const Blocked &blocked = blockedSource ? spec.source : spec.result;
      fillOffsets(array, spec.shape[blocked.groupAxis], random);
    } else if (input.name == "outer" || input.name == "amax") {
      fillOuter(array, random);
    } else if (input.dtype == DType::U8 || input.dtype == DType::U32) {
      for (int64_t i = 0; i < input.numElements(); ++i)
        storeBits(array, i, random.bits());
    } else {
      fillValues(array, input.dtype, *spec.result.element, random);
    }
    arrays.push_back(std::move(array));
  }
  return arrays;
}
