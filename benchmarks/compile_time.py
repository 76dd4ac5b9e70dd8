#!/usr/bin/env python3
"""Compile time and memory by the number of layers.

Programs are those of generate_layers.py. Two things are measured, as a whole
process of lowp-compile each: from the text to the exit of stage `simplify`, which
is the pipeline up to where kernels are formed, and up to an object for the CPU.
An exponent e says that the time of the processor grows as N^e from the size in
the row above; start-up counts, so that it is too small between small sizes.
"""

import argparse
import collections
import json
import math
import os
import shutil
import sys
import tempfile
import time

import generate_layers

Run = collections.namedtuple("Run", "seconds cpu megabytes parts")


def find_tool(name):
    beside = os.path.join(os.path.dirname(__file__), "..", "build", "bin", name)
    path = os.environ.get(name.upper().replace("-", "_")) or shutil.which(name)
    return path or os.path.normpath(beside)


def get_parts(entries, prefix=""):
    """Seconds by 'stage/pass', in the order in which they ran; passes of one
    name are one."""
    parts = collections.Counter()
    for entry in entries:
        name = entry.get("name")
        if name in (None, "Total", "Rest"):
            continue
        own = prefix + name
        parts[own] += entry["wall"]["duration"]
        nested = get_parts(entry.get("passes", []), own + "/")
        parts.update(nested)
    return parts


def run(tool, path, flags):
    """Runs the compiler, which has to succeed."""
    with tempfile.TemporaryFile("w+") as errors:
        command = [tool, path, "-o", os.devnull, *flags]
        command += ["--mlir-timing", "--mlir-output-format=json"]
        start = time.perf_counter()
        actions = [(os.POSIX_SPAWN_DUP2, errors.fileno(), 2)]
        child = os.posix_spawn(tool, command, os.environ, file_actions=actions)
        _, status, usage = os.wait4(child, 0)
        seconds = time.perf_counter() - start
        errors.seek(0)
        text = errors.read()
    if status != 0:
        sys.exit("%s\n%s" % (" ".join(command), text))
    parts = get_parts(json.loads(text))
    cpu = usage.ru_utime + usage.ru_stime
    return Run(seconds, cpu, usage.ru_maxrss / 1024, parts)


def exponent(small, large, sizes):
    if min(small, large) <= 0:
        return float("nan")
    return math.log(large / small) / math.log(sizes[1] / sizes[0])


def measure(tool, sizes, flags, args):
    """The fastest of some runs for each size."""
    titles = "layers", "seconds", "CPU", "ms/layer", "MB", "exponent"
    print("%8s%10s%10s%10s%8s%10s" % titles)
    runs = {}
    previous = None
    for size in sizes:
        with tempfile.NamedTemporaryFile("w", suffix=".mlir") as file:
            file.write(generate_layers.generate(size, named=not args.unnamed))
            file.flush()
            turns = [run(tool, file.name, flags) for _ in range(args.turns)]
        best = min(turns, key=lambda turn: turn.cpu)
        runs[size] = best
        line = "%8d%10.2f%10.2f%10.2f%8.0f"
        line %= size, best.seconds, best.cpu, best.cpu / size * 1e3, best.megabytes
        if previous:
            line += "%10.2f" % exponent(runs[previous].cpu, best.cpu, (previous, size))
        print(line, flush=True)
        previous = size
    return runs


def print_parts(runs, share):
    """Where the time goes at the largest size, and how that grows."""
    sizes = list(runs)[-2:]
    large = runs[sizes[-1]]
    print("%10s%8s%10s  at %d layers" % ("seconds", "part", "exponent", sizes[-1]))
    for name, seconds in large.parts.items():
        if seconds < share * large.seconds:
            continue
        line = "%10.3f%7.1f%%" % (seconds, 100 * seconds / large.seconds)
        before = runs[sizes[0]].parts.get(name, 0)
        if len(sizes) == 2:
            line += "%10.2f" % exponent(before, seconds, sizes)
        depth = name.count("/")
        print(line + "  " + "  " * depth + name.rsplit("/", 1)[-1])


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--sizes", default="16,64,256,1024", help="numbers of layers")
    parser.add_argument(
        "--whole", default="8,32", help="the same for a whole compilation"
    )
    parser.add_argument("--recipe", default="moe-nvfp4")
    parser.add_argument(
        "--turns", type=int, default=1, help="runs, of which the fastest counts"
    )
    parser.add_argument(
        "--share", type=float, default=0.02, help="parts of the time to list"
    )
    parser.add_argument(
        "--unnamed", action="store_true", help="arguments without names and kinds"
    )
    args = parser.parse_args()
    tool = find_tool("lowp-compile")
    recipe = "--recipe=" + args.recipe

    def sizes(text):
        return [int(size) for size in text.split(",") if size]

    if sizes(args.sizes):
        print("up to the exit of stage simplify, recipe %s" % args.recipe)
        flags = [recipe, "--stop-after=simplify"]
        print_parts(measure(tool, sizes(args.sizes), flags, args), args.share)
    if sizes(args.whole):
        print("up to an object for the CPU, recipe %s" % args.recipe)
        flags = [recipe, "--emit=obj"]
        print_parts(measure(tool, sizes(args.whole), flags, args), args.share)


if __name__ == "__main__":
    main()
