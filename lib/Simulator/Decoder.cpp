//===- Decoder.cpp - From instructions to handlers ------------------------===//
//
// Part of the Lowp project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Decoder.h"

#include "llvm/ADT/StringSwitch.h"
#include "llvm/ADT/bit.h"
#include "llvm/Support/MathExtras.h"

using namespace lowp::sim;
using llvm::StringRef;

namespace {

struct SpecialInfo {
  Special special;
  uint32_t value;
};

std::optional<SpecialInfo> findSpecial(StringRef name) {
  using S = Special;
  // A grid without clusters is one of clusters of one block.
  return llvm::StringSwitch<std::optional<SpecialInfo>>(name)
      .Case("%tid.x", SpecialInfo{S::TidX, 0})
      .Case("%tid.y", SpecialInfo{S::TidY, 0})
      .Case("%tid.z", SpecialInfo{S::TidZ, 0})
      .Case("%ntid.x", SpecialInfo{S::NtidX, 0})
      .Case("%ntid.y", SpecialInfo{S::NtidY, 0})
      .Case("%ntid.z", SpecialInfo{S::NtidZ, 0})
      .Cases({"%ctaid.x", "%clusterid.x"}, SpecialInfo{S::CtaidX, 0})
      .Cases({"%ctaid.y", "%clusterid.y"}, SpecialInfo{S::CtaidY, 0})
      .Cases({"%ctaid.z", "%clusterid.z"}, SpecialInfo{S::CtaidZ, 0})
      .Cases({"%nctaid.x", "%nclusterid.x"}, SpecialInfo{S::NctaidX, 0})
      .Cases({"%nctaid.y", "%nclusterid.y"}, SpecialInfo{S::NctaidY, 0})
      .Cases({"%nctaid.z", "%nclusterid.z"}, SpecialInfo{S::NctaidZ, 0})
      .Case("%laneid", SpecialInfo{S::LaneId, 0})
      .Case("%warpid", SpecialInfo{S::WarpId, 0})
      .Case("%nwarpid", SpecialInfo{S::NwarpId, 0})
      .Case("%lanemask_eq", SpecialInfo{S::LanemaskEq, 0})
      .Case("%lanemask_le", SpecialInfo{S::LanemaskLe, 0})
      .Case("%lanemask_lt", SpecialInfo{S::LanemaskLt, 0})
      .Case("%lanemask_ge", SpecialInfo{S::LanemaskGe, 0})
      .Case("%lanemask_gt", SpecialInfo{S::LanemaskGt, 0})
      .Case("%dynamic_smem_size", SpecialInfo{S::DynamicSharedSize, 0})
      .Case("%total_smem_size", SpecialInfo{S::TotalSharedSize, 0})
      .Cases({"%cluster_ctaid.x", "%cluster_ctaid.y", "%cluster_ctaid.z",
              "%cluster_ctarank", "%smid"},
             SpecialInfo{S::None, 0})
      .Cases({"%cluster_nctaid.x", "%cluster_nctaid.y", "%cluster_nctaid.z",
              "%cluster_nctarank", "%nsmid"},
             SpecialInfo{S::None, 1})
      .Default(std::nullopt);
}

const Registry &getRegistry() {
  static const Registry registry = [] {
    Registry r;
    registerInteger(r);
    registerBits(r);
    registerCompare(r);
    registerMove(r);
    registerControl(r);
    registerMemory(r);
    registerFloat(r);
    registerFloatSign(r);
    registerConvert(r);
    registerApproximate(r);
    registerWarp(r);
    registerBarrier(r);
    registerMbarrier(r);
    registerAtomic(r);
    registerCopy(r);
    return r;
  }();
  return registry;
}

/// Families that are known, and not simulated.
bool isLeftOut(StringRef opcode) {
  return llvm::StringSwitch<bool>(opcode)
      .Cases({"wgmma", "tcgen05", "mma", "wmma", "ldmatrix", "stmatrix",
              "movmatrix", "tensormap"},
             true)
      .Cases({"call", "brx", "tex", "tld4", "suld", "sust", "sured", "txq"},
             true)
      .Cases({"clusterlaunchcontrol", "setmaxnreg", "griddepcontrol",
              "multimem", "alloca", "stacksave", "stackrestore"},
             true)
      .Default(false);
}

} // namespace

Decoder::Decoder(Program &program, const ParsedFunction &parsed,
                 Function &function)
    : program(program), parsed(parsed), function(function) {
  for (const auto &[index, form] : llvm::enumerate(program.forms))
    formIndex[form] = index;
}

