//===- BF16ToI16.cpp - Keep bf16 values as their bits ---------------------===//
//
// Part of the Lowp project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "lowp/Conversion/Passes.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/ControlFlow/IR/ControlFlow.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "mlir/IR/DialectResourceBlobManager.h"
#include "mlir/Transforms/DialectConversion.h"

namespace mlir::lowp {
#define GEN_PASS_DEF_LOWPBF16TOI16
#include "lowp/Conversion/Passes.h.inc"
} // namespace mlir::lowp

using namespace mlir;

namespace {

/// Ops that move values of any element type without looking at them.
bool movesValues(Operation *op) {
  if (isa<arith::ConstantOp, arith::SelectOp, arith::BitcastOp>(op))
    return true;
  if (isa<arith::ArithDialect>(op->getDialect()))
    return false;
  if (isa<vector::ReductionOp, vector::MultiDimReductionOp,
          vector::ContractionOp, vector::OuterProductOp, vector::FMAOp,
          vector::ScanOp, vector::PrintOp, memref::AtomicRMWOp>(op))
    return false;
  StringRef dialect = op->getName().getDialectNamespace();
  return llvm::is_contained({"builtin", "func", "scf", "cf", "memref", "vector",
                             "ub", "affine", "gpu"},
                            dialect);
}

struct BitsTypeConverter : TypeConverter {
  explicit BitsTypeConverter(MLIRContext *context) {
    Type i16 = IntegerType::get(context, 16);
    addConversion([](Type type) { return type; });
    addConversion([=](BFloat16Type) { return i16; });
    addConversion([=](ShapedType type) -> Type {
      // Tensors are gone; all other shaped types keep what they are.
      return type.getElementType().isBF16() ? Type(type.clone(i16))
                                            : Type(type);
    });
    addConversion([=](UnrankedMemRefType type) -> Type {
      if (!type.getElementType().isBF16())
        return type;
      return UnrankedMemRefType::get(i16, type.getMemorySpace());
    });
    addConversion([this](FunctionType type) -> Type {
      SmallVector<Type> inputs, results;
      if (failed(convertTypes(type.getInputs(), inputs)) ||
          failed(convertTypes(type.getResults(), results)))
        return {};
      return FunctionType::get(type.getContext(), inputs, results);
    });
  }

  Attribute convertAttribute(Attribute attribute) const {
    Type i16 = IntegerType::get(attribute.getContext(), 16);
    if (auto type = dyn_cast<TypeAttr>(attribute))
      return TypeAttr::get(convertType(type.getValue()));
    if (auto value = dyn_cast<FloatAttr>(attribute))
      return value.getType().isBF16()
                 ? IntegerAttr::get(i16, value.getValue().bitcastToAPInt())
                 : attribute;
    auto elements = dyn_cast<ElementsAttr>(attribute);
    if (!elements || !elements.getElementType().isBF16())
      return attribute;
    if (auto dense = dyn_cast<DenseElementsAttr>(elements))
      return dense.bitcast(i16);
    if (auto resource = dyn_cast<DenseResourceElementsAttr>(elements))
      return DenseResourceElementsAttr::get(resource.getType().clone(i16),
                                            resource.getRawHandle());
    return attribute;
  }
};

/// Rebuilds an op with converted operands, results, attributes and regions.
struct RebuildOp : ConversionPattern {
  RebuildOp(const TypeConverter &converter, MLIRContext *context)
      : ConversionPattern(converter, MatchAnyOpTypeTag(), /*benefit=*/0,
                          context) {}

  LogicalResult
  matchAndRewrite(Operation *op, ArrayRef<Value> operands,
                  ConversionPatternRewriter &rewriter) const override {
    const auto *converter = getTypeConverter<BitsTypeConverter>();
    SmallVector<Type> types;
    if (failed(converter->convertTypes(op->getResultTypes(), types)))
      return rewriter.notifyMatchFailure(op, "cannot convert the results");
    if (isa<arith::BitcastOp>(op) && operands[0].getType() == types[0]) {
      rewriter.replaceOp(op, operands[0]);
      return success();
    }
    if (!movesValues(op))
      return rewriter.notifyMatchFailure(op, "computes in bf16");

    NamedAttrList attributes(op->getDiscardableAttrDictionary());
    for (NamedAttribute attribute : op->getAttrs())
      if (op->getInherentAttr(attribute.getName()))
        attributes.set(attribute.getName(),
                       converter->convertAttribute(attribute.getValue()));
    OperationState state(op->getLoc(), op->getName(), operands, types,
                         attributes, op->getSuccessors());
    for (Region &region : op->getRegions()) {
      Region *moved = state.addRegion();
      rewriter.inlineRegionBefore(region, *moved, moved->begin());
      if (failed(rewriter.convertRegionTypes(moved, *converter)))
        return rewriter.notifyMatchFailure(op, "cannot convert a region");
    }
    rewriter.replaceOp(op, rewriter.create(state)->getResults());
    return success();
  }
};

struct BF16ToI16 : lowp::impl::LowpBF16ToI16Base<BF16ToI16> {
  void runOnOperation() override {
    MLIRContext *context = &getContext();
    BitsTypeConverter converter(context);
    auto isLegal = [&](Operation *op) {
      if (!converter.isLegal(op))
        return false;
      for (Region &region : op->getRegions())
        if (!converter.isLegal(&region))
          return false;
      // Discardable attributes may well speak of bf16: signatures do.
      return llvm::all_of(op->getAttrs(), [&](NamedAttribute attribute) {
        return !op->getInherentAttr(attribute.getName()) ||
               converter.convertAttribute(attribute.getValue()) ==
                   attribute.getValue();
      });
    };

    auto visit = [&](Operation *op) {
      if (isa<gpu::GPUModuleOp>(op))
        return WalkResult::skip();
      if (isLegal(op) || movesValues(op))
        return WalkResult::advance();
      op->emitOpError("computes in bf16, which the CPU path cannot do exactly; "
                      "expected this to be expanded to f32 before");
      return WalkResult::interrupt();
    };
    if (getOperation()->walk<WalkOrder::PreOrder>(visit).wasInterrupted())
      return signalPassFailure();

    ConversionTarget target(*context);
    target.addLegalOp<gpu::GPUModuleOp>();
    target.markOpRecursivelyLegal<gpu::GPUModuleOp>();
    target.markUnknownOpDynamicallyLegal(isLegal);
    RewritePatternSet patterns(context);
    patterns.add<RebuildOp>(converter, context);
    if (failed(
            applyFullConversion(getOperation(), target, std::move(patterns))))
      signalPassFailure();
  }
};

} // namespace
