//===- LowpAttributes.cpp - formats, rules, sites and plans -*- C++ -*-===//
//
// Part of the lowp project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "lowp/IR/LowpAttributes.h"
#include "lowp/IR/LowpDialect.h"
#include "lowp/IR/LowpNumerics.h"
#include "lowp/IR/LowpTypes.h"
#include "lowp/Numerics/Element.h"

#include "mlir/IR/Builders.h"
#include "mlir/IR/DialectImplementation.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;
using namespace mlir::lowp;

#include "lowp/IR/LowpEnums.cpp.inc"

#define GET_ATTRDEF_CLASSES
#include "lowp/IR/LowpAttributes.cpp.inc"

void LowpDialect::registerAttributes() {
  addAttributes<
#define GET_ATTRDEF_LIST
#include "lowp/IR/LowpAttributes.cpp.inc"
      >();
}

//===----------------------------------------------------------------------===//
// FormatAttr
//===----------------------------------------------------------------------===//

namespace {
struct NamedFormat {
  StringRef name;
  Type (*element)(MLIRContext *);
  Type (*scale)(MLIRContext *);
  bool outer;
};

template <typename T>
Type make(MLIRContext *context) {
  return T::get(context);
}
} // namespace

/// The named formats. A new one is a line here.
static const NamedFormat kNamedFormats[] = {
    {"nvfp4", make<Float4E2M1FNType>, make<Float8E4M3FNType>, true},
    {"mxfp8_e4m3", make<Float8E4M3FNType>, make<Float8E8M0FNUType>, false},
    {"mxfp8_e5m2", make<Float8E5M2Type>, make<Float8E8M0FNUType>, false},
    {"mxfp6_e2m3", make<Float6E2M3FNType>, make<Float8E8M0FNUType>, false},
    {"mxfp6_e3m2", make<Float6E3M2FNType>, make<Float8E8M0FNUType>, false},
    {"mxfp4", make<Float4E2M1FNType>, make<Float8E8M0FNUType>, false},
    {"mxs2f6", make<S2F6Type>, make<Float8E8M0FNUType>, false},
    {"fp8_block", make<Float8E4M3FNType>, make<Float32Type>, false},
};

FormatAttr FormatAttr::getNamed(MLIRContext *context, StringRef name) {
  for (const NamedFormat &format : kNamedFormats)
    if (format.name == name)
      return get(context, format.element(context), format.scale(context),
                 format.outer);
  return {};
}

StringRef FormatAttr::getName() const {
  for (const NamedFormat &format : kNamedFormats)
    if (format.element(getContext()) == getElementType() &&
        format.scale(getContext()) == getScaleType() &&
        format.outer == getOuter())
      return format.name;
  return {};
}

ArrayRef<StringRef> FormatAttr::getNames() {
  static const auto names = [] {
    SmallVector<StringRef> result;
    for (const NamedFormat &format : kNamedFormats)
      result.push_back(format.name);
    return result;
  }();
  return names;
}

bool FormatAttr::hasUE8M0Scale() const {
  return isa<Float8E8M0FNUType>(getScaleType());
}
bool FormatAttr::hasUE4M3Scale() const {
  return isa<Float8E4M3FNType>(getScaleType());
}
bool FormatAttr::hasF32Scale() const { return getScaleType().isF32(); }

int64_t FormatAttr::getDefaultBlockSize() const {
  return hasUE4M3Scale() ? 16 : hasUE8M0Scale() ? 32 : 128;
}

unsigned FormatAttr::getStorageBits() const {
  return isa<Float4E2M1FNType>(getElementType()) ? 4 : 8;
}

FormatAttr FormatAttr::withOuter(bool outer) const {
  return get(getContext(), getElementType(), getScaleType(), outer);
}

bool mlir::lowp::isElementType(Type type) {
  return getElementFormat(type) != nullptr;
}

StringRef mlir::lowp::getElementTypeList() {
  return "f4E2M1FN, f6E2M3FN, f6E3M2FN, f8E4M3FN, f8E5M2 or !lowp.s2f6";
}

