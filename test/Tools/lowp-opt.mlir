// RUN: lowp-opt %s --pass-pipeline='builtin.module(gpu.module(convert-gpu-to-nvvm,convert-nvvm-to-llvm,reconcile-unrealized-casts),gpu-module-to-binary{format=isa})' | FileCheck %s

// The upstream path to PTX is complete in lowp-opt.
// CHECK: gpu.binary @m
// CHECK-SAME: .target sm_100a
gpu.module @m [#nvvm.target<chip = "sm_100a", O = 3>] {
  gpu.func @k(%arg0: f32) kernel {
    gpu.return
  }
}
