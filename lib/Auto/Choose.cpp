//===- Choose.cpp - the formats of all sites within a budget -*- C++ -*-===//
//
// Part of the lowp project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "lowp/Auto/Choose.h"

#include "lowp/Auto/Measure.h"
#include "lowp/Auto/Select.h"
#include "lowp/Report/Report.h"

#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/Format.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/MathExtras.h"

#include <cmath>
#include <map>

using namespace mlir;
using namespace mlir::lowp;
namespace numerics = ::lowp::numerics;

namespace {
/// A format that an operand may get, in the words of recipes. A weight has its
/// outer scale per expert, all else per token. Gradients are rounded without
/// bias, which sums over tokens and steps would add up; 4/6 cannot be.
struct Candidate {
  StringLiteral activation;
  StringLiteral weight;
  StringLiteral gradient;

  StringRef getWord(SiteOperand operand) const {
    switch (operand) {
    case SiteOperand::Activation:
      return activation;
    case SiteOperand::Weight:
      return weight;
    case SiteOperand::Gradient:
      return gradient;
    }
    llvm_unreachable("all kinds of operands are covered");
  }
};
} // namespace

static constexpr Candidate candidates[] = {
    {"none", "none", "none"},
    {"mxfp8_e4m3", "mxfp8_e4m3", "mxfp8_e4m3:stochastic"},
    {"mxfp8_e5m2", "mxfp8_e5m2", "mxfp8_e5m2:stochastic"},
    {"mxfp6_e2m3", "mxfp6_e2m3", "mxfp6_e2m3:stochastic"},
    {"mxfp6_e3m2", "mxfp6_e3m2", "mxfp6_e3m2:stochastic"},
    {"mxfp4", "mxfp4", "mxfp4:stochastic"},
    {"nvfp4:per_token", "nvfp4:per_expert",
     "nvfp4:per_token:stochastic:sf_round=up"},
    {"nvfp4:per_token:four_six=mse", "nvfp4:per_expert:four_six=mse", ""}};

/// What a dim counts for of which nobody knows the size.
static constexpr int64_t assumedSize = 1024;
/// Rows of the normal numbers that stand for an operand without values, and
/// the most columns.
static constexpr int64_t modelRows = 64, modelColumns = 1024;
/// The most elements of an operand: sums of bytes stay in the range of the
/// selection.
static constexpr int64_t maxElements = int64_t(1) << 48;
/// Relative squared errors are integers in the selection, so many to 1.
static constexpr double errorUnits = 0x1p40;

namespace {
/// An operand under one candidate.
struct Quantized {
  StringRef word;
  OperandPlanAttr plan;
  int64_t bytes;
  /// Relative squared error.
  double error;
};

/// A pair of candidates for the operands of a site.
struct SiteOption {
  const Quantized *lhs, *rhs;
  int64_t bytes;
  double error;
};

struct SiteChoices {
  const AutoSite *site;
  int64_t numValues = 0;
  std::vector<Quantized> lhs, rhs;
  std::vector<SiteOption> options;
};

class Chooser {
public:
  Chooser(MLIRContext *context, const AutoBudget &budget, EmitErrorFn emitError)
      : context(context), budget(budget), emitError(emitError) {}

  LogicalResult addSite(const AutoSite &site);
  FailureOr<AutoChoice> choose();

private:
  FailureOr<std::vector<Quantized>> measure(const AutoSite &site, Side side);
  FailureOr<double> getError(const AutoSite &site, Side side,
                             OperandPlanAttr plan);
  FailureOr<Selection> select();
  llvm::json::Object explain(const SiteChoices &site, size_t pick) const;
  llvm::json::Object makeRule(const SiteChoices &site, size_t pick) const;

  MLIRContext *context;
  AutoBudget budget;
  EmitErrorFn emitError;
  // The sites point into each other: they stay where they are.
  std::vector<std::unique_ptr<SiteChoices>> sites;
  int64_t numValues = 0;
  /// By the plan and the contracted dim, and by the values or, for the model,
  /// the number of columns.
  using ValuesKey =
      std::pair<std::vector<const void *>, std::vector<numerics::Dims>>;
  std::map<std::tuple<const void *, unsigned, ValuesKey>, double> measured;
  std::map<std::pair<const void *, int64_t>, double> modelled;
};
} // namespace

static const AutoOperand &getOperand(const AutoSite &site, Side side) {
  return side == Side::Lhs ? site.lhs : site.rhs;
}

/// The type of an operand with all sizes: those of the first of the largest
/// runs, or assumed ones.
static RankedTensorType getSizedType(const AutoOperand &operand) {
  const numerics::ConstFloatView *largest = nullptr;
  for (const numerics::ConstFloatView &values : operand.values)
    if (!largest || numerics::numElements(values.shape) >
                        numerics::numElements(largest->shape))
      largest = &values;
  SmallVector<int64_t> shape(operand.type.getShape());
  for (size_t dim = 0; dim < shape.size(); ++dim) {
    if (largest)
      shape[dim] = largest->shape[dim];
    else if (ShapedType::isDynamic(shape[dim]))
      shape[dim] = assumedSize;
  }
  return operand.type.clone(shape);
}

