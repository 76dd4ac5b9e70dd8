//===- AssertToLLVM.cpp - cf.assert becomes an error ----------------------===//
//
// Part of the Lowp project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "lowp/Conversion/Passes.h"

#include "mlir/Dialect/ControlFlow/IR/ControlFlowOps.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/IR/PatternMatch.h"
#include "mlir/IR/SymbolTable.h"

#include "llvm/ADT/StringMap.h"

namespace mlir::lowp {
#define GEN_PASS_DEF_LOWPASSERTTOLLVM
#include "lowp/Conversion/Passes.h.inc"
} // namespace mlir::lowp

using namespace mlir;

static constexpr llvm::StringLiteral kHandler = "lowp_rt_assertion_failed";

namespace {
struct AssertToLLVM : lowp::impl::LowpAssertToLLVMBase<AssertToLLVM> {
  void runOnOperation() override {
    SmallVector<cf::AssertOp> asserts;
    getOperation().walk([&](cf::AssertOp op) { asserts.push_back(op); });
    if (asserts.empty())
      return;

    for (cf::AssertOp op : asserts)
      if (!op->getBlock()
               ->getParent()
               ->getParentOp()
               ->hasTrait<OpTrait::IsIsolatedFromAbove>()) {
        op.emitOpError("expects its parent to be a function whose body is a "
                       "CFG, but got '")
            << op->getParentOp()->getName() << "'";
        return signalPassFailure();
      }

    SymbolTable symbols(getOperation());
    auto handler = getHandler(symbols);
    IRRewriter rewriter(&getContext());
    for (cf::AssertOp op : asserts)
      lower(rewriter, op, getMessage(symbols, op.getMsg()), handler);
  }

  LLVM::LLVMFuncOp getHandler(SymbolTable &symbols) {
    if (auto existing = symbols.lookup<LLVM::LLVMFuncOp>(kHandler))
      return existing;
    OpBuilder builder = OpBuilder::atBlockBegin(getOperation().getBody());
    auto type =
        LLVM::LLVMFunctionType::get(LLVM::LLVMVoidType::get(&getContext()),
                                    LLVM::LLVMPointerType::get(&getContext()));
    auto handler = LLVM::LLVMFuncOp::create(builder, getOperation().getLoc(),
                                            kHandler, type);
    handler.setPassthroughAttr(builder.getStrArrayAttr({"noreturn", "cold"}));
    symbols.insert(handler);
    return handler;
  }

  LLVM::GlobalOp getMessage(SymbolTable &symbols, StringRef text) {
    LLVM::GlobalOp &global = messages[text];
    if (global)
      return global;
    OpBuilder builder = OpBuilder::atBlockBegin(getOperation().getBody());
    std::string value = text.str();
    value.push_back(0);
    auto type = LLVM::LLVMArrayType::get(builder.getI8Type(), value.size());
    global = LLVM::GlobalOp::create(
        builder, getOperation().getLoc(), type, /*isConstant=*/true,
        LLVM::Linkage::Internal, "lowp.assert.message",
        builder.getStringAttr(value));
    symbols.insert(global);
    return global;
  }

  void lower(IRRewriter &rewriter, cf::AssertOp op, LLVM::GlobalOp message,
             LLVM::LLVMFuncOp handler) {
    Location loc = op.getLoc();
    Block *block = op->getBlock();
    Block *rest = rewriter.splitBlock(block, std::next(op->getIterator()));
    Block *failure = rewriter.createBlock(block->getParent());
    Value address = LLVM::AddressOfOp::create(rewriter, loc, message);
    LLVM::CallOp::create(rewriter, loc, handler, address);
    LLVM::UnreachableOp::create(rewriter, loc);
    rewriter.setInsertionPoint(op);
    rewriter.replaceOpWithNewOp<cf::CondBranchOp>(op, op.getArg(), rest,
                                                  failure);
  }

  llvm::StringMap<LLVM::GlobalOp> messages;
};
} // namespace
