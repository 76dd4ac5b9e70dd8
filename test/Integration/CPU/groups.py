# REQUIRES: numpy
# RUN: %python %s lowp-compile %t
"""Grouped values in compiled programs.

A group is what it would be alone: each case quantises, moves or contracts a
grouped value, and compares every group, bit for bit, with the program for values
without groups. What no block uses is poisoned before values are read back, and
must not change a bit.
"""

import subprocess
import sys

import numpy as np

import lowp

f32 = np.float32

OFFSETS = [
    [0, 17, 17, 57],
    [0, 16, 32, 64],
    [0, 0, 0, 0],
    [0, 40],
    [0],
    [0, 1, 2, 3, 3, 4],
    [0, 128, 300],
    [0, 33, 65, 66, 131],
]

KINDS = {
    "mxfp8_e4m3": (32, False),
    "nvfp4": (16, True),
    "mxfp4": (32, False),
    "<f4E2M1FN, f8E4M3FN>": (16, False),
    "fp8_block": (128, False),
}


class Functions:
    """Functions of one program, by their text."""

    def __init__(self):
        self.names = {}

    def add(self, arguments, result, body):
        lines = "".join(f"  {line}\n" for line in body)
        text = f"({arguments}) -> {result} {{\n{lines}}}"
        name = self.names.setdefault(text, f"f{len(self.names)}")

        def call(*values):
            results = self.program(*values, entry=name)
            return results if isinstance(results, tuple) else (results,)

        return call

    def compile(self, compiler, path):
        with open(path + ".mlir", "w") as file:
            for text, name in self.names.items():
                file.write(f"func.func @{name}{text}\n")
        subprocess.run(
            [compiler, path + ".mlir", "--target=cpu", "--emit=shared", "-o", path],
            check=True,
        )
        self.program = lowp.Program(path)


def same(actual, expected, what):
    actual, expected = np.asarray(actual), np.asarray(expected)
    assert actual.shape == expected.shape, (what, actual.shape, expected.shape)
    if actual.dtype == f32:
        equal = (actual.view(np.uint32) == expected.view(np.uint32)) | (
            np.isnan(actual) & np.isnan(expected)
        )
    else:
        equal = actual == expected
    assert np.all(equal), (what, np.argwhere(~equal)[:3].tolist())


def slots(offsets, unit):
    """First unit and number of units of each group."""
    for group, (first, end) in enumerate(zip(offsets, offsets[1:])):
        if unit == 1:
            yield first, end - first
        else:
            yield first // unit + group, -(-(end - first) // unit)


def along(axis, first, count):
    return (slice(None),) * axis + (slice(first, first + count),)


def unpacked(codes, size):
    codes = codes.view(np.uint8)
    wide = np.stack([codes & 15, codes >> 4], axis=-1)
    return wide.reshape(*codes.shape[:-1], 2 * codes.shape[-1])[..., :size]


