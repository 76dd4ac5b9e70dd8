//===- Types.h - Types of PTX values ----------------------------*- C++ -*-===//
//
// Part of the Lowp project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef LOWP_LIB_SIMULATOR_TYPES_H
#define LOWP_LIB_SIMULATOR_TYPES_H

#include "llvm/ADT/StringRef.h"

#include <cstdint>
#include <optional>

namespace lowp::sim {

enum class Type : uint8_t {
  None,
  Pred,
  B8,
  B16,
  B32,
  B64,
  B128,
  U8,
  U16,
  U32,
  U64,
  S8,
  S16,
  S32,
  S64,
  F16,
  BF16,
  F32,
  F64,
  TF32,
  F16x2,
  BF16x2,
  F32x2,
  E4M3x2,
  E5M2x2,
  E2M3x2,
  E3M2x2,
  E2M1x2,
  S2F6x2,
  UE8M0x2,
  E4M3x4,
  E5M2x4,
  E2M3x4,
  E3M2x4,
  E2M1x4,
};

/// The type that a modifier names, e.g. `f32`.
std::optional<Type> parseType(llvm::StringRef name);
llvm::StringRef getName(Type type);

/// Bytes of a value; 0 for predicates, 1 for a pair of 4-bit codes.
unsigned getBytes(Type type);

inline bool isSigned(Type t) { return t >= Type::S8 && t <= Type::S64; }
inline bool isUnsigned(Type t) { return t >= Type::U8 && t <= Type::U64; }
inline bool isInteger(Type t) { return t >= Type::U8 && t <= Type::S64; }
inline bool isBits(Type t) { return t >= Type::B8 && t <= Type::B128; }

} // namespace lowp::sim

#endif // LOWP_LIB_SIMULATOR_TYPES_H
