# REQUIRES: numpy
# RUN: mkdir -p %t && cp %S/Inputs/control.mlir %t/yes.mlir && cp %S/Inputs/control.mlir %t/no.mlir
# RUN: %python %s %t
# RUN: %python %lowp_src/utils/compare_programs.py %t/yes.mlir %t/no.mlir --run=bf16
# RUN: lowp-run %t/no.mlir --input=%t/no.inputs.npz --expect=%t/no.outputs.npz --max-rel=0
# RUN: lowp-run %t/yes.mlir --input=%t/yes.inputs.npz --expect=%t/yes.outputs.npz --max-rel=0
"""Inputs of Inputs/control.mlir, and what it computes."""

import sys

import numpy as np

folder = sys.argv[1]
a, b = np.arange(5, dtype=np.float32), np.array([10, 11], np.float32)
at = np.array([3, 2])
for name, choice in ("yes", True), ("no", False):
    np.savez(f"{folder}/{name}.inputs.npz", arg0=a, arg1=b, arg2=at, arg3=np.array(choice))
    results = [a if choice else b, 8 * a, np.full(4, 9, np.float32), np.float32(10)]
    arrays = {f"out{i}": x for i, x in enumerate(results)}
    np.savez(f"{folder}/{name}.outputs.npz", out4=np.uint16(0x4120), **arrays)
