//===- GatedSum.cpp - Sums over experts of gate times result --------------===//
//
// Part of the Lowp project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "GatedSum.h"

#include "Product.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/IR/IRMapping.h"

using namespace mlir;
using namespace mlir::lowp;

std::optional<SmallVector<int64_t>>
mlir::lowp::getCoefficients(AffineExpr expr, unsigned numDims) {
  SmallVector<int64_t> result(numDims, 0);
  if (auto dim = dyn_cast<AffineDimExpr>(expr)) {
    result[dim.getPosition()] = 1;
    return result;
  }
  if (auto constant = dyn_cast<AffineConstantExpr>(expr))
    return constant.getValue() == 0 ? std::make_optional(result) : std::nullopt;
  auto binary = dyn_cast<AffineBinaryOpExpr>(expr);
  if (!binary)
    return std::nullopt;
  auto lhs = getCoefficients(binary.getLHS(), numDims);
  if (binary.getKind() == AffineExprKind::Mul) {
    auto factor = dyn_cast<AffineConstantExpr>(binary.getRHS());
    if (!lhs || !factor)
      return std::nullopt;
    for (int64_t &coefficient : *lhs)
      coefficient *= factor.getValue();
    return lhs;
  }
  auto rhs = getCoefficients(binary.getRHS(), numDims);
  if (binary.getKind() != AffineExprKind::Add || !lhs || !rhs)
    return std::nullopt;
  for (auto [to, from] : llvm::zip_equal(*lhs, *rhs))
    to += from;
  return lhs;
}

Tracer::Tracer(linalg::LinalgOp sum) : context(sum.getContext()) {
  for (unsigned loop = 0; loop < sum.getNumLoops(); ++loop)
    sizes.push_back(getLoopSize(sum, loop));
}

std::optional<Access> Tracer::getAccess(const Scalar &scalar) {
  auto argument = dyn_cast<BlockArgument>(scalar.value);
  linalg::LinalgOp op = scalar.op;
  if (!argument || argument.getOwner() != op.getBlock())
    return std::nullopt;
  OpOperand *operand = op.getMatchingOpOperand(argument);
  if (!op.isDpsInput(operand) ||
      !isa<RankedTensorType>(operand->get().getType()))
    return std::nullopt;
  Access access{operand->get(), {}};
  for (AffineExpr expr : op.getMatchingIndexingMap(operand).getResults())
    access.indices.push_back(expr.replaceDims(scalar.loops));
  return access;
}

std::optional<Scalar> Tracer::getYielded(const Access &access) {
  auto op = access.tensor.getDefiningOp<linalg::LinalgOp>();
  if (!op || op.getNumParallelLoops() != op.getNumLoops())
    return std::nullopt;
  auto result = cast<OpResult>(access.tensor);
  AffineMap map = op.getIndexingMapMatchingResult(result);
  if (!map.isPermutation())
    return std::nullopt;
  Scalar scalar{
      op.getBlock()->getTerminator()->getOperand(result.getResultNumber()), op,
      SmallVector<AffineExpr>(op.getNumLoops())};
  for (auto [dim, index] : llvm::enumerate(access.indices))
    scalar.loops[map.getDimPosition(dim)] = index;
  return scalar;
}

std::optional<Access> Tracer::getMoved(const Access &access) const {
  Operation *op = access.tensor.getDefiningOp();
  if (auto cast = dyn_cast_or_null<tensor::CastOp>(op))
    return isa<RankedTensorType>(cast.getSource().getType())
               ? std::optional(Access{cast.getSource(), access.indices})
               : std::nullopt;
  if (auto collapse = dyn_cast_or_null<tensor::CollapseShapeOp>(op)) {
    Access result{collapse.getSrc(), {}};
    for (auto [index, group] :
         llvm::zip_equal(access.indices, collapse.getReassociationIndices()))
      if (!split(index,
                 collapse.getSrcType().getShape().slice(group.front(),
                                                        group.size()),
                 result.indices))
        return std::nullopt;
    return result;
  }
  if (auto expand = dyn_cast_or_null<tensor::ExpandShapeOp>(op)) {
    Access result{expand.getSrc(), {}};
    ArrayRef<int64_t> shape = expand.getResultType().getShape();
    for (ArrayRef<int64_t> group : expand.getReassociationIndices()) {
      AffineExpr index = getAffineConstantExpr(0, context);
      for (auto [place, dim] : llvm::enumerate(group)) {
        bool isUnit = shape[dim] == 1;
        // What comes before it does not need the size of the first one.
        bool isFirst = llvm::all_of(group.take_front(place),
                                    [&](int64_t d) { return shape[d] == 1; });
        if (isUnit)
          continue;
        if (!isFirst && ShapedType::isDynamic(shape[dim]))
          return std::nullopt;
        index = isFirst ? access.indices[dim]
                        : index * shape[dim] + access.indices[dim];
      }
      result.indices.push_back(index);
    }
    return result;
  }
  return std::nullopt;
}

