//===- LowpVerify.cpp - verifiers of lowp operations -*- C++ -*-===//
//
// Part of the lowp project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "VerifyUtils.h"

#include "mlir/Dialect/Utils/IndexingUtils.h"
#include "mlir/IR/Matchers.h"
#include "llvm/ADT/StringExtras.h"

using namespace mlir;
using namespace mlir::lowp;

//===----------------------------------------------------------------------===//
// Shared checks
//===----------------------------------------------------------------------===//

ArrayRef<int64_t> mlir::lowp::getShapeOf(Type type) {
  if (auto blocked = dyn_cast<BlockedType>(type))
    return blocked.getShape();
  return cast<RankedTensorType>(type).getShape();
}

bool mlir::lowp::sizesAgree(int64_t a, int64_t b) {
  return ShapedType::isDynamic(a) || ShapedType::isDynamic(b) || a == b;
}

std::string mlir::lowp::sizeText(int64_t size) {
  return ShapedType::isDynamic(size) ? "?" : std::to_string(size);
}

std::string mlir::lowp::listText(ArrayRef<int64_t> list) {
  return "[" + llvm::join(llvm::map_range(list, sizeText), ", ") + "]";
}

LogicalResult mlir::lowp::verifyShapesAgree(Operation *op, StringRef a,
                                            ArrayRef<int64_t> aShape,
                                            StringRef b,
                                            ArrayRef<int64_t> bShape) {
  if (aShape.size() != bShape.size())
    return op->emitOpError()
           << "expects " << a << " and " << b << " of the same rank, but got "
           << aShape.size() << " and " << bShape.size();
  for (auto [dim, sizes] : llvm::enumerate(llvm::zip_equal(aShape, bShape))) {
    auto [aSize, bSize] = sizes;
    if (!sizesAgree(aSize, bSize))
      return op->emitOpError()
             << "expects " << a << " and " << b << " of the same size in dim "
             << dim << ", but got " << aSize << " and " << bSize;
  }
  return success();
}

LogicalResult mlir::lowp::verifyYields(Operation *op, Region &region,
                                       StringRef name, TypeRange types) {
  Block &block = region.front();
  if (block.getNumArguments() != 0)
    return op->emitOpError() << "expects " << name << " without arguments, but "
                             << "got " << block.getNumArguments();
  auto yield = block.empty() ? YieldOp() : dyn_cast<YieldOp>(block.back());
  if (!yield)
    return op->emitOpError() << "expects " << name << " to end in 'lowp.yield'";
  if (yield.getOperandTypes() == types)
    return success();
  InFlightDiagnostic diag = op->emitOpError()
                            << "expects " << name << " to yield (" << types
                            << "), the types of the results, but got ("
                            << yield.getOperandTypes() << ")";
  diag.attachNote(yield.getLoc()) << "yielded here";
  return diag;
}

/// A rule has a meaning for a format.
static LogicalResult verifyRule(Operation *op, RuleAttr rule,
                                FormatAttr format) {
  return verifyRuleForFormat([&] { return op->emitOpError(); }, rule, format);
}

/// `seed`, `step` and `stream` are for stochastic rounding.
template <typename Op>
static LogicalResult verifyRandomness(Op op) {
  if (op.getRule().isStochastic())
    return success();
  for (auto [name, given] :
       {std::pair<StringRef, bool>("seed", static_cast<bool>(op.getSeed())),
        std::pair<StringRef, bool>("step", static_cast<bool>(op.getStep())),
        std::pair<StringRef, bool>("stream", op.getStream().has_value())})
    if (given)
      return op.emitOpError()
             << "expects round = stochastic where seed, step or stream is "
                "given, but got nearest with "
             << name;
  return success();
}

/// `seed` and `step` come together.
template <typename Op>
static LogicalResult verifyKey(Op op) {
  if (static_cast<bool>(op.getSeed()) == static_cast<bool>(op.getStep()))
    return success();
  return op.emitOpError() << "expects seed and step together, but got "
                          << (op.getSeed() ? "seed" : "step") << " alone";
}

/// One dim per outer axis, of that axis's size.
static LogicalResult verifyOuterShape(Operation *op, StringRef name,
                                      Value value, BlockedType result) {
  RankedTensorType expected = result.getOuterType();
  if (!expected)
    return op->emitOpError()
           << "expects a format with an outer scale where " << name
           << " is given, but got " << result.getFormat();
  auto type = cast<RankedTensorType>(value.getType());
  bool agrees =
      type.getRank() == expected.getRank() &&
      llvm::all_of_zip(type.getShape(), expected.getShape(), sizesAgree);
  if (!agrees)
    return op->emitOpError()
           << "expects " << name << " to have one dim per outer axis "
           << listText(result.getOuterAxes())
           << (result.hasOuterPerGroup() ? " after one of groups" : "")
           << ", as " << expected << ", but got " << type;
  return success();
}

