#!/usr/bin/env python3
"""Checks that the simulator's unit tests cover the instructions that are emitted.

Compiles programs for each GPU, collects the instruction forms of their PTX, and
compares them with those that the tests of test/Unit/Simulator say they test.

    utils/instruction_coverage.py --bin build/bin \\
        --tests build/test/Unit/Simulator/LowpSimulatorTests examples
"""

import argparse
import os
import subprocess
import sys
import tempfile

TARGETS = ("sm_80", "sm_90a", "sm_100a", "sm_103a", "sm_120a")


def find_programs(paths):
    for path in paths:
        if os.path.isdir(path):
            names = sorted(n for n in os.listdir(path) if n.endswith(".mlir"))
            yield from (os.path.join(path, name) for name in names)
        else:
            yield path


def tested_forms(program):
    """What the test `Table.Forms` prints."""
    command = [program, "--gtest_filter=Table.Forms"]
    output = subprocess.run(command, capture_output=True, text=True, check=True).stdout
    lines = (line.split() for line in output.splitlines())
    return {words[1] for words in lines if len(words) == 2 and words[0] == "form"}


def emitted_forms(tools, program, target, folder):
    """The forms of a program's PTX; none where it does not compile."""
    ptx = os.path.join(folder, "kernels.ptx")
    compiler = [os.path.join(tools, "lowp-compile"), program]
    compiler += [f"--target={target}", "--emit=ptx", "-o", ptx]
    if subprocess.run(compiler, capture_output=True).returncode != 0:
        return None
    simulator = [os.path.join(tools, "lowp-sim"), ptx, "--forms"]
    result = subprocess.run(simulator, capture_output=True, text=True)
    if result.returncode != 0:
        sys.exit(f"{program} for {target}: {result.stderr}")
    return set(result.stdout.split())


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--bin", required=True, help="folder of lowp-compile and lowp-sim")
    parser.add_argument("--tests", required=True, help="the unit tests of the simulator")
    parser.add_argument("--minimum", type=float, default=95.0, help="percent of the forms")
    parser.add_argument("programs", nargs="+", help="programs, or folders of them")
    options = parser.parse_args()
    emitted = {}
    compiled = 0
    with tempfile.TemporaryDirectory() as folder:
        for program in find_programs(options.programs):
            for target in TARGETS:
                forms = emitted_forms(options.bin, program, target, folder)
                if forms is None:
                    continue
                compiled += 1
                for form in forms:
                    emitted.setdefault(form, f"{os.path.basename(program)} for {target}")
    tested = tested_forms(options.tests)
    missing = sorted(set(emitted) - tested)
    covered = len(emitted) - len(missing)
    percent = 100.0 * covered / len(emitted) if emitted else 0.0
    print(f"{compiled} compilations emit {len(emitted)} forms, of which tests cover "
          f"{covered} ({percent:.1f} %)")
    for form in missing:
        print(f"no test of {form}, emitted by {emitted[form]}")
    return 0 if percent >= options.minimum else 1


if __name__ == "__main__":
    sys.exit(main())
