// RUN: lowp-opt %s --verify-roundtrip | FileCheck %s
// RUN: lowp-opt %s --emit-bytecode | lowp-opt | FileCheck %s
// RUN: lowp-opt %s --mlir-print-op-generic | lowp-opt | FileCheck %s

// CHECK-LABEL: func.func @scales
func.func @scales(%v: vector<16xf32>, %b: i8) {
  // CHECK: lowp.block_amax %{{.*}} : vector<16xf32>
  %a = lowp.block_amax %v : vector<16xf32>
  // CHECK: lowp.block_amax %{{.*}} nonfinite = saturate : vector<16xf32>
  %0 = lowp.block_amax %v nonfinite = saturate : vector<16xf32>
  // CHECK: %[[E:.*]], %[[D:.*]] = lowp.outer_scale %{{.*}} format = <nvfp4>{{$}}
  %e, %d = lowp.outer_scale %a format = <nvfp4>
  // CHECK: lowp.outer_scale %{{.*}} format = <nvfp4> rule = <four_six = mse> from = scale{{$}}
  %1:2 = lowp.outer_scale %a format = <nvfp4> rule = <four_six = mse> from = scale
  // CHECK: lowp.block_scale %{{.*}} format = <mxfp8_e4m3> : i8
  %2:2 = lowp.block_scale %a format = <mxfp8_e4m3> : i8
  // CHECK: lowp.block_scale %{{.*}} outer(%[[E]], %[[D]]) format = <nvfp4> rule = <four_six = mse> four : i8
  %3:2 = lowp.block_scale %a outer(%e, %d) format = <nvfp4> rule = <four_six = mse> four : i8
  // CHECK: lowp.block_scale %{{.*}} format = <fp8_block> : f32
  %4:2 = lowp.block_scale %a format = <fp8_block> : f32
  // CHECK: lowp.decode_scale %{{.*}} type = f8E8M0FNU
  %5 = lowp.decode_scale %b type = f8E8M0FNU
  // CHECK: lowp.encode_scale %{{.*}} type = f8E8M0FNU round = up overflow = nonfinite
  %es = lowp.encode_scale %a type = f8E8M0FNU round = up overflow = nonfinite
  // CHECK: lowp.encode_scale %{{.*}} type = f8E4M3FN{{$}}
  %et = lowp.encode_scale %a type = f8E4M3FN round = nearest
  // CHECK: lowp.decode_scale %{{.*}} type = f8E4M3FN
  %6 = lowp.decode_scale %b type = f8E4M3FN
  // CHECK: lowp.block_error %{{.*}}, %{{.*}}, %{{.*}}, %[[E]] format = <nvfp4> rule = <four_six = mse> : vector<16xf32>
  %7 = lowp.block_error %v, %v, %a, %e format = <nvfp4> rule = <four_six = mse> : vector<16xf32>
  // CHECK: lowp.block_error %{{.*}}, %{{.*}}, %{{.*}}, %[[D]] format = <nvfp4> rule = <fouroversix> given_scale : vector<16xf32>
  %8 = lowp.block_error %v, %v, %a, %d format = <nvfp4> rule = <fouroversix> given_scale : vector<16xf32>
  return
}

// CHECK-LABEL: func.func @elements
func.func @elements(%v: vector<16xf32>, %w: vector<15xf32>, %ok: i1) {
  // CHECK: %[[P:.*]] = lowp.encode %{{.*}} element = f4E2M1FN : vector<16xf32> -> vector<8xi8>
  %p = lowp.encode %v element = f4E2M1FN : vector<16xf32> -> vector<8xi8>
  // CHECK: %[[U:.*]] = lowp.encode %{{.*}} element = f4E2M1FN : vector<15xf32> -> vector<15xi8>
  %u = lowp.encode %w element = f4E2M1FN : vector<15xf32> -> vector<15xi8>
  // CHECK: lowp.encode %{{.*}} valid(%{{.*}}) element = !lowp.s2f6 rule = <nonfinite = saturate> : vector<16xf32> -> vector<16xi8>
  %s = lowp.encode %v valid(%ok) element = !lowp.s2f6 rule = <nonfinite = saturate> : vector<16xf32> -> vector<16xi8>
  // CHECK: lowp.decode %[[P]] element = f4E2M1FN : vector<8xi8> -> vector<16xf32>
  %0 = lowp.decode %p element = f4E2M1FN : vector<8xi8> -> vector<16xf32>
  // CHECK: lowp.decode %[[U]] element = f4E2M1FN : vector<15xi8> -> vector<15xf32>
  %1 = lowp.decode %u element = f4E2M1FN : vector<15xi8> -> vector<15xf32>
  // CHECK: lowp.decode %{{.*}} element = f8E5M2 : vector<16xi8> -> vector<16xf32>
  %2 = lowp.decode %s element = f8E5M2 : vector<16xi8> -> vector<16xf32>
  // CHECK: lowp.hadamard %{{.*}} negate = [true, false, {{.*}}] inverse normalization = orthonormal : vector<16xf32>
  %3 = lowp.hadamard %v negate = [true, false, false, true, true, false, true, false, true, true, false, true, false, true, true, false] inverse normalization = orthonormal : vector<16xf32>
  return
}

