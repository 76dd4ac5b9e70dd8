//===- Sites.cpp - which products have a weight -*- C++ -*-===//
//
// Part of the lowp project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Sites.h"

#include "lowp/IR/LowpDialect.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/IR/Matchers.h"

#include <set>

using namespace mlir;
using namespace mlir::lowp;

//===----------------------------------------------------------------------===//
// Dataflow
//===----------------------------------------------------------------------===//

Dependents::Dependents(FunctionOpInterface function, ValueRange seeds)
    : values(seeds.begin(), seeds.end()) {
  if (values.empty() || function.isExternal())
    return;
  // Program order visits definitions before uses, except along back edges of a
  // CFG and of loops: repeat until nothing is added.
  size_t before;
  do {
    before = values.size();
    function->walk<WalkOrder::PreOrder>([&](Operation *op) {
      auto reached = [&](Value value) { return values.contains(value); };
      bool depends = llvm::any_of(op->getOperands(), reached);
      if (!depends && op->getNumRegions() != 0 && op != function.getOperation())
        op->walk([&](Operation *nested) {
          depends |= llvm::any_of(nested->getOperands(), reached);
        });
      if (!depends)
        return;
      values.insert(op->result_begin(), op->result_end());
      for (Region &region : op->getRegions())
        for (Block &block : region)
          values.insert(block.args_begin(), block.args_end());
      for (Block *successor : op->getSuccessors())
        values.insert(successor->args_begin(), successor->args_end());
    });
  } while (values.size() != before);
}

ParamAttr mlir::lowp::getParam(Value value) {
  auto argument = dyn_cast<BlockArgument>(value);
  if (!argument || !argument.getOwner()->isEntryBlock())
    return {};
  auto function =
      dyn_cast<FunctionOpInterface>(argument.getOwner()->getParentOp());
  if (!function)
    return {};
  return function.getArgAttrOfType<ParamAttr>(argument.getArgNumber(),
                                              "lowp.param");
}

//===----------------------------------------------------------------------===//
// Softmax
//===----------------------------------------------------------------------===//

/// A value behind conversions between float types.
static Value stripConversions(Value value) {
  while (Operation *definition = value.getDefiningOp()) {
    if (!isa<arith::ExtFOp, arith::TruncFOp>(definition))
      break;
    value = definition->getOperand(0);
  }
  return value;
}

static Value skipMoves(Value value) {
  while (std::optional<Move> move = getMove(value))
    value = move->source;
  return value;
}

/// The input of `op` that `element` is, or null.
static Value getInputOf(linalg::LinalgOp op, Value element) {
  auto argument = dyn_cast<BlockArgument>(element);
  if (!argument || argument.getOwner() != op.getBlock() ||
      argument.getArgNumber() >= op.getNumDpsInputs())
    return {};
  return op.getDpsInputs()[argument.getArgNumber()];
}

/// The exponentials whose sum `value` is, as the operation that computes them.
static linalg::LinalgOp getSummedExponentials(Value value) {
  auto sum = skipMoves(value).getDefiningOp<linalg::LinalgOp>();
  if (!sum || sum.getNumReductionLoops() == 0 || sum.getNumDpsInits() != 1 ||
      sum->getNumRegions() != 1)
    return {};
  auto add = sum.getBlock()->getTerminator()->getOperand(0).getDefiningOp();
  if (!isa_and_nonnull<arith::AddFOp>(add))
    return {};
  for (Value addend : add->getOperands()) {
    addend = stripConversions(addend);
    if (isa_and_nonnull<math::ExpOp, math::Exp2Op>(addend.getDefiningOp()))
      return sum;
    Value input = getInputOf(sum, addend);
    auto source = input ? skipMoves(input).getDefiningOp<linalg::LinalgOp>()
                        : linalg::LinalgOp();
    if (!source || source->getNumRegions() != 1)
      continue;
    Value yielded =
        stripConversions(source.getBlock()->getTerminator()->getOperand(0));
    if (isa_and_nonnull<math::ExpOp, math::Exp2Op>(yielded.getDefiningOp()))
      return source;
  }
  return {};
}

static bool isFloatTensor(Value value) {
  auto type = dyn_cast<RankedTensorType>(value.getType());
  return type && isa<FloatType>(type.getElementType());
}

/// What an elementwise operation or a reduction reads, floats only: masks and
/// indices do not carry values.
static void pushFloatOperands(Operation *op, SmallVectorImpl<Value> &values) {
  auto generic = dyn_cast<linalg::LinalgOp>(op);
  for (Value operand : generic ? SmallVector<Value>(generic.getDpsInputs())
                               : SmallVector<Value>(op->getOperands()))
    if (isFloatTensor(operand))
      values.push_back(operand);
}

