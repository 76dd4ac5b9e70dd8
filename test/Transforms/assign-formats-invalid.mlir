// RUN: not lowp-opt %s --pass-pipeline='builtin.module(lowp-assign-formats{recipe=nvfp5})' 2>&1 | FileCheck %s --check-prefix=NAME
// NAME: error: unknown recipe 'nvfp5', expected a file or one of 'bf16', 'mxfp8', 'nvfp4', 'moe-nvfp4', 'moe-nvfp4-inference', 'nvfp4-tiles', 'nvfp4-backward', 'fp8-blockwise'; did you mean 'nvfp4'?

// RUN: not lowp-opt %s --pass-pipeline='builtin.module(lowp-assign-formats{recipe=%t/none.json})' 2>&1 | FileCheck %s --check-prefix=FILE
// FILE: error: cannot read recipe '{{.*}}none.json': No such file or directory

// RUN: rm -rf %t && mkdir %t
// RUN: echo '{' > %t/a.json
// RUN: not lowp-opt %s --pass-pipeline='builtin.module(lowp-assign-formats{recipe=%t/a.json})' 2>&1 | FileCheck %s --check-prefix=JSON
// JSON: error: in recipe '{{.*}}a.json': [

// RUN: echo '{"version": 2, "rules": []}' > %t/a.json
// RUN: not lowp-opt %s --pass-pipeline='builtin.module(lowp-assign-formats{recipe=%t/a.json})' 2>&1 | FileCheck %s --check-prefix=VERSION
// VERSION: error: in recipe '{{.*}}a.json': expects 'version' to be 1

// RUN: echo '{"version": 1, "rule": []}' > %t/a.json
// RUN: not lowp-opt %s --pass-pipeline='builtin.module(lowp-assign-formats{recipe=%t/a.json})' 2>&1 | FileCheck %s --check-prefix=KEY
// KEY: error: in recipe '{{.*}}a.json': unknown key 'rule'; did you mean 'rules'?

// RUN: echo '{"version": 1, "rules": [{}, {"kinds": "expert"}]}' > %t/a.json
// RUN: not lowp-opt %s --pass-pipeline='builtin.module(lowp-assign-formats{recipe=%t/a.json})' 2>&1 | FileCheck %s --check-prefix=RULEKEY
// RULEKEY: error: in recipe '{{.*}}a.json': rule 2: unknown key 'kinds' of a rule; did you mean 'kind'?

// RUN: not lowp-opt %s --pass-pipeline='builtin.module(lowp-assign-formats{rules="kind=experts -> none"})' 2>&1 | FileCheck %s --check-prefix=KIND
// KIND: error: in rule 'kind=experts -> none': expects 'kind' to be one of 'dense', 'expert', 'router', 'attention', 'head', 'embedding', but got 'experts'; did you mean 'expert'?

// RUN: not lowp-opt %s --pass-pipeline='builtin.module(lowp-assign-formats{rules="kind=expert"})' 2>&1 | FileCheck %s --check-prefix=ARROW
// ARROW: error: in rule 'kind=expert': expects '->' between the conditions and the formats

// RUN: not lowp-opt %s --pass-pipeline='builtin.module(lowp-assign-formats{rules="weight=nvfp4 -> none"})' 2>&1 | FileCheck %s --check-prefix=SIDE
// SIDE: error: in rule 'weight=nvfp4 -> none': 'weight' belongs on the other side of '->'

// RUN: not lowp-opt %s --pass-pipeline='builtin.module(lowp-assign-formats{rules="-> weight=nvfp8"})' 2>&1 | FileCheck %s --check-prefix=FORMAT
// FORMAT: error: in rule '-> weight=nvfp8': unknown format 'nvfp8'; did you mean 'nvfp4'?

// RUN: not lowp-opt %s --pass-pipeline='builtin.module(lowp-assign-formats{rules="-> weight=nvfp4:four_sx=mse"})' 2>&1 | FileCheck %s --check-prefix=FIELD
// FIELD: error: in rule '-> weight=nvfp4:four_sx=mse': unknown field 'four_sx' of a rounding rule; did you mean 'four_six'?

// RUN: not lowp-opt %s --pass-pipeline='builtin.module(lowp-assign-formats{rules="-> weight=nvfp4:per_tken"})' 2>&1 | FileCheck %s --check-prefix=WORD
// WORD: error: in rule '-> weight=nvfp4:per_tken': unknown word 'per_tken' after a format; did you mean 'per_token'?

