// RUN: lowp-opt %s --lowp-decompose -o %t
// RUN: lowp-opt %t --pass-pipeline='builtin.module(canonicalize,cse,one-shot-bufferize{bufferize-function-boundaries function-boundary-type-conversion=identity-layout-map allow-return-allocs-from-loops},cse,canonicalize)' \
// RUN:   | FileCheck %s --implicit-check-not=memref.copy --implicit-check-not=bufferization.

// Components are stored in place: what is allocated is the results and the
// temporaries, all outside of loops.

!q = !lowp.blocked<?x?xnvfp4, block = [1, 16], outer = [0]>

// CHECK-LABEL: func.func @quantize(
// CHECK-COUNT-3: memref.alloc
// CHECK-COUNT-2: memref.alloc(%{{.*}}, %{{.*}}) {{.*}} : memref<?x?xi8>
// CHECK-NOT: memref.alloc
// CHECK: return %{{.*}}, %{{.*}}, %{{.*}}, %{{.*}} : memref<?x?xi8>, memref<?x?xi8>, memref<?xf32>, index
func.func @quantize(%x: tensor<?x?xbf16>) -> !q {
  %q = lowp.quantize %x {rule = #lowp.rule<four_six = mse>} : tensor<?x?xbf16> -> !q
  return %q : !q
}

// CHECK-LABEL: func.func @dequantize(
// CHECK: memref.alloc(%{{.*}}, %{{.*}}) {{.*}} : memref<?x?xf32>
// CHECK-NOT: memref.alloc
// CHECK: return
func.func @dequantize(%q: !q) -> tensor<?x?xf32> {
  %y = lowp.dequantize %q : !q -> tensor<?x?xf32>
  return %y : tensor<?x?xf32>
}

// Tiles write rows of a slice in a loop.
// CHECK-LABEL: func.func @tiles(
// CHECK: scf.forall (%{{.*}}, %{{.*}}) in (4, 4)
// CHECK-NOT: memref.alloc
// CHECK: return
func.func @tiles(%x: tensor<64x64xf32>) -> !lowp.blocked<64x64xnvfp4, block = [16, 16]> {
  %q = lowp.quantize %x : tensor<64x64xf32> -> !lowp.blocked<64x64xnvfp4, block = [16, 16]>
  return %q : !lowp.blocked<64x64xnvfp4, block = [16, 16]>
}

// CHECK-LABEL: func.func @grouped(
// CHECK: memref.alloc({{.*}} : memref<?x64xf32>
// CHECK-NOT: memref.alloc
// CHECK: return
func.func @grouped(%x: !lowp.blocked<?x96xmxfp8_e4m3, block = [1, 32]>,
                   %w: !lowp.blocked<4x64x96xmxfp8_e4m3, block = [1, 1, 32]>,
                   %offsets: tensor<5xi32>) -> tensor<?x64xf32> {
  %y = lowp.grouped_matmul %x, %w groups(%offsets : tensor<5xi32>) transpose_rhs
     : !lowp.blocked<?x96xmxfp8_e4m3, block = [1, 32]>,
       !lowp.blocked<4x64x96xmxfp8_e4m3, block = [1, 1, 32]> -> tensor<?x64xf32>
  return %y : tensor<?x64xf32>
}
