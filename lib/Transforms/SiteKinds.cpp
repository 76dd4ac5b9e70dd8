//===- SiteKinds.cpp - name, layer and kind of sites -*- C++ -*-===//
//
// Part of the lowp project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Sites.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/IR/Matchers.h"

#include "llvm/ADT/MapVector.h"
#include "llvm/ADT/StringSet.h"
#include "llvm/ADT/StringSwitch.h"

#include <map>

using namespace mlir;
using namespace mlir::lowp;

//===----------------------------------------------------------------------===//
// Names
//===----------------------------------------------------------------------===//

static SmallVector<StringRef> splitName(StringRef name) {
  SmallVector<StringRef> parts;
  while (!name.empty()) {
    size_t end = name.find_first_of("./");
    parts.push_back(name.take_front(end));
    name = end == StringRef::npos ? StringRef() : name.drop_front(end + 1);
  }
  return parts;
}

std::optional<int64_t> mlir::lowp::getLayerFromName(StringRef name) {
  SmallVector<StringRef> parts = splitName(name);
  for (size_t index = 1; index < parts.size(); ++index) {
    int64_t layer;
    bool isList = llvm::StringSwitch<bool>(parts[index - 1])
                      .Cases({"layers", "layer", "blocks", "block", "h"}, true)
                      .Default(false);
    if (isList && !parts[index].getAsInteger(10, layer) && layer >= 0)
      return layer;
  }
  return std::nullopt;
}

std::optional<SiteKind> mlir::lowp::getKindFromName(StringRef name) {
  std::string lower = name.lower();
  for (StringRef part : splitName(lower)) {
    // An expert that every token goes to is a dense MLP; its gate is a router.
    if (part.starts_with("shared_expert"))
      return part.ends_with("gate") ? SiteKind::Router : SiteKind::Dense;
    if (part.starts_with("expert"))
      return SiteKind::Expert;
    if (part.starts_with("router"))
      return SiteKind::Router;
    auto kind =
        llvm::StringSwitch<std::optional<SiteKind>>(part)
            .Cases({"self_attn", "attn", "attention", "self_attention",
                    "cross_attn"},
                   SiteKind::Attention)
            .Cases({"q_proj", "k_proj", "v_proj", "o_proj", "qkv_proj"},
                   SiteKind::Attention)
            .Cases({"wq", "wk", "wv", "wo", "wqkv"}, SiteKind::Attention)
            .Cases({"qkv", "c_attn", "query", "key", "value"},
                   SiteKind::Attention)
            .Cases({"lm_head", "head", "embed_out", "unembed"}, SiteKind::Head)
            .Default(std::nullopt);
    if (kind)
      return kind;
  }
  return std::nullopt;
}

/// What stands before ".experts." in the names of a function's arguments.
static llvm::StringSet<> getPrefixesOfExperts(FunctionOpInterface function) {
  llvm::StringSet<> prefixes;
  for (BlockArgument argument : function.getArguments()) {
    ParamAttr param = getParam(argument);
    if (!param)
      continue;
    // A dot in front makes every part of a name look alike.
    std::string dotted = ("." + param.getName()).str();
    StringRef name = dotted;
    for (size_t position = name.find(".experts."); position != StringRef::npos;
         position = name.find(".experts.", position + 1))
      prefixes.insert(name.take_front(position));
  }
  return prefixes;
}

/// "mlp.gate.weight" beside "mlp.experts.0.up" chooses among those experts;
/// without experts beside it, a gate is one of an MLP.
static bool isGateOfExperts(const llvm::StringSet<> &prefixesOfExperts,
                            StringRef name) {
  std::string dotted = ("." + name + ".").str();
  size_t position = dotted.find(".gate.");
  return position != std::string::npos &&
         prefixesOfExperts.contains(StringRef(dotted).take_front(position));
}

//===----------------------------------------------------------------------===//
// Structure
//===----------------------------------------------------------------------===//

namespace {
/// Kinds from the dataflow between products. What is before or after all
/// operations of a kind is found at once: a residual connection leads from
/// every product past all later ones, and to follow it for each would take
/// quadratic time.
class Structure {
public:
  Structure(FunctionOpInterface function, MutableArrayRef<Product> products,
            MutableArrayRef<Site> sites);

