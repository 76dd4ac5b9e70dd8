//===- LowpInterfaces.td - interfaces of lowp operations -*- tablegen -*-===//
//
// Part of the lowp project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef LOWP_IR_LOWPINTERFACES_TD
#define LOWP_IR_LOWPINTERFACES_TD

include "mlir/IR/OpBase.td"

def Lowp_ContractionOpInterface : OpInterface<"ContractionOpInterface"> {
  let description = [{
    A contraction of an activation with a weight, whatever its batch dims: what
    passes need to assign a plan to it and to quantise its operands. Operand 0
    is the left and operand 1 the right operand.
  }];
  let cppNamespace = "::mlir::lowp";
  let methods = [
    InterfaceMethod<"The dim of the left operand that is contracted.",
                    "unsigned", "getLhsContractionDim">,
    InterfaceMethod<"The dim of the right operand that is contracted.",
                    "unsigned", "getRhsContractionDim">,
    InterfaceMethod<"Which contraction of the model this is; may be null.",
                    "::mlir::lowp::SiteAttr", "getSiteAttr">,
    InterfaceMethod<"How the operands are to be quantised; may be null.",
                    "::mlir::lowp::PlanAttr", "getPlanAttr">,
    InterfaceMethod<"Gives the contraction a plan.", "void", "setPlanAttr",
                    (ins "::mlir::lowp::PlanAttr":$plan)>,
    InterfaceMethod<"Takes the plan away.", "::mlir::Attribute",
                    "removePlanAttr">,
    InterfaceMethod<"What the contraction was recognised from; may be empty.",
                    "::mlir::Region &", "getOrigin">,
  ];
  let extraSharedClassDeclaration = [{
    ::mlir::OpOperand &getLhsOperand() { return $_op->getOpOperand(0); }
    ::mlir::OpOperand &getRhsOperand() { return $_op->getOpOperand(1); }
  }];
}

#endif // LOWP_IR_LOWPINTERFACES_TD
