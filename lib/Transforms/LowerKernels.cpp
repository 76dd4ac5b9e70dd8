//===- LowerKernels.cpp - Parallel loops to GPU kernels -------------------===//
//
// Part of the Lowp project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Every outermost `scf.forall` and `scf.parallel` becomes a `gpu.launch` with
// one thread per iteration. Sequential work between the loops becomes a launch
// of one thread. Values enter a kernel as its ABI says (docs/kernels.md):
// buffers as a pointer and the dynamic entries of their shape, everything else
// as it is.
//
//===----------------------------------------------------------------------===//

#include "HostWork.h"

#include "lowp/Target/TargetInfo.h"
#include "lowp/Transforms/Passes.h"

#include "mlir/Conversion/LLVMCommon/MemRefBuilder.h"
#include "mlir/Conversion/LLVMCommon/TypeConverter.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Arith/Utils/Utils.h"
#include "mlir/Dialect/Bufferization/IR/Bufferization.h"
#include "mlir/Dialect/ControlFlow/IR/ControlFlowOps.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/SCF/Transforms/Transforms.h"
#include "mlir/IR/IRMapping.h"
#include "mlir/IR/ImplicitLocOpBuilder.h"
#include "mlir/IR/Matchers.h"
#include "llvm/ADT/StringSet.h"

namespace mlir::lowp {
#define GEN_PASS_DEF_LOWERKERNELS
#include "lowp/Transforms/Passes.h.inc"
} // namespace mlir::lowp

using namespace mlir;
using namespace mlir::lowp;

namespace {

constexpr int64_t kBlockSize = 128;
/// Of the first element of every buffer.
constexpr int64_t kAlignment = 16;
constexpr StringLiteral kModuleName = "kernels";

Value constantIndex(ImplicitLocOpBuilder &b, int64_t value) {
  return arith::ConstantIndexOp::create(b, value);
}

//===----------------------------------------------------------------------===//
// Launches
//===----------------------------------------------------------------------===//

/// Builds one launch. Where `failed` is not null, its threads do nothing once
/// that buffer holds something else than zero.
class KernelBuilder {
public:
  KernelBuilder(OpBuilder &builder, Location loc, StringRef name, Value failed)
      : b(loc, builder), name(name), failed(failed) {}

  /// Brings the values that `ops` use from outside into the kernel, once the
  /// launch is built: buffers first, in the order in which they are defined.
  LogicalResult collect(ArrayRef<Operation *> ops, ValueRange bounds) {
    DenseSet<Operation *> inside(ops.begin(), ops.end());
    SetVector<Value> used;
    for (Operation *op : ops)
      op->walk([&](Operation *nested) {
        for (Value operand : nested->getOperands())
          if (isOutside(operand, inside))
            used.insert(operand);
      });
    used.insert(bounds.begin(), bounds.end());
    if (failed)
      used.insert(failed);
    for (Value value : used)
      if (isa<MemRefType>(value.getType()))
        buffers.push_back(value);
      else
        scalars.push_back(value);
    llvm::sort(buffers,
               [](Value lhs, Value rhs) { return comesBefore(lhs, rhs); });
    for (Value buffer : buffers)
      if (cast<MemRefType>(buffer.getType()).getMemorySpace())
        return emitError(b.getLoc())
               << "expected buffers in the default memory space, but got "
               << buffer.getType();
    return success();
  }

