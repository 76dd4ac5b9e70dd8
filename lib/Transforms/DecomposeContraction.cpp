//===- DecomposeContraction.cpp - Matrix products -------------------------===//
//
// Part of the Lowp project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The columns of a result are split into panels. The right operand is decoded
// once, without its scales, into f32 panels in which the columns of a panel lie
// next to each other; its scales likewise. An iteration of the main loop then
// computes some rows of one panel: columns are the lanes of vectors, and every
// lane accumulates in ascending k, block by block, exactly as the definition
// of a contraction says. No lane ever mixes with another, so the order does
// not depend on sizes, tiles or threads.
//
//===----------------------------------------------------------------------===//

#include "DecomposeUtils.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"

using namespace mlir;
using namespace mlir::lowp;
using namespace mlir::lowp::decompose;

/// Columns of a panel, and rows that one iteration computes.
static constexpr int64_t kPanel = 16;
static constexpr int64_t kRows = 4;

namespace {

/// One operand of a contraction, decoded.
struct Operand {
  /// Values without scales: plain floats, or decoded codes in f32.
  Value values;
  /// Null for plain operands.
  BlockedType type;
  Value scales;
  Value outer;
  bool batched = false;
  /// The dim that is contracted, and the other one.
  int64_t kDim = 0;
  int64_t freeDim = 0;
  int64_t blockSize = 0;

  bool isBlocked() const { return static_cast<bool>(type); }

  SmallVector<Value> position(Value batch, Value free, Value k) const {
    SmallVector<Value> indices(batched ? 3 : 2);
    if (batched)
      indices[0] = batch;
    indices[freeDim] = free;
    indices[kDim] = k;
    return indices;
  }
};

/// A matrix of values regrouped as [batch][panel][k][column].
struct Panels {
  Value tensor;
  bool batched;
};

/// Where an iteration of the main loop is.
struct Site {
  Value lhsBatch, rhsBatch;
  /// Index of the panel, and its first column.
  Value panel, column;
  Extent columns;
};

class Contraction {
public:
  Contraction(ImplicitLocOpBuilder &b, Operand lhs, Operand rhs, Value init,
              RankedTensorType resultType)
      : b(b), lhs(lhs), rhs(rhs), init(init), resultType(resultType) {
    zero = index(b, 0);
    lhsSizes = getSizes(b, lhs.values);
    rhsSizes = getSizes(b, rhs.values);
    depth = lhsSizes[lhs.kDim];
    columns = rhsSizes[rhs.freeDim];
    panels = ceilDiv(b, columns, kPanel);
    if (lhs.isBlocked() && rhs.isBlocked())
      blockSize = std::min(lhs.blockSize, rhs.blockSize);
    else
      blockSize = lhs.isBlocked() ? lhs.blockSize : rhs.blockSize;
  }

  /// `lowp.matmul` and `lowp.batch_matmul`.
  Value buildBatched() {
    prepare();
    bool batched = resultType.getRank() == 3;
    SmallVector<Value> sizes;
    if (batched)
      sizes.push_back(lhs.batched ? lhsSizes[0] : rhsSizes[0]);
    Value rows = lhsSizes[lhs.freeDim];
    SmallVector<Value> bounds(sizes);
    llvm::append_values(sizes, rows, columns);
    llvm::append_values(bounds, panels, ceilDiv(b, rows, kRows));
    Value result = emptyTensor(b, resultType, sizes);
    return buildForall(
        b, bounds, result,
        [&](ValueRange ivs, ValueRange outputs,
            SmallVectorImpl<FinishedSlice> &finished) {
          Value batch = batched ? ivs[0] : zero;
          Site site = makeSite(batch, batch, ivs[ivs.size() - 2]);
          SmallVector<Value> leading(ivs.drop_back(2));
          finished.push_back(buildRows(site, leading, outputs[0], zero, rows,
                                       mul(b, ivs.back(), kRows)));
        })[0];
  }

  /// `lowp.grouped_matmul`.
  Value buildGrouped(Value offsets) {
    prepare();
    Value rows = lhsSizes[lhs.freeDim];
    Value result = emptyTensor(b, resultType, {rows, columns});
    return buildForGroups(
        b, offsets, minimum(b, getGroupCount(b, offsets), rhsSizes[0]), rows,
        result,
        [&](const GroupRange &group, ValueRange carried) -> SmallVector<Value> {
          Value end = add(b, group.first, group.size);
          return buildForall(b, {panels, ceilDiv(b, group.size, kRows)},
                             carried,
                             [&](ValueRange ivs, ValueRange outputs,
                                 SmallVectorImpl<FinishedSlice> &finished) {
                               Site site = makeSite(zero, group.number, ivs[0]);
                               finished.push_back(buildRows(
                                   site, {}, outputs[0], group.first, end,
                                   add(b, group.first, mul(b, ivs[1], kRows))));
                             });
        })[0];
  }

private:
  void prepare() {
    rhsValues = buildPanels(rhs.values, nullptr);
    if (rhs.isBlocked())
      rhsScales = buildPanels(rhs.scales, rhs.type);
  }

