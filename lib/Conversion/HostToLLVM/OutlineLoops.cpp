//===- OutlineLoops.cpp - A function for each loop nest -------------------===//
//
// Part of the Lowp project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "lowp/Conversion/Passes.h"

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

static void outline(Operation *loop, StringRef name, SymbolTable &symbols) {
  llvm::SetVector<Value> captured(loop->operand_begin(), loop->operand_end());
  getUsedValuesDefinedAbove(loop->getRegions(), captured);
  SmallVector<Value> cheap, arguments;
  for (Value value : captured)
    (isCheap(value) ? cheap : arguments).push_back(value);

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
