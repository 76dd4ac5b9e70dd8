# Part of the Lowp project, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Compile block-scaled low-precision programs and call them on numpy arrays.

    import lowp
    program = lowp.compile("model.mlir", recipe="moe-nvfp4")
    y = program(w, x)

Needs numpy and the tool `lowp-compile`, which is looked for in the environment
variable LOWP_COMPILE, beside this package, and on PATH. `lowp.export` also
needs torch and torch-mlir.
"""

from ._compile import CompileError, compile, emit, find_compiler
from ._export import export
from ._program import Program, RuntimeFailure, Signature, Tensor

__all__ = [
    "CompileError",
    "Program",
    "RuntimeFailure",
    "Signature",
    "Tensor",
    "compile",
    "emit",
    "export",
    "find_compiler",
]
