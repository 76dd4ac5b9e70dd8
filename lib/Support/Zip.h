//===- Zip.h - Zip archives -------------------------------------*- C++ -*-===//
//
// Part of the Lowp project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef LOWP_LIB_SUPPORT_ZIP_H
#define LOWP_LIB_SUPPORT_ZIP_H

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/StringRef.h"
#include "llvm/Support/Error.h"

#include <string>
#include <utility>
#include <vector>

namespace mlir::lowp {

using ZipMembers = std::vector<std::pair<std::string, std::string>>;

/// The members of an archive, decompressed, in the order of its directory.
llvm::Expected<ZipMembers> readZip(llvm::StringRef bytes);

/// An archive of stored members, without times.
std::string writeZip(const ZipMembers &members);

} // namespace mlir::lowp

#endif // LOWP_LIB_SUPPORT_ZIP_H
