//===- Lexer.cpp - Tokens of PTX text -------------------------------------===//
//
// Part of the Lowp project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Lexer.h"

#include "llvm/ADT/StringExtras.h"

using namespace lowp::sim;

void Lexer::skipSpace() {
  while (!rest.empty()) {
    if (rest.starts_with("//")) {
      rest = rest.drop_until([](char c) { return c == '\n'; });
    } else if (rest.starts_with("/*")) {
      size_t end = rest.find("*/", 2);
      llvm::StringRef comment = rest.substr(0, end);
      line += comment.count('\n');
      rest =
          rest.drop_front(end == llvm::StringRef::npos ? rest.size() : end + 2);
    } else if (llvm::isSpace(rest.front())) {
      line += rest.front() == '\n';
      rest = rest.drop_front();
    } else {
      return;
    }
  }
}

Token Lexer::next() {
  skipSpace();
  Token token;
  token.line = line;
  if (rest.empty())
    return token;
  auto isName = [](char c) { return llvm::isAlnum(c) || c == '_' || c == '$'; };
  char first = rest.front();
  size_t size = 1;
  if (llvm::isDigit(first)) {
    token.kind = Token::Number;
    // `1.5`, `0f3F800000`, `0x1fU`, `1e-5`; a sign belongs to a decimal
    // exponent only.
    bool isHex = rest.starts_with_insensitive("0x") ||
                 rest.starts_with_insensitive("0f") ||
                 rest.starts_with_insensitive("0d");
    while (size < rest.size()) {
      char c = rest[size];
      bool isExponentSign = !isHex && (c == '+' || c == '-') &&
                            (rest[size - 1] == 'e' || rest[size - 1] == 'E');
      if (!llvm::isAlnum(c) && c != '.' && !isExponentSign)
        break;
      ++size;
    }
  } else if (isName(first) || first == '%' || first == '.') {
    token.kind = Token::Word;
    while (size < rest.size()) {
      if (isName(rest[size]) || rest[size] == '.')
        ++size;
      else if (rest.substr(size).starts_with("::") && size + 2 < rest.size() &&
               isName(rest[size + 2]))
        size += 2;
      else
        break;
    }
  } else if (first == '"') {
    size_t end = rest.find_first_of("\"\n", 1);
    bool closed = end != llvm::StringRef::npos && rest[end] == '"';
    token.kind = closed ? Token::String : Token::Invalid;
    size = closed ? end + 1 : 1;
  } else if (llvm::StringRef("{}()[]<>,;:=+-!@|*/").contains(first)) {
    token.kind = Token::Punctuation;
  } else {
    token.kind = Token::Invalid;
  }
  token.text = rest.take_front(size);
  rest = rest.drop_front(size);
  return token;
}
