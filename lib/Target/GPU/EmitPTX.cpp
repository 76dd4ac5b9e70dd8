//===- EmitPTX.cpp - gpu.module to gpu.binary -----------------------------===//
//
// Part of the Lowp project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "lowp/Target/PTX.h"
#include "lowp/Target/Passes.h"
#include "lowp/Target/TargetInfo.h"

#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/LLVMIR/NVVMDialect.h"
#include "mlir/Target/LLVMIR/Dialect/Builtin/BuiltinToLLVMIRTranslation.h"
#include "mlir/Target/LLVMIR/Dialect/GPU/GPUToLLVMIRTranslation.h"
#include "mlir/Target/LLVMIR/Dialect/LLVMIR/LLVMToLLVMIRTranslation.h"
#include "mlir/Target/LLVMIR/Dialect/NVVM/NVVMToLLVMIRTranslation.h"

namespace mlir::lowp {
#define GEN_PASS_DEF_LOWPEMITPTX
#include "lowp/Target/Passes.h.inc"
} // namespace mlir::lowp

using namespace mlir;
using namespace mlir::lowp;

namespace {
struct EmitPTX : lowp::impl::LowpEmitPTXBase<EmitPTX> {
  using LowpEmitPTXBase::LowpEmitPTXBase;

  void getDependentDialects(DialectRegistry &registry) const override {
    LowpEmitPTXBase::getDependentDialects(registry);
    registerBuiltinDialectTranslation(registry);
    registerGPUDialectTranslation(registry);
    registerLLVMDialectTranslation(registry);
    registerNVVMDialectTranslation(registry);
  }

  void runOnOperation() override {
    FailureOr<const TargetInfo *> target = TargetInfo::getGPU(
        chip, [&] { return emitError(getOperation().getLoc()); });
    if (failed(target))
      return signalPassFailure();
    for (auto module :
         llvm::make_early_inc_range(getOperation().getOps<gpu::GPUModuleOp>()))
      if (failed(emit(module, **target)))
        return signalPassFailure();
  }

  static LogicalResult emit(gpu::GPUModuleOp module, const TargetInfo &target) {
    FailureOr<std::string> ptx = translateToPTX(module, target);
    if (failed(ptx))
      return failure();
    OpBuilder builder(module);
    // NVVM's own lists of targets lack some chips; the table has been asked.
    auto targetAttr = NVVM::NVVMTargetAttr::get(
        module.getContext(), /*optLevel=*/3, "nvptx64-nvidia-cuda",
        target.getName(), /*features=*/"", /*flags=*/nullptr, /*link=*/nullptr,
        /*verifyTarget=*/false);
    auto object =
        gpu::ObjectAttr::get(targetAttr, gpu::CompilationTarget::Assembly,
                             builder.getStringAttr(*ptx),
                             builder.getDictionaryAttr(builder.getNamedAttr(
                                 "O", builder.getI32IntegerAttr(3))));
    gpu::BinaryOp::create(builder, module.getLoc(), module.getName(),
                          /*offloadingHandler=*/Attribute(),
                          ArrayRef<Attribute>{object});
    module.erase();
    return success();
  }
};
} // namespace

FailureOr<std::string> mlir::lowp::getPTX(ModuleOp program) {
  auto binaries = llvm::to_vector(program.getOps<gpu::BinaryOp>());
  if (binaries.size() != 1)
    return emitError(program.getLoc())
           << "expected one module of kernels, but got " << binaries.size();
  auto object = cast<gpu::ObjectAttr>(binaries.front().getObjects()[0]);
  if (object.getFormat() != gpu::CompilationTarget::Assembly)
    return binaries.front().emitOpError("holds no PTX");
  return object.getObject().getValue().str();
}