  Site makeSite(Value lhsBatch, Value rhsBatch, Value panel) {
    Site site;
    site.lhsBatch = lhsBatch;
    site.rhsBatch = rhsBatch;
    site.panel = panel;
    site.column = mul(b, panel, kPanel);
    site.columns = Extent::of(b, columns, site.column, kPanel);
    return site;
  }

  //===--------------------------------------------------------------------===//
  // Panels of the right operand
  //===--------------------------------------------------------------------===//

  /// Regroups `tensor`, the values of the right operand or the scales of
  /// `scalesOf`. What lies beyond the last column has any value: it is computed
  /// with and never stored.
  Panels buildPanels(Value tensor, BlockedType scalesOf) {
    SmallVector<Value> sizes = getSizes(b, tensor);
    Value batches = rhs.batched ? sizes[0] : index(b, 1);
    Value size = sizes[rhs.kDim];
    int64_t perRow = scalesOf ? scalesOf.getElementsPerScale(rhs.freeDim) : 1;
    // Columns are adjacent as they are.
    if (rhs.kDim < rhs.freeDim && perRow == 1)
      return copyPanels(tensor, batches, size);
    return transposePanels(tensor, batches, size, sizes[rhs.freeDim], perRow);
  }

  Panels copyPanels(Value tensor, Value batches, Value size) {
    int64_t rank = rhs.batched ? 3 : 2;
    Value result = emptyTensor(b, b.getF32Type(),
                               {batches, panels, size, index(b, kPanel)});
    result = buildForall(
        b, {batches, panels, size}, result,
        [&](ValueRange ivs, ValueRange outputs,
            SmallVectorImpl<FinishedSlice> &finished) {
          Value column = mul(b, ivs[1], kPanel);
          Extent extent = Extent::of(b, columns, column, kPanel);
          Value values =
              readVectorF32(b, tensor, rhs.position(ivs[0], column, ivs[2]),
                            rank - 1, kPanel, extent);
          Slice slice{outputs[0],
                      {ivs[0], ivs[1], ivs[2], zero},
                      sliceSizes(b, 4, 3, index(b, kPanel))};
          finished.push_back({slice, writeVector(b, values, slice.extract(b), 3,
                                                 Extent::full())});
        })[0];
    return {result, rhs.batched};
  }

  /// Squares of 16 by 16 at a time: rows are read along k and transposed. The
  /// panels are padded along k to whole squares. `perRow` columns share one row
  /// of the tensor.
  Panels transposePanels(Value tensor, Value batches, Value size, Value rows,
                         int64_t perRow) {
    Value squares = ceilDiv(b, size, kPanel);
    Value result = emptyTensor(
        b, b.getF32Type(),
        {batches, panels, mul(b, squares, kPanel), index(b, kPanel)});
    Value lastRow = sub(b, rows, index(b, 1));
    result = buildForall(
        b, {batches, panels, squares}, result,
        [&](ValueRange ivs, ValueRange outputs,
            SmallVectorImpl<FinishedSlice> &finished) {
          Value k = mul(b, ivs[2], kPanel);
          Extent extent = Extent::of(b, size, k, kPanel);
          Value column = mul(b, ivs[1], kPanel);
          SmallVector<Value> square;
          for (int64_t i = 0; i < kPanel; ++i) {
            Value row = floorDiv(b, add(b, column, index(b, i)), perRow);
            row = minimum(b, row, lastRow);
            square.push_back(readVectorF32(b, tensor,
                                           rhs.position(ivs[0], row, k),
                                           rhs.kDim, kPanel, extent));
          }
          transpose(square);
          Slice slice{
              outputs[0],
              {ivs[0], ivs[1], k, zero},
              {index(b, 1), index(b, 1), index(b, kPanel), index(b, kPanel)}};
          Value part = slice.extract(b);
          for (auto [i, row] : llvm::enumerate(square))
            part = vector::TransferWriteOp::create(
                       b, row, part, ValueRange{zero, zero, index(b, i), zero},
                       ArrayRef<bool>{true})
                       .getResult();
          finished.push_back({slice, part});
        })[0];
    return {result, rhs.batched};
  }