bool Tracer::split(AffineExpr index, ArrayRef<int64_t> shape,
                   SmallVectorImpl<AffineExpr> &indices) const {
  AffineExpr zero = getAffineConstantExpr(0, context);
  SmallVector<AffineExpr> result(shape.size(), zero);
  SmallVector<size_t> dims;
  for (auto [dim, size] : llvm::enumerate(shape))
    if (size != 1)
      dims.push_back(dim);
  if (dims.size() == 1) {
    result[dims[0]] = index;
  } else if (dims.size() > 1) {
    auto coefficients = getCoefficients(index, sizes.size());
    if (!coefficients)
      return false;
    int64_t stride = 1;
    for (size_t dim : llvm::reverse(dims)) {
      bool isFirst = dim == dims.front();
      int64_t size = shape[dim], largest = 0;
      if (!isFirst && size <= 0)
        return false;
      for (auto [loop, coefficient] : llvm::enumerate(*coefficients)) {
        if (coefficient == 0 || (!isFirst && coefficient >= stride * size))
          continue;
        if (coefficient % stride != 0)
          return false;
        if (!isFirst && sizes[loop] <= 0)
          return false;
        result[dim] = result[dim] +
                      getAffineDimExpr(loop, context) * (coefficient / stride);
        largest += coefficient / stride * (sizes[loop] - 1);
        coefficient = 0;
      }
      // Nothing may carry into the next dim.
      if (!isFirst && largest >= size)
        return false;
      stride *= size;
    }
  }
  llvm::append_range(indices, result);
  return true;
}

//===----------------------------------------------------------------------===//
// Matching
//===----------------------------------------------------------------------===//

namespace {
/// Where conversions and movement end: at an operation of a body, or at the
/// result of a product.
struct Traced {
  Scalar scalar;
  std::optional<Access> product;
};
} // namespace

static std::optional<Traced> trace(const Tracer &tracer, Scalar scalar) {
  while (true) {
    Operation *definition = scalar.value.getDefiningOp();
    if (isa_and_nonnull<arith::ExtFOp, arith::TruncFOp>(definition)) {
      scalar.value = definition->getOperand(0);
      continue;
    }
    if (definition)
      return Traced{scalar, std::nullopt};
    std::optional<Access> access = Tracer::getAccess(scalar);
    std::optional<Scalar> yielded;
    while (access && !yielded) {
      Operation *producer = access->tensor.getDefiningOp();
      if (isa_and_nonnull<ContractionOpInterface>(producer))
        return Traced{scalar, access};
      // Elementwise on tensors.
      if (isa_and_nonnull<arith::ExtFOp, arith::TruncFOp>(producer)) {
        access->tensor = producer->getOperand(0);
        continue;
      }
      yielded = Tracer::getYielded(*access);
      if (!yielded)
        access = tracer.getMoved(*access);
    }
    if (!yielded)
      return std::nullopt;
    scalar = *yielded;
  }
}

