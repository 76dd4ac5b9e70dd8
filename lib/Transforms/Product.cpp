//===- Product.cpp - contractions of linalg as products -*- C++ -*-===//
//
// Part of the lowp project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Product.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/IR/Matchers.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"

#include "llvm/ADT/SetVector.h"

using namespace mlir;
using namespace mlir::lowp;

bool mlir::lowp::isSupportedElementType(Type type) {
  return type.isF32() || type.isBF16() || type.isF16();
}

//===----------------------------------------------------------------------===//
// Matching
//===----------------------------------------------------------------------===//

/// A value of the body behind the extensions to a wider type.
static Value stripExtensions(Value value) {
  while (auto extension = value.getDefiningOp<arith::ExtFOp>())
    value = extension.getIn();
  return value;
}

/// Calls `visit` with every operand dim that `loop` indexes, until it returns
/// true.
static bool visitExtents(linalg::LinalgOp op, unsigned loop,
                         llvm::function_ref<bool(Value, unsigned)> visit) {
  AffineExpr expr = getAffineDimExpr(loop, op->getContext());
  for (OpOperand &operand : op->getOpOperands())
    for (auto [dim, result] :
         llvm::enumerate(op.getMatchingIndexingMap(&operand).getResults()))
      if (result == expr && visit(operand.get(), dim))
        return true;
  return false;
}

int64_t mlir::lowp::getLoopSize(linalg::LinalgOp op, unsigned loop) {
  int64_t size = ShapedType::kDynamic;
  visitExtents(op, loop, [&](Value operand, unsigned dim) {
    size = cast<ShapedType>(operand.getType()).getDimSize(dim);
    return !ShapedType::isDynamic(size);
  });
  return size;
}

LogicalResult mlir::lowp::verifyLoopSizes(linalg::LinalgOp op) {
  for (unsigned loop = 0; loop < op.getNumLoops(); ++loop) {
    int64_t expected = getLoopSize(op, loop), other = 0;
    bool differs = visitExtents(op, loop, [&](Value operand, unsigned dim) {
      other = cast<ShapedType>(operand.getType()).getDimSize(dim);
      return !ShapedType::isDynamic(other) && other != expected;
    });
    if (differs)
      return op->emitOpError("expects operands of matching sizes, but got ")
             << expected << " and " << other << " along one loop";
  }
  return success();
}

/// Collects what computes `element` in the body of `op`, operands first.
/// Returns false when it depends on the accumulator.
static bool collectComputation(Value element, linalg::LinalgOp op,
                               llvm::SetVector<Operation *> &computation,
                               llvm::SetVector<BlockArgument> &inputs) {
  Block *body = op.getBlock();
  if (auto argument = dyn_cast<BlockArgument>(element)) {
    if (argument.getOwner() != body)
      return true;
    if (argument.getArgNumber() >= op.getNumDpsInputs())
      return false;
    inputs.insert(argument);
    return true;
  }
  Operation *definition = element.getDefiningOp();
  if (definition->getBlock() != body || computation.contains(definition))
    return true;
  if (definition->getNumRegions() != 0)
    return false;
  for (Value operand : definition->getOperands())
    if (!collectComputation(operand, op, computation, inputs))
      return false;
  computation.insert(definition);
  return true;
}

