// RUN: lowp-opt %s --lowp-buffers-to-device --split-input-file --verify-diagnostics | FileCheck %s

// CHECK: llvm.func @lowp_rt_gpu_constant(!llvm.ptr, i64) -> !llvm.ptr
// CHECK-LABEL: func.func @buffers(
// CHECK: %[[X:.*]] = gpu.alloc (%{{.*}}) : memref<?x4xf32>
// CHECK: %[[HOST:.*]] = memref.get_global @table : memref<3x5xbf16>
// CHECK: %[[ADDRESS:.*]] = memref.extract_aligned_pointer_as_index %[[HOST]]
// CHECK: %[[INTEGER:.*]] = arith.index_cast %[[ADDRESS]] : index to i64
// CHECK: %[[POINTER:.*]] = llvm.inttoptr %[[INTEGER]]
// CHECK: %[[BYTES:.*]] = llvm.mlir.constant(30 : i64)
// CHECK: %[[DEVICE:.*]] = llvm.call @lowp_rt_gpu_constant(%[[POINTER]], %[[BYTES]])
// CHECK: llvm.insertvalue %[[DEVICE]], %{{.*}}[0]
// CHECK: %[[TABLE:.*]] = builtin.unrealized_conversion_cast %{{.*}} to memref<3x5xbf16>
// CHECK: gpu.dealloc %[[X]]
// CHECK: return %[[TABLE]]
memref.global "private" constant @table : memref<3x5xbf16> = dense<1.0>
func.func @buffers(%n: index) -> memref<3x5xbf16> {
  %x = memref.alloc(%n) : memref<?x4xf32>
  %t = memref.get_global @table : memref<3x5xbf16>
  memref.dealloc %x : memref<?x4xf32>
  return %t : memref<3x5xbf16>
}

// -----

memref.global "private" @state : memref<4xf32> = dense<0.0>
func.func @get_state() -> memref<4xf32> {
  // expected-error@+1 {{'memref.get_global' op expects a constant of static shape, but got 'state' of type 'memref<4xf32>'}}
  %t = memref.get_global @state : memref<4xf32>
  return %t : memref<4xf32>
}

// -----

func.func @gaps() {
  // expected-error@+1 {{'memref.alloc' op expects a buffer without gaps, but got 'memref<4x4xf32, strided<[8, 1]>>'}}
  %x = memref.alloc() : memref<4x4xf32, strided<[8, 1]>>
  return
}
