//===- CPU.cpp - Machine code for the host --------------------------------===//
//
// Part of the Lowp project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "lowp/Target/CPU.h"

#include "CInterface.h"
#include "Link.h"

#include "mlir/Target/LLVMIR/Export.h"

#include "llvm/ADT/StringExtras.h"
#include "llvm/Analysis/LoopInfo.h"
#include "llvm/IR/Dominators.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/LegacyPassManager.h"
#include "llvm/IR/Module.h"
#include "llvm/MC/MCSubtargetInfo.h"
#include "llvm/MC/TargetRegistry.h"
#include "llvm/Passes/PassBuilder.h"
#include "llvm/Support/CrashRecoveryContext.h"
#include "llvm/Support/ErrorHandling.h"
#include "llvm/Support/TargetSelect.h"
#include "llvm/Support/raw_ostream.h"
#include "llvm/Target/TargetMachine.h"
#include "llvm/TargetParser/Host.h"

#include <mutex>

using namespace mlir;
using namespace mlir::lowp;

static const llvm::Target *getHostTarget(std::string &error) {
  static std::once_flag once;
  std::call_once(once, [] {
    llvm::InitializeNativeTarget();
    llvm::InitializeNativeTargetAsmPrinter();
  });
  return llvm::TargetRegistry::lookupTarget(
      llvm::Triple(llvm::sys::getDefaultTargetTriple()), error);
}

bool lowp::isKnownCPU(StringRef cpu) {
  if (cpu == "native")
    return true;
  std::string error;
  const llvm::Target *target = getHostTarget(error);
  if (!target)
    return false;
  std::unique_ptr<llvm::MCSubtargetInfo> subtarget(
      target->createMCSubtargetInfo(
          llvm::Triple(llvm::sys::getDefaultTargetTriple()), "", ""));
  return subtarget && subtarget->isCPUStringValid(cpu);
}

/// The name and the features of a processor as LLVM knows them.
static std::pair<std::string, std::string> resolveCPU(StringRef cpu) {
  std::vector<std::string> list;
  // LLVM would make two instructions of a vpdpwssd where it takes the sum to be
  // waited for.
  if (llvm::Triple(llvm::sys::getDefaultTargetTriple()).isX86())
    list.push_back("+fast-dpwssd");
  if (cpu != "native")
    return {cpu.str(), llvm::join(list, ",")};
  for (const auto &feature : llvm::sys::getHostCPUFeatures()) {
    // All that LLVM takes from sse4a is insertq and extrq. They have no VEX
    // encoding, and each costs some 300 cycles in the midst of AVX code.
    bool used = feature.second && feature.first() != "sse4a";
    list.push_back((used ? "+" : "-") + feature.first().str());
  }
  llvm::sort(list);
  return {llvm::sys::getHostCPUName().str(), llvm::join(list, ",")};
}

CPUFeatures lowp::getCPUFeatures(StringRef cpu) {
  std::string error;
  const llvm::Target *target = getHostTarget(error);
  if (!target)
    return {};
  llvm::Triple triple(llvm::sys::getDefaultTargetTriple());
  auto [name, features] = resolveCPU(cpu);
  std::unique_ptr<llvm::MCSubtargetInfo> subtarget(
      target->createMCSubtargetInfo(triple, name, features));
  // Other architectures have no such features, which LLVM would complain about.
  if (!triple.isX86() || !subtarget)
    return {};
  return {/*fp16=*/subtarget->checkFeatures("+avx512fp16"),
          /*dotPairs=*/subtarget->checkFeatures("+avx512vnni")};
}

