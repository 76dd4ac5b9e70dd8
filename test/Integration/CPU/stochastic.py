# REQUIRES: numpy
# RUN: %python %s lowp-compile %t
"""Stochastic rounding of whole tensors, against a model of docs/spec.md.

Random bits follow from the coordinates in the result: for every block size,
also those that do not fit the random groups, along every dim, for tiles, for
requantised values of any order of dims, and for sizes that are not multiples.
Scales are taken from the result; vectors.py compares them.
"""

import itertools
import subprocess
import sys

import numpy as np

import lowp

U32, U64 = np.uint32, np.uint64

# Mantissa bits, bias, largest value.
FLOATS = {
    "f4E2M1FN": (1, 1, 6.0),
    "f6E2M3FN": (3, 1, 7.5),
    "f6E3M2FN": (2, 3, 28.0),
    "f8E4M3FN": (3, 7, 448.0),
    "f8E5M2": (2, 15, 57344.0),
}
BITS = {"f4E2M1FN": 4, "f6E2M3FN": 6, "f6E3M2FN": 6}
FLT_MAX = np.finfo(np.float32).max


def philox(seed, stream, step, groups, rounds):
    c = [groups.astype(U32), (groups >> U64(32)).astype(U32)]
    c += [np.full(groups.shape, stream, U32), np.full(groups.shape, step, U32)]
    keys = [seed & 0xFFFFFFFF, seed >> 32]
    for _ in range(rounds):
        p0 = c[0].astype(U64) * U64(0xD2511F53)
        p1 = c[2].astype(U64) * U64(0xCD9E8D57)
        c = [
            (p1 >> U64(32)).astype(U32) ^ c[1] ^ U32(keys[0]),
            p1.astype(U32),
            (p0 >> U64(32)).astype(U32) ^ c[3] ^ U32(keys[1]),
            p0.astype(U32),
        ]
        keys = [(keys[0] + 0x9E3779B9) & 0xFFFFFFFF, (keys[1] + 0xBB67AE85) & 0xFFFFFFFF]
    return np.stack(c, axis=-1)


def group_of(offsets, size):
    """The group of each index of a dim, and the index that it starts at."""
    group = np.searchsorted(offsets, np.arange(size), side="right") - 1
    return group, offsets[group]


