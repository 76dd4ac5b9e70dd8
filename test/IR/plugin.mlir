// The dialect, loaded into the stock mlir-opt, reads and writes text and
// bytecode of its own.
// The sanitizers' runtime would have to be in mlir-opt itself.
// UNSUPPORTED: asan

// RUN: mlir-opt --load-dialect-plugin=%lowp_lib_dir/LowpPlugin%shlibext %S/ops.mlir --verify-roundtrip | lowp-opt --verify-roundtrip | FileCheck %S/ops.mlir
// RUN: mlir-opt --load-dialect-plugin=%lowp_lib_dir/LowpPlugin%shlibext %S/types.mlir --emit-bytecode | lowp-opt | FileCheck %S/types.mlir
// RUN: lowp-opt %S/attributes.mlir --emit-bytecode | mlir-opt --load-dialect-plugin=%lowp_lib_dir/LowpPlugin%shlibext | FileCheck %S/attributes.mlir
// RUN: mlir-opt --load-dialect-plugin=%lowp_lib_dir/LowpPlugin%shlibext %S/block-ops.mlir | FileCheck %S/block-ops.mlir