bool Decoder::error(const llvm::Twine &text) {
  if (!failed)
    message = text.str();
  failed = true;
  return false;
}

bool Decoder::require(unsigned version, unsigned sm) {
  llvm::VersionTuple needed(version / 10, version % 10);
  if (program.module.version >= needed &&
      getTargetNumber(program.module.target) >= sm)
    return true;
  kind = FaultKind::Unsupported;
  return error("'" + syntax->opcode + "' in this form needs PTX " +
               needed.getAsString() + " and sm_" + llvm::Twine(sm));
}

bool Decoder::unknownModifier() {
  kind = FaultKind::UnknownInstruction;
  if (nextPart < parts.size())
    return error("unknown modifier '." + parts[nextPart] + "' in '" +
                 syntax->opcode + "'");
  return error("unknown instruction '" + syntax->opcode + "'");
}

//===----------------------------------------------------------------------===//
// Modifiers
//===----------------------------------------------------------------------===//

StringRef Decoder::peek() const {
  return nextPart < parts.size() ? parts[nextPart] : StringRef();
}

std::optional<Space> Decoder::takeSpace() {
  if (take("global"))
    return Space::Global;
  if (take("shared") || take("shared::cta") || take("shared::cluster"))
    return Space::Shared;
  if (take("local"))
    return Space::Local;
  if (take("const"))
    return Space::Const;
  if (take("param") || take("param::entry"))
    return Space::Param;
  return std::nullopt;
}

bool Decoder::take(StringRef name) {
  if (peek() != name || nextPart >= parts.size())
    return false;
  ++nextPart;
  return true;
}

StringRef Decoder::takeAny(std::initializer_list<StringRef> names) {
  for (StringRef name : names)
    if (take(name))
      return name;
  return StringRef();
}

void Decoder::skipAny(std::initializer_list<StringRef> names) {
  while (!takeAny(names).empty()) {
  }
}

Type Decoder::lastType() const {
  return parseType(parts.back()).value_or(Type::None);
}

std::optional<Type> Decoder::takeType() {
  std::optional<Type> type = parseType(peek());
  if (type)
    ++nextPart;
  return type;
}

bool Decoder::takeType(Type &type, std::initializer_list<Type> types) {
  std::optional<Type> next = parseType(peek());
  if (!next || !llvm::is_contained(types, *next))
    return unknownModifier();
  type = *next;
  ++nextPart;
  return true;
}

//===----------------------------------------------------------------------===//
// Operands
//===----------------------------------------------------------------------===//

const Operand *Decoder::peekOperand(unsigned ahead) const {
  size_t index = nextOperand + ahead;
  return index < syntax->operands.size() ? &syntax->operands[index] : nullptr;
}

const Operand *Decoder::takeOperand() {
  const Operand *operand = peekOperand();
  if (operand)
    ++nextOperand;
  else
    error("'" + syntax->opcode + "' expects more than " +
          llvm::Twine(nextOperand) + " operands");
  return operand;
}

bool Decoder::addSlot(uint32_t slot, unsigned width) {
  if (inst.numSlots == kMaxSlots)
    return error("too many operands");
  inst.slots[inst.numSlots] = slot;
  inst.widths[inst.numSlots] = width;
  ++inst.numSlots;
  return true;
}

bool Decoder::use(unsigned index) {
  uses.push_back(index);
  return true;
}

bool Decoder::define(unsigned index) {
  defs.push_back(index);
  return true;
}

uint32_t Decoder::filledSlot(Special special, uint64_t value, unsigned width) {
  // Constants by their value, special registers by their number.
  bool isConstant = special == Special::None;
  auto &slots = isConstant ? constants : specials;
  uint64_t key = isConstant ? value : static_cast<uint64_t>(special);
  auto [it, inserted] = slots.try_emplace({key, width}, function.registerBytes);
  if (inserted) {
    Filled filled;
    filled.slot = function.registerBytes;
    filled.width = width;
    filled.special = special;
    filled.value = value;
    function.filled.push_back(filled);
    function.registerBytes +=
        width == 0 ? 16 : llvm::alignTo(width * kLanes, 16);
  }
  return it->second;
}

uint32_t Decoder::sinkSlot() {
  if (sink == Inst::kNone) {
    sink = function.registerBytes;
    function.registerBytes += 16 * kLanes;
  }
  return sink;
}