static std::unique_ptr<llvm::TargetMachine>
createTargetMachine(const CPUOptions &options, Location loc) {
  llvm::Triple triple(llvm::sys::getDefaultTargetTriple());
  std::string error;
  const llvm::Target *target = getHostTarget(error);
  if (!target) {
    emitError(loc) << "no code generator for the host: " << error;
    return nullptr;
  }
  // LLVM only warns about an unknown processor, and goes on.
  if (!isKnownCPU(options.cpu)) {
    emitError(loc) << "unknown CPU '" << options.cpu << "' for " << triple.str()
                   << "; expected 'native' or a name that "
                   << "LLVM knows, such as 'x86-64-v3'";
    return nullptr;
  }
  auto [cpu, features] = resolveCPU(options.cpu);
  llvm::TargetOptions targetOptions;
  // One rounding per operation: a product and a sum are never fused.
  targetOptions.AllowFPOpFusion = llvm::FPOpFusion::Strict;
  // Constructors and destructors, which register kernels, as ELF has them.
  targetOptions.UseInitArray = true;
  static constexpr llvm::CodeGenOptLevel kLevels[] = {
      llvm::CodeGenOptLevel::None, llvm::CodeGenOptLevel::Less,
      llvm::CodeGenOptLevel::Default, llvm::CodeGenOptLevel::Aggressive};
  return std::unique_ptr<llvm::TargetMachine>(target->createTargetMachine(
      triple, cpu, features, targetOptions, llvm::Reloc::PIC_, std::nullopt,
      kLevels[std::min(options.optLevel, 3u)]));
}

/// Level 2. LLVM's own takes ten times as long on a model, most of it to
/// rewrite induction variables: index arithmetic comes out of MLIR folded, in
/// loops that count from zero. What is left to do is to move it out of loops,
/// and to vectorize.
static constexpr llvm::StringLiteral kQuickPipeline =
    "function(sroa,early-cse,simplifycfg,instcombine<no-verify-fixpoint>,"
    "reassociate,loop-simplify,lcssa,loop-mssa(loop-rotate,licm),simplifycfg,"
    "instcombine<no-verify-fixpoint>,loop-vectorize,early-cse,"
    "instcombine<no-verify-fixpoint>,simplifycfg,loop-mssa(licm),early-cse),"
    "globaldce";

/// Long functions without a loop are the glue between the loops of a program:
/// they run once, and take as long to generate code for as all loops together.
/// The quick code generator is enough for them.
static void keepGlueQuick(llvm::Module &module) {
  constexpr unsigned kLong = 1000;
  for (llvm::Function &function : module) {
    if (function.isDeclaration() || function.getInstructionCount() < kLong)
      continue;
    llvm::DominatorTree tree(function);
    if (!llvm::LoopInfo(tree).empty())
      continue;
    function.addFnAttr(llvm::Attribute::NoInline);
    function.addFnAttr(llvm::Attribute::OptimizeNone);
  }
}

/// Vectors are wider than what the stack of a caller is aligned to: each one
/// that is spilled would lie in two lines of the caches. LLVM finds out that it
/// spills when it is too late to align.
static void alignStacks(llvm::Module &module) {
  for (llvm::Function &function : module)
    if (!function.isDeclaration())
      function.addFnAttr("stackrealign");
}

static void optimize(llvm::Module &module, llvm::TargetMachine &machine,
                     unsigned optLevel) {
  llvm::LoopAnalysisManager loops;
  llvm::FunctionAnalysisManager functions;
  llvm::CGSCCAnalysisManager callGraph;
  llvm::ModuleAnalysisManager modules;
  llvm::PipelineTuningOptions tuning;
  tuning.LoopVectorization = optLevel > 1;
  // What takes LLVM longest, for little: blocks are vectors already.
  tuning.SLPVectorization = tuning.LoopUnrolling = optLevel > 2;
  llvm::PassBuilder builder(&machine, tuning);
  builder.registerModuleAnalyses(modules);
  builder.registerCGSCCAnalyses(callGraph);
  builder.registerFunctionAnalyses(functions);
  builder.registerLoopAnalyses(loops);
  builder.crossRegisterProxies(loops, functions, callGraph, modules);
  static const llvm::OptimizationLevel kLevels[] = {
      llvm::OptimizationLevel::O0, llvm::OptimizationLevel::O1,
      llvm::OptimizationLevel::O2, llvm::OptimizationLevel::O3};
  llvm::OptimizationLevel level = kLevels[std::min(optLevel, 3u)];
  llvm::ModulePassManager passes;
  if (optLevel == 2)
    llvm::cantFail(builder.parsePassPipeline(passes, kQuickPipeline));
  else if (optLevel == 0)
    passes = builder.buildO0DefaultPipeline(level);
  else
    passes = builder.buildPerModuleDefaultPipeline(level);
  passes.run(module, modules);
  if (optLevel < 3)
    keepGlueQuick(module);
}

