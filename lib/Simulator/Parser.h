//===- Parser.h - From tokens to functions ----------------------*- C++ -*-===//
//
// Part of the Lowp project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef LOWP_LIB_SIMULATOR_PARSER_H
#define LOWP_LIB_SIMULATOR_PARSER_H

#include "Lexer.h"
#include "Syntax.h"

#include "llvm/ADT/Twine.h"

namespace lowp::sim {

/// A recursive descent parser. Methods that return bool return false on an
/// error, of which the first is kept.
class Parser {
public:
  explicit Parser(llvm::StringRef text) : lexer(text) { advance(); }

  llvm::Expected<ParsedModule> run();

private:
  /// What a name stands for in a scope.
  struct Entry {
    bool isRegister = false;
    /// Of a register or a variable; of `%r<N>` the N.
    unsigned index = 0;
    Type type = Type::None;
  };
  struct Scope {
    llvm::StringMap<Entry> names;
    /// `%r<N>` declares %r0 to %rN-1, which get registers once used.
    llvm::StringMap<Entry> families;
  };

  bool error(unsigned line, const llvm::Twine &message);
  bool error(const llvm::Twine &message) { return error(token.line, message); }
  void advance() { token = lexer.next(); }
  bool consume(char c);
  bool expect(char c);
  bool expectName(llvm::StringRef &name);
  bool skipLine();
  bool skipBraces();

  bool parseDirective();
  bool parseFunction(bool isEntry);
  bool parseParameters(ParsedFunction *function);
  bool parseThreads(Dim3 &threads);
  bool parseBody();
  bool parseStatement();
  bool parseBodyDirective();
  bool parseInstruction();
  bool parseOperand(Operand &operand, bool allowVector);
  bool parseAddress(Operand &operand);
  bool parseNumber(Operand &operand, bool negative);
  bool parseInteger(uint64_t &value);
  bool parseSignedInteger(int64_t &value);
  bool parseRegisters();
  bool parseVariables(Space space, bool isExtern);
  bool parseInitializer(Variable &variable, Type type, unsigned depth);
  bool declare(llvm::StringRef name, Entry entry);
  bool resolve(llvm::StringRef name, Operand &operand);

  Lexer lexer;
  Token token;
  ParsedModule module;
  ParsedFunction *function = nullptr;
  std::vector<Scope> scopes;
  unsigned errorLine = 0;
  std::string message;
  bool failed = false;
};

} // namespace lowp::sim

#endif // LOWP_LIB_SIMULATOR_PARSER_H
