//===- TranslateToPTX.cpp - GPU modules to PTX ----------------------------===//
//
// Part of the Lowp project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// In process, without libdevice: what comes out does not depend on whether a
// CUDA toolkit is installed. LLVM is asked for the lowest PTX version that the
// module's conversions need, so that it selects nothing newer by itself; forms
// that are newer than LLVM are in inline PTX, and for them the `.version` line
// is raised in the text, which changes nothing else.
//
//===----------------------------------------------------------------------===//

#include "lowp/Target/PTX.h"
#include "lowp/Target/TargetInfo.h"

#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/LLVMIR/NVVMDialect.h"
#include "mlir/Target/LLVMIR/Export.h"
#include "llvm/ADT/TypeSwitch.h"
#include "llvm/IR/DiagnosticInfo.h"
#include "llvm/IR/DiagnosticPrinter.h"
#include "llvm/IR/LegacyPassManager.h"
#include "llvm/IR/Module.h"
#include "llvm/MC/MCSubtargetInfo.h"
#include "llvm/MC/TargetRegistry.h"
#include "llvm/Passes/PassBuilder.h"
#include "llvm/Support/CrashRecoveryContext.h"
#include "llvm/Support/TargetSelect.h"
#include "llvm/Target/TargetMachine.h"

using namespace mlir;
using namespace mlir::lowp;

namespace {

constexpr StringLiteral kTriple = "nvptx64-nvidia-cuda";

/// The instruction that an NVVM conversion becomes; none for operations that
/// every target has.
std::optional<PTXFeature> getFeature(Operation *op) {
  using F = PTXFeature;
  return llvm::TypeSwitch<Operation *, std::optional<F>>(op)
      .Case([](NVVM::ConvertF32x2ToF8x2Op op) -> std::optional<F> {
        if (isa<Float8E8M0FNUType>(op.getDstTy()))
          return F::CvtF32ToUE8M0;
        return isa<Float8E5M2Type>(op.getDstTy()) ? F::CvtF32ToE5M2
                                                  : F::CvtF32ToE4M3;
      })
      .Case([](NVVM::ConvertF16x2ToF8x2Op) { return F::CvtF16ToF8; })
      .Case([](NVVM::ConvertBF16x2ToF8x2Op) { return F::CvtBF16ToUE8M0; })
      .Case([](NVVM::ConvertF8x2ToF16x2Op) { return F::CvtF8ToF16; })
      .Case([](NVVM::ConvertF8x2ToBF16x2Op) { return F::CvtUE8M0ToBF16; })
      .Case([](NVVM::ConvertF32x2ToF6x2Op) { return F::CvtF32ToF6; })
      .Case([](NVVM::ConvertF6x2ToF16x2Op) { return F::CvtF6ToF16; })
      .Case([](NVVM::ConvertF32x2ToF4x2Op) { return F::CvtF32ToE2M1; })
      .Case([](NVVM::ConvertF4x2ToF16x2Op) { return F::CvtE2M1ToF16; })
      .Case([](NVVM::ConvertF32x4ToF8x4Op) { return F::CvtRsF32ToF8; })
      .Case([](NVVM::ConvertF32x4ToF6x4Op) { return F::CvtRsF32ToF6; })
      .Case([](NVVM::ConvertF32x4ToF4x4Op) { return F::CvtRsF32ToE2M1; })
      .Default([](Operation *) { return std::nullopt; });
}

/// What LLVM is asked for, and what the text needs.
struct PTXVersions {
  llvm::VersionTuple llvm;
  llvm::VersionTuple text;
};

/// Checks that the target has every instruction that the module asks for.
FailureOr<PTXVersions> checkInstructions(gpu::GPUModuleOp module,
                                         const TargetInfo &target) {
  PTXVersions versions{target.getMinimumPTXVersion(),
                       target.getMinimumPTXVersion()};
  auto require = [&](Operation *op, PTXFeature feature,
                     bool selectedByLLVM) -> LogicalResult {
    std::optional<llvm::VersionTuple> version = target.getPTXVersion(feature);
    if (!version)
      return op->emitOpError()
             << "needs '" << getMnemonic(feature) << "', which target '"
             << target.getName() << "' does not have; targets that have it: "
             << TargetInfo::getNamesWith(feature);
    if (selectedByLLVM)
      versions.llvm = std::max(versions.llvm, *version);
    versions.text = std::max(versions.text, *version);
    return success();
  };
  WalkResult result = module.walk([&](Operation *op) -> WalkResult {
    if (auto inlineAsm = dyn_cast<LLVM::InlineAsmOp>(op)) {
      for (PTXFeature feature : findPTXFeatures(inlineAsm.getAsmString()))
        if (failed(require(op, feature, /*selectedByLLVM=*/false)))
          return WalkResult::interrupt();
    } else if (std::optional<PTXFeature> feature = getFeature(op)) {
      return require(op, *feature, /*selectedByLLVM=*/true);
    }
    return WalkResult::advance();
  });
  if (result.wasInterrupted())
    return failure();
  return versions;
}

/// Functions that the CUDA driver gives to every module.
bool isProvidedByDriver(StringRef name) {
  return name == "__assertfail" || name == "vprintf";
}

LogicalResult checkDeclarations(gpu::GPUModuleOp module) {
  LogicalResult result = success();
  module.walk([&](LLVM::LLVMFuncOp function) {
    StringRef name = function.getName();
    if (!function.isExternal() || name.starts_with("llvm.") ||
        isProvidedByDriver(name))
      return;
    result = function.emitOpError()
             << "has no body, and GPU code is not linked with libraries";
  });
  return result;
}

void initializeNVPTX() {
  static const bool once = [] {
    LLVMInitializeNVPTXTargetInfo();
    LLVMInitializeNVPTXTarget();
    LLVMInitializeNVPTXTargetMC();
    LLVMInitializeNVPTXAsmPrinter();
    return true;
  }();
  (void)once;
}

/// `+ptx88` for 8.8.
std::string getFeatureString(llvm::VersionTuple version) {
  return ("+ptx" + Twine(version.getMajor()) + Twine(*version.getMinor()))
      .str();
}

FailureOr<std::unique_ptr<llvm::TargetMachine>>
createTargetMachine(gpu::GPUModuleOp module, const TargetInfo &target,
                    llvm::VersionTuple version) {
  initializeNVPTX();
  llvm::Triple triple(kTriple);
  std::string error;
  const llvm::Target *nvptx = llvm::TargetRegistry::lookupTarget(triple, error);
  if (!nvptx)
    return module.emitError(error);
  // LLVM only warns of a chip that it does not know.
  std::unique_ptr<llvm::MCSubtargetInfo> subtarget(
      nvptx->createMCSubtargetInfo(triple, "", ""));
  if (!subtarget->isCPUStringValid(target.getName()))
    return module.emitError()
           << "LLVM does not know target '" << target.getName() << "'";
  llvm::TargetOptions options;
  // One rounding per operation: never fuse a product and a sum.
  options.AllowFPOpFusion = llvm::FPOpFusion::Strict;
  return std::unique_ptr<llvm::TargetMachine>(nvptx->createTargetMachine(
      triple, target.getName(), getFeatureString(version), options,
      /*RM=*/std::nullopt, /*CM=*/std::nullopt,
      llvm::CodeGenOptLevel::Aggressive));
}

void optimize(llvm::Module &module, llvm::TargetMachine &machine) {
  llvm::LoopAnalysisManager loops;
  llvm::FunctionAnalysisManager functions;
  llvm::CGSCCAnalysisManager cgscc;
  llvm::ModuleAnalysisManager modules;
  llvm::PassBuilder builder(&machine);
  builder.registerModuleAnalyses(modules);
  builder.registerCGSCCAnalyses(cgscc);
  builder.registerFunctionAnalyses(functions);
  builder.registerLoopAnalyses(loops);
  builder.crossRegisterProxies(loops, functions, cgscc, modules);
  builder.buildPerModuleDefaultPipeline(llvm::OptimizationLevel::O3)
      .run(module, modules);
}

} // namespace

