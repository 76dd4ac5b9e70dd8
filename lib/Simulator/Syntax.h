//===- Syntax.h - What the parser makes of PTX text -------------*- C++ -*-===//
//
// Part of the Lowp project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Names are resolved to registers and variables; labels and opcodes are left to
// the decoder. All names point into the text.
//
//===----------------------------------------------------------------------===//

#ifndef LOWP_LIB_SIMULATOR_SYNTAX_H
#define LOWP_LIB_SIMULATOR_SYNTAX_H

#include "Types.h"

#include "lowp/Simulator/Simulator.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/ADT/StringMap.h"

#include <vector>

namespace lowp::sim {

enum class Space : uint8_t { Generic, Global, Const, Shared, Local, Param };

struct Operand {
  enum Kind : uint8_t {
    /// `index` is a register of the function.
    Register,
    /// `index` is a variable of `space`.
    Variable,
    /// A label, a function or a special register: `name`.
    Name,
    /// `value` holds the bits of an integer.
    Integer,
    /// `value` holds the bits of an F32 or F64 (`type`).
    Float,
    /// `{a, b}` and `(a, b)`.
    Vector,
    /// `a|b`.
    Pair,
    /// `[base+offset]`: the base is the only element, if there is one.
    Address,
    /// `_`
    Sink,
  };

  Kind kind = Sink;
  /// `!%p`.
  bool negated = false;
  Type type = Type::None;
  unsigned index = 0;
  uint64_t value = 0;
  llvm::StringRef name;
  std::vector<Operand> elements;
};

struct Instruction {
  unsigned line = 0;
  llvm::StringRef opcode;
  /// Register of the guard, -1 for none.
  int guard = -1;
  bool guardNegated = false;
  std::vector<Operand> operands;
};

struct Register {
  llvm::StringRef name;
  Type type;
};

struct Variable {
  llvm::StringRef name;
  Space space;
  uint64_t size = 0;
  uint64_t alignment = 1;
  /// `.extern .shared x[]`: dynamic shared memory.
  bool isExtern = false;
  /// Bytes of the initialiser; what is beyond is zero.
  std::vector<uint8_t> initializer;
  unsigned line = 0;
  /// Set by the layout; of module variables the address on the host.
  uint64_t address = 0;
};

struct ParsedFunction {
  llvm::StringRef name;
  bool isEntry = false;
  unsigned line = 0;
  std::vector<Parameter> parameters;
  std::vector<Register> registers;
  std::vector<Instruction> instructions;
  /// Index of the instruction after each label.
  llvm::StringMap<unsigned> labels;
  Dim3 maxThreads{0, 0, 0};
  Dim3 requiredThreads{0, 0, 0};
};

struct ParsedModule {
  llvm::VersionTuple version;
  llvm::StringRef target;
  /// Variables of the module and of all functions.
  std::vector<Variable> variables;
  std::vector<ParsedFunction> functions;
};

llvm::Expected<ParsedModule> parseModule(llvm::StringRef text);

} // namespace lowp::sim

#endif // LOWP_LIB_SIMULATOR_SYNTAX_H