// CHECK-LABEL: func.func @random
func.func @random(%v: vector<16xf32>, %ok: i1, %seed: i64, %step: i32, %stream: i32, %g: i64, %gs: vector<2xi64>, %words: vector<4xi32>, %few: vector<2xi32>) {
  // CHECK: %[[W:.*]], %{{.*}}, %{{.*}}, %[[W3:.*]] = lowp.philox %{{.*}}, %{{.*}}, %{{.*}}, %{{.*}} : i64
  %w:4 = lowp.philox %seed, %step, %stream, %g : i64
  // CHECK: lowp.philox %{{.*}}, %{{.*}}, %{{.*}}, %{{.*}} rounds = 7 independent : vector<2xi64>
  %s:4 = lowp.philox %seed, %step, %stream, %gs rounds = 7 independent : vector<2xi64>
  // CHECK: arith.addi %[[W]], %[[W3]] : i32
  %0 = arith.addi %w#0, %w#3 : i32
  // CHECK: arith.addi %{{.*}}, %{{.*}} : vector<2xi32>
  %1 = arith.addi %s#1, %s#2 : vector<2xi32>
  // CHECK: %[[R:.*]] = lowp.random_bits %{{.*}} bits = 8 : vector<4xi32> -> vector<16xi32>
  %r = lowp.random_bits %words bits = 8 : vector<4xi32> -> vector<16xi32>
  // CHECK: lowp.random_bits %{{.*}} bits = 16 independent : vector<2xi32> -> vector<3xi32>
  %q = lowp.random_bits %few bits = 16 independent : vector<2xi32> -> vector<3xi32>
  // CHECK: lowp.dot_pairs %[[R]] by 64, -1 plus %{{.*}} : vector<16xi32>
  %d = lowp.dot_pairs %r by 64, -1 plus %r : vector<16xi32>
  // CHECK: lowp.encode %{{.*}} valid(%{{.*}}) random(%[[R]] : vector<16xi32>) element = f4E2M1FN rule = <round = stochastic> : vector<16xf32> -> vector<8xi8>
  %c = lowp.encode %v valid(%ok) random(%r : vector<16xi32>) element = f4E2M1FN rule = <round = stochastic> : vector<16xf32> -> vector<8xi8>
  return
}

// CHECK-LABEL: func.func @batches
func.func @batches(%v: vector<32x16xf32>, %ok: vector<16xi1>, %e: vector<16xf32>, %r: vector<32x16xi32>) {
  // CHECK: %[[A:.*]] = lowp.block_amax %{{.*}} : vector<32x16xf32>
  %a = lowp.block_amax %v : vector<32x16xf32>
  // CHECK: %[[S:.*]], %{{.*}} = lowp.block_scale %[[A]] format = <mxfp8_e4m3> : vector<16xi8>
  %s, %f = lowp.block_scale %a format = <mxfp8_e4m3> : vector<16xi8>
  // CHECK: lowp.block_scale %[[A]] outer(%{{.*}}, %{{.*}}) format = <nvfp4> regular : vector<16xi8>
  %0:2 = lowp.block_scale %a outer(%e, %e) format = <nvfp4> regular : vector<16xi8>
  // CHECK: lowp.block_scale %[[A]] format = <fp8_block> : vector<16xf32>
  %1:2 = lowp.block_scale %a format = <fp8_block> : vector<16xf32>
  // CHECK: lowp.decode_scale %[[S]] type = f8E8M0FNU : vector<16xi8>
  %2 = lowp.decode_scale %s type = f8E8M0FNU : vector<16xi8>
  // CHECK: %[[C:.*]] = lowp.encode %{{.*}} valid(%{{.*}}) element = f4E2M1FN : vector<32x16xf32> -> vector<16x16xi8>
  %c = lowp.encode %v valid(%ok) element = f4E2M1FN : vector<32x16xf32> -> vector<16x16xi8>
  // CHECK: lowp.encode %{{.*}} random(%{{.*}} : vector<32x16xi32>) element = f8E4M3FN
  %3 = lowp.encode %v random(%r : vector<32x16xi32>) element = f8E4M3FN rule = <round = stochastic> : vector<32x16xf32> -> vector<32x16xi8>
  // CHECK: lowp.decode %[[C]] element = f4E2M1FN : vector<16x16xi8> -> vector<32x16xf32>
  %q = lowp.decode %c element = f4E2M1FN : vector<16x16xi8> -> vector<32x16xf32>
  // CHECK: lowp.block_error %{{.*}}, %{{.*}}, %{{.*}}, %{{.*}} format = <nvfp4> rule = <four_six = mse> : vector<32x16xf32>
  %4 = lowp.block_error %v, %q, %e, %e format = <nvfp4> rule = <four_six = mse> : vector<32x16xf32>
  return
}
