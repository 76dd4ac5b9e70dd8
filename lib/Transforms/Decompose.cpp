//===- Decompose.cpp - Blocked values to loops on tensors -----------------===//
//
// Part of the Lowp project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The pass itself and the conversion of blocked values through calls and
// control flow; the operations are in the other Decompose*.cpp files.
//
//===----------------------------------------------------------------------===//

#include "DecomposeUtils.h"
#include "lowp/Transforms/Passes.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Bufferization/IR/Bufferization.h"
#include "mlir/Dialect/ControlFlow/IR/ControlFlowOps.h"
#include "mlir/Dialect/ControlFlow/Transforms/StructuralTypeConversions.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/Func/Transforms/FuncConversions.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/SCF/Transforms/Patterns.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"

namespace mlir::lowp {
#define GEN_PASS_DEF_DECOMPOSE
#include "lowp/Transforms/Passes.h.inc"
} // namespace mlir::lowp

using namespace mlir;
using namespace mlir::lowp;
using namespace mlir::lowp::decompose;

static bool isBlocked(Type type) { return isa<BlockedType>(type); }

static bool touchesBlocked(Operation *op) {
  return llvm::any_of(op->getOperandTypes(), isBlocked) ||
         llvm::any_of(op->getResultTypes(), isBlocked);
}

//===----------------------------------------------------------------------===//
// What can be decomposed
//===----------------------------------------------------------------------===//

/// Random bits need a key.
static LogicalResult checkKey(StochasticOpInterface op) {
  if (!op.isStochastic() || (op.getSeed() && op.getStreamAttr()))
    return success();
  return op->emitOpError()
         << "expects a seed, a step and a stream for stochastic rounding, but "
            "got no "
         << (op.getSeed() ? "stream" : "seed")
         << "; 'lowp-assign-streams' gives operations what they lack";
}

static LogicalResult checkSupported(Operation *op) {
  if (auto stochastic = dyn_cast<StochasticOpInterface>(op))
    return checkKey(stochastic);
  if (isa<LowpDialect>(op->getDialect()) || !touchesBlocked(op))
    return success();
  if (auto select = dyn_cast<arith::SelectOp>(op);
      select && select.getCondition().getType().isInteger(1))
    return success();
  if (isa<func::CallOp, func::ReturnOp, scf::IfOp, scf::ForOp, scf::WhileOp,
          scf::ConditionOp, scf::IndexSwitchOp, scf::YieldOp, cf::BranchOp,
          cf::CondBranchOp>(op))
    return success();
  return op->emitOpError(
      "expects no operand or result of a blocked type; values of that type "
      "pass through func.func, func.call, scf.if, scf.for, scf.while, "
      "scf.index_switch, cf.br, cf.cond_br and arith.select only");
}

//===----------------------------------------------------------------------===//
// Structure
//===----------------------------------------------------------------------===//

/// The meaning of a kernel is its body inlined.
static void inlineKernels(Operation *root) {
  IRRewriter rewriter(root->getContext());
  root->walk([&](KernelOp kernel) {
    Block *body = &kernel.getBody().front();
    Operation *yield = body->getTerminator();
    SmallVector<Value> results(yield->getOperands());
    rewriter.inlineBlockBefore(body, kernel);
    rewriter.eraseOp(yield);
    rewriter.replaceOp(kernel, results);
  });
}

/// What a contraction was recognised from has no meaning any more.
static void dropOrigins(Operation *root) {
  root->walk([](Operation *op) {
    if (!isa<MatmulOp, BatchMatmulOp, GroupedMatmulOp, KGroupedMatmulOp>(op))
      return WalkResult::advance();
    Region &origin = op->getRegion(0);
    origin.dropAllReferences();
    origin.getBlocks().clear();
    return WalkResult::skip();
  });
}

/// Attributes of one argument (or result) list, one entry per old value, put on
/// the first of the values that it became.
static SmallVector<Attribute> spreadAttributes(const TypeConverter &converter,
                                               TypeRange types,
                                               ArrayAttr attributes) {
  SmallVector<Attribute> spread;
  for (auto [i, type] : llvm::enumerate(types)) {
    SmallVector<Type> converted;
    if (failed(converter.convertType(type, converted)))
      continue;
    Attribute none = DictionaryAttr::get(type.getContext());
    for (size_t part = 0; part < converted.size(); ++part)
      spread.push_back(part == 0 && attributes ? attributes[i] : none);
  }
  return spread;
}

namespace {

/// Argument and result attributes of a function, where they belong after the
/// conversion. The conversion of signatures upstream leaves them at the indices
/// that they had.
class SignatureAttributes {
public:
  SignatureAttributes(func::FuncOp function, const TypeConverter &converter)
      : function(function) {
    if (ArrayAttr attributes = function.getAllArgAttrs())
      arguments =
          spreadAttributes(converter, function.getArgumentTypes(), attributes);
    if (ArrayAttr attributes = function.getAllResultAttrs())
      results =
          spreadAttributes(converter, function.getResultTypes(), attributes);
  }

