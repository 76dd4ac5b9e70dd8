#!/usr/bin/env python3
# Part of the Lowp project, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Quantising on a CPU: compiled programs against a copy and against numpy.

Programs and numpy with ml_dtypes take BF16 and give packed codes, block scales
and outer scales. Their bytes are compared on a sample before anything is timed.
All that is compared runs in turns, each turn on the next processor. Times are
the shortest of all turns: others on the same machine can only make them longer.
"of copy" is the number of bytes that a program reads and writes per second,
over that of a copy of the same array by one thread; "median" is the median of
the same ratio in each turn, which differs where the machine is not idle.
"numpy" is how many times faster than numpy a program is; "two" how many times
faster two threads are on two processors than one thread is on the average of
these two, as the median of turns.

    PYTHONPATH=python benchmarks/quantize_cpu.py [--rows=8192 --cols=4096]

Needs numpy, ml_dtypes and lowp-compile (see lowp.find_compiler). For another
machine, which needs no compiler then:

    ... quantize_cpu.py --save=DIR --mcpu=sapphirerapids
    ... quantize_cpu.py --load=DIR
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


def scale_mxfp8(x):
    """Scale bytes of MXFP8 E4M3, blocks of 32 along rows, rule `rceil`; and the
    values that are encoded, by rows, blocks and elements."""
    rows, cols = x.shape
    blocks = x.astype(np.float32).reshape(rows, cols // 32, 32)
    bits = np.abs(blocks).max(axis=-1).view(np.uint32).astype(np.int32)
    byte = (bits >> 23) - 8 + ((bits & 0x7FFFFF) > 0x600000)
    np.clip(byte, 0, 254, out=byte)
    # 2^(127-b), a subnormal for the last byte.
    inverse = np.where(byte == 254, 0x00400000, (254 - byte) << 23)
    blocks *= inverse.astype(np.uint32).view(np.float32)[..., None]
    return byte.astype(np.uint8), blocks


def numpy_mxfp8(x):
    """MXFP8 E4M3, to nearest."""
    byte, blocks = scale_mxfp8(x)
    codes = blocks.astype(ml_dtypes.float8_e4m3fn).view(np.uint8)
    return codes.reshape(x.shape), byte


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


def philox(groups):
    """The four words of Philox4x32-10 for counters (group, 0, 0), key 0."""
    low, high = np.uint64(0xFFFFFFFF), np.uint64(32)
    groups = groups.astype(np.uint64)
    words = [groups & low, groups >> high, np.zeros_like(groups), np.zeros_like(groups)]
    keys = [0, 0]
    for _ in range(10):
        a = words[0] * np.uint64(0xD2511F53)
        c = words[2] * np.uint64(0xCD9E8D57)
        words = [
            (c >> high) ^ words[1] ^ np.uint64(keys[0]),
            c & low,
            (a >> high) ^ words[3] ^ np.uint64(keys[1]),
            a & low,
        ]
        keys = [(k + s) & 0xFFFFFFFF for k, s in zip(keys, (0x9E3779B9, 0xBB67AE85))]
    return np.stack(words, axis=-1).astype(np.uint32)


def numpy_mxfp8_stochastic(x):
    """The same with stochastic rounding: seed, step and stream are 0."""
    rows, cols = x.shape
    byte, blocks = scale_mxfp8(x)
    y = blocks.reshape(rows, cols)
    words = philox(np.arange(rows * (cols // 16))).reshape(rows, cols // 4)
    # Elements 0 and 1 of a word's four have its low half, 2 and 3 the high one.
    halves = np.stack([words & 0xFFFF, words & 0xFFFF, words >> 16, words >> 16], -1)
    exponent = np.maximum(np.frexp(y)[1] - 1, -6)
    units = np.ldexp(np.abs(y), 3 - exponent)
    whole = np.floor(units)
    part = np.floor((units - whole) * np.float32(65536)).astype(np.uint32)
    whole += part + halves.reshape(rows, cols) >= 65536
    rounded = np.copysign(np.ldexp(whole, exponent - 3), y)
    codes = rounded.astype(ml_dtypes.float8_e4m3fn).view(np.uint8)
    return codes, byte


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


def mxfp8_program(stochastic):
    rule = " {rule = #lowp.rule<round = stochastic>}" if stochastic else ""
    blocked = "!lowp.blocked<?x?xmxfp8_e4m3, block = [1, 32]>"
    return f"""
func.func @main(%x: tensor<?x?xbf16>) -> (tensor<?x?xi8>, tensor<?x?xi8>) {{
  %q = lowp.quantize %x{rule} : tensor<?x?xbf16> -> {blocked}
  %codes, %scales = lowp.unpack %q
    : {blocked} -> tensor<?x?xi8>, tensor<?x?xi8>
  return %codes, %scales : tensor<?x?xi8>, tensor<?x?xi8>
}}
"""


# Label, file, program, what numpy does.
CASES = [
    ("MXFP8 row", "mxfp8", mxfp8_program(False), numpy_mxfp8),
    ("NVFP4 row", "nvfp4", nvfp4_program(False), numpy_nvfp4),
    ("NVFP4 row, 4/6", "nvfp4_46", nvfp4_program(True), lambda x: numpy_nvfp4(x, True)),
    ("MXFP8 row, SR", "mxfp8_sr", mxfp8_program(True), numpy_mxfp8_stochastic),
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


def times(turns, argument, *functions):
    """The times of each function on the processors of each turn:
    [function][turn]. Functions come with the numbers of their processors,
    counted from the first of the turn."""
    taken = np.empty((len(functions), turns))
    allowed = os.sched_getaffinity(0)
    cycle = sorted(allowed)
    for turn in range(turns):
        for i, (function, numbers) in enumerate(functions):
            own = {cycle[(turn + number) % len(cycle)] for number in numbers}
            os.sched_setaffinity(0, own)
            start = time.perf_counter()
            function(argument)
            taken[i, turn] = time.perf_counter() - start
    os.sched_setaffinity(0, allowed)
    return taken


def keep_memory():
    """Starts over with a malloc that gives nothing back to the system: results
    of each run are then made in the same memory, as the copy's are, and no time
    goes into pages that the system has to clear."""
    wanted = {"MALLOC_MMAP_MAX_": "0", "MALLOC_TRIM_THRESHOLD_": str(1 << 40)}
    if all(os.environ.get(name) == value for name, value in wanted.items()):
        return
    os.environ.update(wanted)
    os.execv(sys.executable, [sys.executable, *sys.argv])


def get_program(text, name, threads, args):
    """A program, from the compiler or from the folder of --load."""
    file = f"{name}_{threads}.so"
    if args.load:
        return lowp.Program(os.path.join(args.load, file))
    flags = [f"--threads={threads}"]
    if args.save:
        path = os.path.join(args.save, file)
        with open(path, "wb") as output:
            output.write(lowp.emit(text, "shared", mcpu=args.mcpu, flags=flags))
        return None
    return lowp.compile(text, mcpu=args.mcpu, flags=flags)


def make_input(rows, cols):
    random = np.random.default_rng(0)
    x = random.standard_normal((rows, cols), np.float32)
    # Rows of different magnitude, a few outliers, zeros.
    x *= np.exp2(random.integers(-6, 7, (rows, 1))).astype(np.float32)
    x[random.random(x.shape, np.float32) < 0.001] *= 50
    x[:, :32] = 0
    return x.astype(ml_dtypes.bfloat16)


def measure(case, x, target, args):
    """The line of one case; None where bytes differ from numpy's."""
    label, name, text, reference = case
    one = get_program(text, name, 1, args)
    two = get_program(text, name, 2, args)
    sample = x[: args.sample]
    for program in (one, two):
        counts = differing(reference(sample), program(sample))
        if any(counts):
            print(f"{label:16}differs from numpy, bytes per component: {counts}")
            return None
    results = one(x)
    size = x.nbytes + sum(np.asarray(part).nbytes for part in results)
    del results
    slow = times(args.turns, sample, (reference, [0])).min() * len(x) / len(sample)
    fast, copy, other, both = times(
        args.turns,
        x,
        (one, [0]),
        (lambda y: np.copyto(target, y), [0]),
        (one, [1]),
        (two, [0, 1]),
    )
    faster = float("nan")
    if len(os.sched_getaffinity(0)) > 1:
        faster = np.median((fast + other) / 2 / both)
    share = size / (2 * x.nbytes)
    median = np.median(copy / fast) * share
    fast, copy = fast.min(), copy.min()
    rate, copy_rate = size / fast, 2 * x.nbytes / copy
    print(
        f"{label:16}{fast * 1e3:9.2f}{rate / 1e9:8.2f}{copy_rate / 1e9:8.2f}"
        f"{copy / fast * share:10.3f}{median:8.3f}{slow / fast:8.1f}{faster:8.2f}"
    )
    return slow / fast


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--rows", type=int, default=8192)
    parser.add_argument("--cols", type=int, default=4096, help="a multiple of 32")
    parser.add_argument("--sample", type=int, default=256, help="rows for numpy")
    parser.add_argument("--turns", type=int, default=16)
    parser.add_argument("--mcpu", help="CPU to compile for; the host by default")
    parser.add_argument("--save", metavar="DIR", help="compile into a folder only")
    parser.add_argument("--load", metavar="DIR", help="programs that --save made")
    parser.add_argument(
        "--min-ratio", type=float, default=0.0, help="fail below this ratio to numpy"
    )
    args = parser.parse_args()
    if args.cols % 32:
        parser.error("expected --cols to be a multiple of 32")
    if args.save:
        os.makedirs(args.save, exist_ok=True)
        for _, name, text, _ in CASES:
            for threads in (1, 2):
                get_program(text, name, threads, args)
        return 0

    keep_memory()
    x = make_input(args.rows, args.cols)
    target = np.zeros_like(x)
    print(f"{args.rows} x {args.cols} bf16")
    print(
        f"{'':16}{'ms':>9}{'GB/s':>8}{'copy':>8}{'of copy':>10}{'median':>8}"
        f"{'numpy':>8}{'two':>8}"
    )
    ratios = [measure(case, x, target, args) for case in CASES]
    return int(any(ratio is None or ratio < args.min_ratio for ratio in ratios))


if __name__ == "__main__":
    sys.exit(main())
