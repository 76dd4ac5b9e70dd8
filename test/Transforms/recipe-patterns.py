# RUN: rm -rf %t && mkdir %t && cd %t
# RUN: %python %s
# RUN: lowp-opt m.mlir --pass-pipeline='builtin.module(lowp-recognize,lowp-assign-formats{recipe=patterns.json})' | FileCheck %s

# CHECK: module attributes {lowp.sites = [
# CHECK-SAME: name = "alpha.weight"{{[^}]*}} why = "{{.*}}rule 1"
# CHECK-SAME: name = "layers.1.up.weight"{{[^}]*}} why = "{{.*}}rule 2"
# CHECK-SAME: name = "layers.2.up.weight"{{[^}]*}} why = "no rule matches"
# CHECK-SAME: name = "odd[1]"{{[^}]*}} why = "{{.*}}rule 3"
"""Patterns of files hold as written: whole names, alternatives in braces, escaped
characters."""

import json

NAMES = ["alpha.weight", "layers.1.up.weight", "layers.2.up.weight", "odd[1]"]
PATTERNS = ["alpha.weight", "layers.{0,1}.*", "odd\\[1\\]"]

arguments = "".join(
    f', %w{i}: tensor<32x32xbf16> {{lowp.param = #lowp.param<name = "{name}", kind = weight>}}'
    for i, name in enumerate(NAMES)
)
products = "".join(
    f"  %{i} = linalg.matmul ins(%x, %w{i} : tensor<8x32xbf16>, tensor<32x32xbf16>)"
    " outs(%i : tensor<8x32xf32>) -> tensor<8x32xf32>\n"
    for i in range(len(NAMES))
)
results = ", ".join(["tensor<8x32xf32>"] * len(NAMES))
values = ", ".join(f"%{i}" for i in range(len(NAMES)))
with open("m.mlir", "w") as file:
    file.write(
        f"func.func @main(%x: tensor<8x32xbf16>{arguments}, %i: tensor<8x32xf32>)"
        f" -> ({results}) {{\n{products}  return {values} : {results}\n}}\n"
    )
rules = [{"name": pattern, "weight": "mxfp8_e4m3"} for pattern in PATTERNS]
with open("patterns.json", "w") as file:
    json.dump({"version": 1, "rules": rules}, file)
