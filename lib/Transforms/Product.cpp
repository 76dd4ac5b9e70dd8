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

/// The static size of a loop, from whichever operand has one.
static int64_t getLoopSize(linalg::LinalgOp op, unsigned loop) {
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

//===----------------------------------------------------------------------===//
// The form of the dialect
//===----------------------------------------------------------------------===//

namespace {
using Atoms = SmallVector<unsigned>;

/// The loops of a product, split into atoms where a reshape of an operand
/// splits them. Atoms of size 1 are left out everywhere.
class IndexSpace {
public:
  unsigned add(int64_t size) {
    sizes.push_back(size);
    parts.emplace_back();
    return sizes.size() - 1;
  }

  /// The atoms that `atoms` consist of after all splits so far.
  Atoms resolve(ArrayRef<unsigned> atoms) const {
    Atoms result;
    for (unsigned atom : atoms) {
      if (parts[atom].empty())
        result.push_back(atom);
      else
        llvm::append_range(result, resolve(parts[atom]));
    }
    return result;
  }

  /// Distributes the atoms of one dim to the dims that it was collapsed from.
  std::optional<SmallVector<Atoms>> distribute(ArrayRef<unsigned> unresolved,
                                               ArrayRef<int64_t> shape) {
    Atoms atoms = resolve(unresolved);
    SmallVector<Atoms> result(shape.size());
    SmallVector<unsigned> dims;
    for (auto [dim, size] : llvm::enumerate(shape))
      if (size != 1)
        dims.push_back(dim);
    if (dims.empty())
      return atoms.empty() ? std::make_optional(result) : std::nullopt;
    if (dims.size() == 1) {
      result[dims[0]] = atoms;
      return result;
    }
    if (atoms.size() == 1) {
      for (unsigned dim : dims)
        result[dim] = {splitOff(atoms[0], shape[dim])};
      return result;
    }
    if (atoms.size() == dims.size() && matches(atoms, dims, shape)) {
      for (auto [atom, dim] : llvm::zip_equal(atoms, dims))
        result[dim] = {atom};
      return result;
    }
    if (ShapedType::isDynamicShape(shape) ||
        llvm::any_of(atoms, [&](unsigned atom) {
          return ShapedType::isDynamic(sizes[atom]);
        }))
      return std::nullopt;
    return distributeStatic(atoms, dims, shape);
  }

private:
  unsigned splitOff(unsigned atom, int64_t size) {
    unsigned part = add(size);
    parts[atom].push_back(part);
    return part;
  }

  bool matches(ArrayRef<unsigned> atoms, ArrayRef<unsigned> dims,
               ArrayRef<int64_t> shape) const {
    unsigned numDynamic = 0;
    for (auto [atom, dim] : llvm::zip_equal(atoms, dims)) {
      if (sizes[atom] != shape[dim])
        return false;
      numDynamic += ShapedType::isDynamic(shape[dim]);
    }
    return numDynamic <= 1;
  }

  std::optional<SmallVector<Atoms>> distributeStatic(Atoms atoms,
                                                     ArrayRef<unsigned> dims,
                                                     ArrayRef<int64_t> shape) {
    SmallVector<Atoms> result(shape.size());
    std::reverse(atoms.begin(), atoms.end());
    for (unsigned dim : dims) {
      int64_t rest = shape[dim];
      while (rest > 1) {
        if (atoms.empty())
          return std::nullopt;
        unsigned atom = atoms.pop_back_val();
        if (rest % sizes[atom] == 0) {
          result[dim].push_back(atom);
          rest /= sizes[atom];
          continue;
        }
        if (sizes[atom] % rest != 0)
          return std::nullopt;
        int64_t inner = sizes[atom] / rest;
        result[dim].push_back(splitOff(atom, rest));
        atoms.push_back(splitOff(atom, inner));
        rest = 1;
      }
    }
    return atoms.empty() ? std::make_optional(result) : std::nullopt;
  }

  SmallVector<int64_t> sizes;
  SmallVector<Atoms> parts;
};

/// A value on the way from an operand to its source.
struct View {
  Value value;
  SmallVector<Atoms> dims;

  Atoms getAtoms(const IndexSpace &space) const {
    Atoms atoms;
    for (const Atoms &dim : dims)
      llvm::append_range(atoms, space.resolve(dim));
    return atoms;
  }
};

class FormBuilder {
public:
  FormBuilder(Product &product) : product(product) {
    for (unsigned loop = 0; loop < product.op.getNumLoops(); ++loop) {
      loopSizes.push_back(getLoopSize(product.op, loop));
      space.add(loopSizes.back());
    }
    out.value = product.getResult();
    out.dims = getDims(product.outMap);
  }

  /// The views of an operand, the operand itself first. `all` follows slices
  /// and gathers as well.
  SmallVector<View> getViews(const Multiplicand &multiplicand, bool all) {
    SmallVector<View> views = {{multiplicand.value, getDims(multiplicand.map)}};
    while (std::optional<View> next = stepBack(views.back(), all))
      views.push_back(*next);
    return views;
  }

  bool isContracted(unsigned atom) const {
    return !llvm::is_contained(out.getAtoms(space), atom);
  }
  Atoms resolve(ArrayRef<unsigned> atoms) const { return space.resolve(atoms); }

  FailureOr<ContractionForm> build(std::array<bool, 2> keepBatch) {
    views[0] = getViews(product.lhs, /*all=*/false);
    views[1] = getViews(product.rhs, /*all=*/false);
    for (const View &rhs : llvm::reverse(views[1]))
      for (const View &lhs : llvm::reverse(views[0]))
        if (auto form = fit(lhs, rhs, keepBatch))
          return *form;
    return failure();
  }

private:
  SmallVector<Atoms> getDims(AffineMap map) const {
    SmallVector<Atoms> dims;
    for (AffineExpr expr : map.getResults()) {
      dims.emplace_back();
      if (auto dim = dyn_cast<AffineDimExpr>(expr))
        if (loopSizes[dim.getPosition()] != 1)
          dims.back().push_back(dim.getPosition());
    }
    return dims;
  }

  std::optional<View> stepBack(const View &view, bool all);
  std::optional<ContractionForm> fit(const View &lhs, const View &rhs,
                                     std::array<bool, 2> keepBatch);
  std::optional<OperandForm> fitOperand(unsigned side, const View &view,
                                        ArrayRef<Atoms> orders, bool first);
  std::optional<SmallVector<SmallVector<int64_t>>>
  group(const View &view, ArrayRef<Atoms> targets) const;

  Product &product;
  IndexSpace space;
  SmallVector<int64_t> loopSizes;
  View out;
  std::array<SmallVector<View>, 2> views;
};
} // namespace

std::optional<View> FormBuilder::stepBack(const View &view, bool all) {
  std::optional<Move> move = getMove(view.value);
  if (!move)
    return std::nullopt;
  auto type = cast<RankedTensorType>(move->source.getType());
  bool partial = move->kind == Move::Slice || move->kind == Move::Gather;
  if ((partial && !all) || !isSupportedElementType(type.getElementType()))
    return std::nullopt;
  View source{move->source, SmallVector<Atoms>(type.getRank())};
  switch (move->kind) {
  case Move::Map:
  case Move::Slice:
  case Move::Gather:
    for (auto [dim, expr] : llvm::enumerate(move->map.getResults()))
      if (auto position = dyn_cast<AffineDimExpr>(expr))
        source.dims[dim] = view.dims[position.getPosition()];
    return source;
  case Move::Expand:
    for (auto [dim, group] : llvm::enumerate(move->reassociation))
      for (int64_t member : group)
        llvm::append_range(source.dims[dim], view.dims[member]);
    return source;
  case Move::Collapse:
    for (auto [dim, group] : llvm::enumerate(move->reassociation)) {
      SmallVector<int64_t> shape;
      for (int64_t member : group)
        shape.push_back(type.getDimSize(member));
      auto parts = space.distribute(view.dims[dim], shape);
      if (!parts)
        return std::nullopt;
      for (auto [member, part] : llvm::zip_equal(group, *parts))
        source.dims[member] = part;
    }
    return source;
  }
  llvm_unreachable("unknown kind of movement");
}

/// Groups the dims of `view` so that group i holds exactly the atoms
/// `targets[i]`, in order. Unit dims fill groups without atoms where they stand
/// in the right place, and join a neighbour elsewhere.
std::optional<SmallVector<SmallVector<int64_t>>>
FormBuilder::group(const View &view, ArrayRef<Atoms> targets) const {
  SmallVector<SmallVector<int64_t>> groups(targets.size());
  SmallVector<int64_t> units;
  unsigned current = 0;
  bool any = false;
  size_t taken = 0;
  auto placeUnits = [&](unsigned next) {
    // Groups strictly between the two neighbours have no atoms.
    for (unsigned empty = any ? current + 1 : 0; empty < next; ++empty)
      if (!units.empty()) {
        groups[empty].push_back(units.front());
        units.erase(units.begin());
      }
    SmallVector<int64_t> &rest = next < targets.size() ? groups[next]
                                 : any                 ? groups[current]
                                                       : groups.back();
    // What is left stands behind the last group filled.
    if (!units.empty() && next >= targets.size()) {
      unsigned last = targets.size();
      while (last > 0 && groups[last - 1].empty())
        --last;
      if (last > 0) {
        llvm::append_range(groups[last - 1], units);
        units.clear();
        return;
      }
    }
    llvm::append_range(rest, units);
    units.clear();
  };
  for (auto [dim, unresolved] : llvm::enumerate(view.dims)) {
    Atoms atoms = space.resolve(unresolved);
    if (atoms.empty()) {
      units.push_back(dim);
      continue;
    }
    unsigned target = any ? current : 0;
    if (any && taken == targets[current].size())
      ++target;
    while (target < targets.size() && targets[target].empty())
      ++target;
    if (target == targets.size())
      return std::nullopt;
    bool fresh = !any || target != current;
    size_t offset = fresh ? 0 : taken;
    ArrayRef<unsigned> expected = ArrayRef(targets[target]).drop_front(offset);
    if (expected.take_front(atoms.size()) != ArrayRef(atoms))
      return std::nullopt;
    if (!units.empty()) {
      if (fresh)
        placeUnits(target);
      else {
        llvm::append_range(groups[target], units);
        units.clear();
      }
    }
    groups[target].push_back(dim);
    current = target;
    taken = offset + atoms.size();
    any = true;
  }
  // All atoms of all targets have been seen.
  unsigned last = any ? current : 0;
  if (any && taken != targets[current].size())
    return std::nullopt;
  for (unsigned target = any ? last + 1 : 0; target < targets.size(); ++target)
    if (!targets[target].empty())
      return std::nullopt;
  placeUnits(targets.size());
  return groups;
}

/// `orders` are the atoms of batch (may be missing), free and contracted dims.
std::optional<OperandForm> FormBuilder::fitOperand(unsigned side,
                                                   const View &view,
                                                   ArrayRef<Atoms> orders,
                                                   bool first) {
  // The dialect's lhs has its contracted dim last, its rhs its free dim.
  auto tryFit = [&](const View &candidate,
                    bool transposed) -> std::optional<OperandForm> {
    SmallVector<Atoms> targets(orders);
    if (first == transposed)
      std::swap(targets[targets.size() - 1], targets[targets.size() - 2]);
    auto groups = group(candidate, targets);
    if (!groups)
      return std::nullopt;
    return OperandForm{candidate.value, transposed, false, *groups};
  };
  auto isExact = [](const OperandForm &form) {
    return llvm::all_of(form.groups, [](const SmallVector<int64_t> &group) {
      return group.size() == 1;
    });
  };
  std::optional<OperandForm> form;
  // Contracted dims last where both orders fit: a unit free dim fits anywhere.
  for (bool transposed : {!first, first})
    if (auto candidate = tryFit(view, transposed))
      if (!form || (!isExact(*form) && isExact(*candidate)))
        form = candidate;
  if (!form || isExact(*form))
    return form;
  // The program's own reshape serves as well as a new one.
  Atoms atoms = view.getAtoms(space);
  Type elementType = getElementTypeOrSelf(view.value);
  for (const View &other : llvm::reverse(views[side])) {
    if (getElementTypeOrSelf(other.value) != elementType ||
        other.getAtoms(space) != atoms)
      continue;
    if (auto candidate = tryFit(other, form->transposed))
      if (isExact(*candidate))
        return candidate;
  }
  return form;
}

std::optional<ContractionForm> FormBuilder::fit(const View &lhs,
                                                const View &rhs,
                                                std::array<bool, 2> keepBatch) {
  std::array<Atoms, 2> atoms = {lhs.getAtoms(space), rhs.getAtoms(space)};
  for (unsigned side : {0, 1})
    if (keepBatch[side] &&
        atoms[side].size() != views[side].front().getAtoms(space).size())
      return std::nullopt;
  Atoms outAtoms = out.getAtoms(space);
  std::array<Atoms, 2> contracted;
  for (unsigned side : {0, 1})
    for (unsigned atom : atoms[side])
      if (!llvm::is_contained(outAtoms, atom))
        contracted[side].push_back(atom);
  if (contracted[0].empty() || contracted[0] != contracted[1])
    return std::nullopt;
  auto isIn = [&](unsigned side, unsigned atom) {
    return llvm::is_contained(atoms[side], atom);
  };

  for (size_t numBatch = 0; numBatch <= outAtoms.size(); ++numBatch) {
    ArrayRef<unsigned> batch = ArrayRef(outAtoms).take_front(numBatch);
    ArrayRef<unsigned> rest = ArrayRef(outAtoms).drop_front(numBatch);
    std::array<bool, 2> hasBatch;
    bool uniform = true;
    for (unsigned side : {0, 1}) {
      size_t count = llvm::count_if(
          batch, [&](unsigned atom) { return isIn(side, atom); });
      hasBatch[side] = numBatch != 0 && count == numBatch;
      uniform &= count == 0 || count == numBatch;
    }
    if (!uniform || (numBatch != 0 && !hasBatch[0] && !hasBatch[1]))
      continue;
    // A run of one operand's free dims, then a run of the other's.
    std::array<Atoms, 2> free;
    bool swapped = false, fits = true;
    for (auto [position, atom] : llvm::enumerate(rest)) {
      if (isIn(0, atom) == isIn(1, atom)) {
        fits = false;
        break;
      }
      unsigned side = isIn(0, atom) ? 0 : 1;
      if (position == 0)
        swapped = side == 1 && llvm::any_of(rest, [&](unsigned other) {
                    return isIn(0, other);
                  });
      if (side == swapped && !free[!swapped].empty())
        fits = false;
      free[side].push_back(atom);
    }
    if (!fits)
      continue;

    ContractionForm form;
    form.batched = numBatch != 0;
    form.swapped = swapped;
    std::array<const View *, 2> sides = {&lhs, &rhs};
    std::array<OperandForm *, 2> forms = {&form.lhs, &form.rhs};
    for (unsigned position : {0, 1}) {
      unsigned side = position ^ (swapped ? 1 : 0);
      SmallVector<Atoms> orders;
      if (hasBatch[side])
        orders.push_back(Atoms(batch));
      orders.push_back(free[side]);
      orders.push_back(contracted[0]);
      auto operand = fitOperand(side, *sides[side], orders, position == 0);
      if (!operand) {
        fits = false;
        break;
      }
      operand->shared = form.batched && !hasBatch[side];
      *forms[position] = *operand;
    }
    if (!fits)
      continue;
    SmallVector<Atoms> resultOrder;
    if (form.batched)
      resultOrder.push_back(Atoms(batch));
    resultOrder.push_back(free[swapped]);
    resultOrder.push_back(free[!swapped]);
    auto groups = group(out, resultOrder);
    if (!groups)
      continue;
    form.resultGroups = *groups;
    return form;
  }
  return std::nullopt;
}

FailureOr<ContractionForm>
mlir::lowp::getContractionForm(Product &product,
                               std::array<bool, 2> keepBatch) {
  return FormBuilder(product).build(keepBatch);
}

SmallVector<unsigned> mlir::lowp::getContractedDims(Product &product,
                                                    unsigned side) {
  FormBuilder builder(product);
  View root = builder.getViews(product.get(side), /*all=*/true).back();
  SmallVector<unsigned> dims;
  for (auto [dim, atoms] : llvm::enumerate(root.dims))
    if (llvm::any_of(builder.resolve(atoms),
                     [&](unsigned atom) { return builder.isContracted(atom); }))
      dims.push_back(root.dims.size() - dim);
  return dims;
}

//===----------------------------------------------------------------------===//
// Reshapes
//===----------------------------------------------------------------------===//

/// The groups that hold dims, as a reassociation.
static SmallVector<ReassociationIndices>
getReassociation(ArrayRef<SmallVector<int64_t>> groups) {
  SmallVector<ReassociationIndices> reassociation;
  for (const SmallVector<int64_t> &group : groups)
    if (!group.empty())
      reassociation.emplace_back(group.begin(), group.end());
  return reassociation;
}

/// Where the groups without dims stand among the others: a reassociation that
/// inserts their unit dims.
static SmallVector<ReassociationIndices>
getUnitReassociation(ArrayRef<SmallVector<int64_t>> groups) {
  SmallVector<ReassociationIndices> reassociation;
  ReassociationIndices pending;
  for (auto [position, group] : llvm::enumerate(groups)) {
    pending.push_back(position);
    if (group.empty())
      continue;
    reassociation.push_back(pending);
    pending.clear();
  }
  if (!reassociation.empty())
    llvm::append_range(reassociation.back(), pending);
  return reassociation;
}

static bool needsReshape(ArrayRef<SmallVector<int64_t>> groups) {
  return llvm::any_of(groups, [](const SmallVector<int64_t> &group) {
    return group.size() > 1;
  });
}

static bool hasEmptyGroup(ArrayRef<SmallVector<int64_t>> groups) {
  return llvm::any_of(
      groups, [](const SmallVector<int64_t> &group) { return group.empty(); });
}

/// The type of a tensor with one dim per group.
static RankedTensorType getGroupedType(RankedTensorType type,
                                       ArrayRef<SmallVector<int64_t>> groups) {
  SmallVector<int64_t> shape;
  for (const SmallVector<int64_t> &group : groups) {
    int64_t size = 1;
    for (int64_t dim : group)
      size = ShapedType::isDynamic(size) || type.isDynamicDim(dim)
                 ? ShapedType::kDynamic
                 : size * type.getDimSize(dim);
    shape.push_back(size);
  }
  return RankedTensorType::get(shape, type.getElementType());
}

Value mlir::lowp::collapseGroups(OpBuilder &builder, Location loc, Value value,
                                 ArrayRef<SmallVector<int64_t>> groups) {
  auto type = cast<RankedTensorType>(value.getType());
  RankedTensorType grouped = getGroupedType(type, groups);
  if (needsReshape(groups))
    value = tensor::CollapseShapeOp::create(builder, loc, value,
                                            getReassociation(groups));
  if (hasEmptyGroup(groups))
    value = tensor::ExpandShapeOp::create(builder, loc, grouped, value,
                                          getUnitReassociation(groups));
  return value;
}

Value mlir::lowp::expandGroups(OpBuilder &builder, Location loc, Value value,
                               ArrayRef<SmallVector<int64_t>> groups,
                               Value like) {
  auto type = cast<RankedTensorType>(like.getType());
  if (hasEmptyGroup(groups))
    value = tensor::CollapseShapeOp::create(builder, loc, value,
                                            getUnitReassociation(groups));
  if (needsReshape(groups))
    value = tensor::ExpandShapeOp::create(
        builder, loc, type, value, getReassociation(groups),
        tensor::getMixedSizes(builder, loc, like));
  if (value.getType() != type)
    value = tensor::CastOp::create(builder, loc, type, value);
  return value;
}

Value mlir::lowp::materialize(OpBuilder &builder, Location loc,
                              const OperandForm &form) {
  return collapseGroups(builder, loc, form.value, form.groups);
}
