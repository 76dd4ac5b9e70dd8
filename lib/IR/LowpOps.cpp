//===- LowpOps.cpp - types, shapes and text of lowp operations -*- C++ -*-===//
//
// Part of the lowp project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "lowp/IR/LowpOps.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Utils/IndexingUtils.h"
#include "mlir/Dialect/Utils/StaticValueUtils.h"
#include "mlir/IR/Builders.h"
#include "mlir/IR/OpImplementation.h"

using namespace mlir;
using namespace mlir::lowp;

#include "lowp/IR/LowpInterfaces.cpp.inc"

Type mlir::lowp::getRandomWordType(Type group) {
  Type word = IntegerType::get(group.getContext(), 32);
  auto vector = dyn_cast<VectorType>(group);
  return vector ? vector.clone(word) : word;
}

#define GET_OP_CLASSES
#include "lowp/IR/LowpOps.cpp.inc"

/// The type of scale bytes: one byte where nothing is said.
static ParseResult parseScaleBytesType(OpAsmParser &parser, Type &type) {
  if (succeeded(parser.parseOptionalColon()))
    return parser.parseType(type);
  type = parser.getBuilder().getI8Type();
  return success();
}

static void printScaleBytesType(OpAsmPrinter &printer, Operation *, Type type) {
  if (!type.isInteger(8))
    printer << ": " << type;
}

#define GET_OP_CLASSES
#include "lowp/IR/LowpBlockOps.cpp.inc"

SmallVector<bool> mlir::lowp::getDefaultSigns(int64_t size) {
  SmallVector<bool> negate;
  for (int64_t i = 0; i < size; ++i)
    negate.push_back((0xD7E8u >> (i % 16)) & 1);
  return negate;
}

//===----------------------------------------------------------------------===//
// Builders
//===----------------------------------------------------------------------===//

void QuantizeOp::build(OpBuilder &builder, OperationState &state, Type result,
                       Value source, RuleAttr rule, Value offsets) {
  build(builder, state, result, source, /*outerScale=*/Value(),
        /*outerAmax=*/Value(), /*seed=*/Value(), /*step=*/Value(), offsets,
        rule ? rule : RuleAttr::getDefault(builder.getContext()),
        /*stream=*/IntegerAttr());
}

//===----------------------------------------------------------------------===//
// Result types
//===----------------------------------------------------------------------===//

LogicalResult TransposeOp::inferReturnTypes(
    MLIRContext *context, std::optional<Location> location, ValueRange operands,
    DictionaryAttr attributes, OpaqueProperties properties, RegionRange regions,
    SmallVectorImpl<Type> &results) {
  TransposeOp::Adaptor adaptor(operands, attributes, properties, regions);
  auto source = cast<BlockedType>(adaptor.getSource().getType());
  ArrayRef<int64_t> permutation = adaptor.getPermutation();
  // (C1)
  if (static_cast<int64_t>(permutation.size()) != source.getRank() ||
      !isPermutationVector(permutation))
    return emitOptionalError(location,
                             "'lowp.transpose' op expects a "
                             "permutation of ",
                             source.getRank(), " dims, but got [", permutation,
                             "]");
  // (C2)
  FailureOr<BlockedType> type = source.getTransposedChecked(
      [&] {
        return mlir::emitError(location.value_or(UnknownLoc::get(context)))
               << "'lowp.transpose' op expects a result that is a blocked "
                  "type: ";
      },
      permutation);
  if (failed(type))
    return failure();
  results.push_back(*type);
  return success();
}

LogicalResult UnpackOp::inferReturnTypes(
    MLIRContext *context, std::optional<Location> location, ValueRange operands,
    DictionaryAttr attributes, OpaqueProperties properties, RegionRange regions,
    SmallVectorImpl<Type> &results) {
  UnpackOp::Adaptor adaptor(operands, attributes, properties, regions);
  llvm::append_range(
      results,
      cast<BlockedType>(adaptor.getSource().getType()).getComponentTypes());
  return success();
}

//===----------------------------------------------------------------------===//
// Shapes
//===----------------------------------------------------------------------===//

/// The size of dim `dim` of a plain or blocked value.
static OpFoldResult getDim(OpBuilder &builder, Location loc, Value value,
                           unsigned dim) {
  auto blocked = dyn_cast<BlockedType>(value.getType());
  if (!blocked)
    return tensor::getMixedSize(builder, loc, value, dim);
  if (!blocked.isDynamicDim(dim))
    return builder.getIndexAttr(blocked.getDimSize(dim));
  return DimOp::create(builder, loc, value, dim).getResult();
}

/// A static size of the result type wins over the operand's.
static OpFoldResult getResultDim(OpBuilder &builder, Location loc,
                                 RankedTensorType result, unsigned resultDim,
                                 Value operand, unsigned operandDim) {
  if (!result.isDynamicDim(resultDim))
    return builder.getIndexAttr(result.getDimSize(resultDim));
  return getDim(builder, loc, operand, operandDim);
}

LogicalResult
DequantizeOp::reifyResultShapes(OpBuilder &builder,
                                ReifiedRankedShapedTypeDims &shapes) {
  SmallVector<OpFoldResult> &shape = shapes.emplace_back();
  for (int64_t dim = 0, rank = getSource().getType().getRank(); dim < rank;
       ++dim)
    shape.push_back(getDim(builder, getLoc(), getSource(), dim));
  return success();
}

LogicalResult AmaxOp::reifyResultShapes(OpBuilder &builder,
                                        ReifiedRankedShapedTypeDims &shapes) {
  SmallVector<OpFoldResult> &shape = shapes.emplace_back();
  for (int64_t axis : getOuterAxes())
    shape.push_back(tensor::getMixedSize(builder, getLoc(), getSource(), axis));
  return success();
}

