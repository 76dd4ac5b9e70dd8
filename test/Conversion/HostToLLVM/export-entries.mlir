// RUN: lowp-opt %s --lowp-export-entries --split-input-file --verify-diagnostics | FileCheck %s

// CHECK: memref.global "private" constant @table
memref.global constant @table : memref<2xf32> = dense<[1.0, 2.0]>

// CHECK: func.func @lowp.fn.main(
// CHECK-SAME: llvm.linkage = #llvm.linkage<internal>
// CHECK-SAME: lowp.entry = {
// CHECK-SAME: arguments = [{dtype = "bf16", shape = array<i64: -1, 4>},
// CHECK-SAME: {dtype = "i64", scalar, shape = array<i64>},
// CHECK-SAME: {dtype = "u8", shape = array<i64: 2>, written}]
// CHECK-SAME: name = "main"
// CHECK-SAME: results = [{dtype = "bool", scalar, shape = array<i64>}]
// CHECK: call @lowp.fn.helper() : () -> i1
func.func @main(%x: memref<?x4xbf16> {lowp.read_only}, %n: index,
                %w: memref<2xui8>) -> i1 {
  %0 = func.call @helper() : () -> i1
  return %0 : i1
}

// CHECK: func.func private @lowp.fn.helper() -> i1
// CHECK-NOT: lowp.entry
func.func private @helper() -> i1 {
  %0 = arith.constant true
  return %0 : i1
}

// CHECK-NOT: @unused
func.func private @unused()

// -----

// expected-error@below {{'func.func' op cannot be called from C: argument 1 has type 'memref<4xf32, strided<[2]>>', but only scalars and contiguous tensors}}
func.func @strided(%a: f32, %b: memref<4xf32, strided<[2]>>) {
  return
}

// -----

// expected-error@below {{'func.func' op cannot be called from C: result 0 has type 'complex<f32>'}}
func.func @complex() -> complex<f32> {
  %a = complex.constant [1.0 : f32, 2.0 : f32] : complex<f32>
  return %a : complex<f32>
}

// -----

// expected-error@below {{'func.func' op has no body; a compiled program holds every function that it calls}}
func.func private @elsewhere()

func.func @calls() {
  func.call @elsewhere() : () -> ()
  return
}

// -----

// expected-error@below {{'memref.global' op has no value; a compiled program holds every global that it uses}}
memref.global "private" @external : memref<4xf32>