LogicalResult FormatAttr::verify(function_ref<InFlightDiagnostic()> emitError,
                                 Type elementType, Type scaleType, bool outer) {
  // (C1)
  if (!isElementType(elementType))
    return emitError() << "expected element type " << getElementTypeList()
                       << ", but got " << elementType;
  // (C2)
  if (!isa<Float8E8M0FNUType, Float8E4M3FNType, Float32Type>(scaleType))
    return emitError()
           << "expected scale type f8E8M0FNU, f8E4M3FN or f32, but got "
           << scaleType;
  // (C3)
  if (outer && isa<Float32Type>(scaleType))
    return emitError() << "expected no outer scale above f32 block scales, "
                          "which cover the whole range by themselves";
  return success();
}

FailureOr<FormatAttr> FormatAttr::parseInline(AsmParser &parser) {
  SMLoc loc = parser.getCurrentLocation();
  StringRef name;
  if (succeeded(parser.parseOptionalKeyword(&name))) {
    if (FormatAttr format = getNamed(parser.getContext(), name))
      return format;
    parser.emitError(loc) << "expected a format, one of "
                          << llvm::join(getNames(), ", ")
                          << " or <element, scale[, outer]>, but got '" << name
                          << "'";
    return failure();
  }
  Type element, scale;
  bool outer = false;
  if (parser.parseLess() || parser.parseType(element) || parser.parseComma() ||
      parser.parseType(scale))
    return failure();
  if (succeeded(parser.parseOptionalComma())) {
    if (parser.parseKeyword("outer"))
      return failure();
    outer = true;
  }
  if (parser.parseGreater())
    return failure();
  FormatAttr format = getChecked([&] { return parser.emitError(loc); },
                                 parser.getContext(), element, scale, outer);
  if (!format)
    return failure();
  return format;
}

void FormatAttr::printInline(AsmPrinter &printer) const {
  if (StringRef name = getName(); !name.empty()) {
    printer << name;
    return;
  }
  printer << '<' << getElementType() << ", " << getScaleType()
          << (getOuter() ? ", outer>" : ">");
}

Attribute FormatAttr::parse(AsmParser &parser, Type) {
  // `<nvfp4>` or `<element, scale[, outer]>`: an element type is no keyword of
  // a named format, so one token tells them apart.
  SMLoc loc = parser.getCurrentLocation();
  if (parser.parseLess())
    return {};
  StringRef name;
  if (succeeded(parser.parseOptionalKeyword(&name, getNames()))) {
    if (parser.parseGreater())
      return {};
    return getNamed(parser.getContext(), name);
  }
  Type element, scale;
  bool outer = false;
  OptionalParseResult parsed = parser.parseOptionalType(element);
  if (!parsed.has_value()) {
    parser.emitError(parser.getCurrentLocation())
        << "expected a format, one of " << llvm::join(getNames(), ", ")
        << " or an element and a scale type";
    return {};
  }
  if (failed(*parsed) || parser.parseComma() || parser.parseType(scale))
    return {};
  if (succeeded(parser.parseOptionalComma())) {
    if (parser.parseKeyword("outer"))
      return {};
    outer = true;
  }
  if (parser.parseGreater())
    return {};
  return getChecked([&] { return parser.emitError(loc); }, parser.getContext(),
                    element, scale, outer);
}

void FormatAttr::print(AsmPrinter &printer) const {
  if (StringRef name = getName(); !name.empty())
    printer << '<' << name << '>';
  else
    printInline(printer);
}

//===----------------------------------------------------------------------===//
// RuleAttr
//===----------------------------------------------------------------------===//

namespace {
/// The formats for which a field of the rule has a meaning.
struct FieldScope {
  /// For messages; null where that is every format.
  const char *serves;
  bool (*covers)(FormatAttr);
};

/// One field of the rule: its keyword, which formats it is for, and its text.
/// A new field is a line in `kRuleFields`.
struct RuleField {
  StringRef name;
  const FieldScope &scope;
  bool (*equal)(const RuleFields &, const RuleFields &);
  std::string (*print)(const RuleFields &);
  ParseResult (*parse)(RuleFields &, AsmParser &);
};
} // namespace

static bool hasE2M1Element(FormatAttr format) {
  return isa<Float4E2M1FNType>(format.getElementType());
}

static const FieldScope kAllFormats = {nullptr,
                                       [](FormatAttr) { return true; }};
static const FieldScope kUE8M0Scales = {
    "f8E8M0FNU block scales", [](FormatAttr f) { return f.hasUE8M0Scale(); }};
