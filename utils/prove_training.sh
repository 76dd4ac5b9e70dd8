#!/usr/bin/env bash
# Prints what training under the recipes rests on: errors and means of gradients,
# invariance of whole layers, losses of training runs. Takes about half an hour
# on two cores; fails where one of them is not as docs/training.md says. Needs a
# build (utils/test.sh makes one).
#
#   utils/prove_training.sh [STEPS]   steps over which gradients are averaged
#                                     (default: 1024)
set -euo pipefail

source_dir="$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)"
build_dir="${LOWP_BUILD_DIR:-$source_dir/build}"
python="$build_dir/venv/bin/python3"
inputs="$source_dir/test/Inputs"
tests="$source_dir/test/Integration/CPU"
export PYTHONPATH="$source_dir/python"
export LOWP_COMPILE="$build_dir/bin/lowp-compile"

"$python" "$tests/gradients.py" "$inputs" "${1:-1024}"
"$python" "$tests/invariance.py" "$inputs"
"$python" "$source_dir/examples/training/compare.py" \
  "$inputs/training/step.mlir" "$build_dir/training.json"