  /// A launch of a thread for each point of a space, and `body` in it.
  void build(ValueRange bounds,
             function_ref<void(ImplicitLocOpBuilder &, IRMapping &, ValueRange)>
                 body) {
    Value total = constantIndex(b, 1);
    for (Value bound : bounds)
      total = b.createOrFold<arith::MulIOp>(total, bound);
    Value one = constantIndex(b, 1);
    Value blockSize = constantIndex(b, bounds.empty() ? 1 : kBlockSize);
    // The driver refuses an empty grid.
    Value gridSize = b.createOrFold<arith::MaxUIOp>(
        b.createOrFold<arith::CeilDivUIOp>(total, blockSize), one);

    SmallVector<BufferParts> parts;
    for (Value buffer : buffers)
      parts.push_back(takeApart(buffer));

    MLIRContext *context = b.getContext();
    auto launch = gpu::LaunchOp::create(
        b, gridSize, one, one, blockSize, one, one,
        /*dynamicSharedMemorySize=*/Value(), /*asyncTokenType=*/Type(),
        /*asyncDependencies=*/ValueRange(),
        /*workgroupAttributions=*/TypeRange(),
        /*privateAttributions=*/TypeRange(), /*clusterSizeX=*/Value(),
        /*clusterSizeY=*/Value(), /*clusterSizeZ=*/Value(),
        FlatSymbolRefAttr::get(context, kModuleName),
        FlatSymbolRefAttr::get(context, name));
    b.setInsertionPointToStart(&launch.getBody().front());

    IRMapping mapping;
    for (auto [buffer, part] : llvm::zip_equal(buffers, parts))
      mapping.map(buffer,
                  putTogether(cast<MemRefType>(buffer.getType()), part));
    for (Value scalar : scalars)
      sink(scalar, mapping);

    if (failed) {
      Value found =
          memref::LoadOp::create(b, mapping.lookup(failed), ValueRange());
      Value holds = arith::CmpIOp::create(
          b, arith::CmpIPredicate::eq, found,
          arith::ConstantOp::create(b, b.getI32IntegerAttr(0)));
      auto guard = scf::IfOp::create(b, holds, /*withElseRegion=*/false);
      b.setInsertionPointToStart(guard.thenBlock());
    }
    if (bounds.empty()) {
      body(b, mapping, {});
    } else {
      Value thread = arith::AddIOp::create(
          b,
          arith::MulIOp::create(b, launch.getBlockIds().x,
                                constantIndex(b, kBlockSize)),
          launch.getThreadIds().x);
      SmallVector<Value> counts;
      Value inner = constantIndex(b, 1);
      for (Value bound : bounds) {
        counts.push_back(mapping.lookup(bound));
        inner = b.createOrFold<arith::MulIOp>(inner, counts.back());
      }
      Value exists =
          arith::CmpIOp::create(b, arith::CmpIPredicate::ult, thread, inner);
      auto guard = scf::IfOp::create(b, exists, /*withElseRegion=*/false);
      b.setInsertionPointToStart(guard.thenBlock());
      body(b, mapping, delinearize(thread, counts));
    }
    b.setInsertionPointToEnd(&launch.getBody().front());
    gpu::TerminatorOp::create(b);
  }

private:
  /// What a buffer enters a kernel as.
  struct BufferParts {
    Value pointer;
    Value offset;
    SmallVector<Value> sizes;
    SmallVector<Value> strides;
  };

  static bool isOutside(Value value, const DenseSet<Operation *> &inside) {
    Operation *op = value.getDefiningOp();
    if (!op)
      op = value.getParentBlock()->getParentOp();
    else if (inside.contains(op))
      return false;
    for (; op; op = op->getParentOp())
      if (inside.contains(op))
        return false;
    return true;
  }

  /// Outer blocks first, then arguments, then in the order of the operations.
  static bool comesBefore(Value lhs, Value rhs) {
    Block *lhsBlock = lhs.getParentBlock(), *rhsBlock = rhs.getParentBlock();
    if (lhsBlock != rhsBlock) {
      // A kernel reads both, so that a block that is not around the other one
      // dominates it, or is dominated.
      Block *around =
          lhsBlock->getParent()->findAncestorBlockInRegion(*rhsBlock);
      if (!around)
        return !comesBefore(rhs, lhs);
      return around == lhsBlock ||
             lhsBlock->computeBlockNumber() < around->computeBlockNumber();
    }
    auto lhsArgument = dyn_cast<BlockArgument>(lhs);
    auto rhsArgument = dyn_cast<BlockArgument>(rhs);
    if (lhsArgument && rhsArgument)
      return lhsArgument.getArgNumber() < rhsArgument.getArgNumber();
    if (lhsArgument || rhsArgument)
      return static_cast<bool>(lhsArgument);
    Operation *lhsOp = lhs.getDefiningOp(), *rhsOp = rhs.getDefiningOp();
    if (lhsOp == rhsOp)
      return cast<OpResult>(lhs).getResultNumber() <
             cast<OpResult>(rhs).getResultNumber();
    return lhsOp->isBeforeInBlock(rhsOp);
  }