  /// Transposes a square of `kPanel` rows: at each step, blocks of `half` by
  /// `half` change places.
  void transpose(SmallVectorImpl<Value> &rows) {
    for (int64_t half = kPanel / 2; half > 0; half /= 2) {
      SmallVector<int64_t> low, high;
      for (int64_t i = 0; i < kPanel; ++i) {
        bool second = i & half;
        low.push_back(second ? kPanel + i - half : i);
        high.push_back(second ? kPanel + i : i + half);
      }
      for (int64_t i = 0; i < kPanel; ++i) {
        if (i & half)
          continue;
        Value upper = rows[i], lower = rows[i + half];
        rows[i] = vector::ShuffleOp::create(b, upper, lower, low);
        rows[i + half] = vector::ShuffleOp::create(b, upper, lower, high);
      }
    }
  }

  Value readPanel(const Panels &from, const Site &site, Value k) {
    Value batch = from.batched ? site.rhsBatch : zero;
    return readVector(b, from.tensor, {batch, site.panel, k, zero}, 3, kPanel,
                      Extent::full());
  }

  //===--------------------------------------------------------------------===//
  // Main loop
  //===--------------------------------------------------------------------===//

  /// Rows `row` to `row + kRows - 1`, as far as they lie before `end`, of the
  /// panel of `site`.
  FinishedSlice buildRows(const Site &site, ArrayRef<Value> leading,
                          Value output, Value begin, Value end, Value row) {
    int64_t rank = resultType.getRank();
    Extent extent =
        Extent::of(b, sub(b, end, begin), sub(b, row, begin), kRows);
    Slice slice{output, llvm::to_vector(leading), {}};
    llvm::append_values(slice.offsets, row, site.column);
    slice.sizes.assign(rank, index(b, 1));
    slice.sizes[rank - 2] = extent.getCount(b, kRows);
    slice.sizes[rank - 1] = site.columns.getCount(b, kPanel);
    Value part = slice.extract(b);
    Value finished = extent.select(b, [&](bool whole) -> Value {
      if (whole) {
        SmallVector<Value> rows, places;
        for (int64_t i = 0; i < kRows; ++i) {
          places.push_back(index(b, i));
          rows.push_back(add(b, row, places.back()));
        }
        return computeRows(site, leading, part, rows, places);
      }
      return buildFor(b, zero, slice.sizes[rank - 2], 1, part,
                      [&](Value i, ValueRange carried) -> SmallVector<Value> {
                        return {computeRows(site, leading, carried[0],
                                            {add(b, row, i)}, {i})};
                      })[0];
    });
    return {slice, finished};
  }

  /// Computes `rows` and writes them at `places` of `part`.
  Value computeRows(const Site &site, ArrayRef<Value> leading, Value part,
                    ArrayRef<Value> rows, ArrayRef<Value> places) {
    SmallVector<Value> sums(rows.size(), zeroVector(b, b.getF32Type(), kPanel));
    if (blockSize == 0)
      sums = accumulate(site, rows, sums, zero, depth);
    else
      sums = accumulateBlocks(site, rows, sums);

    int64_t rank = resultType.getRank();
    for (auto [row, place, sum] : llvm::zip_equal(rows, places, sums)) {
      Value result = finishRow(site, leading, row, sum);
      SmallVector<Value> at(rank, zero);
      at[rank - 2] = place;
      part = site.columns.select(b, [&](bool inBounds) -> Value {
        return vector::TransferWriteOp::create(b, result, part, at,
                                               ArrayRef<bool>{inBounds})
            .getResult();
      });
    }
    return part;
  }

  /// sum = fl(sum + fl(a * b)) for k from `from` to `to`.
  SmallVector<Value> accumulate(const Site &site, ArrayRef<Value> rows,
                                ValueRange sums, Value from, Value to) {
    return buildFor(
        b, from, to, 1, sums,
        [&](Value k, ValueRange carried) -> SmallVector<Value> {
          Value panel = readPanel(rhsValues, site, k);
          SmallVector<Value> next;
          for (auto [row, sum] : llvm::zip_equal(rows, carried)) {
            Value a = widenToF32(
                b, tensor::ExtractOp::create(
                       b, lhs.values, lhs.position(site.lhsBatch, row, k)));
            Value product =
                arith::MulFOp::create(b, splat(b, a, kPanel), panel);
            next.push_back(arith::AddFOp::create(b, sum, product));
          }
          return next;
        });
  }

