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
/// A function of the runtime for GPUs: i64 (ptr, i64 bytes).
constexpr StringLiteral kReaderName = "lowp_rt_gpu_read";

Value constantIndex(ImplicitLocOpBuilder &b, int64_t value) {
  return arith::ConstantIndexOp::create(b, value);
}

//===----------------------------------------------------------------------===//
// What stays on the host
//===----------------------------------------------------------------------===//

/// Computes on addresses and sizes only, or names bits that the host has.
bool isIndexComputation(Operation *op) {
  auto isScalarOrBuffer = [](Type type) {
    return type.isIntOrIndex() ||
           isa<BaseMemRefType, LLVM::LLVMPointerType>(type);
  };
  // Of what the host reads (`readOnHost`).
  if (auto cast = dyn_cast<arith::BitcastOp>(op))
    return cast.getType().isIntOrFloat() && cast.getIn().getType().isInteger();
  return op->getNumRegions() == 0 && isMemoryEffectFree(op) &&
         llvm::all_of(op->getResultTypes(), isScalarOrBuffer) &&
         llvm::all_of(op->getOperandTypes(), isScalarOrBuffer);
}

/// Allocates, calls, launches, or steers.
bool isHostOp(Operation *op) {
  if (isa<func::FuncDialect, gpu::GPUDialect, cf::ControlFlowDialect,
          bufferization::BufferizationDialect>(op->getDialect()) ||
      isa<memref::AllocOp, memref::DeallocOp, memref::AssumeAlignmentOp,
          LLVM::CallOp, LLVM::IntToPtrOp>(op) ||
      op->hasTrait<OpTrait::ConstantLike>())
    return true;
  return isIndexComputation(op);
}

/// What one thread of a kernel can run.
bool isKernelOp(Operation *op) {
  StringRef dialect = op->getName().getDialectNamespace();
  return isa<cf::AssertOp>(op) ||
         (llvm::is_contained({"affine", "arith", "lowp", "math", "memref",
                              "scf", "ub", "vector"},
                             dialect) &&
          !isa<memref::AllocOp, memref::DeallocOp, memref::CopyOp>(op));
}

bool isParallelLoop(Operation *op) {
  return isa<scf::ForallOp, scf::ParallelOp>(op);
}

/// Whether `op` is a parallel loop, or the host steers through it: something in
/// it is for the host alone, or it gives a buffer.
bool holdsHostWork(Operation *op) {
  // Which buffer it gives is the host's to know.
  if (isParallelLoop(op) ||
      (op->getNumRegions() != 0 &&
       llvm::any_of(op->getResultTypes(), llvm::IsaPred<BaseMemRefType>)))
    return true;
  auto isHostWork = [&](Operation *nested) {
    return isParallelLoop(nested) ||
           (nested != op &&
            (isa<memref::AllocOp, memref::DeallocOp, CallOpInterface>(nested) ||
             isa<gpu::GPUDialect>(nested->getDialect())));
  };
  return op->getNumRegions() != 0 && op->walk([&](Operation *nested) {
                                         return isHostWork(nested)
                                                    ? WalkResult::interrupt()
                                                    : WalkResult::advance();
                                       }).wasInterrupted();
}

/// Whether something around `op` is work for a kernel as a whole.
bool isInKernel(Operation *op) {
  for (op = op->getParentOp(); !isa<func::FuncOp>(op); op = op->getParentOp())
    if (isParallelLoop(op) || !holdsHostWork(op))
      return true;
  return false;
}

/// The address of a buffer's first element, as a pointer.
Value getPointer(ImplicitLocOpBuilder &b, Value buffer) {
  Value address = memref::ExtractAlignedPointerAsIndexOp::create(b, buffer);
  address = arith::IndexCastOp::create(b, b.getI64Type(), address);
  return LLVM::IntToPtrOp::create(b, LLVM::LLVMPointerType::get(b.getContext()),
                                  address);
}

/// What a buffer of rank 0 holds, read by the host once all kernels before have
/// run. The runtime gives the bits as a 64-bit integer.
Value readOnHost(ImplicitLocOpBuilder &b, ModuleOp module, Value buffer) {
  Type i64 = b.getI64Type();
  auto reader = module.lookupSymbol<LLVM::LLVMFuncOp>(kReaderName);
  if (!reader) {
    OpBuilder::InsertionGuard guard(b);
    b.setInsertionPointToStart(module.getBody());
    auto type = LLVM::LLVMFunctionType::get(
        i64, {LLVM::LLVMPointerType::get(b.getContext()), i64});
    reader = LLVM::LLVMFuncOp::create(b, kReaderName, type);
  }
  Type type = cast<MemRefType>(buffer.getType()).getElementType();
  unsigned width = type.isIndex() ? 64 : type.getIntOrFloatBitWidth();
  Value bytes = LLVM::ConstantOp::create(
      b, i64, b.getI64IntegerAttr(llvm::divideCeil(width, 8)));
  Value bits =
      LLVM::CallOp::create(b, reader, ValueRange{getPointer(b, buffer), bytes})
          .getResult();
  if (type.isIndex())
    return arith::IndexCastOp::create(b, type, bits);
  if (width != 64)
    bits = arith::TruncIOp::create(b, b.getIntegerType(width), bits);
  return isa<FloatType>(type) ? arith::BitcastOp::create(b, type, bits) : bits;
}

