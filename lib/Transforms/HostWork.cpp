//===- HostWork.cpp - What the host of a GPU does itself
//-------------------===//
//
// Part of the Lowp project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "HostWork.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Bufferization/IR/Bufferization.h"
#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"

using namespace mlir;
using namespace mlir::lowp;

/// A function of the runtime for GPUs: i64 (ptr, i64 bytes).
static constexpr StringLiteral kReaderName = "lowp_rt_gpu_read";

//===----------------------------------------------------------------------===//
// What stays on the host
//===----------------------------------------------------------------------===//

bool lowp::isIndexComputation(Operation *op) {
  auto isScalarOrBuffer = [](Type type) {
    return type.isIntOrIndex() ||
           isa<BaseMemRefType, LLVM::LLVMPointerType>(type);
  };
  // Of what the host reads (`readOnHost`).
  if (auto cast = dyn_cast<arith::BitcastOp>(op))
    return cast.getType().isIntOrFloat() && cast.getIn().getType().isInteger();
  return op->getNumRegions() == 0 && isMemoryEffectFree(op) &&
         llvm::all_of(op->getResultTypes(), isScalarOrBuffer) &&
         llvm::all_of(op->getOperandTypes(), isScalarOrBuffer);
}

bool lowp::isHostOp(Operation *op) {
  if (isa<func::FuncDialect, gpu::GPUDialect, cf::ControlFlowDialect,
          bufferization::BufferizationDialect>(op->getDialect()) ||
      isa<memref::AllocOp, memref::DeallocOp, memref::AssumeAlignmentOp,
          LLVM::CallOp, LLVM::IntToPtrOp>(op) ||
      op->hasTrait<OpTrait::ConstantLike>())
    return true;
  return isIndexComputation(op);
}

bool lowp::isKernelOp(Operation *op) {
  StringRef dialect = op->getName().getDialectNamespace();
  return isa<cf::AssertOp>(op) ||
         (llvm::is_contained({"affine", "arith", "lowp", "math", "memref",
                              "scf", "ub", "vector"},
                             dialect) &&
          !isa<memref::AllocOp, memref::DeallocOp, memref::CopyOp>(op));
}

bool lowp::isParallelLoop(Operation *op) {
  return isa<scf::ForallOp, scf::ParallelOp>(op);
}

bool lowp::holdsHostWork(Operation *op) {
  // Which buffer it gives is the host's to know.
  if (isParallelLoop(op) ||
      (op->getNumRegions() != 0 &&
       llvm::any_of(op->getResultTypes(), llvm::IsaPred<BaseMemRefType>)))
    return true;
  auto isHostWork = [&](Operation *nested) {
    return isParallelLoop(nested) ||
           (nested != op &&
            (isa<memref::AllocOp, memref::DeallocOp, CallOpInterface>(nested) ||
             isa<gpu::GPUDialect>(nested->getDialect())));
  };
  return op->getNumRegions() != 0 && op->walk([&](Operation *nested) {
                                         return isHostWork(nested)
                                                    ? WalkResult::interrupt()
                                                    : WalkResult::advance();
                                       }).wasInterrupted();
}

/// Whether something around `op` is work for a kernel as a whole.
static bool isInKernel(Operation *op) {
  for (op = op->getParentOp(); !isa<func::FuncOp>(op); op = op->getParentOp())
    if (isParallelLoop(op) || !holdsHostWork(op))
      return true;
  return false;
}

Value lowp::getPointer(ImplicitLocOpBuilder &b, Value buffer) {
  Value address = memref::ExtractAlignedPointerAsIndexOp::create(b, buffer);
  address = arith::IndexCastOp::create(b, b.getI64Type(), address);
  return LLVM::IntToPtrOp::create(b, LLVM::LLVMPointerType::get(b.getContext()),
                                  address);
}

