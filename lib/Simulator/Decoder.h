//===- Decoder.h - From instructions to handlers ----------------*- C++ -*-===//
//
// Part of the Lowp project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Each opcode has a function that takes the modifiers and operands of an
// instruction off the decoder, in the order of the ISA, and sets the handler.
// What is left over then is an error, so that no modifier is ever ignored.
//
//===----------------------------------------------------------------------===//

#ifndef LOWP_LIB_SIMULATOR_DECODER_H
#define LOWP_LIB_SIMULATOR_DECODER_H

#include "Machine.h"

#include "lowp/Simulator/Requirements.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/Twine.h"

#include <initializer_list>
#include <map>

namespace lowp::sim {

class Decoder {
public:
  Decoder(Program &program, const ParsedFunction &parsed, Function &function);

  llvm::Error run();

  //===--------------------------------------------------------------------===//
  // Modifiers
  //===--------------------------------------------------------------------===//

  /// Takes the next modifier if it is `name`.
  bool take(llvm::StringRef name);
  /// The state space that the next modifier names.
  std::optional<Space> takeSpace();
  /// Takes the next modifier if it is one of `names`; else empty.
  llvm::StringRef takeAny(std::initializer_list<llvm::StringRef> names);
  /// The next modifier, empty at the end.
  llvm::StringRef peek() const;
  /// Takes the next modifier if it is a type.
  std::optional<Type> takeType();
  /// Takes a type out of `types`; an error where there is another or none.
  bool takeType(Type &type, std::initializer_list<Type> types);
  /// The type that the opcode ends in, None if it does not.
  Type lastType() const;
  /// Takes any of the modifiers, which have no effect here.
  void skipAny(std::initializer_list<llvm::StringRef> names);

  //===--------------------------------------------------------------------===//
  // Operands: each takes the next and puts it into the next slot
  //===--------------------------------------------------------------------===//

  /// A register of the size of `type`.
  bool dst(Type type);
  /// A register of the size of `type`, or wider where `type` is loaded into it.
  bool dstWide(Type type);
  /// A register of the size of `type`, an immediate, or the address of a
  /// variable.
  bool src(Type type);
  bool srcWide(Type type);
  bool predDst();
  /// A result that the form has no operand for.
  bool sinkDst();
  /// `p` or `p|q`: two slots.
  bool predPairDst();
  /// `d` or `d|p`: two slots.
  bool pairDst(Type type);
  /// `negated` is null where `!` is not allowed.
  bool predSrc(bool *negated);
  /// `[a+offset]`: a slot of 64 bits, the offset in `imm`. A variable gives its
  /// space.
  bool address(std::optional<Space> *variableSpace = nullptr);
  /// Registers of a vector, one slot each; `_` gives a slot that nobody reads.
  bool dstVector(Type type, unsigned count, bool wide);
  bool srcVector(Type type, unsigned count, bool wide);
  /// An immediate.
  bool constant(uint64_t &value);
  bool label(uint32_t &target);
  /// No operand: a slot that nobody reads.
  bool sinkDst(Type type);
  /// No operand: a slot with a constant.
  bool constantSlot(Type type, uint64_t value);

  /// Whether nobody reads a slot.
  bool isSink(unsigned slot) const { return inst.slots[slot] == sink; }

  const Operand *peekOperand(unsigned ahead = 0) const;
  const Operand *takeOperand();
  size_t numOperands() const { return syntax->operands.size(); }
  size_t operandsLeft() const { return syntax->operands.size() - nextOperand; }

  /// An error where the module has an older version or target.
  bool require(unsigned version, unsigned sm);

  bool error(const llvm::Twine &message);
  /// A modifier that the instruction does not have, or not here.
  bool unknownModifier();

  bool set(Handler handler) {
    inst.run = handler;
    return handler != nullptr || unknownModifier();
  }

  Inst inst;

private:
  bool addSlot(uint32_t slot, unsigned width);
  bool use(unsigned index);
  bool define(unsigned index);
  bool immediateBits(const Operand &operand, Type type, uint64_t &bits);
  bool source(const Operand &operand, Type type, bool wide);
  bool destination(const Operand &operand, Type type, bool wide);
  bool predDestination(const Operand &operand);
  uint32_t filledSlot(Special special, uint64_t value, unsigned width);
  uint32_t sinkSlot();
  bool decode(const Instruction &instruction);
  bool layOutRegisters();
  uint32_t internForm(llvm::StringRef form);

