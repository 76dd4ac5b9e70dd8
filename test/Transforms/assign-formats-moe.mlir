// The six-layer mixture of experts under moe-nvfp4: experts of layers 0 to 4 in
// NVFP4, of layer 5 in MXFP8, all else as it was; with names, and without.
// RUN: lowp-opt %inputs/models/moe_lm_6l.mlir --pass-pipeline='builtin.module(lowp-annotate-params{params=%inputs/models/moe_lm_6l.json},lowp-recognize,lowp-assign-formats{recipe=moe-nvfp4})' | grep -v lowp.sites | FileCheck %s
// RUN: lowp-opt %inputs/models/moe_lm_6l.mlir --pass-pipeline='builtin.module(lowp-recognize,lowp-assign-formats{recipe=moe-nvfp4})' | grep -v lowp.sites | FileCheck %s

// CHECK-NOT: lowp.matmul
// CHECK: lowp.batch_matmul {{.*}} kind = expert, layer = 0, weight = rhs> plan = <lhs = <format = <nvfp4>, block = 16, outer = per_token, rule = <four_six = mse>>, rhs = <format = <nvfp4>, block = 16, outer = per_expert, rule = <>>
// CHECK-NOT: lowp.matmul
// CHECK: lowp.batch_matmul {{.*}} kind = expert, layer = 0, weight = rhs> plan = <lhs = <format = <nvfp4>, block = 16, outer = per_token, rule = <four_six = mse>>, rhs = <format = <nvfp4>, block = 16, outer = per_expert, rule = <>>
// CHECK-NOT: lowp.matmul
// CHECK-COUNT-2: lowp.batch_matmul {{.*}} layer = 1, weight = rhs> plan = <lhs = <format = <nvfp4>
// CHECK-NOT: lowp.matmul
// CHECK-COUNT-2: lowp.batch_matmul {{.*}} layer = 2, weight = rhs> plan = <lhs = <format = <nvfp4>
// CHECK-NOT: lowp.matmul
// CHECK-COUNT-2: lowp.batch_matmul {{.*}} layer = 3, weight = rhs> plan = <lhs = <format = <nvfp4>
// CHECK-NOT: lowp.matmul
// CHECK-COUNT-2: lowp.batch_matmul {{.*}} layer = 4, weight = rhs> plan = <lhs = <format = <nvfp4>
// CHECK-NOT: lowp.matmul
// CHECK-COUNT-2: lowp.batch_matmul {{.*}} layer = 5, weight = rhs> plan = <lhs = <format = <mxfp8_e4m3>, block = 32, outer = none, rule = <>>, rhs = <format = <mxfp8_e4m3>, block = 32, outer = none, rule = <>>
// CHECK-NOT: lowp.batch_matmul
// CHECK-NOT: lowp.matmul
