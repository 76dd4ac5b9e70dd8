//===- Files.h - Arrays from files ------------------------------*- C++ -*-===//
//
// Part of the Lowp project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef LOWP_DRIVER_FILES_H
#define LOWP_DRIVER_FILES_H

#include "lowp/Support/Npy.h"

namespace mlir::lowp {

/// The contents of a file. Errors begin with its path.
llvm::Expected<Array> readNpy(llvm::StringRef path);
llvm::Expected<NamedArrays> readNpz(llvm::StringRef path);

/// The array of that name, or null.
const Array *findArray(const NamedArrays &arrays, llvm::StringRef name);

} // namespace mlir::lowp

#endif // LOWP_DRIVER_FILES_H
