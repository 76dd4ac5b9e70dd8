//===- Product.h - contractions of linalg as products -*- C++ -*-===//
//
// Part of the lowp project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// What the recogniser knows about one contraction, whatever linalg operation it
// is written as, and how values are followed through exact data movement.
//
//===----------------------------------------------------------------------===//

#ifndef LOWP_LIB_TRANSFORMS_PRODUCT_H
#define LOWP_LIB_TRANSFORMS_PRODUCT_H

#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/IR/PatternMatch.h"

#include <optional>

namespace mlir::lowp {

/// One multiplicand of a product: a tensor, and which loops index its dims.
struct Multiplicand {
  Value value;
  /// From the loops of the contraction to the dims of `value`; every result is
  /// a loop or, for a dim of size 1, the constant 0.
  AffineMap map;
};

/// A multiply-add reduction over two tensors.
struct Product {
  linalg::LinalgOp op;
  Multiplicand lhs, rhs;
  /// The map of the accumulator.
  AffineMap outMap;
  /// The generics that compute a multiplicand which the body computed.
  SmallVector<Operation *> split;

  Value getInit() { return op.getDpsInits()[0]; }
  Value getResult() const { return op->getResult(0); }
  Multiplicand &get(unsigned side) { return side == 0 ? lhs : rhs; }
};

/// Matches a contraction: a reduction `acc + a * b` in which a and b are
/// elementwise functions of the inputs. Where a multiplicand is more than an
/// input or its extension to a wider type, an elementwise generic in front of
/// `op` computes it; it is dead when the product is not rewritten. `why` is set
/// when `op` multiplies and adds but is no product in this sense.
FailureOr<Product> matchProduct(RewriterBase &rewriter, linalg::LinalgOp op,
                                std::string &why);

/// The static size of a loop, from whichever operand has one.
int64_t getLoopSize(linalg::LinalgOp op, unsigned loop);

/// Checks that the operands agree on the size of every loop; the verifiers of
/// linalg do not, where a dim is dynamic.
LogicalResult verifyLoopSizes(linalg::LinalgOp op);

//===----------------------------------------------------------------------===//
// Exact data movement
//===----------------------------------------------------------------------===//

/// One step back through an operation that moves elements or widens their type
/// without changing a value.
struct Move {
  enum Kind {
    /// Dim i of the source is result dim `map.getResult(i)`, or has size 1
    /// where that is the constant 0. Extensions and casts are identity maps.
    Map,
    Collapse,
    Expand,
    /// A part of the source; its last two dims are those of the source.
    Slice,
    /// Matrices of the source, chosen by computed indices.
    Gather
  };
  Kind kind;
  Value source;
  AffineMap map;
  SmallVector<ReassociationIndices> reassociation;
};

/// The movement that defines `value`, if it is one.
std::optional<Move> getMove(Value value);

/// Where a value comes from.
struct Source {
  Value root;
  bool gathered = false;
};

/// Follows `value` back through all exact movement.
Source getSource(Value value);

/// f32, bf16 or f16: what the contractions of the dialect take.
bool isSupportedElementType(Type type);

/// `value` is a tensor of positive zeros, behind reshapes and casts.
bool isZeroTensor(Value value);

//===----------------------------------------------------------------------===//
// The form of the dialect
//===----------------------------------------------------------------------===//

/// One operand of the dialect's contraction: a value, and the reshape that
/// brings it to rank 2 or 3.
struct OperandForm {
  Value value;
  bool transposed = false;
  bool shared = false;
  /// Dims of `value` per dim of the operand; an empty group is a unit dim.
  SmallVector<SmallVector<int64_t>> groups;
};

/// How a product reads as `lowp.matmul` or `lowp.batch_matmul`.
struct ContractionForm {
  bool batched = false;
  /// The dialect's lhs is the product's rhs.
  bool swapped = false;
  OperandForm lhs, rhs;
  /// Dims of the linalg result per dim of the operation's result.
  SmallVector<SmallVector<int64_t>> resultGroups;
};

/// The form of `product` whose operands are as near to their source as the
/// dialect can express. `keepBatch[side]` keeps that operand from losing dims
/// that it is broadcast along.
FailureOr<ContractionForm> getContractionForm(Product &product,
                                              std::array<bool, 2> keepBatch);

/// Dims of the root of `side`, counted from the last (1 is the last), that the
/// product contracts; empty when they cannot be told.
SmallVector<unsigned> getContractedDims(Product &product, unsigned side);

/// What a product does with a dim of a value that its operand is a view of.
/// `Unit` is a dim of size 1, `Both` one of which it contracts a part.
enum class DimUse { Unit, Free, Contracted, Both };

/// A value on the way from an operand to its root.
struct UsedView {
  Value value;
  SmallVector<DimUse> dims;
};

/// The operand `side` of the product first, then what it is a view of.
SmallVector<UsedView> getUsedViews(Product &product, unsigned side);

/// A part of a dim of an operand: `size` elements of dim `dim` of a value that
/// the operand is a view of, `stride` apart. `dim` is -1 where it is broadcast.
struct DimPart {
  int64_t dim, stride, size;
  bool operator==(const DimPart &other) const {
    return dim == other.dim && stride == other.stride && size == other.size;
  }
};

/// The dims of an operand as parts of those of a value that `isBase` accepts:
/// the batch if there is one, then the free and the contracted dim. Equal for
/// operands that hold the same elements in the same places. None where the
/// operand is no view of such a value.
std::optional<SmallVector<SmallVector<DimPart>>>
getOperandLayout(Product &product, unsigned side, const ContractionForm &form,
                 llvm::function_ref<bool(Value)> isBase);

/// Brings `form.value` to the rank of the operand.
Value materialize(OpBuilder &builder, Location loc, const OperandForm &form);

/// Brings a tensor whose dims are grouped by `groups` to one dim per group, and
/// back to a tensor of the type and sizes of `like`.
Value collapseGroups(OpBuilder &builder, Location loc, Value value,
                     ArrayRef<SmallVector<int64_t>> groups);
Value expandGroups(OpBuilder &builder, Location loc, Value value,
                   ArrayRef<SmallVector<int64_t>> groups, Value like);

} // namespace mlir::lowp

#endif // LOWP_LIB_TRANSFORMS_PRODUCT_H