Product *
mlir::lowp::getSoftmaxScores(Value value,
                             const DenseMap<Operation *, Product *> &products) {
  SmallVector<Value> worklist = {value};
  llvm::DenseSet<Value> visited;
  Operation *exponentials = nullptr;
  while (!worklist.empty() && !exponentials) {
    Value current = worklist.pop_back_val();
    Operation *definition = current.getDefiningOp();
    if (!definition || !visited.insert(current).second ||
        products.contains(definition))
      continue;
    if (isa<linalg::SoftmaxOp>(definition)) {
      exponentials = definition;
      break;
    }
    auto generic = dyn_cast<linalg::LinalgOp>(definition);
    if (generic ? generic.getNumParallelLoops() != generic.getNumLoops()
                : !getMove(current) &&
                      !OpTrait::hasElementwiseMappableTraits(definition))
      continue;
    if (generic)
      for (Value input : generic.getDpsInputs())
        if (linalg::LinalgOp found = getSummedExponentials(input))
          exponentials = found;
    // A product with another tensor is no softmax any more.
    SmallVector<Value> operands;
    pushFloatOperands(definition, operands);
    llvm::erase_if(operands, [](Value operand) {
      return matchPattern(operand, m_Constant()) || isZeroTensor(operand);
    });
    if (operands.size() == 1)
      worklist.push_back(operands[0]);
  }
  if (!exponentials)
    return nullptr;
  worklist.clear();
  visited.clear();
  pushFloatOperands(exponentials, worklist);
  while (!worklist.empty()) {
    Value current = worklist.pop_back_val();
    Operation *definition = current.getDefiningOp();
    if (!definition || !visited.insert(current).second)
      continue;
    if (Product *product = products.lookup(definition))
      return product;
    pushFloatOperands(definition, worklist);
  }
  return nullptr;
}

//===----------------------------------------------------------------------===//
// Arguments
//===----------------------------------------------------------------------===//

/// The value that `value` is a narrower form of, or null.
static Value getTruncated(Value value) {
  Operation *definition = value.getDefiningOp();
  if (auto truncation = dyn_cast_or_null<arith::TruncFOp>(definition))
    return truncation.getIn();
  auto op = dyn_cast_or_null<linalg::LinalgOp>(definition);
  if (!op || op.getNumDpsInputs() != 1 || op->getNumResults() != 1 ||
      op->getNumRegions() != 1 ||
      op.getNumParallelLoops() != op.getNumLoops() ||
      !llvm::all_of(op.getIndexingMapsArray(),
                    [](AffineMap map) { return map.isIdentity(); }))
    return {};
  Value yielded = op.getBlock()->getTerminator()->getOperand(0);
  auto truncation = yielded.getDefiningOp<arith::TruncFOp>();
  return truncation ? getInputOf(op, truncation.getIn()) : Value();
}

/// The source of an operand. FP32 weights are narrowed before they are
/// multiplied, in mixed precision.
static Source getOperandSource(Value value) {
  Source source = lowp::getSource(value);
  while (Value wide = getTruncated(source.root)) {
    Source next = lowp::getSource(wide);
    source.root = next.root;
    source.gathered |= next.gathered;
  }
  return source;
}

/// An activation takes part in norms, residual sums and the like. A weight
/// matrix is moved and multiplied.
bool SiteFinder::isUsedInArithmetic(Value value) {
  // A move has one source: nothing is visited twice.
  SmallVector<Value> worklist = {value};
  while (!worklist.empty()) {
    Value current = worklist.pop_back_val();
    for (OpOperand &use : current.getUses()) {
      Operation *user = use.getOwner();
      // A gather reads the tensor inside its body. Rows of a table are no
      // arithmetic; a gathered matrix is followed.
      Operation *holder = user;
      if (isa<tensor::ExtractOp>(user) &&
          isa<linalg::LinalgOp>(user->getParentOp())) {
        holder = user->getParentOp();
        if (cast<RankedTensorType>(current.getType()).getRank() < 3)
          continue;
      }
      // What the body of a product computes has an operation of its own.
      if (productOf.contains(holder) || isa<tensor::DimOp>(user) ||
          user->hasTrait<OpTrait::ReturnLike>())
        continue;
      if (holder->getNumResults() != 1)
        return true;
      Value result = holder->getResult(0);
      std::optional<Move> move = getMove(result);
      if (move ? move->source != current : getTruncated(result) != current)
        return true;
      worklist.push_back(result);
    }
  }
  return false;
}

