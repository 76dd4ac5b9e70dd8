# REQUIRES: numpy
# RUN: %python %s lowp-opt
"""Codes of 4 bits that programs for the CPU make eight at a time.

Every bf16 number under every scale that a block with it can have: blocks are
the largest number that gives the scale and as many others as they hold.
Expected codes are those of ml_dtypes for the product in FP32. Under the
smallest scales numbers clip, which takes another way. The codes of processors
that have `lowp.dot_pairs` are checked by its generic expansion.

Under 4/6, blocks whose errors are next to each other: what one batch chooses is
compared with what blocks that are alone do.
"""

import os
import sys

import ml_dtypes
import numpy as np

import lowp

sys.path.insert(0, os.path.join(os.path.dirname(__file__), "Inputs"))
from lowered import compile_lowered  # noqa: E402

LARGEST = 6.0


def small_float(amaxes):
    """Scale bytes, and factors, of a format with E4M3 scales."""
    quotients = amaxes / np.float32(LARGEST)
    scales = np.minimum(quotients, np.float32(448)).astype(ml_dtypes.float8_e4m3fn)
    with np.errstate(divide="ignore"):
        factors = np.float32(1) / scales.astype(np.float32)
    return scales.view(np.uint8), factors


def power_of_two(amaxes):
    """Scale bytes, and factors, of MXFP4 under `rceil`."""
    bits = amaxes.view(np.uint32).astype(np.int64)
    exponent = np.where(bits > 0x7FFFFF, (bits >> 23) + ((bits & 0x7FFFFF) > 0x400000), 0)
    scales = np.clip(exponent - 2, 0, 254)
    return scales, np.ldexp(np.float32(1), (127 - scales).astype(np.int32)).astype(np.float32)


def compile_for_dot_pairs(text):
    return compile_lowered(sys.argv[1], "dot-pairs", "lowp.dot_pairs", text)


def check(name, width, scales_of, compile=lowp.compile):
    kind = f"!lowp.blocked<?x?x{name}, block = [1, {width}]>"
    program = compile(f"""
func.func @main(%x: tensor<?x?xbf16>) -> (tensor<?x?xi8>, tensor<?x?xi8>) {{
  %q = lowp.quantize %x : tensor<?x?xbf16> -> {kind}
  %codes, %scales = lowp.unpack %q : {kind} -> tensor<?x?xi8>, tensor<?x?xi8>
  return %codes, %scales : tensor<?x?xi8>, tensor<?x?xi8>
}}
""")
    every = np.arange(0x7F80, dtype=np.uint16)
    scales, factors = scales_of(every.view(ml_dtypes.bfloat16).astype(np.float32))
    count = 0
    for scale in np.unique(scales):
        last = np.flatnonzero(scales == scale)[-1]
        magnitudes = every[: last + 1]
        numbers = np.concatenate([magnitudes, magnitudes | 0x8000])
        rest = -len(numbers) % (16 * (width - 1))
        numbers = np.concatenate([numbers, np.zeros(rest, np.uint16)])
        blocks = numbers.reshape(-1, width - 1)
        blocks = np.insert(blocks, scale % width, every[last], axis=1)
        got, bytes_ = program(blocks.reshape(1, -1).view(ml_dtypes.bfloat16))
        assert (np.asarray(bytes_).view(np.uint8) == scale).all(), (name, scale)
        values = blocks.view(ml_dtypes.bfloat16).astype(np.float32)
        with np.errstate(over="ignore", invalid="ignore"):
            scaled = np.clip(values * factors[last], -LARGEST, LARGEST)
        expected = scaled.astype(ml_dtypes.float4_e2m1fn).view(np.uint8) & 15
        if name != "mxfp4" and scale == 0:
            expected = np.zeros_like(expected)
        got = np.asarray(got).view(np.uint8)
        got = np.stack([got & 15, got >> 4], axis=-1).reshape(blocks.shape)
        if not (got == expected).all():
            row, column = np.argwhere(got != expected)[0]
            sys.exit(
                f"{name}: {blocks[row, column]:#06x} at scale {scale} gives "
                f"{got[row, column]:#x}, expected {expected[row, column]:#x}"
            )
        count += got.size
    print(f"{name}: {count} elements")


for compile in (lowp.compile, compile_for_dot_pairs):
    check("<f4E2M1FN, f8E4M3FN>", 16, small_float, compile)
    check("<f4E2M1FN, f8E4M3FN>", 32, small_float, compile)
    check("mxfp4", 32, power_of_two, compile)


def near_ties(random, count):
    """Blocks of amax 6 with equal errors under the scales 1 and 1.5, but for four
    small elements: these are rounded where they meet the sum."""
    x = random.integers(0, 25, (100 * count, 16)).astype(np.float32) / 4
    x[:, 0] = LARGEST
    small = random.permuted(np.broadcast_to(np.arange(16) < 4, x.shape), axis=1)
    small[:, 0] = False
    x[small] = 0

    def errors(scale):
        factor = np.float32(1) / np.float32(scale)
        codes = (x * factor).astype(ml_dtypes.float4_e2m1fn).astype(np.float64)
        return ((codes * scale - x) ** 2).sum(axis=1)

    ties = errors(1.0) == errors(1.5)
    x, small = x[ties][:count], small[ties][:count]
    assert len(x) == count
    tiny = np.exp2(random.uniform(-13, -10, x.shape)).astype(np.float32)
    x = np.where(small, tiny, x) * random.choice([-1.0, 1.0], x.shape)
    return x.astype(ml_dtypes.bfloat16)


def check_four_six(metric):
    kind = "!lowp.blocked<?x?x<f4E2M1FN, f8E4M3FN>, block = [1, 16]>"
    program = lowp.compile(f"""
func.func @main(%x: tensor<?x?xbf16>) -> (tensor<?x?xi8>, tensor<?x?xi8>) {{
  %q = lowp.quantize %x {{rule = #lowp.rule<four_six = {metric}>}} : tensor<?x?xbf16> -> {kind}
  %codes, %scales = lowp.unpack %q : {kind} -> tensor<?x?xi8>, tensor<?x?xi8>
  return %codes, %scales : tensor<?x?xi8>, tensor<?x?xi8>
}}
""")
    blocks = near_ties(np.random.default_rng(3), 1 << 12)
    codes, scales = (np.asarray(part) for part in program(blocks.reshape(16, -1)))
    expected, bytes_ = (np.asarray(part) for part in program(blocks))
    assert len(np.unique(bytes_)) == 2, metric
    wrong = int((scales.reshape(bytes_.shape) != bytes_).sum())
    if wrong or not (codes.reshape(expected.shape) == expected).all():
        sys.exit(f"four_six = {metric}: {wrong} blocks choose otherwise in a batch")
    print(f"four_six = {metric}: {len(blocks)} blocks")


for metric in ("mse", "mae", "absmax"):
    check_four_six(metric)