bool Decoder::immediateBits(const Operand &operand, Type type, uint64_t &bits) {
  bits = operand.value;
  bool wantsFloat = type == Type::F32 || type == Type::F64;
  if (operand.kind == Operand::Integer) {
    if (wantsFloat)
      return error("an integer where ." + getName(type) + " is expected");
    return true;
  }
  unsigned bytes = getBytes(type);
  if (isInteger(type) || bytes < 4)
    return error("a floating-point number where ." + getName(type) +
                 " is expected");
  if (operand.type == Type::F64 && bytes == 4)
    bits = llvm::bit_cast<uint32_t>(
        static_cast<float>(llvm::bit_cast<double>(bits)));
  else if (operand.type == Type::F32 && bytes == 8)
    return error("a number of 32 bits where ." + getName(type) +
                 " is expected");
  return true;
}

bool Decoder::source(const Operand &operand, Type type, bool wide) {
  unsigned bytes = getBytes(type);
  switch (operand.kind) {
  case Operand::Register: {
    unsigned width = getBytes(operand.type);
    if (operand.type == Type::Pred || operand.negated)
      return error("a predicate where ." + getName(type) + " is expected");
    if (width != bytes && !(wide && width > bytes))
      return error("register '" + parsed.registers[operand.index].name +
                   "' has " + llvm::Twine(8 * width) + " bits where ." +
                   getName(type) + " is expected");
    return use(operand.index) && addSlot(registerSlots[operand.index], width);
  }
  case Operand::Integer:
  case Operand::Float: {
    uint64_t bits = 0;
    if (!immediateBits(operand, type, bits))
      return false;
    return constantSlot(type, bits);
  }
  case Operand::Variable: {
    if (bytes != 8 && bytes != 4)
      return error("an address where ." + getName(type) + " is expected");
    uint64_t address = program.module.variables[operand.index].address;
    return constantSlot(type, address + operand.value);
  }
  case Operand::Name: {
    std::optional<SpecialInfo> info = findSpecial(operand.name);
    if (!info)
      return error("'" + operand.name + "' is not declared");
    if (bytes != 4 && !(wide && bytes < 4))
      return error("'" + operand.name + "' has 32 bits where ." +
                   getName(type) + " is expected");
    return addSlot(filledSlot(info->special, info->value, 4), 4);
  }
  case Operand::Vector:
  case Operand::Pair:
  case Operand::Address:
  case Operand::Sink:
    break;
  }
  return error("expected a register or a number");
}

bool Decoder::destination(const Operand &operand, Type type, bool wide) {
  unsigned bytes = getBytes(type);
  if (operand.kind == Operand::Sink)
    return addSlot(sinkSlot(), bytes);
  if (operand.kind != Operand::Register || operand.negated ||
      operand.type == Type::Pred)
    return error("expected a register of " + llvm::Twine(8 * bytes) +
                 " bits as destination");
  unsigned width = getBytes(operand.type);
  if (width != bytes && !(wide && width > bytes))
    return error("register '" + parsed.registers[operand.index].name +
                 "' has " + llvm::Twine(8 * width) + " bits where ." +
                 getName(type) + " is expected");
  return define(operand.index) && addSlot(registerSlots[operand.index], width);
}

bool Decoder::dst(Type type) {
  const Operand *operand = takeOperand();
  return operand && destination(*operand, type, /*wide=*/false);
}

bool Decoder::dstWide(Type type) {
  const Operand *operand = takeOperand();
  return operand && destination(*operand, type, /*wide=*/true);
}

bool Decoder::src(Type type) {
  const Operand *operand = takeOperand();
  return operand && source(*operand, type, /*wide=*/false);
}

bool Decoder::srcWide(Type type) {
  const Operand *operand = takeOperand();
  return operand && source(*operand, type, /*wide=*/true);
}

bool Decoder::predDestination(const Operand &operand) {
  if (operand.kind == Operand::Sink)
    return addSlot(sinkSlot(), 0);
  if (operand.kind != Operand::Register || operand.type != Type::Pred ||
      operand.negated)
    return error("expected a predicate as destination");
  return define(operand.index) && addSlot(registerSlots[operand.index], 0);
}

bool Decoder::predDst() {
  const Operand *operand = takeOperand();
  return operand && predDestination(*operand);
}

bool Decoder::sinkDst() { return addSlot(sinkSlot(), 0); }

