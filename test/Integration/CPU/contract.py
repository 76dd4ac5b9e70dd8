# REQUIRES: numpy
# RUN: %python %s lowp-compile %t
"""Compiled contractions give the bits of their definition.

The reference is the definition in docs/spec.md, one FP32 operation of numpy
after the other: blocks in ascending k, the scales' product once per block,
outer scales once at the end, then init, then one rounding.
"""

import itertools
import os
import subprocess
import sys

import numpy as np

import lowp

inputs = os.path.join(os.path.dirname(__file__), "..", "..", "Inputs")
sys.path.insert(0, os.path.join(inputs, "vectors"))
import lpvec  # noqa: E402

TABLES = lpvec.read(os.path.join(inputs, "vectors", "tables", "decode.vec"))
f32 = np.float32

#         element, scale, outer, block
FORMATS = {
    "nvfp4": ("e2m1", "ue4m3", True, 16),
    "mxfp8_e4m3": ("e4m3", "ue8m0", False, 32),
    "mxfp4": ("e2m1", "ue8m0", False, 32),
    "mxs2f6": ("s2f6", "ue8m0", False, 32),
    "fp8_block": ("e4m3", None, False, 128),
}


class Operand:
    """A random operand: its type, arguments and decoded parts.

    `shape` is the logical shape as the reference sees it, [batch,] free, k;
    `k_first` stores the last two dims the other way round. Kinds that end in
    `_tiles` have square tiles, whose scales are stored once per row.
    """

    def __init__(self, random, kind, shape, k_first=False, outer_axes=(), dynamic=True):
        self.kind, self.shape, self.k_first = kind, shape, k_first
        self.dynamic = dynamic
        rank = len(shape)
        if kind in ("f32", "bf16"):
            values = random.standard_normal(shape).astype(f32)
            if kind == "bf16":
                bits = (values.view(np.uint32) >> 16).astype(np.uint16)
                values = lpvec.bf16(bits)
                self.arguments = [self.stored(bits)]
            else:
                self.arguments = [self.stored(values)]
            self.values, self.scales, self.outer, self.block = values, None, None, None
            self.type = f"tensor<{self.dims()}{kind}>"
            return
        tiles = kind.endswith("_tiles")
        kind = kind.removesuffix("_tiles")
        element, scale, has_outer, self.block = FORMATS[kind]
        table = lpvec.f32(TABLES[element]).reshape(-1)
        # Codes without NaN and infinities; one scale byte may be NaN.
        finite = np.nonzero(np.isfinite(table))[0].astype(np.uint8)
        codes = random.choice(finite, shape)
        self.values = table[codes]
        scale_shape = (*shape[:-1], -(-shape[-1] // self.block))
        if tiles:
            scale_shape = (*shape[:-2], -(-shape[-2] // self.block), scale_shape[-1])
        if scale == "ue8m0":
            scales = random.integers(120, 134, scale_shape).astype(np.uint8)
            self.scales = np.ldexp(f32(1), scales.astype(np.int32) - 127)
        elif scale == "ue4m3":
            scales = random.integers(0, 0x7F, scale_shape).astype(np.uint8)
            self.scales = lpvec.f32(TABLES["e4m3"]).reshape(-1)[scales]
        else:
            scales = random.standard_normal(scale_shape).astype(f32)
            self.scales = scales
        if tiles:
            self.scales = self.scales.repeat(self.block, -2)[..., : shape[-2], :]
        codes, scales = self.stored(codes), self.stored(scales)
        if tiles and scale is not None:
            scales = scales.repeat(self.block, -2)[..., : codes.shape[-2], :]
            scales = np.ascontiguousarray(scales)
        last = codes.shape[-1]
        if element == "e2m1":
            if last % 2:
                codes = np.concatenate([codes, np.zeros_like(codes[..., :1])], -1)
            codes = codes[..., ::2] | codes[..., 1::2] << 4
        self.arguments = [codes.view(np.int8)]
        self.arguments.append(scales if scale is None else scales.view(np.int8))
        self.outer = None
        axes = ""
        if has_outer:
            self.outer_axes = outer_axes
            shape_outer = tuple(shape[axis] for axis in outer_axes)
            self.outer = random.uniform(0.5, 2, shape_outer).astype(f32)
            self.arguments.append(self.outer)
            if outer_axes:
                stored = [self.stored_axis(axis) for axis in outer_axes]
                axes = f", outer = {sorted(stored)}"
        if element == "e2m1" and dynamic:
            self.arguments.append(np.int64(last))
        block = [1] * rank
        block[self.stored_axis(rank - 1)] = self.block
        if tiles:
            block[-2] = block[-1] = self.block
        self.type = f"!lowp.blocked<{self.dims()}{kind}, block = {block}{axes}>"

    def stored_axis(self, axis):
        rank = len(self.shape)
        if self.k_first and axis >= rank - 2:
            return 2 * rank - 3 - axis
        return axis

    def stored(self, array):
        return np.ascontiguousarray(array.swapaxes(-1, -2) if self.k_first else array)

    def dims(self):
        shape = [self.shape[self.stored_axis(i)] for i in range(len(self.shape))]
        return "".join("?x" if self.dynamic else f"{d}x" for d in shape)

    def matrix(self, batch):
        """(values, scales, outer per row) of one batch."""
        if len(self.shape) == 2:
            batch = ()
        else:
            batch = (batch,)
        values = self.values[batch]
        scales = None if self.scales is None else self.scales[batch]
        outer = None
        if self.outer is not None:
            full = self.outer.reshape(
                [
                    self.shape[axis] if axis in self.outer_axes else 1
                    for axis in range(len(self.shape) - 1)
                ]
            )
            full = np.broadcast_to(full, self.shape[:-1])
            outer = full[batch]
        return values, scales, outer


def contract(lhs, rhs):
    """(values, scales, outer) each: M x K by N x K."""
    a, sx, ox = lhs[0]
    b, sw, ow = rhs[0]
    depth = a.shape[1]
    acc = np.zeros((a.shape[0], b.shape[0]), f32)
    sizes = [block for block in (lhs[1], rhs[1]) if block]
    with np.errstate(all="ignore"):
        if not sizes:
            for k in range(depth):
                acc = acc + a[:, k, None] * b[None, :, k]
        else:
            size = min(sizes)
            for start in range(0, depth, size):
                partial = np.zeros_like(acc)
                for k in range(start, min(start + size, depth)):
                    partial = partial + a[:, k, None] * b[None, :, k]
                scale = f32(1)
                if sx is not None:
                    scale = sx[:, start // lhs[1], None] * scale
                if sw is not None:
                    scale = scale * sw[None, :, start // rhs[1]]
                acc = acc + partial * scale
        if ox is not None or ow is not None:
            alpha = f32(1)
            if ox is not None:
                alpha = ox[:, None] * alpha
            if ow is not None:
                alpha = alpha * ow[None, :]
            acc = alpha * acc
    return acc


def round_to_bf16(values):
    bits = values.view(np.uint32)
    rounded = (bits + 0x7FFF + (bits >> 16 & 1)) >> 16
    return np.where(np.isnan(values), 0x7FC0, rounded).astype(np.uint16)


class Cases:
    def __init__(self):
        self.functions = []
        self.names = {}
        self.calls = []

    def add(self, what, op, lhs, rhs, expected, extra=(), init=None, result="f32"):
        """`extra` are further operands: (type, value, text around it)."""
        arguments = [("%x", lhs.type), ("%w", rhs.type)]
        text = "%x, %w"
        values = [*lhs.arguments, *rhs.arguments]
        for type, value, around in extra:
            name = f"%e{len(values)}"
            arguments.append((name, type))
            text += around.format(f"{name} : {type}")
            values.append(value)
        dims = "".join("?x" if lhs.dynamic else f"{d}x" for d in expected.shape)
        if init is not None:
            arguments.append(("%init", f"tensor<{dims}f32>"))
            text += f" init(%init : tensor<{dims}f32>)"
            values.append(init)
            expected = expected + init
        text += " transpose_lhs" if lhs.k_first else ""
        text += "" if rhs.k_first else " transpose_rhs"
        if result == "bf16":
            expected = round_to_bf16(expected)
        type = f"tensor<{dims}{result}>"
        signature = ", ".join(f"{name}: {type}" for name, type in arguments)
        body = f"""({signature}) -> {type} {{
  %y = lowp.{op} {text} : {lhs.type}, {rhs.type} -> {type}
  return %y : {type}
}}"""
        name = self.names.setdefault(body, f"f{len(self.names)}")
        self.calls.append((what, name, values, expected))

    def run(self, compiler, path):
        with open(path + ".mlir", "w") as file:
            for body, name in self.names.items():
                file.write(f"func.func @{name}{body}\n")
        subprocess.run(
            [compiler, path + ".mlir", "--target=cpu", "--emit=shared", "-o", path],
            check=True,
        )
        program = lowp.Program(path)
        failures = []
        for what, name, values, expected in self.calls:
            actual = np.asarray(program(*values, entry=name))
            if expected.dtype == f32:
                same = (actual.view(np.uint32) == expected.view(np.uint32)) | (
                    np.isnan(actual) & np.isnan(expected)
                )
            else:
                same = actual == expected
            if actual.shape != expected.shape or not np.all(same):
                failures.append(what)
        print(f"{len(self.names)} functions, {len(self.calls)} products")
        assert not failures, failures


def matmul_case(cases, random, kinds, m, n, k, transposes=(False, False), **options):
    dynamic = options.pop("dynamic", True)
    outer = options.pop("outer", ((0,), ()))
    with_init = options.pop("with_init", False)
    lhs = Operand(random, kinds[0], (m, k), transposes[0], outer[0], dynamic)
    rhs = Operand(random, kinds[1], (n, k), transposes[1], outer[1], dynamic)
    expected = contract((lhs.matrix(0), lhs.block), (rhs.matrix(0), rhs.block))
    init = random.standard_normal((m, n)).astype(f32) if with_init else None
    what = f"matmul {kinds} {m}x{n}x{k} {transposes} {outer} {options}"
    cases.add(what, "matmul", lhs, rhs, expected, init=init, **options)


def batch_case(cases, random, kinds, b, m, n, k, shared=None):
    left = (m, k) if shared == "lhs" else (b, m, k)
    right = (n, k) if shared == "rhs" else (b, n, k)
    lhs = Operand(random, kinds[0], left, outer_axes=(0,))
    rhs = Operand(random, kinds[1], right, outer_axes=(0, 1) if shared != "rhs" else ())
    expected = np.zeros((b, m, n), f32)
    for i in range(b):
        expected[i] = contract((lhs.matrix(i), lhs.block), (rhs.matrix(i), rhs.block))
    cases.add(f"batch {kinds} {b}x{m}x{n}x{k} {shared}", "batch_matmul", lhs, rhs, expected)


def grouped_case(cases, random, kinds, counts, n, k, index_type):
    offsets = np.concatenate([[0], np.cumsum(counts)])
    rows = int(offsets[-1])
    lhs = Operand(random, kinds[0], (rows, k), outer_axes=(0,))
    rhs = Operand(random, kinds[1], (len(counts), n, k), outer_axes=(0,))
    expected = np.zeros((rows, n), f32)
    values, scales, outer = lhs.matrix(0)
    for group, (start, end) in enumerate(itertools.pairwise(offsets.tolist())):
        part = slice(start, end)
        rows_of = (
            values[part],
            None if scales is None else scales[part],
            None if outer is None else outer[part],
        )
        expected[part] = contract((rows_of, lhs.block), (rhs.matrix(group), rhs.block))
    type = f"tensor<{len(offsets)}x{index_type}>"
    value = offsets.astype({"i32": np.int32, "i64": np.int64}[index_type])
    cases.add(
        f"grouped {kinds} {counts}",
        "grouped_matmul",
        lhs,
        rhs,
        expected,
        extra=[(type, value, " groups({})")],
    )


def main():
    compiler, path = sys.argv[1:]
    random = np.random.default_rng(11)
    cases = Cases()
    both = [
        ("nvfp4", "nvfp4"),
        ("mxfp8_e4m3", "mxfp8_e4m3"),
        ("nvfp4", "mxfp8_e4m3"),
        ("mxfp4", "mxs2f6"),
        ("fp8_block", "fp8_block"),
        ("bf16", "nvfp4"),
        ("mxfp8_e4m3", "f32"),
        ("nvfp4", "nvfp4_tiles"),
        ("fp8_block", "fp8_block_tiles"),
        ("mxfp8_e4m3_tiles", "mxfp8_e4m3"),
        ("bf16", "bf16"),
        ("f32", "f32"),
    ]
    sizes = [(1, 1, 1), (5, 17, 40), (4, 16, 128), (9, 33, 300)]
    empty = [(0, 5, 32), (3, 0, 32), (3, 4, 0)]
    for kinds in both:
        for m, n, k in sizes + empty:
            matmul_case(cases, random, kinds, m, n, k)
        matmul_case(cases, random, kinds, 8, 32, 256, dynamic=False)
        matmul_case(cases, random, kinds, 7, 19, 45, dynamic=False)
        for transposes in itertools.product((False, True), repeat=2):
            matmul_case(cases, random, kinds, 6, 18, 70, transposes)
    matmul_case(cases, random, both[0], 5, 20, 48, outer=((), (0,)))
    matmul_case(cases, random, both[0], 5, 20, 48, with_init=True, result="bf16")
    matmul_case(cases, random, both[-2], 5, 20, 48, with_init=True, result="bf16")
    for shared in (None, "lhs", "rhs"):
        batch_case(cases, random, both[0], 3, 5, 18, 40, shared)
        batch_case(cases, random, ("bf16", "bf16"), 3, 5, 18, 40, shared)
    batch_case(cases, random, both[1], 0, 5, 18, 40)
    for counts in ([17, 0, 40], [0, 0], [4, 1, 3, 8]):
        for index_type in ("i32", "i64"):
            grouped_case(cases, random, both[0], counts, 20, 48, index_type)
    grouped_case(cases, random, ("bf16", "mxfp8_e4m3"), [3, 5], 20, 48, "i32")
    cases.run(compiler, path + ".so")


if __name__ == "__main__":
    main()
