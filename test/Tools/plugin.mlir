// The dialect and its passes load into the stock mlir-opt.
// The sanitizers' runtime would have to be in mlir-opt itself.
// UNSUPPORTED: asan

// RUN: mlir-opt --load-dialect-plugin=%lowp_lib_dir/LowpPlugin%shlibext %s | FileCheck %s
// RUN: mlir-opt --load-pass-plugin=%lowp_lib_dir/LowpPlugin%shlibext --help > /dev/null

// CHECK-LABEL: func.func @f
func.func @f() {
  return
}
