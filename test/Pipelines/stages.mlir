// Each stage is a pipeline of lowp-opt, and the tool stops after each, dumps
// each and resumes from each.
// RUN: lowp-opt %s --lowp-stage-lower | FileCheck %s --check-prefix=LOWER
// RUN: lowp-opt %s --lowp-stage-lower --lowp-stage-convert | FileCheck %s --check-prefix=CONVERT
// RUN: lowp-opt %s --lowp-pipeline | FileCheck %s --check-prefix=CONVERT
// RUN: lowp-compile %s --stop-after=lower | FileCheck %s --check-prefix=LOWER
// RUN: lowp-compile %s --stop-after=lower --emit-bytecode -o %t.mlirbc
// RUN: lowp-compile %t.mlirbc --resume-from=convert --emit=llvm -o %t.1.ll
// RUN: rm -rf %t.dump
// RUN: lowp-compile %s --emit=llvm -o %t.2.ll --dump-stages=%t.dump
// RUN: cmp %t.1.ll %t.2.ll
// RUN: lowp-compile - --resume-from=emit --emit=llvm < %t.dump/8-convert.mlir > %t.3.ll
// RUN: cmp %t.1.ll %t.3.ll
// RUN: FileCheck %s --check-prefix=LLVM < %t.3.ll
// RUN: ls %t.dump | FileCheck %s --check-prefix=DUMP

// LOWER-LABEL: func.func @f(
// LOWER-SAME: memref<?xbf16>
// LOWER: memref.alloc
// LOWER: scf.for
// LOWER-NOT: linalg.

// CONVERT: llvm.func internal @lowp.fn.f(
// CONVERT-SAME: lowp.entry = {
// CONVERT: llvm.call @_mlir_memref_to_llvm_alloc
// CONVERT-NOT: bf16
// CONVERT-NOT: unrealized_conversion_cast

// LLVM-NOT: bfloat
// LLVM: define i32 @lowp_entry_f(

// DUMP: 1-recognize.mlir
// DUMP: 2-assign.mlir
// DUMP: 3-insert.mlir
// DUMP: 4-simplify.mlir
// DUMP: 5-form-kernels.mlir
// DUMP: 6-schedule.mlir
// DUMP: 7-lower.mlir
// DUMP: 8-convert.mlir
// DUMP: 9-emit.mlir

func.func @f(%x: tensor<?xbf16>) -> tensor<?xbf16> {
  %c0 = arith.constant 0 : index
  %n = tensor.dim %x, %c0 : tensor<?xbf16>
  %init = tensor.empty(%n) : tensor<?xbf16>
  %r = linalg.map ins(%x : tensor<?xbf16>) outs(%init : tensor<?xbf16>)
    (%e: bf16, %o: bf16) {
      %y = arith.addf %e, %e : bf16
      linalg.yield %y : bf16
    }
  return %r : tensor<?xbf16>
}
