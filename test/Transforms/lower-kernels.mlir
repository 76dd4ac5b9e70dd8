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

// -----

// The host reads what it needs of what kernels compute; the sizes of loops too.
// CHECK: llvm.func @lowp_rt_gpu_read(!llvm.ptr, i64) -> i64
// CHECK-LABEL: func.func @host_value(
// CHECK: %[[KEPT:.*]] = memref.alloc() : memref<i32>
// CHECK: %[[ADDRESS:.*]] = memref.extract_aligned_pointer_as_index %[[KEPT]]
// CHECK: %[[INTEGER:.*]] = arith.index_cast %[[ADDRESS]]
// CHECK: %[[POINTER:.*]] = llvm.inttoptr %[[INTEGER]]
// CHECK: gpu.launch_func @kernels::@host_value_kernel
// CHECK: llvm.call @lowp_rt_gpu_read
// CHECK: %[[BITS:.*]] = llvm.call @lowp_rt_gpu_read(%[[POINTER]], %{{.*}}) : (!llvm.ptr, i64) -> i64
// CHECK: %[[VALUE:.*]] = arith.trunci %[[BITS]] : i64 to i32
// CHECK: gpu.launch_func @kernels::@host_value_kernel_1
// CHECK: memref.dealloc %[[KEPT]]
// CHECK: return %[[VALUE]] : i32
func.func @host_value(%n: memref<1xi32>, %x: memref<?xf32>, %a: f32) -> i32 {
  %c0 = arith.constant 0 : index
  %v = memref.load %n[%c0] : memref<1xi32>
  %count = arith.index_cast %v : i32 to index
  scf.forall (%i) in (%count) {
    memref.store %a, %x[%i] : memref<?xf32>
  }
  return %v : i32
}

// -----

// Arithmetic on what a kernel computes, for a kernel, is no work for the host.
// CHECK-NOT: lowp_rt_gpu_read
// CHECK-LABEL: func.func @no_host_value(
// CHECK: gpu.launch_func @kernels::@no_host_value_kernel
// CHECK-NOT: gpu.launch_func
// CHECK: gpu.func @no_host_value_kernel(
// CHECK: memref.load
// CHECK: arith.addi
// CHECK: memref.store
func.func @no_host_value(%x: memref<1xi64>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : i64
  %v = memref.load %x[%c0] : memref<1xi64>
  %w = arith.addi %v, %c1 : i64
  memref.store %w, %x[%c0] : memref<1xi64>
  return
}

// -----

