# REQUIRES: numpy
# RUN: %python %s lowp-compile lowp-opt %t %lowp_src
"""Rows of docs/testing.md that are whole programs, or count what comes out."""

import os
import re
import subprocess
import sys

import numpy as np

import lowp

compiler, opt, folder, source = sys.argv[1:]
os.makedirs(folder, exist_ok=True)
random = np.random.default_rng(1)


def compile_text(name, text, *flags):
    path = os.path.join(folder, name)
    with open(path + ".mlir", "w") as file:
        file.write(text)
    subprocess.run([compiler, path + ".mlir", *flags, "-o", path + ".out"], check=True)
    return path + ".out"


def product(name, m, n, k, format="mxfp8_e4m3", block=32):
    x = f"!lowp.blocked<{m}x{k}x{format}, block = [1, {block}]>"
    w = f"!lowp.blocked<{n}x{k}x{format}, block = [1, {block}]>"
    return f"""func.func @{name}(%a: tensor<{m}x{k}xf32>, %b: tensor<{n}x{k}xf32>) -> tensor<{m}x{n}xf32> {{
  %x = lowp.quantize %a : tensor<{m}x{k}xf32> -> {x}
  %w = lowp.quantize %b : tensor<{n}x{k}xf32> -> {w}
  %y = lowp.matmul %x, %w transpose_rhs : {x}, {w} -> tensor<{m}x{n}xf32>
  return %y : tensor<{m}x{n}xf32>
}}
"""


def row79():
    """Dynamic shapes give the bits of static ones."""
    shapes = [(1, 32), (33, 64), (128, 96)]
    text = product("dynamic", "?", "?", "?")
    for i, (m, k) in enumerate(shapes):
        text += product(f"static{i}", m, 17, k)
    program = lowp.Program(compile_text("row79", text, "--emit=shared"))
    for i, (m, k) in enumerate(shapes):
        a = random.standard_normal((m, k)).astype(np.float32)
        b = random.standard_normal((17, k)).astype(np.float32)
        dynamic = program(a, b, entry="dynamic")
        assert np.array_equal(dynamic, program(a, b, entry=f"static{i}")), (m, k)


def row2():
    """The values that stock lowerings get wrong, through compiled programs."""
    values = [-0.0, 0.25, -0.25, -0.3, 0.75, 1.25, 1.75, 2.5, 3.5, 5.0, -1.25, 0.25000006, np.inf, -np.inf, np.nan]
    codes = [8, 0, 8, 9, 2, 2, 4, 4, 6, 6, 10, 1, 7, 15, 7]
    block = "!lowp.blocked<?x16xmxfp4, block = [1, 16]>"
    text = f"""func.func @f(%x: tensor<?x16xf32>) -> {block} {{
  %q = lowp.quantize %x {{rule = #lowp.rule<nonfinite = saturate>}} : tensor<?x16xf32> -> {block}
  return %q : {block}
}}"""
    program = lowp.Program(compile_text("row2", text, "--emit=shared"))
    # 6 at the end makes the scale 1.
    actual, scales = program(np.array([values + [6.0]], np.float32))
    actual = actual.view(np.uint8)[0]
    assert scales.view(np.uint8)[0, 0] == 127
    unpacked = np.stack([actual & 15, actual >> 4], axis=-1).reshape(-1)
    assert unpacked[:15].tolist() == codes, unpacked
    # And through the conversions of one block, for GPUs without them too.
    for passes in ("--convert-lowp-to-arith", "--convert-lowp-to-nvvm=chip=sm_80"):
        text = "func.func @f(%v: vector<16xf32>) -> vector<8xi8> {\n" \
            "  %c = lowp.encode %v element = f4E2M1FN : vector<16xf32> -> vector<8xi8>\n" \
            "  return %c : vector<8xi8>\n}"
        result = subprocess.run([opt, "-", passes], input=text, capture_output=True, text=True, check=True)
        assert "truncf" not in result.stdout


def row116():
    """1024 x 1024 x 4096 compiles."""
    compile_text("row116", product("f", 1024, 1024, 4096, "nvfp4", 16), "--emit=llvm")


def row122():
    """Decoding a tile is a bounded number of operations, however large it is."""
    counts = []
    for elements in (16, 512):
        text = f"""func.func @f(%c: vector<{elements}xi8>) -> vector<{elements}xf32> {{
  %x = lowp.decode %c element = f8E4M3FN : vector<{elements}xi8> -> vector<{elements}xf32>
  return %x : vector<{elements}xf32>
}}"""
        result = subprocess.run(
            [opt, "-", "--convert-lowp-to-arith", "--cse"], input=text, capture_output=True, text=True, check=True
        )
        counts.append(sum(" = " in line and "constant" not in line for line in result.stdout.splitlines()))
    assert counts[0] == counts[1] and counts[0] <= 20, counts


def row94():
    """The formula of the tiled layout and its examples are in the documentation."""
    with open(os.path.join(source, "docs", "spec.md")) as file:
        spec = file.read()
    formula = re.search(r"^\(\(r/128\).*$", spec, re.MULTILINE).group()
    python = re.sub(r"ceil\(C/4\)", "-(-C//4)", formula).replace("/128", "//128").replace("/32", "//32")
    python = python.replace("c/4", "c//4")
    offset = lambda r, c, C: eval(python, {"r": r, "c": c, "C": C})
    for place, expected in (((1, 0, 4), 16), ((32, 0, 4), 4), ((33, 0, 4), 20), ((127, 0, 4), 508), ((0, 4, 8), 512), ((128, 0, 8), 1024)):
        assert offset(*place) == expected, (place, python)
        assert str(expected) in spec


for case in (row2, row79, row94, row116, row122):
    case()