  SiteKind getKind(const Site &site);

private:
  using Values = llvm::DenseSet<Value>;

  void findAttention(MutableArrayRef<Product> products);
  void findTables(MutableArrayRef<Site> sites);
  void findComparisons();
  void findInputs();
  /// The values whose uses lead to one of `ends`, and those whose operands do,
  /// without passing another product.
  Values getValuesBefore(SmallVector<Operation *> ends);
  Values getValuesAfter(SmallVector<Operation *> ends);

  bool isExpert(const Site &site) const;
  bool isRouter(const Site &site);
  bool isAttention(const Site &site);
  bool isHead(const Site &site);
  bool isEmbedding(const Site &site);

  FunctionOpInterface function;
  DenseMap<Operation *, Product *> productOf;
  llvm::DenseSet<Operation *> siteOps;
  /// The products q k^T and p v of attention, and what is between them and the
  /// next products.
  Values beforeAttention, afterAttention;
  /// What is compared with each other along a dim.
  Values beforeComparison;
  /// What integer arguments, and what float arguments and products, lead to.
  Values afterIntegers, afterFloats;
  llvm::DenseSet<int64_t> expertCounts;
  /// Tables that rows are gathered from, and their numbers of rows.
  Values tables;
  llvm::DenseSet<int64_t> tableRows;
  const Site *lastForward = nullptr;
};
} // namespace

Structure::Structure(FunctionOpInterface function,
                     MutableArrayRef<Product> products,
                     MutableArrayRef<Site> sites)
    : function(function) {
  for (Product &product : products)
    productOf[product.op] = &product;
  for (Site &site : sites) {
    siteOps.insert(site.product->op);
    if (site.role == SiteRole::Fprop)
      lastForward = &site;
    if (isExpert(site))
      expertCounts.insert(
          cast<RankedTensorType>(site.weight.root.getType()).getDimSize(0));
  }
  findAttention(products);
  findInputs();
  findTables(sites);
  if (!expertCounts.empty())
    findComparisons();
}

void Structure::findAttention(MutableArrayRef<Product> products) {
  SmallVector<Operation *> ends;
  for (Product &product : products) {
    if (siteOps.contains(product.op))
      continue;
    for (unsigned side : {0, 1}) {
      Product *scores = getSoftmaxScores(product.get(side).value, productOf);
      if (!scores || siteOps.contains(scores->op))
        continue;
      ends.push_back(product.op);
      ends.push_back(scores->op);
    }
  }
  beforeAttention = getValuesBefore(ends);
  afterAttention = getValuesAfter(std::move(ends));
}

void Structure::findTables(MutableArrayRef<Site> sites) {
  // A product with one-hot rows is a gather of rows.
  for (const Site &site : sites) {
    auto type = cast<RankedTensorType>(site.weight.root.getType());
    SmallVector<unsigned> contracted =
        getContractedDims(*site.product, site.weightSide);
    if (site.role != SiteRole::Fprop || !isEmbedding(site) ||
        type.getRank() != 2 || contracted.size() != 1)
      continue;
    tables.insert(site.weight.root);
    tableRows.insert(type.getDimSize(2 - contracted[0]));
  }
  function.walk([&](tensor::ExtractOp extract) {
    auto type = extract.getTensor().getType();
    if (type.getRank() != 2 || !isSupportedElementType(type.getElementType()))
      return;
    tables.insert(getSource(extract.getTensor()).root);
    tableRows.insert(type.getDimSize(0));
  });
}

void Structure::findComparisons() {
  SmallVector<Operation *> ends;
  function.walk([&](Operation *op) {
    if (isa<linalg::SoftmaxOp>(op)) {
      ends.push_back(op);
      return;
    }
    auto generic = dyn_cast<linalg::LinalgOp>(op);
    if (!generic || generic.getNumReductionLoops() == 0)
      return;
    WalkResult compares = op->walk([](Operation *nested) {
      bool found =
          isa<arith::MaximumFOp, arith::MaxNumFOp, arith::CmpFOp>(nested);
      return found ? WalkResult::interrupt() : WalkResult::advance();
    });
    if (compares.wasInterrupted())
      ends.push_back(op);
  });
  beforeComparison = getValuesBefore(std::move(ends));
}

