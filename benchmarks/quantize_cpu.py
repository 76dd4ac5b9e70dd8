#!/usr/bin/env python3
# Part of the Lowp project, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Quantising on one CPU thread: compiled programs against numpy + ml_dtypes.

Both sides take BF16 and give packed codes, block scales and outer scales. Their
bytes are compared on a sample before anything is timed; then the fastest of a
few runs of each is printed, and the ratio.

    PYTHONPATH=python benchmarks/quantize_cpu.py [--rows=4096 --cols=4096]

Needs numpy, ml_dtypes and lowp-compile (see lowp.find_compiler).
"""

import argparse
import os
import sys
import time

import ml_dtypes
import numpy as np

import lowp

FLT_MAX = np.finfo(np.float32).max


def pack(codes):
    return codes[..., 0::2] | codes[..., 1::2] << 4


def e2m1(y):
    """Codes of FP32 numbers, saturating."""
    np.clip(y, -6, 6, out=y)
    return y.astype(ml_dtypes.float4_e2m1fn).view(np.uint8)


def numpy_mxfp8(x):
    """MXFP8 E4M3, blocks of 32 along rows, rule `rceil`."""
    rows, cols = x.shape
    blocks = x.astype(np.float32).reshape(rows, cols // 32, 32)
    bits = np.abs(blocks).max(axis=-1).view(np.uint32).astype(np.int32)
    byte = (bits >> 23) - 8 + ((bits & 0x7FFFFF) > 0x600000)
    np.clip(byte, 0, 254, out=byte)
    # 2^(127-b), a subnormal for the last byte.
    inverse = np.where(byte == 254, 0x00400000, (254 - byte) << 23)
    blocks *= inverse.astype(np.uint32).view(np.float32)[..., None]
    codes = blocks.astype(ml_dtypes.float8_e4m3fn).view(np.uint8)
    return codes.reshape(rows, cols), byte.astype(np.uint8)


def numpy_nvfp4(x, four_six=False):
    """NVFP4 with an FP32 outer scale per row; 4/6 by the scaled mse."""
    rows, cols = x.shape
    blocks = x.astype(np.float32).reshape(rows, cols // 16, 16)
    amax = np.abs(blocks).max(axis=-1)
    row_amax = amax.max(axis=-1, keepdims=True)
    target = np.float32(1536 if four_six else 2688)
    with np.errstate(divide="ignore", over="ignore"):
        encode = np.minimum(target / row_amax, FLT_MAX)
    encode[row_amax == 0] = 1
    decode = 1 / encode
    base = amax / np.float32(6) * encode

    def candidate(base):
        byte = np.minimum(base, np.float32(448)).astype(ml_dtypes.float8_e4m3fn)
        value = byte.astype(np.float32)
        with np.errstate(divide="ignore", over="ignore"):
            inverse = np.minimum(1 / (value * decode), FLT_MAX)
        inverse[value == 0] = 0
        codes = e2m1(blocks * inverse[..., None])
        codes[value == 0] = 0
        return byte.view(np.uint8), value, codes

    byte, value, codes = candidate(base)
    if four_six:
        scaled = blocks * encode[..., None]

        def error(value, codes):
            q = codes.view(ml_dtypes.float4_e2m1fn).astype(np.float32)
            d = q * value[..., None] - scaled
            sums = np.zeros((2,) + value.shape, np.float32)
            for i in range(16):
                # A fused multiply-add, by way of float64.
                wide = d[..., i].astype(np.float64)
                sums[i % 2] = wide * wide + sums[i % 2]
            return sums[0] + sums[1]

        byte4, value4, codes4 = candidate(base * np.float32(1.5))
        four = error(value4, codes4) < error(value, codes)
        byte = np.where(four, byte4, byte)
        codes = np.where(four[..., None], codes4, codes)
    return pack(codes.reshape(rows, cols)), byte, decode[:, 0]


def nvfp4_program(four_six):
    rule = " {rule = #lowp.rule<four_six = mse>}" if four_six else ""
    blocked = "!lowp.blocked<?x?xnvfp4, block = [1, 16], outer = [0]>"
    return f"""
