//===- StreamStores.cpp - Stores past the caches --------------------------===//
//
// Part of the Lowp project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "lowp/Conversion/Passes.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "mlir/IR/ImplicitLocOpBuilder.h"
#include "mlir/Interfaces/LoopLikeInterface.h"
#include "mlir/Interfaces/ViewLikeInterface.h"

#include "llvm/ADT/MapVector.h"
#include "llvm/ADT/SetVector.h"

namespace mlir::lowp {
#define GEN_PASS_DEF_LOWPSTREAMSTORES
#include "lowp/Conversion/Passes.h.inc"
} // namespace mlir::lowp

using namespace mlir;

static constexpr llvm::StringLiteral kCacheBytes = "lowp_rt_cache_bytes";
/// A line of the caches: what the memory of all hosts is written in.
static constexpr int64_t kLineBytes = 64;

/// The buffer that a view is of.
static Value rootOf(Value buffer) {
  while (auto view = buffer.getDefiningOp<ViewLikeOpInterface>()) {
    if (view.getViewDest() != buffer)
      break;
    buffer = view.getViewSource();
  }
  return buffer;
}

static bool hasKnownElementSize(MemRefType type) {
  return type.getElementType().isIntOrFloat() &&
         type.getElementTypeBitWidth() % 8 == 0;
}

/// Whether whole lines are written if the first byte is the first of a line.
static bool writesLines(vector::TransferWriteOp write) {
  auto buffer = dyn_cast<MemRefType>(write.getBase().getType());
  VectorType vector = write.getVectorType();
  if (!buffer || !hasKnownElementSize(buffer) || vector.getRank() != 1 ||
      vector.isScalable() || write.getMask() || write.hasOutOfBoundsDim() ||
      !write.getPermutationMap().isMinorIdentity() ||
      !buffer.isLastDimUnitStride())
    return false;
  return vector.getDimSize(0) * buffer.getElementTypeBitWidth() %
             (8 * kLineBytes) ==
         0;
}

namespace {

/// What a nest of loops does with buffers from outside of it.
struct Accesses {
  explicit Accesses(Operation *nest) {
    nest->walk([&](Operation *op) {
      if (auto write = dyn_cast<vector::TransferWriteOp>(op)) {
        Value root = rootOf(write.getBase());
        all.insert(root);
        if (writesLines(write))
          lines[root].push_back(write);
        return;
      }
      if (auto prefetch = dyn_cast<memref::PrefetchOp>(op)) {
        if (prefetch.getIsWrite())
          prefetches[rootOf(prefetch.getMemref())].push_back(prefetch);
        return;
      }
      if (isa<ViewLikeOpInterface, memref::DimOp>(op))
        return;
      for (Value operand : op->getOperands()) {
        if (!isa<MemRefType>(operand.getType()))
          continue;
        Value root = rootOf(operand);
        all.insert(root);
        if (!isa<memref::StoreOp, vector::StoreOp>(op))
          others.insert(root);
      }
    });
    // Values of the nest have no size outside of it.
    auto isInside = [&](Value root) {
      return nest->isAncestor(root.getParentBlock()->getParentOp());
    };
    all.remove_if([&](Value root) {
      auto type = dyn_cast<MemRefType>(root.getType());
      return isInside(root) || !type || !hasKnownElementSize(type);
    });
    lines.remove_if([&](auto &entry) {
      return isInside(entry.first) || others.contains(entry.first);
    });
  }