LogicalResult RhtOp::reifyResultShapes(OpBuilder &builder,
                                       ReifiedRankedShapedTypeDims &shapes) {
  shapes.push_back(tensor::getMixedSizes(builder, getLoc(), getSource()));
  return success();
}

LogicalResult
CombineOp::reifyResultShapes(OpBuilder &builder,
                             ReifiedRankedShapedTypeDims &shapes) {
  auto type = cast<RankedTensorType>(getResult().getType());
  SmallVector<OpFoldResult> &shape = shapes.emplace_back();
  for (unsigned dim : {0u, 1u})
    shape.push_back(
        getResultDim(builder, getLoc(), type, dim, getPayload(), dim + 1));
  return success();
}

static int64_t getOperandRank(Value operand) {
  if (auto blocked = dyn_cast<BlockedType>(operand.getType()))
    return blocked.getRank();
  return cast<RankedTensorType>(operand.getType()).getRank();
}

/// The last two dims of an operand, contraction dim first, are swapped by the
/// transpose flags.
template <typename Op>
static unsigned lhsContractionDim(Op op) {
  return getOperandRank(op.getLhs()) - (op.getTransposeLhs() ? 2 : 1);
}
template <typename Op>
static unsigned rhsContractionDim(Op op) {
  return getOperandRank(op.getRhs()) - (op.getTransposeRhs() ? 1 : 2);
}
template <typename Op>
static unsigned lhsFreeDim(Op op) {
  return getOperandRank(op.getLhs()) - (op.getTransposeLhs() ? 1 : 2);
}
template <typename Op>
static unsigned rhsFreeDim(Op op) {
  return getOperandRank(op.getRhs()) - (op.getTransposeRhs() ? 2 : 1);
}

unsigned MatmulOp::getLhsContractionDim() { return lhsContractionDim(*this); }
unsigned MatmulOp::getRhsContractionDim() { return rhsContractionDim(*this); }
unsigned BatchMatmulOp::getLhsContractionDim() {
  return lhsContractionDim(*this);
}
unsigned BatchMatmulOp::getRhsContractionDim() {
  return rhsContractionDim(*this);
}
unsigned GroupedMatmulOp::getLhsContractionDim() {
  return lhsContractionDim(*this);
}
unsigned GroupedMatmulOp::getRhsContractionDim() {
  return rhsContractionDim(*this);
}

unsigned KGroupedMatmulOp::getLhsContractionDim() {
  return lhsContractionDim(*this);
}
unsigned KGroupedMatmulOp::getRhsContractionDim() {
  return rhsContractionDim(*this);
}

LogicalResult MatmulOp::reifyResultShapes(OpBuilder &builder,
                                          ReifiedRankedShapedTypeDims &shapes) {
  auto type = cast<RankedTensorType>(getResult().getType());
  shapes.push_back(
      {getResultDim(builder, getLoc(), type, 0, getLhs(), lhsFreeDim(*this)),
       getResultDim(builder, getLoc(), type, 1, getRhs(), rhsFreeDim(*this))});
  return success();
}

LogicalResult
BatchMatmulOp::reifyResultShapes(OpBuilder &builder,
                                 ReifiedRankedShapedTypeDims &shapes) {
  auto type = cast<RankedTensorType>(getResult().getType());
  Value batched = getOperandRank(getLhs()) == 3 ? getLhs() : getRhs();
  shapes.push_back(
      {getResultDim(builder, getLoc(), type, 0, batched, 0),
       getResultDim(builder, getLoc(), type, 1, getLhs(), lhsFreeDim(*this)),
       getResultDim(builder, getLoc(), type, 2, getRhs(), rhsFreeDim(*this))});
  return success();
}

LogicalResult
GroupedMatmulOp::reifyResultShapes(OpBuilder &builder,
                                   ReifiedRankedShapedTypeDims &shapes) {
  auto type = cast<RankedTensorType>(getResult().getType());
  shapes.push_back(
      {getResultDim(builder, getLoc(), type, 0, getLhs(), lhsFreeDim(*this)),
       getResultDim(builder, getLoc(), type, 1, getRhs(), rhsFreeDim(*this))});
  return success();
}

LogicalResult
KGroupedMatmulOp::reifyResultShapes(OpBuilder &builder,
                                    ReifiedRankedShapedTypeDims &shapes) {
  auto type = cast<RankedTensorType>(getResult().getType());
  OpFoldResult groups = builder.getIndexAttr(type.getDimSize(0));
  if (type.isDynamicDim(0)) {
    Value entries =
        tensor::DimOp::create(builder, getLoc(), getOffsets(), /*index=*/0);
    Value one = arith::ConstantIndexOp::create(builder, getLoc(), 1);
    groups = arith::SubIOp::create(builder, getLoc(), entries, one).getResult();
  }
  shapes.push_back(
      {groups,
       getResultDim(builder, getLoc(), type, 1, getLhs(), lhsFreeDim(*this)),
       getResultDim(builder, getLoc(), type, 2, getRhs(), rhsFreeDim(*this))});
  return success();
}

//===----------------------------------------------------------------------===//
// Kernel
//===----------------------------------------------------------------------===//

void KernelOp::getSuccessorRegions(RegionBranchPoint point,
                                   SmallVectorImpl<RegionSuccessor> &regions) {
  if (point.isParent()) {
    regions.push_back(RegionSuccessor(&getBody()));
    return;
  }
  regions.push_back(RegionSuccessor(getOperation(), getResults()));
}
