# Part of the Lowp project, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Programs to artifacts, by way of the tool lowp-compile.

The compiler runs in a process of its own: it shares no LLVM with frameworks
that are loaded here, and nothing that happens to it takes Python down.
"""

import os
import shutil
import subprocess
import tempfile

from ._find import find_compiler
from ._program import Program


class CompileError(Exception):
    """The compiler refused. `diagnostics` is what it said."""

    def __init__(self, diagnostics):
        super().__init__(diagnostics.strip() or "lowp-compile failed")
        self.diagnostics = diagnostics


def _source(source):
    """How to give the program to the compiler: its path, or text or bytecode
    for its standard input."""
    if isinstance(source, os.PathLike):
        return os.fspath(source), None
    if isinstance(source, bytes):
        return "-", source
    if not isinstance(source, str):
        raise TypeError(
            "expected a path, the text of a program or bytecode, "
            f"but got {type(source).__name__}"
        )
    # A program has a line break or a brace; a path as a rule has neither.
    if "\n" in source or "{" in source:
        return "-", source.encode()
    return source, None


def _run(source, emit, output, recipe, target, rules, params, mcpu, flags):
    path, stdin = _source(source)
    command = [find_compiler(), path, f"--emit={emit}", f"--target={target}", "-o", output]
    if recipe is not None:
        command.append(f"--recipe={os.fspath(recipe)}")
    command += [f"--rule={rule}" for rule in rules]
    if params is not None:
        command.append(f"--params={os.fspath(params)}")
    if mcpu is not None:
        command.append(f"--mcpu={mcpu}")
    command += flags
    done = subprocess.run(command, input=stdin or b"", capture_output=True)
    if done.returncode != 0:
        raise CompileError(done.stderr.decode(errors="replace"))
    return done


def emit(
    source,
    kind,
    *,
    recipe=None,
    target="cpu",
    rules=(),
    params=None,
    mcpu=None,
    flags=(),
):
    """Compiles `source` and returns the artifact as bytes.

    source  path (str or os.PathLike), text of a program (str), or bytecode
    kind    "mlir", "llvm", "ptx", "cubin", "obj" or "shared"
    recipe  name or path of a recipe; None leaves formats to the program
    target  "cpu" or a GPU such as "sm_103a"
    rules   inline rules that come before those of the recipe
    params  JSON file that names the arguments
    mcpu    CPU to compile for; the host by default
    flags   further flags of lowp-compile

    Raises CompileError with the compiler's diagnostics.
    """
    with tempfile.TemporaryDirectory(prefix="lowp-") as folder:
        output = os.path.join(folder, "out")
        _run(source, kind, output, recipe, target, rules, params, mcpu, list(flags))
        with open(output, "rb") as file:
            return file.read()


def compile(
    source,
    recipe=None,
    target="cpu",
    *,
    simulate=False,
    driver=None,
    rules=(),
    params=None,
    mcpu=None,
    flags=(),
):
    """Compiles `source` and loads it.

    Arguments are those of `emit` and, for programs for GPUs, of Program. Returns
    a Program. Raises CompileError with the compiler's diagnostics.
    """
    folder = tempfile.mkdtemp(prefix="lowp-")
    try:
        output = os.path.join(folder, "program.so")
        _run(source, "shared", output, recipe, target, rules, params, mcpu, list(flags))
        return Program(output, simulate, driver)
    finally:
        # The loader has mapped the file: its name is not needed any more.
        shutil.rmtree(folder, ignore_errors=True)
