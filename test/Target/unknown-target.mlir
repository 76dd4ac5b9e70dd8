// RUN: not lowp-opt %s --lowp-emit-ptx=chip=sm_75 2>&1 | FileCheck %s --check-prefix=UNKNOWN
// RUN: not lowp-opt %s --lowp-emit-ptx=chip=cpu 2>&1 | FileCheck %s --check-prefix=CPU
// RUN: not lowp-opt %s --lowp-emit-ptx 2>&1 | FileCheck %s --check-prefix=NONE

// UNKNOWN: error: unknown target 'sm_75', expected one of sm_80, sm_90a, sm_100a, sm_103a, sm_120a
// CPU: error: target 'cpu' is not a GPU, expected one of sm_80, sm_90a, sm_100a, sm_103a, sm_120a
// NONE: error: unknown target '', expected one of

module {}