def decode_tiles(image, rows, columns):
    """Linear scales of one image of 128x4 tiles."""
    r, c = np.meshgrid(np.arange(rows), np.arange(columns), indexing="ij")
    at = ((r // 128) * -(-columns // 4) + c // 4) * 512 + (r % 32) * 16
    return image.view(np.uint8)[at + ((r % 128) // 32) * 4 + c % 4]


class Case:
    """One type, grouped along an axis of a matrix."""

    def __init__(self, functions, kind, axis, block, outer=None, layout=""):
        self.kind, self.axis, self.block = kind, axis, block
        self.outer, self.layout = outer, layout
        self.packed = kind in ("nvfp4", "mxfp4") or "f4E2M1" in kind
        self.has_outer = KINDS[kind][1]
        outer_text = f", outer = [{outer}]" if outer is not None else ""
        layout_text = f", layout = {layout}" if layout else ""
        self.head = f"?x?x{kind}, block = [{block[0]}, {block[1]}]"
        self.plain = f"!lowp.blocked<{self.head}{outer_text}>"
        self.plain_tiled = f"!lowp.blocked<{self.head}{outer_text}{layout_text}>"
        self.type = f"!lowp.blocked<{self.head}{outer_text}{layout_text}, groups = ? along {axis}>"
        self.linear = f"!lowp.blocked<{self.head}{outer_text}, groups = ? along {axis}>"
        x = "tensor<?x?xf32>"
        self.quantize = functions.add(
            f"%x: {x}, %o: tensor<?xi32>",
            self.type,
            [
                f"%q = lowp.quantize %x groups(%o : tensor<?xi32>) : {x} -> {self.type}",
                f"return %q : {self.type}",
            ],
        )
        self.alone = functions.add(
            f"%x: {x}",
            self.plain_tiled,
            [f"%q = lowp.quantize %x : {x} -> {self.plain_tiled}", f"return %q : {self.plain_tiled}"],
        )
        self.dequantize = functions.add(
            f"%q: {self.type}",
            x,
            [f"%y = lowp.dequantize %q : {self.type} -> {x}", f"return %y : {x}"],
        )
        self.dequantize_alone = functions.add(
            f"%q: {self.plain_tiled}",
            x,
            [f"%y = lowp.dequantize %q : {self.plain_tiled} -> {x}", f"return %y : {x}"],
        )
        swapped = lambda list: f"[{list[1]}, {list[0]}]"
        moved = f", outer = [{1 - outer}]" if outer is not None else ""
        self.turned = (
            f"!lowp.blocked<?x?x{kind}, block = {swapped(block)}{moved}, groups = ? along {1 - axis}>"
        )
        if not layout:
            self.transpose = functions.add(
                f"%q: {self.type}",
                self.turned,
                [
                    f"%t = lowp.transpose %q permutation = [1, 0] : {self.type} -> {self.turned}",
                    f"return %t : {self.turned}",
                ],
            )
            self.read_turned = functions.add(
                f"%q: {self.turned}",
                x,
                [f"%y = lowp.dequantize %q : {self.turned} -> {x}", f"return %y : {x}"],
            )
        else:
            self.convert = functions.add(
                f"%q: {self.linear}",
                self.type,
                [f"%t = lowp.convert_layout %q : {self.linear} -> {self.type}", f"return %t : {self.type}"],
            )
            self.convert_back = functions.add(
                f"%q: {self.type}",
                self.linear,
                [f"%t = lowp.convert_layout %q : {self.type} -> {self.linear}", f"return %t : {self.linear}"],
            )
        # Requantised to blocks along the groups, from any source.
        self.target = f"!lowp.blocked<?x?xmxfp8_e5m2, block = [1, 32], groups = ? along {1 - axis}>"
        self.requantize = functions.add(
            f"%q: {self.type}",
            self.target,
            [
                f"%t = lowp.requantize %q permutation = [1, 0] : {self.type} -> {self.target}",
                f"return %t : {self.target}",
            ],
        )
        self.target_alone = "!lowp.blocked<?x?xmxfp8_e5m2, block = [1, 32]>"
        self.requantize_alone = functions.add(
            f"%q: {self.plain_tiled}",
            self.target_alone,
            [
                f"%t = lowp.requantize %q permutation = [1, 0] : {self.plain_tiled} -> {self.target_alone}",
                f"return %t : {self.target_alone}",
            ],
        )

    def split(self, value):
        """Codes (one a byte), scales, outer, offsets, and what else there is."""
        codes, scales, *rest = value
        outer = rest.pop(0) if self.has_outer else None
        return codes, scales, outer, rest.pop(0), rest

    def per_scale(self):
        replicated = self.axis == 0 and min(self.block) > 1 and self.kind != "fp8_block"
        return 1 if replicated else self.block[self.axis]

    def check(self, x, offsets):
        axis, size = self.axis, x.shape[self.axis]
        what = (self.type, x.shape, offsets)
        value = self.quantize(x, np.array(offsets, np.int32))
        codes, scales, outer, kept, rest = self.split(value)
        same(kept, np.array(offsets, np.int64), what)
        if self.packed:
            codes = unpacked(codes, x.shape[1])
        used = np.zeros(scales.shape, bool)
        back = self.dequantize(*value)[0]
        groups = []
        unit = self.per_scale()
        tile = unit * (4 if axis == 1 else 128)
        for group, (first, end) in enumerate(zip(offsets, offsets[1:])):
            part = np.ascontiguousarray(x[along(axis, first, end - first)])
            alone = self.alone(part)
            groups.append((first, end - first, alone))
            alone_codes = alone[0]
            if self.packed:
                alone_codes = unpacked(alone_codes, part.shape[1])
            same(codes[along(axis, first, end - first)], alone_codes, what)
            if self.layout:
                start, count = list(slots(offsets, tile))[group]
                other = x.shape[1 - axis]
                other = -(-other // self.block[1 - axis])
                stride = -(-other // (128 if axis == 1 else 4)) * 512
                place = slice(start * stride, (start + count) * stride)
            else:
                start, count = list(slots(offsets, unit))[group]
                place = along(axis, start, count)
            same(scales[place], alone[1], what)
            assert not used[place].any(), what
            used[place] = True
            if outer is not None and self.outer is None:
                same(outer[group], alone[2].reshape(()), what)
            elif outer is not None and self.outer == axis:
                same(outer[first:end], alone[2], what)
            elif outer is not None:
                same(outer[group], alone[2], what)
            same(back[along(axis, first, end - first)], self.dequantize_alone(*alone)[0], what)
        assert not scales.view(np.uint8)[~np.repeat(used, scales.itemsize, -1)].any() if scales.size else True

        # Poison.
        poisoned = scales.copy()
        poisoned[~used] = np.nan if scales.dtype == f32 else -1
        dirty = [value[0].copy(), poisoned, *value[2:]]
        if self.packed and x.shape[1] % 2 and dirty[0].size:
            dirty[0].view(np.uint8)[:, -1] |= 0xF0
        same(self.dequantize(*dirty)[0], back, what)
        requantized = self.requantize(*value)
        for one, other in zip(self.requantize(*dirty), requantized):
            same(one, other, what)
        for group, (first, count, alone) in enumerate(groups):
            expected = self.requantize_alone(*alone)
            start, blocks = list(slots(offsets, 32))[group]
            other = 1 - axis
            same(requantized[0][along(other, first, count)], expected[0], what)
            if other == 1:
                same(requantized[1][:, start : start + blocks], expected[1], what)
            else:
                same(requantized[1][first : first + count], expected[1], what)
        if self.layout:
            # Codes pass through as they are, padding too.
            linear = self.convert_back(value[0], *dirty[1:])
            for one, other in zip(self.convert(*linear), value):
                same(one, other, what)
            same(linear[1], self.convert_back(*value)[1], what)
        else:
            turned = self.transpose(*value)
            for one, other in zip(self.transpose(*dirty), turned):
                same(one, other, what)
            same(self.read_turned(*turned)[0], back.T.copy(), what)


def offset_errors(cases):
    case = cases[0]
    x = np.zeros((40, 40), f32)
    for offsets in ([], [1, 40], [0, 41], [0, 30, 20, 40], [0, -1, 40], [0], [0, 39]):
        try:
            case.quantize(x, np.array(offsets, np.int32))
        except lowp.RuntimeFailure as error:
            assert "expects offsets from 0 to the size of the grouped dim" in str(error), error
        else:
            raise AssertionError(f"no error for {offsets}")


def transforms(functions):
    x = "tensor<?x?xf32>"
    body = "%y = lowp.rht %x{} size = 16 axis = 0 : " + x
    grouped = functions.add(
        f"%x: {x}, %o: tensor<?xi32>", x, [body.format(" groups(%o : tensor<?xi32>)"), f"return %y : {x}"]
    )
    plain = functions.add(f"%x: {x}", x, [body.format(""), f"return %y : {x}"])
    return grouped, plain


def check_transforms(random, grouped, plain):
    x = random.standard_normal((64, 5)).astype(f32)
    same(grouped(x, np.array([0, 16, 16, 64], np.int32))[0], plain(x)[0], "transform")
    try:
        grouped(x, np.array([0, 24, 64], np.int32))
    except lowp.RuntimeFailure as error:
        assert "'lowp.rht' op expects groups of a multiple of 16 elements" in str(error), error
    else:
        raise AssertionError("no error of a transform that crosses groups")


def contractions(functions):
    """A grouped value where groups are not contracted equals its groups; where
    they are, each is a product of its own."""
    checks = []
    x = "tensor<?x?xf32>"
    o = "tensor<?xi32>"
    for kind, block, outer in (
        ("nvfp4", (1, 16), ""),
        ("nvfp4", (16, 16), ""),
        ("fp8_block", (128, 128), ""),
        ("mxfp8_e4m3", (1, 32), ""),
        ("nvfp4", (1, 16), ", outer = [0]"),
    ):
        plain = f"!lowp.blocked<?x?x{kind}, block = [{block[0]}, {block[1]}]{outer}>"
        grouped = plain[:-1] + ", groups = ? along 0>"
        experts = "tensor<?x?x?xf32>"
        body = [
            f"%y = lowp.grouped_matmul %q, %w groups(%o : {o}) : {grouped}, {experts} -> {x}",
            f"return %y : {x}",
        ]
        product = functions.add(f"%q: {grouped}, %w: {experts}, %o: {o}", x, body)
        quantize = functions.add(
            f"%x: {x}, %o: {o}",
            grouped,
            [f"%q = lowp.quantize %x groups(%o : {o}) : {x} -> {grouped}", f"return %q : {grouped}"],
        )
        alone = functions.add(
            f"%x: {x}, %w: {x}",
            x,
            [
                f"%q = lowp.quantize %x : {x} -> {plain}",
                f"%y = lowp.matmul %q, %w : {plain}, {x} -> {x}",
                f"return %y : {x}",
            ],
        )
        checks.append(("rows", quantize, product, alone))
    for kind, blocks in (
        ("mxfp8_e4m3", ((32, 1), (32, 1))),
        ("nvfp4", ((16, 1), (16, 1))),
        ("nvfp4", ((16, 16), (16, 1))),
        ("fp8_block", ((128, 128), (128, 1))),
        (None, None),
    ):
        result = "tensor<?x?x?xf32>"
        if kind is None:
            left = right = x
            lines, alone_lines = [], []
            names = ("%x", "%y")
        else:
            left, right = (
                f"!lowp.blocked<?x?x{kind}, block = [{b[0]}, {b[1]}], groups = ? along 0>" for b in blocks
            )
            lines = [
                f"%a = lowp.quantize %x groups(%o : {o}) : {x} -> {left}",
                f"%b = lowp.quantize %y groups(%o : {o}) : {x} -> {right}",
            ]
            alone_lines = [
                line.replace(f" groups(%o : {o})", "").replace(", groups = ? along 0", "") for line in lines
            ]
            names = ("%a", "%b")
        product = functions.add(
            f"%x: {x}, %y: {x}, %o: {o}",
            result,
            lines
            + [
                f"%r = lowp.k_grouped_matmul {names[0]}, {names[1]} groups(%o : {o}) transpose_lhs"
                f" : {left}, {right} -> {result}",
                f"return %r : {result}",
            ],
        )
        one, other = (t.replace(", groups = ? along 0", "") for t in (left, right))
        alone = functions.add(
            f"%x: {x}, %y: {x}",
            x,
            alone_lines
            + [
                f"%r = lowp.matmul {names[0]}, {names[1]} transpose_lhs : {one}, {other} -> {x}",
                f"return %r : {x}",
            ],
        )
        checks.append(("k", product, alone))
    return checks


def check_contraction(check, random, offsets):
    rows, groups = offsets[-1], len(offsets) - 1
    numbers = np.array(offsets, np.int32)
    x = random.standard_normal((rows, 40)).astype(f32)
    if check[0] == "rows":
        _, quantize, product, alone = check
        w = random.standard_normal((groups, 40, 19)).astype(f32)
        y = product(*quantize(x, numbers), w, numbers)[0]
        for group, (first, end) in enumerate(zip(offsets, offsets[1:])):
            same(y[first:end], alone(x[first:end], w[group])[0], (check[0], offsets))
        return
    _, product, alone = check
    g = random.standard_normal((rows, 23)).astype(f32)
    y = product(x, g, numbers)[0]
    for group, (first, end) in enumerate(zip(offsets, offsets[1:])):
        same(y[group], alone(x[first:end], g[first:end])[0], (check[0], offsets))


def main():
    compiler, path = sys.argv[1:]
    random = np.random.default_rng(3)
    functions = Functions()
    cases = [
        Case(functions, "mxfp8_e4m3", 0, (32, 1)),
        Case(functions, "mxfp8_e4m3", 1, (1, 32)),
        Case(functions, "mxfp4", 1, (1, 32)),
        Case(functions, "mxfp4", 0, (32, 1)),
        Case(functions, "nvfp4", 0, (1, 16)),
        Case(functions, "nvfp4", 0, (1, 16), outer=0),
        Case(functions, "nvfp4", 1, (1, 16), outer=0),
        Case(functions, "nvfp4", 0, (16, 16)),
        Case(functions, "nvfp4", 1, (16, 16)),
        Case(functions, "fp8_block", 0, (128, 128)),
        Case(functions, "fp8_block", 1, (1, 128)),
        Case(functions, "nvfp4", 0, (1, 16), outer=0, layout="tcgen05_128x4"),
        Case(functions, "nvfp4", 0, (1, 16), layout="tcgen05_128x4"),
        Case(functions, "mxfp8_e4m3", 1, (1, 32), layout="tcgen05_128x4"),
        Case(functions, "mxfp8_e4m3", 0, (32, 1), layout="tcgen05_128x4"),
        Case(functions, "nvfp4", 1, (16, 16), layout="tcgen05_128x4"),
    ]
    products = contractions(functions)
    transform = transforms(functions)
    functions.compile(compiler, path + ".so")
    count = 0
    for case in cases:
        for offsets in OFFSETS:
            for other in (35, 0) if offsets == OFFSETS[0] else (35,):
                shape = (offsets[-1], other) if case.axis == 0 else (other, offsets[-1])
                x = random.standard_normal(shape).astype(f32)
                x *= np.exp2(random.integers(-3, 4, shape)).astype(f32)
                case.check(x, offsets)
                count += 1
    for check in products:
        for offsets in OFFSETS:
            check_contraction(check, random, offsets)
            count += 1
    offset_errors(cases)
    check_transforms(random, *transform)
    print(f"{len(functions.names)} functions, {count} cases")


if __name__ == "__main__":
    main()