/// The number of elements, or none where that is out of range.
static std::optional<int64_t> countElements(RankedTensorType type) {
  int64_t count = 1;
  for (int64_t size : type.getShape())
    if (llvm::MulOverflow(count, size, count) || count > maxElements)
      return std::nullopt;
  return count;
}

/// Relative squared error; zero where there is no signal to lose.
static double getRelative(const numerics::SqnrSums &sums) {
  return sums.noise == 0 ? 0 : sums.noise / sums.signal;
}

FailureOr<double> Chooser::getError(const AutoSite &site, Side side,
                                    OperandPlanAttr plan) {
  const AutoOperand &operand = getOperand(site, side);
  numerics::SqnrSums sums;
  auto measure = [&](unsigned dim, const numerics::ConstFloatView &values,
                     const numerics::Dims &offsets) -> LogicalResult {
    numerics::Status status = measureLoss(plan, dim, values, offsets, sums);
    return status.ok() ? success()
                       : emitError() << "site '" << site.site.getName()
                                     << "': " << status.message();
  };
  const void *planKey = plan.getAsOpaquePointer();
  if (operand.values.empty()) {
    int64_t columns =
        std::min(getSizedType(operand).getDimSize(operand.dim), modelColumns);
    auto [known, isNew] = modelled.try_emplace({planKey, columns}, 0);
    if (isNew) {
      std::vector<uint16_t> values = getNormalValues(modelRows, columns);
      if (failed(measure(1,
                         numerics::denseView(
                             static_cast<const void *>(values.data()),
                             numerics::FloatType::BF16, {modelRows, columns}),
                         {})))
        return failure();
      known->second = getRelative(sums);
    }
    return known->second;
  }
  // Arrays without elements may all be at the same place.
  ValuesKey key = {{}, operand.offsets};
  for (const numerics::ConstFloatView &values : operand.values)
    key.first.push_back(values.data);
  auto [known, isNew] =
      measured.try_emplace({planKey, operand.dim, std::move(key)}, 0);
  if (isNew) {
    for (auto [run, values] : llvm::enumerate(operand.values))
      if (failed(measure(operand.dim, values,
                         operand.offsets.empty() ? numerics::Dims()
                                                 : operand.offsets[run])))
        return failure();
    known->second = getRelative(sums);
  }
  return known->second;
}

/// The operand under each candidate.
FailureOr<std::vector<Quantized>> Chooser::measure(const AutoSite &site,
                                                   Side side) {
  const AutoOperand &operand = getOperand(site, side);
  for (const numerics::ConstFloatView &values : operand.values)
    if (!hasFiniteValuesOnly(values))
      return emitError() << "expects the "
                         << stringifySiteOperand(site.site.getOperand(side))
                         << " of site '" << site.site.getName()
                         << "' to hold finite values, but got a NaN or an "
                            "infinity";
  RankedTensorType type = getSizedType(operand);
  std::vector<Quantized> result;
  for (const Candidate &candidate : candidates) {
    StringRef word = candidate.getWord(site.site.getOperand(side));
    if (word.empty())
      continue;
    FailureOr<OperandPlanAttr> plan =
        parseOperandPlan(context, word, emitError);
    if (failed(plan))
      return failure();
    Quantized quantized = {word, *plan, 0, 0};
    if (*plan) {
      FailureOr<double> error = getError(site, side, *plan);
      if (failed(error))
        return failure();
      quantized.error = *error;
      quantized.bytes = *getQuantizedBytes(type, *plan, operand.dim);
    } else {
      quantized.bytes = *getTensorBytes(type);
    }
    result.push_back(quantized);
  }
  return result;
}

/// Whether matrix units multiply the two: with one operand in high precision
/// the other is decoded, else scales are of one kind and blocks of one size.
static bool canMultiply(OperandPlanAttr lhs, OperandPlanAttr rhs) {
  return !lhs || !rhs ||
         (lhs.getFormat().getScaleType() == rhs.getFormat().getScaleType() &&
          lhs.getBlock() == rhs.getBlock());
}

