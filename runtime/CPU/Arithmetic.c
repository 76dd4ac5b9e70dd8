//===- Arithmetic.c - Arithmetic that the code generator calls ------------===//
//
// Part of the Lowp project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// LLVM calls these where the processor has no instruction. They usually come
// from libgcc or compiler-rt, which a program must not depend on: half
// precision (no F16C), and integer powers. Bits are those of the instruction.
//
//===----------------------------------------------------------------------===//

#include <stdint.h>
#include <string.h>

static uint32_t bitsOf(float value) {
  uint32_t bits;
  memcpy(&bits, &value, sizeof bits);
  return bits;
}

static float floatOf(uint32_t bits) {
  float value;
  memcpy(&value, &bits, sizeof value);
  return value;
}

#if defined(__FLT16_MAX__)
float __extendhfsf2(_Float16 value) {
  uint16_t half;
  memcpy(&half, &value, sizeof half);
  uint32_t sign = (uint32_t)(half & 0x8000) << 16, magnitude = half & 0x7fff;
  if (magnitude >= 0x7c00) // Inf and NaN, which becomes quiet
    return floatOf(sign | 0x7f800000 | (magnitude & 0x3ff) << 13 |
                   (magnitude > 0x7c00 ? 0x400000 : 0));
  if (magnitude >= 0x400)
    return floatOf(sign | ((magnitude << 13) + 0x38000000));
  // Zero and subnormals: an integer times 2^-24, exact.
  return floatOf(sign | bitsOf((float)magnitude * 0x1p-24f));
}

_Float16 __truncsfhf2(float value) {
  uint32_t bits = bitsOf(value), magnitude = bits & 0x7fffffff;
  uint16_t half;
  if (magnitude > 0x7f800000)
    half = 0x7e00 | (magnitude >> 13 & 0x3ff);
  else if (magnitude >= 0x477ff000) // 65520 and up round to Inf
    half = 0x7c00;
  else if (magnitude >= 0x38800000) // normal: nearest, ties to even
    half = (magnitude - 0x38000000 + 0xfff + (magnitude >> 13 & 1)) >> 13;
  else // 2^-1 has an ulp of 2^-24, that of subnormal halves
    half = bitsOf(floatOf(magnitude) + 0.5f) - bitsOf(0.5f);
  half |= bits >> 16 & 0x8000;
  _Float16 result;
  memcpy(&result, &half, sizeof result);
  return result;
}
#endif

// The order of multiplications is the one of compiler-rt.
float __powisf2(float base, int32_t exponent) {
  uint32_t n = exponent < 0 ? 0u - (uint32_t)exponent : (uint32_t)exponent;
  float result = 1;
  for (; n; n >>= 1, base *= base)
    if (n & 1)
      result *= base;
  return exponent < 0 ? 1 / result : result;
}

double __powidf2(double base, int32_t exponent) {
  uint32_t n = exponent < 0 ? 0u - (uint32_t)exponent : (uint32_t)exponent;
  double result = 1;
  for (; n; n >>= 1, base *= base)
    if (n & 1)
      result *= base;
  return exponent < 0 ? 1 / result : result;
}