  BufferParts takeApart(Value buffer) {
    auto type = cast<MemRefType>(buffer.getType());
    BufferParts parts;
    parts.pointer = getPointer(b, buffer);
    if (type.getLayout().isIdentity()) {
      for (int64_t dim = 0; dim < type.getRank(); ++dim)
        if (type.isDynamicDim(dim))
          parts.sizes.push_back(memref::DimOp::create(b, buffer, dim));
      return parts;
    }
    auto metadata = memref::ExtractStridedMetadataOp::create(b, buffer);
    auto [strides, offset] = type.getStridesAndOffset();
    if (ShapedType::isDynamic(offset))
      parts.offset = metadata.getOffset();
    for (int64_t dim = 0; dim < type.getRank(); ++dim) {
      if (type.isDynamicDim(dim))
        parts.sizes.push_back(metadata.getSizes()[dim]);
      if (ShapedType::isDynamic(strides[dim]))
        parts.strides.push_back(metadata.getStrides()[dim]);
    }
    return parts;
  }

  Value putTogether(MemRefType type, const BufferParts &parts) {
    // Wide loads and stores follow where the shape allows them.
    Value always =
        LLVM::ConstantOp::create(b, b.getI1Type(), b.getBoolAttr(true));
    Value alignment = LLVM::ConstantOp::create(b, b.getI64Type(),
                                               b.getI64IntegerAttr(kAlignment));
    LLVM::AssumeOp::create(b, always, LLVM::AssumeAlignTag(), parts.pointer,
                           alignment);
    LLVMTypeConverter converter(b.getContext());
    auto toInteger = [&](Value index) -> Value {
      return arith::IndexCastOp::create(b, b.getI64Type(), index);
    };
    auto constant = [&](int64_t value) -> Value {
      return LLVM::ConstantOp::create(b, b.getI64Type(),
                                      b.getI64IntegerAttr(value));
    };
    auto descriptor =
        MemRefDescriptor::poison(b, b.getLoc(), converter.convertType(type));
    descriptor.setAllocatedPtr(b, b.getLoc(), parts.pointer);
    descriptor.setAlignedPtr(b, b.getLoc(), parts.pointer);
    auto [strides, offset] = type.getStridesAndOffset();
    descriptor.setOffset(b, b.getLoc(),
                         parts.offset ? toInteger(parts.offset)
                                      : constant(offset));
    auto nextSize = parts.sizes.begin();
    SmallVector<Value> sizes;
    for (int64_t dim = 0; dim < type.getRank(); ++dim) {
      sizes.push_back(type.isDynamicDim(dim) ? toInteger(*nextSize++)
                                             : constant(type.getDimSize(dim)));
      descriptor.setSize(b, b.getLoc(), dim, sizes.back());
    }
    auto nextStride = parts.strides.begin();
    Value running = constant(1);
    for (int64_t dim = type.getRank() - 1; dim >= 0; --dim) {
      Value stride;
      if (type.getLayout().isIdentity()) {
        stride = running;
        running = b.createOrFold<LLVM::MulOp>(running, sizes[dim]);
      } else if (ShapedType::isDynamic(strides[dim])) {
        auto index = llvm::count_if(ArrayRef(strides).take_front(dim),
                                    ShapedType::isDynamic);
        stride = toInteger(nextStride[index]);
      } else {
        stride = constant(strides[dim]);
      }
      descriptor.setStride(b, b.getLoc(), dim, stride);
    }
    return UnrealizedConversionCastOp::create(b, type, Value(descriptor))
        .getResult(0);
  }

  /// Makes `value` known inside. Computations on sizes are repeated there, so
  /// that a kernel depends on buffers and on what the function was given only.
  Value sink(Value value, IRMapping &mapping) {
    if (Value known = mapping.lookupOrNull(value))
      return known;
    Operation *op = value.getDefiningOp();
    if (op && op->getNumResults() == 1 && value.getType().isIntOrIndex() &&
        (isIndexComputation(op) || op->hasTrait<OpTrait::ConstantLike>()) &&
        llvm::all_of(op->getOperands(), [&](Value operand) {
          return !isa<BaseMemRefType>(operand.getType()) ||
                 mapping.contains(operand);
        })) {
      for (Value operand : op->getOperands())
        sink(operand, mapping);
      return b.clone(*op, mapping)->getResult(0);
    }
    if (op && op->hasTrait<OpTrait::ConstantLike>())
      return b.clone(*op, mapping)->getResult(0);
    mapping.map(value, value);
    return value;
  }

