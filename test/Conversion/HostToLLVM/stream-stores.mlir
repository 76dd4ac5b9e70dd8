// RUN: lowp-opt %s --lowp-stream-stores --split-input-file | FileCheck %s

// Nothing is read of the rows: whole lines of them pass the caches where both
// buffers are together too large, and no line is fetched for them then.

// CHECK-LABEL: func.func @rows
// CHECK-SAME: %[[FROM:.*]]: memref<?x?xbf16>, %[[TO:.*]]: memref<?x64xi8>
// CHECK: %[[READ:.*]] = arith.constant 2 : index
// CHECK: %[[CACHE:.*]] = call @lowp_rt_cache_bytes() : () -> index
// CHECK: %[[EXCEEDS:.*]] = arith.cmpi ugt, %{{.*}}, %[[CACHE]] : index
// CHECK: scf.for
// CHECK:   %[[ROW:.*]] = memref.subview %[[TO]]
// CHECK:   %[[FITS:.*]] = arith.xori %[[EXCEEDS]], %true
// CHECK:   scf.if %[[FITS]] {
// CHECK-NEXT: memref.prefetch %[[ROW]]
// CHECK-NEXT: }
// CHECK:   %[[START:.*]] = memref.extract_aligned_pointer_as_index %[[ROW]]
// CHECK:   %[[REST:.*]] = arith.andi %{{.*}}, %c63
// CHECK:   %[[STARTS:.*]] = arith.cmpi eq, %[[REST]]
// CHECK:   %[[BOTH:.*]] = arith.andi %[[EXCEEDS]], %[[STARTS]] : i1
// CHECK:   scf.if %[[BOTH]] {
// CHECK-NEXT: vector.store %{{.*}}, %[[ROW]][%c0] {alignment = 64 : i64, nontemporal = true}
// CHECK-NEXT: } else {
// CHECK-NEXT: vector.transfer_write %{{.*}}, %[[ROW]][%c0]{{.*$}}
// CHECK-NEXT: }
// CHECK: func.func private @lowp_rt_cache_bytes() -> index
func.func @rows(%from: memref<?x?xbf16>, %to: memref<?x64xi8>, %rows: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %zero = arith.constant 0.0 : bf16
  scf.for %i = %c0 to %rows step %c1 {
    %row = memref.subview %to[%i, 0] [1, 64] [1, 1]
      : memref<?x64xi8> to memref<64xi8, strided<[1], offset: ?>>
    memref.prefetch %row[%c0], write, locality<3>, data
      : memref<64xi8, strided<[1], offset: ?>>
    %v = vector.transfer_read %from[%i, %c0], %zero {in_bounds = [true]}
      : memref<?x?xbf16>, vector<32xbf16>
    %bytes = vector.bitcast %v : vector<32xbf16> to vector<64xi8>
    vector.transfer_write %bytes, %row[%c0] {in_bounds = [true]}
      : vector<64xi8>, memref<64xi8, strided<[1], offset: ?>>
  }
  return
}

// -----

// CHECK-LABEL: func.func @left_alone
// CHECK-NOT: nontemporal
// CHECK-NOT: lowp_rt_cache_bytes
func.func @left_alone(%m: memref<?xf32>, %v: vector<16xf32>, %w: vector<8xf32>,
                      %mask: vector<16xi1>, %count: index,
                      %strided: memref<?xf32, strided<[2]>>) {
  %c0 = arith.constant 0 : index
  %c16 = arith.constant 16 : index
  %zero = arith.constant 0.0 : f32
  // Read again in the loop.
  scf.for %i = %c0 to %count step %c16 {
    %old = vector.transfer_read %m[%i], %zero {in_bounds = [true]}
      : memref<?xf32>, vector<16xf32>
    %new = arith.addf %old, %v : vector<16xf32>
    vector.transfer_write %new, %m[%i] {in_bounds = [true]}
      : vector<16xf32>, memref<?xf32>
  }
  // Parts of lines, elements apart, or what may not be written at all.
  scf.for %i = %c0 to %count step %c16 {
    vector.transfer_write %w, %m[%i] {in_bounds = [true]}
      : vector<8xf32>, memref<?xf32>
    vector.transfer_write %v, %m[%i] : vector<16xf32>, memref<?xf32>
    vector.transfer_write %v, %m[%i], %mask {in_bounds = [true]}
      : vector<16xf32>, memref<?xf32>
    vector.transfer_write %v, %strided[%i] {in_bounds = [true]}
      : vector<16xf32>, memref<?xf32, strided<[2]>>
  }
  // A buffer of each iteration stays in the caches.
  scf.for %i = %c0 to %count step %c16 {
    %own = memref.alloc(%count) : memref<?xf32>
    vector.transfer_write %v, %own[%c0] {in_bounds = [true]}
      : vector<16xf32>, memref<?xf32>
    memref.dealloc %own : memref<?xf32>
  }
  // Once is not a loop.
  vector.transfer_write %v, %m[%c0] {in_bounds = [true]}
    : vector<16xf32>, memref<?xf32>
  return
}
