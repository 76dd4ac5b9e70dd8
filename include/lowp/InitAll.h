//===- InitAll.h - Register all of Lowp -------------------------*- C++ -*-===//
//
// Part of the lowp project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef LOWP_INITALL_H
#define LOWP_INITALL_H

namespace mlir {
class DialectRegistry;

namespace lowp {

/// Adds the Lowp dialect and its external models, and the upstream dialects
/// that Lowp's passes produce, to `registry`.
void registerAllDialects(DialectRegistry &registry);

/// Registers Lowp's passes and pipelines in the global registry.
void registerAllPasses();

} // namespace lowp
} // namespace mlir

#endif // LOWP_INITALL_H
