//===- FormCombine.cpp - Sums over experts become combines ----------------===//
//
// Part of the Lowp project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Exchange.h"
#include "GatedSum.h"
#include "lowp/Transforms/Passes.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/IR/Matchers.h"
#include "mlir/IR/Remarks.h"
#include "mlir/Support/DebugStringHelper.h"
#include "llvm/ADT/StringMap.h"

namespace mlir::lowp {
#define GEN_PASS_DEF_FORMCOMBINE
#include "lowp/Transforms/Passes.h.inc"
} // namespace mlir::lowp

using namespace mlir;
using namespace mlir::lowp;

static constexpr StringLiteral category = "lowp-form-combine";

//===----------------------------------------------------------------------===//
// Rewriting
//===----------------------------------------------------------------------===//

namespace {

/// Puts a `lowp.combine` in the place of a sum.
class Former {
public:
  Former(RewriterBase &rewriter, ExchangeAttr exchange,
         ContractionOpInterface product, const Tracer &tracer,
         const GatedSum &match)
      : rewriter(rewriter), exchange(exchange), product(product),
        tracer(tracer), match(match), sum(match.sum), loc(sum.getLoc()) {}

  LogicalResult form(std::string &why) {
    Gate gate(tracer, match);
    if (!gate.collect()) {
      why = "its gate is not the same along the hidden dim, or not in sight";
      return failure();
    }
    if (failed(findSizes(why)))
      return failure();
    auto sumType = cast<RankedTensorType>(sum->getResult(0).getType());
    rewriter.setInsertionPoint(sum);
    ArrayRef<OpFoldResult> outer = ArrayRef(sizes).drop_back();
    Value gates = collapseTokens(gate.build(rewriter, loc, outer));
    Value payload = buildPayload();
    auto blocked = cast<BlockedType>(payload.getType());
    auto type = RankedTensorType::get(blocked.getShape().drop_front(),
                                      sumType.getElementType());
    int64_t size = exchange.getRht();
    Value result = CombineOp::create(
        rewriter, loc, type, payload, gates,
        size == 0 ? IntegerAttr() : rewriter.getI64IntegerAttr(size),
        /*signs=*/FlatSymbolRefAttr(), Normalization::Dyadic);
    rewriter.replaceOp(sum, expand(result, sumType));
    return success();
  }

private:
  /// Sizes of experts, tokens and hidden dim; as many as can be known.
  LogicalResult findSizes(std::string &why) {
    rewriter.setInsertionPoint(sum);
    SmallVector<unsigned> loops = {match.expert};
    llvm::append_range(loops, match.tokens);
    loops.push_back(match.hidden);
    for (auto [number, loop] : llvm::enumerate(loops)) {
      if (!ShapedType::isDynamic(tracer.getSize(loop))) {
        sizes.push_back(rewriter.getIndexAttr(tracer.getSize(loop)));
        continue;
      }
      if (number != 0) {
        sizes.push_back(tensor::getMixedSize(
            rewriter, loc, sum.getDpsInits()[0], match.tokenDims[number - 1]));
        continue;
      }
      auto dim = getAffineDimExpr(loop, tracer.getContext());
      auto *found = llvm::find(match.result.indices, dim);
      if (found == match.result.indices.end()) {
        why = "the number of experts is not in sight";
        return failure();
      }
      sizes.push_back(
          tensor::getMixedSize(rewriter, loc, match.result.tensor,
                               found - match.result.indices.begin()));
    }
    return success();
  }

  /// What counts tokens as one dim, the second of `tensor`.
  Value collapseTokens(Value tensor) {
    int64_t rank = cast<RankedTensorType>(tensor.getType()).getRank();
    int64_t tokens = match.tokens.size();
    if (tokens == 1)
      return tensor;
    SmallVector<ReassociationIndices> groups(1, {0});
    groups.emplace_back(llvm::to_vector(llvm::seq<int64_t>(1, tokens + 1)));
    for (int64_t dim = tokens + 1; dim < rank; ++dim)
      groups.push_back({dim});
    return tensor::CollapseShapeOp::create(rewriter, loc, tensor, groups);
  }

