//===- LowpDialect.h - the lowp dialect -*- C++ -*-===//
//
// Part of the lowp project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef LOWP_IR_LOWPDIALECT_H
#define LOWP_IR_LOWPDIALECT_H

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "mlir/IR/Dialect.h"

#include "lowp/IR/LowpDialect.h.inc"

namespace mlir::lowp {

/// Name of the argument attribute (`#lowp.param`) that holds what the exporting
/// framework called an argument.
inline constexpr llvm::StringLiteral kParamAttrName = "lowp.param";
/// Name of the discardable attribute (`#lowp.plan`) by which a contraction gets
/// a plan by hand.
inline constexpr llvm::StringLiteral kPlanAttrName = "lowp.plan";
/// Name of the module attribute (array of dictionaries) that records the
/// decision for every site.
inline constexpr llvm::StringLiteral kSitesAttrName = "lowp.sites";
/// Name of the module attribute (`#lowp.exchange`) that says in which formats
/// experts are sent what they compute with, and send what they computed.
inline constexpr llvm::StringLiteral kExchangeAttrName = "lowp.exchange";
/// Name of the module attribute (array of dictionaries) that says what the
/// results that an instrumented function returns besides its own are.
inline constexpr llvm::StringLiteral kMeasurementsAttrName =
    "lowp.measurements";
/// Name of the function attribute (dictionary) with the C signature of an entry
/// of the program, written by lowp-export-entries.
inline constexpr llvm::StringLiteral kEntryAttrName = "lowp.entry";
/// Name of the unit argument attribute that says that a function only reads
/// what its callers pass there.
inline constexpr llvm::StringLiteral kReadOnlyAttrName = "lowp.read_only";
/// Name of the unit argument attribute of the step of stochastic rounding,
/// which callers of an entry may leave out.
inline constexpr llvm::StringLiteral kStepAttrName = "lowp.step";

} // namespace mlir::lowp

#endif // LOWP_IR_LOWPDIALECT_H
