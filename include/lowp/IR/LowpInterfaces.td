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
    InterfaceMethod<"Says whether the left operand is stored as KxM.", "void",
                    "setTransposeLhs", (ins "bool":$transposed)>,
    InterfaceMethod<"Says whether the right operand is stored as NxK.", "void",
                    "setTransposeRhs", (ins "bool":$transposed)>,
  ];
  let extraSharedClassDeclaration = [{
    ::mlir::OpOperand &getLhsOperand() { return $_op->getOpOperand(0); }
    ::mlir::OpOperand &getRhsOperand() { return $_op->getOpOperand(1); }
  }];
}

def Lowp_StochasticOpInterface : OpInterface<"StochasticOpInterface"> {
  let description = [{
    An operation that may round stochastically: its random bits follow from a
    seed, a step and a stream.
  }];
  let cppNamespace = "::mlir::lowp";
  let methods = [
    InterfaceMethod<"The rule, which says whether it does.",
                    "::mlir::lowp::RuleAttr", "getRule">,
    InterfaceMethod<"The seed; null where it has none yet.", "::mlir::Value",
                    "getSeed", (ins), [{ return $_op.getSeed(); }]>,
    InterfaceMethod<"The stream; null where it has none yet.",
                    "::mlir::IntegerAttr", "getStreamAttr">,
    InterfaceMethod<"Gives it a stream.", "void", "setStreamAttr",
                    (ins "::mlir::IntegerAttr":$stream)>,
    InterfaceMethod<"Gives it a seed and a step.", "void", "setKey",
                    (ins "::mlir::Value":$seed, "::mlir::Value":$step), [{
                      $_op.getSeedMutable().assign(seed);
                      $_op.getStepMutable().assign(step);
                    }]>,
  ];
  let extraSharedClassDeclaration = [{
    bool isStochastic() { return $_op.getRule().isStochastic(); }
  }];
}

#endif // LOWP_IR_LOWPINTERFACES_TD
