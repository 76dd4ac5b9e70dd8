//===- OutlineLoops.cpp - A function for each loop nest -------------------===//
//
// Part of the Lowp project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "lowp/Conversion/Passes.h"
#include "lowp/IR/LowpOps.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/IR/IRMapping.h"
#include "mlir/IR/Matchers.h"
#include "mlir/IR/SymbolTable.h"
#include "mlir/Transforms/RegionUtils.h"

#include "llvm/ADT/SetVector.h"

namespace mlir::lowp {
#define GEN_PASS_DEF_LOWPOUTLINELOOPS
#include "lowp/Conversion/Passes.h.inc"
} // namespace mlir::lowp

using namespace mlir;

/// Whether the loop's function computes the value itself: sizes and strides
/// that it knows are worth more than a shorter list of arguments.
static bool isCheap(Value value) {
  Operation *op = value.getDefiningOp();
  return op && op->getNumOperands() == 0 &&
         (matchPattern(op, m_Constant()) || isa<memref::GetGlobalOp>(op));
}

/// Gives the streams of random bits in a loop, which are constants, values of
/// their own in front of it, and returns those. The stream alone tells the
/// stochastic rounding of one layer from that of another: with it as an
/// argument, their loops are one function.
static SmallPtrSet<Value, 4> separateStreams(Operation *loop) {
  SmallPtrSet<Value, 4> copies;
  DenseMap<Value, Value> copyOf;
  OpBuilder builder(loop);
  loop->walk([&](lowp::PhiloxOp op) {
    Value stream = op.getStream();
    if (!isCheap(stream) || loop->isAncestor(stream.getDefiningOp()))
      return;
    auto [copy, isNew] = copyOf.try_emplace(stream);
    if (isNew)
      copy->second = builder.clone(*stream.getDefiningOp())->getResult(0);
    op.getStreamMutable().assign(copy->second);
    copies.insert(copy->second);
  });
  return copies;
}

static void outline(Operation *loop, StringRef name, SymbolTable &symbols) {
  SmallPtrSet<Value, 4> streams = separateStreams(loop);
  llvm::SetVector<Value> captured(loop->operand_begin(), loop->operand_end());
  getUsedValuesDefinedAbove(loop->getRegions(), captured);
  SmallVector<Value> cheap, arguments;
  for (Value value : captured)
    (isCheap(value) && !streams.contains(value) ? cheap : arguments)
        .push_back(value);

  Location loc = loop->getLoc();
  OpBuilder builder(loop->getContext());
  auto type = builder.getFunctionType(ValueRange(arguments).getTypes(), {});
  auto function = func::FuncOp::create(loc, name, type);
  function.setPrivate();
  // Inlined again, equal loops would be optimised once each. The conversion to
  // the LLVM dialect drops `no_inline` and keeps this.
  function->setAttr("passthrough", builder.getStrArrayAttr({"noinline"}));
  symbols.insert(function);
  Block *body = function.addEntryBlock();

  builder.setInsertionPoint(loop);
  func::CallOp::create(builder, loc, function, arguments);
  builder.setInsertionPointToEnd(body);
  IRMapping mapping;
  mapping.map(arguments, body->getArguments());
  for (Value value : cheap)
    builder.clone(*value.getDefiningOp(), mapping);
  auto end = func::ReturnOp::create(builder, loc);
  loop->moveBefore(end);
  loop->walk([&](Operation *op) {
    for (OpOperand &operand : op->getOpOperands())
      if (Value inside = mapping.lookupOrNull(operand.get()))
        operand.set(inside);
  });
}

namespace {
struct OutlineLoops : lowp::impl::LowpOutlineLoopsBase<OutlineLoops> {
  using LowpOutlineLoopsBase::LowpOutlineLoopsBase;

  void runOnOperation() override {
    SymbolTable symbols(getOperation());
    SmallVector<func::FuncOp> functions(getOperation().getOps<func::FuncOp>());
    for (func::FuncOp function : functions) {
      SmallVector<Operation *> loops;
      for (Block &block : function.getBody())
        for (Operation &op : block)
          if (isa<scf::ForOp, scf::ParallelOp>(op) && op.getNumResults() == 0)
            loops.push_back(&op);
      if (loops.size() < minLoops)
        continue;
      std::string name = (function.getSymName() + "_loop").str();
      for (Operation *loop : loops)
        outline(loop, name, symbols);
    }
  }
};
} // namespace
