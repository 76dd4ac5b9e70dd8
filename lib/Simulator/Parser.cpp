//===- Parser.cpp - Directives and declarations ---------------------------===//
//
// Part of the Lowp project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Parser.h"

#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringSwitch.h"
#include "llvm/ADT/bit.h"
#include "llvm/Support/MathExtras.h"

using namespace lowp::sim;
using llvm::StringRef;

namespace {

/// No real kernel comes near; a text that says so must not take the memory.
constexpr uint64_t kMaxVariableBytes = uint64_t(1) << 30;
constexpr unsigned kMaxRegisters = 1u << 20;

} // namespace

bool Parser::error(unsigned line, const llvm::Twine &text) {
  if (!failed) {
    errorLine = line;
    message = text.str();
    failed = true;
  }
  return false;
}

bool Parser::consume(char c) {
  if (!token.is(c))
    return false;
  advance();
  return true;
}

bool Parser::expect(char c) {
  if (consume(c))
    return true;
  if (token.kind == Token::End)
    return error("expected '" + llvm::Twine(c) + "', but the text ends");
  return error("expected '" + llvm::Twine(c) + "', but got '" + token.text +
               "'");
}

bool Parser::expectName(StringRef &name) {
  if (token.kind != Token::Word || token.text.starts_with("."))
    return error("expected a name, but got '" + token.text + "'");
  name = token.text;
  advance();
  return true;
}

bool Parser::skipLine() {
  unsigned line = token.line;
  while (token.kind != Token::End && token.line == line)
    advance();
  return true;
}

bool Parser::skipBraces() {
  while (token.kind != Token::End && !token.is('{'))
    advance();
  unsigned depth = 0;
  while (token.kind != Token::End) {
    depth += token.is('{');
    bool closes = token.is('}') && --depth == 0;
    advance();
    if (closes)
      return true;
  }
  return error("expected '}', but the text ends");
}

bool Parser::parseInteger(uint64_t &value) {
  if (token.kind != Token::Number)
    return error("expected a number, but got '" + token.text + "'");
  StringRef digits = token.text;
  digits.consume_back("U");
  if (digits.getAsInteger(0, value))
    return error("'" + token.text + "' is no integer of 64 bits");
  advance();
  return true;
}

bool Parser::parseSignedInteger(int64_t &value) {
  bool negative = false;
  while (token.is('-') || token.is('+')) {
    negative ^= token.is('-');
    advance();
  }
  uint64_t magnitude = 0;
  if (!parseInteger(magnitude))
    return false;
  value = static_cast<int64_t>(negative ? 0 - magnitude : magnitude);
  return true;
}

bool Parser::declare(StringRef name, Entry entry) {
  if (!scopes.back().names.try_emplace(name, entry).second)
    return error("'" + name + "' is declared twice");
  return true;
}

bool Parser::resolve(StringRef name, Operand &operand) {
  auto useRegister = [&](const Entry &entry) {
    operand.kind = Operand::Register;
    operand.index = entry.index;
    operand.type = entry.type;
    return true;
  };
  StringRef stem = name.rtrim("0123456789");
  StringRef digits = name.drop_front(stem.size());
  for (Scope &scope : llvm::reverse(scopes)) {
    auto found = scope.names.find(name);
    if (found != scope.names.end()) {
      if (found->second.isRegister)
        return useRegister(found->second);
      operand.kind = Operand::Variable;
      operand.index = found->second.index;
      return true;
    }
    auto family = scope.families.find(stem);
    unsigned number = 0;
    if (family == scope.families.end() || digits.getAsInteger(10, number) ||
        number >= family->second.index ||
        (digits.size() > 1 && digits.front() == '0'))
      continue;
    Entry entry;
    entry.isRegister = true;
    entry.index = function->registers.size();
    entry.type = family->second.type;
    function->registers.push_back({name, entry.type});
    scope.names[name] = entry;
    return useRegister(entry);
  }
  operand.kind = Operand::Name;
  operand.name = name;
  return true;
}

