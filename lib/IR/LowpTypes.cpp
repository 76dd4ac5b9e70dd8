//===- LowpTypes.cpp - S2F6 and the blocked type -*- C++ -*-===//
//
// Part of the lowp project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "lowp/IR/LowpTypes.h"
#include "lowp/IR/LowpDialect.h"

#include "mlir/IR/Builders.h"
#include "mlir/IR/DialectImplementation.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/TypeSwitch.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir;
using namespace mlir::lowp;

#define GET_TYPEDEF_CLASSES
#include "lowp/IR/LowpTypes.cpp.inc"

void LowpDialect::registerTypes() {
  addTypes<
#define GET_TYPEDEF_LIST
#include "lowp/IR/LowpTypes.cpp.inc"
      >();
}

//===----------------------------------------------------------------------===//
// BlockedType: text
//===----------------------------------------------------------------------===//

static ParseResult parseIntegerList(AsmParser &parser,
                                    SmallVectorImpl<int64_t> &list) {
  return parser.parseCommaSeparatedList(AsmParser::Delimiter::Square, [&] {
    return parser.parseInteger(list.emplace_back());
  });
}

Type BlockedType::parse(AsmParser &parser) {
  SMLoc loc = parser.getCurrentLocation();
  SmallVector<int64_t> shape, block, outer;
  if (parser.parseLess() ||
      parser.parseDimensionList(shape, /*allowDynamic=*/true,
                                /*withTrailingX=*/true))
    return {};
  FailureOr<FormatAttr> format = FormatAttr::parseInline(parser);
  if (failed(format) || parser.parseComma() || parser.parseKeyword("block") ||
      parser.parseEqual() || parseIntegerList(parser, block))
    return {};
  ScaleLayout layout = ScaleLayout::Linear;
  int64_t groupAxis = -1, groups = 0;
  bool hasOuter = false, hasLayout = false, hasGroups = false;
  while (succeeded(parser.parseOptionalComma())) {
    SMLoc fieldLoc = parser.getCurrentLocation();
    if (!hasOuter && !hasLayout && !hasGroups &&
        succeeded(parser.parseOptionalKeyword("outer"))) {
      hasOuter = true;
      if (parser.parseEqual() || parseIntegerList(parser, outer))
        return {};
      continue;
    }
    if (!hasLayout && !hasGroups &&
        succeeded(parser.parseOptionalKeyword("layout"))) {
      hasLayout = true;
      StringRef keyword;
      if (parser.parseEqual())
        return {};
      fieldLoc = parser.getCurrentLocation();
      if (parser.parseKeyword(&keyword))
        return {};
      std::optional<ScaleLayout> symbol = symbolizeScaleLayout(keyword);
      if (!symbol) {
        parser.emitError(fieldLoc)
            << "expected layout linear or tcgen05_128x4, but got '" << keyword
            << "'";
        return {};
      }
      layout = *symbol;
      continue;
    }
    if (!hasGroups && succeeded(parser.parseOptionalKeyword("groups"))) {
      hasGroups = true;
      if (parser.parseEqual())
        return {};
      if (succeeded(parser.parseOptionalQuestion()))
        groups = ShapedType::kDynamic;
      else if (parser.parseInteger(groups))
        return {};
      fieldLoc = parser.getCurrentLocation();
      if (parser.parseKeyword("along") || parser.parseInteger(groupAxis))
        return {};
      // -1 stands for no groups.
      if (groupAxis >= 0)
        continue;
      parser.emitError(fieldLoc)
          << "expected groups along a dim of at least 0, but got " << groupAxis;
      return {};
    }
    parser.emitError(fieldLoc)
        << "expected 'outer', 'layout' or 'groups', in this order";
    return {};
  }
  if (parser.parseGreater())
    return {};
  return getChecked([&] { return parser.emitError(loc); }, parser.getContext(),
                    shape, *format, block, outer, layout, groupAxis, groups);
}

