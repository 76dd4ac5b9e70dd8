# REQUIRES: clang-format
# RUN: %python %s %clang_format %lowp_src
"""C and C++ are formatted by .clang-format."""

import os
import subprocess
import sys

SUFFIXES = (".c", ".cpp", ".h")


def main():
    clang_format, root = sys.argv[1:]
    files = []
    for folder in ("include", "lib", "runtime", "tools", "test", "benchmarks"):
        for place, folders, names in os.walk(os.path.join(root, folder)):
            # Code of others lies beside the vectors that it made.
            folders[:] = [name for name in folders if name != "vectors"]
            files += [os.path.join(place, n) for n in names if n.endswith(SUFFIXES)]
    command = [clang_format, "--dry-run", "-Werror"] + sorted(files)
    return subprocess.run(command).returncode


if __name__ == "__main__":
    sys.exit(main())