  /// All buffers, in the order of their first use.
  llvm::SmallSetVector<Value, 8> all;
  /// Of buffers that are only written: what writes whole lines.
  llvm::MapVector<Value, SmallVector<vector::TransferWriteOp>> lines;
  llvm::MapVector<Value, SmallVector<memref::PrefetchOp>> prefetches;

private:
  /// Buffers that are read, or given away.
  DenseSet<Value> others;
};

struct StreamStores : lowp::impl::LowpStreamStoresBase<StreamStores> {
  void runOnOperation() override {
    cacheBytes = {};
    SmallVector<Operation *> nests;
    getOperation().walk<WalkOrder::PreOrder>([&](Operation *op) {
      if (!isa<scf::ForOp, scf::ParallelOp>(op))
        return WalkResult::advance();
      nests.push_back(op);
      return WalkResult::skip();
    });
    for (Operation *nest : nests) {
      Accesses accesses(nest);
      if (accesses.lines.empty())
        continue;
      Value exceeds = exceedsCache(nest, accesses);
      for (auto &[root, writes] : accesses.lines) {
        for (vector::TransferWriteOp write : writes)
          stream(write, exceeds);
        for (memref::PrefetchOp prefetch : accesses.prefetches.lookup(root))
          skip(prefetch, exceeds);
      }
    }
  }

private:
  /// Whether the buffers of the nest are together larger than the cache.
  Value exceedsCache(Operation *nest, const Accesses &accesses) {
    ImplicitLocOpBuilder b(nest->getLoc(), nest);
    Value bytes = arith::ConstantIndexOp::create(b, 0);
    for (Value root : accesses.all) {
      auto type = cast<MemRefType>(root.getType());
      Value size =
          arith::ConstantIndexOp::create(b, type.getElementTypeBitWidth() / 8);
      for (int64_t dim = 0; dim < type.getRank(); ++dim)
        size =
            arith::MulIOp::create(b, size, memref::DimOp::create(b, root, dim));
      bytes = arith::AddIOp::create(b, bytes, size);
    }
    Value cache =
        func::CallOp::create(b, getCacheBytes(), ValueRange()).getResult(0);
    return arith::CmpIOp::create(b, arith::CmpIPredicate::ugt, bytes, cache);
  }

  func::FuncOp getCacheBytes() {
    if (cacheBytes)
      return cacheBytes;
    if ((cacheBytes = getOperation().lookupSymbol<func::FuncOp>(kCacheBytes)))
      return cacheBytes;
    auto b = ImplicitLocOpBuilder::atBlockEnd(getOperation().getLoc(),
                                              getOperation().getBody());
    cacheBytes = func::FuncOp::create(b, kCacheBytes,
                                      b.getFunctionType({}, b.getIndexType()));
    cacheBytes.setPrivate();
    return cacheBytes;
  }

  /// The first byte that is written, modulo the size of a line, is 0.
  static Value startsLine(ImplicitLocOpBuilder &b,
                          vector::TransferWriteOp write) {
    Value buffer = write.getBase();
    auto layout = memref::ExtractStridedMetadataOp::create(b, buffer);
    Value elements = layout.getOffset();
    for (auto [at, stride] :
         llvm::zip_equal(write.getIndices(), layout.getStrides()))
      elements = arith::AddIOp::create(b, elements,
                                       arith::MulIOp::create(b, at, stride));
    Value width = arith::ConstantIndexOp::create(
        b, cast<MemRefType>(buffer.getType()).getElementTypeBitWidth() / 8);
    Value address = arith::AddIOp::create(
        b, memref::ExtractAlignedPointerAsIndexOp::create(b, buffer),
        arith::MulIOp::create(b, elements, width));
    Value rest = arith::AndIOp::create(
        b, address, arith::ConstantIndexOp::create(b, kLineBytes - 1));
    return arith::CmpIOp::create(b, arith::CmpIPredicate::eq, rest,
                                 arith::ConstantIndexOp::create(b, 0));
  }

  static void stream(vector::TransferWriteOp write, Value exceeds) {
    ImplicitLocOpBuilder b(write.getLoc(), write);
    Value condition = arith::AndIOp::create(b, exceeds, startsLine(b, write));
    auto branch = scf::IfOp::create(b, TypeRange(), condition,
                                    /*withElseRegion=*/true);
    b.setInsertionPointToStart(branch.thenBlock());
    vector::StoreOp::create(b, write.getVector(), write.getBase(),
                            write.getIndices(), /*nontemporal=*/true,
                            llvm::MaybeAlign(kLineBytes));
    write->moveBefore(branch.elseYield());
  }

  /// What is not to enter the caches is not fetched either.
  static void skip(memref::PrefetchOp prefetch, Value exceeds) {
    ImplicitLocOpBuilder b(prefetch.getLoc(), prefetch);
    Value fits = arith::XOrIOp::create(
        b, exceeds, arith::ConstantIntOp::create(b, 1, /*width=*/1));
    auto branch = scf::IfOp::create(b, TypeRange(), fits,
                                    /*withElseRegion=*/false);
    prefetch->moveBefore(branch.thenYield());
  }

  /// The runtime's function, once it is declared. To look for it at each nest
  /// would take quadratic time: a program has a function per nest.
  func::FuncOp cacheBytes;
};
} // namespace