void BlockedType::print(AsmPrinter &printer) const {
  printer << '<';
  printer.printDimensionList(getShape());
  if (getRank() != 0)
    printer << 'x';
  getFormat().printInline(printer);
  printer << ", block = [";
  llvm::interleaveComma(getBlockShape(), printer);
  printer << ']';
  if (!getOuterAxes().empty()) {
    printer << ", outer = [";
    llvm::interleaveComma(getOuterAxes(), printer);
    printer << ']';
  }
  if (getLayout() != ScaleLayout::Linear)
    printer << ", layout = " << stringifyScaleLayout(getLayout());
  if (isGrouped()) {
    printer << ", groups = ";
    if (ShapedType::isDynamic(getGroups()))
      printer << '?';
    else
      printer << getGroups();
    printer << " along " << getGroupAxis();
  }
  printer << '>';
}

//===----------------------------------------------------------------------===//
// BlockedType: verifier
//===----------------------------------------------------------------------===//

static int64_t ceilDiv(int64_t size, int64_t divisor) {
  return ShapedType::isDynamic(size)
             ? size
             : static_cast<int64_t>(
                   llvm::divideCeil(static_cast<uint64_t>(size), divisor));
}

/// How many units of `unit` elements hold a dim of `size` elements that is made
/// of `groups` groups, each of which begins a new unit: unit j of group e,
/// which starts at element s, is number s / unit + e + j.
static int64_t unitsOfGroups(int64_t size, int64_t unit, int64_t groups) {
  if (ShapedType::isDynamic(size) || ShapedType::isDynamic(groups))
    return ShapedType::kDynamic;
  return size / unit + groups;
}

/// Bytes of images of 128x4 tiles; none where they are more than 64 bits can
/// count.
static std::optional<int64_t> getImageSize(int64_t rowTiles,
                                           int64_t columnTiles) {
  if (ShapedType::isDynamic(rowTiles) || ShapedType::isDynamic(columnTiles))
    return ShapedType::kDynamic;
  int64_t size = 0;
  if (llvm::MulOverflow<int64_t>(rowTiles, columnTiles, size) ||
      llvm::MulOverflow<int64_t>(size, 512, size))
    return std::nullopt;
  return size;
}

/// The same for the last two dims of a type.
static std::optional<int64_t> getImageSize(BlockedType type) {
  auto tiles = [&](int64_t dim, int64_t scales) {
    int64_t unit = type.getElementsPerScale(dim) * scales;
    int64_t size = type.getDimSize(dim);
    return dim == type.getGroupAxis()
               ? unitsOfGroups(size, unit, type.getGroups())
               : ceilDiv(size, unit);
  };
  int64_t rank = type.getRank();
  return getImageSize(tiles(rank - 2, 128), tiles(rank - 1, 4));
}

