#!/usr/bin/env bash
# Installs what is missing, builds the tools, and shows them at work:
#   1. a Mixture-of-Experts layer exported from PyTorch, compiled under the
#      recipe moe-nvfp4, run on the CPU, and compared with PyTorch's output;
#   2. the same layer compiled for Blackwell (sm_103a), run in the simulator, and
#      compared with the bytes of 1;
#   3. the kernels of examples/, compiled to PTX for Blackwell (sm_103a) and
#      assembled.
set -euo pipefail

source_dir="$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)"
export LOWP_BUILD_DIR="${LOWP_BUILD_DIR:-$source_dir/build}"
out="$LOWP_BUILD_DIR/quickstart"
model="$source_dir/test/Inputs/models/moe_mixtral_dense"
recipe=moe-nvfp4
target=sm_103a

say() { echo "[quickstart] $*"; }

bash "$source_dir/utils/setup.sh"

cd "$source_dir"
say "building the tools"
cmake --preset default -B "$LOWP_BUILD_DIR" --log-level=WARNING >/dev/null
cmake --build "$LOWP_BUILD_DIR" --target lowp-opt lowp-compile lowp-run

export PATH="$LOWP_BUILD_DIR/bin:$LOWP_BUILD_DIR/venv/bin:$PATH"
mkdir -p "$out"

echo
say "a Mixture-of-Experts layer from PyTorch ($(basename "$model").mlir) under the recipe $recipe"
lowp-run "$model.mlir" --entry=main --recipe="$recipe" \
  --params="$model.json" \
  --input="$model.inputs.npz" --output="$out/outputs.npz" \
  --expect="$model.outputs.npz" --report="$out/report.json"

echo
say "the same for $target, in the simulator"
lowp-run "$model.mlir" --entry=main --recipe="$recipe" \
  --params="$model.json" --target="$target" --simulate \
  --input="$model.inputs.npz" --output="$out/simulated.npz"
cmp "$out/outputs.npz" "$out/simulated.npz"
say "all bytes are those of the CPU"

echo
say "the kernels of examples/ for $target"
ptxas="$(compgen -G "$LOWP_BUILD_DIR/venv/lib/python3*/site-packages/nvidia/*/bin/ptxas" | head -n 1)"
for example in examples/*.mlir; do
  name="$(basename "$example" .mlir)"
  lowp-compile "$example" --target="$target" --emit=ptx -o "$out/$name.ptx"
  "$ptxas" -arch="$target" -o "$out/$name.cubin" "$out/$name.ptx"
  printf '  %-28s %s (assembled: %s bytes)\n' "$name" "$out/$name.ptx" \
    "$(stat -c %s "$out/$name.cubin")"
done
echo
say "the report is in $out/report.json, the PTX in $out/*.ptx"
