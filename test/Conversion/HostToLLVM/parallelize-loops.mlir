// RUN: lowp-opt %s --lowp-parallelize-loops | FileCheck %s

// CHECK-LABEL: func.func @outermost
// CHECK: scf.parallel (%[[I:.*]]) =
// CHECK: scf.forall
// CHECK: memref.store
func.func @outermost(%m: memref<8x8xf32>, %v: f32) {
  scf.forall (%i) in (8) {
    scf.forall (%j) in (8) {
      memref.store %v, %m[%i, %j] : memref<8x8xf32>
    }
  }
  return
}

// Each thread has its own buffers.
// CHECK-LABEL: func.func @buffers
// CHECK: scf.parallel
// CHECK-NEXT: memref.alloc
func.func @buffers() {
  scf.forall (%i) in (8) {
    %a = memref.alloc() : memref<4xf32>
    memref.dealloc %a : memref<4xf32>
  }
  return
}

// What may leave the body, and loops in loops.
// CHECK-LABEL: func.func @left_alone
// CHECK-NOT: scf.parallel
// CHECK: return
func.func private @other()
func.func @left_alone(%m: memref<8xf32>, %v: f32, %ok: i1) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c8 = arith.constant 8 : index
  scf.forall (%i) in (8) {
    cf.assert %ok, "no"
    memref.store %v, %m[%i] : memref<8xf32>
  }
  scf.forall (%i) in (8) {
    func.call @other() : () -> ()
  }
  scf.for %k = %c0 to %c8 step %c1 {
    scf.forall (%i) in (8) {
      memref.store %v, %m[%i] : memref<8xf32>
    }
  }
  return
}