bool Parser::parseRegisters() {
  Type type = Type::None;
  while (token.isDirective()) {
    StringRef name = token.text.drop_front();
    if (name == "v2" || name == "v4")
      return error("vector registers are not supported");
    std::optional<Type> parsed = parseType(name);
    if (!parsed || type != Type::None)
      return error("'" + token.text + "' is no type of a register");
    type = *parsed;
    advance();
  }
  if (type == Type::None || type > Type::F64)
    return error("expected the type of the registers");
  do {
    StringRef name;
    if (!expectName(name))
      return false;
    if (consume('<')) {
      uint64_t count = 0;
      if (!parseInteger(count) || !expect('>'))
        return false;
      if (count > kMaxRegisters)
        return error("more than " + llvm::Twine(kMaxRegisters) + " registers");
      Entry family;
      family.index = static_cast<unsigned>(count);
      family.type = type;
      if (!scopes.back().families.try_emplace(name, family).second)
        return error("'" + name + "' is declared twice");
      continue;
    }
    Entry entry;
    entry.isRegister = true;
    entry.index = function->registers.size();
    entry.type = type;
    function->registers.push_back({name, type});
    if (!declare(name, entry))
      return false;
  } while (consume(','));
  return expect(';');
}

bool Parser::parseInitializer(Variable &variable, Type type, unsigned depth) {
  constexpr unsigned kMaxDepth = 8;
  if (depth > kMaxDepth)
    return error("initialiser is nested too deep");
  if (consume('{')) {
    if (consume('}'))
      return true;
    do
      if (!parseInitializer(variable, type, depth + 1))
        return false;
    while (consume(','));
    return expect('}');
  }
  bool negative = false;
  while (token.is('-') || token.is('+')) {
    negative ^= token.is('-');
    advance();
  }
  if (token.kind != Token::Number)
    return error("expected a number in an initialiser, but got '" + token.text +
                 "'");
  Operand number;
  if (!parseNumber(number, negative))
    return false;
  uint64_t bits = number.value;
  unsigned bytes = getBytes(type);
  if (number.kind == Operand::Float && number.type == Type::F64 && bytes == 4)
    bits = llvm::bit_cast<uint32_t>(
        static_cast<float>(llvm::bit_cast<double>(bits)));
  for (unsigned i = 0; i < bytes; ++i)
    variable.initializer.push_back(i < 8 ? bits >> (8 * i) : 0);
  if (variable.size && variable.initializer.size() > variable.size)
    return error("the initialiser has more elements than '" + variable.name +
                 "'");
  return true;
}

bool Parser::parseVariables(Space space, bool isExtern) {
  Type type = Type::None;
  uint64_t alignment = 0;
  unsigned vector = 1;
  while (token.isDirective()) {
    StringRef name = token.text.drop_front();
    if (name == "align") {
      advance();
      if (!parseInteger(alignment))
        return false;
      if (!llvm::isPowerOf2_64(alignment) || alignment > 65536)
        return error("an alignment is a power of two");
      continue;
    }
    if (name == "v2" || name == "v4" || name == "v8") {
      vector = name[1] - '0';
    } else if (std::optional<Type> parsed = parseType(name)) {
      type = *parsed;
    } else {
      return error("'" + token.text + "' of a variable is not supported");
    }
    advance();
  }
  unsigned bytes = getBytes(type);
  if (bytes == 0 || type > Type::F64)
    return error("expected the type of a variable");
  do {
    Variable variable;
    variable.space = space;
    variable.line = token.line;
    variable.isExtern = isExtern;
    variable.alignment = std::max<uint64_t>(alignment, bytes * vector);
    if (alignment)
      variable.alignment = alignment;
    if (!expectName(variable.name))
      return false;
    uint64_t size = uint64_t(bytes) * vector;
    bool isOpen = false;
    while (consume('[')) {
      if (consume(']')) {
        isOpen = true;
        continue;
      }
      uint64_t extent = 0;
      if (!parseInteger(extent) || !expect(']'))
        return false;
      bool overflow = false;
      size = llvm::SaturatingMultiply(size, extent, &overflow);
      if (overflow || size > kMaxVariableBytes)
        return error("'" + variable.name + "' is too large");
    }
    variable.size = isOpen ? 0 : size;
    if (consume('=')) {
      if (space != Space::Global && space != Space::Const)
        return error("only .global and .const variables are initialised");
      if (!parseInitializer(variable, type, 0))
        return false;
      if (isOpen)
        variable.size = variable.initializer.size();
    }
    Entry entry;
    entry.index = module.variables.size();
    if (!declare(variable.name, entry))
      return false;
    module.variables.push_back(std::move(variable));
  } while (consume(','));
  return expect(';');
}