SiteFinder::Status SiteFinder::getInitialStatus(Value root) {
  auto argument = dyn_cast<BlockArgument>(root);
  if (!argument || argument.getOwner() != &function.getFunctionBody().front())
    return Status::Other;
  auto type = dyn_cast<RankedTensorType>(root.getType());
  if (!type || !isSupportedElementType(type.getElementType()))
    return Status::Other;
  if (ParamAttr param = getParam(root)) {
    if (param.getKind() == ParamKind::Weight)
      return type.getRank() >= 2 ? Status::Weight : Status::Other;
    if (param.getKind() != ParamKind::Other)
      return Status::Other;
  }
  bool shaped =
      type.hasStaticShape() && type.getRank() >= 2 && type.getRank() <= 3;
  if (!shaped || isUsedInArithmetic(root))
    return Status::Other;
  return Status::Undecided;
}

SiteFinder::Status SiteFinder::getStatus(const Source &source) {
  auto type = dyn_cast<RankedTensorType>(source.root.getType());
  if (source.root.getDefiningOp() && matchPattern(source.root, m_Constant()))
    return type && type.getRank() >= 2 ? Status::Weight : Status::Other;
  auto found = status.find(source.root);
  return found == status.end() ? Status::Other : found->second;
}

/// softmax(q k^T) v, where k and v are arguments as in a cache, reads like two
/// layers with a softmax between them. It is attention.
void SiteFinder::excludeAttention() {
  for (auto [product, source] : llvm::zip_equal(products, sources))
    for (unsigned side : {0, 1}) {
      if (getStatus(source[1 - side]) != Status::Undecided)
        continue;
      Product *scores = getSoftmaxScores(product.get(side).value, productOf);
      if (!scores)
        continue;
      size_t index = scores - products.data();
      for (const Source &core :
           {source[1 - side], sources[index][0], sources[index][1]})
        if (getStatus(core) == Status::Undecided && !core.gathered)
          status[core.root] = Status::Other;
    }
}

/// Where A B, A^T G and G B^T are computed, the first of them is the forward
/// product, and what that does not multiply is its gradient.
void SiteFinder::excludeGradients() {
  DenseMap<Value, SmallVector<std::pair<Product *, unsigned>, 2>> usesOf;
  for (auto [product, pair] : llvm::zip_equal(products, sources))
    for (unsigned side : {0, 1})
      if (getStatus(pair[side]) == Status::Undecided)
        usesOf[getMatrix(product.get(side))].emplace_back(&product, side);
  auto isGradient = [&](ArrayRef<std::pair<Product *, unsigned>> uses) {
    for (auto [a, sideOfA] : uses)
      for (auto [b, sideOfB] : uses) {
        if (a >= b)
          continue;
        Value partner = getMatrix(a->get(1 - sideOfA));
        auto forward =
            productsOf.find({partner, getMatrix(b->get(1 - sideOfB))});
        if (forward == productsOf.end())
          continue;
        for (Product *product : forward->second) {
          unsigned side = getMatrix(product->lhs) == partner ? 0 : 1;
          if (product < uses.front().first &&
              contractsOtherDim(*a, 1 - sideOfA, *product, side) &&
              contractsOtherDim(*b, 1 - sideOfB, *product, 1 - side))
            return true;
        }
      }
    return false;
  };
  for (auto [product, pair] : llvm::zip_equal(products, sources))
    for (unsigned side : {0, 1}) {
      auto uses = usesOf.find(getMatrix(product.get(side)));
      if (uses != usesOf.end() && isGradient(uses->second))
        status[pair[side].root] = Status::Other;
    }
}