bool Decoder::predPairDst() {
  const Operand *operand = takeOperand();
  if (!operand)
    return false;
  if (operand->kind == Operand::Pair)
    return predDestination(operand->elements[0]) &&
           predDestination(operand->elements[1]);
  return predDestination(*operand) && addSlot(sinkSlot(), 0);
}

bool Decoder::pairDst(Type type) {
  const Operand *operand = takeOperand();
  if (!operand)
    return false;
  if (operand->kind == Operand::Pair)
    return destination(operand->elements[0], type, /*wide=*/false) &&
           predDestination(operand->elements[1]);
  return destination(*operand, type, /*wide=*/false) && addSlot(sinkSlot(), 0);
}

bool Decoder::predSrc(bool *negated) {
  const Operand *operand = takeOperand();
  if (!operand)
    return false;
  if (operand->kind == Operand::Integer)
    return addSlot(filledSlot(Special::None, operand->value ? 1 : 0, 0), 0);
  if (operand->kind != Operand::Register || operand->type != Type::Pred)
    return error("expected a predicate");
  if (operand->negated && !negated)
    return error("'!' is not allowed here");
  if (negated)
    *negated = operand->negated;
  return use(operand->index) && addSlot(registerSlots[operand->index], 0);
}

bool Decoder::sinkDst(Type type) { return addSlot(sinkSlot(), getBytes(type)); }

bool Decoder::constantSlot(Type type, uint64_t value) {
  unsigned bytes = getBytes(type);
  if (bytes < 8)
    value &= (uint64_t(1) << (8 * bytes)) - 1;
  return addSlot(filledSlot(Special::None, value, bytes), bytes);
}

bool Decoder::address(std::optional<Space> *variableSpace) {
  const Operand *operand = takeOperand();
  if (!operand)
    return false;
  if (operand->kind != Operand::Address)
    return error("expected an address");
  inst.imm = static_cast<int64_t>(operand->value);
  if (operand->elements.empty())
    return constantSlot(Type::B64, 0);
  const Operand &base = operand->elements.front();
  if (base.kind == Operand::Variable) {
    const Variable &variable = program.module.variables[base.index];
    if (variableSpace)
      *variableSpace = variable.space;
    return constantSlot(Type::B64, variable.address);
  }
  unsigned width = getBytes(base.type);
  if (base.type == Type::Pred || (width != 4 && width != 8))
    return error("an address has 32 or 64 bits");
  return use(base.index) && addSlot(registerSlots[base.index], width);
}

bool Decoder::dstVector(Type type, unsigned count, bool wide) {
  const Operand *operand = takeOperand();
  if (!operand)
    return false;
  if (count == 1 && operand->kind != Operand::Vector)
    return destination(*operand, type, wide);
  if (operand->kind != Operand::Vector || operand->elements.size() != count)
    return error("expected a vector of " + llvm::Twine(count) + " registers");
  for (const Operand &element : operand->elements)
    if (!destination(element, type, wide))
      return false;
  return true;
}

bool Decoder::srcVector(Type type, unsigned count, bool wide) {
  const Operand *operand = takeOperand();
  if (!operand)
    return false;
  if (count == 1 && operand->kind != Operand::Vector)
    return source(*operand, type, wide);
  if (operand->kind != Operand::Vector || operand->elements.size() != count)
    return error("expected a vector of " + llvm::Twine(count) + " registers");
  for (const Operand &element : operand->elements)
    if (!source(element, type, wide))
      return false;
  return true;
}

bool Decoder::constant(uint64_t &value) {
  const Operand *operand = takeOperand();
  if (!operand)
    return false;
  if (operand->kind != Operand::Integer)
    return error("expected an integer constant");
  value = operand->value;
  return true;
}

bool Decoder::label(uint32_t &target) {
  const Operand *operand = takeOperand();
  if (!operand)
    return false;
  if (operand->kind != Operand::Name)
    return error("expected a label");
  auto found = parsed.labels.find(operand->name);
  if (found == parsed.labels.end())
    return error("label '" + operand->name + "' is not defined");
  target = found->second;
  return true;
}

//===----------------------------------------------------------------------===//
// Instructions
//===----------------------------------------------------------------------===//

uint32_t Decoder::internForm(StringRef form) {
  auto [it, inserted] = formIndex.try_emplace(form, program.forms.size());
  if (inserted)
    program.forms.push_back(form.str());
  return it->second;
}