  /// Tokens by hidden dim in the shape of the sum.
  Value expand(Value result, RankedTensorType type) {
    int64_t rank = type.getRank();
    if (rank > 2) {
      SmallVector<OpFoldResult> shape(rank, rewriter.getIndexAttr(1));
      for (auto [number, dim] : llvm::enumerate(match.tokenDims))
        shape[dim] = sizes[number + 1];
      shape.back() = sizes.back();
      SmallVector<ReassociationIndices> groups(
          1, llvm::to_vector(llvm::seq<int64_t>(0, rank - 1)));
      groups.push_back({rank - 1});
      SmallVector<int64_t> staticShape = decomposeMixedValues(shape).first;
      result = tensor::ExpandShapeOp::create(
          rewriter, loc,
          RankedTensorType::get(staticShape, type.getElementType()), result,
          groups, shape);
    }
    if (result.getType() != type)
      result = tensor::CastOp::create(rewriter, loc, type, result);
    return result;
  }

  /// The FP32 result of the product. Who reads its rounding still does.
  Value getAccumulator() {
    Value result = product->getResult(0);
    auto type = cast<RankedTensorType>(result.getType());
    if (type.getElementType().isF32())
      return result;
    rewriter.setInsertionPointAfter(product);
    rewriter.modifyOpInPlace(
        product, [&] { result.setType(type.clone(rewriter.getF32Type())); });
    auto narrow =
        arith::TruncFOp::create(rewriter, product.getLoc(), type, result);
    rewriter.replaceAllUsesExcept(result, narrow, narrow);
    return result;
  }

  /// The results of the product as experts by tokens by hidden dim.
  Value arrange(Value result) {
    MLIRContext *context = tracer.getContext();
    unsigned numLoops = tracer.getNumLoops();
    // The tokens as one number.
    AffineExpr token = getAffineConstantExpr(0, context);
    bool isKnown = true;
    for (auto [number, loop] : llvm::enumerate(match.tokens)) {
      isKnown &= number == 0 || !ShapedType::isDynamic(tracer.getSize(loop));
      AffineExpr dim = getAffineDimExpr(loop, context);
      token = number == 0 ? dim : token * tracer.getSize(loop) + dim;
    }
    ArrayRef<AffineExpr> indices = match.result.indices;
    if (isKnown && indices.size() == 3 &&
        indices[0] == getAffineDimExpr(match.expert, context) &&
        getCoefficients(indices[1], numLoops) ==
            getCoefficients(token, numLoops) &&
        indices[2] == getAffineDimExpr(match.hidden, context))
      return result;

    SmallVector<AffineExpr> dims(numLoops);
    dims[match.expert] = getAffineDimExpr(0, context);
    for (auto [number, loop] : llvm::enumerate(match.tokens))
      dims[loop] = getAffineDimExpr(number + 1, context);
    dims[match.hidden] = getAffineDimExpr(match.tokens.size() + 1, context);
    SmallVector<AffineExpr> from;
    for (AffineExpr index : indices)
      from.push_back(index.replaceDims(dims));
    AffineMap maps[] = {AffineMap::get(sizes.size(), 0, from, context),
                        rewriter.getMultiDimIdentityMap(sizes.size())};
    Value init =
        tensor::EmptyOp::create(rewriter, loc, sizes, rewriter.getF32Type());
    SmallVector<utils::IteratorType> iterators(sizes.size(),
                                               utils::IteratorType::parallel);
    Value arranged =
        linalg::GenericOp::create(
            rewriter, loc, init.getType(), result, init, maps, iterators,
            [](OpBuilder &body, Location bodyLoc, ValueRange arguments) {
              linalg::YieldOp::create(body, bodyLoc, arguments[0]);
            })
            .getResult(0);
    return collapseTokens(arranged);
  }

  Value buildPayload() {
    Value values = getAccumulator();
    rewriter.setInsertionPoint(sum);
    if (exchange.getViaBf16()) {
      auto type = cast<RankedTensorType>(values.getType());
      Value narrow = arith::TruncFOp::create(
          rewriter, loc, type.clone(rewriter.getBF16Type()), values);
      values = arith::ExtFOp::create(rewriter, loc, type, narrow);
    }
    values = arrange(values);
    if (exchange.getRht() != 0)
      values = RhtOp::create(rewriter, loc, values.getType(), values,
                             /*offsets=*/Value(), exchange.getRht(),
                             /*axis=*/2, /*inverse=*/false,
                             /*signs=*/FlatSymbolRefAttr(),
                             Normalization::Dyadic, RhtArith::F32);
    FormatAttr format = exchange.getCombine();
    auto blocked = BlockedType::get(
        cast<RankedTensorType>(values.getType()).getShape(), format,
        {1, 1, format.getDefaultBlockSize()}, /*outerAxes=*/{});
    return QuantizeOp::create(rewriter, loc, blocked, values);
  }