  /// sum = fl(sum + fl(partial * fl(sx * sw))) over blocks.
  SmallVector<Value> accumulateBlocks(const Site &site, ArrayRef<Value> rows,
                                      ValueRange sums) {
    Value blocks = ceilDiv(b, depth, blockSize);
    return buildFor(
        b, zero, blocks, 1, sums,
        [&](Value block, ValueRange carried) -> SmallVector<Value> {
          Value k = mul(b, block, blockSize);
          Value end = minimum(b, add(b, k, index(b, blockSize)), depth);
          SmallVector<Value> none(rows.size(),
                                  zeroVector(b, b.getF32Type(), kPanel));
          SmallVector<Value> partials = accumulate(site, rows, none, k, end);
          Value rhsScale;
          if (rhs.isBlocked())
            rhsScale = readPanel(
                rhsScales, site,
                floorDiv(b, k, rhs.type.getElementsPerScale(rhs.kDim)));
          SmallVector<Value> next;
          for (auto [row, sum, partial] :
               llvm::zip_equal(rows, carried, partials)) {
            Value scale = rhsScale;
            if (lhs.isBlocked()) {
              SmallVector<Value> at = scaleIndices(
                  b, lhs.type, lhs.position(site.lhsBatch, row, k));
              Value lhsScale = splat(
                  b, tensor::ExtractOp::create(b, lhs.scales, at), kPanel);
              scale = scale ? Value(arith::MulFOp::create(b, lhsScale, scale))
                            : lhsScale;
            }
            Value scaled = arith::MulFOp::create(b, partial, scale);
            next.push_back(arith::AddFOp::create(b, sum, scaled));
          }
          return next;
        });
  }

  /// The outer scale of an operand, for the columns of `site`.
  Value outerScale(const Operand &operand, const Site &site, Value batch,
                   Value row) {
    SmallVector<Value> position = operand.position(batch, row, zero), indices;
    ArrayRef<int64_t> axes = operand.type.getOuterAxes();
    for (int64_t axis : axes)
      indices.push_back(position[axis]);
    bool alongColumns =
        &operand == &rhs && llvm::is_contained(axes, operand.freeDim);
    if (!alongColumns)
      return splat(b, tensor::ExtractOp::create(b, operand.outer, indices),
                   kPanel);
    int64_t axis = llvm::find(axes, operand.freeDim) - axes.begin();
    return readVector(b, operand.outer, indices, axis, kPanel, site.columns);
  }

  /// What happens to a sum before it is stored.
  Value finishRow(const Site &site, ArrayRef<Value> leading, Value row,
                  Value sum) {
    Value alpha;
    if (lhs.outer)
      alpha = outerScale(lhs, site, site.lhsBatch, row);
    if (rhs.outer) {
      Value scale = outerScale(rhs, site, site.rhsBatch, site.column);
      alpha = alpha ? Value(arith::MulFOp::create(b, alpha, scale)) : scale;
    }
    if (alpha)
      sum = arith::MulFOp::create(b, alpha, sum);
    if (init) {
      SmallVector<Value> at(leading);
      llvm::append_values(at, row, site.column);
      Value added = readVector(b, init, at, resultType.getRank() - 1, kPanel,
                               site.columns);
      sum = arith::AddFOp::create(b, sum, added);
    }
    return roundTo(b, sum, resultType.getElementType());
  }

