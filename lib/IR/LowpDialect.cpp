//===- LowpDialect.cpp - the lowp dialect -*- C++ -*-===//
//
// Part of the lowp project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "lowp/IR/LowpDialect.h"
#include "lowp/IR/LowpOps.h"

#include "mlir/Interfaces/FunctionInterfaces.h"

using namespace mlir;
using namespace mlir::lowp;

#include "lowp/IR/LowpDialect.cpp.inc"

void LowpDialect::initialize() {
  registerAttributes();
  registerTypes();
  addOperations<
#define GET_OP_LIST
#include "lowp/IR/LowpOps.cpp.inc"
      >();
  addOperations<
#define GET_OP_LIST
#include "lowp/IR/LowpBlockOps.cpp.inc"
      >();
}

Operation *LowpDialect::materializeConstant(OpBuilder &builder, Attribute value,
                                            Type type, Location loc) {
  return arith::ConstantOp::materialize(builder, value, type, loc);
}

LogicalResult LowpDialect::verifyOperationAttribute(Operation *op,
                                                    NamedAttribute attribute) {
  StringRef name = attribute.getName().strref();
  if (name == kPlanAttrName) {
    if (!isa<PlanAttr>(attribute.getValue()))
      return op->emitError()
             << "attribute '" << kPlanAttrName
             << "' expects a #lowp.plan, but got " << attribute.getValue();
    return success();
  }
  if (name == kSitesAttrName || name == kMeasurementsAttrName) {
    auto sites = dyn_cast<ArrayAttr>(attribute.getValue());
    if (!sites || !llvm::all_of(sites, llvm::IsaPred<DictionaryAttr>))
      return op->emitError() << "attribute '" << name
                             << "' expects an array of dictionaries, but got "
                             << attribute.getValue();
    return success();
  }
  if (name == kExchangeAttrName) {
    if (!isa<ExchangeAttr>(attribute.getValue()))
      return op->emitError()
             << "attribute '" << kExchangeAttrName
             << "' expects a #lowp.exchange, but got " << attribute.getValue();
    return success();
  }
  if (name == kEntryAttrName) {
    if (!isa<DictionaryAttr>(attribute.getValue()))
      return op->emitError()
             << "attribute '" << kEntryAttrName
             << "' expects a dictionary, but got " << attribute.getValue();
    return success();
  }
  if (name == kParamAttrName || name == kReadOnlyAttrName ||
      name == kStepAttrName)
    return op->emitError() << "attribute '" << name
                           << "' expects to be on a function argument";
  return op->emitError() << "has unknown attribute '" << name
                         << "' of the lowp dialect; known are '"
                         << kPlanAttrName << "', '" << kSitesAttrName << "', '"
                         << kExchangeAttrName << "', '" << kMeasurementsAttrName
                         << "', '" << kEntryAttrName << "' and, on arguments, '"
                         << kParamAttrName << "', '" << kReadOnlyAttrName
                         << "' and '" << kStepAttrName << "'";
}

LogicalResult LowpDialect::verifyRegionArgAttribute(Operation *op,
                                                    unsigned regionIndex,
                                                    unsigned argIndex,
                                                    NamedAttribute attribute) {
  StringRef name = attribute.getName().strref();
  if (name == kReadOnlyAttrName || name == kStepAttrName) {
    if (!isa<UnitAttr>(attribute.getValue()))
      return op->emitError() << "argument " << argIndex << " attribute '"
                             << name << "' expects no value";
    auto function = dyn_cast<FunctionOpInterface>(op);
    if (name == kStepAttrName && function &&
        !function.getArgumentTypes()[argIndex].isInteger(32))
      return op->emitError()
             << "argument " << argIndex << " attribute '" << name
             << "' expects an argument of type i32, but got "
             << function.getArgumentTypes()[argIndex];
    return success();
  }
  if (name != kParamAttrName)
    return op->emitError() << "argument " << argIndex
                           << " has unknown attribute '" << name
                           << "' of the lowp dialect; known are '"
                           << kParamAttrName << "', '" << kReadOnlyAttrName
                           << "' and '" << kStepAttrName << "'";
  if (!isa<ParamAttr>(attribute.getValue()))
    return op->emitError() << "argument " << argIndex << " attribute '"
                           << kParamAttrName
                           << "' expects a #lowp.param, but got "
                           << attribute.getValue();
  return success();
}

LogicalResult
LowpDialect::verifyRegionResultAttribute(Operation *op, unsigned regionIndex,
                                         unsigned resultIndex,
                                         NamedAttribute attribute) {
  return op->emitError() << "result " << resultIndex << " has attribute '"
                         << attribute.getName().strref()
                         << "' of the lowp dialect, which has none for results";
}