def random_bits(shape, axis, key, count, offsets=None):
    """`count` random bits of each element of a tensor; `offsets` of groups along
    the axis."""
    index = np.indices(shape).astype(np.int64)
    k = index[axis]
    row = np.zeros(shape, np.int64)
    for dim in range(len(shape)):
        if dim != axis:
            row = row * shape[dim] + index[dim]
    independent = key.get("independent", False)
    size = 8 if independent else 16
    if offsets is None:
        groups = row * -(-shape[axis] // size) + k // size
    else:
        number, start = (part[k] for part in group_of(offsets, shape[axis]))
        k = k - start
        groups = row * (shape[axis] // size + len(offsets) - 1)
        groups += start // size + number + k // size
    stream = key["stream"] | (1 << 31 if independent else 0)
    words = philox(key["seed"], stream, key["step"], groups.astype(U64), key.get("rounds", 10))
    lane = k % size
    if independent:
        word, shift = lane // 2, lane % 2 * 16
    else:
        word = lane // 4
        shift = np.array([0, 16, 8, 24] if count == 8 else [0, 0, 16, 16])[lane % 4]
    chosen = np.take_along_axis(words, word[..., None], axis=-1)[..., 0]
    return (chosen >> shift.astype(U32)) & U32((1 << count) - 1)


def encode(element, scaled, bits, count):
    """Codes of FP32 numbers, in FP64, where nothing here rounds."""
    magnitude = np.abs(scaled.astype(np.float64))
    if element == "!lowp.s2f6":
        units = np.minimum(magnitude, 127 / 64) * 64
        codes = np.floor(units)
        codes += np.floor((units - codes) * 2.0**count) + bits >= 2.0**count
        codes = codes.astype(np.int64)
        return np.where(np.signbit(scaled), -codes, codes).astype(np.int8).view(np.uint8)
    mantissa, bias, largest = FLOATS[element]
    magnitude = np.minimum(magnitude, largest)
    _, exponent = np.frexp(magnitude)
    exponent = np.where(magnitude == 0, 1 - bias, np.maximum(exponent - 1, 1 - bias))
    units = magnitude / np.exp2(exponent - mantissa)
    codes = np.floor(units)
    codes += np.floor((units - codes) * 2.0**count) + bits >= 2.0**count
    codes = codes.astype(np.int64) + ((exponent + bias - 1) << mantissa)
    sign = np.signbit(scaled).astype(np.int64) << (BITS.get(element, 8) - 1)
    return (codes | sign).astype(np.uint8)


def spread(scales, shape, block, group_axis, offsets):
    """The scale of each element."""
    for dim, size in enumerate(block):
        if dim == group_axis and size > 1:
            number, start = group_of(offsets, shape[dim])
            rows = len(block) == 2 and block == [size, size] and dim == 0
            if not rows:  # of tiles, which repeat their scales
                place = start // size + number + (np.arange(shape[dim]) - start) // size
                scales = np.take(scales, place, axis=dim)
        elif size > 1 and scales.shape[dim] != shape[dim]:
            scales = np.repeat(scales, size, axis=dim)
    return scales[tuple(slice(n) for n in shape)]


class Case:
    def __init__(self, element, scale, block, outer=None, key=None, count=None, groups=None):
        self.groups = groups
        self.element, self.scale, self.block, self.outer = element, scale, block, outer
        self.key = {"seed": 0x0123456789ABCDEF, "stream": 3, "step": 5, **(key or {})}
        self.count = count or (8 if element == "f4E2M1FN" else 16)
        fields = ["round = stochastic"]
        if scale != "f8E8M0FNU":
            fields.append("sf_round = up")
        if count:
            fields.append(f"sr_bits = {count}")
        if self.key.get("independent"):
            fields.append("bits = independent")
        if "rounds" in self.key:
            fields.append(f"rounds = {self.key['rounds']}")
        self.rule = f"#lowp.rule<{', '.join(fields)}>"
        wide = [d for d, size in enumerate(block) if size > 1]
        self.axis = wide[-1] if wide else len(block) - 1

    def type(self):
        outer = "" if self.outer is None else ", outer"
        axes = f", outer = {self.outer}" if self.outer else ""
        if self.groups is not None:
            axes += f", groups = ? along {self.groups}"
        return (
            f"!lowp.blocked<{'?x' * len(self.block)}<{self.element}, {self.scale}{outer}>, "
            f"block = {self.block}{axes}>"
        )

    def quantize_text(self, name):
        source = f"tensor<{'?x' * len(self.block)}f32>"
        argument = operand = ""
        if self.groups is not None:
            argument, operand = ", %o: tensor<?xi64>", " groups(%o : tensor<?xi64>)"
        return f"""func.func @{name}(%x: {source}, %seed: i64, %step: i32{argument}) -> {self.type()} {{
  %q = lowp.quantize %x seed(%seed, %step){operand} {{rule = {self.rule}, stream = {self.key["stream"]} : i32}} : {source} -> {self.type()}
  return %q : {self.type()}
}}
"""

    def requantize_text(self, name, source, permutation, mode):
        """Returns what is quantised, too: exact for sources of few bits."""
        tensor = f"tensor<{'?x' * len(self.block)}f32>"
        return f"""func.func @{name}(%x: {tensor}, %seed: i64, %step: i32) -> ({self.type()}, {tensor}) {{
  %s = lowp.quantize %x : {tensor} -> {source}
  %y = lowp.dequantize %s : {source} -> {tensor}
  %q = lowp.requantize %s seed(%seed, %step) permutation = {permutation} outer = {mode} {{rule = {self.rule}, stream = {self.key["stream"]} : i32}} : {source} -> {self.type()}
  return %q, %y : {self.type()}, {tensor}
}}
"""

    def arguments(self, x):
        return x, np.int64(self.key["seed"]), np.int32(self.key["step"])

    def split(self, results, columns):
        codes = np.asarray(results[0]).view(np.uint8)
        if self.element == "f4E2M1FN":
            codes = np.stack([codes & 15, codes >> 4], axis=-1)
            codes = codes.reshape(*codes.shape[:-2], 2 * codes.shape[-2])[..., :columns]
        return codes

    def scaled(self, x, results, offsets):
        """What is encoded, from the scales of the result."""
        where = x.shape, self.block, self.groups, offsets
        with np.errstate(all="ignore"):
            if self.scale == "f8E8M0FNU":
                bytes = spread(np.asarray(results[1]).view(np.uint8), *where)
                return np.ldexp(x, 127 - bytes.astype(np.int32)).astype(np.float32)
            if self.scale == "f32":
                scales = spread(np.asarray(results[1]), *where)
                return x * np.minimum(np.float32(1) / scales, FLT_MAX)
            bytes = spread(np.asarray(results[1]).view(np.uint8), *where).astype(int)
            sf = np.where(
                bytes >= 8,
                (8 + bytes % 8) * np.exp2(bytes // 8 - 10.0),
                bytes * np.exp2(-9.0),
            ).astype(np.float32)
            decode = np.float32(1)
            if self.outer is not None:
                decode = np.asarray(results[2])
                if self.groups is not None and self.groups not in self.outer:
                    # One per group, in front.
                    decode = np.take(decode, group_of(offsets, x.shape[self.groups])[0], axis=0)
                    before = sum(axis < self.groups for axis in self.outer)
                    decode = np.moveaxis(decode, 0, before)
                for dim in range(x.ndim):
                    if dim not in self.outer and dim != self.groups:
                        decode = np.expand_dims(decode, dim)
            inverse = np.minimum(np.float32(1) / (sf * decode), FLT_MAX)
            return np.where(sf == 0, np.float32(0), x * inverse)

    def check(self, what, x, results, offsets=None):
        codes = self.split(results, x.shape[-1])
        assert codes.shape == x.shape, (what, codes.shape, x.shape)
        if x.size == 0:
            return
        along = offsets if self.groups == self.axis else None
        bits = random_bits(x.shape, self.axis, self.key, self.count, along)
        scaled = self.scaled(x, results, offsets)
        expected = encode(self.element, scaled, bits, self.count)
        different = np.argwhere(codes != expected)
        if different.size:
            at = tuple(different[0])
            raise AssertionError(
                f"{what} {x.shape}: {len(different)} codes differ, the first at {at}: "
                f"{codes[at]:#x} instead of {expected[at]:#x}"
            )


MX, NV, F32 = "f8E8M0FNU", "f8E4M3FN", "f32"


def quantize_cases():
    for element in (*FLOATS, "!lowp.s2f6"):
        yield Case(element, MX, [1, 32])
    yield Case("f8E4M3FN", MX, [1, 32], key={"rounds": 7, "stream": 2**31 - 1, "step": 2**31 - 1})
    yield Case("f8E4M3FN", MX, [1, 32], key={"independent": True})
    yield Case("f8E4M3FN", MX, [1, 32], count=8)
    yield Case("f4E2M1FN", MX, [1, 32], count=16)
    yield Case("f6E3M2FN", MX, [1, 32], count=11)
    yield Case("f4E2M1FN", NV, [1, 16], outer=[0])
    yield Case("f4E2M1FN", NV, [1, 16], outer=[])
    yield Case("f4E2M1FN", NV, [1, 16])
    yield Case("f4E2M1FN", NV, [16, 1], outer=[1])
    yield Case("f4E2M1FN", NV, [16, 16], outer=[])
    yield Case("f8E4M3FN", MX, [16, 16], key={"independent": True})
    yield Case("f8E4M3FN", MX, [5, 5])
    yield Case("f8E4M3FN", F32, [1, 128])
    yield Case("f8E4M3FN", F32, [128, 128])
    # Along each dim, and blocks that do not fit the random groups.
    for block in ([32, 1, 1], [1, 32, 1], [1, 1, 32], [1, 12, 1]):
        yield Case("f8E5M2", MX, block)
    for size in (1, 2, 3, 4, 5, 6, 7, 8, 9, 12, 17, 20, 24, 40, 48):
        yield Case("f8E4M3FN", MX, [1, size])
        yield Case("f4E2M1FN", MX, [1, size])
    for size in (1, 2, 4, 5, 12, 24):
        yield Case("f8E4M3FN", MX, [1, size], key={"independent": True})
    yield Case("f8E4M3FN", MX, [32])
    # Groups along the random groups, whose numbers then begin anew in each, and
    # along others, which do not show.
    for block in ([1, 32], [32, 1], [1, 5], [1, 1], [16, 16]):
        for groups in (0, 1):
            yield Case("f8E4M3FN", MX, block, groups=groups)
            yield Case("f4E2M1FN", MX, block, groups=groups)
    yield Case("f8E5M2", MX, [1, 12], groups=1, key={"independent": True})
    for groups in (0, 1):
        yield Case("f4E2M1FN", NV, [1, 16], outer=[], groups=groups)
    yield Case("f4E2M1FN", NV, [1, 16], outer=[0], groups=0)


def requantize_cases():
    mx, nv = "!lowp.blocked<{0}mxfp8_e4m3, block = {1}>", "!lowp.blocked<{0}nvfp4, block = {1}{2}>"
    wide, deep = "?x?x", "?x?x?x"
    yield Case("f8E4M3FN", MX, [1, 32]), nv.format(wide, [1, 16], ", outer = [0]"), [1, 0], "fold"
    yield Case("f8E4M3FN", MX, [32, 1]), nv.format(wide, [1, 16], ""), [1, 0], "fold"
    yield Case("f4E2M1FN", NV, [1, 16], outer=[0]), mx.format(wide, [1, 32]), [0, 1], "fold"
    yield Case("f4E2M1FN", MX, [1, 5]), mx.format(wide, [1, 32]), [1, 0], "fold"
    for permutation in itertools.permutations(range(3)):
        block = [1, 1, 32]
        yield Case("f8E5M2", MX, [1, 32, 1]), mx.format(deep, block), list(permutation), "fold"


def values(shape, seed):
    random = np.random.default_rng(seed)
    x = random.normal(size=shape) * np.exp2(random.integers(-6, 7, size=shape))
    x = x.astype(np.float32)
    if x.size > 4:
        x.flat[1], x.flat[3] = 0.0, -0.0
    return x


SHAPES = {
    1: [(64,), (37,), (1,), (0,)],
    2: [(3, 64), (37, 53), (1, 7), (33, 160), (2, 0), (0, 40)],
    3: [(3, 64, 5), (2, 7, 40), (1, 33, 1), (4, 0, 3)],
}


def some_offsets(size, seed):
    random = np.random.default_rng(seed)
    yield np.array([0, size])
    yield np.sort(np.concatenate([[0, 0, size, size], random.integers(0, size + 1, 3)]))


def check_key(program, name, case):
    """Seed, stream and step matter; the number of rows and who else is
    quantised do not."""
    x = values((40, 96), 1)
    base = program(*case.arguments(x), entry=name)
    again = program(*case.arguments(x), entry=name)
    part = program(*case.arguments(x[:7].copy()), entry=name)
    assert (base[0] == again[0]).all()
    assert (base[0][:7] == part[0]).all()
    for seed, step in ((1, 5), (1 << 32, 5), (0x0123456789ABCDEF, 6)):
        other = program(x, np.int64(seed), np.int32(step), entry=name)
        assert (base[1] == other[1]).all() and (base[0] != other[0]).any(), (seed, step)


LINEAR = """
func.func @main(%x: tensor<?x64xf32>, %w: tensor<32x64xf32>) -> tensor<?x32xf32> {
  %c0 = arith.constant 0 : index
  %zero = arith.constant 0.0 : f32
  %m = tensor.dim %x, %c0 : tensor<?x64xf32>
  %empty = tensor.empty(%m) : tensor<?x32xf32>
  %init = linalg.fill ins(%zero : f32) outs(%empty : tensor<?x32xf32>) -> tensor<?x32xf32>
  %y = linalg.matmul indexing_maps = [affine_map<(m, n, k) -> (m, k)>, affine_map<(m, n, k) -> (n, k)>, affine_map<(m, n, k) -> (m, n)>]
    ins(%x, %w : tensor<?x64xf32>, tensor<32x64xf32>) outs(%init : tensor<?x32xf32>) -> tensor<?x32xf32>
  return %y : tensor<?x32xf32>
}
"""


def check_recipe(compiler, path):
    """A program that a recipe makes round stochastically takes a step, 0 where
    it is left out, and the seed of its compilation."""
    with open(path + ".linear.mlir", "w") as file:
        file.write(LINEAR)
    operand = "mxfp8_e4m3:round=stochastic"
    rule = f"kind=dense -> activation={operand} weight={operand}"
    x, w = values((5, 64), 2), values((32, 64), 3)
    results = []
    for seed in (0, 1):
        output = f"{path}.linear{seed}.so"
        command = [compiler, path + ".linear.mlir", "--rule", rule, f"--seed={seed}"]
        subprocess.run([*command, "--emit=shared", "-o", output], check=True)
        program = lowp.Program(output)
        assert [a.step for a in program.entries["main"].arguments] == [False, False, True]
        results += [program(x, w, np.int32(step)) for step in (0, 1)]
        assert (program(x, w) == results[-2]).all()
    for a, b in itertools.combinations(results, 2):
        assert (a != b).any()
    exact = x.astype(np.float64) @ w.T
    for y in results:
        assert np.linalg.norm(y - exact) < 0.1 * np.linalg.norm(exact)


def main():
    compiler, path = sys.argv[1:]
    quantized = {f"q{i}": case for i, case in enumerate(quantize_cases())}
    requantized = {f"r{i}": case for i, case in enumerate(requantize_cases())}
    text = "".join(case.quantize_text(name) for name, case in quantized.items())
    text += "".join(
        case.requantize_text(name, source, permutation, mode)
        for name, (case, source, permutation, mode) in requantized.items()
    )
    # Every function has its key by hand: the streams are those of the cases.
    with open(path + ".mlir", "w") as file:
        file.write(text)
    subprocess.run(
        [compiler, path + ".mlir", "--resume-from=simplify", "--emit=shared", "-o", path + ".so"],
        check=True,
    )
    program = lowp.Program(path + ".so")

    print(f"{check_all(program, quantized, requantized)} tensors")
    check_key(program, "q3", quantized["q3"])
    check_recipe(compiler, path)
    assert program.live_allocations == 0


def check_all(program, quantized, requantized):
    count = 0
    for name, case in quantized.items():
        for i, shape in enumerate(SHAPES[len(case.block)]):
            x = values(shape, i)
            if case.groups is None:
                results = program(*case.arguments(x), entry=name)
                case.check(f"{case.type()} {case.rule}", x, results)
                count += 1
                continue
            for offsets in some_offsets(shape[case.groups], i):
                results = program(*case.arguments(x), offsets, entry=name)
                case.check(f"{case.type()} {offsets}", x, results, offsets)
                count += 1
    for name, (case, source, permutation, mode) in requantized.items():
        for i, shape in enumerate(SHAPES[len(case.block)]):
            x = values(shape, i)
            *results, y = program(*case.arguments(x), entry=name)
            what = f"{source} {permutation} to {case.type()}"
            case.check(what, np.asarray(y).transpose(permutation), results)
            count += 1
    return count


main()
