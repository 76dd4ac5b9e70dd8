# REQUIRES: numpy
# RUN: %python %s lowp-compile %t
"""Equalities between compiled programs on blocked values.

What the golden vectors do not hold (layouts, higher ranks, tiles of 128,
saturation, given outer scales, transposition) follows from programs that they
do hold: each case states two programs, or a program and numpy, that must give
the same bits.
"""

import subprocess
import sys

import numpy as np

import lowp

f32 = np.float32


class Cases:
    def __init__(self):
        self.names = {}
        self.checks = []

    def function(self, text):
        """The text of a function without its name; returns a callable."""
        name = self.names.setdefault(text, f"f{len(self.names)}")

        def call(*arguments):
            results = self.program(*arguments, entry=name)
            return results if isinstance(results, tuple) else (results,)

        return call

    def unary(self, source, result, body, arguments=""):
        """A function of %x; `body` ends with the value it returns."""
        *lines, value = body
        lines = "\n".join(f"  {line}" for line in lines)
        return self.function(
            f"(%x: {source}{arguments}) -> {result} {{\n{lines}\n"
            f"  return {value} : {result}\n}}"
        )

    def check(self, what):
        def add(function):
            self.checks.append((what, function))
            return function

        return add

    def run(self, compiler, path):
        with open(path + ".mlir", "w") as file:
            for text, name in self.names.items():
                file.write(f"func.func @{name}{text}\n")
        subprocess.run(
            [compiler, path + ".mlir", "--target=cpu", "--emit=shared", "-o", path],
            check=True,
        )
        self.program = lowp.Program(path)
        for what, check in self.checks:
            try:
                check()
            except AssertionError as error:
                raise AssertionError(f"{what}: {error}") from error
        print(f"{len(self.names)} functions, {len(self.checks)} equalities")


def same(actual, expected):
    actual, expected = np.asarray(actual), np.asarray(expected)
    assert actual.shape == expected.shape, f"{actual.shape}, {expected.shape}"
    if actual.dtype == f32:
        equal = (actual.view(np.uint32) == expected.view(np.uint32)) | (
            np.isnan(actual) & np.isnan(expected)
        )
    elif actual.itemsize == 1:
        equal = actual.view(np.uint8) == expected.view(np.uint8)
    else:
        equal = actual == expected
    assert np.all(equal), np.argwhere(~equal)[:3].tolist()


def quantize(cases, source, result, rule="", operand="", arguments=""):
    rule = f" {{rule = #lowp.rule<{rule}>}}" if rule else ""
    return cases.unary(
        source,
        result,
        [f"%q = lowp.quantize %x{operand}{rule} : {source} -> {result}", "%q"],
        arguments,
    )


def dequantize(cases, type, shape):
    tensor = f"tensor<{shape}xf32>"
    return cases.unary(
        type, tensor, [f"%y = lowp.dequantize %x : {type} -> {tensor}", "%y"]
    )


def unpack(codes, size):
    codes = codes.view(np.uint8)
    wide = np.stack([codes & 15, codes >> 4], axis=-1)
    return wide.reshape(*codes.shape[:-1], -1)[..., :size]


def layouts(cases, random):
    x = random.standard_normal((130, 200)).astype(f32)
    for dims in ("?x?", "130x200"):
        for kind, block in (("mxfp8_e4m3", 32), ("nvfp4", 16)):
            plain = f"!lowp.blocked<{dims}x{kind}, block = [1, {block}]>"
            tiled = plain[:-1] + ", layout = tcgen05_128x4>"
            source = f"tensor<{dims}xf32>"
            direct = quantize(cases, source, tiled)
            linear = quantize(cases, source, plain)
            convert = cases.unary(
                plain,
                tiled,
                [f"%t = lowp.convert_layout %x : {plain} -> {tiled}", "%t"],
            )
            read_tiled = dequantize(cases, tiled, dims)
            read_plain = dequantize(cases, plain, dims)

            @cases.check(f"layouts of {kind} {dims}")
            def _(direct=direct, linear=linear, convert=convert, a=read_tiled, b=read_plain):
                q = linear(x)
                for left, right in zip(direct(x), convert(*q)):
                    same(left, right)
                same(a(*direct(x))[0], b(*q)[0])


