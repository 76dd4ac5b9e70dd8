//===- KernelRows.cpp - What of a kernel belongs to one row ---------------===//
//
// Part of the Lowp project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "KernelRows.h"

#include "lowp/IR/LowpNumerics.h"
#include "lowp/Numerics/Philox.h"

#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/Dialect/Utils/StaticValueUtils.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"
#include "mlir/Interfaces/ValueBoundsOpInterface.h"
#include "mlir/Transforms/RegionUtils.h"

#include <numeric>
#include <queue>

using namespace mlir;
using namespace mlir::lowp;

/// Above this, what cannot be told apart is no row any more.
static constexpr int64_t kMaxGranule = 4096;
/// Elements of 2 bytes in a line of a cache.
static constexpr int64_t kLineElements = 32;

ArrayRef<int64_t> mlir::lowp::getLogicalShape(Type type) {
  if (auto blocked = dyn_cast<BlockedType>(type))
    return blocked.getShape();
  return cast<RankedTensorType>(type).getShape();
}

/// Without dims of one element at the ends, so that there is one way to name
/// the same rows.
static Rows normalize(ArrayRef<int64_t> shape, Rows rows) {
  int64_t begin = rows.first, end = rows.first + rows.count;
  while (end - begin > 1 && shape[begin] == 1)
    ++begin;
  while (end - begin > 1 && shape[end - 1] == 1)
    --end;
  // Nothing but dims of one element.
  if (shape[begin] == 1)
    begin = rows.first, end = begin + 1;
  return {begin, end - begin};
}

SmallVector<Rows> mlir::lowp::getRowCandidates(Type type) {
  ArrayRef<int64_t> shape = getLogicalShape(type);
  int64_t rank = shape.size();
  // One row that is a matrix or more would be no row.
  bool hasRows = rank - llvm::count(shape, 1) > 1;
  SmallVector<Rows> candidates;
  for (int64_t first = 0; first < rank; ++first)
    for (int64_t count = rank - first; count > 0; --count)
      if (normalize(shape, {first, count}) == Rows{first, count} &&
          !(hasRows && shape[first] == 1))
        candidates.push_back({first, count});
  return candidates;
}

bool mlir::lowp::isFreshInit(OpOperand &operand) {
  auto op = dyn_cast<linalg::LinalgOp>(operand.getOwner());
  if (!op || !op.isDpsInit(&operand))
    return false;
  if (!op.payloadUsesValueFromOperand(&operand))
    return true;
  Value value = operand.get();
  if (auto fill = value.getDefiningOp<linalg::FillOp>())
    return fill.getOutputs()[0].getDefiningOp<tensor::EmptyOp>();
  return value.getDefiningOp<tensor::EmptyOp>();
}

bool mlir::lowp::isNoWork(Operation *op) {
  if (op->hasTrait<OpTrait::ConstantLike>() ||
      isa<tensor::EmptyOp, tensor::DimOp, lowp::DimOp>(op))
    return true;
  if (auto fill = dyn_cast<linalg::FillOp>(op))
    return fill.getOutputs()[0].getDefiningOp<tensor::EmptyOp>();
  return op->getNumRegions() == 0 && isPure(op) &&
         llvm::all_of(op->getOperandTypes(), llvm::IsaPred<IndexType>) &&
         llvm::all_of(op->getResultTypes(), llvm::IsaPred<IndexType>);
}

//===----------------------------------------------------------------------===//
// Operations on tensors
//===----------------------------------------------------------------------===//

using ResultRows = ArrayRef<std::optional<Rows>>;

FailureOr<SmallVector<unsigned>>
mlir::lowp::getRowLoops(linalg::LinalgOp op, OpResult result, Rows rows) {
  AffineMap map = op.getIndexingMapMatchingResult(result);
  SmallVector<utils::IteratorType> iterators = op.getIteratorTypesArray();
  SmallVector<unsigned> loops;
  for (AffineExpr expr : map.getResults().slice(rows.first, rows.count)) {
    auto loop = dyn_cast<AffineDimExpr>(expr);
    if (!loop || llvm::is_contained(loops, loop.getPosition()) ||
        iterators[loop.getPosition()] != utils::IteratorType::parallel)
      return failure();
    loops.push_back(loop.getPosition());
  }
  return loops;
}

