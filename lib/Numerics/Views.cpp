//===- Views.cpp - Strided views of tensors -------------------------------===//
//
// Part of the Lowp project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "lowp/Numerics/Views.h"

namespace lowp::numerics {

namespace {

float halfToFloat(uint32_t bits) {
  uint32_t sign = (bits & 0x8000u) << 16;
  uint32_t exponent = (bits >> 10) & 0x1Fu;
  uint32_t mantissa = bits & 0x3FFu;
  if (exponent == 0x1F)
    return fromBits(sign | 0x7F800000u | (mantissa << 13));
  if (exponent != 0)
    return fromBits(sign | ((exponent + 112) << 23) | (mantissa << 13));
  if (mantissa == 0)
    return fromBits(sign);
  // mantissa * 2^-24, normal in FP32.
  unsigned top = 31 - static_cast<unsigned>(__builtin_clz(mantissa));
  return fromBits(sign | ((top + 103) << 23) |
                  ((mantissa << (23 - top)) & 0x007FFFFFu));
}

uint32_t floatToHalf(float value) {
  uint32_t bits = toBits(value);
  uint32_t sign = (bits >> 16) & 0x8000u;
  uint32_t magnitudeBits = bits & 0x7FFFFFFFu;
  if (magnitudeBits > 0x7F800000u)
    return sign | 0x7E00u;
  // Beyond 65520, the midpoint above the largest number, infinity follows.
  if (magnitudeBits >= 0x477FF000u)
    return sign | 0x7C00u;
  int exponent = static_cast<int>(magnitudeBits >> 23) - 112;
  uint32_t significand = magnitudeBits & 0x007FFFFFu;
  uint32_t base = 0;
  unsigned shift = 13;
  if (magnitudeBits >= 0x00800000u)
    significand |= 0x00800000u;
  if (exponent >= 1) {
    base = static_cast<uint32_t>(exponent - 1) << 10;
  } else {
    int extra = 1 - exponent;
    shift += static_cast<unsigned>(extra > 18 ? 18 : extra);
  }
  uint32_t code = base + (significand >> shift);
  uint32_t discarded = significand & ((1u << shift) - 1);
  uint32_t half = 1u << (shift - 1);
  if (discarded > half || (discarded == half && (code & 1)))
    ++code;
  return sign | code;
}

} // namespace

float loadFloat(FloatType type, uint32_t bits) {
  switch (type) {
  case FloatType::F32:
    return fromBits(bits);
  case FloatType::BF16:
    return fromBits(bits << 16);
  case FloatType::F16:
    return halfToFloat(bits);
  }
  return 0.0f;
}

uint32_t storeFloat(FloatType type, float value) {
  uint32_t bits = toBits(value);
  switch (type) {
  case FloatType::F32:
    return bits;
  case FloatType::BF16:
    if (isNan(value))
      return (bits >> 16) | 0x40u;
    return (bits + 0x7FFFu + ((bits >> 16) & 1)) >> 16;
  case FloatType::F16:
    return floatToHalf(value);
  }
  return 0;
}

Dims rowMajorStrides(const Dims &shape) {
  Dims strides(shape.size(), 1);
  for (size_t i = shape.size(); i-- > 1;)
    strides[i - 1] = strides[i] * shape[i];
  return strides;
}

int64_t numElements(const Dims &shape) {
  int64_t count = 1;
  for (int64_t size : shape)
    count *= size;
  return count;
}

ConstFloatView denseView(const void *data, FloatType type, Dims shape) {
  Dims strides = rowMajorStrides(shape);
  return {data, type, std::move(shape), std::move(strides)};
}

FloatView denseView(void *data, FloatType type, Dims shape) {
  Dims strides = rowMajorStrides(shape);
  return {data, type, std::move(shape), std::move(strides)};
}

float loadAt(const ConstFloatView &view, int64_t offset) {
  if (view.type == FloatType::F32) {
    float value;
    std::memcpy(&value, static_cast<const char *>(view.data) + offset * 4, 4);
    return value;
  }
  uint16_t bits;
  std::memcpy(&bits, static_cast<const char *>(view.data) + offset * 2, 2);
  return loadFloat(view.type, bits);
}

void storeAt(const FloatView &view, int64_t offset, float value) {
  if (view.type == FloatType::F32) {
    std::memcpy(static_cast<char *>(view.data) + offset * 4, &value, 4);
    return;
  }
  uint16_t bits = static_cast<uint16_t>(storeFloat(view.type, value));
  std::memcpy(static_cast<char *>(view.data) + offset * 2, &bits, 2);
}

bool advance(Dims &index, const Dims &shape) {
  for (size_t dim = shape.size(); dim-- > 0;) {
    if (++index[dim] < shape[dim])
      return true;
    index[dim] = 0;
  }
  return false;
}

} // namespace lowp::numerics
