//===- AssignStreams.cpp - random streams of a program --------------------===//
//
// Part of the Lowp project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "lowp/IR/LowpOps.h"
#include "lowp/Transforms/Passes.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/IR/SymbolTable.h"
#include "llvm/ADT/SetVector.h"

namespace mlir::lowp {
#define GEN_PASS_DEF_ASSIGNSTREAMS
#include "lowp/Transforms/Passes.h.inc"
} // namespace mlir::lowp

using namespace mlir;
using namespace mlir::lowp;

namespace {
class AssignStreams : public lowp::impl::AssignStreamsBase<AssignStreams> {
public:
  using AssignStreamsBase::AssignStreamsBase;

  void runOnOperation() override;
};

/// Functions that need the step, and the argument in which they get it.
class StepThreading {
public:
  explicit StepThreading(ModuleOp module) : users(symbolTables, module) {}

  /// `function` needs the step, and so do its callers where it has no argument
  /// for it yet.
  LogicalResult require(func::FuncOp function);

  /// Adds the arguments, and passes them in calls.
  void addArguments();

  Value getStep(func::FuncOp function) { return steps.lookup(function); }

private:
  SymbolTableCollection symbolTables;
  SymbolUserMap users;
  llvm::SetVector<func::FuncOp> withoutArgument;
  llvm::DenseMap<func::FuncOp, Value> steps;
};
} // namespace

static BlockArgument findStepArgument(func::FuncOp function) {
  for (BlockArgument argument : function.getArguments())
    if (function.getArgAttr(argument.getArgNumber(), kStepAttrName))
      return argument;
  return {};
}

LogicalResult StepThreading::require(func::FuncOp function) {
  SmallVector<func::FuncOp> worklist = {function};
  while (!worklist.empty()) {
    func::FuncOp next = worklist.pop_back_val();
    if (steps.contains(next) || withoutArgument.contains(next))
      continue;
    if (BlockArgument argument = findStepArgument(next)) {
      steps[next] = argument;
      continue;
    }
    withoutArgument.insert(next);
    for (Operation *user : users.getUsers(next)) {
      auto caller = user->getParentOfType<func::FuncOp>();
      if (!isa<func::CallOp>(user) || !caller) {
        InFlightDiagnostic diag =
            next.emitOpError()
            << "expects to be called by 'func.call' only, because it gets the "
               "step of stochastic rounding as an argument";
        diag.attachNote(user->getLoc()) << "but it is used here";
        return diag;
      }
      worklist.push_back(caller);
    }
  }
  return success();
}

void StepThreading::addArguments() {
  for (func::FuncOp function : withoutArgument) {
    Builder builder(function.getContext());
    unsigned index = function.getNumArguments();
    auto attributes = builder.getDictionaryAttr(
        builder.getNamedAttr(kStepAttrName, builder.getUnitAttr()));
    (void)function.insertArgument(index, builder.getI32Type(), attributes,
                                  function.getLoc());
    steps[function] = function.getArgument(index);
  }
  for (func::FuncOp function : withoutArgument)
    for (Operation *user : users.getUsers(function)) {
      auto call = cast<func::CallOp>(user);
      Value step = getStep(call->getParentOfType<func::FuncOp>());
      call->insertOperands(call->getNumOperands(), step);
      if (ArrayAttr attributes = call.getArgAttrsAttr()) {
        SmallVector<Attribute> all(attributes.getValue());
        all.push_back(DictionaryAttr::get(call.getContext()));
        call.setArgAttrsAttr(ArrayAttr::get(call.getContext(), all));
      }
    }
}

/// The operations by their streams; reports two that share one.
static LogicalResult
collectStreams(ArrayRef<StochasticOpInterface> ops,
               llvm::DenseMap<int64_t, StochasticOpInterface> &owners) {
  bool distinct = true;
  for (StochasticOpInterface op : ops) {
    IntegerAttr stream = op.getStreamAttr();
    if (!stream)
      continue;
    auto [owner, isNew] = owners.try_emplace(stream.getInt(), op);
    if (isNew)
      continue;
    InFlightDiagnostic diag = op->emitOpError()
                              << "expects a stream of its own, but got stream "
                              << stream.getInt() << " of another operation";
    diag.attachNote(owner->second->getLoc()) << "the other operation is here";
    distinct = false;
  }
  return success(distinct);
}

void AssignStreams::runOnOperation() {
  ModuleOp module = getOperation();
  SmallVector<StochasticOpInterface> ops;
  module.walk<WalkOrder::PreOrder>([&](StochasticOpInterface op) {
    if (op.isStochastic())
      ops.push_back(op);
  });

  llvm::DenseMap<int64_t, StochasticOpInterface> owners;
  if (failed(collectStreams(ops, owners)))
    return signalPassFailure();

  StepThreading threading(module);
  for (StochasticOpInterface op : ops) {
    if (op.getSeed())
      continue;
    auto function = op->getParentOfType<func::FuncOp>();
    if (!function) {
      op->emitOpError("expects to be in a 'func.func', which gets the step of "
                      "stochastic rounding as an argument, or to have a seed "
                      "and a step");
      return signalPassFailure();
    }
    if (failed(threading.require(function)))
      return signalPassFailure();
  }
  threading.addArguments();

  Builder attributes(&getContext());
  llvm::DenseMap<func::FuncOp, Value> seeds;
  int64_t next = 0;
  for (StochasticOpInterface op : ops) {
    if (!op.getStreamAttr()) {
      while (owners.contains(next))
        ++next;
      op.setStreamAttr(attributes.getI32IntegerAttr(next++));
    }
    if (op.getSeed())
      continue;
    auto function = op->getParentOfType<func::FuncOp>();
    Value &value = seeds[function];
    if (!value) {
      auto builder = OpBuilder::atBlockBegin(&function.front());
      value = arith::ConstantOp::create(builder, function.getLoc(),
                                        builder.getI64IntegerAttr(seed));
    }
    op.setKey(value, threading.getStep(function));
  }
}
