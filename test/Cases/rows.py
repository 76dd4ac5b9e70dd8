# RUN: %python %s %lowp_src
"""The table of cases in docs/testing.md says which tests there are: each of its
rows is a test of that name, and each such test is in the table."""

import glob
import os
import re
import sys

root = sys.argv[1]


def read(*path):
    with open(os.path.join(root, *path), encoding="utf-8") as file:
        return file.read()


found = {}
for path in glob.glob(os.path.join(root, "test/Unit/Numerics/Cases*Test.cpp")):
    for kind, number in re.findall(r"TEST\(Cases, (Row|Value)(\d+)\)", read(path)):
        found.setdefault(f"{kind.lower()} {number}", set()).add("unit")
for path in glob.glob(os.path.join(root, "test/Cases/*")):
    if os.path.isfile(path) and not path.endswith("rows.py"):
        for number in re.findall(r"(?:@|def |^)row(\d+)\b", read(path), re.MULTILINE):
            found.setdefault(f"row {number}", set()).add(os.path.basename(path))

section = read("docs", "testing.md").split("## Cases", 1)[1].split("\n## ", 1)[0]
listed = {}
for line in section.splitlines():
    cells = [cell.strip() for cell in line.strip("|").split("|")]
    if re.fullmatch(r"(row|value) \d+", cells[0]):
        listed[cells[0]] = set(re.findall(r"`([^`]+)`|\b(unit)\b", cells[-1]))
        listed[cells[0]] = {a or b for a, b in listed[cells[0]]}

problems = [f"{row} is not in the table" for row in found.keys() - listed.keys()]
for row, where in listed.items():
    if where != found.get(row, set()):
        problems.append(f"{row}: the table says {sorted(where)}, but there are {sorted(found.get(row, []))}")
for problem in sorted(problems):
    print(problem)
sys.exit(1 if problems or len(listed) < 100 else 0)
