//===- InstrumentQuantization.cpp - return what quantisations lose -*- C++
//-*-===//
//
// Part of the Lowp project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "lowp/IR/LowpOps.h"
#include "lowp/Transforms/Passes.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/IR/Builders.h"
#include "mlir/IR/SymbolTable.h"

namespace mlir::lowp {
#define GEN_PASS_DEF_INSTRUMENTQUANTIZATION
#include "lowp/Transforms/Passes.h.inc"
} // namespace mlir::lowp

using namespace mlir;
using namespace mlir::lowp;

namespace {
class InstrumentQuantization
    : public lowp::impl::InstrumentQuantizationBase<InstrumentQuantization> {
public:
  using InstrumentQuantizationBase::InstrumentQuantizationBase;

  void runOnOperation() override;
};
} // namespace

/// The sites that read `quantized`, as dictionaries of their name and the side
/// on which they read it.
static SmallVector<Attribute> getReaders(Builder &builder, Value quantized) {
  SmallVector<Attribute> readers;
  SmallVector<Value> worklist = {quantized};
  while (!worklist.empty()) {
    Value value = worklist.pop_back_val();
    for (OpOperand &use : value.getUses()) {
      Operation *user = use.getOwner();
      if (isa<ConvertLayoutOp, TransposeOp>(user)) {
        worklist.push_back(user->getResult(0));
        continue;
      }
      auto contraction = dyn_cast<ContractionOpInterface>(user);
      SiteAttr site = contraction ? contraction.getSiteAttr() : SiteAttr();
      if (!site)
        continue;
      Side side = &use == &contraction.getLhsOperand() ? Side::Lhs : Side::Rhs;
      readers.push_back(builder.getDictionaryAttr(
          {builder.getNamedAttr("site", builder.getStringAttr(site.getName())),
           builder.getNamedAttr("operand",
                                builder.getStringAttr(stringifySide(side)))}));
    }
  }
  // Uses are listed from the last to the first.
  std::reverse(readers.begin(), readers.end());
  return readers;
}

void InstrumentQuantization::runOnOperation() {
  ModuleOp module = getOperation();
  auto function = dyn_cast_or_null<func::FuncOp>(
      SymbolTable::lookupSymbolIn(module, entry));
  if (!function || function.isExternal()) {
    module.emitError() << "expected a function with a body named '" << entry
                       << "' to instrument";
    return signalPassFailure();
  }
  if (!function.getBody().hasOneBlock()) {
    function.emitError() << "expected a function of one block to instrument, "
                            "but got "
                         << function.getBody().getBlocks().size();
    return signalPassFailure();
  }

  Operation *terminator = function.getBody().front().getTerminator();
  OpBuilder builder(terminator);
  unsigned firstResult = function.getNumResults();
  SmallVector<Value> values;
  SmallVector<Attribute> measurements;
  for (auto op : function.getBody().front().getOps<QuantizeOp>()) {
    SmallVector<Attribute> readers = getReaders(builder, op.getResult());
    if (readers.empty())
      continue;
    auto f32 = cast<RankedTensorType>(op.getSource().getType())
                   .clone(builder.getF32Type());
    Value dequantized =
        DequantizeOp::create(builder, op.getLoc(), f32, op.getResult());
    measurements.push_back(builder.getDictionaryAttr(
        {builder.getNamedAttr(
             "result", builder.getI64IntegerAttr(firstResult + values.size())),
         builder.getNamedAttr("readers", builder.getArrayAttr(readers))}));
    values.append({op.getSource(), dequantized});
  }

  terminator->insertOperands(terminator->getNumOperands(), values);
  SmallVector<DictionaryAttr> resultAttrs;
  function.getAllResultAttrs(resultAttrs);
  SmallVector<Type> results(function.getResultTypes());
  llvm::append_range(results, ValueRange(values).getTypes());
  function.setType(
      builder.getFunctionType(function.getArgumentTypes(), results));
  if (!resultAttrs.empty()) {
    resultAttrs.resize(results.size(), builder.getDictionaryAttr({}));
    function.setAllResultAttrs(resultAttrs);
  }
  module->setAttr(kMeasurementsAttrName, builder.getArrayAttr(measurements));
}
