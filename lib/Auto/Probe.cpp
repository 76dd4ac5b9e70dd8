//===- Probe.cpp - a program that computes operands of sites -*- C++ -*-===//
//
// Part of the lowp project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "lowp/Auto/Probe.h"

#include "lowp/IR/LowpOps.h"
#include "mlir/Transforms/RegionUtils.h"

#include "llvm/ADT/MapVector.h"
#include "llvm/ADT/SetVector.h"

using namespace mlir;
using namespace mlir::lowp;

/// What `op` reads, in its regions too.
static SetVector<Value> getInputs(Operation *op) {
  SetVector<Value> inputs;
  inputs.insert(op->operand_begin(), op->operand_end());
  getUsedValuesDefinedAbove(op->getRegions(), inputs);
  return inputs;
}

/// All that `values` follow from, themselves included.
static SetVector<Value> getSources(ArrayRef<Value> values) {
  SetVector<Value> sources(values.begin(), values.end());
  for (size_t i = 0; i < sources.size(); ++i)
    if (Operation *op = sources[i].getDefiningOp())
      sources.insert_range(getInputs(op));
  return sources;
}

static bool isFloatTensor(Value value) {
  auto type = dyn_cast<RankedTensorType>(value.getType());
  return type &&
         isa<Float32Type, BFloat16Type, Float16Type>(type.getElementType());
}

/// The sites of a block with a side each, in order.
static SmallVector<std::pair<ContractionOpInterface, Side>>
getSiteOperands(Block &block) {
  SmallVector<std::pair<ContractionOpInterface, Side>> operands;
  for (auto op : block.getOps<ContractionOpInterface>())
    if (op.getSiteAttr())
      for (Side side : {Side::Lhs, Side::Rhs})
        operands.emplace_back(op, side);
  return operands;
}

static Value getOperand(ContractionOpInterface op, Side side) {
  return side == Side::Lhs ? op.getLhsOperand().get()
                           : op.getRhsOperand().get();
}

/// The offsets of the groups that a site contracts, or null.
static Value getOffsets(ContractionOpInterface op) {
  auto grouped = dyn_cast<KGroupedMatmulOp>(op.getOperation());
  return grouped ? grouped.getOffsets() : Value();
}

/// The arguments that `weight` follows from; none where it does not follow from
/// them alone.
static std::optional<SmallVector<BlockArgument>>
getWeightSources(Value weight) {
  SmallVector<BlockArgument> arguments;
  SetVector<Value> sources;
  sources.insert(weight);
  for (size_t i = 0; i < sources.size(); ++i) {
    if (auto argument = dyn_cast<BlockArgument>(sources[i])) {
      if (!isFloatTensor(argument) ||
          !cast<RankedTensorType>(argument.getType()).hasStaticShape())
        return std::nullopt;
      arguments.push_back(argument);
      continue;
    }
    Operation *op = sources[i].getDefiningOp();
    // Matrices that a router picks are no longer the weight alone.
    if (isa<ContractionOpInterface>(op))
      return std::nullopt;
    sources.insert_range(getInputs(op));
  }
  return arguments;
}

llvm::BitVector mlir::lowp::getWeightArguments(func::FuncOp function) {
  llvm::BitVector arguments(function.getNumArguments());
  Block &block = function.front();
  for (auto [op, side] : getSiteOperands(block)) {
    if (op.getSiteAttr().getOperand(side) != SiteOperand::Weight)
      continue;
    if (auto sources = getWeightSources(getOperand(op, side)))
      for (BlockArgument argument : *sources)
        arguments.set(argument.getArgNumber());
  }
  return arguments;
}

Probe mlir::lowp::makeProbe(func::FuncOp function,
                            const llvm::BitVector &given) {
  Block &block = function.front();
  DenseSet<Value> known;
  for (unsigned argument : given.set_bits())
    known.insert(block.getArgument(argument));
  for (Operation &op : block)
    if (llvm::all_of(getInputs(&op),
                     [&](Value input) { return known.contains(input); }))
      known.insert_range(op.getResults());

  Probe probe;
  llvm::MapVector<Value, size_t> values;
  auto addResult = [&](Value value) -> Probe::Result & {
    auto [entry, isNew] = values.try_emplace(value, values.size());
    if (isNew)
      probe.results.emplace_back();
    return probe.results[entry->second];
  };
  for (auto [op, side] : getSiteOperands(block)) {
    Value value = getOperand(op, side), offsets = getOffsets(op);
    if (!known.contains(value) || !isFloatTensor(value) ||
        (offsets && !known.contains(offsets)))
      continue;
    std::string name = op.getSiteAttr().getName().str();
    addResult(value).readers.emplace_back(name, side);
    if (!offsets)
      continue;
    auto &grouped = addResult(offsets).grouped;
    if (!llvm::is_contained(grouped, name))
      grouped.push_back(name);
  }

  auto returned = llvm::to_vector(llvm::make_first_range(values));
  SetVector<Value> sources = getSources(returned);
  Operation *terminator = block.getTerminator();
  terminator->setOperands(returned);
  // Assertions on other values go as well: these are not computed.
  for (Operation &op : llvm::make_early_inc_range(llvm::reverse(block))) {
    if (&op == terminator || llvm::any_of(op.getResults(), [&](Value result) {
          return sources.contains(result);
        }))
      continue;
    op.erase();
  }
  llvm::BitVector unused(block.getNumArguments());
  for (BlockArgument argument : block.getArguments()) {
    if (argument.use_empty())
      unused.set(argument.getArgNumber());
    else
      probe.arguments.push_back(argument.getArgNumber());
  }
  function.removeResAttrsAttr();
  function.setType(FunctionType::get(function.getContext(),
                                     function.getArgumentTypes(),
                                     TypeRange(ValueRange(returned))));
  (void)function.eraseArguments(unused);
  return probe;
}
