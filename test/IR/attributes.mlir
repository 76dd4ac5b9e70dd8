// RUN: lowp-opt %s --verify-roundtrip | FileCheck %s
// RUN: lowp-opt %s --emit-bytecode | lowp-opt | FileCheck %s

// CHECK-LABEL: func.func private @format
// CHECK-SAME: named = #lowp.format<mxs2f6>
// CHECK-SAME: other = #lowp.format<f8E5M2, f8E4M3FN, outer>
// CHECK-SAME: s2f6 = #lowp.format<!lowp.s2f6, f32>
// CHECK-SAME: spelled = #lowp.format<nvfp4>
func.func private @format() attributes {
  named = #lowp.format<mxs2f6>, other = #lowp.format<f8E5M2, f8E4M3FN, outer>,
  s2f6 = #lowp.format<!lowp.s2f6, f32>, spelled = #lowp.format<f4E2M1FN, f8E4M3FN, outer>}

// Fields at their default are not printed; a preset that fits is.
// CHECK-LABEL: func.func private @rule
// CHECK-SAME: a = #lowp.rule<>
// CHECK-SAME: b = #lowp.rule<>
// CHECK-SAME: c = #lowp.rule<te>
// CHECK-SAME: d = #lowp.rule<te_four_six>
// CHECK-SAME: e = #lowp.rule<fouroversix>
// CHECK-SAME: f = #lowp.rule<torchao>
// CHECK-SAME: g = #lowp.rule<compressed_tensors>
// CHECK-SAME: h = #lowp.rule<ocp>
// CHECK-SAME: i = #lowp.rule<scale = floor, nonfinite = saturate>
// CHECK-SAME: j = #lowp.rule<sf_round = up, round = stochastic, outer_max = 1536, outer_repr = pow2, bits = independent, rounds = 7, sr_bits = 12>
// CHECK-SAME: k = #lowp.rule<scale = ceil, round = stochastic, allow_clipping = true>
// CHECK-SAME: l = #lowp.rule<fouroversix>
// CHECK-SAME: m = #lowp.rule<sf_round = ceil, map_to = 4>
// CHECK-SAME: n = #lowp.rule<round = toward_zero, overflow = nonfinite>
func.func private @rule() attributes {
  a = #lowp.rule<>, b = #lowp.rule<scale = rceil, allow_clipping = false, rounds = 10>,
  c = #lowp.rule<te>, d = #lowp.rule<te_four_six>, e = #lowp.rule<fouroversix>, f = #lowp.rule<torchao>,
  g = #lowp.rule<compressed_tensors>, h = #lowp.rule<ocp>,
  i = #lowp.rule<ocp, nonfinite = saturate>,
  j = #lowp.rule<round = stochastic, sf_round = up, outer_max = 1536, outer_repr = pow2, bits = independent, rounds = 7, sr_bits = 12>,
  k = #lowp.rule<scale = ceil, round = stochastic, allow_clipping = true>,
  l = #lowp.rule<neg_zero = drop, four_six_error = dequantized, four_six = mse>,
  m = #lowp.rule<map_to = 4, sf_round = ceil, overflow = saturate>,
  n = #lowp.rule<overflow = nonfinite, round = toward_zero, map_to = 0>}

// CHECK-LABEL: func.func private @param
// CHECK-SAME: {lowp.param = #lowp.param<name = "gate.weight", kind = weight>}
// CHECK-SAME: {lowp.param = #lowp.param<name = "x">}
func.func private @param(f32 {lowp.param = #lowp.param<name = "gate.weight", kind = weight>},
                         f32 {lowp.param = #lowp.param<name = "x">})

// CHECK-LABEL: func.func private @site
// CHECK-SAME: a = #lowp.site<name = "layers.0.down_proj", role = fprop, kind = expert, layer = 0, weight = rhs>
// CHECK-SAME: b = #lowp.site<name = "", role = none, kind = attention>
func.func private @site() attributes {
  a = #lowp.site<name = "layers.0.down_proj", role = fprop, kind = expert, layer = 0, weight = rhs>,
  b = #lowp.site<name = "", role = none, kind = attention>}

// CHECK-LABEL: func.func private @plan
// CHECK-SAME: a = #lowp.plan<lhs = <format = <nvfp4>, block = 16, outer = per_token, rule = <four_six = mse>>, rhs = <format = <nvfp4>, block = 16, outer = per_expert, rule = <>>, why = "rule 1">
// CHECK-SAME: b = #lowp.plan<rhs = <format = <f8E4M3FN, f8E8M0FNU, outer>, block = 32, outer = per_tensor, rule = <>>>
// CHECK-SAME: c = #lowp.plan<>
// CHECK-SAME: lowp.plan = #lowp.plan<why = "by hand">
func.func private @plan() attributes {
  a = #lowp.plan<lhs = <format = <nvfp4>, block = 16, outer = per_token, rule = <four_six = mse>>, rhs = <format = <nvfp4>, block = 16, outer = per_expert, rule = <>>, why = "rule 1">,
  b = #lowp.plan<rhs = <format = <f8E4M3FN, f8E8M0FNU, outer>, block = 32, outer = per_tensor, rule = <>>>,
  c = #lowp.plan<>, lowp.plan = #lowp.plan<why = "by hand">}

// CHECK-LABEL: module @sites attributes {lowp.sites = [{name = "w"}]}
module @sites attributes {lowp.sites = [{name = "w"}]} {}

// CHECK: #lowp.exchange<combine = <mxs2f6>, rht = 32, dispatch = <nvfp4>>
// CHECK: #lowp.exchange<combine = <mxfp8_e5m2>, via_bf16 = true>
// CHECK: #lowp.exchange<>
func.func private @exchange() attributes {
  a = #lowp.exchange<combine = <mxs2f6>, rht = 32, via_bf16 = false, dispatch = <nvfp4>>,
  b = #lowp.exchange<combine = <f8E5M2, f8E8M0FNU>, rht = 0, via_bf16 = true>,
  c = #lowp.exchange<>}
