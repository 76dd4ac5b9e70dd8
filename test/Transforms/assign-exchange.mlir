// What recipes and rules say of the exchange with experts.
// RUN: rm -rf %t && mkdir %t
// RUN: lowp-opt %s --pass-pipeline='builtin.module(lowp-assign-formats{recipe=moe-nvfp4})' --remarks-filter=lowp-assign-formats 2>&1 | FileCheck %s --check-prefix=BOTH
// BOTH-DAG: site 'first': sent as it is quantised
// BOTH-NOT: site 'second': {{.*}}sent
// BOTH: module attributes {lowp.exchange = #lowp.exchange<combine = <mxs2f6>, rht = 32, dispatch = <nvfp4>>, lowp.sites = [{dispatch = #lowp.format<nvfp4>,
// BOTH-NOT: dispatch

// Rules win over the recipe, one key at a time.
// RUN: lowp-opt %s --pass-pipeline='builtin.module(lowp-assign-formats{recipe=moe-nvfp4 rules="combine=none"})' | FileCheck %s --check-prefix=DISPATCH
// DISPATCH: lowp.exchange = #lowp.exchange<dispatch = <nvfp4>>
// RUN: lowp-opt %s --pass-pipeline='builtin.module(lowp-assign-formats{recipe=moe-nvfp4 rules="combine=mxfp8_e4m3:via_bf16; dispatch=none"})' | FileCheck %s --check-prefix=COMBINE
// COMBINE: lowp.exchange = #lowp.exchange<combine = <mxfp8_e4m3>, via_bf16 = true>
// RUN: lowp-opt %s --pass-pipeline='builtin.module(lowp-assign-formats{recipe=moe-nvfp4 rules="combine=none; dispatch = none"})' | FileCheck %s --check-prefix=NONE
// NONE-NOT: lowp.exchange

// RUN: echo '{"version": 1, "rules": [], "combine": {"format": "mxs2f6", "rht": 64, "via_bf16": true}, "dispatch": "none"}' > %t/a.json
// RUN: lowp-opt %s --pass-pipeline='builtin.module(lowp-assign-formats{recipe=%t/a.json})' | FileCheck %s --check-prefix=OBJECT
// OBJECT: lowp.exchange = #lowp.exchange<combine = <mxs2f6>, rht = 64, via_bf16 = true>

// What is on the module stays.
// RUN: sed 's/^module {/module attributes {lowp.exchange = #lowp.exchange<combine = <mxfp4>>} {/' %s > %t/written.mlir
// RUN: lowp-opt %t/written.mlir --pass-pipeline='builtin.module(lowp-assign-formats{recipe=moe-nvfp4})' | FileCheck %s --check-prefix=WRITTEN
// WRITTEN: lowp.exchange = #lowp.exchange<combine = <mxfp4>>

// Activations that are not what is sent.
// RUN: lowp-opt %s --pass-pipeline='builtin.module(lowp-assign-formats{recipe=mxfp8 rules="dispatch=nvfp4"})' --remarks-filter=lowp-assign-formats 2>&1 | FileCheck %s --check-prefix=OTHER
// OTHER: site 'first': not sent as the recipe says, its activation is quantised to another format
// OTHER: dispatch = "its activation is quantised to another format"
// RUN: lowp-opt %s --pass-pipeline='builtin.module(lowp-assign-formats{recipe=bf16 rules="dispatch=nvfp4"})' --remarks-filter=lowp-assign-formats 2>&1 | FileCheck %s --check-prefix=HIGH
// HIGH: site 'first': not sent as the recipe says, its activation stays in high precision
// RUN: not lowp-opt %s --pass-pipeline='builtin.module(lowp-assign-formats{rules="dispatch=nvfp4; role=fprop -> activation=nvfp4"})' 2>&1 | FileCheck %s --check-prefix=TENSOR
// TENSOR: error: 'lowp.batch_matmul' op expects the activation of site 'first' to have an outer scale 'per_token', since 'dispatch' sends it as it is quantised, but got 'per_tensor'
// RUN: not lowp-opt %s --pass-pipeline='builtin.module(lowp-assign-formats{rules="dispatch=mxfp8_e4m3; role=fprop -> activation=mxfp8_e4m3:32x32"})' 2>&1 | FileCheck %s --check-prefix=TILE
// TILE: error: 'lowp.batch_matmul' op expects the activation of site 'first' to have blocks of one token, since 'dispatch' sends it as it is quantised, but got blocks of 32

