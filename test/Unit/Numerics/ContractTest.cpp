//===- ContractTest.cpp - Reference contraction ---------------------------===//
//
// Part of the Lowp project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "lowp/Numerics/Contract.h"
#include "Tensor.h"
#include <cmath>

using namespace lowp::numerics;
using namespace lowp::numerics::testing;

namespace {

ContractOperand plain(const std::vector<float> &values, Dims shape) {
  ContractOperand operand;
  operand.plain = view(values, std::move(shape));
  return operand;
}

ContractOperand blocked(Blocked &tensor) {
  ContractOperand operand;
  operand.format = &tensor.format;
  operand.blocking = tensor.blocking;
  operand.shape = tensor.shape;
  operand.data = tensor.data();
  return operand;
}

std::vector<float> product(const ContractOperand &lhs,
                           const ContractOperand &rhs, Dims shape,
                           std::optional<ConstFloatView> init = std::nullopt) {
  std::vector<float> result(numElements(shape), -1.0f);
  Status status = contract(
      lhs, rhs,
      denseView(static_cast<void *>(result.data()), FloatType::F32, shape),
      init);
  EXPECT_TRUE(status.ok()) << status.message();
  return result;
}

Blocked quantized(const BlockFormat &format, Blocking blocking, Dims shape,
                  uint64_t seed) {
  std::vector<float> x = normalTensor(seed, numElements(shape));
  Blocked tensor(format, std::move(blocking), shape);
  Status status = tensor.quantize(QuantRule(), view(x, shape));
  EXPECT_TRUE(status.ok()) << status.message();
  return tensor;
}

/// Against exact products summed in double, within the bound of accumulation.
void expectNear(const std::vector<float> &actual, std::vector<float> lhs,
                std::vector<float> rhs, int64_t M, int64_t N, int64_t K) {
  for (int64_t m = 0; m < M; ++m)
    for (int64_t n = 0; n < N; ++n) {
      double sum = 0.0, bound = 0.0;
      for (int64_t k = 0; k < K; ++k) {
        double term = double(lhs[m * K + k]) * rhs[n * K + k];
        sum += term;
        bound += std::fabs(term);
      }
      EXPECT_LE(std::fabs(actual[m * N + n] - sum),
                double(K + 3) * 0x1p-23 * bound + 1e-45)
          << m << " " << n;
    }
}

TEST(Contract, PlainOrderOfOperations) {
  // 2^24 + 1 - 2^24: what is lost depends on the order.
  std::vector<float> x{0x1p24f, 1.0f, -0x1p24f, 1.0f}, one(4, 1.0f);
  EXPECT_EQ(product(plain(x, {1, 4}), plain(one, {1, 4}), {1, 1})[0], 1.0f);
}

TEST(Contract, BlockedOrderOfOperations) {
  // Partial sums of a block come first: 3 blocks of [1, 1, ...] scaled so that
  // the accumulator loses single elements but not a block's sum.
  Blocked x(mxfp8(), {{1, 32}, {}}, {1, 96});
  x.codes.assign(96, 0x38);
  x.scales = {static_cast<uint8_t>(127 + 24), 127, 127};
  std::vector<float> one(96, 1.0f);
  float sum = product(blocked(x), plain(one, {1, 96}), {1, 1})[0];
  EXPECT_EQ(sum, 32 * 0x1p24f + 32 + 32);
}

TEST(Contract, AgreesWithExactArithmetic) {
  struct Case {
    const BlockFormat &lhs, &rhs;
    Blocking lhsBlocking, rhsBlocking;
    int64_t K;
  };
  const Case cases[] = {
      {nvfp4(), nvfp4(), {{1, 16}, {0}}, {{1, 16}, {}}, 100},
      {nvfp4(), nvfp4(), {{1, 16}, {}}, {{16, 16}, {}}, 96},
      {mxfp8(), mxfp8(), {{1, 32}, {}}, {{1, 32}, {}}, 70},
      {mxfp8(), nvfp4(), {{1, 32}, {}}, {{1, 16}, {0}}, 70},
      {mxs2f6(), mxfp4(), {{1, 32}, {}}, {{1, 32}, {}}, 33},
      {fp8Block(), fp8Block(), {{1, 128}, {}}, {{128, 128}, {}}, 300}};
  for (const Case &c : cases) {
    Blocked x = quantized(c.lhs, c.lhsBlocking, {5, c.K}, 1);
    Blocked w = quantized(c.rhs, c.rhsBlocking, {7, c.K}, 2);
    expectNear(product(blocked(x), blocked(w), {5, 7}), x.dequantize(),
               w.dequantize(), 5, 7, c.K);
    // With the other operand plain.
    std::vector<float> values = normalTensor(3, 7 * c.K);
    expectNear(product(blocked(x), plain(values, {7, c.K}), {5, 7}),
               x.dequantize(), values, 5, 7, c.K);
  }
}

TEST(Contract, AxesInAnyOrder) {
  // lhs [K, B, M], rhs [B, K, N] against lhs [B, M, K], rhs [B, N, K].
  const int64_t B = 2, M = 3, N = 4, K = 40;
  std::vector<float> x = normalTensor(4, B * M * K);
  std::vector<float> w = normalTensor(5, B * N * K);
  Blocked xs(nvfp4(), {{1, 1, 16}, {0, 1}}, {B, M, K});
  Blocked ws(mxfp8(), {{1, 1, 32}, {}}, {B, N, K});
  ASSERT_TRUE(xs.quantize(QuantRule(), view(x, {B, M, K})).ok());
  ASSERT_TRUE(ws.quantize(QuantRule(), view(w, {B, N, K})).ok());
  ContractOperand lhs = blocked(xs), rhs = blocked(ws);
  lhs.batchAxes = rhs.batchAxes = {0};
  lhs.freeAxis = rhs.freeAxis = 1;
  lhs.contractionAxis = rhs.contractionAxis = 2;
  std::vector<float> expected = product(lhs, rhs, {B, M, N});

  Blocked xm(nvfp4(), {{16, 1, 1}, {1, 2}}, {K, B, M});
  Blocked wm(mxfp8(), {{1, 32, 1}, {}}, {B, K, N});
  ASSERT_TRUE(
      xm.quantize(QuantRule(), permuted(view(x, {B, M, K}), {2, 0, 1})).ok());
  ASSERT_TRUE(
      wm.quantize(QuantRule(), permuted(view(w, {B, N, K}), {0, 2, 1})).ok());
  ContractOperand lhsMoved = blocked(xm), rhsMoved = blocked(wm);
  lhsMoved.batchAxes = {1};
  lhsMoved.freeAxis = 2;
  lhsMoved.contractionAxis = 0;
  rhsMoved.batchAxes = {0};
  rhsMoved.freeAxis = 2;
  rhsMoved.contractionAxis = 1;
  EXPECT_EQ(bitsOf(product(lhsMoved, rhsMoved, {B, M, N})), bitsOf(expected));
}

TEST(Contract, OuterScalesAndInit) {
  Blocked x = quantized(nvfp4(), {{1, 16}, {0}}, {2, 16}, 6);
  Blocked w = quantized(nvfp4(), {{1, 16}, {0}}, {3, 16}, 7);
  std::vector<float> init{1, 2, 3, 4, 5, 6};
  std::vector<float> actual =
      product(blocked(x), blocked(w), {2, 3}, view(init, {2, 3}));
  for (int64_t m = 0; m < 2; ++m)
    for (int64_t n = 0; n < 3; ++n) {
      float partial = 0.0f;
      for (int64_t k = 0; k < 16; ++k)
        partial += decode(kE2M1, x.codes[m * 16 + k]) *
                   decode(kE2M1, w.codes[n * 16 + k]);
      volatile float scales =
          decode(kE4M3, x.scales[m]) * decode(kE4M3, w.scales[n]);
      volatile float acc = partial * scales;
      volatile float outers = x.outer[m] * w.outer[n];
      volatile float scaled = outers * acc;
      EXPECT_EQ(actual[m * 3 + n], scaled + init[m * 3 + n]);
    }
}

TEST(Contract, EmptyContractionAndEmptyResults) {
  std::vector<float> none;
  EXPECT_EQ(product(plain(none, {2, 0}), plain(none, {1, 0}), {2, 1}),
            (std::vector<float>{0.0f, 0.0f}));
  std::vector<float> init{3.0f, 4.0f};
  EXPECT_EQ(product(plain(none, {2, 0}), plain(none, {1, 0}), {2, 1},
                    view(init, {2, 1})),
            init);
  std::vector<float> x(4, 1.0f);
  EXPECT_TRUE(product(plain(none, {0, 4}), plain(x, {1, 4}), {0, 1}).empty());
}

TEST(Contract, Refusals) {
  Blocked x(nvfp4(), {{1, 16}, {}}, {2, 48});
  Blocked columns(nvfp4(), {{16, 1}, {}}, {16, 48});
  Blocked token(nvfp4(), {{16, 1}, {1}}, {16, 48});
  Blocked odd(mxfp8(), {{1, 24}, {}}, {2, 48});
  std::vector<float> w(48, 1.0f), result(1024);
  auto message = [&](const ContractOperand &lhs, const ContractOperand &rhs,
                     Dims shape) {
    return contract(lhs, rhs,
                    denseView(static_cast<void *>(result.data()),
                              FloatType::F32, std::move(shape)))
        .message();
  };
  EXPECT_EQ(message(blocked(columns), plain(w, {1, 48}), {16, 1}),
            "expects blocks of lhs along the contraction axis");
  EXPECT_EQ(message(blocked(token), plain(w, {1, 48}), {16, 1}),
            "expects no outer axis of lhs along the contraction axis");
  EXPECT_EQ(message(blocked(x), blocked(odd), {2, 2}),
            "expects block sizes of which one divides the other, but got 16 "
            "and 24");
  EXPECT_EQ(message(blocked(x), plain(w, {2, 24}), {2, 2}),
            "expects contraction axes of one size, but got 48 and 24");
  EXPECT_EQ(message(blocked(x), plain(w, {1, 48}), {2, 2}),
            "expects a result and an init of the batch sizes and the two free "
            "sizes");
  ContractOperand noRoles = blocked(x);
  noRoles.freeAxis = 1;
  EXPECT_EQ(message(noRoles, plain(w, {1, 48}), {2, 1}),
            "expects the batch, free and contraction axes of lhs to be its 2 "
            "dims");
}

} // namespace
