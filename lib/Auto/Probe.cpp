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

llvm::BitVector mlir::lowp::getWeightArguments(func::FuncOp function) {
  llvm::BitVector arguments(function.getNumArguments());
  Block &block = function.front();
  for (auto [op, side] : getSiteOperands(block)) {
    if (op.getSiteAttr().getOperand(side) != SiteOperand::Weight)
      continue;
    llvm::BitVector needed(function.getNumArguments());
    bool simple = true;
    for (Value source : getSources(getOperand(op, side))) {
      auto argument = dyn_cast<BlockArgument>(source);
      if (!argument) {
        // Matrices that are gathered by a router are no longer the weight
        // alone.
        simple &= !isa<ContractionOpInterface>(source.getDefiningOp());
        continue;
      }
      simple &= isFloatTensor(argument) &&
                cast<RankedTensorType>(argument.getType()).hasStaticShape();
      needed.set(argument.getArgNumber());
    }
    if (simple)
      arguments |= needed;
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
  SetVector<Value> values;
  for (auto [op, side] : getSiteOperands(block)) {
    Value value = getOperand(op, side);
    if (!known.contains(value) || !isFloatTensor(value))
      continue;
    values.insert(value);
    size_t index = llvm::find(values, value) - values.begin();
    probe.results.resize(values.size());
    probe.results[index].readers.emplace_back(op.getSiteAttr().getName().str(),
                                              side);
  }

  SetVector<Value> sources = getSources(values.getArrayRef());
  Operation *terminator = block.getTerminator();
  terminator->setOperands(values.getArrayRef());
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
  function.setType(
      FunctionType::get(function.getContext(), function.getArgumentTypes(),
                        TypeRange(ValueRange(values.getArrayRef()))));
  (void)function.eraseArguments(unused);
  return probe;
}