  Program &program;
  const ParsedFunction &parsed;
  Function &function;
  const Instruction *syntax = nullptr;
  llvm::SmallVector<llvm::StringRef, 8> parts;
  size_t nextPart = 0;
  size_t nextOperand = 0;
  std::vector<uint32_t> registerSlots;
  std::vector<uint32_t> uses;
  std::vector<uint32_t> defs;
  std::map<std::pair<uint64_t, unsigned>, uint32_t> constants;
  std::map<std::pair<uint64_t, unsigned>, uint32_t> specials;
  llvm::StringMap<uint32_t> formIndex;
  uint32_t sink = Inst::kNone;
  std::string message;
  FaultKind kind = FaultKind::Syntax;
  bool failed = false;
};

/// By opcode; those of floating-point types, where the opcode ends in one, have
/// `/f` appended.
using DecodeFunction = bool (*)(Decoder &);
using Registry = llvm::StringMap<DecodeFunction>;

void registerInteger(Registry &registry);
void registerBits(Registry &registry);
void registerCompare(Registry &registry);
void registerMove(Registry &registry);
void registerControl(Registry &registry);
void registerMemory(Registry &registry);
void registerFloat(Registry &registry);
void registerFloatSign(Registry &registry);
void registerConvert(Registry &registry);
void registerApproximate(Registry &registry);
void registerWarp(Registry &registry);
void registerBarrier(Registry &registry);
void registerMbarrier(Registry &registry);
void registerAtomic(Registry &registry);
void registerCopy(Registry &registry);

/// A handler by the type of integer, e.g. `pick<Add>(type)`: Op has a handler
/// template `run<T>`.
template <typename Op>
Handler pickInteger(Type type) {
  switch (type) {
  case Type::U16:
    return Op::template run<uint16_t>;
  case Type::S16:
    return Op::template run<int16_t>;
  case Type::U32:
    return Op::template run<uint32_t>;
  case Type::S32:
    return Op::template run<int32_t>;
  case Type::U64:
    return Op::template run<uint64_t>;
  case Type::S64:
    return Op::template run<int64_t>;
  default:
    return nullptr;
  }
}

/// A handler by size: `run<T>` on unsigned integers.
template <typename Op>
Handler pickBits(Type type) {
  switch (getBytes(type)) {
  case 1:
    return Op::template run<uint8_t>;
  case 2:
    return Op::template run<uint16_t>;
  case 4:
    return Op::template run<uint32_t>;
  case 8:
    return Op::template run<uint64_t>;
  default:
    return nullptr;
  }
}

/// d = f(a), d = f(a, b), d = f(a, b, c) with slots 0 to 3.
template <typename D, typename A, typename F>
inline void map1(Warp &warp, const Inst &inst, F f) {
  D *d = warp.slot<D>(inst, 0);
  const A *a = warp.slot<A>(inst, 1);
  forLanes(warp.mask, [=](unsigned l) { d[l] = f(a[l]); });
}
template <typename D, typename A, typename B, typename F>
inline void map2(Warp &warp, const Inst &inst, F f) {
  D *d = warp.slot<D>(inst, 0);
  const A *a = warp.slot<A>(inst, 1);
  const B *b = warp.slot<B>(inst, 2);
  forLanes(warp.mask, [=](unsigned l) { d[l] = f(a[l], b[l]); });
}
template <typename D, typename A, typename B, typename C, typename F>
inline void map3(Warp &warp, const Inst &inst, F f) {
  D *d = warp.slot<D>(inst, 0);
  const A *a = warp.slot<A>(inst, 1);
  const B *b = warp.slot<B>(inst, 2);
  const C *c = warp.slot<C>(inst, 3);
  forLanes(warp.mask, [=](unsigned l) { d[l] = f(a[l], b[l], c[l]); });
}

} // namespace lowp::sim

#endif // LOWP_LIB_SIMULATOR_DECODER_H
