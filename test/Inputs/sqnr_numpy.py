# Part of the Lowp project, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Quantisation errors in numpy, written from the specification alone.

Shares nothing with the C++ library: elements are found by searching a table of
values, scales by arithmetic in float64. Tests compare what the compiler
reports with what this computes from the same tensor.

    sqnr_numpy.py --format=nvfp4 --four-six=mse --outer-axes=0 x.npy

prints the signal-to-quantisation-noise ratio in dB. Blocks run along --axis
(the last by default). A uint16 array is taken for BF16.
"""

import argparse
import sys

import numpy as np

F32_MAX = np.float64(np.finfo(np.float32).max)


def f32(x):
    """One rounding to FP32."""
    with np.errstate(over="ignore"):
        return np.asarray(x, np.float64).astype(np.float32)


def float_table(exponent_bits, mantissa_bits, bias, count):
    """Non-negative values of the first `count` codes of a small float."""
    codes = np.arange(count)
    exponent = codes >> mantissa_bits
    mantissa = codes & ((1 << mantissa_bits) - 1)
    normal = exponent > 0
    return np.ldexp(
        mantissa + normal * (1.0 * (1 << mantissa_bits)),
        np.maximum(exponent, 1) - bias - mantissa_bits,
    )


E2M1 = float_table(2, 1, 1, 8)
E4M3 = float_table(4, 3, 7, 127)
S2F6 = np.arange(128) / 64.0


def nearest(table, x):
    """Signed table value nearest to x, ties to the even code, saturating."""
    x = np.asarray(x, np.float64)
    magnitude = np.abs(x)
    middles = (table[1:] + table[:-1]) / 2
    low = np.searchsorted(middles, magnitude, side="left")
    high = np.searchsorted(middles, magnitude, side="right")
    # On a midpoint the two sides differ: the even one.
    code = np.where(low == high, low, low + low % 2)
    return np.copysign(table[code], x), code


def to_blocks(x, axis, size):
    """[..., blocks, size] with zeros in the last block, and the way back."""
    moved = np.moveaxis(np.asarray(x, np.float32), axis, -1)
    length = moved.shape[-1]
    blocks = -(-length // size)
    padded = np.zeros(moved.shape[:-1] + (blocks * size,), np.float32)
    padded[..., :length] = moved

    def back(y):
        flat = y.reshape(moved.shape[:-1] + (blocks * size,))[..., :length]
        return np.moveaxis(flat, -1, axis)

    return padded.reshape(moved.shape[:-1] + (blocks, size)), back


def fused_square_add(d, e):
    """fl32(d * d + e) with one rounding, for FP32 d and e.

    d * d is exact in float64; the sum is rounded there to odd, which makes the
    second rounding to FP32 the only one that counts.
    """
    a = np.asarray(d, np.float64) ** 2
    b = np.asarray(e, np.float64)
    total = a + b
    rest = (a - (total - (total - a))) + (b - (total - a))
    bits = total.view(np.int64)
    inexact = (rest != 0) & (bits % 2 == 0)
    # Toward the rest: magnitudes are never negative here.
    bits = np.where(inexact, np.where(rest > 0, bits + 1, bits - 1), bits)
    return f32(bits.view(np.float64))


def ue8m0(x, axis, size, table):
    """MX formats under the rule `rceil`: values after dequantising."""
    blocks, back = to_blocks(x, axis, size)
    amax = np.abs(blocks.astype(np.float64)).max(axis=-1, keepdims=True)
    mantissa, exponent = np.frexp(amax / table[-1])
    # amax / max = mantissa * 2^exponent with mantissa in [0.5, 1).
    power = np.where(mantissa == 0.5, exponent - 1, exponent)
    power = np.clip(np.where(amax == 0, -127, power), -127, 127)
    # The quotient was rounded: move to the smallest power that serves.
    power = np.where(amax > table[-1] * np.ldexp(1.0, power), power + 1, power)
    power = np.where(
        (amax <= table[-1] * np.ldexp(1.0, power - 1)) & (power > -127),
        power - 1,
        power,
    )
    power = np.clip(power, -127, 127)
    scale = np.ldexp(1.0, power)
    values, codes = nearest(table, f32(blocks / scale))
    return back(f32(values * scale)), {"codes": codes, "power": power}


def mxfp8(x, axis=-1):
    return ue8m0(x, axis, 32, E4M3)


def mxs2f6(x, axis=-1):
    return ue8m0(x, axis, 32, S2F6)


def nvfp4(x, outer_axes=(), four_six="none", axis=-1):
    """NVFP4 with FP32 outer scales per index of `outer_axes`.

    `four_six`: "none", or "mse" with the error in the scaled domain.
    """
    x = np.asarray(x, np.float32)
    outer_axes = tuple(a % x.ndim for a in outer_axes)
    others = tuple(a for a in range(x.ndim) if a not in outer_axes)
    amax = np.abs(x).max(axis=others, keepdims=True, initial=0)
    target = 6 * 448 if four_six == "none" else 6 * 256
    with np.errstate(divide="ignore"):
        encode = f32(np.minimum(f32(target / amax.astype(np.float64)), F32_MAX))
    encode = np.where(amax == 0, np.float32(1), encode)
    decode = f32(1 / encode.astype(np.float64))

    # A scale of every block's group; it does not vary along the block axis.
    def group(scale):
        blocks, _ = to_blocks(np.broadcast_to(scale, x.shape), axis, 16)
        return blocks[..., :1].astype(np.float64)

    blocks, back = to_blocks(x, axis, 16)
    encode, decode = group(encode), group(decode)
    block_amax = np.abs(blocks).max(axis=-1, keepdims=True, initial=0)
    base = f32(f32(block_amax.astype(np.float64) / 6) * encode)

    def candidate(factor):
        value, byte = nearest(E4M3, f32(base * factor))
        with np.errstate(divide="ignore", over="ignore"):
            inverse = np.minimum(f32(1 / f32(value * decode)), F32_MAX)
        # A zero scale has zero codes.
        zero = value == 0
        scaled = np.where(zero, 0, f32(blocks * np.where(zero, 0, inverse)))
        q, code = nearest(E2M1, scaled)
        return value, byte, q, code

    value, byte, q, code = candidate(1.0)
    picked = np.zeros(value.shape, bool)
    if four_six == "mse":

        def error(value, q):
            d = f32(q * value - f32(blocks * encode))
            sums = np.zeros((2,) + d.shape[:-1], np.float32)
            for i in range(16):
                sums[i % 2] = fused_square_add(d[..., i], sums[i % 2])
            return f32(sums[0].astype(np.float64) + sums[1])[..., None]

        other = candidate(1.5)
        picked = error(other[0], other[2]) < error(value, q)
        value = np.where(picked, other[0], value)
        byte = np.where(picked, other[1], byte)
        q = np.where(picked, other[2], q)
        code = np.where(picked, other[3], code)
    elif four_six != "none":
        raise ValueError(f"unknown four_six {four_six!r}")
    result = f32(f32(q * value) * decode)
    return back(result), {"codes": code, "byte": byte, "picked": picked}


def sqnr_db(reference, actual):
    reference = np.asarray(reference, np.float64)
    noise = np.sum((reference - np.asarray(actual, np.float64)) ** 2)
    signal = np.sum(reference**2)
    if noise == 0:
        return np.inf
    with np.errstate(divide="ignore"):
        return 10 * np.log10(signal / noise)


def quantized(x, format, outer_axes=(), four_six="none", axis=-1):
    """The values of x after quantising and dequantising."""
    if format == "nvfp4":
        return nvfp4(x, outer_axes, four_six, axis)[0]
    if format == "mxfp8_e4m3":
        return mxfp8(x, axis)[0]
    if format == "mxs2f6":
        return mxs2f6(x, axis)[0]
    raise ValueError(f"unknown format {format!r}")


def load(path):
    x = np.load(path)
    if x.dtype == np.uint16:
        return (x.astype(np.uint32) << 16).view(np.float32)
    return x.astype(np.float32)


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--format", required=True)
    parser.add_argument("--four-six", default="none")
    parser.add_argument(
        "--outer-axes",
        type=lambda text: [int(a) for a in text.split(",") if a],
        default=[],
    )
    parser.add_argument("--axis", type=int, default=-1)
    parser.add_argument("input")
    args = parser.parse_args()
    x = load(args.input)
    y = quantized(x, args.format, args.outer_axes, args.four_six, args.axis)
    print(f"{sqnr_db(x, y):.4f}")


if __name__ == "__main__":
    sys.exit(main())