/// Makes `element`, an elementwise function of the inputs of the product, a
/// tensor: an input itself, or the result of a new generic in front of `op`.
static FailureOr<Multiplicand>
splitMultiplicand(RewriterBase &rewriter, Product &product, Value element) {
  linalg::LinalgOp op = product.op;
  llvm::SetVector<Operation *> computation;
  llvm::SetVector<BlockArgument> inputs;
  if (!collectComputation(element, op, computation, inputs) || inputs.empty())
    return failure();
  if (computation.empty()) {
    OpOperand *input = op.getDpsInputOperand(inputs[0].getArgNumber());
    return Multiplicand{input->get(), op.getMatchingIndexingMap(input)};
  }

  // The loops that the multiplicand varies with, free ones first.
  llvm::SmallBitVector used(op.getNumLoops());
  for (BlockArgument argument : inputs) {
    AffineMap map = op.getMatchingIndexingMap(
        op.getDpsInputOperand(argument.getArgNumber()));
    for (unsigned loop = 0; loop < op.getNumLoops(); ++loop)
      if (map.isFunctionOfDim(loop))
        used.set(loop);
  }
  for (Operation *definition : computation)
    if (auto index = dyn_cast<linalg::IndexOp>(definition))
      used.set(index.getDim());
  SmallVector<unsigned> loops;
  SmallVector<utils::IteratorType> iterators = op.getIteratorTypesArray();
  for (bool parallel : {true, false})
    for (unsigned loop : used.set_bits())
      if ((iterators[loop] == utils::IteratorType::parallel) == parallel)
        loops.push_back(loop);

  MLIRContext *context = op->getContext();
  SmallVector<AffineExpr> newDims(op.getNumLoops(),
                                  getAffineConstantExpr(0, context));
  SmallVector<AffineExpr> oldDims;
  for (auto [position, loop] : llvm::enumerate(loops)) {
    newDims[loop] = getAffineDimExpr(position, context);
    oldDims.push_back(getAffineDimExpr(loop, context));
  }

  OpBuilder::InsertionGuard guard(rewriter);
  rewriter.setInsertionPoint(op);
  SmallVector<OpFoldResult> sizes;
  for (unsigned loop : loops) {
    bool found = visitExtents(op, loop, [&](Value operand, unsigned dim) {
      sizes.push_back(
          tensor::getMixedSize(rewriter, op.getLoc(), operand, dim));
      return true;
    });
    if (!found)
      return failure();
  }
  SmallVector<Value> operands;
  SmallVector<AffineMap> maps;
  for (BlockArgument argument : inputs) {
    OpOperand *input = op.getDpsInputOperand(argument.getArgNumber());
    operands.push_back(input->get());
    maps.push_back(op.getMatchingIndexingMap(input).replaceDimsAndSymbols(
        newDims, {}, loops.size(), 0));
  }
  maps.push_back(rewriter.getMultiDimIdentityMap(loops.size()));
  Value empty =
      tensor::EmptyOp::create(rewriter, op.getLoc(), sizes, element.getType());
  auto generic = linalg::GenericOp::create(
      rewriter, op.getLoc(), empty.getType(), operands, empty, maps,
      SmallVector<utils::IteratorType>(loops.size(),
                                       utils::IteratorType::parallel),
      [&](OpBuilder &builder, Location loc, ValueRange arguments) {
        IRMapping mapping;
        for (auto [position, argument] : llvm::enumerate(inputs))
          mapping.map(argument, arguments[position]);
        for (Operation *definition : computation) {
          if (auto index = dyn_cast<linalg::IndexOp>(definition)) {
            auto position = llvm::find(loops, index.getDim()) - loops.begin();
            mapping.map(index.getResult(),
                        linalg::IndexOp::create(builder, loc, position));
            continue;
          }
          builder.clone(*definition, mapping);
        }
        linalg::YieldOp::create(builder, loc, mapping.lookup(element));
      });
  product.split.push_back(generic);
  return Multiplicand{generic.getResult(0),
                      AffineMap::get(op.getNumLoops(), 0, oldDims, context)};
}

/// Every result is a loop or the constant 0, and no loop comes twice.
static bool isLoopMap(AffineMap map) {
  return map.isProjectedPermutation(/*allowZeroInResults=*/true);
}