// Words that mean nothing.
// RUN: not lowp-opt %s --pass-pipeline='builtin.module(lowp-assign-formats{rules="combine=s2f6"})' 2>&1 | FileCheck %s --check-prefix=FORMAT
// FORMAT: error: in rule 'combine=s2f6': 'combine': unknown format 's2f6'; did you mean
// RUN: not lowp-opt %s --pass-pipeline='builtin.module(lowp-assign-formats{rules="combine=mxs2f6:rth=32"})' 2>&1 | FileCheck %s --check-prefix=FIELD
// FIELD: error: in rule 'combine=mxs2f6:rth=32': 'combine': unknown key 'rth' of 'combine'; did you mean 'rht'?
// RUN: not lowp-opt %s --pass-pipeline='builtin.module(lowp-assign-formats{rules="combine=mxs2f6:rht=24"})' 2>&1 | FileCheck %s --check-prefix=SIZE
// SIZE: error: in rule 'combine=mxs2f6:rht=24': 'combine': expected rht to be 0, 16, 32, 64 or 128, but got 24
// RUN: not lowp-opt %s --pass-pipeline='builtin.module(lowp-assign-formats{rules="combine=nvfp4"})' 2>&1 | FileCheck %s --check-prefix=OUTER
// OUTER: error: in rule 'combine=nvfp4': 'combine': expected combine to be a format without an outer scale, but got #lowp.format<nvfp4>
// RUN: echo '{"version": 1, "rules": [], "combine": {"rht": 32}}' > %t/b.json
// RUN: not lowp-opt %s --pass-pipeline='builtin.module(lowp-assign-formats{recipe=%t/b.json})' 2>&1 | FileCheck %s --check-prefix=MISSING
// MISSING: error: in recipe '{{.*}}b.json': 'combine': expects a 'format'
// RUN: echo '{"version": 1, "rules": [], "dispatch": {"format": "nvfp4"}}' > %t/b.json
// RUN: not lowp-opt %s --pass-pipeline='builtin.module(lowp-assign-formats{recipe=%t/b.json})' 2>&1 | FileCheck %s --check-prefix=KIND
// KIND: error: in recipe '{{.*}}b.json': 'dispatch': expects a string
// RUN: echo '{"version": 1, "rules": [], "combine": {"format": "mxs2f6", "via_bf16": 1}}' > %t/b.json
// RUN: not lowp-opt %s --pass-pipeline='builtin.module(lowp-assign-formats{recipe=%t/b.json})' 2>&1 | FileCheck %s --check-prefix=BOOL
// BOOL: error: in recipe '{{.*}}b.json': 'combine': expects 'via_bf16' to be 'true' or 'false', but got '1'

module {
  func.func @main(%x: tensor<8x64xbf16>, %w: tensor<4x96x64xbf16>, %d: tensor<4x64x96xbf16>) -> tensor<4x8x64xf32> {
    %y = lowp.batch_matmul %x, %w transpose_rhs site = <name = "first", role = fprop, kind = expert, weight = rhs> : tensor<8x64xbf16>, tensor<4x96x64xbf16> -> tensor<4x8x96xbf16>
    %h = math.exp %y : tensor<4x8x96xbf16>
    %z = lowp.batch_matmul %h, %d transpose_rhs site = <name = "second", role = fprop, kind = expert, weight = rhs> : tensor<4x8x96xbf16>, tensor<4x64x96xbf16> -> tensor<4x8x64xf32>
    return %z : tensor<4x8x64xf32>
  }
}