  /// Row-major coordinates of a thread.
  SmallVector<Value> delinearize(Value thread, ArrayRef<Value> counts) {
    SmallVector<Value> coordinates(counts.size());
    for (size_t dim = counts.size(); dim-- > 0;) {
      if (dim == 0) {
        coordinates[0] = thread;
        break;
      }
      coordinates[dim] = arith::RemUIOp::create(b, thread, counts[dim]);
      thread = arith::DivUIOp::create(b, thread, counts[dim]);
    }
    return coordinates;
  }

  ImplicitLocOpBuilder b;
  StringRef name;
  Value failed;
  SmallVector<Value> buffers;
  SmallVector<Value> scalars;
};

//===----------------------------------------------------------------------===//
// Pass
//===----------------------------------------------------------------------===//

struct LowerKernels : lowp::impl::LowerKernelsBase<LowerKernels> {
  using LowerKernelsBase::LowerKernelsBase;

  void runOnOperation() override {
    ModuleOp module = getOperation();
    FailureOr<const TargetInfo *> target =
        TargetInfo::getGPU(chip, [&] { return emitError(module.getLoc()); });
    if (failed(target))
      return signalPassFailure();
    if (Operation *other = module.lookupSymbol(kModuleName);
        other && !isa<gpu::GPUModuleOp>(other)) {
      other->emitOpError() << "expects another name than '" << kModuleName
                           << "', which the module of the kernels has";
      return signalPassFailure();
    }
    for (auto function : module.getOps<func::FuncOp>()) {
      if (failed(checkSupported(function, **target)))
        return signalPassFailure();
      Assertions checked(function);
      assertions = &checked;
      for (Block &block : function.getBody())
        if (failed(lowerBlock(block, function.getName())))
          return signalPassFailure();
    }
  }

  /// Refuses what can run neither on the host nor in a kernel.
  static LogicalResult checkSupported(func::FuncOp function,
                                      const TargetInfo &target) {
    WalkResult result =
        function.walk<WalkOrder::PreOrder>([&](Operation *op) -> WalkResult {
          bool inKernel = op->getParentOfType<scf::ForallOp>() ||
                          op->getParentOfType<scf::ParallelOp>();
          if (op == function || isKernelOp(op) || (!inKernel && isHostOp(op)))
            return WalkResult::advance();
          op->emitOpError()
              << "is not supported on target '" << target.getName() << "'"
              << (inKernel ? " inside of a parallel loop, which "
                             "runs as a kernel"
                           : "");
          return WalkResult::interrupt();
        });
    return failure(result.wasInterrupted());
  }

  /// A parallel loop, an operation that holds some, or a run of sequential work
  /// on buffers.
  using Part = SmallVector<Operation *, 1>;

  static SmallVector<Part> partition(Block &block) {
    SmallVector<Part> parts;
    Part run;
    // Numbers computed from what kernels compute are work for a kernel.
    DenseSet<Value> computed;
    auto usesComputed = [&](Operation &op) {
      return llvm::any_of(op.getOperands(), [&](Value operand) {
        return computed.contains(operand);
      });
    };
    auto isForHost = [&](Operation &op) {
      bool isNumber = llvm::none_of(op.getResultTypes(), [](Type type) {
        return isa<BaseMemRefType>(type);
      });
      return isHostOp(&op) &&
             !(isIndexComputation(&op) && isNumber && usesComputed(op));
    };
    auto finishRun = [&] {
      if (!run.empty())
        parts.push_back(std::move(run));
      run.clear();
    };
    for (Operation &op : block) {
      if (holdsHostWork(&op)) {
        finishRun();
        parts.push_back({&op});
      } else if (op.hasTrait<OpTrait::IsTerminator>()) {
        finishRun();
      } else if (!isForHost(op)) {
        run.push_back(&op);
        computed.insert(op.result_begin(), op.result_end());
      } else if (usesComputed(op) ||
                 (!isMemoryEffectFree(&op) && !isa<memref::AllocOp>(op))) {
        // The host waits for what it reads.
        finishRun();
      }
    }
    finishRun();
    return parts;
  }

