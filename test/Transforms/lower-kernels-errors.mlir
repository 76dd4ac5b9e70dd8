// RUN: lowp-opt %s --lowp-lower-kernels=chip=sm_90a --split-input-file --verify-diagnostics

func.func @copy(%x: memref<4xf32>, %y: memref<4xf32>) {
  // expected-error@+1 {{'memref.copy' op is not supported on target 'sm_90a'}}
  memref.copy %x, %y : memref<4xf32> to memref<4xf32>
  return
}

// -----

func.func @tensor(%x: tensor<4xf32>) -> tensor<4xf32> {
  // expected-error@+3 {{'tensor.insert' op is not supported on target 'sm_90a'}}
  %c0 = arith.constant 0 : index
  %f = arith.constant 0.0 : f32
  %y = tensor.insert %f into %x[%c0] : tensor<4xf32>
  return %y : tensor<4xf32>
}

// -----

func.func @alloc(%n: index) {
  scf.forall (%i) in (4) {
    // expected-error@+1 {{'memref.alloc' op is not supported on target 'sm_90a'}}
    %0 = memref.alloc(%n) : memref<?xf32>
  }
  return
}

// -----

func.func @memory_space(%x: memref<4xf32, 3>, %a: f32) {
  // expected-error@+1 {{expected buffers in the default memory space, but got 'memref<4xf32, 3>'}}
  scf.forall (%i) in (4) {
    memref.store %a, %x[%i] : memref<4xf32, 3>
  }
  return
}

// -----

func.func @wide(%x: memref<4xi128>) -> i128 {
  %c0 = arith.constant 0 : index
  // expected-error@+1 {{'memref.load' op computes a value of type 'i128' for the host, which reads 64 bits}}
  %v = memref.load %x[%c0] : memref<4xi128>
  // expected-note@+1 {{used here}}
  return %v : i128
}

// -----

// expected-error@+1 {{'func.func' op expects another name than 'kernels', which the module of the kernels has}}
func.func @kernels() {
  return
}
