// Another project finds the installed package, links it, and runs.

// RUN: rm -rf %t && mkdir -p %t
// RUN: %cmake --install %lowp_obj --prefix %t/prefix > %t/install.log
// RUN: %cmake -G Ninja -S %S/Inputs/consumer -B %t/build -DCMAKE_PREFIX_PATH=%t/prefix -DCMAKE_CXX_COMPILER=%host_cxx -DCMAKE_C_COMPILER=%host_cc > %t/configure.log
// RUN: %cmake --build %t/build > %t/build.log
// RUN: %t/build/consumer %s | FileCheck %s

// CHECK-LABEL: func.func private @f
func.func private @f(tensor<4xf32>)