FailureOr<std::optional<Rows>> mlir::lowp::findRows(AffineMap map,
                                                    ArrayRef<unsigned> loops) {
  std::optional<int64_t> first;
  size_t found = 0;
  for (auto [dim, expr] : llvm::enumerate(map.getResults())) {
    if (llvm::none_of(loops, [&, expr = expr](unsigned loop) {
          return expr.isFunctionOfDim(loop);
        }))
      continue;
    auto loop = dyn_cast<AffineDimExpr>(expr);
    if (!loop || found == loops.size() || loop.getPosition() != loops[found] ||
        (first && static_cast<int64_t>(dim) != *first + (int64_t)found))
      return failure();
    if (!first)
      first = dim;
    ++found;
  }
  if (!first)
    return std::optional<Rows>();
  if (found != loops.size())
    return failure();
  return std::optional<Rows>(Rows{*first, static_cast<int64_t>(found)});
}

static FailureOr<OpRows> getLinalgRows(linalg::LinalgOp op, ResultRows results,
                                       std::string &reason) {
  if (linalg::isaContractionOpInterface(op) ||
      linalg::isaConvolutionOpInterface(op)) {
    reason = "it is a product";
    return failure();
  }
  if (!op.hasPureTensorSemantics() || !isMemoryEffectFree(op) ||
      op.getBlock()->getNumArguments() != op->getNumOperands()) {
    reason = "it has effects";
    return failure();
  }
  const auto *known =
      llvm::find_if(results, [](const auto &rows) { return rows.has_value(); });
  OpResult result = op->getResult(std::distance(results.begin(), known));
  FailureOr<SmallVector<unsigned>> loops = getRowLoops(op, result, **known);
  if (failed(loops)) {
    reason = "a row of its result is not one iteration of its loops";
    return failure();
  }
  bool usesPosition = false, readsTensor = false;
  op->getRegion(0).walk([&](Operation *inner) {
    if (auto index = dyn_cast<linalg::IndexOp>(inner))
      usesPosition |= llvm::is_contained(*loops, index.getDim());
  });
  visitUsedValuesDefinedAbove(op->getRegions(), [&](OpOperand *operand) {
    readsTensor |= !operand->get().getType().isIntOrIndexOrFloat();
  });
  if (usesPosition || readsTensor) {
    reason = usesPosition ? "it computes with the number of a row"
                          : "it reads tensors that are not its operands";
    return failure();
  }

  OpRows found;
  for (OpOperand &operand : op->getOpOperands()) {
    FailureOr<std::optional<Rows>> operandRows =
        findRows(op.getMatchingIndexingMap(&operand), *loops);
    bool isInit = op.isDpsInit(&operand);
    if (failed(operandRows) || (isInit && !*operandRows)) {
      reason = isInit ? "it combines rows"
                      : "an operand is indexed by rows in another way";
      return failure();
    }
    if (isInit)
      found.results.push_back(**operandRows);
    if (isInit && isFreshInit(operand))
      found.operands.push_back(std::nullopt);
    else
      found.operands.push_back(*operandRows);
  }
  return found;
}

/// The dims of rows on the other side of a reshape, of which every group of
/// dims of `shape` is one dim of the side `collapsed`.
static FailureOr<Rows> getExpandedRows(ArrayRef<ReassociationIndices> groups,
                                       ArrayRef<int64_t> shape, Rows rows) {
  // A tensor of rank 0 has none.
  if (rows.first + rows.count > static_cast<int64_t>(groups.size()))
    return failure();
  int64_t first = groups[rows.first].front();
  int64_t last = groups[rows.first + rows.count - 1].back();
  return normalize(shape, {first, last - first + 1});
}

