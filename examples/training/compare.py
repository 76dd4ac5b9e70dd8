# Part of the Lowp project, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The long form: one training run per recipe, and what the runs have to show.

    python3 compare.py STEP.mlir OUT.json [--steps=300] [--jobs=2]

Every recipe sees the same tokens from the same first weights. Writes the losses
and fails where `moe-nvfp4` ends more than 2 % above `mxfp8`. plot.py draws the
file.
"""

import argparse
import concurrent.futures
import json
import pathlib
import subprocess
import sys
import tempfile

import numpy as np

import task

RECIPES = ["bf16", "mxfp8", "moe-nvfp4", "nvfp4-backward", "nvfp4-tiles"]

# The loss at the end is the mean of this many steps: those of one step vary with
# its tokens, in the same way for all recipes.
LAST = 50


def run(program, recipe, steps):
    with tempfile.TemporaryDirectory() as folder:
        output = pathlib.Path(folder, "losses.json")
        command = [sys.executable, str(pathlib.Path(__file__).with_name("train.py"))]
        command += [program, f"--recipe={recipe}", f"--steps={steps}", f"--output={output}"]
        subprocess.run(command, check=True, stdout=subprocess.DEVNULL)
        losses = json.loads(output.read_text())["losses"]
    print(f"{recipe}: {final(losses):.4f}", flush=True)
    return losses


def final(losses):
    return float(np.mean(losses[-LAST:]))


def differences(losses, other):
    """Of the means of the last steps, and the standard error of that: the two see
    the same tokens."""
    d = np.subtract(losses[-LAST:], other[-LAST:])
    return float(d.mean()), float(d.std(ddof=1) / len(d) ** 0.5)


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("program")
    parser.add_argument("output")
    parser.add_argument("--steps", type=int, default=300)
    parser.add_argument("--jobs", type=int, default=2)
    parser.add_argument("--recipes", default=",".join(RECIPES))
    arguments = parser.parse_args()
    recipes = arguments.recipes.split(",")
    with concurrent.futures.ThreadPoolExecutor(arguments.jobs) as pool:
        runs = pool.map(lambda r: run(arguments.program, r, arguments.steps), recipes)
        losses = dict(zip(recipes, runs))
    result = {
        "entropy": task.Chain(task.Sizes()).entropy,
        "last": LAST,
        "losses": {r: [round(v, 5) for v in losses[r]] for r in recipes},
    }
    text = json.dumps(result, separators=(",", ":")).replace('"losses":{', '"losses":{\n')
    pathlib.Path(arguments.output).write_text(text.replace('],"', '],\n"') + "\n")

    base = losses.get("mxfp8")
    for recipe in recipes:
        line = f"{recipe}: final loss {final(losses[recipe]):.4f}"
        if base and recipe != "mxfp8":
            mean, error = differences(losses[recipe], base)
            line += f", {100 * mean / final(base):+.2f} % of mxfp8 (+- {100 * error / final(base):.2f})"
        print(line)
    if base and "moe-nvfp4" in losses:
        ratio = final(losses["moe-nvfp4"]) / final(base)
        if ratio > 1.02:
            sys.exit(f"moe-nvfp4 ends at {ratio:.4f} of mxfp8's loss; 1.02 is allowed")


if __name__ == "__main__":
    main()
