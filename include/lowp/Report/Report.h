//===- Report.h - what was quantised, and what it cost -*- C++ -*-===//
//
// Part of the Lowp project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef LOWP_REPORT_REPORT_H
#define LOWP_REPORT_REPORT_H

#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/BuiltinTypes.h"
#include "llvm/Support/JSON.h"

namespace llvm {
class raw_ostream;
} // namespace llvm

namespace mlir::lowp {

class OperandPlanAttr;

/// The measured error of one operand of one site.
struct OperandError {
  std::string site;
  /// "lhs" or "rhs".
  std::string operand;
  /// Signal to quantisation noise ratio in dB: infinity where nothing was lost,
  /// NaN where the operand holds a NaN.
  double sqnrDb;
};

/// What the report says of the compilation besides the sites.
struct ReportHeader {
  std::string input;
  std::string recipe;
  std::string target;
};

/// Bytes of a tensor; none for dynamic shapes.
std::optional<int64_t> getTensorBytes(RankedTensorType type);

/// Bytes of codes, block scales and outer scales of `type` quantised by `plan`
/// with blocks along `dim`; none for dynamic shapes.
std::optional<int64_t> getQuantizedBytes(RankedTensorType type,
                                         OperandPlanAttr plan, int64_t dim);

/// The version of the schema that `makeReport` writes; docs/report.md describes
/// it. It grows when a reader of the previous version could go wrong.
inline constexpr int64_t kReportVersion = 1;

/// The report of a module that has been through `lowp-assign-formats`: one
/// record per site, read off the module's `lowp.sites` attribute (see the
/// description of that pass). `errors` adds the measured error of operands.
llvm::json::Value makeReport(ModuleOp module, const ReportHeader &header,
                             ArrayRef<OperandError> errors = {});

/// Prints the sites of a report as a table for people.
void printReportTable(const llvm::json::Value &report, llvm::raw_ostream &os);

} // namespace mlir::lowp

#endif // LOWP_REPORT_REPORT_H