static FailureOr<Rows> getCollapsedRows(ArrayRef<ReassociationIndices> groups,
                                        ArrayRef<int64_t> expanded,
                                        ArrayRef<int64_t> collapsed,
                                        Rows rows) {
  std::optional<int64_t> first, last;
  for (auto [dim, group] : llvm::enumerate(groups)) {
    bool hasRows =
        llvm::any_of(group, [&](int64_t dim) { return rows.contains(dim); });
    if (!hasRows)
      continue;
    // Other elements of the group would lie between rows.
    for (int64_t other : group)
      if (!rows.contains(other) && expanded[other] != 1)
        return failure();
    if (!first)
      first = dim;
    last = dim;
  }
  if (!first)
    return failure();
  return normalize(collapsed, {*first, *last - *first + 1});
}

static FailureOr<OpRows> getReshapeRows(Operation *op, Rows rows,
                                        std::string &reason) {
  FailureOr<Rows> source;
  if (auto collapse = dyn_cast<tensor::CollapseShapeOp>(op))
    source = getExpandedRows(collapse.getReassociationIndices(),
                             collapse.getSrcType().getShape(), rows);
  else if (auto expand = cast<tensor::ExpandShapeOp>(op))
    source = getCollapsedRows(expand.getReassociationIndices(),
                              expand.getResultType().getShape(),
                              expand.getSrcType().getShape(), rows);
  if (failed(source)) {
    reason = "it reshapes rows";
    return failure();
  }
  OpRows found;
  found.operands.assign(op->getNumOperands(), std::nullopt);
  found.operands[0] = *source;
  found.results = {rows};
  return found;
}

static FailureOr<OpRows> getSliceRows(tensor::ExtractSliceOp op, Rows rows,
                                      std::string &reason) {
  auto isWhole = [&](int64_t dim) {
    if (getConstantIntValue(op.getMixedOffsets()[dim]) != 0 ||
        getConstantIntValue(op.getMixedStrides()[dim]) != 1)
      return false;
    FailureOr<bool> equal = ValueBoundsConstraintSet::areEqual(
        {op.getResult(), dim}, {op.getSource(), dim});
    return succeeded(equal) && *equal;
  };
  if (op.getType().getRank() != op.getSourceType().getRank() ||
      !llvm::all_of(llvm::seq(rows.first, rows.first + rows.count), isWhole)) {
    reason = "it does not take all rows";
    return failure();
  }
  OpRows found;
  found.operands.assign(op->getNumOperands(), std::nullopt);
  found.operands[0] = rows;
  found.results = {rows};
  return found;
}

//===----------------------------------------------------------------------===//
// Operations on blocked values
//===----------------------------------------------------------------------===//

/// Adds to `granule` what blocks of a value of `type` that lie across rows have
/// in common.
static LogicalResult addBlockRows(BlockedType type, Rows rows, int64_t &granule,
                                  std::string &reason) {
  // Otherwise offsets only go with the value.
  if (type.isGrouped() && (type.getBlockShape()[type.getGroupAxis()] > 1 ||
                           type.hasOuterPerGroup())) {
    reason = "its groups begin where offsets say";
    return failure();
  }
  if (type.getLayout() != ScaleLayout::Linear) {
    reason = "its scales lie in tiles of rows";
    return failure();
  }
  bool packed = type.getFormat().getStorageBits() == 4;
  bool hasLast = rows.contains(type.getRank() - 1);
  ArrayRef<int64_t> blocks = type.getBlockShape().slice(rows.first, rows.count);
  if (rows.count > 1 && (hasLast || llvm::any_of(blocks, [](int64_t size) {
                           return size > 1;
                         }))) {
    reason = "blocks lie across rows of several dims";
    return failure();
  }
  granule = std::lcm(granule, blocks.front());
  if (packed && hasLast)
    granule = std::lcm(granule, int64_t(2));
  return success();
}

