//===- BuffersToDevice.cpp - Buffers in the memory of a GPU ---------------===//
//
// Part of the Lowp project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "lowp/Conversion/Passes.h"

#include "mlir/Conversion/LLVMCommon/MemRefBuilder.h"
#include "mlir/Conversion/LLVMCommon/TypeConverter.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/IR/ImplicitLocOpBuilder.h"
#include "mlir/IR/SymbolTable.h"

namespace mlir::lowp {
#define GEN_PASS_DEF_LOWPBUFFERSTODEVICE
#include "lowp/Conversion/Passes.h.inc"
} // namespace mlir::lowp

using namespace mlir;

/// A function of the runtime for GPUs: ptr (ptr, i64 bytes).
static constexpr llvm::StringLiteral kUploader = "lowp_rt_gpu_constant";

namespace {
struct BuffersToDevice : lowp::impl::LowpBuffersToDeviceBase<BuffersToDevice> {
  void runOnOperation() override {
    SymbolTable symbols(getOperation());
    IRRewriter rewriter(&getContext());
    for (auto function : getOperation().getOps<func::FuncOp>()) {
      WalkResult result = function.walk([&](Operation *op) -> WalkResult {
        rewriter.setInsertionPoint(op);
        if (auto alloc = dyn_cast<memref::AllocOp>(op)) {
          if (!alloc.getSymbolOperands().empty() ||
              !alloc.getType().getLayout().isIdentity())
            return alloc.emitOpError("expects a buffer without gaps, but got ")
                   << alloc.getType();
          // What the device gives is aligned to more than any element.
          rewriter.replaceOpWithNewOp<gpu::AllocOp>(
              alloc, alloc.getType(), /*asyncToken=*/Type(),
              /*asyncDependencies=*/ValueRange(), alloc.getDynamicSizes(),
              /*symbolOperands=*/ValueRange());
        } else if (auto dealloc = dyn_cast<memref::DeallocOp>(op)) {
          rewriter.replaceOpWithNewOp<gpu::DeallocOp>(
              dealloc, /*asyncToken=*/Type(),
              /*asyncDependencies=*/ValueRange(), dealloc.getMemref());
        } else if (auto get = dyn_cast<memref::GetGlobalOp>(op)) {
          return upload(rewriter, get, symbols);
        }
        return WalkResult::advance();
      });
      if (result.wasInterrupted())
        return signalPassFailure();
    }
  }

  LogicalResult upload(IRRewriter &rewriter, memref::GetGlobalOp get,
                       SymbolTable &symbols) {
    auto global = symbols.lookup<memref::GlobalOp>(get.getName());
    auto type = get.getType();
    if (!global || !global.getConstant() || !type.hasStaticShape() ||
        !type.getLayout().isIdentity())
      return get.emitOpError("expects a constant of static shape, but got '")
             << get.getName() << "' of type " << type;
    ImplicitLocOpBuilder b(get.getLoc(), rewriter);
    auto uploader = getUploader(symbols);
    LLVMTypeConverter converter(&getContext());
    Type element = converter.convertType(type.getElementType());
    if (!element)
      return get.emitOpError("expects elements of a type that the host can "
                             "hold, but got ")
             << type;
    // In whole bytes: the host keeps an i1 as one.
    int64_t bytes = type.getNumElements() *
                    llvm::divideCeil(type.getElementType().isIndex()
                                         ? 64
                                         : type.getElementTypeBitWidth(),
                                     8);
    auto pointerType = LLVM::LLVMPointerType::get(&getContext());
    b.setInsertionPointAfter(get);
    Value address = memref::ExtractAlignedPointerAsIndexOp::create(b, get);
    Operation *first = address.getDefiningOp();
    address = arith::IndexCastOp::create(b, b.getI64Type(), address);
    Value pointer = LLVM::IntToPtrOp::create(b, pointerType, address);
    Value onDevice =
        LLVM::CallOp::create(
            b, uploader,
            ValueRange{pointer,
                       LLVM::ConstantOp::create(b, b.getI64Type(),
                                                b.getI64IntegerAttr(bytes))})
            .getResult();
    Value descriptor = MemRefDescriptor::fromStaticShape(
        b, b.getLoc(), converter, type, onDevice);
    Value buffer =
        UnrealizedConversionCastOp::create(b, type, descriptor).getResult(0);
    rewriter.replaceAllUsesExcept(get.getResult(), buffer, first);
    return success();
  }

  LLVM::LLVMFuncOp getUploader(SymbolTable &symbols) {
    if (auto existing = symbols.lookup<LLVM::LLVMFuncOp>(kUploader))
      return existing;
    OpBuilder builder = OpBuilder::atBlockBegin(getOperation().getBody());
    auto pointer = LLVM::LLVMPointerType::get(&getContext());
    auto uploader = LLVM::LLVMFuncOp::create(
        builder, getOperation().getLoc(), kUploader,
        LLVM::LLVMFunctionType::get(pointer, {pointer, builder.getI64Type()}));
    symbols.insert(uploader);
    return uploader;
  }
};
} // namespace
