#!/usr/bin/env python3
"""Checks that the simulator's unit tests cover the instructions that are emitted.

Compiles programs for each GPU, collects the instruction forms of their PTX, and
compares them with those that the tests of test/Unit/Simulator say they test.

    utils/instruction_coverage.py --bin build/bin \\
        --tests build/test/Unit/Simulator/LowpSimulatorTests \\
        examples test/Inputs/models

A program is a file, all of a folder, or an entry of --list=FILE: a JSON object
with the keys

    programs  list of objects with the keys
                path     relative to the project
                target   the only one; by default all
                turns    how many targets each program of a folder is compiled
                         for: the next ones, in turn
                each     every which program of a folder is taken
                recipes  those that compilations take, in turn
    occur     object of patterns that a form or the name of a kernel has to
              match, by what they stand for

${NAME} in a path becomes what --define says. It is an error where a program does
not compile, and where the simulator does not read what it became.
"""

import argparse
import json
import os
import re
import subprocess
import sys
import tempfile

TARGETS = ("sm_80", "sm_90a", "sm_100a", "sm_103a", "sm_120a")
PROJECT = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))


class Job:
    """A program for a target."""

    def __init__(self, path, target, recipe=None):
        self.path, self.target, self.recipe = path, target, recipe

    def __str__(self):
        recipe = f" as {self.recipe}" if self.recipe else ""
        return f"{os.path.basename(self.path)}{recipe} for {self.target}"


def find_jobs(entry):
    """What to compile of an entry of the list."""
    path = os.path.join(PROJECT, entry["path"])
    paths = [path]
    if os.path.isdir(path):
        paths = sorted(os.path.join(path, n) for n in os.listdir(path) if n.endswith(".mlir"))
        if not paths:
            sys.exit(f"no programs in '{path}'")
    elif not os.path.exists(path):
        sys.exit(f"no program '{path}'")
    recipes = entry.get("recipes", [None])
    targets = [entry["target"]] if "target" in entry else TARGETS
    number = 0
    for path in paths[:: entry.get("each", 1)]:
        for _ in range(entry.get("turns", len(targets))):
            yield Job(path, targets[number % len(targets)], recipes[number % len(recipes)])
            number += 1


class Coverage:
    def __init__(self, tools):
        self.tools = tools
        # Forms and kernels, and what emitted them first.
        self.forms, self.kernels = {}, {}
        self.errors = []
        self.compiled = 0

    def add(self, job, folder):
        ptx = os.path.join(folder, "kernels.ptx")
        command = [os.path.join(self.tools, "lowp-compile"), job.path]
        command += [f"--target={job.target}", "--emit=ptx", "-o", ptx]
        if job.recipe:
            command.append(f"--recipe={job.recipe}")
        # Recipes may be files of the project, too.
        result = subprocess.run(command, capture_output=True, text=True, cwd=PROJECT)
        if result.returncode != 0:
            self.errors.append(f"{job} does not compile: {result.stderr.strip()}")
            return
        self.compiled += 1
        for option, seen in (("--forms", self.forms), ("--list", self.kernels)):
            simulator = [os.path.join(self.tools, "lowp-sim"), ptx, option]
            result = subprocess.run(simulator, capture_output=True, text=True)
            if result.returncode != 0:
                self.errors.append(f"{job} is not read: {result.stderr.strip()}")
                return
            for line in result.stdout.splitlines():
                seen.setdefault(line.split(":")[0] if option == "--list" else line, str(job))


def tested_forms(program):
    """What the test `Table.Forms` prints."""
    command = [program, "--gtest_filter=Table.Forms"]
    output = subprocess.run(command, capture_output=True, text=True, check=True).stdout
    lines = (line.split() for line in output.splitlines())
    return {words[1] for words in lines if len(words) == 2 and words[0] == "form"}


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--bin", required=True, help="folder of lowp-compile and lowp-sim")
    parser.add_argument("--tests", required=True, help="the unit tests of the simulator")
    parser.add_argument("--minimum", type=float, default=95.0, help="percent of the forms")
    parser.add_argument("--list", metavar="FILE", help="programs, and what is known of them")
    parser.add_argument("--define", action="append", default=[], metavar="NAME=PATH",
                        help="replaces ${NAME} in paths of the list")
    parser.add_argument("programs", nargs="*", help="programs, or folders of them")
    options = parser.parse_args()
    known = {}
    if options.list:
        with open(options.list) as file:
            text = file.read()
        for definition in options.define:
            name, _, value = definition.partition("=")
            text = text.replace("${" + name + "}", json.dumps(value)[1:-1])
        known = json.loads(text)
    entries = known.get("programs", []) + [{"path": path} for path in options.programs]
    if not entries:
        parser.error("no programs")
    coverage = Coverage(os.path.abspath(options.bin))
    with tempfile.TemporaryDirectory() as folder:
        for entry in entries:
            for job in find_jobs(entry):
                coverage.add(job, folder)

    tested = tested_forms(options.tests)
    emitted = coverage.forms
    missing = sorted(set(emitted) - tested)
    covered = len(emitted) - len(missing)
    percent = 100.0 * covered / len(emitted) if emitted else 0.0
    print(f"{coverage.compiled} compilations emit {len(coverage.kernels)} kernels of {len(emitted)} "
          f"forms, of which tests cover {covered} ({percent:.1f} %)")
    for form in missing:
        print(f"no test of {form}, emitted by {emitted[form]}")
    for name, pattern in known.get("occur", {}).items():
        if not any(re.search(pattern, seen) for seen in [*emitted, *coverage.kernels]):
            coverage.errors.append(f"no program has {name}")
    for error in coverage.errors:
        print(f"error: {error}")
    return 0 if percent >= options.minimum and not coverage.errors else 1


if __name__ == "__main__":
    sys.exit(main())