FailureOr<std::optional<Rows>>
mlir::lowp::getOuterRows(BlockedType type, Rows rows, std::string &reason) {
  std::optional<int64_t> first;
  int64_t found = 0;
  for (auto [dim, axis] : llvm::enumerate(type.getOuterAxes())) {
    if (!rows.contains(axis))
      continue;
    if (!first)
      first = dim;
    ++found;
  }
  if (!first)
    return std::optional<Rows>();
  if (found != rows.count) {
    reason = "its outer scales belong to some dims of rows only";
    return failure();
  }
  return std::optional<Rows>(Rows{*first, found});
}

/// Rows of what is quantised to `type`. `given`: outer scales are.
static LogicalResult addQuantizedRows(BlockedType type, RuleAttr rule,
                                      bool given, Rows rows, int64_t &granule,
                                      std::string &reason) {
  if (failed(addBlockRows(type, rows, granule, reason)))
    return failure();
  if (type.hasOuter() && !given) {
    FailureOr<std::optional<Rows>> outer = getOuterRows(type, rows, reason);
    if (failed(outer) || !*outer) {
      reason = "its outer scales need all rows";
      return failure();
    }
  }
  int64_t axis = type.getBlockAxis().value_or(type.getRank() - 1);
  if (rule.isStochastic() && axis == type.getGroupAxis()) {
    reason = "its random bits begin anew in each group";
    return failure();
  }
  if (rule.isStochastic() && rows.contains(axis))
    granule = std::lcm(granule, ::lowp::numerics::randomGroupSize(
                                    getRandomSharing(rule.getBits())));
  return success();
}

static FailureOr<OpRows> getQuantizeRows(QuantizeOp op, Rows rows,
                                         std::string &reason) {
  OpRows found;
  BlockedType type = op.getType();
  bool given = op.getOuterScale() || op.getOuterAmax();
  if (failed(addQuantizedRows(type, op.getRule(), given, rows, found.granule,
                              reason)))
    return failure();
  found.operands.assign(op->getNumOperands(), std::nullopt);
  found.operands[0] = rows;
  if (given) {
    FailureOr<std::optional<Rows>> outer = getOuterRows(type, rows, reason);
    if (failed(outer))
      return failure();
    found.operands[1] = *outer;
  }
  found.results = {rows};
  return found;
}

static FailureOr<OpRows> getRequantizeRows(RequantizeOp op, Rows rows,
                                           std::string &reason) {
  OpRows found;
  BlockedType sourceType = op.getSource().getType(), type = op.getType();
  bool keep = op.getOuter() == OuterMode::Keep;
  Rows source = rows;
  if (auto permutation = op.getPermutation()) {
    source.first = (*permutation)[rows.first];
    for (int64_t i = 0; i < rows.count; ++i)
      if ((*permutation)[rows.first + i] != source.first + i) {
        reason = "it changes the order of the dims of rows";
        return failure();
      }
  }
  if (failed(addQuantizedRows(type, op.getRule(), keep, rows, found.granule,
                              reason)) ||
      failed(addBlockRows(sourceType, source, found.granule, reason)))
    return failure();
  for (auto [value, at] : {std::pair(sourceType, source), {type, rows}})
    if (value.hasOuter() && failed(getOuterRows(value, at, reason)))
      return failure();
  found.operands.assign(op->getNumOperands(), std::nullopt);
  found.operands[0] = source;
  found.results = {rows};
  return found;
}

static FailureOr<OpRows> getDequantizeRows(DequantizeOp op, Rows rows,
                                           std::string &reason) {
  OpRows found;
  BlockedType type = op.getSource().getType();
  if (failed(addBlockRows(type, rows, found.granule, reason)) ||
      (type.hasOuter() && failed(getOuterRows(type, rows, reason))))
    return failure();
  found.operands = {rows};
  found.results = {rows};
  return found;
}

