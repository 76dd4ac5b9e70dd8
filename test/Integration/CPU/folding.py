# REQUIRES: numpy
# RUN: %python %s lowp-compile %inputs/models
"""Simplification changes no bit: programs that are lowered as they were inserted
give the bytes of those that were simplified before, forward and backward."""

import json
import os
import re
import subprocess
import sys

import numpy

import lowp

compiler, models = sys.argv[1:]
PROGRAMS = [
    ("moe_joint", "moe-nvfp4"),
    ("moe_joint", "mxfp8"),
    ("moe_joint", "nvfp4-backward"),
    ("mlp_bf16_joint", "nvfp4"),
    ("mlp_bf16_joint", "fp8-blockwise"),
    ("variants/mlp_bf16_joint.fused", "nvfp4"),
    ("moe_lm_6l", "moe-nvfp4"),
]


def get_inputs(base):
    with open(os.path.join(models, base + ".json")) as file:
        arguments = json.load(file)["inputs"]
    arrays = numpy.load(os.path.join(models, base + ".inputs.npz"))
    return [arrays[argument["key"]] for argument in arguments]


def main():
    failures, removed = [], 0
    for name, recipe in PROGRAMS:
        path = os.path.join(models, name + ".mlir")
        base = os.path.basename(name).split(".")[0]
        command = [compiler, path, "--recipe=" + recipe, "--stop-after=insert"]
        inserted = subprocess.run(
            command + ["-o", "-"], check=True, capture_output=True, text=True
        ).stdout
        simplified = subprocess.run(
            [compiler, "-", "--resume-from=simplify", "--stop-after=simplify", "-o", "-"],
            input=inserted,
            check=True,
            capture_output=True,
            text=True,
        ).stdout
        count = [
            len(re.findall(r"= \w+\.\w+", text)) for text in (inserted, simplified)
        ]
        removed += count[0] - count[1]
        inputs = get_inputs(base)
        # Where anything rounds stochastically, the step is the last argument.
        if "lowp.step" in inserted:
            inputs.append(numpy.int32(3))
        results = [
            lowp.compile(text, flags=["--resume-from=lower"])(*inputs)
            for text in (inserted, simplified)
        ]
        if [numpy.asarray(part).tobytes() for part in results[0]] != [
            numpy.asarray(part).tobytes() for part in results[1]
        ]:
            failures.append((name, recipe))
    print(f"{len(PROGRAMS)} programs, {removed} operations fewer, differ: {failures}")
    sys.exit(bool(failures) or removed <= 0)


main()