LogicalResult BlockedType::verify(function_ref<InFlightDiagnostic()> emitError,
                                  ArrayRef<int64_t> shape, FormatAttr format,
                                  ArrayRef<int64_t> blockShape,
                                  ArrayRef<int64_t> outerAxes,
                                  ScaleLayout layout, int64_t groupAxis,
                                  int64_t groups) {
  int64_t rank = shape.size();
  // (C1)
  if (rank == 0)
    return emitError() << "expected rank of at least 1, but got 0";
  // (C2)
  for (auto [dim, size] : llvm::enumerate(shape))
    if (size < 0 && !ShapedType::isDynamic(size))
      return emitError() << "expected sizes of at least 0, but got " << size
                         << " in dim " << dim;
  // (C3)
  if (static_cast<int64_t>(blockShape.size()) != rank)
    return emitError() << "expected block to have one entry per dim (" << rank
                       << "), but got " << blockShape.size();
  unsigned blockedDims = 0;
  // (C4)
  for (auto [dim, size] : llvm::enumerate(blockShape)) {
    if (size < 1 || size > kMaxBlockSize)
      return emitError() << "expected block sizes between 1 and "
                         << kMaxBlockSize << ", but got " << size << " in dim "
                         << dim;
    blockedDims += size > 1;
  }
  // (C5)
  if (blockedDims > 2 ||
      (blockedDims == 2 && (blockShape[rank - 1] == 1 ||
                            blockShape[rank - 2] != blockShape[rank - 1])))
    return emitError() << "expected blocks along one dim or square tiles of "
                          "the last two dims, but got ["
                       << blockShape << "]";
  for (auto [i, axis] : llvm::enumerate(outerAxes)) {
    // (C6)
    if (axis < 0 || axis >= rank)
      return emitError() << "expected outer axes between 0 and " << rank - 1
                         << ", but got " << axis;
    // (C7)
    if (i != 0 && outerAxes[i - 1] >= axis)
      return emitError() << "expected outer axes to ascend, but got ["
                         << outerAxes << "]";
    // (C8) One block has one outer scale.
    if (blockShape[axis] != 1)
      return emitError() << "expected block size 1 along outer axis " << axis
                         << ", but got " << blockShape[axis];
  }
  // (C9)
  if (!outerAxes.empty() && !format.getOuter())
    return emitError() << "expected no outer axes, since the format has no "
                          "outer scale, but got ["
                       << outerAxes << "]";
  if (layout == ScaleLayout::Tcgen05_128x4) {
    // (C10)
    if (rank < 2)
      return emitError() << "expected rank of at least 2 for layout "
                            "tcgen05_128x4, but got "
                         << rank;
    // (C11)
    if (format.hasF32Scale())
      return emitError() << "expected block scales of one byte for layout "
                            "tcgen05_128x4, but got f32";
  }
  if (groupAxis >= 0) {
    // (C13)
    if (groupAxis >= rank)
      return emitError() << "expected groups along a dim between 0 and "
                         << rank - 1 << ", but got " << groupAxis;
    // (C14)
    if (!ShapedType::isDynamic(groups) && (groups < 0 || groups > kMaxGroups))
      return emitError() << "expected between 0 and " << kMaxGroups
                         << " groups, but got " << groups;
    // (C15)
    if (groups == 0 && !ShapedType::isDynamic(shape[groupAxis]) &&
        shape[groupAxis] != 0)
      return emitError() << "expected a group at least along dim " << groupAxis
                         << " of size " << shape[groupAxis] << ", but got none";
  }
  if (layout == ScaleLayout::Tcgen05_128x4) {
    // (C12)
    auto type = get(format.getContext(), shape, format, blockShape, outerAxes,
                    ScaleLayout::Linear, groupAxis, groups);
    if (!getImageSize(type))
      return emitError()
             << "expected scales of less than 2^63 bytes for layout "
                "tcgen05_128x4, but got "
             << shape[rank - 2] << " rows of " << shape[rank - 1]
             << " elements";
  }
  return success();
}

//===----------------------------------------------------------------------===//
// BlockedType: queries
//===----------------------------------------------------------------------===//

std::optional<unsigned> BlockedType::getBlockAxis() const {
  std::optional<unsigned> axis;
  for (auto [dim, size] : llvm::enumerate(getBlockShape())) {
    if (size == 1)
      continue;
    if (axis)
      return std::nullopt;
    axis = dim;
  }
  return axis ? axis : std::optional<unsigned>(getRank() - 1);
}

int64_t BlockedType::getBlockSize() const {
  int64_t size = 1;
  for (int64_t dim : getBlockShape())
    size *= dim;
  return size;
}

bool BlockedType::isScaleReplicatedAlongRows() const {
  return isTiled() && !getFormat().hasF32Scale();
}

RankedTensorType BlockedType::getCodesType() const {
  SmallVector<int64_t> shape(getShape());
  if (getFormat().getStorageBits() == 4)
    shape.back() = ceilDiv(shape.back(), 2);
  return RankedTensorType::get(shape, IntegerType::get(getContext(), 8));
}

bool BlockedType::hasOuterPerGroup() const {
  return hasOuter() && isGrouped() &&
         !llvm::is_contained(getOuterAxes(), getGroupAxis());
}

int64_t BlockedType::getElementsPerScale(unsigned dim) const {
  bool replicated = isScaleReplicatedAlongRows() && dim + 2 == getRank();
  return replicated ? 1 : getBlockShape()[dim];
}

bool BlockedType::isScaleDimPerGroup(unsigned dim) const {
  return static_cast<int64_t>(dim) == getGroupAxis() &&
         getElementsPerScale(dim) > 1;
}