FailureOr<GatedSum> mlir::lowp::matchGatedSum(linalg::LinalgOp sum,
                                              const Tracer &tracer,
                                              ContractionOpInterface product,
                                              int64_t transform,
                                              std::string &why) {
  auto fail = [&](const Twine &reason) {
    why = reason.str();
    return failure();
  };
  if (sum->getNumResults() != 1 || sum.getNumReductionLoops() != 1)
    return fail("its results are not added up over one dim");
  GatedSum match;
  match.sum = sum;
  SmallVector<unsigned> reductions;
  sum.getReductionDims(reductions);
  match.expert = reductions[0];

  Value yielded = sum.getBlock()->getTerminator()->getOperand(0);
  auto add = yielded.getDefiningOp<arith::AddFOp>();
  Value accumulator = sum.getBlock()->getArguments().back();
  if (!add || (add.getLhs() != accumulator) == (add.getRhs() != accumulator))
    return fail("its results are not added up");
  Scalar scalar{
      add.getLhs() == accumulator ? add.getRhs() : add.getLhs(), sum, {}};
  for (unsigned loop = 0; loop < sum.getNumLoops(); ++loop)
    scalar.loops.push_back(getAffineDimExpr(loop, sum.getContext()));
  auto gated = trace(tracer, scalar);
  if (gated && gated->product)
    return fail("no gate is multiplied to its results");
  auto multiply =
      gated ? gated->scalar.value.getDefiningOp<arith::MulFOp>() : nullptr;
  if (!multiply)
    return fail("more than a gate is done to its results");
  bool found = false;
  for (auto [own, other] : {std::pair(multiply.getLhs(), multiply.getRhs()),
                            std::pair(multiply.getRhs(), multiply.getLhs())}) {
    auto side =
        trace(tracer, Scalar{own, gated->scalar.op, gated->scalar.loops});
    if (!side || !side->product ||
        side->product->tensor.getDefiningOp() != product.getOperation())
      continue;
    match.result = *side->product;
    match.gate = Scalar{other, gated->scalar.op, gated->scalar.loops};
    found = true;
    break;
  }
  if (!found)
    return fail("more than a gate is done to its results");

  // The dims of the sum: tokens, then the hidden dim.
  SmallVector<AffineExpr> dims(
      sum.getIndexingMapMatchingResult(sum->getResult(0)).getResults());
  if (dims.empty())
    return fail("the sum has no dim of tokens");
  auto hidden = dyn_cast<AffineDimExpr>(dims.pop_back_val());
  int64_t features =
      cast<RankedTensorType>(product->getResult(0).getType()).getRank() -
      (product.getSiteAttr().getWeight() == Side::Lhs ? 2 : 1);
  if (!hidden || match.result.indices[features] != hidden)
    return fail("the sum is not over experts, or its last dim is not the "
                "hidden dim");
  match.hidden = hidden.getPosition();
  // A sum over tokens leaves the matrix of the batch as it is.
  ArrayRef<AffineExpr> indices = match.result.indices;
  if (indices.size() == 3 && tracer.getSize(match.expert) != 1 &&
      !indices[0].isFunctionOfDim(match.expert))
    return fail("the sum is not over experts, or its last dim is not the "
                "hidden dim");
  for (auto [dim, expr] : llvm::enumerate(dims))
    if (auto loop = dyn_cast<AffineDimExpr>(expr)) {
      match.tokens.push_back(loop.getPosition());
      match.tokenDims.push_back(dim);
    }
  if (match.tokens.empty() || match.tokens.size() + 2 != sum.getNumLoops())
    return fail("the sum has no dim of tokens");
  // Slots that are spread over tokens by a matrix are sent once, not per token.
  for (unsigned loop : match.tokens)
    if (tracer.getSize(loop) != 1 &&
        llvm::none_of(match.result.indices, [&](AffineExpr index) {
          return index.isFunctionOfDim(loop);
        }))
      return fail("a product with a matrix adds up its results");
  if (!isZeroTensor(sum.getDpsInits()[0]))
    return fail("the sum over experts does not start at zero");
  int64_t size = tracer.getSize(match.hidden);
  if (ShapedType::isDynamic(size))
    return fail("the size of its hidden dim is not known");
  if (transform != 0 && size % transform != 0)
    return fail("its hidden dim of " + Twine(size) +
                " is no multiple of the transform size " + Twine(transform));
  if (!isSupportedElementType(
          getElementTypeOrSelf(sum->getResult(0).getType())))
    return fail("the sum is not of f32, bf16 or f16");
  return match;
}

//===----------------------------------------------------------------------===//
// Gate
//===----------------------------------------------------------------------===//

