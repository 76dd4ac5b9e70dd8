//===- LowpToNVVM.cpp - Hardware forms of block operations ----------------===//
//
// Part of the Lowp project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "lowp/Conversion/LowpToNVVM/LowpToNVVM.h"

#include "Forms.h"

#include "lowp/Conversion/LowpToArith/LowpToArith.h"
#include "lowp/Conversion/Passes.h"
#include "lowp/IR/LowpNumerics.h"
#include "lowp/IR/LowpOps.h"
#include "lowp/Target/TargetInfo.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/LLVMIR/NVVMDialect.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "mlir/IR/Remarks.h"
#include "mlir/Transforms/DialectConversion.h"
#include "llvm/ADT/TypeSwitch.h"

namespace mlir::lowp {
#define GEN_PASS_DEF_CONVERTLOWPTONVVM
#include "lowp/Conversion/Passes.h.inc"
} // namespace mlir::lowp

using namespace mlir;
using namespace mlir::lowp;

//===----------------------------------------------------------------------===//
// Forms
//===----------------------------------------------------------------------===//

std::optional<nvvm::ElementForms> nvvm::getElementForms(Type element) {
  using F = PTXFeature;
  return llvm::TypeSwitch<Type, std::optional<ElementForms>>(element)
      .Case([](Float4E2M1FNType) {
        return ElementForms{F::CvtF32ToE2M1, F::CvtE2M1ToF16,
                            F::CvtRsF32ToE2M1};
      })
      .Case<Float6E2M3FNType, Float6E3M2FNType>([](Type) {
        return ElementForms{F::CvtF32ToF6, F::CvtF6ToF16, F::CvtRsF32ToF6};
      })
      .Case([](Float8E4M3FNType) {
        return ElementForms{F::CvtF32ToE4M3, F::CvtF8ToF16, F::CvtRsF32ToF8};
      })
      .Case([](Float8E5M2Type) {
        return ElementForms{F::CvtF32ToE5M2, F::CvtF8ToF16, F::CvtRsF32ToF8};
      })
      .Case([](S2F6Type) {
        return ElementForms{F::CvtF32ToS2F6, F::CvtS2F6ToBF16, std::nullopt};
      })
      .Default([](Type) { return std::nullopt; });
}

Value nvvm::getHardwareRandomWords(EncodeOp op) {
  auto random = op.getRandom() ? op.getRandom().getDefiningOp<RandomBitsOp>()
                               : RandomBitsOp();
  if (!random || random.getIndependent())
    return {};
  unsigned bits = getElementFormat(op.getElement())->randomBits;
  if (random.getBits() != bits ||
      op.getRule().getRandomBits(op.getElement()) != bits)
    return {};
  return random.getWords();
}

/// Whether the operation works on a batch of blocks.
static bool isOnBatch(Operation *op) {
  int64_t rank = isa<EncodeOp, DecodeOp>(op) ? 1 : 0;
  auto type = dyn_cast<VectorType>(op->getOperand(0).getType());
  return type && type.getRank() > rank;
}

std::optional<PTXFeature> nvvm::getHardwareForm(Operation *op) {
  if (isa<EncodeOp, DecodeOp, DecodeScaleOp, BlockScaleOp>(op) && isOnBatch(op))
    return std::nullopt;
  using Result = std::optional<PTXFeature>;
  return llvm::TypeSwitch<Operation *, Result>(op)
      .Case([](EncodeOp op) -> Result {
        auto forms = getElementForms(op.getElement());
        if (!forms)
          return std::nullopt;
        if (op.getRule().isStochastic())
          return getHardwareRandomWords(op) ? forms->encodeStochastic
                                            : std::nullopt;
        if (!op.getRule().isNearestSaturating())
          return std::nullopt;
        return forms->encode;
      })
      .Case([](DecodeOp op) -> Result {
        auto forms = getElementForms(op.getElement());
        return forms ? Result(forms->decode) : std::nullopt;
      })
      .Case([](DecodeScaleOp op) -> Result {
        return isa<Float8E4M3FNType>(op.getType()) ? PTXFeature::CvtF8ToF16
                                                   : PTXFeature::CvtUE8M0ToBF16;
      })
      .Case([](BlockScaleOp op) -> Result {
        FormatAttr format = op.getFormat();
        if (format.hasUE4M3Scale())
          return PTXFeature::CvtF32ToE4M3;
        if (format.hasUE8M0Scale() &&
            op.getRule().getScale() != ScaleRule::Even)
          return PTXFeature::CvtF32ToUE8M0;
        return std::nullopt;
      })
      .Default([](Operation *) { return std::nullopt; });
}

