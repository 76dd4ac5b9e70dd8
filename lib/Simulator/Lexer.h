//===- Lexer.h - Tokens of PTX text -----------------------------*- C++ -*-===//
//
// Part of the Lowp project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef LOWP_LIB_SIMULATOR_LEXER_H
#define LOWP_LIB_SIMULATOR_LEXER_H

#include "llvm/ADT/StringRef.h"

namespace lowp::sim {

struct Token {
  enum Kind : uint8_t {
    End,
    /// Identifiers, opcodes and directives with their modifiers.
    Word,
    Number,
    String,
    /// One character.
    Punctuation,
    Invalid
  };

  Kind kind = End;
  llvm::StringRef text;
  unsigned line = 1;

  bool is(char c) const {
    return kind == Punctuation && text.size() == 1 && text[0] == c;
  }
  bool isWord(llvm::StringRef word) const {
    return kind == Word && text == word;
  }
  bool isDirective() const { return kind == Word && text.front() == '.'; }
};

class Lexer {
public:
  explicit Lexer(llvm::StringRef text) : rest(text) {}

  Token next();

private:
  void skipSpace();

  llvm::StringRef rest;
  unsigned line = 1;
};

} // namespace lowp::sim

#endif // LOWP_LIB_SIMULATOR_LEXER_H