def ranks(cases, random):
    x = random.standard_normal((3, 5, 72)).astype(f32)
    flat = quantize(
        cases, "tensor<?x?xf32>", "!lowp.blocked<?x?xnvfp4, block = [1, 16], outer = [0]>"
    )
    deep = quantize(
        cases,
        "tensor<?x?x?xf32>",
        "!lowp.blocked<?x?x?xnvfp4, block = [1, 1, 16], outer = [0, 1]>",
    )
    per_expert = quantize(
        cases,
        "tensor<?x?x?xf32>",
        "!lowp.blocked<?x?x?xnvfp4, block = [1, 1, 16], outer = [0]>",
    )
    whole = quantize(cases, "tensor<?x?xf32>", "!lowp.blocked<?x?xnvfp4, block = [1, 16]>")

    @cases.check("rank 3 equals its rows")
    def _():
        codes, scales, outer, _ = deep(x)
        expected = flat(x.reshape(15, 72))
        same(codes.reshape(15, -1), expected[0])
        same(scales.reshape(15, -1), expected[1])
        same(outer.reshape(15), expected[2])

    @cases.check("an expert equals itself alone")
    def _():
        codes, scales, outer, _ = per_expert(x)
        for i in range(3):
            alone = whole(x[i])
            same(codes[i], alone[0])
            same(scales[i], alone[1])
            same(outer[i], alone[2].reshape(()))

    middle = quantize(
        cases, "tensor<?x?x?xf32>", "!lowp.blocked<?x?x?xmxfp4, block = [1, 32, 1]>"
    )
    last = quantize(
        cases, "tensor<?x?x?xf32>", "!lowp.blocked<?x?x?xmxfp4, block = [1, 1, 32]>"
    )
    read_middle = dequantize(
        cases, "!lowp.blocked<?x?x?xmxfp4, block = [1, 32, 1]>", "?x?x?"
    )
    read_last = dequantize(
        cases, "!lowp.blocked<?x?x?xmxfp4, block = [1, 1, 32]>", "?x?x?"
    )
    vector = quantize(cases, "tensor<?xf32>", "!lowp.blocked<?xmxfp8_e5m2, block = [32]>")
    row = quantize(
        cases, "tensor<?x?xf32>", "!lowp.blocked<?x?xmxfp8_e5m2, block = [1, 32]>"
    )

    @cases.check("blocks along a middle dim")
    def _():
        for columns in (7, 8):
            y = random.standard_normal((2, 75, columns)).astype(f32)
            codes, scales, size = middle(y)
            turned = last(np.ascontiguousarray(y.swapaxes(1, 2)))
            same(unpack(codes, columns), unpack(turned[0], 75).swapaxes(1, 2))
            same(np.ascontiguousarray(scales), turned[1].swapaxes(1, 2).copy())
            same(read_middle(codes, scales, size)[0], read_last(*turned)[0].swapaxes(1, 2))

    @cases.check("rank 1")
    def _():
        y = random.standard_normal(70).astype(f32)
        for left, right in zip(vector(y), row(y[None])):
            same(left, right[0])


def transposes(cases, random):
    types = [
        ("?x?xnvfp4, block = [1, 16], outer = [0]", "?x?xnvfp4, block = [16, 1], outer = [1]"),
        ("?x?xmxfp8_e4m3, block = [1, 32]", "?x?xmxfp8_e4m3, block = [32, 1]"),
        ("?x?xnvfp4, block = [16, 16]", "?x?xnvfp4, block = [16, 16]"),
    ]
    x = random.standard_normal((9, 75)).astype(f32)
    for left, right in types:
        left, right = f"!lowp.blocked<{left}>", f"!lowp.blocked<{right}>"
        make = quantize(cases, "tensor<?x?xf32>", left)
        there = cases.unary(
            left,
            right,
            [f"%t = lowp.transpose %x permutation = [1, 0] : {left} -> {right}", "%t"],
        )
        back = cases.unary(
            right,
            left,
            [f"%t = lowp.transpose %x permutation = [1, 0] : {right} -> {left}", "%t"],
        )
        make_turned = quantize(cases, "tensor<?x?xf32>", right)
        read = dequantize(cases, left, "?x?")
        read_turned = dequantize(cases, right, "?x?")

        @cases.check(f"transpose of {left}")
        def _(
            make=make,
            make_turned=make_turned,
            there=there,
            back=back,
            read=read,
            read_turned=read_turned,
        ):
            q = make(x)
            same(read_turned(*there(*q))[0], read(*q)[0].T.copy())
            for one, other in zip(there(*q), make_turned(x.T.copy())):
                same(one, other)
            for one, other in zip(back(*there(*q)), q):
                same(one, other)


