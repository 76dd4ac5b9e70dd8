"""Runs the fenced code blocks of README.md and docs/*.md as lit tests.

docs/testing.md states the conventions. Every block is one test, named by its
file and line; a block that no test covers is a failure.
"""

import glob
import json
import os
import re
import shutil
import subprocess
import textwrap

import lit.formats
import lit.Test
import lit.TestRunner

FENCE = re.compile(r"^(\s*)(`{3,}|~{3,})\s*([\w+-]*)\s*$")
LINK = re.compile(r"\]\(([^)#\s]+)[^)]*\)")
DIRECTIVE = re.compile(r"^\s*<!--\s*(run|output|file|excerpt|tested by)(?::\s*(.*?))?\s*-->\s*$")
TIMEOUT_S = 300


class Block:
    """A fenced block: its text, language, line, and the directive above it."""

    def __init__(self, line, language, directives):
        self.line = line
        self.language = language
        self.directives = directives
        self.lines = []

    @property
    def text(self):
        return textwrap.dedent("\n".join(self.lines)) + "\n"


def read_blocks(path):
    blocks, block, fence, directives = [], None, None, {}
    with open(path, encoding="utf-8") as file:
        for number, line in enumerate(file, start=1):
            line = line.rstrip("\n")
            if block:
                if line.strip() == fence:
                    blocks.append(block)
                    block = None
                else:
                    block.lines.append(line)
            elif match := FENCE.match(line):
                fence = match.group(2)
                block = Block(number, match.group(3), directives)
                directives = {}
            elif match := DIRECTIVE.match(line):
                directives[match.group(1)] = match.group(2) or ""
            elif line.strip():
                directives = {}
    if block:
        raise ValueError(f"{path}:{block.line}: the code block has no end")
    return blocks


def dead_links(path):
    """Links to files that do not exist."""
    with open(path, encoding="utf-8") as file:
        targets = LINK.findall(re.sub(r"```.*?```", "", file.read(), flags=re.DOTALL))
    return [
        target
        for target in targets
        if "://" not in target
        and not os.path.exists(os.path.join(os.path.dirname(path), target))
    ]


def first_missing(expected, actual):
    """The first of the lines `expected` that `actual` lacks, in order.

    Spaces count as one; a line `...` stands for any lines.
    """
    actual = iter([" ".join(line.split()) for line in actual.splitlines()])
    for line in expected.splitlines():
        line = " ".join(line.split())
        if line and line != "..." and line not in actual:
            return line
    return None


class DocsFormat(lit.formats.TestFormat):
    """The blocks of the documents; beside them, tests of the usual format."""

    def __init__(self, source_root, file_format):
        self.source_root = source_root
        self.file_format = file_format

    def documents(self):
        docs = glob.glob(os.path.join(self.source_root, "docs", "*.md"))
        return [os.path.join(self.source_root, "README.md")] + sorted(docs)

    def getTestsInDirectory(self, suite, path_in_suite, lit_config, config):
        yield from self.file_format.getTestsInDirectory(
            suite, path_in_suite, lit_config, config
        )
        for document in self.documents():
            name = os.path.relpath(document, self.source_root).replace(os.sep, "/")
            cases = [block.line for block in read_blocks(document)] + ["links"]
            for case in cases:
                path = path_in_suite + (f"{name}:{case}",)
                yield lit.Test.Test(suite, path, config)

    def execute(self, test, lit_config):
        if os.path.exists(test.getSourcePath()):
            return self.file_format.execute(test, lit_config)
        name, line = test.path_in_suite[-1].rsplit(":", 1)
        document = os.path.join(self.source_root, name)
        if line == "links":
            dead = dead_links(document)
            if dead:
                return lit.Test.FAIL, f"{name}: links to {', '.join(dead)}\n"
            return lit.Test.PASS, ""
        blocks = read_blocks(document)
        index = [block.line for block in blocks].index(int(line))
        scratch = os.path.join(
            test.suite.getExecPath(test.path_in_suite[:-1]),
            "Output",
            test.path_in_suite[-1].replace("/", "_").replace(":", "_"),
        )
        shutil.rmtree(scratch, ignore_errors=True)
        os.makedirs(scratch)
        try:
            problem = Runner(test, blocks, index, scratch, self.source_root).check()
        except (OSError, subprocess.TimeoutExpired) as error:
            problem = str(error)
        if problem:
            return lit.Test.FAIL, f"{name}:{line}: {problem}\n"
        return lit.Test.PASS, ""


class Runner:
    def __init__(self, test, blocks, index, scratch, source_root):
        self.config = test.config
        self.blocks = blocks
        self.index = index
        self.block = blocks[index]
        self.scratch = scratch
        self.source_root = source_root

    def check(self):
        """What is wrong with the block, or None."""
        directives = self.block.directives
        if "tested by" in directives:
            path = os.path.join(self.source_root, directives["tested by"])
            return None if os.path.exists(path) else f"{path} does not exist"
        if "excerpt" in directives:
            return self.check_excerpt(directives["excerpt"])
        if "output" in directives:
            return self.check_output()
        command = self.command(self.block)
        if command:
            return self.run(self.block, command)[0]
        language = self.block.language
        if language == "json":
            try:
                json.loads(self.block.text)
            except ValueError as error:
                return f"not JSON: {error}"
            return None
        if language == "text" or "file" in directives:
            return None
        return (
            f"no test covers a block of language '{language}': see "
            "docs/testing.md, or tag it 'text'"
        )

    def command(self, block):
        if "run" in block.directives:
            return block.directives["run"]
        if block.language == "mlir":
            return "lowp-opt %s"
        if "file" in block.directives:
            return None
        return {
            "python": "%python %s",
            "sh": "bash -eu -o pipefail %s",
            "bash": "bash -eu -o pipefail %s",
        }.get(block.language)

    def run(self, block, command):
        """Runs a block. Returns (problem, its standard output)."""
        # The files that the text showed before this block.
        for earlier in self.blocks[: self.blocks.index(block)]:
            if "file" in earlier.directives:
                path = os.path.join(self.scratch, earlier.directives["file"])
                with open(path, "w", encoding="utf-8") as file:
                    file.write(earlier.text)
        source = os.path.join(self.scratch, f"block.{block.language}")
        with open(source, "w", encoding="utf-8") as file:
            file.write(block.text)
        substitutions = self.config.substitutions + [
            ("%s", source),
            ("%t", os.path.join(self.scratch, "block.tmp")),
        ]
        [script] = lit.TestRunner.applySubstitutions([command], substitutions)
        result = subprocess.run(
            ["bash", "-o", "pipefail", "-c", script],
            cwd=self.scratch,
            env=self.config.environment,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
            timeout=TIMEOUT_S,
        )
        if result.returncode != 0:
            problem = f"exit status {result.returncode}\n$ {script}\n"
            return problem + result.stdout + result.stderr, result.stdout
        return None, result.stdout

    def check_output(self):
        """Compares with what the last runnable block before this one printed."""
        for block in reversed(self.blocks[: self.index]):
            command = self.command(block)
            if not command:
                continue
            problem, output = self.run(block, command)
            if problem:
                return problem
            missing = first_missing(self.block.text, output)
            if missing is None:
                return None
            return f"the output has no line, in this order:\n{missing}\n\n{output}"
        return "no block before this one runs"

    def check_excerpt(self, path):
        with open(os.path.join(self.source_root, path), encoding="utf-8") as file:
            missing = first_missing(self.block.text, file.read())
        return None if missing is None else f"{path} has no line:\n{missing}"
