//===- BlockProgram.cpp - run block operations on the host ----------------===//
//
// Part of the lowp project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "BlockProgram.h"

#include "lowp/Conversion/Passes.h"
#include "lowp/IR/LowpDialect.h"

#include "mlir/Conversion/Passes.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/ControlFlow/IR/ControlFlow.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "mlir/ExecutionEngine/ExecutionEngine.h"
#include "mlir/ExecutionEngine/OptUtils.h"
#include "mlir/Parser/Parser.h"
#include "mlir/Pass/PassManager.h"
#include "mlir/Pass/PassRegistry.h"
#include "mlir/Target/LLVMIR/Dialect/Builtin/BuiltinToLLVMIRTranslation.h"
#include "mlir/Target/LLVMIR/Dialect/LLVMIR/LLVMToLLVMIRTranslation.h"

#include "llvm/Support/TargetSelect.h"
#include "gtest/gtest.h"

using namespace mlir;

//===----------------------------------------------------------------------===//
// Body
//===----------------------------------------------------------------------===//

std::string Body::index(int64_t count) {
  std::string factor = "%f" + std::to_string(numIndices);
  std::string name = "%k" + std::to_string(numIndices++);
  line(factor + " = arith.constant " + std::to_string(count) + " : index");
  line(name + " = arith.muli %i, " + factor + " : index");
  return name;
}

Body &Body::line(const std::string &newLine) {
  text += "    " + newLine + "\n";
  return *this;
}

Body &Body::load(const std::string &name, int argument, const std::string &type,
                 int64_t count) {
  std::string memref = " : memref<?x" + type + ">";
  std::string array = "%a" + std::to_string(argument);
  if (count == 0)
    return line("%" + name + " = memref.load " + array + "[%i]" + memref);
  std::string at = index(count);
  return line("%" + name + " = vector.load " + array + "[" + at + "]" + memref +
              ", vector<" + std::to_string(count) + "x" + type + ">");
}

Body &Body::store(const std::string &name, int argument,
                  const std::string &type, int64_t count) {
  std::string memref = " : memref<?x" + type + ">";
  std::string array = "%a" + std::to_string(argument);
  if (count == 0)
    return line("memref.store %" + name + ", " + array + "[%i]" + memref);
  std::string at = index(count);
  return line("vector.store %" + name + ", " + array + "[" + at + "]" + memref +
              ", vector<" + std::to_string(count) + "x" + type + ">");
}

//===----------------------------------------------------------------------===//
// BlockProgram
//===----------------------------------------------------------------------===//

struct BlockProgram::Impl {
  DialectRegistry registry;
  std::unique_ptr<MLIRContext> context;
  OwningOpRef<ModuleOp> module;
  std::unique_ptr<ExecutionEngine> engine;
};

BlockProgram::BlockProgram() : impl(std::make_unique<Impl>()) {
  static const bool initialized = [] {
    llvm::InitializeNativeTarget();
    llvm::InitializeNativeTargetAsmPrinter();
    registerConversionPasses();
    lowp::registerLowpConversionPasses();
    return true;
  }();
  (void)initialized;
  impl->registry
      .insert<lowp::LowpDialect, arith::ArithDialect, cf::ControlFlowDialect,
              func::FuncDialect, LLVM::LLVMDialect, memref::MemRefDialect,
              scf::SCFDialect, vector::VectorDialect>();
  registerBuiltinDialectTranslation(impl->registry);
  registerLLVMDialectTranslation(impl->registry);
}

BlockProgram::~BlockProgram() = default;

void BlockProgram::add(const std::string &name,
                       const std::vector<std::string> &types,
                       const Body &body) {
  text += "func.func @" + name + "(%n: index";
  for (size_t i = 0; i < types.size(); ++i)
    text += ", %a" + std::to_string(i) + ": memref<?x" + types[i] + ">";
  text += ") attributes {llvm.emit_c_interface} {\n"
          "  %c0 = arith.constant 0 : index\n"
          "  %c1 = arith.constant 1 : index\n"
          "  scf.for %i = %c0 to %n step %c1 {\n" +
          body.str() + "  }\n  return\n}\n";
}

bool BlockProgram::compile() {
  impl->context = std::make_unique<MLIRContext>(
      impl->registry, MLIRContext::Threading::DISABLED);
  impl->module = parseSourceString<ModuleOp>(text, impl->context.get());
  if (!impl->module) {
    ADD_FAILURE() << "does not parse:\n" << text;
    return false;
  }
  PassManager manager(impl->context.get());
  if (failed(parsePassPipeline(
          "convert-lowp-to-arith,convert-scf-to-cf,convert-vector-to-llvm,"
          "convert-math-to-llvm,convert-ub-to-llvm,convert-arith-to-llvm,"
          "finalize-memref-to-llvm,convert-cf-to-llvm,convert-func-to-llvm,"
          "reconcile-unrealized-casts",
          manager)) ||
      failed(manager.run(*impl->module))) {
    ADD_FAILURE() << "does not lower";
    return false;
  }
  auto optimize = makeOptimizingTransformer(/*optLevel=*/3, /*sizeLevel=*/0,
                                            /*targetMachine=*/nullptr);
  ExecutionEngineOptions options;
  options.transformer = optimize;
  llvm::Expected<std::unique_ptr<ExecutionEngine>> engine =
      ExecutionEngine::create(*impl->module, options);
  if (!engine) {
    ADD_FAILURE() << llvm::toString(engine.takeError());
    return false;
  }
  impl->engine = std::move(*engine);
  return true;
}

void BlockProgram::run(const std::string &name, int64_t blocks,
                       std::vector<Array> arrays) {
  // The descriptor of a 1-D memref.
  struct Descriptor {
    void *allocated, *aligned;
    int64_t offset, size, stride;
  };
  std::vector<Descriptor> descriptors;
  for (const Array &array : arrays)
    descriptors.push_back({array.data, array.data, 0, array.size, 1});
  std::vector<Descriptor *> pointers;
  for (Descriptor &descriptor : descriptors)
    pointers.push_back(&descriptor);
  SmallVector<void *> arguments = {&blocks};
  for (Descriptor *&pointer : pointers)
    arguments.push_back(&pointer);
  llvm::Error error =
      impl->engine->invokePacked("_mlir_ciface_" + name, arguments);
  if (error)
    ADD_FAILURE() << llvm::toString(std::move(error));
}

Mismatches::~Mismatches() {
  if (count != 0)
    ADD_FAILURE() << what << ": " << count << " mismatches" << lines;
}
