# REQUIRES: numpy
# RUN: %python %s lowp-opt lowp-compile %t
"""A program of constants folds to the bits that it gives at run time.

Every element under every block scale, with and without an outer scale, in
blocks of usual and unusual sizes, under rules of all kinds; and changes between
formats. The folds are those of the scalar library, so that this compares the
compiled path with it. Each program exists twice: on arguments, and on the same
numbers as constants, folded until nothing is left to compute.
"""

import re
import subprocess
import sys

import numpy as np

import lowp

ELEMENTS = ["f4E2M1FN", "f6E2M3FN", "f6E3M2FN", "f8E4M3FN", "f8E5M2", "!lowp.s2f6"]
SCALES = ["f8E8M0FNU", "f8E4M3FN", "f32"]
BLOCKS = [1, 3, 7, 16, 24, 31, 33, 64, 512]
E2M1_RULES = [
    "four_six = mse",
    "four_six = mae, four_six_error = dequantized",
    "four_six = absmax, sf_arith = te",
    "te",
    "torchao",
    "compressed_tensors",
    "sf_round = ceil",
    "map_to = 4",
    "map_to = 4, sf_round = up, neg_zero = drop",
    "round = toward_zero",
]
COMMON_RULES = ["", "nonfinite = saturate"]
RULES = {
    "f8E8M0FNU": ["scale = floor", "scale = ceil", "scale = even, round = toward_zero"],
    "f8E4M3FN": ["sf_arith = te", "sf_round = up", "sf_zero = keep_codes, nonfinite = saturate"],
    "f32": ["sf_round = up", "map_to = 1"],
}

rng = np.random.default_rng(7)