func.func @main(%x: tensor<?x?xbf16>)
    -> (tensor<?x?xi8>, tensor<?x?xi8>, tensor<?xf32>) {{
  %q = lowp.quantize %x{rule} : tensor<?x?xbf16> -> {blocked}
  %codes, %scales, %outer = lowp.unpack %q
    : {blocked} -> tensor<?x?xi8>, tensor<?x?xi8>, tensor<?xf32>
  return %codes, %scales, %outer
    : tensor<?x?xi8>, tensor<?x?xi8>, tensor<?xf32>
}}
"""


MXFP8_PROGRAM = """
func.func @main(%x: tensor<?x?xbf16>) -> (tensor<?x?xi8>, tensor<?x?xi8>) {
  %q = lowp.quantize %x
    : tensor<?x?xbf16> -> !lowp.blocked<?x?xmxfp8_e4m3, block = [1, 32]>
  %codes, %scales = lowp.unpack %q
    : !lowp.blocked<?x?xmxfp8_e4m3, block = [1, 32]>
   -> tensor<?x?xi8>, tensor<?x?xi8>
  return %codes, %scales : tensor<?x?xi8>, tensor<?x?xi8>
}
"""

CASES = [
    ("NVFP4 row", nvfp4_program(False), numpy_nvfp4),
    ("NVFP4 row, 4/6", nvfp4_program(True), lambda x: numpy_nvfp4(x, True)),
    ("MXFP8 row", MXFP8_PROGRAM, numpy_mxfp8),
]


def differing(expected, actual):
    """How many bytes of each component differ."""
    counts = []
    for want, got in zip(expected, actual, strict=True):
        want, got = (np.ascontiguousarray(a).view(np.uint8) for a in (want, got))
        if want.shape != got.shape:
            return [f"shape {got.shape} instead of {want.shape}"]
        counts.append(int((want != got).sum()))
    return counts


def fastest(function, argument, runs):
    best = float("inf")
    for _ in range(runs):
        start = time.perf_counter()
        function(argument)
        best = min(best, time.perf_counter() - start)
    return best


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--rows", type=int, default=4096)
    parser.add_argument("--cols", type=int, default=4096, help="a multiple of 32")
    parser.add_argument("--sample", type=int, default=256, help="rows compared")
    parser.add_argument("--runs", type=int, default=3)
    parser.add_argument(
        "--min-ratio", type=float, default=0.0, help="fail below this ratio"
    )
    args = parser.parse_args()
    if args.cols % 32:
        parser.error("expected --cols to be a multiple of 32")
    if hasattr(os, "sched_setaffinity"):
        # One core for both sides, whatever libraries would like to start.
        os.sched_setaffinity(0, {min(os.sched_getaffinity(0))})

    random = np.random.default_rng(0)
    x = random.standard_normal((args.rows, args.cols), np.float32)
    # Rows of different magnitude, a few outliers, zeros.
    x *= np.exp2(random.integers(-6, 7, (args.rows, 1))).astype(np.float32)
    x[random.random(x.shape) < 0.001] *= 50
    x[:, :32] = 0
    x = x.astype(ml_dtypes.bfloat16)

    failed = False
    print(f"{args.rows} x {args.cols} bf16, one thread")
    print(f"{'':16}{'numpy':>10}{'compiled':>10}{'ratio':>8}")
    for name, text, reference in CASES:
        program = lowp.compile(text)
        sample = x[: args.sample]
        counts = differing(reference(sample), program(sample))
        if any(counts):
            print(f"{name:16}differs from numpy, bytes per component: {counts}")
            failed = True
            continue
        slow = fastest(reference, x, max(1, args.runs - 1))
        fast = fastest(program, x, args.runs)
        ratio = slow / fast
        failed |= ratio < args.min_ratio
        print(f"{name:16}{slow:9.3f}s{fast:9.4f}s{ratio:8.1f}")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