LogicalResult Chooser::addSite(const AutoSite &site) {
  auto choices = std::make_unique<SiteChoices>();
  choices->site = &site;
  for (Side side : {Side::Lhs, Side::Rhs}) {
    RankedTensorType type = getSizedType(getOperand(site, side));
    std::optional<int64_t> count = countElements(type);
    if (!count)
      return emitError() << "expects operands of at most 2^48 elements, but "
                            "site '"
                         << site.site.getName() << "' has one of type " << type;
    choices->numValues += *count;
  }
  FailureOr<std::vector<Quantized>> lhs = measure(site, Side::Lhs);
  FailureOr<std::vector<Quantized>> rhs =
      failed(lhs) ? lhs : measure(site, Side::Rhs);
  if (failed(rhs))
    return failure();
  choices->lhs = std::move(*lhs);
  choices->rhs = std::move(*rhs);
  for (const Quantized &left : choices->lhs)
    for (const Quantized &right : choices->rhs) {
      // Errors of both operands that are independent and without bias.
      double error = left.error + right.error + left.error * right.error;
      // What loses more than the whole result is no choice, nor NaN.
      if (canMultiply(left.plan, right.plan) && error <= 1)
        choices->options.push_back(
            {&left, &right, left.bytes + right.bytes, error});
    }
  numValues += choices->numValues;
  sites.push_back(std::move(choices));
  return success();
}

/// A number of at most four digits behind the point, and not below `value`.
static std::string roundUp(double value) {
  std::string text;
  llvm::raw_string_ostream(text)
      << llvm::format("%.4f", std::ceil(value * 1e4) / 1e4);
  return StringRef(text).rtrim('0').rtrim('.').str();
}

static std::string shorten(double value) {
  std::string text;
  llvm::raw_string_ostream(text) << llvm::format("%.4g", value);
  return text;
}

/// As the user wrote it.
static std::string spell(double value) {
  std::string text;
  llvm::raw_string_ostream(text) << llvm::format("%.10g", value);
  return text;
}

FailureOr<Selection> Chooser::select() {
  // Rounded up: what the integers fit into, the errors do as well.
  auto getUnits = [](const SiteOption &option) {
    return static_cast<int64_t>(std::ceil(option.error * errorUnits));
  };
  std::vector<SelectGroup> groups;
  for (const auto &site : sites) {
    SelectGroup &group = groups.emplace_back();
    for (const SiteOption &option : site->options)
      group.push_back(budget.bits
                          ? SelectOption{getUnits(option), option.bytes}
                          : SelectOption{option.bytes, getUnits(option)});
  }
  double limit = budget.bits
                     ? *budget.bits * static_cast<double>(numValues) / 8
                     : *budget.maxError * *budget.maxError *
                           static_cast<double>(sites.size()) * errorUnits;
  auto capacity = static_cast<int64_t>(std::floor(std::min(limit, 0x1p62)));
  // Nothing quantised is within every error.
  if (std::optional<Selection> selection = selectOptions(groups, capacity))
    return *selection;
  return emitError() << "expects at least "
                     << roundUp(8.0 *
                                static_cast<double>(getLeastWeight(groups)) /
                                static_cast<double>(numValues))
                     << " bits of a value, the fewest that the formats of the "
                        "sites take, but got "
                     << spell(*budget.bits);
}

static double getBits(int64_t bytes, int64_t numValues) {
  return numValues == 0 ? 0
                        : 8.0 * static_cast<double>(bytes) /
                              static_cast<double>(numValues);
}

static StringRef getSource(const AutoOperand &operand) {
  return operand.values.empty() ? "model" : "data";
}

/// A glob that matches `name` only.
static std::string escapeGlob(StringRef name) {
  std::string glob;
  for (char c : name) {
    if (StringRef("\\*?[]{}").contains(c))
      glob += '\\';
    glob += c;
  }
  return glob;
}

llvm::json::Object Chooser::makeRule(const SiteChoices &site,
                                     size_t pick) const {
  const SiteOption &option = site.options[pick];
  SiteAttr attr = site.site->site;
  llvm::json::Object rule;
  rule["name"] = escapeGlob(attr.getName());
  rule["role"] = stringifySiteRole(attr.getRole()).str();
  std::string errors;
  for (auto [side, quantized] :
       {std::pair(Side::Lhs, option.lhs), std::pair(Side::Rhs, option.rhs)}) {
    if (!quantized->plan)
      continue;
    StringRef key = stringifySiteOperand(attr.getOperand(side));
    rule[key.str()] = quantized->word.str();
    errors += (errors.empty() ? " (" : ", ") + key.str() + " " +
              shorten(std::sqrt(quantized->error)) + " by " +
              getSource(getOperand(*site.site, side)).str();
  }
  if (!errors.empty())
    errors += ")";
  rule["why"] = "error " + shorten(std::sqrt(option.error)) + errors + ", " +
                shorten(getBits(option.bytes, site.numValues)) +
                " bits of a value";
  return rule;
}

