# REQUIRES: numpy
# RUN: %python %s lowp-compile %t
"""Amaxes that are found in parts, reduced, and given back.

The parts of a tensor quantised under the maximum of their amaxes have the bytes
that they have in the whole: an amax does not depend on how a tensor lies on
devices, and survives being stored.
"""

import subprocess
import sys

import numpy as np

import lowp

FORMATS = {
    "tensor": ("nvfp4, block = [1, 16]", "", "f32"),
    "row": ("nvfp4, block = [1, 16], outer = [0]", " outer = [0]", "?xf32"),
    "mx": ("<f8E4M3FN, f8E8M0FNU, outer>, block = [1, 32]", "", "f32"),
}
RULES = {"default": "", "four_six": "four_six = mse", "saturate": "nonfinite = saturate"}

rng = np.random.default_rng(127)


def module():
    text = ""
    for name, (format, axes, amax) in FORMATS.items():
        for rule_name, rule in RULES.items():
            if name == "mx" and rule_name == "four_six":
                continue
            policy = " nonfinite = saturate" if rule_name == "saturate" else ""
            result = f"!lowp.blocked<?x?x{format}>"
            rule = f"{{rule = #lowp.rule<{rule}>}}"
            text += f"""
func.func @amax_{name}_{rule_name}(%x: tensor<?x?xbf16>) -> tensor<{amax}> {{
  %a = lowp.amax %x{axes}{policy} : tensor<?x?xbf16> -> tensor<{amax}>
  return %a : tensor<{amax}>
}}
func.func @whole_{name}_{rule_name}(%x: tensor<?x?xbf16>) -> {result} {{
  %q = lowp.quantize %x {rule} : tensor<?x?xbf16> -> {result}
  return %q : {result}
}}
func.func @part_{name}_{rule_name}(%x: tensor<?x?xbf16>, %a: tensor<{amax}>) -> {result} {{
  %q = lowp.quantize %x amax(%a : tensor<{amax}>) {rule} : tensor<?x?xbf16> -> {result}
  return %q : {result}
}}
"""
    return text


def to_bf16(x):
    return (np.asarray(x, np.float32).view(np.uint32) >> 16).astype(np.uint16)


def widen(x):
    return (x.astype(np.uint32) << 16).view(np.float32)


def same(actual, expected):
    actual, expected = np.asarray(actual), np.asarray(expected)
    if actual.dtype == np.float32:
        equal = (actual == expected) | (np.isnan(actual) & np.isnan(expected))
        return actual.shape == expected.shape and equal.all()
    return actual.shape == expected.shape and (actual == expected).all()


def numpy_amax(x, rows, saturate):
    values = np.abs(widen(x))
    if saturate:
        values = np.where(np.isfinite(values), values, np.float32(0))
    # np.max propagates NaN.
    if rows:
        return values.max(axis=1, initial=0).astype(np.float32)
    return np.float32(values.max(initial=0))


def main():
    compiler, path = sys.argv[1:]
    with open(path + ".mlir", "w") as file:
        file.write(module())
    subprocess.run(
        [compiler, path + ".mlir", "--target=cpu", "--emit=shared", "-o", path + ".so"],
        check=True,
    )
    program = lowp.Program(path + ".so")

    inputs = {}
    x = rng.standard_normal((7, 160)) * np.exp2(rng.integers(-8, 8, (7, 160)))
    inputs["numbers"] = to_bf16(x)
    # The largest magnitude lies in one part only.
    x[3, 150] = -1e4
    inputs["outlier"] = to_bf16(x)
    x[2, 5], x[5, 100] = np.nan, -np.inf
    inputs["nonfinite"] = to_bf16(x)
    inputs["zeros"] = to_bf16(np.zeros((4, 64)))
    inputs["empty"] = to_bf16(np.zeros((4, 0)))
    inputs["no rows"] = to_bf16(np.zeros((0, 32)))

    checked = 0
    for name, (_, axes, _) in FORMATS.items():
        for rule in RULES:
            key = f"{name}_{rule}"
            if f"whole_{key}" not in program.entries:
                continue
            for what, x in inputs.items():
                amax = program(x, entry=f"amax_{key}")
                expected = numpy_amax(x, bool(axes), rule == "saturate")
                assert same(amax, expected), (key, what, amax, expected)
                whole = program(x, entry=f"whole_{key}")
                # Parts along the columns, of whole blocks; per tensor, also
                # along the rows.
                splits = [np.array_split(x, [64], axis=1)]
                if not axes:
                    splits.append(np.array_split(x, 2, axis=0))
                for split, parts in enumerate(splits):
                    amaxes = [program(p, entry=f"amax_{key}") for p in parts]
                    # As an all-reduce would.
                    reduced = np.maximum.reduce([np.asarray(a) for a in amaxes])
                    reduced = np.asarray(reduced, np.float32)
                    assert same(reduced, expected), (key, what, split)
                    results = [program(p, reduced, entry=f"part_{key}") for p in parts]
                    for component in (0, 1):
                        joined = np.concatenate(
                            [r[component] for r in results], axis=1 - split
                        )
                        lost = np.isnan(expected) | np.isinf(expected)
                        if not lost.any():
                            assert same(joined, whole[component]), (key, what, split)
                            checked += 1
                    for result in results:
                        assert same(result[2], whole[2]), (key, what, split)
                    if lost.any() and bool(axes):
                        # A group that holds a NaN is lost in every part.
                        joined = np.concatenate([r[0] for r in results], axis=1)
                        assert same(joined, whole[0]), (key, what)
                        checked += 1
    print(checked, "comparisons")
    assert checked > 40


if __name__ == "__main__":
    main()