// A thread for which an assertion fails writes which one; kernels do nothing
// after that, and the function fails at its end. The first has the highest code.
// CHECK-LABEL: func.func private @gather.check(
// CHECK-SAME: %{{.*}}: memref<i32>
// CHECK-DAG: %[[ONE:.*]] = arith.constant 1 : i32
// CHECK-DAG: %[[TWO:.*]] = arith.constant 2 : i32
// CHECK: %[[BITS:.*]] = llvm.call @lowp_rt_gpu_read
// CHECK: %[[CODE:.*]] = arith.trunci %[[BITS]] : i64 to i32
// CHECK: %[[LOW:.*]] = arith.cmpi ne, %[[CODE]], %[[TWO]]
// CHECK: cf.assert %[[LOW]], "index is negative"
// CHECK: %[[HIGH:.*]] = arith.cmpi ne, %[[CODE]], %[[ONE]]
// CHECK: cf.assert %[[HIGH]], "index is too large"
// CHECK-LABEL: func.func @gather(
// CHECK: %[[FAILED:.*]] = memref.alloc() : memref<i32>
// CHECK: gpu.memset %[[FAILED]], %{{.*}} : memref<i32>, i32
// CHECK: gpu.launch_func @kernels::@gather_kernel
// CHECK: call @gather.check(%[[FAILED]])
// CHECK: memref.dealloc %[[FAILED]]
// CHECK: gpu.func @gather_kernel(
// CHECK: %[[BEFORE:.*]] = memref.load %{{.*}}[] : memref<i32>
// CHECK: %[[HOLDS:.*]] = arith.cmpi eq, %[[BEFORE]], %{{.*}} : i32
// CHECK: scf.if %[[HOLDS]] {
// CHECK: %[[OK:.*]] = arith.cmpi sge
// CHECK: %[[FAILS:.*]] = arith.cmpi slt
// CHECK: scf.if %[[FAILS]] {
// CHECK: memref.atomic_rmw maxu %{{.*}}, %{{.*}}[] : (i32, memref<i32>) -> i32
// CHECK: cf.assert %[[OK]], "index is negative"
// CHECK: memref.atomic_rmw maxu
// CHECK: cf.assert %{{.*}}, "index is too large"
func.func @gather(%table: memref<8xf32>, %indices: memref<?xi64>, %y: memref<?xf32>) {
  %c0 = arith.constant 0 : index
  %zero = arith.constant 0 : i64
  %eight = arith.constant 8 : i64
  %n = memref.dim %indices, %c0 : memref<?xi64>
  scf.forall (%k) in (%n) {
    %v = memref.load %indices[%k] : memref<?xi64>
    %low = arith.cmpi sge, %v, %zero : i64
    cf.assert %low, "index is negative"
    %high = arith.cmpi slt, %v, %eight : i64
    cf.assert %high, "index is too large"
    %i = arith.index_cast %v : i64 to index
    %f = memref.load %table[%i] : memref<8xf32>
    memref.store %f, %y[%k] : memref<?xf32>
  }
  return
}

// -----

// A loop of the host that holds no parallel loop is work for one thread, and so
// are its assertions; one that holds some is the host's.
// CHECK-LABEL: func.func @checked_loops(
// CHECK: gpu.launch_func @kernels::@checked_loops_kernel
// CHECK: scf.for
// CHECK: gpu.launch_func @kernels::@checked_loops_kernel_1
// CHECK: call @checked_loops.check(
// CHECK: %[[BITS:.*]] = llvm.call @lowp_rt_gpu_read
// CHECK: %[[HOLDS:.*]] = arith.trunci %[[BITS]] : i64 to i1
// CHECK: cf.assert %[[HOLDS]], "host"
// CHECK: gpu.launch_func @kernels::@checked_loops_kernel_2
// CHECK: call @checked_loops.check(
// CHECK: gpu.func @checked_loops_kernel(
// CHECK: scf.for
// CHECK: memref.atomic_rmw
// CHECK: cf.assert %{{.*}}, "thread"
func.func @checked_loops(%ok: memref<8xi1>, %x: memref<8xf32>, %a: f32) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c8 = arith.constant 8 : index
  scf.for %i = %c0 to %c8 step %c1 {
    %v = memref.load %ok[%i] : memref<8xi1>
    cf.assert %v, "thread"
  }
  scf.for %i = %c0 to %c8 step %c1 {
    %v = memref.load %ok[%i] : memref<8xi1>
    cf.assert %v, "host"
    scf.forall (%j) in (8) {
      memref.store %a, %x[%j] : memref<8xf32>
    }
  }
  return
}

// -----

// The bits of a float that the host reads get their type there.
// CHECK-LABEL: func.func @host_float(
// CHECK: gpu.launch_func @kernels::@host_float_kernel
// CHECK: %[[BITS:.*]] = llvm.call @lowp_rt_gpu_read
// CHECK: %[[NARROW:.*]] = arith.trunci %[[BITS]] : i64 to i16
// CHECK: %[[VALUE:.*]] = arith.bitcast %[[NARROW]] : i16 to bf16
// CHECK-NOT: gpu.launch_func
// CHECK: return %[[VALUE]] : bf16
func.func @host_float(%x: memref<4xbf16>) -> bf16 {
  %c1 = arith.constant 1 : index
  %v = memref.load %x[%c1] : memref<4xbf16>
  return %v : bf16
}

// -----

