// RUN: lowp-opt %s --lowp-lower-kernels=chip=sm_90a --gpu-kernel-outlining --canonicalize --cse --split-input-file | FileCheck %s

// A thread for each iteration; the sizes are those of the buffers.
// CHECK-LABEL: func.func @rows(
// CHECK-SAME: %[[X:.*]]: memref<?x4xf32>, %[[Y:.*]]: memref<?x?xf32, strided<[?, 1], offset: ?>>, %[[A:.*]]: f32
// CHECK-DAG: %[[C1:.*]] = arith.constant 1 : index
// CHECK-DAG: %[[C128:.*]] = arith.constant 128 : index
// CHECK: %[[M:.*]] = memref.dim %[[X]]
// CHECK: %[[N:.*]] = arith.muli %[[M]]
// CHECK: %[[BLOCKS:.*]] = arith.ceildivui %[[N]], %[[C128]]
// CHECK: %[[GRID:.*]] = arith.maxui %[[BLOCKS]], %[[C1]]
// CHECK: memref.extract_aligned_pointer_as_index %[[X]]
// CHECK: %[[XP:.*]] = llvm.inttoptr
// CHECK: memref.extract_aligned_pointer_as_index %[[Y]]
// CHECK: %[[YP:.*]] = llvm.inttoptr
// CHECK: %{{.*}}, %[[OFFSET:.*]], %[[SIZES:.*]]:2, %[[STRIDES:.*]]:2 = memref.extract_strided_metadata %[[Y]]
// CHECK: gpu.launch_func @kernels::@rows_kernel
// CHECK-SAME: blocks in (%[[GRID]], %[[C1]], %[[C1]]) threads in (%[[C128]], %[[C1]], %[[C1]])
// CHECK-SAME: args(%[[XP]] : !llvm.ptr, %[[M]] : index, %[[YP]] : !llvm.ptr, %[[OFFSET]] : index, %[[SIZES]]#0 : index, %[[SIZES]]#1 : index, %[[STRIDES]]#0 : index, %[[A]] : f32)

// CHECK: gpu.module @kernels
// CHECK: gpu.func @rows_kernel(%{{.*}}: !llvm.ptr, %[[KM:.*]]: index, %{{.*}}: !llvm.ptr, %{{.*}}: index, %{{.*}}: index, %{{.*}}: index, %{{.*}}: index, %[[KA:.*]]: f32) kernel attributes {known_block_size = array<i32: 128, 1, 1>}
// CHECK: %[[THREAD:.*]] = arith.addi
// CHECK: %[[EXISTS:.*]] = arith.cmpi ult, %[[THREAD]]
// CHECK: scf.if %[[EXISTS]]
// CHECK: %[[J:.*]] = arith.remui %[[THREAD]]
// CHECK: %[[I:.*]] = arith.divui %[[THREAD]]
// CHECK: memref.load %{{.*}}[%[[I]], %[[J]]] : memref<?x4xf32>
// CHECK: arith.mulf %{{.*}}, %[[KA]]
// CHECK: gpu.return
func.func @rows(%x: memref<?x4xf32>, %y: memref<?x?xf32, strided<[?, 1], offset: ?>>, %a: f32) {
  %c0 = arith.constant 0 : index
  %m = memref.dim %x, %c0 : memref<?x4xf32>
  scf.forall (%i, %j) in (%m, 4) {
    %0 = memref.load %x[%i, %j] : memref<?x4xf32>
    %1 = arith.mulf %0, %a : f32
    memref.store %1, %y[%i, %j] : memref<?x?xf32, strided<[?, 1], offset: ?>>
  }
  return
}

// -----

