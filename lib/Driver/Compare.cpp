//===- Compare.cpp - How far results are from a reference -----------------===//
//
// Part of the Lowp project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "lowp/Driver/Program.h"

#include "llvm/ADT/APFloat.h"
#include "llvm/ADT/APInt.h"
#include "llvm/ADT/StringSwitch.h"

#include <cmath>
#include <cstring>
#include <limits>

using namespace mlir::lowp;
using llvm::StringRef;

/// The format of floats whose bits may come as unsigned integers.
static const llvm::fltSemantics *getBitsSemantics(StringRef dtype) {
  return llvm::StringSwitch<const llvm::fltSemantics *>(dtype)
      .Case("bf16", &llvm::APFloat::BFloat())
      .Case("f16", &llvm::APFloat::IEEEhalf())
      .Case("f8E4M3FN", &llvm::APFloat::Float8E4M3FN())
      .Case("f8E5M2", &llvm::APFloat::Float8E5M2())
      .Case("f8E8M0FNU", &llvm::APFloat::Float8E8M0FNU())
      .Case("f6E2M3FN", &llvm::APFloat::Float6E2M3FN())
      .Case("f6E3M2FN", &llvm::APFloat::Float6E3M2FN())
      .Case("f4E2M1FN", &llvm::APFloat::Float4E2M1FN())
      .Default(nullptr);
}

static double decode(const llvm::fltSemantics &semantics, uint64_t bits) {
  unsigned width = llvm::APFloat::getSizeInBits(semantics);
  bool ignored;
  llvm::APFloat value(semantics, llvm::APInt(64, bits).trunc(width));
  value.convert(llvm::APFloat::IEEEdouble(), llvm::APFloat::rmNearestTiesToEven,
                &ignored);
  return value.convertToDouble();
}

static double readElement(const Array &array, int64_t index,
                          const llvm::fltSemantics *semantics) {
  const char *data = &array.data[index * array.itemSize];
  if (array.kind == 'f' && array.itemSize == 8) {
    double value;
    std::memcpy(&value, data, sizeof value);
    return value;
  }
  if (array.kind == 'f' && array.itemSize == 4) {
    float value;
    std::memcpy(&value, data, sizeof value);
    return value;
  }
  uint64_t bits = 0;
  std::memcpy(&bits, data, array.itemSize);
  if (array.kind == 'f')
    return decode(llvm::APFloat::IEEEhalf(), bits);
  if (semantics && array.kind == 'u')
    return decode(*semantics, bits);
  if (array.kind == 'i')
    return static_cast<double>(
        llvm::APInt(64, bits).trunc(8 * array.itemSize).getSExtValue());
  return static_cast<double>(bits);
}

llvm::Expected<ArrayError> mlir::lowp::compareArrays(const Array &actual,
                                                     const Array &reference,
                                                     StringRef dtype) {
  if (actual.shape != reference.shape)
    return llvm::createStringError("the shapes differ");
  const llvm::fltSemantics *semantics = getBitsSemantics(dtype);
  ArrayError result;
  double difference = 0, norm = 0;
  constexpr double infinity = std::numeric_limits<double>::infinity();
  for (int64_t i = 0, e = actual.getNumElements(); i < e; ++i) {
    double a = readElement(actual, i, semantics);
    double b = readElement(reference, i, semantics);
    if (a == b || (std::isnan(a) && std::isnan(b))) {
      if (std::isfinite(b))
        norm += b * b;
      continue;
    }
    if (!std::isfinite(a) || !std::isfinite(b)) {
      result.maxAbs = infinity;
      continue;
    }
    result.maxAbs = std::max(result.maxAbs, std::abs(a - b));
    difference += (a - b) * (a - b);
    norm += b * b;
  }
  if (result.maxAbs == infinity)
    result.relative = infinity;
  else if (difference > 0)
    result.relative = norm > 0 ? std::sqrt(difference / norm) : infinity;
  return result;
}

double mlir::lowp::getSqnrDb(const Array &actual, const Array &reference,
                             StringRef dtype) {
  const llvm::fltSemantics *semantics = getBitsSemantics(dtype);
  double signal = 0, noise = 0;
  for (int64_t i = 0, e = reference.getNumElements(); i < e; ++i) {
    double x = readElement(reference, i, semantics);
    double d = readElement(actual, i, nullptr) - x;
    signal += x * x;
    noise += d * d;
  }
  if (noise == 0)
    return std::numeric_limits<double>::infinity();
  return 10 * std::log10(signal / noise);
}
