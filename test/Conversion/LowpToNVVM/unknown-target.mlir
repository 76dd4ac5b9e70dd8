// RUN: not lowp-opt %s --convert-lowp-to-nvvm=chip=sm_70 2>&1 | FileCheck %s
// RUN: not lowp-opt %s --lowp-lower-kernels=chip=sm_70 2>&1 | FileCheck %s

// CHECK: error: unknown target 'sm_70', expected one of sm_80, sm_90a, sm_100a, sm_103a, sm_120a
module {}
