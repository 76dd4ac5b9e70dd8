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

/// "mlp.gate.weight" beside "mlp.experts.0.up" chooses among those experts;
/// without experts beside it, a gate is one of an MLP.
static bool isGateOfExperts(FunctionOpInterface function, StringRef name) {
  // A dot on both ends makes every part of a name look alike.
  std::string dotted = ("." + name + ".").str();
  size_t position = dotted.find(".gate.");
  if (position == std::string::npos)
    return false;
  std::string prefix = dotted.substr(0, position) + ".experts.";
  return llvm::any_of(function.getArguments(), [&](BlockArgument argument) {
    ParamAttr param = getParam(argument);
    return param && ("." + param.getName()).str().rfind(prefix, 0) == 0;
  });
}

//===----------------------------------------------------------------------===//
// Structure
//===----------------------------------------------------------------------===//

namespace {
/// Kinds and layers from the dataflow between products.
class Structure {
public:
  Structure(FunctionOpInterface function, MutableArrayRef<Product> products,
            MutableArrayRef<Site> sites);

  SiteKind getKind(const Site &site);
  void numberLayers();

private:
  /// Operations reached from a product without passing another one, along uses
  /// (forwards) or operands (backwards); the products that end the way come
  /// last in `ends`.
  void reach(Value start, bool forwards,
             llvm::function_ref<void(Operation *)> visit);

  bool isExpert(const Site &site) const;
  bool isRouter(const Site &site);
  bool isAttention(const Site &site);
  bool isHead(const Site &site);
  bool isEmbedding(const Site &site);
  bool depends(const Site &site, const Site &on);

  FunctionOpInterface function;
  MutableArrayRef<Site> sites;
  DenseMap<Operation *, Product *> productOf;
  DenseMap<Operation *, Site *> siteOf;
  /// The products q k^T and p v of attention.
  llvm::DenseSet<Operation *> attention;
  llvm::DenseSet<int64_t> expertCounts;
  /// Tables that rows are gathered from, and their numbers of rows.
  llvm::DenseSet<Value> tables;
  llvm::DenseSet<int64_t> tableRows;
  std::map<const Site *, Dependents> dependents;
};
} // namespace

Structure::Structure(FunctionOpInterface function,
                     MutableArrayRef<Product> products,
                     MutableArrayRef<Site> sites)
    : function(function), sites(sites) {
  for (Product &product : products)
    productOf[product.op] = &product;
  for (Site &site : sites)
    siteOf[site.product->op] = &site;
  for (Product &product : products) {
    if (siteOf.contains(product.op))
      continue;
    for (unsigned side : {0, 1}) {
      Product *scores = getSoftmaxScores(product.get(side).value, productOf);
      if (!scores || siteOf.contains(scores->op))
        continue;
      attention.insert(product.op);
      attention.insert(scores->op);
    }
  }
  for (Site &site : sites)
    if (isExpert(site))
      expertCounts.insert(
          cast<RankedTensorType>(site.weight.root.getType()).getDimSize(0));
  function.walk([&](tensor::ExtractOp extract) {
    auto type = extract.getTensor().getType();
    if (type.getRank() != 2 || !isSupportedElementType(type.getElementType()))
      return;
    tables.insert(getSource(extract.getTensor()).root);
    tableRows.insert(type.getDimSize(0));
  });
}

void Structure::reach(Value start, bool forwards,
                      llvm::function_ref<void(Operation *)> visit) {
  SmallVector<Value> worklist = {start};
  llvm::DenseSet<Operation *> visited;
  while (!worklist.empty()) {
    Value value = worklist.pop_back_val();
    auto step = [&](Operation *op) {
      if (!op || !visited.insert(op).second)
        return;
      visit(op);
      if (productOf.contains(op))
        return;
      if (forwards)
        llvm::append_range(worklist, op->getResults());
      else
        llvm::append_range(worklist, op->getOperands());
    };
    if (forwards)
      for (Operation *user : value.getUsers())
        step(user);
    else
      step(value.getDefiningOp());
  }
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
  bool compared = false;
  reach(site.product->getResult(), /*forwards=*/true, [&](Operation *op) {
    auto generic = dyn_cast<linalg::LinalgOp>(op);
    if (isa<linalg::SoftmaxOp>(op))
      compared = true;
    if (!generic || generic.getNumReductionLoops() == 0)
      return;
    op->walk([&](Operation *nested) {
      compared |=
          isa<arith::MaximumFOp, arith::MaxNumFOp, arith::CmpFOp>(nested);
    });
  });
  return compared;
}