Value lowp::readOnHost(ImplicitLocOpBuilder &b, ModuleOp module, Value buffer) {
  Type i64 = b.getI64Type();
  auto reader = module.lookupSymbol<LLVM::LLVMFuncOp>(kReaderName);
  if (!reader) {
    OpBuilder::InsertionGuard guard(b);
    b.setInsertionPointToStart(module.getBody());
    auto type = LLVM::LLVMFunctionType::get(
        i64, {LLVM::LLVMPointerType::get(b.getContext()), i64});
    reader = LLVM::LLVMFuncOp::create(b, kReaderName, type);
  }
  Type type = cast<MemRefType>(buffer.getType()).getElementType();
  unsigned width = type.isIndex() ? 64 : type.getIntOrFloatBitWidth();
  Value bytes = LLVM::ConstantOp::create(
      b, i64, b.getI64IntegerAttr(llvm::divideCeil(width, 8)));
  Value bits =
      LLVM::CallOp::create(b, reader, ValueRange{getPointer(b, buffer), bytes})
          .getResult();
  if (type.isIndex())
    return arith::IndexCastOp::create(b, type, bits);
  if (width != 64)
    bits = arith::TruncIOp::create(b, b.getIntegerType(width), bits);
  return isa<FloatType>(type) ? arith::BitcastOp::create(b, type, bits) : bits;
}

//===----------------------------------------------------------------------===//
// Assertions
//===----------------------------------------------------------------------===//

/// Whether what comes after `op` may run before it.
static bool isRepeated(Operation *op) {
  return op->getParentOfType<LoopLikeOpInterface>() ||
         !op->getParentOfType<func::FuncOp>().getBody().hasOneBlock();
}

Assertions::Assertions(func::FuncOp function) {
  // What ends the function otherwise, or reads buffers that a thread did not
  // write, comes after a check; but where no assertion can have failed yet.
  SmallVector<Operation *> checked;
  function.walk([&](Operation *op) {
    auto assertion = dyn_cast<cf::AssertOp>(op);
    if (assertion && isInKernel(op))
      ops.push_back(assertion);
    else if ((assertion || isa<func::CallOp>(op)) &&
             (!ops.empty() || isRepeated(op)))
      checked.push_back(op);
  });
  if (ops.empty())
    return;
  auto b = ImplicitLocOpBuilder::atBlockBegin(function.getLoc(),
                                              &function.getBody().front());
  failed = memref::AllocOp::create(b, MemRefType::get({}, b.getI32Type()));
  auto none = arith::ConstantOp::create(b, b.getI32IntegerAttr(0));
  gpu::MemsetOp::create(b, /*asyncToken=*/Type(),
                        /*asyncDependencies=*/ValueRange(), failed, none);
  for (auto [index, op] : llvm::enumerate(ops))
    record(op, getCode(index));
  buildCheck(function);
  for (Operation *op : checked) {
    ImplicitLocOpBuilder b(op->getLoc(), op);
    checkOnHost(b);
  }
  function.walk([&](func::ReturnOp op) {
    ImplicitLocOpBuilder b(op.getLoc(), op);
    checkOnHost(b);
    memref::DeallocOp::create(b, failed);
  });
}

void Assertions::checkOnHost(ImplicitLocOpBuilder &b) const {
  if (failed)
    func::CallOp::create(b, check, failed);
}

void Assertions::record(cf::AssertOp op, int64_t code) {
  ImplicitLocOpBuilder b(op.getLoc(), op);
  Value fails = arith::XOrIOp::create(
      b, op.getArg(), arith::ConstantOp::create(b, b.getBoolAttr(true)));
  auto guard = scf::IfOp::create(b, fails, /*withElseRegion=*/false);
  b.setInsertionPointToStart(guard.thenBlock());
  memref::AtomicRMWOp::create(
      b, arith::AtomicRMWKind::maxu,
      arith::ConstantOp::create(b, b.getI32IntegerAttr(code)), failed,
      ValueRange());
}

void Assertions::buildCheck(func::FuncOp function) {
  ImplicitLocOpBuilder b(function.getLoc(), function);
  SymbolTable symbols(function->getParentOfType<ModuleOp>());
  check =
      func::FuncOp::create(b, (function.getName() + ".check").str(),
                           b.getFunctionType({failed.getType()}, TypeRange()));
  check.setPrivate();
  symbols.insert(check);
  b.setInsertionPointToStart(check.addEntryBlock());
  Value found = readOnHost(b, function->getParentOfType<ModuleOp>(),
                           check.getArgument(0));
  for (auto [index, assertion] : llvm::enumerate(ops)) {
    Value code =
        arith::ConstantOp::create(b, b.getI32IntegerAttr(getCode(index)));
    Value holds =
        arith::CmpIOp::create(b, arith::CmpIPredicate::ne, found, code);
    cf::AssertOp::create(b, assertion.getLoc(), holds, assertion.getMsg());
  }
  func::ReturnOp::create(b);
}