void Structure::findInputs() {
  SmallVector<Operation *> integers, floats;
  auto inspect = [&](Operation *op, Value value) {
    if (!isa<BlockArgument>(value))
      return;
    bool isFloat = isa<FloatType>(getElementTypeOrSelf(value));
    (isFloat ? floats : integers).push_back(op);
  };
  function.walk<WalkOrder::PreOrder>([&](Operation *op) {
    if (productOf.contains(op))
      floats.push_back(op);
    for (Value operand : op->getOperands())
      inspect(op, operand);
    // A gather reads its table inside its body.
    if (op->getNumRegions() != 0 && op != function.getOperation())
      op->walk(
          [&](tensor::ExtractOp extract) { inspect(op, extract.getTensor()); });
    return isa<linalg::LinalgOp>(op) ? WalkResult::skip()
                                     : WalkResult::advance();
  });
  if (integers.empty())
    return;
  afterIntegers = getValuesAfter(std::move(integers));
  afterFloats = getValuesAfter(std::move(floats));
}

Structure::Values Structure::getValuesBefore(SmallVector<Operation *> ends) {
  Values values;
  llvm::DenseSet<Operation *> visited(ends.begin(), ends.end());
  while (!ends.empty())
    for (Value operand : ends.pop_back_val()->getOperands()) {
      values.insert(operand);
      Operation *definition = operand.getDefiningOp();
      if (definition && !productOf.contains(definition) &&
          visited.insert(definition).second)
        ends.push_back(definition);
    }
  return values;
}

Structure::Values Structure::getValuesAfter(SmallVector<Operation *> ends) {
  Values values;
  llvm::DenseSet<Operation *> visited(ends.begin(), ends.end());
  while (!ends.empty())
    for (Value result : ends.pop_back_val()->getResults()) {
      values.insert(result);
      for (Operation *user : result.getUsers())
        if (!productOf.contains(user) && visited.insert(user).second)
          ends.push_back(user);
    }
  return values;
}

/// A batch of matrices, one per batch of the product or gathered per token.
bool Structure::isExpert(const Site &site) const {
  auto type = cast<RankedTensorType>(site.weight.root.getType());
  if (type.getRank() < 3 ||
      llvm::count(type.getShape(), 1) > type.getRank() - 3)
    return false;
  const OperandForm &weight = (site.weightSide == 0) != site.form.swapped
                                  ? site.form.lhs
                                  : site.form.rhs;
  return site.form.batched && !weight.shared;
}

/// As many outputs as there are experts, which are compared with each other.
bool Structure::isRouter(const Site &site) {
  auto type = cast<RankedTensorType>(site.weight.root.getType());
  if (site.form.batched || type.getRank() != 2)
    return false;
  SmallVector<unsigned> contracted =
      getContractedDims(*site.product, site.weightSide);
  if (contracted.size() != 1 ||
      !expertCounts.contains(type.getDimSize(contracted[0] == 1 ? 0 : 1)))
    return false;
  return beforeComparison.contains(site.product->getResult());
}

/// A projection into or out of attention: no other product stands between.
bool Structure::isAttention(const Site &site) {
  return beforeAttention.contains(site.product->getResult()) ||
         afterAttention.contains(site.getActivation().value);
}

/// The last product, with as many outputs as an embedding table has rows.
bool Structure::isHead(const Site &site) {
  if (tables.contains(site.weight.root))
    return true;
  if (lastForward != &site)
    return false;
  auto type = cast<RankedTensorType>(site.weight.root.getType());
  SmallVector<unsigned> contracted =
      getContractedDims(*site.product, site.weightSide);
  return type.getRank() == 2 && contracted.size() == 1 &&
         tableRows.contains(type.getDimSize(contracted[0] == 1 ? 0 : 1));
}

/// The activation is made of token numbers only: a one-hot encoding.
bool Structure::isEmbedding(const Site &site) {
  Value activation = site.getActivation().value;
  if (isa<BlockArgument>(activation))
    return !isa<FloatType>(getElementTypeOrSelf(activation));
  return afterIntegers.contains(activation) &&
         !afterFloats.contains(activation);
}