static const FieldScope kUE4M3Scales = {
    "f8E4M3FN block scales", [](FormatAttr f) { return f.hasUE4M3Scale(); }};
static const FieldScope kRoundedScales = {
    "f8E4M3FN and f32 block scales",
    [](FormatAttr f) { return !f.hasUE8M0Scale(); }};
static const FieldScope kFourSixFormats = {
    "f4E2M1FN elements with f8E4M3FN block scales",
    [](FormatAttr f) { return hasE2M1Element(f) && f.hasUE4M3Scale(); }};
static const FieldScope kOuterScales = {
    "formats with an outer scale", [](FormatAttr f) { return f.getOuter(); }};
static const FieldScope kSignedZeros = {
    "elements with a negative zero",
    [](FormatAttr f) { return !isa<S2F6Type>(f.getElementType()); }};
static const FieldScope kNonFiniteElements = {
    "f8E4M3FN and f8E5M2 elements", [](FormatAttr f) {
      return isa<Float8E4M3FNType, Float8E5M2Type>(f.getElementType());
    }};
static const FieldScope kWideElements = {
    "elements of 6 and 8 bits",
    [](FormatAttr f) { return !hasE2M1Element(f); }};

#define LOWP_RULE_ENUM_MAX(Enum)                                               \
  static unsigned getMaxEnumValForEnum(Enum) {                                 \
    return getMaxEnumValFor##Enum();                                           \
  }
LOWP_RULE_ENUM_MAX(ScaleRule)
LOWP_RULE_ENUM_MAX(SfArith)
LOWP_RULE_ENUM_MAX(SfRound)
LOWP_RULE_ENUM_MAX(ElementRound)
LOWP_RULE_ENUM_MAX(FourSix)
LOWP_RULE_ENUM_MAX(FourSixError)
LOWP_RULE_ENUM_MAX(OuterRepr)
LOWP_RULE_ENUM_MAX(NonFinite)
LOWP_RULE_ENUM_MAX(NegZero)
LOWP_RULE_ENUM_MAX(SfZero)
LOWP_RULE_ENUM_MAX(RandomBits)
LOWP_RULE_ENUM_MAX(Overflow)
#undef LOWP_RULE_ENUM_MAX

template <typename Enum>
static std::string listEnum(StringRef (*stringify)(Enum)) {
  std::string list;
  for (unsigned i = 0; i <= getMaxEnumValForEnum(Enum()); ++i)
    list += (i ? ", " : "") + stringify(static_cast<Enum>(i)).str();
  return list;
}

template <typename Enum>
static ParseResult parseEnum(AsmParser &parser, Enum &value,
                             StringRef (*stringify)(Enum)) {
  SMLoc loc = parser.getCurrentLocation();
  StringRef keyword;
  if (parser.parseKeyword(&keyword))
    return failure();
  for (unsigned i = 0; i <= getMaxEnumValForEnum(Enum()); ++i)
    if (stringify(static_cast<Enum>(i)) == keyword) {
      value = static_cast<Enum>(i);
      return success();
    }
  return parser.emitError(loc) << "expected one of " << listEnum(stringify)
                               << ", but got '" << keyword << "'";
}