/// A projection into or out of attention: no other product stands between.
bool Structure::isAttention(const Site &site) {
  bool found = false;
  auto visit = [&](Operation *op) { found |= attention.contains(op); };
  reach(site.product->getResult(), /*forwards=*/true, visit);
  reach(site.getActivation().value, /*forwards=*/false, visit);
  return found;
}

/// The last product, with as many outputs as an embedding table has rows.
bool Structure::isHead(const Site &site) {
  if (tables.contains(site.weight.root))
    return true;
  auto isForward = [](const Site &other) {
    return other.role == SiteRole::Fprop;
  };
  auto last = llvm::find_if(llvm::reverse(sites), isForward);
  if (last == sites.rend() || &*last != &site)
    return false;
  auto type = cast<RankedTensorType>(site.weight.root.getType());
  SmallVector<unsigned> contracted =
      getContractedDims(*site.product, site.weightSide);
  return type.getRank() == 2 && contracted.size() == 1 &&
         tableRows.contains(type.getDimSize(contracted[0] == 1 ? 0 : 1));
}

/// The activation is made of token numbers only: a one-hot encoding.
bool Structure::isEmbedding(const Site &site) {
  bool integers = false, floats = false;
  auto inspect = [&](Value value) {
    if (!isa<BlockArgument>(value))
      return;
    bool isFloat = isa<FloatType>(getElementTypeOrSelf(value));
    (isFloat ? floats : integers) = true;
  };
  inspect(site.getActivation().value);
  reach(site.getActivation().value, /*forwards=*/false, [&](Operation *op) {
    floats |= productOf.contains(op);
    for (Value operand : op->getOperands())
      inspect(operand);
    // A gather reads its table inside its body.
    op->walk([&](tensor::ExtractOp extract) { inspect(extract.getTensor()); });
  });
  return integers && !floats;
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

bool Structure::depends(const Site &site, const Site &on) {
  auto entry = dependents.find(&on);
  if (entry == dependents.end())
    entry =
        dependents.emplace(&on, Dependents(function, on.product->getResult()))
            .first;
  return entry->second.contains(site.getActivation().value);
}

/// Layers are the longest repetition of a sequence of like products in which
/// every repetition starts from the result of the one before.
void Structure::numberLayers() {
  SmallVector<Site *> forward;
  for (Site &site : sites)
    if (site.role == SiteRole::Fprop)
      forward.push_back(&site);
  auto alike = [&](const Site &a, const Site &b) {
    return a.weight.root.getType() == b.weight.root.getType() &&
           a.weightSide == b.weightSide &&
           a.weight.gathered == b.weight.gathered &&
           a.form.batched == b.form.batched &&
           getContractedDims(*a.product, a.weightSide) ==
               getContractedDims(*b.product, b.weightSide);
  };
  size_t count = forward.size();
  size_t bestStart = 0, bestPeriod = 0, bestRepeats = 0;
  for (size_t period = 1; period * 2 <= count; ++period)
    for (size_t start = 0; start + 2 * period <= count;) {
      size_t end = start;
      while (end + period < count &&
             alike(*forward[end], *forward[end + period]))
        ++end;
      size_t repeats = (end - start) / period + 1;
      bool longer = repeats * period > bestRepeats * bestPeriod;
      if (repeats >= 2 && longer) {
        bool chained = true;
        for (size_t next = 1; next < repeats && chained; ++next)
          chained = depends(*forward[start + next * period],
                            *forward[start + next * period - 1]);
        if (chained) {
          bestStart = start;
          bestPeriod = period;
          bestRepeats = repeats;
        }
      }
      start = end + 1;
    }
  for (size_t index = 0; index < bestRepeats * bestPeriod; ++index)
    forward[bestStart + index]->layer = index / bestPeriod;
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
    structure.numberLayers();
  for (Site &site : sites) {
    ParamAttr param = getParam(site.weight.root);
    std::optional<SiteKind> named =
        param ? getKindFromName(param.getName()) : std::nullopt;
    if (!named && param && isGateOfExperts(function, param.getName()))
      named = SiteKind::Router;
    site.kind = named ? *named : structure.getKind(site);
  }
  // What a backward product is part of, its forward product says.
  for (Site &site : sites) {
    if (site.role == SiteRole::Fprop)
      continue;
    for (const Site &other : sites)
      if (other.role == SiteRole::Fprop &&
          other.weight.root == site.weight.root) {
        site.kind = other.kind;
        site.layer = other.layer;
        break;
      }
  }
}
