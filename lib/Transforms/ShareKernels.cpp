//===- ShareKernels.cpp - One kernel for equal launches -------------------===//
//
// Part of the Lowp project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "lowp/Transforms/Passes.h"

#include "mlir/Dialect/GPU/IR/GPUDialect.h"

#include "llvm/ADT/DenseMap.h"

namespace mlir::lowp {
#define GEN_PASS_DEF_SHAREKERNELS
#include "lowp/Transforms/Passes.h.inc"
} // namespace mlir::lowp

using namespace mlir;

namespace {
/// Kernels that are equal but for their name and locations.
struct KernelInfo : DenseMapInfo<gpu::GPUFuncOp> {
  static NamedAttrList getAttributes(gpu::GPUFuncOp kernel) {
    NamedAttrList attributes(kernel->getAttrDictionary());
    attributes.erase(SymbolTable::getSymbolAttrName());
    return attributes;
  }

  static unsigned getHashValue(gpu::GPUFuncOp kernel) {
    llvm::hash_code hash =
        llvm::hash_value(getAttributes(kernel)
                             .getDictionary(kernel.getContext())
                             .getAsOpaquePointer());
    kernel.getBody().walk([&](Operation *op) {
      hash = llvm::hash_combine(hash,
                                OperationEquivalence::computeHash(
                                    op, OperationEquivalence::ignoreHashValue,
                                    OperationEquivalence::ignoreHashValue,
                                    OperationEquivalence::IgnoreLocations));
    });
    return hash;
  }

  static bool isEqual(gpu::GPUFuncOp lhs, gpu::GPUFuncOp rhs) {
    if (lhs == rhs)
      return true;
    if (lhs == getEmptyKey() || lhs == getTombstoneKey() ||
        rhs == getEmptyKey() || rhs == getTombstoneKey())
      return false;
    return getAttributes(lhs) == getAttributes(rhs) &&
           OperationEquivalence::isRegionEquivalentTo(
               &lhs.getBody(), &rhs.getBody(),
               OperationEquivalence::IgnoreLocations);
  }
};

struct ShareKernels : lowp::impl::ShareKernelsBase<ShareKernels> {
  void runOnOperation() override {
    DenseMap<StringAttr, StringAttr> shared;
    for (auto module : getOperation().getOps<gpu::GPUModuleOp>()) {
      llvm::DenseSet<gpu::GPUFuncOp, KernelInfo> known;
      for (auto kernel :
           llvm::make_early_inc_range(module.getOps<gpu::GPUFuncOp>())) {
        auto [first, isNew] = known.insert(kernel);
        if (isNew || !kernel.isKernel())
          continue;
        shared[SymbolTable::getSymbolName(kernel)] =
            SymbolTable::getSymbolName(*first);
        kernel.erase();
      }
      getOperation().walk([&](gpu::LaunchFuncOp launch) {
        StringAttr name = launch.getKernelName();
        if (StringAttr other = shared.lookup(name);
            other && launch.getKernelModuleName() == module.getNameAttr())
          launch.setKernelAttr(SymbolRefAttr::get(
              launch.getKernelModuleName(), FlatSymbolRefAttr::get(other)));
      });
      shared.clear();
    }
  }
};
} // namespace
