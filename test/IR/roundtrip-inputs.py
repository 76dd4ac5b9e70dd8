# RUN: %python %s lowp-opt %lowp_src
"""Every program of the tests and examples survives text and bytecode."""

import glob
import os
import subprocess
import sys

lowp_opt, root = sys.argv[1:]
programs = sorted(
    glob.glob(os.path.join(root, "test", "Inputs", "**", "*.mlir"), recursive=True)
    + glob.glob(os.path.join(root, "examples", "**", "*.mlir"), recursive=True)
)
assert programs, "no programs found"

failed = []
for program in programs:
    command = [lowp_opt, "--verify-roundtrip", program, "-o", os.devnull]
    result = subprocess.run(command, stderr=subprocess.PIPE, text=True)
    if result.returncode != 0:
        failed.append(program)
        print(f"{program}: exit status {result.returncode}\n{result.stderr}")
sys.exit(1 if failed else 0)