  /// Loops become kernels, and so does each run of other work on buffers.
  LogicalResult lowerBlock(Block &block, StringRef function) {
    for (Part &part : partition(block))
      if (!holdsHostWork(part.front()) && failed(passThroughMemory(part)))
        return failure();
    for (Part &part : partition(block)) {
      Operation *op = part.front();
      if (isParallelLoop(op)) {
        if (failed(lowerLoop(cast<LoopLikeOpInterface>(op), function)))
          return failure();
        continue;
      }
      if (!holdsHostWork(op)) {
        if (failed(lowerRun(part, function)))
          return failure();
        continue;
      }
      for (Region &region : op->getRegions())
        for (Block &nested : region)
          if (failed(lowerBlock(nested, function)))
            return failure();
    }
    return success();
  }

  /// What a run computes reaches other kernels through memory.
  LogicalResult passThroughMemory(ArrayRef<Operation *> run) {
    DenseSet<Operation *> inside(run.begin(), run.end());
    Block *block = run.front()->getBlock();
    for (Operation *op : run)
      for (Value result : op->getResults()) {
        auto isOutside = [&](OpOperand &use) {
          return !inside.contains(
              block->findAncestorOpInBlock(*use.getOwner()));
        };
        SmallVector<OpOperand *> uses;
        for (OpOperand &use : result.getUses())
          if (isOutside(use))
            uses.push_back(&use);
        if (uses.empty())
          continue;
        Type type = result.getType();
        ImplicitLocOpBuilder b(op->getLoc(), run.front());
        Value buffer;
        if (type.isIntOrIndexOrFloat()) {
          buffer = memref::AllocOp::create(b, MemRefType::get({}, type));
          auto end = ImplicitLocOpBuilder(op->getLoc(), block->getTerminator());
          memref::DeallocOp::create(end, buffer);
        }
        Value onHost;
        for (OpOperand *use : uses) {
          Operation *user = use->getOwner();
          // The bounds of a loop are the host's.
          Operation *loop = user->getParentOp();
          while (loop && !isParallelLoop(loop))
            loop = loop->getParentOp();
          if (!buffer) {
            auto diagnostic =
                op->emitOpError("computes a value of type ")
                << type << " for another kernel, but only scalars can be kept";
            diagnostic.attachNote(user->getLoc()) << "used here";
            return diagnostic;
          }
          if (!loop && isRunByHost(user)) {
            b.setInsertionPointAfter(run.back());
            if (!onHost) {
              if (!type.isIndex() && type.getIntOrFloatBitWidth() > 64) {
                auto diagnostic = op->emitOpError("computes a value of type ")
                                  << type
                                  << " for the host, which reads 64 bits";
                diagnostic.attachNote(user->getLoc()) << "used here";
                return diagnostic;
              }
              assertions->checkOnHost(b);
              onHost = readOnHost(b, getOperation(), buffer);
            }
            use->set(onHost);
            continue;
          }
          if (loop)
            b.setInsertionPointToStart(&loop->getRegion(0).front());
          else
            b.setInsertionPoint(user);
          use->set(memref::LoadOp::create(b, buffer, ValueRange()));
        }
        b.setInsertionPointAfter(op);
        memref::StoreOp::create(b, result, buffer, ValueRange());
      }
    return success();
  }

  /// Whether the host runs an operation outside of parallel loops.
  static bool isRunByHost(Operation *op) {
    if (op->hasTrait<OpTrait::IsTerminator>())
      return isa<FunctionOpInterface>(op->getParentOp()) ||
             holdsHostWork(op->getParentOp());
    return !isKernelOp(op) || isHostOp(op) || holdsHostWork(op);
  }

  /// Whether a number is of a kind that is never negative: sizes, and what is
  /// computed from them in a few steps.
  static bool isSize(Value value, unsigned steps = 6) {
    if (std::optional<int64_t> constant = getConstantIntValue(value))
      return *constant >= 0;
    Operation *op = value.getDefiningOp();
    if (isa_and_nonnull<memref::DimOp>(op))
      return true;
    return isa_and_nonnull<arith::AddIOp, arith::MulIOp, arith::CeilDivSIOp,
                           arith::CeilDivUIOp, arith::DivSIOp, arith::DivUIOp,
                           arith::MinSIOp, arith::MaxSIOp>(op) &&
           steps != 0 && llvm::all_of(op->getOperands(), [&](Value operand) {
             return isSize(operand, steps - 1);
           });
  }

