// RUN: lowp-opt %s --lowp-share-kernels | FileCheck %s --implicit-check-not='gpu.func'

// Equal but for names and locations: the second is the first. Another constant,
// type or attribute is another kernel.
// CHECK: gpu.launch_func @kernels::@a
// CHECK: gpu.launch_func @kernels::@a
// CHECK: gpu.launch_func @kernels::@c
// CHECK: gpu.launch_func @kernels::@d
// CHECK: gpu.launch_func @kernels::@e
// CHECK: gpu.launch_func @other::@b
// CHECK: gpu.module @kernels
// CHECK: gpu.func @a(
// CHECK: gpu.func @c(
// CHECK: gpu.func @d(
// CHECK: gpu.func @e(
// CHECK: gpu.module @other
// CHECK: gpu.func @b(
module attributes {gpu.container_module} {
  func.func @main(%p: !llvm.ptr, %f: f32, %g: f64) {
    %c1 = arith.constant 1 : index
    gpu.launch_func @kernels::@a blocks in (%c1, %c1, %c1) threads in (%c1, %c1, %c1) args(%p : !llvm.ptr, %f : f32)
    gpu.launch_func @kernels::@b blocks in (%c1, %c1, %c1) threads in (%c1, %c1, %c1) args(%p : !llvm.ptr, %f : f32)
    gpu.launch_func @kernels::@c blocks in (%c1, %c1, %c1) threads in (%c1, %c1, %c1) args(%p : !llvm.ptr, %f : f32)
    gpu.launch_func @kernels::@d blocks in (%c1, %c1, %c1) threads in (%c1, %c1, %c1) args(%p : !llvm.ptr, %g : f64)
    gpu.launch_func @kernels::@e blocks in (%c1, %c1, %c1) threads in (%c1, %c1, %c1) args(%p : !llvm.ptr, %f : f32)
    gpu.launch_func @other::@b blocks in (%c1, %c1, %c1) threads in (%c1, %c1, %c1) args(%p : !llvm.ptr, %f : f32)
    return
  }
  gpu.module @kernels {
    gpu.func @a(%p: !llvm.ptr, %f: f32) kernel {
      %one = arith.constant 1.0 : f32
      %sum = arith.addf %f, %one : f32
      llvm.store %sum, %p : f32, !llvm.ptr
      gpu.return
    }
    gpu.func @b(%q: !llvm.ptr, %g: f32) kernel {
      %one = arith.constant 1.0 : f32 loc("elsewhere")
      %sum = arith.addf %g, %one : f32
      llvm.store %sum, %q : f32, !llvm.ptr
      gpu.return
    }
    gpu.func @c(%p: !llvm.ptr, %f: f32) kernel {
      %two = arith.constant 2.0 : f32
      %sum = arith.addf %f, %two : f32
      llvm.store %sum, %p : f32, !llvm.ptr
      gpu.return
    }
    gpu.func @d(%p: !llvm.ptr, %f: f64) kernel {
      %one = arith.constant 1.0 : f64
      %sum = arith.addf %f, %one : f64
      llvm.store %sum, %p : f64, !llvm.ptr
      gpu.return
    }
    gpu.func @e(%p: !llvm.ptr, %f: f32) kernel attributes {known_block_size = array<i32: 1, 1, 1>} {
      %one = arith.constant 1.0 : f32
      %sum = arith.addf %f, %one : f32
      llvm.store %sum, %p : f32, !llvm.ptr
      gpu.return
    }
  }
  gpu.module @other {
    gpu.func @b(%p: !llvm.ptr, %f: f32) kernel {
      %one = arith.constant 1.0 : f32
      %sum = arith.addf %f, %one : f32
      llvm.store %sum, %p : f32, !llvm.ptr
      gpu.return
    }
  }
}