static FailureOr<OpRows> getRhtRows(RhtOp op, Rows rows, std::string &reason) {
  OpRows found;
  int64_t axis = op.getAxis();
  bool across = rows.contains(axis);
  if (op.getOffsets() || (across && rows.count > 1)) {
    reason = "its transforms lie across rows";
    return failure();
  }
  // What a loop of no trips would not check.
  if (!across && ShapedType::isDynamic(getLogicalShape(op.getType())[axis])) {
    reason = "the size of its axis is checked at run time";
    return failure();
  }
  if (across)
    found.granule = op.getSize();
  found.operands.assign(op->getNumOperands(), std::nullopt);
  found.operands[0] = rows;
  found.results = {rows};
  return found;
}

FailureOr<OpRows> mlir::lowp::getOpRows(Operation *op, ResultRows results,
                                        std::string &reason) {
  if (auto linalgOp = dyn_cast<linalg::LinalgOp>(op))
    return getLinalgRows(linalgOp, results, reason);
  if (op->getNumResults() != 1 ||
      !isa<RankedTensorType, BlockedType>(op->getResult(0).getType())) {
    reason = "it is not of a kind that computes row by row";
    return failure();
  }
  const Rows &rows = *results[0];
  if (isa<tensor::CollapseShapeOp, tensor::ExpandShapeOp>(op))
    return getReshapeRows(op, rows, reason);
  if (auto slice = dyn_cast<tensor::ExtractSliceOp>(op))
    return getSliceRows(slice, rows, reason);
  if (auto quantize = dyn_cast<QuantizeOp>(op))
    return getQuantizeRows(quantize, rows, reason);
  if (auto requantize = dyn_cast<RequantizeOp>(op))
    return getRequantizeRows(requantize, rows, reason);
  if (auto dequantize = dyn_cast<DequantizeOp>(op))
    return getDequantizeRows(dequantize, rows, reason);
  if (auto rht = dyn_cast<RhtOp>(op))
    return getRhtRows(rht, rows, reason);
  if (isa<tensor::CastOp>(op) || OpTrait::hasElementwiseMappableTraits(op)) {
    OpRows found;
    for (Value operand : op->getOperands()) {
      if (isa<RankedTensorType>(operand.getType()))
        found.operands.push_back(rows);
      else
        found.operands.push_back(std::nullopt);
    }
    if (isa<RankedTensorType>(op->getOperand(0).getType()) ||
        op->getNumOperands() > 1) {
      found.results = {rows};
      return found;
    }
  }
  reason = "it is not of a kind that computes row by row";
  return failure();
}

//===----------------------------------------------------------------------===//
// The search
//===----------------------------------------------------------------------===//

int64_t RowDomain::getCost() const {
  int64_t cost = 0;
  for (const auto &[value, valueRows] : rows) {
    if (contains(value.getDefiningOp()))
      continue;
    ArrayRef<int64_t> shape = getLogicalShape(value.getType());
    int64_t rank = shape.size();
    if (valueRows.first > 0 && valueRows.contains(rank - 1)) {
      cost += 2 * rank;
      continue;
    }
    for (int64_t dim = 0; dim < rank - 1; ++dim)
      if (!valueRows.contains(dim) && shape[dim] != 1)
        cost += dim < valueRows.first ? 1 : 2;
  }
  return cost;
}

int64_t RowDomain::getRowsPerTrip() const {
  bool hasColumns = llvm::any_of(rows, [](const auto &entry) {
    const auto &[value, valueRows] = entry;
    int64_t rank = getLogicalShape(value.getType()).size();
    return valueRows.first > 0 && valueRows.contains(rank - 1);
  });
  return hasColumns ? llvm::alignTo(kLineElements, granule) : granule;
}