/// The host's code generator does not treat bf16 values exactly, so that none
/// may reach it: lowp-bf16-to-i16 leaves none, and this makes sure of it.
static bool containsBFloat(const llvm::Module &module) {
  auto isBFloat = [](const llvm::Type *type) {
    return type->getScalarType()->isBFloatTy();
  };
  for (const llvm::Function &function : module)
    for (const llvm::Instruction &instruction : llvm::instructions(function))
      if (isBFloat(instruction.getType()) ||
          llvm::any_of(instruction.operand_values(), [&](const auto *value) {
            return isBFloat(value->getType());
          }))
        return true;
  return false;
}

/// Runs `function`; if LLVM gives up in it, returns false and the reason.
static bool runGuarded(llvm::function_ref<void()> function,
                       std::string &reason) {
  // Both the handlers of crashes and the one of fatal errors belong to the
  // process.
  static std::mutex mutex;
  std::lock_guard<std::mutex> lock(mutex);
  llvm::CrashRecoveryContext::Enable();
  bool succeeded;
  {
    llvm::ScopedFatalErrorHandler handler(
        [](void *text, const char *message, bool) {
          *static_cast<std::string *>(text) = message;
          llvm::CrashRecoveryContext::GetCurrent()->HandleExit(1);
        },
        &reason);
    llvm::CrashRecoveryContext context;
    succeeded = context.RunSafely(function);
  }
  llvm::CrashRecoveryContext::Disable();
  if (!succeeded && reason.empty())
    reason = "it crashed";
  return succeeded;
}

FailureOr<std::string> lowp::emitCPU(ModuleOp module, CPUOutput output,
                                     const CPUOptions &options,
                                     StringRef target) {
  Location loc = module.getLoc();
  std::unique_ptr<llvm::TargetMachine> machine =
      createTargetMachine(options, loc);
  if (!machine)
    return failure();
  OwningOpRef<ModuleOp> clone = module.clone();
  auto entries = takeEntries(*clone);
  if (failed(entries))
    return failure();
  llvm::LLVMContext context;
  std::unique_ptr<llvm::Module> llvmModule =
      translateModuleToLLVMIR(*clone, context, "lowp");
  if (!llvmModule)
    return emitError(loc) << "cannot translate the module to LLVM IR";
  llvmModule->setTargetTriple(machine->getTargetTriple());
  llvmModule->setDataLayout(machine->createDataLayout());
  if (containsBFloat(*llvmModule))
    return emitError(loc) << "bf16 values reached the code generator; the "
                             "'convert' stage is expected to replace them";
  addCInterface(*llvmModule, *entries, target);

  std::string text, reason;
  bool canEmit = true;
  bool succeeded = runGuarded(
      [&] {
        optimize(*llvmModule, *machine, options.optLevel);
        alignStacks(*llvmModule);
        if (output == CPUOutput::LLVM) {
          llvm::raw_string_ostream stream(text);
          llvmModule->print(stream, nullptr);
          return;
        }
        llvm::SmallVector<char, 0> object;
        llvm::raw_svector_ostream stream(object);
        llvm::legacy::PassManager passes;
        canEmit = !machine->addPassesToEmitFile(
            passes, stream, nullptr, llvm::CodeGenFileType::ObjectFile);
        if (canEmit)
          passes.run(*llvmModule);
        text.assign(object.begin(), object.end());
      },
      reason);
  if (!succeeded) {
    // Whatever state the crash left behind is not safe to tear down.
    (void)llvmModule.release();
    (void)machine.release();
    return emitError(loc) << "the code generator failed: " << reason;
  }
  if (!canEmit)
    return emitError(loc) << "the host's code generator writes no objects";
  if (output == CPUOutput::LLVM)
    return text;
  return linkProgram(text, output == CPUOutput::Shared,
                     /*forGPU=*/target != "cpu", loc);
}
