//===- Report.cpp - what was quantised, and what it cost -*- C++ -*-===//
//
// Part of the Lowp project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "lowp/Report/Report.h"
#include "lowp/IR/LowpAttributes.h"
#include "lowp/IR/LowpDialect.h"
#include "lowp/IR/LowpTypes.h"

#include "mlir/Support/DebugStringHelper.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/Format.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/raw_ostream.h"

#include <cmath>

using namespace mlir;
using namespace mlir::lowp;

std::optional<int64_t> mlir::lowp::getTensorBytes(RankedTensorType type) {
  if (!type || !type.hasStaticShape())
    return std::nullopt;
  return llvm::divideCeil(static_cast<uint64_t>(type.getNumElements()) *
                              type.getElementTypeBitWidth(),
                          8);
}

std::optional<int64_t> mlir::lowp::getQuantizedBytes(RankedTensorType type,
                                                     OperandPlanAttr plan,
                                                     int64_t dim) {
  if (!type || !type.hasStaticShape() || dim < 0 || dim >= type.getRank())
    return std::nullopt;
  SmallVector<int64_t> block(type.getRank(), 1);
  // The other dim of the matrix.
  if (type.getRank() >= 2)
    block[2 * type.getRank() - 3 - dim] = plan.getTile();
  block[dim] = plan.getBlock();
  auto blocked =
      BlockedType::get(type.getShape(), plan.getFormat(), block,
                       getOuterAxes(plan.getOuter(), type.getRank(), dim));
  int64_t bytes = 0;
  for (Type component : blocked.getComponentTypes()) {
    std::optional<int64_t> part =
        getTensorBytes(cast<RankedTensorType>(component));
    if (!part)
      return std::nullopt;
    bytes += *part;
  }
  return bytes;
}

static llvm::json::Value orNull(std::optional<int64_t> value) {
  return value ? llvm::json::Value(*value) : llvm::json::Value(nullptr);
}

/// JSON has no infinity and no NaN: they are written as strings.
static llvm::json::Value number(double value) {
  if (std::isnan(value))
    return "nan";
  if (std::isinf(value))
    return value > 0 ? "inf" : "-inf";
  // Hundredths of a dB are more than any use of the figure needs.
  return std::round(value * 1e4) / 1e4;
}

static std::string describe(FormatAttr format) {
  return format.getName().empty() ? debugString(format)
                                  : format.getName().str();
}

// A JSON value does not copy a StringRef: whatever outlives this file's scopes
// goes in as a std::string.
static llvm::json::Object makeOperand(Attribute typeAttr, OperandPlanAttr plan,
                                      StringRef site, StringRef side,
                                      std::optional<int64_t> blockDim,
                                      ArrayRef<OperandError> errors) {
  llvm::json::Object record;
  auto type =
      typeAttr ? dyn_cast<RankedTensorType>(cast<TypeAttr>(typeAttr).getValue())
               : RankedTensorType();
  record["type"] = type ? llvm::json::Value(debugString(type)) : nullptr;
  std::optional<int64_t> bytes = getTensorBytes(type);
  record["bytes"] = orNull(bytes);
  if (!plan) {
    record["format"] = nullptr;
    return record;
  }
  record["format"] = describe(plan.getFormat());
  record["block"] = plan.getBlock();
  if (plan.getTile() != 1)
    record["tile"] = plan.getTile();
  record["outer"] = stringifyOuterGranularity(plan.getOuter()).str();
  record["source"] = stringifyOperandSource(plan.getSource()).str();
  std::string rule = debugString(plan.getRule());
  record["rule"] =
      StringRef(rule).drop_until([](char c) { return c == '<'; }).str();
  std::optional<int64_t> stored;
  if (blockDim)
    stored = getQuantizedBytes(type, plan, *blockDim);
  record["quantized_bytes"] = orNull(stored);
  record["bytes_saved"] =
      bytes && stored ? llvm::json::Value(*bytes - *stored) : nullptr;
  record["sqnr_db"] = nullptr;
  for (const OperandError &error : errors)
    if (error.site == site && error.operand == side)
      record["sqnr_db"] = number(error.sqnrDb);
  return record;
}

/// What a site is sent or sends: a format, or why there is none. Null where
/// nothing was asked for, or the site is on neither side of an exchange.
static llvm::json::Value makeExchange(Attribute outcome) {
  if (auto why = dyn_cast_or_null<StringAttr>(outcome))
    return llvm::json::Object{{"format", nullptr},
                              {"why", why.getValue().str()}};
  if (auto format = dyn_cast_or_null<FormatAttr>(outcome))
    return llvm::json::Object{{"format", describe(format)}};
  auto exchange = dyn_cast_or_null<ExchangeAttr>(outcome);
  if (!exchange || !exchange.getCombine())
    return nullptr;
  return llvm::json::Object{{"format", describe(exchange.getCombine())},
                            {"rht", exchange.getRht()},
                            {"via_bf16", exchange.getViaBf16()}};
}