LogicalResult mlir::lowp::verifyOffsets(Operation *op, Value offsets,
                                        int64_t groups) {
  auto type = cast<RankedTensorType>(offsets.getType());
  if (type.getRank() != 1)
    return op->emitOpError()
           << "expects offsets of rank 1, but got " << type.getRank();
  int64_t entries = type.getDimSize(0);
  bool agrees = ShapedType::isDynamic(entries) || ShapedType::isDynamic(groups)
                    ? entries != 0
                    : entries - 1 == groups;
  if (agrees)
    return success();
  return op->emitOpError() << "expects one offset more than there are groups, "
                              "but got "
                           << sizeText(entries) << " offsets and "
                           << sizeText(groups) << " groups";
}

static LogicalResult
verifyPermutation(Operation *op, ArrayRef<int64_t> permutation, int64_t rank) {
  if (static_cast<int64_t>(permutation.size()) == rank &&
      isPermutationVector(permutation))
    return success();
  return op->emitOpError() << "expects a permutation of " << rank
                           << " dims, but got " << listText(permutation);
}

//===----------------------------------------------------------------------===//
// Quantise and its relatives
//===----------------------------------------------------------------------===//

LogicalResult QuantizeOp::verify() {
  BlockedType result = getResult().getType();
  // (C1)
  if (failed(verifyShapesAgree(*this, "source",
                               getSource().getType().getShape(), "result",
                               result.getShape())))
    return failure();
  // (C2)
  if (getOuterScale() && getOuterAmax())
    return emitOpError() << "expects outer or amax, but got both";
  // (C3), (C4)
  if (getOuterScale() &&
      failed(verifyOuterShape(*this, "outer", getOuterScale(), result)))
    return failure();
  if (getOuterAmax() &&
      failed(verifyOuterShape(*this, "amax", getOuterAmax(), result)))
    return failure();
  // (C5)
  DenseFPElementsAttr scales;
  if (getOuterScale() && matchPattern(getOuterScale(), m_Constant(&scales)))
    for (const APFloat &scale : scales) {
      if (scale.isFinite() && !scale.isZero() && !scale.isNegative())
        continue;
      SmallString<16> text;
      scale.toString(text);
      InFlightDiagnostic diag =
          emitOpError() << "expects positive finite outer scales, but got "
                        << text
                        << "; without 'outer' they follow from the values";
      diag.attachNote(getOuterScale().getLoc()) << "defined here";
      return diag;
    }
  // (C6)
  if (failed(verifyRandomness(*this)))
    return failure();
  // (C7), (C8)
  if (failed(verifyRule(*this, getRule(), result.getFormat())))
    return failure();
  // (C9)
  if (result.isGrouped() != static_cast<bool>(getOffsets()))
    return emitOpError() << "expects groups exactly where the result is "
                            "grouped, but got "
                         << (getOffsets() ? "groups and " : "no groups and ")
                         << result;
  // (C10)
  if (getOffsets() &&
      failed(verifyOffsets(*this, getOffsets(), result.getGroups())))
    return failure();
  // (C11)
  return verifyKey(*this);
}

LogicalResult AmaxOp::verify() {
  RankedTensorType source = getSource().getType();
  // (C1)
  if (source.getRank() == 0)
    return emitOpError() << "expects a source of at least one dim, but got "
                         << source;
  SmallVector<int64_t> expected;
  for (auto [i, axis] : llvm::enumerate(getOuterAxes())) {
    // (C2)
    if (axis < 0 || axis >= source.getRank())
      return emitOpError() << "expects outer axes between 0 and "
                           << source.getRank() - 1 << ", but got " << axis;
    // (C3)
    if (i > 0 && getOuterAxes()[i - 1] >= axis)
      return emitOpError() << "expects outer axes to ascend, but got "
                           << listText(getOuterAxes());
    expected.push_back(source.getDimSize(axis));
  }
  // (C4)
  auto result = cast<RankedTensorType>(getResult().getType());
  if (result.getRank() == static_cast<int64_t>(expected.size()) &&
      llvm::all_of_zip(result.getShape(), expected, sizesAgree))
    return success();
  return emitOpError() << "expects a result of one dim per outer axis, "
                       << listText(expected) << ", but got "
                       << listText(result.getShape());
}

LogicalResult DequantizeOp::verify() {
  // (C1)
  return verifyShapesAgree(*this, "source", getSource().getType().getShape(),
                           "result", getResult().getType().getShape());
}

