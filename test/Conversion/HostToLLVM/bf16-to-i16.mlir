// RUN: lowp-opt %s --lowp-bf16-to-i16 --split-input-file | FileCheck %s

// CHECK-LABEL: func.func @memory(
// CHECK-SAME: %[[M:.*]]: memref<?x4xi16>, %[[V:.*]]: vector<4xi16>, %[[S:.*]]: i16) -> (vector<4xi16>, i16)
// CHECK: arith.constant 16256 : i16
// CHECK: arith.constant dense<16256> : vector<4xi16>
// CHECK: arith.constant dense<[0, 1, -32768, 32641]> : vector<4xi16>
// CHECK: vector.transfer_read {{.*}} : memref<?x4xi16>, vector<4xi16>
// CHECK: vector.maskedload {{.*}} : memref<?x4xi16>, vector<4xi1>, vector<4xi16> into vector<4xi16>
// CHECK: vector.store {{.*}} : memref<?x4xi16>, vector<4xi16>
// CHECK: memref.alloc() : memref<8xi16>
func.func @memory(%m: memref<?x4xbf16>, %v: vector<4xbf16>, %s: bf16)
    -> (vector<4xbf16>, bf16) {
  %c0 = arith.constant 0 : index
  %one = arith.constant 1.0 : bf16
  %ones = arith.constant dense<1.0> : vector<4xbf16>
  // Zero, the smallest subnormal, -0 and a NaN keep their bits.
  %special = arith.constant dense<[0x0000, 0x0001, 0x8000, 0x7F81]> : vector<4xbf16>
  %r = vector.transfer_read %m[%c0, %c0], %one {in_bounds = [true]} : memref<?x4xbf16>, vector<4xbf16>
  %mask = vector.create_mask %c0 : vector<4xi1>
  %l = vector.maskedload %m[%c0, %c0], %mask, %ones : memref<?x4xbf16>, vector<4xi1>, vector<4xbf16> into vector<4xbf16>
  vector.store %l, %m[%c0, %c0] : memref<?x4xbf16>, vector<4xbf16>
  vector.store %r, %m[%c0, %c0] : memref<?x4xbf16>, vector<4xbf16>
  vector.store %special, %m[%c0, %c0] : memref<?x4xbf16>, vector<4xbf16>
  %a = memref.alloc() : memref<8xbf16>
  memref.store %s, %a[%c0] : memref<8xbf16>
  return %v, %one : vector<4xbf16>, bf16
}

// -----

// CHECK: memref.global "private" constant @weights : memref<2xi16> = dense<[16256, -16384]>
memref.global "private" constant @weights : memref<2xbf16> = dense<[1.0, -2.0]>
// CHECK: memref.global "private" constant @resource : memref<2xi16> = dense_resource<w>
memref.global "private" constant @resource : memref<2xbf16> = dense_resource<w>

// CHECK-LABEL: func.func @globals
// CHECK: memref.get_global @weights : memref<2xi16>
func.func @globals() -> memref<2xbf16> {
  %0 = memref.get_global @weights : memref<2xbf16>
  %1 = memref.get_global @resource : memref<2xbf16>
  return %0 : memref<2xbf16>
}

{-#
  dialect_resources: { builtin: { w: "0x02000000803F00C0" } }
#-}

// -----

// CHECK-LABEL: func.func @control(
// CHECK-SAME: %[[C:.*]]: i1, %[[X:.*]]: i16
func.func @control(%c: i1, %x: bf16, %m: memref<4xbf16>) -> bf16 {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c4 = arith.constant 4 : index
  // CHECK: scf.for {{.*}} iter_args(%{{.*}} = %[[X]]) -> (i16)
  %r = scf.for %i = %c0 to %c4 step %c1 iter_args(%a = %x) -> (bf16) {
    // CHECK: scf.if %[[C]] -> (i16)
    %y = scf.if %c -> (bf16) {
      %l = memref.load %m[%i] : memref<4xbf16>
      scf.yield %l : bf16
    } else {
      scf.yield %a : bf16
    }
    scf.yield %y : bf16
  }
  // CHECK: cf.cond_br %[[C]], ^[[B1:.*]](%{{.*}} : i16), ^[[B2:.*]]
  cf.cond_br %c, ^bb1(%r : bf16), ^bb2
// CHECK: ^[[B1]](%{{.*}}: i16):
^bb1(%z: bf16):
  // CHECK: call @control(%{{.*}}) : (i1, i16, memref<4xi16>) -> i16
  %k = func.call @control(%c, %z, %m) : (i1, bf16, memref<4xbf16>) -> bf16
  return %k : bf16
^bb2:
  return %x : bf16
}

// -----

// Casts of the expansion between bf16 and its bits disappear.

// CHECK-LABEL: func.func @bits
// CHECK-NEXT: return %{{.*}} : i16
func.func @bits(%x: bf16) -> i16 {
  %0 = arith.bitcast %x : bf16 to i16
  return %0 : i16
}

// -----

// CHECK-LABEL: func.func @others(%{{.*}}: f16, %{{.*}}: f32, %{{.*}}: memref<4xf64>)
func.func @others(%a: f16, %b: f32, %c: memref<4xf64>) {
  %0 = arith.addf %a, %a : f16
  return
}
