"""Runs a program for the CPU, and for GPUs in the simulator; all bytes are equal.

    compare.py PROGRAM.mlir INPUTS.npz RECIPE[:TARGET[,TARGET...]]...

Without targets, those that differ in what they do by hardware.
"""

import pathlib
import subprocess
import sys
import tempfile

TARGETS = ("sm_90a", "sm_103a", "sm_120a")


def run(program, inputs, output, flags):
    command = ["lowp-run", program, f"--input={inputs}", f"--output={output}", *flags]
    done = subprocess.run(command, capture_output=True, text=True)
    if done.returncode != 0:
        sys.exit(f"{' '.join(command)}: {done.stderr}")
    return pathlib.Path(output).read_bytes()


program, inputs = sys.argv[1:3]
compared = 0
with tempfile.TemporaryDirectory() as folder:
    for argument in sys.argv[3:]:
        recipe, _, targets = argument.partition(":")
        flags = [f"--recipe={recipe}"]
        expected = run(program, inputs, f"{folder}/cpu.npz", flags)
        for target in targets.split(",") if targets else TARGETS:
            gpu = [f"--target={target}", "--simulate"]
            actual = run(program, inputs, f"{folder}/{target}.npz", flags + gpu)
            if actual != expected:
                sys.exit(f"{program}: {recipe} for {target} gives other bytes than for the CPU")
            compared += 1
assert compared > 0