FailureOr<Product> mlir::lowp::matchProduct(RewriterBase &rewriter,
                                            linalg::LinalgOp op,
                                            std::string &why) {
  if (op.getNumDpsInits() != 1 || op.getNumReductionLoops() == 0 ||
      op->getNumRegions() != 1)
    return failure();
  Block *body = op.getBlock();
  auto sum =
      body->getTerminator()->getOperand(0).getDefiningOp<arith::AddFOp>();
  if (!sum)
    return failure();
  BlockArgument accumulator = body->getArgument(op.getNumDpsInputs());
  Value addend = sum.getLhs() == accumulator   ? sum.getRhs()
                 : sum.getRhs() == accumulator ? sum.getLhs()
                                               : Value();
  auto multiplication =
      addend ? addend.getDefiningOp<arith::MulFOp>() : arith::MulFOp();
  if (!multiplication)
    return failure();

  if (!op.hasPureTensorSemantics()) {
    why = "it does not work on tensors";
    return failure();
  }
  if (!isSupportedElementType(accumulator.getType())) {
    llvm::raw_string_ostream(why)
        << "it accumulates in " << accumulator.getType()
        << "; supported are f32, bf16 and f16";
    return failure();
  }
  for (Operation &nested : *body)
    if (!isMemoryEffectFree(&nested)) {
      why = ("its body contains '" + nested.getName().getStringRef() +
             "', which has side effects")
                .str();
      return failure();
    }
  Product product;
  product.op = op;
  product.outMap = op.getMatchingIndexingMap(&op.getDpsInitsMutable()[0]);
  for (OpOperand &operand : op->getOpOperands()) {
    if (isLoopMap(op.getMatchingIndexingMap(&operand)))
      continue;
    why = "an operand is not indexed by loops alone, as in a convolution";
    return failure();
  }

  FailureOr<Multiplicand> lhs = splitMultiplicand(
      rewriter, product, stripExtensions(multiplication.getLhs()));
  FailureOr<Multiplicand> rhs = splitMultiplicand(
      rewriter, product, stripExtensions(multiplication.getRhs()));
  if (failed(lhs) || failed(rhs)) {
    why = "a multiplicand is not an elementwise function of the inputs";
    return failure();
  }
  product.lhs = *lhs;
  product.rhs = *rhs;
  for (const Multiplicand &multiplicand : {product.lhs, product.rhs}) {
    Type type = getElementTypeOrSelf(multiplicand.value);
    if (isSupportedElementType(type))
      continue;
    llvm::raw_string_ostream(why) << "it multiplies values of type " << type
                                  << "; supported are f32, bf16 and f16";
    return failure();
  }
  return product;
}

//===----------------------------------------------------------------------===//
// Exact data movement
//===----------------------------------------------------------------------===//

/// A step back through a linalg operation that copies its input, possibly with
/// another order of dims, broadcast or extended to a wider type.
static std::optional<Move> getLinalgMove(linalg::LinalgOp op) {
  if (op.getNumDpsInits() != 1 || op->getNumRegions() != 1 ||
      op.getNumParallelLoops() != op.getNumLoops() ||
      !op.hasPureTensorSemantics())
    return std::nullopt;
  Block *body = op.getBlock();
  Value yielded = stripExtensions(
      cast<linalg::YieldOp>(body->getTerminator()).getValues()[0]);
  AffineMap out = op.getMatchingIndexingMap(&op.getDpsInitsMutable()[0]);
  if (!out.isPermutation())
    return std::nullopt;
  AffineMap toLoops = inversePermutation(out);

  if (auto argument = dyn_cast<BlockArgument>(yielded)) {
    if (argument.getOwner() != body ||
        argument.getArgNumber() >= op.getNumDpsInputs())
      return std::nullopt;
    OpOperand *input = op.getDpsInputOperand(argument.getArgNumber());
    auto type = dyn_cast<RankedTensorType>(input->get().getType());
    AffineMap map = op.getMatchingIndexingMap(input);
    if (!type || !isLoopMap(map))
      return std::nullopt;
    for (auto [dim, result] : llvm::enumerate(map.getResults()))
      if (isa<AffineConstantExpr>(result) && type.getDimSize(dim) != 1)
        return std::nullopt;
    return Move{Move::Map, input->get(), map.compose(toLoops), {}};
  }

  // A gather of matrices: which matrix is computed, the rest is a copy. Rows
  // that are gathered from a table are activations.
  auto extract = yielded.getDefiningOp<tensor::ExtractOp>();
  if (!extract || extract->getBlock() != body)
    return std::nullopt;
  Value source = extract.getTensor();
  if (source.getParentBlock() == body)
    return std::nullopt;
  int64_t rank = extract.getTensor().getType().getRank();
  if (rank < 3)
    return std::nullopt;
  MLIRContext *context = op->getContext();
  SmallVector<AffineExpr> exprs(rank, getAffineConstantExpr(0, context));
  for (int64_t dim = rank - 2; dim < rank; ++dim) {
    auto index = extract.getIndices()[dim].getDefiningOp<linalg::IndexOp>();
    if (!index)
      return std::nullopt;
    exprs[dim] = toLoops.getResult(index.getDim());
  }
  return Move{Move::Gather,
              source,
              AffineMap::get(op.getNumLoops(), 0, exprs, context),
              {}};
}

