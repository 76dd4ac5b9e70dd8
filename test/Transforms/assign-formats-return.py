# RUN: %python %s %lowp_tools_dir/lowp-opt %inputs/models
"""Sites without a plan go back to exactly what they came from: every model, in
every form, is the same text after recognition and a recipe without rules."""

import glob
import os
import subprocess
import sys

lowp_opt, models = sys.argv[1:]


def run(path, passes):
    command = [lowp_opt, path, "--pass-pipeline=builtin.module(%s)" % passes]
    text = subprocess.run(command, check=True, capture_output=True, text=True).stdout
    return [
        "module {" if line.startswith("module attributes {lowp.sites") else line
        for line in text.splitlines()
    ]


def main():
    files = sorted(glob.glob(os.path.join(models, "*.mlir")))
    files += sorted(glob.glob(os.path.join(models, "variants", "*.mlir")))
    failures = [
        path
        for path in files
        if run(path, "") != run(path, "lowp-recognize,lowp-assign-formats{recipe=bf16}")
    ]
    for path in failures:
        print("%s differs" % path)
    sys.exit(bool(failures) or not files)


main()
