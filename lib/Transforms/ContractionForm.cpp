//===- ContractionForm.cpp - products as the dialect has them -*- C++ -*-===//
//
// Part of the lowp project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Product.h"

using namespace mlir;
using namespace mlir::lowp;

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

  int64_t getSize(unsigned atom) const { return sizes[atom]; }

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
    // Sizes that are dynamic or 0 do not say which part is which.
    auto isUnclear = [](int64_t size) { return size <= 0; };
    if (llvm::any_of(shape, isUnclear) ||
        llvm::any_of(atoms,
                     [&](unsigned atom) { return isUnclear(sizes[atom]); }))
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
  int64_t getSize(unsigned atom) const { return space.getSize(atom); }

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

SmallVector<UsedView> mlir::lowp::getUsedViews(Product &product,
                                               unsigned side) {
  FormBuilder builder(product);
  SmallVector<UsedView> used;
  // Later views split the dims of earlier ones: only all of them say it.
  for (const View &view : builder.getViews(product.get(side), /*all=*/true)) {
    UsedView &next = used.emplace_back(UsedView{view.value, {}});
    for (const Atoms &unresolved : view.dims) {
      Atoms atoms = builder.resolve(unresolved);
      size_t contracted = llvm::count_if(
          atoms, [&](unsigned atom) { return builder.isContracted(atom); });
      next.dims.push_back(atoms.empty()                ? DimUse::Unit
                          : contracted == 0            ? DimUse::Free
                          : contracted == atoms.size() ? DimUse::Contracted
                                                       : DimUse::Both);
    }
  }
  return used;
}

std::optional<SmallVector<SmallVector<DimPart>>>
mlir::lowp::getOperandLayout(Product &product, unsigned side,
                             const ContractionForm &form,
                             llvm::function_ref<bool(Value)> isBase) {
  bool first = (side == 0) != form.swapped;
  const OperandForm &operand = first ? form.lhs : form.rhs;
  FormBuilder builder(product);
  SmallVector<View> views = builder.getViews(product.get(side), /*all=*/true);
  auto *view = llvm::find_if(
      views, [&](const View &view) { return view.value == operand.value; });
  auto *base = llvm::find_if(
      views, [&](const View &view) { return isBase(view.value); });
  if (view == views.end() || base == views.end())
    return std::nullopt;

  DenseMap<unsigned, DimPart> parts;
  for (auto [dim, unresolved] : llvm::enumerate(base->dims)) {
    int64_t stride = 1;
    for (unsigned atom : llvm::reverse(builder.resolve(unresolved))) {
      int64_t size = builder.getSize(atom);
      parts[atom] = {static_cast<int64_t>(dim), stride, size};
      stride = ShapedType::isDynamic(stride) || ShapedType::isDynamic(size)
                   ? ShapedType::kDynamic
                   : stride * size;
    }
  }
  SmallVector<SmallVector<DimPart>> layout;
  for (const SmallVector<int64_t> &group : operand.groups) {
    SmallVector<DimPart> &dim = layout.emplace_back();
    for (int64_t member : group)
      for (unsigned atom : builder.resolve(view->dims[member])) {
        auto found = parts.find(atom);
        DimPart part = found == parts.end()
                           ? DimPart{-1, 1, builder.getSize(atom)}
                           : found->second;
        bool continues = !dim.empty() && part.dim != -1 &&
                         dim.back().dim == part.dim &&
                         !ShapedType::isDynamic(part.size) &&
                         !ShapedType::isDynamic(dim.back().stride) &&
                         !ShapedType::isDynamic(dim.back().size) &&
                         dim.back().stride == part.stride * part.size;
        if (continues)
          dim.back() = {part.dim, part.stride, dim.back().size * part.size};
        else
          dim.push_back(part);
      }
  }
  if (first == operand.transposed)
    std::swap(layout[layout.size() - 1], layout[layout.size() - 2]);
  return layout;
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
