//===- Simulator.cpp - Modules and launches -------------------------------===//
//
// Part of the Lowp project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "lowp/Simulator/Simulator.h"

#include "Decoder.h"
#include "Races.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/MathExtras.h"
#include "llvm/Support/raw_ostream.h"

#include <algorithm>

using namespace lowp::sim;

char Fault::ID = 0;

llvm::StringRef lowp::sim::getName(FaultKind kind) {
  switch (kind) {
  case FaultKind::Syntax:
    return "syntax";
  case FaultKind::UnknownInstruction:
    return "unknown instruction";
  case FaultKind::Unsupported:
    return "unsupported by the target";
  case FaultKind::Launch:
    return "launch";
  case FaultKind::OutOfBounds:
    return "out of bounds";
  case FaultKind::Misaligned:
    return "misaligned";
  case FaultKind::UninitializedRegister:
    return "uninitialised register";
  case FaultKind::UninitializedMemory:
    return "uninitialised memory";
  case FaultKind::Race:
    return "race";
  case FaultKind::Barrier:
    return "barrier";
  case FaultKind::Deadlock:
    return "deadlock";
  case FaultKind::Unspecified:
    return "unspecified result";
  case FaultKind::Trap:
    return "trap";
  case FaultKind::InstructionLimit:
    return "instruction limit";
  }
  return "";
}

void Fault::log(llvm::raw_ostream &os) const {
  if (line)
    os << "line " << line << ": ";
  os << sim::getName(kind) << ": " << message;
  auto print = [&](const Dim3 &d) {
    os << "(" << d.x << "," << d.y << "," << d.z << ")";
  };
  if (hasThread) {
    os << "; block ";
    print(block);
    os << ", thread ";
    print(thread);
  }
  if (hasAddress)
    os << ", address 0x" << llvm::utohexstr(address, /*LowerCase=*/true);
}

//===----------------------------------------------------------------------===//
// Kernel
//===----------------------------------------------------------------------===//

llvm::StringRef Kernel::getName() const { return function.name; }
llvm::ArrayRef<Parameter> Kernel::getParameters() const {
  return function.parameters;
}
uint32_t Kernel::getSharedBytes() const { return function.sharedBytes; }
Dim3 Kernel::getMaxThreads() const {
  return function.requiredThreads.count() ? function.requiredThreads
                                          : function.maxThreads;
}

static llvm::Error checkLaunch(const Function &function,
                               const LaunchConfig &config,
                               size_t numArguments) {
  auto error = [&](const llvm::Twine &message) {
    return llvm::make_error<Fault>(
        FaultKind::Launch, 0, ("'" + function.name + "' " + message).str());
  };
  constexpr uint64_t kMaxShared = 227 * 1024;
  const Dim3 &block = config.block, &grid = config.grid;
  uint64_t threads = block.count();
  if (block.x > 1024 || block.y > 1024 || block.z > 64 || threads == 0 ||
      threads > 1024)
    return error("needs blocks of 1 to 1024 threads");
  if (grid.x == 0 || grid.y == 0 || grid.z == 0 || grid.x > 0x7FFFFFFF ||
      grid.y > 65535 || grid.z > 65535)
    return error("needs a grid of 1 to 2^31-1 blocks in x, 65535 in y and z");
  if (function.maxThreads.count() && threads > function.maxThreads.count())
    return error("is compiled for blocks of at most " +
                 llvm::Twine(function.maxThreads.count()) +
                 " threads, but got " + llvm::Twine(threads));
  const Dim3 &required = function.requiredThreads;
  if (required.count() &&
      (required.x != block.x || required.y != block.y || required.z != block.z))
    return error("is compiled for another size of blocks");
  if (uint64_t(function.sharedBytes) + config.sharedBytes > kMaxShared)
    return error("has more than " + llvm::Twine(kMaxShared) +
                 " bytes of shared memory");
  if (numArguments != function.parameters.size())
    return error("has " + llvm::Twine(function.parameters.size()) +
                 " parameters, but got " + llvm::Twine(numArguments));
  return llvm::Error::success();
}

