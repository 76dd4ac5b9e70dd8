//===- ParseBody.cpp - Statements and operands ----------------------------===//
//
// Part of the Lowp project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Parser.h"

#include "llvm/ADT/APFloat.h"
#include "llvm/ADT/StringExtras.h"

using namespace lowp::sim;
using llvm::StringRef;

bool Parser::parseNumber(Operand &operand, bool negative) {
  StringRef text = token.text;
  auto parseHexFloat = [&](StringRef digits, unsigned width, Type type) {
    uint64_t bits = 0;
    if (digits.size() != width || digits.getAsInteger(16, bits))
      return error("'" + text + "' is no number");
    if (negative)
      bits ^= uint64_t(1) << (4 * width - 1);
    operand.kind = Operand::Float;
    operand.type = type;
    operand.value = bits;
    advance();
    return true;
  };
  if (text.starts_with_insensitive("0f"))
    return parseHexFloat(text.drop_front(2), 8, Type::F32);
  if (text.starts_with_insensitive("0d"))
    return parseHexFloat(text.drop_front(2), 16, Type::F64);
  bool isHex = text.starts_with_insensitive("0x");
  if (!isHex && text.find_first_of(".eE") != StringRef::npos) {
    llvm::APFloat value(llvm::APFloat::IEEEdouble());
    auto status =
        value.convertFromString(text, llvm::APFloat::rmNearestTiesToEven);
    if (!status) {
      llvm::consumeError(status.takeError());
      return error("'" + text + "' is no number");
    }
    if (negative)
      value.changeSign();
    operand.kind = Operand::Float;
    operand.type = Type::F64;
    operand.value = value.bitcastToAPInt().getZExtValue();
    advance();
    return true;
  }
  operand.kind = Operand::Integer;
  if (!parseInteger(operand.value))
    return false;
  if (negative)
    operand.value = 0 - operand.value;
  return true;
}

bool Parser::parseAddress(Operand &operand) {
  operand.kind = Operand::Address;
  if (token.kind == Token::Word) {
    Operand base;
    StringRef name;
    if (!expectName(name) || !resolve(name, base))
      return false;
    if (base.kind == Operand::Name)
      return error("'" + name + "' is not declared");
    operand.elements.push_back(std::move(base));
  } else if (token.kind != Token::Number && !token.is('-')) {
    return error("expected an address, but got '" + token.text + "'");
  }
  int64_t offset = 0;
  if (token.is('+') || token.is('-') || token.kind == Token::Number) {
    if (!parseSignedInteger(offset))
      return false;
  }
  operand.value = static_cast<uint64_t>(offset);
  if (token.is(','))
    return error("addresses with coordinates are not supported");
  return expect(']');
}

bool Parser::parseOperand(Operand &operand, bool allowVector) {
  if (token.is('{') || token.is('(')) {
    if (!allowVector)
      return error("a vector in a vector");
    char close = token.is('{') ? '}' : ')';
    advance();
    operand.kind = Operand::Vector;
    if (consume(close))
      return true;
    do {
      operand.elements.emplace_back();
      if (!parseOperand(operand.elements.back(), /*allowVector=*/false))
        return false;
    } while (consume(','));
    return expect(close);
  }
  if (consume('['))
    return parseAddress(operand);
  if (consume('!'))
    operand.negated = true;
  if (token.is('-') || token.is('+') || token.kind == Token::Number) {
    bool negative = false;
    while (token.is('-') || token.is('+')) {
      negative ^= token.is('-');
      advance();
    }
    if (token.kind != Token::Number || operand.negated)
      return error("expected a number, but got '" + token.text + "'");
    return parseNumber(operand, negative);
  }
  StringRef name;
  unsigned line = token.line;
  if (token.kind == Token::End)
    return error("expected an operand, but the text ends");
  if (!expectName(name))
    return false;
  if (name == "_") {
    operand.kind = Operand::Sink;
  } else if (name == "WARP_SZ") {
    operand.kind = Operand::Integer;
    operand.value = 32;
  } else if (!resolve(name, operand)) {
    return false;
  }
  if (operand.kind == Operand::Variable && (token.is('+') || token.is('-'))) {
    int64_t offset = 0;
    if (!parseSignedInteger(offset))
      return false;
    operand.value = static_cast<uint64_t>(offset);
  }
  if (allowVector && consume('|')) {
    Operand first = std::move(operand);
    operand = Operand();
    operand.kind = Operand::Pair;
    operand.elements.push_back(std::move(first));
    operand.elements.emplace_back();
    return parseOperand(operand.elements.back(), /*allowVector=*/false);
  }
  if (operand.negated && operand.kind != Operand::Register)
    return error(line, "'!' stands before predicates only");
  return true;
}

bool Parser::parseInstruction() {
  Instruction instruction;
  instruction.line = token.line;
  if (consume('@')) {
    instruction.guardNegated = consume('!');
    StringRef name;
    Operand guard;
    if (!expectName(name) || !resolve(name, guard))
      return false;
    if (guard.kind != Operand::Register || guard.type != Type::Pred)
      return error("'" + name + "' is no predicate");
    instruction.guard = static_cast<int>(guard.index);
  }
  if (token.kind != Token::Word || token.text.starts_with("."))
    return error("expected an instruction, but got '" + token.text + "'");
  instruction.opcode = token.text;
  advance();
  if (!token.is(';')) {
    do {
      instruction.operands.emplace_back();
      if (!parseOperand(instruction.operands.back(), /*allowVector=*/true))
        return false;
    } while (consume(','));
  }
  if (!expect(';'))
    return false;
  function->instructions.push_back(std::move(instruction));
  return true;
}

bool Parser::parseBodyDirective() {
  StringRef name = token.text;
  unsigned line = token.line;
  if (name == ".loc" || name == ".file")
    return skipLine();
  advance();
  if (name == ".reg")
    return parseRegisters();
  if (name == ".local")
    return parseVariables(Space::Local, /*isExtern=*/false);
  if (name == ".shared")
    return parseVariables(Space::Shared, /*isExtern=*/false);
  if (name == ".pragma") {
    if (token.kind != Token::String)
      return error("expected a string");
    advance();
    return expect(';');
  }
  return error(line, "directive '" + name + "' is not supported");
}

bool Parser::parseStatement() {
  if (token.isDirective())
    return parseBodyDirective();
  if (token.kind == Token::Word) {
    // A label is a word before a colon.
    Lexer ahead = lexer;
    if (ahead.next().is(':')) {
      if (!function->labels
               .try_emplace(token.text, function->instructions.size())
               .second)
        return error("label '" + token.text + "' is defined twice");
      advance();
      return expect(':');
    }
  }
  return parseInstruction();
}

bool Parser::parseBody() {
  unsigned begin = token.line;
  if (!expect('{'))
    return false;
  size_t outer = scopes.size();
  scopes.emplace_back();
  while (scopes.size() > outer) {
    if (token.kind == Token::End)
      return error(begin, "expected '}', but the text ends");
    if (consume('{')) {
      scopes.emplace_back();
    } else if (consume('}')) {
      scopes.pop_back();
    } else if (!parseStatement()) {
      return false;
    }
  }
  return true;
}