  ImplicitLocOpBuilder &b;
  Operand lhs, rhs;
  Value init;
  RankedTensorType resultType;
  Value zero;
  SmallVector<Value> lhsSizes, rhsSizes;
  Value depth, columns, panels;
  /// Elements of k between two applications of scales; 0 without scales.
  int64_t blockSize = 0;
  Panels rhsValues, rhsScales;
};

//===----------------------------------------------------------------------===//
// Patterns
//===----------------------------------------------------------------------===//

Operand makeOperand(ImplicitLocOpBuilder &b, Type type, ValueRange values,
                    int64_t kDim) {
  Operand operand;
  int64_t rank;
  if (auto blocked = dyn_cast<BlockedType>(type)) {
    Components components = getComponents(blocked, values);
    // Groups of the contraction stay: each is contracted by itself.
    if (blocked.isGrouped() && blocked.getGroupAxis() != kDim)
      std::tie(blocked, components) = spreadGroups(b, blocked, components);
    operand.type = blocked;
    operand.values = decodeElements(b, blocked, components);
    operand.scales = decodeScales(b, blocked, components);
    operand.outer = components.outer;
    operand.blockSize = blocked.getBlockShape()[kDim];
    rank = blocked.getRank();
  } else {
    operand.values = values.front();
    rank = cast<RankedTensorType>(type).getRank();
  }
  operand.batched = rank == 3;
  operand.kDim = kDim;
  // The last two dims are the matrix.
  operand.freeDim = kDim == rank - 1 ? rank - 2 : rank - 1;
  return operand;
}

/// What belongs to one group of the contraction.
Operand sliceOperand(ImplicitLocOpBuilder &b, Operand operand,
                     const GroupRange &group) {
  operand.values =
      sliceAlong(b, operand.values, operand.kDim, group.first, group.size);
  if (!operand.isBlocked())
    return operand;
  operand.scales = sliceScales(b, operand.type, operand.scales, group);
  if (operand.outer)
    operand.outer = sliceOuter(b, operand.type, operand.outer, group);
  operand.type = operand.type.getGroupType();
  return operand;
}

struct KGroupedMatmulPattern : OpConversionPattern<KGroupedMatmulOp> {
  using OpConversionPattern::OpConversionPattern;
  LogicalResult
  matchAndRewrite(KGroupedMatmulOp op, OneToNOpAdaptor adaptor,
                  ConversionPatternRewriter &rewriter) const override {
    ImplicitLocOpBuilder b(nameLoc(op), rewriter);
    Value offsets = adaptor.getOffsets().front();
    for (auto [value, parts] : {std::pair(op.getLhs(), adaptor.getLhs()),
                                std::pair(op.getRhs(), adaptor.getRhs())})
      if (auto blocked = dyn_cast<BlockedType>(value.getType()))
        checkSameOffsets(b, offsets, getComponents(blocked, parts).offsets);
    Operand lhs = makeOperand(b, op.getLhs().getType(), adaptor.getLhs(),
                              op.getLhsContractionDim());
    Operand rhs = makeOperand(b, op.getRhs().getType(), adaptor.getRhs(),
                              op.getRhsContractionDim());
    Value depth = getSizes(b, lhs.values)[lhs.kDim];

    auto type = cast<RankedTensorType>(op.getType());
    Value result = emptyTensor(b, type,
                               {getGroupCount(b, offsets),
                                getSizes(b, lhs.values)[lhs.freeDim],
                                getSizes(b, rhs.values)[rhs.freeDim]});
    auto matrixType = RankedTensorType::get(type.getShape().drop_front(),
                                            type.getElementType());
    rewriter.replaceOp(
        op,
        buildForGroups(b, offsets, getGroupCount(b, offsets), depth, result,
                       [&](const GroupRange &group,
                           ValueRange carried) -> SmallVector<Value> {
                         Value init =
                             op.getInit()
                                 ? sliceLeading(b, adaptor.getInit().front(),
                                                group.number)
                                 : Value();
                         Contraction contraction(b, sliceOperand(b, lhs, group),
                                                 sliceOperand(b, rhs, group),
                                                 init, matrixType);
                         return {insertLeading(b, contraction.buildBatched(),
                                               carried[0], group.number)};
                       }));
    return success();
  }
};

template <typename OpTy>
struct ContractionPattern : OpConversionPattern<OpTy> {
  using OpConversionPattern<OpTy>::OpConversionPattern;
  LogicalResult
  matchAndRewrite(OpTy op,
                  typename OpConversionPattern<OpTy>::OneToNOpAdaptor adaptor,
                  ConversionPatternRewriter &rewriter) const override {
    ImplicitLocOpBuilder b(nameLoc(op), rewriter);
    Operand lhs = makeOperand(b, op.getLhs().getType(), adaptor.getLhs(),
                              op.getLhsContractionDim());
    Operand rhs = makeOperand(b, op.getRhs().getType(), adaptor.getRhs(),
                              op.getRhsContractionDim());
    Value init = op.getInit() ? adaptor.getInit().front() : Value();
    Contraction contraction(b, lhs, rhs, init,
                            cast<RankedTensorType>(op.getType()));
    if constexpr (std::is_same_v<OpTy, GroupedMatmulOp>) {
      Value offsets = adaptor.getOffsets().front();
      rewriter.replaceOp(op, contraction.buildGrouped(offsets));
    } else
      rewriter.replaceOp(op, contraction.buildBatched());
    return success();
  }
};

} // namespace

void decompose::populateContractionPatterns(const TypeConverter &converter,
                                            RewritePatternSet &patterns) {
  patterns.add<ContractionPattern<MatmulOp>, ContractionPattern<BatchMatmulOp>,
               ContractionPattern<GroupedMatmulOp>, KGroupedMatmulPattern>(
      converter, patterns.getContext());
}