// RUN: not lowp-opt %s --pass-pipeline='builtin.module(lowp-assign-formats{rules="layer=1/2 -> none"})' 2>&1 | FileCheck %s --check-prefix=LAYER
// LAYER: error: in rule 'layer=1/2 -> none': expects '..' before or after the fraction '1/2' of layers

// RUN: not lowp-opt %s --pass-pipeline='builtin.module(lowp-assign-formats{rules="-> weight=nvfp4 lhs=nvfp4"})' 2>&1 | FileCheck %s --check-prefix=BOTH
// BOTH: error: in rule '-> weight=nvfp4 lhs=nvfp4': expects a rule to name its operands 'activation', 'weight' and 'gradient', or 'lhs' and 'rhs', not both

// RUN: not lowp-opt %s --pass-pipeline='builtin.module(lowp-assign-formats{rules="role=wgrad -> weight=nvfp4"})' 2>&1 | FileCheck %s --check-prefix=NOWEIGHT
// NOWEIGHT: error: in rule 'role=wgrad -> weight=nvfp4': 'weight' is no operand of a site of role 'wgrad'

// RUN: not lowp-opt %s --pass-pipeline='builtin.module(lowp-assign-formats{rules="role=fprop -> gradient=nvfp4"})' 2>&1 | FileCheck %s --check-prefix=NOGRADIENT
// NOGRADIENT: error: in rule 'role=fprop -> gradient=nvfp4': 'gradient' is no operand of a site of role 'fprop'

// RUN: not lowp-opt %s --pass-pipeline='builtin.module(lowp-assign-formats{rules="-> weight=mxfp8_e4m3:forward_quantized"})' 2>&1 | FileCheck %s --check-prefix=SOURCE
// SOURCE: error: in rule '-> weight=mxfp8_e4m3:forward_quantized': expects 'role' to be 'dgrad' or 'wgrad' where 'source' is 'forward_quantized'

// RUN: not lowp-opt %s --pass-pipeline='builtin.module(lowp-assign-formats{rules="role=dgrad -> gradient=mxfp8_e4m3:forward_quantized"})' 2>&1 | FileCheck %s --check-prefix=FORWARD
// FORWARD: error: in rule 'role=dgrad -> gradient=mxfp8_e4m3:forward_quantized': expects the 'source' of 'gradient' to be 'high_precision': forward products have none

// RUN: not lowp-opt %s --pass-pipeline='builtin.module(lowp-assign-formats{rules="-> weight=fp8_block:per_token"})' 2>&1 | FileCheck %s --check-prefix=OUTER
// OUTER: error: in rule '-> weight=fp8_block:per_token': {{.*}}outer

// RUN: not lowp-opt %s --pass-pipeline='builtin.module(lowp-assign-formats{rules="-> weight=nvfp4:16x"})' 2>&1 | FileCheck %s --check-prefix=TILE
// TILE: error: in rule '-> weight=nvfp4:16x': expects the block size to be an integer, but got ''

// RUN: echo '{"version": 1, "rules": [{"weight": {"format": "nvfp4", "blok": 16}}]}' > %t/blok.json
// RUN: not lowp-opt %s --pass-pipeline='builtin.module(lowp-assign-formats{recipe=%t/blok.json})' 2>&1 | FileCheck %s --check-prefix=OBJECT
// OBJECT: error: in recipe '{{.*}}blok.json': rule 1: unknown key 'blok' of an operand; did you mean 'block'?

// RUN: echo '{"version": 1, "rules": [{"weight": "<f4E2M1FN, f9>"}]}' > %t/spelled.json
// RUN: not lowp-opt %s --pass-pipeline='builtin.module(lowp-assign-formats{recipe=%t/spelled.json})' 2>&1 | FileCheck %s --check-prefix=SPELLED --implicit-check-not=error:
// SPELLED: error: in recipe '{{.*}}spelled.json': rule 1: unknown format '<f4E2M1FN, f9>'

// RUN: echo '{"version": 1, "rules": [{"weight": {"block": 16}}]}' > %t/format.json
// RUN: not lowp-opt %s --pass-pipeline='builtin.module(lowp-assign-formats{recipe=%t/format.json})' 2>&1 | FileCheck %s --check-prefix=NOFORMAT
// NOFORMAT: error: in recipe '{{.*}}format.json': rule 1: expects an operand to have a 'format'

