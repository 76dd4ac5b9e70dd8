# Part of the Lowp project, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Compile block-scaled low-precision programs and call them on arrays.

    import lowp
    program = lowp.compile("model.mlir", recipe="moe-nvfp4", target="sm_103a")
    y = program(w, x)

Arrays are those of numpy, torch, and libraries that have DLPack. Needs numpy 1.23
and the tool `lowp-compile`, which is looked for in the environment variable
LOWP_COMPILE, beside this package, and on PATH. `lowp.export` also needs torch and
torch-mlir.
"""

from ._compile import CompileError, compile, emit
from ._device import DeviceArray
from ._export import export
from ._find import find_compiler, find_simulated_driver
from ._program import Program
from ._types import RuntimeFailure, Signature, Tensor

__all__ = [
    "CompileError",
    "DeviceArray",
    "Program",
    "RuntimeFailure",
    "Signature",
    "Tensor",
    "compile",
    "emit",
    "export",
    "find_compiler",
    "find_simulated_driver",
]