bool BlockedType::isImagePerGroup() const {
  return getLayout() == ScaleLayout::Tcgen05_128x4 && isGrouped() &&
         getGroupAxis() >= getRank() - 2;
}

int64_t BlockedType::getElementsPerTile() const {
  return getElementsPerScale(getGroupAxis()) *
         (getGroupAxis() == getRank() - 1 ? 4 : 128);
}

RankedTensorType BlockedType::getScalesType() const {
  SmallVector<int64_t> shape;
  for (auto [dim, size] : llvm::enumerate(getShape())) {
    int64_t elements = getElementsPerScale(dim);
    shape.push_back(isScaleDimPerGroup(dim)
                        ? unitsOfGroups(size, elements, getGroups())
                        : ceilDiv(size, elements));
  }
  Type element = getFormat().hasF32Scale()
                     ? Type(Float32Type::get(getContext()))
                     : Type(IntegerType::get(getContext(), 8));
  if (getLayout() == ScaleLayout::Tcgen05_128x4) {
    // One padded image of 512-byte tiles per leading index.
    shape.truncate(shape.size() - 2);
    shape.push_back(*getImageSize(*this));
  }
  return RankedTensorType::get(shape, element);
}

RankedTensorType BlockedType::getOuterType() const {
  if (!hasOuter())
    return {};
  SmallVector<int64_t> shape;
  if (hasOuterPerGroup())
    shape.push_back(getGroups());
  for (int64_t axis : getOuterAxes())
    shape.push_back(getDimSize(axis));
  return RankedTensorType::get(shape, Float32Type::get(getContext()));
}

RankedTensorType BlockedType::getOffsetsType() const {
  if (!isGrouped())
    return {};
  int64_t groups = getGroups();
  return RankedTensorType::get(ShapedType::isDynamic(groups) ? groups
                                                             : groups + 1,
                               IntegerType::get(getContext(), 64));
}

SmallVector<Type> BlockedType::getComponentTypes() const {
  SmallVector<Type> types = {getCodesType(), getScalesType()};
  if (RankedTensorType outer = getOuterType())
    types.push_back(outer);
  if (RankedTensorType offsets = getOffsetsType())
    types.push_back(offsets);
  return types;
}

namespace {
/// Parameters of a transposed type.
struct Permuted {
  SmallVector<int64_t> shape, block, outer;
  int64_t groupAxis = -1;

  Permuted(BlockedType type, ArrayRef<int64_t> permutation) {
    for (auto [dim, source] : llvm::enumerate(permutation)) {
      shape.push_back(type.getShape()[source]);
      block.push_back(type.getBlockShape()[source]);
      if (llvm::is_contained(type.getOuterAxes(), source))
        outer.push_back(dim);
      if (type.getGroupAxis() == source)
        groupAxis = dim;
    }
  }
};
} // namespace

BlockedType BlockedType::getTransposed(ArrayRef<int64_t> permutation) const {
  Permuted to(*this, permutation);
  return get(to.shape, getFormat(), to.block, to.outer, getLayout(),
             to.groupAxis, getGroups());
}

FailureOr<BlockedType>
BlockedType::getTransposedChecked(function_ref<InFlightDiagnostic()> emitError,
                                  ArrayRef<int64_t> permutation) const {
  Permuted to(*this, permutation);
  BlockedType type =
      getChecked(emitError, getContext(), to.shape, getFormat(), to.block,
                 to.outer, getLayout(), to.groupAxis, getGroups());
  if (!type)
    return failure();
  return type;
}

BlockedType BlockedType::withLayout(ScaleLayout layout) const {
  return get(getShape(), getFormat(), getBlockShape(), getOuterAxes(), layout,
             getGroupAxis(), getGroups());
}

BlockedType BlockedType::getGroupType() const {
  SmallVector<int64_t> shape(getShape());
  shape[getGroupAxis()] = ShapedType::kDynamic;
  return get(shape, getFormat(), getBlockShape(), getOuterAxes(), getLayout());
}

BlockedType BlockedType::withoutGroups() const {
  return get(getShape(), getFormat(), getBlockShape(), getOuterAxes(),
             getLayout());
}