LogicalResult RequantizeOp::verify() {
  BlockedType source = getSource().getType(), result = getResult().getType();
  SmallVector<int64_t> permutation =
      llvm::to_vector(llvm::seq<int64_t>(0, source.getRank()));
  if (getPermutation())
    permutation.assign(getPermutation()->begin(), getPermutation()->end());
  // (C1)
  if (failed(verifyPermutation(*this, permutation, source.getRank())))
    return failure();
  // (C2)
  if (failed(verifyShapesAgree(*this, "permuted source",
                               applyPermutation(source.getShape(), permutation),
                               "result", result.getShape())))
    return failure();
  // (C3)
  if (getOuter() == OuterMode::Keep) {
    if (!source.hasOuter() || !result.hasOuter())
      return emitOpError()
             << "expects source and result formats with an outer scale for "
                "outer = keep, but got "
             << source.getFormat() << " and " << result.getFormat();
    // (C4)
    SmallVector<int64_t> axes;
    for (auto [dim, sourceDim] : llvm::enumerate(permutation))
      if (llvm::is_contained(source.getOuterAxes(), sourceDim))
        axes.push_back(dim);
    if (result.getOuterAxes() != ArrayRef<int64_t>(axes))
      return emitOpError() << "expects outer axes " << listText(axes)
                           << " of the result for outer = keep, those of the "
                              "source permuted, but got "
                           << listText(result.getOuterAxes());
    if (source.hasOuterPerGroup() != result.hasOuterPerGroup())
      return emitOpError() << "expects outer scales per group of both source "
                              "and result or of neither for outer = keep, but "
                              "got "
                           << source << " and " << result;
  }
  // (C5)
  if (failed(verifyRandomness(*this)))
    return failure();
  // (C6), (C7)
  if (failed(verifyRule(*this, getRule(), result.getFormat())))
    return failure();
  // (C8)
  bool wanted = result.isGrouped() && !source.isGrouped();
  if (wanted != static_cast<bool>(getOffsets()))
    return emitOpError() << "expects groups exactly where the result is "
                            "grouped and the source is not, but got "
                         << (getOffsets() ? "groups and " : "no groups and ")
                         << source << " and " << result;
  // (C9)
  if (getOffsets() &&
      failed(verifyOffsets(*this, getOffsets(), result.getGroups())))
    return failure();
  // (C10)
  if (source.isGrouped() && result.isGrouped() &&
      (permutation[result.getGroupAxis()] != source.getGroupAxis() ||
       !sizesAgree(source.getGroups(), result.getGroups())))
    return emitOpError() << "expects the groups of the source, permuted, in "
                            "the result, but got "
                         << source << " and " << result;
  // (C11)
  return verifyKey(*this);
}

LogicalResult TransposeOp::verify() {
  // (C1) to (C3) are those of the inferred type.
  // (C4)
  if (getSource().getType().getLayout() != ScaleLayout::Linear)
    return emitOpError() << "expects scale layout linear, but got "
                         << stringifyScaleLayout(
                                getSource().getType().getLayout())
                         << "; 'lowp.convert_layout' changes it";
  return success();
}

LogicalResult ConvertLayoutOp::verify() {
  BlockedType source = getSource().getType(), result = getResult().getType();
  // (C1)
  if (source.getShape() == result.getShape() &&
      source.getFormat() == result.getFormat() &&
      source.getBlockShape() == result.getBlockShape() &&
      source.getOuterAxes() == result.getOuterAxes() &&
      source.getGroupAxis() == result.getGroupAxis() &&
      source.getGroups() == result.getGroups())
    return success();
  return emitOpError()
         << "expects types that differ in their layout only, but got " << source
         << " and " << result;
}

LogicalResult PackOp::verify() {
  BlockedType result = getResult().getType();
  // (C1)
  SmallVector<Type> expected = result.getComponentTypes();
  if (TypeRange(getComponents()) != TypeRange(expected))
    return emitOpError() << "expects components of types (" << expected
                         << "), but got (" << getComponents().getTypes() << ")";
  // (C2)
  int64_t dynamicDims =
      llvm::count_if(result.getShape(), ShapedType::isDynamic);
  if (static_cast<int64_t>(getDynamicDims().size()) != dynamicDims)
    return emitOpError() << "expects one size per dynamic dim of the result ("
                         << dynamicDims << "), but got "
                         << getDynamicDims().size();
  return success();
}

LogicalResult DimOp::verify() {
  // (C1)
  int64_t rank = getSource().getType().getRank();
  if (getDim() >= static_cast<uint64_t>(rank))
    return emitOpError() << "expects a dim between 0 and " << rank - 1
                         << ", but got " << getDim();
  return success();
}

//===----------------------------------------------------------------------===//
// Hadamard transform
//===----------------------------------------------------------------------===//