def outer_scales(cases, random):
    type = "!lowp.blocked<?x?xnvfp4, block = [1, 16], outer = [0]>"
    rule = "outer_repr = pow2"
    computed = quantize(cases, "tensor<?x?xf32>", type, rule)
    given = quantize(
        cases,
        "tensor<?x?xf32>",
        type,
        rule,
        " outer(%s : tensor<?xf32>)",
        ", %s: tensor<?xf32>",
    )

    @cases.check("a given power of two equals the computed one")
    def _():
        x = random.standard_normal((6, 50)).astype(f32) * np.ldexp(f32(1), np.arange(6) * 9)[:, None]
        x = x.astype(f32)
        q = computed(x)
        for left, right in zip(given(x, q[2]), q):
            same(left, right)

    one = "<f8E4M3FN, f8E4M3FN, outer>, block = [1, 1], outer = "
    rows, columns = (
        quantize(cases, "tensor<?x?xf32>", f"!lowp.blocked<?x?x{one}[{dim}]>") for dim in (0, 1)
    )

    @cases.check("an outer scale along the dim of blocks of one element")
    def _():
        x = random.standard_normal((7, 14)).astype(f32)
        for left, right in zip(columns(x), rows(np.ascontiguousarray(x.T))):
            same(left, right.T.copy())

    @cases.check("a group without a usable scale is lost, and no other")
    def _():
        x = random.standard_normal((6, 50)).astype(f32)
        q = computed(x)
        scales = np.array(q[2])
        bad = np.array([np.nan, np.inf, 0, -1], f32)
        scales[:4] = bad
        codes, sf, outer, _ = given(x, scales)
        assert not codes[:4].any() and (sf[:4] == 0x7F).all() and np.isnan(outer[:4]).all()
        for left, right in zip((codes, sf, outer), q):
            same(left[4:].copy(), right[4:].copy())


def non_finite(cases, random):
    mx = quantize(
        cases,
        "tensor<?x?xf32>",
        "!lowp.blocked<?x?xmxfp8_e4m3, block = [1, 32]>",
        "nonfinite = saturate",
    )
    nv = quantize(
        cases,
        "tensor<?x?xf32>",
        "!lowp.blocked<?x?xnvfp4, block = [1, 16], outer = [0]>",
        "nonfinite = saturate",
    )
    plain = quantize(
        cases, "tensor<?x?xf32>", "!lowp.blocked<?x?xnvfp4, block = [1, 16], outer = [0]>"
    )

    @cases.check("saturate: codes of infinities and NaN")
    def _():
        x = random.standard_normal((2, 32)).astype(f32)
        x[0, :3] = [np.inf, -np.inf, -np.nan]
        x[1] = 0
        x[1, 5:8] = [np.inf, -np.inf, np.nan]
        clean = np.where(np.isfinite(x), x, 0).astype(f32)
        special = np.array([0x7E, 0xFE, 0x7F], np.uint8)
        codes, scales = mx(x)
        expected = [np.array(part).view(np.uint8) for part in mx(clean)]
        expected[0][0, :3] = expected[0][1, 5:8] = special
        same(codes, expected[0])
        same(scales, expected[1])
        codes, scales, outer, size = nv(x)
        clean_codes, clean_scales, clean_outer, _ = plain(clean)
        expected = unpack(clean_codes, 32).copy()
        expected[0, :3] = expected[1, 5:8] = [7, 15, 7]
        same(unpack(codes, 32), expected)
        same(scales, clean_scales)
        same(outer, clean_outer)


