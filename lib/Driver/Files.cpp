//===- Files.cpp - Arrays from files --------------------------------------===//
//
// Part of the Lowp project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "lowp/Driver/Files.h"

#include "llvm/Support/MemoryBuffer.h"

using namespace mlir::lowp;
using llvm::StringRef;

/// The error that a file caused.
static llvm::Error inFile(StringRef path, llvm::Error error) {
  return llvm::createStringError("'" + path +
                                 "': " + llvm::toString(std::move(error)));
}

template <typename T>
static llvm::Expected<T> read(StringRef path,
                              llvm::Expected<T> (*parse)(StringRef)) {
  auto buffer = llvm::MemoryBuffer::getFile(path, /*IsText=*/false,
                                            /*RequiresNullTerminator=*/false);
  if (!buffer)
    return inFile(path, llvm::errorCodeToError(buffer.getError()));
  llvm::Expected<T> result = parse((*buffer)->getBuffer());
  if (!result)
    return inFile(path, result.takeError());
  return result;
}

llvm::Expected<Array> mlir::lowp::readNpy(StringRef path) {
  return read(path, parseNpy);
}

llvm::Expected<NamedArrays> mlir::lowp::readNpz(StringRef path) {
  return read(path, parseNpz);
}

const Array *mlir::lowp::findArray(const NamedArrays &arrays, StringRef name) {
  for (const auto &[key, array] : arrays)
    if (key == name)
      return &array;
  return nullptr;
}
