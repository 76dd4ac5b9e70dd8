# RUN: %python %s %lowp_src
"""Every source file has its licence, is short, and leaves nothing for later."""

import os
import re
import sys

MAX_LINES = 800
SUFFIXES = (".c", ".cpp", ".h", ".td", ".py", ".sh", ".md", ".mlir", ".txt", ".cmake")
LICENSED = (".c", ".cpp", ".h", ".td")
LICENSE = "SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception"
LATER = re.compile(r"\b(TODO|FIXME|XXX)\b")


def sources(root):
    for folder, folders, files in os.walk(root):
        folders[:] = [
            name
            for name in folders
            if not name.startswith((".", "build")) and name not in ("Inputs", "vectors")
        ]
        for name in files:
            if name.endswith(SUFFIXES):
                yield os.path.join(folder, name)


def main():
    [root] = sys.argv[1:]
    problems = []
    for path in sorted(sources(root)):
        name = os.path.relpath(path, root)
        with open(path, encoding="utf-8") as file:
            text = file.read()
        if name == os.path.relpath(__file__, root):
            continue
        if path.endswith(LICENSED) and not name.startswith("test/"):
            if LICENSE not in "\n".join(text.splitlines()[:10]):
                problems.append(f"{name}: does not start with the licence")
        lines = text.count("\n")
        if lines > MAX_LINES and not path.endswith((".md", ".mlir")):
            problems.append(f"{name}: has {lines} lines, more than {MAX_LINES}")
        for number, line in enumerate(text.splitlines(), start=1):
            if LATER.search(line):
                problems.append(f"{name}:{number}: leaves something for later")
            if line != line.rstrip():
                problems.append(f"{name}:{number}: ends in white space")
        if text and not text.endswith("\n"):
            problems.append(f"{name}: does not end in a line break")
    for problem in problems:
        print(problem)
    return 1 if problems else 0


if __name__ == "__main__":
    sys.exit(main())