def tiles(cases, random):
    x = random.standard_normal((200, 300)).astype(f32)
    x[:128, 256:] = 0
    x[150, 10] = np.nan
    for dims in ("?x?", "200x300"):
        type = f"!lowp.blocked<{dims}xfp8_block, block = [128, 128]>"
        make = quantize(cases, f"tensor<{dims}xf32>", type)
        read = dequantize(cases, type, dims)

        @cases.check(f"tiles of 128 by 128, {dims}")
        def _(make=make, read=read):
            codes, scales = make(x)
            assert codes.shape == (200, 300) and scales.shape == (2, 3)
            for r in range(2):
                for c in range(3):
                    at = np.s_[r * 128 : r * 128 + 128, c * 128 : c * 128 + 128]
                    amax = np.abs(x[at]).max()
                    if np.isnan(amax):
                        assert np.isnan(scales[r, c]) and not codes[at].any()
                        continue
                    encode = f32(448) / amax if amax else f32(1)
                    same(scales[r, c], f32(1) / encode)
                    y = read(codes, scales)[0][at]
                    close = np.abs(y - x[at]) <= np.abs(x[at]) / 16 + scales[r, c] * 2**-9
                    assert close.all()


def requantize(cases, random):
    x = random.standard_normal((40, 72)).astype(f32)
    source = "!lowp.blocked<?x?xnvfp4, block = [1, 16], outer = [0]>"
    make = quantize(cases, "tensor<?x?xf32>", source)
    read = dequantize(cases, source, "?x?")
    results = [
        ("!lowp.blocked<?x?xmxfp8_e4m3, block = [1, 32]>", [0, 1]),
        ("!lowp.blocked<?x?xmxfp8_e4m3, block = [1, 32]>", [1, 0]),
        ("!lowp.blocked<?x?xmxs2f6, block = [32, 1]>", [1, 0]),
        ("!lowp.blocked<?x?xmxfp4, block = [32, 1]>", [0, 1]),
    ]
    for result, permutation in results:
        direct = cases.unary(
            source,
            result,
            [
                f"%r = lowp.requantize %x permutation = {permutation} outer = fold "
                f": {source} -> {result}",
                "%r",
            ],
        )
        again = quantize(cases, "tensor<?x?xf32>", result)

        @cases.check(f"requantize to {result} {permutation}")
        def _(direct=direct, again=again, permutation=permutation):
            q = make(x)
            values = np.ascontiguousarray(read(*q)[0].transpose(permutation))
            for left, right in zip(direct(*q), again(values)):
                same(left, right)


def hadamard(cases, random):
    x = random.standard_normal((64, 128)).astype(f32)
    for size in (16, 32, 64, 128):
        for norm in ("", " normalization = orthonormal"):
            type = "tensor<?x?xf32>"
            there, back = (
                cases.unary(
                    type,
                    type,
                    [f"%y = lowp.rht %x size = {size} axis = 1{inverse}{norm} : {type}", "%y"],
                )
                for inverse in ("", " inverse")
            )
            across = cases.unary(
                type,
                type,
                [f"%y = lowp.rht %x size = {size} axis = 0{norm} : {type}", "%y"],
            )

            @cases.check(f"Hadamard transform of {size}{norm}")
            def _(there=there, back=back, across=across):
                y = there(x)[0]
                assert np.abs(back(y)[0] - x).max() <= 1e-6 * np.abs(x).max() * 4
                same(across(np.ascontiguousarray(x.T))[0], y.T.copy())
                assert there(np.zeros((0, 128), f32))[0].shape == (0, 128)

    @cases.check("a dim that is no multiple is an error")
    def _():
        try:
            there(np.zeros((2, 100), f32))
        except lowp.RuntimeFailure as error:
            assert "multiple of 128" in str(error), error
        else:
            raise AssertionError("no error")


def main():
    compiler, path = sys.argv[1:]
    random = np.random.default_rng(5)
    cases = Cases()
    for add in (
        layouts,
        ranks,
        transposes,
        outer_scales,
        non_finite,
        tiles,
        requantize,
        hadamard,
    ):
        add(cases, random)
    cases.run(compiler, path + ".so")


if __name__ == "__main__":
    main()
