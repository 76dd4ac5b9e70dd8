# RUN: %python %s %lowp_src
"""Each GoogleTest that docs/testing.md names exists."""

import glob
import os
import re
import sys

root = sys.argv[1]
tests = set()
for path in glob.glob(os.path.join(root, "test", "Unit", "**", "*.cpp"), recursive=True):
    with open(path, encoding="utf-8") as file:
        tests.update(
            f"{suite}.{name}"
            for suite, name in re.findall(r"TEST(?:_P|_F)?\((\w+),\s*(\w+)\)", file.read())
        )
with open(os.path.join(root, "docs", "testing.md"), encoding="utf-8") as file:
    named = set(re.findall(r"`([A-Z]\w+\.[A-Z]\w+)`", file.read()))
missing = named - tests - {"Cases.RowN", "Cases.ValueN"}
print("\n".join(f"no test {name}" for name in sorted(missing)))
sys.exit(1 if missing or len(named) < 30 else 0)
