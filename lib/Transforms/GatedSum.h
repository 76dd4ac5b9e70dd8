//===- GatedSum.h - Sums over experts of gate times result ------*- C++ -*-===//
//
// Part of the Lowp project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef LOWP_LIB_TRANSFORMS_GATEDSUM_H
#define LOWP_LIB_TRANSFORMS_GATEDSUM_H

#include "lowp/IR/LowpOps.h"

#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"

namespace mlir::lowp {

//===----------------------------------------------------------------------===//
// Where an element of a sum comes from
//===----------------------------------------------------------------------===//

/// An element of a tensor. Indices are linear in the loops of a sum, without a
/// constant.
struct Access {
  Value tensor;
  SmallVector<AffineExpr> indices;
};

/// A scalar in the body of the sum or of an elementwise operation, whose loops
/// are functions of the loops of the sum.
struct Scalar {
  Value value;
  linalg::LinalgOp op;
  SmallVector<AffineExpr> loops;
};

/// A sum over experts, as it was matched.
struct GatedSum {
  linalg::LinalgOp sum;
  /// Loops: the experts, the hidden dim, and what counts tokens, in the order
  /// of the result's dims.
  unsigned expert = 0, hidden = 0;
  SmallVector<unsigned> tokens;
  /// Dims of the result that `tokens` are.
  SmallVector<int64_t> tokenDims;
  Access result;
  Scalar gate;
};

/// The coefficients of a linear function of `numDims` loops; none of another.
std::optional<SmallVector<int64_t>> getCoefficients(AffineExpr expr,
                                                    unsigned numDims);

/// Follows the elements that a sum adds up through the operations in front.
class Tracer {
public:
  explicit Tracer(linalg::LinalgOp sum);

  /// The static size of a loop, or a dynamic one.
  int64_t getSize(unsigned loop) const { return sizes[loop]; }
  unsigned getNumLoops() const { return sizes.size(); }
  MLIRContext *getContext() const { return context; }

  /// The element that an argument of a body is; none where it is no tensor's.
  static std::optional<Access> getAccess(const Scalar &scalar);
  /// The scalar that an elementwise operation yields for an element.
  static std::optional<Scalar> getYielded(const Access &access);
  /// The same element before a reshape.
  std::optional<Access> getMoved(const Access &access) const;

private:
  /// Splits an index into those of dims of `shape`.
  bool split(AffineExpr index, ArrayRef<int64_t> shape,
             SmallVectorImpl<AffineExpr> &indices) const;

  MLIRContext *context;
  SmallVector<int64_t> sizes;
};

/// Matches the sum of the gated results of `product`, for a Hadamard transform
/// of `transform` elements (0: none). `why` says what keeps it from being one.
FailureOr<GatedSum> matchGatedSum(linalg::LinalgOp sum, const Tracer &tracer,
                                  ContractionOpInterface product,
                                  int64_t transform, std::string &why);

/// The gate of a sum as a tensor of experts and tokens: what the program
/// computes it from, down to where that does not depend on the hidden dim.
class Gate {
public:
  Gate(const Tracer &tracer, const GatedSum &sum) : tracer(tracer), sum(sum) {}

  /// Whether it can be built.
  bool collect();
  /// One dim for the experts, then those of the tokens.
  Value build(OpBuilder &builder, Location loc,
              ArrayRef<OpFoldResult> sizes) const;

private:
  /// More than any gate has; what is used twice is computed twice.
  static constexpr int kLargestGate = 64;

  bool collect(const Scalar &scalar);
  /// The same walk again, in the same order.
  Value emit(OpBuilder &builder, const Scalar &scalar, ValueRange arguments,
             size_t &next) const;
  bool dependsOnHidden(const Access &access) const;
  /// Goes back from `access` until that does not depend on the hidden dim, or
  /// until a body computes it, which is `behind` then.
  bool skipToInput(Access &access, std::optional<Scalar> &behind) const;

  const Tracer &tracer;
  const GatedSum &sum;
  Type type;
  SmallVector<Access> inputs;
  int count = 0;
};

} // namespace mlir::lowp

#endif // LOWP_LIB_TRANSFORMS_GATEDSUM_H