// RUN: echo '{"version": 1, "rules": [{"weight": {"format": "nvfp4", "rule": {"rond": "nearest"}}}]}' > %t/rond.json
// RUN: not lowp-opt %s --pass-pipeline='builtin.module(lowp-assign-formats{recipe=%t/rond.json})' 2>&1 | FileCheck %s --check-prefix=ROUND
// ROUND: error: in recipe '{{.*}}rond.json': rule 1: unknown field 'rond' of a rounding rule; did you mean 'round'?

// RUN: not lowp-opt %s --pass-pipeline='builtin.module(lowp-assign-formats{rules="-> weight=nvfp4|mxfp8_e4m3"})' 2>&1 | FileCheck %s --check-prefix=TWO
// TWO: error: in rule '-> weight=nvfp4|mxfp8_e4m3': expects one format for 'weight', but got another

// RUN: not lowp-opt %s --pass-pipeline='builtin.module(lowp-assign-formats{rules="-> weight=nvfp4:16:32"})' 2>&1 | FileCheck %s --check-prefix=SIZES
// SIZES: error: in rule '-> weight=nvfp4:16:32': expects one block size of an operand, but got another

// RUN: not lowp-opt %s --pass-pipeline='builtin.module(lowp-assign-formats{rules="-> weight=nvfp4:nearest:round=stochastic"})' 2>&1 | FileCheck %s --check-prefix=ROUNDS
// ROUNDS: error: in rule '-> weight=nvfp4:nearest:round=stochastic': expects one 'round' of an operand, but got another

// RUN: not lowp-opt %s --pass-pipeline='builtin.module(lowp-assign-formats{rules="-> weight=nvfp4:te:ocp"})' 2>&1 | FileCheck %s --check-prefix=PRESETS
// PRESETS: error: in rule '-> weight=nvfp4:te:ocp': expects one preset of an operand, but got another

// RUN: not lowp-opt %s --pass-pipeline='builtin.module(lowp-assign-formats{rules="-> weight=nvfp4:0"})' 2>&1 | FileCheck %s --check-prefix=ZERO
// ZERO: error: in rule '-> weight=nvfp4:0': expected block between 1 and 2147483647, but got 0

// RUN: not lowp-opt %s --pass-pipeline='builtin.module(lowp-assign-formats{rules="layer=4000000000000000000/5000000000000000000.. -> none"})' 2>&1 | FileCheck %s --check-prefix=LARGE
// LARGE: error: in rule 'layer=4{{.*}}': expects a layer to be a number from 0 to 2147483647 or a fraction of at most 1, but got '4000000000000000000/5000000000000000000'

// RUN: echo '{"version": 1, "rules": [{"role": []}]}' > %t/empty.json
// RUN: not lowp-opt %s --pass-pipeline='builtin.module(lowp-assign-formats{recipe=%t/empty.json})' 2>&1 | FileCheck %s --check-prefix=EMPTY
// EMPTY: error: in recipe '{{.*}}empty.json': rule 1: expects 'role' to have a value, but got an empty list

// RUN: echo '{"version": 1, "rules": [], "name": 3}' > %t/name.json
// RUN: not lowp-opt %s --pass-pipeline='builtin.module(lowp-assign-formats{recipe=%t/name.json})' 2>&1 | FileCheck %s --check-prefix=STRING
// STRING: error: in recipe '{{.*}}name.json': expects 'name' to be a string

// The first unknown key by its name.
// RUN: echo '{"version": 1, "rules": [], "zeta": 1, "omega": 1, "alpha": 1, "beta": 1}' > %t/keys.json
// RUN: not lowp-opt %s --pass-pipeline='builtin.module(lowp-assign-formats{recipe=%t/keys.json})' 2>&1 | FileCheck %s --check-prefix=FIRST
// FIRST: error: in recipe '{{.*}}keys.json': unknown key 'alpha'

func.func @main(%x: tensor<8x96xbf16>, %v: tensor<96x64xbf16>) -> tensor<8x64xf32> {
  %0 = lowp.matmul %x, %v site = <name = "fc", role = fprop, kind = dense, weight = rhs>
    : tensor<8x96xbf16>, tensor<96x64xbf16> -> tensor<8x64xf32>
  return %0 : tensor<8x64xf32>
}
