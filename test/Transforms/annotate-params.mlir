// RUN: rm -rf %t && mkdir %t
// RUN: echo '{"entry": "f", "inputs": [{"name": "x", "kind": "activation", "shape": [3, 96], "dtype": "bf16"}, {"name": "fc.weight", "kind": "weight", "shape": [64, 96], "dtype": "f32"}]}' > %t/good.json
// RUN: lowp-opt %s --pass-pipeline='builtin.module(lowp-annotate-params{params=%t/good.json})' | FileCheck %s
// CHECK: func.func @f(%{{.*}}: tensor<?x96xbf16> {lowp.param = #lowp.param<name = "x", kind = activation>}, %{{.*}}: tensor<64x96xf32> {lowp.param = #lowp.param<name = "fc.weight", kind = weight>})

// RUN: not lowp-opt %s --lowp-annotate-params 2>&1 | FileCheck %s --check-prefix=NONE
// NONE: error: 'lowp-annotate-params' expects the option 'params'

// RUN: not lowp-opt %s --pass-pipeline='builtin.module(lowp-annotate-params{params=%t/none.json})' 2>&1 | FileCheck %s --check-prefix=FILE
// FILE: error: cannot read '{{.*}}none.json': No such file or directory

// RUN: sed 's/\[64, 96\]/[96, 64]/' %t/good.json > %t/bad.json
// RUN: not lowp-opt %s --pass-pipeline='builtin.module(lowp-annotate-params{params=%t/bad.json})' 2>&1 | FileCheck %s --check-prefix=SHAPE
// SHAPE: error: in '{{.*}}bad.json': argument 1: shape [96,64] does not fit type 'tensor<64x96xf32>'

// RUN: sed 's/"f32"/"bf17"/' %t/good.json > %t/bad.json
// RUN: not lowp-opt %s --pass-pipeline='builtin.module(lowp-annotate-params{params=%t/bad.json})' 2>&1 | FileCheck %s --check-prefix=TYPE
// TYPE: error: in '{{.*}}bad.json': argument 1: element type 'bf17' does not fit type 'tensor<64x96xf32>'

// RUN: sed 's/"weight",/"wait",/' %t/good.json > %t/bad.json
// RUN: not lowp-opt %s --pass-pipeline='builtin.module(lowp-annotate-params{params=%t/bad.json})' 2>&1 | FileCheck %s --check-prefix=KIND
// KIND: error: in '{{.*}}bad.json': argument 1: expects 'kind' to be one of 'weight', 'activation', 'ids', 'cotangent', 'other', but got 'wait'

// RUN: sed 's/"f"/"g"/' %t/good.json > %t/bad.json
// RUN: not lowp-opt %s --pass-pipeline='builtin.module(lowp-annotate-params{params=%t/bad.json})' 2>&1 | FileCheck %s --check-prefix=ENTRY
// ENTRY: error: in '{{.*}}bad.json': there is no function 'g' in the module

// RUN: echo '{"inputs": []}' > %t/bad.json
// RUN: not lowp-opt %s --pass-pipeline='builtin.module(lowp-annotate-params{params=%t/bad.json})' 2>&1 | FileCheck %s --check-prefix=COUNT
// COUNT: error: in '{{.*}}bad.json': describes 0 arguments, but 'f' has 2

// RUN: echo '[' > %t/bad.json
// RUN: not lowp-opt %s --pass-pipeline='builtin.module(lowp-annotate-params{params=%t/bad.json})' 2>&1 | FileCheck %s --check-prefix=JSON
// JSON: error: in '{{.*}}bad.json': [
func.func @f(%x: tensor<?x96xbf16>, %w: tensor<64x96xf32>) {
  return
}
