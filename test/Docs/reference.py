# RUN: %python %s %lowp_obj/docs/reference/dialect.md %t
"""The examples of the dialect's generated reference parse and verify.

An example of an op leaves out where its operands come from. Here they come from
ops below it: in a graph region the order does not matter, and the parser says
which type each must have.
"""

import os
import re
import subprocess
import sys

SECTION = re.compile(r"^### `?([\w.]+)`?")
# What the parser says of a value that is used with another type.
TYPE = re.compile(r"previously used here with type '(.*)'")
NAME = re.compile(r"definition of SSA value '(%\w+)#0'")


def examples(path):
    """Pairs of a section and an example in it; None where it has none."""
    section, seen, lines = None, False, None
    with open(path, encoding="utf-8") as file:
        for line in file:
            if match := SECTION.match(line):
                if section and not seen:
                    yield section, None
                section, seen = match.group(1), False
            elif line.startswith("## "):
                if section and not seen:
                    yield section, None
                section = None
            elif line.strip() == "```mlir":
                lines = []
            elif lines is not None and line.strip() == "```":
                seen = True
                yield section, "".join(lines)
                lines = None
            elif lines is not None:
                lines.append(line)


def run(program, path):
    with open(path, "w", encoding="utf-8") as file:
        file.write(program)
    command = ["lowp-opt", "--allow-unregistered-dialect", path]
    result = subprocess.run(command, capture_output=True, text=True)
    return None if result.returncode == 0 else result.stderr


def check(example, path):
    """What is wrong with the example, or None."""
    example = re.sub(r"//.*", "", example).strip()
    if example[0] in "#!":
        for value in re.split(r"\n(?=[#!])", example):
            if error := run(f"module attributes {{docs.value = {value}}} {{}}", path):
                return error
        return None
    defined = set()
    for names in re.findall(r"^\s*(%[\w, %]+?)\s*=", example, re.MULTILINE):
        defined.update(re.findall(r"%\w+", names))
    types = {name: "none" for name in re.findall(r"%\w+", example)}
    types = {name: type for name, type in types.items() if name not in defined}
    for _ in range(len(types) + 1):
        operands = "".join(
            f'{name} = "docs.value"() : () -> {type}\n' for name, type in types.items()
        )
        error = run(f"module {{\n{example}\n{operands}}}\n", path)
        if error is None:
            return None
        name, type = NAME.search(error), TYPE.search(error)
        if not name or not type:
            return error
        types[name.group(1)] = type.group(1)
    return error


def main():
    reference, folder = sys.argv[1:]
    os.makedirs(folder, exist_ok=True)
    problems = count = 0
    for section, example in examples(reference):
        if example is None:
            # Enums are lists of cases, and say enough.
            if section.startswith("lowp."):
                print(f"{section}: has no example")
                problems += 1
            continue
        count += 1
        if error := check(example, os.path.join(folder, "example.mlir")):
            print(f"{section}:\n{example}\n{error}")
            problems += 1
    assert count, "no examples found"
    return 1 if problems else 0


if __name__ == "__main__":
    sys.exit(main())
