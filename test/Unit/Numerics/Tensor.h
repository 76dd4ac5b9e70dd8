//===- Tensor.h - Blocked values that own their memory ----------*- C++ -*-===//
//
// Part of the Lowp project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef LOWP_TEST_UNIT_NUMERICS_TENSOR_H
#define LOWP_TEST_UNIT_NUMERICS_TENSOR_H

#include "lowp/Numerics/Quantize.h"
#include "gtest/gtest.h"

namespace lowp::numerics::testing {

/// Buffers of a blocked value of any format. Filled with a pattern, so that
/// what a function leaves unwritten shows.
struct Blocked {
  BlockFormat format;
  Blocking blocking;
  Dims shape;
  std::vector<uint8_t> codes;
  std::vector<uint8_t> scales;
  std::vector<float> scalesF32;
  std::vector<float> outer;
  std::vector<uint8_t> pickedFour;

  Blocked(const BlockFormat &format, Blocking blocking, Dims shape)
      : format(format), blocking(std::move(blocking)), shape(std::move(shape)) {
    size_t scaleCount =
        numElements(scaleShape(format, this->shape, this->blocking.block));
    codes.assign(numElements(this->shape), 0xA5);
    if (format.scale->kind == ScaleKind::Float32)
      scalesF32.assign(scaleCount, -1.0f);
    else
      scales.assign(scaleCount, 0xA5);
    if (format.outer)
      outer.assign(
          numElements(outerShape(this->shape, this->blocking.outerAxes)),
          -1.0f);
    pickedFour.assign(scaleCount, 0xA5);
  }

  BlockedData data() {
    // A buffer exists even where it is empty.
    static uint8_t noBytes;
    static float noFloats;
    BlockedData result;
    result.codes = codes.empty() ? &noBytes : codes.data();
    if (format.scale->kind == ScaleKind::Float32)
      result.scalesF32 = scalesF32.empty() ? &noFloats : scalesF32.data();
    else
      result.scales = scales.empty() ? &noBytes : scales.data();
    if (format.outer)
      result.outer = outer.empty() ? &noFloats : outer.data();
    return result;
  }

  Status quantize(const QuantRule &rule, const ConstFloatView &source,
                  QuantizeInputs inputs = {}) {
    inputs.pickedFour = pickedFour.data();
    return numerics::quantize(format, rule, blocking, source, data(), inputs);
  }

  std::vector<float> dequantize() {
    std::vector<float> values(numElements(shape));
    Status status = numerics::dequantize(
        format, blocking, data(),
        denseView(static_cast<void *>(values.data()), FloatType::F32, shape));
    EXPECT_TRUE(status.ok()) << status.message();
    return values;
  }

  std::vector<uint8_t> packed() {
    std::vector<uint8_t> bytes(
        numElements(packedShape(*format.element, shape)));
    pack(*format.element, shape, codes.data(), bytes.data());
    return bytes;
  }
};

inline ConstFloatView view(const std::vector<float> &values, Dims shape) {
  return denseView(static_cast<const void *>(values.data()), FloatType::F32,
                   std::move(shape));
}

/// A row of values quantised with blocks along it; fails the test on an error.
inline Blocked quantizeRow(const BlockFormat &format, const QuantRule &rule,
                           const std::vector<float> &values,
                           QuantizeInputs inputs = {}) {
  Dims shape{1, static_cast<int64_t>(values.size())};
  Blocked result(format, {{1, format.blockSize}, {}}, shape);
  Status status = result.quantize(rule, view(values, shape), inputs);
  EXPECT_TRUE(status.ok()) << status.message();
  return result;
}

/// The table row of that name with or without an outer scale.
inline BlockFormat formatOf(const char *name, bool outer) {
  BlockFormat format = *findBlockFormat(name);
  format.outer = outer;
  return format;
}

inline const BlockFormat &nvfp4() { return *findBlockFormat("nvfp4"); }
inline const BlockFormat &nvfp4Single() {
  static const BlockFormat format = formatOf("nvfp4", false);
  return format;
}
inline const BlockFormat &mxfp8() { return *findBlockFormat("mxfp8_e4m3"); }
inline const BlockFormat &mxfp4() { return *findBlockFormat("mxfp4"); }
inline const BlockFormat &mxs2f6() { return *findBlockFormat("mxs2f6"); }
inline const BlockFormat &fp8Block() { return *findBlockFormat("fp8_block"); }

inline std::vector<uint32_t> bitsOf(const std::vector<float> &values) {
  std::vector<uint32_t> bits;
  for (float value : values)
    bits.push_back(isNan(value) ? 0x7FC00000u : toBits(value));
  return bits;
}

/// `values` followed by zeros up to `count`.
inline std::vector<float> padded(std::vector<float> values, size_t count,
                                 float fill = 0.0f) {
  values.resize(count, fill);
  return values;
}

/// Deterministic numbers: a linear congruential generator and Box-Muller-free
/// sums, so that tests do not depend on the standard library's distributions.
class Random {
public:
  explicit Random(uint64_t seed)
      : state(seed * 0x9E3779B97F4A7C15u + 0x1234567u) {}
  uint32_t bits() {
    state = state * 6364136223846793005u + 1442695040888963407u;
    uint32_t word = static_cast<uint32_t>(state >> 32);
    word ^= word >> 15;
    word *= 0x2C1B3C6Du;
    return word ^ (word >> 13);
  }
  /// In [0, 1).
  double uniform() { return bits() * 0x1p-32; }
  /// Standard normal.
  double normal();
  double laplace();

private:
  uint64_t state;
};

/// Rounded to BF16, as FP32.
inline float toBf16(double value) {
  return loadFloat(FloatType::BF16,
                   storeFloat(FloatType::BF16, static_cast<float>(value)));
}

std::vector<float> normalTensor(uint64_t seed, int64_t count);

} // namespace lowp::numerics::testing

#endif // LOWP_TEST_UNIT_NUMERICS_TENSOR_H
