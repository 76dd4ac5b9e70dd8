// RUN: lowp-opt %s --pass-pipeline='builtin.module(lowp-assign-formats{recipe=moe-nvfp4})' | FileCheck %s --check-prefixes=CHECK,MOE
// RUN: lowp-opt %s --pass-pipeline='builtin.module(lowp-assign-formats{recipe=nvfp4})' | FileCheck %s --check-prefixes=CHECK,NVFP4
// RUN: lowp-opt %s --pass-pipeline='builtin.module(lowp-assign-formats{recipe=%lowp_src/share/lowp/recipes/mxfp8.json})' | FileCheck %s --check-prefixes=CHECK,MXFP8
// RUN: lowp-opt %s --pass-pipeline='builtin.module(lowp-assign-formats{recipe=bf16})' | FileCheck %s --check-prefixes=CHECK,BF16
// RUN: lowp-opt %s --pass-pipeline='builtin.module(lowp-assign-formats{recipe=bf16 rules="name=*.down, layer=0 -> weight=mxfp8_e5m2 ; kind=expert|dense -> lhs=nvfp4:32:nonfinite=saturate:te rhs=none"})' | FileCheck %s --check-prefixes=CHECK,RULES

// The decision on every site, in program order.
// CHECK: lowp.sites = [
// MOE-SAME: lhs = tensor<8x96xbf16>, lhs_dim = 1 : i64, plan = #lowp.plan<
// MOE-SAME: site = #lowp.site<name = "layers.0.experts.down", role = fprop, kind = expert, layer = 0, weight = rhs>, why = "moe-nvfp4: rule 2"}
// MOE-SAME: why = "moe-nvfp4: rule 1, the last sixth of the layers"}
// MOE-SAME: {lhs = tensor<8x96xbf16>, lhs_dim = 1 : i64, result = tensor<8x64xf32>, rhs = tensor<96x64xbf16>, rhs_dim = 0 : i64, site = #lowp.site<name = "head", role = fprop, kind = head, weight = rhs>, why = "moe-nvfp4: rule 5, only experts are quantised"}
// BF16-SAME: why = "no rule matches"
// RULES-SAME: why = "rule 'name=*.down, layer=0 -> weight=mxfp8_e5m2'"

// CHECK-LABEL: func @main
func.func @main(%x: tensor<8x96xbf16>, %w: tensor<4x96x64xbf16>, %v: tensor<96x64xbf16>)
    -> (tensor<4x8x64xf32>, tensor<4x8x64xf32>, tensor<8x64xf32>, tensor<8x64xf32>, tensor<8x64xf32>) {
  // MOE: lowp.batch_matmul {{.*}} plan = <lhs = <format = <nvfp4>, block = 16, outer = per_token, rule = <four_six = mse>>, rhs = <format = <nvfp4>, block = 16, outer = per_expert, rule = <>>, why = "moe-nvfp4: rule 2">
  // NVFP4: lowp.batch_matmul {{.*}} plan = <lhs = <format = <nvfp4>, block = 16, outer = per_token, rule = <four_six = mse>>, rhs = <format = <nvfp4>, block = 16, outer = per_expert, rule = <>>, why = "nvfp4: rule 2">
  // MXFP8: lowp.batch_matmul {{.*}} plan = <lhs = <format = <mxfp8_e4m3>, block = 32, outer = none, rule = <>>, rhs = <format = <mxfp8_e4m3>, block = 32, outer = none, rule = <>>, why = "mxfp8: rule 2">
  // BF16-NOT: plan =
  // RULES: lowp.batch_matmul {{.*}} plan = <rhs = <format = <mxfp8_e5m2>, block = 32, outer = none, rule = <>>, why
  %0 = lowp.batch_matmul %x, %w site = <name = "layers.0.experts.down", role = fprop, kind = expert, layer = 0, weight = rhs>
    : tensor<8x96xbf16>, tensor<4x96x64xbf16> -> tensor<4x8x64xf32>
  // MOE: lowp.batch_matmul {{.*}} plan = <lhs = <format = <mxfp8_e4m3>, block = 32, outer = none, rule = <>>, rhs = <format = <mxfp8_e4m3>, block = 32
  // NVFP4: lowp.batch_matmul {{.*}} plan = <lhs = <format = <nvfp4>
  // RULES: lowp.batch_matmul {{.*}} plan = <lhs = <format = <nvfp4>, block = 32, outer = per_tensor, rule = <sf_arith = te, nonfinite = saturate, neg_zero = drop, sf_zero = keep_codes>>, why
  %1 = lowp.batch_matmul %x, %w site = <name = "layers.1.experts.down", role = fprop, kind = expert, layer = 1, weight = rhs>
    : tensor<8x96xbf16>, tensor<4x96x64xbf16> -> tensor<4x8x64xf32>
  // MOE: lowp.matmul {{.*}}kind = dense{{.*}}weight = rhs> :
  // NVFP4: lowp.matmul {{.*}} plan = <lhs = <format = <nvfp4>, block = 16, outer = per_token, rule = <four_six = mse>>, rhs = <format = <nvfp4>, block = 16, outer = per_tensor, rule = <>>, why = "nvfp4: rule 3">
  %2 = lowp.matmul %x, %v site = <name = "layers.1.mlp.down", role = fprop, kind = dense, layer = 1, weight = rhs>
    : tensor<8x96xbf16>, tensor<96x64xbf16> -> tensor<8x64xf32>
  // NVFP4: lowp.matmul {{.*}}kind = head{{.*}}weight = rhs> :
  // MXFP8: lowp.matmul {{.*}}kind = head{{.*}}weight = rhs> :
  %3 = lowp.matmul %x, %v site = <name = "head", role = fprop, kind = head, weight = rhs>
    : tensor<8x96xbf16>, tensor<96x64xbf16> -> tensor<8x64xf32>
  // A plan on the operation wins; an empty one leaves the site alone.
  // CHECK: lowp.matmul {{.*}} plan = <lhs = <format = <mxfp4>, block = 32, outer = none, rule = <>>, why = "plan written on the operation">
  %4 = lowp.matmul %x, %v site = <name = "planned", role = fprop, kind = dense, weight = rhs>
    plan = <lhs = <format = <mxfp4>, block = 32, outer = none, rule = <>>>
    : tensor<8x96xbf16>, tensor<96x64xbf16> -> tensor<8x64xf32>
  return %0, %1, %2, %3, %4 : tensor<4x8x64xf32>, tensor<4x8x64xf32>, tensor<8x64xf32>, tensor<8x64xf32>, tensor<8x64xf32>
}
