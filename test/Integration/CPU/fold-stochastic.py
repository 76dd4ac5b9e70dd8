# REQUIRES: numpy
# RUN: %python %s lowp-opt
"""Stochastic rounding of constants folds to the bits that it gives at run time,
and those depend on the step."""

import subprocess
import sys

import numpy as np

import lowp

FORMATS = [
    ("mxfp8_e4m3", 32, ""),
    ("mxfp6_e2m3", 32, ""),
    ("mxfp4", 32, ", rounds = 7"),
    ("nvfp4", 16, ", sf_round = up"),
]
ROWS, COLS = 4, 40
x = np.random.default_rng(3).standard_normal((ROWS, COLS)).astype(np.float32)
rows = ["[" + ", ".join(f"0x{bits:08X}" for bits in row) + "]" for row in x.view(np.uint32)]


def program(format, block, rule, step, constant):
    source = f"tensor<{ROWS}x{COLS}xf32>"
    blocked = f"!lowp.blocked<{ROWS}x{COLS}x{format}, block = [1, {block}]>"
    columns = COLS // 2 if "fp4" in format else COLS
    parts = [f"tensor<{ROWS}x{columns}xi8>", f"tensor<{ROWS}x{-(-COLS // block)}xi8>"]
    parts += ["tensor<f32>"] if format == "nvfp4" else []
    results = ", ".join(parts)
    argument = "" if constant else f"%x: {source}"
    value = f"%x = arith.constant dense<[{', '.join(rows)}]> : {source}" if constant else ""
    return f"""func.func @main({argument}) -> ({results}) {{
  {value}
  %seed = arith.constant 77 : i64
  %step = arith.constant {step} : i32
  %q = lowp.quantize %x seed(%seed, %step)
      {{rule = #lowp.rule<round = stochastic{rule}>, stream = 3 : i32}} : {source} -> {blocked}
  %c:{len(parts)} = lowp.unpack %q : {blocked} -> {results}
  return {", ".join(f"%c#{i}" for i in range(len(parts)))} : {results}
}}"""


for case in FORMATS:
    text = program(*case, 5, True)
    folded = subprocess.run(
        [sys.argv[1], "--lowp-fold-constants"], input=text, capture_output=True, text=True, check=True
    ).stdout
    assert "lowp.quantize" not in folded, folded
    at_compile_time = lowp.compile(text)()
    at_run_time = lowp.compile(program(*case, 5, False))(x)
    for a, b in zip(at_compile_time, at_run_time, strict=True):
        assert np.array_equal(a, b), case
    other_step = lowp.compile(program(*case, 6, False))(x)
    assert not np.array_equal(at_run_time[0], other_step[0]), case