/// What the report says of a site: errors, and the other options that could be
/// part of a best choice under some budget, from the most exact on.
llvm::json::Object Chooser::explain(const SiteChoices &site,
                                    size_t pick) const {
  auto describe = [&](const SiteOption &option) {
    return llvm::json::Object{{"lhs", option.lhs->word.str()},
                              {"rhs", option.rhs->word.str()},
                              {"error", std::sqrt(option.error)},
                              {"bits", getBits(option.bytes, site.numValues)}};
  };
  SelectGroup group;
  for (const SiteOption &option : site.options)
    group.push_back({option.bytes, static_cast<int64_t>(
                                       std::ceil(option.error * errorUnits))});
  llvm::json::Array others;
  for (unsigned option : getUsefulOptions(group))
    if (option != pick)
      others.push_back(describe(site.options[option]));
  const SiteOption &option = site.options[pick];
  llvm::json::Object record = describe(option);
  record["lhs_error"] = std::sqrt(option.lhs->error);
  record["rhs_error"] = std::sqrt(option.rhs->error);
  record["lhs_from"] = getSource(site.site->lhs).str();
  record["rhs_from"] = getSource(site.site->rhs).str();
  record["others"] = std::move(others);
  return record;
}

/// What the report says that was chosen from, by kind of operand.
static llvm::json::Object describeCandidates() {
  llvm::json::Object result;
  for (SiteOperand operand :
       {SiteOperand::Activation, SiteOperand::Weight, SiteOperand::Gradient}) {
    llvm::json::Array words;
    for (const Candidate &candidate : candidates)
      if (StringRef word = candidate.getWord(operand); !word.empty())
        words.push_back(word.str());
    result[stringifySiteOperand(operand).str()] = std::move(words);
  }
  return result;
}

FailureOr<AutoChoice> Chooser::choose() {
  FailureOr<Selection> selection = select();
  if (failed(selection))
    return failure();

  AutoChoice choice;
  int64_t bytes = 0;
  double error = 0;
  // A rule for `w` holds for `w#2`, the next use of that weight, too, and
  // comes behind the rule of that.
  std::map<size_t, llvm::json::Array, std::greater<>> rules;
  for (auto [site, pick] : llvm::zip_equal(sites, selection->picks)) {
    bytes += site->options[pick].bytes;
    error += site->options[pick].error;
    StringRef name = site->site->site.getName();
    choice.sites[name.str()] = explain(*site, pick);
    rules[name.count('#')].push_back(makeRule(*site, pick));
  }
  llvm::json::Array list;
  for (auto &[depth, part] : rules)
    for (llvm::json::Value &rule : part)
      list.push_back(std::move(rule));

  double mean = sites.empty() ? 0 : std::sqrt(error / sites.size());
  std::string description = budget.bits
                                ? "least error within " + spell(*budget.bits) +
                                      " bits of a value: " + shorten(mean)
                                : "fewest bits of a value within an error of " +
                                      spell(*budget.maxError) + ": " +
                                      shorten(getBits(bytes, numValues));
  choice.recipe = llvm::formatv("{0:2}\n", llvm::json::Value(llvm::json::Object{
                                               {"version", 1},
                                               {"name", "auto"},
                                               {"description", description},
                                               {"rules", std::move(list)}}))
                      .str();

  choice.summary["candidates"] = describeCandidates();
  choice.summary["source"] =
      stringifyOperandSource(OperandSource::HighPrecision).str();
  choice.summary["sites"] = static_cast<int64_t>(sites.size());
  choice.summary["error"] = mean;
  choice.summary["bits"] = getBits(bytes, numValues);
  choice.summary["bytes"] = bytes;
  // No choice within the budget is below: equal unless the search was cut
  // short.
  if (budget.bits) {
    choice.summary["bits_budget"] = *budget.bits;
    choice.summary["least_error"] =
        selection->isOptimal() || sites.empty()
            ? mean
            : std::sqrt(static_cast<double>(selection->bound) / errorUnits /
                        static_cast<double>(sites.size()));
  } else {
    choice.summary["error_budget"] = *budget.maxError;
    choice.summary["least_bytes"] = selection->bound;
  }
  return choice;
}

FailureOr<AutoChoice> mlir::lowp::chooseFormats(MLIRContext *context,
                                                ArrayRef<AutoSite> sites,
                                                const AutoBudget &budget,
                                                EmitErrorFn emitError) {
  if (budget.maxError.has_value() == budget.bits.has_value())
    return emitError() << "expects an error (--max-error) or a number of bits "
                          "(--bits) to choose formats within, but got "
                       << (budget.bits ? "both" : "none");
  double value = budget.bits ? *budget.bits : *budget.maxError;
  if (!std::isfinite(value) || value < 0)
    return emitError() << "expects "
                       << (budget.bits ? "a number of bits"
                                       : "an error to choose formats within")
                       << " of at least 0, but got " << spell(value);
  Chooser chooser(context, budget, emitError);
  for (const AutoSite &site : sites)
    if (failed(chooser.addSite(site)))
      return failure();
  return chooser.choose();
}
