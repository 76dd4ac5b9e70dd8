// RUN: lowp-opt %s --lowp-outline-loops=min-loops=2 | FileCheck %s
// RUN: lowp-opt %s --lowp-outline-loops=min-loops=2 --duplicate-function-elimination | FileCheck %s --check-prefix=ONE

// CHECK-LABEL: func.func @two(
// CHECK-SAME: %[[A:.*]]: memref<?xf32>, %[[S:.*]]: f32)
func.func @two(%a: memref<?xf32>, %s: f32) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %n = memref.dim %a, %c0 : memref<?xf32>
  // CHECK: %[[N:.*]] = memref.dim
  // CHECK: call @two_loop(%[[N]], %[[S]], %[[A]])
  scf.for %i = %c0 to %n step %c1 {
    memref.store %s, %a[%i] : memref<?xf32>
  }
  // CHECK: call @two_loop_0(%[[N]], %[[A]])
  scf.for %i = %c0 to %n step %c1 {
    %g = memref.get_global @table : memref<1xf32>
    %v = memref.load %g[%c0] : memref<1xf32>
    memref.store %v, %a[%i] : memref<?xf32>
  }
  // A loop with results stays.
  // CHECK: scf.for {{.*}} -> (f32)
  %r = scf.for %i = %c0 to %n step %c1 iter_args(%x = %s) -> (f32) {
    scf.yield %x : f32
  }
  memref.store %r, %a[%c0] : memref<?xf32>
  return
}

// CHECK-LABEL: func.func @one(
// CHECK: scf.for
func.func @one(%a: memref<4xf32>, %s: f32) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c4 = arith.constant 4 : index
  scf.for %i = %c0 to %c4 step %c1 {
    memref.store %s, %a[%i] : memref<4xf32>
  }
  return
}

// Two loops that differ in the stream alone take it as an argument, and what else
// has its value stays a constant.

// CHECK-LABEL: func.func @streams(
// CHECK: arith.constant 6 : i32
// CHECK: %[[FIRST:.*]] = arith.constant 5 : i32
// CHECK-NEXT: call @streams_loop(%{{.*}}, %{{.*}}, %[[FIRST]], %{{.*}})
// CHECK: %[[SECOND:.*]] = arith.constant 6 : i32
// CHECK-NEXT: call @streams_loop_1(%{{.*}}, %{{.*}}, %[[SECOND]], %{{.*}})
// ONE-LABEL: func.func @streams(
// ONE-COUNT-2: call @streams_loop(
func.func @streams(%a: memref<4xi32>, %seed: i64, %step: i32) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c4 = arith.constant 4 : index
  %five = arith.constant 5 : i32
  %six = arith.constant 6 : i32
  scf.for %i = %c0 to %c4 step %c1 {
    %g = arith.index_cast %i : index to i64
    %w:4 = lowp.philox %seed, %step, %five, %g : i64
    %v:4 = lowp.philox %seed, %step, %five, %g rounds = 7 : i64
    %s = arith.addi %w#0, %v#0 : i32
    %t = arith.addi %s, %five : i32
    memref.store %t, %a[%i] : memref<4xi32>
  }
  scf.for %i = %c0 to %c4 step %c1 {
    %g = arith.index_cast %i : index to i64
    %w:4 = lowp.philox %seed, %step, %six, %g : i64
    %v:4 = lowp.philox %seed, %step, %six, %g rounds = 7 : i64
    %s = arith.addi %w#0, %v#0 : i32
    %t = arith.addi %s, %five : i32
    memref.store %t, %a[%i] : memref<4xi32>
  }
  return
}

memref.global "private" constant @table : memref<1xf32> = dense<1.0>

// CHECK: func.func private @two_loop(%[[M:.*]]: index, %[[T:.*]]: f32, %[[B:.*]]: memref<?xf32>) attributes {passthrough = ["noinline"]}
// CHECK: %[[C0:.*]] = arith.constant 0
// CHECK: %[[C1:.*]] = arith.constant 1
// CHECK: scf.for %[[I:.*]] = %[[C0]] to %[[M]] step %[[C1]]
// CHECK: memref.store %[[T]], %[[B]][%[[I]]]

// CHECK: func.func private @streams_loop(%[[SEED:.*]]: i64, %[[STEP:.*]]: i32, %[[STREAM:.*]]: i32, %{{.*}})
// CHECK-NOT: return
// CHECK: %[[C5:.*]] = arith.constant 5 : i32
// CHECK: lowp.philox %[[SEED]], %[[STEP]], %[[STREAM]],
// CHECK: lowp.philox %[[SEED]], %[[STEP]], %[[STREAM]],
// CHECK: arith.addi %{{.*}}, %[[C5]]
