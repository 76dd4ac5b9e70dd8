# REQUIRES: numpy
# RUN: %python %s %inputs lowp-run lowp-opt lowp-compile
"""The errors that lowp-run reports are those that numpy computes.

For every forward model and every quantising recipe: the SQNR of each quantised
operand equals, within 0.01 dB, that of an independent numpy quantisation of the
very tensor that the program quantised; and that of weight matrices lies within
0.5 dB of what N(0, 1) data gives (docs/spec.md lists it), since the models'
weights are normally distributed.
"""

import glob
import json
import os
import re
import subprocess
import sys
import tempfile

import numpy as np

inputs, lowp_run, lowp_opt, lowp_compile = sys.argv[1:]
sys.path.insert(0, inputs)
os.environ["LOWP_COMPILE"] = lowp_compile

import lowp  # noqa: E402
import sqnr_numpy  # noqa: E402

NORMAL_DB = {"nvfp4": 20.43, "mxfp8_e4m3": 31.49}
RECIPES = ["mxfp8", "nvfp4", "moe-nvfp4"]

failures = []
operands = weights = 0


def check(condition, message):
    if not condition:
        failures.append(message)
        print("FAIL:", message)


def widen(array, dtype):
    if dtype == "bf16":
        return (array.astype(np.uint32) << 16).view(np.float32)
    return array.astype(np.float32)


def describe_quantizations(text):
    """Format, outer axes, 4/6 and block axis of each quantisation, in order."""
    found = []
    for match in re.finditer(
        r"lowp\.quantize [^\n]*?-> !lowp\.blocked<([^\n]*?)x(nvfp4|mxfp8_e4m3), "
        r"block = \[([^\]]*)\](?:, outer = \[([^\]]*)\])?",
        text,
    ):
        block = [int(x) for x in match[3].split(",")]
        outer = [int(x) for x in (match[4] or "").split(",") if x.strip()]
        rule = "mse" if "four_six = mse" in match[0] else "none"
        found.append((match[2], tuple(outer), rule, block.index(max(block))))
    return found


def compare(model, recipe, folder):
    global operands, weights
    base = os.path.join(inputs, "models", model)
    meta = json.load(open(base + ".json"))
    report_path = os.path.join(folder, "report.json")
    subprocess.run(
        [lowp_run, base + ".mlir", f"--recipe={recipe}", f"--params={base}.json",
         f"--input={base}.inputs.npz", f"--report={report_path}", "-O1"],
        check=True, stdout=subprocess.DEVNULL,
    )
    report = json.load(open(report_path))
    reported = {
        (site["name"], side): site[side]["sqnr_db"]
        for site in report["sites"]
        for side in ("lhs", "rhs")
        if site[side]["format"] is not None
    }
    weight_side = {site["name"]: site["weight"] for site in report["sites"]}
    if not reported:
        return

    # The tensors themselves, from a program that returns them.
    simplified = lowp.emit(
        base + ".mlir", "mlir", recipe=recipe, params=base + ".json",
        flags=["--stop-after=simplify"],
    )
    instrumented = subprocess.run(
        [lowp_opt, "--lowp-instrument-quantization"],
        input=simplified, check=True, capture_output=True,
    ).stdout.decode()
    described = describe_quantizations(instrumented)
    program = lowp.compile(instrumented, flags=["--resume-from=form-kernels", "-O1"])
    signature = program.entries["main"]
    with np.load(base + ".inputs.npz") as archive:
        arguments = [archive[f"arg{i}"] for i in range(len(meta["inputs"]))]
    results = program(*arguments)
    readers = re.findall(
        r"\{readers = \[([^\]]*)\], result = (\d+) : i64\}", instrumented
    )
    check(len(readers) == len(described), f"{model}: {len(described)} quantisations")

    seen = set()
    for (sites, first), (format, outer, four_six, axis) in zip(readers, described):
        first = int(first)
        source = widen(results[first], signature.results[first].dtype)
        expected = sqnr_numpy.sqnr_db(
            source, sqnr_numpy.quantized(source, format, outer, four_six, axis)
        )
        own = sqnr_numpy.sqnr_db(source, results[first + 1])
        for operand, site in re.findall(r'operand = "(\w+)", site = "([^"]*)"', sites):
            what = f"{model} {recipe} {site} {operand}"
            seen.add((site, operand))
            operands += 1
            for name, value in (("report", reported[site, operand]), ("result", own)):
                same = value == expected or abs(float(value) - expected) <= 0.01
                check(same, f"{what}: {name} {value} dB, numpy {expected:.4f} dB")
            if operand == weight_side[site] and source.ndim >= 2:
                weights += 1
                check(
                    abs(expected - NORMAL_DB[format]) <= 0.5,
                    f"{what}: {expected:.2f} dB, normal data {NORMAL_DB[format]} dB",
                )
    check(seen == set(reported), f"{model} {recipe}: operands without a measurement")


models = sorted(
    os.path.basename(path)[: -len(".json")]
    for path in glob.glob(os.path.join(inputs, "models", "*.json"))
    if not json.load(open(path))["joint"]
)
assert models, "no models found"
for model in models:
    for recipe in RECIPES:
        with tempfile.TemporaryDirectory() as folder:
            compare(model, recipe, folder)
print(f"{operands} operands of {len(models)} models compared, {weights} weights")
assert operands > 100 and weights > 50
sys.exit(1 if failures else 0)
