// RUN: lowp-compile %s --emit=llvm -o - | FileCheck %s

// Spilled vectors start at a line of the caches.
// CHECK: define {{.*}} @lowp.fn.f({{.*}} #[[ATTRS:[0-9]+]]
// CHECK: attributes #[[ATTRS]] = {{.*}}"stackrealign"
func.func @f(%x: tensor<?x64xbf16>) -> !lowp.blocked<?x64xmxfp8_e4m3, block = [1, 32]> {
  %q = lowp.quantize %x : tensor<?x64xbf16> -> !lowp.blocked<?x64xmxfp8_e4m3, block = [1, 32]>
  return %q : !lowp.blocked<?x64xmxfp8_e4m3, block = [1, 32]>
}