def numbers(shape, kind):
    """FP32 numbers of mixed magnitudes; `kind` adds special ones."""
    x = rng.standard_normal(shape) * np.exp2(rng.integers(-9, 9, shape))
    x = x.astype(np.float32)
    flat = x.reshape(-1)
    special = np.array([0, 0x80000000, 1, 0x80000001, 0x00400000, 0x7F7FFFFF], np.uint32)
    if kind > 0:
        at = rng.integers(0, flat.size, max(1, flat.size // 16))
        flat[at] = rng.choice(special.view(np.float32), at.size)
    if kind > 1:
        bad = np.array([0x7F800000, 0xFF800000, 0x7FC00000, 0xFFC00001], np.uint32)
        at = rng.integers(0, flat.size, 2)
        flat[at] = rng.choice(bad.view(np.float32), at.size)
    if kind > 2:
        x[: shape[0] // 2] = 0
    return x


def to_bf16(x):
    bits = x.view(np.uint32).astype(np.uint64)
    bits = (bits + 0x7FFF + ((bits >> 16) & 1)) >> 16
    return np.where(np.isnan(x), 0x7FC0, bits).astype(np.uint16)


def dims(shape):
    return "".join(f"{d}x" for d in shape)


def blocked(shape, element, scale, outer, block, axes):
    mark = ", outer" if outer else ""
    axes = f", outer = [{', '.join(map(str, axes))}]" if outer and axes else ""
    return f"!lowp.blocked<{dims(shape)}<{element}, {scale}{mark}>, block = {block}{axes}>"


class Programs:
    """Bodies on `%x`, of which the functions are made."""

    def __init__(self):
        self.cases = []
        self.extra = []

    def add(self, x, dtype, body, values, types):
        data = to_bf16(x) if dtype == "bf16" else x
        self.cases.append((data, dtype, body, values, types))

    def write(self, path, constant):
        with open(path, "w") as file:
            file.write("\n".join(self.extra) + "\n")
            for i, (x, dtype, body, values, types) in enumerate(self.cases):
                tensor = f"tensor<{dims(x.shape)}{dtype}>"
                argument, line = f"%x: {tensor}", ""
                if constant:
                    argument = ""
                    line = f'  %x = arith.constant dense<"0x{x.tobytes().hex()}"> : {tensor}\n'
                body = body.replace("SOURCE", tensor)
                file.write(
                    f"func.func @f{i}({argument}) -> ({types}) {{\n{line}{body}\n"
                    f"  return {values} : {types}\n}}\n"
                )


def add_quantize(programs, kind, element, scale, outer, block, axes, rule, shape):
    dtype = "bf16" if kind % 2 else "f32"
    result = blocked(shape, element, scale, outer, block, axes)
    body = (
        f"  %q = lowp.quantize %x {{rule = #lowp.rule<{rule}>}} : SOURCE -> {result}\n"
        f"  %y = lowp.dequantize %q : {result} -> tensor<{dims(shape)}{dtype}>"
    )
    types = f"{result}, tensor<{dims(shape)}{dtype}>"
    programs.add(numbers(shape, kind % 4), dtype, body, "%q, %y", types)


def add_all_quantize(programs):
    kind = 0
    for element in ELEMENTS:
        for scale in SCALES:
            for outer in (False, True):
                if outer and scale == "f32":
                    continue
                rules = COMMON_RULES + RULES[scale]
                if element == "f4E2M1FN" and scale == "f8E4M3FN":
                    rules = rules + E2M1_RULES
                if element == "!lowp.s2f6":
                    rules = [r for r in rules if "neg_zero" not in r]
                if element in ("f8E4M3FN", "f8E5M2"):
                    rules = rules + ["overflow = nonfinite"]
                if outer:
                    rules = rules + ["outer_repr = pow2", "outer_max = 1000"]
                for rule in rules:
                    size = BLOCKS[kind % len(BLOCKS)]
                    columns = int(rng.integers(size, 3 * size + 2))
                    shape, block = (3, columns), [1, size]
                    axes = [0] if kind % 3 else []
                    if kind % 5 == 3:
                        # Tiles, of the rows and columns that there are.
                        size = min(size, 24)
                        shape, block, axes = (size + 2, 2 * size + 1), [size, size], []
                    elif kind % 5 == 4:
                        shape, block = (2, size + 1, 3), [1, size, 1]
                        axes = [2] if kind % 2 else [0, 2]
                    if 1 not in block and size == 1:
                        axes = []
                    add_quantize(
                        programs, kind, element, scale, outer, block, axes, rule, shape
                    )
                    kind += 1
    return kind


def add_all_requantize(programs):
    formats = [
        (element, scale, outer)
        for element in ELEMENTS
        for scale in SCALES
        for outer in (False, True)
        if not (outer and scale == "f32")
    ]
    count = 0
    for i, source in enumerate(formats):
        # Each format with every third other one, FP32 scales and S2F6 always.
        for j, result in enumerate(formats):
            keep = source[2] and result[2] and (i + j) % 2 == 0
            always = result[1] == "f32" and result[0] == "f8E4M3FN" or result == (
                "!lowp.s2f6",
                "f8E8M0FNU",
                False,
            )
            if (i + 2 * j) % 6 and not always:
                continue
            shape, permutation = (5, 66), [1, 0]
            sizes = [BLOCKS[(i + j) % 8], BLOCKS[(i * j + 3) % 8]]
            axes = [0] if keep or (i + j) % 3 else []
            if keep:
                # The outer axis of the source is dim 1 of the result.
                result_axes = [1]
            else:
                result_axes = [0] if j % 2 else []
            from_type = blocked(shape, *source, [1, sizes[0]], axes)
            result_block = [1, sizes[1]] if not keep else [sizes[1], 1]
            to_type = blocked(shape[::-1], *result, result_block, result_axes)
            rule = "sf_round = up" if result[1] != "f8E8M0FNU" and j % 4 == 0 else ""
            mode = "keep" if keep else "fold"
            body = (
                f"  %q = lowp.quantize %x : SOURCE -> {from_type}\n"
                f"  %r = lowp.requantize %q permutation = {permutation} outer = {mode}"
                f" {{rule = #lowp.rule<{rule}>}} : {from_type} -> {to_type}"
            )
            programs.add(numbers(shape, count % 4), "f32", body, "%r", to_type)
            count += 1
    return count


def add_all_transforms(programs):
    count = 0
    for size in (16, 32, 64, 128):
        negate = ", ".join(str(bool(b)).lower() for b in rng.integers(0, 2, size))
        programs.extra.append(f"lowp.signs @s{size} = [{negate}]")
        for axis in (0, 1, 2):
            for inverse in ("", " inverse"):
                norm = ("dyadic", "orthonormal")[count % 2]
                signs = f" signs = @s{size}" if count % 3 else ""
                arith = " arith = tensorcore" if count % 5 == 0 else ""
                shape = [2, 3, 2]
                shape[axis] = size * (1 + count % 2)
                dtype = "bf16" if count % 4 == 1 else "f32"
                body = (
                    f"  %y = lowp.rht %x size = {size} axis = {axis}{inverse}{signs}"
                    f" normalization = {norm}{arith} : SOURCE"
                )
                result = f"tensor<{dims(shape)}{dtype}>"
                programs.add(numbers(tuple(shape), count % 2), dtype, body, "%y", result)
                count += 1
    return count


def add_all_amaxes(programs):
    count = 0
    for axes in ([], [0], [1], [2], [0, 1], [0, 2], [1, 2], [0, 1, 2]):
        for policy in ("propagate", "saturate"):
            shape = (3, 5, 70)
            sizes = dims(shape[a] for a in axes)
            outer = f" outer = {axes}" if axes else ""
            body = (
                f"  %y = lowp.amax %x{outer} nonfinite = {policy} : SOURCE -> tensor<{sizes}f32>"
            )
            dtype = "bf16" if count % 2 else "f32"
            programs.add(numbers(shape, 2), dtype, body, "%y", f"tensor<{sizes}f32>")
            count += 1
    return count


def add_all_combines(programs):
    """Sums over experts: gates of all kinds, with a transform and without, and
    what is not a number where nobody reads it."""
    count = 0
    for element, scale, outer, block, axes in (
        ("!lowp.s2f6", "f8E8M0FNU", False, [1, 1, 32], []),
        ("f8E4M3FN", "f8E8M0FNU", False, [1, 4, 1], []),
        ("f4E2M1FN", "f8E4M3FN", True, [1, 1, 16], [0, 1]),
        ("f8E4M3FN", "f32", False, [1, 1, 128], []),
        ("f4E2M1FN", "f8E8M0FNU", False, [1, 16, 16], []),
    ):
        for size in (0, 16, 32, 128):
            for gate in ("f32", "bf16"):
                shape = (5, 3, 45 if size == 0 else 128)
                x = numbers(shape, count % 3)
                gates = numbers(shape[:2], 2 if count % 4 == 3 else 0)
                gates[rng.random(gates.shape) < 0.4] = 0
                gates[rng.random(gates.shape) < 0.1] = -0.0
                x[1, 0, 7], gates[1, 0] = np.nan, (0, -0.0)[count % 2]
                gates = to_bf16(gates) if gate == "bf16" else gates
                q = blocked(shape, element, scale, outer, block, axes)
                type = f"tensor<{dims(shape[:2])}{gate}>"
                clause = ""
                if size:
                    norm = ("dyadic", "orthonormal")[count % 2]
                    signs = f" signs = @s{size}" if count % 3 else ""
                    clause = f" inverse_rht = {size}{signs} normalization = {norm}"
                result = f"tensor<{dims(shape[1:])}{('f32', 'bf16', 'f16')[count % 3]}>"
                body = (
                    f'  %g = arith.constant dense<"0x{gates.tobytes().hex()}"> : {type}\n'
                    f"  %q = lowp.quantize %x : SOURCE -> {q}\n"
                    f"  %y = lowp.combine %q gates(%g : {type}){clause} : {q} -> {result}"
                )
                programs.add(x, "f32", body, "%y", result)
                count += 1
    return count


def add_all_moves(programs):
    """Transposition and layouts, of what is packed in pairs and what is not."""
    count = 0
    for element, scale, outer in (
        ("f4E2M1FN", "f8E4M3FN", True),
        ("f4E2M1FN", "f8E8M0FNU", False),
        ("f8E5M2", "f8E8M0FNU", True),
        ("!lowp.s2f6", "f32", False),
    ):
        for shape, block, axes, permutation in (
            ((5, 67), [1, 16], [0], [1, 0]),
            ((20, 35), [16, 16], [], [1, 0]),
            ((3, 4, 33), [1, 1, 16], [0, 1], [1, 2, 0]),
            ((3, 4, 33), [1, 1, 16], [1], [2, 1, 0]),
        ):
            q = blocked(shape, element, scale, outer, block, axes)
            moved = [shape[p] for p in permutation]
            moved_axes = [i for i, p in enumerate(permutation) if p in axes]
            t = blocked(
                moved, element, scale, outer, [block[p] for p in permutation], moved_axes
            )
            tiled = q[:-1] + ", layout = tcgen05_128x4>" if scale != "f32" else q
            body = (
                f"  %q = lowp.quantize %x : SOURCE -> {q}\n"
                f"  %t = lowp.transpose %q permutation = {permutation} : {q} -> {t}\n"
                f"  %l = lowp.convert_layout %q : {q} -> {tiled}"
            )
            programs.add(numbers(shape, count % 2), "f32", body, "%t, %l", f"{t}, {tiled}")
            count += 1
    return count


def same(a, b):
    a, b = np.asarray(a), np.asarray(b)
    if a.shape != b.shape or a.dtype != b.dtype:
        return False
    if a.dtype == np.uint16:
        a, b = ((v.astype(np.uint32) << 16).view(np.float32) for v in (a, b))
    if a.dtype in (np.float32, np.float16):
        bits = np.uint32 if a.dtype == np.float32 else np.uint16
        equal = a.view(bits) == b.view(bits)
        return bool((equal | (np.isnan(a) & np.isnan(b))).all())
    return bool((a == b).all())


def main():
    opt, compiler, path = sys.argv[1:]
    programs = Programs()
    counts = {
        "quantize": add_all_quantize(programs),
        "requantize": add_all_requantize(programs),
        "rht": add_all_transforms(programs),
        "amax": add_all_amaxes(programs),
        "combine": add_all_combines(programs),
        "transpose": add_all_moves(programs),
    }
    programs.write(path + ".run.mlir", constant=False)
    programs.write(path + ".constant.mlir", constant=True)
    folded = path + ".folded.mlir"
    subprocess.run(
        [opt, path + ".constant.mlir", "--lowp-fold-constants=max-elements=1000000"]
        + ["--mlir-print-op-generic=false", "-o", folded],
        check=True,
    )
    left = set(re.findall(r"lowp\.\w+ ", open(folded).read()))
    assert left <= {"lowp.pack ", "lowp.signs "}, left
    programs_at = {}
    for name, source in (("run", path + ".run.mlir"), ("folded", folded)):
        library = f"{path}.{name}.so"
        command = [compiler, source, "--target=cpu", "--emit=shared", "-o", library]
        subprocess.run(command, check=True)
        programs_at[name] = lowp.Program(library)

    different = []
    for i, (x, _, body, _, _) in enumerate(programs.cases):
        results = []
        for name, arguments in (("run", [x]), ("folded", [])):
            result = programs_at[name](*arguments, entry=f"f{i}")
            results.append(result if isinstance(result, tuple) else (result,))
        for part, (run, fold) in enumerate(zip(*results, strict=True)):
            if not same(run, fold):
                different.append(f"f{i} result {part}:\n{body}")
                break
    print(*(f"{op}: {count}" for op, count in counts.items()), sep="\n")
    print(*different[:20], sep="\n")
    assert not different, f"{len(different)} programs differ"


if __name__ == "__main__":
    main()
