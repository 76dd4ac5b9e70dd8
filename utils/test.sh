#!/usr/bin/env bash
# Installs what is missing, builds everything, and runs every test. The last
# line is 'N passed, N failed, N skipped' over all lit and GoogleTest cases.
set -euo pipefail

source_dir="$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)"
export LOWP_BUILD_DIR="${LOWP_BUILD_DIR:-$source_dir/build}"

bash "$source_dir/utils/setup.sh"

cd "$source_dir"
echo "[test] configuring $LOWP_BUILD_DIR"
cmake --preset default -B "$LOWP_BUILD_DIR" --log-level=WARNING
echo "[test] building"
cmake --build "$LOWP_BUILD_DIR" --target all LowpUnitTests mlir-doc
echo "[test] running the tests"
exec python3 "$source_dir/utils/run_tests.py" "$LOWP_BUILD_DIR"
