#!/usr/bin/env python3
"""Runs models on the CPU, in the simulator and on a GPU, and compares all bytes.

    utils/compare_programs.py test/Inputs/models/*.mlir --run=bf16 --run=moe-nvfp4 --gpu

Arguments are in MODEL.inputs.npz. Prints a line for each model, recipe and target;
exits with 1 where a result differs, or does not come.
"""

import argparse
import os
import subprocess
import sys
import tempfile

SIMULATED = ("sm_90a", "sm_103a", "sm_120a")


def run(model, output, flags):
    """What a run writes; None where it fails, with the reason on standard error."""
    inputs = os.path.splitext(model)[0] + ".inputs.npz"
    command = ["lowp-run", model, f"--input={inputs}", f"--output={output}", *flags]
    done = subprocess.run(command, capture_output=True, text=True)
    if done.returncode != 0:
        print(f"{' '.join(command)}: {done.stderr.strip()}", file=sys.stderr)
        return None
    with open(output, "rb") as file:
        return file.read()


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("models", nargs="+", help="programs, X.mlir beside X.inputs.npz")
    parser.add_argument(
        "--run",
        action="append",
        required=True,
        metavar="RECIPE[:TARGET,...]",
        help="a recipe, and the targets to simulate; by default those that differ in hardware",
    )
    parser.add_argument("--gpu", action="store_true", help="run on the GPU here, too")
    parser.add_argument("--gpu-target", default="sm_90a", help="what the GPU here is")
    options = parser.parse_args()
    differ = compared = 0
    with tempfile.TemporaryDirectory() as folder:
        for model in options.models:
            name = os.path.splitext(os.path.basename(model))[0]
            for argument in options.run:
                recipe, _, targets = argument.partition(":")
                flags = [f"--recipe={recipe}"]
                expected = run(model, f"{folder}/cpu.npz", flags)
                runs = [
                    (f"{target} simulated", [f"--target={target}", "--simulate"])
                    for target in (targets.split(",") if targets else SIMULATED)
                ]
                if options.gpu:
                    target = options.gpu_target
                    runs.append((f"{target} GPU", [f"--target={target}"]))
                for where, more in runs:
                    actual = run(model, f"{folder}/gpu.npz", flags + more)
                    equal = actual is not None and actual == expected
                    compared += 1
                    differ += not equal
                    verdict = f"{len(actual)} bytes equal" if equal else "DIFFERS"
                    print(f"{name:22} {recipe:16} {where:18} {verdict}", flush=True)
    print(f"{compared} compared with the CPU, {differ} differ")
    return 1 if differ else 0


if __name__ == "__main__":
    sys.exit(main())
