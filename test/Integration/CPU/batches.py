# REQUIRES: numpy
# RUN: %python %s lowp-compile %t
"""A block has the same bits alone and among others.

Programs for the CPU take sixteen blocks at a time where that many are complete,
and one at a time what is left. Here every block of a tensor is compared with
itself as a tensor of one block, which is never part of a batch: for each
format, along rows and along columns, for numbers of blocks around a batch,
short last blocks, empty tensors, NaN, infinities, zeros and subnormals.
"""

import subprocess
import sys

import ml_dtypes
import numpy as np

import lowp

TYPES = {"f32": np.float32, "bf16": ml_dtypes.bfloat16, "f16": np.float16}

# Format, elements of a block, rules.
FORMATS = [
    ("mxfp8_e4m3", 32, ["", "scale = floor", "scale = even", "nonfinite = saturate"]),
    ("mxfp8_e5m2", 32, ["scale = ceil"]),
    ("mxfp6_e2m3", 32, [""]),
    ("mxfp6_e3m2", 32, ["nonfinite = saturate"]),
    ("mxfp4", 32, ["", "scale = even"]),
    ("mxs2f6", 32, [""]),
    ("<f8E4M3FN, f8E8M0FNU>", 16, [""]),
    (
        "<f4E2M1FN, f8E4M3FN>",
        16,
        [
            "",
            "sf_arith = te",
            "nonfinite = saturate",
            "four_six = mse",
            "four_six = mae",
            "four_six = absmax",
            "four_six = mse, nonfinite = saturate",
            "four_six = mse, four_six_error = dequantized",
            "four_six = mae, four_six_error = dequantized, sf_arith = te",
        ],
    ),
    ("<f4E2M1FN, f8E4M3FN>", 32, ["", "four_six = mse"]),
    (
        "nvfp4",
        16,
        [
            "",
            "sf_arith = torchao",
            "sf_arith = compressed_tensors",
            "sf_zero = keep_codes, sf_arith = te",
            "four_six = mse",
            "four_six = mse, four_six_error = dequantized",
            "outer_repr = pow2",
        ],
    ),
    ("<f8E4M3FN, f8E8M0FNU, outer>", 32, [""]),
    ("<f8E4M3FN, f32>", 32, [""]),
    ("<!lowp.s2f6, f32>", 16, [""]),
]

SHAPES = [(1, 16), (2, 15), (3, 17), (2, 40), (1, 0), (0, 16), (1, 32)]


def quantize(kind, block, outer, source, rule, amax):
    kind = f"!lowp.blocked<?x?x{kind}, block = {block}{outer}>"
    source = f"tensor<?x?x{source}>"
    rule = f" {{rule = #lowp.rule<{rule}>}}" if rule else ""
    operand = " amax(%a : tensor<?xf32>)" if amax else ""
    argument = ", %a: tensor<?xf32>" if amax else ""
    return (
        f"(%x: {source}{argument}) -> {kind} {{\n"
        f"  %q = lowp.quantize %x{operand}{rule} : {source} -> {kind}\n"
        f"  return %q : {kind}\n}}"
    )


def unpack(codes, size):
    codes = codes.view(np.uint8)
    wide = np.stack([codes & 15, codes >> 4], axis=-1)
    return wide.reshape(*codes.shape[:-1], 2 * codes.shape[-1])[..., :size]