// The host checks before it calls, and before an assertion of its own, as soon
// as one of a kernel may have failed. The name of the function that checks may
// be taken.
// CHECK-LABEL: func.func private @checked_calls.check(%{{.*}}: i1)
// CHECK-NOT: @checked_calls.check_0
// CHECK-LABEL: func.func private @checked_calls.check_0(
// CHECK-LABEL: func.func @checked_calls(
// CHECK-NOT: @checked_calls.check_0
// CHECK: call @checked_calls.check(
// CHECK-NOT: @checked_calls.check_0
// CHECK: gpu.launch_func @kernels::@checked_calls_kernel
// CHECK-NEXT: call @checked_calls.check_0(
// CHECK-NEXT: call @checked_calls.check(
// CHECK-NEXT: call @checked_calls.check_0(
// CHECK-NEXT: cf.assert %{{.*}}, "host"
// CHECK-NEXT: call @checked_calls.check_0(
// CHECK-NEXT: memref.dealloc
func.func private @checked_calls.check(%b: i1) {
  return
}
func.func @checked_calls(%ok: memref<8xi1>, %b: i1) {
  call @checked_calls.check(%b) : (i1) -> ()
  scf.forall (%i) in (8) {
    %v = memref.load %ok[%i] : memref<8xi1>
    cf.assert %v, "thread"
  }
  call @checked_calls.check(%b) : (i1) -> ()
  cf.assert %b, "host"
  return
}

// -----

// A loop that gives buffers is the host's, even if it holds no parallel loop.
// CHECK-LABEL: func.func @buffers_of_loop(
// CHECK: %[[R:.*]]:2 = scf.for
// CHECK: gpu.launch_func @kernels::@buffers_of_loop_kernel
// CHECK: scf.yield
// CHECK: memref.extract_aligned_pointer_as_index %[[R]]#0
// CHECK: gpu.launch_func @kernels::@buffers_of_loop_kernel_1
func.func @buffers_of_loop(%x: memref<4xf32>, %y: memref<4xf32>, %n: index, %a: f32) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %r:2 = scf.for %i = %c0 to %n step %c1 iter_args(%p = %x, %q = %y)
      -> (memref<4xf32>, memref<4xf32>) {
    memref.store %a, %p[%i] : memref<4xf32>
    scf.yield %q, %p : memref<4xf32>, memref<4xf32>
  }
  memref.store %a, %r#0[%c0] : memref<4xf32>
  return
}

// -----

// A buffer that depends on what a kernel computes: the host reads that first.
// CHECK-LABEL: func.func @part(
// CHECK: gpu.launch_func @kernels::@part_kernel
// CHECK: %[[BITS:.*]] = llvm.call @lowp_rt_gpu_read
// CHECK: %[[FROM:.*]] = arith.index_cast %[[BITS]]
// CHECK: memref.subview %{{.*}}[%[[FROM]]] [4] [1]
// CHECK: gpu.launch_func @kernels::@part_kernel_1
func.func @part(%from: memref<i64>, %x: memref<64xf32>, %a: f32) {
  %v = memref.load %from[] : memref<i64>
  %i = arith.index_cast %v : i64 to index
  %part = memref.subview %x[%i] [4] [1] : memref<64xf32> to memref<4xf32, strided<[1], offset: ?>>
  %c0 = arith.constant 0 : index
  memref.store %a, %part[%c0] : memref<4xf32, strided<[1], offset: ?>>
  return
}

// -----

// A loop may end before it begins: its threads are none then.
// CHECK-LABEL: func.func @none(
// CHECK: %[[COUNT:.*]] = arith.subi
// CHECK: arith.maxsi %{{.*}}, %{{.*}} : index
// CHECK: gpu.launch_func @kernels::@none_kernel
func.func @none(%x: memref<?xf32>, %n: index, %a: f32) {
  scf.forall (%i) = (3) to (%n) step (1) {
    memref.store %a, %x[%i] : memref<?xf32>
  }
  return
}
