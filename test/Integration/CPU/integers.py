# REQUIRES: numpy
# RUN: %python %s lowp-opt
"""Codes that programs for the CPU make from bf16 by integers of 16 bits, and by
FP16 arithmetic, which this processor may have to do in FP32.

Every bf16 number under every UE8M0 scale that a block with it can have: blocks
are the largest number that gives the scale and 31 others. Expected codes are
those of ml_dtypes for the exact product. Stochastic rounding gives the codes of
the same numbers in FP32, which take another way.
"""

import os
import sys

import ml_dtypes
import numpy as np

import lowp

sys.path.insert(0, os.path.join(os.path.dirname(__file__), "Inputs"))
from lowered import compile_lowered  # noqa: E402

# Type of elements, largest exponent, mantissa bits of the largest value as FP32,
# the largest value.
FORMATS = {
    "mxfp8_e4m3": (ml_dtypes.float8_e4m3fn, 8, 0x600000, 448.0),
    "mxfp8_e5m2": (ml_dtypes.float8_e5m2, 15, 0x600000, 57344.0),
    "mxfp6_e2m3": (ml_dtypes.float6_e2m3fn, 2, 0x700000, 7.5),
    "mxfp6_e3m2": (ml_dtypes.float6_e3m2fn, 4, 0x600000, 28.0),
}
WIDTH = 32


def scale_bytes(rule, amaxes, emax, top):
    bits = amaxes.astype(np.int64) << 16
    exponent, mantissa = bits >> 23, bits & 0x7FFFFF
    if rule == "rceil":
        exponent = exponent + (mantissa > top)
        # The FP32 subnormal range.
        exponent[bits <= 0x7FFFFF] = 0
    elif rule == "ceil":
        exponent = exponent + (mantissa > np.where(exponent > 0, 0, 0x400000))
    else:
        assert rule == "floor"
    return np.clip(exponent - emax, 0, 254)


def compile_for_fp16(text):
    """A program as for a processor with arithmetic in FP16."""
    return compile_lowered(sys.argv[1], "fp16", "vector<32xf16>", text)


def check(name, rule, compile=lowp.compile):
    dtype, emax, top, largest = FORMATS[name]
    text = f"""
func.func @main(%x: tensor<?x?xbf16>) -> (tensor<?x?xi8>, tensor<?x?xi8>) {{
  %q = lowp.quantize %x {{rule = #lowp.rule<scale = {rule}>}}
    : tensor<?x?xbf16> -> !lowp.blocked<?x?x{name}, block = [1, {WIDTH}]>
  %codes, %scales = lowp.unpack %q
    : !lowp.blocked<?x?x{name}, block = [1, {WIDTH}]> -> tensor<?x?xi8>, tensor<?x?xi8>
  return %codes, %scales : tensor<?x?xi8>, tensor<?x?xi8>
}}
"""
    program = compile(text)
    every = np.arange(0x7F80, dtype=np.uint16)
    scales = scale_bytes(rule, every, emax, top)
    count = 0
    for scale in np.unique(scales):
        amax = every[scales == scale][-1]
        magnitudes = every[every <= amax]
        numbers = np.concatenate([magnitudes, magnitudes | 0x8000])
        rest = -len(numbers) % (16 * (WIDTH - 1))
        numbers = np.concatenate([numbers, np.zeros(rest, np.uint16)])
        blocks = numbers.reshape(-1, WIDTH - 1)
        blocks = np.insert(blocks, scale % WIDTH, amax, axis=1)
        got, bytes_ = program(blocks.reshape(1, -1).view(ml_dtypes.bfloat16))
        assert (np.asarray(bytes_).view(np.uint8) == scale).all(), (name, rule, scale)
        # Exact in FP64; below 2^-30 everything is zero, with its sign.
        values = blocks.view(ml_dtypes.bfloat16).astype(np.float64)
        exact = np.clip(np.ldexp(values, int(127 - scale)), -largest, largest)
        tiny = np.abs(exact) < 2.0**-30
        exact = np.where(tiny, np.copysign(2.0**-30, exact), exact)
        expected = exact.astype(np.float32).astype(dtype).view(np.uint8)
        got = np.asarray(got).view(np.uint8).reshape(blocks.shape)
        if not (got == expected).all():
            row, column = np.argwhere(got != expected)[0]
            sys.exit(
                f"{name} {rule}: {blocks[row, column]:#06x} at scale {scale} gives "
                f"{got[row, column]:#04x}, expected {expected[row, column]:#04x}"
            )
        count += got.size
    print(f"{name} {rule}: {count} elements")


for name in FORMATS:
    for rule in ("rceil", "floor", "ceil"):
        check(name, rule)
for rule in ("rceil", "floor", "ceil"):
    check("mxfp8_e4m3", rule, compile_for_fp16)


def stochastic_program(name, element, clipping, compile):
    rule = "round = stochastic"
    if clipping:
        rule += ", scale = floor, allow_clipping = true"
    return compile(f"""
func.func @main(%x: tensor<?x?x{element}>) -> (tensor<?x?xi8>, tensor<?x?xi8>) {{
  %q = lowp.quantize %x {{rule = #lowp.rule<{rule}>}}
    : tensor<?x?x{element}> -> !lowp.blocked<?x?x{name}, block = [1, {WIDTH}]>
  %codes, %scales = lowp.unpack %q
    : !lowp.blocked<?x?x{name}, block = [1, {WIDTH}]> -> tensor<?x?xi8>, tensor<?x?xi8>
  return %codes, %scales : tensor<?x?xi8>, tensor<?x?xi8>
}}
""")


def check_stochastic(name, clipping, compile=lowp.compile):
    random = np.random.default_rng(0)
    bf16 = stochastic_program(name, "bf16", clipping, compile)
    f32 = stochastic_program(name, "f32", clipping, lowp.compile)
    rows, blocks = 128, 33
    shape = (rows, blocks, WIDTH)
    # Binades that a block spans, around those where numbers become too small.
    for span in (1, 6, 7, 8, 9, 10, 11, 18, 19, 20, 32, 33, 34, 250):
        top = random.integers(0, 256, (rows, blocks, 1))
        exponent = np.clip(top - random.integers(0, span + 1, shape), 0, 254)
        numbers = exponent << 7 | random.integers(0, 128, shape)
        numbers |= random.integers(0, 2, shape) << 15
        numbers[random.random(shape) < 0.03] &= 0x8000
        x = numbers.astype(np.uint16).reshape(rows, -1).view(ml_dtypes.bfloat16)
        for got, expected in zip(bf16(x), f32(x.astype(np.float32))):
            if not np.array_equal(got, expected):
                sys.exit(f"{name}, stochastic: differs from FP32 for {span} binades")
    print(f"{name}, stochastic: same")


for name in FORMATS:
    for clipping in (False, True):
        check_stochastic(name, clipping)
for clipping in (False, True):
    check_stochastic("mxfp8_e4m3", clipping, compile_for_fp16)
