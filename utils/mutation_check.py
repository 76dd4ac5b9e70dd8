#!/usr/bin/env python3
"""Breaks each rule of the numerics once, and says which test catches it.

usage: mutation_check.py [--build-dir DIR] [--filter REGEX] [--no-baseline]
       [--cmake-arg ARG]...

Works on a copy of the sources in DIR, built in DIR/build. Prints a table (docs/testing.md has it) and
exits with 1 if a mutation survives all tests, or does not apply any more.
utils/mutations.py lists the mutations.
"""

import argparse
import os
import re
import shutil
import subprocess
import sys

import mutations

ROOT = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
TIMEOUT_S = 300

# A test of test/Integration/CPU, which needs numpy and ml_dtypes.
PYTHON = ["python"]

# Per group, in the order in which they are tried: the targets to build, and the
# command, relative to the build folder. The first to fail has caught it.
TESTS = {
    "scalar": [
        ("LowpNumericsTests", ["test/Unit/Numerics/LowpNumericsTests", "--gtest_brief=1"]),
    ],
    "compiled": [
        ("lowp-conformance", ["bin/lowp-conformance", "random", "--programs=60", "--cases=1200"]),
        ("lowp-conformance", ["bin/lowp-conformance", "random", "--programs=300", "--cases=6000", "--seed=2"]),
        ("LowpConversionTests", ["test/Unit/Conversion/LowpConversionTests", "--gtest_brief=1"]),
        ("lowp-compile lowp-opt", PYTHON + ["packed.py", "bin/lowp-opt"]),
        ("lowp-compile", PYTHON + ["batches.py", "bin/lowp-compile", "batches"]),
    ],
}


def run(command, **options):
    return subprocess.run(
        command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, errors="replace", **options
    )


def copy_sources(target):
    files = run(["git", "-C", ROOT, "ls-files", "-z"]).stdout.split("\0")
    for name in filter(None, files):
        source, path = os.path.join(ROOT, name), os.path.join(target, name)
        if not os.path.isfile(source):
            continue
        os.makedirs(os.path.dirname(path), exist_ok=True)
        # What did not change is not built again.
        with open(source, "rb") as file:
            content = file.read()
        if os.path.exists(path):
            with open(path, "rb") as file:
                if file.read() == content:
                    continue
        shutil.copy(source, path)


class Checker:
    def __init__(self, arguments):
        self.sources = arguments.build_dir
        self.build = os.path.join(arguments.build_dir, "build")
        copy_sources(self.sources)
        configure = ["cmake", "--preset", "default", "-S", self.sources, "-B", self.build]
        result = run(configure + arguments.cmake_arg, cwd=self.sources)
        if result.returncode != 0:
            sys.exit(result.stdout)

    def compile(self, target):
        return run(["ninja", "-C", self.build, *target.split()])

    def tests(self, group):
        """Yields (target, output of the build or the test, whether it passed)."""
        for target, command in TESTS[group]:
            built = self.compile(target)
            if built.returncode != 0:
                yield target, built.stdout, None
                return
            environment = dict(os.environ, PYTHONPATH=os.path.join(self.sources, "python"))
            environment["LOWP_COMPILE"] = os.path.join(self.build, "bin/lowp-compile")
            if command[0] == "python":
                target = command[1]
                script = os.path.join(self.sources, "test/Integration/CPU", target)
                command = [sys.executable, script, *command[2:]]
            else:
                command = [os.path.join(self.build, command[0]), *command[1:]]
            try:
                result = run(command, timeout=TIMEOUT_S, env=environment, cwd=self.build)
            except subprocess.TimeoutExpired:
                yield target, "does not end", False
                return
            yield target, result.stdout, result.returncode == 0
            if result.returncode != 0:
                return

    def baseline(self, groups):
        for group in groups:
            for target, output, passed in self.tests(group):
                if not passed:
                    sys.exit(f"{target} fails without a mutation:\n{output[-4000:]}")

    def check(self, group, name, old, new):
        """The tests that catch a mutation; [] if none does."""
        path = os.path.join(self.sources, name)
        with open(path, encoding="utf-8") as file:
            original = file.read()
        if original.count(old) != 1:
            return None, f"the old text occurs {original.count(old)} times"
        with open(path, "w", encoding="utf-8") as file:
            file.write(original.replace(old, new))
        try:
            for target, output, passed in self.tests(group):
                if passed is None:
                    return None, "does not compile:\n" + "\n".join(
                        line for line in output.splitlines() if "error" in line
                    )[:2000]
                if not passed:
                    return describe(target, output), ""
            return [], "survives"
        finally:
            with open(path, "w", encoding="utf-8") as file:
                file.write(original)


def describe(target, output):
    failed = re.findall(r"^\[  FAILED  \] ([\w/.]+)", output, re.MULTILINE)
    if failed:
        return list(dict.fromkeys(failed))
    return ["lowp-conformance random" if target == "lowp-conformance" else target]


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--build-dir", default=os.path.join(ROOT, "build-mutation"))
    parser.add_argument("--filter", default="", help="rules to break, as 'scalar: RULE'")
    parser.add_argument("--no-baseline", action="store_true", help="the tests are known to pass")
    parser.add_argument("--cmake-arg", action="append", default=[])
    arguments = parser.parse_args()
    arguments.build_dir = os.path.abspath(arguments.build_dir)

    chosen = [
        (group, *mutation)
        for group, listed in (("scalar", mutations.SCALAR), ("compiled", mutations.COMPILED))
        for mutation in listed
        if re.search(arguments.filter, f"{group}: {mutation[0]}")
    ]
    checker = Checker(arguments)
    if not arguments.no_baseline:
        checker.baseline(sorted({group for group, *_ in chosen}))
    survivors = 0
    print("| path | rule | caught by |\n|---|---|---|", flush=True)
    for group, rule, name, old, new in chosen:
        caught, problem = checker.check(group, name, old, new)
        if caught:
            more = f" and {len(caught) - 1} more" if len(caught) > 1 else ""
            print(f"| {group} | {rule} | `{caught[0]}`{more} |", flush=True)
        else:
            survivors += 1
            print(f"| {group} | {rule} | **nothing**: {problem} |", flush=True)
    print(f"{len(chosen)} mutations, {survivors} not caught")
    return 1 if survivors or not chosen else 0


if __name__ == "__main__":
    sys.exit(main())