SiteKind Structure::getKind(const Site &site) {
  if (isEmbedding(site))
    return SiteKind::Embedding;
  if (isAttention(site))
    return SiteKind::Attention;
  if (isExpert(site))
    return SiteKind::Expert;
  if (isRouter(site))
    return SiteKind::Router;
  if (isHead(site))
    return SiteKind::Head;
  return SiteKind::Dense;
}

//===----------------------------------------------------------------------===//
// Layers
//===----------------------------------------------------------------------===//

/// Whether `value` depends on a result of `on`. A region depends on what it
/// captures, a loop on what any of its trips does.
static bool dependsOn(FunctionOpInterface function, Value value,
                      Operation *on) {
  // Without branches, what stands before `on` does not depend on it: from one
  // layer to the next, the search stays between the two.
  Block *body = &function.getFunctionBody().front();
  Operation *first = function.getFunctionBody().hasOneBlock()
                         ? body->findAncestorOpInBlock(*on)
                         : nullptr;
  SmallVector<Value> worklist = {value};
  llvm::DenseSet<Operation *> visited;
  auto visit = [&](Operation *op) {
    if (first) {
      Operation *outer = body->findAncestorOpInBlock(*op);
      if (outer && outer->isBeforeInBlock(first))
        return;
    }
    if (!visited.insert(op).second)
      return;
    llvm::append_range(worklist, op->getOperands());
    for (Region &region : op->getRegions())
      region.walk([&](Operation *nested) {
        llvm::append_range(worklist, nested->getOperands());
      });
  };
  while (!worklist.empty()) {
    Value next = worklist.pop_back_val();
    if (Operation *definition = next.getDefiningOp()) {
      if (definition == on)
        return true;
      visit(definition);
      continue;
    }
    Block *block = cast<BlockArgument>(next).getOwner();
    for (Block *predecessor : block->getPredecessors())
      visit(predecessor->getTerminator());
    if (Operation *parent = block->getParentOp();
        parent != function.getOperation())
      visit(parent);
  }
  return false;
}

namespace {
/// Where a sequence of numbers repeats itself.
class Repetitions {
public:
  explicit Repetitions(SmallVector<unsigned> sequence);

  struct Run {
    size_t start, period, repeats;
    size_t getLength() const { return period * repeats; }
  };
  /// Every longest run of at least two repetitions, per period; those of the
  /// most elements first, then by period and start.
  SmallVector<Run> getRuns() const;

private:
  /// How many elements from `i` and `j` on, or before them, are the same.
  size_t countForwards(size_t i, size_t j) const;
  size_t countBackwards(size_t i, size_t j) const;

  size_t size;
  /// At level k, equal numbers for equal parts of 2^k elements.
  SmallVector<SmallVector<unsigned>> levels;
};
} // namespace

Repetitions::Repetitions(SmallVector<unsigned> sequence)
    : size(sequence.size()) {
  levels.push_back(std::move(sequence));
  for (size_t half = 1; 2 * half <= size; half *= 2) {
    ArrayRef<unsigned> parts = levels.back();
    DenseMap<std::pair<unsigned, unsigned>, unsigned> numbers;
    SmallVector<unsigned> level;
    for (size_t start = 0; start + 2 * half <= size; ++start)
      level.push_back(
          numbers
              .try_emplace({parts[start], parts[start + half]}, numbers.size())
              .first->second);
    levels.push_back(std::move(level));
  }
}

size_t Repetitions::countForwards(size_t i, size_t j) const {
  size_t count = 0;
  for (size_t k = levels.size(); k-- > 0;) {
    ArrayRef<unsigned> level = levels[k];
    size_t later = std::max(i, j) + count;
    if (later < level.size() && level[i + count] == level[j + count])
      count += size_t(1) << k;
  }
  return count;
}

size_t Repetitions::countBackwards(size_t i, size_t j) const {
  size_t count = 0;
  for (size_t k = levels.size(); k-- > 0;) {
    size_t next = count + (size_t(1) << k);
    if (next <= std::min(i, j) && levels[k][i - next] == levels[k][j - next])
      count = next;
  }
  return count;
}