Value nvvm::createInlineAsm(ImplicitLocOpBuilder &b, Type result,
                            StringRef asmString, StringRef constraints,
                            ValueRange operands) {
  auto op = LLVM::InlineAsmOp::create(
      b, result, operands, asmString, constraints,
      /*has_side_effects=*/false, /*is_align_stack=*/false,
      LLVM::TailCallKind::None,
      LLVM::AsmDialectAttr::get(b.getContext(), LLVM::AsmDialect::AD_ATT),
      /*operand_attrs=*/ArrayAttr());
  return op.getResult(0);
}

void mlir::lowp::populateLowpToNVVMPatterns(RewritePatternSet &patterns,
                                            const TargetInfo &target,
                                            PatternBenefit benefit) {
  nvvm::populateElementPatterns(patterns, target, benefit);
  nvvm::populateScalePatterns(patterns, target, benefit);
}

//===----------------------------------------------------------------------===//
// Pass
//===----------------------------------------------------------------------===//

namespace {

struct ConvertLowpToNVVM
    : mlir::lowp::impl::ConvertLowpToNVVMBase<ConvertLowpToNVVM> {
  using ConvertLowpToNVVMBase::ConvertLowpToNVVMBase;

  void runOnOperation() override {
    Operation *root = getOperation();
    FailureOr<const TargetInfo *> gpu =
        TargetInfo::getGPU(chip, [&] { return emitError(root->getLoc()); });
    if (failed(gpu))
      return signalPassFailure();
    remarkEmulations(root, **gpu);

    RewritePatternSet patterns(&getContext());
    populateLowpToNVVMPatterns(patterns, **gpu, /*benefit=*/2);
    populateLowpToArithPatterns(patterns, /*benefit=*/1);
    ConversionTarget target(getContext());
    target.addLegalDialect<arith::ArithDialect, LLVM::LLVMDialect,
                           math::MathDialect, NVVM::NVVMDialect,
                           vector::VectorDialect>();
    target.addIllegalOp<BlockAmaxOp, OuterScaleOp, BlockScaleOp, EncodeOp,
                        DecodeOp, DecodeScaleOp, BlockErrorOp, HadamardOp,
                        PhiloxOp, RandomBitsOp, DotPairsOp>();
    if (failed(applyPartialConversion(root, target, std::move(patterns))))
      signalPassFailure();
  }

  /// Says where another target would have an instruction.
  static void remarkEmulations(Operation *root, const TargetInfo &target) {
    root->walk([&](Operation *op) {
      std::optional<PTXFeature> form = nvvm::getHardwareForm(op);
      if (!form || target.has(*form))
        return;
      auto function = op->getParentOfType<FunctionOpInterface>();
      // Streamers know locations in files only.
      Location loc = op->getLoc();
      while (auto named = dyn_cast<NameLoc>(loc))
        loc = named.getChildLoc();
      remark::analysis(
          loc, remark::RemarkOpts::name("Emulated")
                   .category("convert-lowp-to-nvvm")
                   .function(function ? function.getName() : StringRef()))
          << remark::add("'{0}' is emulated on {1}, which does not have '{2}'; "
                         "targets that have it: {3}",
                         op->getName(), target.getName(), getMnemonic(*form),
                         TargetInfo::getNamesWith(*form));
    });
  }
};

} // namespace
