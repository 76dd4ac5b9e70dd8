// RUN: lowp-opt %s --lowp-decompose --split-input-file | FileCheck %s

// Blocked values as components through functions and control flow.

!mx = !lowp.blocked<?x64xmxfp8_e4m3, block = [1, 32]>
!fp4 = !lowp.blocked<?x?xmxfp4, block = [1, 32]>

// The size of a dynamic last dim travels with packed codes; attributes stay
// with the first component of what they were on.
// CHECK-LABEL: func.func private @signature(
// CHECK-SAME: tensor<?x?xi8> {test.a}, tensor<?x?xi8>, index, i32 {test.b},
// CHECK-SAME: tensor<?x64xi8> {test.c}, tensor<?x2xi8>)
// CHECK-SAME: -> (i32, tensor<?x?xi8> {test.r}, tensor<?x?xi8>, index)
func.func private @signature(!fp4 {test.a}, i32 {test.b}, !mx {test.c}) -> (i32, !fp4 {test.r})

// CHECK-LABEL: func.func @call(
// CHECK: %[[R:.*]]:4 = call @signature(%arg0, %arg1, %arg2, %arg3, %arg4, %arg5) {test.call}
// CHECK: return %[[R]]#1, %[[R]]#2, %[[R]]#3
func.func @call(%q: !fp4, %i: i32, %m: !mx) -> !fp4 {
  %0:2 = call @signature(%q, %i, %m) {test.call} : (!fp4, i32, !mx) -> (i32, !fp4)
  return %0#1 : !fp4
}

// CHECK-LABEL: func.func @structured(
// CHECK: scf.if %{{.*}} -> (tensor<?x64xi8>, tensor<?x2xi8>)
// CHECK: scf.for {{.*}} -> (tensor<?x64xi8>, tensor<?x2xi8>)
// CHECK: scf.while
// CHECK: scf.condition(%{{.*}}) %{{.*}}, %{{.*}} : tensor<?x64xi8>, tensor<?x2xi8>
func.func @structured(%a: !mx, %b: !mx, %c: i1, %n: index) -> !mx {
  %0 = scf.if %c -> !mx {
    scf.yield %a : !mx
  } else {
    scf.yield %b : !mx
  }
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %1 = scf.for %i = %c0 to %n step %c1 iter_args(%x = %0) -> !mx {
    %y = arith.select %c, %x, %b : !mx
    scf.yield %y : !mx
  }
  %2 = scf.while (%x = %1) : (!mx) -> !mx {
    scf.condition(%c) %x : !mx
  } do {
  ^bb0(%x: !mx):
    scf.yield %x : !mx
  }
  return %2 : !mx
}

// CHECK-LABEL: func.func @branches(
// CHECK: cf.cond_br %{{.*}}, ^bb1(%{{.*}}, %{{.*}} : tensor<?x64xi8>, tensor<?x2xi8>)
// CHECK: ^bb1(%{{.*}}: tensor<?x64xi8>, %{{.*}}: tensor<?x2xi8>):
func.func @branches(%a: !mx, %b: !mx, %c: i1) -> !mx {
  cf.cond_br %c, ^bb1(%a : !mx), ^bb1(%b : !mx)
^bb1(%x: !mx):
  return %x : !mx
}

// -----

// Packing and unpacking cost nothing.
// CHECK-LABEL: func.func @pack(
// CHECK-SAME: %[[C:.*]]: tensor<?x?xi8>, %[[S:.*]]: tensor<?x?xi8>, %[[M:.*]]: index, %[[K:.*]]: index)
// CHECK-NEXT: return %[[C]], %[[S]], %[[K]], %[[K]]
func.func @pack(%c: tensor<?x?xi8>, %s: tensor<?x?xi8>, %m: index, %k: index)
    -> (!lowp.blocked<?x?xmxfp4, block = [1, 32]>, index) {
  %q = lowp.pack %c, %s dims(%m, %k) : tensor<?x?xi8>, tensor<?x?xi8>
     -> !lowp.blocked<?x?xmxfp4, block = [1, 32]>
  %d = lowp.dim %q, 1 : !lowp.blocked<?x?xmxfp4, block = [1, 32]>
  return %q, %d : !lowp.blocked<?x?xmxfp4, block = [1, 32]>, index
}

// CHECK-LABEL: func.func @unpack(
// CHECK-NEXT: return %arg0, %arg1
func.func @unpack(%q: !lowp.blocked<4x64xmxfp8_e4m3, block = [1, 32]>)
    -> (tensor<4x64xi8>, tensor<4x2xi8>) {
  %c, %s = lowp.unpack %q : !lowp.blocked<4x64xmxfp8_e4m3, block = [1, 32]>
        -> tensor<4x64xi8>, tensor<4x2xi8>
  return %c, %s : tensor<4x64xi8>, tensor<4x2xi8>
}

// -----

// The meaning of a kernel is its body, and sign vectors are constants.
// CHECK-NOT: lowp.kernel
// CHECK-NOT: lowp.signs
// CHECK-LABEL: func.func @kernel(
// CHECK: lowp.hadamard
// CHECK-SAME: negate = [true, true, false, false
// CHECK: lowp.encode
lowp.signs @s = [true, true, false, false, true, true, false, false,
                 true, true, false, false, true, true, false, false]
func.func @kernel(%x: tensor<?x64xf32>) -> !lowp.blocked<?x64xmxs2f6, block = [1, 32]> {
  %q = lowp.kernel -> !lowp.blocked<?x64xmxs2f6, block = [1, 32]> {
    %y = lowp.rht %x size = 16 axis = 1 signs = @s : tensor<?x64xf32>
    %p = lowp.quantize %y : tensor<?x64xf32> -> !lowp.blocked<?x64xmxs2f6, block = [1, 32]>
    lowp.yield %p : !lowp.blocked<?x64xmxs2f6, block = [1, 32]>
  }
  return %q : !lowp.blocked<?x64xmxs2f6, block = [1, 32]>
}