  LogicalResult lowerLoop(LoopLikeOpInterface loop, StringRef function) {
    IRRewriter rewriter(loop);
    ImplicitLocOpBuilder b(loop.getLoc(), rewriter);
    if (loop->getNumResults() != 0)
      return loop->emitOpError("expects a loop on buffers, but it has results");
    // One thread runs what is inside an iteration.
    loop->walk([&](scf::ForallOp nested) {
      rewriter.setInsertionPoint(nested);
      if (nested != loop)
        (void)scf::forallToForLoop(rewriter, nested);
    });
    b.setInsertionPoint(loop);

    SmallVector<Value> lower, upper, step, bounds;
    auto materialize = [&](std::optional<SmallVector<OpFoldResult>> values) {
      return getValueOrCreateConstantIndexOp(b, b.getLoc(), *values);
    };
    lower = materialize(loop.getLoopLowerBounds());
    upper = materialize(loop.getLoopUpperBounds());
    step = materialize(loop.getLoopSteps());
    Value none = constantIndex(b, 0);
    for (auto [from, to, by] : llvm::zip_equal(lower, upper, step)) {
      Value count = b.createOrFold<arith::CeilDivSIOp>(
          b.createOrFold<arith::SubIOp>(to, from), by);
      // Loops may end before they begin.
      bool isCount =
          isSize(count) || (isConstantIntValue(from, 0) && isSize(to));
      bounds.push_back(isCount ? count
                               : b.createOrFold<arith::MaxSIOp>(count, none));
    }
    // What the kernel computes its coordinates from.
    SmallVector<Value> spaces(bounds);
    llvm::append_range(spaces, lower);
    llvm::append_range(spaces, step);

    std::string name = makeName(loop.getLoc(), function);
    KernelBuilder kernel(b, loop.getLoc(), name, assertions->getBuffer());
    if (failed(kernel.collect(loop.getOperation(), spaces)))
      return failure();
    kernel.build(bounds, [&](ImplicitLocOpBuilder &inner, IRMapping &mapping,
                             ValueRange coordinates) {
      for (auto [iv, at, from, by] : llvm::zip_equal(
               *loop.getLoopInductionVars(), coordinates, lower, step)) {
        Value scaled =
            inner.createOrFold<arith::MulIOp>(at, mapping.lookup(by));
        mapping.map(iv, inner.createOrFold<arith::AddIOp>(
                            scaled, mapping.lookup(from)));
      }
      for (Operation &op :
           loop.getLoopRegions().front()->front().without_terminator())
        inner.clone(op, mapping);
    });
    rewriter.eraseOp(loop);
    return success();
  }

  LogicalResult lowerRun(ArrayRef<Operation *> run, StringRef function) {
    // After the last one: the host's work between them comes first.
    OpBuilder builder(getOperation().getContext());
    builder.setInsertionPointAfter(run.back());
    Location loc = run.back()->getLoc();
    std::string name = makeName(loc, function);
    KernelBuilder kernel(builder, loc, name, assertions->getBuffer());
    if (failed(kernel.collect(run, {})))
      return failure();
    kernel.build(
        {}, [&](ImplicitLocOpBuilder &inner, IRMapping &mapping, ValueRange) {
          for (Operation *op : run)
            inner.clone(*op, mapping);
        });
    for (Operation *op : llvm::reverse(run))
      op->erase();
    return success();
  }

  /// `<function>_<part of which operation>`; numbered where that is taken.
  std::string makeName(Location loc, StringRef function) {
    std::string part = "kernel";
    loc->walk([&](Location inner) {
      auto named = dyn_cast<NameLoc>(inner);
      if (!named || !named.getName().getValue().starts_with("lowp."))
        return WalkResult::advance();
      part = named.getName().getValue().drop_front(strlen("lowp.")).str();
      return WalkResult::interrupt();
    });
    std::replace(part.begin(), part.end(), '.', '_');
    std::string base = (function + "_" + part).str(), name = base;
    // Lower numbers are taken.
    for (unsigned &next = numbers[base]; !names.insert(name).second;)
      name = base + "_" + std::to_string(++next);
    return name;
  }

  llvm::StringSet<> names;
  llvm::StringMap<unsigned> numbers;
  /// Of the function that is lowered.
  const Assertions *assertions = nullptr;
};

} // namespace