/// A scalar that is the same for all elements; null of another.
static Value getOutside(const Scalar &scalar) {
  linalg::LinalgOp op = scalar.op;
  Value value = scalar.value;
  if (!op->getRegion(0).isAncestor(value.getParentRegion()))
    return value;
  auto argument = dyn_cast<BlockArgument>(value);
  if (!argument)
    return nullptr;
  OpOperand *operand = op.getMatchingOpOperand(argument);
  return op.isDpsInput(operand) && op.isScalar(operand) ? operand->get()
                                                        : nullptr;
}

bool Gate::collect() {
  type = sum.gate.value.getType();
  return isSupportedElementType(type) && collect(sum.gate);
}

Value Gate::build(OpBuilder &builder, Location loc,
                  ArrayRef<OpFoldResult> sizes) const {
  MLIRContext *context = tracer.getContext();
  SmallVector<AffineExpr> dims(tracer.getNumLoops(),
                               getAffineConstantExpr(0, context));
  dims[sum.expert] = getAffineDimExpr(0, context);
  for (auto [number, loop] : llvm::enumerate(sum.tokens))
    dims[loop] = getAffineDimExpr(number + 1, context);
  SmallVector<Value> operands;
  SmallVector<AffineMap> maps;
  for (const Access &input : inputs) {
    operands.push_back(input.tensor);
    SmallVector<AffineExpr> indices;
    for (AffineExpr index : input.indices)
      indices.push_back(index.replaceDims(dims));
    maps.push_back(AffineMap::get(sizes.size(), 0, indices, context));
  }
  maps.push_back(builder.getMultiDimIdentityMap(sizes.size()));
  Value init = tensor::EmptyOp::create(builder, loc, sizes, type);
  SmallVector<utils::IteratorType> iterators(sizes.size(),
                                             utils::IteratorType::parallel);
  return linalg::GenericOp::create(
             builder, loc, init.getType(), operands, init, maps, iterators,
             [&](OpBuilder &body, Location bodyLoc, ValueRange arguments) {
               size_t next = 0;
               Value value = emit(body, sum.gate, arguments, next);
               linalg::YieldOp::create(body, bodyLoc, value);
             })
      .getResult(0);
}

bool Gate::collect(const Scalar &scalar) {
  if (++count > kLargestGate)
    return false;
  if (std::optional<Access> access = Tracer::getAccess(scalar)) {
    std::optional<Scalar> behind;
    if (!skipToInput(*access, behind))
      return false;
    if (behind)
      return collect(*behind);
    inputs.push_back(*access);
    return true;
  }
  if (getOutside(scalar))
    return true;
  Operation *op = scalar.value.getDefiningOp();
  if (!op || op->getNumResults() != 1 || op->getNumRegions() != 0 ||
      !isPure(op) || isa<linalg::IndexOp>(op))
    return false;
  return llvm::all_of(op->getOperands(), [&](Value operand) {
    return collect(Scalar{operand, scalar.op, scalar.loops});
  });
}

Value Gate::emit(OpBuilder &builder, const Scalar &scalar, ValueRange arguments,
                 size_t &next) const {
  if (std::optional<Access> access = Tracer::getAccess(scalar)) {
    std::optional<Scalar> behind;
    (void)skipToInput(*access, behind);
    return behind ? emit(builder, *behind, arguments, next) : arguments[next++];
  }
  if (Value outside = getOutside(scalar))
    return outside;
  Operation *op = scalar.value.getDefiningOp();
  IRMapping mapping;
  for (Value operand : op->getOperands())
    mapping.map(operand, emit(builder, Scalar{operand, scalar.op, scalar.loops},
                              arguments, next));
  return builder.clone(*op, mapping)->getResult(0);
}

bool Gate::dependsOnHidden(const Access &access) const {
  return llvm::any_of(access.indices, [&](AffineExpr index) {
    return index.isFunctionOfDim(sum.hidden);
  });
}

bool Gate::skipToInput(Access &access, std::optional<Scalar> &behind) const {
  while (dependsOnHidden(access)) {
    if ((behind = Tracer::getYielded(access)))
      return true;
    std::optional<Access> moved = tracer.getMoved(access);
    if (!moved)
      return false;
    access = *moved;
  }
  return true;
}