LogicalResult SignsOp::verify() {
  // (C1)
  if (!isTransformSize(getNegate().size()))
    return emitOpError() << "expects 16, 32, 64 or 128 signs, but got "
                         << getNegate().size();
  return success();
}

LogicalResult RhtOp::verify() {
  auto type = cast<RankedTensorType>(getSource().getType());
  int64_t size = getSize(), axis = getAxis();
  // (C1)
  if (!isTransformSize(size))
    return emitOpError() << "expects a size of 16, 32, 64 or 128, but got "
                         << size;
  // (C2)
  if (axis >= type.getRank())
    return emitOpError() << "expects an axis below the rank of the source, "
                         << type.getRank() << ", but got " << axis;
  // (C3)
  if (!type.isDynamicDim(axis) && type.getDimSize(axis) % size != 0)
    return emitOpError() << "expects the size of axis " << axis
                         << " to be a multiple of the transform size " << size
                         << ", but got " << type.getDimSize(axis);
  // (C6)
  if (getOffsets())
    return verifyOffsets(*this, getOffsets(), ShapedType::kDynamic);
  return success();
}

/// Whether `name` is a vector of `size` signs.
static LogicalResult verifySigns(Operation *op, SymbolTableCollection &symbols,
                                 FlatSymbolRefAttr name, int64_t size) {
  // rht (C4), combine (C7)
  Operation *symbol = symbols.lookupNearestSymbolFrom(op, name);
  auto signs = dyn_cast_or_null<SignsOp>(symbol);
  if (!signs) {
    InFlightDiagnostic diag =
        op->emitOpError() << "expects signs to name a 'lowp.signs', but "
                          << (symbol ? "got " : "nothing is named ") << name;
    if (symbol)
      diag.attachNote(symbol->getLoc()) << "which is this operation";
    return diag;
  }
  // rht (C5), combine (C8)
  if (static_cast<int64_t>(signs.getNegate().size()) != size) {
    InFlightDiagnostic diag =
        op->emitOpError() << "expects as many signs as the transform size "
                          << size << ", but got " << signs.getNegate().size();
    diag.attachNote(signs.getLoc()) << "the signs are here";
    return diag;
  }
  return success();
}

LogicalResult RhtOp::verifySymbolUses(SymbolTableCollection &symbolTable) {
  if (!getSigns())
    return success();
  return verifySigns(*this, symbolTable, getSignsAttr(), getSize());
}

//===----------------------------------------------------------------------===//
// Mixture of experts
//===----------------------------------------------------------------------===//

LogicalResult CombineOp::verify() {
  BlockedType payload = getPayload().getType();
  auto gates = cast<RankedTensorType>(getGates().getType());
  auto result = cast<RankedTensorType>(getType());
  // (C1)
  if (payload.getRank() != 3 || gates.getRank() != 2 || result.getRank() != 2)
    return emitOpError() << "expects a payload of rank 3, gates of rank 2 and "
                            "a result of rank 2, but got "
                         << payload.getRank() << ", " << gates.getRank()
                         << " and " << result.getRank();
  // (C2)
  if (failed(verifyShapesAgree(*this, "gates", gates.getShape(),
                               "the experts and tokens of the payload",
                               payload.getShape().take_front(2))))
    return failure();
  // (C3)
  if (failed(verifyShapesAgree(*this, "the result", result.getShape(),
                               "a token of the payload",
                               payload.getShape().drop_front())))
    return failure();
  if (!getInverseRht()) {
    // (C6)
    if (getSigns() || getNormalization() != Normalization::Dyadic)
      return emitOpError() << "expects "
                           << (getSigns() ? "signs" : "a normalization")
                           << " only with 'inverse_rht', but got none";
    return success();
  }
  int64_t size = *getInverseRht();
  // (C4)
  if (!isTransformSize(size))
    return emitOpError()
           << "expects 'inverse_rht' to be 16, 32, 64 or 128, but got " << size;
  // (C5)
  if (!payload.isDynamicDim(2) && payload.getDimSize(2) % size != 0)
    return emitOpError() << "expects the size of axis 2 of the payload to be a "
                            "multiple of the transform size "
                         << size << ", but got " << payload.getDimSize(2);
  return success();
}

LogicalResult CombineOp::verifySymbolUses(SymbolTableCollection &symbolTable) {
  if (!getSigns() || !getInverseRht())
    return success();
  return verifySigns(*this, symbolTable, getSignsAttr(), *getInverseRht());
}

//===----------------------------------------------------------------------===//
// Kernel
//===----------------------------------------------------------------------===//

LogicalResult KernelOp::verify() {
  // (C1), (C2)
  return verifyYields(*this, getBody(), "the body", getResultTypes());
}
