# REQUIRES: numpy
# RUN: rm -rf %t && mkdir %t
# RUN: %python %s %lowp_tools_dir %inputs/models %t
"""Recognition changes no bit: a program whose products stay as recognised, in
high precision, gives the bytes of the program that they were recognised from.
The fused forms take elementwise work out of the bodies of products."""

import os
import re
import subprocess
import sys

import numpy

tools, models, scratch = sys.argv[1:]
PROGRAMS = [
    "variants/mlp_bf16.fused",
    "variants/mlp_bias_bf16.fused",
    "variants/moe_mixtral_dense.fused",
    "variants/mlp_bf16_joint.fused",
    "attn_block_bf16",
    "moe_mixtral_batched",
]


def opt(path, *passes):
    command = [os.path.join(tools, "lowp-opt"), path, *passes]
    return subprocess.run(command, check=True, capture_output=True, text=True).stdout


def run(program, inputs, name):
    output = os.path.join(scratch, name + ".npz")
    command = [os.path.join(tools, "lowp-run"), program, "--recipe=bf16"]
    command += ["--input=" + inputs, "--output=" + output]
    subprocess.run(command, check=True, stdout=subprocess.DEVNULL)
    return numpy.load(output)


def main():
    failures = []
    for name in PROGRAMS:
        path = os.path.join(models, name + ".mlir")
        base = os.path.basename(name).split(".")[0]
        inputs = os.path.join(models, base + ".inputs.npz")
        # Without a site, a product is no longer given back.
        text, count = re.subn(r"site = <[^>]*>", "", opt(path, "--lowp-recognize"))
        recognized = os.path.join(scratch, "recognized.mlir")
        with open(recognized, "w") as file:
            file.write(text)
        expected, actual = run(path, inputs, "a"), run(recognized, inputs, "b")
        same = sorted(expected) == sorted(actual) and all(
            expected[key].tobytes() == actual[key].tobytes() for key in expected
        )
        if not same or count == 0:
            failures.append(name)
    print("%d programs, differ: %s" % (len(PROGRAMS), failures))
    sys.exit(bool(failures))


main()