std::optional<Move> mlir::lowp::getMove(Value value) {
  Operation *definition = value.getDefiningOp();
  auto type = dyn_cast<RankedTensorType>(value.getType());
  if (!definition || !type)
    return std::nullopt;
  MLIRContext *context = value.getContext();
  auto identity = AffineMap::getMultiDimIdentityMap(type.getRank(), context);
  if (auto op = dyn_cast<linalg::LinalgOp>(definition))
    return getLinalgMove(op);
  if (auto op = dyn_cast<tensor::CollapseShapeOp>(definition))
    return Move{Move::Collapse, op.getSrc(), {}, op.getReassociationIndices()};
  if (auto op = dyn_cast<tensor::ExpandShapeOp>(definition))
    return Move{Move::Expand, op.getSrc(), {}, op.getReassociationIndices()};
  if (auto op = dyn_cast<tensor::CastOp>(definition)) {
    if (isa<RankedTensorType>(op.getSource().getType()))
      return Move{Move::Map, op.getSource(), identity, {}};
    return std::nullopt;
  }
  if (auto op = dyn_cast<arith::ExtFOp>(definition))
    return Move{Move::Map, op.getIn(), identity, {}};
  if (auto op = dyn_cast<tensor::ExtractSliceOp>(definition)) {
    // Dim i of the source is the result dim that it became.
    llvm::SmallBitVector dropped = op.getDroppedDims();
    SmallVector<AffineExpr> exprs;
    unsigned next = 0;
    for (int64_t dim = 0; dim < op.getSourceType().getRank(); ++dim)
      exprs.push_back(dropped.test(dim) ? getAffineConstantExpr(0, context)
                                        : getAffineDimExpr(next++, context));
    return Move{Move::Slice,
                op.getSource(),
                AffineMap::get(type.getRank(), 0, exprs, context),
                {}};
  }
  return std::nullopt;
}

Source mlir::lowp::getSource(Value value) {
  Source source{value};
  while (std::optional<Move> move = getMove(source.root)) {
    source.root = move->source;
    source.gathered |= move->kind == Move::Gather;
  }
  return source;
}

bool mlir::lowp::isZeroTensor(Value value) {
  while (true) {
    Operation *definition = value.getDefiningOp();
    if (!definition)
      return false;
    Attribute constant;
    if (matchPattern(value, m_Constant(&constant))) {
      auto splat = dyn_cast<SplatElementsAttr>(constant);
      return splat && isa<FloatType>(splat.getElementType()) &&
             splat.getSplatValue<APFloat>().isPosZero();
    }
    if (isa<tensor::CollapseShapeOp, tensor::ExpandShapeOp, tensor::CastOp>(
            definition)) {
      value = definition->getOperand(0);
      continue;
    }
    if (auto op = dyn_cast<linalg::FillOp>(definition))
      return matchPattern(op.value(), m_PosZeroFloat());
    // What `linalg-generalize-named-ops` and fusion make of a fill.
    auto op = dyn_cast<linalg::GenericOp>(definition);
    if (!op || op.getNumResults() != 1 ||
        op.getNumParallelLoops() != op.getNumLoops())
      return false;
    auto yield = cast<linalg::YieldOp>(op.getBlock()->getTerminator());
    Value yielded = stripExtensions(yield.getValues()[0]);
    if (matchPattern(yielded, m_PosZeroFloat()))
      return true;
    auto argument = dyn_cast<BlockArgument>(yielded);
    if (!argument || argument.getOwner() != op.getBlock() ||
        argument.getArgNumber() >= op.getNumDpsInputs())
      return false;
    Value input = op.getDpsInputs()[argument.getArgNumber()];
    if (!isa<TensorType>(input.getType()))
      return matchPattern(input, m_PosZeroFloat());
    value = input;
  }
}