bool Parser::parseParameters(ParsedFunction *target) {
  if (!expect('('))
    return false;
  if (consume(')'))
    return true;
  uint32_t offset = 0;
  do {
    if (!token.isWord(".param") && !token.isWord(".reg"))
      return error("expected '.param', but got '" + token.text + "'");
    advance();
    Type type = Type::None;
    uint64_t alignment = 0;
    while (token.isDirective()) {
      StringRef name = token.text.drop_front();
      if (name == "align") {
        advance();
        uint64_t value = 0;
        if (!parseInteger(value))
          return false;
        if (!llvm::isPowerOf2_64(value) || value > 65536)
          return error("an alignment is a power of two");
        alignment = value;
        continue;
      }
      if (name == "ptr") {
        // What follows describes the memory pointed to.
        advance();
        while (token.isDirective()) {
          bool hasValue = token.text == ".align";
          advance();
          uint64_t ignored = 0;
          if (hasValue && !parseInteger(ignored))
            return false;
        }
        break;
      }
      std::optional<Type> parsed = parseType(name);
      if (!parsed)
        return error("'" + token.text + "' of a parameter is not supported");
      type = *parsed;
      advance();
    }
    unsigned bytes = getBytes(type);
    if (bytes == 0)
      return error("expected the type of a parameter");
    StringRef name;
    if (!expectName(name))
      return false;
    uint64_t size = bytes;
    if (consume('[')) {
      if (!parseInteger(size) || !expect(']'))
        return false;
      if (size > 32764 / bytes)
        return error("parameter '" + name + "' is too large");
      size *= bytes;
    }
    if (!alignment)
      alignment = bytes;
    if (!target)
      continue;
    offset = llvm::alignTo(offset, alignment);
    target->parameters.push_back({name.str(), offset,
                                  static_cast<uint32_t>(size),
                                  static_cast<uint32_t>(alignment)});
    Variable variable;
    variable.name = name;
    variable.space = Space::Param;
    variable.size = size;
    variable.alignment = alignment;
    variable.address = offset;
    variable.line = token.line;
    offset += size;
    if (offset > 32764)
      return error("the parameters take more than 32764 bytes");
    Entry entry;
    entry.index = module.variables.size();
    if (!declare(name, entry))
      return false;
    module.variables.push_back(std::move(variable));
  } while (consume(','));
  return expect(')');
}

bool Parser::parseThreads(Dim3 &threads) {
  uint32_t *dims[] = {&threads.x, &threads.y, &threads.z};
  threads = {1, 1, 1};
  for (unsigned i = 0; i < 3; ++i) {
    uint64_t value = 0;
    if (i > 0 && !consume(','))
      return true;
    if (!parseInteger(value))
      return false;
    if (value == 0 || value > 1024)
      return error("a block has 1 to 1024 threads");
    *dims[i] = static_cast<uint32_t>(value);
  }
  return true;
}

