// RUN: lowp-opt %s --lowp-assert-to-llvm --split-input-file --verify-diagnostics | FileCheck %s

// Messages are shared.
// CHECK: llvm.mlir.global internal constant @[[M:.*]]("too long\00")
// CHECK-NOT: llvm.mlir.global
// CHECK: llvm.func @lowp_rt_assertion_failed(!llvm.ptr) attributes {passthrough = ["noreturn", "cold"]}
// CHECK-LABEL: func.func @twice
// CHECK: cf.cond_br %arg0, ^[[NEXT:.*]], ^[[FAIL:.*]]
// CHECK: ^[[NEXT]]:
// CHECK: cf.cond_br %arg1
// CHECK: ^[[FAIL]]:
// CHECK: %[[A:.*]] = llvm.mlir.addressof @[[M]]
// CHECK: llvm.call @lowp_rt_assertion_failed(%[[A]])
// CHECK: llvm.unreachable
// CHECK-NOT: cf.assert
func.func @twice(%a: i1, %b: i1) {
  cf.assert %a, "too long"
  cf.assert %b, "too long"
  return
}

// -----

func.func @nested(%a: i1) {
  scf.if %a {
    // expected-error@below {{'cf.assert' op expects its parent to be a function whose body is a CFG, but got 'scf.if'}}
    cf.assert %a, "no"
  }
  return
}