  void restore() {
    MLIRContext *context = function.getContext();
    if (!arguments.empty())
      function.setAllArgAttrs(ArrayAttr::get(context, arguments));
    if (!results.empty())
      function.setAllResultAttrs(ArrayAttr::get(context, results));
  }

private:
  func::FuncOp function;
  SmallVector<Attribute> arguments, results;
};

/// Unlike the upstream pattern, keeps all attributes of the call.
struct CallPattern : OpConversionPattern<func::CallOp> {
  using OpConversionPattern::OpConversionPattern;
  LogicalResult
  matchAndRewrite(func::CallOp op, OneToNOpAdaptor adaptor,
                  ConversionPatternRewriter &rewriter) const override {
    SmallVector<Value> operands;
    for (ValueRange values : adaptor.getOperands())
      llvm::append_range(operands, values);
    SmallVector<Type> types;
    SmallVector<size_t> ends;
    for (Type type : op.getResultTypes()) {
      if (failed(getTypeConverter()->convertType(type, types)))
        return rewriter.notifyMatchFailure(op, "a result type has no parts");
      ends.push_back(types.size());
    }
    auto call = func::CallOp::create(rewriter, op.getLoc(), types, operands,
                                     op->getAttrs());
    auto spread = [&](TypeRange oldTypes, ArrayAttr attributes) {
      return rewriter.getArrayAttr(
          spreadAttributes(*getTypeConverter(), oldTypes, attributes));
    };
    if (ArrayAttr attributes = op.getArgAttrsAttr())
      call.setArgAttrsAttr(spread(op.getOperandTypes(), attributes));
    if (ArrayAttr attributes = op.getResAttrsAttr())
      call.setResAttrsAttr(spread(op.getResultTypes(), attributes));
    SmallVector<SmallVector<Value>> results;
    size_t begin = 0;
    for (size_t end : ends) {
      results.emplace_back(call.getResults().slice(begin, end - begin));
      begin = end;
    }
    rewriter.replaceOpWithMultiple(op, std::move(results));
    return success();
  }
};

struct SelectPattern : OpConversionPattern<arith::SelectOp> {
  using OpConversionPattern::OpConversionPattern;
  LogicalResult
  matchAndRewrite(arith::SelectOp op, OneToNOpAdaptor adaptor,
                  ConversionPatternRewriter &rewriter) const override {
    SmallVector<Value> parts;
    for (auto [yes, no] :
         llvm::zip_equal(adaptor.getTrueValue(), adaptor.getFalseValue()))
      parts.push_back(arith::SelectOp::create(
          rewriter, op.getLoc(), adaptor.getCondition().front(), yes, no));
    rewriter.replaceOpWithMultiple(op, {parts});
    return success();
  }
};

struct Decompose : public lowp::impl::DecomposeBase<Decompose> {
  using DecomposeBase::DecomposeBase;

  void runOnOperation() override {
    ModuleOp module = getOperation();
    bool supported = true;
    module.walk(
        [&](Operation *op) { supported &= succeeded(checkSupported(op)); });
    if (!supported)
      return signalPassFailure();

    dropOrigins(module);
    inlineKernels(module);

    TypeConverter converter;
    converter.addConversion([](Type type) { return type; });
    converter.addConversion(
        [](BlockedType type,
           SmallVectorImpl<Type> &types) -> std::optional<LogicalResult> {
          llvm::append_range(types, getConvertedTypes(type));
          return success();
        });
    SmallVector<SignatureAttributes> signatures;
    module.walk([&](func::FuncOp function) {
      signatures.emplace_back(function, converter);
    });

    MLIRContext *context = &getContext();
    RewritePatternSet patterns(context);
    ConversionTarget target(*context);
    target.markUnknownOpDynamicallyLegal(
        [&](Operation *op) { return converter.isLegal(op); });
    target.addDynamicallyLegalOp<func::FuncOp>([&](func::FuncOp function) {
      return converter.isSignatureLegal(function.getFunctionType());
    });
    target.addIllegalOp<AmaxOp, QuantizeOp, DequantizeOp, RequantizeOp,
                        TransposeOp, ConvertLayoutOp, PackOp, UnpackOp, DimOp,
                        RhtOp, CombineOp, MatmulOp, BatchMatmulOp,
                        GroupedMatmulOp, KGroupedMatmulOp>();

    patterns.add<CallPattern, SelectPattern>(converter, context);
    populateFunctionOpInterfaceTypeConversionPattern<func::FuncOp>(patterns,
                                                                   converter);
    populateReturnOpTypeConversionPattern(patterns, converter);
    scf::populateSCFStructuralTypeConversionsAndLegality(converter, patterns,
                                                         target);
    cf::populateCFStructuralTypeConversionsAndLegality(converter, patterns,
                                                       target);
    populateComponentPatterns(converter, patterns);
    populateDequantizePatterns(converter, patterns);
    Batching batching{batches, fp16, dotPairs};
    populateQuantizePatterns(converter, patterns, batching);
    populateAmaxPatterns(converter, patterns, batching);
    populateCombinePatterns(converter, patterns);
    populateContractionPatterns(converter, patterns);
    if (failed(applyFullConversion(module, target, std::move(patterns))))
      return signalPassFailure();

    for (SignatureAttributes &signature : signatures)
      signature.restore();
    module.walk([](SignsOp signs) { signs.erase(); });
  }
};

} // namespace