#define LOWP_RULE_ENUM(keyword, scope, member, Enum)                           \
  {keyword, scope,                                                             \
   [](const RuleFields &a, const RuleFields &b) {                              \
     return a.member == b.member;                                              \
   },                                                                          \
   [](const RuleFields &f) { return stringify##Enum(f.member).str(); },        \
   [](RuleFields &f, AsmParser &p) {                                           \
     return parseEnum<Enum>(p, f.member, stringify##Enum);                     \
   }}
#define LOWP_RULE_INTEGER(keyword, scope, member)                              \
  {keyword, scope,                                                             \
   [](const RuleFields &a, const RuleFields &b) {                              \
     return a.member == b.member;                                              \
   },                                                                          \
   [](const RuleFields &f) { return std::to_string(f.member); },               \
   [](RuleFields &f, AsmParser &p) { return p.parseInteger(f.member); }}

static const RuleField kRuleFields[] = {
    LOWP_RULE_ENUM("scale", kUE8M0Scales, scale, ScaleRule),
    LOWP_RULE_ENUM("sf_arith", kUE4M3Scales, sfArith, SfArith),
    LOWP_RULE_ENUM("sf_round", kRoundedScales, sfRound, SfRound),
    LOWP_RULE_ENUM("round", kAllFormats, round, ElementRound),
    LOWP_RULE_ENUM("four_six", kFourSixFormats, fourSix, FourSix),
    LOWP_RULE_ENUM("four_six_error", kFourSixFormats, fourSixError,
                   FourSixError),
    LOWP_RULE_INTEGER("outer_max", kOuterScales, outerMax),
    LOWP_RULE_ENUM("outer_repr", kOuterScales, outerRepr, OuterRepr),
    LOWP_RULE_ENUM("nonfinite", kAllFormats, nonFinite, NonFinite),
    LOWP_RULE_ENUM("neg_zero", kSignedZeros, negZero, NegZero),
    LOWP_RULE_ENUM("sf_zero", kUE4M3Scales, sfZero, SfZero),
    LOWP_RULE_ENUM("bits", kWideElements, bits, RandomBits),
    LOWP_RULE_INTEGER("rounds", kAllFormats, rounds),
    LOWP_RULE_INTEGER("sr_bits", kAllFormats, srBits),
    {"allow_clipping", kAllFormats,
     [](const RuleFields &a, const RuleFields &b) {
       return a.allowClipping == b.allowClipping;
     },
     [](const RuleFields &f) -> std::string {
       return f.allowClipping ? "true" : "false";
     },
     [](RuleFields &f, AsmParser &p) -> ParseResult {
       if (succeeded(p.parseOptionalKeyword("true"))) {
         f.allowClipping = true;
         return success();
       }
       f.allowClipping = false;
       return p.parseKeyword("false");
     }},
    LOWP_RULE_INTEGER("map_to", kRoundedScales, mapTo),
    LOWP_RULE_ENUM("overflow", kNonFiniteElements, overflow, Overflow),
};
#undef LOWP_RULE_ENUM
#undef LOWP_RULE_INTEGER

/// The fields of a preset: numerics of other implementations, bit for bit.
static std::optional<RuleFields> getPresetFields(StringRef name) {
  RuleFields fields;
  if (name == "te") {
    fields.sfArith = SfArith::Te;
    fields.sfZero = SfZero::KeepCodes;
    fields.negZero = NegZero::Drop;
    return fields;
  }
  if (name == "te_four_six") {
    fields.fourSix = FourSix::Mae;
    fields.fourSixError = FourSixError::Dequantized;
    fields.sfZero = SfZero::KeepCodes;
    fields.negZero = NegZero::Drop;
    return fields;
  }
  if (name == "fouroversix") {
    fields.fourSix = FourSix::Mse;
    fields.fourSixError = FourSixError::Dequantized;
    fields.negZero = NegZero::Drop;
    return fields;
  }
  if (name == "torchao") {
    fields.sfArith = SfArith::Torchao;
    return fields;
  }
  if (name == "compressed_tensors") {
    fields.sfArith = SfArith::CompressedTensors;
    fields.negZero = NegZero::Drop;
    return fields;
  }
  if (name == "ocp") {
    fields.scale = ScaleRule::Floor;
    return fields;
  }
  return std::nullopt;
}

ArrayRef<StringRef> RuleAttr::getPresetNames() {
  static const StringRef names[] = {
      "te",      "te_four_six",        "fouroversix",
      "torchao", "compressed_tensors", "ocp"};
  return names;
}

static bool equalFields(const RuleFields &a, const RuleFields &b) {
  return llvm::all_of(kRuleFields,
                      [&](const RuleField &f) { return f.equal(a, b); });
}

RuleAttr RuleAttr::get(MLIRContext *context, const RuleFields &f) {
  return get(context, f.scale, f.sfArith, f.sfRound, f.round, f.fourSix,
             f.fourSixError, f.outerMax, f.outerRepr, f.nonFinite, f.negZero,
             f.sfZero, f.bits, f.rounds, f.srBits, f.allowClipping, f.mapTo,
             f.overflow);
}

RuleFields RuleAttr::getFields() const {
  return {getScale(),     getSfArith(),      getSfRound(),       getRound(),
          getFourSix(),   getFourSixError(), getOuterMax(),      getOuterRepr(),
          getNonFinite(), getNegZero(),      getSfZero(),        getBits(),
          getRounds(),    getSrBits(),       getAllowClipping(), getMapTo(),
          getOverflow()};
}

unsigned RuleAttr::getRandomBits(Type type) const {
  return getSrBits() != 0 ? getSrBits() : getElementFormat(type)->randomBits;
}

RuleAttr RuleAttr::getDefault(MLIRContext *context) {
  return get(context, RuleFields());
}

RuleAttr RuleAttr::getPreset(MLIRContext *context, StringRef name) {
  if (std::optional<RuleFields> fields = getPresetFields(name))
    return get(context, *fields);
  return {};
}

LogicalResult RuleAttr::verify(function_ref<InFlightDiagnostic()> emitError,
                               ScaleRule scale, SfArith sfArith,
                               SfRound sfRound, ElementRound round,
                               FourSix fourSix, FourSixError fourSixError,
                               int64_t outerMax, OuterRepr outerRepr, NonFinite,
                               NegZero, SfZero, RandomBits bits, int64_t rounds,
                               int64_t srBits, bool allowClipping,
                               int64_t mapTo, Overflow overflow) {
  // (C1) Every integer up to 2^24 is an FP32 number.
  if (outerMax < 0 || outerMax > (int64_t(1) << 24))
    return emitError() << "expected outer_max between 0 and 16777216, but got "
                       << outerMax;
  // (C2)
  if (rounds != 7 && rounds != 10)
    return emitError() << "expected rounds to be 7 or 10, but got " << rounds;
  bool stochastic = round == ElementRound::Stochastic;
  if (fourSix != FourSix::None) {
    StringRef metric = stringifyFourSix(fourSix);
    // (C3)
    if (round != ElementRound::Nearest)
      return emitError() << "expected four_six = none with "
                         << stringifyElementRound(round)
                         << " rounding, but got " << metric
                         << "; four_six needs round = nearest";
    // (C4)
    if (sfRound != SfRound::Rne)
      return emitError() << "expected sf_round = rne with four_six = " << metric
                         << ", but got " << stringifySfRound(sfRound);
    // (C5)
    if (sfArith != SfArith::Divide && sfArith != SfArith::Te)
      return emitError() << "expected sf_arith = divide or te with four_six = "
                         << metric << ", but got " << stringifySfArith(sfArith);
  } else if (fourSixError != FourSixError::Scaled) {
    // (C6)
    return emitError() << "expected a four_six choice where four_six_error is "
                       << stringifyFourSixError(fourSixError)
                       << ", but got none";
  }
  // (C7)
  if ((sfArith == SfArith::Torchao || sfArith == SfArith::CompressedTensors) &&
      (sfRound != SfRound::Rne || outerRepr != OuterRepr::DecodeF32))
    return emitError() << "expected sf_round = rne and outer_repr = decode_f32 "
                          "with sf_arith = "
                       << stringifySfArith(sfArith) << ", but got "
                       << stringifySfRound(sfRound) << " and "
                       << stringifyOuterRepr(outerRepr);
  // (C8)
  if (stochastic && !allowClipping && scale != ScaleRule::Rceil)
    return emitError() << "expected scale = rceil with stochastic rounding, "
                          "but got "
                       << stringifyScaleRule(scale)
                       << ", which clips; allow_clipping = true accepts it";
  // (C9)
  if (!stochastic && (bits != RandomBits::Shared || rounds != 10 ||
                      srBits != 0 || allowClipping))
    return emitError() << "expected round = stochastic where bits, rounds, "
                          "sr_bits or allow_clipping is given, but got "
                       << stringifyElementRound(round);
  // (C10)
  if (srBits < 0 || srBits > 16)
    return emitError() << "expected sr_bits between 0 and 16, but got "
                       << srBits;
  // (C11)
  if (mapTo < 0)
    return emitError() << "expected map_to of at least 0, but got " << mapTo;
  // (C12)
  if (mapTo != 0 && fourSix != FourSix::None)
    return emitError() << "expected map_to = 0 with four_six = "
                       << stringifyFourSix(fourSix) << ", but got " << mapTo
                       << "; the candidates map to 6 and to 4";
  // (C13)
  if (overflow != Overflow::Saturate && stochastic)
    return emitError() << "expected overflow = saturate with stochastic "
                          "rounding, but got "
                       << stringifyOverflow(overflow)
                       << "; a scale that does not clip leaves none";
  return success();
}

LogicalResult
mlir::lowp::verifyRuleForFormat(function_ref<InFlightDiagnostic()> emitError,
                                RuleAttr rule, FormatAttr format) {
  RuleFields fields = rule.getFields(), defaults;
  for (const RuleField &field : kRuleFields)
    if (!field.equal(fields, defaults) && !field.scope.covers(format))
      return emitError() << "expects " << field.name << " = "
                         << field.print(defaults) << " for " << format
                         << ", but got " << field.print(fields) << "; "
                         << field.name << " serves " << field.scope.serves;
  if (rule.getSfRound() == SfRound::Ceil && !format.hasUE4M3Scale())
    return emitError() << "expects sf_round = rne or up for " << format
                       << ", but got ceil; ceil serves f8E4M3FN block scales";
  float largest =
      ::lowp::numerics::maxValue(*getElementFormat(format.getElementType()));
  if (static_cast<float>(rule.getMapTo()) > largest)
    return emitError() << "expects map_to of at most the element's largest "
                          "value for "
                       << format << ", but got " << rule.getMapTo()
                       << ", at which codes saturate";
  // Under a scale that is rounded to nearest, the largest values of a block
  // may lie above the largest element, which takes the mean off its place.
  if (rule.isStochastic() && !rule.getAllowClipping() &&
      kRoundedScales.covers(format) && rule.getSfRound() != SfRound::Up)
    return emitError() << "expects sf_round = up with stochastic rounding for "
                       << format << ", but got "
                       << stringifySfRound(rule.getSfRound())
                       << ", which clips; allow_clipping = true accepts it";
  return success();
}

Attribute RuleAttr::parse(AsmParser &parser, Type) {
  SMLoc loc = parser.getCurrentLocation();
  RuleFields fields;
  if (parser.parseLess())
    return {};
  if (failed(parser.parseOptionalGreater())) {
    bool first = true;
    do {
      SMLoc fieldLoc = parser.getCurrentLocation();
      StringRef keyword;
      if (parser.parseKeyword(&keyword))
        return {};
      if (std::optional<RuleFields> preset;
          first && (preset = getPresetFields(keyword))) {
        fields = *preset;
      } else {
        const RuleField *field = llvm::find_if(
            kRuleFields, [&](const RuleField &f) { return f.name == keyword; });
        if (field == std::end(kRuleFields)) {
          auto names = llvm::map_range(
              kRuleFields, [](const RuleField &f) { return f.name; });
          parser.emitError(fieldLoc)
              << "expected a field of the rule (" << llvm::join(names, ", ")
              << ") or first a preset (" << llvm::join(getPresetNames(), ", ")
              << "), but got '" << keyword << "'";
          return {};
        }
        if (parser.parseEqual() || field->parse(fields, parser))
          return {};
      }
      first = false;
    } while (succeeded(parser.parseOptionalComma()));
    if (parser.parseGreater())
      return {};
  }
  return getChecked([&] { return parser.emitError(loc); }, parser.getContext(),
                    fields.scale, fields.sfArith, fields.sfRound, fields.round,
                    fields.fourSix, fields.fourSixError, fields.outerMax,
                    fields.outerRepr, fields.nonFinite, fields.negZero,
                    fields.sfZero, fields.bits, fields.rounds, fields.srBits,
                    fields.allowClipping, fields.mapTo, fields.overflow);
}

void RuleAttr::print(AsmPrinter &printer) const {
  RuleFields fields = getFields();
  printer << '<';
  for (StringRef name : getPresetNames())
    if (equalFields(fields, *getPresetFields(name))) {
      printer << name << '>';
      return;
    }
  RuleFields base;
  llvm::interleaveComma(llvm::make_filter_range(kRuleFields,
                                                [&](const RuleField &f) {
                                                  return !f.equal(fields, base);
                                                }),
                        printer, [&](const RuleField &f) {
                          printer << f.name << " = " << f.print(fields);
                        });
  printer << '>';
}

//===----------------------------------------------------------------------===//
// OperandPlanAttr
//===----------------------------------------------------------------------===//

LogicalResult
OperandPlanAttr::verify(function_ref<InFlightDiagnostic()> emitError,
                        FormatAttr format, int64_t block,
                        OuterGranularity outer, RuleAttr rule, int64_t tile,
                        OperandSource source) {
  // (C1)
  for (auto [name, size] :
       {std::make_pair("block", block), std::make_pair("tile", tile)})
    if (size < 1 || size > BlockedType::kMaxBlockSize)
      return emitError() << "expected " << name << " between 1 and "
                         << BlockedType::kMaxBlockSize << ", but got " << size;
  // (C2)
  if (format.getOuter() != (outer != OuterGranularity::None))
    return emitError() << "expected outer = none exactly for formats without "
                          "an outer scale, but got "
                       << stringifyOuterGranularity(outer);
  // (C3)
  if (outer == OuterGranularity::Keep &&
      source != OperandSource::ForwardQuantized)
    return emitError() << "expected outer = keep only with source = "
                          "forward_quantized, but got source = "
                       << stringifyOperandSource(source);
  // (C4)
  return verifyRuleForFormat([&] { return emitError() << "operand plan "; },
                             rule, format);
}

//===----------------------------------------------------------------------===//
// SiteAttr
//===----------------------------------------------------------------------===//

LogicalResult SiteAttr::verify(function_ref<InFlightDiagnostic()> emitError,
                               StringRef, SiteRole role, SiteKind,
                               std::optional<int64_t> layer,
                               std::optional<Side> weight,
                               std::optional<Side> activation, StringAttr) {
  // (C1)
  if (layer && *layer < 0)
    return emitError() << "expected layer to be at least 0, but got " << *layer;
  // (C2)
  if (weight && role == SiteRole::Wgrad)
    return emitError() << "expected no weight of a site of role wgrad, but got "
                       << stringifySide(*weight);
  // (C3)
  if (activation && role != SiteRole::Wgrad)
    return emitError() << "expected an activation only of a site of role "
                          "wgrad, but got role "
                       << stringifySiteRole(role);
  return success();
}

SiteOperand SiteAttr::getOperand(Side side) const {
  if (getRole() == SiteRole::Wgrad)
    return side == getActivation().value_or(Side::Lhs) ? SiteOperand::Activation
                                                       : SiteOperand::Gradient;
  if (side == getWeight().value_or(Side::Rhs))
    return SiteOperand::Weight;
  return getRole() == SiteRole::Dgrad ? SiteOperand::Gradient
                                      : SiteOperand::Activation;
}

//===----------------------------------------------------------------------===//
// ExchangeAttr
//===----------------------------------------------------------------------===//

bool mlir::lowp::isTransformSize(int64_t size) {
  return size == 16 || size == 32 || size == 64 || size == 128;
}

LogicalResult ExchangeAttr::verify(function_ref<InFlightDiagnostic()> emitError,
                                   FormatAttr combine, int64_t rht,
                                   bool viaBF16, FormatAttr) {
  // (C1)
  if (rht != 0 && !isTransformSize(rht))
    return emitError() << "expected rht to be 0, 16, 32, 64 or 128, but got "
                       << rht;
  // (C2)
  if (!combine && (rht != 0 || viaBF16))
    return emitError() << "expected " << (rht != 0 ? "rht" : "via_bf16")
                       << " only with combine, but got none";
  // (C3)
  if (combine && combine.getOuter())
    return emitError() << "expected combine to be a format without an outer "
                          "scale, but got "
                       << combine;
  return success();
}

SmallVector<int64_t> mlir::lowp::getOuterAxes(OuterGranularity outer,
                                              int64_t rank,
                                              int64_t contractionDim) {
  SmallVector<int64_t> axes;
  switch (outer) {
  case OuterGranularity::None:
  case OuterGranularity::Tensor:
  case OuterGranularity::Keep:
    break;
  case OuterGranularity::Token:
    for (int64_t dim = 0; dim < rank; ++dim)
      if (dim != contractionDim)
        axes.push_back(dim);
    break;
  case OuterGranularity::Expert:
    // The dims in front of the matrix; a lone matrix is one expert.
    for (int64_t dim = 0; dim < rank - 2; ++dim)
      axes.push_back(dim);
    break;
  }
  return axes;
}
