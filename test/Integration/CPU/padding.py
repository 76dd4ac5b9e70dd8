# REQUIRES: numpy
# RUN: %python %s lowp-compile %t
"""Padding never changes a result.

What a component holds beyond the value (the padding of 128x4 images of scales,
the upper nibble of the last byte of a row of odd length) is filled with 0xFF
before it is read: bytes that are NaN as scales and the largest magnitude as codes.
"""

import subprocess
import sys

import numpy as np

import lowp

f32 = np.float32


def image_padding(rows, columns):
    """Which bytes of an image belong to no scale."""
    padding = np.ones(-(-rows // 128) * -(-columns // 4) * 512, bool)
    r, c = np.meshgrid(np.arange(rows), np.arange(columns), indexing="ij")
    tile = (r // 128) * -(-columns // 4) + c // 4
    padding[tile * 512 + (r % 32) * 16 + ((r % 128) // 32) * 4 + c % 4] = False
    return padding


def program(kind, block, outer, rows, columns):
    dims = f"{rows}x{columns}" if rows is not None else "?x?"
    shape = lambda a, b: f"{a}x{b}" if rows is not None else "?x?"
    type = f"!lowp.blocked<{dims}x{kind}, block = [{block[0]}, {block[1]}]{outer}, layout = tcgen05_128x4>"
    linear = type.replace(", layout = tcgen05_128x4", "")
    back_dims = shape(columns, rows)
    target = f"!lowp.blocked<{back_dims}xmxfp8_e5m2, block = [1, 32]>"
    x = f"tensor<{dims}xf32>"
    w = f"tensor<{shape(columns, 24)}xf32>"
    y = f"tensor<{shape(rows, 24)}xf32>"
    return type, f"""
func.func @quantize(%x: {x}) -> {type} {{
  %q = lowp.quantize %x : {x} -> {type}
  return %q : {type}
}}
func.func @dequantize(%q: {type}) -> {x} {{
  %y = lowp.dequantize %q : {type} -> {x}
  return %y : {x}
}}
func.func @requantize(%q: {type}) -> {target} {{
  %y = lowp.requantize %q permutation = [1, 0] : {type} -> {target}
  return %y : {target}
}}
func.func @linear(%q: {type}) -> {linear} {{
  %y = lowp.convert_layout %q : {type} -> {linear}
  return %y : {linear}
}}
func.func @back(%q: {linear}) -> {type} {{
  %y = lowp.convert_layout %q : {linear} -> {type}
  return %y : {type}
}}
func.func @transpose(%q: {linear}) -> tensor<{back_dims}xf32> {{
  %t = lowp.transpose %q permutation = [1, 0] : {linear} -> {turned(linear, back_dims, kind, block, outer)}
  %y = lowp.dequantize %t : {turned(linear, back_dims, kind, block, outer)} -> tensor<{back_dims}xf32>
  return %y : tensor<{back_dims}xf32>
}}
func.func @matmul(%q: {type}, %w: {w}) -> {y} {{
  %y = lowp.matmul %q, %w : {type}, {w} -> {y}
  return %y : {y}
}}
"""


def turned(linear, dims, kind, block, outer):
    moved = ", outer = [1]" if outer else ""
    return f"!lowp.blocked<{dims}x{kind}, block = [{block[1]}, {block[0]}]{moved}>"


def same(actual, expected, what):
    for one, other in zip(actual, expected):
        bits = np.uint32 if one.dtype == f32 else one.dtype
        assert np.array_equal(one.view(bits), other.view(bits)), what


def results(call, *arguments):
    value = call(*arguments)
    return value if isinstance(value, tuple) else (value,)


def main():
    compiler, path = sys.argv[1:]
    random = np.random.default_rng(2)
    count = 0
    for kind, block, outer in (
        ("nvfp4", (1, 16), ", outer = [0]"),
        ("nvfp4", (16, 16), ""),
        ("mxfp8_e4m3", (1, 32), ""),
        ("mxfp4", (1, 32), ""),
    ):
        for static in (True, False):
            rows, columns = 131, 75
            type, text = program(kind, block, outer, *((rows, columns) if static else (None, None)))
            library = f"{path}.{count}.so"
            with open(path + ".mlir", "w") as file:
                file.write(text)
            subprocess.run([compiler, path + ".mlir", "--emit=shared", "-o", library], check=True)
            compiled = lowp.Program(library)
            run = lambda entry, *arguments: results(
                lambda *values: compiled(*values, entry=entry), *arguments
            )
            x = random.standard_normal((rows, columns)).astype(f32)
            w = random.standard_normal((columns, 24)).astype(f32)
            clean = run("quantize", x)
            padding = image_padding(rows, -(-columns // block[1]))
            dirty = [part.copy() for part in clean]
            assert not dirty[1].view(np.uint8)[padding].any(), type
            dirty[1].view(np.uint8)[padding] = 0xFF
            # Codes too, where rows of an odd number of them end in half a byte.
            both = list(dirty)
            if "fp4" in kind:
                both[0] = dirty[0].copy()
                both[0].view(np.uint8)[:, -1] |= 0xF0
            for entry, more in (("dequantize", ()), ("requantize", ()), ("matmul", (w,))):
                same(run(entry, *both, *more), run(entry, *clean, *more), (type, entry))
                count += 1
            linear = run("linear", *dirty)
            same(linear, run("linear", *clean), type)
            same(run("back", *linear), clean, type)
            poisoned = [both[0], *linear[1:]]
            same(run("transpose", *poisoned), run("transpose", *linear), type)
            count += 3
    print(f"{count} equalities")


if __name__ == "__main__":
    main()