FailureOr<std::string> mlir::lowp::translateToPTX(gpu::GPUModuleOp module,
                                                  const TargetInfo &target) {
  FailureOr<PTXVersions> versions = checkInstructions(module, target);
  if (failed(versions) || failed(checkDeclarations(module)))
    return failure();
  if (versions->llvm > getNewestLLVMPTXVersion())
    return module.emitError() << "needs PTX " << versions->llvm.getAsString()
                              << ", which LLVM does not emit";

  llvm::LLVMContext context;
  // The default handler would end the process.
  bool hasErrors = false;
  auto report = [&](const llvm::DiagnosticInfo &info) {
    if (info.getSeverity() != llvm::DS_Error)
      return;
    hasErrors = true;
    std::string message;
    llvm::raw_string_ostream os(message);
    llvm::DiagnosticPrinterRawOStream printer(os);
    info.print(printer);
    module.emitError() << message;
  };
  context.setDiagnosticHandlerCallBack(
      [](const llvm::DiagnosticInfo *info, void *handler) {
        (*static_cast<decltype(report) *>(handler))(*info);
      },
      &report);

  std::unique_ptr<llvm::Module> llvmModule =
      translateModuleToLLVMIR(module, context, module.getName());
  if (!llvmModule)
    return module.emitError("cannot be translated to LLVM IR");
  auto machine = createTargetMachine(module, target, versions->llvm);
  if (failed(machine))
    return failure();
  llvmModule->setTargetTriple((*machine)->getTargetTriple());
  llvmModule->setDataLayout((*machine)->createDataLayout());

  llvm::SmallString<0> text;
  llvm::raw_svector_ostream os(text);
  llvm::legacy::PassManager passes;
  if ((*machine)->addPassesToEmitFile(passes, os, /*DwoOut=*/nullptr,
                                      llvm::CodeGenFileType::AssemblyFile))
    return module.emitError("LLVM cannot emit PTX");

  // The checks above leave nothing that the target lacks; should LLVM not be
  // able to select an operation all the same, it aborts.
  bool isNested = llvm::CrashRecoveryContext::GetCurrent() != nullptr;
  llvm::CrashRecoveryContext::Enable();
  llvm::CrashRecoveryContext recovery;
  bool finished = recovery.RunSafely([&] {
    optimize(*llvmModule, **machine);
    passes.run(*llvmModule);
  });
  if (!isNested)
    llvm::CrashRecoveryContext::Disable();
  if (!finished) {
    // What LLVM left behind cannot be destroyed safely.
    (void)llvmModule.release();
    return module.emitError() << "LLVM cannot compile this module for target '"
                              << target.getName() << "'";
  }
  if (hasErrors)
    return failure();

  std::string ptx = text.str().str();
  size_t begin = ptx.find("\n.version ");
  if (begin == std::string::npos)
    return module.emitError("LLVM emitted no PTX");
  size_t end = ptx.find('\n', begin + 1);
  ptx.replace(begin, end - begin, "\n.version " + versions->text.getAsString());
  return ptx;
}
