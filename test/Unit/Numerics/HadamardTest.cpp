//===- HadamardTest.cpp - Randomised Hadamard transform -------------------===//
//
// Part of the Lowp project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "lowp/Numerics/Hadamard.h"
#include "Tensor.h"
#include <cmath>

using namespace lowp::numerics;
using namespace lowp::numerics::testing;

namespace {

const int64_t kSizes[] = {16, 32, 64, 128};

std::vector<float> transform(std::vector<float> x, int64_t n, HadamardNorm norm,
                             bool inverse) {
  std::vector<int8_t> signs = hadamardSigns(n);
  for (size_t start = 0; start < x.size(); start += n)
    hadamardBlock(x.data() + start, n, signs.data(), norm, inverse);
  return x;
}

TEST(Hadamard, IsTheSylvesterMatrix) {
  // Entry (i, j) is -1 to the number of common bits of i and j.
  for (int64_t n : kSizes) {
    std::vector<int8_t> signs = hadamardSigns(n);
    for (int64_t i = 0; i < n; ++i) {
      std::vector<float> unit(n, 0.0f);
      unit[i] = 1.0f;
      std::vector<float> y = transform(unit, n, HadamardNorm::Dyadic, false);
      float factor = hadamardFactor(n, HadamardNorm::Dyadic, false);
      for (int64_t j = 0; j < n; ++j) {
        int parity = __builtin_popcountll(i & j) % 2;
        EXPECT_EQ(y[j], (parity ? -factor : factor) * signs[i]);
      }
    }
  }
}

TEST(Hadamard, DyadicFactorsInvertEachOther) {
  for (int64_t n : kSizes) {
    EXPECT_EQ(hadamardFactor(n, HadamardNorm::Dyadic, false) *
                  hadamardFactor(n, HadamardNorm::Dyadic, true) * n,
              1.0f);
    // The orthonormal factor is the FP32 number nearest to n^-1/2.
    EXPECT_EQ(hadamardFactor(n, HadamardNorm::Orthonormal, false),
              static_cast<float>(1.0 / std::sqrt(double(n))));
    EXPECT_EQ(hadamardFactor(n, HadamardNorm::Orthonormal, true),
              hadamardFactor(n, HadamardNorm::Orthonormal, false));
  }
}

TEST(Hadamard, InverseOfForwardIsTheIdentity) {
  Random random(1);
  for (int64_t n : kSizes)
    for (HadamardNorm norm :
         {HadamardNorm::Dyadic, HadamardNorm::Orthonormal}) {
      std::vector<float> x(4 * n);
      double norm2 = 0.0;
      for (float &value : x) {
        value = static_cast<float>(random.normal());
        norm2 += double(value) * value;
      }
      std::vector<float> y =
          transform(transform(x, n, norm, false), n, norm, true);
      double error = 0.0;
      for (size_t i = 0; i < x.size(); ++i)
        error += std::pow(double(y[i]) - x[i], 2);
      EXPECT_LE(std::sqrt(error / norm2), 1e-6) << n;
    }
}

TEST(Hadamard, DyadicIsExactOnSmallIntegers) {
  Random random(2);
  for (int64_t n : kSizes) {
    std::vector<float> x(n);
    for (float &value : x)
      value = static_cast<float>(int(random.bits() % 255) - 127);
    std::vector<float> y = transform(x, n, HadamardNorm::Dyadic, false);
    EXPECT_EQ(transform(y, n, HadamardNorm::Dyadic, true), x);
  }
}

TEST(Hadamard, AggregationCommutesWithTheInverse) {
  // Sum of gated transforms, inverted once, against the sum of inverses.
  Random random(3);
  for (int64_t n : kSizes) {
    const int kTerms = 8;
    std::vector<float> sum(n, 0.0f), inverted(n, 0.0f);
    double bound = 0.0;
    for (int term = 0; term < kTerms; ++term) {
      float gate = static_cast<float>(random.uniform());
      std::vector<float> y(n);
      for (float &value : y) {
        value = static_cast<float>(random.normal());
        bound += std::fabs(double(gate) * value);
      }
      std::vector<float> x = transform(y, n, HadamardNorm::Dyadic, true);
      for (int64_t i = 0; i < n; ++i) {
        sum[i] += gate * y[i];
        inverted[i] += gate * x[i];
      }
    }
    std::vector<float> aggregated =
        transform(sum, n, HadamardNorm::Dyadic, true);
    for (int64_t i = 0; i < n; ++i)
      EXPECT_LE(std::fabs(double(aggregated[i]) - inverted[i]),
                4 * 0x1p-24 * bound);
  }
}

TEST(Hadamard, AlongAnyAxisOfAnyView) {
  Random random(4);
  Dims shape{32, 3, 16};
  std::vector<float> x(numElements(shape));
  for (float &value : x)
    value = static_cast<float>(random.normal());
  std::vector<int8_t> signs = hadamardSigns(16);
  std::vector<float> along0(x.size()), moved(x.size()), along2(x.size());
  FloatView result =
      denseView(static_cast<void *>(along0.data()), FloatType::F32, shape);
  ASSERT_TRUE(hadamard(view(x, shape), 0, 16, signs, HadamardNorm::Dyadic,
                       false, result)
                  .ok());
  // The same through a transposed view of source and result.
  ConstFloatView source = permuted(view(x, shape), {2, 1, 0});
  FloatView target = permuted(
      denseView(static_cast<void *>(moved.data()), FloatType::F32, shape),
      {2, 1, 0});
  ASSERT_TRUE(
      hadamard(source, 2, 16, signs, HadamardNorm::Dyadic, false, target).ok());
  EXPECT_EQ(along0, moved);
  // In place.
  std::vector<float> inPlace = x;
  FloatView same =
      denseView(static_cast<void *>(inPlace.data()), FloatType::F32, shape);
  ASSERT_TRUE(hadamard(view(inPlace, shape), 0, 16, signs, HadamardNorm::Dyadic,
                       false, same)
                  .ok());
  EXPECT_EQ(inPlace, along0);
}

TEST(Hadamard, Refusals) {
  std::vector<float> x(40);
  FloatView result =
      denseView(static_cast<void *>(x.data()), FloatType::F32, {1, 40});
  auto message = [&](unsigned axis, int64_t n, int64_t signs) {
    return hadamard(view(x, {1, 40}), axis, n, std::vector<int8_t>(signs, 1),
                    HadamardNorm::Dyadic, false, result)
        .message();
  };
  EXPECT_EQ(message(1, 12, 12), "expects a transform of size 16, 32, 64 or "
                                "128, but got 12");
  EXPECT_EQ(message(2, 16, 16), "expects an axis below the rank 2, but got 2");
  EXPECT_EQ(message(1, 16, 16), "expects a size of axis 1 that is a multiple "
                                "of 16, but got 40");
  std::vector<float> none;
  FloatView empty =
      denseView(static_cast<void *>(none.data()), FloatType::F32, {3, 0});
  EXPECT_TRUE(hadamard(view(none, {3, 0}), 1, 16, hadamardSigns(16),
                       HadamardNorm::Dyadic, false, empty)
                  .ok());
}

} // namespace
