//===- Simulator.h - Executes PTX on the CPU --------------------*- C++ -*-===//
//
// Part of the Lowp project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A functional simulator of PTX. A module is parsed and decoded once; a launch
// then executes a kernel on memory of the host, thread by thread as the ISA
// defines it, or stops at the first fault.
//
// The memory of a kernel is what the caller registers in a `Memory`: global
// addresses are host addresses, so that a runtime can hand out real pointers.
//
//===----------------------------------------------------------------------===//

#ifndef LOWP_SIMULATOR_SIMULATOR_H
#define LOWP_SIMULATOR_SIMULATOR_H

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/StringRef.h"
#include "llvm/Support/Error.h"
#include "llvm/Support/VersionTuple.h"

#include <cstdint>
#include <memory>
#include <string>
#include <utility>
#include <vector>

namespace llvm {
class raw_ostream;
} // namespace llvm

namespace lowp::sim {

struct Dim3 {
  uint32_t x = 1, y = 1, z = 1;

  uint64_t count() const { return uint64_t(x) * y * z; }
};

/// What went wrong in a text or a launch.
enum class FaultKind : uint8_t {
  /// The text is no PTX, or uses what the simulator does not have.
  Syntax,
  UnknownInstruction,
  /// The `.target` does not have the instruction, or the `.version` is too low.
  Unsupported,
  /// The launch itself is wrong: unknown kernel, sizes, arguments.
  Launch,
  OutOfBounds,
  Misaligned,
  UninitializedRegister,
  UninitializedMemory,
  Race,
  Barrier,
  Deadlock,
  /// A result that the ISA leaves open.
  Unspecified,
  Trap,
  InstructionLimit,
};

llvm::StringRef getName(FaultKind kind);

/// An error of the simulator. Fields that do not apply are zero.
class Fault : public llvm::ErrorInfo<Fault> {
public:
  static char ID;

  Fault(FaultKind kind, unsigned line, std::string message)
      : kind(kind), line(line), message(std::move(message)) {}

  void log(llvm::raw_ostream &os) const override;
  std::error_code convertToErrorCode() const override {
    return llvm::inconvertibleErrorCode();
  }

  FaultKind kind;
  /// Line of the PTX text, from 1; 0 where there is none.
  unsigned line;
  std::string message;

  /// The faulting thread, for faults of an execution.
  bool hasThread = false;
  Dim3 block{0, 0, 0};
  Dim3 thread{0, 0, 0};
  /// The address of a memory fault, in its space.
  bool hasAddress = false;
  uint64_t address = 0;
};

/// The global memory that kernels may touch.
class Memory {
public:
  /// Registers `size` bytes at `base`. Overlapping allocations are an error of
  /// the caller.
  void add(void *base, size_t size);
  /// Forgets the allocation that starts at `base`; false if there is none.
  bool remove(void *base);

  /// The allocation that holds `address`, as [begin, end); empty if none.
  std::pair<uint64_t, uint64_t> find(uint64_t address) const;

private:
  /// Sorted by their begin.
  std::vector<std::pair<uint64_t, uint64_t>> allocations;
};

struct Options {
  /// Perturb results of approximate instructions within their documented error.
  bool perturb = true;
  /// Report reads of registers that were never written.
  bool checkRegisters = true;
  /// Report reads of shared and local memory that was never written.
  bool checkMemory = true;
  /// Report accesses to shared memory that no barrier orders.
  bool checkRaces = true;
  /// Report results that the ISA leaves open.
  bool checkUnspecified = true;
  /// Warp instructions that a launch may execute; 0 for no limit.
  uint64_t maxInstructions = 0;
  /// Where to print each instruction that a warp executes.
  llvm::raw_ostream *trace = nullptr;
};

struct LaunchConfig {
  Dim3 grid;
  Dim3 block;
  /// Bytes of dynamic shared memory.
  uint32_t sharedBytes = 0;
};

/// Executed instructions.
struct Counts {
  /// Thread instructions by form, e.g. "add.s32", in the order of the name.
  std::vector<std::pair<std::string, uint64_t>> threads;
  uint64_t threadInstructions = 0;
  uint64_t warpInstructions = 0;
};

struct Parameter {
  std::string name;
  uint32_t offset;
  uint32_t size;
  uint32_t alignment;
};

struct Program;
struct Function;

/// A kernel of a module, alive as long as that.
class Kernel {
public:
  Kernel(const Program &program, const Function &function)
      : program(program), function(function) {}

  llvm::StringRef getName() const;
  llvm::ArrayRef<Parameter> getParameters() const;
  /// Bytes of static shared memory.
  uint32_t getSharedBytes() const;
  /// The `.maxntid` or `.reqntid` of the kernel; 0 threads where it has none.
  Dim3 getMaxThreads() const;

  /// Runs all threads of the grid. `arguments` points to the value of each
  /// parameter, as for the driver's cuLaunchKernel.
  llvm::Expected<Counts> launch(const LaunchConfig &config,
                                llvm::ArrayRef<const void *> arguments,
                                const Memory &memory,
                                const Options &options = {}) const;

private:
  const Program &program;
  const Function &function;
};

/// The PTX of a module.
class Module {
public:
  /// Parses and decodes a text; errors are Faults with its lines.
  static llvm::Expected<std::unique_ptr<Module>> parse(llvm::StringRef ptx);
  ~Module();

  llvm::StringRef getTarget() const;
  llvm::VersionTuple getVersion() const;

  llvm::ArrayRef<Kernel> getKernels() const { return kernels; }
  /// The kernel of that name, or null.
  const Kernel *findKernel(llvm::StringRef name) const;

  /// Address and size of a `.global` variable; null if there is none.
  std::pair<void *, size_t> findGlobal(llvm::StringRef name) const;

  /// The instruction forms of the text, sorted, each once.
  std::vector<std::string> getForms() const;

private:
  Module();

  std::unique_ptr<Program> program;
  std::vector<Kernel> kernels;
};

} // namespace lowp::sim

#endif // LOWP_SIMULATOR_SIMULATOR_H
