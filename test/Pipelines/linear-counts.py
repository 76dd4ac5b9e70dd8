# RUN: %python %s lowp-compile lowp-opt %lowp_src/benchmarks
"""What is done grows by the same number with each layer: operations after each
stage, remarks on what passes did, and rewrite patterns that are tried. Time is
measured by benchmarks/compile_time.py, and never here."""

import collections
import os
import re
import subprocess
import sys
import tempfile

lowp_compile, lowp_opt, benchmarks = sys.argv[1:]
sys.path.insert(0, benchmarks)
import generate_layers  # noqa: E402

OPERATION = re.compile(r'^ *(?:%[^=]+= )?"?([a-z]\w*\.[\w.]+)', re.MULTILINE)
REMARK = re.compile(r"remark: \[(\w+)\] (\w+) \| Category:([\w-]+)")
PATTERN = re.compile(r"begins .* Action `apply-pattern pattern: (.*?) \(")
ITERATION = re.compile(r"begins .* Action GreedyPatternRewriteIteration\((\d+)")

# A buffer is shared by a number of results that is no multiple of a layer's.
ABOUT = ("7-lower", "8-convert")

# Operations and tried patterns per layer: no more than these. After stage 8,
# loops of like operations are one function.
MOST = {
    "1-recognize": 260,
    "4-simplify": 250,
    "7-lower": 5200,
    "8-convert": 750,
    "simplify, patterns": 400,
}


def run(command):
    result = subprocess.run(command, capture_output=True, text=True)
    if result.returncode != 0:
        sys.exit("%s\n%s" % (" ".join(command), result.stderr))
    return result.stderr


def count_stages(layers, named, recipe, last):
    """Operations after each stage up to `last`, and remarks of lowp's passes."""
    counts = collections.Counter()
    with tempfile.TemporaryDirectory() as folder:
        source = os.path.join(folder, "source")
        with open(source, "w") as file:
            file.write(generate_layers.generate(layers, named=named))
        stages = os.path.join(folder, "stages")
        command = [lowp_compile, source, "--recipe=" + recipe, "-o", os.devnull]
        command += ["--stop-after=" + last, "--dump-stages=" + stages]
        remarks = run([*command, "--remarks-filter=lowp-.*"])
        for name in os.listdir(stages):
            with open(os.path.join(stages, name)) as file:
                for operation in OPERATION.findall(file.read()):
                    counts[name[:-5], operation] += 1
    for kind, name, category in REMARK.findall(remarks):
        counts[category + ", remarks", kind + " " + name] += 1
    return counts


def count_patterns(layers):
    """Patterns that stage simplify tries. The log prints each operation, which
    takes as long as to print all: the programs are small."""
    counts = collections.Counter()
    with tempfile.TemporaryDirectory() as folder:
        source, inserted, log = (os.path.join(folder, name) for name in "sil")
        with open(source, "w") as file:
            file.write(generate_layers.generate(layers, training=False))
        command = [lowp_compile, source, "--recipe=nvfp4", "--stop-after=insert"]
        run([*command, "-o", inserted])
        command = [lowp_opt, inserted, "--lowp-stage-simplify", "-o", os.devnull]
        run([*command, "--log-actions-to=" + log])
        with open(log) as file:
            text = file.read()
    for pattern in PATTERN.findall(text):
        counts["simplify, patterns", pattern] += 1
    for iteration in ITERATION.findall(text):
        counts["simplify, iterations", iteration] += 1
    return counts


def check(what, sizes, count):
    """The count of each thing is a constant and a number per layer."""
    first, second, third = (count(size) for size in sizes)
    for counts in first, second, third:
        for (name, _), number in list(counts.items()):
            counts[name, "all"] += number
    failures = 0
    for key in sorted({*first, *second, *third}):
        name, thing = key
        a, b, c = first[key], second[key], third[key]
        per_layer = (b - a) / (sizes[1] - sizes[0])
        expected = per_layer * (sizes[2] - sizes[1])
        linear = c - b == expected
        if name in ABOUT:
            linear = thing != "all" or abs(c - b - expected) <= 0.05 * expected
        if not linear:
            failures += 1
            print("%s: %s: %s at %s layers" % (what, ": ".join(key), [a, b, c], sizes))
        if thing != "all":
            continue
        print("%s: %s: %g per layer" % (what, name, per_layer))
        if per_layer > MOST.get(name, float("inf")):
            print("expected at most %d" % MOST[name])
            failures += 1
    return failures


def main():
    failures = 0
    # The recipe has a rule for the last sixth of the layers.
    for named in (True, False):
        failures += check(
            "moe-nvfp4, named" if named else "moe-nvfp4",
            (6, 12, 24),
            lambda n, named=named: count_stages(n, named, "moe-nvfp4", "simplify"),
        )
    failures += check(
        "nvfp4", (2, 4, 8), lambda n: count_stages(n, True, "nvfp4", "convert")
    )
    failures += check("nvfp4, forward", (2, 3, 4), count_patterns)
    return failures != 0


if __name__ == "__main__":
    sys.exit(main())