def make(random, rows, columns, source):
    x = random.standard_normal((rows, columns)).astype(np.float32)
    x *= np.exp2(random.integers(-8, 9, x.shape)).astype(np.float32)
    if rows and columns > 40:
        x[0, 3] = np.nan
        x[-1, columns // 2] = -np.inf
        x[-1, :33] = 0
        x[-1, 20] = -0.0
        x[0, 70:] *= np.float32(2) ** (-20 if source == "f16" else -125)
        x[-1, -17:] *= np.float32(2) ** (8 if source == "f16" else 115)
    with np.errstate(over="ignore"):
        return x.astype(TYPES[source])


def same(actual, expected, what):
    actual, expected = np.ascontiguousarray(actual), np.ascontiguousarray(expected)
    assert actual.shape == expected.shape, f"{what}: {actual.shape}, {expected.shape}"
    if actual.dtype == np.float32:
        equal = (actual.view(np.uint32) == expected.view(np.uint32)) | (
            np.isnan(actual) & np.isnan(expected)
        )
    else:
        equal = actual.view(np.uint8) == expected.view(np.uint8)
    assert np.all(equal), f"{what} at {np.argwhere(~equal)[:3].tolist()}"


def check(run, names, case, random):
    kind, width, rule, source = case
    packed = "f4E2M1" in kind or kind in ("nvfp4", "mxfp4")
    outer = kind == "nvfp4" or "outer" in kind
    blocks = 0
    for rows, count in SHAPES:
        for missing in {0, 1, width // 2 + 1} if count else {0}:
            columns = max(count * width - missing, 0)
            x = make(random, rows, columns, source)
            # Each block as a row of its own; the last of a row may be short.
            padded = np.zeros((rows, count * width), x.dtype)
            padded[:, :columns] = x
            alone = padded.reshape(rows * count, width)
            results = {name: run(names[name], x) for name in ("rows",)}
            extra = []
            if outer:
                finite = x.astype(np.float32)
                with np.errstate(invalid="ignore"):
                    amax = np.abs(finite).max(axis=-1, initial=0)
                extra = [np.repeat(amax.astype(np.float32), count)]
            expected = run(names["alone"], alone, *extra)
            results["columns"] = run(names["columns"], np.ascontiguousarray(x.T))
            for name, parts in results.items():
                what = f"{kind}, {rule}, {source}, {name} of {columns}"
                codes, scales = np.asarray(parts[0]), np.asarray(parts[1])
                if packed:
                    size = x.shape[1] if name == "rows" else x.shape[0]
                    codes = unpack(codes, size)
                if name == "columns":
                    codes, scales = codes.T, scales.T
                wanted = np.asarray(expected[0])
                wanted = unpack(wanted, width) if packed else wanted
                wanted = wanted.reshape(rows, count * width)[:, :columns]
                same(codes, wanted, what + ", codes")
                wanted = np.asarray(expected[1]).reshape(rows, count)
                same(scales, wanted, what + ", scales")
                if outer and count:
                    wanted = np.asarray(expected[2]).reshape(rows, count)[:, 0]
                    same(np.asarray(parts[2]), wanted, what + ", outer")
            blocks += rows * count
    return blocks


def main():
    compiler, path = sys.argv[1:]
    random = np.random.default_rng(11)
    functions, cases = {}, []

    def add(*arguments):
        return functions.setdefault(quantize(*arguments), f"f{len(functions)}")

    for kind, width, rules in FORMATS:
        outer = kind == "nvfp4" or "outer" in kind
        for i, rule in enumerate(rules):
            wide = i == 0 and kind in ("mxfp8_e4m3", "mxfp4", "nvfp4")
            for source in TYPES if wide else ["bf16"]:
                axis = ", outer = [0]" if outer else ""
                across = ", outer = [1]" if outer else ""
                names = {
                    "rows": add(kind, f"[1, {width}]", axis, source, rule, False),
                    "columns": add(kind, f"[{width}, 1]", across, source, rule, False),
                    "alone": add(kind, f"[1, {width}]", axis, source, rule, outer),
                }
                cases.append((names, (kind, width, rule, source)))

    with open(path + ".mlir", "w") as file:
        for text, name in functions.items():
            file.write(f"func.func @{name}{text}\n")
    subprocess.run(
        [compiler, path + ".mlir", "--target=cpu", "--emit=shared", "-o", path + ".so"],
        check=True,
    )
    program = lowp.Program(path + ".so")

    def run(name, *arguments):
        return program(*arguments, entry=name)

    blocks = sum(check(run, names, case, random) for names, case in cases)
    print(f"{len(cases)} cases, {blocks} blocks")


if __name__ == "__main__":
    main()
