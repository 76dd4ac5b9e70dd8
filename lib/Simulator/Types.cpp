//===- Types.cpp - Types of PTX values ------------------------------------===//
//
// Part of the Lowp project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Types.h"

using namespace lowp::sim;

namespace {

struct TypeInfo {
  Type type;
  llvm::StringLiteral name;
  unsigned bytes;
};

using T = Type;
constexpr TypeInfo types[] = {
    {T::Pred, "pred", 0},       {T::B8, "b8", 1},
    {T::B16, "b16", 2},         {T::B32, "b32", 4},
    {T::B64, "b64", 8},         {T::B128, "b128", 16},
    {T::U8, "u8", 1},           {T::U16, "u16", 2},
    {T::U32, "u32", 4},         {T::U64, "u64", 8},
    {T::S8, "s8", 1},           {T::S16, "s16", 2},
    {T::S32, "s32", 4},         {T::S64, "s64", 8},
    {T::F16, "f16", 2},         {T::BF16, "bf16", 2},
    {T::F32, "f32", 4},         {T::F64, "f64", 8},
    {T::TF32, "tf32", 4},       {T::F16x2, "f16x2", 4},
    {T::BF16x2, "bf16x2", 4},   {T::F32x2, "f32x2", 8},
    {T::E4M3x2, "e4m3x2", 2},   {T::E5M2x2, "e5m2x2", 2},
    {T::E2M3x2, "e2m3x2", 2},   {T::E3M2x2, "e3m2x2", 2},
    {T::E2M1x2, "e2m1x2", 1},   {T::S2F6x2, "s2f6x2", 2},
    {T::UE8M0x2, "ue8m0x2", 2}, {T::E4M3x4, "e4m3x4", 4},
    {T::E5M2x4, "e5m2x4", 4},   {T::E2M3x4, "e2m3x4", 4},
    {T::E3M2x4, "e3m2x4", 4},   {T::E2M1x4, "e2m1x4", 2},
};

} // namespace

std::optional<Type> lowp::sim::parseType(llvm::StringRef name) {
  for (const TypeInfo &info : types)
    if (info.name == name)
      return info.type;
  return std::nullopt;
}

llvm::StringRef lowp::sim::getName(Type type) {
  for (const TypeInfo &info : types)
    if (info.type == type)
      return info.name;
  return "none";
}

unsigned lowp::sim::getBytes(Type type) {
  for (const TypeInfo &info : types)
    if (info.type == type)
      return info.bytes;
  return 0;
}
