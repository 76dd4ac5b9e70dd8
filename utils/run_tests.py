#!/usr/bin/env python3
"""Runs lit over a build folder and counts every lit and GoogleTest case.

usage: run_tests.py BUILD_DIR [LIT_ARGUMENT...]

The last line is 'N passed, N failed, N skipped'. Exits with 1 on a failure,
and where nothing passed.
"""

import json
import os
import subprocess
import sys

PASSED = {"PASS", "FLAKYPASS", "XFAIL"}
SKIPPED = {"UNSUPPORTED", "SKIPPED", "EXCLUDED"}


def lit_of(build_dir):
    with open(os.path.join(build_dir, "CMakeCache.txt")) as cache:
        for line in cache:
            if line.startswith("LLVM_EXTERNAL_LIT:"):
                return line.rstrip("\n").split("=", 1)[1]
    sys.exit(f"run_tests.py: error: {build_dir} is not configured")


def main():
    if len(sys.argv) < 2:
        sys.exit(__doc__)
    build_dir = os.path.abspath(sys.argv[1])
    results = os.path.join(build_dir, "test-results.json")
    if os.path.exists(results):
        os.remove(results)
    lit = [sys.executable, lit_of(build_dir), "-sv", "-o", results]
    status = subprocess.run(
        lit + sys.argv[2:] + [os.path.join(build_dir, "test")]
    ).returncode

    passed = failed = skipped = 0
    if os.path.exists(results):
        with open(results) as file:
            for test in json.load(file)["tests"]:
                if test["code"] in PASSED:
                    passed += 1
                elif test["code"] in SKIPPED:
                    skipped += 1
                else:
                    failed += 1
    sys.stderr.flush()
    print(f"{passed} passed, {failed} failed, {skipped} skipped", flush=True)
    return 0 if passed and not failed and status == 0 else 1


if __name__ == "__main__":
    sys.exit(main())