llvm::Expected<Counts> Kernel::launch(const LaunchConfig &config,
                                      llvm::ArrayRef<const void *> arguments,
                                      const Memory &memory,
                                      const Options &options) const {
  if (llvm::Error error = checkLaunch(function, config, arguments.size()))
    return std::move(error);
  Grid grid;
  grid.program = &program;
  grid.function = &function;
  grid.memory = &memory;
  grid.config = config;
  grid.options = options;
  grid.counts.resize(program.forms.size());
  grid.parameters.resize(function.parameterBytes);
  for (auto [parameter, argument] : llvm::zip(function.parameters, arguments))
    std::memcpy(grid.parameters.data() + parameter.offset, argument,
                parameter.size);
  runGrid(grid);
  if (grid.fault)
    return llvm::make_error<Fault>(*grid.fault);
  Counts counts;
  counts.warpInstructions = grid.warpInstructions;
  for (auto [form, count] : llvm::zip(program.forms, grid.counts)) {
    if (count)
      counts.threads.emplace_back(form, count);
    counts.threadInstructions += count;
  }
  llvm::sort(counts.threads);
  return counts;
}

//===----------------------------------------------------------------------===//
// Module
//===----------------------------------------------------------------------===//

Module::Module() = default;
Module::~Module() = default;

/// Gives the variables of a module memory on the host.
static llvm::Error allocateVariables(Program &program) {
  auto isOfModule = [](const Variable &variable) {
    return variable.space == Space::Global || variable.space == Space::Const;
  };
  // No real module comes near; a text that says so must not take the memory.
  constexpr uint64_t kMaxBytes = uint64_t(1) << 30;
  uint64_t bytes = 0;
  for (const Variable &variable : program.module.variables)
    if (isOfModule(variable)) {
      bytes += variable.size;
      if (bytes > kMaxBytes)
        return llvm::make_error<Fault>(
            FaultKind::Syntax, variable.line,
            "variables take more than " + std::to_string(kMaxBytes) + " bytes");
    }
  for (Variable &variable : program.module.variables) {
    if (!isOfModule(variable))
      continue;
    if (variable.isExtern)
      return llvm::make_error<Fault>(
          FaultKind::Syntax, variable.line,
          ("'" + variable.name + "' is defined in another module").str());
    // Aligned by hand: alignments go beyond that of operator new.
    size_t words = (variable.size + variable.alignment) / 8 + 2;
    program.storage.push_back(std::make_unique<uint64_t[]>(words));
    uint64_t base =
        llvm::alignTo(reinterpret_cast<uint64_t>(program.storage.back().get()),
                      variable.alignment);
    variable.address = base;
    std::memcpy(reinterpret_cast<void *>(base), variable.initializer.data(),
                variable.initializer.size());
    program.memory.add(reinterpret_cast<void *>(base), variable.size);
  }
  return llvm::Error::success();
}

llvm::Expected<std::unique_ptr<Module>> Module::parse(llvm::StringRef ptx) {
  std::unique_ptr<Module> module(new Module());
  module->program = std::make_unique<Program>();
  Program &program = *module->program;
  // The driver's texts end at a NUL.
  program.text = ptx.split('\0').first.str();
  llvm::Expected<ParsedModule> parsed = parseModule(program.text);
  if (!parsed)
    return parsed.takeError();
  program.module = std::move(*parsed);
  std::string problem =
      checkTarget(program.module.target, program.module.version);
  if (!problem.empty())
    return llvm::make_error<Fault>(FaultKind::Unsupported, 0, problem);
  if (llvm::Error error = allocateVariables(program))
    return std::move(error);
  for (const ParsedFunction &function : program.module.functions) {
    if (!function.isEntry)
      return llvm::make_error<Fault>(
          FaultKind::Syntax, function.line,
          "functions that are no kernels are not simulated");
    program.functions.push_back(std::make_unique<Function>());
    Decoder decoder(program, function, *program.functions.back());
    if (llvm::Error error = decoder.run())
      return std::move(error);
    module->kernels.emplace_back(program, *program.functions.back());
  }
  return module;
}

llvm::StringRef Module::getTarget() const { return program->module.target; }

llvm::VersionTuple Module::getVersion() const {
  return program->module.version;
}

const Kernel *Module::findKernel(llvm::StringRef name) const {
  for (const Kernel &kernel : kernels)
    if (kernel.getName() == name)
      return &kernel;
  return nullptr;
}

std::pair<void *, size_t> Module::findGlobal(llvm::StringRef name) const {
  for (const Variable &variable : program->module.variables)
    if (variable.name == name && variable.space == Space::Global)
      return {reinterpret_cast<void *>(variable.address),
              static_cast<size_t>(variable.size)};
  return {nullptr, 0};
}

std::vector<std::string> Module::getForms() const {
  std::vector<std::string> forms = program->forms;
  llvm::sort(forms);
  return forms;
}
