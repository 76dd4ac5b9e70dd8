// RUN: lowp-opt %s --verify-diagnostics --split-input-file

// One case per constraint of docs/spec.md, named by its label.

// format (C1)
// E8M0 is storage of scales only.
// expected-error@below {{expected element type f4E2M1FN, f6E2M3FN, f6E3M2FN, f8E4M3FN, f8E5M2 or !lowp.s2f6, but got 'f8E8M0FNU'}}
func.func private @format_c1() attributes {a = #lowp.format<f8E8M0FNU, f8E8M0FNU>}

// -----

// expected-error@below {{expected element type f4E2M1FN, f6E2M3FN, f6E3M2FN, f8E4M3FN, f8E5M2 or !lowp.s2f6, but got 'f8E8M0FNU'}}
func.func private @format_c1_inline(!lowp.blocked<4x16x<f8E8M0FNU, f8E8M0FNU>, block = [1, 16]>)

// -----

// format (C2)
// expected-error@below {{expected scale type f8E8M0FNU, f8E4M3FN or f32, but got 'f8E5M2'}}
func.func private @format_c2() attributes {a = #lowp.format<f4E2M1FN, f8E5M2>}

// -----

// format (C3)
// expected-error@below {{expected no outer scale above f32 block scales, which cover the whole range by themselves}}
func.func private @format_c3() attributes {a = #lowp.format<f8E4M3FN, f32, outer>}

// -----

// expected-error@below {{expected a format, one of nvfp4, mxfp8_e4m3, mxfp8_e5m2, mxfp6_e2m3, mxfp6_e3m2, mxfp4, mxs2f6, fp8_block or an element and a scale type}}
func.func private @format_name() attributes {a = #lowp.format<nvfp8>}

// -----

// rule (C1)
// expected-error@below {{expected outer_max between 0 and 16777216, but got -1}}
func.func private @rule_c1_negative() attributes {a = #lowp.rule<outer_max = -1>}

// -----

// expected-error@below {{expected outer_max between 0 and 16777216, but got 16777217}}
func.func private @rule_c1_large() attributes {a = #lowp.rule<outer_max = 16777217>}

// -----

// rule (C2)
// expected-error@below {{expected rounds to be 7 or 10, but got 8}}
func.func private @rule_c2() attributes {a = #lowp.rule<round = stochastic, rounds = 8>}

// -----

// rule (C3)
// expected-error@below {{expected four_six = none with stochastic rounding, but got mse; four_six needs round = nearest}}
func.func private @rule_c3() attributes {a = #lowp.rule<round = stochastic, four_six = mse>}

// -----

// rule (C4)
// expected-error@below {{expected sf_round = rne with four_six = mae, but got up}}
func.func private @rule_c4() attributes {a = #lowp.rule<sf_round = up, four_six = mae>}

// -----

// rule (C5)
// expected-error@below {{expected sf_arith = divide or te with four_six = mse, but got torchao}}
func.func private @rule_c5() attributes {a = #lowp.rule<torchao, four_six = mse>}

// -----

// rule (C6)
// expected-error@below {{expected a four_six choice where four_six_error is dequantized, but got none}}
func.func private @rule_c6() attributes {a = #lowp.rule<fouroversix, four_six = none>}

// -----

// rule (C7)
// expected-error@below {{expected sf_round = rne and outer_repr = decode_f32 with sf_arith = torchao, but got up and decode_f32}}
func.func private @rule_c7_up() attributes {a = #lowp.rule<torchao, sf_round = up>}

// -----

// expected-error@below {{expected sf_round = rne and outer_repr = decode_f32 with sf_arith = compressed_tensors, but got rne and pow2}}
func.func private @rule_c7_pow2() attributes {a = #lowp.rule<compressed_tensors, outer_repr = pow2>}

// -----

// rule (C8)
// expected-error@below {{expected scale = rceil with stochastic rounding, but got floor, which clips; allow_clipping = true accepts it}}
func.func private @rule_c8() attributes {a = #lowp.rule<ocp, round = stochastic>}

// -----

// rule (C9)
// expected-error@below {{expected round = stochastic where bits, rounds, sr_bits or allow_clipping is given, but got nearest}}
func.func private @rule_c9_bits() attributes {a = #lowp.rule<bits = independent>}

// -----

// expected-error@below {{expected round = stochastic where bits, rounds, sr_bits or allow_clipping is given, but got nearest}}
func.func private @rule_c9_rounds() attributes {a = #lowp.rule<rounds = 7>}

// -----

// expected-error@below {{expected round = stochastic where bits, rounds, sr_bits or allow_clipping is given, but got nearest}}
func.func private @rule_c9_clipping() attributes {a = #lowp.rule<allow_clipping = true>}

// -----

// expected-error@below {{expected round = stochastic where bits, rounds, sr_bits or allow_clipping is given, but got nearest}}
func.func private @rule_c9_sr_bits() attributes {a = #lowp.rule<sr_bits = 8>}

// -----

// expected-error@below {{expected round = stochastic where bits, rounds, sr_bits or allow_clipping is given, but got toward_zero}}
func.func private @rule_c9_toward_zero() attributes {a = #lowp.rule<round = toward_zero, allow_clipping = true>}

// -----

// expected-error@below {{expected four_six = none with toward_zero rounding, but got mse; four_six needs round = nearest}}
func.func private @rule_c3_toward_zero() attributes {a = #lowp.rule<round = toward_zero, four_six = mse>}

// -----

// expected-error@below {{expected sf_round = rne with four_six = mae, but got ceil}}
func.func private @rule_c4_ceil() attributes {a = #lowp.rule<sf_round = ceil, four_six = mae>}

// -----

// expected-error@below {{expected sf_round = rne and outer_repr = decode_f32 with sf_arith = torchao, but got ceil and decode_f32}}
func.func private @rule_c7_ceil() attributes {a = #lowp.rule<torchao, sf_round = ceil>}

// -----

// rule (C10)
// expected-error@below {{expected sr_bits between 0 and 16, but got 17}}
func.func private @rule_c10() attributes {a = #lowp.rule<round = stochastic, sr_bits = 17>}

// -----

// rule (C11)
// expected-error@below {{expected map_to of at least 0, but got -4}}
func.func private @rule_c11() attributes {a = #lowp.rule<map_to = -4>}

// -----

// rule (C12)
// expected-error@below {{expected map_to = 0 with four_six = mse, but got 4; the candidates map to 6 and to 4}}
func.func private @rule_c12() attributes {a = #lowp.rule<four_six = mse, map_to = 4>}

// -----

// rule (C13)
// expected-error@below {{expected overflow = saturate with stochastic rounding, but got nonfinite; a scale that does not clip leaves none}}
func.func private @rule_c13() attributes {a = #lowp.rule<round = stochastic, overflow = nonfinite>}

// -----

// expected-error@below {{expected a field of the rule (scale, sf_arith, sf_round, round, four_six, four_six_error, outer_max, outer_repr, nonfinite, neg_zero, sf_zero, bits, rounds, sr_bits, allow_clipping, map_to, overflow) or first a preset (te, te_four_six, fouroversix, torchao, compressed_tensors, ocp), but got 'rounding'}}
func.func private @rule_field() attributes {a = #lowp.rule<rounding = nearest>}

// -----

// A preset comes first.
// expected-error@below {{or first a preset (te, te_four_six, fouroversix, torchao, compressed_tensors, ocp), but got 'te'}}
func.func private @rule_preset() attributes {a = #lowp.rule<nonfinite = saturate, te>}

// -----

// expected-error@below {{expected one of rceil, floor, ceil, even, but got 'up'}}
func.func private @rule_value() attributes {a = #lowp.rule<scale = up>}

// -----

// operand (C1)
// expected-error@below {{expected block between 1 and 2147483647, but got 0}}
func.func private @operand_c1() attributes {a = #lowp.operand<format = <mxfp4>, block = 0, outer = none, rule = <>>}

// -----

// operand (C1)
// expected-error@below {{expected tile between 1 and 2147483647, but got 0}}
func.func private @operand_c1_tile() attributes {a = #lowp.operand<format = <mxfp4>, block = 32, outer = none, rule = <>, tile = 0>}

// -----

// operand (C2)
// expected-error@below {{expected outer = none exactly for formats without an outer scale, but got none}}
func.func private @operand_c2() attributes {a = #lowp.operand<format = <nvfp4>, block = 16, outer = none, rule = <>>}

// -----

// expected-error@below {{expected outer = none exactly for formats without an outer scale, but got per_token}}
func.func private @operand_c2_mx() attributes {a = #lowp.operand<format = <mxfp4>, block = 32, outer = per_token, rule = <>>}

// -----

// operand (C3)
// expected-error@below {{expected outer = keep only with source = forward_quantized, but got source = high_precision}}
func.func private @operand_c3() attributes {a = #lowp.operand<format = <nvfp4>, block = 16, outer = keep, rule = <>>}

// -----

// operand (C4)
// expected-error@below {{operand plan expects sf_arith = divide for #lowp.format<mxfp4>, but got te; sf_arith serves f8E4M3FN block scales}}
func.func private @operand_c4() attributes {a = #lowp.operand<format = <mxfp4>, block = 32, outer = none, rule = <te>>}

// -----

// site (C1)
// expected-error@below {{expected layer to be at least 0, but got -1}}
func.func private @site_c1() attributes {a = #lowp.site<name = "w", role = fprop, kind = dense, layer = -1>}

// -----

// site (C2)
// expected-error@below {{expected no weight of a site of role wgrad, but got rhs}}
func.func private @site_c2() attributes {a = #lowp.site<name = "w", role = wgrad, kind = dense, weight = rhs>}

// -----

// site (C3)
// expected-error@below {{expected an activation only of a site of role wgrad, but got role dgrad}}
func.func private @site_c3() attributes {a = #lowp.site<name = "w", role = dgrad, kind = dense, activation = lhs>}

// -----

// Discardable attributes.

// expected-error@below {{attribute 'lowp.plan' expects a #lowp.plan, but got 1 : i64}}
func.func private @plan() attributes {lowp.plan = 1}

// -----

// expected-error@below {{attribute 'lowp.sites' expects an array of dictionaries, but got "w"}}
module attributes {lowp.sites = "w"} {}

// -----

// expected-error@below {{attribute 'lowp.param' expects to be on a function argument}}
func.func private @param_of_op() attributes {lowp.param = #lowp.param<name = "w">}

// -----

// expected-error@below {{argument 0 attribute 'lowp.param' expects a #lowp.param, but got "w"}}
func.func private @param(f32 {lowp.param = "w"})

// -----

// expected-error@below {{argument 0 has unknown attribute 'lowp.para' of the lowp dialect; known are 'lowp.param', 'lowp.read_only' and 'lowp.step'}}
func.func private @argument(f32 {lowp.para})

// -----

// expected-error@below {{has unknown attribute 'lowp.plans' of the lowp dialect; known are 'lowp.plan', 'lowp.sites', 'lowp.exchange', 'lowp.measurements', 'lowp.entry' and, on arguments, 'lowp.param', 'lowp.read_only' and 'lowp.step'}}
func.func private @unknown() attributes {lowp.plans}

// -----

// expected-error@below {{result 0 has attribute 'lowp.param' of the lowp dialect, which has none for results}}
func.func private @result() -> (f32 {lowp.param = #lowp.param<name = "y">})

// -----

// expected-error@below {{attribute 'lowp.entry' expects a dictionary, but got unit}}
func.func private @entry() attributes {lowp.entry}

// -----

// expected-error@below {{attribute 'lowp.read_only' expects to be on a function argument}}
func.func private @read_only_of_op() attributes {lowp.read_only}

// -----

// expected-error@below {{argument 0 attribute 'lowp.read_only' expects no value}}
func.func private @read_only(f32 {lowp.read_only = 1})

// -----

// expected-error@below {{argument 1 attribute 'lowp.step' expects an argument of type i32, but got 'i64'}}
func.func private @step(i32 {lowp.step}, i64 {lowp.step})