bool Decoder::decode(const Instruction &instruction) {
  syntax = &instruction;
  inst = Inst();
  parts.clear();
  uses.clear();
  defs.clear();
  nextPart = 1;
  nextOperand = 0;
  kind = FaultKind::Syntax;
  instruction.opcode.split(parts, '.');
  inst.line = instruction.line;
  inst.form = internForm(instruction.opcode);
  if (instruction.guard >= 0) {
    inst.guard = registerSlots[instruction.guard];
    inst.guardRegister = instruction.guard;
    inst.guardNegated = instruction.guardNegated;
  }

  Type last = lastType();
  auto found = getRegistry().end();
  if (last >= Type::F16 && last <= Type::F32x2)
    found = getRegistry().find((parts.front() + "/f").str());
  if (found == getRegistry().end())
    found = getRegistry().find(parts.front());
  if (found == getRegistry().end()) {
    kind = FaultKind::UnknownInstruction;
    if (isLeftOut(parts.front()))
      return error("instruction '" + instruction.opcode + "' is not simulated");
    return error("unknown instruction '" + instruction.opcode + "'");
  }
  if (!found->second(*this))
    return error("malformed instruction '" + instruction.opcode + "'");
  if (nextPart != parts.size())
    return unknownModifier();
  if (nextOperand != instruction.operands.size())
    return error("'" + instruction.opcode + "' expects " +
                 llvm::Twine(nextOperand) + " operands, but got " +
                 llvm::Twine(instruction.operands.size()));
  std::string missing = checkRequirements(
      instruction.opcode, program.module.target, program.module.version);
  if (!missing.empty()) {
    kind = FaultKind::Unsupported;
    return error(missing);
  }
  inst.firstUse = function.operands.size();
  inst.numUses = uses.size();
  function.operands.insert(function.operands.end(), uses.begin(), uses.end());
  inst.firstDef = function.operands.size();
  inst.numDefs = defs.size();
  function.operands.insert(function.operands.end(), defs.begin(), defs.end());
  function.code.push_back(inst);
  return true;
}

bool Decoder::layOutRegisters() {
  for (const Register &reg : parsed.registers) {
    registerSlots.push_back(function.registerBytes);
    unsigned bytes = getBytes(reg.type);
    function.registerBytes +=
        reg.type == Type::Pred ? 16 : llvm::alignTo(bytes * kLanes, 16);
    function.registerNames.push_back(reg.name.str());
  }

  // Shared and local variables that the function names; dynamic shared memory
  // comes last.
  std::vector<bool> named(program.module.variables.size());
  auto visit = [&](const Operand &operand, auto &visit) -> void {
    if (operand.kind == Operand::Variable)
      named[operand.index] = true;
    for (const Operand &element : operand.elements)
      visit(element, visit);
  };
  for (const Instruction &instruction : parsed.instructions)
    for (const Operand &operand : instruction.operands)
      visit(operand, visit);
  constexpr uint64_t kMaxShared = 228 * 1024, kMaxLocal = 512 * 1024;
  uint64_t shared = 0, local = 0;
  for (bool dynamic : {false, true}) {
    for (size_t i = 0; i < named.size(); ++i) {
      Variable &variable = program.module.variables[i];
      bool isShared = variable.space == Space::Shared;
      if (!named[i] || variable.isExtern != dynamic ||
          !(isShared || variable.space == Space::Local))
        continue;
      uint64_t &end = isShared ? shared : local;
      uint64_t address = llvm::alignTo(end, variable.alignment);
      variable.address = address;
      if (!dynamic)
        end = address + variable.size;
      if (end > (isShared ? kMaxShared : kMaxLocal))
        return error("'" + variable.name + "' does not fit");
    }
  }
  function.sharedBytes = shared;
  function.localBytes = local;
  return true;
}

llvm::Error Decoder::run() {
  unsigned line = parsed.line;
  bool good = layOutRegisters();
  for (const Instruction &instruction : parsed.instructions) {
    if (!good)
      break;
    line = instruction.line;
    good = decode(instruction);
  }
  // Labels may stand at the end of a function, which returns.
  Instruction end;
  end.line = line;
  end.opcode = "ret";
  good = good && decode(end);
  if (!good)
    return llvm::make_error<Fault>(kind, line, message);

  function.name = parsed.name.str();
  function.parameters = parsed.parameters;
  for (const Parameter &parameter : parsed.parameters)
    function.parameterBytes = parameter.offset + parameter.size;
  function.maxThreads = parsed.maxThreads;
  function.requiredThreads = parsed.requiredThreads;
  return llvm::Error::success();
}
