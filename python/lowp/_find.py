# Part of the Lowp project, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Where the compiler and the simulated driver are."""

import os
import pathlib
import shutil

_SIMULATED_DRIVER = "liblowp-cuda-sim.so"


def find_compiler():
    """The path of lowp-compile: $LOWP_COMPILE, beside the package, or PATH."""
    chosen = os.environ.get("LOWP_COMPILE")
    if chosen:
        # A name without a folder is one on PATH.
        found = shutil.which(chosen)
        if found is None:
            raise FileNotFoundError(
                f"LOWP_COMPILE names '{chosen}', which is not an executable file"
            )
        return found
    # In a build tree the package is python/lowp under the build or source
    # folder; installed, it is PREFIX/lib/.../lowp with the tools in PREFIX/bin.
    for parent in pathlib.Path(__file__).resolve().parents:
        for folder in (parent / "bin", parent / "build" / "bin"):
            tool = folder / "lowp-compile"
            if os.access(tool, os.X_OK) and tool.is_file():
                return str(tool)
    tool = shutil.which("lowp-compile")
    if tool is None:
        raise FileNotFoundError(
            "lowp-compile was not found beside the package or on PATH; "
            "set LOWP_COMPILE to its path"
        )
    return tool


def find_simulated_driver():
    """The path of the simulated CUDA driver: $LOWP_SIMULATED_DRIVER, in the
    libraries beside lowp-compile, or beside the package."""
    chosen = os.environ.get("LOWP_SIMULATED_DRIVER")
    if chosen:
        if not os.path.isfile(chosen):
            raise FileNotFoundError(
                f"LOWP_SIMULATED_DRIVER names '{chosen}', which is not a file"
            )
        return os.path.abspath(chosen)
    folders = []
    try:
        prefix = pathlib.Path(find_compiler()).resolve().parent.parent
        folders += [prefix / "lib", prefix / "lib64"]
    except FileNotFoundError:
        # Programs run without their compiler.
        pass
    for parent in pathlib.Path(__file__).resolve().parents:
        folders += [parent, parent / "lib", parent / "build" / "lib"]
    for folder in folders:
        if (folder / _SIMULATED_DRIVER).is_file():
            return str(folder / _SIMULATED_DRIVER)
    raise FileNotFoundError(
        f"{_SIMULATED_DRIVER} was not found beside lowp-compile or the package; "
        "set LOWP_SIMULATED_DRIVER to its path"
    )
