# RUN: %python %s %lowp_src
"""Every numbered constraint of docs/spec.md has a negative test that is named by
it, and every such test its constraint."""

import glob
import os
import re
import sys

# What no text can break: the parser has no way to write it.
WITHOUT_TEST = {"blocked_c2"}
# Constraints of one operation that hold for others too.
SHARED = {"matmul": ("batch_matmul", "grouped_matmul", "k_grouped_matmul")}

LABEL = re.compile(r"^\* ((?:[a-z_]+, )*[a-z_]+ )?\(C(\d+)\)")


def spec_constraints(root):
    construct, labels = None, set()
    with open(os.path.join(root, "docs", "spec.md"), encoding="utf-8") as file:
        for line in file:
            if line.startswith("#"):
                names = re.findall(r"`[#!]?(?:lowp\.)?(\w+)`", line)
                construct = names[0] if names else None
                if line.strip() == "## Contractions":
                    construct = "matmul"
                elif line.strip() == "## Kernel":
                    construct = "kernel"
            elif match := LABEL.match(line):
                owners = match.group(1).strip().split(", ") if match.group(1) else [construct]
                for owner in owners:
                    labels.add(f"{owner}_c{match.group(2)}")
    return labels


def tested_constraints(root):
    labels = set()
    for path in glob.glob(os.path.join(root, "test", "IR", "invalid*.mlir")):
        with open(path, encoding="utf-8") as file:
            labels.update(re.findall(r"[@ ](\w+?_c\d+)", file.read()))
    return labels


def main(root):
    spec, tested = spec_constraints(root), tested_constraints(root)
    assert len(spec) > 80, "constraints not found"
    shared = {
        re.sub("^" + owner + "_", other + "_", label)
        for owner, others in SHARED.items()
        for other in others
        for label in spec
        if label.startswith(owner + "_")
    }
    problems = [f"{label} has no negative test" for label in spec - tested - WITHOUT_TEST]
    problems += [f"{label} is tested but not specified" for label in tested - spec - shared]
    for problem in sorted(problems):
        print(problem)
    return 1 if problems else 0


sys.exit(main(*sys.argv[1:]))