// Lower bounds and steps.
// CHECK-LABEL: gpu.func @steps_kernel
// CHECK: %[[LINEAR:.*]] = arith.addi %{{.*}}, %{{.*}} : index
// CHECK: scf.if
// CHECK: %[[SCALED:.*]] = arith.muli %[[LINEAR]], %{{.*}} : index
// CHECK: %[[I:.*]] = arith.addi %[[SCALED]], %{{.*}} : index
// CHECK: memref.store %{{.*}}[%[[I]]]
func.func @steps(%x: memref<64xf32>, %a: f32) {
  scf.forall (%i) = (4) to (60) step (2) {
    memref.store %a, %x[%i] : memref<64xf32>
  }
  return
}

// -----

// A kernel is called after the operation that its loop came from.
// CHECK: gpu.launch_func @kernels::@f_quantize_amax
// CHECK: gpu.launch_func @kernels::@f_quantize
// CHECK: gpu.launch_func @kernels::@f_quantize_1
func.func @f(%x: memref<64xf32>, %a: f32) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c64 = arith.constant 64 : index
  scf.forall (%i) in (64) {
    memref.store %a, %x[%i] : memref<64xf32>
  } loc("lowp.quantize.amax"("f.mlir":1:1))
  scf.forall (%i) in (64) {
    memref.store %a, %x[%i] : memref<64xf32>
  } loc("lowp.quantize"("f.mlir":1:1))
  scf.parallel (%i) = (%c0) to (%c64) step (%c1) {
    memref.store %a, %x[%i] : memref<64xf32>
  } loc("lowp.quantize"("f.mlir":1:1))
  return
}

// -----

// Sequential work is a kernel of one thread, and what it computes reaches the
// next kernel through memory.
// CHECK-LABEL: func.func @sequential(
// CHECK: %[[T:.*]] = memref.alloc() : memref<f32>
// CHECK: gpu.launch_func @kernels::@sequential_kernel blocks in (%[[C1:.*]], %[[C1]], %[[C1]]) threads in (%[[C1]], %[[C1]], %[[C1]])
// CHECK: gpu.launch_func @kernels::@sequential_kernel_1
// CHECK: gpu.func @sequential_kernel(
// CHECK: scf.for
// CHECK: memref.store %{{.*}}[] : memref<f32>
// CHECK: gpu.func @sequential_kernel_1(
// CHECK: memref.load %{{.*}}[] : memref<f32>
func.func @sequential(%x: memref<64xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c64 = arith.constant 64 : index
  %zero = arith.constant 0.0 : f32
  %sum = scf.for %i = %c0 to %c64 step %c1 iter_args(%s = %zero) -> f32 {
    %0 = memref.load %x[%i] : memref<64xf32>
    %1 = arith.addf %s, %0 : f32
    scf.yield %1 : f32
  }
  scf.forall (%i) in (64) {
    memref.store %sum, %x[%i] : memref<64xf32>
  }
  return
}

// -----

// Buffers in the order in which they are made, whichever is read first.
// CHECK-LABEL: func.func @nested(
// CHECK: %[[OUTER:.*]] = memref.alloc() : memref<64xf32>
// CHECK: scf.for
// CHECK: %[[INNER:.*]] = memref.alloc() : memref<64xf32>
// CHECK: memref.extract_aligned_pointer_as_index %[[OUTER]]
// CHECK: %[[OUTERP:.*]] = llvm.inttoptr
// CHECK: memref.extract_aligned_pointer_as_index %[[INNER]]
// CHECK: %[[INNERP:.*]] = llvm.inttoptr
// CHECK: args(%[[OUTERP]] : !llvm.ptr, %[[INNERP]] : !llvm.ptr)
func.func @nested() {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c4 = arith.constant 4 : index
  %outer = memref.alloc() : memref<64xf32>
  scf.for %j = %c0 to %c4 step %c1 {
    %inner = memref.alloc() : memref<64xf32>
    scf.forall (%i) in (64) {
      %0 = memref.load %inner[%i] : memref<64xf32>
      memref.store %0, %outer[%i] : memref<64xf32>
    }
    memref.dealloc %inner : memref<64xf32>
  }
  memref.dealloc %outer : memref<64xf32>
  return
}