//===----------------------------------------------------------------------===//
// Assertions
//===----------------------------------------------------------------------===//

/// The assertions of a function that kernels check. A thread for which one does
/// not hold writes its number to a buffer of the function and ends; kernels
/// that come after do nothing, and the host fails before it reads what one of
/// them should have computed, or at the end of the function. Of several that
/// fail in one kernel, the first in program order is reported.
class Assertions {
public:
  explicit Assertions(func::FuncOp function) {
    // What ends the function otherwise, or reads buffers that a thread did not
    // write, comes after a check; but where no assertion can have failed yet.
    SmallVector<Operation *> checked;
    function.walk([&](Operation *op) {
      auto assertion = dyn_cast<cf::AssertOp>(op);
      if (assertion && isInKernel(op))
        ops.push_back(assertion);
      else if ((assertion || isa<func::CallOp>(op)) &&
               (!ops.empty() || isRepeated(op)))
        checked.push_back(op);
    });
    if (ops.empty())
      return;
    auto b = ImplicitLocOpBuilder::atBlockBegin(function.getLoc(),
                                                &function.getBody().front());
    failed = memref::AllocOp::create(b, MemRefType::get({}, b.getI32Type()));
    auto none = arith::ConstantOp::create(b, b.getI32IntegerAttr(0));
    gpu::MemsetOp::create(b, /*asyncToken=*/Type(),
                          /*asyncDependencies=*/ValueRange(), failed, none);
    for (auto [index, op] : llvm::enumerate(ops))
      record(op, getCode(index));
    buildCheck(function);
    for (Operation *op : checked) {
      ImplicitLocOpBuilder b(op->getLoc(), op);
      checkOnHost(b);
    }
    function.walk([&](func::ReturnOp op) {
      ImplicitLocOpBuilder b(op.getLoc(), op);
      checkOnHost(b);
      memref::DeallocOp::create(b, failed);
    });
  }

  /// Zero in memory as long as all assertions hold; null where there are none.
  Value getBuffer() const { return failed; }

  /// Lets the host fail where an assertion has.
  void checkOnHost(ImplicitLocOpBuilder &b) const {
    if (failed)
      func::CallOp::create(b, check, failed);
  }

private:
  /// Whether what comes after `op` may run before it.
  static bool isRepeated(Operation *op) {
    return op->getParentOfType<LoopLikeOpInterface>() ||
           !op->getParentOfType<func::FuncOp>().getBody().hasOneBlock();
  }

  /// The first one has the highest.
  int64_t getCode(size_t index) const { return ops.size() - index; }

  void record(cf::AssertOp op, int64_t code) {
    ImplicitLocOpBuilder b(op.getLoc(), op);
    Value fails = arith::XOrIOp::create(
        b, op.getArg(), arith::ConstantOp::create(b, b.getBoolAttr(true)));
    auto guard = scf::IfOp::create(b, fails, /*withElseRegion=*/false);
    b.setInsertionPointToStart(guard.thenBlock());
    memref::AtomicRMWOp::create(
        b, arith::AtomicRMWKind::maxu,
        arith::ConstantOp::create(b, b.getI32IntegerAttr(code)), failed,
        ValueRange());
  }

  /// A function that reads the buffer: it may be called in many places.
  void buildCheck(func::FuncOp function) {
    ImplicitLocOpBuilder b(function.getLoc(), function);
    SymbolTable symbols(function->getParentOfType<ModuleOp>());
    check = func::FuncOp::create(
        b, (function.getName() + ".check").str(),
        b.getFunctionType({failed.getType()}, TypeRange()));
    check.setPrivate();
    symbols.insert(check);
    b.setInsertionPointToStart(check.addEntryBlock());
    Value found = readOnHost(b, function->getParentOfType<ModuleOp>(),
                             check.getArgument(0));
    for (auto [index, assertion] : llvm::enumerate(ops)) {
      Value code =
          arith::ConstantOp::create(b, b.getI32IntegerAttr(getCode(index)));
      Value holds =
          arith::CmpIOp::create(b, arith::CmpIPredicate::ne, found, code);
      cf::AssertOp::create(b, assertion.getLoc(), holds, assertion.getMsg());
    }
    func::ReturnOp::create(b);
  }

  SmallVector<cf::AssertOp> ops;
  Value failed;
  func::FuncOp check;
};

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
    for (auto [from, to, by] : llvm::zip_equal(lower, upper, step))
      bounds.push_back(b.createOrFold<arith::CeilDivSIOp>(
          b.createOrFold<arith::SubIOp>(to, from), by));
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