SmallVector<Repetitions::Run> Repetitions::getRuns() const {
  SmallVector<Run> runs;
  // Two repetitions contain one of the elements 0, p, 2 p, ... and its like.
  for (size_t period = 1; period * 2 <= size; ++period)
    for (size_t element = 0, end = 0; element + period < size;
         element += period) {
      if (element < end)
        continue;
      size_t count = countForwards(element, element + period);
      if (count == 0)
        continue;
      end = element + count;
      size_t start = element - countBackwards(element, element + period);
      if (end - start >= period)
        runs.push_back({start, period, (end - start) / period + 1});
    }
  llvm::stable_sort(runs, [](const Run &a, const Run &b) {
    return a.getLength() > b.getLength();
  });
  return runs;
}

/// Layers are the longest repetition of a sequence of like products in which
/// every repetition starts from the result of the one before.
static void numberLayers(FunctionOpInterface function,
                         MutableArrayRef<Site> sites) {
  using Likeness =
      std::tuple<const void *, unsigned, bool, bool, std::vector<unsigned>>;
  std::map<Likeness, unsigned> kinds;
  SmallVector<Site *> forward;
  SmallVector<unsigned> sequence;
  for (Site &site : sites) {
    if (site.role != SiteRole::Fprop)
      continue;
    SmallVector<unsigned> contracted =
        getContractedDims(*site.product, site.weightSide);
    Likeness likeness(
        site.weight.root.getType().getAsOpaquePointer(), site.weightSide,
        site.weight.gathered, site.form.batched,
        std::vector<unsigned>(contracted.begin(), contracted.end()));
    forward.push_back(&site);
    sequence.push_back(
        kinds.try_emplace(std::move(likeness), kinds.size()).first->second);
  }
  auto isChained = [&](const Repetitions::Run &run) {
    for (size_t next = 1; next < run.repeats; ++next) {
      size_t index = run.start + next * run.period;
      if (!dependsOn(function, forward[index]->getActivation().value,
                     forward[index - 1]->product->op))
        return false;
    }
    return true;
  };
  SmallVector<Repetitions::Run> runs =
      Repetitions(std::move(sequence)).getRuns();
  auto *layers = llvm::find_if(runs, isChained);
  if (layers == runs.end())
    return;
  for (size_t index = 0; index < layers->getLength(); ++index)
    forward[layers->start + index]->layer = index / layers->period;
}

//===----------------------------------------------------------------------===//
// Both
//===----------------------------------------------------------------------===//

void mlir::lowp::describeSites(FunctionOpInterface function,
                               MutableArrayRef<Product> products,
                               MutableArrayRef<Site> sites) {
  llvm::MapVector<Value, unsigned> constants;
  bool layersNamed = false;
  for (Site &site : sites) {
    Value root = site.weight.root;
    ParamAttr param = getParam(root);
    if (param && !param.getName().empty()) {
      site.name = param.getName().str();
      site.layer = getLayerFromName(site.name);
      layersNamed |= site.layer.has_value();
    } else if (auto argument = dyn_cast<BlockArgument>(root)) {
      site.name = "arg" + std::to_string(argument.getArgNumber());
    } else {
      unsigned number =
          constants.try_emplace(root, constants.size()).first->second;
      site.name = "constant" + std::to_string(number);
    }
  }

  Structure structure(function, products, sites);
  if (!layersNamed)
    numberLayers(function, sites);
  llvm::StringSet<> prefixesOfExperts = getPrefixesOfExperts(function);
  for (Site &site : sites) {
    ParamAttr param = getParam(site.weight.root);
    std::optional<SiteKind> named =
        param ? getKindFromName(param.getName()) : std::nullopt;
    if (!named && param && isGateOfExperts(prefixesOfExperts, param.getName()))
      named = SiteKind::Router;
    site.kind = named ? *named : structure.getKind(site);
  }
  // What a backward product is part of, its forward product says.
  DenseMap<Value, const Site *> forward;
  for (const Site &site : sites)
    if (site.role == SiteRole::Fprop)
      forward.try_emplace(site.weight.root, &site);
  for (Site &site : sites) {
    if (site.role == SiteRole::Fprop)
      continue;
    const Site *of =
        site.forward ? &sites[*site.forward] : forward.lookup(site.weight.root);
    if (of) {
      site.kind = of->kind;
      site.layer = of->layer;
    }
  }
}