LogicalResult RowDomain::add(Operation *root, Rows rootRows,
                             llvm::function_ref<unsigned(Operation *)> position,
                             Admit admit, std::string &reason) {
  // Operations come after all that read their results.
  auto before = [&](Operation *a, Operation *b) {
    return position(a) < position(b);
  };
  std::priority_queue<Operation *, std::vector<Operation *>, decltype(before)>
      queue(before);
  llvm::SmallPtrSet<Operation *, 16> queued;
  // Operands that `root` reaches in several ways connect it to nothing.
  llvm::DenseSet<Value> added;
  bool connected = ops.empty();

  auto tryOp = [&](Operation *op, std::string &why) -> LogicalResult {
    SmallVector<std::optional<Rows>> results;
    for (Value result : op->getResults()) {
      auto known = rows.find(result);
      results.push_back(known == rows.end() ? std::nullopt
                                            : std::optional(known->second));
      if (whole.contains(result)) {
        why = "its result is read whole";
        return failure();
      }
    }
    if (failed(admit(op, why)))
      return failure();
    FailureOr<OpRows> found = getOpRows(op, results, why);
    if (failed(found))
      return failure();
    int64_t together = std::lcm(granule, found->granule);
    if (together > kMaxGranule) {
      why = "too many rows are one";
      return failure();
    }
    for (auto [result, resultRows] : llvm::zip(results, found->results))
      if (result && !(*result == resultRows)) {
        why = "its results have different rows";
        return failure();
      }
    bool meets = false;
    // One value may be several operands.
    llvm::SmallDenseMap<Value, Rows> own;
    for (auto [i, operandRows] : llvm::enumerate(found->operands)) {
      Value operand = op->getOperand(i);
      if (isa<linalg::LinalgOp>(op) && isFreshInit(op->getOpOperand(i)))
        continue;
      auto known = rows.find(operand);
      bool isKnown = known != rows.end();
      bool fits = !operandRows ||
                  (own.try_emplace(operand, *operandRows).first->second ==
                       *operandRows &&
                   (!isKnown || known->second == *operandRows));
      if (!fits) {
        why = "operations take other dims of its operand for rows";
        return failure();
      }
      Operation *producer = operand.getDefiningOp();
      if (!operandRows && producer && ops.contains(producer)) {
        why = "it reads all rows of an operand";
        return failure();
      }
      meets |= operandRows && isKnown && !added.contains(operand);
    }
    // All is as it has to be.
    connected |= meets;
    granule = together;
    ops.insert(op);
    for (auto [result, resultRows] :
         llvm::zip(op->getResults(), found->results))
      rows.try_emplace(result, resultRows);
    for (auto [i, operandRows] : llvm::enumerate(found->operands)) {
      Value operand = op->getOperand(i);
      if (isa<linalg::LinalgOp>(op) && isFreshInit(op->getOpOperand(i)))
        continue;
      Operation *producer = operand.getDefiningOp();
      if (!operandRows) {
        whole.insert(operand);
        if (producer && isa<RankedTensorType>(operand.getType()))
          rejected.insert({producer, "its result is read whole"});
        continue;
      }
      if (rows.try_emplace(operand, *operandRows).second)
        added.insert(operand);
      if (producer && producer->getBlock() == root->getBlock() &&
          !ops.contains(producer) && !rejected.contains(producer) &&
          queued.insert(producer).second)
        queue.push(producer);
    }
    return success();
  };

  // A root that is there already, because another one reads it, stays.
  auto known = rows.find(root->getResult(0));
  if (known != rows.end() && !(known->second == rootRows)) {
    reason = "other operations take other dims for rows";
    return failure();
  }
  if (ops.contains(root))
    return success();
  rows[root->getResult(0)] = rootRows;
  if (failed(tryOp(root, reason)))
    return failure();
  while (!queue.empty()) {
    Operation *op = queue.top();
    queue.pop();
    std::string why;
    if (failed(tryOp(op, why)))
      rejected.insert({op, why});
  }
  if (!connected) {
    reason = "it shares no rows with the others";
    return failure();
  }
  return success();
}