  RewriterBase &rewriter;
  ExchangeAttr exchange;
  ContractionOpInterface product;
  const Tracer &tracer;
  const GatedSum &match;
  linalg::LinalgOp sum;
  Location loc;
  SmallVector<OpFoldResult> sizes;
};

//===----------------------------------------------------------------------===//
// Pass
//===----------------------------------------------------------------------===//

class FormCombine : public lowp::impl::FormCombineBase<FormCombine> {
public:
  using FormCombineBase::FormCombineBase;

  void runOnOperation() override {
    ModuleOp module = getOperation();
    auto exchange = module->getAttrOfType<ExchangeAttr>(kExchangeAttrName);
    module->removeAttr(kExchangeAttrName);
    if (!exchange || !exchange.getCombine())
      return;
    // What goes to experts is not said here.
    exchange = ExchangeAttr::get(&getContext(), exchange.getCombine(),
                                 exchange.getRht(), exchange.getViaBf16(), {});
    SmallVector<ContractionOpInterface> products;
    module.walk([&](ContractionOpInterface op) {
      if (isExpertProduct(op))
        products.push_back(op);
    });
    llvm::StringMap<Attribute> outcomes;
    for (ContractionOpInterface op : products)
      if (Attribute outcome = form(op, exchange))
        outcomes.try_emplace(op.getSiteAttr().getName(), outcome);
    record(outcomes);
  }

private:
  /// What became of the results of `product`: the exchange, or why there is
  /// none. Null where another product of the experts follows.
  Attribute form(ContractionOpInterface product, ExchangeAttr exchange) {
    Consumers consumers = getConsumers(product);
    if (!consumers.experts.empty())
      return {};
    std::string name = product.getSiteAttr().getName().str();
    std::string why = "no sum over experts follows";
    if (!consumers.products.empty())
      why = "a product with a matrix adds up its results";
    IRRewriter rewriter(&getContext());
    bool formed = false;
    std::string reason;
    for (linalg::LinalgOp sum : consumers.sums) {
      Tracer tracer(sum);
      std::string current;
      FailureOr<GatedSum> match =
          matchGatedSum(sum, tracer, product, exchange.getRht(), current);
      if (succeeded(match) &&
          succeeded(Former(rewriter, exchange, product, tracer, *match)
                        .form(current))) {
        ++numFormed;
        formed = true;
        continue;
      }
      if (reason.empty())
        reason = current;
    }
    auto options = remark::RemarkOpts::name(formed ? "Formed" : "NotFormed")
                       .category(category);
    if (formed) {
      remark::passed(product.getLoc(), options) << remark::add(
          "results of site '{0}' sent by {1}", name, debugString(exchange));
      if (!reason.empty())
        remark::missed(product.getLoc(), options) << remark::add(
            "another sum of results of site '{0}' left as it is: {1}", name,
            reason);
      return exchange;
    }
    ++numLeft;
    if (!reason.empty())
      why = reason;
    remark::missed(product.getLoc(), options) << remark::add(
        "results of site '{0}' left as they are: {1}", name, why);
    return StringAttr::get(&getContext(), why);
  }

  /// Writes what became of each site into its record, for the report.
  void record(const llvm::StringMap<Attribute> &outcomes) {
    auto records = getOperation()->getAttrOfType<ArrayAttr>(kSitesAttrName);
    if (!records)
      return;
    SmallVector<Attribute> updated;
    for (auto site : records.getAsRange<DictionaryAttr>()) {
      NamedAttrList fields(site);
      auto attribute = site.getAs<SiteAttr>("site");
      if (Attribute outcome =
              attribute ? outcomes.lookup(attribute.getName()) : Attribute())
        fields.set("combine", outcome);
      updated.push_back(fields.getDictionary(&getContext()));
    }
    getOperation()->setAttr(kSitesAttrName,
                            ArrayAttr::get(&getContext(), updated));
  }
};

} // namespace