bool Parser::parseFunction(bool isEntry) {
  ParsedFunction parsed;
  parsed.isEntry = isEntry;
  scopes.emplace_back();
  if (!isEntry && token.is('(') && !parseParameters(nullptr))
    return false;
  parsed.line = token.line;
  if (!expectName(parsed.name))
    return false;
  if (token.is('(') && !parseParameters(&parsed))
    return false;
  while (token.isDirective()) {
    StringRef name = token.text;
    advance();
    uint64_t ignored = 0;
    if (name == ".maxntid") {
      if (!parseThreads(parsed.maxThreads))
        return false;
    } else if (name == ".reqntid") {
      if (!parseThreads(parsed.requiredThreads))
        return false;
    } else if (name == ".minnctapersm" || name == ".maxnctapersm" ||
               name == ".maxnreg" || name == ".maxclusterrank") {
      if (!parseInteger(ignored))
        return false;
    } else if (name == ".reqnctapercluster") {
      Dim3 cluster;
      if (!parseThreads(cluster))
        return false;
      if (cluster.count() != 1)
        return error("clusters are not supported");
    } else if (name == ".pragma") {
      if (token.kind != Token::String)
        return error("expected a string");
      advance();
      if (!expect(';'))
        return false;
    } else if (name != ".noreturn") {
      return error("directive '" + name + "' is not supported");
    }
  }
  if (consume(';')) {
    scopes.pop_back();
    return true;
  }
  for (const ParsedFunction &other : module.functions)
    if (other.name == parsed.name)
      return error(parsed.line, "'" + parsed.name + "' is defined twice");
  function = &parsed;
  bool good = parseBody();
  function = nullptr;
  scopes.pop_back();
  if (good)
    module.functions.push_back(std::move(parsed));
  return good;
}

bool Parser::parseDirective() {
  StringRef name = token.text;
  unsigned line = token.line;
  advance();
  if (name == ".version") {
    if (token.kind != Token::Number || module.version.tryParse(token.text) ||
        !module.version.getMinor())
      return error("expected a version, but got '" + token.text + "'");
    advance();
    return true;
  }
  if (name == ".target") {
    do {
      StringRef target;
      if (!expectName(target))
        return false;
      if (target.starts_with("sm_"))
        module.target = target;
    } while (consume(','));
    return true;
  }
  if (name == ".address_size") {
    uint64_t size = 0;
    if (!parseInteger(size))
      return false;
    return size == 64 || error(line, "expected an address size of 64");
  }
  if (name == ".file" || name == ".loc")
    return skipLine();
  if (name == ".section")
    return skipBraces();
  if (name == ".pragma") {
    if (token.kind != Token::String)
      return error("expected a string");
    advance();
    return expect(';');
  }
  bool isExtern = false;
  while (name == ".visible" || name == ".extern" || name == ".weak" ||
         name == ".common") {
    isExtern |= name == ".extern";
    if (!token.isDirective())
      return error("expected a declaration, but got '" + token.text + "'");
    name = token.text;
    advance();
  }
  if (name == ".entry" || name == ".func")
    return parseFunction(name == ".entry");
  std::optional<Space> space = llvm::StringSwitch<std::optional<Space>>(name)
                                   .Case(".global", Space::Global)
                                   .Case(".const", Space::Const)
                                   .Case(".shared", Space::Shared)
                                   .Default(std::nullopt);
  if (!space)
    return error(line, "directive '" + name + "' is not supported");
  return parseVariables(*space, isExtern);
}

llvm::Expected<ParsedModule> Parser::run() {
  scopes.emplace_back();
  while (!failed && token.kind != Token::End) {
    if (!token.isDirective())
      error("expected a directive, but got '" + token.text + "'");
    else
      parseDirective();
  }
  if (!failed && module.version.empty())
    error(1, "the text has no .version");
  if (!failed && module.target.empty())
    error(1, "the text has no .target");
  if (failed)
    return llvm::make_error<Fault>(FaultKind::Syntax, errorLine, message);
  return std::move(module);
}

llvm::Expected<ParsedModule> lowp::sim::parseModule(StringRef text) {
  return Parser(text).run();
}