llvm::json::Value mlir::lowp::makeReport(ModuleOp module,
                                         const ReportHeader &header,
                                         ArrayRef<OperandError> errors) {
  llvm::json::Array sites;
  int64_t quantized = 0, saved = 0, savedForBackward = 0;
  if (auto records = module->getAttrOfType<ArrayAttr>(kSitesAttrName)) {
    for (auto record : records.getAsRange<DictionaryAttr>()) {
      auto site = record.getAs<SiteAttr>("site");
      auto plan = record.getAs<PlanAttr>("plan");
      if (!site)
        continue;
      llvm::json::Object object;
      StringRef name = site.getName();
      object["name"] = name.str();
      object["role"] = stringifySiteRole(site.getRole()).str();
      object["kind"] = stringifySiteKind(site.getKind()).str();
      object["layer"] = orNull(site.getLayer());
      object["weight"] =
          site.getWeight()
              ? llvm::json::Value(stringifySide(*site.getWeight()).str())
              : nullptr;
      if (auto bytes = record.getAs<IntegerAttr>("saved_for_backward")) {
        object["saved_for_backward"] = bytes.getInt();
        savedForBackward += bytes.getInt();
      }
      bool isQuantized = plan && (plan.getLhs() || plan.getRhs());
      object["quantized"] = isQuantized;
      quantized += isQuantized;
      if (auto why = record.getAs<StringAttr>("why"))
        object["why"] = why.getValue().str();
      auto result = record.getAs<TypeAttr>("result");
      object["result"] =
          result ? llvm::json::Value(debugString(result.getValue())) : nullptr;
      for (StringRef exchange : {"dispatch", "combine"})
        object[exchange] = makeExchange(record.get(exchange));
      for (StringRef side : {"lhs", "rhs"}) {
        OperandPlanAttr operandPlan;
        if (plan)
          operandPlan = side == "lhs" ? plan.getLhs() : plan.getRhs();
        auto dim = record.getAs<IntegerAttr>((side + "_dim").str());
        llvm::json::Object operand = makeOperand(
            record.get(side), operandPlan, name, side,
            dim ? std::optional<int64_t>(dim.getInt()) : std::nullopt, errors);
        if (std::optional<int64_t> bytes = operand.getInteger("bytes_saved"))
          saved += *bytes;
        object[side] = std::move(operand);
      }
      sites.push_back(std::move(object));
    }
  }
  llvm::json::Object report;
  report["schema"] = "lowp.report";
  report["version"] = kReportVersion;
  report["input"] = header.input;
  report["recipe"] = header.recipe;
  report["target"] = header.target;
  report["summary"] =
      llvm::json::Object{{"sites", static_cast<int64_t>(sites.size())},
                         {"quantized", quantized},
                         {"bytes_saved", saved},
                         {"saved_for_backward", savedForBackward}};
  report["sites"] = std::move(sites);
  return report;
}

//===----------------------------------------------------------------------===//
// Table
//===----------------------------------------------------------------------===//

/// One cell: format, granularity and what differs from the default rule.
static std::string describeOperand(const llvm::json::Object *operand) {
  if (!operand)
    return "-";
  std::optional<StringRef> format = operand->getString("format");
  if (!format)
    return "-";
  std::string text = format->str();
  std::optional<StringRef> outer = operand->getString("outer");
  if (outer && *outer != "none")
    text += " " + outer->str();
  std::optional<StringRef> rule = operand->getString("rule");
  if (rule && *rule != "<>")
    text += " " + rule->str();
  return text;
}

static std::string describeError(const llvm::json::Object *operand) {
  if (!operand)
    return "-";
  if (std::optional<double> db = operand->getNumber("sqnr_db"))
    return llvm::formatv("{0:F2}", *db).str();
  if (std::optional<StringRef> text = operand->getString("sqnr_db"))
    return text->str();
  return "-";
}

void mlir::lowp::printReportTable(const llvm::json::Value &report,
                                  llvm::raw_ostream &os) {
  const llvm::json::Object *object = report.getAsObject();
  const llvm::json::Array *sites = object ? object->getArray("sites") : nullptr;
  if (!sites)
    return;
  SmallVector<SmallVector<std::string>> rows = {
      {"site", "role", "kind", "layer", "lhs", "dB", "rhs", "dB"}};
  for (const llvm::json::Value &value : *sites) {
    const llvm::json::Object *site = value.getAsObject();
    if (!site)
      continue;
    std::optional<int64_t> layer = site->getInteger("layer");
    rows.push_back({site->getString("name").value_or("").str(),
                    site->getString("role").value_or("").str(),
                    site->getString("kind").value_or("").str(),
                    layer ? std::to_string(*layer) : "-",
                    describeOperand(site->getObject("lhs")),
                    describeError(site->getObject("lhs")),
                    describeOperand(site->getObject("rhs")),
                    describeError(site->getObject("rhs"))});
  }
  SmallVector<size_t> widths(rows.front().size(), 0);
  for (ArrayRef<std::string> row : rows)
    for (auto [width, cell] : llvm::zip_equal(widths, row))
      width = std::max(width, cell.size());
  for (ArrayRef<std::string> row : rows) {
    std::string line;
    for (auto [width, cell] : llvm::zip_equal(widths, row))
      line += cell + std::string(width - cell.size() + 2, ' ');
    os << StringRef(line).rtrim() << '\n';
  }
}
