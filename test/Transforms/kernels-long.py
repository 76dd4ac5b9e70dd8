# RUN: rm -rf %t && mkdir %t && cd %t
# RUN: %python %s
# RUN: lowp-opt formed.mlir --lowp-form-kernels | FileCheck %s
# RUN: lowp-opt written.mlir --lowp-tile-kernels --remarks-filter=lowp-tile-kernels -o written.out 2>&1 | FileCheck %s --check-prefix=TILED
"""Chains that are longer than a kernel that is formed, and than a stack is deep."""

# A kernel takes 256 operations, the last ones. What is left is computed before.
# CHECK-COUNT-45: arith.mulf
# CHECK-NOT: arith.mulf
# CHECK: lowp.kernel
# CHECK-COUNT-255: arith.mulf
# CHECK-NOT: arith.mulf
# CHECK: lowp.quantize

# TILED: a trip of the kernel takes 1 rows

X = "tensor<?x32xf32>"
Q = "!lowp.blocked<?x32xmxfp8_e4m3, block = [1, 32]>"


def write(path, count, before="", after=""):
    chain = "".join(
        f"  %{i + 1} = arith.mulf {f'%{i}' if i else '%x'}, %x : {X}\n" for i in range(count)
    )
    chain += f"  %q = lowp.quantize %{count} : {X} -> {Q}\n"
    result = "%k" if before else "%q"
    with open(path, "w") as file:
        file.write(f"func.func @f(%x: {X}) -> {Q} {{\n{before}{chain}{after}")
        file.write(f"  return {result} : {Q}\n}}\n")


write("formed.mlir", 300)
write("written.mlir", 60000, f"  %k = lowp.kernel -> {Q} {{\n", f"  lowp.yield %q : {Q}\n  }}\n")