/// Decides the arguments that nothing labels. A product has at most one weight,
/// and where both operands are arguments it is the right one unless another
/// product says otherwise; later products follow from earlier ones. A product
/// that is only returned says nothing about what earlier ones multiply: an
/// argument that is a gradient is multiplied with activations.
void SiteFinder::decideArguments() {
  // The products of each value, in program order.
  DenseMap<Value, SmallVector<unsigned, 2>> productsOf;
  for (auto [index, pair] : llvm::enumerate(sources))
    for (const Source &source : pair) {
      productsOf[source.root].push_back(index);
      // A matrix that is gathered per token is a weight.
      if (source.gathered && getStatus(source) == Status::Undecided)
        status[source.root] = Status::Weight;
    }
  // Products with a weight, and with an argument that is none.
  SmallVector<unsigned> withWeight;
  std::set<unsigned> withOther;
  SmallVector<unsigned> deferred;
  bool late = false;
  llvm::DenseSet<Value> announced;
  auto announce = [&](const Source &source) {
    if (!announced.insert(source.root).second)
      return;
    const SmallVector<unsigned, 2> &users = productsOf[source.root];
    if (getStatus(source) == Status::Weight)
      llvm::append_range(withWeight, users);
    else if (isa<BlockArgument>(source.root))
      withOther.insert(users.begin(), users.end());
  };
  auto decide = [&](const Source &source, Status decision) {
    status[source.root] = decision;
    announce(source);
  };
  for (const auto &pair : sources)
    for (const Source &source : pair)
      if (getStatus(source) != Status::Undecided)
        announce(source);
  // Decides the partners of `decided` operands of a product.
  auto decidePartner = [&](unsigned index, Status decided, Status partner) {
    const std::array<Source, 2> &pair = sources[index];
    for (unsigned side : {0, 1})
      if (getStatus(pair[side]) == decided &&
          getStatus(pair[1 - side]) == Status::Undecided)
        decide(pair[1 - side], partner);
  };
  auto propagate = [&]() {
    while (!withWeight.empty() || !withOther.empty()) {
      // The partner of a weight is none. Only when that is settled, the partner
      // of an argument that is no weight is one.
      if (!withWeight.empty()) {
        decidePartner(withWeight.pop_back_val(), Status::Weight, Status::Other);
        continue;
      }
      unsigned first = *withOther.begin();
      withOther.erase(withOther.begin());
      auto isUsedBefore = [&](const Source &source) {
        return getStatus(source) == Status::Undecided &&
               productsOf[source.root].front() < first;
      };
      if (!late && llvm::any_of(sources[first], isUsedBefore) &&
          isOnlyReturned(products[first].getResult()))
        deferred.push_back(first);
      else
        decidePartner(first, Status::Other, Status::Weight);
    }
  };
  propagate();
  for (const auto &pair : sources)
    if (getStatus(pair[0]) == Status::Undecided &&
        getStatus(pair[1]) == Status::Undecided &&
        pair[0].root != pair[1].root) {
      decide(pair[0], Status::Other);
      propagate();
    }
  late = true;
  withOther.insert(deferred.begin(), deferred.end());
  propagate();
  // What is multiplied with a computed value only.
  for (const auto &pair : sources)
    for (unsigned side : {0, 1})
      if (getStatus(pair[side]) == Status::Other &&
          getStatus(pair[1 - side]) == Status::Undecided) {
        decide(pair[1 - side], Status::Weight);
        propagate();
      }
}

std::string SiteFinder::explain(Product &product,
                                std::array<bool, 2> isWeight) {
  if (isWeight[0] && isWeight[1])
    return "both operands are weights";
  for (unsigned side : {0, 1}) {
    Value root = sources[&product - products.data()][side].root;
    if (getStatus({root}) != Status::Undecided)
      continue;
    return "it cannot be told which operand is the weight";
  }
  return "no operand is a weight";
}

SiteFinder::SiteFinder(FunctionOpInterface function,
                       MutableArrayRef<Product> products)
    : function(function), products(products), congruence(function) {
  for (Product &product : products)
    productOf[product.op] = &product;
  for (Product &product : products)
    sources.push_back({getOperandSource(product.lhs.value),
                       getOperandSource(product.rhs.value)});
  SmallVector<Value> cotangents;
  for (BlockArgument argument : function.getArguments()) {
    ParamAttr param = getParam(argument);
    allLabelled &= static_cast<bool>(param);
    if (param && param.getKind() == ParamKind::Cotangent)
      cotangents.push_back(argument);
  }
  if (!cotangents.empty())
    gradients.emplace(function, cotangents);
  for (const auto &pair : sources)
    for (const Source &source : pair)
      if (isa<BlockArgument>(source.root))
        status.try_emplace(source.root, getInitialStatus(source.root));
  findMatrixProducts();
  excludeAttention();
  excludeGradients();
  decideArguments();
  findSites();
  assignRoles();
  findWeightGradients();
  llvm::sort(leftAlone, [](const LeftAlone &a, const LeftAlone &b) {
    return a.product < b.product;
  });
}

void SiteFinder::findSites() {
  for (auto [product, source] : llvm::zip_equal(products, sources)) {
    std::array<bool, 2> isWeight = {getStatus(source[0]) == Status::Weight,
                                    getStatus(source[1]) == Status::Weight};
    if (isWeight[0] == isWeight[1]) {
      leftAlone.push_back({&product, explain(product, isWeight)});
      continue;
    }
    unsigned side = isWeight[0] ? 0 : 1;
    // A broadcast of the activation over gathered matrices stays: each matrix
    // has its own scale.
    std::array<bool, 2> keepBatch = {false, false};
    if (source[side].gathered)
      keepBatch[1 - side] = true;
    FailureOr<ContractionForm> form = getContractionForm(product, keepBatch);
    if (failed(form)) {
      leftAlone.push_back({&product, "its dims do not form a matrix product or "
                                     "a batch of matrix products"});
      continue;
    }
    Site site;
    site.product = &product;
    site.weightSide = side;
    site.weight = source[side];
    site.form = *form;
    sites.push_back(std::move(site));
  }
}
